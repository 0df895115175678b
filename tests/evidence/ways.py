"""Ways to cheat or to frame that games share, carried out on games of all kinds: who does what, and what comes of it.

The table of `tests/engine/attacks.py` has more of them, each once; these are done to every game there is.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope, sign
from referee.engine import host, lobby
from referee.engine import records as r
from referee.engine.rounds import ACK, LINK, asked
from referee.game import Ask, ranked
from tests.engine import attacks, plots
from tests.engine.attacks import refusal
from tests.engine.plots import Plot, watch
from tests.evidence.caught import Kept, recording
from tests.support.match import Sitting, chance, change_entry, cheating, entries_of

HOST, COALITION, STRANGER, PLAYER = "the host", "the host and a player", "a stranger", "a player"
NOBODY = ""
"""No code: nobody can be blamed, and nobody is."""


class Way(NamedTuple):
    """Who does what; the codes it is proved with, or none; how. It gives the files that are then at hand, or None where
    a game gives no chance for it."""

    attempt: str
    who: str
    codes: tuple[str, ...]
    run: Callable[[str], Kept | None]


WAYS: list[Way] = []


def way(attempt: str, who: str, *codes: str) -> Callable[[Callable[[str], Any]], Callable[[str], Any]]:
    def add(run: Callable[[str], Any]) -> Callable[[str], Any]:
        WAYS.append(Way(attempt, who, codes, run))
        return run

    return add


def kept(sitting: Sitting, *files: bytes, own: Sequence[int] = ()) -> Kept:
    """These files, and what some seats' tools have kept."""
    sealed = {(number, seat): fields for seat in own for number, fields in sitting.own.get(seat, {}).items()}
    return dict.fromkeys(files, sealed)


def played(game: str, rounds: int = 4, **how: Any) -> Sitting:
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
        return kept(sitting, encode(replace(decode(sitting.view(0), r.View, "view"), genesis=signed)))

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
    ("two players under one name", "bad-name", lambda s: _joins(s, 1, name="ANNA")),
    ("a name that plays tricks on a terminal", "bad-name", lambda s: _joins(s, 1, name="Bert\u202e")),
    ("grace without a deadline", "bad-due", lambda s: _offer(s, grace=5)),
):  # fmt: skip
    way(f"{_attempt}, before the game", HOST, _code)(genesis(_change))


@way("two games started from one offer", HOST, "two-geneses")
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
            sitting, *(change_entry(sitting.host, sitting.view(seat), sitting.round, **changes) for seat in (0, 1))
        )

    return run


def _first(entry: r.Entry, **changes: Any) -> dict[str, Any]:
    return {"answers": (replace(entry.answers[0], **changes), *entry.answers[1:])}


def _others_link(sitting: Sitting, entry: r.Entry) -> dict[str, Any]:
    """A wrong link of an accomplice, who signs it."""
    old = entry.answers[0]
    move = replace(r.rebuilt(entry.game, entry.round, entry.prev, old), link=chance("link").hex())
    return _first(entry, link=move.link, sig=sign(sitting.players[old.seat], "move", move).sig)


def _nonsense(sitting: Sitting, entry: r.Entry) -> dict[str, Any] | None:
    """An answer of an accomplice that is no move."""
    old = entry.answers[0]
    if not r.content(old.answer):
        return None
    move = replace(r.rebuilt(entry.game, entry.round, entry.prev, old), answer=msgspec.Raw(b'{"do":"nonsense"}'))
    return _first(entry, answer=move.answer, sig=sign(sitting.players[old.seat], "move", move).sig)


_LATE = {"timeouts": (0, 1, 2), "answers": ()}
for _attempt, _codes, _change in (
    ("an answer left out", ("bad-round",), lambda s, e: {"answers": e.answers[1:]}),
    ("an answer altered", ("bad-move",), lambda s, e: _first(e, resign=not e.answers[0].resign)),
    ("an answer under another signature", ("bad-move",), lambda s, e: _first(e, sig="00" * 64)),
    ("an answer given to another seat", ("bad-move",), lambda s, e: _first(e, seat=(e.answers[0].seat + 1) % 3)),
    ("an answer of a seat that does not exist", ("bad-move",), lambda s, e: _first(e, seat=9)),
    ("an answer twice", ("bad-round",), lambda s, e: {"answers": (*e.answers, e.answers[-1])}),
    ("standing words put into an answer", ("bad-move",), lambda s, e: _first(e, standing=msgspec.Raw(b"{}"))),
    ("a deadline passed for all who answered", ("bad-round", "bad-ops", "rule-broken"), lambda s, e: {
        "timeouts": tuple(a.seat for a in e.answers), "answers": ()}),
    ("a deadline passed for everybody", ("bad-round", "bad-ops", "rule-broken"), lambda s, e: _LATE),
    ("a deadline stated where there is none", ("bad-due",), lambda s, e: {"due": "2030-01-01T00:00Z"}),
    ("another link of the host", ("bad-host-link",), lambda s, e: {"link": "00" * 32}),
    ("the host's last link again", ("bad-host-link",), lambda s, e: {
        "link": entries_of(decode(s.view(0), r.View, "view"))[-2].link}),
    ("another position", ("rule-broken",), lambda s, e: {"public": "00" * 32}),
    ("another state", ("rule-broken",), lambda s, e: {"state": "00" * 32}),
    ("nobody asked", ("rule-broken",), lambda s, e: {"ask": ()}),
    ("everybody asked something else", ("rule-broken",), lambda s, e: {
        "ask": tuple(Ask(seat, "x") for seat in range(3))}),
    ("an invented result", ("rule-broken",), lambda s, e: {
        "result": ranked([(1,), (2,), (3,)]), "end": "result", "ask": ()}),
    ("the game called void", ("rule-broken",), lambda s, e: {"end": "void"}),
    ("an operation left out", ("bad-ops",), lambda s, e: {"ops": e.ops[:-1]} if e.ops else None),
    ("an operation twice", ("bad-ops", "bad-pick"), lambda s, e: {"ops": (*e.ops, e.ops[-1])} if e.ops else None),
    ("a die that nobody asked for", ("bad-ops",), lambda s, e: {"ops": (*e.ops, r.Die(97, (1,)))}),
    ("a bag sealed anew that nobody asked for", ("bad-ops",), lambda s, e: {
        "ops": (*e.ops, r.Shuffle("goods", 9, ()))}),
):  # fmt: skip
    way(f"{_attempt}, in an entry", HOST, *_codes)(entry(_change))
way("a wrong link of a player taken", COALITION, "bad-link")(entry(_others_link))
way("nonsense of a player taken", COALITION, "rule-broken")(entry(_nonsense))
way("a deadline passed in the first round", HOST, "bad-round")(
    entry(lambda s, e: {"answers": e.answers[1:], "timeouts": (0,)}, 1)
)
way("no deadline where the offer promises one", HOST, "bad-due")(entry(lambda s, e: {"due": ""}, deadline=60))
way("a deadline that is no time", HOST, "bad-due")(entry(lambda s, e: {"due": "2027-02-30T00:00Z"}, deadline=60))


def body(change: Callable[[dict[str, Any]], Any]) -> Callable[[str], Kept]:
    """The newest entry in bytes that the protocol does not have."""

    def run(game: str) -> Kept:
        sitting = played(game)
        view = decode(sitting.view(0), r.View, "view")
        told = change(msgspec.json.decode(view.entries[-1].body))
        signed = sign(sitting.host, "entry", told)
        return kept(sitting, encode(replace(view, entries=(*view.entries[:-1], signed))))

    return run


way("an entry with a field that there is not", HOST, "bad-entry")(body(lambda told: told | {"bonus": 1000}))
way("an entry without its link", HOST, "bad-entry")(body(lambda told: {k: v for k, v in told.items() if k != "link"}))
way("an entry with a default spelt out", HOST, "bad-entry")(body(lambda told: told | {"end": ""}))


@way("an entry that follows another one", HOST, "broken-chain")
def _other_prev(game: str) -> Kept:
    sitting = played(game)
    view = decode(sitting.view(0), r.View, "view")
    last = replace(entries_of(view)[-1], prev="00" * 32)
    return kept(sitting, encode(replace(view, entries=(*view.entries[:-1], sign(sitting.host, "entry", last)))))


@way("an entry after the end", HOST, "after-end")
def _after_end(game: str) -> Kept:
    sitting = played(game, 3)
    while not sitting.over:
        for seat in sitting.asked:
            sitting.give(sitting.signed(seat, resign=True) if seat < 2 else sitting.signed(seat))
    more = replace(
        entries_of(decode(sitting.view(2), r.View, "view"))[-1],
        round=sitting.round + 1, prev=sitting.match.moment.head, answers=(), result=None, end="",
    )  # fmt: skip
    sitting.match.entries.append(sign(sitting.host, "entry", more))
    return kept(sitting, sitting.view(2))


@way("a player passed over before the deadline", HOST, "bad-due")
def _early(game: str) -> Kept:
    sitting = played(game, deadline=60, grace=10)
    with cheating():
        seat = sitting.asked[0]
        sitting.others(seat)
        host.time_out(sitting.match, seat)
    return kept(sitting, sitting.view(1))


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
    match.moment = replace(match.moment, state=replace(match.state, held=match.state.held[1:]))
    with cheating():
        sitting.step()
    return kept(sitting, sitting.view(1))


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


def dealer(call: str, act: Callable[..., Any]) -> Callable[[str], Kept | None]:
    def make(game: str) -> Callable[[], Any]:
        def run() -> None:
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
                # Nobody noticed: then everything is as it would have been.
                assert Sitting(game, 3, f"ways {seed}").to_end().match.entries == sitting.match.entries
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
    noticed(lambda game: attacks.told(game, attacks._opened_up))
)
way("a die thrown again", HOST, "bad-die")(dealer("die", plots.die_thrown_again))
way("surplus dice", HOST, "bad-ops", "bad-die", "rule-broken")(dealer("die", plots.dice_to_spare))
way("a die set instead of thrown", HOST, "bad-ops", "bad-die", "rule-broken")(dealer("die", plots.die_not_thrown))
way("a token more dealt than is due", HOST, "bad-pick", "bad-ops")(dealer("deal", plots.one_more))
way("tokens dealt into another hand", HOST, "bad-ops")(dealer("deal", plots.into_another_hand))
way("a token shown with another face", HOST, "bad-opening")(dealer("_tokens", plots.another_face))
way("a false face told to a player", HOST, "bad-opening")(dealer("_tell", plots.told_another(1)))
way("a player not told one of its tokens", HOST, "missing-opening")(dealer("_tell", plots.told_less(1, 2)))
way("a hand of choice dealt", HOST, "bad-pick")(
    dealer("_pick", lambda dealer, name, count: plots.best_of(name)(dealer, name, count))
)


def _richer(table: Any, closed: Any) -> dict[str, Any] | None:
    """More of the first number that the position has for each seat."""
    if closed.entry.round < 4:
        return None
    data = msgspec.json.decode(encode(closed.moment.public))

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


@way("two entries for one round", HOST, "two-entries")
def _two_entries(game: str) -> Kept:
    one = played(game)
    other = one.fork()
    one.step()
    other.step(other.asked[0])
    return kept(one, one.view(0), other.view(1))


@way("another deadline stated to another player", HOST, "two-entries")
def _two_deadlines(game: str) -> Kept:
    one = played(game, deadline=60)
    other = one.fork()
    other.match.due = "2030-01-01T00:00Z"
    one.step()
    other.step()
    return kept(one, one.view(0), other.view(1))


@way("an answer taken, and then called late", HOST, "taken-and-timed-out")
def _taken_and_late(game: str) -> Kept:
    one = played(game)
    seat = one.asked[0]
    receipt = one.fork().give(one.signed(seat)).receipt
    one.step(seat)
    return kept(one, one.view(0), encode(receipt))


def _two_answers(one: Sitting) -> tuple[int, bytes, bytes]:
    seat = one.asked[0]
    return seat, one.signed(seat), one.signed(seat, resign=True)


@way("an answer taken, and another one put into the entry", HOST, "taken-and-dropped")
def _dropped(game: str) -> Kept:
    one = played(game)
    seat, first, second = _two_answers(one)
    receipt = one.fork().give(second).receipt
    one.give(first)
    one.others(seat)
    return kept(one, one.view(0), encode(receipt))


@way("two answers of one player taken", HOST, "two-taken")
def _two_taken(game: str) -> Kept:
    one = played(game)
    _, first, second = _two_answers(one)
    receipts = [one.fork().give(data).receipt for data in (first, second)]
    return kept(one, one.view(0), *map(encode, receipts))


@way("an answer taken and refused", HOST, "taken-and-refused")
def _both(game: str) -> Kept:
    one = played(game)
    data = one.signed(one.asked[0])
    return kept(one, one.view(0), encode(one.fork().give(data).receipt), encode(refusal(one, data, "illegal")))


@way("told that it had answered, and then called late", HOST, "answered-and-timed-out")
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


way("a legal move refused as illegal", HOST, "refused-though-legal")(refused("illegal", 5))
way("a legal move refused as one that was not asked for", HOST, "refused-though-legal")(refused("not-asked", 5))
way("a legal ack refused", HOST, "refused-though-legal")(refused("bad-link", 0))


# --- private parts ---------------------------------------------------------------------------------------------------


def part(change: Callable[[Sitting, r.Private], Any]) -> Callable[[str], Kept | None]:
    """The first private part of seat 1 signed anew."""

    def run(game: str) -> Kept | None:
        sitting = played(game)
        parts = sitting.match.privates[1]
        if not parts:
            return None
        parts[0] = sign(sitting.host, "private", change(sitting, decode(bytes(parts[0].body), r.Private, "private")))
        return kept(sitting, sitting.view(1), sitting.view(0))

    return run


way("a private part for another entry", HOST, "false-private")(part(lambda s, one: replace(one, entry="00" * 32)))
way("a private part with a token too many", HOST, "missing-opening")(
    part(lambda s, one: replace(one, openings=(*one.openings, one.openings[-1])))
)
way("a private part with a false salt", HOST, "bad-opening")(
    part(lambda s, one: replace(one, openings=(replace(one.openings[0], salt="00" * 32), *one.openings[1:])))
)
way("a private part that nobody can read", HOST, "bad-private")(
    part(lambda s, one: {"round": 1, "seat": 1, "game": s.table.id})
)


# --- framing ---------------------------------------------------------------------------------------------------------


def framed(change: Callable[[Sitting, r.View], Sequence[bytes] | None]) -> Callable[[str], Kept | None]:
    """Files of an honest game that somebody changed on their way."""

    def run(game: str) -> Kept | None:
        sitting = played(game)
        files = change(sitting, decode(sitting.view(1), r.View, "view"))
        return kept(sitting, *files, own=[0, 1, 2]) if files else None

    return run


def _without_ops(view: r.View) -> r.View:
    last = entries_of(view)[-1]
    body = msgspec.Raw(encode(replace(last, ops=(), link="00" * 32)))
    return replace(view, entries=(*view.entries[:-1], replace(view.entries[-1], body=body)))


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


for _attempt, _who, _files in (
    ("an entry altered", STRANGER, lambda s, v: [encode(_without_ops(v))]),
    ("an entry left out", STRANGER, lambda s, v: [encode(replace(v, entries=v.entries[1:]))]),
    ("entries in another order", STRANGER, lambda s, v: [encode(replace(v, entries=v.entries[::-1]))]),
    ("an entry twice", STRANGER, lambda s, v: [encode(replace(v, entries=(*v.entries, v.entries[-1])))]),
    ("entries of another game of the host", STRANGER, lambda s, v: _of_another(s, v, "entries")),
    ("private parts of another game", STRANGER, lambda s, v: _of_another(s, v, "privates")),
    ("the genesis of another game", STRANGER, lambda s, v: _of_another(s, v, "genesis")),
    ("private parts taken out", STRANGER, lambda s, v: [encode(replace(v, privates=()))] if v.privates else []),
    ("private parts of another player", COALITION, lambda s, v: [
        encode(replace(v, privates=decode(s.view(0), r.View, "view").privates))] if v.privates else []),
    ("a view made out to another seat", STRANGER, lambda s, v: [encode(replace(v, seat=2))]),
    ("another position", STRANGER, lambda s, v: [encode(replace(v, public=msgspec.Raw(b"{}")))]),
    ("a chain cut short beside a longer one", STRANGER, lambda s, v: [
        encode(v), encode(replace(v, entries=v.entries[:2], privates=v.privates[:1]))]),
    ("a receipt that the host did not sign", PLAYER, lambda s, v: [encode(v), encode(
        sign(s.players[0], "receipt", r.Receipt(s.table.id, 2, 0, "00" * 32, "taken")))]),
    ("a refusal of a move whose box was broken", PLAYER, lambda s, v: [encode(v), s.signed(s.asked[0]), encode(
        refusal(s, s.signed(s.asked[0]), "bad-commitment"))]),
    ("a receipt of another game of the host", PLAYER, lambda s, v: [encode(v), encode(
        _taken_elsewhere(_other_game(s)))]),
    ("two answers of one player", PLAYER, lambda s, v: [encode(v), *_two_answers(s)[1:]]),
    ("a second answer, and the refusal of it", PLAYER, lambda s, v: _second(s)),
    ("an old answer sent again, and the refusal of it", PLAYER, lambda s, v: _stale(s)),
):  # fmt: skip
    way(f"{_attempt}: to frame the host", _who)(framed(_files))


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


@way("a game that the host calls off at the deal", HOST)
def _called_off(game: str) -> Kept:
    sitting = played(game, 1)
    return kept(sitting, sitting.view(0), sitting.view(1))


@way("an answer that the host says it never got", HOST)
def _never_came(game: str) -> Kept:
    """No receipt was given: nobody can prove that it was sent."""
    sitting = played(game)
    seat = sitting.asked[0]
    data = sitting.signed(seat)
    sitting.step(seat)
    return kept(sitting, sitting.view(0), data)
