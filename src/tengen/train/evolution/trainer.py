"""An evolution run: generations, the ladder, log, checkpoints."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.games import Game, Side
from tengen.nets.checkpoint import save as save_net
from tengen.train.devices import cores
from tengen.train.evaluate import Score, evaluate, honest_openings
from tengen.train.evolution.config import EvolutionConfig, make_config
from tengen.train.evolution.generation import Generation
from tengen.train.evolution.health import alarms
from tengen.train.evolution.matches import everybody_against, play
from tengen.train.evolution.population import Species, Weights
from tengen.train.evolution.programming import Programming
from tengen.train.evolution.strategy import Strategy
from tengen.train.run import (
    Run,
    RunError,
    amounts_learned,
    progress_words,
    read_checkpoint,
    share_done,
    summary_words,
)
from tengen.train.settings import ConfigError, to_dict
from tengen.train.weights import fitting, load_fitting

METHOD = "evolution"
EARLY = "early.safetensors"  # in a run folder: the best of generation run.early, as a net
_STATE = "population.safetensors"  # in a checkpoint
_RUNG_SEED = 12345  # of the ladder's openings


@dataclass
class Counters:
    """What a run has done so far, over all its sittings."""

    seconds: float = 0.0
    generations: int = 0
    games: int = 0
    moves: int = 0

    @property
    def steps(self) -> int:
        """Of learning, as other methods count them."""
        return self.generations


@dataclass
class Progress:
    """What the log says now and then."""

    counters: Counters
    limits: tuple[float, int]  # seconds and generations; 0: none
    metrics: dict[str, float] = field(default_factory=dict)
    alarms: dict[str, str] = field(default_factory=dict)
    rated: str = ""  # the newest climb of the ladder, in words

    def in_words(self) -> str:
        """For people who wait."""
        counters, metrics, most = self.counters, self.metrics, self.limits[1]
        minutes, games = progress_words(
            counters.seconds, counters.games, (self.limits[0], 0), metrics["games_per_second"]
        )
        parts = [
            minutes,
            f"generation {counters.generations}" + (f" of {most}" if most else ""),
            games,
            f"score {metrics['score']:.2f}, best {metrics['best_score']:.2f}",
            f"length {metrics['length']:.0f}",
        ]
        return ", ".join([*parts, self.rated] if self.rated else parts)


class EvolutionTrainer:
    """One sitting of a run. ``stop`` may be called from a signal handler."""

    run_folder: Run

    def __init__(self, config: EvolutionConfig) -> None:
        self.config = config
        self.counters = Counters()
        self.games = config.parsed_games()
        self.net_config = config.net_config()
        self.threads = config.play.threads or cores()
        self.species = Species(self.net_config, threads=self.threads, noise=config.play.noise)
        kind: type[Strategy | Programming] = Strategy if config.evolve.method == "strategy" else Programming
        self.method = kind(self.species, config.evolve, config.play, seed=config.run.seed)
        self.early: Weights | None = None  # the best of generation run.early
        self._early_counters = Counters()  # what had been done then
        self.stopped = False
        self._rated = ""  # the newest climb in words
        self._rated_surely: list[str] = []  # and with intervals
        self._inherited: dict[str, float] = {}  # what the weights that it began with had learned from
        self._keep_early()

    def stop(self) -> None:
        """End the sitting soon, with a checkpoint."""
        self.stopped = True

    def start_from(self, path: str) -> None:
        """Begin with the weights of a file."""
        net, header = load_fitting(path, METHOD, self.net_config)
        self.method.begin_with(self.species.weights(net))
        self._keep_early()  # generation 0 is this one, not the random one
        self._inherited = amounts_learned(header.training)

    def resume(self, checkpoint: Path) -> None:
        """Go on from a checkpoint, as if nothing had happened."""
        from safetensors.numpy import load_file

        state = read_checkpoint(checkpoint)
        try:
            self.counters = Counters(**state["counters"])
            self._inherited = amounts_learned(state["inherited"])
            # Runs that began before this was kept know the generation only.
            self._early_counters = Counters(**state.get("early", {"generations": self.config.run.early}))
        except (KeyError, TypeError, ValueError) as error:
            raise RunError(f"{checkpoint} is no checkpoint of this method: {error}") from None
        with fitting(checkpoint / _STATE):
            arrays = load_file(checkpoint / _STATE)
            self.early = arrays.pop("early", None)
            self.method.load(arrays)

    # --- the run ---

    def train(self, watch: Callable[[Progress], None] = lambda _: None) -> Counters:
        """Run until a limit is reached or ``stop`` is called; ``watch`` hears of every log entry."""
        settings, counters = self.config.run, self.counters
        begun, before = time.monotonic(), counters.seconds
        last_log, games = begun, counters.games
        while not self.finished():
            # 1. A generation. Its draws depend on its number alone: a run that is resumed goes on with the same.
            rng = np.random.default_rng([settings.seed, counters.generations])
            game = self.games[rng.integers(len(self.games))]
            generation = self.method.evolve(game, rng, share=self._share())
            counters.generations += 1
            counters.games += generation.games
            counters.moves += generation.plies
            counters.seconds = before + time.monotonic() - begun
            self._keep_early()
            self._show(game, generation)
            # 2. How good is it?
            found = {}
            if self._is_climb_due():
                found = self._climb()
            # 3. What is due.
            now = time.monotonic()
            if found or now - last_log >= settings.log_seconds or self.finished():
                speed = (counters.games - games) / max(now - last_log, 1e-9)
                last_log, games = now, counters.games
                watch(self._log({"games_per_second": speed, **generation.metrics, **found}))
            if counters.generations % settings.save_generations == 0 and not self.finished():
                self.save()
        self.save()
        return counters

    def _show(self, game: Game, generation: Generation) -> None:
        """Keep a game for people to look at, if it is time for one."""
        if self.run_folder.samples.is_due():
            self.run_folder.samples.add(
                self.counters.generations,
                game,
                generation.sample,
                black="individual",
                white="rival",
                winner={1.0: Side.BLACK, 0.0: Side.WHITE}.get(generation.sample_score),
            )

    def _keep_early(self) -> None:
        if self.counters.generations == self.config.run.early:
            self.early = self.method.best().copy()
            self._early_counters = replace(self.counters)

    def _is_climb_due(self) -> bool:
        """Every so many generations, and at the end; but who stops a run does not wait for one."""
        every = self.config.run.ladder_generations
        return bool(every) and not self.stopped and (self.counters.generations % every == 0 or self.finished())

    def _climb(self) -> dict[str, float]:
        scores = {rival: self.score(rival) for rival in self.config.run.ladder}
        early = self._early_counters.generations  # in a run that goes on, run.early may be another by now
        if self.early is not None and self.counters.generations > early:
            scores[f"generation {early}"] = self.score_against(self.early)
        self._rated = "wins against " + ", ".join(f"{rival} {score.win_rate:.0%}" for rival, score in scores.items())
        surely = ", ".join(f"{rival} {score.in_words()}" for rival, score in scores.items())
        self._rated_surely = [f"wins against {surely}, after {self.counters.generations} generations"]
        return {
            f"{rung_key(rival)}_{name}": value
            for rival, score in scores.items()
            for name, value in (("wins", score.win_rate), ("draws", score.draws / score.games))
        }

    def score(self, rival: str, *, openings: list[list[int]] | None = None) -> Score:
        """The best individual against a rival of :class:`DuelEnv` in the first game, with both colours."""
        game = self.games[0]
        players = self.species.players(self.method.best()[None], seed=_RUNG_SEED)

        def choose(planes: NDArray[np.uint8], mask: NDArray[np.bool_], _: NDArray[np.uint8]) -> NDArray[np.int64]:
            return players.choose(planes.astype(np.float32), mask, np.zeros(len(planes), np.int64))

        sides = [
            evaluate(
                choose,
                game,
                rival,
                openings or self._rung_openings(),
                encoding="s0",
                side=side,
                threads=self.threads,
                seed=self.counters.generations,
            )
            for side in ("black", "white")
        ]
        return Score(*(sum(getattr(side, name) for side in sides) for name in ("wins", "draws", "losses")))

    def score_against(self, rival: Weights) -> Score:
        """The best individual against another one in the first game, with both colours."""
        openings = self._rung_openings()
        players = self.species.players(np.stack((self.method.best(), rival)), seed=_RUNG_SEED)
        score = play(self.games[0], players, everybody_against([0], [1], 2 * len(openings)), openings).score
        return Score(*(int((score == points).sum()) for points in (1, 0.5, 0)))

    def _rung_openings(self) -> list[list[int]]:
        return honest_openings(self.games[0], self.config.run.ladder_openings, seed=_RUNG_SEED)

    def _share(self) -> float:
        """How much of the run is over, from 0 to 1; 0 if it has no limit."""
        minutes, generations = self.config.run.minutes, self.config.run.generations
        return share_done((self.counters.seconds / 60, minutes), (self.counters.generations, generations))

    def finished(self) -> bool:
        """Whether a limit is reached, or ``stop`` was called."""
        return self.stopped or self._share() >= 1

    # --- what is written ---

    def _log(self, metrics: dict[str, float]) -> Progress:
        counted = {
            "minutes": self.counters.seconds / 60,
            **{key: value for key, value in vars(self.counters).items() if key != "seconds"},
        }
        given = alarms(metrics, self.config.evolve.sigma)
        self.run_folder.log(self.counters.generations, {**counted, **metrics}, given)
        limits = (60 * self.config.run.minutes, self.config.run.generations)
        return Progress(self.counters, limits, metrics, given, self._rated)

    def summary(self) -> str:
        """What the run came to, for people."""
        return summary_words(self.counters, "generations", self.run_folder, *self._rated_surely)

    def save(self) -> Path:
        """Write a checkpoint, and beside the checkpoints the early generation, to be played against."""

        def write(folder: Path) -> None:
            from safetensors.numpy import save_file

            net = self.species.net(self.method.best())
            save_net(folder / "net.safetensors", net, self.net_config, training=self.training_facts())
            early = {} if self.early is None else {"early": self.early}
            state = {**self.method.state(), **early}
            save_file({name: np.ascontiguousarray(array) for name, array in state.items()}, folder / _STATE)

        if self.early is not None:
            facts = self.training_facts(self._early_counters)
            save_net(self.run_folder.folder / EARLY, self.species.net(self.early), self.net_config, training=facts)
        state = {"counters": vars(self.counters), "inherited": self._inherited, "early": vars(self._early_counters)}
        return self.run_folder.save(self.counters.generations, state, write, keep=self.config.run.keep)

    def training_facts(self, counters: Counters | None = None) -> dict[str, Any]:
        """What a net file says about how it was trained, all runs counted that led to it; by default the newest."""
        counters = counters or self.counters
        learned = {
            "played": counters.games,
            "moves": counters.moves,
            "steps": counters.generations,
            "minutes": round(counters.seconds / 60, 1),
        }
        return {
            "method": METHOD,
            "games": list(dict.fromkeys(self.config.games)),  # one that is named twice is played twice as often
            **{key: round(amount + self._inherited.get(key, 0), 1) for key, amount in learned.items()},
            "device": "CPU",
            "licence": "MIT",
        }


def rung_key(rival: str) -> str:
    """What a rung of the ladder is called in the log, before ``_wins`` and ``_draws``."""
    return "ladder_" + re.sub(r"\W+", "_", rival)


def new_trainer(config: EvolutionConfig, folder: str, *, start: str | None = None) -> EvolutionTrainer:
    """A new run in a folder that has none; ``start`` names a file with weights to begin from."""
    trainer = EvolutionTrainer(config)
    if start:
        trainer.start_from(start)
    trainer.run_folder = Run.create(folder, METHOD, to_dict(config), seed=config.run.seed)
    return trainer


def resumed_trainer(folder: str, assignments: tuple[str, ...] = ()) -> EvolutionTrainer:
    """Go on with a run, from its newest checkpoint that is whole."""
    run, values = Run.open(folder, METHOD)
    before, config = make_config(values), make_config(values, assignments)
    if (config.net_config(), config.evolve.method) != (before.net_config(), before.evolve.method):
        raise ConfigError("a run that is resumed keeps its method and the shape of its network; start another one")
    if config.evolve.method == "programming" and config.evolve.population != before.evolve.population:
        raise ConfigError(
            f"a run of programming that is resumed keeps its {before.evolve.population} parents (evolve.population); "
            "start another one"
        )
    trainer = EvolutionTrainer(config)
    trainer.run_folder = run
    found = run.resume(trainer.resume)
    run.trim_log(lambda line: found and line["generations"] <= trainer.counters.generations)
    return trainer
