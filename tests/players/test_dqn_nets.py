"""Nets are played by the method that trained them."""

from __future__ import annotations

import pytest

import tengen


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("dqn:net=gomoku-15x15", "was trained by alphazero, not by dqn"),
        ("alphazero:net=dqn-gomoku-15x15", "was trained by dqn, not by alphazero"),
        ("evolved:net=dqn-gomoku-15x15", "was trained by dqn, not by evolution"),
    ],
)
def test_a_net_of_another_method_is_refused(name: str, reason: str) -> None:
    with pytest.raises(tengen.PlayerNameError, match=reason):
        tengen.player(name)
