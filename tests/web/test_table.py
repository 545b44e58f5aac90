"""A game at a table: clocks, taking back, and a kept game that goes on."""

from __future__ import annotations

import math
import random

import pytest

import tengen
from tengen.errors import TengenError
from tengen.games import Game, Side
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
    for left in ([1e9, -5], [10**400, -(10**400)], [math.inf, math.nan]):
        clocks = Table.restored({**kept, "left": left}, now=time).to_view()["clocks"]
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


@pytest.mark.parametrize("first", ["human", "greedy"])
@pytest.mark.parametrize("second", ["human", "random"])
def test_what_was_taken_back_is_played_again_until_another_move_is(first, second):
    rng = random.Random(f"{first}{second}")
    ends = 0
    for _ in range(30):
        game = table(game="othello:size=6", first=first, second=second)
        for _ in range(rng.randrange(1, 40)):
            if game.outcome is None:
                game.play(str(rng.choice(game.position.legal_moves())))
        ends += game.outcome is not None
        stood = [game.position.moves]
        while game.to_view()["can_undo"]:
            game.undo()
            stood.append(game.position.moves)
        for moves in reversed(stood[:-1]):
            assert game.to_view()["can_redo"]
            game.redo()
            assert game.position.moves == moves
        for _ in range(2):
            assert not game.to_view()["can_redo"]
            with pytest.raises(TengenError, match="over" if game.outcome else "no move to play again"):
                game.redo()
            assert game.position.moves == stood[0]
            if len(stood) > 1:
                game.undo()
                game.play(str(game.position.legal_moves()[0]))
                stood[0] = game.position.moves
    assert ends


def test_playing_again_makes_no_time():
    time = Time()
    game = table(time, clock="60+5")
    for move in ("h8", "h9"):
        game.play(move)
    time.now += 4
    before = game.to_view()["clocks"]
    for _ in range(10):
        game.undo()
        game.redo()
    assert game.to_view()["clocks"] == before
    game.undo()
    time.now += 7  # of white's
    game.redo()
    assert game.to_view()["clocks"] == before | {"white": before["white"] - 7}
    game.undo()
    time.now += 60
    with pytest.raises(TengenError, match="over"):
        game.redo()
    assert str(game.outcome) == "black wins (time)"


def test_taking_back_makes_no_time():
    time = Time()
    game = table(time, clock="60+5")
    game.play("h8")
    before = game.to_view()["clocks"]
    assert (before["black"], before["white"]) == (65, 65)
    for _ in range(10):
        game.undo()
        game.play("h8")
    assert game.to_view()["clocks"] == before
    time.now += 2
    game.undo()  # white thought for two seconds
    time.now += 3
    game.play("h8")  # and black for three more
    assert game.to_view()["clocks"] == {"black": 62, "white": 63, "running": "white"}
    game.play("h9")
    assert game.to_view()["clocks"] == {"black": 67, "white": 63, "running": "black"}  # a turn that is new
    game.undo()
    again = Table.restored(game.snapshot(), now=time)
    again.play("i9")
    assert again.to_view()["clocks"] == {"black": 67, "white": 63, "running": "black"}


def test_a_game_decided_on_the_board_has_increments_after_it_is_taken_back():
    time = Time()
    game = table(time, game="gomoku:size=3,win=3", clock="60+5")
    for move in ("a1", "b1", "a2", "b2", "a3"):
        game.play(move)
    assert game.outcome is not None
    for each in (game, Table.restored(game.snapshot(), now=time)):
        each.undo()
        before = each.to_view()["clocks"]
        each.play("c3")
        assert each.to_view()["clocks"]["white"] == before["white"] + 5


def test_a_game_lost_on_time_is_lost():
    time = Time()
    game = table(time, clock="10")
    game.play("h8")
    game.play("h9")
    assert game.to_view()["can_undo"]
    time.now += 11
    for _ in range(2):
        with pytest.raises(TengenError, match="take back"):
            game.undo()
        assert str(game.outcome) == "white wins (time)"
        assert not game.to_view()["can_undo"]
        game = Table.restored(game.snapshot(), now=time)


def test_only_stones_of_ones_own_are_taken_back_in_an_opening():
    game = table(protocol="swap2", second="greedy")
    assert not game.to_view()["can_undo"]
    for move in ("a1", "c3", "e5"):
        game.play(move)
        if game.position.ply < 3:
            game.undo()
            game.play(move)
    assert game.to_act == "greedy"
    assert not game.to_view()["can_undo"]
    game = table(protocol="swap2", first="greedy")
    for move in ("a1", "c3", "e5"):
        assert not game.to_view()["can_undo"]
        game.play(move)
    assert game.to_act == "human"
    with pytest.raises(TengenError, match="take back"):
        game.undo()
    game.choose("place two")
    assert not game.to_view()["can_undo"]
    game.play("h8")
    game.undo()
    assert game.position.ply == 3
    assert not game.to_view()["can_undo"]
    game.play("h8")
    game.play("i9")
    assert not game.to_view()["can_undo"]  # it is the program's to choose
    game.choose("black")
    game.play("j10")
    game.undo()
    assert game.position.ply == 5
    assert not game.to_view()["can_undo"]


def test_a_paused_game_uses_no_time():
    time = Time()
    game = table(time, first="greedy", second="random", clock="60+5")
    game.play("h8")
    time.now += 3
    game.pause()
    time.now += 1000
    assert game.to_view()["paused"]
    assert game.to_view()["clocks"] == {"black": 65, "white": 62, "running": None}
    again = Table.restored(game.snapshot(), now=time)
    assert again.is_paused
    for each in (game, again):
        began = time.now
        each.resume()
        time.now += 2
        assert each.to_view()["clocks"] == {"black": 65, "white": 60, "running": "white"}
        each.hold_clock()  # it has decided
        time.now += 100
        each.play("h9")
        assert each.to_view()["clocks"] == {"black": 70, "white": 60, "running": "black"}
        time.now = began
    with pytest.raises(TengenError, match="not paused"):
        game.resume()
    with pytest.raises(TengenError, match="two programs"):
        table(second="greedy").pause()


def test_who_may_offer_a_draw():
    game = table(second="greedy")
    assert game.can_draw
    game.play("h8")
    assert not game.can_draw
    with pytest.raises(TengenError, match="to move offers"):
        game.agree_draw()
    assert not table(protocol="swap").can_draw
    game = table()
    game.agree_draw()
    assert str(game.outcome) == "draw (agreement)"
    assert not game.can_draw


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


def test_who_resigned_goes_on_where_the_game_stood():
    game = Table(Terms(game=Game.parse("gomoku"), second="greedy"))
    game.play("h8")
    game.play("i9")
    game.resign(Side.BLACK)
    game.undo()
    assert game.outcome is None
    assert [str(move) for move in game.position.moves] == ["h8", "i9"]
    game.undo()  # and now the moves
    assert game.position.ply == 0
    game.resign(Side.BLACK)  # before any move
    assert game.to_view()["can_undo"]
    game.undo()
    assert game.outcome is None
    assert not game.to_view()["can_undo"]
