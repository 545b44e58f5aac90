"""The page in a real browser: watching."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

from browsing import PHONE, Opened, expect, free_port, serious_findings, serving_at

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
        page.get_by_role("link", name="random – greedy").click()
        expect(page.get_by_role("region", name="Cross table").locator("tbody tr")).to_have_count(3)
        page.get_by_role("link", name="Game 1", exact=True).click()
        expect(page).to_have_url(re.compile(r"#analyse/gomoku:size=7/"))
        expect(page.locator(".standing")).to_contain_text(re.compile("won|draw"))
        page.close()  # before its server goes, which it would complain about


def test_chinese_names_the_figures_and_alarms(opened: Opened, tmp_path: Path) -> None:
    run = tmp_path / "runs" / "mine"
    run.mkdir(parents=True)
    (run / "run.json").write_text(json.dumps({"method": "alphazero", "state": "running", "alarms": ALARMS}))
    figures = {"minutes": 1.0, "games": 5, "policy_loss": 2.0, "value_loss": 0.5, "kl": 0.1, "ladder_greedy_wins": 0.4}
    (run / "metrics.jsonl").write_text("".join(json.dumps({"step": step, **figures}) + "\n" for step in (1, 2)))
    port = free_port()
    with serving_at(port, tmp_path):
        page = opened("#watch/run/mine", origin=f"http://127.0.0.1:{port}", locale="zh-CN")
        expect(page.locator(".alarm").first).to_contain_text("对局过短 多数对局几手就结束")
        expect(page.locator(".tiles dt")).to_have_text(["对局", "分钟"])
        expect(page.locator(".chart figcaption")).to_have_text(["损失", "胜率", "KL 散度"])
        expect(page.locator(".chart").first.locator(".legend span")).to_have_text(["策略2", "价值0.5"])
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
        phone = opened("#watch/run/mine", origin=page.url.partition("/#")[0], color_scheme="dark", **PHONE)
        expect(phone.get_by_role("list", name="Sample games")).to_be_visible()
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390
        assert serious_findings(phone) == []
        page.keyboard.press("ArrowLeft")
        expect(page.locator(".standing")).to_contain_text("Black to move")
        expect(page.locator(".step")).to_have_count(9)
        phone.close()
        page.close()
