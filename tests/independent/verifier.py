"""A second verifier of views and transcripts: it follows schemas/PROTOCOL.md and shares no code with the program.

It uses the standard library only and knows no game's rules: `ask`, `result`, the operations and the hash of
the position are taken from the entries, the faces of the bags are given by the caller. Section numbers are those of
PROTOCOL.md; what it says of bytes is in `wire`.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from . import ed25519
from .wire import (
    ENTRY,
    GENESIS,
    JOIN,
    LINKS,
    MOVE,
    MOVE_FILE,
    OFFER,
    PREFIX,
    PRIVATE,
    RECEIPT,
    TRANSCRIPT,
    VIEW,
    Bad,
    Bags,
    H,
    Json,
    Signatures,
    VerifySignature,
    acc_next,
    below,
    canonical,
    commitment,
    derive,
    envelope,
    folded,
    identity,
    is_good_name,
    is_weak,
    leaf_of,
    link_back,
    need,
    order_of,
    parse,
    sealed_leaves,
    seed_of,
    slot_parts,
)

# --- Section 8, step 1: the table -----------------------------------------------------------------------------------


@dataclass
class Owner:
    """Who signs and reveals links: the host or a seat."""

    key: bytes
    nonce: bytes
    tip: str

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
    chance: str

    def owner(self, container: str) -> int | None:
        """The seat whose hand this container is."""
        name, _, seat = container.partition("/")
        mine = name in self.hands and seat.isdigit() and str(int(seat)) == seat and int(seat) < self.seats
        return int(seat) if mine else None


def _strong(key: str) -> bytes:
    need(not is_weak(bytes.fromhex(key)), "weak-key", "this key vouches for anything")
    return bytes.fromhex(key)


def read_genesis(genesis: Json, bags: Bags, signatures: Signatures) -> Table:
    table = read_signed_genesis(genesis, bags, signatures)
    check_genesis(genesis, bags, signatures)
    return table


def check_genesis(genesis: Json, bags: Bags, signatures: Signatures) -> None:
    """What the host says in a genesis that it signed."""
    body = genesis["body"]
    offer, joins = body["offer"], body["joins"]
    terms = offer["body"]
    host_key = _strong(terms["key"])
    signatures.opened(offer, "offer", host_key)
    need(terms.get("deadline") or not terms.get("grace"), "bad-due", "grace without a deadline")
    offer_id, keys = identity("offer", terms).hex(), {host_key}
    for join in joins:
        mine = join["body"]
        key = _strong(mine["key"])
        signatures.opened(join, "join", key)
        need(mine["offer"] == offer_id, "other-offer", "a join is for another offer")
        need(is_good_name(mine["name"]), "bad-name", "a name that is not allowed")
        keys.add(key)
    need(len(joins) == terms["seats"], "bad-seats", "not one join per seat")
    need(len(keys) == len(joins) + 1, "same-key", "two have one key")
    need(len({folded(join["body"]["name"]) for join in joins}) == len(joins), "bad-name", "two names are alike")
    sizes = {name: len(leaves) for name, leaves in body["leaves"].items()}
    need(sizes == {name: len(faces) for name, faces in bags.items()}, "bad-bags", "these are not the bags of the game")


def read_signed_genesis(genesis: Json, bags: Bags, signatures: Signatures) -> Table:
    """A genesis that its host signed; whether it is a good one is not looked at."""
    body = genesis["body"]
    need(GENESIS(body), "malformed", "the genesis has another shape")
    offer, joins = body["offer"], body["joins"]
    kinds = [(genesis, "genesis"), (offer, "offer"), *((join, "join") for join in joins)]
    need(all(one["type"] == PREFIX + kind for one, kind in kinds), "wrong-kind", "an envelope of another kind")
    need(OFFER(offer["body"]), "malformed", "the offer has another shape")
    need(all(JOIN(join["body"]) for join in joins), "malformed", "a join has another shape")
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
        players=[
            Owner(*(bytes.fromhex(join["body"][name]) for name in ("key", "nonce")), join["body"]["tip"])
            for join in joins
        ],
        leaves=body["leaves"],
        hands=body.get("hands", []),
        bags=bags,
        deadline=terms.get("deadline", 0),
        grace=terms.get("grace", 0),
        chance=terms.get("chance", ""),
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

    def spelled(self) -> bytes:
        book = {
            "bags": {name: _given(vars(bag), Bag().__dict__) for name, bag in self.bags.items()},
            "leaves": self.leaves,
            "faces": self.faces,
            "told": self.told,
            "inside": {face: count for face, count in self.inside.items() if count},
        }
        defaults = {"held": [], "left": [], "links": [], "missed": [], "pending": [], "holding": False}
        state = {
            "acc": self.acc.hex(),
            "book": {name: part for name, part in book.items() if part},
            "host_link": self.host_link,
            "round": self.round,
        }
        names = ("held", "left", "links", "missed", "pending", "holding", "end", "due", "drawn", "public", "result")
        optional = {name: getattr(self, name) for name in names}
        return canonical(
            state | _given(optional, defaults | {"end": "", "due": "", "drawn": {}, "public": "", "result": None})
        )

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
    if not state.holding and any(seat in questions for seat in active):
        return {seat: questions[seat] for seat in active if seat in questions}
    held = {answer["seat"] for answer in state.held}
    again = questions.keys() - held if state.holding else set()
    return {seat: questions[seat] if seat in again else None for seat in active}


# --- Section 8, step 3: entries -------------------------------------------------------------------------------------


def rebuilt_move(entry: Json, answer: Json) -> Json:
    """The move that a player signed, from what the entry keeps of it."""
    move = {name: value for name, value in answer.items() if name != "sig"}
    return move | {"asked": entry["prev"], "game": entry["game"], "round": entry["round"]}


def fits_question(answer: Json, question: Json, state: State) -> bool:
    """Whether an answer has the form that was asked for."""
    decision, commit = answer.get("answer"), answer.get("commit", {})
    if answer.get("resign") and "standing" in answer:
        return False
    if decision is None:
        bare = question is None or state.holding
        return not commit and (bare or answer.get("resign", False)) and not (answer.get("resign") and state.round == 0)
    if question is None or answer.get("resign"):
        return False
    return sorted(commit) == sorted(question.get("sealed", [])) and not commit.keys() & decision.keys()


def check_links(table: Table, state: State, entry: Json, signatures: Signatures) -> None:
    """Everything in an entry that comes before the playing of its round."""
    round_ = state.round + 1
    need(entry["game"] == table.game.hex() and entry["round"] == round_, "altered-chain", "an entry of another place")
    need(entry["prev"] == state.newest, "broken-chain", "it does not follow the one before")
    check_moves(table, entry, signatures)
    check_answers(table, state, entry)


def check_moves(table: Table, entry: Json, signatures: Signatures) -> None:
    """Every answer is what its seat signed."""
    for answer in entry["answers"]:
        seat, move = answer["seat"], rebuilt_move(entry, answer)
        good = seat < table.seats and signatures.good("move", move, answer["sig"], table.players[seat].key)
        need(good, "bad-move", "a player did not sign this")


def check_answers(table: Table, state: State, entry: Json) -> None:
    """The answers are those that were asked for, with their links, and the deadline is right."""
    round_ = state.round + 1
    need(not state.end, "after-end", "the game was over")
    questions = asked(state)
    seats, timeouts = [answer["seat"] for answer in entry["answers"]], entry.get("timeouts", [])
    need(seats == sorted(set(seats)) and timeouts == sorted(set(timeouts)), "bad-round", "seats are not in order")
    need(sorted(seats + timeouts) == sorted(questions), "bad-round", "these are not the seats asked")
    need(round_ > 1 or not timeouts, "bad-round", "the first round has no timeout")
    need(seats or not state.rests(), "bad-round", "a game that rests goes on with an answer")
    check_due(table, state, entry)
    for answer in entry["answers"]:
        need(fits_question(answer, questions[answer["seat"]], state), "bad-round", "an answer of another form")
        owner, seen = table.players[answer["seat"]], state.links[answer["seat"]]
        need(owner.reveals(seen, round_, answer["link"]), "bad-link", "a link is not in its chain")
    need(
        table.host.reveals(state.host_link, round_, entry["link"]),
        "bad-host-link",
        "the host's link is not in its chain",
    )


def check_due(table: Table, state: State, entry: Json) -> None:
    """A deadline is stated where there is one, and not before what a missed one allows."""
    due = entry.get("due", "")
    need(bool(due) == (table.deadline > 0 and "end" not in entry), "bad-due", "a deadline too many, or none")
    if due:
        try:
            stated = datetime.fromisoformat(due)
        except ValueError:
            raise Bad("bad-due", "this is no time") from None
        late = stated.toordinal() * 1440 + stated.hour * 60 + stated.minute
        if entry.get("timeouts") and state.due:
            before = datetime.fromisoformat(state.due)
            least = before.toordinal() * 1440 + before.hour * 60 + before.minute + table.grace + table.deadline
            need(late >= least, "bad-due", "somebody was passed over too early")


@dataclass
class Known:
    """What a reader knows beside the entries: one seat's private parts, or M and all sealed fields; or what a proof
    shows (`told`: seat -> its openings in this round; who is not in it may have been told anything)."""

    seat: int | None = None
    openings: dict[int, list[Json]] = field(default_factory=dict)
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
    actor: str = ""

    def run(self, ops: list[Json]) -> None:
        for op in ops:
            getattr(self, "_" + op["op"].replace("-", "_"))(op)
            self.last = op
        need(not self.mixed, "bad-ops", "a hand that received is not sealed anew")

    def _recognised(self, owner: int, slot: str) -> bool:
        """Whether somebody else than the owner of a hand could tell this slot from others."""
        return slot in self.state.faces or set(self.state.told.get(slot, [])) > {owner}

    def bag(self, name: str) -> Bag:
        return self.state.bags.setdefault(name, Bag())

    def face_of(self, slot: str) -> str | None:
        """The face, if this reader knows it."""
        return self.state.faces.get(slot) or self.known.faces.get(slot)

    # -- dice and picks

    def _draw(self, what: str, n: int) -> int | None:
        """The next number; None where only who has the secret of common chance can tell."""
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
                round_ = self.state.round
                need(round_ in self.known.openings, "missing-private", "there is no private part of this round")
                self._read_opening(slot, self.known.openings[round_])

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
    return _ranked([[rounds.get(seat, state.round + 1)] for seat in range(len(state.missed))])


def _ranked(scores: list[list[int]]) -> Json:
    return {"ranks": [1 + sum(other > mine for other in scores) for mine in scores], "scores": scores}


def advance(table: Table, state: State, entry: Json, known: Known) -> Play:
    """Play one entry, taking from it what only the rules can tell; `state` becomes the one after it."""
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
        good = result is None or (len(result["scores"]) == table.seats and result == _ranked(result["scores"]))
        need(good, "rule-broken", "the ranks are not those of the scores")
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
    state.newest = identity("entry", entry).hex()
    return play


def play_round(table: Table, state: State, entry: Json, known: Known) -> Play:
    """Play one entry; it must lead to the state that it names, and tell this seat exactly what it is owed."""
    play = advance(table, state, entry, known)
    told = known.openings.get(state.round) if known.told is None else any(known.told.values())
    need(not told, "missing-opening", "more openings than a seat is owed")
    need(H("state", table.game, state.spelled()).hex() == entry["state"], "rule-broken", "`state` is not right")
    if not entry.get("timeouts") and state.end != "left":
        _check_counts(state, known)
    return play


def _check_counts(state: State, known: Known) -> None:
    """What is known to lie in containers is not more than there can be."""
    lying = [slot for bag in state.bags.values() for slot in bag.content()]
    faces = Counter(face for slot in lying if (face := state.faces.get(slot) or known.faces.get(slot)))
    need(all(count <= state.inside[face] for face, count in faces.items()), "minted", "more tokens than there can be")


# --- Section 8: whole documents -------------------------------------------------------------------------------------


@dataclass
class Checked:
    """A file that passed, and how much of what was checked."""

    document: Json
    table: Table
    state: State
    questions: dict[str, dict[int, Json]]
    openings: int = 0
    signatures: int = 0
    draws: int = 0
    rounds: int = 0


def _read_entry(entry: Json, table: Table, signatures: Signatures) -> Json:
    body = signatures.opened(entry, "entry", table.host.key)
    need(ENTRY(body), "bad-entry", "the entry has another shape")
    return body


def _entries(checked: Checked, known: Known, signatures: Signatures, before: Callable[[Json], None]) -> None:
    """All entries of a document; `before` looks at each before it is played."""
    table, state = checked.table, checked.state
    for envelope_ in checked.document["entries"]:
        step = state.round + 1
        try:
            entry = _read_entry(envelope_, table, signatures)
            check_links(table, state, entry, signatures)
            before(entry)
            play = play_round(table, state, entry, known)
        except Bad as bad:
            bad.step = step
            raise
        checked.draws += play.draws
        checked.rounds = step
        checked.questions[state.newest] = asked(state)
    checked.signatures = signatures.checked


def _read_privates(document: Json, table: Table, signatures: Signatures) -> dict[int, Json]:
    """Step 2: round -> this seat's private part."""
    need(document["seat"] < table.seats, "mixed-view", "there is no such seat")
    privates: dict[int, Json] = {}
    for sealed in document.get("privates", []):
        body = signatures.opened(sealed, "private", table.host.key)
        need(PRIVATE(body), "bad-private", "a private part has another shape")
        need((body["game"], body["seat"]) == (table.game.hex(), document["seat"]), "mixed-view", "not for this seat")
        last = max(privates, default=0)
        need(last < body["round"] <= len(document["entries"]), "mixed-view", "not in the order of rounds")
        privates[body["round"]] = body
    return privates


def check_view(
    data: bytes, bags: Bags, verify: VerifySignature = ed25519.verify, own: dict[int, Json] | None = None
) -> Checked:
    """All of section 8 that a view and no rules allow; `own`: round -> sealed fields that the seat's tool kept."""
    document, signatures = parse(data), Signatures(verify)
    need(VIEW(document), "malformed", "the view has another shape")
    table = read_genesis(document["genesis"], bags, signatures)
    privates = _read_privates(document, table, signatures)
    known = Known(document["seat"], {round_: list(private["openings"]) for round_, private in privates.items()})
    known.sealed = {(round_, document["seat"]): fields for round_, fields in (own or {}).items()}
    checked = Checked(document, table, first_state(table), {table.game.hex(): asked(first_state(table))})

    def names_entry(entry: Json) -> None:
        private = privates.get(entry["round"])
        good = private is None or private["entry"] == identity("entry", entry).hex()
        need(good, "false-private", "the private part is of another entry")

    _entries(checked, known, signatures, names_entry)
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
        named = private["entry"] == identity("entry", document["entry"]["body"]).hex()
        need(named, "false-private", "the private part is of another entry")
    if "own" in document:
        known.sealed = {(int(round_), seat): fields for round_, fields in document["own"].items()}
    entry = _read_entry(document["entry"], table, signatures)
    check_links(table, state, entry, signatures)
    play_round(table, state, entry, known)
    return state


def _check_position(checked: Checked) -> None:
    """Step 4; what was said stands in the position, and a round that plays nothing leaves all else as it is."""
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
        if seats.keys() - before.keys():
            # What it is to have said nothing only the rules can tell.
            return
        if seats:
            standing = [before[seat] if seat in seats else words for seat, words in enumerate(position["standing"])]
            position = position | {"standing": standing}


def words_after(entries: list[Json]) -> dict[int, Json]:
    """Seat -> the standing words that it said last."""
    return {a["seat"]: a["standing"] for entry in entries for a in entry["answers"] if "standing" in a}


def check_transcript(data: bytes, bags: Bags, verify: VerifySignature = ed25519.verify) -> Checked:
    """All of section 8 that a transcript and no rules allow."""
    document = parse(data)
    need(TRANSCRIPT(document), "malformed", "the transcript has another shape")
    checked = replay(document, bags, Signatures(verify))
    need(checked.rounds and (checked.state.end or checked.state.rests()), "not-over", "the game goes on")
    return checked


def replay(document: Json, bags: Bags, signatures: Signatures) -> Checked:
    """The rounds of a transcript, by who has M; whether that is the whole game is not looked at."""
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

    _entries(checked, known, signatures, has_sealed)
    need(not parts, "bad-sealed", "a sealed part of an answer that was never given")
    return checked


# --- Section 8: several files ---------------------------------------------------------------------------------------


NO_PROOF = ("bad-commitment", "early", "revealed")
"""Refusals that prove nothing."""


def check_files(files: list[bytes], bags: Bags, verify: VerifySignature = ed25519.verify) -> None:
    """Views, transcripts, receipts and moves side by side: the host must have told one story."""
    passed: list[Checked] = []
    receipts: list[Json] = []
    moves: dict[str, Json] = {}
    for data in files:
        document = parse(data)
        if document.get("format") == PREFIX + "view":
            passed.append(check_view(data, bags, verify))
        elif document.get("format") == PREFIX + "transcript":
            passed.append(check_transcript(data, bags, verify))
        elif document.get("type") == PREFIX + "receipt":
            need(envelope(document), "malformed", "the receipt has another shape")
            receipts += [document] if RECEIPT(document["body"]) else []
        else:
            need(MOVE_FILE(document), "malformed", "the move has another shape")
            moves |= {identity("move", document["body"]).hex(): document} if MOVE(document["body"]) else {}
    entries = _one_story(passed)
    signatures = Signatures(verify)
    for checked in passed:
        key, game = checked.table.host.key, checked.table.game.hex()
        mine = [
            r for r in receipts if r["body"]["game"] == game and signatures.good("receipt", r["body"], r["sig"], key)
        ]
        _check_receipts([receipt["body"] for receipt in mine], entries)
        for receipt in (r["body"] for r in mine):
            move = moves.get(receipt["move"])
            refused = receipt["code"] not in ("taken", "stale", "answered", *NO_PROOF)
            if refused and move and _is_good_without_rules(checked, move, signatures):
                raise Bad("refused-though-legal", "the host refused a good answer", receipt["round"])


def _one_story(passed: list[Checked]) -> dict[tuple[str, int], Json]:
    """The entries of all files, which do not contradict each other."""
    geneses: dict[bytes, bytes] = {}
    entries: dict[tuple[str, int], Json] = {}
    for checked in passed:
        game = checked.table.game
        need(geneses.setdefault(checked.table.offer, game) == game, "two-geneses", "two games from one offer")
        for body in (sealed["body"] for sealed in checked.document["entries"]):
            same = entries.setdefault((game.hex(), body["round"]), body) == body
            need(same, "two-entries", "two entries of one round")
    return entries


def _check_receipts(receipts: list[Json], entries: dict[tuple[str, int], Json]) -> None:
    taken: dict[tuple[int, int], str] = {}
    for receipt in receipts:
        place, entry = (receipt["round"], receipt["seat"]), entries.get((receipt["game"], receipt["round"]))
        late = entry is not None and receipt["seat"] in entry.get("timeouts", [])
        if receipt["code"] == "taken":
            need(taken.setdefault(place, receipt["move"]) == receipt["move"], "two-taken", "two answers were taken")
            need(not late, "taken-and-timed-out", "the host took this answer and then said it never came")
            moves = (
                [identity("move", rebuilt_move(entry, answer)).hex() for answer in entry["answers"]] if entry else []
            )
            need(entry is None or receipt["move"] in moves, "taken-and-dropped", "the host dropped an answer it took")
        need(receipt["code"] != "answered" or not late, "answered-and-timed-out", "the host had an answer")
    for receipt in receipts:
        refused = receipt["code"] not in ("taken", *NO_PROOF)
        both = refused and receipt["move"] in taken.values()
        need(not both, "taken-and-refused", "the host took and refused one move")


def _is_good_without_rules(checked: Checked, move: Json, signatures: Signatures) -> bool:
    """Whether a bare link or a resignation was right by what a view says."""
    body = move["body"]
    entries = {identity("entry", e["body"]).hex(): e["body"]["round"] for e in checked.document["entries"]}
    before = {checked.table.game.hex(): 0, **entries}.get(body["asked"])
    questions = checked.questions.get(body["asked"], {})
    if before is None or body["round"] != before + 1 or body["seat"] not in questions:
        return False
    if "answer" in body or "standing" in body:
        return False
    question, owner = questions[body["seat"]], checked.table.players[body["seat"]]
    right = body["game"] == checked.table.game.hex() and not body.get("commit")
    form = before > 0 if body.get("resign") else question is None
    linked = owner.reveals([0, owner.tip], body["round"], body["link"])
    return right and form and linked and signatures.good("move", body, move["sig"], owner.key)
