"""Other people's engines as players, over the Gomocup protocol or GTP."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

from tengen.engines import gomocup_client
from tengen.engines.client import EngineClient
from tengen.engines.gomocup_client import GomocupEngine
from tengen.engines.gtp_client import GtpEngine
from tengen.engines.process import split_command
from tengen.errors import IllegalMoveError, PlayerNameError
from tengen.games import Game, Position
from tengen.players._player import Decision
from tengen.players._registry import PlayerKind, PlayerOption, register
from tengen.players._searching import number, whole_number
from tengen.players.human import Resigned
from tengen.search import Limit

_DEFAULT_SECONDS = 5.0


class _EnginePlayer:
    """What the two kinds have in common: the time for a move, and an engine that is asked."""

    def __init__(self, engine: EngineClient, *, name: str, time: float | None) -> None:
        self.name = name
        self._engine = engine
        self._time = time

    def new_game(self) -> None:
        """Start a new game in the engine; its process stays."""
        self._engine.new_game()

    def prepare(self, game: Game) -> None:
        """Start the engine and the game in it, so that the first move's time is for the move; raises as ``choose``."""
        self._engine.prepare(game)

    def choose(self, position: Position, *, limit: Limit | None = None) -> Decision:
        """Ask the engine, which has ``time`` seconds or the limit's, whichever is less, and a second of grace.

        An engine without a ``time`` in its name is told the limit's clock, if there is one, and shares it out itself.
        Limits of nodes and depth are not told: the protocols have no word for them. Raises
        ``tengen.engines.EngineError`` whose ``kind`` is crash, timeout, illegal or protocol, and ``Resigned`` when the
        engine gives up. After an error the next choice starts the engine anew.
        """
        if position.is_over:
            raise IllegalMoveError("the game is over; there is no move to choose")
        limit = (limit or Limit()).within(seconds=self._time)
        seconds = _DEFAULT_SECONDS if limit.seconds is None else limit.seconds
        move, stats = self._engine.choose(position, seconds, limit.clock if self._time is None else None)
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


def _command(text: str) -> list[str]:
    """Read a command line; refuses a program that is not there, while there is somebody to read why."""
    words = split_command(text)
    if shutil.which(words[0]) is None:
        raise ValueError(f"there is no program {words[0]!r} that can be run")
    return words


_CMD = PlayerOption(_command, "the program and its arguments; quote what contains a comma")
_TIME = PlayerOption(number(0.001, 1e6), "seconds a move, from 0.001 on", f"{_DEFAULT_SECONDS:g}")
_MEMORY = PlayerOption(whole_number(1, 1 << 20), "MiB that it may use, from 1 on", "unlimited")

register(
    PlayerKind(
        "engine",
        "another program over the Gomocup protocol",
        GomocupPlayer,
        {"cmd": _CMD, "time": _TIME, "memory": _MEMORY},
    )
)
register(PlayerKind("gtp", "another program over GTP (Othello)", GtpPlayer, {"cmd": _CMD, "time": _TIME}))
