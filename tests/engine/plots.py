"""A host who cheats once and carries on as if nothing had happened: how it is done, who notices, and when."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from referee.crypto import slots
from referee.engine.dealer import Dealer
from referee.engine.player import Opened
from referee.engine.rounds import Closed
from referee.engine.table import Table
from referee.errors import CheckFailed, RefereeError, RulesFailed
from referee.evidence.replay import open_transcript
from tests.support.match import Sitting, cheating, lied

AT_ONCE, EARLY, AFTER = "at once", "early", "after the end"
EVERYBODY = "everybody"
NOBODY = "everybody, blaming nobody"
"""The file is not what somebody signed, or cannot be read: anybody could have changed it."""


class Found(NamedTuple):
    """When something was noticed, by whom, and the code of the finding."""

    when: str
    by: str
    code: str


NOTHING_FOUND = Found("never", "nobody", "ok")
HONEST: Any = object()
"""What an act returns if there is no opportunity to cheat: the honest call is made instead."""


class StuckError(Exception):
    """The host's own program cannot continue: a token came out that it counts as gone."""


class Plot:
    """Something to be done once. `victims` are those who can notice it first, `them` is what they are called."""

    def __init__(self, victims: Sequence[int] = (), them: str = "") -> None:
        self.victims, self.them = list(victims), them
        self.done = False

    def dealer(self, call: str, act: Callable[..., Any]) -> type[Dealer]:
        """A dealer that does this once instead of the honest call."""
        plot, honest = self, getattr(Dealer, call)

        def instead(dealer: Dealer, *args: Any) -> Any:
            if not plot.done:
                value = act(dealer, *args)
                if value is not HONEST:
                    plot.done = True
                    return value
            return honest(dealer, *args)

        return type("Cheat", (Dealer,), {call: instead})

    def lie(self, act: Callable[[Table, Closed], dict[str, Any] | None]) -> Callable[[Table, Closed], Closed]:
        """Once, a round is signed with these changes."""

        def instead(table: Table, closed: Closed) -> Closed:
            changes = None if self.done else act(table, closed)
            if changes is None:
                return closed
            self.done = True
            return lied(table, closed, **changes)

        return instead


def blame(check: Callable[[], Any]) -> Found:
    """What one file shows immediately."""
    try:
        check()
    except RefereeError as error:
        return Found(AT_ONCE, EVERYBODY if isinstance(error, CheckFailed) else NOBODY, error.code)
    return NOTHING_FOUND


def watch(
    sitting: Sitting,
    plot: Plot,
    dealer: type[Dealer] = Dealer,
    lie: Any = None,
    accomplices: Sequence[int] = (),
    step: Callable[[Sitting], None] = Sitting.step,
) -> Found:
    """Play on with this host. After the offence every honest seat checks every view; at the end, the transcript."""
    honest = [seat for seat in range(sitting.table.seats) if seat not in accomplices]
    views: dict[int, Opened] = {}
    deed = 0
    with cheating(dealer, lie):
        while not sitting.over:
            try:
                step(sitting)
            except AssertionError as error:
                if plot.done and isinstance(error.args[0], RulesFailed):
                    raise StuckError from error
                raise
            if not plot.done:
                continue
            deed = deed or sitting.round
            caught = {}
            for seat in honest:
                try:
                    views[seat] = sitting.opened(seat, views.get(seat))
                except RefereeError as error:
                    caught[seat] = error
            if caught:
                return _noticed(plot, sitting.round == deed, caught, honest)
    assert deed, "there was no chance to cheat"
    found = blame(lambda: open_transcript(sitting.transcript()))
    return found if found == NOTHING_FOUND else found._replace(when=AFTER)


def _noticed(plot: Plot, at_once: bool, caught: dict[int, RefereeError], honest: Sequence[int]) -> Found:
    when = AT_ONCE if at_once else EARLY
    codes = {error.code for error in caught.values()}
    code = " ".join(sorted(codes))
    if not any(isinstance(error, CheckFailed) for error in caught.values()):
        return Found(when, NOBODY, code)
    if list(caught) == list(honest):
        return Found(when, EVERYBODY, code)
    if plot.victims and set(caught) <= set(plot.victims):
        return Found(when, plot.them, code)
    return Found(when, "somebody", code)


# --- acts of a dealer ------------------------------------------------------------------------------------------------


def die_thrown_again(dealer: Dealer, sides: int) -> Any:
    """Numbers of the seed are skipped until a different value comes up."""
    if sides < 2:
        return HONEST
    stream = dealer._stream
    first = stream.below(sides)
    while stream.below(sides) == first:
        pass
    stream.count -= 1
    return Dealer.die(dealer, sides)


def dice_to_spare(dealer: Dealer, sides: int) -> Any:
    """A die is thrown and recorded, then another one, which counts."""
    Dealer.die(dealer, sides)
    return Dealer.die(dealer, sides)


def die_not_thrown(dealer: Dealer, sides: int) -> Any:
    return sides


def die_with_more_sides(dealer: Dealer, sides: int) -> Any:
    return min(sides, Dealer.die(dealer, sides + 1))


def best_of(bag: str) -> Callable[..., Any]:
    """The best token that is left instead of the first one the seed picks."""

    def act(dealer: Dealer, name: str, count: int) -> Any:
        if name != bag or not 0 < count < dealer.count(name):
            return HONEST
        taken = dealer.book.pick(name, count, dealer._stream.below)
        inside = dealer.book.bag(name)
        place = inside.slots if inside.slots else inside.tail
        other = max(place, key=dealer._face)
        place[place.index(other)] = taken[0]
        return [other, *taken[1:]]

    return act


def best_of_all(bag: str) -> Callable[..., Any]:
    """The same where chance is common: the numbers that the secret gives are drawn, and thrown away."""

    def act(dealer: Dealer, name: str, count: int) -> Any:
        if name != bag or not 0 < count < dealer.count(name):
            return HONEST
        taken = Dealer._pick(dealer, name, count)
        place = dealer.book.bag(name).slots
        other = max(place, key=dealer._face)
        place[place.index(other)] = taken[0]
        return [other, *taken[1:]]

    return act


def common_again(dealer: Dealer, what: str, count: int, n: int) -> Any:
    """A side of a die other than the one that the secret gives."""
    return (Dealer._common(dealer, what, count, n) + 1) % n if what.startswith("die ") else HONEST


def common_beyond(dealer: Dealer, what: str, count: int, n: int) -> Any:
    return n if what.startswith("die ") else HONEST


def one_more(dealer: Dealer, bag: str, count: int, into: str) -> Any:
    if dealer.count(bag) <= count + 1:
        return HONEST
    Dealer.deal(dealer, bag, count + 1, into)
    return None


def into_another_hand(dealer: Dealer, bag: str, count: int, into: str) -> Any:
    stem, slash, seat = into.partition("/")
    if not slash:
        return HONEST
    Dealer.deal(dealer, bag, count, f"{stem}/{1 if seat == '0' else 0}")
    return None


def another_face(dealer: Dealer, kind: type[Any], bag: str, taken: Sequence[str]) -> Any:
    """A token is shown with a face that is not its own."""
    faces = sorted({*dealer.book.inside} - {dealer._face(slot) for slot in taken[:1]})
    if not taken or not faces:
        return HONEST
    tokens = Dealer._tokens(dealer, kind, bag, taken)
    return (msgspec.structs.replace(tokens[0], face=faces[0]), *tokens[1:])


def equal_ones_turned_round(dealer: Dealer, bag: str, faces: Sequence[str]) -> Any:
    """Two equal tokens are named in the wrong order."""
    if len(faces) < 2 or len({*faces}) != 1:
        return HONEST
    return Dealer._named(dealer, bag, faces)[::-1]


def held_back(dealer: Dealer, bag: str, face: str) -> Any:
    """One of the tokens that must be laid out stays where it is."""
    known = dict(dealer.faces)
    tokens = Dealer._all_of(dealer, bag, face)
    if not tokens:
        return HONEST
    dealer.faces.update({tokens[-1].slot: known[tokens[-1].slot]} if tokens[-1].slot in known else {})
    return tokens[:-1]


def another_gift(dealer: Dealer, seat: int, field: str, bag: str, count: int) -> Any:
    chosen = Dealer._given(dealer, seat, field, bag, count)
    faces = {dealer._face(slot) for slot in chosen}
    other = next((slot for slot in dealer.book.content(bag) if dealer._face(slot) not in faces), None)
    if other is None or count != 1:
        return HONEST
    return (other,)


def gift_of_anything(dealer: Dealer, seat: int, field: str, bag: str, count: int) -> Any:
    """The sealed field names a token that is not there: any other is given."""
    return tuple(dealer.book.content(bag)[:count])


def sought_another(dealer: Dealer, seat: int, field: str, bag: str, fixed: Any) -> Any:
    chosen = Dealer._sought(dealer, seat, field, bag, fixed)
    faces = {dealer._face(slot) for slot in chosen}
    other = next((slot for slot in dealer.book.content(bag) if dealer._face(slot) not in faces), None)
    return HONEST if other is None else (other,)


def sought_in_vain(dealer: Dealer, *how: Any) -> Any:
    return () if Dealer._sought(dealer, *how) else HONEST


def sealed_with(bag: Callable[[str], bool], change: Callable[[list[str]], list[str]]) -> Callable[..., Any]:
    """A container is resealed with different contents."""

    def act(dealer: Dealer, name: str, size: int) -> Any:
        faces = [dealer._face(slot) for slot in dealer.book.content(name)]
        other = change(sorted(faces))
        if not bag(name) or sorted(other) == sorted(faces):
            return HONEST
        return _sealed(dealer, name, other)

    return act


def sealed_in_order(dealer: Dealer, name: str, size: int) -> Any:
    """A container is resealed in an order that the host chose."""
    faces = sorted(dealer._face(slot) for slot in dealer.book.content(name))
    generation = dealer.book.bag(name).generation + 1
    mixed = slots.order_secret(dealer._secret, dealer.seating, dealer._chance)
    if faces == slots.arrange(*mixed, name, generation, faces):
        return HONEST
    return _sealed(dealer, name, faces, arranged=True)


def _sealed(dealer: Dealer, name: str, faces: list[str], *, arranged: bool = False) -> tuple[str, ...]:
    generation = dealer.book.bag(name).generation + 1
    mixed = slots.order_secret(dealer._secret, dealer.seating, dealer._chance)
    order = faces if arranged else slots.arrange(*mixed, name, generation, faces)
    dealer.faces.update((slots.slot_id(name, generation, i), face) for i, face in enumerate(order))
    return tuple(leaf.hex() for leaf in slots.leaves(dealer._secret, dealer.seating, name, generation, order))


def told_another(seat: int) -> Callable[..., Any]:
    """A seat is told a different face from the one committed to."""

    def act(dealer: Dealer, who: int, news: Sequence[str]) -> Any:
        others = sorted({*dealer.book.inside} - {dealer._face(slot) for slot in news})
        if who != seat or not news or not others:
            return HONEST
        Dealer._tell(dealer, who, news)
        told = dealer.openings[who]
        told[-1] = msgspec.structs.replace(told[-1], face=others[0])
        return None

    return act


def told_less(seat: int, least: int) -> Callable[..., Any]:
    """A seat that got at least this many tokens is not told one of them."""

    def act(dealer: Dealer, who: int, news: Sequence[str]) -> Any:
        if who != seat or len(news) < least:
            return HONEST
        Dealer._tell(dealer, who, news[:-1])
        return None

    return act


def shown_another(change: Callable[[Any], Any]) -> Callable[..., Any]:
    """A sealed field is shown with a different value from the one signed."""

    def act(dealer: Dealer, seat: int, fields: Sequence[str]) -> Any:
        secrets = Dealer._secrets(dealer, seat, fields)
        name = fields[0]
        value = change(msgspec.json.decode(secrets[name].value))
        other = msgspec.structs.replace(secrets[name], value=msgspec.Raw(msgspec.json.encode(value)))
        return secrets | {name: other}

    return act


def shuffled_unasked(bag: str) -> Callable[..., Any]:
    def act(dealer: Dealer) -> Any:
        if not dealer.count(bag):
            return HONEST
        Dealer.shuffle(dealer, bag)
        Dealer.finish(dealer)
        return None

    return act
