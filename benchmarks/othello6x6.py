"""Solve Othello 6x6 from its first position: the second player wins by four discs.

Usage: python benchmarks/othello6x6.py [--hash-mb 2048] [--plies 0]
With --plies N the search first plays N plies to its own liking, for a shorter run without a known value.
"""

import argparse
import sys

from tengen import _core

EXPECTED = -400


def show(report: _core.SearchReport) -> None:
    best = report.lines[0]
    print(
        f"{report.seconds:8.1f} s  depth {best.depth}  {best.score / 100:+.0f} discs  {report.nodes / 1e6:.0f} M nodes",
        flush=True,
    )


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--hash-mb", type=int, default=2048)
    parser.add_argument("--plies", type=int, default=0)
    options = parser.parse_args()
    search = _core.OthelloSearch(hash_mb=options.hash_mb)
    board = _core.OthelloBoard6()
    for _ in range(options.plies):
        board.play(search.search(board, depth=12).lines[0].moves[0])
    report = search.search(board, on_report=show)
    best = report.lines[0]
    print(f"{best.score / 100:+.0f} discs in {report.seconds:.1f} s, {report.nodes:,} nodes: {best.moves}")
    return 0 if options.plies or best.score == EXPECTED else 1


if __name__ == "__main__":
    sys.exit(main())
