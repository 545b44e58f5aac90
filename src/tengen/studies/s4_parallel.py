"""S4's three ways to search in parallel, and what keeps threads and batches apart: virtual loss against WU-UCT."""

from __future__ import annotations

import os
import statistics
from collections.abc import Sequence
from math import comb

import tengen
from tengen.benchmarking import MIDGAMES
from tengen.players import Limit
from tengen.studies.matches import (
    MATCH_COLUMNS,
    TIME_COLUMN,
    NetInUse,
    Pairing,
    fault_notes,
    games_file,
    match_row,
    net_in_use,
    play_pairings,
    point,
)
from tengen.studies.study import Chart, Column, Point, Series, Session, Study, StudyResult, Table, Value

GAME = "gomoku"
GAMES = 50
THREADS = 2
KINDS = ("leaf", "root", "tree")
POSITION = MIDGAMES[0]  # in which speed is measured
ROUNDS, QUICK_ROUNDS = 20, 6  # of measuring speed; six is the fewest that give a 95 % interval
ROUND_SECONDS, QUICK_ROUND_SECONDS = 0.5, 0.05
MOVE_SECONDS, QUICK_MOVE_SECONDS = 0.2, 0.02
PLAYOUTS, QUICK_PLAYOUTS = 2000, 200  # of mcts, where playouts are equal
NET_PLAYOUTS, QUICK_NET_PLAYOUTS = 400, 50
BATCH = 8
ONE_THREAD = "one thread"

_SPEED_COLUMNS = (
    Column("search", "{label}"),
    Column("threads", "{threads}"),
    Column("playouts/s", "{speed:,.0f}"),
    Column("95 %", "{speed_low:,.0f} to {speed_high:,.0f}"),
    Column("against one thread", "{ratio:.2f}"),
    Column("its 95 %", "{ratio_low:.2f} to {ratio_high:.2f}"),
)


def _run(session: Session) -> StudyResult:
    net = net_in_use(session, GAME)
    speeds = _speeds(session)
    equal_time = _equal_time(session)
    equal_playouts = _equal_playouts(session, net)
    db = games_file(session, STUDY.name, net.sha256)
    games = session.games_or(GAMES)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    # More threads than cores would take time from each other, and then it is not equal.
    jobs = max(1, min(session.jobs, cores // THREADS))
    timed, counted = (
        [match_row(*each) for each in zip(pairings, results, strict=True)]
        for pairings, results in (
            (equal_time, play_pairings(session, equal_time, GAME, games=games, db=db, jobs=jobs)),
            (equal_playouts, play_pairings(session, equal_playouts, GAME, games=games, db=db)),
        )
    )
    seconds = QUICK_MOVE_SECONDS if session.quick else MOVE_SECONDS
    columns = (*MATCH_COLUMNS, TIME_COLUMN)
    notes = ["S4 gives no figures for this, so there is nothing to put beside ours."]
    if cores < THREADS:
        notes.append(f"This machine has {cores} core for {THREADS} threads: the speeds say nothing about more cores.")
    return StudyResult(
        tables=[
            Table("Speed of mcts", _SPEED_COLUMNS, speeds),
            Table(
                f"Equal time, {seconds:g} s a move: {THREADS} threads against one",
                (Column("search", "{label}"), *columns),
                timed,
            ),
            Table("Equal playouts: the first against the second", (Column("match", "{label}"), *columns), counted),
        ],
        charts=[
            _speed_chart(speeds),
            _score_chart("Equal time, against one thread", timed),
            _score_chart("Equal playouts", counted),
        ],
        findings=[_finding(row) for row in [*timed, *counted]],
        facts={
            "game": GAME,
            "players": "; ".join(
                dict.fromkeys(name for each in [*equal_time, *equal_playouts] for name in (each.first, each.second))
            ),
            **net.facts(),
            "cores": str(cores),
            "kept games": db.name,
        },
        notes=[*notes, *fault_notes([*timed, *counted])],
    )


def _speeds(session: Session) -> list[dict[str, Value]]:
    """Playouts a second of every kind, measured in turns so that all share what else the machine does."""
    rounds = QUICK_ROUNDS if session.quick else ROUNDS
    limit = Limit(seconds=QUICK_ROUND_SECONDS if session.quick else ROUND_SECONDS)
    position = tengen.Position(GAME, POSITION)
    kinds = [(ONE_THREAD, 1), *((kind, threads) for threads in (1, THREADS) for kind in KINDS)]
    seen: list[list[float]] = [[] for _ in kinds]
    for turn in range(rounds):
        session.tell(f"speed, round {turn + 1} of {rounds}")
        for (kind, threads), speeds in zip(kinds, seen, strict=True):
            parallel = "none" if kind == ONE_THREAD else kind
            # A search of playouts is told by `limit` alone when to stop.
            name = f"mcts:playouts={10**12},parallel={parallel},threads={threads}"
            player = tengen.player(name, seed=session.seed + turn)
            speeds.append(float(player.choose(position, limit=limit).stats["nodes_per_second"]))
    rows: list[dict[str, Value]] = []
    for (kind, threads), speeds in zip(kinds, seen, strict=True):
        ratios = [speed / alone for speed, alone in zip(speeds, seen[0], strict=True)]
        (low, high), (ratio_low, ratio_high) = median_interval(speeds), median_interval(ratios)
        rows.append(
            {
                "label": kind,
                "threads": threads,
                "rounds": rounds,
                "speed": statistics.median(speeds),
                "speed_low": low,
                "speed_high": high,
                "ratio": statistics.median(ratios),
                "ratio_low": ratio_low,
                "ratio_high": ratio_high,
            }
        )
    return rows


def median_interval(values: Sequence[float]) -> tuple[float, float]:
    """An interval that holds the true median 95 times in 100, whatever the distribution; needs six values for that."""
    ordered, count = sorted(values), len(values)
    outside = 0  # values left out at each end
    below = 0.5**count  # the chance that so few or fewer values lie below the median
    while 2 * (below + comb(count, outside + 1) * 0.5**count) <= 0.05:
        outside += 1
        below += comb(count, outside) * 0.5**count
    return ordered[outside], ordered[-1 - outside]


def _equal_time(session: Session) -> list[Pairing]:
    seconds = QUICK_MOVE_SECONDS if session.quick else MOVE_SECONDS
    alone = f"mcts:time={seconds:g}"
    return [Pairing(kind, f"mcts:time={seconds:g},parallel={kind},threads={THREADS}", alone) for kind in KINDS]


def _equal_playouts(session: Session, net: NetInUse) -> list[Pairing]:
    playouts, net_playouts = (QUICK_PLAYOUTS, QUICK_NET_PLAYOUTS) if session.quick else (PLAYOUTS, NET_PLAYOUTS)
    tree = f"mcts:playouts={playouts},parallel=tree,threads={THREADS}"
    pairings = [Pairing("mcts: wu - vloss", f"{tree},counts=wu", f"{tree},counts=vloss")]
    for first, second in (("wu", "vloss"), ("wu", "none"), ("vloss", "none")):
        players = (
            net.player(playouts=net_playouts, threads=THREADS, batch=BATCH, counts=counts) for counts in (first, second)
        )
        pairings.append(Pairing(f"alphazero: {first} - {second}", *players))
    return pairings


def _speed_chart(rows: Sequence[dict[str, Value]]) -> Chart:
    def bar(row: dict[str, Value]) -> Point:
        ratio, low, high = (row[key] for key in ("ratio", "ratio_low", "ratio_high"))
        assert isinstance(ratio, float)
        assert isinstance(low, float)
        assert isinstance(high, float)
        return Point(str(row["label"]), ratio, low, high)

    series = [
        Series(
            f"{threads} thread{'s' if threads > 1 else ''}", [bar(row) for row in rows[1:] if row["threads"] == threads]
        )
        for threads in (1, THREADS)
    ]
    return Chart("Playouts a second, against one thread", "bars", series, y_title="times as many")


def _score_chart(title: str, rows: Sequence[dict[str, Value]]) -> Chart:
    return Chart(
        title, "bars", [Series("score", [point(row) for row in rows])], y_title="points per game", percent=True
    )


def _finding(row: dict[str, Value]) -> str:
    low, high = row["low"], row["high"]
    assert isinstance(low, float)
    assert isinstance(high, float)
    verdict = "stronger" if low > 0.5 else "weaker" if high < 0.5 else "no clear difference"
    return f"{row['label']}: {verdict} ({low:.1%} to {high:.1%})."


STUDY = Study(
    name="s4-parallel",
    title="Parallel search",
    summary="leaf, root and tree parallel mcts: speed and strength; virtual loss against WU-UCT (S4)",
    source="S4 describes leaf, root and tree parallel search and prefers one shared tree, in which playouts under way "
    "count as visits (WU-UCT) rather than as losses (virtual loss). It reports no speeds and no matches for it.",
    run=_run,
)
