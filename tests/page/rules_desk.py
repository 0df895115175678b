"""Somebody with the larger page, which has the rules."""

from pathlib import Path

from referee.io import keyfile
from tests.app.person import Window
from tests.page.browser import Browser
from tests.page.desk import Desk
from tests.support.match import Sitting

KEEPS_WORKER = """
globalThis.made = [];
globalThis.Worker = class extends Worker { constructor(address) { super(address); made.push(this); } };
"""
"""Every page lets a test reach the workers that it makes."""


def key_of(sitting: Sitting, seat: int) -> bytes:
    return keyfile.dump(sitting.players[seat])


class Page(Desk):
    """The same desk with the larger page."""

    def __init__(self, browser: Browser, folder: Path, page: bytes) -> None:
        super().__init__(browser, folder)
        self.page = folder / "player-rules.html"
        self.page.write_bytes(page)
        self.person = Window(browser, self.page.resolve().as_uri())

    def ready(self, state: str = "runs") -> None:
        """Until the page shows that the rules are there, or what else became of them."""
        self.browser.wait("return document.querySelector('#rules')?.dataset.state === arguments[0]", state)
