"""The settings of a Q-learning run: each idea is a field, and the sources are presets of the same fields."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tengen import _core
from tengen.errors import TengenError
from tengen.games import Game
from tengen.nets.config import KINDS, NetConfig
from tengen.train.settings import ConfigError, from_dict, merged, parse_assignment, preset_values, setting

#: The settings that let a run go on for longer.
LIMITS = "run.minutes=N or run.games=N"

_LARGEST = {"win": 1.0, "s0": 800.0, "s1": 1.0}  # rewards of a step, in core/envs/duel_env.h
_MOST_OPENINGS = 25 * 24  # of two moves in Gomoku's central 5x5, in train/evaluate.py


@dataclass(frozen=True, kw_only=True)
class NetSettings:
    """The network."""

    kind: str = setting(
        "tengen", "tengen (Tengen's own), s0, s1 or s2 (the sources')", among=("tengen", "s0", "s1", "s2")
    )
    dueling: bool | None = setting(
        None,
        "the worth of the position and what each move loses are learned apart; none: true for tengen, false for the "
        "sources'",
    )
    blocks: int = setting(4, "residual blocks; the sources' have none", least=0, most=64)
    channels: int = setting(32, "channels of a block, or of the last convolution", least=3, most=1024)
    pair: bool = setting(False, "S2: one network for black and one for white, each with a memory of its own")


@dataclass(frozen=True, kw_only=True)
class PlaySettings:
    """The games that are learned from."""

    games: int = setting(256, "games at a time", least=1, most=1 << 16)
    threads: int = setting(0, "threads that play the rivals; 0: as many as cores", least=0, most=256)
    rivals: list[str] = setting(
        ["self"],
        "who is played against: random, greedy, minimax:depth=N (with ,ties=first it always answers alike), or self",
    )
    weights: list[float] = setting([], "how often each; empty: all alike")
    side: str = setting("random", "the learner's side", among=("black", "white", "random"))
    opening_plies: int = setting(0, "random moves that open a game", least=0, most=16)
    opening_least: int = setting(-1, "each game draws how many, from this on; -1: always all", least=-1, most=16)
    opening_boxes: list[int] = setting(
        [5], "Gomoku: sides of the square in the middle where they lie, if there is one, two, ...; the last for more"
    )
    margin: int = setting(
        -1, "S0: moves only within the stones' bounding box grown by so much; -1: anywhere", least=-1, most=22
    )
    reward: str = setting("win", "win: 1, -1, 0; s0, s1: those of the sources", among=("win", "s0", "s1"))
    draw: float = setting(
        0.0, "what a draw against a rival is worth with the reward win; below 0, it is worth risking", least=-1, most=1
    )
    reward_scale: float = setting(1.0, "rewards are multiplied by this", least=1e-6, most=1e6)
    explore: str = setting(
        "random",
        "what an exploring move is: random; S0's greedy; or threats: a win by fours and threes, a block of five, else "
        "random",
        among=("random", "greedy", "threats"),
    )
    scouts: int = setting(
        0, "games beside them that only explore; of these only those won are remembered", least=0, most=1 << 16
    )
    scout_lead: int = setting(
        0, "a scout's first moves are the network's, up to so many: each game draws how many", least=0, most=64
    )
    scout_positions: int = setting(
        1 << 19,
        "positions of which scouts remember what their moves came to; they prefer those that won",
        least=0,
        most=1 << 24,
    )
    epsilon_start: float = setting(1.0, "chance of an exploring move at first", least=0, most=1)
    epsilon_end: float = setting(0.1, "and in the end", least=0, most=1)
    epsilon_games: float = setting(
        1500.0, "games over which the difference to the end falls to 37 % (exponentially)", least=1e-3, most=1e9
    )


@dataclass(frozen=True, kw_only=True)
class LearnSettings:
    """How it learns."""

    batch: int = setting(256, "rows in a step", least=1, most=1 << 16)
    epochs: int = setting(1, "steps taken on the same rows and targets (S0: 2)", least=1, most=100)
    rate: float = setting(1e-3, "learning rate", least=0, most=10)
    rate_end: float = setting(
        1.0, "at the end of the run the rate is this times as high; it falls by a cosine", least=0, most=10
    )
    weight_decay: float = setting(1e-4, "AdamW's", least=0, most=1)
    loss: str = setting(
        "huber", "errors count squared (S2), or with huber those above 1 linearly", among=("huber", "squared")
    )
    clip: float = setting(10.0, "gradients longer than this are shortened", least=0.001, most=1e6)
    gamma: float = setting(0.97, "discount of each of the learner's moves", least=0, most=1)
    steps: int = setting(1, "n-step targets: so many rewards before the network's guess", least=1, most=64)
    double: bool = setting(True, "the learning network chooses the next move, the target network rates it")
    target_every: int = setting(200, "learning steps between copies to the target network", least=1, most=10**9)
    memory: int = setting(100_000, "rows kept", least=1, most=10**8)
    least_rows: int = setting(1_000, "rows there must be before learning begins", least=1, most=10**8)
    samples_per_row: float = setting(
        2.0,
        "rows learned from for each new one: how often it is learned from, on average, or with won_share so much less",
        least=0,
        most=10**4,
    )
    priority: float = setting(0.0, "rows are drawn by their error to this power; 0: all alike", least=0, most=2)
    priority_correction: float = setting(
        0.4, "how far the bias of that is corrected at first; it rises to 1", least=0, most=1
    )
    won_share: float = setting(0.0, "share of a batch that comes from games won by scouts", least=0, most=1)
    imitate: float = setting(
        0.0, "weight of what is lost where a move of those games is not valued above all others", least=0, most=100
    )
    symmetry: bool = setting(True, "turn and mirror the boards at random")
    next_mask: bool = setting(True, "only legal moves count at the next position; false is S0's and S2's mistake")
    bfloat16: str = setting(
        "gpu",
        "where moves are chosen and learned from in bfloat16, which is coarser: on a gpu; always, so on a processor "
        "too that has it (some, such as EPYC, are twice as fast with it); or never",
        among=("gpu", "always", "never"),
    )
    average: float = setting(0.0, "memory per step of the running average that plays; 0: the newest", least=0, most=1)


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """How long, where, and what is kept."""

    seed: int = setting(0, "of the weights, the games and the batches", least=0, most=2**53)
    minutes: float = setting(0.0, "minutes of training in all; 0: no limit", least=0)
    games: int = setting(0, "games in all; 0: no limit", least=0)
    device: str = setting("auto", "auto, cpu, cuda or cuda:N")
    save_games: int = setting(
        5_000, "games between checkpoints; all games begin anew there, so that a resumed run is the same", least=1
    )
    keep: int = setting(5, "checkpoints kept", least=1, most=1000)
    log_seconds: float = setting(2.0, "seconds between lines of the log", least=0.0)
    evaluate_games: int = setting(2_000, "games between evaluations; 0: none", least=0)
    evaluate_rival: str = setting("minimax:depth=2", "who is played in them: random, greedy, minimax:depth=N")
    evaluate_openings: int = setting(
        200, "different openings in an evaluation, each with both colours; Gomoku has at most 600", least=1, most=5_000
    )
    evaluate_first: int = setting(
        0,
        "S0's own evaluation beside it: so many games as black, whose first move is random in the middle, against the "
        "rival that is learned from",
        least=0,
    )


@dataclass(frozen=True, kw_only=True)
class DqnConfig:
    """A whole run."""

    game: str = setting("gomoku:size=7", "the game that is learned")
    net: NetSettings = field(default_factory=NetSettings)
    play: PlaySettings = field(default_factory=PlaySettings)
    learn: LearnSettings = field(default_factory=LearnSettings)
    run: RunSettings = field(default_factory=RunSettings)

    def __post_init__(self) -> None:
        game = self.parsed_game()
        kind = self.net.kind
        if kind in ("s0", "s1") and game.kind != "gomoku":
            raise ConfigError(f"a network of kind {kind} plays Gomoku, not {game.name}")
        if kind == "s2" and game.kind != "othello":
            raise ConfigError(f"a network of kind s2 plays Othello, not {game.name}")
        if self.play.weights and len(self.play.weights) != len(self.play.rivals):
            raise ConfigError("play.weights are as many numbers as there are play.rivals")
        if not self.play.rivals:
            raise ConfigError("play.rivals names one rival at least")
        if len(set(self.play.rivals)) < len(self.play.rivals):
            raise ConfigError("play.rivals names a rival twice; play.weights say how often each is met")
        if self.play.explore == "threats" and game.kind != "gomoku":
            raise ConfigError(f"play.explore is threats for Gomoku alone, not for {game.name}")
        if self.learn.imitate and not self.play.scouts:
            raise ConfigError("learn.imitate needs play.scouts: they win the games that are imitated")
        if self.run.evaluate_rival == "self":
            raise ConfigError("run.evaluate_rival is somebody else: random, greedy or minimax:depth=N")
        if bool(self.play.scouts) != bool(self.learn.won_share):
            raise ConfigError("play.scouts and learn.won_share are both 0 or both above it")
        if self.play.opening_least > self.play.opening_plies:
            raise ConfigError("play.opening_least is at most play.opening_plies")
        if self.play.scouts and (self.net.pair or not self.scouted_rivals()):
            raise ConfigError("play.scouts need a rival other than self, and one network for both colours")
        if game.kind == "gomoku" and self.run.evaluate_openings > _MOST_OPENINGS:
            raise ConfigError(f"run.evaluate_openings is at most {_MOST_OPENINGS} in Gomoku: there are no more")
        self._require_values_in_reach()

    def _require_values_in_reach(self) -> None:
        """Raise ``ConfigError`` for rewards that a bounded value head cannot add up to."""
        most = self.most_worth()
        # Tengen's says chances of winning less those of losing; the sources', where they are dueling, any number.
        if self.net.kind == "tengen" and self.net_config().dueling and most > 1:
            raise ConfigError(
                f"a dueling network of kind tengen values no move above 1, but with play.reward={self.play.reward}, "
                f"play.reward_scale={self.play.reward_scale:g} and learn.gamma={self.learn.gamma:g} one may be worth "
                f"{most:g}: set net.dueling=false, take a network of the sources (net.kind), or lower play.reward_scale"
            )

    def parsed_game(self) -> Game:
        """The game; raises ``ConfigError`` for a name that is none."""
        try:
            return Game.parse(self.game)
        except TengenError as error:
            raise ConfigError(f"game: {error}") from None

    def rivals(self) -> dict[str, float]:
        """Rivals and how often each is played."""
        return dict(zip(self.play.rivals, self.play.weights or [1.0] * len(self.play.rivals), strict=True))

    def own_rival(self) -> str:
        """Who is met in S0's own evaluation."""
        return next(iter(self.scouted_rivals()), self.run.evaluate_rival)

    def scouted_rivals(self) -> dict[str, float]:
        """The rivals of scouts, who do not play themselves."""
        return {rival: weight for rival, weight in self.rivals().items() if rival != "self"}

    def most_worth(self) -> float:
        """No move is worth more, or less than minus this; infinite where rewards add up without a discount."""
        largest, gamma = _LARGEST[self.play.reward] * self.play.reward_scale, self.learn.gamma
        if self.play.reward == "win":  # one a game
            return largest
        return largest / (1 - gamma) if gamma < 1 else math.inf

    def net_config(self) -> NetConfig:
        """The shape of the network."""
        game = self.parsed_game()
        own = self.net.kind == "tengen"
        encoding = game.kind if own else KINDS[self.net.kind][0]
        planes = _core.net_plane_count(encoding) if own else {"s0": 2, "s2": 3}[encoding]
        return NetConfig(
            kind=self.net.kind,
            encoding=encoding,
            planes=planes,
            blocks=self.net.blocks if own else 0,
            channels=self.net.channels,
            size=game.size,
            passes=game.kind == "othello",
            dueling=self.net.dueling,
        )


def load_preset(name: str, assignments: Iterable[str] = ()) -> DqnConfig:
    """A preset by name, or a TOML file by its path, with changes such as ``learn.batch=512``."""
    return make_config(preset_values("dqn", name), assignments)


def make_config(values: Mapping[str, Any], assignments: Iterable[str] = ()) -> DqnConfig:
    """A configuration from nested mappings and changes."""
    for text in assignments:
        values = merged(values, parse_assignment(text))
    return from_dict(DqnConfig, values)
