"""S4's table 6.1: the network's search against alpha-beta."""

from __future__ import annotations

from tengen.studies.rivals import Rival, against_rivals
from tengen.studies.study import Session, Study, StudyResult

GAME = "gomoku"
GAMES = 50  # S4: 25 with each colour
PLAYOUTS, QUICK_PLAYOUTS = 1500, 100
RIVALS = (
    Rival("depth 2", "alphabeta:depth=2", (50, 0, 0)),
    Rival("depth 4", "alphabeta:depth=4", (50, 0, 0)),
    Rival("depth 6", "alphabeta:depth=6", (50, 0, 0)),
    Rival("depth 6, threats 8", "alphabeta:depth=6,vct=8", (43, 1, 6)),
)


def _run(session: Session) -> StudyResult:
    return against_rivals(
        session,
        STUDY.name,
        RIVALS,
        kind="alpha-beta",
        game=GAME,
        games=session.games_or(GAMES),
        playouts=QUICK_PLAYOUTS if session.quick else PLAYOUTS,
        notes=["A depth of our alpha-beta is not a depth of S4's: evaluation, extensions and pruning differ."],
    )


STUDY = Study(
    name="s4-alphabeta",
    title="AlphaZero against alpha-beta",
    summary="the net at 1500 playouts against alpha-beta of depth 2, 4, 6, and 6 with 8 plies of threats (S4)",
    source="S4 (table 6.1): 1500 playouts a move, 25 games with each colour. Depth 2, 4 and 6: 50 wins of 50 each. "
    "Depth 6 with 8 plies of threat search: 43 wins, 1 draw, 6 losses, all six as second player.",
    run=_run,
)
