"""Two scripted players: `random` picks any legal move, `sensible` sells dear and plays what its hand is good for."""

from referee.forms import any_move
from referee.game import Below, Seat, ask_of
from referee.playout import add_up

from .lookups import (
    EVENTS,
    NONE,
    after_play,
    at_end,
    can_carry_out,
    clockwise,
    count,
    end_field,
    faces_of,
    goods_in,
    goods_in_play,
    held,
    is_offer,
    most_traded,
    pays,
    price,
    sub,
    targets,
    total,
    tradable,
    wants,
)
from .types import (
    GOODS,
    Amounts,
    Collect,
    Deal,
    Event,
    Find,
    FollowUp,
    Good,
    Move,
    Play,
    Public,
    Quick,
    Raid,
    Sight,
    Spy,
    Swap,
    Trade,
    Words,
)
from .words import in_order
from .words_list import FOLLOW_UPS, legal

ONE: dict[Good, Amounts] = {good: Amounts(**{good: 1}) for good in GOODS}
RESERVE = 11.0
"""What a card left in hand is worth while the half is young."""
NEAR_END = 12
"""The fewer goods cards below this somebody else holds, the sooner the half may be over. More than a full hand: with 4
a bot that sold everything at once, at any price, won 32% of the games of five players, with 12 it wins 23%."""
CROWDING = 0.03
"""How much of the reserve each card in hand takes away: not all of them will find a buyer."""
PACE = 1.0
"""How many fields the marker moves in a turn of the others."""
EAGER = 25
"""At this price everybody sells; more is unlikely."""
EARLY = 8
"""Below this nobody sells with full hands."""
CAUTION = 0.9
"""The half may have come this much nearer to its end before the bot is asked again."""
FEW = 4
"""This many cards could be traded in at once."""
GOING_OUT = 5
"""How much cheaper the last cards of a half may go: they leave the others with unsold cards."""
RIVALRY = 0.3
"""How much a card that the others can trade counts against an offer."""
USES: dict[Event, float] = {"razzia": 2.0, "alte-rechnung": 2.0, "neue-ware": 1.5, "spionage": 0.5}
"""What text cards are worth, in cards that fit an offer."""


def random_move(terms: Deal, seen: Sight, below: Below) -> Move:
    """Any of the choices that are listed, and any move of that family."""
    move: Move = any_move(legal(terms, seen), Move, below)
    return move


def sensible_move(terms: Deal, seen: Sight, below: Below) -> Move:
    """Sell what pays more now than later, play what fits the hand; no chance in it."""
    public, seat = seen.public, seen.seat
    ask = ask_of(seen.pending, seat)
    match ask.what if ask else "":
        case "play":
            return sensible_play(terms, seen, _best_card(terms, seen))
        case "trade":
            return _sensible_trade(terms, seen)
        case "quick":
            return Quick(_least_useful(terms, seen, 1)[0])
        case "swap":
            target = max(targets(public, seat), key=lambda other: public.players[other].goods)
            number = min(public.players[target].goods, terms.edition.swap_cards)
            give = sorted(_least_useful(terms, seen, number), key=GOODS.index)
            return Swap(target, len(give), tuple(give))
        case "raid":
            others = others_hold(terms, seen)
            return Raid(_biggest_hand(seen), max(GOODS, key=lambda good: others[good]))
        case "find":
            missing = _in_demand(terms, seen)
            return Find(tuple(sorted(GOODS, key=lambda good: -missing[good])))
        case "spy":
            return Spy(_biggest_hand(seen))
        case _:
            return Collect(max(targets(public, seat), key=lambda other: public.players[other].luxury))


def sensible_play(terms: Deal, seen: Sight, card: str) -> Play:
    """A card, and in the same answer what follows from it: the card drawn meanwhile would hardly matter."""
    after = after_play(terms, seen, card)
    then = sensible_move(terms, after, lambda _: 0) if after.pending[0].what in FOLLOW_UPS else None
    return Play(card, then if isinstance(then, FollowUp) and not _goes_without_saying(terms, after, then) else None)


def _goes_without_saying(terms: Deal, seen: Sight, then: FollowUp) -> bool:
    """Whether the seat's standing orders do the same without a decision."""
    words = seen.public.standing[seen.seat]
    return price(terms, seen.public) < words.asked_from and then == Trade(NONE, max(words.steps, 1))


def advise(terms: Deal, seen: Sight, bot: str) -> Words | None:
    """Not to be asked at prices at which it would not trade; it would at lower ones once it could go out."""
    track, public = terms.edition.track, seen.public
    if public is None:
        return Words(next(price for price in track if price >= EARLY))
    lowest, number = CAUTION * reserve(seen), total(held(seen))
    if number <= FEW:
        out = next((price for price in track if _may_end(seen, price * number)), track[-1])
        lowest = min(lowest, out) if public.half == 2 else lowest - GOING_OUT
    words = Words(next(price for price in track if price >= lowest) if lowest > 1 else 0)
    return words if words != public.standing[seen.seat] else None


def _biggest_hand(seen: Sight) -> Seat:
    return max(clockwise(seen.public, seen.seat), key=lambda other: seen.public.players[other].goods)


def others_hold(terms: Deal, seen: Sight) -> dict[Good, float]:
    """How many cards of each good the other hands should hold together, by what is not seen elsewhere."""
    public, goods = seen.public, goods_in_play(terms)
    known = (*public.traded, *public.goods_under, *seen.hand("goods"))
    unseen = {good: count(goods, good) - known.count(good) for good in GOODS}
    share = sum(public.players[other].goods for other in clockwise(public, seen.seat)) / max(sum(unseen.values()), 1)
    return {good: number * share for good, number in unseen.items()}


def _rivals_hold(terms: Deal, seen: Sight) -> dict[Good, float]:
    """... of which those who sit out will trade none."""
    players, out = seen.public.players, seen.public.sitting_out
    hands = {other: players[other].goods for other in clockwise(seen.public, seen.seat)}
    share = sum(hands[other] for other in hands if not out[other]) / max(sum(hands.values()), 1)
    return {good: number * share for good, number in others_hold(terms, seen).items()}


def _in_demand(terms: Deal, seen: Sight) -> dict[Good, int]:
    """How many cards of each good the seat's offers want beyond what is in hand."""
    offers = [wants(terms, card) for card in seen.hand("cards") if is_offer(card)]
    hand = held(seen)
    return {good: max((count(offer, good) for offer in offers), default=0) - count(hand, good) for good in GOODS}


def _least_useful(terms: Deal, seen: Sight, number: int) -> list[Good]:
    """The cards in hand that the seat's offers want least."""
    offers = [wants(terms, card) for card in seen.hand("cards") if is_offer(card)]
    use = {good: sum(count(offer, good) for offer in offers) for good in GOODS}
    return sorted(faces_of(held(seen)), key=lambda good: use[good])[:number]


def _best_card(terms: Deal, seen: Sight) -> str:
    """The offer that fits the seat's hand best and the others' worst, or a text card that does more."""
    others, hand = others_hold(terms, seen), held(seen)

    def value(card: str) -> float:
        event = EVENTS.get(card)
        if event is not None:
            return _use(terms, seen, event)
        wanted = wants(terms, card)
        return add_up(
            min(count(wanted, good), count(hand, good)) - RIVALRY * min(count(wanted, good), others[good])
            for good in GOODS
        )

    return max(in_order(terms, seen.hand("cards")), key=value)


def _use(terms: Deal, seen: Sight, event: Event) -> float:
    """What a text card is worth, in cards that fit an offer."""
    if not can_carry_out(terms, seen.public, seen.seat, event):
        return 0.0
    if event == "schnelles-geschaeft":
        # With the last card of the game it may be better to wait.
        return -1.0 if total(held(seen)) == 1 and not _may_end(seen, terms.edition.quick_deal) else 4.0
    return USES.get(event, 1.0)


def _may_end(seen: Sight, paid: int) -> bool:
    """Is it right to end this half with so much more luxury? The game if that wins it, or if it is lost anyway."""
    players, seat = seen.public.players, seen.seat
    lead = players[seat].luxury - max(players[other].luxury for other in clockwise(seen.public, seat))
    return seen.public.half == 1 or lead + paid > 0 or lead + EAGER * players[seat].goods < 0


def reserve(seen: Sight) -> float:
    """What a card should still bring in a later round: less for a full hand, little when the half is nearly over."""
    shortest = min(seen.public.players[other].goods for other in clockwise(seen.public, seen.seat))
    return RESERVE * min(1.0, shortest / NEAR_END) * max(0.2, 1 - CROWDING * total(held(seen)))


def _sensible_trade(terms: Deal, seen: Sight) -> Trade:
    """What is worth selling, and the smallest step: it keeps the price low for those who come next."""
    public, hand = seen.public, held(seen)
    able = tradable(public, hand)
    goods = NONE if able == NONE else _to_sell(terms, seen, hand, able)
    if at_end(terms, public):
        return Trade(goods)
    # Who has nothing left that is wanted need not be asked again, if the trade round goes on at all.
    done = goods == able and (able == NONE or goods not in (public.wanted, hand))
    return Trade(goods, 0 if total(goods) else 1, int(done))


def _to_sell(terms: Deal, seen: Sight, hand: Amounts, able: Amounts) -> Amounts:
    """What is worth selling; all at once if that ends a half that should end, and not all if it should not."""
    public = seen.public
    all_at_once = total(hand) == total(able) <= most_traded(public)
    may_end = all_at_once and _may_end(seen, pays(terms, public, total(able)))
    last_chance = public.half == 2 or at_end(terms, public)
    if may_end and (last_chance or price(terms, public) >= reserve(seen) - GOING_OUT):
        return able
    goods = _worth_selling(terms, seen, able)
    if all_at_once and not may_end and goods == hand:
        # Trading in the last card would end a game that is not won.
        return sub(goods, ONE[max(GOODS, key=lambda good: count(goods, good))])
    return goods


def _worth_selling(terms: Deal, seen: Sight, able: Amounts) -> Amounts:
    """The goods to trade now, all cards of a good or none."""
    public, others = seen.public, _rivals_hold(terms, seen)
    if at_end(terms, public):
        chosen = list(goods_in(able))
    else:
        keep, later, chance = reserve(seen), *_next_turn(terms, public)
        chosen = []
        for good in goods_in(able):
            number = count(able, good)
            sold = min(1.0, later / EAGER + 0.1) * others[good]
            left = chance * min(number, max(0.0, count(public.wanted, good) - sold))
            waiting = left * max(later, keep) + (number - left) * keep
            if price(terms, public) * number >= waiting:
                chosen.append(good)
    if chosen and most_traded(public) == 1:
        # What the others hold most of will be gone first.
        return ONE[max(chosen, key=lambda good: others[good])]
    return Amounts(**{good: count(able, good) for good in chosen})


def _next_turn(terms: Deal, public: Public) -> tuple[int, float]:
    """The price to expect on the seat's next turn, and the chance that it comes."""
    field, end = round(public.marker + 1 + PACE * (terms.seats - 1)), end_field(terms, public)
    return (terms.edition.track[field], 1.0) if field <= end else (terms.edition.track[end], 1 / terms.seats)
