"""Searches that are not players: what bounds them, proofs by threats, and what the searches need to load."""

from tengen.search.clock import Clock, TimeControl
from tengen.search.limit import Limit
from tengen.search.threats import Solution, Verdict, solve

__all__ = ["Clock", "Limit", "Solution", "TimeControl", "Verdict", "solve"]
