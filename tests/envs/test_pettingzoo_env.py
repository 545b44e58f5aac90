"""Two agents in turn."""

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from tengen import IllegalMoveError, Position, TengenError
from tengen.envs import AecEnv, pettingzoo_env
from tengen.games import GAMES, Reason

TIC_TAC_TOE = "gomoku:size=3,win=3"


def play(env, *moves):
    for text in moves:
        env.step(int(env.unwrapped.game.move(text)))


# PettingZoo warns about things that are meant: the agents' names, dict observations, an empty board that is all zeros
# and the empty mask of an agent that has finished.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("game", GAMES)
def test_pettingzoos_own_checks(game, capsys):
    api_test(pettingzoo_env.env(game=game), num_cycles=300)
    seed_test(lambda: pettingzoo_env.env(game=game), num_cycles=120)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("encoding", ["s1", "s2", "s3", "s4"])
def test_other_encodings(encoding):
    api_test(pettingzoo_env.env(game="gomoku:size=7", encoding=encoding), num_cycles=60)


def test_agents_take_turns_and_see_their_own_stones():
    env = AecEnv(game=TIC_TAC_TOE)
    env.reset(seed=0)
    assert env.agents == ["black", "white"]
    assert env.agent_selection == "black"
    play(env, "a1", "b2")
    assert env.agent_selection == "black"
    board = env.position.board()
    for agent, code in (("black", 1), ("white", 2)):
        seen = env.observe(agent)
        assert np.array_equal(seen["observation"][0], board == code)
        assert np.array_equal(seen["observation"][1], board == 3 - code)
        assert seen["action_mask"].dtype == np.int8
    assert env.observe("black")["action_mask"].sum() == 7
    assert env.observe("white")["action_mask"].sum() == 0


@pytest.mark.parametrize(
    ("moves", "black", "reason"),
    [
        ("a1 a2 b1 b2 c1", 1, Reason.LINE),
        ("a1 a2 b1 b2 a3 c2", -1, Reason.LINE),
        ("a1 b1 c1 c3 b2 a3 b3 c2 a2", 0, Reason.BOARD_FULL),
    ],
)
def test_what_one_wins_the_other_loses(moves, black, reason):
    env = pettingzoo_env.env(game=TIC_TAC_TOE)
    env.reset()
    for text in moves.split():
        assert not any(env.terminations.values())
        assert not any(env.rewards.values())
        play(env, text)
    assert env.rewards == {"black": black, "white": -black}
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    last = {}
    for agent in env.agent_iter():
        _, reward, terminated, _, info = env.last()
        assert terminated
        assert info["outcome"].reason is reason
        last[agent] = reward
        env.step(None)
    assert last == {"black": black, "white": -black}
    assert env.agents == []


def test_illegal_actions():
    env = pettingzoo_env.raw_env(game=TIC_TAC_TOE)
    env.reset()
    play(env, "a1")
    with pytest.raises(IllegalMoveError, match="a1 is illegal"):
        play(env, "a1")
    with pytest.raises(IllegalMoveError, match="has no move 9"):
        env.step(9)
    with pytest.raises(TengenError, match="white's turn"):
        env.step(None)
    assert env.agent_selection == "white"
    play(env, "a2")
    wrapped = pettingzoo_env.env(game=TIC_TAC_TOE)
    wrapped.reset()
    play(wrapped, "a1", "a1")
    assert wrapped.rewards == {"black": 0, "white": -1}
    assert all(wrapped.terminations.values())


def test_passes_are_actions():
    rng, passes = np.random.default_rng(1), 0
    for _ in range(20):
        env = AecEnv(game="othello:size=4")
        env.reset()
        while not all(env.terminations.values()):
            mask = env.observe(env.agent_selection)["action_mask"]
            action = int(rng.choice(np.flatnonzero(mask)))
            agent = env.agent_selection
            env.step(action)
            assert env.agent_selection != agent
            if action == 16:
                assert mask.sum() == 1
                passes += 1
    assert passes > 5


def test_starting_elsewhere():
    env = AecEnv(game="gomoku")
    env.reset(options={"position": Position("gomoku", "h8")})
    assert env.agent_selection == "white"
    assert env.observe("white")["observation"][1, 7, 7] == 1
    for start in (Position("othello"), "h8", Position("gomoku:size=3,win=3", "a1b1a2b2a3")):
        with pytest.raises(TengenError, match="a game starts from"):
            env.reset(options={"position": start})
    env.reset()
    assert env.agent_selection == "black"


def test_rendering(capsys):
    for mode in (None, "ansi", "human", "rgb_array"):
        env = pettingzoo_env.env(game="othello", render_mode=mode)
        env.reset()
        play(env, "d3")
        shown, printed = env.render(), capsys.readouterr().out
        board = str(env.unwrapped.position)
        if mode == "human":
            assert shown is None
            assert printed == f"{Position('othello')}\n{board}\n{board}\n"
        else:
            assert printed == ""
        if mode == "ansi":
            assert shown == board
        if mode == "rgb_array":
            assert shown.shape == (256, 256, 3)
        env.close()


def test_names_that_are_no_agents():
    env = pettingzoo_env.raw_env(game=TIC_TAC_TOE)
    for ask in (env.observe, env.observation_space, env.action_space):
        with pytest.raises(TengenError, match="a side is 'black' or 'white', not 'red'"):
            ask("red")


def test_repr():
    assert repr(pettingzoo_env.raw_env(game="renju", encoding="s3")) == "AecEnv(game='renju', encoding='s3')"


def test_options_that_cannot_be():
    with pytest.raises(TengenError, match="s9"):
        AecEnv(encoding="s9")
    with pytest.raises(TengenError, match="film"):
        AecEnv(render_mode="film")
