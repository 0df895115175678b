"""Other pages in the same browser, whatever names they have: they read nothing, and nothing is done for them, while the
window of the app goes on as before."""

import contextlib
import http.server
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from referee.io import keyfile
from tests.app.window import App, running
from tests.cli.world import World, changes, tree
from tests.page.browser import Browser, browsing, needs_browser
from tests.page.test_hostile import NAMES, Named

pytestmark = [needs_browser, pytest.mark.thorough]
SCRIPT = Path(__file__).with_name("hostile.mjs").read_bytes()
PAGE = b"<!doctype html><title>hostile</title><body><script>%s\nwindow.attack = attack</script>" % SCRIPT.replace(
    b"export async", b"async"
)
ATTACK = "const [host, token] = arguments; return attack(host, token).then((read) => [read])"
REBOUND = "evil.example"
"""A name that means every address of this machine, as its owner can let it."""


class Elsewhere(http.server.BaseHTTPRequestHandler):
    """Serves the hostile page, wherever it is asked."""

    kind, data = "text/html", PAGE

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", self.kind)
        self.send_header("Content-Length", str(len(self.data)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(self.data)

    def log_message(self, *args: object) -> None:
        pass


class Careless(Elsewhere):
    """Serves everything to everybody: the page, and for all else a script that is also a stream."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.do_GET()

    def do_GET(self) -> None:
        self.kind, self.data = ("text/html", PAGE) if self.path == "/" else ("text/javascript", b"self.read = 1")
        if "event-stream" in self.headers["Accept"]:
            self.kind, self.data = "text/event-stream", b"data: read\n\n"
        super().do_GET()


class Elsewhere6(http.server.ThreadingHTTPServer):
    address_family = socket.AF_INET6


@contextlib.contextmanager
def serving(server: http.server.ThreadingHTTPServer) -> Iterator[int]:
    with server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield int(server.server_address[1])
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """In which pages may open windows, as a reader may allow it."""
    flags = (f"--host-resolver-rules=MAP {REBOUND} localhost", "--disable-popup-blocking")
    with browsing(more=flags) as one:
        yield one


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("hostile") / "world", rounds=4)


@pytest.fixture
def victim(browser: Browser, world: World, tmp_path: Path) -> Iterator[App]:
    """An open window, in the browser that will visit the hostile page: a game that waits, and a key. It is at the usual
    address, where most others are."""
    folder = tmp_path / "views"
    folder.mkdir()
    (folder / "turn.view.json").write_bytes((world.root / world.mover_view).read_bytes())
    home = tmp_path / "home"
    home.mkdir()
    (home / "key.json").write_bytes((world.mover_home / "key.json").read_bytes())
    with running("--no-browser", str(folder), cwd=tmp_path, home=home, usual=True) as app:
        mine = browser.tab(app.link)
        browser.wait("return document.querySelector('.games .row button')")
        yield app
        for tab in browser.call("GET", "/window/handles"):
            if tab != mine:
                browser.front(tab)
                browser.call("DELETE", "/window")
        browser.front(mine)


def attacked(browser: Browser, app: App, place: Path, address: str) -> list[str]:
    """What a hostile page at this address reads. Afterwards all files are as before, and the window still works; the
    one that the page has opened has no access, and nobody who could reach it."""
    works(browser)  # the view was looked at once, which is remembered
    before = tree(place)
    own = browser.tab(address)
    browser.wait("return typeof attack === 'function'")
    known = browser.call("GET", "/window/handles")
    read = browser.wait(ATTACK, app.host, app.token)[0]
    (opened,) = {*browser.call("GET", "/window/handles")} - {*known}
    browser.front(opened)
    browser.wait("return document.body.innerText.includes('This window has no access')")
    assert browser.script("return [opener, location.href, sessionStorage.length]") == [None, f"http://{app.host}/", 0]
    browser.front(own)
    assert changes(before, tree(place)) == set()
    works(browser)
    return list(read)


def works(browser: Browser) -> None:
    """The window opens its game, and shows the board."""
    browser.click(browser.one(".games .row button"))
    browser.wait("return document.querySelector('#board svg') && document.getElementById('sign')")
    browser.click(browser.one("#lobby"))
    browser.wait("return document.querySelector('.games .row button')")


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", REBOUND])
def test_a_page_from_another_port_reads_nothing_and_does_nothing(
    browser: Browser, victim: App, tmp_path: Path, name: str
) -> None:
    with serving(http.server.ThreadingHTTPServer(("0.0.0.0", 0), Elsewhere)) as port:
        assert attacked(browser, victim, tmp_path, f"http://{name}:{port}/") == []


def test_a_page_on_disk_reads_nothing_and_does_nothing(browser: Browser, victim: App, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_bytes(PAGE)
    assert attacked(browser, victim, tmp_path, page.as_uri()) == []


def test_a_name_that_is_made_to_mean_this_machine_reads_nothing_and_does_nothing(
    browser: Browser, victim: App, tmp_path: Path
) -> None:
    """The page comes from the same port of another address of its name. Then that address is gone, and the browser
    takes the other one, where the app is: all that the page asks for has the page's own origin."""
    works(browser)
    before = tree(tmp_path)
    host = f"{REBOUND}:{victim.port}"
    with serving(Elsewhere6(("::1", victim.port), Elsewhere)):
        own = browser.tab(f"http://{host}/")
    # The browser may have kept a connection to the first address, and use it once more.
    browser.wait("return fetch('/').then((one) => one.text()).then((text) => text.startsWith('Mis'), () => false)")
    read = browser.script(
        "return Promise.all(['/', '/call/games', '/call/practice', '/session'].flatMap((path) => ['GET', 'POST'].map("
        "(method) => fetch(path, { method, body: method === 'GET' ? undefined : '{}', headers: { 'Content-Type': "
        "'application/json', Authorization: `Bearer ${arguments[0]}` } }).then((answer) => answer.text()))))",
        victim.token,
    )
    assert read == ["Misdirected Request", "Forbidden"] * 4
    for path in ("/", "/call/games", f"/#{victim.token}"):
        browser.visit("about:blank")
        browser.visit(f"http://{host}{path}")
        assert browser.text() == "Misdirected Request"
    browser.front(own)
    assert changes(before, tree(tmp_path)) == set()
    works(browser)


def test_names_of_players_and_files_stay_text_in_the_window(browser: Browser, tmp_path: Path) -> None:
    """And nothing but the program is asked for anything."""
    sitting = Named("schwarzer-freitag", 3, "hostile names").until(lambda one: one.round > 2)
    (seat,) = sitting.asked
    folder, home = tmp_path / "views", tmp_path / "home"
    for path in (folder, home):
        path.mkdir()
    (home / "key.json").write_bytes(keyfile.dump(sitting.players[seat]))
    (folder / "turn.view.json").write_bytes(sitting.view(seat))
    (folder / f"{NAMES[0]}.json").write_bytes(sitting.view(seat)[:-100])
    browser.requests()
    browser.complaints()
    with running("--no-browser", str(folder), cwd=tmp_path, home=home) as app:
        before = browser.tab(app.link)
        browser.wait("return document.querySelector('.games .row button')")
        browser.script("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        assert NAMES[0] in browser.text()
        assert browser.script("return document.scripts.length") == 2
        browser.click(browser.one(".games .row button"))
        browser.wait("return document.querySelector('#board svg') && document.getElementById('sign')")
        assert [name for name in NAMES if name not in browser.text(".titles")] == []
        attributes = "return [...document.querySelectorAll('*')].flatMap((one) => one.getAttributeNames())"
        assert [name for name in browser.script(attributes) if name.startswith("on")] == []
        assert browser.script("return document.querySelectorAll('img, iframe, object, embed, link').length") == 0
        assert {urlsplit(url).netloc for url in browser.requests()} == {app.host}
        assert browser.complaints() == []
        browser.call("DELETE", "/window")
        browser.front(before)


def test_the_attack_would_be_noticed(browser: Browser) -> None:
    """Against a server that lets everybody read, everything works that this page tries."""
    with serving(http.server.ThreadingHTTPServer(("127.0.0.1", 0), Careless)) as port:
        browser.visit(f"http://127.0.0.1:{port}/")
        browser.wait("return typeof attack === 'function'")
        read = browser.wait(ATTACK, f"127.0.0.1:{port}", "token")[0]
    assert {one.split()[0] for one in read} >= {
        "GET", "POST", "xhr", "form", "script", "iframe", "stream", "worker", "import", "window"
    }  # fmt: skip
