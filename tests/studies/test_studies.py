"""Each study from end to end, in small: files that parse, and that say the same."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small_studies import S4_ALPHABETA, SMALL_LEARNING, SMALL_RUN, Study

from tengen.arena import Store
from tengen.arena.statistics import share_interval
from tengen.studies import STUDIES, dqn_ablation, s1_evolution, s3_strength, s4_alphabeta, s4_mcts

SVG = "{http://www.w3.org/2000/svg}"


def files_of(tmp_path: Path, name: str) -> tuple[str, dict[str, Any], ElementTree.Element]:
    """The Markdown, the JSON and the plot of a study, parsed."""
    stem = tmp_path / "out" / name
    markdown = stem.with_name(f"{name}.md").read_text("utf-8")
    data = json.loads(stem.with_name(f"{name}.json").read_text("utf-8"))
    plot = ElementTree.fromstring(stem.with_name(f"{name}.svg").read_text("utf-8"))
    return markdown, data, plot


def markdown_tables(text: str) -> list[list[list[str]]]:
    blocks = re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE)
    return [[line.strip("| ").split(" | ") for line in block.strip().splitlines()] for block in blocks]


def numbers(cell: str) -> list[float]:
    found = re.findall(r"-?\d[\d,]*(?:\.\d+)?(?=(%?))", cell)
    values = re.findall(r"-?\d(?:[\d,]*\d)?(?:\.\d+)?", cell)
    return [float(v.replace(",", "")) / (100 if mark else 1) for v, mark in zip(values, found, strict=True)]


def check_report(name: str, markdown: str, data: dict[str, Any], plot: ElementTree.Element) -> None:
    """What holds for every study: the two files have the same tables, and the plot has every chart."""
    tables = markdown_tables(markdown)
    assert len(tables) == len(data["tables"]) > 0
    for shown, table in zip(tables, data["tables"], strict=True):
        header, _rule, *lines = shown
        assert header == [column["title"] for column in table["columns"]]
        assert len(lines) == len(table["rows"]) > 0
        for line, row in zip(lines, table["rows"], strict=True):
            for cell, column in zip(line, table["columns"], strict=True):
                keys = re.findall(r"\{(\w+)", column["form"])
                if any(row[key] is None for key in keys):
                    assert cell == "-"
                elif all(isinstance(row[key], (int, float)) for key in keys):
                    assert numbers(cell) == pytest.approx([row[key] for key in keys], rel=0.51, abs=0.0051)
                    assert cell == column["form"].format(**row)
                else:
                    assert cell == row[keys[0]]
    assert data["study"] == name
    assert data["quick"] is True
    assert data["machine"]["processor"] in markdown
    assert STUDIES[name].source in markdown
    assert f"![{STUDIES[name].title}]({name}.svg)" in markdown
    titles = [element.text for element in plot.iter(f"{SVG}text")]
    assert len(data["charts"]) > 0
    for chart in data["charts"]:
        assert chart["title"] in titles
        shapes = plot.findall(f".//{SVG}rect" if chart["kind"] == "bars" else f".//{SVG}polyline")
        assert len(shapes) >= len(chart["series"])


def check_match(row: dict[str, Any], games: int) -> None:
    assert row["wins"] + row["draws"] + row["losses"] == row["games"] == games
    assert row["score"] == pytest.approx((row["wins"] + row["draws"] / 2) / games)
    assert 0 <= row["low"] <= row["score"] <= row["high"] <= 1
    assert row["faults"] == 0


def test_the_rivals_are_those_of_s4() -> None:
    depths = ["depth=2", "depth=4", "depth=6", "depth=6,vct=8"]
    assert [rival.player for rival in S4_ALPHABETA] == [f"alphabeta:{depth}" for depth in depths]
    assert [playouts for playouts, _ in s4_mcts.RIVALS] == [2000, 3000, 5000, 10_000]
    assert (s4_alphabeta.PLAYOUTS, s4_mcts.PLAYOUTS) == (1500, 1500)


@pytest.mark.parametrize("name", ["s4-alphabeta", "s4-mcts"])
def test_the_tables_of_s4(study: Study, tmp_path: Path, net: Path, name: str) -> None:
    result = study(name, "--quick", "--games", "2", "--seed", "5", "--net", str(net))
    assert result.exit_code == 0, result.output
    markdown, data, plot = files_of(tmp_path, name)
    check_report(name, markdown, data, plot)
    for told in (result.output, markdown):
        assert "A quick run, few games and small budgets" in told
    rows = data["tables"][0]["rows"]
    assert len(rows) == 4
    for row in rows:
        check_match(row, 2)
        assert row["first"] == f"alphazero:net={net},playouts=4"
        assert row["source_wins"] + row["source_draws"] + row["source_losses"] == 50
    assert rows[3]["source_wins"] == {"s4-alphabeta": 43, "s4-mcts": 37}[name]
    assert (
        rows[3]["second"]
        == {"s4-alphabeta": "alphabeta:depth=1,vct=1", "s4-mcts": "mcts:leaf=expert,playouts=100"}[name]
    )
    assert data["command"].startswith(f"tengen study {name} --out")
    assert "--seed 5" in data["command"]
    assert "small.onnx, sha256" in markdown


def test_games_are_kept_and_gone_on_with(
    study: Study, tmp_path: Path, net: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(s4_mcts, "RIVALS", s4_mcts.RIVALS[:2])
    arguments = ("s4-mcts", "--quick", "--net", str(net))
    assert study(*arguments, "--games", "1").exit_code == 0
    first = files_of(tmp_path, "s4-mcts")[1]
    [db] = (tmp_path / "out").glob("s4-mcts-*.db")
    with Store(db) as store:
        assert [match["games"] for match in store.matches()] == [1] * 2
        began = [match["begun"] for match in store.matches()]
    assert study(*arguments, "--games", "2").exit_code == 0
    second = files_of(tmp_path, "s4-mcts")[1]
    with Store(db) as store:
        assert [match["games"] for match in store.matches()] == [2] * 2
        assert [match["begun"] for match in store.matches()] == began
    assert [row["games"] for row in second["tables"][0]["rows"]] == [2] * 2
    before_and_after = zip(first["tables"][0]["rows"], second["tables"][0]["rows"], strict=True)
    assert all(before["wins"] <= after["wins"] for before, after in before_and_after)


def test_another_net_has_other_games(study: Study, tmp_path: Path, net: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is replaced under the same name must not be credited with the old one's games."""
    monkeypatch.setattr(s4_mcts, "RIVALS", s4_mcts.RIVALS[:1])
    copy = tmp_path / "net.onnx"
    copy.write_bytes(net.read_bytes())
    assert study("s4-mcts", "--quick", "--games", "1", "--net", str(copy)).exit_code == 0
    from tengen.nets import build, export_onnx, read_header

    config = read_header(net).config
    copy.unlink()
    export_onnx(build(config).eval(), config, copy, training={"method": "alphazero", "games": ["gomoku:size=9"]})
    assert study("s4-mcts", "--quick", "--games", "1", "--net", str(copy)).exit_code == 0
    assert len(list((tmp_path / "out").glob("s4-mcts-*.db"))) == 2


def test_parallel_search(study: Study, tmp_path: Path, net: Path) -> None:
    result = study("s4-parallel", "--quick", "--games", "2", "--net", str(net), "--jobs", "2")
    assert result.exit_code == 0, result.output
    markdown, data, plot = files_of(tmp_path, "s4-parallel")
    check_report("s4-parallel", markdown, data, plot)
    speeds, timed, counted = (table["rows"] for table in data["tables"])
    assert [(row["label"], row["threads"]) for row in speeds] == [
        ("one thread", 1),
        *[("leaf", 1), ("root", 1), ("tree", 1), ("leaf", 2), ("root", 2), ("tree", 2)],
    ]
    for row in speeds:
        assert 0 < row["speed_low"] <= row["speed"] <= row["speed_high"]
        assert 0 < row["ratio_low"] <= row["ratio"] <= row["ratio_high"]
    assert speeds[0]["ratio"] == 1
    assert [row["label"] for row in timed] == ["leaf", "root", "tree"]
    assert len(counted) == 4
    for row in [*timed, *counted]:
        check_match(row, 2)
    assert "counts=vloss" in counted[0]["second"]
    assert "threads=2,batch=8,counts=none" in counted[3]["second"]


def test_strength_by_training_games(study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(s3_strength, "SOURCE", {100: (7, 1.1), 300: (179, 1.8)})
    arguments = ("s3-strength", "--quick", "--games", "2", *SMALL_RUN)
    result = study(*arguments)
    assert result.exit_code == 0, result.output
    markdown, data, plot = files_of(tmp_path, "s3-strength")
    check_report("s3-strength", markdown, data, plot)
    rows = data["tables"][0]["rows"]
    assert [row["label"] for row in rows] == ["0 games", "10 games", "30 games"]
    for row, least in zip(rows, (0, 10, 30), strict=True):
        check_match(row, 2)
        assert least <= row["training_games"] <= least + 20
    assert [row["source_wins"] for row in rows] == [None, 7, 179]
    gained = data["tables"][1]["rows"]
    assert [row["label"] for row in gained] == ["10 games", "30 games"]
    for row, beside in zip(gained, rows[1:], strict=True):
        check_match(row, 2)
        assert (row["first"], row["second"]) == (beside["first"], rows[0]["first"])
    # Once more: nothing is trained or played again.
    [folder] = (tmp_path / "out" / "s3-strength").iterdir()
    log = (folder / "metrics.jsonl").read_text()
    assert study(*arguments).exit_code == 0
    assert (folder / "metrics.jsonl").read_text() == log
    assert files_of(tmp_path, "s3-strength")[1]["tables"] == data["tables"]


def test_a_stopped_training_is_gone_on_with(study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tengen.train.alphazero.trainer import AlphaZeroTrainer

    monkeypatch.setattr(s3_strength, "SOURCE", {100: (7, 1.1), 400: (179, 1.8)})
    train = AlphaZeroTrainer.train

    def stopped_soon(self: AlphaZeroTrainer, watch: Any) -> Any:
        def look(progress: Any) -> None:
            watch(progress)
            if progress.counters.games >= 10:
                self.stop()  # as Ctrl-C does

        return train(self, look)

    arguments = ("s3-strength", "--quick", "--games", "1", *SMALL_RUN)
    with monkeypatch.context() as patch:
        patch.setattr(AlphaZeroTrainer, "train", stopped_soon)
        result = study(*arguments)
    assert result.exit_code == 130
    assert "the same command goes on" in result.stderr
    assert not (tmp_path / "out" / "s3-strength.md").exists()
    [folder] = (tmp_path / "out" / "s3-strength").iterdir()
    assert json.loads((folder / "run.json").read_text())["state"] == "stopped"
    untrained, kept = sorted((folder / "kept").glob("*.safetensors"))
    assert untrained.name.startswith("0000000-")
    assert study(*arguments).exit_code == 0
    assert kept in (folder / "kept").iterdir()
    rows = files_of(tmp_path, "s3-strength")[1]["tables"][0]["rows"]
    assert [row["label"] for row in rows] == ["0 games", "10 games", "40 games"]
    assert rows[1]["training_games"] < rows[2]["training_games"]


def test_opposition(study: Study, tmp_path: Path) -> None:
    result = study("s4-opposition", "--quick", "--games", "2", *SMALL_RUN, "--set", "run.gate_games=0")
    assert result.exit_code == 0, result.output
    markdown, data, plot = files_of(tmp_path, "s4-opposition")
    check_report("s4-opposition", markdown, data, plot)
    runs, [match] = (table["rows"] for table in data["tables"])
    assert [(row["label"], row["opposition"]) for row in runs] == [("with", 0.5), ("without", 0.0)]
    for row in runs:
        assert 20 <= row["training_games"] <= 40
        assert 9 <= row["median_length"] <= 36
        assert 0 <= row["black_low"] <= row["black_share"] <= row["black_high"] <= 1
    check_match(match, 2)
    assert "s4-with" in match["first"]
    assert "s4-without" in match["second"]


# Q-learning.


def check_score(row: dict[str, Any], games: int, side: str = "") -> None:
    assert row[f"{side}wins"] + row[f"{side}draws"] + row[f"{side}losses"] == row[f"{side}games"] == games
    assert row[f"{side}win_rate"] == pytest.approx(row[f"{side}wins"] / games)
    assert 0 <= row[f"{side}low"] <= row[f"{side}win_rate"] <= row[f"{side}high"] <= 1


S0_RUN = ("s0-curves", "--quick", "--games", "6", *SMALL_LEARNING, "--set", "game=gomoku:size=5")


def test_curves_of_s0(study: Study, tmp_path: Path) -> None:
    arguments = (*S0_RUN, "--set", "run.games=40", "--set", "run.evaluate_games=10")
    result = study(*arguments)
    assert result.exit_code == 0, result.output
    markdown, data, plot = files_of(tmp_path, "s0")
    check_report("s0", markdown, data, plot)
    end, way = (table["rows"] for table in data["tables"])
    assert [row["source"] for row in end] == [0.95, None, None, None]
    for row, games in zip(end, (25, 25 * 8, 6, 6), strict=True):
        check_score(row, games)
    assert [row["games"] for row in way] == sorted(row["games"] for row in way)
    assert 2 <= len(way) <= 4
    for row in way:
        assert row["black_low"] <= row["black_wins"] <= row["black_high"]
        assert row["white_low"] <= row["white_wins"] <= row["white_high"]
        assert 0 <= row["first_wins"] <= 1
    shown = {chart["title"]: [series["name"] for series in chart["series"]] for chart in data["charts"]}
    assert len(shown) == 6
    assert len(shown["Win rate by S0's own evaluation and over many openings"]) == 4
    assert data["charts"][-1]["y_title"] == "smooth L1"
    assert all(series["points"] for chart in data["charts"] for series in chart["series"])
    # Once more: nothing is trained again.
    [folder] = (tmp_path / "out" / "s0").iterdir()
    log = (folder / "metrics.jsonl").read_text()
    assert study(*arguments).exit_code == 0
    assert (folder / "metrics.jsonl").read_text() == log
    assert files_of(tmp_path, "s0")[1]["tables"] == data["tables"]


def test_stopped_learning_is_gone_on_with(study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tengen.train.dqn.trainer import DqnTrainer

    train = DqnTrainer.train

    def stopped_soon(self: DqnTrainer, watch: Any) -> Any:
        def look(progress: Any) -> None:
            watch(progress)
            if progress.counters.games >= 10:
                self.stop()  # as Ctrl-C does

        return train(self, look)

    arguments = (*S0_RUN, "--set", "run.games=40", "--set", "run.evaluate_games=10")
    with monkeypatch.context() as patch:
        patch.setattr(DqnTrainer, "train", stopped_soon)
        assert study(*arguments).exit_code == 130
    [folder] = (tmp_path / "out" / "s0").iterdir()
    assert json.loads((folder / "run.json").read_text())["state"] == "stopped"
    before = (folder / "metrics.jsonl").read_text()
    assert study(*arguments).exit_code == 0
    about = json.loads((folder / "run.json").read_text())
    assert about["state"] == "finished"
    assert about["sitting_began"] >= 10
    assert (folder / "metrics.jsonl").read_text().startswith(before)


def test_curves_of_s2(study: Study, tmp_path: Path) -> None:
    result = study(
        "s2-curves",
        "--quick",
        "--games",
        "4",
        *SMALL_LEARNING,
        "--set",
        "game=othello:size=6",
        "--set",
        "run.save_games=5",
    )
    assert result.exit_code == 0, result.output
    markdown, data, plot = files_of(tmp_path, "s2-curves")
    check_report("s2-curves", markdown, data, plot)
    networks, way = (table["rows"] for table in data["tables"])
    early, last = ["black against random", "black against greedy"], networks[-1]["trained_games"]
    assert [row["label"] for row in networks[:2]] == early
    assert [row["label"] for row in networks[2:]] == [
        f"{side} against {rival}" for rival in ("random", "greedy") for side in ("black", "white")
    ]
    assert [row["trained_games"] < last for row in networks] == [True] * 2 + [False] * 4
    for row in networks:
        check_score(row, 4)
    assert len(way) >= 2
    assert [chart["title"] for chart in data["charts"]][1:] == ["Loss", "Value of the moves learned from"]
    assert data["charts"][1]["y_title"] == "squared error"


def test_evolution(study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load_preset = s1_evolution.evolution().load_preset

    def on_a_small_board(name: str, changes: Iterable[str]) -> Any:
        return load_preset(name, [*changes, 'games=["gomoku:size=6"]', "run.ladder_generations=2"])

    method = replace(s1_evolution.evolution(), load_preset=on_a_small_board)
    monkeypatch.setattr(s1_evolution, "evolution", lambda: method)
    arguments = ("s1-evolution", "--quick", "--games", "2", "--set", "net.hidden=4", "--set", "evolve.population=8")
    result = study(*arguments)
    assert result.exit_code == 0, result.output
    markdown, data, plot = files_of(tmp_path, "s1-evolution")
    check_report("s1-evolution", markdown, data, plot)
    ends, *ways = data["tables"]
    for row in ends["rows"]:
        check_match(row, 2)
    labels = [(row["label"], row["rival"], row["wanted"]) for row in ends["rows"]]
    early = "its own generation 2"
    assert labels == [
        ("S1, generation 2", "greedy", None),
        ("S1, generation 4", "greedy", None),
        ("S1, generation 4", early, None),
        ("ours, generation 4", "greedy", 0.5),
        ("ours, generation 4", early, None),  # it is generation 20 that counts
    ]
    assert [[row["generations"] for row in way["rows"]] for way in ways] == [[2, 4], [2, 4]]
    first = data["charts"][0]["series"][0]["points"]
    assert [point["x"] for point in first] == [1, 2, 3, 4]
    # S1's run is S1's, whatever is changed in ours.
    [folder] = (tmp_path / "out" / "s1-evolution").glob("S1-*")
    assert "population = 5" in (folder / "config.toml").read_text()
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out" / "s1-evolution").rglob("*.safetensors")}
    assert study(*arguments).exit_code == 0  # nothing is trained again
    assert before == {path: path.stat().st_mtime_ns for path in before}


def test_ablation(study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    some = {label: dqn_ablation.WITHOUT[label] for label in ("no n-step", "no priority", "S0's network")}
    monkeypatch.setattr(dqn_ablation, "WITHOUT", {**some, "no change": ("learn.double=true",)})
    monkeypatch.setattr(dqn_ablation, "SEEDS", 1)
    arguments = ("dqn-ablation", "--quick", "--games", "5", *SMALL_LEARNING, "--set", "game=gomoku:size=5")
    result = study(*arguments, "--set", "run.evaluate_rival=random")
    assert result.exit_code == 0, result.output
    markdown, data, plot = files_of(tmp_path, "dqn-ablation")
    check_report("dqn-ablation", markdown, data, plot)
    [rows] = (table["rows"] for table in data["tables"])
    assert [row["label"] for row in rows] == ["everything", "seed 1", "no n-step", "S0's network", "with priority"]
    for row in rows:
        check_score(row, 5, "black_")
        check_score(row, 5, "white_")
        # The preset learns as black, so that is what counts.
        assert (row["games"], row["win_rate"]) == (5, row["black_win_rate"])
    assert rows[0]["worth"] is None
    for row in rows[1:]:
        adds = row["label"].startswith("with ")
        assert row["worth"] == pytest.approx((rows[0]["win_rate"] - row["win_rate"]) * (-1 if adds else 1))
        assert row["worth_low"] <= row["worth"] <= row["worth_high"]
    assert len(list((tmp_path / "out" / "dqn-ablation").iterdir())) == 5


def test_what_an_idea_is_worth_has_one_sign_whether_it_is_missing_or_added(monkeypatch: pytest.MonkeyPatch) -> None:
    def row(label: str, wins: int) -> dict[str, Any]:
        low, high = share_interval(wins / 1000, 1000)
        return {"label": label, "win_rate": wins / 1000, "low": low, "high": high}

    whole, without, more = row("everything", 500), row("no n-step", 400), row("with priority", 600)
    better, hardly = row("no Double", 600), row("no symmetry", 510)
    lost, added = dqn_ablation._worth(whole, without), dqn_ablation._worth(more, whole)
    costs, nothing = dqn_ablation._worth(whole, better), dqn_ablation._worth(whole, hardly)
    assert lost["worth"] == pytest.approx(0.1)
    assert added["worth"] == pytest.approx(0.1)
    assert added["worth_low"] > 0.05
    rows = [{**without, **lost}, {**more, **added}, {**better, **costs}, {**hardly, **nothing}]
    worth, cost = dqn_ablation._clear(rows)
    assert worth.endswith(": no n-step (+10.0%), with priority (+10.0%).")
    assert cost.endswith(": no Double (-10.0%).")


def test_every_idea_of_the_ablation_can_be_switched_off() -> None:
    from tengen.train.dqn.config import load_preset

    base = load_preset(dqn_ablation.PRESET)
    variants = dqn_ablation._variants(base)
    assert {"everything", "seed 1", "seed 2", "no n-step", "no scouts", "no imitation", "S0's network"} <= set(variants)
    assert variants["no n-step"][1].learn.steps == 1
    assert sum(config == base for _, config in variants.values()) == 1
    assert variants["with priority"][1].learn.priority == 0.6
    assert not variants["no dueling"][1].net_config().dueling
    assert not variants["S0's network"][1].net_config().dueling
    assert [label for label in variants if label.startswith("with ")] == ["with priority"]


def test_an_idea_is_switched_on_where_the_preset_lacks_it() -> None:
    """Of each there is one run, without it or with it; and a preset that has it otherwise is not given it anew."""
    from tengen.train.dqn.config import load_preset

    for preset, changes in (("s0", []), ("s0", ["learn.priority=0.3"]), ("s1", []), ("s2", []), ("dqn-othello", [])):
        base = load_preset(preset, changes)
        variants = dqn_ablation._variants(base)
        for label in dqn_ablation.WITH:
            assert (label in variants) != (label.replace("with", "no") in variants), (preset, label)
        assert ("with dueling" in variants) == (base.net.kind != "tengen")
        assert ("with priority" in variants) == (base.learn.priority == 0)
        assert all(config.net_config().dueling for label, (_, config) in variants.items() if label == "with dueling")
    assert not {"S0's network", "no trails", "no scouts"} & set(dqn_ablation._variants(load_preset("s0")))
    said = dqn_ablation._variants(load_preset("dqn-7x7", ["net.dueling=true"]))
    assert set(said) == set(dqn_ablation._variants(load_preset("dqn-7x7")))


def test_the_interval_of_a_difference() -> None:
    """Newcombe (1998), method 10: 56 of 70 and 48 of 80."""
    whole, without = (
        {"win_rate": wins / games, "low": low, "high": high}
        for (wins, games) in ((56, 70), (48, 80))
        for low, high in [share_interval(wins / games, games)]
    )
    worth = dqn_ablation._worth(whole, without)
    assert (worth["worth_low"], worth["worth_high"]) == pytest.approx((0.0524, 0.3339), abs=1e-4)
