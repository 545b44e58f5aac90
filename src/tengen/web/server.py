"""``tengen play``: the server on this machine, from its start to its end."""

from __future__ import annotations

import asyncio
import secrets
import socket
import webbrowser
from collections.abc import Callable
from typing import Any, Final

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from tengen.errors import TengenError
from tengen.web.app import MOST_MESSAGE, Access, make_app
from tengen.web.watch import Watched

LOOPBACK: Final = "127.0.0.1"
_REQUEST_SECONDS: Final = 10.0  # from the connection to the last line of the request


class _PatientOnlySoLong(H11Protocol):
    """Cuts off whoever connects and then takes his time with the request (slow loris)."""

    _hurry: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._hurry = self.loop.call_later(_REQUEST_SECONDS, self._cut_off)

    def _cut_off(self) -> None:
        if self.cycle is None and not self.transport.is_closing():
            self.transport.close()

    def handle_websocket_upgrade(self, event: Any) -> None:
        if self._hurry is not None:
            self._hurry.cancel()
        super().handle_websocket_upgrade(event)


def serve(
    *,
    host: str = LOOPBACK,
    port: int = 0,
    browser: bool = True,
    watched: Watched | None = None,
    workers: int | None = None,
    tell: Callable[[str], None] = print,
) -> None:
    """Serve the page until Ctrl-C; ``port`` 0 takes a free one. Raises ``TengenError`` if the port is not free.

    On another address than loopback a token is needed, which the shown address has in it.
    """
    listener = _bound(host, port)
    port = listener.getsockname()[1]
    is_loopback = host in (LOOPBACK, "localhost", "::1")
    token = None if is_loopback else secrets.token_urlsafe(16)
    names = {LOOPBACK, "localhost", "[::1]"} if is_loopback else {host, LOOPBACK, "localhost", *_own_names()}
    access = Access(frozenset(f"{name}:{port}" for name in names), token)
    address = f"http://{LOOPBACK if is_loopback else _shown(host)}:{port}/" + (f"?token={token}" if token else "")
    tell(f"Tengen is at {address}\nCtrl-C ends it.")
    if browser:
        webbrowser.open(address)
    uvicorn.Server(make_config(access, watched=watched, workers=workers)).run(sockets=[listener])


def make_config(access: Access, *, watched: Watched | None = None, workers: int | None = None) -> uvicorn.Config:
    """How the server runs: within bounds."""
    return uvicorn.Config(
        make_app(access, watched=watched, workers=workers),
        http=_PatientOnlySoLong,
        ws="websockets-sansio",
        ws_max_size=MOST_MESSAGE,
        ws_ping_interval=20,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=2,
        limit_concurrency=1000,
        h11_max_incomplete_event_size=16 * 1024,
    )


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(128)  # a browser that is quicker than we are waits
    except (OSError, OverflowError) as error:
        listener.close()
        raise TengenError(f"cannot serve on {host}:{port}: {error}") from None
    return listener


def _own_names() -> set[str]:
    name = socket.gethostname()
    try:
        return {name, *socket.gethostbyname_ex(name)[2]}
    except OSError:
        return {name}


def _shown(host: str) -> str:
    return socket.gethostname() if host in ("0.0.0.0", "::") else host
