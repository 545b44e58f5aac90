"""Matches in worker processes: schedules, faults that are survived, files that go on."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

import tengen
from tengen import PlayerNameError, Side, TengenError
from tengen.arena import Fault, Sprt, Store, Verdict, play_match
from tengen.arena.openings import canonical_key
from tengen.arena.schedule import GRACE_SECONDS, UNTIMED_SECONDS, player_terms

HERE = Path(__file__).parent
KINDS = ("doubles_kinds",)


def outline(result):
    """All that must be the same when a match is played again: timings are not."""
    return [
        (game.number, game.pair, game.black, game.white, game.opening, game.result.moves, game.result.winner)
        for game in result.games
    ]


def test_colours_are_swapped_and_openings_shared_within_a_pair():
    result = play_match(["greedy", "random"], games=12, seed=1)
    games = result.games
    assert [game.number for game in games] == list(range(12))
    for first, second in zip(games[::2], games[1::2], strict=True):
        assert (first.black, first.white) == (second.white, second.black) == (0, 1)
        assert first.pair == second.pair
        assert first.result.start == second.result.start
    assert len({canonical_key(game.result.start) for game in games}) == 6
    assert result.wins == [12, 0]
    assert result.elo().low > 0


def test_deterministic_players_do_not_replay_a_game():
    result = play_match(["first", "first"], games=40, openings="empty", imports=KINDS, game="gomoku:size=9")
    games = {(game.black, *map(str, game.result.position().moves)) for game in result.games}
    assert len(games) == 40
    assert any("empty has 1 opening" in note for note in result.notes)


def test_players_get_another_seed_in_every_game():
    result = play_match(["random", "random"], games=20, seed=1, game="gomoku:size=5")
    assert len({game.result.moves[:3] for game in result.games}) == 20


@pytest.mark.parametrize("game", ["gomoku", "othello:size=6", "renju"])
def test_the_same_seed_gives_the_same_match_whatever_the_jobs(game):
    one = play_match(["greedy", "random"], game, games=14, seed=5)
    two = play_match(["greedy", "random"], game, games=14, seed=5, jobs=3)
    assert outline(one) == outline(two)
    assert outline(one) != outline(play_match(["greedy", "random"], game, games=14, seed=6))


def test_a_longer_match_begins_like_a_shorter_one():
    short = play_match(["greedy", "random", "greedy"], games=3, seed=2)
    long = play_match(["greedy", "random", "greedy"], games=6, seed=2)
    assert {game[0] for game in outline(short)} <= {game[0] for game in outline(long)}
    assert set(outline(short)) <= set(outline(long))


def test_misbehaving_players_lose_and_the_match_goes_on():
    players = ["greedy", "crashing", "exiting", "sleeping", "illegal", "wrongtype", "unmakeable"]
    result = play_match(players, games=2, timeout=0.8, imports=KINDS, jobs=2, game="gomoku:size=9")
    assert result.standings.games == result.planned == 2 * 21
    kinds = [{kind for kind, count in player.faults.items() if count} for player in result.standings.players]
    assert kinds == [
        set(),
        {Fault.CRASH},
        {Fault.CRASH},
        {Fault.TIMEOUT},
        {Fault.ILLEGAL_MOVE},
        {Fault.PROTOCOL_ERROR},
        {Fault.CRASH},
    ]
    assert result.wins[0] == 12
    killed = next(game.result for game in result.games if "SIGKILL" in game.result.detail)
    assert killed.moves  # what was played before is kept
    assert killed.position().ply >= 8
    late = [game.result for game in result.games if game.result.fault is Fault.TIMEOUT]
    assert all(0.8 < max(each.slowest) < 8 for each in late)
    assert json.loads(json.dumps(result.to_dict()))["faults"] == result.faults
    assert len(result.records()) == 42


def test_a_faulty_player_keeps_playing_its_next_games():
    result = play_match(["exiting", "crashing"], games=6, imports=KINDS, seed=1)
    assert result.standings.games == 6
    assert sum(result.faults) == 6


def test_the_time_is_told_to_those_whose_name_does_not_settle_it():
    result = play_match(["told", "told:depth=3"], games=2, seconds=0.25, imports=KINDS, openings="empty")
    assert [game.result.detail for game in result.games] == ["RuntimeError: told 0.25", "RuntimeError: told None"]


def test_terms():
    assert player_terms("greedy", 1.0, None).limit.seconds == 1.0
    assert player_terms("greedy", 1.0, None).timeout == 1.0 + GRACE_SECONDS
    assert player_terms("x:time=5", 1.0, None).limit is None
    assert player_terms("x:time=5", 1.0, None).timeout == 5.0 + GRACE_SECONDS
    assert player_terms("x:depth=5", 1.0, None).limit is None
    assert player_terms("x:depth=5", 1.0, None).timeout == UNTIMED_SECONDS
    assert player_terms("x:playouts=5", 1.0, 7.0).timeout == 7.0


def test_a_round_robin_is_complete_and_rated():
    result = play_match(["random", "greedy", "first"], games=4, imports=KINDS, seed=3)
    meetings = [frozenset((game.black, game.white)) for game in result.games]
    assert {meeting: meetings.count(meeting) for meeting in meetings} == dict.fromkeys(meetings, 4)
    assert len(meetings) == 12
    data = result.to_dict()
    assert data["ratings"][1]["rating"] == 1000
    table = data["cross_table"]
    assert [table[place][place] for place in range(3)] == [None] * 3
    assert table[1][0]["wins"] == table[0][1]["losses"] == 4
    assert sum(data["wins"]) + data["draws"] == data["games"] == 12


def test_json_has_the_keys_of_the_contract():
    data = play_match(["greedy", "random"], games=4).to_dict()
    contract = "game players games wins draws elo elo_low elo_high faults seconds_per_move seed"
    assert " ".join(data).startswith(contract + " ")
    assert data["players"] == ["greedy", "random"]
    assert data["elo_low"] <= data["elo"] <= data["elo_high"]
    assert json.loads(json.dumps(data, allow_nan=False)) == data


def test_a_sequential_test_ends_the_match_and_does_not_depend_on_jobs():
    one = play_match(["greedy", "random"], games=400, sprt=Sprt(0, 100), seed=1)
    two = play_match(["greedy", "random"], games=400, sprt=Sprt(0, 100), seed=1, jobs=3)
    assert one.sprt.verdict is two.sprt.verdict is Verdict.ACCEPTED
    assert one.standings.games < 100
    assert one.standings.games % 2 == 0
    assert outline(one) == outline(two)
    lost = play_match(["random", "greedy"], games=400, sprt=Sprt(0, 100), seed=1)
    assert lost.sprt.verdict is Verdict.REJECTED


def test_progress_is_reported():
    seen = []
    play_match(["greedy", "random"], games=30, on_progress=lambda result: seen.append(result.standings.games))
    assert seen == sorted(seen)
    assert seen[-1] == 30


@pytest.mark.parametrize(
    ("players", "options", "says"),
    [
        (["greedy"], {}, "two players"),
        (["greedy", "human"], {}, "a person cannot play"),
        (["greedy", "frobnicate"], {}, "unknown player 'frobnicate'"),
        (["greedy", "random:colour=3"], {}, "has no key 'colour'"),
        (["greedy", "noothello"], {"game": "othello", "imports": KINDS}, "noothello does not play othello"),
        (["greedy", "random"], {"games": 0}, "1 to 10,000,000 games"),
        (["greedy", "random"], {"seconds": 0.0}, "time for a move"),
        (["greedy", "random"], {"timeout": float("nan")}, "time-out"),
        (["greedy", "random"], {"seed": -1}, "seed"),
        (["greedy", "random"], {"jobs": 0}, "jobs"),
        (["greedy", "random", "greedy"], {"sprt": Sprt(0, 5)}, "between two players"),
        (["greedy", "random"], {"game": "go"}, "unknown game"),
        (["greedy", "random"], {"imports": ["no_such_module_here"]}, "do not start: .*no_such_module_here"),
    ],
)
def test_settings_that_make_no_match(players, options, says):
    with pytest.raises(TengenError, match=says):
        play_match(players, **options)


def test_unknown_players_are_found_out_before_anything_is_played(tmp_path):
    seen = []
    with pytest.raises(PlayerNameError):
        play_match(["greedy", "frobnicate"], on_progress=seen.append)
    assert not seen


def test_a_finished_match_is_not_played_again_and_can_be_made_longer(tmp_path):
    db = tmp_path / "arena.db"
    first = play_match(["greedy", "random"], games=10, seed=1, db=db)
    played = []
    again = play_match(["greedy", "random"], games=10, seed=1, db=db, on_progress=lambda r: played.append(r))
    assert not played
    assert outline(first) == outline(again)
    assert first.seconds_per_move == again.seconds_per_move
    longer = play_match(["greedy", "random"], games=16, seed=1, db=db)
    assert outline(longer)[:10] == outline(first)
    assert outline(longer) == outline(play_match(["greedy", "random"], games=16, seed=1))
    with Store(db) as store:
        (match,) = store.matches()
        assert match["games"] == 16
        assert match["settings"]["players"] == ["greedy", "random"]
        assert match["summary"]["games"] == 16
        assert [game.result.moves for game in store.games(match["id"])] == [game.result.moves for game in longer.games]


def test_matches_share_a_file(tmp_path):
    db = tmp_path / "arena.db"
    play_match(["greedy", "random"], games=2, seed=1, db=db)
    play_match(["greedy", "random"], games=4, seed=2, db=db)
    play_match(["random", "greedy"], "othello", games=6, seed=1, db=db)
    with Store(db) as store:
        assert sorted(match["games"] for match in store.matches()) == [2, 4, 6]


def test_a_decided_test_keeps_only_the_games_that_count(tmp_path):
    db = tmp_path / "arena.db"
    result = play_match(["greedy", "random"], games=400, sprt=Sprt(0, 100), seed=1, db=db, jobs=2)
    with Store(db) as store:
        assert store.matches()[0]["games"] == result.standings.games
    again = play_match(["greedy", "random"], games=400, sprt=Sprt(0, 100), seed=1, db=db)
    assert outline(again) == outline(result)


def test_faults_survive_in_the_file(tmp_path):
    db = tmp_path / "arena.db"
    first = play_match(["crashing", "illegal"], games=4, imports=KINDS, db=db)
    again = play_match(["crashing", "illegal"], games=4, imports=KINDS, db=db)
    assert again.faults == first.faults
    assert [game.result.detail for game in again.games] == [game.result.detail for game in first.games]


@pytest.mark.parametrize("content", [b"this is no database, only some text that is long enough" * 20, None])
def test_other_files_are_left_alone(tmp_path, content):
    db = tmp_path / "other.db"
    if content is None:
        other = sqlite3.connect(db)
        other.execute("CREATE TABLE things (name TEXT)")
        other.close()
        content = db.read_bytes()
    else:
        db.write_bytes(content)
    with pytest.raises(TengenError, match=r"not one of matches|cannot use|not a database"):
        play_match(["greedy", "random"], games=2, db=db)
    assert db.read_bytes() == content


def test_a_newer_layout_is_refused(tmp_path):
    db = tmp_path / "arena.db"
    play_match(["greedy", "random"], games=2, db=db)
    other = sqlite3.connect(db)
    other.execute("PRAGMA user_version = 99")
    other.close()
    with pytest.raises(TengenError, match="layout 99"):
        play_match(["greedy", "random"], games=2, db=db)


SCRIPT = """
import sys
from tengen.arena import play_match
play_match(["pondering", "greedy"], games=60, seed=9, db=sys.argv[1], jobs=2, imports=["doubles_kinds"],
           game="gomoku:size=9", on_progress=lambda result: print(result.standings.games, flush=True))
"""


def _workers_of(pid):
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(each) for each in found.stdout.split()]


def _is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"


def test_a_killed_match_goes_on_to_the_same_result_and_leaves_no_process_behind(tmp_path):
    source = str(Path(tengen.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([source, str(HERE)])}
    db = tmp_path / "arena.db"
    command = [sys.executable, "-c", SCRIPT, str(db)]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for line in process.stdout:
        if int(line) >= 10:
            break
    workers = _workers_of(process.pid)
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert workers
    deadline = time.monotonic() + 10
    while any(_is_alive(pid) for pid in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(_is_alive(pid) for pid in workers)

    settings = {"games": 60, "seed": 9, "imports": KINDS, "game": "gomoku:size=9", "jobs": 2}
    with Store(db) as store:
        kept = store.matches()[0]["games"]
    assert 10 <= kept < 60
    counts = []
    resumed = play_match(
        ["pondering", "greedy"], db=db, on_progress=lambda result: counts.append(result.standings.games), **settings
    )
    assert counts[0] > kept - 4  # the kept games were counted, not played
    never_killed = play_match(["pondering", "greedy"], **settings)
    assert outline(resumed) == outline(never_killed)
    ours, theirs = resumed.to_dict(), never_killed.to_dict()
    for key in ("games", "wins", "draws", "losses", "elo", "elo_low", "elo_high", "pairs", "faults", "ratings"):
        assert ours[key] == theirs[key]


def test_records_say_who_played(tmp_path):
    result = play_match(["greedy", "random"], "renju", games=2, openings="renju26")
    first, second = result.records()
    assert (first.headers["black"], first.headers["white"]) == ("greedy", "random")
    assert (second.headers["black"], second.headers["white"]) == ("random", "greedy")
    assert first.headers["opening"] == second.headers["opening"]
    assert first.moves == list(result.games[0].result.position().moves)
    assert first.result.winner is Side.BLACK
