"""The page in a real browser: games in and out, as files, as text, as pictures."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from browsing import SEEN, Opened, Page, expect, kept_game, status

import tengen


def test_games_come_in_and_go_out(opened: Opened) -> None:
    page = opened("#analyse")
    page.evaluate("""() => {
        const take = CanvasRenderingContext2D.prototype.getImageData;
        let before = null;
        CanvasRenderingContext2D.prototype.getImageData = function (...place) {
            before?.data.fill(0);  // a frame is written before the next is drawn: all of them need too much memory
            return (before = take.apply(this, place));
        };
    }""")
    page.get_by_role("button", name="Import").click()
    sgf = "(;GM[4]SZ[15];B[h8](;W[i9];B[g7])(;W[g9]C[bold]))"
    page.get_by_label("Paste a game here").fill(sgf)
    page.get_by_role("button", name="Open").click()
    expect(page.locator(".main-line > .step")).to_have_count(3)
    expect(page.locator(".branch .step")).to_have_count(1)
    page.get_by_role("button", name="Export").click()
    saved = {}
    for name in ("sgf", "psq", "moves", "svg", "png", "gif"):
        with page.expect_download() as download:
            page.locator(f'[data-name="{name}"]').click()
        saved[name] = Path(download.value.path()).read_bytes()
    (record,) = tengen.records.loads(saved["sgf"], "sgf")
    assert [str(move) for move in record.position().moves] == ["h8", "i9", "g7"]
    assert len(record.root.children[0].children) == 2
    assert b"<svg" in saved["svg"]
    assert saved["png"].startswith(b"\x89PNG")
    _check_gif(saved["gif"])


def test_what_a_record_says_is_shown_and_written_again(opened: Opened) -> None:
    page = opened("#analyse")
    page.get_by_role("button", name="Import").click()
    sgf = "(;GM[4]SZ[15]PB[Ann]PW[Bob]RE[B+R]DT[2024-05-06]C[a fine game];B[h8];W[i9]C[too far\nfrom home])"
    page.get_by_label("Paste a game here").fill(sgf)
    page.get_by_role("button", name="Open").click()
    expect(page.locator(".record")).to_have_text("Ann – Bob · Black won, by resignation · 2024-05-06")
    comment = page.locator(".comment")
    expect(comment).to_have_text("too far from home")
    page.keyboard.press("ArrowLeft")
    expect(comment).to_be_hidden()
    page.reload()  # what is kept in the browser says it too
    expect(page.locator(".record")).to_contain_text("Ann – Bob")
    page.keyboard.press("Home")
    expect(comment).to_have_text("a fine game")
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.locator('[data-name="sgf"]').click()
    (before,), (after,) = tengen.records.loads(sgf, "sgf"), tengen.records.load(download.value.path(), format="sgf")
    assert after.headers["black"] == "Ann"
    assert after == before


def test_a_played_game_brings_its_players_and_its_end(opened: Opened) -> None:
    page = opened(game=kept_game("h8i9g7", second="minimax:depth=2", first="human"))
    status(page).to_have_text("Your turn")
    page.get_by_role("button", name="Analyse").click()
    expect(page.locator(".record")).to_have_text(re.compile("^You – [A-Z][a-z]+$"))
    page.get_by_role("link", name="Play").click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    status(page).to_have_text("You lost")
    page.get_by_role("button", name="Analyse").click()
    expect(page.locator(".record")).to_have_text(re.compile("^You – [A-Z][a-z]+ · White won, by resignation$"))
    page.get_by_role("button", name="Export").click()
    with page.expect_request("**/api/export") as asked:
        page.locator('[data-name="sgf"]').click()
    sent = asked.value.post_data_json
    assert (sent["result"], sent["headers"]["black"]) == ("white by resignation", "You")


@pytest.mark.parametrize(
    ("shown", "text", "game"),
    [
        ("gomoku", "(;GM[4]SZ[15]RU[renju];B[h8];W[i9])", "renju"),
        ("renju", "(;GM[4]SZ[15]RU[freestyle];B[h8];W[i9])", "gomoku"),
        ("renju", "(;GM[4]SZ[15];B[h8];W[i9])", "renju"),
        ("gomoku", "(;GM[2]SZ[8];B[f5];W[d6])", "othello"),
        ("othello", "(;GM[4]SZ[19];B[h8];W[i9])", "gomoku:size=19"),
        ("renju", "Piskvorky 15x15, 11:11, 0\n8,8,10\n9,9,10\n", "renju"),
        ("renju", "h8i9", "renju"),
        ("gomoku", "f5d6", "gomoku"),
        ("othello", "f5d6", "othello"),
        ("gomoku:rule=standard", "a1a3b1b3c1c3e1e3f1f3d1h9", "gomoku:rule=standard"),  # six, which wins elsewhere
    ],
)
def test_a_file_says_its_game_and_the_board_what_it_leaves_open(
    opened: Opened, shown: str, text: str, game: str
) -> None:
    page = opened(f"#analyse/{shown}/", quiet=False)
    expect(page.locator(".standing")).to_contain_text("Black to move")
    page.get_by_role("button", name="Import").click()
    page.get_by_label("Paste a game here").fill(text)
    page.get_by_role("button", name="Open").click()
    expect(page).to_have_url(re.compile(rf"#analyse/{re.escape(game)}/[a-z]"))


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "No game is found in this. It may be in SGF"), ("zh", "认不出这是什么棋谱。可用 SGF")],
)
def test_what_is_no_record_is_told_in_plain_words(opened: Opened, language: str, words: str) -> None:
    page = opened("#analyse", settings={"language": language}, quiet=False)
    page.locator("[data-name=import]").click()
    box = page.get_by_role("dialog")
    expect(box.locator(".about")).to_contain_text("RenLib")
    for text in ("hello world", ""):
        box.locator("textarea").fill(text)
        with page.expect_response("**/api/import*"):
            box.locator("[type=submit]").click()
        trouble = page.locator(".toast.bad")
        expect(trouble).to_contain_text(words)
        expect(trouble).not_to_contain_text("byte")
        page.evaluate("document.querySelector('.toast.bad').remove()")


@pytest.mark.parametrize(
    ("address", "refused"),
    [
        ("gomoku/h8i9", {}),
        ("gomoku//black=h8,white=,to=white", {"psq": "PSQ, TXT: not for", "moves": "set up"}),
        ("othello/f5d6", {"wthor": "WTHOR: only for a finished game."}),
        ("othello:size=6/", {"wthor": "WTHOR: only for 8×8 and 10×10."}),
        ("othello/e6f4e3f6g5d6e7f5c5", {}),  # all white discs are gone
    ],
)
def test_what_cannot_be_written_is_not_offered(opened: Opened, address: str, refused: dict[str, str]) -> None:
    page = opened(f"#analyse/{address}")
    expect(page.locator(".standing")).to_contain_text(re.compile("to move|won"))
    page.get_by_role("button", name="Export").click()
    box = page.get_by_role("dialog")
    expect(box.locator("button:disabled")).to_have_count(len(refused))
    for name, reason in refused.items():
        expect(box.locator(f'[data-name="{name}"]')).to_be_disabled()
        expect(box).to_contain_text(reason)


def _check_gif(data: bytes) -> None:
    """Four positions; another decoder sees the stones come one by one."""
    image_module = pytest.importorskip("PIL.Image")
    image = image_module.open(io.BytesIO(data))
    assert image.size == (480, 480)
    assert image.n_frames == 4
    dark = []
    for number in range(4):
        image.seek(number)
        grey = image.convert("L").tobytes()
        dark.append(sum(value < 60 for value in grey))
    assert dark[0] < dark[1] - 300
    assert abs(dark[2] - dark[1]) < 200
    assert dark[2] < dark[3] - 300


def drop(page: Page, text: str) -> None:
    page.evaluate(
        """(text) => {
            const data = new DataTransfer();
            data.items.add(new File([text], "games.txt"));
            const drop = new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true});
            document.querySelector("main").dispatchEvent(drop);
        }""",
        text,
    )


def test_a_dropped_file_and_a_pasted_text_are_read(opened: Opened) -> None:
    page = opened(game=kept_game(game="renju"))  # a file goes from Play to Analyse
    expect(page.locator(".title")).to_have_text("Renju 15×15")
    drop(page, "h8 i9 g7")
    expect(page.locator(".step")).to_have_count(3)
    expect(page).to_have_url(re.compile("#analyse/renju/h8i9g7$"))
    drop(page, "h8")
    expect(page.locator(".step")).to_have_count(1)
    page.evaluate(
        """() => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", "h8 i9");
            document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData, bubbles: true}));
        }"""
    )
    expect(page.locator(".step")).to_have_count(2)


def paste(page: Page, where: str, *, text: str = "", picture: bool = False) -> None:
    page.evaluate(
        """([where, text, picture]) => {
            const clipboardData = new DataTransfer();
            if (text) clipboardData.setData("text/plain", text);
            if (picture) clipboardData.items.add(new File(["a picture"], "image.png", {type: "image/png"}));
            const paste = new ClipboardEvent("paste", {clipboardData, bubbles: true, cancelable: true});
            document.querySelector(where).dispatchEvent(paste);
        }""",
        [where, text, picture],
    )


def test_moves_that_are_not_on_the_board_shown_are_of_another_game(opened: Opened) -> None:
    page = opened("#analyse/othello/f5", quiet=False)
    expect(page.locator(".step")).to_have_count(1)
    paste(page, "body", text="h8 i9 j10 g9")
    expect(page).to_have_url(re.compile("#analyse/gomoku/h8i9j10g9$"))
    page.evaluate("location.hash = '#analyse/othello/f5'")
    expect(page.locator(".step")).to_have_count(1)
    paste(page, "body", text="f5 h8")  # a slip, and no game of another kind
    expect(page.locator(".toast.bad")).to_contain_text("h8")
    expect(page).to_have_url(re.compile("#analyse/othello/f5$"))
    paste(page, "body", text="f5 d6")
    expect(page.locator(".step")).to_have_count(2)
    assert page.locator(".toast.bad").count() == 0  # it was mended


def test_a_record_of_go_is_said_to_be_read_as_another_game(opened: Opened) -> None:
    page = opened("#analyse/renju:size=19", quiet=False)
    paste(page, "body", text="(;GM[1]SZ[19]PB[Lee];B[pd];W[dp])")
    expect(page.locator(".toasts")).to_contain_text("A record of Go, read as Renju 19×19.")
    expect(page.locator(".step")).to_have_count(2)


@pytest.mark.parametrize("way", ["drop", "paste"])
@pytest.mark.parametrize("view", ["play", "watch", "analyse"])
def test_one_of_several_games_is_chosen_in_any_view(opened: Opened, view: str, way: str) -> None:
    page = opened(f"#{view}", game=kept_game())
    expect(page.locator(f"nav [data-name={view}]")).to_have_attribute("aria-current", "page")
    games = "".join(f"(;GM[4]SZ[15]PB[{name}];B[h8];W[{move}])" for name, move in (("Ann", "i9"), ("Bob", "g7")))
    box = page.get_by_role("dialog")
    for _ in range(2):  # who chooses none stays there
        paste(page, "body", text=games) if way == "paste" else drop(page, games)
        expect(box.get_by_role("heading")).to_have_text("2 games: choose one")
        page.keyboard.press("Escape")
        expect(box).to_have_count(0)
        expect(page.locator(f"nav [data-name={view}]")).to_have_attribute("aria-current", "page")
    paste(page, "body", text=games) if way == "paste" else drop(page, games)
    box.get_by_role("button", name="2. Bob").click()
    expect(box).to_have_count(0)
    expect(page).to_have_url(re.compile("#analyse/gomoku/h8g7$"))
    expect(page.locator(".record")).to_contain_text("Bob")


def test_of_very_many_games_the_first_are_to_choose_from(opened: Opened) -> None:
    page = opened("#analyse")
    paste(page, "body", text="(;GM[4]SZ[15];B[h8])" * 150)
    box = page.get_by_role("dialog")
    expect(box.get_by_role("heading")).to_have_text("The first 100 games: choose one")
    expect(box.locator(".games button")).to_have_count(100)


def test_pasting_works_in_play_and_in_the_dialog(opened: Opened) -> None:
    page = opened(game=kept_game(game="renju"))
    expect(page.locator(".title")).to_have_text("Renju 15×15")
    page.get_by_title("New game").click()
    paste(page, "dialog h2", text="h8 i9 g7")  # a dialog about something else
    page.keyboard.press("Escape")
    expect(page.locator(".title")).to_be_visible()
    paste(page, "body", text="h8 i9 g7")
    expect(page).to_have_url(re.compile("#analyse/renju/h8i9g7$"))
    answer = SEEN | {"to_move": "white", "sure": True, "doubts": [], "remarks": []}
    page.route("**/api/see", lambda route: route.fulfill(json=answer))
    for where, more in (("dialog h2", {"text": "h8 i9"}), ("textarea", {"picture": True})):
        page.get_by_role("button", name="Import").click()
        paste(page, where, **more)
        expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page).to_have_url(re.compile("#analyse/renju//black=h8c3,white=,to=white$"))
    page.get_by_role("button", name="Import").click()
    page.locator("textarea").focus()
    paste(page, "textarea", text="h8")  # a field takes its text itself
    expect(page.get_by_role("dialog")).to_be_visible()
