"""Self-play's evaluations a second, as a share of what the bare network reaches, both in one run.

    python benchmarks/selfplay_speed.py --blocks 6 --channels 96 --games 4096 --threads 15
    python benchmarks/selfplay_speed.py --preset laptop-8x8

The bare network answers the same buffers, copies to and fro included, without any games between.
"""

from __future__ import annotations

import argparse
import json
import time

import torch

from tengen.cli.output import plain_errors
from tengen.nets import build
from tengen.train.alphazero.config import load_preset
from tengen.train.alphazero.selfplay import SelfPlay
from tengen.train.devices import choose_device


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--preset", default="gpu-15x15", help="what is not given below is as there")
    parser.add_argument("--game", help="its name")
    parser.add_argument("--blocks", type=int)
    parser.add_argument("--channels", type=int)
    parser.add_argument("--games", type=int, help="in each of the two pools")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--float32", action="store_true", help="on a CPU: no 8-bit integers")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--device", default="auto")
    args = parser.parse_args()
    named = {
        "net.blocks": args.blocks,
        "net.channels": args.channels,
        "selfplay.games": args.games,
        "selfplay.threads": args.threads,
        "selfplay.int8": "false" if args.float32 else None,
        "games": f"['{args.game}']" if args.game else None,
    }
    config = load_preset(args.preset, [f"{name}={value}" for name, value in named.items() if value is not None])
    device = choose_device(args.device)
    torch.manual_seed(0)
    net = build(config.net_config()).to(device)
    play = SelfPlay(config.parsed_games(), [1.0], config.net_config(), config.selfplay, seed=1, device=device)

    def bare(seconds: float) -> float:
        done, begun = 0, time.perf_counter()
        for seat in (0, 1):
            play.net.ask(seat)
        while time.perf_counter() - begun < seconds:
            for seat in (0, 1):
                play.net.answer(seat)
                play.net.ask(seat)
                done += play.batch
        for seat in (0, 1):
            play.net.answer(seat)
        return done / (time.perf_counter() - begun)

    def played(seconds: float) -> tuple[float, float]:
        before, begun, used = play.counts()["evaluations"], time.perf_counter(), time.process_time()
        while time.perf_counter() - begun < seconds:
            play.step()
        done = play.counts()["evaluations"] - before
        return done / (time.perf_counter() - begun), done / (time.process_time() - used)

    bare(1)
    played(args.seconds / 2)  # trees fill
    play.net.update(net, play.net.planes(0))
    rates = [(bare(args.seconds / 4), played(args.seconds / 2)) for _ in range(4)]
    best_bare = max(bare for bare, _ in rates)
    mean_played, mean_used = (sum(played[i] for _, played in rates) / len(rates) for i in (0, 1))
    print(
        json.dumps(
            {
                "games": config.games,
                "net": f"{config.net.blocks}x{config.net.channels}",
                "batch": play.batch,
                "threads": config.selfplay.threads,
                "bare": round(best_bare),
                "selfplay": round(mean_played),
                "share": round(mean_played / best_bare, 3),
                "per_cpu_second": round(mean_used),  # of one core; tells most where other programs run
            }
        )
    )


if __name__ == "__main__":
    with plain_errors():
        main()
