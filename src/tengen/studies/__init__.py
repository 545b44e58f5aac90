"""Studies: the tables of the sources, measured again with Tengen.

Each study is one file; ``tengen study NAME`` runs it and writes Markdown, JSON and a plot.
"""

from tengen.studies.report import run_study, write_report
from tengen.studies.shelf import STUDIES, find_study
from tengen.studies.study import Chart, Column, Point, Series, Session, Study, StudyResult, Table

__all__ = [
    "STUDIES",
    "Chart",
    "Column",
    "Point",
    "Series",
    "Session",
    "Study",
    "StudyResult",
    "Table",
    "find_study",
    "run_study",
    "write_report",
]
