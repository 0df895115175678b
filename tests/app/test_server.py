"""Who is answered: the window alone, once it has traded the token of its link for a key. Everybody else is refused,
learns nothing, and changes nothing."""

import json
import socket
import threading
from collections.abc import Iterator
from http import HTTPStatus
from http.client import HTTPResponse
from io import BytesIO
from ipaddress import IPv4Address
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.app.server import LARGEST, STRANGERS
from tests.app.window import Answer, App, Window, answer_of, connected, running, sent, window
from tests.cli.world import tree
from tests.support import waiting

SAFE = {
    "Cache-Control": "no-store",
    "Connection": "close",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "Content-Type": "text/plain; charset=utf-8",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
PRACTISE = b'{"game":"auction","new":true}'
"""A call that writes a file."""
Headers = list[tuple[str, str]]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("server")
    for name in ("folder-of-anna", "home/practice"):
        (root / name).mkdir(parents=True)
    (root / "home" / "other.json").write_bytes(b"{}")
    return root


@pytest.fixture(scope="module")
def mine(place: Path) -> Iterator[Window]:
    """A window, which keeps its key."""
    with window(cwd=place / "folder-of-anna", home=place / "home") as one:
        yield one


@pytest.fixture(autouse=True)
def nothing_is_done(request: pytest.FixtureRequest) -> Iterator[None]:
    """No test here carries a call out that writes; the window is there before and after."""
    mine = request.getfixturevalue("mine") if "mine" in request.fixturenames else None
    place = request.getfixturevalue("place")
    before = tree(place)
    yield
    assert tree(place) == before
    if mine is not None:
        assert mine.second().call("games")["games"] == []


def good(mine: Window, body: bytes = PRACTISE) -> Headers:
    """The head of a call as the page makes it."""
    return [
        ("Host", mine.app.host), ("Origin", f"http://{mine.app.host}"), ("Content-Type", "application/json"),
        ("Authorization", f"Bearer {mine.key}"), ("Content-Length", str(len(body))),
    ]  # fmt: skip


def message(first: str, headers: Headers, body: bytes = b"") -> bytes:
    lines = [first, *(f"{name}: {value}" for name, value in headers), "", ""]
    return "\r\n".join(lines).encode("latin-1") + body


def parsed(data: bytes, method: str = "POST") -> Answer:
    class Wire:
        def makefile(self, mode: str) -> BytesIO:
            return BytesIO(data)

    response = HTTPResponse(Wire(), method=method)  # type: ignore[arg-type]
    response.begin()
    return answer_of(response)


def check_refusal(data: bytes, *allowed: int) -> None:
    """A refusal: safe headers, two words, and nothing after it."""
    answer = parsed(data)
    assert answer.status in (allowed or (400, 403, 404, 405, 411, 413, 421, 501)), data
    head = {name: value for name, value in answer.headers if name not in ("Date", "Server", "Content-Length")}
    assert head == SAFE
    assert answer.body.decode() == HTTPStatus(answer.status).phrase
    assert data.endswith(b"\r\n\r\n" + answer.body)


# --- the token -------------------------------------------------------------------------------------------------------


def session(app: App, body: bytes) -> bytes:
    return sent(app, message("POST /session HTTP/1.1", [
        ("Host", app.host), ("Origin", f"http://{app.host}"), ("Content-Type", "application/json"),
        ("Content-Length", str(len(body))), ("Connection", "close"),
    ], body))  # fmt: skip


def test_the_token_is_worth_one_key_once(place: Path) -> None:
    with running("--no-browser", cwd=place, home=place / "home") as app:
        token = json.dumps(app.token).encode()
        wrong = (b"", b'""', b"null", b"{}", b"[]", token.lower(), token[:-2] + b'"', token + b" ", app.token.encode())
        for body in wrong:
            check_refusal(session(app, body), 403)
        given = parsed(session(app, token))
        assert (given.status, [*given.said]) == (200, ["key", "start", "calls"])
        assert given.said["key"] != app.token
        for body in (token, *wrong, json.dumps(given.said["key"]).encode()):
            check_refusal(session(app, body), 403)


def test_of_many_who_have_the_token_at_once_one_gets_the_key(place: Path) -> None:
    with running("--no-browser", cwd=place, home=place / "home") as app:
        token, answers, start = json.dumps(app.token).encode(), list[bytes](), threading.Barrier(16)

        def try_it() -> None:
            start.wait()
            answers.append(session(app, token))

        crowd = [threading.Thread(target=try_it) for _ in range(16)]
        for one in crowd:
            one.start()
        for one in crowd:
            one.join()
        assert sorted(parsed(one).status for one in answers) == [200, *[403] * 15]


def test_every_program_has_another_port_token_and_key(place: Path, mine: Window) -> None:
    with window(cwd=place, home=place / "home") as other:
        assert len({mine.app.host, other.app.host}) == len({mine.key, other.key, mine.app.token, other.app.token}) - 2
        twin = other.second()
        twin.key = mine.key
        assert twin.post("/call/practice", PRACTISE).status == 403


# --- heads -----------------------------------------------------------------------------------------------------------

WRONG = {
    "Host": ["", "localhost:{port}", "{address}", "{address}:80", "{address}:{port}.", "{address}.:{port}",
             "{address}:{port}@evil.example", "evil.example:{port}", "127.0.0.2:{port}", "{whole}:{port}",
             "[::1]:{port}", "[::ffff:{address}]:{port}", "0.0.0.0:{port}", "{address}:0{port}",
             "http://{address}:{port}", "{address}:{port}, evil.example"],
    "Origin": ["", "null", "http://localhost:{port}", "https://{address}:{port}", "http://{address}",
               "http://{address}:{port}/", "http://{address}:{port} http://evil.example", "HTTP://{address}:{port}",
               "http://evil.example", "http://{address}:1", "file://"],
    "Content-Type": ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
                     "application/json; charset=utf-8", "application/json, text/plain", "text/plain;application/json"],
    "Authorization": ["", "Bearer", "Bearer ", "Bearer {token}", "bearer {key}", "Basic {key}", "{key}",
                      "Bearer  {key}", "Bearer {key}x", "Bearer {half}", "Bearer {key}\r\n x", "Bearer {key},Bearer",
                      "Bearer \xe9\xff"],
}  # fmt: skip
"""Header -> what it must not be."""


def filled(text: str, mine: Window) -> str:
    half, address = mine.key[:-1], mine.app.address
    return text.format(port=mine.app.port, key=mine.key, token=mine.app.token, half=half,
                       address=address, whole=int(IPv4Address(address)))  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_call_with_a_wrong_a_missing_or_a_second_header_is_refused(mine: Window, name: str) -> None:
    right = dict(good(mine))[name]
    for text in [None, *WRONG[name]]:
        given = [] if text is None else [(name, filled(text, mine))]
        heads = [[*(one for one in good(mine) if one[0] != name), *given]]
        heads += [[*good(mine), *given], [*given, *good(mine)]] if given else []
        for head in heads:
            check_refusal(sent(mine.app, message("POST /call/practice HTTP/1.1", head, PRACTISE)), 403)
    check_refusal(sent(mine.app, message("POST /call/practice HTTP/1.1", [*good(mine), (name, right)], PRACTISE)), 403)


@pytest.mark.parametrize("name", ["cross-site", "same-site", "none", "", "same-origin, same-origin"])
def test_a_browser_that_says_another_page_asks_is_believed(mine: Window, name: str) -> None:
    head = [*good(mine), ("Sec-Fetch-Site", name)]
    check_refusal(sent(mine.app, message("POST /call/practice HTTP/1.1", head, PRACTISE)), 403)


def test_a_key_in_a_cookie_in_the_address_or_in_the_body_is_none(mine: Window) -> None:
    head = [one for one in good(mine) if one[0] != "Authorization"]
    for first in ("/call/practice", f"/call/practice?key={mine.key}", f"/call/practice#{mine.key}"):
        for more in ([], [("Cookie", f"key={mine.key}; Authorization=Bearer {mine.key}")]):
            check_refusal(sent(mine.app, message(f"POST {first} HTTP/1.1", [*head, *more], PRACTISE)), 403)


POOL = [
    ("host", ["{host}", "evil.example"]),
    ("origin", ["http://{host}", "null"]),
    ("CONTENT-type", ["application/json", "text/plain"]),
    ("authorization", ["Bearer {key}", "Bearer x"]),
    ("Sec-Fetch-Site", ["same-origin", "cross-site"]),
    ("X-Forwarded-Host", ["{host}"]),
    ("Cookie", ["a=b"]),
    ("Referer", ["http://{host}/"]),
]
LINES = [(name, value) for name, values in POOL for value in values]
NEEDED = {(name, values[0]) for name, values in POOL[:4]}
FORBIDDEN = {(name, values[1]) for name, values in POOL[:5]}


@given(lines=st.lists(st.sampled_from(LINES), max_size=3), drop=st.sets(st.sampled_from(sorted(NEEDED)), max_size=1))
@settings(max_examples=150, deadline=None)
def test_only_one_head_is_right(mine: Window, lines: Headers, drop: set[tuple[str, str]]) -> None:
    """Any lines beside those that are needed, in any order: the model counts, the server answers a harmless call."""
    head = lines[::2] + sorted(NEEDED - drop) + lines[1::2]
    right = all(head.count(one) == 1 for one in NEEDED) and not FORBIDDEN & set(head)
    right &= head.count(("Sec-Fetch-Site", "same-origin")) <= 1
    told = [(name, value.format(host=mine.app.host, key=mine.key)) for name, value in head]
    data = sent(mine.app, message("POST /call/moves HTTP/1.0", [*told, ("Content-Length", "2")], b"{}"))
    if right:
        assert parsed(data).said["code"] == "no-game"
    else:
        check_refusal(data, 403)


# --- methods, places, bodies -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "HEAD", "post", "GETS"])
def test_other_methods_are_refused(mine: Window, method: str) -> None:
    """A browser that asks first whether another page may call (OPTIONS) is not told that it may."""
    check_refusal(sent(mine.app, message(f"{method} /call/practice HTTP/1.1", good(mine), PRACTISE)), 501)


def test_the_page_is_the_same_for_everybody_and_holds_nothing(place: Path, mine: Window) -> None:
    head = [("Host", mine.app.host)]
    answer = parsed(sent(mine.app, message("GET / HTTP/1.0", head)), "GET")
    assert answer.status == 200
    told = dict(answer.headers)
    assert told | {"Content-Security-Policy": "", "Content-Type": "", "Content-Length": ""} == told | dict.fromkeys(
        ("Content-Security-Policy", "Content-Type", "Content-Length"), "")  # fmt: skip
    assert {name: told.get(name) for name in SAFE} == SAFE | {
        "Content-Security-Policy": "frame-ancestors 'none'", "Content-Type": "text/html; charset=utf-8"}  # fmt: skip
    secrets = [mine.key, mine.app.token, str(place), "folder-of-anna", str(mine.app.port)]
    assert [one for one in secrets if one.encode() in answer.body] == []
    with window(cwd=place, home=place / "home") as other:
        assert parsed(sent(other.app, message("GET / HTTP/1.0", [("Host", other.app.host)])), "GET").body == answer.body


def test_the_page_s_own_policy_allows_calls_to_its_server_and_nothing_else(mine: Window) -> None:
    page = parsed(sent(mine.app, message("GET / HTTP/1.0", [("Host", mine.app.host)])), "GET").body.decode()
    policy = page.partition('http-equiv="Content-Security-Policy" content="')[2].partition('"')[0].split("; ")
    assert policy[0] == "default-src 'none'"
    assert {one for one in policy if not one.startswith(("script-src 'sha256-", "style-src 'sha256-"))} == {
        "default-src 'none'", "base-uri 'none'", "form-action 'none'", "connect-src 'self'",
        "require-trusted-types-for 'script'", "trusted-types 'none'",
    }  # fmt: skip
    assert [one.count("'") for one in policy if "sha256" in one] == [2, 2]


@pytest.mark.parametrize(
    ("first", "head", "status"),
    [
        *(("GET / HTTP/1.1", [("Host", host)], 421) for host in WRONG["Host"]),
        ("GET / HTTP/1.1", [], 421),
        ("GET / HTTP/1.1", [("Host", "{host}"), ("Host", "{host}")], 421),
        *(("GET / HTTP/1.1", [("Host", "{host}"), ("Sec-Fetch-Dest", kind)], 403)
          for kind in ("iframe", "frame", "embed", "object", "script", "image", "style", "empty", "worker", "")),
        ("GET / HTTP/1.1", [("Host", "{host}"), ("Content-Length", "0")], 400),
        ("GET / HTTP/1.1", [("Host", "{host}"), ("Content-Length", "2")], 400),
        ("GET / HTTP/1.1", [("Host", "{host}"), ("Transfer-Encoding", "chunked")], 400),
        *((f"GET {path} HTTP/1.1", [("Host", "{host}")], 404)
          for path in ("/index.html", "/call/games", "/session", "/favicon.ico", "/..", "/../../etc/passwd", "/%2e%2e/",
                       "/%2F", "/?", "/?x", "/.", "/#", "*", "http://{host}/", "/\\", "/calls.mjs", "/\xe9")),
    ],
)  # fmt: skip
def test_nothing_else_can_be_read(mine: Window, first: str, head: Headers, status: int) -> None:
    told = [(name, filled(value.replace("{host}", mine.app.host), mine)) for name, value in head]
    check_refusal(sent(mine.app, message(first.replace("{host}", mine.app.host), told)), status)


@pytest.mark.parametrize("path", [
    "/call/", "/call", "/call/none", "/call/practice/", "/call/Practice", "/call//practice", "//call/practice/x",
    "/practice", "/call/../call/practice", "/call/__init__", "/call/handle_of", "/call/state_of_folder", "/call/_path",
    "/call/%70ractice", "/call/practice?x", "/call/practice%00", "/call/practice.json", "/", "*", "/session/",
    "http://evil.example/call/practice",
])  # fmt: skip
def test_there_is_no_other_call(mine: Window, path: str) -> None:
    check_refusal(sent(mine.app, message(f"POST {path} HTTP/1.1", good(mine), PRACTISE)), 404)


@pytest.mark.parametrize(
    ("more", "body", "status"),
    [
        ([], b"", 411),
        *(([("Content-Length", text)], PRACTISE, 411)
          for text in ("", "-1", "+29", "29.0", "0x1d", "2 9", "29, 29", "29;29", "\xb2\xb9", "x")),
        ([("Content-Length", "29"), ("Content-Length", "29")], PRACTISE, 411),
        ([("Content-Length", "29"), ("Content-Length", "2")], PRACTISE, 411),
        ([("Transfer-Encoding", "chunked")], b"1d\r\n" + PRACTISE + b"\r\n0\r\n\r\n", 411),
        ([("Content-Length", "29"), ("Transfer-Encoding", "chunked")], PRACTISE, 411),
        ([("Content-Length", "29"), ("Transfer-Encoding", "identity")], PRACTISE, 411),
        ([("Content-Length", str(LARGEST + 1))], b"", 413),
        ([("Content-Length", "1" + "0" * 5000)], b"", 413),
        ([("Content-Length", "30")], PRACTISE, 400),
        ([("Content-Length", str(LARGEST))], PRACTISE, 400),
    ],
)  # fmt: skip
def test_a_body_that_is_not_as_it_says_is_no_call(mine: Window, more: Headers, body: bytes, status: int) -> None:
    head = [one for one in good(mine) if one[0] != "Content-Length"]
    data = message("POST /call/practice HTTP/1.1", [*head, *more], body)
    check_refusal(sent(mine.app, data, end=True), status)


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"GET / HTTP/2.0\r\n\r\n", 505),
        (b"GET / HTTP/x\r\n\r\n", 400),
        (b"GET / HTTP/1.1 x\r\n\r\n", 400),
        (b"GET\r\n\r\n", 400),
        (b"GET /\r\n\r\n", 421),
        (b"POST /call/practice\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n", 400),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
        (b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n", 414),
        (b"GET / HTTP/1.1\r\nA: " + b"a" * 70_000 + b"\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\n" + b"A: a\r\n" * 200 + b"\r\n", 431),
        (b"\0\0\0 \0 \0\r\n\r\n", 400),
    ],
    ids=lambda value: value[:20] if isinstance(value, bytes) else str(value),
)
def test_what_is_no_http_is_refused_like_all_else(mine: Window, data: bytes, status: int) -> None:
    check_refusal(sent(mine.app, data, end=True), status)


@pytest.mark.parametrize("data", [b"", b"\r\n", b"\r\n\r\n", b"GET / HTTP/1.1\r\nHost"])
def test_half_a_request_gets_nothing_or_a_refusal(mine: Window, data: bytes) -> None:
    answer = sent(mine.app, data, end=True)
    assert answer == b"" or parsed(answer).status in (400, 421)


# --- what is asked ---------------------------------------------------------------------------------------------------

DEEP = b'{"move":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
BODIES = [
    b"{", b"[]", b"null", b"1", b'"practice"', b"{}x", b'{"game":1}', b'{"game":null}', b'{"path":"/etc/passwd"}',
    b'{"game":"auction","new":"yes"}', b'{"game":"auction","new":true,"file":""}', b'{"round":1.5}', b'{"seats":"2"}',
    b'{"round":1e999}', b'{"words":"\\ud800"}', b'{"words":"\xff"}', b"\xff\xfe{\0}\0", b"\xef\xbb\xbf{}", DEEP,
    b'{"move":' + b"9" * 100_000 + b"x}", b"{" * 1000, b'{"language":["en"]}', b'{"again":0}', b"\0",
]  # fmt: skip


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body[:24])
def test_what_is_no_request_is_called_unknown(mine: Window, body: bytes) -> None:
    answer = mine.post("/call/practice", body)
    assert (answer.status, answer.said["code"]) == (400, "malformed")
    assert answer.said["next"] == "load the page again"


@pytest.mark.parametrize("game", [
    "", "../other", "../practice/auction", "/etc/passwd", "practice/../auction", "auction.json", "auction\0", "AUCTION",
    "a" * 5000, "games", "__init__", "mark.rules", "\u202e", "C:\\key", "~", "$HOME", "auction/", " auction",
])  # fmt: skip
def test_no_call_takes_a_path(place: Path, mine: Window, game: str) -> None:
    """Neither of a game to practise, nor of one to open."""
    assert mine.refused("practice", game)["code"] == "unknown-game"
    for name in ("open", "look", "moves", "check", "orders", "sign", "resign", "hint", "undo", "invited", "join"):
        assert mine.refused(name, game)["code"] == "no-game"
    assert mine.refused("send", game)["code"] == "no-reply"


# --- holding connections ---------------------------------------------------------------------------------------------


def gone(one: socket.socket) -> bool:
    """Whether the other side has ended this connection, without a word."""
    try:
        return one.recv(1) == b""
    except ConnectionError:
        return True


def test_strangers_who_hold_connections_keep_nobody_out(place: Path, mine: Window) -> None:
    """They say nothing, or half a request, or a request without its body. The newest stay, the oldest go; whoever has
    shown the key stays, also while it waits."""
    halves = [b"", b"GET / HT", message("POST /session HTTP/1.1", [*good(mine)[:3], ("Content-Length", "9")], b"x")]
    waits = mine.wait()
    strangers = [connected(mine.app) for _ in range(3 * STRANGERS)]
    try:
        for at, one in enumerate(strangers):
            try:
                one.sendall(halves[at % 3])
            except ConnectionError:
                continue
        assert all(gone(one) for one in strangers[: 2 * STRANGERS])
        assert mine.call("games")["games"] == []
        assert mine.second().call("games")["games"] == []
    finally:
        for one in strangers:
            one.close()
    news = place / "folder-of-anna" / "news"
    news.touch()
    assert json.loads(waits.read()) == {}
    news.unlink()


def test_whoever_sends_a_byte_now_and_then_is_ended_too(place: Path) -> None:
    short = {"PATIENCE": 0.3}
    with running("--no-browser", cwd=place, home=place / "home", settings=short) as app, connected(app) as one:
        waiting.until(lambda: dribbled(one))


def dribbled(one: socket.socket) -> bool:
    """Whether a connection that gets one byte more has been ended."""
    try:
        one.sendall(b"a")
    except ConnectionError:
        return True
    return False
