"""Our pages in a real browser: at the width of a mail program and of a phone, nothing is wider than the window, no text
is too small and no link too low for a thumb; also in the dark, and where a mail program drops styles or pictures."""

import json
import re
import subprocess
from html import escape, unescape
from pathlib import Path

import msgspec
import pytest

from referee.language import as_text
from referee.mail import letters
from referee.mail.body import Body, Problem
from tests.mail.screens import DUE, GAMES, WIDTHS, chromium, page, reader
from tests.mail.test_letters import bodies, hostile
from tests.support import waiting

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(chromium() is None, reason="Chromium is not installed"),
]

MEASURE = """<script>
addEventListener("load", () => {
  const found = [...document.querySelectorAll("iframe")].map((frame) => {
    const root = frame.contentDocument.documentElement;
    const links = [...frame.contentDocument.querySelectorAll("a")].map((a) => Math.round(a.offsetHeight));
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), sizes = [];
    while (texts.nextNode()) {
      const inside = texts.currentNode.parentElement;
      if (texts.currentNode.data.trim() && inside.checkVisibility())
        sizes.push(parseFloat(frame.contentWindow.getComputedStyle(inside).fontSize));
    }
    return [frame.clientWidth, root.scrollWidth, Math.min(999, ...links), Math.min(999, ...sizes)];
  });
  document.body.innerHTML = "<p>" + JSON.stringify(found) + "</p>";
});
</script>"""


DARK = ("--force-dark-mode", "--enable-features=WebContentsForceDark")


def measured(pages: list[str], width: int, folder: Path, *more: str) -> list[list[int]]:
    """For each page: the width of the window, the width of what is in it, the height of the lowest link, and the size
    of the smallest text."""
    frames = "".join(
        f'<iframe style="border:0;width:{width}px;height:900px" srcdoc="{escape(html)}"></iframe>' for html in pages
    )
    source = folder / "all.html"
    source.write_text(f'<!DOCTYPE html><meta charset="utf-8">{MEASURE}<body>{frames}', "utf-8")
    words = ("--headless=new", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=10000", "--dump-dom", *more)
    done = subprocess.run(
        [str(chromium()), *words, source.as_uri()], check=True, capture_output=True, text=True, timeout=waiting.LIMIT
    )
    found = re.search(r"<p>(\[\[.*?\]\])</p>", done.stdout)
    assert found, done.stdout[-500:]
    return json.loads(unescape(found[1]))


def wide() -> list[Body]:
    """Mails of people with long names, and one without a picture."""
    table = hostile()
    seat = table.asked[0]
    opened, who = table.opened(seat), reader(table, seat)
    long = msgspec.structs.replace(who, name="W" * 40)
    return [
        letters.turn(opened, who, due=DUE),
        letters.turn(opened, msgspec.structs.replace(long, pictures=False), due=DUE),
        letters.refused(opened, long, [Problem("x" * 300, as_text("y" * 300))]),
        letters.invitation(table.offer, long, ["W" * 40] * 4, "W" * 40),
    ]


def is_good(found: list[list[int]], width: int) -> None:
    assert found
    assert [window for window, *_ in found] == [width] * len(found)
    assert [inside for _, inside, *_ in found if inside > width] == []
    # As high as a thumb is wide: 44 pixels.
    assert [link for _, _, link, _ in found if link < 44] == []
    assert [size for *_, size in found if size < 11] == []


def every() -> list[str]:
    return [page(body) for body in [*(body for game in GAMES for body in bodies(game).values()), *wide()]]


@pytest.mark.parametrize("looks", [(), DARK], ids=["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_window(width: int, looks: tuple[str, ...], tmp_path: Path) -> None:
    is_good(measured(every(), width, tmp_path, *looks), width)


def test_a_program_that_drops_pictures_breaks_nothing(tmp_path: Path) -> None:
    bare = [re.sub(r'src="data:[^"]*"', "", one) for one in every()]
    assert bare != every()
    is_good(measured(bare, 360, tmp_path), 360)


def test_a_program_that_drops_styles_breaks_nothing(tmp_path: Path) -> None:
    """There is no block of styles that could be dropped, no drawing and no script; and without the styles of single
    elements an ordinary mail still fits a phone."""
    for one in every():
        assert not re.search(r"<(?:style|svg|script|link)\b", one)
    bare = [re.sub(r' style="[^"]*"', "", page(body)) for game in GAMES for body in bodies(game).values()]
    found = measured(bare, 360, tmp_path)
    assert [inside for _, inside, *_ in found if inside > 400] == []


def test_the_measure_finds_what_is_too_wide(tmp_path: Path) -> None:
    text = '<p style="width:700px;font-size:9px">x</p><a href="mailto:x">y</a>'
    ((window, inside, link, size),) = measured([text], 360, tmp_path)
    assert window == 360
    assert inside > 700
    assert link < 44
    assert size == 9
