"""Offers and bids are sealed: nobody learns anything of them before they are shown, and nobody can take one back.

Two worlds differ only in what others answered under seal. While the round is open, and after it as far as the answer is
not shown, everything that a player gets must be the same to the byte: view, private part, legal moves, picture, what a
right or wrong move meets, receipts. `tests/noninterference` makes the games and the commitments ideal.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from typing import Any, NamedTuple
from unittest.mock import patch

import msgspec
import pytest
from msgspec.structs import replace

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import seal
from referee.engine import turn, view
from referee.engine.audit import audit
from referee.engine.compare import compare
from referee.engine.records import MoveFile, Secret, Show
from referee.engine.replay import verify
from referee.engine.turn import Match, take_move, time_out
from referee.errors import IllegalMove, RefereeError
from referee.game import Step, ask_of, seen
from referee.games.mark.bots import random_move
from referee.games.mark.types import Bid, Move, Offer
from tests.noninterference import worlds
from tests.noninterference.leaks import change_game, planted
from tests.noninterference.worlds import GARBAGE, Record, ideal, sign, sit_down, snapshot, told
from tests.support.match import Sitting, fault, open_entry, with_answer, with_op

Facts = dict[str, bytes]


# --- what one player gets --------------------------------------------------------------------------------------------


def copied(match: Match) -> Match:
    """The host's memory once more, with the answers that wait."""
    twin = snapshot(match, match.state, match.state.round)
    twin.waiting, twin.late = dict(match.waiting), set(match.late)
    return twin


def facts(record: Record, match: Match, seat: int) -> Facts:
    """Everything that reaches this player now, whatever it tries."""
    state = match.state
    found = {
        "view": worlds.make_view(match, seat),
        "private": encode(view.private_part(match.table, state, seat)),
        "known": encode(worlds.known_state(state, seat)),
    }
    try:
        opened = worlds.open_view(found["view"].rstrip(b"\n"))
        found["show"] = worlds.render(opened, worlds.Painter(colour=True)).encode()
    except RefereeError as error:
        found["show"] = error.message.encode()
    for number, data in enumerate(tries(record, match, seat)):
        found[f"verdict {number}"] = encode(told(take_move(copied(match), data)))
    return found


def tries(record: Record, match: Match, seat: int) -> Iterator[bytes]:
    """Moves of this player: a legal one, too high and too low bids, pieces that are not there, others, nonsense."""
    rng = random.Random(match.state.round * 8 + seat)
    ask = ask_of(match.state.ask, seat)
    moves = rng.sample(record.pool, 2)
    if ask is not None and ask.sealed:
        moves += [Bid(10**9, "d1"), Bid(1, "d1"), Bid(1, "p4"), Offer("d1"), Offer("p4")]
        moves.append(random_move(match.table.terms, seen(match.state.position, seat), rng.randrange))
    yield from (sign(record.seated, match, seat, move) for move in moves)
    yield sign(record.seated, match, seat, fields=rng.choice(GARBAGE))
    yield b"{}"


# --- pairs of worlds -------------------------------------------------------------------------------------------------


class Found(NamedTuple):
    """How many pairs were compared, and what differed."""

    open: int
    closed: int
    held: int
    wrong: list[str]


def another(record: Record, number: int, who: int, move: Move | None, rng: random.Random) -> Move | None:
    """Something else that this seat could have answered."""
    table, position = record.world.match.table, record.states[number - 1].position
    for _ in range(20):
        other = random_move(table.terms, seen(position, who), rng.randrange)
        if other != move:
            return other
    return None


def waiting(record: Record, number: int, answers: Mapping[int, Move]) -> Match:
    """The round is open, and these answers are with the host."""
    match = record.at(number - 1)
    for seat, move in answers.items():
        assert take_move(match, sign(record.seated, match, seat, move)).code == "taken"
    assert match.state.round == number - 1
    return match


def open_pair(record: Record, number: int, watcher: int, rng: random.Random) -> list[str] | None:
    """Others have answered in two ways, somebody has not yet; None if there is no such pair."""
    played = {seat: move for seat, move, data in record.rounds[number - 1].answers if data}
    others = [seat for seat in played if seat != watcher]
    rng.shuffle(others)
    mine = {watcher: played[watcher]} if watcher in played and len(others) > 1 and rng.random() < 0.3 else {}
    if others and (watcher not in played or mine) and len(played) == len(record.rounds[number - 1].answers):
        others.pop()
    first, second = dict(mine), dict(mine)
    for seat in others[: rng.randint(1, len(others))] if others else ():
        first[seat], second[seat] = played[seat], another(record, number, seat, played[seat], rng) or played[seat]
    if first == second:
        return None
    expected = facts(record, waiting(record, number, first), watcher)
    return differences(number, watcher, expected, facts(record, waiting(record, number, second), watcher))


def closed(record: Record, number: int, who: int, other: Move) -> Match:
    """The round as it was, but for the answer of one seat."""
    match = record.at(number - 1)
    for seat, _, data in record.rounds[number - 1].answers:
        if not data:
            time_out(match, seat)
        else:
            data = sign(record.seated, match, who, other) if seat == who else data
            assert take_move(match, data).code == "taken"
    assert match.state.round == number
    return match


def never_shown(record: Record, number: int, who: int) -> bool:
    """Somebody before this seat offers a piece (MK-14), so that its own answer must stay unknown."""
    state, seats = record.states[number - 1], record.world.match.table.seats
    after = {seat: (seat - state.position.public.turn) % seats for seat in range(seats)}
    willing = [seat for seat, move, _ in record.rounds[number - 1].answers if isinstance(move, Offer) and move.field]
    return any(after[seat] < after[who] for seat in willing)


def is_held(state: Any, who: int) -> bool:
    """A deadline was missed and something must be drawn: this answer waits, unopened, for a witness."""
    return any(one.seat == who and one.secret is not None for one in state.held)


def compare_all(record: Record, seed: str) -> Found:
    """Every sealed round with every watcher, up to the first difference."""
    rng, pairs = random.Random(seed), {"open": 0, "closed": 0, "held": 0}
    wrong: list[str] | None
    for number, (played,) in enumerate(record.rounds, 1):
        before = record.states[number - 1]
        if before.witness or not any(ask.sealed for ask in before.ask):
            continue
        for watcher in range(len(record.seated.keys)):
            if (wrong := open_pair(record, number, watcher, rng)) is not None:
                pairs["open"] += 1
                if wrong:
                    return Found(**pairs, wrong=wrong)
        for who, move, data in played:
            other = another(record, number, who, move, rng) if data else None
            held = is_held(record.states[number], who)
            if other is None or not (held or never_shown(record, number, who)):
                continue
            match = closed(record, number, who, other)
            if held and not is_held(match.state, who):
                continue  # In the other world nothing had to be drawn, and all bids were shown at once.
            for watcher in {*range(len(record.seated.keys))} - {who}:
                pairs["held" if held else "closed"] += 1
                expected = facts(record, record.at(number), watcher)
                if wrong := differences(number, watcher, expected, facts(record, match, watcher)):
                    return Found(**pairs, wrong=wrong)
    return Found(**pairs, wrong=[])


def differences(number: int, watcher: int, a: Facts, b: Facts) -> list[str]:
    assert a.keys() == b.keys()
    return [
        f"round {number}, seat {watcher}: {name} {a[name][-200:]!r} / {b[name][-200:]!r}"
        for name in a
        if a[name] != b[name]
    ]


def search(seats: int, late: float) -> Found:
    """Some games; the same search for honest and leaky ones."""
    total = Found(0, 0, 0, [])
    for number in range(12 - 2 * seats):
        seed = f"{seats} {late} {number}"
        seated = sit_down("mark", seats, seed)
        with ideal(seated):
            found = compare_all(Record(seated, seed, late=late), seed)
        total = Found(*(a + b for a, b in zip(total[:3], found[:3], strict=True)), found.wrong)
        if found.wrong:
            break
    return total


@pytest.mark.parametrize("late", [0.0, 0.04], ids=["punctual", "late"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_MK_10_MK_14_sealed_answers_show_nowhere_before_they_are_opened(seats: int, late: float) -> None:
    found = search(seats, late)
    assert not found.wrong
    assert sum(found[:3]) >= {2: 150, 3: 300, 4: 450}[seats]
    assert found.open >= 100
    assert found.closed >= 20
    assert found.held >= (3 if late else 0)


# --- the search finds leaks ------------------------------------------------------------------------------------------

HIGHEST: list[int] = [0]
"""The highest bid that waits, as the last answer left it."""


def while_waiting(stack: ExitStack, change: Callable[[Match, dict[int, Any]], None] = lambda *_: None) -> None:
    """`change` is called whenever an answer was taken and the round is still open, with the sealed fields that wait."""
    real = turn._close_if_complete

    def close(match: Match) -> bool:
        if real(match):
            return True
        waits = {seat: msgspec.json.decode(file.secret.fields) for seat, file in match.waiting.items() if file.secret}
        HIGHEST[0] = max((fields.get("amount", 0) for fields in waits.values()), default=0)
        if waits:
            change(match, waits)
        return False

    stack.enter_context(patch.object(turn, "_close_if_complete", close))


def leak_log_line_at_the_time_of_the_bid(stack: ExitStack) -> None:
    def change(match: Match, waits: dict[int, Any]) -> None:
        entry = open_entry(match.entries[-1])
        entry = replace(entry, log=(*entry.log, *(f"@{seat}: {fields}" for seat, fields in waits.items())))
        match.entries = [*match.entries[:-1], msgspec.Raw(encode(seal(match.key, "entry", entry)))]

    while_waiting(stack, change)


def leak_public_field_with_the_highest_bid(stack: ExitStack) -> None:
    def change(match: Match, _: dict[int, Any]) -> None:
        public = replace(match.state.position.public, idle=HIGHEST[0])
        match.state = replace(match.state, position=replace(match.state.position, public=public))

    while_waiting(stack, change)


def leak_pending_drops_who_passed(stack: ExitStack) -> None:
    def change(match: Match, waits: dict[int, Any]) -> None:
        passed = {seat for seat, fields in waits.items() if fields["field"] is None}
        asks = tuple(ask for ask in match.state.ask if ask.seat not in passed)
        match.state = replace(match.state, ask=asks, position=replace(match.state.position, pending=asks))

    while_waiting(stack, change)


def leak_error_tells_the_highest_bid(stack: ExitStack) -> None:
    real = turn._judge

    def judge(match: Match, *more: Any) -> bool:
        try:
            return real(match, *more)
        except IllegalMove as error:
            raise IllegalMove(error.clause, f"the highest bid so far is {HIGHEST[0]}") from None

    while_waiting(stack)
    stack.enter_context(patch.object(turn, "_judge", judge))


def leak_receipt_tells_who_leads(stack: ExitStack) -> None:
    real = turn._receipt
    while_waiting(stack)
    other = patch.object(turn, "_receipt", lambda *args: real(*args[:-1], "outbid" if HIGHEST[0] > 5 else args[-1]))
    stack.enter_context(other)


def leak_legal_moves_start_above_the_highest_bid(stack: ExitStack) -> None:
    real = view.private_part

    def private_part(table: Any, state: Any, seat: int) -> Any:
        part = real(table, state, seat)
        return replace(part, legal=msgspec.Raw(encode(f"bid from {HIGHEST[0] + 1}"))) if part.ask else part

    while_waiting(stack)
    stack.enter_context(patch.object(view, "private_part", private_part))


def leak_size_of_the_view(stack: ExitStack) -> None:
    real = worlds.make_view
    while_waiting(stack)
    stack.enter_context(patch.object(worlds, "make_view", lambda match, seat: real(match, seat) + b"\n" * HIGHEST[0]))


def leak_every_offer_is_shown(stack: ExitStack) -> None:
    def wrap(real: Any) -> Any:
        def apply(terms: Any, position: Any, answers: Any, draws: Any) -> Step:
            for seat in answers if position.pending[0].what == "offer" else ():
                draws.show(seat)
            return real(terms, position, answers, draws)

        return apply

    change_game(stack, apply=wrap)


def leak_bids_that_are_held_are_told(stack: ExitStack) -> None:
    """A deadline was missed and the round waits for a witness: what is held must stay sealed."""
    real = turn.close_round

    def close_round(*args: Any) -> Any:
        entry, state = real(*args)
        held = sum(sum(bytes(one.secret.fields)) for one in state.held if one.secret)
        return replace(entry, log=(*entry.log, f"held: {held}")), state

    stack.enter_context(patch.object(turn, "close_round", close_round))


def leak_commitments_without_salt(stack: ExitStack) -> None:
    stack.enter_context(planted("commitment_without_salt"))


@pytest.mark.parametrize("name", [name for name in globals() if name.startswith("leak_")])
def test_a_planted_leak_is_caught(name: str) -> None:
    HIGHEST[0] = 0
    with ExitStack() as stack:
        globals()[name](stack)
        found = search(4, 0.04)
    assert found.wrong, f"{found[:3]} pairs compared, none differed"


# --- nobody can take a bid back --------------------------------------------------------------------------------------


def at(what: str) -> tuple[Sitting, int, Move, Move]:
    """A game in which several are asked for this; the first of them, and its first and last legal move."""
    table = Sitting("mark", 3, "bids 3").play(lambda sitting: sitting.what == what and len(sitting.asked) > 1)
    choices = table.match.table.game.legal(table.match.table.terms, table.seen(table.asked[0]))
    return table, table.asked[0], choices[0].move, choices[-1].move


def test_MK_10_a_bid_that_was_taken_can_be_neither_changed_nor_dropped() -> None:
    table, first, high, none = at("bid")
    sent = table.signed(first, move=high)
    receipt = encode(table.give(sent).receipt)
    assert table.give(table.signed(first, move=none)).code == "answered"
    assert table.give(sent).code == "repeated"
    honest, late = table.fork(), table.fork()
    honest.others(first)
    assert fault(compare, [honest.view(first), receipt]) == ("", None)
    del table.match.waiting[first], late.match.waiting[first]
    assert table.give(table.signed(first, move=none)).code == "taken"
    table.others(first)
    assert fault(compare, [table.view(1), receipt]) == ("taken-and-dropped", table.round)
    late.miss(first)
    assert fault(compare, [late.view(1), receipt]) == ("taken-and-timed-out", late.round)


def test_MK_10_a_bidder_cannot_deny_a_bid() -> None:
    """The entry holds the bidder's signature under a commitment that opens in one way only."""
    table, first, high, none = at("bid")
    sent, other = (decode(table.signed(first, move=move), MoveFile, "move") for move in (high, none))
    assert table.give(encode(replace(sent, secret=other.secret))).code == "bad-commitment"
    table.give(encode(sent))
    table.others(first)
    assert fault(audit, table.view(first)) == ("", None)
    table.rewrite(lambda entry: with_answer(entry, first, commit="00" * 32))
    assert {fault(audit, table.view(seat)) for seat in range(3)} == {("bad-move", table.round)}


@pytest.mark.parametrize("fields", [b'{"amount":29,"field":"d1"}', b'{"amount":0,"field":null}', b"{}"])
def test_MK_10_a_host_who_shows_another_bid_is_caught_at_once(fields: bytes) -> None:
    table, first, high, _ = at("bid")
    table.give(table.signed(first, move=high))
    table.others(first)
    assert {fault(audit, table.view(seat)) for seat in range(3)} == {("", None)}
    table.rewrite(lambda entry: with_op(entry, Show, lambda show: replace(show, fields=msgspec.Raw(fields))))
    step = table.round
    assert {fault(audit, table.view(seat)) for seat in range(3)} == {("bad-shown", step)}
    assert fault(verify, table.play().transcript()) == ("bad-shown", step)


def test_MK_14_a_host_who_plays_another_offer_is_caught_after_the_end() -> None:
    """An offer that does not count is never shown; the transcript opens it all the same."""
    table, seat, piece, _ = at("offer")
    table.others(seat)
    sent = decode(table.signed(seat, move=piece), MoveFile, "move")
    lie = Secret(sent.secret.salt, msgspec.Raw(b'{"field":null}')) if sent.secret else None
    table.take(encode(replace(sent, secret=lie)), seat)
    step = table.round
    assert fault(verify, table.play().transcript()) == ("bad-sealed", step)
