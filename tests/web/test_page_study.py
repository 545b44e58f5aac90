"""The page in a real browser: reviews, deep trees and the names of games in Analyse."""

from __future__ import annotations

import json
import re

import pytest
from browsing import Opened, expect, point

REVIEWED = "#analyse/gomoku:rule=standard/h8i9g9h10i8"


@pytest.mark.parametrize("was_on", [True, False])
@pytest.mark.parametrize("stopped", [True, False])
def test_after_a_review_analysis_is_as_it_was(opened: Opened, stopped: bool, was_on: bool) -> None:
    page = opened(REVIEWED)
    analysis = page.get_by_role("switch", name="Analysis")
    if was_on:
        analysis.click()
        expect(page.locator(".line").first).to_be_visible()
    page.get_by_role("button", name="Review game").click()
    expect(page.locator(".review")).to_contain_text("Reviewing")
    expect(analysis).not_to_be_checked()
    if stopped:
        page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Review game")).to_be_visible()
    expect(analysis).to_be_checked(checked=was_on)
    if was_on:
        expect(page.locator(".line").first).to_be_visible()
        before = page.locator(".stats").text_content() or ""
        expect(page.locator(".stats")).not_to_have_text(before)  # it goes on


def test_analysis_that_is_turned_off_during_a_review_stays_off(opened: Opened) -> None:
    page = opened(REVIEWED)
    analysis = page.get_by_role("switch", name="Analysis")
    analysis.click()
    expect(page.locator(".line").first).to_be_visible()
    page.get_by_role("button", name="Review game").click()
    expect(page.locator(".review")).to_contain_text("Reviewing")
    analysis.click()
    expect(analysis).to_be_checked()
    analysis.click()
    page.wait_for_timeout(3000)  # longer than the review would take
    expect(page.get_by_role("button", name="Review game")).to_be_visible()
    expect(analysis).not_to_be_checked()


def test_a_reload_during_a_review_turns_analysis_on_again(opened: Opened) -> None:
    page = opened(REVIEWED)
    page.get_by_role("switch", name="Analysis").click()
    expect(page.locator(".line").first).to_be_visible()
    page.get_by_role("button", name="Review game").click()
    expect(page.locator(".review")).to_contain_text("Reviewing")
    page.reload()
    expect(page.get_by_role("switch", name="Analysis")).to_be_checked()


def test_what_only_compares_moves_leaves_the_review_to_another(opened: Opened) -> None:
    page = opened("#analyse/gomoku/h8i9g9")
    expect(page.locator("[name=engine] option").nth(1)).to_be_attached()
    page.locator("select[name=engine]").select_option("evolved")
    page.get_by_role("button", name="Review game").click()
    expect(page.get_by_role("button", name="Review game")).to_be_visible()
    expect(page.locator(".graph .curve")).to_have_attribute("d", re.compile("^M([^L]+L){3}[^L]+$"))


def test_every_move_of_a_deep_tree_can_be_reached(opened: Opened) -> None:
    letters = "abcdefghijklmno"
    played = [f"{letter}{row}" for row in (1, 2, 3, 4) for letter in letters][:47]
    others = [f"{letter}{row}" for row in (8, 9, 10, 11) for letter in letters]
    nodes: list[dict[str, object]] = []
    parent = -1
    for main, other in zip(others, played, strict=False):  # at every move another one, and that is followed
        nodes += [{"parent": parent, "move": main, "comment": ""}, {"parent": parent, "move": other, "comment": ""}]
        parent = len(nodes) - 1
    nodes.append({"parent": parent, "move": "o15", "comment": ""})
    assert len(nodes) == 95
    record = {"game": "gomoku", "setup": None, "headers": {}, "result": "unknown", "comment": "", "nodes": nodes}
    page = opened("#play")
    page.evaluate("kept => sessionStorage.setItem('tengen.study', kept)", json.dumps({"record": record}))
    page.goto(page.url.replace("#play", "#analyse"))
    page.evaluate(
        "kept => addEventListener('pagehide', () => sessionStorage.setItem('tengen.study', kept))",
        json.dumps({"record": record}),
    )
    page.reload()
    expect(page.locator(".step")).to_have_count(95)
    assert page.locator(".step .ply").all_text_contents().count("48") == 1
    page.locator(".step", has_text="o15").click()
    expect(point(page, "o15")).to_have_attribute("aria-label", "o15, white")
    expect(page.locator(".step[aria-current]")).to_be_in_viewport()
    assert page.locator(".variations").evaluate("each => each.scrollWidth <= each.clientWidth")


def test_a_game_by_another_name_becomes_the_servers(opened: Opened) -> None:
    page = opened("#play")
    page.evaluate("location.hash = '#analyse/gomoku:rule=renju/h8i9'")
    steps = page.evaluate("history.length")
    expect(page).to_have_url(re.compile("#analyse/renju/h8i9$"))
    expect(page.locator("select[name=engine] option").first).to_have_text("AlphaZero")
    expect(page.locator("select[name=engine] option").nth(1)).to_be_attached()
    expect(page.locator("select[name=game]")).to_have_value("renju")
    assert page.evaluate("history.length") == steps
    page.keyboard.press("ArrowLeft")
    point(page, "j10").click()
    expect(page.locator(".branch .step")).to_have_text("2 j10")
    page.evaluate("location.hash = '#analyse/gomoku:rule=renju/h8i9'")  # the same tree by its other name
    expect(page).to_have_url(re.compile("#analyse/renju/h8i9$"))
    expect(page.locator(".branch .step")).to_have_text("2 j10")
    expect(page.get_by_role("button", name="Bring it back")).to_be_hidden()
