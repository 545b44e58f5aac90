"""The networks that evolution breeds: what they compute, and their files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

import tengen
from tengen.nets import NetConfig, build, check_export, export_onnx, lines_config, load, s1_evolved_config, save
from tengen.nets.network import LinesNet, Net, S1EvolvedNet

CONFIGS = [lines_config(9, hidden=5), s1_evolved_config(9)]


def bred(config: NetConfig, seed: int = 0) -> Net:
    torch.manual_seed(seed)
    net = build(config).eval().requires_grad_(False)
    for parameter in net.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return net


def positions(count: int, size: int, seed: int = 0) -> NDArray[np.uint8]:
    """Boards with any stones, from empty to full."""
    rng = np.random.default_rng(seed)
    dice, fill = rng.random((count, size, size)), np.linspace(0, 1, count)[:, None, None]
    return np.stack((dice < fill / 2, (dice >= fill / 2) & (dice < fill)), 1).astype(np.uint8)


def slow_lines(net: LinesNet, planes: NDArray[np.uint8]) -> NDArray[np.float64]:
    """What ``lines`` is meant to be, cell by cell."""
    cells, bias, worth = (part.double().numpy() for part in (net.cells, net.bias, net.worth))
    _, size, _ = planes.shape
    ratings = np.zeros((size, size))
    for row in range(size):
        for column in range(size):
            for down, right in ((0, 1), (1, 0), (1, 1), (-1, 1)):
                for way in (1, -1):
                    hidden = bias.copy()
                    for side, sign in enumerate((way, -way)):
                        for distance in range(1, 5):
                            r, c = row + sign * distance * down, column + sign * distance * right
                            if not (0 <= r < size and 0 <= c < size):
                                hidden += cells[:, side, distance - 1, 2]
                            for whose in (0, 1):
                                if 0 <= r < size and 0 <= c < size and planes[whose, r, c]:
                                    hidden += cells[:, side, distance - 1, whose]
                    ratings[row, column] += worth @ np.maximum(hidden, 0)
    return ratings.ravel()


@pytest.mark.parametrize("size", [3, 6, 9])
def test_lines_is_what_it_is_meant_to_be(size: int) -> None:
    net = bred(lines_config(9, hidden=3))
    assert isinstance(net, LinesNet)
    boards = positions(4, size)
    found = net(torch.from_numpy(boards)).policy.numpy()
    for board, ratings in zip(boards, found, strict=True):
        np.testing.assert_allclose(ratings, slow_lines(net, board), atol=1e-4)


def test_lines_turns_with_the_board() -> None:
    net, boards = bred(lines_config(9)), positions(6, 7)
    plain = net(torch.from_numpy(boards)).policy.view(6, 7, 7)
    for turns in range(4):
        for mirror in (False, True):

            def turned(x: torch.Tensor, turns: int = turns, mirror: bool = mirror) -> torch.Tensor:
                x = torch.rot90(x, turns, (-2, -1))
                return x.flip(-1) if mirror else x

            again = net(turned(torch.from_numpy(boards))).policy.view(6, 7, 7)
            assert torch.allclose(again, turned(plain), atol=1e-4)


def test_s1s_has_the_layers_of_the_source() -> None:
    net = bred(s1_evolved_config())
    assert sum(p.numel() for p in net.parameters()) == 2 + 3 * (9 + 1) + (3 * 12 * 12 * 225 + 225)
    assert isinstance(net, S1EvolvedNet)
    boards = positions(5, 15)
    x = torch.from_numpy(boards[:, 0].astype(np.float32) - boards[:, 1])[:, None]
    # Batch norm of a batch of one, as S1 has it: each board by its own mean and variance.
    x = torch.cat([torch.nn.functional.batch_norm(b[None], None, None, net.scale, net.shift, True) for b in x])
    conv = torch.nn.functional.conv2d(x, net.conv, net.bias)
    pooled = torch.nn.functional.max_pool2d(conv, kernel_size=2, stride=1)
    expected = net.dense(pooled.flatten(1))
    assert torch.allclose(net(torch.from_numpy(boards)).policy, expected, atol=1e-4)


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: config.kind)
def test_files(config: NetConfig, tmp_path: Path) -> None:
    net, boards = bred(config), positions(20, config.size)
    save(tmp_path / "net.safetensors", net, config, training={"method": "evolution"})
    loaded, header = load(tmp_path / "net.safetensors")
    assert header.config == config
    assert torch.equal(loaded(torch.from_numpy(boards)).policy, net(torch.from_numpy(boards)).policy)
    export_onnx(net, config, tmp_path / "net.onnx", training={})
    check = check_export(net, tmp_path / "net.onnx", boards)
    assert (check.logits < 1e-4, check.wdl, check.top1) == (True, 0, 1)
    with pytest.raises(tengen.TengenError, match="float32 only"):
        export_onnx(net, config, tmp_path / "int8.onnx", training={}, int8_samples=boards)


def test_one_file_plays_every_size(tmp_path: Path) -> None:
    config = lines_config(9)
    export_onnx(bred(config), config, tmp_path / "net.onnx", training={})
    for size in (3, 9, 20):
        assert check_export(bred(config), tmp_path / "net.onnx", positions(8, size)).logits < 1e-4


def test_shapes_that_cannot_be() -> None:
    good = lines_config().to_dict()
    for change, reason in (
        ({"passes": True}, "nobody passes"),
        ({"blocks": 1}, "no residual blocks"),
        ({"planes": 3}, "reads 2 planes"),
        ({"kind": "s1-evolved", "size": 3}, "4x4 cells at a time"),
    ):
        with pytest.raises(tengen.TengenError, match=reason):
            NetConfig.from_dict({**good, **change})
    with pytest.raises(tengen.TengenError, match="boards that fill its input and no mask"):
        bred(lines_config())(torch.zeros(1, 2, 9, 9), masked=True)
