"""Runs and matches as the page is told of them."""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

from tengen.arena import play_match
from tengen.errors import TengenError
from tengen.games import Position
from tengen.web.watch import Watched, nets


def make_run(folder: Path, lines: list[dict[str, object]], **about: object) -> None:
    folder.mkdir(parents=True)
    (folder / "run.json").write_text(json.dumps({"method": "dqn", "state": "running", **about}))
    (folder / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"step": 9')
    (folder / "config.toml").write_text("[run]\nseed = 1\n")


def test_runs_are_found_and_thinned(tmp_path: Path) -> None:
    lines: list[dict[str, object]] = [{"step": i, "loss": 1 / (i + 1)} for i in range(5000)]
    lines[1234]["evaluate_black_wins"] = 0.5
    lines[1235]["rung_score"] = 0.25
    alarms = {"deaf": {"since": 3, "until": None}, "blind": {"since": 3, "until": 5}, "odd": 7}
    make_run(tmp_path / "runs" / "a", lines, alarms=alarms)
    make_run(tmp_path / "runs" / "study" / "b", [], state="finished")
    (tmp_path / "runs" / "c").mkdir()
    (tmp_path / "runs" / "c" / "run.json").write_text("{")  # half written
    watched = Watched(tmp_path / "runs", tmp_path / "arena.db")
    listed = {run["name"]: run for run in watched.run_list()}
    assert set(listed) == {"a", "study/b"}
    assert listed["a"]["newest"] == {"step": 4999, "loss": 1 / 5000}
    assert listed["study/b"]["state"] == "finished"
    assert (listed["a"]["alarms"], listed["study/b"]["alarms"]) == (1, 0)
    shown = watched.run("a")
    steps = shown["columns"]["step"]
    assert len(steps) < 700
    assert steps == sorted(steps)
    assert steps[-1] == 4999
    assert shown["columns"]["evaluate_black_wins"][steps.index(1234)] == 0.5
    assert shown["columns"]["rung_score"][steps.index(1235)] == 0.25
    for name in ("../runs/a", "/etc", "c", ""):
        with pytest.raises(TengenError, match="no run"):
            watched.run(name)


def test_sample_games_are_shown_as_far_as_they_can_be_played(tmp_path: Path) -> None:
    make_run(tmp_path / "runs" / "a", [])
    watched = Watched(tmp_path / "runs", tmp_path / "arena.db")
    assert watched.run("a")["games"] == []
    sample = {
        "step": 4,
        "game": "othello",
        "moves": ["f5", "d6"],
        "black": "dqn",
        "white": "x" * 200,
        "winner": "white",
    }
    sample["unplayed"] = 1
    bad: list[dict[str, object]] = [
        {**sample, "moves": ["f5", "f5"]},
        {**sample, "game": "chess"},
        {**sample, "moves": ["h8"] * 10_000},
        {**sample, "black": "y" * 201},
        {**sample, "winner": "red"},
        {**sample, "step": -1},
    ]
    lines = [json.dumps(line) for line in [*bad, sample, *bad]]
    (tmp_path / "runs" / "a" / "games.jsonl").write_text("\n".join([*lines, '{"step": 5']))
    [shown] = watched.run("a")["games"]
    position = shown.pop("position")
    assert shown.pop("cells") == "".join(".xo"[code] for code in Position("othello", "f5d6").board().ravel())
    assert shown == {key: sample[key] for key in ("step", "black", "white", "winner", "unplayed")}
    assert Position.from_dict(position) == Position("othello", "f5d6")
    (tmp_path / "runs" / "a" / "games.jsonl").write_text((json.dumps({**sample, "moves": []}) + "\n") * 500)
    assert len(watched.run("a")["games"]) == 50


def test_nothing_to_watch_is_no_error(tmp_path: Path) -> None:
    watched = Watched(tmp_path / "none", tmp_path / "none.db")
    assert watched.run_list() == []
    assert watched.matches() == []
    assert not (tmp_path / "none.db").exists()
    with pytest.raises(TengenError, match="no matches"):
        watched.match("1")


def test_matches_and_their_games(tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    play_match(["random", "greedy"], "gomoku:size=7", games=4, seed=3, db=db)
    watched = Watched(tmp_path, db)
    [match] = watched.matches()
    assert match["games"] == 4
    shown = watched.match(str(match["id"]))
    assert [game["number"] for game in shown["played"]] == [0, 1, 2, 3]
    for game in shown["played"]:
        ended = Position.from_dict(game["position"])
        outcome = ended.outcome()
        assert outcome is not None
        assert game["winner"] == (str(outcome.winner) if outcome.winner else None)
        assert {game["black"], game["white"]} == {"random", "greedy"}
    for number in ("7", "-1", "x", "9" * 50):
        with pytest.raises(TengenError, match="no match"):
            watched.match(number)


def test_nets_are_listed() -> None:
    by_name = {net["name"]: net for net in nets()}
    assert by_name["gomoku-15x15"]["shape"] == {"kind": "tengen", "blocks": 6, "channels": 64}
    low, rating, high = (by_name["gomoku-15x15"]["rating"][i] for i in (1, 0, 2))
    assert low < rating < high


def test_the_server_tells_it(server) -> None:  # type: ignore[no-untyped-def]
    def get(path: str) -> tuple[int, dict[str, object]]:
        try:
            with urllib.request.urlopen(server.address + path, timeout=10) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refused:
            return refused.code, json.load(refused)

    assert get("/api/nets")[0] == 200
    assert get("/api/runs?name=" + urllib.parse.quote("../../x"))[0] == 404
    assert get("/api/arena?match=x")[0] == 404
