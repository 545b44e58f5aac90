"""The settings of an evolution run: S1's programming and Tengen's strategy are presets of the same fields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tengen.envs.duel import DuelEnv
from tengen.errors import TengenError
from tengen.games import Game
from tengen.nets.config import NetConfig
from tengen.train.settings import ConfigError, from_dict, merged, parse_assignment, preset_values, setting

#: The settings that let a run go on for longer.
LIMITS = "run.minutes=N or run.generations=N"


@dataclass(frozen=True, kw_only=True)
class NetSettings:
    """The network."""

    kind: str = setting(
        "lines",
        "lines (rates a point by the four lines through it, on any board) or s1-evolved (S1's)",
        among=("lines", "s1-evolved"),
    )
    hidden: int = setting(
        16, "hidden units of lines, or channels of s1-evolved's convolution (S1 does not say)", least=3, most=1024
    )


@dataclass(frozen=True, kw_only=True)
class PlaySettings:
    """The games by which individuals are judged."""

    games: int = setting(
        8, "games of an individual against each rival, both colours in turn, two from each opening", least=1, most=10**4
    )
    opening_least: int = setting(0, "stones of an opening, random in the central 7x7: the fewest", least=0, most=16)
    opening_most: int = setting(4, "and the most", least=0, most=16)
    noise: float = setting(
        0.0, "S1: what is added to each cell before s1-evolved reads it, a normal deviation", least=0, most=10
    )
    threads: int = setting(0, "threads that choose moves; 0: as many as cores", least=0, most=256)


@dataclass(frozen=True, kw_only=True)
class EvolveSettings:
    """How a generation follows from the one before."""

    method: str = setting(
        "strategy",
        "strategy: a cloud around one individual moves to where its better half is; programming: S1's, mutation and "
        "tournament",
        among=("strategy", "programming"),
    )
    population: int = setting(
        64, "individuals: of the cloud (even), or parents, each with one child", least=2, most=4096
    )
    sigma: float = setting(
        0.1, "how far the cloud reaches, or a child's first mutations, in weights", least=1e-6, most=10
    )
    rate: float = setting(0.03, "strategy: how far a generation moves (Adam's rate)", least=0, most=10)
    rate_end: float = setting(
        0.1, "strategy: at the end of the run the rate is this times as high; it falls by a cosine", least=0, most=1
    )
    adam: bool = setting(True, "strategy: steps by Adam; false: along the estimated gradient")
    average: float = setting(
        0.98,
        "strategy: memory per generation of the running average that is saved; 0: the newest",
        least=0,
        most=0.9999,
    )
    rivals: int = setting(
        3,
        "strategy: rivals of a generation: the centre of the cloud, and others from the hall of fame",
        least=1,
        most=64,
    )
    hall_every: int = setting(10, "strategy: generations between entries into the hall of fame", least=1, most=10**6)
    hall: int = setting(200, "strategy: entries that the hall of fame keeps, the newest", least=1, most=10**5)
    tournament: int = setting(5, "programming: with how many others an individual is compared (q)", least=1, most=4096)
    rival_every: int = setting(
        5, "programming: generations after which the best individual becomes the rival of all", least=1, most=10**6
    )
    adapt: float = setting(
        0.2, "programming: how strongly a child's own mutation strength varies; 0: all have sigma", least=0, most=10
    )


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """How long, and what is kept."""

    seed: int = setting(0, "of the first weights, the mutations and the games", least=0, most=2**53)
    minutes: float = setting(0.0, "minutes of evolution in all; 0: no limit", least=0)
    generations: int = setting(0, "generations in all; 0: no limit", least=0)
    save_generations: int = setting(100, "generations between checkpoints", least=1)
    keep: int = setting(5, "checkpoints kept", least=1, most=1000)
    log_seconds: float = setting(2.0, "seconds between lines of the log", least=0.0)
    ladder_generations: int = setting(100, "generations between climbs of the ladder; 0: none", least=0)
    ladder: list[str] = setting(
        ["random", "greedy", "minimax:depth=1", "minimax:depth=2"], "its rungs, whom the best individual plays"
    )
    ladder_openings: int = setting(50, "openings on each rung, each with both colours", least=1, most=600)
    early: int = setting(20, "the generation that is kept, and is a rung of the ladder from then on", least=0)


@dataclass(frozen=True, kw_only=True)
class EvolutionConfig:
    """A whole run."""

    games: list[str] = setting(["gomoku"], "the games, all Gomoku, of which each generation draws one")
    net: NetSettings = field(default_factory=NetSettings)
    play: PlaySettings = field(default_factory=PlaySettings)
    evolve: EvolveSettings = field(default_factory=EvolveSettings)
    run: RunSettings = field(default_factory=RunSettings)

    def __post_init__(self) -> None:
        games = self.parsed_games()
        if self.net.kind == "s1-evolved" and len({game.size for game in games}) > 1:
            raise ConfigError("a network of kind s1-evolved plays one board size; lines plays several")
        if self.net.kind == "s1-evolved" and games[0].size < 4:
            raise ConfigError("a network of kind s1-evolved sees 4x4 cells at a time; the board is smaller")
        for rival in self.run.ladder:
            _check_rung(rival, games[0])
        if self.play.opening_least > self.play.opening_most:
            raise ConfigError("play.opening_least is at most play.opening_most")
        if self.play.opening_most >= 2 * min(game.win for game in games) - 1:
            raise ConfigError("play.opening_most is so high that openings could be won already")
        if self.evolve.method == "strategy" and self.evolve.population % 2:
            raise ConfigError("evolve.population of a strategy is even: each individual has its mirror image")
        if self.evolve.method == "programming" and self.evolve.tournament >= 2 * self.evolve.population:
            raise ConfigError("evolve.tournament is less than parents and children together")

    def parsed_games(self) -> list[Game]:
        """The games; raises ``ConfigError`` for a name that is none of Gomoku's."""
        try:
            games = [Game.parse(name) for name in self.games]
        except TengenError as error:
            raise ConfigError(f"games: {error}") from None
        if not games or any(game.kind != "gomoku" for game in games):
            raise ConfigError("games are one of Gomoku's or more, such as gomoku or gomoku:size=9")
        return games

    def net_config(self) -> NetConfig:
        """The shape of the network; its board is the first game's."""
        return NetConfig(
            kind=self.net.kind,
            encoding="s0",
            planes=2,
            blocks=0,
            channels=self.net.hidden,
            size=self.parsed_games()[0].size,
        )


def _check_rung(rival: str, game: Game) -> None:
    if rival == "self":
        raise ConfigError("run.ladder: a rung is somebody else than self")
    try:
        DuelEnv(game, 1, rivals=rival, encoding=None)
    except TengenError as error:
        raise ConfigError(f"run.ladder: {error}") from None


def load_preset(name: str, assignments: Iterable[str] = ()) -> EvolutionConfig:
    """A preset by name, or a TOML file by its path, with changes such as ``evolve.sigma=0.2``."""
    return make_config(preset_values("evolution", name), assignments)


def make_config(values: Mapping[str, Any], assignments: Iterable[str] = ()) -> EvolutionConfig:
    """A configuration from nested mappings and changes."""
    for text in assignments:
        values = merged(values, parse_assignment(text))
    return from_dict(EvolutionConfig, values)
