"""UCT as a player."""

import threading
import time

import pytest

import tengen
from tengen import Limit, PlayerNameError, Position, _core
from tengen.testing import check_player


@pytest.mark.parametrize("name", ["mcts:playouts=40", "mcts:playouts=40,leaf=expert", "mcts:playouts=40,near=0,c=1.4"])
def test_it_keeps_a_players_promises(name):
    check_player(name)


@pytest.mark.parametrize(
    "options",
    ["parallel=leaf", "parallel=root", "parallel=tree", "parallel=tree,counts=vloss", "leaf=expert,parallel=root"],
)
def test_every_parallel_kind_plays(options):
    player = tengen.player(f"mcts:playouts=301,threads=2,{options}", seed=1)
    for game in ("gomoku:size=7", "renju", "othello:size=6"):
        position = Position(game)
        while not position.is_over and position.ply < 12:
            decision = player.choose(position)
            assert sum(decision.scores.values()) == pytest.approx(1)
            assert -1 <= decision.value <= 1
            position.play(decision.move)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("mcts:playouts=0", "whole number from 1"),
        ("mcts:playouts=many", "whole number from 1"),
        ("mcts:time=0", "number from 0.001"),
        ("mcts:leaf=deep", "one of random, expert"),
        ("mcts:parallel=all", "one of none, leaf, root, tree"),
        ("mcts:counts=x", "one of wu, vloss"),
        ("mcts:c=nan", "number from 0 to 100"),
        ("mcts:near=22", "from 0 to 21"),
        ("mcts:memory=0", "from 1 to 65536"),
        ("mcts:threads=0", "from 1 to 256"),
        ("mcts:threads=2,parallel=none", "need parallel=leaf, root or tree"),
        ("mcts:leaf=expert,parallel=leaf", "leaf=expert plays none"),
        ("mcts:depth=3", "its keys are playouts, time"),
    ],
)
def test_bad_options_are_refused(name, says):
    with pytest.raises(PlayerNameError, match=says):
        tengen.player(name)


def test_the_core_refuses_them_too():
    board = Position("gomoku").core
    for options in ({"leaf": "x"}, {"parallel": "x"}, {"counts": "x"}, {"threads": 2}, {"memory": 0}, {"c": -1}):
        with pytest.raises(ValueError, match="mcts: "):
            _core.uct(board, **options)


@pytest.mark.parametrize("leaf", ["random", "expert"])
def test_it_wins_and_blocks_in_one(leaf):
    player = tengen.player(f"mcts:playouts=50,leaf={leaf}", seed=1)
    threatened = Position.from_stones("gomoku", black=["c8", "a1"], white=["d8", "e8", "f8", "g8"], to_move="black")
    assert str(player.choose(threatened).move) == "h8"
    winning = Position.from_stones("gomoku", black=["c3", "d3", "e3", "f3"], white=["d8", "e8", "f8", "g8"])
    decision = player.choose(winning)
    assert str(decision.move) in {"b3", "g3"}
    assert decision.value == 1


def test_a_seed_gives_the_same_decisions_and_another_seed_others():
    def decisions(seed):
        player = tengen.player("mcts:playouts=300", seed=seed)
        position = Position("othello")
        seen = []
        for _ in range(4):
            decision = player.choose(position)
            seen.append((str(decision.move), dict(decision.scores)))
            position.play(decision.move)
        return seen

    assert decisions(1) == decisions(1)
    assert decisions(1) != decisions(2)


def test_a_small_game_is_solved():
    decision = tengen.player("mcts:playouts=300000,near=0", seed=1).choose(Position("gomoku:size=3,win=3"))
    assert decision.value == 0
    assert decision.stats["nodes"] < 300000
    lost = tengen.player("mcts:playouts=300000", seed=1).choose(Position("othello:size=4"))
    assert lost.value == -1
    assert lost.stats["nodes"] < 300000


def test_time_and_limits_are_obeyed():
    position = Position("gomoku", "h8")
    assert tengen.player("mcts").choose(position).stats["nodes"] == 2000
    assert tengen.player("mcts:playouts=500").choose(position, limit=Limit(nodes=77)).stats["nodes"] == 77
    assert tengen.player("mcts:playouts=50").choose(position, limit=Limit(nodes=77)).stats["nodes"] == 50
    timed = tengen.player("mcts:time=0.05").choose(position)
    assert 0.05 <= timed.stats["seconds"] < 2
    assert timed.stats["nodes"] > 50


@pytest.mark.parametrize("options", ["time=60", "time=60,threads=2"])
def test_stop_ends_it(options):
    player = tengen.player(f"mcts:{options}", seed=1)
    timer = threading.Timer(0.2, player.stop)
    timer.start()
    start = time.monotonic()
    decision = player.choose(Position("othello"))
    timer.join()
    assert time.monotonic() - start < 10
    assert decision.stats["nodes"] > 0


def test_the_tree_goes_on_to_the_next_move():
    search = _core.uct(Position("gomoku").core, seed=1)
    position = Position("gomoku", "h8")
    report = search.search(position.core, nodes=20000)
    for action in report.lines[0].moves[:2]:
        position.play(action)
    search.search(position.core, nodes=1)
    assert sum(visits for _, visits, _ in search.root_moves()) > 50
    search.clear()
    search.search(position.core, nodes=1)
    assert sum(visits for _, visits, _ in search.root_moves()) == 1


def test_a_search_can_be_watched():
    seen = []
    search = _core.uct(Position("othello").core, seed=1)
    search.search(Position("othello").core, seconds=0.8, lines=3, on_report=seen.append)
    assert seen
    assert all(len(report.lines) == 3 for report in seen)
    nodes = [report.nodes for report in seen]
    assert nodes == sorted(nodes)


def score(first: str, second: str, game: str, games: int) -> float:
    points = 0.0
    for seed in range(games):
        players = [tengen.player(first, seed=seed), tengen.player(second, seed=seed + 1000)]
        position = Position(game)
        while not position.is_over:
            position.play(players[(position.ply + seed) % 2].choose(position).move)
        winner = position.outcome().winner
        points += 0.5 if winner is None else float(winner == ("black" if seed % 2 == 0 else "white"))
    return points / games


def test_more_playouts_beat_fewer():
    assert score("mcts:playouts=3000", "mcts:playouts=100", "gomoku:size=9", 12) >= 0.75
    assert score("mcts:playouts=800", "mcts:playouts=20", "othello:size=6", 12) >= 0.6


def test_the_expert_beats_random_games_and_greedy():
    assert score("mcts:playouts=300,leaf=expert", "mcts:playouts=300", "gomoku", 8) >= 0.75
    assert score("mcts:playouts=300,leaf=expert", "greedy", "gomoku", 8) >= 0.75


def test_a_limit_of_depth_means_nothing():
    player = tengen.player("mcts:playouts=100", seed=1)
    assert player.choose(Position("gomoku"), limit=Limit(depth=1)).stats["nodes"] == 100


def test_a_limit_takes_the_place_of_the_default_playouts():
    position = Position("gomoku:size=8", "d4 e5")
    assert tengen.player("mcts", seed=1).choose(position).stats["nodes"] == 2000
    assert tengen.player("mcts", seed=1).choose(position, limit=Limit(nodes=5000)).stats["nodes"] == 5000
    timed = tengen.player("mcts", seed=1).choose(position, limit=Limit(seconds=0.2)).stats
    assert timed["nodes"] > 2000
    assert timed["seconds"] >= 0.2
