"""The page in a real browser: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import io
import json
import re
import shutil
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

import tengen
from tengen.arena import play_match

sync_api = pytest.importorskip(
    "playwright.sync_api", reason="the browser tests need Playwright: pip install playwright"
)
from playwright.sync_api import Browser, BrowserContext, Page, expect  # noqa: E402

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
AXE = Path(__file__).parents[2] / "page/node_modules/axe-core/axe.min.js"

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed: apt-get install chromium")

Opened = Callable[..., Page]
expect.set_options(timeout=15_000)  # a busy machine is no reason to fail


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture
def opened(browser: Browser, server: Any) -> Iterator[Opened]:
    """Opens the page in a fresh profile; at the end nothing may have gone wrong or gone elsewhere."""
    contexts: list[BrowserContext] = []
    troubles: list[str] = []

    def open_page(
        address: str = "", *, origin: str = server.address, game: dict[str, Any] | None = None, quiet: bool = True,
        settings: dict[str, Any] | None = None, **options: Any,
    ) -> Page:  # fmt: skip
        context = browser.new_context(**{"locale": "en-GB", "viewport": {"width": 1280, "height": 800}, **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        for kind, kept in (("game", game), ("settings", settings)):
            if kept is not None:
                key, text = f"'tengen.{kind}'", json.dumps(json.dumps(kept))
                script = f"localStorage.getItem({key}) ?? localStorage.setItem({key}, {text})"
                page.add_init_script(script)
        if quiet:
            page.on("console", lambda message: message.type == "error" and troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("request", lambda request: _is_elsewhere(request.url, origin) and troubles.append(request.url))
        page.goto(f"{origin}/{address}")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not troubles


def _is_elsewhere(address: str, origin: str) -> bool:
    return not address.startswith((origin, "data:", "blob:" + origin))


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


# --- playing ---


@pytest.mark.parametrize("by", ["clicks", "keys"])
def test_a_game_is_won(opened: Opened, by: str) -> None:
    page = opened(game=kept_game("h8", second="random"))
    strong, position = tengen.player("alphabeta:depth=2"), tengen.Position("gomoku")
    for _ in range(40):
        status(page).to_have_text(re.compile("Your turn|You won"))
        position = tengen.Position("gomoku", moves_of(page))
        if position.is_over:
            break
        move = str(strong.choose(position).move)
        if by == "clicks":
            point(page, move).click()
        else:
            walk_to(page, move)
            page.keyboard.press("Enter")
        page.wait_for_function(
            "n => JSON.parse(sessionStorage.getItem('tengen.game')).moves.length > n", arg=position.ply
        )
    status(page).to_have_text("You won")
    assert str(position.outcome().winner) == "black"  # type: ignore[union-attr]
    expect(page.locator(".board .won circle")).to_have_count(len(position.outcome().line))  # type: ignore[union-attr]
    assert "You won" in (page.locator("#said").text_content() or "")


def test_a_game_is_lost_and_taken_back(opened: Opened) -> None:
    page = opened(game=kept_game(second="alphabeta:depth=2"))
    for move in ("a1", "o1", "a15", "o15", "a8", "h1", "h15", "o8", "c1", "m1", "c15", "m15"):
        status(page).to_have_text(re.compile("Your turn|You lost"))
        if page.locator(".status .now").text_content() == "You lost":
            break
        if move not in moves_of(page):
            point(page, move).click()
            page.wait_for_function(f"() => JSON.parse(sessionStorage.getItem('tengen.game')).moves.includes('{move}')")
    status(page).to_have_text("You lost")
    count = len(moves_of(page))
    page.get_by_role("button", name="Undo").click()
    status(page).to_have_text("Your turn")
    assert len(moves_of(page)) == count - 2


def test_the_first_visit_begins_a_game_at_once(opened: Opened) -> None:
    page = opened()
    status(page).to_have_text("Your turn")
    expect(page.locator(".seat").nth(1)).to_contain_text("Level 3")
    point(page, "h8").click()
    expect(page.locator(".moves .move")).to_have_count(2)


def test_a_new_game_is_as_it_was_asked_for(opened: Opened) -> None:
    page = opened()
    page.keyboard.press("n")
    box = page.get_by_role("dialog")
    box.get_by_role("radio", name="Renju").check()
    box.get_by_label("Level").fill("1")
    box.get_by_role("radio", name="White").check()
    box.get_by_role("radio", name="Clock").check()
    box.get_by_label("minutes", exact=True).fill("2")
    box.get_by_role("button", name="Start game").click()
    expect(page.locator(".title")).to_have_text("Renju 15×15")
    status(page).to_have_text("Your turn")
    terms = page.evaluate("JSON.parse(sessionStorage.getItem('tengen.game')).terms")
    assert terms == {
        "game": "renju", "first": "random", "second": "human", "protocol": None, "seconds": None, "clock": "120+3",
    }  # fmt: skip
    expect(page.locator('.clock[data-side="white"]')).to_have_text(re.compile(r"2:0\d|1:5\d"))
    before = page.locator('.clock[data-side="white"]').text_content()
    expect(page.locator('.clock[data-side="white"]')).not_to_have_text(before or "")


def test_two_programs_play_by_themselves(opened: Opened) -> None:
    page = opened()
    status(page).to_have_text("Your turn")
    page.keyboard.press("n")
    box = page.get_by_role("dialog")
    box.get_by_role("radio", name="9", exact=True).check()
    box.get_by_role("radio", name="Custom").check()
    box.get_by_label("Black").fill("greedy")
    box.get_by_label("White").fill("random")
    box.get_by_role("button", name="Start game").click()
    status(page).to_have_text("Black won")
    expect(page.locator(".title")).to_have_text("Freestyle 9×9")
    page.get_by_role("button", name="New game").click()
    box.get_by_label("White").fill("nobody")
    box.get_by_role("button", name="Start game").click()
    expect(page.locator(".toast.bad")).to_contain_text("nobody")
    status(page).to_have_text("Black won")


def test_a_forbidden_point_is_shown_and_refused(opened: Opened) -> None:
    page = opened(game=kept_game("h8a1h9a3i10a5j10o1", game="renju"))
    status(page).to_have_text("Black to move")
    expect(point(page, "h10")).to_have_attribute("aria-label", "h10, forbidden")
    point(page, "h10").click()
    expect(page.locator(".toast.bad")).to_contain_text("h10")
    assert len(moves_of(page)) == 8
    point(page, "h11").click()
    status(page).to_have_text("White to move")


def test_othello_passes_are_announced(opened: Opened) -> None:
    moves = _moves_to_a_pass()
    page = opened(game=kept_game("".join(moves), game="othello:size=6"))
    status(page).to_have_text(re.compile("No move for (Black|White): pass"))
    page.get_by_role("button", name="Pass").click()
    expect(page.locator(".toast")).to_have_text(re.compile("passes"))
    assert moves_of(page) == [*moves, "pass"]


def _moves_to_a_pass() -> list[str]:
    import random

    for seed in range(200):
        chance, position = random.Random(seed), tengen.Position("othello:size=6")
        while not position.is_over:
            if [str(move) for move in position.legal_moves()] == ["pass"]:
                return [str(move) for move in position.moves]
            position.play(chance.choice(position.legal_moves()))
    raise AssertionError("no game has a pass")


def test_swap2_goes_its_way(opened: Opened) -> None:
    page = opened(game=kept_game(protocol="swap2"))
    for number, move in enumerate(("h8", "i9", "g7")):
        status(page).to_contain_text(f"Place {3 - number} more")
        point(page, move).click()
    page.get_by_role("button", name="Place two more").click()
    point(page, "a1").click()
    point(page, "b1").click()
    page.get_by_role("button", name="Take white").click()
    status(page).to_have_text("White to move")
    assert page.evaluate("JSON.parse(sessionStorage.getItem('tengen.game')).choices") == ["place two", "white"]


def test_hint_resignation_and_draw(opened: Opened) -> None:
    page = opened(game=kept_game("h8a1i8a2j8a3k8a4"))
    status(page).to_have_text("Black to move")
    page.keyboard.press("h")
    expect(page.locator(".status .detail")).to_have_text(re.compile("Try (g8|l8)"))
    page.get_by_role("button", name="Draw").click()
    page.get_by_role("dialog").get_by_role("button", name="Draw").click()
    status(page).to_have_text("A draw")
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    status(page).to_have_text("Black won")


# --- staying ---


def test_a_reload_keeps_the_game(opened: Opened) -> None:
    page = opened(game=kept_game(second="greedy"))
    point(page, "h8").click()
    expect(page.locator(".moves .move")).to_have_count(2)
    moves = moves_of(page)
    page.reload()
    expect(page.locator(".moves .move")).to_have_count(2)
    assert moves_of(page) == moves
    status(page).to_have_text("Your turn")


def test_a_server_that_comes_back_finds_the_game(opened: Opened) -> None:
    port = _free_port()
    with _served(port):
        page = opened(origin=f"http://127.0.0.1:{port}", game=kept_game("h8i9"), quiet=False)
        status(page).to_have_text("Black to move")
    expect(page.locator(".notice")).to_be_visible()
    with _served(port):
        expect(page.locator(".notice")).to_be_hidden()
        point(page, "j10").click()
        status(page).to_have_text("White to move")
        assert moves_of(page) == ["h8", "i9", "j10"]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def _served(port: int, folder: Path | None = None) -> Iterator[None]:
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


# --- analysing ---


def test_analysis_appears_and_stops(opened: Opened) -> None:
    page = opened("#play")
    heard: list[str] = []
    said: list[str] = []

    def overhear(tab: Any) -> None:
        tab.on("framereceived", lambda frame: heard.append(str(frame)))
        tab.on("framesent", lambda frame: said.append(str(frame)))

    page.on("websocket", overhear)
    page.goto(page.url.replace("#play", "#analyse/gomoku:rule=standard/h8i9g9h10"))
    page.reload()  # a connection that is listened to from its start
    page.get_by_role("switch", name="Analysis").click()
    expect(page.locator(".line").first).to_be_visible()
    expect(page.locator(".stats")).to_contain_text("nodes")
    expect(page.locator(".board circle[fill='#2f6fb0']")).to_have_count(1)
    page.locator(".line").first.hover()
    expect(page.locator(".board g[opacity='.68']").first).to_be_attached()
    page.mouse.move(2, 2)
    page.get_by_role("switch", name="Analysis").click()
    page.wait_for_timeout(400)
    shown, count = page.locator(".found").text_content(), len(heard)
    assert any('"analysis"' in message for message in heard)
    assert said[-1] == '{"do":"stop"}'
    page.wait_for_timeout(1000)
    assert len(heard) == count  # the server thinks no more
    assert page.locator(".found").text_content() == shown


def test_analysis_goes_on_in_another_dress(opened: Opened) -> None:
    page = opened("#analyse/gomoku:rule=standard/h8i9")
    page.get_by_role("switch", name="Analysis").click()
    expect(page.locator(".line").first).to_be_visible()
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("dialog").get_by_role("radio", name="Paper").check()
    page.keyboard.press("Escape")
    expect(page.get_by_role("switch", name="Analysis")).to_be_checked()
    expect(page.locator(".line").first).to_be_visible()
    page.get_by_role("link", name="Play").click()
    page.get_by_role("link", name="Analyse").click()
    expect(page.get_by_role("switch", name="Analysis")).not_to_be_checked()
    expect(page.locator(".step")).to_have_count(2)


def test_a_proven_win_is_told_and_played_from_the_line(opened: Opened) -> None:
    page = opened("#analyse/gomoku/h8a1i8a2j8a3k8a4")
    page.get_by_role("switch", name="Analysis").click()
    expect(page.locator(".chip.won").first).to_have_text("wins in 1")
    page.locator(".line").first.click()
    expect(page.locator(".standing")).to_contain_text("Black won")
    expect(page.locator(".lines")).to_have_text("The game is over here.")


def test_variations_grow_and_are_deleted_and_the_address_follows(opened: Opened) -> None:
    page = opened("#analyse/gomoku/h8i9")
    expect(page.locator(".step")).to_have_count(2)
    point(page, "g7").click()
    expect(page).to_have_url(re.compile(r"#analyse/gomoku/h8i9g7$"))
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(r"#analyse/gomoku/h8i9$"))
    point(page, "j10").click()
    expect(page.locator(".branch .step")).to_have_text("3 j10")
    page.reload()
    expect(page.locator(".branch .step[aria-current]")).to_have_text("3 j10")
    page.get_by_role("button", name="Delete from here").click()
    expect(page.locator(".branch")).to_have_count(0)
    expect(page.locator(".step")).to_have_count(3)


def test_a_link_can_be_shared(opened: Opened) -> None:
    page = opened("#analyse/renju/h8i9/black=a1c1,white=b2,to=white")
    expect(page.locator(".standing")).to_contain_text("White to move")
    shared = page.url
    other = opened(shared[shared.index("#") :])
    expect(point(other, "c1")).to_have_attribute("aria-label", "c1, black")
    expect(point(other, "h8")).to_have_attribute("aria-label", "h8, white")
    assert other.url == shared
    bad = opened("#analyse/gomoku/h8h8")
    expect(bad.locator(".toast.bad")).to_be_visible()
    expect(bad.locator(".standing")).to_contain_text("Black to move")


def test_a_picture_becomes_a_position(opened: Opened, tmp_path: Path) -> None:
    numpy, cv2 = pytest.importorskip("numpy"), pytest.importorskip("cv2")
    from tengen.vision.drawing import draw_screenshot

    picture = draw_screenshot(numpy.random.default_rng(1), theme="wood-classic", size=15)
    cv2.imwrite(str(tmp_path / "board.png"), picture.image[..., ::-1])
    page = opened("#analyse")
    page.get_by_role("button", name="Import").click()
    page.locator("input[name=file]").set_input_files(tmp_path / "board.png")
    for code, colour in ((1, "black"), (2, "white")):
        wanted = int((picture.truth.cells == code).sum())
        expect(page.locator(f"[aria-label$=', {colour}']")).to_have_count(wanted)


def test_the_graph_reviews_the_game_and_jumps(opened: Opened) -> None:
    page = opened("#analyse/gomoku:rule=standard/h8i9g9")
    page.get_by_role("button", name="Review game").click()
    expect(page.get_by_role("button", name="Review game")).to_be_visible()
    expect(page.locator(".graph .curve")).to_have_attribute("d", re.compile(r"^M[^L]+L[^L]+L[^L]+L[^L]+$"))
    slider = page.get_by_role("slider", name="Evaluation")
    slider.fill("1")
    expect(page).to_have_url(re.compile(r"gomoku:rule=standard/h8$"))
    expect(slider).to_have_attribute("aria-valuetext", re.compile(r"1, Black \d+ %"))


def test_games_come_in_and_go_out(opened: Opened) -> None:
    page = opened("#analyse")
    page.get_by_role("button", name="Import").click()
    sgf = "(;GM[4]SZ[15];B[h8](;W[i9];B[g7])(;W[g9]C[bold]))"
    page.get_by_label("Paste a game here").fill(sgf)
    page.get_by_role("button", name="Open").click()
    expect(page.locator(".main-line > .step")).to_have_count(3)
    expect(page.locator(".branch .step")).to_have_count(1)
    page.get_by_role("button", name="Export").click()
    saved = {}
    for name in ("sgf", "psq", "moves", "svg", "png", "gif"):
        with page.expect_download() as download:
            page.locator(f'[data-name="{name}"]').click()
        saved[name] = Path(download.value.path()).read_bytes()
    (record,) = tengen.records.loads(saved["sgf"], "sgf")
    assert [str(move) for move in record.position().moves] == ["h8", "i9", "g7"]
    assert len(record.root.children[0].children) == 2
    assert b"<svg" in saved["svg"]
    assert saved["png"].startswith(b"\x89PNG")
    _check_gif(saved["gif"])


def _check_gif(data: bytes) -> None:
    """Four positions; another decoder sees the stones come one by one."""
    image_module = pytest.importorskip("PIL.Image")
    image = image_module.open(io.BytesIO(data))
    assert image.size == (480, 480)
    assert image.n_frames == 4
    dark = []
    for number in range(4):
        image.seek(number)
        grey = image.convert("L").tobytes()
        dark.append(sum(value < 60 for value in grey))
    assert dark[0] < dark[1] - 300
    assert abs(dark[2] - dark[1]) < 200
    assert dark[2] < dark[3] - 300


def test_a_dropped_file_and_a_pasted_text_are_read(opened: Opened) -> None:
    page = opened("#analyse")
    expect(page.locator(".standing")).to_contain_text("Black to move")
    page.evaluate(
        """() => {
            const data = new DataTransfer();
            data.items.add(new File(["h8 i9 g7"], "game.txt"));
            document.querySelector("main").dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true}));
        }"""
    )
    expect(page.locator(".step")).to_have_count(3)
    page.evaluate(
        """() => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", "h8 i9");
            document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData, bubbles: true}));
        }"""
    )
    expect(page.locator(".step")).to_have_count(2)


# --- watching ---


def test_runs_and_matches_are_watched(opened: Opened, tmp_path: Path) -> None:
    run = tmp_path / "runs" / "mine"
    run.mkdir(parents=True)
    about = {"method": "dqn", "state": "running", "alarms": {"short games": "nobody <b>defends</b>"}}
    (run / "run.json").write_text(json.dumps(about))
    log = run / "metrics.jsonl"
    log.write_text("".join(json.dumps({"step": i, "games": 10 * i, "loss": 1 / (i + 1)}) + "\n" for i in range(50)))
    play_match(["random", "greedy", "minimax:depth=1"], "gomoku:size=7", games=2, seed=3, db=tmp_path / "arena.db")
    port = _free_port()
    with _served(port, tmp_path):
        page = opened("#watch", origin=f"http://127.0.0.1:{port}")
        expect(page.locator(".detail h2")).to_have_text("mine")
        expect(page.locator(".tiles dd").first).to_have_text("490")
        expect(page.locator(".alarm")).to_have_text("Short games: nobody <b>defends</b>")
        curve = page.locator(".chart .curve").get_attribute("d") or ""
        assert curve.count("L") == 49
        with log.open("a") as more:
            more.write(json.dumps({"step": 50, "games": 777, "loss": 0.5}) + "\n")
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # as if the tab had been away
        expect(page.locator(".tiles dd").first).to_have_text("777")
        page.get_by_role("link", name="random – greedy").click()
        expect(page.get_by_role("region", name="Cross table").locator("tbody tr")).to_have_count(3)
        page.get_by_role("link", name="Game 1", exact=True).click()
        expect(page).to_have_url(re.compile(r"#analyse/gomoku:size=7/"))
        expect(page.locator(".standing")).to_contain_text(re.compile("won|draw"))


# --- everybody ---


def test_chinese_by_the_browser_and_by_the_switch(opened: Opened) -> None:
    page = opened(locale="zh-CN", game=kept_game("h8"))
    status(page).to_have_text("轮到白方")
    assert page.evaluate("document.documentElement.lang") == "zh-Hans"
    page.get_by_role("button", name="设置").click()
    page.get_by_role("radio", name="English").check()
    status(page).to_have_text("White to move")
    page.reload()
    status(page).to_have_text("White to move")


PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.mark.parametrize("address", ["#play", "#analyse/gomoku/h8i9", "#analyse/othello/f5", "#watch"])
def test_a_phone_needs_no_sideways_scroll(opened: Opened, address: str) -> None:
    page = opened(address, **PHONE)
    expect(page.get_by_role("table" if "watch" in address else "grid")).to_be_visible()
    page.wait_for_timeout(200)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    if "watch" in address:
        return
    box = page.get_by_role("grid").bounding_box()
    assert box is not None
    assert box["width"] > 350


def test_a_phone_plays_by_touch_and_may_ask_twice(opened: Opened) -> None:
    page = opened(game=kept_game(), settings={"confirm": True}, **PHONE)
    status(page).to_have_text("Black to move")
    point(page, "h8").tap()
    page.wait_for_timeout(150)
    assert moves_of(page) == []
    point(page, "h8").tap()
    status(page).to_have_text("White to move")


@pytest.mark.parametrize(
    ("address", "theme"),
    [
        ("#play", "light"),
        ("#play", "dark"),
        ("#analyse/gomoku/h8i9", "light"),
        ("#analyse/gomoku/h8i9", "dark"),
        ("#watch/nets", "light"),
        ("dialogs", "dark"),
    ],
)
def test_nothing_serious_for_axe(opened: Opened, address: str, theme: str) -> None:
    if not AXE.is_file():
        pytest.skip("no axe-core: run `npm install` in page/")
    page = opened("" if address == "dialogs" else address, color_scheme=theme, reduced_motion="reduce")
    expect(page.get_by_role("table" if "watch" in address else "grid")).to_be_visible()
    page.wait_for_timeout(300)
    for key in ("n", "?") if address == "dialogs" else ("",):
        if key:
            page.keyboard.press(key)
        page.evaluate(AXE.read_text())
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        serious = [
            (each["id"], each["nodes"][0]["html"][:200])
            for each in found["violations"]
            if each["impact"] in ("serious", "critical")
        ]
        assert serious == []
        page.keyboard.press("Escape")
