"""A board seen straight from above: ground, lines, coordinates, stones and marks."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.vision.drawing.canvas import (
    Colour,
    Image,
    any_colour,
    blend,
    brightness,
    disc,
    jittered,
    mixed,
    pick,
    write,
)
from tengen.vision.drawing.grounds import checkered, draw_ground, frame_colour
from tengen.vision.drawing.marks import mark_colour, paint_advice, paint_hint, paint_mark, paint_number, vivid_colour
from tengen.vision.drawing.positions import Scene, gomoku_scene, othello_scene
from tengen.vision.drawing.stones import StoneLook, StonePainter
from tengen.vision.drawing.themes import Theme
from tengen.vision.drawing.truth import Picture, Truth

_STARS = {9: (2, 4, 6), 11: (2, 5, 8), 13: (3, 6, 9), 15: (3, 7, 11), 17: (3, 8, 13), 19: (3, 9, 15)}


@dataclass(frozen=True)
class Palette:
    """The colours of one picture."""

    board: Colour
    line: Colour
    black: Colour
    white: Colour
    rim: Colour


@dataclass(frozen=True)
class Layout:
    """Where the points of a board lie in its picture, in pixels."""

    size: int
    pitch: float
    columns: NDArray[np.float64]  # x of the points
    rows: NDArray[np.float64]
    line_x: NDArray[np.float64]  # x of the lines
    line_y: NDArray[np.float64]
    height: int
    width: int
    #: The ground's rectangle: left, top, right, bottom. What lies outside is the frame.
    ground: tuple[int, int, int, int]

    def corners(self, *, outer: bool) -> NDArray[np.float64]:
        """The outermost points, or the outermost crossings of lines, clockwise from the top left."""
        x, y = (self.line_x, self.line_y) if outer else (self.columns, self.rows)
        return np.array([[x[0], y[0]], [x[-1], y[0]], [x[-1], y[-1]], [x[0], y[-1]]])


def draw_board(rng: np.random.Generator, theme: Theme, size: int, pitch: float) -> Picture:
    """A board with some position on it, and the truth about it; no page around it yet."""
    scene = othello_scene(rng, size) if theme.game == "othello" else _gomoku(rng, theme, size)
    palette = _palette(rng, theme)
    with_coordinates = bool(rng.random() < theme.coordinates)
    layout = _layout(rng, theme, size, pitch, with_coordinates=with_coordinates)
    image = _ground(rng, theme, palette, layout)
    _paint_lines(rng, theme, palette, layout, image)
    if with_coordinates:
        _paint_coordinates(rng, theme, layout, image)
    told = _paint_position(rng, theme, palette, layout, scene, image)
    corners = layout.corners(outer=theme.game == "othello")
    truth = Truth(theme.game, size, scene.cells, told, corners, theme.name, theme.in_squares)
    return Picture(image, truth)


def _gomoku(rng: np.random.Generator, theme: Theme, size: int) -> Scene:
    scene = gomoku_scene(rng, size, crowded=theme.crowded)
    while theme.in_squares and not scene.cells.any():
        # Empty squares look like an empty board of points, one larger: nobody could tell.
        scene = gomoku_scene(rng, size, crowded=theme.crowded)
    return scene


# --- what it is made of ---


def _palette(rng: np.random.Generator, theme: Theme) -> Palette:
    if theme.motley:
        return _motley_signs(rng) if theme.styles[0].endswith("-signs") else _motley(rng)
    board = jittered(rng, pick(rng, theme.board), 6)
    line = pick(rng, theme.lines)
    if abs(brightness(line) - brightness(board)) < 40:
        line = (0, 0, 0) if brightness(board) > 110 else (235, 235, 235)
    black, white = (jittered(rng, pick(rng, colours), 3) for colours in (theme.black, theme.white))
    if theme.styles[0].endswith("-signs"):
        black, white = (_legible(ink, board) for ink in (black, white))
    return Palette(board, line, black, white, pick(rng, theme.rims))


def _legible(ink: Colour, board: Colour) -> Colour:
    if np.abs(np.subtract(ink, board)).max() > 90:
        return ink
    return mixed(ink, (255, 255, 255) if brightness(board) < 128 else (0, 0, 0), 0.7)


def _motley(rng: np.random.Generator) -> Palette:
    """Any colours at all, as long as a person could tell black from white and both from the board."""
    board = any_colour(rng, *((50, 230) if rng.random() < 0.6 else (0, 50) if rng.random() < 0.7 else (225, 255)))
    strength = float(rng.uniform(0.35, 1.0))
    line = mixed(board, (0, 0, 0) if brightness(board) > 110 or rng.random() < 0.2 else (255, 255, 255), strength)
    black, white = any_colour(rng, 0, 60), any_colour(rng, 205, 255)
    rim = any_colour(rng, 0, 120) if brightness(board) > 110 else any_colour(rng, 80, 255)
    if rng.random() < 0.3:  # stones of the board's own colour, told by their rims alone
        if brightness(board) < 60:
            black = jittered(rng, board, 5)
        elif brightness(board) > 195:
            white = jittered(rng, board, 5)
    return Palette(board, line, black, white, rim)


def _motley_signs(rng: np.random.Generator) -> Palette:
    """Any colours for X and O, on paper or on a dark screen."""
    dark = bool(rng.random() < 0.4)
    board = any_colour(rng, 5, 60) if dark else any_colour(rng, 190, 255)
    black, white = (_legible(any_colour(rng, 60, 255) if dark else any_colour(rng, 0, 190), board) for _ in range(2))
    line = mixed(board, (255, 255, 255) if dark else (0, 0, 0), float(rng.uniform(0.2, 0.7)))
    return Palette(board, line, black, white, black)


def _layout(rng: np.random.Generator, theme: Theme, size: int, pitch: float, *, with_coordinates: bool) -> Layout:
    if rng.random() < 0.5:
        pitch = float(round(pitch))
    least = 0.95 if with_coordinates else 0.08 if theme.in_squares else 0.52
    margin = pitch * float(rng.uniform(least, least + (0.5 if rng.random() < 0.7 else 1.4)))
    # Squares lie between lines: their points are half a square further in.
    half = pitch / 2 if theme.in_squares else 0.0
    lines = size + (1 if theme.in_squares else 0)
    first = margin + rng.uniform(-0.4, 0.4, 2)
    line_x, line_y = (start + pitch * np.arange(lines) for start in first)
    if rng.random() < 0.6:
        line_x, line_y = np.round(line_x), np.round(line_y)
    columns, rows = ((line[:size] + half) for line in (line_x, line_y))
    width, height = (int(line[-1] + margin + 1) for line in (line_x, line_y))
    inset = 0
    if theme.frame or rng.random() < 0.25:
        inset = int(margin * rng.uniform(0.5, 1.0)) if theme.in_squares else int(max(0.0, margin - 0.55 * pitch))
    ground = (inset, inset, width - inset, height - inset)
    return Layout(size, pitch, columns, rows, line_x, line_y, height, width, ground)


def _ground(rng: np.random.Generator, theme: Theme, palette: Palette, layout: Layout) -> Image:
    kind = pick(rng, theme.ground)
    image = draw_ground(rng, kind, layout.height, layout.width, palette.board)
    left, top, right, bottom = layout.ground
    if left > 0:
        framed = draw_ground(rng, "plain", layout.height, layout.width, frame_colour(rng, theme.frame, palette.board))
        framed[top:bottom, left:right] = image[top:bottom, left:right]
        image = framed
    if kind == "checker":
        origin = round(layout.line_x[0]), round(layout.line_y[0])
        image = checkered(image, origin, layout.pitch, layout.size, rng)
    if kind == "squared":
        _paint_squared_paper(rng, layout, image)
    return image


def _paint_squared_paper(rng: np.random.Generator, layout: Layout, image: Image) -> None:
    """Faint print that goes on beyond the board."""
    colour, pitch = (150, 180, 215), layout.pitch
    x = np.arange(layout.line_x[0] % pitch, layout.width, pitch)
    y = np.arange(layout.line_y[0] % pitch, layout.height, pitch)
    across, down = _profile(x, 1.0, layout.width), _profile(y, 1.0, layout.height)
    mask = np.maximum(across[None, :], down[:, None]) * np.float32(rng.uniform(0.15, 0.4))
    blend(image, mask, colour, 0, 0)


# --- lines ---


def _profile(places: NDArray[np.float64], width: float, length: int) -> NDArray[np.float32]:
    """How much of each pixel along a side is covered by lines of a width across it."""
    pixels = np.arange(length)[:, None]
    covered = np.minimum(pixels + 0.5, places + width / 2) - np.maximum(pixels - 0.5, places - width / 2)
    return np.asarray(np.clip(covered, 0, 1).max(axis=1), np.float32)


def _paint_lines(rng: np.random.Generator, theme: Theme, palette: Palette, layout: Layout, image: Image) -> None:
    pitch = layout.pitch
    width = max(1.0, pitch * rng.uniform(*theme.line_width))
    if rng.random() < 0.5:
        width = float(round(width))
    strength = np.float32(rng.uniform(*theme.line_strength))
    border = pick(rng, theme.borders)
    mask = _lines_by_hand(rng, layout, width) if theme.by_hand else _straight_lines(layout, width, border)
    if theme.by_hand and border == "thick":
        mask = np.maximum(mask, _border_by_hand(rng, layout, width * 2))
    blend(image, mask * strength, palette.line, 0, 0)
    _paint_stars(rng, theme, palette, layout, image, width)


def _straight_lines(layout: Layout, width: float, border: str) -> NDArray[np.float32]:
    x, y = layout.line_x, layout.line_y
    across, down = _profile(x, width, layout.width), _profile(y, width, layout.height)
    mask = np.zeros((layout.height, layout.width), np.float32)
    top, bottom = max(0, round(y[0] - width / 2 + 0.01)), round(y[-1] + width / 2 + 0.5)
    left, right = max(0, round(x[0] - width / 2 + 0.01)), round(x[-1] + width / 2 + 0.5)
    mask[top:bottom, left:right] = np.maximum(across[None, left:right], down[top:bottom, None])
    if border != "plain":
        gap = 0.0 if border == "thick" else min(0.12 * layout.pitch + width, 0.45 * layout.pitch)
        _add_rectangle(mask, (x[0] - gap, y[0] - gap, x[-1] + gap, y[-1] + gap), width * (2.2 if gap == 0 else 1.2))
    return mask


def _add_rectangle(mask: NDArray[np.float32], box: tuple[float, float, float, float], width: float) -> None:
    left, top, right, bottom = box
    x, y = (np.array([left, right]), np.array([top, bottom]))
    across, down = _profile(x, width, mask.shape[1]), _profile(y, width, mask.shape[0])
    y0, y1 = max(0, round(top - width / 2)), round(bottom + width / 2) + 1
    x0, x1 = max(0, round(left - width / 2)), round(right + width / 2) + 1
    mask[y0:y1] = np.maximum(mask[y0:y1], across[None, :])
    mask[:, x0:x1] = np.maximum(mask[:, x0:x1], down[:, None])


def _lines_by_hand(rng: np.random.Generator, layout: Layout, width: float) -> NDArray[np.float32]:
    """Lines that sway a little, overshoot or fall short, and press unevenly."""
    mask = np.zeros((layout.height, layout.width), np.uint8)
    sway, steps = 0.03 * layout.pitch * rng.uniform(0.2, 1.0), 5
    x, y = layout.line_x, layout.line_y
    for lines, ends, swap in ((x, y, False), (y, x, True)):
        offsets = rng.normal(0, sway, (len(lines), steps))
        beyond = rng.normal(0.02, 0.05, (len(lines), 2)) * layout.pitch
        for line, offset, (start, end) in zip(lines, offsets, beyond, strict=True):
            along = np.linspace(ends[0] - abs(start), ends[-1] + end, steps)
            points = np.stack([line + offset, along], axis=1)
            points = points[:, ::-1] if swap else points
            level = int(rng.integers(150, 256))
            cv2.polylines(mask, [np.asarray(points * 16, np.int32)], False, level, max(1, round(width)), cv2.LINE_AA, 4)
    return np.asarray(mask / np.float32(255), np.float32)


def _border_by_hand(rng: np.random.Generator, layout: Layout, width: float) -> NDArray[np.float32]:
    mask = np.zeros((layout.height, layout.width), np.uint8)
    corners = layout.corners(outer=True) + rng.normal(0, 0.02 * layout.pitch, (4, 2))
    cv2.polylines(mask, [np.asarray(corners * 16, np.int32)], True, 255, max(2, round(width)), cv2.LINE_AA, 4)
    return np.asarray(mask / np.float32(255), np.float32)


def _paint_stars(
    rng: np.random.Generator, theme: Theme, palette: Palette, layout: Layout, image: Image, width: float
) -> None:
    if rng.random() > theme.stars:
        return
    if theme.game == "othello":
        inner = (2, layout.size - 2)
        points = [(row, column) for row in inner for column in inner]
    else:
        at = _STARS.get(layout.size, ())
        points = [(row, column) for row in at for column in at]
        if len(at) == 3 and rng.random() < 0.7:  # most boards have five, Go's largest has nine
            points = [point for point in points if (at.index(point[0]) + at.index(point[1])) % 2 == 0]
    radius = max(1.6, width * 1.2, layout.pitch * rng.uniform(0.06, 0.12))
    mask = disc(min(radius, 0.16 * layout.pitch))
    for row, column in points:
        x, y = layout.line_x[column], layout.line_y[row]
        blend(image, mask, palette.line, round(x) - mask.shape[1] // 2, round(y) - mask.shape[0] // 2)


# --- coordinates ---


def _paint_coordinates(rng: np.random.Generator, theme: Theme, layout: Layout, image: Image) -> None:
    size, font = layout.size, pick(rng, theme.fonts)
    alphabet = "ABCDEFGHJKLMNOPQRSTU" if rng.random() < 0.3 else "ABCDEFGHIJKLMNOPQRST"
    letters = alphabet if rng.random() < 0.6 else alphabet.lower()
    across = list(letters[:size]) if rng.random() < 0.85 else [str(i + 1) for i in range(size)]
    upward = theme.game != "othello" and rng.random() < 0.7
    down = [str(size - i if upward else i + 1) for i in range(size)]
    height = round(layout.pitch * rng.uniform(0.26, 0.42))
    sides = pick(rng, ("lb", "lt", "rb", "lrtb", "lrtb", "l", "b"))
    away = layout.pitch * rng.uniform(0.62, 0.7) if not theme.in_squares else layout.pitch * rng.uniform(0.38, 0.5)
    x, y = layout.line_x, layout.line_y
    places: list[tuple[str, float, float]] = []
    for side in sides:
        if side in "tb":
            at = y[0] - away if side == "t" else y[-1] + away
            places += [(text, float(column), float(at)) for text, column in zip(across, layout.columns, strict=True)]
        else:
            at = x[0] - away if side == "l" else x[-1] + away
            places += [(text, float(at), float(row)) for text, row in zip(down, layout.rows, strict=True)]
    ink: Colour | None = None
    for text, at_x, at_y in places:
        if ink is None:
            under = image[min(int(at_y), layout.height - 1), min(int(at_x), layout.width - 1)].tolist()
            ink = mixed((0, 0, 0) if brightness(under) > 110 else (255, 255, 255), tuple(under), rng.uniform(0, 0.45))
        write(image, text, (at_x, at_y), height, ink, font)


# --- the position ---


def _paint_position(
    rng: np.random.Generator, theme: Theme, palette: Palette, layout: Layout, scene: Scene, image: Image
) -> str | None:
    """Draw the stones and what is upon them; returns whose turn it is, as far as the picture tells."""
    look = _stone_look(rng, theme, palette)
    painter = StonePainter(look, layout.pitch, rng)
    places = [
        (float(layout.columns[column]), float(layout.rows[row]), int(scene.cells[row, column]))
        for row, column in np.argwhere(scene.cells).tolist()
    ]
    mark = pick(rng, theme.marks)
    marked = scene.last is not None and rng.random() < 0.55
    if marked and look.style.endswith("-signs") and mark == "square" and scene.last is not None:
        _tint_square(rng, layout, scene.last, image)
    painter.paint(image, places)
    radius = layout.pitch * look.radius
    numbered = False
    if scene.last is not None and len(scene.moves) > 1 and rng.random() < theme.numbers:
        numbered = _paint_numbers(rng, theme, palette, layout, scene, radius, image)
    if marked and not numbered and not (look.style.endswith("-signs") and mark == "square"):
        _paint_last(rng, theme, mark, palette, layout, scene, look, image)
    _paint_hints(rng, theme, layout, scene, image)
    if theme.strikes and rng.random() < theme.strikes:
        _paint_strike(rng, palette, layout, scene, image)
    if rng.random() < theme.labels:
        _paint_labels(rng, theme, palette, layout, scene, image)
    _paint_on_empty(rng, theme, palette, layout, scene, painter, image)
    return _told(theme, scene, by_last=marked or numbered)


def _told(theme: Theme, scene: Scene, *, by_last: bool) -> str | None:
    if theme.game == "othello":  # counts tell nothing, and after a pass neither does the last move
        return scene.to_move if by_last and scene.mover_after_last() == scene.to_move else None
    return scene.mover_after_last() if by_last else scene.mover_by_counts()


def _stone_look(rng: np.random.Generator, theme: Theme, palette: Palette) -> StoneLook:
    style = pick(rng, theme.styles)
    nearest = min(abs(brightness(colour) - brightness(palette.board)) for colour in (palette.black, palette.white))
    rim = palette.rim
    if nearest < 45 and style in ("flat", "lens", "shell", "disc3d", "varied", "gradient", "crescent", "bevel"):
        style = "outlined"  # else stones would melt into the board
    if style in ("outlined", "rimmed", "diagram") and abs(brightness(rim) - brightness(palette.board)) < 45:
        rim = (20, 20, 20) if brightness(palette.board) > 110 else (210, 210, 210)
    shift = float(rng.uniform(0.03, 0.12))
    letters, font = (pick(rng, ("XO", "xo")), pick(rng, theme.fonts)) if style == "letter-signs" else ("XO", "plain")
    return StoneLook(
        style=style,
        black=palette.black,
        white=palette.white,
        rim=rim,
        radius=float(rng.uniform(*theme.radius)),
        rim_width=float(rng.uniform(0.03, 0.08) if style != "rimmed" else rng.uniform(0.06, 0.12)),
        shadow=float(rng.uniform(*theme.shadow)) if theme.shadow[1] else 0.0,
        shadow_offset=(shift * float(rng.uniform(-0.5, 1.0)), shift),
        light=(float(rng.uniform(-0.45, 0.2)), float(rng.uniform(-0.5, -0.15))),
        stroke=float(rng.uniform(0.06, 0.16)),
        jitter=float(rng.uniform(*theme.jitter)) if theme.jitter[1] else 0.0,
        letters=letters,
        font=font,
    )


def _point(layout: Layout, place: tuple[int, int]) -> tuple[float, float]:
    return float(layout.columns[place[1]]), float(layout.rows[place[0]])


def _tint_square(rng: np.random.Generator, layout: Layout, place: tuple[int, int], image: Image) -> None:
    x, y = _point(layout, place)
    reach = max(3, int(layout.pitch / 2 - 1))
    mask = np.full((2 * reach + 1, 2 * reach + 1), rng.uniform(0.25, 0.6), np.float32)
    colour = pick(rng, ((255, 220, 80), (140, 200, 255), (160, 230, 160)))
    blend(image, mask, colour, round(x) - reach, round(y) - reach)


def _paint_last(
    rng: np.random.Generator,
    theme: Theme,
    mark: str,
    palette: Palette,
    layout: Layout,
    scene: Scene,
    look: StoneLook,
    image: Image,
) -> None:
    if scene.last is None:
        return
    x, y = _point(layout, scene.last)
    radius = layout.pitch * look.radius
    if look.style.endswith("-signs"):
        around = float(rng.uniform(1.15, 1.3)) if mark in ("ring", "halo") else 0.3
        paint_mark(image, mark, x, y, radius, mark_colour(rng, palette.board), around)
        return
    under = palette.black if scene.cells[scene.last] == 1 else palette.white
    paint_mark(image, mark, x, y, radius, mark_colour(rng, under), float(rng.uniform(*theme.mark_size)))


def _paint_numbers(
    rng: np.random.Generator,
    theme: Theme,
    palette: Palette,
    layout: Layout,
    scene: Scene,
    radius: float,
    image: Image,
) -> bool:
    """Numbers on all stones, or on the last few."""
    font = pick(rng, theme.fonts)
    first = 0 if rng.random() < 0.7 else max(0, len(scene.moves) - int(rng.integers(1, 6)))
    for number, place in enumerate(scene.moves, start=1):
        if number > first and scene.cells[place]:
            under = palette.black if scene.cells[place] == 1 else palette.white
            paint_number(image, number, *_point(layout, place), radius, under, font)
    return True


def _paint_hints(rng: np.random.Generator, theme: Theme, layout: Layout, scene: Scene, image: Image) -> None:
    if not scene.legal or rng.random() > theme.hints:
        return
    kind = pick(rng, theme.hint_kinds)
    colour: Colour = pick(rng, ((0, 0, 0), (255, 255, 255), (240, 220, 60), (200, 40, 40)))
    strength = float(rng.uniform(0.3, 0.9))
    pitch = layout.pitch
    if theme.hint_size != (1.0, 1.0):
        pitch *= float(rng.uniform(*theme.hint_size))
    for place in scene.legal:
        paint_hint(image, kind, *_point(layout, place), pitch, colour, strength)


def _paint_strike(rng: np.random.Generator, palette: Palette, layout: Layout, scene: Scene, image: Image) -> None:
    """A line through five points from a stone on, as programs show that a game is won."""
    stones = np.argwhere(scene.cells)
    if not len(stones):
        return
    row, column = stones[int(rng.integers(len(stones)))].tolist()
    down, across = pick(rng, ((0, 1), (1, 0), (1, 1), (1, -1)))
    end = row + 4 * down, column + 4 * across
    if not (0 <= end[0] < layout.size and 0 <= end[1] < layout.size):
        return
    ends = np.array([_point(layout, (row, column)), _point(layout, end)])
    width = max(1, round(layout.pitch * rng.uniform(0.04, 0.1)))
    colour = mark_colour(rng, palette.black if scene.cells[row, column] == 1 else palette.white)
    cv2.polylines(image, [np.asarray(ends * 16, np.int32)], False, colour, width, cv2.LINE_AA, 4)


def _paint_labels(
    rng: np.random.Generator, theme: Theme, palette: Palette, layout: Layout, scene: Scene, image: Image
) -> None:
    """Letters or small signs on a few empty points: candidates, forbidden points, remarks."""
    empty = rng.permutation(np.argwhere(scene.cells == 0))[: int(rng.integers(1, 6))]
    kind = pick(rng, ("letter", "cross", "triangle", "dot") if theme.held_out else ("letter", *theme.marks))
    font, pitch = pick(rng, theme.fonts), layout.pitch
    colour = mark_colour(rng, palette.board)
    low, high = theme.label_size
    share = low if low == high else float(rng.uniform(low, high))
    height = 1.05 * share * pitch
    cleared = theme.held_out or rng.random() < 0.6
    for index, (row, column) in enumerate(empty.tolist()):
        x, y = _point(layout, (row, column))
        if kind == "letter":
            if cleared:
                clear = disc(0.32 * pitch)
                blend(image, clear, palette.board, round(x) - clear.shape[1] // 2, round(y) - clear.shape[0] // 2)
            write(image, "ABCDEF"[index], (x, y), round(height), colour, font)
        else:
            paint_mark(image, kind, x, y, 0.4 * pitch, colour, share)


def _paint_on_empty(
    rng: np.random.Generator,
    theme: Theme,
    palette: Palette,
    layout: Layout,
    scene: Scene,
    painter: StonePainter,
    image: Image,
) -> None:
    """What programs show on empty points and is no stone: the stone under the pointer, best moves, forbidden points."""
    empty = [tuple(place) for place in rng.permutation(np.argwhere(scene.cells == 0)).tolist()] if _shows(theme) else []
    if not empty:
        return
    pitch = layout.pitch
    if rng.random() < theme.previews:
        x, y = _point(layout, empty[0])
        painter.paint(image, [(x, y, int(rng.integers(1, 3)))], strength=float(rng.uniform(0.2, 0.6)))
    if rng.random() < theme.advice:
        count, radius = int(rng.integers(1, 16)), pitch * float(rng.uniform(0.25, 0.48))
        strength, font = float(rng.uniform(0.3, 1.0)), pick(rng, theme.fonts)
        colour, numbered = vivid_colour(rng, palette.board), bool(rng.random() < 0.6)
        for index, place in enumerate(empty[1 : 1 + count]):
            text = "" if not numbered else str(index + 1) if count < 7 else str(rng.integers(1, 100))
            faded = strength * (1.0 if numbered else float(rng.uniform(0.4, 1.0)))
            paint_advice(image, *_point(layout, place), radius, colour, faded, text, font)
    if rng.random() < theme.bans:
        colour, share = vivid_colour(rng, palette.board), float(rng.uniform(0.6, 1.1))
        for place in empty[-int(rng.integers(1, 6)) :]:
            paint_mark(image, "cross", *_point(layout, place), 0.4 * pitch, colour, share)


def _shows(theme: Theme) -> bool:
    return max(theme.previews, theme.advice, theme.bans) > 0
