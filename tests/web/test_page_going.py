"""The page in a real browser: going from view to view, and back and on in a game, by links, addresses and keys."""

from __future__ import annotations

import re

import pytest
from browsing import Opened, expect, kept_game, moves_of, point, status

ANALYSED = "#analyse/gomoku:rule=standard/h8i9"


@pytest.mark.parametrize("change", ["lines", "position"])
def test_a_step_elsewhere_is_not_undone_by_what_the_view_says(opened: Opened, change: str) -> None:
    """Between a click on a link and the event that tells of it, a message may come."""
    page = opened(ANALYSED)
    page.get_by_role("switch", name="Analysis").click()
    expect(page.locator(".line").first).to_be_visible()
    page.evaluate(
        """(change) => {
        location.hash = '#play';
        const select = document.querySelector('select[name=lines]');
        if (change === 'lines') select.dispatchEvent(new Event('change'));  // the view draws itself anew
        else document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft', bubbles: true}));
    }""",
        change,
    )
    status(page).to_have_text("Your turn")
    expect(page).to_have_url(re.compile("#play$"))


def test_a_view_that_is_left_and_come_back_to_at_once_was_left(opened: Opened) -> None:
    page = opened(ANALYSED)
    page.get_by_role("switch", name="Analysis").click()
    expect(page.locator(".line").first).to_be_visible()
    page.evaluate("""() => {
        location.hash = '#play';
        location.hash = '#analyse';
    }""")
    expect(page.get_by_role("switch", name="Analysis")).not_to_be_checked()
    expect(page).to_have_url(re.compile(f"{re.escape(ANALYSED)}$"))
    page.go_back()
    status(page).to_have_text("Your turn")


def test_a_view_that_was_left_writes_no_address(opened: Opened) -> None:
    page = opened("#play")
    status(page).to_have_text("Your turn")
    held = []
    page.route("**/api/about?game=*", lambda route: held.append(route))
    with page.expect_request("**/api/about?game=*"):
        page.evaluate("location.hash = '#analyse/gomoku:size=11/f6'")
    page.get_by_role("link", name="Play").click()
    status(page).to_have_text("Your turn")
    with page.expect_response("**/api/about?game=*"):
        held[0].continue_()
    for _ in range(5):  # the answer has come before these
        page.evaluate("fetch('/api/nets').then((answer) => answer.json())")
    assert page.url.endswith("#play")


def test_the_keys_stay_on_the_link_that_was_followed(opened: Opened) -> None:
    page = opened()
    status(page).to_have_text("Your turn")
    for name in ("Analyse", "Watch", "Play"):
        link = page.get_by_role("link", name=name, exact=True)
        link.focus()
        page.keyboard.press("Enter")
        expect(link).to_have_attribute("aria-current", "page")
        expect(link).to_be_focused()


def test_the_same_words_are_said_again(opened: Opened) -> None:
    """What has not changed is not read aloud: so it goes first."""
    page = opened(game=kept_game("h8a1i9b1j10c1", second="random"))
    status(page).to_have_text("Your turn")
    page.evaluate("""() => {
        window.said = [];
        const region = document.querySelector('#said');
        new MutationObserver(() => said.push(region.textContent)).observe(region, {childList: true});
    }""")
    for count in (4, 2):
        page.keyboard.press("u")
        expect(page.locator(".moves .move")).to_have_count(count)
    page.wait_for_function("() => window.said.length >= 3")
    assert page.evaluate("window.said") == ["Undo. Your turn", "", "Undo. Your turn"]


def test_what_was_taken_back_is_played_again_by_button_and_key(opened: Opened) -> None:
    page = opened(game=kept_game("h8a1i9b1j10c1", second="random"), viewport={"width": 320, "height": 568})
    undo, redo = (page.get_by_role("button", name=name, exact=True) for name in ("Undo", "Redo"))
    moves = page.locator(".moves .move")
    status(page).to_have_text("Your turn")
    expect(redo).to_be_disabled()
    for count in (4, 2):
        undo.click()
        expect(moves).to_have_count(count)
    redo.click()
    expect(moves).to_have_count(4)
    for tool in page.locator(".tools button:visible").all():  # there is room for one more
        edge = tool.bounding_box()
        assert edge is not None
        assert 0 <= edge["x"] <= edge["x"] + edge["width"] <= 320
    page.keyboard.press("y")
    expect(moves).to_have_count(6)
    assert moves_of(page) == ["h8", "a1", "i9", "b1", "j10", "c1"]
    expect(redo).to_be_disabled()
    undo.click()
    expect(redo).to_be_enabled()
    point(page, "o15").click()
    expect(moves).to_have_count(6)
    expect(redo).to_be_disabled()  # the game has gone another way
