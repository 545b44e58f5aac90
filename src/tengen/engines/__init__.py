"""Tengen as an engine in others' programs, and others' engines as players.

Every protocol is a thin parser: the servers over an :class:`~tengen.engines.session.Session` (a position and a player),
the clients over a :class:`~tengen.engines.process.ChildProcess`.
"""

from tengen.engines.process import EngineError, Fault

__all__ = ["EngineError", "Fault"]
