"""The network that learns the values of moves: one step is a few lines, and here they are."""

from __future__ import annotations

import copy
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional

from tengen.games import Game
from tengen.nets.config import NetConfig
from tengen.nets.network import build
from tengen.train.dqn.config import LearnSettings
from tengen.train.dqn.replay import Replay, Rows
from tengen.train.dqn.values import next_values, q_values
from tengen.train.run import RunError


class Learner:
    """A network, its target, its average that plays, and the memory that it learns from."""

    def __init__(
        self, config: NetConfig, settings: LearnSettings, game: Game, *, seed: int, device: torch.device
    ) -> None:
        torch.manual_seed(seed)
        self.settings, self.device = settings, device
        self.net = build(config).to(device)
        self.target = copy.deepcopy(self.net).eval().requires_grad_(False)
        self.average = copy.deepcopy(self.net).eval().requires_grad_(False)
        self.replay = Replay(
            settings.memory,
            (config.planes, config.size, config.size),
            config.actions(),
            device,
            priority=settings.priority,
        )
        self.rival = self  # whose values count at the rival's turn; S2 has another learner there
        self.steps = 0
        self._optimizer = torch.optim.AdamW(self.net.parameters(), lr=settings.rate, weight_decay=settings.weight_decay)
        self._maps = torch.tensor(game.symmetry_maps(), device=device)
        self._generator = torch.Generator(device).manual_seed(seed)

    def learn(self, rate: float, correction: float) -> tuple[float, float]:
        """Learn from one batch; returns the loss and the mean value of the moves learned from."""
        at, rows, chance = self.replay.sample(self.settings.batch, self._generator)
        if self.settings.symmetry:
            rows = self._turned(rows)
        # 1. What the moves turned out to be worth.
        target = self._targets(rows)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        # Rows that are drawn more often than others count less.
        weights = chance**-correction / (chance**-correction).max()
        self.net.train()
        mask = torch.ones_like(rows.next_mask)  # of the moves here only the one played matters
        for _ in range(self.settings.epochs):
            # 2. What the network says.
            values = q_values(self.net, rows.planes, mask).gather(1, rows.action[:, None])[:, 0]
            # 3. A step towards it.
            loss = (functional.smooth_l1_loss(values, target, reduction="none") * weights).mean()
            self._optimizer.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.settings.clip, error_if_nonfinite=False)
            self._optimizer.step()
        self.steps += 1
        self.replay.set_errors(at, (values - target).detach())
        if self.steps % self.settings.target_every == 0:
            self.target.load_state_dict(self.net.state_dict())
        self._average_in()
        return float(loss.detach()), float(values.detach().mean())

    def _targets(self, rows: Rows) -> Tensor:
        """Reward plus what follows: ours, or with a negative scale the rival's."""
        mask = rows.next_mask if self.settings.next_mask else torch.ones_like(rows.next_mask)
        mine = rows.scale > 0
        value = torch.zeros_like(rows.reward)
        for learner, chosen in ((self, mine), (self.rival, rows.scale < 0)):
            if chosen.any():
                learner.net.eval()
                value[chosen] = next_values(
                    learner.net, learner.target, rows.next_planes[chosen], mask[chosen], double=self.settings.double
                )
        return rows.reward + rows.scale * value

    def _turned(self, rows: Rows) -> Rows:
        """Each row by one of the eight symmetries."""
        maps = self._maps[torch.randint(8, (len(rows.action),), generator=self._generator, device=self.device)]
        cells = rows.planes.shape[2] * rows.planes.shape[3]

        def turn(planes: Tensor) -> Tensor:
            here = maps[:, None, :cells].expand(-1, planes.shape[1], -1)
            return planes.flatten(2).gather(2, here).view_as(planes)

        # Cell i of the turned board comes from cell maps[i], so a move goes the other way.
        action = torch.argsort(maps, 1).gather(1, rows.action[:, None])[:, 0]
        return rows._replace(
            planes=turn(rows.planes),
            action=action,
            next_planes=turn(rows.next_planes),
            next_mask=rows.next_mask.gather(1, maps),
        )

    @torch.no_grad()
    def _average_in(self) -> None:
        memory = min(self.settings.average, (1 + self.steps) / (10 + self.steps))
        mine, theirs = self.average.state_dict(), self.net.state_dict()
        for name, tensor in mine.items():
            if tensor.is_floating_point():
                tensor.lerp_(theirs[name], 1 - memory)
            else:
                tensor.copy_(theirs[name])

    # --- files ---

    def save(self, folder: Path, name: str) -> None:
        """Write everything that the next sitting needs: two files, ``name`` and the memory beside it."""
        from safetensors.torch import save_file

        tensors: dict[str, Tensor] = {"generator": self._generator.get_state()}
        for part in ("net", "target", "average"):
            tensors |= {f"{part}.{key}": value for key, value in getattr(self, part).state_dict().items()}
        for name_of, parameter in self.net.named_parameters():
            memory = self._optimizer.state[parameter]
            tensors |= {f"optimizer.{key}.{name_of}": value for key, value in memory.items()}
        kept = {key: value.detach().cpu().contiguous().clone() for key, value in tensors.items()}
        save_file(kept, folder / f"{name}.safetensors", {"steps": str(self.steps)})
        memory_of = {key: value.cpu().contiguous().clone() for key, value in self.replay.state().items()}
        save_file(memory_of, folder / f"{name}-memory.safetensors")

    def load(self, folder: Path, name: str) -> None:
        """Go on from what ``save`` wrote, the memory only where it is there; raises ``RunError`` if it is not ours."""
        from safetensors import SafetensorError, safe_open
        from safetensors.torch import load_file

        path = folder / f"{name}.safetensors"
        try:
            with safe_open(path, "pt") as file:
                tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
                self.steps = int(file.metadata()["steps"])
            for part in ("net", "target", "average"):
                mine = {key.removeprefix(f"{part}."): t for key, t in tensors.items() if key.startswith(f"{part}.")}
                getattr(self, part).load_state_dict(mine)
            for key, parameter in self.net.named_parameters():
                for what in ("step", "exp_avg", "exp_avg_sq"):
                    if (value := tensors.get(f"optimizer.{what}.{key}")) is not None:
                        self._optimizer.state[parameter][what] = value if what == "step" else value.to(self.device)
            memory = folder / f"{name}-memory.safetensors"
            if memory.exists():
                self.replay.load(load_file(memory))
        except (OSError, SafetensorError, RuntimeError, KeyError, ValueError) as error:
            raise RunError(f"{path} does not fit this run: {error}") from None
        draws = tensors["generator"]
        if draws.shape == self._generator.get_state().shape:  # else from another kind of device
            self._generator.set_state(draws)
