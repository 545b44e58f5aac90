"""One side against a rival, as a Gymnasium environment (S0: the rival's reply is part of the step)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal, SupportsIndex

import numpy as np
from numpy.typing import NDArray

try:
    import gymnasium
except ModuleNotFoundError as missing:
    raise ImportError("tengen.envs.SinglePlayerEnv needs Gymnasium: pip install tengen[envs]") from missing

from tengen.envs._observing import check_action, check_encoding, lowest_value, planes_for
from tengen.envs._rendering import RENDER_MODES, check_render_mode, render
from tengen.errors import IllegalMoveError, TengenError
from tengen.games import ENCODINGS, Game, Move, Outcome, Position, Reason, Side
from tengen.players import Player, player
from tengen.players._player import require_plays

#: Rates one step of the learner: the position before its move (``before.to_move`` is the learner), its move (None if
#: the action was outside the action space), the rival's reply (None if the move ended the game) and the outcome (None
#: while the game goes on).
Reward = Callable[[Position, Move | None, Move | None, Outcome | None], float]

#: Makes the rival of one episode from a seed.
RivalFactory = Callable[[int], Player]

#: The ids that :func:`register` gives to Gymnasium, and the game of each.
IDS: Final = {"tengen/Gomoku-v0": "gomoku", "tengen/Renju-v0": "renju", "tengen/Othello-v0": "othello"}


class SinglePlayerEnv(gymnasium.Env[NDArray[np.float32], np.int64]):
    """One side is the learner's; a named player is the rival, and its reply is part of the step.

    Observations are the planes of ``encoding`` as the learner sees them, float32 [planes, size, size]; actions are the
    game's action indices. ``info["action_mask"]``, int8 [actions], marks the legal ones: ``action_space.sample(mask)``
    takes it as it is. In Othello a learner without a move must pass, which is an ordinary action and then the only
    legal one. The reward is 1 for a win, -1 for a loss and 0 otherwise, unless ``reward`` says something else. Episodes
    are never truncated.

    ``rival`` is a player's name, or a function that makes a player from a seed. Every episode gets a new rival with a
    seed of its own, drawn from the environment's generator, so that ``reset(seed=...)`` fixes everything that follows.
    ``side`` is ``black``, ``white`` or ``random`` (drawn each episode). ``illegal`` says what an illegal action does:
    ``raise`` an ``IllegalMoveError`` and change nothing, or ``lose`` the episode, with a reward of -1 (or whatever
    ``reward`` gives for an outcome that the rival won, for the reason ``foul``).

    Raises ``TengenError`` for options that cannot be.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012 - Gymnasium's word

    def __init__(
        self,
        *,
        game: str | Game = "gomoku",
        rival: str | RivalFactory = "random",
        side: Literal["black", "white", "random"] = "black",
        encoding: str = "s0",
        reward: Reward | None = None,
        illegal: Literal["raise", "lose"] = "raise",
        render_mode: str | None = None,
    ) -> None:
        self._game = Game.parse(game)
        self._encoding = check_encoding(encoding)
        self._reward = reward
        self._seat = _check_choice("side", side, ("black", "white", "random"))
        self._illegal = _check_choice("illegal", illegal, ("raise", "lose"))
        self.render_mode = check_render_mode(render_mode)
        self._new_rival: RivalFactory = rival if callable(rival) else _named(rival)
        self._rival = self._new_rival(0)
        require_plays(self._rival, self._game)
        self._side = Side.BLACK
        self._position = Position(self._game)
        self._running = False
        shape = (ENCODINGS[encoding], self._game.size, self._game.size)
        self.observation_space = gymnasium.spaces.Box(lowest_value(encoding), 1.0, shape, np.float32)
        self.action_space = gymnasium.spaces.Discrete(self._game.actions)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._game

    @property
    def position(self) -> Position:
        """The position now; a copy, so that looking ahead on it does no harm."""
        return self._position.copy()

    @property
    def side(self) -> Side:
        """The learner's side in this episode."""
        return self._side

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, bool [actions]: the name that maskable learners ask for."""
        return self._position.legal_mask() if self._running else np.zeros(self._game.actions, dtype=np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Start an episode; if the rival moves first, it has moved.

        ``options`` may settle this episode's ``side`` and the ``position`` it starts from. Raises ``TengenError`` for
        another key, and for a start that is over before the learner can move.
        """
        wanted = dict(options or {})
        seat = _check_choice("side", wanted.pop("side", self._seat), ("black", "white", "random"))
        position = self._start_from(wanted.pop("position", None))
        if wanted:
            raise TengenError(f"reset has the options side and position, not {', '.join(wanted)}")
        super().reset(seed=seed)
        # Both are drawn whether or not they are used, so that one option does not move the other's luck.
        coin, rival_seed = int(self.np_random.integers(2)), int(self.np_random.integers(2**31))
        self._side = (Side.BLACK, Side.WHITE)[coin] if seat == "random" else Side(seat)
        self._position, self._running = position, False
        self._rival = self._new_rival(rival_seed)
        self._rival.new_game()
        if position.to_move is not self._side and not position.is_over:
            self._reply()
        if position.is_over:
            raise TengenError(f"the game is over before {self._side} can move: {position.outcome()}")
        self._running = True
        self._show()
        return self._observation(), self._info()

    def step(self, action: SupportsIndex) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play the learner's action and, if the game goes on, the rival's reply.

        Returns observation, reward, whether the game ended, False, and info; the info of a finished game has its
        ``outcome``. Raises ``IllegalMoveError`` for an illegal action, one outside the action space included (with
        ``illegal="raise"``), and ``TengenError`` between episodes; then nothing has changed.
        """
        if not self._running:
            raise TengenError("no episode is running; call reset() first")
        before = self._position.copy() if self._reward else self._position
        move = None
        try:
            move = check_action(self._game, action)
            self._position.play(move)
        except IllegalMoveError:
            if self._illegal == "raise":
                raise
            return self._finish(before, move, None, Outcome(self._side.other, Reason.FOUL))
        self._running = False  # until the step is done: a rival or reward that raises ends the episode
        reply = None if self._position.is_over else self._reply()
        return self._finish(before, move, reply, self._position.outcome())

    def render(self) -> Any:
        """Show the position as ``render_mode`` says: text, a printed board (None) or a picture [height, width, 3]."""
        return render(self._position, self.render_mode) if self.render_mode else None

    def _start_from(self, start: Position | None) -> Position:
        if start is None:
            return Position(self._game)
        if not isinstance(start, Position) or start.game != self._game:
            raise TengenError(f"an episode starts from a position of {self._game}")
        return start.copy()

    def _reply(self) -> Move:
        decision = self._rival.choose(self._position.copy())  # its own board, whatever it does with it
        try:
            return self._position.play(decision.move)
        except IllegalMoveError as why:
            raise IllegalMoveError(f"the rival {self._rival.name} broke the rules: {why}") from None

    def _finish(
        self, before: Position, move: Move | None, reply: Move | None, outcome: Outcome | None
    ) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        reward = float(outcome.value(self._side)) if outcome else 0.0
        if self._reward:
            reward = float(self._reward(before, move, reply, outcome))
        self._running = outcome is None
        info = self._info()
        if outcome:
            info["outcome"] = outcome
        self._show()
        return self._observation(), reward, not self._running, False, info

    def _observation(self) -> NDArray[np.float32]:
        return planes_for(self._position, self._side, self._encoding)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().astype(np.int8), "side": str(self._side)}

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


def register() -> None:
    """Make ``gymnasium.make("tengen/Gomoku-v0")`` and the other ids known; harmless if they are already."""
    for name, game in IDS.items():
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point=f"{__name__}:{SinglePlayerEnv.__name__}", kwargs={"game": game})


def _named(name: str) -> RivalFactory:
    return lambda seed: player(name, seed=seed)


def _check_choice(what: str, value: str, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise TengenError(f"{what} is one of {', '.join(choices)}, not {value!r}")
    return value


register()
