"""Runs and matches as the page is told of them."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tengen.arena import TimeControl, play_match
from tengen.arena.store import Store
from tengen.errors import TengenError
from tengen.games import Position
from tengen.web import watch
from tengen.web.watch import Watched, nets


def make_run(folder: Path, lines: list[dict[str, object]], **about: object) -> None:
    folder.mkdir(parents=True)
    (folder / "run.json").write_text(json.dumps({"method": "dqn", "state": "running", **about}))
    (folder / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"step": 9')
    (folder / "config.toml").write_text("[run]\nseed = 1\n")


def test_a_run_whose_process_was_killed_is_stopped(tmp_path: Path) -> None:
    make_run(tmp_path / "a", [])
    watched = Watched(tmp_path, tmp_path / "arena.db")

    def states() -> set[str]:
        return {watched.run_list()[0]["state"], watched.run("a")["about"]["state"]}

    assert states() == {"running"}  # of one without a lock nobody knows better
    code = "import sys, time, pathlib; from tengen.train.lock import claim; "
    code += "lock = claim(pathlib.Path(sys.argv[1])); print('held', flush=True); time.sleep(60)"
    command = [sys.executable, "-c", code, str(tmp_path / "a")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        assert states() == {"running"}
        holder.kill()
        holder.wait()
    assert states() == {"stopped"}


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


def test_of_many_runs_those_that_changed_last_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "_MOST_RUNS", 4)
    names = ["z", "a/y", "b/c/x", "w", "d", "e"]
    for age, name in enumerate(names):  # the newest first
        make_run(tmp_path / "runs" / name, [{"step": age}])
        for file in (tmp_path / "runs" / name).iterdir():
            os.utime(file, (10_000 - age, 10_000 - age))
    watched = Watched(tmp_path / "runs", tmp_path / "arena.db")
    assert [(run["name"], run["changed"]) for run in watched.run_list()] == [
        ("z", 10_000), ("a/y", 9999), ("b/c/x", 9998), ("w", 9997),
    ]  # fmt: skip
    assert [watched.run(name)["columns"]["step"] for name in names] == [[age] for age in range(6)]
    os.utime(tmp_path / "runs" / "e" / "metrics.jsonl", (20_000, 20_000))
    (tmp_path / "runs" / "d" / "metrics.jsonl").unlink()
    os.utime(tmp_path / "runs" / "d" / "run.json", (30_000, 30_000))  # it has just begun
    assert [run["name"] for run in watched.run_list()] == ["d", "e", "z", "a/y"]
    monkeypatch.setattr(watch, "_MOST_FOUND", 3)
    assert len(watched.run_list()) == 3


def test_of_a_log_is_read_what_is_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = []
    figures = watch._figures
    monkeypatch.setattr(watch, "_figures", lambda text: parsed.append(text) or figures(text))
    folder = tmp_path / "runs" / "a"
    make_run(folder, [])
    log = folder / "metrics.jsonl"
    watched = Watched(tmp_path / "runs", tmp_path / "arena.db")

    def steps() -> list[int]:
        parsed.clear()
        shown = watched.run("a")["columns"]
        assert len(parsed) < 3000  # of 20,000 or more
        return shown.get("step", [])

    log.write_text("".join(f'{{"step": {i}}}\n' for i in range(20_000)) + '{"step": 20')
    assert steps()[-1] == 19_999
    assert steps()[-1] == 19_999
    assert len(parsed) == 1  # the newest
    with log.open("a") as file:
        file.write("000}\n")
        file.write('{"step": 20001, "loss": NaN, "length": Infinity, "rating": 7}\n')
        file.write('{"step": damaged}\n[1]\n{"step": 20002, "loss": NaN, "length": 3}\n{"step": 2')
    assert steps()[-3:] == [19_968, 20_001, 20_002]
    assert len(parsed) < 10
    shown = watched.run("a")["columns"]
    assert "loss" not in shown
    assert shown["rating"][-2] == 7
    assert shown["length"][-2:] == [None, 3]
    # A run that is resumed writes its log anew, as a shorter one; meanwhile it may have grown.
    for count in (30, 15_000, 40_000):
        written = tmp_path / "written"
        written.write_text("".join(f'{{"step": {i}, "anew": {count}}}\n' for i in range(count)))
        written.replace(log)
        assert steps()[-1] == count - 1
        assert set(watched.run("a")["columns"]["anew"]) == {count}
    log.unlink()
    assert steps() == []
    monkeypatch.setattr(watch, "_MOST_LOG", 1000)
    log.write_text("".join(f'{{"step": {i}}}\n' for i in range(20_000)))
    assert steps()[-1] == 19_999
    assert 50 < len(steps()) < 100


def test_only_the_logs_looked_at_last_are_remembered(tmp_path: Path) -> None:
    watched = Watched(tmp_path / "runs", tmp_path / "arena.db")
    for number in range(12):
        make_run(tmp_path / "runs" / str(number), [{"step": number}])
        assert watched.run(str(number))["columns"] == {"step": [number]}
        watched.run("0")
        if number == 0:
            [first] = watched._read.values()
    assert len(watched._read) == 8
    assert first in watched._read.values()


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


@pytest.mark.parametrize("clock", [None, "60+1"])
def test_a_match_that_is_being_played_has_standings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: str | None
) -> None:
    db, watched = tmp_path / "arena.db", Watched(tmp_path, tmp_path / "arena.db")

    def match(games: int) -> dict[str, Any]:
        limits = TimeControl.parse(clock) if clock else None
        return play_match(
            ["random", "greedy", "greedy:margin=1"], "gomoku:size=7", games=games, seed=3, db=db, clock=limits
        ).to_dict()

    with Store(db) as store:
        begun = {"game": "gomoku:size=7", "players": ["random", "greedy"], "seed": 1}
        assert watched.match(str(store.open_match(begun)))["summary"] is None  # no game is over
    finished = match(2)
    number = str(next(each["id"] for each in watched.matches() if each["games"]))
    shown = watched.match(number)
    assert (shown["summary"], shown["games_in_all"]) == (json.loads(json.dumps(finished)), 6)
    with contextlib.closing(sqlite3.connect(db, isolation_level=None)) as file:
        file.execute("UPDATE matches SET summary = NULL")  # as while it is played
    monkeypatch.setattr(watch, "_MOST_GAMES", 5)
    shown = watched.match(number)
    for key in ("games", "wins", "draws", "losses", "elo", "ratings", "cross_table", "details", "clock"):
        assert shown["summary"][key] == finished[key], key
    assert (len(shown["played"]), shown["games_in_all"]) == (5, 6)
    with contextlib.closing(sqlite3.connect(db, isolation_level=None)) as file:
        file.execute("UPDATE matches SET summary = ? WHERE id = ?", (json.dumps(finished | {"games": 2}), number))
    assert watched.match(number)["summary"]["games"] == 6  # more games than there were when it was finished


def test_what_a_run_says_of_itself_may_be_no_number_and_its_name_no_text(tmp_path: Path, serving: Any) -> None:
    odd = os.fsdecode(b"run\xff")
    make_run(tmp_path / "runs" / odd, [{"step": 1, "loss": 2.0}], best=float("nan"))
    assert "NaN" in (tmp_path / "runs" / odd / "run.json").read_text()
    with serving(watched=Watched(tmp_path / "runs", tmp_path / "arena.db")) as server:
        status, answer = get(server, "/api/runs")
        assert (status, [run["name"] for run in answer["all"]]) == (200, [odd])
    assert Watched(tmp_path / "runs", tmp_path / "arena.db").run(odd)["about"]["best"] is None


def test_the_arenas_file_is_left_as_it_is(tmp_path: Path) -> None:
    db = tmp_path / "a file?#.db"
    play_match(["random", "greedy"], "gomoku:size=7", games=2, db=db)
    before = db.read_bytes()
    watched = Watched(tmp_path, db)
    [match] = watched.matches()
    assert len(watched.match(str(match["id"]))["played"]) == 2
    assert [file.name for file in tmp_path.iterdir()] == [db.name]
    assert db.read_bytes() == before
    with Store(db) as store:  # while a match goes on
        number = store.open_match({"game": "gomoku", "players": ["random"], "seed": 1})
        assert number in {each["id"] for each in watched.matches()}
    with Store(db, read_only=True) as store, pytest.raises(TengenError, match="readonly"):
        store.finish(1, {})


def damaged(change: str) -> Callable[[Path], None]:
    def make(db: Path) -> None:
        play_match(["random", "greedy"], "gomoku:size=7", games=2, db=db)
        with contextlib.closing(sqlite3.connect(db, isolation_level=None)) as file:
            file.execute(change)

    return make


def foreign(db: Path) -> None:
    with contextlib.closing(sqlite3.connect(db)) as file:
        file.execute("CREATE TABLE things (name TEXT)")


UNREADABLE: dict[str, Callable[[Path], object]] = {
    "no database": lambda db: db.write_bytes(b"this is no database, only some text that is long enough" * 20),
    "empty": lambda db: db.write_bytes(b""),
    "folder": lambda db: db.mkdir(),
    "foreign": foreign,
    "other layout": damaged("PRAGMA user_version = 99"),
    "no tables": damaged("DROP TABLE matches"),
    "no JSON": damaged("UPDATE matches SET settings = '{'"),
    "no settings": damaged("UPDATE matches SET settings = '[]'"),
    "no moves": damaged("UPDATE games SET moves = 'h8 z99'"),
    "moves twice": damaged("UPDATE games SET moves = 'a1 a1'"),
    "no such player": damaged("UPDATE games SET black = 7"),
    "no text": damaged("UPDATE games SET start = 5"),
    "no side": damaged("UPDATE games SET winner = 'red'"),
}


@pytest.mark.parametrize("kind", UNREADABLE)
def test_an_arenas_file_that_cannot_be_read_is_said(tmp_path: Path, kind: str, serving: Callable[..., Any]) -> None:
    db = tmp_path / "arena.db"
    UNREADABLE[kind](db)
    with serving(watched=Watched(tmp_path / "runs", db)) as server:
        answers = [get(server, "/api/arena"), get(server, "/api/arena?match=1")]
        [status, answer] = next(each for each in answers if each[0] != 200)
        assert status == 404
        assert answer["error"]["code"] == "arena_file"
        assert answer["error"]["details"] == [str(db)]
        assert "arena.db" in answer["error"]["message"]
        assert get(server, "/api/runs") == (200, {"all": []})


def test_nets_are_listed() -> None:
    by_name = {net["name"]: net for net in nets()}
    assert by_name["gomoku-15x15"]["shape"] == {"kind": "tengen", "blocks": 6, "channels": 64}
    low, rating, high = (by_name["gomoku-15x15"]["rating"][i] for i in (1, 0, 2))
    assert low < rating < high


def get(server: Any, path: str) -> tuple[int, dict[str, Any]]:
    try:
        with urllib.request.urlopen(server.address + path, timeout=10) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refused:
        return refused.code, json.load(refused)


def test_the_server_tells_it(server: Any) -> None:
    assert get(server, "/api/nets")[0] == 200
    assert get(server, "/api/runs?name=" + urllib.parse.quote("../../x"))[0] == 404
    assert get(server, "/api/arena?match=x")[0] == 404


def test_one_request_is_read_at_a_time(tmp_path: Path, serving: Callable[..., Any]) -> None:
    reading, most = 0, 0

    class Slow(Watched):
        def run_list(self) -> list[dict[str, Any]]:
            nonlocal reading, most
            reading += 1
            most = max(most, reading)
            time.sleep(0.1)
            reading -= 1
            return []

    with serving(watched=Slow(tmp_path, tmp_path / "arena.db")) as server:
        threads = [threading.Thread(target=get, args=(server, "/api/runs")) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert most == 1
