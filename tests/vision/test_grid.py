"""Lattices are found where they are: the fit is held against maps that are drawn from known lattices."""

import numpy as np
import pytest

pytest.importorskip("cv2")

import cv2

from tengen.vision import geometry
from tengen.vision.grid import SIZES, _parts, explained, fit_lines, refined
from tengen.vision.points import NO_POINT, classify


def random_corners(rng, side=400.0, off=0.1):
    return geometry.square(0.2 * side, 0.8 * side) + rng.normal(0, off * side / 3, (4, 2))


def hills(points, side=128):
    """A map with a hill on every point, by the slow and plain formula."""
    step = np.linalg.norm(points[0, 1] - points[0, 0])
    width = max(0.8, 0.11 * step)
    rows, columns = np.mgrid[:side, :side]
    heat = np.zeros((side, side))
    for x, y in points.reshape(-1, 2):
        heat = np.maximum(heat, np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * width**2)))
    return heat


def test_maps_and_their_inverses():
    rng = np.random.default_rng(1)
    for _ in range(50):
        source, target = random_corners(rng), random_corners(rng)
        there = geometry.homography(source, target)
        assert np.allclose(geometry.mapped(source, there), target, atol=1e-2)
        points = rng.uniform(0, 400, (7, 2))
        back = geometry.mapped(geometry.mapped(points, there), np.linalg.inv(there))
        assert np.allclose(back, points, atol=1e-6)
        size = int(rng.integers(6, 21))
        assert np.allclose(geometry.outset(geometry.inset(source, size), size), source, atol=1e-2)
        assert geometry.is_convex(source)
        assert not geometry.is_convex(source[[0, 2, 1, 3]])
        assert not geometry.is_convex(source[::-1])


@pytest.mark.parametrize("scale", [0.5, 1.0, 3.0])
def test_a_dot_is_where_the_map_takes_it(scale):
    rng = np.random.default_rng(2)
    for _ in range(10):
        side = round(400 * scale)
        image = np.zeros((side, side, 3), np.uint8)
        spot = rng.uniform(0.35, 0.65, 2) * side
        cv2.circle(image, tuple(int(v) for v in np.rint(spot)), max(3, round(5 * scale)), (255, 255, 255), -1)
        frame, to_frame = geometry.frame(image, random_corners(rng, side))
        rows, columns = np.mgrid[: len(frame), : len(frame)]
        light = frame[..., 0].astype(float)
        seen = np.array([(columns * light).sum(), (rows * light).sum()]) / light.sum()
        assert np.abs(seen - geometry.mapped(np.rint(spot), to_frame)).max() < 0.6


@pytest.mark.parametrize("size", SIZES)
def test_the_lattice_is_fitted(size):
    rng = np.random.default_rng(size)
    for _ in range(3):
        low, high = 20 + rng.uniform(-5, 5, 2), 106 + rng.uniform(-5, 5, 2)
        corners = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
        corners = corners + rng.uniform(-0.12, 0.12, (4, 2)) * 86 / (size - 1)
        points = geometry.lattice(size, corners)
        heat = hills(points) * rng.uniform(0.5, 1.0, (128, 128)) + rng.uniform(0, 0.05, (128, 128))
        for row, column in rng.integers(0, size, (size, 2)):  # some are not seen at all
            x, y = np.rint(points[row, column]).astype(int)
            heat[y - 2 : y + 3, x - 2 : x + 3] = 0
        found = fit_lines(heat, SIZES)[0]
        assert found.size == size
        better = refined(heat, found.points())
        assert np.abs(better - points).max() < 0.15 * 86 / (size - 1)
        assert explained(heat, better) > 0.4


def test_nothing_is_explained_where_nothing_is():
    assert explained(np.zeros((128, 128)), geometry.lattice(15, geometry.square(20, 106))) == 0
    assert fit_lines(np.zeros((128, 128)), SIZES) == []


def test_blocks_have_their_point_in_the_middle():
    corners = geometry.square(50, 330)
    image = np.zeros((400, 400, 3), np.uint8)
    points = geometry.lattice(15, corners)
    for x, y in points.reshape(-1, 2):
        cv2.circle(image, (int(x), int(y)), 4, (255, 255, 255), -1)
    for ring in (0, 2):
        cut = geometry.blocks(geometry.board_image(image, corners, 15, ring=ring))
        assert cut.shape == (15 + 2 * ring, 15 + 2 * ring, geometry.STEP, geometry.STEP, 3)
        inner = cut[ring : ring + 15, ring : ring + 15, ..., 0].astype(int)
        middle = geometry.STEP // 2
        assert inner[:, :, middle - 1 : middle + 1, middle - 1 : middle + 1].min() > 200
        assert inner[:, :, :2].max() < 60
        if ring:
            assert cut[0].max() == 0


class Plain:
    """Stands for a net: a place is the whiter, the brighter its block is, and none where that is red."""

    def run(self, x, *, background):
        assert background.shape == (1, 3)
        means = x[0].reshape(3, len(x[0, 0]) // geometry.STEP, geometry.STEP, -1, geometry.STEP).mean((2, 4))
        places = np.stack([0 * means[1], -means[1] / 40, means[1] / 40, (means[0] - means[1]) / 10])
        return [places[None].astype(np.float32), np.array([[means.mean(), 0, 0, 0]], np.float32)]


def test_what_is_seen_turned_is_turned_back():
    rng = np.random.default_rng(5)
    corners = geometry.square(50, 330)
    image = np.zeros((400, 400, 3), np.uint8)
    image[..., 0] = 255  # red all around
    shades = rng.integers(0, 256, (15, 15))
    for (x, y), shade in zip(geometry.lattice(15, corners).reshape(-1, 2), shades.ravel(), strict=True):
        image[round(y) - 10 : round(y) + 10, round(x) - 10 : round(x) + 10] = shade
    once, often = (classify(image, corners, 15, Plain(), looks=looks) for looks in (1, 8))
    assert np.allclose(once.chances, often.chances, atol=1e-4)
    assert (once.chances[..., NO_POINT] < 0.5).all()
    assert once.outside.shape == (64,)
    assert (once.outside > 0.9).all()
    assert np.corrcoef(once.chances[..., 2].ravel(), shades.ravel())[0, 1] > 0.8


def test_parts_cover_large_pictures_and_are_few():
    rng = np.random.default_rng(9)
    assert len(_parts(2041, 2041)) == 52  # as many as there are in any picture
    for width, height in ((1920, 1080), (2048, 2048), (2041, 2041), (700, 2048), (1000, 800), (2048, 210)):
        parts = _parts(width, height)
        assert 0 < len(parts) <= 52
        assert all(0 <= left <= width - side and 0 <= top <= height - side for left, top, side in parts)
        least = min(side for *_, side in parts)
        for _ in range(50):  # whatever is half as wide as the smallest is whole in one
            box = 0.48 * least
            x, y = rng.random(2) * (width - box, height - box)
            assert any(
                left <= x and x + box <= left + side and top <= y and y + box <= top + side for left, top, side in parts
            )
    assert not _parts(600, 600)
    assert not _parts(2048, 60)
