"""Vectors of real games of all four kinds in which a host did something wrong, once, and signed it; and files that
somebody altered. Which codes are right follows from what was done and from PROTOCOL.md, section 8."""

import copy
from typing import Any

from referee.crypto.codec import encode
from referee.engine.dealer import Dealer
from tests.support.match import Sitting, cheating

from . import ed25519, verifier, wire
from .vector_games import BANK, DEADLINE, GRACE, TAKEOVER, Documents, Real, public, swapping
from .vector_seats import return_of, succession_of
from .vector_tools import (
    Alter,
    Played,
    anybody,
    changed,
    drop,
    flipped,
    put,
    with_entry,
    with_move,
    with_op,
    with_private,
)
from .vector_words import with_position
from .wire import Json

NOBODY = "00" * 32
ILLEGAL: dict[str, Json] = {
    "mark": {"do": "sell", "row": 1, "source": "p1"},
    "schwarzer-freitag": {"do": "sell", "drop": "red", "mark": "red", "shares": {"red": 5}},
    "schwarzmarkt": {"card": "offer-9", "kind": "play"},
    "weg-zum-erfolg": {"kind": "go", "piece": 0},
}
"""What no player can do in the round of the protest: sell what it does not have, or more shares than the stage allows,
play a card that is not in this box, move a piece before all chips lie."""
CHANGED: dict[str, tuple[Json, ...]] = {
    "mark": ("players", 0, "money"),
    "schwarzer-freitag": ("players", 0, "money"),
    "schwarzmarkt": ("players", 0, "luxury"),
    "weg-zum-erfolg": ("turns",),
}
"""A number in the position that a host could like to be another one."""


def faults(kit: Documents) -> None:
    answers(kit)
    times(kit)
    seats(kit)
    outcomes(kit)
    operations(kit)
    if kit.whole["genesis"]["body"].get("hands"):
        hidden(kit)


def then(real: Real, what: str) -> tuple[Played, Json]:
    """The public view after this happened, and the game with those who held the seats then."""
    number = real.rounds[what]
    game = copy.copy(real.game)
    game.players = real.keys[number]
    game.moments = real.game.moments[: number + 1]
    return game, public(real.view(what))


def bad(kit: Documents, name: str, codes: str, about: str, document: Json, section: int = 8, **more: Json) -> None:
    kit.add("view", name, section, codes, about, document, **more)


def ruled(kit: Documents, name: str, codes: str, about: str, document: Json, *without: str, **more: Json) -> None:
    """A fault that only somebody with the rules can see; others find nothing, or say one of `without`."""
    bad(kit, name, codes, about, document, 9, needs="rules", **({"without": [*without]} if without else {}), **more)


# --- answers ---------------------------------------------------------------------------------------------------------


def answers(kit: Documents) -> None:
    real = kit.real
    game, view = then(real, "protest")
    seat, entry = real.seats["protest"], view["entries"][-1]["body"]

    def unsigned(alter: Alter) -> Json:
        return with_move(game, view, seat, alter, sign=False)

    bad(kit, "move", "bad-move", "the host writes another move", unsigned(put("answer", {})))
    bad(kit, "protest-struck", "bad-move", "the host strikes out a protest", unsigned(drop("protest")))
    other = next(one["seat"] for one in entry["answers"] if one["seat"] != seat)
    false = with_move(game, view, other, put("protest", NOBODY))
    bad(kit, "protest-false", "bad-round", "a seat protests that was not timed out", false, 6)
    dropped = with_entry(game, view, put("answers", [one for one in entry["answers"] if one["seat"] != other]))
    bad(kit, "dropped", "bad-round", "the link of a seat is left out", dropped, 6)
    bad(kit, "link", "bad-link", "a link of another chain", with_move(game, view, seat, put("link", NOBODY)), 6)
    bad(kit, "host-link", "bad-host-link", "another link of the host", with_entry(game, view, put("link", NOBODY)), 6)
    illegal = with_move(game, view, seat, put("answer", ILLEGAL[real.kind]))
    ruled(kit, "illegal", "rule-broken bad-ops", "a player does what nobody may, and the host takes it", illegal)
    torn = changed(view, "entries", 1, "sig", flipped(view["entries"][1]["sig"]))
    bad(kit, "signature", "bad-signature", "an entry is not signed by the host", torn)


def times(kit: Documents) -> None:
    real = kit.real
    game, view = then(real, "bank")
    bank = [[real.seats["bank"], BANK + 1]]
    bad(kit, "bank-more", "bad-due", "more than a bank has", with_entry(game, view, put("used", bank)), 6)
    game, view = then(real, "timeout")
    seat = real.seats["timeout"]
    before, entry = (view["entries"][place]["body"] for place in (-2, -1))
    spent = dict(map(tuple, before.get("used", []))).get(seat, 0)
    earliest = later(before["due"], BANK - spent + GRACE + DEADLINE)
    assert (entry["timeouts"], entry["due"]) == ([seat], earliest)
    early = with_entry(game, view, put("due", later(earliest, -1)))
    bad(kit, "early", "bad-due", "a minute too early for a timeout", early, 4)
    die = with_entry(game, view, put("ops", [{"op": "die", "sides": 6, "values": [3]}]))
    bad(kit, "timeout-plays", "bad-ops", "a die is thrown in a round with a timeout", die, 6)
    moved = with_position(game, view, put(*CHANGED[real.kind], 7))
    ruled(kit, "timeout-moves", "rule-broken", "the position changes in a round with a timeout", moved)


def later(due: str, minutes: int) -> str:
    """Within one day."""
    clock = int(due[11:13]) * 60 + int(due[14:16]) + minutes
    assert 0 <= clock < 24 * 60
    return f"{due[:11]}{clock // 60:02}:{clock % 60:02}Z"


# --- seats that change hands -----------------------------------------------------------------------------------------


def seats(kit: Documents) -> None:
    real = kit.real
    game, view = then(real, "return")
    seat = real.seats["return"]
    other = game.players[(seat + 1) % len(game.players)]
    false = with_entry(game, view, put("returns", [return_of(view, seat, other)]))
    bad(kit, "return-other", "bad-succession", "another player lets a seat come back", false, 6)
    game, view = then(real, "taken")
    seat = real.seats["taken"]
    vacancy = next(one for one in game.moments[-2]["state"]["vacant"] if one["seat"] == seat)
    early = with_entry(game, view, put("due", later(vacancy["due"], TAKEOVER - 1)))
    bad(kit, "taken-early", "bad-succession", "a seat is taken over a minute too early", early, 6)
    just = with_entry(game, view, put("due", later(vacancy["due"], TAKEOVER)))
    bad(kit, "taken-just", "", "a seat is taken over as soon as it can be", just, 6)
    before = game.players[seat]
    game, view = then(real, "taken-after")
    entry = view["entries"][-1]["body"]
    answer = next(one for one in entry["answers"] if one["seat"] == seat)
    move = wire.encoding("move", wire.canonical(verifier.rebuilt_move(entry, answer)))
    old = with_move(game, view, seat, put("sig", ed25519.sign(before, move).hex()), sign=False)
    bad(kit, "taken-old", "bad-move", "who held a seat before answers for it", old, 6)
    game, view = then(real, "handed")
    seat = real.seats["handed"]
    friend = with_entry(game, view, put("successions", [succession_of(game, view, seat)]))
    bad(kit, "handed-other", "bad-succession", "a seat goes to somebody whom its holder did not name", friend, 6)


# --- what a round leads to -------------------------------------------------------------------------------------------


def outcomes(kit: Documents) -> None:
    real = kit.real
    game, view = then(real, "bank")
    entry = view["entries"][-1]["body"]
    bad(kit, "state", "rule-broken", "another state", with_entry(game, view, put("state", NOBODY), mend=False))
    asked = [{"seat": (entry["ask"][0]["seat"] + 1) % len(game.players), "what": entry["ask"][0]["what"]}]
    ruled(kit, "ask", "rule-broken", "somebody else is asked next", with_entry(game, view, put("ask", asked)))
    *way, last = CHANGED[real.kind]
    number = view["public"]
    for step in (*way, last):
        number = number[step] if isinstance(number, list) else number.get(step, 0)
    moved = with_position(game, view, put(*way, last, number + 1))
    ruled(kit, "position", "rule-broken", "a number in the position is one higher", moved)
    if real.kind == "schwarzer-freitag":
        words = with_move(game, view, real.seats["bank"], put("standing", {}))
        ruled(kit, "words", "rule-broken", "standing orders in a game that has none", words)
        return
    game, view = then(real, "dealt")
    lost = with_position(game, view, put("standing", 1, view["public"]["standing"][0]))
    bad(kit, "words", "rule-broken", "a player's standing orders are not in the position", lost, 9)


# --- operations ------------------------------------------------------------------------------------------------------

OPERATIONS: tuple[tuple[str, str, str, str, Any], ...] = (
    ("die", "value", "bad-die", "a die shows something else",
     lambda op: op["values"].__setitem__(0, op["values"][0] % op["sides"] + 1)),
    ("deal", "slot", "bad-pick", "a token is dealt that is nowhere", put("slots", 0, "zeal.0.99")),
    ("take", "slot", "bad-pick", "a token is taken that is nowhere", put("tokens", 0, "slot", "zeal.0.99")),
    ("take", "face", "bad-opening", "a token that is taken has another face", put("tokens", 0, "face", "zeal")),
    ("take", "salt", "bad-opening", "a token that is taken has another salt", put("tokens", 0, "salt", NOBODY)),
    ("lay-out", "face", "bad-opening bad-ops", "a token laid out has another face", put("tokens", 0, "face", "zeal")),
    ("lay-out", "slot", "bad-opening", "a token is laid out that is not there", put("tokens", 0, "slot", "zeal.0.99")),
    ("lay-out-all", "salt", "bad-opening", "one of all has another salt", put("tokens", 0, "salt", NOBODY)),
    ("give", "slot", "bad-ops", "a token is given that is not there", put("slots", 0, "zeal.0.99")),
    ("seek", "slot", "bad-ops", "a token is found that is not there", put("slots", 0, "zeal.0.99")),
    ("shuffle", "less", "bad-shuffle", "a token less after resealing", lambda op: op["leaves"].pop()),
    ("unseal", "salt", "bad-shown", "a sealed field is shown with another salt",
     lambda op: next(iter(op["fields"].values())).update(salt=NOBODY)),
    ("unseal", "value", "bad-shown", "a sealed field is shown with another value",
     lambda op: next(iter(op["fields"].values())).update(value="zeal")),
)  # fmt: skip
"""Changes to the first operation of that name in the game: wrong under any rules."""


def first_op(real: Real, name: str) -> tuple[int, Json]:
    """The first round whose first operation of this name moves something, and the operation; round 0 if none does."""
    for number, entry in enumerate(real.game.view()["entries"], 1):
        op = next((op for op in entry["body"].get("ops", []) if op["op"] == name), None)
        if op and op.get("tokens") != [] and op.get("slots") != []:
            return number, op
    return 0, None


def operations(kit: Documents) -> None:
    real = kit.real
    for name, what, codes, about, alter in OPERATIONS:
        number, op = first_op(real, name)
        if number and not (what == "salt" and "tokens" in op and "salt" not in op["tokens"][0]):
            view = with_op(real.game, public(real.game.view(number)), name, alter)
            bad(kit, f"{name}-{what}", codes, about, view, 7)
    if whole := _all_laid_out(real):
        bad(kit, "lay-out-all-less", "withheld", "of all that a container holds one is kept back", whole, 7)
    for name in ("put", "unseal", "take"):
        number, _ = first_op(real, name)
        if not number:
            continue
        view = public(real.game.view(number))
        if name == "put":
            other = with_op(real.game, view, "put", put("faces", 0, "zeal"))
            ruled(kit, "put-face", "bad-ops", "another token is put into a container", other, "minted")
            continue
        gone = with_entry(real.game, view, lambda entry, name=name: _without(entry, name))
        codes = "bad-ops bad-shown" if name == "unseal" else "bad-ops bad-pick bad-opening bad-die"
        others = "bad-pick", "bad-opening", "bad-die", "minted", "bad-shuffle"  # what the next operation shows
        ruled(kit, f"{name}-gone", codes, f"the first `{name}` is left out", gone, *others)


def _without(entry: Json, name: str) -> None:
    entry["ops"].remove(next(op for op in entry["ops"] if op["op"] == name))
    if not entry["ops"]:
        del entry["ops"]


def _all_laid_out(real: Real) -> Json:
    """A token is kept back where everything is laid out."""
    for number, entry in enumerate(real.game.view()["entries"], 1):
        for place, op in enumerate(entry["body"].get("ops", [])):
            if op["op"] == "lay-out-all" and "face" not in op and op["tokens"]:
                less = put("ops", place, "tokens", op["tokens"][:-1])
                return with_entry(real.game, public(real.game.view(number)), less)
    return None


# --- what only the owner of a hand sees ------------------------------------------------------------------------------


def hidden(kit: Documents) -> None:
    real, game = kit.real, kit.real.game
    view = real.view("dealt")
    part = view["privates"][0]["body"]["openings"]
    face = with_private(game, view, put("openings", 0, "face", "zeal"))
    bad(kit, "told-face", "bad-opening", "a player is told another face", face)
    entry = with_private(game, view, put("entry", NOBODY))
    bad(kit, "told-entry", "false-private", "what is told is for another entry", entry)
    if len(part) > 1:
        less = with_private(game, view, lambda body: body["openings"].pop())
        bad(kit, "told-less", "missing-opening", "one of several is not told", less)
    gone = {name: one for name, one in view.items() if name != "privates"}
    bad(kit, "private-gone", "missing-private", "the private part is missing", gone)
    if real.kind == "schwarzmarkt":
        _false_hand(kit)
        _false_gift(kit)


def _false_hand(kit: Documents) -> None:
    """The hand of who played a card is resealed with another card in it."""
    real, game = kit.real, kit.real.game
    number, seat = real.at("bank")
    view = game.view(number, seat)
    body = view["privates"][-1]["body"]
    place = next(i for i, op in enumerate(view["entries"][-1]["body"]["ops"]) if op["op"] == "shuffle")
    anew = [i for i, one in enumerate(body["openings"]) if one["slot"].startswith(f"cards/{seat}.")]
    told = body["openings"][anew[0]]
    table = verifier.read_genesis(view["genesis"], game.bags, wire.Signatures(anybody))
    slot = wire.slot_parts(told["slot"])
    stolen = next(one for one in ("limit", "razzia") if one not in [opening["face"] for opening in body["openings"]])
    leaf = wire.leaf_of(table.seating, *slot, bytes.fromhex(told["salt"]), stolen).hex()
    document = with_entry(game, view, put("ops", place, "leaves", slot[-1], leaf))
    document = with_private(game, document, put("openings", anew[0], "face", stolen))
    bad(kit, "false-hand", "false-hand", "a card is exchanged when a hand is resealed", document)


def _false_gift(kit: Documents) -> None:
    """Another token is given away than its owner chose; the owner's own tool has kept what it chose."""

    class Thief(Dealer):
        def _given(self, seat: int, field: str, bag: str, count: int) -> tuple[str, ...]:
            honest = super()._given(seat, field, bag, count)
            held = self.book.content(bag)
            pairs = ((one, other) for one in honest for other in held if other not in honest)
            kept, stolen = next((one, other) for one, other in pairs if self.faces[one] != self.faces[other])
            return tuple(slot for slot in held if slot == stolen or (slot in honest and slot != kept))

    table = swapping()
    (seat,) = table.asked
    with cheating(Thief):
        table.step()
    view = wire.parse(table.view(seat))
    own = {str(n): wire.parse(encode(dict(fields))) for n, fields in table.own[seat].items()}
    bad(kit, "gift", "", "another token is given than was chosen: nobody can tell without the choice", view)
    bad(kit, "gift-own", "false-gift", "the same view, with what this seat had chosen", view, own=own)


def twin(real: Real) -> Sitting:
    """The same game before a seat is handed over."""
    assert real.twin is not None
    return real.twin.fork()
