"""What a player lets the browser keep, and the turn that this makes short: a mail is dropped, and three clicks send the
answer."""

import json
from pathlib import Path

import pytest

from referee.crypto.codec import encode
from referee.page.aid import aid_of
from tests.app.person import Window
from tests.page.browser import Browser, needs_browser
from tests.page.desk import Desk
from tests.page.test_keys import CARD, DROP, LEAVING, mail
from tests.page.test_tampered import player_file
from tests.support.match import Sitting

pytestmark = needs_browser

STORED = """
const names = (await indexedDB.databases()).map((one) => one.name);
if (!names.length) return null;
const database = await new Promise((done) => {
  const asked = indexedDB.open(names[0]);
  asked.onsuccess = () => done(asked.result);
});
const rows = await new Promise((done) => {
  const asked = database.transaction('players').objectStore('players').getAll();
  asked.onsuccess = () => done(asked.result);
});
database.close();
return rows.map(({ key, saved, player }) => ({ key, saved, ...player, seed: [...player.seed] }));
"""
HELD = "return document.getElementById('kept')?.innerText.includes('Kept here')"


@pytest.fixture(autouse=True)
def fresh(browser: Browser) -> None:
    """Nothing is kept from another test."""
    browser.empty()


@pytest.fixture(scope="module")
def table() -> Sitting:
    return Sitting("schwarzer-freitag", 3, "kept").until(lambda one: one.round > 2 and one.asked == [0])


def stored(browser: Browser) -> list[dict[str, object]] | None:
    """What is kept for each key; None if nothing ever was."""
    found: list[dict[str, object]] | None = browser.script(f"return (async () => {{ {STORED} }})()")
    return found


def keep(desk: Desk) -> None:
    desk.browser.click(desk.browser.one("#keep"))
    desk.browser.wait(HELD)


def sign_something(desk: Desk, table: Sitting) -> bytes:
    desk.choose(next(at for at, one in enumerate(aid_of(table.opened(0)).moves.choices) if not one.parts), {})
    desk.sign()
    return desk.signed()


def files(table: Sitting) -> dict[str, bytes]:
    return {"view.json": table.view(0), "aid.json": encode(aid_of(table.opened(0)))}


def test_nothing_is_kept_unasked_and_what_is_kept_comes_back(desk: Desk, table: Sitting) -> None:
    browser = desk.browser
    desk.open_all({"me.json": player_file(table, 0), **files(table)})
    assert stored(browser) is None
    keep(desk)
    signed = sign_something(desk, table)
    found = f"const rows = await (async () => {{ {STORED} }})(); return rows[0].tickets[0]?.signed?.length;"
    browser.wait(f"return (async () => {{ {found} }})()")
    assert not browser.script(LEAVING), "nobody is asked to save what is kept"
    (row,) = stored(browser) or []
    assert (row["key"], bytes(row["seed"])) == (table.players[0].public.hex(), table.players[0].seed)  # type: ignore[arg-type]
    desk.open_page()
    browser.wait(HELD)
    assert table.players[0].public.hex()[:16] in browser.text(f"{CARD} > p")
    desk.open_all(files(table))
    assert "You have already signed an answer" in browser.text("#bar")
    # The file for other places is as it would be without this.
    browser.click(browser.one("#save"))
    saved = json.loads(browser.downloaded(".player.json"))
    assert encode(saved["tickets"][0]["signed"][0]) == signed


def test_what_is_kept_is_merged_with_files_and_never_replaced(desk: Desk, table: Sitting) -> None:
    browser = desk.browser
    desk.open_all({"me.json": player_file(table, 0), **files(table)})
    keep(desk)
    sign_something(desk, table)
    browser.wait("return document.querySelector('#save:not(.main)')")
    (before,) = stored(browser) or []
    desk.open_page()
    browser.wait(HELD)
    desk.use(desk.give("old.json", player_file(table, 0)))
    assert "an older file of the same key" in browser.text(f"{CARD} p.soft[role=status]")
    browser.wait("return document.querySelector('#save:not(.main)')")
    (after,) = stored(browser) or []
    assert after["tickets"] == before["tickets"] != []


def test_another_key_is_asked_about_and_kept_only_by_a_choice_of_its_own(desk: Desk, table: Sitting) -> None:
    browser = desk.browser
    desk.use(desk.give("anna.json", player_file(table, 0)))
    keep(desk)
    desk.use(desk.give("bert.json", player_file(table, 1)))
    browser.click(browser.one(".question .use"))
    browser.wait("return !document.querySelector('.question')")
    assert not browser.script("return document.getElementById('keep').checked")
    assert [row["key"] for row in stored(browser) or []] == [table.players[0].public.hex()]
    keep(desk)
    desk.open_page()
    browser.wait("return document.querySelector('.question')")
    both = {table.players[seat].public.hex()[:16] for seat in (0, 1)}
    assert all(one in browser.text(CARD) for one in both)
    # Forgetting takes one of them away, and it is in no file: whoever leaves is asked.
    browser.click(browser.one(".question .keep"))
    browser.click(browser.one("#keep"))
    browser.wait("return document.querySelector('#save.main')")
    assert len(stored(browser) or []) == 1
    assert browser.script(LEAVING)


def test_what_is_no_player_s_file_is_not_opened_from_the_browser(desk: Desk, table: Sitting) -> None:
    """Another page from the same disk could have put it there."""
    desk.use(desk.give("anna.json", player_file(table, 0)))
    keep(desk)
    desk.browser.wait("""
        return new Promise((done) => {
          const asked = indexedDB.open('pbem-referee');
          asked.onsuccess = () => {
            const work = asked.result.transaction('players', 'readwrite');
            work.objectStore('players').openCursor().onsuccess = ({ target: { result } }) =>
              result.update({ ...result.value, player: { ...result.value.player, seed: new Uint8Array(31) } });
            work.oncomplete = () => (asked.result.close(), done(true));
          };
        });""")
    desk.open_page()
    desk.browser.wait("return document.querySelector('section[aria-labelledby=you] .bad')")
    assert "not a valid player's file" in desk.browser.text(f"{CARD} .bad")
    assert "No player's file is open" in desk.browser.text(CARD)


def test_a_turn_is_three_clicks(browser: Browser, tmp_path: Path) -> None:
    """For whoever lets the browser keep the key: the board, the signature, the mail. No dialog, no file."""
    sitting = Sitting("schwarzmarkt", 3, "three clicks").until(2)
    seat = sitting.asked[0]
    choices = aid_of(sitting.opened(seat)).moves.choices
    wanted = next(one for one in choices if len(one.at) == 1 and not one.parts)
    desk = Desk(browser, tmp_path)
    desk.use(desk.give("me.json", player_file(sitting, seat)))
    keep(desk)
    window = Window(browser, desk.page.resolve().as_uri())
    browser.wait(HELD)
    turn = mail(("view.json", sitting.view(seat)), ("aid.json", encode(aid_of(sitting.opened(seat)))))
    browser.script(DROP, "main", "turn.eml", turn.decode())  # anywhere on the page
    browser.wait("return document.querySelector('#board .legal')")
    browser.script("""
      globalThis.mailed = '';
      addEventListener('click', (event) => {
        const link = event.target.closest('a[href^="mailto:"]');
        if (link) [mailed] = [link.href, event.preventDefault()];
      });""")
    window.mark(wanted.at[0])
    window.press("#sign")
    window.press("#mail")
    link = str(browser.script("return mailed"))
    assert window.presses == 3
    assert link.startswith("mailto:host@a.example?subject=Re%3A%20")
    (signed,) = browser.script("return [document.getElementById('block').value]")
    assert "BEGIN PBEM REFEREE MOVE" in signed
    assert len(link) <= 1800
