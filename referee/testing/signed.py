"""A whole signed game in memory: a host and players with their own keys, and the same functions that commands use."""

import hashlib
import random
from collections.abc import Mapping
from copy import copy
from typing import Any, NamedTuple

import msgspec

from referee.crypto.codec import encode
from referee.crypto.keys import Key
from referee.engine import host, lobby
from referee.engine.answers import seen
from referee.engine.player import Draft, Place, open_view, sign_answer
from referee.engine.rounds import ACK, asked
from referee.engine.table import Table
from referee.errors import RefereeError
from referee.evidence.replay import open_transcript
from referee.game import LINK, Ask, Seen
from referee.io.gamefile import dump_match, open_match
from referee.io.times import DAY, undated_deadline
from referee.show.findings import verified
from referee.testing.subject import Setup, Subject, some_words

NAMES = (
    "Anna", "Bert", "Carla", "Dirk", "Elsa", "Franz", "Greta", "Hugo",
    "Jens", "Kira", "Nora", "Otto", "Paula", "Uwe", "Vera", "Zora",
)  # fmt: skip


def chance(*words: object) -> bytes:
    """32 bytes that depend only on these words."""
    return hashlib.sha256("\0".join(map(str, words)).encode()).digest()


class Seating:
    """Keys and chains of everybody at a table: what stays the same in all its worlds."""

    def __init__(self, subject: Subject, way: Setup, seed: str, common: bytes = b"") -> None:
        game, terms = subject.game, subject.terms(way)
        self.common = common
        """The secret of common chance."""
        self.texts = subject.words
        self.host = Key(chance(seed, "host"), "Host")
        self.keys = [Key(chance(seed, seat), NAMES[seat]) for seat in range(way.seats)]
        offer = lobby.make_offer(self.host, subject.game_id, game, terms, chance(seed, "offer"), DAY, chance=common)
        joins = tuple(
            lobby.make_join(key, offer, key.name, chance(seed, "join", seat)) for seat, key in enumerate(self.keys)
        )
        self.table = lobby.make_genesis(self.host, offer, joins, common)
        self.marks = [
            lobby.player_marks(key, self.table.offer_id, bytes.fromhex(join.nonce))
            for key, join in zip(self.keys, self.table.joins, strict=True)
        ]
        # Signs any move: what a player with another program could send.
        self.lax = Table(self.table.envelope)
        self.lax.game = msgspec.structs.replace(game, check=lambda *_: None)

    def new_match(self) -> host.Match:
        match = host.new_match(self.host, self.table, self.common)
        match.due = undated_deadline(1)
        return match

    def sign(self, match: host.Match, seat: int, move: object, words: object = None, *, lax: bool = False) -> bytes:
        """A seat's signed answer, with its standing orders if they change; with `lax` it may be illegal."""
        table, key, marks = self.lax if lax else self.table, self.keys[seat], self.marks[seat]
        return sign_answer(key, Place(table, match.checkpoint, seat, match.faces), Draft(move, words), marks)

    def leave(self, match: host.Match, seat: int) -> bytes:
        """A seat leaves the game."""
        place = Place(self.table, match.checkpoint, seat, match.faces)
        return sign_answer(self.keys[seat], place, Draft(resign=True), self.marks[seat])


def fork(match: host.Match) -> host.Match:
    """A copy of the game that can be continued in another way."""
    twin = copy(match)
    twin.entries, twin.privates = list(match.entries), [list(parts) for parts in match.privates]
    twin.waiting, twin.late, twin.sealed = dict(match.waiting), set(match.late), dict(match.sealed)
    return twin


def seen_by(match: host.Match, seat: int) -> Seen[object]:
    """What a seat may know now."""
    return seen(match.table.game, match.state, match.checkpoint.public, seat, match.faces)


def questions(match: host.Match) -> Mapping[int, Ask]:
    """The decisions that are asked for now."""
    return {seat: ask for seat, ask in asked(match.state).items() if ask.what not in (ACK, LINK)}


class Round(NamedTuple):
    """One round of a signed game: the game before it, the moves (None for a confirmation), the standing orders that
    came with them, who was late, and who left."""

    before: host.Match
    moves: dict[int, Any]
    words: dict[int, object]
    late: tuple[int, ...]
    gone: tuple[int, ...] = ()


def play_round(seating: Seating, match: host.Match, one: Round) -> None:
    """All seats answer; raises what the host raises."""
    number = match.state.round
    match.due = undated_deadline(number + 1)
    for seat in sorted({*one.moves, *one.gone}):
        gone = seat in one.gone
        data = seating.leave(match, seat) if gone else seating.sign(match, seat, one.moves[seat], one.words.get(seat))
        error = host.take_move(match, data).error
        if error is not None:
            raise error
    for seat in one.late:
        host.time_out(match, seat)
    assert match.state.round == number + 1, f"round {number + 1} did not close"


def play_signed(
    seating: Seating, seed: str, *, bot: str = "random", late: float = 0.0, leave: float = 0.0, words: bool = True
) -> tuple[list[Round], host.Match]:
    """A random signed game to its end; `late` and `leave`: how often a seat misses its deadline or leaves; with `words`
    seats give standing orders if the game has any."""
    match, rng, rounds = seating.new_match(), random.Random(seed), []
    while not match.state.end:
        asks = asked(match.state)
        missing = tuple(seat for seat in sorted(asks) if match.state.round and rng.random() < late)
        if len(missing) == len(asks):
            missing = missing[1:]
        gone = tuple(seat for seat in sorted(asks) if leave and match.state.round and rng.random() < leave)
        gone = tuple(seat for seat in gone if seat not in missing)
        here = [seat for seat in asks if seat not in missing and seat not in gone]
        moves = {seat: _bot_move(seating, match, seat, bot, rng) for seat in here}
        said = {seat: _bot_words(seating, match, seat, rng) for seat in moves if words}
        rounds.append(Round(fork(match), moves, said, missing, gone))
        play_round(seating, match, rounds[-1])
    return rounds, match


def _bot_words(seating: Seating, match: host.Match, seat: int, rng: random.Random) -> object:
    table = seating.table
    if table.game.standing is None:
        return None
    return some_words(table.game, table.terms, seen_by(match, seat), seating.texts, rng)


def _bot_move(seating: Seating, match: host.Match, seat: int, bot: str, rng: random.Random) -> object:
    if seat not in questions(match):
        return None
    game, terms = seating.table.game, seating.table.terms
    return game.bots[bot](terms, seen_by(match, seat), rng.randrange)


def signed_games_verify(subject: Subject) -> None:
    """In a signed game with missed deadlines, each seat's view passes its audit and shows the host's own state, the
    game file opens again, and the transcript verifies."""
    low, high = subject.game.seats
    ways = (Setup((low + high + 1) // 2, late=0.1), Setup(low, bot="sensible"))
    for way in ways[: subject.sample(len(ways))]:
        seed = f"signed {subject.game_id} {way}"
        seating = Seating(subject, way, seed)
        try:
            rounds, match = play_signed(seating, seed, bot=way.bot, late=way.late)
        except RefereeError as error:
            raise AssertionError(f"{way}: the signed game stops: {error.message}") from error
        last = len(rounds)
        for number in (last // 2, last):
            at = rounds[number].before if number < last else match
            assert dump_match(open_match(dump_match(at), seating.host)) == dump_match(at), way
            for seat in range(way.seats):
                _check_view(way, at, seat)
        try:
            found = verified(open_transcript(host.reveal(match)))
        except RefereeError as error:
            raise AssertionError(f"{way}: the transcript does not verify: {error.message}") from error
        assert (found.rounds, found.end) == (last, match.state.end), f"{way}: the transcript ends elsewhere"


def _check_view(way: Setup, match: host.Match, seat: int) -> None:
    number = match.state.round
    try:
        opened = open_view(host.make_view(match, seat))
    except RefereeError as error:
        raise AssertionError(f"{way}: the view of seat {seat + 1} in round {number}: {error.message}") from error
    checkpoint = opened.chain.checkpoint
    assert encode(checkpoint.state) == encode(match.state), (
        f"{way}: seat {seat + 1} reads another state in round {number}"
    )
    assert checkpoint.public == match.checkpoint.public, (
        f"{way}: seat {seat + 1} reads another position in round {number}"
    )
    faces = {slot: face for slot, face in match.faces.items() if seat in match.state.book.told.get(slot, ())}
    known = {slot: face for slot, face in opened.owner.faces.items() if slot in faces}
    assert known == faces, f"{way}: seat {seat + 1} was not told its own tokens in round {number}"
