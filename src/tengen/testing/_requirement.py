"""What a check says when something is wrong, and how it compares."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from tengen.errors import TengenError
from tengen.games import Move, Outcome, Position, Side


class ComplianceError(AssertionError):
    """A game, player or environment that does not keep its contract; the message says where and how."""


def require(holds: object, message: str) -> None:
    """Raise ``ComplianceError`` unless ``holds`` is true."""
    if not holds:
        raise ComplianceError(message)


def require_same(what: str, got: Any, wanted: Any) -> None:
    """Raise ``ComplianceError`` unless two arrays agree in shape, type and every element."""
    got, wanted = np.asarray(got), np.asarray(wanted)
    if got.shape != wanted.shape or got.dtype != wanted.dtype:
        raise ComplianceError(f"{what}: {got.dtype} {got.shape}, and should be {wanted.dtype} {wanted.shape}")
    if not np.array_equal(got, wanted):
        wrong = np.argwhere(got != wanted)
        at = tuple(wrong[0].tolist())
        raise ComplianceError(f"{what}: {len(wrong)} elements differ, the first at {at}: {got[at]} for {wanted[at]}")


def require_error(what: str, call: Callable[[], object], error: type[TengenError] = TengenError) -> None:
    """Raise ``ComplianceError`` unless the call raises ``error``."""
    try:
        answer = call()
    except error:
        return
    except Exception as other:
        raise ComplianceError(f"{what} raised {type(other).__name__} ({other}) and not {error.__name__}") from other
    raise ComplianceError(f"{what} gave {answer!r} and did not raise {error.__name__}")


@contextmanager
def context(where: str) -> Iterator[None]:
    """Put ``where`` before the message of a ``ComplianceError``; any other error becomes one."""
    try:
        yield
    except ComplianceError as trouble:
        raise ComplianceError(f"{where}: {trouble}") from trouble
    except Exception as trouble:
        raise ComplianceError(f"{where}: {type(trouble).__name__}: {trouble}") from trouble


class Snapshot(NamedTuple):
    """All that can be seen of a position, in a form that can be compared."""

    hash: int
    board: bytes
    mask: bytes
    to_move: Side
    ply: int
    moves: tuple[Move, ...]
    outcome: Outcome | None
    shapes: bytes
    planes: bytes

    @classmethod
    def of(cls, position: Position) -> Snapshot:
        """Look at a position without changing it."""
        shapes = b"".join(position.shapes(side).tobytes() for side in Side) if position.game.kind == "gomoku" else b""
        return cls(
            hash=position.hash,
            board=position.board().tobytes(),
            mask=position.legal_mask().tobytes(),
            to_move=position.to_move,
            ply=position.ply,
            moves=tuple(position.moves),
            outcome=position.outcome(),
            shapes=shapes,
            planes=position.planes("s4").tobytes(),
        )

    def require_of(self, position: Position, what: str) -> None:
        """Raise ``ComplianceError`` that names what differs unless the position looks the same now."""
        now = Snapshot.of(position)
        changed = [field for field in self._fields if getattr(self, field) != getattr(now, field)]
        require(not changed, f"{what} changed {', '.join(changed)}")
