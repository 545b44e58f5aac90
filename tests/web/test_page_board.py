"""The page in a real browser: the board, however it is turned, and under a finger."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from browsing import PHONE, Opened, Page, expect, kept_game, moves_of, point, status

TURNS = {  # what is pressed, and what stands at the top left and at the top right then
    "": ("a15", "o15"),
    "r": ("a1", "a15"),
    "rr": ("o1", "a1"),
    "rrr": ("o15", "o1"),
    "f": ("o15", "a15"),
    "fr": ("o1", "o15"),
    "rf": ("a15", "a1"),
    "rrf": ("a1", "o1"),
    "rrrr": ("a15", "o15"),
    "ff": ("a15", "o15"),
}


def centre(page: Page, move: str) -> tuple[float, float]:
    box = point(page, move).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def corners(page: Page) -> list[str]:
    """What is seen at the top left, the top right, the bottom left, the bottom right."""
    places = {move: centre(page, move) for move in ("a1", "a15", "o1", "o15")}
    return sorted(places, key=lambda move: (round(places[move][1]), round(places[move][0])))


def differing(one: str, other: str) -> tuple[str, str]:
    """The letters, or the numbers, by which two points differ."""
    return (one[1:], other[1:]) if one[0] == other[0] else (one[0], other[0])


def stones(page: Page, colour: str) -> set[tuple[float, float]]:
    """Where stones are drawn, in the drawing's units."""
    places = page.locator(f".board circle[fill='url(#{colour})']").evaluate_all(
        "all => all.map((each) => [each.cx.baseVal.value, each.cy.baseVal.value])"
    )
    return {(x, y) for x, y in places}


def places(page: Page, *moves: str) -> set[tuple[float, float]]:
    """Where points are, in the same units."""
    middle = "({x, y, width}) => [x, y].map((each) => each.baseVal.value + width.baseVal.value / 2)"
    return {tuple(point(page, move).evaluate(middle)) for move in moves}


def labels(page: Page) -> tuple[list[str], list[str]]:
    """What stands beside the board, from above, and below it, from the left."""
    texts = page.locator(".board text").evaluate_all(
        "all => all.map((each) => [Number(each.getAttribute('x')), Number(each.getAttribute('y')), each.textContent])"
    )
    left, bottom = min(x for x, _, _ in texts), max(y for _, y, _ in texts)
    beside = [text for _, _, text in sorted((y, x, text) for x, y, text in texts if x == left)]
    below = [text for _, _, text in sorted((x, y, text) for x, y, text in texts if y == bottom)]
    return beside, below


@pytest.mark.parametrize("keys", TURNS)
def test_a_turned_board_is_played_where_it_is_seen(opened: Opened, keys: str) -> None:
    page = opened(game=kept_game("b3m10"))
    status(page).to_have_text("Black to move")
    for key in keys:
        page.keyboard.press(key)
    assert tuple(corners(page)[:2]) == TURNS[keys]
    assert stones(page, "black") == places(page, "b3")
    assert stones(page, "white") == places(page, "m10")
    page.mouse.click(*centre(page, "c2"))
    status(page).to_have_text("White to move")
    assert moves_of(page) == ["b3", "m10", "c2"]
    expect(point(page, "c2")).to_have_attribute("aria-label", "c2, black")
    assert stones(page, "black") == places(page, "b3", "c2")
    top_left, _, bottom_left, bottom_right = corners(page)
    beside, below = labels(page)
    assert (beside[0], beside[14]) == differing(top_left, bottom_left)
    assert (below[0], below[14]) == differing(bottom_left, bottom_right)


def test_the_arrow_keys_go_where_it_is_seen(opened: Opened) -> None:
    page = opened(game=kept_game("b3m10"), settings={"turn": 1})
    board = page.get_by_role("grid")
    status(page).to_have_text("Black to move")
    board.focus()
    page.keyboard.press("ArrowUp")
    for key, (right, down) in {
        "ArrowDown": (0, 1),
        "ArrowRight": (1, 0),
        "ArrowUp": (0, -1),
        "ArrowLeft": (-1, 0),
    }.items():
        before = page.locator(f"#{board.get_attribute('aria-activedescendant')}").bounding_box()
        page.keyboard.press(key)
        after = page.locator(f"#{board.get_attribute('aria-activedescendant')}").bounding_box()
        assert before is not None
        assert after is not None
        assert after["x"] - before["x"] == pytest.approx(right * before["width"], abs=1)
        assert after["y"] - before["y"] == pytest.approx(down * before["height"], abs=1)
    rows = page.locator(".board [role=row]")
    expect(rows.first.locator("[role=gridcell]").first).to_have_attribute("data-move", "a1")  # read as it is seen
    expect(rows.first.locator("[role=gridcell]").last).to_have_attribute("data-move", "a15")


@pytest.mark.parametrize(("language", "rotate", "flip"), [("en", "Rotate", "Flip"), ("zh", "旋转", "翻转")])
def test_buttons_turn_the_board_and_that_is_remembered(opened: Opened, language: str, rotate: str, flip: str) -> None:
    page = opened(game=kept_game("b3"), settings={"language": language})
    expect(point(page, "b3")).to_have_attribute("aria-label", re.compile("^b3"))
    page.get_by_role("button", name=rotate).click()
    expect(page.get_by_role("button", name=rotate)).to_be_focused()
    page.get_by_role("button", name=flip).click()
    assert corners(page)[:2] == ["a15", "a1"]
    page.reload()
    expect(point(page, "b3")).to_have_attribute("aria-label", re.compile("^b3"))
    assert corners(page)[:2] == ["a15", "a1"]
    page.goto(page.url.partition("#")[0] + "#analyse/othello/f5")
    expect(page.locator(".stage").get_by_role("grid")).to_be_visible()
    expect(point(page, "h8")).to_be_attached()
    assert centre(page, "a1")[0] < centre(page, "a8")[0]  # a turn is of every board
    page.get_by_role("button", name=flip).click()
    assert centre(page, "a1")[0] > centre(page, "a8")[0]


def test_a_picture_shows_the_board_as_it_is_seen(opened: Opened, tmp_path: Path) -> None:
    page = opened("#analyse/gomoku/b3", settings={"turn": 1})
    expect(point(page, "b3")).to_have_attribute("aria-label", "b3, black")
    seen = {
        text: page.locator(".board text", has_text=re.compile(f"^{text}$")).get_attribute("y") for text in ("a", "o")
    }
    stone = page.locator(".board circle[fill='url(#black)']")
    place = [stone.get_attribute(name) for name in ("cx", "cy")]
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.locator('[data-name="svg"]').click()
    drawn = Path(download.value.path()).read_text()
    assert f'<circle cx="{place[0]}" cy="{place[1]}" r="18.7" fill="url(#black)"' in drawn
    for text, y in seen.items():
        assert f'y="{y}">{text}</text>' in drawn


def test_points_on_a_phone_are_as_large_as_a_finger_needs(opened: Opened) -> None:
    for address in ("#play", "#analyse/gomoku/h8"):
        page = opened(address, **PHONE)
        expect(point(page, "h8")).to_be_attached()
        box = point(page, "h8").bounding_box()
        assert box is not None
        assert box["width"] >= 24
        assert box["height"] >= 24


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desk", "phone"])
def test_a_finger_is_asked_twice_unless_it_wants_otherwise(opened: Opened, options: dict[str, Any]) -> None:
    page = opened(game=kept_game(), **options)
    page.get_by_role("button", name="Settings").click()
    twice = page.get_by_role("switch", name="Tap twice to play")
    if not options:
        expect(twice).not_to_be_checked()
        return
    expect(twice).to_be_checked()
    twice.uncheck()
    page.keyboard.press("Escape")
    page.reload()
    status(page).to_have_text("Black to move")
    point(page, "h8").tap()
    status(page).to_have_text("White to move")


@pytest.mark.parametrize("coordinates", [True, False])
def test_what_is_drawn_stands_in_the_middle_of_the_board(opened: Opened, coordinates: bool) -> None:
    """With the names of its lines, where there are any."""
    page = opened(settings={"coordinates": coordinates})
    expect(point(page, "h8")).to_be_attached()
    board = page.get_by_role("grid").bounding_box()
    left, bottom = centre(page, "a1")
    right, top = centre(page, "o15")
    if coordinates:
        left = min(box["x"] for each in page.locator(".board text").all() if (box := each.bounding_box()))
        bottom = max(
            box["y"] + box["height"] for each in page.locator(".board text").all() if (box := each.bounding_box())
        )
    assert board is not None
    unit = (right - centre(page, "a1")[0]) / 14
    margins = [
        left - board["x"],
        board["x"] + board["width"] - right,
        top - board["y"],
        board["y"] + board["height"] - bottom,
    ]
    assert max(margins) - min(margins) < 0.6 * unit, margins


@pytest.mark.parametrize(
    "options", [{}, PHONE, {"viewport": {"width": 320, "height": 568}}], ids=["desktop", "phone", "small"]
)
def test_names_of_lines_stand_between_the_edge_and_the_stones(opened: Opened, options: dict[str, Any]) -> None:
    page = opened(game=kept_game("a10b1"), reduced_motion="reduce", **options)  # else the stone is still settling
    status(page).to_have_text("Black to move")
    board, stone = (page.locator(each).bounding_box() for each in (".board", ".board circle[fill='url(#black)']"))
    text = page.locator(".board .names text", has_text=re.compile("^10$"))
    word = text.bounding_box()
    assert board is not None
    assert stone is not None
    assert word is not None
    outside, inside = word["x"] - board["x"], stone["x"] - word["x"] - word["width"]
    assert outside > 0.5
    assert outside == pytest.approx(inside, abs=1.5)
    size = text.evaluate("each => parseFloat(getComputedStyle(each).fontSize) * each.getScreenCTM().a")
    assert size > (7 if options.get("viewport", {}).get("width") == 320 else 9)


def test_stones_and_dots_stand_out_on_every_board(opened: Opened) -> None:
    page = opened()
    expect(point(page, "h8")).to_be_attached()
    drawn = page.evaluate("""async () => {
        const { EMPTY, annotations, palette, stones, thumbnail } = await import("./art.js");
        const fills = (svg, shape) =>
            [...svg.matchAll(new RegExp(`<${shape}[^>]*? fill="(#[0-9a-f]{6})"`, "g"))].map(([, fill]) => fill);
        const found = [];
        for (const kind of ["gomoku", "othello"]) for (const board of ["wood", "paper", "dark"]) {
            const scene = { ...EMPTY, kind, size: 2, cells: "x...", dots: [3] };
            const look = { board, coordinates: false, turn: 0 };
            const stamp = thumbnail(kind, 2, "x...", "", board);
            const [outer, felt] = fills(stamp, "rect");
            const stone = stones(scene, look);
            const rim = /stroke="(#\\w{6})"/.exec(stone)[1];
            const dot = fills(annotations(scene, look), "circle")[0];
            for (const ground of palette(kind, board).ground) {
                found.push([`${kind} ${board}`, ground, rim, "#101012"], [`dot ${kind} ${board}`, ground, dot]);
            }
            found.push([`stamp ${kind} ${board}`, kind === "othello" ? felt : outer, fills(stamp, "circle")[0]]);
        }
        return found;
    }""")
    assert len(drawn) == 30
    for name, ground, *colours in drawn:
        assert max(contrast(ground, colour) for colour in colours) >= 3, name


def contrast(one: str, other: str) -> float:
    """Of two colours, as WCAG has it."""

    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


CONTRASTS = """() => {
    const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
    const long = (colour) => colour === "#fff" ? "#ffffff" : colour;
    const light = (rgb) => rgb.map((each) => each <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4)
        .reduce((sum, each, i) => sum + each * [0.2126, 0.7152, 0.0722][i], 0);
    const contrast = (one, other) => {
        const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
    };
    const stops = [...document.querySelectorAll(".board #ground stop")];
    const grounds = stops.map((each) => channels(each.getAttribute("stop-color")));
    const over = (tone, part, ground) => tone.map((each, i) => part * each + (1 - part) * ground[i]);
    const names = document.querySelector(".board .names");
    const found = names ? grounds.map((ground) => contrast(channels(names.getAttribute("fill")), ground)) : [];
    for (const text of document.querySelectorAll(".board circle[fill-opacity] + text")) {
        const spot = text.previousElementSibling;
        const [tone, part] = [channels(spot.getAttribute("fill")), Number(spot.getAttribute("fill-opacity"))];
        const ink = channels(long(text.getAttribute("fill")));
        for (const ground of grounds) found.push(contrast(ink, over(tone, part, ground)));
    }
    return found;
}"""


@pytest.mark.parametrize("board", ["wood", "paper", "dark"])
@pytest.mark.parametrize("address", ["gomoku/h8i9g9", "othello/d3c3"])
def test_what_stands_on_a_board_can_be_read(opened: Opened, board: str, address: str) -> None:
    page = opened(f"#analyse/{address}", settings={"board": board})
    page.locator("select[name=engine]").select_option("alphazero")
    page.locator("select[name=lines]").select_option("8")
    page.get_by_role("switch", name="Analysis").click()
    for kind in ("lines", "visits"):
        expect(page.locator(f"select[name=heat] option[value={kind}]")).to_be_attached()
        page.locator("select[name=heat]").select_option(kind)
        expect(page.locator(".board circle[fill-opacity] + text").first).to_be_attached()
        contrasts = page.evaluate(CONTRASTS)
        assert contrasts
        assert min(contrasts) >= 4.5, contrasts
