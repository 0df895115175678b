"""Nobody honest is framed: honest games cut short and shuffled, and true evidence with parts changed and exchanged.

    python -m tests.campaign.framing --games 10000 --mutations 100000 --seed 1

A game is played for some rounds with everything that the post can do to it (see `honest`). Then somebody who wants to
frame its host takes any part of all files that there are: views of any time and seat and public ones, whole or cut
short, moves, receipts, extensions, claims, what players sealed, the transcript, also of a game that was abandoned,
files of another game of the same host and players, and files that were changed on the way; a dispute over them, by the
host's own program or by one of another wording, proves nothing.

A mutation takes a file that could be a proof - all that an honest game has of a round, a refusal, a pair of receipts,
an extension that was kept, a transcript; or the true proof of a cheating host's offence - changes or exchanges
something in it, and judges it: nothing is ever proved against an honest key.
"""

import argparse
import dataclasses
import itertools
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from functools import cache, lru_cache
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope
from referee.engine import host
from referee.engine import records as r
from referee.engine.promises import extension_in
from referee.engine.seats import rests
from referee.engine.table import Table
from referee.errors import RefereeError
from referee.evidence import proofs as p
from referee.evidence.case import try_all
from referee.evidence.court import judge_proof, read_proof
from referee.evidence.pool import Pool
from tests.campaign.honest import GAMES, abandon, claims_of, keep, told
from tests.campaign.posting import STORM, Habits, Post, id_of, other_wording, play_round, seat_down
from tests.campaign.running import conclude, gather
from tests.engine.variants import _text
from tests.evidence.caught import shown_by
from tests.evidence.honest import refusal_proof, round_proof
from tests.evidence.ways import WAYS
from tests.support.crowd import Crowd
from tests.support.match import Sitting

LONGEST = 24
"""The most rounds of one game: what comes later is of the same kind."""
PART = 1000
"""Mutations of files of the same games."""


# --- games -----------------------------------------------------------------------------------------------------------


def played(sitting: Sitting, rng: random.Random, rounds: int, habits: Habits) -> Post:
    """Some rounds of an honest game: all that was sent in it."""
    post = Post(Crowd(rng))
    seats = None, *range(sitting.table.seats)
    while not sitting.over and sitting.round < rounds:
        play_round(sitting, rng, habits, post)
        post.views += [(seat, sitting.view(seat)) for seat in seats if rng.random() < 0.3]
    post.views += [(seat, sitting.view(seat)) for seat in seats]
    post.figures["public views"] += sum(seat is None for seat, _ in post.views)
    return post


def cut(data: bytes, rng: random.Random) -> bytes:
    """A view without its last entries, or without some of its private parts."""
    view = decode(data, r.View, "view")
    size = rng.randint(0, len(view.entries))
    parts = [one for one in view.privates if rng.random() < 0.8]
    return encode(replace(view, entries=view.entries[:size], privates=tuple(parts)))


def all_files(sitting: Sitting, post: Post, rng: random.Random) -> list[bytes]:
    files = [data for _, data in post.views] + post.moves + [one.file for one in post.missed.values()]
    files += [encode(one) for one in (*post.receipts, *post.extensions)]
    files += [cut(data, rng) for _, data in rng.sample(post.views, min(3, len(post.views)))]
    files += [encode(sitting.offer), *map(encode, sitting.joins), *map(encode, post.crowd.sent)]
    files += claims_of(sitting, post, rng)
    if sitting.over or rests(sitting.state):
        files.append(host.reveal(sitting.match))
    elif rng.random() < 0.5:
        files.append(abandon(sitting, rng, post))
        post.figures["abandoned"] += 1
        files += [*post.moves[-2:], *map(encode, post.receipts[-2:])]
    return files


def run_game(number: int, seed: str) -> Counter[str]:
    """One game, and the attempt to frame its host; raises if that succeeds."""
    game_id = GAMES[number % len(GAMES)]
    rng = random.Random(f"framing {game_id} {seed} {number}")
    sitting = seat_down(game_id, f"{seed} {number}", rng)
    post = played(sitting, rng, rng.randint(1, LONGEST), rng.choice([Habits(), STORM]))
    files = all_files(sitting, post, rng)
    if rng.random() < 0.3:
        other = Sitting(game_id, sitting.table.seats, f"{seed} {number}", deadline=61)
        files += all_files(other, played(other, rng, rng.randint(0, 3), Habits(late=0)), rng)
    files = rng.sample(files, rng.randint(1, len(files))) if rng.random() < 0.5 else files
    files += [changed(rng.choice(files), rng.choice(files), rng) for _ in range(3)]
    rng.shuffle(files)
    pool = Pool()
    for at, data in enumerate(files):
        pool.add(str(at), data)
    for case in pool.cases.values():
        if rng.random() < 0.5 and case.table.id == sitting.table.id:
            keep(case, sitting)
    with other_wording(game_id) if rng.random() < 0.2 else nullcontext():
        trials, others = try_all(pool)
    shown = [*others, *(one for trial in trials for one in trial.shown)]
    assert not [one.verdict for one in shown if one.verdict.verdict == p.PROVED], [one.verdict for one in shown]
    post.figures += post.crowd.figures
    post.figures.update(files=len(files), **told(sitting))
    post.figures.update(f"dispute {one.verdict.verdict}" for one in shown)
    for protest in (one for trial in trials for one in trial.lateness.protests):
        post.figures["protests shown" if protest.shown else "protests stated"] += 1
    return post.figures


# --- mutations -------------------------------------------------------------------------------------------------------


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every path in a JSON value."""
    found = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        found += places(inner, (*path, key))
    return found


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def mutated(value: Any, other: Any, rng: random.Random) -> Any:
    """One change: something left out, doubled, altered, or taken from the same place of another document."""
    paths = places(value)
    if not paths:
        return value
    # Short paths as often as long ones: whole parts are exchanged, too.
    depth = rng.randint(1, max(map(len, paths)))
    path = rng.choice([one for one in paths if len(one) <= depth])
    holder, key = at(value, path[:-1]), path[-1]
    match rng.randrange(4):
        case 0:
            del holder[key]
        case 1:
            try:
                holder[key] = at(other, path)
            except (LookupError, TypeError):
                del holder[key]
        case 2 if isinstance(holder, list):
            holder.insert(rng.randint(0, len(holder)), holder[key])
        case _:
            old = holder[key]
            holder[key] = (
                _text(old) if isinstance(old, str) else old + rng.choice((-1, 1)) if type(old) is int else None
            )
            if holder[key] is None:
                del holder[key]
    return value


def changed(data: bytes, other: bytes, rng: random.Random, most: int = 2) -> bytes:
    """A file with one change or two."""
    value, strange = msgspec.json.decode(data), msgspec.json.decode(other)
    for _ in range(rng.randint(1, most)):
        value = mutated(value, strange, rng)
    return encode(value)


@lru_cache(maxsize=8)
def innocent(game_id: str, seed: str) -> tuple[bytes, ...]:
    """Files in the form of proofs, all parts of them true, about honest hosts: four games of one host."""
    rng = random.Random(f"innocent {game_id} {seed}")
    found: list[p.AnyProof] = []
    for terms in TERMS:
        sitting = Sitting(game_id, 3, f"innocent {seed}", **terms)
        found += true_parts(sitting, played(sitting, rng, 10, BUSY))
    return tuple(encode(one) for one in found)


TERMS: tuple[dict[str, int], ...] = (
    {"deadline": 0},
    {"deadline": 60, "grace": 10, "bank": 30},
    {"deadline": 60, "takeovers": 9},
    {"deadline": 1440, "grace": 60, "bank": 300, "takeovers": 9, "takeover": 600},
)
BUSY = dataclasses.replace(STORM, late=0.15, resign=0, extend=0.4, hasty=0)
"""Much happens, and nobody leaves."""


def true_parts(sitting: Sitting, post: Post) -> Iterator[p.AnyProof]:
    """What there is of a game, put together as proofs are."""
    genesis, views = sitting.table.envelope, [sitting.opened(seat) for seat in range(3)]
    entries = views[0].view.entries
    for view in views:
        yield from (round_proof(view, number) for number in range(1, view.round + 1))
    moves = {id_of(data): decode(data, r.MoveFile, "move") for data in post.moves}
    for envelope in post.receipts:
        receipt = decode(bytes(envelope.body), r.Receipt, "receipt")
        file = moves[receipt.move]
        yield refusal_proof(views[receipt.seat], Envelope(file.body, file.sig, file.type), envelope)
        if receipt.round <= len(entries):
            yield p.Receipts(p.PROOF_FILE, genesis, (envelope,), entries[receipt.round - 1])
    for pair in itertools.pairwise(post.receipts):
        yield p.Receipts(p.PROOF_FILE, genesis, pair)
    for envelope in post.extensions:
        yield p.Extended(p.PROOF_FILE, genesis, envelope, entries[extension_in(envelope).round - 1])
    for pair in itertools.pairwise(entries):
        yield p.TwoEntries(p.PROOF_FILE, genesis, pair)
    yield p.BadGenesis(p.PROOF_FILE, genesis)
    secrets = host.sealed_answers(sitting.match, sitting.round)
    yield p.Revealed(p.PROOF_FILE, genesis, entries, sitting.match.secret.hex(), secrets)


@cache
def guilty(game_id: str) -> tuple[bytes, ...]:
    """True proofs against cheating hosts."""
    found = []
    for way in WAYS:
        if way.codes and not way.run.__qualname__.startswith(("noticed", "dealer")):
            files = way.run(game_id)
            if isinstance(files, dict):
                found += [encode(one.proof) for one in shown_by(files) if one.proof is not None]
    return tuple(found)


def run_mutations(count: int, seed: str, names: Sequence[str] = GAMES) -> Counter[str]:
    """As many changes of files in the form of proofs; raises if one proves something against an honest key."""
    rng = random.Random(f"mutations {seed}")
    figures: Counter[str] = Counter()
    for number in range(count):
        game_id = names[number % len(names)]
        honest, bad = innocent(game_id, seed), guilty(game_id)
        data = rng.choice(any_kind(bad if rng.random() < 1 / 3 else honest, rng))
        other = rng.choice(any_kind(honest if rng.random() < 0.7 else bad, rng, like=data))
        figures["mutations"] += 1
        try:
            proof = read_proof(changed(data, other, rng))
        except RefereeError:
            figures["unreadable"] += 1
            continue
        found = judge_proof(proof)
        figures[found.verdict] += 1
        figures["of an extension"] += isinstance(proof, p.Extended)
        if found.verdict == p.PROVED:
            figures["proved of an extension"] += isinstance(proof, p.Extended)
            assert found.key in cheats(game_id), (game_id, seed, number, found)
    return figures


@lru_cache(maxsize=16)
def kinds_of(files: tuple[bytes, ...]) -> dict[str, list[bytes]]:
    """Proofs by what they show."""
    found: dict[str, list[bytes]] = {}
    for data in files:
        found.setdefault(msgspec.json.decode(data)["shows"], []).append(data)
    return found


def any_kind(files: tuple[bytes, ...], rng: random.Random, like: bytes = b"") -> list[bytes]:
    """Proofs of one kind, each as likely as any other; or of the same kind as one, half of the times."""
    found = kinds_of(files)
    same = msgspec.json.decode(like)["shows"] if like else ""
    return found[same if same in found and rng.random() < 0.5 else rng.choice(sorted(found))]


@cache
def cheats(game_id: str) -> frozenset[str]:
    """The keys of hosts who cheat."""
    return frozenset(Table(read_proof(data).genesis).offer.key for data in guilty(game_id))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--mutations", type=int, default=1000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop each part then")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    chosen = parser.parse_args()
    games = [(number, chosen.seed) for number in range(chosen.games)]
    figures = gather(run_game, games, chosen.jobs, chosen.seconds)
    parts = range(-(-chosen.mutations // PART))
    tasks = [(min(PART, chosen.mutations - part * PART), f"{chosen.seed} {part}") for part in parts]
    figures += gather(run_mutations, tasks, chosen.jobs, chosen.seconds, every=5)
    conclude(figures, "nobody honest is framed")


if __name__ == "__main__":
    main()
