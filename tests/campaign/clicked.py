"""Whole games in the window of `referee open`, clicked as a person does, in Chromium or Firefox.

    python -m tests.campaign.clicked [GAME ...] [--practice N] [--signed N] [--seed TEXT] [--firefox]

See README.md."""
# ruff: noqa: T201

import argparse
import random
import sys
import tempfile
from collections import Counter
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import msgspec

import tests.conftest
from referee.forms import Choice, drawn
from referee.language import speaking
from referee.library import rehearsing
from referee.library.data import ReadMove
from referee.library.practising import Practice
from referee.page.aid import moves_of
from referee.show import typed
from referee.show.wording import in_readers_words
from tests.app import clicking
from tests.app.person import Driven, Window, serving
from tests.app.table import Table
from tests.page.browser import browsing

GAMES = ("mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg")
assert tests.conftest.TOYS


class Figures(Counter[str]):
    """What was counted."""

    def add(self, clicks: clicking.Clicks) -> None:
        self.update(clicks)
        self["decisions"] += 1
        self["by board alone"] += int(not (clicks["list"] or clicks["control"] or clicks["typed"]))


def listed(game: Practice) -> list[Choice]:
    """The lines of the list, in a reader's words."""
    return [in_readers_words(game.place, choice) for choice in typed.choices(game.place)]


def some_move(game: Practice, choices: list[Choice], rng: random.Random) -> Any:
    """What somebody wants to play: mostly what a bot would, now and then anything."""
    if rng.random() < 0.3:
        move = drawn(rng.choice(choices), game.place.game.move, rng.randrange)
        try:
            game.read(found := msgspec.to_builtins(move))
        except Exception:
            return game.hint().move
        return found if move is not None else game.hint().move
    return game.hint().move


def practised(window: Window, game_id: str, home: Path, seed: str, figures: Figures) -> None:
    """One practice game to its end."""
    window.press(f"[data-practice={game_id}] button:last-of-type")
    kept = msgspec.json.decode((home / "practice" / f"{game_id}.json").read_bytes(), type=rehearsing.Kept)
    game, rng = rehearsing.resume(kept), random.Random(seed)
    while game.asked:
        choices = listed(game)
        before = clicking.offered(choices)
        drawn_marks = window.marks()
        assert window.lit == before & drawn_marks, (window.lit ^ before, "lit")
        figures["marks that the picture lacks"] += len(before - drawn_marks)
        move = some_move(game, choices, rng)
        read = game.read(move)
        figures.add(clicking.make(window, choices, move, read.text, game.names))
        assert window.move == read.text, (window.move, read.text)
        window.press("#sign")
        game.play(ReadMove("", read.move, read.standing))
        figures["rounds"] += 1
        assert not window.trouble, window.trouble
    told = window.text("#bar").split("\n")
    order = sorted(zip(game.result.ranks, game.names, strict=True)) if game.result else []
    assert [line for line in told if line[:1].isdigit()] == [f"{rank}. {name}" for rank, name in order], told
    figures["practice games"] += 1
    window.press("#lobby")


def signed(window: Window, table: Table, figures: Figures) -> None:
    """One signed game to its end: every answer is written by the window and accepted by the host."""
    sitting = table.sitting
    while not sitting.over:
        moves = table.others()
        if 0 in sitting.asked:
            moves.append(answered(window, table, figures))
        ran = table.apply(*moves)
        assert ran.exit == 0, ran.said
        table.bring()
    window.browser.wait("return !document.querySelector('.games .waiting')")
    figures["signed games"] += 1


def answered(window: Window, table: Table, figures: Figures) -> Path:
    """The window's answer to what it is asked now, as a file."""
    before = len(table.signed())
    arrived = "return document.querySelector('.games .waiting')?.innerText.includes(arguments[0])"
    window.browser.wait(arrived, f"after round {table.sitting.round},")
    window.settle()
    window.press(".games .waiting button")
    opened = table.opened()
    if opened.decides:
        choices = list(moves_of(opened).choices)
        assert window.lit == clicking.offered(choices) & window.marks(), window.lit
        move = table.bot_move()
        figures.add(clicking.make(window, choices, move, table.words(move), opened.table.names))
        assert window.move == table.words(move), (window.move, table.words(move))
    window.press("#sign")
    assert not window.trouble, window.trouble
    assert window.has("#sent")
    figures["signed answers"] += 1
    made = table.signed()
    assert len(made) == before + 1, made
    window.press("#lobby")
    return made[-1]


def browser_of(firefox: bool) -> AbstractContextManager[Driven]:
    if firefox:
        from tests.campaign.firefox import firefox_browsing

        return firefox_browsing()
    return browsing()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--practice", type=int, default=1)
    parser.add_argument("--signed", type=int, default=1)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--firefox", action="store_true")
    asked = parser.parse_args()
    with browser_of(asked.firefox) as browser, tempfile.TemporaryDirectory() as name, speaking("en"):
        for game in asked.games:
            figures = Figures()
            folder = Path(name)
            with serving("open", "--no-browser", cwd=folder, home=folder / "home") as link:
                window = Window(browser, link)
                for number in range(asked.practice):
                    practised(window, game, folder / "home", f"{asked.seed} {game} {number}", figures)
            for number in range(asked.signed):
                table = Table(folder / f"{game} {number}", game, f"{asked.seed} {number}")
                with serving("open", "--no-browser", cwd=table.files, home=table.anna / "home") as link:
                    figures.update({"clicks": window.presses, "keys": window.keys})
                    window = Window(browser, link)
                    signed(window, table, figures)
            figures.update({"clicks": window.presses, "keys": window.keys})
            print(game, dict(figures), flush=True)


if __name__ == "__main__":
    sys.exit(main())
