"""Sample games and alarms: what a run leaves for people to look at."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from small import small_config as small_alphazero

from tengen.games import Game, Position, Side
from tengen.train.alphazero.trainer import new_trainer as new_alphazero
from tengen.train.dqn.config import make_config as make_dqn
from tengen.train.dqn.health import alarms as dqn_alarms
from tengen.train.dqn.trainer import new_trainer as new_dqn
from tengen.train.evolution.config import make_config as make_evolution
from tengen.train.evolution.health import alarms as evolution_alarms
from tengen.train.evolution.trainer import new_trainer as new_evolution
from tengen.train.run import Run, write_text
from tengen.train.samples import MOST, SampleGames, read_samples

GAME = Game.parse("gomoku")


class Time:
    """A clock that stands still until it is told."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def add(samples: SampleGames, step: int) -> None:
    samples.add(step, GAME, [112, 0, 113], black="a", white="b", winner=Side.BLACK, unplayed=2)


def steps(path: Path) -> list[int]:
    return [sample["step"] for sample in read_samples(path)]


# The file.


def test_a_game_is_kept_as_it_was(tmp_path: Path) -> None:
    add(SampleGames(tmp_path / "games.jsonl", write_text), 7)
    assert read_samples(tmp_path / "games.jsonl") == [
        {"step": 7, "game": "gomoku", "moves": ["h8", "a15", "i8"], "black": "a", "white": "b", "winner": "black",
         "unplayed": 2}
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
def test_few_games_tell_of_the_whole_run(tmp_path: Path, seed: int) -> None:
    rng, path = random.Random(seed), tmp_path / "games.jsonl"
    samples, given = SampleGames(path, write_text), []
    for number in range(1, 400):
        given.append((given[-1] if given else 0) + rng.randint(1, 20))
        add(samples, given[-1])
        kept = steps(path)
        assert len(kept) == min(number, MOST)
        assert set(kept) <= set(given)
        assert (kept[0], kept[-1]) == (given[0], given[-1])
        gaps = [after - before for before, after in pairwise(kept)]
        assert all(gap <= 20 + 5 * given[-1] / MOST for gap in gaps)
        if rng.random() < 0.05:  # killed and opened again
            samples = SampleGames(path, write_text)


def test_a_game_is_due_now_and_then(tmp_path: Path) -> None:
    time = Time()
    samples = SampleGames(tmp_path / "games.jsonl", write_text, now=time)
    assert samples.is_due()
    add(samples, 1)
    time.now += 9.9
    assert not samples.is_due()
    time.now += 0.2
    assert samples.is_due()


def test_damaged_lines_are_passed_over(tmp_path: Path) -> None:
    path, rng = tmp_path / "games.jsonl", random.Random(3)
    samples = SampleGames(path, write_text)
    for step in range(6):
        add(samples, step)
    whole = path.read_bytes()
    ends = [at + 1 for at, byte in enumerate(whole) if byte == 10]
    for cut in range(0, len(whole), 7):  # killed at any byte, were it appended to
        path.write_bytes(whole[:cut])
        assert steps(path) == [step for step, end in enumerate(ends) if cut >= end - 1]
    for _ in range(300):
        damaged = bytearray(whole)
        damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        path.write_bytes(damaged)
        assert len(steps(path)) >= 4
    for line in (
        "[]",
        "5",
        "{}",
        '{"step": 1}',
        "[" * 100_000,
        json.dumps({**json.loads(whole.splitlines()[0]), "step": True}),
    ):
        path.write_text(line + "\n")
        assert steps(path) == []
    assert read_samples(tmp_path / "none") == []


# The run.


def about(run: Run) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((run.folder / "run.json").read_text())
    return found


def test_alarms_come_and_go(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", "dqn", {}, seed=1)
    run.log(1, {"loss": 1.0})
    assert "alarms" not in about(run)
    run.log(2, {"loss": 1.0}, {"deaf": "hears nothing", "blind": "sees 3 %"})
    written = (run.folder / "run.json").stat().st_mtime_ns
    run.log(3, {"loss": 1.0}, {"deaf": "hears nothing", "blind": "sees 4 %"})
    assert (run.folder / "run.json").stat().st_mtime_ns == written  # not with every line
    run.log(4, {"loss": 1.0}, {"deaf": "hears nothing"})
    assert about(run)["alarms"] == {
        "deaf": {"meaning": "hears nothing", "since": 2, "until": None},
        "blind": {"meaning": "sees 3 %", "since": 2, "until": 4},
    }
    run.log(5, {"loss": 1.0}, {"blind": "sees 2 %"})
    run.set_state("stopped")
    assert about(run)["alarms"] == {
        "deaf": {"meaning": "hears nothing", "since": 2, "until": 5},
        "blind": {"meaning": "sees 2 %", "since": 2, "until": None},
    }
    assert about(run)["state"] == "stopped"


def test_what_came_after_the_checkpoint_is_forgotten(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", "dqn", {}, seed=1)
    for step in range(1, 7):
        run.log(step, {}, {name: "" for name, when in (("a", (1, 2)), ("b", (3, 4, 5)), ("c", (5, 6))) if step in when})
        add(run.samples, step)
        if step == 4:
            run.save(step, {}, lambda _: None, keep=1)
    run.close()
    again, _ = Run.open(run.folder, "dqn")
    assert again.resume(lambda _: None)
    assert steps(run.folder / "games.jsonl") == [1, 2, 3, 4]
    alarms = about(again)["alarms"]
    assert {name: (alarm["since"], alarm["until"]) for name, alarm in alarms.items()} == {"a": (1, 3), "b": (3, None)}
    (run.folder / "run.json").write_text(json.dumps({**about(run), "alarms": {"a": 5, "b": {"since": "x"}, "c": None}}))
    Run.open(run.folder, "dqn")[0].log(9, {}, {"d": "new"})
    assert set(about(run)["alarms"]) == {"d"}


# The methods.

DQN: dict[str, Any] = {
    "game": "gomoku:size=5,win=4",
    "net": {"kind": "s0", "channels": 8},
    "play": {"games": 4, "threads": 1, "rivals": ["self", "greedy"], "epsilon_games": 1e6},
    "learn": {"batch": 16, "memory": 500, "least_rows": 10_000},
    "run": {"games": 150, "device": "cpu", "evaluate_games": 0},
}
EVOLUTION: dict[str, Any] = {
    "games": ["gomoku:size=5", "gomoku:size=6"],
    "net": {"hidden": 4},
    "play": {"games": 3, "opening_most": 2, "threads": 1},
    "evolve": {"population": 6},
    "run": {"generations": 12, "ladder_generations": 0},
}


@pytest.fixture
def every_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tengen.train.samples._EVERY", 0.0)


def replayed(folder: Path) -> list[tuple[dict[str, Any], Position]]:
    samples = read_samples(folder / "games.jsonl")
    return [(sample, Position.from_dict({"game": sample["game"], "moves": sample["moves"]})) for sample in samples]


@pytest.mark.parametrize("game", ["gomoku:size=6", "othello:size=6"])
def test_alphazero_shows_its_games(tmp_path: Path, every_game: None, game: str) -> None:
    trainer = new_alphazero(small_alphazero(games=[game], run={"games": 30, "save_minutes": 1}), str(tmp_path / "run"))
    trainer.train()
    found = replayed(tmp_path / "run")
    assert len(found) > 3
    for sample, position in found:
        assert sample["step"] <= trainer.counters.games
        assert (sample["black"], sample["white"]) == ("alphazero", "alphazero")
        outcome = position.outcome()
        assert (outcome is None) == (sample["unplayed"] > 0)  # proven, and not played on
        if outcome is not None:
            assert sample["winner"] == (str(outcome.winner) if outcome.winner else None)


def test_dqn_shows_its_games(tmp_path: Path, every_game: None) -> None:
    new_dqn(make_dqn(DQN), str(tmp_path / "run")).train()
    found = replayed(tmp_path / "run")
    assert len(found) > 20
    assert {sample["black"] for sample, _ in found} | {sample["white"] for sample, _ in found} == {"dqn", "greedy"}
    complete = 0
    for sample, position in found:
        outcome = position.outcome()
        if outcome is not None:
            complete += 1
            assert sample["unplayed"] == 0
            assert sample["winner"] == (str(outcome.winner) if outcome.winner else None)
        else:  # the rival won, and could have in two ways
            assert sample["unplayed"] == 1
            assert sample[sample["winner"]] == "greedy"
    assert complete > len(found) / 2


def test_evolution_shows_its_games(tmp_path: Path, every_game: None) -> None:
    new_evolution(make_evolution(EVOLUTION), str(tmp_path / "run")).train()
    found = replayed(tmp_path / "run")
    assert [sample["step"] for sample, _ in found] == list(range(1, 13))
    for sample, position in found:
        outcome = position.outcome()
        assert outcome is not None
        assert sample["winner"] == (str(outcome.winner) if outcome.winner else None)
    assert len({tuple(sample["moves"]) for sample, _ in found}) > 1


def test_q_values_that_run_away_are_told() -> None:
    config = make_dqn({**DQN, "play": {"reward_scale": 2.0}})
    assert config.most_worth() == 2
    assert dqn_alarms({"value": 3.9, "loss": 1.0}, 2, 5000) == {}
    assert dqn_alarms({}, 2, 5000) == {}
    assert "valued -4.1" in dqn_alarms({"value": -4.1, "loss": 1.0}, 2, 5000)["runaway values"]
    assert dqn_alarms({"value": -4.1, "loss": 1.0}, 2, 500) == {}  # as random weights have it
    assert "runaway values" in dqn_alarms({"value": 0.0, "loss": float("nan")}, 2, 0)
    shaped = make_dqn({**DQN, "play": {"reward": "s0", "reward_scale": 0.01}, "learn": {"gamma": 0.9}})
    assert shaped.most_worth() == pytest.approx(80)
    unbounded = make_dqn({**DQN, "play": {"reward": "s1"}, "learn": {"gamma": 1.0}})
    assert unbounded.most_worth() == float("inf")


def test_an_evolution_that_stands_still_is_told() -> None:
    assert evolution_alarms({"draws": 0.5, "strength": 0.1}, 0.1) == {}
    assert evolution_alarms({"draws": 0.5}, 0.1) == {}
    assert set(evolution_alarms({"draws": 0.95, "strength": 0.0005}, 0.1)) == {"drawn games", "no mutations"}
