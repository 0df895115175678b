"""A second verifier of views and transcripts: it follows schemas/PROTOCOL.md and shares no code with the program.

It uses the standard library only and knows no game's rules: `ask`, `result`, the operations and the hash of
the position are taken from the entries, the faces of the bags are given by the caller. Section numbers are those of
PROTOCOL.md; what it says of bytes is in `wire`.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

from . import ed25519
from .wire import (
    ABANDONMENT,
    ENTRY,
    EXTENSION,
    GENESIS,
    JOIN,
    LINKS,
    MOVE,
    MOVE_FILE,
    OFFER,
    PREFIX,
    PRIVATE,
    RECEIPT,
    SUCCESSION,
    TRANSCRIPT,
    VIEW,
    Bad,
    Bags,
    H,
    Hosts,
    Json,
    Shape,
    Signatures,
    VerifySignature,
    acc_next,
    below,
    canonical,
    commitment,
    derive,
    envelope,
    identity,
    is_name,
    is_weak,
    is_weak_box,
    kind_of,
    leaf_of,
    link_back,
    need,
    order_of,
    parse_file,
    sealed_leaves,
    seed_of,
    slot_parts,
)

HANDS = {"mark": [], "schwarzer-freitag": ["hand"], "schwarzmarkt": ["goods", "cards"], "weg-zum-erfolg": ["chip"]}
"""Section 9: `hands` of the games that it names."""


# --- Section 8, step 1: the table -----------------------------------------------------------------------------------


@dataclass
class Owner:
    """Who signs and reveals links: the host or a seat."""

    key: bytes
    nonce: bytes
    tip: str
    kept: bool = False
    name: str = ""

    def reveals(self, seen: Json, round_: int, link: str) -> bool:
        """Whether `link` is x[round_], when `seen` = [round, link] was the last one."""
        low, last = seen
        return bool(low < round_) and link_back(self.key, self.nonce, round_, low, bytes.fromhex(link)).hex() == last


@dataclass
class Table:
    """What the genesis says."""

    game: bytes
    offer: bytes
    seating: bytes
    seats: int
    host: Owner
    players: list[Owner]
    leaves: dict[str, list[str]]
    hands: list[str]
    bags: Bags
    deadline: int
    grace: int
    bank: int
    chance: str
    takeovers: int
    takeover: int

    def holder(self, state: "State", seat: int) -> Owner:
        """Who answers for a seat in the round after this state."""
        return next((_owner(one) for one in reversed(state.holders) if one["seat"] == seat), self.players[seat])

    def owner(self, container: str) -> int | None:
        """The seat whose hand this container is."""
        name, _, seat = container.partition("/")
        mine = name in self.hands and seat.isdigit() and str(int(seat)) == seat and int(seat) < self.seats
        return int(seat) if mine else None


def _owner(said: Json) -> Owner:
    """The owner that this join, or this part of a state, describes."""
    key, nonce = bytes.fromhex(said["key"]), bytes.fromhex(said["nonce"])
    return Owner(key, nonce, said["tip"], said.get("kept", False), said["name"])


def _strong(key: str) -> bytes:
    need(not is_weak(bytes.fromhex(key)), "weak-key", "this key vouches for anything")
    return bytes.fromhex(key)


def read_genesis(genesis: Json, bags: Bags, signatures: Signatures) -> Table:
    table = read_signed_genesis(genesis, bags, signatures)
    check_genesis(genesis, bags, signatures)
    return table


def check_genesis(genesis: Json, bags: Bags, signatures: Signatures) -> None:
    """A genesis that its host signed: whatever is wrong in it is the host's offence."""
    try:
        _check_genesis(genesis, bags, signatures)
    except Bad as bad:
        raise Hosts(bad.code, str(bad)) from None


def _check_genesis(genesis: Json, bags: Bags, signatures: Signatures) -> None:
    check_lobby(genesis, signatures)
    body = genesis["body"]
    hands = body.get("hands", [])
    need(len(set(hands)) == len(hands), "bad-bags", "a hand is named twice")
    need(hands == HANDS.get(body["offer"]["body"]["game"], hands), "bad-bags", "these are not the hands of the game")
    sizes = {name: len(leaves) for name, leaves in body["leaves"].items()}
    need(sizes == {name: len(faces) for name, faces in bags.items()}, "bad-bags", "these are not the bags of the game")


def check_lobby(genesis: Json, signatures: Signatures) -> None:
    """Offer and joins, each by itself and all together."""
    offer, joins = genesis["body"]["offer"], genesis["body"]["joins"]
    check_offer(offer, signatures)
    offer_id, keys = identity("offer", offer["body"]).hex(), {offer["body"]["key"]}
    for join in joins:
        check_signer(join, "join", signatures)
        need(join["body"]["offer"] == offer_id, "other-offer", "a join is for another offer")
        need(is_name(join["body"]["name"]), "bad-name", "a name that is not allowed")
        keys.add(join["body"]["key"])
    need(len(joins) == offer["body"]["seats"], "bad-seats", "not one join per seat")
    need(len(keys) == len(joins) + 1, "same-key", "two have one key")
    need(len({join["body"]["name"] for join in joins}) == len(joins), "bad-name", "two names are the same")


def check_signer(sealed: Json, kind: str, signatures: Signatures, key: str = "") -> None:
    """A strong key signed this: the one that it names itself, if no other is given."""
    signatures.opened(sealed, kind, _strong(key or sealed["body"]["key"]))


def check_offer(offer: Json, signatures: Signatures) -> None:
    """What an offer shows by itself."""
    terms = offer["body"]
    check_signer(offer, "offer", signatures)
    need(not is_weak_box(bytes.fromhex(terms["box"])), "weak-box", "anybody can open what is sealed for this key")
    promises = terms.get("grace") or terms.get("bank")
    need(terms.get("deadline") or not promises, "bad-due", "grace or a bank without a deadline")
    need(terms.get("takeovers") or not terms.get("takeover"), "bad-succession", "a time for nobody to wait")


def _shaped(sealed: Json, kind: str, shape: Shape) -> None:
    need(sealed["type"] == PREFIX + kind, "wrong-kind", f"this is no {kind}")
    need(shape(sealed["body"]), "malformed", f"the {kind} has another shape")


def read_signed_genesis(genesis: Json, bags: Bags, signatures: Signatures) -> Table:
    """A genesis that its host signed; its content is not checked."""
    _shaped(genesis, "genesis", GENESIS)
    body = genesis["body"]
    offer, joins = body["offer"], body["joins"]
    _shaped(offer, "offer", OFFER)
    for join in joins:
        _shaped(join, "join", JOIN)
    terms = offer["body"]
    host_key = _strong(terms["key"])
    signatures.opened(genesis, "genesis", host_key)
    offer_id = identity("offer", terms)
    return Table(
        game=identity("genesis", body),
        offer=offer_id,
        seating=H("seating", offer_id, *(identity("join", join["body"]) for join in joins)),
        seats=len(joins),
        host=Owner(host_key, bytes.fromhex(terms["nonce"]), terms["tip"]),
        players=[_owner(join["body"]) for join in joins],
        leaves=body["leaves"],
        hands=body.get("hands", []),
        bags=bags,
        deadline=terms.get("deadline", 0),
        grace=terms.get("grace", 0),
        bank=terms.get("bank", 0),
        chance=terms.get("chance", ""),
        takeovers=terms.get("takeovers", 0),
        takeover=terms.get("takeover", 0),
    )


# --- Section 4: the state -------------------------------------------------------------------------------------------


@dataclass
class Bag:
    generation: int = -1
    puts: int = 0
    slots: list[str] = field(default_factory=list)
    tail: list[str] = field(default_factory=list)

    def content(self) -> list[str]:
        return self.slots + self.tail

    def remove(self, slot: str) -> None:
        (self.slots if slot in self.slots else self.tail).remove(slot)


@dataclass
class State:
    """What the next round needs, and the ids by which it goes on."""

    acc: bytes
    host_link: Json
    links: list[Json]
    missed: list[int]
    newest: str
    bags: dict[str, Bag] = field(default_factory=dict)
    leaves: dict[str, str] = field(default_factory=dict)
    faces: dict[str, str] = field(default_factory=dict)
    told: dict[str, list[int]] = field(default_factory=dict)
    inside: Counter[str] = field(default_factory=Counter)
    end: str = ""
    held: list[Json] = field(default_factory=list)
    holding: bool = False
    left: list[Json] = field(default_factory=list)
    pending: list[Json] = field(default_factory=list)
    public: str = ""
    result: Json = None
    round: int = 0
    due: str = ""
    drawn: dict[str, int] = field(default_factory=dict)
    holders: list[Json] = field(default_factory=list)
    vacant: list[Json] = field(default_factory=list)
    linking: bool = False
    bank: list[int] = field(default_factory=list)

    def spelled(self) -> bytes:
        book = {
            "bags": {name: _given(vars(bag), Bag().__dict__) for name, bag in self.bags.items()},
            "leaves": self.leaves,
            "faces": self.faces,
            "told": self.told,
            "inside": {face: count for face, count in self.inside.items() if count},
        }
        lists = ("held", "left", "links", "missed", "pending", "holders", "vacant", "bank")
        texts = ("end", "due", "public")
        defaults = {name: [] for name in lists} | dict.fromkeys(texts, "") | {"holding": False, "linking": False}
        state = {
            "acc": self.acc.hex(),
            "book": {name: part for name, part in book.items() if part},
            "host_link": self.host_link,
            "round": self.round,
        }
        defaults |= {"drawn": {}, "result": None}
        return canonical(state | _given({name: getattr(self, name) for name in defaults}, defaults))

    def out(self, seat: int) -> bool:
        return self.missed[seat] >= 2 or self.resigned(seat)

    def resigned(self, seat: int) -> bool:
        return any(seat == left for left, _ in self.left)

    def rests(self) -> bool:
        return not self.end and all(map(self.out, range(len(self.missed))))


def read_state(value: Json, newest: str) -> State:
    """A state from its spelling in section 4."""
    fields = {name: part for name, part in value.items() if name not in ("acc", "book")}
    state = State(acc=bytes.fromhex(value["acc"]), newest=newest, **fields)
    book = value["book"]
    state.bags = {name: Bag(**bag) for name, bag in book.get("bags", {}).items()}
    state.leaves, state.faces, state.told = (dict(book.get(name, {})) for name in ("leaves", "faces", "told"))
    state.inside = Counter(book.get("inside", {}))
    return state


def _given(fields: dict[str, Json], defaults: dict[str, Json]) -> dict[str, Json]:
    return {name: value for name, value in fields.items() if value != defaults[name]}


def first_state(table: Table) -> State:
    state = State(
        acc=H("acc0", table.game),
        host_link=[0, table.host.tip],
        links=[[0, player.tip] for player in table.players],
        missed=[0] * table.seats,
        newest=table.game.hex(),
        bank=[table.bank] * table.seats if table.bank else [],
    )
    for name, leaves in table.leaves.items():
        slots = [f"{name}.0.{i}" for i in range(len(leaves))]
        state.bags[name] = Bag(generation=0, slots=slots)
        state.leaves |= zip(slots, leaves, strict=True)
        state.inside.update(table.bags[name])
    return state


def asked(state: State) -> dict[int, Json]:
    """Seat -> its question in the next round, None for a bare link (section 6)."""
    seats = range(len(state.missed))
    if state.end:
        return {}
    if state.round == 0:
        return dict.fromkeys(seats)
    active = [s for s in seats if not (state.resigned(s) if state.rests() else state.out(s))]
    questions = {ask["seat"]: None if ask["what"] == "link" else ask for ask in state.pending}
    if not (state.holding or state.linking) and any(seat in questions for seat in active):
        return {seat: questions[seat] for seat in active if seat in questions}
    held = {answer["seat"] for answer in state.held}
    return {seat: questions.get(seat) if seat not in held else None for seat in active}


# --- Section 8, step 3: entries -------------------------------------------------------------------------------------


def rebuilt_move(entry: Json, answer: Json) -> Json:
    """The move that a player signed, from what the entry keeps of it."""
    move = {name: value for name, value in answer.items() if name != "sig"}
    return move | {"asked": entry["prev"], "game": entry["game"], "round": entry["round"]}


def fits_question(table: Table, answer: Json, question: Json, state: State) -> bool:
    """Whether an answer has the form that was asked for."""
    if "handover" in answer and not (table.takeovers and state.round):
        return False
    decision, commit = answer.get("answer"), answer.get("commit", {})
    if bool(commit) != ("box" in answer):
        return False
    if answer.get("protest") and not may_protest(table.holder(state, answer["seat"]), state.missed[answer["seat"]]):
        return False
    if answer.get("resign") and "standing" in answer:
        return False
    if decision is None:
        bare = question is None or state.holding
        return not commit and (bare or answer.get("resign", False)) and not (answer.get("resign") and state.round == 0)
    if question is None or answer.get("resign"):
        return False
    return sorted(commit) == sorted(question.get("sealed", [])) and not commit.keys() & decision.keys()


def may_protest(owner: Owner, missed: int) -> bool:
    """In the first answer after a timeout, and never with a key that the host keeps."""
    return missed > 0 and not owner.kept


def check_place(table: Table, state: State, entry: Json, signatures: Signatures) -> None:
    """An entry is the next one, and its answers are those of its players."""
    round_ = state.round + 1
    need(entry["game"] == table.game.hex() and entry["round"] == round_, "altered-chain", "an entry of another place")
    need(entry["prev"] == state.newest, "broken-chain", "it does not follow the one before")
    check_moves(table, state, entry, signatures)


def check_moves(table: Table, state: State, entry: Json, signatures: Signatures) -> None:
    """Every answer is what the holder of its seat signed."""
    for answer in entry["answers"]:
        seat, move = answer["seat"], rebuilt_move(entry, answer)
        good = seat < table.seats and signatures.good("move", move, answer["sig"], table.holder(state, seat).key)
        need(good, "bad-move", "a player did not sign this")


def check_answers(table: Table, state: State, entry: Json, signatures: Signatures) -> None:
    """The answers are those that were asked for, with their links; the deadline is right, and so are those who come."""
    round_ = state.round + 1
    need(not state.end, "after-end", "the game was over")
    questions = asked(state)
    seats, timeouts = [answer["seat"] for answer in entry["answers"]], entry.get("timeouts", [])
    need(seats == sorted(set(seats)) and timeouts == sorted(set(timeouts)), "bad-round", "seats are not in order")
    need(sorted(seats + timeouts) == sorted(questions), "bad-round", "these are not the seats asked")
    need(round_ > 1 or not timeouts, "bad-round", "the first round has no timeout")
    need(table.deadline > 0 or not timeouts, "bad-round", "without deadlines there is no timeout")
    need(seats or not state.rests(), "bad-round", "a game that rests goes on with an answer")
    for answer in entry["answers"]:
        need(fits_question(table, answer, questions[answer["seat"]], state), "bad-round", "an answer of another form")
    check_due(table, state, entry)
    for answer in entry["answers"]:
        owner, seen = table.holder(state, answer["seat"]), state.links[answer["seat"]]
        need(owner.reveals(seen, round_, answer["link"]), "bad-link", "a link is not in its chain")
    need(
        table.host.reveals(state.host_link, round_, entry["link"]),
        "bad-host-link",
        "the host's link is not in its chain",
    )
    check_arrivals(table, state, entry, signatures)


def _refuse(good: object, message: str) -> None:
    need(good, "bad-succession", message)


def check_arrivals(table: Table, state: State, entry: Json, signatures: Signatures) -> None:
    """Who takes over a seat or comes back in this entry can do that (section 6)."""
    new, back = entry.get("successions", []), entry.get("returns", [])
    if not new and not back:
        return
    _refuse(state.round > 0 and not state.rests() and "end" not in entry, "nobody comes in this round")
    since = {one["seat"]: one | {"entry": one.get("entry") or entry["prev"]} for one in state.vacant}
    old = [*table.players, *map(_owner, state.holders)]
    keys, names = {table.host.key, *(one.key for one in old)}, {one.name for one in old}
    for sealed in new:
        body = sealed["body"]
        _refuse(sealed["type"] == PREFIX + "succession" and SUCCESSION(body), "this is no succession")
        key, vacancy = bytes.fromhex(body["key"]), since.get(body["seat"])
        _refuse(not is_weak(key) and signatures.good("succession", body, sealed["sig"], key), "not its own signature")
        _refuse(is_name(body["name"]), "a name that is not allowed")
        _refuse(body["game"] == entry["game"], "a succession of another game")
        _refuse(vacancy is not None and vacancy["entry"] == body["vacancy"], "the seat is not vacant since then")
        _refuse(key not in keys and body["name"] not in names, "a key or name that was there before")
        keys.add(key)
        names.add(body["name"])
        if body["key"] != vacancy.get("key"):
            _refuse(state.out(body["seat"]), "the seat is kept for somebody else")
            early = table.deadline and minutes(entry["due"]) < minutes(vacancy["due"]) + table.takeover
            _refuse(not early, "the seat was not vacant for long enough")
    _refuse(len(state.holders) + len(new) <= table.takeovers, "more than the offer allows")
    for one in back:
        vacancy = since.get(one["seat"])
        out = vacancy is not None and state.missed[one["seat"]] >= 2 and not state.resigned(one["seat"])
        _refuse(out, "this seat is not out by timeouts")
        said = {"game": entry["game"], "seat": one["seat"], "vacancy": vacancy["entry"]}
        key = table.holder(state, one["seat"]).key
        _refuse(signatures.good("return", said, one["sig"], key), "its holder did not sign that")
    seats = [[one["body"]["seat"] for one in new], [one["seat"] for one in back]]
    _refuse(all(some == sorted(set(some)) for some in seats), "seats are not in order")
    _refuse(not set(seats[0]) & set(seats[1]), "a seat is taken over and comes back")


def check_due(table: Table, state: State, entry: Json) -> None:
    """A deadline is stated where there is one, and not before what a missed one allows."""
    due = entry.get("due", "")
    need(bool(due) == (table.deadline > 0 and "end" not in entry), "bad-due", "a deadline too many, or none")
    if due:
        stated, before = minutes(due), minutes(state.due)
        need(stated is not None, "bad-due", "this is not a time")
        timeouts = entry.get("timeouts", [])
        if timeouts and before is not None:
            bank = max(state.bank[seat] for seat in timeouts) if state.bank else 0
            least = before + bank + table.grace + table.deadline
            need(stated >= least, "bad-due", "somebody was timed out too early")
    used = entry.get("used", [])
    seats = [seat for seat, _ in used]
    need(state.round > 0 or not used, "bad-due", "nothing was due in the first round")
    need(seats == sorted(set(seats)), "bad-due", "seats that used their banks are not in order")
    need(set(seats) <= {answer["seat"] for answer in entry["answers"]}, "bad-due", "a bank of who did not answer")
    need(state.bank or not used, "bad-due", "there are no banks")
    need(all(1 <= spent <= state.bank[seat] for seat, spent in used), "bad-due", "more than is left")


def minutes(due: str) -> int | None:
    """A time as minutes of the calendar; None if it is not valid."""
    try:
        time = datetime.fromisoformat(due)
    except ValueError:
        return None
    return time.toordinal() * 1440 + time.hour * 60 + time.minute


def is_extension(body: Json) -> bool:
    return EXTENSION(body) and minutes(body["until"]) is not None


def breaks(table: Table, extension: Json, entry: Json) -> bool:
    """Whether an entry times a seat out before the time was over that an extension gave it."""
    stated, until = minutes(entry.get("due", "")), minutes(extension["until"])
    if stated is None or until is None or extension["seat"] not in entry.get("timeouts", []):
        return False
    return stated < until + table.grace + table.deadline


@dataclass
class Known:
    """What a reader knows beside the entries: one seat's private parts, or M and all sealed fields; or what a proof
    shows (`told`: seat -> its openings in this round; who is not in it may have been told anything). `left`: round and
    seat -> what a private part says of sealed answers."""

    seat: int | None = None
    openings: dict[int, list[Json]] = field(default_factory=dict)
    left: dict[tuple[int, int], list[Json]] = field(default_factory=dict)
    faces: dict[str, str] = field(default_factory=dict)
    secret: bytes = b""
    chance: bytes = b""
    sealed: dict[tuple[int, int], Json] = field(default_factory=dict)
    told: dict[int, list[Json]] | None = None


@dataclass
class Play:
    """The operations of one entry, one after the other."""

    table: Table
    state: State
    seed: bytes
    known: Known
    draws: int = 0
    mixed: set[str] = field(default_factory=set)
    sealed: set[str] = field(default_factory=set)
    last: Json = None
    untold: bool = False
    """Whether the view lacks what its seat was told in this round."""
    actor: str = ""

    def run(self, ops: list[Json]) -> None:
        for op in ops:
            for name in ("bag", "into"):
                if name in op:
                    self.bag(op[name])
            getattr(self, "_" + op["op"].replace("-", "_"))(op)
            self.last = op
        need(not self.mixed, "bad-ops", "a hand that received is not resealed")

    def _recognised(self, owner: int, slot: str) -> bool:
        """Whether somebody other than the owner of a hand could tell this slot from others."""
        return slot in self.state.faces or set(self.state.told.get(slot, [])) > {owner}

    def bag(self, name: str) -> Bag:
        return self.state.bags.setdefault(name, Bag())

    def face_of(self, slot: str) -> str | None:
        """The face, if this reader knows it."""
        return self.state.faces.get(slot) or self.known.faces.get(slot)

    # -- dice and picks

    def _draw(self, what: str, n: int) -> int | None:
        """The next number; None where only whoever has the secret of common chance can tell."""
        self.draws += 1
        if not self.actor:
            return below(self.seed, self.draws - 1, n)
        place = f"{what} {self.actor}"
        count = self.state.drawn.get(place, 0)
        self.state.drawn[place] = count + 1
        secret = self.known.chance
        return below(H("common", secret, what, self.actor, count), 0, n) if secret else None

    def _die(self, op: Json) -> None:
        for value in op["values"]:
            need(1 <= value <= op["sides"], "bad-die", "no such side")
            drawn = self._draw(f"die {op['sides']}", op["sides"])
            code = "bad-ops" if self.actor else "bad-die"
            need(drawn is None or value == 1 + drawn, code, "chance gives another value")
        again = self.last is not None and (self.last["op"], self.last.get("sides")) == ("die", op["sides"])
        need(not again and op["values"], "bad-ops", "dice of one kind are one operation")

    def _pick(self, name: str, slot: str) -> None:
        bag = self.bag(name)
        need(bag.content(), "bad-pick", "nothing is left to draw")
        if not bag.slots:
            need(bag.tail.pop(0) == slot, "bad-pick", "another lies on top")
            return
        drawn = self._draw(name, len(bag.slots))
        need(slot in bag.slots, "bad-pick", f"{slot} is not there")
        code = "bad-ops" if self.actor else "bad-pick"
        need(drawn is None or bag.slots[drawn] == slot, code, f"chance does not pick {slot}")
        bag.slots.remove(slot)

    def _take(self, op: Json) -> None:
        need(op["bag"] not in self.sealed, "bad-ops", "nothing is drawn from what was just sealed")
        for token in op["tokens"]:
            self._pick(op["bag"], token["slot"])
            self._open(token)

    def _deal(self, op: Json) -> None:
        need(op["bag"] not in self.sealed, "bad-ops", "nothing is drawn from what was just sealed")
        for slot in op["slots"]:
            self._pick(op["bag"], slot)
        self._arrive(op)

    def _arrive(self, op: Json) -> None:
        """Slots that left their container lie face down in another."""
        into, owner = self.bag(op["into"]), self.table.owner(op["into"])
        slots = op.get("slots", [])
        before = into.content()
        into.slots += slots
        self._tell(owner, slots)
        if owner is not None and slots and (before or any(self._recognised(owner, slot) for slot in into.slots)):
            self.mixed.add(op["into"])

    def _tell(self, owner: int | None, slots: list[str]) -> None:
        for slot in slots:
            if owner is None or slot not in self.state.leaves or owner in self.state.told.get(slot, []):
                continue
            self.state.told.setdefault(slot, []).append(owner)
            told = self.known.told
            if told is not None and owner in told:
                self._read_opening(slot, told[owner])
            elif told is None and owner == self.known.seat:
                if self.state.round in self.known.openings:
                    self._read_opening(slot, self.known.openings[self.state.round])
                else:
                    # It can have been left out by anybody: faults that everybody can see come first.
                    self.untold, self.known.seat, self.known.faces, self.known.sealed = True, None, {}, {}

    def _read_opening(self, slot: str, mine: list[Json]) -> None:
        """The next opening of a seat's private part is the one of this slot, and true."""
        need(mine and mine[0]["slot"] == slot, "missing-opening", f"{slot} is owed")
        opening = mine.pop(0)
        need(self._fits(slot, opening["face"], opening["salt"]), "bad-opening", f"{slot} holds something else")
        self.known.faces[slot] = opening["face"]

    # -- opening

    def _fits(self, slot: str, face: str, salt: str) -> bool:
        if not salt:
            return self.state.faces.get(slot) == face
        leaf = self.state.leaves.get(slot)
        return (
            leaf is not None and leaf_of(self.table.seating, *slot_parts(slot), bytes.fromhex(salt), face).hex() == leaf
        )

    def _open(self, token: Json) -> None:
        slot, face = token["slot"], token["face"]
        need(self._fits(slot, face, token.get("salt", "")), "bad-opening", f"{slot} does not hold {face}")
        self._forget(slot)
        self.state.inside[face] -= 1
        need(self.state.inside[face] >= 0, "minted", f"more {face} than there can be")

    def _forget(self, slot: str) -> None:
        for what in (self.state.leaves, self.state.faces, self.state.told):
            what.pop(slot, None)

    def _is_next(self, bag: Bag, slot: str, face: str) -> bool:
        """Whether this slot comes before all others with the same face, as far as this reader can tell."""
        openly = [other for other in bag.content() if self.state.faces.get(other) == face]
        if openly or not self.known.secret:
            return not openly or openly[0] == slot
        mine = [other for other in bag.content() if self.face_of(other) == face]
        return bool(mine) and slot == min(mine, key=self._order)

    def _order(self, slot: str) -> bytes:
        if self.known.chance:
            return order_of(self.known.chance, b"", *slot_parts(slot))
        return order_of(self.known.secret, self.table.seating, *slot_parts(slot))

    def _lay_out(self, op: Json) -> None:
        bag = self.bag(op["bag"])
        for token in op["tokens"]:
            need(token["slot"] in bag.content(), "bad-opening", "this slot is not in the container")
            first = self._is_next(bag, token["slot"], token["face"])
            bag.remove(token["slot"])
            self._open(token)
            need(first, "bad-ops", "of equal faces another one comes first")

    def _lay_out_all(self, op: Json) -> None:
        bag, face, shown = self.bag(op["bag"]), op.get("face", ""), [token["slot"] for token in op["tokens"]]
        lying = bag.content()
        need(set(shown) <= set(lying), "bad-opening", "this slot is not in the container")
        left = [slot for slot in lying if slot not in shown and (not face or self.face_of(slot) == face)]
        need(not left, "withheld", "something of the container was kept back")
        need(shown == [slot for slot in lying if slot in shown], "bad-ops", "not in the order in which they lie")
        for token in op["tokens"]:
            need(not face or token["face"] == face, "bad-ops", "another face than the one asked for")
            bag.remove(token["slot"])
            self._open(token)

    # -- sealed answers

    def _answer(self, op: Json) -> Json:
        """The held answer whose sealed field an operation uses."""
        mine = [answer for answer in self.state.held if answer["seat"] == op["seat"]]
        return mine[0] if mine else {"commit": {}, "round": 0}

    def _value(self, op: Json) -> Json:
        """The sealed field of an operation, where this reader knows it, else None."""
        answer = self._answer(op)
        need(op["field"] in answer.get("commit", {}), "bad-ops", "there is no such sealed field")
        place = answer["round"], op["seat"]
        secret = self.known.sealed.get(place, {}).get(op["field"])
        # A player who signed twice may have kept another value than the one that was taken.
        kept = secret and commitment(self.table.game, *place, op["field"], secret) == answer["commit"][op["field"]]
        return secret["value"] if kept else None

    def _give(self, op: Json) -> None:
        bag, value = self.bag(op["bag"]), self._value(op)
        need(len(set(op["slots"])) == len(op["slots"]), "bad-ops", "a slot is given twice")
        chosen = [value] if isinstance(value, str) else value
        if value is not None and self.known.secret:
            need(sorted(op["slots"]) == sorted(self._chosen(bag, chosen)), "bad-ops", "not what the answer names")
        elif value is not None:
            given = Counter(face for slot in op["slots"] if (face := self.face_of(slot)))
            right = len(op["slots"]) == len(chosen) and given <= Counter(chosen)
            need(right, "false-gift", "other tokens than were chosen")
        need(op["slots"] == [slot for slot in bag.content() if slot in op["slots"]], "bad-ops", "not as they lie there")
        for slot in op["slots"]:
            bag.remove(slot)
        self._arrive(op)

    def _chosen(self, bag: Bag, faces: Json) -> list[str]:
        left, chosen = Bag(slots=bag.content()), []
        for face in faces:
            mine = [slot for slot in left.slots if self.face_of(slot) == face]
            need(mine, "bad-ops", "there is no such token")
            chosen.append(next(slot for slot in mine if self._is_next(left, slot, face)))
            left.remove(chosen[-1])
        return chosen

    def _seek(self, op: Json) -> None:
        bag, slots = self.bag(op["bag"]), op.get("slots", [])
        # The ranking of a seat that decided nothing is fixed by the rules.
        decided = any(answer["seat"] == op["seat"] for answer in self.state.held)
        ranking = self._value(op) if decided else None
        need(len(slots) <= 1 and set(slots) <= set(bag.content()), "bad-ops", "one slot of the container or none")
        if self.known.secret:
            there = {self.face_of(slot) for slot in bag.content()}
            faces = [self.face_of(slot) for slot in slots] if ranking is None else ranking
            first = [face for face in faces if face in there][:1]
            need(slots == self._chosen(bag, first), "bad-ops", "another comes first")
        for slot in slots:
            bag.remove(slot)
        self._arrive(op)
        got = [face for slot in slots if (face := self.face_of(slot))]
        need(ranking is None or set(got) <= set(ranking), "false-gift", "a token that was not asked for")

    def _unseal(self, op: Json) -> None:
        answer = self._answer(op)
        need(op["fields"], "bad-ops", "nothing is shown")
        for name, secret in op["fields"].items():
            good = answer["round"] == op["round"] and answer["commit"].get(name) == commitment(
                self.table.game, op["round"], op["seat"], name, secret
            )
            need(good, "bad-shown", "what is shown is not what was sealed")

    # -- filling

    def _put(self, op: Json) -> None:
        need(op["faces"], "bad-ops", "a put of nothing is none")
        bag = self.bag(op["bag"])
        for face in op["faces"]:
            slot = f"{op['bag']}+{bag.puts}"
            bag.puts += 1
            (bag.tail if op.get("under", False) else bag.slots).append(slot)
            self.state.faces[slot] = face
            self.state.inside[face] += 1

    def _shuffle(self, op: Json) -> None:
        name, leaves = op["bag"], op["leaves"]
        bag, owner = self.bag(name), self.table.owner(name)
        need(op["generation"] == bag.generation + 1, "bad-shuffle", "the generation is not the next one")
        before = bag.content()
        need(len(leaves) == len(before), "bad-shuffle", "another number of tokens than before")
        faces = [self.face_of(slot) for slot in before]
        slots = [f"{name}.{op['generation']}.{i}" for i in range(len(leaves))]
        if self.known.secret:
            mine = [face or "" for face in faces]
            place = self.known.secret, self.table.seating, name, op["generation"]
            new = sealed_leaves(*place, mine, self.known.chance)
            need(leaves == [leaf for _, leaf in new.values()], "bad-ops", f"{name} was not shuffled by M")
            self.known.faces |= {slot: face for slot, (face, _) in new.items()}
        for slot in before:
            self._forget(slot)
        bag.slots, bag.tail, bag.generation = list(slots), [], op["generation"]
        self.state.leaves |= zip(slots, leaves, strict=True)
        self.sealed.add(name)
        self.mixed.discard(name)
        self._tell(owner, slots)
        now = [self.known.faces.get(slot) for slot in slots]
        if None not in (*faces, *now):
            need(Counter(now) == Counter(faces), "false-hand", "the hand does not hold what it held")


def _left_result(state: State) -> Json:
    """The result of a game that all but one have left."""
    rounds = dict(state.left)
    return _result(state, [[rounds.get(seat, state.round + 1)] for seat in range(len(state.missed))])


def _result(state: State, scores: list[list[int]]) -> Json:
    """Players who resigned are ranked last, the later the better; those who are out by timeouts alone are named."""
    rounds = dict(state.left)
    keys = [[rounds.get(seat, LINKS + 1), *score] for seat, score in enumerate(scores)]
    ranks = [1 + sum(other > mine for other in keys) for mine in keys]
    late = [seat for seat, count in enumerate(state.missed) if count >= 2 and seat not in rounds]
    return {"ranks": ranks, "scores": scores} | ({"out": late} if late else {})


def advance(table: Table, state: State, entry: Json, known: Known) -> Play:
    """Play one entry, taking from it what only the rules can tell; `state` becomes the one after it."""
    keys = [table.holder(state, seat).key.hex() for seat in range(table.seats)]
    state.round += 1
    links = {answer["seat"]: answer["link"] for answer in entry["answers"]}
    parts = [bytes.fromhex(links.get(seat, "")) for seat in range(table.seats)]
    state.acc = acc_next(table.game, state.round, state.acc, bytes.fromhex(entry["link"]), parts)
    state.host_link = [state.round, entry["link"]]
    for answer in entry["answers"]:
        seat = answer["seat"]
        state.links[seat], state.missed[seat] = [state.round, answer["link"]], 0
        if answer.get("resign"):
            state.left.append([seat, state.round])
        if "answer" in answer:
            state.held.append(
                {k: v for k, v in answer.items() if k in ("seat", "answer", "commit")} | {"round": state.round}
            )
    for seat in entry.get("timeouts", []):
        state.missed[seat] += 1
    late, used = entry.get("timeouts", []), dict(entry.get("used", []))
    state.bank = [0 if seat in late else left - used.get(seat, 0) for seat, left in enumerate(state.bank)]
    state.held.sort(key=lambda held: held["seat"])
    play = Play(table, state, seed_of(table.game, state.round, state.acc), known)
    if table.chance:
        play.actor = str(state.pending[0]["seat"]) if len(state.pending) == 1 else "table"
    ops, ask, end, result = entry.get("ops", []), entry.get("ask", []), entry.get("end", ""), entry.get("result")
    over = bool(state.left) and len(state.left) >= table.seats - 1
    held_on = bool(entry.get("timeouts")) and not over
    if over or held_on:
        need(not ops, "bad-ops", "this round plays nothing")
        need(ask == ([] if over else state.pending), "rule-broken", "`ask` is not right")
        need(result == (_left_result(state) if over else None), "rule-broken", "`result` is not right")
    else:
        play.run(ops)
        seats = [question["seat"] for question in ask]
        need(len(set(seats)) == len(seats) and all(s < table.seats for s in seats), "rule-broken", "`ask` is not right")
        good = result is None or (
            len(result["scores"]) == table.seats
            and len({len(score) for score in result["scores"]}) == 1
            and result == _result(state, result["scores"])
        )
        need(good, "rule-broken", "the result does not follow from the scores")
        more = bool(seats) and all(map(state.out, seats)) and not all(map(state.out, range(table.seats)))
        need((result is None) == bool(ask), "rule-broken", "somebody is asked exactly if there is no result")
        need(not more or play.sealed, "rule-broken", "the rules are not applied again for seats out")
    void = state.round == LINKS and not over and result is None
    wanted = "left" if over else "result" if result is not None else "void" if void else ""
    need(end == wanted, "rule-broken", "`end` is not right")
    state.pending, state.result, state.end, state.public = ask, result, end, entry["public"]
    state.due = entry.get("due", "")
    state.holding = held_on and not end
    if not state.holding:
        state.held = []
    settle(state, entry, keys)
    state.newest = identity("entry", entry).hex()
    return play


def settle(state: State, entry: Json, keys: list[str]) -> None:
    """Who holds which seat after this entry, and which are vacant (section 6); `keys`: of everybody who held one so
    far."""
    new, back = [one["body"] for one in entry.get("successions", [])], [one["seat"] for one in entry.get("returns", [])]
    vacant = {one["seat"]: one | {"entry": one.get("entry") or entry["prev"]} for one in state.vacant}
    begins = dict.fromkeys((seat for seat in entry.get("timeouts", []) if state.missed[seat] == 2), "")
    for answer in entry["answers"]:
        seat, named = answer["seat"], answer.get("handover", "")
        if named == keys[seat]:
            vacant.pop(seat, None)
            named = ""
        if named or answer.get("resign"):
            begins[seat] = named
    for seat in [*(answer["seat"] for answer in entry["answers"]), *back]:
        if seat in vacant and not vacant[seat].get("key"):
            del vacant[seat]
    for seat, named in begins.items():
        said = {"due": state.due, "key": named or vacant.get(seat, {}).get("key", "")}
        vacant[seat] = {"seat": seat, "round": state.round} | {name: text for name, text in said.items() if text}
    for body in new:
        seat = body["seat"]
        vacant.pop(seat, None)
        names = ("seat", "name", "key", "nonce", "tip", "kept")
        state.holders.append({name: body[name] for name in names if name in body} | {"since": state.round})
        state.links[seat] = [0, body["tip"]]
    came = {body["seat"] for body in new} | set(back)
    state.missed = [0 if seat in came else count for seat, count in enumerate(state.missed)]
    state.left = [[seat, round_] for seat, round_ in state.left if seat not in came]
    state.linking = bool(came)
    state.vacant = [] if state.end else [vacant[seat] for seat in sorted(vacant)]


def check_inherited(table: Table, state: State, known: Known, seat: int) -> None:
    """A player who takes over a seat gets what is sealed in its held answers; nobody else gets such a thing."""
    new = any((one["seat"], one["since"]) == (seat, state.round) for one in state.holders)
    owed = [one for one in state.held if new and one["seat"] == seat and one.get("commit")]
    told = known.left.get((state.round, seat), [])
    if owed and known.told is None:
        need(state.round in known.openings, "missing-private", "there is no private part of this round")
    same = [(one["round"], one["seat"]) for one in told] == [(one["round"], seat) for one in owed]
    need(same, "missing-opening", "not exactly the sealed answers of the seat")
    for one, held in zip(told, owed, strict=True):
        fit = {n: commitment(table.game, one["round"], seat, n, secret) for n, secret in one["fields"].items()}
        need(fit == held["commit"], "bad-opening", "this is not what was sealed")
        known.sealed[one["round"], seat] = one["fields"]


def play_round(table: Table, state: State, entry: Json, known: Known) -> Play:
    """Play one entry; it must lead to the state that it names, and give this seat exactly the private part that it is
    owed."""
    play = advance(table, state, entry, known)
    told = known.openings.get(state.round) if known.told is None else any(known.told.values())
    need(not told, "missing-opening", "more openings than a seat is owed")
    need(H("state", table.game, state.spelled()).hex() == entry["state"], "rule-broken", "`state` is not right")
    need(not play.untold, "missing-private", "there is no private part of this round")
    if not entry.get("timeouts") and state.end != "left":
        _check_counts(state, known)
    readers = [] if known.secret else [known.seat] if known.told is None else known.told
    for seat in readers:
        if seat is not None:
            check_inherited(table, state, known, seat)
    return play


def _check_counts(state: State, known: Known) -> None:
    """What is known to lie in containers is not more than there can be."""
    lying = [slot for bag in state.bags.values() for slot in bag.content()]
    faces = Counter(face for slot in lying if (face := state.faces.get(slot) or known.faces.get(slot)))
    need(all(count <= state.inside[face] for face, count in faces.items()), "minted", "more tokens than there can be")


# --- Section 8: whole documents -------------------------------------------------------------------------------------


@dataclass
class Checked:
    """A file that passed, and how many of each thing were checked."""

    document: Json
    table: Table
    state: State
    questions: dict[str, tuple[dict[int, Json], list[Owner]]]
    missed: dict[str, list[int]] = field(default_factory=dict)
    openings: int = 0
    signatures: int = 0
    draws: int = 0
    rounds: int = 0


Look = Callable[[Json], None]


def _nothing(entry: Json) -> None:
    """Nothing else is checked."""


def _entries(
    checked: Checked, known: Known, signatures: Signatures, placed: Look = _nothing, answered: Look = _nothing
) -> None:
    """All entries of a document; `placed` looks at each in its place, `answered` when its answers are right."""
    table, state = checked.table, checked.state
    for envelope_ in checked.document["entries"]:
        step = state.round + 1
        try:
            entry = envelope_["body"] = signatures.read(envelope_, "entry", table.host.key, ENTRY)
            check_place(table, state, entry, signatures)
            placed(entry)
            check_answers(table, state, entry, signatures)
            answered(entry)
            play = play_round(table, state, entry, known)
        except Bad as bad:
            bad.step = step
            raise
        checked.draws += play.draws
        checked.rounds = step
        checked.questions[state.newest] = _open_round(table, state)
        checked.missed[state.newest] = list(state.missed)
    checked.signatures = signatures.checked


def _open_round(table: Table, state: State) -> tuple[dict[int, Json], list[Owner]]:
    """What is asked after this state, and who holds the seats then."""
    return asked(state), [table.holder(state, seat) for seat in range(table.seats)]


def _read_privates(document: Json, table: Table, signatures: Signatures) -> dict[int, Json]:
    """Step 2: round -> this seat's private part."""
    need(document.get("seat", 0) < table.seats, "mixed-view", "there is no such seat")
    need("seat" in document or not document.get("privates"), "mixed-view", "a public view has private parts")
    privates: dict[int, Json] = {}
    for sealed in document.get("privates", []):
        body = signatures.read(sealed, "private", table.host.key, PRIVATE)
        need((body["game"], body["seat"]) == (table.game.hex(), document["seat"]), "mixed-view", "not for this seat")
        last = max(privates, default=0)
        need(last < body["round"] <= len(document["entries"]), "mixed-view", "not in the order of rounds")
        privates[body["round"]] = body
    return privates


def check_view(
    data: bytes, bags: Bags, verify: VerifySignature = ed25519.verify, own: dict[int, Json] | None = None
) -> Checked:
    """All of section 8 that can be checked from a view without the rules; `own`: round -> sealed fields that the seat's
    tool kept."""
    document, signatures = parse_file(data), Signatures(verify)
    need(kind_of(document) == "view", "wrong-kind", "this is no view")
    need(VIEW(document), "malformed", "the view has another shape")
    table = read_genesis(document["genesis"], bags, signatures)
    privates = _read_privates(document, table, signatures)
    seat = document.get("seat")
    known = Known(seat, {round_: list(private["openings"]) for round_, private in privates.items()})
    known.left = {(round_, seat): private.get("sealed", []) for round_, private in privates.items()}
    known.sealed = {(round_, seat): fields for round_, fields in (own or {}).items()}
    checked = Checked(document, table, first_state(table), {})
    checked.questions[table.game.hex()] = _open_round(table, checked.state)

    def names_entry(entry: Json) -> None:
        private = privates.get(entry["round"])
        good = private is None or private["entry"] == identity("entry", entry).hex()
        need(good, "false-private", "the private part is of another entry")

    _entries(checked, known, signatures, placed=names_entry)
    _check_position(checked)
    checked.openings = sum(len(private["openings"]) for private in privates.values())
    return checked


def check_round(document: Json, bags: Bags, verify: VerifySignature = ed25519.verify) -> State:
    """One entry after a state that is taken for granted. `private` is what `seat` was told in it; with M (`secret`)
    `known` has the faces of all slots and `sealed` the sealed fields of all answers."""
    signatures = Signatures(verify)
    table = read_genesis(document["genesis"], bags, signatures)
    state = read_state(document["state"], document["prev"])
    seat = document.get("seat")
    known = Known(seat, faces=dict(document["known"]), secret=bytes.fromhex(document.get("secret", "")))
    known.sealed = {(part["round"], part["seat"]): part["fields"] for part in document.get("sealed", [])}
    if "private" in document:
        private = signatures.opened(document["private"], "private", table.host.key)
        need(PRIVATE(private), "bad-private", "a private part has another shape")
        known.openings[private["round"]] = list(private["openings"])
        known.left[private["round"], private["seat"]] = private.get("sealed", [])
        named = private["entry"] == identity("entry", document["entry"]["body"]).hex()
        need(named, "false-private", "the private part is of another entry")
    if "own" in document:
        known.sealed = {(int(round_), seat): fields for round_, fields in document["own"].items()}
    entry = signatures.opened(document["entry"], "entry", table.host.key)
    need(ENTRY(entry), "bad-entry", "the entry has another shape")
    check_place(table, state, entry, signatures)
    check_answers(table, state, entry, signatures)
    play_round(table, state, entry, known)
    return state


def _check_position(checked: Checked) -> None:
    """Step 4; standing orders are in the position, and a round that plays nothing leaves everything else as it is."""
    try:
        _check_positions(checked)
    except Bad as bad:
        bad.step = checked.rounds
        raise


def _check_positions(checked: Checked) -> None:
    document, entries = checked.document, [envelope_["body"] for envelope_ in checked.document["entries"]]
    need(("public" in document) == bool(entries), "mixed-view", "there is a position exactly if there is an entry")
    position = document.get("public")
    for number in range(len(entries), 0, -1):
        entry, said = entries[number - 1], words_after(entries[:number])
        public = H("public", checked.table.game, number, canonical(position)).hex()
        last = number == len(entries)
        need(public == entry["public"], "mixed-view" if last else "rule-broken", "this is not the position")
        if said:
            standing = position.get("standing") if isinstance(position, dict) else None
            fits = isinstance(standing, list) and len(standing) == checked.table.seats
            need(fits and all(standing[seat] == said[seat] for seat in said), "rule-broken", "other words stand there")
        if not entry.get("timeouts") and entry.get("end") != "left":
            return
        before, seats = words_after(entries[: number - 1]), words_after(entries[number - 1 : number])
        changed = seats.keys() | {one["body"]["seat"] for one in entry.get("successions", [])}
        if changed - before.keys() and isinstance(position, dict) and "standing" in position:
            # What it is to have said nothing only the rules can tell.
            return
        if changed and isinstance(position, dict) and "standing" in position:
            standing = [before[seat] if seat in changed else words for seat, words in enumerate(position["standing"])]
            position = position | {"standing": standing}


def words_after(entries: list[Json]) -> dict[int, Json]:
    """Seat -> the standing orders that its holder gave last."""
    said: dict[int, Json] = {}
    for entry in entries:
        said |= {a["seat"]: a["standing"] for a in entry["answers"] if "standing" in a}
        for one in entry.get("successions", []):
            said.pop(one["body"]["seat"], None)
    return said


def check_transcript(data: bytes, bags: Bags, verify: VerifySignature = ed25519.verify) -> Checked:
    """All of section 8 that can be checked from a transcript without the rules."""
    document = parse_file(data)
    need(kind_of(document) == "transcript", "wrong-kind", "this is no transcript")
    need(TRANSCRIPT(document), "malformed", "the transcript has another shape")
    checked = replay(document, bags, Signatures(verify))
    try:
        if "abandoned" in document:
            check_abandoned(checked, document["abandoned"], Signatures(verify))
        else:
            need(checked.rounds and (checked.state.end or checked.state.rests()), "not-over", "the game goes on")
    except Bad as bad:
        bad.step = checked.rounds
        raise
    return checked


def check_abandoned(checked: Checked, sealed: Json, signatures: Signatures) -> None:
    """The host abandoned the game after the last entry, which does not end it."""
    body, state = signatures.opened(sealed, "abandonment", checked.table.host.key), checked.state
    need(ABANDONMENT(body), "malformed", "the abandonment has another shape")
    here = {"game": checked.table.game.hex(), "round": state.round, "entry": state.newest}
    need(not state.end and body == here, "bad-abandonment", "the host did not give the game up here")


def replay(document: Json, bags: Bags, signatures: Signatures) -> Checked:
    """Replays the rounds of a transcript with M; does not check that they are the whole game."""
    table = read_genesis(document["genesis"], bags, signatures)
    secret = bytes.fromhex(document["secret"])
    last = derive(secret, "host-chain", table.host.nonce)
    tip = link_back(table.host.key, table.host.nonce, LINKS, 0, last).hex()
    need(tip == table.host.tip, "bad-secret", "this is not the host's secret")
    chance = bytes.fromhex(document.get("chance", ""))
    bound = H("chance", chance).hex() if chance else ""
    need(bound == table.chance, "bad-secret", "this is not the common chance of the offer")
    known = Known(secret=secret, chance=chance)
    for name, faces in bags.items():
        new = sealed_leaves(secret, table.seating, name, 0, faces, chance)
        need([leaf for _, leaf in new.values()] == table.leaves[name], "bad-bag", f"{name} was not filled by M")
        known.faces |= {slot: face for slot, (face, _) in new.items()}
    parts: dict[tuple[int, int], Json] = {}
    for part in document.get("sealed", []):
        place = part["round"], part["seat"]
        need(place not in parts, "bad-sealed", "two sealed parts of one answer")
        parts[place] = part["fields"]
    checked = Checked(document, table, first_state(table), {})

    def has_sealed(entry: Json) -> None:
        for answer in entry["answers"]:
            commit = answer.get("commit")
            if commit:
                place = entry["round"], answer["seat"]
                fields = parts.pop(place, {})
                fit = {name: commitment(table.game, *place, name, secret) for name, secret in fields.items()}
                need(fit == commit, "bad-sealed", "the sealed part of an answer does not fit")
                known.sealed[place] = fields

    _entries(checked, known, signatures, answered=has_sealed)
    need(not parts, "bad-sealed", "a sealed part of an answer that was never given")
    return checked


# --- Section 8: several files ---------------------------------------------------------------------------------------


NO_PROOF = ("early", "revealed")
"""Refusals that prove nothing."""


def check_files(files: list[bytes], bags: Bags, verify: VerifySignature = ed25519.verify) -> None:
    """Views, transcripts, receipts and moves side by side: the host must have signed a single history."""
    passed: list[Checked] = []
    receipts: list[Json] = []
    extensions: list[Json] = []
    moves: dict[str, list[Json]] = {}
    for data in files:
        document = parse_file(data)
        kind = kind_of(document)
        if kind == "view":
            passed.append(check_view(data, bags, verify))
        elif kind == "transcript":
            passed.append(check_transcript(data, bags, verify))
        elif kind == "receipt":
            # What cannot be read is nobody's statement.
            receipts += [document] if envelope(document) and RECEIPT(document["body"]) else []
        elif kind == "extension":
            extensions += [document] if envelope(document) and is_extension(document["body"]) else []
        elif kind == "move":
            good = MOVE_FILE(document) and MOVE(document["body"])
            if good:
                moves.setdefault(identity("move", document["body"]).hex(), []).append(document)
    entries: dict[tuple[str, int], Json] = {}
    found = [*_one_story(passed, entries)]
    signatures = Signatures(verify)
    for checked in passed:
        key, game = checked.table.host.key, checked.table.game.hex()
        mine = [
            r["body"]
            for r in receipts
            if r["body"]["game"] == game and signatures.good("receipt", r["body"], r["sig"], key)
        ]
        found += _against_receipts(mine, entries)
        for given in extensions:
            body = given["body"]
            entry = entries.get((game, body["round"])) if body["game"] == game else None
            broken = entry is not None and breaks(checked.table, body, entry)
            if broken and signatures.good("extension", body, given["sig"], key):
                found.append(Bad("extended-and-timed-out", "the host gave more time, and did not wait", body["round"]))
        for receipt in mine:
            copies = moves.get(receipt["move"], ())
            refused = receipt["code"] not in ("taken", "stale", "answered", *NO_PROOF)
            if refused and any(_is_good_without_rules(checked, move, receipt, signatures) for move in copies):
                found.append(Bad("refused-though-legal", "the host refused a good answer", receipt["round"]))
    if found:
        raise min(found, key=lambda bad: SIDE_BY_SIDE.index(bad.code))


SIDE_BY_SIDE = (
    "two-entries",
    "two-geneses",
    "taken-and-timed-out",
    "taken-and-dropped",
    "taken-and-refused",
    "two-taken",
)
SIDE_BY_SIDE += ("answered-and-timed-out", "extended-and-timed-out", "refused-though-legal")
"""What files show together, in order of precedence."""


def _one_story(passed: list[Checked], entries: dict[tuple[str, int], Json]) -> Iterator[Bad]:
    """Where the entries of all files, which are gathered, or their geneses contradict each other."""
    geneses: dict[bytes, bytes] = {}
    for checked in passed:
        game = checked.table.game
        if geneses.setdefault(checked.table.offer, game) != game:
            yield Bad("two-geneses", "two games from one offer")
        for body in (sealed["body"] for sealed in checked.document["entries"]):
            if entries.setdefault((game.hex(), body["round"]), body) != body:
                yield Bad("two-entries", "two entries of one round", body["round"])


def _against_receipts(receipts: list[Json], entries: dict[tuple[str, int], Json]) -> Iterator[Bad]:
    """What the receipts of a game show beside its entries, and beside each other."""
    for receipt in receipts:
        round_, entry = receipt["round"], entries.get((receipt["game"], receipt["round"]))
        late = entry is not None and receipt["seat"] in entry.get("timeouts", [])
        if receipt["code"] == "answered" and late:
            yield Bad("answered-and-timed-out", "the host had an answer", round_)
        if receipt["code"] != "taken":
            continue
        moves = [identity("move", rebuilt_move(entry, answer)).hex() for answer in entry["answers"]] if entry else []
        if late:
            yield Bad("taken-and-timed-out", "the host took this answer and then said it never came", round_)
        elif entry is not None and receipt["move"] not in moves:
            yield Bad("taken-and-dropped", "the host dropped an answer it took", round_)
        for other in receipts:
            if (other["round"], other["seat"]) != (round_, receipt["seat"]):
                continue
            same = other["move"] == receipt["move"]
            if other["code"] == "taken" and not same:
                yield Bad("two-taken", "two answers were taken", round_)
            if other["code"] not in ("taken", *NO_PROOF) and same:
                yield Bad("taken-and-refused", "the host took and refused one move", round_)


def _is_good_without_rules(checked: Checked, move: Json, receipt: Json, signatures: Signatures) -> bool:
    """Whether a bare link or a resignation that a receipt refuses was right by what its seat's own view says."""
    body = move["body"]
    if (receipt["round"], receipt["seat"], checked.document.get("seat")) != (body["round"], body["seat"], body["seat"]):
        return False
    entries = {identity("entry", e["body"]).hex(): e["body"]["round"] for e in checked.document["entries"]}
    before = {checked.table.game.hex(): 0, **entries}.get(body["asked"])
    questions, owners = checked.questions.get(body["asked"], ({}, []))
    if before is None or body["round"] != before + 1 or body["seat"] not in questions:
        return False
    if "answer" in body or "standing" in body:
        return False
    question, owner = questions[body["seat"]], owners[body["seat"]]
    if "handover" in body and not (checked.table.takeovers and before):
        return False
    right = body["game"] == checked.table.game.hex() and not body.get("commit")
    form = before > 0 if body.get("resign") else question is None
    if body.get("protest"):
        form = form and before > 0 and may_protest(owner, checked.missed[body["asked"]][body["seat"]])
    linked = owner.reveals([0, owner.tip], body["round"], body["link"])
    return right and form and linked and signatures.good("move", body, move["sig"], owner.key)
