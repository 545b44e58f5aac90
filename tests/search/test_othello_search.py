"""The Othello search through its binding, and the tables that it ships with."""

import threading
import time

import numpy as np
import pytest

from tengen import _core
from tengen.errors import TengenError
from tengen.fit.othello_eval import Samples, fit_phase, make_tables
from tengen.search.othello import othello_search, pack_tables, shipped_tables, unpack_tables


def late_board(plies: int) -> _core.OthelloBoard8:
    board = _core.OthelloBoard8()
    rng = np.random.default_rng(4)
    for _ in range(plies):
        board.play(int(rng.choice(board.legal_actions())))
    return board


def test_tables_survive_packing_and_damage_is_found() -> None:
    packed = pack_tables(b"tables" * 100)
    assert unpack_tables(packed) == b"tables" * 100
    for at in (0, 12, len(packed) - 20):
        damaged = bytearray(packed)
        damaged[at] ^= 1
        with pytest.raises(TengenError):
            unpack_tables(bytes(damaged))
    for size in (0, 7, 30, len(packed) - 1):
        with pytest.raises(TengenError):
            unpack_tables(packed[:size])


def test_core_refuses_other_bytes() -> None:
    for tables in (b"", b"x", shipped_tables()[:-2], shipped_tables()[:-1] + b"\x7f"):
        with pytest.raises(ValueError, match="tables"):
            _core.OthelloSearch(evaluation=tables)


def test_search_reports_exact_lines_at_the_end() -> None:
    board = late_board(50)
    seen: list[int] = []
    report = othello_search(hash_mb=1).search(board, lines=3, on_report=lambda r: seen.append(len(r.lines)))
    assert seen
    assert len(report.lines) == min(3, board.count_legal())
    for line in report.lines:
        assert line.proof in (1, 2, 3)
        after = board.copy()
        for move in line.moves:
            after.play(move)
        assert after.count_legal() == 0
        mine, theirs = after.count(board.to_move), after.count(1 - board.to_move)
        assert np.sign(mine - theirs) == np.sign(line.score)


def test_shipped_tables_know_more_than_the_formula() -> None:
    # The last plies, whose scores are solved and not a matter of luck.
    own, rival, final, _ = _core.othello_self_play(shipped_tables(), seed=99, games=100, depth=1, exact_empties=12)
    late = np.array([(int(a) | int(b)).bit_count() >= 52 for a, b in zip(own, rival, strict=True)])
    own, rival, final = own[late], rival[late], final[late].astype(float)

    def error(tables: bytes | None) -> float:
        guess = _core.othello_depth_scores(tables, own, rival, 0).astype(float)
        return float(np.sqrt(np.mean((guess - final) ** 2)))

    assert error(shipped_tables()) < 0.8 * error(None)
    assert error(shipped_tables()) < 10


def test_stop_and_time() -> None:
    search = othello_search(hash_mb=1)
    threading.Timer(0.2, search.stop).start()
    begin = time.monotonic()
    report = search.search(_core.OthelloBoard10())
    assert time.monotonic() - begin < 10
    assert report.lines
    assert search.search(_core.OthelloBoard8(), seconds=0.05).seconds < 5


def test_bad_arguments_and_a_raising_observer() -> None:
    search = othello_search(hash_mb=1)
    board = _core.OthelloBoard8()
    for bad in ({"seconds": -1.0}, {"seconds": float("nan")}, {"depth": 0}, {"lines": 0}):
        with pytest.raises(ValueError, match="must be"):
            search.search(board, **bad)
    with pytest.raises(ValueError, match="hash_mb"):
        othello_search(hash_mb=0)

    def observer(_: _core.SearchReport) -> None:
        raise KeyError("seen")

    with pytest.raises(KeyError):
        search.search(board, depth=3, on_report=observer)
    assert search.search(board, depth=3).depth == 3


def test_fit_finds_what_made_the_scores() -> None:
    own, rival, _, _ = _core.othello_self_play(None, seed=3, games=40, depth=1, exact_empties=6)
    phases, weights, units = _core.othello_tables_shape()
    truth = np.random.default_rng(1).normal(0, 1, weights).astype(np.float32)
    score = truth[_core.othello_weight_ids(own, rival)].sum(axis=1)
    found = fit_phase(Samples(own, rival, score), np.zeros(weights, np.float32), 40, 0.01)
    again = found[_core.othello_weight_ids(own, rival)].sum(axis=1)
    assert np.abs(again - score).mean() < 0.1 * np.abs(score).mean()
    # All phases hold the same weights here, so the core's value is the sum, rounded and kept on the board.
    tables = make_tables(np.tile(truth, (phases, 1)), [1, 0, 0, 0], [1, 0, 0, 0])
    values = _core.othello_depth_scores(tables, own, rival, 0)
    assert np.abs(values - np.clip(score, -62, 62)).max() <= 0.5 + 46 / units
