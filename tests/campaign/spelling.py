"""Documents in invalid spellings: changed in one place, written, and signed again by whoever has the keys."""

import copy
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.crypto.keys import Key
from tests.independent import verifier, wire
from tests.support.match import Sitting

Json = Any
Path = tuple[str | int, ...]
PROJECT = wire.PREFIX


@dataclass(frozen=True)
class Odd:
    """Text that is put into a document as it is; bytes that are not UTF-8 are lone surrogates in it."""

    text: str


def spell(value: Json) -> str:
    """Canonical JSON except for what is odd."""
    if isinstance(value, Odd):
        return value.text
    if isinstance(value, dict):
        return (
            "{" + ",".join(f"{json.dumps(key, ensure_ascii=False)}:{spell(value[key])}" for key in sorted(value)) + "}"
        )
    if isinstance(value, list):
        return "[" + ",".join(map(spell, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def written(value: Json) -> bytes:
    try:
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    except TypeError:  # something in it is odd
        text = spell(value)
    return text.encode(errors="surrogateescape")


def inside(value: Json, path: Path = ()) -> Iterator[Path]:
    """Every place in a document."""
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        yield from inside(part, (*path, key))


def at(value: Json, path: Path) -> Json:
    for key in path:
        value = value[key]
    return value


# --- changes ---------------------------------------------------------------------------------------------------------

EDGES = (
    0,
    1,
    -1,
    2,
    15,
    16,
    2048,
    2049,
    1_000_001,
    2**53 - 1,
    2**53,
    "",
    "0",
    None,
    True,
    False,
    [],
    {},
    [0],
    {"a": 0},
)
DEFAULTS = {
    **{name: [] for name in ("timeouts", "ops", "ask", "held", "left", "privates", "hands", "slots", "tail", "sealed")},
    **{name: [] for name in ("successions", "returns", "holders", "vacant", "out", "used", "ranks")},
    **{name: {} for name in ("commit", "drawn", "told", "inside")},
    **dict.fromkeys(("resign", "under", "holding", "linking", "kept"), False),
    **dict.fromkeys(
        ("chance", "arbiter", "salt", "end", "due", "public", "face", "protest", "handover", "box", "ephemeral"), ""
    ),
    **dict.fromkeys(("puts", "deadline", "grace", "bank", "takeovers", "takeover"), 0),
    **dict.fromkeys(("result", "answer", "standing", "entry", "before", "state", "seat", "abandoned")),
}
DEPTHS = (1, 2, 60, 64, 65, 98, 101, 400, 1200, 5000)
TEXTS = ('"\\ud800"', '"\\udc00\\ud800"', '"\\ud83d\\ude00"', '"\\u0061"', '"\\/"', '"\\u001F"', '"\x01"', '"\udcff"')
TEXTS += ('"\udced\udca0\udc80"', '"\x7f"', '"\u2028"', '"\ufeff"', '"\\q"', "'a'", '"a', '"\\u00"')
NUMBERS = ("1.0", "1e0", "1E2", "-0", "01", "+1", "1.", ".5", "1e999", "NaN", "0x1", "99999999999999999999", "1e-1")
OBJECTS = (
    "{}",
    "{ }",
    '{"a":1,"a":1}',
    '{"b":1,"a":1}',
    '{"\u00e9":1}',
    '{"a":1,}',
    "{,}",
    "[1,]",
    "[ ]",
    "nul",
    "tru",
)


def shaken(value: Json, rng: random.Random) -> Json:
    """Another value, most often of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-1, 1, 2, 10))
    if isinstance(value, str):
        if len(value) >= 64:
            return value[:-1] + ("0" if value[-1] != "0" else "1")
        return rng.choice((value + "x", value[:-1], value[::-1], value.upper(), value + "\u0301", value * 41))
    if isinstance(value, list) and value:
        return rng.choice((value[:-1], value[::-1], value + value[-1:], value[1:], []))
    return None


def oddly(value: Json, rng: random.Random) -> Json:
    """The same value in another spelling, or a value that has no valid one."""
    text = spell(value)
    if isinstance(value, str) and value and rng.random() < 0.5:
        return Odd(f'"\\u{ord(value[0]) % 0x10000:04x}{text[2:]}')
    if isinstance(value, dict) and value and rng.random() < 0.5:
        rows = [f"{json.dumps(key)}:{spell(part)}" for key, part in value.items()]
        return Odd("{" + ",".join(rng.choice((rows[::-1], rows + rows[:1], [f" {rows[0]}", *rows[1:]]))) + "}")
    if type(value) is int and rng.random() < 0.5:
        return Odd(rng.choice((f"{value}.0", f"{value}e0", f"0{value}", f"-{value}", f"{value}" * 20)))
    return rng.choice(
        (Odd(" " + text), Odd(text + " "), Odd(text + "\n"), *map(Odd, rng.choice((TEXTS, NUMBERS, OBJECTS))))
    )


def nested(value: Json, rng: random.Random) -> Json:
    deep = rng.choice(DEPTHS)
    shut, end = rng.choice((("[", "]"), ('{"a":', "}")))
    return Odd(shut * deep + spell(value) + end * deep)


def change(document: Json, other: Json, rng: random.Random, within: Path = ()) -> tuple[Json, Path, str]:
    """A copy with one thing changed; where, and in which way."""
    document = copy.deepcopy(document)
    paths = [within + path for path in inside(at(document, within))]
    deepest = rng.randint(1, max(map(len, paths)))
    path = rng.choice([one for one in paths if len(one) <= deepest] or paths)
    holder, key = at(document, path[:-1]), path[-1]
    way = rng.choice(("shaken", "shaken", "edge", "odd", "odd", "deep", "out", "twice", "default", "unknown", "other"))
    old = holder[key]
    if way == "shaken":
        holder[key] = shaken(old, rng)
    elif way == "edge":
        holder[key] = rng.choice(EDGES)
    elif way == "odd":
        holder[key] = oddly(old, rng)
    elif way == "deep":
        holder[key] = nested(old, rng)
    elif way == "out":
        del holder[key]
    elif way == "twice" and isinstance(holder, list):
        holder.insert(rng.randint(0, len(holder)), copy.deepcopy(old))
    elif way == "default" and isinstance(holder, dict):
        name = rng.choice(list(DEFAULTS))
        holder[name] = copy.deepcopy(DEFAULTS[name])
    elif way == "unknown" and isinstance(holder, dict):
        holder[rng.choice(("zz", "Aa", "_", "__proto__", "constructor", "\u00e9", ""))] = rng.choice((0, "", {}, []))
    else:
        same = [one for one in inside(other) if one[-1] == key]
        holder[key] = copy.deepcopy(at(other, rng.choice(same))) if same else None
    return document, path, way


# --- signing again ---------------------------------------------------------------------------------------------------


class Keys:
    """All keys of a table, and what they have signed so far."""

    def __init__(self, sitting: Sitting, bags: wire.Bags, others: Sequence[Key] = ()) -> None:
        self.host, self.bags = _private(sitting.host), bags
        self.players = [_private(key) for key in (*sitting.players, *others)]
        """For each seat, who holds it in the newest round; then everybody who ever did."""
        self.places = {_public(key): at for at, key in enumerate(self.players)}
        self.held = [(seat, 0, join.key) for seat, join in enumerate(sitting.table.joins)]
        self.held += [(one.seat, one.since, one.key) for one in sitting.state.holders]
        self.signed: dict[tuple[str, bytes], str] = {}

    def learn(self, value: Json) -> None:
        """Note every signature of an honest document."""
        for envelope in _envelopes(value):
            self.signed[envelope["type"], written(envelope["body"])] = envelope["sig"]
            for answer, move in _answers(envelope["body"]):
                self.signed[PROJECT + "move", move] = answer["sig"]

    def sign(self, value: Json, *, players: bool) -> None:
        """The host signs whatever it did not sign yet; with `players` its accomplices do, too."""
        for envelope in _envelopes(value):
            body, name = envelope["body"], envelope["type"]
            for answer, move in _answers(body) if players else ():
                self._put(answer, PROJECT + "move", move, self.holder(answer.get("seat"), body.get("round")))
            kind = name.removeprefix(PROJECT) if isinstance(name, str) else ""
            seat = None
            if kind in ("join", "succession", "ruling"):
                key = _field(body, "key")
                seat = self.places.get(key, 0) if isinstance(key, str) else 0
            elif kind in ("move", "word", "return"):
                seat = self.holder(_field(body, "seat"), _field(body, "round"))
            elif kind == "claim":
                move = _field(_field(body, "move"), "body")
                seat = self.holder(_field(move, "seat"), _field(move, "round"))
            if isinstance(name, str) and (seat is None or players):
                self._put(envelope, name, written(body), seat)

    def holder(self, seat: Json, number: Json) -> int:
        """Who holds a seat in a round; in the newest one, if there is no such round."""
        found = [key for one, since, key in self.held if one == seat and type(number) is int and since < number]
        return self.places[found[-1]] if found else seat if type(seat) is int else 0

    def _put(self, holder: dict[str, Json], name: str, body: bytes, seat: Json) -> None:
        if (name, body) in self.signed or not isinstance(holder.get("sig"), str):
            return
        if seat is not None and not (type(seat) is int and 0 <= seat < len(self.players)):
            return
        full = name.encode(errors="surrogateescape")
        message = b"DSSEv1 %d %b %d %b" % (len(full), full, len(body), body)
        holder["sig"] = (self.host if seat is None else self.players[seat]).sign(message).hex()


def _private(key: Key) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(key.seed)


def _public(key: Ed25519PrivateKey) -> str:
    return key.public_key().public_bytes_raw().hex()


def _field(body: Json, name: str) -> Json:
    return body.get(name) if isinstance(body, dict) else None


def _envelopes(value: Json) -> Iterator[dict[str, Json]]:
    """Every envelope in a document, inner ones first."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in parts:
        yield from _envelopes(part)
    if isinstance(value, dict) and {"body", "sig", "type"} <= value.keys():
        yield value


def _answers(body: Json) -> Iterator[tuple[dict[str, Json], bytes]]:
    """Each answer of an entry, with the bytes of the move that its seat signs."""
    answers = _field(body, "answers")
    if not isinstance(answers, list) or not {"prev", "game", "round"} <= body.keys():
        return
    for answer in answers:
        if isinstance(answer, dict) and "sig" in answer:
            move = {name: part for name, part in answer.items() if name != "sig"}
            yield answer, written(move | {"asked": body["prev"], "game": body["game"], "round": body["round"]})


# --- what follows from a change --------------------------------------------------------------------------------------


def entry_id(envelope: Mapping[str, Json]) -> str:
    return wire.H("id", PROJECT + "entry", written(envelope["body"])).hex()


def follow(old: Json, new: Json, keys: Keys, *, players: bool, state: bool, parts: bool) -> None:
    """All that somebody with these keys brings in line with a change: joins with the offer, the `state` of the newest
    entry, private parts and what else names an entry; and every signature."""
    whole = new
    if "genesis" not in old:  # a claim or a ruling has it in its body
        old, new = old.get("body"), new.get("body")
        if not (isinstance(new, dict) and "genesis" in old):
            keys.sign(whole, players=players)
            return
    genesis = _field(_field(new, "genesis") or {}, "body")
    offer = _field(_field(genesis, "offer") or {}, "body")
    if (
        parts
        and isinstance(genesis, dict)
        and isinstance(offer, dict)
        and offer != at(old, ("genesis", "body", "offer", "body"))
    ):
        name = wire.H("id", PROJECT + "offer", written(offer)).hex()
        for join in genesis["joins"] if isinstance(genesis.get("joins"), list) else ():
            if isinstance(_field(join, "body"), dict):
                join["body"]["offer"] = name
    if parts and _field(new, "shows") in ("round", "refusal") and "before" in old:
        _follow_state(old, new)
    if parts and "sent" in old:
        _follow_claim(old, new)
    if parts and new.get("format") == PROJECT + "view" and new.get("public") != old.get("public"):
        _follow_position(new)
    if state:
        _restate(new, keys)
    keys.sign(whole, players=players)
    if parts:
        names = {entry_id(one): entry_id(other) for one, other in _pairs(old, new) if one != other}
        for part in new.get("privates", []) if isinstance(new.get("privates"), list) else ():
            body = _field(part, "body")
            if isinstance(body, dict) and isinstance(body.get("entry"), str):
                body["entry"] = names.get(body["entry"], body["entry"])
        keys.sign(whole, players=players)


def _pairs(old: Json, new: Json) -> Iterator[tuple[Json, Json]]:
    """The same entries before and after a change."""
    lists = [value.get("entries") if isinstance(value.get("entries"), list) else [] for value in (old, new)]
    lists = [
        [*some, *([value["entry"]] if "entry" in value else [])] for some, value in zip(lists, (old, new), strict=True)
    ]
    for one, other in zip(*lists, strict=False):
        if isinstance(other, dict) and "body" in other:
            yield one, other


def _follow_state(old: Json, new: Json) -> None:
    """The entry before has the hashes of a changed state or position, and the entry of the round names it."""
    before = _field(_field(new, "before") or {}, "body")
    if not isinstance(before, dict) or not isinstance(before.get("game"), str):
        return
    try:
        game = bytes.fromhex(before["game"])
        if new.get("state") != old["state"]:
            before["state"] = wire.H("state", game, written(new["state"])).hex()
        if new.get("public") != old["public"]:
            before["public"] = wire.H("public", game, before["round"], written(new["public"])).hex()
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
        return
    entry = _field(_field(new, "entry") or {}, "body")
    if isinstance(entry, dict) and before != old["before"]["body"]:
        entry["prev"] = entry_id(new["before"])


def _follow_claim(old: Json, new: Json) -> None:
    """The entry of a claim has the hash of a changed state, and the move answers that entry."""
    entry, move = (_field(_field(new, name) or {}, "body") for name in ("entry", "move"))
    if isinstance(move, dict) and "entry" not in new and new["genesis"] != old["genesis"]:
        move["game"] = move["asked"] = wire.H("id", PROJECT + "genesis", written(_field(new["genesis"], "body"))).hex()
    if not isinstance(entry, dict) or not isinstance(entry.get("game"), str):
        return
    with suppress(ValueError):
        if "state" in new and new["state"] != old.get("state"):
            entry["state"] = wire.H("state", bytes.fromhex(entry["game"]), written(new["state"])).hex()
    if isinstance(move, dict) and entry != _field(old.get("entry"), "body"):
        move["asked"] = entry_id(new["entry"])


def _follow_position(new: Json) -> None:
    """The newest entry of a view has the hash of a changed position."""
    with suppress(LookupError, TypeError, ValueError, OverflowError, AttributeError):
        body = new["entries"][-1]["body"]
        game, number = bytes.fromhex(body["game"]), body["round"]
        body["public"] = wire.H("public", game, number, written(new["public"])).hex()


def _restate(new: Json, keys: Keys) -> None:
    """The `state` that the newest entry has to name, as far as anybody can play it."""
    last = new["entries"][-1] if isinstance(new.get("entries"), list) and new["entries"] else _field(new, "entry")
    body = _field(last, "body")
    if not isinstance(body, dict) or "state" not in body:
        return
    try:
        table = verifier.read_signed_genesis(new["genesis"], keys.bags, wire.Signatures(lambda *_: True))
        if "entries" in new:
            state, bodies = verifier.first_state(table), [one["body"] for one in new["entries"]]
        else:
            before = _field(new, "before")
            state = (
                verifier.first_state(table) if before is None else verifier.read_state(copy.deepcopy(new["state"]), "")
            )
            bodies = [body]
        for one in bodies:
            verifier.advance(table, state, copy.deepcopy(one), verifier.Known())
        body["state"] = wire.H("state", table.game, state.spelled()).hex()
    except Exception:
        return
