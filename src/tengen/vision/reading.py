"""A picture of a board becomes a position, with how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.errors import GameNameError, TengenError
from tengen.games import Game, Move, Position, Side
from tengen.naming import join_name, split_name
from tengen.vision import geometry
from tengen.vision.beyond import going_on
from tengen.vision.faded import faded_stone
from tengen.vision.geometry import Image, Points
from tengen.vision.grid import (
    BOARDS,
    LINES,
    OTHELLO_SIZES,
    SIZES,
    Grid,
    Kind,
    find_grids,
    fixed_grid,
    guesses_in_parts,
)
from tengen.vision.loading import PictureError, Source, load_picture
from tengen.vision.models import Model, Models, shipped_models
from tengen.vision.points import NO_POINT, Contents, classify
from tengen.vision.turn import odd_end, side_to_move

#: A point of which the net is less sure than this is doubtful.
SURE = 0.9
#: Less than this explained by the lattice, less sure of the corners at first glance, or less sure that its points are
#: points: no board.
_LEAST_FIT, _LEAST_GLANCE, _LEAST_POINTS = 0.08, 0.35, 0.88
#: More than that, and it is sure.
_GOOD_FIT, _SURELY_POINTS = 0.40, 0.97
#: Of a board that is small in its picture, less sure corners at first glance than this are not followed up, and so many
#: places are looked at.
_SURE_GLANCE, _SMALL_BOARDS = 0.6, 3
#: No board: more places than this that are none, or that are doubtful; many doubts where some place is nothing at all,
#: or where the numbers of stones cannot be; so many discs on squares of one colour. Of 600 boards in held-out themes
#: none had doubts about more than 14 % of its places.
_MOST_GAPS, _TOO_MANY_DOUBTS, _MANY_DOUBTS, _NOTHING, _DRAUGHTSMEN = 0.05, 0.2, 0.1, 0.05, 8
#: The second net may have more doubts before it refuses what the first takes for a board.
_TOO_MANY_OF_THE_SECOND = 0.3
#: No board: more stones of one colour than so many times those of the other and three.
_TIMES_AS_MANY = 5
#: What is odd about the whole board takes so much of the confidence away.
_ODD = 0.5
#: A less likely grid is preferred if it is surer by so much that its points are points, and what the second net sees if
#: that is surer by so much.
_CLEARLY = 0.15
_NO_BOARD = "what looks like a grid in this picture is no board; if it is, give its four corners (--corners)"
_EMPTY = "there is not one stone: an empty grid may be no board"
_ALIKE = 0.05  # readings that explain as much as each other, about
_LOOKS = 8  # at each tile of the board in the end
_DOUBT = 1e-3  # the least chance that anything has
_FADED = 0.5  # how sure a stone is at most that looks half-transparent, and is none then


class NotABoardError(PictureError):
    """A picture in which no board is seen."""

    code = "no_board"


@dataclass(frozen=True)
class Sighting:
    """What was seen in a picture.

    ``cells`` [size, size] are 0 empty, 1 black, 2 white, row 0 at the top; ``confidence_by_point`` says how sure each
    is, 0 to 1, and ``confidence`` how sure the whole, which is not more than the least sure point, and half of that
    where the stones, or the mark on one, cannot be, where there is no stone, or where the board may be a part of a
    larger one. ``corners`` are the outermost places of stones (Othello: the outer corners of the corner squares) in
    pixels of the picture, from the top left clockwise. ``to_move`` is None where the game is over, and where the
    picture does not tell; ``position`` then has black to move. ``remarks`` say in words what is odd.
    """

    game: Game
    cells: NDArray[np.int8]
    to_move: Side | None
    position: Position
    confidence: float
    confidence_by_point: NDArray[np.float64]
    corners: Points
    doubts: list[Move]
    remarks: list[str]

    @property
    def size(self) -> int:
        """Points along a side of the board."""
        return self.game.size

    @property
    def is_sure(self) -> bool:
        """Whether there is no doubt about any point, the board, or the side to move."""
        return not self.doubts and not self.remarks and self.confidence >= SURE

    def stones(self, side: Side | str) -> list[Move]:
        """Where the stones of one side are."""
        return [self.game.moves[int(cell)] for cell in np.flatnonzero(self.cells == Side.parse(side).index + 1)]

    def to_dict(self) -> dict[str, Any]:
        """What was seen, as plain values."""
        return {
            "game": self.game.name,
            "size": self.size,
            "black": [str(move) for move in self.stones(Side.BLACK)],
            "white": [str(move) for move in self.stones(Side.WHITE)],
            "to_move": None if self.to_move is None else str(self.to_move),
            "over": self.position.is_over,
            "sure": self.is_sure,
            "confidence": round(self.confidence, 4),
            "confidence_by_point": self.confidence_by_point.round(4).tolist(),
            "corners": self.corners.round(2).tolist(),
            "doubts": [str(move) for move in self.doubts],
            "remarks": self.remarks,
        }


def see(
    picture: Source,
    *,
    corners: Sequence[Sequence[float]] | Points | None = None,
    game: str | Game | None = None,
    size: int | None = None,
    models: Models | None = None,
) -> Sighting:
    """The position on a board in a screenshot or photo: a file, the bytes of one, or an array uint8 [h, w, 3].

    Help that is taken for granted: ``corners``, four points (x, y) as in `Sighting.corners`, which may be half a step
    off; ``game``, a game's name, whose size counts only if it is in the name; ``size``, 6 to 20. Without a game's name,
    stones on points are taken for gomoku. What is the top of the picture is taken for the top of the board. Raises
    ``NotABoardError`` if no board is seen, ``PictureError`` for what is no picture, and ``TengenError`` for corners, a
    game or a size that cannot be.
    """
    wanted, size = _wanted(game, size)
    image, shrunk = load_picture(picture)
    models = models or shipped_models()
    asked = None if wanted is None else wanted.is_othello
    four = None if corners is None else _checked_corners(corners, image, shrunk)

    def look(othello: bool | None, size: int | None) -> _Reading:
        return _find(image, models, othello, size) if four is None else _between(image, models, four, othello, size)

    try:
        reading = look(asked, size)
    except NotABoardError as refusal:
        if asked is None and size is None:
            raise
        words = _board_words(None if wanted is None else wanted.name, size)
        try:  # perhaps the help was wrong: what is seen without it?
            seen = look(None, None)
        except NotABoardError:
            seen = None
        raise NotABoardError(_not_as_asked(refusal, seen, words, asked, size)) from None
    sighting = _seen_by_both(reading, _game(wanted, reading), image, shrunk, models.marked, is_found=four is None)
    return sighting if sighting.cells.any() else _without_stones(sighting)


def _seen_by_both(
    reading: _Reading, game: Game, image: Image, shrunk: NDArray[np.float64], marked: Model | None, *, is_found: bool
) -> Sighting:
    """What a reading comes to after the second net for points has looked; a board that was found it may refuse."""
    sighting = _sighting(reading, game, image, shrunk)
    if marked is None:
        return sighting
    # Asked always: of a half-transparent stone the first net may have no doubt.
    other = _looked_at_closely(reading, image, marked)
    contradicted = reading.contradicted_by(other)
    if not sighting.is_sure:
        if is_found and not other.is_board(_TOO_MANY_OF_THE_SECOND):
            raise NotABoardError(_NO_BOARD)
        again = _sighting(other, game, image, shrunk)
        if again.confidence > sighting.confidence + _CLEARLY:
            sighting, reading, other = again, other, reading
    if not contradicted.any():
        return sighting
    # Each of the two is asked: together they are not sure of these points.
    sure = np.where(contradicted, (reading.sure + other.sure_of(reading.cells)) / 2, reading.sure)
    return _sighting(reading, game, image, shrunk, sure)


def _without_stones(sighting: Sighting) -> Sighting:
    """An empty grid may be anything; that is said last, as it is no reason to prefer what the other net sees."""
    if sighting.game.kind == "othello":  # there is a remark already: four discs are there from the beginning
        return sighting
    confidence = min(sighting.confidence, _ODD * float(sighting.confidence_by_point.min()))
    return replace(sighting, confidence=confidence, remarks=[*sighting.remarks, _EMPTY])


@dataclass(frozen=True)
class _Reading:
    """A grid, what kind of board it is, and what is on its places, whose outermost are the corners."""

    grid: Grid
    kind: Kind
    size: int
    corners: Points
    contents: Contents

    @property
    def on_points(self) -> float:
        """How sure it is that the places of stones are such, and those around the board are none, 0 to 1."""
        return float(self.contents.chances[..., :3].sum(2).mean() * self.contents.outside.mean())

    @property
    def cells(self) -> NDArray[np.int8]:
        """What is most likely on each place, if it is one."""
        return np.asarray(self.contents.chances[..., :3].argmax(2), np.int8)

    @property
    def sure(self) -> NDArray[np.float64]:
        """How likely each place is what ``cells`` say."""
        return self.sure_of(self.cells)

    def sure_of(self, cells: NDArray[np.int8]) -> NDArray[np.float64]:
        """How likely each place is what other ``cells`` say."""
        return np.take_along_axis(self.contents.chances, cells[..., None].astype(np.intp), 2)[..., 0]

    def contradicted_by(self, other: _Reading) -> NDArray[np.bool_]:
        """Of which places this is sure, and another net that looked at the same ones saw something else."""
        seen = self.contents.chances.argmax(2), other.contents.chances.argmax(2)
        return np.asarray((self.sure >= SURE) & (seen[0] != seen[1]))

    def is_board(self, too_many_doubts: float = _TOO_MANY_DOUBTS) -> bool:
        """Whether this can be a board at all, now that it has been looked at closely."""
        chances, cells, sure = self.contents.chances, self.cells, self.sure
        gaps, doubts = float((chances[..., NO_POINT] > 0.5).mean()), float((sure < SURE).mean())
        lead = int((cells == 1).sum()) - int((cells == 2).sum())
        odd = self.kind is not Kind.OTHELLO and lead not in (0, 1)
        return not (
            self.on_points < _LEAST_POINTS
            or gaps > _MOST_GAPS
            or doubts > too_many_doubts
            or (doubts > _MANY_DOUBTS and (odd or sure.min() < _NOTHING))
            or self._is_one_sided()
            or self._is_draughts()
        )

    def _is_one_sided(self) -> bool:
        """Stones of hardly more than one colour, in numbers that no game or problem has."""
        few, many = sorted(int((self.cells == code).sum()) for code in (1, 2))
        return self.kind is not Kind.OTHELLO and many > _TIMES_AS_MANY * (few + 3)

    def _is_draughts(self) -> bool:
        """Discs in squares, nearly all of them on squares of one colour."""
        rows, columns = np.nonzero(self.cells)
        discs = self.kind is Kind.OTHELLO or (self.kind is Kind.SQUARES and self.contents.kinds[Kind.SQUARES] < 0.5)
        return bool(discs and len(rows) >= _DRAUGHTSMEN and abs(((rows + columns) % 2).mean() - 0.5) > 0.45)


def _not_as_asked(
    refusal: NotABoardError, seen: _Reading | None, asked: str, othello: bool | None, size: int | None
) -> str:
    """Why the board that was ``asked`` for is not there, if another one is ``seen`` or none at all."""
    if seen is None or (othello in (None, seen.kind is Kind.OTHELLO) and size in (None, seen.size)):
        return f"{asked} was looked for: {refusal}"
    kind = None if othello is None else "othello" if seen.kind is Kind.OTHELLO else "gomoku"
    return f"{_board_words(kind, seen.size)} is seen, not {asked}"


def _board_words(kind: str | None, size: int | None) -> str:
    name = "a board" if kind is None else f"{'an' if kind[0] in 'aeiou' else 'a'} {kind} board"
    return name if size is None else f"{name} of size {size}"


def _find(image: Image, models: Models, othello: bool | None, size: int | None) -> _Reading:
    """The board in a picture; ``othello`` says whether it is one, None if that is not known."""
    lines = _possible_lines(othello, size)
    reading = _best_of(image, models, find_grids(image, models, lines=lines), othello, size)
    seen = reading is not None and reading.grid.fit >= _LEAST_FIT and reading.grid.glance >= _LEAST_GLANCE
    if seen and reading is not None and reading.on_points >= _LEAST_POINTS:
        reading = _looked_at_closely(reading, image, models.points)
        if reading.is_board():
            return reading
    small = _find_small(image, models, othello, size)
    if small is not None:
        return small
    if seen:
        raise NotABoardError(_NO_BOARD)
    raise NotABoardError("no board is seen in this picture; if there is one, give its four corners (--corners)")


def _find_small(image: Image, models: Models, othello: bool | None, size: int | None) -> _Reading | None:
    """A board that is small in its picture; it must leave no doubt that it is one, as there are many places for it."""
    found = []
    for guess in guesses_in_parts(image, models)[:_SMALL_BOARDS]:
        if guess.sure < _SURE_GLANCE:
            break
        grids = find_grids(image, models, lines=_possible_lines(othello, size), guess=guess)
        reading = _best_of(image, models, grids, othello, size)
        if reading is None or reading.grid.fit < _GOOD_FIT or reading.on_points < _SURELY_POINTS:
            continue
        reading = _looked_at_closely(reading, image, models.points)
        if reading.is_board() and reading.on_points >= _SURELY_POINTS and not _goes_on(reading, image):
            found.append(reading)
    if len(found) > 1:
        raise NotABoardError("there are several boards in this picture; give the four corners of one (--corners)")
    return found[0] if found else None


def _between(image: Image, models: Models, corners: Points, othello: bool | None, size: int | None) -> _Reading:
    """The board with given corners."""
    reading = _looked_at_closely(_read_fixed(image, models, corners, othello, size), image, models.points)
    if not reading.is_board():
        raise NotABoardError("between these corners no board is seen")
    return reading


def _looked_at_closely(reading: _Reading, image: Image, net: Model) -> _Reading:
    return replace(reading, contents=classify(image, reading.corners, reading.size, net, looks=_LOOKS))


def _goes_on(reading: _Reading, image: Image) -> str | None:
    """Why the board may be a part of a larger one, in words."""
    lines = reading.grid.lines
    on_crossings = reading.kind is Kind.POINTS
    free = reading.cells == 0 if on_crossings else np.ones((lines, lines), bool)
    return going_on(image, reading.grid.corners, free)


def _possible_lines(othello: bool | None, size: int | None) -> Sequence[int]:
    if othello:
        return [count + 1 for count in OTHELLO_SIZES if size in (None, count)]
    return LINES if size is None else [size, size + 1]


def _best_of(
    image: Image, models: Models, grids: Sequence[Grid], othello: bool | None, size: int | None
) -> _Reading | None:
    """The first grid whose places of stones surely are such, or else the one of which that is most likely."""
    best: _Reading | None = None
    for grid in grids:
        reading = _read(image, models, grid, othello, size)
        if best is None or reading.on_points > best.on_points + _CLEARLY:
            best = reading
        if reading.on_points > _SURELY_POINTS:
            break
    return best


def _read(image: Image, models: Models, grid: Grid, othello: bool | None, size: int | None) -> _Reading:
    """What is on a grid: stones on crossings or in squares, whichever makes more sense of the tiles."""
    kinds = _possible_kinds(grid.lines, othello, size)
    readings = []
    for squares in (False, True):
        fitting = [kind for kind in kinds if (kind is not Kind.POINTS) == squares]
        if fitting:
            count, corners = grid.places(squares=squares)
            contents = classify(image, corners, count, models.points)
            readings += [_Reading(grid, kind, count, corners, contents) for kind in fitting]
    return max(readings, key=_sense)


def _possible_kinds(lines: int, othello: bool | None, size: int | None) -> list[Kind]:
    """What a grid of so many lines may be; if nothing of what is asked, whatever it may be else."""
    fitting = [kind for kind in BOARDS if (lines - (kind is not Kind.POINTS)) in SIZES]
    wanted = [
        kind
        for kind in fitting
        if (kind is Kind.OTHELLO if othello else kind is not Kind.OTHELLO or othello is None)
        and (kind is not Kind.OTHELLO or lines - 1 in OTHELLO_SIZES)
        and size in (None, lines - (kind is not Kind.POINTS))
    ]
    return wanted or [kind for kind in fitting if kind is not Kind.OTHELLO] or fitting


def _sense(reading: _Reading) -> float:
    """How much sense a reading makes, as a log-likelihood: all places are such, none around is, it is that kind."""
    contents = reading.contents
    sense = float(np.log(1 - contents.chances[..., NO_POINT] + _DOUBT).sum() + np.log(contents.outside + _DOUBT).sum())
    sense += float(np.log(contents.kinds[reading.kind] + _DOUBT))
    if reading.kind is Kind.OTHELLO:  # the four squares in the middle are taken from the first move on
        half = slice(reading.size // 2 - 1, reading.size // 2 + 1)
        sense += float(np.log(1 - contents.chances[half, half, 0] + _DOUBT).sum())
    return sense


def _read_fixed(image: Image, models: Models, corners: Points, othello: bool | None, size: int | None) -> _Reading:
    """The board with given corners: crossings or outer corners of squares, or else the middles of corner squares."""
    lines = _possible_lines(othello, size)
    readings = [_read(image, models, fixed_grid(image, models, corners, lines=lines, inner=False), othello, size)]
    lines = [count for count in lines if size in (None, count - 1) and count - 1 in SIZES]
    if not othello and lines:
        grid = fixed_grid(image, models, corners, lines=lines, inner=True)
        count, middles = grid.places(squares=True)
        contents = classify(image, middles, count, models.points)
        readings.append(_Reading(grid, Kind.SQUARES, count, middles, contents))
    best = max(reading.on_points * reading.grid.fit for reading in readings)
    # Half a step apart, both may have been moved to the same lattice.
    alike = [reading for reading in readings if reading.on_points * reading.grid.fit > best - _ALIKE]
    return max(alike, key=_sense)


@dataclass(frozen=True)
class _Wanted:
    """The game that was named: its ``options`` are without the size, which may not be known before a board is seen."""

    name: str
    options: dict[str, str]
    is_othello: bool

    def of_size(self, size: int) -> Game:
        return Game.parse(join_name(self.name, {**self.options, "size": str(size)}))


def _wanted(game: str | Game | None, size: int | None) -> tuple[_Wanted | None, int | None]:
    """The game that was asked for, and the size, if they are known."""
    if game is None:
        _check_size(size, SIZES)
        return None, size
    name, options = split_name(game.name if isinstance(game, Game) else game, what="game", error=GameNameError)
    named = options.pop("size", None)
    parsed = _parsed(game, name, options) if named is None else Game.parse(game)
    if named is not None and size is not None and int(named) != size:
        raise TengenError(f"the game's name says size {named}, and the size given is {size}")
    size = int(named) if named is not None else size
    wanted = _Wanted(name, options, parsed.kind == "othello")
    _check_size(size, OTHELLO_SIZES if wanted.is_othello else SIZES)
    if size is not None:
        wanted.of_size(size)  # raises for what does not fit on it, before the work
    return wanted, size


def _parsed(game: str | Game, name: str, options: dict[str, str]) -> Game:
    """A game without a size: what does not fit on the board that it has by default may fit on the largest."""
    try:
        return Game.parse(game)
    except GameNameError:
        with suppress(GameNameError):
            return Game.parse(join_name(name, {**options, "size": str(SIZES[-1])}))
        raise


def _check_size(size: int | None, among: Sequence[int]) -> None:
    if size is not None and size not in among:
        words = f"{among[0]} to {among[-1]}" if isinstance(among, range) else ", ".join(map(str, among))
        raise TengenError(f"boards of size {words} are read, not {size}")


def _checked_corners(corners: Sequence[Sequence[float]] | Points, image: Image, shrunk: NDArray[np.float64]) -> Points:
    try:
        points = np.asarray(corners, float)
    except (TypeError, ValueError):
        points = np.empty(0)
    if points.shape != (4, 2) or not np.isfinite(points).all():
        raise TengenError("corners are four points x,y: top left, top right, bottom right, bottom left")
    points = (points + 0.5) / shrunk - 0.5
    height, width = image.shape[:2]
    if (points < -1).any() or (points[:, 0] > width).any() or (points[:, 1] > height).any():
        raise TengenError("the corners must lie in the picture")
    if not geometry.is_convex(points):
        raise TengenError("the corners must go round the board: top left, top right, bottom right, bottom left")
    if np.linalg.norm(np.roll(points, -1, axis=0) - points, axis=1).min() < 20:
        raise TengenError("the corners are too near to each other for a board")
    return points


def _game(wanted: _Wanted | None, reading: _Reading) -> Game:
    found = "othello" if reading.kind is Kind.OTHELLO else "gomoku"
    return (wanted or _Wanted(found, {}, found == "othello")).of_size(reading.size)


def _sighting(
    reading: _Reading,
    game: Game,
    image: Image,
    shrunk: NDArray[np.float64],
    sure: NDArray[np.float64] | None = None,
) -> Sighting:
    """What a reading comes to; ``sure`` is how sure each place is, if that is not as the reading says."""
    grid, cells = reading.grid, reading.cells
    board = geometry.board_image(image, reading.corners, reading.size)
    sure = _unsure_of_faded(reading, board, reading.sure if sure is None else sure)
    doubts = [game.moves[int(cell)] for cell in np.flatnonzero(sure < SURE)]
    side, remarks = side_to_move(game, cells, board)
    black, white = (np.flatnonzero(cells == code).tolist() for code in (1, 2))
    position = Position.from_stones(game, black=black, white=white, to_move=side or Side.BLACK)
    if position.is_over:
        side = None
        remarks += odd_end(game, cells)
    part = _goes_on(reading, image)
    if part is not None:
        remarks.append(part)
    confidence = float(sure.min()) * min(1.0, grid.fit / _GOOD_FIT) * _ODD ** bool(remarks)
    if grid.fit < _GOOD_FIT:
        remarks.append("the lines of the board are seen badly")
    corners = grid.corners if reading.kind is Kind.OTHELLO else reading.corners
    return Sighting(
        game=game,
        cells=cells,
        to_move=side,
        position=position,
        confidence=confidence,
        confidence_by_point=sure,
        corners=(corners + 0.5) * shrunk - 0.5,
        doubts=doubts,
        remarks=remarks,
    )


def _unsure_of_faded(reading: _Reading, board: Image, sure: NDArray[np.float64]) -> NDArray[np.float64]:
    """How sure each place is when it has been asked whether a stone is half-transparent, and so not on the board."""
    faded = faded_stone(board, reading.cells) if reading.kind is Kind.POINTS else None
    if faded is None:
        return sure
    sure = sure.copy()
    sure[faded] = min(sure[faded], _FADED)
    return sure
