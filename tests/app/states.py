"""Every state of the window, one after the other, for whoever looks at them: a test, an audit, or a camera."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from referee.crypto.codec import encode
from referee.io import keyfile
from referee.page.aid import moves_of
from tests.app import clicking
from tests.app.person import ENTER, Driven, Window, serving
from tests.app.table import Table
from tests.app.test_besides import dropped, timed_out
from tests.cli.test_seats import People
from tests.cli.world import World as Hosted
from tests.mail.offices import World
from tests.support.match import Sitting
from tests.support.short import short

GAMES = ("mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg")


def turn_of_anna(sitting: Sitting) -> bool:
    """When she can roll or buy anything."""
    if sitting.what != "turn" or 0 not in sitting.asked:
        return False
    return {"do:roll", "kind:paper", "kind:glass", "kind:metal"} <= clicking.offered(
        moves_of(sitting.opened(0)).choices
    )


def prepared(root: Path) -> Table:
    """A table at which Anna is asked for her turn, a game that is over, an invitation, and an office."""
    table = Table(root, "mark", "states", lambda one: one.round > 1 and turn_of_anna(one))
    over = Sitting("schwarzmarkt", 3, "states", edition=short("schwarzmarkt")).to_end()
    folders = {"over": ("end.view.json", over.view(0)),
               "invited": ("a.offer.json", encode(Sitting("schwarzmarkt", 3, "invited").offer))}  # fmt: skip
    for name, (file, data) in folders.items():
        (root / name / "home").mkdir(parents=True)
        (root / name / file).write_bytes(data)
    (root / "over" / "home" / "key.json").write_bytes(keyfile.dump(over.players[0]))
    world = World(root / "house")
    world.offer("anna@x.example", "bert@y.example", game="mark", more=("--no-deadline",))
    return table


class Absent(NamedTuple):
    """Players who were away: Anna is out, and may come back or be succeeded; somebody else was timed out despite an
    answer."""

    people: People
    late: Hosted


def absent(root: Path) -> Absent:
    people = dropped(root / "away")
    for who in ("anna", "zoe"):
        (people.root / who / "home").mkdir(parents=True, exist_ok=True)
    return Absent(people, timed_out(root / "late")[0])


def seats_that_change(browser: Driven, found: Absent, language: str) -> Iterator[tuple[str, Window]]:
    """Coming back, taking over, and a protest."""
    people, late = found
    with ExitStack() as stack:
        folder = people.root / "anna"
        window = _opened(stack, browser, folder, folder / "home", language, people.view("anna"))
        yield "coming back", window
    with ExitStack() as stack:
        folder = people.root / "zoe"
        window = _opened(stack, browser, folder, folder / "home", language, people.view("bert"))
        yield "somebody else's view", window
        window.press("[data-seat]")
        yield "taking over", window
    with ExitStack() as stack:
        view = late.view_name(late.names[late.mover].lower(), 4)
        window = _opened(stack, browser, late.root, late.mover_home, language, view)
        window.press("#protesting > summary")
        yield "protest", window
        window.press("#protest")
        yield "protesting", window


def states(browser: Driven, table: Table, root: Path, language: str = "en") -> Iterator[tuple[str, Window]]:
    """The name of each state, once the window is in it."""
    with ExitStack() as stack:
        window = _opened(stack, browser, table.files, table.anna / "home", language)
        yield "lobby", window
        window.press(".games button")
        yield "asked", window
        window.mark("kind:paper")
        yield "half-chosen", window
        window.mark("field:d1")
        yield "chosen", window
        window.press("#clear")
        window.press("#rulebook > summary")
        yield "rules", window
        window.press("#rulebook > summary")
        window.press(f"#moves .line:nth-of-type({2})")
        yield "controls", window
        window.press("#typed")
        window.type("xyz" + ENTER)
        yield "error", window
        window.press(".steps button:nth-of-type(2)")
        yield "past round", window
        window.press(".steps button:last-of-type")
        window.press("#clear")
        window.press("#orders > summary")
        window.press("#orders .line")
        yield "orders", window
        window.press("#more > details:not(#orders) > summary")
        yield "words to the host", window
        window.press("#resign")
        yield "leaving", window
        window.press("#bar .main")
        window.press("#clear")
        window.mark("do:roll")
        window.press("#sign")
        yield "signed", window
        window.press("#lobby")
        window.press(".games button")
        window.mark("kind:glass")
        window.mark("field:d2")
        window.press("#sign")
        yield "second answer", window
        for file in table.signed():
            file.unlink()
    with ExitStack() as stack:
        window = _opened(stack, browser, root / "over", root / "over" / "home", language)
        window.press(".games button")
        yield "over", window
    with ExitStack() as stack:
        window = _opened(stack, browser, root / "invited", root / "invited" / "home", language)
        window.press(".games button")
        yield "invitation", window
    with ExitStack() as stack:
        window = _opened(stack, browser, root / "house" / "office", root / "home", language)
        yield "office", window
        window.press("#run")
        yield "office that ran", window
    yield from seats_that_change(browser, absent(root), language)
    with ExitStack() as stack:
        (root / "practice").mkdir(exist_ok=True)
        window = _opened(stack, browser, root / "practice", root / "practice" / "home", language)
        window.press("[data-practice=weg-zum-erfolg] .main")
        yield "guided", window
        window.press("#lobby")
        for game in GAMES:
            window.press(f"[data-practice={game}] button:last-of-type")
            for _ in range(3):
                if window.has("#hint"):
                    window.press("#hint")
                    window.press("#sign")
            yield f"practice {game}", window
            window.press("#lobby")
    window.browser.wait("return document.querySelector('#gone')")
    yield "gone", window
    browser.script("sessionStorage.clear(); location.reload()")


def _opened(stack: ExitStack, browser: Driven, folder: Path, home: Path, language: str, *what: str) -> Window:
    link = stack.enter_context(serving("open", *what, "--no-browser", cwd=folder, home=home))
    window = Window(browser, link)
    if language != "en":
        window.speak(language)
    return window
