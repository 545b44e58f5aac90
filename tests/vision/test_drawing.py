"""The drawn pictures show what their truth says, where it says, and come out the same for a seed."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("cv2")
pytest.importorskip("PIL")

import cv2
from numpy.typing import NDArray

from tengen import TengenError
from tengen.vision import drawing
from tengen.vision.drawing import Picture, draw_other, draw_photo, draw_screenshot, other, theme_names
from tengen.vision.drawing.board import draw_board
from tengen.vision.drawing.lettering import letters
from tengen.vision.drawing.page import cut_close
from tengen.vision.drawing.positions import gomoku_scene, othello_scene
from tengen.vision.drawing.themes import THEMES, find_theme, with_overlays

STONES = [name for name, theme in THEMES.items() if not (theme.styles[0].endswith("-signs") or theme.by_hue)]


def places(picture: Picture) -> NDArray[np.float64]:
    """Where the points are in the picture, by its corners alone: [size, size, 2]."""
    truth, n = picture.truth, picture.truth.size
    if truth.game == "othello":
        box, grid = [[0, 0], [n, 0], [n, n], [0, n]], np.arange(n) + 0.5
    else:
        box, grid = [[0, 0], [n - 1, 0], [n - 1, n - 1], [0, n - 1]], np.arange(n) + 0.0
    matrix = cv2.getPerspectiveTransform(np.array(box, np.float32), truth.corners.astype(np.float32))
    x, y = np.meshgrid(grid, grid)
    return cv2.perspectiveTransform(np.stack([x, y], 2).reshape(1, -1, 2), matrix).reshape(n, n, 2)


def brightness_around(picture: Picture) -> tuple[NDArray[np.float64], float]:
    """The middle brightness of each point's surroundings, and the distance between points."""
    grey = cv2.cvtColor(picture.image, cv2.COLOR_RGB2GRAY)
    at = places(picture)
    pitch = min(np.linalg.norm(np.diff(at, axis=axis), axis=2).min() for axis in (0, 1))
    # Most of a stone, so that a mark or number on it counts little.
    steps = np.linspace(-0.32, 0.32, 13) * pitch
    within = np.array([(x, y) for x in steps for y in steps if np.hypot(x, y) <= 0.33 * pitch])
    ring = at[:, :, None] + within
    x, y = (np.clip(np.rint(ring[..., axis]).astype(int), 0, grey.shape[1 - axis] - 1) for axis in (0, 1))
    return np.median(grey[y, x], axis=2), float(pitch)


def check_stones(picture: Picture, *, margin: float) -> None:
    """Every black stone is darker than every white one that lies next to it."""
    cells = picture.truth.cells
    seen, _ = brightness_around(picture)
    for dy, dx in ((0, 1), (1, 0), (1, 1)):
        one, two = cells[: len(cells) - dy, : len(cells) - dx], cells[dy:, dx:]
        here, there = seen[: len(cells) - dy, : len(cells) - dx], seen[dy:, dx:]
        assert (here[(one == 1) & (two == 2)] + margin < there[(one == 1) & (two == 2)]).all()
        assert (there[(one == 2) & (two == 1)] + margin < here[(one == 2) & (two == 1)]).all()


@pytest.mark.parametrize("draw", [draw_screenshot, draw_photo], ids=["screenshot", "photo"])
@pytest.mark.parametrize("name", STONES)
def test_stones_are_where_and_what_the_truth_says(name: str, draw: object) -> None:
    for seed in range(3):
        picture = draw(np.random.default_rng(seed), theme=name)  # type: ignore[operator]
        check_stones(picture, margin=30 if draw is draw_screenshot else 15)


def test_a_wrong_truth_would_be_noticed() -> None:
    picture = draw_screenshot(np.random.default_rng(1), theme="wood-classic", size=15)
    assert (picture.truth.cells == 1).sum() > 3
    turned = Picture(picture.image, drawing.Truth(**{**vars(picture.truth), "cells": picture.truth.cells.T}))
    with pytest.raises(AssertionError):
        check_stones(turned, margin=30)


@pytest.mark.parametrize("name", ["wood-flat", "plain-light", "grey-web"])
@pytest.mark.parametrize("draw", [draw_screenshot, draw_photo], ids=["screenshot", "photo"])
def test_lines_run_between_the_points(name: str, draw: object) -> None:
    contrasts = []
    for seed in range(8):
        picture = draw(np.random.default_rng(100 + seed), theme=name)  # type: ignore[operator]
        at, empty = places(picture), picture.truth.cells == 0
        grey = cv2.cvtColor(picture.image, cv2.COLOR_RGB2GRAY).astype(float)
        bare = empty[:-1, :-1] & empty[1:, :-1] & empty[:-1, 1:] & empty[1:, 1:]
        on_line = (at[:-1, :-1] + at[:-1, 1:]) / 2
        off_line = (at[:-1, :-1] + at[1:, 1:]) / 2
        values = [
            cv2.remap(grey.astype(np.float32), spots.astype(np.float32), None, cv2.INTER_LINEAR)[bare]
            for spots in (on_line, off_line)
        ]
        if bare.sum() > 5:
            contrasts.append(abs(float(np.median(values[0]) - np.median(values[1]))))
    assert len(contrasts) > 3
    assert np.median(contrasts) > (25 if draw is draw_screenshot else 12)


@pytest.mark.parametrize("name", THEMES)
def test_every_theme_draws_every_size(name: str) -> None:
    theme = find_theme(name)
    for size in (6, 8, 10) if theme.game == "othello" else range(6, 21):
        rng = np.random.default_rng(size)
        picture = draw_board(rng, theme, size, 14.0)
        truth = picture.truth
        assert picture.image.dtype == np.uint8
        assert truth.cells.shape == (size, size)
        assert truth.cells.dtype == np.int8
        assert (truth.game, truth.size, truth.theme) == (theme.game, size, name)
        assert truth.in_squares == theme.in_squares
        sides = truth.corners[[1, 2, 3, 0]] - truth.corners
        steps = size if theme.game == "othello" else size - 1
        assert np.abs(np.abs(sides).max(axis=1) / steps - 14.0).max() < 0.2
        assert_inside(picture)
        assert_inside(cut_close(rng, picture, 14.0))


def assert_inside(picture: Picture) -> None:
    height, width = picture.image.shape[:2]
    at = np.concatenate([picture.truth.corners, places(picture).reshape(-1, 2)])
    assert (at >= 0).all()
    assert (at <= (width - 1, height - 1)).all()


@pytest.mark.parametrize("draw", [draw_screenshot, draw_photo], ids=["screenshot", "photo"])
def test_corners_go_round_from_the_top_left_and_all_points_are_visible(draw: object) -> None:
    for seed in range(30):
        picture = draw(np.random.default_rng(seed), held_out=bool(seed % 2))  # type: ignore[operator]
        corners = picture.truth.corners
        assert_inside(picture)
        sides = corners[[1, 2, 3, 0]] - corners
        turns = sides[:, 0] * np.roll(sides[:, 1], -1) - sides[:, 1] * np.roll(sides[:, 0], -1)
        assert (turns > 0).all()  # convex, clockwise as y points down
        assert sides[0, 0] > abs(sides[0, 1])  # the top side runs to the right
        assert np.linalg.norm(sides, axis=1).min() / picture.truth.size > 9


def test_the_same_seed_gives_the_same_picture() -> None:
    for draw, seed in itertools.product((draw_screenshot, draw_photo), range(4)):
        one, two = (draw(np.random.default_rng(seed)) for _ in range(2))
        assert np.array_equal(one.image, two.image)
        assert np.array_equal(one.truth.cells, two.truth.cells)
        assert np.array_equal(one.truth.corners, two.truth.corners)
    assert np.array_equal(draw_other(np.random.default_rng(3)), draw_other(np.random.default_rng(3)))
    assert not np.array_equal(letters("a", "hand", 20), letters("a", "plain", 20))


def test_held_out_themes_are_held_out() -> None:
    training, held_out = theme_names(held_out=False), theme_names(held_out=True)
    assert len(training) >= 16
    assert len(held_out) >= 8
    assert not set(training) & set(held_out)
    fonts, marks = (
        [{word for name in names for word in getattr(THEMES[name], field)} for names in (training, held_out)]
        for field in ("fonts", "marks")
    )
    assert not fonts[0] & fonts[1]
    assert not (marks[0] & marks[1]) - {"square"}  # the tint behind an X or O
    for seed in range(40):
        rng = np.random.default_rng(seed)
        assert draw_screenshot(rng).truth.theme in training
        assert draw_screenshot(rng, held_out=True).truth.theme in held_out


def test_whose_turn_it_is() -> None:
    by_counts = {0: "black", 1: "white"}
    agreeing = regular = 0
    for seed in range(120):
        truth = draw_screenshot(np.random.default_rng(seed), size=8, theme="wood-flat").truth
        lead = int((truth.cells == 1).sum() - (truth.cells == 2).sum())
        if truth.to_move is None:
            assert lead not in by_counts
        if lead in by_counts:
            regular += 1
            agreeing += truth.to_move == by_counts[lead]
    assert regular > 80
    assert agreeing > 0.95 * regular  # the rest are regions as in Go, with a mark that says otherwise
    assert any(
        draw_screenshot(np.random.default_rng(seed), theme="othello-green").truth.to_move is None for seed in range(20)
    )


def test_scenes_are_games() -> None:
    rng = np.random.default_rng(5)
    for size in (6, 15, 20):
        for _ in range(30):
            scene = gomoku_scene(rng, size)
            if len(scene.moves) > 1:
                colours = [int(scene.cells[move]) for move in scene.moves]
                assert colours == [1 + index % 2 for index in range(len(colours))]
                assert scene.mover_by_counts() == scene.mover_after_last()
    for _ in range(20):
        scene = othello_scene(rng, 8)
        assert (scene.cells != 0).sum() == 4 + len(scene.moves)
        assert all(scene.cells[place] == 0 for place in scene.legal)


def test_other_pictures_are_no_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a board was drawn")

    monkeypatch.setattr("tengen.vision.drawing.stones.StonePainter.paint", refuse)
    monkeypatch.setattr("tengen.vision.drawing.board._paint_lines", refuse)
    kinds = [*other.OTHER_KINDS, *other.HELD_OUT_KINDS]
    assert len(set(kinds)) == len(kinds)
    shown = [draw_other(np.random.default_rng(seed), kind=kind) for kind in kinds for seed in range(2)]
    for image in shown:
        assert image.dtype == np.uint8
        assert image.ndim == 3
        assert min(image.shape[:2]) >= 200
    with pytest.raises(AssertionError, match="a board"):
        draw_screenshot(np.random.default_rng(0))


def test_kinds_are_held_out_too(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    def noting(kind: str) -> Callable[..., NDArray[np.uint8]]:
        def draw(*_: object) -> NDArray[np.uint8]:
            drawn.append(kind)
            return np.zeros((240, 300, 3), np.uint8)

        return draw

    for kinds in (other.OTHER_KINDS, other.HELD_OUT_KINDS):
        for kind in list(kinds):
            monkeypatch.setitem(kinds, kind, noting(kind))
    for seed in range(40):
        draw_other(np.random.default_rng(seed), held_out=bool(seed % 2))
    assert set(drawn[::2]) <= set(other.OTHER_KINDS)
    assert set(drawn[1::2]) == set(other.HELD_OUT_KINDS)


def test_what_programs_show_on_empty_points_is_no_stone() -> None:
    plain = replace(find_theme("wood-flat"), previews=0.0, advice=0.0, bans=0.0, labels=0.0, crowded=0.0)
    for field in ("previews", "advice", "bans"):
        shown = replace(plain, **{field: 1.0})  # type: ignore[arg-type]
        changed = 0
        for seed in range(6):
            one, other_one = (draw_board(np.random.default_rng(seed), theme, 15, 24.0) for theme in (plain, shown))
            assert np.array_equal(one.truth.cells, other_one.truth.cells)
            assert np.array_equal(one.truth.corners, other_one.truth.corners)
            columns, rows = np.rint(places(one)).astype(int).transpose(2, 0, 1)
            differs = (one.image[rows, columns] != other_one.image[rows, columns]).any(2)
            assert not differs[one.truth.cells > 0].any()
            changed += int(differs.sum())
        assert changed > 0, field
    assert not any(theme.previews or theme.advice or theme.bans for theme in THEMES.values() if theme.held_out)


def test_held_out_themes_with_overlays_have_what_training_has() -> None:
    fields = ("previews", "advice", "bans", "strikes", "hint_size", "label_size")
    for name in theme_names(held_out=True):
        theme, signs = find_theme(name), find_theme(name).styles[0].endswith("-signs")
        like, overlaid = THEMES["app-signs" if signs else "wood-flat"], with_overlays(theme)
        assert [getattr(overlaid, field) for field in fields] == [getattr(like, field) for field in fields]
        assert overlaid.numbers >= (like.numbers if theme.numbers else 0.0)
        assert overlaid.labels >= (like.labels if theme.labels else 0.0)
        assert (overlaid.fonts, overlaid.marks, overlaid.hint_kinds) == (theme.fonts, theme.marks, theme.hint_kinds)
    for draw in (draw_screenshot, draw_photo):
        for theme_name, changes in (("terminal", True), ("blue-and-red", False)):
            one, other_one = (
                [
                    draw(np.random.default_rng(seed), theme=theme_name, size=9, overlays=overlays)
                    for seed in range(14, 23)
                ]
                for overlays in (False, True)
            )
            differ = [not np.array_equal(a.image, b.image) for a, b in zip(one, other_one, strict=True)]
            assert any(differ) == changes


def test_signs_are_also_letters_and_small() -> None:
    letters_of = [draw_board(np.random.default_rng(seed), find_theme("letter-signs"), 9, 30.0) for seed in range(8)]
    for picture in letters_of:
        at, cells = places(picture), picture.truth.cells
        for row, column in np.argwhere(cells):
            x, y = np.rint(at[row, column]).astype(int)
            around = picture.image[y - 12 : y + 13, x - 12 : x + 13].astype(int)
            assert np.abs(around - np.median(around, axis=(0, 1))).max() > 40
    assert all(theme.radius[0] < 0.2 for name, theme in THEMES.items() if "signs" in name and not theme.held_out)


def test_what_cannot_be_drawn_is_refused() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(TengenError, match="there is no theme 'plaid'; there are wood-classic"):
        draw_screenshot(rng, theme="plaid")
    with pytest.raises(TengenError, match="6 to 20 points a side, not 21"):
        draw_photo(rng, theme="kaya", size=21)
    with pytest.raises(TengenError, match="6, 8 or 10 points a side, not 7"):
        draw_screenshot(rng, theme="othello-green", size=7)
    with pytest.raises(TengenError, match="there is no kind 'cat'"):
        draw_other(rng, kind="cat")
