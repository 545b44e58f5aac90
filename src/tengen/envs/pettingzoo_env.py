"""Two agents that take turns, as a PettingZoo AEC environment."""

from __future__ import annotations

from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ModuleNotFoundError as missing:
    raise ImportError("tengen.envs.AecEnv needs PettingZoo: pip install tengen[envs]") from missing

from tengen.envs._observing import check_action, check_encoding, lowest_value, planes_for
from tengen.envs._rendering import RENDER_MODES, check_render_mode, render
from tengen.errors import TengenError
from tengen.games import ENCODINGS, Game, Position, Side


class AecEnv(AECEnv):  # type: ignore[misc]  # PettingZoo ships no types
    """The agents ``black`` and ``white`` move in turn, black first; each sees the board with its own stones first.

    An observation is a dict: ``observation``, float32 [planes, size, size], and ``action_mask``, int8 [actions], which
    is all zeros for the agent that is not to move. Passing in Othello is an action, legal when there is no other. At
    the end the winner gets 1 and the loser -1, both 0 for a draw. Raises ``TengenError`` for options that cannot be.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - PettingZoo's word
        "name": "tengen_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, *, game: str | Game = "gomoku", encoding: str = "s0", render_mode: str | None = None) -> None:
        super().__init__()
        self._game = Game.parse(game)
        self._encoding = check_encoding(encoding)
        self.render_mode = check_render_mode(render_mode)
        self.possible_agents = [str(side) for side in Side]
        shape = (ENCODINGS[encoding], self._game.size, self._game.size)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(lowest_value(encoding), 1.0, shape, np.float32),
                    "action_mask": spaces.Box(0, 1, (self._game.actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(self._game.actions) for agent in self.possible_agents}
        self._begin(Position(self._game))

    def _begin(self, position: Position) -> None:
        self._position = position
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = str(position.to_move)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._game

    @property
    def position(self) -> Position:
        """The position now; a copy, so that looking ahead on it does no harm."""
        return self._position.copy()

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of an agent's observations, always the same object."""
        return self.observation_spaces[Side.parse(agent)]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of an agent's actions, always the same object."""
        return self.action_spaces[Side.parse(agent)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game; ``options["position"]`` may give the position it starts from.

        The rules know no chance, so ``seed`` changes nothing; seed the action spaces for reproducible samples. Raises
        ``TengenError`` for a start of another game, or one that is over.
        """
        start = (options or {}).get("position")
        if start is None:
            self._begin(Position(self._game))
        elif not isinstance(start, Position) or start.game != self._game or start.is_over:
            raise TengenError(f"a game starts from a position of {self._game} that is not over")
        else:
            self._begin(start.copy())
        self._show()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """What an agent sees now, its turn or not; raises ``TengenError`` for a name that is no agent's."""
        side = Side.parse(agent)
        mask = self._position.legal_mask() if side is self._position.to_move else np.zeros(self._game.actions)
        planes = planes_for(self._position, side, self._encoding)
        return {"observation": planes, "action_mask": mask.astype(np.int8)}

    def step(self, action: SupportsIndex | None) -> None:
        """Play the action of the agent whose turn it is; None for an agent that has finished.

        Raises ``IllegalMoveError`` for an illegal action, one outside the action space included; then nothing has
        changed.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise TengenError(f"it is {agent}'s turn: None is no action")
        self._position.play(check_action(self._game, action))
        outcome = self._position.outcome()
        if outcome:
            self.rewards = {name: float(outcome.value(Side(name))) for name in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
            self.infos = {name: {"outcome": outcome} for name in self.agents}
        self._accumulate_rewards()
        self.agent_selection = str(Side(agent).other)
        self._show()

    def render(self) -> str | NDArray[np.uint8] | None:
        """Show the position as ``render_mode`` says: text, a printed board (None) or a picture [height, width, 3]."""
        return render(self._position, self.render_mode) if self.render_mode else None

    def close(self) -> None:
        """Nothing is held open."""

    def __repr__(self) -> str:
        return f"AecEnv(game={self._game.name!r}, encoding={self._encoding!r})"

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


def raw_env(*, game: str | Game = "gomoku", encoding: str = "s0", render_mode: str | None = None) -> AecEnv:
    """The bare environment, in which an illegal action raises ``IllegalMoveError``."""
    return AecEnv(game=game, encoding=encoding, render_mode=render_mode)


def env(*, game: str | Game = "gomoku", encoding: str = "s0", render_mode: str | None = None) -> Any:
    """The environment in PettingZoo's usual wrappers: an illegal action ends the game, and its agent gets -1."""
    wrapped = wrappers.TerminateIllegalWrapper(
        raw_env(game=game, encoding=encoding, render_mode=render_mode), illegal_reward=-1
    )
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))
