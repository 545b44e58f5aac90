"""Many games stepped together in the core, in which a learner meets built-in rivals or itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tengen import _core
from tengen.envs._observing import check_encoding
from tengen.envs.vector import _MOST_GAMES, VectorStep, _is_ready, _whole_number
from tengen.errors import IllegalMoveError, PlayerNameError, TengenError
from tengen.games import Game, Move, Position, Side
from tengen.naming import join_name, split_name

_SIDES: Final = ("black", "white", "random")
_REWARDS: Final = ("win", "s0", "s1")
_EXPLORING: Final = ("random", "greedy", "threats")
_DEEPEST_MINIMAX: Final = 3
_TIES: Final = ("random", "first")  # as the player minimax has them
_Rival = tuple[str, int, bool]  # its kind, minimax's depth, and whether it draws among equals
_MOST_THREADS: Final = 256
_LONGEST_OPENING: Final = 64
_WIDEST_MARGIN: Final = 22


class DuelEnv:
    """``games`` games of one kind in which a learner plays against ``rivals``, whose replies are part of a step.

    ``rivals`` is a name, or names with weights by which each game draws its own: ``random``, ``greedy``,
    ``minimax:depth=1..3`` (Gomoku; with ``ties=first`` it always answers alike), and ``self``, where the learner moves
    for both sides. It is always the learner's turn: a rival that begins has moved already. Othello's passes are moves,
    the learner's as well as the rival's.

    A game that ends is started anew in the same step: ``planes``, ``mask``, ``to_move``, ``rival`` and ``self_play``
    show the game that goes on, all other arrays tell of the step just made. All are views of the core's buffers and
    are overwritten by the next ``step`` or ``reset``: copy what you want to keep.

    ``encoding`` is one of the sources' (``s0`` .. ``s4``) or the one of Tengen's networks (``gomoku``, ``othello``).

    ``openings`` are lists of actions (or move strings) that games begin with, taken in turn; without them every game
    begins with ``opening_plies`` random moves, and with ``opening_least`` draws how many, from that on. In Gomoku they
    lie in a square in the middle; ``opening_boxes`` are its sides for openings of one move, of two, and so on, the last
    of them for all longer ones. ``margin`` limits the learner to the bounding box of the stones grown by so much, as S0
    does. ``reward`` is ``win``, or for Gomoku the shaped rewards of ``s0`` and ``s1`` (``core/envs/duel_env.h``).

    The same seed and the same steps give the same games, whatever ``threads`` is. One thread at a time calls; the GIL
    is released while the core works. Raises ``TengenError`` for options that cannot be.
    """

    def __init__(
        self,
        game: str | Game,
        games: int,
        *,
        rivals: str | Mapping[str, float] = "random",
        side: str = "random",
        encoding: str | None = "s0",
        reward: str = "win",
        openings: Sequence[str | Sequence[int]] = (),
        opening_plies: int = 0,
        opening_least: int | None = None,
        opening_boxes: Sequence[int] = (5,),
        margin: int | None = None,
        threads: int = 1,
        seed: int = 0,
    ) -> None:
        self._game = Game.parse(game)
        self._rivals, weights = _parse_rivals(rivals, self._game)
        # Beside the sources' encodings, the planes of bytes that Tengen's networks read; not as bytes here.
        own = encoding in ("gomoku", "othello") and encoding == self._game.kind
        self._encoding = encoding if encoding is None or own else check_encoding(encoding)
        self._margin = None if margin is None else _whole_number("margin", margin, 0, _WIDEST_MARGIN)
        settings = (
            _whole_number("games", games, 1, _MOST_GAMES),
            [(*rival, weight) for rival, weight in zip(self._rivals.values(), weights, strict=True)],
            None if _one_of("side", side, _SIDES) == "random" else Side.parse(side).index,
            self._encoding,
            _one_of("reward", reward, _REWARDS),
            _parse_openings(openings, self._game),
            _whole_number("opening_plies", opening_plies, 0, _LONGEST_OPENING),
            None if opening_least is None else _whole_number("opening_least", opening_least, 0, opening_plies),
            [_whole_number("a side of opening_boxes", side, 1, _WIDEST_MARGIN) for side in opening_boxes],
            self._margin,
            _whole_number("threads", threads, 1, _MOST_THREADS),
            _whole_number("seed", seed, 0, 2**64 - 1),
        )
        # The core makes one class per board type, all alike; Any keeps their union out of every line below.
        self._env: Any = self._make(*settings)
        # The buffers stay where they are for life, so their views are made once and a step costs one call.
        self._views = VectorStep(self._env.planes, self._env.reward, self._env.ended, self._env.mask)
        self._to_move: NDArray[np.uint8] = self._env.to_move
        self._rival: NDArray[np.uint8] = self._env.rival
        self._self_play: NDArray[np.bool_] = self._env.self_play
        self._result: NDArray[np.uint8] = self._env.result
        self._length: NDArray[np.int32] = self._env.length
        self._opening: NDArray[np.int32] = self._env.opening
        self._last_side: NDArray[np.uint8] = self._env.last_side
        self._stepped_rival: NDArray[np.uint8] = self._env.stepped_rival
        self._stepped_self_play: NDArray[np.bool_] = self._env.stepped_self_play
        self._action: NDArray[np.int64] = self._env.action
        # The core trusts its mask when it checks actions, so nobody may write there.
        self._views.mask.flags.writeable = False

    def _make(self, *settings: Any) -> Any:
        try:
            return _core.duel_env(Position(self._game).core, *settings)
        except ValueError as trouble:
            raise TengenError(str(trouble)) from None

    # The game now shown.

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
    def rivals(self) -> tuple[str, ...]:
        """The names of the rivals; ``rival`` and ``stepped_rival`` are indices of these."""
        return tuple(self._rivals)

    @property
    def planes(self) -> NDArray[np.float32]:
        """Each position as the learner sees it, float32 [games, planes, size, size]; no planes without an encoding."""
        return self._views.planes

    @property
    def mask(self) -> NDArray[np.bool_]:
        """Which actions are legal and within the margin, bool [games, actions]; read-only, never empty in any row.

        Where the margin leaves no legal action, all legal ones are there.
        """
        return self._views.mask

    @property
    def to_move(self) -> NDArray[np.uint8]:
        """The side that the learner moves for, uint8 [games]: 0 black, 1 white."""
        return self._to_move

    @property
    def rival(self) -> NDArray[np.uint8]:
        """The rival's index in ``rivals``, uint8 [games]."""
        return self._rival

    @property
    def self_play(self) -> NDArray[np.bool_]:
        """Where the learner plays itself, so that the next position's value counts against the mover, bool [games]."""
        return self._self_play

    # The step just made.

    @property
    def reward(self) -> NDArray[np.float32]:
        """For the learner that moved, the reply included, float32 [games]."""
        return self._views.reward

    @property
    def ended(self) -> NDArray[np.bool_]:
        """Where the step ended a game, which has then been started anew, bool [games]."""
        return self._views.ended

    @property
    def result(self) -> NDArray[np.uint8]:
        """How the step left the game, uint8 [games]: 0 goes on, 1 black won, 2 white won, 3 draw."""
        return self._result

    @property
    def length(self) -> NDArray[np.int32]:
        """The plies of the game that ended, those of its opening included, int32 [games]; 0 where none did."""
        return self._length

    @property
    def opening(self) -> NDArray[np.int32]:
        """Which of the given openings the game that ended had, int32 [games]; -1 where none ended or none are given."""
        return self._opening

    @property
    def last_side(self) -> NDArray[np.uint8]:
        """The side that the learner moved for, uint8 [games]: 0 black, 1 white."""
        return self._last_side

    @property
    def stepped_rival(self) -> NDArray[np.uint8]:
        """The index of the rival that the step was made against, uint8 [games]."""
        return self._stepped_rival

    @property
    def stepped_self_play(self) -> NDArray[np.bool_]:
        """Where the step was made against the learner itself, bool [games]."""
        return self._stepped_self_play

    # What can be done.

    def reset(self) -> VectorStep:
        """Start every game anew; the generators, and the turn of the openings, go on."""
        self._env.reset()
        return self._views

    def step(self, actions: ArrayLike) -> VectorStep:
        """Play ``actions[i]`` in game i, and its rival's reply; a contiguous int64 array is read without a copy.

        Raises ``IllegalMoveError`` that names the first game whose action is outside the mask, and ``TengenError`` for
        anything but one integer per game; then no game has moved.
        """
        chosen = actions if _is_ready(actions) else self._as_actions(actions)
        try:
            self._env.step(chosen)
        except ValueError:
            raise self._refusal(np.asarray(chosen)) from None
        return self._views

    def explore_actions(self, kind: str = "greedy", where: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
        """One action of the mask per game, int64 [games]; with ``where``, bool [games], only in the games it marks.

        ``random`` draws uniformly. ``greedy`` is S0's greedy move algorithm, on an empty board a point of the central
        5x5; in Othello the most discs. ``threats`` (Gomoku) takes up a win by fours and threes, or stops the rival's
        five, where a short search finds one, and else draws uniformly. Where the mask has none of its moves, all of the
        mask is drawn from. The draws depend on the seed and on the games alone, and change nothing that a rival does;
        the next call overwrites the array.
        """
        try:
            self._env.explore(_one_of("kind", kind, _EXPLORING), where)
        except ValueError as trouble:
            raise TengenError(str(trouble)) from None
        return self._action

    def history(self, game: int) -> list[Move]:
        """The moves of the game in progress, those of its opening included, as :attr:`Position.moves` gives them.

        Raises ``TengenError`` if there is no such game.
        """
        try:
            return [self._game.moves[action] for action in self._env.history(game)]
        except ValueError as trouble:
            raise TengenError(str(trouble)) from None

    def position(self, game: int) -> Position:
        """The game in progress as a position of its own; raises ``TengenError`` if there is no such game."""
        return Position(self._game, self.history(game))

    def __len__(self) -> int:
        return self.num_games

    def __repr__(self) -> str:
        rivals = ", ".join(self.rivals)
        return f"DuelEnv({self._game.name!r}, {self.num_games}, rivals={rivals!r}, encoding={self._encoding!r})"

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
                    move = self.position(game).play(action)
                except TengenError as why:
                    return IllegalMoveError(f"game {game}: {why}")
                return IllegalMoveError(f"game {game}: {move} is outside the margin of {self._margin}")
        raise AssertionError("the core refused a step without an illegal action")


def _one_of(what: str, value: str, known: tuple[str, ...]) -> str:
    if value not in known:
        raise TengenError(f"{what} is one of {', '.join(known)}, not {value!r}")
    return value


def _parse_rivals(rivals: str | Mapping[str, float], game: Game) -> tuple[dict[str, _Rival], list[float]]:
    """Each rival by its full name, and the weights in the same order."""
    if not isinstance(rivals, str | Mapping) or not rivals:
        raise TengenError(f"rivals are a name, or names with weights, not {rivals!r}")
    parsed: dict[str, _Rival] = {}
    weights = []
    for given, weight in ({rivals: 1.0} if isinstance(rivals, str) else rivals).items():
        name, rival = _parse_rival(given, game)
        if name in parsed:
            raise TengenError(f"the rival {name} is given twice")
        if not isinstance(weight, int | float | np.integer | np.floating) or not 0 < weight <= 1e9:
            raise TengenError(f"the weight of a rival is a number above 0, at most 1e9, not {weight!r}")
        parsed[name] = rival
        weights.append(float(weight))
    return parsed, weights


def _parse_rival(name: str, game: Game) -> tuple[str, _Rival]:
    kind, options = split_name(name, what="rival", error=PlayerNameError)
    if kind == "minimax" and game.kind == "gomoku":
        depth, ties = options.pop("depth", "2"), options.pop("ties", "random")
        if not options and depth in map(str, range(1, _DEEPEST_MINIMAX + 1)) and ties in _TIES:
            named = {"depth": depth} | ({} if ties == "random" else {"ties": ties})
            return join_name(kind, named), (kind, int(depth), ties == "random")
    elif kind in ("random", "greedy", "self") and not options:
        return kind, (kind, 0, True)
    minimax = [f"minimax:depth=1..{_DEEPEST_MINIMAX} (and ,ties=first)"] if game.kind == "gomoku" else []
    known = ", ".join(["random", "greedy", *minimax, "self"])
    raise PlayerNameError(f"there is no rival {name!r} for {game.name}; the rivals are {known}")


def _parse_openings(openings: Sequence[str | Sequence[int]], game: Game) -> list[list[int]]:
    if isinstance(openings, str) or not isinstance(openings, Sequence | np.ndarray):
        raise TengenError(f"openings are a list of openings, not {openings!r}")
    parsed = []
    for number, opening in enumerate(openings):
        if not isinstance(opening, str | Sequence | np.ndarray):
            raise TengenError(f"opening {number} is a list of actions, not {opening!r}")
        try:
            parsed.append([int(move) for move in Position(game, opening).moves])
        except TengenError as trouble:
            raise type(trouble)(f"opening {number}: {trouble}") from None
    return parsed
