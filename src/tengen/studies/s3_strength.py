"""S3's table 4-1: how strong a small network is after so many training games."""

from __future__ import annotations

from tengen.studies.matches import (
    MATCH_COLUMNS,
    TIME_COLUMN,
    Pairing,
    fault_notes,
    games_file,
    match_row,
    play_pairings,
    point,
    reached,
    source_row,
)
from tengen.studies.study import Chart, Column, Series, Session, Study, StudyResult, Table, Value
from tengen.studies.training import configured, train

PRESET = "s3"
GAMES = 200
RIVAL_PLAYOUTS, QUICK_RIVAL_PLAYOUTS = 1000, 100

# After so many training games: S3's wins of 200, and its seconds a move.
SOURCE = {300: (7, 1.1), 500: (87, 1.5), 1000: (136, 1.7), 3000: (179, 1.8)}

QUICK_CHANGES = (
    "selfplay.games=16",
    "selfplay.full_visits=16",
    "selfplay.cheap_visits=16",
    "learn.batch=64",
    "learn.least_rows=256",
    "learn.samples_per_row=1",
)

_SOURCE_COLUMNS = (
    Column("S3: wins of 200", "{source_wins}"),
    Column("S3: score", "{source_score:.1%}"),
    Column("S3: 95 %", "{source_low:.1%} to {source_high:.1%}"),
    Column("S3: s/move", "{source_seconds:g}"),
)


def _run(session: Session) -> StudyResult:
    scale = 10 if session.quick else 1
    usual = [f"run.games={max(SOURCE) // scale}", "run.minutes=0", "run.log_seconds=1"]
    config = configured(session, PRESET, [*(QUICK_CHANGES if session.quick else ()), *usual])
    points = {games // scale: source for games, source in SOURCE.items()}
    asked = [games for games in points if games <= config.run.games] or [config.run.games]
    run = train(session, STUDY.name, session.preset_label(PRESET), config, asked)
    playouts = config.selfplay.full_visits
    rival = f"mcts:playouts={QUICK_RIVAL_PLAYOUTS if session.quick else RIVAL_PLAYOUTS}"
    pairings = [
        Pairing(f"{games:,} games", net.player(config, playouts=playouts), rival) for games, net in run.nets.items()
    ]
    game, db = config.parsed_games()[0].name, games_file(session, STUDY.name)
    results = play_pairings(session, pairings, game, games=session.games_or(GAMES), db=db)
    rows: list[dict[str, Value]] = []
    for pairing, result, (games, net) in zip(pairings, results, run.nets.items(), strict=True):
        own: dict[str, Value] = {"training_games": net.played, "minutes": net.minutes, "device": net.device}
        rows.append(match_row(pairing, result) | own | _source(points.get(games)))
    columns = (
        Column("trained for", "{label}"),
        Column("played", "{training_games}"),
        Column("minutes", "{minutes:.1f}"),
        *MATCH_COLUMNS,
        TIME_COLUMN,
        *_SOURCE_COLUMNS,
    )
    known = [(row, games) for row, games in zip(rows, run.nets, strict=True) if row["source_score"] is not None]
    series = [
        Series("Tengen", [point(row, x=games) for row, games in zip(rows, run.nets, strict=True)]),
        Series("S3", [point(row, "source_", x=games) for row, games in known]),
    ]
    chart = Chart(
        f"Score against {rival}",
        "lines",
        series,
        x_title="training games",
        y_title="points per game",
        percent=True,
    )
    return StudyResult(
        tables=[Table(f"Strength by training games, against {rival}", columns, rows)],
        charts=[chart],
        findings=[reached(rows, "S3")],
        facts={
            "game": game,
            "preset": session.preset or PRESET,
            "playouts": str(playouts),
            "run": str(run.folder),
            "trained on": str(rows[-1]["device"]),
            "kept games": db.name,
        },
        notes=[
            "S3 prints 79.5 % for its last row; its own count of 179 wins in 200 games is 89.5 %, which stands here.",
            "S3 counts wins; draws are not given, and are taken as losses.",
            "S3's rival is its prototype, a pure Monte Carlo search; ours also sees wins in one at every new node.",
            "Weights are kept at the first look at the run after so many games; `played` is the exact number.",
            *fault_notes(rows),
        ],
    )


def _source(known: tuple[int, float] | None) -> dict[str, Value]:
    if known is None:
        return {**dict.fromkeys(source_row(0, 0, 1)), "source_seconds": None}
    wins, seconds = known
    return {**source_row(wins, 0, 200 - wins), "source_seconds": seconds}


STUDY = Study(
    name="s3-strength",
    title="Strength by training games",
    summary="train the s3 preset for 300, 500, 1000 and 3000 games; each against mcts:playouts=1000 (S3)",
    source="S3 (table 4-1): 200 games against its prototype. After 300 training games 7 wins (3.5 %, 1.1 s a move), "
    "500: 87 (43.5 %, 1.5 s), 1000: 136 (68 %, 1.7 s), 3000: 179 (89.5 %, 1.8 s).",
    run=_run,
    trains=True,
)
