"""What the tests of the studies share."""

from __future__ import annotations

from collections.abc import Callable

from click.testing import Result

from tengen.studies import s4_alphabeta

#: The rivals of ``s4-alphabeta`` as they are without the tests' changes.
S4_ALPHABETA = s4_alphabeta.RIVALS

#: Calls ``tengen study`` with these arguments.
Study = Callable[..., Result]

#: What makes a run of a few seconds out of any preset.
SMALL_RUN = [
    word
    for change in (
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
    for word in ("--set", change)
]
