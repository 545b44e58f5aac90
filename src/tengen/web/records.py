"""Game records for the page: trees as flat lists of nodes, in and out."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from typing import Any, Final

from tengen import records
from tengen.errors import RecordError, TengenError
from tengen.games import Position, Reason
from tengen.games.records import FORMATS, UNKNOWN, Node, Record, Result, Verdict, is_foul

_MOST_GAMES: Final = 100
_MOST_NODES: Final = 20_000
_MOST_COMMENT: Final = 2000
_RESULT: Final = re.compile(r"(black|white|draw|unknown)(?: (\d{1,3})-(\d{1,3}))?(?: by (\w{1,20}))?", re.ASCII)


def imported(data: bytes, *, game: str | None = None) -> dict[str, Any]:
    """The games of a file of any format, and whether there are more: of many the first hundred.

    Raises ``TengenError`` for what is none.
    """
    name = records.detect(data)
    nodes = _MOST_NODES + 1  # the root is one
    found = records.loads(data, name, game=game, max_nodes=nodes, max_games=_MOST_GAMES + 1)
    if not found:
        raise TengenError("there is no game in it", code="no_game")
    games = [_as_json(record) for record in found[:_MOST_GAMES]]
    return {"format": name, "count": len(games), "more": len(found) > _MOST_GAMES, "games": games}


def _as_json(record: Record) -> dict[str, Any]:
    start = record.position(0)
    nodes: list[dict[str, Any]] = []
    parents: dict[int, int] = {}  # by identity; walk has parents before children
    for _, node in record.root.walk():
        if node.move is not None:
            nodes.append({"parent": parents[id(node)], "move": str(node.move), "comment": node.comment[:_MOST_COMMENT]})
        parents |= {id(child): len(nodes) - 1 for child in node.children}
    return {
        "game": record.game.name,
        "setup": start.to_dict().get("setup"),
        "headers": {key: value[:200] for key, value in record.headers.items()},
        "result": str(record.result),
        "comment": record.root.comment[:_MOST_COMMENT],
        "nodes": nodes,
    }


def exported(asked: Any) -> dict[str, Any]:
    """A tree of moves as a file: a ``format`` and a game as :func:`imported` gives it in, base64 ``data`` out.

    Raises ``TengenError``, with the code ``cannot_write`` for what the format cannot hold.
    """
    if not isinstance(asked, Mapping) or not isinstance(asked.get("nodes"), list):
        raise TengenError("a tree has format, game, setup, headers and nodes")
    entry = FORMATS.get(str(asked.get("format")))
    if entry is None or entry.write is None:
        raise TengenError(f"formats are {', '.join(each.name for each in FORMATS.values() if each.write)}")
    record = _as_record(asked)
    try:
        data = records.dumps(record, entry.name)
    except RecordError as trouble:
        raise TengenError(str(trouble), code="cannot_write", details=[entry.name, trouble]) from None
    return {"name": f"game{entry.extensions[0]}", "data": base64.b64encode(data).decode("ascii")}


def _as_record(asked: Mapping[str, Any]) -> Record:
    nodes = asked["nodes"]
    if len(nodes) > _MOST_NODES:
        raise TengenError(f"a tree has at most {_MOST_NODES} nodes")
    start = Position.from_dict({"game": asked.get("game"), "moves": [], **_setup_of(asked)})
    record = Record.from_position(start, **_headers(asked.get("headers") or {}))
    made: list[Node] = []
    positions = {-1: start}
    for number, node in enumerate(nodes):
        parent, move, comment = _checked_node(node, number)
        if parent not in positions:
            raise TengenError(f"node {number} goes on after a forbidden move")
        position = positions[parent].copy()
        checked = position.game.move(move)
        if not is_foul(position, checked):  # which ends a recorded game, and no position can hold it
            position.play(checked)
            positions[number] = position
        made.append((record.root if parent < 0 else made[parent]).add(checked))
        made[-1].comment = comment
    record.root.comment = _text(asked, "comment")[:_MOST_COMMENT]
    record.result = _result(_text(asked, "result"))
    if not record.result.is_known:
        record.result = Result.of(record.position())
    return record


def _text(asked: Mapping[str, Any], key: str) -> str:
    text = asked.get(key) or ""
    if not isinstance(text, str):
        raise TengenError(f"{key} is a text")
    return text


def _result(text: str) -> Result:
    """The inverse of a result's ``str``; no text is an unknown result."""
    found = _RESULT.fullmatch(text or str(UNKNOWN))
    if found is None or (found[4] and found[4] not in [str(reason) for reason in Reason]):
        raise TengenError(f"a result is such as 'black by resignation' or 'draw', not {text[:40]!r}")
    score = (int(found[2]), int(found[3])) if found[2] else None
    return Result(Verdict(found[1]), Reason(found[4]) if found[4] else None, score)


def _setup_of(asked: Mapping[str, Any]) -> dict[str, Any]:
    return {} if asked.get("setup") is None else {"setup": asked["setup"]}


def _headers(given: Any) -> dict[str, str]:
    if not isinstance(given, Mapping) or len(given) > 50:
        raise TengenError("headers are an object of texts")
    return {str(key)[:50]: str(value)[:200] for key, value in given.items()}


def _checked_node(node: Any, number: int) -> tuple[int, str, str]:
    parent = node.get("parent") if isinstance(node, Mapping) else None
    if type(parent) is not int or not -1 <= parent < number:
        raise TengenError(f"node {number} has a parent before it, or -1")
    move, comment = node.get("move"), node.get("comment", "")
    if not isinstance(move, str) or not isinstance(comment, str):
        raise TengenError(f"node {number} has a move and a comment, both texts")
    return parent, move, comment[:_MOST_COMMENT]
