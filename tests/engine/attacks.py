"""What a host can try, and the outcome: one row for each attempt, with the function that carries it out.

`python -m tests.engine.attacks` prints the table of PROTOCOL.md, section 10.
"""

import sys
from base64 import b64decode
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace
from referee.games.auction import Bid, Guess, Options, Play, Raid, Words

from referee.crypto import slots
from referee.crypto.codec import H, decode, encode, raw
from referee.crypto.envelope import Envelope, ident, sign
from referee.crypto.links import Chain
from referee.engine import host, lobby
from referee.engine import records as r
from referee.engine.answers import seen
from referee.engine.dealer import Dealer
from referee.engine.player import Opened, open_view
from referee.engine.rounds import Closed
from referee.engine.table import Table
from referee.evidence.compare import compare, refusals
from referee.evidence.replay import open_transcript
from referee.game import Result, ranked
from referee.io.times import DAY
from tests.engine import plots
from tests.engine.fields import BLAMELESS, FIELDS, OPERATIONS
from tests.engine.plots import AFTER, AT_ONCE, EARLY, EVERYBODY, NOBODY, Found, Plot, blame, watch
from tests.engine.seat_attacks import ROWS
from tests.support.match import Sitting, chance, change_entry, cheating, entries_of, lied, resigned, signed_beside
from tests.support.short import short

OWNER, GIVER, SEARCHED = "its owner", "the giver", "the searched player"
HOST = "the host"
KNOWING, COMPARING = "whoever knows the true ones", "whoever compares files"
SIDE_BY_SIDE = "side by side"
"""Two valid files that contradict each other."""


class Attack(NamedTuple):
    """An attempt, its outcome, and how it is carried out."""

    attempt: str
    when: str
    by: str
    code: str
    run: Callable[[], Found]


ATTACKS: list[Attack] = []


def attack(attempt: str, when: str, by: str, code: str) -> Callable[[Callable[[], Found]], Callable[[], Found]]:
    """Register a function in the table."""

    def add(run: Callable[[], Found]) -> Callable[[], Found]:
        ATTACKS.append(Attack(attempt, when, by, code, run))
        return run

    return add


def everywhere(attempt: str, when: str, by: str, code: str, run: Callable[[], Found]) -> None:
    ATTACKS.append(Attack(attempt, when, by, code, run))


def shorter(game: str) -> Any:
    """The longest game is cut short after some of its cards."""
    return short(game, half_cards=24, idle_cards=15) if game == "schwarzmarkt" else None


def dealt(
    call: str,
    act: Callable[..., Any],
    game: str = "auction",
    victims: Sequence[int] = (),
    them: str = OWNER,
    accomplices: Sequence[int] = (),
    wanted: tuple[str, str] | None = None,
) -> Callable[[], Found]:
    """A game whose dealer once does `act` instead of an honest call; other games are tried until there is a chance.

    When it is noticed, and by whom, can depend on the cards: with `wanted`, games are tried until the result is this
    one. In none of them may it go unnoticed."""

    def run() -> Found:
        for seed in range(40):
            plot = Plot(victims, them)
            sitting = Sitting(game, 3, f"deal {seed}", edition=shorter(game))
            try:
                found = watch(sitting, plot, plot.dealer(call, act), accomplices=accomplices)
            except AssertionError:
                if plot.done:
                    raise
                continue
            except plots.StuckError:
                continue
            assert found != plots.NOTHING_FOUND, seed
            if wanted is None or found[:2] == wanted:
                return found
        raise AssertionError("no game gives a chance for it")

    return run


def told(game: str, lie: Callable[[Table, Closed], dict[str, Any] | None], first: int = 0) -> Callable[[], Found]:
    """A game whose host once signs something other than what the rules lead to; others are tried, from this one on,
    until there is a chance."""

    def run() -> Found:
        for seed in range(first, 10):
            plot = Plot()
            try:
                return watch(Sitting(game, 3, f"lie {seed}"), plot, lie=plot.lie(lie))
            except AssertionError:
                if plot.done:
                    raise
        raise AssertionError("no game gives a chance for it")

    return run


def doctored(
    game: str, until: Any, change: Callable[[Sitting, r.Entry], dict[str, Any]], deadline: int = DAY
) -> Callable[[], Found]:
    """A game whose newest entry is signed with these changes; everybody gets it."""

    def run() -> Found:
        sitting = Sitting(game, 3, "entry", deadline=deadline).until(until)
        if not sitting.over:
            sitting.step()
        changes = change(sitting, entries_of(decode(sitting.view(0), r.View, "view"))[-1])
        found = {
            blame(lambda seat=seat: open_view(change_entry(sitting.host, sitting.view(seat), sitting.round, **changes)))
            for seat in range(3)
        }
        assert len(found) == 1, found
        return found.pop()

    return run


# --- draws -----------------------------------------------------------------------------------------------------------

for _game in ("auction", "mark", "weg-zum-erfolg"):
    everywhere(
        f"a die thrown again until it shows what is wanted ({_game})",
        AT_ONCE,
        EVERYBODY,
        "bad-die",
        dealt("die", plots.die_thrown_again, _game),
    )


def spare_in_a_roll(dealer: Dealer, sides: int) -> Any:
    """Not with the three-sided die that says which seat starts M.A.R.K.: other dice follow it, and they are bad
    then."""
    return plots.dice_to_spare(dealer, sides) if sides > 3 else plots.HONEST


for _game in ("auction", "mark"):
    everywhere(
        f"surplus dice, the last one counts ({_game})",
        AT_ONCE,
        EVERYBODY,
        "bad-ops",
        dealt("die", spare_in_a_roll, _game),
    )
everywhere("a die set instead of thrown", AT_ONCE, EVERYBODY, "bad-ops", dealt("die", plots.die_not_thrown))
everywhere("a die with more sides", AT_ONCE, EVERYBODY, "bad-ops", dealt("die", plots.die_with_more_sides))
for _game, _bag in (("auction", "pile"), ("schwarzer-freitag", "bag"), ("schwarzmarkt", "goods")):
    everywhere(
        f"a hand of the host's choice dealt ({_game})",
        AT_ONCE,
        EVERYBODY,
        "bad-pick",
        dealt("_pick", plots.best_of(_bag), _game),
    )


@attack("both hands of Schwarzmarkt's second deal picked", AT_ONCE, EVERYBODY, "bad-pick")
def second_deal() -> Found:
    plot = Plot()
    pick = plots.best_of("goods")

    def act(dealer: Dealer, name: str, count: int) -> Any:
        return pick(dealer, name, count) if dealer.book.bag("goods").generation > 0 else plots.HONEST

    return watch(Sitting("schwarzmarkt", 3, "second"), plot, plot.dealer("_pick", act))


everywhere("one token more dealt than the rules say", AT_ONCE, EVERYBODY, "bad-pick", dealt("deal", plots.one_more))
everywhere("tokens dealt into another hand", AT_ONCE, EVERYBODY, "bad-ops", dealt("deal", plots.into_another_hand))
for _game in ("schwarzer-freitag", "weg-zum-erfolg"):
    everywhere(
        f"a token drawn openly shown with another face ({_game})",
        AT_ONCE,
        EVERYBODY,
        "bad-opening",
        dealt("_tokens", plots.another_face, _game),
    )
everywhere(
    "a container resealed though the rules leave it alone",
    AT_ONCE,
    EVERYBODY,
    "bad-ops",
    dealt("finish", plots.shuffled_unasked("pile")),
)
everywhere(
    "a token held back where a whole hand is laid out",
    AT_ONCE,
    EVERYBODY,
    "withheld",
    dealt("_all_of", plots.held_back, "schwarzer-freitag"),
)


everywhere(
    "equal tokens laid out in another order than M gives them (schwarzmarkt)",
    AFTER,
    EVERYBODY,
    "bad-ops",
    dealt("_named", plots.equal_ones_turned_round, "schwarzmarkt"),
)


def _searched(accomplice: bool) -> Callable[[], Found]:
    """Razzia: a token of the face that is looked for stays in the hand of seat 2."""

    def act(dealer: Dealer, bag: str, face: str) -> Any:
        return plots.held_back(dealer, bag, face) if bag == "goods/1" and face else plots.HONEST

    return dealt("_all_of", act, "schwarzmarkt", [1], SEARCHED, [1] if accomplice else [])


everywhere("a token of the searched hand held back in a Razzia", AT_ONCE, SEARCHED, "withheld", _searched(False))
everywhere("... and the searched player is the host's friend", AFTER, EVERYBODY, "bad-ops", _searched(True))

everywhere(
    "a false face told with a hidden token",
    AT_ONCE,
    OWNER,
    "bad-opening",
    dealt("_tell", plots.told_another(1), victims=[1]),
)
everywhere(
    "one of several hidden tokens not told",
    AT_ONCE,
    OWNER,
    "missing-opening",
    dealt("_tell", plots.told_less(1, 2), victims=[1]),
)
everywhere(
    "a private part left out of a view",
    AT_ONCE,
    NOBODY,
    "missing-private",
    lambda: _without_private(),
)


def _without_private() -> Found:
    sitting = Sitting("auction", 3, "part").until("raid")
    view = decode(sitting.view(1), r.View, "view")
    return blame(lambda: open_view(replace(view, privates=())))


# --- common chance ---------------------------------------------------------------------------------------------------


def _of_common_chance(call: str, act: Callable[..., Any]) -> Callable[[], Found]:
    def run() -> Found:
        plot = Plot()
        return watch(Sitting("auction", 3, "common", common="deal"), plot, plot.dealer(call, act))

    return run


everywhere(
    "common chance: another die than the secret gives",
    AFTER,
    EVERYBODY,
    "bad-ops",
    _of_common_chance("_common", plots.common_again),
)
everywhere(
    "common chance: a hand of the host's choice dealt",
    AFTER,
    EVERYBODY,
    "bad-ops",
    _of_common_chance("_pick", plots.best_of_all("pile")),
)
everywhere(
    "common chance: a die that shows more than it has sides",
    AT_ONCE,
    EVERYBODY,
    "bad-die",
    _of_common_chance("_common", plots.common_beyond),
)
everywhere(
    "common chance: a pile arranged in an order of choice",
    AFTER,
    EVERYBODY,
    "bad-ops",
    _of_common_chance("_leaves", plots.sealed_in_order),
)
everywhere(
    "common chance: another secret in the transcript",
    AFTER,
    NOBODY,
    "bad-secret",
    lambda: _other_chance(),
)


def _other_chance() -> Found:
    sitting = Sitting("auction", 3, "common", common="deal").to_end()
    transcript = decode(sitting.transcript(), r.Transcript, "transcript")
    return blame(lambda: open_transcript(encode(replace(transcript, chance="00" * 32))))._replace(when=AFTER)


# --- resealed containers ------------------------------------------------------------------------------------------


def _better(faces: list[str]) -> list[str]:
    return [faces[-1], *faces[1:]]


def _swapped_for(face: str) -> Callable[[list[str]], list[str]]:
    return lambda faces: [face, *faces[1:]]


everywhere(
    "a hand resealed with another content",
    AT_ONCE,
    OWNER,
    "false-hand",
    dealt("_leaves", plots.sealed_with(lambda bag: bag == "hand/1", _better), victims=[1]),
)
everywhere(
    "a pile resealed with many equal cards",
    EARLY,
    KNOWING,
    "minted",
    dealt(
        "_leaves",
        plots.sealed_with(lambda bag: bag == "pile", lambda faces: [faces[0]] * len(faces)),
        victims=[0, 1, 2],
        them=KNOWING,
        wanted=(EARLY, KNOWING),
    ),
)
everywhere(
    "... with one other card, which the count does not show (schwarzmarkt)",
    AFTER,
    EVERYBODY,
    "bad-ops",
    dealt("_leaves", plots.sealed_with(lambda bag: bag == "goods", _better), "schwarzmarkt"),
)
everywhere(
    "a pile resealed in an order of choice", AFTER, EVERYBODY, "bad-ops", dealt("_leaves", plots.sealed_in_order)
)


everywhere(
    "many equal cards minted for an accomplice whose hand is resealed",
    EARLY,
    KNOWING,
    "minted",
    dealt(
        "_leaves",
        plots.sealed_with(lambda bag: bag == "hand/1", lambda faces: ["13"] * len(faces)),
        victims=[0, 2],
        them=KNOWING,
        accomplices=[1],
        wanted=(EARLY, KNOWING),
    ),
)
everywhere(
    "... where the count does not show it (schwarzmarkt)",
    AFTER,
    EVERYBODY,
    "bad-ops",
    dealt(
        "_leaves",
        plots.sealed_with(lambda bag: bag == "goods/1", _better),
        "schwarzmarkt",
        accomplices=[1],
    ),
)


# --- secret choices carried out --------------------------------------------------------------------------------------

everywhere(
    "another token given than its owner chose",
    AT_ONCE,
    GIVER,
    "false-gift",
    dealt("_given", plots.another_gift, victims=[0, 1, 2], them=GIVER),
)
everywhere(
    "... of a player who did not keep the choice",
    AFTER,
    EVERYBODY,
    "bad-ops",
    lambda: _forgetful(),
)


def _forgetful() -> Found:
    sitting = Sitting("auction", 3, "forget")
    sitting.kept = lambda seat, file: file  # type: ignore[method-assign]
    plot = Plot()
    return watch(sitting, plot, plot.dealer("_given", plots.another_gift))


everywhere(
    "another token sought out than the ranking says",
    AFTER,
    EVERYBODY,
    "bad-ops",
    dealt("_sought", plots.sought_another, "schwarzmarkt"),
)
everywhere(
    "nothing found where the ranking finds something",
    AFTER,
    EVERYBODY,
    "bad-ops",
    dealt("_sought", plots.sought_in_vain, "schwarzmarkt"),
)
everywhere(
    "a sealed bid shown with another value",
    AT_ONCE,
    EVERYBODY,
    "bad-shown",
    dealt("_secrets", plots.shown_another(lambda amount: (amount + 1) % 2)),
)


@attack("a secret choice of an accomplice that its hand forbids, carried out somehow", AFTER, EVERYBODY, "illegal-move")
def forbidden_choice() -> Found:
    sitting, plot = Sitting("auction", 3, "forbidden").until("raid"), Plot()
    (seat,) = sitting.asked
    check = sitting.table.game.check

    def step(one: Sitting) -> None:
        if plot.done:
            one.step()
            return
        card = next(face for face in sorted(one.state.book.inside) if face not in _hand(one, seat))
        one.match.table.game = replace(one.table.game, check=lambda *_: None)
        one.give(one.forced(seat, Raid((seat + 1) % 3, card)))
        one.match.table.game = replace(one.table.game, check=check)

    dealer = plot.dealer("_given", plots.gift_of_anything)
    return watch(sitting, plot, dealer, accomplices=[seat], step=step)


def _hand(sitting: Sitting, seat: int) -> tuple[str, ...]:
    match = sitting.match
    return seen(match.table.game, match.state, match.checkpoint.public, seat, match.faces).hand("hand")


# --- positions, questions, results -----------------------------------------------------------------------------------


def _richer(table: Table, closed: Closed) -> dict[str, Any] | None:
    if closed.entry.round < 4:
        return None
    public = closed.checkpoint.public
    if hasattr(public, "players"):
        first = replace(public.players[0], money=public.players[0].money + 1000)
        return {"public": replace(public, players=(first, *public.players[1:]))}
    return {"public": replace(public, money=(public.money[0] + 1000, *public.money[1:]))}


def _skipped(table: Table, closed: Closed) -> dict[str, Any] | None:
    pending = closed.checkpoint.state.pending
    if closed.entry.round < 4 or len(pending) != 1:
        return None
    return {"pending": (replace(pending[0], seat=(pending[0].seat + 1) % table.seats),)}


def _ended(table: Table, closed: Closed) -> dict[str, Any] | None:
    if closed.entry.round != 6:
        return None
    return {"pending": (), "result": ranked([(seat,) for seat in range(table.seats)]), "end": "result"}


for _game in ("schwarzer-freitag", "mark"):
    everywhere(f"1,000 more money in the position ({_game})", AT_ONCE, EVERYBODY, "rule-broken", told(_game, _richer))
for _game in ("mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg"):
    everywhere(f"a turn skipped ({_game})", AT_ONCE, EVERYBODY, "rule-broken", told(_game, _skipped))
    everywhere(
        f"the game ended in round 6 with an invented result ({_game})",
        AT_ONCE,
        EVERYBODY,
        "rule-broken",
        told(_game, _ended),
    )


def _opened_up(table: Table, closed: Closed) -> dict[str, Any] | None:
    pending = closed.checkpoint.state.pending
    if not any(ask.sealed for ask in pending):
        return None
    return {"pending": tuple(replace(ask, sealed=()) for ask in pending)}


for _game, _first in {"auction": 0, "mark": 0, "schwarzmarkt": 0, "weg-zum-erfolg": 3}.items():
    _lied = told(_game, _opened_up, _first)
    everywhere(f"`sealed` struck out of a question ({_game})", AT_ONCE, EVERYBODY, "rule-broken", _lied)


def _also_asked(table: Table, closed: Closed) -> dict[str, Any] | None:
    pending = closed.checkpoint.state.pending
    if len(pending) != 1:
        return None
    return {"pending": (*pending, replace(pending[0], seat=(pending[0].seat + 1) % table.seats))}


everywhere("somebody asked who has nothing to decide", AT_ONCE, EVERYBODY, "rule-broken", told("auction", _also_asked))


def _other_ranks(table: Table, closed: Closed) -> dict[str, Any] | None:
    result = closed.checkpoint.state.result
    return None if result is None else {"result": Result(result.ranks[::-1], result.scores[::-1])}


everywhere("another result at the end", AT_ONCE, EVERYBODY, "rule-broken", told("auction", _other_ranks))


def _friend_first(table: Table, closed: Closed) -> dict[str, Any] | None:
    result, gone = closed.checkpoint.state.result, dict(closed.checkpoint.state.left)
    if result is None:
        return None
    ranks = tuple(1 if seat in gone else rank + 1 for seat, rank in enumerate(result.ranks))
    return {"result": replace(result, ranks=ranks)}


@attack("a friend who resigned ranked first", AT_ONCE, EVERYBODY, "rule-broken")
def _() -> Found:
    sitting, plot = Sitting("auction", 3, "friend").until("play"), Plot()
    sitting.give(sitting.signed(2, resign=True))
    sitting.others(2)
    return watch(sitting, plot, lie=plot.lie(_friend_first))


def _unmarked(table: Table, closed: Closed) -> dict[str, Any] | None:
    result = closed.checkpoint.state.result
    return None if result is None else {"result": replace(result, out=())}


@attack("a friend who missed the last deadlines not named as out", AT_ONCE, EVERYBODY, "rule-broken")
def _() -> Found:
    sitting, plot = Sitting("auction", 3, "unmarked").until("play"), Plot()
    sitting.step(2)
    sitting.step(2)
    return watch(sitting, plot, lie=plot.lie(_unmarked))


def _end(word: str) -> Callable[[Table, Closed], dict[str, Any] | None]:
    def lie(table: Table, closed: Closed) -> dict[str, Any] | None:
        if closed.entry.round != 3:
            return None
        return {"end": word, "pending": (), "result": ranked([(0,)] * table.seats)} if word == "left" else {"end": word}

    return lie


everywhere(
    "a game called void before its links ran out", AT_ONCE, EVERYBODY, "rule-broken", told("auction", _end("void"))
)
everywhere("a game ended as if all but one had left", AT_ONCE, EVERYBODY, "rule-broken", told("auction", _end("left")))


@attack("a game that goes on after its end", AT_ONCE, EVERYBODY, "after-end")
def after_the_end() -> Found:
    sitting = Sitting("auction", 3, "after").to_end()
    link = sitting.table.host_chain.link(sitting.match.marks, sitting.round + 1).hex()
    last = entries_of(decode(sitting.view(0), r.View, "view"))[-1]
    more = replace(
        last,
        round=sitting.round + 1,
        prev=sitting.match.checkpoint.head,
        answers=(),
        link=link,
        ops=(),
        result=None,
        end="",
    )
    sitting.match.entries.append(sign(sitting.host, "entry", more))
    return blame(lambda: sitting.opened(0))


# --- standing orders -------------------------------------------------------------------------------------------------


def _says(sitting: Sitting, *late: int) -> None:
    """One round, in which seat 1 gives a standing order with its answer."""
    move = None if sitting.what == "ack" else Bid(1)
    assert sitting.give(sitting.signed(0, move=move, standing=Words(2))).error is None
    sitting.others(0, *late)
    for seat in late:
        sitting.miss(seat)


def spoken(what: str, lie: Callable[[Table, Closed], dict[str, Any] | None], *late: int) -> Callable[[], Found]:
    """A game whose host lies about the standing orders that were given when this was asked."""

    def run() -> Found:
        plot = Plot()
        sitting = Sitting("auction", 3, "words")

        def step(one: Sitting) -> None:
            if plot.done or one.what != what:
                one.step()
            else:
                _says(one, *late)

        return watch(sitting, plot, lie=plot.lie(lie), step=step)

    return run


def _with_words(table: Table, closed: Closed, *words: Words) -> dict[str, Any] | None:
    """Another position, if there are standing orders."""
    if all(answer.standing is r.NOTHING for answer in closed.entry.answers):
        return None
    return {"public": replace(closed.checkpoint.public, standing=words)}


def _unheard(table: Table, closed: Closed) -> dict[str, Any] | None:
    return _with_words(table, closed, Words(), Words(), Words())


def _overheard(table: Table, closed: Closed) -> dict[str, Any] | None:
    return _with_words(table, closed, Words(2), Words(2), Words())


for _attempt, _what, _lie, _late in (
    ("standing orders said with the ack left out of the first position", "ack", _unheard, ()),
    ("old standing orders kept in the position", "bid", _unheard, ()),
    ("... in a round with a missed deadline", "bid", _unheard, (2,)),
    ("standing orders of somebody who said none in the position", "bid", _overheard, ()),
):
    everywhere(_attempt, AT_ONCE, EVERYBODY, "rule-broken", spoken(_what, _lie, *_late))


def _reworded(words: Any) -> Callable[[], Found]:
    """The standing orders of an answer are replaced in the entry, and the position follows them."""

    def run() -> Found:
        sitting = Sitting("auction", 3, "words").until("bid")
        _says(sitting)
        first, *others = decode(bytes(sitting.match.entries[-1].body), r.Entry, "entry").answers
        answers = (replace(first, standing=words), *others)
        found = blame(lambda: open_view(change_entry(sitting.host, sitting.view(1), sitting.round, answers=answers)))
        honest = blame(lambda: sitting.opened(1))
        assert honest == plots.NOTHING_FOUND
        return found

    return run


everywhere("standing orders struck out of an answer", AT_ONCE, EVERYBODY, "bad-move", _reworded(r.NOTHING))
everywhere("other standing orders put into an answer", AT_ONCE, EVERYBODY, "bad-move", _reworded(raw(Words(9))))


def _friendly_words(words: bytes, *, leaves: bool = False) -> Callable[[], Found]:
    """The host accepts what its own program would refuse."""

    def change(sitting: Sitting, file: r.MoveFile) -> bytes:
        more = {"resign": True, "answer": r.NOTHING} if leaves else {}
        return resigned(sitting, 0, file, standing=msgspec.Raw(words), **more)

    return lambda: _accomplice(change)


everywhere(
    "standing orders of an accomplice that the game does not know",
    AT_ONCE,
    EVERYBODY,
    "rule-broken",
    _friendly_words(b'{"raid":1}'),
)
everywhere(
    "standing orders of an accomplice in another spelling",
    AT_ONCE,
    EVERYBODY,
    "rule-broken",
    _friendly_words(b'{"bid":null}'),
)
everywhere(
    "standing orders of an accomplice who leaves",
    AT_ONCE,
    EVERYBODY,
    "bad-round",
    _friendly_words(b'{"bid":1}', leaves=True),
)


@attack(
    "an answer taken, and the same one with other words put into the entry",
    SIDE_BY_SIDE,
    COMPARING,
    "taken-and-dropped",
)
def taken_and_reworded() -> Found:
    one = Sitting("auction", 3, "reword").until("bid")
    receipt = one.fork().give(one.signed(1, move=Bid(1), standing=Words(3))).receipt
    one.give(one.signed(1, move=Bid(1)))
    one.others(1)
    return against(one.opened(0), receipt)


@attack("a legal answer refused because of its standing orders", SIDE_BY_SIDE, COMPARING, "refused-though-legal")
def refused_words() -> Found:
    one = Sitting("auction", 3, "refused").until("bid")
    data = one.signed(1, move=Bid(1), standing=Words(3))
    return against(one.opened(1), decode(data, r.MoveFile, "move"), refusal(one, data, "bad-words"))


# --- rounds ----------------------------------------------------------------------------------------------------------

_ANY = raw(Guess(True))


def _answer(sitting: Sitting, entry: r.Entry) -> dict[str, Any]:
    first = entry.answers[0]
    other = msgspec.json.decode(first.answer) | {"card": "99"}
    return {"answers": (replace(first, answer=msgspec.Raw(encode(other))), *entry.answers[1:])}


everywhere("an answer altered", AT_ONCE, EVERYBODY, "bad-move", doctored("auction", "play", _answer))
everywhere(
    "an answer left out",
    AT_ONCE,
    EVERYBODY,
    "bad-round",
    doctored("auction", "play", lambda sitting, entry: {"answers": entry.answers[1:]}),
)
everywhere(
    "a deadline passed for somebody who was not asked",
    AT_ONCE,
    EVERYBODY,
    "bad-round",
    doctored(
        "auction",
        "raid",
        lambda sitting, entry: {"timeouts": tuple(seat for seat in (0, 1) if seat != entry.answers[0].seat)[:1]},
    ),
)
everywhere(
    "a deadline passed in the first round",
    AT_ONCE,
    EVERYBODY,
    "bad-round",
    doctored("auction", 0, lambda sitting, entry: {"answers": entry.answers[1:], "timeouts": (0,)}),
)
everywhere(
    "a deadline passed in a game without deadlines",
    AT_ONCE,
    EVERYBODY,
    "bad-round",
    doctored("auction", "play", lambda sitting, entry: {"answers": entry.answers[1:], "timeouts": (0,)}, deadline=0),
)
everywhere(
    "a round with a missed deadline played all the same",
    AT_ONCE,
    EVERYBODY,
    "bad-ops",
    doctored(
        "auction",
        "play",
        lambda sitting, entry: {"answers": entry.answers[1:], "timeouts": (0,), "due": "2030-01-01T00:00Z"},
    ),
)
everywhere(
    "another link of the host",
    AT_ONCE,
    EVERYBODY,
    "bad-host-link",
    doctored("auction", "bid", lambda sitting, entry: {"link": chance("link").hex()}),
)
everywhere(
    "an entry that follows a different one",
    AT_ONCE,
    EVERYBODY,
    "broken-chain",
    lambda: _entry_after_another(),
)


def _entry_after_another() -> Found:
    sitting = Sitting("auction", 3, "prev").until("raid")
    sitting.step()
    last = decode(bytes(sitting.match.entries[-1].body), r.Entry, "entry")
    sitting.match.entries[-1] = sign(sitting.host, "entry", replace(last, prev="00" * 32))
    return blame(lambda: sitting.opened(0))


@attack("a wrong link of an accomplice taken", AT_ONCE, EVERYBODY, "bad-link")
def foreign_link() -> Found:
    return _accomplice(lambda sitting, file: resigned(sitting, 0, file, link=chance("link").hex()))


@attack("an illegal move of an accomplice taken, as far as public facts tell", AT_ONCE, EVERYBODY, "rule-broken")
def illegal_move() -> Found:
    def other(sitting: Sitting, file: r.MoveFile) -> bytes:
        return resigned(sitting, 0, file, answer=_ANY)

    return _accomplice(other)


@attack("an answer of an accomplice that names an encrypted part and seals nothing", AT_ONCE, EVERYBODY, "bad-round")
def named_box() -> Found:
    return _accomplice(lambda sitting, file: _named(sitting, 0))


@attack("an answer of an accomplice that seals something and names no encrypted part", AT_ONCE, EVERYBODY, "bad-round")
def unnamed_box() -> Found:
    return _accomplice(lambda sitting, file: _unnamed(sitting, 0), "bid")


def _accomplice(change: Callable[[Sitting, r.MoveFile], bytes], what: str = "play") -> Found:
    """The host puts a different answer of seat 1, signed by that seat, into the newest entry."""
    sitting = Sitting("auction", 3, "friend").until(what)
    file = decode(sitting.signed(0), r.MoveFile, "move")
    other = decode(change(sitting, file), r.MoveFile, "move")
    move = decode(bytes(other.body), r.Move, "move")
    sitting.step()
    entry = entries_of(decode(sitting.view(1), r.View, "view"))[-1]
    answer = r.answer_of(move, other.sig)
    changes = {"answers": (answer, *entry.answers[1:])}
    return blame(lambda: open_view(change_entry(sitting.host, sitting.view(1), sitting.round, **changes)))


@attack("a protest of an accomplice who was not timed out", AT_ONCE, EVERYBODY, "bad-round")
def protest_without_cause() -> Found:
    return _accomplice(lambda sitting, file: resigned(sitting, 0, file, protest="00" * 32))


def _late_answer(kept: tuple[int, ...], lie: Callable[[Sitting, r.MoveFile], bytes]) -> Found:
    """Seat 1 was timed out; in the round after that the host puts this answer of it into the entry."""
    sitting = Sitting("auction", 3, "protest", kept=kept).until("play")
    sitting.step(0)
    data = lie(sitting, decode(sitting.signed(0, resign=False), r.MoveFile, "move"))
    other = decode(data, r.MoveFile, "move")
    move = decode(bytes(other.body), r.Move, "move")
    sitting.step()
    entry = entries_of(decode(sitting.view(1), r.View, "view"))[-1]
    answer = r.Answer(0, move.link, other.sig, protest=move.protest)
    changes = {"answers": (answer, *entry.answers[1:])}
    return blame(lambda: open_view(change_entry(sitting.host, sitting.view(1), sitting.round, **changes)))


@attack("a protest signed with a key that the host keeps", AT_ONCE, EVERYBODY, "bad-round")
def protest_of_the_host() -> Found:
    return _late_answer((0,), lambda sitting, file: resigned(sitting, 0, file, protest="00" * 32))


@attack("a protest put into an answer that has none", AT_ONCE, EVERYBODY, "bad-move")
def protest_invented() -> Found:
    return _late_answer((), lambda sitting, file: _unsigned(file, protest="00" * 32))


def _unsigned(file: r.MoveFile, **changes: Any) -> bytes:
    """A move file altered by somebody who cannot sign it."""
    move = replace(decode(bytes(file.body), r.Move, "move"), **changes)
    return encode(replace(file, body=msgspec.Raw(encode(move))))


def _stated(due: str, *late: int, over: bool = False) -> Callable[[], Found]:
    """A game with a deadline of an hour and 10 minutes of grace, in which answers are due at one o'clock; the entry
    after that states this."""

    def run() -> Found:
        sitting = Sitting("auction", 3, "due", deadline=60, grace=10).until("play")
        assert sitting.state.due == "2027-01-01T01:00Z"

        def lie(table: Table, closed: Closed) -> Closed:
            ended = lied(table, closed, result=ranked([(1,), (2,), (3,)]), pending=(), end="result") if over else closed
            state = replace(ended.checkpoint.state, due=due)
            entry = replace(ended.entry, due=due, state=H("state", bytes.fromhex(table.id), encode(state)).hex())
            return Closed(
                entry, replace(ended.checkpoint, state=state, head=ident("entry", encode(entry))), (), closed.calls
            )

        with cheating(lie=lie):
            sitting.step(*late)
        found = {blame(lambda seat=seat: sitting.opened(seat)) for seat in range(3)}
        assert len(found) == 1, found
        return found.pop()

    return run


everywhere("no deadline stated where the offer promises one", AT_ONCE, EVERYBODY, "bad-due", _stated(""))
everywhere("a stated deadline that is not a valid time", AT_ONCE, EVERYBODY, "bad-due", _stated("2027-02-29T00:00Z"))
everywhere(
    "a deadline stated at the end of a game", AT_ONCE, EVERYBODY, "bad-due", _stated("2027-01-02T00:00Z", over=True)
)
everywhere(
    "somebody timed out before the deadline was over", AT_ONCE, EVERYBODY, "bad-due", _stated("2027-01-01T01:59Z", 2)
)
everywhere(
    "... after the deadline, but within its grace", AT_ONCE, EVERYBODY, "bad-due", _stated("2027-01-01T02:09Z", 2)
)
everywhere(
    "a deadline stated where the offer has none",
    AT_ONCE,
    EVERYBODY,
    "bad-due",
    doctored("auction", "play", lambda sitting, entry: {"due": "2027-01-02T00:00Z"}, deadline=0),
)


def _without_deadline(**changes: int) -> Callable[[], Found]:
    def run() -> Found:
        sitting = Sitting("auction", 3, "grace", deadline=0)
        offer = decode(bytes(sitting.offer.body), r.Offer, "offer")
        sitting.offer = sign(sitting.host, "offer", replace(offer, **changes))
        view = decode(sitting.view(0), r.View, "view")
        genesis = decode(bytes(view.genesis.body), r.Genesis, "genesis")
        other = sign(sitting.host, "genesis", replace(genesis, offer=sitting.offer))
        return blame(lambda: open_view(replace(view, genesis=other)))

    return run


everywhere("an offer with grace and no deadline", AT_ONCE, EVERYBODY, "bad-due", _without_deadline(grace=5))
everywhere("an offer with a time bank and no deadline", AT_ONCE, EVERYBODY, "bad-due", _without_deadline(bank=5))


def banked(seed: str = "bank") -> Sitting:
    """All three are asked. Answers have an hour, ten minutes of grace, and a bank of half an hour, of which the second
    seat has used ten minutes."""
    sitting = Sitting("auction", 3, seed, deadline=60, grace=10, bank=30).until("play")
    sitting.others(1)
    sitting.wait(70)
    assert sitting.give(sitting.signed(1)).error is None
    assert sitting.state.bank == (30, 20, 30)
    return sitting.until("bid")


def _seen_by_all(sitting: Sitting) -> Found:
    found = {blame(lambda seat=seat: sitting.opened(seat)) for seat in range(3)}
    assert len(found) == 1, found
    return found.pop()


def _spent(
    *used: tuple[int, int], late: Sequence[int] = (), make: Callable[[], Sitting] = banked
) -> Callable[[], Found]:
    """The next entry states that this much of the banks was used."""

    def run() -> Found:
        def lie(table: Table, closed: Closed) -> Closed:
            entry = replace(closed.entry, used=used)
            return Closed(entry, replace(closed.checkpoint, head=ident("entry", encode(entry))), (), closed.calls)

        sitting = make()
        with cheating(lie=lie):
            sitting.step(*late)
        return _seen_by_all(sitting)

    return run


for _attempt, _lied in {
    "more of a time bank used up than is left": _spent((1, 21)),
    "no time at all used up of a time bank": _spent((1, 0)),
    "a time bank used up by a seat that did not answer": _spent((1, 5), late=[1]),
    "a time bank used up twice in one round": _spent((1, 5), (1, 5)),
    "time banks used up in another order than that of the seats": _spent((1, 5), (0, 5)),
    "a time bank used up in the first round": _spent((1, 5), make=lambda: Sitting("auction", 3, deadline=60, bank=30)),
    "a time bank used up where the offer has none": _spent(
        (1, 5), make=lambda: Sitting("auction", 3, deadline=60).until(2)
    ),
}.items():
    everywhere(_attempt, AT_ONCE, EVERYBODY, "bad-due", _lied)


@attack("somebody timed out whose time bank is not used up", AT_ONCE, EVERYBODY, "bad-due")
def bank_ignored() -> Found:
    sitting = banked()
    sitting.others(0, 1)
    sitting.wait(70 + 20)  # enough for the second seat, not for the first
    with cheating():
        for seat in (0, 1):
            host.time_out(sitting.match, seat)
    return _seen_by_all(sitting)


@attack("the time bank of somebody who is timed out left as it was", AT_ONCE, EVERYBODY, "rule-broken")
def bank_left() -> Found:
    sitting = banked()

    def lie(table: Table, closed: Closed) -> Closed:
        return lied(table, closed, bank=(30, 20, 30))

    with cheating(lie=lie):
        sitting.step(1)
    return _seen_by_all(sitting)


@attack("an answer that is held left out when it is played", AT_ONCE, EVERYBODY, "bad-ops")
def held_dropped() -> Found:
    sitting = Sitting("auction", 3, "held").until("play")
    sitting.step(1)
    sitting.others(2)
    last, match = sitting.signed(2), sitting.match
    match.checkpoint = replace(match.checkpoint, state=replace(match.state, held=match.state.held[1:]))
    with cheating():
        assert sitting.give(last).error is None
    return blame(lambda: sitting.opened(1))


# --- files side by side ----------------------------------------------------------------------------------------------


def against(*files: Any) -> Found:
    """The first contradiction between these files, each of which is valid."""
    found, _ = compare(files)
    loose = [file for file in files if isinstance(file, r.MoveFile | Envelope)]
    for file in files:
        if isinstance(file, Opened):
            found += refusals(file, loose, {number: own.ephemeral for number, own in file.owner.sealed.items()})
    return Found(SIDE_BY_SIDE, COMPARING, found[0].code) if found else plots.NOTHING_FOUND


@attack("two entries for one round shown to two players", SIDE_BY_SIDE, COMPARING, "two-entries")
def two_entries() -> Found:
    one = Sitting("auction", 3, "fork").until("play")
    other = one.fork()
    one.step()
    other.step(2)
    return against(one.opened(0), other.opened(1))


@attack("another deadline stated to another player", SIDE_BY_SIDE, COMPARING, "two-entries")
def two_deadlines() -> Found:
    one = Sitting("auction", 3, "due", deadline=60).until("play")
    other = one.fork()
    other.match.due = "2030-01-01T00:00Z"
    one.step()
    other.step()
    return against(one.opened(0), other.opened(1))


@attack("two games started from one offer", SIDE_BY_SIDE, COMPARING, "two-geneses")
def two_geneses() -> Found:
    one, other = Sitting("auction", 3, "twice"), Sitting("auction", 3, "twice")
    table = lobby.make_genesis(other.host, other.offer, (*other.joins[1:], other.joins[0]))
    other.match = host.new_match(other.host, table)
    return against(one.opened(0), other.opened(0))


@attack("an answer accepted, and then called late", SIDE_BY_SIDE, COMPARING, "taken-and-timed-out")
def taken_and_timed_out() -> Found:
    one = Sitting("auction", 3, "late").until("play")
    receipt = one.fork().give(one.signed(1)).receipt
    one.step(1)
    return against(one.opened(0), receipt)


@attack(
    "more time given to a player in writing, who is timed out before",
    SIDE_BY_SIDE,
    COMPARING,
    "extended-and-timed-out",
)
def extended_and_timed_out() -> Found:
    sitting = Sitting("auction", 3, "more time", deadline=60, grace=10).until("play")
    extension = host.extend(sitting.match, 1, "2027-01-01T01:01Z")
    sitting.others(1)
    sitting.wait(70)  # enough without the extension
    with cheating():
        host.time_out(sitting.match, 1)
    return against(sitting.opened(0), extension)


@attack(
    "an answer taken, and another one of that player put into the entry", SIDE_BY_SIDE, COMPARING, "taken-and-dropped"
)
def taken_and_dropped() -> Found:
    one = Sitting("auction", 3, "drop").until("bid")
    first, second = _two_bids(one)
    receipt = one.fork().give(first).receipt
    one.give(second)
    one.others(1)
    return against(one.opened(0), receipt)


@attack("two different answers of one player taken", SIDE_BY_SIDE, COMPARING, "two-taken")
def two_taken() -> Found:
    one = Sitting("auction", 3, "drop").until("bid")
    first, second = _two_bids(one)
    return against(one.opened(0), one.fork().give(first).receipt, one.fork().give(second).receipt)


def _two_bids(sitting: Sitting) -> tuple[bytes, bytes]:
    return sitting.signed(1, move=Bid(1)), sitting.signed(1, move=Bid(2))


def refusal(sitting: Sitting, data: bytes, code: str) -> Envelope:
    """The host's refusal of a move, with any reason."""
    file = decode(data, r.MoveFile, "move")
    move = decode(bytes(file.body), r.Move, "move")
    name = ident("move", bytes(file.body))
    return sign(sitting.host, "receipt", r.Receipt(sitting.table.id, move.round, move.seat, name, code))


@attack("an answer taken, and refused in another receipt", SIDE_BY_SIDE, COMPARING, "taken-and-refused")
def taken_and_refused() -> Found:
    one = Sitting("auction", 3, "both").until("play")
    data = one.signed(1)
    return against(one.opened(0), one.fork().give(data).receipt, refusal(one, data, "illegal"))


@attack("a player told that it had answered, and then called late", SIDE_BY_SIDE, COMPARING, "answered-and-timed-out")
def answered_and_timed_out() -> Found:
    one = Sitting("auction", 3, "answered").until("play")
    receipt = refusal(one, one.signed(1), "answered")
    one.step(1)
    return against(one.opened(0), receipt)


@attack("a legal move refused", SIDE_BY_SIDE, COMPARING, "refused-though-legal")
def refused_though_legal() -> Found:
    one = Sitting("auction", 3, "refused").until("play")
    data = one.signed(1)
    return against(one.opened(1), decode(data, r.MoveFile, "move"), refusal(one, data, "illegal"))


@attack("a legal move refused as if its sealed part did not fit", SIDE_BY_SIDE, COMPARING, "refused-though-legal")
def refused_as_sealed_otherwise() -> Found:
    one = Sitting("auction", 3, "refused").until("bid")
    data = one.signed(1)
    return against(one.opened(1), decode(data, r.MoveFile, "move"), refusal(one, data, "bad-commitment"))


@attack("a move taken, and refused as if its sealed part did not fit", SIDE_BY_SIDE, COMPARING, "taken-and-refused")
def taken_and_refused_as_sealed_otherwise() -> Found:
    one = Sitting("auction", 3, "refused").until("bid")
    data = one.signed(1)
    return against(one.opened(1), one.fork().give(data).receipt, refusal(one, data, "bad-commitment"))


@attack(
    "a legal move without sealed fields refused as if they did not fit", SIDE_BY_SIDE, COMPARING, "refused-though-legal"
)
def refused_as_if_sealed() -> Found:
    one = Sitting("auction", 3, "refused").until("play")
    data = one.signed(1)
    return against(one.opened(1), decode(data, r.MoveFile, "move"), refusal(one, data, "bad-commitment"))


@attack("a legal ack refused", SIDE_BY_SIDE, COMPARING, "refused-though-legal")
def refused_ack() -> Found:
    one = Sitting("auction", 3, "refused")
    data = one.signed(1)
    return against(one.opened(1), decode(data, r.MoveFile, "move"), refusal(one, data, "bad-link"))


@attack("a private part for another entry", AT_ONCE, OWNER, "false-private")
def private_of_another_entry() -> Found:
    sitting = Sitting("auction", 3, "part").until("raid")
    parts = sitting.match.privates[1]
    part = decode(bytes(parts[0].body), r.Private, "private")
    parts[0] = sign(sitting.host, "private", replace(part, entry="00" * 32))
    found = {seat: blame(lambda seat=seat: sitting.opened(seat)) for seat in range(3)}
    assert found[0] == found[2] == plots.NOTHING_FOUND
    return found[1]._replace(by=OWNER)


# --- before the first round ------------------------------------------------------------------------------------------


def _genesis(seed: str = "genesis", **changes: Any) -> Sitting:
    """A game whose genesis is signed with these changes."""
    sitting = Sitting("auction", 3, seed)
    genesis = replace(sitting.table.genesis, **changes)
    sitting.match = host.new_match(sitting.host, Table(sign(sitting.host, "genesis", genesis)))
    return sitting


@attack("a bag sealed with more tokens before the first round", AT_ONCE, EVERYBODY, "bad-bags")
def larger_bag() -> Found:
    honest = Sitting("auction", 3, "genesis")
    bags = {"pile": [*honest.table.bags["pile"], "99"]}
    _, leaves = slots.seal_all(honest.match.secret, honest.table.seating, bags)
    return blame(lambda: _genesis(leaves=leaves).opened(0))


@attack("other hands named before the first round", AT_ONCE, EVERYBODY, "bad-bags")
def other_hands() -> Found:
    return blame(lambda: _genesis(hands=()).opened(0))


@attack("a box in the offer that everybody can open", AT_ONCE, EVERYBODY, "weak-box")
def weak_box() -> Found:
    honest = Sitting("auction", 3, "genesis")
    offer = sign(honest.host, "offer", replace(honest.table.offer, box="01" + "00" * 31))
    return blame(lambda: _genesis(offer=offer).opened(0))


@attack("a join put into the genesis that its player did not sign", AT_ONCE, EVERYBODY, "bad-signature")
def forged_join() -> Found:
    honest = Sitting("auction", 3, "genesis")
    join = decode(bytes(honest.joins[1].body), r.Join, "join")
    forged = sign(honest.host, "join", replace(join, name="Mallory"))
    return blame(lambda: _genesis(joins=(honest.joins[0], forged, honest.joins[2])).opened(0))


@attack("another offer put into the genesis than the one that was joined", AT_ONCE, EVERYBODY, "other-offer")
def other_offer() -> Found:
    honest = Sitting("auction", 3, "genesis")
    offer = decode(bytes(honest.offer.body), r.Offer, "offer")
    return blame(lambda: _genesis(offer=sign(honest.host, "offer", replace(offer, nonce="00" * 32))).opened(0))


def _other_content(face: str, *wanted: str) -> Callable[[], Found]:
    """The first card of the pile is another one; games are tried until it shows in this way."""

    def run() -> Found:
        for seed in range(40):
            honest = Sitting("auction", 3, f"genesis {seed}")
            faces = [face, *sorted(honest.table.bags["pile"])[1:]]
            placed, leaves = slots.seal_all(honest.match.secret, honest.table.seating, {"pile": faces})
            sitting = _genesis(f"genesis {seed}", leaves=leaves)
            sitting.match.faces = placed
            plot = Plot([0, 1, 2], KNOWING)
            plot.done = True
            try:
                found = watch(sitting, plot)
            except plots.StuckError:
                continue
            assert found != plots.NOTHING_FOUND, seed
            if found[:2] == wanted:
                return found
        raise AssertionError("no game shows it so")

    return run


everywhere(
    "a bag sealed with another content before the first round",
    EARLY,
    KNOWING,
    "minted",
    _other_content("02", EARLY, KNOWING),
)
everywhere("... where the count does not show it", AFTER, EVERYBODY, "bad-bag", _other_content("02", AFTER, EVERYBODY))


@attack("leaves that fit nothing", AT_ONCE, OWNER, "bad-opening")
def leaves_of_nothing() -> Found:
    honest = Sitting("auction", 3, "genesis")
    leaves = {
        bag: tuple(chance(bag, i).hex() for i, _ in enumerate(one)) for bag, one in honest.table.genesis.leaves.items()
    }
    sitting, plot = _genesis(leaves=leaves), Plot([0, 1, 2], OWNER)
    plot.done = True
    found = watch(sitting, plot)
    return found._replace(by=OWNER) if found.by == EVERYBODY else found


# --- after the end ---------------------------------------------------------------------------------------------------


def _transcript(**changes: Any) -> Found:
    sitting = Sitting("auction", 3, "script").to_end()
    transcript = decode(sitting.transcript(), r.Transcript, "transcript")
    return blame(lambda: open_transcript(encode(replace(transcript, **changes))))._replace(when=AFTER)


@attack("another secret M in the transcript", AFTER, NOBODY, "bad-secret")
def other_secret() -> Found:
    return _transcript(secret="00" * 32)


@attack("a host's chain that does not come from M", AFTER, NOBODY, "bad-secret")
def other_chain() -> Found:
    honest = Sitting("auction", 3, "chain")
    nonce = bytes.fromhex(honest.table.offer.nonce)
    marks = Chain(honest.host.public, nonce).checkpoints(chance("another chain"))
    offer = sign(honest.host, "offer", replace(honest.table.offer, tip=marks[0].hex()))
    sitting = Sitting("auction", 3, "chain")
    sitting.offer = offer
    sitting.joins, sitting.marks = sitting.seated()
    sitting.match = host.new_match(sitting.host, lobby.make_genesis(sitting.host, offer, sitting.joins))
    sitting.match.marks = marks
    sitting.to_end()
    return blame(lambda: open_transcript(sitting.transcript()))._replace(when=AFTER)


@attack("a transcript without the last rounds", AFTER, NOBODY, "not-over")
def without_its_end() -> Found:
    sitting = Sitting("auction", 3, "script").to_end()
    transcript = decode(sitting.transcript(), r.Transcript, "transcript")
    last = len(transcript.entries) - 1
    sealed = tuple(one for one in transcript.sealed if one.round <= last)
    return _transcript(entries=transcript.entries[:last], sealed=sealed)


@attack("a sealed answer left out of the transcript", AFTER, NOBODY, "bad-sealed")
def without_a_sealed_answer() -> Found:
    sitting = Sitting("auction", 3, "script").to_end()
    return _transcript(sealed=decode(sitting.transcript(), r.Transcript, "transcript").sealed[1:])


def _cut_short(word: Callable[[Sitting, int, str], Envelope | None]) -> Found:
    """A finished game whose last round is left out, and called abandoned; `word` gets the last round that is left, and
    the id of its entry."""
    sitting = Sitting("auction", 3, "script").to_end()
    transcript = decode(sitting.transcript(), r.Transcript, "transcript")
    last = len(transcript.entries) - 1
    sealed = tuple(one for one in transcript.sealed if one.round <= last)
    said = word(sitting, last, ident("entry", bytes(transcript.entries[last - 1].body)))
    return _transcript(entries=transcript.entries[:last], sealed=sealed, abandoned=said)


@attack("a stranger: a finished game cut short and called abandoned", AFTER, NOBODY, "bad-signature")
def abandoned_by_a_stranger() -> Found:
    def word(sitting: Sitting, last: int, entry: str) -> Envelope:
        return sign(sitting.players[0], "abandonment", r.Abandonment(sitting.table.id, last, entry))

    return _cut_short(word)


@attack("a stranger: ... with the word of another round", AFTER, NOBODY, "bad-abandonment")
def abandoned_elsewhere() -> Found:
    def word(sitting: Sitting, last: int, entry: str) -> Envelope:
        return sign(sitting.host, "abandonment", r.Abandonment(sitting.table.id, last - 1, entry))

    return _cut_short(word)


@attack("a game that has ended called abandoned", AFTER, NOBODY, "bad-abandonment")
def abandoned_at_its_end() -> Found:
    sitting = Sitting("auction", 3, "script").to_end()
    word = r.Abandonment(sitting.table.id, sitting.round, sitting.match.checkpoint.head)
    return _transcript(abandoned=sign(sitting.host, "abandonment", word))


# --- players ---------------------------------------------------------------------------------------------------------


def handed_in(what: str, make: Callable[[Sitting, int], bytes]) -> Callable[[], Found]:
    """The host's reply to a move; checks that nothing changes."""

    def run() -> Found:
        sitting = Sitting("auction", 3, "player").until(what)
        seat, before = sitting.asked[0], sitting.file()
        data = make(sitting, seat)
        judged = sitting.give(data)
        assert sitting.file() == before
        return Found(AT_ONCE, HOST, judged.code)

    return run


def _signed_with(**changes: Any) -> Callable[[Sitting, int], bytes]:
    def make(sitting: Sitting, seat: int) -> bytes:
        file = decode(sitting.signed(seat), r.MoveFile, "move")
        return resigned(sitting, seat, file, **changes)

    return make


def _stripped(sitting: Sitting, seat: int) -> bytes:
    return encode(replace(decode(sitting.signed(seat), r.MoveFile, "move"), sealed=""))


def _moved_over(sitting: Sitting, seat: int) -> bytes:
    """The sealed part of another answer of the same player, in which the same fields are sealed."""
    mine, other = (decode(sitting.signed(seat, move=Bid(amount)), r.MoveFile, "move") for amount in (1, 2))
    return encode(replace(mine, sealed=other.sealed))


def _moved_over_signed(sitting: Sitting, seat: int) -> bytes:
    mine, other = (decode(sitting.signed(seat, move=Bid(amount)), r.MoveFile, "move") for amount in (1, 2))
    return signed_beside(sitting, seat, decode(bytes(mine.body), r.Move, "move"), b64decode(other.sealed))


def _other_value(sitting: Sitting, seat: int) -> bytes:
    mine, other = (decode(sitting.signed(seat, move=Bid(amount)), r.MoveFile, "move") for amount in (1, 2))
    return resigned(sitting, seat, mine, host.open_sealed(sitting.match, other))


def _unnamed(sitting: Sitting, seat: int) -> bytes:
    move = decode(bytes(decode(sitting.signed(seat), r.MoveFile, "move").body), r.Move, "move")
    return signed_beside(sitting, seat, move, b"")


def _named(sitting: Sitting, seat: int) -> bytes:
    move = decode(bytes(decode(sitting.signed(seat), r.MoveFile, "move").body), r.Move, "move")
    return signed_beside(sitting, seat, move, b"something")


def _garbled(sitting: Sitting, seat: int) -> bytes:
    file = decode(sitting.signed(seat), r.MoveFile, "move")
    return encode(replace(file, sealed=f"AAAA{file.sealed[4:]}"))


def _altered(sitting: Sitting, seat: int) -> bytes:
    file = decode(sitting.signed(seat), r.MoveFile, "move")
    move = decode(bytes(file.body), r.Move, "move")
    return encode(replace(file, body=msgspec.Raw(encode(replace(move, resign=True)))))


def _not_mine(sitting: Sitting, seat: int) -> bytes:
    card = next(face for face in sorted(sitting.state.book.inside) if face not in _hand(sitting, seat))
    return sitting.forced(seat, Play(card))


def _leaves_a_word(sitting: Sitting, seat: int) -> bytes:
    return _signed_with(resign=True, answer=r.NOTHING, standing=raw(Words(1)))(sitting, seat)


def _interjected(sitting: Sitting, seat: int) -> bytes:
    file = decode(sitting.signed(seat), r.MoveFile, "move")
    move = decode(bytes(file.body), r.Move, "move")
    return encode(replace(file, body=raw(replace(move, standing=raw(Words(1))))))


_OPEN = msgspec.Raw(b'{"amount":1,"do":"bid"}')
for _attempt, _what, _make, _code in (
    ("a move that public facts forbid", "play", _signed_with(answer=_ANY), "illegal"),
    ("a card that is not in the player's hand", "play", _not_mine, "illegal"),
    ("a move altered after it was signed", "bid", _altered, "bad-signature"),
    ("a move for another game", "bid", _signed_with(game="00" * 32), "other-game"),
    ("a move for another seat", "bid", _signed_with(seat=1), "bad-signature"),
    ("a move for a round that is over", "bid", _signed_with(round=1), "stale"),
    ("a move for a question that was not asked", "bid", _signed_with(asked="00" * 32), "not-asked"),
    ("a link that is not the next one", "bid", _signed_with(link="00" * 32), "bad-link"),
    ("a sealed field left open", "bid", _signed_with(answer=_OPEN, commit={}), "wrong-answer"),
    ("a sealed part that is missing", "bid", _stripped, "damaged"),
    ("a sealed part of another move", "bid", _moved_over, "damaged"),
    ("a sealed part that was damaged", "bid", _garbled, "damaged"),
    ("a sealed part of another move, and its hash signed", "bid", _moved_over_signed, "bad-commitment"),
    ("another value sealed than the one committed to", "bid", _other_value, "bad-commitment"),
    ("sealed fields without the hash of their encryption", "bid", _unnamed, "wrong-answer"),
    ("the hash of an encrypted part where nothing is sealed", "play", _named, "wrong-answer"),
    ("an answer that is not a move", "play", _signed_with(answer=msgspec.Raw(b"[[[]]]")), "malformed"),
    ("a protest without a timeout", "play", _signed_with(protest="00" * 32), "wrong-answer"),
    ("leaving before the first round", "ack", _signed_with(resign=True), "wrong-answer"),
    (
        "standing orders that the game does not know",
        "play",
        _signed_with(standing=msgspec.Raw(b'{"raid":1}')),
        "bad-words",
    ),
    ("standing orders of a wrong type", "ack", _signed_with(standing=msgspec.Raw(b'{"bid":"much"}')), "bad-words"),
    ("standing orders out of bounds", "ack", _signed_with(standing=msgspec.Raw(b'{"bid":1001}')), "bad-words"),
    ("standing orders in another spelling", "ack", _signed_with(standing=msgspec.Raw(b'{"bid":null}')), "bad-words"),
    ("standing orders while leaving", "play", _leaves_a_word, "wrong-answer"),
    ("standing orders put in after it was signed", "play", _interjected, "bad-signature"),
):
    everywhere(f"a player: {_attempt}", AT_ONCE, HOST, _code, handed_in(_what, _make))


@attack("a player: a second, different answer", AT_ONCE, HOST, "answered")
def second_answer() -> Found:
    sitting = Sitting("auction", 3, "player").until("bid")
    first, second = _two_bids(sitting)
    assert sitting.give(first).code == "taken"
    return Found(AT_ONCE, HOST, sitting.give(second).code)


# --- strangers -------------------------------------------------------------------------------------------------------


def _view(change: Callable[[r.View, r.View], dict[str, Any]]) -> Callable[[], Found]:
    """A view changed by somebody who has another game of the same host and the same players."""

    def run() -> Found:
        games = (Sitting("auction", 3, "stranger", Options(rounds)).until("play") for rounds in (2, 3))
        mine, other = (decode(sitting.view(0), r.View, "view") for sitting in games)
        return blame(lambda: open_view(replace(mine, **change(mine, other))))

    return run


def _entry_without(view: r.View, other: r.View) -> dict[str, Any]:
    entry = decode(bytes(view.entries[-1].body), r.Entry, "entry")
    return {
        "entries": (*view.entries[:-1], replace(view.entries[-1], body=msgspec.Raw(encode(replace(entry, ops=())))))
    }


for _attempt, _change, _code in (
    ("an entry altered", _entry_without, "bad-signature"),
    ("an entry of another game of the same host", lambda view, other: {"entries": other.entries}, "altered-chain"),
    ("an entry left out", lambda view, other: {"entries": view.entries[1:], "privates": ()}, "altered-chain"),
    ("private parts of another game", lambda view, other: {"privates": other.privates}, "mixed-view"),
    ("another position in a view", lambda view, other: {"public": msgspec.Raw(b"{}")}, "mixed-view"),
    ("a view made out to another seat", lambda view, other: {"seat": 1}, "mixed-view"),
):
    everywhere(f"a stranger: {_attempt}", AT_ONCE, NOBODY, _code, _view(_change))


for _row in ROWS:
    everywhere(*_row)


# --- the table -------------------------------------------------------------------------------------------------------


def field_rows() -> list[tuple[str, str, str, str]]:
    """What happens when a field of a document is changed and signed again, with matching hashes. Fields with changes
    that are not noticed at once have separate rows."""
    rows = []
    for document, fields in FIELDS.items():
        kind = f"operation `{document}`" if document in OPERATIONS else document
        article = "an" if kind[0] in "aeio" else "a"
        groups: dict[tuple[str, str], dict[str, set[str]]] = {}
        for field, codes in fields.items():
            shown = {*codes} - {"ok"}
            blamed = shown - BLAMELESS if (document, field) != ("offer", "key") else set()
            when = "not always at once" if "ok" in codes else AT_ONCE
            by = NOBODY if not blamed else OWNER if document == "private part" else EVERYBODY
            if shown - blamed and blamed:
                by += f" (blaming nobody: {', '.join(sorted(shown - blamed))})"
            if shown:
                groups.setdefault((when, by), {})[field] = shown
        for (when, by), found in groups.items():
            names, codes = ", ".join(f"`{name}`" for name in found), sorted(set().union(*found.values()))
            rows.append((f"{names} of {article} {kind} changed and re-signed", when, by, "`, `".join(codes)))
    return rows


def rendered() -> str:
    """All rows as a Markdown table."""
    lines = ["| Attempt | Noticed | By | Code |", "|---|---|---|---|"]
    rows = [*(attack[:4] for attack in ATTACKS), *field_rows()]
    lines += [f"| {attempt} | {when} | {by} | `{code}` |" for attempt, when, by, code in rows]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(rendered())
