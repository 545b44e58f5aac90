"""The page in a real browser: analysing."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browsing import SEEN, Opened, expect, moves_of, point, serious_findings, status, walk_to

import tengen


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
    expect(page.locator("[name=lines] option")).to_contain_text(["1 line", "2 lines"])
    expect(page.locator(".stats")).to_contain_text("nodes")
    expect(page.locator(".board circle[fill='#3a7fc2']")).to_have_count(1)
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


def test_who_analyses_waits_for_others_and_gives_way_to_them(
    opened: Opened, server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = {"game": "gomoku", "moves": ["h8"]}
    monkeypatch.setattr("tengen.web.thinkers._LOOK_SECONDS", 60.0)
    with server.tab() as one, server.tab() as other, server.tab() as third:

        def analyse(tab: Any) -> None:
            tab.ask("analyze", position=position, player="alphabeta", seconds=60)

        analyse(one)
        analyse(other)
        page = opened("#analyse/gomoku:rule=standard/h8i9")
        page.get_by_role("switch", name="Analysis").click()
        expect(page.locator(".lines")).to_have_text("Waiting for other analyses…")
        monkeypatch.setattr("tengen.web.thinkers._LOOK_SECONDS", 0.5)
        expect(page.locator(".line").first).to_be_visible()
        monkeypatch.setattr("tengen.web.thinkers._LOOK_SECONDS", 60.0)
        while not (told := one.hear("analysis"))["done"]:
            pass
        assert told["gave_way"]
        other.send({"do": "stop"})
        analyse(other)
        third.send({"do": "analyze", "position": position, "player": "alphabeta", "seconds": 60})
        assert third.hear("queued", "analysis")["type"] == "queued"
        monkeypatch.setattr("tengen.web.thinkers._LOOK_SECONDS", 0.5)
        expect(page.locator(".rest")).to_have_text("Stopped: others wait.Go on")
        expect(page.locator(".line").first).to_be_visible()


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


def test_lines_tell_the_visits_by_which_they_are_ordered(opened: Opened) -> None:
    page = opened("#analyse/gomoku/h8i9")
    page.locator("select[name=engine]").select_option("mcts")
    page.get_by_role("switch", name="Analysis").click()
    expect(page.locator(".column")).to_have_text(["Value", "Visits"])
    shares = page.locator(".line .visits")
    expect(shares.first).to_be_visible()
    expect(shares).to_have_text([re.compile(r"^(< )?\d+ %$")] * 3)
    page.get_by_role("switch", name="Analysis").click()
    page.locator("select[name=engine]").select_option("alphabeta")
    page.get_by_role("switch", name="Analysis").click()
    expect(page.locator(".line").first).to_be_visible()
    expect(page.locator(".column").first).to_be_hidden()
    expect(shares.first).to_be_hidden()


def overheard(page: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> list[str]:
    """Change what the page is told of analyses; returns what it asks for from now on."""
    asked: list[str] = []

    def between(socket: Any) -> None:
        server = socket.connect_to_server()
        socket.on_message(lambda message: (asked.append(json.loads(message)["do"]), server.send(message)))
        server.on_message(lambda message: socket.send(changed(message)))

    def changed(message: str) -> str:
        told = json.loads(message)
        return json.dumps(change(told)) if told["type"] == "analysis" else message

    page.route_web_socket("**/ws", between)
    return asked


def test_a_move_without_visits_has_no_value(opened: Opened) -> None:
    page = opened("#play")
    line = {"depth": 1, "score": 0, "proof": None, "distance": None}
    lines = [
        line | {"moves": ["j10"], "value": 0.5, "score": 9},
        line | {"moves": ["g7"], "value": None},
        line | {"moves": ["g8"], "value": None, "proof": "lost", "distance": 4},
    ]
    visits = [["j10", 1.0], ["g7", 0.0], ["g8", 0.0]]
    overheard(page, lambda told: told | {"lines": lines, "heat": {"visits": visits}})
    page.goto(page.url.replace("#play", "#analyse/gomoku/h8i9"))
    page.reload()
    expect(page.locator(".standing")).to_contain_text("Black to move")
    page.get_by_role("switch", name="Analysis").click()
    expect(page.locator(".chip")).to_have_text(["75 %", "–", "loses in 4"])
    expect(page.locator(".line .visits")).to_have_text(["100 %", "0 %", "0 %"])
    expect(page.locator(".board circle + text")).to_have_text(["75", "4"])  # what is marked on the board


def test_spots_without_numbers_are_small_and_clear(opened: Opened) -> None:
    page = opened("#analyse/gomoku/h8i9")
    expect(page.locator("select[name=engine]")).to_have_value("alphazero")
    page.get_by_role("switch", name="Analysis").click()
    page.locator("select[name=heat]").select_option("policy")
    expect(page.locator(".board circle[fill='#3a7fc2']")).to_have_count(1)
    spots = page.locator(".board circle[fill='#3c8f7b']:not(:has(+ text))")
    expect(spots.first).to_be_attached()
    for opacity, radius in spots.evaluate_all(
        "all => all.map((each) => [each.getAttribute('fill-opacity'), each.r.baseVal.value])"
    ):
        assert float(opacity) >= 0.6
        assert radius < 17


@pytest.mark.parametrize("seconds", [60, 2])
def test_analysis_that_has_used_its_time_says_so_and_goes_on(opened: Opened, seconds: int) -> None:
    """What ends before its time has found all there is."""
    page = opened("#play")
    asked = overheard(page, lambda told: told | {"done": True, "seconds": seconds})
    page.goto(page.url.replace("#play", "#analyse/gomoku:rule=standard/h8i9"))
    page.reload()
    expect(page.locator("[name=engine] option").nth(1)).to_be_attached()  # who plays this game is known
    expect(page.locator(".standing")).to_contain_text("Black to move")
    review = page.get_by_role("button", name="Review game")
    before = review.bounding_box()
    page.get_by_role("switch", name="Analysis").click()
    expect(page.locator(".line").first).to_be_visible()
    assert review.bounding_box() == before  # also where it says that it has stopped
    go_on = page.get_by_role("button", name="Go on")
    if seconds < 60:
        expect(go_on).to_be_hidden()
        return
    expect(page.locator(".found")).to_contain_text("Stopped after a minute.")
    assert asked.count("analyze") == 1
    with page.expect_event("console", lambda message: message.text == "asked again"):
        page.evaluate("""() => new MutationObserver(() => console.log("asked again"))
            .observe(document.querySelector(".stats"), {childList: true})""")
        go_on.click()
    assert asked.count("analyze") == 2


def test_a_proven_win_is_told_and_played_from_the_line(opened: Opened) -> None:
    page = opened("#analyse/gomoku/h8a1i8a2j8a3k8a4")
    page.get_by_role("switch", name="Analysis").click()
    expect(page.locator(".chip.won").first).to_have_text("wins in 1")
    page.locator(".line").first.click()
    expect(page.locator(".standing")).to_contain_text("Black won")
    expect(page.locator(".lines")).to_have_text("The game is over here.")


def test_what_was_found_is_not_shown_of_other_stones(opened: Opened) -> None:
    page = opened("#analyse/gomoku//black=h8i8j8k8,white=a1b1c1d3,to=black")
    page.get_by_role("switch", name="Analysis").click()
    expect(page.locator(".chip.won").first).to_have_text("wins in 1")
    expect(page.get_by_role("switch", name="Analysis")).to_be_checked()
    page.wait_for_timeout(500)  # it has ended, so that it stays when it is turned off
    page.get_by_role("switch", name="Analysis").click()
    expect(page.locator(".chip.won").first).to_be_visible()
    page.evaluate("location.hash = '#analyse/gomoku//black=c3,white=l12,to=black'")
    expect(point(page, "c3")).to_have_attribute("aria-label", "c3, black")
    expect(page.locator(".chip")).to_have_count(0)


@pytest.mark.parametrize(
    ("game", "engine"),
    [("gomoku", "alphazero"), ("gomoku:rule=standard", "alphabeta"), ("gomoku:size=22", "alphabeta")],
)
def test_the_strongest_analyses_unless_another_is_chosen(opened: Opened, game: str, engine: str) -> None:
    page = opened(f"#analyse/{game}/h8")
    expect(page.locator("[name=engine] option").nth(1)).to_be_attached()  # who plays this game is known
    expect(page.locator("[name=engine]")).to_have_value(engine)


@pytest.mark.parametrize("size", [(1920, 1080), (2560, 1440), (1680, 1050), (1280, 1024), (1024, 768)], ids=str)
def test_the_bar_is_as_high_as_the_board_and_that_as_the_window_allows(opened: Opened, size: tuple[int, int]) -> None:
    width, height = size
    page = opened("#analyse/gomoku/h8i9", viewport={"width": width, "height": height})
    expect(page.locator(".standing")).to_contain_text("Black to move")
    bar, board = page.locator(".bar").bounding_box(), page.get_by_role("grid").bounding_box()
    panel = page.locator(".panel").bounding_box()
    assert bar is not None
    assert board is not None
    assert panel is not None
    assert bar["y"] == pytest.approx(board["y"], abs=1)
    assert bar["height"] == pytest.approx(board["height"], abs=1)
    assert board["width"] == pytest.approx(board["height"], abs=1)
    assert page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [*size]
    assert bar["x"] >= 0
    assert bar["x"] + bar["width"] <= board["x"]
    assert board["x"] + board["width"] <= panel["x"]
    if width / height > 1.5:
        assert board["height"] > 0.9 * height
        page.goto(page.url.partition("#")[0] + "#play")
        expect(page.locator(".seat").first).to_be_visible()
        assert page.get_by_role("grid").bounding_box()["height"] > 0.9 * height  # type: ignore[index]


def test_the_menu_of_games_is_walked_through_by_its_keys(opened: Opened) -> None:
    page = opened("#analyse/gomoku/h8i9")
    expect(page.locator(".standing")).to_contain_text("Black to move")
    games = page.get_by_role("combobox", name="Game")
    games.focus()
    for game in ("gomoku:size=19", "gomoku:rule=standard", "renju"):
        page.keyboard.press("ArrowDown")
        expect(games).to_have_value(game)
        expect(page).to_have_url(re.compile(f"#analyse/{game}/$"))
        expect(point(page, "a1")).to_be_attached()
        expect(games).to_be_focused()
    expect(page.locator("[name=game]")).to_have_count(1)
    page.get_by_role("button", name="Bring it back").click()
    expect(page.locator(".step")).to_have_count(2)
    expect(games).to_have_value("gomoku")


@pytest.mark.parametrize(("language", "name", "values"), [("en", "Evolved net", "Values"), ("zh", "进化网络", "价值")])
def test_an_evolved_net_shows_how_it_rates_the_moves(opened: Opened, language: str, name: str, values: str) -> None:
    page = opened("#analyse/gomoku/h8i9g9", settings={"language": language})
    engine = page.locator("select[name=engine]")
    expect(engine.locator("option").last).to_have_text(name)
    expect(engine.locator("option").nth(2)).to_have_text({"en": "Monte Carlo", "zh": "蒙特卡洛"}[language])
    engine.select_option("evolved")
    page.locator("input[name=analysis]").check()
    expect(page.locator(".chip")).to_have_text([re.compile(r"^[+−]?\d\.\d\d$|^[+−]?\d\d\.\d$")] * 3)
    expect(page.locator("select[name=heat] option").first).to_have_text(values)
    spots = page.locator(".board circle[fill='#3a7fc2'], .board circle[fill='#3c8f7b']")
    expect(spots).to_have_count(222)  # every empty point
    expect(page.locator(".board circle[fill='#3a7fc2'] + text")).to_have_text("−1.5")
    expect(page.locator(".chip").first).to_have_text("−1.45")
    page.locator("select[name=heat]").select_option("none")
    expect(spots).to_have_count(0)


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


def test_a_tree_that_was_put_away_is_brought_back(opened: Opened) -> None:
    page = opened("#analyse/gomoku/h8i9")
    expect(page.locator(".step")).to_have_count(2)
    back = page.get_by_role("button", name="Bring it back")
    expect(back).to_be_hidden()
    page.keyboard.press("ArrowLeft")
    point(page, "j10").click()
    expect(page.locator(".branch .step")).to_have_text("2 j10")
    for put_away in (
        lambda: page.get_by_role("button", name="Start over").click(),
        lambda: page.locator("select[name=game]").select_option("othello"),
        lambda: page.evaluate("location.hash = '#analyse/renju/a1'"),
    ):
        put_away()
        expect(page.locator(".branch")).to_have_count(0)
        back.click()
        expect(page.locator(".branch .step[aria-current]")).to_have_text("2 j10")
        expect(page).to_have_url(re.compile("#analyse/gomoku/h8j10$"))


@pytest.mark.parametrize(
    "kept", ["{}", '{"record": {"game": 5, "nodes": []}}', '{"record": {"game": "gomoku", "nodes": [{"parent": 7}]}}',
             '{"record": {"game": "gomoku", "setup": {}, "nodes": []}}', '{"record": {"game": "gomoku", "nodes": []}}'],
)  # fmt: skip
def test_a_broken_store_is_an_empty_board(opened: Opened, kept: str) -> None:
    page = opened("#play")
    page.evaluate("kept => sessionStorage.setItem('tengen.study', kept)", kept)
    page.goto(page.url.replace("#play", "#analyse"))
    page.evaluate("kept => addEventListener('pagehide', () => sessionStorage.setItem('tengen.study', kept))", kept)
    page.reload()
    expect(page.locator(".standing")).to_contain_text("Black to move")


def test_a_reload_and_another_dress_change_nothing(opened: Opened) -> None:
    page = opened("#analyse/gomoku/h8i9g9")
    page.get_by_role("button", name="Review game").click()
    expect(page.get_by_role("button", name="Review game")).to_be_visible()
    curve = page.locator(".graph .curve")
    expect(curve).to_have_attribute("d", re.compile("^M([^L]+L){3}[^L]+$"))
    page.get_by_role("switch", name="Analysis").click()
    expect(page.locator("select[name=heat] option[value=policy]")).to_be_attached()
    page.locator("select[name=heat]").select_option("policy")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("dialog").get_by_role("radio", name="Paper").check()
    page.keyboard.press("Escape")
    expect(page.locator("select[name=heat]")).to_have_value("policy")
    page.reload()
    expect(curve).to_have_attribute("d", re.compile("^M([^L]+L){3}[^L]+$"))
    expect(page.get_by_role("switch", name="Analysis")).to_be_checked()
    expect(page.locator(".line").first).to_be_visible()
    expect(page.locator("select[name=heat]")).to_have_value("policy")
    expect(page.locator("select[name=engine]")).to_have_value("alphazero")


def test_settings_of_two_tabs_do_not_undo_each_other(opened: Opened) -> None:
    page = opened("#analyse")
    other = page.context.new_page()
    other.goto(page.url)
    for tab in (page, other):
        tab.get_by_role("button", name="Settings").click()
    page.get_by_role("dialog").get_by_role("radio", name="Paper").check()
    expect(other.get_by_role("dialog").get_by_role("radio", name="Paper")).to_be_checked()
    page.get_by_role("dialog").get_by_role("switch", name="Move numbers").check()
    expect(other.get_by_role("dialog").get_by_role("switch", name="Move numbers")).to_be_checked()
    # And where a tab was not told:
    other.evaluate("localStorage.setItem('tengen.settings', JSON.stringify({board: 'dark', numbers: true}))")
    other.get_by_role("dialog").get_by_role("switch", name="Coordinates").uncheck()
    kept = other.evaluate("JSON.parse(localStorage.getItem('tengen.settings'))")
    assert kept == {"board": "dark", "numbers": True, "coordinates": False}


def test_a_link_can_be_shared(opened: Opened) -> None:
    page = opened("#analyse/renju/h8i9/black=a1c1,white=b2,to=white")
    expect(page.locator(".standing")).to_contain_text("White to move")
    shared = page.url
    other = opened(shared[shared.index("#") :])
    expect(point(other, "c1")).to_have_attribute("aria-label", "c1, black")
    expect(point(other, "h8")).to_have_attribute("aria-label", "h8, white")
    assert other.url == shared
    for address, named, to_move in (
        ("gomoku/h8h8", "h8", "White"),  # what can be played is
        ("%zz", "%zz", "Black"),
        ("gomoku/h8qq", "'qq'", "Black"),
        ("gomoku//black", "black", "Black"),
    ):
        bad = opened(f"#analyse/{address}", quiet=False)
        expect(bad.locator(".toast.bad")).to_contain_text(named)
        expect(bad.locator(".standing")).to_contain_text(f"{to_move} to move")


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


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_doubtful_picture_is_put_right_before_it_is_looked_at(opened: Opened, tmp_path: Path, language: str) -> None:
    remark = "2 black and 0 white stones do not come from moves in turn"
    answer = SEEN | {"to_move": None, "sure": False, "doubts": ["c3", "d4"], "remarks": [remark]}
    page = opened("#analyse/renju/a1", settings={"language": language})
    page.route("**/api/see", lambda route: route.fulfill(json=answer))
    (tmp_path / "board.png").write_bytes(b"a picture")
    page.locator('[data-name="import"]').click()
    page.locator("input[name=file]").set_input_files(tmp_path / "board.png")
    expect(page.locator(".board .doubt")).to_have_count(2)
    told = (
        ("52 % sure", f"{remark}.", "c3 d4", "choose") if language == "en" else ("52 %", "2 黑 0 白", "c3 d4", "请选择")
    )
    expect(page.locator(".remarks li")).to_contain_text(list(told))
    done = page.locator('[data-name="edit-done"]')
    expect(done).to_be_disabled()  # nobody knows who is to move
    point(page, "c3").click()  # black becomes white
    expect(page.locator(".board .doubt")).to_have_count(1)
    point(page, "d4").click()
    for _ in range(3):
        point(page, "e5").click()  # and round to what it was
    page.locator('[data-name="to_move"] input[value="white"]').check(force=True)
    done.click()
    expect(page).to_have_url(re.compile("#analyse/renju//black=h8d4,white=c3,to=white$"))
    expect(page.locator(".editor")).to_be_hidden()
    expect(page.locator(".board .doubt")).to_have_count(0)


def test_a_picture_of_a_finished_game_is_looked_at(opened: Opened, tmp_path: Path) -> None:
    stones = {"black": [f"h{row}" for row in range(4, 9)], "white": [f"j{row}" for row in range(4, 8)]}
    answer = SEEN | stones | {"to_move": None, "over": True, "sure": True, "doubts": [], "remarks": []}
    page = opened("#analyse/gomoku/a1")
    page.route("**/api/see", lambda route: route.fulfill(json=answer))
    (tmp_path / "board.png").write_bytes(b"a picture")
    page.get_by_role("button", name="Import").click()
    page.locator("input[name=file]").set_input_files(tmp_path / "board.png")
    expect(page.locator(".standing")).to_contain_text("Black won")
    expect(page.get_by_role("button", name="Edit position")).to_be_visible()


def test_a_sure_picture_is_looked_at_and_one_without_a_board_is_to_be_cropped(opened: Opened, tmp_path: Path) -> None:
    answer = SEEN | {"to_move": "white", "sure": True, "doubts": [], "remarks": []}
    page = opened("#analyse/gomoku:size=19/a1", quiet=False)
    page.route("**/api/see", lambda route: route.fulfill(json=answer))
    (tmp_path / "board.png").write_bytes(b"a picture")
    page.get_by_role("button", name="Import").click()
    page.locator("input[name=file]").set_input_files(tmp_path / "board.png")
    expect(page).to_have_url(re.compile("#analyse/gomoku//black=h8c3,white=,to=white$"))
    answer |= {"black": [], "to_move": "black"}
    page.route("**/api/see", lambda route: route.fulfill(json=answer))
    page.get_by_role("button", name="Import").click()
    page.locator("input[name=file]").set_input_files(tmp_path / "board.png")
    expect(page).to_have_url(re.compile("#analyse/gomoku/$"))  # an empty board is the start, and was not set up
    error = {"message": "no board is seen; give its four corners", "code": "no_board", "details": []}
    page.route("**/api/see", lambda route: route.fulfill(status=400, json={"error": error}))
    page.get_by_role("button", name="Import").click()
    page.locator("input[name=file]").set_input_files(tmp_path / "board.png")
    expect(page.locator(".toast.bad")).to_contain_text("crop the picture")


def test_a_position_is_edited(opened: Opened) -> None:
    page = opened("#analyse/gomoku/h8i9")
    expect(page.locator(".standing")).to_contain_text("Black to move")
    page.get_by_role("button", name="Edit position").click()
    expect(page.locator(".variations")).to_be_hidden()
    point(page, "h8").click()
    expect(point(page, "h8")).to_have_attribute("aria-label", "h8, white")
    page.keyboard.press("ArrowLeft")  # walks nowhere now
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("dialog").get_by_role("radio", name="Paper").check()
    page.keyboard.press("Escape")
    expect(point(page, "h8")).to_have_attribute("aria-label", "h8, white")  # another dress, the same stones
    assert serious_findings(page) == []
    page.get_by_role("button", name="Cancel").click()
    expect(point(page, "h8")).to_have_attribute("aria-label", "h8, black")
    expect(page.locator(".step")).to_have_count(2)
    page.get_by_role("button", name="Edit position").click()
    page.get_by_role("button", name="Clear").click()
    expect(page.locator("[aria-label$=', empty']")).to_have_count(225)
    walk_to(page, "j10")
    page.keyboard.press("Enter")
    page.get_by_role("radio", name="White").check()
    page.get_by_role("button", name="Done").click()
    expect(page).to_have_url(re.compile("#analyse/gomoku//black=j10,white=,to=white$"))
    expect(page.locator(".standing")).to_contain_text("White to move")


def test_analysis_goes_on_after_an_edit(opened: Opened) -> None:
    page = opened("#analyse/gomoku/h8i9")
    analysis = page.get_by_role("switch", name="Analysis")
    analysis.click()
    for leave, change in (("Cancel", False), ("Done", True)):
        page.get_by_role("button", name="Edit position").click()
        if change:
            point(page, "j10").click()
        page.get_by_role("button", name=leave).click()
        expect(analysis).to_be_checked()
        expect(page.locator(".line").first).to_be_visible()


def test_tools_wait_until_the_position_is_known(opened: Opened) -> None:
    page = opened("#analyse/gomoku/h8i9")
    page.add_init_script("""const Prompt = WebSocket;
    window.WebSocket = class extends Prompt {
        set onopen(listener) { super.onopen = () => setTimeout(listener, 1500); }
    }""")
    page.reload()
    tools = [page.get_by_role("button", name=name) for name in ("Export", "Edit position", "Play from here")]
    for tool in tools:
        expect(tool).to_be_disabled()
    tools[1].click()
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()


def test_the_graph_reviews_the_game_and_jumps(opened: Opened) -> None:
    page = opened("#analyse/gomoku:rule=standard/h8i9g9")
    page.get_by_role("button", name="Review game").click()
    expect(page.get_by_role("button", name="Review game")).to_be_visible()
    expect(page.locator(".graph .curve")).to_have_attribute("d", re.compile(r"^M[^L]+L[^L]+L[^L]+L[^L]+$"))
    slider = page.get_by_role("slider", name="Evaluation")
    slider.fill("1")
    expect(page).to_have_url(re.compile(r"gomoku:rule=standard/h8$"))
    expect(slider).to_have_attribute("aria-valuetext", re.compile(r"1, Black \d+ %"))


def test_a_review_that_is_asked_for_before_there_is_a_connection_waits_for_it(opened: Opened) -> None:
    page = opened("#analyse/gomoku:rule=standard/h8i9g9")
    page.add_init_script("""new MutationObserver((_, observer) => {
        const button = document.querySelector('[data-name="review"]:enabled');
        if (button) { observer.disconnect(); button.click(); }
    }).observe(document, {subtree: true, childList: true})""")
    page.reload()
    expect(page.locator(".graph .curve:not(.dot)")).to_have_attribute("d", re.compile(r"^M[^L]+L[^L]+L[^L]+L[^L]+$"))
    expect(page.get_by_role("button", name="Review game")).to_be_visible()


def test_a_game_is_played_on_and_looked_at_again(opened: Opened) -> None:
    page = opened("#analyse/gomoku/h8a1i8a2j8a3/black=c3,white=d4,to=white")
    expect(page.locator(".standing")).to_contain_text("White to move")
    page.get_by_role("button", name="Play from here").click()
    box = page.get_by_role("dialog")
    expect(box.get_by_role("radio", name="White")).to_be_checked()
    box.get_by_label("Level").fill("5")
    box.get_by_role("button", name="Start game").click()
    status(page).to_have_text("Your turn")
    expect(page.locator(".seat").nth(0)).to_contain_text("Level 5")
    expect(point(page, "c3")).to_have_attribute("aria-label", "c3, black")
    point(page, "k8").click()
    expect(page.locator(".moves .move")).to_have_count(8)  # the reply stops the four at g8 or l8
    assert moves_of(page)[6] == "k8"
    page.reload()
    status(page).to_have_text("Your turn")
    page.get_by_role("button", name="Analyse").click()
    expect(page).to_have_url(re.compile("#analyse/gomoku/h8a1i8a2j8a3k8(g8|l8)/black=c3,white=d4,to=white$"))
    expect(page.locator(".step")).to_have_count(8)


def test_a_finished_game_is_not_played_on(opened: Opened) -> None:
    page = opened("#analyse/gomoku/h8a1i8a2j8a3k8a4l8")
    expect(page.locator(".standing")).to_contain_text("Black won")
    page.get_by_role("button", name="Play from here").click()
    expect(page.locator(".toast")).to_have_text("The game is over here.")


def test_a_line_of_othello_turns_discs_in_its_preview(opened: Opened) -> None:
    chance, position = random.Random(6), tengen.Position("othello:size=6")
    while position.ply < 22:
        position.play(chance.choice(position.legal_moves()))
    before = labels(position)
    page = opened("#analyse/othello:size=6/" + "".join(str(move) for move in position.moves))
    page.locator("select[name=engine]").select_option("alphabeta")
    page.get_by_role("switch", name="Analysis").click()
    expect(page.locator(".chip").first).to_have_text(re.compile(r"^[+−]?\d+$|wins|loses"))  # solved: it stays as it is
    moves = page.locator(".line").first.locator("[data-at]")
    expect(moves.nth(3)).to_be_attached()
    for at in range(4):
        position.play(moves.nth(at).text_content() or "")
    moves.nth(3).hover()
    for move, label in labels(position).items():
        expect(point(page, move)).to_have_attribute("aria-label", label)
    assert any(
        "empty" not in before[move] and before[move] != label for move, label in labels(position).items()
    )  # discs were turned
    page.mouse.move(2, 2)
    for move, label in before.items():
        expect(point(page, move)).to_have_attribute("aria-label", label)


def labels(position: tengen.Position) -> dict[str, str]:
    """What each point is called."""
    codes = position.board().ravel().tolist()
    names = [str(move) for move in position.game.moves]
    return {name: f"{name}, {('empty', 'black', 'white')[code]}" for name, code in zip(names, codes, strict=False)}
