"""Are the ten levels of the page in order, and how strong is each? Paired openings, colours swapped.

    python benchmarks/levels.py --games 20 --jobs 2 --db levels.db gomoku othello

Each level meets the two below it, the last one only the one two below. Prints the table of docs/web.md and writes the
ratings that the page shows beside the levels (src/tengen/data/levels.json), on the arena's scale: greedy has 1000. With
--db the games are kept, and the same command goes on.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from tengen.arena import play_match
from tengen.arena.statistics import Rating, Tally, rate
from tengen.cli.output import plain_errors
from tengen.games import Game
from tengen.web.levels import RATINGS, Level, levels

BELOW = 2  # a level must beat the one so far below it
ANCHOR = "greedy"


def measure(game: Game, options: argparse.Namespace) -> tuple[list[Rating], dict[int, dict[str, Any]]]:
    """The ratings of all levels, and of each the match against the level two below."""
    players = [level.player for level in levels(game)]
    count = len(players)
    pairs = [(high, low) for low in range(count) for high in range(low + 1, min(low + BELOW, count - 1) + 1)]
    pairs.remove((count - 1, count - 2))  # the two that think longest play long games: hours of them
    if ANCHOR not in players:  # it meets the weakest
        players.append(ANCHOR)
        pairs += [(level, count) for level in range(3)]
    tallies: dict[tuple[int, int], Tally] = {}
    matches = {}
    for high, low in pairs:
        both = [players[high], players[low]]
        found = play_match(both, game, games=options.games, seed=options.seed, jobs=options.jobs, db=options.db)
        tallies[high, low] = found.tally()
        print(f"  {both[0]} against {both[1]}: +{found.wins[0]} ={found.draws} -{found.wins[1]}", flush=True)
        if high - low == BELOW:
            matches[high] = found.to_dict()
    return rate(len(players), tallies, anchor=players.index(ANCHOR))[:count], matches


def print_table(game: Game, every: list[Level], ratings: list[Rating], matches: dict[int, dict[str, Any]]) -> None:
    """As Markdown."""
    print(f"\n**{game}**\n\n| level | player | rating | against the level two below | score | seconds a move |")
    print("| --- | --- | --- | --- | --- | --- |")
    for at, (level, rating) in enumerate(zip(every, ratings, strict=True)):
        row = f"| {level.number} | `{level.player}` | {rating.rating:.0f} [{rating.low:.0f}, {rating.high:.0f}] |"
        if at in matches:
            (wins, losses), draws = matches[at]["wins"], matches[at]["draws"]
            score = (wins + draws / 2) / matches[at]["games"]
            print(f"{row} {wins}, {draws}, {losses} | {score:.0%} | {matches[at]['seconds_per_move'][0]:.2f} |")
        else:
            print(f"{row} | | |")


def main() -> None:
    """Play, print a table for each game, and write the ratings."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="GAME", default=["gomoku", "othello"])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--db")
    options = parser.parse_args()
    for name in options.names:
        game = Game.parse(name)
        every = levels(game)
        ratings, matches = measure(game, options)
        print_table(game, every, ratings, matches)
        known = json.loads(RATINGS.read_text("utf-8")) if RATINGS.exists() else {}
        known[game.name] = {
            level.player: [round(rating.rating), round(rating.low), round(rating.high)]
            for level, rating in zip(every, ratings, strict=True)
        }
        RATINGS.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    with plain_errors():
        main()
