"""The rules of Schwarzmarkt: set-up, what may be answered, what an answer does, and what a missed deadline plays."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from referee.errors import IllegalMove, Usage
from referee.game import Draws, Step, ask_of

from .events import carry_out, check_task
from .rounds import NONE, check_play, check_trade, play_card, start_round, trade
from .scratch import Scratch
from .tables import (
    STAYING,
    all_cards,
    amounts_of,
    at_end,
    clockwise,
    faces_of,
    goods_in_play,
    most,
    targets,
    total,
)
from .types import (
    GOODS,
    Collect,
    Deal,
    Find,
    Move,
    Own,
    Play,
    Player,
    Pos,
    Public,
    Quick,
    Raid,
    Spy,
    Swap,
    Trade,
    View,
)

ANSWERS: dict[str, tuple[type[Move], str, str]] = {
    "play": (Play, "SM-5", "play one of your black-market cards"),
    "trade": (Trade, "SM-6", "trade goods that are wanted, or move the marker"),
    "spy": (Spy, "SM-14", "name the player whose goods are shown"),
    "quick": (Quick, "SM-15", "name the good you trade"),
    "swap": (Swap, "SM-16", "name a player and the cards you give"),
    "raid": (Raid, "SM-17", "name a player and a good"),
    "find": (Find, "SM-18", "rank the goods, best first"),
    "collect": (Collect, "SM-20", "name the player you take a card from"),
}
"""Decision -> the kind of move that answers it, its clause, and what to do."""


def validate(terms: Deal) -> None:
    """Refuse an edition that no game can be played with."""
    for fault in _faults(terms):
        raise Usage(f"edition {terms.edition.name!r}: {fault}", "correct the edition file, or leave it out")


def _faults(terms: Deal) -> Iterator[str]:
    e, seats = terms.edition, terms.seats
    if not 3 <= seats <= 5:
        yield f"{seats} players cannot play, 3 to 5 can"
    if len(e.track) < 2 or (e.track[0], e.track[-1]) != (1, 50) or not all(a < b for a, b in pairwise(e.track)):
        yield "track must start at 1, rise and end at 50"
    if e.limit not in e.track[1:]:
        yield "limit must be a value of the track, more than 1"
    if len(e.steps) != len(e.track) or 0 in e.steps[:-1] or e.steps[-1]:
        yield "steps needs one number for each field of the track: 1 or more, and 0 on the last"
    if len(set(e.events)) != len(e.events):
        yield "events names a text card twice"
    if not e.offers or NONE in e.offers:
        yield "offers must be there, and each must want something"
    if not (1 <= e.hand_goods <= 20 and 1 <= e.hand_cards <= 20):
        yield "hand_goods and hand_cards are 1 to 20"
    if not seats * e.hand_goods <= total(goods_in_play(terms)) <= 400:
        yield "too few goods cards for all hands, or more than 400"
    # Every text card that stays open may lie there while a card is drawn.
    if not seats * e.hand_cards + len(STAYING) < len(all_cards(terms)) <= 400:
        yield "too few black-market cards for all hands and the pile, or more than 400"
    if not (1 <= e.spy_cards <= 5 and 1 <= e.swap_cards <= 5):
        yield "spy_cards and swap_cards are 1 to 5"
    if max(e.quick_deal, e.find_cost) > 1000:
        yield "quick_deal and find_cost are at most 1000"
    if not (e.idle_cards and e.half_cards):
        yield "idle_cards and half_cards are 1 or more"


def bags(terms: Deal) -> Mapping[str, Sequence[str]]:
    """SM-1, SM-2: both piles before anybody is dealt a card."""
    return {"goods": faces_of(goods_in_play(terms)), "cards": all_cards(terms)}


def setup(terms: Deal, draws: Draws) -> Step:
    """SM-4: hands stay in the care of the draws, two per seat."""
    e, seats = terms.edition, range(terms.seats)
    cards = [draws.take("cards", e.hand_cards, to=seat, into=f"cards/{seat}") for seat in seats]
    goods = [draws.take("goods", e.hand_goods, to=seat, into=f"goods/{seat}") for seat in seats]
    public = Public(
        players=(Player(luxury=0, goods=e.hand_goods, cards=e.hand_cards),) * terms.seats,
        half=1,
        start=0,
        turn=0,
        marker=0,
        offer=None,
        wanted=NONE,
        in_force=(),
        spoiled=False,
        traded=(),
        goods_pile=total(goods_in_play(terms)) - terms.seats * e.hand_goods,
        goods_under=(),
        card_pile=len(all_cards(terms)) - terms.seats * e.hand_cards,
        card_under=(),
        played=0,
        idle=0,
    )
    own = [Own(amounts_of(goods[seat]), tuple(sorted(cards[seat]))) for seat in seats]
    s = Scratch(terms, public, own, draws)
    s.log.append(f"every player is dealt {e.hand_cards} black-market cards and {e.hand_goods} goods cards; @0 starts")
    start_round(s, 0)
    return s.close()


def holds(terms: Deal, seen: View) -> Mapping[str, Sequence[str]]:
    """Both hands of a player."""
    return {f"goods/{seen.seat}": faces_of(seen.own.goods), f"cards/{seen.seat}": seen.own.cards}


def check(terms: Deal, seen: View, move: Move) -> None:
    """Raise `IllegalMove` unless the move answers the question and keeps to the rules."""
    ask = ask_of(seen.pending, seen.seat)
    if ask is None:
        raise IllegalMove("SM-5", "it is not your turn", "wait until you are asked")
    kind, clause, todo = ANSWERS[ask.what]
    if not isinstance(move, kind):
        raise IllegalMove(clause, "that does not answer what is asked now", todo)
    if isinstance(move, Play):
        check_play(seen, move)
    elif isinstance(move, Trade):
        check_trade(terms, seen, move)
    else:
        check_task(terms, seen, move)


def apply(terms: Deal, position: Pos, answers: Mapping[int, Move], draws: Draws) -> Step:
    """Play the one answer and run on to the next decision or the end."""
    s = Scratch(terms, position.public, position.own, draws)
    move = answers[s.seat]
    if isinstance(move, Play):
        play_card(s, move)
    elif isinstance(move, Trade):
        trade(s, move)
    else:
        carry_out(s, move)
    return s.close()


def fallback(terms: Deal, seen: View) -> Move:
    """What a missed deadline plays: as little as possible, always the same for the same hand."""
    public, seat, goods = seen.public, seen.seat, seen.own.goods
    ask = ask_of(seen.pending, seat)
    match ask.what if ask else "":
        case "trade":
            return Trade(NONE, 0 if at_end(terms, public) else 1)
        case "spy":
            return Spy(targets(public, seat)[0])
        case "quick":
            return Quick(most(goods))
        case "swap":
            return Swap(targets(public, seat)[0], 1, (most(goods),))
        case "raid":
            return Raid(clockwise(public, seat)[0], GOODS[0])
        case "find":
            return Find(GOODS)
        case "collect":
            return Collect(targets(public, seat)[0])
        case _:
            return Play(_first_card(terms, seen.own.cards))


def _first_card(terms: Deal, held: Sequence[str]) -> str:
    """The first offer by number, or else the first text card of the edition: the order of `all_cards`."""
    return next(card for card in all_cards(terms) if card in held)
