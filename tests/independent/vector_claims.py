"""Vectors of claims and rulings (section 11), which blame nobody, and of what counts side by side (section 8)."""

from tests.support.match import Sitting

from . import ed25519, wire
from .vector_files import _move, _receipt
from .vector_tools import Played, Vectors, put, secret, signed, with_entry
from .wire import Json, identity

ARBITER, STRANGER = secret("arbiter"), secret("stranger")
SENT = "2027-01-01T00:30Z"
SEAT = 1


def claims_and_rulings(out: Vectors) -> None:
    public = ed25519.public_key(ARBITER)
    game = Played(Sitting("auction", 3, "vectors claims", deadline=60, arbiter=public)).step()
    _rulings(out, game)
    _claims(out, game)
    _held(out)


def _ruling(game: Played, seed: bytes = ARBITER, by: bytes = b"", **changes: Json) -> Json:
    files = sorted(wire.H("evidence", wire.canonical(game.view(-1, seat))).hex() for seat in range(len(game.players)))
    body = {"genesis": game.view()["genesis"], "key": ed25519.public_key(seed).hex(), "evidence": files}
    return signed(by or seed, "ruling", body | {"verdict": "Bert was in time."} | changes)


def _rulings(out: Vectors, game: Played) -> None:
    out.base("ruling", 11, "a ruling of the arbiter whom the offer names: it binds", game, _ruling(game), "ruling")
    genesis, evidence = game.view()["genesis"], _ruling(game)["body"]["evidence"]
    opinion = _ruling(game, STRANGER, ranks=[2, 1, 2])
    out.good("ruling-opinion", 11, "somebody else's, with ranks: an opinion", "ruling", opinion)

    def bad(name: str, codes: str, about: str, document: Json) -> None:
        out.bad(f"ruling-{name}", 11, codes, about, "ruling", document, blames="nobody")

    bad("signature", "bad-signature", "signed by somebody else than the key in it", _ruling(game, by=STRANGER))
    bad("weak", "weak-key", "a key that vouches for anything", _ruling(game, key="01" + "00" * 31))
    bad("few-ranks", "bad-ruling", "it ranks two of three seats", _ruling(game, ranks=[1, 2]))
    bad("high-rank", "bad-ruling", "a fourth place of three", _ruling(game, ranks=[1, 2, 4]))
    bad("rank-0", "malformed", "ranks count from 1", _ruling(game, ranks=[0, 1, 2]))
    bad("no-ranks", "malformed", "no ranks, spelt out", _ruling(game, ranks=[]))
    bad("order", "bad-ruling", "its files are not in order", _ruling(game, evidence=evidence[::-1]))
    bad("file-twice", "bad-ruling", "it names a file twice", _ruling(game, evidence=evidence[:1] * 2))
    bad("silent", "malformed", "a ruling that says nothing", _ruling(game, verdict=""))
    bad("long", "malformed", "more than 2,000 characters", _ruling(game, verdict="x" * 2001))
    forged = genesis | {"sig": signed(STRANGER, "genesis", genesis["body"])["sig"]}
    bad("genesis", "bad-signature", "on a game that its host did not sign", _ruling(game, genesis=forged))
    body = wire.parse(wire.canonical(genesis["body"]))
    body["joins"][0]["body"]["offer"] = "00" * 32
    body["joins"][0] = signed(game.players[0], "join", body["joins"][0]["body"])
    other = signed(game.host, "genesis", body)
    bad("other-offer", "other-offer", "on a game with a join for another offer", _ruling(game, genesis=other))


def _claim(game: Played, by: bytes = b"", **changes: Json) -> Json:
    """A seat claims that it sent the answer that it would give now."""
    view, move = game.view(-1, SEAT), wire.parse(game.sitting.signed(SEAT))
    body = {"genesis": view["genesis"], "sent": SENT, "move": {name: move[name] for name in ("body", "sig", "type")}}
    body |= {"entry": view["entries"][-1]} if view["entries"] else {}
    body |= changes
    return signed(by or game.players[SEAT], "claim", {name: part for name, part in body.items() if part != "out"})


def _claims(out: Vectors, game: Played) -> None:
    claim = _claim(game)
    out.base("claim", 11, "a player's claim, with the entry that asked", game, claim, "claim")
    first = Played(Sitting("auction", 3, "vectors claims", deadline=60, arbiter=ed25519.public_key(ARBITER)))
    out.good("claim-ack", 11, "of the ack, which no entry asked for", "claim", _claim(first))
    entry, move = (claim["body"][name] for name in ("entry", "move"))
    state, later = game.moments[-1]["state"], Played(game.sitting.fork()).step()

    def bad(name: str, codes: str, about: str, document: Json) -> None:
        out.bad(f"claim-{name}", 11, codes, about, "claim", document, blames="nobody")

    bad("signature", "bad-signature", "signed by another player", _claim(game, game.players[0]))
    forged = signed(game.players[0], "move", move["body"])
    bad("move-signature", "bad-signature", "a move that its player did not sign", _claim(game, move=forged))
    bad("move-kind", "wrong-kind", "a receipt for a move", _claim(game, move=move | {"type": wire.PREFIX + "receipt"}))
    nothing = move | {"body": [], "type": wire.PREFIX + "receipt"}
    bad("move-body", "malformed", "a list for the body of a move, called a receipt", _claim(game, move=nothing))
    odd = signed(game.players[SEAT], "move", move["body"] | {"zeal": 1})
    bad("move-shape", "malformed", "a move with an unknown field", _claim(game, move=odd))
    foreign = signed(game.players[SEAT], "move", move["body"] | {"game": "00" * 32})
    bad("move-game", "mixed-claim", "a move of another game", _claim(game, move=foreign))
    bad("entry-none", "mixed-claim", "the entry that asked is missing", _claim(game, entry="out"))
    bad("entry-other", "mixed-claim", "a later entry", _claim(game, entry=later.view()["entries"][-1]))
    unsigned = entry | {"sig": signed(STRANGER, "entry", entry["body"])["sig"]}
    bad("entry-signature", "bad-signature", "an entry that the host did not sign", _claim(game, entry=unsigned))
    strange = signed(game.host, "entry", entry["body"] | {"zeal": 1})
    bad("entry-shape", "malformed", "the host signed what is no entry: here it proves nothing",
        _claim(game, entry=strange))  # fmt: skip
    bad("state", "mixed-claim", "a state where no seat can be taken over", _claim(game, state=state))
    bad("sent", "mixed-claim", "sent on a day that does not exist", _claim(game, sent="2027-02-30T00:30Z"))
    bad("sent-never", "malformed", "sent at no time", _claim(game, sent=""))
    undue = signed(game.host, "entry", entry["body"] | {"due": "2027-02-30T00:30Z"})
    asked = wire.identity("entry", undue["body"]).hex()
    answers = signed(game.players[SEAT], "move", move["body"] | {"asked": asked})
    bad("due", "mixed-claim", "due on a day that does not exist", _claim(game, entry=undue, move=answers))


def _held(out: Vectors) -> None:
    """Where seats can be taken over, the state says whose claim it is."""
    game = Played(Sitting("auction", 3, "vectors claims held", deadline=60, takeovers=1)).step()
    state = game.moments[-1]["state"]
    claim = _claim(game, state=state)
    out.base("claim-held", 11, "a claim with the state that says who held the seat", game, claim, "claim")

    def bad(name: str, codes: str, about: str, document: Json) -> None:
        out.bad(f"claim-held-{name}", 11, codes, about, "claim-held", document, blames="nobody")

    bad("missing", "undecided", "the state is missing", _claim(game))
    bad("other", "mixed-claim", "the state of another round", _claim(game, state=game.moments[0]["state"]))
    taken = {"seat": SEAT, "since": 1, "name": "Zoe", "key": ed25519.public_key(STRANGER).hex()}
    taken |= {"nonce": "11" * 32, "tip": "22" * 32}
    for name, codes, about, holders, by in (
        ("successor", "", "by who took over the seat", [taken], STRANGER),
        ("before", "bad-signature", "by who held the seat before", [taken], game.players[SEAT]),
        ("weak", "weak-key", "by a key that vouches for anything", [taken | {"key": "01" + "00" * 31}], STRANGER),
        ("unreadable", "undecided", "the host signed the hash of what is no state", [{"seat": SEAT}], STRANGER),
    ):
        document = _claim(game, by, **_stated(game, state | {"holders": holders}, by))
        if codes:
            bad(name, codes, about, document)
        else:
            out.good(f"claim-held-{name}", 11, about, "claim-held", document)


def _stated(game: Played, state: Json, by: bytes) -> dict[str, Json]:
    """The parts of a claim whose entry the host signed with the hash of this state, and a move that answers it."""
    view, move = game.view(-1, SEAT), wire.parse(game.sitting.signed(SEAT))["body"]
    entry = view["entries"][-1]["body"]
    entry |= {"state": wire.H("state", bytes.fromhex(entry["game"]), wire.canonical(state)).hex()}
    asked = wire.identity("entry", entry).hex()
    signed_move = signed(by, "move", move | {"asked": asked})
    return {"state": state, "entry": signed(game.host, "entry", entry), "move": signed_move}


def what_counts(out: Vectors, game: Played) -> None:
    """Of several faults side by side the first in the order of the text; and what looks like one."""
    end, ack = game.view(), _move(game, 1, 1)
    name, acked = (identity("move", one["body"]).hex() for one in (_move(game, 2, 1), ack))
    taken, refused = (_receipt(game, 2, 1, name, code) for code in ("taken", "illegal"))
    out.several(
        "several-first-dropped",
        "taken-and-dropped",
        "one move was taken and refused, and another one taken that the entry does not have",
        ("view-end", end),
        ("", taken),
        ("", refused),
        ("", _receipt(game, 2, 0, "ab" * 32, "taken")),
    )
    out.several(
        "several-refused-elsewhere",
        "",
        "a move was taken, and refused for another seat: not of one round and seat",
        ("view-end", end),
        ("", taken),
        ("", _receipt(game, 2, 0, name, "illegal")),
    )
    for tag, about, view, seat in (
        ("stranger", "a refused ack beside the view of another seat", end, 1),
        ("seat", "a refusal for another seat than that of the ack", game.view(-1, 1), 0),
    ):
        refusal = _receipt(game, 1, seat, acked, "bad-link")
        out.several(f"several-refused-ack-{tag}", "", about, ("view-end", view), ("", ack), ("", refusal))
    about = "a question to a seat that no table has"
    asked = with_entry(game, game.view(1), put("ask", 0, "seat", 16), mend=False)
    out.bad("view-entry-ask-16", 4, "bad-entry", about, "view-end", asked)
