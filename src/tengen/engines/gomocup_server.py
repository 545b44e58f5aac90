"""Tengen as a Gomocup engine: protocol 2 with its optional commands, and Yixin-Board's additions to it."""

from __future__ import annotations

import os
import random
import re
import time
from collections.abc import Callable
from typing import Final

import tengen
from tengen.engines import swap2
from tengen.engines.arrangement import arrange
from tengen.engines.gomocup_client import stones_in_order
from tengen.engines.gomocup_report import Reporter
from tengen.engines.session import Heard, Session
from tengen.engines.thought import Thought
from tengen.engines.timing import GomocupClock
from tengen.errors import TengenError
from tengen.games import Game, Move, Position, Side
from tengen.players import Decision
from tengen.players.greedy import GreedyPlayer

SIZES: Final = range(5, 23)

_MOST_BLOCK_LINES = 1000
_MOST_LINES = 30  # of play, that a player is asked for
_MOST_DEPTH = SIZES[-1] ** 2  # plies: no game is longer
_OWN_MEMORY = 96 << 20  # what this process uses beside its player's tables
_LEAST_MEMORY, _MOST_MEMORY = 8, 1024  # MiB for the player
_POINT = re.compile(r"\s*(-?[0-9]{1,4})\s*,\s*(-?[0-9]{1,4})\s*\Z")
_STONE = re.compile(r"\s*(-?[0-9]{1,4})\s*,\s*(-?[0-9]{1,4})\s*(?:,\s*([0-9]{1,4})\s*)?\Z")
_SIZE = re.compile(r"\s*([0-9]{1,4})(?:[\s,]+([0-9]{1,4}))?\s*\Z")
_NUMBER = re.compile(r"[-+]?[0-9]{1,18}\Z")
_RULES = ((4, "renju"), (8, "caro"), (1, "standard"))  # the first bit that is set decides
_STOP_WORDS = frozenset({"YXSTOP", "STOP"})

# A line of a block: x, y and the field if there is one.
_Triple = tuple[int, int, int | None]


class _RefusedError(TengenError):
    """A known command that cannot be done; answered with ERROR and nothing else."""


class GomocupServer:
    """Holds the game and the player, and turns lines into calls; see ``docs/engines.md`` for what it knows.

    ``write`` gets each line of output. ``name`` is the player, None for the strongest; ``default_seconds`` are for a
    move when the manager says nothing about time.
    """

    def __init__(
        self,
        write: Callable[[str], None],
        *,
        name: str | None = None,
        seed: int | None = None,
        default_seconds: float = 5.0,
    ) -> None:
        self._write = write
        self._session = Session(name, lambda text: write(f"MESSAGE {_one_line(text)}"), seed=seed)
        self._generator = random.Random(seed)
        self._clock = GomocupClock(default_seconds)
        self._position: Position | None = None
        self._blocked: set[Move] = set()  # points not to be played: yxblock, and the lines of continuous games
        self._size = 0
        self._rule_number = 0
        self._yixin = False  # the manager is Yixin-Board or like it
        self._rows_first = False  # how this game's coordinates are written; settled at its START
        self._reporter = Reporter(write, self._text)
        self._nodes: int | None = None
        self._depth: int | None = None
        self._block: _Block | None = None
        self._since = 0.0
        self._commands: dict[str, Callable[[str], None]] = {
            "START": self._start,
            "RECTSTART": self._rectstart,
            "RESTART": self._restart,
            "BEGIN": self._begin,
            "TURN": self._turn,
            "BOARD": lambda rest: self._open_block(rest, self._board),
            "SWAP2BOARD": lambda rest: self._open_block(rest, self._swap2board),
            "TAKEBACK": self._takeback,
            "INFO": self._info,
            "ABOUT": self._about,
            "YXSHOWINFO": self._yxshowinfo,
            "YXBOARD": lambda rest: self._open_block(rest, self._yxboard),
            "YXBLOCK": lambda rest: self._open_block(rest, self._yxblock),
            "YXBLOCKUNDO": lambda rest: self._open_block(rest, self._yxblockundo),
            "YXBLOCKRESET": lambda _: self._blocked.clear(),
            "YXHASHCLEAR": lambda _: self._session.new_game(),
            "YXNBEST": self._yxnbest,
            "YXBALANCEONE": self._yxbalanceone,
            "YXSHOWFORBID": self._yxshowforbid,
            "YXSTOP": lambda _: None,  # it was overheard
            "STOP": lambda _: None,
        }

    # The two threads.

    def overhear(self, heard: Heard) -> bool:
        """Stop the player for YXSTOP, and for END, after which nothing matters."""
        word = heard.line.text[:16].strip().upper()
        if word in _STOP_WORDS or word == "END":
            self._session.stop(heard.number)
        return word != "END"

    def input_ended(self, number: int) -> bool:
        """Nobody is there any more: as END."""
        self._session.stop(number)
        return False

    def obey(self, heard: Heard) -> bool:
        """Answer one line; bad ones get ERROR or UNKNOWN and change nothing."""
        self._session.obeying(heard.number)
        self._since = heard.at
        word, _, rest = heard.line.text.strip().partition(" ")
        word = word.upper()
        if word == "END":
            self._session.close()
            return False
        try:
            if heard.line.too_long:
                self._abandon_block()
                raise _RefusedError("the line is too long")
            if self._block is not None and word not in self._commands:
                self._block_line(heard.line.text)
            elif word in self._commands:
                if word != "INFO":
                    self._abandon_block()
                self._commands[word](rest.strip())
            else:
                self._write(f"UNKNOWN command {_quote(word)}" if word else "UNKNOWN empty line")
        except TengenError as trouble:
            self._write(f"ERROR {_one_line(str(trouble))}")
        return True

    def failed(self, heard: Heard, trouble: Exception) -> None:
        """An error in here; the manager is told, and the game stays."""
        self._write(f"ERROR internal error, {type(trouble).__name__}")

    # Blocks of lines.

    def _open_block(self, rest: str, then: Callable[[list[_Triple]], None]) -> None:
        if rest:
            raise _RefusedError("nothing belongs on this line")
        self._block = _Block(then)

    def _block_line(self, text: str) -> None:
        assert self._block is not None
        if text.strip().upper() == "DONE":
            block, self._block = self._block, None
            if block.trouble:
                raise _RefusedError(block.trouble)
            self._here()
            block.then(block.lines)
            return
        if text.strip():
            self._block.add(text)
        if self._block.count > _MOST_BLOCK_LINES:
            self._abandon_block()

    def _abandon_block(self) -> None:
        if self._block is not None:
            self._block = None
            self._write("ERROR the lines before this have no DONE")

    # The game.

    def _here(self) -> Position:
        if self._position is None:
            raise _RefusedError("no game: START comes first")
        return self._position

    def _game(self) -> Game:
        number = self._rule_number
        if self._yixin and number == 2:
            number = 4
        rule = next((name for bit, name in _RULES if number & bit), "freestyle")
        return Game.parse(f"gomoku:size={self._size},rule={rule}")

    def _text(self, move: Move) -> str:
        return f"{move.row},{move.column}" if self._rows_first else f"{move.column},{move.row}"

    def _move(self, first: int, second: int) -> Move:
        game = self._here().game
        row, column = (first, second) if self._rows_first else (second, first)
        return game.at(row, column)

    def _parse_point(self, rest: str) -> Move:
        found = _POINT.match(rest)
        if not found:
            raise _RefusedError(f"{_quote(rest)} is no point; it is written x,y")
        return self._move(int(found[1]), int(found[2]))

    def _start(self, rest: str) -> None:
        found = _SIZE.match(rest)
        if not found:
            raise _RefusedError(f"{_quote(rest)} is no size")
        width, height = int(found[1]), int(found[2] or found[1])
        if width != height:
            raise _RefusedError("only square boards")
        if width not in SIZES:
            raise _RefusedError(f"boards are from {SIZES[0]} to {SIZES[-1]}")
        self._yixin = self._yixin or found[2] is not None
        self._new_game(width)
        self._write("OK")

    def _rectstart(self, rest: str) -> None:
        found = _SIZE.match(rest)
        if not found or found[2] is None:
            raise _RefusedError(f"{_quote(rest)} is no size; it is written width,height")
        yixin = self._yixin
        self._start(rest)
        self._yixin = yixin  # two numbers are this command's own way

    def _restart(self, rest: str) -> None:
        self._new_game(self._here().size)
        self._write("OK")

    def _new_game(self, size: int) -> None:
        self._size = size
        self._rows_first = self._yixin
        self._blocked.clear()
        self._position = Position(self._game())
        self._session.new_game()
        self._prepare()

    def _info(self, rest: str) -> None:
        """Take what is known and well-formed; INFO is never answered."""
        key, _, value = rest.partition(" ")
        key, value = key.lower(), value.strip()
        if not _NUMBER.match(value):
            return
        number = int(value)
        if key in {"timeout_turn", "timeout_match", "time_left", "time_increment"}:
            setattr(self._clock, key, number)
        elif key == "rule":
            self._rule_number = number
            self._change_rule()
        elif key in {"max_memory", "hash_size"}:
            bytes_for_player = number * 1024 if key == "hash_size" else number - _OWN_MEMORY
            mebibytes = min(max(bytes_for_player >> 20, _LEAST_MEMORY), _MOST_MEMORY)
            self._session.memory = mebibytes if number > 0 else None
            self._prepare()
        elif key == "thread_num":
            self._session.threads = min(max(number, 1), os.cpu_count() or 1)
            self._prepare()
        elif key == "max_node":
            self._nodes = number if number > 0 else None
        elif key == "max_depth":
            self._depth = min(number, _MOST_DEPTH) if number > 0 else None
        elif key == "show_detail":
            self._reporter.wanted = number > 0

    def _prepare(self) -> None:
        """Have the player ready for the game as it is now."""
        if self._position is not None:
            self._session.prepare(self._position.game, self._clock.typical)

    def _change_rule(self) -> None:
        """Managers send the rule after START: the stones stay."""
        if self._position is not None and self._position.game != self._game():
            position = self._position
            self._position = arrange(self._game(), stones_in_order(position), position.to_move)

    def _begin(self, rest: str) -> None:
        position = self._here()
        if position.board().any() and not self._yixin:
            raise _RefusedError("the board is not empty")
        self._answer(position)

    def _turn(self, rest: str) -> None:
        position = self._here().copy()
        position.play(self._parse_point(rest))
        self._answer(position)

    def _takeback(self, rest: str) -> None:
        position = self._here().copy()
        move = self._parse_point(rest)
        side = position.stone(move)
        if side is None:
            raise _RefusedError(f"there is no stone at {self._text(move)}")
        if move == position.last_move:
            position.undo()
        else:
            stones = [(stone, of) for stone, of in stones_in_order(position) if stone != move]
            position = arrange(position.game, stones, side)
        self._position = position
        self._write("OK")

    def _board(self, lines: list[_Triple]) -> None:
        position, walls = self._set_up(lines)
        self._blocked |= walls
        self._answer(position)

    def _set_up(self, lines: list[_Triple]) -> tuple[Position, set[Move]]:
        """The position that a block describes, with us to move, and the points of continuous games' old lines."""
        fields: list[tuple[Move, int]] = []
        for first, second, field in lines:
            if field not in {1, 2, 3}:
                raise _RefusedError("a stone is x,y,field and the field is 1, 2 or 3")
            if (first, second) == (-1, -1):
                continue  # Yixin-Board's pass; whose turn it is follows from it being ours
            fields.append((self._move(first, second), field))
        if len({move for move, _ in fields}) < len(fields):
            raise _RefusedError("a point is given twice")
        own, rival = (sum(field == of for _, field in fields) for of in (1, 2))
        side = Side.BLACK if own >= rival else Side.WHITE
        if own - rival not in {0, -1} and self._game().rule == "renju":  # here the order is the game's
            side = next((Side.BLACK if field == 1 else Side.WHITE for _, field in fields if field != 3), side)
        stones = [(move, side if field == 1 else side.other) for move, field in fields if field != 3]
        return arrange(self._game(), stones, side), {move for move, field in fields if field == 3}

    # Answers that take thought.

    def _answer(self, position: Position, *, lines: int = 1) -> None:
        """Think, say the move, and keep the position after it."""
        move = self._think(position, lines=lines).move
        position.play(move)
        self._position = position
        self._write(self._text(move))

    def _think(self, position: Position, *, share: float = 1.0, lines: int = 1) -> Decision:
        if position.is_over:
            raise _RefusedError(f"the game is over, {position.outcome()}")
        open_moves = [move for move in position.legal_moves() if move not in self._blocked]
        if not open_moves:
            raise _RefusedError("every point is blocked")
        seconds = (self._clock.seconds - (time.monotonic() - self._since)) * share
        detail = self._yixin or self._reporter.wanted
        thought = self._session.think(
            position,
            seconds,
            typical=self._clock.typical,
            nodes=self._nodes,
            depth=self._depth,
            lines=min(lines + len(self._blocked), _MOST_LINES),
            on_thought=self._reporter.show if detail else None,
        )
        if thought.decision.move in self._blocked:
            thought = Thought.of_decision(_instead(position, thought.decision, open_moves), lines)
        if detail:
            self._reporter.show(thought)
        return thought.decision

    def _swap2board(self, lines: list[_Triple]) -> None:
        if any(field is not None for _, _, field in lines):
            raise _RefusedError("a stone of the opening is x,y")
        position = Position(self._game(), [self._move(first, second) for first, second, _ in lines])
        if len(lines) == 0:
            points = swap2.propose(position.game, self._generator)
            self._position = Position(position.game, points)
            self._write(" ".join(self._text(move) for move in points))
        elif len(lines) in {3, 5}:
            decision = self._think(position)
            if swap2.wants_black(position, decision.value):
                self._position = position
                self._write("SWAP")
            else:
                position.play(decision.move)
                self._position = position
                self._write(self._text(decision.move))
        else:
            raise _RefusedError(f"an opening has 0, 3 or 5 stones, not {len(lines)}")

    def _about(self, rest: str) -> None:
        said = {"name": "Tengen", "version": tengen.__version__, "author": "the Tengen developers"}
        said |= {"country": "-", "www": "-", "email": "-"}
        self._write(", ".join(f'{key}="{value}"' for key, value in said.items()))

    # Yixin-Board.

    def _yxshowinfo(self, rest: str) -> None:
        self._yixin = True
        self._write(f"MESSAGE INFO MAX_THREAD_NUM {os.cpu_count() or 1}")
        self._write(f"MESSAGE INFO MAX_HASH_SIZE {(_MOST_MEMORY * 1024).bit_length() - 1}")

    def _yxboard(self, lines: list[_Triple]) -> None:
        self._position, walls = self._set_up(lines)
        self._blocked |= walls

    def _yxblock(self, lines: list[_Triple]) -> None:
        self._blocked |= {self._move(first, second) for first, second, _ in lines}

    def _yxblockundo(self, lines: list[_Triple]) -> None:
        self._blocked -= {self._move(first, second) for first, second, _ in lines}

    def _yxnbest(self, rest: str) -> None:
        self._answer(self._here().copy(), lines=min(max(_count(rest), 1), _MOST_LINES))

    def _yxbalanceone(self, rest: str) -> None:
        """Play the move after which the value is nearest to the bias, in thousandths, among those that look at all."""
        bias = _count(rest, lowest=-1000) / 1000
        position = self._here().copy()
        decision = self._think(position, share=0.5, lines=_MOST_LINES)
        scores = {move: score for move, score in decision.scores.items() if move not in self._blocked}
        if len(scores) < 2:
            near = [move for move in swap2.points_near(position) if move not in self._blocked]
            chosen = self._generator.sample(near, min(8, len(near)))
            for move in chosen:
                after = position.copy()
                after.play(move)
                value = None if after.is_over else self._think(after, share=0.5 / len(chosen)).value
                if value is not None:
                    scores[move] = -value
        move = min(scores, key=lambda each: abs(scores[each] - bias)) if scores else decision.move
        position.play(move)
        self._position = position
        self._write(self._text(move))

    def _yxshowforbid(self, rest: str) -> None:
        points = (self._text(move).split(",") for move in self._here().forbidden_moves())
        self._write("FORBID " + "".join(f"{int(first):02d}{int(second):02d}" for first, second in points) + ".")


class _Block:
    """The lines between BOARD (or its like) and DONE; the first that is wrong spoils all, but only at the end."""

    def __init__(self, then: Callable[[list[_Triple]], None]) -> None:
        self.then = then
        self.lines: list[_Triple] = []
        self.count = 0
        self.trouble = ""

    def add(self, text: str) -> None:
        self.count += 1
        found = _STONE.match(text)
        if found:
            self.lines.append((int(found[1]), int(found[2]), int(found[3]) if found[3] else None))
        elif not self.trouble:
            self.trouble = f"{_quote(text)} is no stone; it is written x,y,field"


def _instead(position: Position, decision: Decision, open_moves: list[Move]) -> Decision:
    """The best move that is not blocked: by the player's scores, else greedy's, else the nearest to what it wanted."""
    scored = [move for move in open_moves if move in decision.scores]
    if scored:
        best = max(scored, key=lambda move: decision.scores[move])
        return Decision(best, value=decision.value, scores=decision.scores, stats=decision.stats)
    wanted = {position.game.moves[action] for action in GreedyPlayer(name="greedy").candidates(position)}
    open_moves = [move for move in open_moves if move in wanted] or open_moves
    row, column = divmod(int(decision.move), position.size)

    def distance(move: Move) -> int:
        return (int(move) // position.size - row) ** 2 + (int(move) % position.size - column) ** 2

    return Decision(min(open_moves, key=distance))


def _count(text: str, lowest: int = 0) -> int:
    if not _NUMBER.match(text):
        raise _RefusedError(f"{_quote(text)} is no number")
    return max(int(text), lowest)


def _quote(text: str) -> str:
    return repr(_one_line(text)[:40])


def _one_line(text: str) -> str:
    return "".join(character if " " <= character <= "~" else "?" for character in text)[:200]
