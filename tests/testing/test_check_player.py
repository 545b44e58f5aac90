"""Every listed player passes, and every broken one is caught for the right reason."""

import random

import pytest

from tengen import Decision, Game, GameNameError, PlayerNameError, Position, TengenError
from tengen.players import PlayerKind, player, player_kinds, register
from tengen.players.human import HumanPlayer
from tengen.players.random import RandomPlayer
from tengen.testing import ComplianceError, check_player
from tengen.testing._player import check_decision

QUICK = {"random", "greedy"}  # these play whole games of everything in no time
# What keeps the others quick and off the clock; the check's own limit does for kinds that are not here.
SETTINGS = {"alphabeta": "nodes=200", "alphazero": "playouts=20", "mcts": "playouts=50", "minimax": "depth=1"}
SOME_GAMES = ("gomoku:size=7", "gomoku:size=9", "renju:size=9", "othello:size=6")
SMALL = ["gomoku:size=7"]


def names_to_check() -> list[str]:
    """Every kind that ships and plays by itself; people and others' engines are checked in their own tests."""
    names = []
    for kind in player_kinds():
        name = f"{kind}:{SETTINGS[kind]}" if kind in SETTINGS else kind
        try:
            by_itself = not isinstance(player(name), HumanPlayer)
        except PlayerNameError:  # an engine needs its command
            by_itself = False
        if (
            by_itself
            and any(player(name).supports(Game.parse(game)) for game in SOME_GAMES)
            and not kind.startswith("test-")
        ):
            names.append(name)
    return names


def test_the_players_to_check_are_there():
    assert {name.partition(":")[0] for name in names_to_check()} >= QUICK | SETTINGS.keys()


@pytest.mark.parametrize("name", names_to_check())
def test_every_listed_player(name):
    games = [game for game in SOME_GAMES if player(name).supports(Game.parse(game))]
    check_player(name, None if name in QUICK else games)


def test_one_game_may_be_given_as_it_is():
    check_player("greedy", "othello:size=4")
    check_player("greedy", Game.parse("othello:size=4"))
    with pytest.raises(GameNameError, match="unknown game 'o'"):
        check_player("greedy", "o")


@pytest.mark.parametrize("wrong", [player("greedy"), 7, None])
def test_a_player_itself_is_not_enough(wrong):
    with pytest.raises(TengenError, match="wants a player's name or a function from a seed to a player, not a "):
        check_player(wrong, SMALL)


def test_a_function_that_takes_no_seed_is_caught():
    with pytest.raises(ComplianceError, match="the player: TypeError"):
        check_player(lambda: player("greedy"), SMALL)


def test_names_with_a_seed():
    check_player("random:seed=9", SMALL)


class ScriptedPerson(HumanPlayer):
    """Types nonsense, then an illegal point, then the last legal move."""

    def __init__(self):
        super().__init__(ask=lambda prompt: next(self.answers))
        self.answers = iter(())

    def choose(self, position, *, limit=None):
        self.answers = iter(["what?", str(position.last_move or "z99"), str((position.legal_moves() or [""])[-1])])
        return super().choose(position, limit=limit)


def test_a_person_at_the_terminal(capsys):
    check_player(lambda seed: ScriptedPerson(), SOME_GAMES)
    assert "'what?' is no point" in capsys.readouterr().err


class Good(RandomPlayer):
    def __init__(self, seed):
        super().__init__(name="good", seed=seed)


class Illegal(Good):
    def choose(self, position, *, limit=None):
        decision = super().choose(position)
        return Decision(position.last_move) if position.ply == 6 else decision


class Unwell(Good):
    def choose(self, position, *, limit=None):
        if position.ply > 6:
            raise RuntimeError("unwell")
        return super().choose(position)


class PlaysOnTheBoard(Good):
    def choose(self, position, *, limit=None):
        decision = super().choose(position)
        position.play(decision.move)
        return decision


class Seedless(Good):
    def __init__(self, seed):
        super().__init__(None)


class Remembers(Good):
    def new_game(self):
        pass


class DifferentTwin(Good):
    made = 0

    def __init__(self, seed):
        DifferentTwin.made += 1
        super().__init__(seed + DifferentTwin.made)


class PlaysOn(Good):
    def choose(self, position, *, limit=None):
        return Decision(position.game.moves[0]) if position.is_over else super().choose(position)


class WrongError(Good):
    def choose(self, position, *, limit=None):
        return Decision(random.Random(0).choice(position.legal_moves()))  # IndexError when there is none


class BareMove(Good):
    def choose(self, position, *, limit=None):
        return super().choose(position).move


class IntegerMove(Good):
    def choose(self, position, *, limit=None):
        return Decision(int(super().choose(position).move))


class StopsForGood(Good):
    stopped = False

    def stop(self):
        self.stopped = True

    def choose(self, position, *, limit=None):
        if self.stopped:
            raise TengenError("stopped")
        return super().choose(position)


class Nameless(Good):
    def __init__(self, seed):
        super().__init__(seed)
        self.name = ""


class HalfAPlayer:
    name = "half"


class Unsure(Good):
    def supports(self, game):
        return None


class PlaysNothing(Good):
    def supports(self, game):
        return False


@pytest.mark.parametrize(
    ("factory", "message"),
    [
        (Illegal, "ply 6 .*is illegal"),
        (Unwell, "RuntimeError: unwell"),
        (PlaysOnTheBoard, r"choose\(\) changed hash, board"),
        (Seedless, "with the same seed"),
        (Remembers, r"after new_game\(\)"),
        (DifferentTwin, "in another player with the same seed"),
        (PlaysOn, "on a finished game gave Decision.* and did not raise"),
        (WrongError, "on a finished game raised IndexError"),
        (BareMove, "returned a Move, not a Decision"),
        (IntegerMove, "the move is a int, not a Move"),
        (StopsForGood, "stopped"),
        (Nameless, "its name is ''"),
        (lambda seed: HalfAPlayer(), "it lacks some of"),
        (Unsure, r"supports\(gomoku:size=7\) is None"),
        (PlaysNothing, "it supports none of the games"),
    ],
)
def test_a_broken_player_is_caught(factory, message):
    with pytest.raises(ComplianceError, match=message):
        check_player(factory, SMALL)


def test_the_good_one_among_them_passes():
    check_player(Good, SMALL)


def test_a_player_must_play_the_games_it_is_given():
    class GomokuOnly(Good):
        def supports(self, game):
            return game.kind == "gomoku"

    check_player(GomokuOnly)
    with pytest.raises(ComplianceError, match="does not support all"):
        check_player(GomokuOnly, ["gomoku:size=7", "othello"])


def test_a_name_that_makes_another_player_is_caught():
    register(PlayerKind("misnamed-for-test", "", lambda *, name, seed: RandomPlayer(name="greedy", seed=seed), {}))
    try:
        with pytest.raises(ComplianceError, match="its name 'greedy' makes a GreedyPlayer"):
            check_player("misnamed-for-test", SMALL)
    finally:
        from tengen.players import _registry

        del _registry._KINDS["misnamed-for-test"]


@pytest.mark.parametrize(
    ("decision", "message"),
    [
        ({"value": 1.5}, "the value is 1.5"),
        ({"value": float("nan")}, "the value is nan"),
        ({"value": True}, "the value is True"),
        ({"pv": ["a1"]}, "the pv is a list"),
        ({"pv": ("b2",)}, "the pv starts with b2"),
        ({"pv": ("a1", "a1")}, "a1 in the pv is illegal"),
        ({"scores": {"d4": 1.0}}, "d4 has a score and is illegal"),
        ({"scores": {"a1": float("inf")}}, "the score of a1 is inf"),
        ({"stats": {"nodes": "many"}}, "the statistic 'nodes' is 'many'"),
    ],
)
def test_senseless_decisions_are_caught(decision, message):
    position = Position("gomoku:size=7", "d4")
    move = position.game.move
    fields = dict(decision)
    if isinstance(fields.get("pv"), tuple):
        fields["pv"] = tuple(move(text) for text in fields["pv"])
    if "scores" in fields:
        fields["scores"] = {move(text): score for text, score in fields["scores"].items()}
    with pytest.raises(ComplianceError, match=message):
        check_decision(position, Decision(move("a1"), **fields))


def test_a_sensible_decision_passes():
    position = Position("gomoku:size=7", "d4")
    a1, b2 = position.game.move("a1"), position.game.move("b2")
    check_decision(position, Decision(a1, value=-1, pv=(a1, b2), scores={a1: 2.0, b2: -3.5}, stats={"nodes": 12}))


def test_a_move_of_another_game_is_caught():
    with pytest.raises(ComplianceError, match="the move a15 is illegal"):
        check_decision(Position("gomoku:size=7"), Decision(Position("gomoku").game.moves[0]))
