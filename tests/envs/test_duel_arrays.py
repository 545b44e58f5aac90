"""Duels: what the arrays are, and what is refused."""

import re
import threading

import numpy as np
import pytest
from duel_oracle import TIC_TAC_TOE

from tengen import IllegalMoveError, PlayerNameError, Position, TengenError, _core
from tengen.envs import DuelEnv


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
    everything = re.escape("for gomoku; the rivals are random, greedy, minimax:depth=1..3 (and ,ties=first), self")
    for name in (
        "alphabeta",
        "",
        "minimax:depth=4",
        "minimax:depth=0",
        "minimax:width=2",
        "minimax:ties=last",
        "greedy:depth=1",
        "SELF",
    ):
        with pytest.raises(TengenError, match=everything if name else "rivals are a name"):
            DuelEnv("gomoku", 1, rivals=name)
    with pytest.raises(PlayerNameError, match=re.escape("for othello; the rivals are random, greedy, self")):
        DuelEnv("othello", 1, rivals="minimax:depth=2")
    assert DuelEnv("gomoku", 1, rivals="minimax").rivals == ("minimax:depth=2",)
    assert DuelEnv("gomoku", 1, rivals="minimax:ties=random").rivals == ("minimax:depth=2",)
    assert DuelEnv("gomoku", 1, rivals="minimax:ties=first").rivals == ("minimax:depth=2,ties=first",)
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
