"""Openings: fit for play, all different, the same for a seed, and never at an end."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from tengen import Game, Position, Shape, TengenError
from tengen.arena.openings import RENJU26, OpeningSource, canonical_key
from tengen.games import GAMES


def first(source, game, count, seed=0):
    openings = OpeningSource(source, Game.parse(game), seed=seed)
    return list(islice(openings, count)), openings.notes


def test_positions_are_the_same_up_to_symmetry_exactly_when_their_keys_are():
    position = Position("gomoku:size=9", "e5f6c3a1")
    keys = {canonical_key(image) for image in position.symmetries()}
    assert len(keys) == 1
    assert canonical_key(Position("gomoku:size=9", "e5f6c3a2")) not in keys
    assert canonical_key(Position("gomoku:size=9", "e5f6c3")) not in keys


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("source", ["random", "empty"])
def test_openings_are_different_playable_and_fixed_by_the_seed(game, source):
    count = 16
    openings, notes = first(source, game, count, seed=3)
    assert len({canonical_key(opening.position) for opening in openings}) == count
    assert not any("repeat" in note for note in notes)
    assert all(not opening.position.is_over and opening.position.legal_moves() for opening in openings)
    again, _ = first(source, game, count, seed=3)
    assert [opening.position for opening in again] == [opening.position for opening in openings]
    assert [opening.name for opening in again] == [opening.name for opening in openings]
    other, _ = first(source, game, count, seed=4)
    assert [opening.position for opening in other] != [opening.position for opening in openings]


@pytest.mark.parametrize("game", ["gomoku", "gomoku:rule=standard", "renju", "gomoku:rule=caro"])
def test_random_openings_are_quiet_and_near_the_centre(game):
    openings, notes = first("random", game, 40)
    assert not notes
    for opening in openings:
        position = opening.position
        assert 2 <= position.ply <= 6
        stones = np.argwhere(position.board() != 0)
        assert np.abs(stones - 7).max() <= 4
        for side in ("black", "white"):
            shapes = position.shapes(side)
            assert shapes[:, position.board() != 0].max() < Shape.OPEN_THREE
            assert shapes.max() < Shape.FIVE


def test_random_openings_of_othello_are_four_to_eight_plies():
    openings, _ = first("random", "othello", 100)
    assert {opening.position.ply for opening in openings} == {4, 5, 6, 7, 8}


def test_the_empty_board_comes_first_and_then_something_else():
    openings, notes = first("empty", "gomoku", 3)
    assert openings[0].position == Position("gomoku")
    assert openings[1].position.ply > 0
    assert "empty has 1 opening" in notes[0]


def test_the_26_openings_of_renju():
    assert len(RENJU26) == 26
    assert RENJU26["D4 Kagetsu"] == ("h8", "h9", "i9")
    assert RENJU26["I7 Hogetsu"] == ("h8", "i9", "i7")
    openings, notes = first("renju26", "renju", 26, seed=9)
    assert not notes
    assert {opening.name for opening in openings} == set(RENJU26)
    assert len({canonical_key(opening.position) for opening in openings}) == 26
    more, notes = first("renju26", "renju", 36, seed=9)
    assert len({canonical_key(opening.position) for opening in more}) == 36
    assert notes == ["renju26 has 26 openings; the pairs after that add random moves to them"]


def test_renju_openings_move_to_the_centre_of_other_boards():
    openings, _ = first("renju26", "gomoku:size=19", 26)
    assert all(opening.position.stone("j10") == "black" for opening in openings)


@pytest.mark.parametrize("game", ["othello", "gomoku:size=5"])
def test_renju_openings_do_not_suit_every_game(game):
    with pytest.raises(TengenError, match="renju openings need"):
        OpeningSource("renju26", Game.parse(game))


def test_a_list_of_move_strings(tmp_path):
    path = tmp_path / "list.txt"
    path.write_text("# three openings, one twice\nh8i9\nj10k11  # could follow the first\n\nh8g9\nh8h9i10\n")
    openings, notes = first(f"file:{path}", "gomoku", 3)
    found = {"".join(map(str, opening.position.moves)) for opening in openings}
    assert found in ({"h8i9", "j10k11", "h8h9i10"}, {"h8g9", "j10k11", "h8h9i10"})  # h8i9 and h8g9 are mirror images
    assert any("same as another up to symmetry" in note for note in notes)
    assert openings[0].name.startswith("list.txt line ")


def test_records_give_positions_and_games_their_first_moves(tmp_path):
    path = tmp_path / "games.sgf"
    moves = "".join(f";{'BW'[n % 2]}[{'abcdefgh'[n // 2]}{'ac'[n % 2]}]" for n in range(9))
    path.write_text(f"(;GM[4]SZ[15]AB[hh]AW[ii]PL[W])(;GM[4]SZ[15]{moves})")
    openings, _ = first(f"file:{path}", "gomoku", 2)
    by_ply = {opening.position.ply: opening.position for opening in openings}
    assert set(by_ply) == {0, 6}
    assert by_ply[0].setup is not None
    assert by_ply[0].to_move == "white"


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("nonsense", "unknown openings 'nonsense'; there are empty, random, renju26, file:PATH"),
        ("file:", "unknown openings"),
        ("file:/nowhere/at/all.txt", "cannot read the openings"),
    ],
)
def test_bad_sources(source, says):
    with pytest.raises(TengenError, match=says):
        OpeningSource(source, Game.parse("gomoku"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("h8h8\n", "line 1"),
        ("h8i9\nz99\n", "line 2"),
        ("", "no opening|looks like no format"),
        ("hello", "no format|no move"),
    ],
)
def test_bad_files(tmp_path, text, says):
    path = tmp_path / "openings.txt"
    path.write_text(text)
    with pytest.raises(TengenError, match=says):
        OpeningSource(f"file:{path}", Game.parse("gomoku"))


def test_a_board_of_another_size_is_refused(tmp_path):
    path = tmp_path / "small.sgf"
    path.write_text("(;GM[4]SZ[9];B[ee])")
    with pytest.raises(TengenError, match="is of gomoku:size=9, not of gomoku"):
        OpeningSource(f"file:{path}", Game.parse("gomoku"))


def test_a_game_too_small_for_more_openings_says_so():
    openings, notes = first("random", "gomoku:size=3,win=3", 500)
    assert len(openings) == 500
    assert any("openings repeat" in note for note in notes)
