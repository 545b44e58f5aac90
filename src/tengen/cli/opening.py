"""Swap and swap2 at the terminal: who places, who chooses, and what programs do."""

from __future__ import annotations

import random
from collections.abc import Mapping

from tengen.cli.terminal import Left, Terminal
from tengen.errors import TengenError
from tengen.games import Move, Opening, Position, Seat, Side
from tengen.players import Player
from tengen.players.human import HumanPlayer

_RULES = {
    "swap": "the first player places three stones, the second takes a colour",
    "swap2": "the first player places three stones; the second takes a colour, or adds two and lets the first take one",
}
_SHORT_ANSWERS = {"b": "black", "w": "white", "two": "place two", "2": "place two"}


def settle_colours(
    opening: Opening, seats: Mapping[Seat, Player], terminal: Terminal, *, seed: int | None
) -> dict[Side, Player]:
    """Go through an opening to its end and return who plays which colour.

    People are asked. Programs place stones at random within two points of the centre and then take a colour at random,
    never placing two more; ``seed`` fixes that. Raises ``Left`` or ``EOFError`` when a person leaves.
    """
    generator = random.Random(seed)
    terminal.show(f"{opening.protocol}: {_RULES[opening.protocol]}")
    while opening.to_act is not None:
        seat = opening.to_act
        player = seats[seat]
        person = isinstance(player, HumanPlayer)
        who = f"{seat} player ({player.name})"
        if person:
            terminal.show_board(opening.position)
        if opening.phase == "place":
            move = _ask_stone(opening, who, terminal) if person else _random_stone(opening.position, generator)
            side = opening.position.to_move
            opening.place(move)
            if not person:
                terminal.show(f"{who} places {side} {move}")
        else:
            choice = _ask_choice(opening, who, terminal) if person else generator.choice((Side.BLACK, Side.WHITE))
            opening.choose(choice)
            terminal.show(f"{who} chooses {choice}")
    return {side: seats[opening.seat_of(side)] for side in Side}


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


def _ask_stone(opening: Opening, who: str, terminal: Terminal) -> Move:
    position = opening.position
    while True:
        answer = _ask(f"{who}, {opening.remaining} to place; {position.to_move}> ", terminal)
        try:
            return position.copy().play(answer)
        except TengenError as trouble:
            terminal.complain(str(trouble))


def _ask_choice(opening: Opening, who: str, terminal: Terminal) -> str:
    choices = opening.choices()
    while True:
        answer = _ask(f"{who}, choose {', '.join(choices[:-1])} or {choices[-1]}> ", terminal).lower()
        answer = _SHORT_ANSWERS.get(answer, answer)
        if answer in choices:
            return answer
        terminal.complain(f"{answer[:40]!r} is no choice; answer {', '.join(choices[:-1])} or {choices[-1]}, or quit")


def _ask(prompt: str, terminal: Terminal) -> str:
    answer = terminal.ask(prompt)
    if answer.lower() in {"quit", "exit", "q"}:
        raise Left
    return answer
