"""The page in a real browser, on small screens: nothing is cut off, and the board is seen whole."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browsing import Opened, Page, expect, kept_game, status

from tengen.games import Game
from tengen.web.levels import levels

SMALL, PHONE, SIDEWAYS, ZOOMED = (320, 568), (390, 844), (844, 390), (640, 400)
ALL = [SMALL, PHONE, SIDEWAYS, ZOOMED]
BETWEEN = [(360, 740), (440, 900), (540, 800), (700, 400), (760, 500), (1000, 700), (1280, 800)]
SHOWN = {"#play": "grid", "#analyse/gomoku/h8i9": "grid", "#analyse/othello/f5": "grid", "#watch/nets": "table"}
GAME = kept_game("h8i9", second="alphazero:playouts=100", clock="600+3")
IMPROVER = levels(Game.parse("othello"))[3].player
OTHELLO = kept_game("f5d6c3d3", game="othello", second=IMPROVER, clock="600+3")


def screen(size: tuple[int, int]) -> dict[str, Any]:
    return {"viewport": {"width": size[0], "height": size[1]}, "has_touch": True, "is_mobile": True}


def name(size: tuple[int, int]) -> str:
    return f"{size[0]}x{size[1]}"


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("address", SHOWN)
def test_nothing_is_cut_off(opened: Opened, address: str, language: str) -> None:
    page = opened(address, game=GAME, settings={"language": language}, **screen(SMALL))
    expect(page.get_by_role(SHOWN[address]).first).to_be_visible()
    if "analyse" in address:
        page.locator("input[name=analysis]").check()
        expect(page.locator(".line").first).to_be_visible()
    for size in ALL:
        page.set_viewport_size(screen(size)["viewport"])
        page.wait_for_timeout(200)
        assert page.evaluate("[document.documentElement.scrollWidth, innerWidth]") == [size[0], size[0]]
        for link in page.locator(".top nav a").all():
            assert link.bounding_box()["height"] < 42, name(size)  # type: ignore[index] # one line of words
        all_words_are_whole(page, size)


def all_words_are_whole(page: Page, size: tuple[int, int]) -> None:
    for cut in ("header", ".who b", ".who small", ".tool span"):
        for element in page.locator(cut).all():
            fits = element.evaluate("each => each.scrollWidth <= each.clientWidth")
            assert fits, f"{name(size)}: {element.inner_text()}"


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("game", [GAME, OTHELLO], ids=["gomoku", "othello"])
def test_nothing_is_cut_off_where_all_is_shown(opened: Opened, game: dict[str, Any], language: str) -> None:
    """With a button for what was taken back, with clocks, and with discs counted."""
    page = opened(game=game, settings={"language": language}, **screen(SMALL))
    status(page).to_have_text("Your turn" if language == "en" else "轮到你了")
    page.keyboard.press("u")
    expect(page.locator("[data-name=redo]")).to_be_visible()
    for size in [*ALL, *BETWEEN]:
        page.set_viewport_size(screen(size)["viewport"])
        page.wait_for_timeout(100)
        assert page.evaluate("document.documentElement.scrollWidth") == size[0]
        all_words_are_whole(page, size)
        for seat in page.locator(".seat").all():
            inside = seat.evaluate(
                "each => each.scrollWidth <= each.clientWidth && each.scrollHeight <= each.clientHeight"
            )
            assert inside, f"{name(size)}: {seat.inner_text()}"
            parts = [box for part in seat.locator("b, small, .count, .clock").all() if (box := part.bounding_box())]
            assert not any(overlap(one, other) for i, one in enumerate(parts) for other in parts[:i]), name(size)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    ("size", "game"), [(SMALL, OTHELLO), (PHONE, GAME), ((540, 800), GAME), ((1280, 800), OTHELLO)]
)
def test_seats_say_who_won_and_stay_as_they_are(
    opened: Opened, size: tuple[int, int], game: dict[str, Any], language: str
) -> None:
    page = opened(game=game | {"left": [4, 600]}, settings={"language": language}, **screen(size))
    expect(page.locator(".seat").nth(1)).to_contain_text("4" if game is OTHELLO else "8")  # its level is known
    before = page.get_by_role("grid").bounding_box()
    expect(page.locator(".result")).to_have_text(["Lost", "Won"] if language == "en" else ["负", "胜"])
    expect(page.locator(".seat").nth(1)).to_have_class(re.compile("winner"))
    assert page.get_by_role("grid").bounding_box() == before
    all_words_are_whole(page, size)
    for seat in page.locator(".seat").all():
        parts = [box for part in seat.locator("b, small, .count, .clock").all() if (box := part.bounding_box())]
        assert not any(overlap(one, other) for i, one in enumerate(parts) for other in parts[:i]), seat.inner_text()


def overlap(one: dict[str, float], other: dict[str, float]) -> bool:
    return all(
        min(one[at] + one[long], other[at] + other[long]) - max(one[at], other[at]) > 1
        for at, long in (("x", "width"), ("y", "height"))
    )


def test_the_names_of_players_fit_beside_their_clocks(opened: Opened) -> None:
    for first, second in (("mcts:time=60", "alphazero"), ("alphabeta:time=60", "minimax")):
        game = kept_game("h8i9", first=first, second=second, clock="3600+3") | {"left": [3600, 3600]}
        page = opened(game=game, **screen(SMALL))
        expect(page.locator(".clock").last).to_have_text("60:00")
        for who in page.locator(".who b").all():
            assert who.evaluate("each => each.scrollWidth <= each.clientWidth"), who.inner_text()


@pytest.mark.parametrize("size", [SIDEWAYS, ZOOMED], ids=name)
@pytest.mark.parametrize("address", ["#play", "#analyse/gomoku/h8i9"])
def test_a_screen_on_its_side_shows_the_board_whole_and_the_panel_beside_it(
    opened: Opened, address: str, size: tuple[int, int]
) -> None:
    page = opened(address, game=GAME, **screen(size))
    board, panel = page.get_by_role("grid").bounding_box(), page.locator(".panel").bounding_box()
    assert board is not None
    assert panel is not None
    assert board["y"] >= 0
    assert board["y"] + board["height"] <= size[1]
    assert board["height"] > 0.8 * size[1]
    assert panel["x"] >= board["x"] + board["width"]
    if "analyse" in address:
        expect(page.locator("[data-name=previous]")).to_be_in_viewport(ratio=1)  # and what walks through it
    page.evaluate("scrollTo(0, 1000)")
    assert page.get_by_role("grid").bounding_box()["y"] >= 0  # type: ignore[index] # what is below is seen with it


@pytest.mark.parametrize("size", [SMALL, PHONE], ids=name)
def test_a_phone_has_a_board_as_wide_as_it_is(opened: Opened, size: tuple[int, int]) -> None:
    board = opened(game=GAME, **screen(size)).get_by_role("grid").bounding_box()
    assert board is not None
    assert board["width"] > 0.9 * size[0]


@pytest.mark.parametrize("size", [*ALL, (1280, 800)], ids=name)
def test_dialogs_fit_and_the_button_that_begins_is_in_sight(opened: Opened, size: tuple[int, int]) -> None:
    page = opened(game=GAME, **screen(size))
    box = page.get_by_role("dialog")
    for dialog in ("help", "settings", "new"):
        page.locator(f"[data-name={dialog}]").click()
        if dialog == "new":
            box.get_by_role("radio", name="Swap2").check()
            box.get_by_role("radio", name="Choose both").check()
            for seat in ("namedFirst", "namedSecond"):
                box.locator(f"select[name={seat}]").select_option("name")
            box.get_by_role("radio", name="Clock").check()
            start = box.get_by_role("button", name="Start game")
            last = box.get_by_label("seconds a move")
            expect(last).to_be_in_viewport(ratio=1)  # what was chosen last has brought it there
            page.wait_for_function(
                "([last, start]) => last.getBoundingClientRect().bottom <= start.getBoundingClientRect().top",
                arg=[last.element_handle(), start.element_handle()],
            )
            for scrolled in (0, 10_000):
                box.evaluate("(each, top) => { each.scrollTop = top; }", scrolled)
                expect(start).to_be_in_viewport(ratio=1)
        assert box.evaluate("each => each.scrollWidth <= each.clientWidth")
        edge = box.bounding_box()
        assert edge is not None
        assert 0 <= edge["x"] <= edge["x"] + edge["width"] <= size[0]
        for field in box.locator("input:visible, select:visible, button:visible").all():
            place = field.bounding_box()
            assert place is not None
            assert place["x"] + place["width"] <= edge["x"] + edge["width"]
        page.keyboard.press("Escape")


def test_the_rows_of_a_dialog_stand_in_one_column(opened: Opened) -> None:
    page = opened("#play")
    page.locator("[data-name=new]").click()
    box = page.get_by_role("dialog")
    edges = set()
    for opponent, row in (("Computer", ".slider"), ("Choose both", ".named")):
        box.get_by_role("radio", name=opponent).check()
        for each in (box.locator("[data-name=opponent] .segments"), box.locator(row).first):
            found = each.bounding_box()
            assert found is not None
            edges.add((round(found["x"]), round(found["x"] + found["width"])))
    assert len(edges) == 1, edges
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Analyse").click()
    page.locator("[data-name=export]").click()
    left = {round(each.bounding_box()["x"]) for each in box.locator("h2, h3").all()}
    assert len(left) == 1, left
