"""The second verifier judges proofs of an offence: section 11 of schemas/PROTOCOL.md, without the rules of any game.

Like the rest of it, it follows that document, uses the standard library only and shares no code with the program.
"""

from dataclasses import dataclass
from typing import NamedTuple

from . import ed25519, verifier
from .verifier import (
    Known,
    State,
    Table,
    asked,
    breaks,
    check_answers,
    check_moves,
    fits_question,
    is_extension,
    minutes,
    rebuilt_move,
)
from .wire import (
    ABSENT,
    ASK,
    CONTAINER,
    COUNT,
    DUE,
    ENTRY,
    FACE,
    FIELD,
    FLAG,
    HEX,
    LINKS,
    MINUTES,
    MOVE,
    PREFIX,
    PRIVATE,
    RECEIPT,
    RESULT,
    ROUND,
    SEALED,
    SEAT,
    SLOT,
    TAKEN,
    TOKEN,
    Bad,
    Bags,
    H,
    Json,
    Shape,
    Signatures,
    VerifySignature,
    box_hash,
    boxed,
    canonical,
    commitment,
    embedded,
    embedded_object,
    envelope,
    identity,
    keyed,
    kind_of,
    leaf_of,
    listed,
    matching,
    need,
    number,
    pair,
    parse_file,
    record,
    slot_parts,
    text,
    unread,
)

NO_PROOF = {"early", "revealed"}
NOT_OF_THE_MOVE = {"taken", "stale", "answered"} | NO_PROOF


class Verdict(NamedTuple):
    """What a proof shows: `proved`, `altered` or `undecided`, a code, and the key that is proved to have signed it."""

    verdict: str
    code: str
    key: str = ""


def judge(data: bytes, bags: Bags | None, verify: VerifySignature = ed25519.verify) -> Verdict:
    """The verdict on a proof; `bags` is what the rules put into the containers, None if nobody vouches for that."""
    key = ""
    try:
        document = parse_file(data)
        need(kind_of(document) == "proof", "wrong-kind", "this is no proof")
        need(_shape(document), "malformed", "the proof has another shape")
        signatures = Signatures(verify)
        table = verifier.read_signed_genesis(document["genesis"], bags or {}, signatures)
        key = table.host.key.hex()
        _COURTS[document["shows"]](Court(document, table, bags, signatures))
        raise Bad("no-offence", "everything is in order")
    except Bad as bad:
        return Verdict("proved", bad.code, key) if bad.kind == "offence" else Verdict(bad.kind, bad.code)
    except (LookupError, TypeError, ValueError, AttributeError):
        return Verdict("altered", "mixed-proof")


# --- shapes ---------------------------------------------------------------------------------------------------------


def some(shape: Shape, least: int, most: int) -> Shape:
    return lambda value: listed(shape)(value) and least <= len(value) <= most


PROOF = {"format": matching(PREFIX + "proof"), "genesis": envelope, "shows": text}
SCENE = {
    "before": (unread, ABSENT),
    "state": (embedded, ABSENT),
    "public": (embedded, ABSENT),
    "tokens": (listed(TOKEN), []),
    "sealed": (listed(SEALED), []),
}
SHAPES = {
    "genesis": record(PROOF),
    "geneses": record(PROOF | {"other": envelope}),
    "entries": record(PROOF | {"entries": some(unread, 2, 2)}),
    "round": record(PROOF | {"entry": unread}, SCENE | {"privates": (some(unread, 0, 16), [])}),
    "receipts": record(PROOF | {"receipts": some(envelope, 1, 2)}, {"entry": (unread, ABSENT)}),
    "extension": record(PROOF | {"extension": envelope, "entry": unread}),
    "refusal": record(PROOF | {"move": envelope, "receipt": envelope}, SCENE | {"ephemeral": (HEX, "")}),
    "transcript": record(
        PROOF | {"entries": some(unread, 0, LINKS), "secret": HEX},
        {"sealed": (listed(SEALED), []), "chance": (HEX, "")},
    ),
}


LINK, NAMES = pair(ROUND, HEX), listed(SLOT)
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
HOLDER = record({"seat": SEAT, "since": ROUND, **TAKEN}, {"kept": (FLAG, False)})
VACANCY = record({"seat": SEAT, "round": ROUND}, {"entry": (HEX, ""), "due": (DUE, ""), "key": (HEX, "")})
STATE = record(
    {"acc": HEX, "book": BOOK, "host_link": LINK, "round": ROUND},
    {
        "drawn": (keyed(text, COUNT), {}),
        "bank": (listed(MINUTES), []),
        "due": (DUE, ""),
        "end": (matching("result|left|void"), ""),
        "held": (listed(HELD), []),
        "holders": (listed(HOLDER), []),
        "holding": (FLAG, False),
        "left": (listed(pair(SEAT, ROUND)), []),
        "linking": (FLAG, False),
        "links": (listed(LINK), []),
        "missed": (listed(COUNT), []),
        "pending": (listed(ASK), []),
        "public": (HEX, ""),
        "result": (RESULT, ABSENT),
        "vacant": (listed(VACANCY), []),
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

    def entry(self, sealed: Json) -> Json:
        body = self.signatures.read(sealed, "entry", self.table.host.key, ENTRY)
        mixed(body["game"] == self.table.game.hex() and body["round"] > 0, "an entry of another game")
        return body

    def private(self, sealed: Json, entry: Json) -> Json:
        body = self.signatures.read(sealed, "private", self.table.host.key, PRIVATE)
        here = (body["game"], body["round"]) == (entry["game"], entry["round"]) and body["seat"] < self.table.seats
        mixed(here, "a private part of another game or round")
        need(body["entry"] == identity("entry", entry).hex(), "false-private", "a private part of another entry")
        return body

    def receipt(self, sealed: Json) -> Json:
        body = self.signatures.opened(sealed, "receipt", self.table.host.key)
        need(RECEIPT(body), "malformed", "the receipt has another shape")
        mixed(body["game"] == self.table.game.hex(), "a receipt of another game")
        return body

    def extension(self, sealed: Json) -> Json:
        body = self.signatures.opened(sealed, "extension", self.table.host.key)
        need(is_extension(body), "malformed", "the extension has another shape")
        mixed(body["game"] == self.table.game.hex() and body["seat"] < self.table.seats, "another game's extension")
        return body

    def move(self, sealed: Json) -> Json:
        need(sealed["type"] == PREFIX + "move", "wrong-kind", "this is no move")
        body = sealed["body"]
        need(MOVE(body), "malformed", "the move has another shape")
        mixed(body["game"] == self.table.game.hex() and body["seat"] < self.table.seats, "a move of another game")
        if not self.table.takeovers:
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

    def check_moves_of_joins(self, entry: Json) -> None:
        """Every answer is signed by the player who joined for its seat, if nobody else can hold the seat."""
        check_moves(self.table, verifier.first_state(self.table), entry, self.signatures)

    def check_genesis(self) -> None:
        """All of it, except the bags if nobody vouches for them."""
        try:
            verifier.check_genesis(self.document["genesis"], self.bags or {}, self.signatures)
        except Bad as bad:
            if bad.code != "bad-bags" or self.bags is not None:
                raise

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
        seats += [one["seat"] for name in ("holders", "vacant") for one in state.get(name, [])]
        seats += [seat for seat, _ in state.get("left", [])]
        rows = all(len(state.get(name, [])) == table.seats for name in ("links", "missed"))
        rows = rows and len(state.get("bank", [])) == (table.seats if table.bank else 0)
        times = [one["due"] for one in (state, *state.get("vacant", [])) if "due" in one]
        rows = rows and all(minutes(time) is not None for time in times)
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
    if not table.takeovers or entry["round"] == 1:
        court.check_moves_of_joins(entry)
    state = court.scene(before, entry["round"], head)
    check_moves(table, state, entry, court.signatures)
    known = court.known(state)
    known.told = {part["seat"]: list(part["openings"]) for part in parts}
    known.left = {(entry["round"], part["seat"]): part.get("sealed", []) for part in parts}
    check_answers(table, state, entry, court.signatures)
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
    holder = table.holder(state, seat)
    court.signatures.opened(document["move"], "move", holder.key)
    mixed(move["asked"] == head, "the move answers another entry")
    known = court.known(state)
    owed = {slot for slot, seats in state.told.items() if seat in seats}
    need(owed <= known.faces.keys(), "undecided", "tokens that the seat was told")
    commit = move.get("commit", {})
    fields = known.sealed.get((round_, seat), {}) if commit else {}
    fit = {name: commitment(table.game, round_, seat, name, secret) for name, secret in fields.items()}
    need(fit == commit, "undecided", "sealed fields of the move")
    if receipt["code"] == "bad-commitment" and commit:
        need("ephemeral" in document, "undecided", "the key with which they were encrypted")
        offer = document["genesis"]["body"]["offer"]["body"]
        key, public = bytes.fromhex(document["ephemeral"]), bytes.fromhex(offer["box"])
        again = box_hash(boxed(key, public, move, fields))
        need(again == move.get("box"), "undecided", "something else was encrypted")
    questions = asked(state)
    need(seat in questions, "no-offence", "nothing was asked")
    linked = holder.reveals(state.links[seat], round_, move["link"])
    need(linked and fits_question(table, move, questions[seat], state), "no-offence", "the refusal was right")
    if "answer" in move or "standing" in move:
        raise rules("whether the move is legal")
    raise Bad("refused-though-legal", "a good answer was refused")


def _extension(court: Court) -> None:
    extension, entry = court.extension(court.document["extension"]), court.entry(court.document["entry"])
    mixed(extension["round"] == entry["round"], "two rounds")
    need(not breaks(court.table, extension, entry), "extended-and-timed-out", "the host broke its promise")


def _transcript(court: Court) -> None:
    court.check_genesis()
    if court.bags is None and court.table.leaves:
        raise rules("what lies in the bags")
    verifier.replay(court.document, court.bags or {}, court.signatures)
    raise rules("whether answers were legal and the rounds follow the rules")


_COURTS = {
    "genesis": _genesis,
    "geneses": _geneses,
    "entries": _entries,
    "round": _round,
    "receipts": _receipts,
    "extension": _extension,
    "refusal": _refusal,
    "transcript": _transcript,
}
