"""Does a game keep its rules straight?"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tengen.envs import VectorEnv
from tengen.errors import GameNameError, IllegalMoveError, NotationError, TengenError
from tengen.games import ENCODINGS, Game, Move, Position, Side
from tengen.testing._planes import define_planes
from tengen.testing._requirement import Snapshot, context, require, require_error, require_same
from tengen.testing._vector import check_vector_env

_THOROUGH_EVERY: Final = 7  # plies between two rounds of the checks that replay the game


def check_game(
    game: str | Game,
    *,
    games: int = 2,
    seed: int = 0,
    position: Callable[[Game], Position] = Position,
    vector_env: Callable[..., VectorEnv] = VectorEnv,
) -> None:
    """Check a game over random play: that its parts agree with each other and with slow definitions.

    The three ways to ask for legal moves agree; undo restores everything; copies are independent; illegal moves are
    refused and change nothing; the game ends, and only then has an outcome; positions survive JSON, being set up from
    their stones and the eight symmetries; equal hashes mean equal positions; planes are as defined; every move survives
    its notation; perft counts the legal moves; the vector environment plays the same game.

    ``position`` and ``vector_env`` make what is checked, and stand open for your own. Raises ``ComplianceError``.
    """
    parsed = Game.parse(game)
    with context(parsed.name):
        with context("names"):
            _check_names(parsed)
        seen = _Seen()
        for number in range(games):
            rng = random.Random(f"{seed} {number}")
            with context(f"random game {number}"):
                _Walk(position(parsed), rng, seen).run()
        with context("perft from the start"):
            _check_counts(position(parsed))
        for encoding in (None, *ENCODINGS):
            with context(f"vector environment, encoding {encoding}"):
                make = partial(vector_env, parsed, 3, encoding=encoding, seed=seed)
                check_vector_env(make, steps=2 * parsed.actions)


class _Seen:
    """Hashes against positions: each must settle the other."""

    def __init__(self) -> None:
        self._key_of: dict[int, tuple[bytes, Side]] = {}
        self._hash_of: dict[tuple[bytes, Side], int] = {}

    def add(self, position: Position) -> None:
        key = (position.board().tobytes(), position.to_move)
        require(self._key_of.setdefault(position.hash, key) == key, "two different positions have the same hash")
        require(self._hash_of.setdefault(key, position.hash) == position.hash, "one position has two hashes")


class _Walk:
    """One random game, checked as it goes."""

    def __init__(self, position: Position, rng: random.Random, seen: _Seen) -> None:
        self.position, self.rng, self.seen = position, rng, seen
        self.boards: list[NDArray[np.int8]] = []
        self.snapshots: list[Snapshot] = []

    def run(self) -> None:
        p = self.position
        longest = 4 * p.game.actions
        while True:
            require(p.ply == len(self.snapshots), f"ply is {p.ply} after {len(self.snapshots)} moves")
            require(p.ply <= longest, f"the game has not ended after {longest} moves")
            with context(f"ply {p.ply} ({p!r})"):
                self._check_here()
            if p.is_over:
                break
            p.play(self.rng.choice(p.legal_moves()))
        self._check_transpositions()
        self._check_way_back()

    def _check_here(self) -> None:
        p = self.position
        self.boards.insert(0, p.board())
        self.snapshots.append(Snapshot.of(p))
        self.seen.add(p)
        _check_legality(p)
        _check_outcome(p)
        self._check_planes()
        if p.ply % _THOROUGH_EVERY == 0 or p.is_over:
            self._check_refusals()
            self._check_play_and_undo()
            _check_copy(p, self.rng)
            _check_writing_down(p)
            _check_symmetries(p, self.rng)
            if not p.is_over:
                require(p.core.perft(1) == len(p.legal_moves()), "perft(1) is not the number of legal moves")
        self.snapshots[-1].require_of(p, "looking at the position")

    def _check_planes(self) -> None:
        p = self.position
        for encoding, count in ENCODINGS.items():
            planes = p.planes(encoding)
            require(planes.shape == (count, p.size, p.size), f"planes {encoding} have the shape {planes.shape}")
            require_same(f"planes {encoding}", planes, define_planes(encoding, self.boards, p.last_move, p.to_move))

    def _check_refusals(self) -> None:
        p = self.position
        illegal = [move for move in p.game.moves if not self.snapshots[-1].mask[move]]
        for move in self.rng.sample(illegal, min(8, len(illegal))):
            require_error(f"play({move}), which is illegal,", partial(p.play, move), IllegalMoveError)
        for nonsense in (p.game.actions, -1, "", "a0", "z9"):
            require_error(f"play({nonsense!r})", partial(p.play, nonsense), NotationError)
            require(not p.is_legal(nonsense), f"is_legal({nonsense!r}) is true")
        if p.ply == 0:
            require_error("undo at the start", p.undo)
        self.snapshots[-1].require_of(p, "a refused move")

    def _check_play_and_undo(self) -> None:
        p = self.position
        legal = p.legal_moves()
        for move in self.rng.sample(legal, min(6, len(legal))):
            played = p.play(move)
            require(played == move, f"play({move}) returned {played}")
            require(p.last_move == move, f"after {move} the last move is {p.last_move}")
            undone = p.undo()
            require(undone == move, f"undo after {move} returned {undone}")
            self.snapshots[-1].require_of(p, f"playing {move} and taking it back")

    def _check_way_back(self) -> None:
        """Undo the whole game; every position must come back as it was."""
        p = self.position
        with context("undoing the whole game"):
            for snapshot in reversed(self.snapshots):
                snapshot.require_of(p, f"coming back to ply {snapshot.ply}")
                if snapshot.ply:
                    p.undo()

    def _check_transpositions(self) -> None:
        """Play the same moves in another order: equal boards must have equal hashes and compare equal."""
        p = self.position
        moves = p.moves
        for at in range(min(len(moves) - 2, 12)):
            swapped = [*moves[:at], moves[at + 2], moves[at + 1], moves[at]]
            twin, original = type(p)(p.game), type(p)(p.game, moves[: at + 3])
            try:
                for move in swapped:
                    twin.play(move)
            except TengenError:
                continue  # this order is not legal
            self.seen.add(twin)
            same = np.array_equal(twin.board(), original.board()) and twin.to_move is original.to_move
            require((twin == original) is same, f"== is wrong for {original!r} and {twin!r}")


def _check_names(game: Game) -> None:
    require(Game.parse(game.name) == game, f"the name {game.name!r} does not parse to the same game")
    require(len(game.moves) == game.actions, f"there are {len(game.moves)} moves for {game.actions} actions")
    for index, move in enumerate(game.moves):
        require(int(move) == index, f"the move {move} at {index} has the index {int(move)}")
        for text in (str(move), str(move).upper(), f" {move} "):
            require(game.move(text) == index, f"{text!r} is read as {game.move(text)}")
        require(game.move(index) is move, f"the index {index} is read as {game.move(index)}")
        if move.is_pass:
            require(game.has_pass and index == game.size**2, f"{move} is an unexpected pass")
        else:
            row, column = divmod(index, game.size)
            require((move.row, move.column) == (row, column), f"{move} is at row {move.row}, column {move.column}")
            require(game.at(row, column) == move, f"at({row}, {column}) is {game.at(row, column)}")
    require(len({str(move) for move in game.moves}) == game.actions, "two moves share their notation")
    text = "".join(str(move) for move in game.moves)
    require(game.parse_moves(text) == list(game.moves), "the moves written in a row are not read back")
    require_error("a game name with an unknown key", lambda: Game.parse(f"{game.kind}:nothing=1"), GameNameError)


def _check_legality(p: Position) -> None:
    moves, mask = p.legal_moves(), p.legal_mask()
    require(mask.shape == (p.game.actions,) and mask.dtype == np.bool_, f"legal_mask is {mask.dtype} {mask.shape}")
    asked = [move for move in p.game.moves if p.is_legal(move)]
    require(moves == asked, f"legal_moves and is_legal differ on {_difference(moves, asked)}")
    masked = [p.game.moves[index] for index in np.flatnonzero(mask)]
    require(moves == masked, f"legal_moves and legal_mask differ on {_difference(moves, masked)}")
    require(bool(moves) is not p.is_over, "a game is over exactly when there is no legal move")
    for move in moves:
        require(move.is_pass or p.stone(move) is None, f"{move} is legal and taken")
        require(not move.is_pass or len(moves) == 1, "a pass is legal though there is another move")


def _difference(some: list[Move], others: list[Move]) -> str:
    return ", ".join(str(move) for move in sorted(set(some) ^ set(others))) or "their order"


def _check_outcome(p: Position) -> None:
    outcome = p.outcome()
    require((outcome is not None) is p.is_over, f"is_over is {p.is_over} and the outcome {outcome}")
    if outcome is None:
        return
    for move in outcome.line:
        require(p.stone(move) is outcome.winner, f"{move} of the winning line is not {outcome.winner}'s")
    if p.game.kind == "othello":
        black, white = p.score()
        ahead = None if black == white else Side.BLACK if black > white else Side.WHITE
        require(outcome.winner is ahead, f"{outcome.winner} wins with {black}-{white}")
    for side in Side:
        wanted = 0 if outcome.winner is None else 1 if outcome.winner is side else -1
        require(outcome.value(side) == wanted, f"the outcome {outcome} is worth {outcome.value(side)} to {side}")


def _check_copy(p: Position, rng: random.Random) -> None:
    before = Snapshot.of(p)
    twin = p.copy()
    require(twin == p, "a copy is not equal")
    before.require_of(twin, "copying")
    if not p.is_over:
        move = rng.choice(p.legal_moves())
        twin.play(move)
        before.require_of(p, f"playing {move} on a copy")
        after = Snapshot.of(twin)
        p.play(move)
        p.undo()
        after.require_of(twin, "playing on the original (seen in its copy)")
        require(twin != p, f"positions before and after {move} compare equal")
    if twin.ply:
        twin.undo()
        before.require_of(p, "undoing on a copy")


def _check_writing_down(p: Position) -> None:
    back = type(p).from_dict(json.loads(json.dumps(p.to_dict())))
    require(back == p, "from_dict(to_dict()) is another position")
    require(back.setup == p.setup, "from_dict(to_dict()) has another set-up")
    Snapshot.of(p).require_of(back, "to_dict and from_dict")
    if p.is_over:
        return
    cells = p.board().ravel()
    black, white = (np.flatnonzero(cells == code).tolist() for code in (1, 2))
    built = type(p).from_stones(p.game, black=black, white=white, to_move=p.to_move)
    require(built == p and built.hash == p.hash, "the same stones set up are another position")
    require_same("the mask of the same stones set up", built.legal_mask(), p.legal_mask())


def _check_symmetries(p: Position, rng: random.Random) -> None:
    images, maps = p.symmetries(), p.game.symmetry_maps()
    require(len(images) == len(maps) == 8, f"there are {len(images)} images and {len(maps)} maps")
    require(images[0] == p, "the first image is not the position itself")
    board, mask = p.board(), p.legal_mask()
    move = None if p.is_over else rng.choice(p.legal_moves())
    after = p.copy()
    if move is not None:
        after.play(move)
    for k, (image, where, later) in enumerate(zip(images, maps, after.symmetries(), strict=True)):
        with context(f"symmetry {k}"):
            require(sorted(where.tolist()) == list(range(p.game.actions)), "the map is no permutation")
            turned = np.rot90(np.fliplr(board) if k >= 4 else board, k % 4)
            require_same("the board", image.board(), turned)
            require_same("the mask", image.legal_mask()[where], mask)
            require(image.to_move is p.to_move, f"{image.to_move} is to move")
            mine, its = p.outcome(), image.outcome()
            require((mine and mine.winner) == (its and its.winner), f"the outcome is {its}, not {mine}")
            if move is not None:
                image.play(int(where[move]))
                require(image == later, f"playing {move} and then turning is not turning and then playing")


def _check_counts(p: Position) -> None:
    moves = p.legal_moves()
    leaves = 0
    for move in moves:
        p.play(move)
        leaves += 1 if p.is_over else len(p.legal_moves())
        p.undo()
    for depth, count in enumerate((1, len(moves), leaves)):
        require(p.core.perft(depth) == count, f"perft({depth}) is {p.core.perft(depth)}, and should be {count}")
