"""Positions a second of exported networks on one thread: float32 and int8, with and without pooled blocks, in one run.

Usage: python benchmarks/net_speed.py [6x64 10x128 s3 s4 ...] [--size 15] [--planes 16] [--batches 1 8 32] [--seconds 1]
Weights are random, which costs as much time as trained ones. The variants take turns of a tenth of a second, so
that whatever else the machine does meets them all alike, and each works from its own cache; figures are medians.
"""

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
import torch

from tengen.cli.output import plain_errors
from tengen.errors import TengenError
from tengen.nets import Net, NetConfig, OnnxEvaluator, build, export_onnx, s3_config, s4_config

TURN = 0.1  # seconds


def config_of(shape: str, size: int, planes: int) -> NetConfig:
    if shape == "s3":
        return s3_config(size)
    if shape == "s4":
        return s4_config(size)
    try:
        blocks, channels = map(int, shape.split("x"))
    except ValueError:
        raise TengenError(f"{shape!r} is not BLOCKSxCHANNELS, such as 6x64, nor s3 or s4") from None
    return NetConfig(kind="tengen", encoding="gomoku", planes=planes, blocks=blocks, channels=channels, size=size)


def without_pooling(net: Net) -> Net:
    for block in net.blocks:
        block.bias = None
    return net


def evaluators(config: NetConfig, samples: np.ndarray) -> dict[str, OnnxEvaluator]:
    made = {}
    with tempfile.TemporaryDirectory() as folder:
        for plain in (True, False) if config.kind == "tengen" else (False,):
            net = without_pooling(build(config)) if plain else build(config)
            for name, calibration in (("float32", None), ("int8", samples)):
                path = Path(folder) / "net.onnx"
                export_onnx(net, config, path, training={}, int8_samples=calibration)
                made[f"{name}, unpooled" if plain else name] = OnnxEvaluator(path)
    return made


def speeds(made: dict[str, OnnxEvaluator], planes: np.ndarray, seconds: float) -> dict[str, float]:
    """Positions a second of each."""
    taken: dict[str, list[float]] = {name: [] for name in made}
    for _ in range(max(1, round(seconds / TURN))):
        for name, evaluator in made.items():
            evaluator.evaluate(planes)
            end = time.perf_counter() + TURN
            while (start := time.perf_counter()) < end:
                evaluator.evaluate(planes)
                taken[name].append(time.perf_counter() - start)
    return {name: len(planes) / float(np.median(times)) for name, times in taken.items()}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("shapes", nargs="*", default=["6x64"])
    parser.add_argument("--size", type=int, default=15)
    parser.add_argument("--planes", type=int, default=16)
    parser.add_argument("--batches", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--seconds", type=float, default=1.0)
    options = parser.parse_args()
    torch.set_num_threads(1)
    rng = np.random.default_rng(1)
    print("positions/s on one thread".ljust(32) + "".join(f"batch {batch}".rjust(20) for batch in options.batches))
    for shape in options.shapes:
        config = config_of(shape, options.size, options.planes)
        positions = (rng.random((max(32, *options.batches), config.planes, config.size, config.size)) < 0.2).astype(
            "u1"
        )
        made = evaluators(config, positions[:32])
        columns = [speeds(made, positions[:batch], options.seconds) for batch in options.batches]
        for name in made:
            cells = [f"{column[name]:,.0f}  x{column[name] / column['float32']:.2f}" for column in columns]
            print(f"{shape:8}{name:24}" + "".join(cell.rjust(20) for cell in cells), flush=True)


if __name__ == "__main__":
    with plain_errors():
        main()
