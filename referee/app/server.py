"""HTTP for one window on this machine. Nobody else gets an answer: not another page in the same browser, not another
user of the machine, and not a name that somebody makes point here.

The page itself holds nothing secret. Whoever has the link gives its token back once, for a key to all calls; the key is
sent in a header, which no other page can do, and never in a cookie."""

import errno
import hmac
import json
import os
import secrets
import select
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from typing import Any

from referee.app.calls import CALLS, Calls, answer

USUAL = "127.0.0.1"
LARGEST = 1_000_000
"""Bytes of a request."""
PATIENCE = 30.0
"""Seconds that a request may take to arrive, and that whoever has not shown the key may stay."""
STRANGERS = 64
"""Most connections at once that have not shown the key. One more ends the oldest of them: holding connections keeps
nobody out."""
GONE = 10.0
"""Seconds without the window after which the program ends: enough to load the page again."""
GLANCE = 1.0
"""Seconds between two looks at the folder."""
BREATH = 20.0
"""Seconds after which a waiting window gets a sign of life."""
FRAMES = "frame-ancestors 'none'"
"""The page has a policy of its own; this part is possible in a header only."""
NOTHING = f"default-src 'none'; {FRAMES}; sandbox"
"""For what is no page."""
HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def fresh_address() -> str:
    """One of 16 million addresses of this machine, at which no browser has met anybody yet: a service worker that a
    page of another user has left in the browser stays with the address and port that it came from, and whoever opens
    the link there would meet it first. Some systems have the usual address only."""
    fresh = ".".join(("127", *(str(1 + secrets.randbelow(254)) for _ in range(3))))
    with socket.socket() as one:
        try:
            one.bind((fresh, 0))
        except OSError as error:
            if error.errno != errno.EADDRNOTAVAIL:
                raise
            return USUAL
    return fresh


class Server(ThreadingHTTPServer):
    """Serves one page and its calls."""

    daemon_threads = True
    allow_reuse_address = False  # elsewhere than on Unix it would let others listen at the same port
    request_queue_size = 128

    def __init__(self, calls: Calls, page: bytes, start: object, address: str = "", port: int = 0) -> None:
        address = address or fresh_address()
        super().__init__((address, port), Handler)
        self.calls, self.page, self.start = calls, page, start
        self.host = f"{address}:{self.server_address[1]}"
        self.once = secrets.token_urlsafe(32)
        """Given back once, for the key."""
        self.key = secrets.token_urlsafe(32)
        self.lock = threading.Lock()
        """One call at a time."""
        self.over = threading.Event()
        self.seen = ""
        """The state of the folder that the window was told of last."""
        self.opened = False
        self.door = threading.Condition()
        """For what follows; it tells when a request of the window is answered."""
        self.strangers: dict[socket.socket, float] = {}
        """Connections that have not shown the key, and since when they are there."""
        self.present = 0
        """Requests of the window that are under way."""
        self.last = time.monotonic()

    def server_bind(self) -> None:
        """Without asking anybody what this address is called."""
        TCPServer.server_bind(self)

    @property
    def link(self) -> str:
        """What opens the window, once."""
        return f"http://{self.host}/#{self.once}"

    def run(self, ready: Callable[[], None] = lambda: None) -> None:
        """Serve until the window is gone."""
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True).start()
        try:
            ready()
            while not self.over.wait(GLANCE / 4):
                self._turn_away(STRANGERS, time.monotonic() - PATIENCE)
                if self.opened and not self.present and time.monotonic() - self.last > GONE:
                    break
        finally:
            self.over.set()
            self.shutdown()
            with self.door:  # what is being signed or written is finished, and the window is told
                self.door.wait_for(lambda: not self.present, PATIENCE)
            self.server_close()

    def process_request(self, request: Any, client_address: Any) -> None:
        """A connection."""
        with self.door:
            self.strangers[request] = time.monotonic()
        self._turn_away(STRANGERS, 0)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """The end of a connection."""
        self.greet(request)
        super().shutdown_request(request)

    def greet(self, request: socket.socket) -> None:
        """This connection has shown the key."""
        with self.door:
            self.strangers.pop(request, None)

    def _turn_away(self, most: int, since: float) -> None:
        """End the oldest connections of strangers, and all that came before a moment."""
        with self.door:
            spare = len(self.strangers) - most
            leave = [one for at, (one, came) in enumerate(self.strangers.items()) if at < spare or came < since]
            for one in leave:
                del self.strangers[one]
                with suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)

    @contextmanager
    def attended(self) -> Iterator[bool]:
        """The window is there, at least as long as this takes. False once the program ends: nothing begins then."""
        with self.door:
            begins = not self.over.is_set()
            self.present += begins
        try:
            yield begins
        finally:
            with self.door:
                self.present -= begins
                self.last = time.monotonic()
                self.door.notify_all()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A window that goes away in the middle of an answer is no error."""
        if os.environ.get("REFEREE_DEBUG") and not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    """One request."""

    server: Server
    protocol_version = "HTTP/1.1"
    default_request_version = protocol_version
    """Also what states no version gets an answer with a head."""
    server_version, sys_version = "referee", ""
    timeout = PATIENCE
    disable_nagle_algorithm = True  # the head and the body of an answer are two packets: neither waits for the other

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: addresses could contain what is secret."""

    def do_GET(self) -> None:
        """The page: the same for everybody, and it asks for a key. No other page can have it as a frame, picture or
        script."""
        if self.headers.get_all("Host") != [self.server.host]:
            return self._refuse(HTTPStatus.MISDIRECTED_REQUEST)
        if self.headers.get_all("Sec-Fetch-Dest", ["document"]) != ["document"]:
            return self._refuse(HTTPStatus.FORBIDDEN)
        if self.path != "/":
            return self._refuse(HTTPStatus.NOT_FOUND)
        if "Content-Length" in self.headers or "Transfer-Encoding" in self.headers:
            return self._refuse(HTTPStatus.BAD_REQUEST)
        return self._send(HTTPStatus.OK, "text/html; charset=utf-8", self.server.page, FRAMES)

    def do_POST(self) -> None:
        """A call."""
        if not self._is_ours():
            return self._refuse(HTTPStatus.FORBIDDEN)
        length, *more = self.headers.get_all("Content-Length", [""])
        if more or not (length.isascii() and length.isdigit()) or "Transfer-Encoding" in self.headers:
            return self._refuse(HTTPStatus.LENGTH_REQUIRED)
        if len(length) > 9 or int(length) > LARGEST:
            return self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        body = self.rfile.read(int(length))
        if len(body) != int(length):
            return self._refuse(HTTPStatus.BAD_REQUEST)
        if self.path == "/session":
            return self._session(body)
        if not self._has_key():
            return self._refuse(HTTPStatus.FORBIDDEN)
        self.server.greet(self.connection)
        with self.server.attended() as begins:
            return self._call(self.path, body) if begins else self._refuse(HTTPStatus.SERVICE_UNAVAILABLE)

    def _is_ours(self) -> bool:
        """Whether our own page sent this: another one cannot choose these headers."""
        origin = f"http://{self.server.host}"
        return (
            self.headers.get_all("Host") == [self.server.host]
            and self.headers.get_all("Origin") == [origin]
            and self.headers.get_all("Sec-Fetch-Site", ["same-origin"]) == ["same-origin"]
            and self.headers.get_all("Content-Type") == ["application/json"]
        )

    def _has_key(self) -> bool:
        given = "\n".join(self.headers.get_all("Authorization", []))
        return hmac.compare_digest(given.encode(), f"Bearer {self.server.key}".encode())

    def _session(self, body: bytes) -> None:
        """The key for the token of the link; a second time nobody gets it."""
        with self.server.lock:
            once = self.server.once
            good = bool(once) and hmac.compare_digest(body, json.dumps(once).encode())
            if good:
                self.server.once, self.server.opened, self.server.last = "", True, time.monotonic()
                self.server.seen = self.server.calls.state_of_folder()
        if not good:
            return self._refuse(HTTPStatus.FORBIDDEN)
        return self._json({"key": self.server.key, "start": self.server.start, "calls": [*CALLS]})

    def _call(self, path: str, body: bytes) -> None:
        if path == "/call/wait":
            return self._wait()
        name = path.removeprefix("/call/")
        if name not in CALLS or name == path:
            return self._refuse(HTTPStatus.NOT_FOUND)
        with self.server.lock:
            good, data = answer(self.server.calls, name, body)
        return self._send(HTTPStatus.OK if good else HTTPStatus.BAD_REQUEST, "application/json", data)

    def _wait(self) -> None:
        """Answer when the folder is not as the window knows it; while the window waits, it is there."""
        before, breath = self.server.seen, time.monotonic()
        self._start(HTTPStatus.OK, "application/json")
        while not select.select([self.connection], [], [], GLANCE)[0]:
            now = self.server.calls.state_of_folder()
            if self.server.over.is_set() or now != before:
                self.server.seen = now
                self.wfile.write(b'{"over":true}' if self.server.over.is_set() else b"{}")
                return
            if time.monotonic() - breath > BREATH:
                self.wfile.write(b" ")
                breath = time.monotonic()

    def _json(self, value: object) -> None:
        self._send(HTTPStatus.OK, "application/json", json.dumps(value).encode())

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What is no HTTP, or another method: refused like all else."""
        self._refuse(HTTPStatus(code))

    def _refuse(self, status: HTTPStatus) -> None:
        self.close_connection = True
        self._send(status, "text/plain; charset=utf-8", status.phrase.encode())

    def _send(self, status: HTTPStatus, kind: str, data: bytes, policy: str = NOTHING) -> None:
        self._start(status, kind, len(data), policy)
        self.wfile.write(data)

    def _start(self, status: HTTPStatus, kind: str, length: int | None = None, policy: str = NOTHING) -> None:
        """The head of an answer; without a length it ends with the connection."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Security-Policy", policy)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        if length is not None:
            self.send_header("Content-Length", str(length))
        if length is None or self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
