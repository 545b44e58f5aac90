"""Who has won how much so far: counts over the games of a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tengen.arena.game import Fault, GameResult
from tengen.arena.statistics import Tally


@dataclass(frozen=True)
class MatchGame:
    """One game of a match: its number in the schedule, its pair, who had which colour, and how it went.

    ``black`` and ``white`` are the players' places in the match's list.
    """

    number: int
    pair: int
    black: int
    white: int
    opening: str
    result: GameResult

    @property
    def winner(self) -> int | None:
        """The player who won; None for a draw."""
        side = self.result.winner
        return None if side is None else (self.black, self.white)[side.index]


class Score:
    """Wins, draws and losses."""

    __slots__ = ("draws", "losses", "wins")

    def __init__(self) -> None:
        self.wins = self.draws = self.losses = 0

    @property
    def games(self) -> int:
        """How many games that is."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A win is one, a draw half."""
        return self.wins + self.draws / 2

    def to_dict(self) -> dict[str, int]:
        """The counts as plain values."""
        return {"wins": self.wins, "draws": self.draws, "losses": self.losses}

    def add(self, points: float) -> None:
        """Count one game."""
        if points == 1.0:
            self.wins += 1
        elif points == 0.5:
            self.draws += 1
        else:
            self.losses += 1


class PlayerStanding:
    """What one player has done: ``by_colour`` is (black, white), ``faults`` counts each kind."""

    def __init__(self) -> None:
        self.total = Score()
        self.by_colour = (Score(), Score())
        self.faults = dict.fromkeys(Fault, 0)
        self.seconds = 0.0
        self.slowest = 0.0
        self.plies = 0

    @property
    def seconds_per_move(self) -> float:
        """The average thinking time; 0 before the first move."""
        return self.seconds / self.plies if self.plies else 0.0


class Standings:
    """Counts that grow with each game; any order of games gives the same."""

    def __init__(self, players: int) -> None:
        self.games = 0
        self.draws = 0
        self.players = [PlayerStanding() for _ in range(players)]
        self.cross = [[Score() for _ in range(players)] for _ in range(players)]
        self._pairs: dict[tuple[int, int], dict[int, float]] = {}
        self._counts: dict[tuple[int, int], tuple[list[int], list[int]]] = {}

    def add(self, game: MatchGame) -> None:
        """Count a game."""
        self.games += 1
        result = game.result
        self.draws += result.winner is None
        for seat, player in enumerate((game.black, game.white)):
            points = 0.5 if result.winner is None else float(result.winner.index == seat)
            standing = self.players[player]
            standing.total.add(points)
            standing.by_colour[seat].add(points)
            standing.seconds += result.seconds[seat]
            standing.slowest = max(standing.slowest, result.slowest[seat])
            standing.plies += result.plies[seat]
            if result.fault is not None and result.at_fault is not None and result.at_fault.index == seat:
                standing.faults[result.fault] += 1
            self.cross[player][(game.white, game.black)[seat]].add(points)
        self._add_to_pair(game)

    def _add_to_pair(self, game: MatchGame) -> None:
        first, second = sorted((game.black, game.white))
        winner = game.winner
        points = 0.5 if winner is None else float(winner == first)
        twos, ones = self._counts.setdefault((first, second), ([0] * 5, [0] * 3))
        waiting = self._pairs.setdefault((first, second), {})
        other = waiting.pop(game.pair, None)
        if other is None:
            waiting[game.pair] = points
            ones[round(2 * points)] += 1
        else:
            ones[round(2 * other)] -= 1
            twos[round(2 * (other + points))] += 1

    def tally(self, first: int, second: int) -> Tally:
        """The results of one player against another, by pairs."""
        if first > second:
            return self.tally(second, first).reversed()
        twos, ones = self._counts.get((first, second), ([0] * 5, [0] * 3))
        return Tally((twos[0], twos[1], twos[2], twos[3], twos[4]), (ones[0], ones[1], ones[2]))

    def tallies(self) -> dict[tuple[int, int], Tally]:
        """The results of all that met."""
        return {pair: self.tally(*pair) for pair in self._counts}

    def player_dict(self, player: int) -> dict[str, Any]:
        """One player's counts as plain values."""
        standing = self.players[player]
        return {
            "as_black": standing.by_colour[0].to_dict(),
            "as_white": standing.by_colour[1].to_dict(),
            "faults": {kind.value: count for kind, count in standing.faults.items()},
            "moves": standing.plies,
            "slowest_move": standing.slowest,
        }
