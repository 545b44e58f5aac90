"""The README and the docs, run as they are written.

In a Python example ``# -> text`` says what the line prints, and ``# raises SomeError: text`` what it raises.
"""

import ast
import contextlib
import io
import re
from pathlib import Path

import pytest

from tengen import Position

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
EXAMPLE = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)\s]*)?\)")


def examples():
    for document in DOCUMENTS:
        for number, found in enumerate(EXAMPLE.finditer(document.read_text()), start=1):
            yield pytest.param(found[1], id=f"{document.name}-{number}")


@pytest.mark.parametrize("code", list(examples()))
def test_the_examples_do_what_they_say(code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "example"}
    lines = code.splitlines()
    for statement in ast.parse(code).body:
        comment = lines[statement.end_lineno - 1].partition("  # ")[2]
        program = compile(ast.Module([statement], []), "example", "exec")
        printed = io.StringIO()
        if comment.startswith("raises "):
            error, _, message = comment.removeprefix("raises ").partition(": ")
            with pytest.raises(Exception, match=re.escape(message)) as caught:
                exec(program, names)
            assert type(caught.value).__name__ == error
            continue
        with contextlib.redirect_stdout(printed):
            exec(program, names)
        if comment.startswith("-> "):
            assert printed.getvalue().strip() == comment.removeprefix("-> ")


def test_there_are_examples():
    assert len(list(examples())) >= 8


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document):
    for target, _anchor in LINK.findall(FENCED.sub("", document.read_text())):
        if "://" not in target:
            assert (document.parent / target).exists(), target


def test_the_board_in_the_readme_is_a_real_one():
    assert f"```text\n{Position('renju', 'h8h7g8j7i9i6i10j5')}\n```" in (ROOT / "README.md").read_text()
