"""What a seat may do now, as moves and families of moves (`legal`).

Offers come by number, then text cards as the edition lists them; goods in the order of GOODS; players clockwise; steps
from the shortest.
"""

from collections.abc import Callable, Iterable, Iterator

from referee.forms import Amounts as Some
from referee.forms import Choice, Limit, Number, Option, Pick, Ranking, Term, When, family, one_of
from referee.game import Seat, ask_of
from referee.games import as_typed
from referee.language import Wording, either

from .lookups import (
    EVENTS,
    NONE,
    after_play,
    at_end,
    at_most,
    can_carry_out,
    clockwise,
    count,
    end_field,
    faces_of,
    goods_in,
    held,
    longest_step,
    most_steps,
    most_traded,
    pays,
    price,
    targets,
    total,
    tradable,
    wants,
)
from .story import described
from .types import GOODS, Amounts, Collect, Deal, Find, Move, Play, Quick, Raid, Sight, Spy, Swap, Trade
from .words import effect, in_order, text

w = Wording("referee.games.schwarzmarkt")

FEW = 6
"""At most this many cards, or lengths of a step, are listed one by one; only other editions have more."""
NOTHING_TRADED = When("goods", low=0, high=0)
SOMETHING_TRADED = When("goods")


def legal(terms: Deal, seen: Sight) -> tuple[Choice, ...]:
    """Every legal answer."""
    ask = ask_of(seen.pending, seen.seat)
    return tuple(LISTS[ask.what](terms, seen)) if ask and ask.what in LISTS else ()


def _choice(move: Move, note: str, at: str) -> Choice:
    return Choice(text(move), move, note, at=(at,))


def _typed(move: Move) -> str:
    """A move as the reader types it."""
    return as_typed("schwarzmarkt", text(move))


# --- playing a card, alone or with what follows from it


def _plays(terms: Deal, seen: Sight) -> Iterator[Choice]:
    cards = in_order(terms, set(seen.hand("cards")))
    for card in cards:
        yield _choice(Play(card), _card_note(terms, seen, card), f"card:{card}")
        after = after_play(terms, seen, card)
        what = after.pending[0].what
        if what in FOLLOW_UPS:
            yield _with_follow_up(card, FOLLOW_UPS[what](terms, after), minor=len(cards) > FEW)


def _card_note(terms: Deal, seen: Sight, card: str) -> str:
    event = EVENTS.get(card)
    if event is None:
        wanted = wants(terms, card)
        mine = described(at_most(wanted, held(seen)))
        if not mine:
            return w("wants {goods}; you hold none of it", goods=described(wanted))
        return w("wants {goods}; you hold {mine}", goods=described(wanted), mine=mine)
    return effect(terms, event) if can_carry_out(terms, seen.public, seen.seat, event) else w("has no effect now")


def _with_follow_up(card: str, family: Choice, *, minor: bool) -> Choice:
    """A card together with the family of what can follow from it (SM-25)."""
    return Choice(
        w("{play}, and at once: {family}", play=_typed(Play(card)), family=family.text),
        Play(card, family.move),
        w("one mail instead of two"),
        form={"kind": "play", "card": card, "then": family.form},
        parts=family.parts,
        limits=family.limits,
        minor=minor,
        at=(f"card:{card}",),
    )


# --- trading


def _trades(terms: Deal, seen: Sight) -> Iterator[Choice]:
    public, far = seen.public, most_steps(terms, seen.public)
    if total(tradable(public, held(seen))):
        yield _selling(terms, seen)
    if at_end(terms, public):
        yield _choice(Trade(NONE), w("ends the round"), _field(seen, 0))
        return
    if far <= FEW:
        for to in range(1, far + 1):
            yield _choice(Trade(NONE, to), _to(terms, seen, to), _field(seen, to))
    else:
        steps = Number("steps", w("how far does the marker move?"), 1, far)
        yield family(w("trade none, move 1 to {far}", far=far), Trade(NONE, 1), [steps])
    parts = (
        Number("steps", w("how far does the marker move now?"), 1, far),
        Number("sit_out", w("how far each time after that, at most?"), 1, longest_step(terms)),
    )
    about = w("trade none, move, and sit out the rest of this trade round")
    yield family(about, Trade(NONE, 1, 1), parts, w("you are not asked again before its end"))


def _to(terms: Deal, seen: Sight, steps: int) -> str:
    to = seen.public.marker + steps
    if to == end_field(terms, seen.public):
        return w("to {price}, the last turn of the round", price=terms.edition.track[to])
    return w("to {price}", price=terms.edition.track[to])


def _field(seen: Sight, steps: int) -> str:
    """The mark of the field so far from the marker."""
    return f"field:{seen.public.marker + steps}"


def _selling(terms: Deal, seen: Sight) -> Choice:
    """Trade something."""
    able = tradable(seen.public, held(seen))
    most = min(total(able), most_traded(seen.public))
    goods = able if most == total(able) else Amounts(**{goods_in(able)[0]: 1})
    return family(
        w.plural(
            "trade one of: {goods} ({each})",
            "trade up to {n} of: {goods} ({each})",
            most,
            goods=described(able),
            each=_each(terms, seen),
        ),
        Trade(goods),
        (_goods(able),) if at_end(terms, seen.public) else (_goods(able), _later(terms)),
        w("`{move}` {pays}", move=_typed(Trade(goods)), pays=_trade_note(terms, seen, goods)),
        (Limit((Term("goods"),), 1, most, _why(most, total(able))),),
    )


def _goods(able: Amounts) -> Some:
    most: dict[str, int] = {good: count(able, good) for good in goods_in(able)}
    return Some("goods", w("how many of each?"), most, at=_marks(most))


def _marks(goods: Iterable[str]) -> dict[str, str]:
    """Where these goods are in the hand."""
    return {good: f"good:{good}" for good in goods}


def _why(most: int, able: int) -> str:
    return w("trade one card: the goods are scarce") if most < able else w("trade at least one card")


def _each(terms: Deal, seen: Sight) -> str:
    each = price(terms, seen.public)
    if seen.public.spoiled:
        return w("{price} each, the first {first}", price=each, first=pays(terms, seen.public, 1))
    return w("{price} each", price=each)


def _trade_note(terms: Deal, seen: Sight, goods: Amounts) -> str:
    number = total(goods)
    paid = pays(terms, seen.public, number)
    if number == total(held(seen)):
        if seen.public.half == 1:
            return w("pays {paid}; your last goods: ends the half", paid=paid)
        return w("pays {paid}; your last goods: ends the game", paid=paid)
    if number == total(seen.public.wanted):
        return w("pays {paid}; completes the offer", paid=paid)
    return w("pays {paid}", paid=paid)


def _later(terms: Deal) -> Pick:
    """Whether to be asked again in this trade round (SM-26)."""
    steps = range(1, longest_step(terms) + 1)
    options = (Option("ask again"), *(Option(f"sit out {far}", far) for far in steps))
    return Pick("sit_out", w("for the rest of this trade round?"), options)


def _first_trade(terms: Deal, seen: Sight) -> Choice:
    """The first turn of a trade round, in one family: with goods or without."""
    public = seen.public
    able, steps = tradable(public, held(seen)), range(1, most_steps(terms, public) + 1)
    if able == NONE:
        moves = tuple(Option(f"move {far}", far, at=_field(seen, far)) for far in steps)
        parts = (Pick("steps", w("how far does the marker move?"), moves), _later(terms))
        return family(w("move the marker"), Trade(NONE, 1), parts)
    options = (
        *(Option(f"move {far}", far, (NOTHING_TRADED,), at=_field(seen, far)) for far in steps),
        Option(w("it moves by itself"), when=(SOMETHING_TRADED,)),
    )
    most = most_traded(public)
    return family(
        w("trade any of {goods} ({each}), or move the marker", goods=described(able), each=_each(terms, seen)),
        Trade(NONE, 1),
        (_goods(able), Pick("steps", w("how far does the marker move?"), options), _later(terms)),
        limits=(Limit((Term("goods"),), 0, most, _why(most, total(able))),) if most < total(able) else (),
    )


# --- text cards


def _hand(seen: Sight, target: Seat) -> str:
    return w("holds {number}", number=seen.public.players[target].goods)


def _aimed(kind: type[Spy] | type[Collect], seen: Sight) -> Iterator[Choice]:
    able = targets(seen.public, seen.seat)
    return (_choice(kind(target), _hand(seen, target), f"player:{target}") for target in able)


def _at_one(kind: type[Spy] | type[Collect], seen: Sight) -> Choice:
    """Any of the players who can be aimed at."""
    able = targets(seen.public, seen.seat)
    players = either(f"@{target}" for target in able)
    words = w("spy {players}", players=players) if kind is Spy else w("collect {players}", players=players)
    return family(words, kind(able[0]), [_player(able)])


def _player(seats: tuple[Seat, ...]) -> Pick:
    return Pick("target", w("which player?"), tuple(_seat(seat) for seat in seats))


def _seat(seat: Seat, when: tuple[When, ...] = ()) -> Option:
    return Option(f"@{seat}", seat, when, at=f"player:{seat}")


def _quicks(terms: Deal, seen: Sight) -> Iterator[Choice]:
    for good in goods_in(held(seen)):
        note = w("you hold {number}; pays {paid}", number=count(held(seen), good), paid=terms.edition.quick_deal)
        yield _choice(Quick(good), note, f"good:{good}")


def _any_quick(terms: Deal, seen: Sight) -> Choice:
    able = goods_in(held(seen))
    words = w("quick {goods}", goods=either(w(good) for good in able))
    return family(words, Quick(able[0]), [one_of("good", w("which good?"), able, "good")])


def _raid(terms: Deal, seen: Sight) -> Choice:
    others = clockwise(seen.public, seen.seat)
    hands = ", ".join(f"@{seat} {_hand(seen, seat)}" for seat in others)
    parts = (_player(others), one_of("good", w("which good?"), GOODS, "good"))
    return family(w("razzia at one player for one good"), Raid(others[0], GOODS[0]), parts, hands)


def _find(terms: Deal, seen: Sight) -> Choice:
    ranking = Ranking("ranking", w("which goods, the most wanted first?"), GOODS, len(GOODS), _marks(GOODS))
    note = w("the first that the pile has is yours, for {price}", price=terms.edition.find_cost)
    return family(w("find and all five goods, the most wanted first"), Find(GOODS), [ranking], note)


def _swap(terms: Deal, seen: Sight) -> Choice:
    """SM-16: as many cards as the other holds, too."""
    hand, others = held(seen), targets(seen.public, seen.seat)
    hands = {seat: seen.public.players[seat].goods for seat in others}
    most = min(terms.edition.swap_cards, total(hand), max(hands.values()))
    players = tuple(_seat(seat, (When("number", high=size),)) for seat, size in hands.items())
    give: dict[str, int] = {good: count(hand, good) for good in goods_in(hand)}
    return family(
        w.plural(
            "swap {n} card with {players}; you hold {goods}",
            "swap 1 to {n} cards with {players}; you hold {goods}",
            most,
            players=either(f"@{seat}" for seat in others),
            goods=described(hand),
        ),
        Swap(others[0], 1, faces_of(hand)[:1]),
        (
            Number("number", w("how many cards?"), 1, most),
            Pick("target", w("which player?"), players),
            Some("give", w("which cards?"), give, goods_in(hand), _marks(give)),
        ),
        w("you get as many back at random"),
        (Limit((Term("give"), Term("number", times=-1)), 0, 0, w("give as many cards as you said")),),
    )


FOLLOW_UPS: dict[str, Callable[[Deal, Sight], Choice]] = {
    "trade": _first_trade,
    "spy": lambda terms, seen: _at_one(Spy, seen),
    "quick": _any_quick,
    "raid": _raid,
    "collect": lambda terms, seen: _at_one(Collect, seen),
}
"""Everything that can follow from a card, in one family."""

LISTS: dict[str, Callable[[Deal, Sight], Iterator[Choice]]] = {
    "play": _plays,
    "trade": _trades,
    "spy": lambda terms, seen: _aimed(Spy, seen),
    "quick": _quicks,
    "swap": lambda terms, seen: iter((_swap(terms, seen),)),
    "raid": lambda terms, seen: iter((_raid(terms, seen),)),
    "find": lambda terms, seen: iter((_find(terms, seen),)),
    "collect": lambda terms, seen: _aimed(Collect, seen),
}
