"""S2's run and its curves: Othello by two Q-learning networks, one for each colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tengen.studies.learning import (
    SCORE_COLUMNS,
    curves,
    evaluation_columns,
    evaluation_curve,
    evaluation_rows,
    final_openings,
    in_words,
    learned_run,
    learner_of,
    loss_chart,
    run_facts,
    score_row,
)
from tengen.studies.study import Column, Series, Session, Study, StudyResult, Table
from tengen.studies.training import thinned

PRESET = "s2"
EPISODES, QUICK_EPISODES = 30_000, 40
BEST_BLACK = 22_000  # S2's best black network; its best white one is that of the end
RIVALS = ("random", "greedy")

QUICK_CHANGES = ("learn.samples_per_row=4",)

_WAY_COLUMNS = (
    Column("games", "{games}"),
    *evaluation_columns("black"),
    *evaluation_columns("white"),
    Column("loss", "{loss:.3f}"),
    Column("Q", "{value:.3f}"),
)


def _run(session: Session) -> StudyResult:
    changes = ["run.evaluate_rival=random", *(QUICK_CHANGES if session.quick else ())]
    games = QUICK_EPISODES if session.quick else EPISODES
    config, run = learned_run(session, STUDY.name, PRESET, games, changes, kind="othello")
    *_, last = checkpoints = run.checkpoints()
    early = min(checkpoints, key=lambda path: abs(int(path.name) - BEST_BLACK * config.run.games / EPISODES))
    openings, rows = final_openings(session, config), []
    for checkpoint, sides in {early: ["black"], last: ["black", "white"]}.items():
        learner = learner_of(config, checkpoint)
        for rival in RIVALS:
            session.tell(f"evaluating the networks after {int(checkpoint.name)} games against {rival}")
            scores = learner.scores(openings, rival=rival)
            rows += [
                {**score_row(f"{side} against {rival}", scores[side]), "trained_games": int(checkpoint.name)}
                for side in sides
            ]
    evaluations, rival = evaluation_rows(config, run), config.run.evaluate_rival
    return StudyResult(
        tables=[
            Table(
                "The networks against programs",
                (Column("network", "{label}"), Column("trained for", "{trained_games}"), *SCORE_COLUMNS),
                rows,
            ),
            Table(f"On the way, against {rival}", _WAY_COLUMNS, thinned(evaluations, 20)),
        ],
        charts=[
            curves(
                f"Win rate against {rival}",
                [evaluation_curve(side, evaluations, f"{side}_wins", interval=True) for side in ("black", "white")],
                "share of games",
                percent=True,
            ),
            loss_chart(config, run),
            curves("Value of the moves learned from", [Series("Q", run.curve("value"))], "Q"),
        ],
        findings=[
            *(_best(side, evaluations, rival) for side in ("black", "white")),
            in_words([row for row in rows if row["trained_games"] == int(last.name)]),
        ],
        facts=run_facts(session, PRESET, run, learner),
        notes=[
            "S2's rivals were other programs, so that nothing here compares with its results.",
            "The first rows are the black network of the checkpoint nearest to where S2's was best, the others are "
            "those of the end.",
            "A game begins with six random moves, and each opening is played once with each colour. A draw is no win.",
            f"{'Loss and Q are means over both networks' if config.net.pair else 'One network has both colours'}; "
            f"a win is worth {config.play.reward_scale:g}.",
        ],
    )


def _best(side: str, evaluations: Sequence[Mapping[str, Any]], rival: str) -> str:
    best = max(evaluations, key=lambda row: row[f"{side}_wins"])
    return (
        f"The best of {len(evaluations)} evaluations of {side} against {rival} is {best[f'{side}_wins']:.1%}, after "
        f"{best['games']:,} games."
    )


STUDY = Study(
    name="s2-curves",
    title="S2's adversarial Double DQN in Othello",
    summary="train the s2 preset; loss, Q and win rates of black and white by games, and the end against programs (S2)",
    source="S2: two agents trained against each other by Double DQN, best black after 22,000 episodes and best white "
    "after 30,000. Its pair beat other programs' easy and medium levels and split with their hard ones.",
    run=_run,
    trains=True,
)
