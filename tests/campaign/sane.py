"""Changes after which a document still has the shape of its kind: what is wrong then is what it says."""

import copy
import random
from datetime import datetime, timedelta

from tests.campaign.spelling import Json, Path, at, inside

TIME = "%Y-%m-%dT%H:%MZ"
ANSWER = ("standing", "resign", "protest", "handover", "commit", "box")
"""What an answer can have."""
ENTRY = ("timeouts", "used", "end", "due", "ask", "result", "successions", "returns", "ops")
OFFER = ("deadline", "grace", "bank", "takeovers", "takeover", "chance", "arbiter", "stage")
OTHERS = ("sealed", "hands", "kept", "ranks", "entry", "state", "answer", "abandoned", "before", "tokens", "public")
OPTIONAL = {*ANSWER, *ENTRY, *OFFER, *OTHERS, "privates", "seat", "salt", "face", "under", "slots", "out", "holders"}
OPTIONAL |= {"held", "holding", "left", "linking", "vacant", "drawn", "told", "faces", "inside", "ephemeral"}
"""Fields that a document can do without."""
VALUES: dict[str, tuple[Json, ...]] = {
    "standing": ({}, {"a": 1}),
    "resign": (True,),
    "kept": (True,),
    "protest": ("3" * 64,),
    "handover": ("4" * 64,),
    "commit": ({"amount": "5" * 64},),
    "box": ("6" * 64,),
    "timeouts": ([0], [1], [2], [0, 1], [0, 2]),
    "used": ([[0, 1]], [[1, 90]], [[1, 91]], [[0, 1], [2, 5]], [[2, 5], [0, 1]], [[0, 0]]),
    "end": ("result", "left", "void"),
    "due": ("2027-01-01T09:00Z", "2027-02-30T09:00Z", "9999-12-31T23:59Z", "0000-01-01T00:00Z"),
    "ask": ([{"seat": 0, "what": "link"}], [{"seat": 9, "what": "play"}]),
    "deadline": (1, 525_600),
    "grace": (1, 525_600),
    "bank": (1, 525_600),
    "takeovers": (1, 100),
    "takeover": (1, 525_600),
    "chance": ("7" * 64,),
    "arbiter": ("8" * 64,),
    "stage": ("9" * 64,),
    "ranks": ([1, 2, 3], [1, 1, 1], [4, 1, 1], [1, 2]),
    "hands": (["hand"], ["bag", "bag"]),
}


def sane_change(document: Json, other: Json, rng: random.Random, within: Path = ()) -> tuple[Json, Path, str]:
    """A copy with one thing changed, each name of a field as often as any other; where, and in which way."""
    document = copy.deepcopy(document)
    places: dict[str, list[Path]] = {}
    for path in inside(at(document, within)):
        places.setdefault(_name(path), []).append(within + path)
    path = rng.choice(places[rng.choice(sorted(places))])
    holder, key = at(document, path[:-1]), path[-1]
    way = rng.choice(("value", "value", "other", "more", "out", "moved"))
    if way == "more":
        _put_in(document, path[:-1], other, rng)
    elif way == "out" and (isinstance(holder, list) or key in OPTIONAL):
        del holder[key]
    elif way == "moved" and isinstance(holder, list):
        holder.insert(rng.randint(0, len(holder)), holder.pop(int(key)) if rng.random() < 0.5 else holder[int(key)])
    else:
        alike = [value for value in _alike(document, path) + _alike(other, path) if _same_kind(value, holder[key])]
        new = rng.choice(alike) if alike and way != "value" else another(holder[key], _name(path), rng)
        holder[key] = copy.deepcopy(new)
    return document, path, f"sane {way}"


def _name(path: Path) -> str:
    """The name of the field that a value is in, also of a list."""
    return next((str(key) for key in reversed(path) if isinstance(key, str)), "")


def _alike(document: Json, path: Path) -> list[Json]:
    """What a document has in fields of the same name."""
    return [at(document, one) for one in inside(document) if one[-1] == path[-1] and _name(one) == _name(path)]


def _same_kind(one: Json, other: Json) -> bool:
    return type(one) is type(other) and one != other


def _put_in(document: Json, path: Path, other: Json, rng: random.Random) -> None:
    """A field that the signed body around this place can have, or its answer, with a value out of a document or one
    that could be in it."""
    while path and path[-1] != "body" and path[-2:-1] != ("answers",):
        path = path[:-1]
    holder = at(document, path)
    if not isinstance(holder, dict):
        return
    known = {"prev": ENTRY, "edition": OFFER}
    names = ANSWER if path[-2:-1] == ("answers",) else next((known[one] for one in known if one in holder), OTHERS)
    name = rng.choice(names)
    found = _alike(other, (name,)) + _alike(document, (name,)) + list(VALUES.get(name, ())) * 3
    if found:
        holder[name] = copy.deepcopy(rng.choice(found))


def another(value: Json, name: str, rng: random.Random) -> Json:
    """Another value of the same form."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int):
        return max(0, value + rng.choice((-2, -1, 1, 2, 3, 60)))
    if isinstance(value, str):
        return _text(value, name, rng)
    if isinstance(value, list) and value:
        some = list(value)
        rng.shuffle(some)
        return rng.choice((value[:-1], value[1:], value + value[-1:], some))
    if isinstance(value, dict) and value:
        return {key: part for key, part in value.items() if key != rng.choice(sorted(value))}
    return value


def _text(value: str, name: str, rng: random.Random) -> str:
    if len(value) in (64, 128) and set(value) <= set("0123456789abcdef"):
        place = rng.randrange(len(value))
        return value[:place] + rng.choice("0123456789abcdef") + value[place + 1 :]
    try:
        minutes = timedelta(minutes=rng.choice((-100_000, -1440, -61, -60, -1, 1, 10, 60, 1440, 100_000)))
        return (datetime.strptime(value, TIME) + minutes).strftime(TIME).zfill(len(value))
    except ValueError:
        pass
    words = {
        "code": ("taken", "illegal", "answered", "stale", "early", "bad-commitment"),
        "op": ("take", "put", "give"),
    }
    if name in words:
        return rng.choice(words[name])
    if value.startswith("pbem-referee/1/"):
        return "pbem-referee/1/" + rng.choice(("entry", "move", "receipt", "private", "view", "proof", "claim"))
    return rng.choice((value + "x", value[1:] or "a", "link", "red"))
