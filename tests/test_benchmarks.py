"""The benchmarks that no other test shares code with: do they still run?"""

import json
import runpy
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


def test_dqn_speed(monkeypatch, capsys):
    settings = ("play.games=256", "play.threads=1", "learn.batch=128", "learn.bfloat16=always")
    words = ["dqn_speed.py", "--seconds", "0.2", "--samples", "1", *(f"--set={setting}" for setting in settings)]
    monkeypatch.setattr(sys, "argv", words)
    runpy.run_path(str(BENCHMARKS / "dqn_speed.py"), run_name="__main__")
    rows = capsys.readouterr().out.splitlines()[1:]
    assert [row.split("  ")[0] for row in rows] == ["S0, one game at a time", "samples_per_row=1"]
    numbers = [[float(number.replace(",", "")) for number in row[24:].split()[:4]] for row in rows]
    speeds = [moves for moves, *_ in numbers]
    assert speeds[1] > speeds[0] > 0
    _, _, learns, learned = numbers[1]
    assert learned / learns == pytest.approx(128, rel=0.3)  # the batch that is set; speeds are rounded
    assert "learning" in rows[1]


def test_evolution_speed(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["evolution_speed.py", "--seconds", "0.1"])
    runpy.run_path(str(BENCHMARKS / "evolution_speed.py"), run_name="__main__")
    rows = capsys.readouterr().out.splitlines()[1:]
    assert [row[:20].strip() for row in rows] == ["random weights", "evolved-gomoku-15x15"]
    for row in rows:
        positions, games, plies = (float(word.replace(",", "")) for word in row[20:].split())
        assert positions / games == pytest.approx(plies, rel=0.02)
        assert positions > 5 * games > 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["openings.py", "dqn:net=nosuch", "--game", "gomoku:size=7", "--openings", "2"], "there is no net 'nosuch'"),
        (["levels.py", "chess"], "unknown game 'chess'"),
        (["selfplay_speed.py", "--preset", "nosuch"], "there is no preset 'nosuch'"),
        (["dqn_speed.py", "--preset", "nosuch"], "there is no preset 'nosuch'"),
        (["net_speed.py", "6by64"], "'6by64' is not BLOCKSxCHANNELS"),
        (["vision.py", "--models", "nosuch"], "cannot read 'nosuch"),
        (["evolution_speed.py", "--seconds", "0.01", "--weights", "nosuch"], "cannot read 'nosuch'"),
    ],
    ids=lambda words: words[0] if isinstance(words, list) else "",
)
def test_what_is_wrong_with_a_name_is_one_line(monkeypatch, capsys, words, says):
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit, match="2"):
        runpy.run_path(str(BENCHMARKS / words[0]), run_name="__main__")
    told = capsys.readouterr().err
    assert told.startswith("Error: ")
    assert says in told
    assert told.count("\n") == 1


def read_pictures(monkeypatch, *words):
    pytest.importorskip("cv2")
    pytest.importorskip("onnxruntime")
    monkeypatch.setattr(sys, "argv", ["vision.py", *words])
    runpy.run_path(str(BENCHMARKS / "vision.py"), run_name="__main__")


def test_vision(monkeypatch, capsys, tmp_path):
    pytest.importorskip("cv2")
    from tengen.vision import drawing

    asked = []  # what was drawn, with overlays or of which kind

    def heard(name, draw):
        def drawn(rng, **options):
            asked.append((name, options.get("overlays") or options.get("kind")))
            return draw(rng, **options)

        return drawn

    for name in ("draw_screenshot", "draw_photo", "draw_other"):
        monkeypatch.setattr(drawing, name, heard(name, getattr(drawing, name)))
    # Of the first two screenshots of this seed both tell whose turn it is, and one has a five on it.
    few = ["--seed", "4", "--screenshots", "2", "--photos", "1", "--others", "2"]
    few += ["--json", str(tmp_path / "found.json")]
    read_pictures(monkeypatch, *few)
    shown = capsys.readouterr().out.splitlines()
    heads = [line.split(":")[0] for line in shown if not line.startswith("  ")]
    assert heads == ["screenshots", "photos", "others", "a 15x15 screenshot"]
    assert {option for _, option in asked} == {None}
    assert "side to move 1 of 1 told" in shown[1]
    asked.clear()
    read_pictures(monkeypatch, *few, "--overlays", "--kinds", "draughts,xiangqi")
    with_more = capsys.readouterr().out.splitlines()
    heads = [line.split(":")[0] for line in with_more if not line.startswith("  ")]
    overlaid = ["screenshots with overlays", "photos with overlays"]
    assert heads == ["screenshots", "photos", *overlaid, "draughts", "xiangqi", "a 15x15 screenshot"]
    assert with_more[0] == shown[0]  # the others are as they are without
    assert asked.count(("draw_screenshot", True)) == 2
    assert asked.count(("draw_photo", True)) == 1
    assert [kind for name, kind in asked if name == "draw_other"] == ["draughts"] * 2 + ["xiangqi"] * 2
    found = json.loads((tmp_path / "found.json").read_text())
    assert found["screenshots_with_overlays"]["boards"] == 2
    assert found["draughts"]["pictures"] == found["xiangqi"]["pictures"] == 2


@pytest.mark.parametrize("words", [["--kinds", "draughts,nothing"], ["--overlays", "--training-themes"]])
def test_vision_refuses(monkeypatch, capsys, words):
    with pytest.raises(SystemExit):
        read_pictures(monkeypatch, *words)
    assert words[0] in capsys.readouterr().err
