"""One side against a rival."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import tengen.envs
from tengen import Decision, IllegalMoveError, NotationError, PlayerNameError, Position, Side, TengenError, player
from tengen.envs import SinglePlayerEnv
from tengen.envs._rendering import CELL
from tengen.games import GAMES, Reason
from tengen.players.random import RandomPlayer

TIC_TAC_TOE = "gomoku:size=3,win=3"


class Scripted:
    """Plays the moves it is given, one after another."""

    name = "scripted"

    def __init__(self, moves):
        self.moves = list(moves)

    def supports(self, game):
        return game.kind == "gomoku"

    def new_game(self):
        self.left = iter(self.moves)

    def choose(self, position, *, limit=None):
        return Decision(position.game.move(next(self.left)))

    def stop(self):
        pass


def scripted(*moves):
    return lambda seed: Scripted(moves)


def episode(env, seed, rng_seed=0):
    """Observations, masks and rewards of an episode of random actions."""
    rng = np.random.default_rng(rng_seed)
    observation, info = env.reset(seed=seed)
    seen, over = [(observation, info["action_mask"], 0.0)], False
    while not over:
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        observation, reward, over, _, info = env.step(action)
        seen.append((observation, info["action_mask"], reward))
    return seen


def same(some, others):
    return len(some) == len(others) and all(
        all(map(np.array_equal, one, other)) for one, other in zip(some, others, strict=True)
    )


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("side", ["black", "white", "random"])
@pytest.mark.parametrize("game", GAMES)
def test_gymnasiums_own_check(game, side):
    # The check samples actions without the mask, so illegal ones must end the episode and not raise.
    env = gymnasium.make("tengen/Gomoku-v0", game=game, side=side, illegal="lose").unwrapped
    check_env(env)


@pytest.mark.parametrize(("name", "game"), [("Gomoku", "gomoku"), ("Renju", "renju"), ("Othello", "othello")])
def test_ids(name, game):
    env = gymnasium.make(f"tengen/{name}-v0", rival="greedy")
    _, info = env.reset(seed=0)
    env.step(env.action_space.sample(info["action_mask"]))
    assert env.unwrapped.game.name == game
    assert gymnasium.make(f"tengen.envs.gymnasium_env:tengen/{name}-v0").unwrapped.game.name == game


@pytest.mark.filterwarnings("error")
def test_registering_twice_does_no_harm():
    tengen.envs.register()
    tengen.envs.register()


def test_a_seed_fixes_the_episode_and_those_after_it():
    make = lambda: SinglePlayerEnv(game="gomoku:size=7", side="random")  # noqa: E731
    env, twin = make(), make()
    first = episode(env, seed=11)
    assert same(first, episode(twin, seed=11))
    second = episode(env, seed=None)
    assert same(second, episode(twin, seed=None))
    assert not same(first, second)
    assert same(first, episode(env, seed=11))
    assert not same(first, episode(env, seed=12))


def test_the_rival_is_another_one_each_episode():
    env = SinglePlayerEnv(side="white")
    env.reset(seed=0)
    assert len({env.reset()[0].tobytes() for _ in range(20)}) > 10


def test_sides():
    env = SinglePlayerEnv(side="white")
    observation, info = env.reset(seed=1)
    assert (env.side, info["side"]) == (Side.WHITE, "white")
    assert observation[0].sum() == 0  # no stone of its own
    assert observation[1].sum() == 1  # the rival has moved
    assert info["action_mask"].sum() == 224
    env = SinglePlayerEnv(side="random")
    env.reset(seed=1)
    assert {env.reset()[1]["side"] for _ in range(20)} == {"black", "white"}


@pytest.mark.parametrize(
    ("side", "mine", "its", "reward", "reason"),
    [
        ("black", "a1 b1 c1", "a2 b2", 1, Reason.LINE),
        ("black", "a1 b1 a3", "a2 b2 c2", -1, Reason.LINE),
        ("white", "a2 b2 c2", "a1 b1 a3", 1, Reason.LINE),
        ("white", "a2 b2", "a1 b1 c1", -1, Reason.LINE),
        ("black", "a1 c1 b2 b3 a2", "b1 c3 a3 c2", 0, Reason.BOARD_FULL),
    ],
)
def test_rewards_are_the_learners(side, mine, its, reward, reason):
    env = SinglePlayerEnv(game=TIC_TAC_TOE, rival=scripted(*its.split()), side=side)
    env.reset(seed=0)
    *early, last = mine.split()
    for text in early:
        _, given, over, truncated, info = env.step(env.game.move(text))
        assert (given, over, truncated) == (0, False, False)
        assert "outcome" not in info
    observation, given, over, truncated, info = env.step(env.game.move(last))
    assert (given, over, truncated) == (reward, True, False)
    assert info["outcome"].reason is reason
    assert not info["action_mask"].any()
    # The last observation is still the learner's: its own stones come first.
    code = 1 if side == "black" else 2
    assert np.array_equal(observation[0], env.position.board() == code)
    assert np.array_equal(observation[1], env.position.board() == 3 - code)
    with pytest.raises(TengenError, match="reset"):
        env.step(0)


def test_a_reward_of_ones_own():
    calls = []

    def reward(before, move, reply, outcome):
        calls.append((before.ply, str(before.to_move), str(move), reply and str(reply), outcome and outcome.winner))
        return 7.5

    env = SinglePlayerEnv(game=TIC_TAC_TOE, rival=scripted("a2", "b2"), reward=reward)
    env.reset(seed=0)
    for text in ("a1", "b1", "c1"):
        assert env.step(env.game.move(text))[1] == 7.5
    assert calls == [
        (0, "black", "a1", "a2", None),
        (2, "black", "b1", "b2", None),
        (4, "black", "c1", None, Side.BLACK),
    ]


def test_illegal_actions_raise_and_change_nothing():
    env = SinglePlayerEnv(game=TIC_TAC_TOE, rival=scripted("a2", "b2"))
    env.reset(seed=0)
    env.step(env.game.move("a1"))
    with pytest.raises(IllegalMoveError, match="a1 is illegal"):
        env.step(env.game.move("a1"))
    for outside in (9, -1, np.int64(999)):
        with pytest.raises(IllegalMoveError, match=f"has no move .*{outside}"):
            env.step(outside)
    with pytest.raises(NotationError, match="not float"):
        env.step(2.5)
    assert env.position == Position(TIC_TAC_TOE, "a1a2")
    assert env.step(env.game.move("b1"))[2] is False


def test_illegal_actions_can_lose_instead():
    outcomes = []
    env = SinglePlayerEnv(game=TIC_TAC_TOE, rival=scripted("a2"), illegal="lose")
    env.reset(seed=0)
    env.step(env.game.move("a1"))
    _, reward, over, _, info = env.step(env.game.move("a2"))
    assert (reward, over) == (-1, True)
    assert (info["outcome"].winner, info["outcome"].reason) == (Side.WHITE, Reason.FOUL)
    assert not info["action_mask"].any()
    with pytest.raises(TengenError, match="reset"):
        env.step(0)
    env.reset(seed=0)
    _, reward, over, _, info = env.step(999)
    assert (reward, over, info["outcome"].winner) == (-1, True, Side.WHITE)
    shaped = SinglePlayerEnv(
        game=TIC_TAC_TOE, side="white", illegal="lose", reward=lambda *step: outcomes.append(step[3]) or -200.0
    )
    shaped.reset(seed=0)
    taken = int(np.flatnonzero(shaped.action_masks() == 0)[0])
    assert shaped.step(taken)[1] == -200
    assert outcomes[0].winner is Side.BLACK
    seen = []
    shaped = SinglePlayerEnv(game=TIC_TAC_TOE, illegal="lose", reward=lambda *step: seen.append(step[1:3]) or 0.0)
    shaped.reset(seed=0)
    shaped.step(9)
    assert seen == [(None, None)]


def test_a_learner_without_a_move_passes():
    env, passes, replies = SinglePlayerEnv(game="othello:size=4"), 0, 0
    rng = np.random.default_rng(0)
    for number in range(60):
        _, info = env.reset(seed=number)
        over = False
        while not over:
            action = int(rng.choice(np.flatnonzero(info["action_mask"])))
            if action == 16:
                assert info["action_mask"].sum() == 1
                passes += 1
            before = env.position.ply
            _, _, over, _, info = env.step(action)
            played = env.position.ply - before
            assert played == 2 or (over and played == 1)  # its move and one reply, never more
            replies += env.position.last_move.is_pass
    assert passes > 5
    assert replies > 5  # the rival passes as well


def test_options_of_reset():
    env = SinglePlayerEnv(game=TIC_TAC_TOE, rival=scripted("c3"))
    start = Position(TIC_TAC_TOE, "a1b1")
    observation, info = env.reset(seed=0, options={"side": "white", "position": start})
    assert info["side"] == "white"
    assert observation.sum() == 3  # black is to move there, and that is the rival
    assert env.reset(options={"position": start})[0].sum() == 2
    assert start.ply == 2
    with pytest.raises(TengenError, match="side and position, not opening"):
        env.reset(options={"opening": "h8"})
    with pytest.raises(TengenError, match="position of"):
        env.reset(options={"position": Position("gomoku")})
    with pytest.raises(TengenError, match="over before black"):
        env.reset(options={"position": Position(TIC_TAC_TOE, "a1b1a2b2a3")})
    with pytest.raises(TengenError, match="reset"):
        env.step(0)


def test_options_that_cannot_be():
    for options in ({"side": "red"}, {"illegal": "ignore"}, {"encoding": "s9"}, {"render_mode": "film"}):
        with pytest.raises(TengenError, match=next(iter(options.values()))):
            SinglePlayerEnv(**options)
    with pytest.raises(PlayerNameError):
        SinglePlayerEnv(rival="nobody")
    with pytest.raises(TengenError, match="scripted does not play othello"):
        SinglePlayerEnv(game="othello", rival=scripted())
    with pytest.raises(TengenError, match="reset"):
        SinglePlayerEnv().step(0)


def test_a_rival_that_cheats_is_named():
    env = SinglePlayerEnv(game=TIC_TAC_TOE, rival=scripted("a1"))
    env.reset(seed=0)
    with pytest.raises(IllegalMoveError, match="the rival scripted broke the rules: a1 is illegal"):
        env.step(env.game.move("a1"))


def test_masks_for_maskable_learners():
    env = SinglePlayerEnv(side="white")
    _, info = env.reset(seed=0)
    assert env.action_masks().dtype == np.bool_
    assert np.array_equal(env.action_masks(), info["action_mask"] == 1)
    assert np.array_equal(env.action_masks(), env.position.legal_mask())


def test_many_of_them_in_gymnasiums_vector():
    envs = gymnasium.vector.SyncVectorEnv([lambda: SinglePlayerEnv(game=TIC_TAC_TOE)] * 4)
    _, info = envs.reset(seed=0)
    assert info["action_mask"].shape == (4, 9)
    for _ in range(12):
        masks = info["action_mask"]
        actions = [int(np.flatnonzero(mask)[0]) if mask.any() else 0 for mask in masks]
        _, _, _, _, info = envs.step(np.array(actions))


@pytest.mark.parametrize("encoding", ["s0", "s1", "s2", "s3", "s4"])
def test_encodings(encoding):
    env = SinglePlayerEnv(game="renju", encoding=encoding)
    observation, _ = env.reset(seed=0)
    assert observation in env.observation_space
    assert np.array_equal(observation, Position("renju").planes(encoding))


def test_rendering_text(capsys):
    env = SinglePlayerEnv(game=TIC_TAC_TOE, rival=scripted("a1"), render_mode="ansi")
    env.reset(seed=0)
    env.step(env.game.move("b2"))
    assert env.render() == str(env.position)
    assert capsys.readouterr().out == ""
    env = SinglePlayerEnv(game=TIC_TAC_TOE, rival=scripted("a1"), render_mode="human")
    env.reset(seed=0)
    env.step(env.game.move("b2"))
    assert capsys.readouterr().out == f"{Position(TIC_TAC_TOE)}\n{env.position}\n"
    assert SinglePlayerEnv().render() is None


@pytest.mark.parametrize("game", ["gomoku", "othello"])
def test_rendering_pictures(game):
    env = SinglePlayerEnv(game=game, side="white", render_mode="rgb_array")
    env.reset(seed=0)
    picture, position = env.render(), env.position
    assert (picture.shape, picture.dtype) == ((position.size * CELL, position.size * CELL, 3), np.uint8)
    # Look a little off the centre of each cell, where neither a line nor the last-move mark is.
    bright = picture[CELL // 2 - 8 :: CELL, CELL // 2 - 7 :: CELL].mean(axis=2)
    board = position.board()
    assert (bright[board == 1] < 60).all()
    assert (bright[board == 2] > 200).all()
    assert ((bright[board == 0] > 60) & (bright[board == 0] < 200)).all()
    row, column = position.last_move.row, position.last_move.column
    red, green, blue = picture[row * CELL + CELL // 2, column * CELL + CELL // 2].tolist()
    assert red > 2 * max(green, blue)


def test_a_winning_line_is_drawn():
    env = SinglePlayerEnv(game=TIC_TAC_TOE, rival=scripted("a2", "b2"), render_mode="rgb_array")
    env.reset(seed=0)
    blues = []
    for text in ("a1", "b1", "c1"):
        env.step(env.game.move(text))
        picture = env.render().astype(int)
        blues.append(int(((picture[..., 2] - picture[..., 0]) > 60).sum()))
    assert blues[0] == blues[1] == 0
    assert blues[2] > 100


def test_it_can_be_played_with_any_listed_player():
    for name in ("random", "greedy"):
        env = SinglePlayerEnv(game="othello:size=6", rival=name)
        assert len(episode(env, seed=4)) > 4
        assert env.position.is_over
    assert player("greedy").name == "greedy"


def test_a_rival_or_reward_that_raises_ends_the_episode():
    class Broken(RandomPlayer):
        def choose(self, position, *, limit=None):
            position.play(position.legal_moves()[0])  # on a board of its own: nobody else sees it
            raise RuntimeError("out of order")

    env = SinglePlayerEnv(game="gomoku", rival=lambda seed: Broken(name="broken", seed=seed))
    env.reset(seed=1)
    with pytest.raises(RuntimeError, match="out of order"):
        env.step(112)
    with pytest.raises(TengenError, match="reset"):
        env.step(113)
    env.reset(seed=1)
    assert env.action_masks().all()
