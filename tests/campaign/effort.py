"""What a turn asks of people's hands, on every way there is: clicks, keys, dialogs and files, counted while it is done.

    python -m tests.campaign.effort

The turn is the same everywhere: Anna is asked at M.A.R.K., and rolls. Keys are what has to be typed, with Enter and
without the completion of a shell; what a mail program or a file manager takes is not counted. See README.md."""
# ruff: noqa: T201

import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import tests.conftest
from referee.crypto.codec import encode
from referee.page.aid import aid_of
from tests.app.person import Window, serving
from tests.app.states import turn_of_anna
from tests.app.table import Table
from tests.cli.terminal import Terminal
from tests.cli.world import run
from tests.mail.offices import World, reply
from tests.page.browser import Browser, browsing
from tests.page.desk import Desk
from tests.page.screens import knowing_file

assert tests.conftest.TOYS


class Effort(NamedTuple):
    clicks: int
    keys: int
    dialogs: int
    files: int
    """What somebody has to save or send by hand."""


def typed(*words: str) -> int:
    """The keys of a command."""
    return len(" ".join(("referee", *words))) + 1


def by_files(table: Table, browser: Browser) -> Effort:
    """One command with the move in it; the view is saved and the move sent."""
    view = next(table.files.iterdir()).name
    words = ("play", view, "--move", "roll", "--yes")
    assert run(*words, cwd=table.files, home=table.anna / "home").exit == 0
    return Effort(0, typed(*words), 0, 1 + len(table.signed()))


def at_a_terminal(table: Table, browser: Browser) -> Effort:
    """`referee play` asks."""
    terminal, said = Terminal(["play"], table.files, table.anna / "home"), ""
    keys = typed("play")
    for said in ("roll", "y"):
        terminal.question()
        terminal.answer(said)
        keys += len(said) + 1
    assert terminal.end()[0] == 0, terminal.text
    return Effort(0, keys, 0, 1 + len(table.signed()))


def in_the_window(table: Table, browser: Browser) -> Effort:
    """The window lists the game; it is open already."""
    with serving("open", "--no-browser", cwd=table.files, home=table.anna / "home") as link:
        window = Window(browser, link)
        window.press(".games .waiting button")
        window.mark("do:roll")
        window.press("#sign")
        dialogs = window.count("input[type=file], dialog[open]")
        return Effort(window.presses, window.keys, dialogs, 1 + len(table.signed()))


def in_a_window_of_its_own(table: Table, browser: Browser) -> Effort:
    """`referee open VIEW`, or a view that opens with it."""
    view = next(table.files.iterdir()).name
    with serving("open", view, "--no-browser", cwd=table.files, home=table.anna / "home") as link:
        window = Window(browser, link)
        window.mark("do:roll")
        window.press("#sign")
        return Effort(window.presses, window.keys, 0, 1 + len(table.signed()))


def in_the_page(table: Table, browser: Browser) -> Effort:
    """The player's page: the player's file and the mail are picked, a line is chosen, signed and saved."""
    sitting, clicks = table.sitting, 0
    desk = Desk(browser, table.anna / "desk")
    desk.use(desk.give("me.json", knowing_file(sitting, 0)))
    view, aid = desk.give("view.json", sitting.view(0)), desk.give("aid.json", encode(aid_of(sitting.opened(0))))
    desk.open(view, aid)
    clicks += 2  # the two buttons that open the dialogs
    assert "roll" in desk.choose(0, {})
    clicks += 1
    desk.browser.click(desk.browser.one("#sign"))
    clicks += 1
    assert desk.signed()
    clicks += 1
    desk.save()
    clicks += 2
    return Effort(clicks, 0, 2, 2 + 2)


def host_by_files(table: Table, browser: Browser) -> Effort:
    """Three answers come, one after the other, as the round goes on; each is saved, applied, and new views are sent."""
    run("play", next(table.files.iterdir()).name, "--move", "roll", "--yes", cwd=table.files, home=table.anna / "home")
    (move,) = table.signed()
    (table.host / move.name).write_bytes(move.read_bytes())
    before = {*table.host.glob("*.view.json")}
    assert table.apply(table.host / move.name).exit == 0
    made = {*table.host.glob("*.view.json")} - before
    return Effort(0, typed("apply", "game.json", "*.move.json"), 0, 1 + len(made))


def _office(root: Path) -> World:
    """An office that has invited two people, and both have written that they join."""
    world, now = World(root / "office"), f"{datetime.now(UTC):%Y-%m-%dT%H:%MZ}"
    world.offer("anna@x.example", "bert@y.example", game="mark", now=now)
    for mail in world.new(now):
        name = mail.to.partition("@")[0].title()
        (world.root / "in" / f"{name}.eml").write_bytes(reply(mail, f"join as {name}"))
    return world


def host_by_mail(table: Table, browser: Browser) -> Effort:
    """The office takes mails in and answers them; started by a clock it needs nobody."""
    world = _office(table.host)
    words = ("mail", "run", "office")
    ran = run(*words, cwd=world.folder, home=world.folder / "home")
    assert ran.exit == 0, ran.said
    assert [*(world.root / "outbox").glob("*-turn.eml")]
    return Effort(0, typed(*words), 0, 0)


def host_in_the_window(table: Table, browser: Browser) -> Effort:
    """The same by the button of the window."""
    world = _office(table.host)
    with serving("open", "office", "--no-browser", cwd=world.folder, home=world.folder / "home") as link:
        window = Window(browser, link)
        window.press("#run")
        assert [*(world.root / "outbox").glob("*-turn.eml")]
        return Effort(window.presses, window.keys, 0, 0)


def player_by_mail(table: Table, browser: Browser) -> Effort:
    """A reply with the move in words; the office keeps the key."""
    return Effort(0, len("roll"), 0, 0)


WAYS: dict[str, Callable[[Table, Browser], Effort]] = {
    "player, files: one command": by_files,
    "player, terminal: `referee play`": at_a_terminal,
    "player, `referee open VIEW`": in_a_window_of_its_own,
    "player, `referee open`, from its list": in_the_window,
    "player, the page": in_the_page,
    "player, mail in words": player_by_mail,
    "host, files": host_by_files,
    "host, `referee mail run`": host_by_mail,
    "host, `referee open OFFICE`": host_in_the_window,
}


def main() -> None:
    print("| Way | Clicks | Keys | Dialogs | Files by hand |\n|---|---|---|---|---|")
    with browsing() as browser:
        for name, way in WAYS.items():
            with tempfile.TemporaryDirectory() as folder:
                found = way(Table(Path(folder), "mark", "effort", turn_of_anna), browser)
            print(f"| {name} |", " | ".join(map(str, found)), "|", flush=True)


if __name__ == "__main__":
    main()
