"""The page in a real browser: what a pointer or a finger touches stays there, and does what it looks like."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from browsing import PHONE, SIDEWAYS, Opened, Page, expect, kept_game, moves_of, point, status

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


def test_a_review_is_stopped_by_a_slow_press_too(opened: Opened) -> None:
    page = opened("#analyse/gomoku:rule=standard/h8i9g9h10i8g10k9f10e10h11d12c13")
    page.get_by_role("button", name="Review game").click()
    words = page.locator(".review .about")
    for _ in range(2):
        before = words.text_content()
        page.mouse.move(*middle(page, "[data-name=stop-review]"))
        page.mouse.down()
        expect(words).not_to_have_text(before or "")  # another position is looked at
        page.mouse.up()
        expect(words).to_have_text("Evaluation", timeout=2000)  # long before it would end by itself
        page.mouse.move(*middle(page, "[data-name=review]"))
        page.mouse.down()
        page.mouse.up()
        expect(words).to_have_text(re.compile("Reviewing"))
    page.locator("[data-name=stop-review]").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Review game")).to_be_focused()


NOTED = """() => {
    window.noted = {};
    const note = () => {
        for (const each of document.querySelectorAll(".review .text, .walk button, .tools button")) {
            if (!each.checkVisibility()) continue;
            const { x, right, y } = each.getBoundingClientRect();
            (noted[each.dataset.name] ??= []).push([each.matches(".text") ? right : x, y + scrollY]);
        }
        requestAnimationFrame(note);
    };
    note();
}"""


@pytest.mark.parametrize("lines", [5, 8])
@pytest.mark.parametrize("screen", [{}, PHONE, SIDEWAYS], ids=["desktop", "phone", "sideways"])
def test_nothing_moves_while_one_walks_through_an_analysed_game(
    opened: Opened, screen: dict[str, Any], lines: int
) -> None:
    page = opened("#analyse/gomoku/h8m3c12l13e4", **screen)
    page.locator("select[name=lines]").select_option(str(lines))
    expect(page.locator(".step[aria-current]")).to_contain_text("e4")
    page.evaluate(NOTED)
    page.locator("input[name=analysis]").check()
    expect(page.locator(".line")).to_have_count(lines)
    for key in ("ArrowLeft", "ArrowLeft", "End"):
        page.keyboard.press(key)
        expect(page.locator(".line")).to_have_count(lines)
    page.locator("input[name=analysis]").uncheck()
    noted = page.evaluate("window.noted")
    assert {"review", "previous", "export"} <= set(noted)
    for name, places in noted.items():
        for along in zip(*places, strict=True):
            assert max(along) - min(along) <= 1, name
    page.evaluate("scrollTo(0, 0)")
    if screen == {}:
        assert page.evaluate("document.documentElement.scrollHeight") == 800  # all of it is in the window


def test_moves_are_taken_back_as_fast_as_one_clicks(opened: Opened) -> None:
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
    expect(page.get_by_role("button", name="Redo")).to_be_enabled()
    page.mouse.up()
    expect(page.locator(".moves .move")).to_have_count(2)


LONG = "".join(f"{column}{row}" for column in "abcdefghijklmno" for row in (1, 2, 4, 5, 7))  # nobody has five


@pytest.mark.parametrize("size", [(1366, 768), (1280, 800), (1024, 600), (1920, 1080)], ids=str)
def test_what_walks_through_a_game_stays_while_it_grows(opened: Opened, size: tuple[int, int]) -> None:
    places = []
    for moves, count in (("h8i9", 2), (LONG, 75)):
        page = opened(game=kept_game(moves), viewport={"width": size[0], "height": size[1]})
        expect(page.locator(".moves .move")).to_have_count(count)
        places.append(page.locator("[data-name=previous]").bounding_box())
        assert page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [*size]
        expect(page.locator(".moves")).to_be_in_viewport(ratio=1)
    assert places[0] == places[1]


def tools(page: Page) -> dict[str | None, Any]:
    return {
        each.get_attribute("data-name"): each.bounding_box() for each in page.locator(".tools button:visible").all()
    }


@pytest.mark.parametrize(
    "screen", [{}, PHONE, {"viewport": {"width": 320, "height": 568}}], ids=["desktop", "phone", "small"]
)
def test_the_tools_stay_where_they_are_for_a_whole_game(opened: Opened, screen: dict[str, Any]) -> None:
    page = opened(game=kept_game("h8a1i8a2j8a3k8a4"), **({"settings": {"confirm": False}} | screen))
    status(page).to_have_text("Black to move")
    before = tools(page)
    assert list(before) == ["undo", "redo", "hint", "draw", "resign", "analyse", "new"]
    page.keyboard.press("u")
    status(page).to_have_text("White to move")
    assert tools(page) == before
    page.keyboard.press("y")
    status(page).to_have_text("Black to move")
    point(page, "l8").click()
    status(page).to_have_text("Black won")
    assert tools(page) == before


def test_the_tools_stay_where_they_are_while_two_programs_pause_and_end(opened: Opened) -> None:
    page = opened(game=kept_game("a1i9b1i8c1i7", game="gomoku:size=9", first="random", second="random"))
    page.get_by_role("button", name="Pause").click()
    status(page).to_have_text("Paused")
    before = tools(page)
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    assert tools(page) == before


@pytest.mark.parametrize("screen", [{}, PHONE, SIDEWAYS], ids=["desktop", "phone", "sideways"])
def test_the_way_home_is_large_enough_for_a_finger(opened: Opened, screen: dict[str, Any]) -> None:
    page = opened(**screen)
    box = page.locator(".brand").bounding_box()
    assert box is not None
    assert box["height"] >= 40
    assert box["x"] >= 0


# --- dialogs ---


def test_what_is_clicked_in_the_dialog_of_a_new_game_stays_there(opened: Opened) -> None:
    page = opened(game=kept_game())
    page.keyboard.press("n")
    box = page.get_by_role("dialog")
    choices = [
        "Othello",
        "Gomoku",
        "Swap2",
        "Free",
        "Person here",
        "Choose both",
        "Computer",
        "Clock",
        "Per move",
        "No limit",
    ]
    for size in ((1280, 800), (390, 844), (320, 568)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        for name in choices:
            choice = box.get_by_role("radio", name=name, exact=True)
            choice.scroll_into_view_if_needed()
            before = choice.bounding_box()
            page.mouse.click(before["x"] + before["width"] / 2, before["y"] + before["height"] / 2)
            expect(choice).to_be_checked()
            opens = size != (1280, 800) and name in ("Clock", "Per move", "Choose both")  # what comes into sight
            assert opens or choice.bounding_box() == before, f"{size}: {name}"
            if opens:
                page.wait_for_timeout(500)  # until it has come


def test_no_choice_is_taken_away_when_the_server_has_said_who_plays(opened: Opened) -> None:
    page = opened(game=kept_game())
    held: list[Any] = []
    page.route("**/api/about?game=*", lambda route: held.append(route))
    page.keyboard.press("n")
    box = page.get_by_role("dialog")
    box.get_by_role("radio", name="Choose both").check()
    with page.expect_request("**/api/about?game=*"):
        box.get_by_role("radio", name="9", exact=True).check()
    clock = box.get_by_role("radio", name="Clock").element_handle()
    seat = box.get_by_role("combobox").first.element_handle()
    page.unroute("**/api/about?game=*")  # which lets those that were held go on
    page.wait_for_function("seat => !seat.isConnected", arg=seat)  # who plays on this board has been drawn
    assert clock.evaluate("choice => choice.isConnected")


def test_the_dialog_says_whom_a_time_for_each_move_binds(opened: Opened) -> None:
    page = opened(game=kept_game())
    page.keyboard.press("n")
    box = page.get_by_role("dialog")
    expect(box.get_by_text("Programs keep to it")).to_have_count(0)
    box.get_by_role("radio", name="Per move").check()
    expect(box.get_by_text("Programs keep to it; people think as long as they like.")).to_be_in_viewport(ratio=1)
    box.get_by_role("radio", name="Clock").check()
    expect(box.locator(".field").last).to_have_text(re.compile("minutes\\+seconds a move$"))


@pytest.mark.parametrize("screen", [{}, PHONE, SIDEWAYS], ids=["desktop", "phone", "sideways"])
def test_a_trouble_covers_no_button_and_ends_with_what_it_was_about(opened: Opened, screen: dict[str, Any]) -> None:
    page = opened(game=kept_game(), quiet=False, **screen)
    status(page).to_have_text("Black to move")
    page.get_by_title("New game").click()
    box = page.get_by_role("dialog")
    box.get_by_role("radio", name="Choose both").check(force=True)
    box.locator("select[name=namedFirst]").select_option("name")
    box.locator("input[name=namedFirstText]").fill("nobody")
    start = box.get_by_role("button", name="Start game")
    start.click()
    trouble = page.locator(".toast.bad")
    expect(trouble).to_be_in_viewport(ratio=1)
    title, told, button = (each.bounding_box() for each in (box.locator("header h2"), trouble, start))
    assert title is not None
    assert told is not None
    assert button is not None
    assert title["y"] + title["height"] <= told["y"]
    assert told["y"] + told["height"] <= button["y"]
    page.keyboard.press("Escape")
    expect(trouble).to_be_visible()
    page.get_by_title("New game").click()
    expect(start).to_be_visible()
    assert trouble.count() == 0  # at once, and not only after its five seconds


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
