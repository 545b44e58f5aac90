"""The settings of an AlphaZero run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tengen import _core
from tengen.errors import TengenError
from tengen.games import Game
from tengen.nets.config import NetConfig
from tengen.train.settings import ConfigError, from_dict, merged, parse_assignment, preset_values, setting

#: The settings that let a run go on for longer.
LIMITS = "run.minutes=N or run.games=N"


@dataclass(frozen=True, kw_only=True)
class NetSettings:
    """The network."""

    kind: str = setting("tengen", "tengen (Tengen's own), s3 or s4 (the sources')", among=("tengen", "s3", "s4"))
    blocks: int = setting(6, "residual blocks; s3 has none", least=0, most=64)
    channels: int = setting(64, "channels of a block", least=4, most=1024)


@dataclass(frozen=True, kw_only=True)
class SelfPlaySettings:
    """How games are played; the numbers are those of ``core/selfplay/pool.h``."""

    games: int = setting(256, "games at a time in each of the two pools", least=1, most=1 << 18)
    threads: int = setting(
        0,
        "threads that walk the trees, and on a CPU as many that evaluate; 0: as many as cores, beside a GPU one less",
        least=0,
        most=256,
    )
    int8: bool = setting(True, "on a CPU, evaluate in 8-bit integers, calibrated on the newest positions")
    full_visits: int = setting(128, "visits of a full search, which becomes a row to learn from", least=2, most=65535)
    cheap_visits: int = setting(24, "visits of the other searches", least=2, most=65535)
    full_share: float = setting(0.25, "share of the moves that get a full search", least=0, most=1)
    exploration: float = setting(1.2, "weight c of the policy against the values found", least=0, most=100)
    first_play: float = setting(0.25, "how much worse an untried move is taken to be, at most", least=0, most=2)
    moves: int = setting(32, "likeliest moves that a node looks at", least=1, most=484)
    effort: int = setting(
        100, "positions searched for a win by fours at each leaf (Othello: empty cells played out)", least=0, most=10**6
    )
    noise_weight: float = setting(0.25, "weight of the Dirichlet noise at the root of a full search", least=0, most=1)
    noise_total: float = setting(
        10.0, "its alpha summed over the moves; alpha is this by their number", least=0.001, most=1000
    )
    temperature_start: float = setting(1.0, "temperature of the first move after the opening", least=0, most=100)
    temperature_end: float = setting(0.2, "temperature from `temperature_moves` on", least=0, most=100)
    temperature_moves: int = setting(10, "moves over which it falls", least=0, most=1000)
    opening_least: int = setting(1, "fewest random moves that open a game", least=0, most=16)
    opening_most: int = setting(6, "most random moves that open a game", least=0, most=16)
    balance: float = setting(
        0.0, "an opening valued v is kept with probability (1 - |v|) ** balance", least=0, most=100
    )
    plain_share: float = setting(
        0.0, "share of games that begin without random moves, balanced or not", least=0, most=1
    )
    resign: float = setting(2.0, "give up when the value is below minus this; above 1: never", least=0.01, most=2)
    resign_check: float = setting(
        0.1, "share of games that are played on, to count wrong resignations", least=0, most=1
    )
    opposition: float = setting(0.0, "S4's p: chance that a losing mover takes the rival's point", least=0, most=1)
    opposition_threshold: float = setting(0.5, "how lost a mover must feel for that", least=0, most=1)
    opposition_adapts: bool = setting(
        True, "p shrinks to nothing as the median length of the games grows from 12 to 30"
    )


@dataclass(frozen=True, kw_only=True)
class LearnSettings:
    """How the network learns."""

    batch: int = setting(1024, "rows in a step", least=2, most=1 << 16)
    rate: float = setting(2e-3, "learning rate before the schedule", least=0, most=10)
    schedule: str = setting(
        "steps",
        "steps: `rate_steps` over the run; kl: S3's, by the divergence of the policy in an update; constant",
        among=("steps", "kl", "constant"),
    )
    rate_steps: list[list[float]] = setting(
        [[0.0, 1.0], [0.6, 0.3], [0.85, 0.08]], "from each share of the run on, the rate times this"
    )
    warm_up: int = setting(100, "steps over which the rate rises from nothing", least=0, most=10**6)
    kl_target: float = setting(0.02, "divergence that schedule=kl aims at", least=1e-6, most=10)
    weight_decay: float = setting(1e-4, "AdamW's", least=0, most=1)
    samples_per_row: float = setting(8.0, "how often a new row is learned from, on average", least=0, most=1000)
    window: int = setting(250_000, "rows kept to learn from", least=1, most=10**8)
    least_rows: int = setting(4_000, "rows there must be before learning begins", least=1, most=10**8)
    value_mix: float = setting(
        0.25, "share of the search's value, beside the game's result, in what is learned", least=0, most=1
    )
    discount: float = setting(
        1.0,
        "a result is worth this much less for every ply until it came: below 1, wins are to come soon and losses late",
        least=0.5,
        most=1,
    )
    value_weight: float = setting(1.0, "weight of the value's loss", least=0, most=100)
    reply_weight: float = setting(0.15, "weight of guessing the rival's reply", least=0, most=100)
    average: float = setting(
        0.999, "the network that plays is a running average: its memory, per step", least=0, most=0.99999
    )
    clip: float = setting(5.0, "gradients longer than this are shortened", least=0.001, most=1e6)
    symmetry: bool = setting(True, "turn and mirror the boards at random")


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """How long, where, and what is kept."""

    seed: int = setting(0, "of the weights, the games and the batches", least=0, most=2**53)
    minutes: float = setting(0.0, "minutes of training in all; 0: no limit", least=0)
    games: int = setting(0, "games in all; 0: no limit", least=0)
    device: str = setting("auto", "auto, cpu, cuda or cuda:N")
    save_minutes: float = setting(5.0, "minutes between checkpoints", least=0.001)
    keep: int = setting(3, "checkpoints kept", least=1, most=1000)
    log_seconds: float = setting(5.0, "seconds between lines of the log", least=0.05)
    refresh: int = setting(50, "learning steps after which the games get the new weights", least=1)
    gate_games: int = setting(
        0, "games of a match between the newest network and the best so far (S4: 10); 0: none", least=0, most=1000
    )
    gate_score: float = setting(0.55, "share of the points that it must exceed in that match", least=0, most=1)
    gate_every: int = setting(250, "games between such matches", least=1)
    gate_plays: bool = setting(
        True, "who last won it plays the games; false: the newest does, and the gate only keeps the best (S4)"
    )
    rate_minutes: float = setting(
        0.0, "minutes between ratings against a ladder of players and its earlier self; 0: none", least=0
    )
    rate_games: int = setting(10, "games of a rating against each of the two", least=2, most=1000)
    rate_playouts: int = setting(100, "playouts a move in these games", least=1, most=10**6)


@dataclass(frozen=True, kw_only=True)
class AlphaZeroConfig:
    """A whole run. ``games`` are game names, and ``weights`` how often each is played."""

    games: list[str] = setting(["gomoku"], "games that the network learns, by name; all Gomoku, or one Othello")
    weights: list[float] = setting([], "how often each is played; empty: all alike")
    net: NetSettings = field(default_factory=NetSettings)
    selfplay: SelfPlaySettings = field(default_factory=SelfPlaySettings)
    learn: LearnSettings = field(default_factory=LearnSettings)
    run: RunSettings = field(default_factory=RunSettings)

    def __post_init__(self) -> None:
        parsed = self.parsed_games()
        if len({game.kind for game in parsed}) > 1 or (parsed[0].kind == "othello" and len(parsed) > 1):
            raise ConfigError("games are all Gomoku, or one Othello")
        for game in parsed:
            if game.kind == "gomoku" and (game.win != 5 or game.size < 5):
                raise ConfigError(f"{game.name!r}: networks play five in a row, on boards from 5x5 on")
            if game.kind == "othello" and game.size not in (6, 8):
                raise ConfigError(f"{game.name!r}: networks play Othello on 6x6 and 8x8")
        if self.net.kind != "tengen" and len({game.size for game in parsed}) > 1:
            raise ConfigError(f"a network of kind {self.net.kind} knows one board size")
        if self.weights and (len(self.weights) != len(parsed) or not all(0 < weight < 1e9 for weight in self.weights)):
            raise ConfigError("weights are as many positive numbers as there are games")
        steps = self.learn.rate_steps
        if not all(len(pair) == 2 for pair in steps):
            raise ConfigError("learn.rate_steps is a list of pairs [share, factor], such as [[0.0, 1.0], [0.6, 0.3]]")
        if self.selfplay.opening_least > self.selfplay.opening_most:
            raise ConfigError("selfplay.opening_least is more than selfplay.opening_most")

    def parsed_games(self) -> list[Game]:
        """The games; raises ``ConfigError`` for a name that is none."""
        if not self.games:
            raise ConfigError("games names one game at least")
        try:
            return [Game.parse(name) for name in self.games]
        except TengenError as error:
            raise ConfigError(f"games: {error}") from None

    def net_config(self) -> NetConfig:
        """The shape of the network."""
        games = self.parsed_games()
        encoding = games[0].kind if self.net.kind == "tengen" else self.net.kind
        return NetConfig(
            kind=self.net.kind,
            encoding=encoding,
            planes=_core.net_plane_count(encoding),
            blocks=self.net.blocks,
            channels=self.net.channels,
            size=max(game.size for game in games),
            passes=games[0].kind == "othello",
        )


def load_preset(name: str, assignments: Iterable[str] = ()) -> AlphaZeroConfig:
    """A preset by name, or a TOML file by its path, with changes such as ``learn.batch=512``."""
    return make_config(preset_values("alphazero", name), assignments)


def make_config(values: Mapping[str, Any], assignments: Iterable[str] = ()) -> AlphaZeroConfig:
    """A configuration from nested mappings and changes."""
    for text in assignments:
        values = merged(values, parse_assignment(text))
    return from_dict(AlphaZeroConfig, values)
