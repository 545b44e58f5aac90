"""``tengen play``: the server on this machine, from its start to its end."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable, Collection
from typing import Any, Final

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from tengen.errors import TengenError
from tengen.web.app import MOST_MESSAGE, Access, head_size, make_app
from tengen.web.watch import Watched

LOOPBACK: Final = "127.0.0.1"
#: Where the page is if nothing else is there, and no other port is asked for.
USUAL_PORT: Final = 8225
_REQUEST_SECONDS: Final = 10.0  # from the connection, or the answer before, to the last line of the request's head
_MOST_UPGRADE: Final = 8000  # bytes of the head of a tab's connection
_LINGER_SECONDS: Final = 2.0  # that a body may go on after the answer
_PING_SECONDS: Final = 20.0  # between the questions whether a tab is still there, and until it must have answered
_DEAF_SECONDS: Final = 20.0  # that a tab may leave what it is told in our memory


class _PatientOnlySoLong(H11Protocol):
    """Cuts off whoever takes his time with a request (slow loris), or goes on with one that is answered already."""

    _hurry: asyncio.TimerHandle | None = None
    _answered: Any = None  # the request before the one that is waited for

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._hurry = self.loop.call_later(_REQUEST_SECONDS, self._cut_off)

    def on_response_complete(self) -> None:
        is_unfinished = self.conn.their_state is h11.SEND_BODY
        self._answered = self.cycle
        super().on_response_complete()
        # Closed at once, an answer such as "too large" would be lost on a sender who is not listening yet.
        self._wait_again(_LINGER_SECONDS if is_unfinished else _REQUEST_SECONDS)

    def _wait_again(self, seconds: float) -> None:
        if self._hurry is not None:
            self._hurry.cancel()
        self._hurry = self.loop.call_later(seconds, self._cut_off)

    def _cut_off(self) -> None:
        if self.cycle is self._answered and not self.transport.is_closing():
            self.transport.close()

    def handle_websocket_upgrade(self, event: Any) -> None:
        if self._hurry is not None:
            self._hurry.cancel()
        # What follows takes lines of 8 KiB and 128 of them, and leaves whoever sends more without an answer for ever.
        if head_size(event.headers, event.target) > _MOST_UPGRADE or len(event.headers) > 100:
            self.send_400_response("the head of the request is too long")
        else:
            super().handle_websocket_upgrade(event)


class _TalksToListeners(WebSocketsSansIOProtocol):
    """Cuts off a tab that asks and does not listen: what it is told would else take memory and its place for ever."""

    _deafness: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        super().pause_writing()
        self._deafness = self.loop.call_later(_DEAF_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._end_deafness()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_deafness()
        super().connection_lost(exc)

    def _end_deafness(self) -> None:
        if self._deafness is not None:
            self._deafness.cancel()

    def handle_ping(self) -> None:
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()  # the answer, which goes nowhere

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()  # closed politely, it would wait until all has been heard


def serve(
    *,
    host: str = LOOPBACK,
    port: int | None = None,
    allowed: Collection[str] = (),
    browser: bool = True,
    watched: Watched | None = None,
    workers: int | None = None,
    tell: Callable[[str], None] = print,
) -> None:
    """Serve the page until Ctrl-C. Raises ``TengenError`` if the port is not free.

    Without a ``port`` it is the usual one, since a browser keeps games and settings by address, or if that is taken any
    that is free, as with 0. ``allowed`` are names by which others know this machine, or a proxy before it.

    Where others can come, on another address than loopback or by such a name, a token is needed, which the shown
    address has in it.
    """
    listener = _bound_somewhere(host) if port is None else _bound(host, port)
    port = listener.getsockname()[1]
    is_loopback = host in (LOOPBACK, "localhost", "::1")
    token = None if is_loopback and not allowed else secrets.token_urlsafe(16)
    names = {_in_address(host), LOOPBACK, "localhost", "[::1]", *(() if is_loopback else _own_names())}
    access = Access(_hosts(names, port, allowed), token)
    addresses = [f"http://{name}:{port}/" + (f"?token={token}" if token else "") for name in _shown(host)]
    tell(f"Tengen is at {' or '.join(addresses)}\nCtrl-C ends it.")
    server = uvicorn.Server(make_config(access, watched=watched, workers=workers))
    if browser:
        # Some browsers run in the terminal, and the call lasts as long as they do. One that is too early waits.
        threading.Thread(target=webbrowser.open, args=(addresses[0],), daemon=True).start()
    server.run(sockets=[listener])


def make_config(access: Access, *, watched: Watched | None = None, workers: int | None = None) -> uvicorn.Config:
    """How the server runs: within bounds."""
    return uvicorn.Config(
        make_app(access, watched=watched, workers=workers),
        http=_PatientOnlySoLong,
        ws=_TalksToListeners,
        ws_max_size=MOST_MESSAGE,
        ws_ping_interval=_PING_SECONDS,
        ws_ping_timeout=_PING_SECONDS,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=2,
        limit_concurrency=1000,
        h11_max_incomplete_event_size=16 * 1024,
    )


def _hosts(names: Collection[str], port: int, allowed: Collection[str]) -> frozenset[str]:
    """What a browser may call the server: it sends names in lower case, and leaves port 80 away.

    An ``allowed`` name goes with the port, and without it: a proxy has its own.
    """
    without_port = {*allowed, *(names if port == 80 else ())}
    with_port = {f"{name}:{port}" for name in (*names, *allowed)}
    return frozenset(name.lower() for name in without_port | with_port)


def _bound_somewhere(host: str) -> socket.socket:
    try:
        return _bound(host, USUAL_PORT)
    except TengenError:
        return _bound(host, 0)


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(128)  # a browser that is quicker than we are waits
    except (OSError, OverflowError) as error:
        listener.close()
        hint = "; without --port any that is free is taken" if getattr(error, "errno", None) == errno.EADDRINUSE else ""
        raise TengenError(f"cannot serve on {host}:{port}: {getattr(error, 'strerror', None) or error}{hint}") from None
    return listener


def _own_names() -> set[str]:
    """What this machine is called from elsewhere: its name, and its addresses as far as they can be found out."""
    name = socket.gethostname()
    found = {name, *map(_in_address, _outward_addresses())}
    with contextlib.suppress(OSError):
        found |= {_in_address(str(address[4][0])) for address in socket.getaddrinfo(name, None)}
    return found


def _outward_addresses() -> list[str]:
    """The addresses by which others reach this machine, IPv4 first."""
    found = []
    # Nothing is sent to these, which are nobody's by RFC 5737 and 3849: only the way there is looked up.
    for family, elsewhere in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((elsewhere, 9))
            found.append(str(probe.getsockname()[0]))
    return found


def _in_address(host: str) -> str:
    """A name or an IP address as it stands in a page's address."""
    return f"[{host.partition('%')[0]}]" if ":" in host else host


def _shown(host: str) -> list[str]:
    """What to show for a host that was asked for, as it stands in an address.

    For "every address of this machine", those that others can use; its name only where there are none, as others may
    not know it.
    """
    if host not in ("0.0.0.0", "::"):
        return [_in_address(host)]
    usable = [address for address in _outward_addresses() if host == "::" or ":" not in address]
    return [_in_address(address) for address in usable] or [socket.gethostname()]
