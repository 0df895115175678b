"""Every field of everything a host signs, changed and re-signed, and how each change is detected."""

from collections.abc import Iterator
from functools import partial
from typing import Any, get_args

import msgspec
from msgspec.structs import replace

from referee.crypto.codec import H, decode, encode
from referee.crypto.envelope import Envelope, sign
from referee.engine import host
from referee.engine import records as r
from referee.engine.book import Fault
from referee.engine.chain import Followed, follow
from referee.engine.player import open_view, sign_return
from referee.engine.reader import Reader
from referee.engine.rounds import Checkpoint, Closed, close, first_checkpoint
from referee.engine.seats import out_seats
from referee.errors import RulesFault
from referee.game import Ask
from tests.engine.plots import Found, blame
from tests.engine.variants import variants
from tests.support.match import Sitting, lied, resigned, resumed

FIELDS: dict[str, dict[str, tuple[str, ...]]] = {
    "die": {"sides": ("bad-ops",), "values": ("bad-die", "bad-ops")},
    "take": {"bag": ("bad-ops",), "tokens": ("bad-opening", "bad-pick")},
    "deal": {"bag": ("bad-ops",), "slots": ("bad-pick",), "into": ("bad-ops",)},
    "lay-out": {"bag": ("bad-ops",), "tokens": ("bad-opening", "bad-ops")},
    "lay-out-all": {"bag": ("bad-ops",), "tokens": ("bad-opening", "bad-ops", "withheld"), "face": ("bad-ops",)},
    "give": {
        "seat": ("bad-ops",),
        "field": ("bad-ops",),
        "bag": ("bad-ops",),
        "slots": ("bad-ops", "bad-pick", "ok"),
        "into": ("bad-ops",),
    },
    "seek": {
        "seat": ("bad-ops",),
        "field": ("bad-ops",),
        "bag": ("bad-ops",),
        "into": ("bad-ops",),
        "slots": ("bad-ops", "ok"),
    },
    "put": {"bag": ("bad-ops",), "faces": ("bad-ops",), "under": ("bad-ops",)},
    "shuffle": {"bag": ("bad-ops",), "generation": ("bad-ops",), "leaves": ("bad-shuffle", "ok")},
    "unseal": {"round": ("bad-ops",), "seat": ("bad-ops",), "fields": ("bad-ops", "bad-shown")},
    "answer": dict.fromkeys(
        ("seat", "link", "sig", "answer", "commit", "box", "standing", "resign", "protest", "handover"), ("bad-move",)
    ),
    "question": dict.fromkeys(("seat", "what", "sealed"), ("rule-broken",)),
    "entry": {
        "game": ("altered-chain",),
        "round": ("altered-chain",),
        "prev": ("broken-chain",),
        "answers": ("bad-round",),
        "link": ("bad-host-link",),
        "public": ("rule-broken",),
        "state": ("rule-broken",),
        "timeouts": ("bad-round",),
        "ops": ("bad-ops", "bad-shown"),
        "ask": ("rule-broken",),
        "result": ("rule-broken",),
        "end": ("bad-due", "rule-broken"),
        "due": ("bad-due", "rule-broken"),
        "successions": ("bad-succession", "rule-broken"),
        "returns": ("bad-succession", "rule-broken"),
        "used": ("bad-due",),
    },
    "private part": {
        "game": ("mixed-view",),
        "round": ("false-private", "mixed-view"),
        "entry": ("false-private",),
        "seat": ("mixed-view",),
        "openings": ("bad-opening", "missing-opening"),
        "sealed": ("bad-opening", "bad-private", "missing-opening"),
    },
    "genesis": {
        "offer": ("bad-signature", "malformed", "wrong-kind"),
        "joins": ("bad-seats", "bad-signature", "malformed", "ok", "wrong-kind"),
        "leaves": ("bad-bags", "ok"),
        "hands": ("bad-bags",),
    },
    "offer": dict.fromkeys(
        (
            "game",
            "rules",
            "code",
            "edition",
            "options",
            "nonce",
            "tip",
            "box",
            "deadline",
            "chance",
            "arbiter",
            "takeovers",
        ),
        ("other-offer",),
    )
    | {"stage": ("other-offer",), "seats": ("other-offer",), "key": ("bad-signature",)}
    | {"grace": ("other-offer",), "bank": ("other-offer",), "takeover": ("bad-succession",)},
}
"""Document -> field -> the codes that a change of it is found with at once by whoever has no more than the chain. `ok`:
not every change is noticed that way. The order of seats is the host's to choose; leaves, and tokens that move face
down, are noticed by whoever gets those tokens, or after the end."""
BLAMELESS = {"altered-chain", "mixed-view", "malformed", "wrong-kind"}
"""Codes that any change of a file, by anybody, can lead to."""

OPERATIONS = {str(kind.__struct_config__.tag): kind for kind in get_args(r.Op)}
DOCUMENTS = {"answer": r.Answer, "question": Ask, "entry": r.Entry, "private part": r.Private, "genesis": r.Genesis}
DOCUMENTS |= {"offer": r.Offer, **OPERATIONS}

Change = tuple[str, str, Found]
"""The kind of document, the field that was changed, and the outcome."""


def chosen_rounds(chain: Followed) -> list[int]:
    """Rounds that between them have every kind of operation, question and end of this game."""
    seen: dict[Any, int] = {}
    for one in chain.rounds:
        entry = one.entry
        traits: list[Any] = [(type(op), bool(getattr(op, "tokens", True))) for op in entry.ops]
        traits += [(ask.what, bool(ask.sealed)) for ask in entry.ask]
        traits += [bool(entry.timeouts), entry.end, any(answer.resign for answer in entry.answers)]
        traits += [("taken", len(entry.successions)), ("back", len(entry.returns))]
        traits += [("handed", any(answer.handover for answer in entry.answers))]
        for trait in traits:
            seen.setdefault(trait, entry.round)
    return sorted({*seen.values()})


def entry_changes(sitting: Sitting) -> Iterator[Change]:
    """All changes of the chosen entries, for somebody who has followed the chain so far."""
    table = sitting.table
    chain = follow(table, sitting.match.entries)
    checkpoints = [first_checkpoint(table), *(one.checkpoint for one in chain.rounds)]
    for number in chosen_rounds(chain):
        for kind, field, entry in _entries(chain.rounds[number - 1].entry):
            checkpoint = checkpoints[number - 1]
            signed = _mended(sitting, checkpoint, entry) if kind in OPERATIONS else entry
            yield kind, field, blame(partial(_read, sitting, checkpoint, signed))


def position_changes(sitting: Sitting, number: int) -> Iterator[Change]:
    """All changes of the position after a round, and of the state, with matching hashes."""
    table = sitting.table
    chain = follow(table, sitting.match.entries[:number])
    before = chain.rounds[-2].checkpoint if number > 1 else first_checkpoint(table)
    entry, after = chain.rounds[-1].entry, chain.checkpoint
    for field, other in variants(msgspec.json.decode(encode(after.public))):
        entry_with = lied(table, Closed(entry, after, (), None), other).entry
        yield "position", _first(field), blame(partial(_read, sitting, before, entry_with))
    for field, state in variants(after.state):
        made = H("state", bytes.fromhex(table.id), encode(state)).hex()
        yield "state", _first(field), blame(partial(_read, sitting, before, replace(entry, state=made)))


def _mended(sitting: Sitting, checkpoint: Checkpoint, entry: r.Entry) -> r.Entry:
    """The entry with the hashes that its own operations lead to, as a competent cheating host would sign it; as it is
    where they lead nowhere."""
    try:
        made = close(
            sitting.table.seated(checkpoint.state.holders), checkpoint, entry, partial(Reader, given=entry.ops)
        ).entry
    except (Fault, RulesFault):
        return entry
    return made if made.ops == entry.ops else entry


def _read(sitting: Sitting, checkpoint: Checkpoint, entry: r.Entry) -> None:
    follower = resumed(sitting.table, checkpoint)
    found, name = follower.place(sign(sitting.host, "entry", entry))
    follower.play(found, name, partial(Reader, given=found.ops))


def _entries(entry: r.Entry) -> Iterator[tuple[str, str, r.Entry]]:
    """One change at a time, and the kind of document that was changed."""
    whole = ("ops", "answers", "ask")
    for at, op in enumerate(entry.ops):
        for field, other in variants(op):
            if _says_the_same(op, other):
                continue
            ops = (*entry.ops[:at], other, *entry.ops[at + 1 :])
            yield _word(op), _first(field), replace(entry, ops=ops)
    for at, answer in enumerate(entry.answers):
        for field, other in variants(answer):
            answers = (*entry.answers[:at], other, *entry.answers[at + 1 :])
            yield "answer", _first(field), replace(entry, answers=answers)
    for at, ask in enumerate(entry.ask):
        for field, other in variants(ask):
            yield "question", _first(field), replace(entry, ask=(*entry.ask[:at], other, *entry.ask[at + 1 :]))
    for field, other in variants(replace(entry, ops=(), answers=(), ask=())):
        if field not in whole:
            yield "entry", _first(field), replace(other, ops=entry.ops, answers=entry.answers, ask=entry.ask)
    for name in whole:
        items = getattr(entry, name)
        lists = [items[:-1], (*items, items[0]), (items[0], *items)] if items else []
        for other in lists:
            yield "entry", name, replace(entry, **{name: other})


def _says_the_same(op: r.Op, other: r.Op) -> bool:
    """Equal tokens named in another order: only M tells which of them comes first."""
    if not isinstance(op, r.LayOut) or not isinstance(other, r.LayOut):
        return False
    faces = [[token.face for token in one.tokens] for one in (op, other)]
    return (
        op.bag == other.bag
        and faces[0] == faces[1]
        and {*op.tokens} == {*other.tokens}
        and len(op.tokens) == len(other.tokens)
    )


def _word(op: r.Op) -> str:
    return str(type(op).__struct_config__.tag)


def _first(path: str) -> str:
    return path.partition(".")[0]


def private_changes(sitting: Sitting) -> Iterator[Change]:
    """All changes of the first private parts of every seat, for their owners."""
    for seat in range(sitting.table.seats):
        view = decode(sitting.view(seat), r.View, "view")
        parts = [decode(bytes(one.body), r.Private, "private") for one in view.privates[:2]]
        for at, part in enumerate(parts):
            early = replace(view, entries=view.entries[: part.round], privates=view.privates[: at + 1])
            for field, other in variants(part):
                signed = (*early.privates[:-1], sign(sitting.host, "private", other))
                yield "private part", _first(field), _before_position(replace(early, privates=signed))


def newest_private_changes(sitting: Sitting) -> Iterator[Change]:
    """All changes of the private part with which a seat was handed over, for the player who took it over."""
    for seat in range(sitting.table.seats):
        view = decode(sitting.view(seat), r.View, "view")
        for at, envelope in enumerate(view.privates):
            part = decode(bytes(envelope.body), r.Private, "private")
            early = replace(view, entries=view.entries[: part.round], privates=view.privates[: at + 1])
            for field, other in variants(part) if part.sealed else ():
                signed = (*early.privates[:-1], sign(sitting.host, "private", other))
                yield "private part", _first(field), _before_position(replace(early, privates=signed))


def changing_hands() -> Sitting:
    """A game in which seats change hands in every way."""
    sitting = Sitting("auction", 3, "fields seats", takeovers=3)
    sitting.until(lambda one: one.what == "bid" and one.asked == [0, 1, 2])
    first = decode(sitting.signed(0), r.MoveFile, "move")
    sitting.give(resigned(sitting, 0, first, handover=sitting.newcomer().public.hex()))
    sitting.give(sitting.signed(2))
    sitting.pass_over([1])
    host.take_arrival(sitting.match, sitting.succession(0))
    sitting.step(1)
    sitting.sit_down(0)
    back = sign_return(sitting.players[1], sitting.opened(1))
    host.take_arrival(sitting.match, decode(back, Envelope, "return"))
    sitting.step()
    while 2 not in out_seats(sitting.state):
        sitting.step(*(seat for seat in (2,) if seat in sitting.asked))
    host.take_arrival(sitting.match, sitting.succession(2, "Yves"))
    sitting.step()
    sitting.sit_down(2, "Yves")
    sitting.step()
    return sitting


def _before_position(view: r.View) -> Found:
    found = blame(partial(open_view, view))
    assert found.code != "ok", "a shorter view has another position"
    return found


def genesis_changes(sitting: Sitting) -> Iterator[Change]:
    """All changes of a genesis, and of the re-signed offer in it, for whoever opens the first view."""
    genesis, view = sitting.table.genesis, decode(Sitting(*_terms(sitting)).view(0), r.View, "view")
    for field, other in variants(genesis):
        yield "genesis", _first(field), blame(partial(open_view, _started(sitting, view, other)))
    offer = decode(bytes(genesis.offer.body), r.Offer, "offer")
    for field, changed in variants(offer):
        other = replace(genesis, offer=sign(sitting.host, "offer", changed))
        yield "offer", _first(field), blame(partial(open_view, _started(sitting, view, other)))


def _terms(sitting: Sitting) -> tuple[str, int, str]:
    return sitting.game_id, sitting.table.seats, sitting.seed


def _started(sitting: Sitting, view: r.View, genesis: r.Genesis) -> r.View:
    return replace(view, genesis=sign(sitting.host, "genesis", genesis))
