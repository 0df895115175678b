"""Headless Chromium, driven by its own chromedriver over HTTP (W3C WebDriver): real pages, real clicks, real files."""

import atexit
import base64
import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from datetime import datetime
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest
from pypdf import PdfReader

from tests.support import waiting

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
    "--in-process-gpu", "--renderer-process-limit=1", "--disable-extensions",  # fewer processes
)  # fmt: skip
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
WAIT = """
const given = [...arguments], done = given.pop();
const look = function () {{
{code}
}};
const again = async () => {{
  try {{
    const found = await look(...given);
    if (found) done([found]);
    else setTimeout(again, 10);
  }} catch (wrong) {{
    done([null, String(wrong)]);
  }}
}};
again();
"""
"""Looks again and again inside the page: a question from outside costs a hundred times as much."""


FORGET = """
return Promise.all(['pbem-referee', 'pbem-referee-practice'].map((name) => new Promise((done) => {
  const asked = indexedDB.deleteDatabase(name);
  asked.onsuccess = () => done(true);
})));
"""
"""What a page keeps by choice."""


class Wrong(Exception):
    """What the driver says went wrong."""


class Browser:
    """One browser with a new, empty profile."""

    def __init__(self, port: int, folder: Path, dark: bool = False, more: tuple[str, ...] = ()) -> None:
        self.driver = HTTPConnection("127.0.0.1", port, timeout=2 * waiting.LIMIT)
        self.folder, self.downloads = folder, folder / "downloads"
        self.downloads.mkdir()
        flags = [*FLAGS, *more, f"--user-data-dir={folder / 'profile'}"]
        flags += ["--force-dark-mode", "--blink-settings=preferredColorScheme=0"] if dark else []
        options = {"binary": CHROMIUM, "args": flags}
        wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"performance": "ALL", "browser": "ALL"}}
        made = self._call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.session = f"/session/{made['sessionId']}"
        self.call("POST", "/timeouts", {"script": int(waiting.LIMIT * 1000)})
        self._prepared: list[str] = []
        self._asked: list[str] = []
        self._saved: dict[str, str] = {}
        self._complete: set[str] = set()
        # Every download is a file of its own, whatever its name, so that none is taken for another.
        where = {"behavior": "allowAndName", "downloadPath": str(self.downloads), "eventsEnabled": True}
        self.devtools("Browser.setDownloadBehavior", where)

    def _call(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        self.driver.request(method, path, data, {"Content-Type": "application/json"})
        answer = self.driver.getresponse()
        told = json.load(answer)["value"]
        if answer.status != 200:
            raise Wrong(f"{told['error']}: {told['message'][:500]}")
        return told

    def call(self, method: str, path: str, body: Any = None) -> Any:
        return self._call(method, self.session + path, body)

    def close(self) -> None:
        self._call("DELETE", self.session)
        self.driver.close()

    def prefer(self, language: str) -> None:
        """The languages that its owner reads, as pages are told."""
        agent = self.script("return navigator.userAgent")
        self.devtools("Network.setUserAgentOverride", {"userAgent": agent, "acceptLanguage": language})

    def empty(self) -> None:
        """As if it was new: no page, nothing kept, saved or noted, the window as it was."""
        while self._prepared:
            self.devtools("Page.removeScriptToEvaluateOnNewDocument", {"identifier": self._prepared.pop()})
        blank = self.folder / "blank.html"
        blank.touch()
        self.open(blank)  # all files share what is kept for them
        self.script("localStorage.clear(); sessionStorage.clear()")
        self.wait(FORGET)
        self.devtools("Network.clearBrowserCookies", {})
        self.devtools("Emulation.clearDeviceMetricsOverride", {})
        self.devtools("Emulation.setEmulatedMedia", {"features": []})
        self.log("browser")
        self._look()
        self._asked.clear()
        self._saved.clear()
        self._complete.clear()
        for path in self.downloads.iterdir():
            path.unlink()

    # --- looking

    def open(self, page: Path, address: str = "") -> None:
        """A file, as somebody opens it from disk. To another place of the same page the browser would only jump."""
        if address:
            self.visit("about:blank")
        self.visit(page.resolve().as_uri() + address)

    def visit(self, address: str) -> None:
        self.call("POST", "/url", {"url": address})

    def tab(self, address: str) -> str:
        """A new tab, in front; what the one before it is called. `front` goes back to it."""
        before = str(self.call("GET", "/window"))
        self.front(self.call("POST", "/window/new", {"type": "tab"})["handle"])
        self.visit(address)
        return before

    def front(self, tab: str) -> None:
        self.call("POST", "/window", {"handle": tab})

    def go(self, url: str) -> None:
        """A page that somebody serves."""
        self.call("POST", "/url", {"url": url})

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
        asked = {"script": WAIT.format(code=code), "args": list(args)}
        try:
            found, *wrong = self.call("POST", "/execute/async", asked)
        except Wrong as error:
            raise waiting.Stuck(f"{error}: {(code, args, self.text()[:2000])}") from None
        if wrong:
            raise Wrong(*wrong)
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

    def click_at(self, x: int, y: int) -> None:
        """A click at a point of the screen, whatever is there."""
        there = {"type": "pointerMove", "x": x, "y": y}
        steps = [there, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self.call("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": steps}]})

    def size(self, width: int, height: int = 900) -> None:
        """Of the page itself: a window cannot be as narrow as a phone."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.devtools("Emulation.setDeviceMetricsOverride", metrics)

    def looks(self, shade: str = "light", *, still: bool = True) -> None:
        """The colours that somebody prefers, and whether nothing on pages may move."""
        wanted = {"prefers-color-scheme": shade, "prefers-reduced-motion": "reduce" if still else "no-preference"}
        features = [{"name": name, "value": value} for name, value in wanted.items()]
        self.devtools("Emulation.setEmulatedMedia", {"features": features})

    def still(self, wanted: bool = True) -> None:
        """As somebody sees pages who wants nothing on them to move."""
        self.looks(still=wanted)

    def devtools(self, command: str, params: dict[str, Any]) -> Any:
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": params})

    def prepare(self, source: str) -> None:
        """Every page runs this first, as if the browser were another one."""
        made = self.devtools("Page.addScriptToEvaluateOnNewDocument", {"source": source})
        self._prepared.append(made["identifier"])

    @contextlib.contextmanager
    def at(self, moment: datetime) -> Iterator[None]:
        """Pages that are opened meanwhile take this for the present, and it does not go on."""
        source = {"source": f"Date.now = () => {moment.timestamp() * 1000:.0f};"}
        made = self.devtools("Page.addScriptToEvaluateOnNewDocument", source)
        try:
            yield
        finally:
            self.devtools("Page.removeScriptToEvaluateOnNewDocument", made)

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
        """The first file saved under a name that ends so, and not taken yet, once the browser says it is complete."""
        return self.saved(ending)[1]

    def saved(self, ending: str) -> tuple[str, bytes]:
        """The same, with the name that the page gave it."""
        guid = waiting.until(lambda: self._completed(ending), lambda: (ending, self._saved, self._complete))
        path = self.downloads / guid
        data = path.read_bytes()
        path.unlink()
        return self._saved.pop(guid), data

    def _completed(self, ending: str) -> str | None:
        self._look()
        begun = [guid for guid, name in self._saved.items() if name.endswith(ending)]
        return begun[0] if begun and begun[0] in self._complete else None

    # --- what the page must not do

    def log(self, kind: str) -> list[Any]:
        return list(self.call("POST", "/se/log", {"type": kind}))

    def _look(self) -> None:
        """Read what happened since the last look: the driver tells each event once."""
        for one in self.log("performance"):
            event = json.loads(one["message"])["message"]
            told = event["params"]
            match event["method"]:
                case "Network.requestWillBeSent":
                    self._asked.append(told["request"]["url"])
                case "Page.downloadWillBegin":
                    self._saved[told["guid"]] = told["suggestedFilename"]
                case "Page.downloadProgress" if told["state"] == "completed":
                    self._complete.add(told["guid"])
                case "Page.downloadProgress":
                    assert told["state"] == "inProgress", told

    def requests(self) -> list[str]:
        """Every address that was asked for since the last look, but for files, data and what the page made."""
        self._look()
        asked, self._asked = self._asked, []
        return [url for url in asked if not re.match(r"(?:file|data|blob|about|chrome):", url)]

    def complaints(self) -> list[str]:
        """What the browser wrote to its console: errors, and what the policy of the page forbade. That a page with an
        unsaved key may not hold back a driver is no complaint."""
        return [one["message"] for one in self.log("browser") if "'beforeunload'" not in one["message"]]


_idle: list[tuple[Browser, contextlib.ExitStack]] = []
"""A browser that nobody uses now, and how to end it: to start one takes longer than most tests."""


@contextlib.contextmanager
def browsing(dark: bool = False, language: str = "en", more: tuple[str, ...] = ()) -> Iterator[Browser]:
    """A browser for a while: a new one, or one that was emptied. A dark one, or one with more flags, is used once."""
    special = dark or bool(more)
    browser, end = _idle.pop() if _idle and not special else _started(dark, more)
    try:
        browser.prefer(language)
        yield browser
        browser.empty()
    except BaseException:
        end.close()
        raise
    if special or _idle:
        end.close()
    else:
        _idle.append((browser, end))


def close_all() -> None:
    """End the browser that waits for somebody to use it."""
    while _idle:
        _idle.pop()[1].close()


atexit.register(close_all)


def _started(dark: bool, more: tuple[str, ...]) -> tuple[Browser, contextlib.ExitStack]:
    """A new browser, and how to end it. Its folder is short-lived, and its own."""
    assert CHROMIUM, "chromium is not installed"
    assert DRIVER, "chromedriver is not installed"
    with contextlib.ExitStack() as stack:
        kept = tempfile.TemporaryDirectory(prefix="referee-browser-", ignore_cleanup_errors=True)
        folder = Path(stack.enter_context(kept))
        log = folder / "driver.log"
        with log.open("wb") as out:
            process = subprocess.Popen([DRIVER, "--port=0"], stdout=out, stderr=subprocess.STDOUT)
        stack.callback(waiting.ended, process)
        stack.callback(process.terminate)
        listens = r"started successfully on port (\d+)"
        found = waiting.until(lambda: re.search(listens, log.read_text()), lambda: log.read_text())
        browser = Browser(int(found[1]), folder, dark, more)  # type: ignore[index]
        stack.callback(browser.close)
        return browser, stack.pop_all()
    raise AssertionError("the stack swallows nothing")
