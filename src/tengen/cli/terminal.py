"""A game in the terminal: the board, the prompt, and what can be typed there."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import click

import tengen
from tengen.errors import TengenError
from tengen.games import Game, Outcome, Position, Reason, Side
from tengen.games._drawing import draw
from tengen.players import Player
from tengen.players.human import HumanPlayer, Resigned

#: What can be typed instead of a move.
COMMANDS: Final[dict[str, str]] = {
    "undo": "take back to the last turn of a person",
    "hint": "what the greedy player would play here",
    "moves": "the game so far as a move string",
    "save FILE": "write the game; the extension is the format",
    "resign": "give up; the game ends",
    "help": "this list",
    "quit": "leave; the game stays unfinished",
}

# Words that are answers to the question itself; whether they are right is seen later.
_ANSWERS: Final = frozenset({"resign", "pass"})

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


class _Undo(Exception):  # noqa: N818 - nothing is wrong
    """The person asked to go back to an earlier turn, which there is."""

    def __init__(self, ply: int) -> None:
        self.ply = ply


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
        try:
            line = input(prompt) if self._editable else self._read_line(prompt)
        except EOFError:
            self.show()  # what comes next should not stand behind the prompt
            raise
        return line.strip()

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
        self._first_ply = position.ply
        self._show_moves = show_moves
        self._adviser = tengen.player("greedy", seed=seed or 0)

    def _seated(self, player: Player) -> Player:
        return HumanPlayer(name=player.name, ask=self._ask, tell=self._complain) if _is_human(player) else player

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
            except _Undo as wish:
                while self.position.ply > wish.ply:
                    self.position.undo()
            except Resigned:
                return Outcome(side.other, Reason.RESIGNATION)
        outcome = self.position.outcome()
        assert outcome is not None
        return outcome

    def _play_turn(self, side: Side) -> None:
        if _is_human(self.players[side]) and not self._person_decides(side):
            self._terminal.show(f"{side} has no move and passes")
            self.position.play("pass")
            return
        move = self.position.play(self.players[side].choose(self.position).move)
        if self._show_moves and not _is_human(self.players[side]):
            self._terminal.show(f"{self.position.ply:>3}. {side} ({self.players[side].name}) plays {move}")

    def _person_decides(self, side: Side) -> bool:
        """Whether the turn is a person's, and there is something to decide."""
        return _is_human(self.players[side]) and not self.position.is_legal("pass")

    def _last_turn_of_a_person(self) -> int | None:
        """The ply before the last move that a person decided on; None if there is none."""
        trial = self.position.copy()
        while trial.ply > self._first_ply:
            trial.undo()
            if _is_human(self.players[trial.to_move]) and not trial.is_legal("pass"):
                return trial.ply
        return None

    # The prompt.

    def _ask(self, position: Position) -> str:
        """Read lines and obey commands until a line is something else: a move, or ``resign``."""
        side = position.to_move
        while True:
            line = self._terminal.ask(f"{self._terminal.stones[side.index]} {side}> ")
            word, _, rest = line.partition(" ")
            match word.lower():
                case "":
                    self._terminal.show(f"Type a move such as {_example(position)}, or help.")
                case "undo" | "u":
                    ply = self._last_turn_of_a_person()
                    if ply is not None:
                        raise _Undo(ply)
                    self._complain("there is no move of yours to take back")
                case "quit" | "exit" | "q":
                    raise Left
                case "hint":
                    self._adviser.new_game()  # the same position gets the same advice
                    self._terminal.show(f"greedy would play {self._adviser.choose(position).move}")
                case "moves":
                    self._terminal.show("".join(str(move) for move in position.moves) or "no moves yet")
                case "save":
                    self._save(rest.strip())
                case "help" | "?":
                    self._help()
                case _ if line.isalpha() and line.lower() not in _ANSWERS:
                    self._complain(f"{line[:40]!r} is neither a move nor a command; help lists the commands")
                case _:
                    return line

    def _help(self) -> None:
        self._terminal.show(f"  {'a move':<10} a point such as {_example(self.position)}: column letter, row number")
        for command, meaning in COMMANDS.items():
            self._terminal.show(f"  {command:<10} {meaning}")

    def _save(self, name: str) -> None:
        if not name:
            self._complain("say where: save FILE, such as save game.sgf")
            return
        path = Path(os.path.expanduser(name))  # leaves ~nobody as it is, where Path.expanduser raises
        try:
            save_record(path, self.position, self.players)
            self._terminal.show(f"saved {path}")
        except OSError as trouble:
            self._complain(f"cannot write {str(path)!r}: {trouble.strerror}")
        except ValueError as trouble:  # TengenError, or a name that no file can have
            self._complain(str(trouble))

    def _complain(self, text: str) -> None:
        self._terminal.complain(text)


def _is_human(player: Player) -> bool:
    return isinstance(player, HumanPlayer)


def _example(position: Position) -> str:
    legal = position.legal_moves()
    return str(legal[len(legal) // 2])
