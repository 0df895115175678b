"""Headless Chromium, driven by its own chromedriver over HTTP (W3C WebDriver): real pages, real clicks, real files."""

import base64
import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unicodedata import normalize
from urllib.error import HTTPError

import pytest
from pypdf import PdfReader

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
MUST_RUN = "REFEREE_TEST_BROWSER"
"""With this variable set a missing browser fails the tests instead of skipping them."""
needs_browser = pytest.mark.skipif(
    not (CHROMIUM and DRIVER) and not os.environ.get(MUST_RUN),
    reason="no browser is installed (apt-get install chromium chromium-driver)",
)
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
)  # fmt: skip
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
PATIENCE = 60.0


class Wrong(Exception):
    """What the driver says went wrong."""


class Browser:
    """One browser with a new, empty profile. What it downloads lies in `downloads`."""

    def __init__(self, port: int, folder: Path, dark: bool = False, language: str = "en") -> None:
        self.root, self.folder, self.downloads = f"http://127.0.0.1:{port}", folder, folder / "downloads"
        self.downloads.mkdir()
        flags = [*FLAGS, f"--user-data-dir={folder / 'profile'}"]
        flags += ["--force-dark-mode", "--blink-settings=preferredColorScheme=0"] if dark else []
        options = {
            "binary": CHROMIUM,
            "args": flags,
            "prefs": {
                "download.default_directory": str(self.downloads),
                "download.prompt_for_download": False,
                "intl.accept_languages": language,
            },
        }
        wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"performance": "ALL", "browser": "ALL"}}
        made = self._call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.session = f"/session/{made['sessionId']}"

    def _call(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(self.root + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(asked, timeout=120) as answer:
                return json.load(answer)["value"]
        except HTTPError as error:
            with error:
                told = json.load(error)["value"]
            raise Wrong(f"{told['error']}: {told['message'][:500]}") from None

    def call(self, method: str, path: str, body: Any = None) -> Any:
        return self._call(method, self.session + path, body)

    def close(self) -> None:
        self._call("DELETE", self.session)

    # --- looking

    def open(self, page: Path, address: str = "") -> None:
        """A file, as somebody opens it from disk."""
        self.call("POST", "/url", {"url": "about:blank"})
        self.call("POST", "/url", {"url": page.resolve().as_uri() + address})

    def script(self, code: str, *args: Any) -> Any:
        return self.call("POST", "/execute/sync", {"script": code, "args": list(args)})

    def find(self, selector: str, within: str | None = None) -> list[str]:
        start = f"/element/{within}" if within else ""
        found = self.call("POST", f"{start}/elements", {"using": "css selector", "value": selector})
        return [one[ELEMENT] for one in found]

    def one(self, selector: str, within: str | None = None) -> str:
        found = self.find(selector, within)
        assert len(found) == 1, (selector, len(found))
        return found[0]

    def text(self, selector: str = "body") -> str:
        """What is to be read there, one line for each element found."""
        return "\n".join(str(self.call("GET", f"/element/{one}/text")) for one in self.find(selector))

    def wait(self, code: str, *args: Any) -> Any:
        """Until a script returns something; that."""
        end = time.monotonic() + PATIENCE
        while not (found := self.script(code, *args)):
            assert time.monotonic() < end, (code, args, self.text()[:2000])
            time.sleep(0.02)
        return found

    def verdict(self) -> str:
        """The code of the verdict, once there is one."""
        return str(self.wait("return document.querySelector('.verdict')?.dataset.code"))

    # --- doing

    def click(self, element: str) -> None:
        self.call("POST", f"/element/{element}/click", {})

    def type(self, element: str, text: str) -> None:
        self.call("POST", f"/element/{element}/value", {"text": text})

    def press(self, *keys: str) -> None:
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def size(self, width: int, height: int = 900) -> None:
        """Of the page itself: a window cannot be as narrow as a phone."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.devtools("Emulation.setDeviceMetricsOverride", metrics)

    def devtools(self, command: str, params: dict[str, Any]) -> Any:
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": params})

    def picture(self, path: Path, clip: tuple[int, int, int, int] | None = None, scale: float = 1) -> None:
        """A screenshot of all of the page, or of a part: x, y, width and height."""
        asked: dict[str, Any] = {"captureBeyondViewport": True, "format": "png"}
        if clip:
            asked["clip"] = {**dict(zip(("x", "y", "width", "height"), clip, strict=True)), "scale": scale}
        made = self.devtools("Page.captureScreenshot", asked)
        path.write_bytes(base64.b64decode(made["data"]))

    def printed(self) -> str:
        """The words on paper, as somebody reads them who prints the page."""
        made = self.call("POST", "/print", {"background": True})
        pages = PdfReader(io.BytesIO(base64.b64decode(made))).pages
        # Fonts draw some letters as one: ff.
        return " ".join(normalize("NFKC", " ".join(page.extract_text() for page in pages)).split())

    def speak(self, language: str) -> None:
        """Choose a language in the page's switch."""
        self.click(self.one(f"#language [lang={language}]"))
        self.wait("return document.querySelector('#language [aria-pressed=true]')?.lang === arguments[0]", language)

    def downloaded(self, ending: str) -> bytes:
        """The newest file that was saved under a name that ends so, once it is there; it is taken away."""
        end = time.monotonic() + PATIENCE
        while not (found := [one for one in self.downloads.iterdir() if one.name.endswith(ending)]):
            assert time.monotonic() < end, (ending, os.listdir(self.downloads))
            time.sleep(0.02)
        path = max(found, key=lambda one: one.stat().st_mtime_ns)
        data = path.read_bytes()
        path.unlink()
        return data

    # --- what the page must not do

    def log(self, kind: str) -> list[Any]:
        return list(self.call("POST", "/se/log", {"type": kind}))

    def requests(self) -> list[str]:
        """Every address that was asked for since the last look, but for files, data and what the page made."""
        events = [json.loads(one["message"])["message"] for one in self.log("performance")]
        asked = [one["params"]["request"]["url"] for one in events if one["method"] == "Network.requestWillBeSent"]
        return [url for url in asked if not re.match(r"(?:file|data|blob|about|chrome):", url)]

    def complaints(self) -> list[str]:
        """What the browser wrote to its console: errors, and what the policy of the page forbade. That a page with an
        unsaved key may not hold back a driver is no complaint."""
        return [one["message"] for one in self.log("browser") if "'beforeunload'" not in one["message"]]


@contextlib.contextmanager
def browsing(dark: bool = False, language: str = "en") -> Iterator[Browser]:
    """A browser for a while. Its folder is short-lived, and its own."""
    assert CHROMIUM, "chromium is not installed"
    assert DRIVER, "chromedriver is not installed"
    with tempfile.TemporaryDirectory(prefix="referee-browser-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        log = folder / "driver.log"
        with log.open("wb") as out:
            process = subprocess.Popen([DRIVER, "--port=0"], stdout=out, stderr=subprocess.STDOUT)
        try:
            found = _until(lambda: re.search(rb"started successfully on port (\d+)", log.read_bytes()))
            browser = Browser(int(found[1]), folder, dark, language)
            try:
                yield browser
            finally:
                browser.close()
        finally:
            process.terminate()
            process.wait(30)


def _until(look: Callable[[], Any]) -> Any:
    end = time.monotonic() + PATIENCE
    while not (found := look()):
        assert time.monotonic() < end
        time.sleep(0.05)
    return found
