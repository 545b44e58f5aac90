"""Other people's engines as players, over the Gomocup protocol or GTP."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tengen.engines import gomocup_client
from tengen.engines.gomocup_client import GomocupEngine
from tengen.engines.gtp_client import GtpEngine
from tengen.engines.process import split_command
from tengen.errors import IllegalMoveError, PlayerNameError
from tengen.games import Game, Move, Position
from tengen.players._player import Decision, Limit
from tengen.players._registry import PlayerKind, PlayerOption, register
from tengen.players.human import Resigned

_DEFAULT_SECONDS = 5.0


class _Engine(Protocol):
    def choose(self, position: Position, seconds: float) -> tuple[Move | None, dict[str, float]]: ...
    def new_game(self) -> None: ...
    def close(self) -> None: ...


class _EnginePlayer:
    """What the two kinds have in common: the time for a move, and an engine that is asked."""

    def __init__(self, engine: _Engine, *, name: str, time: float | None) -> None:
        self.name = name
        self._engine = engine
        self._time = time

    def new_game(self) -> None:
        """Start a new game in the engine; its process stays."""
        self._engine.new_game()

    def choose(self, position: Position, *, limit: Limit | None = None) -> Decision:
        """Ask the engine, which has ``time`` seconds or the limit's, whichever is less, and a second of grace.

        Raises ``tengen.engines.EngineError`` whose ``kind`` is crash, timeout, illegal or protocol, and ``Resigned``
        when the engine gives up. After an error the next choice starts the engine anew.
        """
        if position.is_over:
            raise IllegalMoveError("the game is over; there is no move to choose")
        allowed = [each for each in (self._time, limit.seconds if limit else None) if each is not None]
        move, stats = self._engine.choose(position, min(allowed, default=_DEFAULT_SECONDS))
        if move is None:
            raise Resigned(f"{position.to_move} resigns")
        return Decision(position.game.moves[move], stats=stats)

    def close(self) -> None:
        """End the engine's process; the next choice would start it again. It ends by itself when this is forgotten."""
        self._engine.close()


class GomocupPlayer(_EnginePlayer):
    """An engine that speaks the Gomocup protocol, such as any ``pbrain-`` program; ``engine`` is the way to it."""

    def __init__(
        self,
        *,
        name: str = "engine",
        seed: int | None = None,
        cmd: Sequence[str] = (),
        time: float | None = None,
        memory: int | None = None,
    ) -> None:
        if not cmd:
            raise PlayerNameError(f"{name!r}: say which engine, as in engine:cmd=./pbrain-x")
        self.engine = GomocupEngine(cmd, memory=memory)
        super().__init__(self.engine, name=name, time=time)

    def supports(self, game: Game) -> bool:
        """Five in a row from 5x5 on; what the engine itself can do shows when it is started."""
        return gomocup_client.supports(game)

    def stop(self) -> None:
        """Send YXSTOP to an engine that is thinking; those that do not know it go on to the end of their time."""
        self.engine.stop()


class GtpPlayer(_EnginePlayer):
    """An engine that speaks GTP 2; ``engine`` is the way to it."""

    def __init__(
        self,
        *,
        name: str = "gtp",
        seed: int | None = None,
        cmd: Sequence[str] = (),
        time: float | None = None,
    ) -> None:
        if not cmd:
            raise PlayerNameError(f"{name!r}: say which engine, as in gtp:cmd=gtp-engine")
        self.engine = GtpEngine(cmd)
        super().__init__(self.engine, name=name, time=time)

    def supports(self, game: Game) -> bool:
        """Othello, and five in a row without forbidden points; the engine itself may refuse the board's size."""
        return game.kind == "othello" or (game.rule == "freestyle" and game.win == 5)

    def stop(self) -> None:
        """Nothing to do: GTP has no word for it."""


def _positive_seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds <= 1e6:
        raise ValueError("it is a number of seconds above 0")
    return seconds


def _mebibytes(text: str) -> int:
    memory = int(text)
    if not 1 <= memory <= 1 << 20:
        raise ValueError("it is a number of MiB from 1 on")
    return memory


_CMD = PlayerOption(split_command, "the program and its arguments; quote what contains a comma")
_TIME = PlayerOption(_positive_seconds, "seconds a move", f"{_DEFAULT_SECONDS:g}")

register(
    PlayerKind(
        "engine",
        "another program over the Gomocup protocol",
        GomocupPlayer,
        {"cmd": _CMD, "time": _TIME, "memory": PlayerOption(_mebibytes, "MiB that it may use", "unlimited")},
    )
)
register(PlayerKind("gtp", "another program over GTP (Othello)", GtpPlayer, {"cmd": _CMD, "time": _TIME}))
