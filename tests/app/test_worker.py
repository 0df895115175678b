"""A service worker that another user of the machine has left in the browser: it never meets the link."""

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from referee.app.calls import Calls
from referee.app.server import Server, fresh_address
from referee.crypto.keys import Key
from referee.page import assemble
from tests.app.test_hostile import Elsewhere, serving
from tests.page.browser import Browser, browsing, needs_browser

pytestmark = [needs_browser, pytest.mark.thorough]
USUAL = "127.0.0.1"
PAGE = (
    b"<!doctype html><title>waiting</title><script>%s</script>"
    % b"""
navigator.serviceWorker.register('/worker.js', { scope: '/' }).then(() => navigator.serviceWorker.ready).then(() => {
  document.title = 'registered';
});
"""
)
WORKER = b"""
const page = '<!doctype html><title>caught</title><script>document.title += location.hash</script>';
self.addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return;
  event.respondWith(new Response(page, { headers: { 'Content-Type': 'text/html' } }));
});
"""


class Attacker(Elsewhere):
    """Whoever comes takes a service worker home."""

    def do_GET(self) -> None:
        at = self.path == "/worker.js"
        self.kind, self.data = ("text/javascript", WORKER) if at else ("text/html", PAGE)
        super().do_GET()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """With a profile of its own, which is used for nothing else."""
    with browsing(more=("--disable-popup-blocking",)) as one:
        yield one


@pytest.fixture(scope="module")
def port(browser: Browser) -> int:
    """At which an attacker waited, at every address of this machine; the browser has visited several. Nothing runs any
    more but what it left there."""
    with serving(http.server.ThreadingHTTPServer(("0.0.0.0", 0), Attacker)) as port:
        for name in (USUAL, "localhost", "127.0.0.2", "127.254.254.254"):
            browser.visit(f"http://{name}:{port}/")
            browser.wait("return document.title === 'registered'")
    browser.visit("about:blank")
    return port


class Sooner(Server):
    """Does not wait a minute for a port at which somebody else has just served."""

    allow_reuse_address = True


@contextmanager
def app_at(address: str, port: int, folder: Path) -> Iterator[Server]:
    def load(path: str | None) -> Key:
        return Key(bytes(32), "Anna")

    made = Sooner(Calls(str(folder), None, load), assemble.table_page(), None, address, port)
    thread = threading.Thread(target=made.run)
    thread.start()
    yield made
    made.over.set()
    thread.join()


def test_no_worker_meets_the_link_at_a_fresh_address(browser: Browser, port: int, tmp_path: Path) -> None:
    """Not even at the port that it came from."""
    with app_at(fresh_address(), port, tmp_path) as app:
        browser.visit(app.link)
        browser.wait("return document.querySelector('#games')")
        assert browser.script("return [navigator.serviceWorker.controller, location.href]") == [
            None,
            f"http://{app.host}/",
        ]
        assert app.once == ""
        browser.visit("about:blank")


def test_at_the_usual_address_it_would(browser: Browser, port: int, tmp_path: Path) -> None:
    """What the manual says of systems that have no other."""
    with app_at(USUAL, port, tmp_path) as app:
        browser.visit(app.link)
        browser.wait("return document.title.startsWith('caught')")
        assert browser.script("return document.title") == f"caught#{app.once}"
        browser.visit("about:blank")


def test_addresses_are_this_machine_s_and_no_two_are_alike() -> None:
    found = {fresh_address() for _ in range(20)}
    assert len(found) == 20
    assert all(one.startswith("127.") and one != USUAL for one in found)
