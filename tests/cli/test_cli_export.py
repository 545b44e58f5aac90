"""``tengen export`` of runs with one network and with two, and what a resumed run keeps."""

from __future__ import annotations

import json
import tomllib

import pytest

import tengen

pytest.importorskip("torch")

PAIR = ("--set", "run.games=4", "--set", "run.save_games=4", "--set", "run.evaluate_games=0", "--set", "run.device=cpu")


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    """A run of S2, with a network for each colour."""
    from click.testing import CliRunner

    from tengen.cli import cli

    folder = tmp_path_factory.mktemp("s2") / "run"
    result = CliRunner().invoke(cli, ["train", "dqn", "--preset", "s2", "--out", str(folder), "--quiet", *PAIR])
    assert result.exit_code == 0, result.output
    return folder


@pytest.mark.parametrize("name", ["s2.onnx", "s2-black.onnx", "s2-white.onnx"])
def test_a_pair_becomes_two_files_and_plays_as_before(invoke, pair, tmp_path, name):
    result = invoke("export", str(pair), "--out", str(tmp_path / name))
    assert result.exit_code == 0, result.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"s2-black.onnx", "s2-white.onnx"}
    for colour in ("black", "white"):
        assert tengen.nets.read_header(tmp_path / f"s2-{colour}.onnx").training["pair"] == colour
    run, file = (tengen.player(f"dqn:net={net}") for net in (pair, tmp_path / "s2-black.onnx"))
    for moves in ("", "d3", "d3c3", "d3c5"):
        position = tengen.Position("othello", moves)
        mine, theirs = run.choose(position), file.choose(position)
        assert mine.move == theirs.move
        assert mine.scores == pytest.approx(theirs.scores, abs=1e-4)


def test_a_run_that_goes_on_keeps_what_was_changed(invoke, pair):
    state = json.loads((pair / "run.json").read_text())
    assert state["state"] == "finished"
    refused = invoke("train", "dqn", "--resume", str(pair))
    assert refused.exit_code == 2
    assert json.loads((pair / "run.json").read_text())["state"] == "finished"
    assert invoke("train", "dqn", "--resume", str(pair), "--quiet", "--set", "run.games=6").exit_code == 0
    assert tomllib.loads((pair / "config.toml").read_text())["run"]["games"] == 6
    assert "the run is finished" in invoke("train", "dqn", "--resume", str(pair)).stderr
