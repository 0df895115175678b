"""The second verifier judges claims, rulings and single documents: sections 8 and 11 of schemas/PROTOCOL.md.

Like the rest of it, it follows that document, uses the standard library only and shares no code with the program.
"""

from collections.abc import Callable

from . import ed25519
from .proofs import STATE
from .verifier import (
    Table,
    check_lobby,
    check_offer,
    check_signer,
    is_extension,
    minutes,
    read_genesis,
    read_signed_genesis,
    read_state,
)
from .wire import (
    ABSENT,
    DUE,
    ENTRY,
    HEX,
    JOIN,
    MAX_BODY,
    MOVE,
    MOVE_FILE,
    OFFER,
    PREFIX,
    RECEIPT,
    ROUND,
    SEAT,
    SUCCESSION,
    Bad,
    Bags,
    H,
    Json,
    Shape,
    Signatures,
    VerifySignature,
    canonical,
    embedded,
    envelope,
    identity,
    is_name,
    kind_of,
    listed,
    matching,
    need,
    number,
    parse_file,
    record,
)

CLAIM = record(
    {"genesis": envelope, "move": envelope, "sent": DUE}, {"entry": (envelope, ABSENT), "state": (embedded, ABSENT)}
)
RULING = record(
    {"genesis": envelope, "key": HEX, "evidence": listed(HEX), "verdict": matching("(?s).{1,2000}")},
    {"ranks": (listed(number(1, 16)), [])},
)
WORD = record({"game": HEX, "round": ROUND, "seat": SEAT, "text": matching("(?s).{1,200}")})
RETURN = record({"game": HEX, "seat": SEAT, "vacancy": HEX})
LOOSE: dict[str, Shape] = {
    "move": MOVE,
    "word": WORD,
    "receipt": RECEIPT,
    "extension": lambda body: is_extension(body),
    "succession": SUCCESSION,
    "return": RETURN,
}
"""Documents that mean something only together with others: alone, only their form is checked."""
KINDS = ("claim", "ruling", "offer", "join", "genesis", *LOOSE)


class Blameless(Bad):
    """An error that is not an offence here, whatever its code means elsewhere."""

    @property
    def kind(self) -> str:
        return "undecided" if self.code == "undecided" else "altered"


def judge(data: bytes, bags: Bags, verify: VerifySignature = ed25519.verify) -> str:
    """The result for a good document of these kinds, `binding` or `opinion` for a ruling; raises what is wrong with
    it."""
    document = parse_file(data)
    kind = kind_of(document)
    need(kind in KINDS, "wrong-kind", "nothing is said of this alone")
    need(len(data.rstrip(b"\r\n")) <= MAX_BODY, "too-large", "the file is too long")
    need((MOVE_FILE if kind == "move" else envelope)(document), "malformed", f"the {kind} has another shape")
    signatures = Signatures(verify)
    if kind == "genesis":
        read_genesis(document, bags, signatures)
        return ""
    if kind in LOOSE:
        need(LOOSE[kind](document["body"]), "malformed", f"the {kind} has another shape")
        return ""
    judges: dict[str, Callable[[Json, Signatures], str]] = {
        "claim": _claim,
        "ruling": _ruling,
        "offer": _offer,
        "join": _join,
    }
    try:
        return judges[kind](document, signatures)
    except Bad as bad:
        raise Blameless(bad.code, str(bad)) from None


def _offer(document: Json, signatures: Signatures) -> str:
    need(OFFER(document["body"]), "malformed", "the offer has another shape")
    check_offer(document, signatures)
    return ""


def _join(document: Json, signatures: Signatures) -> str:
    need(JOIN(document["body"]), "malformed", "the join has another shape")
    check_signer(document, "join", signatures)
    need(is_name(document["body"]["name"]), "bad-name", "a name that is not allowed")
    return ""


# --- section 11: claims and rulings -----------------------------------------------------------------------------------


def _joined(genesis: Json, signatures: Signatures) -> Table:
    """A table whose host and players signed that they play there."""
    table = read_signed_genesis(genesis, {}, signatures)
    check_lobby(genesis, signatures)
    return table


def _ruling(document: Json, signatures: Signatures) -> str:
    body = document["body"]
    need(RULING(body), "malformed", "the ruling has another shape")
    table = _joined(body["genesis"], signatures)
    check_signer(document, "ruling", signatures)
    evidence, ranks = body["evidence"], body.get("ranks", [])
    need(evidence == sorted(set(evidence)), "bad-ruling", "its files are not in order")
    whole = not ranks or (len(ranks) == table.seats and max(ranks) <= table.seats)
    need(whole, "bad-ruling", "it ranks other seats")
    offer = body["genesis"]["body"]["offer"]["body"]
    return "binding" if offer.get("arbiter") == body["key"] else "opinion"


def _claim(document: Json, signatures: Signatures) -> str:
    body = document["body"]
    need(CLAIM(body), "malformed", "the claim has another shape")
    table = _joined(body["genesis"], signatures)
    game, move = table.game.hex(), body["move"]["body"]
    need(body["move"]["type"] == PREFIX + "move", "wrong-kind", "this is no move")
    need(MOVE(move), "malformed", "the move has another shape")
    need(move["game"] == game and move["seat"] < table.seats, "mixed-claim", "a move of another game")
    due, holder = "", table.players[move["seat"]]
    shown = "entry" in body and table.takeovers
    if "entry" in body:
        entry = signatures.opened(body["entry"], "entry", table.host.key)
        need(ENTRY(entry), "malformed", "the entry has another shape")
        here = entry["game"] == game and entry["round"] > 0 and entry["round"] + 1 == move["round"]
        need(here and identity("entry", entry).hex() == move["asked"], "mixed-claim", "another entry asked")
        due = entry.get("due", "")
        if shown:
            need("state" in body, "undecided", "who held the seat")
            fits = H("state", table.game, canonical(body["state"])).hex() == entry["state"]
            need(fits, "mixed-claim", "another state")
            need(STATE(body["state"]), "undecided", "the state cannot be read")
            holder = table.holder(read_state(body["state"], ""), move["seat"])
    else:
        need(move["round"] == 1 and move["asked"] == game, "mixed-claim", "the entry that asked is missing")
    need(shown or "state" not in body, "mixed-claim", "a state that says nothing")
    check_signer(body["move"], "move", signatures, holder.key.hex())
    check_signer(document, "claim", signatures, holder.key.hex())
    times = [body["sent"], due or body["sent"]]
    need(all(minutes(time) is not None for time in times), "mixed-claim", "no such time")
    return ""
