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
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

import tengen
from tengen.errors import TengenError
from tengen.web import server
from tengen.web.server import _hosts, _in_address, _own_names, _shown, serve


def playing(*options: str, **environment: str) -> tuple[subprocess.Popen[str], str]:
    """``tengen play``, and the address that it shows."""
    search = [str(Path(tengen.__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "tengen", "play", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(search), **environment},
    )
    assert process.stdout is not None
    address = re.search(r"http://127\.0\.0\.1:\d+/\S*", process.stdout.readline())
    assert address is not None
    return process, address[0]


def answer_of(address: str, **headers: str) -> int:
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=30) as answer:
            assert json.load(answer)["version"] == tengen.__version__
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        return refused.code


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_the_page_is_served_until_it_is_interrupted(how: signal.Signals) -> None:
    process, address = playing("--no-browser")
    assert answer_of(f"{address}api/about") == 200
    process.send_signal(how)
    _, said = process.communicate(timeout=30)
    assert process.returncode in (130, -how, 128 + how)
    assert "Traceback" not in said


def test_a_browser_in_the_terminal_is_answered(tmp_path: Path) -> None:
    """Such as lynx, which does not return before it is left."""
    browser = tmp_path / "slow-browser"
    opened = tmp_path / "opened"
    browser.write_text(f"#!/bin/sh\necho $1 > {opened}.part\nmv {opened}.part {opened}\nsleep 30\n")
    browser.chmod(0o755)
    process, address = playing("--port", "0", BROWSER=f"{browser} %s")
    with contextlib.closing(process.stdout), contextlib.closing(process.stderr):  # type: ignore[type-var]
        began = time.monotonic()
        assert answer_of(f"{address}api/about") == 200
        assert time.monotonic() - began < 20
        while not opened.exists() and time.monotonic() - began < 20:  # it may begin later than the page is served
            time.sleep(0.01)
        assert opened.read_text().strip() == address
        process.send_signal(signal.SIGINT)
        process.wait(20)


def test_a_name_of_a_proxy_is_let_in_with_a_token() -> None:
    process, address = playing("--no-browser", "--port", "0", "--allow-host", "Board.example")
    about, token = address.split("?")
    about += "api/about"
    page = {"Host": "board.example", "Origin": "https://board.example"}
    assert answer_of(f"{about}?{token}", **page) == 200
    assert answer_of(about, **page) == 403
    assert answer_of(f"{about}?{token}", Host="other.example") == 403
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)


def test_hosts_are_named_as_browsers_do() -> None:
    assert _hosts({"MacBook"}, 8225, ()) == {"macbook:8225"}
    assert _hosts({"MacBook"}, 80, ()) == {"macbook:80", "macbook"}
    assert _hosts({"a"}, 8225, ["B.example"]) == {"a:8225", "b.example", "b.example:8225"}


def test_a_port_that_is_taken_is_said() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(TengenError, match=f"cannot serve on 127.0.0.1:{port}: .*in use; without --port"):
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
