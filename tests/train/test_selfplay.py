"""Self-play: legal games, the same for the same seed, and what a network says on a CPU."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from small import small_config, small_selfplay

from tengen.games import Game, Position
from tengen.nets import Net, build, infer
from tengen.nets.config import NetConfig
from tengen.train.alphazero.playing import CpuNet
from tengen.train.alphazero.window import DISTANCE, MOVES, OPENING, RESIGNED, RESULT, VARIANT, Games


def some(play, count: int) -> list[Games]:
    parts: list[Games] = []
    while sum(map(len, parts)) < count:
        play.step()
        parts += play.take_games()
    return parts


@pytest.mark.parametrize(
    "names", [["gomoku:size=6"], ["renju:size=9"], ["othello:size=6"], ["gomoku:size=7", "gomoku:size=9"]], ids=str
)
def test_games_are_legal_and_end_as_they_say(names: list[str]) -> None:
    config = small_config(games=names)
    kinds = [Game.parse(name) for name in names]
    play = small_selfplay(config)
    sizes = set()
    for games in some(play, 12):
        first = 0
        for line in games.table:
            game = kinds[line[VARIANT]]
            position = Position(game)
            for move in games.moves[first : first + line[MOVES]]:
                position.play(game.moves[int(move)])  # raises if it is illegal
            first += line[MOVES]
            sizes.add(game.size)
            assert line[OPENING] <= line[MOVES]
            outcome = position.outcome()
            if outcome is None:  # proven or given up
                assert line[DISTANCE] > 0 or line[RESIGNED]
            else:
                winner = None if outcome.winner is None else str(outcome.winner)
                assert winner == {1: "black", 0: None, -1: "white"}[int(line[RESULT])]
    assert sizes == {game.size for game in kinds}
    counts = play.counts()
    assert counts["games"] >= 12
    assert counts["evaluations"] > 0


def test_one_seed_one_run() -> None:
    runs = [some(small_selfplay(small_config(), seed), 20) for seed in (3, 3, 4)]
    same, again, other = [[array for part in parts for array in part.arrays()] for parts in runs]
    assert len(same) == len(again)
    assert all(np.array_equal(a, b) for a, b in zip(same, again, strict=True))
    assert not (len(same) == len(other) and all(np.array_equal(a, b) for a, b in zip(same, other, strict=True)))


def test_more_threads_play_the_same_games() -> None:
    """Only the order in which they are handed out may differ."""

    def lines(threads: int) -> list[tuple[int, ...]]:
        play = small_selfplay(small_config(selfplay={"games": 40, "threads": threads}))
        found = []
        for _ in range(150):
            play.step()
            for games in play.take_games():
                ends = np.cumsum(games.table[:, MOVES])
                found += [tuple(moves.tolist()) for moves in np.split(games.moves, ends[:-1])]
        return sorted(found)

    assert lines(1) == lines(3) != []


# --- the network on a CPU ---


def asked(net: CpuNet, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    net.planes(0)[:] = planes
    net.ask(0)
    return tuple(array.copy() for array in net.answer(0))


@pytest.fixture
def config() -> NetConfig:
    return small_config(net={"channels": 16}).net_config()


def opinionated(config: NetConfig) -> Net:
    torch.manual_seed(3)
    net = build(config).eval()
    for parameter in net.heads.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    return net


def cpu_net(config: NetConfig, **options: bool) -> CpuNet:
    return CpuNet(config, batch=40, seats=2, masked=options.get("masked", False), threads=2, int8=True)


def positions(config: NetConfig, count: int, size: int = 6) -> np.ndarray:
    planes = (np.random.default_rng(1).random((count, config.planes, config.size, config.size)) < 0.3).astype(np.uint8)
    planes[:, 0] = 0
    planes[:, :, size:] = planes[:, :, :, size:] = 0
    planes[:, 0, :size, :size] = 1
    return planes


def test_it_says_what_torch_says(config: NetConfig) -> None:
    net, player = opinionated(config), cpu_net(config)
    planes = positions(config, 40)
    player.update(net, planes[:0])
    with torch.no_grad():
        policy, wdl = infer(net, torch.from_numpy(planes))
    there_policy, there_wdl = asked(player, planes)
    assert np.allclose(there_policy, policy, atol=1e-4)
    assert np.allclose(there_wdl, wdl, atol=1e-5)


def test_with_positions_to_calibrate_it_takes_integers(config: NetConfig) -> None:
    net, player = opinionated(config), cpu_net(config)
    planes = positions(config, 40)
    player.update(net, planes[:0])
    exact = asked(player, planes)[0]
    player.update(net, positions(config, 200))
    near = asked(player, planes)[0]
    assert 0 < np.abs(exact - near).max() < np.ptp(exact) / 4
    assert (exact.argmax(1) == near.argmax(1)).mean() > 0.7


def test_what_was_asked_before_is_answered_by_the_old_weights(config: NetConfig) -> None:
    first, second = opinionated(config), build(config).eval()
    player = cpu_net(config)
    planes = positions(config, 40)
    player.update(first, planes[:0])
    before = asked(player, planes)[0]
    player.ask(0)
    player.update(second, planes[:0])
    assert np.array_equal(player.answer(0)[0], before)
    assert not np.array_equal(asked(player, planes)[0], before)


def test_boards_of_several_sizes() -> None:
    config = small_config(games=["gomoku:size=7", "gomoku:size=9"], net={"channels": 16}).net_config()
    net, player = opinionated(config), cpu_net(config, masked=True)
    planes = np.concatenate([positions(config, 1, size) for size in (7, 9) * 20])
    player.update(net, planes[:0])
    with torch.no_grad():
        policy, wdl = infer(net, torch.from_numpy(planes), masked=True)
    there_policy, there_wdl = asked(player, planes)
    assert np.allclose(there_policy, policy, atol=1e-3)
    assert np.allclose(there_wdl, wdl, atol=1e-5)
    player.update(net, np.concatenate([positions(config, 100, 7), positions(config, 200, 9)]))
    assert (asked(player, planes)[0].argmax(1) == there_policy.argmax(1)).mean() > 0.7
