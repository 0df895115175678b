"""The lobby by mail: offers, invitations and their answers, the start, and dropped players."""

import json
from pathlib import Path

import pytest

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope
from referee.engine.lobby import make_join
from tests.cli.world import check_refusal, key, seed
from tests.mail.offices import GAME, PEOPLE, Mail, World, invited, own_join, own_move, plain, reply


def states(world: World) -> list[str]:
    return [row["state"] for row in world.status()["players"]]


def one(mails: list[Mail]) -> Mail:
    (mail,) = mails
    return mail


def join_file(mail: Mail, name: str, signer: str = "", *, kept: bool = False) -> bytes:
    offer = decode(mail.file("offer.json"), Envelope, "offer")
    return encode(make_join(key(signer or name), offer, name, seed("nonce"), kept=kept))


def test_everybody_gets_their_own_invitation(tmp_path: Path) -> None:
    world, mails = invited(tmp_path)
    assert {name: mail.to for name, mail in mails.items()} == PEOPLE
    passes = {mail.subject.split()[-1] for mail in mails.values()}
    assert len(passes) == 3
    for name, mail in mails.items():
        others = passes - {mail.subject.split()[-1]}
        assert not any(other.encode() in mail.raw for other in others), name
    assert states(world) == ["open"] * 3
    world.good("run")
    assert world.new() == [], "nobody is invited twice"


def test_both_ways_at_one_table(tmp_path: Path) -> None:
    world, mails = invited(tmp_path)
    first = one(world.take(own_join(mails["anna"], "Anna")))
    assert "You have joined as Anna." in first.text
    assert first.to == PEOPLE["anna"]
    world.take(reply(mails["carla"], "join as Carla"))
    assert world.status()["stage"] == "inviting"
    world.take(reply(mails["bert"], "Join as Bert\n\nBert"))
    found = world.status()
    assert (found["stage"], [row["way"] for row in found["players"]]) == ("acks", ["own", "kept", "kept"])
    assert [row["name"] for row in found["awaited"]] == ["Anna", "Bert", "Carla"], "in the order of the invitations"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("yes please", "I do not understand"),
        ("join as Bert\nno", "different things"),
        ("join as", "I do not understand"),
        ("join as 7", "a name cannot be just a number"),
        ("join as Anna; bid 9", "a name cannot contain @ or a semicolon"),
        ("join as Аnna", "several scripts"),
        ("join as " + "x" * 60, "1 to 40"),
        ("", "it contains nothing that you wrote"),
    ],
)
def test_an_invalid_answer_is_refused_with_a_reason(tmp_path: Path, words: str, told: str) -> None:
    world, mails = invited(tmp_path)
    mail = one(world.take(reply(mails["bert"], words)))
    assert told in " ".join(mail.text.split())
    assert mail.to == PEOPLE["bert"]
    assert states(world) == ["open"] * 3


def test_names_that_look_alike_are_refused(tmp_path: Path) -> None:
    world, mails = invited(tmp_path)
    world.take(reply(mails["bert"], "join as Bill"))
    mail = one(world.take(reply(mails["carla"], "join as BiII")))
    assert "look alike" in " ".join(mail.text.split())
    assert states(world) == ["open", "joined", "open"]


def test_a_name_that_looks_like_a_line_of_ours_is_refused(tmp_path: Path) -> None:
    world, mails = invited(tmp_path)
    mail = one(world.take(own_join(mails["bert"], "##- x -##")))
    assert "looks like a pass, or like a line of my mails" in " ".join(mail.text.split())
    assert states(world) == ["open"] * 3


def test_nobody_takes_the_name_of_somebody_who_is_still_expected(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.offer("Anna <anna@x.example>", PEOPLE["bert"])
    mails = {mail.to: mail for mail in world.new()}
    assert "look alike" in " ".join(one(world.take(reply(mails[PEOPLE["bert"]], "join as Anna"))).text.split())
    world.take(reply(mails[PEOPLE["anna"]], "join as Anna"))
    assert states(world) == ["joined", "open"]


def test_the_first_join_counts(tmp_path: Path) -> None:
    world, mails = invited(tmp_path)
    world.take(reply(mails["bert"], "join as Bert"))
    assert "already joined as Bert" in one(world.take(reply(mails["bert"], "join as Berta"))).text
    assert "already joined as Bert" in one(world.take(own_join(mails["bert"], "Bert"))).text
    (row,) = [row for row in world.status()["players"] if row["state"] == "joined"]
    assert (row["name"], row["way"]) == ("Bert", "kept")


def test_no_and_second_thoughts(tmp_path: Path) -> None:
    world, mails = invited(tmp_path)
    assert "are not taking part" in one(world.take(reply(mails["bert"], "no"))).text
    assert states(world) == ["open", "declined", "open"]
    assert "You have joined" in one(world.take(reply(mails["bert"], "join as Bert"))).text
    assert states(world) == ["open", "joined", "open"]


@pytest.mark.parametrize(
    ("signer", "kept", "told"), [("Hanna", False, "same key"), ("Bert", True, "host keeps its key")]
)
def test_a_signed_join_that_does_not_fit_is_refused(tmp_path: Path, signer: str, kept: bool, told: str) -> None:
    world, mails = invited(tmp_path)
    if signer == "Hanna":
        world.take(own_join(mails["anna"], "Anna"))
        signer, told = "Anna", "somebody else already uses this key"
    join = join_file(mails["bert"], "Bert", signer, kept=kept)
    mail = one(world.take(reply(mails["bert"], "", files={"join.json": join})))
    assert told in " ".join(mail.text.split())
    assert states(world)[1] == "open"


def test_a_join_needs_the_pass_of_an_invitation(tmp_path: Path) -> None:
    world, mails = invited(tmp_path)
    join = join_file(mails["bert"], "Bert")
    mail = plain(PEOPLE["bert"], "my join", "see the file")
    assert "a join only counts in reply to its invitation" in " ".join(one(world.take(_with(mail, join))).text.split())
    assert world.take(_with(plain("eve@evil.example", "my join", "see the file"), join)) == []
    assert states(world) == ["open"] * 3


def _with(mail: bytes, join: bytes) -> bytes:
    from referee.mail.block import write_block

    return mail.replace(b"see the file", write_block("join", join).encode())


def test_first_come_first_served(tmp_path: Path) -> None:
    world = World(tmp_path)
    people = [f"p{number}@x.example" for number in range(3)]
    world.good("offer", GAME, "--seats", "2", *(word for one in people for word in ("--to", one)))
    mails = {mail.to: mail for mail in world.new()}
    written = world.take(reply(mails[people[2]], "join as Cleo"), reply(mails[people[0]], "join as Ada"))
    assert [mail.to for mail in written if "full" in mail.name] == [people[1]]
    late = one(world.take(reply(mails[people[1]], "join as Bo")))
    assert "table is full" in late.text
    assert [row["name"] for row in world.status()["awaited"]] == ["Ada", "Cleo"]


def test_start_by_hand(tmp_path: Path) -> None:
    world = World(tmp_path)
    people = [word for address in (*PEOPLE.values(), "dora@x.example") for word in ("--to", address)]
    world.good("offer", "auction", "--seats", "3", *people, "--by-hand")
    mails = {mail.to.partition("@")[0]: mail for mail in world.new()}
    check_refusal(world.run("table", world.table(), "--start"), (5,))
    told = world.take(*(reply(mails[name], f"join as {name.title()}") for name in PEOPLE))
    assert sum("Everybody has joined; the host will start the game." in mail.text for mail in told) == 1
    assert world.status()["stage"] == "ready"
    world.good("table", world.table()[:5], "--start")
    assert sorted(mail.name[-5:] for mail in world.new()) == ["-full", *["-turn"] * 3], "one was invited in vain"
    check_refusal(world.run("table", world.table(), "--start"), (5,))


def test_bad_offers_change_nothing(tmp_path: Path) -> None:
    world = World(tmp_path)
    before = world.files()
    two = ("--to", "a@x.example", "--to", "b@x.example")
    for args in (
        ("offer", "chess", "--seats", "2", *two),
        ("offer", GAME, "--seats", "3", *two),
        ("offer", GAME, "--seats", "9", *two),
        ("offer", GAME, "--seats", "2", "--to", "a@x.example", "--to", "A@x.example"),
        ("offer", GAME, "--seats", "2", "--to", "a@x.example", "--to", "nobody"),
        ("offer", GAME, "--seats", "2", "--to", "a@x.example", "--to", "Eve\r\nBcc: all@x.example <b@x.example>"),
        ("offer", GAME, "--seats", "2", *two, "--no-deadline", "--grace", "1h"),
        ("offer", GAME, "--seats", "2", *two, "--deadline", "soon"),
        ("offer", GAME, "--seats", "2", *two, "--start", "now"),
        ("offer", GAME, "--seats", "2", *two, "--option", "nonsense=1"),
        ("table", "beef", "--start"),
        ("table", "beef", "--drop", "bert"),
        ("table", "beef", "--resign", "bert"),
    ):
        ran = world.run(*args)
        assert ran.exit in (2, 7), (args, ran.said)
        assert "Next: " in ran.said
        assert "Traceback" not in ran.said
    world.good("offer", GAME, "--seats", "2", *two, "--dry-run")
    assert world.files() == before


# --- who never comes -------------------------------------------------------------------------------------------------


def test_drop_before_the_start_invites_somebody_else(tmp_path: Path) -> None:
    world, mails = invited(tmp_path)
    world.take(own_join(mails["anna"], "Anna"), reply(mails["carla"], "join as Carla"))
    check_refusal(world.run("table", world.table(), "--drop", "bert"), (2,))
    world.good("table", world.table(), "--drop", "bert", "--to", "dora@x.example")
    new = {mail.to: mail for mail in world.new()}
    assert set(new) == {"dora@x.example", PEOPLE["bert"]}
    assert "somebody else" in new[PEOPLE["bert"]].text
    assert "is no longer valid" in one(world.take(reply(mails["bert"], "join as Bert"))).text
    world.take(reply(new["dora@x.example"], "join as Dora"))
    assert [row["name"] for row in world.status()["awaited"]] == ["Anna", "Carla", "Dora"]


def test_dropping_somebody_who_never_agrees_is_a_new_offer_to_the_others(tmp_path: Path) -> None:
    world, mails = invited(tmp_path)
    world.take(own_join(mails["anna"], "Anna"), *(reply(mails[n], f"join as {n.title()}") for n in ("bert", "carla")))
    old = world.table()
    world.take(own_move(world.turn("anna"), "Anna"))
    ran = world.good("table", old, "--drop", "Carla", "--to", "dora@x.example", "--json")
    (name,) = (path.name for path in (world.root / "tables").iterdir() if path.name != old)
    assert json.loads(ran.out)["table"] == name
    new = {mail.to: mail for mail in world.new()}
    assert set(new) == {PEOPLE["anna"], PEOPLE["bert"], "dora@x.example"}
    tables = {row["table"]: row for row in json.loads(world.run("status", "--json").out)["tables"]}
    assert (tables[old]["stage"], tables[name]["instead_of"]) == ("dropped", old)
    world.take(
        own_join(new[PEOPLE["anna"]], "Anna"),
        reply(new[PEOPLE["bert"]], "join as Bert"),
        reply(new["dora@x.example"], "join as Dora"),
    )
    tables = {row["table"]: row for row in json.loads(world.run("status", "--json").out)["tables"]}
    assert tables[name]["stage"] == "acks"


def test_drop_without_a_substitute_makes_a_smaller_game(tmp_path: Path) -> None:
    world, mails = invited(tmp_path)
    world.take(*(reply(mail, f"join as {name.title()}") for name, mail in mails.items()))
    world.good("table", world.table(), "--drop", "Bert")
    tables = json.loads(world.run("status", "--json").out)["tables"]
    (new,) = [row for row in tables if row["stage"] == "inviting"]
    assert (new["seats"], [row["name"] for row in new["players"]]) == (2, ["Anna", "Carla"])


def test_whoever_agreed_cannot_be_dropped(world: World) -> None:
    before = world.files()
    check_refusal(world.run("table", world.table(), "--drop", "Bert"), (5,))
    assert world.files() == before


def test_resign_for_a_kept_seat_that_said_so_elsewhere(world: World) -> None:
    check_refusal(world.run("table", world.table(), "--resign", "Anna"), (5,))
    world.take(reply(world.turn("bert"), "Nederlands"))
    world.good("table", world.table(), "--resign", "Bert")
    told = one([mail for mail in world.new() if mail.to == PEOPLE["bert"]])
    assert "Je hebt het spel voorgoed verlaten." in told.text
    world.take(own_move(world.turn("anna"), "Anna"), reply(world.turn("carla"), "bid 2"))
    found = world.status()
    assert (found["round"], found["out"]) == (2, ["Bert"])
