"""Charts as SVG: bars with intervals, and lines with points."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from xml.sax.saxutils import escape

from tengen.studies.study import Chart, Point, Series

_WIDTH, _PANEL = 720, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 20, 56, 56  # around the area of a panel
_COLOURS = ("#2b6cb0", "#c05621", "#2f855a", "#6b46c1")
_INK, _GREY, _GRID = "#1a202c", "#4a5568", "#e2e8f0"
_GROUP = 0.7  # share of a name's width that its bars take
_WHISKER = 4
_LETTER, _LINE = 7, 14  # room that a letter takes, and a line of them
_MANY_POINTS = 30  # beyond which dots would hide the line


def draw(charts: Sequence[Chart]) -> str:
    """The charts below each other, as one SVG document."""
    height = _PANEL * len(charts)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" viewBox="0 0 {_WIDTH} {height}" '
        'font-family="system-ui, sans-serif" font-size="12" role="img">',
        f"<title>{escape('; '.join(chart.title for chart in charts))}</title>",
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>',
    ]
    for number, chart in enumerate(charts):
        parts += [f'<g transform="translate(0 {number * _PANEL})">', *_Panel(chart).lines(), "</g>"]
    return "\n".join([*parts, "</svg>", ""])


def ticks(top: float, count: int = 5, *, bottom: float = 0.0) -> list[float]:
    """Round numbers from ``bottom`` or a little less to ``top`` or a little more, about so many; 0 is among them."""
    top, bottom = max(0.0, top), min(0.0, bottom)
    if not top > bottom:
        return [0.0, 1.0]
    rough = (top - bottom) / count
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * factor for factor in (1, 2, 2.5, 5, 10) if size * factor >= rough * (1 - 1e-9))
    first, last = math.floor(bottom / step + 1e-9), math.ceil(top / step - 1e-9)
    return [step * number for number in range(first, last + 1)]


class _Panel:
    """One chart in its frame."""

    def __init__(self, chart: Chart) -> None:
        self._chart = chart
        self._points = [point for series in chart.series for point in series.points]
        highest = max((max(point.y, point.high or point.y) for point in self._points), default=1.0)
        lowest = min((min(point.y, point.low or point.y) for point in self._points), default=0.0)
        self._y_ticks = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0] if chart.percent else ticks(highest, bottom=lowest)
        self._bottom, self._right = _PANEL - _BOTTOM, _WIDTH - _RIGHT

    def lines(self) -> list[str]:
        """The elements of the panel."""
        chart = self._chart
        body = self._bars() if chart.kind == "bars" else self._curves()
        return [*self._frame(), *body, *self._legend()]

    def _y(self, value: float) -> float:
        share = (value - self._y_ticks[0]) / (self._y_ticks[-1] - self._y_ticks[0])
        return self._bottom - share * (self._bottom - _TOP)

    def _frame(self) -> list[str]:
        chart, middle = self._chart, (_TOP + self._bottom) / 2
        parts = [_text(_LEFT, 20, chart.title, size=14, weight="bold", colour=_INK)]
        for tick in self._y_ticks:
            y = self._y(tick)
            parts.append(_line(_LEFT, y, self._right, y, _GREY if tick == 0 else _GRID))
            parts.append(_text(_LEFT - 6, y + 4, f"{tick:.0%}" if chart.percent else f"{tick:,g}", anchor="end"))
        if chart.y_title:
            turned = f'transform="rotate(-90 14 {middle:.1f})"'
            parts.append(_text(14, middle, chart.y_title, anchor="middle", more=turned))
        if chart.x_title:
            parts.append(_text((_LEFT + self._right) / 2, _PANEL - 12, chart.x_title, anchor="middle"))
        return parts

    def _legend(self) -> list[str]:
        if len(self._chart.series) < 2:
            return []
        parts, x = [], float(_LEFT)
        for number, series in enumerate(self._chart.series):
            parts.append(f'<rect x="{x:.1f}" y="32" width="10" height="10" fill="{_colour(number)}"/>')
            parts.append(_text(x + 15, 41, series.name))
            x += 35 + _LETTER * len(series.name)
        return parts

    def _bars(self) -> list[str]:
        names = list(dict.fromkeys(str(point.x) for point in self._points))
        room = (self._right - _LEFT) / max(1, len(names))
        width = room * _GROUP / max(1, len(self._chart.series))
        # Names that would run into each other stand high and low by turns.
        drop = _LINE if max(map(len, names), default=0) * _LETTER > room else 0
        parts = []
        for place, name in enumerate(names):
            left = _LEFT + room * (place + (1 - _GROUP) / 2)
            for number, series in enumerate(self._chart.series):
                for point in (each for each in series.points if str(each.x) == name):
                    x, y = left + number * width, self._y(point.y)
                    box = f'width="{max(1, width - 2):.1f}" height="{max(0, self._bottom - y):.1f}"'
                    hint = _hint(name, series, point)
                    parts.append(f'<rect x="{x + 1:.1f}" y="{y:.1f}" {box} fill="{_colour(number)}">{hint}</rect>')
                    parts += self._whiskers(x + width / 2, point, _INK)
            below = self._bottom + 18 + drop * (place % 2)
            parts.append(_text(_LEFT + room * (place + 0.5), below, name, anchor="middle"))
        return parts

    def _curves(self) -> list[str]:
        x_ticks = ticks(max((float(point.x) for point in self._points), default=1.0), 6)
        parts = []

        def x_of(point: Point) -> float:
            return _LEFT + float(point.x) / x_ticks[-1] * (self._right - _LEFT)

        for tick in x_ticks:
            x = x_of(Point(tick, 0))
            parts.append(_line(x, self._bottom, x, self._bottom + 4, _GREY))
            parts.append(_text(x, self._bottom + 18, f"{tick:,g}", anchor="middle"))
        for number, series in enumerate(self._chart.series):
            parts += self._curve(series, _colour(number), x_of)
        return parts

    def _curve(self, series: Series, colour: str, x_of: Callable[[Point], float]) -> list[str]:
        path = " ".join(f"{x_of(point):.1f},{self._y(point.y):.1f}" for point in series.points)
        parts = [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>']
        for point in series.points:
            parts += self._whiskers(x_of(point), point, colour)
            if len(series.points) <= _MANY_POINTS:
                hint = _hint(f"{point.x:,}", series, point)
                at = f'cx="{x_of(point):.1f}" cy="{self._y(point.y):.1f}"'
                parts.append(f'<circle {at} r="3.5" fill="{colour}">{hint}</circle>')
        return parts

    def _whiskers(self, x: float, point: Point, colour: str) -> list[str]:
        if point.low is None or point.high is None:
            return []
        low, high = self._y(point.low), self._y(point.high)
        ends = (_line(x - _WHISKER, y, x + _WHISKER, y, colour) for y in (low, high))
        return [_line(x, low, x, high, colour), *ends]


def _colour(number: int) -> str:
    return _COLOURS[number % len(_COLOURS)]


def _hint(x: str, series: Series, point: Point) -> str:
    """What a browser shows when the pointer rests on it."""
    interval = "" if point.low is None or point.high is None else f" ({point.low:.3g} to {point.high:.3g})"
    return f"<title>{escape(f'{series.name}, {x}: {point.y:.3g}{interval}')}</title>"


def _line(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>'


def _text(
    x: float,
    y: float,
    text: str,
    *,
    anchor: str = "start",
    size: int = 12,
    weight: str = "normal",
    colour: str = _GREY,
    more: str = "",
) -> str:
    style = f'text-anchor="{anchor}" font-size="{size}" font-weight="{weight}" fill="{colour}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {style} {more}>{escape(text)}</text>'
