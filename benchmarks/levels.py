"""Are the ten levels of the page in order? Each against the one two below it, paired openings, colours swapped.

    python benchmarks/levels.py --games 20 --jobs 2 gomoku renju othello

Prints the table of docs/web.md. With --db the games are kept, and the same command goes on.
"""

from __future__ import annotations

import argparse

from tengen.arena import play_match
from tengen.games import Game
from tengen.web.levels import levels


def main() -> None:
    """Play, and print a table for each game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="GAME", default=["gomoku", "othello"])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--apart", type=int, default=2, help="how many levels lie between the two, and one")
    parser.add_argument("--db")
    options = parser.parse_args()
    for name in options.names:
        game = Game.parse(name)
        every = levels(game)
        print(f"\n**{game}**\n")
        print(f"| level | player | won, drawn, lost against level - {options.apart} | score | seconds a move |")
        print("| --- | --- | --- | --- | --- |")
        for level in every:
            if level.number <= options.apart:
                print(f"| {level.number} | `{level.player}` | | | |", flush=True)
                continue
            rival = every[level.number - options.apart - 1]
            result = play_match(
                [level.player, rival.player],
                game,
                games=options.games,
                seed=options.seed,
                jobs=options.jobs,
                db=options.db,
            ).to_dict()
            (wins, losses), draws = result["wins"], result["draws"]
            score = (wins + draws / 2) / result["games"]
            seconds = result["seconds_per_move"][0]
            print(
                f"| {level.number} | `{level.player}` | {wins}, {draws}, {losses} | {score:.0%} | {seconds:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
