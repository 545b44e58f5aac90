"""Clocks, the time manager, and limits."""

import math
import random

import pytest

import tengen
from tengen import Limit, Position, TengenError
from tengen.search import Clock, TimeControl
from tengen.search.clock import MOVES_AHEAD, moves_ahead, seconds_for_move, usable


@pytest.mark.parametrize(
    ("text", "base", "increment"),
    [("60+1", 60, 1), ("60", 60, 0), (" 0.5+0.05 ", 0.5, 0.05), ("0+2", 0, 2), ("3600.+0", 3600, 0)],
)
def test_clocks_are_read(text, base, increment):
    control = TimeControl.parse(text)
    assert (control.base, control.increment) == (base, increment)
    assert TimeControl.parse(str(control)) == control


@pytest.mark.parametrize(
    "text", ["", "+", "60+", "+1", "0", "0+0", "-5+1", "5+-1", "nan", "inf+1", "1e3", "60 + 1", "5:00+3", "9" * 30]
)
def test_what_is_no_clock(text):
    with pytest.raises(TengenError, match="clock"):
        TimeControl.parse(text)


def test_numbers_that_make_no_clock():
    for base, increment in ((0, 0), (-1, 2), (math.nan, 1), (math.inf, 0), (1, 1e9)):
        with pytest.raises(TengenError, match="clock"):
            TimeControl(base, increment)


def test_a_move_gets_its_share_and_the_increment():
    assert seconds_for_move(60, base=60) == pytest.approx(58 / MOVES_AHEAD - 0.08)
    assert seconds_for_move(61, base=60, increment=1) == pytest.approx(58 / MOVES_AHEAD + 1 - 0.08)
    assert seconds_for_move(10, base=60, moves=4) == pytest.approx(2 - 0.08)
    assert seconds_for_move(0) == seconds_for_move(-5) == 0
    assert usable(0.04) == pytest.approx(0.03)


@pytest.mark.parametrize("text", ["60+0", "60+1", "10+0.1", "1+0.05", "0+1", "0+0.1", "300+5", "2+2"])
@pytest.mark.parametrize("game", ["gomoku", "othello"])
def test_whoever_obeys_it_does_not_lose_on_time(text, game):
    control, generator = TimeControl.parse(text), random.Random(1)
    position, left = Position(game), control.base
    thought = []
    for _ in range(110 if game == "gomoku" else 30):
        left += control.increment
        seconds = Clock(left, control).seconds_for_move(position)
        assert 0 <= seconds <= left
        thought.append(seconds)
        left -= seconds + generator.uniform(0, 0.02)  # never quite in time
        assert left > 0
        for _ in range(2):
            if not position.is_over:
                position.play(generator.choice(position.legal_moves()))
    assert max(thought) < 0.35 * control.base + 1.5 * control.increment
    if control.increment:
        assert min(thought) > 0.25 * control.increment  # the increment is always there to be used
        assert thought[-1] > 0.3 * control.increment


def test_moves_ahead():
    assert moves_ahead(Position("gomoku")) == MOVES_AHEAD
    assert moves_ahead(Position("gomoku:size=3,win=3")) == 5
    assert moves_ahead(Position("othello")) == 31
    position, generator = Position("othello"), random.Random(3)
    while not position.is_over:
        assert 3 <= moves_ahead(position) <= 31
        position.play(generator.choice(position.legal_moves()))


@pytest.mark.parametrize(
    "limit",
    [
        {"seconds": -1},
        {"seconds": math.nan},
        {"seconds": "1"},
        {"nodes": -1},
        {"nodes": 1.5},
        {"nodes": 1 << 80},
        {"depth": 0},
        {"depth": -3},
        {"depth": 1 << 40},
        {"depth": "deep"},
    ],
)
def test_limits_that_make_no_sense(limit):
    with pytest.raises(TengenError, match="makes no sense"):
        Limit(**limit)


def test_a_limit_within_another():
    clock = Clock(5, TimeControl(60))
    limit = Limit(seconds=3, nodes=100, clock=clock)
    assert limit.within(seconds=5, nodes=10, depth=4) == Limit(seconds=3, nodes=10, depth=4, clock=clock)
    assert limit.within() == limit


def test_limit_lives_with_the_searches_and_is_found_where_it_was():
    from tengen import players, search

    assert tengen.Limit is search.Limit is players.Limit
    assert tengen.Limit.__module__ == "tengen.search.limit"


def test_a_limit_of_depth_bounds_a_proof():
    won = Position.from_stones("gomoku", black="d8e8f8h10h11h12", white="c8a1a3a5a7a9", to_move="black")
    assert tengen.solve(won, "vcf").is_win
    assert tengen.solve(won, "vcf", limit=Limit(depth=1)).verdict != "win"
