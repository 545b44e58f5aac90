"""The benchmark of the page's speed: does it still run?"""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api", reason="the browser tests need Playwright")


def test_page_speed(browser, server):
    speed = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks/page_speed.py"))
    first, contentful = speed["paints"](browser, server.address)
    assert 0 < first <= contentful
    [took] = speed["answers"](browser, server.address, "mcts:time=0.5", moves=1)
    assert took > 0.5
    assert 0 < speed["weight"]() < 400 * 1024
