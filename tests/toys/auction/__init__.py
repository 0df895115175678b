"""Toy Auction: a whole game in one file. Every part of the contract is used once; the clauses are in RULES.md."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import msgspec

from referee.errors import IllegalMove, Usage
from referee.game import NOBODY, Ask, Below, Choice, Draws, Game, Paint, Position, Result, Seen, Step, Terms, ask_of

Card = Annotated[str, msgspec.Meta(pattern=r"\A[0-9]{2}\Z")]
Count = Annotated[int, msgspec.Meta(ge=0, le=1000)]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rounds: Count = 3


class Edition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    cards_each: Count
    hand: Count
    money: Count
    sides: Count
    reshuffle: Count  # after this round the pile is shuffled
    guess: Count


class Public(msgspec.Struct, frozen=True):
    round: Count
    lot: Count
    pile: Count
    money: tuple[Count, ...]
    points: tuple[Count, ...]
    bids: tuple[Count, ...] = ()
    played: tuple[Card, ...] = ()
    prize: str = ""


class Own(msgspec.Struct, frozen=True):
    hand: tuple[Card, ...]


class Hidden(msgspec.Struct, frozen=True):
    odd: bool  # whether the prize is


class Bid(msgspec.Struct, frozen=True, tag="bid", tag_field="do", forbid_unknown_fields=True):
    amount: Count


class Raid(msgspec.Struct, frozen=True, tag="raid", tag_field="do", forbid_unknown_fields=True):
    target: Count
    card: Card


class Play(msgspec.Struct, frozen=True, tag="play", tag_field="do", forbid_unknown_fields=True):
    card: Card


class Guess(msgspec.Struct, frozen=True, tag="guess", tag_field="do", forbid_unknown_fields=True):
    odd: bool


Move = Bid | Raid | Play | Guess
Deal = Terms[Options, Edition]
Pos = Position[Public, Own, Hidden]
View = Seen[Public, Own]


def validate(terms: Deal) -> None:
    if terms.edition.hand >= terms.edition.cards_each or not terms.edition.hand:
        raise Usage("a hand must be smaller than a player's share of the cards", "mend the edition", code="bad-edition")
    if not terms.options.rounds:
        raise Usage("there must be a round to play", "choose rounds=1 or more", code="bad-options")


def bags(terms: Deal) -> dict[str, list[str]]:
    cards = [f"{n:02}" for n in range(1, terms.edition.cards_each * terms.seats + 2)]
    return {"pile": cards} | {hand(seat): [] for seat in range(terms.seats)}


def hand(seat: int) -> str:
    return f"hand/{seat}"


def together(terms: Deal, what: str, *sealed: str) -> tuple[Ask, ...]:
    return tuple(Ask(seat, what, sealed) for seat in range(terms.seats))


def setup(terms: Deal, draws: Draws) -> Step:
    edition = terms.edition
    draws.take("pile", 1, to=NOBODY, into="prize")
    hands = []
    for seat in range(terms.seats):
        hands.append(draws.take("pile", edition.hand, to=seat, into=hand(seat)))
        draws.seal(hand(seat), hands[-1], owner=seat)
    lot = draws.die(edition.sides, "lot")
    public = Public(1, lot, draws.count("pile"), (edition.money,) * terms.seats, (0,) * terms.seats)
    own, hidden = tuple(Own(tuple(sorted(cards))) for cards in hands), Hidden(int(draws.contents("prize")[0]) % 2 == 1)
    return Step(Position(public, own, hidden, together(terms, "bid", "amount")), (f"the first lot is worth {lot}",))


def check(terms: Deal, seen: View, move: Move) -> None:
    ask = ask_of(seen.pending, seen.seat)
    if ask is None or text(move).split()[0] != ask.what:
        raise IllegalMove("TA-3", "that is not what is asked now")
    if isinstance(move, Bid) and move.amount > seen.public.money[seen.seat]:
        raise IllegalMove("TA-4", "nobody can bid more money than they have")
    if isinstance(move, Raid) and (move.target >= terms.seats or move.target == seen.seat):
        raise IllegalMove("TA-5", "a raid needs another player")
    if isinstance(move, Raid | Play) and move.card not in seen.own.hand:
        raise IllegalMove("TA-5" if isinstance(move, Raid) else "TA-6", "that card is not in the hand")


def apply(terms: Deal, position: Pos, moves: Mapping[int, Any], draws: Draws) -> Step:
    steps: dict[str, Callable[..., Step]] = {"bid": bid, "raid": raid, "play": play, "guess": finish}
    return steps[position.pending[0].what](terms, position, moves, draws)


def bid(terms: Deal, position: Pos, moves: Mapping[int, Bid], draws: Draws) -> Step:
    bids = tuple(moves[seat].amount for seat in range(terms.seats))
    for seat in range(terms.seats):
        draws.show(seat)
    winner, public = bids.index(max(bids)), position.public
    money = tuple(have - (bids[seat] if seat == winner else 0) for seat, have in enumerate(public.money))
    points = tuple(have + (public.lot if seat == winner else 0) for seat, have in enumerate(public.points))
    public = msgspec.structs.replace(public, money=money, points=points, bids=bids)
    after = msgspec.structs.replace(position, public=public, pending=(Ask(winner, "raid", ("card",)),))
    return Step(after, (f"@{winner} wins the lot for {bids[winner]}",))


def raid(terms: Deal, position: Pos, moves: Mapping[int, Raid], draws: Draws) -> Step:
    ((seat, move),) = moves.items()
    (stolen,) = draws.take(hand(move.target), 1, to=seat, into=hand(seat))
    own = list(position.own)
    for who, gone, come in ((seat, move.card, stolen), (move.target, stolen, move.card)):
        own[who] = Own(tuple(sorted({*own[who].hand} - {gone} | {come})))
        draws.seal(hand(who), own[who].hand, owner=who)
    after = msgspec.structs.replace(position, own=tuple(own), pending=together(terms, "play"))
    return Step(after, (f"@{seat} raids @{move.target}",))


def play(terms: Deal, position: Pos, moves: Mapping[int, Play], draws: Draws) -> Step:
    public, number = position.public, position.public.round
    cards = tuple(moves[seat].card for seat in range(terms.seats))
    best = cards.index(max(cards))
    for seat, card in enumerate(cards):
        draws.open(hand(seat), (card,))
    draws.under("pile", cards[::-1])
    own = []
    for seat, card in enumerate(cards):
        drawn = draws.take("pile", 1, to=seat, into=hand(seat))
        own.append(Own(tuple(sorted({*position.own[seat].hand} - {card} | {*drawn}))))
    if number == terms.edition.reshuffle:
        draws.seal("pile", draws.contents("pile"))
    log, pending, lot = [f"@{best} played the highest card"], together(terms, "guess", "odd"), 0
    if number < terms.options.rounds:
        pending, lot = together(terms, "bid", "amount"), draws.die(terms.edition.sides, "lot")
        log.append(f"the next lot is worth {lot}")
    points = tuple(have + (seat == best) for seat, have in enumerate(public.points))
    public = Public(number + 1, lot, draws.count("pile"), public.money, points, (), cards)
    return Step(msgspec.structs.replace(position, public=public, own=tuple(own), pending=pending), tuple(log))


def finish(terms: Deal, position: Pos, moves: Mapping[int, Guess], draws: Draws) -> Step:
    prize = draws.contents("prize")
    draws.open("prize", prize)
    right = [moves[seat].odd == position.hidden.odd for seat in range(terms.seats)]
    points = tuple(n + terms.edition.guess * right[seat] for seat, n in enumerate(position.public.points))
    public = msgspec.structs.replace(position.public, points=points, prize=prize[0])
    scores = tuple(zip(points, public.money, strict=True))
    result = Result(tuple(1 + sum(other > score for other in scores) for score in scores), scores)
    return Step(Position(public, position.own, position.hidden, (), result), (f"the prize is {prize[0]}",))


def options_of(terms: Deal, seen: View) -> list[Move]:
    ask, cards = ask_of(seen.pending, seen.seat), seen.own.hand
    others = [seat for seat in range(terms.seats) if seat != seen.seat]
    found: dict[str, list[Move]] = {
        "bid": [Bid(amount) for amount in range(seen.public.money[seen.seat] + 1)],
        "raid": [Raid(target, card) for target in others for card in cards],
        "play": [Play(card) for card in cards],
        "guess": [Guess(False), Guess(True)],
    }
    return found[ask.what] if ask else []


def legal(terms: Deal, seen: View) -> list[Choice]:
    return [Choice(text(move), move) for move in options_of(terms, seen)]


def fallback(terms: Deal, seen: View) -> Move:
    after = (seen.seat + 1) % terms.seats
    return next(m for m in options_of(terms, seen) if not isinstance(m, Raid) or m.target == after)


def parse(terms: Deal, seen: View, line: str) -> Move:
    for move in options_of(terms, seen):
        if line.split() == text(move).split():
            return move
    raise IllegalMove("TA-3", "that means no move that is legal now")


def text(move: Move) -> str:
    if isinstance(move, Bid):
        return f"bid {move.amount}"
    if isinstance(move, Raid):
        return f"raid {move.target + 1} {move.card}"
    if isinstance(move, Play):
        return f"play {move.card}"
    return "guess odd" if move.odd else "guess even"


def draw(terms: Deal, seen: View, names: Sequence[str], paint: Paint) -> str:
    public = seen.public
    rows = [f"{name[:20]:20} money {public.money[s]:3}  points {public.points[s]:3}" for s, name in enumerate(names)]
    rows[seen.seat] = paint(rows[seen.seat], "bold")
    rows.insert(0, f"round {public.round}, lot {public.lot}, pile {public.pile}, prize {public.prize or 'hidden'}")
    return "\n".join((*rows, "your hand: " + " ".join(seen.own.hand)))


def any_move(terms: Deal, seen: View, below: Below) -> Move:
    return (found := options_of(terms, seen))[below(len(found))]


GAME = Game(
    title="Toy Auction",
    rules="1",
    seats=(2, 4),
    options=Options,
    edition=Edition,
    public=Public,
    own=Own,
    hidden=Hidden,
    move=Move,
    validate=validate,
    bags=bags,
    setup=setup,
    check=check,
    apply=apply,
    legal=legal,
    fallback=fallback,
    parse=parse,
    text=text,
    draw=draw,
    bots={"random": any_move, "sensible": any_move},
    holds=lambda terms, seen: {hand(seen.seat): seen.own.hand},
)
