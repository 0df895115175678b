"""The extras around an action as parts of a family: subsidies and the PASS card before and after it, and `hold`."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec import UNSET, to_builtins
from msgspec.structs import replace

from referee.forms import Amounts, Choice, Limit, Option, Part, Pick, Term, When, one_of
from referee.language import Wording, either

from .actions import do_extra
from .lookups import NO_CASES, ONE, add, card_for, colours_in, count, room, stage, sub, total, unit_limit
from .scratch import Scratch
from .story import called
from .types import COLOURS, Action, Card, Cases, Colour, Extras
from .words import extra_text
from .words_purse import Purse

w = Wording("referee.games.schwarzer_freitag")

MOVING = ("shares", "mark")
"""The parts of an action that move cases to or from the market."""


class Frame(NamedTuple):
    """What an action stands in: the position in which it is chosen, and the extras around it."""

    s: Scratch
    cards: tuple[Colour, ...] = ()
    """With the PASS card before it, on any of these, which all have the same consequences."""
    more: bool = False
    """With extras and `hold` after it."""
    card_after: bool = False

    def units(self, use: Card) -> int:
        """The most units of the action; a card that is used afterwards cannot give one more."""
        s = self.s
        most = unit_limit(s.terms, s.public, s.seat, use)
        if not self.card_after or most == stage(s.terms, s.public).limit:
            return most
        trial = Scratch(s.terms, s.public)
        trial.spend_card(use)
        return most - (card_for(trial.me, "pass") is None)


class Family(NamedTuple):
    """A family of actions without anything around them."""

    example: Action
    parts: tuple[Part, ...]
    """Named like the members of the move that they fill."""
    limits: tuple[Limit, ...]
    words: str
    purses: Sequence[Purse]
    """The numbers of subsidies that may come before it."""
    cost: int = 0
    """Of the example."""
    note: str = ""
    spend: tuple[Term, ...] = ()
    """What any of them costs."""
    puts: bool = False
    """Shares and mark go into the market, not out of it."""
    fixed: Cases = NO_CASES
    """The shares, where they are no part."""
    at: tuple[str, ...] = ()
    """The marks that say this action."""


def frames(s: Scratch) -> Iterator[Frame]:
    """Without a card before the action, then with those that set off no price change."""
    yield Frame(s)
    for cards, start in (((), s), *_with_card(s)):
        yield Frame(start, cards, more=True)
        if card_for(start.me, "pass"):
            yield Frame(start, cards, more=True, card_after=True)


def _with_card(s: Scratch) -> list[tuple[tuple[Colour, ...], Scratch]]:
    """The positions after a PASS card; colours of which there are plenty, and that stay where they are, as one."""
    alike: dict[str, tuple[tuple[Colour, ...], Scratch]] = {}
    for colour in colours_in(s.public.market) if card_for(s.me, "pass") else ():
        trial = Scratch(s.terms, s.public, s.hand)
        do_extra(trial, colour)
        # An action takes at most one unit above the limit and a mark, and another card one more.
        plenty = count(s.public.market, colour) > stage(s.terms, s.public).limit + 4
        key = "" if plenty and trial.public.prices == s.public.prices else colour
        if not trial.full:
            colours, first = alike.get(key, ((), trial))
            alike[key] = ((*colours, colour), first)
    return list(alike.values())


def subsidies(name: str, ask: str, low: int, high: int, *, listed: bool = False, unless: str = "") -> Pick:
    """At least and at most this many, or none; none if there are some in the part `unless`."""
    return _subsidies(name, ask, low, high, listed, unless, w("no subsidy"))


@lru_cache(maxsize=512)
def _subsidies(name: str, ask: str, low: int, high: int, listed: bool, unless: str, nothing: str) -> Pick:
    some = (When(unless, nothing),) if unless else ()
    none = [Option(nothing, when=(When(unless, nothing, 0, 0),) if low and unless else ())] if not low or unless else []
    numbers = range(max(low, 1), high + 1)
    return Pick(name, ask, (*none, *(Option(extra_text(n), [n] if listed else n, some) for n in numbers)))


def taken(part: Pick) -> dict[str, int]:
    """How many subsidies each option stands for."""
    return {one.text: int(one.text.split()[0]) for one in part.options if one.value is not UNSET}


def at_most(parts: Sequence[Pick], high: int) -> tuple[Limit, ...]:
    """The total number of subsidies."""
    terms = [Term(part.name, words, number) for part in parts for words, number in taken(part).items()]
    if len(parts) < 2:
        return ()
    why = w.plural("{n} subsidy at most in all", "{n} subsidies at most in all", high)
    return (Limit(tuple(terms), high=high, why=why),)


def around_card(low: int, high: int, card: object, first: str, ask: str, then: str) -> tuple[list[Pick], list[object]]:
    """The PASS card with subsidies before or after it: the parts, and how they stand in a form."""
    if not high:
        return [], [card]
    before = subsidies(first, ask, 0, high) if not low else _none_or(first, ask, low, high)
    behind = subsidies(then, w("subsidies after the card?"), low, high, unless=first)
    return [before, behind], [{"$": first}, card, {"$": then}]


def _none_or(name: str, ask: str, low: int, high: int) -> Pick:
    part = subsidies(name, ask, low, high)
    return replace(part, options=(Option(w("no subsidy")), *part.options))


def card_pick(name: str, colours: Sequence[Colour]) -> Pick:
    return one_of(name, w("which case for the PASS card?"), colours, "market")


def hold() -> Pick:
    return Pick("hold", w("keep the turn open?"), (Option(w("end the turn")), Option("hold", True)))


def framed(frame: Frame, family: Family) -> Choice:
    """The family with the extras of its frame."""
    form: dict[str, object] = {"do": family.example.__struct_config__.tag}
    form |= {part.name: {"$": part.name} for part in family.parts}
    form |= {"shares": to_builtins(family.fixed)} if total(family.fixed) else {}
    first, before = _before(frame, family, form)
    limits = [*family.limits, *_afford(family, before)]
    parts: list[Part] = [*family.parts, *first, *before]
    example = replace(family.example, before=_cheapest(frame, family))
    if frame.more:
        left = room(frame.s.terms, frame.s.public, frame.s.seat)
        most, ask = left - family.purses[0].number, w("subsidies after the action?")
        if frame.card_after:
            example = replace(example, after=(_left_over(frame, family),))
            after, form["after"] = around_card(0, most, {"$": "card"}, "after", ask, "last")
            card = card_pick("card", COLOURS if family.puts else colours_in(frame.s.public.market))
            parts, limits = [*parts, card], [*limits, *_left_for_card(frame, family, card)]
        else:
            after = [subsidies("after", ask, 0, most, listed=True)] if most else []
            form |= {"after": {"$": "after"}} if after else {}
        form["hold"] = {"$": "hold"}
        limits += at_most([*before, *after], left) if before and after else ()
        parts += [*after, hold()]
    text = _told(frame, family)
    return Choice(text, example, family.note, form, tuple(parts), tuple(limits), frame.more, family.at)


def _before(frame: Frame, family: Family, form: dict[str, object]) -> tuple[list[Pick], list[Pick]]:
    """What comes before the action: which card, how many subsidies."""
    low, high, ask = family.purses[0].number, family.purses[-1].number, w("subsidies first?")
    if frame.cards:
        cards = [card_pick("first card", frame.cards)] if len(frame.cards) > 1 else []
        hole = {"$": "first card"} if cards else frame.cards[0]
        before, form["before"] = around_card(low, high, hole, "before", ask, "then")
        return cards, before
    if low == high:
        form |= {"before": [low]} if low else {}
        return [], []
    form["before"] = {"$": "before"}
    return [], [subsidies("before", ask, low, high, listed=True)]


def _afford(family: Family, before: Sequence[Pick]) -> list[Limit]:
    """What it costs is there, with the subsidies that come before it."""
    if not family.spend:
        return []
    money = {extra_text(purse.number): purse.money for purse in family.purses if purse.number}
    base = family.purses[0].money if not family.purses[0].number or not before else 0
    paid = [Term(part.name, words, base - money[words]) for part in before for words in taken(part)]
    why = w("you can spend up to {money}", money=family.purses[-1].money)
    return [Limit((*family.spend, *paid), high=base, why=why)]


def _cheapest(frame: Frame, family: Family) -> Extras:
    """The fewest subsidies with which the example can be paid, and the card."""
    number = next(purse.number for purse in family.purses if purse.money >= family.cost)
    return (*((number,) if number else ()), *frame.cards[:1])


def _left_for_card(frame: Frame, family: Family, card: Pick) -> Iterator[Limit]:
    """The PASS card after the action takes a case that the market then has."""
    sign, moving = -1 if family.puts else 1, {part.name: _names(part) for part in family.parts if part.name in MOVING}
    for colour in _names(card):
        moved = tuple(Term(name, colour, sign) for name, names in moving.items() if colour in names)
        here = count(frame.s.public.market, colour) + count(family.fixed, colour)
        if moved or not here:
            why = w("no {colour} is left for the PASS card", colour=called(colour))
            yield Limit((Term("card", colour), *moved), high=here, why=why)


def _names(part: Part) -> list[Colour]:
    """The colours that can be counted in a part."""
    counted = part.most if isinstance(part, Amounts) else {one.text: 1 for one in getattr(part, "options", ())}
    return [colour for colour in COLOURS if colour in counted]


def _left_over(frame: Frame, family: Family) -> Colour:
    """A colour that the market has after the example."""
    market, mark = frame.s.public.market, family.example.mark
    moved = add(getattr(family.example, "shares", NO_CASES), ONE[mark] if mark else NO_CASES)
    return colours_in(add(market, moved) if family.puts else sub(market, moved))[0]


def _told(frame: Frame, family: Family) -> str:
    low, high, action = family.purses[0].number, family.purses[-1].number, family.words
    if low and low == high:
        action = w.plural("{n} subsidy, then {action}", "{n} subsidies, then {action}", low, action=action)
    elif low:
        action = w("{low} to {high} subsidies, then {action}", low=low, high=high, action=action)
    if frame.cards:
        action = w("card {colours}, then {action}", colours=either(map(called, frame.cards)), action=action)
    if not frame.more:
        return action
    if frame.card_after:
        return w("{action}; then the PASS card", action=action)
    return w("{action}; then subsidies or hold", action=action)
