"""S1's evolution for as long as S1 wished, and beside it a strategy that gets somewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tengen.naming import join_name
from tengen.studies.matches import (
    MATCH_COLUMNS,
    Pairing,
    fault_notes,
    games_file,
    in_a_name,
    match_row,
    play_pairings,
)
from tengen.studies.study import Chart, Column, Point, Series, Session, Study, StudyResult, Table, Value
from tengen.studies.training import KeptNet, Method, TrainedRun, configured, evolution, thinned, train

if TYPE_CHECKING:
    from tengen.train.evolution.config import EvolutionConfig

S1_PRESET, PRESET = "s1", "evolve-15x15"
S1_LABEL, OUR_LABEL = "S1", "ours"
S1_GENERATIONS, GENERATIONS, QUICK_GENERATIONS = 1_000, 6_000, 10
S1_STOPPED = 20  # generations
RIVALS = ("random", "greedy", "minimax:depth=1", "minimax:depth=2")
GAMES = 100
# What is to be reached by ours: the score against each.
WANTED = {"random": 0.95, "greedy": 0.50, "its own generation 20": 0.90}

QUICK_CHANGES = ("run.ladder_generations=5", "run.ladder_openings=5")
QUICK_EARLY = 2

_COLUMNS = (
    Column("network", "{label}"),
    Column("against", "{rival}"),
    *MATCH_COLUMNS,
    Column("wanted", "{wanted:.0%}"),
)


def _run(session: Session) -> StudyResult:
    method = evolution()
    early = QUICK_EARLY if session.quick else S1_STOPPED
    configs = _configs(session, method)
    runs = {}
    for label, config in configs.items():
        points = sorted({min(early, config.run.generations), config.run.generations})
        runs[label] = train(session, method, STUDY.name, label, config, points)
    rows = [row for label, run in runs.items() for row in _matches(session, label, configs[label], run, early)]
    return StudyResult(
        tables=[
            Table("At the end, and S1's where S1 stopped", _COLUMNS, rows),
            *(_way(label, configs[label], run) for label, run in runs.items()),
        ],
        charts=_charts(configs, runs),
        findings=_findings(rows),
        facts={
            "games": ", ".join(configs[OUR_LABEL].games),
            **{f"run {label}": str(run.folder) for label, run in runs.items()},
            **{label: _effort(run) for label, run in runs.items()},
        },
        notes=[
            "S1's own curve is the score against the rival network, which the best individual replaces every few "
            "generations: it need not rise, however much is learned. The ladder is fixed.",
            "Matches are the arena's: random openings, each with both colours. The ladder on the way has two random "
            "stones in the central 5x5, and its rivals draw among equal moves.",
            "What S1 does not say (channels, noise, the strength of the first mutations) is in the preset.",
            "--preset and --set change our run, not S1's.",
            *fault_notes(rows),
        ],
    )


def _configs(session: Session, method: Method[EvolutionConfig]) -> dict[str, EvolutionConfig]:
    """The two runs: S1's as it is, and ours with what the caller asks for."""
    usual = ["run.minutes=0", "run.log_seconds=0", *(QUICK_CHANGES if session.quick else ())]
    lengths = {S1_LABEL: S1_GENERATIONS, OUR_LABEL: GENERATIONS}
    if session.quick:
        lengths = dict.fromkeys(lengths, QUICK_GENERATIONS)
        usual.append(f"run.early={QUICK_EARLY}")
    changes = {label: [*usual, f"run.generations={length}"] for label, length in lengths.items()}
    return {
        S1_LABEL: method.load_preset(S1_PRESET, [f"run.seed={session.seed}", *changes[S1_LABEL]]),
        OUR_LABEL: configured(session, method, PRESET, changes[OUR_LABEL]),
    }


def _matches(
    session: Session, label: str, config: EvolutionConfig, run: TrainedRun, early: int
) -> list[dict[str, Value]]:
    """The network of the end against the ladder and generation 20; S1's generation 20 against the ladder too."""
    first, last = (_player(run.nets[point]) for point in (min(run.nets), max(run.nets)))
    whom = {f"{label}, generation {config.run.generations}": last}
    if label == S1_LABEL:
        whom = {f"{label}, generation {early}": first, **whom}
    meetings = [(name, player, rival, rival) for name, player in whom.items() for rival in RIVALS]
    if len(run.nets) > 1:
        meetings.append((list(whom)[-1], last, f"its own generation {early}", first))
    pairings = [Pairing(name, player, rival) for name, player, _, rival in meetings]
    db, game = games_file(session, STUDY.name), config.parsed_games()[0].name
    results = play_pairings(session, pairings, game, games=session.games_or(GAMES), db=db)
    rows = []
    for (_, _, rival, _), pairing, result in zip(meetings, pairings, results, strict=True):
        wanted = WANTED.get(rival) if label == OUR_LABEL else None
        rows.append({**match_row(pairing, result), "rival": rival, "wanted": wanted})
    return rows


def _player(net: KeptNet) -> str:
    return join_name("evolved", {"net": in_a_name(net.path)})


def _rungs(config: EvolutionConfig) -> dict[str, str]:
    """The rungs of the ladder, and what each is called in the log."""
    from tengen.train.evolution.trainer import rung_key

    return {rival: f"{rung_key(rival)}_wins" for rival in (*config.run.ladder, f"generation {config.run.early}")}


def _way(label: str, config: EvolutionConfig, run: TrainedRun) -> Table:
    rungs = _rungs(config)
    climbs = [line for line in run.log() if any(key in line for key in rungs.values())]
    rows = [
        {
            "generations": line["generations"],
            "games": line["games"],
            "minutes": line["minutes"],
            "length": line["length"],
            **{key: line.get(key) for key in rungs.values()},
        }
        for line in thinned(climbs, 15)
    ]
    columns = (
        Column("generation", "{generations}"),
        Column("games", "{games}"),
        Column("minutes", "{minutes:.2f}"),
        Column("length", "{length:.0f}"),
        *(Column(rival, f"{{{key}:.0%}}") for rival, key in rungs.items()),
    )
    return Table(f"The ladder on the way, {label}: games won", columns, rows)


def _charts(configs: Mapping[str, EvolutionConfig], runs: Mapping[str, TrainedRun]) -> list[Chart]:
    source = runs[S1_LABEL]
    lines = [line for line in source.log() if line["generations"] <= S1_STOPPED]
    begun = [
        Series(name, [Point(line["generations"], line[key]) for line in lines])
        for name, key in (("best of all", "best_score"), ("mean of the parents", "parents_score"))
    ]
    ladders = [
        _chart(
            f"The ladder, {label}",
            [Series(rival, run.curve(key, by="generations")) for rival, key in _rungs(configs[label]).items()][:4],
            "games won",
        )
        for label, run in runs.items()
    ]
    return [
        _chart(f"S1's curve: scores against its rival, the first {S1_STOPPED} generations", begun, "score"),
        _chart(
            "S1's curve, if it had gone on",
            [
                Series("best of all", source.curve("best_score", by="generations")),
                Series("mean of the parents", source.curve("parents_score", by="generations")),
            ],
            "score",
        ),
        *ladders,
    ]


def _chart(title: str, series: Sequence[Series], y_title: str) -> Chart:
    return Chart(title, "lines", series, x_title="generation", y_title=y_title, percent=True)


def _findings(rows: Sequence[Mapping[str, Value]]) -> list[str]:
    ends: dict[str, list[str]] = {}
    for row in rows:
        scored = f"{row['score']:.1%} ({row['low']:.1%} to {row['high']:.1%}) against {row['rival']}"
        ends.setdefault(str(row["label"]), []).append(scored)
    return [f"{label} scores {', '.join(scores)}." for label, scores in ends.items()]


def _effort(run: TrainedRun) -> str:
    net = run.nets[max(run.nets)]
    return f"{max(run.nets)} generations, {net.played} games, {net.minutes} minutes on the {net.device}"


STUDY = Study(
    name="s1-evolution",
    title="Evolution on 15x15",
    summary="S1's evolutionary programming for 1,000 generations and a strategy beside it, against a fixed ladder (S1)",
    source="S1: evolutionary programming of 5 networks, each judged by 5 games (20 at first) against one rival, "
    "stopped after 20 generations, as each took too long. The figures rose, but the play still looked random; S1 would "
    "go on for longer.",
    run=_run,
    trains=True,
)
