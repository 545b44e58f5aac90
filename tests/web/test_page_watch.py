"""The page in a real browser: watching."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from browsing import PHONE, Opened, expect, free_port, serious_findings, serving_at
from playwright.sync_api import Error

from tengen.arena import play_match

ALARMS = {
    "blindness": {"meaning": "looks away", "since": 10, "until": 20},
    "short games": {"meaning": "nobody <b>defends</b>", "since": 20, "until": None},
}
SAMPLES = ((3, "a1b1a2b2"), (5, "a1b1a2b2a3b3a4b4a5"), (7, "a1a1"))  # the last one cannot be


def sample(step: int, moves: str) -> dict[str, object]:
    played = re.findall(r"[a-v]\d+", moves)
    kept = {"step": step, "game": "gomoku:size=7", "moves": played, "black": "dqn", "white": "greedy"}
    return kept | {"winner": "black", "unplayed": 0}


def test_runs_and_matches_are_watched(opened: Opened, tmp_path: Path) -> None:
    run = tmp_path / "runs" / "mine"
    run.mkdir(parents=True)
    about = {"method": "dqn", "state": "running", "alarms": ALARMS}
    (run / "run.json").write_text(json.dumps(about))
    log = run / "metrics.jsonl"
    log.write_text(
        "".join(
            json.dumps({"step": i, "minutes": i / 10, "games": 10 * i, "loss": 1 / (i + 1)}) + "\n" for i in range(50)
        )
    )
    play_match(["random", "greedy", "minimax:depth=1"], "gomoku:size=7", games=2, seed=3, db=tmp_path / "arena.db")
    port = free_port()
    with serving_at(port, tmp_path):
        page = opened("#watch", origin=f"http://127.0.0.1:{port}")
        expect(page.locator(".detail h2")).to_have_text("mine")
        expect(page.locator(".tiles dd").first).to_have_text("490")
        expect(page.locator(".alarm").first).to_have_text(
            re.compile("Short games Nobody <b>defends</b> since minute 2")
        )
        expect(page.locator(".shelf .pill")).to_have_text("alarm")
        expect(page.locator(".alarm.over")).to_have_text(re.compile("Blindness Looks away minutes 1 to 2"))
        curve = page.locator(".chart .curve").get_attribute("d") or ""
        assert curve.count("L") == 49
        page.get_by_text("Settings of the run").click()
        with log.open("a") as more:
            more.write(json.dumps({"step": 50, "minutes": 5.0, "games": 777, "loss": 0.5}) + "\n")
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # as if the tab had been away
        expect(page.locator(".tiles dd").first).to_have_text("777")
        expect(page.locator(".config pre")).to_be_visible()  # what was opened stays open
        (run / "run.json").write_text(json.dumps(about | {"alarms": []}))
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(page.locator(".shelf [aria-current] .pill.running")).to_be_visible()
        assert serious_findings(page) == []
        ranks = page.locator("h1, h2, h3").evaluate_all("all => all.map((each) => Number(each.tagName[1]))")
        assert all(rank <= before + 1 for before, rank in pairwise([0, *ranks])), ranks
        page.get_by_role("link", name="Random – Greedy").click()
        expect(page.get_by_role("region", name="Cross table").locator("tbody tr")).to_have_count(3)
        page.get_by_role("link", name="Game 1", exact=True).click()
        expect(page).to_have_url(re.compile(r"#analyse/gomoku:size=7/"))
        expect(page.locator(".standing")).to_contain_text(re.compile("won|draw"))
        page.close()  # before its server goes, which it would complain about


def test_chinese_names_the_figures_and_alarms(opened: Opened, tmp_path: Path) -> None:
    run = tmp_path / "runs" / "mine"
    run.mkdir(parents=True)
    about = {"method": "alphazero", "state": "running", "alarms": ALARMS, "begun": "2026-05-06T07:08:09"}
    (run / "run.json").write_text(json.dumps(about))
    play_match(["greedy", "random"], "gomoku:size=7", games=2, seed=3, db=tmp_path / "arena.db")
    figures = {"minutes": 1.0, "games": 5, "policy_loss": 2.0, "value_loss": 0.9, "kl": 0.1, "ladder_greedy_wins": 0.4}
    (run / "metrics.jsonl").write_text("".join(json.dumps({"step": step, **figures}) + "\n" for step in (1, 2)))
    port = free_port()
    with serving_at(port, tmp_path):
        page = opened("#watch/run/mine", origin=f"http://127.0.0.1:{port}", settings={"language": "zh"})
        expect(page.locator(".alarm").first).to_contain_text("对局过短 多数对局几手就结束")
        expect(page.locator(".tiles dt")).to_have_text(["对局", "分钟"])
        expect(page.locator(".chart figcaption")).to_have_text(["损失", "胜率", "KL 散度"])
        expect(page.locator(".chart").first.locator(".legend span")).to_have_text(["策略2", "价值0.9"])
        expect(page.locator(".detail .about").first).to_have_text(
            re.compile(r"^AlphaZero · 2026/5/6 ")
        )  # not the browser's
        expect(page.locator(".shelf")).to_contain_text("贪心 – 随机")
        page.get_by_role("link", name="贪心 – 随机").click()
        expect(page.get_by_role("region", name="排名").locator("tbody th").first).to_have_text("贪心")
        page.close()


def test_each_part_is_told_though_another_cannot_be(opened: Opened, tmp_path: Path) -> None:
    """A file that is no arena's, and a run."""
    run = tmp_path / "runs" / "mine"
    run.mkdir(parents=True)
    (run / "run.json").write_text(json.dumps({"method": "dqn", "state": "running"}))
    (tmp_path / "arena.db").write_text("nothing of the kind")
    port = free_port()
    with serving_at(port, tmp_path):
        page = opened("#watch", origin=f"http://127.0.0.1:{port}", quiet=False)
        expect(page.locator(".detail h2")).to_have_text("mine")
        expect(page.locator(".shelf .trouble")).to_contain_text("arena.db")
        page.get_by_role("link", name="Nets at hand").click()
        expect(page.get_by_role("region", name="Nets")).to_be_visible()
        page.evaluate("location.hash = '#watch/match/1'")
        expect(page.locator(".detail")).to_contain_text("arena.db")
        page.evaluate("location.hash = '#watch/run/yours'")
        expect(page.locator(".detail")).to_have_text("There is no such thing any more.")
        page.close()


def test_the_run_that_was_asked_for_last_is_shown(opened: Opened, tmp_path: Path) -> None:
    for name in ("slow", "fast"):
        run = tmp_path / "runs" / name
        run.mkdir(parents=True)
        (run / "run.json").write_text(json.dumps({"method": "dqn", "state": "running"}))
    port = free_port()
    with serving_at(port, tmp_path):
        page = opened("#watch/nets", origin=f"http://127.0.0.1:{port}")
        expect(page.get_by_role("region", name="Nets")).to_be_visible()
        held: list[Any] = []
        page.route("**/api/runs?name=slow", lambda route: held.append(route))
        with page.expect_request("**/api/runs?name=slow"):
            page.get_by_role("link", name="slow").click()
        page.get_by_role("link", name="fast").click()
        expect(page.locator(".detail h2")).to_have_text("fast")
        late = {"name": "slow", "about": {}, "config": "", "columns": {}, "games": []}
        page.evaluate("""() => {
            window.titles = [];
            new MutationObserver(() => titles.push(document.querySelector(".detail h2").textContent))
                .observe(document.querySelector(".detail"), {childList: true});
        }""")
        with suppress(Error):  # nobody waits for it any more
            held[0].fulfill(json=late)
        for _ in range(5):  # the late answer has come before these
            page.evaluate("fetch('/api/nets').then((answer) => answer.json())")
        assert "slow" not in page.evaluate("window.titles")
        assert page.locator(".detail h2").text_content() == "fast"
        expect(page.locator(".shelf [aria-current]")).to_contain_text("fast")
        page.close()


def test_curves_have_points_and_do_not_press_each_other_flat(opened: Opened, tmp_path: Path) -> None:
    run = tmp_path / "runs" / "mine"
    run.mkdir(parents=True)
    (run / "run.json").write_text(json.dumps({"method": "alphazero", "state": "running"}))
    lines = [
        {"step": i, "minutes": i, "policy_loss": 4.15 - i / 50, "reply_loss": 4.1, "value_loss": 0.9} for i in range(4)
    ]
    (run / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    port = free_port()
    with serving_at(port, tmp_path):
        page = opened("#watch/run/mine", origin=f"http://127.0.0.1:{port}")
        expect(page.locator(".chart figcaption")).to_have_text(["Losses · policy, reply", "Losses · value"])
        first = page.locator(".chart").first
        assert (first.locator(".points").first.get_attribute("d") or "").count("M") == 4
        ticks = [float(text) for text in first.locator("text[text-anchor=end][dominant-baseline]").all_text_contents()]
        assert ticks[0] <= 4.09
        assert ticks[-1] >= 4.15
        assert all(len(str(tick)) <= 4 for tick in ticks), ticks  # round numbers
        first.locator("svg").hover()
        expect(first.locator(".here")).to_have_attribute("d", re.compile("^M"))
        page.close()


def test_sample_games_are_replayed(opened: Opened, tmp_path: Path) -> None:
    run = tmp_path / "runs" / "mine"
    run.mkdir(parents=True)
    (run / "run.json").write_text(json.dumps({"method": "dqn", "state": "running", "alarms": ALARMS}))
    lines = [json.dumps(sample(step, moves)) + "\n" for step, moves in SAMPLES]
    (run / "games.jsonl").write_text("".join(lines) + '{"step": 9')
    port = free_port()
    with serving_at(port, tmp_path):
        page = opened("#watch/run/mine", origin=f"http://127.0.0.1:{port}")
        games = page.get_by_role("list", name="Sample games").get_by_role("link")
        expect(games).to_have_count(2)
        expect(games.first).to_have_text("Game 5Black won9 moves")
        cut = "all => all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent)"
        assert games.locator("b, small").evaluate_all(cut) == []
        expect(games.first.locator("circle[fill='#201e1b']")).to_have_count(5)
        games.first.click()
        expect(page.locator(".standing")).to_contain_text("Black won")
        expect(page.locator(".record")).to_have_text("Q-network – Greedy")
        phone = opened("#watch/run/mine", origin=page.url.partition("/#")[0], color_scheme="dark", **PHONE)
        expect(phone.get_by_role("list", name="Sample games")).to_be_visible()
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390
        assert serious_findings(phone) == []
        page.keyboard.press("ArrowLeft")
        expect(page.locator(".standing")).to_contain_text("Black to move")
        expect(page.locator(".step")).to_have_count(9)
        phone.close()
        page.close()


def match_of(games: int, **more: object) -> dict[str, object]:
    """A match as the server tells of it: games that are all alike."""
    score = {"wins": 1, "draws": 0, "losses": 1}
    game = {"black": "greedy", "white": "random", "winner": "black", "reason": "line"}
    game["position"] = {"game": "gomoku:size=7", "moves": ["a1", "b1", "a2"]}  # type: ignore[assignment]
    players = ["greedy", "random", "minimax"]
    summary: dict[str, object] = {"wins": [2, 2, 2], "losses": [2, 2, 2], "draws": 0, "seconds_per_move": [0, 0, 0]}
    summary |= {"elo": None, "elo_low": None, "elo_high": None}
    summary["cross_table"] = [[None if row == column else score for column in range(3)] for row in range(3)]
    about = {"id": 7, "settings": {"game": "gomoku:size=7", "players": players}, "begun": 1, "changed": 1}
    return about | {"games": games, "summary": summary, "played": [game | {"number": i} for i in range(games)]} | more


def test_games_that_are_followed_tell_who_played(opened: Opened) -> None:
    page = opened("#play")
    players = [("greedy", "random", "timeout"), ("mcts:playouts=60", "random", "line"), ("greedy", "random", "line")]
    match = match_of(3)
    for game, (black, white, reason) in zip(match["played"], players, strict=True):  # type: ignore[call-overload]
        game |= {"black": black, "white": white, "reason": reason}  # and the same moves
    page.route("**/api/arena?match=7", lambda route: route.fulfill(json=match))
    record, back = page.locator(".record"), page.get_by_role("button", name="Bring it back")
    for name, told in (
        ("Game 1", "Greedy – Random · Black won, on time"),
        ("Game 2", "Monte Carlo playouts=60 – Random"),
        ("Game 3", "Greedy – Random"),
    ):
        page.evaluate("location.hash = '#watch/match/7'")
        page.get_by_role("link", name=name, exact=True).click()
        expect(record).to_have_text(told)
        expect(page.locator(".step")).to_have_count(3)
    back.click()
    expect(record).to_have_text("Monte Carlo playouts=60 – Random")
    page.evaluate("location.hash = '#analyse/gomoku:size=7/a1b1c1'")  # another game, which nobody told of
    expect(page.locator(".step")).to_have_count(3)
    expect(page.locator(".step").last).to_contain_text("c1")
    expect(record).to_be_hidden()


def shelf_of(page: Any, runs: int, matches: int) -> list[str]:
    """Answer for so many runs and matches, whose figures change each time; returns what was asked for."""
    asked: list[str] = []

    def answer(route: Any) -> None:
        asked.append(route.request.url)
        some = [{"name": f"run{i}", "method": "dqn", "state": "running", "alarms": len(asked) % 3} for i in range(runs)]
        played = [match_of(3) | {"id": i, "games": len(asked)} for i in range(matches)]
        route.fulfill(json={"all": some if "runs" in route.request.url else played})

    page.route(re.compile("/api/(runs|arena)$"), answer)
    return asked


def test_a_press_on_the_shelf_is_not_lost_in_a_refresh(opened: Opened) -> None:
    page = opened("#play")
    asked = shelf_of(page, 2, 2)
    about = {"name": "run1", "about": {}, "config": "", "columns": {}, "games": []}
    page.route("**/api/runs?name=*", lambda route: route.fulfill(json=about))
    page.route("**/api/arena?match=*", lambda route: route.fulfill(json=match_of(3)))
    page.evaluate("location.hash = '#watch/nets'")
    for address, part in (("run/run1", "b"), ("match/1", "small"), ("run/run0", ".pill")):
        link = page.locator(f'.shelf [href="#watch/{address}"]')
        link.locator(part).hover()
        page.mouse.down()
        count, words = len(asked), page.locator(".shelf").text_content()
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(page.locator(".shelf")).not_to_have_text(words or "")
        assert len(asked) > count
        page.mouse.up()
        expect(link).to_have_attribute("aria-current", "page")
        expect(page.locator(".shelf [aria-current]")).to_have_count(1)
        expect(page).to_have_url(re.compile(f"#watch/{address}$"))


@pytest.mark.parametrize("runs", [0, 3])
def test_a_phone_sees_first_what_there_is_to_do(opened: Opened, runs: int) -> None:
    page = opened("#play", **PHONE)
    shelf_of(page, runs, 0)
    page.evaluate("location.hash = '#watch/nets'")
    shelf = page.locator(".shelf")
    expect(page.get_by_role("region", name="Nets")).to_be_visible()
    scrolled = shelf.evaluate("each => each.scrollLeft")
    assert scrolled > 0 if runs else scrolled == 0  # to what is chosen, but not over how to begin


def refreshed(page: Any) -> None:
    """Wait until the detail is drawn anew."""
    page.evaluate("document.querySelector('.detail h2').dataset.before = ''")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator(".detail h2[data-before]")).to_have_count(0)


@pytest.mark.parametrize(
    ("language", "title", "first"),
    [("en", "Games", "Games · first 3 of 1200"), ("zh", "对局", "对局 · 共 1200 局，显示前 3 局")],
)
def test_a_match_that_is_played_has_standings_and_says_how_many_games_are_not_shown(
    opened: Opened, language: str, title: str, first: str
) -> None:
    page = opened("#play", settings={"language": language})
    answers = [match_of(3, games_in_all=1200), match_of(3, games_in_all=3), match_of(3)]
    page.route("**/api/arena?match=7", lambda route: route.fulfill(json=answers[0]))
    page.evaluate("location.hash = '#watch/match/7'")
    expect(page.locator(".detail h3").last).to_have_text(first)
    expect(page.locator(".detail .scroll")).to_have_count(3)  # standings, cross table and games
    while len(answers) > 1:
        answers.pop(0)
        refreshed(page)
        expect(page.locator(".detail h3").last).to_have_text(title)


def test_a_refresh_leaves_the_focus_and_what_is_scrolled_where_they_are(opened: Opened) -> None:
    page = opened("#play", viewport={"width": 390, "height": 700})
    asked: list[int] = []

    def answer(route: Any) -> None:
        asked.append(1)
        route.fulfill(json=match_of(60, changed=1000 * len(asked)))

    page.route("**/api/arena?match=7", answer)
    page.evaluate("location.hash = '#watch/match/7'")
    games = page.get_by_role("region", name="Games")
    link = games.get_by_role("link", name="Game 41", exact=True)  # which leads where all others lead
    link.focus()
    expect(link).to_be_focused()
    before = games.evaluate("each => { each.scrollLeft = 30; return [each.scrollTop, each.scrollLeft, scrollY]; }")
    assert min(before[:2]) > 0
    for _ in range(2):
        refreshed(page)
        expect(link).to_be_focused()
        assert games.evaluate("each => [each.scrollTop, each.scrollLeft, scrollY]") == before
    table = page.get_by_role("region", name="Standings")
    table.focus()
    refreshed(page)
    expect(table).to_be_focused()


def test_a_refresh_of_a_run_leaves_its_settings_open_and_in_place(opened: Opened) -> None:
    page = opened("#play")
    asked: list[int] = []

    def answer(route: Any) -> None:
        asked.append(1)
        config = "".join(f"line {i}\n" for i in range(200))
        columns = {"step": [1, 2], "minutes": [1, 2], "games": [1, len(asked)]}
        route.fulfill(json={"name": "mine", "about": {}, "config": config, "columns": columns, "games": []})

    page.route("**/api/runs?name=mine", answer)
    page.evaluate("location.hash = '#watch/run/mine'")
    summary, config = page.locator(".config summary"), page.locator(".config pre")
    summary.click()
    config.evaluate("each => { each.scrollTop = 300; }")
    refreshed(page)
    expect(summary).to_be_focused()
    assert config.evaluate("each => each.scrollTop") == 300


@pytest.mark.parametrize(("state", "speed"), [("running", "0"), ("finished", "6")])
def test_a_run_that_has_ended_shows_its_usual_speed(opened: Opened, state: str, speed: str) -> None:
    page = opened("#play")
    columns = {"step": [1, 2, 3, 4], "minutes": [1, 2, 3, 4], "games_per_second": [5, 6, 7, 0]}
    answer = {"name": "mine", "about": {"state": state}, "config": "", "columns": columns, "games": []}
    page.route("**/api/runs?name=mine", lambda route: route.fulfill(json=answer))
    page.evaluate("location.hash = '#watch/run/mine'")
    tile = page.locator(".tiles div", has_text="Games per second")
    expect(tile.locator("dd")).to_have_text(speed)
