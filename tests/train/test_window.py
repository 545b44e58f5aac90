"""The window: a ring of rows, and the games that they come from."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest
import torch
from small import joined

from tengen.games import Game, Position
from tengen.train.alphazero.window import DISTANCE, MOVES, RESULT, ROWS, Games, Window
from tengen.train.run import RunError

GAME = Game.parse("gomoku:size=6")


def window(size: int, game: Game = GAME, *, discount: float = 1.0) -> Window:
    return Window([game], [1.0], game.kind, game.size, size, torch.device("cpu"), discount=discount)


def oldest_first(made: Window) -> list[torch.Tensor]:
    """All rows, the oldest first."""
    start = made._next if made.filled == made._capacity else 0
    order = (start + torch.arange(made.filled)) % made._capacity
    return [ring[order] for ring in made._rows]


def test_rows_are_the_positions_of_the_games(games: Games) -> None:
    made = window(5000)
    assert made.add(games) == games.rows == made.filled
    planes, policy, reply, result, value = oldest_first(made)
    row = first = 0
    for line in games.table:
        moves = games.moves[first : first + line[MOVES]]
        first += line[MOVES]
        plies = games.plies[row : row + line[ROWS]]
        position, at = Position(GAME), 0
        for ply in plies:
            for move in moves[at:ply]:
                position.play(int(move))
            at = int(ply)
            assert np.array_equal(planes[row], _planes(position))
            assert policy[row].sum() == pytest.approx(1, abs=1e-2)
            legal = {int(move) for move in position.legal_moves()}
            assert set(np.flatnonzero(policy[row].numpy()).tolist()) <= legal
            assert reply[row] == (moves[ply + 1] if ply + 1 < len(moves) else -1)
            assert result[row] == line[RESULT] * (1 if ply % 2 == 0 else -1)
            row += 1
    assert row == games.rows
    assert np.array_equal(value.numpy(), games.values)


def test_results_that_come_late_are_worth_less(games: Games) -> None:
    plain, discounted = window(5000), window(5000, discount=0.9)
    plain.add(games)
    discounted.add(games)
    results, worth = oldest_first(plain)[3].numpy(), oldest_first(discounted)[3].numpy()
    row = 0
    for line in games.table:
        for ply in games.plies[row : row + line[ROWS]]:
            left = line[MOVES] + line[DISTANCE] - int(ply)
            assert left >= 0
            assert worth[row] == pytest.approx(results[row] * 0.9**left, rel=1e-4)
            row += 1
    assert row == games.rows
    assert 0 < np.abs(worth).sum() < 0.9 * np.abs(results).sum()


def _planes(position: Position) -> np.ndarray:
    from tengen import _core

    return _core.net_planes(position.core, "gomoku")


def test_the_newest_rows_stay(played: list[Games]) -> None:
    everything = window(5000)
    small = window(50)
    for part in played:
        everything.add(part)
        small.add(part)
    assert small.filled == 50
    for kept, rows in zip(oldest_first(small), oldest_first(everything), strict=True):
        assert torch.equal(kept, rows[-50:])
    assert np.array_equal(small.newest_planes(7), oldest_first(everything)[0][-7:].flip(0).numpy())
    assert len(small.newest_planes(1000)) == 50


def test_games_that_are_more_than_the_window(games: Games) -> None:
    small = window(20)
    assert small.add(games) == games.rows
    everything = window(5000)
    everything.add(games)
    for kept, rows in zip(oldest_first(small), oldest_first(everything), strict=True):
        assert torch.equal(kept, rows[-20:])


def test_an_empty_part_is_nothing(games: Games) -> None:
    made = window(20)
    none = Games(*(array[:0] for array in games.arrays()))
    assert made.add(none) == made.filled == 0
    assert len(made.newest_planes(10)) == 0


def test_samples_are_rows(games: Games) -> None:
    made = window(5000)
    made.add(games)
    generator = torch.Generator().manual_seed(1)
    batch = made.sample(64, generator)
    known = {(planes.numpy().tobytes(), int(result)) for planes, _, _, result, _ in zip(*made._rows, strict=True)}
    assert all((p.numpy().tobytes(), int(r)) in known for p, r in zip(batch.planes, batch.result, strict=True))
    again = made.sample(64, torch.Generator().manual_seed(1))
    assert all(torch.equal(a, b) for a, b in zip(batch, again, strict=True))


def test_a_file_brings_the_newest_rows_back(played: list[Games], tmp_path: Path) -> None:
    made = window(60)
    for part in played:
        made.add(part)
    made.save(tmp_path / "games.npz")
    again = window(60)
    again.load(tmp_path / "games.npz")
    for mine, theirs in zip(oldest_first(made), oldest_first(again), strict=True):
        assert torch.equal(mine, theirs)
    # The file holds little more than the window needs.
    assert joined(list(again._kept)).rows < 60 + max(part.rows for part in played)


def test_an_empty_window_is_kept_too(tmp_path: Path) -> None:
    window(60).save(tmp_path / "games.npz")
    made = window(60)
    made.load(tmp_path / "games.npz")
    assert made.filled == 0


def altered(games: Games, **arrays: np.ndarray) -> dict[str, np.ndarray]:
    names = ("table", "moves", "plies", "values", "visit_sizes", "actions", "counts")
    return {**dict(zip(names, games.arrays(), strict=True)), **arrays}


class Evil:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return print, ("pickle was run",)


@pytest.mark.parametrize(
    "kind",
    ["missing", "empty", "text", "cut", "npy", "foreign", "pickle", "dtype", "short", "moves", "illegal", "actions"],
)
def test_other_files_are_refused(kind: str, games: Games, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.npz"
    match kind:
        case "missing":
            pass
        case "empty":
            path.write_bytes(b"")
        case "text":
            path.write_text("hello")
        case "cut":
            np.savez(path, **altered(games))
            path.write_bytes(path.read_bytes()[:-200])
        case "npy":
            np.save(tmp_path / "x.npy", games.table)
            path.write_bytes((tmp_path / "x.npy").read_bytes())
        case "foreign":
            np.savez(path, x=np.zeros(3))
        case "pickle":
            np.savez(path, **altered(games, table=np.array([Evil()], object)))
        case "dtype":
            np.savez(path, **altered(games, moves=games.moves.astype(np.float64)))
        case "short":
            np.savez(path, **altered(games, counts=games.counts[:-1]))
        case "moves":
            np.savez(path, **altered(games, moves=games.moves[:-1]))
        case "illegal":
            np.savez(path, **altered(games, moves=np.full_like(games.moves, 3)))
        case "actions":
            np.savez(path, **altered(games, actions=np.full_like(games.actions, 999)))
    with pytest.raises(RunError, match="is no file of this run's games"):
        window(60).load(path)
    assert "pickle was run" not in capsys.readouterr().out


def test_a_damaged_part_is_noticed(games: Games, tmp_path: Path) -> None:
    path = tmp_path / "games.npz"
    np.savez(path, **altered(games))
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as file:
        start = file.getinfo("moves.npy").header_offset + 200
    data[start] ^= 0xFF
    path.write_bytes(data)
    with pytest.raises(RunError, match="is no file of this run's games"):
        window(60).load(path)
