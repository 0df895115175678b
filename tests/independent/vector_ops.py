"""Vectors of what is played: operations, outcomes, hands, counts, and rounds of the other games."""

import copy
from typing import Any

import msgspec

from referee.crypto.envelope import Envelope
from referee.crypto.slots import seal_all
from referee.engine import host as hosting
from referee.engine import lobby
from referee.engine import table as tables
from tests.support.match import Sitting

from . import verifier, wire
from .vector_tools import (
    Played,
    Vectors,
    altered_round,
    drop,
    one_round,
    ops,
    other_gift,
    own_fields,
    put,
    ranked,
    signed,
    stacked,
    with_entry,
    with_offer,
    with_op,
    with_private,
    with_secret,
)
from .wire import Json, canonical


def operations(out: Vectors, game: Played) -> None:
    deal, bids, raid, play = game.view(1), game.view(2), game.view(3), game.view(4)
    seat = raid["entries"][-1]["body"]["answers"][0]["seat"]
    raid = game.view(3, 1 - seat)

    def bad(name: str, codes: str, about: str, document: Json, base: str = "view-end", **more: Json) -> None:
        out.bad(f"view-op-{name}", 7, codes, about, base, document, **more)

    die = ops(deal, "die")[0]
    value = die["values"][0]
    bad(
        "die-value",
        "bad-die",
        "a die shows something else",
        with_op(game, deal, "die", put("values", [value % 6 + 1])),
        "view-dealt",
    )
    bad("die-zero", "bad-die", "a die shows 0", with_op(game, deal, "die", put("values", [0])), "view-dealt")
    bad(
        "die-sides",
        "bad-die bad-ops",
        "a die with more sides",
        with_op(game, deal, "die", put("sides", 1000)),
        "view-dealt",
    )
    bad("die-none", "bad-ops", "dice without a value", with_op(game, deal, "die", put("values", [])), "view-dealt")
    bad(
        "die-big",
        "bad-entry",
        "a die with a million sides and one",
        with_op(game, deal, "die", put("sides", 1_000_001)),
        "view-dealt",
    )
    next_value = _next_die(game, deal, 6)
    bad(
        "die-more",
        "bad-ops",
        "one more throw, as the seed gives it",
        with_op(game, deal, "die", put("values", [value, next_value])),
        "view-dealt",
        needs="rules",
    )
    bad(
        "die-split",
        "bad-ops",
        "two operations for dice of one kind",
        with_entry(game, deal, lambda e: e["ops"].append(die | {"values": [next_value]})),
        "view-dealt",
    )
    bad(
        "die-gone",
        "bad-ops",
        "the throw is missing",
        with_entry(game, deal, lambda e: e["ops"].pop()),
        "view-dealt",
        needs="rules",
    )
    hand = next(i for i, op in enumerate(deal["entries"][-1]["body"]["ops"]) if op.get("into") == "hand/1")
    slots = deal["entries"][-1]["body"]["ops"][hand]["slots"]
    bad(
        "deal-slot",
        "bad-pick",
        "another slot is dealt",
        with_entry(game, deal, put("ops", hand, "slots", [_other(deal, slots), *slots[1:]])),
        "view-dealt",
    )
    bad(
        "deal-order",
        "bad-pick",
        "the slots in another order",
        with_entry(game, deal, put("ops", hand, "slots", slots[::-1])),
        "view-dealt",
    )
    bad(
        "deal-ghost",
        "bad-pick",
        "a slot that is nowhere",
        with_entry(game, deal, put("ops", hand, "slots", ["pile.0.99", *slots[1:]])),
        "view-dealt",
    )
    bad(
        "deal-bag",
        "bad-pick bad-ops",
        "from an empty container",
        with_entry(game, deal, put("ops", hand, "bag", "swap")),
        "view-dealt",
    )
    bad(
        "deal-less",
        "bad-ops bad-pick bad-die",
        "one token less is dealt",
        with_entry(game, deal, put("ops", hand, "slots", slots[:-1])),
        "view-dealt",
        needs="rules",  # without them it shows only if the die that is thrown next comes out otherwise
    )
    bad(
        "deal-into",
        "bad-ops missing-private missing-opening",
        "into another hand",
        with_entry(game, deal, put("ops", hand, "into", "hand/0")),
        "view-dealt",
    )
    bad(
        "deal-swap",
        "bad-ops bad-pick",
        "two operations changed places",
        with_entry(game, deal, lambda e: e["ops"].insert(1, e["ops"].pop(2))),
        "view-dealt",
    )
    shown = ops(bids, "unseal")[0]
    field = shown["fields"]["amount"]
    bad(
        "unseal-value",
        "bad-shown",
        "another bid is shown",
        with_op(game, bids, "unseal", put("fields", "amount", "value", field["value"] + 1)),
        "view-bids",
    )
    bad(
        "unseal-salt",
        "bad-shown",
        "another salt is shown",
        with_op(game, bids, "unseal", put("fields", "amount", "salt", "00" * 32)),
        "view-bids",
    )
    bad(
        "unseal-field",
        "bad-shown bad-ops",
        "another field is shown",
        with_op(game, bids, "unseal", put("fields", {"card": field})),
        "view-bids",
    )
    bad(
        "unseal-round",
        "bad-shown bad-ops",
        "of another round",
        with_op(game, bids, "unseal", put("round", 1)),
        "view-bids",
    )
    bad(
        "unseal-seat",
        "bad-shown bad-ops",
        "of another seat",
        with_op(game, bids, "unseal", put("seat", 1)),
        "view-bids",
    )
    bad(
        "unseal-gone",
        "bad-ops",
        "a bid is not shown",
        with_entry(game, bids, lambda e: e["ops"].pop()),
        "view-bids",
        needs="rules",
    )
    bad(
        "unseal-twice",
        "bad-ops",
        "a bid is shown twice",
        with_entry(game, bids, lambda e: e["ops"].append(shown)),
        "view-bids",
        needs="rules",
    )
    give = ops(raid, "give")[0]
    bad(
        "give-ghost",
        "bad-ops",
        "a slot that is not there is given",
        with_op(game, raid, "give", put("slots", ["pile.0.99"])),
    )
    bad(
        "give-two",
        "bad-ops bad-pick bad-shuffle",
        "two slots are given",
        with_op(game, raid, "give", lambda op: op["slots"].append(_held(game, raid, give["bag"], give["slots"]))),
        needs="rules",
        without=["bad-opening"],
    )
    bad("give-field", "bad-ops", "a field that was not sealed", with_op(game, raid, "give", put("field", "target")))
    bad("give-seat", "bad-ops", "of a seat that decided nothing", with_op(game, raid, "give", put("seat", 1 - seat)))
    bad("give-into", "bad-ops bad-pick", "into another container", with_op(game, raid, "give", put("into", "lost")))
    other = _held(game, raid, give["bag"], give["slots"])
    bad(
        "give-other",
        "bad-pick",
        "another slot than the one that moves on",
        with_op(game, raid, "give", put("slots", [other])),
    )
    bad(
        "shuffle-gone",
        "bad-ops",
        "a hand that received is not resealed",
        with_entry(game, raid, lambda e: e["ops"].pop()),
        without=["missing-opening"],
    )
    bad(
        "shuffle-less",
        "bad-shuffle",
        "a token less after resealing",
        with_op(game, raid, "shuffle", lambda op: op["leaves"].pop()),
    )
    bad(
        "shuffle-more",
        "bad-shuffle",
        "a token more after resealing",
        with_op(game, raid, "shuffle", lambda op: op["leaves"].append("00" * 32)),
    )
    bad(
        "shuffle-generation",
        "bad-shuffle bad-ops",
        "another generation",
        with_op(game, raid, "shuffle", put("generation", 4)),
    )
    mine = next(i for i, op in enumerate(ops(raid, "shuffle")) if op["bag"] == f"hand/{1 - seat}")
    bad(
        "shuffle-leaves",
        "bad-opening",
        "the leaves of the reader's own hand changed places",
        with_op(game, raid, "shuffle", lambda op: op["leaves"].reverse(), mine),
    )
    bad(
        "shuffle-order",
        "bad-ops missing-opening",
        "hands resealed in another order",
        with_entry(game, raid, lambda e: e["ops"].append(e["ops"].pop(-2))),
        needs="rules",
    )
    laid = ops(play, "lay-out")[0]["tokens"][0]
    bad(
        "lay-out-face",
        "bad-opening bad-ops",
        "another face is laid out",
        with_op(game, play, "lay-out", put("tokens", 0, "face", "77")),
    )
    bad(
        "lay-out-salt",
        "bad-opening",
        "another salt",
        with_op(game, play, "lay-out", put("tokens", 0, "salt", "00" * 32)),
    )
    bad(
        "lay-out-no-salt",
        "bad-opening",
        "no salt",
        with_op(game, play, "lay-out", lambda op: op["tokens"][0].pop("salt")),
    )
    bad(
        "lay-out-slot",
        "bad-opening",
        "a slot that is not there",
        with_op(game, play, "lay-out", put("tokens", 0, "slot", "pile.0.99")),
    )
    bad(
        "lay-out-bag",
        "bad-opening bad-ops",
        "out of another hand",
        with_op(game, play, "lay-out", put("bag", "hand/1")),
    )
    bad(
        "lay-out-twice",
        "bad-opening bad-ops",
        "a token twice",
        with_op(game, play, "lay-out", put("tokens", [laid, laid])),
    )
    bad(
        "put-face",
        "bad-ops",
        "another card is put under the pile",
        with_op(game, play, "put", put("faces", 0, "77")),
        needs="rules",
        without=["minted"],
    )
    bad(
        "put-open",
        "bad-ops",
        "the cards are put into the pile, not under it",
        with_op(game, play, "put", drop("under")),
        needs="rules",
        without=["bad-pick", "bad-die"],
    )
    bad(
        "put-nothing",
        "bad-ops",
        "a put of nothing",
        with_entry(game, play, lambda e: e["ops"].insert(0, {"op": "put", "bag": "pile", "faces": []})),
    )
    bad(
        "put-more",
        "bad-ops",
        "a card more",
        with_op(game, play, "put", lambda op: op["faces"].append("77")),
        needs="rules",
        without=["bad-pick", "bad-die"],
    )
    end = game.view()
    bad("lay-out-all-none", "withheld", "the prize is kept back", with_op(game, end, "lay-out-all", put("tokens", [])))
    bad(
        "lay-out-all-face",
        "bad-opening",
        "another prize",
        with_op(game, end, "lay-out-all", put("tokens", 0, "face", "77")),
    )
    bad(
        "lay-out-all-slot",
        "bad-opening withheld",
        "a slot that is not there",
        with_op(game, end, "lay-out-all", put("tokens", 0, "slot", "pile.0.99")),
    )
    bad(
        "lay-out-all-one",
        "bad-ops",
        "only those of one face are asked for",
        with_op(game, end, "lay-out-all", put("face", ops(end, "lay-out-all")[0]["tokens"][0]["face"])),
        needs="rules",
    )
    mixed = game.view(7)
    assert ops(mixed, "shuffle")[-1]["bag"] == "pile"
    drawn = _next_pick(game, mixed, "pile")
    bad(
        "draw-sealed",
        "bad-ops",
        "a card is dealt out of a pile that was just sealed",
        with_entry(
            game, mixed, lambda e: e["ops"].append({"op": "deal", "bag": "pile", "slots": [drawn], "into": "swap"})
        ),
    )


def _replayed(game: Played, document: Json) -> tuple[verifier.State, verifier.Play]:
    """The state after a document, and the play of its newest entry."""
    table = verifier.read_genesis(document["genesis"], game.bags, wire.Signatures(lambda *_: True))
    state = verifier.first_state(table)
    for entry in document["entries"]:
        play = verifier.advance(table, state, entry["body"], verifier.Known())
    return state, play


def _next_die(game: Played, document: Json, sides: int) -> int:
    """What one more throw in the newest entry would show."""
    _, play = _replayed(game, document)
    return 1 + wire.below(play.seed, play.draws, sides)


def _next_pick(game: Played, document: Json, bag: str) -> str:
    state, play = _replayed(game, document)
    slots = state.bags[bag].slots
    return slots[wire.below(play.seed, play.draws, len(slots))]


def _other(document: Json, slots: list[str]) -> str:
    """A slot of the first pile that is not among these."""
    return next(f"pile.0.{i}" for i in range(9) if f"pile.0.{i}" not in slots)


def _held(game: Played, document: Json, bag: str, slots: list[str]) -> str:
    """Another slot that lay in a container before the newest entry."""
    state, _ = _replayed(game, document | {"entries": document["entries"][:-1]})
    return next(slot for slot in state.bags[bag].slots if slot not in slots)


def outcomes(out: Vectors, game: Played) -> None:
    play, end = game.view(4), game.view()

    def bad(name: str, codes: str, about: str, document: Json, **more: Json) -> None:
        out.bad(f"view-outcome-{name}", 8, codes, about, "view-end", document, **more)

    bad("state", "rule-broken", "`state` is another hash", with_entry(game, play, put("state", "00" * 32), mend=False))
    bad(
        "public",
        "rule-broken",
        "`public` is another hash",
        with_entry(game, play, put("public", "00" * 32)),
        needs="rules",
        without=["mixed-view"],
    )
    ask = play["entries"][-1]["body"]["ask"]
    bad("ask-seat", "rule-broken", "one seat is not asked", with_entry(game, play, put("ask", ask[:1])), needs="rules")
    bad(
        "ask-what",
        "rule-broken",
        "something else is asked",
        with_entry(game, play, put("ask", 0, "what", "guess")),
        needs="rules",
    )
    bad(
        "ask-open",
        "rule-broken",
        "nothing is to be sealed any more",
        with_entry(game, play, lambda e: e["ask"][0].pop("sealed")),
        needs="rules",
    )
    bad("ask-twice", "rule-broken", "a seat is asked twice", with_entry(game, play, put("ask", [*ask, ask[0]])))
    bad("ask-nobody", "rule-broken", "nobody is asked", with_entry(game, play, drop("ask")))
    bad(
        "ask-stranger",
        "rule-broken",
        "a seat that is not there is asked",
        with_entry(game, play, put("ask", 1, "seat", 5)),
    )
    bad(
        "early-end",
        "rule-broken",
        "the game ends with an invented result",
        with_entry(
            game, play, lambda e: (e.pop("ask"), e.update(end="result", result={"ranks": [1, 2], "scores": [[9], [1]]}))
        ),
        needs="rules",
    )
    bad(
        "result-without-end",
        "rule-broken",
        "a result, and the game goes on",
        with_entry(game, play, put("result", {"ranks": [1, 2], "scores": [[9], [1]]})),
    )
    bad("end-without-result", "rule-broken", "an end without a result", with_entry(game, play, put("end", "result")))
    bad("left", "rule-broken", "`left`, though nobody left", with_entry(game, play, put("end", "left")))
    bad("void", "rule-broken", "`void` before the last round", with_entry(game, play, put("end", "void")))
    result = end["entries"][-1]["body"]["result"]
    bad(
        "ranks",
        "rule-broken",
        "ranks that the scores do not give",
        with_entry(game, end, put("result", "ranks", result["ranks"][::-1])),
    )
    bad(
        "scores",
        "rule-broken",
        "other scores",
        with_entry(game, end, put("result", ranked([[99, 0], [1, 0]]))),
        needs="rules",
    )
    bad(
        "few-scores",
        "rule-broken",
        "a score for one seat only",
        with_entry(game, end, put("result", ranked([[99, 0]]))),
    )
    other = _with_code(game)
    out.base("view-other-code", 8, "a game with other rules code that these rules lead through", other, other.view(2))
    lie = with_entry(other, other.view(2), put("ask", 0, "what", "guess"))
    out.bad(
        "view-undecided",
        8,
        "undecided",
        "these rules lead elsewhere, but they are not those of the offer",
        "view-other-code",
        lie,
        needs="rules",
    )


def _with_code(game: Played) -> Played:
    """The first rounds of a game whose offer names other rules code, by a host who has that."""
    sitting = Sitting("auction", 2, "vectors", deadline=0)
    view = with_offer(game, game.view(0), code="ab" * 32)
    honest = tables.code_hash
    tables.code_hash = lambda game_id: "ab" * 32
    try:
        return Played(_reseated(sitting, view)).until(2)
    finally:
        tables.code_hash = honest


def _reseated(sitting: Sitting, view: Json) -> Sitting:
    """The same people at the table of this genesis."""
    envelope = msgspec.json.decode(canonical(view["genesis"]), type=Envelope)
    seats = tables.Table(envelope)
    _, leaves = seal_all(sitting.match.secret, seats.seating, seats.bags)
    body = view["genesis"]["body"] | {"leaves": {name: list(found) for name, found in leaves.items()}}
    genesis = signed(sitting.host.seed, "genesis", body)
    seats = tables.Table(msgspec.json.decode(canonical(genesis), type=Envelope))
    sitting.match = hosting.new_match(sitting.host, seats)
    sitting.marks = [
        lobby.player_marks(key, seats.offer_id, bytes.fromhex(seats.joins[seat].nonce))
        for seat, key in enumerate(sitting.players)
    ]
    return sitting


def hands(out: Vectors, game: Played) -> None:
    """The owner of a hand sees what was done to it."""
    raid = game.view(3)
    seat = raid["entries"][-1]["body"]["answers"][0]["seat"]
    view = game.view(3, seat)
    own = {str(n): fields for n, fields in own_fields(game, seat).items() if n <= 3}
    out.good(
        "view-own-gift",
        8,
        "with what this seat had sealed itself: its choice was carried out",
        "view-end",
        view,
        own=own,
    )
    table = verifier.read_genesis(view["genesis"], game.bags, wire.Signatures(lambda *_: True))
    part = view["privates"][-1]["body"]
    name = f"hand/{seat}"
    place = next(
        i for i, op in enumerate(view["entries"][-1]["body"]["ops"]) if (op["op"], op["bag"]) == ("shuffle", name)
    )
    anew = [i for i, opening in enumerate(part["openings"]) if opening["slot"].startswith(name + ".")]
    stolen = next(f"{n:02}" for n in range(1, 10) if f"{n:02}" not in {o["face"] for o in part["openings"]})
    first = part["openings"][anew[0]]
    leaf = wire.leaf_of(table.seating, *wire.slot_parts(first["slot"]), bytes.fromhex(first["salt"]), stolen).hex()
    document = with_entry(game, view, put("ops", place, "leaves", 0, leaf))
    document = with_private(game, document, put("openings", anew[0], "face", stolen))
    out.bad(
        "view-false-hand",
        8,
        "false-hand",
        "a card of the hand was exchanged when it was resealed",
        "view-end",
        document,
    )
    lie = other_gift(game, seat)
    out.base("view-gift", 8, "the host gave another card than was chosen; nobody can tell without the choice", *lie[:2])
    out.bad(
        "view-false-gift",
        8,
        "false-gift",
        "the same view, with what this seat had chosen",
        "view-gift",
        lie[1],
        own=lie[2],
    )
    changed_own = copy.deepcopy(lie[2])
    changed_own["3"]["card"]["salt"] = "00" * 32
    out.good(
        "view-other-own",
        8,
        "what was kept is not what was signed: it proves nothing",
        "view-gift",
        lie[1],
        own=changed_own,
    )


def minted(out: Vectors) -> None:
    def twice(faces: dict[str, str], one: str, other: str) -> None:
        faces[one] = faces[other]

    for game, pair in stacked(twice):
        game.step()
        told = {o["slot"] for o in game.view(1)["privates"][0]["body"]["openings"]}
        if {f"pile.0.{i}" for i in pair} <= told:
            start = game.view(0)
            out.base("view-stacked", 8, "before the first entry nobody can see what is wrong with the bag", game, start)
            out.bad(
                "view-minted",
                8,
                "minted",
                "this seat holds two cards of which there is one",
                "view-stacked",
                game.view(1),
            )
            return
    raise AssertionError("no hand got both")


def _first(game_id: str, seats: int, seeds: int, most: int, wanted: Any) -> tuple[Played, int, int]:
    """The first game, round and seat with an operation of this kind."""
    for seed in range(seeds):
        sitting = Sitting(game_id, seats, f"vectors {seed}", deadline=0)
        while not sitting.over and sitting.round < most:
            before = sitting.fork() if sitting.round else None
            sitting.step()
            body = wire.parse(bytes(sitting.match.entries[-1].body))
            found = [op for op in body.get("ops", []) if wanted(op)]
            if found and before is not None:
                game = Played(before)
                game.step()
                return game, sitting.round, found[0].get("seat", 0)
    raise AssertionError(f"no such operation in {seeds} games of {game_id}")


def other_games(out: Vectors) -> None:
    market, _, seat = _first("schwarzmarkt", 3, 40, 60, lambda op: op["op"] == "seek" and op.get("slots"))
    sought = one_round(market, seat)
    out.base(
        "round-seek",
        7,
        "Schwarzmarkt: the first of a sealed ranking is looked for, by its owner's view",
        market,
        sought,
        "round",
    )

    def bad(name: str, codes: str, about: str, base: str, alter: Any, **more: Json) -> None:
        game, document = out.bases[base]
        out.bad(name, 7, codes, about, base, altered_round(game, document, alter), **more)

    found = next(op for op in sought["entry"]["body"]["ops"] if op["op"] == "seek")["slots"][0]
    name, generation, index = wire.slot_parts(found)
    other = f"{name}.{generation}.{index + 1 if index == 0 else index - 1}"
    bad("round-seek-two", "bad-ops", "two slots are brought", "round-seek", _op("seek", put("slots", [found, other])))
    bad(
        "round-seek-ghost",
        "bad-ops",
        "a slot that is not there",
        "round-seek",
        _op("seek", put("slots", ["goods.99.0"])),
    )
    bad(
        "round-seek-other",
        "missing-opening bad-opening",
        "another slot, not the one that was told",
        "round-seek",
        _op("seek", put("slots", [other])),
    )
    bad("round-seek-field", "bad-ops", "a field that was not sealed", "round-seek", _op("seek", put("field", "zeal")))
    bad(
        "round-seek-none",
        "missing-opening bad-ops bad-shuffle",
        "nothing is brought",
        "round-seek",
        _op("seek", drop("slots")),
    )
    whole = with_secret(market, sought)
    out.base(
        "round-seek-secret", 7, "the same round by who has M: it is the first of the ranking", market, whole, "round"
    )
    faces = {
        slot: face for slot, face in market.sitting.match.faces.items() if slot.startswith(f"{name}.{generation}.")
    }
    less = next(face for _, face in sorted(faces.items()) if face != _sought_face(market, found))
    alike = [slot for slot, face in faces.items() if face == less]
    secret, seating = bytes.fromhex(whole["secret"]), market.sitting.table.seating
    worse = min(alike, key=lambda slot: wire.order_of(secret, seating, *wire.slot_parts(slot)))

    def brought(body: Json) -> None:
        """The hand is sealed with the other one in it, so nothing else is wrong."""
        op = next(op for op in body["ops"] if op["op"] == "seek")
        op["slots"] = [worse]
        sealed = next(one for one in body["ops"] if (one["op"], one["bag"]) == ("shuffle", op["into"]))
        hand = [whole["known"][slot] for slot in whole["state"]["book"]["bags"][op["into"]]["slots"]]
        leaves = wire.sealed_leaves(secret, seating, op["into"], sealed.get("generation", 0), [*hand, less])
        sealed["leaves"] = [leaf for _, leaf in leaves.values()]

    bad(
        "round-seek-secret-other",
        "bad-ops",
        "another one was brought, the first of its kind",
        "round-seek-secret",
        brought,
    )
    thief, about, mine = _robbed()
    out.base("round-lay-out-face", 7, about, thief, mine, "round")
    bad(
        "round-withheld",
        "withheld",
        "one of them is kept back, and the owner sees it",
        "round-lay-out-face",
        _op("lay-out-all", lambda op: op["tokens"].pop()),
    )
    bad(
        "round-lay-out-face-other",
        "bad-ops bad-opening",
        "a face that was not asked for",
        "round-lay-out-face",
        _op("lay-out-all", put("face", "zeal")),
    )
    if len(next(op for op in mine["entry"]["body"]["ops"] if op["op"] == "lay-out-all")["tokens"]) > 1:
        bad(
            "round-lay-out-order",
            "bad-ops",
            "in another order than they lie there",
            "round-lay-out-face",
            _op("lay-out-all", lambda op: op["tokens"].reverse()),
        )
    robbed = with_secret(thief, mine)
    out.base("round-lay-out-secret", 7, "the same round by who has M", thief, robbed, "round")
    bad(
        "round-withheld-secret",
        "bad-ops withheld",
        "one of them is kept back, and M shows it",
        "round-lay-out-secret",
        _op("lay-out-all", lambda op: op["tokens"].pop()),
    )
    _equal_faces(out)
    friday, _, _ = _first("schwarzer-freitag", 2, 10, 60, lambda op: op["op"] == "put" and not op.get("under"))
    out.base("round-put", 7, "Schwarzer Freitag: tokens are put into the bag", friday, one_round(friday, 0), "round")
    bad(
        "round-put-under",
        "bad-ops",
        "under the others in place of among them",
        "round-put",
        _op("put", put("under", True)),
        needs="rules",
        without=["bad-pick", "bad-opening", "missing-opening"],
    )
    road, _, _ = _first("weg-zum-erfolg", 2, 10, 60, lambda op: op["op"] == "take")
    out.base("round-take", 7, "Der Weg zum Erfolg: a card is taken", road, one_round(road, 0), "round")
    bad(
        "round-take-other",
        "bad-pick",
        "another card is taken",
        "round-take",
        _op("take", put("tokens", 0, "slot", "chance.0.99")),
    )
    bad("round-take-face", "bad-opening", "another face", "round-take", _op("take", put("tokens", 0, "face", "zeal")))
    mark, _, _ = _first("mark", 2, 10, 60, lambda op: op["op"] == "die" and len(op["values"]) > 1)
    out.base("round-dice", 7, "M.A.R.K.: several dice in one throw", mark, one_round(mark, 0), "round")
    bad(
        "round-dice-value",
        "bad-die",
        "one of the dice shows something else",
        "round-dice",
        _op("die", lambda op: op["values"].__setitem__(0, op["values"][0] % op["sides"] + 1)),
    )
    bad("round-dice-split", "bad-ops", "one operation for each die", "round-dice", _split_dice)


def _sought_face(game: Played, slot: str) -> str:
    """The face of a slot that went to a hand in the last round, as its owner was told it."""
    views = [game.view(-1, seat) for seat in range(len(game.players))]
    told = [o for view in views for p in view.get("privates", []) for o in p["body"]["openings"]]
    return str(next(opening["face"] for opening in told if opening["slot"] == slot))


def _equal_faces(out: Vectors) -> None:
    """Of equal tokens in a hand, the one that comes first in an order that only M gives is laid out."""
    for seed in range(20):
        game = Played(Sitting("schwarzer-freitag", 2, f"vectors {seed}", deadline=0))
        while not game.sitting.over and game.sitting.round < 30:
            game.step()
            faces, book = game.moments[-2]["faces"], game.moments[-2]["state"]["book"]
            for op in game.view()["entries"][-1]["body"].get("ops", []):
                if op["op"] != "lay-out" or len(op["tokens"]) != 1:
                    continue
                token = op["tokens"][0]
                alike = [
                    s for s in book["bags"][op["bag"]]["slots"] if faces[s] == token["face"] and s != token["slot"]
                ]
                if alike:
                    _lay_out_of_equals(out, game, alike[0])
                    return
    raise AssertionError("no hand had two of one colour")


def _lay_out_of_equals(out: Vectors, game: Played, other: str) -> None:
    seen, whole = one_round(game, 0), with_secret(game, one_round(game, 0))
    secret_, seating = game.sitting.match.secret, game.sitting.table.seating
    token = {"slot": other, "salt": wire.salt_of(secret_, seating, *wire.slot_parts(other)).hex()}
    alter = _op("lay-out", lambda op: op["tokens"][0].update(token))
    out.base("round-equal", 7, "Schwarzer Freitag: one of several equal tokens is laid out", game, seen, "round")
    out.base("round-equal-secret", 7, "the same round by who has M", game, whole, "round")
    about = "another of the equal tokens: nobody can tell before M is known"
    out.good("round-equal-other", 7, about, "round-equal", altered_round(game, seen, alter))
    about = "another of the equal tokens, and M shows it"
    out.bad("round-equal-secret-other", 7, "bad-ops", about, "round-equal-secret", altered_round(game, whole, alter))


def _op(name: str, alter: Any) -> Any:
    return lambda body: alter(next(op for op in body["ops"] if op["op"] == name))


def _split_dice(body: Json) -> None:
    place = next(i for i, op in enumerate(body["ops"]) if op["op"] == "die" and len(op["values"]) > 1)
    op = body["ops"][place]
    body["ops"][place : place + 1] = [op | {"values": [value]} for value in op["values"]]


def _robbed() -> tuple[Played, str, Json]:
    """All goods of one kind are laid out from a hand, in the view of the player who held them."""
    asked = lambda op: op["op"] == "lay-out-all" and op.get("face") and op["tokens"]  # noqa: E731
    game, _, _ = _first("schwarzmarkt", 3, 40, 60, asked)
    op = next(op for op in game.view()["entries"][-1]["body"]["ops"] if asked(op))
    owner = int(op["bag"].partition("/")[2])
    return (
        game,
        "Schwarzmarkt: all goods of one kind are laid out of a hand, in its owner's view",
        one_round(game, owner),
    )
