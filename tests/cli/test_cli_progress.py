"""Progress of long work: rewritten in place on a terminal, now and then a plain line elsewhere."""

from __future__ import annotations

import sys

import pytest

from tengen.cli.output import ProgressLine, wrapped_parts

TEXT = (
    "4.0 of 30 min, 1230 games (4.1/s), 5,771 evaluations/s (62% of the bare network's), loss 2.84 + 0.84, blocks 100%"
)


@pytest.mark.parametrize("width", [1, 40, 79, 200])
def test_lines_break_between_parts(width: int) -> None:
    lines = wrapped_parts(TEXT, width)
    assert " ".join(lines) == TEXT
    assert [part for line in lines for part in line.removesuffix(",").split(", ")] == TEXT.split(", ")
    assert all(len(line) <= width or ", " not in line for line in lines)
    assert (len(lines) == 1) == (width == 200)


def test_all_of_it_is_seen_on_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with ProgressLine() as line:
        line.update_parts(TEXT)
        first, *others = capsys.readouterr().err.split("\n")
        assert len(others) == 1
        assert first + " " + others[0] == TEXT
        line.update_parts("over")
        assert capsys.readouterr().err == "\r\x1b[1A\x1b[Jover"


def test_a_plain_line_now_and_then_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    now = 1000.0
    monkeypatch.setattr("tengen.cli.output.time.monotonic", lambda: now)
    with ProgressLine() as line, ProgressLine(quiet=True) as silent:
        for _ in range(13):
            line.update_parts(f"{now:g}, {TEXT}")
            line.update("only for a terminal")
            silent.update_parts(TEXT)
            now += 10
    assert capsys.readouterr().err == "".join(f"{then}, {TEXT}\n" for then in (1000, 1060, 1120))
