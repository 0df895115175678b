"""What a seat may do now, as moves and families of moves (`legal`).

Offers come by number, then text cards as the edition lists them; goods in the order of GOODS; players clockwise; steps
from the shortest.
"""

from collections.abc import Callable, Iterator

from referee.forms import Amounts as Some
from referee.forms import Choice, Limit, Number, Option, Part, Pick, Ranking, Term, When
from referee.game import Seat, ask_of

from .tables import (
    EVENTS,
    NONE,
    after_play,
    at_end,
    at_most,
    can_carry_out,
    clockwise,
    count,
    described,
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
from .types import GOODS, Amounts, Collect, Deal, Find, Good, Move, Play, Quick, Raid, Sight, Spy, Swap, Trade
from .words import effect, in_order, text

FEW = 6
"""So many cards, or lengths of a step, are listed one by one; more than that only other editions have."""
NOTHING_TRADED = When("goods", low=0, high=0)
SOMETHING_TRADED = When("goods")


def legal(terms: Deal, seen: Sight) -> tuple[Choice, ...]:
    """Every legal answer."""
    ask = ask_of(seen.pending, seen.seat)
    return tuple(LISTS[ask.what](terms, seen)) if ask and ask.what in LISTS else ()


def _choice(move: Move, note: str) -> Choice:
    return Choice(text(move), move, note)


def _hole(name: str) -> dict[str, str]:
    return {"$": name}


# --- playing a card, alone or with what follows from it


def _plays(terms: Deal, seen: Sight) -> Iterator[Choice]:
    cards = in_order(terms, seen.hand("cards"))
    for card in cards:
        yield _choice(Play(card), _card_note(terms, seen, card))
        after = after_play(terms, seen, card)
        what = after.pending[0].what
        if what in FOLLOW_UPS:
            yield _with_follow_up(card, FOLLOW_UPS[what](terms, after), minor=len(cards) > FEW)


def _card_note(terms: Deal, seen: Sight, card: str) -> str:
    event = EVENTS.get(card)
    if event is None:
        wanted = wants(terms, card)
        return f"wants {described(wanted)}; you hold {described(at_most(wanted, held(seen))) or 'none of it'}"
    return effect(terms, event) if can_carry_out(terms, seen.public, seen.seat, event) else "has no effect now"


def _with_follow_up(card: str, family: Choice, *, minor: bool) -> Choice:
    """A card together with the family of what can follow from it (SM-25)."""
    return Choice(
        f"{text(Play(card))}, and at once: {family.text}",
        Play(card, family.move),
        "one mail instead of two",
        form={"kind": "play", "card": card, "then": family.form},
        parts=family.parts,
        limits=family.limits,
        minor=minor,
    )


# --- trading


def _trades(terms: Deal, seen: Sight) -> Iterator[Choice]:
    public, far = seen.public, most_steps(terms, seen.public)
    if total(tradable(public, held(seen))):
        yield _selling(terms, seen)
    if at_end(terms, public):
        yield _choice(Trade(NONE), "ends the round")
        return
    if far <= FEW:
        yield from (_choice(Trade(NONE, steps), _to(terms, seen, steps)) for steps in range(1, far + 1))
    else:
        yield Choice(
            f"trade none, move 1 to {far}",
            Trade(NONE, 1),
            form={"kind": "trade", "goods": {}, "steps": _hole("steps")},
            parts=(Number("steps", "how far does the marker move?", 1, far),),
        )
    yield Choice(
        "trade none, move, and sit out the rest of this trade round",
        Trade(NONE, 1, 1),
        "you are not asked again before its end",
        form={"kind": "trade", "goods": {}, "steps": _hole("steps"), "sit_out": _hole("sit_out")},
        parts=(
            Number("steps", "how far does the marker move now?", 1, far),
            Number("sit_out", "how far each time after that, at most?", 1, longest_step(terms)),
        ),
    )


def _to(terms: Deal, seen: Sight, steps: int) -> str:
    to = seen.public.marker + steps
    return f"to {terms.edition.track[to]}" + ", the last turn of the round" * (to == end_field(terms, seen.public))


def _selling(terms: Deal, seen: Sight) -> Choice:
    """Trade something."""
    able = tradable(seen.public, held(seen))
    most = min(total(able), most_traded(seen.public))
    goods = able if most == total(able) else Amounts(**{goods_in(able)[0]: 1})
    parts, form = [_goods(able)], {"kind": "trade", "goods": _hole("goods")}
    if not at_end(terms, seen.public):
        parts.append(_later(terms))
        form["sit_out"] = _hole("sit_out")
    return Choice(
        f"trade {f'up to {most}' if most > 1 else 'one'} of: {described(able)} ({_each(terms, seen)})",
        Trade(goods),
        f"`{text(Trade(goods))}` {_trade_note(terms, seen, goods)}",
        form=form,
        parts=tuple(parts),
        limits=(Limit((Term("goods"),), 1, most, _why(most, total(able))),),
    )


def _goods(able: Amounts) -> Part:
    return Some("goods", "how many of each?", {good: count(able, good) for good in goods_in(able)})


def _why(most: int, able: int) -> str:
    return "trade one card: the goods are scarce" if most < able else "trade at least one card"


def _each(terms: Deal, seen: Sight) -> str:
    first = f", the first {pays(terms, seen.public, 1)}" if seen.public.spoiled else ""
    return f"{price(terms, seen.public)} each{first}"


def _trade_note(terms: Deal, seen: Sight, goods: Amounts) -> str:
    number = total(goods)
    note = f"pays {pays(terms, seen.public, number)}"
    if number == total(held(seen)):
        ends = "half" if seen.public.half == 1 else "game"
        return f"{note}; your last goods: ends the {ends}"
    return f"{note}; completes the offer" if number == total(seen.public.wanted) else note


def _later(terms: Deal) -> Pick:
    """Whether to be asked again in this trade round (SM-26)."""
    steps = range(1, longest_step(terms) + 1)
    options = (Option("ask again"), *(Option(f"sit out {far}", far) for far in steps))
    return Pick("sit_out", "for the rest of this trade round?", options)


def _first_trade(terms: Deal, seen: Sight) -> Choice:
    """The first turn of a trade round, in one family: with goods or without."""
    public = seen.public
    able, steps = tradable(public, held(seen)), range(1, most_steps(terms, public) + 1)
    form = {"kind": "trade", "goods": {}, "steps": _hole("steps"), "sit_out": _hole("sit_out")}
    if able == NONE:
        moves = Pick("steps", "how far does the marker move?", tuple(Option(f"move {far}", far) for far in steps))
        return Choice("move the marker", Trade(NONE, 1), form=form, parts=(moves, _later(terms)))
    options = (
        *(Option(f"move {far}", far, (NOTHING_TRADED,)) for far in steps),
        Option("it moves by itself", when=(SOMETHING_TRADED,)),
    )
    most = most_traded(public)
    return Choice(
        f"trade any of {described(able)} ({_each(terms, seen)}), or move the marker",
        Trade(NONE, 1),
        form=form | {"goods": _hole("goods")},
        parts=(_goods(able), Pick("steps", "how far does the marker move?", options), _later(terms)),
        limits=(Limit((Term("goods"),), 0, most, _why(most, total(able))),) if most < total(able) else (),
    )


# --- text cards


def _hand(seen: Sight, target: Seat) -> str:
    return f"holds {seen.public.players[target].goods}"


def _aimed(kind: type[Spy] | type[Collect], seen: Sight) -> Iterator[Choice]:
    return (_choice(kind(target), _hand(seen, target)) for target in targets(seen.public, seen.seat))


def _at_one(kind: type[Spy] | type[Collect], seen: Sight) -> Choice:
    """Any of the players who can be aimed at."""
    able = targets(seen.public, seen.seat)
    words = f"{kind.__struct_config__.tag} {' or '.join(f'@{target}' for target in able)}"
    form = {"kind": kind.__struct_config__.tag, "target": _hole("target")}
    return Choice(words, kind(able[0]), form=form, parts=(_player(able),))


def _player(seats: tuple[Seat, ...]) -> Pick:
    return Pick("target", "which player?", tuple(Option(f"@{seat}", seat) for seat in seats))


def _good(goods: tuple[Good, ...]) -> Pick:
    return Pick("good", "which good?", tuple(Option(good, good) for good in goods))


def _quicks(terms: Deal, seen: Sight) -> Iterator[Choice]:
    for good in goods_in(held(seen)):
        yield _choice(Quick(good), f"you hold {count(held(seen), good)}; pays {terms.edition.quick_deal}")


def _any_quick(terms: Deal, seen: Sight) -> Choice:
    able = goods_in(held(seen))
    words, form = f"quick {' or '.join(able)}", {"kind": "quick", "good": _hole("good")}
    return Choice(words, Quick(able[0]), form=form, parts=(_good(able),))


def _raid(terms: Deal, seen: Sight) -> Choice:
    others = clockwise(seen.public, seen.seat)
    hands = ", ".join(f"@{seat} {_hand(seen, seat)}" for seat in others)
    return Choice(
        "razzia at one player for one good",
        Raid(others[0], GOODS[0]),
        hands,
        form={"kind": "razzia", "target": _hole("target"), "good": _hole("good")},
        parts=(_player(others), _good(GOODS)),
    )


def _find(terms: Deal, seen: Sight) -> Choice:
    return Choice(
        "find and all five goods, the most wanted first",
        Find(GOODS),
        f"the first that the pile has is yours, for {terms.edition.find_cost}",
        form={"kind": "find", "ranking": _hole("ranking")},
        parts=(Ranking("ranking", "which goods, the most wanted first?", GOODS, len(GOODS)),),
    )


def _swap(terms: Deal, seen: Sight) -> Choice:
    """SM-16: as many cards as the other holds, too."""
    hand, others = held(seen), targets(seen.public, seen.seat)
    hands = {seat: seen.public.players[seat].goods for seat in others}
    most = min(terms.edition.swap_cards, total(hand), max(hands.values()))
    example = Swap(others[0], 1, faces_of(hand)[:1])
    players = tuple(Option(f"@{seat}", seat, (When("number", high=size),)) for seat, size in hands.items())
    return Choice(
        f"swap {f'1 to {most} cards' if most > 1 else '1 card'} with {' or '.join(f'@{seat}' for seat in others)};"
        f" you hold {described(hand)}",
        example,
        "you get as many back at random",
        form={"kind": "swap", "target": _hole("target"), "number": _hole("number"), "give": _hole("give")},
        parts=(
            Number("number", "how many cards?", 1, most),
            Pick("target", "which player?", players),
            Some("give", "which cards?", {good: count(hand, good) for good in goods_in(hand)}, GOODS),
        ),
        limits=(Limit((Term("give"), Term("number", times=-1)), 0, 0, "give as many cards as you said"),),
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
