"""The page in a real browser: playing, staying, and everybody who does."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from browsing import (
    PHONE,
    Opened,
    expect,
    free_port,
    kept_game,
    moves_of,
    point,
    serious_findings,
    serving_at,
    status,
    walk_to,
)

import tengen
from tengen.games import Game
from tengen.web.levels import levels
from tengen.web.table import Table

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
    expect(page.locator(".seat.winner")).to_have_text("YouWonBlack")
    expect(page.locator(".seat:not(.winner) .result")).to_have_text("Lost")
    last = point(page, moves_of(page)[-1]).bounding_box()
    mark = page.locator(".board circle[fill='#ff8d7d']").bounding_box()  # the line does not hide it
    assert last is not None
    assert mark is not None
    assert mark["x"] + mark["width"] / 2 == pytest.approx(last["x"] + last["width"] / 2, abs=1)


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
    expect(page.locator(".detail")).to_have_text("Five in a row wins. Click a crossing.")
    expect(page.locator(".seat").nth(1)).to_contain_text("Level 3")
    point(page, "h8").click()
    expect(page.locator(".moves .move")).to_have_count(2)
    expect(page.locator(".detail")).to_have_text("")


@pytest.mark.parametrize(
    ("game", "locale", "options", "text"),
    [
        ("gomoku:win=4", "en-GB", PHONE, "4 in a row wins. Tap a crossing twice."),
        ("othello", "en-GB", {}, "Most discs win. Click a dot."),
        ("othello", "zh-CN", PHONE, "终局子多者胜。轻点圆点两次落子。"),
    ],
)
def test_whoever_begins_is_told_how(opened: Opened, game: str, locale: str, options: dict[str, Any], text: str) -> None:
    page = opened(game=kept_game(game=game), locale=locale, **options)
    expect(page.locator(".detail")).to_have_text(text)


@pytest.mark.parametrize(
    ("locale", "choosers"),
    [
        ("en-GB", ["Second: choose a colour", "First: choose a colour", "Choose a colour"]),
        ("zh-CN", ["后手请选颜色", "先手请选颜色", "请选颜色"]),
    ],
)
def test_it_is_said_who_chooses_a_colour(opened: Opened, locale: str, choosers: list[str]) -> None:
    by_second = kept_game("h8i9g7", protocol="swap2")
    by_first = kept_game("h8i9g7a1b1", protocol="swap2", choices=("place two",))
    by_you = kept_game("h8i9g7", protocol="swap", first="random")
    for game, text in zip((by_second, by_first, by_you), choosers, strict=True):
        status(opened(game=game, locale=locale)).to_have_text(text)


def test_a_new_game_is_as_it_was_asked_for(opened: Opened) -> None:
    page = opened()
    page.keyboard.press("n")
    box = page.get_by_role("dialog")
    box.get_by_role("radio", name="Renju").check()
    expect(box.locator(".level")).to_have_text("3Casual")  # renju's levels were not measured
    box.get_by_role("radio", name="Freestyle").check()
    box.get_by_role("radio", name="9", exact=True).check()
    expect(box.locator(".level")).to_have_text("3Casual")
    box.get_by_role("radio", name="15", exact=True).check()
    box.get_by_label("Level").fill("4")
    expect(box.locator(".level")).to_have_text(re.compile(r"^4Improverrating \d{4}$"))
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
        "setup": None,
    }  # fmt: skip
    expect(page.locator('.clock[data-side="white"]')).to_have_text(re.compile(r"2:0\d|1:5\d"))
    before = page.locator('.clock[data-side="white"]').text_content()
    expect(page.locator('.clock[data-side="white"]')).not_to_have_text(before or "")


def test_two_programs_play_by_themselves(opened: Opened) -> None:
    four = "a1i9b1i8c1i7d1i1"
    page = opened(game=kept_game(four, game="gomoku:size=9", first="greedy", second="random"))
    status(page).to_have_text("Black won")
    for name in ("Hint", "Draw", "Resign"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    expect(page.get_by_role("button", name="Pause")).to_be_disabled()


def test_any_two_players_are_chosen_by_friendly_names(opened: Opened) -> None:
    page = opened()
    status(page).to_have_text("Your turn")
    page.keyboard.press("n")
    box = page.get_by_role("dialog")
    box.get_by_role("radio", name="Choose both").check()
    expect(box.get_by_label("Black").locator("option", has_text="Evolved net")).to_have_count(1)
    box.get_by_role("radio", name="Othello").check()
    none = box.get_by_label("Black").locator("option", has_text="Evolved net")  # it plays Gomoku alone
    expect(none).to_have_count(0)
    box.get_by_role("radio", name="Gomoku").check()
    fourth = levels(Game.parse("gomoku"))[3]
    box.get_by_label("Black").select_option(f"4 · Improver · rating {fourth.rating}")
    box.get_by_label("White").select_option("Greedy")
    box.get_by_role("button", name="Start game").click()
    expect(page.locator(".seat").nth(0)).to_contain_text("Improver")
    expect(page.locator(".seat").nth(1)).to_contain_text("Greedy")
    terms = page.evaluate("JSON.parse(sessionStorage.getItem('tengen.game')).terms")
    assert (terms["first"], terms["second"]) == ("minimax:depth=2", "greedy")
    page.keyboard.press("n")
    expect(box.get_by_label("Black").locator("option:checked")).to_contain_text("Improver")  # as it was left
    box.get_by_label("White").select_option("You")
    box.get_by_role("button", name="Start game").click()
    status(page).to_have_text("Your turn")


def test_experts_name_a_player_as_the_registry_does(opened: Opened) -> None:
    page = opened()
    status(page).to_have_text("Your turn")
    page.keyboard.press("n")
    box = page.get_by_role("dialog")
    box.get_by_role("radio", name="Choose both").check()
    box.get_by_label("Black", exact=True).select_option("You")
    box.get_by_label("White", exact=True).select_option("By its name…")
    box.get_by_label("White, by name").fill("nobody")
    box.get_by_role("button", name="Start game").click()
    expect(box.get_by_role("alert")).to_contain_text("nobody")  # in the dialog, which stays: else nobody hears it
    box.get_by_label("White, by name").fill("mcts:playouts=7")
    box.get_by_role("button", name="Start game").click()
    expect(box).to_have_count(0)
    status(page).to_have_text("Your turn")
    expect(page.locator(".seat").nth(1)).to_have_text("Monte Carloplayouts=7")
    expect(page.locator("body > .toasts")).to_have_count(1)


def test_seats_wait_until_it_is_known_who_there_is(opened: Opened) -> None:
    page = opened()
    status(page).to_have_text("Your turn")
    held: list[Any] = []
    page.route("**/api/about*", lambda route: held.append(route))
    page.reload()
    page.keyboard.press("n")
    box = page.get_by_role("dialog")
    box.get_by_role("radio", name="Choose both").check()
    white = box.get_by_label("White", exact=True)
    expect(white).to_be_disabled()
    page.unroute("**/api/about*")  # which lets those that were held go on
    white.select_option("By its name…")
    expect(box.get_by_label("White, by name")).to_be_visible()


def test_the_dialog_asks_once_for_what_nobody_answers(opened: Opened) -> None:
    page = opened(quiet=False)
    status(page).to_have_text("Your turn")

    def is_about_nine(request: Any) -> bool:
        return "size%3D9" in request.url  # what was asked before may fail too

    asked: list[str] = []
    page.on("requestfailed", lambda request: is_about_nine(request) and asked.append(request.url))
    page.route("**/api/about*", lambda route: route.abort())
    page.keyboard.press("n")
    box = page.get_by_role("dialog")
    with page.expect_event("requestfailed", is_about_nine):
        box.get_by_role("radio", name="9", exact=True).check()
    start = box.get_by_role("button", name="Start game")
    start.evaluate("each => { each.dataset.mine = 'yes'; }")
    for _ in range(10):  # time enough to ask again, however slow this machine is
        page.evaluate("fetch('/api/nets').then((answer) => answer.json())")
    assert len(asked) == 1
    expect(start).to_have_attribute("data-mine", "yes")  # what is under the pointer is not taken away


def test_two_programs_are_paused_stepped_and_resumed(opened: Opened) -> None:
    page = opened(game=kept_game("h8", first="greedy", second="random"))
    page.get_by_role("button", name="Pause").click()
    status(page).to_have_text("Paused")
    count = len(moves_of(page))
    step = page.get_by_role("button", name="Step")
    step.focus()
    for more in (1, 2):
        page.keyboard.press("Enter")
        page.wait_for_function(
            f"() => JSON.parse(sessionStorage.getItem('tengen.game')).moves.length === {count + more}"
        )
        status(page).to_have_text("Paused")
        expect(step).to_be_focused()  # it was disabled meanwhile
    page.wait_for_timeout(800)
    assert len(moves_of(page)) == count + 2
    point(page, "a1").click()
    page.wait_for_timeout(200)
    assert page.locator(".toast").count() == 0
    page.reload()
    status(page).to_have_text("Paused")
    page.get_by_role("button", name="Resume").click()
    page.wait_for_function(f"() => JSON.parse(sessionStorage.getItem('tengen.game')).moves.length > {count + 3}")


def test_a_level_that_is_no_more_is_the_usual_one(opened: Opened) -> None:
    page = opened()
    status(page).to_have_text("Your turn")
    wishes = {"level": 99, "namedFirst": "level:77", "kind": None}
    page.evaluate("wishes => localStorage.setItem('tengen.wishes', JSON.stringify(wishes))", wishes)
    page.keyboard.press("n")
    box = page.get_by_role("dialog")
    expect(box.locator(".level")).to_contain_text("3Casual")
    box.get_by_role("button", name="Start game").click()
    expect(box).to_have_count(0)


def test_one_click_is_one_move(opened: Opened) -> None:
    page = opened(game=kept_game(second="greedy"))
    status(page).to_have_text("Your turn")
    click = "move => document.querySelector(`[data-move=${move}]`).dispatchEvent(new Event('click', {bubbles: true}))"
    page.evaluate(f"['h8', 'a1', 'b1'].forEach({click})")
    expect(page.locator(".moves .move")).to_have_count(2)
    status(page).to_have_text("Your turn")
    assert moves_of(page)[0] == "h8"
    assert page.locator(".toast").count() == 0


def test_a_hint_for_another_game_is_none_here(opened: Opened) -> None:
    page = opened(game=kept_game("h8i9"))
    sockets: list[Any] = []

    def between(socket: Any) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    page.route_web_socket("**/ws", between)
    page.reload()
    status(page).to_have_text("Black to move")
    sockets[0].send(json.dumps({"type": "hint", "ply": 2, "move": "a1", "value": None}))
    page.wait_for_timeout(300)
    expect(page.locator(".status .detail")).to_have_text("")
    page.keyboard.press("h")
    expect(page.locator(".status .detail")).to_have_text(re.compile("Try [a-o]"))


def test_keys_work_with_caps_lock(opened: Opened) -> None:
    page = opened(game=kept_game("h8i9"))
    status(page).to_have_text("Black to move")
    page.keyboard.press("U")
    status(page).to_have_text("White to move")
    page.keyboard.press("N")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    page.goto(page.url.partition("#")[0] + "#analyse/gomoku/h8")
    expect(page.locator("input[name=analysis]")).not_to_be_checked()
    page.keyboard.press("A")
    expect(page.locator("input[name=analysis]")).to_be_checked()


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


@pytest.mark.parametrize("size", [(1280, 800), (320, 568)], ids=str)
def test_swap2_goes_its_way(opened: Opened, size: tuple[int, int]) -> None:
    page = opened(game=kept_game(protocol="swap2"), viewport={"width": size[0], "height": size[1]})
    heights = set()

    def keep_height() -> None:
        heights.add(page.locator(".tools").evaluate("each => each.offsetTop"))

    colours = ["black, then white, then black", "white, then black", "black"]
    for words, colour, move in zip(("3 stones", "2 more", "1 more"), colours, ("h8", "i9", "g7"), strict=True):
        status(page).to_have_text(f"Place {words}")
        expect(page.locator(".detail")).to_have_text(colour)
        keep_height()
        point(page, move).click()
    status(page).to_have_text("Second: choose a colour")
    keep_height()
    page.get_by_role("button", name="Place two more").click()
    status(page).to_have_text("Place 2 more")
    expect(page.locator("#said")).to_have_text(re.compile("Place 2 more, white, then black$"))
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    point(page, "a1").click()
    status(page).to_have_text("Place 1 more")
    keep_height()
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    point(page, "b1").click()
    status(page).to_have_text("First: choose a colour")
    keep_height()
    page.get_by_role("button", name="White").click()
    status(page).to_have_text("White to move")
    keep_height()
    assert len(heights) == 1
    assert page.evaluate("JSON.parse(sessionStorage.getItem('tengen.game')).choices") == ["place two", "white"]
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


@pytest.mark.parametrize(
    ("moves", "choices", "terms"),
    [
        ("", (), {}),
        ("h8", (), {"first": "random"}),
        ("h8a1b1", (), {"first": "random"}),
        ("h8i9g7", ("white",), {"protocol": "swap", "first": "random"}),
        ("h8i9g7a1b1", ("white",), {"protocol": "swap", "first": "random"}),
        ("h8i9g7a1b1c1", ("place two", "black"), {"protocol": "swap2"}),
        ("h8", (), {"second": "random", "setup": {"black": ["a1"], "white": [], "to_move": "white"}}),
    ],
)
def test_undo_is_offered_where_something_can_be_undone(
    opened: Opened, moves: str, choices: tuple[str, ...], terms: dict[str, Any]
) -> None:
    game = kept_game(moves, choices=choices, **terms)
    page = opened(game=game)
    status(page).to_have_text(re.compile("Your turn|to move"))
    try:
        Table.restored(game).undo()
    except tengen.TengenError:
        expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    else:
        expect(page.get_by_role("button", name="Undo")).to_be_enabled()


def test_hint_resignation_and_draw(opened: Opened) -> None:
    page = opened(game=kept_game("h8a1i8a2j8a3k8a4"))
    status(page).to_have_text("Black to move")
    page.keyboard.press("h")
    expect(page.locator(".status .detail")).to_have_text(re.compile("Try (g8|l8)"))
    page.get_by_role("button", name="Draw").click()
    page.get_by_role("dialog").get_by_role("button", name="Draw").click()
    status(page).to_have_text("A draw")
    page.get_by_role("button", name="Undo").click()  # of the agreement alone: black is still to move
    page.get_by_role("button", name="Resign").click()
    expect(page.get_by_role("dialog", name="Black resigns?")).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    status(page).to_have_text("White won")
    assert page.locator("#said").text_content() == "White won, by resignation"


def test_a_draw_is_offered_to_a_program(opened: Opened) -> None:
    lost = "h8a15i8c15j8e15k8g15a1i15c1k15e1m15g1o15i1a13k1c13"  # twenty plies, and black makes five
    for moves, answer in (("h8i9", ".toast.bad"), (lost, ".status .now")):
        page = opened(game=kept_game(moves, second="greedy"))
        page.get_by_role("button", name="Draw").click()
        box = page.get_by_role("dialog")
        expect(box).to_contain_text("Offer a draw?")
        box.get_by_role("button", name="Draw").click()
        expect(page.locator(answer)).to_have_text("A draw" if moves == lost else "The program wants to play on.")
    assert page.locator("#said").text_content() == "A draw, agreed"


def test_what_a_program_chooses_is_told(opened: Opened) -> None:
    page = opened(game=kept_game(protocol="swap", second="minimax:depth=2"))
    expect(page.locator(".seat").nth(0)).to_have_text("YouFirst")
    expect(page.locator(".seat").nth(1)).to_contain_text("ImproverSecond · Level 4")
    for move in ("h8", "i9", "g7"):
        point(page, move).click()
        page.wait_for_function(f"() => JSON.parse(sessionStorage.getItem('tengen.game')).moves.includes('{move}')")
    expect(page.locator(".toast")).to_have_text(re.compile("^Improver takes (black|white)$"))
    expect(page.locator("#said")).to_contain_text("Improver takes")
    expect(page.locator(".seat").nth(0)).not_to_contain_text("First")


def test_a_dialog_goes_with_its_view(opened: Opened) -> None:
    page = opened("#watch")
    page.get_by_role("link", name="Play").click()
    status(page).to_have_text("Your turn")
    page.keyboard.press("n")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.go_back()
    expect(page).to_have_url(re.compile("#watch$"))
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_program_that_thinks_shows_it(opened: Opened) -> None:
    page = opened(game=kept_game("h8i9", first="mcts:time=60"))
    status(page).to_have_text("Thinking…")
    expect(page.locator(".waiting")).to_have_count(1)
    assert page.evaluate("getComputedStyle(document.querySelector('.waiting'), '::after').width") == "9px"


@pytest.mark.parametrize("address", ["#%", "#toString"])
def test_an_address_that_names_nothing_shows_play(opened: Opened, address: str) -> None:
    status(opened(address)).to_have_text("Your turn")


# --- staying ---


def test_a_reload_keeps_the_game(opened: Opened) -> None:
    page = opened(game=kept_game(second="greedy"))
    status(page).to_have_text("Your turn")
    point(page, "h8").click()
    expect(page.locator(".moves .move")).to_have_count(2)
    moves = moves_of(page)
    page.reload()
    expect(page.locator(".moves .move")).to_have_count(2)
    assert moves_of(page) == moves
    status(page).to_have_text("Your turn")


def test_a_reload_gives_no_time_back(opened: Opened) -> None:
    page = opened(game=kept_game(clock="300+3", second="greedy"))
    status(page).to_have_text("Your turn")
    page.wait_for_timeout(2500)
    page.reload()
    status(page).to_have_text("Your turn")
    assert page.evaluate("JSON.parse(sessionStorage.getItem('tengen.game')).left[0]") < 298


def test_a_tab_that_is_left_does_not_undo_what_was_played_in_another(opened: Opened) -> None:
    page = opened(game=kept_game("a1", clock="300+0"))
    status(page).to_have_text("White to move")
    other = page.context.new_page()
    other.goto(page.url)
    status(other).to_have_text("White to move")
    point(other, "h8").click()
    status(other).to_have_text("Black to move")
    newest = "JSON.parse(localStorage.getItem('tengen.game'))"
    page.reload()  # its clock runs: it keeps what that shows
    status(page).to_have_text("White to move")
    assert other.evaluate(newest)["moves"] == ["a1", "h8"]
    before = other.evaluate(newest)["left"]
    other.reload()
    status(other).to_have_text("Black to move")
    assert other.evaluate(newest)["left"][0] < before[0]  # the next visit gives no time back
    point(page, "c3").click()
    status(page).to_have_text("Black to move")
    assert page.evaluate(newest)["moves"] == ["a1", "c3"]  # now this one was played last


def test_a_game_that_cannot_be_brought_back_is_put_aside(opened: Opened) -> None:
    page = opened(game=kept_game("h8", second="nobody"))
    expect(page.locator(".toast.bad")).to_contain_text("could not be brought back")
    status(page).to_have_text("Your turn")
    aside = page.evaluate("JSON.parse(localStorage.getItem('tengen.game.refused'))")
    assert (aside["moves"], aside["terms"]["second"]) == (["h8"], "nobody")


def test_a_loss_on_time_is_told(opened: Opened) -> None:
    page = opened(game=kept_game(clock="300+3", second="greedy") | {"left": [0.8, 300]})
    status(page).to_have_text("You lost")
    expect(page.locator("#said")).to_have_text("You lost, on time")


def test_a_server_that_comes_back_finds_the_game(opened: Opened) -> None:
    port = free_port()
    with serving_at(port):
        page = opened(origin=f"http://127.0.0.1:{port}", game=kept_game("h8i9", clock="300+0"), quiet=False)
        status(page).to_have_text("Black to move")
        before = page.get_by_role("grid").bounding_box()
    expect(page.locator(".notice")).to_be_visible()
    status(page).to_have_text("The server is away")
    assert page.get_by_role("grid").bounding_box() == before
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    left = page.locator(".clock").first.text_content() or ""
    page.wait_for_timeout(1500)
    expect(page.locator(".clock").first).to_have_text(left)  # it is nobody's time
    with serving_at(port):
        expect(page.locator(".notice")).to_be_hidden()
        point(page, "j10").click()
        status(page).to_have_text("White to move")
        assert moves_of(page) == ["h8", "i9", "j10"]


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


def test_dialogs_are_all_in_chinese(opened: Opened) -> None:
    page = opened(locale="zh-CN", game=kept_game("h8"))
    status(page).to_have_text("轮到白方")
    box = page.get_by_role("dialog")
    names = {"Tengen", "English", "Enter", "Home", "Page", "Delete", "Swap"}  # product, language, keys, opening
    for dialog in ("new", "settings", "help", "resign", "draw"):
        page.locator(f"[data-name={dialog}]").click()
        if dialog == "new":
            box.get_by_role("radio", name="Swap2").check()
            box.get_by_role("radio", name="每步").check()
        assert set(re.findall("[A-Za-z]{4,}", box.inner_text())) <= names
        if dialog == "help":
            assert box.locator("h3").all_inner_texts() == ["规则", "按键"]
        page.keyboard.press("Escape")


def test_chinese_says_what_is_wrong(opened: Opened) -> None:
    page = opened(locale="zh-CN", game=kept_game("h8a1h9a3i10a5j10o1", game="renju"), quiet=False)
    status(page).to_have_text("轮到黑方")
    point(page, "h10").click()
    expect(page.locator(".toast.bad")).to_have_text("h10 是黑方禁手：三三。")
    bad = opened("#analyse/gomoku/h8h8", locale="zh-CN")
    expect(bad.locator(".toast.bad")).to_have_text("h8 已有黑子。")
    page.goto(page.url.partition("#")[0] + "#analyse")
    page.get_by_role("button", name="导入").click()
    page.get_by_label("在此粘贴棋谱").fill("(;GM[4]SZ[15];B[h8")
    with page.expect_response("**/api/import*"):
        page.get_by_role("button", name="打开").click()
    expect(page.locator(".toast.bad").last).to_have_text(re.compile("^读不了这份棋谱（sgf"))


def test_a_phone_plays_by_touch_and_may_ask_twice(opened: Opened) -> None:
    page = opened(game=kept_game(), settings={"confirm": True}, **PHONE)
    sent: list[str] = []

    def between(socket: Any) -> None:
        server = socket.connect_to_server()
        socket.on_message(lambda message: (sent.append(message), server.send(message)))

    page.route_web_socket("**/ws", between)
    page.reload()
    status(page).to_have_text("Black to move")
    point(page, "h8").tap()
    expect(page.locator(".board g[opacity='.68']")).to_have_count(1)  # the stone that would be played
    assert not any('"play"' in message for message in sent)
    point(page, "j9").tap()
    assert not any('"play"' in message for message in sent)
    point(page, "j9").tap()
    status(page).to_have_text("White to move")
    assert moves_of(page) == ["j9"]


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
    page = opened("" if address == "dialogs" else address, color_scheme=theme, reduced_motion="reduce")
    expect(page.get_by_role("table" if "watch" in address else "grid")).to_be_visible()
    page.wait_for_timeout(300)
    for key in ("n", "?") if address == "dialogs" else ("",):
        if key:
            page.keyboard.press(key)
        if key == "n":
            page.get_by_role("radio", name="Choose both").check()
        assert serious_findings(page) == []
        page.keyboard.press("Escape")
