"""Swap and swap2."""

import json

import pytest

from tengen import IllegalMoveError, Opening, Seat, Side, TengenError


def placed(protocol: str, *moves: str) -> Opening:
    opening = Opening(protocol)
    for move in moves:
        opening.place(move)
    return opening


def test_swap_lets_the_second_person_choose():
    opening = placed("swap", "h8", "i9")
    assert (opening.phase, opening.to_act, opening.remaining) == ("place", Seat.FIRST, 1)
    opening.place("j10")
    assert (opening.phase, opening.to_act, opening.remaining) == ("choose", Seat.SECOND, 0)
    assert opening.choices() == ("black", "white")
    opening.choose("black")
    assert (opening.phase, opening.to_act) == ("done", None)
    assert opening.seat_of(Side.BLACK) is Seat.SECOND
    assert opening.seat_of("white") is Seat.FIRST
    assert opening.position.to_move is Side.WHITE
    opening.position.play("a1")


def test_swap2_offers_two_more_stones():
    opening = placed("swap2", "h8", "i9", "j10")
    assert opening.choices() == ("black", "white", "place two")
    opening.choose("place two")
    assert (opening.phase, opening.to_act, opening.remaining) == ("place", Seat.SECOND, 2)
    opening.place("g7")
    opening.place("f6")
    assert (opening.phase, opening.to_act) == ("choose", Seat.FIRST)
    assert opening.choices() == ("black", "white")
    opening.choose("white")
    assert opening.seat_of("white") is Seat.FIRST
    assert opening.seat_of("black") is Seat.SECOND
    assert opening.position.ply == 5
    assert opening.position.to_move is Side.WHITE


def test_out_of_turn_is_refused():
    opening = Opening("swap2")
    with pytest.raises(IllegalMoveError, match="choices: none"):
        opening.choose("black")
    with pytest.raises(TengenError, match="not settled"):
        opening.seat_of("black")
    opening = placed("swap", "h8", "i9", "j10")
    with pytest.raises(IllegalMoveError, match="no opening stone is due"):
        opening.place("a1")
    with pytest.raises(IllegalMoveError, match="black, white"):
        opening.choose("place two")
    assert opening.position.ply == 3


@pytest.mark.parametrize(
    ("protocol", "game"), [("swap3", "gomoku"), ("swap", "othello"), ("swap", "gomoku:size=3,win=3")]
)
def test_only_for_five_in_a_row(protocol, game):
    with pytest.raises(TengenError):
        Opening(protocol, game)


def test_round_trip_at_every_step():
    opening = Opening("swap2", "renju")
    script = ["h8", "i9", "j10", "!place two", "g7", "f6", "!black"]
    for step in [None, *script]:
        if step is not None:
            opening.choose(step[1:]) if step.startswith("!") else opening.place(step)
        twin = Opening.from_dict(json.loads(json.dumps(opening.to_dict())))
        assert twin.to_dict() == opening.to_dict()
        assert (twin.phase, twin.to_act, twin.choices()) == (opening.phase, opening.to_act, opening.choices())
    opening.position.play("a1")
    assert Opening.from_dict(opening.to_dict()).position == opening.position


def test_bad_data_is_refused():
    good = placed("swap", "h8").to_dict()
    for bad in ({}, {**good, "choices": ["black"]}, {**good, "choices": "black"}, {**good, "protocol": "x"}):
        with pytest.raises(TengenError):
            Opening.from_dict(bad)
