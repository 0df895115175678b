"""Somebody with nothing but a browser: opens mails in the player's page, fills in its form, and sends what it signs."""

import email.policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from referee.page.assemble import player_page
from tests.page.browser import Browser

FILL = """
const [group, at, values] = arguments;
const settled = async () => {
  do await new Promise((done) => setTimeout(done)); while (document.querySelector('[aria-busy]'));
};
const press = async (node) => { node.click(); await settled(); };
return (async () => {
  const clear = document.getElementById('clear');
  if (group === '#moves' && clear) await press(clear);
  document.getElementById('orders')?.setAttribute('open', '');
  await press(document.querySelector(`${group} [data-line="${at}"]`));
  const inside = group === '#moves' ? '#bar' : group;
  for (const [name, value] of values) {
    const part = () => document.querySelector(`${inside} [data-part="${name}"]`);
    const named = (wanted) => [...part().querySelectorAll('[data-name]')].find((one) => one.dataset.name === wanted);
    if (!part()) continue; // only one value is possible
    const form = part().querySelector('form');
    if (form) { form.querySelector('input').value = String(value); form.requestSubmit(); await settled(); }
    else if (Array.isArray(value)) for (const one of value) await press(named(one));
    else if (typeof value === 'object') {
      for (const [one, count] of Object.entries(value)) for (let n = 0; n < count; n++) await press(named(one));
    } else if (named(value).ariaPressed !== 'true') await press(named(value));
  }
  return [document.querySelector('.signing')?.innerText ?? ''];
})();
"""
"""Chooses a line and fills in its parts, by the clicks that a person makes."""


WRITES_NOTHING = "delete window.showSaveFilePicker"
"""As browsers are that hand files over as downloads only. In a browser without a screen nobody could choose a place."""


class Desk:
    """The player's page in a browser, and the folder where its owner keeps mails and the player's file."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.browser, self.folder = browser, folder
        browser.prepare(WRITES_NOTHING)
        folder.mkdir(exist_ok=True)
        self.page = folder / "player.html"
        self.page.write_bytes(player_page())
        self.mine = folder / "me.player.json"
        self.open_page()

    def open_page(self) -> None:
        """As on the next day: nothing is left of what was there before."""
        self.browser.open(self.page)
        self.browser.wait("return document.getElementById('files')")

    def open(self, *files: Path, mine: Path | None = None) -> None:
        """Pick mails and documents, and wait until the page has done with them; the player's file first."""
        if mine is not None:
            self.use(mine)
        self._pick("files", "opened", *files)

    def use(self, *files: Path) -> None:
        """Pick player's files."""
        self.browser.script("document.getElementById('own').closest('details')?.setAttribute('open', '')")
        self._pick("own", "own", *files)

    def _pick(self, name: str, counted: str, *files: Path) -> None:
        before = int(self.browser.script("return document.body.dataset[arguments[0]] ?? 0", counted))
        self.browser.type(self.browser.one(f"#{name}"), "\n".join(str(path.resolve()) for path in files))
        done = "return Number(document.body.dataset[arguments[0]] ?? 0) > arguments[1]"
        self.browser.wait(done, counted, before)

    def open_all(self, files: dict[str, bytes]) -> None:
        """Files by name, `me.json` being the player's own."""
        paths = {name: self.give(name, data) for name, data in files.items()}
        if mine := paths.pop("me.json", None):
            self.use(mine)
        if paths:
            self.open(*paths.values())

    def give(self, name: str, data: bytes) -> Path:
        path = self.folder / name
        path.write_bytes(data)
        return path

    def make_key(self, name: str) -> None:
        self.browser.type(self.browser.one("#name"), name)
        self.browser.click(self.browser.one("#make"))
        self.save()

    def save(self) -> None:
        """Save the player's file, in place of the old one."""
        self.browser.wait("return document.getElementById('save')")
        self.browser.click(self.browser.one("#save"))
        self.mine.write_bytes(self.browser.downloaded(".player.json"))
        self.browser.wait("return document.getElementById('saved')")
        self.browser.click(self.browser.one("#saved"))

    def join(self) -> bytes:
        self.browser.click(self.browser.one("#join"))
        return self.reply()

    def choose(self, at: int, values: dict[str, Any], group: str = "#moves") -> str:
        """Pick a line of the list, or of the standing orders (`#orders`); what the page then says will be signed."""
        (told,) = self.browser.wait(FILL, group, at, [[name, value] for name, value in values.items()])
        return str(told)

    def settle(self) -> None:
        """Until the page has done what it was asked to do."""
        self.browser.wait("return !document.querySelector('[aria-busy]')")

    def each_line(self) -> None:
        """Pick every line of the list, one after the other."""
        for at in range(int(self.browser.script("return document.querySelectorAll('#moves .line').length"))):
            self.choose(at, {})

    def leave(self) -> bytes:
        """Sign that the player leaves the game."""
        self.browser.click(self.browser.one("#resign"))
        self.settle()
        self.browser.click(self.browser.one("#leave"))
        return self.reply()

    def hand_over(self, key: str) -> None:
        """Name the player who may take over the seat."""
        self.browser.script(
            "const box = document.getElementById('handover'); box.value = arguments[0]; box.form.requestSubmit()", key
        )
        self.settle()

    def called(self) -> str:
        """What the host calls that."""
        return self.browser.text(".labels")

    def sign(self) -> bytes:
        """Sign, and reply by mail."""
        self.browser.click(self.browser.one("#sign"))
        return self.reply()

    def signed(self) -> bytes:
        """The signed document as a file."""
        self.browser.click(self.browser.one("#file"))
        return self.browser.downloaded(".json")

    def reply(self) -> bytes:
        """The mail that the link makes a mail program open; what is too long for a link is pasted into it."""
        link = urlsplit(str(self.browser.wait("return document.getElementById('mail')?.href")))
        assert link.scheme == "mailto"
        said = parse_qs(link.query, keep_blank_values=True, strict_parsing=True)
        mail = EmailMessage(policy=email.policy.SMTP)
        mail["From"], mail["To"] = "anna@x.example", unquote(link.path)
        mail["Subject"] = said["subject"][0]
        block = str(self.browser.script("return document.getElementById('block').value"))
        assert len(str(link.geturl())) <= 1800
        assert said.get("body", [block.replace("\n", "\r\n")]) == [block.replace("\n", "\r\n")]
        mail.set_content(block)
        return bytes(mail)
