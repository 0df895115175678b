"""Toy Auction: a whole game in one file. Every part of the contract is used once; the clauses are in RULES.md."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any

import msgspec

from referee.errors import IllegalMove
from referee.forms import Choice
from referee.game import LINK, Ask, Below, Draws, Game, Note, Paint, Seen, Step, Terms, ask_of, note, ranked, refuse

Card = Annotated[str, msgspec.Meta(pattern=r"\A[0-9]{2}\Z")]
Count = Annotated[int, msgspec.Meta(ge=0, le=1000)]
Few = Annotated[int, msgspec.Meta(ge=1, le=20)]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rounds: Few = 3


class Edition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, msgspec.Meta(max_length=40)]
    cards_each: Annotated[int, msgspec.Meta(ge=2, le=20)]
    hand: Few
    money: Annotated[int, msgspec.Meta(ge=0, le=100)]
    sides: Annotated[int, msgspec.Meta(ge=1, le=30)]
    reshuffle: Few  # after this round the pile is shuffled
    guess: Few


class Public(msgspec.Struct, frozen=True):
    round: Count
    lot: Count
    pile: Count
    money: tuple[Count, ...]
    points: tuple[Count, ...]
    bids: tuple[Count, ...] = ()
    played: tuple[Card, ...] = ()
    prize: str = ""


class Bid(msgspec.Struct, frozen=True, tag="bid", tag_field="do", forbid_unknown_fields=True):
    amount: Count = 0


class Raid(msgspec.Struct, frozen=True, tag="raid", tag_field="do", forbid_unknown_fields=True):
    target: Count
    card: Card = "00"


class Play(msgspec.Struct, frozen=True, tag="play", tag_field="do", forbid_unknown_fields=True):
    card: Card


class Guess(msgspec.Struct, frozen=True, tag="guess", tag_field="do", forbid_unknown_fields=True):
    odd: bool = False


Move = Bid | Raid | Play | Guess
Deal = Terms[Options, Edition]
Sight = Seen[Public]


def validate(terms: Deal) -> None:
    refuse(terms.edition.name, faults(terms))


def faults(terms: Deal) -> Iterator[str]:
    if terms.edition.hand >= terms.edition.cards_each:
        yield "a hand must be smaller than a player's share of the cards"


def bags(terms: Deal) -> dict[str, list[str]]:
    return {"pile": [f"{n:02}" for n in range(1, terms.edition.cards_each * terms.seats + 2)]}


def hand(seat: int) -> str:
    return f"hand/{seat}"


def together(terms: Deal, what: str, *sealed: str) -> tuple[Ask, ...]:
    return tuple(Ask(seat, what, sealed) for seat in range(terms.seats))


def setup(terms: Deal, draws: Draws) -> Step:
    edition = terms.edition
    draws.deal("pile", 1, "prize")
    for seat in range(terms.seats):
        draws.deal("pile", edition.hand, hand(seat))
    lot = draws.die(edition.sides)
    public = Public(1, lot, draws.count("pile"), (edition.money,) * terms.seats, (0,) * terms.seats)
    return Step(public, together(terms, "bid", "amount"), (note("lot", worth=lot),))


def check(terms: Deal, seen: Sight, move: Move) -> None:
    check_open(terms, seen.public, ask_of(seen.pending, seen.seat), move)
    if isinstance(move, Bid) and move.amount > seen.public.money[seen.seat]:
        raise IllegalMove("TA-4", "nobody can bid more money than they have")
    if isinstance(move, Raid | Play) and move.card not in seen.hand("hand"):
        raise IllegalMove("TA-5" if isinstance(move, Raid) else "TA-6", "that card is not in the hand")


def check_open(terms: Deal, public: Public, ask: Ask | None, move: Move) -> None:
    if ask is None or text(move).split()[0] != ask.what:
        raise IllegalMove("TA-3", "that is not what is asked now")
    if isinstance(move, Raid) and (move.target >= terms.seats or move.target == ask.seat):
        raise IllegalMove("TA-5", "a raid needs another player")


def apply(terms: Deal, public: Public, pending: tuple[Ask, ...], moves: Mapping[int, Any], draws: Draws) -> Step:
    for ask in pending:
        if moves[ask.seat] is not None:
            check_open(terms, public, ask, moves[ask.seat])
    steps: dict[str, Callable[..., Step]] = {"bid": bid, "raid": raid, "play": play, LINK: refill, "guess": finish}
    return steps[pending[0].what](terms, public, moves, draws)


def bid(terms: Deal, public: Public, moves: Mapping[int, Bid], draws: Draws) -> Step:
    bids = tuple(draws.unseal(seat, "amount").amount if moves[seat] else 0 for seat in range(terms.seats))
    if any(amount > have for amount, have in zip(bids, public.money, strict=True)):
        raise IllegalMove("TA-4", "nobody can bid more money than they have")
    winner = bids.index(max(bids))
    money = tuple(have - (bids[seat] if seat == winner else 0) for seat, have in enumerate(public.money))
    points = tuple(have + (public.lot if seat == winner else 0) for seat, have in enumerate(public.points))
    public = msgspec.structs.replace(public, money=money, points=points, bids=bids)
    return Step(public, (Ask(winner, "raid", ("card",)),), (note("wins", seat=winner, bid=bids[winner]),))


def raid(terms: Deal, public: Public, moves: Mapping[int, Raid], draws: Draws) -> Step:
    ((seat, move),) = moves.items()
    target = move.target if move else (seat + 1) % terms.seats
    if move:
        draws.give(seat, "card", 1, hand(seat), "swap")
    else:
        draws.deal(hand(seat), 1, "swap")
    draws.deal(hand(target), 1, hand(seat))
    draws.deal("swap", 1, hand(target))
    return Step(public, together(terms, "play"), (note("raids", seat=seat, target=target),))


def play(terms: Deal, public: Public, moves: Mapping[int, Play], draws: Draws) -> Step:
    cards = []
    for seat in range(terms.seats):
        move = moves[seat]
        if move:
            draws.lay_out(hand(seat), (move.card,))
        cards += [move.card] if move else draws.take(hand(seat), 1)
    best = cards.index(max(cards))
    draws.under("pile", cards[::-1])
    points = tuple(have + (seat == best) for seat, have in enumerate(public.points))
    public = msgspec.structs.replace(public, points=points, played=tuple(cards), bids=())
    log = (note("best", seat=best),)
    if public.round == terms.edition.reshuffle:
        draws.shuffle("pile")
        return Step(public, together(terms, LINK), log)
    step = refill(terms, public, {}, draws)
    return msgspec.structs.replace(step, log=log + step.log)


def refill(terms: Deal, public: Public, moves: Mapping[int, Any], draws: Draws) -> Step:
    for seat in range(terms.seats):
        draws.deal("pile", 1, hand(seat))
    log: list[Note] = []
    pending, lot = together(terms, "guess", "odd"), 0
    if public.round < terms.options.rounds:
        pending, lot = together(terms, "bid", "amount"), draws.die(terms.edition.sides)
        log.append(note("lot", worth=lot))
    public = msgspec.structs.replace(public, round=public.round + 1, lot=lot, pile=draws.count("pile"))
    return Step(public, pending, tuple(log))


def finish(terms: Deal, public: Public, moves: Mapping[int, Guess], draws: Draws) -> Step:
    guesses = [draws.unseal(seat, "odd").odd if moves[seat] else None for seat in range(terms.seats)]
    (prize,) = draws.lay_out_all("prize")
    odd = int(prize) % 2 == 1
    points = tuple(n + terms.edition.guess * (guesses[seat] == odd) for seat, n in enumerate(public.points))
    public = msgspec.structs.replace(public, points=points, prize=prize)
    return Step(public, (), (note("prize", card=prize),), ranked(tuple(zip(points, public.money, strict=True))))


def options_of(terms: Deal, seen: Sight) -> list[Move]:
    ask, cards = ask_of(seen.pending, seen.seat), seen.hand("hand")
    others = [seat for seat in range(terms.seats) if seat != seen.seat]
    found: dict[str, list[Move]] = {
        "bid": [Bid(amount) for amount in range(seen.public.money[seen.seat] + 1)],
        "raid": [Raid(target, card) for target in others for card in cards],
        "play": [Play(card) for card in cards],
        "guess": [Guess(False), Guess(True)],
    }
    return found.get(ask.what, []) if ask else []


def legal(terms: Deal, seen: Sight) -> list[Choice]:
    return [Choice(text(move), move) for move in options_of(terms, seen)]


def parse(terms: Deal, seen: Sight, line: str) -> Move:
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


def draw(terms: Deal, seen: Sight, names: Sequence[str], paint: Paint, width: int) -> str:
    public = seen.public
    rows = [f"{name[:20]:20} money {public.money[s]:3}  points {public.points[s]:3}" for s, name in enumerate(names)]
    rows[seen.seat] = paint(rows[seen.seat], "bold")
    rows.insert(0, f"round {public.round}, lot {public.lot}, pile {public.pile}, prize {public.prize or 'hidden'}")
    return "\n".join((*rows, "your hand: " + " ".join(seen.hand("hand"))))


TOLD = {
    "lot": "the lot is worth {worth}",
    "wins": "@{seat} wins the lot for {bid}",
    "raids": "@{seat} raids @{target}",
    "best": "@{seat} played the highest card",
    "prize": "the prize is {card}",
}


def tell(terms: Deal, told: Note) -> str:
    return TOLD[told.what].format(**told.values)


def any_move(terms: Deal, seen: Sight, below: Below) -> Move:
    return (found := options_of(terms, seen))[below(len(found))]


GAME = Game(
    title="Toy Auction",
    rules="1",
    seats=(2, 16),
    options=Options,
    edition=Edition,
    public=Public,
    move=Move,
    hands=("hand",),
    validate=validate,
    bags=bags,
    setup=setup,
    apply=apply,
    check=check,
    legal=legal,
    parse=parse,
    text=text,
    tell=tell,
    draw=draw,
    bots={"random": any_move, "sensible": any_move},
)
