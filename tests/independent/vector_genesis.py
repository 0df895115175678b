"""Vectors of the table: genesis, offer, joins, keys, names; and of spelling."""

from . import ed25519, wire
from .vector_tools import (
    Played,
    Vectors,
    changed,
    drop,
    flipped,
    put,
    signed,
    small_r,
    with_entry,
    with_genesis,
    with_join,
    with_move,
    with_offer,
)
from .wire import Json, canonical

SMALL_KEYS = [y.to_bytes(32, "little").hex() for y in sorted(ed25519.SMALL)]


def genesis(out: Vectors, game: Played) -> None:
    start = game.view(0)
    out.base("view-start", 4, "a view before the first entry", game, start)
    host = game.host

    def bad(name: str, section: int, codes: str, about: str, document: Json, **more: Json) -> None:
        out.bad(f"view-genesis-{name}", section, codes, about, "view-start", document, **more)

    genesis = start["genesis"]
    bad(
        "signature",
        3,
        "bad-signature",
        "the genesis has another signature",
        changed(start, "genesis", "sig", flipped(genesis["sig"])),
    )
    big = int.from_bytes(bytes.fromhex(genesis["sig"])[32:], "little") + ed25519.L
    longer = genesis["sig"][:64] + big.to_bytes(32, "little").hex()
    bad("big-s", 3, "bad-signature", "s + L in place of s", changed(start, "genesis", "sig", longer))
    bad(
        "small-r",
        3,
        "bad-signature",
        "R is the neutral point",
        start | {"genesis": small_r(host, "genesis", genesis["body"])},
    )
    bad(
        "other-signer",
        3,
        "bad-signature",
        "a player signed the genesis",
        start | {"genesis": signed(game.players[0], "genesis", genesis["body"])},
    )
    wrong = signed(host, "entry", genesis["body"])
    bad("type", 3, "wrong-kind malformed", "signed as an entry", start | {"genesis": wrong})
    offer = genesis["body"]["offer"]
    bad(
        "offer-signature",
        3,
        "bad-signature",
        "the host signed a genesis with an offer that nobody signed",
        with_genesis(game, start, put("offer", "sig", flipped(offer["sig"]))),
        blames="host",
    )
    bad(
        "offer-type",
        3,
        "wrong-kind malformed",
        "a join in the place of the offer",
        with_genesis(game, start, put("offer", "type", wire.PREFIX + "join")),
    )
    for number, key in enumerate(SMALL_KEYS):
        bad(
            f"weak-host-{number}",
            3,
            "weak-key",
            "the host's key is a point of small order",
            with_offer(game, start, key=key),
        )
    noncanonical = (ed25519.P + 3).to_bytes(32, "little").hex()
    bad(
        "odd-host-key",
        3,
        "weak-key",
        "the y of the host's key is not below 2^255-19",
        with_offer(game, start, key=noncanonical),
    )
    bad(
        "weak-join",
        3,
        "weak-key",
        "a player's key is a point of small order",
        with_join(game, start, 1, key=SMALL_KEYS[1]),
        blames="host",
    )
    for number, point in enumerate(("00" * 32, "01" + "00" * 31, (2**255 - 10).to_bytes(32, "little").hex())):
        about = "the box key in the offer has a small order, or is not below 2^255-19"
        bad(f"weak-box-{number}", 3, "weak-box", about, with_offer(game, start, box=point), blames="host")
    join = genesis["body"]["joins"][1]
    bad(
        "join-signature",
        3,
        "bad-signature",
        "a join has another signature",
        with_genesis(game, start, put("joins", 1, "sig", flipped(join["sig"]))),
        blames="host",
    )
    bad(
        "join-small-r",
        3,
        "bad-signature",
        "R of a join is the neutral point",
        with_genesis(game, start, put("joins", 1, small_r(game.players[1], "join", join["body"]))),
        blames="host",
    )
    first = genesis["body"]["joins"][0]["body"]["name"]
    keys = [ed25519.public_key(seed).hex() for seed in (host, *game.players)]
    bad("host-plays", 3, "same-key", "a player has the host's key", with_join(game, start, 1, host, key=keys[0]))
    bad("twins", 3, "same-key", "two players have one key", with_join(game, start, 1, game.players[0], key=keys[1]))
    bad("other-offer", 4, "other-offer", "a join for another offer", with_join(game, start, 1, offer="00" * 32))
    for number, name in enumerate(("B\u202eert", "Bert\u2028", "", "x" * 41, "B\x7fert", "\ufdd0", "\U0010ffff")):
        about = f"a name that is not allowed: {name!a}"
        bad(f"name-{number}", 4, "bad-name", about, with_join(game, start, 1, name=name))
    for number, name in enumerate(("Bert ", "B\u200bert", "Jo\u0308rg", "\u0301", "\u0378", "ANNA", "😀" * 40)):
        about = f"a name that tools refuse and no verifier: {name!a}"
        out.good(f"view-genesis-odd-name-{number}", 4, about, "view-start", with_join(game, start, 1, name=name))
    bad("same-name", 4, "bad-name", "two have one name", with_join(game, start, 1, name=first))
    bad(
        "few-joins",
        8,
        "bad-seats",
        "one join for two seats",
        with_genesis(game, start, lambda body: body["joins"].pop()),
    )
    bad("more-seats", 8, "bad-seats", "two joins for three seats", with_offer(game, start, seats=3))
    bad("seats-17", 4, "malformed", "17 seats", with_offer(game, start, seats=17))
    bad("seats-0", 4, "malformed", "no seat", with_offer(game, start, seats=0))
    leaves = genesis["body"]["leaves"]["pile"]
    bad(
        "leaf-less",
        8,
        "bad-bags",
        "one token less is sealed",
        with_genesis(game, start, put("leaves", "pile", leaves[:-1])),
    )
    bad("bag-more", 8, "bad-bags", "a container more", with_genesis(game, start, put("leaves", "vault", leaves[:1])))
    bad("bag-name", 4, "malformed", "no name of a container", with_genesis(game, start, put("leaves", "Pile", leaves)))
    bad("no-hands", 8, "bad-bags", "the hands are not named", with_genesis(game, start, drop("hands")), needs="rules")
    bad(
        "other-hands",
        8,
        "bad-bags",
        "other hands",
        with_genesis(game, start, put("hands", ["hand", "swap"])),
        needs="rules",
    )
    bad(
        "unknown-game",
        8,
        "unknown-game",
        "a game that nobody knows",
        with_offer(game, start, game="halma"),
        needs="rules",
    )
    bad(
        "other-rules",
        8,
        "other-rules",
        "another version of the rules",
        with_offer(game, start, rules="99"),
        needs="rules",
    )
    other = genesis["body"]["offer"]["body"] | {"code": "ab" * 32}
    out.good(
        "view-genesis-other-code",
        8,
        "the offer names other code: nothing is wrong yet",
        "view-start",
        with_offer(game, start, code=other["code"]),
    )
    bad(
        "no-code",
        4,
        "malformed",
        "the offer names no code",
        with_genesis(game, start, lambda body: body["offer"]["body"].pop("code")),
    )
    bad("odd-key", 4, "malformed", "a key in upper case", with_join(game, start, 1, key=keys[2].upper()))


def spelling(out: Vectors, game: Played) -> None:
    view = game.view(2)
    text = canonical(view).decode()
    out.base("view-bids", 7, "sealed bids were shown", game, view)
    out.good("view-line-breaks", 2, "line breaks after the document", "view-bids", text + "\r\n\n")

    def bad(name: str, about: str, document: Json, codes: str = "malformed") -> None:
        out.bad(f"view-spelling-{name}", 2, codes, about, "view-bids", document)

    bad("space", "a space after a colon", text.replace('"entries":', '"entries": ', 1))
    bad("mark", "a byte order mark", "\ufeff" + text)
    bad("twice", "a field twice", text.replace('"format":', '"format":"x","format":', 1))
    bad("unknown", "an unknown field", view | {"zeal": 1})
    bad("missing", "no entries", {k: v for k, v in view.items() if k != "entries"})
    bad("default", "an empty list that has to be left out", dict(game.view(0).items()) | {"privates": []})
    bad("format", "another format", view | {"format": wire.PREFIX + "game"}, "wrong-kind")
    bad("seat-16", "seat 16", view | {"seat": 16})
    bad("seat-text", "a seat as a text", view | {"seat": "0"})
    bad("float", "a seat with a fraction", text.replace('"seat":0}', '"seat":0.0}'))
    bad("cut", "half of the file", text[: len(text) // 2])
    bad("sig-short", "a signature of 63 bytes", changed(view, "entries", 0, "sig", "ab" * 63))
    bad("sig-upper", "a signature in upper case", changed(view, "entries", 0, "sig", view["entries"][0]["sig"].upper()))
    bad("body-list", "a body that is no object", changed(view, "entries", 0, "body", []), "bad-signature")
    spaced = text.replace('"do":"bid"', '"do": "bid"', 1)
    bad("inside", "a space inside an answer, nothing re-signed", spaced, "bad-signature")
    # What the host signed in another spelling can be told apart from the outside only after the signature was checked.
    for name, about, alter in (
        ("default-ops", "`timeouts` is spelt out though empty", put("timeouts", [])),
        ("default-end", "`end` is spelt out though empty", put("end", "")),
        ("unknown-entry", "an unknown field in an entry", put("zeal", 1)),
        ("no-link", "an entry without the host's link", drop("link")),
        ("long-face", "a face of 41 characters", put("ops", 0, {"op": "put", "bag": "pile", "faces": ["x" * 41]})),
        ("odd-field", "no name of a field", put("ops", 0, "fields", {"Amount": {"salt": "00" * 32, "value": 1}})),
        (
            "odd-slot",
            "no name of a slot",
            put("ops", 0, {"op": "deal", "bag": "pile", "slots": ["pile-1"], "into": "swap"}),
        ),
        ("generation", "a generation past a million", put("ops", 0, _late_shuffle(1_000_001))),
        ("unknown-op", "an unknown operation", put("ops", 0, "op", "conjure")),
        ("odd-due", "a deadline that is none", put("due", "soon")),
        ("odd-end", "an unknown end", put("end", "rests")),
        ("round-2049", "round 2,049", put("round", 2049)),
        ("seat-99", "a timeout of seat 99", put("timeouts", [99])),
    ):
        out.bad(
            f"view-entry-{name}",
            4,
            "bad-entry",
            f"signed by the host: {about}",
            "view-bids",
            with_entry(game, view, alter),
        )
    for depth_, codes in ((64, "rule-broken bad-round"), (65, "bad-entry")):
        deep: Json = 1
        for _ in range(depth_ - 1):
            deep = [deep]
        document = with_move(game, view, 0, put("answer", {"do": deep}))
        more = {"needs": "rules"} if depth_ == 64 else {}
        out.bad(
            f"view-answer-depth-{depth_}", 2, codes, f"an answer nested {depth_} deep", "view-bids", document, **more
        )
    position = changed(view, "public", "lot", 1.0)
    bad("position-float", "a fraction in the position", canonical(position).decode())


def _late_shuffle(generation: int) -> Json:
    return {"op": "shuffle", "bag": "pile", "generation": generation, "leaves": []}
