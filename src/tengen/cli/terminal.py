"""A game in the terminal: the board, the prompt, and what can be typed there."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import click

import tengen
from tengen.errors import TengenError
from tengen.games import Game, Outcome, Position, Reason, Side
from tengen.games._drawing import draw
from tengen.players import Player, Rater
from tengen.players.human import HumanPlayer, Resigned

#: What can be typed instead of an answer.
COMMANDS: Final[dict[str, str]] = {
    "undo [N]": "take back to the last turn of a person, or to the Nth last",
    "hint": "what alphabeta would play here, after a short look",
    "values": "what the dqn player of this game says that the best moves are worth (Q)",
    "moves": "the game so far as a move string",
    "save FILE": "write the game; the extension is the format",
    "resign": "give up; the game ends",
    "help": "this list",
    "quit": "leave; the game stays unfinished",
}

# The word of each command, with what may follow it.
_TAKES: Final = {word: rest for word, _, rest in (command.partition(" ") for command in COMMANDS)}
_VALUES_IN_LINE: Final = 4
_VALUES_SHOWN: Final = 8 * _VALUES_IN_LINE
# Only on their own: "u 5" is a point of a large board.
_SHORT: Final = {"u": "undo", "?": "help", "q": "quit", "exit": "quit"}

_STYLES: Final[dict[str, dict[str, Any]]] = {
    "black": {"fg": "cyan", "bold": True},
    "white": {"fg": "yellow", "bold": True},
    "line": {"fg": "green", "bold": True},
    "last": {"bold": True},
    "legal": {"fg": "green"},
    "forbidden": {"fg": "red"},
    "empty": {"dim": True},
    "label": {"dim": True},
}


def _paint(text: str, role: str) -> str:
    return click.style(text, **_STYLES[role])


class Left(Exception):  # noqa: N818 - nothing is wrong
    """The person asked to leave the game."""


class TakenBack(Exception):  # noqa: N818 - nothing is wrong
    """The person took something back, so that the question is another one now."""


class Terminal:
    """The screen and the keyboard: one stream to show things on, and lines from standard input.

    ``err`` shows everything on standard error, so that standard output can carry data; ``silent`` shows nothing but
    questions. Colours and stones that the stream cannot show are left out.
    """

    def __init__(self, *, err: bool = False, silent: bool = False) -> None:
        self._err = err
        self._silent = silent
        stream = sys.stderr if err else sys.stdout
        self.stones = ("●", "○") if _can_encode(stream, "●○") else ("X", "O")
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")  # odd bytes are nonsense to complain about, not a crash
        # With a terminal at both ends the line can be edited; input() does that if readline is loaded.
        self._editable = not err and all(end is not None and end.isatty() for end in (sys.stdin, sys.stdout))
        if self._editable:
            with suppress(ImportError):  # Windows has none
                import readline  # noqa: F401

    def show(self, text: str = "", **style: Any) -> None:
        """Print a line."""
        if not self._silent:
            click.secho(text, err=self._err, **style)

    def complain(self, text: str) -> None:
        """Say what was wrong with an answer."""
        self.show(text, fg="red")

    def ask(self, prompt: str) -> str:
        """Ask for a line; raises ``EOFError`` when there is none."""
        return (input(prompt) if self._editable else self._read_line(prompt)).strip()

    def _read_line(self, prompt: str) -> str:
        click.echo(prompt, nl=False, err=self._err)
        line = sys.stdin.readline() if sys.stdin is not None else ""
        if not line:
            raise EOFError
        if not sys.stdin.isatty():
            self.show(line.strip())  # nobody typed it here, and the transcript should be readable
        return line

    def show_board(self, position: Position, *, legal: bool = False) -> None:
        """Draw the position; in Othello, ``legal`` marks where the mover may play."""
        mark = "*" if legal and position.game.kind == "othello" else ""
        self.show(draw(position, paint=_paint, stones=self.stones, legal=mark))


def _can_encode(stream: Any, text: str) -> bool:
    try:
        text.encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def check_record_path(path: Path, game: Game) -> None:
    """Raise ``TengenError`` unless the directory exists and the extension is that of a format for this game."""
    from tengen.games.records import FORMATS

    writable = [entry for entry in FORMATS.values() if entry.write and game.kind in entry.kinds]
    known = [extension for entry in writable for extension in entry.extensions]
    if path.suffix.lower() not in known:
        raise TengenError(f"{str(path)!r}: the extension says the format; for {game} it is one of {', '.join(known)}")
    if not path.absolute().parent.is_dir():
        raise TengenError(f"{str(path)!r}: there is no directory {str(path.parent)!r}")


def check_free(path: Path, advice: str) -> None:
    """Raise ``TengenError`` with the advice if there is such a file already."""
    if path.is_file():
        raise TengenError(f"{str(path)!r} exists already; {advice}")


def save_record(path: Path, position: Position, players: Mapping[Side, Player], outcome: Outcome | None = None) -> None:
    """Write the game as a record; ``outcome`` is how it ended if the board does not show it.

    Raises ``TengenError`` for a format that cannot hold the game, ``OSError`` when the file cannot be written.
    """
    from tengen.games.records import Record, Result, dump

    check_record_path(path, position.game)
    record = Record.from_position(position, black=players[Side.BLACK].name, white=players[Side.WHITE].name)
    if outcome and outcome.winner and not position.is_over:
        record.result = Result.won(outcome.winner, outcome.reason)
    dump([record], path)


def move_string(position: Position) -> str:
    """The moves so far, one after another."""
    return "".join(str(move) for move in position.moves)


@dataclass(frozen=True)
class Question:
    """What a person is asked, and what will do as an answer."""

    prompt: str
    wanted: str
    meaning: str
    is_answer: Callable[[str], bool]
    #: Commands that make no sense here, and the sentence that says why.
    refused: Mapping[str, str] = field(default_factory=dict)


class Prompt:
    """Asks people, and obeys the commands that they type instead of an answer.

    ``take_back`` gets a number of turns and takes them back on the position, or raises ``TengenError`` that says why
    it cannot. ``seed`` fixes the hints.
    """

    def __init__(
        self,
        terminal: Terminal,
        position: Position,
        players: Mapping[Side, Player],
        take_back: Callable[[int], None],
        *,
        seed: int | None = None,
    ) -> None:
        self._terminal = terminal
        self._position = position
        self._players = players
        self._take_back = take_back
        self._adviser = tengen.player("alphabeta:nodes=50000", seed=seed or 0)
        self._saved: set[Path] = set()

    def ask(self, question: Question) -> str:
        """Read lines and obey commands until one is an answer, which may be ``resign`` unless that is refused.

        Raises ``Left`` when the person leaves, ``TakenBack`` after an undo, ``EOFError`` when the input ends.
        """
        while True:
            line = self._terminal.ask(question.prompt)
            word, _, rest = _SHORT.get(line.lower(), line).partition(" ")
            word, rest = word.lower(), rest.strip()
            if not line:
                self._terminal.show(f"Type {question.wanted} ({question.meaning}), or help.")
            elif word in question.refused:
                self._terminal.complain(question.refused[word])
            elif rest and _TAKES.get(word) == "":
                self._terminal.complain(f"{word} takes nothing after it")
            elif word == "resign":
                return word
            elif word in _TAKES:
                self._obey(word, rest, question)
            elif question.is_answer(line):
                return line
            else:
                self._terminal.complain(
                    f"{line[:40]!r} is neither {question.wanted} nor a command; help lists the commands"
                )

    def _obey(self, word: str, rest: str, question: Question) -> None:
        match word:
            case "undo":
                self._undo(rest or "1")
            case "hint":
                self._adviser.new_game()  # the same position gets the same advice
                self._terminal.show(f"alphabeta would play {self._adviser.choose(self._position).move}")
            case "values":
                self._show_values()
            case "moves":
                self._terminal.show(move_string(self._position) or "no moves yet")
            case "save":
                self._save(rest)
            case "help":
                self._help(question)
            case "quit":
                raise Left

    def _show_values(self) -> None:
        rater = next((player for player in self._players.values() if isinstance(player, Rater)), None)
        if rater is None:
            self._terminal.complain("nobody here rates moves; a dqn player does")
            return
        try:
            rated = [f"{rating.move!s:<4} {rating.score:+9.3f}" for rating in rater.rate(self._position)]
        except TengenError as trouble:
            self._terminal.complain(str(trouble))
            return
        shown = rated[:_VALUES_SHOWN]
        for start in range(0, len(shown), _VALUES_IN_LINE):
            self._terminal.show("  " + "   ".join(shown[start : start + _VALUES_IN_LINE]))
        if len(rated) > len(shown):
            self._terminal.show(f"  and {len(rated) - len(shown)} worse ones")

    def _undo(self, turns: str) -> None:
        if not (turns.isdecimal() and len(turns) <= 4 and int(turns) > 0):
            self._terminal.complain("undo takes nothing after it, or a number of turns from 1 on")
            return
        try:
            self._take_back(int(turns))
        except TengenError as trouble:
            self._terminal.complain(str(trouble))
        else:
            raise TakenBack

    def _help(self, question: Question) -> None:
        self._terminal.show(f"  {question.wanted:<10} {question.meaning}")
        for command, meaning in COMMANDS.items():
            if command.partition(" ")[0] not in question.refused:
                self._terminal.show(f"  {command:<10} {meaning}")

    def _save(self, name: str) -> None:
        if not name:
            self._terminal.complain("say where: save FILE, such as save game.sgf")
            return
        path = Path(os.path.expanduser(name))  # leaves ~nobody as it is, where Path.expanduser raises
        try:
            check_record_path(path, self._position.game)
            if path not in self._saved:
                check_free(path, "save under another name")
            save_record(path, self._position, self._players)
        except OSError as trouble:
            self._terminal.complain(f"cannot write {str(path)!r}: {trouble.strerror}")
        except ValueError as trouble:  # TengenError, or a name that no file can have
            self._terminal.complain(str(trouble))
        else:
            self._saved.add(path)
            self._terminal.show(f"saved {path}")


class TerminalGame:
    """One game between two players, shown in the terminal; people are asked for their moves there.

    ``position`` is played on; moves that it has already are not taken back. ``seed`` fixes the hints.
    """

    def __init__(
        self,
        position: Position,
        players: Mapping[Side, Player],
        terminal: Terminal,
        *,
        seed: int | None = None,
        show_moves: bool = True,
    ) -> None:
        self.position = position
        self.players = {side: self._seated(player) for side, player in players.items()}
        self._terminal = terminal
        self._prompt = Prompt(terminal, position, self.players, self._take_back, seed=seed)
        self._first_ply = position.ply
        self._show_moves = show_moves

    def _seated(self, player: Player) -> Player:
        if not is_human(player):
            return player
        return HumanPlayer(name=player.name, ask=self._ask, tell=lambda text: self._terminal.complain(text))

    def play(self) -> Outcome:
        """Play to the end; raises ``Left`` when a person leaves and ``EOFError`` when the input ends before."""
        for player in self.players.values():
            player.new_game()
        while not self.position.is_over:
            side = self.position.to_move
            if self._person_decides(side):
                self._terminal.show_board(self.position, legal=True)
            try:
                self._play_turn(side)
            except TakenBack:
                continue
            except Resigned:
                return Outcome(side.other, Reason.RESIGNATION)
        outcome = self.position.outcome()
        assert outcome is not None
        return outcome

    def _play_turn(self, side: Side) -> None:
        if is_human(self.players[side]) and not self._person_decides(side):
            self._terminal.show(f"{side} has no move and passes")
            self.position.play("pass")
            return
        move = self.position.play(self.players[side].choose(self.position).move)
        if self._show_moves and not is_human(self.players[side]):
            what = "passes" if move.is_pass else f"plays {move}"
            self._terminal.show(f"{self.position.ply:>3}. {side} ({self.players[side].name}) {what}")

    def _person_decides(self, side: Side) -> bool:
        """Whether the turn is a person's, and there is something to decide."""
        return is_human(self.players[side]) and not self.position.is_legal("pass")

    def _take_back(self, turns: int) -> None:
        """Go back to before the last move, or an earlier one, that a person decided on."""
        trial, found = self.position.copy(), 0
        while found < turns and trial.ply > self._first_ply:
            trial.undo()
            found += is_human(self.players[trial.to_move]) and not trial.is_legal("pass")
        if found < turns:
            raise TengenError(f"only {found} can be taken back" if found else "there is no move of yours to take back")
        while self.position.ply > trial.ply:
            self.position.undo()

    def _ask(self, position: Position) -> str:
        side = position.to_move
        stone = self._terminal.stones[side.index]
        return self._prompt.ask(Question(f"{stone} {side}> ", "a move", point_in_words(position), may_be_move))


def is_human(player: Player) -> bool:
    """Whether a player is a person, who is asked."""
    return isinstance(player, HumanPlayer)


def may_be_move(line: str) -> bool:
    """Whether a line is more likely a move than a misspelt command; whether it is a legal one is seen later."""
    return not line.isalpha() or line.lower() == "pass"


def point_in_words(position: Position) -> str:
    """What a point looks like."""
    legal = position.legal_moves()
    return f"such as {legal[len(legal) // 2]}: column letter, row number"
