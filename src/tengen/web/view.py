"""What the page is told about a position: everything it draws, so that it knows no rules."""

from __future__ import annotations

from typing import Any

from tengen.errors import TengenError
from tengen.games import Outcome, Position

#: The stones of a board in a string, row by row from the top.
STONES = ".xo"


def view(position: Position, outcome: Outcome | None = None) -> dict[str, Any]:
    """A position as JSON; ``outcome`` is how a game ended that was not decided on the board."""
    ended = outcome or position.outcome()
    last = position.last_move
    return {
        "game": position.game.name,
        "kind": position.game.kind,
        "size": position.size,
        "cells": cells(position),
        "moves": [str(move) for move in position.moves],
        "setup": position.to_dict().get("setup"),
        "to_move": str(position.to_move),
        "legal": [] if ended else [str(move) for move in position.legal_moves()],
        "forbidden": [] if ended else [str(move) for move in position.forbidden_moves()],
        "last": None if last is None else str(last),
        "score": list(position.score()),
        "outcome": None if ended is None else outcome_view(ended),
    }


def cells(position: Position) -> str:
    """A letter for each point, row by row from the top."""
    return "".join(STONES[code] for code in position.board().ravel().tolist())


def outcome_view(outcome: Outcome) -> dict[str, Any]:
    """How a game ended, as JSON."""
    return {
        "winner": str(outcome.winner) if outcome.winner else None,
        "reason": str(outcome.reason),
        "line": [str(move) for move in outcome.line],
    }


def complaint(trouble: TengenError) -> dict[str, Any]:
    """What went wrong, as JSON: in English, and as a code with details for those who read another language."""
    return {
        "message": str(trouble)[:1000],
        "code": trouble.code,
        "details": [detail[:200] for detail in trouble.details],
    }
