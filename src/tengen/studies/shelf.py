"""All studies, by name."""

from __future__ import annotations

from typing import Final

from tengen.errors import TengenError
from tengen.studies import (
    dqn_ablation,
    s0_curves,
    s1_evolution,
    s2_curves,
    s3_strength,
    s4_alphabeta,
    s4_mcts,
    s4_opposition,
    s4_parallel,
)
from tengen.studies.study import Study

STUDIES: Final[dict[str, Study]] = {
    module.STUDY.name: module.STUDY
    for module in (
        s0_curves,
        s1_evolution,
        s2_curves,
        dqn_ablation,
        s3_strength,
        s4_alphabeta,
        s4_mcts,
        s4_parallel,
        s4_opposition,
    )
}


def find_study(name: str) -> Study:
    """The study of a name or an alias; raises ``TengenError`` that lists them all."""
    for study in STUDIES.values():
        if name in (study.name, *study.aliases):
            return study
    raise TengenError(f"unknown study {name!r}; the studies are {', '.join(STUDIES)}")
