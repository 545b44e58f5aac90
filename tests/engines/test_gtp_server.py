"""The GTP server, command by command, and as a program."""

from __future__ import annotations

import re

import pytest

import tengen
from tengen import Position
from tengen.engines.gtp_server import GtpServer, check_game
from tengen.games import records

from .conftest import Talk

REQUIRED = """
    protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove undo
    time_settings time_left showboard loadsgf reg_genmove list_games set_game
"""


def talk(game="othello", name="greedy"):
    return Talk(lambda write: GtpServer(write, check_game(game), name=name, seed=1))


def position_of(made):
    return made.server._position


def test_it_says_what_it_knows():
    made = talk()
    assert made.one("list_commands").strip().removeprefix("= ").split("\n") == [*made.server._commands]
    assert set(REQUIRED.split()) == set(made.server._commands)
    assert made.one("protocol_version") == "= 2\n"
    assert made.one("name") == "= Tengen\n"
    assert made.one("version") == f"= {tengen.__version__}\n"
    assert made.one("known_command genmove") == "= true\n"
    assert made.one("known_command dance") == "= false\n"
    assert made.one("list_games") == "= Othello\n"
    assert made.one("set_game Othello") == "=\n"
    assert made.one("set_game Go") == "? unsupported game\n"
    assert talk("gomoku").one("list_games") == "= Gomoku\n"


def test_numbers_comments_and_blanks():
    made = talk()
    assert made.one("17 name # who?") == "=17 Tengen\n"
    assert made.one("\t 3\tname\x07") == "=3 Tengen\n"
    assert made.one("12 dance") == "?12 unknown command\n"
    assert made.one("12") == "?12 unknown command\n"
    assert made.say("", "   ", "# nothing", "\t") == []
    assert made.one("5 clear_board") == "=5\n"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("boardsize 9", "unacceptable size"),
        ("boardsize x", "not an integer"),
        ("boardsize", "missing"),
        ("play b a1", "illegal move"),
        ("play w f5", "illegal move"),
        ("play b z9", "invalid color or coordinate"),
        ("play green f5", "invalid color or coordinate"),
        ("play b", "missing"),
        ("play b pass", "illegal move"),
        ("undo", "cannot undo"),
        ("genmove", "missing"),
        ("genmove w", "turn"),
        ("loadsgf /nonexistent.sgf", "cannot load file"),
        ("time_settings 1 2", "missing"),
        ("time_settings -1 2 3", "not an integer"),
        ("time_left b x 0", "not a number"),
        ("komi high", "not a number"),
        ("\xff\xfe", "unknown command"),
    ],
)
def test_errors_change_nothing(line, says):
    made = talk()
    answer = made.one(line)
    assert answer.startswith("? ")
    assert says in answer
    assert answer.endswith("\n")
    assert "\n\n" not in answer
    assert position_of(made) == Position("othello")


def test_moves_and_undo():
    made = talk()
    assert made.say("boardsize 8", "komi 6.5", "play b F5", "play WHITE d6") == ["=\n"] * 4
    assert position_of(made) == Position("othello", "f5d6")
    assert made.one("reg_genmove b").startswith("= ")
    assert position_of(made) == Position("othello", "f5d6")
    move = made.one("genmove b").removeprefix("= ").strip()
    assert position_of(made) == Position("othello", f"f5d6{move}")
    assert made.say("undo", "undo", "undo") == ["=\n"] * 3
    assert made.one("undo").startswith("?")
    assert position_of(made) == Position("othello")


def test_a_forced_pass_may_be_left_out_or_said():
    for seed in range(100):
        game, rival = Position("othello"), tengen.player("random", seed=seed)
        while not game.is_over:
            game.play(rival.choose(game).move)
        if any(move.is_pass for move in game.moves[:-1]):
            break
    number = next(n for n, move in enumerate(game.moves) if move.is_pass)
    for said in (True, False):
        made, side = talk(), "b"
        for move in game.moves:
            if said or not move.is_pass:
                assert made.one(f"play {side} {move}") == "=\n"
            side = "w" if side == "b" else "b"
        assert position_of(made) == game
        assert made.one("genmove b") == "= PASS\n"
    made = talk()
    for n, move in enumerate(game.moves[:number]):
        made.say(f"play {'bw'[n % 2]} {move}")
    before = position_of(made).copy()
    assert made.one(f"reg_genmove {'bw'[number % 2]}") == "= PASS\n"
    after = game.moves[number + 1]
    assert made.one(f"play {'bw'[(number + 1) % 2]} {after}") == "=\n"
    assert position_of(made).ply == number + 2
    assert made.one("undo") == "=\n"
    assert position_of(made) == before


def test_the_board_is_shown_without_blank_lines():
    made = talk()
    made.say("play b f5")
    drawn = made.one("showboard")
    assert drawn.startswith("= ")
    assert "\n\n" not in drawn
    assert " 5 . . . X X X . ." in drawn
    assert "O) to move" in drawn


def test_gomoku_counts_as_go_does():
    made = talk("gomoku")
    made.say("boardsize 19", "play b J4")
    assert position_of(made).moves == [position_of(made).game.at(row=15, column=8)]
    assert made.one("play w I4").startswith("?")
    assert re.match(r"= [A-HJ-T][0-9]+\n", made.one("genmove w"))
    assert made.one("boardsize 23").startswith("?")
    assert made.one("boardsize 15") == "=\n"
    for move in ("A1", "A3", "B1", "B3", "C1", "C3", "D1", "D3", "E1"):
        made.say(f"play {'b' if move.endswith('1') else 'w'} {move}")
    assert made.one("genmove w").startswith("? the game is over")


def test_time_is_kept():
    made = talk()
    assert made.say("time_settings 300 0 0", "time_left b 10 0", "time_left w 5 1") == ["=\n"] * 3
    assert made.server._left == {"black": (10.0, 0), "white": (5.0, 1)}
    assert made.one("genmove b").startswith("= ")


def test_a_player_that_fails_is_complained_about(capsys):
    made = talk("gomoku", name="engine:cmd=false")
    assert re.match(r"= [A-Z][0-9]+\n", made.one("genmove b"))
    said = capsys.readouterr().err
    assert said.startswith("# engine:cmd=false failed, greedy moves instead: EngineError: ")
    assert said.count("\n") == 1


def test_sgf(tmp_path):
    path = tmp_path / "game.sgf"
    records.dump(records.Record.from_position(Position("othello", "f5d6c3d3")), path)
    made = talk()
    assert made.one(f"loadsgf {path}") == "= black\n"
    assert position_of(made) == Position("othello", "f5d6c3d3")
    assert made.one(f"loadsgf {path} 2") == "= white\n"
    assert position_of(made) == Position("othello", "f5")
    path.write_text("(;GM[1]rubbish")
    assert made.one(f"loadsgf {path}") == "? cannot load file\n"
    assert position_of(made) == Position("othello", "f5")


def test_games_that_gtp_has_no_words_for():
    with pytest.raises(tengen.GameNameError, match="five in a row"):
        check_game("gomoku:size=3,win=3")


def test_as_a_program(start):
    program = start("gtp", "--player", "greedy")
    program.send_bytes(b"1 genmove b\n\xff\xfe\n" + b"x" * 100_000 + b"\n2 name\n")
    program.process.stdin.close()
    assert program.ended() == 0
    said = "\n".join(program.read() for _ in range(8))
    assert re.match(r"=1 [A-H][1-8]\n\n\? unknown command\n\n\? the line is too long\n\n=2 Tengen\n", said)


def test_quit(start):
    program = start("gtp", "--game", "gomoku", "--player", "greedy")
    assert program.ask("3 quit", "name") == "=3"
    assert program.ended() == 0
    assert start("gtp", "--game", "chess").ended() == 2
