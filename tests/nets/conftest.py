"""Small networks that have something to say, and positions of real games."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

import tengen
from tengen.nets import Net, NetConfig, build, s0_config, s1_config, s2_config, s3_config, s4_config

torch.set_num_threads(1)

GOMOKU = NetConfig(kind="tengen", encoding="gomoku", planes=8, blocks=4, channels=16, size=9)
OTHELLO = NetConfig(kind="tengen", encoding="othello", planes=5, blocks=2, channels=16, size=8, passes=True)
S3 = s3_config(9, channels=16)
S4 = s4_config(9, blocks=2, channels=16)
LEARNED_BY_Q = [GOMOKU, OTHELLO, s0_config(9, channels=16), s1_config(9), s2_config()]
CONFIGS = [*LEARNED_BY_Q, S3, S4, *(replace(config, dueling=config.rates_moves) for config in LEARNED_BY_Q)]


def name_of(config: NetConfig) -> str:
    unusual = {True: "-dueling", False: "-plain", None: ""}[config.to_dict().get("dueling")]
    return f"{config.kind}-{config.encoding}{unusual}"


@pytest.fixture(params=CONFIGS, ids=name_of)
def config(request):
    return request.param


@pytest.fixture
def gomoku():
    return GOMOKU


@pytest.fixture
def othello():
    return OTHELLO


@pytest.fixture
def make_net():
    """A network as if trained: opinions in every head, norms that have seen data, no block that does nothing."""

    def make(config: NetConfig, seed: int = 0) -> Net:
        torch.manual_seed(seed)
        net = build(config).eval()
        for module in net.modules():
            if isinstance(module, nn.BatchNorm2d):
                nn.init.uniform_(module.weight, 0.5, 1.2)
                nn.init.normal_(module.bias, std=0.2)
                module.running_mean.normal_(std=0.2)
                module.running_var.uniform_(0.5, 2.0)
            elif isinstance(module, nn.Linear):
                nn.init.normal_(module.weight, std=module.in_features**-0.5)
                nn.init.normal_(module.bias, std=0.1)
        if config.kind == "tengen":
            nn.init.normal_(net.heads.moves.weight)
        return net

    return make


@pytest.fixture
def make_positions():
    """Positions of random games, uint8 [n, P, size, size]; Tengen's own: the board, then the newest planes of S4."""

    def make(config: NetConfig, count: int, size: int | None = None, seed: int = 0) -> np.ndarray:
        size = size or config.size
        name = f"othello:size={size}" if config.passes else f"gomoku:size={size}"
        rng = random.Random(seed)
        made = []
        while len(made) < count:
            position = tengen.Position(name)
            for _ in range(rng.randrange(min(40, size * size))):
                if position.is_over:
                    break
                position.play(rng.choice(position.legal_moves()))
            if config.kind == "tengen":
                made.append(np.stack([np.ones((size, size)), *position.planes("s4")[: config.planes - 1]]))
            else:
                made.append(position.planes(config.encoding))
        return np.stack(made).astype(np.uint8)

    return make
