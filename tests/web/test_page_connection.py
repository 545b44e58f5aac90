"""The page in a real browser: its connection comes and goes, at the worst of times."""

from __future__ import annotations

import re

import pytest
from browsing import Opened, expect, point, status

ANALYSED = "#analyse/gomoku:rule=standard/h8i9j10"
#: Sockets in the test's hand: while they are ``held`` they do not connect, and they are lost when it says so.
SOCKETS = """
const Real = WebSocket;
window.sockets = [];
window.held = false;
window.WebSocket = class {
    static CONNECTING = 0; static OPEN = 1; static CLOSING = 2; static CLOSED = 3;
    readyState = 0;
    constructor(address) {
        this.address = address;
        sockets.push(this);
        if (!held) this.connect();
    }
    connect() {
        if (this.readyState !== 0) return;
        this.real = new Real(this.address);
        this.real.onopen = () => { this.readyState = 1; this.onopen?.(); };
        this.real.onmessage = (event) => this.onmessage?.(event);
        this.real.onclose = () => this.lose();
    }
    send(text) { this.real.send(text); }
    close() { this.real?.close(); this.lose(); }
    lose() {
        if (this.readyState === 3) return;
        this.readyState = 3;
        this.onclose?.();
    }
}
"""


@pytest.mark.parametrize("address", ["#play", ANALYSED])
def test_a_second_try_while_the_first_is_on_its_way_is_the_one_that_counts(opened: Opened, address: str) -> None:
    """As where a laptop wakes up: the tab is seen again and the network is back, one moment after the other."""
    page = opened(address)
    page.add_init_script(SOCKETS)
    page.reload()
    status(page).to_have_text("Your turn") if address == "#play" else expect(point(page, "j10")).to_be_visible()
    page.evaluate("held = true; sockets[0].lose()")
    page.wait_for_function("() => sockets.length === 2")  # by itself
    page.evaluate("document.dispatchEvent(new Event('visibilitychange')); dispatchEvent(new Event('online'))")
    page.wait_for_function("() => sockets.length >= 3")
    page.evaluate("held = false; for (const socket of sockets) socket.connect()")
    expect(page.locator(".notice")).to_be_hidden()
    if address == "#play":
        point(page, "h8").click()
        expect(page.locator(".moves .move").first).to_have_text("h8")
    else:
        page.keyboard.press("ArrowLeft")
        expect(page).to_have_url(re.compile("/h8i9$"))
        page.keyboard.press("ArrowRight")
        expect(page).to_have_url(re.compile("/h8i9j10$"))
    open_now = page.evaluate("sockets.filter((socket) => socket.readyState === 1).length")
    assert open_now == 1


def test_a_step_while_the_connection_closes_loses_nothing(opened: Opened) -> None:
    page = opened(ANALYSED)
    page.add_init_script(SOCKETS)
    page.reload()
    expect(page.locator(".standing")).to_contain_text("White to move")
    page.evaluate("sockets[0].readyState = 2")  # the server has said goodbye, and the line is not down yet
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile("/h8i9$"))
    page.evaluate("sockets[0].lose()")
    expect(page.locator(".standing")).to_contain_text("Black to move")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("/h8i9j10$"))
    expect(page.locator(".standing")).to_contain_text("White to move")


@pytest.mark.parametrize(
    ("address", "becomes"),
    [
        ("#analyse/othello/d3a1", "#analyse/othello/d3"),
        ("#analyse/renju/h8a1h9a2i10a3j10a4h10", "#analyse/renju/h8a1h9a2i10a3j10a4"),
        ("#analyse/gomoku:size=99/h8", "#analyse"),
    ],
)
def test_an_address_with_a_move_that_cannot_be_keeps_what_can(opened: Opened, address: str, becomes: str) -> None:
    page = opened(address, quiet=False)  # a size that no board has is asked about
    expect(page).to_have_url(re.compile(f"{re.escape(becomes)}(/gomoku)?/?$"))
    expect(page.locator(".toast")).to_have_count(1)


#: Loses the connection the moment that so much of a review is told.
LOSE_AT = """(text) => {
    window.told = [];
    new MutationObserver((_, observer) => {
        told.push(document.querySelector(".review .about").textContent);
        if (told.at(-1) === text) sockets[0].lose();
    }).observe(document.querySelector(".review .about"), {childList: true});
}"""


@pytest.mark.parametrize("at", [1, 3])  # of the last position the server is asked whether the game is over there
def test_a_review_goes_on_where_it_was_when_the_connection_is_back(opened: Opened, at: int) -> None:
    page = opened(ANALYSED)
    page.add_init_script(SOCKETS)
    page.reload()
    expect(page.locator(".standing")).to_contain_text("White to move")
    page.keyboard.press("Home")  # what is analysed is known before
    page.get_by_role("switch", name="Analysis").click()
    expect(page.locator(".line").first).to_be_visible()
    page.evaluate(LOSE_AT, f"Reviewing {at} of 4")
    page.get_by_role("button", name="Review game").click()
    page.wait_for_function("() => sockets.length === 2")
    expect(page.get_by_role("button", name="Review game")).to_be_visible()
    expect(page.locator(".graph .curve:not(.dot)")).to_have_attribute("d", re.compile("^M([^L]+L){3}[^L]+$"))
    expect(page.get_by_role("switch", name="Analysis")).to_be_checked()
    assert page.evaluate("told") == [*(f"Reviewing {done} of 4" for done in range(4)), "Evaluation"]
