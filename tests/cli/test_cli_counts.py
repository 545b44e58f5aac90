"""``tengen perft`` and ``tengen bench``, and the counting behind them."""

from __future__ import annotations

import json

import pytest

from tengen import benchmarking
from tengen.benchmarking import BENCHMARKS, Benchmark, divide, measure, perft, search_nodes, signature
from tengen.games import Position

OTHELLO = [4, 12, 56, 244, 1396, 8200, 55092, 390216]


def test_perft_counts_othello(invoke):
    data = json.loads(invoke("perft", "othello", "--depth", "8", "--json").stdout)
    assert [row["leaves"] for row in data["counts"]] == OTHELLO
    assert [row["depth"] for row in data["counts"]] == list(range(1, 9))
    assert all(row["seconds"] >= 0 for row in data["counts"])
    assert (data["game"], data["moves"], data["divide"]) == ("othello", [], None)


def test_perft_table_has_a_row_per_depth(invoke):
    lines = invoke("perft", "gomoku:size=3,win=3", "-d", "5").stdout.splitlines()
    assert [line.split()[:2] for line in lines[1:]] == [
        ["1", "9"],
        ["2", "72"],
        ["3", "504"],
        ["4", "3,024"],
        ["5", "15,120"],
    ]


def test_perft_starts_after_the_moves_given(invoke):
    data = json.loads(invoke("perft", "othello", "-d", "3", "--moves", "f5", "--divide", "--json").stdout)
    assert data["moves"] == ["f5"]
    assert data["counts"][-1]["leaves"] == OTHELLO[3] // 4
    assert sum(data["divide"].values()) == OTHELLO[3] // 4
    assert len(data["divide"]) == 3


def test_perft_of_a_finished_game_is_one_leaf(invoke):
    data = json.loads(invoke("perft", "gomoku:size=3,win=3", "-d", "2", "--moves", "a1a2b1b2c1", "--json").stdout)
    assert [row["leaves"] for row in data["counts"]] == [1, 1]


@pytest.mark.parametrize(
    ("game", "moves", "depth"),
    [("othello", "f5d6c3", 6), ("othello:size=4", "", 12), ("gomoku:size=3,win=3", "", 9), ("renju", "h8i9j8", 2)],
)
def test_counting_in_parts_changes_nothing(monkeypatch, game, moves, depth):
    position = Position(game, moves)
    whole = position.core.perft(depth)
    monkeypatch.setattr(benchmarking, "_LEAVES_PER_CALL", 1)
    parts: list[tuple[int, int]] = []
    assert perft(position, depth, on_part=lambda done, total: parts.append((done, total))) == whole
    total = len(position.legal_moves())
    assert parts == [(done, total) for done in range(total + 1)]
    assert sum(leaves for _, leaves in divide(position, depth)) == whole
    assert position == Position(game, moves)


def test_bench_json(invoke):
    names = ["perft-othello", "position"]
    result = invoke("bench", "--quick", "--only", names[1], "--only", names[0], "--json")
    data = json.loads(result.stdout)
    assert list(data) == ["version", "signature", "search_nodes", "quick", "machine", "results"]
    assert [entry["name"] for entry in data["results"]] == names
    assert [entry["target"] for entry in data["results"]] == [200e6, None]
    assert all(entry["value"] > 0 and entry["unit"].endswith("/s") for entry in data["results"])
    assert set(data["machine"]) == {"processor", "system", "python"}
    assert result.stderr == ""


def test_bench_table_ends_with_the_signature(invoke):
    lines = invoke("bench", "--quick", "--only", "forbidden").stdout.splitlines()
    assert lines[1].startswith("forbidden ")
    assert lines[-1] == f"signature {signature()}, search {search_nodes():,} nodes"


@pytest.mark.parametrize("name", list(BENCHMARKS))
def test_every_benchmark_does_the_work_it_counts(name):
    work = BENCHMARKS[name].prepare(True)
    assert work() == work() > 0, "each repetition does the same amount"


def test_measure_keeps_the_best_run(monkeypatch):
    times = iter([0.0, 4.0, 10.0, 11.0, 20.0, 22.0])
    monkeypatch.setattr(benchmarking.time, "perf_counter", lambda: next(times))
    benchmark = Benchmark("x", "", "things/s", 5.0, lambda quick: lambda: 8)
    assert measure(benchmark, quick=True).value == 8.0


def test_signature_sees_a_change_of_behaviour(monkeypatch):
    before = signature()
    assert before == signature()
    monkeypatch.setattr(benchmarking, "RENJU_MIDGAMES", (*benchmarking.RENJU_MIDGAMES[:-1], "h8i9"))
    assert signature() != before


def test_renju_midgames_have_fouls_and_are_not_over():
    for moves in benchmarking.RENJU_MIDGAMES:
        position = Position("renju", moves)
        assert len({position.forbidden_reason(move) for move in position.forbidden_moves()}) >= 2
        Position("gomoku", moves)


def test_behaviour_is_as_it_was():
    """Changes only when the rules, the random games, the search or its evaluation do: then say so in the commit."""
    assert signature() == "9b98b28bab1d64ee"
    assert search_nodes() == 582_732
