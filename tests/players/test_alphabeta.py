"""The alpha-beta player, through its name."""

import threading
import time

import pytest

import tengen
from tengen import Limit, PlayerNameError, Position, TengenError


def test_it_wins_and_blocks():
    player = tengen.player("alphabeta:nodes=5000")
    winning = Position.from_stones("gomoku", black="c3d3e3f3", white="d8e8f8g8")
    decision = player.choose(winning)
    assert str(decision.move) in {"b3", "g3"}
    assert decision.value == 1
    threatened = Position.from_stones("gomoku", black="a1c1", white="c8d8e8f8", to_move="black")
    assert str(player.choose(threatened).move) in {"b8", "g8"}


def test_the_decision_says_what_was_done():
    position = Position("gomoku", "h8i9j8")
    decision = tengen.player("alphabeta:depth=4").choose(position)
    assert decision.pv[0] == decision.move
    assert decision.stats["depth"] == 4
    assert decision.stats["nodes"] > 100
    assert -1 < decision.value < 1


@pytest.mark.parametrize("name", ["alphabeta:depth=4", "alphabeta:depth=2,vct=6", "alphabeta:nodes=3000"])
@pytest.mark.parametrize("game", ["gomoku", "renju", "gomoku:rule=caro"])
def test_a_fixed_amount_of_work_repeats_itself(name, game):
    position = Position(game, "h8i9j8h10")
    first, second = (tengen.player(name, seed=3).choose(position) for _ in range(2))
    assert (first.move, first.value, first.pv, first.stats["nodes"]) == (
        second.move,
        second.value,
        second.pv,
        second.stats["nodes"],
    )


def test_a_limit_of_the_caller_holds():
    player = tengen.player("alphabeta")
    start = time.perf_counter()
    player.choose(Position("gomoku", "h8i9j8"), limit=Limit(seconds=0.05))
    assert time.perf_counter() - start < 5  # a hang, not a speed
    assert player.choose(Position("gomoku", "h8i9"), limit=Limit(nodes=1)).move is not None


@pytest.mark.parametrize("game", ["gomoku", "othello"])
def test_a_limit_of_depth_holds(game):
    position = Position(game)
    position.play(position.legal_moves()[0])
    for name, depth, reached in (("alphabeta", 5, 5), ("alphabeta:depth=6", 3, 3), ("alphabeta:depth=3", 9, 3)):
        decision = tengen.player(name).choose(position, limit=Limit(seconds=60, depth=depth))
        assert decision.stats["depth"] == reached
    assert tengen.player("alphabeta").choose(position, limit=Limit(depth=2)).stats["depth"] == 2


def test_it_can_be_stopped():
    player = tengen.player("alphabeta:time=600")
    done = []
    thread = threading.Thread(target=lambda: done.append(player.choose(Position("gomoku", "h8i9j8"))))
    thread.start()
    while not done:
        player.stop()
        thread.join(0.05)
    assert done[0].move in Position("gomoku", "h8i9j8").legal_moves()


def test_several_lines_while_it_thinks():
    from tengen.players.alphabeta import AlphaBetaPlayer

    reports = []
    position = Position("gomoku", "h8i9j8")
    report = AlphaBetaPlayer().search(position, limit=Limit(depth=4), lines=3, on_report=reports.append)
    assert [each.depth for each in reports] == [1, 2, 3, 4]
    assert len({line.moves[0] for line in report.lines}) == 3
    assert report.lines[0].value >= report.lines[1].value >= report.lines[2].value


@pytest.mark.parametrize("game", ["gomoku", "renju", "othello", "othello:size=6"])
def test_preparing_changes_no_decision(game):
    position = Position(game)
    one, two = (tengen.player("alphabeta:nodes=3000", seed=1) for _ in range(2))
    two.prepare(position.game)
    first, second = one.choose(position), two.choose(position)
    assert (first.move, first.value, first.stats["nodes"]) == (second.move, second.value, second.stats["nodes"])


def test_othello_has_the_same_name():
    position = Position("othello")
    assert tengen.player("alphabeta:depth=6").choose(position).move in position.legal_moves()
    with pytest.raises(TengenError, match="does not play othello"):
        tengen.player("alphabeta:depth=4,vct=4").choose(position)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("alphabeta:vct=8", "vct goes with depth"),
        ("alphabeta:depth=0", "whole number from 1 to 60"),
        ("alphabeta:depth=٣", "whole number from 1 to 60"),
        ("alphabeta:nodes=" + "9" * 5000, "characters long|whole number"),
        ("alphabeta:seed=٣", "whole number"),
        ("alphabeta:time=-1", "number from"),
        ("alphabeta:speed=9", "its keys are time, depth, nodes, vct, threads, hash, seed"),
    ],
)
def test_bad_options_say_what_is_valid(name, says):
    with pytest.raises(PlayerNameError, match=says):
        tengen.player(name)
