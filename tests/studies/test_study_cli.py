"""``tengen study``: names, options, and what goes where."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from small_studies import Study

from tengen.studies import STUDIES, find_study, s4_mcts


def test_without_a_name_the_studies_are_listed(study: Study) -> None:
    result = study()
    assert result.exit_code == 0
    for name, each in STUDIES.items():
        assert f"{name} " in result.stdout
        assert each.summary in result.stdout
    assert [entry["study"] for entry in json.loads(study("--json").stdout)] == list(STUDIES)


def test_a_study_answers_to_its_aliases_too() -> None:
    assert find_study("s0-curves") is STUDIES["s0"]
    for each in STUDIES.values():
        for alias in each.aliases:
            assert alias not in STUDIES
            assert alias in each.summary  # or else nobody knows of it


def test_an_unknown_name_is_told_which_there_are(study: Study) -> None:
    result = study("s5-chess")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == f"Error: unknown study 's5-chess'; the studies are {', '.join(STUDIES)}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("s4-mcts", "--preset", "s3"), "s4-mcts trains nothing"),
        (("s4-alphabeta", "--set", "run.games=3"), "s4-alphabeta trains nothing"),
        (("s3-strength", "--net", "gomoku-15x15"), "s3-strength trains its own networks"),
        (("s3-strength", "--preset", "s9"), "there is no preset 's9'"),
        (("s3-strength", "--set", "run.gmes=3"), "there is no setting 'run.gmes'"),
        (("s3-strength", "--set", "run.minutes=3"), "a study counts training by games"),
        (("s0", "--preset", "s3"), "'s3' is a preset of `tengen train alphazero`"),
        (("s2-curves", "--set", "run.evaluate_games=0"), "a curve needs evaluations"),
        (("s4-mcts", "--net", "nothing.onnx"), "there is no net 'nothing.onnx'"),
        (("s4-mcts", "--seed", str(1 << 40)), "a seed is a number"),
        (("--json", "s4-mcts"), "put the study's name first"),
    ],
)
def test_what_does_not_go_together_is_said_at_once(study: Study, arguments: tuple[str, ...], message: str) -> None:
    result = study(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_a_path_that_no_name_can_hold(study: Study, tmp_path: Path, net: Path) -> None:
    odd = tmp_path / "a,b.onnx"
    odd.write_bytes(net.read_bytes())
    result = study("s4-mcts", "--quick", "--net", str(odd))
    assert result.exit_code == 2
    assert "commas" in result.stderr


def test_json_and_quiet_keep_standard_output_clean(
    study: Study, tmp_path: Path, net: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(s4_mcts, "RIVALS", s4_mcts.RIVALS[:1])
    arguments = ("s4-mcts", "--quick", "--games", "1", "--net", str(net))
    shown = study(*arguments)
    assert shown.stdout.startswith("AlphaZero against Monte Carlo search\n")
    assert f"written: {tmp_path / 'out' / 's4-mcts.md'}" in shown.stdout
    quiet = study(*arguments, "--quiet")
    assert (quiet.exit_code, quiet.stdout, quiet.stderr) == (0, "", "")
    piped = study(*arguments, "--json")
    data = json.loads(piped.stdout)
    assert data == json.loads((tmp_path / "out" / "s4-mcts.json").read_text())
    both = study(*arguments, "--quiet", "--json", str(tmp_path / "copy.json"))
    assert both.stdout == ""
    assert json.loads((tmp_path / "copy.json").read_text())["tables"] == data["tables"]
