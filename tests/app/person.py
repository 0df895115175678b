"""The local app as people have it: the program as a process of its own, and a window of a real browser at its link."""

import contextlib
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from tests.cli.world import environment
from tests.support import waiting

REFEREE = str(Path(sys.executable).with_name("referee"))
SETTLED = """
const board = document.querySelector('#board svg');
const fits = !board || board.matches('.narrow') === matchMedia('(max-width: 520px)').matches;
return fits && document.querySelector('#page')?.childElementCount && !document.querySelector('[aria-busy]')
"""
POINT = """
const [mark] = arguments;
const nodes = [...document.querySelectorAll('#board [data-at]')].filter((one) => one.dataset.at === mark);
const [node] = nodes;
if (!node) return null;
const middle = ({ left, top, width, height }) => [left + width / 2, top + height / 2];
const [right, down] = middle(node.getBoundingClientRect());
scrollBy(0, down - innerHeight * 0.7); // the bar is above; and not every browser scrolls to a part of a picture
const frame = node.closest('#board');
frame.scrollBy(right - middle(frame.getBoundingClientRect())[0], 0);
const steps = [0.5, 0.3, 0.7, 0.15, 0.85];
for (const shape of nodes.flatMap((one) => [...one.children, one])) {
  const { left, top, width, height } = shape.getBoundingClientRect();
  for (const down of steps) for (const along of steps) {
    const [x, y] = [left + width * along, top + height * down].map(Math.floor);
    if (document.elementFromPoint(x, y)?.closest(`.legal, [data-at="${mark}"]`)?.dataset.at === mark) return [x, y];
  }
}
return null;
"""
"""A point of the screen at which a click meets a mark, or a thing on it that cannot be meant itself."""
MARKS = "return [...document.querySelectorAll(`#board ${arguments[0]}`)].map((node) => node.dataset.at)"
TAB, ENTER, DOWN = "\ue004", "\ue007", "\ue015"


class Driven(Protocol):
    """A browser that a test drives: Chromium, or in a campaign Firefox."""

    def go(self, url: str) -> None: ...

    def script(self, code: str, *args: Any) -> Any: ...

    def wait(self, code: str, *args: Any) -> Any: ...

    def click_at(self, x: int, y: int) -> None: ...

    def press(self, *keys: str) -> None: ...

    def size(self, width: int, height: int = 900) -> None: ...

    def still(self, wanted: bool = True) -> None: ...


@contextlib.contextmanager
def serving(*words: str, cwd: Path, home: Path, language: str = "en") -> Iterator[str]:
    """`referee WORDS` serves one window; its link. It is interrupted in the end, unless the window was closed."""
    settings = environment(home, {"REFEREE_LANGUAGE": language})
    with subprocess.Popen([REFEREE, *words], cwd=cwd, env=settings, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            told = process.stderr.readline()
            found = re.search(r"http://\S+#\S+", told)
            assert found is not None, told + process.stderr.read()
            yield found[0]
        finally:
            process.send_signal(signal.SIGINT)
            process.stderr.read()
            waiting.ended(process)


class Window:
    """A window at the link of an app, and a person who looks at it and presses what is there."""

    def __init__(self, browser: Driven, link: str, *, moving: bool = False) -> None:
        """Without `moving` nothing slides while somebody wants to press it."""
        self.browser = browser
        browser.still(not moving)
        self.presses = self.keys = 0
        browser.go(link)
        self.settle()

    def settle(self) -> None:
        """Until the page has done what it was asked to do."""
        self.browser.wait(SETTLED)

    # --- looking

    def text(self, selector: str) -> str:
        """What is to be read there; empty if it is not there."""
        return str(self.browser.script("return document.querySelector(arguments[0])?.innerText ?? ''", selector))

    def has(self, selector: str) -> bool:
        return bool(self.browser.script("return Boolean(document.querySelector(arguments[0]))", selector))

    def count(self, selector: str) -> int:
        return int(self.browser.script("return document.querySelectorAll(arguments[0]).length", selector))

    def marks(self, kind: str = "[data-at]") -> set[str]:
        """The marks of the picture; those of a class."""
        return set(self.browser.script(MARKS, kind))

    @property
    def lit(self) -> set[str]:
        return self.marks(".legal")

    @property
    def chosen(self) -> set[str]:
        return self.marks(".chosen")

    @property
    def move(self) -> str:
        """The words that are signed; empty as long as no move is chosen."""
        return self.text("#move")

    def script_line(self, text: str) -> bool:
        """Whether a line of the list can be seen."""
        code = """return [...document.querySelectorAll('#moves .line')]
            .some((one) => one.checkVisibility() && one.innerText.split('\\n')[0].trim() === arguments[0])"""
        return bool(self.browser.script(code, text))

    def pressed(self, part: str, text: str) -> bool:
        """Whether a control of a part has this value."""
        code = """return [...document.querySelectorAll(`[data-part=${arguments[0]}] [aria-pressed=true]`)]
            .some((one) => one.innerText.trim() === arguments[1])"""
        return bool(self.browser.script(code, part, text))

    @property
    def trouble(self) -> str:
        return self.text("#troubles")

    # --- doing

    def mark(self, name: str) -> None:
        """Press a mark of the board."""
        point = self.browser.script(POINT, name)
        assert point, f"nobody can press {name}: it is not there, or covered"
        self._click(*point)

    def press(self, selector: str, text: str | None = None) -> None:
        """Press what a selector finds, of several that which says this."""
        code = """
        const found = [...document.querySelectorAll(arguments[0])].filter((one) => one.checkVisibility());
        const one = found.find((one) => arguments[1] === null || one.innerText.split('\\n')[0].trim() === arguments[1]);
        if (!one || one.disabled) return null;
        one.scrollIntoView({ block: 'center', inline: 'center' });
        const { left, top, width, height } = one.getBoundingClientRect();
        const [x, y] = [left + width / 2, top + height / 2].map(Math.floor);
        const hit = document.elementFromPoint(x, y);
        return one.contains(hit) ? [x, y] : null;
        """
        point = self.browser.script(code, selector, text)
        assert point, f"nobody can press {selector} {text or ''}: {self.text('#bar, .games')}"
        self._click(*point)

    def _click(self, x: int, y: int) -> None:
        self.browser.click_at(x, y)
        self.presses += 1
        self.settle()

    def tab_to(self, selector: str, text: str = "") -> None:
        """Press the tabulator until this has the focus; it must be on the screen, and visible that it has."""
        code = """const one = document.activeElement; const style = getComputedStyle(one);
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        return one.matches(arguments[0]) && (one.getAttribute('aria-label') ?? one.textContent).includes(arguments[1])
            ? [style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2
                && x > 0 && x < innerWidth && y > 0 && y < innerHeight] : null"""
        for _ in range(80):
            self.type(TAB)
            if found := self.browser.script(code, selector, text):
                assert found[0], f"nobody sees that {selector} has the focus"
                return
        raise AssertionError(f"the tabulator never comes to {selector} {text}")

    def type(self, text: str) -> None:
        """Keys, where the focus is."""
        self.browser.press(*text)
        self.keys += len(text)
        self.settle()

    def empty(self, selector: str) -> None:
        """Select what stands in a field: what is typed next replaces it."""
        self.browser.script("document.querySelector(arguments[0]).select()", selector)

    def speak(self, language: str) -> None:
        self.press(f"#language [lang={language}]")

    def open(self, row: str = "") -> None:
        """The first game of the list that waits."""
        self.press(row or "#page .games button")
