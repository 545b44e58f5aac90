"""Duels: games replayed with Position, rewards by brute force, rivals that keep to their moves, and what is refused."""

import re
import threading
from functools import cache

import numpy as np
import pytest

from tengen import IllegalMoveError, PlayerNameError, Position, TengenError, _core
from tengen.envs import DuelEnv

TIC_TAC_TOE = "gomoku:size=3,win=3"
EVERYONE = {"random": 1, "greedy": 1, "minimax:depth=1": 1, "minimax:depth=2": 1, "self": 1}
IN_OTHELLO = {"random": 1, "greedy": 1, "self": 1}
EMPTY = 0

# The rewards once more, slow and plain: freestyle only, one line of cells at a time.


@cache
def shape(line, at, mine, win):
    """S0's shape through the stone of ``mine`` at ``at``: 7 five, 6 and 5 fours, 4 and 3 threes, 2 and 1 twos."""
    first = last = at
    while first > 0 and line[first - 1] == mine:
        first -= 1
    while last + 1 < len(line) and line[last + 1] == mine:
        last += 1
    if last - first + 1 >= win:
        return 7
    if line.count(mine) + 3 < win:  # nothing is named that needs more than three stones
        return 0
    grown = [
        shape((*line[:empty], mine, *line[empty + 1 :]), at, mine, win)
        for empty in range(max(0, at - win), min(len(line), at + win + 1))
        if line[empty] == EMPTY
    ]
    if grown.count(7):
        return 6 if grown.count(7) > 1 else 5
    return max([step - 2 for step in grown if step >= 3], default=0)


def lines_through(board, row, column):
    """The four whole lines through a point, and where on each the point is."""
    for down, right in ((0, 1), (1, 0), (1, 1), (-1, 1)):
        cells, at, size = [], 0, len(board)
        for step in range(-size, size + 1):
            r, c = row + step * down, column + step * right
            if 0 <= r < size and 0 <= c < size:
                at = len(cells) if step == 0 else at
                cells.append(int(board[r, c]))
        yield cells, at


def made_at(position, side, action):
    """What S0's table gives for the best shape that ``side`` makes at the empty point."""
    best = 0
    for cells, at in lines_through(position.board(), *divmod(action, position.size)):
        mine = side.index + 1
        cells[at] = mine
        best = max(best, shape(tuple(cells), at, mine, position.game.win))
    return (0, 5, 10, 20, 30, 60, 100, 200)[best]


def longest_line(position, side):
    board, size, win, longest = position.board(), position.size, position.game.win, 0
    for row in range(size):
        for column in range(size):
            for down, right in ((0, 1), (1, 0), (1, 1), (-1, 1)):
                cells = [(row + i * down, column + i * right) for i in range(win)]
                if all(0 <= r < size and 0 <= c < size for r, c in cells):
                    stones = [board[cell] for cell in cells]
                    if side.other.index + 1 not in stones:
                        longest = max(longest, stones.count(side.index + 1))
    return longest


def expected_reward(kind, before, action, answer, outcome):
    own, rival = before.to_move, before.to_move.other
    value = outcome.value(own) if outcome else None
    if kind == "win":
        return value or 0
    after = before.copy()
    after.play(action)
    if kind == "s1":
        if value:
            return value
        longer = longest_line(after, own) > longest_line(before, own)
        return 0.6 * longer + 0.4 * (longest_line(after, rival) < longest_line(before, rival))
    if value is not None:
        return {1: 800, -1: -200, 0: -20}[value]
    made, broken = made_at(before, own, action), made_at(before, rival, action)
    theirs = 0 if answer is None else made_at(after, rival, answer)
    rival_share = 0.3 if theirs <= made else 0.5 if theirs <= 60 else 0.8
    break_share = 0.3 if broken <= 20 else 0.5 if broken <= 60 else 1.0
    return made - rival_share * theirs + break_share * broken


def candidates(position, rival):
    """What the rival draws from."""
    if rival == "random":
        return position.legal_moves()
    if rival == "greedy" and position.game.kind == "othello":
        most = max(len(position.flips(move)) for move in position.legal_moves())
        return [move for move in position.legal_moves() if len(position.flips(move)) == most]
    if rival == "greedy":
        return position.core.greedy_candidates()
    search = _core.Minimax(depth=int(rival[-1]))
    search.search(position.core)
    return search.best_moves


def expected_mask(position, margin):
    legal = position.legal_mask()
    if margin is None:
        return legal
    size, near = position.size, np.zeros((position.size, position.size), dtype=bool)
    rows, columns = np.nonzero(position.board())
    if len(rows):
        near[max(0, rows.min() - margin) : rows.max() + margin + 1, max(0, columns.min() - margin) :] = True
        near[:, columns.max() + margin + 1 :] = False
    else:
        first = max(0, (size - 5) // 2)
        near[first : first + 5, first : first + 5] = True
    inside = legal & near.ravel()
    return inside if inside.any() else legal


def follow(env, steps, *, reward="win", margin=None, side=None, openings=(), opening_plies=0):
    """Step the environment with a position per game beside it; returns (ended, won, lost, drawn)."""
    turn, begun_with, positions, counts = 0, [-1] * len(env), [None] * len(env), np.zeros(4, dtype=int)

    def begin(game):
        nonlocal turn
        if openings:
            begun_with[game] = turn % len(openings)
            turn += 1
        moves = env.history(game)
        opening = list(openings[begun_with[game]]) if openings else moves[:opening_plies]
        assert moves[: len(opening)] == opening
        start, rival = Position(env.game, opening), env.rivals[env.rival[game]]
        assert not start.is_over
        if len(moves) > len(opening):
            assert rival != "self"
            assert len(moves) == len(opening) + 1
            assert moves[-1] in candidates(start, rival)
        positions[game] = env.position(game)

    def check_shown(game):
        position = positions[game]
        assert position.moves == env.history(game)
        assert env.to_move[game] == position.to_move.index
        assert env.self_play[game] == (env.rivals[env.rival[game]] == "self")
        assert side is None or env.self_play[game] or position.to_move == side
        assert np.array_equal(env.mask[game], expected_mask(position, margin))
        assert env.encoding is None or np.array_equal(env.planes[game], position.planes(env.encoding))

    for game in range(len(env)):
        begin(game)
        check_shown(game)
    for number in range(steps):
        actions = env.explore_actions("greedy" if number % 4 else "random").copy()
        shown = env.to_move.copy(), env.rival.copy(), env.self_play.copy()
        assert env.mask[np.arange(len(env)), actions].all()
        env.step(actions)
        stepped = env.last_side, env.stepped_rival, env.stepped_self_play
        assert all(map(np.array_equal, shown, stepped))
        for game, action in enumerate(actions.tolist()):
            before, rival, answer = positions[game], env.rivals[env.stepped_rival[game]], None
            after = before.copy()
            after.play(action)
            if not after.is_over and rival != "self":
                choices = candidates(after, rival)
                if env.ended[game]:  # the game is gone, but the rival must have had a move that ends it this way
                    endings = [choice for choice in choices if result_after(after, choice) == env.result[game]]
                    assert endings
                    answer = endings[0]
                else:
                    answer = env.history(game)[before.ply + 1]
                    assert answer in choices
                after.play(answer)
            outcome = after.outcome()
            assert env.ended[game] == after.is_over
            assert env.result[game] == after.core.result
            assert env.length[game] == (after.ply if outcome else 0)
            assert env.opening[game] == (begun_with[game] if outcome else -1)
            assert env.reward[game] == pytest.approx(expected_reward(reward, before, action, answer, outcome), abs=1e-4)
            if outcome:
                counts += [1, *(outcome.value(before.to_move) == value for value in (1, -1, 0))]
                begin(game)
            else:
                positions[game] = after
            check_shown(game)
    return counts.tolist()


def result_after(position, move):
    end = position.copy()
    end.play(move)
    return end.core.result


# Games against that oracle.


@pytest.mark.parametrize("reward", ["win", "s0", "s1"])
def test_gomoku_agrees_with_positions(reward):
    env = DuelEnv("gomoku:size=7", 10, rivals=EVERYONE, reward=reward, seed=3)
    ended, won, lost, _ = follow(env, 60, reward=reward)
    assert ended > 20
    assert won > 5
    assert lost > 5


@pytest.mark.parametrize("reward", ["win", "s0", "s1"])
def test_draws_agree_too(reward):
    env = DuelEnv("gomoku:size=5,win=5", 10, rivals={"greedy": 1, "self": 1}, reward=reward, seed=3, encoding=None)
    assert follow(env, 60, reward=reward)[3] > 5


@pytest.mark.parametrize("margin", [0, 1, 3])
def test_the_mask_is_legal_moves_near_the_stones(margin):
    env = DuelEnv("gomoku:size=9", 6, rivals={"random": 1, "self": 1}, side="black", margin=margin, seed=2)
    assert follow(env, 60, margin=margin, side="black")[0]
    env = DuelEnv("gomoku:size=4,win=4", 6, margin=margin, seed=2)  # a board that the box fills
    assert follow(env, 60, margin=margin)[0]


def test_a_board_that_fills_up_within_the_margin_opens_up():
    env = DuelEnv(TIC_TAC_TOE, 1, rivals="self", openings=[(0, 1, 4, 3)], margin=0)
    assert np.flatnonzero(env.mask[0]).tolist() == [2, 5, 6, 7, 8]


def test_openings_are_taken_in_turn():
    openings = [(), (40,), (40, 41, 31), (40, 0, 39, 1)]
    env = DuelEnv("gomoku:size=9", 6, rivals=EVERYONE, openings=openings, margin=2, reward="s0", seed=1, threads=2)
    assert follow(env, 60, openings=openings, margin=2, reward="s0")[0] > 12


def test_openings_can_be_text():
    env = DuelEnv("gomoku:size=9", 2, rivals="self", openings=["e5e6", ["d4"]])
    assert [[str(move) for move in env.history(game)] for game in (0, 1)] == [["e5", "e6"], ["d4"]]


def test_random_openings_are_central():
    env = DuelEnv("gomoku:size=15", 200, rivals="self", opening_plies=4, seed=1)
    first, seen = env.game.at(5, 5), set()
    for game in range(200):
        moves = env.history(game)
        assert len(moves) == 4
        assert all(5 <= move.row <= 9 and 5 <= move.column <= 9 for move in moves)
        seen.update(moves)
    assert len(seen) == 25
    assert first in seen
    env = DuelEnv("othello:size=6", 8, rivals=IN_OTHELLO, opening_plies=5, seed=1)
    assert follow(env, 40, opening_plies=5)[0]


def test_random_openings_outgrow_the_centre():
    env = DuelEnv("gomoku:size=7", 20, rivals="self", opening_plies=30, seed=1)
    assert {len(env.history(game)) for game in range(20)} <= {0, 30}  # none where all draws were over
    env = DuelEnv("gomoku:size=9,win=9", 3, rivals="self", opening_plies=40, seed=1)
    assert {len(set(env.history(game))) for game in range(3)} == {40}


@pytest.mark.parametrize("side", ["black", "white"])
def test_othello_agrees_with_positions(side):
    env = DuelEnv("othello:size=4", 12, rivals=IN_OTHELLO, side=side, encoding="s2", seed=3)
    ended, won, lost, drawn = follow(env, 120, side=side)
    assert min(ended, won, lost, drawn) > 0
    env = DuelEnv("othello", 4, rivals="greedy", openings=["d3", "d3c3c4"], seed=3)
    assert follow(env, 70, openings=[[19], [19, 18, 26]])[0]


def test_othello_passes_are_moves_of_both_sides():
    env, passed, answered = DuelEnv("othello:size=4", 32, seed=4), 0, 0
    for _ in range(60):
        must_pass = env.mask[:, 16].copy()
        assert np.array_equal(must_pass, ~env.mask[:, :16].any(axis=1))
        env.step(env.explore_actions("random"))
        passed += must_pass.sum()
        answered += sum(env.history(game)[-1:] == [16] for game in range(32))
    assert passed
    assert answered


def test_renju_learners_see_no_fouls():
    env = DuelEnv("renju:size=9", 6, rivals={"greedy": 1, "self": 1}, opening_plies=6, margin=1, seed=2)
    assert follow(env, 60, opening_plies=6, margin=1)[0]


# Rewards by hand.


def test_s0_by_hand():
    # Black has an open two. White's stones are far off.
    env = DuelEnv("gomoku:size=15", 1, rivals="self", reward="s0", openings=["h8a1i8a3"])
    move = env.game.move
    env.step([move("g8")])  # black makes an open three: 30; white would have made nothing there
    assert env.reward[0] == 30
    env.step([move("f8")])  # white makes nothing, and breaks an open four: 1.0 * 100
    assert env.reward[0] == 100
    env.step([move("j8")])  # black makes a rush four (k8 completes it)
    assert env.reward[0] == 60
    env.step([move("k8")])  # white stops a five: 1.0 * 200
    assert env.reward[0] == 200
    env.step(
        [move("a2")]
    )  # black makes nothing (the edge file: a1, a3 are white); white would have an open three there
    assert env.reward[0] == pytest.approx(0.3 * 20)


def test_s0_takes_the_reply_away():
    # Black has an open three; the learner, white, plays far off, and greedy black makes a four, open or not.
    env = DuelEnv("gomoku:size=15", 1, rivals="greedy", side="white", reward="s0", openings=["h8a1i8a15g8"])
    env.step([env.game.move("o1")])
    answer = str(env.history(0)[-1])
    assert env.reward[0] == {"f8": -80, "j8": -80, "e8": -30, "k8": -30}[answer]  # 0.8 * 100, or 0.5 * 60
    # And with a four of its own the learner is stopped: white's stop makes nothing.
    env = DuelEnv("gomoku:size=15", 1, rivals="greedy", side="black", reward="s0", openings=["h8a1i8a15g8o1"])
    env.step([env.game.move("f8")])
    assert env.reward[0] == 100


def test_a_foul_is_no_shape_to_break():
    for game, reward in (("gomoku", 0.5 * 30), ("renju", 0)):  # h8 would be black's double three
        env = DuelEnv(game, 1, rivals="self", reward="s0", openings=["h9a1h10o15i8a15j8"])
        env.step([env.game.move("h8")])
        assert env.reward[0] == reward


def test_s1_by_hand():
    env = DuelEnv("gomoku:size=7", 1, rivals="self", reward="s1")
    rewards = []
    for move in ("d4", "a1", "e4", "c4", "f4", "g4"):
        env.step([env.game.move(move)])
        rewards.append(round(float(env.reward[0]), 4))
    # d4 and a1 begin, e4 makes two. After c4 the row has no room for a five: black falls to one, and f4 there is worth
    # nothing. g4 changes no line, black's or white's.
    assert rewards == [0.6, 0.6, 0.6, 0.4, 0, 0]


@pytest.mark.parametrize(("reward", "values"), [("win", (1, -1, 0)), ("s0", (800, -200, -20)), ("s1", (1, -1, None))])
def test_ends(reward, values):
    won = DuelEnv(TIC_TAC_TOE, 1, rivals="self", reward=reward, openings=["a1b1a2b2"])
    won.step([won.game.move("a3")])
    assert (won.reward[0], won.result[0], won.length[0]) == (values[0], 1, 5)
    # White greedily completes its row.
    lost = DuelEnv(TIC_TAC_TOE, 1, rivals="greedy", side="black", reward=reward, openings=["a1b2c2b1"])
    lost.step([lost.game.move("a2")])
    assert (lost.reward[0], lost.result[0], lost.length[0]) == (values[1], 2, 6)
    drawn = DuelEnv(TIC_TAC_TOE, 1, rivals="self", reward=reward, openings=[(0, 1, 2, 4, 3, 5, 7, 6)])
    drawn.step([8])
    assert (drawn.result[0], drawn.ended[0], drawn.opening[0]) == (3, True, 0)
    if values[2] is not None:
        assert drawn.reward[0] == values[2]


# Chance.


def test_rivals_are_met_by_weight():
    env = DuelEnv(TIC_TAC_TOE, 4000, rivals={"random": 1, "self": 3}, encoding=None, seed=1)
    assert env.rivals == ("random", "self")
    assert abs(env.self_play.mean() - 0.75) < 0.035  # five standard deviations
    env.step(env.explore_actions())
    assert np.array_equal(env.stepped_self_play, env.stepped_rival == 1)


def test_sides_are_drawn_evenly():
    env = DuelEnv(TIC_TAC_TOE, 4000, encoding=None, seed=1)
    assert abs(env.to_move.mean() - 0.5) < 0.04
    assert all(len(env.history(game)) == env.to_move[game] for game in range(100))
    assert not DuelEnv(TIC_TAC_TOE, 100, side="black").to_move.any()
    assert DuelEnv(TIC_TAC_TOE, 100, side="white").to_move.all()
    assert not DuelEnv(TIC_TAC_TOE, 100, side="white", rivals="self").to_move.any()  # moves for both, black first


def played(threads=1, seed=7, steps=80):
    env = DuelEnv(
        "gomoku:size=7", 33, rivals=EVERYONE, reward="s0", margin=2, opening_plies=2, threads=threads, seed=seed
    )
    trail = []
    for number in range(steps):
        env.step(env.explore_actions("greedy" if number % 3 else "random"))
        if number == 40:
            env.reset()
        arrays = (env.planes, env.mask, env.reward, env.result, env.rival, env.to_move, env.length, env.last_side)
        trail.append([array.tobytes() for array in arrays])
    return trail


def test_the_seed_settles_everything_whatever_the_threads():
    one = played()
    assert played() == one
    assert played(threads=2) == one
    assert played(threads=5) == one
    assert played(seed=8) != one


def test_rivals_draw_from_all_their_moves():
    env = DuelEnv("gomoku:size=9", 3000, rivals="greedy", side="white", encoding=None, seed=1)
    first = [int(env.history(game)[0]) for game in range(3000)]
    assert set(first) == set(Position("gomoku:size=9").core.greedy_candidates())
    assert abs(np.bincount(first)[first[0]] - 120) < 60
    env = DuelEnv("othello", 200, rivals="greedy", side="white", encoding=None, seed=1)
    assert {env.history(game)[0] for game in range(200)} == set(Position("othello").legal_moves())
    position, depth_2 = Position("gomoku:size=7", "d4"), "minimax:depth=2"
    env = DuelEnv("gomoku:size=7", 400, rivals=depth_2, side="black", openings=[[24]], encoding=None, seed=1)
    assert {int(env.history(game)[1]) for game in range(400)} == set(candidates(position, depth_2))


def test_games_draw_how_many_moves_open_them():
    env = DuelEnv("gomoku:size=9", 500, rivals="self", opening_plies=4, opening_least=1, encoding=None, seed=1)
    lengths = [len(env.history(game)) for game in range(500)]
    assert set(lengths) == {1, 2, 3, 4}
    assert all(90 < lengths.count(plies) < 160 for plies in range(1, 5))
    with pytest.raises(TengenError, match="opening_least"):
        DuelEnv("gomoku:size=9", 1, opening_plies=2, opening_least=3)


@pytest.mark.parametrize(("box", "rows"), [(1, {4}), (4, {2, 3, 4, 5}), (9, set(range(9))), (22, set(range(9)))])
def test_openings_lie_in_a_square_in_the_middle(box, rows):
    env = DuelEnv("gomoku:size=9", 600, rivals="self", opening_plies=1, opening_boxes=[box], encoding=None, seed=1)
    first = [divmod(int(env.history(game)[0]), 9) for game in range(600)]
    assert {row for row, _ in first} == rows
    assert {column for _, column in first} == rows
    with pytest.raises(TengenError, match="opening_boxes"):
        DuelEnv("gomoku:size=9", 1, opening_boxes=[23])
    with pytest.raises(TengenError, match="opening_boxes"):
        DuelEnv("gomoku:size=9", 1, opening_boxes=[])


def test_longer_openings_may_have_another_square():
    options = {"opening_plies": 3, "opening_least": 1, "opening_boxes": [9, 3], "encoding": None}
    env = DuelEnv("gomoku:size=9", 900, rivals="self", seed=1, **options)
    for plies, rows in ((1, set(range(9))), (2, {3, 4, 5}), (3, {3, 4, 5})):
        opened = [env.history(game) for game in range(900)]
        assert {int(move) // 9 for moves in opened if len(moves) == plies for move in moves} == rows


def test_exploring_draws_from_the_mask():
    env = DuelEnv("gomoku:size=15", 5000, rivals="self", encoding=None, seed=1)
    assert len(set(env.explore_actions("random").tolist())) == 225
    greedy = env.explore_actions()
    assert (greedy.dtype, greedy.shape) == (np.int64, (5000,))
    assert set(greedy.tolist()) == {row * 15 + column for row in range(5, 10) for column in range(5, 10)}
    # Black has four in a row, and the point that wins is inside a margin of 1, outside one of 0.
    four = ["a8a10b8b10c8c10d8d10"]
    env = DuelEnv("gomoku:size=15", 500, rivals="self", openings=four, margin=1, encoding=None, seed=1)
    assert set(env.explore_actions().tolist()) == {env.game.move("e8")}
    env = DuelEnv("gomoku:size=15", 500, rivals="self", openings=four, margin=0, encoding=None, seed=1)
    assert set(env.explore_actions().tolist()) == {env.game.move(f"{column}9") for column in "abcd"}


def test_exploring_by_threats_wins_what_is_won_and_blocks_a_five():
    # Black has an open three: both ends make an open four, and nothing else wins by fours alone.
    three = ["g8a1h8a3i8a5"]
    env = DuelEnv("gomoku:size=15", 200, rivals="self", openings=three, encoding=None, seed=1)
    first = env.explore_actions("threats").copy()
    assert set(first.tolist()) <= {env.game.move(point) for point in ("e8", "f8", "j8", "k8")}
    ends = 0
    for _ in range(4):  # the rival answers at random, and still loses in three moves of ours
        env.step(env.explore_actions("threats"))
        ends += int((env.ended & (env.result == 1)).sum())
        env.step(env.explore_actions("random"))
    assert ends >= 150
    # White has four with one end open, black has nothing.
    env = DuelEnv("gomoku:size=15", 50, rivals="self", openings=["a15a8o1b8o15c8e8d8"], encoding=None, seed=1)
    assert len(set(env.explore_actions("threats").tolist())) > 10  # that one is closed
    env = DuelEnv("gomoku:size=15", 50, rivals="self", openings=["a15a8o1b8o15c8h1d8"], encoding=None, seed=1)
    assert set(env.explore_actions("threats").tolist()) == {env.game.move("e8")}
    with pytest.raises(TengenError, match="threats is for Gomoku"):
        DuelEnv("othello", 2).explore_actions("threats")


def test_exploring_only_where_it_is_wanted():
    env = DuelEnv("gomoku:size=7", 64, rivals="self", encoding=None, seed=1)
    before = env.explore_actions("random").copy()
    where = np.arange(64) % 2 == 0
    after = env.explore_actions("random", where)
    assert np.array_equal(after[~where], before[~where])
    assert not np.array_equal(after[where], before[where])
    with pytest.raises(TengenError, match="64 games, not 3"):
        env.explore_actions("random", where[:3])


def test_asking_for_actions_changes_no_game():
    asked, unasked = (DuelEnv("gomoku:size=7", 20, rivals=EVERYONE, seed=2) for _ in range(2))
    for _ in range(40):
        asked.explore_actions()
        actions = asked.mask.argmax(axis=1)
        asked.step(actions)
        unasked.step(actions)
        assert np.array_equal(asked.planes, unasked.planes)


# What the arrays are, and what is refused.


def test_shapes_and_types():
    env = DuelEnv("othello:size=6", 5, encoding="s4", threads=2)
    assert (env.planes.shape, env.planes.dtype) == ((5, 13, 6, 6), np.float32)
    assert (env.mask.shape, env.mask.dtype) == ((5, 37), np.bool_)
    assert DuelEnv("gomoku", 2, encoding=None).planes.shape == (2, 0, 15, 15)
    types = {
        "reward": np.float32, "ended": np.bool_, "result": np.uint8, "to_move": np.uint8, "rival": np.uint8,
        "self_play": np.bool_, "length": np.int32, "opening": np.int32, "last_side": np.uint8,
        "stepped_rival": np.uint8, "stepped_self_play": np.bool_,
    }  # fmt: skip
    for name, dtype in types.items():
        array = getattr(env, name)
        assert (array.shape, array.dtype) == ((5,), dtype), name
    assert (env.num_games, len(env), env.encoding, env.game.name) == (5, 5, "s4", "othello:size=6")
    assert repr(env) == "DuelEnv('othello:size=6', 5, rivals='random', encoding='s4')"


@pytest.mark.parametrize("game", ["gomoku:size=9", "renju", "othello:size=6"])
def test_tengens_own_planes(game):
    kind = Position(game).game.kind
    env = DuelEnv(game, 4, rivals="greedy", encoding=kind, seed=2)
    for _ in range(40):
        for i in range(4):
            expected = _core.net_planes(env.position(i).core, kind)
            assert np.array_equal(env.planes[i], np.asarray(expected))
        env.step(env.explore_actions("random"))
    other = "othello" if kind == "gomoku" else "gomoku"
    with pytest.raises(TengenError, match=f"unknown encoding '{other}'"):
        DuelEnv(game, 1, encoding=other)


def test_before_the_first_step_nothing_has_happened():
    env = DuelEnv("gomoku:size=7", 50, rivals={"self": 1, "greedy": 1})
    for _ in range(2):
        assert not env.reward.any()
        assert not env.ended.any()
        assert not env.result.any()
        assert not env.length.any()
        assert (env.opening == -1).all()
        assert np.array_equal(env.last_side, env.to_move)
        assert np.array_equal(env.stepped_rival, env.rival)
        assert np.array_equal(env.stepped_self_play, env.self_play)
        for _ in range(8):
            env.step(env.explore_actions())
        step = env.reset()
        assert step.planes is env.planes
        assert max(len(env.history(game)) for game in range(50)) == 1


def test_arrays_are_views_and_the_mask_is_read_only():
    env = DuelEnv(TIC_TAC_TOE, 1, rivals="self")
    first = env.step([0])
    assert env.step([1]).mask is first.mask
    assert first.mask.sum() == 7
    with pytest.raises(ValueError, match="read-only"):
        env.mask[:] = True


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([16, 17, 24], "game 2: d4 is illegal: there is a black stone"),
        ([16, 49, 0], "game 1: .* has no move 49"),
        ([-1, 49, 1], "game 0: .* has no move -1"),
        ([16, 0, 24], "game 1: a7 is outside the margin of 1"),
    ],
)
def test_an_illegal_action_names_its_game_and_nothing_moves(actions, message):
    env = DuelEnv("gomoku:size=7", 3, rivals="greedy", side="white", openings=["d4"], margin=1)
    before = (env.planes.copy(), env.mask.copy(), env.to_move.copy())
    with pytest.raises(IllegalMoveError, match=message):
        env.step(actions)
    assert all(map(np.array_equal, before, (env.planes, env.mask, env.to_move)))
    assert [env.history(game) for game in range(3)] == [[24]] * 3


@pytest.mark.parametrize("actions", [[0.0, 1.0], [True, False], [[0, 1]], [0], [0, 1, 2], 0, "ab", [None, None]])
def test_anything_but_actions_is_refused(actions):
    env = DuelEnv(TIC_TAC_TOE, 2, rivals="self")
    with pytest.raises(TengenError):
        env.step(actions)
    assert env.history(0) == []


@pytest.mark.parametrize("actions", [[0, 1], (0, 1), np.array([0, 1], dtype=np.int8), np.arange(4)[::2] // 2])
def test_any_integers_will_do(actions):
    env = DuelEnv(TIC_TAC_TOE, 2, rivals="self")
    env.step(actions)
    assert [env.history(game) for game in (0, 1)] == [[0], [1]]


def test_unknown_rivals_are_told_what_there_is():
    everything = re.escape("for gomoku; the rivals are random, greedy, minimax:depth=1..3, self")
    for name in ("alphabeta", "", "minimax:depth=4", "minimax:depth=0", "minimax:width=2", "greedy:depth=1", "SELF"):
        with pytest.raises(TengenError, match=everything if name else "rivals are a name"):
            DuelEnv("gomoku", 1, rivals=name)
    with pytest.raises(PlayerNameError, match=re.escape("for othello; the rivals are random, greedy, self")):
        DuelEnv("othello", 1, rivals="minimax:depth=2")
    assert DuelEnv("gomoku", 1, rivals="minimax").rivals == ("minimax:depth=2",)
    with pytest.raises(TengenError, match="minimax:depth=2 is given twice"):
        DuelEnv("gomoku", 1, rivals={"minimax": 1, "minimax:depth=2": 1})
    for rivals in ({}, None, 3, ["random"]):
        with pytest.raises(TengenError, match="rivals are a name, or names with weights"):
            DuelEnv("gomoku", 1, rivals=rivals)
    with pytest.raises(PlayerNameError, match="a rival name is text"):
        DuelEnv("gomoku", 1, rivals={3: 1})
    for weight in (0, -1, float("nan"), float("inf"), "1", None, 1j):
        with pytest.raises(TengenError, match="the weight of a rival is a number above 0"):
            DuelEnv("gomoku", 1, rivals={"random": weight})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"games": 0}, "games is a whole number 1..1048576, not 0"),
        ({"games": 2.5}, "games is a whole number"),
        ({"games": 10**30}, "games is a whole number"),
        ({"side": "both"}, "side is one of black, white, random, not 'both'"),
        ({"side": None}, "side is one of"),
        ({"encoding": "s9"}, "unknown encoding 's9'"),
        ({"reward": "s2"}, "reward is one of win, s0, s1, not 's2'"),
        ({"margin": -1}, "margin is a whole number 0..22, not -1"),
        ({"margin": 1.5}, "margin is a whole number"),
        ({"threads": 0}, "threads is a whole number 1..256"),
        ({"threads": None}, "threads is a whole number"),
        ({"seed": -1}, "seed is a whole number"),
        ({"opening_plies": 65}, "opening_plies is a whole number 0..64"),
        ({"opening_plies": 2, "openings": ["h8"]}, "openings are given or drawn"),
        ({"openings": "h8i9"}, "openings are a list of openings, not 'h8i9'"),
        ({"openings": 3}, "openings are a list of openings"),
        ({"openings": [3]}, "opening 0 is a list of actions, not 3"),
        ({"openings": [(), (225,)]}, "opening 1: gomoku has no move 225"),
        ({"openings": [(), (7, 7)]}, "opening 1: move 2: .* is illegal: there is a black stone"),
        ({"openings": [(None,)]}, "opening 0: a move is text or an index"),
        ({"openings": ["a1b1a2b2a3b3a4b4a5"]}, "opening 0: the game is over"),
        ({"openings": [(), "a1b1a2b2a3b3a4c9"]}, "opening 1: a rival to move could end the game before the learner"),
        ({"game": "othello", "reward": "s0"}, "s0 and s1 are for Gomoku"),
        ({"game": "othello", "margin": 3}, "a margin is for Gomoku only"),
        ({"game": "chess"}, "chess"),
    ],
)
def test_options_that_cannot_be(options, message):
    settings = {"game": "gomoku", "games": 1, **options}
    with pytest.raises(TengenError, match=message):
        DuelEnv(settings.pop("game"), settings.pop("games"), **settings)


def test_other_nonsense():
    env = DuelEnv("gomoku", 1)
    for game in (1, -1):
        with pytest.raises(TengenError, match=f"no game {game}"):
            env.history(game)
        with pytest.raises(TengenError, match=f"no game {game}"):
            env.position(game)
    with pytest.raises(TengenError, match="kind is one of random, greedy, threats, not 'soft'"):
        env.explore_actions("soft")


def test_a_step_lets_other_threads_run():
    env, done, counted = DuelEnv("gomoku:size=9", 64, rivals="minimax:depth=3", seed=1), threading.Event(), 0

    def play():
        for _ in range(3):
            env.step(env.explore_actions())
        done.set()

    thread = threading.Thread(target=play)
    thread.start()
    while not done.is_set():
        counted += 1
        done.wait(0.001)
    thread.join()
    assert counted > 3
