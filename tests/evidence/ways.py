"""Ways to cheat or frame that all games share, carried out on each: who does what, and the outcome.

The table of `tests/engine/attacks.py` has more of them, each once; these are done to every game there is.
"""

import sys
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from referee.crypto import slots
from referee.crypto.box import box_public
from referee.crypto.codec import decode, derive, encode
from referee.crypto.envelope import Envelope, sign
from referee.engine import host, lobby
from referee.engine import records as r
from referee.engine.promises import Extension
from referee.engine.rounds import ACK, LINK, asked
from referee.engine.sealing import encrypted
from referee.engine.table import Table
from referee.game import Ask, ranked
from tests.engine import attacks, plots
from tests.engine.attacks import COMPARING, OWNER, SIDE_BY_SIDE, refusal
from tests.engine.plots import AFTER, AT_ONCE, EVERYBODY, NOBODY, Plot, watch
from tests.evidence.caught import Kept, recording
from tests.evidence.finders import NO_ONE, Finding
from tests.support.match import Sitting, boxed, chance, change_entry, cheating, entries_of, signed_beside

HOST, COALITION, STRANGER, PLAYER = "the host", "the host and a player", "a stranger", "a player"
LATER = "2030-01-01T00:00Z"
PREVENTED, NOT_COVERED = "prevented", "not covered"
"""Nothing is noticed: because it has no effect, or because nobody can tell."""


class Way(NamedTuple):
    """Who does what; when it is noticed, by whom, and with which codes (any of them); and how. It gives the files that
    are then at hand, or what a host finds at once, or None where a game gives no chance for it."""

    attempt: str
    who: str
    when: str
    by: str
    codes: tuple[str, ...]
    run: Callable[[str], Kept | Finding | None]


WAYS: list[Way] = []


def way(
    attempt: str, who: str, *codes: str, when: str = AT_ONCE, by: str = EVERYBODY
) -> Callable[[Callable[[str], Any]], Callable[[str], Any]]:
    def add(run: Callable[[str], Any]) -> Callable[[str], Any]:
        WAYS.append(Way(attempt, who, when, by, codes, run))
        return run

    return add


def rendered() -> str:
    """The ways as a Markdown table: those with the same outcome share a row."""
    rows: dict[tuple[str, str, str, tuple[str, ...]], list[str]] = {}
    for one in WAYS:
        rows.setdefault((one.who, one.when, one.by, one.codes), []).append(one.attempt)
    lines = ["| Who | Attempts | Noticed | By | Code |", "|---|---|---|---|---|"]
    for (who, when, by, codes), attempts in rows.items():
        told = ", ".join(f"`{code}`" for code in codes)
        lines.append(f"| {who} | {'; '.join(attempts)} | {when} | {by} | {told} |")
    return "\n".join(lines) + "\n"


SEATS = range(3)


def kept(sitting: Sitting, *files: bytes, own: Sequence[int] = ()) -> Kept:
    """These files, and what some seats' programs kept."""
    sealed = {(number, seat): fields for seat in own for number, fields in sitting.own.get(seat, {}).items()}
    return dict.fromkeys(files, sealed)


def played(game: str, rounds: int = 4, **how: Any) -> Sitting:
    """An honest game up to this round; many ways begin with the same one."""
    return _played(game, rounds, **how).fork()


@cache
def _played(game: str, rounds: int, **how: Any) -> Sitting:
    return Sitting(game, 3, "ways", **how).until(rounds)


def loose(data: bytes) -> Envelope:
    file = decode(data, r.MoveFile, "move")
    return Envelope(file.body, file.sig, file.type)


# --- before the first round ------------------------------------------------------------------------------------------


def genesis(change: Callable[[Sitting], dict[str, Any] | None]) -> Callable[[str], Kept | None]:
    def run(game: str) -> Kept | None:
        sitting = played(game, 0)
        changes = change(sitting)
        if changes is None:
            return None
        signed = sign(sitting.host, "genesis", replace(sitting.table.genesis, **changes))
        views = (decode(sitting.view(seat), r.View, "view") for seat in SEATS)
        return kept(sitting, *(encode(replace(view, genesis=signed)) for view in views))

    return run


def _joins(sitting: Sitting, at: int, **changes: Any) -> dict[str, Any]:
    join = replace(decode(bytes(sitting.joins[at].body), r.Join, "join"), **changes)
    signed = sign(sitting.players[at], "join", join)
    return {"joins": (*sitting.joins[:at], signed, *sitting.joins[at + 1 :])}


def _leaf_more(sitting: Sitting) -> dict[str, Any] | None:
    leaves = sitting.table.genesis.leaves
    return {"leaves": {bag: (*one, "00" * 32) for bag, one in leaves.items()}} if leaves else None


def _offer(sitting: Sitting, **changes: Any) -> dict[str, Any]:
    return {"offer": sign(sitting.host, "offer", replace(sitting.table.offer, **changes))}


for _attempt, _code, _change in (
    ("a token more in each bag than the rules put there", "bad-bags", _leaf_more),
    ("a bag that the rules do not have", "bad-bags", lambda s: {"leaves": s.table.genesis.leaves | {"extra": ()}}),
    ("other hands than those of the game", "bad-bags", lambda s: {"hands": (*s.table.genesis.hands, "more")}),
    ("a join that its player did not sign", "bad-signature", lambda s: {
        "joins": (sign(s.host, "join", decode(bytes(s.joins[0].body), r.Join, "join")), *s.joins[1:])}),
    ("a seat for somebody who joined another offer", "other-offer", lambda s: _joins(s, 1, offer="00" * 32)),
    ("another offer than the one that was joined", "other-offer", lambda s: _offer(s, nonce="00" * 32)),
    ("an arbiter put into the offer after it was joined", "other-offer", lambda s: _offer(s, arbiter="55" * 32)),
    ("a deadline put into the offer after it was joined", "other-offer", lambda s: _offer(s, deadline=1)),
    ("fewer players than seats", "bad-seats", lambda s: {"joins": s.joins[:-1]}),
    ("one player in two seats", "same-key", lambda s: {"joins": (s.joins[0], s.joins[0], *s.joins[2:])}),
    ("two players under one name", "bad-name", lambda s: _joins(s, 1, name=s.table.names[0])),
    ("a name that misleads on a terminal", "bad-name", lambda s: _joins(s, 1, name="Bert\u202e")),
    ("grace without a deadline", "bad-due", lambda s: _offer(s, deadline=0, grace=5)),
    ("a box that everybody can open", "weak-box", lambda s: _offer(s, box="00" * 32)),
    ("a time bank without a deadline", "bad-due", lambda s: _offer(s, deadline=0, bank=5)),
):  # fmt: skip
    way(f"{_attempt}, before the game", HOST, _code)(genesis(_change))


compared = partial(way, when=SIDE_BY_SIDE, by=COMPARING)
"""Found by whoever puts files side by side."""


@compared("two games started from one offer", HOST, "two-geneses")
def _two_games(game: str) -> Kept:
    sitting = played(game, 0)
    table = lobby.make_genesis(sitting.host, sitting.offer, (*sitting.joins[1:], sitting.joins[0]))
    return kept(sitting, sitting.view(0), host.make_view(host.new_match(sitting.host, table), 0))


# --- entries ---------------------------------------------------------------------------------------------------------


def entry(change: Callable[[Sitting, r.Entry], dict[str, Any] | None], rounds: int = 5, **how: Any) -> Any:
    """The newest entry is signed with these changes."""

    def run(game: str) -> Kept | None:
        sitting = played(game, rounds, **how)
        changes = change(sitting, entries_of(decode(sitting.view(0), r.View, "view"))[-1])
        if changes is None:
            return None
        return kept(
            sitting, *(change_entry(sitting.host, sitting.view(seat), sitting.round, **changes) for seat in SEATS)
        )

    return run


def _first(entry: r.Entry, **changes: Any) -> dict[str, Any]:
    return {"answers": (replace(entry.answers[0], **changes), *entry.answers[1:])}


def _standing(entry: r.Entry) -> dict[str, Any]:
    """Other standing orders than the player gave."""
    given = r.content(entry.answers[0].standing)
    return _first(entry, standing=msgspec.Raw(b'{"never":1}' if given == b"{}" else b"{}"))


def _others_link(sitting: Sitting, entry: r.Entry) -> dict[str, Any]:
    """A wrong link, signed by an accomplice."""
    old = entry.answers[0]
    move = replace(r.move_of(entry.game, entry.round, entry.prev, old), link=chance("link").hex())
    return _first(entry, link=move.link, sig=sign(sitting.players[old.seat], "move", move).sig)


def _nonsense(sitting: Sitting, entry: r.Entry) -> dict[str, Any] | None:
    """An accomplice's answer that is not a move."""
    old = entry.answers[0]
    if not r.content(old.answer):
        return None
    move = replace(r.move_of(entry.game, entry.round, entry.prev, old), answer=msgspec.Raw(b'{"do":"nonsense"}'))
    return _first(entry, answer=move.answer, sig=sign(sitting.players[old.seat], "move", move).sig)


_LATE = {"timeouts": (0, 1, 2), "answers": ()}
for _attempt, _codes, _change in (
    ("an answer left out", ("bad-round",), lambda s, e: {"answers": e.answers[1:]}),
    ("an answer altered", ("bad-move",), lambda s, e: _first(e, resign=not e.answers[0].resign)),
    ("an answer under another signature", ("bad-move",), lambda s, e: _first(e, sig="00" * 64)),
    ("an answer given to another seat", ("bad-move",), lambda s, e: _first(e, seat=(e.answers[0].seat + 1) % 3)),
    ("an answer of a seat that does not exist", ("bad-move",), lambda s, e: _first(e, seat=9)),
    ("an answer twice", ("bad-round",), lambda s, e: {"answers": (*e.answers, e.answers[-1])}),
    ("standing orders put into an answer", ("bad-move",), lambda s, e: _standing(e)),
    ("a deadline passed for all who answered", ("bad-due",), lambda s, e: {
        "timeouts": tuple(a.seat for a in e.answers), "answers": ()}),
    ("a deadline passed for everybody", ("bad-due", "bad-round"), lambda s, e: _LATE),
    ("another link of the host", ("bad-host-link",), lambda s, e: {"link": "00" * 32}),
    ("the host's last link again", ("bad-host-link",), lambda s, e: {
        "link": entries_of(decode(s.view(0), r.View, "view"))[-2].link}),
    ("another position", ("rule-broken",), lambda s, e: {"public": "00" * 32}),
    ("another state", ("rule-broken",), lambda s, e: {"state": "00" * 32}),
    ("nobody asked", ("rule-broken",), lambda s, e: {"ask": ()}),
    ("everybody asked something else", ("rule-broken",), lambda s, e: {
        "ask": tuple(Ask(seat, "x") for seat in range(3))}),
    ("an invented result", ("rule-broken",), lambda s, e: {
        "result": ranked([(1,), (2,), (3,)]), "end": "result", "ask": (), "due": ""}),
    ("the game called void", ("rule-broken",), lambda s, e: {"end": "void", "due": ""}),
    ("an operation left out", ("bad-ops",), lambda s, e: {"ops": e.ops[:-1]} if e.ops else None),
    ("an operation twice", ("bad-ops", "bad-pick"), lambda s, e: {"ops": (*e.ops, e.ops[-1])} if e.ops else None),
    ("a die that nobody asked for", ("bad-ops",), lambda s, e: {"ops": (*e.ops, r.Die(97, (1,)))}),
    ("a bag resealed that nobody asked for", ("bad-ops",), lambda s, e: {
        "ops": (*e.ops, r.Shuffle("goods", 9, ()))}),
):  # fmt: skip
    way(f"{_attempt}, in an entry", HOST, *_codes)(entry(_change))
way("a wrong link of a player accepted", COALITION, "bad-link")(entry(_others_link))
way("an invalid move of a player accepted", COALITION, "rule-broken")(entry(_nonsense))
way("a deadline passed in the first round", HOST, "bad-round")(
    entry(lambda s, e: {"answers": e.answers[1:], "timeouts": (0,)}, 1)
)
way("a deadline stated where there is none, in an entry", HOST, "bad-due")(
    entry(lambda s, e: {"due": "2030-01-01T00:00Z"}, deadline=0)
)
way("no deadline where the offer promises one", HOST, "bad-due")(entry(lambda s, e: {"due": ""}, deadline=60))
way("a deadline that is not a valid time", HOST, "bad-due")(
    entry(lambda s, e: {"due": "2027-02-30T00:00Z"}, deadline=60)
)


def body(change: Callable[[dict[str, Any]], Any]) -> Callable[[str], Kept]:
    """The newest entry, spelled in bytes that the protocol does not allow."""

    def run(game: str) -> Kept:
        sitting = played(game)
        told = change(msgspec.json.decode(sitting.match.entries[-1].body))
        return kept(sitting, *_with_last(sitting, sign(sitting.host, "entry", told)))

    return run


def _with_last(sitting: Sitting, signed: Envelope) -> list[bytes]:
    """Everybody's view with another newest entry."""
    views = [decode(sitting.view(seat), r.View, "view") for seat in SEATS]
    return [encode(replace(view, entries=(*view.entries[:-1], signed))) for view in views]


way("an entry with an unknown field", HOST, "bad-entry")(body(lambda told: told | {"bonus": 1000}))
way("an entry without its link", HOST, "bad-entry")(body(lambda told: {k: v for k, v in told.items() if k != "link"}))
way("an entry with a default spelt out", HOST, "bad-entry")(body(lambda told: told | {"end": ""}))


@way("an entry that follows a different one", HOST, "broken-chain")
def _other_prev(game: str) -> Kept:
    sitting = played(game)
    last = replace(entries_of(decode(sitting.view(0), r.View, "view"))[-1], prev="00" * 32)
    return kept(sitting, *_with_last(sitting, sign(sitting.host, "entry", last)))


@way("an entry after the end", HOST, "after-end")
def _after_end(game: str) -> Kept:
    sitting = ended(played(game, 3))
    more = replace(
        entries_of(decode(sitting.view(2), r.View, "view"))[-1],
        round=sitting.round + 1, prev=sitting.match.checkpoint.head, answers=(), result=None, end="",
    )  # fmt: skip
    sitting.match.entries.append(sign(sitting.host, "entry", more))
    return kept(sitting, *map(sitting.view, SEATS))


@way("a player timed out before the deadline", HOST, "bad-due")
def _early(game: str) -> Kept:
    sitting = played(game, deadline=60, grace=10)
    with cheating():
        seat = sitting.asked[0]
        sitting.others(seat)
        host.time_out(sitting.match, seat)
    return kept(sitting, *map(sitting.view, SEATS))


@way("a player timed out whose time bank lasts longer", HOST, "bad-due")
def _bank_left(game: str) -> Kept:
    sitting = played(game, deadline=60, grace=10, bank=30)
    with cheating():
        seat = sitting.asked[0]
        sitting.others(seat)
        sitting.wait(60 + 10 + 29)
        host.time_out(sitting.match, seat)
    return kept(sitting, *map(sitting.view, SEATS))


@way("more of a time bank used than there was", HOST, "bad-due")
def _bank_overdrawn(game: str) -> Kept:
    sitting = played(game, deadline=60, grace=10, bank=30)
    with cheating():
        seat = sitting.asked[-1]
        sitting.match.used = {seat: 31}
        sitting.step()
    return kept(sitting, *map(sitting.view, SEATS))


@way("an answer that is held left out when it is played", HOST, "bad-ops", "bad-round", "rule-broken")
def _held(game: str) -> Kept | None:
    sitting = Sitting(game, 3, "ways")
    for _ in range(40):
        if _decide(sitting) < 2 and not sitting.over:
            sitting.step()
    if _decide(sitting) < 2:
        return None
    sitting.step(sitting.asked[-1])
    match = sitting.match
    match.checkpoint = replace(match.checkpoint, state=replace(match.state, held=match.state.held[1:]))
    with cheating():
        sitting.step()
    return kept(sitting, *map(sitting.view, SEATS))


def _decide(sitting: Sitting) -> int:
    return sum(ask.what not in (ACK, LINK) for ask in asked(sitting.state).values())


# --- lies and draws, by the helpers of the table ---------------------------------------------------------------------


def noticed(make: Callable[[str], Callable[[], Any]]) -> Callable[[str], Kept | None]:
    """All files that were looked at while this was carried out; None where no game gives a chance for it."""

    def run(game: str) -> Kept | None:
        with recording() as found:
            try:
                make(game)()
            except AssertionError as error:
                if "chance" in str(error):
                    return None
                raise
        return found

    return run


@cache
def _entries(game: str, seed: str) -> list[Envelope]:
    """Those of a whole honest game; many ways are compared with the same one."""
    return Sitting(game, 3, seed).to_end().match.entries


@cache
def _seen_in(game: str) -> frozenset[object]:
    """The kinds of operations in a whole game, and `sealed` if somebody is asked to seal something."""
    entries = [decode(bytes(one.body), r.Entry, "entry") for one in _entries(game, "ways 0")]
    sealed = {"sealed" for entry in entries for ask in entry.ask if ask.sealed}
    return frozenset({type(op) for entry in entries for op in entry.ops} | sealed)


NEEDED: dict[str, set[object]] = {
    "die": {r.Die},
    "deal": {r.Deal},
    "_tell": {r.Deal},
    "_pick": {r.Deal, r.Take},
    "_tokens": {r.Take, r.LayOut, r.LayOutAll},
}
"""What a game needs for a host to be able to cheat in this call."""


def dealer(call: str, act: Callable[..., Any]) -> Callable[[str], Kept | None]:
    def make(game: str) -> Callable[[], Any]:
        def run() -> None:
            assert NEEDED[call] & _seen_in(game), "no chance: the game has no such operation"
            for seed in range(4):
                plot, sitting = Plot(range(3), "somebody"), Sitting(game, 3, f"ways {seed}")
                try:
                    found = watch(sitting, plot, plot.dealer(call, act))
                except (AssertionError, plots.StuckError):
                    if plot.done:
                        raise
                    continue
                if found != plots.NOTHING_FOUND:
                    return
                # Nobody noticed, so nothing may differ from the honest game.
                assert _entries(game, f"ways {seed}") == sitting.match.entries
            raise AssertionError("no game gives a chance for it")

        return run

    return noticed(make)


way("1,000 more money for a seat", HOST, "rule-broken")(noticed(lambda game: attacks.told(game, _richer)))
way("a turn skipped", HOST, "rule-broken")(noticed(lambda game: attacks.told(game, attacks._skipped)))
way("the game ended with an invented result, all hashes fit", HOST, "rule-broken")(
    noticed(lambda game: attacks.told(game, attacks._ended))
)
way("the game ended as if all but one had left", HOST, "rule-broken")(
    noticed(lambda game: attacks.told(game, attacks._end("left")))
)
way("`sealed` struck out of a question", HOST, "rule-broken")(
    lambda game: noticed(lambda _: attacks.told(game, attacks._opened_up))(game) if "sealed" in _seen_in(game) else None
)
way("a die thrown again", HOST, "bad-die")(dealer("die", plots.die_thrown_again))
way("surplus dice", HOST, "bad-ops", "bad-die", "rule-broken", "bad-pick")(dealer("die", plots.dice_to_spare))
way("a die set instead of thrown", HOST, "bad-ops", "bad-die", "rule-broken")(dealer("die", plots.die_not_thrown))
way("one token more dealt than is due", HOST, "bad-pick", "bad-ops")(dealer("deal", plots.one_more))
way("tokens dealt into another hand", HOST, "bad-ops")(dealer("deal", plots.into_another_hand))
way("a token shown with another face", HOST, "bad-opening")(dealer("_tokens", plots.another_face))
way("a false face told to a player", HOST, "bad-opening", by=OWNER)(dealer("_tell", plots.told_another(1)))
way("a player not told one of its tokens", HOST, "missing-opening", by=OWNER)(dealer("_tell", plots.told_less(1, 2)))
way("a hand of the host's choice dealt", HOST, "bad-pick")(
    dealer("_pick", lambda dealer, name, count: plots.best_of(name)(dealer, name, count))
)


def _richer(table: Any, closed: Any) -> dict[str, Any] | None:
    """More of the first number that the position has for each seat."""
    if closed.entry.round < 4:
        return None
    data = msgspec.json.decode(encode(closed.checkpoint.public))

    def grow(value: Any) -> bool:
        if isinstance(value, dict):
            return any(_raise(value, key) or grow(value[key]) for key in value)
        return isinstance(value, list) and any(grow(one) for one in value)

    def _raise(value: dict[str, Any], key: str) -> bool:
        if (
            key in ("money", "cash", "points", "gold", "marks", "space", "field", "turn", "round")
            and type(value[key]) is int
        ):
            value[key] += 1
            return True
        return False

    if not grow(data):
        return None
    try:
        return {"public": msgspec.convert(data, table.game.public)}
    except msgspec.ValidationError:
        return None


# --- side by side ----------------------------------------------------------------------------------------------------


@compared("two entries for one round", HOST, "two-entries")
def _two_entries(game: str) -> Kept:
    one = played(game)
    other = one.fork()
    one.step()
    other.step(other.asked[0])
    return kept(one, one.view(0), other.view(1))


@compared("another deadline stated to another player", HOST, "two-entries")
def _two_deadlines(game: str) -> Kept:
    one = played(game, deadline=60)
    other = one.fork()
    other.match.due = "2030-01-01T00:00Z"
    one.step()
    other.step()
    return kept(one, one.view(0), other.view(1))


@compared("an answer accepted, and then called late", HOST, "taken-and-timed-out")
def _taken_and_late(game: str) -> Kept:
    one = played(game)
    seat = one.asked[0]
    receipt = one.fork().give(one.signed(seat)).receipt
    one.step(seat)
    return kept(one, one.view(0), encode(receipt))


def _promised(one: Sitting, seat: int, until: str, **changes: Any) -> bytes:
    said = replace(Extension(one.table.id, one.round + 1, seat, until), **changes)
    return encode(sign(one.host, "extension", said))


@compared("more time given, and the player timed out before that was over", HOST, "extended-and-timed-out")
def _extended(game: str) -> Kept:
    """The entry that times the player out is made at ten past one: an extension until one o'clock would be kept."""
    one = played(game, deadline=60, grace=10)
    seat = one.asked[0]
    extensions = [_promised(one, seat, until) for until in ("2027-01-01T01:00Z", "2027-01-01T01:01Z")]
    one.step(seat)
    assert one.state.due == "2027-01-01T02:10Z"
    return kept(one, one.view(0), *extensions)


def _two_answers(one: Sitting) -> tuple[int, bytes, bytes]:
    seat = one.asked[0]
    return seat, one.signed(seat), one.signed(seat, resign=True)


@compared("an answer accepted, and a different one put into the entry", HOST, "taken-and-dropped")
def _dropped(game: str) -> Kept:
    one = played(game)
    seat, first, second = _two_answers(one)
    receipt = one.fork().give(second).receipt
    one.give(first)
    one.others(seat)
    return kept(one, one.view(0), encode(receipt))


@compared("two answers of one player taken", HOST, "two-taken")
def _two_taken(game: str) -> Kept:
    one = played(game)
    _, first, second = _two_answers(one)
    receipts = [one.fork().give(data).receipt for data in (first, second)]
    return kept(one, one.view(0), *map(encode, receipts))


@compared("an answer taken and refused", HOST, "taken-and-refused")
def _both(game: str) -> Kept:
    one = played(game)
    data = one.signed(one.asked[0])
    return kept(one, one.view(0), encode(one.fork().give(data).receipt), encode(refusal(one, data, "illegal")))


@compared("told that it had answered, and then called late", HOST, "answered-and-timed-out")
def _answered(game: str) -> Kept:
    one = played(game)
    seat = one.asked[0]
    receipt = refusal(one, one.signed(seat), "answered")
    one.step(seat)
    return kept(one, one.view(0), encode(receipt))


def refused(code: str, rounds: int) -> Callable[[str], Kept]:
    def run(game: str) -> Kept:
        one = played(game, rounds)
        seat = one.asked[0]
        data = one.signed(seat)
        return kept(one, one.view(seat), encode(loose(data)), encode(refusal(one, data, code)), own=[seat])

    return run


compared("a legal move refused as illegal", HOST, "refused-though-legal")(refused("illegal", 5))
compared("a legal move refused as one that was not asked for", HOST, "refused-though-legal")(refused("not-asked", 5))
compared("a legal ack refused", HOST, "refused-though-legal")(refused("bad-link", 0))


@cache
def _sealing(game: str) -> Sitting | None:
    """The first moment of a game at which somebody has to seal something; None if there is none."""
    sitting = Sitting(game, 3, "ways sealed")
    while not any(ask.sealed for ask in asked(sitting.state).values()):
        if sitting.over or sitting.round > 60:
            return None
        sitting.step()
    return sitting


def sealing(make: Callable[[Sitting, int], Sequence[bytes]]) -> Callable[[str], Kept | None]:
    """The resulting files where a seat has to seal something, and what everybody's program has kept."""

    def run(game: str) -> Kept | None:
        found = _sealing(game)
        if found is None:
            return None
        one = found.fork()
        seat = next(seat for seat, ask in sorted(asked(one.state).items()) if ask.sealed)
        return kept(one, one.view(seat), *make(one, seat), own=SEATS)

    return run


def _falsely(code: str) -> Callable[[Sitting, int], list[bytes]]:
    def make(one: Sitting, seat: int) -> list[bytes]:
        data = one.signed(seat)
        return [encode(loose(data)), encode(refusal(one, data, code))]

    return make


def _taken_and_misfit(one: Sitting, seat: int) -> list[bytes]:
    data = one.signed(seat)
    return [encode(one.fork().give(data).receipt), encode(refusal(one, data, "bad-commitment"))]


compared("a legal move refused as if its sealed part did not fit", HOST, "refused-though-legal")(
    sealing(_falsely("bad-commitment"))
)
compared("a legal move with sealed fields refused as damaged, in a receipt", HOST, "refused-though-legal")(
    sealing(_falsely("damaged"))
)
compared("a move taken, and refused as if its sealed part did not fit", HOST, "taken-and-refused")(
    sealing(_taken_and_misfit)
)


# --- private parts ---------------------------------------------------------------------------------------------------


def part(change: Callable[[Sitting, r.Private], Any]) -> Callable[[str], Kept | None]:
    """The first private part of seat 1 re-signed."""

    def run(game: str) -> Kept | None:
        sitting = played(game, 0)
        while not sitting.match.privates[1] and sitting.round < 4:
            sitting.step()
        parts = sitting.match.privates[1]
        if not parts:
            return None
        parts[0] = sign(sitting.host, "private", change(sitting, decode(bytes(parts[0].body), r.Private, "private")))
        return kept(sitting, *map(sitting.view, SEATS))

    return run


way("a private part for another entry", HOST, "false-private", by=OWNER)(
    part(lambda s, one: replace(one, entry="00" * 32))
)
way("a private part with a token too many", HOST, "missing-opening", by=OWNER)(
    part(lambda s, one: replace(one, openings=(*one.openings, one.openings[-1])))
)
way("a private part with a false salt", HOST, "bad-opening", by=OWNER)(
    part(lambda s, one: replace(one, openings=(replace(one.openings[0], salt="00" * 32), *one.openings[1:])))
)
way("a private part that nobody can read", HOST, "bad-private", by=OWNER)(
    part(lambda s, one: {"round": 1, "seat": 1, "game": s.table.id})
)


# --- framing ---------------------------------------------------------------------------------------------------------


def framed(change: Callable[[Sitting, r.View], Sequence[bytes] | None]) -> Callable[[str], Kept | None]:
    """Files of an honest game that somebody changed in transit."""

    def run(game: str) -> Kept | None:
        sitting = played(game)
        files = change(sitting, decode(sitting.view(1), r.View, "view"))
        return kept(sitting, *files, own=[0, 1, 2]) if files else None

    return run


def _without_ops(view: r.View) -> r.View:
    last = entries_of(view)[-1]
    body = msgspec.Raw(encode(replace(last, ops=(), link="00" * 32)))
    return replace(view, entries=(*view.entries[:-1], replace(view.entries[-1], body=body)))


def _cut_short(view: r.View, rounds: int) -> r.View:
    """The first entries, with all that was told in them, beside the newest position."""
    told = [one for one in view.privates if decode(bytes(one.body), r.Private, "private").round <= rounds]
    return replace(view, entries=view.entries[:rounds], privates=tuple(told))


def _other_game(sitting: Sitting) -> Sitting:
    """Another game of the same host and players."""
    return Sitting(sitting.game_id, 3, "ways", deadline=30).until(4)


def _of_another(sitting: Sitting, view: r.View, field: str) -> list[bytes]:
    other = decode(_other_game(sitting).view(1), r.View, "view")
    return (
        [encode(replace(view, **{field: getattr(other, field)}))]
        if getattr(other, field) != getattr(view, field)
        else []
    )


for _attempt, _who, _codes, _files in (
    ("an entry altered", STRANGER, ("bad-signature",), lambda s, v: [encode(_without_ops(v))]),
    ("an entry left out", STRANGER, ("altered-chain",), lambda s, v: [encode(replace(v, entries=v.entries[1:]))]),
    ("entries in another order", STRANGER, ("altered-chain",), lambda s, v: [
        encode(replace(v, entries=v.entries[::-1]))]),
    ("an entry twice", STRANGER, ("altered-chain",), lambda s, v: [
        encode(replace(v, entries=(*v.entries, v.entries[-1])))]),
    ("entries of another game of the host", STRANGER, ("altered-chain",), lambda s, v: _of_another(s, v, "entries")),
    ("private parts of another game", STRANGER, ("mixed-view",), lambda s, v: _of_another(s, v, "privates")),
    ("the genesis of another game", STRANGER, ("mixed-view", "altered-chain"), lambda s, v: _of_another(
        s, v, "genesis")),
    ("private parts taken out", STRANGER, ("missing-private",), lambda s, v: [
        encode(replace(v, privates=()))] if v.privates else []),
    ("private parts of another player", COALITION, ("mixed-view",), lambda s, v: [
        encode(replace(v, privates=decode(s.view(0), r.View, "view").privates))] if v.privates else []),
    ("a view made out to another seat", STRANGER, ("mixed-view",), lambda s, v: [
        encode(replace(v, seat=2))] if v.privates else []),
    ("another position", STRANGER, ("mixed-view",), lambda s, v: [encode(replace(v, public=msgspec.Raw(b"{}")))]),
    ("a chain cut short beside a longer one", STRANGER, ("mixed-view",), lambda s, v: [
        encode(v), encode(_cut_short(v, 2))]),
    ("a receipt that the host did not sign", PLAYER, (), lambda s, v: [encode(v), encode(
        sign(s.players[0], "receipt", r.Receipt(s.table.id, 2, 0, "00" * 32, "taken")))]),
    ("a receipt of another game of the host", PLAYER, (), lambda s, v: [encode(v), encode(
        _taken_elsewhere(_other_game(s)))]),
    ("an extension that the host did not sign", PLAYER, (), lambda s, v: _late_with(s, lambda one, seat: encode(sign(
        one.players[seat], "extension", Extension(one.table.id, one.round + 1, seat, LATER))))),
    ("an extension that was kept", PLAYER, (), lambda s, v: _late_with(s,
        lambda one, seat: _promised(one, seat, "2027-01-01T01:00Z"))),
    ("an extension for another round", PLAYER, (), lambda s, v: _late_with(s,
        lambda one, seat: _promised(one, seat, LATER, round=one.round))),
    ("an extension for another player", PLAYER, (), lambda s, v: _late_with(s,
        lambda one, seat: _promised(one, (seat + 1) % 3, LATER))),
    ("an extension of another game of the host", PLAYER, (), lambda s, v: _late_with(s,
        lambda one, seat: _promised(one, seat, LATER, game=_other_game(s).table.id))),
    ("an extension until a day that does not exist", PLAYER, (), lambda s, v: _late_with(s,
        lambda one, seat: _promised(one, seat, "2030-02-30T00:00Z"))),
    ("two answers of one player", PLAYER, (), lambda s, v: [encode(v), *_two_answers(s)[1:]]),
    ("a second answer, and the refusal of it", PLAYER, (), lambda s, v: _second(s)),
    ("an old answer sent again, and the refusal of it", PLAYER, (), lambda s, v: _stale(s)),
):  # fmt: skip
    _shown = {"by": NOBODY} if _codes else {"when": PREVENTED, "by": NO_ONE}
    way(f"{_attempt}: to frame the host", _who, *_codes, **_shown)(framed(_files))


def _late_with(sitting: Sitting, extension: Callable[[Sitting, int], bytes]) -> list[bytes]:
    """A game in which a player was rightly timed out, and an extension that makes that no offence."""
    one = played(sitting.game_id, deadline=60, grace=10)
    seat = one.asked[0]
    made = extension(one, seat)
    one.step(seat)
    assert one.state.due == "2027-01-01T02:10Z"
    return [one.view(0), one.view(seat), made]


# What a player seals is judged by an honest host; then its player, or somebody who had the mail, tells something else.


def handed(one: Sitting, *moves: bytes) -> list[bytes]:
    """Moves, and what an honest host signs of them."""
    receipts = [one.give(data).receipt for data in moves]
    return [*moves, *(encode(receipt) for receipt in receipts if receipt)]


def _damaged(one: Sitting, seat: int) -> list[bytes]:
    """Something else beside a signed move: nothing, another box, a box of the mail before, a bit."""
    good, other = (decode(one.signed(seat, salt), r.MoveFile, "move") for salt in ("", "another"))
    raw = b64decode(good.sealed)
    bit = b64encode(raw[:40] + bytes((raw[40] ^ 1,)) + raw[41:]).decode()
    one.signed(seat)
    changed = [encode(replace(good, sealed=sealed)) for sealed in ("", "AAAA", other.sealed, bit, good.sealed[:-4])]
    files = handed(one, *(data for data in changed if data not in (encode(good), encode(other))))
    assert len(files) in (4, 5), "no receipt is signed"
    return files


def _of_another_move(one: Sitting, seat: int) -> list[bytes]:
    """The signed hash of the box belongs to a different move, and the good box is shown."""
    good = decode(one.signed(seat), r.MoveFile, "move")
    move = replace(decode(bytes(good.body), r.Move, "move"), standing=r.NOTHING)
    foreign = boxed(one, seat, replace(move, asked="00" * 32), one.own[seat][move.round])
    return _refused(one, signed_beside(one, seat, move, foreign))


def _another_value(one: Sitting, seat: int) -> list[bytes]:
    """The commitment is to something legal, but something else is encrypted."""
    good = decode(one.signed(seat), r.MoveFile, "move")
    move = decode(bytes(good.body), r.Move, "move")
    lie = {name: replace(secret, salt="00" * 32) for name, secret in one.own[seat][move.round].items()}
    return _refused(one, signed_beside(one, seat, move, boxed(one, seat, move, lie)))


def _another_key(one: Sitting, seat: int) -> list[bytes]:
    """The right fields, encrypted for somebody other than the host."""
    good = decode(one.signed(seat), r.MoveFile, "move")
    move = decode(bytes(good.body), r.Move, "move")
    strange = replace(one.table.offer, box=box_public(chance("strange")).hex())
    own = one.own[seat][move.round]
    return _refused(one, signed_beside(one, seat, move, encrypted(strange, bytes.fromhex(own.ephemeral), move, own)))


def _refused(one: Sitting, data: bytes) -> list[bytes]:
    files = handed(one, data)
    assert len(files) == 2
    assert decode(files[1], Envelope, "receipt").body == refusal(one, data, "bad-commitment").body
    return files


def _two_sealed(one: Sitting, seat: int) -> list[bytes]:
    return handed(one, one.signed(seat, "first"), one.signed(seat, "second"))


for _attempt, _who, _make in (
    ("a move whose encrypted part was damaged on its way", STRANGER, _damaged),
    ("the encrypted part of another move, signed", PLAYER, _of_another_move),
    ("something else encrypted than what is committed to", PLAYER, _another_value),
    ("a sealed part that was encrypted for somebody else", PLAYER, _another_key),
    ("two sealed answers of one round", PLAYER, _two_sealed),
):
    way(f"{_attempt}: to frame the host", _who, when=PREVENTED, by=NO_ONE)(sealing(_make))


def _taken_elsewhere(other: Sitting) -> Envelope:
    receipt = other.give(other.signed(other.asked[0])).receipt
    assert receipt is not None
    return receipt


def _second(sitting: Sitting) -> list[bytes]:
    one = sitting.fork()
    seat, first, second = _two_answers(one)
    receipts = [one.give(data).receipt for data in (first, second)]
    if one.round == sitting.round:
        one.others(seat)
    return [one.view(0), one.view(seat), first, second, *(encode(receipt) for receipt in receipts if receipt)]


def _stale(sitting: Sitting) -> list[bytes]:
    one = sitting.fork()
    seat, first, second = _two_answers(one)
    one.give(first)
    if one.round == sitting.round:
        one.others(seat)
    return [one.view(seat), second, encode(one.give(second).receipt), encode(one.give(first).receipt)]


@way("a game that the host calls off at the deal", HOST, when=NOT_COVERED, by=NO_ONE)
def _called_off(game: str) -> Kept:
    sitting = played(game, 1)
    return kept(sitting, sitting.view(0), sitting.view(1))


@way("an answer that the host says it never got", HOST, when=NOT_COVERED, by=NO_ONE)
def _never_came(game: str) -> Kept:
    """There is no receipt, so nobody can prove that it was sent."""
    sitting = played(game)
    seat = sitting.asked[0]
    data = sitting.signed(seat)
    sitting.step(seat)
    return kept(sitting, sitting.view(0), data)


# --- after the end ---------------------------------------------------------------------------------------------------


def ended(sitting: Sitting) -> Sitting:
    """A few rounds, and then all but one leave."""
    sitting.until(6)
    while not sitting.over:
        for seat in sitting.asked:
            sitting.give(sitting.signed(seat, resign=True) if seat < 2 else sitting.signed(seat))
    return sitting


@cache
def finished(game: str) -> Sitting:
    return ended(Sitting(game, 3, "ways"))


def revealed(change: Callable[[r.Transcript], dict[str, Any] | None]) -> Callable[[str], Kept | None]:
    """A last view, and the transcript with these changes."""

    def run(game: str) -> Kept | None:
        sitting = finished(game)
        whole = decode(sitting.transcript(), r.Transcript, "transcript")
        changes = change(whole)
        return kept(sitting, sitting.view(0), encode(replace(whole, **changes))) if changes else None

    return run


for _attempt, _code, _part in (
    ("another secret in the transcript", "bad-secret", lambda whole: {"secret": "00" * 32}),
    ("a transcript without its last round", "not-over", lambda whole: {
        "entries": whole.entries[:-1], "sealed": tuple(s for s in whole.sealed if s.round < len(whole.entries))}),
    ("a sealed answer left out of the transcript", "bad-sealed", lambda whole: whole.sealed and {
        "sealed": whole.sealed[1:]}),
    ("a common chance in a game that has none", "bad-secret", lambda whole: {"chance": "00" * 32}),
):  # fmt: skip
    way(_attempt, HOST, _code, when=AFTER, by=NOBODY)(revealed(_part))


@way("two tokens exchanged in a bag before the first round", HOST, "bad-bag", when=AFTER)
def _exchanged(game: str) -> Kept | None:
    """A chosen order: every face is there as often as it should be, so no count reveals it."""
    sitting = Sitting(game, 3, "ways")
    bag = next((name for name, leaves in sitting.table.genesis.leaves.items() if len(leaves) > 1), None)
    if bag is None:
        return None
    faces, seating = dict(sitting.match.faces), sitting.table.seating
    one = f"{bag}.0.0"
    other = next((slot for slot in faces if slot.startswith(f"{bag}.0.") and faces[slot] != faces[one]), one)
    faces[one], faces[other] = faces[other], faces[one]
    leaves = [*sitting.table.genesis.leaves[bag]]
    for index in (0, int(other.rpartition(".")[2])):
        salt = slots.salt(derive(sitting.match.secret, "salts", seating, bag, 0), index)
        leaves[index] = slots.leaf(seating, bag, 0, index, salt, faces[f"{bag}.0.{index}"]).hex()
    sealed = replace(sitting.table.genesis, leaves=sitting.table.genesis.leaves | {bag: tuple(leaves)})
    sitting.match = host.new_match(sitting.host, Table(sign(sitting.host, "genesis", sealed)))
    sitting.match.faces = faces
    ended(sitting)
    return kept(sitting, *map(sitting.view, SEATS), sitting.transcript())


# --- players, to whom the host says no -------------------------------------------------------------------------------


def handed_in(make: Callable[[Sitting, int], bytes]) -> Callable[[str], Finding]:
    """The host's reply to a move, which changes nothing."""

    def run(game: str) -> Finding:
        sitting = played(game)
        seat, before = sitting.asked[0], sitting.file()
        judged = sitting.give(make(sitting, seat))
        assert sitting.file() == before
        return AT_ONCE, attacks.HOST, frozenset({judged.code})

    return run


for _attempt, _code, _make in (
    ("a move altered after it was signed", "bad-signature", attacks._altered),
    ("a move for another game", "other-game", attacks._signed_with(game="00" * 32)),
    ("a move for another seat", "bad-signature", lambda s, seat: attacks._signed_with(seat=(seat + 1) % 3)(s, seat)),
    ("a move for a round that is over", "stale", attacks._signed_with(round=1)),
    ("an answer to a question that was not asked", "not-asked", attacks._signed_with(asked="00" * 32)),
    ("a link that is not the next one", "bad-link", attacks._signed_with(link="00" * 32)),
):  # fmt: skip
    way(_attempt, PLAYER, _code, by=attacks.HOST)(handed_in(_make))


if __name__ == "__main__":
    sys.stdout.write(rendered())
