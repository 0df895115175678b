"""How the office learns with what a player answers, and what follows from it."""

from pathlib import Path

import pytest

from referee.mail.block import write_block
from referee.mail.saved import MADE_WITH
from tests.mail.offices import World, invited, own_join, reply, sign

PAGE, PROGRAM, BOTH = "open player.html", "run `referee play`", "in the player's page or run"


def way(world: World, number: int = 0) -> str:
    (desk,) = world.status()["players"][number : number + 1]
    return str(desk["way"])


def said(world: World, line: str, before: str = "") -> None:
    """Anna answers, and the last line of her reply says with what."""
    mail = world.turn("anna")
    world.take(reply(mail, f"{before}{write_block('move', sign(mail, 'Anna'))}\n-- \n{line}"))
    for name in ("bert", "carla"):
        world.take(reply(world.turn(name), "bid 1"))


@pytest.mark.parametrize(
    ("line", "known", "aid"),
    [
        ("pbem-referee/page", "page", True),
        ("pbem-referee/page+rules", "rules", False),
        (MADE_WITH, "program", False),
        ("pbem-referee/pigeon", "own", True),
    ],
)
def test_the_last_line_of_a_reply_says_what_made_it(world: World, line: str, known: str, aid: bool) -> None:
    assert way(world) == "own"
    said(world, line)
    assert way(world) == known
    mail = world.turn("anna")
    assert any(".aid." in str(part.get_filename()) for part in mail.message.iter_attachments()) == aid
    text = " ".join(mail.text.split())
    assert (PAGE in text) == (known != "program")
    assert (PROGRAM in text) == (known in ("own", "program"))


def test_what_is_quoted_says_nothing(world: World) -> None:
    said(world, "> pbem-referee/page+rules")
    assert way(world) == "own"


def test_without_a_signature_that_counts_it_says_nothing(world: World) -> None:
    world.take(reply(world.turn("bert"), "bid 1\n-- \npbem-referee/page+rules"))
    assert way(world, 1) == "kept"
    world.take(reply(world.turn("anna"), "hello\n-- \npbem-referee/page+rules"))
    assert way(world) == "own"


def test_a_join_says_it_too(tmp_path: Path) -> None:
    world, mails = invited(tmp_path)
    world.take(own_join(mails["anna"], "Anna", words="-- \npbem-referee/page+rules"))
    assert way(world) == "rules"
