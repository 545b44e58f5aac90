"""Live output in the words of Yixin-Board."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tengen.engines.thought import Line, Thought
from tengen.games import Move


class Reporter:
    """Writes thoughts, final or on the way, as MESSAGE REALTIME and INFO lines.

    ``text`` writes a point. Values are from the mover's side: EVAL in thousandths, WINRATE from 0 to 1. What the player
    does not say is left out.
    """

    def __init__(self, write: Callable[[str], None], text: Callable[[Move], str]) -> None:
        self._write = write
        self._text = text
        self.wanted = False

    def show(self, thought: Thought) -> None:
        """Write what a thought says."""
        best = thought.lines[0]
        self._write("MESSAGE REALTIME REFRESH")
        self._write(f"MESSAGE REALTIME BEST {self._text(best.moves[0])}")
        if best.value is not None:
            self._write(f"MESSAGE REALTIME VAL {round(1000 * best.value)}")
        self._write(f"MESSAGE REALTIME PV {' '.join(str(move) for move in best.moves)}")
        for number, line in enumerate(thought.lines):
            self._line(number, line, thought.decision.stats)

    def _line(self, number: int, line: Line, stats: Mapping[str, float]) -> None:
        self._write(f"INFO PV {number}")
        for key, name in (("DEPTH", "depth"), ("SELDEPTH", "selective_depth"), ("NODES", "nodes")):
            if name in stats:
                self._write(f"INFO {key} {stats[name]:.0f}")
        if "seconds" in stats:
            self._write(f"INFO TOTALTIME {1000 * stats['seconds']:.0f}")
        if "nodes_per_second" in stats:
            self._write(f"INFO SPEED {stats['nodes_per_second']:.0f}")
        if line.value is not None:
            self._write(f"INFO EVAL {round(1000 * line.value)}")
            self._write(f"INFO WINRATE {(line.value + 1) / 2:.4f}")
        self._write(f"INFO BESTLINE {' '.join(self._text(move) for move in line.moves)}")
        self._write("INFO PV DONE")
