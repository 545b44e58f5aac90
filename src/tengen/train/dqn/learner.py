"""The network that learns the values of moves: one step is a few lines, and here they are."""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from tengen.games import Game
from tengen.nets.config import NetConfig
from tengen.nets.network import Net, build
from tengen.train.dqn.config import LearnSettings
from tengen.train.dqn.replay import Replay, Rows
from tengen.train.dqn.values import best_moves, next_values, q_values
from tengen.train.weights import fitting

_ROWS_AHEAD = 1 << 13  # are drawn at once at most
_APART = 0.1  # values that differ by this are told apart: moves of won games are to be so much above the others


class Batch(NamedTuple):
    """Rows for one step. Those of won games come last; ``at`` is where in the memory the others are."""

    at: Tensor
    rows: Rows
    chance: Tensor  # of each to be drawn, relative to the mean


class Learner:
    """A network, its target, its average that plays, and the memory that it learns from."""

    def __init__(
        self, config: NetConfig, settings: LearnSettings, game: Game, *, seed: int, device: torch.device
    ) -> None:
        torch.manual_seed(seed)
        self.settings, self.device = settings, device
        self.net = build(config).to(device, memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.target = copy.deepcopy(self.net).eval().requires_grad_(False)
        self.average = copy.deepcopy(self.net).eval().requires_grad_(False)
        shape = (config.planes, config.size, config.size)
        self.replay = Replay(settings.memory, shape, config.actions(), device, priority=settings.priority)
        # Rows of games that scouts have won: seldom, and not to be washed away by the others.
        capacity = settings.memory if settings.won_share else 1
        self.won = Replay(capacity, shape, config.actions(), device, priority=0)
        self.rival = self  # whose values count at the rival's turn; S2 has another learner there
        self.steps = 0
        on_gpu = device.type == "cuda"
        self._rate = torch.tensor(0.0, device=device)
        self._optimizer = torch.optim.AdamW(
            self.net.parameters(), lr=self._rate, weight_decay=settings.weight_decay, fused=True, capturable=on_gpu
        )
        maps = torch.tensor(game.symmetry_maps())
        self._maps, self._inverse_maps = maps.to(device), maps.argsort(1).to(device)
        self._generator = torch.Generator(device).manual_seed(seed)
        self._drawn: deque[Batch] = deque()
        self._averaged = _numbers(self.average), _numbers(self.net)
        self._sums = torch.zeros(2, device=device)  # of losses and values
        self._summed = 0
        self._coarse = rounds(settings, on_gpu=on_gpu)
        self._loss = functional.mse_loss if settings.loss == "squared" else functional.smooth_l1_loss
        self._update = Recorded(self._step, device)
        self._best = Recorded(self.choose, device)

    def is_ready(self) -> bool:
        """Whether there is enough to learn from."""
        return self.replay.filled >= min(self.settings.least_rows, self.settings.memory)

    def learn(self, rate: float, correction: float, ahead: int = 1) -> None:
        """Learn from one batch. A GPU is only told to: nothing here waits for it.

        ``ahead``: so many steps, this one included, are taken before the memories change.
        """
        if not self._drawn:
            self._drawn.extend(self._draw(ahead))
        at, rows, chance = self._drawn.popleft()
        weights = chance
        if self.settings.priority:  # rows that are drawn more often than others count less
            weights = chance**-correction
            weights = weights / weights.max()
        self._rate.fill_(rate)
        # What is recorded for a GPU has rows of won games; so it must not be before there are some.
        update = self._update if self._won_rows() or not self.settings.won_share else self._step
        errors = update(weights, *rows)
        self.replay.set_errors(at, errors[: len(at)])
        self.steps += 1
        self._summed += 1
        if self.steps % self.settings.target_every == 0:
            self.target.load_state_dict(self.net.state_dict())
        self._average_in()

    def _draw(self, steps: int) -> Iterator[Batch]:
        """The batches of the next steps: all at once, which saves a GPU launches, if none needs another's errors."""
        steps = 1 if self.settings.priority else max(1, min(steps, _ROWS_AHEAD // self.settings.batch))
        won = self._won_rows()
        drawn = [self.replay.sample(steps * (self.settings.batch - won), self._generator)]
        if won:
            drawn.append(self.won.sample(steps * won, self._generator))
        at = _split(drawn[0][0], steps)
        *fields, chance = (
            torch.cat([_split(part, steps) for part in parts], 1)
            for parts in zip(*((*rows, chance) for _, rows, chance in drawn), strict=True)
        )
        rows = Rows(*(field.flatten(0, 1) for field in fields))
        if self.settings.symmetry:
            rows = self._turned(rows)
        each = (Rows(*parts) for parts in zip(*(_split(field, steps) for field in rows), strict=True))
        return (Batch(*parts) for parts in zip(at, each, chance, strict=True))

    def _step(self, weights: Tensor, *fields: Tensor) -> Tensor:
        """The step itself, on rows; returns how wrong the network was about them."""
        rows = Rows(*fields)
        # 1. What the moves turned out to be worth.
        with self._rounding():
            target = self._targets(rows)
        self.net.train()
        for _ in range(self.settings.epochs):
            # 2. What the network says.
            with self._rounding():
                of_all = q_values(self.net, rows.planes, rows.mask)
            values = of_all.gather(1, rows.action[:, None])[:, 0]
            # 3. A step towards it.
            loss = (self._loss(values, target, reduction="none") * weights).mean()
            if self.settings.imitate:
                loss = loss + self.settings.imitate * self._not_imitated(of_all, rows)
            self._optimizer.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.settings.clip, error_if_nonfinite=False)
            self._optimizer.step()
        self._sums += torch.stack((loss, values.mean())).detach()
        return (values - target).detach()

    def _not_imitated(self, of_all: Tensor, rows: Rows) -> Tensor:
        """How far moves of won games are from being the best: what nobody tried must not look better."""
        won = slice(len(of_all) - self._won_rows(), None)
        likely = of_all[won].masked_fill(~rows.mask[won], -torch.inf) / _APART
        return functional.cross_entropy(likely, rows.action[won], reduction="sum") / len(of_all)

    def _won_rows(self) -> int:
        share = round(self.settings.batch * self.settings.won_share)
        return min(share, self.settings.batch - 1) if self.won.filled else 0

    def _targets(self, rows: Rows) -> Tensor:
        """Reward plus what follows: ours, or with a negative scale the rival's."""
        mask = rows.next_mask if self.settings.next_mask else torch.ones_like(rows.next_mask)
        target = rows.reward.clone()
        follows = [(self, rows.scale)]
        if self.rival is not self:
            follows = [(self, rows.scale.clamp(min=0)), (self.rival, rows.scale.clamp(max=0))]
        for learner, scale in follows:
            at: Tensor | slice = slice(None)
            if self.device.type == "cpu":  # rows whose scale is 0 add nothing; but to find them is to wait for a GPU
                at = scale.nonzero()[:, 0]
                if not len(at):
                    continue
            learner.net.eval()
            value = next_values(
                learner.net, learner.target, rows.next_planes[at], mask[at], double=self.settings.double
            )
            target[at] += scale[at] * value
        return target

    def _turned(self, rows: Rows) -> Rows:
        """Each row by one of the eight symmetries."""
        which = torch.randint(8, (len(rows.action),), generator=self._generator, device=self.device)
        maps = self._maps[which]
        cells = rows.planes.shape[2] * rows.planes.shape[3]

        def turn(planes: Tensor) -> Tensor:
            here = maps[:, None, :cells].expand(-1, planes.shape[1], -1)
            return planes.flatten(2).gather(2, here).view_as(planes)

        return rows._replace(
            planes=turn(rows.planes),
            mask=rows.mask.gather(1, maps),
            # Cell i of the turned board comes from cell maps[i], so a move goes the other way.
            action=self._inverse_maps[which, rows.action],
            next_planes=turn(rows.next_planes),
            next_mask=rows.next_mask.gather(1, maps),
        )

    @torch.no_grad()
    def _average_in(self) -> None:
        memory = min(self.settings.average, (1 + self.steps) / (10 + self.steps))
        torch._foreach_lerp_(*self._averaged, 1 - memory)

    def metrics(self) -> dict[str, float]:
        """The mean loss, and the mean value of the moves learned from, since the last call; waits for the device."""
        if not self._summed:
            return {}
        loss, value = (self._sums / self._summed).tolist()
        self._sums.zero_()
        self._summed = 0
        return {"loss": loss, "value": value}

    # --- playing ---

    def best(self, planes: Tensor, mask: Tensor, *, final: bool = False) -> Tensor:
        """The best move of each position by the network that plays; ``final``: by the one that is saved, unrounded.

        Quick on a GPU if it is always asked for the same number of them.
        """
        if final:
            return _best_moves(self.average, planes, mask)
        return self._best(planes, mask)

    def choose(self, planes: Tensor, mask: Tensor) -> Tensor:
        """As ``best``, of any number of positions."""
        with self._rounding():
            return _best_moves(self.average if self.settings.average else self.net, planes, mask)

    def _rounding(self) -> torch.autocast:
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self._coarse, cache_enabled=False)

    # --- files ---

    def load_weights(self, net: Net) -> None:
        """Begin with the weights of another network."""
        for mine in (self.net, self.target, self.average):
            mine.load_state_dict(net.state_dict())

    def save(self, folder: Path, name: str) -> None:
        """Write everything that the next sitting needs: ``name`` and the memories beside it."""
        from safetensors.torch import save_file

        tensors: dict[str, Tensor] = {"generator": self._generator.get_state()}
        for part in ("net", "target", "average"):
            tensors |= {f"{part}.{key}": value for key, value in getattr(self, part).state_dict().items()}
        for name_of, parameter in self.net.named_parameters():
            state = self._optimizer.state[parameter]
            tensors |= {f"optimizer.{key}.{name_of}": value for key, value in state.items()}
        kept = {key: value.detach().to("cpu", copy=True).contiguous() for key, value in tensors.items()}
        save_file(kept, folder / f"{name}.safetensors", {"steps": str(self.steps)})
        for memory, path in self._memories(folder, name):
            save_file({key: value.to("cpu", copy=True) for key, value in memory.state().items()}, path)

    def _memories(self, folder: Path, name: str) -> list[tuple[Replay, Path]]:
        """The memories and their files: that of won games only where it is drawn from."""
        memories = [self.replay, self.won] if self.settings.won_share else [self.replay]
        return [(memory, folder / file) for memory, file in zip(memories, memory_files(name), strict=False)]

    def load(self, folder: Path, name: str) -> None:
        """Go on from what ``save`` wrote, the memory only where it is there; raises ``RunError`` if it is not ours."""
        from safetensors import safe_open
        from safetensors.torch import load_file

        path = folder / f"{name}.safetensors"
        with fitting(path):
            with safe_open(path, "pt") as file:
                tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
                self.steps = int(file.metadata()["steps"])
            for part in ("net", "target", "average"):
                mine = {key.removeprefix(f"{part}."): t for key, t in tensors.items() if key.startswith(f"{part}.")}
                getattr(self, part).load_state_dict(mine)
            for key, parameter in self.net.named_parameters():
                for what in ("step", "exp_avg", "exp_avg_sq"):
                    if (value := tensors.get(f"optimizer.{what}.{key}")) is not None:
                        # Laid out in memory as the parameter is.
                        like = torch.zeros((), device=self.device) if what == "step" else torch.zeros_like(parameter)
                        self._optimizer.state[parameter][what] = like.copy_(value)
            for memory, kept in self._memories(folder, name):
                if kept.exists():
                    memory.load(load_file(kept))
        draws = tensors["generator"]
        if draws.shape == self._generator.get_state().shape:  # else from another kind of device
            self._generator.set_state(draws)


def rounds(settings: LearnSettings, *, on_gpu: bool) -> bool:
    """Whether it computes in bfloat16: on a processor only if that is asked for, as a run should be the same on any."""
    if on_gpu:
        return settings.bfloat16 != "never"
    return settings.bfloat16 == "always" and torch.cpu._is_avx512_bf16_supported()


def memory_files(name: str) -> list[str]:
    """The files of a learner in a checkpoint that it can go on without."""
    return [f"{name}-memory.safetensors", f"{name}-won.safetensors"]


def _split(rows: Tensor, steps: int) -> Tensor:
    """So many parts of equal size."""
    return rows.view(steps, -1, *rows.shape[1:])


def _numbers(net: Net) -> list[Tensor]:
    """All that a network has learned, in place: its weights and running means."""
    return [tensor for tensor in net.state_dict().values() if tensor.is_floating_point()]


@torch.no_grad()
def _best_moves(net: Net, planes: Tensor, mask: Tensor) -> Tensor:
    net.eval()
    return best_moves(q_values(net, planes, mask), mask)


class Recorded:
    """A function of tensors. On a GPU it is recorded for one shape: its hundreds of kernels then cost one launch.

    What it changes it changes in place, and what it returns is overwritten by the next call.
    """

    def __init__(self, function: Callable[..., Tensor], device: torch.device) -> None:
        self._function = function
        self._early = 3 if device.type == "cuda" else -1  # calls before it: kernels are chosen, memory is made
        self._graph: torch.cuda.CUDAGraph | None = None
        self._inputs: list[Tensor] = []

    def __call__(self, *inputs: Tensor) -> Tensor:
        """What the function returns."""
        if self._early < 0:
            return self._function(*inputs)
        if self._early:
            self._early -= 1
            stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
            stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(stream):
                output = self._function(*inputs)
            torch.cuda.current_stream().wait_stream(stream)
            return output
        if self._graph is None:
            self._inputs = [tensor.clone() for tensor in inputs]
            self._graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self._graph):
                self._output = self._function(*self._inputs)
        if any(mine.shape != theirs.shape for mine, theirs in zip(self._inputs, inputs, strict=True)):
            return self._function(*inputs)
        torch._foreach_copy_(self._inputs, inputs)
        self._graph.replay()
        return self._output
