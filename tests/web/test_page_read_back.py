"""The page in a real browser, read back by `tengen.vision`: a screenshot of each of its boards is a position again."""

from __future__ import annotations

import random

import pytest
from browsing import Opened, expect

import tengen

pytest.importorskip("cv2", reason="pictures need the extra `vision`")
pytest.importorskip("onnxruntime")

from tengen.vision import see

BOARDS = ("wood", "paper", "dark")
GAMES = ("gomoku", "gomoku:size=19", "othello")
PHONE = {"width": 390, "height": 844}


def played(game: str, moves: int, seed: int) -> tengen.Position:
    """A game that is not over."""
    chance = random.Random(seed)
    while True:
        position = tengen.Position(game)
        while position.ply < moves and not position.is_over:
            position.play(chance.choice(position.legal_moves()))
        if not position.is_over and "pass" not in map(str, position.moves):
            return position


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("board", BOARDS)
def test_a_screenshot_of_the_page_is_read_back(opened: Opened, board: str, game: str) -> None:
    for seed, (numbers, theme, viewport) in enumerate(
        [(False, "light", None), (True, "dark", None), (False, "dark", PHONE)]
    ):
        position = played(game, 21 + 7 * seed, seed)
        link = f"#analyse/{game}/{''.join(map(str, position.moves))}"
        size = {} if viewport is None else {"viewport": viewport}
        page = opened(link, settings={"board": board, "numbers": numbers, "theme": theme}, **size)
        stones = int((position.board() > 0).sum())
        expect(page.locator("[aria-label$=', black'], [aria-label$=', white']")).to_have_count(stones)
        seen = see(page.screenshot())
        assert seen.game.kind == position.game.kind
        assert seen.size == position.size
        assert (seen.cells == position.board()).all()
        assert seen.to_move == position.to_move
