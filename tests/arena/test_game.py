"""One game in this process: results, faults and the record."""

from __future__ import annotations

import pytest
from doubles import Crashing, Double, Illegal, Late, Meddling, WrongMove, WrongType

import tengen
from tengen import Position, Side, TengenError
from tengen.arena import Fault, play_game
from tengen.games import records
from tengen.players.human import Resigned


def test_a_game_is_played_to_its_end():
    result = play_game("greedy", "random", seed=1)
    position = result.position()
    assert position.is_over
    assert result.winner is position.outcome().winner is Side.BLACK
    assert result.reason == "line"
    assert result.fault is None
    assert sum(result.plies) == len(result.moves) == position.ply
    assert result.seconds[0] > 0 < result.slowest[1]


def test_the_same_seed_gives_the_same_game():
    assert play_game("random", "random", seed=4).moves == play_game("random", "random", seed=4).moves
    assert play_game("random", "random", seed=4).moves != play_game("random", "random", seed=5).moves


def test_a_game_from_an_opening_leaves_the_opening_alone():
    start = Position("othello", "f5d6c3")
    result = play_game("random", "greedy", start=start, seed=1)
    assert start.ply == 3
    assert result.position().moves[:3] == start.moves
    assert result.winner in (Side.BLACK, Side.WHITE, None)


@pytest.mark.parametrize(
    ("double", "fault", "says"),
    [
        (Crashing, Fault.CRASH, "RuntimeError: out of ideas"),
        (Illegal, Fault.ILLEGAL_MOVE, "there is a"),
        (WrongType, Fault.PROTOCOL_ERROR, "str, not a Decision"),
        (WrongMove, Fault.PROTOCOL_ERROR, "NoneType, not a Move"),
        (Meddling, Fault.PROTOCOL_ERROR, "changed the position"),
    ],
)
@pytest.mark.parametrize("side", list(Side))
def test_faults_lose_the_game(double, fault, says, side):
    players = [double(), Double()] if side is Side.BLACK else [Double(), double()]
    result = play_game(*players)
    assert result.winner is side.other
    assert (result.fault, result.at_fault) == (fault, side)
    assert result.reason == fault
    assert says in result.detail
    assert result.position().moves == list(result.moves)


def test_a_late_answer_is_a_time_out():
    result = play_game(Double(), Late(), timeout=0.1)
    assert (result.fault, result.at_fault) == (Fault.TIMEOUT, Side.WHITE)
    assert result.slowest[1] >= 0.2


def test_engine_errors_say_what_they_are():
    class EngineError(TengenError):
        kind = "protocol"

    class Broken(Double):
        def choose(self, position, *, limit=None):
            raise EngineError("it says hello")

    assert play_game(Broken(), Double()).fault is Fault.PROTOCOL_ERROR


def test_resigning_is_no_fault():
    class Resigning(Double):
        def choose(self, position, *, limit=None):
            raise Resigned("enough")

    result = play_game(Double(), Resigning())
    assert (result.winner, result.reason, result.fault) == (Side.BLACK, "resignation", None)
    assert str(result.record().result) == "black by resignation"


def test_a_forbidden_point_of_renju_is_a_foul():
    class Fouling(Double):
        def choose(self, position, *, limit=None):
            return tengen.Decision(position.game.move("i8"))

    start = Position("renju", "h8h7g8j7i9i6i10j5")
    result = play_game(Fouling(), Double(), start=start)
    assert (result.winner, result.reason, result.fault) == (Side.WHITE, "foul", Fault.ILLEGAL_MOVE)
    assert "double three" in result.detail


def test_long_games_can_be_called_drawn():
    result = play_game("random", "random", seed=1, max_moves=7)
    assert (result.winner, result.reason, len(result.moves)) == (None, "move_limit", 7)
    assert result.record().result.is_draw


@pytest.mark.parametrize("double", [Crashing, Illegal, Late])
def test_records_of_faulty_games_can_be_written_and_read(double):
    result = play_game(Double(), double(), timeout=0.1)
    record = result.record(black="a", white="b")
    text = records.dumps(record, "sgf")
    assert records.loads(text)[0].result.winner is Side.BLACK
    assert "white" in record.headers["comment"]


def test_players_must_know_the_game():
    class Narrow(Double):
        def supports(self, game):
            return False

    with pytest.raises(TengenError, match="does not play"):
        play_game(Narrow(), Double())
