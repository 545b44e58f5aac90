"""Many games at once: what the arrays hold, what is refused, and what a step costs in Python."""

import re
import subprocess
import sys

import numpy as np
import pytest

from tengen import IllegalMoveError, Position, TengenError
from tengen.envs import VectorEnv

TIC_TAC_TOE = "gomoku:size=3,win=3"


def play(env, *rounds):
    for actions in rounds:
        step = env.step(actions)
    return step


def test_shapes_and_types():
    env = VectorEnv("othello:size=6", 5, encoding="s4")
    assert (env.planes.shape, env.planes.dtype) == ((5, 13, 6, 6), np.float32)
    assert (env.mask.shape, env.mask.dtype) == ((5, 37), np.bool_)
    assert (env.reward.shape, env.reward.dtype) == ((5,), np.float32)
    assert (env.ended.shape, env.ended.dtype) == ((5,), np.bool_)
    assert (env.result.shape, env.result.dtype) == ((5,), np.uint8)
    assert (env.to_move.shape, env.to_move.dtype) == ((5,), np.uint8)
    assert (env.sample_actions().shape, env.sample_actions().dtype) == ((5,), np.int64)
    assert VectorEnv("gomoku", 2, encoding=None).planes.shape == (2, 0, 15, 15)
    assert (env.num_games, len(env), env.encoding, env.game.name) == (5, 5, "s4", "othello:size=6")


def test_a_finished_game_is_started_anew_in_the_same_step():
    env = VectorEnv(TIC_TAC_TOE, 2)
    # Game 0: black makes the top row. Game 1: the same moves, but black misses the row at the end.
    step = play(env, [0, 0], [3, 3], [1, 1], [4, 4], [2, 8])
    assert step.ended.tolist() == [True, False]
    assert step.reward.tolist() == [1, 0]
    assert env.result.tolist() == [1, 0]
    assert env.to_move.tolist() == [0, 1]
    assert step.mask[0].all()
    assert not step.planes[0].any()
    assert env.history(0) == []
    assert env.history(1) == [0, 3, 1, 4, 8]
    # Game 1: white completes its row; the reward is white's, since white moved.
    step = env.step([4, 5])
    assert step.reward.tolist() == [0, 1]
    assert env.result.tolist() == [0, 2]
    assert step.ended.tolist() == [False, True]


def test_a_draw_ends_without_a_reward():
    env = VectorEnv(TIC_TAC_TOE, 1)
    for action in (0, 1, 2, 4, 3, 5, 7, 6, 8):
        step = env.step([action])
    assert (step.ended[0], step.reward[0], env.result[0]) == (True, 0, 3)


def test_in_othello_a_move_can_lose_the_game_at_once():
    env = VectorEnv("othello:size=4", 64, encoding=None, seed=3)
    rewards = set()
    for _ in range(100):
        movers = env.to_move.copy()
        step = env.step(env.sample_actions())
        for game in np.flatnonzero(step.ended):
            winner = {1: 0, 2: 1}.get(int(env.result[game]))
            assert step.reward[game] == (0 if winner is None else 1 if winner == movers[game] else -1)
            rewards.add(float(step.reward[game]))
    assert rewards == {1.0, 0.0, -1.0}


def test_arrays_are_views_that_the_next_step_overwrites():
    env = VectorEnv(TIC_TAC_TOE, 1)
    first = env.step([0])
    kept = first.mask.copy()
    second = env.step([1])
    assert second.mask is first.mask
    assert first.mask.sum() == 7
    assert kept.sum() == 8


def test_nobody_can_write_the_mask_that_the_core_trusts():
    env = VectorEnv(TIC_TAC_TOE, 1)
    with pytest.raises(ValueError, match="read-only"):
        env.mask[:] = True


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([0, 0, 4], "game 2: b2 is illegal: there is a black stone"),
        ([0, 9, 1], "game 1: .* has no move 9"),
        ([-1, 9, 1], "game 0: .* has no move -1"),
    ],
)
def test_an_illegal_action_names_its_game_and_nothing_moves(actions, message):
    env = VectorEnv(TIC_TAC_TOE, 3)
    env.step([4, 4, 4])
    before = (env.planes.copy(), env.mask.copy(), env.to_move.copy())
    with pytest.raises(IllegalMoveError, match=message):
        env.step(actions)
    assert all(map(np.array_equal, before, (env.planes, env.mask, env.to_move)))
    assert [env.history(game) for game in range(3)] == [[4]] * 3


@pytest.mark.parametrize(
    "actions",
    [
        [0, 1, 2],
        (0, 1, 2),
        np.array([0, 1, 2], dtype=np.int8),
        np.array([0, 1, 2], dtype=np.uint64),
        np.array([0, 1, 2], dtype=">i8"),
        np.arange(6)[::2] // 2,
        Position(TIC_TAC_TOE).legal_moves()[:3],
    ],
    ids=["list", "tuple", "int8", "uint64", "big-endian", "strided", "moves"],
)
def test_any_integers_will_do(actions):
    env = VectorEnv(TIC_TAC_TOE, 3)
    env.step(actions)
    assert [env.history(game)[0] for game in range(3)] == [0, 1, 2]


@pytest.mark.parametrize("actions", [[0.0, 1.0], [True, False], [[0, 1]], [0], [0, 1, 2], 0, "ab", [None, None]])
def test_anything_else_is_refused(actions):
    env = VectorEnv(TIC_TAC_TOE, 2)
    with pytest.raises(TengenError):
        env.step(actions)
    assert env.history(0) == []


def test_samples_are_uniform_and_seeded():
    env, twin, other = (VectorEnv(TIC_TAC_TOE, 9000, encoding=None, seed=seed) for seed in (1, 1, 2))
    first = env.sample_actions().copy()
    assert np.array_equal(first, twin.sample_actions())
    assert not np.array_equal(first, other.sample_actions())
    assert not np.array_equal(first, env.sample_actions())
    assert abs(np.bincount(first, minlength=9) - 1000).max() < 150  # five standard deviations
    env.step(np.full(9000, 4))
    counts = np.bincount(env.sample_actions(), minlength=9)
    assert counts[4] == 0
    assert abs(np.delete(counts, 4) - 1125).max() < 160


def test_games_can_start_from_any_position():
    start = Position.from_stones(TIC_TAC_TOE, black=["a1"], white=["c3"], moves=["b2"])
    env = VectorEnv(TIC_TAC_TOE, 2, start=start)
    start.play("a2")  # the environment has its own copy
    assert env.to_move.tolist() == [1, 1]
    assert env.mask.sum() == 12
    env.step([0, 1])
    assert [str(move) for move in env.history(0)] == ["b2", "a3"]
    assert env.position(1).moves == [4, 1]
    assert str(env.position(1).setup.black[0]) == "a1"
    env.reset()
    assert env.history(0) == [4]


def test_options_that_cannot_be():
    for number in (0, -1, 2.5, "2", None, 1 << 20 | 1, 10**30):
        with pytest.raises(TengenError, match=re.escape(f"num_games is a whole number 1..1048576, not {number!r}")):
            VectorEnv("gomoku", number)
    with pytest.raises(TengenError, match="unknown encoding 's9'"):
        VectorEnv("gomoku", 1, encoding="s9")
    for seed in (-1, "x", 1.0, 1 << 64):
        with pytest.raises(TengenError, match=f"seed is a whole number .*, not {seed!r}"):
            VectorEnv("gomoku", 1, seed=seed)
    with pytest.raises(TengenError, match="start is a Position of gomoku, not 'h8i9'"):
        VectorEnv("gomoku", 1, start="h8i9")
    with pytest.raises(TengenError, match="a position of othello, not of gomoku"):
        VectorEnv("gomoku", 1, start=Position("othello"))
    with pytest.raises(TengenError, match="over"):
        VectorEnv(TIC_TAC_TOE, 1, start=Position(TIC_TAC_TOE, "a1b1a2b2a3"))
    with pytest.raises(TengenError, match="no game 1"):
        VectorEnv("gomoku", 1).history(1)


def test_any_whole_number_will_do():
    assert len(VectorEnv("gomoku", np.int64(3), seed=np.uint64(2**64 - 1))) == 3


def test_repr():
    assert repr(VectorEnv("renju", 3, encoding=None)) == "VectorEnv('renju', 3, encoding=None)"


def test_the_package_needs_numpy_alone():
    program = """
import sys
sys.modules["gymnasium"] = sys.modules["pettingzoo"] = None  # as if they were not installed
import tengen.envs
tengen.envs.VectorEnv("gomoku", 2).step([0, 1])
for name in ("SinglePlayerEnv", "AecEnv", "register"):
    try:
        getattr(tengen.envs, name)
    except ImportError as error:
        assert "pip install tengen[envs]" in str(error), error
    else:
        raise AssertionError(name)
from tengen.envs import *
assert VectorEnv is tengen.envs.VectorEnv
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_importing_the_package_imports_no_other():
    program = "import sys, tengen.envs; assert not {'gymnasium', 'pettingzoo'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_names_that_are_imported_later_are_there():
    import tengen.envs

    names = {}
    exec("from tengen.envs import *", names)
    for name in ("AecEnv", "SinglePlayerEnv", "VectorEnv", "VectorStep", "register"):
        assert name in dir(tengen.envs)
        assert names[name] is getattr(tengen.envs, name)


def test_unknown_names_are_attribute_errors():
    import tengen.envs

    with pytest.raises(AttributeError, match="NoSuchEnv"):
        _ = tengen.envs.NoSuchEnv
