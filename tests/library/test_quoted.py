"""What strangers typed is quoted up to a round number of letters, wherever it is refused."""

import re
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from referee import games
from referee.bots import modules, players, visible
from referee.engine import table
from referee.errors import RefereeError
from referee.game import refuse
from referee.language import t as text
from referee.library import manual, practising, starting, tables
from referee.mail import compose, lobby
from referee.mail.send import Sender, SendTrouble
from referee.mail.settings import Settings
from referee.show import rules
from tests.toys.auction import Options

LONG = "".join(f"{number:03}" for number in range(400))
"""Of any beginning it is plain how long it is."""
ROUND = (20, 40, 60, 80, 100)

CASES: dict[str, Callable[[], object]] = {
    "an option that is given twice": lambda: tables.pairs([f"{LONG}=1", f"{LONG}=2"]),
    "an option that there is not": lambda: tables.read_options(Options, {LONG: "1"}),
    "the value of an option": lambda: tables.read_options(Options, {"rounds": LONG}),
    "the name of a new game": lambda: starting.new_game(LONG, "nowhere"),
    "a page of the manual": lambda: manual.page(LONG, "en"),
    "a bot for practice": lambda: practising.start_practice("auction", 3, 0, LONG, 1, None, None),
    "a bot of a game": lambda: players.find(LONG, games.load("auction")),
    "a module": lambda: modules.locate(f"m{LONG}"),
    "a function": lambda: players.function(f"m{LONG}:f"),
    "a command": lambda: visible.command([f"c{LONG}"], []),
    "the name of an edition": lambda: refuse(LONG, [text("a fault")]),
    "a clause": lambda: rules.clause("mark", f"MK-{LONG}"),
    "an address of a player": lambda: compose._address(LONG),
    "an address to invite": lambda: lobby.find_player(SimpleNamespace(players={}), LONG),  # type: ignore[arg-type]
    "a version of the rules": lambda: table.open_terms(SimpleNamespace(game="auction", rules=LONG)),  # type: ignore[arg-type]
}


def quoted(message: str) -> int:
    """How much of it is in a message."""
    found = max(re.findall(r"[0-9]+", message), key=len)
    assert found in LONG
    return len(found)


@pytest.mark.parametrize("name", CASES)
def test_how_much_is_quoted(name: str) -> None:
    with pytest.raises(RefereeError) as caught:
        CASES[name]()
    message = str(caught.value.message)
    assert quoted(message) in {one - lead for one in ROUND for lead in (0, 1, 3)}, message
    assert any(len(found) in ROUND for found in re.findall(r"'([^']*)'", message)), message


def test_an_address_that_no_mail_is_sent_to() -> None:
    with pytest.raises(SendTrouble) as caught:
        Sender(Settings(name="Hanna", address="host@games.example")).send(b"", LONG)
    assert str(caught.value.message) == f"{LONG[:100]} is not a valid email address"
    assert caught.value.failure == "refused"
