"""What a network that rates moves (Q) says of each, in ``tengen analyze`` and while playing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("torch")

import torch

import tengen
from tengen.nets import NetConfig, build, s1_config, s2_config, save

Make = Callable[..., str]
GOMOKU = s1_config(5)
FIVE = "gomoku:size=5"


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Write a small net, or one for each colour, and return the player by it; ``facts`` are those of its training."""

    def write(config: NetConfig, *, pair: bool = False, **facts: object) -> str:
        names = ("net-black", "net-white") if pair else ("net",)
        for seed, name in enumerate(names):
            torch.manual_seed(seed)
            net = build(config)
            torch.nn.init.normal_(net.policy.weight, std=1.0)
            save(tmp_path / f"{name}.safetensors", net, config, training={"method": "dqn", **facts})
        return f"dqn:net={tmp_path / names[0]}.safetensors"

    return write


def analyzed(invoke, *arguments: str) -> list[dict[str, object]]:
    result = invoke("analyze", *arguments, "--json")
    assert result.exit_code == 0, result.stderr
    data = json.loads(result.stdout)
    assert (data["depth"], data["nodes"]) == (0, 1)
    return data["lines"]


def test_every_legal_move_has_a_line_best_first(invoke, make):
    name = make(GOMOKU, reward="win")
    position = tengen.Position(FIVE, "c3b2")
    lines = analyzed(invoke, "c3b2", "--game", FIVE, "--player", name)
    decision = tengen.player(name).choose(position)
    assert {line["moves"][0]: line["score"] for line in lines} == {
        str(move): score for move, score in decision.scores.items()
    }
    scores = [line["score"] for line in lines]
    assert len(lines) == 23
    assert scores == sorted(scores, reverse=True)
    assert lines[0]["moves"] == [str(decision.move)]
    assert set(lines[0]) == {"moves", "depth", "value", "score", "proof", "distance"}
    assert analyzed(invoke, "c3b2", "--game", FIVE, "--player", name, "--lines", "2") == lines[:2]
    shown = invoke("analyze", "c3b2", "--game", FIVE, "--player", name).stdout.splitlines()
    assert len(shown) == len(str(position).splitlines()) + 1 + 23
    assert re.fullmatch(rf" 1 +0 +[+-]\d\.\d+ +{re.escape(f'{scores[0]:+.3f}')} +{decision.move}", shown[-23])


@pytest.mark.parametrize(
    ("facts", "worth"),
    [
        ({"reward": "win"}, lambda q: max(-1, min(1, q))),
        ({}, lambda q: max(-1, min(1, q))),
        ({"reward": "win", "reward_scale": 50.0}, lambda q: q / 50),
        ({"reward": "s1"}, lambda q: None),
        ({"reward": "win", "reward_scale": 0}, lambda q: None),
    ],
    ids=["win", "unsaid", "scaled", "shaped", "nonsense"],
)
def test_values_are_of_winning_whatever_the_rewards_were(invoke, make, facts, worth):
    name = make(GOMOKU, **facts)
    lines = analyzed(invoke, "c3b2", "--game", FIVE, "--player", name)
    assert any(line["score"] > 1 for line in lines)
    for line in lines:
        assert line["value"] == (None if worth(0) is None else pytest.approx(worth(line["score"])))
    assert tengen.player(name).choose(tengen.Position(FIVE, "c3b2")).value == lines[0]["value"]
    assert invoke("analyze", "c3b2", "--game", FIVE, "--player", name).exit_code == 0


def test_each_colour_of_a_pair_has_values_of_its_own(invoke, make, moves_to_a_pass):
    # The board is the same to both networks of S2, but for who moves.
    name = make(s2_config(4), pair=True)
    for count in range(4):
        moves = moves_to_a_pass[:count]
        lines = analyzed(invoke, "".join(moves), "--game", "othello:size=4", "--player", name)
        position = tengen.Position("othello:size=4", moves)
        net, _ = tengen.nets.load(name.partition("=")[2].replace("black", str(position.to_move)))
        with torch.no_grad():
            rated = net(torch.from_numpy(position.planes("s2"))[None]).policy[0]
        assert {line["moves"][0]: line["score"] for line in lines} == pytest.approx(
            {str(move): float(rated[move]) for move in position.legal_moves()}, abs=1e-5
        )
    before_pass = "".join(moves_to_a_pass[:-1])
    (only,) = analyzed(invoke, before_pass, "--game", "othello:size=4", "--player", name)
    assert only["moves"] == ["pass"]


def test_a_net_that_learned_near_the_stones_is_asked_about_these_alone(invoke, make):
    name = make(s1_config(7), reward="s1", margin=1)
    lines = analyzed(invoke, "a1b2", "--game", "gomoku:size=7", "--player", name)
    near = {f"{column}{row}" for column in "abc" for row in (1, 2, 3)} - {"a1", "b2"}
    assert {line["moves"][0] for line in lines} == near
    assert len(analyzed(invoke, "a1b2", "--game", "gomoku:size=7", "--player", make(s1_config(7)))) == 47


def test_values_are_shown_at_the_prompt(invoke, make):
    name = make(GOMOKU, reward="s1")
    result = invoke("play", "--terminal", "--game", FIVE, "--white", name, "--seed", "1", typed="c3\nvalues\nquit\n")
    moves = re.search(r"^moves: (\w+)$", result.stdout, re.MULTILINE)[1]
    said = result.stdout.split("black> ")[2]
    shown = re.findall(r"([a-e]\d) +([+-]\d+\.\d{3})", said)
    ratings = tengen.player(name).rate(tengen.Position(FIVE, moves))
    assert shown == [(str(rating.move), f"{rating.score:+.3f}") for rating in ratings]
    assert max(map(len, said.splitlines())) <= 80


def test_of_many_values_the_best_are_shown(invoke):
    said = invoke("play", "--terminal", "--white", "dqn", typed="h8\nvalues\nquit\n").stdout.split("black> ")[2]
    assert len(re.findall(r"[a-o]\d+ +[+-]\d+\.\d{3}", said)) == 32
    assert f"and {225 - 2 - 32} worse ones" in said


def test_values_need_a_player_that_has_them(invoke):
    result = invoke("play", "--terminal", "--game", FIVE, "--white", "random", typed="values\nvalues now\nquit\n")
    assert "nobody here rates moves; a dqn player does" in result.stdout
    assert "values takes nothing after it" in result.stdout
    opening = invoke("play", "--terminal", "--opening", "swap2", "--white", "random", typed="values\nquit\n")
    assert "there are no values in the opening" in opening.stdout
