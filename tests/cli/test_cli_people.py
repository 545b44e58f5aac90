"""The human player and the drawing that people see."""

from __future__ import annotations

import pytest

from tengen import IllegalMoveError, Position
from tengen.games._drawing import draw
from tengen.players.human import HumanPlayer, Resigned


def answering(*answers: str, told: list[str] | None = None) -> HumanPlayer:
    lines = iter(answers)

    def ask(position: Position) -> str:
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    return HumanPlayer(ask=ask, tell=(told if told is not None else []).append)


def test_a_person_is_asked_until_the_move_is_legal():
    told: list[str] = []
    position = Position("gomoku", "h8")
    assert str(answering("h8", "nonsense", " I9 ", told=told).choose(position).move) == "i9"
    assert len(told) == 2
    assert "black stone" in told[0]
    assert position == Position("gomoku", "h8")


def test_a_person_may_resign_or_leave():
    with pytest.raises(Resigned, match="black resigns"):
        answering("Resign").choose(Position())
    with pytest.raises(EOFError):
        answering("z9").choose(Position())


def test_no_move_is_asked_for_when_the_game_is_over():
    with pytest.raises(IllegalMoveError):
        answering("c3").choose(Position("gomoku:size=3,win=3", "a1a2b1b2c1"))


def test_the_last_move_stands_in_brackets_everywhere_on_a_line():
    assert str(Position("gomoku:size=3,win=3", "a3b3")).splitlines()[1] == "  3 X[O]."
    assert str(Position("gomoku:size=3,win=3", "b3a3")).splitlines()[1] == "  3[O]X ."
    assert str(Position("gomoku:size=3,win=3", "a3c3")).splitlines()[1] == "  3 X .[O]"


def test_the_whole_drawing():
    position = Position("gomoku:size=3,win=3", "a1a2b1b2c1")
    assert str(position) == "\n".join(["    a b c", "  3 . . .", "  2 O O .", "  1 X X[X]", "black wins: a1-b1-c1"])
    othello = str(Position("othello:size=4", "b1")).splitlines()
    assert othello == ["    a b c d", "  1 .[X]. .", "  2 . X X .", "  3 . X O .", "  4 . . . .", "white to move, 4-1"]


def test_forbidden_points_are_marked_for_black_alone():
    stones = {"black": ["h8", "j8", "i9", "i10"], "white": ["a1", "a3", "a5", "a7"]}
    assert str(Position.from_stones("renju", **stones)).count("!") == 1
    assert "!" not in str(Position.from_stones("renju", **stones, to_move="white"))
    assert "!" not in str(Position.from_stones("gomoku", **stones))


def test_a_pass_leaves_no_brackets(moves_to_a_pass):
    assert "[" in str(Position("othello:size=4", moves_to_a_pass[:-1]))
    assert "[" not in str(Position("othello:size=4", moves_to_a_pass))


def test_roles_and_stones_can_be_chosen():
    roles: set[str] = set()

    def paint(text: str, role: str) -> str:
        roles.add(role)
        return text

    position = Position("gomoku:size=3,win=3", "a1a2b1b2c1")
    assert draw(position, paint=paint, stones=("#", "o")).splitlines()[2:4] == ["  2 o o .", "  1 # #[#]"]
    assert roles == {"label", "empty", "white", "line", "last"}
    assert draw(Position("othello"), legal="*").count("*") == 4
    assert draw(Position("othello"), legal="*").replace("*", ".") == str(Position("othello"))
