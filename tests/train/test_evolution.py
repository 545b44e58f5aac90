"""Evolution: the operators, that it gets somewhere, and that a run can be stopped anywhere."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from click.testing import CliRunner

import tengen
from tengen.arena import play_match
from tengen.cli import cli
from tengen.nets import export_onnx, lines_config, load
from tengen.nets.shipped import find_net
from tengen.testing import check_player
from tengen.train.evolution.config import EvolutionConfig, EvolveSettings, PlaySettings, load_preset, make_config
from tengen.train.evolution.population import Species
from tengen.train.evolution.programming import Programming, mutate, tournament
from tengen.train.evolution.strategy import Strategy, rank_weights
from tengen.train.evolution.trainer import EARLY, EvolutionTrainer, new_trainer, resumed_trainer
from tengen.train.run import RunError
from tengen.train.settings import ConfigError, merged, preset_names

torch.set_num_threads(1)

SMALL: dict[str, Any] = {
    "games": ["gomoku:size=5", "gomoku:size=6"],
    "net": {"hidden": 4},
    "play": {"games": 3, "opening_most": 2, "threads": 1},
    "evolve": {"population": 6, "hall_every": 2},
    "run": {"generations": 9, "save_generations": 2, "log_seconds": 0, "ladder_generations": 3, "early": 2, "seed": 3},
}
SMALL["run"] |= {"ladder": ["random"], "ladder_openings": 5}
S1 = {
    "games": ["gomoku:size=5"],
    "net": {"kind": "s1-evolved"},
    "play": {"noise": 0.01, "opening_most": 0},
    "evolve": {"method": "programming", "population": 4, "rival_every": 2},
}


def small_config(**changes: Any) -> EvolutionConfig:
    return make_config(merged(SMALL, changes))


def log_of(folder: Path) -> list[dict[str, float]]:
    lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    return [{key: value for key, value in line.items() if key not in ("minutes", "games_per_second")} for line in lines]


def state_of(trainer: EvolutionTrainer) -> dict[str, Any]:
    return {name: array.copy() for name, array in trainer.method.state().items()}


# The operators.


def test_who_loses_less_changes_less() -> None:
    rng = np.random.default_rng(1)
    parents = np.zeros((4, 20_000), np.float32)
    strengths, losses = np.array([0.1, 0.1, 0.4, 0.2]), np.array([1.0, 0.25, 0.25, 0.0])
    children, inherited = mutate(parents, strengths, losses, rng, adapt=0.0)
    assert np.array_equal(inherited, strengths)
    np.testing.assert_allclose(children.std(1), [0.1, 0.05, 0.2, 0], rtol=0.03)
    np.testing.assert_allclose(children.mean(1), 0, atol=0.01)


def test_mutation_strengths_vary_lognormally_and_are_used() -> None:
    rng = np.random.default_rng(2)
    strengths, count = np.full(2000, 0.5), 2000
    children, inherited = mutate(np.zeros((count, 300), np.float32), strengths, np.ones(count), rng, adapt=0.3)
    logs = np.log(inherited / 0.5)
    assert (abs(logs.mean()) < 0.03, abs(logs.std() - 0.3) < 0.02) == (True, True)
    assert np.corrcoef(children.std(1), inherited)[0, 1] > 0.95


def test_the_tournament_compares_with_q_others() -> None:
    scores = np.array([0.1, 0.9, 0.5, 0.5, 0.3, 0.7])
    for seed in range(20):
        # With q = all others the count of comparisons won is the rank.
        chosen = tournament(scores, 5, 4, np.random.default_rng(seed))
        assert chosen[0] == 1
        assert chosen[1] == 5
        assert set(chosen[2:]) == {2, 3}
    # With fewer the worst may live on by luck, but never against everybody: it wins no comparison at all.
    lived = np.zeros(6)
    for seed in range(2000):
        lived[tournament(scores, 1, 3, np.random.default_rng(seed))] += 1
    assert lived[0] == 0
    assert lived[1] > lived[5] > lived[2] > lived[4] > 0


def test_a_generation_of_programming_keeps_its_books() -> None:
    species = Species(lines_config(5, hidden=3))
    settings = EvolveSettings(method="programming", population=5, rival_every=2, sigma=0.3)
    method = Programming(species, settings, PlaySettings(games=5, opening_most=2), seed=4)
    game = tengen.Game.parse("gomoku:size=5,win=4")
    rivals = [method.rival.copy()]
    for number in range(4):
        generation = method.evolve(game, np.random.default_rng(number), share=0.0)
        assert (generation.games, generation.scores.shape) == (10 * 5, (10,))
        assert method.scores.max() == generation.scores.max()  # the best wins every comparison
        assert np.isin(method.losses, generation.losses).all()
        assert method.parents.shape == (5, species.parameters)
        assert np.array_equal(method.best(), method.parents[method.scores.argmax()])
        rivals.append(method.rival.copy())
    changed = [not np.array_equal(a, b) for a, b in pairwise(rivals)]
    assert changed == [False, True, False, True]


def test_rank_weights() -> None:
    np.testing.assert_allclose(rank_weights(np.array([3.0, 1.0, 2.0])), [0.5, -0.5, 0])
    np.testing.assert_allclose(rank_weights(np.array([5.0, 5.0, 1.0, 9.0, 9.0])), [-0.125, -0.125, -0.5, 0.375, 0.375])
    np.testing.assert_allclose(rank_weights(np.full(6, 0.3)), 0)
    rng = np.random.default_rng(0)
    for _ in range(20):
        scores = rng.integers(0, 5, rng.integers(2, 30)).astype(float)
        places = [((scores < x).sum() + ((scores == x).sum() - 1) / 2) / (len(scores) - 1) - 0.5 for x in scores]
        np.testing.assert_allclose(rank_weights(scores), places)


@pytest.mark.parametrize("adam", [False, True])
def test_the_strategy_goes_where_scores_rise(adam: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games replaced by a known landscape: its summit is found."""
    species = Species(lines_config(5, hidden=3))
    summit = np.random.default_rng(5).standard_normal(species.parameters)

    def landscape(_species: Species, cloud: Any, rivals: Any, *_: Any) -> Any:
        from tengen.train.evolution.generation import Generation

        assert len(rivals) == 2
        scores = -np.square(cloud - summit).sum(1)
        return Generation(scores, np.zeros(len(cloud)), len(cloud), len(cloud))

    monkeypatch.setattr("tengen.train.evolution.strategy.play_generation", landscape)
    settings = EvolveSettings(population=40, sigma=0.1, rate=0.05, adam=adam, rivals=2, hall=7)
    method = Strategy(species, settings, PlaySettings(), seed=1)
    method.begin_with(np.zeros(species.parameters, np.float32))
    for number in range(150):
        method.evolve(tengen.Game.parse("gomoku"), np.random.default_rng(number), share=number / 150)
    assert np.linalg.norm(method.best() - summit) < 0.25 * np.linalg.norm(summit)
    assert len(method.hall) == 7


# Runs.


@pytest.mark.parametrize("changes", [{}, S1], ids=["strategy", "s1"])
def test_killed_and_resumed_is_never_killed(changes: dict[str, Any], tmp_path: Path) -> None:
    config = small_config(**changes)
    whole = new_trainer(config, str(tmp_path / "whole"))
    whole.train()
    broken = new_trainer(config, str(tmp_path / "broken"))
    saved: list[int] = []
    save = broken.save

    class KilledError(Exception):
        pass

    def save_twice() -> Path:
        if len(saved) == 2:
            raise KilledError
        saved.append(broken.counters.generations)
        return save()

    broken.save = save_twice  # type: ignore[method-assign]
    with pytest.raises(KilledError):
        broken.train()
    resumed = resumed_trainer(str(tmp_path / "broken"))
    assert (resumed.counters.generations, saved) == (4, [2, 4])
    resumed.train()
    assert log_of(tmp_path / "broken") == log_of(tmp_path / "whole")
    assert len(log_of(tmp_path / "whole")) == 9
    for name, array in state_of(whole).items():
        assert np.array_equal(array, state_of(resumed)[name]), name
    assert whole.early is not None
    assert np.array_equal(whole.early, resumed.early)
    rungs = [line for line in log_of(tmp_path / "whole") if "ladder_random_wins" in line]
    assert [line["generations"] for line in rungs] == [3, 6, 9]
    assert all("ladder_generation_2_wins" in line for line in rungs)


def test_the_seed_makes_the_run(tmp_path: Path) -> None:
    states = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        trainer = new_trainer(small_config(run={"seed": seed, "generations": 4}), str(tmp_path / name))
        trainer.train()
        states.append(trainer.method.best())
    assert np.array_equal(states[0], states[1])
    assert not np.array_equal(states[0], states[2])


def test_a_run_begins_with_given_weights_and_stops(tmp_path: Path) -> None:
    first = new_trainer(small_config(), str(tmp_path / "first"))
    first.train()
    weights = find_net(str(tmp_path / "first"))
    second = new_trainer(small_config(run={"seed": 9}), str(tmp_path / "second"), start=str(weights))
    assert np.array_equal(second.method.best(), first.method.best())
    second.train(lambda progress: second.stop() if progress.counters.generations == 2 else None)
    assert second.counters.generations == 2
    assert second.training_facts()["played"] == first.counters.games + second.counters.games
    assert resumed_trainer(str(tmp_path / "second")).training_facts() == second.training_facts()
    with pytest.raises(ConfigError, match="another shape"):
        new_trainer(small_config(net={"hidden": 8}), str(tmp_path / "third"), start=str(weights))
    with pytest.raises(ConfigError, match="keeps its method"):
        resumed_trainer(str(tmp_path / "second"), ("net.hidden=8",))


def test_who_stops_a_run_does_not_wait_for_the_ladder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    climbs: list[int] = []
    climb = EvolutionTrainer._climb
    monkeypatch.setattr(
        EvolutionTrainer, "_climb", lambda self: climbs.append(self.counters.generations) or climb(self)
    )
    evolve = Strategy.evolve
    for at in (2, 3):  # between two climbs, and where one is due
        trainer = new_trainer(small_config(), str(tmp_path / str(at)))

        def stop_in(self: Strategy, *given: Any, trainer: Any = trainer, at: int = at, **more: Any) -> Any:
            if trainer.counters.generations == at - 1:
                trainer.stop()  # as a signal does, in the middle of a generation
            return evolve(self, *given, **more)

        monkeypatch.setattr(Strategy, "evolve", stop_in)
        assert trainer.train().generations == at
        assert climbs == []
        assert find_net(str(tmp_path / str(at))).exists()
    monkeypatch.setattr(Strategy, "evolve", evolve)
    resumed_trainer(str(tmp_path / "3"), ("run.generations=5",)).train()
    assert climbs == [5]


def test_the_early_generation_of_a_run_that_begins_with_weights(tmp_path: Path) -> None:
    first = new_trainer(small_config(), str(tmp_path / "first"))
    first.train()
    weights = str(find_net(str(tmp_path / "first")))
    second = new_trainer(small_config(run={"early": 0, "seed": 9}), str(tmp_path / "second"), start=weights)
    assert second.early is not None
    assert np.array_equal(second.early, first.method.best())


def test_the_early_generation_is_kept_as_a_net(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    trainer = new_trainer(small_config(), str(folder))
    trainer.train()
    assert trainer.early is not None
    assert not np.array_equal(trainer.early, trainer.method.best())
    played = [line["games"] for line in log_of(folder) if line["generations"] == 2]
    resumed = resumed_trainer(str(folder), ("run.generations=10",))
    for train in (lambda: None, resumed.train):  # the run, and the run that went on from its checkpoint
        train()
        net, header = load(folder / EARLY)
        assert np.array_equal(trainer.species.weights(net), trainer.early)
        assert (header.training["steps"], [header.training["played"]]) == (2, played)
    assert load(find_net(str(folder)))[1].training["steps"] == 10  # a run folder stands for its newest weights
    names = [f"evolved:net={folder}", f"evolved:net={folder / EARLY}"]
    result = CliRunner().invoke(cli, ["arena", *names, "--game", "gomoku:size=5", "--games", "4", "--quiet"])
    assert result.exit_code == 0, result.output


def test_a_run_from_before_the_early_generation_was_kept_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    new_trainer(small_config(run={"generations": 4}), str(folder)).train()
    (folder / EARLY).unlink()
    state = folder / "checkpoints" / f"{4:010d}" / "state.json"
    about = json.loads(state.read_text())
    del about["state"]["early"]
    state.write_text(json.dumps(about))
    resumed_trainer(str(folder), ("run.generations=5",)).train()
    assert load(folder / EARLY)[1].training["steps"] == 2


def test_the_rung_of_the_early_generation_has_the_name_of_what_is_there(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    new_trainer(small_config(run={"generations": 6}), str(folder)).train()
    resumed_trainer(str(folder), ("run.generations=12", "run.early=5")).train()  # too late for 5
    assert all("ladder_generation_5_wins" not in line for line in log_of(folder))
    climbs = [line["generations"] for line in log_of(folder) if "ladder_generation_2_wins" in line]
    assert climbs == [3, 6, 9, 12]


def test_a_run_of_programming_keeps_its_parents(tmp_path: Path) -> None:
    config = small_config(**merged(S1, {"run": {"generations": 2}}))
    new_trainer(config, str(tmp_path / "run")).train()
    with pytest.raises(ConfigError, match="keeps its 4 parents"):
        resumed_trainer(str(tmp_path / "run"), ("evolve.population=6",))
    strategy = new_trainer(small_config(run={"generations": 2}), str(tmp_path / "cloud"))
    strategy.train()
    resumed = resumed_trainer(str(tmp_path / "cloud"), ("evolve.population=8", "run.generations=3"))  # a cloud may grow
    assert resumed.train().generations == 3


@pytest.mark.parametrize("change", [("hidden = 4", "hidden = 5"), ('"strategy"', '"programming"')])
def test_settings_of_another_network_are_told_in_one_line(change: tuple[str, str], tmp_path: Path) -> None:
    new_trainer(small_config(run={"generations": 1}), str(tmp_path)).train()
    path = tmp_path / "config.toml"
    assert change[0] in path.read_text()
    path.write_text(path.read_text().replace(*change))
    with pytest.raises(RunError, match=r"does not fit this run: .* the network that config.toml describes$"):
        resumed_trainer(str(tmp_path))


def test_five_in_a_row_is_learned(tmp_path: Path) -> None:
    config = make_config(
        {
            "games": ["gomoku:size=9"],
            "net": {"hidden": 8},
            "play": {"games": 4, "opening_most": 2, "threads": 1},
            "evolve": {"population": 32, "rate": 0.05, "rivals": 2},
            "run": {"generations": 60, "ladder_generations": 60, "early": 5, "ladder": ["random", "greedy"], "seed": 1},
        }
    )
    trainer = new_trainer(config, str(tmp_path / "run"))
    before = trainer.score("random")
    trainer.train()
    after, greedy = trainer.score("random"), trainer.score("greedy")
    assert before.win_rate < 0.8
    assert after.win_rate > 0.95
    assert greedy.games == 100
    assert trainer.early is not None
    assert trainer.score_against(trainer.early).win_rate > 0.7
    assert trainer.score_against(trainer.method.best()).games == 100


def test_the_player_plays_what_was_bred(tmp_path: Path) -> None:
    trainer = new_trainer(small_config(), str(tmp_path / "run"))
    trainer.train()
    name = f"evolved:net={tmp_path / 'run'}"
    position = tengen.Position("gomoku:size=6", "c3b2c4d5")
    decision = tengen.player(name, seed=1).choose(position)
    planes = position.planes("s0")[None].astype(np.float32)
    mask = np.zeros((1, 36), np.bool_)
    mask[0, [int(move) for move in position.legal_moves()]] = True
    chosen = trainer.species.players(trainer.method.best()[None], seed=1).choose(planes, mask, np.zeros(1, np.int64))
    assert decision.scores[decision.move] == pytest.approx(decision.scores[position.game.moves[chosen[0]]], abs=1e-4)
    assert decision.scores[decision.move] == max(decision.scores.values())
    check_player(name, ["gomoku:size=5", "gomoku:size=6", "renju"])  # lines know every size
    net, header = load(find_net(str(tmp_path / "run")))
    export_onnx(net, header.config, tmp_path / "net.onnx", training=header.training)
    by_onnx = tengen.player(f"evolved:net={tmp_path / 'net.onnx'}", seed=1).choose(position)
    assert by_onnx.scores == pytest.approx(decision.scores, abs=1e-4)
    with pytest.raises(tengen.PlayerNameError, match="was trained by evolution, not by dqn"):
        tengen.player(f"dqn:net={tmp_path / 'run'}")
    assert not tengen.player(name).supports(tengen.Game.parse("othello"))


def test_the_net_that_ships_blocks_and_wins() -> None:
    player = tengen.player("evolved")
    for game in ("gomoku", "gomoku:size=19"):
        position = tengen.Position(game, "g8h8g7h7g6h6g5")  # white has to stop a five
        assert str(player.choose(position).move) in ("g9", "g4")
        position = tengen.Position(game, "g8a1g7a3g6a5g5a7")  # and here black makes one
        assert str(player.choose(position).move) in ("g9", "g4")
    assert str(player.choose(tengen.Position("gomoku")).move) == "h8"


@pytest.mark.parametrize(("rival", "least"), [("random", 0.95), ("greedy", 0.6)])
def test_the_net_that_ships_is_as_strong_as_the_docs_say(rival: str, least: float) -> None:
    score = play_match(["evolved", rival], "gomoku", games=50, seed=1).score
    assert score >= least


def test_the_command_line(tmp_path: Path) -> None:
    folder = str(tmp_path / "run")

    def train(*arguments: str) -> tuple[int, str]:
        changes = [
            f"run.generations={arguments[-1]}",
            "play.games=1",
            "run.ladder_generations=0",
            'games=["gomoku:size=5"]',
        ]
        options = [word for change in changes for word in ("--set", change)]
        result = CliRunner().invoke(cli, ["train", "evolution", *arguments[:-1], *options])
        return result.exit_code, result.output

    status, said = train("--preset", "evolve-15x15", "--out", folder, "2")
    assert (status, f"{2 * 64 * 3} games, 2 generations, 0." in said) == (0, True), said
    status, said = train("--resume", folder, "2")
    assert (status, "run.generations=N" in said) == (2, True), said
    status, said = train("--resume", folder, "3")
    assert (status, "3 generations" in said) == (0, True), said
    exported = str(tmp_path / "net.onnx")
    assert CliRunner().invoke(cli, ["export", folder, "--out", exported]).exit_code == 0
    played = CliRunner().invoke(
        cli, ["analyze", "c3b2", "--game", "gomoku:size=5", "--player", f"evolved:net={exported}"]
    )
    assert played.exit_code == 0, played.output


# Settings.


def test_presets_load() -> None:
    assert preset_names("evolution") == ["evolve-15x15", "s1"]
    s1 = load_preset("s1")
    assert (s1.evolve.method, s1.evolve.population, s1.evolve.tournament, s1.play.games) == ("programming", 5, 5, 5)
    assert (s1.net.kind, s1.run.generations, s1.play.opening_most) == ("s1-evolved", 1000, 0)
    assert {game.size for game in load_preset("evolve-15x15").parsed_games()} > {15}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"games": ["othello"]}, "one of Gomoku's"),
        ({"games": []}, "one of Gomoku's"),
        ({"games": ["gomoku:size=99"]}, "games: "),
        ({"net": {"kind": "s1-evolved"}}, "plays one board size"),
        ({"games": ["gomoku:size=3,win=3"], "net": {"kind": "s1-evolved"}}, "4x4 cells"),
        ({"play": {"opening_least": 3}}, "at most play.opening_most"),
        ({"play": {"opening_most": 9}}, "won already"),
        ({"evolve": {"population": 7}}, "is even"),
        ({"evolve": {"method": "programming", "population": 2, "tournament": 4}}, "less than parents and children"),
        ({"run": {"ladder": ["nobody"]}}, "there is no rival 'nobody'"),
    ],
)
def test_settings_that_cannot_be(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(tengen.TengenError, match=reason):
        small_config(**change)
