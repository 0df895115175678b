"""Writes pictures of our mails: the page at 600 and at 360 pixels, the text in 80 columns, to look at.

    python -m tests.mail.screens FOLDER [GAME...]

Needs Chromium. `test_letters_screens.py` measures the same pages.
"""

import base64
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path

from referee.language import as_text
from referee.mail import letters
from referee.mail.body import Body, Problem, Reader, picture_id
from tests.support.match import Sitting

GAMES = {"schwarzer-freitag": 3, "schwarzmarkt": 4, "mark": 3, "weg-zum-erfolg": 4}
WIDTHS = (600, 360)
DUE = "2026-11-23T23:30Z"


def reader(sitting: Sitting, seat: int, way: str = "kept") -> Reader:
    """Somebody at this seat who lives in Berlin."""
    code = f"{sitting.table.offer_id[:8]}-{seat + 1}-{sitting.round + 1}-k7f3q9abcdefghij"
    own = {"pass_": code, "reply_to": f"host+{code}@games.example"} if way == "kept" else {}
    return Reader(sitting.players[seat].name, "Europe/Berlin", way=way, **own)


def mails(game: str) -> Iterator[tuple[str, Body]]:
    """The mails of one game that somebody looks at: from the invitation to the end."""
    sitting = Sitting(game, GAMES[game], "screens")
    names = [key.name for key in sitting.players]
    guest = reader(sitting, 1)
    yield "invitation", letters.invitation(sitting.offer, guest, names, "Hanna")
    yield "ack", letters.turn(sitting.opened(1), guest, due=DUE, times=(720, 0))
    yield "early", _turn(sitting.until(3))
    late = sitting.until(60)
    while not late.opened(late.asked[0]).decides:
        late = late.until(late.round + 1)
    yield "late", _turn(late)
    seat = late.asked[0]
    opened, who = late.opened(seat), reader(late, seat)
    yield "own", letters.reminder(opened, reader(late, seat, "own"), due=DUE, late=True)
    why, advice = as_text("the move cannot be read at 'by', did you mean buy?"), as_text("choose one of the list below")
    wrong = Problem("by red", why, advice)
    yield "refused", letters.refused(opened, who, [wrong])
    yield "taken", letters.accepted(opened, who, ["pass green", "from now on: roll always"], b"{}")
    while not late.over:
        late = late.until(late.round + 1)
    yield "over", letters.game_over(late.opened(seat), who, late.transcript())


def _turn(sitting: Sitting) -> Body:
    seat = sitting.asked[0]
    return letters.turn(sitting.opened(seat), reader(sitting, seat), due=DUE, times=(720, 0))


def page(body: Body) -> str:
    """The HTML with its picture in it, as a mail program shows it."""
    data = f"data:image/png;base64,{base64.b64encode(body.png).decode()}"
    return body.html.replace(f"cid:{picture_id(body.png)}", data)


def terminal(body: Body) -> str:
    """The text as a terminal of 80 columns shows it."""
    style = "margin:0;padding:8px;width:80ch;background:#101418;color:#d8dee4;font:14px/18px monospace"
    inside = f'<pre style="{style}">{escape(body.text)}</pre>'
    return f'<meta charset="utf-8"><body style="margin:0;background:#101418">{inside}'


def chromium() -> str | None:
    """Where Chromium is, if it is installed."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def shoot(html: str, target: Path, width: int, height: int) -> None:
    """A picture of a page in a window of this size."""
    source = target.with_suffix(".html")
    source.write_text(html, "utf-8")
    words = (f"--screenshot={target}", f"--window-size={width},{height}", "--hide-scrollbars", source.as_uri())
    program = chromium()
    assert program is not None, "Chromium is not installed"
    subprocess.run(
        [program, "--headless=new", "--no-sandbox", "--disable-gpu", *words], check=True, capture_output=True
    )


def main(folder: str, *games: str) -> None:
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    for game in games or GAMES:
        for kind, body in mails(game):
            name = target.resolve() / f"{game}-{kind}"
            for width in WIDTHS:
                shoot(page(body), name.with_name(f"{name.name}-{width}.png"), width, 1600)
            shoot(terminal(body), name.with_name(f"{name.name}-text.png"), 720, 18 * (body.text.count("\n") + 2))


if __name__ == "__main__":
    main(*sys.argv[1:])
