"""Who is answered at all, head by head and without a connection."""

import io
import json
from email.message import Message
from types import SimpleNamespace
from typing import Any

import pytest

from referee.app import server

HOST = "127.5.6.7:4321"
OURS = {"Host": HOST, "Origin": f"http://{HOST}", "Content-Type": "application/json"}


class Asked:
    """A request to the server, and what became of it: `refused` with a status, or `sent`."""

    def __init__(self, heads: list[tuple[str, str]], path: str = "/", body: bytes = b"") -> None:
        self.headers = Message()
        for name, value in heads:
            self.headers[name] = value
        self.path, self.rfile, self.connection = path, io.BytesIO(body), object()
        self.greeted = 0
        self.server = SimpleNamespace(
            host=HOST, page=b"page", key="k" * 43, once="once", lock=None, opened=False, start=None, calls=None,
            greet=lambda one: setattr(self, "greeted", self.greeted + 1), attended=self.attended, begins=True,
        )  # fmt: skip
        self.answers: list[tuple[Any, ...]] = []

    def attended(self) -> Any:
        from contextlib import nullcontext

        return nullcontext(self.server.begins)

    def __getattr__(self, name: str) -> Any:
        found = getattr(server.Handler, name)
        return found.__get__(self)

    def _refuse(self, status: int) -> None:
        self.answers.append(("refused", int(status)))

    def _send(self, status: int, kind: str, data: bytes, *more: Any) -> None:
        self.answers.append(("sent", int(status), kind, data))

    def _session(self, body: bytes) -> None:
        self.answers.append(("session", body))

    def _call(self, path: str, body: bytes) -> None:
        self.answers.append(("call", path, body))

    @property
    def answer(self) -> tuple[Any, ...]:
        (found,) = self.answers
        return found


def heads(**changes: str | None) -> list[tuple[str, str]]:
    """Those of our own page, with some changed or (None) left out."""
    wanted = OURS | {name.replace("_", "-"): value for name, value in changes.items()}
    return [(name, value) for name, value in wanted.items() if value is not None]


def ours(found: list[tuple[str, str]]) -> bool:
    return bool(server.Handler._is_ours(Asked(found)))  # type: ignore[arg-type]


def test_our_own_page_is_known_by_every_head() -> None:
    assert ours(heads())
    assert ours(heads(Sec_Fetch_Site="same-origin"))
    for name in OURS:
        assert not ours(heads(**{name.replace("-", "_"): None})), name
        assert not ours(heads(**{name.replace("-", "_"): "other"})), name
        assert not ours([*heads(), (name, OURS[name])]), f"{name} twice"
    for site in ("cross-site", "same-site", "none", ""):
        assert not ours(heads(Sec_Fetch_Site=site)), site
    assert not ours(heads(Origin=f"https://{HOST}"))
    assert not ours(heads(Origin="null"))


@pytest.mark.parametrize(
    ("found", "path", "answer"),
    [
        ([("Host", HOST)], "/", ("sent", 200, "text/html; charset=utf-8", b"page")),
        ([("Host", HOST), ("Sec-Fetch-Dest", "document")], "/", ("sent", 200, "text/html; charset=utf-8", b"page")),
        ([], "/", ("refused", 421)),
        ([("Host", "localhost:4321")], "/", ("refused", 421)),
        ([("Host", HOST), ("Host", HOST)], "/", ("refused", 421)),
        ([("Host", HOST), ("Sec-Fetch-Dest", "iframe")], "/", ("refused", 403)),
        ([("Host", HOST)], "/x", ("refused", 404)),
        ([("Host", HOST)], "/?", ("refused", 404)),
        ([("Host", HOST), ("Content-Length", "0")], "/", ("refused", 400)),
        ([("Host", HOST), ("Transfer-Encoding", "chunked")], "/", ("refused", 400)),
    ],
)
def test_who_gets_the_page(found: list[tuple[str, str]], path: str, answer: tuple[Any, ...]) -> None:
    one = Asked(found, path)
    server.Handler.do_GET(one)  # type: ignore[arg-type]
    assert one.answer == answer


def posted(found: list[tuple[str, str]], path: str, body: bytes, *, key: bool = True, begins: bool = True) -> Asked:
    one = Asked(found, path, body)
    one.server.begins = begins
    one._has_key = lambda: key  # type: ignore[attr-defined]
    server.Handler.do_POST(one)  # type: ignore[arg-type]
    return one


def sized(length: str | None, **more: str) -> list[tuple[str, str]]:
    return heads(Content_Length=length, **more)


def test_what_is_asked_must_be_as_long_as_it_says() -> None:
    assert posted(sized("2"), "/call/games", b"{}").answer == ("call", "/call/games", b"{}")
    assert posted(sized("2"), "/call/games", b"{}more").answer == ("call", "/call/games", b"{}")
    assert posted(sized("3"), "/call/games", b"{}").answer == ("refused", 400)
    for wrong in (None, "", "-1", "two", "²", "1 ", "0x1"):
        assert posted(sized(wrong), "/call/games", b"{}").answer == ("refused", 411), wrong
    assert posted([*sized("2"), ("Content-Length", "2")], "/call/games", b"{}").answer == ("refused", 411)
    assert posted(sized("2", Transfer_Encoding="chunked"), "/call/games", b"{}").answer == ("refused", 411)
    assert posted(sized("0000000002"), "/call/games", b"{}").answer == ("refused", 413)
    assert posted(sized("000000002"), "/call/games", b"{}").answer == ("call", "/call/games", b"{}")
    most = server.LARGEST
    assert posted(sized(str(most)), "/call/games", b"x" * most).answer == ("call", "/call/games", b"x" * most)
    assert posted(sized(str(most + 1)), "/call/games", b"x" * (most + 1)).answer == ("refused", 413)


def test_only_who_has_the_key_is_heard_and_greeted() -> None:
    with_key = posted(sized("2"), "/call/games", b"{}")
    without = posted(sized("2"), "/call/games", b"{}", key=False)
    late = posted(sized("2"), "/call/games", b"{}", begins=False)
    stranger = posted(sized("2", Origin="http://evil.example"), "/call/games", b"{}")
    first = posted(sized("2"), "/session", b"{}", key=False)
    assert (with_key.answer[0], with_key.greeted) == ("call", 1)
    assert (without.answer, without.greeted) == (("refused", 403), 0)
    assert (late.answer, late.greeted) == (("refused", 503), 1)
    assert (stranger.answer, stranger.greeted) == (("refused", 403), 0)
    assert (first.answer, first.greeted) == (("session", b"{}"), 0)


@pytest.mark.parametrize(
    ("path", "good"), [("/call/games", True), ("/call/nothing", False), ("games", False), ("/games", False)]
)
def test_only_calls_that_there_are_are_made(path: str, good: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    from contextlib import nullcontext

    made: list[tuple[str, bytes]] = []

    def answer(calls: Any, name: str, body: bytes) -> tuple[bool, bytes]:
        made.append((name, body))
        return body == b"{}", json.dumps(name).encode()

    monkeypatch.setattr(server, "answer", answer)
    for body, status in ((b"{}", 200), (b"?", 400)):
        one = Asked(heads(), path)
        one.server.lock = nullcontext()
        server.Handler._call(one, path, body)  # type: ignore[arg-type]
        expected = ("sent", status, "application/json", b'"games"') if good else ("refused", 404)
        assert one.answer == expected
    assert made == ([("games", b"{}"), ("games", b"?")] if good else [])
