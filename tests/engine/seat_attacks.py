"""What a host, a newcomer or an old player can try where seats change hands; rows of the table in `attacks`."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from referee.crypto.codec import decode, encode, raw
from referee.crypto.envelope import Envelope, sign
from referee.crypto.keys import Key
from referee.engine import host
from referee.engine import records as r
from referee.engine.player import open_view, sign_return
from referee.engine.seats import out_seats, vacancies
from referee.errors import RefereeError
from tests.engine.plots import AT_ONCE, EVERYBODY, Found, blame
from tests.support import match
from tests.support.match import Sitting, chance, change_entry, cheating, entries_of, lied, resigned

DAY = 1440
OWNER, HOST = "its owner", "the host"
SIDE_BY_SIDE, COMPARING = "side by side", "whoever compares files"
Run = Callable[[], Found]
SEAT = 2


def vacant(seed: str = "seats", takeovers: int = 1) -> Sitting:
    """A game whose third seat is out, and can be taken over after a day."""
    sitting = Sitting("auction", 3, seed, deadline=DAY, takeovers=takeovers, takeover=DAY).until("play")
    while SEAT not in out_seats(sitting.state):
        sitting.step(*(seat for seat in (SEAT,) if seat in sitting.asked))
    return sitting


def taken(seed: str = "seats", takeovers: int = 1) -> Sitting:
    """The same game after somebody has taken it over."""
    sitting = vacant(seed, takeovers)
    sitting.wait(2 * DAY)
    host.take_arrival(sitting.match, sitting.succession(SEAT))
    sitting.step()
    sitting.sit_down(SEAT)
    return sitting


def newest(sitting: Sitting) -> r.Entry:
    return entries_of(decode(sitting.view(0), r.View, "view"))[-1]


def succession(sitting: Sitting, name: str = "Xara", key: Key | None = None, seat: int = SEAT) -> Envelope:
    """A succession for the vacancy before the newest entry, valid or not."""
    before = open_view(sitting.view(0)).chain.rounds[-2].checkpoint
    vacancy = vacancies(before.state, before.head).get(seat)
    key = key or Key(chance("seat attack", name), name)
    entry = vacancy.entry if vacancy else before.head
    body = r.Succession(sitting.table.id, seat, entry, name, key.public.hex(), "11" * 32, "22" * 32)
    return sign(key, "succession", body)


def signed_so(sitting: Sitting, **changes: Any) -> Found:
    """Sign the newest entry with these changes as the host; returns what everybody finds."""
    views = (change_entry(sitting.host, sitting.view(seat), sitting.round, **changes) for seat in range(3))
    found = {blame(lambda view=view: match.open_view(view)) for view in views}
    assert len(found) == 1, found
    return found.pop()


def with_successions(make: Callable[[Sitting], tuple[Envelope, ...]], seed: str = "seats") -> Run:
    def run() -> Found:
        sitting = taken(seed)
        return signed_so(sitting, successions=make(sitting))

    return run


def _replayed() -> Found:
    sitting = taken(takeovers=2)
    again = newest(sitting).successions
    sitting.step()
    return signed_so(sitting, successions=again)


def _forked() -> Found:
    """Signed for a history in which the seat went out in a different entry."""
    sitting = Sitting("auction", 3, "seats", deadline=DAY, takeovers=1, takeover=DAY).until("play")
    other = sitting.fork()
    other.step(salt="another")
    for one in (sitting, other):
        while SEAT not in out_seats(one.state):
            one.step(*(seat for seat in (SEAT,) if seat in one.asked))
        one.wait(2 * DAY)
    false = other.succession(SEAT)
    sitting.step()
    return signed_so(sitting, successions=(false,))


def _two_stories() -> Found:
    """One successor is shown to one player, another to another."""
    sitting = vacant()
    sitting.wait(2 * DAY)
    other = sitting.fork()
    other.now = sitting.now
    for one, name in ((sitting, "Zoe"), (other, "Yves")):
        host.take_arrival(one.match, one.succession(SEAT, name))
        one.step()
    return compared(match.open_view(sitting.view(0)), match.open_view(other.view(1)))


def compared(*views: Any) -> Found:
    """What files show when compared."""
    from tests.engine import attacks

    found, _ = attacks.compare(views)
    return Found(SIDE_BY_SIDE, COMPARING, found[0].code)


def _early() -> Found:
    sitting = vacant()
    return _stating(sitting, vacancies(sitting.state, "")[SEAT].due)


def _stating(sitting: Sitting, due: str) -> Found:
    sitting.step()
    sitting.match.due = due
    return signed_so(sitting, successions=(succession(sitting),), due=due)


def _at_the_end() -> Found:
    sitting = vacant()
    sitting.wait(2 * DAY)
    sitting.to_end()
    return signed_so(sitting, successions=(succession(sitting),))


def _not_out() -> Found:
    sitting = Sitting("auction", 3, "seats", deadline=DAY, takeovers=1).until("play")
    sitting.step()
    return signed_so(sitting, successions=(succession(sitting, seat=0),))


def _named_another() -> Found:
    sitting = Sitting("auction", 3, "seats", deadline=DAY, takeovers=1).until("play")
    hand_over(sitting, 0, sitting.newcomer())
    host.take_arrival(sitting.match, sitting.succession(0))
    sitting.step()
    return signed_so(sitting, successions=(succession(sitting, seat=0),))


def hand_over(sitting: Sitting, seat: int, key: Key) -> None:
    file = decode(sitting.signed(seat), r.MoveFile, "move")
    judged = sitting.give(resigned(sitting, seat, file, handover=key.public.hex()))
    assert judged.error is None, judged.error
    sitting.others(seat)


def _returned(key: Callable[[Sitting], Key]) -> Run:
    def run() -> Found:
        sitting = vacant()
        head = sitting.match.checkpoint.head
        sitting.step()
        forged = sign(key(sitting), "return", r.Return(sitting.table.id, SEAT, head))
        return signed_so(sitting, returns=(r.Returned(SEAT, forged.sig),))

    return run


def _too_many() -> Found:
    sitting = taken()
    while SEAT not in out_seats(sitting.state):
        sitting.step(*(seat for seat in (SEAT,) if seat in sitting.asked))
    sitting.wait(2 * DAY)
    sitting.step()
    return signed_so(sitting, successions=(succession(sitting),))


def _nobody_came() -> Found:
    """A state with a new holder that no succession names: signed so from the start, with hashes that fit."""
    sitting = vacant()
    sitting.wait(2 * DAY)
    holder = r.Holder(SEAT, sitting.round + 1, "Xara", "11" * 32, "22" * 32, "33" * 32)

    def lie(table: Any, closed: Any) -> Any:
        return lied(table, closed, holders=(holder,))

    with cheating(lie=lie):
        sitting.step()
    return blame(lambda: match.open_view(sitting.view(0)))


def _old_answer() -> Found:
    sitting = taken()
    old = match.Sitting("auction", 3, "seats").players[SEAT]
    sitting.step()
    entry = newest(sitting)
    answers = []
    for one in entry.answers:
        move = r.move_of(entry.game, entry.round, entry.prev, one)
        answers.append(replace(one, sig=sign(old, "move", move).sig) if one.seat == SEAT else one)
    return signed_so(sitting, answers=tuple(answers))


def _handed(change: dict[str, str]) -> Run:
    def run() -> Found:
        sitting = Sitting("auction", 3, "seats", takeovers=1).until("play")
        hand_over(sitting, 0, sitting.newcomer())
        first, *others = newest(sitting).answers
        return signed_so(sitting, answers=(replace(first, **change), *others))

    return run


def _unlinked() -> Found:
    """The round after a takeover, with the answers of those alone who decide something."""
    for seed in range(10, 40):  # in those before everybody decides
        sitting = taken(f"seats {seed}")
        sitting.step()
        deciding = tuple(one for one in newest(sitting).answers if r.content(one.answer))
        if 0 < len(deciding) < 3:
            return signed_so(sitting, answers=deciding)
    raise AssertionError("everybody decides in every game")


def _told_falsely() -> Found:
    """A seat is handed over with an answer that is held, and its new player gets a false value."""
    sitting = Sitting("auction", 3, "seats held", takeovers=1).until("bid")
    first = decode(sitting.signed(0), r.MoveFile, "move")
    sitting.give(resigned(sitting, 0, first, handover=sitting.newcomer().public.hex()))
    sitting.give(sitting.signed(2))
    sitting.pass_over([1])
    host.take_arrival(sitting.match, sitting.succession(0))
    sitting.step(1)
    part = decode(bytes(sitting.match.privates[0][-1].body), r.Private, "private")
    (name, kept), *_ = part.sealed[0].fields.items()
    fields = {**part.sealed[0].fields, name: replace(kept, value=raw(99))}
    lie = sign(sitting.host, "private", replace(part, sealed=(replace(part.sealed[0], fields=fields),)))
    view = decode(sitting.view(0), r.View, "view")
    found = blame(lambda: match.open_view(encode(replace(view, privates=(*view.privates[:-1], lie)))))
    assert blame(lambda: match.open_view(sitting.view(2))).code == "ok"
    return found._replace(by=OWNER)


def _kept_words() -> Found:
    from referee.games.auction import Words

    sitting = Sitting("auction", 3, "seats words", takeovers=1).until("play")
    for seat in sitting.asked:
        sitting.give(sitting.saying(seat, Words(bid=3)) if seat == SEAT else sitting.signed(seat))
    while SEAT not in out_seats(sitting.state):
        sitting.step(*(seat for seat in (SEAT,) if seat in sitting.asked))
    host.take_arrival(sitting.match, sitting.succession(SEAT))

    def lie(table: Any, closed: Any) -> Any:
        public = closed.checkpoint.public
        return lied(table, closed, replace(public, standing=(*public.standing[:SEAT], Words(bid=3))))

    with cheating(lie=lie):
        sitting.step()
    return blame(lambda: match.open_view(sitting.view(0)))


def refused(act: Callable[[], Any]) -> Found:
    """The host's reply to something that was sent in."""
    try:
        judged = act()
        code = judged.code
    except RefereeError as error:
        code = error.code
    return Found(AT_ONCE, HOST, code)


def _newcomer(make: Callable[[Sitting], Envelope]) -> Run:
    def run() -> Found:
        sitting = vacant()
        return refused(lambda: host.take_arrival(sitting.match, make(sitting)))

    return run


def _unasked(sitting: Sitting, key: Key, **changes: Any) -> Envelope:
    """A succession for the seat that is vacant now, signed whatever it says."""
    vacancy = vacancies(sitting.state, sitting.match.checkpoint.head)[SEAT]
    body = r.Succession(sitting.table.id, SEAT, vacancy.entry, "Xara", key.public.hex(), "11" * 32, "22" * 32)
    return sign(key, "succession", replace(body, **changes))


def _after_takeover() -> Found:
    """The former holder of the seat answers for it."""
    sitting = taken()
    old = match.Sitting("auction", 3, "seats").players[SEAT]
    file = decode(sitting.signed(SEAT), r.MoveFile, "move")
    sitting.players[SEAT] = old
    return refused(lambda: sitting.give(resigned(sitting, SEAT, file)))


def _back_twice() -> Found:
    """A return that was already used is sent again."""
    sitting = vacant()
    file = decode(sign_return(sitting.players[SEAT], sitting.opened(SEAT)), Envelope, "return")
    host.take_arrival(sitting.match, file)
    sitting.step()
    return refused(lambda: host.take_arrival(sitting.match, file))


ONCE = (AT_ONCE, EVERYBODY, "bad-succession")
ROWS: list[tuple[str, str, str, str, Run]] = [
    ("a succession used a second time", *ONCE, _replayed),
    ("a succession signed for another story of the game", *ONCE, _forked),
    ("two successors for one seat in one entry", *ONCE,
     with_successions(lambda one: (newest(one).successions[0], succession(one)))),
    ("two successors for one seat, each shown to other players", SIDE_BY_SIDE, COMPARING, "two-entries", _two_stories),
    ("a seat given away before its time", *ONCE, _early),
    ("a seat given away in the entry that ends the game", *ONCE, _at_the_end),
    ("a seat given away whose player is there", *ONCE, _not_out),
    ("a seat given to somebody else than its player named", *ONCE, _named_another),
    ("a seat taken over by the host's key", *ONCE, with_successions(lambda one: (succession(one, key=one.host),))),
    ("a seat taken over by who sits at the table", *ONCE,
     with_successions(lambda one: (succession(one, key=one.players[0]),))),
    ("a seat taken over under the name of who held it", *ONCE,
     with_successions(lambda one: (succession(one, "Carla"),))),
    ("a succession that its key did not sign", *ONCE,
     with_successions(lambda one: (replace(succession(one), sig=newest(one).successions[0].sig),))),
    ("more seats taken over than the offer allows", *ONCE, _too_many),
    ("a new holder that no succession names", AT_ONCE, EVERYBODY, "rule-broken", _nobody_came),
    ("a return that the host signed itself", *ONCE, _returned(lambda one: one.host)),
    ("a return that another player signed", *ONCE, _returned(lambda one: one.players[0])),
    ("an answer of who held a seat before, taken", AT_ONCE, EVERYBODY, "bad-move", _old_answer),
    ("a hand-over struck out of an answer", AT_ONCE, EVERYBODY, "bad-move", _handed({"handover": ""})),
    ("another key put into a hand-over", AT_ONCE, EVERYBODY, "bad-move", _handed({"handover": "55" * 32})),
    ("a draw after a takeover without a link of everybody", AT_ONCE, EVERYBODY, "bad-round", _unlinked),
    ("a false value told to who inherits a sealed answer", AT_ONCE, OWNER, "bad-opening", _told_falsely),
    ("standing orders kept of who left the seat", AT_ONCE, EVERYBODY, "rule-broken", _kept_words),
    ("a player: a seat that is not vacant taken over", AT_ONCE, HOST, "bad-succession",
     _newcomer(lambda one: _unasked(one, one.newcomer(), seat=0))),
    ("a player: a second seat taken over with the same key", AT_ONCE, HOST, "bad-succession",
     _newcomer(lambda one: _unasked(one, one.players[0]))),
    ("a player: a return signed for somebody else", AT_ONCE, HOST, "bad-succession",
     _newcomer(lambda one: sign(one.players[0], "return", r.Return(one.table.id, SEAT, one.match.checkpoint.head)))),
    ("a player: a return used a second time", AT_ONCE, HOST, "bad-succession", _back_twice),
    ("a player: an answer for a seat that was taken over", AT_ONCE, HOST, "bad-signature", _after_takeover),
]  # fmt: skip
