"""Vectors of proofs and of several files in games whose seats change hands: the key that must have signed a move is
that of the player who held its seat, which only the state before its round tells. Without it nobody is accused."""

import copy

from . import ed25519, verifier
from .vector_files import _move, _receipt
from .vector_proofs import FORMAT, MISSING, MIXED, NOTHING, UNSIGNED, Kit, round_proof, scene, tokens_of
from .vector_seats import body_of, first_holder, inherited_game, return_of, take_over, vacated
from .vector_tools import Played, Vectors, changed, flipped, put, signed, with_entry, with_move, with_private
from .wire import H, Json, canonical, encoding, identity

SEAT = 2
PARTS = ("before", "state", "public")


def seats_compared(out: Vectors) -> None:
    """Receipts and moves beside a view of a game in which a seat was taken over."""
    game, view, link = refused_link()
    out.base("view-seats-beside", 8, "a seat was taken over, and its new player answered", game, view)
    no = _receipt(game, link["body"]["round"], SEAT, identity("move", link["body"]).hex(), "illegal")
    old = signed(first_holder(game), "move", link["body"])
    earlier = game.view(-2, SEAT)
    for name, codes, about, move, receipt in (
        ("refused", "refused-though-legal", "a good link of the new player was refused", link, no),
        ("old-key", "", "what the old player signs now may be refused", old, no),
        ("taken", "", "a link that was taken", link, no | _receipt_code(game, link, "taken")),
    ):
        out.several(f"several-seats-{name}", codes, about, ("view-seats-beside", earlier), ("", move), ("", receipt))


def _receipt_code(game: Played, move: Json, code: str) -> Json:
    return _receipt(game, move["body"]["round"], SEAT, identity("move", move["body"]).hex(), code)


def refused_link() -> tuple[Played, Json, Json]:
    """A game whose third seat was taken over and then asked for a bare link, its last view, and that link."""
    game = take_over(vacated("beside"), SEAT).step()
    number = body_of(game.view())["round"]
    move = _move(game, number, SEAT)
    link = {name: part for name, part in move["body"].items() if name not in ("answer", "commit", "standing")}
    questions = verifier.asked(verifier.read_state(game.moments[-2]["state"], ""))
    assert questions[SEAT] is None, "a decision: another seed gives a link"
    return game, game.view(seat=SEAT), signed(game.players[SEAT], "move", link)


def seats_proved(kit: Kit) -> None:
    game = take_over(vacated("proofs"), SEAT).step()
    _rounds(kit, game)
    _moves(kit, game)
    _states(kit, game)
    _refusals(kit)
    _told(kit)


def _rounds(kit: Kit, game: Played) -> None:
    """Every entry that a new holder answered in, as every kind of proof: nobody is accused."""
    view = game.view()
    number = len(view["entries"])
    base = {"format": FORMAT, "genesis": view["genesis"]}
    for round_, what in ((number - 1, "taken"), (number, "answered")):
        entry = view["entries"][round_ - 1]
        proof = base | {"entry": entry, "shows": "round"}
        parts = scene(game, round_)
        kit.ruled(f"seats-{what}", NOTHING, f"the round in which the seat was {what}", game, proof | parts)
        kit.add(f"seats-{what}-alone", MISSING, "the entry alone", game, proof)
        for part in PARTS:
            less = proof | {name: value for name, value in parts.items() if name != part}
            kit.add(f"seats-{what}-no-{part}", MISSING, f"without `{part}`", game, less)
        other = proof | parts | {"state": game.moments[round_ - 2]["state"]}
        kit.add(f"seats-{what}-state", MIXED, "the state of another round", game, other)
        same = base | {"entries": [entry, entry], "shows": "entries"}
        kit.add(f"seats-{what}-entries", NOTHING, "the same entry twice", game, same)
    move = _move(game, number, SEAT)
    taken = base | {"receipts": [_receipt_code(game, move, "taken")], "entry": view["entries"][-1], "shows": "receipts"}
    kit.add("seats-receipt", NOTHING, "an answer of a new holder that was taken", game, taken)
    whole = base | {"shows": "genesis"}
    kit.ruled("seats-genesis", NOTHING, "the genesis", game, whole)


def _moves(kit: Kit, game: Played) -> None:
    """An answer that its holder did not sign is proved with the state, and with nothing less."""
    view = game.view()
    answer = next(one for one in body_of(view)["answers"] if one["seat"] == SEAT)
    message = encoding("move", canonical(verifier.rebuilt_move(body_of(view), answer)))
    old = ed25519.sign(first_holder(game), message).hex()
    false = with_move(game, view, SEAT, put("sig", old), sign=False)
    proof = {"format": FORMAT, "genesis": view["genesis"], "shows": "round", "entry": false["entries"][-1]}
    parts = scene(game, len(view["entries"]))
    kit.add("seats-move", "proved bad-move", "an answer signed by who held the seat before", game, proof | parts)
    token = {"tokens": [{"slot": "pile.0.0", "face": "red", "salt": "00" * 32}]}
    about = "... with a token that fits nothing, which is looked at later"
    kit.add("seats-move-token", "proved bad-move", about, game, proof | parts | token)
    kit.add("seats-move-alone", MISSING, "the same without the state", game, proof)
    for part in PARTS:
        less = proof | {name: value for name, value in parts.items() if name != part}
        kit.add(f"seats-move-no-{part}", MISSING, f"the same without `{part}`", game, less)
    start = game.view(1)
    forged = with_move(game, start, 0, put("sig", flipped(body_of(start)["answers"][0]["sig"])), sign=False)
    first = proof | {"entry": forged["entries"][-1]}
    kit.add("seats-move-first", "proved bad-move", "in the first round those who joined hold the seats", game, first)


def _states(kit: Kit, game: Played) -> None:
    """States of the host's own making, which no game leads to."""
    view, number = game.view(), len(game.view()["entries"])
    for name, expect, about, alter in (
        ("holder", MIXED, "a holder of a seat that does not exist", put("holders", 0, "seat", 9)),
        ("vacant", MIXED, "a vacancy of a seat that does not exist", put("vacant", [{"round": 1, "seat": 9}])),
        ("shape", MISSING, "a holder without a key", lambda state: state["holders"][0].pop("key")),
    ):
        parts = scene(game, number)
        alter(parts["state"])
        before = copy.deepcopy(parts["before"]["body"])
        before["state"] = H("state", bytes.fromhex(before["game"]), canonical(parts["state"])).hex()
        parts["before"] = signed(game.host, "entry", before)
        entry = body_of(view) | {"prev": identity("entry", before).hex()}
        proof = {
            "format": FORMAT,
            "genesis": view["genesis"],
            "shows": "round",
            "entry": signed(game.host, "entry", entry),
        }
        kit.add(f"seats-state-{name}", expect, about, game, proof | parts)


def _refusals(kit: Kit) -> None:
    game, view, link = refused_link()
    number = link["body"]["round"]
    base = {"format": FORMAT, "genesis": view["genesis"], "shows": "refusal", "move": link}
    base |= {"receipt": _receipt_code(game, link, "illegal"), "tokens": tokens_of(game, number, SEAT)}
    base = {name: part for name, part in base.items() if part != []}
    parts = scene(game, number)
    kit.add("seats-refusal", "proved refused-though-legal", "a good link of the new player refused", game, base | parts)
    kit.add("seats-refusal-alone", MISSING, "the same without the state", game, base)
    for part in PARTS:
        less = base | {name: value for name, value in parts.items() if name != part}
        kit.add(f"seats-refusal-no-{part}", MISSING, f"the same without `{part}`", game, less)
    other = base | {"move": link | {"type": link["type"] + "/move"}, "receipt": _receipt_code(game, link, "stale")}
    kit.add("seats-refusal-kind", "altered wrong-kind", "a move of a kind that there is not", game, other | parts)
    old = base | {"move": signed(first_holder(game), "move", link["body"])}
    kit.add("seats-refusal-old", UNSIGNED, "what the old player signs now was refused", game, old | parts)
    kit.add("seats-refusal-old-alone", MISSING, "the same without the state", game, old)


def _told(kit: Kit) -> None:
    """False private parts about sealed answers for a new holder."""
    game, _ = inherited_game()
    view = game.view()
    name = next(iter(view["privates"][-1]["body"]["sealed"][0]["fields"]))
    field = "sealed", 0, "fields", name
    true = round_proof(game, view, {})
    kit.ruled("seats-told", NOTHING, "what a new holder was told of a sealed answer", game, true)
    for what, code, about, alter in (
        ("salt", "bad-opening", "another salt", put(*field, "salt", "00" * 32)),
        ("round", "missing-opening", "of another round", put("sealed", 0, "round", 1)),
        ("empty", "bad-private", "nothing", lambda part: part.pop("sealed")),
    ):
        proof = round_proof(game, with_private(game, view, alter), {})
        kit.add(f"seats-told-{what}", f"proved {code}", f"a new holder was told falsely: {about}", game, proof)
        forged = changed(proof, "privates", 0, "sig", flipped(proof["privates"][0]["sig"]))
        kit.add(f"seats-told-{what}-forged", UNSIGNED, "the host did not sign that", game, forged)
    back = with_entry(game, view, put("returns", [return_of(view, 1, game.players[1])]))
    proof = round_proof(game, back, {})
    kit.add("seats-return", "proved bad-succession", "a return of a seat that is not out", game, proof)
