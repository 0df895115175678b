"""Vectors of how the same bytes are read: raw bodies, what a file is, and small choices that have one answer."""

import copy
from typing import Any

from tests.support.match import Sitting

from . import ed25519, wire
from .vector_tools import (
    Played,
    Vectors,
    changed,
    put,
    ranked,
    signed,
    with_entry,
    with_genesis,
    with_move,
    with_offer,
    with_op,
    with_private,
)
from .wire import Json, canonical

ODD = {
    "escape": ("an escape too many", '"game"', '"g\\u0061me"'),
    "surrogate": ("half of a surrogate pair", '"round":', '"note":"\\ud800","round":'),
    "space": ("a space", '"round":', '"round": '),
    "twice": ("a field twice", '"round":', '"round":1,"round":'),
    "fraction": ("a fraction", '"round":3', '"round":3.0'),
    "huge": ("a number past all others", '"round":3', '"round":1e999'),
    "key": ("a name that is not ASCII", '"round":', '"\u00e9":1,"round":'),
    "deep": ("lists 3,000 deep", '"round":', f'"deep":{"[" * 3000}{"]" * 3000},"round":'),
}
OTHERS = {"list": "[]", "null": "null", "text": '"}"', "number": "7", "lone": '"\\udc00"'}
BROKEN = {"blank": " {}", "comma": "[1,]", "zero": "01", "control": '"\x01"', "hex": '"\\u12"'}


def raw_bodies(out: Vectors, game: Played) -> None:
    """The newest entry, or private part, of a view in a spelling that is none, signed by the host."""
    base = "view-raw"
    view = game.view(3, 0)
    out.base(base, 2, "a view whose bodies are spelled differently", game, view)
    for kind, field in (("entry", "entries"), ("private", "privates")):
        body = canonical(view[field][-1]["body"]).decode()

        def with_body(text: str, kind: str = kind, field: str = field) -> str:
            mark = "00" * 64
            sig = ed25519.sign(game.host, wire.encoding(kind, text.encode())).hex()
            whole = canonical(changed(view, field, -1, {"body": mark, "sig": sig, "type": wire.PREFIX + kind}))
            return whole.decode().replace(f'"{mark}"', text)

        odd = {name: (about, body.replace(old, new, 1)) for name, (about, old, new) in ODD.items()}
        odd |= {name: (f"{text} instead of an object", text) for name, text in OTHERS.items()}
        for name, (about, text) in odd.items():
            assert text != body
            about = f"a raw body that the host signed has {about}"
            out.bad(f"view-raw-{kind}-{name}", 2, f"bad-{kind}", about, base, with_body(text))
        for name, text in BROKEN.items():
            about = f"a body that is not JSON, signed by the host: {text!a}"
            out.bad(f"view-raw-{kind}-{name}", 2, "malformed", about, base, with_body(text))
        unsigned = canonical(view).decode().replace(body, body.replace(*ODD["escape"][1:], 1), 1)
        about = "a raw body in another spelling, not re-signed"
        out.bad(f"view-raw-{kind}-unsigned", 2, "bad-signature", about, base, unsigned)
    for name in ("game", "round", "seat", "entry"):
        about = f"a private part without `{name}`"
        document = with_private(game, view, lambda part, name=name: part.pop(name))
        out.bad(f"view-private-no-{name}", 8, "bad-private", about, base, document)


def what_it_is(out: Vectors, game: Played) -> None:
    """How a file is recognised, and which code a wrong one has."""
    base, view = "view-bids", game.view(2)
    text = canonical(view).decode()

    def bad(name: str, codes: str, about: str, document: Json) -> None:
        out.bad(f"view-kind-{name}", 2, codes, about, base, document)

    bad("version", "other-version", "a view of version 2", view | {"format": "pbem-referee/2/view"})
    bad("nobody", "wrong-kind", "a document of nobody", view | {"format": "chess/1/view"})
    bad("number", "wrong-kind", "a format that is a number", view | {"format": 1})
    bad("no-format", "wrong-kind", "no format", {name: part for name, part in view.items() if name != "format"})
    spaced = text.replace("pbem-referee/1/view", "pbem-referee/2/view").replace('"seat":', '"seat": ')
    bad("both", "malformed", "of version 2, and not canonical", spaced)
    bad("entry", "wrong-kind", "an entry of version 2", changed(view, "entries", -1, "type", "pbem-referee/2/entry"))
    deep: Json = 1
    for _ in range(65):
        deep = [deep]
    bad("deep", "malformed", "a position nested 65 deep", view | {"public": deep})
    position = canonical(view["public"]).decode()
    bad("position", "malformed", "a space in the position", text.replace(position, position.replace(":", ": ", 1)))


def small_choices(out: Vectors, game: Played) -> None:
    """What the text specifies, although it could have been specified differently."""
    start, bids = game.view(0), game.view(2)

    def bad(name: str, section: int, codes: str, about: str, base: str, document: Json, **more: Json) -> None:
        out.bad(f"view-choice-{name}", section, codes, about, base, document, **more)

    def genesis(name: str, section: int, codes: str, about: str, document: Json, **more: Json) -> None:
        bad(name, section, codes, about, "view-start", document, **more)

    twice = with_genesis(game, start, put("hands", ["hand", "hand"]))
    genesis("hands-twice", 4, "bad-bags", "a hand is named twice", twice)
    edition = start["genesis"]["body"]["offer"]["body"]["edition"]
    genesis(
        "edition",
        8,
        "bad-edition",
        "an edition that the rules do not know",
        with_offer(game, start, edition={}),
        needs="rules",
    )
    more = with_offer(game, start, edition=edition | {"zeal": 1})
    genesis("edition-more", 8, "bad-edition", "an edition with one more field", more, needs="rules")
    genesis("options", 8, "bad-edition", "options that are a list", with_offer(game, start, options=[]), needs="rules")
    nothing = {"op": "take", "bag": "vault", "tokens": []}
    deal = {"op": "deal", "bag": "vault", "slots": [], "into": "crypt"}
    for name, op in (("take", nothing), ("deal", deal)):
        add: Any = lambda entry, op=op: entry["ops"].append(op)  # noqa: E731
        about = f"a `{name}` of nothing, and a `state` that has the container"
        bad(f"{name}-nothing", 7, "bad-ops", about, "view-bids", with_entry(game, bids, add), needs="rules")
        about = f"a `{name}` of nothing, and a `state` without the container"
        bad(f"{name}-unnoted", 7, "bad-ops rule-broken", about, "view-bids", with_entry(game, bids, add, mend=False))
    shown = with_op(game, bids, "unseal", put("fields", {}))
    bad("unseal-nothing", 7, "bad-ops", "nothing is shown of a sealed answer", "view-bids", shown)
    ended = game.view(-1)
    scores = [
        [*score, 0] if seat else score for seat, score in enumerate(ended["entries"][-1]["body"]["result"]["scores"])
    ]
    uneven = with_entry(game, ended, put("result", ranked(scores)))
    out.base("view-reading-ended", 4, "a view of a finished game", game, ended)
    bad("uneven", 4, "rule-broken", "score lists of unequal length", "view-reading-ended", uneven)
    absent = Played(Sitting("auction", 3, "vectors accomplice")).until(1)
    while len(absent.sitting.asked) == 3:
        absent.step()
    asked = absent.sitting.asked
    absent.step()
    view = absent.view(-1)
    out.base("view-reading-accomplice", 6, "a round in which not all were asked", absent, view)
    stranger = next(seat for seat in range(3) if seat not in asked)
    chosen = with_move(absent, view, asked[0], put("seat", stranger))
    bad(
        "accomplice",
        8,
        "bad-round",
        "a seat answers that was not asked, and signs it",
        "view-reading-accomplice",
        chosen,
    )


def side_by_side(out: Vectors, game: Played) -> None:
    """Receipts and moves that say nothing."""
    view = game.view(2)
    receipt = {"game": view["entries"][0]["body"]["game"], "round": 2, "seat": 0, "move": "00" * 32, "code": "taken"}
    good = signed(game.host, "receipt", receipt)
    out.several("several-read", "taken-and-dropped", "a receipt for another move", ("view-bids", view), ("", good))
    for name, about, other in (
        ("shape", "of another shape", {key: part for key, part in good.items() if key != "sig"}),
        ("body", "whose body has another shape", signed(game.host, "receipt", receipt | {"round": "2"})),
        ("signer", "that a player signed", signed(game.players[0], "receipt", receipt)),
    ):
        out.several(f"several-unread-{name}", "", f"a receipt {about} is ignored", ("view-bids", view), ("", other))


def first_faults(out: Vectors, game: Played) -> None:
    """A private part that is missing blames nobody: what everybody can see comes first."""
    view = copy.deepcopy(game.view(1))
    bare = {name: part for name, part in view.items() if name != "privates"}
    false = with_entry(game, bare, put("link", "00" * 32))
    out.base("view-reading-told", 8, "a view after the deal", game, view)
    out.bad("view-reading-untold", 8, "missing-private", "no private part", "view-reading-told", bare)
    about = "no private part, and a link that is not the host's"
    out.bad("view-reading-untold-link", 8, "bad-host-link", about, "view-reading-told", false)
    about = "no private part, and a `state` that is not right"
    false = with_entry(game, bare, put("state", "00" * 32), mend=False)
    out.bad("view-reading-untold-state", 8, "rule-broken", about, "view-reading-told", false)
