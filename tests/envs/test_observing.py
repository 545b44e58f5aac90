"""What one side sees, whoever is to move, against the slow definition."""

import random

import numpy as np
import pytest

from tengen import Position, Side
from tengen.envs._observing import lowest_value, planes_for
from tengen.games import ENCODINGS
from tengen.testing._planes import define_planes


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("game", ["gomoku:size=7", "othello:size=6"])
def test_either_side_sees_its_own_stones_first(game, encoding):
    position, rng = Position(game), random.Random(5)
    boards = [position.board()]
    while True:
        for side in Side:
            planes = planes_for(position, side, encoding)
            wanted = define_planes(encoding, boards, position.last_move, side)
            assert np.array_equal(planes, wanted)
            assert planes.dtype == np.float32
            assert planes.min() >= lowest_value(encoding)
            assert not np.signbit(planes[planes == 0]).any()
        if position.is_over:
            break
        position.play(rng.choice(position.legal_moves()))
        boards.insert(0, position.board())
