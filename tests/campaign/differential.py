"""One reading of the same bytes: changed files of all kinds and games before the program, the second verifier and the
one in JavaScript, which must agree.

    python -m tests.campaign.differential --cases 10000 --seed 1

A case is a real file (view, transcript, proof, or a view with moves and receipts beside it) as it is, or with one thing
changed or two: a bit, a value, a spelling, a nesting, a field too many, a part of another file, of this game or
of another. Then nobody signs it again, or the host, or the host and all players; with the right `state`, or the old
one. The two without rules must say the same. The program must say the same, or name what only the rules can tell, in
this round or before it. `Base` has all that a new kind of file needs: it is made in `bases` and judged in
`tests/independent/judges.py` and `tests/page/judging.mjs`.
"""

import argparse
import base64
import itertools
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope, sign
from referee.engine import host
from referee.engine import records as r
from referee.engine.player import come_back
from referee.engine.rounds import may_protest
from referee.engine.seats import late_seats, rests, vacancies
from referee.engine.table import Table
from referee.errors import RefereeError
from referee.evidence import proofs as p
from tests.campaign.framing import guilty
from tests.campaign.spelling import Json, Keys, change, follow, written
from tests.evidence.honest import refusal_proof, round_proof
from tests.independent import judges, wire
from tests.independent.judges import Said
from tests.page.node import asking_lines
from tests.support.match import Sitting, resigned

PROVED = ("mark", "schwarzmarkt")
"""Games whose true proofs against cheating hosts are among the files; others have the same kinds."""
NEWCOMERS = ("Zoe", "Yves", "Xaver")
"""Who takes over a seat, by its number."""
GAMES = ("auction", "schwarzer-freitag", "schwarzmarkt", "mark", "weg-zum-erfolg")

# --- real files ------------------------------------------------------------------------------------------------------


class Base(NamedTuple):
    """Honest files that are judged together; one of them is changed."""

    kind: str
    files: tuple[Json, ...]
    which: int
    keys: Keys


def _played(game_id: str, seed: str) -> tuple[Sitting, list[list[bytes]], list[r.MoveFile], list[Envelope]]:
    """Some rounds of a game with timeouts, words, protests and seats that change hands: the views after each round,
    moves and receipts."""
    rng = random.Random(f"differential {game_id} {seed}")
    how = {"deadline": rng.choice((0, 60, 60, 60)), "common": rng.choice(("", "", "differential"))}
    sitting = Sitting(game_id, 3, f"differential {seed}", takeovers=rng.choice((0, 3)), **how)
    views, moves, receipts = [_views(sitting)], [], []
    while sitting.round < 9 and not sitting.over and not rests(sitting.state):
        number = sitting.round
        sitting.wait(60)
        _arrive(sitting, rng)
        for seat in sitting.asked:
            if sitting.round != number:
                break
            late = number and how["deadline"] and rng.random() < (0.8 if sitting.state.missed[seat] else 0.2)
            if late and (sitting.match.waiting or len(sitting.asked) > 1):
                host.time_out(sitting.match, seat)
                continue
            words = sitting.some_words(seat, rng)
            data = sitting.signed(seat) if words is None else sitting.saying(seat, words)
            if said := _said(sitting, seat, rng):
                data = resigned(sitting, seat, decode(data, r.MoveFile, "move"), **said)
            judged = sitting.give(data)
            if judged.receipt is not None:
                moves.append(decode(data, r.MoveFile, "move"))
                receipts.append(judged.receipt)
        for one in sitting.state.holders:
            if one.since == sitting.round:
                sitting.sit_down(one.seat, one.name)
        views.append(_views(sitting))
    return sitting, views, moves, receipts


def _views(sitting: Sitting) -> list[bytes]:
    """The views of all seats, and the public one."""
    return [host.make_view(sitting.match, seat) for seat in (*range(sitting.table.seats), None)]


def _arrive(sitting: Sitting, rng: random.Random) -> None:
    """Some come back to a vacant seat, or take it over, where they can."""
    state, match = sitting.state, sitting.match
    for seat in vacancies(state, match.moment.head) if state.round else ():
        with suppress(RefereeError):
            if seat in late_seats(state) and rng.random() < 0.6:
                data = come_back(sitting.players[seat], sitting.opened(seat))
                host.take_arrival(match, decode(data, Envelope, "return"))
            else:
                host.take_arrival(match, sitting.succession(seat, NEWCOMERS[seat]))


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
def bases(game_id: str, seed: str) -> tuple[Base, ...]:
    """Files of all kinds of one game."""
    rng = random.Random(f"bases {game_id} {seed}")
    sitting, views, moves, receipts = _played(game_id, seed)
    own = Sitting(game_id, 3, f"differential {seed}").players
    own += [sitting.newcomer(name) for name in NEWCOMERS]
    keys = Keys(sitting, {name: list(faces) for name, faces in sitting.table.bags.items()}, own)
    found = [Base("view", (_read(view),), 0, keys) for some in views for view in some]
    transcript = _read(_ended(sitting))
    found += [Base("transcript", (transcript,), 0, keys)] * 6
    if not sitting.over:
        abandoned = host.reveal(sitting.fork().match, abandon=True)
        found += [Base("transcript", (_read(abandoned),), 0, keys)] * 3
    found += [Base("proof", (_read(encode(one)),), 0, keys) for one in _proofs(sitting, moves, receipts)]
    found += [Base("proof", (_read(data),), 0, keys) for data in (guilty(game_id) if game_id in PROVED else ())]
    loose = [_read(encode(one)) for one in (*moves, *receipts, *_refused(sitting, moves))]
    for view in views[-1]:
        beside = tuple(rng.sample(loose, min(len(loose), 4)))
        found += [Base("several", (_read(view), *beside), at, keys) for at in range(len(beside) + 1)]
    found += [Base("several", (transcript, *beside, _read(views[-1][0])), 1, keys)]
    for base in found:
        for file in base.files:
            keys.learn(file)
    return tuple(found)


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


def _proofs(sitting: Sitting, moves: Sequence[r.MoveFile], receipts: Sequence[Envelope]) -> Iterator[p.AnyProof]:
    """True parts in the form of every kind of proof."""
    opened = [sitting.opened(seat) for seat in range(sitting.table.seats)]
    genesis, entries = sitting.table.envelope, opened[0].view.entries
    yield from (round_proof(view, number) for view in opened for number in range(1, view.round + 1))
    for some in (receipts, _refused(sitting, moves)):
        for move, receipt in zip(moves, some, strict=True):
            body = decode(bytes(move.body), r.Move, "move")
            yield refusal_proof(opened[body.seat], Envelope(move.body, move.sig, move.type), receipt)
            if body.round <= len(entries):
                yield p.Receipts(p.PROOF_FILE, genesis, (receipt,), entries[body.round - 1])
    for one, other in zip(receipts, _refused(sitting, moves), strict=True):
        yield p.Receipts(p.PROOF_FILE, genesis, (one, other))
    for one, other in itertools.pairwise(entries):
        yield p.TwoEntries(p.PROOF_FILE, genesis, (one, other))
        yield p.TwoEntries(p.PROOF_FILE, genesis, (one, one))
    whole = sitting.fork()
    whole.match.revealed = True
    for _ in range(4):
        yield p.BadGenesis(p.PROOF_FILE, genesis)
        yield p.TwoGeneses(p.PROOF_FILE, genesis, genesis)
        secrets = whole.match.secret.hex(), host.sealed_answers(whole.match, whole.round), sitting.chance.hex()
        yield p.Revealed(p.PROOF_FILE, genesis, entries, *secrets)


def _read(data: bytes) -> Json:
    return json.loads(data)


# --- cases -----------------------------------------------------------------------------------------------------------


class Case(NamedTuple):
    """Files before the judges, and how they came about."""

    kind: str
    files: tuple[bytes, ...]
    bags: wire.Bags
    about: str


def case_of(number: int, seed: str, names: Sequence[str] = GAMES) -> Case:
    """Case `number` of a campaign."""
    rng = random.Random(f"case {seed} {number}")
    own = bases(names[number % len(names)], seed)
    kind = rng.choice(sorted({base.kind for base in own}))
    base = rng.choice([one for one in own if one.kind == kind])
    old = base.files[base.which]
    if rng.random() < 0.03:
        return _case(base, written(old), old, f"{number}: as it is")
    if rng.random() < 0.1:
        data = bytearray(written(old))
        place = rng.randrange(len(data))
        data[place] ^= 1 << rng.randrange(8)
        return _case(base, bytes(data), old, f"{number}: bit {place}")
    stranger = rng.choice(bases(rng.choice(names), seed) if rng.random() < 0.5 else own)
    new, about = old, []
    for _ in range(rng.choice((1, 1, 1, 2))):
        new, path, way = change(new, rng.choice(stranger.files), rng, _within(new, rng))
        about.append(f"{way} {'/'.join(map(str, path))}")
    who = rng.choice(("nobody", "host", "host", "all", "all", "all"))
    state, parts = rng.random() < 0.6, rng.random() < 0.8
    if who != "nobody" and isinstance(new, dict):
        follow(old, new, base.keys, players=who == "all", state=state, parts=parts)
    return _case(base, written(new), new, f"{number}: {' and '.join(about)}, signed by {who}, {state=}, {parts=}")


def _within(document: Json, rng: random.Random) -> tuple[str | int, ...]:
    """Most changes are made in the newest entry: in an older one they hide all that follows."""
    try:
        newest = document["entries"][-1]["body"]
        chosen = isinstance(newest, dict) and bool(newest) and rng.random() < 0.6
        return ("entries", len(document["entries"]) - 1, "body") if chosen else ()
    except (LookupError, TypeError):
        return ()


def _case(base: Base, data: bytes, document: Json, about: str) -> Case:
    files = [written(file) for file in base.files]
    files[base.which] = data
    return Case(base.kind, tuple(files), _bags(document, base.keys.bags), f"case {about}")


def _bags(document: Json, usual: wire.Bags) -> wire.Bags:
    """What the rules put into the containers of the game that a document is of."""
    try:
        table = Table(msgspec.json.decode(written(document["genesis"]), type=Envelope))
        return {name: list(faces) for name, faces in table.bags.items()}
    except Exception:
        return usual


# --- judging ---------------------------------------------------------------------------------------------------------


RULES = {"rule-broken", "bad-ops", "illegal-move", "bad-pick", "bad-shown", "bad-die", "bad-opening", "bad-shuffle"}
RULES |= {"withheld", "minted", "bad-bags", "bad-seats", "bad-edition", "bad-bag", "refused-though-legal"}
RULES |= {"undecided", "unknown-game", "other-rules"}
"""What the rules tell, alone or before anything else does."""


def difference(ours: Said, second: Said, script: Said) -> str:
    """Where three judges differ more than the text lets them; empty if they do not."""
    if second[:2] != script[:2] or second.key != script.key:
        return "without rules"
    if ours[:2] == second[:2]:
        return "" if ours.key == second.key else "another key"
    earlier = second.kind == "ok" or ours.round <= second.round
    if ours.code in RULES and ours.kind in ("offence", "undecided") and earlier:
        return ""
    if second.code == "needs-rules" and (ours.code in RULES or ours[:2] == ("altered", "no-offence")):
        return ""
    return "with rules"


Script = Any


@contextmanager
def script_judge() -> Iterator[Script]:
    """The JavaScript verifier, in one process for all cases."""
    with asking_lines("judging.mjs") as ask:

        def judge(case: Case) -> Said:
            given = {"files": [base64.b64encode(data).decode() for data in case.files], "bags": case.bags}
            said = ask(given)
            kinds = {"host": "offence", "nobody": "altered", "": "ok"}
            kind = {"proved": "offence"}.get(said["verdict"], said["verdict"]) or kinds[said["blames"]]
            if said["code"] in judges.UNDECIDED:
                kind = "undecided"
            return Said(kind, said["code"], said["round"] or 0, said["key"])

        yield judge


def run(count: int, seed: str, names: Sequence[str] = GAMES, start: int = 0) -> Iterator[tuple[str, str]]:
    """Of each case, what files it has and what the program calls them; and how the judges differ, if they do."""
    with script_judge() as script:
        for number in range(start, start + count):
            case = case_of(number, seed, names)
            ours = judges.program_report(case.kind, case.files)
            said = ours, judges.second_report(case.kind, case.files, case.bags), script(case)
            why = difference(*said)
            told = " | ".join(f"{one.kind} {one.code} {one.round}" for one in said)
            yield f"{case.kind} {ours.kind}", f"{case.kind} {case.about}: {why}: {told}" if why else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--start", type=int, default=0, help="The number of the first case.")
    given = parser.parse_args()
    figures: Counter[str] = Counter()
    wrong = 0
    for said, differ in run(given.cases, given.seed, start=given.start):
        figures[said] += 1
        wrong += bool(differ)
        if differ:
            sys.stdout.write(f"{differ}\n")
        if figures.total() % 100 == 0:
            sys.stdout.write(f"{figures.total()} cases, {wrong} differences\n")
        sys.stdout.flush()
    sys.stdout.write(", ".join(f"{name} {count}" for name, count in sorted(figures.items())) + "\n")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
