"""An honest host is never accused: random games with everything that the post can do to them.

    python -m tests.campaign.honest --games 2000 --seed 1

Answers come late, twice, in any order or never; players sign twice, resign, come back, send old mails again, lose the
sealed part on the way; they hand over their seats, which others take over, or come back to them; they say standing
words and take them back; views are made again; the program's wording changes between two rounds. In every round every
seat's own replay must lead to the host's state and position, and no check of any file may find a fault.
"""

import argparse
import random
import sys
import time
from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any, Literal, get_args, get_origin, get_type_hints

from msgspec.structs import fields, replace

from referee import games
from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope, signed_bytes
from referee.engine import host
from referee.engine import records as r
from referee.engine.player import Opened, open_view
from referee.engine.rounds import Moment, asked
from referee.engine.seats import rests
from referee.errors import Usage
from referee.evidence.compare import compare, refusals
from referee.evidence.replay import open_transcript
from referee.forms import Choice
from referee.io.gamefile import open_match
from tests.independent import ed25519
from tests.support.crowd import Crowd
from tests.support.match import Sitting, other_program

GAMES = ("auction", "mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg")


TAKEOVERS: tuple[dict[str, int], ...] = (
    {"takeovers": 1},
    {"takeovers": 100},
    {"takeovers": 9, "deadline": 60, "grace": 10},
    {"takeovers": 9, "deadline": 60, "takeover": 600},
)
"""Half of all games let seats be taken over, on one of these terms; in all of them players who were out come back."""


@dataclass
class Habits:
    """How often things happen to one answer, as a probability."""

    late: float = 0.03
    resign: float = 0.002
    twice: float = 0.1
    two_answers: float = 0.05
    stripped: float = 0.05
    old_mail: float = 0.1
    signed_again: float = 0.005
    view: float = 0.03
    words: float = 0.3
    """How often a seat thinks about standing words; mostly it says none."""
    handover: float = 0.02
    arrive: float = 0.3
    """How often somebody comes to a vacant seat."""


STORM = Habits(
    late=0.3,
    resign=0.02,
    twice=0.4,
    two_answers=0.4,
    stripped=0.4,
    old_mail=0.4,
    signed_again=0.02,
    view=0.1,
    words=0.9,
    handover=0.1,
    arrive=0.6,
)
"""Everything goes wrong: one game in five."""


@dataclass
class Post:
    """All that was sent in one game."""

    moves: list[bytes] = field(default_factory=list)
    receipts: list[Envelope] = field(default_factory=list)
    views: list[tuple[int, bytes]] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)
    figures: Counter[str] = field(default_factory=Counter)
    crowd: Crowd = field(default_factory=lambda: Crowd(random.Random(0)))


def choose_options(game: Any, rng: random.Random) -> Any:
    """Any options whose values can be told from their types."""
    hints, chosen = get_type_hints(game.options), {}
    for one in fields(game.options):
        kind = hints[one.name]
        values = (False, True) if kind is bool else get_args(kind) if get_origin(kind) is Literal else ()
        if values:
            chosen[one.name] = rng.choice(values)
    return replace(game.options(), **chosen)


def seat_down(game_id: str, seed: str, rng: random.Random) -> Sitting:
    game = games.load(game_id)
    most = game.seats[1] if rng.random() < 0.1 else min(game.seats[1], 5)
    seats = rng.randint(game.seats[0], most)
    how = rng.choice(TAKEOVERS) if rng.random() < 0.5 else {}
    try:
        return Sitting(game_id, seats, seed, choose_options(game, rng), **how)
    except Usage:
        return Sitting(game_id, seats, seed, **how)


def other_wording(game_id: str) -> Any:
    """A program whose pictures, sentences and lists of moves are others, and whose rules modules have another hash."""
    game = games.load(game_id)
    return other_program(
        game_id,
        legal=lambda terms, seen: [Choice(f"{one.text} ", one.move) for one in reversed(game.legal(terms, seen))],
        tell=lambda terms, note: note.what,
        draw=lambda terms, seen, names, paint, width: "",
    )


def signed_again(sitting: Sitting, seat: int, data: bytes) -> bytes:
    """The same move with another good signature."""
    file = decode(data, r.MoveFile, "move")
    message, seed = signed_bytes("move", bytes(file.body)), sitting.players[seat].seed
    scalar, prefix = ed25519._expand(seed)
    number = ed25519._hash(prefix, b"once more", message) % ed25519.L
    point = ed25519._encode(ed25519._times(number, ed25519._base()))
    k = ed25519._hash(point, sitting.players[seat].public, message) % ed25519.L
    return encode(replace(file, sig=(point + ((number + k * scalar) % ed25519.L).to_bytes(32, "little")).hex()))


def mails_of(sitting: Sitting, seat: int, rng: random.Random, habits: Habits, post: Post) -> list[bytes]:
    """What a seat sends in a round, in order."""
    count = post.figures
    if sitting.round and rng.random() < habits.resign:
        count["resigned"] += 1
        leaves = sitting.signed(seat, resign=True)
        return [post.crowd.handing(sitting, seat, leaves) if rng.random() < 0.5 else leaves]
    words = sitting.some_words(seat, rng) if rng.random() < habits.words else None
    count["words said"] += words is not None
    salt = str(rng.random())
    mails = [sitting.signed(seat, salt) if words is None else sitting.saying(seat, words, salt)]
    if rng.random() < habits.handover:
        mails[0] = post.crowd.handing(sitting, seat, mails[0])
    if rng.random() < habits.two_answers:
        count["two answers"] += 1
        mails.append(sitting.signed(seat, str(rng.random())))
    if rng.random() < habits.stripped:
        file = decode(mails[0], r.MoveFile, "move")
        if file.sealed:
            count["sealed part lost"] += 1
            mails.insert(0, encode(replace(file, sealed="")))
    if rng.random() < habits.signed_again:
        count["signed again"] += 1
        mails.append(signed_again(sitting, seat, mails[0]))
    if rng.random() < habits.twice:
        count["sent twice"] += 1
        mails.append(mails[-1])
    return mails


def play_round(sitting: Sitting, rng: random.Random, habits: Habits, post: Post) -> None:
    """Everybody who is asked answers, or does not."""
    number, seats = sitting.round, sitting.asked
    post.crowd.come(sitting, habits.arrive)
    late = [seat for seat in seats if number and rng.random() < habits.late]
    if rests(sitting.state):
        late = rng.sample(seats, len(seats) - 1)
    mails = [(seat, mail) for seat in seats for mail in mails_of(sitting, seat, rng, habits, post)]
    post.moves += [mail for _, mail in mails]
    inbox = [mail for seat, mail in mails if seat not in late]
    if post.moves and rng.random() < habits.old_mail:
        post.figures["old mail"] += 1
        inbox.append(rng.choice(post.moves))
    rng.shuffle(inbox)
    for mail in inbox:
        judged = host.take_move(sitting.match, mail)
        if judged.receipt is not None:
            post.receipts.append(judged.receipt)
        post.figures[f"said {judged.code}"] += 1
    if late and sitting.round == number:
        sitting.wait(sitting.table.offer.deadline + sitting.table.offer.grace)
    for seat in late:
        if sitting.round == number and seat in asked(sitting.state) and seat not in sitting.match.waiting:
            post.figures["late"] += 1
            sitting.miss(seat)
    if sitting.round == number:
        for seat in set(sitting.asked) - {*sitting.match.waiting, *sitting.match.late}:
            judged = host.take_move(sitting.match, sitting.signed(seat))
            assert judged.error is None, judged.error
    post.crowd.sit_down(sitting)
    if rng.random() < 0.1:
        with other_wording(sitting.game_id) if rng.random() < 0.5 else nullcontext():
            due, sitting.match = sitting.match.due, open_match(sitting.file(), sitting.host)
            sitting.match.due = due


def play(game_id: str, seed: str, habits: Habits | None = None) -> Counter[str]:
    """One game. Raises AssertionError, or the finding, if anything accuses its host."""
    rng = random.Random(f"{game_id} {seed}")
    habits = habits or rng.choice([Habits(), Habits(), Habits(), Habits(), STORM])
    sitting, post = seat_down(game_id, seed, rng), Post(crowd=Crowd(rng))
    while not sitting.over:
        if rests(sitting.state) and rng.random() < 0.3:
            break
        before = sitting.round
        play_round(sitting, rng, habits, post)
        assert sitting.round == before + 1, "the round did not close"
        post.moments.append(sitting.match.moment)
        for seat in range(sitting.table.seats):
            if rng.random() < habits.view:
                post.views.append((seat, sitting.view(seat)))
    post.figures += post.crowd.figures
    post.figures.update(games=1, rounds=sitting.round, **{f"end {sitting.state.end or 'rest'}": 1})
    check(sitting, post, rng)
    return post.figures


def check(sitting: Sitting, post: Post, rng: random.Random) -> None:
    """All files of the game, alone and side by side."""
    opened: list[Opened] = []
    for seat, data in post.views:
        own = sitting.own.get(seat) if rng.random() < 0.5 else None
        opened.append(open_view(data, own, rng.choice([one for one in opened if one.seat == seat] or [None])))
    for seat in range(sitting.table.seats):
        final = sitting.opened(seat)
        assert [one.moment for one in final.chain.rounds] == post.moments, f"seat {seat + 1} replays another game"
        assert sitting.view(seat) == sitting.fork().view(seat)
        opened.append(final)
    data = host.reveal(sitting.match)
    transcript = open_transcript(data)
    assert [one.moment for one in transcript.rounds] == post.moments, "the transcript replays another game"
    with other_wording(sitting.game_id):
        assert open_view(sitting.view(0)).chain.moment == sitting.match.moment
        assert open_transcript(data).moment == sitting.match.moment
    again = [host.take_move(sitting.match, mail) for mail in rng.sample(post.moves, min(20, len(post.moves)))]
    post.receipts += [judged.receipt for judged in again if judged.receipt is not None]
    moves = [decode(one, r.MoveFile, "move") for one in post.moves]
    files = [*opened, transcript, *post.receipts, *moves]
    rng.shuffle(files)
    found, ignored = compare(files)
    assert not found, [(one.code, one.message) for one in found]
    assert not ignored, ignored
    for view in opened[-sitting.table.seats :]:
        keys = {number: own.ephemeral for number, own in sitting.own.get(view.seat, {}).items()}
        refused = refusals(view, [*moves, *post.receipts], keys)
        assert not refused, [(one.code, one.message) for one in refused]
    post.figures.update(views=len(opened), receipts=len(post.receipts), moves=len(moves))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--game", choices=GAMES, action="append")
    chosen = parser.parse_args()
    figures: Counter[str] = Counter()
    start = time.monotonic()
    for number in range(chosen.games):
        names = chosen.game or GAMES
        game_id, seed = names[number % len(names)], f"{chosen.seed} {number}"
        try:
            figures.update(play(game_id, seed))
        except BaseException:
            sys.stdout.write(f'failed: play("{game_id}", "{seed}")\n')
            raise
    for name, value in sorted(figures.items()):
        sys.stdout.write(f"{name:24}{value:10,}\n")
    sys.stdout.write(f"{'seconds':24}{time.monotonic() - start:10.0f}\nno file accuses its host\n")


if __name__ == "__main__":
    main()
