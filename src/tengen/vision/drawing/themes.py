"""Themes: what makes one program's, book's or room's boards look alike.

A theme fixes the kind (ground, make of stones, marks, letters) and leaves the rest to chance within its ranges. The
held-out themes have fonts, marks and makes of stones or signs that no other has, in colours of their own; their grounds
and borders occur in training too. They are for tests alone: they tell how a reader does on boards of a look that it was
not taught.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tengen.errors import TengenError
from tengen.vision.drawing.canvas import Colour

_INKS: tuple[Colour, ...] = ((20, 15, 10), (60, 40, 20), (0, 0, 0), (90, 60, 30))
_BLACKS: tuple[Colour, ...] = ((20, 20, 22), (5, 5, 5), (38, 38, 42))
_WHITES: tuple[Colour, ...] = ((250, 250, 248), (240, 238, 230), (255, 255, 255), (228, 228, 226))
_LIGHT_PAGES: tuple[Colour, ...] = ((255, 255, 255), (245, 245, 245), (238, 236, 230), (225, 230, 236))
_DARK_PAGES: tuple[Colour, ...] = ((24, 26, 30), (38, 38, 42), (18, 22, 34), (48, 44, 42))

#: Marks of the last move in training pictures, and those kept for held-out ones.
MARKS = ("dot", "ring", "cross", "square", "triangle", "plus", "blot")
HELD_OUT_MARKS = ("diamond", "wedge", "star", "halo")
#: Likewise, signs on squares that may be played.
HINTS = ("dot", "ring", "dot", "plus", "cross", "triangle", "blot", "number")
HELD_OUT_HINTS = ("square", "ring")


@dataclass(frozen=True, kw_only=True)
class Theme:
    """A family of looks; tuples are chosen from, pairs of numbers are ranges in shares of the points' distance."""

    name: str
    game: str = "gomoku"
    held_out: bool = False
    in_squares: bool = False
    ground: tuple[str, ...] = ("plain",)  # plain, wood, paper, squared, felt, gradient, checker
    board: tuple[Colour, ...]
    lines: tuple[Colour, ...] = _INKS
    line_width: tuple[float, float] = (0.02, 0.07)
    line_strength: tuple[float, float] = (0.8, 1.0)
    borders: tuple[str, ...] = ("plain", "thick", "double")
    by_hand: bool = False
    stars: float = 0.7  # chance of star points
    styles: tuple[str, ...]
    black: tuple[Colour, ...] = _BLACKS
    white: tuple[Colour, ...] = _WHITES
    rims: tuple[Colour, ...] = ((40, 40, 40), (110, 110, 110), (0, 0, 0))
    radius: tuple[float, float] = (0.38, 0.49)
    shadow: tuple[float, float] = (0.0, 0.0)
    jitter: tuple[float, float] = (0.0, 0.0)
    marks: tuple[str, ...] = MARKS
    mark_size: tuple[float, float] = (0.25, 0.66)  # in radii of a stone
    label_size: tuple[float, float] = (0.25, 0.65)  # likewise, of 0.4 steps
    numbers: float = 0.3  # chance of numbers on the stones
    labels: float = 0.15  # chance of signs on a few empty points
    hints: float = 0.0  # chance that legal moves are shown
    hint_kinds: tuple[str, ...] = HINTS
    hint_size: tuple[float, float] = (0.7, 1.9)  # in times the usual
    previews: float = 0.1  # chance of a half-transparent stone on an empty point, as under a pointer
    advice: float = 0.1  # chance of coloured discs on empty points, with numbers or without: best moves, heat
    bans: float = 0.05  # chance of large coloured crosses on empty points
    strikes: float = 0.04  # chance of a line through stones in a row
    crowded: float = 0.1  # chance of a board that is nearly full
    coordinates: float = 0.6
    fonts: tuple[str, ...] = ("plain", "bold", "narrow", "oblique", "stroke")
    frame: tuple[Colour, ...] = ()  # around the board; none: its own colour
    page: tuple[Colour, ...] = _LIGHT_PAGES
    motley: bool = False  # colours are drawn anew for each picture
    by_hue: bool = False  # black and white are two colours that are about as bright


_WOOD: tuple[Colour, ...] = ((222, 184, 120), (235, 200, 140), (205, 160, 95), (240, 212, 160), (196, 148, 88))
_GREENS: tuple[Colour, ...] = ((0, 128, 64), (34, 139, 74), (0, 105, 60), (60, 150, 90), (20, 110, 50))

_POINTS = (
    Theme(name="wood-classic", ground=("wood",), board=_WOOD, styles=("shaded", "glossy"), shadow=(0.2, 0.6)),
    Theme(name="wood-flat", board=_WOOD, styles=("flat", "outlined"), fonts=("bold", "plain")),
    Theme(
        name="kaya",
        ground=("wood",),
        board=((236, 196, 108), (226, 178, 92), (244, 214, 140)),
        styles=("shell", "lens"),
        shadow=(0.3, 0.7),
        radius=(0.45, 0.5),
        jitter=(0.0, 0.04),
        line_width=(0.02, 0.045),
    ),
    Theme(
        name="plain-light",
        board=((255, 255, 255), (246, 246, 246), (235, 240, 245), (250, 245, 235)),
        lines=((0, 0, 0), (90, 90, 90), (150, 150, 150), (120, 140, 160)),
        styles=("outlined", "rimmed"),
    ),
    Theme(
        name="slate-dark",
        board=((40, 44, 52), (30, 30, 34), (55, 60, 70), (22, 32, 44)),
        lines=((120, 125, 135), (160, 160, 160), (90, 95, 105)),
        styles=("outlined", "rimmed"),
        black=((10, 10, 12), (0, 0, 0), (15, 20, 28)),
        rims=((140, 140, 145), (200, 200, 200), (110, 115, 125)),
        page=_DARK_PAGES,
    ),
    Theme(
        name="night-blue",
        ground=("plain", "gradient"),
        board=((26, 40, 70), (30, 56, 84), (44, 50, 92)),
        lines=((150, 170, 200), (110, 130, 170), (200, 210, 230)),
        styles=("shaded", "glossy", "rimmed"),
        rims=((170, 185, 210), (120, 135, 160)),
        page=_DARK_PAGES,
        fonts=("plain", "narrow"),
    ),
    Theme(
        name="book-diagram",
        ground=("paper", "plain"),
        board=((255, 255, 255), (250, 248, 240), (244, 240, 228)),
        lines=((0, 0, 0), (30, 30, 30)),
        styles=("diagram",),
        black=((0, 0, 0), (25, 25, 25)),
        white=((255, 255, 255), (250, 248, 240)),
        rims=((0, 0, 0),),
        numbers=0.55,
        radius=(0.42, 0.5),
    ),
    Theme(
        name="green-felt",
        ground=("felt", "plain"),
        board=((70, 130, 90), (50, 110, 100), (96, 150, 96)),
        lines=((10, 30, 20), (230, 240, 230), (20, 20, 20)),
        styles=("shaded", "lens", "rimmed"),
        shadow=(0.0, 0.5),
    ),
    Theme(
        name="grey-web",
        board=((200, 200, 200), (180, 186, 190), (214, 210, 204), (160, 164, 170)),
        lines=((255, 255, 255), (60, 60, 60), (110, 110, 110)),
        styles=("flat", "outlined", "glossy"),
        borders=("plain", "thick"),
    ),
    Theme(
        name="pastel",
        ground=("plain", "gradient"),
        board=((250, 220, 200), (210, 230, 220), (215, 215, 245), (250, 240, 190)),
        lines=((140, 110, 90), (110, 130, 140), (160, 160, 160)),
        line_strength=(0.5, 1.0),
        styles=("outlined", "rimmed", "shaded"),
        black=((60, 50, 60), (40, 44, 70), (70, 40, 40)),
        fonts=("bold", "plain"),
    ),
    Theme(
        name="tournament-table",
        ground=("wood",),
        board=((190, 130, 70), (168, 110, 60), (210, 150, 90)),
        styles=("lens", "shell", "shaded"),
        shadow=(0.3, 0.7),
        jitter=(0.01, 0.05),
        coordinates=0.3,
        numbers=0.0,
        labels=0.0,
    ),
    Theme(
        name="pencil-stones",
        ground=("paper",),
        board=((250, 248, 240), (238, 236, 228), (255, 255, 255)),
        lines=((70, 70, 80), (50, 60, 110), (100, 100, 105)),
        by_hand=True,
        styles=("diagram", "outlined"),
        black=((60, 60, 68), (50, 56, 100)),
        white=((250, 248, 242),),
        rims=((70, 70, 80),),
        jitter=(0.02, 0.05),
        fonts=("hand",),
        borders=("plain", "thick"),
    ),
    Theme(
        name="blue-and-red",
        board=((255, 255, 255), (240, 240, 235), (228, 205, 160), (36, 40, 48)),
        lines=((0, 0, 0), (120, 120, 120), (160, 165, 170)),
        styles=("flat", "outlined", "shaded", "glossy"),
        black=((30, 60, 200), (20, 90, 180), (40, 70, 150)),
        white=((200, 40, 40), (225, 70, 40), (190, 30, 60)),
        advice=0.0,  # discs in colours would be stones
        by_hue=True,
    ),
    Theme(
        name="motley-points",
        ground=("plain", "wood", "gradient", "felt"),
        board=((0, 0, 0),),
        styles=("outlined", "rimmed", "shaded", "glossy", "shell", "lens", "varied", "varied", "varied", "varied"),
        shadow=(0.0, 0.5),
        jitter=(0.0, 0.03),
        fonts=("plain", "bold", "narrow", "oblique", "stroke", "hand"),
        crowded=0.25,
        motley=True,
    ),
)

_SIGNS = (
    Theme(
        name="pencil-signs",
        ground=("paper", "squared"),
        board=((252, 250, 244), (240, 238, 230), (255, 255, 255)),
        lines=((90, 90, 100), (70, 90, 150), (120, 120, 125)),
        by_hand=True,
        in_squares=True,
        styles=("pencil-signs",),
        black=((50, 50, 60), (30, 50, 140), (20, 20, 20)),
        white=((60, 60, 70), (190, 40, 50), (30, 50, 140)),
        marks=("ring", "dot"),
        numbers=0.0,
        labels=0.0,
        stars=0.0,
        jitter=(0.01, 0.05),
        fonts=("hand",),
        borders=("plain", "thick"),
    ),
    Theme(
        name="pencil-signs-on-points",
        ground=("paper",),
        board=((252, 250, 244), (240, 238, 230)),
        lines=((150, 150, 155), (150, 170, 200)),
        by_hand=True,
        styles=("pencil-signs",),
        black=((40, 40, 50), (30, 50, 140)),
        white=((40, 40, 50), (190, 40, 50)),
        marks=("ring",),
        numbers=0.0,
        labels=0.0,
        stars=0.0,
        jitter=(0.01, 0.04),
        fonts=("hand",),
        borders=("plain",),
    ),
    Theme(
        name="app-signs",
        board=((255, 255, 255), (240, 244, 250), (250, 240, 225), (44, 48, 56), (20, 90, 100)),
        lines=((180, 185, 190), (120, 125, 135), (60, 60, 60)),
        in_squares=True,
        styles=("app-signs",),
        black=((220, 50, 60), (30, 100, 220), (235, 120, 30), (60, 60, 60)),
        white=((40, 160, 90), (240, 180, 40), (30, 110, 200), (150, 60, 170)),
        marks=("square",),
        numbers=0.0,
        labels=0.0,
        stars=0.0,
        fonts=("bold", "plain"),
    ),
    Theme(
        name="app-signs-on-points",
        board=((240, 222, 180), (255, 255, 255), (50, 54, 62)),
        lines=((170, 160, 140), (140, 145, 150)),
        styles=("app-signs",),
        black=((200, 40, 50), (20, 80, 200)),
        white=((30, 140, 80), (230, 150, 30)),
        marks=("ring", "square"),
        numbers=0.0,
        labels=0.0,
    ),
    Theme(
        name="letter-signs",
        board=((255, 255, 255), (245, 245, 240), (30, 32, 38), (210, 225, 240)),
        lines=((150, 150, 150), (90, 90, 90), (60, 60, 60)),
        in_squares=True,
        styles=("letter-signs",),
        black=((20, 20, 20), (200, 40, 50), (20, 80, 200)),
        white=((20, 20, 20), (30, 140, 80), (200, 40, 50)),
        marks=("square",),
        numbers=0.0,
        labels=0.0,
        stars=0.0,
    ),
    Theme(
        name="letter-signs-on-points",
        board=((240, 222, 180), (255, 255, 255), (50, 54, 62)),
        lines=((170, 160, 140), (140, 145, 150)),
        styles=("letter-signs",),
        black=((20, 20, 20), (200, 40, 50), (20, 80, 200)),
        white=((20, 20, 20), (30, 140, 80), (230, 150, 30)),
        marks=("ring", "square"),
        numbers=0.0,
        labels=0.0,
        stars=0.0,
    ),
    Theme(
        name="motley-signs",
        ground=("plain", "paper", "gradient"),
        board=((0, 0, 0),),
        in_squares=True,
        styles=("app-signs", "pencil-signs", "bordered-signs", "bordered-signs"),
        marks=("ring", "square", "dot"),
        numbers=0.0,
        labels=0.0,
        stars=0.0,
        jitter=(0.0, 0.03),
        fonts=("plain", "bold", "hand", "stroke"),
        crowded=0.25,
        motley=True,
    ),
)

_OTHELLO = (
    Theme(
        name="othello-green",
        game="othello",
        in_squares=True,
        board=_GREENS,
        lines=((0, 0, 0), (0, 50, 25)),
        styles=("flat", "shaded", "outlined", "disc3d"),
        shadow=(0.0, 0.5),
        radius=(0.36, 0.46),
        hints=0.4,
        frame=((20, 20, 20), (40, 30, 20), (0, 80, 40)),
    ),
    Theme(
        name="othello-felt",
        game="othello",
        in_squares=True,
        ground=("felt",),
        board=((20, 110, 60), (0, 90, 50)),
        lines=((0, 0, 0), (10, 40, 20)),
        styles=("shaded", "disc3d", "lens"),
        shadow=(0.2, 0.6),
        jitter=(0.0, 0.03),
        frame=((15, 15, 15), (90, 55, 30)),
        hints=0.1,
    ),
    Theme(
        name="othello-web",
        game="othello",
        in_squares=True,
        board=((60, 130, 180), (180, 150, 110), (110, 140, 110), (90, 100, 140)),
        lines=((30, 40, 50), (240, 240, 240), (60, 60, 60)),
        styles=("flat", "outlined", "rimmed", "glossy"),
        hints=0.5,
    ),
    Theme(
        name="othello-checker",
        game="othello",
        in_squares=True,
        ground=("checker",),
        board=((70, 160, 80), (150, 180, 110), (120, 170, 200)),
        lines=((60, 110, 70), (50, 80, 60)),
        line_strength=(0.0, 0.5),
        styles=("flat", "shaded", "rimmed"),
        hints=0.4,
    ),
    Theme(
        name="othello-diagram",
        game="othello",
        in_squares=True,
        ground=("paper", "plain"),
        board=((255, 255, 255), (246, 242, 232)),
        lines=((0, 0, 0), (60, 60, 60)),
        styles=("diagram",),
        black=((0, 0, 0), (30, 30, 30)),
        white=((255, 255, 255), (248, 246, 240)),
        rims=((0, 0, 0),),
        numbers=0.4,
        hints=0.1,
    ),
    Theme(
        name="motley-othello",
        game="othello",
        in_squares=True,
        ground=("plain", "felt", "gradient"),
        board=((0, 0, 0),),
        styles=("outlined", "rimmed", "shaded", "glossy", "lens", "disc3d", "varied", "varied", "varied", "varied"),
        shadow=(0.0, 0.5),
        radius=(0.34, 0.47),
        hints=0.5,
        motley=True,
    ),
)

_HELD_OUT = (
    Theme(
        name="bamboo",
        ground=("wood",),
        board=((214, 200, 130), (196, 186, 120)),
        lines=((70, 80, 30), (60, 50, 30)),
        styles=("crescent",),
        numbers=0.15,
        labels=0.06,
        shadow=(0.2, 0.5),
    ),
    Theme(
        name="rose",
        ground=("gradient", "plain"),
        board=((214, 150, 150), (190, 120, 140)),
        lines=((110, 50, 70), (250, 230, 235)),
        styles=("gradient",),
        numbers=0.15,
        labels=0.06,
        rims=((90, 40, 60),),
    ),
    Theme(
        name="terminal",
        board=((0, 0, 0), (10, 26, 14)),
        lines=((40, 140, 60), (70, 110, 75), (120, 120, 40)),
        styles=("rimmed",),
        numbers=0.15,
        labels=0.06,
        black=((0, 0, 0), (20, 20, 20)),
        white=((200, 230, 200), (230, 230, 210)),
        rims=((90, 200, 110), (200, 200, 90)),
        page=((0, 0, 0), (12, 12, 12)),
    ),
    Theme(
        name="marble",
        ground=("felt", "gradient"),
        board=((226, 226, 232), (196, 204, 214)),
        lines=((90, 95, 110), (60, 60, 70)),
        styles=("bevel",),
        numbers=0.15,
        labels=0.06,
        rims=((100, 100, 110),),
        shadow=(0.2, 0.5),
    ),
    Theme(
        name="newsprint",
        ground=("paper",),
        board=((222, 216, 200), (232, 228, 216)),
        lines=((50, 48, 44),),
        styles=("scribble",),
        labels=0.06,
        black=((40, 38, 36),),
        white=((238, 234, 224),),
        rims=((40, 38, 36),),
        numbers=0.5,
    ),
    Theme(
        name="brush-signs",
        ground=("paper",),
        board=((244, 236, 214), (250, 250, 250)),
        lines=((150, 120, 100), (120, 120, 120)),
        in_squares=True,
        styles=("brush-signs",),
        black=((20, 20, 20), (120, 30, 30)),
        white=((30, 60, 120), (40, 100, 60)),
        stars=0.0,
        numbers=0.0,
        labels=0.0,
        jitter=(0.0, 0.03),
    ),
    Theme(
        name="neon-signs",
        board=((16, 12, 30), (8, 20, 28)),
        lines=((60, 60, 90), (40, 80, 90)),
        in_squares=True,
        styles=("neon-signs",),
        black=((255, 70, 160), (255, 120, 60)),
        white=((70, 220, 255), (120, 255, 120)),
        stars=0.0,
        numbers=0.0,
        labels=0.0,
        page=((10, 8, 20), (0, 0, 0)),
    ),
    Theme(
        name="othello-crimson",
        game="othello",
        in_squares=True,
        board=((150, 50, 55), (120, 40, 70)),
        lines=((60, 15, 20), (230, 200, 190)),
        styles=("bevel", "gradient"),
        numbers=0.15,
        labels=0.06,
        hints=0.4,
        frame=((60, 30, 20), (240, 230, 210)),
    ),
    Theme(
        name="othello-sand",
        game="othello",
        in_squares=True,
        ground=("checker", "felt"),
        board=((206, 186, 150), (170, 160, 140)),
        lines=((110, 90, 60), (255, 250, 240)),
        styles=("crescent", "gradient"),
        numbers=0.15,
        labels=0.06,
        shadow=(0.1, 0.4),
        hints=0.3,
    ),
)

#: Every theme by its name.
THEMES = {
    theme.name: theme
    for theme in (
        *_POINTS,
        # Signs are written smaller than stones are made.
        *(replace(theme, radius=(0.18, 0.49), previews=0.0, advice=0.0, bans=0.0) for theme in _SIGNS),
        *_OTHELLO,
        *(
            replace(
                theme,
                held_out=True,
                fonts=("pixel", "serif", "wide"),
                marks=("square", "halo") if theme.styles[0].endswith("-signs") else HELD_OUT_MARKS,
                mark_size=(0.3, 0.62),
                label_size=(0.4, 0.4),
                hint_kinds=HELD_OUT_HINTS,
                hint_size=(1.0, 1.0),
                previews=0.0,
                advice=0.0,
                bans=0.0,
                strikes=0.0,
            )
            for theme in _HELD_OUT
        ),
    )
}


def with_overlays(theme: Theme) -> Theme:
    """A held-out theme with what it has not: what programs draw over boards, as often and as large as in training.

    Its marks, signs and fonts stay its own. As in training, X and O get no half-transparent ones, discs or crosses on
    empty points, and what never has numbers or labels gets none.
    """
    on_empty = not theme.styles[0].endswith("-signs")
    return replace(
        theme,
        previews=Theme.previews if on_empty else 0.0,
        advice=Theme.advice if on_empty else 0.0,
        bans=Theme.bans if on_empty else 0.0,
        strikes=Theme.strikes,
        hint_size=Theme.hint_size,
        label_size=Theme.label_size,
        labels=max(theme.labels, Theme.labels) if theme.labels else 0.0,
        numbers=max(theme.numbers, Theme.numbers) if theme.numbers else 0.0,
    )


def theme_names(*, held_out: bool) -> list[str]:
    """The themes for training, or those kept for tests."""
    return [name for name, theme in THEMES.items() if theme.held_out == held_out]


def find_theme(name: str) -> Theme:
    """A theme by its name; raises ``TengenError`` that lists the names if there is none."""
    try:
        return THEMES[name]
    except KeyError:
        raise TengenError(f"there is no theme {name!r}; there are {', '.join(THEMES)}") from None
