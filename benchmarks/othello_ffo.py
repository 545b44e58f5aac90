"""Solve the FFO positions 40 to 44 exactly on one thread.

Usage: python benchmarks/othello_ffo.py [--hash-mb 512]
Ends with 1 if a score or a best move is not the known one.
"""

import argparse
import sys
from pathlib import Path

from tengen import _core
from tengen.search.othello import othello_search

POSITIONS = Path(__file__).parent.parent / "tests" / "data" / "ffo40-44.obf"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--hash-mb", type=int, default=512)
    options = parser.parse_args()
    search = othello_search(hash_mb=options.hash_mb)
    seconds, nodes, wrong = 0.0, 0, 0
    for number, line in enumerate(POSITIONS.read_text().splitlines(), 40):
        front, *scored = (part.strip() for part in line.rstrip("; ").split(";"))
        cells, mover = front.split()
        known = {m.lower(): int(s) for m, s in (part.split(":") for part in scored)}
        board = _core.OthelloBoard8(cells=[".XO".index(c.replace("-", ".")) for c in cells], to_move="XO".index(mover))
        search.clear()
        report = search.search(board)
        best = report.lines[0]
        move = f"{'abcdefgh'[best.moves[0] % 8]}{best.moves[0] // 8 + 1}"
        right = best.score == 100 * max(known.values()) == 100 * known[move]
        wrong += not right
        seconds, nodes = seconds + report.seconds, nodes + report.nodes
        verdict = "" if right else "  WRONG"
        print(f"{number}  {move} {best.score // 100:+d}  {report.nodes:>12,} nodes  {report.seconds:6.2f} s{verdict}")
    print(f"all  {nodes:>18,} nodes  {seconds:6.2f} s  {nodes / seconds / 1e6:.1f} M nodes/s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
