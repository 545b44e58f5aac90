"""From steps of games to rows, and the ring that keeps them."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tengen.envs import DuelEnv
from tengen.train.dqn.replay import Replay, Rows, Steps

CPU = torch.device("cpu")


def played(steps: int, rivals: str, count: int, gamma: float = 0.9) -> tuple[list[dict], list[tuple[int, ...]]]:
    """A few games, step by step as they were, and the rows that came of them."""
    env = DuelEnv("gomoku:size=5,win=4", 3, rivals=rivals, seed=3)
    maker = Steps(3, count, gamma)
    told, rows = [], []
    for number in range(steps):
        planes = env.planes.astype(np.uint8)
        planes[:, 0, 0, 0] = number  # so that every state is told from every other
        legal = torch.from_numpy(env.mask.copy())
        actions = env.explore_actions("random").copy()
        env.step(actions)
        after = np.full_like(planes, number + 1)
        told.append(
            {
                "action": actions,
                "reward": env.reward.copy(),
                "ended": env.ended.copy(),
                "side": env.last_side.copy(),
                "self": env.stepped_self_play.copy(),
            }
        )
        here, there, mask = (torch.from_numpy(array) for array in (planes, after, env.mask.copy()))
        about = env.reward, env.last_side, env.stepped_self_play, env.ended
        sides, made = maker.add(here, legal, actions, *about, there, mask)
        assert made.mask.gather(1, made.action[:, None]).all()  # what was played was legal there
        rows += [
            (
                int(made.planes[i, 0, 0, 0]),
                int(made.action[i]),
                round(float(made.reward[i]), 5),
                round(float(made.scale[i]), 5),
                int(made.next_planes[i, 0, 0, 0]) if made.scale[i] else -1,
                int(sides[i]),
            )
            for i in range(len(sides))
        ]
    return told, rows


@pytest.mark.parametrize("count", [1, 2, 3, 5])
@pytest.mark.parametrize("rivals", ["self", "random"])
def test_rows_are_what_was_lived_through(rivals: str, count: int) -> None:
    gamma = 0.9
    told, rows = played(60, rivals, count, gamma)
    assert any(step["ended"].any() for step in told)
    expected = []
    for game in range(3):
        for start in range(len(told)):
            sign = -1 if told[start]["self"][game] else 1
            total, scale = 0.0, 0.0
            for k in range(count):
                if start + k >= len(told):
                    break  # not complete yet
                step = told[start + k]
                total += (sign * gamma) ** k * step["reward"][game]
                complete = step["ended"][game] or k == count - 1
                if complete:
                    scale = 0.0 if step["ended"][game] else (sign * gamma) ** count
                    first = told[start]
                    expected.append(
                        (
                            start,
                            int(first["action"][game]),
                            round(float(total), 5),
                            round(scale, 5),
                            start + k + 1 if scale else -1,
                            int(first["side"][game]),
                        )
                    )
                    break
    assert sorted(rows) == sorted(expected)


def board_of(n: torch.Tensor) -> torch.Tensor:
    """Numbers to 255 as boards of zeros and ones."""
    return ((n[:, None] >> torch.arange(8)) & 1).to(torch.uint8).view(-1, 2, 2, 2)


def rows_of(numbers: list[int]) -> Rows:
    n = torch.tensor(numbers, dtype=torch.int64)
    masks = [board_of(n + k).flatten(1)[:, :4] > 0 for k in (2, 3)]
    return Rows(board_of(n), masks[0], n, n.float(), n.float(), board_of(n + 1), masks[1])


@pytest.mark.parametrize("priority", [0.0, 0.6])
def test_the_ring_keeps_the_newest(priority: float) -> None:
    replay = Replay(10, (2, 2, 2), 4, CPU, priority=priority)
    for first in range(0, 24, 4):
        replay.add(rows_of(list(range(first, first + 4))))
        replay.add(rows_of([]))  # as long as no n-step return is complete
    assert replay.filled == 10
    _, rows, chance = replay.sample(2000, torch.Generator().manual_seed(1))
    assert set(rows.action.tolist()) == set(range(14, 24))
    for mine, theirs in zip(rows, rows_of(rows.action.tolist()), strict=True):
        assert torch.equal(mine, theirs)
    assert torch.allclose(chance, torch.ones(2000))
    again = Replay(10, (2, 2, 2), 4, CPU, priority=priority)
    again.load(replay.state())
    for mine, theirs in zip(
        replay.sample(50, torch.Generator().manual_seed(2)),
        again.sample(50, torch.Generator().manual_seed(2)),
        strict=True,
    ):
        for a, b in zip(mine, theirs, strict=True) if isinstance(mine, Rows) else [(mine, theirs)]:
            assert torch.equal(a, b)
    with pytest.raises(ValueError, match="bits has the shape"):
        Replay(10, (3, 2, 2), 4, CPU, priority=priority).load(replay.state())


def test_large_errors_are_drawn_more_often() -> None:
    replay = Replay(100, (2, 2, 2), 4, CPU, priority=1.0)
    replay.add(rows_of(list(range(100))))
    replay.set_errors(torch.arange(100), torch.where(torch.arange(100) < 50, 3.0, 1.0))
    _, rows, chance = replay.sample(20000, torch.Generator().manual_seed(3))
    share = float((rows.action < 50).float().mean())
    assert share == pytest.approx(0.75, abs=0.02)
    assert chance[rows.action < 50].mean() == pytest.approx(1.5, abs=0.01)
    assert chance[rows.action >= 50].mean() == pytest.approx(0.5, abs=0.01)


def drawn(replay: Replay) -> set[int]:
    """The numbers of the rows in it."""
    _, rows, _ = replay.sample(2000, torch.Generator().manual_seed(1))
    for mine, theirs in zip(rows, rows_of(rows.action.tolist()), strict=True):
        assert torch.equal(mine, theirs)
    return set(rows.action.tolist())


@pytest.mark.parametrize("before", [0, 7])
def test_of_more_rows_than_there_is_room_for_the_newest_stay(before: int) -> None:
    replay = Replay(10, (2, 2, 2), 4, CPU, priority=0.6)
    replay.add(rows_of(list(range(100, 100 + before))))
    replay.add(rows_of(list(range(35))))
    assert drawn(replay) == set(range(25, 35))
    replay.add(rows_of([50, 51]))
    assert drawn(replay) == {*range(27, 35), 50, 51}


@pytest.mark.parametrize("rows", [7, 10, 14])
def test_a_larger_ring_goes_on_with_a_smaller_one(rows: int) -> None:
    small, large = Replay(10, (2, 2, 2), 4, CPU, priority=0.6), Replay(16, (2, 2, 2), 4, CPU, priority=0.6)
    for number in range(rows):
        small.add(rows_of([number]))
    large.load(small.state())
    for number in range(100, 108):
        large.add(rows_of([number]))
    assert drawn(large) == set([*range(max(0, rows - 10), rows), *range(100, 108)][-16:])
    with pytest.raises(ValueError, match=r"more than learn\.memory=5"):
        Replay(5, (2, 2, 2), 4, CPU, priority=0.6).load(small.state())


def test_a_ring_without_priorities_begins_with_equal_ones() -> None:
    plain, weighed = Replay(10, (2, 2, 2), 4, CPU, priority=0), Replay(10, (2, 2, 2), 4, CPU, priority=0.6)
    plain.add(rows_of(list(range(8))))
    weighed.load(plain.state())
    assert drawn(weighed) == set(range(8))
    _, _, chance = weighed.sample(100, torch.Generator().manual_seed(1))
    assert torch.allclose(chance, torch.ones(100))
