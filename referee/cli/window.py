"""The local app: a window of the browser, served by this program to this machine alone."""

import os
import signal
import webbrowser
from pathlib import Path

from referee.app import calls, house, server
from referee.cli import common as c
from referee.cli import t, w
from referee.crypto import keys
from referee.errors import FileTrouble
from referee.io import files, tickets
from referee.library import completion
from referee.mail import office
from referee.page import assemble

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
    mine = c.load_key(os.path.join(folder, office.KEY)) if house.is_office(folder) else _own_key(key)
    desk = calls.Calls(folder, key, lambda _: mine if mine is not None else c.load_key(key))
    start = None if os.path.isdir(path) else {"call": "open", "with": {"game": desk.handle_of(path)}}
    serve(desk, start, browser)


def _own_key(key: str | None) -> "keys.Key | None":
    """Your key, unlocked now: later nobody is at the terminal. None if you have none yet."""
    try:
        return c.load_key(key)
    except FileTrouble as error:
        if error.code != "no-key":
            raise
        return None


def practise(start: object) -> None:
    """Serve a window for practice, which needs no key."""
    serve(calls.Calls(os.curdir, None, c.load_key), start, True)


def serve(desk: "calls.Calls", start: object, browser: bool) -> None:
    """Serve one window until it is closed, or the program is interrupted."""
    made = server.Server(desk, assemble.table_page(), start)
    place = Path(tickets.home()) / "open" / f"{made.server_address[1]}.html"

    def ready() -> None:
        c.say(w("Open this link in your browser, once: {link}", link=made.link))
        c.say(w("The program ends when you close the window, or with Ctrl-C."))
        if browser:
            # Other users of this machine can read command lines, but not this file.
            leap = f'<meta charset="utf-8"><meta http-equiv="refresh" content="0; url={made.link}">'
            files.write({str(place): leap.encode()}, secret=[str(place)], make=[str(place.parent)])
            webbrowser.open(place.absolute().as_uri())

    for name in ("SIGTERM", "SIGHUP"):  # the terminal is closed, or the machine goes down: like Ctrl-C
        if signal.getsignal(number := getattr(signal, name, signal.SIGINT)) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)
    try:
        made.run(ready)
    except KeyboardInterrupt:
        pass
    finally:
        place.unlink(missing_ok=True)
    c.say(w("The window is closed; nothing runs any more."))
