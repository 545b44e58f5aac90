"""Pictures of the page for the documents: ``python page/screenshots.py`` writes docs/images/*.png.

Needs Playwright, Pillow, torch and Chromium. The training run and the match that it shows are real, made on the spot:
that takes a few minutes.
"""

from __future__ import annotations

import io
import json
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tengen.arena import play_match

OUT = Path(__file__).parents[1] / "docs/images"
DESK = {"viewport": {"width": 1280, "height": 800}}
TRAINING_MINUTES = 3
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "is_mobile": True, "has_touch": True}
GAME = "h8i9g9h10i8g10k9f10e10h11j8"
STUDY = "h8i9g9h10i8g10k9f10e10"
OTHELLO = "f5d6c3d3c4f4f6f3e6e7"
WON = "h8g7f7h10f8f6g8e8i7k8i10m9h9j11e6"
RENJU = "h8i9j9k9k10l9k12n7j11l14f10g8j12i6"  # m12 would make two threes


@dataclass(frozen=True)
class Shot:
    """One picture: where, how, and what is done before it is taken."""

    name: str
    address: str = "#play"
    phone: bool = False
    dark: bool = False
    locale: str = "en-GB"
    moves: str = GAME
    terms: tuple[tuple[str, Any], ...] = (("second", "alphazero:playouts=100"), ("clock", "300+3"))
    settings: tuple[tuple[str, Any], ...] = ()
    analysis: bool = False
    select: tuple[str, str] | None = None
    press: str = ""


SHOTS = (
    Shot("play"),
    Shot("play-dark", dark=True, settings=(("board", "dark"), ("numbers", True))),
    Shot("play-othello", moves=OTHELLO, terms=(("game", "othello"), ("second", "mcts:playouts=60"))),
    Shot("play-phone", phone=True),
    Shot("play-won", moves=WON, terms=(("second", "mcts:playouts=60"),)),
    Shot(
        "play-renju",
        moves=RENJU,
        terms=(("game", "renju"), ("second", "mcts:playouts=60")),
        settings=(("numbers", True),),
    ),
    Shot("play-chinese", locale="zh-CN", settings=(("numbers", True),)),
    Shot("new-game", press="n"),
    Shot("analyse", f"#analyse/gomoku/{STUDY}", analysis=True),
    Shot("analyse-heat", f"#analyse/gomoku/{STUDY}", analysis=True, dark=True, select=("heat", "policy")),
    Shot("analyse-phone", f"#analyse/gomoku/{STUDY}", analysis=True, phone=True, dark=True),
    Shot("watch", "#watch/run/laptop-8x8"),
    Shot("watch-arena", "#watch/match/1", dark=True),
)


def kept(shot: Shot) -> dict[str, Any]:
    """The game that the page finds in its storage."""
    terms = {"game": "gomoku", "first": "human", "second": "human", "protocol": None, "seconds": None, "clock": None}
    moves = re.findall(r"pass|[a-v]\d+", shot.moves)
    if len(moves) % 2 and shot.moves != WON:
        moves.pop()  # the person is to move: the picture does not depend on a reply
    return {"terms": terms | dict(shot.terms), "moves": moves, "choices": [], "ended": None, "left": [268.0, 251.0]}


def take(browser: Browser, origin: str, shot: Shot) -> None:
    """Open, arrange, photograph."""
    scheme = "dark" if shot.dark else "light"
    context = browser.new_context(**(PHONE if shot.phone else DESK), locale=shot.locale, color_scheme=scheme)
    page = context.new_page()
    language = "zh" if shot.locale.startswith("zh") else "en"
    for key, value in (("game", kept(shot)), ("settings", {"language": language, **dict(shot.settings)})):
        page.add_init_script(f"localStorage.setItem('tengen.{key}', {json.dumps(json.dumps(value))})")
    page.goto(f"{origin}/{shot.address}")
    page.wait_for_timeout(1000)
    if shot.press:
        page.keyboard.press(shot.press)
    if shot.analysis:
        _analyse(page, shot)
    page.wait_for_timeout(400)
    _save(page.screenshot(), OUT / f"{shot.name}.png")
    context.close()


def _analyse(page: Page, shot: Shot) -> None:
    page.locator('[data-name="review"]').click()
    page.wait_for_selector('[data-name="review"]', timeout=60_000)
    page.locator('input[name="analysis"]').click()
    page.wait_for_selector(".line")
    page.wait_for_timeout(3000)
    if shot.select:
        page.select_option(f"select[name={shot.select[0]}]", shot.select[1])


def _save(data: bytes, path: Path) -> None:
    """Few colours make small files; coverage, not frequency, picks them, or wood would crowd out the rest.

    Dithered, or a soft shadow would be drawn as rings.
    """
    image = Image.open(io.BytesIO(data)).convert("RGB")
    few = image.quantize(colors=256, method=Image.Quantize.MAXCOVERAGE, kmeans=2)
    few = image.quantize(palette=few, dither=Image.Dither.FLOYDSTEINBERG)
    few.save(path, optimize=True)


def make_things_to_watch(folder: Path) -> None:
    """A run and a match in a folder. Both are real: a picture of learning shows what was learnt."""
    minutes = ["--set", f"run.minutes={TRAINING_MINUTES}"]
    run = ["train", "alphazero", "--preset", "laptop-8x8", "--out", "runs/laptop-8x8", *minutes, "--quiet"]
    subprocess.run([sys.executable, "-m", "tengen", *run], cwd=folder, check=True)
    players = ["greedy", "mcts:playouts=100", "minimax:depth=2", "alphabeta:depth=2"]
    play_match(players, "gomoku:size=11", games=8, seed=3, db=folder / "arena.db")


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """A server whose runs and matches are in a folder."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    code = f"from tengen.web.server import serve; serve(port={port}, browser=False)"
    running = subprocess.Popen([sys.executable, "-c", code], cwd=folder, stdout=subprocess.DEVNULL)
    origin = f"http://127.0.0.1:{port}"
    try:
        for _ in range(200):
            try:
                urllib.request.urlopen(f"{origin}/icon.svg", timeout=5).close()
                break
            except OSError:
                time.sleep(0.1)
        yield origin
    finally:
        running.terminate()
        running.wait(20)


def main() -> None:
    """All pictures, or those whose names are given."""
    OUT.mkdir(parents=True, exist_ok=True)
    wanted = [shot for shot in SHOTS if len(sys.argv) < 2 or shot.name in sys.argv[1:]]
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder:
        if any("watch" in shot.address for shot in wanted):
            make_things_to_watch(Path(folder))
        with serving(Path(folder)) as origin, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            for shot in wanted:
                take(browser, origin, shot)
                print(OUT / f"{shot.name}.png")
            browser.close()


if __name__ == "__main__":
    main()
