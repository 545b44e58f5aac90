"""Teaching the nets that read pictures, on pictures that are drawn while they learn."""

from __future__ import annotations

import json
import math
import time
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from tengen.train.devices import choose_device
from tengen.train.run import RunError
from tengen.train.settings import ConfigError
from tengen.train.vision.config import VisionConfig
from tengen.train.vision.drawers import Drawers
from tengen.train.vision.see_nets import make_nets, onnx_bytes
from tengen.train.vision.see_samples import ANYTHING, CORNER_CELLS, Board, Sample
from tengen.train.weights import fitting
from tengen.vision.points import BLACK, WHITE

#: Samples there are before the first step.
_FIRST_SAMPLES = 64
#: Steps from one log entry and checkpoint to the next.
_STEPS_AT_ONCE = 50
_TENSORS = "see.safetensors"  # in a checkpoint


class Memory:
    """The newest samples, of which each step takes some."""

    def __init__(self, capacity: int) -> None:
        self._samples: deque[Sample] = deque(maxlen=capacity)
        self._boards: dict[int, deque[Board]] = defaultdict(lambda: deque(maxlen=max(2, capacity // 8)))
        self.drawn = 0  # samples there have been

    def add(self, samples: list[Sample]) -> None:
        """Remember these; the oldest are forgotten."""
        self._samples.extend(samples)
        self.drawn += len(samples)
        for sample in samples:
            for board in sample.boards:
                self._boards[len(board.labels)].append(board)

    def pick(self, rng: np.random.Generator, count: int) -> list[Sample]:
        """Some samples."""
        return [self._samples[i] for i in rng.integers(len(self._samples), size=count)]

    def pick_boards(self, rng: np.random.Generator, count: int) -> list[Board]:
        """Some boards, all of one size."""
        sizes = sorted(self._boards)
        weights = np.array([len(self._boards[size]) for size in sizes], float)
        shelf = self._boards[sizes[int(rng.choice(len(sizes), p=weights / weights.sum()))]]
        return [shelf[i] for i in rng.integers(len(shelf), size=count)]


@dataclass(frozen=True)
class Turn:
    """One of the eight ways to look at a square: some quarters counter-clockwise, and then perhaps mirrored."""

    quarters: int
    mirrored: bool

    @classmethod
    def drawn(cls, rng: np.random.Generator) -> Turn:
        """Any of them. A whole batch is turned alike, where it is learned from: that costs nothing on a GPU."""
        return cls(int(rng.integers(4)), bool(rng.random() < 0.5))

    def turned(self, maps: Tensor) -> Tensor:
        """Maps [n, h, w, ...] turned."""
        turned = torch.rot90(maps, self.quarters, (1, 2))
        return turned.flip(2) if self.mirrored else turned

    def corners(self, corners: Any) -> Any:
        """Corners [n, 4, 2] in cells of a map where they come to be, in their order again."""
        last = CORNER_CELLS - 1
        for _ in range(self.quarters):  # the top right corner comes to the top left
            corners = np.stack([corners[..., 1], last - corners[..., 0]], -1)[:, [1, 2, 3, 0]]
        if self.mirrored:
            corners = np.stack([last - corners[..., 0], corners[..., 1]], -1)[:, [1, 0, 3, 2]]
        return corners


def corner_loss(net: nn.Module, samples: list[Sample], turn: Turn) -> Tensor:
    """How far the maps of the corners are from one hill on each corner."""
    boards = [one for one in samples if one.corners is not None]
    if not boards:  # pictures of other things only
        return 0 * next(net.parameters()).sum()
    maps = net(_pixels(net, [one.view for one in boards], turn)).float()
    corners = turn.corners(np.stack([one.corners for one in boards if one.corners is not None]))
    wanted = _tensor(net, np.stack([_hills(four) for four in corners]))
    return -(wanted * functional.log_softmax(maps.flatten(2), 2)).sum(2).mean()


def _hills(corners: Any, width: float = 0.7) -> Any:
    cells = np.arange(CORNER_CELLS, dtype=np.float32)
    across = np.exp(-((cells[None] - corners[:, :1]) ** 2) / (2 * width**2))
    down = np.exp(-((cells[None] - corners[:, 1:]) ** 2) / (2 * width**2))
    hills = (down[:, :, None] * across[:, None]).reshape(4, -1) + 1e-12
    return (hills / hills.sum(1, keepdims=True)).astype(np.float32)


def lattice_loss(net: nn.Module, samples: list[Sample], turn: Turn, rng: np.random.Generator) -> Tensor:
    """How far the map of the crossings is from theirs."""
    frames = _pixels(net, [sample.frame for sample in samples], turn)
    inverted = _tensor(net, rng.random(len(samples)) < 0.15)[:, None, None, None]
    frames = torch.where(inverted, 255 - frames, frames)
    wanted = turn.turned(_tensor(net, np.stack([sample.heat for sample in samples])))[:, None].float() / 255
    # Most of a map is no crossing.
    return functional.binary_cross_entropy_with_logits(net(frames).float(), wanted, weight=1 + 4 * wanted)


def point_loss(net: nn.Module, boards: list[Board], turn: Turn) -> tuple[Tensor, Tensor]:
    """How far what the net sees on places is from what is there, and the share that it sees right."""
    images = _pixels(net, [board.image for board in boards], turn)
    places, kinds = (out.float() for out in net(images, _tensor(net, np.stack([board.background for board in boards]))))
    wanted = turn.turned(_tensor(net, np.stack([board.labels for board in boards]))).long()
    known = wanted != ANYTHING
    right = ((places.argmax(1) == wanted) & known).sum() / known.sum()
    # Most places are empty or none.
    weights = 1 + ((wanted == BLACK) | (wanted == WHITE)).float()
    losses = functional.cross_entropy(places, wanted, ignore_index=ANYTHING, reduction="none")
    loss = (weights * losses).sum() / known.sum()
    kind = np.array([board.kind for board in boards])
    if (kind != ANYTHING).any():
        loss = loss + 0.1 * functional.cross_entropy(kinds, _tensor(net, kind), ignore_index=ANYTHING)
    return loss, right


def _tensor(net: nn.Module, array: Any) -> Tensor:
    """An array on a net's device."""
    return torch.from_numpy(np.ascontiguousarray(array)).to(next(net.parameters()).device)


def _pixels(net: nn.Module, images: list[Any], turn: Turn) -> Tensor:
    """Images [h, w, 3] turned, as a net's input [n, 3, h, w], which lies in memory as they do: channels last."""
    return turn.turned(_tensor(net, np.stack(images))).contiguous().permute(0, 3, 1, 2).float()


class SeeLesson:
    """The nets, their optimisers and what they learn from: the trainer's lesson of kind ``see``."""

    def __init__(self, config: VisionConfig) -> None:
        self._settings, self._seed = config.see, config.run.seed
        torch.set_num_threads(config.see.threads)
        device = choose_device(config.see.device, "see.device")
        self.nets = {name: net.to(device) for name, net in make_nets(self._seed).items()}
        if not config.see.nets or not set(config.see.nets) <= set(self.nets):
            raise ConfigError(f"see.nets: one or more of {', '.join(self.nets)}")
        self._optimisers: dict[str, torch.optim.Optimizer] = {
            name: torch.optim.AdamW(self.nets[name].parameters(), lr=config.see.rate, weight_decay=config.see.decay)
            for name in config.see.nets
        }
        # A processor that has bfloat16 learns nearly twice as fast with it.
        coarse = config.see.bfloat16 and (device.type == "cuda" or torch.cpu._is_avx512_bf16_supported())
        self._rounding = torch.autocast(device.type, torch.bfloat16, enabled=coarse)
        self._memory = Memory(config.see.memory)
        self._drawers: Drawers | None = None
        self._stopped = False
        self._step = 0
        self._seconds = 0.0
        self._drawn = 0  # in earlier sittings
        self._inherited = {"steps": 0, "pictures": 0}  # what the weights that it began with had learned from
        self._losses: dict[str, float] = {}

    def share(self) -> float:
        """How much of the lesson is over, from 0 to 1."""
        settings = self._settings
        by_time = self._seconds / (60 * settings.minutes) if settings.minutes else 0.0
        return min(1.0, max(self._step / settings.steps, by_time))

    def learn(self) -> tuple[int, dict[str, float]]:
        """Some steps; returns how many, and the mean losses."""
        settings, begun = self._settings, time.monotonic()
        if self._drawers is None:  # a new sitting draws other pictures
            seed = self._seed + 7919 * self._step
            self._drawers = Drawers(settings.drawers, seed=seed, others=settings.others, photos=settings.photos)
            self._memory.add(self._drawers.take(_FIRST_SAMPLES))
        losses: list[dict[str, Tensor]] = []
        for _ in range(min(_STEPS_AT_ONCE, settings.steps - self._step)):
            self._memory.add(self._drawers.take(1))
            if self._stopped:
                break
            losses.append(self._learn_once())
        if losses:
            self._losses = {key: float(torch.stack([one[key] for one in losses]).mean()) for key in losses[-1]}
        self._seconds += time.monotonic() - begun
        if self._stopped or self.share() >= 1:
            self._drawers.close()
        return len(losses), {**self._losses, "drawn": self._drawn + self._memory.drawn}

    def stop(self) -> None:
        """Learn no more, and wait for no more pictures."""
        self._stopped = True
        if self._drawers is not None:
            self._drawers.stop()

    def _learn_once(self) -> dict[str, Tensor]:
        """One step; returns the losses, for which nothing waits."""
        settings = self._settings
        self._step += 1
        rng = np.random.default_rng([self._seed, self._step])
        rate, turn = self._rate(), Turn.drawn(rng)
        boards, samples = self._memory.pick_boards(rng, settings.boards), self._memory.pick(rng, settings.batch)
        losses: dict[str, Tensor] = {}
        seen: dict[str, Tensor] = {}
        with self._rounding:
            if "points" in settings.nets:
                losses["points"], seen["right"] = point_loss(self.nets["points"], boards, turn)
            if "corners" in settings.nets:
                losses["corners"] = corner_loss(self.nets["corners"], samples, turn)
            if "lattice" in settings.nets:  # dense, so fewer do
                losses["lattice"] = lattice_loss(self.nets["lattice"], samples[::2], turn, rng)
        for name, loss in losses.items():
            _descend(self.nets[name], self._optimisers[name], loss, rate)
        return {**{name: loss.detach() for name, loss in losses.items()}, **seen}

    def _rate(self) -> float:
        """The learning rate of this step; it falls by a cosine."""
        top = self._settings.rate * min(1.0, self._step / 50)
        return top * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * self.share())))

    def progress_words(self) -> str:
        """The losses."""
        return ", ".join(f"{key} {value:.3f}" for key, value in self._losses.items())

    def findings(self) -> str:
        """What it has come to; how well pictures are read is measured by ``benchmarks/vision.py``."""
        return f"{self._drawn + self._memory.drawn} pictures drawn; losses: {self.progress_words() or 'none yet'}"

    def prepare(self, folder: Path) -> None:
        """Nothing is needed before."""

    def weights(self) -> Iterable[Tensor]:
        """Those of all the nets."""
        return (tensor for net in self.nets.values() for tensor in net.state_dict().values())

    def write(self, folder: Path) -> None:
        """The nets as ONNX files, and all tensors that going on needs."""
        from safetensors.torch import save_file

        for name, net in self.nets.items():
            (folder / f"net-{name}.onnx").write_bytes(onnx_bytes(net, name=name, training=self._training()))
        save_file(self._tensors(), folder / _TENSORS, {"training": json.dumps(self._training())})

    def _training(self) -> dict[str, Any]:
        """How the nets were trained, as their files say it."""
        steps, pictures = self._step, self._drawn + self._memory.drawn
        before = self._inherited
        return {"method": "vision", "steps": before["steps"] + steps, "pictures": before["pictures"] + pictures}

    def state(self) -> dict[str, Any]:
        """How far it is."""
        drawn = self._drawn + self._memory.drawn
        return {"step": self._step, "seconds": self._seconds, "drawn": drawn, "inherited": self._inherited}

    def start_from(self, path: str) -> None:
        """Begin with the weights of another run's ``see.safetensors``; raises ``RunError`` if they do not fit."""
        from safetensors import SafetensorError, safe_open

        try:
            with safe_open(path, "pt") as file:
                self._load_weights({key: file.get_tensor(key) for key in file.keys()})  # noqa: SIM118
                training = json.loads(file.metadata()["training"])
            self._inherited = {key: int(training[key]) for key in self._inherited}
        except (OSError, SafetensorError, KeyError, TypeError, ValueError, RuntimeError) as error:
            raise RunError(f"{path} has no weights of these nets: {error}") from None

    def resume(self, folder: Path, state: dict[str, Any]) -> None:
        """Go on from a checkpoint; raises ``RunError`` if it is of other nets."""
        from safetensors.torch import load_file

        with fitting(folder / _TENSORS):
            tensors = load_file(folder / _TENSORS)
            self._step, self._drawn = int(state["step"]), int(state["drawn"])
            self._seconds = float(state["seconds"])
            self._inherited = {key: int(state["inherited"][key]) for key in self._inherited}
            self._load(tensors)

    def _tensors(self) -> dict[str, Tensor]:
        kept: dict[str, Tensor] = {}
        for name, net in self.nets.items():
            kept |= {f"{name}.{key}": value.contiguous() for key, value in net.state_dict().items()}
        for name, optimiser in self._optimisers.items():
            for number, state in optimiser.state_dict()["state"].items():
                kept |= {f"{name}/{number}/{key}": value.contiguous() for key, value in state.items()}
        return kept

    def _load(self, tensors: Mapping[str, Tensor]) -> None:
        self._load_weights(tensors)
        for name, optimiser in self._optimisers.items():
            count = len(optimiser.param_groups[0]["params"]) if self._step else 0
            keys = ("step", "exp_avg", "exp_avg_sq")
            states = {n: {key: tensors[f"{name}/{n}/{key}"] for key in keys} for n in range(count)}
            optimiser.load_state_dict({**optimiser.state_dict(), "state": states})

    def _load_weights(self, tensors: Mapping[str, Tensor]) -> None:
        for name, net in self.nets.items():
            net.load_state_dict({key: tensors[f"{name}.{key}"] for key in net.state_dict()})


def _descend(net: nn.Module, optimiser: torch.optim.Optimizer, loss: Tensor, rate: float) -> None:
    for group in optimiser.param_groups:
        group["lr"] = rate
    optimiser.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimiser.step()
