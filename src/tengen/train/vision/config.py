"""The settings of a run that learns to read pictures: S1's recogniser, or the nets of ``tengen see``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tengen.train.settings import from_dict, merged, parse_assignment, preset_values, setting

#: The settings that let a run go on for longer.
LIMITS = "s1.epochs=N, see.steps=N or see.minutes=M"


@dataclass(frozen=True, kw_only=True)
class S1Settings:
    """S1's recogniser, which knows its own drawing of a 15x15 board."""

    pool: str = setting(
        "average",
        "how the four corners of a block become one: average, or as S1 suggests max",
        among=("average", "max"),
    )
    train: int = setting(128, "boards learned from", least=1, most=10_000)
    validation: int = setting(32, "boards looked at after every epoch", least=1, most=10_000)
    test: int = setting(32, "boards looked at in the end", least=1, most=10_000)
    batch: int = setting(8, "boards in a step", least=1, most=1024)
    rate: float = setting(0.05, "learning rate of plain gradient descent", least=0, most=10)
    epochs: int = setting(10, "how often each board is learned from", least=1, most=10_000)
    save_boards: bool = setting(False, "write the pictures and, as .npy, their labels into the run folder")


@dataclass(frozen=True, kw_only=True)
class SeeSettings:
    """The nets of ``tengen see``, which learn from pictures that are drawn while they learn."""

    nets: list[str] = setting(
        ["corners", "lattice", "points"], "which nets learn; others stay as the run begins with them"
    )
    steps: int = setting(4000, "learning steps", least=1, most=1_000_000)
    minutes: float = setting(0.0, "minutes of learning, if not so many steps fit in; 0: no limit", least=0)
    batch: int = setting(16, "pictures in a step", least=2, most=1024)
    boards: int = setting(12, "boards seen from above in a step, all of one size", least=2, most=1024)
    rate: float = setting(3e-3, "learning rate; it falls by a cosine", least=0, most=1)
    decay: float = setting(1e-3, "weight decay", least=0, most=1)
    memory: int = setting(1024, "pictures of the newest that are learned from", least=1, most=1 << 20)
    others: float = setting(0.12, "share of pictures that show no board", least=0, most=0.9)
    photos: float = setting(0.5, "share of the boards that are photos, not screenshots", least=0, most=1)
    drawers: int = setting(1, "processes that draw", least=1, most=64)
    threads: int = setting(1, "threads that learn, on a processor", least=1, most=64)
    bfloat16: bool = setting(False, "learn in bfloat16, where the processor has it")
    device: str = setting("auto", "auto, cpu, cuda or cuda:N")


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """Seed, and what is kept."""

    seed: int = setting(0, "of the pictures, the weights and the batches", least=0, most=2**53)
    keep: int = setting(2, "checkpoints kept", least=1, most=1000)


@dataclass(frozen=True, kw_only=True)
class VisionConfig:
    """A whole run."""

    kind: str = setting("s1", "what learns: s1, S1's recogniser; see, the nets of `tengen see`", among=("s1", "see"))
    s1: S1Settings = field(default_factory=S1Settings)
    see: SeeSettings = field(default_factory=SeeSettings)
    run: RunSettings = field(default_factory=RunSettings)


def load_preset(name: str, assignments: Iterable[str] = ()) -> VisionConfig:
    """A preset by name, or a TOML file by its path, with changes such as ``s1.pool=max``."""
    return make_config(preset_values("vision", name), assignments)


def make_config(values: Mapping[str, Any], assignments: Iterable[str] = ()) -> VisionConfig:
    """A configuration from nested mappings and changes."""
    for text in assignments:
        values = merged(values, parse_assignment(text))
    return from_dict(VisionConfig, values)
