"""`referee dispute`: any mix of files, what they show, and proofs that stand alone."""

import json
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from referee.games.auction import Bid

from referee.crypto.codec import decode, encode
from referee.crypto.keys import Key
from referee.engine import host, lobby
from referee.engine import records as r
from tests.cli.test_tickets import Desk
from tests.cli.world import Ran, check_refusal
from tests.engine.attacks import refusal
from tests.support.match import Sitting, change_entry, cheating, lied


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path, Sitting(seed="dispute").until("bid"))


def told(ran: Ran) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(ran.out)
    return found


def verdicts(found: dict[str, Any]) -> set[tuple[str, str]]:
    return {(row["verdict"], row["code"]) for game in found["games"] for row in game["shown"]}


def mailed(data: bytes, name: str) -> bytes:
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "host@example.org", "hello"
    mail.set_content("Your view.")
    mail.add_attachment(data, maintype="application", subtype="json", filename=name)
    return mail.as_bytes()


def test_honest_files_of_several_games_agree(desk: Desk) -> None:
    """Views of all seats and several rounds, moves, receipts, offer, joins, one of them in a mail; and another game."""
    one = desk.sitting
    desk.put("offer.json", encode(one.offer))
    for seat, join in enumerate(one.joins):
        desk.put(f"{seat}.join.json", encode(join))
    for number in range(4):
        for seat in range(3):
            desk.put(f"{number}-{seat}.view.json", one.view(seat))
        for seat in one.asked:
            move = one.signed(seat)
            receipt = one.give(move).receipt
            desk.put(f"{number}-{seat}.move.json", move)
            desk.put(f"{number}-{seat}.receipt.json", encode(receipt))
    desk.put("last.eml", mailed(one.view(1), "x.view.json"))
    desk.put("again.eml", mailed(encode(receipt), "x.receipt.json"))
    desk.put("other.view.json", Sitting(seed="another").view(0))
    desk.put("notes.txt", b"not looked at")
    ran = desk.run("dispute", ".", "--json")
    found = told(ran)
    assert ran.exit == 0, ran.said
    assert verdicts(found) == {("consistent", "ok")}
    assert sorted(game["rounds"] for game in found["games"]) == [0, one.round]
    assert found["proofs"] == []
    files = {name for game in found["games"] for name in game["files"]}
    assert len(files) == 1 + 3 + 12 + 2 * len(list(desk.root.glob("*.move.json"))) + 2 + 1
    plain = desk.run("dispute", ".")
    assert "these files show no offence" in plain.said
    heads = [line for line in plain.out.decode().splitlines() if line.startswith("game ")]
    for game in found["games"]:
        (head,) = (line for line in heads if line.startswith(f"game {game['game'][:8]}, {game['title']}, "))
        assert all(name in head for name in game["names"])
        assert head.endswith(f": {len(game['files'])} files")


def test_a_bad_or_forged_file_hides_nothing(desk: Desk) -> None:
    """One offence among altered, forged, cut and foreign files, whatever comes first: it is found, with its proof."""
    one = desk.sitting
    other = one.fork()
    one.step()
    other.step(1)
    view = decode(one.view(0), r.View, "view")
    files = {
        "good.view.json": one.view(0),
        "rival.view.json": other.view(1),
        "position.view.json": encode(replace(view, public=msgspec.Raw(b"{}"))),
        "signature.view.json": encode(
            replace(view, entries=(replace(view.entries[0], sig="0" * 128), *view.entries[1:]))
        ),
        "genesis.view.json": encode(replace(view, genesis=replace(view.genesis, sig="0" * 128))),
        "cut.view.json": one.view(0)[:-30],
        "gone.view.json": encode(replace(view, entries=view.entries[1:])),
        "receipt.json": encode(replace(refusal(one, one.signed(one.asked[0]), "illegal"), sig="0" * 128)),
        "noise.json": b"{}",
    }
    for order in (list(files), list(files)[::-1]):
        for name in order:
            desk.put(name, files[name])
        ran = desk.run("dispute", *order, "--json", "-o", "proofs")
        assert ran.exit == 6
        found = verdicts(told(ran))
        assert {("proved", "two-entries"), ("altered", "bad-signature"), ("altered", "altered-chain")} <= found
        assert {code for word, code in found if word == "proved"} == {"two-entries"}
        (proof,) = told(ran)["proofs"]
        assert desk.run("verify", proof).exit == 6
        assert b"PROVED" in desk.run("verify", proof).out
    assert [path.name[8:] for path in (desk.root / "proofs").iterdir()] == ["-r002-two-entries.proof.json"]


def test_every_offence_of_a_game_is_reported_and_proved(desk: Desk) -> None:
    """Receipts, a refusal and an entry, in one folder: a proof for each, under names that do not collide."""
    one = desk.sitting
    mine, rival, late = one.signed(0, move=Bid(1)), one.signed(0, move=Bid(2)), one.signed(1)
    receipts = [one.fork().give(data).receipt for data in (mine, rival, late)]
    desk.put("refused.move.json", one.signed(2, move=Bid(1)))
    receipts.append(refusal(one, one.signed(2, move=Bid(1)), "illegal"))
    for number, receipt in enumerate(receipts):
        desk.put(f"{number}.receipt.json", encode(receipt))
    with cheating(lie=lambda table, closed: lied(table, closed, end="void")):
        one.step(0, 1)
    for seat in range(3):
        desk.put(f"{seat}.view.json", one.view(seat))
    ran = desk.run("dispute", ".", "--json", "-o", "out")
    found = verdicts(told(ran))
    assert {("proved", code) for code in ("two-taken", "taken-and-timed-out", "rule-broken")} <= found
    assert ("undecided", "undecided") in found, "what Carla sealed only her tool has kept"
    proofs = told(ran)["proofs"]
    assert len(proofs) == len({path.read_bytes() for path in (desk.root / "out").iterdir()}) >= 4
    again = desk.run("dispute", ".", "--json", "-o", "out")
    assert told(again)["proofs"] == proofs == sorted(proofs), "what lies there already is not written again"
    rows = [json.loads(line) for line in desk.run("verify", "out", "--json").out.splitlines()]
    assert {row["verdict"] for row in rows[:-1]} == {"proved"}
    assert rows[-1]["proved"] == len(proofs)
    assert {row["key"] for row in rows[:-1]} == {one.host.public.hex()}


@pytest.mark.parametrize("code", ["illegal", "bad-commitment"])
def test_what_was_sealed_is_taken_from_the_players_own_memory(desk: Desk, code: str) -> None:
    """A refused sealed bid: undecided for strangers, proved where its player's tool has kept it."""
    assert desk.run("play", desk.view(), "-o", "move.json", "--move", "bid 1").exit == 0
    desk.put("receipt.json", encode(refusal(desk.sitting, (desk.root / "move.json").read_bytes(), code)))
    ran = desk.run("dispute", "view.json", "move.json", "receipt.json", "--json")
    assert verdicts(told(ran)) == {("proved", "refused-though-legal")}
    assert desk.run("verify", *told(ran)["proofs"]).exit == 6
    desk.ticket.unlink()
    ran = desk.run("dispute", "view.json", "move.json", "receipt.json")
    check_refusal(ran, (7,))
    assert b"UNDECIDED" in ran.out
    assert b"what Anna (seat 1) sealed in this move" in ran.out


def test_what_would_decide_it_is_said(desk: Desk) -> None:
    one = desk.sitting
    move = desk.put("move.json", one.signed(0, move=Bid(1)))
    taken = desk.put("taken.json", encode(one.fork().give((desk.root / move).read_bytes()).receipt))
    refused = desk.put("refused.json", encode(refusal(one, (desk.root / move).read_bytes(), "illegal")))
    alone = desk.run("dispute", taken)
    check_refusal(alone, (7,))
    assert f"a view or a transcript of game {one.table.id[:8]}".encode() in alone.out
    beside = desk.run("dispute", taken, desk.view())
    assert beside.exit == 0
    assert b"a view of that round" in beside.out
    without = desk.run("dispute", refused, desk.view())
    check_refusal(without, (7,))
    assert b"the move of Anna (seat 1) that was refused" in without.out
    ran = desk.run("dispute", "nothing-here.json")
    check_refusal(ran, (7, 8))


def test_a_document_in_the_second_mail_of_a_mailbox_is_named(desk: Desk) -> None:
    taken = encode(desk.sitting.fork().give(desk.sitting.signed(0)).receipt)
    mails = mailed(b"{}", "x.json"), mailed(taken, "x.receipt.json")
    desk.put("box", b"".join(b"From host@example.org Thu Jan  1 00:00:00 2026\n" + one + b"\n" for one in mails))
    (game,) = told(desk.run("dispute", "box", "--json"))["games"]
    assert [row["files"] for row in game["shown"]] == [["box, mail 2"]]
    ran = desk.run("dispute", "box")
    check_refusal(ran, (7,))
    assert b"UNDECIDED  box, mail 2: " in ran.out


def test_two_games_from_one_offer(desk: Desk) -> None:
    one = Sitting(seed="twice")
    table = lobby.make_genesis(one.host, one.offer, (*one.joins[1:], one.joins[0]))
    desk.put("one.view.json", one.view(0))
    desk.put("two.view.json", host.make_view(host.new_match(one.host, table), 0))
    ran = desk.run("dispute", ".", "--json")
    assert ("proved", "two-geneses") in verdicts(told(ran))
    assert desk.run("verify", *told(ran)["proofs"]).exit == 6


def test_proofs_and_standard_input(desk: Desk) -> None:
    """A proof among the files is judged; a view can come through a pipe."""
    false = change_entry(desk.sitting.host, desk.sitting.view(0), 1, state="0" * 64)
    desk.put("false.view.json", false)
    assert desk.run("dispute", "false.view.json", "-o", "p").exit == 6
    (proof,) = (desk.root / "p").iterdir()
    ran = desk.run("dispute", f"p/{proof.name}", desk.view(), "--json")
    found = told(ran)
    assert len(found["games"]) == 1, "its genesis is the one of the view"
    assert ("proved", "rule-broken") in verdicts(found)
    spoilt = proof.read_bytes().replace(b'"state":"0000', b'"state":"1000')
    desk.put("spoilt.proof.json", spoilt)
    assert verdicts(told(desk.run("dispute", "spoilt.proof.json", "--json"))) == {("altered", "bad-signature")}
    stranger = encode(
        replace(refusal(desk.sitting, desk.sitting.signed(0), "taken"), sig=Key(bytes(32)).sign(b"").hex())
    )
    desk.put("stranger.json", stranger)
    assert ("altered", "bad-signature") in verdicts(told(desk.run("dispute", desk.view(), "stranger.json", "--json")))
