"""Games with known keys, the tools of a host who signs something else, and the collector of vectors.

The project's engine plays the games, since somebody has to know the rules. Every change to a document is made, hashed
and signed by the independent code.
"""

import copy
import hashlib
import json
import marshal
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from referee.crypto.codec import encode
from referee.crypto.envelope import Envelope
from referee.engine import host as hosting
from referee.engine import table as tables
from referee.engine.dealer import Dealer
from referee.engine.seats import rests
from tests.conftest import TOYS
from tests.support.match import Sitting, cheating

from . import ed25519, verifier, wire
from .wire import Json, canonical, identity

assert TOYS, "the toy game is found once tests.conftest is imported"
Vector = dict[str, Json]
Alter = Callable[[Json], Any]


def secret(text: str) -> bytes:
    """32 bytes that anybody can recompute: SHA-256 of a text."""
    return hashlib.sha256(text.encode()).digest()


def plain(value: object) -> Json:
    """A value of the engine as the JSON it is spelled in."""
    return wire.parse(encode(value))


def copied(value: Json) -> Json:
    """A copy that can be changed: what `deepcopy` makes of plain JSON, many times as fast."""
    return marshal.loads(marshal.dumps(value))


# --- games ----------------------------------------------------------------------------------------------------------


class Played:
    """A game played by the engine, with every view on the way."""

    def __init__(self, sitting: Sitting) -> None:
        self.sitting = sitting
        self.host = sitting.host.seed
        self.players = [key.seed for key in sitting.players]
        self.bags = {name: list(faces) for name, faces in sitting.table.bags.items()}
        self.views: list[list[bytes]] = []
        self.moments: list[Json] = []
        self._note()

    def _note(self) -> None:
        game = self.sitting
        self.views.append([game.view(seat) for seat in range(len(self.players))])
        public = None if game.match.checkpoint.public is None else plain(game.match.checkpoint.public)
        faces = dict(game.match.faces)
        moment = {"state": plain(game.state), "prev": game.match.checkpoint.head, "public": public, "faces": faces}
        self.moments.append(moment)

    def step(
        self,
        *late: int,
        leave: tuple[int, ...] = (),
        words: dict[int, Any] | None = None,
        bare: tuple[int, ...] = (),
    ) -> "Played":
        """One round: some seats are late (those of them that are asked), some resign, the others answer; with standing
        `words`, and some with no more than a bare link."""
        game = self.sitting
        number = game.round
        for seat in leave:
            judged = game.give(game.signed(seat, resign=True))
            assert judged.error is None, judged.error
        if game.round == number:
            asked = [seat for seat in game.asked if seat not in game.match.waiting]
            missing = [seat for seat in late if seat in asked]
            for seat in asked:
                if seat not in missing:
                    judged = game.give(self._answer(seat, (words or {}).get(seat), bare=seat in bare))
                    assert judged.error is None, judged.error
            game.pass_over(missing)
        assert game.round == number + 1
        self._note()
        return self

    def _answer(self, seat: int, words: Any, *, bare: bool) -> bytes:
        if bare:
            return self.sitting.signed(seat, standing=words)
        return self.sitting.signed(seat) if words is None else self.sitting.saying(seat, words)

    def until(self, wanted: str | int, *late: int) -> "Played":
        """Play on until this is asked, or so many rounds are closed."""
        while wanted not in (self.sitting.what, self.sitting.round):
            self.step(*late)
        return self

    def to_end(self, *late: int) -> "Played":
        while not self.sitting.over and not rests(self.sitting.state):
            self.step(*late)
        return self

    def view(self, round_: int = -1, seat: int = 0) -> Json:
        return json.loads(self.views[round_][seat])

    def transcript(self) -> Json:
        return wire.parse(self.sitting.transcript())


# --- changing documents and signing them again ----------------------------------------------------------------------


def signed(seed: bytes, kind: str, body: Json) -> Json:
    signature = ed25519.sign(seed, wire.encoding(kind, canonical(body)))
    return {"body": body, "sig": signature.hex(), "type": wire.PREFIX + kind}


def anybody(key: bytes, message: bytes, signature: bytes) -> bool:
    """Takes every signature: for documents in the making."""
    return True


def restated(game: Played, document: Json) -> str:
    """The `state` that the newest entry of a document has to name, as it is now."""
    table = verifier.read_genesis(document["genesis"], game.bags, wire.Signatures(anybody))
    bodies = [entry["body"] for entry in document["entries"]]
    state = verifier.first_state(table)
    try:
        for body in bodies:
            verifier.advance(table, state, body, verifier.Known())
    except (wire.Bad, LookupError, AttributeError, TypeError):
        return str(bodies[-1]["state"])
    return wire.H("state", table.game, state.spelled()).hex()


def with_entry(game: Played, document: Json, alter: Alter, *, mend: bool = True) -> Json:
    """The newest entry altered and signed by the host; with `mend` its `state` fits, and private parts follow it."""
    document = copied(document)
    body = document["entries"][-1]["body"]
    before = identity("entry", body).hex()
    alter(body)
    if mend:
        body["state"] = restated(game, document)
    document["entries"][-1] = signed(game.host, "entry", body)
    for place, part in enumerate(document.get("privates", [])):
        if part["body"]["entry"] == before:
            document["privates"][place] = signed(
                game.host, "private", part["body"] | {"entry": identity("entry", body).hex()}
            )
    return document


def with_op(game: Played, document: Json, name: str, alter: Alter, which: int = 0) -> Json:
    """The newest entry with one operation of this name altered."""
    return with_entry(game, document, lambda entry: alter([op for op in entry["ops"] if op["op"] == name][which]))


def with_private(game: Played, view: Json, alter: Alter, which: int = -1) -> Json:
    """A private part altered and signed by the host."""
    view = copied(view)
    body = view["privates"][which]["body"]
    alter(body)
    view["privates"][which] = signed(game.host, "private", body)
    return view


def with_move(game: Played, document: Json, seat: int, alter: Alter, *, sign: bool = True) -> Json:
    """An answer of the newest entry altered; with `sign` its player signed it so."""

    def change(entry: Json) -> None:
        answer = next(one for one in entry["answers"] if one["seat"] == seat)
        alter(answer)
        if sign:
            move = wire.encoding("move", canonical(verifier.rebuilt_move(entry, answer)))
            answer["sig"] = ed25519.sign(game.players[answer["seat"]], move).hex()

    return with_entry(game, document, change)


def with_genesis(game: Played, view: Json, alter: Alter) -> Json:
    """The genesis altered and signed by the host; for a view without entries."""
    view = copied(view)
    alter(view["genesis"]["body"])
    view["genesis"] = signed(game.host, "genesis", view["genesis"]["body"])
    return view


def with_join(game: Played, view: Json, seat: int, /, seed: bytes = b"", **changes: Json) -> Json:
    def alter(genesis: Json) -> None:
        body = genesis["joins"][seat]["body"] | changes
        genesis["joins"][seat] = signed(seed or game.players[seat], "join", body)

    return with_genesis(game, view, alter)


def with_offer(game: Played, view: Json, /, host: bytes = b"", **changes: Json) -> Json:
    """Another offer, joined by the same players; for a view without entries."""

    def alter(genesis: Json) -> None:
        genesis["offer"] = signed(host or game.host, "offer", genesis["offer"]["body"] | changes)
        name = identity("offer", genesis["offer"]["body"])
        for seat, join in enumerate(genesis["joins"]):
            seed, key, nonce = game.players[seat], *(bytes.fromhex(join["body"][part]) for part in ("key", "nonce"))
            tip = wire.link_back(key, nonce, wire.LINKS, 0, wire.derive(seed, "chain", name, nonce))
            genesis["joins"][seat] = signed(seed, "join", join["body"] | {"offer": name.hex(), "tip": tip.hex()})

    view = with_genesis(game, view, alter)
    return view | {"genesis": signed(host, "genesis", view["genesis"]["body"])} if host else view


def changed(document: Json, *path: Any) -> Json:
    """A copy; the last element of the path is the new value of what the others lead to."""
    document = copied(document)
    *way, name, value = path
    at(document, *way)[name] = value
    return document


def at(document: Json, *path: str | int) -> Json:
    for step in path:
        document = document[step]
    return document


def flipped(text: str) -> str:
    """The same hex text with another last digit."""
    return text[:-1] + ("0" if text[-1] != "0" else "1")


def small_r(seed: bytes, kind: str, body: Json) -> Json:
    """An envelope whose signature has the neutral point as R: it fits the equation and proves nothing."""
    scalar, _ = ed25519._expand(seed)
    r, message = (1).to_bytes(32, "little"), wire.encoding(kind, canonical(body))
    k = ed25519._hash(r, ed25519.public_key(seed), message) % ed25519.L
    return {
        "body": body,
        "sig": (r + (k * scalar % ed25519.L).to_bytes(32, "little")).hex(),
        "type": wire.PREFIX + kind,
    }


def drop(name: str) -> Any:
    return lambda body: body.pop(name)


def put(*path: Any) -> Any:
    """A change: the last element of the path is the new value of what the others lead to."""

    def alter(body: Json) -> None:
        *way, name, value = path
        for step in way:
            body = body[step]
        body[name] = value

    return alter


def ops(document: Json, name: str) -> list[Json]:
    return [op for op in document["entries"][-1]["body"]["ops"] if op["op"] == name]


def ranked(scores: list[list[int]]) -> Json:
    return {"ranks": [1 + sum(other > mine for other in scores) for mine in scores], "scores": scores}


def own_fields(game: Played, seat: int) -> dict[int, Json]:
    return {
        n: {name: wire.parse(encode(one)) for name, one in fields.items()}
        for n, fields in game.sitting.own.get(seat, {}).items()
    }


def other_gift(game: Played, seat: int) -> tuple[Played, Json, Json]:
    """The raid again, by a host who gives away another card of the raider's hand."""

    class Thief(Dealer):
        def _given(self, seat: int, field: str, bag: str, count: int) -> tuple[str, ...]:
            honest = super()._given(seat, field, bag, count)
            return tuple(slot for slot in self.book.content(bag) if slot not in honest)[:count]

    again = Played(Sitting("auction", 2, "vectors", deadline=0)).until(2)
    with cheating(Thief):
        again.step()
    own = {str(n): fields for n, fields in own_fields(again, seat).items()}
    return again, again.view(3, seat), own


def stacked(alter: Any) -> Iterator[tuple[Played, tuple[int, int]]]:
    """Games whose host sealed another face than M says in one slot of the pile: the one of another slot."""
    for pair in ((i, j) for i in range(9) for j in range(9) if i != j):
        sitting = Sitting("auction", 2, "vectors stacked", deadline=0)
        faces = dict(sitting.match.faces)
        alter(faces, *(f"pile.0.{i}" for i in pair))
        seats = sitting.table
        body = wire.parse(encode(seats.envelope))["body"]
        for index in pair:
            salt = wire.salt_of(sitting.match.secret, seats.seating, "pile", 0, index)
            body["leaves"]["pile"][index] = wire.leaf_of(
                seats.seating, "pile", 0, index, salt, faces[f"pile.0.{index}"]
            ).hex()
        genesis = msgspec.json.decode(canonical(signed(sitting.host.seed, "genesis", body)), type=Envelope)
        sitting.match = hosting.new_match(sitting.host, tables.Table(genesis))
        sitting.match.faces = faces
        yield Played(sitting), pair


def restated_round(game: Played, document: Json) -> str:
    table = verifier.read_genesis(document["genesis"], game.bags, wire.Signatures(lambda *_: True))
    state = verifier.read_state(copied(document["state"]), document["prev"])
    try:
        verifier.advance(table, state, document["entry"]["body"], verifier.Known())
    except (wire.Bad, LookupError, AttributeError, TypeError):
        return str(document["entry"]["body"]["state"])
    return wire.H("state", table.game, state.spelled()).hex()


def one_round(game: Played, seat: int, place: int = -1) -> Json:
    """A round of a game (the last one, if no other is named) that was noted from the one before it."""
    before, view = game.moments[place - 1], game.view(place, seat)
    told = before["state"]["book"].get("told", {})
    known = {slot: before["faces"][slot] for slot, seats in told.items() if seat in seats}
    document = {name: before[name] for name in ("state", "prev", "public")}
    document |= {"genesis": view["genesis"], "entry": view["entries"][-1], "seat": seat, "known": known}
    number = view["entries"][-1]["body"]["round"]
    private = [p for p in view.get("privates", []) if p["body"]["round"] == number]
    own = {str(n): fields for n, fields in own_fields(game, seat).items() if n == number}
    return copied(document | ({"private": private[0]} if private else {}) | ({"own": own} if own else {}))


def with_secret(game: Played, document: Json, place: int = -1) -> Json:
    """The same round, for somebody with M and all sealed fields."""
    bare = {name: part for name, part in document.items() if name not in ("seat", "private", "own")}
    sealed = [
        {"round": number, "seat": seat, "fields": plain(fields)}
        for (number, seat), fields in sorted(game.sitting.match.sealed.items())
        if number <= document["entry"]["body"]["round"]
    ]
    secret_ = {"secret": game.sitting.match.secret.hex(), "known": dict(game.moments[place - 1]["faces"])}
    return copied(bare | secret_ | ({"sealed": sealed} if sealed else {}))


def altered_round(game: Played, document: Json, alter: Any) -> Json:
    """A round by itself, its entry altered and signed by the host; `state` fits, and the private part follows it."""
    document = copied(document)
    body = document["entry"]["body"]
    alter(body)
    body["state"] = restated_round(game, document)
    document["entry"] = signed(game.host, "entry", body)
    if "private" in document:
        part = document["private"]["body"] | {"entry": identity("entry", body).hex()}
        document["private"] = signed(game.host, "private", part)
    return document


# --- patches --------------------------------------------------------------------------------------------------------


def difference(old: Json, new: Json, path: tuple[str | int, ...] = ()) -> list[Json]:
    """The changes that lead from one document to another; a list is changed, then cut from its end or made longer."""
    if old is new or (old == new and marshal.dumps(old, 2) == marshal.dumps(new, 2)):  # the last, since True == 1
        return []
    if isinstance(old, dict) and isinstance(new, dict):
        out = [{"at": [*path, key], "remove": True} for key in sorted(old.keys() - new.keys())]
        for key in sorted(new):
            if key in old:
                out += difference(old[key], new[key], (*path, key))
            else:
                out.append({"at": [*path, key], "value": new[key]})
        return out
    if isinstance(old, list) and isinstance(new, list):
        both = min(len(old), len(new))
        out = [d for i in range(both) for d in difference(old[i], new[i], (*path, i))]
        out += [{"at": [*path, i], "remove": True} for i in range(len(old) - 1, both - 1, -1)]
        return out + [{"at": [*path, i], "value": new[i]} for i in range(both, len(new))]
    return [{"at": list(path), "value": new}]


def patched(old: Json, changes: list[Json]) -> Json:
    """The document after these changes; it shares with the old one what they do not touch."""
    for change in changes:
        old = _patched(old, change, *change["at"])
    return old


def _patched(old: Json, change: Json, name: str | int, *way: str | int) -> Json:
    new = copy.copy(old)
    if way:
        new[name] = _patched(old[name], change, *way)
    elif change.get("remove"):
        del new[name]
    elif isinstance(new, list) and name == len(new):
        new.append(change["value"])
    else:
        new[name] = change["value"]
    return new


# --- the collector --------------------------------------------------------------------------------------------------


ALTERED = {"malformed", "wrong-kind", "bad-signature", "weak-key", "altered-chain", "mixed-view", "missing-private"}
ALTERED |= {"bad-secret", "bad-sealed", "not-over", "bad-abandonment", "unknown-game", "other-rules", "undecided"}
ALTERED |= {"other-version"}


def blamed(codes: list[str]) -> Json:
    """Whom a fault with these codes blames, where all of them say the same."""
    kinds = {"nobody" if code in ALTERED else "host" for code in codes}
    return {"blames": kinds.pop()} if len(kinds) == 1 else {}


class Vectors:
    """Vectors of documents: a few whole ones, all others as changes to them."""

    def __init__(self) -> None:
        self.bases: dict[str, tuple[Played, Json]] = {}
        self.all: dict[str, Vector] = {}

    def base(self, name: str, section: int, about: str, game: Played, document: Json, kind: str = "") -> None:
        """A good document, stored whole."""
        kind = kind or document["format"].removeprefix(wire.PREFIX)
        self.bases[name] = game, document
        self.add(name, section, about, kind, {"document": document}, "ok", game)

    def good(self, name: str, section: int, about: str, base: str, document: Json, **more: Json) -> None:
        self.add(name, section, about, self.all[base]["kind"], self.file(base, document), "ok", self.game(base), **more)

    def bad(self, name: str, section: int, codes: str, about: str, base: str, document: Json, **more: Json) -> None:
        kind, game = self.all[base]["kind"], self.game(base)
        self.add(name, section, about, kind, self.file(base, document), codes.split(), game, **more)

    def several(self, name: str, codes: str, about: str, *documents: tuple[str, Json], **more: Json) -> None:
        files = [self.file(base, document) if base else {"document": document} for base, document in documents]
        game = self.game(next(base for base, _ in documents if base))
        self.add(name, 8, about, "several", files, codes.split() or "ok", game, **more)

    def add(
        self, name: str, section: int, about: str, kind: str, file: Json, expect: Json, game: Played, **more: Json
    ) -> None:
        assert name not in self.all, name
        vector = {"name": name, "section": section, "about": about, "kind": kind, "file": file, "expect": expect}
        blames = {} if expect == "ok" else blamed(expect)
        self.all[name] = vector | {"bags": game.bags} | blames | more

    def game(self, base: str) -> Played:
        return self.bases[base][0]

    def file(self, base: str, document: Json) -> Json:
        if isinstance(document, str):
            return {"text": document}
        return {"base": base + ".json", "patch": difference(self.bases[base][1], document)}
