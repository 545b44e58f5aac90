"""Games, analysis and nonsense over a tab's connection."""

from __future__ import annotations

import asyncio
import gc
import json
import random
import runpy
import socket
import time
from pathlib import Path

import pytest
from websockets.sync.client import connect

import tengen
from tengen.players import Limit
from tengen.web.session import Session
from tengen.web.thinkers import USUAL_SECONDS, Thinkers, _bounded


def test_a_game_is_played_to_its_end(tab):
    state = tab.ask("new", terms={"game": "gomoku:size=9", "second": "random"})
    position = tengen.Position("gomoku:size=9")
    rng = random.Random(3)
    best = tengen.player("alphabeta:depth=2", seed=1)
    while state["outcome"] is None:
        assert state["legal"] == [str(move) for move in position.legal_moves()]
        assert state["cells"] == "".join(".xo"[code] for code in position.board().ravel())
        move = str(best.choose(position).move) if rng.random() < 0.9 else rng.choice(state["legal"])
        state = tab.settled("play", move=move)
        assert state["type"] == "state"
        position = tengen.Position("gomoku:size=9", "".join(state["moves"]))
    outcome = position.outcome()
    assert state["outcome"] == {
        "winner": str(outcome.winner),
        "reason": "line",
        "line": [str(move) for move in outcome.line],
    }
    assert state["legal"] == []
    assert "the game is over" in tab.ask("play", move="a1")["message"]


def test_a_refused_request_changes_nothing(tab):
    state = tab.settled("new", terms={"game": "renju"})
    for move in ("h8", "a1", "h9", "a3", "g10", "a5", "i10", "c1"):  # black's h10 would make two threes
        state = tab.ask("play", move=move)
    assert "h10" in state["forbidden"]
    assert "double three" in tab.ask("play", move="h10")["message"]
    for do, more in (
        ("play", {"move": "z99"}),
        ("play", {"move": 5}),
        ("play", {"move": "h8"}),
        ("play", {"move": "j9", "force": True}),
        ("choose", {"choice": "black"}),
        ("new", {"terms": {"game": "chess"}}),
        ("new", {"terms": {"second": "engine:cmd=ls"}}),
        ("new", {"terms": {"second": "dqn:net=/etc/passwd"}}),
        ("new", {"terms": {"second": "alphabeta:hash=60000"}}),
        ("new", {"terms": {"seconds": 1e9}}),
        ("new", {"terms": {"seconds": 1, "clock": "60+1"}}),
        ("new", {"terms": ["gomoku"]}),
        ("restore", {"snapshot": {}}),
        ("restore", {"snapshot": {**state["snapshot"], "moves": ["h8", "h8"]}}),
        ("restore", {"snapshot": {**state["snapshot"], "left": ["a", 1]}}),
        ("restore", {"snapshot": {**state["snapshot"], "ended": {"winner": "black", "reason": "line"}}}),
        ("look", {"position": {"game": "gomoku", "moves": "h8" * 500}}),
        ("analyze", {"position": {"game": "gomoku"}, "player": "human"}),
        ("analyze", {"position": {"game": "gomoku"}, "player": "alphabeta", "lines": 1000}),
        ("resign", {"side": "red"}),
        ("undo", {"\ud800": 1}),  # half a character, which no answer can hold as UTF-8
        ("new", {"terms": {"\ud800": 1}}),
        ("new", {"terms": {"second": "\ud800"}}),
        ("look", {"position": {"\ud800": 1}}),
        ("play", {"move": "\ud800"}),
    ):
        answer = tab.ask(do, **more)
        assert answer["type"] == "error", (do, more)
        assert answer["do"] == do
    again = tab.ask("play", move="j9")
    assert again["moves"] == [*state["moves"], "j9"]


@pytest.mark.parametrize("nonsense", ["", "}{", "5", '"play"', "[]", "{}", '{"do": []}', '{"do": "x"}', "[" * 5000])
def test_what_is_no_request_is_answered(tab, nonsense):
    before = tab.ask("new", terms={})
    tab.send(nonsense)
    assert tab.receive()["type"] == "error"
    tab.send(nonsense.encode())
    assert tab.receive()["type"] == "error"
    assert tab.ask("play", move="h8")["moves"] == [*before["moves"], "h8"]


def test_taking_back_returns_to_a_person(tab):
    state = tab.settled("new", terms={"game": "gomoku", "first": "greedy"})
    assert len(state["moves"]) == 1
    assert "no move of yours" in tab.ask("undo")["message"]
    state = tab.settled("play", move=state["legal"][0])
    assert len(state["moves"]) == 3
    taken = tab.settled("undo")
    assert taken["moves"] == state["moves"][:1]
    assert taken["can_redo"]
    again = tab.settled("redo")
    assert again["moves"] == state["moves"]
    assert not again["can_redo"]
    assert tab.ask("redo")["code"] == "nothing_to_redo"


def test_a_kept_game_goes_on_elsewhere(server, tab):
    state = tab.settled("new", terms={"game": "othello", "second": "greedy"})
    state = tab.settled("play", move=state["legal"][0])
    kept = json.loads(json.dumps(state["snapshot"]))
    with server.tab() as other:
        again = other.settled("restore", snapshot=kept)
        assert {k: again[k] for k in ("moves", "cells", "players")} == {
            k: state[k] for k in ("moves", "cells", "players")
        }
        assert len(other.settled("play", move=again["legal"][0])["moves"]) >= 4
    assert tab.ask("look", position={"game": "othello", "moves": []})["cells"] != again["cells"]


def test_swap2_with_a_program(tab):
    state = tab.settled("new", terms={"game": "gomoku", "first": "greedy", "protocol": "swap2"})
    assert len(state["moves"]) == 3
    assert state["opening"]["choices"] == ["black", "white", "place two"]
    assert state["players"] == {"black": None, "white": None}
    state = tab.settled("choose", choice="place two")
    for _ in range(2):
        state = tab.settled("play", move=state["legal"][0])
    assert state["opening"]["phase"] == "done"
    assert set(state["players"].values()) == {"human", "greedy"}
    kept = tab.settled("restore", snapshot=state["snapshot"])
    assert kept["players"] == state["players"]


def test_resigning_and_drawing(tab):
    tab.settled("new", terms={"game": "gomoku", "second": "greedy"})
    assert tab.ask("resign")["outcome"] == {"winner": "white", "reason": "resignation", "line": []}
    tab.ask("new", terms={"game": "gomoku"})
    assert tab.ask("draw")["outcome"]["reason"] == "agreement"


def test_who_resigns_while_a_program_thinks_resigns_for_himself(tab):
    assert tab.ask("new", terms={"first": "alphabeta", "seconds": 60})["thinking"]
    assert tab.ask("resign", side="black")["code"] == "no_resignation"
    assert tab.ask("resign")["outcome"] == {"winner": "black", "reason": "resignation", "line": []}
    tab.ask("new", terms={"first": "random", "second": "random"})
    assert tab.ask("resign")["code"] == "no_resignation"


def test_a_program_agrees_to_a_draw_unless_it_is_better(tab):
    state = tab.settled("new", terms={"game": "gomoku", "second": "greedy"})
    assert state["can_draw"]
    answer = tab.ask("draw")
    assert (answer["type"], answer["code"], answer["do"]) == ("error", "draw_refused", "draw")  # so early
    quiet = [f"{column}{row}" for rows in ((1, 15), (4, 13)) for column in "adgjm" for row in rows]
    fours = ["h8", "h9", "h10", "h11"]
    for setup, agrees in (({"black": fours, "white": []}, True), ({"white": fours, "black": []}, False)):
        start = {**setup, "to_move": "black"}
        state = tab.settled("new", terms={"second": "greedy", "setup": start}, moves=quiet)
        assert len(state["moves"]) == 20
        answer = tab.ask("draw")
        if agrees:
            assert answer["outcome"]["reason"] == "agreement"
        else:
            assert answer["code"] == "draw_refused"


def test_programs_are_paused_and_take_single_moves(tab):
    assert tab.ask("pause")["code"] == "no_pause"
    tab.ask("new", terms={"game": "gomoku:size=9", "first": "random", "second": "random", "protocol": "swap"})
    began = time.monotonic()
    while len(tab.hear("state")["moves"]) < 5:
        pass
    assert time.monotonic() - began > 0.5 * 3.5  # the stones, a choice and two moves
    state = tab.ask("pause")
    ply = len(state["moves"])
    assert (state["paused"], state["thinking"]) == (True, False)
    state = tab.settled("step")
    assert (len(state["moves"]), state["paused"]) == (ply + 1, True)
    assert len(tab.ask("undo")["moves"]) == ply
    with pytest.raises(TimeoutError):
        tab.receive(1)
    assert not tab.ask("resume")["paused"]
    assert len(tab.hear("state")["moves"]) == ply + 1
    assert tab.ask("step")["code"] == "no_pause"


def test_the_wait_between_programs_is_on_nobodys_clock(tab):
    tab.ask("new", terms={"first": "random", "second": "random", "clock": "60"})
    while len((state := tab.hear("state"))["moves"]) < 4:
        pass
    assert all(59.5 < state["clocks"][side] <= 60 for side in ("black", "white"))  # of two moves, a second


def test_a_request_that_comes_as_a_turn_ends_begins_no_second_one():
    told = []

    async def pause_while_a_state_is_sent():
        sending = asyncio.Event()

        async def send(message):
            sending.set()
            await asyncio.sleep(0.05)
            sending.clear()
            told.append(message)

        thinkers = Thinkers(workers=1)
        session = Session(thinkers, send)
        await session.handle({"do": "new", "terms": {"first": "random", "second": "random"}})
        await sending.wait()  # the first move
        await session.handle({"do": "pause"})
        await asyncio.sleep(1)
        await session.close()
        thinkers.close()

    asyncio.run(pause_while_a_state_is_sent())
    assert [len(state["moves"]) for state in told] == [0, 1, 1]
    assert told[-1]["paused"]


@pytest.mark.parametrize("terms", [{"first": "random", "second": "random"}, {"clock": "0.3"}])
def test_nothing_goes_on_after_a_tab_that_hears_no_more_is_closed(terms):
    """Its last state is on the way, to a buffer that is full."""

    async def close_while_a_state_is_sent():
        count, last = 0, asyncio.Event()

        async def send(message):
            nonlocal count
            count += 1
            if count == 2:
                last.set()
                await asyncio.sleep(0.1)

        thinkers = Thinkers(workers=1)
        session = Session(thinkers, send)
        await session.handle({"do": "new", "terms": terms})
        await last.wait()
        await session.close()
        own = {asyncio.current_task()}
        assert asyncio.all_tasks() == own
        await asyncio.sleep(0.3)
        assert asyncio.all_tasks() == own
        thinkers.close()
        return count

    assert asyncio.run(close_while_a_state_is_sent()) == 2


def test_nonsense_changes_nothing(server):
    load = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks/web_load.py"))
    asyncio.run(load["nonsense"](f"ws://127.0.0.1:{server.port}/ws", 500, seed=1))


def test_what_should_not_happen_is_told(tab, monkeypatch):
    def fail(*_):
        raise RuntimeError("no memory is left")

    monkeypatch.setattr("tengen.web.session.view", fail)
    answer = tab.ask("look", position={"game": "gomoku"})
    assert (answer["code"], answer["do"]) == ("trouble", "look")
    assert tab.ask("new", terms={})["type"] == "state"


def test_the_programs_part_of_an_opening_stands(tab):
    state = tab.settled("new", terms={"first": "greedy", "protocol": "swap2"})
    assert not state["can_undo"]
    assert tab.ask("undo")["code"] == "nothing_to_undo"
    kept = state["snapshot"]
    for moves, choices in ((kept["moves"][:1], []), (kept["moves"][:2], [])):
        for _ in range(10):  # the program goes on with stones that are not there yet
            state = tab.settled("restore", snapshot={**kept, "moves": moves, "choices": choices})
            assert (state["type"], len(state["moves"])) == ("state", 3)


def test_a_hint_is_for_the_game_that_it_was_asked_in(tab):
    tab.ask("new", terms={"game": "gomoku:size=9"})
    tab.send({"do": "hint"})
    assert tab.ask("new", terms={"game": "gomoku:size=15"})["size"] == 15
    tab.send({"do": "hint"})
    assert tab.ask("play", move="h8")["moves"] == ["h8"]
    with pytest.raises(TimeoutError):
        tab.receive(2.5)
    assert tab.ask("hint")["ply"] == 1


def slow_session(monkeypatch, seconds):
    """A session whose own players end that long after they were stopped, what it has told, and the pool."""
    told = []

    async def send(message):
        told.append(message)

    async def decide(name, position, *, limit, owner):
        try:
            await asyncio.sleep(5)
        finally:
            await asyncio.sleep(seconds)

    thinkers = Thinkers(workers=2)
    monkeypatch.setattr(thinkers, "decide", decide)
    return Session(thinkers, send), told, thinkers


@pytest.mark.parametrize("do", ["hint", "draw"])
def test_what_is_asked_again_as_the_flag_falls_is_refused(monkeypatch, do):
    monkeypatch.setattr("tengen.web.session._DRAW_PLIES", 0)

    async def ask_twice():
        session, told, thinkers = slow_session(monkeypatch, 0.8)
        await session.handle({"do": "new", "terms": {"second": "random", "clock": "0.8"}})
        await session.handle({"do": do})
        await asyncio.sleep(0.4)
        await session.handle({"do": do})  # the flag falls while the first one ends
        running = [task for task in (session._advice, session._offer) if task is not None and not task.done()]
        assert running == []
        await asyncio.sleep(0.1)
        thinkers.close()
        return [(message["type"], message.get("do"), message.get("outcome")) for message in told[1:]]

    lost = {"winner": "white", "reason": "time", "line": []}
    assert asyncio.run(ask_twice()) == [("error", do, None), ("state", None, lost)]


def test_nothing_begins_in_a_tab_that_is_closed_while_it_changes(monkeypatch):
    async def close_at_once():
        session, told, thinkers = slow_session(monkeypatch, 1.0)
        await session.handle({"do": "new", "terms": {"clock": "0.2"}})
        await session.handle({"do": "hint"})
        await asyncio.sleep(0.6)  # the flag has fallen; what is told of it waits for the hint to end
        await session.close()
        assert asyncio.all_tasks() == {asyncio.current_task()}
        thinkers.close()
        return [message["type"] for message in told]

    assert asyncio.run(close_at_once()) == ["state"]


def test_whatever_thinks_for_a_tab_ends_with_it(monkeypatch):
    monkeypatch.setattr("tengen.web.session._DRAW_PLIES", 0)

    async def close_while_all_think():
        session, told, thinkers = slow_session(monkeypatch, 0.0)
        monkeypatch.setattr(thinkers, "look", thinkers.decide)
        await session.handle({"do": "new", "terms": {"second": "random"}})
        await session.handle({"do": "hint"})
        await session.handle({"do": "draw"})
        await session.handle({"do": "analyze", "position": {"game": "gomoku"}, "player": "mcts"})
        await asyncio.sleep(0)
        assert len(asyncio.all_tasks()) > 3
        await session.close()
        assert asyncio.all_tasks() == {asyncio.current_task()}
        thinkers.close()
        return [message["type"] for message in told]

    assert asyncio.run(close_while_all_think()) == ["state"]


@pytest.mark.parametrize("error", [tengen.TengenError("no memory is left"), RuntimeError("no memory is left")])
def test_what_fails_is_not_waited_for(tab, monkeypatch, error):
    async def fail(*_, **__):
        raise error

    monkeypatch.setattr("tengen.web.thinkers.Thinkers.decide", fail)
    monkeypatch.setattr("tengen.web.thinkers.Thinkers.look", fail)
    tab.ask("new", terms={"game": "gomoku:size=9", "second": "random"})
    for do, more in (("hint", {}), ("analyze", {"position": {"game": "gomoku"}, "player": "mcts", "id": 5})):
        answer = tab.ask(do, **more)
        assert (answer["type"], answer["do"], answer.get("id")) == ("error", do, more.get("id"))
        assert "no memory is left" in answer["message"]


def test_the_time_is_counted_when_the_search_begins():
    asked = []

    async def wait_for_a_worker():
        thinkers = Thinkers(workers=1)
        position = tengen.Position("gomoku")
        slow = thinkers.decide("mcts", position, limit=lambda: Limit(seconds=0.5), owner=1)
        first = asyncio.create_task(slow)
        await asyncio.sleep(0.1)

        def limit():
            asked.append(first.done())
            return Limit(seconds=0.01)

        await thinkers.decide("mcts", position, limit=limit, owner=2)
        thinkers.close()

    asyncio.run(wait_for_a_worker())
    assert asked == [True]


@pytest.mark.parametrize("name", ["alphabeta", "mcts", "alphazero"])
def test_a_game_without_bounds_is_played_all_the_same(tab, name):
    tab.settled("new", terms={"game": "gomoku", "second": name})
    began = time.monotonic()
    assert len(tab.settled("play", move="h8")["moves"]) == 2
    assert time.monotonic() - began < 10
    assert _bounded(name, Limit()).seconds == USUAL_SECONDS
    assert _bounded(f"{name}:time=5", Limit()).seconds > 5
    assert _bounded(name, Limit(seconds=5)).seconds == 5


def test_a_tab_that_is_gone_is_told_nothing(server, caplog):
    request = {"do": "analyze", "position": {"game": "gomoku"}, "player": "mcts", "lines": 8, "seconds": 60}
    for number in range(12):
        with connect(f"ws://127.0.0.1:{server.port}/ws") as gone:
            gone.send(json.dumps(request))
            gone.recv(30)
            time.sleep(0.02 * (number % 7))
            if number % 2:
                gone.socket.shutdown(socket.SHUT_RDWR)
    time.sleep(0.5)
    gc.collect()  # which is when a task's error is found to be nobody's
    assert not caplog.records


def test_a_game_goes_on_from_a_position(tab):
    state = tab.settled("new", terms={"game": "gomoku", "first": "greedy", "clock": "60"}, moves=["h8", "a1", "i8"])
    assert (state["moves"], state["to_move"]) == (["h8", "a1", "i8"], "white")
    setup = {"black": ["h8", "i8", "j8", "k8"], "white": ["a2", "a1"], "to_move": "white"}
    state = tab.settled("new", terms={"game": "gomoku", "first": "greedy", "setup": setup}, moves=[])
    assert state["setup"] == setup
    state = tab.settled("play", move="a3")
    assert state["outcome"]["reason"] == "line"
    for bad in (["h8", "h8"], "h8", ["h8", "a1", "i8", "a2", "j8", "a3", "k8", "a4", "l8"], [None], None):
        assert tab.ask("new", terms={"game": "gomoku"}, moves=bad)["type"] == "error"
    assert tab.ask("new", terms={"game": "gomoku", "protocol": "swap2"}, moves=[])["type"] == "error"
    assert tab.ask("undo")["setup"] == setup


def test_a_flag_falls(tab):
    state = tab.ask("new", terms={"game": "gomoku", "second": "greedy", "clock": "0.2"})
    assert state["clocks"]["running"] == "black"
    assert tab.hear("state")["outcome"] == {"winner": "white", "reason": "time", "line": []}


def test_a_program_keeps_to_its_seconds(tab):
    tab.settled("new", terms={"game": "gomoku", "second": "alphabeta", "seconds": 0.5})
    tab.settled("play", move="h8")
    began = time.monotonic()
    tab.settled("play", move="a1")
    assert 0.3 < time.monotonic() - began < 2


def test_analysis_goes_on_until_it_is_stopped(tab):
    tab.send({"do": "analyze", "position": {"game": "gomoku", "moves": ["h8"]}, "player": "alphabeta", "seconds": 60})
    first = tab.hear("analysis")
    assert not first["done"]
    tab.send({"do": "stop"})
    tab.send({"do": "look", "position": {"game": "gomoku", "moves": []}, "id": 7})
    assert tab.hear("view")["id"] == 7
    state = tab.ask("analyze", position={"game": "othello", "moves": []}, player="alphabeta", seconds=0.2, id=9)
    while not state["done"]:
        state = tab.hear("analysis")
    assert (state["id"], state["game"]) == (9, "othello")
    assert len(state["lines"]) == 3


def test_a_refused_analysis_leaves_the_one_that_goes_on(tab):
    going_on = {"do": "analyze", "position": {"game": "gomoku", "moves": ["h8"]}, "player": "alphabeta"}
    tab.send({**going_on, "seconds": 60, "id": 1})
    assert not tab.hear("analysis")["done"]
    over = {"game": "gomoku:size=3,win=3", "moves": ["a1", "b1", "a2", "b2", "a3"]}
    for number, (position, player, code) in enumerate(
        [
            (over, "alphabeta", "over"),
            ({"game": "gomoku"}, "alphazero:net=othello-8x8", "does_not_play"),
            ({"game": "gomoku"}, "random", "no_lines"),
            ({"game": "gomoku", "moves": ["z99"]}, "mcts", "notation"),
            ({"game": "gomoku"}, "mcts:c=nan", "player_name"),
        ],
        start=2,
    ):
        tab.send({"do": "analyze", "position": position, "player": player, "id": number})
        answer = tab.hear("error")
        assert (answer["do"], answer["id"], answer["code"]) == ("analyze", number, code)
        assert tab.hear("analysis")["id"] == 1
    tab.send({"do": "look", "position": {"game": "chess"}, "id": 7})
    assert tab.hear("error")["id"] == 7
    for odd in ("7", None, True, -1, 1e300, [7]):
        tab.send({"do": "look", "position": {"game": "gomoku"}, "id": odd})
        assert "id" not in tab.hear("error")


def test_heat_is_shares_of_visits(tab):
    answer = tab.ask("analyze", position={"game": "gomoku", "moves": ["h8"]}, player="mcts", seconds=0.2)
    while not answer["done"]:
        answer = tab.hear("analysis")
    assert sum(share for _, share in answer["heat"]["visits"]) == pytest.approx(1)
    # A net sees more moves than are visited; the values of the others say nothing.
    moves = ["h8", "i9", "g9", "h10"]
    answer = tab.ask("analyze", position={"game": "gomoku", "moves": moves}, player="alphazero:playouts=50")
    while not answer["done"]:
        answer = tab.hear("analysis")
    visits = dict(answer["heat"]["visits"])
    assert 0 in visits.values()
    assert {move for move, _ in answer["heat"]["value"]} == {move for move, share in visits.items() if share > 0}


def test_the_threads_of_closed_tabs_are_free_again(server):
    for _ in range(4):
        with server.tab() as gone:
            gone.send({"do": "analyze", "position": {"game": "gomoku"}, "player": "alphabeta", "seconds": 100})
            gone.hear("analysis")
    with server.tab() as tab:
        began = time.monotonic()
        tab.settled("new", terms={"game": "gomoku", "first": "alphabeta:time=0.05"})
        assert time.monotonic() - began < 10


@pytest.mark.parametrize(
    "name",
    ["alphabeta:time=abc", "minimax:depth=99", "mcts:c=nan", "dqn:net=gomoku-15x15", "alphazero:net=othello-8x8"],
)
def test_a_player_that_cannot_be_begins_no_game(tab, name):
    before = tab.ask("new", terms={"game": "gomoku:size=15"})
    answer = tab.ask("new", terms={"game": "gomoku:size=15", "second": name})
    assert (answer["type"], answer["do"]) == ("error", "new")
    assert tab.ask("play", move="h8")["players"] == before["players"]


def test_who_may_play_is_said(tab):
    for name in ("Human", "engine:cmd=ls"):
        answer = tab.ask("new", terms={"second": name})
        assert answer["code"] == "no_player"
        assert "it has human, random," in answer["message"]
        assert answer["details"][0] == name.partition(":")[0]
    answer = tab.ask("analyze", position={"game": "gomoku"}, player="human")  # who is no help there
    assert "it has random," in answer["message"]
    for name in ("", "   "):
        assert "no player ''; it has human, random," in tab.ask("new", terms={"second": name})["message"]
    state = tab.ask("new", terms={"first": " human ", "second": " greedy"})
    assert state["players"] == {"black": "human", "white": "greedy"}


def test_a_move_that_is_none_is_named(tab):
    for moves in (["h8", "z99"], ["z99?"]):
        assert f"'{moves[-1]}'" in tab.ask("look", position={"game": "gomoku", "moves": moves})["message"]


@pytest.mark.parametrize("error", [tengen.TengenError("no memory is left"), RuntimeError("no memory is left")])
def test_a_program_that_cannot_go_on_thinks_no_more(tab, monkeypatch, error):
    async def fail(*_, **__):
        raise error

    monkeypatch.setattr("tengen.web.thinkers.Thinkers.decide", fail)
    tab.ask("new", terms={"game": "gomoku:size=9", "second": "random"})
    tab.send({"do": "play", "move": "e5"})
    assert "no memory is left" in tab.hear("error")["message"]
    state = tab.hear("state")
    assert not state["thinking"]
    assert state["moves"] == ["e5"]


def test_who_plays_does_not_wait_for_who_looks_on(serving):
    with serving() as server, server.tab() as one, server.tab() as two, server.tab() as third:
        position = {"game": "gomoku", "moves": ["h8", "i9", "g9", "h10"]}
        for looking in (one, two):  # as many as there are workers
            looking.send({"do": "analyze", "position": position, "player": "alphabeta", "seconds": 60, "id": 1})
            assert not looking.hear("analysis")["done"]
        third.ask("new", terms={"game": "gomoku", "second": "random"})
        began = time.monotonic()
        assert len(third.settled("play", move="h8")["moves"]) == 2
        assert time.monotonic() - began < 10
