"""What the studies of Q-learning share: a run's evaluations as rows and curves, and its networks against rivals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.arena.statistics import share_interval
from tengen.errors import TengenError
from tengen.studies.study import Chart, Column, Point, Series, Session, Value
from tengen.studies.training import TrainedRun, configured, dqn, thinned, train

if TYPE_CHECKING:
    from tengen.train.dqn.config import DqnConfig
    from tengen.train.dqn.trainer import DqnTrainer
    from tengen.train.evaluate import Score

OPENINGS, QUICK_OPENINGS = 200, 20  # of an evaluation while it learns, each with both colours
FINAL_OPENINGS = 600  # of the one at the end; on 7x7 these are all that there are

_QUICK_EVALUATIONS = 4

#: The columns of :func:`score_row`.
SCORE_COLUMNS = (
    Column("games", "{games}"),
    Column("won", "{wins}"),
    Column("drawn", "{draws}"),
    Column("lost", "{losses}"),
    Column("win rate", "{win_rate:.1%}"),
    Column("95 %", "{low:.1%} to {high:.1%}"),
)


def learned_run(
    session: Session, study: str, preset: str, games: int, changes: Sequence[str], *, kind: str
) -> tuple[DqnConfig, TrainedRun]:
    """Train a preset for so many games, and evaluate it honestly on the way; or find that it has been done.

    Raises ``TengenError`` for another kind of game than the study is about.
    """
    usual = [f"run.games={games}", "run.minutes=0", f"run.evaluate_openings={OPENINGS}"]
    if session.quick:
        usual += [f"run.evaluate_games={games // _QUICK_EVALUATIONS}", f"run.evaluate_openings={QUICK_OPENINGS}"]
    method = dqn()
    config = configured(session, method, preset, [*usual, *changes])
    if config.parsed_game().kind != kind:
        raise TengenError(f"{study} is about {kind}: {config.game} is another game")
    if not 0 < config.run.evaluate_games <= config.run.games:
        raise TengenError("a curve needs evaluations: run.evaluate_games is from 1 to run.games")
    return config, train(session, method, study, session.preset_label(preset), config)


def learner_of(config: DqnConfig, checkpoint: Path) -> DqnTrainer:
    """The networks of a checkpoint, ready to be scored; nothing is written into their run."""
    from tengen.train.dqn.trainer import DqnTrainer

    trainer = DqnTrainer(config)
    trainer.resume(checkpoint)
    return trainer


def final_openings(session: Session, config: DqnConfig) -> list[list[int]]:
    """The openings of the evaluation at the end; ``--games`` tells how many."""
    from tengen.train.evaluate import honest_openings

    return honest_openings(config.parsed_game(), session.games_or(FINAL_OPENINGS), seed=session.seed)


def first_moves(config: DqnConfig) -> list[list[int]]:
    """The openings of S0's own evaluation: each first move in the central 5x5."""
    from tengen.train.evaluate import honest_openings

    return [[action] for action in sorted({opening[0] for opening in honest_openings(config.parsed_game(), 600)})]


def score_row(label: str, score: Score) -> dict[str, Value]:
    """Games of one colour as a row."""
    low, high = score.interval()
    counts = {"games": score.games, "wins": score.wins, "draws": score.draws, "losses": score.losses}
    return {"label": label, **counts, "win_rate": score.win_rate, "low": low, "high": high}


def in_words(rows: Sequence[Mapping[str, Value]]) -> str:
    """A sentence: the win rates of rows of :func:`score_row`, with their intervals."""
    each = (f"{row['label']} {row['win_rate']:.1%} ({row['low']:.1%} to {row['high']:.1%})" for row in rows)
    return f"Won at the end: {'; '.join(each)}."


def run_facts(session: Session, preset: str, run: TrainedRun, learner: DqnTrainer) -> dict[str, str]:
    """What a reader should know of a run and the networks at its end."""
    training = learner.training_facts()
    return {
        "game": learner.game.name,
        "preset": session.preset or preset,
        "run": str(run.folder),
        "trained for": f"{training['played']} games, {training['steps']} learning steps, {training['minutes']} minutes",
        "trained on": training["device"],
    }


def evaluation_rows(config: DqnConfig, run: TrainedRun) -> list[dict[str, Any]]:
    """The evaluations of a run: shares of ``black``, ``white`` and, None if there are none, S0's games (``first``)."""
    from tengen.train.evaluate import honest_openings

    honest = len(honest_openings(config.parsed_game(), config.run.evaluate_openings))
    rows = []
    for line in run.log():
        if "evaluate_black_wins" not in line:
            continue
        row = {"games": line["games"], "loss": line.get("loss"), "value": line.get("value")}
        for side, count in (("first", config.run.evaluate_first), ("black", honest), ("white", honest)):
            for what in ("wins", "draws", "reward", "length"):
                row[f"{side}_{what}"] = line.get(f"evaluate_{side}_{what}")
            wins = row[f"{side}_wins"]
            row[f"{side}_low"], row[f"{side}_high"] = (None, None) if wins is None else share_interval(wins, count)
        rows.append(row)
    return rows


def evaluation_columns(side: str) -> tuple[Column, Column]:
    """The columns of :func:`evaluation_rows` for a side."""
    wins = f"{{{side}_wins:.1%}} ({{{side}_low:.1%}} to {{{side}_high:.1%}})"
    return Column(f"{side} wins (95 %)", wins), Column(f"{side} draws", f"{{{side}_draws:.1%}}")


def evaluation_curve(name: str, rows: Sequence[Mapping[str, Any]], key: str, *, interval: bool = False) -> Series:
    """A column of :func:`evaluation_rows` as a curve; an ``interval`` is that of the win rate."""
    side = key.partition("_")[0]
    ends = (f"{side}_low", f"{side}_high") if interval else ("", "")
    known = [row for row in thinned(rows, 30) if row[key] is not None]
    return Series(name, [Point(row["games"], row[key], *map(row.get, ends)) for row in known])


def curves(title: str, series: Sequence[Series], y_title: str, *, percent: bool = False) -> Chart:
    """A chart by training games."""
    return Chart(title, "lines", series, x_title="training games", y_title=y_title, percent=percent)


def loss_chart(config: DqnConfig, run: TrainedRun) -> Chart:
    """The loss of a run, named by how it counts errors."""
    how = {"huber": "smooth L1", "squared": "squared error"}[config.learn.loss]
    return curves("Loss", [Series("loss", run.curve("loss"))], how)
