"""S1's minimax as a player."""

import pytest

import tengen
from tengen import Limit, Position, TengenError, _core
from tengen.testing import check_player


def windows_of(board: dict[tuple[int, int], str], stone: tuple[int, int], size: int):
    """S1's words: for each direction the nine cells centred on the stone, as five windows of five."""
    for step in ((0, 1), (1, 0), (1, 1), (-1, 1)):
        cells = [(stone[0] + i * step[0], stone[1] + i * step[1]) for i in range(-4, 5)]
        for first in range(5):
            window = cells[first : first + 5]
            if all(0 <= row < size and 0 <= column < size for row, column in window):
                yield [board.get(cell) for cell in window]


def s1_total(position: Position, side: str) -> int:
    size = position.size
    stones = {
        (row, column): str(position.stone(position.game.at(row, column)))
        for row in range(size)
        for column in range(size)
        if position.stone(position.game.at(row, column))
    }
    total = 0
    for at, owner in stones.items():
        if owner != side:
            continue
        for window in windows_of(stones, at, size):
            own, rival = window.count(side), sum(1 for cell in window if cell not in (None, side))
            total += -rival if rival else own * own
    return total


@pytest.mark.parametrize("name", ["minimax", "minimax:depth=1", "minimax:depth=3"])
def test_it_keeps_a_players_promises(name):
    check_player(name, ["gomoku:size=9", "renju", "gomoku:rule=caro,size=7", "gomoku:size=3,win=3"])


def test_the_evaluation_is_that_of_s1():
    rival = tengen.player("greedy", seed=3)
    position = Position("gomoku")
    while not position.is_over and position.ply < 30:
        position.play(rival.choose(position).move)
        for number, side in enumerate(("black", "white")):
            assert _core.window_total(position.core, number) == s1_total(position, side)


def test_one_ply_takes_the_best_evaluation():
    position = Position("gomoku", "h8i9h9i8")
    search = _core.Minimax(depth=1)
    search.search(position.core)
    values = {}
    for move in position.legal_moves():
        after = position.copy()
        after.play(move)
        values[int(move)] = s1_total(after, "black") - s1_total(after, "white")
    assert search.best_moves == sorted(move for move, value in values.items() if value == max(values.values()))


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_fours_come_first(depth):
    player = tengen.player(f"minimax:depth={depth}", seed=1)
    threatened = Position.from_stones("gomoku", black=["c8", "a1"], white=["d8", "e8", "f8", "g8"], to_move="black")
    assert str(player.choose(threatened).move) == "h8"
    winning = Position.from_stones("gomoku", black=["c3", "d3", "e3", "f3"], white=["d8", "e8", "f8", "g8"])
    decision = player.choose(winning)
    assert str(decision.move) in {"b3", "g3"}
    assert decision.value == 1


def test_the_first_of_equal_moves_can_be_asked_for():
    empty = Position("gomoku")
    first = {str(tengen.player("minimax:depth=1,ties=first", seed=seed).choose(empty).move) for seed in range(20)}
    assert first == {"e11"}  # of the points that all 20 windows reach, the first in reading order
    with pytest.raises(tengen.PlayerNameError, match="ties"):
        tengen.player("minimax:ties=last")


def test_ties_follow_the_seed():
    empty = Position("gomoku")
    first = {str(tengen.player("minimax:depth=1", seed=seed).choose(empty).move) for seed in range(20)}
    assert len(first) > 5
    player = tengen.player("minimax:depth=1", seed=4)
    moves = [player.choose(empty).move for _ in range(5)]
    player.new_game()
    assert [player.choose(empty).move for _ in range(5)] == moves


def test_a_limit_leaves_the_deepest_completed_ply():
    decision = tengen.player("minimax:depth=6", seed=1).choose(Position("gomoku", "h8"), limit=Limit(seconds=0.05))
    assert 1 <= decision.stats["depth"] < 6
    assert decision.stats["seconds"] < 2


def test_a_limit_of_depth_holds():
    position = Position("gomoku", "h8i9")
    for name, depth, reached in (("minimax:depth=3", 1, 1), ("minimax:depth=3", 2, 2), ("minimax:depth=2", 6, 2)):
        assert tengen.player(name).choose(position, limit=Limit(depth=depth)).stats["depth"] == reached


def test_it_plays_gomoku_only():
    player = tengen.player("minimax")
    assert not player.supports(tengen.Game.parse("othello"))
    with pytest.raises(TengenError, match="plays Gomoku"):
        player.choose(Position("othello"))
    with pytest.raises(tengen.PlayerNameError, match="from 1 to 6"):
        tengen.player("minimax:depth=0")


def test_two_plies_beat_greedy():
    wins = 0
    for seed in range(10):
        players = [tengen.player("minimax:depth=2", seed=seed), tengen.player("greedy", seed=seed)]
        position = Position("gomoku")
        while not position.is_over:
            position.play(players[(position.ply + seed) % 2].choose(position).move)
        wins += position.outcome().winner == ("black" if seed % 2 == 0 else "white")
    assert wins >= 7
