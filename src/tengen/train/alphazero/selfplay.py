"""Games against oneself: two pools of them take turns with the network."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import fields

import numpy as np
import torch

from tengen.games import Game
from tengen.nets.config import NetConfig
from tengen.train.alphazero.config import SelfPlaySettings
from tengen.train.alphazero.playing import CpuNet, GpuNet, PlayingNet
from tengen.train.alphazero.window import Games, pool_class
from tengen.train.devices import cores

_NOT_FOR_THE_CORE = {"games", "threads", "int8", "opposition", "opposition_threshold", "opposition_adapts"}


class SelfPlay:
    """Two pools: while the network judges one's positions, the other's trees are walked."""

    def __init__(
        self,
        games: Sequence[Game],
        weights: Sequence[float],
        config: NetConfig,
        settings: SelfPlaySettings,
        *,
        seed: int,
        device: torch.device,
    ) -> None:
        variants = [(g.rule if g.kind == "gomoku" else "", g.size, w) for g, w in zip(games, weights, strict=True)]
        numbers = {
            f.name: float(getattr(settings, f.name)) for f in fields(settings) if f.name not in _NOT_FOR_THE_CORE
        }
        on_gpu = device.type == "cuda"
        # A core stays with the GPU. On a CPU both kinds of threads take turns, so that no core is ever idle.
        threads = settings.threads or (max(1, cores() - 1) if on_gpu else cores())
        seeds = np.random.SeedSequence(seed).generate_state(2, np.uint64)
        make = pool_class(games[0])
        self._pools = [
            make(variants, config.encoding, settings.games, threads, config.size, int(seed), numbers) for seed in seeds
        ]
        masked = config.any_size and len({game.size for game in games}) > 1
        self.net: PlayingNet
        if on_gpu:
            self.net = GpuNet(config, batch=settings.games, seats=2, masked=masked, device=device)
        else:
            self.net = CpuNet(config, batch=settings.games, seats=2, masked=masked, threads=threads, int8=settings.int8)
        self.batch = settings.games
        self._started = False
        self.set_opposition(settings.opposition, settings.opposition_threshold)

    def step(self) -> None:
        """Let every game get one answer."""
        for seat, pool in enumerate(self._pools):
            policy, wdl = self.net.answer(seat) if self._started else (None, None)
            pool.step(policy, wdl, self.net.planes(seat))
            self.net.ask(seat)
        self._started = True

    def bare_speed(self, seconds: float = 0.3) -> float:
        """Evaluations a second of the network alone, copies included: what no run can exceed.

        What the games asked is answered again, by the network as it is now.
        """
        for seat in (0, 1):
            self.net.answer(seat)
            self.net.ask(seat)
        asked, begun = 0, time.perf_counter()
        while time.perf_counter() - begun < seconds:
            for seat in (0, 1):
                self.net.answer(seat)
                self.net.ask(seat)
                asked += self.batch
        self.net.answer(0)
        self.net.answer(1)
        return asked / (time.perf_counter() - begun)

    def take_games(self) -> list[Games]:
        """The games that ended since the last call."""
        return [games for pool in self._pools if len(games := Games(*pool.take_games()))]

    def counts(self) -> Counter[str]:
        """What was done so far: evaluations, games, moves, ..."""
        return sum((Counter(pool.counts()) for pool in self._pools), Counter())

    def set_opposition(self, probability: float, threshold: float) -> None:
        """Set S4's p-opposition; see ``core/selfplay/pool.h``."""
        for pool in self._pools:
            pool.set_opposition(probability, threshold)
