"""Terminals of 80 columns as pictures, to be looked at: every game in every language, and those of the first pages.

python -m tests.page.terminals FOLDER [de|nl ...]
"""

import io
import sys
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import DIMMED_MONOKAI
from rich.text import Text

import tests.conftest
from tests.cli.terminal import Desk, Terminal
from tests.locale.make import TARGETS
from tests.page.browser import Browser, browsing
from tests.page.test_reading import GAMES
from tests.support.match import Sitting

COLUMNS = 80
FIRST_PAGES = Path(__file__).parents[2] / "examples" / "pages"
SHOWN = {"de": ("schwarzer-freitag", "show"), "nl": ("mark", "show")}
"""Language -> the game and command on its first page."""
TALLEST, SCALE = 2400, 0.7
PAGE = """<!doctype html><meta charset="utf-8"><style>{stylesheet} body {{ margin: 0; background: {background}; }}
pre {{ margin: 12px 16px; width: calc(80ch + 4px); white-space: pre-wrap; word-break: break-all; }}
pre, code {{ color: {foreground}; font: 14px/1.3 "DejaVu Sans Mono", monospace; }}
</style><pre>{code}</pre>"""
assert tests.conftest.TOYS


def screens(desk: Desk, seat: int, language: str) -> Iterator[tuple[str, str]]:
    """Commands and what they show this player."""
    view, game = desk.view(seat), desk.sitting.table.offer.game
    for words in (
        ["show", view],
        ["show", "--moves", view],
        ["show", "--story", view],
        ["games", game],
        ["rules", game],
        ["play", "--help"],
    ):
        home = desk.home(desk.sitting.players[seat].name)
        terminal = Terminal(words, desk.root, home, {"REFEREE_LANGUAGE": language}, columns=COLUMNS)
        status, text = terminal.end()
        assert status == 0, text
        yield next((word[2:] for word in words if word.startswith("--")), words[0]), text


def drawn(browser: Browser, text: str, folder: Path) -> tuple[int, int, int, int]:
    """Show what stood on a terminal, which breaks long lines where they end; how much of the page it fills."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(text), soft_wrap=True)
    path = folder / "terminal.html"
    path.write_text(console.export_html(theme=DIMMED_MONOKAI, code_format=PAGE))
    browser.open(path)
    size = "const { right, bottom } = document.querySelector('pre').getBoundingClientRect(); return [right, bottom]"
    right, bottom = browser.script(size)
    return 0, 0, round(right) + 16, min(round(bottom) + 12, TALLEST)


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with browsing() as browser:
        for game in GAMES:
            table = Sitting(game, 3, "screens").until(
                lambda one: one.round > 5 and one.opened(one.asked[0]).decides
            )  # fmt: skip
            desk = Desk(folder / game, table)
            for language in sys.argv[2:] or TARGETS:
                for command, text in screens(desk, table.asked[0], language):
                    clip = drawn(browser, text, folder)
                    browser.picture(folder / f"{game}-{command}-{language}.png", clip)
                    if SHOWN.get(language) == (game, command):
                        browser.picture(FIRST_PAGES / f"terminal.{language}.png", clip, SCALE)


if __name__ == "__main__":
    main()
