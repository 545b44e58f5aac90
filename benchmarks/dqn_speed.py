"""Q-learning's moves a second with learning on, beside S0's own loop, and where the time goes; all in one run.

    python benchmarks/dqn_speed.py                                    # S0's network and rival on a CPU
    python benchmarks/dqn_speed.py --device cuda --preset dqn-15x15   # a preset, with whatever is --set
    python benchmarks/dqn_speed.py --set learn.bfloat16=always        # coarser, where the processor has it

On a CPU the game, rival, network and batch are S0's: Gomoku 7x7, minimax of depth 2, 256 rows. Our runs play 1024 games
at a time with an epsilon of 0.1, so that the network is asked for nine moves of ten, and learn from every new row
``learn.samples_per_row`` times. That is the knob: S0's loop plays one game, and learns from 256 rows twice after every
move, 512 times as much as one of our moves does at 1. No CPU does that 5,000 times a second; so rows learned are
counted beside moves. S0's loop here has our core for its game and rival, where S0 has Python for these too.
Where other programs run, moves by second of one core's time tell most; then also set OMP_NUM_THREADS=1 and --set
play.threads=1, or threads that wait for each other count as well. On a GPU "choosing moves" waits for the learning.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from tengen.cli.output import plain_errors
from tengen.envs import DuelEnv
from tengen.nets import build
from tengen.train.dqn.config import DqnConfig, load_preset, make_config
from tengen.train.dqn.trainer import DqnTrainer, Progress, new_trainer

OURS: dict[str, Any] = {
    "game": "gomoku:size=7",
    "net": {"kind": "s0", "channels": 128},
    "play": {"games": 1024, "rivals": ["minimax:depth=2"], "epsilon_start": 0.1, "epsilon_end": 0.1},
    "learn": {"batch": 256, "least_rows": 256, "double": False},
    "run": {"device": "cpu"},
}


class Clock:
    """Where the time goes: a function that is watched counts for itself, not for whoever calls it."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._inside: list[float] = []

    def watch(self, owner: Any, name: str, what: str) -> None:
        function: Callable[..., Any] = getattr(owner, name)

        def timed(*args: Any, **options: Any) -> Any:
            start = time.perf_counter()
            self._inside.append(0.0)
            try:
                return function(*args, **options)
            finally:
                span = time.perf_counter() - start
                self.seconds[what] = self.seconds.get(what, 0.0) + span - self._inside.pop()
                if self._inside:
                    self._inside[-1] += span

        setattr(owner, name, timed)


def measure(config: DqnConfig, seconds: float) -> str:
    """Speeds of a run, after as long for warming up."""
    clock = Clock()
    marks: list[tuple[float, float, int, int]] = []

    def heard(progress: Progress) -> None:
        if trainer.device.type == "cuda":
            torch.cuda.synchronize()
        counters = progress.counters
        marks.append((time.perf_counter(), time.process_time(), counters.moves, counters.steps))
        if counters.steps == 0 and config.learn.samples_per_row:  # still filling the memory
            marks.clear()
        elif len(marks) == 1:
            clock.seconds.clear()
        else:
            trainer.stop()

    with TemporaryDirectory() as folder:
        trainer = new_trainer(config, str(Path(folder) / "run"))
        watch_all(trainer, clock)
        trainer.train(heard)
    span, used, moves, steps = (after - before for before, after in zip(*marks, strict=True))
    told = ", ".join(f"{what} {taken / span:.0%}" for what, taken in sorted(clock.seconds.items(), key=lambda s: -s[1]))
    rows = steps * config.learn.batch * config.learn.epochs * len(trainer.learners)
    return f"{line(moves, steps, rows, span, used)}   {told}"


def line(moves: float, steps: float, rows: float, span: float, used: float) -> str:
    return f"{moves / span:10,.1f} {moves / used:12,.1f} {steps / span:10,.1f} {rows / span:12,.0f}"


def watch_all(trainer: DqnTrainer, clock: Clock) -> None:
    clock.watch(trainer.env, "step", "env")
    clock.watch(trainer.env, "explore_actions", "exploring")
    clock.watch(trainer, "_best", "choosing moves")
    clock.watch(trainer, "_look", "taking over positions")
    clock.watch(trainer._steps, "add", "making rows")
    for learner in trainer.learners:
        clock.watch(learner, "learn", "learning")
        for name in ("add", "sample", "set_errors"):
            clock.watch(learner.replay, name, "memory")


def s0_loop(seconds: float) -> str:
    """Speeds of S0's loop: one game, one move at a time, and after each 256 rows twice."""
    config = make_config(OURS)
    torch.manual_seed(0)
    net, target = build(config.net_config()), build(config.net_config()).eval()
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-5)
    env = DuelEnv(config.game, 1, rivals="minimax:depth=2", reward="s0", margin=3, seed=1)
    memory: deque[tuple[np.ndarray, int, float, bool, np.ndarray]] = deque(maxlen=100_000)
    rng = random.Random(1)

    def move(epsilon: float) -> None:
        state = env.planes[0].copy()
        if rng.random() < epsilon:
            action = int(env.explore_actions("greedy")[0])
        else:
            net.eval()
            with torch.no_grad():
                values = net(torch.from_numpy(state)[None]).policy[0].numpy()
            action = int(np.where(env.mask[0], values, -np.inf).argmax())
        env.step([action])
        memory.append((state, action, float(env.reward[0]), bool(env.ended[0]), env.planes[0].copy()))

    def learn() -> None:
        states, actions, rewards, ended, following = zip(*rng.sample(memory, 256), strict=True)
        with torch.no_grad():
            best = target(torch.from_numpy(np.stack(following))).policy.amax(1)
        goal = torch.tensor(rewards) + 0.7 * best * ~torch.tensor(ended)
        net.train()
        for _ in range(2):
            values = net(torch.from_numpy(np.stack(states))).policy.gather(1, torch.tensor(actions)[:, None])[:, 0]
            loss = functional.smooth_l1_loss(values, goal)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

    for _ in range(300):
        move(1.0)
    learn()
    moves, begun, used = 0, time.perf_counter(), time.process_time()
    while time.perf_counter() - begun < seconds:
        move(0.1)
        learn()
        moves += 1
    return line(moves, moves, 512 * moves, time.perf_counter() - begun, time.process_time() - used)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--preset", help="measure this instead of S0's game")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--samples", type=float, nargs="+", help="values of learn.samples_per_row")
    parser.add_argument("--seconds", type=float, default=8.0, help="for each of them")
    parser.add_argument("--set", action="append", default=[], help="a setting, such as play.games=4096")
    args = parser.parse_args()
    config = load_preset(args.preset) if args.preset else make_config(OURS)
    quiet = [f"run.log_seconds={args.seconds}", "run.evaluate_games=0", "run.save_games=1000000000"]
    least = f"learn.least_rows={config.learn.batch}"
    print(f"{'':24}{'moves/s':>10} {'moves/core-s':>12} {'learns/s':>10} {'rows/s':>12}   where the time goes")
    if not args.preset:
        print(f"{'S0, one game at a time':24}{s0_loop(args.seconds)}", flush=True)
    for samples in args.samples or ([config.learn.samples_per_row] if args.preset else [0, 0.125, 0.25, 0.5, 1]):
        settings = [least, *args.set, *quiet, f"run.device={args.device}", f"learn.samples_per_row={samples}"]
        ours = load_preset(args.preset, settings) if args.preset else make_config(OURS, settings)
        print(f"{f'samples_per_row={samples:g}':24}{measure(ours, args.seconds)}", flush=True)


if __name__ == "__main__":
    with plain_errors():
        main()
