"""A window of the browser: served until it is closed, or the program is interrupted."""

import signal
import webbrowser
from collections.abc import Callable
from pathlib import Path

from referee.app import w
from referee.app.calls import Calls
from referee.app.server import Server
from referee.io import files
from referee.page.assemble import table_page


def serve(desk: Calls, start: object, browser: bool, say: Callable[[str], None]) -> None:
    """Serve one window, opened in the browser or with a link to open it."""
    made = Server(desk, table_page(), start)
    place = Path(files.home()) / "open" / f"{made.server_address[1]}.html"

    def ready() -> None:
        say(w("Open this link in your browser, once: {link}", link=made.link))
        say(w("The program ends when you close the window, or with Ctrl-C."))
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
    say(w("The window is closed; nothing runs any more."))
