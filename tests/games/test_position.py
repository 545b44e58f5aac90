"""Position: the API as a player would use it."""

import copy
import json
import pickle
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tengen import Foul, IllegalMoveError, NotationError, Position, Reason, Shape, Side, TengenError
from tengen.games import ENCODINGS, GAMES

FIVE = "h8a1i8b1j8c1k8d1l8"


def random_position(name: str, choices: list[int]) -> Position:
    """Plays as many moves as there are choices, each picking among the legal moves."""
    position = Position(name)
    for choice in choices:
        legal = position.legal_moves()
        if not legal:
            break
        position.play(legal[choice % len(legal)])
    return position


games = st.sampled_from(GAMES)
choices = st.lists(st.integers(0, 10_000), max_size=120)


def test_reads_like_the_game():
    position = Position("gomoku")
    move = position.play("h8")
    assert str(move) == "h8"
    assert position.stone("h8") is Side.BLACK
    assert position.stone("h9") is None
    assert position.to_move is Side.WHITE
    assert position.last_move == move
    assert len(position.legal_moves()) == 224
    assert position.outcome() is None
    assert not position.is_over
    assert position.undo() == move
    assert position == Position("gomoku")
    assert position.last_move is None


def test_a_win_has_a_winner_a_reason_and_a_line():
    position = Position("gomoku", FIVE)
    outcome = position.outcome()
    assert outcome.winner is Side.BLACK
    assert outcome.reason is Reason.LINE
    assert [str(move) for move in outcome.line] == ["h8", "i8", "j8", "k8", "l8"]
    assert (outcome.value(Side.BLACK), outcome.value(Side.WHITE)) == (1, -1)
    assert (outcome.value("black"), outcome.value("white")) == (1, -1)
    with pytest.raises(TengenError, match="'black' or 'white'"):
        outcome.value("red")
    assert position.legal_moves() == []
    assert not position.legal_mask().any()
    assert str(outcome) == "black wins: h8-i8-j8-k8-l8"


def test_a_full_board_is_a_draw():
    position = Position("gomoku:size=3,win=3", "a1b1c1b2a2c2b3a3c3")
    assert position.outcome().is_draw
    assert position.outcome().reason is Reason.BOARD_FULL


@pytest.mark.parametrize(
    ("position", "move", "error", "says"),
    [
        (Position("gomoku", "h8"), "h8", IllegalMoveError, "h8 is illegal: there is a black stone"),
        (Position("gomoku", FIVE), "a5", IllegalMoveError, "the game is over, black wins"),
        (Position("gomoku"), "z9", NotationError, "points are a1..o15"),
        (Position("gomoku"), "pass", NotationError, "is no point"),
        (Position("othello"), "a1", IllegalMoveError, "a1 is illegal: it turns no disc"),
        (Position("othello"), "pass", IllegalMoveError, "black has a move, d3 for one"),
        (Position("othello"), "i9", NotationError, "points are a1..h8, or 'pass'"),
        (
            Position.from_stones("renju", black=["f8", "g8", "h9", "h10"]),
            "h8",
            IllegalMoveError,
            "h8 is illegal: it is forbidden to black, double three",
        ),
        (
            Position.from_stones("othello", black=["a1"], white=["b1"], to_move="white"),
            "h8",
            IllegalMoveError,
            "white must pass",
        ),
    ],
)
def test_an_illegal_move_says_why_and_changes_nothing(position, move, error, says):
    before = position.copy()
    with pytest.raises(error, match=says):
        position.play(move)
    assert position == before
    assert position.moves == before.moves
    assert not position.is_legal(move)


def test_undo_without_a_move():
    with pytest.raises(IllegalMoveError, match="no move to undo"):
        Position("gomoku").undo()


def test_renju_forbids_black_alone():
    cross = {"black": ["f8", "g8", "h9", "h10"], "white": ["a1", "a3"]}
    black = Position.from_stones("renju", **cross)
    assert [str(move) for move in black.forbidden_moves()] == ["h8"]
    assert black.forbidden_reason("h8") is Foul.DOUBLE_THREE
    assert black.forbidden_reason("a2") is None
    assert not black.is_legal("h8")
    white = Position.from_stones("renju", **cross, to_move="white")
    assert white.forbidden_moves() == []
    assert white.is_legal("h8")
    assert Position.from_stones("gomoku", **cross).is_legal("h8")
    assert Position("othello").forbidden_moves() == []


def test_othello_passes_may_be_left_out_of_a_move_string():
    rng = random.Random(1)
    for _ in range(50):  # small boards: passes are common
        position = Position("othello:size=4")
        while not position.is_over:
            position.play(rng.choice(position.legal_moves()))
        spoken = [move for move in position.moves if not move.is_pass]
        if len(spoken) < position.ply and not position.last_move.is_pass:
            break
    assert Position("othello:size=4", "".join(map(str, spoken))).moves == position.moves
    with pytest.raises(IllegalMoveError, match="must pass"):
        Position("othello:size=4", spoken)


def test_othello_score_with_and_without_the_empties():
    wiped = Position.from_stones("othello", black=["a1", "b1"], to_move="white")
    assert wiped.outcome().winner is Side.BLACK
    assert wiped.outcome().reason is Reason.NO_MOVES
    assert wiped.score() == (2, 0)
    assert wiped.score(empties_to_winner=True) == (64, 0)
    even = Position.from_stones("othello", black=["a1"], white=["h8"])
    assert even.score(empties_to_winner=True) == (32, 32)
    assert Position("othello").score(empties_to_winner=True) == (2, 2)
    assert [str(move) for move in Position("othello").flips("d3")] == ["d4"]


def test_shapes_are_read_by_side_and_direction():
    position = Position.from_stones("gomoku", black=["e8", "f8", "g8"], white=["d8"])
    shapes = position.shapes("black")
    h8 = position.game.move("h8")
    assert shapes.shape == (4, 15, 15)
    assert shapes[0, h8.row, h8.column] == Shape.RUSH_FOUR
    assert shapes[1, h8.row, h8.column] == Shape.NONE
    assert position.shapes(Side.WHITE)[0, h8.row, h8.column] == Shape.NONE
    with pytest.raises(TengenError, match="no line shapes"):
        Position("othello").shapes("black")


def test_planes():
    position = Position("gomoku", "h8i9")
    own, rival = position.planes("s0")
    h8, i9 = position.moves
    assert own[h8.row, h8.column] == 1
    assert own.sum() == 1
    assert rival[i9.row, i9.column] == 1
    assert rival.sum() == 1
    for encoding, count in ENCODINGS.items():
        planes = position.planes(encoding)
        assert planes.shape == (count, 15, 15)
        assert planes.dtype == np.float32
    assert position.planes("s3")[2, i9.row, i9.column] == 1
    with pytest.raises(TengenError, match="s0, s1, s2, s3, s4"):
        position.planes("s9")


def test_from_stones_refuses_what_cannot_be():
    with pytest.raises(TengenError, match="both black and white"):
        Position.from_stones("gomoku", black=["h8"], white=["h8"])
    with pytest.raises(TengenError, match="given twice"):
        Position.from_stones("gomoku", black=["h8", "h8"])
    with pytest.raises(TengenError, match="no stone"):
        Position.from_stones("othello", black=["pass"])
    with pytest.raises(TengenError, match="'black' or 'white'"):
        Position.from_stones("gomoku", to_move="green")


def test_the_drawing():
    assert str(Position("gomoku:size=3,win=3", "b2a1")) == ("    a b c\n  3 . . .\n  2 . X .\n  1[O]. .\nblack to move")
    assert str(Position("othello:size=4", "b1")).splitlines()[0:2] == ["    a b c d", "  1 .[X]. ."]
    assert "!" in str(Position.from_stones("renju", black=["f8", "g8", "h9", "h10"]))


def test_equality_is_about_the_stones():
    assert Position("gomoku", "h8i9j10") == Position("gomoku", "j10i9h8")
    assert Position("gomoku", "h8i9j10").hash == Position("gomoku", "j10i9h8").hash
    assert Position("gomoku", "h8") != Position("renju", "h8")
    assert Position("gomoku") != Position.from_stones("gomoku", to_move="white")
    assert Position("gomoku") != "gomoku"
    with pytest.raises(TypeError):
        hash(Position("gomoku"))


@settings(max_examples=60, deadline=None)
@given(games, choices)
def test_serialisation_round_trips(name, picks):
    position = random_position(name, picks)
    data = json.loads(json.dumps(position.to_dict()))
    for twin in (
        Position.from_dict(data),
        copy.deepcopy(position),
        copy.copy(position),
        pickle.loads(pickle.dumps(position)),
    ):
        assert twin == position
        assert twin.moves == position.moves
        assert twin.outcome() == position.outcome()


@settings(max_examples=40, deadline=None)
@given(games, choices)
def test_symmetries_keep_the_game(name, picks):
    position = random_position(name, picks)
    images = position.symmetries()
    assert images[0] == position
    maps = position.game.symmetry_maps()
    for image, where in zip(images, maps, strict=True):
        assert image.outcome() is None or image.outcome().winner == position.outcome().winner
        assert np.array_equal(image.legal_mask()[where], position.legal_mask())
        assert sorted(int(where[move]) for move in position.forbidden_moves()) == sorted(image.forbidden_moves())
        assert [int(where[move]) for move in position.moves] == image.moves


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ([], "mapping"),
        ({}, "keys game, moves and setup"),
        ({"game": "gomoku", "extra": 1}, "keys game, moves and setup"),
        ({"game": 3}, "not int"),
        ({"game": "gomoku", "moves": "h8"}, "must be a list"),
        ({"game": "gomoku", "moves": ["h8", "h8"]}, "black stone"),
        ({"game": "gomoku", "moves": [None]}, "not NoneType"),
        ({"game": "gomoku", "setup": []}, "keys black, white and to_move"),
        ({"game": "gomoku", "setup": {"black": "h8", "white": [], "to_move": "black"}}, "must be lists"),
        ({"game": "gomoku", "setup": {"black": [], "white": [], "to_move": 3}}, "'black' or 'white'"),
    ],
)
def test_bad_serialised_positions_are_refused(data, says):
    with pytest.raises(TengenError, match=says):
        Position.from_dict(data)


def test_copies_do_not_meet():
    position = Position("gomoku", "h8")
    twin = position.copy()
    twin.play("i9")
    assert position.ply == 1
    assert position.stone("i9") is None


@pytest.mark.parametrize("nonsense", [[], {}, None, 5, np.array([1])])
def test_a_game_must_be_named(nonsense):
    with pytest.raises(TengenError):
        Position(nonsense)
    with pytest.raises(TengenError):
        Position.from_dict({"game": nonsense})


def test_a_move_of_another_board_is_refused():
    centre = Position("gomoku").play("h8")
    with pytest.raises(NotationError, match="another board"):
        Position("gomoku:size=19").play(centre)
    assert Position("renju").play(centre) == centre


def test_arrays_are_no_moves():
    position = Position("gomoku")
    assert position.play(np.int64(5)) == 5
    for bad in (np.array([5]), np.array(5.0), [5], 5.0):
        with pytest.raises(NotationError):
            position.play(bad)
        assert not position.is_legal(bad)


def test_an_illegal_move_in_a_sequence_is_numbered():
    with pytest.raises(IllegalMoveError, match="move 2: h8 is illegal"):
        Position("gomoku", "h8h8")
    with pytest.raises(NotationError, match="character 3: 'z9'"):
        Position("gomoku", "h8z9")


def test_a_long_line_that_is_passed_does_not_take_long():
    # Rows with gaps longer than the line, whose shapes have no table: each move once took seconds.
    position = Position("gomoku:rule=standard,size=22,win=7", "e11a1h11a3k11a5n11a7")
    assert position.shapes("black").any()
