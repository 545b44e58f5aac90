"""The page in a real browser: going from view to view, by links, addresses and keys."""

from __future__ import annotations

import re

import pytest
from browsing import Opened, expect, kept_game, status

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
