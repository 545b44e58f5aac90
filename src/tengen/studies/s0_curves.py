"""S0's run and its curves: 7x7 against a minimax of depth 2, by S0's own evaluation and by an honest one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tengen.studies.learning import (
    SCORE_COLUMNS,
    curves,
    evaluation_columns,
    evaluation_curve,
    evaluation_rows,
    final_openings,
    first_moves,
    in_words,
    learned_run,
    learner_of,
    loss_chart,
    run_facts,
    score_row,
)
from tengen.studies.study import Chart, Column, Point, Series, Session, Study, StudyResult, Table
from tengen.studies.training import TrainedRun, thinned

if TYPE_CHECKING:
    from tengen.train.dqn.config import DqnConfig

PRESET = "s0"
EPISODES, QUICK_EPISODES = 100_000, 200
SOURCE_WINS = 0.95  # "up to"
FIRST_GAMES = 20  # of S0's own evaluation
ROUNDS = 8  # of each first move at the end against a rival that draws lots

QUICK_CHANGES = ("net.channels=16", "learn.batch=32", "learn.samples_per_row=8", "learn.least_rows=64")

_WAY_COLUMNS = (
    Column("games", "{games}"),
    Column("S0's own: wins", "{first_wins:.0%}"),
    *evaluation_columns("black"),
    *evaluation_columns("white"),
    Column("S0's own: reward", "{first_reward:.1f}"),
    Column("length", "{first_length:.1f}"),
)


def _run(session: Session) -> StudyResult:
    changes = [f"run.evaluate_first={FIRST_GAMES}", *(QUICK_CHANGES if session.quick else ())]
    games = QUICK_EPISODES if session.quick else EPISODES
    config, run = learned_run(session, STUDY.name, PRESET, games, changes, kind="gomoku")
    session.tell("evaluating the network of the end")
    learner = learner_of(config, run.checkpoints()[-1])
    first = first_moves(config)
    scores = {
        "S0's own, black": learner.scores(first, rival=config.own_rival())["black"],
        "its first moves, and a rival that draws among equals": learner.scores(first * ROUNDS)["black"],
    }
    honest = learner.scores(final_openings(session, config))
    scores |= {f"many openings, {side}": score for side, score in honest.items()}
    rows = [{**score_row(label, score), "source": None} for label, score in scores.items()]
    rows[0]["source"] = SOURCE_WINS
    evaluations = evaluation_rows(config, run)
    return StudyResult(
        tables=[
            Table(
                f"At the end, against {config.run.evaluate_rival}",
                (Column("evaluation", "{label}"), *SCORE_COLUMNS, Column("S0: up to", "{source:.0%}")),
                rows,
            ),
            Table(f"On the way, against {config.run.evaluate_rival}", _WAY_COLUMNS, thinned(evaluations, 20)),
        ],
        charts=_charts(config, run, evaluations),
        findings=[*_best(evaluations), in_words(rows)],
        facts=run_facts(session, PRESET, run, learner),
        notes=[
            f"S0's own evaluation plays {config.run.evaluate_first} games as black, whose first move is random in the "
            f"central 5x5, against {config.own_rival()}: S0's rival always answers alike, so that there are only 25 "
            "different games, and at the end each is played once. The same first moves are also played against a rival "
            f"that draws among equal moves, {ROUNDS} times each; the interval takes these games as independent.",
            "S0 does not print its minimax; here it is S1's, which settles fours before it searches.",
            "S0's 95 % is the highest of many evaluations of 20 games, and the highest of many is more than the truth.",
            "Many openings: two random moves in the central 5x5, each opening once with each colour. The preset learns "
            "as black only, as S0 did.",
            "A draw is no win. Curves of training games are means of the last 500; they include exploring moves.",
        ],
    )


def _charts(config: DqnConfig, run: TrainedRun, evaluations: Sequence[Mapping[str, Any]]) -> list[Chart]:
    end = evaluations[-1]["games"]
    return [
        curves(
            "Win rate by S0's own evaluation and over many openings",
            [
                evaluation_curve("S0's own", evaluations, "first_wins"),
                evaluation_curve("many openings, black", evaluations, "black_wins", interval=True),
                evaluation_curve("white", evaluations, "white_wins", interval=True),
                Series("S0: up to 95 %", [Point(0, SOURCE_WINS), Point(end, SOURCE_WINS)]),
            ],
            "share of games",
            percent=True,
        ),
        curves(
            "Results of training games",
            [
                Series(name, run.curve(f"{key}_rate"))
                for name, key in (("won", "win"), ("drawn", "draw"), ("lost", "loss"))
            ],
            "share of games",
            percent=True,
        ),
        curves("Epsilon", [Series("epsilon", run.curve("epsilon"))], "chance of exploring", percent=True),
        curves(
            "Reward of a game",
            [
                Series("training", run.curve("reward")),
                evaluation_curve("S0's own evaluation", evaluations, "first_reward"),
            ],
            "reward",
        ),
        curves(
            "Length of a game",
            [
                Series("training", run.curve("length")),
                evaluation_curve("S0's own evaluation", evaluations, "first_length"),
            ],
            "moves",
        ),
        loss_chart(config, run),
    ]


def _best(evaluations: Sequence[Mapping[str, Any]]) -> list[str]:
    """S0's figure is the highest of its curve: the same of ours, and what the same network was worth honestly."""
    known = [row for row in evaluations if row["first_wins"] is not None]
    if not known:
        return []
    best = max(known, key=lambda row: row["first_wins"])
    return [
        f"The highest of {len(known)} evaluations of S0's kind is {best['first_wins']:.0%}, after {best['games']:,} "
        f"games; over many openings the same network wins {best['black_wins']:.1%} as black and "
        f"{best['white_wins']:.1%} as white."
    ]


STUDY = Study(
    name="s0",
    title="S0's Q-learning on 7x7",
    summary="train the s0 preset; its win rate by S0's own evaluation and over many openings (S0; also s0-curves)",
    source="S0: 100,000 episodes on 7x7 against a minimax of two plies; up to 95 % wins in evaluations of 20 games as "
    "black, whose first move is random. Beside it curves of epsilon, reward, length, loss, results of training games, "
    "and reward and length of the evaluations.",
    run=_run,
    trains=True,
    aliases=("s0-curves",),
)
