"""Game names, moves and notation."""

import pytest

from tengen import Game, GameNameError, NotationError, Side
from tengen.games import GAMES


@pytest.mark.parametrize(
    ("name", "canonical", "size", "rule", "win", "actions"),
    [
        ("gomoku", "gomoku", 15, "freestyle", 5, 225),
        ("gomoku:size=7", "gomoku:size=7", 7, "freestyle", 5, 49),
        ("gomoku:size=15,rule=freestyle", "gomoku", 15, "freestyle", 5, 225),
        ("gomoku:rule=standard", "gomoku:rule=standard", 15, "standard", 5, 225),
        ("renju", "renju", 15, "renju", 5, 225),
        ("gomoku:rule=renju", "renju", 15, "renju", 5, 225),
        ("renju:size=9", "renju:size=9", 9, "renju", 5, 81),
        (" gomoku : size = 3 , win = 3 ", "gomoku:size=3,win=3", 3, "freestyle", 3, 9),
        ("othello", "othello", 8, "othello", 0, 65),
        ("othello:size=6", "othello:size=6", 6, "othello", 0, 37),
    ],
)
def test_a_name_gives_the_game(name, canonical, size, rule, win, actions):
    game = Game.parse(name)
    assert (game.name, game.size, game.rule, game.win, game.actions) == (canonical, size, rule, win, actions)
    assert Game.parse(game.name) == game


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("chess", "the games are gomoku, othello, renju"),
        ("", "the games are"),
        ("gomoku:colour=3", "its keys are rule, size, win"),
        ("renju:rule=caro", "its keys are size$"),
        ("othello:rule=renju", "its keys are size"),
        ("gomoku:size=23", "one of 3..22"),
        ("gomoku:size=x", "one of 3..22"),
        ("gomoku:rule=chess", "freestyle, standard, renju, caro"),
        ("othello:size=7", "4, 6, 8, 10"),
        ("gomoku:size=4", "give win=3..4"),
        ("renju:size=4", r"give size=5..22$"),
        ("renju:size=4,win=4", "renju is played with five"),
        ("renju:win=6", "renju is played with five"),
        ("gomoku:size", "key=value"),
        ("gomoku:", "key=value is missing"),
        ("gomoku:size=7,size=9", "given twice"),
        ("gomoku:" + "x" * 5000, "limit"),
    ],
)
def test_a_bad_name_lists_what_is_valid(name, says):
    with pytest.raises(GameNameError, match=says):
        Game.parse(name)


def test_a_name_must_be_text():
    with pytest.raises(GameNameError, match="not int"):
        Game.parse(15)


@pytest.mark.parametrize(
    ("game", "text", "index"),
    [
        ("gomoku", "h8", 112),
        ("gomoku", "a15", 0),
        ("gomoku", "o1", 224),
        ("gomoku", " H8 ", 112),
        ("gomoku:size=22", "v22", 21),
        ("gomoku:size=3,win=3", "b2", 4),
        ("othello", "a1", 0),
        ("othello", "h8", 63),
        ("othello", "F5", 37),
        ("othello", "pass", 64),
        ("othello", "--", 64),
        ("othello:size=10", "j10", 99),
    ],
)
def test_notation(game, text, index):
    move = Game.parse(game).move(text)
    assert int(move) == index
    assert Game.parse(game).move(index) is move


@pytest.mark.parametrize("name", GAMES)
def test_every_move_reads_back(name):
    game = Game.parse(name)
    for index, move in enumerate(game.moves):
        assert int(move) == index
        assert game.move(str(move)) == move
        if not move.is_pass:
            assert game.at(move.row, move.column) is move
    assert len({str(move) for move in game.moves}) == game.actions


@pytest.mark.parametrize(
    "bad", ["p1", "a0", "a16", "h", "8", "", "h88", "pass", "ä1", "h8h9", 225, -1, 1.5, None, True]
)
def test_nonsense_is_no_move(bad):
    with pytest.raises(NotationError):
        Game.parse("gomoku").move(bad)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("h8i9zz99", "zz99"),
        ("h8 i9, q3", "q3"),
        ("zz99h8", "zz99h8"),
        ("h8i9", "h8i9"),
        ("a100", "a100"),
        ("h8 i9,", "h8 i9,"),
    ],
)
def test_of_moves_run_together_the_wrong_one_is_named(text, wrong):
    with pytest.raises(NotationError, match=f"^'{wrong}' is no point of gomoku"):
        Game.parse("gomoku").move(text)


def test_move_strings():
    game = Game.parse("gomoku")
    for text in ("h8i9j10", "h8 i9 j10", "H8, I9;j10.\n", "h8i9 J 10"):
        assert [str(move) for move in game.parse_moves(text)] == ["h8", "i9", "j10"]
    assert game.parse_moves("  ") == []
    with pytest.raises(NotationError, match="character 5"):
        game.parse_moves("h8i9x?")
    with pytest.raises(NotationError, match="p3"):
        game.parse_moves("h8p3")
    assert [str(move) for move in Game.parse("othello").parse_moves("f5d6PASSc3--")] == [
        "f5",
        "d6",
        "pass",
        "c3",
        "pass",
    ]


def test_moves_are_indices_and_text():
    move = Game.parse("gomoku").move("h8")
    assert list(range(225))[move] == 112
    assert f"{move:>4}" == "  h8"
    assert repr(move) == "Move('h8')"


def test_a_game_is_checked_however_it_is_made():
    with pytest.raises(GameNameError):
        Game("othello", 5, "othello", 0)
    with pytest.raises(GameNameError):
        Game("chess", 8, "chess", 0)


def test_sides():
    assert Side.BLACK == "black"
    assert Side.BLACK.other is Side.WHITE
    with pytest.raises(ValueError, match="'black' or 'white'"):
        Side.parse("red")
