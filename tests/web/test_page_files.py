"""The compiled page: all there, and small. Needs no browser and no node."""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the page needs the extra `web`")

import tengen
from tengen.web.app import page_files

SOURCES = Path(__file__).parents[2] / "page"


def test_every_module_that_is_imported_is_there() -> None:
    files = page_files()
    assert {"index.html", "style.css", "main.js", "icon.svg"} <= set(files)
    for name, data in files.items():
        pattern = rb'(?:src|href)="([^"]+)"' if name.endswith(".html") else rb'(?:from|import) "\./([^"]+)"'
        for wanted in re.findall(pattern, data):
            assert wanted.decode() in files, f"{name} wants {wanted}"


def test_every_module_is_asked_for_at_once() -> None:
    index = page_files()["index.html"].decode()
    asked = re.findall(r'(?:modulepreload" href|src)="([^"]+\.js)"', index)
    assert sorted(asked) == sorted(name for name in page_files() if name.endswith(".js"))


def test_every_source_is_compiled_and_nothing_else() -> None:
    wanted = {path.with_suffix(".js").name for path in (SOURCES / "src").glob("*.ts")}
    assert {name for name in page_files() if name.endswith(".js")} == wanted


def test_the_compiled_files_are_of_these_sources(tmp_path: Path) -> None:
    compiler = SOURCES / "node_modules/typescript/bin/tsc"
    if shutil.which("node") is None or not compiler.is_file():
        pytest.skip("no TypeScript compiler: run `npm install` in page/")
    subprocess.run(["node", compiler, "-p", SOURCES, "--outDir", tmp_path], check=True)
    for path in tmp_path.glob("*.js"):
        assert page_files()[path.name] == path.read_bytes(), f"run `npm run build` in page/: {path.name} is old"


def test_every_reason_has_words_in_every_language() -> None:
    package = Path(tengen.__file__).parent
    raised = {"errors.py", *(f"{folder}/*.py" for folder in ("games", "games/records", "players", "vision", "web"))}
    codes = {
        code
        for pattern in raised
        for path in package.glob(pattern)
        for code in re.findall(r"\bcode ?= ?\"(\w+)\"", path.read_text("utf-8"))
    } - {"other"}
    codes |= set(re.findall(r'illegal\(.*, "(\w+)"', (package / "games/_position.py").read_text("utf-8")))
    assert {"occupied", "forbidden", "record", "no_board", "too_large"} <= codes
    words = page_files()["troubles.js"].decode()
    chinese = words[words.index("const zh") : words.index("};")]
    assert set(re.findall(r"^    (\w+):", chinese, re.MULTILINE)) == codes


def test_the_page_is_light() -> None:
    assert sum(len(gzip.compress(data)) for data in page_files().values()) < 100 * 1024


def test_nothing_in_the_page_points_elsewhere() -> None:
    allowed = {b"http://www.w3.org/2000/svg"}
    for name, data in page_files().items():
        assert set(re.findall(rb"https?://[^\"'` )$]+", data)) <= allowed, name
        assert b"<script>" not in data, f"inline script in {name}"
        assert not re.search(rb"\son\w+=\"", data), f"inline script in {name}"
