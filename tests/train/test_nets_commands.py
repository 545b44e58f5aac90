"""``tengen nets`` and ``tengen export``."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from small import small_config

from tengen.cli import cli
from tengen.nets import OnnxEvaluator, load, read_header, save
from tengen.nets.shipped import shipped_nets
from tengen.train.alphazero.trainer import new_trainer

KEYS = {"name", "path", "games", "kind", "blocks", "channels", "board_size", "any_size", "precision", "bytes"}
KEYS |= {"method", "played", "minutes", "device", "rating", "licence", "sha256"}
KEYS |= {"rating_low", "rating_high", "rated_as"}


def invoke(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, list(arguments))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "run"
    new_trainer(small_config(games=["gomoku:size=7", "gomoku:size=9"]), str(folder)).train()
    return folder


def test_the_list() -> None:
    status, said = invoke("nets", "--json")
    listed = json.loads(said)["nets"]
    assert status == 0
    assert [net["name"] for net in listed] == [net.name for net in shipped_nets()]
    assert all(set(net) == KEYS for net in listed)
    assert all(key in invoke("nets", "--help")[1] for key in KEYS)
    # Who replaces a net measures it: python benchmarks/rate_nets.py
    for net in listed:
        assert net["rating_low"] < net["rating"] < net["rating_high"]
        rated_as = {"alphazero": "alphazero:playouts=", "dqn": "dqn", "evolution": "evolved"}[net["method"]]
        assert net["rated_as"].startswith(rated_as)
    status, said = invoke("nets")
    assert (status, all(net["name"] in said for net in listed)) == (0, True)


def test_no_nets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tengen.cli.nets.shipped_nets", tuple)
    assert json.loads(invoke("nets", "--json")[1]) == {"nets": []}
    assert "no nets are shipped" in invoke("nets")[1]


@pytest.mark.parametrize("int8", [False, True])
def test_export(int8: bool, run: Path, tmp_path: Path) -> None:
    out = tmp_path / "net.onnx"
    status, said = invoke("export", str(run), "--out", str(out), *(["--int8"] if int8 else []))
    assert status == 0, said
    assert ("int8" if int8 else "float32") in said
    assert "the likeliest move is the same" in said
    header = read_header(out)
    assert header.precision == ("int8" if int8 else "float32")
    assert header.training["games"] == ["gomoku:size=7", "gomoku:size=9"]
    policy, _ = OnnxEvaluator(out).evaluate(np.ones((2, 16, 9, 9), np.uint8))
    assert policy.shape == (2, 81)
    assert invoke("export", str(run), "--out", str(out), "--quiet") == (0, "")


def test_what_cannot_be_exported(run: Path, tmp_path: Path) -> None:
    weights = next(run.glob("checkpoints/*/net.safetensors"))
    net, header = load(weights)
    alone = tmp_path / "alone.safetensors"
    save(alone, net, header.config, training={})
    out = str(tmp_path / "net.onnx")
    assert invoke("export", str(alone), "--out", out)[0] == 0
    for arguments, says in (
        ((str(alone), "--out", out, "--int8"), "there is no positions.npz beside"),
        ((str(run), "--out", "net.bin"), "ends with .onnx"),
        (("nowhere", "--out", out), "there is no net 'nowhere'"),
        ((out, "--out", str(tmp_path / "b.onnx")), "this network is for play"),
    ):
        status, said = invoke("export", *arguments)
        assert (status, says in said) == (2, True), said
    seeing = tmp_path / "seeing" / "checkpoints" / "0000000001"
    seeing.mkdir(parents=True)
    (seeing / "net.safetensors").write_bytes(b"S1's recogniser")
    (tmp_path / "seeing" / "run.json").write_text('{"method": "vision"}')
    assert "is a run of vision" in invoke("export", str(tmp_path / "seeing"), "--out", out)[1]
    (tmp_path / "positions.npz").write_text("x")
    status, said = invoke("export", str(alone), "--out", out, "--int8")
    assert (status, "does not hold positions for this network" in said) == (2, True)
    np.savez(tmp_path / "positions.npz", planes=np.zeros((4, 3, 9, 9), np.uint8))
    assert "does not hold positions" in invoke("export", str(alone), "--out", out, "--int8")[1]
    assert invoke("export", str(alone), "--out", str(tmp_path / "no" / "net.onnx"))[0] == 2
