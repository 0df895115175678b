"""Nobody honest is framed: honest games cut short and shuffled, and true evidence with parts changed and exchanged.

    python -m tests.campaign.framing --games 10000 --mutations 100000 --seed 1

A game is played for some rounds with everything that the post can do to it (see `honest`). Then somebody who wants to
frame its host takes any part of all files that there are: views of any time and seat, whole or cut short, moves,
receipts, what players sealed, the transcript, files of another game of the same host and players, and files that were
changed on the way; a dispute over them, by the host's own program or by one of another wording, proves nothing.

A mutation takes a file that could be a proof - all that an honest game has of a round, a refusal, a pair of receipts,
a transcript; or the true proof of a cheating host's offence - changes or exchanges something in it, and judges it:
nothing is ever proved against an honest key.
"""

import argparse
import itertools
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from functools import cache, lru_cache
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope
from referee.engine import host
from referee.engine import records as r
from referee.engine.seats import rests
from referee.engine.table import Table
from referee.errors import RefereeError
from referee.evidence import proofs as p
from referee.evidence.case import try_all
from referee.evidence.court import judge_proof, read_proof
from referee.evidence.pool import Pool
from tests.campaign.honest import GAMES, STORM, Habits, Post, other_wording, play_round, seat_down
from tests.engine.variants import _text
from tests.evidence.caught import shown_by
from tests.evidence.honest import refusal_proof, round_proof
from tests.evidence.ways import WAYS
from tests.support.crowd import Crowd
from tests.support.match import Sitting

LONGEST = 24
"""Most rounds of one game: what comes later is of the same kind."""


# --- games -----------------------------------------------------------------------------------------------------------


def played(sitting: Sitting, rng: random.Random, rounds: int, habits: Habits) -> Post:
    """Some rounds of an honest game: all that was sent in it."""
    post = Post(crowd=Crowd(rng))
    while not sitting.over and sitting.round < rounds:
        sitting.wait(1)
        play_round(sitting, rng, habits, post)
        for seat in range(sitting.table.seats):
            if rng.random() < 0.3:
                post.views.append((seat, sitting.view(seat)))
    post.views += [(seat, sitting.view(seat)) for seat in range(sitting.table.seats)]
    return post


def cut(data: bytes, rng: random.Random) -> bytes:
    """A view without its last entries, or without some of its private parts."""
    view = decode(data, r.View, "view")
    size = rng.randint(0, len(view.entries))
    parts = [one for one in view.privates if rng.random() < 0.8]
    return encode(replace(view, entries=view.entries[:size], privates=tuple(parts)))


def all_files(sitting: Sitting, post: Post, rng: random.Random) -> list[bytes]:
    files = [data for _, data in post.views] + post.moves + [encode(one) for one in post.receipts]
    files += [cut(data, rng) for _, data in rng.sample(post.views, min(3, len(post.views)))]
    files += [encode(sitting.offer), *map(encode, sitting.joins), *map(encode, post.crowd.sent)]
    if sitting.over or rests(sitting.state):
        files.append(host.reveal(sitting.match))
    return files


def run_game(number: int, seed: str) -> Counter[str]:
    """One game, and the attempt to frame its host; raises if that succeeds."""
    game_id = GAMES[number % len(GAMES)]
    rng = random.Random(f"framing {game_id} {seed} {number}")
    sitting = seat_down(game_id, f"{seed} {number}", rng)
    post = played(sitting, rng, rng.randint(1, LONGEST), rng.choice([Habits(view=0.2), STORM]))
    files = all_files(sitting, post, rng)
    if rng.random() < 0.3:
        other = Sitting(game_id, sitting.table.seats, f"{seed} {number}", deadline=60)
        files += all_files(other, played(other, rng, rng.randint(0, 3), Habits(late=0)), rng)
    files = rng.sample(files, rng.randint(1, len(files))) if rng.random() < 0.5 else files
    files += [changed(rng.choice(files), rng.choice(files), rng) for _ in range(3)]
    rng.shuffle(files)
    pool = Pool()
    for at, data in enumerate(files):
        pool.add(str(at), data)
    for case in pool.cases.values():
        if rng.random() < 0.5 and case.table.id == sitting.table.id:
            kept = {(at, seat): one for seat, own in sitting.own.items() for at, one in own.items()}
            case.sealed.update(kept)
            case.ephemerals.update((place, own.ephemeral) for place, own in kept.items())
    with other_wording(game_id) if rng.random() < 0.2 else nullcontext():
        trials, others = try_all(pool)
    shown = [*others, *(one for trial in trials for one in trial.shown)]
    assert not [one.verdict for one in shown if one.verdict.verdict == p.PROVED], [one.verdict for one in shown]
    figures = Counter(games=1, rounds=sitting.round, files=len(files))
    figures.update(f"said {one.verdict.verdict}" for one in shown)
    return figures


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
    """Files in the form of proofs, all parts of them true, about honest hosts: three games of one host."""
    rng = random.Random(f"innocent {game_id} {seed}")
    found: list[p.AnyProof] = []
    for deadline, takeovers in ((0, 0), (60, 0), (0, 9)):
        sitting = Sitting(game_id, 3, f"innocent {seed}", deadline=deadline, takeovers=takeovers)
        moves, receipts, crowd = [], [], Crowd(rng)
        for _ in range(12 if takeovers else 9):
            if sitting.over:
                break
            crowd.come(sitting, 0.9)
            before = sitting.round
            for seat in sitting.asked:
                if sitting.round and len(sitting.asked) > 1 and rng.random() < 0.15:
                    continue
                first = sitting.signed(seat)
                first = crowd.handing(sitting, seat, first) if rng.random() < 0.2 else first
                for move in (first, sitting.signed(seat, "again")):
                    judged = sitting.give(move)
                    if judged.receipt is not None:
                        moves.append(decode(move, r.MoveFile, "move"))
                        receipts.append(judged.receipt)
            for seat in set(sitting.asked) - set(sitting.match.waiting):
                if sitting.match.waiting or not sitting.round:
                    sitting.wait(60)
                    sitting.give(sitting.signed(seat)) if not sitting.round else sitting.miss(seat)
            if sitting.round > before:
                crowd.sit_down(sitting)
        views = [sitting.opened(seat) for seat in range(3)]
        genesis = sitting.table.envelope
        found += [round_proof(view, number) for view in views for number in range(1, view.round + 1)]
        for move, receipt in zip(moves, receipts, strict=True):
            seat = decode(bytes(move.body), r.Move, "move").seat
            found.append(refusal_proof(views[seat], Envelope(move.body, move.sig, move.type), receipt))
            number = decode(bytes(receipt.body), r.Receipt, "receipt").round
            if number <= views[0].round:
                found.append(p.Receipts(p.PROOF_FILE, genesis, (receipt,), views[0].view.entries[number - 1]))
        found += [p.Receipts(p.PROOF_FILE, genesis, (a, b)) for a, b in itertools.pairwise(receipts)]
        entries = views[0].view.entries
        found += [p.TwoEntries(p.PROOF_FILE, genesis, (a, b)) for a, b in itertools.pairwise(entries)]
        found.append(p.BadGenesis(p.PROOF_FILE, genesis))
        whole = sitting.fork()
        whole.match.revealed = True
        secrets = host.sealed_answers(whole.match, whole.round)
        found.append(p.Revealed(p.PROOF_FILE, genesis, entries, whole.match.secret.hex(), secrets))
    return tuple(encode(one) for one in found)


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


def run_mutations(count: int, seed: str, names: Sequence[str] = GAMES[1:]) -> Counter[str]:
    """So many changes of files in the form of proofs; raises if one proves something against an honest key."""
    rng = random.Random(f"mutations {seed}")
    figures: Counter[str] = Counter()
    for number in range(count):
        game_id = names[number % len(names)]
        honest = innocent(game_id, seed)
        bad = guilty(game_id)
        source = honest if number % 3 else bad
        data = rng.choice(source)
        other = rng.choice(honest if rng.random() < 0.7 else bad)
        figures["mutations"] += 1
        try:
            proof = read_proof(changed(data, other, rng))
        except RefereeError:
            figures["unreadable"] += 1
            continue
        found = judge_proof(proof)
        figures[found.verdict] += 1
        if found.verdict == p.PROVED:
            assert found.key in cheats(game_id), (game_id, seed, number, found)
    return figures


@cache
def cheats(game_id: str) -> frozenset[str]:
    """The keys of hosts who cheat."""
    return frozenset(Table(read_proof(data).genesis).offer.key for data in guilty(game_id))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--mutations", type=int, default=1000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop then, and tell how far it came")
    chosen = parser.parse_args()
    figures: Counter[str] = Counter()
    start = time.monotonic()
    for number in range(chosen.games):
        if time.monotonic() - start > chosen.seconds:
            break
        try:
            figures.update(run_game(number, chosen.seed))
        except BaseException:
            sys.stdout.write(f'failed: run_game({number}, "{chosen.seed}")\n')
            raise
        if number % 500 == 499:
            sys.stdout.write(f"{number + 1} games, {time.monotonic() - start:.0f} seconds\n")
            sys.stdout.flush()
    for part in range(-(-chosen.mutations // 1000)):
        if time.monotonic() - start > chosen.seconds:
            break
        figures.update(run_mutations(min(1000, chosen.mutations - part * 1000), f"{chosen.seed} {part}"))
        if part % 10 == 9:
            sys.stdout.write(f"{(part + 1) * 1000} mutations, {time.monotonic() - start:.0f} seconds\n")
            sys.stdout.flush()
    for name, value in sorted(figures.items()):
        sys.stdout.write(f"{name:24}{value:12,}\n")
    sys.stdout.write(f"{'seconds':24}{time.monotonic() - start:12.0f}\nnobody honest is framed\n")


if __name__ == "__main__":
    main()
