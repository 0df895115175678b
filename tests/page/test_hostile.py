"""What players and hosts write stays text, no request leaves a page, and nothing is left in the browser."""

import http.server
import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.crypto.codec import encode
from referee.crypto.envelope import Envelope
from referee.engine import lobby
from referee.evidence.replay import open_transcript
from referee.page import reading
from referee.page.aid import aid_of
from referee.page.assemble import player_page
from tests.page.browser import Browser, needs_browser
from tests.page.desk import Desk
from tests.page.tampered import changed
from tests.page.test_tampered import player_file
from tests.support.match import Sitting, chance

NAMES = ("<img src=x onerror=document.title='!'>", "</script><script>a()</script>", "{name} ${a} \"'&lt;b>")
LEFT = """
const found = {};
found.stores = [localStorage.length, sessionStorage.length];
found.cookies = document.cookie;
found.databases = (await indexedDB.databases()).length;
found.caches = window.caches ? await caches.keys().catch(() => []) : [];
const workers = navigator.serviceWorker?.getRegistrations() ?? Promise.resolve([]);
found.workers = await workers.then((all) => all.length, () => 0);
return found;
"""


class Named(Sitting):
    """Players with names that mean something in HTML."""

    def make_join(self, seat: int) -> Envelope:
        return lobby.make_join(self.players[seat], self.offer, NAMES[seat], chance(self.seed, "join", seat))


@pytest.fixture(scope="module")
def hostile() -> Sitting:
    return Named("mark", 3, "hostile names").to_end()


@pytest.fixture
def canary() -> Iterator[tuple[str, list[str]]]:
    """A server that no page may contact."""
    asked: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *args: Any) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
        server.shutdown()
        thread.join()


def elements(browser: Browser) -> set[str]:
    return set(browser.script("return [...document.querySelectorAll('*')].map((one) => one.localName)"))


OURS = set(re.findall(r"\w+", """
    html head meta title style body noscript main header footer h1 h2 h3 p section article div nav script output input
    button ul ol li details summary figure figcaption svg polyline line span strong small code pre dl dt dd a
    textarea form label fieldset legend select option bdi g rect circle ellipse line polyline polygon path text tspan
"""))  # fmt: skip


def unharmed(browser: Browser, title: str, scripts: int = 2) -> None:
    """Nothing became markup or ran."""
    assert elements(browser) <= OURS
    assert browser.script("return document.title") == title
    assert browser.script("return document.scripts.length") == scripts
    attributes = "return [...document.querySelectorAll('*')].flatMap((one) => one.getAttributeNames())"
    assert [name for name in browser.script(attributes) if name.startswith("on") or name == "action"] == []
    assert browser.requests() == []
    assert browser.complaints() == []


@needs_browser
def test_names_stay_text_on_a_game_s_page(browser: Browser, tmp_path: Path, hostile: Sitting) -> None:
    data = hostile.transcript()
    path = tmp_path / "page.html"
    path.write_bytes(reading.page_of(reading.reading_of_transcript(data, open_transcript(data))))
    browser.open(path)
    assert browser.verdict() == "ok"
    for name in NAMES:
        assert name in browser.text("header")
        assert name in browser.text(".standing")
    unharmed(browser, "M.A.R.K.")


@needs_browser
def test_whatever_a_host_writes_stays_text_on_the_player_s_page(
    browser: Browser, tmp_path: Path, canary: tuple[str, list[str]]
) -> None:
    """The aid is the host's, and nobody signed it: its labels, its story, its picture."""
    address, asked = canary
    table = Named("schwarzer-freitag", 3, "hostile host").until(
        lambda sitting: sitting.round > 2 and sitting.asked == [0]
    )
    bad = f"<img src={address}/a onerror=alert(1)><script>fetch('{address}/b')</script>"
    plain = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="600" height="9"><rect width="9" height="9" '
        f'fill="url({address}/c)"/><desc>{bad.replace("<", "&lt;")}</desc></svg>'
    )

    def spoil(aid: Any) -> None:
        aid.update(title=bad, picture=plain, told=[{"round": table.round, "lines": [bad], "own": [bad]}])
        for choice in aid["moves"]["choices"]:
            choice.update(text=bad, note=bad)
            for part in choice.get("parts", []):
                part["ask"] = bad

    aid = changed(encode(aid_of(table.opened(0))), spoil)
    desk = Desk(browser, tmp_path)
    mine = desk.give("me.json", player_file(table, 0))
    desk.open(desk.give("view.json", table.view(0)), desk.give("aid.json", aid), mine=mine)
    assert browser.verdict() == "ok"
    assert browser.find("#moves .line")
    desk.choose(0, {})
    assert browser.text().count(bad) > 5
    assert browser.find("#board svg")
    assert bad in browser.script("return document.querySelector('.board-column pre').textContent")
    unharmed(browser, "Player's page")
    assert asked == []
    # The browser does reach that server where a page lets it.
    browser.call("POST", "/url", {"url": f"{address}/canary"})
    assert asked
    browser.requests()


@needs_browser
def test_an_offer_and_loose_files_stay_text(browser: Browser, tmp_path: Path) -> None:
    table = Named("mark", 3, "hostile names")
    desk = Desk(browser, tmp_path)
    for name, data in {
        "offer": encode(table.offer),
        "join": encode(table.joins[0]),
        "move": table.signed(0),
        "<b>nonsense</b>": b"<b onclick=x>no file</b>",
        "page": player_page(),
    }.items():
        desk.open(desk.give(name.replace("/", "_"), data))
        browser.verdict()
        unharmed(browser, "Player's page")


@needs_browser
def test_a_mail_is_read_whatever_is_in_it(browser: Browser, tmp_path: Path) -> None:
    """Broken mails are named, and leave the page as it was."""
    desk = Desk(browser, tmp_path)
    part = b"Content-Type: multipart/mixed; boundary=x\n\n"
    coded = b"Content-Type: application/json; name=x.json\nContent-Transfer-Encoding: base64\n\n%%%"
    mails = {
        "empty": b"From: a@b.example\nSubject: hello\n\n",
        "deep": b"From: a@b.example\n" + part + (b"--x\n" + part) * 500,
        "no base64": b"From: a@b.example\n" + coded,
        "word": b"From: =?utf-8?q?=FF=FE?= <a@b.example>\nSubject: =?no?b?#?=\n\n-----BEGIN PBEM REFEREE MOVE-----\nA",
    }
    for name, raw in mails.items():
        desk.open(desk.give(f"{name}.eml", raw))
        assert f"{name}.eml" in browser.text("[role=alert] .bad"), name
        assert "page has failed" not in browser.text()


@needs_browser
def test_nothing_stays_in_the_browser(browser: Browser, tmp_path: Path) -> None:
    desk = Desk(browser, tmp_path)
    table = Sitting("mark", 3, "left").until(3)
    seat = table.asked[0]
    desk.make_key("Somebody")
    secret = json.loads(desk.mine.read_bytes())["key"]["secret"]
    desk.use(desk.give("me.json", player_file(table, seat)))
    browser.click(browser.one(".question .use"))
    view = desk.give("view.json", table.view(seat))
    desk.open(view, desk.give("aid.json", encode(aid_of(table.opened(seat)))))
    assert browser.find("#moves .line")
    found = browser.script(f"return (async () => {{ {LEFT} }})()")
    assert found == {"stores": [0, 0], "cookies": "", "databases": 0, "caches": [], "workers": 0}
    desk.open_page()
    assert "No player's file is open" in browser.text()
    # Neither the key that was made nor the one that was opened is anywhere in the profile.
    profile = [path for path in (browser.folder / "profile").rglob("*") if path.is_file()]
    kept = b"".join(path.read_bytes() for path in profile)
    assert len(kept) > 1000
    for one in (secret, table.players[seat].seed.hex()):
        assert one.encode() not in kept
        assert bytes.fromhex(one) not in kept


@needs_browser
def test_no_foreign_script_runs(browser: Browser, tmp_path: Path) -> None:
    """Even if something got into the page, the policy would stop it."""
    desk = Desk(browser, tmp_path)
    # In a turn of its own: what a driver runs itself may do what the page may not.
    tried = browser.script("""
        return new Promise((done) => setTimeout(() => {
            const refused = [];
            const attempt = (name, work) => { try { work(); } catch { refused.push(name); } };
            attempt('markup', () => { document.body.innerHTML += '<b>x</b>'; });
            attempt('eval', () => { (0, eval)('1'); });
            attempt('parser', () => { new DOMParser().parseFromString('<b>', 'text/html'); });
            const script = document.createElement('script');
            attempt('script', () => { script.textContent = 'document.title = "!"'; });
            done(refused);
        }));
    """)
    assert tried == ["markup", "eval", "parser", "script"]
    assert browser.script("return fetch('https://example.org/').then(() => 'sent', () => 'refused')") == "refused"
    assert browser.script("return document.title") == "Player's page"
    assert desk.browser.requests() == []
    assert browser.complaints() != []
