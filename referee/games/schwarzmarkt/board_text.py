"""The position in words: what the picture says, and all of it in sentences for readers who cannot see it."""

from collections.abc import Iterator, Sequence

from referee.game import LINK, Seat, ask_of
from referee.language import Wording
from referee.svg import description

from .board import does, half, in_force, traded_in_counts, trading
from .lookups import (
    EVENTS,
    amounts_of,
    at_end,
    at_most,
    end_field,
    held,
    is_offer,
    most_steps,
    most_traded,
    pays,
    price,
    total,
    wants,
)
from .story import TITLES, described, title
from .types import Deal, Public, Sight
from .words import effect, in_order

w = Wording("referee.games.schwarzmarkt")


def moves(terms: Deal, public: Public) -> str:
    """How the marker moves on."""
    if at_end(terms, public):
        return w("the marker stays: it is the last turn of the round")
    return w.plural(
        "the marker moves 1 field, with or without a trade",
        "the marker moves 1 field after a trade, otherwise 1 to {n}",
        most_steps(terms, public),
    )


def fitting(seen: Sight) -> int:
    """How many cards that the offer still wants are in the reader's hand."""
    return total(at_most(seen.public.wanted, held(seen)))


def paying(terms: Deal, seen: Sight, wanted: str) -> str:
    """What is wanted, and what it pays if the reader is on turn and holds some of it."""
    most = min(fitting(seen), most_traded(seen.public))
    if not most or not ask_of(seen.pending, seen.seat):
        return wanted
    paid = pays(terms, seen.public, most)
    return w("{wanted}; trading {number} now pays {paid}", wanted=wanted, number=most, paid=paid)


def asked(terms: Deal, seen: Sight) -> tuple[Seat | None, str]:
    """Who must decide, and what; nobody if there is nothing to decide."""
    for ask in seen.pending:
        if ask.what == LINK:
            return None, w("nothing to decide: all answer, then goods are dealt")
        return ask.seat, does(terms, seen.public, ask.what)
    return None, outcome(seen)


def outcome(seen: Sight) -> str:
    """What the winners have; a game that ended because others left has none."""
    if seen.result is None:
        return w("nobody is asked any more")
    luxury = max(scores[0] for scores in seen.result.scores)
    return w.plural(
        "wins with {luxury} luxury",
        "{n} players share the win with {luxury} luxury",
        seen.result.ranks.count(1),
        luxury=luxury,
    )


def marks(terms: Deal, seen: Sight, seat: Seat) -> Iterator[str]:
    """Why a player is not asked in this trade round, or not at every price; what the second half will bring."""
    public = seen.public
    if traded_in_counts(terms, public):
        yield w("traded in {number}", number=public.players[seat].traded_in)
    if public.sitting_out[seat]:
        yield w("sits out this trade round, the marker moves {steps} each time", steps=public.sitting_out[seat])
    said = public.standing[seat]
    if said.asked_from:
        yield w(
            "is not asked below a price of {price}, the marker then moves {steps}",
            price=said.asked_from,
            steps=max(said.steps, 1),
        )


# --- the whole position ----------------------------------------------------------------------------------------------


def sentences(terms: Deal, seen: Sight, names: Sequence[str]) -> str:
    """One line for each fact, what matters most first."""
    return description(_lines(terms, seen, names), w("The rest is in the picture."))


def _lines(terms: Deal, seen: Sight, names: Sequence[str]) -> Iterator[str]:
    seat, what = asked(terms, seen)
    looks_on = seen.seat >= len(names)
    if looks_on:
        yield w("Schwarzmarkt, {half}.", half=half(seen.public))
    else:
        yield w("Schwarzmarkt as {name} sees it, {half}.", name=names[seen.seat], half=half(seen.public))
    if seen.result is None:
        yield f"{names[seat]} {what}." if seat is not None else f"{what[:1].upper()}{what[1:]}."
        yield from _price(terms, seen.public)
        yield from _market(terms, seen)
    else:
        yield w("The game is over.")
    yield from _players(terms, seen, names)
    if seen.result is None:
        yield from _ends(terms, seen.public)
    if not looks_on:
        yield w("Your goods cards: {goods}.", goods=described(held(seen)) or w("none"))
        yield from _cards(terms, seen)
    yield from _piles(seen.public)


def _price(terms: Deal, public: Public) -> Iterator[str]:
    value, end = price(terms, public), end_field(terms, public)
    if not trading(public):
        last = terms.edition.track[end]
        yield w("The next trade round begins at a price of {first} and ends at {last}.", first=value, last=last)
        return
    if public.spoiled:
        yield w(
            "A goods card pays {price}, but the next one pays half, {half}; {moves}.",
            price=value,
            half=value // 2,
            moves=moves(terms, public),
        )
    else:
        yield w("A goods card pays {price}; {moves}.", price=value, moves=moves(terms, public))
    ahead = terms.edition.track[public.marker + 1 : end + 1]
    if ahead:
        yield w("The prices ahead are {prices}.", prices=", ".join(map(str, ahead)))


def _market(terms: Deal, seen: Sight) -> Iterator[str]:
    public, card = seen.public, seen.public.offer
    if card is None:
        yield w("No card is on the table.")
    elif trading(public):
        wanted = described(public.wanted)
        yield w("On the table is {card}, which wants {goods}.", card=title(card), goods=described(wants(terms, card)))
        if seen.seat >= terms.seats:
            yield w("It still wants {goods}.", goods=wanted)
        else:
            still = w("It still wants {goods}, of which you hold {number}", goods=wanted, number=fitting(seen))
            yield f"{paying(terms, seen, still)}."
        yield w("Traded in this round: {goods}.", goods=described(amounts_of(public.traded)) or w("nothing"))
    else:
        yield w("On the table is {card}: {effect}.", card=title(card), effect=effect(terms, EVENTS[card]))
    for event in public.in_force:
        yield w("{card} lies open ({effect}).", card=TITLES[event], effect=in_force(terms, public, event))


def _players(terms: Deal, seen: Sight, names: Sequence[str]) -> Iterator[str]:
    for seat, player in enumerate(seen.public.players):
        has = {
            "who": w("{name} (you)", name=names[seat]) if seat == seen.seat else names[seat],
            "luxury": player.luxury,
            "goods": w.plural("{n} goods card", "{n} goods cards", player.goods),
            "cards": w.plural("{n} black-market card", "{n} black-market cards", player.cards),
        }
        if seen.result:
            rank = seen.result.ranks[seat]
            first = w("{who} has rank {rank} with {luxury} luxury, {goods} and {cards}", rank=rank, **has)
        else:
            first = w("{who} has {luxury} luxury, {goods} and {cards}", **has)
        start = [w("is the start player")] if seat == seen.public.start and not seen.result else []
        yield "; ".join((first, *start, *marks(terms, seen, seat))) + "."


def _cards(terms: Deal, seen: Sight) -> Iterator[str]:
    for card in in_order(terms, seen.hand("cards")):
        if is_offer(card):
            wanted = wants(terms, card)
            yield w(
                "You hold {card}, which wants {goods}; you have {number} of {all}.",
                card=title(card),
                goods=described(wanted),
                number=total(at_most(wanted, held(seen))),
                all=total(wanted),
            )
        else:
            yield w("You hold {card}: {effect}.", card=title(card), effect=effect(terms, EVENTS[card]))


def _ends(terms: Deal, public: Public) -> Iterator[str]:
    e = terms.edition
    if public.half == 1:
        yield w("The half ends when somebody trades in their last goods card.")
    else:
        yield w("The game ends when somebody trades in their last goods card.")
    yield w(
        "It also ends after {most} black-market cards; played so far: {number}.",
        most=e.half_cards,
        number=public.played,
    )
    yield w(
        "It also ends after {most} of them in a row without a trade; so far: {number}.",
        most=e.idle_cards,
        number=public.idle,
    )


def _piles(public: Public) -> Iterator[str]:
    yield w.plural(
        "The goods pile has {n} card face down, and face up under it {goods}.",
        "The goods pile has {n} cards face down, and face up under them {goods}.",
        public.goods_pile,
        goods=described(amounts_of(public.goods_under)) or w("nothing"),
    )
    yield w.plural(
        "The black-market pile has {n} card face down, and face up under it {cards}.",
        "The black-market pile has {n} cards face down, and face up under them {cards}.",
        public.card_pile,
        cards=", ".join(map(title, public.card_under)) or w("nothing"),
    )
