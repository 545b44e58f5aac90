"""Every listed game passes, and every broken one is caught for the right reason."""

from collections.abc import Callable

import numpy as np
import pytest

from tengen import Game, IllegalMoveError, Outcome, Position, Reason, Side, TengenError
from tengen.envs import VectorEnv
from tengen.games import GAMES
from tengen.testing import ComplianceError, check_game

SMALL = "gomoku:size=7"
OTHELLO = "othello:size=6"


@pytest.mark.parametrize("game", GAMES)
def test_every_listed_game(game):
    check_game(game)


@pytest.mark.parametrize("game", ["gomoku:size=22,win=6", "gomoku:rule=caro,size=6", "renju:size=9"])
def test_other_options(game):
    check_game(game, games=1, seed=3)


class ForgetsAMove(Position):
    def legal_moves(self):
        return super().legal_moves()[1:] if self.ply == 5 else super().legal_moves()


class ForgetsInTheMask(Position):
    def legal_mask(self):
        mask = super().legal_mask()
        mask[3] = False
        return mask


class MaskOfNumbers(Position):
    def legal_mask(self):
        return super().legal_mask().astype(np.int8)


class SaysYes(Position):
    def is_legal(self, move):
        return super().is_legal(move) or (self.ply == 4 and move == self.last_move)


class PlaysAnything(Position):
    def play(self, move):
        try:
            return super().play(move)
        except IllegalMoveError:
            return self.game.moves[0]


class WrongError(Position):
    def play(self, move):
        try:
            return super().play(move)
        except IllegalMoveError:
            raise KeyError(move) from None


class RefusesButChanges(Position):
    def play(self, move):
        if not self.is_over and not self.is_legal(move):
            super().play(self.legal_moves()[0])
        return super().play(move)


class ReturnsAnotherMove(Position):
    def play(self, move):
        super().play(move)
        return self.game.moves[0]


class UndoesTooMuch(Position):
    def undo(self):
        last = super().undo()
        if self.ply == 7:
            super().undo()
        return last


class SharedCopy(Position):
    def copy(self):
        return self


class EndsEarly(Position):
    def outcome(self):
        return Outcome(None, Reason.AGREEMENT) if self.ply == 4 else super().outcome()


class WrongWinner(Position):
    def outcome(self):
        outcome = super().outcome()
        return outcome and Outcome(Side.WHITE if outcome.winner is not Side.WHITE else Side.BLACK, outcome.reason)


class LinelessWinner(Position):
    def outcome(self):
        outcome = super().outcome()
        return outcome and Outcome(outcome.winner, outcome.reason, self.game.moves[:5])


class ForgetsWhenWritten(Position):
    def to_dict(self):
        data = super().to_dict()
        data["moves"] = data["moves"][:-1]
        return data


class NotJson(Position):
    def to_dict(self):
        return {**super().to_dict(), "moves": set(self.moves)}


class SetUpWithColoursSwapped(Position):
    @classmethod
    def from_stones(cls, game="gomoku", *, black=(), white=(), **options):
        return super().from_stones(game, black=white, white=black, **options)


class NeverTurns(Position):
    def symmetries(self):
        return [self.copy() for _ in range(8)]


class SevenSymmetries(Position):
    def symmetries(self):
        return super().symmetries()[:7]


class ConstantHash(Position):
    @property
    def hash(self):
        return 1


class HashOfTheOrder(Position):
    @property
    def hash(self):
        return hash(tuple(int(move) for move in self.moves))


class HashOfTheOrderOnce(Position):
    """Wrong only where the checks that replay the game do not look."""

    @property
    def hash(self):
        return super().hash + (self.ply == 3 and self.moves[0] > self.moves[2])


class CannotUndoTheEnd(Position):
    def undo(self):
        if self.is_over:
            super().undo()
        return super().undo()


class AlwaysEqual(Position):
    __hash__ = None

    def __eq__(self, other):
        return True


class NeverEqual(Position):
    __hash__ = None

    def __eq__(self, other):
        return False


class OffByOnePly(Position):
    @property
    def ply(self):
        return super().ply + 1


class DoesNotCount(Position):
    @property
    def core(self):
        return Miscounting(super().core)


class Miscounting:
    def __init__(self, board):
        self.board = board

    def perft(self, depth):
        return self.board.perft(depth) + (depth == 2)


def broken_planes(encoding, change: Callable[[np.ndarray], np.ndarray]):
    class BrokenPlanes(Position):
        def planes(self, wanted="s0"):
            planes = super().planes(wanted)
            return change(planes) if wanted == encoding and self.ply == 6 else planes

    return BrokenPlanes


BROKEN = [
    (ForgetsAMove, "legal_moves and is_legal differ"),
    (ForgetsInTheMask, "legal_moves and legal_mask differ on d7"),
    (MaskOfNumbers, "legal_mask is int8"),
    (SaysYes, "legal_moves and is_legal differ"),
    (PlaysAnything, "which is illegal, gave .* and did not raise IllegalMoveError"),
    (WrongError, "raised KeyError .* and not IllegalMoveError"),
    (RefusesButChanges, "a refused move changed hash, board"),
    (ReturnsAnotherMove, r"play\(.*\) returned a7"),
    (UndoesTooMuch, "taking it back changed|changed hash"),
    (SharedCopy, "on a copy changed"),
    (EndsEarly, "is_over is False and the outcome draw"),
    (LinelessWinner, "of the winning line is not"),
    (ForgetsWhenWritten, "is another position"),
    (NotJson, "TypeError: .*not JSON serializable"),
    (SetUpWithColoursSwapped, "the same stones set up are another position"),
    (NeverTurns, "symmetry 1: the board|symmetry 1: playing .* and then turning"),
    (SevenSymmetries, "there are 7 images"),
    (ConstantHash, "two different positions have the same hash"),
    (HashOfTheOrder, "one position has two hashes|another position"),
    (HashOfTheOrderOnce, "one position has two hashes"),
    (CannotUndoTheEnd, "undoing the whole game: coming back to ply"),
    (AlwaysEqual, "compare equal"),
    (NeverEqual, "a copy is not equal"),
    (OffByOnePly, "ply is 1 after 0 moves"),
    (DoesNotCount, r"perft\(2\) is 2353, and should be 2352"),
    (broken_planes("s0", lambda planes: planes[::-1]), "planes s0"),
    (broken_planes("s1", lambda planes: -planes), "planes s1"),
    (broken_planes("s2", lambda planes: planes[[0, 2, 1]]), "planes s2"),
    (broken_planes("s3", lambda planes: 1 - planes), "planes s3"),
    (broken_planes("s4", lambda planes: np.roll(planes, 2, axis=0)), "planes s4"),
    (broken_planes("s0", lambda planes: planes.astype(np.float64)), "planes s0: float64"),
    (broken_planes("s0", lambda planes: planes[:1]), "planes s0 have the shape"),
]


@pytest.mark.parametrize(("position", "message"), BROKEN, ids=lambda value: getattr(value, "__name__", ""))
def test_a_broken_game_is_caught(position, message):
    with pytest.raises(ComplianceError, match=message) as caught:
        check_game(SMALL, position=position)
    assert str(caught.value).startswith("gomoku:size=7: ")


def test_a_wrong_winner_is_caught():
    with pytest.raises(ComplianceError, match="wins with"):
        check_game(OTHELLO, position=WrongWinner)


def test_broken_notation_is_caught(monkeypatch):
    read = Game._parse_move

    def mirrored(self, text):
        move = read(self, text)
        return self.at(move.row, self.size - 1 - move.column)

    monkeypatch.setattr(Game, "_parse_move", mirrored)
    with pytest.raises(ComplianceError, match="names: 'a7' is read as g7"):
        check_game(SMALL)


def test_a_broken_symmetry_map_is_caught(monkeypatch):
    maps = Game.parse(SMALL).symmetry_maps().copy()
    maps[3, 0] = maps[3, 1]
    monkeypatch.setattr(Game, "symmetry_maps", lambda self: maps)
    with pytest.raises(ComplianceError, match="symmetry 3: "):
        check_game(SMALL)


def test_a_game_that_takes_its_last_move_back_is_caught():
    class Reluctant(Position):
        """Takes its last move back instead of ending."""

        def play(self, move):
            played = super().play(move)
            if super().is_over:
                self.undo()
            return played

    with pytest.raises(ComplianceError, match="ply is"):
        check_game(SMALL, position=Reluctant)


class WrongSign(VectorEnv):
    @property
    def reward(self):
        return -super().reward


class StaleMask(VectorEnv):
    @property
    def mask(self):
        mask = super().mask.copy()
        mask[0, 0] = True
        return mask


class NeverEnds(VectorEnv):
    @property
    def ended(self):
        return np.zeros_like(super().ended)


class BlackForever(VectorEnv):
    @property
    def to_move(self):
        return np.zeros_like(super().to_move)


class TransposedPlanes(VectorEnv):
    @property
    def planes(self):
        return super().planes.swapaxes(2, 3)


class NeverResets(VectorEnv):
    def reset(self):
        return self._views


class ForgetfulHistory(VectorEnv):
    def history(self, game):
        return super().history(game)[:-1]


class IgnoresIllegal(VectorEnv):
    def step(self, actions):
        try:
            return super().step(actions)
        except TengenError:
            return super().step(self.sample_actions())


class NamesNoGame(VectorEnv):
    def step(self, actions):
        try:
            return super().step(actions)
        except TengenError as error:
            raise type(error)("no") from None


class MovesBeforeRefusing(VectorEnv):
    def step(self, actions):
        try:
            return super().step(actions)
        except TengenError:
            super().step(self.sample_actions())
            raise


class SeedlessSamples(VectorEnv):
    def __init__(self, game, num_games, *, encoding, seed):
        super().__init__(game, num_games, encoding=encoding, seed=int(np.random.default_rng().integers(2**60)))


@pytest.mark.parametrize(
    ("vector_env", "message"),
    [
        (WrongSign, "reward"),
        (StaleMask, "mask: "),
        (NeverEnds, "ended"),
        (BlackForever, "to_move: "),
        (TransposedPlanes, "planes: "),
        (NeverResets, r"after reset\(\): mask"),
        (ForgetfulHistory, "the history is"),
        (IgnoresIllegal, "is illegal and was played"),
        (NamesNoGame, "does not name game 2"),
        (MovesBeforeRefusing, "a refused step changed mask, to_move"),
        (SeedlessSamples, "a twin with the same seed"),
    ],
)
def test_a_broken_vector_environment_is_caught(vector_env, message):
    with pytest.raises(ComplianceError, match=f"vector environment, encoding .*{message}"):
        check_game(OTHELLO, games=0, vector_env=vector_env)
