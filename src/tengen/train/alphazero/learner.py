"""The network that learns: one step after another, and the running average that plays."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional

from tengen.games import Game
from tengen.nets.config import NetConfig
from tengen.nets.network import Net, Outputs, build
from tengen.train.alphazero.config import LearnSettings
from tengen.train.alphazero.window import Batch
from tengen.train.weights import fitting

#: What a step reports, summed: losses, and what explained variance is made of.
METRICS = ("policy_loss", "value_loss", "reply_loss", "entropy", "result", "result2", "error", "error2")


class Learner:
    """Learns from batches. ``net`` learns, ``average`` is its running average, which plays."""

    def __init__(
        self, config: NetConfig, settings: LearnSettings, *, masked: bool, seed: int, device: torch.device
    ) -> None:
        torch.manual_seed(seed)
        self.device = device
        self.settings = settings
        self.net = build(config).to(device, memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.average: Net = copy.deepcopy(self.net).eval().requires_grad_(False)
        self.steps = 0
        self._masked = masked
        self._has_pass = config.passes
        self._rate = torch.tensor(0.0, device=device)
        self._optimizer = _adamw(self.net, settings, self._rate, device)
        game = Game.parse(f"{'othello' if config.passes else 'gomoku'}:size={config.size}")
        self._maps = torch.tensor(game.symmetry_maps()).to(device)
        self._cells = config.size**2
        self._generator = torch.Generator(device).manual_seed(seed)
        self._sums = torch.zeros(len(METRICS), device=device)
        self._summed = 0
        self._update: Callable[[Batch], None] = self._plain_update
        if device.type == "cuda":
            self._update = _GraphedUpdate(self)

    def learn(self, sample: Callable[[int, torch.Generator], Batch], rate: float) -> None:
        """Take one step on a fresh sample."""
        batch = sample(self.settings.batch, self._generator)
        if self.settings.symmetry:
            batch = self._turned(batch)
        self._rate.fill_(rate)
        if self.device.type != "cuda":
            for group in self._optimizer.param_groups:
                group["lr"] = rate
        self.net.train()
        self._update(batch)
        self.steps += 1
        self._summed += 1
        self._average_in()

    def metrics(self) -> dict[str, float]:
        """The means since the last call; waits for the device."""
        if not self._summed:
            return {}
        sums = dict(zip(METRICS, (self._sums / self._summed).tolist(), strict=True))
        self._sums.zero_()
        self._summed = 0
        variance = sums["result2"] - sums["result"] ** 2
        explained = 1 - (sums["error2"] - sums["error"] ** 2) / variance if variance > 1e-6 else 0.0
        means = {name: sums[name] for name in ("policy_loss", "value_loss", "reply_loss", "entropy")}
        return {**means, "explained_variance": explained}

    @torch.no_grad()
    def policy(self, planes: Tensor) -> Tensor:
        """Log-probabilities of the moves by the learning network."""
        self.net.eval()
        return functional.log_softmax(self.net(planes, masked=self._masked).policy.float(), 1)

    # --- one step ---

    def _plain_update(self, batch: Batch) -> None:
        self._optimizer.zero_grad(set_to_none=True)
        loss = self._loss(batch)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.settings.clip, error_if_nonfinite=False)
        self._optimizer.step()

    def _loss(self, batch: Batch) -> Tensor:
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda", cache_enabled=False):
            outputs = self.net(batch.planes.contiguous(memory_format=torch.channels_last), masked=self._masked)
        target = batch.policy.float()
        log_policy = functional.log_softmax(outputs.policy.float(), 1)
        policy_loss = -(target * log_policy).sum(1).mean()
        result = batch.result.float()
        mixed = result + self.settings.value_mix * (batch.value - result)
        value_loss, value = _value_loss(outputs, batch, mixed, self.settings.value_mix)
        loss = policy_loss + self.settings.value_weight * value_loss
        reply_loss = torch.zeros((), device=self.device)
        if outputs.reply is not None and self.settings.reply_weight:
            known = (batch.reply >= 0).float()
            losses = functional.cross_entropy(outputs.reply.float(), batch.reply.long().clamp(min=0), reduction="none")
            reply_loss = (losses * known).sum() / known.sum().clamp(min=1)
            loss = loss + self.settings.reply_weight * reply_loss
        with torch.no_grad():
            entropy = -(log_policy.exp() * log_policy).sum(1).mean()
            error = result - value
            parts = (
                policy_loss,
                value_loss,
                reply_loss,
                entropy,
                result.mean(),
                (result**2).mean(),
                error.mean(),
                (error**2).mean(),
            )
            self._sums += torch.stack(parts)
        return loss

    def _turned(self, batch: Batch) -> Batch:
        """Each row by one of the eight symmetries."""
        count = len(batch.result)
        maps = self._maps[torch.randint(8, (count,), generator=self._generator, device=self.device)]
        cells = maps[:, : self._cells]
        planes = batch.planes.flatten(2).gather(2, cells[:, None].expand(-1, batch.planes.shape[1], -1))
        # Cell i of the turned board comes from cell maps[i], so a move goes the other way.
        inverse = torch.argsort(maps, 1)
        reply = batch.reply.long()
        turned = inverse.gather(1, reply.clamp(min=0)[:, None])[:, 0]
        return batch._replace(
            planes=planes.view_as(batch.planes),
            policy=batch.policy.gather(1, maps),
            reply=torch.where(reply >= 0, turned, reply).to(batch.reply.dtype),
        )

    @torch.no_grad()
    def _average_in(self) -> None:
        # A young average forgets faster, or it would play like the first weights for long.
        memory = min(self.settings.average, (1 + self.steps) / (10 + self.steps))
        mine = [t for t in self.average.state_dict().values() if t.is_floating_point()]
        theirs = [t for t in self.net.state_dict().values() if t.is_floating_point()]
        torch._foreach_lerp_(mine, theirs, 1 - memory)

    # --- files ---

    def save(self, path: Path) -> None:
        """Write the learning weights, their average and the optimizer's memory."""
        from safetensors.torch import save_file

        tensors = {f"net.{name}": tensor for name, tensor in self.net.state_dict().items()}
        tensors |= {f"average.{name}": tensor for name, tensor in self.average.state_dict().items()}
        tensors["generator"] = self._generator.get_state()
        names = {parameter: name for name, parameter in self.net.named_parameters()}
        for parameter, memory in self._optimizer.state.items():
            for key, value in memory.items():
                tensors[f"optimizer.{key}.{names[parameter]}"] = value
        save_file(
            {name: t.detach().cpu().contiguous() for name, t in tensors.items()}, path, {"steps": str(self.steps)}
        )

    def load(self, path: Path) -> None:
        """Go on from a file that ``save`` wrote; raises ``RunError`` for another network's."""
        from safetensors import safe_open

        with fitting(path):
            with safe_open(path, "pt") as file:
                tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
                self.steps = int(file.metadata()["steps"])
            self.net.load_state_dict({n.removeprefix("net."): t for n, t in tensors.items() if n.startswith("net.")})
            self.average.load_state_dict(
                {n.removeprefix("average."): t for n, t in tensors.items() if n.startswith("average.")}
            )
        draws = tensors.get("generator")
        if draws is not None and draws.shape == self._generator.get_state().shape:  # else from another kind of device
            self._generator.set_state(draws)
        with torch.no_grad():
            for name, parameter in self.net.named_parameters():
                memory = self._optimizer.state[parameter]
                for key in ("step", "exp_avg", "exp_avg_sq"):
                    value = tensors.get(f"optimizer.{key}.{name}")
                    if value is None:
                        continue
                    if key == "step":
                        memory[key] = value.to(self.device if self.device.type == "cuda" else "cpu")
                    else:  # laid out in memory as the parameter is
                        memory[key] = torch.zeros_like(parameter, memory_format=torch.preserve_format).copy_(value)

    def load_weights(self, net: Net) -> None:
        """Begin from the weights of another network of the same shape."""
        self.net.load_state_dict(net.state_dict())
        self.average.load_state_dict(net.state_dict())


def _value_loss(outputs: Outputs, batch: Batch, mixed: Tensor, mix: float) -> tuple[Tensor, Tensor]:
    """The loss of the value head against results mixed with the search's values; and its values."""
    if outputs.value is not None:
        value = outputs.value.float()
        return functional.mse_loss(value, mixed), value
    assert outputs.wdl is not None
    logits = outputs.wdl.float()
    result = batch.result.float()
    certain = torch.stack((result.clamp(min=0), 1 - result.abs(), (-result).clamp(min=0)), 1)
    guess = batch.value.clamp(-1, 1)
    guessed = torch.stack(((1 + guess) / 2, torch.zeros_like(guess), (1 - guess) / 2), 1)
    target = certain + mix * (guessed - certain)
    loss = -(target * functional.log_softmax(logits, 1)).sum(1).mean()
    probabilities = logits.softmax(1)
    return loss, probabilities[:, 0] - probabilities[:, 2]


def _adamw(net: Net, settings: LearnSettings, rate: Tensor, device: torch.device) -> torch.optim.AdamW:
    kernels = [p for p in net.parameters() if p.dim() > 1]
    others = [p for p in net.parameters() if p.dim() <= 1]
    groups = [{"params": kernels, "weight_decay": settings.weight_decay}, {"params": others, "weight_decay": 0.0}]
    on_gpu = device.type == "cuda"
    return torch.optim.AdamW(groups, lr=rate if on_gpu else 0.0, fused=on_gpu, capturable=on_gpu)


class _GraphedUpdate:
    """A step on a GPU, recorded once: its hundreds of small kernels cost one launch."""

    def __init__(self, learner: Learner) -> None:
        self._learner = learner
        self._graph: torch.cuda.CUDAGraph | None = None
        self._batch: Batch | None = None
        self._early = 0

    def __call__(self, batch: Batch) -> None:
        if self._graph is None:
            if self._early < 3:  # kernels are chosen and the optimizer's memory is made
                self._early += 1
                stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
                stream.wait_stream(torch.cuda.current_stream())
                with torch.cuda.stream(stream):
                    self._learner._plain_update(batch)
                torch.cuda.current_stream().wait_stream(stream)
                return
            self._batch = Batch(*(tensor.clone() for tensor in batch))
            self._learner._optimizer.zero_grad(set_to_none=True)
            self._graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self._graph):
                self._learner._plain_update(self._batch)
        assert self._batch is not None
        for mine, theirs in zip(self._batch, batch, strict=True):
            mine.copy_(theirs)
        self._graph.replay()
