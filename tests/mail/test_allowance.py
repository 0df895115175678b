"""The office answers its players whatever strangers send, and never sends anybody much more than that."""

import hashlib
import random
import re
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from referee.mail.block import write_block
from referee.mail.case import identity
from referee.mail.message import read_message
from referee.mail.office import Office, settings_of
from referee.mail.post import (
    ANYBODY_MOST,
    MOVED_MOST,
    OLD_EACH,
    OLD_MOST,
    SIGNED_EACH,
    TURNS_MOST,
    Ground,
    may_answer,
)
from tests.cli.world import key
from tests.mail.offices import NOW, PEOPLE, Mail, World, plain, reply, sign
from tests.mail.test_attacks import EVE, pass_of, public_copy
from tests.mail.test_judge import answered, one

USUAL = 20
"""Answers a day to one pass, as long as `mail.toml` does not say otherwise."""
TODAY = datetime(2026, 11, 20, 8, tzinfo=UTC)


def old_turn(world: World, name: str) -> Mail:
    """The mail that asked for the agreement to the game; its pass is over."""
    (path,) = (world.root / "sent").glob(f"*-r001-{name}-turn.eml")
    return Mail(path.stem, path.read_bytes())


def held(mail: Mail) -> list[int]:
    """The numbers of mails that were not answered, as a mail tells them."""
    text = " ".join(mail.text.split())
    return [int(found) for found in re.findall(r"UTC, (\d+) mails? (?:with|in) your", text)]


# --- attacks ---------------------------------------------------------------------------------------------------------


def test_an_old_pass_silences_nobody(world: World) -> None:
    """25 mails with a pass that leaked long ago: its owner still gets answers, and is told about the mails once."""
    old = old_turn(world, "bert")
    told = world.answers(*(reply(old, f"nonsense {number}", sender=EVE) for number in range(25)))
    assert [mail.to for mail in told] == [PEOPLE["bert"]] * OLD_EACH
    turn = world.turn("bert")
    asked_back = one(world.answers(reply(turn, "I offer four")))
    assert "means no move" in asked_back.text
    assert held(asked_back) == [25 - OLD_EACH]
    assert "you do not need to do anything" in " ".join(asked_back.text.split())
    assert held(one(world.answers(reply(turn, "I offer five")))) == [], "it is said once"
    assert "Your answer has been accepted" in one(world.answers(reply(turn, "bid 4"))).text
    assert answered(world) == ["Bert"]


def test_the_turn_mail_says_what_was_held_back(world: World) -> None:
    """Not only answers say it: the next mail does, whatever it is."""
    old = old_turn(world, "bert")
    world.answers(*(reply(old, f"nonsense {number}", sender=EVE) for number in range(10)))
    mails = world.take(reply(world.turn("carla"), "bid 1"), now="2026-11-22T09:00Z")
    reminder = next(mail for mail in mails if mail.to == PEOPLE["bert"])
    assert "reminder" in reminder.name
    assert held(reminder) == [10 - OLD_EACH]
    assert all(held(mail) == [] for mail in mails if mail is not reminder)
    assert len(mails) > 1


def test_a_move_is_answered_even_when_its_pass_was_used_up(world: World) -> None:
    """Somebody has the pass of the open turn, or a program sends everything back."""
    turn = world.turn("bert")
    told = world.answers(*(reply(turn, f"nonsense {number}", sender=EVE) for number in range(USUAL + 5)))
    assert len(told) == USUAL
    taken = one(world.answers(reply(turn, "bid 4")))
    assert "Your answer has been accepted" in taken.text
    assert held(taken) == [5]
    assert "somebody else has your pass: tell Hanna" in " ".join(taken.text.split())


def test_many_answers_do_not_hide_the_mail_that_is_quoted(world: World) -> None:
    """A program quotes without marks; what strangers made the office write meanwhile must not stand for our mail."""
    turn, old = world.turn("bert"), old_turn(world, "bert")
    first = next(path for path in (world.root / "sent").glob("*-i2-invitation.eml"))
    invitation = Mail(first.stem, first.read_bytes())
    world.settings("answers_per_day = 100")
    noise = [reply(mail, f"nonsense {number}", sender=EVE) for mail in (old, invitation, turn) for number in range(15)]
    head = f"-----Original Message-----\nFrom: {turn.message['From']}\nTo: Bert\nSubject: {turn.subject}\n"
    mine = plain(PEOPLE["bert"], f"Re: {turn.subject}", f"{head}\n{turn.text}\nbid 4")
    told = answers_of(world, [*noise, mine])
    assert len(told) > 15
    assert "Your answer has been accepted" in told[digest(mine)].text


def test_an_old_pass_next_to_somebody_elses_uses_up_nothing(world: World) -> None:
    """Carla quotes an old pass of Bert's, so that both are asked whose mail it is."""
    both = f"{pass_of(old_turn(world, 'bert'))} {pass_of(world.turn('carla'))}"
    mails = [plain(EVE, both, f"bid {number}") for number in range(USUAL + 5)]
    count = Counter(mail.to for mail in answers_of(world, mails).values())
    assert count == {PEOPLE["bert"]: OLD_EACH, PEOPLE["carla"]: USUAL}
    assert "means no move" in one(world.answers(reply(world.turn("bert"), "whatever"))).text


def test_nobody_is_flooded_by_changes_of_an_address(world: World) -> None:
    """A player switches back and forth between two strangers' addresses: each gets a few mails and no more."""
    turn, victims = world.turn("bert"), ("one@victim.example", "two@victim.example")
    mails = [reply(turn, f"address {victims[number % 2]}", sender=f"{number}@x.example") for number in range(12)]
    told = answers_of(world, mails)
    count = Counter(mail.to for mail in (*told.values(), *moved(world)))
    assert count.total() == 12 + MOVED_MOST, "all are answered, to where the player is"
    assert [mail.to for mail in moved(world)].count(PEOPLE["bert"]) == 1, "the old address is told"
    assert "changed too often today" in " ".join(told[digest(mails[MOVED_MOST])].text.split())
    assert world.status()["players"][1]["address"] == victims[(MOVED_MOST - 1) % 2]


def moved(world: World) -> list[Mail]:
    return [Mail(path.stem, path.read_bytes()) for path in sorted((world.root / "sent").glob("*-moved.eml"))]


# --- every interleaving ----------------------------------------------------------------------------------------------


def digest(mail: bytes) -> str:
    """What the answer to a mail is called after."""
    return identity(read_message(mail), hashlib.sha256(mail).hexdigest()[:32])[:16]


def answers_of(world: World, mails: list[bytes], runs: int = 1) -> dict[str, Mail]:
    """The digest of each mail that is answered -> the answer. The office is opened again for each of the runs."""
    found: dict[str, Mail] = {}
    size = -(-len(mails) // runs)
    for number in range(runs):
        folder = world.folder / f"came-{len(list(world.folder.glob('came-*')))}"
        folder.mkdir()
        for at, mail in enumerate(mails[number * size : (number + 1) * size]):
            (folder / f"{at:04}.eml").write_bytes(mail)
        world.good("run", str(folder))
        for mail in world.new():
            if hit := not mail.name.endswith("-moved") and re.search(r"\banswer-([0-9a-f]{16})", mail.name):
                # Two owners get one each.
                found[hit[1] + (mail.to if hit[1] in found else "")] = mail
    return found


def players_mails(world: World) -> list[bytes]:
    """What Anna, Bert and Carla send: doubts, statements, moves, the same again, and other moves."""
    bert, anna, carla = world.turn("bert"), world.turn("anna"), world.turn("carla")
    move = sign(anna, "Anna")
    block = write_block("move", move)
    return [
        reply(bert, "I offer four"), reply(bert, "zone Europe/Berlin"), reply(bert, "bid 4"),
        reply(anna, block), reply(bert, "bid 4", quote=False), reply(bert, "bid 5"),
        reply(anna, f"once more\n\n{block}"), reply(carla, "what?"), reply(carla, "bid 1"),
        reply(carla, "bid 1", quote=False), reply(bert, "bid 4", sender="bert@elsewhere.example"),
    ]  # fmt: skip


def strangers_mails(world: World, chance: random.Random, count: int) -> list[bytes]:
    """Senders with an old pass, just an address, a copy of something signed, or a program that replies or forwards."""
    copied = write_block("move", public_copy(world, "Anna"))
    return [one_of(world, chance, copied, number) for number in range(count)]


def one_of(world: World, chance: random.Random, copied: str, number: int) -> bytes:
    name, sender = chance.choice(("bert", "carla")), f"{number}@evil.example"
    old, turn = old_turn(world, name), world.turn(name)
    match number % 8:
        case 0:
            return reply(old, f"nonsense {number}", sender=EVE)
        case 1:
            return reply(old, "ok", sender=sender)
        case 2:
            return reply(old, "bid 9", quote=False, sender=sender)
        case 3:
            return plain(PEOPLE[chance.choice(sorted(PEOPLE))], f"hello {number}", "bid 9")
        case 4:
            return plain(EVE, f"hello {number}", copied)
        case 5:
            return plain(PEOPLE[name], f"Re: {turn.subject}", f"bid 9 {number}", List_Id="<games.example>")
        case 6:
            return plain(PEOPLE[name], f"Re: {turn.subject}", f"away {number}", Auto_Submitted="auto-replied")
    return plain(EVE, f"{pass_of(old)} {pass_of(old_turn(world, 'carla'))}", f"bid {number}")


def told(mail: Mail) -> tuple[str, str, str]:
    """What an answer says to whom, without what it says of other mails."""
    return mail.to, mail.subject, re.sub(r"\nNot answered:\n(?:  [^\n]*\n)+", "", mail.text)


@pytest.fixture(scope="session")
def undisturbed(_played: World, tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str, str]]:
    """The answers to the players when nobody else writes."""
    world = _played.again(tmp_path_factory.mktemp("undisturbed"))
    mails = players_mails(world)
    found = answers_of(world, mails)
    return [told(found[digest(mail)]) for mail in mails]


@pytest.mark.parametrize("seed", [1, 2, pytest.param(3, marks=pytest.mark.thorough)])
def test_players_get_the_same_answers_whatever_strangers_send(
    world: World, undisturbed: list[tuple[str, str, str]], seed: int
) -> None:
    chance = random.Random(seed)
    mine, others = players_mails(world), strangers_mails(world, chance, 40)
    places = sorted(chance.sample(range(len(mine) + len(others)), len(mine)))
    waiting = iter(others)
    mails = [mine[places.index(at)] if at in places else next(waiting) for at in range(len(mine) + len(others))]
    found = answers_of(world, mails, runs=seed)
    assert [told(found.pop(digest(mail))) for mail in mine] == undisturbed
    strangers = Counter(mail.to for mail in found.values())
    assert strangers, "some of the strangers' mails are answered, to the players"
    assert max(strangers.values()) <= 3 * OLD_EACH + 2 * ANYBODY_MOST


# --- bounds ----------------------------------------------------------------------------------------------------------


def office_of(world: World) -> Office:
    return Office(str(world.root), settings_of(str(world.root)), key("Hanna"))


def answers(office: Office, kind: str, whats: int, each: int, now: datetime = TODAY) -> int:
    """How many mails are answered, if the same number comes on each ground."""
    grounds = [Ground(kind, str(what)) for what in range(whats)]  # type: ignore[arg-type]
    return sum(may_answer(office, "bert", ground, now) for ground in grounds for _ in range(each))


@pytest.mark.parametrize(
    ("kind", "each", "most"),
    [
        ("turn", USUAL, TURNS_MOST * USUAL),
        ("signed", SIGNED_EACH, USUAL),
        ("old", OLD_EACH, OLD_MOST),
        ("copy", ANYBODY_MOST, ANYBODY_MOST),
        ("sender", ANYBODY_MOST, ANYBODY_MOST),
    ],
)
def test_every_ground_has_its_own_bounds(world: World, kind: str, each: int, most: int) -> None:
    office = office_of(world)
    office.change_player("bert", answered={})
    assert answers(office, kind, 1, 1000) == each
    assert answers(office, kind, 200, 30) == most - each, "all of one kind together"
    spent = office.players["bert"]
    assert sum(spent.answered.values()) == most
    assert (spent.held_turn, spent.held_other)[kind != "turn"] == 1000 + 200 * 30 - most
    assert answers(office, "taken", 1, 50) == 50
    for other in ("turn", "signed", "old", "copy", "sender"):
        assert may_answer(office, "bert", Ground(other, "fresh"), TODAY) == (other != kind)  # type: ignore[arg-type]
    assert may_answer(office, "carla", Ground(kind, "fresh"), TODAY)  # type: ignore[arg-type]


def test_what_was_counted_is_kept_and_ends_with_the_day(world: World) -> None:
    office = office_of(world)
    assert answers(office, "old", 1, 10) == OLD_EACH
    office.save()
    again = office_of(world)
    assert again.players["bert"] == office.players["bert"]
    assert answers(again, "old", 1, 10) == 0
    later = TODAY + timedelta(days=1)
    assert answers(again, "old", 1, 10, later) == OLD_EACH
    assert again.players["bert"].held_other == 7 + 10 + 7, "until it is told, it adds up"
    assert again.players["bert"].held_since == NOW


def test_no_secret_is_kept_in_the_address_book(world: World) -> None:
    world.answers(reply(world.turn("bert"), "what?"), reply(old_turn(world, "bert"), "what?"))
    book = (world.root / "players.json").read_text()
    table = pass_of(world.turn("bert"))[:8]
    assert f'"turn {table}-2-2"' in book
    assert f'"old {table}-2-1"' in book
    assert not re.search(r"-[a-z2-7]{16}\b", book)
