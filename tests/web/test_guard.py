"""Who is let in, and how much anybody may send."""

from __future__ import annotations

import base64
import contextlib
import http.client
import json
import random
import socket
import time
import urllib.error
import urllib.request
from contextlib import ExitStack

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

import tengen
from tengen import records
from tengen.web.app import MOST_MESSAGE


def get(server, path="/api/about", **headers):
    request = urllib.request.Request(
        server.address + path, headers={k.replace("_", "-"): v for k, v in headers.items()}
    )
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.headers, refused.read()


def post(server, path, body):
    request = urllib.request.Request(server.address + path, data=body, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refused:
        return refused.code, json.load(refused)


@pytest.mark.parametrize(("host", "expected"), [("127.0.0.1:{port}", 200), ("evil.example", 403)])
def test_headers_keep_a_browser_careful(server, host, expected):
    status, headers, _ = get(server, Host=host.format(port=server.port))
    assert status == expected
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_other_names_and_other_pages_are_turned_away(server):
    assert get(server, Host="evil.example")[0] == 403  # a name that was made to point here
    assert get(server, Origin="http://evil.example")[0] == 403
    assert get(server, Origin="null")[0] == 403
    assert get(server, Origin=server.address.replace("127.0.0.1", "localhost"))[0] == 403
    assert get(server, Origin=server.address)[0] == 200
    name = f"LocalHost:{server.port}"
    assert get(server, Host=name, Origin=f"http://{name.lower()}")[0] == 200
    with pytest.raises(InvalidStatus):
        connect(f"ws://127.0.0.1:{server.port}/ws", origin="http://evil.example")


def test_no_path_of_a_request_touches_the_disk(server):
    for path in ("/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/app.py", "/..%2fapp.py", "/static/x"):
        assert get(server, path)[0] == 404


def test_another_address_needs_the_token(serving):
    with serving(token="secret-token") as server:
        assert get(server)[0] == 403
        assert get(server, "/api/about?token=wrong")[0] == 403
        status, headers, _ = get(server, "/api/about?token=secret-token")
        assert status == 200
        cookie = headers["Set-Cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Lax" in cookie
        assert get(server, Cookie=cookie.partition(";")[0])[0] == 200
        name = f"tengen-{server.port}"
        assert get(server, Cookie=f"{name}1=other; a=b; {cookie.partition(';')[0]}")[0] == 200  # and of another port
        for odd in (f"{name}=\xe9", f"{name}=", name, "=", "\xff", "tengen=secret-token", "tengen-1=secret-token"):
            assert get(server, Cookie=odd)[0] == 403
        assert get(server, "/api/about?token=%C3%A9")[0] == 403
        with pytest.raises(InvalidStatus):
            connect(f"ws://127.0.0.1:{server.port}/ws")
        with connect(f"ws://127.0.0.1:{server.port}/ws?token=secret-token") as socket:
            socket.send("{}")
            assert json.loads(socket.recv(5))["type"] == "error"


def test_the_token_leaves_the_address(serving):
    with serving(token="secret-token") as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        connection.request("GET", "/?token=secret-token")
        answer = connection.getresponse()
        assert (answer.status, answer.headers["Location"], answer.read()) == (303, "/", b"")
        cookie = answer.headers["Set-Cookie"].partition(";")[0]
        assert get(server, "/", Cookie=cookie)[0] == 200
        connection.request("GET", "/?token=wrong")
        assert connection.getresponse().status == 403


def test_bodies_are_bounded(server):
    status, answer = post(server, "/api/import", b"(;GM[4]" + b" " * (2 << 20))
    assert status == 413
    assert "too large" in answer["error"]["message"]
    assert (answer["error"]["code"], answer["error"]["details"]) == ("too_large", ["1024"])
    assert post(server, "/api/import", b"\xff\x00nonsense")[0] == 400
    assert post(server, "/api/export", b"[" * 5000)[0] == 400
    assert (
        post(server, "/api/export", json.dumps({"format": "sgf", "game": "gomoku", "nodes": [{"parent": 0}]}).encode())[
            0
        ]
        == 400
    )


def test_heads_are_bounded_however_they_come(server):
    for size, expected in ((12 * 1024, [200]), (20 * 1024, [400, 431])):  # in pieces, or all at once
        assert get(server, X_Long="x" * size)[0] in expected
        assert get(server, f"/api/about?x={'x' * size}")[0] in expected
    address = f"ws://127.0.0.1:{server.port}/ws"
    for headers in ({"X-Long": "x" * 9000}, {"X-Long": "x" * 20 * 1024}, {f"X-{i}": "x" for i in range(130)}):
        with pytest.raises(InvalidStatus):
            connect(address, additional_headers=headers)
    with connect(address, additional_headers={"X-Long": "x" * 4000}) as socket:
        socket.send("{}")
        assert json.loads(socket.recv(5))["type"] == "error"


@pytest.mark.parametrize("body", [b"", b" \n", b"hello world", b"\xff\x00nonsense"])
def test_what_is_no_record_has_a_code_of_its_own(server, body):
    status, answer = post(server, "/api/import", body)
    assert (status, answer["error"]["code"]) == (400, "no_format")


def test_few_bodies_are_held_at_a_time(server, monkeypatch):
    monkeypatch.setattr("tengen.web.app._BODY_SECONDS", 1.0)
    held = []
    real = tengen.web.app._bounded_body

    async def counted(request, most):
        held.append(1)
        try:
            return await real(request, most)
        finally:
            held.pop()

    monkeypatch.setattr("tengen.web.app._bounded_body", counted)
    head = f"POST /api/see HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: 100000\r\n\r\n".encode()
    with ExitStack() as stack:
        for _ in range(12):
            slow = stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=10))
            slow.sendall(head + b"x")
        most, end = 0, time.monotonic() + 0.8
        while time.monotonic() < end:
            most = max(most, len(held))
            time.sleep(0.01)
    assert most == 4


def test_who_dribbles_makes_nobody_wait(server, monkeypatch):
    monkeypatch.setattr("tengen.web.app._BODY_SECONDS", 3.0)

    def ask(size):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        connection.putrequest("POST", "/api/import")
        connection.putheader("Content-Length", str(size))
        connection.endheaders(b"(;")
        return connection

    slow = [ask(1_000_000) for _ in range(12)]
    time.sleep(0.2)
    began = time.monotonic()
    assert post(server, "/api/import", b"h8i9")[0] == 200
    assert time.monotonic() - began < 1.5  # a short one needs no place
    assert [connection.getresponse().status for connection in slow] == [408] * 12
    assert time.monotonic() - began < 6  # those who waited for one were no more patient than those who had one


def test_of_many_games_the_first_hundred_come(server):
    game = tengen.Position("othello")
    rng = random.Random(1)
    while not game.is_over:
        game.play(rng.choice(game.legal_moves()))
    games = [records.Record.from_position(game)] * 1000
    for count, more in ((1000, True), (100, False)):
        status, answer = post(server, "/api/import", records.dumps(games[:count], "wthor"))
        assert status == 200, answer
        assert (answer["count"], len(answer["games"]), answer["more"]) == (100, 100, more)


def test_messages_are_bounded(server):
    with connect(f"ws://127.0.0.1:{server.port}/ws") as socket:
        socket.send("x" * (MOST_MESSAGE + 1))
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(10)
        assert closed.value.rcvd.code == 1009


def test_tabs_are_bounded(serving, monkeypatch):
    assert tengen.web.app.MOST_TABS == 256
    monkeypatch.setattr("tengen.web.app.MOST_TABS", 2)
    with serving() as server, server.tab() as one:
        with server.tab() as two, server.tab() as many:
            assert {tab.ask("new")["type"] for tab in (one, two)} == {"state"}
            with pytest.raises(ConnectionClosed) as closed:
                many.receive(10)
            assert closed.value.rcvd.code == 1013
        until = time.monotonic() + 10
        while time.monotonic() < until:
            with server.tab() as next_one, contextlib.suppress(ConnectionClosed):
                assert next_one.ask("new")["type"] == "state"  # there is room again
                break
        else:
            pytest.fail("there is no room again")
        assert one.ask("play", move="h8")["type"] == "state"


LOOK, PING = b'\x81\x8d\0\0\0\0{"do":"look"}', b"\x89\xfd\0\0\0\0" + b"x" * 125


@pytest.mark.parametrize("bound", ["_DEAF_SECONDS", "_PING_SECONDS"])
@pytest.mark.parametrize("frame", [LOOK, PING], ids=["look", "ping"])
def test_a_tab_that_asks_and_does_not_listen_is_cut_off(serving, monkeypatch, frame, bound):
    monkeypatch.setattr(f"tengen.web.server.{bound}", 0.5)
    with serving() as server, socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.settimeout(10)
        deaf.connect(("127.0.0.1", server.port))
        deaf.sendall(
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        assert deaf.recv(12) == b"HTTP/1.1 101"
        assert is_refused(deaf, frame * 1000, within=20)


def test_whoever_takes_his_time_is_cut_off(server, monkeypatch):
    monkeypatch.setattr("tengen.web.server._REQUEST_SECONDS", 0.5)
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        began = time.monotonic()
        assert slow.recv(100) == b""
        assert time.monotonic() - began < 5


def is_refused(connection, blob, within):
    """Whether the server ends a connection that sends on and on and reads nothing."""
    until = time.monotonic() + within
    while time.monotonic() < until:
        try:
            connection.sendall(blob)
        except (ConnectionResetError, BrokenPipeError):
            return True
    return False


def is_cut_off(connection, within):
    """Whether the server closes a connection on which bytes keep dribbling."""
    until = time.monotonic() + within
    connection.settimeout(0.05)
    while time.monotonic() < until:
        try:
            connection.sendall(b"a")
            if connection.recv(1 << 16) == b"":
                return True
        except TimeoutError:
            continue
        except OSError:
            return True
    return False


def test_a_second_request_is_not_waited_for_either(server, monkeypatch):
    monkeypatch.setattr("tengen.web.server._REQUEST_SECONDS", 0.5)
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as slow:
        host = f"Host: 127.0.0.1:{server.port}\r\n".encode()
        slow.sendall(b"GET /icon.svg HTTP/1.1\r\n" + host + b"\r\n")
        assert slow.recv(100).startswith(b"HTTP/1.1 200")
        slow.sendall(b"GET / HTTP/1.1\r\n" + host)
        assert is_cut_off(slow, 5)


@pytest.mark.parametrize("request_line", ["GET /icon.svg", "POST /api/import", "GET /"])
@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "elsewhere"])
def test_a_body_does_not_go_on_after_its_answer(server, monkeypatch, request_line, host):
    monkeypatch.setattr("tengen.web.server._LINGER_SECONDS", 0.2)
    monkeypatch.setattr("tengen.web.app._BODY_SECONDS", 0.3)
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as endless:
        head = f"{request_line} HTTP/1.1\r\nHost: {host.format(port=server.port)}\r\nContent-Length: 999999999\r\n\r\n"
        endless.sendall(head.encode())
        assert is_cut_off(endless, 5)


def test_a_body_that_does_not_come_is_not_waited_for(server, monkeypatch):
    monkeypatch.setattr("tengen.web.app._BODY_SECONDS", 0.3)
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.putrequest("POST", "/api/import")
    connection.putheader("Content-Length", "1000")
    connection.endheaders(b"(;")
    assert connection.getresponse().status == 408


def test_who_leaves_in_the_middle_of_a_body_is_no_trouble(server, caplog):
    for _ in range(3):
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as gone:
            head = f"POST /api/import HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: 1000\r\n\r\n(;"
            gone.sendall(head.encode())
            time.sleep(0.1)
    time.sleep(0.3)
    assert not caplog.records


def test_records_go_in_and_out(server):
    record = b"(;GM[4]SZ[15];B[hh];W[hi]C[near](;B[ij])(;B[aa];W[ab]))"
    status, answer = post(server, "/api/import", record)
    assert (status, answer["format"], answer["count"]) == (200, "sgf", 1)
    [game] = answer["games"]
    assert [(node["parent"], node["move"]) for node in game["nodes"]] == [
        (-1, "h8"), (0, "h7"), (1, "i6"), (1, "a15"), (3, "a14"),
    ]  # fmt: skip
    assert game["nodes"][1]["comment"] == "near"
    status, file = post(server, "/api/export", json.dumps({"format": "sgf", **game}).encode())
    assert status == 200
    assert file["name"].endswith(".sgf")
    again = post(server, "/api/import", base64.b64decode(file["data"]))[1]
    assert again["games"][0]["nodes"] == game["nodes"]
    status, file = post(server, "/api/export", json.dumps({"format": "psq", **game}).encode())
    assert status == 200
    main_line = post(server, "/api/import", base64.b64decode(file["data"]))[1]["games"][0]["nodes"]
    assert [node["move"] for node in main_line] == ["h8", "h7", "i6"]


@pytest.mark.parametrize(
    ("record", "result"),
    [
        (b"(;GM[4]SZ[15]PB[a]PW[b]RE[B+R]C[root comment];B[hh]C[first])", "black by resignation"),
        (b"(;GM[4]SZ[15]RE[Draw];B[hh])", "draw"),
        (b"(;GM[2]SZ[8]RE[B+10];B[fe];W[df])", "black 37-27"),
        (b"(;GM[Othello]PC[x]PB[a]PW[b]RE[+10]TY[8]B[F5]W[D6];)", "black 37-27"),
        (b"(;GM[Othello]RE[-1.000:t]TY[8]B[F5]W[D6];)", "white by time"),
        (b"Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\na\nb\n15\n", "white by time"),
        (
            b"(;GM[4]SZ[15]RU[renju];B[hh];W[ao];B[hg];W[am];B[gf];W[ak];B[if];W[co];B[hf])",  # a double three
            "white by foul",
        ),
        (b"Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\na\nb\n0\n", "unknown"),
    ],
)
def test_all_that_a_record_says_goes_in_and_out(server, record, result):
    found = post(server, "/api/import", record)[1]
    [game] = found["games"]
    assert game["result"] == result
    for name in {"sgf", found["format"]}:
        file = post(server, "/api/export", json.dumps({"format": name, **game}).encode())[1]
        [again] = post(server, "/api/import", base64.b64decode(file["data"]))[1]["games"]
        for words in (game, again):  # a result in the words of another format
            words["headers"].pop("result", None)
        assert again == game


def test_a_game_won_on_the_board_says_so(server):
    moves = ["h8", "a1", "h9", "a2", "h10", "a3", "h11", "a4", "h12"]
    nodes = [{"parent": ply - 1, "move": move} for ply, move in enumerate(moves)]
    asked = {"format": "sgf", "game": "gomoku", "result": "unknown", "nodes": nodes}
    assert b"RE[B+]" in base64.b64decode(post(server, "/api/export", json.dumps(asked).encode())[1]["data"])


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"format": "ggf"}, "cannot_write"),
        ({"format": "psq", "setup": {"black": ["h8"], "white": [], "to_move": "white"}}, "cannot_write"),
        ({"format": "psq", "headers": {"black": "3"}}, "cannot_write"),
        ({"result": "black by magic"}, "other"),
        ({"result": 5}, "other"),
        ({"comment": ["x"]}, "other"),
        ({"format": "doc"}, "other"),
        ({"nodes": [{"parent": -1, "move": "z99"}]}, "notation"),
    ],
)
def test_what_cannot_be_written_is_said(server, more, code):
    status, answer = post(
        server, "/api/export", json.dumps({"format": "sgf", "game": "gomoku", "nodes": [], **more}).encode()
    )
    assert (status, answer["error"]["code"]) == (400, code)


def test_a_picture_is_read(server):
    numpy, cv2 = pytest.importorskip("numpy"), pytest.importorskip("cv2")
    from tengen.vision.drawing import draw_screenshot

    picture = draw_screenshot(numpy.random.default_rng(1), theme="wood-classic", size=15)
    data = cv2.imencode(".png", picture.image[..., ::-1])[1].tobytes()
    status, seen = post(server, "/api/see", data)
    assert (status, seen["game"], seen["size"]) == (200, "gomoku", 15)
    assert len(seen["black"]) == int((picture.truth.cells == 1).sum())
    status, answer = post(server, "/api/see", b"no picture")
    assert status == 400
    assert answer["error"]["code"] == "picture"
