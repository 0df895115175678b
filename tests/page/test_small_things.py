"""Small things that somebody with the player's page would notice: where a reply goes, what is compared and asked."""

import json
from itertools import count
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from referee.crypto.codec import encode
from referee.crypto.keys import Key
from referee.engine.host import extend, reveal
from referee.io.desk import due_at
from referee.io.times import later
from referee.page import assemble
from referee.page.aid import aid_of
from tests.page.browser import Browser, needs_browser
from tests.page.desk import Desk
from tests.page.node import PAGE, run_node
from tests.page.test_keys import CARD, LEAVING, mail
from tests.page.test_tampered import player_file
from tests.support.match import Sitting

TOLD = """
const load = (name) => import(`file://${process.argv[1]}/${name}.mjs`);
const { readMail, binary } = await load("mail");
const { visible } = await load("quote");
const text = (raw) => readMail(raw.join("\\r\\n"));
const both = ["From: Anna <anna@x.example>", "Reply-To: host@y.example", "Subject: s", "", "hello"];
const part = "--b\\r\\nContent-Type: application/json\\r\\n\\r\\n{}\\r\\n";
const parts = Array.from({ length: 300 }, () => part);
const large = ["From: a@x.example", "Content-Type: multipart/mixed; boundary=b", "", ...parts, "--b--"];
console.log(JSON.stringify({
  both: text(both).reply.to,
  twice: text(["Subject: one", "Subject: two", ...both.slice(0, 2), "", "hello"]).reply.subject,
  from: text(both.filter((line) => !line.startsWith("Reply"))).reply.to,
  parts: text(large).documents.length,
  piled: visible(`a${"\\u0301".repeat(9)}b`).length,
}));
"""


def test_a_reply_goes_where_the_mail_says_and_a_mail_has_an_end() -> None:
    done = run_node("--input-type=module", "-e", TOLD, "--", PAGE)
    assert done.stderr == ""
    # 200 parts are looked at, of which the first is the mail itself; three marks are left on a letter.
    assert json.loads(done.stdout) == {
        "both": "host@y.example", "from": "anna@x.example", "twice": "one", "parts": 199, "piled": 5,
    }  # fmt: skip


@pytest.fixture(scope="module")
def table() -> Sitting:
    """It is Anna's turn, and she may hand over her seat."""
    return Sitting("schwarzer-freitag", 2, "small", takeovers=1).until(lambda one: one.round > 2 and one.asked == [0])


@needs_browser
def test_an_extension_is_read_beside_its_view(desk: Desk, table: Sitting) -> None:
    sitting = table.fork()
    promised = extend(sitting.match, 0, later(due_at(sitting.match, 0), 1440))
    desk.open_all({"view.json": sitting.view(0), "extension.json": encode(promised)})
    headings = desk.browser.script("return [...document.querySelectorAll('article h3')].map((one) => one.textContent)")
    assert headings[-1] == "Side by side"
    assert desk.browser.script("return [...document.querySelectorAll('.verdict')].at(-1).dataset.code") == "ok"


@needs_browser
def test_an_abandoned_game_is_reported_as_such(desk: Desk, table: Sitting) -> None:
    desk.open_all({"transcript.json": reveal(table.fork().match, abandon=True)})
    assert f"Abandoned by the host in round {table.round}, no result." in desk.browser.text(".verdict")


@needs_browser
def test_an_older_view_takes_neither_answers_nor_statements(desk: Desk, table: Sitting) -> None:
    newer = table.fork()
    newer.step()
    newer.until(lambda one: one.asked == [0])
    desk.open_all({"me.json": player_file(table, 0), "old.json": table.view(0)})
    assert len(desk.browser.find("#sign")) == len(desk.browser.find("#word-kind")) == 1
    desk.open(desk.give("new.json", newer.view(0)))
    assert len(desk.browser.find("#sign")) == len(desk.browser.find("#word-kind")) == 1
    desk.open(desk.give("old.json", table.view(0)))
    assert desk.browser.find("#sign") + desk.browser.find("#word-kind") == []
    assert "You have already seen a newer view of this game" in desk.browser.text("#bar")


@needs_browser
def test_of_several_games_the_one_that_waits_is_on_the_table_and_a_button_puts_another_there(
    desk: Desk, table: Sitting
) -> None:
    """Each is answered for itself: what is chosen in one is still chosen when somebody comes back to it."""
    rests = Sitting("mark", 2, "other table").until(lambda one: one.round > 2 and 0 not in one.asked)
    view, aid = table.view(0), encode(aid_of(table.opened(0)))
    desk.open_all({"me.json": player_file(table, 0), "a.json": rests.view(0), "b.json": view, "b.aid.json": aid})
    single = next(at for at, one in enumerate(aid_of(table.opened(0)).moves.choices) if not one.parts)
    said = desk.choose(single, {})
    sit, names = "button.sit", "return [...document.querySelectorAll('article h3')].map((one) => one.textContent)"
    assert len(desk.browser.find("#bar")) == len(desk.browser.find(sit)) == 1
    assert desk.browser.script(names)[:2] == ["M.A.R.K.", "Schwarzer Freitag"]
    desk.browser.click(desk.browser.one(sit))
    desk.browser.wait("return document.getElementById('bar').innerText.includes('This view is for')")
    assert desk.browser.find("#sign") == []
    desk.browser.click(desk.browser.one(sit))
    desk.browser.wait("return document.getElementById('sign')")
    assert desk.browser.text(".signing") == said


@needs_browser
def test_a_seat_is_handed_over_to_a_complete_key_only(desk: Desk, table: Sitting) -> None:
    """What is no key is refused, and what was there before stays."""
    desk.open_all({"me.json": player_file(table, 0), "view.json": table.view(0)})
    keys = {"ab" * 32: True, "AB" * 32: True, "ab" * 31: False, "ab" * 33: False, "gh" * 32: False}
    taken = {}
    for key in keys:
        desk.hand_over(key)
        taken[key] = not desk.browser.text("#troubles")
        desk.browser.click(desk.browser.one("#resign"))
        desk.settle()
        assert "ab" * 32 in desk.browser.text(".signing")
        desk.browser.click(desk.browser.one("#bar button.main"))
        desk.settle()
    assert taken == keys
    desk.hand_over("")
    desk.browser.click(desk.browser.one("#resign"))
    desk.settle()
    assert desk.browser.text(".signing ul") == "you leave the game"


@needs_browser
def test_an_absence_can_be_as_long_as_an_office_accepts(desk: Desk, table: Sitting) -> None:
    """120 days, as `referee.mail.words` has it."""
    desk.open_all({"me.json": player_file(table, 0), "view.json": table.view(0)})
    low, high = desk.browser.script("""
      const field = document.getElementById('word-rest');
      return [Date.parse(field.min), Date.parse(field.max)];
    """)
    assert (high - low) / 86_400_000 == 120


@needs_browser
def test_an_offer_tells_all_its_terms(desk: Desk) -> None:
    offer = Sitting("auction", 2, "common", common="x", takeovers=1, takeover=10080, bank=60).offer
    desk.open_all({"offer.json": encode(offer)})
    told = desk.browser.text("article")
    for words in ("common chance: the host knows every draw in advance", "1 day", "1 hour", "7 days"):
        assert words in told


@needs_browser
def test_an_address_stays_one_address_in_a_link(desk: Desk, table: Sitting) -> None:
    """Whatever a sender's address has in it: no further recipient, no header, no other body."""
    desk.use(desk.give("me.json", player_file(table, 0)))
    nasty = "a&body=x?cc=b%40c#d@games.example"
    desk.open(desk.give("turn.eml", mail(("view.json", table.view(0)), sender=nasty)))
    desk.leave()
    link = urlsplit(str(desk.browser.wait("return document.getElementById('mail')?.href")))
    assert link.path == "a%26body%3Dx%3Fcc%3Db%2540c%23d@games.example"
    assert link.query.startswith("subject=Re%3A%20")
    assert link.fragment == ""


@needs_browser
def test_two_clicks_make_one_key(desk: Desk, table: Sitting) -> None:
    """Somebody who has read or saved the first one must not get another."""
    desk.browser.type(desk.browser.one("#name"), "Anna")
    desk.browser.script("""
      let made = 0;
      crypto.getRandomValues = (bytes) => bytes.fill(++made);
      const button = document.getElementById('make');
      button.click();
      button.click();
    """)
    desk.browser.wait("return document.getElementById('save')")
    desk.open(desk.give("view.json", table.view(0)))  # by then the second click has done what it does
    assert Key(bytes([1] * 32)).public.hex()[:16] in desk.browser.text(f"{CARD} > p")


@needs_browser
def test_arrows_step_and_leave_the_shortcuts_of_a_browser_alone(desk: Desk, table: Sitting) -> None:
    desk.open(desk.give("view.json", table.view(0)))
    press = """
      const key = new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true, cancelable: true, ...arguments[0] });
      document.body.dispatchEvent(key);
      return [key.defaultPrevented, document.querySelector('.place').textContent];
    """
    last = f"Round {table.round} of {table.round}"
    for held in ("ctrlKey", "altKey", "metaKey"):
        assert desk.browser.script(press, {held: True}) == [False, last]
    assert desk.browser.script(press, {}) == [True, f"Round {table.round - 1} of {table.round}"]


def at_hand(browser: Browser, folder: Path, name: str) -> None:
    """An empty page in which a module of ours is at hand, as `$name`."""
    script = "\n".join([*map(assemble._block, assemble._order(name)), f"globalThis.${name} = ${name};"])
    path = folder / f"{name}.html"
    path.write_text(f'<!doctype html><meta charset="utf-8"><body><script type="module">{script}</script>', "utf-8")
    browser.open(path)
    browser.wait(f"return globalThis.${name}")


RANKED = """
  const part = { type: 'ranking', name: 'order', ask: 'In which order?', names: ['red', 'blue', 'green'], least: 1 };
  const seen = [];
  let order;
  const show = (value) => {
    seen.push((order = value));
    const candidate = { choice: { text: 'rank', parts: [part] }, values: { order } };
    document.body.replaceChildren($parts.control(candidate, part, { names: [], language: 'en' }, show));
  };
  const named = (name) => [...document.querySelectorAll('button')].find((one) => one.textContent.endsWith(name));
  const press = (name) => named(name).click();
  show([]);
  for (const name of ['red', 'blue', 'green', 'blue', 'blue']) press(name);
  return seen;
"""


@needs_browser
def test_names_are_ranked_one_after_the_other(browser: Browser, tmp_path: Path) -> None:
    """One that is placed is pressed to be left out; pressed again it comes last."""
    at_hand(browser, tmp_path, "parts")
    assert browser.script(RANKED) == [
        [], ["red"], ["red", "blue"], ["red", "blue", "green"], ["red", "green"], ["red", "green", "blue"],
    ]  # fmt: skip


@needs_browser
def test_a_chart_reaches_from_its_least_to_its_most(browser: Browser, tmp_path: Path) -> None:
    """And to 0, the base of all figures; a chart that never changes has some height too."""
    at_hand(browser, tmp_path, "charts")
    said = browser.script("""
      const shown = (values) => $charts.charts([{ label: "a", series: [{ name: "x", colour: "", values }] }], 2)[0]
        .querySelector("figcaption").textContent;
      return [[-10, -5], [-3, 4], [2, 9], [0, 0], [-2, -2]].map(shown);
    """)
    assert said == ["a (-10 – -5)", "a (-3 – 4)", "a (0 – 9)", "a (0 – 1)", "a (-2 – -1)"]


@needs_browser
def test_changes_during_a_write_are_still_unsaved(desk: Desk, table: Sitting) -> None:
    newer = table.fork()
    newer.step()
    desk.browser.script("""
      const writable = { write: async () => {}, close: () => new Promise((done) => (window.finish = done)) };
      window.showSaveFilePicker = async () => ({ name: 'mine.json', createWritable: async () => writable });
    """)
    desk.open_all({"me.json": player_file(table, 0), "view.json": table.view(0)})
    desk.browser.click(desk.browser.one("#save"))
    desk.browser.wait("return Boolean(window.finish)")
    desk.open(desk.give("newer.json", newer.view(0)))
    desk.browser.script("window.finish()")
    desk.browser.wait("return document.body.innerText.includes('Saved: mine.json')")
    assert desk.browser.script(LEAVING), "the newer view is in no file"
    desk.browser.script("delete window.finish")
    desk.browser.click(desk.browser.one("#save"))
    desk.browser.wait("return Boolean(window.finish)")
    desk.browser.script("window.finish()")
    desk.browser.wait("return !document.querySelector('#save.main')")
    assert not desk.browser.script(LEAVING)


@needs_browser
def test_a_finished_game_names_the_best_first(desk: Desk) -> None:
    games = (Sitting("auction", 3, f"ranks {number}").to_end() for number in count())
    over, ranks = next((one, ranks) for one in games if list(ranks := one.state.result.ranks) != sorted(ranks))
    desk.open_all({"view.json": over.view(0), "aid.json": encode(aid_of(over.opened(0)))})
    lines = desk.browser.script("return [...document.querySelectorAll('.standing li')].map((one) => one.textContent)")
    names = [name for _, name in sorted(zip(ranks, over.table.names, strict=True))]
    assert [name for line in lines for name in names if name in line] == names


@needs_browser
def test_only_what_the_host_signed_blames_the_host(browser: Browser, tmp_path: Path) -> None:
    at_hand(browser, tmp_path, "verdict")
    told = browser.script("""
      const said = (blames) => $verdict.showVerdict($verdict.verdictPanel(),
        { ok: false, code: "x", round: 2, words: "it is wrong", blames }, "").textContent;
      return ["host", "nobody", undefined].map((one) => said(one).includes("This blames nobody"));
    """)
    assert told == [False, True, True]


@needs_browser
def test_a_subject_gets_one_re(browser: Browser, tmp_path: Path) -> None:
    at_hand(browser, tmp_path, "sending")
    links = browser.script("""
      const link = (subject) => $sending.sending({ kind: "move", name: "m.json",
        bytes: new Uint8Array([1]), reply: { to: "a@b.example", subject }, subject: "move for round 3" })
        .querySelector("#mail").href;
      return ["your turn", "Re: your turn", "AW: your turn", "Antw: your turn", "Regards", ""].map(link);
    """)
    assert [parse_qs(urlsplit(link).query)["subject"] for link in links] == [
        ["Re: your turn"], ["Re: your turn"], ["AW: your turn"], ["Antw: your turn"], ["Re: Regards"],
        ["Re: move for round 3"],
    ]  # fmt: skip
