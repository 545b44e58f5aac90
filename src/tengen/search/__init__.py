"""Searches that are not players: proving threats, and loading what the searches need."""

from tengen.search.threats import Solution, Verdict, solve

__all__ = ["Solution", "Verdict", "solve"]
