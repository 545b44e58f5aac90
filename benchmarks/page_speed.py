"""How fast the page is: when a browser paints it, how soon a program answers, and how much is sent.

    python benchmarks/page_speed.py

Serves the page as `tengen play` does and opens it in Chromium, by Playwright. A paint is counted from the request, each
time in a fresh profile, which has kept nothing; an answer from the click of a move until the page has the program's.
"""

from __future__ import annotations

import gzip
import json
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

import tengen
from tengen.games import Game
from tengen.web.app import page_files
from tengen.web.levels import levels

LOADS = 5
MOVES = 4  # of each level
KEPT = "JSON.parse(sessionStorage.getItem('tengen.game') ?? '{}').moves ?? []"


def main() -> None:
    ten = levels(Game.parse("gomoku"))
    with served() as address, sync_playwright() as playwright:
        chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        first, contentful = zip(*(paints(browser, address) for _ in range(LOADS)), strict=True)
        print(f"first paint {told(first)}, first contentful paint {told(contentful)} (asked: under 1 s)")
        for level, asked in [*((level, "under 0.3 s") for level in ten[:3]), (ten[-1], "its time and no more")]:
            took = told(answers(browser, address, level.player))
            print(f"level {level.number}, {level.player}: {took} (asked: {asked})")
        browser.close()
    print(f"the page's files: {weight() / 1024:.0f} KB compressed (asked: under 400 KB)")


@contextmanager
def served() -> Iterator[str]:
    """The address of ``tengen play``, on any port."""
    command = [sys.executable, "-u", "-m", "tengen", "play", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        found = re.search(r"http://\S+/", server.stdout.readline())
        assert found is not None
        try:
            yield found[0]
        finally:
            server.terminate()


def paints(browser: Browser, address: str) -> tuple[float, float]:
    """Seconds to the first paint, and to the first of something that one can read."""
    with fresh(browser) as page:
        page.goto(address)
        page.wait_for_function("() => performance.getEntriesByType('paint').length == 2")
        found = page.evaluate("performance.getEntriesByType('paint').map((each) => [each.name, each.startTime / 1000])")
        return dict(found)["first-paint"], dict(found)["first-contentful-paint"]


def answers(browser: Browser, address: str, player: str, moves: int = MOVES) -> list[float]:
    """Seconds to each of a program's first answers, to a person who plays as ``greedy`` does."""
    person, took = tengen.player("greedy", seed=1), []
    with fresh(browser) as page:
        game: dict[str, Any] = {"terms": {"game": "gomoku", "second": player}, "moves": [], "choices": []}
        kept = json.dumps(json.dumps({**game, "ended": None, "left": [0, 0]}))
        page.add_init_script(f"sessionStorage.setItem('tengen.game', {kept})")
        page.goto(address)
        page.get_by_text("Your turn").wait_for()
        for _ in range(moves):
            position = tengen.Position("gomoku", page.evaluate(KEPT))
            if position.is_over:
                break
            box = page.locator(f'[data-move="{person.choose(position).move}"]').bounding_box()
            assert box is not None
            began = time.perf_counter()
            page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            page.wait_for_function(f"(n) => ({KEPT}).length == n", arg=position.ply + 2)
            took.append(time.perf_counter() - began)
    return took


@contextmanager
def fresh(browser: Browser) -> Iterator[Page]:
    """A page in a profile of its own."""
    context = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 800})
    yield context.new_page()
    context.close()


def weight() -> int:
    """Bytes of the page's files, each compressed."""
    return sum(len(gzip.compress(data)) for data in page_files().values())


def told(seconds: tuple[float, ...] | list[float]) -> str:
    return f"{statistics.median(seconds):.2f} s, at most {max(seconds):.2f} s"


if __name__ == "__main__":
    main()
