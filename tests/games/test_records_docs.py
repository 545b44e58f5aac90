"""The page about records does what it shows."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from tengen.games.records import FORMATS

PAGE = Path(__file__).parents[2] / "docs" / "records.md"


def test_the_examples_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert tried > 8
    assert failed == 0


def test_the_page_lists_every_format() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name, entry in FORMATS.items():
        assert f"| `{name}` |" in text
        assert all(f"`{extension}`" in text for extension in entry.extensions)
