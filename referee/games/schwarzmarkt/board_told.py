"""The position in words: what stands on the picture, and all of it as sentences for whoever cannot see it."""

from collections.abc import Iterator, Sequence

from referee.game import LINK, Seat, ask_of

from .board import ASKED, HALVES
from .tables import (
    EVENTS,
    TITLES,
    amounts_of,
    at_end,
    at_most,
    described,
    end_field,
    held,
    is_offer,
    most_steps,
    most_traded,
    pays,
    price,
    title,
    total,
    wants,
)
from .types import Deal, Event, Public, Sight
from .words import effect, in_order

MOST = 4000
"""Signs of a description: it is the alternative text of a mail."""
CUT = "The rest is in the picture."


def trading(public: Public) -> bool:
    """Is there an offer on the table?"""
    return public.offer is not None and is_offer(public.offer)


def many(number: int, noun: str) -> str:
    """`1 card`, `2 cards`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def in_force(terms: Deal, public: Public, event: Event) -> str:
    """What a text card that waits or is in force does."""
    words = effect(terms, event)
    if not trading(public):
        return words
    done = " (done)" if event == "verdorbene-ware" and not public.spoiled else ""
    return words.replace("next", "this") + done


def moves(terms: Deal, public: Public) -> str:
    """How the marker moves on."""
    if at_end(terms, public):
        return "the marker stays: it is the last turn of the round"
    far = most_steps(terms, public)
    if far == 1:
        return "the marker moves 1 field, with or without a trade"
    return f"the marker moves 1 field after a trade, otherwise 1 to {far}"


def yours(terms: Deal, seen: Sight, before: str) -> str:
    """How much of what the offer still wants is in the own hand, and what it pays whoever is on turn; nothing for who
    only looks on."""
    if seen.seat >= terms.seats:
        return ""
    public, fitting = seen.public, total(at_most(seen.public.wanted, held(seen)))
    most, turn = min(fitting, most_traded(public)), ask_of(seen.pending, seen.seat)
    paid = f"; trading {most} now pays {pays(terms, public, most)}" if most and turn else ""
    return f"{before}you hold {fitting}{paid}"


def asked(terms: Deal, seen: Sight) -> tuple[Seat | None, str]:
    """Who must decide, and what; nobody where there is nothing to decide."""
    for ask in seen.pending:
        if ask.what == LINK:
            return None, "nothing to decide: all answer, then goods are dealt"
        if ask.what == "trade" and at_end(terms, seen.public):
            return ask.seat, "may trade; it is the last turn of the round"
        return ask.seat, ASKED[ask.what]
    return None, outcome(seen)


def outcome(seen: Sight) -> str:
    """What the winners have; a game that ended because others left has none."""
    if seen.result is None:
        return "nobody is asked any more"
    luxury = max(scores[0] for scores in seen.result.scores)
    winners = seen.result.ranks.count(1)
    return f"wins with {luxury} luxury" if winners == 1 else f"{winners} players share the win with {luxury} luxury"


def marks(seen: Sight, seat: Seat) -> Iterator[str]:
    """Why a player is not asked in this trade round, or not at every price."""
    public = seen.public
    if public.sitting_out[seat]:
        yield f"sits out this trade round, the marker moves {public.sitting_out[seat]} each time"
    said = public.standing[seat]
    if said.asked_from:
        yield f"is not asked below a price of {said.asked_from}, the marker then moves {max(said.steps, 1)}"


# --- the whole position ----------------------------------------------------------------------------------------------


def told(terms: Deal, seen: Sight, names: Sequence[str]) -> str:
    """One line for each fact, what matters most first; what would be too long is left out at the end."""
    lines, left = list[str](), MOST - len(CUT)
    for line in _lines(terms, seen, names):
        left -= len(line) + 1
        if left < 0:
            return "\n".join((*lines, CUT))
        lines.append(line)
    return "\n".join(lines)


def _lines(terms: Deal, seen: Sight, names: Sequence[str]) -> Iterator[str]:
    seat, what = asked(terms, seen)
    looks_on = seen.seat >= len(names)
    who = "" if looks_on else f" as {names[seen.seat]} sees it"
    yield f"Schwarzmarkt{who}, {HALVES[seen.public.half]}."
    if seen.result is None:
        yield f"{names[seat]} {what}." if seat is not None else f"{what.capitalize()}."
        yield from _price(terms, seen.public)
        yield from _market(terms, seen)
    else:
        yield "The game is over."
    yield from _players(seen, names)
    if seen.result is None:
        yield from _ends(terms, seen.public)
    if not looks_on:
        yield f"Your goods cards: {described(held(seen)) or 'none'}."
        yield from _cards(terms, seen)
    yield from _piles(seen.public)


def _price(terms: Deal, public: Public) -> Iterator[str]:
    value, end = price(terms, public), end_field(terms, public)
    if not trading(public):
        yield f"The next trade round begins at a price of {value} and ends at {terms.edition.track[end]}."
        return
    half = f", but the next one half of it, {value // 2}" if public.spoiled else ""
    yield f"A goods card pays {value}{half}; {moves(terms, public)}."
    ahead = terms.edition.track[public.marker + 1 : end + 1]
    if ahead:
        yield f"The prices ahead are {', '.join(map(str, ahead))}."


def _market(terms: Deal, seen: Sight) -> Iterator[str]:
    public, card = seen.public, seen.public.offer
    if card is None:
        yield "No card is on the table."
    elif trading(public):
        yield f"On the table is {title(card)}, which wants {described(wants(terms, card))}."
        yield f"It still wants {described(public.wanted)}{yours(terms, seen, ', of which ')}."
        yield f"Traded in this round: {described(amounts_of(public.traded)) or 'nothing'}."
    else:
        yield f"On the table is {title(card)}: {effect(terms, EVENTS[card])}."
    for event in public.in_force:
        yield f"{TITLES[event]} lies open ({in_force(terms, public, event)})."


def _players(seen: Sight, names: Sequence[str]) -> Iterator[str]:
    for seat, player in enumerate(seen.public.players):
        who = f"{names[seat]} (you)" if seat == seen.seat else names[seat]
        rank = f"{who} has rank {seen.result.ranks[seat]} with" if seen.result else f"{who} has"
        cards = f"{many(player.goods, 'goods card')} and {many(player.cards, 'black-market card')}"
        start = ["is the start player"] if seat == seen.public.start and not seen.result else []
        yield "; ".join((f"{rank} {player.luxury} luxury, {cards}", *start, *marks(seen, seat))) + "."


def _cards(terms: Deal, seen: Sight) -> Iterator[str]:
    for card in in_order(terms, seen.hand("cards")):
        if is_offer(card):
            wanted = wants(terms, card)
            fitting = total(at_most(wanted, held(seen)))
            yield f"You hold {title(card)}, which wants {described(wanted)}; you have {fitting} of {total(wanted)}."
        else:
            yield f"You hold {title(card)}: {effect(terms, EVENTS[card])}."


def _ends(terms: Deal, public: Public) -> Iterator[str]:
    e, what = terms.edition, "half" if public.half == 1 else "game"
    yield f"The {what} ends when somebody trades in a last goods card."
    yield f"It also ends with {e.half_cards} black-market cards played, so far {public.played}."
    yield f"It also ends with {e.idle_cards} of them in a row without a trade, so far {public.idle}."


def _piles(public: Public) -> Iterator[str]:
    goods = described(amounts_of(public.goods_under)) or "nothing"
    yield f"The goods pile has {many(public.goods_pile, 'card')} face down, and openly under them {goods}."
    cards = ", ".join(map(title, public.card_under)) or "nothing"
    yield f"The black-market pile has {many(public.card_pile, 'card')} face down, and openly under them {cards}."
