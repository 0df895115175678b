"""Vectors of whole games: transcripts, several files, two faults in one file."""

import base64
from typing import Any

from referee.crypto.keys import Key
from referee.engine import host as hosting
from referee.engine.answers import seen
from referee.engine.dealer import Dealer
from referee.engine.seats import rests
from tests.support.match import Sitting, cheating

from . import verifier, wire
from .vector_tools import (
    Played,
    Vectors,
    changed,
    copied,
    flipped,
    other_gift,
    own_fields,
    put,
    secret,
    signed,
    stacked,
    with_entry,
    with_genesis,
    with_join,
    with_move,
    with_offer,
    with_op,
)
from .wire import Json, identity


def transcripts(out: Vectors, game: Played, late: Played) -> None:
    whole = game.transcript()
    out.base("transcript-end", 8, "a finished game with all its secrets", game, whole)
    out.base("transcript-late", 8, "a finished game with missed deadlines", late, late.transcript())

    def bad(name: str, codes: str, about: str, document: Json, **more: Json) -> None:
        out.bad(f"transcript-{name}", 8, codes, about, "transcript-end", document, **more)

    bad("secret", "bad-secret", "another M", whole | {"secret": flipped(whole["secret"])})
    bad("format", "wrong-kind malformed", "a view's format", whole | {"format": wire.PREFIX + "view"})
    bad("no-secret", "malformed", "no M", {k: v for k, v in whole.items() if k != "secret"})
    bad("unknown", "malformed", "an unknown field", whole | {"zeal": 1})
    parts = whole["sealed"]
    bad("sealed-gone", "bad-sealed", "a sealed part is missing", whole | {"sealed": parts[1:]})
    bad(
        "sealed-all-gone",
        "bad-sealed",
        "all sealed parts are missing",
        {k: v for k, v in whole.items() if k != "sealed"},
    )
    bad("sealed-twice", "bad-sealed", "a sealed part twice", whole | {"sealed": [*parts, parts[-1]]})
    bad(
        "sealed-more",
        "bad-sealed",
        "a sealed part of an answer that has none",
        whole | {"sealed": [*parts, parts[-1] | {"round": 1}]},
    )
    bad(
        "sealed-future",
        "bad-sealed",
        "a sealed part of a round that never was",
        whole | {"sealed": [*parts, parts[-1] | {"round": 99}]},
    )
    name = next(iter(parts[0]["fields"]))
    bad("sealed-salt", "bad-sealed", "another salt", changed(whole, "sealed", 0, "fields", name, "salt", "00" * 32))
    bad("sealed-value", "bad-sealed", "another value", changed(whole, "sealed", 0, "fields", name, "value", 99))
    bad(
        "sealed-field",
        "bad-sealed",
        "another field",
        changed(whole, "sealed", 0, "fields", {"zeal": parts[0]["fields"][name]}),
    )
    bad(
        "cut",
        "not-over",
        "the game goes on",
        _cut(whole, 5),
    )
    bad("empty", "not-over", "no entry", {k: v for k, v in whole.items() if k != "sealed"} | {"entries": []})
    bad(
        "signature",
        "bad-signature",
        "an entry has another signature",
        changed(whole, "entries", 3, "sig", flipped(whole["entries"][3]["sig"])),
    )
    bad(
        "chain",
        "altered-chain",
        "an entry is missing",
        whole | {"entries": whole["entries"][:2] + whole["entries"][3:]},
    )
    for number, op, alter, codes, about in (
        (1, "die", put("values", [7]), "bad-die", "a die shows 7"),
        (1, "deal", lambda op: op["slots"].__setitem__(0, "pile.0.99"), "bad-pick", "another slot is dealt"),
        (2, "unseal", put("fields", "amount", "salt", "00" * 32), "bad-shown", "another salt is shown"),
        (
            3,
            "shuffle",
            lambda op: op["leaves"].reverse(),
            "bad-ops",
            "a hand resealed in another order than M gives",
        ),
        (3, "shuffle", lambda op: op["leaves"].pop(), "bad-shuffle", "a token less after resealing"),
        (3, "give", lambda op: op.update(slots=["pile.0.99"]), "bad-ops", "a slot is given that is not there"),
        (4, "lay-out", put("tokens", 0, "salt", "00" * 32), "bad-opening", "another salt"),
        (
            7,
            "shuffle",
            lambda op: op["leaves"].reverse(),
            "bad-ops",
            "a pile resealed in another order than M gives",
        ),
        (12, "lay-out-all", put("tokens", []), "withheld", "the prize is kept back"),
    ):
        document = with_op(game, _cut(whole, number), op, alter)
        bad(f"round-{number:02}-{op}" + ("-less" if codes == "bad-shuffle" else ""), codes, about, document)
    bad("state", "rule-broken", "`state` is another hash", with_entry(game, whole, put("state", "00" * 32), mend=False))
    bad(
        "public",
        "rule-broken",
        "`public` is another hash",
        with_entry(game, whole, put("public", "00" * 32)),
        needs="rules",
    )
    lie = other_gift(game, _raider(game))[0]
    lie.to_end()
    out.base("view-gift-end", 8, "a game in which another card was given than was chosen, to the end", lie, lie.view())
    stolen = lie.transcript()
    out.bad(
        "transcript-gift",
        8,
        "bad-ops",
        "the transcript shows that another card was given than was chosen",
        "transcript-end",
        stolen,
    )
    illegal = _illegal()
    out.bad(
        "transcript-illegal",
        8,
        "illegal-move",
        "a player raided with a card that it did not hold, and the host took it",
        "transcript-end",
        illegal,
        needs="rules",
        without=["bad-ops", "bad-sealed"],
    )

    def exchanged(faces: dict[str, str], one: str, other: str) -> None:
        faces[one], faces[other] = faces[other], faces[one]

    swapped, _ = next(stacked(exchanged))
    swapped.to_end()
    out.base(
        "view-exchanged",
        8,
        "two cards of the pile lie the other way round than M says: nobody can see it",
        swapped,
        swapped.view(),
    )
    out.bad(
        "transcript-bad-bag",
        8,
        "bad-bag",
        "two cards of the pile lie the other way round than M says",
        "transcript-end",
        swapped.transcript(),
    )
    resting = Played(Sitting("auction", 2, "vectors rest")).until(2)
    while not rests(resting.sitting.state):
        resting.step(0, 1)
    out.good("transcript-rests", 8, "a game that rests may be revealed", "transcript-end", resting.transcript())


def _cut(transcript: Json, rounds: int) -> Json:
    """The beginning of a transcript, with the sealed parts of those rounds."""
    sealed = [part for part in transcript["sealed"] if part["round"] <= rounds]
    short = {k: v for k, v in transcript.items() if k != "sealed"} | {"entries": transcript["entries"][:rounds]}
    return copied(short | ({"sealed": sealed} if sealed else {}))


def _raider(game: Played) -> int:
    return int(game.view(3)["entries"][-1]["body"]["answers"][0]["seat"])


def _illegal() -> Json:
    """A transcript with a raid whose sealed card is not in the hand; the host looked away and gave another one."""

    class Blind(Dealer):
        def _given(self, seat: int, field: str, bag: str, count: int) -> tuple[str, ...]:
            return tuple(self.book.content(bag)[:count])

    game = Played(Sitting("auction", 2, "vectors", deadline=0)).until("raid")
    sitting = game.sitting
    seat = sitting.asked[0]
    held = {sitting.match.faces[slot] for slot in sitting.state.book.bags[f"hand/{seat}"].slots}
    card = next(f"{n:02}" for n in range(1, 10) if f"{n:02}" not in held)
    module = type(sitting.table.game.bots["random"](sitting.table.terms, _seen(sitting, seat), lambda n: 0))
    file = sitting.forced(seat, module(target=1 - seat, card=card))
    honest = hosting.judge
    hosting.judge = lambda *_: None
    try:
        with cheating(Blind):
            assert sitting.give(file).code == "taken"
    finally:
        hosting.judge = honest
    game._note()
    game.to_end()
    return game.transcript()


def _seen(sitting: Sitting, seat: int) -> Any:
    match = sitting.match
    return seen(sitting.table.game, match.state, match.checkpoint.public, seat, match.faces)


def _receipt(game: Played, round_: int, seat: int, move: str, code: str, seed: bytes = b"") -> Json:
    body = {"game": identity("genesis", game.view(0)["genesis"]["body"]).hex(), "round": round_, "seat": seat}
    return signed(seed or game.host, "receipt", body | {"move": move, "code": code})


def _move(game: Played, round_: int, seat: int) -> Json:
    """The move that a seat signed, as an entry has it."""
    entry = game.view()["entries"][round_ - 1]["body"]
    answer = next(answer for answer in entry["answers"] if answer["seat"] == seat)
    return {"body": verifier.rebuilt_move(entry, answer), "sig": answer["sig"], "type": wire.PREFIX + "move"}


def several(out: Vectors, game: Played, late: Played) -> None:
    end, other, whole = game.view(), game.view(-1, 1), game.transcript()
    move = _move(game, 2, 1)
    name = identity("move", move["body"]).hex()
    taken = _receipt(game, 2, 1, name, "taken")
    out.several(
        "several-good",
        "",
        "two views, the transcript, a receipt and its move",
        ("view-end", end),
        ("view-end", other),
        ("transcript-end", whole),
        ("", taken),
        ("", move),
    )
    twin = Played(Sitting("auction", 2, "vectors", deadline=0))
    twin.until(2)
    twin.sitting.step(salt="another")
    twin._note()
    out.several(
        "several-two-entries",
        "two-entries",
        "two entries of round 3",
        ("view-end", game.view(4)),
        ("view-end", twin.view()),
    )
    swapped = with_genesis(game, game.view(0), lambda body: body["joins"].reverse())
    out.several(
        "several-two-geneses",
        "two-geneses",
        "one offer, two games: the seats changed places",
        ("view-start", game.view(0)),
        ("view-start", swapped),
    )
    out.several(
        "several-part-of-it",
        "",
        "a view of the first rounds beside one of all",
        ("view-end", game.view(3)),
        ("view-end", other),
    )
    late_name = identity("move", _move(late, 3, 1)["body"]).hex()
    out.several(
        "several-timed-out",
        "taken-and-timed-out",
        "an answer was taken, and the seat timed out",
        ("view-late", late.view()),
        ("", _receipt(late, 2, 1, late_name, "taken")),
    )
    out.several(
        "several-answered",
        "answered-and-timed-out",
        "a seat had answered, and was timed out",
        ("view-late", late.view()),
        ("", _receipt(late, 2, 1, late_name, "answered")),
    )
    out.several(
        "several-dropped",
        "taken-and-dropped",
        "an answer was taken that the entry does not have",
        ("view-end", end),
        ("", _receipt(game, 2, 1, "ab" * 32, "taken")),
    )
    out.several(
        "several-refused",
        "taken-and-refused",
        "one move was taken and refused",
        ("view-end", end),
        ("", taken),
        ("", _receipt(game, 2, 1, name, "illegal")),
    )
    out.several(
        "several-two-taken",
        "taken-and-dropped",
        "two moves of one seat and round were taken, of which the entry has one",
        ("view-end", end),
        ("", taken),
        ("", _receipt(game, 2, 1, "ab" * 32, "taken")),
    )
    out.several(
        "several-two-taken-open",
        "two-taken",
        "two moves of the open round were taken",
        ("view-end", game.view(1)),
        ("", taken),
        ("", _receipt(game, 2, 1, "ab" * 32, "taken")),
    )
    ack = _move(game, 1, 1)
    refusal = _receipt(game, 1, 1, identity("move", ack["body"]).hex(), "illegal")
    out.several(
        "several-refused-ack",
        "refused-though-legal",
        "a good ack was refused",
        ("view-start", game.view(0, 1)),
        ("", ack),
        ("", refusal),
    )
    no, own = _receipt(game, 2, 1, name, "illegal"), {"2": own_fields(game, 1)[2]}
    out.several(
        "several-refused-bid",
        "refused-though-legal",
        "a legal bid was refused",
        ("view-end", game.view(1, 1)),
        ("", _with_sealed(game, move, 2, 1)),
        ("", no),
        needs="rules",
        own=own,
    )
    out.several(
        "several-refused-unknown",
        "",
        "a refused bid whose sealed part nobody knows but the host proves nothing",
        ("view-end", game.view(1, 1)),
        ("", _with_sealed(game, move, 2, 1)),
        ("", no),
    )
    out.several(
        "several-commitment",
        "",
        "a refusal of what is sealed proves nothing without the key it was encrypted with",
        ("view-end", game.view(1, 1)),
        ("", _with_sealed(game, move, 2, 1)),
        ("", _receipt(game, 2, 1, name, "bad-commitment")),
        own=own,
    )
    out.several(
        "several-taken-later",
        "taken-and-refused",
        "refused for its sealed part, then taken",
        ("view-end", end),
        ("", taken),
        ("", _receipt(game, 2, 1, name, "bad-commitment")),
    )
    out.several(
        "several-revealed",
        "",
        "a refusal after M was revealed proves nothing",
        ("view-end", game.view(1, 1)),
        ("", _with_sealed(game, move, 2, 1)),
        ("", _receipt(game, 2, 1, name, "revealed")),
        own=own,
    )
    odd = signed(game.host, "receipt", taken["body"] | {"zeal": 1})
    out.several("several-odd-receipt", "", "a receipt that cannot be read proves nothing", ("view-end", end), ("", odd))
    out.several(
        "several-stale",
        "",
        "a stale answer may be refused",
        ("view-end", game.view(3, 1)),
        ("", move),
        ("", _receipt(game, 2, 1, name, "stale")),
    )
    out.several(
        "several-not-the-host",
        "",
        "a receipt that the host did not sign proves nothing",
        ("view-end", end),
        ("", _receipt(game, 2, 1, "ab" * 32, "taken", game.players[0])),
    )
    foreign = _receipt(late, 2, 1, "ab" * 32, "taken")
    out.several("several-other-game", "", "a receipt of another game proves nothing", ("view-end", end), ("", foreign))
    out.several(
        "several-bad-part",
        "bad-signature",
        "one of the files is not good by itself",
        ("view-end", end),
        ("view-end", changed(other, "entries", 3, "sig", flipped(other["entries"][3]["sig"]))),
    )


def _with_sealed(game: Played, move: Json, round_: int, seat: int) -> Json:
    public = bytes.fromhex(game.view(0)["genesis"]["body"]["offer"]["body"]["box"])
    fields = own_fields(game, seat)[round_]
    data = wire.boxed(wire.own_ephemeral(game.players[seat], move["body"], fields), public, move["body"], fields)
    assert wire.box_hash(data) == move["body"]["box"]
    return move | {"sealed": base64.b64encode(data).decode()}


def two_faults(out: Vectors, game: Played) -> None:
    deal, bids = game.view(1), game.view(2)

    def bad(name: str, codes: str, about: str, base: str, document: Json) -> None:
        out.bad(f"two-{name}", 8, codes, about, base, document)

    both = with_op(game, deal, "die", put("values", [0]))
    both = with_entry(game, both, put("ops", 1, "slots", 0, "pile.0.99"))
    bad("ops", "bad-die bad-pick", "a die and a pick of one entry are wrong", "view-dealt", both)
    one = with_move(game, bids, 1, put("link", "00" * 32))
    bad(
        "round",
        "bad-link bad-host-link",
        "two links of one entry are wrong",
        "view-bids",
        with_entry(game, one, put("link", "00" * 32)),
    )
    first = with_op(game, deal, "die", put("values", [0]))
    view = game.view(5)
    later = view | {
        "entries": [
            first["entries"][0],
            *view["entries"][1:4],
            changed(view["entries"][4], "sig", flipped(view["entries"][4]["sig"])),
        ]
    }
    later["privates"] = [first["privates"][0], *view["privates"][1:]]
    bad("entries", "bad-die", "the first entry is wrong, and a later one: the first counts", "view-five", later)
    steps = changed(view, "privates", 0, "sig", flipped(view["privates"][0]["sig"]))
    steps = changed(steps, "entries", 0, "sig", flipped(view["entries"][0]["sig"]))
    bad(
        "steps",
        "bad-signature",
        "a private part and an entry are not signed: the first step counts",
        "view-five",
        steps,
    )
    early = changed(view, "privates", view["privates"][::-1])
    early = changed(early, "public", "lot", 99)
    bad("view", "mixed-view", "private parts out of order, and another position", "view-five", early)
    name = with_join(game, game.view(0), 1, name="ANNÄ", offer="00" * 32)
    bad("genesis", "bad-name other-offer", "a join for another offer, under a name that is taken", "view-start", name)
    move = with_move(game, bids, 1, put("sig", flipped(bids["entries"][-1]["body"]["answers"][1]["sig"])), sign=False)
    move = with_entry(game, move, put("prev", "00" * 32))
    bad(
        "entry",
        "bad-move broken-chain",
        "a move that nobody signed, in an entry that follows another one",
        "view-bids",
        move,
    )
    weak = with_offer(game, game.view(0), key="01" + "00" * 31)
    weak = with_join(game, weak, 1, name="")
    bad("weak", "weak-key malformed", "a weak key of the host, and a name that is none", "view-start", weak)
    host = Key(secret("two"), "Two").public.hex()
    bad(
        "keys",
        "bad-signature weak-key",
        "the key of somebody else, and a weak one",
        "view-start",
        with_join(game, with_offer(game, game.view(0), key=host), 1, key="00" * 32),
    )
