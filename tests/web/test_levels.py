"""The ten levels, and the ratings beside them."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from tengen.games import Game
from tengen.web.levels import RATINGS, levels


@pytest.mark.parametrize("name", ["gomoku", "othello"])
def test_measured_levels_rise(name: str) -> None:
    every = levels(Game.parse(name))
    assert [level.number for level in every] == list(range(1, 11))
    ratings = [level.rating for level in every]
    assert all(low is not None and high is not None and low < high for low, high in pairwise(ratings)), ratings
    # A level that was changed has no rating before `benchmarks/levels.py` has measured it.
    assert set(json.loads(RATINGS.read_text("utf-8"))[name]) == {level.player for level in every}
    assert {level.rating for level in every if level.player == "greedy"} <= {1000}


def test_what_was_not_measured_has_no_rating() -> None:
    assert {level.rating for level in levels(Game.parse("gomoku:size=9,rule=caro"))} == {None}
