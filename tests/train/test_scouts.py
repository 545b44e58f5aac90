"""Scouts and their trails: what is tried, what is remembered of it, and what is learned from it."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from tengen.envs.duel import DuelEnv
from tengen.games import Game
from tengen.train.dqn.config import DqnConfig, make_config
from tengen.train.dqn.learner import Learner
from tengen.train.dqn.replay import Rows
from tengen.train.dqn.trails import Trails
from tengen.train.dqn.trainer import DqnTrainer, new_trainer
from tengen.train.settings import to_dict

torch.set_num_threads(1)
CPU = torch.device("cpu")
TIC_TAC_TOE = Game.parse("gomoku:size=3,win=3")
LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]]


def scouting(play: dict[str, Any], learn: dict[str, Any] | None = None) -> DqnConfig:
    return make_config(
        {
            "game": TIC_TAC_TOE.name,
            "net": {"kind": "s0", "channels": 16},
            "play": {"games": 4, "threads": 1, "rivals": ["random"], "side": "black", **play},
            "learn": {"batch": 16, "memory": 500, "won_share": 0.5, **(learn or {})},
            "run": {"games": 10, "device": "cpu", "evaluate_rival": "random"},
        }
    )


def planes_of(*positions: tuple[list[int], list[int]]) -> NDArray[np.float32]:
    """Own and rival stones, as S0's planes have them."""
    planes = np.zeros((len(positions), 2, 9), np.float32)
    for i, (own, rival) in enumerate(positions):
        planes[i, 0, own] = planes[i, 1, rival] = 1
    return planes.reshape(-1, 2, 3, 3)


# Trails.


def test_turned_positions_are_one() -> None:
    trails = Trails(TIC_TAC_TOE, 100)
    maps = np.array(TIC_TAC_TOE.symmetry_maps())
    stones = ([0, 5], [1, 4])
    turned = [([int(m[a]) for a in stones[0]], [int(m[a]) for a in stones[1]]) for m in maps]
    places = trails.find(planes_of(*turned))
    assert (places.row == -1).all()
    trails.add(places, np.ones(8, np.bool_))
    assert len(trails) == 1
    assert (places.row == 0).all()
    # A move of the position is the turned move of the turned one.
    known = trails.turned(places, maps[:, 8])
    assert len(set(known.tolist())) == 1
    # It won, so that it is chosen in all of them.
    for _ in range(30):
        trails.tried(places.row, known)
        trails.came_to(places.row, known, np.ones(8, np.float32))
    mask = np.ones((8, 9), np.bool_)
    for row, (own, rival) in zip(mask, turned, strict=True):
        row[own + rival] = False
    chosen = trails.choose(places, mask, np.ones(8, np.bool_), np.random.default_rng(0))
    assert chosen.tolist() == maps[:, 8].tolist()


def test_different_positions_are_different() -> None:
    # Own and rival stones of three plies on nine points, but for turns: counted by a set of the least turned one.
    maps = np.array(TIC_TAC_TOE.symmetry_maps())
    positions = [([a], [b]) for a, b in itertools.permutations(range(9), 2)]
    classes = {min((int(m[a]), int(m[b])) for m in maps) for (a,), (b,) in positions}
    trails = Trails(TIC_TAC_TOE, 100)
    places = trails.find(planes_of(*positions))
    trails.add(places, np.ones(len(positions), np.bool_))
    assert len(trails) == len(classes) == 12
    for (a, b), row in zip(positions, places.row, strict=True):
        same = {(int(m[a[0]]), int(m[b[0]])) for m in maps}
        assert {int(r) for (c, d), r in zip(positions, places.row, strict=True) if (c[0], d[0]) in same} == {int(row)}


def test_the_newest_games_count_most_and_room_is_bounded() -> None:
    trails = Trails(TIC_TAC_TOE, 1)
    places = trails.find(planes_of(([], []), ([4], [0])))
    trails.add(places, np.ones(2, np.bool_))
    assert places.row.tolist() == [0, -1]
    row, move = np.zeros(1, np.int64), np.full(1, 4)
    for _ in range(200):
        trails.tried(row, move)
        trails.came_to(row, move, np.zeros(1, np.float32))
    assert trails.unsolved(places).tolist() == [True, False]
    for _ in range(100):
        trails.tried(row, move)
        trails.came_to(row, move, np.ones(1, np.float32))
    # By the mean of all it would be worth a third.
    assert trails._worth[0, 4] == pytest.approx(1 - 0.98**100, abs=1e-3)
    assert not trails.unsolved(places).any()


def test_games_that_end_together_count_as_if_one_after_the_other() -> None:
    together, apart = Trails(TIC_TAC_TOE, 1), Trails(TIC_TAC_TOE, 1)
    row, move = np.zeros(3, np.int64), np.array([4, 4, 2])
    for trails in (together, apart):
        trails.tried(np.zeros(80, np.int64), np.repeat([4, 2], 40))
    together.came_to(row, move, np.array([1, 1, 0.5], np.float32))
    for i in range(3):
        apart.came_to(row[[i]], move[[i]], np.array([1, 1, 0.5], np.float32)[[i]])
    assert np.allclose(together._worth, apart._worth)
    assert together._worth[0, 4] == pytest.approx(1 - (1 - 1 / 40) ** 2)


def test_trails_are_kept_in_a_file() -> None:
    trails = Trails(TIC_TAC_TOE, 10)
    places = trails.find(planes_of(([], []), ([4], [0]), ([4], [1])))
    trails.add(places, np.ones(3, np.bool_))
    trails.tried(places.row, np.array([4, 8, 8]))
    trails.came_to(places.row, np.array([4, 8, 8]), np.array([0.5, 0, 1], np.float32))
    again = Trails(TIC_TAC_TOE, 10)
    again.load(trails.state())
    assert again.find(planes_of(([4], [1]))).row.tolist() == [2]
    assert np.array_equal(again._tries, trails._tries)
    assert np.array_equal(again._worth, trails._worth)
    with pytest.raises(ValueError, match="scout_positions"):
        Trails(TIC_TAC_TOE, 2).load(trails.state())
    with pytest.raises(ValueError, match="another game"):
        again.load({**trails.state(), "edges": np.array([0, 1, 27])})


# Scouts.


def test_scouts_do_without_trails() -> None:
    trainer = DqnTrainer(scouting({"scouts": 8, "scout_positions": 0}))
    assert trainer.scouts is not None
    for _ in range(70):
        trainer.scouts.step(trainer.learners[0])
    assert len(trainer.trails) == 0
    assert not trainer.scouts._back


def test_scouts_remember_what_was_won() -> None:
    config = scouting({"scouts": 40})
    trainer = DqnTrainer(config)
    assert trainer.scouts is not None
    found = [rows for _ in range(40) for rows in trainer.scouts.step(trainer.learners[0])]
    rows = Rows(*(torch.cat(parts) for parts in zip(*found, strict=True)))
    left = torch.log(rows.reward) / np.log(config.learn.gamma)  # moves after this one
    assert torch.allclose(left, left.round(), atol=1e-3)
    left = left.round().long()
    assert int((left == 0).sum()) > 50
    assert torch.bincount(left).tolist() == sorted(torch.bincount(left).tolist(), reverse=True)
    assert not rows.scale.any()
    assert rows.mask.gather(1, rows.action[:, None]).all()
    own = rows.planes[:, 0].flatten(1).sum(1) + left + 1
    assert int(own.min()) >= 3  # stones of a line
    assert int(own.max()) <= 5
    # The last move completes a line of three.
    for planes, action in zip(rows.planes[left == 0], rows.action[left == 0], strict=True):
        board = planes[0].flatten().clone()
        board[action] = 1
        assert any(board[line].all() for line in LINES)


def test_scouts_come_to_win() -> None:
    trainer = DqnTrainer(scouting({"scouts": 400, "rivals": ["greedy"]}))
    assert trainer.scouts is not None
    rates = []
    for _ in range(4):
        for _ in range(60):
            trainer.scouts.step(trainer.learners[0])
        rates.append(trainer.scouts.won / trainer.scouts.ended)
        trainer.scouts.won = trainer.scouts.ended = 0
    assert rates[-1] > rates[0] + 0.1
    assert rates[-1] > 0.75


@pytest.mark.parametrize("side", ["black", "random"])
def test_some_scouts_go_back_to_where_others_lose(side: str) -> None:
    # Nobody wins on 4x4 with four in a row: everything that is met often is unsolved.
    config = make_config({**to_dict(scouting({"scouts": 400, "side": side})), "game": "gomoku:size=4,win=4"})
    trainer = DqnTrainer(config)
    scouts = trainer.scouts
    assert scouts is not None
    assert len(scouts._env) == 300
    for _ in range(63):
        assert not scouts._back
        scouts.step(trainer.learners[0])
    unsolved = scouts._trails.unsolved(scouts._trails.find(scouts._env.planes)) & ~scouts._off_trail
    lost = {tuple(map(int, scouts._env.history(int(i)))) for i in np.flatnonzero(unsolved)}
    assert len(lost) > 3
    scouts.step(trainer.learners[0])
    assert len(scouts._back) == (1 if side == "black" else 2)
    assert 98 <= sum(len(group._env) for group in scouts._back) <= 100
    for number, group in enumerate(scouts._back):
        assert not group._back
        assert (group._env.to_move == number).all()
        begun = {tuple(map(int, group._env.history(i)[: len(o)])) for o in lost for i in range(len(group._env))}
        assert begun & lost  # those that have not begun anew since


def test_scouts_who_go_back_meet_other_chances_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rival's draws too: or those who come back to a position would see the same replies again."""
    config = make_config({**to_dict(scouting({"scouts": 400, "side": "random"})), "game": "gomoku:size=4,win=4"})
    trainer = DqnTrainer(config)
    assert trainer.scouts is not None
    seeds: list[int] = []

    def watched(*arguments: Any, seed: int, **options: Any) -> DuelEnv:
        seeds.append(seed)
        return DuelEnv(*arguments, seed=seed, **options)

    monkeypatch.setattr("tengen.train.dqn.trainer.DuelEnv", watched)
    for _ in range(3 * 64):
        trainer.scouts.step(trainer.learners[0])
    assert len(seeds) == 3 * 2  # a group for each side
    assert len({*seeds, trainer.scouts._seed}) == 7


def test_scouts_follow_the_network_as_far_as_they_are_led() -> None:
    trainer = DqnTrainer(scouting({"scouts": 800, "scout_lead": 3}))
    assert trainer.scouts is not None
    learner, env = trainer.learners[0], trainer.scouts._env
    wanted = learner.choose(torch.from_numpy(env.planes.astype(np.uint8)), torch.from_numpy(env.mask.copy())).numpy()
    led = trainer.scouts._lead > 0
    assert 0.08 < led.mean() < 0.18
    trainer.scouts.step(learner)
    played = trainer.scouts._action[0]
    assert (played == wanted)[led].all()
    assert (played == wanted)[~led].mean() < 0.4


def test_moves_of_won_games_are_to_be_the_likeliest() -> None:
    config = scouting({"scouts": 4}, {"imitate": 1.0})
    learner = Learner(config.net_config(), config.learn, config.parsed_game(), seed=1, device=CPU)
    generator = torch.Generator().manual_seed(5)
    of_all = torch.randn(16, 9, generator=generator)
    mask = torch.rand(16, 9, generator=generator) < 0.6
    action = torch.randint(9, (16,), generator=generator)
    mask[torch.arange(16), action] = True  # what was played was legal
    nothing = torch.zeros(16)
    planes = torch.zeros(16, 2, 3, 3, dtype=torch.uint8)
    rows = Rows(planes, mask, action, nothing, nothing, planes, mask)
    learner.won.add(rows)
    expected = 0.0
    for i in range(8, 16):  # the latter half are those of won games
        weights = {a: np.exp(float(of_all[i, a]) / 0.1) for a in range(9) if mask[i, a]}
        expected -= np.log(weights[int(action[i])] / sum(weights.values()))
    assert float(learner._not_imitated(of_all, rows)) == pytest.approx(expected / 16, rel=1e-5)


def test_it_learns_before_scouts_have_won(tmp_path: Path) -> None:
    # On 7x7 random moves never win against this rival: what is left to learn from are the losses.
    config = scouting({"rivals": ["minimax:depth=2"], "scouts": 8}, {"imitate": 0.5, "least_rows": 16})
    config = replace(config, game="gomoku:size=7")
    trainer = new_trainer(config, str(tmp_path))
    trainer.train()
    assert trainer.counters.scouted == 0
    assert trainer.counters.steps > 0


# The rival.


def test_a_rival_that_remembers_answers_as_if_it_had_thought() -> None:
    # Twenty games from one opening come to the same positions; others of one game each think anew.
    game, opening = Game.parse("gomoku:size=7"), [24, 16]
    many = DuelEnv(game, 20, rivals="minimax:depth=2", side="black", openings=[opening], seed=4)
    rng = np.random.default_rng(0)
    for _ in range(6):
        before = [many.position(i) for i in range(20)]
        actions = np.array([rng.choice(np.flatnonzero(many.mask[0]))] * 20)
        many.step(np.where(many.mask[np.arange(20), actions], actions, many.mask.argmax(1)))
        for i in np.flatnonzero(~many.ended):
            moves = many.history(int(i))
            alone = DuelEnv(game, 64, rivals="minimax:depth=2", side="black", openings=[before[i].moves], seed=9)
            alone.step(np.full(64, int(moves[-2])))
            replies = {int(alone.history(k)[-1]) for k in range(64) if not alone.ended[k]}
            assert int(moves[-1]) in replies
