"""Real files of every kind, of games in which everything happens: what the differential campaign changes."""

import itertools
import json
import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope, sign
from referee.crypto.keys import Key
from referee.engine import host
from referee.engine import records as r
from referee.engine.player import Opened, sign_return
from referee.engine.promises import Extension
from referee.engine.rounds import may_protest
from referee.engine.seats import late_seats, rests, vacancies
from referee.errors import RefereeError
from referee.evidence import proofs as p
from referee.evidence.rulings import make_claim, make_ruling
from referee.io.times import later
from tests.campaign.framing import guilty
from tests.campaign.spelling import Json, Keys
from tests.evidence.honest import refusal_proof, round_proof
from tests.independent import wire
from tests.support.match import Sitting, chance, resigned

GAMES = ("auction", "schwarzer-freitag", "schwarzmarkt", "mark", "weg-zum-erfolg")
PROVED = ("mark", "schwarzmarkt")
"""Games whose true proofs against cheating hosts are among the files: these cost the most, and those of other games are
the same."""
NEWCOMERS = ("Zoe", "Yves", "Xaver")
"""Who takes over a seat, by its number."""
ARBITER, STRANGER = Key(chance("arbiter"), "Ada"), Key(chance("stranger"), "Sam")
ROUNDS = 9
"""How long games are: a fault shows as well in a short file, and sooner."""
TIME = "%Y-%m-%dT%H:%MZ"


class Base(NamedTuple):
    """Honest files that are judged together; one of them is changed."""

    kind: str
    data: tuple[bytes, ...]
    files: tuple[Json, ...]
    """The same, read."""
    which: int
    keys: Keys


@dataclass
class Post:
    """What was sent in a game: views after each round, and the rest."""

    views: list[list[bytes]] = field(default_factory=list)
    moves: list[r.MoveFile] = field(default_factory=list)
    receipts: list[Envelope] = field(default_factory=list)
    claims: list[bytes] = field(default_factory=list)
    arrivals: list[Envelope] = field(default_factory=list)
    extensions: list[Envelope] = field(default_factory=list)


def played(game_id: str, seed: str) -> tuple[Sitting, Post]:
    """Some rounds of a game with timeouts, time banks, extensions, words, protests, claims and seats that change
    hands."""
    rng = random.Random(f"differential {game_id} {seed}")
    how: dict[str, Any] = {"deadline": rng.choice((0, 60, 60, 60)), "common": rng.choice(("", "", "differential"))}
    if how["deadline"]:
        how |= {"bank": rng.choice((0, 0, 90)), "grace": rng.choice((0, 10))}
    takeovers, arbiter = rng.choice((0, 3)), rng.choice((b"", ARBITER.public))
    sitting = Sitting(game_id, 3, f"differential {seed}", takeovers=takeovers, arbiter=arbiter, **how)
    post = Post([_views(sitting)])
    while sitting.round < ROUNDS and not sitting.over and not rests(sitting.state):
        number = sitting.round
        sitting.wait(rng.choice((30, 60, 75)))
        _arrive(sitting, post, rng)
        for seat in sitting.asked:
            if sitting.round != number:
                break
            late = number and how["deadline"] and rng.random() < (0.8 if sitting.state.missed[seat] else 0.2)
            if late and (sitting.match.waiting or len(sitting.asked) > 1):
                if rng.random() < 0.3:
                    post.extensions.append(host.extend(sitting.match, seat, _until(sitting, 30)))
                sitting.miss(seat)
                continue
            _answer(sitting, seat, post, rng)
        for one in sitting.state.holders:
            if one.since == sitting.round:
                sitting.sit_down(one.seat, one.name)
        post.views.append(_views(sitting))
    return sitting, post


def _views(sitting: Sitting) -> list[bytes]:
    """The views of all seats, and the public one."""
    return [host.make_view(sitting.match, seat) for seat in (*range(sitting.table.seats), None)]


def _until(sitting: Sitting, minutes: int) -> str:
    return (sitting.now + timedelta(minutes=minutes)).strftime(TIME)


def _answer(sitting: Sitting, seat: int, post: Post, rng: random.Random) -> None:
    """A seat answers, and sometimes claims that it did."""
    words = sitting.some_words(seat, rng)
    data = sitting.signed(seat) if words is None else sitting.saying(seat, words)
    if said := _said(sitting, seat, rng):
        data = resigned(sitting, seat, decode(data, r.MoveFile, "move"), **said)
    move = decode(data, r.MoveFile, "move")
    if rng.random() < 0.3:
        view = decode(sitting.view(seat), r.View, "view")
        post.claims.append(make_claim(sitting.players[seat], view, move, _until(sitting, rng.randint(-90, 90))))
    judged = sitting.give(data)
    if judged.receipt is not None:
        post.moves.append(move)
        post.receipts.append(judged.receipt)


def _arrive(sitting: Sitting, post: Post, rng: random.Random) -> None:
    """Some come back to a vacant seat, or take it over, where they can."""
    state, match = sitting.state, sitting.match
    for seat in vacancies(state, match.checkpoint.head) if state.round else ():
        with suppress(RefereeError):
            if seat in late_seats(state) and rng.random() < 0.6:
                arrival = decode(sign_return(sitting.players[seat], sitting.opened(seat)), Envelope, "return")
            else:
                arrival = sitting.succession(seat, NEWCOMERS[seat])
            post.arrivals.append(arrival)
            host.take_arrival(match, arrival)


def _said(sitting: Sitting, seat: int, rng: random.Random) -> dict[str, str]:
    """What an answer says beside its decision, where it can: a protest, or to whom the seat is handed over."""
    table, state, said = sitting.table, sitting.state, {}
    if may_protest(table, state, seat) and rng.random() < 0.7:
        said["protest"] = rng.randbytes(32).hex()
    if table.offer.takeovers and state.round and rng.random() < 0.2:
        key = rng.choice((sitting.newcomer(NEWCOMERS[seat]), sitting.newcomer(NEWCOMERS[seat]), sitting.players[seat]))
        said["handover"] = key.public.hex()
    return said


def _ended(sitting: Sitting) -> bytes:
    """The transcript, after all but one have left; or, where some are out, after the host gave the game up."""
    twin = sitting.fork()
    while not twin.over:
        if late_seats(twin.state):
            return host.reveal(twin.match, abandon=True)
        seat = next(seat for seat in twin.asked if seat not in twin.match.waiting)
        judged = twin.give(twin.signed(seat, resign=True) if seat else twin.signed(seat))
        assert judged.error is None, judged.error
    return host.reveal(twin.match)


@lru_cache(maxsize=16)
def bases(game_id: str, seed: str, proved: tuple[str, ...] = PROVED) -> tuple[Base, ...]:
    """Files of all kinds of one game."""
    rng = random.Random(f"bases {game_id} {seed}")
    sitting, post = played(game_id, seed)
    keys = _keys(sitting, seed)

    def single(kind: str, *data: bytes) -> list[Base]:
        return [Base(kind, (one,), (json.loads(one),), 0, keys) for one in data]

    last, transcript = post.views[-1], _ended(sitting)
    found = single("view", *itertools.chain(*post.views))
    found += single("transcript", transcript)
    if not sitting.over:
        found += single("transcript", host.reveal(sitting.fork().match, abandon=True))
    promises = [*post.extensions, *_promises(sitting, last[0], rng)]
    found += single("proof", *map(encode, _proofs(sitting, post, promises)))
    found += single("proof", *(guilty(game_id) if game_id in proved else ()))
    found += single("claim", *post.claims)
    found += single("ruling", *_rulings(sitting, last))
    found += single("alone", *map(encode, _alone(sitting, post, promises)))
    for seat, view in enumerate(last):
        data = (view, *map(encode, _beside(sitting, post, promises, seat, rng)))
        found += [Base("several", data, tuple(map(json.loads, data)), at, keys) for at in range(len(data))]
    data = (transcript, *data[1:], last[0])
    found += [Base("several", data, tuple(map(json.loads, data)), 1, keys)]
    for base in found:
        for file in base.files:
            keys.learn(file)
    return tuple(found)


def _keys(sitting: Sitting, seed: str) -> Keys:
    """Of everybody who ever sat at the table, and of those who rule."""
    own = Sitting(sitting.game_id, 3, f"differential {seed}").players
    own += [*(sitting.newcomer(name) for name in NEWCOMERS), ARBITER, STRANGER]
    return Keys(sitting, {name: list(faces) for name, faces in sitting.table.bags.items()}, own)


def _alone(sitting: Sitting, post: Post, promises: Sequence[Envelope]) -> Iterator[msgspec.Struct]:
    """Single documents of every kind."""
    table, players = sitting.table, sitting.players
    words = [
        sign(players[seat], "word", r.Word(table.id, sitting.round + 1, seat, f"away until 2027-01-{seat + 10}"))
        for seat in range(table.seats)
    ]
    back = sign(players[0], "return", r.Return(table.id, 0, sitting.match.checkpoint.head))
    come = sign(
        sitting.newcomer(),
        "succession",
        r.Succession(
            table.id, 0, sitting.match.checkpoint.head, "Zoe", sitting.newcomer().public.hex(), "1" * 64, "2" * 64
        ),
    )
    yield from (sitting.offer, *sitting.joins, table.envelope, *words, back, come, *post.arrivals[-4:])
    yield from (*post.moves[-6:], *post.receipts[-3:], *promises[-3:])


def _beside(
    sitting: Sitting, post: Post, promises: Sequence[Envelope], seat: int, rng: random.Random
) -> list[msgspec.Struct]:
    """Some of what can lie beside a view: a move, often of its own seat, what the host said to it, and more."""
    refused = _refused(sitting, post.moves)
    rows = list(zip(post.moves, post.receipts, refused, strict=True))
    mine = [row for row in rows if msgspec.json.decode(row[0].body)["seat"] == seat]
    move, receipt, refusal = rng.choice(mine if mine and rng.random() < 0.7 else rows)
    some = rng.sample([*post.moves, *post.receipts, *refused, *promises], 2)
    return [move, *rng.choice(((receipt,), (refusal,), (receipt, refusal))), *some]


def _promises(sitting: Sitting, view: bytes, rng: random.Random) -> list[Envelope]:
    """Extensions of a host who does not always keep to them, of every round that timed somebody out, and another."""
    found = []
    for entry in (msgspec.json.decode(one.body) for one in decode(view, r.View, "view").entries):
        for seat in entry.get("timeouts", [rng.randrange(3)] if entry["round"] == 2 else []):
            until = _near(sitting, entry.get("due", ""), rng.choice((-600, -11, -10, -1, 0, 1, 10, 600)))
            found.append(sign(sitting.host, "extension", Extension(sitting.table.id, entry["round"], seat, until)))
    return found


def _near(sitting: Sitting, due: str, minutes: int) -> str:
    """A time about as late as an entry with this `due` lets a promise be."""
    if not due:
        return _until(sitting, minutes)
    offer = sitting.table.offer
    return later(due, minutes - offer.deadline - offer.grace)


def _rulings(sitting: Sitting, files: Sequence[bytes]) -> Iterator[bytes]:
    """Of the arbiter whom the offer names, or does not, and of somebody else."""
    genesis = sitting.table.envelope
    for key, ranks in ((ARBITER, ()), (ARBITER, (2, 1, 2)), (STRANGER, (1, 2, 3))):
        yield make_ruling(key, genesis, files[:2], "Bert was in time.", ranks)


def _refused(sitting: Sitting, moves: Sequence[r.MoveFile]) -> list[Envelope]:
    """Receipts of a host who refuses what it should take."""
    said = [
        (msgspec.json.decode(move.body), wire.H("id", wire.PREFIX + "move", bytes(move.body)).hex()) for move in moves
    ]
    codes = ("illegal", "bad-link", "not-asked", "stale")
    rows = [
        r.Receipt(sitting.table.id, body["round"], body["seat"], name, codes[at % 4])
        for at, (body, name) in enumerate(said)
    ]
    return [sign(sitting.host, "receipt", row) for row in rows]


def _proofs(sitting: Sitting, post: Post, promises: Sequence[Envelope]) -> Iterator[p.AnyProof]:
    """True parts in the form of every kind of proof."""
    opened = [sitting.opened(seat) for seat in range(sitting.table.seats)]
    genesis, entries = sitting.table.envelope, opened[0].view.entries
    yield from (round_proof(view, number) for view in opened for number in range(1, view.round + 1))
    yield from _of_receipts(sitting, post, opened)
    for one, other in itertools.pairwise(entries):
        yield p.TwoEntries(p.PROOF_FILE, genesis, (one, other))
        yield p.TwoEntries(p.PROOF_FILE, genesis, (one, one))
    for promise in promises:
        number = msgspec.json.decode(promise.body)["round"]
        yield from (p.Extended(p.PROOF_FILE, genesis, promise, entry) for entry in entries[number - 1 : number + 1])
    whole = sitting.fork()
    whole.match.revealed = True
    secret, common = whole.match.secret.hex(), sitting.chance.hex()
    for number in range(len(entries) + 1):
        yield p.BadGenesis(p.PROOF_FILE, genesis)
        yield p.TwoGeneses(p.PROOF_FILE, genesis, genesis)
        sealed = tuple(one for one in host.sealed_answers(whole.match, whole.round) if one.round <= number)
        yield p.Revealed(p.PROOF_FILE, genesis, entries[:number], secret, sealed, common)


def _of_receipts(sitting: Sitting, post: Post, opened: Sequence[Opened]) -> Iterator[p.AnyProof]:
    genesis, entries = sitting.table.envelope, opened[0].view.entries
    refused = _refused(sitting, post.moves)
    for move, *some in zip(post.moves, post.receipts, refused, strict=True):
        body = decode(bytes(move.body), r.Move, "move")
        yield p.Receipts(p.PROOF_FILE, genesis, tuple(some))
        for receipt in some:
            yield refusal_proof(opened[body.seat], Envelope(move.body, move.sig, move.type), receipt)
            if body.round <= len(entries):
                yield p.Receipts(p.PROOF_FILE, genesis, (receipt,), entries[body.round - 1])
