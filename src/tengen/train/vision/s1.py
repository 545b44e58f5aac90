"""S1's recogniser: one convolution, one pooling, one linear layer, over its own pictures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from tengen.train.run import RunError
from tengen.train.vision.config import VisionConfig
from tengen.train.weights import fitting
from tengen.vision import s1

_NET = "net.safetensors"
_SETS = ("train", "validation", "test")


class S1Net(nn.Module):
    """Convolution 3 -> 6 of 20x20 in steps of 20, so that a block becomes 2x2; pooling to 1; linear 6 -> 3."""

    def __init__(self, pool: str) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 6, s1.BLOCK // 2, s1.BLOCK // 2)
        self.pool = nn.MaxPool2d(2) if pool == "max" else nn.AvgPool2d(2)
        self.linear = nn.Linear(6, 3)

    def forward(self, pictures: Tensor) -> Tensor:
        """``[n, 3, 600, 600]`` of 0..1 -> logits ``[n, 15, 15, 3]``: empty, black, white."""
        logits: Tensor = self.linear(self.pool(self.conv(pictures)).permute(0, 2, 3, 1))
        return logits


@dataclass(frozen=True)
class Right:
    """How much was read right."""

    points: int
    of_points: int
    boards: int
    of_boards: int

    def in_words(self) -> str:
        """For people."""
        return f"{self.points} of {self.of_points} points, {self.boards} of {self.of_boards} boards right"


class S1Lesson:
    """S1's training: some epochs of gradient descent; each call of ``learn`` is an epoch."""

    def __init__(self, config: VisionConfig) -> None:
        self.settings, self._seed = config.s1, config.run.seed
        rng = np.random.default_rng([self._seed, 0])
        self.cells = {name: s1.random_cells(rng, getattr(self.settings, name)) for name in _SETS}
        self._pictures: dict[str, NDArray[np.uint8]] = {}  # drawn when they are asked for
        torch.manual_seed(self._seed)
        self.net = S1Net(self.settings.pool)
        self.epochs = 0
        self._words = ""

    def share(self) -> float:
        """How many of the epochs are over."""
        return min(1.0, self.epochs / self.settings.epochs)

    def learn(self) -> tuple[int, dict[str, float]]:
        """An epoch, and a look at the validation set."""
        # The order is drawn from the epoch's number: a resumed run takes the same.
        order = np.random.default_rng([self._seed, 1 + self.epochs]).permutation(self.settings.train)
        optimiser = torch.optim.SGD(self.net.parameters(), lr=self.settings.rate)
        losses = []
        for start in range(0, len(order), self.settings.batch):
            picked = order[start : start + self.settings.batch]
            wanted = torch.from_numpy(self.cells["train"][picked].astype(np.int64))
            logits = self.net(_planes(self.pictures("train")[picked]))
            loss = functional.cross_entropy(logits.flatten(0, 2), wanted.flatten())
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            losses.append(loss.item())
        self.epochs += 1
        seen = self.read("validation")
        self._words = f"epoch {self.epochs} of {self.settings.epochs}, loss {np.mean(losses):.4f}, {seen.in_words()}"
        metrics = {
            "epoch": self.epochs,
            "loss": float(np.mean(losses)),
            "validation_points": seen.points / seen.of_points,
            "validation_boards": seen.boards / seen.of_boards,
        }
        return len(losses), metrics

    def stop(self) -> None:
        """An epoch takes two seconds: it is ended."""

    def pictures(self, name: str) -> NDArray[np.uint8]:
        """The cropped pictures of a set: ``[n, 600, 600, 3]``."""
        if name not in self._pictures:
            self._pictures[name] = np.stack([s1.cropped(s1.draw_board(board)) for board in self.cells[name]])
        return self._pictures[name]

    def read(self, name: str) -> Right:
        """Read a set's pictures and count what is right."""
        pictures, cells = self.pictures(name), self.cells[name]
        with torch.no_grad():
            batches = (_planes(pictures[start : start + 8]) for start in range(0, len(cells), 8))
            read = [self.net(planes).argmax(3).numpy() for planes in batches]
        right = np.concatenate(read) == cells
        return Right(int(right.sum()), right.size, int(right.all(axis=(1, 2)).sum()), len(cells))

    def progress_words(self) -> str:
        """How it stands."""
        return self._words

    def findings(self) -> str:
        """What is right in each of the three sets."""
        return "\n".join(f"{name}: {self.read(name).in_words()}" for name in _SETS)

    def prepare(self, folder: Path) -> None:
        """Write the data set, if that is asked for."""
        if self.settings.save_boards:
            for name in _SETS:
                s1.save_boards(folder / "boards" / name, self.cells[name])

    def weights(self) -> Iterable[Tensor]:
        """Those of the one net."""
        return self.net.state_dict().values()

    def write(self, folder: Path) -> None:
        """Write the weights; plain gradient descent has no memory beside them."""
        from safetensors.numpy import save_file

        save_file({name: tensor.numpy() for name, tensor in self.net.state_dict().items()}, folder / _NET)

    def state(self) -> dict[str, Any]:
        """The epochs done."""
        return {"epochs": self.epochs}

    def start_from(self, path: str) -> None:
        """Begin with the weights in a file."""
        if not Path(path).is_file():
            raise RunError(f"there is no file {path}")
        self._load(Path(path), "weights of S1's recogniser")

    def resume(self, folder: Path, state: dict[str, Any]) -> None:
        """Go on with these weights."""
        self._load(folder / _NET, "the network that config.toml describes")
        try:
            self.epochs = int(state["epochs"])
        except (KeyError, TypeError, ValueError) as error:
            raise RunError(f"{folder} is no checkpoint of S1's recogniser: {error}") from None

    def _load(self, path: Path, wanted: str) -> None:
        from safetensors.torch import load_file

        with fitting(path, wanted):
            self.net.load_state_dict(load_file(path))


def _planes(pictures: NDArray[np.uint8]) -> Tensor:
    """``[n, 600, 600, 3]`` of 0..255 -> ``[n, 3, 600, 600]`` of 0..1."""
    return torch.from_numpy(pictures).permute(0, 3, 1, 2).float().mul_(1 / 255)
