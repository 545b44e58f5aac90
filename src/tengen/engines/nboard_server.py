"""Tengen as an NBoard 2 engine for Othello."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from tengen.engines.session import Heard, Session
from tengen.engines.thought import Line, OnThought, Searcher, Thought
from tengen.errors import NotationError, TengenError
from tengen.games import Move, Position

_DISCS = 64  # a value of 1 is a win by all of them
_LONGEST_MOVE = 60.0
_DEEPEST = 60  # plies: a whole game


def depth_seconds(depth: int) -> float:
    """The time that stands for a depth: a twentieth of a second, doubled every four plies, a minute at most."""
    return float(min(_LONGEST_MOVE, 0.05 * 2 ** (min(max(depth, 0), _DEEPEST) / 4)))


class NBoardServer:
    """Holds the position that NBoard shows, and turns its lines into calls.

    ``go`` and ``hint`` leave the position as it is: NBoard says by ``move`` what was played. What cannot be understood
    is ignored, as the protocol wants it, with a ``status`` that says so. ``set depth`` is a depth for players that
    search by depth, with a minute to reach it, and a time for the others.
    """

    def __init__(self, write: Callable[[str], None], *, name: str | None = None, seed: int | None = None) -> None:
        self._write = write
        self._session = Session(name, lambda text: write(f"status {text}"), seed=seed)
        self._position = Position("othello")
        self._depth = 12
        self._commands: dict[str, Callable[[str], None]] = {
            "nboard": lambda _: self._write("set myname Tengen"),
            "set": self._set,
            "move": self._move,
            "hint": self._hint,
            "go": self._go,
            "ping": lambda rest: self._write(f"pong {rest}".rstrip()),
            "learn": lambda _: self._write("learned"),
            "analyze": lambda _: None,
        }

    # The two threads.

    def overhear(self, heard: Heard) -> bool:
        """Stop the player for ping, and for quit."""
        word = heard.line.text.strip().lower().partition(" ")[0]
        if word in {"ping", "quit"}:
            self._session.stop(heard.number)
        return word != "quit"

    def input_ended(self, number: int) -> bool:
        """Nobody is there any more: as quit."""
        self._session.stop(number)
        return False

    def obey(self, heard: Heard) -> bool:
        """Do what one line says."""
        self._session.obeying(heard.number)
        word, _, rest = heard.line.text.strip().partition(" ")
        word = word.lower()
        if word == "quit":
            self._session.close()
            return False
        if word in self._commands and not heard.line.too_long:
            try:
                self._commands[word](rest.strip())
            except TengenError as trouble:
                self._write(f"status {' '.join(str(trouble).split())[:200]}")
        return True

    def failed(self, heard: Heard, trouble: Exception) -> None:
        """An error in here; NBoard shows it, and the position stays."""
        self._write(f"status internal error, {type(trouble).__name__}")

    # The position.

    def _set(self, rest: str) -> None:
        key, _, value = rest.partition(" ")
        if key.lower() == "game":
            self._set_game(value.strip())
        elif key.lower() == "depth" and re.fullmatch(r"[0-9]{1,4}", value.strip()):
            self._depth = min(max(int(value), 1), _DEEPEST)

    def _set_game(self, ggf: str) -> None:
        from tengen.games import records

        found = records.loads(ggf, "ggf")
        position = found[0].position()
        if position.game.name != "othello":
            raise TengenError(f"NBoard is for Othello on 8x8, not for {position.game}")
        self._position = position
        self._session.new_game()

    def _move(self, rest: str) -> None:
        text = rest.partition("/")[0].strip()
        position = self._position.copy()
        move = position.game.move(text)
        if position.is_legal("pass") and not move.is_pass:
            position.play("pass")
        position.play(move)
        self._position = position

    # Thinking.

    def _go(self, rest: str) -> None:
        if self._position.is_over:
            raise TengenError("the game is over")
        started = time.monotonic()
        if self._position.is_legal("pass"):
            self._write("=== PA")
            return
        best = self._think(1).lines[0]
        self._write(f"=== {_text(best.moves[0])}/{_discs(best)}/{time.monotonic() - started:.2f}")

    def _hint(self, rest: str) -> None:
        if not re.fullmatch(r"[0-9]{1,4}", rest):
            raise NotationError(f"hint {rest[:40]!r}: how many moves?")
        if self._position.is_over:
            raise TengenError("the game is over")
        self._show(self._think(min(max(int(rest), 1), _DISCS), self._show))

    def _think(self, lines: int, on_thought: OnThought | None = None) -> Thought:
        self._write("status Thinking")
        by_depth = isinstance(self._session.player_for(self._position.game, _LONGEST_MOVE), Searcher)
        thought = self._session.think(
            self._position,
            _LONGEST_MOVE if by_depth else depth_seconds(self._depth),
            typical=_LONGEST_MOVE,
            depth=self._depth,
            lines=lines,
            on_thought=on_thought,
        )
        stats = thought.decision.stats
        if "nodes" in stats:
            self._write(f"nodestats {stats['nodes']:.0f} {stats.get('seconds', 0):.2f}")
        self._write("status")
        return thought

    def _show(self, thought: Thought) -> None:
        depth = thought.decision.stats.get("depth", 1)
        for line in thought.lines:
            moves = "".join(_text(move) for move in line.moves)
            self._write(f"search {moves} {_discs(line) or 0} 0 {depth:.0f}")


def _discs(line: Line) -> str:
    """What a line is worth in discs: the search's own score in hundredths, else the value as a share of all discs."""
    if line.score is not None:
        return f"{line.score / 100:.2f}"
    return "" if line.value is None else f"{_DISCS * line.value:.2f}"


def _text(move: Move) -> str:
    return "PA" if move.is_pass else str(move).upper()
