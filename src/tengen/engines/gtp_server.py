"""Tengen as a GTP 2 engine, for Othello and for Gomoku."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable

import tengen
from tengen.engines.gtp_vertex import GAME_NAMES, parse_colour, parse_vertex, vertex
from tengen.engines.session import Heard, Session
from tengen.engines.timing import GtpClock
from tengen.errors import GameNameError, TengenError
from tengen.games import Game, Position, Side
from tengen.search.clock import moves_ahead

_ID = re.compile(r"([0-9]{1,18})(?:\s+|\Z)")
_STONES = {None: ".", Side.BLACK: "X", Side.WHITE: "O"}


class _RefusedError(TengenError):
    """A failure answer; the message is what it says."""


class GtpServer:
    """Holds the game and the player, and turns commands into calls.

    Forced passes that a front end leaves out are put in. Commands are obeyed in their order, whatever comes while the
    player thinks, and the input's end waits for the answers.
    """

    def __init__(
        self,
        write: Callable[[str], None],
        game: str | Game = "othello",
        *,
        name: str | None = None,
        seed: int | None = None,
        default_seconds: float = 2.0,
    ) -> None:
        self._write = write
        self._position = Position(game)
        self._before: list[Position] = []  # what undo goes back to
        self._session = Session(name, _complain, seed=seed)
        self._clock = GtpClock(default_seconds)
        self._left: dict[Side, tuple[float, int]] = {}
        self._commands: dict[str, Callable[[list[str]], str]] = {
            "protocol_version": lambda _: "2",
            "name": lambda _: "Tengen",
            "version": lambda _: tengen.__version__,
            "known_command": lambda words: str(_word(words, 0) in self._commands).lower(),
            "list_commands": lambda _: "\n".join(self._commands),
            "quit": lambda _: "",
            "boardsize": self._boardsize,
            "clear_board": self._clear_board,
            "komi": self._komi,
            "play": self._play,
            "genmove": self._genmove,
            "reg_genmove": self._reg_genmove,
            "undo": self._undo,
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "showboard": lambda _: self._drawing(),
            "loadsgf": self._loadsgf,
            "list_games": lambda _: GAME_NAMES[self._game.kind],
            "set_game": self._set_game,
        }

    @property
    def _game(self) -> Game:
        return self._position.game

    # The two threads.

    def overhear(self, heard: Heard) -> bool:
        """GTP has no word that cannot wait."""
        return True

    def input_ended(self, number: int) -> bool:
        """What was asked is still answered, in its own time."""
        return True

    def obey(self, heard: Heard) -> bool:
        """Answer one line, unless it is empty or a comment."""
        self._session.obeying(heard.number)
        text = "".join(character for character in heard.line.text.replace("\t", " ") if character >= " ")
        text = text.partition("#")[0].strip()
        found = _ID.match(text)
        number = found[1] if found else ""
        words = text[found.end() :].split() if found else text.split()
        if not words and not number:
            return True
        try:
            if heard.line.too_long:
                raise _RefusedError("the line is too long")
            if not words or words[0] not in self._commands:
                raise _RefusedError("unknown command")
            self._reply("=", number, self._commands[words[0]](words[1:]))
        except TengenError as trouble:
            self._reply("?", number, str(trouble))
        if words and words[0] == "quit":
            self._session.close()
            return False
        return True

    def failed(self, heard: Heard, trouble: Exception) -> None:
        """An error in here; the front end is told, and the game stays."""
        self._reply("?", "", f"internal error, {type(trouble).__name__}")

    def _reply(self, sign: str, number: str, text: str) -> None:
        lines = [line for line in text.splitlines() if line.strip()]  # an empty line would end the answer
        self._write(f"{sign}{number} " + "\n".join(lines) + "\n" if lines else f"{sign}{number}\n")

    # The board.

    def _boardsize(self, words: list[str]) -> str:
        size = _integer(words, 0)
        if size not in ((self._game.size,) if self._game.kind == "othello" else range(5, 23)):
            raise _RefusedError("unacceptable size")
        if size != self._game.size:
            self._restart(Game.parse(f"gomoku:size={size},rule={self._game.rule}"))
        else:
            self._restart(self._game)
        return ""

    def _restart(self, game: Game) -> None:
        self._position = Position(game)
        self._before.clear()
        self._session.new_game()
        self._session.prepare(game, self._clock.typical)

    def _clear_board(self, words: list[str]) -> str:
        self._restart(self._game)
        return ""

    def _komi(self, words: list[str]) -> str:
        _number(words, 0)  # it has no meaning here, and front ends send it all the same
        return ""

    def _set_game(self, words: list[str]) -> str:
        if _word(words, 0).lower() != self._game.kind:
            raise _RefusedError("unsupported game")
        return ""

    def _play(self, words: list[str]) -> str:
        colour, point = _colour(words), _word(words, 1)
        position = self._as(colour)
        try:
            move = parse_vertex(self._game, point)
        except TengenError:
            raise _RefusedError("invalid color or coordinate") from None
        if move.is_pass and self._position.to_move is not colour and position.to_move is colour:
            raise _RefusedError("illegal move")  # the rival's pass was put in, and then this one is none
        if not position.is_legal(move):
            raise _RefusedError("illegal move")
        position.play(move)
        self._keep(position)
        return ""

    def _as(self, colour: Side) -> Position:
        """A copy of the position with ``colour`` to move, a forced pass put in; refused if that cannot be."""
        position = self._position.copy()
        if position.to_move is not colour and position.is_legal("pass"):
            position.play("pass")
        if position.to_move is not colour:
            raise _RefusedError(f"illegal move: it is {position.to_move}'s turn")
        return position

    def _keep(self, position: Position) -> None:
        self._before.append(self._position)
        self._position = position

    def _undo(self, words: list[str]) -> str:
        if not self._before:
            raise _RefusedError("cannot undo")
        self._position = self._before.pop()
        return ""

    def _loadsgf(self, words: list[str]) -> str:
        from tengen.games import records

        try:
            record = records.load(_word(words, 0), "sgf", game=self._game)[0]
            number = _integer(words, 1) if len(words) > 1 else None
            ply = None if number is None else min(max(number - 1, 0), len(record.moves))
            position = record.position(ply)
        except (OSError, ValueError, IndexError):
            raise _RefusedError("cannot load file") from None
        if position.game.kind != self._game.kind:
            raise _RefusedError("cannot load file")
        self._restart(position.game)
        self._position = position
        return str(position.to_move)

    def _drawing(self) -> str:
        """The board with GTP's own coordinates; blank lines are not allowed here."""
        game, position = self._game, self._position
        points = [vertex(game, game.at(0, column))[0] for column in range(game.size)]
        rows = [f"   {' '.join(points)}"]
        for row in range(game.size):
            stones = " ".join(_STONES[position.stone(game.at(row, column))] for column in range(game.size))
            rows.append(f"{vertex(game, game.at(row, 0))[1:]:>2} {stones}")
        outcome = position.outcome()
        rows.append(f"{outcome}" if outcome else f"{position.to_move} ({_STONES[position.to_move]}) to move")
        return "\n" + "\n".join(rows)

    # Thinking.

    def _genmove(self, words: list[str]) -> str:
        return self._choose(words, keep=True)

    def _reg_genmove(self, words: list[str]) -> str:
        return self._choose(words, keep=False)

    def _choose(self, words: list[str], *, keep: bool) -> str:
        colour = _colour(words)
        if self._position.is_over:
            if self._game.has_pass:
                return "PASS"
            raise _RefusedError("the game is over")
        position = self._as(colour)
        if position.is_legal("pass"):
            move = position.game.move("pass")  # nothing to think about
        else:
            seconds = self._clock.seconds(self._left.get(colour), moves_ahead(position))
            move = self._session.think(position, seconds, typical=self._clock.typical).decision.move
        if keep:
            position.play(move)
            self._keep(position)
        return vertex(self._game, move)

    def _time_settings(self, words: list[str]) -> str:
        main, overtime, moves = _number(words, 0), _number(words, 1), _integer(words, 2)
        if min(main, overtime, moves) < 0:
            raise _RefusedError("not an integer")
        self._clock.settings(main, overtime, moves)
        self._left.clear()
        return ""

    def _time_left(self, words: list[str]) -> str:
        self._left[_colour(words)] = max(0.0, _number(words, 1)), max(0, _integer(words, 2))
        return ""


def _complain(text: str) -> None:
    """GTP has no word for it on standard output; front ends show standard error."""
    print(f"# {text}", file=sys.stderr, flush=True)


def _word(words: list[str], index: int) -> str:
    if index >= len(words):
        raise _RefusedError("an argument is missing")
    return words[index]


def _colour(words: list[str]) -> Side:
    side = parse_colour(_word(words, 0))
    if side is None:
        raise _RefusedError("invalid color or coordinate")
    return side


def _integer(words: list[str], index: int) -> int:
    word = _word(words, index)
    if not re.fullmatch(r"-?[0-9]{1,9}", word):
        raise _RefusedError("not an integer")
    return int(word)


def _number(words: list[str], index: int) -> float:
    word = _word(words, index)
    if not re.fullmatch(r"-?[0-9]{1,9}(\.[0-9]{0,9})?", word):
        raise _RefusedError("not a number")
    return float(word)


def check_game(name: str) -> Game:
    """The game that a GTP server is to play; raises ``GameNameError`` for those that GTP has no words for."""
    game = Game.parse(name)
    if game.kind == "gomoku" and (game.win != 5 or game.size < 5):
        raise GameNameError(f"{name!r}: over GTP, gomoku is five in a row on 5x5 to 22x22")
    return game
