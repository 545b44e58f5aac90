"""Errors tell programs what they tell people."""

from __future__ import annotations

import pytest

import tengen
from tengen.errors import IllegalMoveError, RecordError, TengenError


@pytest.mark.parametrize(
    ("game", "moves", "move", "code", "details"),
    [
        ("gomoku", "h8", "h8", "occupied", ("h8", "black")),
        ("gomoku", "a1b1a2b2a3b3a4b4a5", "h8", "over", ("h8",)),
        ("renju", "h8a1h9a3i10a5j10o1", "h10", "forbidden", ("h10", "double three")),
        ("othello", "", "a1", "turns_nothing", ("a1",)),
        ("othello", "", "pass", "may_not_pass", ("pass", "d3")),
    ],
)
def test_why_a_move_is_illegal(game: str, moves: str, move: str, code: str, details: tuple[str, ...]) -> None:
    position = tengen.Position(game, moves)
    with pytest.raises(IllegalMoveError) as refused:
        position.play(move)
    assert (refused.value.code, refused.value.details) == (code, details)
    assert all(detail in str(refused.value) for detail in details)
    with pytest.raises(IllegalMoveError) as again:
        tengen.Position(game, [*position.moves, move])
    assert (again.value.code, again.value.details) == (code, details)


def test_other_errors_have_the_code_of_their_class() -> None:
    for wrong, code in (
        (lambda: tengen.Position("chess"), "game_name"),
        (lambda: tengen.player("nobody"), "player_name"),
    ):
        with pytest.raises(TengenError) as trouble:
            wrong()
        assert trouble.value.code == code
    assert TengenError("x").code == "other"
    trouble_there = RecordError("no", format="sgf", place="line 3")
    assert (trouble_there.code, trouble_there.details) == ("record", ("sgf", "line 3"))
    assert str(trouble_there) == "sgf (line 3): no"
