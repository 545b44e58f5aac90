"""A server of the page on a free port, a tab that talks to it, and a browser: Debian's Chromium."""

from __future__ import annotations

import json
import re
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="the page needs the extra `web`")

import uvicorn
from websockets.sync.client import ClientConnection, connect

from tengen.web.app import Access
from tengen.web.server import make_config
from tengen.web.watch import Watched

#: Where the browser tests leave pictures of what they ended with, for people to look at.
SCREENSHOTS = Path(__file__).parents[2] / "build/screenshots"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What fails in a browser is tried once more, and counted as a rerun: on a busy machine anything may be late."""
    for item in items:
        if "opened" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=1))


class Tab:
    """One connection: ``ask`` sends a request, ``hear`` waits for a message of a type."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket

    def send(self, message: Any) -> None:
        self._socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def receive(self, timeout: float = 30) -> dict[str, Any]:
        return json.loads(self._socket.recv(timeout))

    def hear(self, *types: str) -> dict[str, Any]:
        while (message := self.receive())["type"] not in types:
            pass
        return message

    def ask(self, do: str, **more: Any) -> dict[str, Any]:
        self.send({"do": do, **more})
        return self.hear("state", "view", "analysis", "queued", "hint", "error")

    def settled(self, do: str, **more: Any) -> dict[str, Any]:
        """Ask, and wait until no program thinks any more."""
        state = self.ask(do, **more)
        while state["type"] == "state" and state["thinking"]:
            state = self.hear("state", "error")
        return state


class Served:
    """A running server."""

    def __init__(self, port: int, token: str | None = None) -> None:
        self.port, self.token = port, token
        self.address = f"http://127.0.0.1:{port}"

    @contextmanager
    def tab(self) -> Iterator[Tab]:
        with connect(f"ws://127.0.0.1:{self.port}/ws", max_size=None) as socket:
            yield Tab(socket)


@contextmanager
def served(token: str | None = None, watched: Watched | None = None) -> Iterator[Served]:
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    hosts = frozenset({f"127.0.0.1:{port}", f"localhost:{port}"})
    server = uvicorn.Server(make_config(Access(hosts, token), watched=watched, workers=2))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    for _ in range(500):
        if server.started:
            break
        time.sleep(0.01)
    assert server.started
    yield Served(port, token)
    server.should_exit = True
    thread.join(20)
    assert not thread.is_alive()


@pytest.fixture(scope="session")
def server() -> Iterator[Served]:
    with served() as running:
        yield running


@pytest.fixture
def tab(server: Served) -> Iterator[Tab]:
    with server.tab() as opened:
        yield opened


@pytest.fixture
def serving() -> Callable[..., Any]:
    return served


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="the browser tests need Playwright")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no Chromium is installed: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture
def opened(browser: Any, server: Served, request: pytest.FixtureRequest) -> Iterator[Callable[..., Any]]:
    """Opens the page in a fresh profile; at the end nothing may have gone wrong or gone elsewhere.

    A picture of every page that was open then is left in ``SCREENSHOTS``.
    """
    contexts: list[Any] = []
    troubles: list[str] = []

    def open_page(
        address: str = "", *, origin: str = server.address, game: dict[str, Any] | None = None, quiet: bool = True,
        settings: dict[str, Any] | None = None, **options: Any,
    ) -> Any:  # fmt: skip
        context = browser.new_context(**{"locale": "en-GB", "viewport": {"width": 1280, "height": 800}, **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        for kind, kept in (("game", game), ("settings", settings)):
            if kept is not None:
                key, text = f"'tengen.{kind}'", json.dumps(json.dumps(kept))
                script = f"localStorage.getItem({key}) ?? localStorage.setItem({key}, {text})"
                page.add_init_script(script)
        if quiet:
            page.on("console", lambda message: message.type == "error" and troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("request", lambda request: _is_elsewhere(request.url, origin) and troubles.append(request.url))
        page.goto(f"{origin}/{address}")
        return page

    yield open_page
    name = re.sub(r"[^\w.-]+", "-", request.node.name).strip("-")
    for number, page in enumerate([page for context in contexts for page in context.pages], start=1):
        page.screenshot(path=SCREENSHOTS / f"{name}{'' if number == 1 else f'-{number}'}.png")
    for context in contexts:
        context.close()
    assert not troubles


def _is_elsewhere(address: str, origin: str) -> bool:
    return not address.startswith((origin, "data:", "blob:" + origin))
