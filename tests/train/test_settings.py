"""Settings: TOML in and out, and what is said of those that cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from tengen.train.alphazero.config import AlphaZeroConfig, load_preset, make_config
from tengen.train.settings import (
    ConfigError,
    changed,
    described,
    from_dict,
    merged,
    parse_assignment,
    preset_names,
    read_toml,
    to_dict,
    to_toml,
)


def test_the_presets_that_were_promised_are_there() -> None:
    assert {"s3", "s4", "laptop-8x8", "gpu-15x15", "renju", "othello"} <= set(preset_names("alphazero"))


@pytest.mark.parametrize("name", preset_names("alphazero"))
def test_presets_are_valid_and_survive_toml(name: str, tmp_path: Path) -> None:
    config = load_preset(name)
    path = tmp_path / "config.toml"
    path.write_text(to_toml(to_dict(config)), "utf-8")
    assert from_dict(AlphaZeroConfig, read_toml(path)) == config
    assert load_preset(str(path)) == config
    assert from_dict(AlphaZeroConfig, changed(config)) == config  # nothing but defaults is left out
    assert config.net_config().size == max(game.size for game in config.parsed_games())


def test_the_presets_of_the_sources_are_the_sources() -> None:
    s3, s4 = load_preset("s3"), load_preset("s4")
    assert (s3.selfplay.full_visits, s3.learn.window, s3.learn.schedule) == (400, 10_000, "kl")
    assert (s4.selfplay.full_visits, s4.net.blocks, s4.net.channels, s4.learn.batch) == (1000, 7, 256, 512)
    assert (s4.run.gate_games, s4.run.gate_score, s4.run.gate_every) == (10, 0.55, 250)
    assert s4.selfplay.noise_total == pytest.approx(0.06 * 225)


def test_toml_keeps_what_is_hard_to_write() -> None:
    config = make_config(
        {
            "games": ["gomoku:size=9", "gomoku:size=7,rule=standard"],
            "weights": [1, 2.5],
            "learn": {"rate": 1e-07, "symmetry": False, "rate_steps": [[0.0, 1.0], [0.5, 1e-3]]},
        }
    )
    assert from_dict(AlphaZeroConfig, _through_toml(config)) == config


def _through_toml(config: AlphaZeroConfig) -> dict[str, object]:
    import tomllib

    return tomllib.loads(to_toml(to_dict(config)))


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"nets": {}}, "there is no setting 'nets'; there are games, weights, net"),
        ({"learn": {"batches": 3}}, "there is no setting 'learn.batches'; there are learn.batch, learn.rate"),
        ({"learn": 3}, "learn is a section, not 3"),
        ({"learn": {"batch": 2.5}}, r"learn.batch is a whole number, not 2.5"),
        ({"learn": {"batch": True}}, "learn.batch is a whole number, not True"),
        ({"learn": {"rate": "fast"}}, "learn.rate is a number, not 'fast'"),
        ({"learn": {"symmetry": 1}}, "learn.symmetry is true or false, not 1"),
        ({"learn": {"schedule": "cosine"}}, "learn.schedule is one of steps, kl, constant, not 'cosine'"),
        ({"learn": {"schedule": 1}}, "learn.schedule is a word, not 1"),
        ({"learn": {"batch": 1}}, "learn.batch is 2 to 65536, not 1"),
        ({"learn": {"rate": float("nan")}}, "learn.rate is 0 to 10, not nan"),
        ({"run": {"minutes": -1}}, "run.minutes is 0 or more, not -1"),
        ({"run": {"rate_games": 1}}, "run.rate_games is 2 to 1000, not 1"),
        ({"games": "gomoku"}, "games is a list of words, such as .*, not 'gomoku'"),
        ({"games": []}, "games names one game at least"),
        ({"games": [7]}, r"games is a list of words, such as .*, not \[7\]"),
        ({"games": [["gomoku"]]}, "games is a list of words"),
        ({"games": ["chess"]}, "games: .*chess"),
        ({"games": ["gomoku", "othello"]}, "games are all Gomoku, or one Othello"),
        ({"games": ["othello", "othello:size=6"]}, "games are all Gomoku, or one Othello"),
        ({"games": ["othello:size=10"]}, "networks play Othello on 6x6 and 8x8"),
        ({"games": ["gomoku:size=4,win=4"]}, "networks play five in a row"),
        ({"games": ["gomoku", "gomoku:size=9"], "net": {"kind": "s4"}}, "a network of kind s4 knows one board size"),
        ({"weights": [1.0, 2.0]}, "weights are as many positive numbers"),
        ({"weights": [0.0]}, "weights are as many positive numbers"),
        ({"weights": ["a"]}, "weights is a list of numbers, not"),
        ({"weights": [True]}, "weights is a list of numbers, not"),
        ({"learn": {"rate_steps": [[0.5]]}}, r"learn.rate_steps is a list of pairs"),
        ({"learn": {"rate_steps": [["a", 1.0]]}}, "learn.rate_steps is a list of lists of numbers, not"),
        ({"learn": {"rate_steps": [0.5, 1.0]}}, "learn.rate_steps is a list of lists of numbers, not"),
        ({"selfplay": {"opening_least": 5, "opening_most": 2}}, "opening_least is more than selfplay.opening_most"),
    ],
)
def test_what_cannot_be_is_refused(values: dict[str, object], says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        make_config(values)


def test_assignments() -> None:
    assert parse_assignment("learn.batch=512") == {"learn": {"batch": 512}}
    assert parse_assignment(" run.device = cuda:1") == {"run": {"device": "cuda:1"}}
    assert parse_assignment("games=['othello']") == {"games": ["othello"]}
    assert parse_assignment("a.b.c=true") == {"a": {"b": {"c": True}}}
    config = load_preset("laptop-8x8", ["learn.batch=64", "run.device=cpu", "learn.batch=128"])
    assert (config.learn.batch, config.run.device) == (128, "cpu")
    for text in ("learn.batch", "=3", ""):
        with pytest.raises(ConfigError, match="is not NAME=VALUE, such as"):
            parse_assignment(text)
    with pytest.raises(ConfigError, match=r"there is no setting 'learn.size'"):
        load_preset("s3", ["learn.size=3"])


def test_what_is_changed() -> None:
    assert changed(AlphaZeroConfig()) == {}
    usual = to_dict(AlphaZeroConfig())
    config = make_config({"net": {"channels": 48, "blocks": usual["net"]["blocks"]}})
    assert changed(config) == {"net": {"channels": 48}}


def test_merging_leaves_its_parts_alone() -> None:
    base = {"a": {"b": 1, "c": 2}, "d": 3}
    assert merged(base, {"a": {"b": 4}, "e": 5}) == {"a": {"b": 4, "c": 2}, "d": 3, "e": 5}
    assert base == {"a": {"b": 1, "c": 2}, "d": 3}


def test_presets_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"there is no preset 's5'; there are gpu-15x15, .*, or give a .toml file"):
        load_preset("s5")
    with pytest.raises(ConfigError, match=r"cannot read .*nowhere.toml: No such file"):
        load_preset(str(tmp_path / "nowhere.toml"))
    broken = tmp_path / "broken.toml"
    broken.write_text("games = [")
    with pytest.raises(ConfigError, match=r"broken.toml: "):
        load_preset(str(broken))
    broken.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match=r"broken.toml: "):
        load_preset(str(broken))


def test_every_setting_says_what_it_means() -> None:
    table = list(described(AlphaZeroConfig))
    assert len(table) > 50
    assert all(meaning for _, _, _, meaning in table)
    assert ("learn.batch", "1024", "2 to 65536", "rows in a step") in table
