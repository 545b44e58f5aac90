"""The page in a real browser: analysing."""

from __future__ import annotations

import io
import random
import re
from pathlib import Path
from typing import Any

import pytest
from browsing import Opened, expect, kept_game, moves_of, point, status

import tengen


def test_analysis_appears_and_stops(opened: Opened) -> None:
    page = opened("#play")
    heard: list[str] = []
    said: list[str] = []

    def overhear(tab: Any) -> None:
        tab.on("framereceived", lambda frame: heard.append(str(frame)))
        tab.on("framesent", lambda frame: said.append(str(frame)))

    page.on("websocket", overhear)
    page.goto(page.url.replace("#play", "#analyse/gomoku:rule=standard/h8i9g9h10"))
    page.reload()  # a connection that is listened to from its start
    page.get_by_role("switch", name="Analysis").click()
    expect(page.locator(".line").first).to_be_visible()
    expect(page.locator("[name=lines] option")).to_contain_text(["1 line", "2 lines"])
    expect(page.locator(".stats")).to_contain_text("nodes")
    expect(page.locator(".board circle[fill='#2f6fb0']")).to_have_count(1)
    page.locator(".line").first.hover()
    expect(page.locator(".board g[opacity='.68']").first).to_be_attached()
    page.mouse.move(2, 2)
    page.get_by_role("switch", name="Analysis").click()
    page.wait_for_timeout(400)
    shown, count = page.locator(".found").text_content(), len(heard)
    assert any('"analysis"' in message for message in heard)
    assert said[-1] == '{"do":"stop"}'
    page.wait_for_timeout(1000)
    assert len(heard) == count  # the server thinks no more
    assert page.locator(".found").text_content() == shown


def test_analysis_goes_on_in_another_dress(opened: Opened) -> None:
    page = opened("#analyse/gomoku:rule=standard/h8i9")
    page.get_by_role("switch", name="Analysis").click()
    expect(page.locator(".line").first).to_be_visible()
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("dialog").get_by_role("radio", name="Paper").check()
    page.keyboard.press("Escape")
    expect(page.get_by_role("switch", name="Analysis")).to_be_checked()
    expect(page.locator(".line").first).to_be_visible()
    page.get_by_role("link", name="Play").click()
    page.get_by_role("link", name="Analyse").click()
    expect(page.get_by_role("switch", name="Analysis")).not_to_be_checked()
    expect(page.locator(".step")).to_have_count(2)


def test_a_proven_win_is_told_and_played_from_the_line(opened: Opened) -> None:
    page = opened("#analyse/gomoku/h8a1i8a2j8a3k8a4")
    page.get_by_role("switch", name="Analysis").click()
    expect(page.locator(".chip.won").first).to_have_text("wins in 1")
    page.locator(".line").first.click()
    expect(page.locator(".standing")).to_contain_text("Black won")
    expect(page.locator(".lines")).to_have_text("The game is over here.")


def test_variations_grow_and_are_deleted_and_the_address_follows(opened: Opened) -> None:
    page = opened("#analyse/gomoku/h8i9")
    expect(page.locator(".step")).to_have_count(2)
    point(page, "g7").click()
    expect(page).to_have_url(re.compile(r"#analyse/gomoku/h8i9g7$"))
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(r"#analyse/gomoku/h8i9$"))
    point(page, "j10").click()
    expect(page.locator(".branch .step")).to_have_text("3 j10")
    page.reload()
    expect(page.locator(".branch .step[aria-current]")).to_have_text("3 j10")
    page.get_by_role("button", name="Delete from here").click()
    expect(page.locator(".branch")).to_have_count(0)
    expect(page.locator(".step")).to_have_count(3)


def test_a_link_can_be_shared(opened: Opened) -> None:
    page = opened("#analyse/renju/h8i9/black=a1c1,white=b2,to=white")
    expect(page.locator(".standing")).to_contain_text("White to move")
    shared = page.url
    other = opened(shared[shared.index("#") :])
    expect(point(other, "c1")).to_have_attribute("aria-label", "c1, black")
    expect(point(other, "h8")).to_have_attribute("aria-label", "h8, white")
    assert other.url == shared
    for address in ("#analyse/gomoku/h8h8", "#analyse/%zz"):
        bad = opened(address, quiet=False)
        expect(bad.locator(".toast.bad")).to_be_visible()
        expect(bad.locator(".standing")).to_contain_text("Black to move")


def test_a_picture_becomes_a_position(opened: Opened, tmp_path: Path) -> None:
    numpy, cv2 = pytest.importorskip("numpy"), pytest.importorskip("cv2")
    from tengen.vision.drawing import draw_screenshot

    picture = draw_screenshot(numpy.random.default_rng(1), theme="wood-classic", size=15)
    cv2.imwrite(str(tmp_path / "board.png"), picture.image[..., ::-1])
    page = opened("#analyse")
    page.get_by_role("button", name="Import").click()
    page.locator("input[name=file]").set_input_files(tmp_path / "board.png")
    for code, colour in ((1, "black"), (2, "white")):
        wanted = int((picture.truth.cells == code).sum())
        expect(page.locator(f"[aria-label$=', {colour}']")).to_have_count(wanted)


def test_the_graph_reviews_the_game_and_jumps(opened: Opened) -> None:
    page = opened("#analyse/gomoku:rule=standard/h8i9g9")
    page.get_by_role("button", name="Review game").click()
    expect(page.get_by_role("button", name="Review game")).to_be_visible()
    expect(page.locator(".graph .curve")).to_have_attribute("d", re.compile(r"^M[^L]+L[^L]+L[^L]+L[^L]+$"))
    slider = page.get_by_role("slider", name="Evaluation")
    slider.fill("1")
    expect(page).to_have_url(re.compile(r"gomoku:rule=standard/h8$"))
    expect(slider).to_have_attribute("aria-valuetext", re.compile(r"1, Black \d+ %"))


def test_games_come_in_and_go_out(opened: Opened) -> None:
    page = opened("#analyse")
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


def test_a_dropped_file_and_a_pasted_text_are_read(opened: Opened) -> None:
    page = opened(game=kept_game(game="renju"))  # a file goes from Play to Analyse
    expect(page.locator(".title")).to_have_text("Renju 15×15")
    page.evaluate(
        """() => {
            const data = new DataTransfer();
            data.items.add(new File(["h8 i9 g7"], "game.txt"));
            const drop = new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true});
            document.querySelector("main").dispatchEvent(drop);
        }"""
    )
    expect(page.locator(".step")).to_have_count(3)
    expect(page).to_have_url(re.compile("#analyse/renju/h8i9g7$"))
    page.evaluate(
        """() => {
            const data = new DataTransfer();
            data.items.add(new File(["h8"], "game.txt"));
            const drop = new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true});
            document.querySelector("main").dispatchEvent(drop);
        }"""
    )
    expect(page.locator(".step")).to_have_count(1)
    page.evaluate(
        """() => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", "h8 i9");
            document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData, bubbles: true}));
        }"""
    )
    expect(page.locator(".step")).to_have_count(2)


def test_a_game_is_played_on_and_looked_at_again(opened: Opened) -> None:
    page = opened("#analyse/gomoku/h8a1i8a2j8a3/black=c3,white=d4,to=white")
    expect(page.locator(".standing")).to_contain_text("White to move")
    page.get_by_role("button", name="Play from here").click()
    box = page.get_by_role("dialog")
    expect(box.get_by_role("radio", name="White")).to_be_checked()
    box.get_by_label("Level").fill("5")
    box.get_by_role("button", name="Start game").click()
    status(page).to_have_text("Your turn")
    expect(page.locator(".seat").nth(0)).to_contain_text("Level 5")
    expect(point(page, "c3")).to_have_attribute("aria-label", "c3, black")
    point(page, "k8").click()
    expect(page.locator(".moves .move")).to_have_count(8)  # the reply stops the four at g8 or l8
    assert moves_of(page)[6] == "k8"
    page.reload()
    status(page).to_have_text("Your turn")
    page.get_by_role("button", name="Analyse").click()
    expect(page).to_have_url(re.compile("#analyse/gomoku/h8a1i8a2j8a3k8(g8|l8)/black=c3,white=d4,to=white$"))
    expect(page.locator(".step")).to_have_count(8)


def test_a_finished_game_is_not_played_on(opened: Opened) -> None:
    page = opened("#analyse/gomoku/h8a1i8a2j8a3k8a4l8")
    expect(page.locator(".standing")).to_contain_text("Black won")
    page.get_by_role("button", name="Play from here").click()
    expect(page.locator(".toast")).to_have_text("The game is over here.")


def test_a_line_of_othello_turns_discs_in_its_preview(opened: Opened) -> None:
    chance, position = random.Random(6), tengen.Position("othello:size=6")
    while position.ply < 22:
        position.play(chance.choice(position.legal_moves()))
    before = labels(position)
    page = opened("#analyse/othello:size=6/" + "".join(str(move) for move in position.moves))
    page.locator("select[name=engine]").select_option("alphabeta")
    page.get_by_role("switch", name="Analysis").click()
    expect(page.locator(".chip").first).to_have_text(re.compile(r"^[+−]?\d+$|wins|loses"))  # solved: it stays as it is
    moves = page.locator(".line").first.locator("[data-at]")
    expect(moves.nth(3)).to_be_attached()
    for at in range(4):
        position.play(moves.nth(at).text_content() or "")
    moves.nth(3).hover()
    for move, label in labels(position).items():
        expect(point(page, move)).to_have_attribute("aria-label", label)
    assert any(
        "empty" not in before[move] and before[move] != label for move, label in labels(position).items()
    )  # discs were turned
    page.mouse.move(2, 2)
    for move, label in before.items():
        expect(point(page, move)).to_have_attribute("aria-label", label)


def labels(position: tengen.Position) -> dict[str, str]:
    """What each point is called."""
    codes = position.board().ravel().tolist()
    names = [str(move) for move in position.game.moves]
    return {name: f"{name}, {('empty', 'black', 'white')[code]}" for name, code in zip(names, codes, strict=False)}
