"""The page's server under load: many games at once, and nonsense by the thousand.

    python benchmarks/web_load.py --games 50 --nonsense 10000

Starts a server of its own, plays that many games at once against programs, each to its end, and checks every reply with
a position of its own. Then a tab with a game under way sends messages that are none. Says how long replies took, and
how much memory the server has before and after.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import random
import re
import socket
import statistics
import time
from pathlib import Path

import websockets

import tengen

PLAYERS = ("random", "greedy", "minimax:depth=1", "alphabeta:depth=2", "mcts:playouts=50")
GAMES = ("gomoku", "renju", "othello", "gomoku:size=9")
MOST_GROWTH = 16  # MB, of the server while it refuses nonsense


def main() -> None:
    """Run both, and print what came out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--nonsense", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    server = multiprocessing.get_context("fork").Process(target=_serve, args=(listener, port), daemon=True)
    server.start()
    assert server.pid is not None
    try:
        asyncio.run(_measure(port, server.pid, options))
        assert server.is_alive(), "the server has ended"
    finally:
        server.terminate()


def _serve(listener: socket.socket, port: int) -> None:
    import uvicorn

    from tengen.web.app import Access
    from tengen.web.server import make_config

    uvicorn.Server(make_config(Access(frozenset({f"127.0.0.1:{port}"})))).run(sockets=[listener])


async def _measure(port: int, pid: int, options: argparse.Namespace) -> None:
    address = f"ws://127.0.0.1:{port}/ws"
    await _until_it_answers(address)
    before, began = _megabytes(pid), time.monotonic()
    seconds = await asyncio.gather(*(_play(address, options.seed + i) for i in range(options.games)))
    replies = sorted(each for game in seconds for each in game)
    print(
        f"{options.games} games at once, {len(replies)} replies, all legal, none lost, in "
        f"{time.monotonic() - began:.1f} s; a reply takes {statistics.median(replies) * 1000:.0f} ms, "
        f"one in a hundred more than {replies[len(replies) * 99 // 100] * 1000:.0f} ms"
    )
    middle, began = _megabytes(pid), time.monotonic()
    await nonsense(address, options.nonsense, options.seed)
    print(
        f"{options.nonsense} messages that are none, all refused, the game as before: {time.monotonic() - began:.1f} s"
    )
    after = _megabytes(pid)
    print(f"memory: {before:.0f} MB at the start, {middle:.0f} after the games, {after:.0f} after the nonsense")
    assert after - middle < MOST_GROWTH, "nonsense leaves something behind"


async def _until_it_answers(address: str) -> None:
    for _ in range(200):
        try:
            async with websockets.connect(address):
                return
        except OSError:
            await asyncio.sleep(0.05)
    raise SystemExit("the server does not answer")


async def _play(address: str, seed: int) -> list[float]:
    """A game to its end; returns how long each reply took."""
    rng = random.Random(seed)
    game, rival = rng.choice(GAMES), rng.choice(PLAYERS)
    if game == "othello" and rival.startswith("minimax"):
        rival = "greedy"
    took = []
    async with websockets.connect(address, max_size=None) as tab:
        await tab.send(json.dumps({"do": "new", "terms": {"game": game, "second": rival}}))
        state = await _settled(tab)
        while state["outcome"] is None:
            position = tengen.Position(game, state["moves"])  # raises if any move of the server's was illegal
            assert state["legal"] == [str(move) for move in position.legal_moves()]
            began = time.monotonic()
            await tab.send(json.dumps({"do": "play", "move": rng.choice(state["legal"])}))
            state = await _settled(tab)
            took.append(time.monotonic() - began)
        assert tengen.Position(game, state["moves"]).is_over
    return took


async def _settled(tab: websockets.ClientConnection) -> dict:
    while True:
        message = json.loads(await tab.recv())
        assert message["type"] == "state", message
        if not message["thinking"]:
            return message


async def nonsense(address: str, count: int, seed: int) -> None:
    """Send messages that cannot be followed; each must be refused, and the game after them be that before them."""
    rng = random.Random(seed)
    async with websockets.connect(address, max_size=None) as tab:
        await tab.send(json.dumps({"do": "new", "terms": {}}))
        await _settled(tab)
        await tab.send(json.dumps({"do": "play", "move": "h8"}))
        state = await _settled(tab)
        for _ in range(count):
            await tab.send(_malformed(rng, state))
            answer = json.loads(await tab.recv())
            assert answer["type"] == "error", answer
        await tab.send(json.dumps({"do": "play", "move": "j9"}))
        assert (await _settled(tab))["moves"] == [*state["moves"], "j9"]


def _malformed(rng: random.Random, state: dict) -> str | bytes:
    """A message that cannot be followed."""
    kept = json.dumps({"do": "restore", "snapshot": state["snapshot"]})
    kind = rng.randrange(8)
    if kind == 0:
        return rng.randbytes(rng.randrange(1, 200))
    if kind == 1:
        return kept[: rng.randrange(1, len(kept) - 1)]
    if kind == 2:
        return json.dumps({"do": rng.choice(["play", "choose"]), "move": rng.choice(["", "z9", "h8", 5, None, [], {}])})
    if kind == 3:
        return json.dumps(
            {"do": "restore", "snapshot": {**state["snapshot"], rng.choice(["moves", "left", "terms"]): 7}}
        )
    if kind == 4:
        return json.dumps(
            {"do": "new", "terms": {"second": rng.choice(["engine:cmd=ls", "dqn:net=/etc/passwd", "x:y"])}}
        )
    if kind == 5:
        return "[" * rng.randrange(1, 30_000)
    if kind == 6:  # half a character
        return json.dumps(rng.choice([{"do": "undo", "\ud800": 1}, {"do": "new", "terms": {"second": "\ud800"}}]))
    return json.dumps({"do": rng.choice(["analyze", "look"]), "position": {"game": "gomoku", "moves": ["h8", "h8"]}})


def _megabytes(pid: int) -> float:
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text("utf-8"))
    assert found is not None
    return int(found[1]) / 1024


if __name__ == "__main__":
    main()
