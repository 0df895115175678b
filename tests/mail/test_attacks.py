"""Only what a player wrote for this turn is accepted, nothing goes to anybody else, and nothing gets out of control."""

import json
import re
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

import msgspec
import pytest

from referee.crypto.codec import PROJECT, decode, encode
from referee.engine.player import open_view
from referee.engine.records import MoveFile, move_of
from referee.mail.block import write_block
from referee.mail.headers import OWN_HEADER
from referee.mail.passes import found_in
from tests.cli.world import raw_controls, run_here, tree
from tests.mail.hostile import MAILS
from tests.mail.offices import (
    HOST,
    PEOPLE,
    Mail,
    World,
    invited,
    own_join,
    own_move,
    plain,
    playing,
    reply,
    sign,
)
from tests.mail.test_judge import answered, hand, one

EVE = "eve@evil.example"


def pass_of(mail: Mail) -> str:
    found = re.search(r"[0-9a-f]{8}-\d+-\d+-[a-z2-7]{16}", mail.subject)
    assert found, mail.subject
    return found[0]


def untouched(world: World, *mails: bytes) -> list[Mail]:
    """Let these mails in: the game must be the same to the byte afterwards. Returns the answers."""
    before = world.game()
    told = world.answers(*mails)
    assert world.game() == before
    assert {mail.to for mail in told} <= set(PEOPLE.values())
    return told


# --- whose words -----------------------------------------------------------------------------------------------------


def test_a_pass_of_a_round_that_is_over(world: World) -> None:
    old = world.turn("bert")
    mails = reply(old, "bid 9"), reply(world.turn("carla"), "bid 1"), own_move(world.turn("anna"), "Anna")
    world.take(*mails)
    assert [row["name"] for row in world.status()["awaited"]] == ["Bert"]
    stolen = plain(EVE, pass_of(old), "raid 1 01")
    (mail,) = untouched(world, stolen)
    assert mail.to == PEOPLE["bert"]
    assert "Your mail answers a turn that is over" in mail.text


def test_a_pass_for_another_seat_or_round_cannot_be_made_from_ones_own(world: World) -> None:
    table, seat, round, code = pass_of(world.turn("carla")).split("-")
    assert (seat, round) == ("3", "2")
    for forged in (f"{table}-2-2-{code}", f"{table}-3-3-{code}", f"{table}-1-2-{code}", f"00000000-3-2-{code}"):
        assert untouched(world, plain(EVE, forged, "bid 9")) == []
    other = "b" if code.endswith("a") else "a"
    assert untouched(world, plain(EVE, f"{table}-3-2-{code[:-1]}{other}", "bid 9")) == []
    assert world.kept("quarantine") == 5


def test_a_forged_sender_gets_nothing_and_nothing_is_taken(world: World) -> None:
    (mail,) = untouched(world, plain(PEOPLE["bert"], "my bid", "bid 9"))
    assert mail.to == PEOPLE["bert"]
    assert "hand" not in mail.text, "who only seems to be Bert is told nothing of a game"
    assert not found_in_mail(mail)


def found_in_mail(mail: Mail) -> list[str]:
    from referee.mail.message import read_message

    return [str(one) for one in found_in(read_message(mail.raw))]


def test_the_answer_goes_to_the_player_whoever_sends_the_pass(world: World) -> None:
    told = world.answers(reply(world.turn("bert"), "nonsense", sender=EVE))
    assert [mail.to for mail in told] == [PEOPLE["bert"]]
    assert EVE.encode() not in told[0].raw


def test_a_forwarded_answer_is_not_an_answer(world: World) -> None:
    turn = world.turn("bert")
    head = f"From: Bert <{PEOPLE['bert']}>\nSent: Friday\nTo: {HOST}\nSubject: Re: {turn.subject}\n"
    words = f"---------- Forwarded message ---------\n{head}\nbid 9\n\n{turn.text}"
    (mail,) = untouched(world, plain(EVE, f"Fwd: {turn.subject}", words))
    assert mail.to == PEOPLE["bert"]


def test_quoted_orders_are_not_orders(world: World) -> None:
    turn = world.turn("bert")
    lines = ["", "On Fri, 20 Nov 2026, Bert wrote:", "> bid 9", ">", *(f">> {line}" for line in turn.text.splitlines())]
    (mail,) = untouched(world, plain(PEOPLE["bert"], f"Re: {turn.subject}", "\n".join(lines)))
    assert mail.to == PEOPLE["bert"]


def test_two_passes_of_two_seats_in_one_mail_are_refused(world: World) -> None:
    both = f"{pass_of(world.turn('bert'))} {pass_of(world.turn('carla'))}"
    told = untouched(world, plain(PEOPLE["bert"], both, "bid 9"))
    assert {mail.to for mail in told} == {PEOPLE["bert"], PEOPLE["carla"]}


def test_a_pass_for_a_name_silences_nobody(tmp_path: Path) -> None:
    """Carla would join under her own pass, so that every mail to Bert has it, and every answer of his quotes it."""
    world, mails = invited(tmp_path)
    mine = pass_of(mails["carla"])
    told = world.take(reply(mails["carla"], f"join as {mine}"), own_join(mails["carla"], mine))
    assert ["looks like a pass" in mail.text for mail in told] == [True, True]
    world.take(*(reply(mail, f"join as {name.title()}") for name, mail in mails.items()))
    turn = world.turn("bert")
    # As if it had got into the mail all the same, say by a motto.
    planted = turn.raw.replace(b"Everybody is asked", f"Carla says {mine}. Everybody is asked".encode())
    assert planted != turn.raw
    (world.root / "sent" / f"{turn.name}.eml").write_bytes(planted)
    world.answers(reply(Mail(turn.name, planted), "ok"))
    assert [row["name"] for row in world.status()["awaited"]] == ["Anna", "Carla"]
    both = f"{pass_of(world.turn('anna'))} {pass_of(world.turn('carla'))}"
    assert len(untouched(world, plain(EVE, both, "ok"))) == 2


def test_words_never_count_for_a_player_with_their_own_key(tmp_path: Path) -> None:
    world, mails = invited(tmp_path)
    world.take(own_join(mails["anna"], "Anna"), *(reply(mails[n], f"join as {n.title()}") for n in ("bert", "carla")))
    (mail,) = untouched(world, reply(mails["anna"], "ok"))
    assert "your own key" in mail.text
    late = one(untouched(world, own_join(mails["anna"], "Anna", words="once more")))
    assert "You have already joined as Anna" in late.text


def test_no_mail_to_a_player_with_their_own_key_has_a_pass(world: World) -> None:
    assert found_in_mail(world.turn("bert")) != []
    assert found_in_mail(world.turn("anna")) == []


def test_an_address_changes_only_where_it_was_said(tmp_path: Path) -> None:
    """At one table Bert's key is kept, at the other he signs: the pass of the one moves no mail of the other."""
    world = World(tmp_path)
    people = (PEOPLE["bert"], PEOPLE["carla"])
    world.offer(*people)
    first = {mail.to: mail for mail in world.new()}
    world.offer(*people)
    second = {mail.to: mail for mail in world.new()}
    world.take(reply(first[people[0]], "join as Bert"), own_join(second[people[0]], "Bert"))
    told = world.answers(reply(first[people[0]], "address bert@new.example"))
    assert sorted(mail.to for mail in told) == ["bert@new.example", "bert@y.example"]
    mails = world.take(reply(first[people[1]], "join as Carla"), reply(second[people[1]], "join as Carla"))
    assert sorted(mail.to for mail in mails if mail.name.endswith("bert-turn")) == [
        "bert@new.example",
        "bert@y.example",
    ]
    assert world.answers(plain("bert@new.example", "hello", "which game?"))[0].to == "bert@new.example"


@pytest.mark.parametrize("words", ["address eve@evil.example", "no", "away until 2026-12-24", "join as Eve"])
def test_the_pass_of_an_invitation_does_not_speak_for_a_players_own_key(tmp_path: Path, words: str) -> None:
    """Invitations get forwarded: nobody else can speak for a player who joined with their own key."""
    world, mails = invited(tmp_path)
    world.take(own_join(mails["anna"], "Anna"))
    before = [(row["state"], row["address"], row["away_until"]) for row in world.status()["players"]]
    (mail,) = world.answers(reply(mails["anna"], words, sender=EVE))
    assert mail.to == PEOPLE["anna"]
    assert [(row["state"], row["address"], row["away_until"]) for row in world.status()["players"]] == before


# --- whose signatures ------------------------------------------------------------------------------------------------


def test_a_signature_of_somebody_else_is_nobodys(world: World) -> None:
    move = sign(world.turn("anna"), "Anna")
    for seat in (b'"seat":1', b'"seat":2'):
        forged = move.replace(b'"seat":0', seat)
        assert untouched(world, reply(world.turn("anna"), write_block("move", forged), sender=EVE)) == []
    told = untouched(world, reply(world.turn("bert"), write_block("move", move.replace(b'"seat":0', b'"seat":1'))))
    assert [mail.to for mail in told] == [PEOPLE["bert"]]
    assert "signature of the move is wrong" in " ".join(told[0].text.split())


def test_a_move_of_another_game_or_round(world: World, tmp_path: Path) -> None:
    other = playing(tmp_path / "other")
    foreign = sign(other.turn("anna"), "Anna")
    (mail,) = untouched(world, reply(world.turn("anna"), write_block("move", foreign)))
    assert "not played here" in " ".join(mail.text.split())
    assert untouched(world, reply(world.turn("anna"), write_block("move", foreign), sender=EVE)) == []
    old = sign(world.turn("anna"), "Anna")
    world.take(reply(world.turn("anna"), write_block("move", old), sender=EVE))
    assert answered(world) == ["Anna"], "a signature is the player's, whoever carries it"
    assert "already accepted" in one(untouched(world, reply(world.turn("anna"), write_block("move", old)))).text.lower()


def public_copy(world: World, name: str) -> bytes:
    """A move of a closed round, put together from what every view shows of it."""
    opened = open_view(world.turn("carla").file("view.json"))
    entry = opened.chain.rounds[0].entry
    seat = opened.table.names.index(name)
    move = move_of(entry.game, entry.round, entry.prev, next(one for one in entry.answers if one.seat == seat))
    file = MoveFile(msgspec.Raw(encode(move)), entry.answers[seat].sig, PROJECT + "move")
    return encode(file)


def test_an_old_signature_that_everybody_can_copy_misleads_nobody(world: World) -> None:
    """Carla sends Anna's agreement of round 1 again: Anna learns that round 2 is still waiting for her."""
    copied = write_block("move", public_copy(world, "Anna"))
    mails = [plain(f"{number}@evil.example", "hello", f"{number}\n{copied}") for number in range(30)]
    told = untouched(world, *mails)
    assert [mail.to for mail in told] == [PEOPLE["anna"]] * 2, "seldom"
    for mail in told:
        assert "Round 2 is still waiting for your answer" in mail.text
        assert "accepted" not in mail.text
    assert one(world.answers(own_move(world.turn("anna"), "Anna"))).file("receipt.json"), "the true answer is answered"


def test_a_signed_answer_whose_encrypted_part_was_lost_is_asked_for_again(world: World) -> None:
    """No receipt is signed for it, and the complete file is accepted afterwards."""
    turn, good = world.turn("anna"), decode(sign(world.turn("anna"), "Anna"), MoveFile, "move")
    assert good.sealed, "a bid is sealed"
    stripped = encode(msgspec.structs.replace(good, sealed=""))
    told = one(untouched(world, reply(turn, write_block("move", stripped))))
    assert "missing, or was damaged in transit" in " ".join(told.text.split())
    assert not [name for part in told.message.iter_attachments() if "receipt" in (name := str(part.get_filename()))]
    assert one(world.answers(reply(turn, write_block("move", encode(good))))).file("receipt.json")
    assert answered(world) == ["Anna"]


def test_a_copied_signature_of_a_kept_key_is_nobodys_mail(world: World) -> None:
    """A signature of Anna's own key is hers, whoever sends it; that of a key that the office keeps proves nothing."""
    told = {
        name: untouched(world, plain(EVE, "hello", write_block("move", public_copy(world, name))))
        for name in ("Anna", "Bert")
    }
    assert {name: [mail.to for mail in mails] for name, mails in told.items()} == {"Anna": [PEOPLE["anna"]], "Bert": []}


def test_a_foreign_block_does_not_hide_the_words_of_a_kept_seat(world: World) -> None:
    turn, copied = world.turn("bert"), write_block("move", public_copy(world, "Anna"))
    told = world.answers(reply(turn, f"bid 4\n\n{copied}"))
    assert {mail.to for mail in told} == {PEOPLE["anna"], PEOPLE["bert"]}
    assert answered(world) == ["Bert"]


@pytest.mark.parametrize(
    ("headers", "answers"),
    [({"List_Id": "<games.example>"}, 1), ({"Precedence": "list"}, 1), ({"Auto_Submitted": "auto-x"}, 0)],
)
def test_a_signature_counts_whatever_carries_it(world: World, headers: dict[str, str], answers: int) -> None:
    """A player who writes through a list is answered, a program is not."""
    block = write_block("move", sign(world.turn("anna"), "Anna"))
    told = world.answers(plain(PEOPLE["anna"], "Re: your turn", block, **headers))
    assert [mail.to for mail in told] == [PEOPLE["anna"]] * answers
    assert answered(world) == ["Anna"]
    assert world.kept("quarantine") == 0


# --- loops and floods ------------------------------------------------------------------------------------------------


def test_two_offices_that_write_to_each_other_do_not_loop(world: World, tmp_path: Path) -> None:
    other = World(tmp_path / "other")
    other.offer(HOST, "b@x.example")
    letters = [mail.raw for mail in other.new()]
    told = world.take(*letters)
    assert told == []
    assert other.take(*(mail.raw for mail in [world.turn("bert"), world.turn("anna")])) == []
    assert (world.kept("quarantine"), other.kept("quarantine")) == (2, 2)


def test_even_without_our_header_a_loop_ends_the_same_day(world: World) -> None:
    """A gateway that removes headers, and a program that sends everything back."""
    mails, count = [world.turn("bert").raw], 0
    for _ in range(40):
        bare = [re.sub(rb"(?mi)^(X-PBEM-Referee|Auto-Submitted|X-Auto-[^:]*):.*\r?\n", b"", mail) for mail in mails]
        assert not any(OWN_HEADER.encode() in mail for mail in bare)
        mails = [mail.raw for mail in world.answers(*bare)]
        count += len(mails)
        if not mails:
            break
    assert mails == []
    assert count <= 20


@pytest.mark.thorough
def test_a_thousand_mails_at_once(world: World, tmp_path: Path) -> None:
    turn, folder = world.turn("bert"), tmp_path / "flood"
    folder.mkdir()
    for number in range(999):
        sender = (EVE, PEOPLE["bert"], PEOPLE["carla"])[number % 3]
        mail = reply(turn, f"nonsense {number}", sender=sender, quote=number % 10 == 0)
        (folder / f"{number:04}.eml").write_bytes(mail)
    (folder / "9999.eml").write_bytes(reply(turn, "bid 4"))
    ran = world.good("run", str(folder), "--json")
    assert len(json.loads(ran.out)["judged"]) == 1000
    told = world.new()
    assert len(told) == 20 + 1, "the move that counts is answered in any case"
    assert {mail.to for mail in told} == {PEOPLE["bert"]}
    assert answered(world) == ["Bert"]
    assert world.kept("in") == 0


# --- what is in a mail -----------------------------------------------------------------------------------------------


def test_nothing_is_written_outside_the_office(world: World, tmp_path: Path) -> None:
    """Attachments with paths for names, links for passes: the folders around, but for guards, stay as they are."""
    (tmp_path / "beside.txt").write_text("mine")
    (tmp_path / "home").mkdir(exist_ok=True)
    ours = (world.root.name, "home/guard")
    around = {name: found for name, found in tree(tmp_path).items() if not name.startswith(ours)}
    turn = world.turn("anna")
    move = sign(turn, "Anna")
    names = ("../../evil.json", "/tmp/evil.json", "..\\evil.json", "tables/x/game.json", "\0evil")
    for number, name in enumerate(names):
        made = EmailMessage(policy=SMTP)
        made["From"], made["To"], made["Subject"] = PEOPLE["anna"], HOST, f"{number} ../../{turn.subject}"
        made["Message-ID"] = "<../../../evil@x>"
        made.set_content("see below")
        made.add_attachment(move, "application", "json", filename="x.json")
        raw = bytes(made).replace(b'filename="x.json"', f'filename="{name}"'.encode())
        world.take(raw)
    assert answered(world) == ["Anna"]
    after = {name: found for name, found in tree(tmp_path).items() if not name.startswith(ours)}
    assert after == around
    assert not Path("/tmp/evil.json").exists()
    assert not any("evil" in path.name for path in world.root.rglob("*"))


NAMES = (
    "Bert\r\nBcc: all@evil.example", "Bert\nX: y", "=?utf-8?q?Bert=0D=0ABcc:_x@evil.example?=", "\x1b[2JBert",
    "B\u202eert",
)  # fmt: skip


def headers(mail: Mail) -> set[str]:
    return set(mail.message.keys())


@pytest.mark.parametrize("name", NAMES)
def test_headers_cannot_be_injected_by_a_name(tmp_path: Path, name: str) -> None:
    world, mails = invited(tmp_path)
    (mail,) = world.take(reply(mails["bert"], f"join as {name}".replace("\r\n", " ").replace("\n", " ")))
    assert mail.to == PEOPLE["bert"]
    assert headers(mail) == headers(mails["bert"]) | {"In-Reply-To", "References"}
    ran = world.run("offer", "auction", "--seats", "2", "--to", f"{name} <a@x.example>", "--to", "b@x.example")
    assert raw_controls(ran.err) == []
    offered = world.new()
    assert len(offered) == (0 if ran.exit else 2), ran.said
    assert all(headers(mail) == headers(mails["bert"]) for mail in offered)
    world.settings(f"name = {json.dumps(name)}")
    ran = world.run("run")
    assert raw_controls(ran.err) == []
    assert "Traceback" not in ran.said


def test_what_a_mail_says_never_reaches_the_hosts_terminal_raw(world: World) -> None:
    evil = "\x1b]0;evil\x07 \u202e bid"
    world.put(reply(world.turn("bert"), evil), plain("eve\x1b@evil.example", evil, evil))
    ran = world.good("run")
    assert "Bert: refused" in ran.said, "both are told of"
    assert world.kept("quarantine") == 1
    assert raw_controls(ran.err + ran.out) == []
    assert raw_controls(world.good("status").out) == []


LARGE = (
    "many-parts", "many-headers", "body", "lines", "marks", "nothing", "our-lines", "blocks", "large-files", "file",
    "soft-breaks", "boundary", "injection",
)  # fmt: skip
"""These cost more to write than to judge, and `test_hostile` reads them."""


@pytest.mark.thorough
def test_hostile_mails_are_judged_and_leave_the_game_alone(world: World, tmp_path: Path) -> None:
    """All of them with the true pass of a kept seat in the subject, so that they are read as far as any mail can be."""
    before = world.game()
    subject = f"Subject: {pass_of(world.turn('bert'))}\r\n".encode()
    chosen = [name for name in MAILS if name not in LARGE]
    assert len(chosen) > 20
    for name in chosen:
        raw = MAILS[name]()
        (tmp_path / f"{name}.eml").write_bytes(subject + raw)
    ran = world.good("run", *(str(tmp_path / f"{name}.eml") for name in chosen), "--json")
    rows = json.loads(ran.out)["judged"]
    assert not any("internal error" in row["told"] for row in rows), rows
    assert len(rows) == len(chosen)
    assert world.game() == before


def test_a_fault_of_ours_in_one_mail_stops_no_other(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from referee.mail import judge as module

    true = module.found_in

    def broken(letter: object) -> object:
        if "poison" in letter.headers.subject:  # type: ignore[attr-defined]
            raise ZeroDivisionError
        return true(letter)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "found_in", broken)
    world.put(reply(world.turn("carla"), "bid 1"), plain(EVE, "poison", "x"), reply(world.turn("bert"), "bid 4"))
    ran = world.good("run")
    assert "internal error ZeroDivisionError" in ran.said
    assert answered(world) == ["Bert", "Carla"]
    assert world.kept("quarantine") == 1


# --- secrets ---------------------------------------------------------------------------------------------------------


def test_what_is_mailed_to_a_seat_comes_from_its_view_alone(world: World) -> None:
    """Each hand and each sealed bid appears in mails to its owner, and in no other mail."""
    # No mail offers this bid as one of the likeliest.
    taken = one(world.answers(reply(world.turn("bert"), "bid 9; bid 2 always")))
    told = world.answers(reply(world.turn("carla"), "what has Bert bid?"), plain(PEOPLE["anna"], "and me?", "hello"))
    told += world.take(now="2026-11-22T09:00Z")
    mails = [taken, *told, *(world.turn(name) for name in PEOPLE)]
    hands = {name: hand(world, name) for name in PEOPLE}
    assert len({card for cards in hands.values() for card in cards}) == 9, "no card is in two hands"
    for name, cards in hands.items():
        shown = {mail.to for mail in mails if f"your hand: {' '.join(cards)}" in mail.text}
        assert shown == {PEOPLE[name]}, "and reminders show it again"
    assert [mail.to for mail in mails if re.search(r"\bbid 9\b", mail.text)] == [PEOPLE["bert"]]
    assert {PEOPLE["anna"], PEOPLE["carla"]} <= {mail.to for mail in told}


def test_a_secret_answer_changes_no_mail_to_others(world: World, tmp_path: Path) -> None:
    """Two worlds that differ only in what Bert bids in secret: the others get the same mails, to the byte."""
    other = world.again(tmp_path / "other")
    seen = []
    for one_world, bid in ((world, "bid 3"), (other, "bid 4")):
        mails = one_world.take(reply(one_world.turn("bert"), bid))
        mails += one_world.take(reply(one_world.turn("carla"), "what?"), plain(PEOPLE["anna"], "hm", "hm"))
        mails += one_world.take(now="2026-11-22T09:00Z")
        seen.append({mail.name: mail.raw for mail in mails if mail.to != PEOPLE["bert"]})
    assert len(seen[0]) == 4
    assert seen[0] == seen[1]


def test_the_office_of_another_key_cannot_go_on(world: World, tmp_path: Path) -> None:
    other = World(tmp_path / "other")
    run_here("key", "new", "--name", "Eve", "-o", "eve.json", cwd=tmp_path)
    (world.root / "host.key").write_bytes((tmp_path / "eve.json").read_bytes())
    ran = world.run("run")
    assert ran.exit == 4, ran.said
    assert other.run("run").exit == 0
