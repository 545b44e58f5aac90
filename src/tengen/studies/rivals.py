"""A row of rivals, each beside what a source's network scored against it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tengen.studies.matches import (
    MATCH_COLUMNS,
    SOURCE_COLUMNS,
    TIME_COLUMN,
    Pairing,
    fault_notes,
    games_file,
    match_row,
    net_in_use,
    play_pairings,
    point,
    reached,
    source_row,
)
from tengen.studies.study import Chart, Column, Series, Session, StudyResult, Table


@dataclass(frozen=True)
class Rival:
    """A rival: what its row is called, its player's name, and what the source won, drew and lost against it."""

    label: str
    player: str
    source: tuple[int, int, int]


def against_rivals(
    session: Session,
    study: str,
    rivals: Sequence[Rival],
    *,
    kind: str,
    game: str,
    games: int,
    playouts: int,
    notes: Sequence[str],
) -> StudyResult:
    """Let the net meet each of S4's rivals, which are all of one ``kind``."""
    net = net_in_use(session, game)
    player = net.player(playouts=playouts)
    pairings = [Pairing(rival.label, player, rival.player) for rival in rivals]
    db = games_file(session, study, net.sha256)
    results = play_pairings(session, pairings, game, games=games, db=db)
    rows = [
        match_row(pairing, result) | source_row(*rival.source)
        for pairing, result, rival in zip(pairings, results, rivals, strict=True)
    ]
    chart = Chart(
        f"Score against {kind}",
        "bars",
        (Series("Tengen", [point(row) for row in rows]), Series("S4", [point(row, "source_") for row in rows])),
        x_title="rival",
        y_title="points per game",
        percent=True,
    )
    return StudyResult(
        tables=[
            Table(
                f"AlphaZero against {kind}",
                (Column(kind, "{label}"), *MATCH_COLUMNS, TIME_COLUMN, *SOURCE_COLUMNS),
                rows,
            )
        ],
        charts=[chart],
        findings=[] if session.quick else [reached(rows, "S4")],
        facts={
            "game": game,
            "player": player,
            "rivals": "; ".join(rival.player for rival in rivals),
            **net.facts(),
            "kept games": db.name,
        },
        notes=[
            "S4 names no openings; our games begin from random ones, each played with both colours.",
            *notes,
            *fault_notes(rows),
        ],
    )
