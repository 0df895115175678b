"""The key that a player made stays open, is never lost, and signs what stands in its box: attacks and mishaps."""

import functools
import http.server
import json
import threading
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from referee import forms
from referee.crypto.codec import encode
from referee.io import files
from referee.io.keyfile import dump
from referee.page.aid import aid_of
from referee.page.assemble import player_page
from tests.page.browser import Browser, needs_browser
from tests.page.desk import Desk
from tests.page.tampered import changed
from tests.page.test_tampered import player_file
from tests.support.match import Sitting

pytestmark = needs_browser
CARD = "section[aria-labelledby=you]"
LEAVING = """
const leaving = new Event('beforeunload', { cancelable: true });
dispatchEvent(leaving);
return leaving.defaultPrevented;
"""
"""Whether somebody who closes the page now is asked."""
DROP = """
const [selector, name, text] = arguments;
const data = new DataTransfer();
data.items.add(new File([text], name));
const place = document.querySelector(selector);
place.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
"""


@pytest.fixture(scope="module")
def table() -> Sitting:
    return Sitting("schwarzer-freitag", 3, "keys").until(lambda one: one.round > 2 and one.asked == [0])


def fingerprint(table: Sitting, seat: int) -> str:
    return table.players[seat].public.hex()[:16]


def mail(*attached: tuple[str, bytes], sender: str = "host@a.example") -> bytes:
    made = EmailMessage()
    made["From"], made["Subject"] = sender, f"a turn from {sender}"
    made.set_content("Your turn\n")
    for name, data in attached:
        made.add_attachment(data, "application", "json", filename=name)
    return bytes(made)


def open_key(desk: Desk) -> str:
    return desk.browser.text(CARD + " > p")


# --- which key is open ------------------------------------------------------------------------------------------------


def test_a_key_that_comes_by_mail_by_drop_or_by_paste_changes_nothing(desk: Desk, table: Sitting) -> None:
    """The seat would belong to whoever sent it."""
    desk.use(desk.give("me.json", player_file(table, 0)))
    before, theirs = open_key(desk), dump(table.players[1])
    assert fingerprint(table, 0) in before
    attack = mail(("view.json", table.view(0)), ("aid.json", encode(aid_of(table.opened(0)))), ("key.json", theirs))
    desk.open(desk.give("turn.eml", attack))
    assert "turn.eml / key.json: this mail contains a key file, which was not opened" in desk.browser.text(
        "[role=alert]"
    )
    assert desk.browser.verdict() == "ok"
    assert desk.browser.find("#sign")
    for place, name in (("#files", "key.json"), ("main", "key.json"), ("#shown", "key.json")):
        count = desk.browser.script("return document.body.dataset.opened")
        desk.browser.script(DROP, place, name, theirs.decode())
        desk.browser.wait("return document.body.dataset.opened !== arguments[0]", count)
        assert "key.json: this is a key file, which was not opened here" in desk.browser.text("[role=alert]")
    desk.browser.script("document.querySelectorAll('details').forEach((one) => one.open = true)")
    desk.browser.script("document.getElementById('pasted').value = arguments[0]", theirs.decode())
    desk.browser.click(desk.browser.one("#read"))
    desk.browser.wait("return document.querySelector('[role=alert]').innerText.includes('the pasted text')")
    desk.use(desk.give("turn.eml", attack))
    assert "a key is never taken from a mail" in desk.browser.text(CARD + " .bad")
    assert fingerprint(table, 0) in open_key(desk)
    assert fingerprint(table, 1) not in desk.browser.text()
    assert desk.browser.find(".question") == []


def test_another_key_needs_a_confirmation_and_an_unsaved_one_is_never_discarded(desk: Desk, table: Sitting) -> None:
    browser = desk.browser
    browser.type(browser.one("#name"), "Anna")
    # Two clicks make one key.
    browser.script("const make = document.getElementById('make'); make.click(); make.click()")
    browser.wait("return document.getElementById('save')")
    made = open_key(desk).split("key ")[1][:16]
    assert browser.script(LEAVING)
    desk.use(desk.give("other.json", player_file(table, 1)))
    asked = browser.text(".question")
    assert made in asked
    assert fingerprint(table, 1) in asked
    assert browser.script("return document.querySelector('.question .use').disabled")
    browser.script("document.querySelector('.question .use').click()")
    assert made in open_key(desk)
    desk.save()
    assert json.loads(desk.mine.read_bytes())["key"]["public"].startswith(made)
    assert not browser.script(LEAVING)
    # It is kept unless somebody says otherwise.
    browser.click(browser.one(".question .keep"))
    assert browser.find(".question") == []
    assert made in open_key(desk)
    browser.script(DROP, "#own", "other.json", player_file(table, 1).decode())
    browser.wait("return document.querySelector('.question')")
    browser.click(browser.one(".question .use"))
    browser.wait("return !document.querySelector('.question')")
    assert fingerprint(table, 1) in open_key(desk)


def test_two_files_of_one_key_are_merged(desk: Desk, table: Sitting) -> None:
    """A warning that a file knows less than the mail goes away with the file that knows more."""
    browser, twin = desk.browser, table.fork()
    view, aid = table.view(0), encode(aid_of(table.opened(0)))
    desk.open_all({"me.json": player_file(table, 0), "view.json": view, "aid.json": aid})
    assert "does not know your answer in round" in browser.text(".behind")
    old = desk.mine
    desk.save()
    single = next(at for at, one in enumerate(aid_of(table.opened(0)).moves.choices) if not one.parts)
    desk.choose(single, {})
    desk.sign()
    signed = desk.signed()
    desk.mine = desk.folder / "newer.player.json"
    desk.save()
    assert twin.give(signed).error is None
    desk.open_page()
    desk.open(desk.give("next.json", twin.view(0)), mine=old)
    assert f"in round {twin.round}." in browser.text(".behind")
    desk.use(desk.mine)
    assert browser.find(".behind") == []
    assert "newer.player.json" in browser.text(f"{CARD} p.unsure[role=status]")
    # The older one adds nothing, and whatever it does not know stays.
    desk.use(old)
    assert "an older file of the same key" in browser.text(f"{CARD} p.soft[role=status]")
    desk.save()
    kept = json.loads(desk.mine.read_bytes())
    assert [row["round"] for row in kept["tickets"]] == [twin.round]
    assert encode(kept["tickets"][0]["signed"][0]) == signed


# --- saving -----------------------------------------------------------------------------------------------------------


def test_a_download_counts_as_saved_when_its_owner_confirms_it(desk: Desk, table: Sitting) -> None:
    browser = desk.browser
    desk.open_all({"me.json": player_file(table, 0), "view.json": table.view(0)})
    names = []
    for _ in range(2):
        names.append(browser.script("return document.getElementById('save').download"))
        browser.click(browser.one("#save"))
        browser.wait("return document.getElementById('saved')")
        assert browser.script(LEAVING)
        assert "unsaved changes" in browser.text(CARD)
        number = json.loads(browser.downloaded(".player.json"))["number"]
    # The same once more is the same file.
    assert names == [f"anna-001-r{table.round:03}.player.json"] * 2
    assert number == 1
    browser.click(browser.one("#saved"))
    assert not browser.script(LEAVING)
    assert browser.script("return document.getElementById('save').download").startswith("anna-002-")


PICKER = """
const [how] = arguments;
window.showSaveFilePicker = async ({ suggestedName }) => {
  if (how === 'closed') throw new DOMException('nobody chose a place', 'AbortError');
  const place = await (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true });
  if (how === 'full') place.createWritable = async () => { throw new DOMException('full', 'QuotaExceededError'); };
  return place;
};
"""
"""A dialogue, which nobody sees here; the place that it gives is a real file of the browser's own."""
WRITTEN = """
const files = {};
for await (const [name, file] of (await navigator.storage.getDirectory()).entries()) {
  files[name] = await (await file.getFile()).text();
}
return files;
"""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    """Only a page with an address of its own has files of its own."""
    (tmp_path / "player.html").write_bytes(player_page())

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args: Any) -> None:
            pass

    handler = functools.partial(Quiet, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/player.html"
        server.shutdown()
        thread.join()


def test_a_file_is_saved_once_it_is_written_and_closed(browser: Browser, served: str) -> None:
    browser.call("POST", "/url", {"url": served})
    browser.wait("return document.getElementById('make')")
    browser.script(PICKER, "closed")
    browser.type(browser.one("#name"), "Anna")
    browser.click(browser.one("#make"))
    browser.wait("return document.getElementById('save')")
    browser.click(browser.one("#save"))
    browser.wait("return document.body.innerText.includes('Nothing was saved')")
    assert browser.script(LEAVING)
    browser.script(PICKER, "good")
    browser.click(browser.one("#save"))
    browser.wait("return document.body.innerText.includes('Saved: anna-001-r000.player.json')")
    assert not browser.script(LEAVING)
    written = browser.script(f"return (async () => {{ {WRITTEN} }})()")
    assert json.loads(written["anna-001-r000.player.json"])["key"]["name"] == "Anna"
    assert browser.find("#saved") == []
    # What cannot be written is handed over as a download.
    browser.script(PICKER, "full")
    browser.click(browser.one("#save"))
    browser.wait("return document.body.innerText.includes('could not be written')")
    link = "const link = document.getElementById('save'); return [link.localName, link.download]"
    assert browser.script(link) == ["a", "anna-002-r000.player.json"]


# --- whom the reply goes to -------------------------------------------------------------------------------------------


def test_a_reply_goes_to_the_host_of_the_document_that_is_answered(desk: Desk, table: Sitting) -> None:
    """Not to the sender of the last mail that was opened, with or without a document in it."""
    aid = encode(aid_of(table.opened(0)))
    other = Sitting("mark", 3, "other host").until(3)
    mine = desk.give("me.json", player_file(table, 0))
    ours = desk.give("a.eml", mail(("v.json", table.view(0)), ("a.json", aid), sender="host@a.example"))
    theirs = desk.give("b.eml", mail(("v.json", other.view(1)), sender="b@evil.example"))
    empty = desk.give("c.eml", mail(sender="c@evil.example"))
    single = next(at for at, one in enumerate(aid_of(table.opened(0)).moves.choices) if not one.parts)
    for later in ((theirs,), (empty,), (theirs, empty)):
        desk.open_page()
        desk.open(ours, *later, mine=mine)
        desk.choose(single, {})
        assert b"To: host@a.example" in desk.sign()
        assert "The reply goes to host@a.example" in desk.browser.text("#bar")
    # Also if they are opened one after the other.
    desk.open_page()
    desk.open(ours, mine=mine)
    desk.open(empty)
    desk.choose(single, {})
    assert b"Subject: Re: a turn from host@a.example" in desk.sign()


# --- what is signed ---------------------------------------------------------------------------------------------------

BOXES = """
const box = (one) => one.getBoundingClientRect();
const signed = box(document.querySelector('.signing'));
const hosts = [...document.querySelectorAll('.host, .labels')];
const meet = hosts.filter((one) => box(one).top < signed.bottom && box(one).bottom > signed.top);
const styles = hosts.map((one) => getComputedStyle(one));
return [hosts.length, meet.length, styles.every((one) => one.contain.includes('paint') && one.overflowX === 'hidden'),
  styles.filter((one) => one.unicodeBidi.includes('isolate')).length];
"""


def test_the_host_s_words_cannot_look_like_or_cover_what_is_signed(desk: Desk, table: Sitting) -> None:
    piled = "s" + "\u0489\u0301\u0316" * 200
    label = f"buy red” You sign exactly this: do: buy\n\n\u202eder yub\u0007 {piled} " + "W" * 1000

    def spoil(aid: Any) -> None:
        sell = {"do": "sell", "drop": "red", "mark": "red, do: buy", "shares": {"red": 1}}
        aid["moves"]["choices"] = [{"text": label, "note": label, "move": sell}]

    aid = changed(encode(aid_of(table.opened(0))), spoil)
    desk.open_all({"me.json": player_file(table, 0), "view.json": table.view(0), "aid.json": aid})
    signing = desk.choose(0, {})
    assert "do: sell" in signing
    assert "mark: “red, do: buy”" in signing
    assert "yub" not in signing
    called = desk.called()
    assert "⟨202E⟩der yub⟨0007⟩" in called
    assert "you do not sign this" in called
    assert called.count("\u0489") == 1
    assert called.endswith("…”")
    assert len(called) < 400
    for width in (360, 1280):
        desk.browser.size(width)
        shown, covering, contained, isolated = desk.browser.script(BOXES)
        assert (covering, contained) == (0, True)
        assert shown == isolated > 3
    desk.browser.size(1200)


def test_a_free_text_is_judged_before_it_is_signed_or_reported_as_unjudged(desk: Desk) -> None:
    heads = Sitting("weg-zum-erfolg", 3, "free texts").until("solve")
    seat = next(ask.seat for ask in heads.state.pending if ask.what == "solve")
    moves = aid_of(heads.opened(seat)).moves.choices
    at = next(at for at, one in enumerate(moves) if any(part.name == "expression" for part in one.parts))
    right = next(one.move.expression for one in moves if one.minor)
    aid = encode(aid_of(heads.opened(seat)))
    desk.open_all({"me.json": player_file(heads, seat), "view.json": heads.view(seat), "aid.json": aid})

    def typed(text: str) -> tuple[bool, str]:
        rest = {part.name: part.options[0].text for part in moves[at].parts if part.name != "expression"}
        said = desk.choose(at, {"expression": text, **rest}) + desk.browser.text("#troubles")
        return not desk.browser.script("return document.getElementById('sign').disabled"), said

    for wrong, why in {
        "1+": "a card or an opening bracket is missing",
        right + "+0": "you have too few cards of value 0",
        "hello": "a card or an opening bracket is missing",
    }.items():
        can, said = typed(wrong)
        assert (can, why in said) == (False, True), (wrong, said)
    assert typed("9\u200b") == (False, typed("9\u200b")[1])
    assert "invisible characters" in desk.browser.text("[data-part=expression]")
    warned = "return document.querySelector('[data-part=expression] .bad')?.hidden === false"
    assert desk.browser.script(warned), "pasted characters that cannot be seen are reported"
    assert "expression: 9" not in typed("9\u200b")[1]
    typed(right)
    assert not desk.browser.script(warned)
    can, said = typed(f"  {right} ")
    assert can
    assert "refuse" not in said
    assert f"expression: {right}" in said


def test_a_free_text_that_no_page_can_judge_is_reported_as_unjudged(desk: Desk) -> None:
    table = Sitting("auction", 3, "motto").until("guess")
    seat = table.asked[0]
    moves = aid_of(table.opened(seat)).moves.choices
    aid = encode(aid_of(table.opened(seat)))
    desk.open_all({"me.json": player_file(table, seat), "view.json": table.view(seat), "aid.json": aid})
    at = next(at for at, one in enumerate(moves) if any(part.name == "motto" for part in one.parts))
    desk.choose(0, {})
    assert "cannot judge the text" not in desk.browser.text("#bar")
    values = forms.find(moves[at], json.loads(encode(moves[at].move)))
    assert values is not None
    ordered = {part.name: values[part.name] for part in moves[at].parts}
    desk.choose(at, ordered)
    assert "cannot judge the text" in desk.browser.text("#bar")
    assert not desk.browser.script("return document.getElementById('sign').disabled")


# --- what is too much -------------------------------------------------------------------------------------------------


def test_a_huge_file_is_refused_unread_and_each_error_is_shown_once(desk: Desk) -> None:
    huge = desk.folder / "huge.eml"
    with huge.open("wb") as file:
        file.truncate(files.LARGE + 36_000_000)
    empty = [desk.give(f"{at}.eml", mail()) for at in range(9)]
    desk.open(huge, *empty)
    lines = desk.browser.text("[role=alert] .bad").splitlines()
    assert lines[0] == "huge.eml: too large for a game's file, so it was not read"
    assert lines[1].startswith("0.eml, 1.eml, 2.eml and 6 more: no document of pbem-referee found")
    assert len(lines) == 2
    desk.browser.speak("de")
    desk.browser.speak("en")
    assert desk.browser.text("[role=alert] .bad").splitlines() == lines
    desk.use(huge)
    assert "huge.eml: too large for a game's file" in desk.browser.text(CARD)
