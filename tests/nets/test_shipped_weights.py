"""The weights that training goes on from are those of the nets that ship."""

from pathlib import Path

import numpy as np
import pytest

from tengen.envs.duel import DuelEnv
from tengen.nets import check_export, load, read_header
from tengen.nets.shipped import shipped_nets

WEIGHTS = Path(__file__).parents[2] / "weights"


def test_every_net_has_its_weights():
    assert {path.stem for path in WEIGHTS.glob("*.safetensors")} == {net.name for net in shipped_nets()}


@pytest.mark.parametrize("shipped", shipped_nets(), ids=lambda net: net.name)
def test_the_weights_are_those_of_the_net(shipped):
    net, header = load(WEIGHTS / f"{shipped.name}.safetensors")
    assert header.training == read_header(shipped.path).training
    env = DuelEnv(shipped.games[0], 100, encoding=header.config.encoding, opening_plies=4, seed=1)
    for _ in range(6):
        env.step(env.explore_actions("greedy", np.ones(100, bool)))
    check = check_export(net, shipped.path, env.planes.astype(np.uint8))
    if shipped.header.precision == "float32":
        assert check.logits < 1e-3
    else:  # which is not quite the same
        assert check.top1 > 0.75
