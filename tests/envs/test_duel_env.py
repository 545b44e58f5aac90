"""Duels: games against the oracle, and rivals that keep to their moves."""

import numpy as np
import pytest
from duel_oracle import EVERYONE, IN_OTHELLO, TIC_TAC_TOE, candidates, follow

from tengen import Position, TengenError
from tengen.envs import DuelEnv


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


def test_a_rival_without_ties_always_answers_alike():
    rivals = {"minimax:depth=2,ties=first": 1.0, "minimax:depth=2": 1.0}
    env = DuelEnv("gomoku:size=7", 400, rivals=rivals, side="black", openings=[[24]], encoding=None, seed=1)
    replies = [{int(env.history(game)[1]) for game in range(400) if env.rival[game] == rival} for rival in (0, 1)]
    assert replies[0] == {min(replies[1])}
    assert len(replies[1]) > 1


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
