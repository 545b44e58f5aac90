"""Stones of every make, and the X and O that stand for them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tengen.vision.drawing.canvas import Colour, Image, blend, disc, mixed, strokes_mask, write

#: Makes of stones in training pictures, and those kept for held-out ones.
STYLES = ("flat", "outlined", "rimmed", "shaded", "glossy", "shell", "lens", "diagram", "disc3d", "varied")
HELD_OUT_STYLES = ("gradient", "crescent", "bevel", "scribble")
#: Signs instead of stones.
SIGNS = ("app-signs", "pencil-signs", "bordered-signs", "letter-signs")
HELD_OUT_SIGNS = ("brush-signs", "neon-signs")


@dataclass(frozen=True)
class StoneLook:
    """How the stones of one picture look; lengths are shares of the distance between points."""

    style: str
    black: Colour
    white: Colour
    rim: Colour
    radius: float
    rim_width: float = 0.05
    shadow: float = 0.0  # how dark
    shadow_offset: tuple[float, float] = (0.06, 0.08)
    light: tuple[float, float] = (-0.35, -0.4)  # where the highlight lies, in radii
    stroke: float = 0.12  # of signs
    jitter: float = 0.0  # how far off the point, and how uneven in size
    letters: str = "XO"  # of black and white, where they are letters
    font: str = "plain"


class _Variation:
    """Chance's own make of stones, the same for a whole picture: a profile from the middle to the rim and a slope.

    For signs, a border or shadow of another colour.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._knots = np.cumsum(rng.normal(0, 22 * rng.random(), (2, 6)), axis=1)
        self._step = rng.normal(0, 30, 2) * (rng.random(2) < 0.4), float(rng.uniform(0.3, 0.9))
        self._slope = rng.normal(0, 25 * rng.random(), (2, 2))
        self.has_rim = bool(rng.random() < 0.4)
        self.border: Colour = (int(rng.integers(256)), int(rng.integers(256)), int(rng.integers(256)))
        self.border_width = float(rng.uniform(1.2, 2.4))
        self.border_strength = float(rng.uniform(0.0, 0.8))
        self.border_shift = int(rng.integers(-1, 3))

    def shade(
        self, dark: bool, x: NDArray[np.float32], y: NDArray[np.float32], distance: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        which = 0 if dark else 1
        profile = np.interp(distance, np.linspace(0, 1, 6), self._knots[which])
        amounts, at = self._step
        stepped = amounts[which] * (distance > at)
        down, across = self._slope[which]
        # Black stays the darker one.
        shade = np.clip(profile + stepped + down * y + across * x, *((-60, 75) if dark else (-75, 60)))
        return np.asarray(shade, np.float32)


class StonePainter:
    """Draws stones of one look on a picture; sprites are made once."""

    def __init__(self, look: StoneLook, pitch: float, rng: np.random.Generator) -> None:
        self.look, self.pitch, self._rng = look, pitch, rng
        self._is_sign = look.style.endswith("-signs")
        self._variation = _Variation(rng) if look.style in ("varied", "bordered-signs") else None
        sizes = [0.0] if look.jitter == 0 or self._is_sign else [-0.06, 0.0, 0.06]
        self._radii = [max(3.0, pitch * look.radius * (1 + change * min(1.0, look.jitter * 20))) for change in sizes]
        self._sprites = {} if self._is_sign else {c: [self._sprite(c, r) for r in self._radii] for c in (1, 2)}

    def paint(self, image: Image, places: list[tuple[float, float, int]], *, strength: float = 1.0) -> None:
        """Draw stones: x, y and colour (1 black, 2 white) of each; of less ``strength``, what is under them shows."""
        spots = [(*self._moved(x, y), colour, int(self._rng.integers(len(self._radii)))) for x, y, colour in places]
        if self.look.shadow > 0 and not self._is_sign and strength == 1:
            for x, y, _, which in spots:
                self._paint_shadow(image, x, y, self._radii[which])
        for x, y, colour, which in spots:
            if self._is_sign:
                self._paint_sign(image, x, y, colour)
            else:
                mask, colours = self._sprites[colour][which]
                blend(
                    image,
                    mask * np.float32(strength),
                    colours,
                    round(x) - mask.shape[1] // 2,
                    round(y) - mask.shape[0] // 2,
                )

    def _moved(self, x: float, y: float) -> tuple[float, float]:
        if self.look.jitter == 0:
            return x, y
        dx, dy = np.clip(self._rng.normal(0, self.look.jitter, 2), -0.12, 0.12) * self.pitch
        return x + float(dx), y + float(dy)

    def _paint_shadow(self, image: Image, x: float, y: float, radius: float) -> None:
        soft = max(1.5, 0.35 * radius)
        mask = disc(radius, fringe=soft) * np.float32(self.look.shadow)
        dx, dy = (shift * self.pitch for shift in self.look.shadow_offset)
        blend(image, mask, (0, 0, 0), round(x + dx) - mask.shape[1] // 2, round(y + dy) - mask.shape[0] // 2)

    # --- sprites ---

    def _sprite(self, colour: int, radius: float) -> tuple[NDArray[np.float32], Image]:
        """A stone as a mask and its colours ``[d, d, 3]``."""
        look = self.look
        base = np.array(look.black if colour == 1 else look.white, np.float32)
        mask = disc(radius)
        reach = mask.shape[0] // 2
        span = np.asarray(np.arange(-reach, reach + 1) / radius, np.float32)
        x, y = span[None, :], span[:, None]
        distance = np.sqrt(x * x + y * y)
        shade = self._shade(colour, x, y, distance)
        colours = base + shade[..., None]
        if look.style in ("outlined", "rimmed", "diagram", "scribble") or (
            self._variation is not None and self._variation.has_rim
        ):
            width = max(1.0 / radius, look.rim_width / look.radius)
            edge = np.clip((distance - (1 - width)) * radius + 0.5, 0, 1)[..., None]
            if look.style == "diagram" and colour == 1:
                edge = edge * 0
            colours = colours + (np.array(look.rim, np.float32) - colours) * edge
        return mask, np.asarray(np.clip(colours, 0, 255), np.uint8)

    def _shade(
        self, colour: int, x: NDArray[np.float32], y: NDArray[np.float32], distance: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """How much brighter than its colour a stone is at each place, in radii from its centre."""
        style, (lx, ly) = self.look.style, self.look.light
        lit = np.sqrt((x - lx) ** 2 + (y - ly) ** 2)
        dark = colour == 1
        if style == "shaded":
            return np.asarray((90 if dark else 25) * np.exp(-(lit**2) * 3) - (5 if dark else 55) * distance**3)
        if style == "glossy":
            spot = np.exp(-((lit / 0.22) ** 2) * 2)
            return np.asarray(
                (200 if dark else 40) * spot + (35 if dark else 0) * (1 - lit) - (0 if dark else 45) * lit
            )
        if style == "shell":
            stripes = 5 * np.sin((x * 0.9 + y * 0.3) * 22) if not dark else 0 * x
            return np.asarray(
                (35 if dark else 10) * np.exp(-(lit**2) * 2) + stripes - (0 if dark else 40) * distance**4
            )
        if style == "lens":
            return np.asarray(
                (45 if dark else 0) * (1 - distance**2) - (0 if dark else 70) * np.clip(distance - 0.6, 0, 1)
            )
        if style == "disc3d":  # seen a little from below: the other colour of the disc's lower half shows
            lower = np.clip((np.sqrt(x * x + (y + 0.14) ** 2) - 0.92) * 8, 0, 1) * np.clip(y * 6 + 1, 0, 1)
            return np.asarray((150 if dark else -170) * lower + (0 if dark else -12) * distance)
        if self._variation is not None:
            return self._variation.shade(dark, x, y, distance)
        if style == "gradient":
            return np.asarray((70 if dark else -60) * (0.5 - 0.5 * y) + (-35 if dark else 45) + 0 * x)
        if style == "crescent":
            inner = np.clip((lit - 1.05) * 6, 0, 1)
            return np.asarray((60 if dark else -75) * inner)
        if style == "bevel":
            ring = np.clip(1 - np.abs(distance - 0.78) * 9, 0, 1) * np.sign(-(x + y))
            return np.asarray((70 if dark else 55) * ring * (1 if dark else 0.9) - (0 if dark else 12))
        if style == "scribble":
            hatch = np.sin((x + y * 0.35) * 26)
            return np.asarray((28 if dark else 4) * hatch)
        return np.asarray(0 * distance)

    # --- X and O ---

    def _paint_sign(self, image: Image, x: float, y: float, colour: int) -> None:
        look, style = self.look, self.look.style
        if style == "letter-signs":
            height, ink = round(1.8 * self.pitch * look.radius), look.black if colour == 1 else look.white
            write(image, look.letters[colour - 1], (x, y), height, ink, look.font)
            return
        radius, width = self.pitch * look.radius * 0.9, max(1.2, self.pitch * look.stroke)
        side = int(2 * radius + 2 * width) + 9
        middle = side / 2
        loose = {"app-signs": 0.0, "bordered-signs": 0.0, "neon-signs": 0.0, "pencil-signs": 0.13, "brush-signs": 0.08}[
            style
        ] * radius
        lines = self._cross(middle, radius, loose) if colour == 1 else self._nought(middle, radius, loose)
        mask = strokes_mask(side, lines, width)
        if style == "pencil-signs":
            mask = mask * self._rng.uniform(0.6, 1.0, mask.shape).astype(np.float32)
        place = round(x - middle), round(y - middle)
        ink = look.black if colour == 1 else look.white
        if style == "neon-signs":
            glow = strokes_mask(side, lines, width * 2.6) * np.float32(0.35)
            blend(image, glow, ink, *place)
            blend(image, mask, ink, *place)
            blend(image, strokes_mask(side, lines, width * 0.35), mixed(ink, (255, 255, 255), 0.7), *place)
            return
        if self._variation is not None:
            border = self._variation
            under = strokes_mask(side, lines, width * border.border_width) * np.float32(border.border_strength)
            blend(image, under, border.border, place[0] + border.border_shift, place[1] + border.border_shift)
        blend(image, mask, ink, *place)

    def _cross(self, middle: float, radius: float, loose: float) -> list[NDArray[np.float64]]:
        reach = 0.78 * radius
        lines = []
        for sign in (1, -1):
            ends = np.array([[-reach, -sign * reach], [reach, sign * reach]])
            steps = np.linspace(0, 1, 2 if loose == 0 else 5)[:, None]
            line = ends[0] + (ends[1] - ends[0]) * steps
            if loose:
                line = line + self._rng.normal(0, loose * 0.35, line.shape) + self._rng.normal(0, loose * 0.6, 2)
            lines.append(middle + line)
        return lines

    def _nought(self, middle: float, radius: float, loose: float) -> list[NDArray[np.float64]]:
        turn = np.linspace(0, 2 * np.pi, 25)
        if loose == 0:
            return [middle + 0.82 * radius * np.stack([np.cos(turn), np.sin(turn)], axis=1)]
        turn = turn * self._rng.uniform(0.95, 1.15) + self._rng.uniform(0, 6)
        wide, tall = radius * self._rng.uniform(0.7, 0.95, 2)
        sway = 1 + self._rng.normal(0, 0.05) * np.sin(turn * 2) + np.linspace(0, self._rng.normal(0, 0.12), 25)
        return [middle + np.stack([wide * np.cos(turn) * sway, tall * np.sin(turn) * sway], axis=1)]
