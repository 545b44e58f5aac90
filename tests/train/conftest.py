"""Tiny runs: boards, networks and searches so small that a sitting takes a second."""

from __future__ import annotations

from collections.abc import Callable

import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")

import torch
from small import joined, small_config, small_selfplay

from tengen.train.alphazero.config import AlphaZeroConfig
from tengen.train.alphazero.window import Games


@pytest.fixture(autouse=True, scope="session")
def one_thread() -> None:
    torch.set_num_threads(1)  # the networks are too small to share, and the tests run side by side


@pytest.fixture
def make_config() -> Callable[..., AlphaZeroConfig]:
    return small_config


@pytest.fixture(scope="session")
def played() -> list[Games]:
    """Some dozens of finished games on 6x6, in the parts in which they came."""
    play = small_selfplay(small_config())
    parts: list[Games] = []
    while sum(map(len, parts)) < 40:
        play.step()
        parts += play.take_games()
    return parts


@pytest.fixture(scope="session")
def games(played: list[Games]) -> Games:
    """The same in one."""
    return joined(played)
