"""How well pictures are read: screenshots and photos in held-out themes, pictures of other things, and the time.

    python benchmarks/vision.py [--screenshots 500] [--photos 300] [--others 100] [--json FILE] [--failures DIR]
    python benchmarks/vision.py --overlays
    python benchmarks/vision.py --screenshots 0 --photos 0 --others 30 --kinds draughts,xiangqi

Everything is drawn from a seed, in themes and of kinds that training never saw. `--failures` writes what was read
wrong, with what was seen drawn over it. The held-out themes have none of what programs draw over boards (half-
transparent stones, discs and crosses on empty points, lines through a row) and fewer numbers and labels than those of
training; with `--overlays` as many screenshots and photos are also read of these themes with all of it, as often as
training has it. With `--kinds` the pictures of other things are so many of each of these kinds, held out or not.
Whose turn it is counts where the picture tells it and nobody has won.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path

import cv2
import numpy as np

from tengen.cli.output import plain_errors
from tengen.errors import TengenError
from tengen.vision import drawing
from tengen.vision.drawing.other import HELD_OUT_KINDS, OTHER_KINDS
from tengen.vision.models import Models, shipped_models
from tengen.vision.overlay import draw_overlay
from tengen.vision.reading import NotABoardError, Sighting, see


def judge(sighting: Sighting | None, truth: drawing.Truth) -> tuple[str, int]:
    """What is wrong with a reading ("" if nothing), and how many of its points are right."""
    if sighting is None:
        return "refused", 0
    if sighting.game.kind != truth.game:
        return f"taken for {sighting.game.kind}", 0
    if sighting.size != truth.size:
        return f"size {sighting.size} for {truth.size}", 0
    right = int((sighting.cells == truth.cells).sum())
    if right == truth.cells.size:
        return "", right
    return f"{truth.cells.size - right} points wrong", right


def read_many(
    kind: str,
    count: int,
    *,
    seed: int,
    models: Models,
    failures: Path | None,
    held_out: bool,
    overlays: bool = False,
) -> dict:
    draw = drawing.draw_photo if kind == "photos" else drawing.draw_screenshot
    wrong, points, right, told, turns, seconds, unsure = [], 0, 0, 0, 0, [], 0
    themes: Counter[str] = Counter()
    for number in range(count):
        rng = np.random.default_rng([seed, kind == "photos", number])
        picture = draw(rng, held_out=held_out, overlays=overlays)
        begun = time.perf_counter()
        try:
            sighting = see(picture.image, models=models)
        except NotABoardError:
            sighting = None
        seconds.append(time.perf_counter() - begun)
        trouble, good = judge(sighting, picture.truth)
        points += picture.truth.cells.size
        right += good
        if not trouble and sighting and picture.truth.to_move is not None and not sighting.position.is_over:
            told += 1
            turns += sighting.to_move == picture.truth.to_move
        if trouble:
            wrong.append({"number": number, "theme": picture.truth.theme, "trouble": trouble})
            themes[picture.truth.theme] += 1
            unsure += sighting is None or not sighting.is_sure
            if failures:
                name = f"{kind}{'-with-overlays' if overlays else ''}-{number}.png"
                write_failure(failures / name, picture.image, sighting, trouble)
    return {
        "boards": count,
        "perfect": count - len(wrong),
        "points_right": right / max(points, 1),
        "side_to_move_right": turns,
        "side_to_move_told": told,
        "wrong_and_unsure": unsure,
        "seconds_median": float(np.median(seconds)) if seconds else None,
        "wrong": wrong,
        "wrong_by_theme": dict(themes.most_common()),
    }


def refuse_many(
    count: int, *, seed: int, models: Models, failures: Path | None, held_out: bool, kind: str | None = None
) -> dict:
    taken, sure = [], []
    for number in range(count):
        image = drawing.draw_other(np.random.default_rng([seed, number]), held_out=held_out, kind=kind)
        try:
            sighting = see(image, models=models)
        except NotABoardError:
            continue
        taken.append(number)
        if sighting.is_sure:
            sure.append(number)
        if failures:
            write_failure(failures / f"{kind or 'others'}-{number}.png", image, sighting, "taken for a board")
    return {"pictures": count, "refused": count - len(taken), "taken": taken, "sure": sure}


def time_screenshots(*, seed: int, models: Models, count: int = 20) -> float:
    """Median seconds for a 15x15 screenshot on one core, from the array to the position."""
    seconds: list[float] = []
    for number in range(10 * count):
        try:
            picture = drawing.draw_screenshot(np.random.default_rng([seed, number]), held_out=True, size=15)
        except TengenError:  # a theme of Othello's
            continue
        if len(seconds) == count:
            break
        begun = time.process_time()
        try:
            see(picture.image, models=models)
        except NotABoardError:
            continue
        seconds.append(time.process_time() - begun)
    return float(np.median(seconds))


def write_failure(path: Path, image: np.ndarray, sighting: Sighting | None, trouble: str) -> None:
    drawn = draw_overlay(image, sighting) if sighting else image.copy()
    path.parent.mkdir(parents=True, exist_ok=True)
    cv2.putText(drawn, trouble, (4, 14), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 0, 0), 1, cv2.LINE_AA)
    cv2.imwrite(str(path), drawn[..., ::-1])


def show_read(title: str, found: dict) -> None:
    count = found["boards"]
    print(f"{title}: {found['perfect']} of {count} boards perfect ({found['perfect'] / count:.1%})")
    print(
        f"  {found['points_right']:.3%} of points; side to move {found['side_to_move_right']} of "
        f"{found['side_to_move_told']} told; {found['wrong_and_unsure']} of {len(found['wrong'])} wrong ones "
        f"refused or unsure; {found['seconds_median']:.3f} s each"
    )
    for wrong in found["wrong"]:
        print(f"  {wrong['number']} {wrong['theme']}: {wrong['trouble']}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--screenshots", type=int, default=500)
    parser.add_argument("--photos", type=int, default=300)
    parser.add_argument("--others", type=int, default=100)
    parser.add_argument("--kinds", help="of these kinds of other things, --others of each: draughts,xiangqi")
    parser.add_argument(
        "--overlays", action="store_true", help="also the held-out themes with what is drawn over boards"
    )
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--training-themes", action="store_true", help="the themes of training, to compare")
    parser.add_argument("--models", help="a folder with other nets than those of the package")
    parser.add_argument("--failures", type=Path)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    if chosen.overlays and chosen.training_themes:
        parser.error("the themes of training have --overlays already")
    kinds = chosen.kinds.split(",") if chosen.kinds else []
    if not set(kinds) <= {*OTHER_KINDS, *HELD_OUT_KINDS}:
        parser.error(f"--kinds are of {', '.join([*OTHER_KINDS, *HELD_OUT_KINDS])}")
    cv2.setNumThreads(1)
    models = Models(chosen.models) if chosen.models else shipped_models()
    result: dict = {}
    options = {
        "seed": chosen.seed,
        "models": models,
        "failures": chosen.failures,
        "held_out": not chosen.training_themes,
    }
    for overlays in (False, True) if chosen.overlays else (False,):
        for kind in ("screenshots", "photos"):
            count = getattr(chosen, kind)
            if count:
                title = f"{kind} with overlays" if overlays else kind
                result[title.replace(" ", "_")] = found = read_many(kind, count, overlays=overlays, **options)
                show_read(title, found)
    for kind in kinds or [None]:
        if chosen.others:
            title = kind or "others"
            result[title] = found = refuse_many(chosen.others, kind=kind, **options)
            sure = f"; sure: {found['sure']}" if kind else ""
            print(f"{title}: {found['refused']} of {chosen.others} refused; taken: {found['taken']}{sure}")
    if chosen.screenshots:
        result["seconds_15x15"] = time_screenshots(seed=chosen.seed, models=models)
        print(f"a 15x15 screenshot: {result['seconds_15x15']:.3f} s on one core")
    if chosen.json:
        chosen.json.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    with plain_errors():
        main()
