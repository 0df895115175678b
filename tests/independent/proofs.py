"""The second verifier judges proofs of an offence: section 11 of schemas/PROTOCOL.md, without the rules of any game.

Like the rest of it, it follows that document, uses the standard library only and shares no code with the program.
"""

import json
from dataclasses import dataclass
from typing import NamedTuple

from . import ed25519, verifier
from .verifier import Known, State, Table, asked, check_answers, check_moves, fits_question, rebuilt_move
from .wire import (
    ABSENT,
    ASK,
    CONTAINER,
    COUNT,
    ENTRY,
    FACE,
    FIELD,
    FLAG,
    HEX,
    LINKS,
    MAX_BODY,
    MAX_BYTES,
    MOVE,
    PREFIX,
    PRIVATE,
    RECEIPT,
    RESULT,
    ROUND,
    SEALED,
    SEAT,
    SLOT,
    TOKEN,
    Bad,
    Bags,
    H,
    Json,
    Shape,
    Signatures,
    VerifySignature,
    canonical,
    commitment,
    embedded,
    embedded_object,
    envelope,
    identity,
    keyed,
    leaf_of,
    listed,
    matching,
    need,
    number,
    parse,
    record,
    slot_parts,
    text,
)

ALTERED = {"malformed", "wrong-kind", "too-large", "bad-signature", "weak-key", "mixed-proof", "no-offence"}
ALTERED |= {"bad-secret", "bad-sealed", "altered-chain"}
UNDECIDED = {"undecided", "needs-rules"}
NO_PROOF = {"bad-commitment", "early", "revealed"}
NOT_OF_THE_MOVE = {"taken", "stale", "answered"} | NO_PROOF


class Verdict(NamedTuple):
    """What a proof shows: `proved`, `altered` or `undecided`, a code, and the key that is proved to have signed it."""

    verdict: str
    code: str
    key: str = ""


class Hosts(Exception):
    """An offence, whatever its code says elsewhere: the host signed that it is all right."""

    def __init__(self, code: str) -> None:
        self.code = code


def judge(data: bytes, bags: Bags | None, verify: VerifySignature = ed25519.verify) -> Verdict:
    """The verdict on a proof; `bags` is what the rules put into the containers, None if nobody vouches for that."""
    key = ""
    try:
        document = _parse(data)
        need(_shape(document), "malformed", "the proof has another shape")
        signatures = Signatures(verify)
        table = verifier.read_signed_genesis(document["genesis"], bags or {}, signatures)
        key = table.host.key.hex()
        _COURTS[document["shows"]](Court(document, table, bags, signatures))
        raise Bad("no-offence", "everything is in order")
    except Hosts as found:
        return Verdict("proved", found.code, key)
    except Bad as bad:
        if bad.code in UNDECIDED:
            return Verdict("undecided", bad.code)
        return Verdict("altered", bad.code) if bad.code in ALTERED else Verdict("proved", bad.code, key)
    except (LookupError, TypeError, ValueError, AttributeError):
        return Verdict("altered", "mixed-proof")


# --- reading --------------------------------------------------------------------------------------------------------


class Unread(NamedTuple):
    """The body of an entry or of a private part, exactly as it stands there."""

    data: bytes


class _Reader:
    """Canonical JSON of a proof, whose bodies of entries and private parts are read later."""

    def __init__(self, whole: str) -> None:
        self.whole, self.at = whole, 0

    def literal(self, wanted: str) -> bool:
        found = self.whole.startswith(wanted, self.at)
        self.at += len(wanted) if found else 0
        return found

    def expect(self, wanted: str) -> None:
        need(self.literal(wanted), "malformed", f"{wanted} is missing")

    def skip(self) -> str:
        """The text of one JSON value."""
        start = self.at
        _, self.at = json.JSONDecoder().raw_decode(self.whole, self.at)
        return self.whole[start : self.at]

    def value(self) -> Json:
        return parse(self.skip().encode())

    def unread(self) -> Json:
        """An envelope; what is none of the usual form is left to the check of shapes."""
        self.expect('{"body":')
        body = Unread(self.skip().encode())
        self.expect(',"sig":')
        sig = self.value()
        self.expect(',"type":')
        out = {"body": body, "sig": sig, "type": self.value()}
        self.expect("}")
        return out

    def some(self) -> list[Json]:
        self.expect("[")
        out: list[Json] = []
        while not self.literal("]"):
            if out:
                self.expect(",")
            out.append(self.unread())
        return out

    def document(self) -> dict[str, Json]:
        self.expect("{")
        out: dict[str, Json] = {}
        while not self.literal("}"):
            if out:
                self.expect(",")
            name = self.value()
            need(text(name) and name.isascii() and name > max(out, default=""), "malformed", "names are not in order")
            self.expect(":")
            lists, single = ("entries", "privates"), ("entry", "before")
            out[name] = self.some() if name in lists else self.unread() if name in single else self.value()
        need(self.at == len(self.whole), "malformed", "something follows")
        return out


def _parse(data: bytes) -> Json:
    data = data.rstrip(b"\r\n")
    need(len(data) <= MAX_BYTES, "too-large", "the document is too long")
    try:
        return _Reader(data.decode()).document()
    except (ValueError, RecursionError) as error:
        raise Bad("malformed", f"not JSON: {error}") from None


def _unread(value: Json) -> bool:
    body = value.get("body") if isinstance(value, dict) else None
    short = isinstance(body, Unread) and body.data.startswith(b"{") and len(body.data) <= MAX_BODY
    return short and envelope(value | {"body": {}})


def some(shape: Shape, least: int, most: int) -> Shape:
    return lambda value: listed(shape)(value) and least <= len(value) <= most


PROOF = {"format": matching(PREFIX + "proof"), "genesis": envelope, "shows": text}
SCENE = {
    "before": (_unread, ABSENT),
    "state": (embedded, ABSENT),
    "public": (embedded, ABSENT),
    "tokens": (listed(TOKEN), []),
    "sealed": (listed(SEALED), []),
}
SHAPES = {
    "genesis": record(PROOF),
    "geneses": record(PROOF | {"other": envelope}),
    "entries": record(PROOF | {"entries": some(_unread, 2, 2)}),
    "round": record(PROOF | {"entry": _unread}, SCENE | {"privates": (some(_unread, 0, 16), [])}),
    "receipts": record(PROOF | {"receipts": some(envelope, 1, 2)}, {"entry": (_unread, ABSENT)}),
    "refusal": record(PROOF | {"move": envelope, "receipt": envelope}, SCENE),
    "transcript": record(
        PROOF | {"entries": some(_unread, 0, LINKS), "secret": HEX},
        {"sealed": (listed(SEALED), []), "chance": (HEX, "")},
    ),
}


def _pair(first: Shape, second: Shape) -> Shape:
    return lambda value: isinstance(value, list) and len(value) == 2 and first(value[0]) and second(value[1])


LINK, NAMES = _pair(ROUND, HEX), listed(SLOT)
BAG = record({}, {"generation": (number(-1, 10**6), -1), "puts": (COUNT, 0), "slots": (NAMES, []), "tail": (NAMES, [])})
BOOK = record(
    {},
    {
        "bags": (keyed(CONTAINER, BAG), {}),
        "leaves": (keyed(SLOT, HEX), {}),
        "faces": (keyed(SLOT, FACE), {}),
        "told": (keyed(SLOT, listed(SEAT)), {}),
        "inside": (keyed(FACE, COUNT), {}),
    },
)
HELD = record({"seat": SEAT, "round": ROUND}, {"answer": (embedded_object, ABSENT), "commit": (keyed(FIELD, HEX), {})})
STATE = record(
    {"acc": HEX, "book": BOOK, "host_link": LINK, "round": ROUND},
    {
        "drawn": (keyed(text, COUNT), {}),
        "due": (matching("[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]Z"), ""),
        "end": (matching("result|left|void"), ""),
        "held": (listed(HELD), []),
        "holding": (FLAG, False),
        "left": (listed(_pair(SEAT, ROUND)), []),
        "links": (listed(LINK), []),
        "missed": (listed(COUNT), []),
        "pending": (listed(ASK), []),
        "public": (HEX, ""),
        "result": (RESULT, ABSENT),
    },
)


def _shape(document: Json) -> bool:
    shows = document.get("shows")
    return isinstance(shows, str) and shows in SHAPES and SHAPES[shows](document)


# --- judging --------------------------------------------------------------------------------------------------------


def mixed(good: object, message: str) -> None:
    need(good, "mixed-proof", message)


def rules(message: str) -> Bad:
    return Bad("needs-rules", message)


@dataclass
class Court:
    """A proof, and how its parts are read."""

    document: Json
    table: Table
    bags: Bags | None
    signatures: Signatures

    # -- step 2

    def _unread(self, sealed: Json, kind: str, shape: Shape) -> Json:
        """What the host signed and must be readable."""
        need(sealed["type"] == PREFIX + kind, "wrong-kind", f"this is no {kind}")
        data = sealed["body"].data
        good = self.signatures.good_bytes(kind, data, sealed["sig"], self.table.host.key)
        need(good, "bad-signature", "the host did not sign this")
        try:
            body = parse(data)
        except Bad:
            body = None
        need(shape(body), f"bad-{kind}", f"the {kind} cannot be read")
        return body

    def entry(self, sealed: Json) -> Json:
        body = self._unread(sealed, "entry", ENTRY)
        mixed(body["game"] == self.table.game.hex() and body["round"] > 0, "an entry of another game")
        return body

    def private(self, sealed: Json, entry: Json) -> Json:
        body = self._unread(sealed, "private", PRIVATE)
        here = (body["game"], body["round"]) == (entry["game"], entry["round"]) and body["seat"] < self.table.seats
        mixed(here, "a private part of another game or round")
        need(body["entry"] == identity("entry", entry).hex(), "false-private", "a private part of another entry")
        return body

    def receipt(self, sealed: Json) -> Json:
        body = self.signatures.opened(sealed, "receipt", self.table.host.key)
        need(RECEIPT(body), "malformed", "the receipt has another shape")
        mixed(body["game"] == self.table.game.hex(), "a receipt of another game")
        return body

    def move(self, sealed: Json) -> Json:
        need(sealed["type"] == PREFIX + "move", "wrong-kind", "this is no move")
        body = sealed["body"]
        need(MOVE(body), "malformed", "the move has another shape")
        mixed(body["game"] == self.table.game.hex() and body["seat"] < self.table.seats, "a move of another game")
        self.signatures.opened(sealed, "move", self.table.players[body["seat"]].key)
        return body

    # -- what `round` and `refusal` have in common

    def before(self, round_: int) -> tuple[Json, str]:
        """The entry before a round, if it is there, and what the next one has to name."""
        if "before" not in self.document:
            return None, self.table.game.hex() if round_ == 1 else ""
        body = self.entry(self.document["before"])
        mixed(body["round"] == round_ - 1, "an entry of another round")
        return body, identity("entry", body).hex()

    def check_genesis(self) -> None:
        """All of it but, where nobody vouches for them, the bags."""
        try:
            verifier.check_genesis(self.document["genesis"], self.bags or {}, self.signatures)
        except Bad as bad:
            if bad.code != "bad-bags" or self.bags is not None:
                raise Hosts(bad.code) from None

    def scene(self, before: Json, round_: int, head: str) -> State:
        document, table = self.document, self.table
        parts = [document.get(name, ABSENT) for name in ("state", "public")]
        if round_ == 1:
            mixed(parts == [ABSENT, ABSENT], "nothing comes before the first round")
            self.check_genesis()
            table.bags = table.bags or {name: [] for name in table.leaves}
            return verifier.first_state(table)
        need(before is not None and ABSENT not in parts, "undecided", "the entry before, its state and position")
        state, public = parts
        mixed(H("state", table.game, canonical(state)).hex() == before["state"], "another state")
        position = H("public", table.game, round_ - 1, canonical(public)).hex()
        mixed(position == before["public"], "another position")
        self.check_genesis()
        need(STATE(state), "undecided", "the state cannot be read")
        seats = [one["seat"] for name in ("pending", "held") for one in state.get(name, [])]
        seats += [seat for seat, _ in state.get("left", [])]
        rows = all(len(state.get(name, [])) == table.seats for name in ("links", "missed"))
        mixed(rows and state["round"] == round_ - 1 and all(s < table.seats for s in seats), "a state of no game")
        return verifier.read_state(state, head)

    def known(self, state: State) -> Known:
        faces: dict[str, str] = {}
        for token in self.document.get("tokens", []):
            slot, salt = token["slot"], token.get("salt")
            mixed(salt and slot not in faces and slot in state.leaves, "no sealed token, or one that is not there")
            leaf = leaf_of(self.table.seating, *slot_parts(slot), bytes.fromhex(salt), token["face"])
            mixed(leaf.hex() == state.leaves[slot], "a token does not fit its leaf")
            faces[slot] = token["face"]
        sealed = {(part["round"], part["seat"]): part["fields"] for part in self.document.get("sealed", [])}
        return Known(faces=faces, sealed=sealed)


# --- step 3, by `shows` ----------------------------------------------------------------------------------------------


def _genesis(court: Court) -> None:
    court.check_genesis()
    raise rules("whether the bags and hands are those of the game")


def _geneses(court: Court) -> None:
    other = verifier.read_signed_genesis(court.document["other"], {}, court.signatures)
    mixed(other.offer == court.table.offer, "two offers")
    need(other.game == court.table.game, "two-geneses", "two games from one offer")


def _entries(court: Court) -> None:
    one, other = (court.entry(sealed) for sealed in court.document["entries"])
    mixed(one["round"] == other["round"], "two rounds")
    need(one == other, "two-entries", "two entries of one round")


def _round(court: Court) -> None:
    document, table = court.document, court.table
    entry = court.entry(document["entry"])
    parts = [court.private(sealed, entry) for sealed in document.get("privates", [])]
    before, head = court.before(entry["round"])
    if before is not None or entry["round"] == 1:
        need(entry["prev"] == head, "broken-chain", "it follows another one")
    check_moves(table, entry, court.signatures)
    state = court.scene(before, entry["round"], head)
    known = court.known(state)
    known.told = {part["seat"]: list(part["openings"]) for part in parts}
    check_answers(table, state, entry)
    try:
        verifier.play_round(table, state, entry, known)
    except Bad as bad:
        of_bags = entry["round"] == 1 and court.bags is None and table.leaves
        if of_bags and bad.code in ("rule-broken", "minted"):
            raise rules("what lies in the bags") from None
        raise
    raise rules("whether the round follows the rules")


def _receipts(court: Court) -> None:
    found = [court.receipt(sealed) for sealed in court.document["receipts"]]
    one, other = found[0], found[-1]
    mixed((one["round"], one["seat"]) == (other["round"], other["seat"]), "receipts of two places")
    codes = {one["code"], other["code"]}
    need(codes != {"taken"} or one["move"] == other["move"], "two-taken", "two moves were taken")
    against = "taken" in codes and len(codes) == 2 and not codes & NO_PROOF and one["move"] == other["move"]
    need(not against, "taken-and-refused", "one move was taken and refused")
    if "entry" not in court.document:
        return
    entry = court.entry(court.document["entry"])
    mixed(entry["round"] == one["round"], "an entry of another round")
    moves = [identity("move", rebuilt_move(entry, answer)).hex() for answer in entry["answers"]]
    for receipt in found:
        late = receipt["seat"] in entry.get("timeouts", [])
        if receipt["code"] == "taken":
            need(not late, "taken-and-timed-out", "it was taken, and never came")
            need(receipt["move"] in moves, "taken-and-dropped", "it was taken, and is not there")
        need(receipt["code"] != "answered" or not late, "answered-and-timed-out", "it had come, and never came")


def _refusal(court: Court) -> None:
    document, table = court.document, court.table
    receipt, move = court.receipt(document["receipt"]), court.move(document["move"])
    seat, round_ = move["seat"], move["round"]
    named = identity("move", move).hex(), round_, seat
    mixed((receipt["move"], receipt["round"], receipt["seat"]) == named and round_, "a receipt for another move")
    need(receipt["code"] not in NOT_OF_THE_MOVE, "no-offence", "this says nothing of the move")
    before, head = court.before(round_)
    state = court.scene(before, round_, head)
    mixed(move["asked"] == head, "the move answers another entry")
    known = court.known(state)
    owed = {slot for slot, seats in state.told.items() if seat in seats}
    need(owed <= known.faces.keys(), "undecided", "tokens that the seat was told")
    commit = move.get("commit", {})
    fields = known.sealed.get((round_, seat), {}) if commit else {}
    fit = {name: commitment(table.game, round_, seat, name, secret) for name, secret in fields.items()}
    need(fit == commit, "undecided", "sealed fields of the move")
    questions = asked(state)
    need(seat in questions, "no-offence", "nothing was asked")
    linked = table.players[seat].reveals(state.links[seat], round_, move["link"])
    need(linked and fits_question(move, questions[seat], state), "no-offence", "the refusal was right")
    if "answer" in move or "standing" in move:
        raise rules("whether the move is legal")
    raise Hosts("refused-though-legal")


def _transcript(court: Court) -> None:
    document = court.document
    readable: list[Json] = []
    unreadable: list[Json] = []
    for sealed in document["entries"]:
        try:
            body = parse(sealed["body"].data)
            readable.append(sealed | {"body": body})
        except Bad:
            unreadable = [sealed]
            break
    court.check_genesis()
    try:
        if court.bags is None and court.table.leaves:
            raise rules("what lies in the bags")
        verifier.replay(document | {"entries": readable}, court.bags or {}, court.signatures)
    except Bad as bad:
        # Sealed parts of rounds that cannot be read are left over.
        if bad.code != "bad-sealed" or not unreadable:
            raise
    for sealed in unreadable:
        court.entry(sealed)
    raise rules("whether answers were legal and the rounds follow the rules")


_COURTS = {
    "genesis": _genesis,
    "geneses": _geneses,
    "entries": _entries,
    "round": _round,
    "receipts": _receipts,
    "refusal": _refusal,
    "transcript": _transcript,
}
