"""Figures against closed forms and against simulated matches whose truth is known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tengen import TengenError
from tengen.arena.statistics import (
    ELO_LIMIT,
    Sprt,
    Tally,
    Verdict,
    elo_of_score,
    estimate_elo,
    expected_score,
    normal_cdf,
    rate,
    share_interval,
)


def simulated(generator, pairs, elo, *, draws=0.0, bias=0.0):
    """Pair sums (in half points, 0..4) of a player who is ``elo`` stronger, from openings worth ``bias`` to black."""
    sums = np.zeros(pairs, dtype=int)
    for difference in (elo + bias, elo - bias):
        score = expected_score(difference)
        drawn = draws * 2 * min(score, 1 - score)
        dice = generator.random(pairs)
        sums += np.where(dice < score - drawn / 2, 2, np.where(dice < score + drawn / 2, 1, 0))
    return sums


def tally_of(sums):
    return Tally(tuple(np.bincount(sums, minlength=5).tolist()))


def true_elo(elo, bias):
    return elo_of_score((expected_score(elo + bias) + expected_score(elo - bias)) / 2)


def test_elo_and_score_are_inverse():
    assert expected_score(0) == 0.5
    assert expected_score(400) == pytest.approx(10 / 11)
    for elo in (-700, -3, 0, 42, 1200):
        assert elo_of_score(expected_score(elo)) == pytest.approx(elo)
    assert elo_of_score(1.0) == ELO_LIMIT == -elo_of_score(0.0)


def test_the_normal_distribution():
    assert normal_cdf(0) == 0.5
    assert normal_cdf(1.959964) == pytest.approx(0.975, abs=1e-6)


def test_a_tally_counts_pairs_and_single_games():
    tally = Tally.of([(1, 1), (1, 0), (0.5, 1), (0, 0.5), (0, 0), (0.5,), (1,)])
    assert tally.pairs == (1, 1, 1, 1, 1)
    assert tally.singles == (0, 1, 1)
    assert tally.games == 12
    assert tally.points == 6.5
    assert tally.reversed().points == 5.5
    assert tally.reversed().reversed() == tally


def test_the_interval_of_many_games_is_the_textbook_one():
    pairs = (400, 900, 2000, 1300, 600)
    tally = Tally(pairs)
    scores = np.repeat([0, 0.25, 0.5, 0.75, 1], pairs)
    error = scores.std() / math.sqrt(len(scores))
    elo = estimate_elo(tally)
    assert elo.elo == pytest.approx(elo_of_score(scores.mean()))
    assert elo.low == pytest.approx(elo_of_score(scores.mean() - 1.96 * error), abs=0.1)
    assert elo.high == pytest.approx(elo_of_score(scores.mean() + 1.96 * error), abs=0.1)
    assert elo.superiority > 0.9999


def test_paired_games_know_more_than_the_same_games_unpaired():
    # Every opening is won by black: the pairs say "equal" for sure, the single games do not.
    paired = estimate_elo(Tally((0, 0, 100, 0, 0)))
    single = estimate_elo(Tally(singles=(100, 0, 100)))
    assert paired.elo == single.elo == 0
    assert paired.error < 10
    assert single.error == pytest.approx(48, abs=2)


def test_shut_outs_and_no_games_have_finite_figures():
    nothing = estimate_elo(Tally())
    assert (nothing.elo, nothing.low, nothing.high, nothing.superiority) == (0, -ELO_LIMIT, ELO_LIMIT, 0.5)
    swept = estimate_elo(Tally((0, 0, 0, 0, 50)))
    assert swept.elo == pytest.approx(elo_of_score(0.995))
    assert 300 < swept.low < swept.elo < swept.high == ELO_LIMIT
    lost = estimate_elo(Tally((50, 0, 0, 0, 0)))
    assert (lost.elo, lost.low, lost.high) == pytest.approx((-swept.elo, -swept.high, -swept.low))
    assert lost.superiority < 1e-6


@pytest.mark.parametrize("pairs", [10, 50, 300])
@pytest.mark.parametrize(("elo", "draws", "bias"), [(0, 0, 0), (0, 0.5, 300), (100, 0.3, 0), (300, 0, 200)])
def test_the_interval_holds_the_truth_95_times_in_100(pairs, elo, draws, bias):
    generator = np.random.default_rng([pairs, elo, bias])
    trials, held, truth = 600, 0, true_elo(elo, bias)
    for _ in range(trials):
        found = estimate_elo(tally_of(simulated(generator, pairs, elo, draws=draws, bias=bias)))
        held += found.low <= truth <= found.high
    # 0.95 +- 3 standard errors of the simulation is 0.923..0.977; the interval of few games is on the wide side.
    assert 0.92 <= held / trials <= (1.0 if pairs == 10 else 0.98)


def test_single_games_have_coverage_too():
    generator = np.random.default_rng(5)
    held = 0
    for _ in range(600):
        wins = generator.binomial(100, expected_score(80))
        found = estimate_elo(Tally(singles=(100 - wins, 0, wins)))
        held += found.low <= 80 <= found.high
    assert 0.92 <= held / 600 <= 0.98


def test_superiority_is_calibrated():
    # For equal players it is uniform: below 5 % in about 5 % of matches.
    generator = np.random.default_rng(6)
    found = [estimate_elo(tally_of(simulated(generator, 100, 0))).superiority for _ in range(800)]
    assert np.mean(np.array(found) < 0.05) == pytest.approx(0.05, abs=0.025)
    assert np.mean(found) == pytest.approx(0.5, abs=0.04)


def run_sprt(test, generator, elo, draws, bias):
    counts = np.zeros(5, dtype=int)
    for pair in simulated(generator, 20_000, elo, draws=draws, bias=bias):
        counts[pair] += 1
        verdict = test.verdict(test.llr(Tally(tuple(counts.tolist()))))
        if verdict is not Verdict.RUNNING:
            return verdict, int(counts.sum())
    raise AssertionError("no verdict")


@pytest.mark.parametrize(("draws", "bias"), [(0, 0), (0.6, 0), (0.3, 100)])
def test_the_errors_of_the_sprt_are_what_was_asked_for(draws, bias):
    generator = np.random.default_rng([int(10 * draws), bias])
    trials = 200
    # The hypotheses are about the average over both colours, which a bias of the openings pulls towards even.
    test = Sprt(0, true_elo(80, bias), alpha=0.05, beta=0.1)
    under_h0 = [run_sprt(test, generator, 0, draws, bias) for _ in range(trials)]
    under_h1 = [run_sprt(test, generator, 80, draws, bias) for _ in range(trials)]
    false_accepts = sum(verdict is Verdict.ACCEPTED for verdict, _ in under_h0) / trials
    false_rejects = sum(verdict is Verdict.REJECTED for verdict, _ in under_h1) / trials
    assert false_accepts <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / trials)
    assert false_rejects <= 0.1 + 3 * math.sqrt(0.1 * 0.9 / trials)
    assert np.mean([pairs for _, pairs in under_h0]) < 100


def test_the_llr_is_the_textbook_one_for_many_pairs():
    pairs = (200, 400, 1000, 440, 280)
    scores = np.repeat([0, 0.25, 0.5, 0.75, 1], pairs)
    s0, s1 = expected_score(0), expected_score(5)
    normal = len(scores) * (s1 - s0) * (2 * scores.mean() - s0 - s1) / (2 * scores.var())
    assert Sprt(0, 5).llr(Tally(pairs)) == pytest.approx(normal, rel=0.02)


def test_the_llr_is_exact_where_the_results_are_on_a_hypothesis():
    # A mean of exactly 1/2 needs no tilting towards elo0 = 0, so the ratio is at its most negative there.
    test = Sprt(0, 60)
    assert test.llr(Tally((25, 0, 50, 0, 25))) == pytest.approx(-2.93, abs=0.02)
    assert test.llr(Tally()) == 0
    assert (
        test.llr(Tally((24, 0, 50, 0, 26))) > test.llr(Tally((25, 0, 50, 0, 25))) > test.llr(Tally((26, 0, 50, 0, 24)))
    )


def test_the_bounds_are_walds():
    test = Sprt(0, 10, alpha=0.05, beta=0.05)
    assert test.upper == pytest.approx(math.log(19))
    assert test.lower == pytest.approx(-math.log(19))
    assert test.verdict(3) is Verdict.ACCEPTED
    assert test.verdict(-3) is Verdict.REJECTED
    assert test.verdict(2.9) is Verdict.RUNNING


@pytest.mark.parametrize("bad", [(10, 0), (0, 0), (0, 10, 0, 0.05), (0, 10, 0.05, 0.6), (0, math.nan)])
def test_tests_that_are_none(bad):
    with pytest.raises(TengenError):
        Sprt(*bad)


def test_two_ratings_differ_by_elo():
    tally = Tally((100, 300, 1000, 500, 300))
    first, second = rate(2, {(0, 1): tally}, anchor=1)
    assert second.rating == second.low == second.high == 1000
    elo = estimate_elo(tally)
    assert first.rating - 1000 == pytest.approx(elo.elo, abs=0.2)
    assert first.low - 1000 == pytest.approx(elo.low, abs=0.5)
    assert first.high - 1000 == pytest.approx(elo.high, abs=0.5)


def test_ratings_without_an_anchor_are_about_zero_and_shut_outs_stay_finite():
    ratings = rate(3, {(0, 1): Tally((0, 0, 0, 0, 20)), (1, 2): Tally((0, 0, 0, 0, 20))})
    assert sum(each.rating for each in ratings) == pytest.approx(0, abs=1e-6)
    assert ratings[0].rating > ratings[1].rating > ratings[2].rating
    assert all(math.isfinite(value) for each in ratings for value in (each.rating, each.low, each.high))


def test_players_that_never_met_have_no_interval():
    ratings = rate(4, {(0, 1): Tally((1, 0, 3, 0, 2)), (2, 3): Tally((1, 0, 3, 0, 2))}, anchor=0)
    assert ratings[1].high < ELO_LIMIT
    assert (ratings[2].low, ratings[2].high) == (-ELO_LIMIT, ELO_LIMIT)


def test_ratings_of_a_round_robin_cover_the_truth():
    generator = np.random.default_rng(7)
    truth = [1000, 1120, 900]
    held, total = 0, 0
    for _ in range(300):
        tallies = {
            (i, j): tally_of(simulated(generator, 60, truth[i] - truth[j], draws=0.2))
            for i in range(3)
            for j in range(i + 1, 3)
        }
        for player, found in enumerate(rate(3, tallies, anchor=0)[1:], start=1):
            held += found.low <= truth[player] <= found.high
            total += 1
    assert 0.92 <= held / total <= 0.98


def test_a_share_is_inside_its_interval() -> None:
    for count in (1, 7, 25, 50, 600):
        for wins in (0, count):
            low, high = share_interval(wins / count, count)
            assert 0 <= low <= wins / count <= high <= 1
