"""HTTP for one window on this machine. Nobody else gets an answer: not another page in the same browser, not another
user of the machine, and not a name that somebody makes point here.

The page itself holds nothing secret. Whoever has the link gives its token back once, for a key to all calls; the key is
sent in a header, which no other page can do, and never in a cookie."""

import hmac
import json
import secrets
import select
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from referee.app.calls import CALLS, Calls, answer

LARGEST = 1_000_000
"""Bytes of a request."""
PATIENCE = 30
"""Seconds that a request may take to arrive."""
GONE = 10.0
"""Seconds without the window after which the program ends: enough to load the page again."""
GLANCE = 1.0
"""Seconds between two looks at the folder."""
BREATH = 20.0
"""Seconds after which a waiting window gets a sign of life."""
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Server(ThreadingHTTPServer):
    """Serves one page and its calls."""

    daemon_threads = True
    request_queue_size = 32

    def __init__(self, calls: Calls, page: bytes, start: object, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.calls, self.page, self.start = calls, page, start
        self.host = f"127.0.0.1:{self.server_address[1]}"
        self.once = secrets.token_urlsafe(32)
        """Given back once, for the key."""
        self.key = secrets.token_urlsafe(32)
        self.lock = threading.Lock()
        """One call at a time."""
        self.over = threading.Event()
        self.opened = False
        self.present = 0
        """Requests of the window that are under way."""
        self.last = time.monotonic()

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
                if self.opened and not self.present and time.monotonic() - self.last > GONE:
                    break
        finally:
            self.over.set()
            self.shutdown()
            self.server_close()

    def handle_error(self, request: object, client_address: object) -> None:
        """A window that goes away in the middle of an answer is no error."""


class Handler(BaseHTTPRequestHandler):
    """One request."""

    server: Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "referee", ""
    timeout = PATIENCE

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: addresses could contain what is secret."""

    def do_GET(self) -> None:
        """The page, which is the same for everybody and asks for a key."""
        if self.headers.get_all("Host") != [self.server.host]:
            return self._refuse(HTTPStatus.MISDIRECTED_REQUEST)
        if self.path != "/":
            return self._refuse(HTTPStatus.NOT_FOUND)
        return self._send(HTTPStatus.OK, "text/html; charset=utf-8", self.server.page)

    def do_POST(self) -> None:
        """A call."""
        if not self._is_ours():
            return self._refuse(HTTPStatus.FORBIDDEN)
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()) or "Transfer-Encoding" in self.headers:
            return self._refuse(HTTPStatus.LENGTH_REQUIRED)
        if len(length) > 9 or int(length) > LARGEST:
            return self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        body = self.rfile.read(int(length))
        if self.path == "/session":
            return self._session(body)
        if not self._has_key():
            return self._refuse(HTTPStatus.FORBIDDEN)
        self.server.present += 1
        try:
            return self._call(self.path.removeprefix("/call/"), body)
        finally:
            self.server.last = time.monotonic()
            self.server.present -= 1

    def _is_ours(self) -> bool:
        """Whether our own page sent this: another one cannot choose these headers."""
        origin = f"http://{self.server.host}"
        return (
            self.headers.get_all("Host") == [self.server.host]
            and self.headers.get_all("Origin") == [origin]
            and self.headers.get("Sec-Fetch-Site", "same-origin") == "same-origin"
            and self.headers.get("Content-Type", "") == "application/json"
        )

    def _has_key(self) -> bool:
        given = self.headers.get("Authorization", "")
        return hmac.compare_digest(given.encode(), f"Bearer {self.server.key}".encode())

    def _session(self, body: bytes) -> None:
        """The key for the token of the link; a second time nobody gets it."""
        with self.server.lock:
            once, good = self.server.once, hmac.compare_digest(body, json.dumps(self.server.once).encode())
            if good:
                self.server.once, self.server.opened, self.server.last = "", True, time.monotonic()
        if not once or not good:
            return self._refuse(HTTPStatus.FORBIDDEN)
        return self._json({"key": self.server.key, "start": self.server.start})

    def _call(self, name: str, body: bytes) -> None:
        if name == "wait":
            return self._wait()
        if name not in CALLS:
            return self._refuse(HTTPStatus.NOT_FOUND)
        with self.server.lock:
            good, data = answer(self.server.calls, name, body)
        return self._send(HTTPStatus.OK if good else HTTPStatus.BAD_REQUEST, "application/json", data)

    def _wait(self) -> None:
        """Answer when the folder changes; while the window waits, it is there."""
        before, breath = self.server.calls.state_of_folder(), time.monotonic()
        self.close_connection = True
        self.send_response(HTTPStatus.OK)
        self._headers("application/json")
        self.send_header("Connection", "close")
        self.end_headers()
        while not self._is_gone():
            if self.server.over.is_set() or self.server.calls.state_of_folder() != before:
                self.wfile.write(b'{"over":true}' if self.server.over.is_set() else b"{}")
                return
            if time.monotonic() - breath > BREATH:
                self.wfile.write(b" ")
                breath = time.monotonic()

    def _is_gone(self) -> bool:
        """Look for a while whether the window has closed the connection."""
        if not select.select([self.connection], [], [], GLANCE)[0]:
            return False
        with suppress(OSError):
            return not self.connection.recv(1, socket.MSG_PEEK)
        return True

    def _json(self, value: object) -> None:
        self._send(HTTPStatus.OK, "application/json", json.dumps(value).encode())

    def _refuse(self, status: HTTPStatus) -> None:
        self.close_connection = True
        self._send(status, "text/plain; charset=utf-8", status.phrase.encode())

    def _send(self, status: HTTPStatus, kind: str, data: bytes) -> None:
        self.send_response(status)
        self._headers(kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _headers(self, kind: str) -> None:
        self.send_header("Content-Type", kind)
        for name, value in HEADERS.items():
            self.send_header(name, value)
