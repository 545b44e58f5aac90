"""What a match says about strength: Elo with an interval, likelihood of superiority, sequential tests, ratings.

Games come in pairs from one opening with colours swapped, and the two games of a pair are not independent: an opening
that favours a side gives each player one of them. All variances are therefore taken over pairs (the five sums a pair
can have: the *pentanomial*); a game without its twin counts as it is (the *trinomial*).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tengen.errors import TengenError

#: Elo figures end here; as an end of an interval it means that the results set no bound.
ELO_LIMIT: Final = 2000.0

#: The rating of `greedy`, which fixes the scale of a game.
ANCHOR_RATING: Final = 1000.0

_ELO_PER_NAT = 400.0 / math.log(10.0)
_Z95 = 1.959963984540054
_PAIR_SCORES: Final[NDArray[np.float64]] = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
_SINGLE_SCORES: Final[NDArray[np.float64]] = np.array([0.0, 0.5, 1.0])
_EVEN = 0.5

# Before the first game we act as if two pairs had been seen, spread evenly over the five sums. It keeps intervals
# honest where all results are alike (a variance of zero is not knowledge) and is gone after some dozens of games.
_PRIOR_PAIRS = 2.0

# How many pairs' worth of plain spread a sequential test starts with; see `Sprt.llr`.
_SPREAD_PRIOR_PAIRS = 4.0


def expected_score(elo: float) -> float:
    """The score per game, 0..1, of a player who is ``elo`` points stronger."""
    return 1.0 / (1.0 + math.exp(-elo / _ELO_PER_NAT))


def elo_of_score(score: float) -> float:
    """The Elo difference that a score per game stands for; ends at plus or minus ``ELO_LIMIT``."""
    if score <= 0.0 or score >= 1.0:
        return math.copysign(ELO_LIMIT, score - _EVEN)
    return max(-ELO_LIMIT, min(ELO_LIMIT, -400.0 * math.log10(1.0 / score - 1.0)))


def normal_cdf(z: float) -> float:
    """The standard normal distribution function."""
    return 0.5 * math.erfc(-z / math.sqrt(2.0))


def share_interval(share: float, count: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share that was seen in ``count`` games."""
    z = _Z95
    scale = 1 + z * z / count
    centre = (share + z * z / (2 * count)) / scale
    width = z / scale * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    # Where none was won, or all, the share is an end of it: but for rounding.
    return max(0.0, min(share, centre - width)), min(1.0, max(share, centre + width))


@dataclass(frozen=True)
class Tally:
    """The results of one player against another.

    ``pairs`` counts complete pairs by the player's points in them, 0, 1/2, 1, 3/2, 2; ``singles`` counts the games
    without a twin as losses, draws, wins.
    """

    pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    singles: tuple[int, int, int] = (0, 0, 0)

    @classmethod
    def of(cls, pairs: Iterable[Sequence[float]]) -> Tally:
        """Count pairs, each given by the points (0, 1/2, 1) of its one or two games."""
        twos, ones = [0] * 5, [0] * 3
        for points in pairs:
            if len(points) == 2:
                twos[round(2 * (points[0] + points[1]))] += 1
            else:
                for point in points:
                    ones[round(2 * point)] += 1
        return cls((twos[0], twos[1], twos[2], twos[3], twos[4]), (ones[0], ones[1], ones[2]))

    @property
    def games(self) -> int:
        """How many games were played."""
        return 2 * sum(self.pairs) + sum(self.singles)

    @property
    def points(self) -> float:
        """The points made: a win is one, a draw half."""
        return float(2 * np.dot(self.pairs, _PAIR_SCORES) + np.dot(self.singles, _SINGLE_SCORES))

    @property
    def score(self) -> float:
        """Points per game; 1/2 before the first game."""
        return self.points / self.games if self.games else _EVEN

    def reversed(self) -> Tally:
        """The same games as the other player sees them."""
        a, b, c, d, e = self.pairs
        loss, draw, win = self.singles
        return Tally((e, d, c, b, a), (win, draw, loss))

    def squares(self, score: float) -> float:
        """The sum over pairs and single games of (points - expected points) squared, were ``score`` the truth."""
        of_pairs = np.dot(self.pairs, (2.0 * (_PAIR_SCORES - score)) ** 2)
        return float(of_pairs + np.dot(self.singles, (_SINGLE_SCORES - score) ** 2))


@dataclass(frozen=True)
class Elo:
    """An Elo difference with its 95 % interval, and the likelihood that the player is the better one."""

    elo: float
    low: float
    high: float
    superiority: float

    @property
    def error(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


def estimate_elo(tally: Tally) -> Elo:
    """The Elo difference of a tally; ``low`` and ``high`` hold the true one 95 times in 100.

    A player who made every point or none has no finite difference: the estimate is then that of half a point less (or
    more), and the open end of the interval is ``ELO_LIMIT``. Without games all is unknown: 0, and the whole range.
    """
    games = tally.games
    if games == 0:
        return Elo(0.0, -ELO_LIMIT, ELO_LIMIT, _EVEN)
    margin = 0.5 / games  # of a score: half a point
    estimate = elo_of_score(min(1.0 - margin, max(margin, tally.score)))
    centre, error = _score_and_error(tally)
    width = _student95(sum(tally.pairs) + sum(tally.singles) + _PRIOR_PAIRS - 1.0) * error
    low, high = elo_of_score(centre - width), elo_of_score(centre + width)
    superiority = normal_cdf((centre - _EVEN) / error)
    return Elo(estimate, min(low, estimate), max(high, estimate), superiority)


def _student95(freedom: float) -> float:
    """The 97.5 % quantile of Student's distribution, near enough: a variance from few pairs is itself uncertain."""
    return _Z95 + (_Z95**3 + _Z95) / (4.0 * freedom)


def _score_and_error(tally: Tally) -> tuple[float, float]:
    """The mean score and its standard error, with the prior of ``_PRIOR_PAIRS`` mixed in."""
    weight = _PRIOR_PAIRS / len(_PAIR_SCORES)
    games = tally.games + 2.0 * _PRIOR_PAIRS
    score = (tally.points + _PRIOR_PAIRS) / games
    prior = weight * float(((2.0 * (_PAIR_SCORES - score)) ** 2).sum())
    return score, math.sqrt(tally.squares(score) + prior) / games


class Verdict(StrEnum):
    """What a sequential test has come to."""

    RUNNING = "running"
    ACCEPTED = "accepted"  #: the first player is stronger by `elo1` rather than `elo0`
    REJECTED = "rejected"  #: by `elo0` rather than `elo1`


@dataclass(frozen=True)
class Sprt:
    """A sequential probability ratio test of ``elo0`` against ``elo1`` (logistic Elo, first player against second).

    If the truth is ``elo0`` it accepts with probability ``alpha`` at most, if it is ``elo1`` it rejects with ``beta``
    at most, and it stops as soon as it knows. Raises ``TengenError`` for values that make no test.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise TengenError(f"an SPRT needs elo0 < elo1, not {self.elo0:g} and {self.elo1:g}")
        if not (self.elo0 >= -ELO_LIMIT and self.elo1 <= ELO_LIMIT):
            raise TengenError(f"an SPRT is about Elo from {-ELO_LIMIT:g} to {ELO_LIMIT:g}")
        if not (0.0 < self.alpha < 0.5 and 0.0 < self.beta < 0.5):
            raise TengenError("alpha and beta of an SPRT lie between 0 and 0.5")

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which the test rejects."""
        return math.log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which the test accepts."""
        return math.log((1.0 - self.beta) / self.alpha)

    def llr(self, tally: Tally) -> float:
        """The generalised log-likelihood ratio of complete pairs; single games wait for their twin.

        Among all distributions of the five pair sums with the mean that each hypothesis asks for, it compares the two
        that explain the results best. The results are first mixed with some of what independent games without draws
        would give at the same mean: ten pairs say little about their own spread, and a test that believed them would
        stop too early and be wrong too often.
        """
        pairs = sum(tally.pairs)
        if pairs == 0:
            return 0.0
        mean = sum(count * x for count, x in zip(tally.pairs, _PAIR_SCORES.tolist(), strict=True)) / pairs
        plain = ((1.0 - mean) ** 2, 0.0, 2.0 * mean * (1.0 - mean), 0.0, mean**2)
        weight = _SPREAD_PRIOR_PAIRS
        # What was not seen yet is not impossible, hence the maximum.
        mixed = [(n + weight * p) / (pairs + weight) for n, p in zip(tally.pairs, plain, strict=True)]
        shares = [max(share, 1e-6) for share in mixed]
        low, high = (_log_tilted(shares, expected_score(elo)) for elo in (self.elo0, self.elo1))
        return pairs * math.fsum(share * (b - a) for share, a, b in zip(shares, low, high, strict=True))

    def verdict(self, llr: float) -> Verdict:
        """What this log-likelihood ratio decides."""
        return Verdict.ACCEPTED if llr >= self.upper else Verdict.REJECTED if llr <= self.lower else Verdict.RUNNING


def _log_tilted(shares: Sequence[float], mean: float) -> list[float]:
    """The logarithms of the distribution over pair scores that has this mean and makes these shares likeliest.

    It is share / (1 + t * (x - mean)), by Lagrange. The t that gives the mean is found by Newton's method, kept between
    the poles, where the mean's error falls from plus to minus infinity.
    """
    terms = [(share, x - mean) for share, x in zip(shares, _PAIR_SCORES.tolist(), strict=True)]
    low, high, t = -1.0 / terms[-1][1], -1.0 / terms[0][1], 0.0
    for _ in range(100):
        value = slope = 0.0
        for share, offset in terms:
            ratio = offset / (1.0 + t * offset)
            value += share * ratio
            slope += share * ratio * ratio
        step = value / slope
        if abs(step) < 1e-12:
            break
        low, high = (t, high) if value > 0.0 else (low, t)
        t = t + step if low < t + step < high else 0.5 * (low + high)
    return [math.log(share / (1.0 + t * offset)) for share, offset in terms]


@dataclass(frozen=True)
class Rating:
    """A player's rating and its 95 % interval, which is about the difference to the anchor."""

    rating: float
    low: float
    high: float


def rate(players: int, tallies: dict[tuple[int, int], Tally], *, anchor: int | None = None) -> list[Rating]:
    """Bradley-Terry ratings, on the Elo scale, of players 0.. from their tallies by (player, opponent).

    The anchor is at ``ANCHOR_RATING`` exactly; without one the average is 0 and intervals are about the difference to
    it. Every two players that met are given one drawn game more, so that shut-outs stay finite. Players without any
    chain of games between them are left at their start, with an interval of ``ELO_LIMIT``.
    """
    met = {key: tally for key, tally in tallies.items() if tally.games}
    strength = _fit(players, met)
    covariance = _covariance(players, met, strength)
    centring = np.eye(players)
    if anchor is None:
        centring -= 1.0 / players
    else:
        centring[:, anchor] -= 1.0
    ratings = centring @ strength * _ELO_PER_NAT + (0.0 if anchor is None else ANCHOR_RATING)
    errors = np.sqrt(np.maximum(np.diag(centring @ covariance @ centring.T), 0.0)) * _ELO_PER_NAT * _Z95
    linked = _linked(players, met, 0 if anchor is None else anchor)
    return [
        Rating(float(r), float(r - e), float(r + e)) if known else Rating(float(r), -ELO_LIMIT, ELO_LIMIT)
        for r, e, known in zip(ratings, errors, linked, strict=True)
    ]


def _fit(players: int, tallies: dict[tuple[int, int], Tally]) -> NDArray[np.float64]:
    """The strengths (natural logarithm) of the likeliest Bradley-Terry model, by Newton's method; their sum is 0."""
    strength = np.zeros(players)
    for _ in range(100):
        gradient, information = np.zeros(players), np.zeros((players, players))
        for (i, j), tally in tallies.items():
            games = tally.games + 1.0
            expected = 1.0 / (1.0 + math.exp(strength[j] - strength[i]))
            surplus = tally.points + _EVEN - games * expected
            gradient[[i, j]] += surplus, -surplus
            information[np.ix_([i, j], [i, j])] += games * expected * (1 - expected) * np.array([[1, -1], [-1, 1]])
        step = np.linalg.pinv(information, hermitian=True) @ gradient
        strength += np.clip(step, -1.0, 1.0)  # far from the optimum a full step may overshoot
        if float(np.abs(step).max(initial=0.0)) < 1e-10:
            break
    return strength


def _covariance(
    players: int, tallies: dict[tuple[int, int], Tally], strength: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The covariance of the strengths that holds for dependent games within a pair (the "sandwich")."""
    information, spread = np.zeros((players, players)), np.zeros((players, players))
    for (i, j), tally in tallies.items():
        expected = 1.0 / (1.0 + math.exp(strength[j] - strength[i]))
        block = np.ix_([i, j], [i, j])
        direction = np.array([[1.0, -1.0], [-1.0, 1.0]])
        information[block] += (tally.games + 1.0) * expected * (1.0 - expected) * direction
        added_draw = 0.5 * (expected**2 + (1.0 - expected) ** 2)  # as half a win and half a loss
        spread[block] += (tally.squares(expected) + added_draw) * direction
    inverse = np.linalg.pinv(information, hermitian=True)
    sandwich: NDArray[np.float64] = inverse @ spread @ inverse
    return sandwich


def _linked(players: int, tallies: dict[tuple[int, int], Tally], start: int) -> list[bool]:
    """Which players have a chain of games to ``start``."""
    reached = {start}
    for _ in range(players):
        reached |= {b for pair in tallies for a, b in (pair, pair[::-1]) if a in reached}
    return [player in reached for player in range(players)]
