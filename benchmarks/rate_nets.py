"""Rate the nets that ship, on the arena's scale (greedy has 1000), and write what `tengen nets` shows.

Usage: python benchmarks/rate_nets.py [NET ...] [--games 40] [--jobs 2] [--playouts 400] [--db rate_nets.db]
There is a ladder of searches, of which every two up to two rungs apart meet: players further apart would tell nothing,
as the stronger wins every game. A net of AlphaZero plays with --playouts a move and stands at the end of the ladder;
one that rates moves without a search stands somewhere on it, and meets them all. Games are kept in --db, so the same
command goes on where it was stopped. The result goes to src/tengen/data/nets/ratings.json, by the hash of the net.
"""

import argparse
import json
from pathlib import Path

from tengen.arena import play_match
from tengen.arena.statistics import Rating, Tally, rate
from tengen.cli.output import plain_errors
from tengen.nets.shipped import ShippedNet, shipped_nets

# Steps small enough that nobody wins every game against the next one.
DEPTHS = ("alphabeta:depth=2", "alphabeta:depth=4", "alphabeta:depth=6")
LADDERS = {
    "gomoku": ("greedy", "minimax:depth=1", "minimax:depth=2", *DEPTHS),
    "othello": ("greedy", "mcts:playouts=30", "mcts:playouts=300", *DEPTHS),
}
RATINGS = Path(__file__).parents[1] / "src" / "tengen" / "data" / "nets" / "ratings.json"


def rate_net(net: ShippedNet, options: str, games: int, jobs: int, db: str) -> Rating:
    searches = net.method == "alphazero"
    players = [*LADDERS[net.games[0].kind], f"{net.player}:net={net.name}{options}"]
    tallies: dict[tuple[int, int], Tally] = {}
    for first in range(len(players)):
        for second in range(first + 1, len(players)):
            if second - first > 2 and (searches or second < len(players) - 1):
                continue
            result = play_match([players[first], players[second]], net.games[0], games=games, jobs=jobs, seed=1, db=db)
            tallies[first, second] = result.tally()
            wins, losses = result.wins[1], result.wins[0]
            print(
                f"{net.name}: {players[second]} against {players[first]}: +{wins} ={result.draws} -{losses}", flush=True
            )
    ratings = rate(len(players), tallies, anchor=0)
    for player, rating in zip(players, ratings, strict=True):
        print(f"{net.name}: {player}: {rating.rating:.0f} [{rating.low:.0f}, {rating.high:.0f}]", flush=True)
    return ratings[-1]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("nets", nargs="*")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--playouts", type=int, default=400)
    parser.add_argument("--db", default="rate_nets.db")
    arguments = parser.parse_args()
    shipped = {net.name: net for net in shipped_nets()}
    if unknown := set(arguments.nets) - set(shipped):
        parser.error(f"no such nets: {', '.join(sorted(unknown))}; there are {', '.join(shipped)}")
    ratings = json.loads(RATINGS.read_text("utf-8")) if RATINGS.exists() else {}
    for name in arguments.nets or shipped:
        options = f"playouts={arguments.playouts}" if shipped[name].method == "alphazero" else ""
        found = rate_net(shipped[name], f",{options}".rstrip(","), arguments.games, arguments.jobs, arguments.db)
        ratings[shipped[name].header.sha256] = {
            "rating": round(found.rating),
            "low": round(found.low),
            "high": round(found.high),
            "player": f"{shipped[name].player}:{options}".rstrip(":"),
        }
        at_hand = {net.header.sha256 for net in shipped.values()}  # a net that was replaced needs no rating
        kept = {sha256: rated for sha256, rated in ratings.items() if sha256 in at_hand}
        RATINGS.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    with plain_errors():
        main()
