"""tengen.solve: proofs or "unknown"."""

import pytest

import tengen
from tengen import Limit, Position, TengenError
from tengen.search import Verdict

OPEN_THREE = {"black": "e8f8g8", "white": "a1c1e1"}


def play_out(position: Position, line) -> Position:
    after = position.copy()
    for move in line:
        after.play(move)
    return after


def test_a_win_comes_with_its_line():
    position = Position.from_stones("gomoku", **OPEN_THREE)
    solution = tengen.solve(position, "vcf")
    assert solution.verdict is Verdict.WIN
    assert solution.is_win
    assert play_out(position, solution.line).outcome().winner == "black"


def test_threes_need_vct():
    # Two open twos that cross: a double three, which is no four.
    position = Position.from_stones("gomoku", black="f8g8h9h10", white="a1c1e1o15")
    assert tengen.solve(position, "vcf").verdict is Verdict.NONE
    solution = tengen.solve(position, "vct")
    assert solution.is_win
    assert play_out(position, solution.line).outcome().winner == "black"


def test_the_same_double_three_is_forbidden_under_renju():
    stones = {"black": "f8g8h9h10", "white": "a1c1e1o15"}
    assert str(tengen.solve(Position.from_stones("gomoku", **stones), "vct").line[0]) == "h8"
    solution = tengen.solve(Position.from_stones("renju", **stones), "vct", limit=Limit(nodes=200_000))
    assert not solution.line or str(solution.line[0]) != "h8"


def test_under_renju_a_forbidden_point_is_no_defence():
    # White's row e4 f5 g6 with d3 stopped can be completed only at i8 after h7, or the other way round. At i8 black
    # would make a double three, so under renju white's four at h7 cannot be stopped.
    stones = {"black": "d3g8h8i9i10", "white": "e4f5g6a1"}
    renju = Position.from_stones("renju", **stones, to_move="white")
    assert renju.forbidden_reason("i8") is tengen.Foul.DOUBLE_THREE
    solution = tengen.solve(renju, "vcf")
    assert [str(move) for move in solution.line] == ["h7", "i8"] or str(solution.line[0]) == "h7"
    assert solution.is_win
    assert tengen.solve(Position.from_stones("gomoku", **stones, to_move="white"), "vcf").verdict is Verdict.NONE


def test_a_small_limit_is_unknown():
    position = Position("gomoku", "h8i9j8h10g7f6i7k9")
    assert tengen.solve(position, "vct", limit=Limit(nodes=1)).verdict is Verdict.UNKNOWN


def test_nothing_to_find_is_none():
    assert tengen.solve(Position("gomoku", "h8"), "vcf").verdict is Verdict.NONE
    over = Position("gomoku", "h8a1i8b1j8c1k8d1l8")
    assert tengen.solve(over, "vct").verdict is Verdict.NONE


def test_nonsense_is_refused():
    with pytest.raises(TengenError, match="no threats"):
        tengen.solve(Position("othello"))
    with pytest.raises(ValueError, match="vcf and vct"):
        tengen.solve(Position("gomoku"), "vcx")
