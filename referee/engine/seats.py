"""Who holds a seat: vacancies, and who takes one over or comes back. See `schemas/PROTOCOL.md`, section 6."""

from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import suppress
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from referee.crypto.codec import PROJECT, decode, encode
from referee.crypto.envelope import Envelope, body_of, check
from referee.crypto.keys import refuse_weak
from referee.engine import records as r
from referee.engine.book import Fault
from referee.engine.names import check_name, fold, is_name
from referee.engine.promises import minutes
from referee.engine.table import Table
from referee.errors import BadSignature, Malformed
from referee.language import t

OUT_AFTER = 2
"""Consecutive timeouts before a seat is dropped: it is no longer asked."""


def late_seats(state: r.State) -> set[int]:
    """Seats that missed too many consecutive deadlines."""
    return {seat for seat, count in enumerate(state.missed) if count >= OUT_AFTER}


def out_seats(state: r.State) -> set[int]:
    """Seats that are no longer asked: they resigned, or missed too many consecutive deadlines."""
    return late_seats(state) | {seat for seat, _ in state.left}


def rests(state: r.State) -> bool:
    """Nobody is left to ask. Any answer wakes the game up."""
    return not state.end and len(out_seats(state)) == len(state.missed)


def vacancies(state: r.State, head: str) -> dict[int, r.Vacancy]:
    """Seat -> its vacancy, by the entry (`head`) that led to this state."""
    return {one.seat: one if one.entry else replace(one, entry=head) for one in state.vacant}


def open_seats(table: Table, state: r.State) -> tuple[r.Vacancy, ...]:
    """The vacancies that somebody else can still take over."""
    used_up = len(state.holders) >= table.offer.takeovers
    return () if used_up or state.end or rests(state) else state.vacant


# --- who comes -------------------------------------------------------------------------------------------------------


class _Before(NamedTuple):
    """What the state before an entry says of seats. It is computed once for all arrivals: a state in a proof may name
    more holders than any game has."""

    vacant: Mapping[int, r.Vacancy]
    out: Set[int]
    late: Set[int]
    """Out because of timeouts alone: these may come back."""
    keys: Set[str]
    names: Set[str]


def _before(table: Table, state: r.State, head: str) -> _Before:
    known = _known(table, state)
    late = late_seats(state) - {seat for seat, _ in state.left}
    names = {one.name for one in known}
    return _Before(vacancies(state, head), out_seats(state), late, keys_of(table, state), names)


def _read_succession(table: Table, before: _Before, envelope: Envelope, due: str) -> r.Succession:
    """A succession that an entry which states this `due` may have. Raises `Fault`."""
    try:
        body = body_of(envelope, "succession")
        new = decode(body, r.Succession, "succession")
        refuse_weak(bytes.fromhex(new.key))
        check(bytes.fromhex(new.key), envelope.sig, "succession", body)
    except (Malformed, BadSignature) as error:
        raise Fault("bad-succession", error.message) from None
    if not is_name(new.name):
        raise Fault("bad-succession", t("a new holder has a name that is not allowed"))
    vacancy = before.vacant.get(new.seat)
    if new.game != table.id or vacancy is None or vacancy.entry != new.vacancy:
        raise Fault("bad-succession", t("the seat is not vacant, or became vacant in another entry"))
    if new.key != vacancy.key:
        if new.seat not in before.out:
            raise Fault("bad-succession", t("the seat is not vacant, and its holder named somebody else"))
        if due and vacancy.due and minutes(due) < minutes(vacancy.due) + table.offer.takeover:
            raise Fault("bad-succession", t("the seat has not been vacant for long enough"))
    if new.key in before.keys:
        raise Fault("bad-succession", t("a new holder needs a key that nobody had in this game"))
    if new.name in before.names:
        raise Fault("bad-succession", t("a new holder needs a name that nobody had in this game"))
    return new


def _known(table: Table, state: r.State) -> list[r.Join | r.Holder]:
    """Everybody who has held a seat of this game."""
    return [*table.joins, *state.holders]


def keys_of(table: Table, state: r.State) -> set[str]:
    """The keys of all of them, and the host's."""
    return {table.offer.key, *(one.key for one in _known(table, state))}


def _read_return(table: Table, before: _Before, seat: int, sig: str) -> None:
    """Check that the holder of a seat that is out because of timeouts signed a return. Raises `Fault`."""
    vacancy = before.vacant.get(seat)
    if vacancy is None or seat not in before.late:
        raise Fault("bad-succession", t("the player who comes back is not out"))
    try:
        check(table.keys[seat], sig, "return", encode(r.Return(table.id, seat, vacancy.entry)))
    except BadSignature as error:
        raise Fault("bad-succession", error.message) from None


def check_arrivals(
    table: Table, state: r.State, head: str, successions: Sequence[Envelope], returns: Sequence[r.Returned], due: str
) -> tuple[r.Succession, ...]:
    """Who takes over a seat or comes back in the round after this state, as its entry says. Raises `Fault`."""
    if not successions and not returns:
        return ()
    if not state.round or rests(state):
        raise Fault("bad-succession", t("nobody can take over a seat in the first round, or while a game rests"))
    before = _before(table, state, head)
    new = tuple(_read_succession(table, before, envelope, due) for envelope in successions)
    for one in returns:
        _read_return(table, before, one.seat, one.sig)
    _check_order(one.seat for one in new)
    _check_order(one.seat for one in returns)
    names, keys, seats = {one.name for one in new}, {one.key for one in new}, {one.seat for one in new}
    if {len(names), len(keys)} - {len(new)} or seats & {one.seat for one in returns}:
        raise Fault("bad-succession", t("two players take the same seat, or use the same key or name"))
    if len(state.holders) + len(new) > table.offer.takeovers:
        raise Fault("bad-succession", t("more seats are taken over than the offer allows"))
    return new


def _check_order(seats: Iterable[int]) -> None:
    found = list(seats)
    if found != sorted(set(found)):
        raise Fault("bad-succession", t("seats are not in order"))


def holders_in(entries: Iterable[Envelope]) -> tuple[r.Holder, ...]:
    """Who took over seats, by entries that were checked before."""
    found = []
    for envelope in entries:
        if b'"successions":' in bytes(envelope.body):
            entry = msgspec.json.decode(envelope.body, type=r.Entry)
            new = (msgspec.json.decode(one.body, type=r.Succession) for one in entry.successions)
            found += [_holder(one, entry.round) for one in new]
    return tuple(found)


def _holder(new: r.Succession, since: int) -> r.Holder:
    return r.Holder(new.seat, since, new.name, new.key, new.nonce, new.tip, new.kept)


# --- before an entry is made -----------------------------------------------------------------------------------------


def arrival(envelope: Envelope) -> tuple[int, bool]:
    """Whose seat a succession or a return is about, and whether its own player comes back. Raises `Malformed`."""
    if envelope.type == PROJECT + "return":
        return decode(body_of(envelope, "return"), r.Return, "return").seat, True
    return decode(body_of(envelope, "succession"), r.Succession, "succession").seat, False


def precedence(state: r.State, envelope: Envelope) -> int:
    """Who has priority for a seat: its own player, then the one that player named, then anybody else, so that no
    stranger keeps them out by being first."""
    seat, comes_back = arrival(envelope)
    if comes_back:
        return 2
    key = decode(body_of(envelope, "succession"), r.Succession, "succession").key
    return int(any((one.seat, one.key) == (seat, key) for one in state.vacant))


def arrival_fault(table: Table, state: r.State, head: str, envelope: Envelope) -> Fault | None:
    """What prevents somebody from taking over a seat or coming back, whenever the open round is closed. Tools accept
    fewer names than a verifier."""
    try:
        for new in check_arrivals(table, state, head, *_listed([envelope]), ""):
            if fold(check_name(new.name)) in {fold(one.name) for one in _known(table, state)}:
                return Fault(
                    "bad-succession",
                    t("a new holder needs a name that nobody can confuse with another one of this game"),
                )
    except Fault as fault:
        return fault
    except Malformed as error:
        return Fault("bad-succession", error.message)
    return Fault("bad-succession", t("the game is over")) if state.end else None


def admitted(
    table: Table, state: r.State, head: str, waiting: Mapping[int, Envelope], due: str
) -> tuple[list[Envelope], list[r.Returned]]:
    """Successions and returns among those that wait which an entry that states this `due` can have."""
    chosen = list[Envelope]()
    for _, envelope in sorted(waiting.items()):
        with suppress(Fault):
            check_arrivals(table, state, head, *_listed([*chosen, envelope]), due)
            chosen.append(envelope)
    return _listed(chosen)


def arrivals_of(table: Table, state: r.State, head: str, entry: r.Entry) -> dict[int, Envelope]:
    """Seat -> who takes it over or comes back in the entry that follows this state, as it was signed."""
    found = {arrival(one)[0]: one for one in entry.successions}
    vacant = vacancies(state, head)
    for one in entry.returns:
        body = encode(r.Return(table.id, one.seat, vacant[one.seat].entry))
        found[one.seat] = Envelope(msgspec.Raw(body), one.sig, PROJECT + "return")
    return found


def _listed(envelopes: Sequence[Envelope]) -> tuple[list[Envelope], list[r.Returned]]:
    seats = [(one, *arrival(one)) for one in envelopes]
    returns = [r.Returned(seat, one.sig) for one, seat, comes_back in seats if comes_back]
    return [one for one, _, comes_back in seats if not comes_back], returns


def inherited_answers(state: r.State, seat: int) -> list[r.Held]:
    """The held answers of a seat whose sealed fields go to the player who took it over in the last round."""
    new = any((one.seat, one.since) == (seat, state.round) for one in state.holders)
    return [held for held in state.held if new and held.seat == seat and held.commit]


# --- the state after a round -----------------------------------------------------------------------------------------


def settle(
    before: r.State,
    after: r.State,
    head: str,
    answers: Sequence[r.Answer],
    timeouts: Sequence[int],
    new: Sequence[r.Succession],
    back: Sequence[int],
    keys: Sequence[bytes],
) -> r.State:
    """The state after a round with vacancies and holders as they are then. `head`: the entry that led to `before`."""
    vacant = vacancies(before, head)
    here = [*back]
    for answer in answers:
        if _stays(vacant, answer, after, keys[answer.seat].hex()):
            here.append(answer.seat)
    for seat in timeouts:
        if after.missed[seat] == OUT_AFTER:
            vacant[seat] = _vacant_from(vacant, seat, after)
    for seat in here:
        if seat in vacant and not vacant[seat].key:
            del vacant[seat]  # a seat whose holder is there stays vacant only for the key that the holder named
    for one in new:
        vacant.pop(one.seat, None)
    taken = {one.seat: one for one in new}
    return replace(
        after,
        vacant=tuple(vacant[seat] for seat in sorted(vacant)),
        holders=(*after.holders, *(_holder(one, after.round) for one in new)),
        linking=bool(new or back),
        missed=tuple(0 if seat in taken or seat in back else n for seat, n in enumerate(after.missed)),
        left=tuple(gone for gone in after.left if gone[0] not in taken),
        links=tuple((0, taken[seat].tip) if seat in taken else link for seat, link in enumerate(after.links)),
    )


def _stays(vacant: dict[int, r.Vacancy], answer: r.Answer, after: r.State, own: str) -> bool:
    """Note the vacancy that an answer makes: a player who answers is there, unless they leave or name somebody."""
    seat = answer.seat
    if answer.handover == own:
        vacant.pop(seat, None)
    if answer.resign or answer.handover not in ("", own):
        named = "" if answer.handover == own else answer.handover
        vacant[seat] = _vacant_from(vacant, seat, after, named)
        return False
    return True


def _vacant_from(vacant: dict[int, r.Vacancy], seat: int, after: r.State, key: str = "") -> r.Vacancy:
    """A vacancy that begins with this round; the key that the holder named before stays named."""
    named = key or (vacant[seat].key if seat in vacant else "")
    return r.Vacancy(seat, after.round, "", after.due, named)
