"""The page in a real browser: what a pointer or a finger touches stays there, and does what it looks like."""

from __future__ import annotations

import json
from typing import Any

import pytest
from browsing import PHONE, Opened, Page, expect, kept_game, moves_of, point, status

GHOST = ".board g[opacity='.68']"


def middle(page: Page, selector: str) -> tuple[float, float]:
    expect(page.locator(selector)).to_be_visible()
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drawn_again(page: Page) -> None:
    """Wait until the board has been drawn anew, as it is ten times a second while a position is analysed."""
    page.evaluate(
        """() => new Promise((drawn) => {
            const layer = document.querySelectorAll(".board > g")[2];  // what lies over the stones
            const seen = new MutationObserver(() => (seen.disconnect(), drawn()));
            seen.observe(layer, {childList: true});
        })"""
    )


# --- the board ---


@pytest.mark.parametrize("control", ["switch", "menu"])
def test_arrow_keys_walk_through_the_game_after_a_control_was_used(opened: Opened, control: str) -> None:
    page = opened("#analyse/gomoku/h8i9")
    expect(page.locator(".step[aria-current]")).to_contain_text("i9")
    if control == "switch":
        page.get_by_role("switch", name="Analysis").click()
    else:
        page.locator("select[name=engine]").select_option("alphabeta")
        page.locator("select[name=engine]").focus()
    point(page, "j10").click()
    expect(page.locator(".step[aria-current]")).to_contain_text("j10")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".step[aria-current]")).to_contain_text("i9")
    expect(page.locator("select[name=engine]")).to_have_value("alphabeta" if control == "menu" else "alphazero")


def test_the_switch_that_has_the_focus_leaves_the_arrow_keys_to_the_game(opened: Opened) -> None:
    page = opened("#analyse/gomoku/h8i9")
    expect(page.locator(".step[aria-current]")).to_contain_text("i9")
    switch = page.get_by_role("switch", name="Analysis")
    switch.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".step[aria-current]")).to_contain_text("h8")
    page.keyboard.press("Space")
    expect(switch).to_be_checked()
    menu = page.locator("select[name=engine]")
    menu.focus()
    page.keyboard.press("Home")  # a list has a use for it
    expect(page.locator(".step[aria-current]")).to_contain_text("h8")


def test_a_stone_that_was_tapped_once_stays_in_sight_while_lines_come_in(opened: Opened) -> None:
    page = opened("#analyse/gomoku/h8i9", **PHONE)
    page.get_by_role("switch", name="Analysis").tap()
    expect(page.locator(".line").first).to_be_visible()
    point(page, "a1").tap()
    for _ in range(3):
        drawn_again(page)
        expect(page.locator(GHOST)).to_have_count(1)
    point(page, "b2").tap()
    drawn_again(page)
    expect(page.locator(GHOST)).to_have_count(1)
    expect(page.locator(".step")).to_have_count(2)
    point(page, "b2").tap()
    expect(page.locator(".step[aria-current]")).to_contain_text("b2")
    drawn_again(page)
    expect(page.locator(GHOST)).to_have_count(0)


def test_a_stone_under_the_pointer_stays_in_sight_while_lines_come_in(opened: Opened) -> None:
    page = opened("#analyse/gomoku/h8i9")
    page.get_by_role("switch", name="Analysis").click()
    expect(page.locator(".line").first).to_be_visible()
    point(page, "a1").hover()
    for _ in range(3):
        drawn_again(page)
        expect(page.locator(GHOST)).to_have_count(1)
    point(page, "h8").hover()  # where a stone is
    expect(page.locator(GHOST)).to_have_count(0)
    point(page, "a1").hover()
    page.locator(".standing").hover()
    drawn_again(page)
    expect(page.locator(GHOST)).to_have_count(0)


# --- buttons ---


def pressed_while_moves_come(page: Page, selector: str) -> None:
    """Hold the pointer's button down on something until the game has gone on."""
    page.mouse.move(*middle(page, selector))
    page.mouse.down()
    count = len(moves_of(page))
    page.wait_for_function(f"() => JSON.parse(sessionStorage.getItem('tengen.game')).moves.length > {count}")
    page.mouse.up()


def test_buttons_stay_under_the_pointer_while_two_programs_play(opened: Opened) -> None:
    page = opened(game=kept_game("h8", first="random", second="random"))
    expect(page.locator(".moves .move").nth(1)).to_be_visible()
    page.locator("[data-name=first]").click()
    pressed_while_moves_come(page, "[data-name=return]")
    expect(page.locator("[data-name=return]")).to_be_hidden()
    pressed_while_moves_come(page, "[data-name=pause]")
    status(page).to_have_text("Paused")
    expect(page.get_by_role("button", name="Resume")).to_be_visible()


def test_moves_are_taken_back_as_fast_as_one_clicks(opened: Opened) -> None:
    """The first that is taken back brings a button with it: the others stay where they are."""
    page = opened(game=kept_game("h8a1i9b1j10c1", second="random"))
    status(page).to_have_text("Your turn")
    undo = page.get_by_role("button", name="Undo")
    sockets: list[Any] = []

    def between(socket: Any) -> None:
        server = socket.connect_to_server()
        sockets.append(server)
        server.on_message(lambda message: socket.send(message))

    page.route_web_socket("**/ws", between)
    page.reload()
    status(page).to_have_text("Your turn")
    undo.hover()
    page.mouse.down()
    sockets[-1].send(json.dumps({"do": "undo"}))
    expect(page.get_by_role("button", name="Redo")).to_be_visible()
    page.mouse.up()
    expect(page.locator(".moves .move")).to_have_count(2)


# --- dialogs ---


def test_a_dialog_closes_by_a_click_beside_it_alone(opened: Opened) -> None:
    page = opened("#analyse")
    page.get_by_role("button", name="Import").click()
    box = page.get_by_role("dialog")
    edge = box.bounding_box()
    assert edge is not None
    text = page.get_by_label("Paste a game here")
    text.fill("h8 i9")
    inside, outside = edge["x"] + 10, edge["x"] - 10
    below = edge["y"] + edge["height"] - 10
    page.mouse.click(inside, below)
    x, y = middle(page, "textarea")
    for start, end in (((x, y), (outside, y)), ((outside, y), (x, y)), ((outside, y), (inside, below))):
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move(*end, steps=3)
        page.mouse.up()
        expect(text).to_have_value("h8 i9")
    page.mouse.click(outside, y)
    expect(box).to_have_count(0)


def test_the_button_that_closes_says_so_in_the_language_chosen(opened: Opened) -> None:
    page = opened()
    page.get_by_role("button", name="Settings").click()
    box = page.get_by_role("dialog")
    box.get_by_role("radio", name="中文").check()
    expect(box.get_by_role("button", name="Close")).to_have_count(0)
    closing = box.get_by_role("button", name="关闭")
    expect(closing).to_have_attribute("title", "关闭")
    closing.click()
    expect(box).to_have_count(0)
