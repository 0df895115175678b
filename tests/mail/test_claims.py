"""An office counts the claims that come in, once for each seat and round, and tells everybody how many there are."""

from pathlib import Path

import pytest

from referee.crypto.codec import decode
from referee.engine import records as r
from referee.evidence.rulings import make_claim
from referee.mail import letters
from referee.mail.body import Reader
from tests.cli.world import key
from tests.mail.offices import Mail, World, own_move, playing, reply, sign
from tests.support.match import Sitting

LATER = "2026-11-24T08:00Z"
SENT = "2026-11-21T18:00Z"


def claim(mail: Mail, sent: str = SENT) -> bytes:
    """Anna says that she answered this mail at that time."""
    view, move = decode(mail.file("view.json"), r.View, "view"), decode(sign(mail, "Anna"), r.MoveFile, "move")
    return make_claim(key("Anna"), view, move, sent)


def posted(world: World, data: bytes, words: str) -> list[str]:
    """What the office answers to a claim, in one line each."""
    mail = reply(world.turn("anna"), words, files={"x.claim.json": data})
    return [" ".join(one.text.split()) for one in world.answers(mail, now=LATER)]


@pytest.fixture
def late(world: World) -> tuple[World, Mail]:
    """Anna is timed out in round 2; and the mail that she had answered."""
    asked = world.turn("anna")
    world.take(reply(world.turn("bert"), "Deutsch"), reply(world.turn("carla"), "Nederlands"))
    world.take(reply(world.turn("bert"), "biete 1"), reply(world.turn("carla"), "bied 1"))
    world.take(now="2026-11-23T20:00Z")
    assert world.status()["round"] == 2
    return world, asked


def test_a_claim_is_counted_once_and_everybody_reads_about_it_in_their_own_language(late: tuple[World, Mail]) -> None:
    world, asked = late
    (told,) = posted(world, claim(asked), "here it is")
    assert "Your claim about round 2 has been counted; my mails tell everybody how many claims there are." in told
    for words, data in (("once more", claim(asked)), ("another time", claim(asked, "2026-11-21T19:00Z"))):
        (again,) = posted(world, data, words)
        assert "Your claim about round 2 has already been counted." in again
    assert world.status(LATER)["claims"] == 1
    assert "  1 claim: the player's word, not a proof\n" in world.run("status", now=LATER).out.decode()
    others = [reply(world.turn(name), "ok") for name in ("bert", "carla")]
    world.take(*others, own_move(world.turn("anna"), "Anna"), now=LATER)
    assert world.status(LATER)["round"] == 3, "nothing else came of it"
    world.take(now="2026-12-24T08:00Z")
    said = {name: " ".join(world.turn(name).text.split()) for name in ("anna", "bert", "carla")}
    for name, line in (
        ("bert", "1 Erklärung: das Wort ihres Spielers und kein Beweis."),
        ("carla", "1 verklaring: het woord van haar speler en geen bewijs."),
        ("anna", "1 claim: the player's word, not a proof."),
    ):
        assert line in said[name], said[name]


def test_what_anna_did_not_sign_or_another_game_asked_is_not_counted(late: tuple[World, Mail], tmp_path: Path) -> None:
    world, asked = late
    forged = claim(asked).replace(SENT.encode(), b"2026-11-21T17:00Z")
    (refused,) = posted(world, forged, "forged")
    assert "Your mail was not accepted" in refused
    other = playing(tmp_path / "other", ("--deadline", "2d"))
    (elsewhere,) = posted(world, claim(other.turn("anna")), "elsewhere")
    assert "this claim is about a game that is not played here" in elsewhere
    assert world.status(LATER)["claims"] == 0


def test_the_mail_about_the_end_counts_them_too() -> None:
    opened = Sitting("auction", 3, "claims at the end").to_end().opened(0)
    for claims, told in ((0, ""), (2, "2 claims: the players' word, not a proof.")):
        text = " ".join(letters.game_over(opened, Reader("Zoe", claims=claims), b"{}").text.split())
        assert told in text
        assert ("claim" in text) == bool(claims)
