"""What a study is: a question to the sources, a way to answer it again, and an answer in tables and charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

#: What a cell of a table can hold.
Value = str | int | float | None

_UNKNOWN = "-"


@dataclass(frozen=True)
class Column:
    """A column: ``form`` says how a cell is written from its row, such as ``{low:.1%} to {high:.1%}``."""

    title: str
    form: str

    def cell(self, row: Mapping[str, Value]) -> str:
        """The cell of a row as text; a dash where the row does not know."""
        needed = {key: value for key, value in row.items() if "{" + key in self.form}
        return _UNKNOWN if None in needed.values() else self.form.format(**needed)


@dataclass(frozen=True)
class Table:
    """Rows of plain values, and how they are shown."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Mapping[str, Value]]

    def header(self) -> list[str]:
        """The titles of the columns."""
        return [column.title for column in self.columns]

    def cells(self) -> list[list[str]]:
        """The rows as text."""
        return [[column.cell(row) for column in self.columns] for row in self.rows]


@dataclass(frozen=True)
class Point:
    """A value with its interval, if there is one; ``x`` is a number in a chart of lines, else a name."""

    x: float | str
    y: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Series:
    """Points that belong together."""

    name: str
    points: Sequence[Point]


@dataclass(frozen=True)
class Chart:
    """What a plot shows: ``bars`` over names, or ``lines`` through points; ``percent`` values go from 0 to 1."""

    title: str
    kind: str
    series: Sequence[Series]
    x_title: str = ""
    y_title: str = ""
    percent: bool = False


@dataclass(frozen=True)
class StudyResult:
    """What came out: ``findings`` are sentences, ``facts`` say how it was measured, ``notes`` what to keep in mind."""

    tables: Sequence[Table]
    charts: Sequence[Chart]
    findings: Sequence[str] = ()
    facts: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class Session:
    """How a study is run.

    ``games`` is per pairing; None leaves it to the study. ``quick`` is a tenth of the games with small budgets. ``net``
    is what `alphazero` plays; ``preset`` and ``changes`` are for studies that train. ``tell`` is called with a line of
    progress now and then. Everything is written below ``out``.
    """

    out: Path
    games: int | None = None
    jobs: int = 1
    seed: int = 0
    quick: bool = False
    net: str | None = None
    preset: str | None = None
    changes: tuple[str, ...] = ()
    tell: Callable[[str], None] = lambda text: None

    def games_or(self, usual: int) -> int:
        """Games of a pairing: what was asked for, or as many as the source played; of these a tenth when quick."""
        if self.games is not None:
            return self.games
        return max(2, usual // 10 // 2 * 2) if self.quick else usual

    def preset_label(self, usual: str) -> str:
        """What a run folder is called after its preset, which may be a file."""
        return Path(self.preset or usual).stem


@dataclass(frozen=True)
class Study:
    """A table of a source that can be measured again.

    ``source`` is what the source reported. ``trains`` tells whether it trains networks rather than being given one.
    ``aliases`` are other names that it answers to.
    """

    name: str
    title: str
    summary: str
    source: str
    run: Callable[[Session], StudyResult]
    trains: bool = False
    aliases: tuple[str, ...] = ()
