"""A Q-learning run: games, learning, evaluation, log, checkpoints."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from tengen.envs.duel import DuelEnv
from tengen.errors import PlayerNameError, TengenError
from tengen.nets.checkpoint import save as save_net
from tengen.train.devices import choose_device, cores, seek_fast_kernels
from tengen.train.dqn.config import DqnConfig, make_config
from tengen.train.dqn.health import alarms
from tengen.train.dqn.learner import Learner, memory_files
from tengen.train.dqn.replay import Steps, to_device
from tengen.train.dqn.scouts import Openings, Scouts
from tengen.train.dqn.spectator import Spectator
from tengen.train.dqn.trails import Trails
from tengen.train.evaluate import Score, evaluate, honest_openings
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
from tengen.train.weights import fitting, load_fitting, require_sound

METHOD = "dqn"
_DRAW = 3  # a result
_TRAILS = "trails.safetensors"  # in a checkpoint
_RECENT = 500  # games over which results are averaged


@dataclass
class Counters:
    """What a run has done so far, over all its sittings."""

    seconds: float = 0.0
    games: int = 0
    moves: int = 0  # the learner's
    rows: int = 0
    steps: int = 0
    scouted: int = 0  # moves of games that scouts have won


class Ended(NamedTuple):
    """A game that is over."""

    self_play: bool
    result: int  # 1 won, 0 drawn, -1 lost: by the learner; where it played itself, by black
    plies: int
    reward: float  # all that the learner was given; where it played itself, that of both sides together


@dataclass
class Progress:
    """What the log says now and then."""

    counters: Counters
    limits: tuple[float, int]  # seconds and games; 0: none
    metrics: dict[str, float] = field(default_factory=dict)
    alarms: dict[str, str] = field(default_factory=dict)
    rated: str = ""  # the newest evaluation, in words

    def in_words(self) -> str:
        """For people who wait."""
        counters, metrics = self.counters, self.metrics
        parts = [
            *progress_words(counters.seconds, counters.games, self.limits, metrics["games_per_second"]),
            f"{metrics['moves_per_second']:,.0f} moves/s",
            f"epsilon {metrics['epsilon']:.2f}",
        ]
        if "loss" in metrics:
            parts.append(f"loss {metrics['loss']:.4f}")
        if "win_rate" in metrics:
            parts.append(f"won {metrics['win_rate']:.0%}, drawn {metrics['draw_rate']:.0%}")
        if "self_black_share" in metrics:
            shares = ", ".join(f"{side} {metrics[f'self_{side}_share']:.0%}" for side in ("black", "white"))
            parts.append(f"against itself {shares}")
        if "length" in metrics:
            parts.append(f"length {metrics['length']:.0f}")
        if self.rated:
            parts.append(self.rated)
        return ", ".join(parts)


class DqnTrainer:
    """One sitting of a run. ``stop`` may be called from a signal handler."""

    run_folder: Run

    def __init__(self, config: DqnConfig) -> None:
        self.config = config
        self.counters = Counters()
        self.game = config.parsed_game()
        self.net_config = config.net_config()
        self.device = choose_device(config.run.device)
        if not config.play.scouts and not config.net.pair:  # with these the network is asked for any number of moves
            seek_fast_kernels(self.device)
        self.stopped = False
        seeds = [config.run.seed, config.run.seed + 1][: 1 + config.net.pair]
        self.learners = [
            Learner(self.net_config, config.learn, self.game, seed=seed, device=self.device) for seed in seeds
        ]
        for mine, other in zip(self.learners, reversed(self.learners), strict=True):
            mine.rival = other
        self.threads = config.play.threads or cores()
        self._openings = honest_openings(self.game, config.run.evaluate_openings, seed=12345)
        self._rated = self._rated_surely = ""  # the newest evaluation in words, and with intervals
        self._recent: list[Ended] = []
        self._due = 0.0
        self._evaluated = 0
        self._inherited: dict[str, float] = {}  # what the weights that it began with had learned from
        self.trails = Trails(self.game, config.play.scout_positions if config.play.scouts else 0)
        try:
            self._make_env()
        except ConfigError:
            raise
        except TengenError as error:
            setting = "play.rivals" if isinstance(error, PlayerNameError) else "play.*"
            raise ConfigError(f"{setting}: {error}") from None
        self._check_evaluation()

    def _check_evaluation(self) -> None:
        """Raise ``ConfigError`` for a rival that there is not: now, and not after the first thousand games."""
        if not self.config.run.evaluate_games:
            return
        try:
            DuelEnv(self.game, 1, rivals=self.config.run.evaluate_rival, openings=self._openings[:1])
        except TengenError as error:
            raise ConfigError(f"run.evaluate_rival: {error}") from None

    def _make_env(self) -> None:
        """All games begin anew, by what the run has done so far: a run that is resumed here plays the same ones."""
        play, learn = self.config.play, self.config.learn
        seed, scouts_seed = np.random.SeedSequence([self.config.run.seed, self.counters.games]).generate_state(2)

        def make(
            games: int, rivals: dict[str, float], seed: int, side: str = play.side, openings: Openings = ()
        ) -> DuelEnv:
            return DuelEnv(
                self.game,
                games,
                rivals=rivals,
                side=side,
                encoding=self.net_config.encoding,
                reward=play.reward,
                openings=openings,
                opening_plies=0 if openings else play.opening_plies,
                opening_least=None if openings or play.opening_least < 0 else play.opening_least,
                opening_boxes=play.opening_boxes,
                margin=None if play.margin < 0 else play.margin,
                threads=self.threads,
                seed=seed,
            )

        def make_scouted(games: int, seed: int, side: str, openings: Openings) -> DuelEnv:
            return make(games, self.config.scouted_rivals(), seed, side, openings)

        self.env = make(play.games, self.config.rivals(), int(seed))
        self.scouts: Scouts | None = None
        if play.scouts:
            self.scouts = Scouts(make_scouted, play, learn, self.trails, seed=int(scouts_seed))
        self._rng = np.random.default_rng(seed)
        self._steps = Steps(play.games, learn.steps, learn.gamma)
        self._rewards = np.zeros(play.games)
        self._look()

    def _look(self) -> None:
        """Take the positions now shown to the device: the network reads them there, and so does the memory."""
        self._planes = to_device(self.env.planes, self.device, torch.uint8)
        self._mask = to_device(self.env.mask.copy(), self.device)

    def stop(self) -> None:
        """End the sitting soon, with a checkpoint."""
        self.stopped = True

    def start_from(self, path: str) -> None:
        """Begin with the weights of a file."""
        if self.config.net.pair:
            raise ConfigError("two networks begin from nothing; go on with a run by --resume")
        net, header = load_fitting(path, METHOD, self.net_config)
        self.learners[0].load_weights(net)
        self._inherited = amounts_learned(header.training)

    def resume(self, checkpoint: Path) -> None:
        """Go on from a checkpoint; the memory is taken along where it is."""
        names = _learner_names(self.learners)
        memories = [file for name in names for file in memory_files(name)]
        state = read_checkpoint(checkpoint, optional=[*memories, _TRAILS])
        try:
            self.counters = Counters(**state["counters"])
            self._due = float(state["due"])
            self._evaluated = int(state["evaluated"])
            # A run from before games against itself were told apart begins to count anew.
            self._recent = [Ended(*game) for game in state["recent"] if len(game) == len(Ended._fields)]
            self._inherited = amounts_learned(state.get("inherited", {}))
            self._rated, self._rated_surely = map(str, state.get("rated", ("", "")))
        except (KeyError, TypeError, ValueError) as error:
            raise RunError(f"{checkpoint} is no checkpoint of this method: {error}") from None
        for learner, name in zip(self.learners, names, strict=True):
            learner.load(checkpoint, name)
        self._load_trails(checkpoint / _TRAILS)
        self._make_env()

    def _load_trails(self, path: Path) -> None:
        from safetensors.numpy import load_file

        if not path.exists() or not self.scouts:
            return
        with fitting(path):
            self.trails.load(load_file(path))

    # --- the run ---

    def train(self, watch: Callable[[Progress], None] = lambda _: None) -> Counters:
        """Run until a limit is reached or ``stop`` is called; ``watch`` hears of every log entry."""
        settings = self.config.run
        begun, before = time.monotonic(), self.counters.seconds
        last_log, done = begun, (self.counters.moves, self.counters.games)
        saved = self.counters.games
        spectator = Spectator(self.run_folder.samples)
        while not self.finished():
            # 1. A move in every game, and the learning that it has earned; a GPU does it while the rivals think.
            actions = self._choose_moves()
            self._learn()
            spectator.look(self.env)
            self._play(actions)
            spectator.tell(self.env, actions, self.counters.games)
            self._scout()
            self.counters.seconds = before + time.monotonic() - begun
            # 2. How good is it?
            found: dict[str, float] = {}
            if self._is_evaluation_due():
                self._evaluated = self.counters.games
                found = self._evaluate()
            # 3. What is due.
            now = time.monotonic()
            if found or now - last_log >= settings.log_seconds or self.finished():
                span, before_this = max(now - last_log, 1e-9), done
                last_log, done = now, (self.counters.moves, self.counters.games)
                speeds = [(after - then) / span for after, then in zip(done, before_this, strict=True)]
                watch(self._log({"moves_per_second": speeds[0], "games_per_second": speeds[1], **found}))
            if self.counters.games - saved >= settings.save_games:
                saved = self.counters.games
                self.save()
                self._make_env()
        self.save()
        return self.counters

    def _choose_moves(self) -> NDArray[np.int64]:
        env = self.env
        exploring = self._rng.random(len(env)) < self.epsilon()
        actions = np.zeros(len(env), np.int64)
        if exploring.any():
            actions[:] = env.explore_actions(self.config.play.explore, exploring)
        if self.device.type == "cuda":  # a batch of one size can be recorded
            chosen = self._best(self._planes, self._mask, env.to_move)
            return np.where(exploring, actions, chosen)
        asked = np.flatnonzero(~exploring)
        actions[asked] = self._best(self._planes[asked], self._mask[asked], env.to_move[asked])
        return actions

    def _play(self, actions: NDArray[np.int64]) -> None:
        env = self.env
        env.step(actions)
        before = self._planes, self._mask
        self._look()
        # In self-play a draw would be worth as much more to the other side.
        drawn = env.ended & (env.result == _DRAW) & ~env.stepped_self_play
        reward = self._given(env.reward, drawn).astype(np.float32)
        sides, rows = self._steps.add(
            *before, actions, reward, env.last_side, env.stepped_self_play, env.ended, self._planes, self._mask
        )
        for index, learner in enumerate(self.learners):
            mine = np.flatnonzero(sides == index) if len(self.learners) > 1 else slice(None)
            learner.replay.add(type(rows)(*(field[mine] for field in rows)))
        self.counters.rows += len(sides)
        self._due += len(sides) * self.config.learn.samples_per_row / self.config.learn.batch
        self.counters.moves += len(actions)
        self._rewards += reward
        self._count_ended()

    def _given(self, reward: Any, drawn: Any) -> Any:
        """What the learner is given for the environment's reward; ``drawn``: where, or how often, it was a draw."""
        play = self.config.play
        return (reward + drawn * (play.draw if play.reward == "win" else 0.0)) * play.reward_scale

    def _count_ended(self) -> None:
        env = self.env
        over = np.flatnonzero(env.ended)
        if not len(over):
            return
        self_play, result = env.stepped_self_play[over], env.result[over]
        won = np.where(self_play | (env.last_side[over] == 0), 1, 2)
        results = np.where(result == _DRAW, 0, np.where(result == won, 1, -1))
        fields = (self_play, results, env.length[over], self._rewards[over])
        games = zip(*(field.tolist() for field in fields), strict=True)
        self._recent = [*self._recent, *(Ended(*game) for game in games)][-_RECENT:]
        self._rewards[over] = 0
        self.counters.games += len(over)

    def _scout(self) -> None:
        if self.scouts:
            for rows in self.scouts.step(self.learners[0]):
                self.learners[0].won.add(rows)
                self.counters.scouted += len(rows.action)

    def _learn(self) -> None:
        learn = self.config.learn
        if not all(learner.is_ready() for learner in self.learners):
            self._due = 0.0
            return
        share = self._share()
        rate = learn.rate * (learn.rate_end + (1 - learn.rate_end) * (1 + math.cos(math.pi * share)) / 2)
        correction = learn.priority_correction + (1 - learn.priority_correction) * share if learn.priority else 0.0
        due = int(self._due // len(self.learners))
        for ahead in range(due, 0, -1):
            for learner in self.learners:
                learner.learn(rate, correction, ahead)
        self.counters.steps += due
        self._due -= due * len(self.learners)

    def choose(
        self, planes: NDArray[np.uint8], mask: NDArray[np.bool_], sides: NDArray[np.uint8], *, final: bool = False
    ) -> NDArray[np.int64]:
        """The best move of each game by the network that plays; ``final``: by the one that is saved."""
        return self._best(to_device(planes, self.device), to_device(mask.copy(), self.device), sides, final=final)

    def _best(
        self, planes: Tensor, mask: Tensor, sides: NDArray[np.uint8], *, final: bool = False
    ) -> NDArray[np.int64]:
        chosen = np.zeros(len(planes), np.int64)
        for index, learner in enumerate(self.learners):
            mine = np.flatnonzero(sides == index) if len(self.learners) > 1 else slice(None)
            chosen[mine] = learner.best(planes[mine], mask[mine], final=final).cpu().numpy()
        return chosen

    def epsilon(self) -> float:
        """The chance of an exploring move now."""
        play = self.config.play
        fallen = math.exp(-self.counters.games / play.epsilon_games)
        return play.epsilon_end + (play.epsilon_start - play.epsilon_end) * fallen

    def _is_evaluation_due(self) -> bool:
        """Every so many games, and at the end; but who stops a run does not wait for one."""
        every = self.config.run.evaluate_games
        at_end = self.finished() and not self.stopped
        return bool(every) and (at_end or self.counters.games - self._evaluated >= every)

    def _evaluate(self) -> dict[str, float]:
        scores = self.scores(self._openings)
        if count := self.config.run.evaluate_first:
            rng = np.random.default_rng(self.counters.games)
            central = sorted({opening[0] for opening in honest_openings(self.game, 600)})
            first = [[int(action)] for action in rng.choice(central, count)]
            scores["first"] = self._score("black", first, rival=self.config.own_rival(), seed=1)
        against = f"wins against {self.config.run.evaluate_rival}: "
        self._rated = against + ", ".join(f"{side} {score.win_rate:.0%}" for side, score in scores.items())
        surely = ", ".join(f"{side} {score.in_words()}" for side, score in scores.items())
        self._rated_surely = f"{against}{surely}, after {self.counters.games} games"
        return {
            f"evaluate_{side}_{name}": value
            for side, score in scores.items()
            for name, value in (
                ("wins", score.win_rate),
                ("low", score.interval()[0]),
                ("high", score.interval()[1]),
                ("draws", score.draws / score.games),
                ("reward", self._given(score.reward, score.draws / score.games)),
                ("length", score.length),
            )
        }

    def scores(self, openings: list[list[int]], *, rival: str | None = None, seed: int = 1) -> dict[str, Score]:
        """Play the openings with both colours against a rival, by the network that is saved."""
        return {side: self._score(side, openings, rival=rival, seed=seed) for side in ("black", "white")}

    def _score(self, side: str, openings: list[list[int]], *, rival: str | None = None, seed: int) -> Score:
        play = self.config.play

        def choose(planes: NDArray[np.uint8], mask: NDArray[np.bool_], sides: NDArray[np.uint8]) -> NDArray[np.int64]:
            return self.choose(planes, mask, sides, final=True)

        return evaluate(
            choose,
            self.game,
            rival or self.config.run.evaluate_rival,
            openings,
            encoding=self.net_config.encoding,
            side=side,
            reward=play.reward,
            margin=None if play.margin < 0 else play.margin,
            threads=self.threads,
            seed=seed,
        )

    def _share(self) -> float:
        """How much of the run is over, from 0 to 1; 0 if it has no limit."""
        minutes, games = self.config.run.minutes, self.config.run.games
        return share_done((self.counters.seconds / 60, minutes), (self.counters.games, games))

    def finished(self) -> bool:
        """Whether a limit is reached, or ``stop`` was called."""
        return self.stopped or self._share() >= 1

    # --- what is written ---

    def _require_sound(self) -> None:
        weights = (tensor for learner in self.learners for tensor in learner.net.state_dict().values())
        advice = "a lower learn.rate or learn.clip helps, or a higher learn.target_every"
        require_sound(weights, self.run_folder, self.counters.steps, advice)

    def _log(self, metrics: dict[str, float]) -> Progress:
        self._require_sound()
        metrics = {**metrics, "epsilon": self.epsilon()}
        learned = [found for learner in self.learners if (found := learner.metrics())]
        metrics |= {name: float(np.mean([found[name] for found in learned])) for name in learned[0]} if learned else {}
        metrics |= _of_games(self._recent)
        if self.scouts and self.scouts.ended:
            metrics["scouts_win_rate"] = self.scouts.won / self.scouts.ended
            self.scouts.won = self.scouts.ended = 0
        counted = {
            "minutes": self.counters.seconds / 60,
            **{key: value for key, value in vars(self.counters).items() if key != "seconds"},
        }
        given = alarms(metrics, self.config.most_worth(), self.counters.steps)
        self.run_folder.log(self.counters.games, {**counted, **metrics}, given)
        limits = (60 * self.config.run.minutes, self.config.run.games)
        return Progress(self.counters, limits, metrics, given, self._rated)

    def save(self) -> Path:
        """Write a checkpoint."""
        self._require_sound()
        names = _learner_names(self.learners)

        def write(folder: Path) -> None:
            for learner, name in zip(self.learners, names, strict=True):
                colour = name.removeprefix("learner").removeprefix("-")
                facts = {**self.training_facts(), **({"pair": colour} if colour else {})}
                net = f"net-{colour}.safetensors" if colour else "net.safetensors"
                save_net(folder / net, learner.average, self.net_config, training=facts)
                learner.save(folder, name)
            if len(self.trails):
                from safetensors.numpy import save_file

                save_file(self.trails.state(), folder / _TRAILS)

        state = {
            "counters": vars(self.counters),
            "due": self._due,
            "evaluated": self._evaluated,
            "recent": self._recent,
            "inherited": self._inherited,
            "rated": [self._rated, self._rated_surely],
        }
        return self.run_folder.save(self.counters.games, state, write, keep=self.config.run.keep)

    def summary(self) -> str:
        """What the run came to, for people."""
        counters = self.counters
        more = nothing_learned(counters.steps, counters.rows, self.config.learn.least_rows)
        more += [self._rated_surely] if self._rated_surely else []
        return summary_words(counters, "learning steps", self.run_folder, *more)

    def training_facts(self) -> dict[str, Any]:
        """What a net file says about how it was trained, all runs counted that led to it."""
        learned = {
            "played": self.counters.games,
            "moves": self.counters.moves,
            "steps": self.counters.steps,
            "minutes": round(self.counters.seconds / 60, 1),
        }
        return {
            "method": METHOD,
            "games": [self.config.game],
            **{key: round(amount + self._inherited.get(key, 0), 1) for key, amount in learned.items()},
            "reward": self.config.play.reward,
            "reward_scale": self.config.play.reward_scale,
            **({"margin": self.config.play.margin} if self.config.play.margin >= 0 else {}),
            "device": torch.cuda.get_device_name() if self.device.type == "cuda" else "CPU",
            "licence": "MIT",
        }


def _of_games(games: list[Ended]) -> dict[str, float]:
    """What is logged of finished games. Those against itself are counted apart: the learner wins and loses them all."""
    met = [game for game in games if not game.self_play]
    alone = [game for game in games if game.self_play]
    results = [game.result for game in met]
    found = {"length": float(np.mean([game.plies for game in games]))} if games else {}
    if met:
        names = {"win_rate": 1, "draw_rate": 0, "loss_rate": -1}
        found |= {name: results.count(result) / len(results) for name, result in names.items()}
        found["reward"] = float(np.mean([game.reward for game in met]))
    if alone:
        results = [game.result for game in alone]
        names = {"self_black_share": 1, "self_draw_share": 0, "self_white_share": -1}
        found |= {name: results.count(result) / len(results) for name, result in names.items()}
        found["self_reward"] = float(np.mean([game.reward for game in alone]))  # of both sides
    return found


def _learner_names(learners: list[Learner]) -> list[str]:
    return ["learner"] if len(learners) == 1 else ["learner-black", "learner-white"]


def new_trainer(config: DqnConfig, folder: str, *, start: str | None = None) -> DqnTrainer:
    """A new run in a folder that has none; ``start`` names a file with weights to begin from."""
    trainer = DqnTrainer(config)
    if start:
        trainer.start_from(start)
    trainer.run_folder = Run.create(folder, METHOD, to_dict(config), seed=config.run.seed)
    return trainer


def resumed_trainer(folder: str, assignments: tuple[str, ...] = ()) -> DqnTrainer:
    """Go on with a run, from its newest checkpoint that is whole."""
    run, values = Run.open(folder, METHOD)
    config = make_config(values, assignments)
    # The rest of what it was made with may be no longer accepted, and just now be mended.
    before = make_config({name: values[name] for name in ("game", "net") if name in values})
    if config.parsed_game() != before.parsed_game():
        raise ConfigError(f"the run in {folder} learns {before.game}; start another one for {config.game}")
    if (config.net_config(), config.net.pair) != (before.net_config(), before.net.pair):
        raise ConfigError("a run that is resumed keeps the shape of its network; start another one for a new shape")
    trainer = DqnTrainer(config)
    trainer.run_folder = run
    found = run.resume(trainer.resume)
    run.trim_log(lambda line: found and line["moves"] <= trainer.counters.moves)
    return trainer
