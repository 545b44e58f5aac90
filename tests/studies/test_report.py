"""The common part: cells, intervals, plots."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from tengen.arena.statistics import share_interval
from tengen.studies import Chart, Column, Point, Series, Session, Table
from tengen.studies.matches import source_row
from tengen.studies.plot import draw, ticks
from tengen.studies.s4_parallel import median_interval

SVG = "{http://www.w3.org/2000/svg}"


def test_a_cell_is_written_by_its_columns_form() -> None:
    columns = (Column("score", "{score:.1%}"), Column("95 %", "{low:.1%} to {high:.1%}"))
    table = Table("t", columns, [{"score": 0.5, "low": 0.25, "high": 1.0}, {"score": 1, "low": None, "high": 1.0}])
    assert table.cells() == [["50.0%", "25.0% to 100.0%"], ["100.0%", "-"]]


@pytest.mark.parametrize(
    ("games", "quick", "expected"), [(None, False, 50), (None, True, 4), (7, False, 7), (7, True, 7)]
)
def test_games_of_a_pairing(games: int | None, quick: bool, expected: int) -> None:
    assert Session(out=Path(), games=games, quick=quick).games_or(50) == expected


def test_the_sources_results_have_intervals_too() -> None:
    row = source_row(43, 1, 6)
    assert row["source_score"] == pytest.approx(0.87)
    assert 0.7 < float(row["source_low"] or 0) < 0.87 < float(row["source_high"] or 0) < 0.96


def test_the_median_of_few_values_may_be_anywhere_among_them() -> None:
    assert median_interval([6, 1, 5, 2, 4, 3]) == (1, 6)
    # From tables of the binomial distribution: ranks 6 and 15 of 20.
    assert median_interval(list(range(1, 21))) == (6, 15)


def test_the_interval_of_a_share() -> None:
    low, high = share_interval(0.5, 100)  # Wilson: 0.404 to 0.596
    assert (low, high) == pytest.approx((0.404, 0.596), abs=0.001)
    assert share_interval(0.0, 10)[0] == pytest.approx(0)
    assert share_interval(1.0, 10)[1] == pytest.approx(1)


@pytest.mark.parametrize(
    ("top", "expected"),
    [
        (1.0, [0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (3000, [0, 1000, 2000, 3000]),
        (0, [0, 1]),
        (0.07, [0, 0.02, 0.04, 0.06, 0.08]),
    ],
)
def test_ticks_are_round_and_reach_the_top(top: float, expected: list[float]) -> None:
    assert ticks(top) == pytest.approx(expected)


def test_ticks_reach_below_zero() -> None:
    assert ticks(380, bottom=-150) == pytest.approx([-200, 0, 200, 400])
    assert ticks(-1, bottom=-5) == pytest.approx([-5, -4, -3, -2, -1, 0])


def test_bars_are_as_high_as_their_values() -> None:
    series = [Series("ours", [Point("a & b", 0.5, 0.25, 0.75), Point("c", 1.0)]), Series("<S4>", [Point("c", 0.0)])]
    plot = ElementTree.fromstring(draw([Chart("title", "bars", series, percent=True)]))
    bars = [rect for rect in plot.iter(f"{SVG}rect") if rect.find(f"{SVG}title") is not None]
    heights = [float(bar.attrib["height"]) for bar in bars]
    assert heights[0] == pytest.approx(heights[1] / 2, abs=0.11)
    assert heights[2] == 0
    texts = [text.text for text in plot.iter(f"{SVG}text")]
    assert "a & b" in texts
    assert "<S4>" in texts
    hint = bars[0].find(f"{SVG}title")
    assert hint is not None
    assert hint.text == "ours, a & b: 0.5 (0.25 to 0.75)"


def test_lines_go_through_their_points() -> None:
    points = [Point(0, 0.0), Point(500, 5.0, 4.0, 6.0), Point(1000, 10.0)]
    plot = ElementTree.fromstring(draw([Chart("a", "lines", [Series("s", points)])] * 2))
    assert plot.attrib["height"] == "600"
    first, _second = plot.findall(f".//{SVG}polyline")
    (x0, y0), (x1, y1), (x2, y2) = (tuple(map(float, pair.split(","))) for pair in first.attrib["points"].split())
    assert (x1 - x0, y0 - y1) == pytest.approx((x2 - x1, y1 - y2), abs=0.2)
    assert y0 > y1 > y2
    assert len(plot.findall(f".//{SVG}circle")) == 6


def test_lines_below_zero_stay_in_their_panel() -> None:
    points = [Point(0, -50.0, -80.0, -20.0), Point(100, 30.0)]
    plot = ElementTree.fromstring(draw([Chart("a", "lines", [Series("s", points)])]))
    heights = [float(line.attrib[end]) for line in plot.iter(f"{SVG}line") for end in ("y1", "y2")]
    assert max(heights) <= 300 - 56 + 4  # a tick below the area
    polyline = plot.find(f".//{SVG}polyline")
    assert polyline is not None
    (_, y0), (_, y1) = (tuple(map(float, pair.split(","))) for pair in polyline.attrib["points"].split())
    assert y0 > y1


def test_long_names_of_bars_take_turns() -> None:
    names = ["a name that is long " + letter for letter in "abcdef"]
    plot = ElementTree.fromstring(draw([Chart("t", "bars", [Series("s", [Point(name, 0.5) for name in names])])]))
    heights = [text.attrib["y"] for text in plot.iter(f"{SVG}text") if text.text in names]
    assert len(heights) == 6
    assert heights[0] == heights[2] == heights[4] != heights[1] == heights[3] == heights[5]
