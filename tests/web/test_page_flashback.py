"""The page in a real browser: looking back at earlier positions of the game that is played."""

from __future__ import annotations

from browsing import PHONE, Opened, Page, expect, kept_game, moves_of, point, status

MOVES = ["h8", "i9", "g7", "j10", "f6"]
LONG = "".join(f"{column}{row}" for column in "abcdefghijklmno" for row in (1, 2, 4, 5, 7, 9, 10))  # nobody has five


def stands(page: Page, count: int) -> None:
    """The board shows so many moves."""
    for move, what in [(move, "black" if i % 2 == 0 else "white") for i, move in enumerate(MOVES)]:
        shown = what if MOVES.index(move) < count else "empty"
        expect(point(page, move)).to_have_attribute("aria-label", f"{move}, {shown}")


def test_a_click_on_a_move_shows_the_position_after_it(opened: Opened) -> None:
    page = opened(game=kept_game("".join(MOVES)))
    status(page).to_have_text("White to move")
    listed = page.locator(".moves .move")
    expect(page.locator(".moves [aria-current]")).to_have_text("f6")
    listed.nth(1).click()
    status(page).to_have_text("Move 2 of 5")
    stands(page, 2)
    expect(page.locator(".moves [aria-current]")).to_have_text("i9")
    expect(page.locator("#said")).to_have_text("Move 2 of 5, i9")
    point(page, "a1").click()  # the past is not played on
    page.get_by_role("button", name="Back to the game").click()
    status(page).to_have_text("White to move")
    stands(page, 5)
    assert moves_of(page) == MOVES
    point(page, "a1").click()
    status(page).to_have_text("Black to move")
    assert moves_of(page) == [*MOVES, "a1"]


def test_buttons_and_keys_walk_through_the_game(opened: Opened) -> None:
    page = opened(game=kept_game("".join(MOVES)))
    status(page).to_have_text("White to move")
    names = {"First move": 0, "Next": 1, "Last move": 5, "Previous": 4}
    for name in ("Next", "Last move"):
        expect(page.get_by_role("button", name=name)).to_be_disabled()
    for name, count in names.items():
        page.get_by_role("button", name=name, exact=True).click()
        stands(page, count)
    page.evaluate("document.activeElement.blur()")
    for key, count in {
        "Home": 0,
        "PageDown": 1,
        "ArrowRight": 2,
        "ArrowLeft": 1,
        "End": 5,
        "PageUp": 4,
        "Escape": 5,
    }.items():
        page.keyboard.press(key)
        stands(page, count)
    status(page).to_have_text("White to move")
    page.locator(".moves .move").nth(2).focus()
    page.keyboard.press("ArrowLeft")
    stands(page, 4)
    expect(page.locator(".moves [aria-current]")).to_be_focused()


def test_a_game_goes_on_while_one_looks_back(opened: Opened) -> None:
    page = opened(game=kept_game("h8i9", first="greedy", second="random"))
    page.get_by_role("button", name="Pause").click()
    status(page).to_have_text("Paused")
    count = len(moves_of(page))
    page.locator(".moves .move").first.click()
    status(page).to_have_text(f"Move 1 of {count}")
    page.get_by_role("button", name="Step").click()
    status(page).to_have_text(f"Move 1 of {count + 1}")
    assert page.locator(".board circle[fill='url(#white)']").count() == 0
    page.get_by_role("button", name="Undo").click()  # of the game as it stands
    status(page).to_have_text("Paused")
    expect(page.locator(".moves .move")).to_have_count(count)


def test_looking_back_moves_nothing_but_stones(opened: Opened) -> None:
    over = kept_game("a1i9b1i8c1i7d1i6e1")
    for game, options in (
        (kept_game("".join(MOVES)), {}),
        (kept_game("".join(MOVES)), PHONE),
        (over, {}),
        (over, PHONE),
    ):
        page = opened(game=game, **options)
        back = page.get_by_role("button", name="Previous", exact=True)
        expect(back).to_be_enabled()
        back.scroll_into_view_if_needed()
        before = back.bounding_box()
        back.click()
        status(page).to_have_text("Move 8 of 9" if game is over else "Move 4 of 5")
        assert back.bounding_box() == before


def test_the_move_that_is_shown_is_in_sight_in_a_long_list(opened: Opened) -> None:
    page = opened(game=kept_game(LONG))
    listed, current = page.locator(".moves"), page.locator(".moves [aria-current]")
    for address in ("play", "analyse", "play"):  # the last is drawn before it is on the page
        page.get_by_role("link", name=address.capitalize()).click()
    expect(listed.locator(".move")).to_have_count(105)
    expect(current).to_have_text("o10")
    page.wait_for_function("list => list.scrollTop > 0", arg=listed.element_handle())
    frame, inside = listed.bounding_box(), current.bounding_box()
    assert frame is not None
    assert inside is not None
    assert frame["y"] <= inside["y"]
    assert inside["y"] + inside["height"] <= frame["y"] + frame["height"]
    gap = """row => {
        const number = document.createRange();
        number.selectNodeContents(row.querySelector(".ply"));
        const move = document.createRange();
        move.selectNodeContents(row.querySelector(".move"));
        return move.getBoundingClientRect().left - number.getBoundingClientRect().right;
    }"""
    assert listed.locator("li").last.evaluate(gap) > 8


def test_the_look_back_is_turned_too(opened: Opened) -> None:
    page = opened(game=kept_game("".join(MOVES)))
    page.locator(".moves .move").nth(2).click()
    stands(page, 3)
    page.keyboard.press("r")
    stands(page, 3)
    corner, other = point(page, "a1").bounding_box(), point(page, "a15").bounding_box()
    assert corner is not None
    assert other is not None
    assert corner["y"] == other["y"]
