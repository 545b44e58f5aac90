"""Q-learning: what a step computes, that it learns, and that a run can be stopped anywhere."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

import tengen
from tengen import _core
from tengen.games import Game, Side
from tengen.nets import Net, build, export_onnx, load, read_header
from tengen.nets import save as save_net
from tengen.nets.shipped import find_net
from tengen.testing import check_player
from tengen.train.dqn.config import DqnConfig, LearnSettings, load_preset, make_config
from tengen.train.dqn.learner import Learner
from tengen.train.dqn.replay import Rows
from tengen.train.dqn.scouts import Scouts
from tengen.train.dqn.trainer import DqnTrainer, new_trainer, resumed_trainer
from tengen.train.dqn.values import best_moves, next_values, q_values
from tengen.train.evaluate import Score, evaluate, honest_openings
from tengen.train.run import RunError
from tengen.train.settings import ConfigError, merged, preset_names, to_dict

torch.set_num_threads(1)
CPU = torch.device("cpu")

SMALL: dict[str, Any] = {
    "game": "gomoku:size=3,win=3",
    "net": {"kind": "s0", "channels": 16},
    "play": {"games": 8, "threads": 1, "rivals": ["self"], "epsilon_games": 50, "epsilon_end": 0.2},
    "learn": {"batch": 16, "memory": 500, "least_rows": 32, "samples_per_row": 2, "target_every": 10},
    "run": {"games": 120, "device": "cpu", "save_games": 40, "log_seconds": 0, "evaluate_games": 50, "seed": 3},
}
SMALL["run"] |= {"evaluate_rival": "random", "evaluate_openings": 10}


def small_config(**changes: Any) -> DqnConfig:
    return make_config(merged(SMALL, changes))


def log_of(folder: Path) -> list[dict[str, float]]:
    timed = {"minutes", "moves_per_second", "games_per_second"}
    lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    return [{key: value for key, value in line.items() if key not in timed} for line in lines]


# Values and targets.


def random_rows(learner: Learner, count: int) -> Rows:
    config = learner.net.config
    generator = torch.Generator().manual_seed(5)
    shape = (count, config.planes, config.size, config.size)

    def draw(high: int, size: tuple[int, ...]) -> torch.Tensor:
        return torch.randint(high, size, generator=generator)

    mask = draw(3, (count, config.actions())) > 0
    mask[:, 0] = True
    signs = draw(3, (count,)).float() - 1
    planes, following = draw(2, shape).to(torch.uint8), draw(2, shape).to(torch.uint8)
    action = draw(config.actions(), (count,))
    return Rows(planes, mask, action, draw(5, (count,)).float(), 0.9 * signs, following, mask.roll(1, 0))


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize("next_mask", [False, True])
def test_targets_are_the_textbooks(double: bool, next_mask: bool) -> None:
    config = small_config(learn={"double": double, "next_mask": next_mask})
    learners = [
        Learner(config.net_config(), config.learn, config.parsed_game(), seed=seed, device=CPU) for seed in (1, 2)
    ]
    learners[0].rival = learners[1]
    for seed, learner in enumerate(learners):
        torch.manual_seed(seed + 10)
        learner.target.load_state_dict(build(config.net_config()).state_dict())
    rows = random_rows(learners[0], 40)
    found = learners[0]._targets(rows)
    for i in range(40):
        scale = float(rows.scale[i])
        whose = learners[1] if scale < 0 else learners[0]
        with torch.no_grad():
            rated = whose.target(rows.next_planes[i : i + 1]).policy[0]
            chooser = whose.net.eval()(rows.next_planes[i : i + 1]).policy[0] if double else rated
        legal = [a for a in range(9) if rows.next_mask[i, a] or not next_mask]
        best = max(legal, key=lambda action: float(chooser[action]))
        assert float(found[i]) == pytest.approx(float(rows.reward[i]) + scale * float(rated[best]), abs=1e-5)


KINDS = {
    "tengen": ("gomoku:size=7", 8),
    "tengen-othello": ("othello:size=6", 8),
    "s0": ("gomoku:size=7", 8),
    "s1": ("gomoku:size=7", 3),
    "s2": ("othello:size=6", 12),
}


def opinionated(kind: str, dueling: bool, *, seed: int = 0) -> Net:
    """A network of a kind that says something, made of settings as a run makes it."""
    game, channels = KINDS[kind]
    net = {"kind": kind.partition("-")[0], "blocks": 1, "channels": channels, "dueling": dueling}
    torch.manual_seed(seed)
    made = build(small_config(game=game, net=net).net_config()).eval()
    for parameter in made.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    return made


def values_by_hand(net: Net, planes: torch.Tensor, mask: torch.Tensor) -> list[list[float]]:
    """Q of each move, position by position: V + A - max A over what is legal, or the policy itself."""
    with torch.no_grad():
        said = net(planes)
    found = []
    for i in range(len(planes)):
        moves = said.policy[i].tolist()
        if net.config.dueling:
            worth = said.value[i].item() if said.wdl is None else (said.wdl[i].softmax(0) @ torch.tensor([1.0, 0, -1]))
            best = max(move for move, legal in zip(moves, mask[i].tolist(), strict=True) if legal)
            moves = [float(worth) + move - best for move in moves]
        found.append(moves)
    return found


@pytest.mark.parametrize("dueling", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_dueling_is_a_setting_of_every_network(kind: str, dueling: bool) -> None:
    net = opinionated(kind, dueling)
    config = net.config
    planes = torch.randint(2, (6, config.planes, config.size, config.size)).to(torch.uint8)
    mask = torch.rand(6, config.actions()) > 0.5
    values, expected = q_values(net, planes, mask), torch.tensor(values_by_hand(net, planes, mask))
    assert torch.allclose(values, expected, atol=1e-4)
    legal = expected.masked_fill(~mask, -1e9)
    assert best_moves(values, mask).equal(legal.argmax(1))
    assert torch.allclose(next_values(net, net, planes, mask, double=True), legal.amax(1), atol=1e-4)


def test_the_best_move_is_a_legal_one_whatever_it_is_worth() -> None:
    mask = torch.tensor([[False, True, True, False]] * 4)
    hopeless = [-torch.inf, -1e12, torch.nan, torch.inf]
    values = torch.tensor([[worth] * 4 for worth in hopeless])
    assert best_moves(values, mask).tolist() == [1] * 4


@pytest.mark.parametrize("dueling", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_torch_onnx_and_the_player_agree(kind: str, dueling: bool, tmp_path: Path) -> None:
    net, game = opinionated(kind, dueling), KINDS[kind][0]
    training = {"method": "dqn", "games": [game], "reward": "s0"}
    save_net(tmp_path / "net.safetensors", net, net.config, training=training)
    export_onnx(net, net.config, tmp_path / "net.onnx", training=training)
    players = [tengen.player(f"dqn:net={tmp_path / name}") for name in ("net.safetensors", "net.onnx")]
    assert read_header(tmp_path / "net.onnx").config == net.config
    rng, position = random.Random(1), tengen.Position(game)
    position.play(rng.choice(position.legal_moves()))  # on an empty board not all are considered
    for _ in range(12):
        planes = torch.from_numpy(rating_planes(net.config.encoding, position))
        [expected] = values_by_hand(net, planes, torch.from_numpy(position.legal_mask())[None])
        for player in players:
            ratings = player.rate(position)
            assert {rating.move for rating in ratings} == set(position.legal_moves())
            assert [rating.score for rating in ratings] == pytest.approx(
                [expected[rating.move] for rating in ratings], abs=1e-3
            )
            assert player.choose(position).move == ratings[0].move
        position.play(rng.choice(position.legal_moves()))


@pytest.mark.parametrize("dueling", [False, True])
@pytest.mark.parametrize("kind", ["tengen", "s0"])
def test_both_heads_learn_what_moves_are_worth(kind: str, dueling: bool) -> None:
    """Of each of 30 positions one move that wins and one that loses, drawn from the memory: values come out so."""
    net = {"kind": kind, "blocks": 1, "channels": 16, "dueling": dueling}
    config = small_config(game="gomoku:size=5", net=net, learn={"symmetry": False, "batch": 60, "rate": 3e-3})
    learner = Learner(config.net_config(), config.learn, config.parsed_game(), seed=1, device=CPU)
    rows = random_rows(learner, 30)
    actions = rows.mask.float().topk(2, dim=1).indices  # two legal ones
    for column, reward in enumerate((1.0, -1.0)):
        worth = torch.full((30,), reward)
        learner.replay.add(rows._replace(action=actions[:, column], reward=worth, scale=torch.zeros(30)))
    for _ in range(150):
        learner.learn(config.learn.rate, 0.0)
    with torch.no_grad():
        values = q_values(learner.net.eval(), rows.planes, rows.mask).gather(1, actions)
    assert values.mean(0).tolist() == pytest.approx([1, -1], abs=0.25)
    assert (values[:, 0] > values[:, 1] + 1).all()


def rating_planes(encoding: str, position: tengen.Position) -> NDArray[np.uint8]:
    if encoding in ("s0", "s2"):
        return position.planes(encoding)[None].astype(np.uint8)
    return np.asarray(_core.net_planes(position.core, encoding), np.uint8)[None]


def test_dueling_is_left_to_the_kind_unless_said() -> None:
    """So that presets, and runs from before there was such a setting, mean what they did."""
    for name in preset_names("dqn"):
        config = load_preset(name)
        assert "dueling" not in to_dict(config)["net"]
        assert config.net_config().dueling == (config.net.kind == "tengen")
    assert load_preset("s0", ["net.dueling=true"]).net_config().dueling
    assert not load_preset("dqn-7x7", ["net.kind=s0", "net.channels=128"]).net_config().dueling


def test_dueling_is_part_of_the_shape(tmp_path: Path) -> None:
    new_trainer(small_config(net={"dueling": True}), str(tmp_path / "run")).train()
    header = read_header(find_net(str(tmp_path / "run")))
    assert header.config == small_config(net={"dueling": True}).net_config()
    with pytest.raises(ConfigError, match="keeps the shape"):
        resumed_trainer(str(tmp_path / "run"), ("net.dueling=false",))
    with pytest.raises(ConfigError, match=r"for 3x3, dueling, not .* for 3x3$"):
        new_trainer(small_config(), str(tmp_path / "other"), start=str(find_net(str(tmp_path / "run"))))


def test_turning_a_row_keeps_its_meaning() -> None:
    config = small_config(game="othello:size=6", net={"kind": "tengen", "blocks": 1, "channels": 8})
    learner = Learner(config.net_config(), config.learn, config.parsed_game(), seed=1, device=CPU)
    count = 64
    action = torch.arange(count) % 37
    planes = torch.zeros(count, 5, 36, dtype=torch.uint8)
    on_board = action < 36
    planes[on_board, 1, action[on_board]] = 1  # the action is marked, so that it can be found again
    planes = planes.view(count, 5, 6, 6)
    mask = torch.zeros(count, 37, dtype=torch.bool)
    mask[torch.arange(count), action] = True
    rows = Rows(planes, mask, action, action.float(), action.float(), planes.clone(), mask)
    turned = learner._turned(rows)
    flat = turned.planes.flatten(2)[:, 1]
    assert (turned.action == 36).equal(action == 36)
    assert flat[on_board, turned.action[on_board]].all()
    assert turned.next_mask[torch.arange(count), turned.action].all()
    assert turned.mask.equal(turned.next_mask)
    assert turned.next_planes.equal(turned.planes)
    assert len({tuple(row.tolist()) for row in flat[action == 1]}) > 1


# Runs.


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"learn": {"steps": 3, "priority": 0.6, "average": 0.9, "double": False}},
        {
            "game": "gomoku:size=5",
            "net": {"kind": "tengen", "blocks": 1, "channels": 8},
            "play": {"rivals": ["greedy"]},
        },
        {"game": "othello:size=6", "net": {"kind": "s2", "channels": 12, "pair": True}},
        {"game": "gomoku:size=5", "net": {"kind": "s1", "channels": 3}, "play": {"reward": "s1"}},
        {"net": {"dueling": True}, "play": {"margin": 0}},
        {"net": {"kind": "tengen", "blocks": 1, "channels": 8, "dueling": False}},
        {
            # So few games, of so many moves, that scouts go back between two checkpoints: nobody wins often there.
            "game": "gomoku:size=4,win=4",
            "play": {
                "games": 2,
                "rivals": ["greedy", "self"],
                "explore": "threats",
                "scouts": 40,
                "scout_lead": 2,
                "side": "black",
            },
            "learn": {"won_share": 0.25, "imitate": 0.5},
            "run": {"games": 70, "save_games": 20},
        },
    ],
    ids=["plain", "options", "tengen", "s2", "s1", "dueling", "tengen-plain", "scouts"],
)
def test_killed_and_resumed_is_never_killed(
    changes: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    went_back: list[int] = []
    sent_back = Scouts._sent_back

    def watched(scouts: Scouts) -> list[Scouts]:
        went_back.append(len(groups := sent_back(scouts)))
        return groups

    monkeypatch.setattr(Scouts, "_sent_back", watched)
    config = small_config(**changes)
    whole = new_trainer(config, str(tmp_path / "whole"))
    whole.train()
    # Killed after the second checkpoint: what comes after it is lost, and played again.
    broken = new_trainer(config, str(tmp_path / "broken"))
    saved: list[int] = []
    save = broken.save

    class KilledError(Exception):
        pass

    def save_twice() -> Path:
        if len(saved) == 2:
            raise KilledError
        saved.append(broken.counters.games)
        return save()

    broken.save = save_twice  # type: ignore[method-assign]
    with pytest.raises(KilledError):
        broken.train()
    resumed = resumed_trainer(str(tmp_path / "broken"))
    assert resumed.counters.games == saved[-1]
    went_back.clear()
    resumed.train()
    assert any(went_back) == bool(config.play.scouts)
    assert log_of(tmp_path / "broken") == log_of(tmp_path / "whole")
    for mine, theirs in zip(whole.learners, resumed.learners, strict=True):
        for a, b in zip(mine.net.state_dict().values(), theirs.net.state_dict().values(), strict=True):
            assert torch.equal(a, b)


def test_a_run_begins_with_given_weights(tmp_path: Path) -> None:
    first = new_trainer(small_config(), str(tmp_path / "first"))
    first.train()
    weights = find_net(str(tmp_path / "first"))
    second = new_trainer(small_config(run={"seed": 9}), str(tmp_path / "second"), start=str(weights))
    for name, tensor in first.learners[0].average.state_dict().items():
        assert torch.equal(tensor, second.learners[0].net.state_dict()[name])
    second.train()
    assert second.training_facts()["played"] == first.counters.games + second.counters.games
    assert resumed_trainer(str(tmp_path / "second")).training_facts()["played"] == second.training_facts()["played"]
    with pytest.raises(ConfigError, match="another shape"):
        new_trainer(small_config(net={"channels": 8}), str(tmp_path / "third"), start=str(weights))


def test_tic_tac_toe_is_learned(tmp_path: Path) -> None:
    # Of sixteen runs about one still loses a game; which, is up to how the processor rounds. So there is another try:
    # on one kind of processor always the same number of them.
    for seed in (1, 2, 3):
        trainer = new_trainer(tic_tac_toe(seed), str(tmp_path / f"run{seed}"))
        trainer.train()
        player = tengen.player(f"dqn:net={tmp_path / f'run{seed}'}")
        lost = lost_games(player, Side.BLACK) + lost_games(player, Side.WHITE)
        if not lost:
            break
    assert lost == []
    openings = [[first] for first in range(9)]
    scores = [score for seed in range(20) for score in trainer.scores(openings, rival="random", seed=seed).values()]
    assert sum(score.wins for score in scores) > 0.6 * sum(score.games for score in scores)


def tic_tac_toe(seed: int) -> DqnConfig:
    """A run that learns it in a quarter of a minute of one core."""
    return make_config(
        {
            "game": "gomoku:size=3,win=3",
            "net": {"kind": "s0", "channels": 32},
            # Half of the moves explore to the end: else positions that come of a slip are met too seldom.
            "play": {"games": 32, "threads": 1, "opening_plies": 1, "epsilon_games": 500, "epsilon_end": 0.5},
            "learn": {
                "batch": 64,
                "rate": 2e-3,
                "rate_end": 0.02,
                "average": 0.995,
                "priority": 0.6,
                "target_every": 100,
                "memory": 20000,
                "least_rows": 500,
                "samples_per_row": 5,
            },
            "run": {
                "games": 10_000,  # and no minutes: how busy the machine is changes nothing
                "device": "cpu",
                "evaluate_games": 0,
                "save_games": 10**6,
                "seed": seed,
            },
        }
    )


def lost_games(player: tengen.Player, side: Side) -> list[str]:
    """The games that ``player`` loses, whatever its rival plays: each position once."""
    lost, seen, left = [], set(), [tengen.Position("gomoku:size=3,win=3")]
    while left:
        position = left.pop()
        outcome = position.outcome()
        if outcome is not None:
            lost += [" ".join(map(str, position.moves))] if outcome.winner is side.other else []
        elif (board := position.board().tobytes()) not in seen:
            seen.add(board)
            mine = position.to_move is side
            for move in [player.choose(position).move] if mine else position.legal_moves():
                left.append(position.copy())
                left[-1].play(move)
    return lost


def test_the_player_plays_what_was_learned(tmp_path: Path) -> None:
    trainer = new_trainer(small_config(game="gomoku:size=5"), str(tmp_path / "run"))
    trainer.train()
    player = tengen.player(f"dqn:net={tmp_path / 'run'}")
    position = tengen.Position("gomoku:size=5", "c3b2")
    decision = player.choose(position)
    planes = position.planes("s0")[None].astype(np.uint8)
    mask = np.zeros((1, 25), bool)
    mask[0, [int(move) for move in position.legal_moves()]] = True
    assert int(decision.move) == trainer.choose(planes, mask, np.array([0], np.uint8), final=True)[0]
    assert set(decision.scores) == set(position.legal_moves())
    check_player(f"dqn:net={tmp_path / 'run'}", ["gomoku:size=5"])
    check_player(f"dqn:net={tmp_path / 'run'},epsilon=0.5", ["gomoku:size=5"])
    exported = tmp_path / "net.onnx"
    net, header = load(find_net(str(tmp_path / "run")))
    export_onnx(net, header.config, exported, training=header.training)
    by_onnx = tengen.player(f"dqn:net={exported}").choose(position)
    assert by_onnx.move == decision.move
    assert by_onnx.scores == pytest.approx(decision.scores, abs=1e-5)
    assert not player.supports(Game.parse("gomoku"))
    with pytest.raises(tengen.TengenError, match="no net for renju is shipped"):
        tengen.player("dqn").choose(tengen.Position("renju"))
    assert max(decision.scores, key=lambda move: decision.scores[move]) == decision.move


@pytest.mark.parametrize("margin", [-1, 1])
def test_the_player_keeps_to_the_margin_of_its_run(margin: int, tmp_path: Path) -> None:
    config = small_config(game="gomoku:size=7", play={"margin": margin}, run={"games": 8, "evaluate_games": 0})
    trainer = new_trainer(config, str(tmp_path / "run"))
    trainer.train()
    net, header = load(find_net(str(tmp_path / "run")))
    assert header.training.get("margin", -1) == margin
    export_onnx(net, header.config, tmp_path / "net.onnx", training=header.training)
    for name in (f"dqn:net={tmp_path / 'run'}", f"dqn:net={tmp_path / 'net.onnx'}"):
        ratings = tengen.player(name).rate(tengen.Position("gomoku:size=7", "a1b1"))
        assert len(ratings) == (47 if margin < 0 else 2 * 3 - 2)


def test_the_nets_that_ship_are_played_without_a_name() -> None:
    position = tengen.Position("gomoku", "g8h8g7h7g6h6g5")  # white has to stop a five
    assert tengen.player("dqn").choose(position).move in {position.game.move("g9"), position.game.move("g4")}
    decision = tengen.player("dqn").choose(tengen.Position("othello"))
    assert len(decision.scores) == 4
    assert decision.value == max(decision.scores.values())
    # All first moves are alike but for the turn of the board.
    assert max(decision.scores.values()) - min(decision.scores.values()) < 0.1


# Evaluation.


def test_an_evaluation_is_honest() -> None:
    game = Game.parse("gomoku:size=7")
    openings = honest_openings(game, 200)
    assert len({tuple(opening) for opening in openings}) == 200
    assert all(1 <= place <= 5 for opening in openings for action in opening for place in divmod(action, 7))
    assert honest_openings(game, 200) == openings
    assert len(honest_openings(game, 1000)) == 600
    assert len({tuple(o) for o in honest_openings(Game.parse("othello"), 100)}) == 100
    few = honest_openings(Game.parse("othello:size=4"), 10**9)  # more than there are: it ends all the same
    assert len({tuple(o) for o in few}) == len(few) > 100

    def first(planes: np.ndarray, mask: np.ndarray, sides: np.ndarray) -> np.ndarray:
        return mask.argmax(1).astype(np.int64)

    for side in ("black", "white"):
        score = evaluate(first, game, "greedy", openings[:50], encoding="s0", side=side)
        assert score.games == 50
        assert score.losses > 40
        assert 8 < score.length < 40
        assert score.reward == pytest.approx((score.wins - score.losses) / 50)


def test_intervals() -> None:
    low, high = Score(95, 0, 5).interval()
    assert (round(low, 3), round(high, 3)) == (0.888, 0.978)  # Wilson's, from a table
    assert Score(10, 0, 0).interval()[1] == pytest.approx(1)


def test_s0s_own_evaluation_meets_the_rival_that_is_learned_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    met: list[tuple[str, str, int]] = []

    def note(choose: Any, game: Any, rival: str, openings: Any, *, side: str, **_: Any) -> Score:
        met.append((rival, side, len(openings[0])))
        return Score(len(openings), 0, 0)

    monkeypatch.setattr("tengen.train.dqn.trainer.evaluate", note)
    rivals = {"play": {"rivals": ["self", "greedy", "random"]}, "run": {"evaluate_first": 7, "games": 20}}
    new_trainer(small_config(**rivals), str(tmp_path / "run")).train()
    assert set(met) == {("random", "black", 2), ("random", "white", 2), ("greedy", "black", 1)}


def test_an_evaluation_has_intervals_in_the_log_and_at_the_end(tmp_path: Path) -> None:
    trainer = new_trainer(small_config(run={"evaluate_first": 7}), str(tmp_path / "run"))
    trainer.train()
    rows = [line for line in log_of(tmp_path / "run") if "evaluate_black_wins" in line]
    assert len(rows) > 1
    for row in rows:
        for side, games in (("black", 10), ("white", 10), ("first", 7)):
            wins = round(row[f"evaluate_{side}_wins"] * games)
            expected = Score(wins, 0, games - wins).interval()
            assert (row[f"evaluate_{side}_low"], row[f"evaluate_{side}_high"]) == pytest.approx(expected, abs=1e-5)
    said = trainer.summary().splitlines()
    last = {key: rows[-1][f"evaluate_black_{key}"] for key in ("wins", "low", "high")}
    words = f"black {last['wins']:.1%} ({last['low']:.1%} to {last['high']:.1%}), white "
    assert [line for line in said if words in line] == [said[1]]
    assert said[1].startswith("wins against random: ")
    unrated = new_trainer(small_config(run={"evaluate_games": 0}), str(tmp_path / "unrated"))
    unrated.train()
    assert "wins against" not in unrated.summary()


# Settings.


@pytest.mark.parametrize("name", preset_names("dqn"))
def test_presets_make_runs(name: str) -> None:
    assert isinstance(load_preset(name), DqnConfig)
    DqnTrainer(load_preset(name, ["play.games=4", "learn.memory=100", "run.device=cpu", "run.evaluate_openings=4"]))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"game": "chess"}, "game: "),
        ({"game": "othello"}, "kind s0 plays Gomoku"),
        ({"net": {"kind": "s2"}}, "kind s2 plays Othello"),
        ({"play": {"rivals": []}}, "one rival at least"),
        ({"play": {"weights": [1.0, 2.0]}}, "as many numbers"),
        ({"learn": {"gamma": 2.0}}, "learn.gamma is 0 to 1"),
        ({"play": {"opening_least": 3}}, "opening_least is at most"),
        ({"play": {"scouts": 8}}, "both 0 or both above"),
        ({"play": {"scouts": 8}, "learn": {"won_share": 0.2}}, "a rival other than self"),
        ({"play": {"rivals": ["greedy", "greedy"]}}, "a rival twice"),
        ({"learn": {"imitate": 0.1}}, "needs play.scouts"),
        ({"run": {"evaluate_rival": "self"}}, "somebody else"),
        ({"run": {"seed": 10**30}}, "run.seed is 0 to"),
        ({"game": "othello", "net": {"kind": "s2"}, "play": {"explore": "threats"}}, "for Gomoku alone"),
        ({"run": {"evaluate_openings": 601}}, "at most 600 in Gomoku"),
    ],
)
def test_nonsense_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        small_config(**changes)


@pytest.mark.parametrize(
    ("play", "worth"),
    [
        ({"reward_scale": 1.5}, "1.5"),
        ({"reward": "s0"}, "2666.67"),
        ({"reward": "s0", "reward_scale": 0.001}, "2.66667"),
        ({"reward": "s1"}, "3.33333"),
    ],
)
def test_rewards_beyond_a_bounded_value_are_refused(play: dict[str, Any], worth: str) -> None:
    """Only Tengen's dueling networks are bounded; what the others learn, and what is in reach, is let be."""
    own, learn = {"kind": "tengen", "blocks": 1, "channels": 8}, {"gamma": 0.7}
    said = rf"values no move above 1, .* may be worth {worth}: set net.dueling=false"
    with pytest.raises(ConfigError, match=said):
        small_config(net=own, play=play, learn=learn)
    for net in ({**own, "dueling": False}, {"kind": "s0"}, {"kind": "s0", "dueling": True}):
        small_config(net=net, play=play, learn=learn)
    for scale, reward in ((1.0, "win"), (0.3, "s1"), (3e-4, "s0")):
        small_config(net=own, play={"reward": reward, "reward_scale": scale}, learn=learn)


def test_rivals_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(tengen.TengenError, match="rival"):
        new_trainer(small_config(play={"rivals": ["stockfish"]}), str(tmp_path / "run"))
    for rival in ("stockfish", "minimax:depth=9"):
        with pytest.raises(ConfigError, match=r"run.evaluate_rival: "):
            new_trainer(small_config(run={"evaluate_rival": rival}), str(tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_a_checkpoint_that_does_not_fit_loses_nothing(tmp_path: Path) -> None:
    new_trainer(small_config(), str(tmp_path)).train()
    before = {path: path.read_bytes() for path in sorted(tmp_path.glob("checkpoints/*/*"))}
    log = (tmp_path / "metrics.jsonl").read_bytes()
    with pytest.raises(RunError, match="does not fit this run"):
        resumed_trainer(str(tmp_path), ("learn.memory=20", "learn.least_rows=5"))
    assert {path: path.read_bytes() for path in sorted(tmp_path.glob("checkpoints/*/*"))} == before
    assert (tmp_path / "metrics.jsonl").read_bytes() == log


def test_small_boards_have_openings_too() -> None:
    run = {"evaluate_openings": 50, "evaluate_rival": "random"}
    config = make_config({"game": "othello:size=4", "net": {"kind": "s2", "channels": 12}, "run": run})
    trainer = DqnTrainer(config)
    openings = honest_openings(trainer.game, 50)
    assert openings
    assert all(score.games == len(openings) for score in trainer.scores(openings, rival="random").values())


def test_a_learner_starts_from_its_seed() -> None:
    config = small_config().net_config()
    nets = [
        Learner(config, LearnSettings(memory=10), Game.parse("gomoku:size=3,win=3"), seed=s, device=CPU).net
        for s in (1, 1, 2)
    ]
    first, again, other = (torch.cat([p.flatten() for p in net.parameters()]) for net in nets)
    assert torch.equal(first, again)
    assert not torch.equal(first, other)
