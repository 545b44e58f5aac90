"""What the tests of the studies share."""

from __future__ import annotations

from collections.abc import Callable

from click.testing import Result

from tengen.studies import s4_alphabeta

#: The rivals of ``s4-alphabeta`` as they are without the tests' changes.
S4_ALPHABETA = s4_alphabeta.RIVALS

#: Calls ``tengen study`` with these arguments.
Study = Callable[..., Result]


def _changes(*assignments: str) -> list[str]:
    return [word for assignment in assignments for word in ("--set", assignment)]


#: What makes a run of a few seconds out of any preset of AlphaZero.
SMALL_RUN = _changes(
    'games=["gomoku:size=6"]',
    'net.kind="tengen"',
    "net.blocks=1",
    "net.channels=8",
    "selfplay.games=8",
    "selfplay.threads=1",
    "selfplay.full_visits=6",
    "selfplay.cheap_visits=4",
    "selfplay.effort=4",
    "learn.batch=16",
    "learn.least_rows=32",
    "learn.samples_per_row=1",
    "run.log_seconds=0.05",
    "run.device=cpu",
)

#: And out of any of Q-learning.
SMALL_LEARNING = _changes(
    "net.blocks=1",
    "net.channels=12",
    "play.games=8",
    "play.threads=1",
    "learn.batch=16",
    "learn.memory=500",
    "learn.least_rows=32",
    "learn.samples_per_row=1",
    "run.log_seconds=0",
    "run.device=cpu",
)
