"""Pictures of what is no board, the more like one the better: a reader must refuse them all."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from tengen.errors import TengenError
from tengen.vision.drawing import other_games
from tengen.vision.drawing.canvas import (
    Colour,
    Image,
    any_colour,
    blend,
    disc,
    filled,
    mixed,
    pick,
    polygon_mask,
    texture,
    tinted,
    write,
)
from tengen.vision.drawing.page import compressed, ink_on, paint_bar, paint_buttons, paint_panel, paint_text
from tengen.vision.drawing.photo import empty_table

_FONTS = ("plain", "bold", "narrow", "serif", "oblique")
_PAGES: tuple[Colour, ...] = ((255, 255, 255), (246, 244, 238), (30, 32, 38), (222, 228, 236))


def draw_other(rng: np.random.Generator, *, held_out: bool = False, kind: str | None = None) -> Image:
    """A picture without any board: of a random kind, or of a named one of ``OTHER_KINDS`` or ``HELD_OUT_KINDS``.

    Kinds are those for training, or with ``held_out`` those kept for tests. Raises ``TengenError`` for a kind that
    there is not.
    """
    every = {**OTHER_KINDS, **HELD_OUT_KINDS}
    if kind is not None and kind not in every:
        raise TengenError(f"there is no kind {kind!r}; there are {', '.join(every)}")
    height, width = int(rng.integers(240, 800)), int(rng.integers(300, 1000))
    among = HELD_OUT_KINDS if held_out else OTHER_KINDS
    image = every[kind or pick(rng, tuple(among))](rng, height, width)
    return compressed(image, int(rng.integers(40, 96))) if rng.random() < 0.4 else image


def _text_page(rng: np.random.Generator, height: int, width: int) -> Image:
    page = pick(rng, _PAGES)
    image = filled(height, width, page)
    font, tall = pick(rng, _FONTS), int(rng.choice([8, 10, 12, 15]))
    edge = int(0.08 * width)
    columns = int(rng.integers(1, 3))
    wide = (width - 2 * edge) // columns
    for column in range(columns):
        paint_text(
            rng, image, page, (edge + column * wide, 20, edge + (column + 1) * wide - 15, height - 20), tall, font
        )
    return image


def _chess(rng: np.random.Generator, height: int, width: int) -> Image:
    """A chequered board with pieces: squares, but no stones."""
    side = min(height, width) - int(rng.integers(0, 60))
    pitch = side // 8
    image = filled(height, width, pick(rng, _PAGES))
    light, dark = pick(
        rng, (((240, 217, 181), (181, 136, 99)), ((238, 238, 210), (118, 150, 86)), ((255, 255, 255), (90, 110, 140)))
    )
    left, top = int(rng.integers(0, width - 8 * pitch + 1)), int(rng.integers(0, height - 8 * pitch + 1))
    for row in range(8):
        for column in range(8):
            x, y = left + column * pitch, top + row * pitch
            image[y : y + pitch, x : x + pitch] = dark if (row + column) % 2 else light
            if rng.random() < (0.9 if row in (0, 1, 6, 7) else 0.15):
                ink: Colour = (250, 250, 250) if row > 3 else (20, 20, 20)
                _paint_piece(rng, image, x + pitch // 2, y + pitch // 2, pitch, ink)
    return image


def _paint_piece(rng: np.random.Generator, image: Image, x: int, y: int, pitch: int, ink: Colour) -> None:
    """Something like a chess piece: a foot, a body, a head."""
    side = 2 * (pitch // 2) + 1
    unit = pitch / 10
    head = float(rng.uniform(0.8, 1.6))
    foot = np.array([[-3, 3.6], [3, 3.6], [2.4, 2.6], [-2.4, 2.6]])
    body = np.array([[-2, 2.8], [2, 2.8], [head * 0.6, -1.5], [-head * 0.6, -1.5]])
    crown = np.array([[-head, -1], [0, -3.6 - head * 0.3], [head, -1]]) if rng.random() < 0.6 else body * (0.7, -0.9)
    for part in (foot, body, crown):
        shape = polygon_mask(side, part * unit + side / 2)
        edge = polygon_mask(side, part * unit * 1.12 + side / 2)
        blend(image, edge, mixed(ink, (128, 128, 128), 0.7), x - side // 2, y - side // 2)
        blend(image, shape, ink, x - side // 2, y - side // 2)


def _spreadsheet(rng: np.random.Generator, height: int, width: int) -> Image:
    """A table: cells wider than high, with words and numbers in them."""
    page = pick(rng, _PAGES)
    image = filled(height, width, page)
    line, tall = mixed(page, ink_on(page), 0.25), int(rng.integers(18, 34))
    wide = int(tall * rng.uniform(2.2, 5))
    font = pick(rng, _FONTS)
    top = int(rng.integers(0, 60))
    image[top : top + tall] = mixed(page, any_colour(rng), 0.35)
    for y in range(top, height, tall):
        cv2.line(image, (0, y), (width, y), line, 1)
        for x in range(0, width, wide):
            if rng.random() < 0.7:
                text = (
                    str(rng.integers(0, 10000)) if rng.random() < 0.7 else pick(rng, ("total", "name", "north", "item"))
                )
                write(image, text, (x + wide / 2, y + tall / 2), int(tall * 0.4), ink_on(page), font)
    for x in range(0, width, wide):
        cv2.line(image, (x, top), (x, height), line, 1)
    return image


def _keyboard(rng: np.random.Generator, height: int, width: int) -> Image:
    case, key = pick(
        rng, (((40, 40, 44), (70, 70, 76)), ((220, 220, 222), (250, 250, 250)), ((30, 30, 30), (20, 20, 22)))
    )
    image = filled(height, width, case)
    side = width // 13
    for row, letters in enumerate(("1234567890", "QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM")):
        for index, letter in enumerate(letters):
            x, y = int(side * (1 + index + 0.35 * row)), int(height * 0.15 + row * side * 1.05)
            cv2.rectangle(image, (x, y), (x + side - 6, y + side - 6), key, -1)
            cv2.rectangle(image, (x, y), (x + side - 6, y + side - 6), mixed(key, (128, 128, 128), 0.4), 1)
            write(image, letter, (x + side / 2 - 3, y + side / 2 - 3), max(6, side // 3), ink_on(key), "plain")
    return image


def _chart(rng: np.random.Generator, height: int, width: int) -> Image:
    """Bars, lines or dots over a faint grid."""
    page = pick(rng, _PAGES)
    image = filled(height, width, page)
    left, bottom, count = 50, height - 40, int(rng.integers(4, 14))
    for y in np.linspace(30, bottom, int(rng.integers(4, 9))).astype(int).tolist():
        cv2.line(image, (left, y), (width - 20, y), mixed(page, ink_on(page), 0.15), 1)
        write(image, str(bottom - y), (left / 2, y), 9, ink_on(page), "plain")
    x = np.linspace(left + 20, width - 40, count)
    y = bottom - rng.uniform(0.05, 1, count) * (bottom - 40)
    kind, colour = rng.random(), any_colour(rng, 20, 220)
    if kind < 0.4:
        for at, top in zip(x, y, strict=True):
            wide = (width - left) / count / 2.5
            cv2.rectangle(image, (int(at - wide), int(top)), (int(at + wide), bottom), colour, -1)
    elif kind < 0.75:
        cv2.polylines(image, [np.asarray(np.stack([x, y], 1), np.int32)], False, colour, 2, cv2.LINE_AA)
    else:
        for at, top in zip(rng.uniform(left, width - 20, 60), rng.uniform(30, bottom, 60), strict=True):
            cv2.circle(image, (int(at), int(top)), 5, colour, -1, cv2.LINE_AA)
    return image


def _window(rng: np.random.Generator, height: int, width: int) -> Image:
    page = pick(rng, _PAGES)
    image = filled(height, width, page)
    font = pick(rng, _FONTS[:3])
    paint_bar(rng, image, page, (0, 0, width, 44), font)
    split = int(width * rng.uniform(0.25, 0.6))
    paint_panel(rng, image, page, (0, 50, split, height - 40), font)
    paint_panel(rng, image, page, (split, 50, width, height - 40), font)
    paint_buttons(rng, image, page, (0, height - 40, width, height), font)
    return image


def _gradient(rng: np.random.Generator, height: int, width: int) -> Image:
    cells = (int(rng.integers(2, 7)), int(rng.integers(2, 7)))
    channels = [128 + 120 * texture(rng, height, width, cells) for _ in range(3)]
    return np.asarray(np.clip(np.stack(channels, axis=2), 0, 255), np.uint8)


def _noise(rng: np.random.Generator, height: int, width: int) -> Image:
    small = rng.integers(0, 256, (height // 4, width // 4, 3)).astype(np.uint8)
    how = pick(rng, (cv2.INTER_NEAREST, cv2.INTER_CUBIC))
    return np.asarray(cv2.resize(small, (width, height), interpolation=how), np.uint8)


def _tiling(rng: np.random.Generator, height: int, width: int) -> Image:
    """Bricks, hexagons or diagonal tiles: periodic, but no square grid."""
    image = filled(height, width, any_colour(rng, 90, 230))
    joint, step, kind = any_colour(rng, 20, 110), int(rng.integers(24, 60)), rng.random()
    thick = int(rng.integers(1, 4))
    if kind < 0.45:
        for row, y in enumerate(range(0, height, step)):
            cv2.line(image, (0, y), (width, y), joint, thick)
            for x in range((row % 2) * step, width, 2 * step):
                cv2.line(image, (x, y), (x, y + step), joint, thick)
    elif kind < 0.75:
        turn = np.arange(6) * np.pi / 3
        hexagon = step * 0.6 * np.stack([np.cos(turn), np.sin(turn)], 1)
        for row in range(int(height / (step * 0.52)) + 2):
            for column in range(int(width / (step * 1.8)) + 2):
                centre = (column * step * 1.8 + (row % 2) * step * 0.9, row * step * 0.52)
                cv2.polylines(image, [np.asarray(hexagon + centre, np.int32)], True, joint, thick, cv2.LINE_AA)
    else:
        for offset in range(-height, width, step):
            cv2.line(image, (offset, 0), (offset + height, height), joint, thick, cv2.LINE_AA)
    return image


def _crossword(rng: np.random.Generator, height: int, width: int) -> Image:
    """Squares, many black, numbers in their corners: a grid, but no stones on it."""
    image = filled(height, width, (255, 255, 255))
    count = int(rng.integers(7, 16))
    pitch = (min(height, width) - 20) // count
    black = rng.random((count, count)) < rng.uniform(0.2, 0.4)
    number = 1
    for row in range(count):
        for column in range(count):
            x, y = 10 + column * pitch, 10 + row * pitch
            if black[row, column]:
                cv2.rectangle(image, (x, y), (x + pitch, y + pitch), (0, 0, 0), -1)
                continue
            cv2.rectangle(image, (x, y), (x + pitch, y + pitch), (0, 0, 0), 1)
            if rng.random() < 0.3:
                write(image, str(number), (x + pitch * 0.25, y + pitch * 0.25), max(5, pitch // 5), (0, 0, 0), "plain")
                number += 1
            if rng.random() < 0.4:
                letter = chr(65 + int(rng.integers(26)))
                write(image, letter, (x + pitch * 0.5, y + pitch * 0.55), pitch // 2, (20, 20, 60), "plain")
    return image


def _barcode(rng: np.random.Generator, height: int, width: int) -> Image:
    image = filled(height, width, (255, 255, 255))
    if rng.random() < 0.5:
        bars = np.repeat(rng.random(width // 3 + 1) < 0.5, 3)[:width]
        image[height // 6 : -height // 5, bars] = 0
        write(image, "4 006381 333931", (width / 2, height * 0.9), 14, (0, 0, 0), "plain")
        return image
    count = int(rng.choice([21, 25, 29]))
    code = np.repeat(np.repeat(rng.random((count, count)) < 0.5, 8, 0), 8, 1)
    tall, wide = min(height, code.shape[0]), min(width, code.shape[1])
    image[:tall, :wide][code[:tall, :wide]] = 0
    return image


def _landscape(rng: np.random.Generator, height: int, width: int) -> Image:
    """Hills, a sun, trees, houses."""
    sky = filled(height, width, any_colour(rng, 130, 240))
    image = tinted(sky, 25 * texture(rng, height, width, (3, 2)))
    sun = disc(float(rng.uniform(15, 60)), fringe=4.0)
    blend(image, sun, (255, 240, 180), int(rng.integers(0, width)), int(rng.integers(0, height // 3)))
    for level in np.sort(rng.uniform(0.35, 0.9, int(rng.integers(2, 6)))):
        x = np.linspace(0, width, 9)
        y = height * (level + rng.normal(0, 0.05, 9))
        shape = np.concatenate([np.stack([x, y], 1), [[width, height], [0, height]]])
        cv2.fillPoly(image, [np.asarray(shape, np.int32)], any_colour(rng, 20, 170), cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 20))):
        left, top = int(rng.integers(0, width)), int(rng.integers(height // 3, height))
        cv2.circle(image, (left, top), int(rng.integers(5, 30)), any_colour(rng, 20, 160), -1, cv2.LINE_AA)
    return image


def _calendar(rng: np.random.Generator, height: int, width: int) -> Image:
    page = pick(rng, _PAGES)
    image = filled(height, width, page)
    wide, tall = width // 7, (height - 50) // 6
    write(image, pick(rng, ("March", "June", "October", "2024")), (width / 2, 18), 16, ink_on(page), "bold")
    for index in range(42):
        x, y = (index % 7) * wide, 45 + (index // 7) * tall
        cv2.rectangle(image, (x, y), (x + wide, y + tall), mixed(page, ink_on(page), 0.3), 1)
        if 2 < index < 34:
            write(image, str(index - 2), (x + wide * 0.2, y + tall * 0.3), max(7, tall // 5), ink_on(page), "plain")
            if rng.random() < 0.15:
                cv2.rectangle(image, (x + 4, y + tall // 2), (x + wide - 6, y + tall - 6), any_colour(rng), -1)
    return image


def _dots(rng: np.random.Generator, height: int, width: int) -> Image:
    """Discs in rows without any lines: buttons, bubbles, a counting frame."""
    image = filled(height, width, pick(rng, _PAGES))
    step = int(rng.integers(24, 60))
    mask = disc(step * float(rng.uniform(0.2, 0.45)))
    shift = int(rng.integers(0, step))
    for row, y in enumerate(range(step, height, step)):
        for x in range(step + (row % 2) * step // 2, width, step):
            if rng.random() < 0.6:
                blend(image, mask, any_colour(rng), x - mask.shape[1] // 2 + shift // 4, y - mask.shape[0] // 2)
    return image


def _sudoku(rng: np.random.Generator, height: int, width: int) -> Image:
    """Nine by nine squares with digits: a square grid, and nothing that is a stone."""
    page = pick(rng, _PAGES)
    image = filled(height, width, page)
    pitch = (min(height, width) - 24) // 9
    font = pick(rng, _FONTS)
    for index in range(10):
        at, thick = 12 + index * pitch, 3 if index % 3 == 0 else 1
        cv2.line(image, (at, 12), (at, 12 + 9 * pitch), ink_on(page), thick)
        cv2.line(image, (12, at), (12 + 9 * pitch, at), ink_on(page), thick)
    for cell in rng.permutation(81)[: int(rng.integers(24, 60))].tolist():
        x, y = 12 + (cell % 9 + 0.5) * pitch, 12 + (cell // 9 + 0.5) * pitch
        write(image, str(rng.integers(1, 10)), (x, y), pitch // 2, ink_on(page), font)
    return image


def _music(rng: np.random.Generator, height: int, width: int) -> Image:
    """Staves with notes: lines at equal distances, and discs on them."""
    image = filled(height, width, (252, 250, 244))
    gap = int(rng.integers(6, 14))
    for top in range(30, height - 6 * gap, 10 * gap):
        for line in range(5):
            cv2.line(image, (20, top + line * gap), (width - 20, top + line * gap), (30, 30, 30), 1)
        for x in range(60, width - 40, int(3.2 * gap)):
            y = top + int(rng.integers(0, 9)) * gap // 2
            cv2.ellipse(image, (x, y), (int(gap * 0.6), int(gap * 0.45)), -20, 0, 360, (20, 20, 20), -1, cv2.LINE_AA)
            cv2.line(image, (x + gap // 2, y), (x + gap // 2, y - 3 * gap), (20, 20, 20), 1)
    return image


def _table_top(rng: np.random.Generator, height: int, width: int) -> Image:
    return empty_table(rng, height, width)


def _one_colour(rng: np.random.Generator, height: int, width: int) -> Image:
    return filled(height, width, any_colour(rng))


_Kinds = dict[str, Callable[[np.random.Generator, int, int], Image]]
#: The kinds of pictures that are no boards, for training.
OTHER_KINDS: _Kinds = {
    "text": _text_page,
    "chess": _chess,
    "spreadsheet": _spreadsheet,
    "keyboard": _keyboard,
    "chart": _chart,
    "window": _window,
    "gradient": _gradient,
    "noise": _noise,
    "tiling": _tiling,
    "crossword": _crossword,
    "barcode": _barcode,
    "landscape": _landscape,
    "calendar": _calendar,
    "dots": _dots,
    "sudoku": _sudoku,
    "music": _music,
    "table": _table_top,
    "one-colour": _one_colour,
    "draughts": other_games.draw_draughts,
    "minesweeper": other_games.draw_minesweeper,
    "battleship": other_games.draw_battleship,
    "lights": other_games.draw_lights,
    "dot-grid": other_games.draw_dot_grid,
    "xiangqi": other_games.draw_xiangqi,
}
#: Likewise, kept for tests.
HELD_OUT_KINDS: _Kinds = {
    "shogi": other_games.draw_shogi,
    "nonogram": other_games.draw_nonogram,
    "connect-four": other_games.draw_connect_four,
    "word-search": other_games.draw_word_search,
    "tiles": other_games.draw_tiles,
}
