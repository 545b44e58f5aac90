"""The page about training is up to date. Run as a program, this file writes its table anew."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from tengen.cli import cli
from tengen.train.alphazero.config import AlphaZeroConfig, load_preset
from tengen.train.alphazero.rating import LADDER
from tengen.train.settings import markdown_table, preset_names

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "training.md"
TABLE = re.compile(r"(?<=<!-- settings -->\n).*?(?=<!-- end -->)", re.DOTALL)


def with_table(text: str) -> str:
    return TABLE.sub(lambda _: markdown_table(AlphaZeroConfig), text)


def test_the_table_is_up_to_date() -> None:
    text = PAGE.read_text("utf-8")
    assert text == with_table(text), "run: python tests/train/test_training_docs.py"


def test_presets_and_rungs_are_all_there() -> None:
    text = PAGE.read_text("utf-8")
    assert all(f"| `{name}` |" in text for name in preset_names("alphazero"))
    assert all(f"`{name}`" in text for name in LADDER)


def commands() -> list[str]:
    texts = [PAGE.read_text("utf-8"), (ROOT / "README.md").read_text("utf-8")]
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
        load_preset(arguments[arguments.index("--preset") + 1])


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text("utf-8")), "utf-8")
