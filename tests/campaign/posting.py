"""One round of an honest game, with everything that the post, the clock and the host's own files can do to it."""

import random
from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from msgspec.structs import fields, replace

from referee import games
from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope, ident, signed_bytes
from referee.crypto.keys import Key
from referee.engine import host
from referee.engine import records as r
from referee.engine.promises import latest
from referee.engine.rounds import Checkpoint, may_protest
from referee.engine.seats import rests
from referee.errors import Usage
from referee.forms import Choice
from referee.io import guard
from referee.io.desk import bank_of, due_at, protected_until
from referee.io.gamefile import open_match
from referee.io.times import DAY, later, read_time
from tests.independent import ed25519
from tests.support.crowd import Crowd
from tests.support.match import Sitting, chance, code_of, other_program, resigned

MONTH = 30 * DAY


@dataclass
class Habits:
    """How often things happen, as a probability: to one answer or, where stated, in one round."""

    late: float = 0.03
    lost: float = 0.3
    """How often an answer that did not come in time is never seen again, by anybody."""
    resign: float = 0.002
    twice: float = 0.1
    two_answers: float = 0.05
    stripped: float = 0.05
    old_mail: float = 0.1
    signed_again: float = 0.005
    view: float = 0.03
    words: float = 0.3
    """How often a seat considers standing orders; mostly it gives none."""
    handover: float = 0.02
    arrive: float = 0.3
    """How often somebody comes to a vacant seat."""
    slow: float = 0.05
    """How often an answer comes when its time, or all that there is in its bank, is over."""
    protest: float = 0.7
    """How often a player who was timed out protests."""
    extend: float = 0.05
    """How often the host gives somebody more time, before an answer comes."""
    hasty: float = 0.02
    """In one round: the host times somebody out whose time may not be over."""
    backup: float = 0.02
    """In one round: the host goes on with a game file from a backup."""
    abandon: float = 0.001
    """In one round: the host gives the game up."""


STORM = Habits(
    late=0.3,
    lost=0.4,
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
    slow=0.3,
    extend=0.3,
    hasty=0.2,
    backup=0.1,
    abandon=0.005,
)
"""Everything goes wrong: one game in five."""


class Missed(NamedTuple):
    """An answer that was signed for a round in which its seat was timed out."""

    seat: int
    round: int
    key: Key
    file: bytes


@dataclass
class Post:
    """All that was sent in one game."""

    crowd: Crowd
    moves: list[bytes] = field(default_factory=list)
    receipts: list[Envelope] = field(default_factory=list)
    extensions: list[Envelope] = field(default_factory=list)
    views: list[tuple[int | None, bytes]] = field(default_factory=list)
    checkpoints: list[Checkpoint] = field(default_factory=list)
    missed: dict[str, Missed] = field(default_factory=dict)
    """By the id of the move. Those that were lost are not among `moves`."""
    figures: Counter[str] = field(default_factory=Counter)


# --- before the game -------------------------------------------------------------------------------------------------


def choose_options(game: Any, rng: random.Random) -> Any:
    """Any options whose values can be told from their types."""
    hints, chosen = get_type_hints(game.options), {}
    for one in fields(game.options):
        kind = hints[one.name]
        values = (False, True) if kind is bool else get_args(kind) if get_origin(kind) is Literal else ()
        if values:
            chosen[one.name] = rng.choice(values)
    return replace(game.options(), **chosen)


def choose_terms(rng: random.Random) -> dict[str, int]:
    """Deadlines, grace and banks, and in half of all games seats that can be taken over."""
    terms = {"deadline": 0}
    if rng.random() < 0.9:
        terms = {"deadline": rng.choice((1, 60, DAY, MONTH)), "grace": rng.choice((0, 0, 10, 600))}
        terms["bank"] = rng.choice((0, 1, 30, 10 * DAY))
    if rng.random() < 0.5:
        terms |= {"takeovers": rng.choice((1, 9, 100)), "takeover": rng.choice((0, 0, 600))}
    return terms


def seat_down(game_id: str, seed: str, rng: random.Random) -> Sitting:
    game = games.load(game_id)
    most = game.seats[1] if rng.random() < 0.1 else min(game.seats[1], 5)
    seats = rng.randint(game.seats[0], most)
    how: dict[str, Any] = choose_terms(rng)
    if rng.random() < 0.1:
        how["kept"] = rng.sample(range(seats), rng.randint(1, seats))
    if rng.random() < 0.1:
        how["common"] = seed
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
        render=lambda terms, seen, names, paint, width: "",
    )


# --- what players send -----------------------------------------------------------------------------------------------


def signed_again(sitting: Sitting, seat: int, data: bytes) -> bytes:
    """The same move with another good signature."""
    file = decode(data, r.MoveFile, "move")
    message, seed = signed_bytes("move", bytes(file.body)), sitting.players[seat].seed
    scalar, prefix = ed25519._expand(seed)
    number = ed25519._hash(prefix, b"once more", message) % ed25519.L
    point = ed25519._encode(ed25519._times(number, ed25519._base()))
    k = ed25519._hash(point, sitting.players[seat].public, message) % ed25519.L
    return encode(replace(file, sig=(point + ((number + k * scalar) % ed25519.L).to_bytes(32, "little")).hex()))


def id_of(data: bytes) -> str:
    """The id of a move."""
    return ident("move", bytes(decode(data, r.MoveFile, "move").body))


def protesting(sitting: Sitting, seat: int, answer: bytes, rng: random.Random, post: Post) -> bytes:
    """The same answer, in which its player states to have signed one before: mostly one that was signed for the round
    that was missed, sometimes one for an earlier round, or one that does not exist."""
    named = [name for name, one in post.missed.items() if one.seat == seat]
    last = max((post.missed[name].round for name in named), default=0)
    known = [name for name in named if post.missed[name].round == last or rng.random() < 0.1]
    name = rng.choice(known) if known and rng.random() < 0.9 else chance("nothing", rng.random()).hex()
    return resigned(sitting, seat, decode(answer, r.MoveFile, "move"), protest=name)


def mails_of(sitting: Sitting, seat: int, rng: random.Random, habits: Habits, post: Post) -> list[bytes]:
    """What a seat sends in a round, in order."""
    count = post.figures
    protests = may_protest(sitting.table, sitting.state, seat) and rng.random() < habits.protest
    if sitting.round and rng.random() < habits.resign:
        count["resigned"] += 1
        leaves = sitting.signed(seat, resign=True)
        leaves = protesting(sitting, seat, leaves, rng, post) if protests else leaves
        return [post.crowd.handing(sitting, seat, leaves) if rng.random() < 0.5 else leaves]
    words = sitting.some_words(seat, rng) if rng.random() < habits.words else None
    count["words said"] += words is not None
    salt = str(rng.random())
    mails = [sitting.signed(seat, salt) if words is None else sitting.saying(seat, words, salt)]
    if protests:
        mails[0] = protesting(sitting, seat, mails[0], rng, post)
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


# --- what the host does ----------------------------------------------------------------------------------------------


def take(sitting: Sitting, mail: bytes, post: Post) -> str:
    """The host judges what came; returns what it says about it."""
    judged = sitting.give(mail)
    if judged.receipt is not None:
        post.receipts.append(judged.receipt)
    post.figures[f"said {judged.code}"] += 1
    return judged.code


def owing(sitting: Sitting) -> list[int]:
    """Seats that the open round waits for."""
    return [seat for seat in sitting.asked if seat not in sitting.match.waiting]


def give_time(sitting: Sitting, rng: random.Random, post: Post) -> None:
    """The host promises somebody more time in the open round; sometimes less than was promised before, which takes
    nothing back."""
    seats = owing(sitting)
    if sitting.state.due and seats:
        seat = rng.choice(seats)
        until = later(rng.choice((sitting.state.due, due_at(sitting.match, seat))), rng.choice((1, 60, 3 * DAY)))
        post.extensions.append(host.extend(sitting.match, seat, until))
        post.figures["extensions"] += 1


def slowly(sitting: Sitting, seat: int, rng: random.Random) -> None:
    """Time goes by until that of a seat is over, or nearly, or until nothing is left in its bank."""
    if sitting.state.due:
        late = rng.choice((0, 1, 20, sitting.table.offer.bank, sitting.table.offer.bank + 1))
        sitting.now = max(sitting.now, read_time(due_at(sitting.match, seat)) + timedelta(minutes=late))
        sitting.wait(0)


def hasten(sitting: Sitting, rng: random.Random, post: Post) -> None:
    """The host times somebody out, now. If that is too early, the round is not closed with it: not before a promise is
    over, nor before the deadline is, with the bank, unless the game ends. Then no time is stated, and only commands
    know a clock. (They are slower, too: for them a bank begins where an extension ends.)"""
    seats, number = owing(sitting), sitting.round
    if sitting.state.due and seats:
        seat, grace = rng.choice(seats), sitting.table.offer.grace
        due = read_time(sitting.state.due) + timedelta(minutes=bank_of(sitting.match, seat) + grace)
        until = latest(sitting.match.extensions, seat)
        over, kept = sitting.now >= due, not until or sitting.now >= read_time(until) + timedelta(minutes=grace)
        said, closed = code_of(lambda: host.time_out(sitting.match, seat)), sitting.round > number
        assert said in ("ok", "not-due"), said
        assert not closed or ((over or sitting.over) and kept), "somebody was timed out too early"
        post.figures["timed out at once" if closed else "timed out in vain"] += 1


def go_back(sitting: Sitting, file: bytes, before: int, post: Post) -> None:
    """The game file comes from a backup of this round; the guard knows what was signed since then."""
    known = guard.make(sitting.match, b"", before, "game.json")
    match = open_match(file, sitting.host)
    guard.bring_up_to_date(match, known)
    old = sitting.match
    assert (match.entries, match.privates, match.waiting) == (old.entries, old.privates, old.waiting)
    assert (match.used, match.extensions) == (old.used, old.extensions)
    match.due, match.played, sitting.match = old.due, old.played, match
    post.figures["from a backup"] += 1


# --- a round ---------------------------------------------------------------------------------------------------------


def play_round(sitting: Sitting, rng: random.Random, habits: Habits, post: Post) -> None:
    """Everybody who is asked answers, or does not."""
    number, seats, players = sitting.round, sitting.asked, list(sitting.players)
    backup = sitting.file() if rng.random() < habits.backup else b""
    post.crowd.come(sitting, habits.arrive)
    late = [seat for seat in seats if sitting.state.due and rng.random() < habits.late]
    if rests(sitting.state):
        late = rng.sample(seats, len(seats) - 1)
    mails = [(seat, mail) for seat in seats for mail in mails_of(sitting, seat, rng, habits, post)]
    lost = [seat for seat in late if rng.random() < habits.lost]
    inbox = [(seat, mail) for seat, mail in mails if seat not in late]
    if post.moves and rng.random() < habits.old_mail:
        post.figures["old mail"] += 1
        inbox.append((rng.choice(seats), rng.choice(post.moves)))
    post.moves += [mail for seat, mail in mails if seat not in lost]
    rng.shuffle(inbox)
    hasty = rng.randrange(len(inbox) + 1) if rng.random() < habits.hasty else -1
    for at, (seat, mail) in enumerate(inbox):
        if rng.random() < habits.extend and sitting.round == number:
            give_time(sitting, rng, post)
        if at == hasty and sitting.round == number:
            hasten(sitting, rng, post)
        slowly(sitting, seat, rng) if rng.random() < habits.slow else sitting.wait(rng.choice((0, 0, 1, 9)))
        take(sitting, mail, post)
        if backup and rng.random() < 0.3:
            go_back(sitting, backup, number, post)
    finish(sitting, number, late, post)
    if backup:
        go_back(sitting, backup, number, post)
    entry = decode(bytes(sitting.match.entries[-1].body), r.Entry, "entry")
    for seat, mail in mails:
        if seat in entry.timeouts:
            post.missed.setdefault(id_of(mail), Missed(seat, entry.round, players[seat], mail))
            if seat not in lost and rng.random() < 0.5:
                take(sitting, mail, post)
    gone = set(lost) & set(entry.timeouts)
    post.figures.update({"late": len(entry.timeouts), "late and lost": len(gone), "bank used": len(entry.used)})
    post.crowd.sit_down(sitting)
    if rng.random() < 0.1:
        with other_wording(sitting.game_id) if rng.random() < 0.5 else nullcontext():
            due, sitting.match = sitting.match.due, open_match(sitting.file(), sitting.host)
            sitting.match.due = due


def finish(sitting: Sitting, number: int, late: list[int], post: Post) -> None:
    """Close the round, if it is not closed yet: players who are not late answer, then the others are timed out, when
    their time is over."""
    if sitting.round > number:
        return
    for seat in set(owing(sitting)) & set(late):
        sitting.now = max(sitting.now, read_time(protected_until(sitting.match, seat)))
        sitting.wait(0)
    for seat in sorted(set(owing(sitting)) - set(late), key=lambda seat: seat not in sitting.match.late):
        mail = sitting.signed(seat)
        post.moves.append(mail)
        take(sitting, mail, post)
        assert seat in sitting.match.waiting or sitting.round > number, "an answer was not taken"
    for seat in late:
        if sitting.round == number and seat not in sitting.match.waiting:
            host.time_out(sitting.match, seat)
    assert sitting.round == number + 1, "the round did not close"
