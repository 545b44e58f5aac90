"""Running a study, and what is written about it: Markdown for people, JSON for programs, SVG for the eye."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import tengen
from tengen.benchmarking import machine
from tengen.errors import TengenError
from tengen.studies.plot import draw
from tengen.studies.study import Session, Study, StudyResult, Table

#: What is said of a quick study's results.
QUICK = "A quick run, few games and small budgets: it shows that the study works, not what is true."


def run_study(study: Study, session: Session, *, command: str = "") -> tuple[StudyResult, dict[str, Any]]:
    """Run a study and write its report; returns the result, and the JSON that was written.

    ``command`` is what the reader can type to have the same. Raises ``TengenError`` for a session that does not go
    with the study.
    """
    if study.trains and session.net is not None:
        raise TengenError(f"{study.name} trains its own networks; --net is for studies of one that is given")
    if not study.trains and (session.preset or session.changes):
        raise TengenError(f"{study.name} trains nothing; --preset and --set are for studies that do")
    try:
        session.out.mkdir(parents=True, exist_ok=True)
    except OSError as trouble:
        raise TengenError(f"cannot write into {str(session.out)!r}: {trouble.strerror}") from None
    begun = time.monotonic()
    result = study.run(session)
    data = to_dict(study, session, result, command=command, seconds=time.monotonic() - begun)
    write_report(session.out, study, result, data)
    return result, data


def to_dict(study: Study, session: Session, result: StudyResult, *, command: str, seconds: float) -> dict[str, Any]:
    """A study's result as plain JSON values; the keys are in ``docs/studies.md``."""
    return {
        "study": study.name,
        "title": study.title,
        "source": study.source,
        "quick": session.quick,
        "seed": session.seed,
        "version": tengen.__version__,
        "machine": {**machine(), "cores": str(os.cpu_count())},
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "seconds": seconds,
        "command": command,
        "facts": dict(result.facts),
        "findings": list(result.findings),
        "notes": list(result.notes),
        "tables": [
            {
                "title": table.title,
                "columns": [asdict(column) for column in table.columns],
                "rows": [dict(row) for row in table.rows],
            }
            for table in result.tables
        ],
        "charts": [asdict(chart) for chart in result.charts],
    }


def write_report(out: Path, study: Study, result: StudyResult, data: Mapping[str, Any]) -> list[Path]:
    """Write NAME.md, NAME.json and NAME.svg, each as a whole or not at all; returns their paths."""
    texts = {
        ".svg": draw(result.charts),
        ".json": json.dumps(data, indent=2, allow_nan=False) + "\n",
        ".md": _markdown(study, result, data),
    }
    return [_write(out / (study.name + suffix), text) for suffix, text in texts.items()]


def _write(path: Path, text: str) -> Path:
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return path


def _markdown(study: Study, result: StudyResult, data: Mapping[str, Any]) -> str:
    lines = [f"# {study.title}", "", f"`{study.name}`: {study.summary}.", ""]
    if data["quick"]:
        lines += [f"**{QUICK}**", ""]
    lines += ["## What the source had", "", study.source, "", "## What we measured", ""]
    for table in result.tables:
        lines += [f"### {table.title}", "", *_table(table), ""]
    lines += [f"![{study.title}]({study.name}.svg)", ""]
    lines += [*(f"- {finding}" for finding in result.findings), ""]
    lines += ["Intervals hold the truth 95 times in 100; those of matches come from pairs of games.", ""]
    if result.notes:
        lines += ["## To keep in mind", "", *(f"- {note}" for note in result.notes), ""]
    lines += ["## How", "", *(f"- {name}: {value}" for name, value in _circumstances(data)), ""]
    return "\n".join(lines)


def _circumstances(data: Mapping[str, Any]) -> list[tuple[str, str]]:
    where = data["machine"]
    known = [("command", f"`{data['command']}`")] if data["command"] else []
    return [
        *known,
        *data["facts"].items(),
        ("seed", str(data["seed"])),
        ("version", f"Tengen {data['version']}, Python {where['python']}"),
        ("machine", f"{where['processor']}, {where['cores']} cores, {where['system']}"),
        ("date", f"{data['date']}; the last sitting took {data['seconds']:.0f} s"),
    ]


def _table(table: Table) -> list[str]:
    rows: list[Sequence[str]] = [table.header(), ["---"] + ["---:"] * (len(table.columns) - 1), *table.cells()]
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
