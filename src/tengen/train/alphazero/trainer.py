"""An AlphaZero run: games, learning, log, checkpoints."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

from tengen.games import Side
from tengen.nets.checkpoint import load as load_net
from tengen.nets.checkpoint import save as save_net
from tengen.train.alphazero.config import AlphaZeroConfig, make_config
from tengen.train.alphazero.gate import Gate
from tengen.train.alphazero.health import Health, MustBlock
from tengen.train.alphazero.learner import Learner
from tengen.train.alphazero.rating import Rater
from tengen.train.alphazero.selfplay import SelfPlay
from tengen.train.alphazero.window import DISTANCE, RESULT, VARIANT, Games, Window
from tengen.train.devices import choose_device
from tengen.train.run import (
    Run,
    RunError,
    amounts_learned,
    nothing_learned,
    progress_words,
    read_checkpoint,
    share_done,
    summary_words,
)
from tengen.train.settings import ConfigError, to_dict
from tengen.train.weights import load_fitting

METHOD = "alphazero"
NET, LEARNER, GAMES, POSITIONS = "net.safetensors", "learner.safetensors", "games.npz", "positions.npz"
BEST = "best.safetensors"  # of a run with a gate: the network that plays
_CALIBRATION = 256  # positions


@dataclass
class Counters:
    """What a run has done so far, over all its sittings."""

    seconds: float = 0.0
    games: int = 0
    rows: int = 0
    evaluations: int = 0
    steps: int = 0


@dataclass
class Progress:
    """What the log says now and then."""

    counters: Counters
    limits: tuple[float, int]  # seconds and games; 0: none
    metrics: dict[str, float] = field(default_factory=dict)
    alarms: dict[str, str] = field(default_factory=dict)
    rated: str = ""  # the newest rating, in words

    def in_words(self) -> str:
        """For people who wait."""
        counters, metrics = self.counters, self.metrics
        evaluations = f"{metrics['evaluations_per_second']:,.0f} evaluations/s"
        if "bare_share" in metrics:
            evaluations += f" ({metrics['bare_share']:.0%} of the bare network's)"
        parts = [
            *progress_words(counters.seconds, counters.games, self.limits, metrics["games_per_second"]),
            evaluations,
        ]
        if "policy_loss" in metrics:
            parts.append(f"loss {metrics['policy_loss']:.2f} + {metrics['value_loss']:.2f}")
        if "median_length" in metrics:
            parts.append(f"length {metrics['median_length']:.0f}, black {metrics['black_share']:.0%}")
        if "must_block" in metrics:
            parts.append(f"blocks {metrics['must_block']:.0%}")
        if self.rated:
            parts.append(self.rated)
        return ", ".join(parts)


class _Speed:
    """Evaluations and games a second since the last look."""

    def __init__(self, play: SelfPlay, counters: Counters) -> None:
        self._play, self._counters = play, counters
        self._before = counters.evaluations
        self._mark = (time.monotonic(), counters.evaluations, counters.games)

    def look(self) -> dict[str, float]:
        counters, (then, evaluations, games) = self._counters, self._mark
        counters.evaluations = self._before + self._play.counts()["evaluations"]
        self._mark = (time.monotonic(), counters.evaluations, counters.games)
        span = max(self._mark[0] - then, 1e-9)
        return {
            "evaluations_per_second": (counters.evaluations - evaluations) / span,
            "games_per_second": (counters.games - games) / span,
        }


class AlphaZeroTrainer:
    """One sitting of a run. ``stop`` may be called from a signal handler."""

    run_folder: Run

    def __init__(self, config: AlphaZeroConfig) -> None:
        self.config = config
        self.counters = Counters()
        self.games = config.parsed_games()
        weights = list(config.weights) or [1.0] * len(self.games)
        self.net_config = config.net_config()
        self.device = choose_device(config.run.device)
        torch.set_float32_matmul_precision("high")
        masked = self.net_config.any_size and len({game.size for game in self.games}) > 1
        self.learner = Learner(self.net_config, config.learn, masked=masked, seed=config.run.seed, device=self.device)
        self.window = Window(
            self.games,
            weights,
            self.net_config.encoding,
            self.net_config.size,
            config.learn.window,
            self.device,
            discount=config.learn.discount,
        )
        self.health = Health()
        # On 5x5 chance makes hardly a position with such a threat.
        has_threats = all(game.kind == "gomoku" and game.size > 5 for game in self.games)
        self._must_block = MustBlock(self.games, self.net_config) if has_threats else None
        self._weights = weights
        self._due = 0.0  # learning steps that the rows so far have earned
        self._rate_factor = 1.0
        self.stopped = False
        self._probe: tuple[torch.Tensor, torch.Tensor] | None = None
        self._gate: Gate | None = None
        self._rater: Rater | None = None
        self._rated = ""
        self._inherited: dict[str, float] = {}  # what the weights that it began with had learned from
        self._found: dict[str, float] = {}  # by matches, for the next line of the log
        self._open_sidelines(rung=0)

    def _open_sidelines(self, *, rung: int) -> None:
        """The gate and the ratings, where they are wanted, from the weights that there are now."""
        settings, visits = self.config.run, self.config.selfplay.full_visits
        if settings.gate_games:
            self._gate = Gate(
                self.learner.average,
                self.games,
                count=settings.gate_games,
                score=settings.gate_score,
                playouts=visits,
                device=self.device,
            )
        if settings.rate_minutes:
            self._rater = Rater(self.games[0], games=settings.rate_games, playouts=settings.rate_playouts, rung=rung)

    def stop(self) -> None:
        """End the sitting soon, with a checkpoint."""
        self.stopped = True

    def start_from(self, path: str) -> None:
        """Begin with the weights of a file."""
        net, header = load_fitting(path, METHOD, self.net_config)
        self.learner.load_weights(net)
        self._inherited = amounts_learned(header.training)
        self._open_sidelines(rung=0)

    def resume(self, checkpoint: Path) -> None:
        """Go on from a checkpoint; the games are taken along where they are."""
        state = read_checkpoint(checkpoint, optional=(GAMES, POSITIONS))
        self.learner.load(checkpoint / LEARNER)
        try:
            self.counters = Counters(**state["counters"])
            self._rate_factor = float(state["rate_factor"])
            self._inherited = amounts_learned(state.get("inherited", {}))
            self._open_sidelines(rung=int(state.get("rung", 0)))
        except (KeyError, TypeError, ValueError) as error:
            raise RunError(f"{checkpoint} is no checkpoint of this method: {error}") from None
        if self._gate is not None and (checkpoint / BEST).exists():
            self._gate.best.load_state_dict(load_net(checkpoint / BEST)[0].state_dict())
        if (checkpoint / GAMES).exists():
            self.window.load(checkpoint / GAMES)

    def train(self, watch: Callable[[Progress], None] = lambda _: None) -> Counters:
        """Run until a limit is reached or ``stop`` is called; ``watch`` hears of every log entry."""
        settings = self.config.run
        # Another sitting must not play the same games again.
        seed = settings.seed + 1_000_003 * (1 + self.counters.games)
        play = SelfPlay(self.games, self._weights, self.net_config, self.config.selfplay, seed=seed, device=self.device)
        self._refresh(play)
        self._gate_due = self.counters.games + settings.gate_every
        speed = _Speed(play, self.counters)
        begun, before = time.monotonic(), self.counters.seconds
        last_log = last_save = last_rating = begun
        refreshed = self.learner.steps
        try:
            while not self.finished():
                # 1. One step of all games, and the learning that the finished ones have earned.
                play.step()
                for games in play.take_games():
                    self._take(games)
                self._learn()
                # 2. The newest weights take over, at once or through the gate.
                if self.learner.steps - refreshed >= settings.refresh:
                    refreshed = self.learner.steps
                    self._watch_policy()
                    if not self._best_plays:
                        self._refresh(play)
                if self._gate is not None and self.counters.games >= self._gate_due:
                    self._challenge(self._gate, play)
                # 3. What is due by the clock.
                now = time.monotonic()
                self.counters.seconds = before + now - begun
                self.counters.steps = self.learner.steps
                if self._rater is not None:
                    if now - last_rating >= 60 * settings.rate_minutes:
                        self._start_rating(self._rater)
                        last_rating = now
                    self._hear_rating(self._rater)
                if now - last_log >= settings.log_seconds or self.finished():
                    watch(self._log(play, speed.look()))
                    last_log = now
                if now - last_save >= 60 * settings.save_minutes:
                    self.save()
                    last_save = time.monotonic()
        finally:
            if self._rater is not None:
                self._rater.close()
        self.save()
        return self.counters

    def save(self) -> Path:
        """Write a checkpoint."""

        def write(folder: Path) -> None:
            facts = self.training_facts()
            save_net(folder / NET, self.learner.average, self.net_config, training=facts)
            if self._gate is not None:
                save_net(folder / BEST, self._gate.best, self.net_config, training=facts)
            self.learner.save(folder / LEARNER)
            self.window.save(folder / GAMES)
            # What an int8 network is calibrated on.
            np.savez_compressed(folder / POSITIONS, planes=self.window.newest_planes(1024))

        rung = self._rater.rung if self._rater is not None else 0
        state = {
            "counters": vars(self.counters),
            "rate_factor": self._rate_factor,
            "rung": rung,
            "inherited": self._inherited,
        }
        return self.run_folder.save(self.counters.games, state, write, keep=self.config.run.keep)

    def summary(self) -> str:
        """What the run came to, for people."""
        counters = self.counters
        more = nothing_learned(counters.steps, counters.rows, self.config.learn.least_rows)
        return summary_words(counters, "learning steps", self.run_folder, *more)

    def training_facts(self) -> dict[str, Any]:
        """What a net file says about how it was trained, all runs counted that led to it."""
        counters = self.counters
        learned = {
            "played": counters.games,
            "rows": counters.rows,
            "steps": counters.steps,
            "minutes": round(counters.seconds / 60, 1),
        }
        return {
            "method": METHOD,
            "games": list(self.config.games),
            **{key: round(amount + self._inherited.get(key, 0), 1) for key, amount in learned.items()},
            "device": torch.cuda.get_device_name() if self.device.type == "cuda" else "CPU",
            "licence": "MIT",
        }

    def _refresh(self, play: SelfPlay) -> None:
        """Have the games played by the newest average, or the one that last won the gate's match."""
        net = self._gate.best if self._gate is not None and self._best_plays else self.learner.average
        samples = self.window.newest_planes(_CALIBRATION)
        play.net.update(net, samples)
        if len(samples) and not self._bare_speed:  # before there are samples, a CPU takes floats
            if self.device.type == "cuda":
                torch.cuda.synchronize(self.device)  # the learning that is under way
            self._bare_speed = play.bare_speed()

    @property
    def _best_plays(self) -> bool:
        return self._gate is not None and self.config.run.gate_plays

    _gate_due = 0
    _bare_speed = 0.0  # evaluations a second

    def _challenge(self, gate: Gate, play: SelfPlay) -> None:
        self._gate_due = self.counters.games + self.config.run.gate_every
        seed = self.config.run.seed + self.counters.games
        score = gate.challenge(self.learner.average, seed=seed, stopped=lambda: self.stopped)
        if score is not None:
            self._found |= {"gate_score": score, "gate_promoted": float(gate.is_enough(score))}
            if gate.is_enough(score) and self._best_plays:
                self._refresh(play)

    def _start_rating(self, rater: Rater) -> None:
        earlier = [path / NET for path in self.run_folder.checkpoints()[:1]]
        rater.start(self.learner.average, earlier[0] if earlier else None, seed=self.config.run.seed)

    def _hear_rating(self, rater: Rater) -> None:
        rung = rater.ladder[rater.rung]  # the result may move it up
        if found := rater.result():
            self._found |= found
            self._rated = f"{found['rung_score']:.0%} against {rung}"
            if "self_score" in found:
                self._rated += f", {found['self_score']:.0%} against its earlier self"

    def _take(self, games: Games) -> None:
        rows = self.window.add(games)
        self.counters.games += len(games)
        self.counters.rows += rows
        self._due += rows * self.config.learn.samples_per_row / self.config.learn.batch
        self.health.watch(games)
        if self.run_folder.samples.is_due():
            self._show(games)

    def _show(self, games: Games) -> None:
        """Keep one of these games for people to look at: the last that ended."""
        played = games.table[-1]
        self.run_folder.samples.add(
            self.counters.games,
            self.games[played[VARIANT]],
            games.moves_of(-1),
            black=METHOD,
            white=METHOD,
            winner={1: Side.BLACK, -1: Side.WHITE}.get(int(played[RESULT])),
            unplayed=int(played[DISTANCE]),
        )

    def _learn(self) -> None:
        learn = self.config.learn
        if self.window.filled < min(learn.least_rows, learn.window):
            self._due = 0.0
            return
        # At most a few at a time: the games must go on meanwhile.
        for _ in range(min(4, int(self._due))):
            self.learner.learn(self.window.sample, self._rate())
            self._due -= 1

    def _share(self) -> float:
        """How much of the run is over, from 0 to 1; 0 if it has no limit."""
        minutes, games = self.config.run.minutes, self.config.run.games
        return share_done((self.counters.seconds / 60, minutes), (self.counters.games, games))

    def finished(self) -> bool:
        """Whether a limit is reached, or ``stop`` was called."""
        return self.stopped or self._share() >= 1

    def _rate(self) -> float:
        learn = self.config.learn
        rate = learn.rate * min(1.0, (self.learner.steps + 1) / max(1, learn.warm_up))
        if learn.schedule == "steps":
            factors = [factor for begin, factor in learn.rate_steps if self._share() >= begin]
            rate *= factors[-1] if factors else 1.0
        return rate * self._rate_factor

    def _watch_policy(self) -> None:
        """Measure how far the policy moved on a fixed sample since the last time, and draw the next sample."""
        if self._probe is not None:
            planes, old = self._probe
            self._moved = (old.exp() * (old - self.learner.policy(planes))).sum(1).mean()
            if self.config.learn.schedule == "kl":
                self._adapt_rate(float(self._moved))
        generator = torch.Generator(self.device).manual_seed(self.learner.steps)
        count = min(512, self.config.learn.batch, self.window.filled)
        planes = self.window.sample(count, generator).planes
        self._probe = planes, self.learner.policy(planes)

    _moved: torch.Tensor | None = None  # on the device, which is not waited for before the log wants it

    def _adapt_rate(self, moved: float) -> None:
        """S3's way: slower where the policy moved too far, faster where it hardly did."""
        target = self.config.learn.kl_target
        if moved > 2 * target:
            self._rate_factor = max(0.1, self._rate_factor / 1.5)
        elif moved < target / 2:
            self._rate_factor = min(10.0, self._rate_factor * 1.5)

    def _log(self, play: SelfPlay, speed: dict[str, float]) -> Progress:
        metrics = {**speed, "rate": self._rate(), "window": float(self.window.filled)}
        if self._bare_speed:
            metrics["bare_share"] = speed["evaluations_per_second"] / self._bare_speed
        counts = play.counts()
        self.health.watch_resignations(counts["resign_checks"], counts["resign_errors"])
        metrics |= self.learner.metrics() | self.health.metrics() | self._found
        self._found = {}
        if (blocked := self._blocked()) is not None:
            metrics["must_block"] = blocked
        if self._moved is not None:
            metrics["kl"] = float(self._moved)
        self._adapt_opposition(play, metrics)
        alarms = self.health.alarms(blocked)
        if self._rater is not None and self._rater.trouble:
            alarms["no rating"] = self._rater.trouble
        counted = {
            "minutes": self.counters.seconds / 60,
            **{k: v for k, v in vars(self.counters).items() if k != "seconds"},
        }
        self.run_folder.log(self.counters.games, {**counted, **metrics}, alarms)
        limits = (60 * self.config.run.minutes, self.config.run.games)
        return Progress(self.counters, limits, metrics, alarms, self._rated)

    def _blocked(self) -> float | None:
        """The newest score in the suite of threats; a large network on a CPU takes seconds for it, so not each time."""
        begun = time.monotonic()
        if self._must_block is not None and begun >= self._next_suite:
            self._last_suite = self._must_block.score(self.learner.average)
            self._next_suite = begun + 20 * (time.monotonic() - begun)
        return self._last_suite

    _next_suite = 0.0
    _last_suite: float | None = None

    def _adapt_opposition(self, play: SelfPlay, metrics: dict[str, float]) -> None:
        """S4's p falls from its setting to nothing as games grow from 12 to 30 moves."""
        settings = self.config.selfplay
        if not settings.opposition:
            return
        p, threshold = settings.opposition, settings.opposition_threshold
        if settings.opposition_adapts and "median_length" in metrics:
            short = min(1.0, max(0.0, (30 - metrics["median_length"]) / 18))
            p, threshold = p * short, 1 - (1 - threshold) * short
        play.set_opposition(p, min(threshold, 0.999))
        metrics["opposition"] = p


def new_trainer(config: AlphaZeroConfig, folder: str, *, start: str | None = None) -> AlphaZeroTrainer:
    """A new run in a folder that has none; ``start`` names a file with weights to begin from."""
    trainer = AlphaZeroTrainer(config)
    if start:
        trainer.start_from(start)
    trainer.run_folder = Run.create(folder, METHOD, to_dict(config), seed=config.run.seed)
    return trainer


def resumed_trainer(folder: str, assignments: tuple[str, ...] = ()) -> AlphaZeroTrainer:
    """Go on with a run, from its newest checkpoint that is whole."""
    run, values = Run.open(folder, METHOD)
    before, config = make_config(values), make_config(values, assignments)
    if config.net_config() != before.net_config():
        raise ConfigError("a run that is resumed keeps the shape of its network; start another one for a new shape")
    trainer = AlphaZeroTrainer(config)
    trainer.run_folder = run
    found = run.resume(trainer.resume)
    run.trim_log(lambda line: found and line["minutes"] <= round(trainer.counters.seconds / 60, 6))
    return trainer
