"""The pages about training are up to date. Run as a program, this file writes their tables anew."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from tengen.cli import cli
from tengen.train.alphazero.config import AlphaZeroConfig
from tengen.train.alphazero.config import load_preset as load_alphazero
from tengen.train.alphazero.rating import LADDER
from tengen.train.dqn.config import DqnConfig
from tengen.train.dqn.config import load_preset as load_dqn
from tengen.train.evolution.config import EvolutionConfig
from tengen.train.evolution.config import load_preset as load_evolution
from tengen.train.settings import markdown_table, preset_names
from tengen.train.vision.config import VisionConfig
from tengen.train.vision.config import load_preset as load_vision

ROOT = Path(__file__).parents[2]
PAGES = {"alphazero": ROOT / "docs" / "training.md", "dqn": ROOT / "docs" / "q-learning.md"}
PAGES["evolution"] = ROOT / "docs" / "evolution.md"
PAGES["vision"] = ROOT / "docs" / "vision.md"
CONFIGS = {"alphazero": AlphaZeroConfig, "dqn": DqnConfig, "evolution": EvolutionConfig, "vision": VisionConfig}
TABLE = re.compile(r"(?<=<!-- settings -->\n).*?(?=<!-- end -->)", re.DOTALL)


def with_table(method: str, text: str) -> str:
    return TABLE.sub(lambda _: markdown_table(CONFIGS[method]), text)


@pytest.mark.parametrize("method", PAGES)
def test_the_table_is_up_to_date(method: str) -> None:
    text = PAGES[method].read_text("utf-8")
    assert text == with_table(method, text), "run: python tests/train/test_training_docs.py"


@pytest.mark.parametrize("method", PAGES)
def test_presets_are_all_there(method: str) -> None:
    text = PAGES[method].read_text("utf-8")
    assert all(f"| `{name}` |" in text for name in preset_names(method))


def test_rungs_are_all_there() -> None:
    text = PAGES["alphazero"].read_text("utf-8")
    assert all(f"`{name}`" in text for name in LADDER)


def test_presets_rate_as_the_page_says() -> None:
    assert "(as in all presets but `s4`)" in PAGES["alphazero"].read_text("utf-8")
    rates = {name: load_alphazero(name).run.rate_minutes for name in preset_names("alphazero")}
    assert rates == {name: 0 if name == "s4" else 5 for name in rates}


def commands() -> list[str]:
    texts = [path.read_text("utf-8") for path in (*PAGES.values(), ROOT / "README.md")]
    blocks = [block for text in texts for block in re.findall(r"^```\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)]
    lines = [line.partition("    #")[0].strip() for block in blocks for line in block.splitlines()]
    return sorted({line for line in lines if line.startswith("tengen ")})


@pytest.mark.parametrize("line", commands())
def test_commands_have_the_options_that_are_shown(line: str) -> None:
    """They are not run: that would take hours."""
    _, name, *arguments = shlex.split(line)
    command = cli.commands[name]
    options = {text for parameter in command.params for text in [*parameter.opts, *parameter.secondary_opts]}
    assert all(word in options for word in arguments if word.startswith("--")), line
    assert CliRunner().invoke(cli, [name, "--help"]).exit_code == 0
    if "--preset" in arguments:
        loads = {"alphazero": load_alphazero, "dqn": load_dqn, "evolution": load_evolution, "vision": load_vision}
        load = loads[arguments[0]]
        load(arguments[arguments.index("--preset") + 1])


if __name__ == "__main__":
    for method, page in PAGES.items():
        page.write_text(with_table(method, page.read_text("utf-8")), "utf-8")
