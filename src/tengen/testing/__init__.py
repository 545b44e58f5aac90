"""Checks for games, players and environments that you add: each raises ``ComplianceError`` that says what is wrong.

They need no test framework: call them from a test, or by hand. Everything random in them comes from their ``seed``.
"""

from tengen.testing._env import check_env
from tengen.testing._game import check_game
from tengen.testing._player import check_player
from tengen.testing._requirement import ComplianceError

__all__ = ["ComplianceError", "check_env", "check_game", "check_player"]
