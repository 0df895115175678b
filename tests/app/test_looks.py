"""What everybody needs of the window, whatever they see and use: names, contrast, room and size, in every state.
tests/campaign/accessible.py asks axe the same; that the focus can be seen is looked at where keys are used."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.person import Window, serving
from tests.app.states import prepared, states
from tests.page.browser import Browser, browsing, needs_browser

pytestmark = needs_browser

LOOK = """
const visible = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
const found = [];
const note = (what, one) => found.push([what, one.outerHTML.slice(0, 120)]);

// Names and sizes of what can be pressed.
for (const one of document.querySelectorAll('button, input, select, summary, a[href], [role=button]')) {
  if (!visible(one)) continue;
  const labels = [...(one.labels ?? [])].map((label) => label.textContent).join();
  if (!(one.getAttribute('aria-label') || labels || one.textContent).trim()) note('no name', one);
  const { width, height } = one.getBoundingClientRect();
  if (Math.min(width, height) < 24) note(`${width} x ${height}`, one);
}

// Contrast of texts with what is painted under them.
const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
const painted = (colours) => {
  canvas.fillStyle = '#fff';
  for (const colour of ['#fff', ...colours]) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
  return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)];
};
const linear = (one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
const light = (rgb) => {
  const [r, g, b] = rgb.map((one) => linear(one / 255));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
let texts = 0;
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) {
  const one = walk.currentNode.parentElement;
  if (!walk.currentNode.data.trim() || one.closest('svg, script, noscript, :disabled') || !visible(one)) continue;
  const under = [];
  for (let node = one; node; node = node.parentElement) under.unshift(getComputedStyle(node).backgroundColor);
  const lights = [painted([...under, getComputedStyle(one).color]), painted(under)].map(light);
  texts += 1;
  if ((Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05) < 4.5) note('contrast', one);
}

// Nothing is wider than the screen, and nothing is cut off that cannot be scrolled.
const { scrollWidth, clientWidth } = document.documentElement;
if (scrollWidth > clientWidth) found.push(['wider than the screen', `${scrollWidth} > ${clientWidth}`]);
for (const one of document.querySelectorAll('main *:not(svg *)')) {
  const hides = ['hidden', 'clip'].includes(getComputedStyle(one).overflowX);
  if (visible(one) && hides && one.scrollWidth > one.clientWidth + 1) note('cut off', one);
}

// Texts of the board are read at this size.
for (const one of document.querySelectorAll('#board text')) {
  const size = parseFloat(one.getAttribute('font-size')) * one.getScreenCTM().a;
  if (size < 11) { note(`a text of ${size} px`, one); break; }
}
if (!texts) found.push(['nothing to read', '']);
return found;
"""
WIDTHS = (360, 640, 1280)
"""A phone; a window of 1280 at 200 % has as much room as one of 640."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as one:
        yield one


def test_every_state_can_be_read_and_pressed(browser: Browser, tmp_path: Path) -> None:
    browser.size(1280)
    seen = []
    for name, _ in states(browser, prepared(tmp_path), tmp_path, "de"):
        for shade in ("light", "dark"):
            browser.looks(shade)
            for width in WIDTHS:
                browser.size(width)
                assert browser.script(LOOK) == [], (name, shade, width)
        browser.looks("light")
        browser.size(1280)
        seen.append(name)
    assert len(seen) == len({*seen}) == 28


def test_what_was_looked_for_would_be_found(browser: Browser, tmp_path: Path) -> None:
    with serving("open", "--no-browser", cwd=tmp_path, home=tmp_path / "home") as link:
        Window(browser, link)
        browser.script("""
          const add = (name, text, more) => {
            const one = Object.assign(document.createElement(name), { textContent: text });
            Object.assign(one.style, more);
            document.querySelector('main').append(one);
          };
          add('button', '', {});
          add('button', 'x', { minHeight: '9px', height: '9px', padding: 0 });
          const small = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
          Object.entries({ role: 'button', width: 8, height: 8 }).forEach((one) => small.setAttribute(...one));
          document.querySelector('main').append(small);
          add('p', 'grey', { color: '#999' });
          add('p', 'w'.repeat(99), { width: '50px', overflow: 'hidden', whiteSpace: 'nowrap', overflowWrap: 'normal' });
          add('p', 'wide', { width: '5000px' });""")
        found = [what for what, _ in browser.script(LOOK)]
        assert {"no name", "contrast", "wider than the screen", "cut off"} <= {*found}
        assert any(what.endswith(" x 9") for what in found)
        assert "8 x 8" in found


# --- what moves


COUNT = """
const { animate } = Element.prototype;
globalThis.slides = 0;
Element.prototype.animate = function (...how) { slides += 1; return animate.apply(this, how); };
"""
FADES = "return getComputedStyle(document.querySelector('#board .changed')).animationName"


@pytest.mark.parametrize("moving", [True, False])
def test_what_changed_is_marked_and_slides_unless_nothing_may_move(
    browser: Browser, tmp_path: Path, moving: bool
) -> None:
    with serving("open", "--no-browser", cwd=tmp_path, home=tmp_path / "home") as link:
        window = Window(browser, link, moving=moving)
        window.press("[data-practice=weg-zum-erfolg] .main")
        browser.script(COUNT)
        for _ in range(6):
            window.press("#hint")
            window.press("#sign")
            changed, marks = window.marks(".changed"), window.marks()
            assert changed
            assert len(changed) < len(marks) / 4, changed
            assert browser.script(FADES) == ("changed" if moving else "none")
        assert (browser.script("return slides") > 0) is moving
