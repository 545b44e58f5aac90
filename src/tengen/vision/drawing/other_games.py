"""Other games and puzzles, whose boards are most like those that are read."""

from __future__ import annotations

import cv2
import numpy as np

from tengen.vision.drawing.canvas import Colour, Image, any_colour, blend, disc, filled, mixed, pick, write
from tengen.vision.drawing.page import ink_on

_FONTS = ("plain", "bold", "narrow", "oblique")
_PAGES: tuple[Colour, ...] = ((255, 255, 255), (246, 244, 238), (30, 32, 38), (222, 228, 236))
_WOODS: tuple[Colour, ...] = ((226, 186, 120), (240, 206, 150), (205, 160, 100))


class _Squares:
    """A picture with room for so many squares a side, and where they are."""

    def __init__(self, rng: np.random.Generator, height: int, width: int, count: int, page: Colour) -> None:
        self.image = filled(height, width, page)
        self.pitch = max(12, (min(height, width) - int(rng.integers(0, 50))) // (count + 1))
        span = count * self.pitch
        self.left = int(rng.integers(0, max(1, width - span)))
        self.top = int(rng.integers(0, max(1, height - span)))
        self.count = count

    def fill(self, row: int, column: int, colour: Colour) -> None:
        """Paint a square."""
        x, y = self.left + column * self.pitch, self.top + row * self.pitch
        self.image[y : y + self.pitch, x : x + self.pitch] = colour

    def middle(self, row: float, column: float) -> tuple[float, float]:
        """The middle of a square."""
        return self.left + (column + 0.5) * self.pitch, self.top + (row + 0.5) * self.pitch

    def disc(self, row: int, column: int, share: float, colour: Colour) -> None:
        """A disc of a share of the side in the middle of a square."""
        x, y = self.middle(row, column)
        mask = disc(share * self.pitch)
        blend(self.image, mask, colour, round(x) - mask.shape[1] // 2, round(y) - mask.shape[0] // 2)

    def lines(self, colour: Colour, thick: int = 1, *, every: int = 1) -> None:
        """The lines between all squares, or every so many."""
        span = self.count * self.pitch
        for at in range(0, span + 1, every * self.pitch):
            cv2.line(self.image, (self.left + at, self.top), (self.left + at, self.top + span), colour, thick)
            cv2.line(self.image, (self.left, self.top + at), (self.left + span, self.top + at), colour, thick)

    def write(self, row: float, column: float, text: str, share: float, colour: Colour, font: str) -> None:
        """A word in the middle of a square."""
        write(self.image, text, self.middle(row, column), round(share * self.pitch), colour, font)


def draw_draughts(rng: np.random.Generator, height: int, width: int) -> Image:
    """Discs on the dark squares of a chequered board."""
    board = _Squares(rng, height, width, int(pick(rng, (8, 8, 10))), pick(rng, _PAGES))
    light = any_colour(rng, 170, 255)
    dark = mixed(light, any_colour(rng, 0, 120), float(rng.uniform(0.5, 1.0)))
    men: tuple[Colour, Colour] = (any_colour(rng, 0, 60), any_colour(rng, 200, 255))
    if rng.random() < 0.3:
        men = (men[0], any_colour(rng, 60, 200))
    rows, share = int(pick(rng, (2, 3, 4))), float(rng.uniform(0.32, 0.46))
    left = float(rng.uniform(0.4, 1.0))
    for row, column in np.ndindex(board.count, board.count):
        board.fill(row, column, dark if (row + column) % 2 else light)
        side = 0 if row < rows else 1 if row >= board.count - rows else None
        if side is not None and (row + column) % 2 and rng.random() < left:
            board.disc(row, column, share, mixed(men[side], (128, 128, 128), 0.4))
            board.disc(row, column, share * 0.92, men[side])
            if rng.random() < 0.3:
                board.disc(row, column, share * 0.5, mixed(men[side], (128, 128, 128), 0.25))
    return board.image


def draw_minesweeper(rng: np.random.Generator, height: int, width: int) -> Image:
    """Raised squares, numbers in many colours, mines and flags."""
    board = _Squares(rng, height, width, int(rng.integers(8, 20)), pick(rng, _PAGES))
    raised = mixed(any_colour(rng, 150, 220), (192, 192, 192), 0.7)
    opened = mixed(raised, (255, 255, 255), 0.35)
    inks: tuple[Colour, ...] = ((0, 0, 255), (0, 128, 0), (255, 0, 0), (0, 0, 128), (128, 0, 0), (0, 128, 128))
    share_open = float(rng.uniform(0.2, 0.8))
    for row, column in np.ndindex(board.count, board.count):
        chance = rng.random()
        board.fill(row, column, opened if chance < share_open else raised)
        if chance < 0.45 * share_open:
            board.write(row, column, str(rng.integers(1, 6)), 0.5, pick(rng, inks), "bold")
        elif chance < 0.6 * share_open:
            board.disc(row, column, 0.28, (10, 10, 10))
        elif chance > 0.9:
            board.disc(row, column, 0.2, (220, 30, 30))
    board.lines(mixed(raised, (60, 60, 60), 0.6))
    return board.image


def draw_battleship(rng: np.random.Generator, height: int, width: int) -> Image:
    """Ships, hits and misses in squares with letters and numbers around."""
    sea = pick(rng, ((200, 225, 245), (60, 110, 170), (255, 255, 255), (20, 40, 70)))
    board = _Squares(rng, height, width, int(pick(rng, (8, 10, 10, 12))), sea)
    ship = any_colour(rng, 70, 150)
    for _ in range(int(rng.integers(4, 9))):
        row, column = (int(at) for at in rng.integers(0, board.count - 4, 2))
        down = bool(rng.random() < 0.5)
        for step in range(int(rng.integers(1, 5))):
            board.fill(row + step * down, column + step * (not down), ship)
    board.lines(mixed(sea, ink_on(sea), 0.4))
    for row, column in np.ndindex(board.count, board.count):
        chance = rng.random()
        if chance < 0.15:
            board.disc(row, column, 0.14, ink_on(sea))
        elif chance < 0.28:
            board.write(row, column, "X", 0.5, (210, 30, 30), "bold")
    for at in range(board.count):
        board.write(-0.9, at, chr(65 + at), 0.4, ink_on(sea), "plain")
        board.write(at, -0.9, str(at + 1), 0.4, ink_on(sea), "plain")
    return board.image


def draw_lights(rng: np.random.Generator, height: int, width: int) -> Image:
    """A panel of lamps, some of them lit."""
    case = any_colour(rng, 0, 50)
    panel = _Squares(rng, height, width, int(rng.integers(7, 21)), case)
    lit, unlit = any_colour(rng, 80, 255), mixed(case, (255, 255, 255), float(rng.uniform(0.05, 0.2)))
    share = float(rng.uniform(0.25, 0.45))
    pattern = rng.random((panel.count, panel.count)) < rng.uniform(0.2, 0.6)
    for row, column in np.ndindex(*pattern.shape):
        panel.disc(row, column, share, lit if pattern[row, column] else unlit)
    return panel.image


def draw_dot_grid(rng: np.random.Generator, height: int, width: int) -> Image:
    """Dots on every place of a square lattice, in one colour or two: no lines, no board."""
    page = pick(rng, _PAGES)
    grid = _Squares(rng, height, width, int(rng.integers(6, 21)), page)
    colours = [any_colour(rng), any_colour(rng)] if rng.random() < 0.6 else [ink_on(page)]
    share = float(rng.uniform(0.1, 0.45))
    for row, column in np.ndindex(grid.count, grid.count):
        grid.disc(row, column, share, pick(rng, colours))
    return grid.image


def draw_xiangqi(rng: np.random.Generator, height: int, width: int) -> Image:
    """Nine lines by ten with a river between, and discs with signs in two colours."""
    wood = pick(rng, _WOODS)
    board = _Squares(rng, height, width, 10, wood)
    ink, pitch = mixed(wood, (0, 0, 0), 0.75), board.pitch
    x, y = (round(value) for value in board.middle(0, 0))
    for row in range(10):
        cv2.line(board.image, (x, y + row * pitch), (x + 8 * pitch, y + row * pitch), ink, 1)
    for column in range(9):
        for first, last in ((0, 9),) if column in (0, 8) else ((0, 4), (5, 9)):
            at = x + column * pitch
            cv2.line(board.image, (at, y + first * pitch), (at, y + last * pitch), ink, 1)
    men = int(rng.integers(10, 33))
    for place in rng.permutation(90)[:men].tolist():
        row, column = divmod(place, 9)
        colour: Colour = (170, 20, 20) if rng.random() < 0.5 else (20, 20, 20)
        board.disc(row, column, 0.44, colour)
        board.disc(row, column, 0.4, mixed(wood, (255, 255, 255), 0.5))
        board.write(row, column, pick(rng, tuple("KARHCPBE")), 0.4, colour, "bold")
    return board.image


# --- held out ---


def draw_shogi(rng: np.random.Generator, height: int, width: int) -> Image:
    """Nine by nine squares with five-sided men."""
    wood = pick(rng, _WOODS)
    board = _Squares(rng, height, width, 9, wood)
    board.lines(mixed(wood, (0, 0, 0), 0.8))
    shape = np.array([[0, -0.42], [0.28, -0.28], [0.36, 0.4], [-0.36, 0.4], [-0.28, -0.28]])
    for row, column in np.ndindex(9, 9):
        if rng.random() < (0.8 if row in (0, 2, 6, 8) else 0.12):
            down = -1 if row < 4 else 1
            corners = np.array(board.middle(row, column)) + shape * down * board.pitch
            cv2.fillPoly(board.image, [np.asarray(corners, np.int32)], mixed(wood, (255, 255, 255), 0.5), cv2.LINE_AA)
            cv2.polylines(board.image, [np.asarray(corners, np.int32)], True, (60, 40, 20), 1, cv2.LINE_AA)
            board.write(row, column, pick(rng, tuple("KRBGSNLP")), 0.35, (20, 20, 20), "bold")
    return board.image


def draw_nonogram(rng: np.random.Generator, height: int, width: int) -> Image:
    """Squares filled or crossed out, with numbers at two sides."""
    page = pick(rng, _PAGES[:2])
    board = _Squares(rng, height, width, int(pick(rng, (10, 15, 15, 20))), page)
    for row, column in np.ndindex(board.count, board.count):
        chance = rng.random()
        if chance < 0.4:
            board.fill(row, column, (20, 20, 20))
        elif chance < 0.5:
            board.write(row, column, "x", 0.3, (120, 120, 120), "plain")
    board.lines((150, 150, 150))
    board.lines((0, 0, 0), 2, every=5)
    for at in range(board.count):
        board.write(-0.7, at, str(rng.integers(1, 9)), 0.4, (0, 0, 0), "plain")
        board.write(at, -0.7, str(rng.integers(1, 9)), 0.4, (0, 0, 0), "plain")
    return board.image


def draw_connect_four(rng: np.random.Generator, height: int, width: int) -> Image:
    """Seven columns of six holes in a coloured sheet, filled from below."""
    page, sheet = pick(rng, _PAGES), pick(rng, ((30, 80, 200), (20, 50, 130), (240, 200, 40)))
    board = _Squares(rng, height, width, 7, page)
    for column in range(7):
        filled_to = int(rng.integers(0, 7))
        for row in range(6):
            board.fill(row, column, sheet)
            colour: Colour = (210, 40, 40) if rng.random() < 0.5 else (245, 225, 60)
            board.disc(row, column, 0.4, colour if 5 - row < filled_to else page)
    return board.image


def draw_word_search(rng: np.random.Generator, height: int, width: int) -> Image:
    """A letter in every square, with lines or without."""
    page = pick(rng, _PAGES)
    board = _Squares(rng, height, width, int(rng.integers(8, 18)), page)
    font, ink = pick(rng, _FONTS), ink_on(page)
    for row, column in np.ndindex(board.count, board.count):
        board.write(row, column, chr(65 + int(rng.integers(26))), 0.5, ink, font)
    if rng.random() < 0.5:
        board.lines(mixed(page, ink, 0.4))
    return board.image


def draw_tiles(rng: np.random.Generator, height: int, width: int) -> Image:
    """Coloured tiles with gaps between them, some with numbers."""
    page = pick(rng, _PAGES)
    board = _Squares(rng, height, width, int(rng.integers(4, 13)), page)
    colours = [any_colour(rng) for _ in range(4)]
    for row, column in np.ndindex(board.count, board.count):
        colour = pick(rng, colours)
        board.fill(row, column, colour)
        if rng.random() < 0.5:
            board.write(row, column, str(2 ** int(rng.integers(1, 8))), 0.3, ink_on(colour), "bold")
    board.lines(page, max(2, board.pitch // 10))
    return board.image
