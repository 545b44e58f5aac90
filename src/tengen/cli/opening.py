"""Swap and swap2 at the terminal: who places, who chooses, and what programs do."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import takewhile

from tengen.cli.terminal import Prompt, Question, TakenBack, Terminal, is_human, may_be_move, point_in_words
from tengen.errors import TengenError
from tengen.games import Move, Opening, Position, Seat, Side
from tengen.players import Player

_RULES = {
    "swap": "the first player places three stones, the second takes a colour",
    "swap2": "the first player places three stones; the second takes a colour, or adds two and lets the first take one",
}
_SHORT_ANSWERS = {"b": "black", "w": "white", "two": "place two", "2": "place two"}
_REFUSED = {
    "hint": "there are no hints in the opening",
    "values": "there are no values in the opening",
    "resign": "nobody has a colour yet, so nobody can resign; quit leaves the game",
}


def settle_colours(
    opening: Opening, seats: Mapping[Seat, Player], terminal: Terminal, *, seed: int | None
) -> dict[Side, Player]:
    """Go through an opening to its end and return who plays which colour.

    People are asked. Programs place stones at random within two points of the centre and then take a colour at random,
    never placing two more; ``seed`` fixes that. Raises ``Left`` or ``EOFError`` when a person leaves.
    """
    terminal.show(f"{opening.protocol}: {_RULES[opening.protocol]}")
    _Settling(opening, seats, terminal, seed).run()
    return {side: seats[opening.seat_of(side)] for side in Side}


class _Settling:
    """The turns of an opening."""

    def __init__(self, opening: Opening, seats: Mapping[Seat, Player], terminal: Terminal, seed: int | None) -> None:
        self._opening, self._seats, self._terminal = opening, seats, terminal
        self._generator = random.Random(seed)
        as_seated = {Side.BLACK: seats[Seat.FIRST], Side.WHITE: seats[Seat.SECOND]}
        self._prompt = Prompt(terminal, opening.position, as_seated, self._take_back)
        self._placed: list[Seat] = []  # who placed the stones that can be taken back

    def run(self) -> None:
        while (seat := self._opening.to_act) is not None:
            who = f"{seat} player ({self._seats[seat].name})"
            if is_human(self._seats[seat]):
                self._terminal.show_board(self._opening.position)
            try:
                if self._opening.phase == "place":
                    self._place(seat, who)
                else:
                    self._choose(seat, who)
            except TakenBack:
                continue

    def _place(self, seat: Seat, who: str) -> None:
        opening, side = self._opening, self._opening.position.to_move
        if is_human(self._seats[seat]):
            opening.place(self._ask_stone(who))
        else:
            move = opening.place(_random_stone(opening.position, self._generator))
            self._terminal.show(f"{who} places {side} {move}")
        self._placed.append(seat)

    def _choose(self, seat: Seat, who: str) -> None:
        asked = is_human(self._seats[seat])
        choice = self._ask_choice(who) if asked else str(self._generator.choice((Side.BLACK, Side.WHITE)))
        self._opening.choose(choice)
        self._placed.clear()  # a choice stands, and so do the stones that it was made for
        self._terminal.show(f"{who} chooses {choice}")

    def _take_back(self, stones: int) -> None:
        found = len(list(takewhile(lambda seat: is_human(self._seats[seat]), reversed(self._placed))))
        if found < stones:
            nothing = "there is no stone of yours to take back, and a choice stands"
            raise TengenError(f"only {found} can be taken back" if found else nothing)
        for _ in range(stones):
            self._opening.position.undo()
            self._placed.pop()

    def _ask_stone(self, who: str) -> Move:
        position = self._opening.position
        prompt = f"{who}, {self._opening.remaining} to place (a point, or help); {position.to_move}> "
        question = Question(prompt, "a point", point_in_words(position), may_be_move, _REFUSED)
        while True:
            answer = self._prompt.ask(question)
            try:
                return position.copy().play(answer)
            except TengenError as trouble:
                self._terminal.complain(str(trouble))

    def _ask_choice(self, who: str) -> str:
        *others, last = self._opening.choices()
        choices = f"{', '.join(others)} or {last}"
        question = Question(
            f"{who}, choose {choices}> ", "a choice", choices, lambda line: _choice(line) in {*others, last}, _REFUSED
        )
        return _choice(self._prompt.ask(question))


def _choice(line: str) -> str:
    return _SHORT_ANSWERS.get(line.lower(), line.lower())


def _random_stone(position: Position, generator: random.Random) -> Move:
    middle = (position.size - 1) / 2
    central = [
        move
        for move in position.legal_moves()
        if move.row is not None
        and move.column is not None
        and max(abs(move.row - middle), abs(move.column - middle)) <= 2.5
    ]
    return generator.choice(central)
