"""S4's p-opposition: what it does to the games and to the strength of a short run."""

from __future__ import annotations

from typing import Any

from tengen.arena.statistics import share_interval
from tengen.studies.matches import (
    MATCH_COLUMNS,
    Pairing,
    fault_notes,
    games_file,
    match_row,
    play_pairings,
)
from tengen.studies.study import Chart, Column, Series, Session, Study, StudyResult, Table, Value
from tengen.studies.training import TrainedRun, alphazero, configured, searching_player, train

PRESET = "s4"
GAMES = 50
TRAINING_GAMES, QUICK_TRAINING_GAMES = 2000, 100
OPPOSITION = 0.5  # where the preset has none

QUICK_NET = ("net.blocks=1", "net.channels=16")  # instead of 7 blocks of 256; another preset keeps its own
QUICK_CHANGES = (
    "selfplay.games=16",
    "selfplay.full_visits=16",
    "selfplay.cheap_visits=16",
    "learn.batch=64",
    "learn.least_rows=256",
    "learn.samples_per_row=1",
)

_HEALTH_SPAN = 2000  # games over which the log's median and shares are taken (tengen.train.alphazero.health)
_SETTLED_GAMES = 200  # before so many, a median is the length of the shortest games: they end first

_RUN_COLUMNS = (
    Column("run", "{label}"),
    Column("p", "{opposition:g}"),
    Column("games", "{training_games}"),
    Column("minutes", "{minutes:.1f}"),
    Column("median length", "{median_length:g}"),
    Column("shortest median", "{shortest_median:g}"),
    Column("first player wins", "{black_share:.1%}"),
    Column("95 %", "{black_low:.1%} to {black_high:.1%}"),
    Column("draws", "{draw_share:.1%}"),
)


def _run(session: Session) -> StudyResult:
    amount = QUICK_TRAINING_GAMES if session.quick else TRAINING_GAMES
    changes = [f"run.games={amount}", "run.minutes=0", "run.log_seconds=1"]
    if session.quick:
        changes += QUICK_CHANGES if session.preset else (*QUICK_NET, *QUICK_CHANGES)
    method = alphazero()
    base = configured(session, method, PRESET, changes)
    p = base.selfplay.opposition or OPPOSITION
    runs: dict[str, TrainedRun] = {}
    for label, chance in (("with", p), ("without", 0.0)):
        config = _with_opposition(base, chance)
        name = f"{session.preset_label(PRESET)}-{label}"
        runs[label] = train(session, method, STUDY.name, name, config, [base.run.games])
    rows = [_run_row(label, run, p if label == "with" else 0.0) for label, run in runs.items()]
    playouts = base.selfplay.full_visits
    first, second = (searching_player(run.nets[base.run.games], base, playouts=playouts) for run in runs.values())
    pairing = Pairing("with against without", first, second)
    game, db = base.parsed_games()[0].name, games_file(session, STUDY.name)
    [result] = play_pairings(session, [pairing], game, games=session.games_or(GAMES), db=db)
    match = match_row(pairing, result)
    return StudyResult(
        tables=[
            Table("The runs", _RUN_COLUMNS, rows),
            Table("With p-opposition against without", (Column("match", "{label}"), *MATCH_COLUMNS), [match]),
        ],
        charts=[
            _chart("Median length of the games", runs, "median_length", "moves", percent=False),
            _chart("Games that the first player wins", runs, "black_share", "share", percent=True),
        ],
        findings=[
            f"With p-opposition half of the games last {rows[0]['median_length']:g} moves or more, without "
            f"{rows[1]['median_length']:g}.",
            f"The run with it scores {match['score']:.1%} against the run without ({match['low']:.1%} to "
            f"{match['high']:.1%}).",
        ],
        facts={
            "game": game,
            "preset": session.preset or PRESET,
            "playouts": str(playouts),
            **{f"run {label}": str(run.folder) for label, run in runs.items()},
            "trained on": runs["with"].nets[base.run.games].device,
            "kept games": db.name,
        },
        notes=[
            f"Lengths and shares are those of the last {_HEALTH_SPAN:,} games of a run's last sitting, or of all if "
            "there were fewer; the interval takes these games as independent.",
            "One run each: another seed may give another picture. Both have the same seed and settings but for p.",
            *fault_notes([match]),
        ],
    )


def _with_opposition(config: Any, chance: float) -> Any:
    from dataclasses import replace

    return replace(config, selfplay=replace(config.selfplay, opposition=chance))


def _run_row(label: str, run: TrainedRun, p: float) -> dict[str, Value]:
    log = [line for line in run.log() if "median_length" in line]
    last, [net] = log[-1], run.nets.values()
    settled = [line for line in log if line["games"] >= min(_SETTLED_GAMES, last["games"])]
    counted = max(1, min(_HEALTH_SPAN, int(last["games"]) - run.sitting_began))
    low, high = share_interval(float(last["black_share"]), counted)
    return {
        "label": label,
        "opposition": p,
        "training_games": net.played,
        "minutes": net.minutes,
        "median_length": float(last["median_length"]),
        "shortest_median": min(float(line["median_length"]) for line in settled),
        "black_share": float(last["black_share"]),
        "black_low": low,
        "black_high": high,
        "draw_share": float(last["draw_share"]),
        "counted_games": counted,
    }


def _chart(title: str, runs: dict[str, TrainedRun], key: str, y_title: str, *, percent: bool) -> Chart:
    series = [Series(f"{label} p-opposition", run.curve(key)) for label, run in runs.items()]
    return Chart(title, "lines", series, x_title="training games", y_title=y_title, percent=percent)


STUDY = Study(
    name="s4-opposition",
    title="p-opposition",
    summary="two short runs, with and without p-opposition: length of games, first player's share, a match (S4)",
    source="S4: without it, self-play collapsed into attack without defence, and games ended in 9 moves. A mover who "
    "feels lost takes, with probability p, the point that the rival wants most; p and the threshold adapt. "
    "S4 gives no table.",
    run=_run,
    trains=True,
)
