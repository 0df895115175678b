"""What the player's page with rules costs beside the light one, in turn, in Chromium and Firefox.

    python -m tests.bench.rules [SAMPLES] [--runtime FOLDER]

Each page is opened as a file and gets a view of M.A.R.K. (40 rounds) as soon as it can take one. Printed are its
size; from its start on, when files can be opened, when the verdict is there, and when it says `Rules: checked`; and
the memory of all processes of the browser (shared parts counted once), at most."""

import argparse
import statistics
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from referee.page import sources
from referee.page.assemble import player_page
from tests.campaign.clicked import browser_of
from tests.campaign.paged import page_in
from tests.support.match import Sitting

WATCH = """
const view = %s;
const times = (globalThis.times = {});
const note = (name) => (times[name] ??= performance.now());
new MutationObserver(() => {
  const input = document.getElementById("files");
  if (input && !times.interactive) {
    note("interactive");
    const files = new DataTransfer();
    files.items.add(new File([view], "turn.view.json"));
    const drop = new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true });
    input.closest(".drop").dispatchEvent(drop);
  }
  const verdict = document.querySelector(".verdict");
  if (verdict?.dataset.code === "ok") note("verdict");
  if (verdict?.textContent.includes("Rules: checked")) note("checked");
}).observe(document, { childList: true, subtree: true, attributes: true });
"""


def tree(mark: str) -> Iterator[Path]:
    """The processes that have this in their command line, and those below them."""
    parents, found = {}, set()
    for place in Path("/proc").glob("[0-9]*"):
        try:
            parents[place.name] = (place / "stat").read_text().rpartition(")")[2].split()[1]
            if mark in (place / "cmdline").read_text():
                found.add(place.name)
        except OSError:
            continue
    while more := {one for one, parent in parents.items() if parent in found} - found:
        found |= more
    return (Path("/proc") / one for one in found)


def memory(mark: str) -> float:
    """MB of these processes."""
    total = 0
    for place in tree(mark):
        try:
            lines = (place / "smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1e3


@contextmanager
def peak(mark: str) -> Iterator[list[float]]:
    """The most memory during this."""
    most, over = [0.0], threading.Event()

    def watch() -> None:
        while not over.is_set():
            most[0] = max(most[0], memory(mark))
            over.wait(0.1)

    thread = threading.Thread(target=watch)
    thread.start()
    yield most
    over.set()
    thread.join()


def measured(browser: Any, mark: str, page: Path, wanted: str, blank: Path) -> dict[str, float]:
    browser.go(blank.as_uri())
    with peak(mark) as most:
        browser.go(page.as_uri())
        browser.wait("return times[arguments[0]] ?? null", wanted)
    found = {name: float(value) for name, value in browser.script("return times").items()}
    return {**found, "memory": most[0]}


def prepare(browser: Any, source: str) -> None:
    if hasattr(browser, "prepare"):
        browser.prepare(source)
    else:
        browser.call("script.addPreloadScript", {"functionDeclaration": f"() => {{{source}}}"})


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("samples", nargs="?", type=int, default=5)
    parser.add_argument("--runtime", type=Path, default=Path(".pytest_cache/d/runtime"))
    asked = parser.parse_args()
    view = Sitting("mark", 3, "bench").until(40).view(0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pages = {"light": folder / "player.html", "rules": page_in(folder, asked.runtime)}
        pages["light"].write_bytes(player_page())
        blank = folder / "blank.html"
        blank.touch()
        parts = {part: len(data) for part, data in sources.payloads().items()}
        print({part: f"{size / 1e3:.0f} kB" for part, size in parts.items()})
        for kind in ("chromium", "firefox"):
            with browser_of(kind == "firefox") as driven:
                browser: Any = driven
                mark = str(browser.folder)
                prepare(browser, WATCH % repr(view.decode()))
                samples: dict[str, list[dict[str, float]]] = {page: [] for page in pages}
                for _ in range(asked.samples):
                    for page, path in pages.items():
                        wanted = "checked" if page == "rules" else "verdict"
                        samples[page].append(measured(browser, mark, path, wanted, blank))
            for page, path in pages.items():
                medians = {what: statistics.median(one[what] for one in samples[page]) for what in samples[page][0]}
                spread = {what: max(one[what] for one in samples[page]) for what in medians}
                said = ", ".join(f"{what} {medians[what]:.0f} (to {spread[what]:.0f})" for what in medians)
                print(f"{kind:9} {page:6} {path.stat().st_size / 1e3:6.0f} kB; ms and MB: {said}", flush=True)
            middle = {
                page: {w: statistics.median(o[w] for o in samples[page]) for w in samples[page][0]} for page in pages
            }
            whole = {**middle["light"], "checked": middle["light"]["verdict"]}
            print(
                kind,
                "rules / light:",
                {w: round(middle["rules"][w] / whole[w], 1) for w in middle["rules"]},
                flush=True,
            )


if __name__ == "__main__":
    main()
