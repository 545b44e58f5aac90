"""Many games stepped together in the core, for learners that want speed."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tengen import _core
from tengen.envs._observing import check_encoding
from tengen.errors import IllegalMoveError, TengenError
from tengen.games import Game, Move, Position

_MOST_GAMES: Final = 1 << 20  # the core's limit


class VectorStep(NamedTuple):
    """What a step left behind; the arrays are those of the environment, so the next step overwrites them."""

    planes: NDArray[np.float32]
    reward: NDArray[np.float32]
    ended: NDArray[np.bool_]
    mask: NDArray[np.bool_]


class VectorEnv:
    """``num_games`` games of one kind, each moved by one action per step; both sides' moves are yours.

    A game that ends is started anew in the same step: ``reward``, ``result`` and ``ended`` tell of the move just
    played, while ``planes``, ``mask`` and ``to_move`` already show the new game. ``start`` is a position to start from
    instead of the usual one. All arrays are views of the core's buffers and are overwritten by the next ``step`` or
    ``reset``: copy what you want to keep. One thread at a time; the GIL is released while the core works.

    Raises ``TengenError`` for a number of games, an encoding or a start that cannot be.
    """

    def __init__(
        self,
        game: str | Game = "gomoku",
        num_games: int = 1024,
        *,
        encoding: str | None = "s0",
        seed: int = 0,
        start: Position | None = None,
    ) -> None:
        self._game = Game.parse(game)
        if not isinstance(start, Position | None):
            raise TengenError(f"start is a Position of {self._game}, not {start!r}")
        self._start = Position(self._game) if start is None else start.copy()
        if self._start.game != self._game:
            raise TengenError(f"the start is a position of {self._start.game}, not of {self._game}")
        self._encoding = None if encoding is None else check_encoding(encoding)
        # The core makes one class per board type, all alike; Any keeps their union out of every line below.
        self._env: Any = self._make(
            _whole_number("num_games", num_games, 1, _MOST_GAMES), _whole_number("seed", seed, 0, 2**64 - 1)
        )
        # The buffers stay where they are for life, so their views are made once and a step costs one call.
        self._views = VectorStep(self._env.planes, self._env.reward, self._env.ended, self._env.mask)
        self._result: NDArray[np.uint8] = self._env.result
        self._to_move: NDArray[np.uint8] = self._env.to_move
        self._action: NDArray[np.int64] = self._env.action
        # The core trusts its mask when it checks actions, so nobody may write there.
        self._views.mask.flags.writeable = False

    def _make(self, num_games: int, seed: int) -> Any:
        try:
            return _core.vector_env(self._start.core, num_games, self._encoding, seed)
        except ValueError as trouble:
            raise TengenError(str(trouble)) from None

    # What the arrays are.

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._game

    @property
    def num_games(self) -> int:
        """How many games are played at once."""
        return len(self._to_move)

    @property
    def encoding(self) -> str | None:
        """The encoding of ``planes``; None if they are not wanted."""
        return self._encoding

    @property
    def planes(self) -> NDArray[np.float32]:
        """Each position as its mover sees it, float32 [games, planes, size, size]; no planes without an encoding."""
        return self._views.planes

    @property
    def mask(self) -> NDArray[np.bool_]:
        """Which actions are legal, bool [games, actions]; read-only, and never empty in any row."""
        return self._views.mask

    @property
    def reward(self) -> NDArray[np.float32]:
        """For the side that just moved, float32 [games]: 1 it won, -1 it lost, 0 otherwise."""
        return self._views.reward

    @property
    def ended(self) -> NDArray[np.bool_]:
        """Where the last step ended a game, which has then been started anew, bool [games]."""
        return self._views.ended

    @property
    def result(self) -> NDArray[np.uint8]:
        """How the move just played left the game, uint8 [games]: 0 goes on, 1 black won, 2 white won, 3 draw."""
        return self._result

    @property
    def to_move(self) -> NDArray[np.uint8]:
        """Whose turn it is, uint8 [games]: 0 black, 1 white."""
        return self._to_move

    # What can be done.

    def reset(self) -> VectorStep:
        """Start every game anew; the generator of ``sample_actions`` goes on."""
        self._env.reset()
        return self._views

    def step(self, actions: ArrayLike) -> VectorStep:
        """Play ``actions[i]`` in game i; a contiguous int64 array [games] is read without a copy.

        Raises ``IllegalMoveError`` that names the first game whose action is illegal, and ``TengenError`` for anything
        but one integer per game; then no game has moved.
        """
        chosen = actions if _is_ready(actions) else self._as_actions(actions)
        try:
            self._env.step(chosen)
        except ValueError:
            raise self._refusal(np.asarray(chosen)) from None
        return self._views

    def sample_actions(self) -> NDArray[np.int64]:
        """One legal action per game, each as likely as any other, int64 [games].

        The draws depend on the seed and on the games alone; the next call overwrites the array.
        """
        self._env.sample()
        return self._action

    def history(self, game: int) -> list[Move]:
        """The moves of the game in progress, those of the start included, as :attr:`Position.moves` gives them.

        Raises ``TengenError`` if there is no such game.
        """
        try:
            return [self._game.moves[action] for action in self._env.history(game)]
        except ValueError as trouble:
            raise TengenError(str(trouble)) from None

    def position(self, game: int) -> Position:
        """The game in progress as a position of its own; raises ``TengenError`` if there is no such game."""
        moves = self.history(game)
        position = self._start.copy()
        for move in moves[position.ply :]:
            position.play(move)
        return position

    def __len__(self) -> int:
        return self.num_games

    def __repr__(self) -> str:
        return f"VectorEnv({self._game.name!r}, {self.num_games}, encoding={self._encoding!r})"

    def _as_actions(self, actions: ArrayLike) -> NDArray[np.int64]:
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise TengenError(f"actions are integers, not {given.dtype}")
        if given.ndim != 1:
            raise TengenError(f"actions have the shape [{self.num_games}], not {list(given.shape)}")
        return np.ascontiguousarray(given, dtype=np.int64)

    def _refusal(self, chosen: NDArray[np.int64]) -> TengenError:
        if len(chosen) != self.num_games:
            return TengenError(f"step needs {self.num_games} actions, not {len(chosen)}")
        for game, action in enumerate(chosen.tolist()):
            if not 0 <= action < self._game.actions or not self.mask[game, action]:
                try:
                    self.position(game).play(action)
                except TengenError as why:
                    return IllegalMoveError(f"game {game}: {why}")
        raise AssertionError("the core refused a step without an illegal action")


def _whole_number(what: str, value: SupportsIndex, low: int, high: int) -> int:
    number = value.__index__() if hasattr(value, "__index__") else low - 1
    if not low <= number <= high:
        raise TengenError(f"{what} is a whole number {low}..{high}, not {value!r}")
    return number


def _is_ready(actions: ArrayLike) -> bool:
    """Whether the core can take the actions as they are; it copies those that are not contiguous."""
    return type(actions) is np.ndarray and actions.dtype == np.int64 and actions.ndim == 1
