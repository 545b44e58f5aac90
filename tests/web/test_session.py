"""Games, analysis and nonsense over a tab's connection."""

from __future__ import annotations

import json
import random
import time

import pytest

import tengen


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
    assert tab.settled("undo")["moves"] == state["moves"][:1]


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
    assert "no draw" in tab.ask("draw")["message"]
    assert tab.ask("resign")["outcome"] == {"winner": "white", "reason": "resignation", "line": []}
    tab.ask("new", terms={"game": "gomoku"})
    assert tab.ask("draw")["outcome"]["reason"] == "agreement"


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


def test_heat_is_shares_of_visits(tab):
    answer = tab.ask("analyze", position={"game": "gomoku", "moves": ["h8"]}, player="mcts", seconds=0.2)
    while not answer["done"]:
        answer = tab.hear("analysis")
    assert sum(share for _, share in answer["heat"]["visits"]) == pytest.approx(1)
    assert {move for move, _ in answer["heat"]["value"]} == {move for move, _ in answer["heat"]["visits"]}


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


def test_a_program_that_cannot_go_on_thinks_no_more(tab, monkeypatch):
    async def fail(*_, **__):
        raise tengen.TengenError("no memory is left")

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
