"""What each idea of Q-learning is worth: the same run again and again, with one of them switched off, or on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tengen.arena.statistics import share_interval
from tengen.studies.learning import final_openings, learner_of, score_row
from tengen.studies.study import Chart, Column, Point, Series, Session, Study, StudyResult, Table
from tengen.studies.training import configured, dqn, train

if TYPE_CHECKING:
    from tengen.train.dqn.config import DqnConfig
    from tengen.train.evaluate import Score

PRESET = "dqn-7x7"
TRAINING_GAMES, QUICK_TRAINING_GAMES = 30_000, 40
WHOLE = "everything"

# The runs that lack an idea, and what changes in them. One that the preset does not have is left out.
WITHOUT = {
    "no Double": ("learn.double=false",),
    "no dueling": ("net.dueling=false",),
    "no n-step": ("learn.steps=1",),
    "no priority": ("learn.priority=0",),
    "no symmetry": ("learn.symmetry=false",),
    "no average": ("learn.average=0",),
    "no rate decay": ("learn.rate_end=1",),
    "no next mask": ("learn.next_mask=false",),
    "no reuse": ("learn.samples_per_row=1",),
    "no scouts": ("play.scouts=0", "learn.won_share=0", "learn.imitate=0"),
    "no trails": ("play.scout_positions=0",),
    "no lead": ("play.scout_lead=0",),
    "no imitation": ("learn.imitate=0",),
    "float32": ("learn.bfloat16=never",),
    "no openings": ("play.opening_plies=0", "play.opening_least=-1"),
    "plain exploring": ("play.explore=random",),
    "S0's network": ("net.kind=s0", "net.channels=128", "net.dueling=false"),
}
# The runs that have an idea more. Of "no X" and "with X" there is one: which, is up to the preset.
WITH = {
    "with Double": ("learn.double=true",),
    "with dueling": ("net.dueling=true",),
    "with n-step": ("learn.steps=3",),
    "with priority": ("learn.priority=0.6",),
    "with symmetry": ("learn.symmetry=true",),
}
GOMOKU_ONLY = ("S0's network",)
SEEDS = 2  # more runs of everything, by which chance is seen

QUICK_CHANGES = (
    "net.blocks=1",
    "net.channels=12",  # which every kind of network can have
    "play.games=16",
    "learn.batch=32",
    "learn.least_rows=64",
    "learn.samples_per_row=2",
)
QUICK_SCOUTS = "play.scouts=64"  # where there are any

_SIDES = ("black", "white")
_COLUMNS = (
    Column("run", "{label}"),
    Column("changed", "{changed}"),
    *(
        column
        for side in _SIDES
        for column in (
            Column(f"{side}: won, drawn, lost", f"{{{side}_wins}}, {{{side}_draws}}, {{{side}_losses}}"),
            Column(f"{side}: win rate (95 %)", f"{{{side}_win_rate:.1%}} ({{{side}_low:.1%}} to {{{side}_high:.1%}})"),
        )
    ),
    Column("worth", "{worth:+.1%}"),
    Column("95 %", "{worth_low:+.1%} to {worth_high:+.1%}"),
    Column("minutes", "{minutes:.1f}"),
)


def _run(session: Session) -> StudyResult:
    amount = QUICK_TRAINING_GAMES if session.quick else TRAINING_GAMES
    usual = [f"run.games={amount}", "run.minutes=0", "run.evaluate_games=0", "run.keep=1"]
    method = dqn()
    base = configured(session, method, PRESET, [*usual, *(QUICK_CHANGES if session.quick else ())])
    if session.quick and base.play.scouts:
        base = configured(session, method, PRESET, [*usual, *QUICK_CHANGES, QUICK_SCOUTS])
    openings, rows = final_openings(session, base), []
    sides = [side for side in _SIDES if base.play.side in (side, "random")]
    for label, (changes, config) in _variants(base).items():
        run = train(session, method, STUDY.name, f"{session.preset_label(PRESET)}-{_slug(label)}", config)
        session.tell(f"evaluating {label}")
        learner = learner_of(config, run.checkpoints()[-1])
        row = _row(label, learner.scores(openings), sides)
        rows.append({**row, "changed": ", ".join(changes), "minutes": learner.training_facts()["minutes"]})
    rows = [{**row, **_worth(*((row, rows[0]) if row["label"] in WITH else (rows[0], row)))} for row in rows]
    rival = base.run.evaluate_rival
    return StudyResult(
        tables=[Table(f"Win rates against {rival}", _COLUMNS, rows)],
        charts=[
            Chart(
                f"Win rates against {rival}, by what is missing or added",
                "bars",
                [Series(side, [_point(row, side) for row in rows]) for side in _SIDES],
                y_title="share of games",
                percent=True,
            )
        ],
        findings=_clear(rows),
        facts={
            "game": base.game,
            "preset": session.preset or PRESET,
            "training games": str(base.run.games),
            "runs": str(session.out / STUDY.name),
            "trained on": learner.training_facts()["device"],
        },
        notes=[
            f"Worth is how much more is won with the idea than without it, as {' and '.join(sides)}: what the preset "
            "learns. A run that is named `with` has an idea more than everything that the preset has; the others lack "
            "one.",
            f"The interval is about the games of the evaluation alone. What chance does in training is seen from "
            f"{SEEDS} more runs of everything, with other seeds: what is worth less than these differ may be worth "
            "nothing.",
            "All runs have the same number of games, not of minutes.",
            "S0's network is not dueling, and sees two planes instead of those of Tengen's.",
        ],
    )


def _variants(base: DqnConfig) -> dict[str, tuple[tuple[str, ...], DqnConfig]]:
    """The runs by name: what is changed in each, and its settings. Those that change nothing are left out."""
    from tengen.train.dqn.config import make_config
    from tengen.train.settings import to_dict

    seeds = {f"seed {seed}": (f"run.seed={seed}",) for seed in range(base.run.seed + 1, base.run.seed + 1 + SEEDS)}
    all_changes: dict[str, tuple[str, ...]] = {WHOLE: (), **seeds, **WITHOUT, **WITH}
    left_out = GOMOKU_ONLY if base.parsed_game().kind != "gomoku" else ()
    possible = {label: changes for label, changes in all_changes.items() if label not in left_out}
    made = {label: (changes, make_config(to_dict(base), changes)) for label, changes in possible.items()}
    same = {label for label, (_, config) in made.items() if _explicit(config) == _explicit(base)}
    had = {label for label in WITH if label.replace("with ", "no ", 1) not in same}
    return {label: variant for label, variant in made.items() if label == WHOLE or label not in same | had}


def _explicit(config: DqnConfig) -> DqnConfig:
    """The same settings, with nothing left to the kind of network, and no trails where nobody follows them."""
    positions = config.play.scout_positions if config.play.scouts else 0
    return replace(
        config,
        net=replace(config.net, dueling=config.net_config().dueling),
        play=replace(config.play, scout_positions=positions),
    )


def _slug(label: str) -> str:
    """A label as a part of a folder's name."""
    return label.lower().replace("'", "").replace(" ", "-")


def _row(label: str, scores: Mapping[str, Score], sides: Sequence[str]) -> dict[str, Any]:
    """A row of the table; its own win rate is that of the ``sides`` that are learned."""
    row: dict[str, Any] = {"label": label}
    for side, score in scores.items():
        row |= {f"{side}_{key}": value for key, value in score_row(side, score).items() if key != "label"}
    games = sum(scores[side].games for side in sides)
    rate = sum(scores[side].wins for side in sides) / games
    low, high = share_interval(rate, games)
    return {**row, "games": games, "win_rate": rate, "low": low, "high": high}


def _worth(having: Mapping[str, Any], without: Mapping[str, Any]) -> dict[str, float | None]:
    """What is won more by the run that has an idea, with Newcombe's 95 % interval of a difference of shares."""
    if without is having:
        return dict.fromkeys(("worth", "worth_low", "worth_high"))
    worth = having["win_rate"] - without["win_rate"]
    below = math.hypot(having["win_rate"] - having["low"], without["high"] - without["win_rate"])
    above = math.hypot(having["high"] - having["win_rate"], without["win_rate"] - without["low"])
    return {"worth": worth, "worth_low": worth - below, "worth_high": worth + above}


def _point(row: Mapping[str, Any], side: str) -> Point:
    return Point(row["label"], row[f"{side}_win_rate"], row[f"{side}_low"], row[f"{side}_high"])


def _clear(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Sentences: what is worth more than another seed is, and what costs more."""
    chance = max((abs(row["worth"]) for row in rows if row["label"].startswith("seed ")), default=0.0)
    ideas = [row for row in rows if row["label"] in {**WITHOUT, **WITH} and abs(row["worth"]) > chance]
    pays, costs = (
        ", ".join(f"{row['label']} ({row['worth']:+.1%})" for row in found) or "nothing"
        for found in (
            [row for row in ideas if row["worth_low"] > 0],
            [row for row in ideas if row["worth_high"] < 0],
        )
    )
    return [
        f"Worth more than another seed ({chance:.1%}), and more than 0 with 95 %: {pays}.",
        f"Costs more than another seed, and more than 0 with 95 %: {costs}.",
    ]


STUDY = Study(
    name="dqn-ablation",
    title="What each idea of Q-learning is worth",
    summary="the preset dqn-7x7 with each idea switched off, or on, in turn, all for the same number of games",
    source="No source has such a table. S0 wishes for Double, Dueling and Rainbow DQN; S0 and S2 rate illegal moves of "
    "the next position, as `no next mask` does.",
    run=_run,
    trains=True,
)
