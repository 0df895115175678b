"""Headless Firefox, driven over its own WebSocket (WebDriver BiDi), as far as `tests.app.person.Driven` needs it."""

import base64
import contextlib
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.support import waiting

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
PREFERENCES = {
    "ui.prefersReducedMotion": 1,
    "intl.accept_languages": "en",
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.update.enabled": False,
    "focusmanager.testmode": True,  # a window that nobody sees is told what has the focus
}
CALL = """async (given) => {
  const told = await (async function () { %s }).apply(null, JSON.parse(given));
  return JSON.stringify(told ?? null);
}"""
WAIT = """async (given) => {
  const look = function () { %s };
  for (;;) {
    const found = await look.apply(null, JSON.parse(given));
    if (found) return JSON.stringify(found);
    await new Promise((next) => setTimeout(next, 10));
  }
}"""


class Socket:
    """One WebSocket (RFC 6455): texts out, texts in."""

    def __init__(self, port: int, path: str) -> None:
        self.pipe = socket.create_connection(("127.0.0.1", port), timeout=waiting.LIMIT)
        name = base64.b64encode(os.urandom(16)).decode()
        lines = (f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Upgrade: websocket", "Connection: Upgrade",
                 f"Sec-WebSocket-Key: {name}", "Sec-WebSocket-Version: 13", "", "")  # fmt: skip
        self.pipe.sendall("\r\n".join(lines).encode())
        self.read = self.pipe.makefile("rb")
        assert b" 101 " in self.read.readline()
        while self.read.readline().strip():
            pass

    def send(self, text: str) -> None:
        data, mask = text.encode(), os.urandom(4)
        size = len(data)
        head = bytes([0x81]) + (
            bytes([0x80 | size]) if size < 126
            else struct.pack(">BH", 0xFE, size) if size < 2**16
            else struct.pack(">BQ", 0xFF, size)
        )  # fmt: skip
        hidden = bytes(one ^ mask[at % 4] for at, one in enumerate(data))
        self.pipe.sendall(head + mask + hidden)

    def receive(self) -> str:
        text = b""
        while True:
            first, second = self.read.read(2)
            size = second & 0x7F
            if size >= 126:
                size = struct.unpack(*((">H", self.read.read(2)) if size == 126 else (">Q", self.read.read(8))))[0]
            data = self.read.read(size)
            if first & 0x0F in (0, 1):
                text += data
                if first & 0x80:
                    return text.decode()
            assert first & 0x0F != 8, "the browser has closed the connection"


class Firefox:
    """One window with a new profile."""

    def __init__(self, port: int, folder: Path) -> None:
        self.folder = folder
        self.socket, self.number = Socket(port, "/session"), 0
        self.call("session.new", {"capabilities": {}})
        self.context = self.call("browsingContext.getTree", {})["contexts"][0]["context"]

    def call(self, method: str, params: dict[str, Any]) -> Any:
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": params}))
        while (told := json.loads(self.socket.receive())).get("id") != self.number:
            pass
        assert told["type"] == "success", (method, told)
        return told["result"]

    def _here(self, method: str, **params: Any) -> Any:
        return self.call(method, {"context": self.context, **params})

    def go(self, url: str) -> None:
        self._here("browsingContext.navigate", url="about:blank", wait="complete")
        self._here("browsingContext.navigate", url=url, wait="complete")

    def script(self, code: str, *args: Any) -> Any:
        return self._run(CALL % code, args)

    def wait(self, code: str, *args: Any) -> Any:
        return self._run(WAIT % code, args)

    def _run(self, function: str, args: tuple[Any, ...]) -> Any:
        given = [{"type": "string", "value": json.dumps(args)}]
        asked = {"target": {"context": self.context}, "functionDeclaration": function, "arguments": given}
        told = self.call("script.callFunction", {**asked, "awaitPromise": True})
        assert told["type"] == "success", (function, told["exceptionDetails"]["text"])
        return json.loads(told["result"]["value"])

    def click_at(self, x: int, y: int) -> None:
        move = {"type": "pointerMove", "x": x, "y": y}
        steps = [move, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self._here("input.performActions", actions=[{"type": "pointer", "id": "mouse", "actions": steps}])

    def press(self, *keys: str) -> None:
        steps = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._here("input.performActions", actions=[{"type": "key", "id": "keyboard", "actions": steps}])

    def size(self, width: int, height: int = 900) -> None:
        self._here("browsingContext.setViewport", viewport={"width": width, "height": height})

    def still(self, wanted: bool = True) -> None:
        """Always: it is a setting of this profile."""

    def picture(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self._here("browsingContext.captureScreenshot", origin="document")["data"]))


@contextlib.contextmanager
def firefox_browsing() -> Iterator[Firefox]:
    """A browser for a while, in a folder of its own."""
    assert FIREFOX, "firefox is not installed (apt-get install firefox-esr)"
    with tempfile.TemporaryDirectory(prefix="referee-firefox-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        lines = (f"user_pref({json.dumps(key)}, {json.dumps(value)});" for key, value in PREFERENCES.items())
        (folder / "user.js").write_text("\n".join(lines))
        words = [FIREFOX, "--headless", "--no-remote", "--profile", name, "--remote-debugging-port", "0", "about:blank"]
        log = folder / "said.txt"
        with log.open("wb") as out:
            process = subprocess.Popen(words, stdout=out, stderr=out, env={**os.environ, "HOME": name})
        try:
            listens = r"WebDriver BiDi listening on ws://127\.0\.0\.1:(\d+)"
            found = waiting.until(lambda: re.search(listens, log.read_text()), log.read_text)
            assert found is not None
            yield Firefox(int(found[1]), folder)
        finally:
            process.terminate()
            waiting.ended(process)
