"""Whose turn it is: by the number of stones, and by the mark on the last move where there is one."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.games import Game, Position, Side
from tengen.vision import geometry
from tengen.vision.geometry import STEP, Image

# A mark is found by standing out: so many times farther from the usual stone of its colour than stones usually are,
# and so far at least (in levels of brightness or colour, 0 to 255).
_STANDS_OUT, _LEAST_CONTRAST = 3.5, 14.0
_REACH = 5  # pixels of a board image around a stone's middle in which marks are looked for


def marked_stone(board: Image, cells: NDArray[np.int8]) -> tuple[int, int] | None:
    """Row and column of the one stone with a mark on it, in a board image; None if none stands out, or several do."""
    near = slice(STEP // 2 - _REACH, STEP // 2 + _REACH)
    middles = geometry.blocks(board)[:, :, near, near]
    found: list[tuple[float, int, int]] = []
    for code in (1, 2):
        places = np.argwhere(cells == code)
        if len(places) < 3:
            continue
        patches = middles[places[:, 0], places[:, 1]].astype(np.float32)
        # The brightness of a whole patch changes with light and shadow; a mark is a change within it.
        patches = patches - np.median(patches, axis=(1, 2), keepdims=True)
        usual = np.median(patches, axis=0)
        off = np.sqrt(((patches - usual) ** 2).mean((1, 2, 3)))
        limit = max(_STANDS_OUT * float(np.median(off)), _LEAST_CONTRAST)
        found += [
            (float(value / limit), int(row), int(column))
            for value, (row, column) in zip(off, places, strict=True)
            if value > limit
        ]
    if not found:
        return None
    found.sort(reverse=True)
    if len(found) > 1 and found[1][0] > 0.6 * found[0][0]:
        return None
    return found[0][1:]


def side_to_move(game: Game, cells: NDArray[np.int8], board: Image) -> tuple[Side | None, list[str]]:
    """Whose turn it is, or None where the picture does not tell; and what is odd about it, in words."""
    black, white = int((cells == 1).sum()), int((cells == 2).sum())
    marked = marked_stone(board, cells)
    after_mark = None if marked is None else Side.WHITE if cells[marked] == 1 else Side.BLACK
    if game.kind == "othello":
        return _othello_side(game, cells, after_mark)
    lead = black - white
    if lead in (0, 1):
        side = (Side.BLACK, Side.WHITE)[lead]
        if marked is None or after_mark is side:
            return side, []
        # Numbers of stones are seen better than marks, which may be anything that is drawn on a stone.
        move = game.moves[marked[0] * game.size + marked[1]]
        return side, [f"by the mark on {move} it is {after_mark}'s turn, by the numbers of stones {side}'s"]
    words = f"{black} black and {white} white stones do not come from moves in turn"
    return after_mark, [words]


def odd_end(game: Game, cells: NDArray[np.int8]) -> list[str]:
    """What is odd about a game that is over, in words: no last move can have won it."""
    if game.kind == "othello":
        return []
    winners = [side for side in Side if _has_won(game, cells, side)]
    if len(winners) == 2:
        return [f"both black and white have {game.win} in a row"]
    black, white = int((cells == 1).sum()), int((cells == 2).sum())
    last = {1: Side.BLACK, 0: Side.WHITE}.get(black - white)  # None: there is a remark about the numbers already
    if winners and last is winners[0].other:
        return [f"{winners[0]} has {game.win} in a row, but by the numbers of stones {last} moved last"]
    return []


def _has_won(game: Game, cells: NDArray[np.int8], side: Side) -> bool:
    # Alone on the board: whose row counts where both have one depends on who is to move.
    stones = np.flatnonzero(cells == side.index + 1).tolist()
    black, white = (stones, []) if side is Side.BLACK else ([], stones)
    outcome = Position.from_stones(game, black=black, white=white).outcome()
    return outcome is not None and outcome.winner is side


def _othello_side(game: Game, cells: NDArray[np.int8], after_mark: Side | None) -> tuple[Side | None, list[str]]:
    """The side after the marked disc, else by the number of discs: even when black moves, if nobody has passed.

    A side without a move is not to move as long as the other has one.
    """
    discs = int((cells > 0).sum())
    side = after_mark or (Side.BLACK if discs % 2 == 0 else Side.WHITE)
    remarks = _odd_discs(cells)
    if discs >= 4 and not _has_move(game, cells, side) and _has_move(game, cells, side.other):
        side = side.other
    return side, remarks


def _odd_discs(cells: NDArray[np.int8]) -> list[str]:
    """What cannot be about the places of discs, in words: four lie in the middle, and each more beside another."""
    taken = (cells > 0).astype(np.uint8)
    if taken.sum() < 4:
        return [f"{taken.sum()} discs are too few for a game that has begun"]
    half = slice(len(cells) // 2 - 1, len(cells) // 2 + 1)
    if not taken[half, half].all():
        return ["not all of the four squares in the middle are taken, as they are from the beginning"]
    if cv2.connectedComponents(taken, connectivity=8)[0] > 2:  # the empty squares count as one
        return ["the discs do not all hang together, as those of a game do"]
    return []


def _has_move(game: Game, cells: NDArray[np.int8], side: Side) -> bool:
    black, white = (np.flatnonzero(cells == code).tolist() for code in (1, 2))
    position = Position.from_stones(game, black=black, white=white, to_move=side)
    return any(not move.is_pass for move in position.legal_moves())
