"""Where the board is: the lines of its grid, be stones on their crossings or in the squares between them.

1. A net sees the whole picture and says where the outermost crossings are, roughly.
2. The board is seen from above with those corners, and a second net says where lines cross.
3. The lattice that explains these crossings best is fitted, of every number of lines that may be; it gives better
   corners, with which 2 and 3 are done again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.vision import geometry
from tengen.vision.geometry import FRAME_CORNERS, Image, Points
from tengen.vision.models import Models, image_planes

SIZES = range(6, 21)
OTHELLO_SIZES = (6, 8, 10)
#: Lines a side: as many as points, or one more than squares.
LINES = range(6, 22)
_ROUNDS = 3
_CANDIDATES = 3  # numbers of lines that are looked at more closely
_TRUST = 0.4  # what it costs a line to be a step away from where the first glance has it
_NEAR = 0.7  # how far off given corners may be, in steps along either side
#: Sides of the parts in which small boards are looked for, in shares of the picture's longer side; and the least sides,
#: in pixels, of a picture and of a part in which that is worth while.
_PARTS, _LARGE, _LEAST_PART = (1 / 2, 1 / 3), 700, 200
_HEAT_STEP = 2  # pixels of the frame to a cell of the map of points
_VIEW_STEP = 4  # pixels of the view to a cell of the map of corners


class Kind(IntEnum):
    """How stones lie, in the order of the votes of the net for points."""

    POINTS = 0  # on crossings
    OTHELLO = 1  # discs in squares
    SQUARES = 2  # X and O in squares
    NO_BOARD = 3


#: The kinds that are boards.
BOARDS = (Kind.POINTS, Kind.OTHELLO, Kind.SQUARES)


@dataclass(frozen=True)
class Grid:
    """The lines of a board in a picture, so many a side, with the outermost crossings as corners.

    ``fit`` says how well they explain the crossings seen, 0 to 1, and ``glance`` how sure the corners were at first
    glance.
    """

    lines: int
    corners: Points
    fit: float
    glance: float = 1.0

    def places(self, *, squares: bool) -> tuple[int, Points]:
        """How many places of stones there are a side, and the outermost of them."""
        if not squares:
            return self.lines, self.corners
        return self.lines - 1, geometry.inset(self.corners, self.lines - 1)


@dataclass(frozen=True)
class Guess:
    """Corners as seen at first glance, and how sure that is, 0 to 1."""

    corners: Points
    sure: float

    def in_frame(self, to_frame: Points) -> Points:
        """The first and last lines across, and those down, in cells of the map of a frame: [2, 2]."""
        x, y = ((geometry.mapped(self.corners, to_frame) + 0.5) / _HEAT_STEP - 0.5).T
        return np.array([[x[[0, 3]].mean(), x[[1, 2]].mean()], [y[:2].mean(), y[2:].mean()]])

    def is_like(self, other: Guess) -> bool:
        """Whether both are of the same board: what one takes for its middle lies well within the other."""
        apart = float(np.linalg.norm(self.corners.mean(0) - other.corners.mean(0)))
        return apart < 0.4 * float(np.ptp(other.corners, axis=0).max())


@dataclass(frozen=True)
class Axis:
    """Equally spaced lines along one side of the map: the first and the last, in cells."""

    first: float
    last: float
    score: float


@dataclass(frozen=True)
class Lines:
    """A lattice in the map of points: so many lines across and down."""

    size: int
    across: Axis
    down: Axis

    @property
    def score(self) -> float:
        """How well they explain the map; only good for comparison."""
        return self.across.score + self.down.score

    def points(self) -> Points:
        """Where they cross, in cells of the map: [size, size, 2]."""
        places = [np.linspace(axis.first, axis.last, self.size) for axis in (self.across, self.down)]
        return np.stack(np.meshgrid(*places), -1)


def guess_corners(image: Image, models: Models) -> tuple[Points, float]:
    """The corners of the board in a picture as seen at first glance [4, 2], and how sure that is, 0 to 1."""
    small, to_view = geometry.view(image)
    maps = models.corners.run(image_planes(small))[0][0].astype(float)
    corners, sure = np.empty((4, 2)), 1.0
    for number, logits in enumerate(maps):
        share = np.exp(logits - logits.max())
        share /= share.sum()
        row, column = np.unravel_index(int(share.argmax()), share.shape)
        top, left = max(0, int(row) - 2), max(0, int(column) - 2)
        near = share[top : int(row) + 3, left : int(column) + 3]
        mass = float(near.sum())
        x = float((near.sum(0) * (left + np.arange(near.shape[1]))).sum()) / mass
        y = float((near.sum(1) * (top + np.arange(near.shape[0]))).sum()) / mass
        corners[number] = (np.array([x, y]) + 0.5) * _VIEW_STEP - 0.5
        sure = min(sure, mass)
    return geometry.mapped(corners, geometry.inverse(to_view)), sure


def find_grids(image: Image, models: Models, *, lines: Sequence[int] = LINES, guess: Guess | None = None) -> list[Grid]:
    """The grids that may be the board's in a picture, the most likely first; none if there is none to be seen.

    ``guess`` is where it may be; without one, the picture as a whole is looked at.
    """
    guess = guess or Guess(*guess_corners(image, models))
    corners = guess.corners
    best: list[Grid] = []
    for _ in range(_ROUNDS):
        if not geometry.is_convex(corners):
            break
        found = _look(image, corners, models, lines, guess)
        if not found:
            break
        if not best or found[0].fit >= best[0].fit - 0.02:
            best = found
        moved = float(np.abs(found[0].corners - corners).max())
        step = float(np.linalg.norm(corners[1] - corners[0])) / found[0].lines
        corners = found[0].corners
        if moved < 0.05 * step:
            break
    return best


def guesses_in_parts(image: Image, models: Models) -> list[Guess]:
    """Where boards may be that are small in a large picture, the surest first: each is seen in a part of it."""
    found: list[Guess] = []
    for left, top, side in _parts(*image.shape[1::-1]):
        corners, sure = guess_corners(image[top : top + side, left : left + side], models)
        # What reaches the part's edge is cut there; another part has the whole of it.
        if not _is_cut(corners, side):
            found.append(Guess(corners + np.array([left, top]), sure))
    chosen: list[Guess] = []
    for guess in sorted(found, key=lambda one: -one.sure):
        if geometry.is_convex(guess.corners) and not any(guess.is_like(other) for other in chosen):
            chosen.append(guess)
    return chosen


def _is_cut(corners: Points, side: int) -> bool:
    edge = 0.02 * side
    return bool((corners < edge).any() or (corners > side - edge).any())


def _parts(width: int, height: int) -> list[tuple[int, int, int]]:
    """Overlapping squares, left, top and side, in which every board is seen that is too small in the whole picture."""
    longest = max(width, height)
    sides = {min(round(longest * share), width, height) for share in _PARTS} if longest >= _LARGE else set()
    parts = []
    for side in sorted(sides, reverse=True):
        if side < _LEAST_PART:
            continue
        # Half a square from one to the next: a board of that size is whole in one of them.
        across, down = (
            np.linspace(0, length - side, 1 + int(np.ceil(2 * (length - side) / side))).astype(int).tolist()
            for length in (width, height)
        )
        parts += [(left, top, side) for top in down for left in across]
    return parts


def fixed_grid(image: Image, models: Models, corners: Points, *, lines: Sequence[int], inner: bool) -> Grid:
    """The grid with the given corners; with ``inner`` these are the middles of the corner squares.

    Corners that people give are somewhat off: they are moved to the lattice nearby, if that explains more.
    """
    above, to_frame = geometry.frame(image, corners)
    heat = _heat(above, models)
    low, high = ((value + 0.5) / _HEAT_STEP - 0.5 for value in (FRAME_CORNERS[0, 0], FRAME_CORNERS[2, 0]))
    profiles = [_profile(heat, axis) for axis in (0, 1)]
    best: tuple[Lines, NDArray[np.float64]] | None = None
    for count in lines:
        half = (high - low) / (count - 2) / 2 if inner else 0.0
        given = np.array([low - half, high + half])
        across, down = (_axis_near(profile, count, given) for profile in profiles)
        found = Lines(count, across, down)
        if best is None or found.score > best[0].score:
            best = found, given
    assert best is not None
    found, given = best
    axis = Axis(float(given[0]), float(given[1]), 0.0)
    as_given = Lines(found.size, axis, axis).points()
    moved = refined(heat, found.points())
    step = (given[1] - given[0]) / (found.size - 1)
    near = np.abs(moved - as_given).max() < step
    fits = [explained(heat, points) for points in (as_given, moved)]
    points, fit = (moved, fits[1]) if near and fits[1] > fits[0] else (as_given, fits[0])
    outline = (points[[0, 0, -1, -1], [0, -1, -1, 0]] + 0.5) * _HEAT_STEP - 0.5
    return Grid(found.size, geometry.mapped(outline, geometry.inverse(to_frame)), fit)


def _axis_near(profile: NDArray[np.float64], size: int, given: NDArray[np.float64]) -> Axis:
    """The best of so many lines whose first and last are near to the given ones, or are those."""
    step = (given[1] - given[0]) / (size - 1)
    first, last = (
        ends[np.abs(ends - end) < _NEAR * step] for ends, end in zip(_ends(profile, None), given, strict=True)
    )
    ends = np.append(first, given[0]), np.append(last, given[1])
    axis = _best_axis(profile, size, ends, hint=given, trust=_TRUST)
    assert axis is not None  # the given ones are among them
    return axis


def _look(image: Image, corners: Points, models: Models, lines: Sequence[int], guess: Guess) -> list[Grid]:
    """One look at the frame with these corners."""
    above, to_frame = geometry.frame(image, corners)
    heat = _heat(above, models)
    grids = []
    anchors = guess.in_frame(to_frame)
    for fitted in fit_lines(heat, lines, anchors=anchors, trust=_TRUST * guess.sure)[:_CANDIDATES]:
        points = refined(heat, fitted.points())
        outline = points[[0, 0, -1, -1], [0, -1, -1, 0]]
        if geometry.is_convex(outline):
            in_picture = geometry.mapped((outline + 0.5) * _HEAT_STEP - 0.5, geometry.inverse(to_frame))
            grids.append(Grid(fitted.size, in_picture, explained(heat, points), guess.sure))
    return grids


def _heat(above: Image, models: Models) -> NDArray[np.float64]:
    """Where lines cross in a frame, 0 to 1."""
    maps = models.lattice.run(image_planes(above))[0]
    return np.asarray(1 / (1 + np.exp(-maps[0, 0].astype(float))), float)


def fit_lines(
    heat: NDArray[np.float64], lines: Sequence[int], *, anchors: Points | None = None, trust: float = 0.0
) -> list[Lines]:
    """For each number of lines, those across and down that explain a map of crossings best; the best number first.

    ``anchors`` [2, 2] are where the first and last lines across, and those down, are thought to be; what is a step or
    more away from there has ``trust`` taken off its score.
    """
    profiles = [_profile(heat, axis) for axis in (0, 1)]
    hints = [None, None] if anchors is None else list(anchors)
    ends = [_ends(profile, hint) for profile, hint in zip(profiles, hints, strict=True)]
    found = []
    for count in lines:
        across, down = (
            _best_axis(profile, count, end, hint=hint, trust=trust)
            for profile, end, hint in zip(profiles, ends, hints, strict=True)
        )
        if across is not None and down is not None:
            found.append(Lines(count, across, down))
    return sorted(found, key=lambda one: -one.score)


def _profile(heat: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    """How much there is along lines across one axis, 1 where there is most."""
    # Rows that run through points count, those between them add nothing but noise.
    along = heat.mean(1 - axis)
    strong = heat.take(np.flatnonzero(along > 0.5 * along.max()), axis=axis) if along.max() > 0 else heat
    profile = strong.mean(axis)
    return np.asarray(profile / max(float(np.quantile(profile, 0.97)), 1e-6), float)


def _ends(
    profile: NDArray[np.float64], hint: NDArray[np.float64] | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Where the first and the last line may be: on the hills of the profile, in either half, and where a hint says."""
    inner = profile[1:-1]
    tops = 1 + np.flatnonzero((inner > 0.08) & (inner >= profile[:-2]) & (inner > profile[2:]))
    if not len(tops):
        return np.empty(0), np.empty(0)
    before, here, after = profile[tops - 1], profile[tops], profile[tops + 1]
    bend = np.minimum(before - 2 * here + after, -1e-9)
    places = tops + 0.5 * (before - after) / bend
    middle = len(profile) / 2
    first, last = places[places < middle], places[places > middle]
    return (first, last) if hint is None else (np.append(first, hint[0]), np.append(last, hint[1]))


def _best_axis(
    profile: NDArray[np.float64],
    size: int,
    ends: tuple[NDArray[np.float64], NDArray[np.float64]],
    *,
    hint: NDArray[np.float64] | None = None,
    trust: float = 0.0,
) -> Axis | None:
    """The best first and last line for so many: high on the lines, low between them and just outside."""
    first, last = (values.ravel() for values in np.meshgrid(*ends))
    if not len(first):
        return None
    step = (last - first) / (size - 1)
    # Sixths: lines of a lattice two or three times as fine would be on the halves, or on the thirds.
    places = first[:, None] + step[:, None] * np.arange(-6, 6 * size + 1) / 6
    values = np.interp(places, np.arange(len(profile)), profile, left=0, right=0).clip(0, 1)
    lines = values[:, 6:-6:6]
    outside = np.maximum(values[:, 0], values[:, -1])
    halves, thirds = values[:, 9:-6:6].mean(1), 0.5 * (values[:, 8:-6:6].mean(1) + values[:, 10:-6:6].mean(1))
    # What is beyond the first and the last line is not explained.
    total = np.concatenate([[0.0], np.cumsum(profile)])
    begin, end = (np.interp(at, np.arange(len(total)) - 0.5, total) for at in (first - step / 2, last + step / 2))
    explained_share = (end - begin) / total[-1]
    score = lines.mean(1) + 0.5 * lines.min(1) - np.maximum(halves, thirds) - outside + explained_share
    if hint is not None:
        away = np.minimum(1, np.abs(first - hint[0]) / step) + np.minimum(1, np.abs(last - hint[1]) / step)
        score = score - trust * away
    chosen = int(score.argmax())
    return Axis(float(first[chosen]), float(last[chosen]), float(score[chosen]))


def refined(heat: NDArray[np.float64], expected: Points) -> Points:
    """Points [size, size, 2] moved to a projective lattice through the hills that are nearest to them."""
    size = len(expected)
    step = float(np.linalg.norm(expected[0, -1] - expected[0, 0])) / (size - 1)
    reach = max(1, round(0.4 * step))
    offsets = np.arange(-reach, reach + 1)
    padded = np.pad(heat, reach + 1)
    flat = expected.reshape(-1, 2)
    column, row = (np.rint(flat).astype(int).clip(0, len(heat) - 1).T[i] for i in (0, 1))
    windows = padded[
        row[:, None, None] + offsets[:, None] + reach + 1, column[:, None, None] + offsets[None] + reach + 1
    ]
    weights = windows**2
    mass = weights.sum((1, 2)) + 1e-9
    x = column + (weights.sum(1) * offsets).sum(1) / mass
    y = row + (weights.sum(2) * offsets).sum(1) / mass
    seen = windows.max((1, 2)) > 0.25
    index = np.stack(np.meshgrid(np.arange(size), np.arange(size)), -1).reshape(-1, 2).astype(float)
    if seen.sum() < 8:
        return expected
    found, _ = cv2.findHomography(index[seen], np.column_stack([x, y])[seen], cv2.RANSAC, 0.25 * step)
    if found is None:
        return expected
    return geometry.mapped(index, np.asarray(found, float)).reshape(size, size, 2)


def explained(heat: NDArray[np.float64], points: Points) -> float:
    """How well a lattice explains a map of points: high on its points, low between them, 0 to 1."""
    places = points.astype(np.float32)
    middles = ((places[:-1, :-1] + places[1:, 1:]) / 2).astype(np.float32)
    on, between = (
        cv2.remap(heat.astype(np.float32), at[..., 0], at[..., 1], cv2.INTER_LINEAR) for at in (places, middles)
    )
    return float(np.clip(np.mean(on) - np.mean(between), 0, 1))
