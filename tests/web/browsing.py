"""What the tests of the page in a real browser share; they are skipped where there is no Playwright."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="the browser tests need Playwright: pip install playwright")
from playwright.sync_api import Page, expect

Opened = Callable[..., Page]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SIDEWAYS = {"viewport": {"width": 844, "height": 390}, "has_touch": True, "is_mobile": True}
AXE = Path(__file__).parents[2] / "page/node_modules/axe-core/axe.min.js"
#: What the server sees in a picture, but for whether it is sure.
SEEN = {"game": "gomoku", "size": 15, "black": ["h8", "c3"], "white": [], "over": False}
SEEN |= {"confidence": 0.527, "corners": []}
expect.set_options(timeout=15_000)  # a busy machine is no reason to fail


def kept_game(moves: str = "", *, choices: tuple[str, ...] = (), **terms: Any) -> dict[str, Any]:
    """What the page keeps of a game."""
    agreed = {"game": "gomoku", "first": "human", "second": "human", "protocol": None, "seconds": None, "clock": None}
    return {
        "terms": agreed | terms,
        "moves": re.findall(r"pass|[a-v]\d+", moves),
        "choices": list(choices),
        "ended": None,
        "left": [300, 300],
    }


def moves_of(page: Page) -> list[str]:
    return list(page.evaluate("JSON.parse(sessionStorage.getItem('tengen.game'))?.moves ?? []"))


def status(page: Page) -> Any:
    return expect(page.locator(".status .now"))


def point(page: Page, move: str) -> Any:
    return page.locator(f'[data-move="{move}"]')


def walk_to(page: Page, move: str) -> None:
    """Bring the cursor to a point with the arrow keys alone."""
    board = page.get_by_role("grid")
    board.focus()
    page.keyboard.press("ArrowUp")
    at = int((board.get_attribute("aria-activedescendant") or "point-0").removeprefix("point-"))
    goal = int(point(page, move).get_attribute("data-cell") or 0)
    down, right = goal // 15 - at // 15, goal % 15 - at % 15
    for _ in range(abs(down)):
        page.keyboard.press("ArrowDown" if down > 0 else "ArrowUp")
    for _ in range(abs(right)):
        page.keyboard.press("ArrowRight" if right > 0 else "ArrowLeft")
    assert board.get_attribute("aria-activedescendant") == f"point-{goal}"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving_at(port: int, folder: Path | None = None) -> Iterator[None]:
    code = f"from tengen.web.server import serve; serve(port={port}, browser=False)"
    running = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL, cwd=folder)
    try:
        for _ in range(200):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/icon.svg", timeout=5).close()
                break
            except OSError:
                time.sleep(0.1)
        yield
    finally:
        running.terminate()
        running.wait(20)


def serious_findings(page: Page) -> list[tuple[str, str]]:
    """What axe finds that keeps people out; skips the test where there is no axe."""
    if not AXE.is_file():
        pytest.skip("no axe-core: run `npm install` in page/")
    page.evaluate(AXE.read_text())
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        (each["id"], each["nodes"][0]["html"][:200])
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
    ]
