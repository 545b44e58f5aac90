"""S4's table 6.2: the network's search against Monte Carlo search with an expert evaluation at the leaves."""

from __future__ import annotations

from tengen.studies.rivals import Rival, against_rivals
from tengen.studies.study import Session, Study, StudyResult

GAME = "gomoku"
GAMES = 50  # S4: 25 with each colour
PLAYOUTS, QUICK_PLAYOUTS = 1500, 100

# The rival's playouts, and what S4's network won, drew and lost against them.
RIVALS = ((2000, (50, 0, 0)), (3000, (50, 0, 0)), (5000, (50, 0, 0)), (10_000, (37, 0, 13)))
QUICK_SHARE = 10  # a quick study gives the rivals one playout in so many


def _run(session: Session) -> StudyResult:
    rivals = []
    for full, source in RIVALS:
        playouts = full // QUICK_SHARE if session.quick else full
        rivals.append(Rival(f"{playouts:,} playouts", f"mcts:leaf=expert,playouts={playouts}", source))
    return against_rivals(
        session,
        STUDY.name,
        rivals,
        kind="Monte Carlo search",
        game=GAME,
        games=session.games_or(GAMES),
        playouts=QUICK_PLAYOUTS if session.quick else PLAYOUTS,
        notes=["The expert evaluation at the leaves is ours, fitted on self-play; S4 wrote its own by hand."],
    )


STUDY = Study(
    name="s4-mcts",
    title="AlphaZero against Monte Carlo search",
    summary="the net at 1500 playouts against mcts:leaf=expert with 2000, 3000, 5000 and 10,000 playouts (S4)",
    source="S4 (table 6.2): 1500 playouts a move, 25 games with each colour. Against 2000, 3000 and 5000 playouts with "
    "expert leaves: 50 wins of 50 each. Against 10,000: 37 wins, 13 losses.",
    run=_run,
)
