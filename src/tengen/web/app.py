"""The server's requests: the page and its files, the tabs' connections, records and runs."""

from __future__ import annotations

import asyncio
import hmac
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

import tengen
from tengen.errors import TengenError
from tengen.games import Game
from tengen.web.levels import levels
from tengen.web.records import exported, imported
from tengen.web.session import Session
from tengen.web.thinkers import KINDS, Thinkers, plays
from tengen.web.view import complaint
from tengen.web.watch import Watched, nets

MOST_MESSAGE: Final = 64 * 1024  #: bytes of a message on a tab's connection
MOST_TABS: Final = 256
_MOST_HEAD: Final = 16 * 1024
_MOST_BODY: Final = 1024 * 1024
_MOST_PICTURE: Final = 16 * _MOST_BODY
_BODY_SECONDS: Final = 10.0
_MOST_BODIES: Final = 4  # of a kind of request at a time, but for short ones
_SHORT_BODY: Final = 64 * 1024
_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
}
_HEADERS: Final = {
    # Nothing from elsewhere, no script inline: what a record or a name holds is text to this page and never code.
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_GAMES: Final = ("gomoku", "gomoku:rule=standard", "renju", "gomoku:rule=caro", "othello")


@dataclass(frozen=True)
class Access:
    """Who may talk to the server: requests that name one of ``hosts``, which are in lower case, with the ``token`` if
    there is one.
    """

    hosts: frozenset[str]
    token: str | None = None

    def allows(self, host: str, origin: str | None, token: str | None) -> bool:
        """Whether a request may be answered; a page of another origin is not ours, whatever it asks for."""
        host = host.lower()
        if host not in self.hosts or (origin is not None and origin.partition("://")[2] != host):
            return False
        return self.token is None or (token is not None and hmac.compare_digest(token.encode(), self.token.encode()))


class Guard:
    """Turns away what :class:`Access` does not allow, and adds the headers that keep a browser careful."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        cookie_name = f"tengen-{scope['server'][1]}"  # a browser sends a host's cookies to each of its ports
        request_token = _query_token(scope) or _cookie_token(headers.get("cookie", ""), cookie_name)
        # The server below bounds only a head that comes in pieces.
        is_short = head_size(scope["headers"], scope["raw_path"], scope["query_string"]) <= _MOST_HEAD
        allowed = is_short and self._access.allows(headers.get("host", ""), headers.get("origin"), request_token)
        if not allowed and scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        is_new = allowed and self._access.token is not None and _query_token(scope) is not None

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                more = [(name.lower().encode(), value.encode()) for name, value in _HEADERS.items()]
                if is_new:
                    # Lax, not Strict: who follows a link from another page to here is to arrive with it.
                    cookie = f"{cookie_name}={self._access.token}; HttpOnly; SameSite=Lax; Path=/"
                    more.append((b"set-cookie", cookie.encode()))
                message["headers"] = [*message["headers"], *more]
            await send(message)

        answer: ASGIApp = self._app
        if not is_short:
            answer = PlainTextResponse("the head of the request is too long\n", 431)
        elif not allowed:
            answer = PlainTextResponse("not for you: open the address that `tengen play` shows\n", 403)
        elif is_new and scope["type"] == "http" and scope["path"] == "/":
            # The token leaves the address, which people copy; what stands after # stays.
            answer = RedirectResponse("/", 303)
        await answer(scope, receive, send_with_headers)


def head_size(headers: Iterable[tuple[bytes, bytes]], *target: bytes) -> int:
    """The bytes of a request's head, about."""
    return sum(map(len, target)) + sum(len(name) + len(value) + len(b": \r\n") for name, value in headers)


def _query_token(scope: Scope) -> str | None:
    for part in scope.get("query_string", b"").decode("latin-1").split("&"):
        key, _, value = part.partition("=")
        if key == "token":
            return str(value)
    return None


def _cookie_token(cookies: str, name: str) -> str | None:
    for part in cookies.split(";"):
        key, _, value = part.strip().partition("=")
        if key == name:
            return value
    return None


def page_files() -> dict[str, bytes]:
    """The files of the page by name, read once: no path from a request ever touches the disk."""
    folder = resources.files("tengen.web") / "page"
    if not folder.is_dir():
        return {}
    return {
        entry.name: entry.read_bytes()
        for entry in folder.iterdir()
        if entry.is_file() and any(entry.name.endswith(ending) for ending in _TYPES)
    }


def make_app(access: Access, *, watched: Watched | None = None, workers: int | None = None) -> Starlette:
    """The application; ``workers`` searches run at a time, by default as many as there are cores."""
    watched = watched or Watched(Path("runs"), Path("arena.db"))
    files = page_files()
    tabs: set[WebSocket] = set()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.thinkers = Thinkers(workers=workers)
        yield
        app.state.thinkers.close()

    async def page(request: Request) -> Response:
        name = request.path_params.get("name", "index.html")
        if name not in files:
            return PlainTextResponse("there is no such page\n", 404)
        kind = next(kind for ending, kind in _TYPES.items() if name.endswith(ending))
        return Response(files[name], media_type=kind, headers={"Cache-Control": "no-cache"})

    async def tab(socket: WebSocket) -> None:
        await socket.accept()
        if len(tabs) >= MOST_TABS:
            await socket.close(1013, "too many tabs")
            return
        tabs.add(socket)

        async def send(message: dict[str, Any]) -> None:
            """Nothing, if the tab is gone: what was to be told may come later than the news of that."""
            if socket.application_state is WebSocketState.CONNECTED:
                with suppress(WebSocketDisconnect):
                    await socket.send_text(_as_json(message))

        session = Session(socket.app.state.thinkers, send)
        try:
            while True:
                await session.handle(_decoded(await socket.receive()))
        except WebSocketDisconnect:
            pass
        finally:
            tabs.discard(socket)
            await session.close()

    return Starlette(
        routes=[
            Route("/", page),
            Route("/{name:str}", page),
            Route("/api/about", _about),
            Route("/api/runs", _telling(lambda query: _one_or_all(query, "name", watched.run, watched.run_list))),
            Route("/api/arena", _telling(lambda query: _one_or_all(query, "match", watched.match, watched.matches))),
            Route("/api/nets", _telling(lambda query: {"nets": nets()})),
            Route("/api/import", _answering(_import), methods=["POST"]),
            Route("/api/export", _answering(_export), methods=["POST"]),
            Route("/api/see", _answering(_see, most=_MOST_PICTURE), methods=["POST"]),
            WebSocketRoute("/ws", tab),
        ],
        middleware=[Middleware(Guard, access=access)],
        lifespan=lifespan,
    )


class _Answer(JSONResponse):
    """An answer in JSON."""

    def render(self, content: Any) -> bytes:
        """As bytes."""
        return _as_json(content).encode("ascii")


def _as_json(content: Any) -> str:
    """JSON in ASCII: half a character, which a message or the name of a file may hold, has no other encoding."""
    return json.dumps(content, allow_nan=False, separators=(",", ":"))


def _decoded(message: Message) -> Any:
    """What a tab sent, or None if it is no JSON; raises ``WebSocketDisconnect`` at its end."""
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    try:
        return json.loads(message.get("text") or "null")
    except (ValueError, RecursionError):
        return None


async def _about(request: Request) -> Response:
    """What there is to play, or with ``?game=`` the levels and players of any game."""
    asked = request.query_params.get("game")
    try:
        games = [_about_game(Game.parse(name)) for name in ((asked[:200],) if asked else _GAMES)]
    except TengenError as trouble:
        return _Answer({"error": complaint(trouble)}, 400)
    sees = all(find_spec(module) for module in ("cv2", "PIL", "onnxruntime"))
    return _Answer({"version": tengen.__version__, "games": games, "players": list(KINDS), "sees": sees})


def _about_game(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "kind": game.kind,
        "levels": [level.to_dict() for level in levels(game)],
        "players": [name for name in KINDS if plays(name, game)],
    }


def _telling(tell: Callable[[Mapping[str, str]], dict[str, Any]]) -> Callable[[Request], Awaitable[Response]]:
    """A request that reads, in a thread, one at a time."""
    one_at_a_time = asyncio.Semaphore(1)

    async def endpoint(request: Request) -> Response:
        try:
            async with one_at_a_time:
                return _Answer(await asyncio.to_thread(tell, request.query_params))
        except TengenError as trouble:
            return _Answer({"error": complaint(trouble)}, 404)

    return endpoint


def _one_or_all(
    query: Mapping[str, str], key: str, one: Callable[[str], dict[str, Any]], every: Callable[[], list[dict[str, Any]]]
) -> dict[str, Any]:
    return one(query[key]) if key in query else {"all": every()}


def _answering(
    answer: Callable[[bytes, Mapping[str, str]], dict[str, Any]], *, most: int = _MOST_BODY
) -> Callable[[Request], Awaitable[Response]]:
    """A request whose body is read within bounds and answered in a thread; what is wrong with it is said in JSON."""
    one_at_a_time = asyncio.Semaphore(1)
    few_at_a_time = asyncio.Semaphore(_MOST_BODIES)  # with their bodies in memory

    async def endpoint(request: Request) -> Response:
        try:
            # Nobody waits for a place for ever either. A short body needs none, whoever dribbles beside it.
            place = nullcontext() if _is_short(request) else few_at_a_time
            async with asyncio.timeout(_BODY_SECONDS) as patience, place:
                body = await _bounded_body(request, most)
                patience.reschedule(None)
                async with one_at_a_time:  # what it takes to answer is bounded, and not taken twice
                    return _Answer(await asyncio.to_thread(answer, body, request.query_params))
        except ClientDisconnect:
            return Response(status_code=400)  # which nobody hears
        except TimeoutError:
            trouble = TengenError("the request took too long to arrive", code="too_slow")
            return _Answer({"error": complaint(trouble)}, 408)
        except TengenError as trouble:
            return _Answer({"error": complaint(trouble)}, 413 if trouble.code == "too_large" else 400)

    return endpoint


def _is_short(request: Request) -> bool:
    length = request.headers.get("content-length", "")
    return length.isdecimal() and int(length[:20]) <= _SHORT_BODY


async def _bounded_body(request: Request, most: int) -> bytes:
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > most:
            raise TengenError(f"too large: at most {most // 1024} KiB", code="too_large", details=[most // 1024])
    return bytes(body)


def _import(body: bytes, query: Mapping[str, str]) -> dict[str, Any]:
    return imported(body, game=query.get("game"))


def _see(body: bytes, query: Mapping[str, str]) -> dict[str, Any]:
    try:
        from tengen.vision import see
    except ModuleNotFoundError as missing:
        words = f"pictures need {missing.name}: pip install tengen[vision]"
        raise TengenError(words, code="no_vision", details=[missing.name]) from None
    return see(body, game=query.get("game")).to_dict()


def _export(body: bytes, query: Mapping[str, str]) -> dict[str, Any]:
    try:
        asked = json.loads(body)
    except (ValueError, RecursionError):
        raise TengenError("what to export is JSON") from None
    return exported(asked)
