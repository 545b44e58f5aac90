"""The encodings once more, written to be read and not to be fast."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tengen.games import Move, Side
from tengen.testing._requirement import ComplianceError

_CODES = {Side.BLACK: 1, Side.WHITE: 2}


def define_planes(
    encoding: str, boards: Sequence[NDArray[np.int8]], last_move: Move | None, viewer: Side
) -> NDArray[np.float32]:
    """What :meth:`Position.planes` should give to ``viewer``, from the boards of the game, newest first.

    ``boards`` go back at least five moves or to the start. Raises ``ComplianceError`` for an encoding without a
    definition here.
    """
    now = boards[0]
    own, rival = _CODES[viewer], _CODES[viewer.other]
    nothing, everything = np.zeros_like(now), np.ones_like(now)
    first = everything if viewer is Side.BLACK else nothing
    match encoding:
        case "s0":
            planes = [now == own, now == rival]
        case "s1":
            planes = [(now == own).astype(np.int8) - (now == rival).astype(np.int8)]
        case "s2":
            planes = [now == _CODES[Side.WHITE], now == 0, now == _CODES[Side.BLACK]]
        case "s3":
            mark = nothing.copy()
            if last_move is not None and not last_move.is_pass:
                mark[last_move.row, last_move.column] = 1
            planes = [now == own, now == rival, mark, first]
        case "s4":
            past = [*boards[:6], *[nothing] * (6 - len(boards[:6]))]
            planes = [plane for board in past for plane in (board == own, board == rival)] + [first]
        case _:
            raise ComplianceError(f"the encoding {encoding!r} has no definition in tengen.testing")
    return np.stack([np.asarray(plane, dtype=np.float32) for plane in planes])
