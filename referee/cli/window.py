"""The local app: a window of the browser, served by this program to this machine alone."""

import os

from referee.app import calls, house, window
from referee.cli import common as c
from referee.cli import t
from referee.errors import FileTrouble
from referee.io import files
from referee.library import completion, joining
from referee.mail import office

BrowserFlag = c.flag("--browser/--no-browser", "Open the browser, or only print the link.", True)


def open(
    path: str = c.argument(
        "[FILE|DIR]",
        "A view, a saved mail, or a folder with them. Default: this folder.",
        completion.files("view", mail=True),
        ".",
    ),
    browser: bool = BrowserFlag,
    key: c.KeyOption = None,
) -> None:
    """Play in a window of your browser: games that wait, the board, your move; and practice. The program keeps your key
    and does the work; it ends when you close the window.

    Example: referee open Downloads
    """  # fmt: skip
    if not os.path.exists(path):
        why = t("there is no {path}", path=files.printable(path))
        raise FileTrouble(why, t("name a view, a saved mail or a folder"), code="missing")
    folder = path if os.path.isdir(path) else os.path.dirname(path) or "."
    mine = joining.known_key(os.path.join(folder, office.KEY) if house.is_office(folder) else key, c.load_key)
    desk = calls.Calls(folder, key, lambda _: mine if mine is not None else c.load_key(key))
    start = None if os.path.isdir(path) else {"call": "open", "with": {"game": desk.handle_of(path)}}
    window.serve(desk, start, browser, c.say)


def practise(start: object) -> None:
    """Serve a window for practice, which needs no key."""
    window.serve(calls.Calls(os.curdir, None, c.load_key), start, True, c.say)
