"""An honest host is never accused: random games with everything that the post can do to them.

    python -m tests.campaign.honest --games 2000 --seed 1

Answers come late, twice, in any order or never; players sign twice, resign, come back, send old mails again, lose the
sealed part on the way; they hand over their seats, which others take over, or come back to them; they say standing
orders and take them back; they use up their time banks, are given more time, and protest when they were timed out, with
good reason or without; the host passes somebody over too early, goes back to an old game file, or gives the game up;
views are made again; the program's wording changes between two rounds. In every round every seat's own replay must lead
to the host's state and position, and no check of any file, and no dispute over all of them, may find a fault.
"""

import argparse
import random
from collections import Counter
from datetime import timedelta

from referee.crypto.codec import decode, encode
from referee.engine import host
from referee.engine import records as r
from referee.engine.player import Opened, open_view
from referee.engine.promises import extension_in
from referee.engine.seats import rests
from referee.evidence.case import try_all
from referee.evidence.compare import compare, refusals
from referee.evidence.lateness import Lateness, lateness
from referee.evidence.pool import Case, Pool
from referee.evidence.proofs import UNDECIDED
from referee.evidence.replay import open_transcript
from referee.evidence.rulings import make_claim
from referee.io.times import after, read_time
from tests.campaign.posting import STORM, Habits, Post, id_of, other_wording, owing, play_round, seat_down, take
from tests.campaign.running import conclude, gather
from tests.support.crowd import Crowd
from tests.support.match import Sitting, code_of, entries_of

GAMES = ("auction", "mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg")
WHOLE = 3
"""Views of earlier moments that are replayed from their first round on, in one game. All of them are compared with the
last ones, which are replayed too."""


def play(game_id: str, seed: str, habits: Habits | None = None) -> Counter[str]:
    """One game. Raises AssertionError, or the finding, if anything accuses its host."""
    rng = random.Random(f"{game_id} {seed}")
    habits = habits or rng.choice([Habits(), Habits(), Habits(), Habits(), STORM])
    sitting, post = seat_down(game_id, seed, rng), Post(Crowd(rng))
    transcript = b""
    while not sitting.over:
        if rests(sitting.state) and rng.random() < 0.3:
            break
        if rng.random() < habits.abandon:
            transcript = abandon(sitting, rng, post)
            break
        play_round(sitting, rng, habits, post)
        post.checkpoints.append(sitting.match.checkpoint)
        for seat in (*range(sitting.table.seats), None):
            if rng.random() < habits.view:
                post.views.append((seat, sitting.view(seat)))
    end = "abandoned" if transcript else sitting.state.end or "rest"
    post.figures.update({f"end {end}": 1}, **told(sitting))
    post.figures += post.crowd.figures
    check(sitting, post, rng, transcript or host.reveal(sitting.match))
    return post.figures


def told(sitting: Sitting) -> dict[str, int]:
    """Which game it was, and on what terms."""
    offer = sitting.table.offer
    names = ("deadline", "grace", "bank", "takeovers", "takeover", "chance")
    terms = {f"with {name}": bool(getattr(offer, name)) for name in names} | {"with kept": bool(sitting.keeps)}
    return {"games": 1, f"game {offer.game}": 1, "rounds": sitting.round, **terms}


def abandon(sitting: Sitting, rng: random.Random, post: Post) -> bytes:
    """The host gives the game up; some have answered in the open round. From then on it signs nothing more."""
    seats = owing(sitting)
    for seat in rng.sample(seats, rng.randrange(len(seats))):
        post.moves.append(sitting.signed(seat))
        take(sitting, post.moves[-1], post)
    transcript = host.reveal(sitting.match, abandon=True)
    seat = owing(sitting)[0]
    post.moves.append(sitting.signed(seat))
    assert take(sitting, post.moves[-1], post) == "revealed"
    if sitting.state.due:
        assert code_of(lambda: host.time_out(sitting.match, seat)) == "revealed"
        assert code_of(lambda: host.extend(sitting.match, seat, sitting.state.due)) == "revealed"
    return transcript


# --- nobody is accused -----------------------------------------------------------------------------------------------


def check(sitting: Sitting, post: Post, rng: random.Random, data: bytes) -> None:
    """All files of the game, alone, side by side and in a dispute; `data` is the transcript."""
    opened = check_views(sitting, post, rng)
    transcript = open_transcript(data)
    assert transcript.abandoned == bool(post.figures["end abandoned"])
    assert [one.checkpoint for one in transcript.rounds] == post.checkpoints, "the transcript replays another game"
    with other_wording(sitting.game_id):
        again = open_transcript(data) if rng.random() < 0.5 else open_view(sitting.view(0)).chain
        assert again.checkpoint == sitting.match.checkpoint
    for mail in rng.sample(post.moves, min(20, len(post.moves))):
        take(sitting, mail, post)
    moves = [decode(one, r.MoveFile, "move") for one in post.moves]
    files = [*opened, transcript, *post.receipts, *post.extensions, *moves]
    rng.shuffle(files)
    found, ignored = compare(files)
    assert not found, [(one.code, str(one)) for one in found]
    assert not ignored, ignored
    for view in opened[-sitting.table.seats :]:
        keys = {number: own.ephemeral for number, own in sitting.own.get(view.seat, {}).items()}
        refused = refusals(view, [*moves, *post.receipts], keys)
        assert not refused, [(one.code, str(one)) for one in refused]
    check_promises(sitting, post)
    check_protests(sitting, post, lateness(transcript, moves), post.moves)
    dispute(sitting, post, rng, data)
    post.figures.update(views=len(post.views) + len(opened), receipts=len(post.receipts), moves=len(moves))


def check_views(sitting: Sitting, post: Post, rng: random.Random) -> list[Opened]:
    """Every view of every time is the beginning of the last one of its seat; that one, and some others, are replayed.
    Those of the seats are the last of what comes back."""
    opened, last = list[Opened](), dict[int | None, r.View]()
    for seat in (None, *range(sitting.table.seats)):
        final = (
            open_view(sitting.view(seat), sitting.own.get(seat)) if seat is not None else open_view(sitting.view(None))
        )
        assert [one.checkpoint for one in final.chain.rounds] == post.checkpoints, f"seat {seat} replays another game"
        assert sitting.view(seat) == sitting.fork().view(seat)
        opened.append(final)
        last[seat] = final.view
    whole = set(rng.sample(range(len(post.views)), min(WHOLE, len(post.views))))
    older = list[Opened]()
    for at, (seat, data) in enumerate(post.views):
        view, final = decode(data, r.View, "view"), last[seat]
        size, parts = len(view.entries), len(view.privates)
        assert (view.entries, view.privates) == (final.entries[:size], final.privates[:parts])
        if at in whole:
            own = sitting.own.get(seat) if seat is not None and rng.random() < 0.5 else None
            older.append(open_view(data, own, rng.choice([one for one in older if one.view.seat == seat] or [None])))
    post.figures["public views"] += 1 + sum(seat is None for seat, _ in post.views)
    return [*older, *opened]


def check_promises(sitting: Sitting, post: Post) -> None:
    """Nobody was timed out before the time was over that the host had promised: calculated again, independently."""
    offer = sitting.table.offer
    entries = {entry.round: entry for entry in entries_of(decode(sitting.view(None), r.View, "view"))}
    for one in map(extension_in, post.extensions):
        entry = entries.get(one.round)
        if entry is not None and one.seat in entry.timeouts:
            post.figures["extended, then late"] += 1
            over = read_time(one.until) + timedelta(minutes=offer.grace)
            assert not entry.due or read_time(entry.due) - timedelta(minutes=offer.deadline) >= over


def check_protests(sitting: Sitting, post: Post, found: Lateness, presented: list[bytes]) -> None:
    """A protest is shown exactly if the move that it names is there, and was signed for the round in which its seat was
    last timed out."""
    there, last, expected = {id_of(one) for one in presented}, dict[int, int](), []
    for entry in entries_of(decode(sitting.view(None), r.View, "view")):
        for answer in entry.answers:
            if answer.protest:
                one = post.missed.get(answer.protest)
                fits = one is not None and (one.seat, one.round) == (answer.seat, last[answer.seat])
                expected.append((answer.seat + 1, entry.round, last[answer.seat], fits and answer.protest in there))
        last.update(dict.fromkeys(entry.timeouts, entry.round))
    assert [(one.seat, one.round, one.late, one.shown) for one in found.protests] == expected
    assert sum(len(one.rounds) for one in found.late) == post.figures["late"]


def dispute(sitting: Sitting, post: Post, rng: random.Random, transcript: bytes) -> None:
    """All files at once, with what some players have kept, and claims of some who were timed out."""
    claims = claims_of(sitting, post, rng)
    signed = [*post.receipts, *post.extensions, sitting.offer, *sitting.joins]
    files = [*(data for _, data in post.views), *post.moves, *map(encode, signed), *claims, transcript]
    files += [sitting.view(seat) for seat in (None, *range(sitting.table.seats))]
    rng.shuffle(files)
    pool = Pool()
    for at, data in enumerate(files):
        pool.add(str(at), data)
    (case,) = pool.cases.values()
    keep(case, sitting)
    ((trial,), others) = try_all(pool)
    found = [one.verdict for one in (*others, *trial.shown) if one.verdict.verdict != UNDECIDED]
    assert not found, found
    assert (len(case.claims), len(case.extensions)) == (len(claims), len({bytes(one.body) for one in post.extensions}))
    claimed = [encode(found.claim.move) for found in case.claims.values()]
    check_protests(sitting, post, trial.lateness, [*post.moves, *claimed])
    for one in trial.lateness.protests:
        post.figures["protests shown" if one.shown else "protests stated"] += 1
    post.figures["files in dispute"] += len(files)


def claims_of(sitting: Sitting, post: Post, rng: random.Random) -> list[bytes]:
    """What some say who were timed out: that they had sent an answer, in time or not."""
    made = []
    for one in rng.sample(list(post.missed.values()), min(2, len(post.missed))):
        view = decode(sitting.view(one.seat), r.View, "view")
        sent = after(sitting.now, -rng.randint(0, 10_000))
        made.append(make_claim(one.key, view, decode(one.file, r.MoveFile, "move"), sent))
    post.figures["claims"] += len(made)
    return made


def keep(case: Case, sitting: Sitting) -> None:
    """What the players' own tools have kept of sealed answers is known in a dispute."""
    kept = {(number, seat): one for seat, own in sitting.own.items() for number, one in own.items()}
    case.sealed.update(kept)
    case.ephemerals.update((place, own.ephemeral) for place, own in kept.items())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--game", choices=GAMES, action="append")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    chosen = parser.parse_args()
    names = chosen.game or GAMES
    tasks = [(names[number % len(names)], f"{chosen.seed} {number}") for number in range(chosen.games)]
    conclude(gather(play, tasks, chosen.jobs), "no file accuses its host")


if __name__ == "__main__":
    main()
