"""A game at a table: clocks, taking back, and a kept game that goes on."""

from __future__ import annotations

import random

import pytest

import tengen
from tengen.errors import TengenError
from tengen.games import Side
from tengen.web.table import Table, Terms


class Time:
    """A clock that stands still until it is told."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def table(now=None, **terms):
    return Table(Terms.from_dict(terms), **({} if now is None else {"now": now}))


def test_a_clock_counts_the_mover_and_adds_the_increment():
    time = Time()
    game = table(time, clock="60+2")
    time.now += 5
    assert game.to_view()["clocks"] == {"black": 57.0, "white": 60.0, "running": "black"}
    game.play("h8")
    time.now += 10
    assert game.to_view()["clocks"] == {"black": 57.0, "white": 52.0, "running": "white"}
    game.play("h9")
    assert game.to_view()["clocks"] == {"black": 59.0, "white": 52.0, "running": "black"}
    limit = game.limit()
    assert 0 < limit.seconds < 59
    assert limit.clock.left == pytest.approx(59)


def test_a_flag_falls_and_a_late_move_is_refused():
    time = Time()
    game = table(time, clock="10")
    game.play("h8")
    time.now += 9.9
    assert not game.flag()
    time.now += 0.2
    with pytest.raises(TengenError, match="over"):
        game.play("h9")
    assert str(game.outcome) == "black wins (time)"
    assert game.position.ply == 1
    assert game.to_view()["clocks"]["white"] == 0


def test_a_kept_game_has_its_time_but_none_of_the_pause():
    time = Time()
    game = table(time, clock="60+2", second="greedy")
    time.now += 5
    game.play("h8")
    time.now += 3
    kept = game.snapshot()
    time.now += 1000
    again = Table.restored(kept, now=time)
    assert again.to_view()["clocks"] == {"black": 57.0, "white": 59.0, "running": "white"}
    assert again.to_act == "greedy"
    greedy_for_time = {**kept, "left": [1e9, -5]}
    clocks = Table.restored(greedy_for_time, now=time).to_view()["clocks"]
    assert clocks["black"] < 70
    assert clocks["white"] == 0


@pytest.mark.parametrize("first", ["human", "greedy"])
@pytest.mark.parametrize("second", ["human", "random"])
def test_taking_back_ends_where_a_person_moves(first, second):
    rng = random.Random(f"{first}{second}")
    for _ in range(20):
        game = table(game="othello:size=6", first=first, second=second)
        for _ in range(rng.randrange(1, 12)):
            game.play(str(rng.choice(game.position.legal_moves())))
        people = [side for side in Side if game.player_of(side) == "human"]
        before = game.position.moves
        # The longest beginning that is shorter, and after which a person is to move; of programs alone, one less.
        expected = next(
            (
                ply
                for ply in reversed(range(len(before)))
                if not people or tengen.Position("othello:size=6", before[:ply]).to_move in people
            ),
            None,
        )
        if expected is None:
            with pytest.raises(TengenError, match="take back"):
                game.undo()
            assert game.position.moves == before
        else:
            game.undo()
            assert game.position.moves == before[:expected]


def test_a_game_that_was_given_up_can_be_taken_back():
    game = table()
    game.play("h8")
    game.resign(Side.WHITE)
    assert game.to_act is None
    game.undo()
    assert game.outcome is None
    assert game.to_act == "human"


def test_every_kept_game_comes_back():
    rng = random.Random(5)
    for case in range(60):
        protocol = rng.choice([None, "swap", "swap2"])
        game = table(game="gomoku:size=9", protocol=protocol, first=rng.choice(["human", "greedy"]))
        for _ in range(rng.randrange(12)):
            if game.opening is not None and game.opening.phase == "choose":
                game.choose(rng.choice(game.opening.choices()))
            else:
                game.play(str(rng.choice(game.position.legal_moves())))
        if not game.is_opening and rng.random() < 0.2:
            game.resign(rng.choice(list(Side)))
        again = Table.restored(game.snapshot())
        mine, theirs = game.to_view(), again.to_view()
        assert mine == theirs, case
        assert again.to_act == game.to_act


def test_a_game_begins_from_any_position():
    rng = random.Random(7)
    for _ in range(40):
        name = rng.choice(["gomoku:size=9", "renju", "othello:size=6"])
        before = tengen.Position(name)
        if rng.random() < 0.5:
            points = rng.sample(before.game.moves[: before.size**2], 6)
            before = tengen.Position.from_stones(name, black=points[:3], white=points[3:], to_move="white")
        for _ in range(rng.randrange(6)):
            if not before.is_over:
                before.play(rng.choice(before.legal_moves()))
        data = before.to_dict()
        terms = Terms.from_dict({"game": name, "setup": data.get("setup"), "second": "greedy", "clock": "60+2"})
        time = Time()
        if before.is_over:
            with pytest.raises(TengenError, match="over"):
                Table.going_on(terms, data["moves"], now=time)
            continue
        game = Table.going_on(terms, data["moves"], now=time)
        assert game.position == before
        assert game.position.to_dict() == data
        assert game.to_act == ("human" if before.to_move is Side.BLACK else "greedy")
        mover = str(before.to_move)
        assert game.to_view()["clocks"] == {"black": 60.0, "white": 60.0, mover: 62.0, "running": mover}
        game.play(str(rng.choice(before.legal_moves())))
        again = Table.restored(game.snapshot(), now=time)
        assert again.to_view() == game.to_view()
        game.position.undo()
        assert game.position == before


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        ({"game": 5}, "short text"),
        ({"game": "x" * 500}, "short text"),
        ({"colour": "red"}, "no colour"),
        ({"seconds": True}, "a number"),
        ({"seconds": 0}, "0.01"),
        ({"clock": "soon"}, "BASE"),
        ({"protocol": "swap3"}, "protocols are"),
        ({"protocol": "swap", "game": "othello"}, "five in a row"),
        ({"protocol": "swap", "setup": {"black": [], "white": [], "to_move": "black"}}, "no opening protocol"),
        ({"setup": []}, "setup must have"),
        ({"setup": {"black": ["h8"], "white": ["h8"], "to_move": "black"}}, "both"),
    ],
)
def test_terms_that_make_no_sense(terms, message):
    with pytest.raises(TengenError, match=message):
        Table(Terms.from_dict(terms))
