"""``tengen play``: from its start to its end."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

import tengen
from tengen.errors import TengenError
from tengen.web import server
from tengen.web.server import _in_address, _own_names, _shown, serve


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_the_page_is_served_until_it_is_interrupted(how: signal.Signals) -> None:
    search = [str(Path(tengen.__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "tengen", "play", "--no-browser"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(search)},
    )
    assert process.stdout is not None
    address = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
    assert address is not None
    with urllib.request.urlopen(f"{address[0]}api/about", timeout=30) as answer:
        assert json.load(answer)["version"] == tengen.__version__
    process.send_signal(how)
    _, said = process.communicate(timeout=30)
    assert process.returncode in (130, -how, 128 + how)
    assert "Traceback" not in said


def test_a_port_that_is_taken_is_said() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(TengenError, match=f"cannot serve on 127.0.0.1:{port}"):
            serve(port=port, browser=False)


def test_without_a_port_the_usual_one_is_taken_or_any(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        usual = other.getsockname()[1]
    monkeypatch.setattr(server, "USUAL_PORT", usual)
    with server._bound_somewhere("127.0.0.1") as first:
        assert first.getsockname()[1] == usual
        with server._bound_somewhere("127.0.0.1") as second:
            assert second.getsockname()[1] not in (0, usual)


def test_addresses_of_every_kind_can_be_named() -> None:
    assert [_in_address(host) for host in ("::1", "fe80::1%eth0", "10.0.0.1", "vm")] == [
        "[::1]", "[fe80::1]", "10.0.0.1", "vm",
    ]  # fmt: skip
    names = _own_names()
    assert socket.gethostname() in names
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        assert probe.getsockname()[0] in names


@pytest.mark.parametrize(
    ("host", "found", "shown"),
    [
        ("0.0.0.0", ["10.0.0.5", "fd00::5"], ["10.0.0.5"]),
        ("::", ["10.0.0.5", "fd00::5"], ["10.0.0.5", "[fd00::5]"]),
        ("0.0.0.0", [], [socket.gethostname()]),
        ("10.0.0.7", ["10.0.0.5"], ["10.0.0.7"]),
        ("::1", [], ["[::1]"]),
    ],
)
def test_an_address_is_shown_that_others_can_use(
    monkeypatch: pytest.MonkeyPatch, host: str, found: list[str], shown: list[str]
) -> None:
    monkeypatch.setattr("tengen.web.server._outward_addresses", lambda: found)
    assert _shown(host) == shown
