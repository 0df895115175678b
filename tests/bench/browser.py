"""How fast pages are in Chromium: the check of a game of 300 rounds, and a step from one round to the next.

    python -m tests.bench.browser [ROUNDS]

The goals are 3 seconds for the check and 50 ms for a step, which ends when the new round is laid out. A page is opened
as a file, like anybody opens it; its size is printed beside the times."""

import statistics
import sys
import tempfile
from pathlib import Path

from referee.evidence.replay import open_transcript
from referee.page import reading
from tests.page.browser import browsing
from tests.support.match import Sitting

STEP = """
return new Promise(async (done) => {
  const button = document.querySelectorAll('.steps button')[2];
  const painted = () => new Promise((next) => requestAnimationFrame(() => setTimeout(next)));
  document.querySelectorAll('.steps button')[0].click();
  const found = [];
  for (let at = 0; at < 60; at++) {
    await painted();
    const start = performance.now();
    button.click();
    document.body.getBoundingClientRect();
    found.push(performance.now() - start);
  }
  done(found);
});
"""
CHECKED = "return performance.getEntriesByName('checked')[0]?.duration ?? 0"


def long_game(game: str, rounds: int) -> bytes:
    """A finished game of about as many rounds: the longest of some."""
    best = b""
    most = 0
    for seed in range(12):
        sitting = Sitting(game, 4, f"long {seed}").to_end()
        if sitting.round > most:
            best, most = sitting.transcript(), sitting.round
        if most >= rounds:
            break
    return best


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    print(f"{'game':20} {'rounds':>6} {'page':>9} {'check':>9} {'a round':>9} {'step, median':>13} {'slowest':>9}")
    with tempfile.TemporaryDirectory() as name, browsing() as browser:
        for game in ("mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg"):
            data = long_game(game, rounds)
            chain = open_transcript(data)
            page = reading.page_of(reading.reading_of_transcript(data, chain))
            path = Path(name) / f"{game}.html"
            path.write_bytes(page)
            browser.open(path)
            assert browser.verdict() == "ok"
            check = float(browser.wait(CHECKED))
            steps = sorted(browser.script(STEP))
            count = len(chain.rounds)
            print(
                f"{game:20} {count:6} {len(page) / 1e3:6.0f} kB {check:6.0f} ms {check / count:6.2f} ms "
                f"{statistics.median(steps):10.1f} ms {steps[-1]:6.1f} ms"
            )


if __name__ == "__main__":
    main()
