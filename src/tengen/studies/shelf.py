"""All studies, by name."""

from __future__ import annotations

from typing import Final

from tengen.errors import TengenError
from tengen.studies import s3_strength, s4_alphabeta, s4_mcts, s4_opposition, s4_parallel
from tengen.studies.study import Study

STUDIES: Final[dict[str, Study]] = {
    module.STUDY.name: module.STUDY for module in (s3_strength, s4_alphabeta, s4_mcts, s4_parallel, s4_opposition)
}


def find_study(name: str) -> Study:
    """The study of a name; raises ``TengenError`` that lists them all."""
    if name not in STUDIES:
        raise TengenError(f"unknown study {name!r}; the studies are {', '.join(STUDIES)}")
    return STUDIES[name]
