"""Toy Auction: a whole game in one file. Every part of the contract is used once; the clauses are in RULES.md."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, get_args

import msgspec

from referee.columns import fitted
from referee.errors import IllegalMove
from referee.forms import Amounts, Choice, Free, Limit, Number, Option, Part, Pick, Ranking, Term, When, build, sample
from referee.game import (
    LINK,
    Ask,
    Below,
    Draws,
    Game,
    Note,
    Paint,
    Seen,
    Standing,
    Step,
    Terms,
    ask_of,
    note,
    ranked,
    refuse,
)
from referee.language import Catalogue, Text

t = Catalogue(__name__)

Card = Annotated[str, msgspec.Meta(pattern=r"\A[0-9]{2}\Z")]
Count = Annotated[int, msgspec.Meta(ge=0, le=1000)]
Few = Annotated[int, msgspec.Meta(ge=1, le=20)]
Chip = Literal["white", "black"]
Trophy = Literal["cup", "medal", "ribbon"]
Motto = Annotated[str, msgspec.Meta(pattern=r"\A([a-z]+( [a-z]+)*)?\Z", max_length=20)]
TROPHIES = get_args(Trophy)


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
    white: Few  # what a chip costs
    black: Few


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    bid: Count | None = None  # to be bid each time, without being asked


class Public(msgspec.Struct, frozen=True):
    standing: tuple[Words, ...]
    round: Count
    lot: Count
    pile: Count
    money: tuple[Count, ...]
    points: tuple[Count, ...]
    bids: tuple[Count, ...] = ()
    played: tuple[Card, ...] = ()
    prize: str = ""
    trophies: tuple[str, ...] = ()


class Bid(msgspec.Struct, frozen=True, tag="bid", tag_field="do", forbid_unknown_fields=True):
    amount: Count = 0


class Raid(msgspec.Struct, frozen=True, tag="raid", tag_field="do", forbid_unknown_fields=True, omit_defaults=True):
    target: Count
    card: Card = "00"
    loud: bool = False


class Play(msgspec.Struct, frozen=True, tag="play", tag_field="do", forbid_unknown_fields=True):
    card: Card


class Guess(msgspec.Struct, frozen=True, tag="guess", tag_field="do", forbid_unknown_fields=True):
    odd: bool = False
    stake: dict[Chip, Few] = {}
    side: Chip | None = None
    want: Annotated[tuple[Trophy, ...], msgspec.Meta(max_length=3)] = ()
    motto: Motto = ""


Move = Bid | Raid | Play | Guess
VERBS = {Bid: "bid", Raid: "raid", Play: "play", Guess: "guess"}
Deal = Terms[Options, Edition]
Sight = Seen[Public]


def validate(terms: Deal) -> None:
    refuse(terms.edition.name, faults(terms))


def faults(terms: Deal) -> Iterator[Text]:
    if terms.edition.hand >= terms.edition.cards_each:
        yield t("a hand must be smaller than a player's share of the cards")
    if terms.edition.cards_each * terms.seats + 1 > 99:
        yield t("cards have two digits: choose a smaller share")


def bags(terms: Deal) -> dict[str, list[str]]:
    return {"pile": [f"{n:02}" for n in range(1, terms.edition.cards_each * terms.seats + 2)]}


def hand(seat: int) -> str:
    return f"hand/{seat}"


def together(terms: Deal, what: str, *sealed: str) -> tuple[Ask, ...]:
    return tuple(Ask(seat, what, sealed) for seat in range(terms.seats))


def setup(terms: Deal, draws: Draws, words: tuple[Words, ...]) -> Step:
    edition = terms.edition
    draws.deal("pile", 1, "prize")
    for seat in range(terms.seats):
        draws.deal("pile", edition.hand, hand(seat))
    lot = draws.die(edition.sides)
    public = Public(words, 1, lot, draws.count("pile"), (edition.money,) * terms.seats, (0,) * terms.seats)
    return bidding(terms, public, draws, (note("lot", worth=lot),))


def bidding(terms: Deal, public: Public, draws: Draws, log: tuple[Note, ...]) -> Step:
    asks = tuple(ask for ask in together(terms, "bid", "amount") if public.standing[ask.seat].bid is None)
    if asks:
        return Step(public, asks, log)
    step = bid(terms, public, {}, draws)
    return msgspec.structs.replace(step, log=log + step.log)


def check(terms: Deal, seen: Sight, move: Move) -> None:
    check_open(terms, seen.public, ask_of(seen.pending, seen.seat), move)
    if isinstance(move, Bid) and move.amount > seen.public.money[seen.seat]:
        raise IllegalMove("TA-4", t("nobody can bid more money than they have"))
    if isinstance(move, Raid | Play) and move.card not in seen.hand("hand"):
        raise IllegalMove("TA-5" if isinstance(move, Raid) else "TA-6", t("that card is not in the hand"))


def check_open(terms: Deal, public: Public, ask: Ask | None, move: Move) -> None:
    if ask is None or VERBS[type(move)] != ask.what:
        raise IllegalMove("TA-3", t("that is not what is asked now"))
    if isinstance(move, Raid) and (move.target >= terms.seats or move.target == ask.seat):
        raise IllegalMove("TA-5", t("a raid needs another player"))
    if isinstance(move, Guess):
        check_stake(terms, public.money[ask.seat], move)


def check_stake(terms: Deal, money: int, move: Guess) -> None:
    if worth(terms, move) > money:
        raise IllegalMove("TA-11", t("nobody can stake more money than they have"))
    if (move.side is None) != (not move.stake) or (move.side and move.side not in move.stake):
        raise IllegalMove("TA-11", t("name a kind of chip that is staked as the side bet"))
    if len(set(move.want)) < len(move.want):
        raise IllegalMove("TA-12", t("name each trophy once"))
    if set(move.motto.split()) & set(TROPHIES):
        raise IllegalMove("TA-12", t("a motto names no trophy"))


def prices(terms: Deal) -> dict[str, int]:
    return {"white": terms.edition.white, "black": terms.edition.black}


def worth(terms: Deal, move: Guess | None) -> int:
    return sum(prices(terms)[chip] * number for chip, number in move.stake.items()) if move else 0


def apply(terms: Deal, public: Public, pending: tuple[Ask, ...], moves: Mapping[int, Any], draws: Draws) -> Step:
    for ask in pending:
        if moves[ask.seat] is not None:
            check_open(terms, public, ask, moves[ask.seat])
    steps: dict[str, Callable[..., Step]] = {"bid": bid, "raid": raid, "play": play, LINK: refill, "guess": finish}
    return steps[pending[0].what](terms, public, moves, draws)


def bid(terms: Deal, public: Public, moves: Mapping[int, Bid | None], draws: Draws) -> Step:
    bids = tuple(
        draws.unseal(seat, "amount").amount if moves.get(seat) else min(public.standing[seat].bid or 0, have)
        for seat, have in enumerate(public.money)
    )
    if any(amount > have for amount, have in zip(bids, public.money, strict=True)):
        raise IllegalMove("TA-4", t("nobody can bid more money than they have"))
    winner = bids.index(max(bids))
    money = tuple(have - (bids[seat] if seat == winner else 0) for seat, have in enumerate(public.money))
    points = tuple(have + (public.lot if seat == winner else 0) for seat, have in enumerate(public.points))
    public = msgspec.structs.replace(public, money=money, points=points, bids=bids)
    return Step(public, (Ask(winner, "raid", ("card",)),), (note("wins", seat=winner, bid=bids[winner]),))


def raid(terms: Deal, public: Public, moves: Mapping[int, Raid | None], draws: Draws) -> Step:
    ((seat, move),) = moves.items()
    target = move.target if move else (seat + 1) % terms.seats
    if move:
        draws.give(seat, "card", 1, hand(seat), "swap")
    else:
        draws.deal(hand(seat), 1, "swap")
    draws.deal(hand(target), 1, hand(seat))
    draws.deal("swap", 1, hand(target))
    told = "shouts" if move and move.loud else "raids"
    return Step(public, together(terms, "play"), (note(told, seat=seat, target=target),))


def play(terms: Deal, public: Public, moves: Mapping[int, Play | None], draws: Draws) -> Step:
    cards: list[str] = []
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
    more = public.round < terms.options.rounds
    lot = draws.die(terms.edition.sides) if more else 0
    public = msgspec.structs.replace(public, round=public.round + 1, lot=lot, pile=draws.count("pile"))
    if more:
        return bidding(terms, public, draws, (note("lot", worth=lot),))
    return Step(public, together(terms, "guess", "odd"))


def finish(terms: Deal, public: Public, moves: Mapping[int, Guess | None], draws: Draws) -> Step:
    guesses = [draws.unseal(seat, "odd").odd if moves[seat] else None for seat in range(terms.seats)]
    (prize,) = draws.lay_out_all("prize")
    points, money = list(public.points), list(public.money)
    log = [note("prize", card=prize)]
    for seat, guess in enumerate(guesses):
        move, right = moves[seat], guess == (int(prize) % 2 == 1)
        points[seat] += terms.edition.guess * right + bool(right and move and move.side)
        money[seat] += worth(terms, move) * (1 if right else -1)
        log += [note("says", seat=seat, words=move.motto)] if move and move.motto else []
    result = ranked(tuple(zip(points, money, strict=True)))
    order = sorted(range(terms.seats), key=lambda seat: result.ranks[seat])
    trophies = given([(seat, move.want if (move := moves[seat]) else ()) for seat in order])
    public = msgspec.structs.replace(
        public, points=tuple(points), money=tuple(money), prize=prize, trophies=tuple(trophies)
    )
    return Step(public, (), tuple(log), result)


def given(wishes: Sequence[tuple[int, Sequence[str]]]) -> list[str]:
    left, found = list(TROPHIES), [""] * len(wishes)
    for seat, want in wishes:
        best = next((one for one in (*want, *TROPHIES) if one in left), "")
        found[seat] = best
        left = [one for one in left if one != best]
    return found


# --- what can be done, as data ---------------------------------------------------------------------------------------


def legal(terms: Deal, seen: Sight) -> list[Choice]:
    ask = ask_of(seen.pending, seen.seat)
    found: dict[str, Callable[..., list[Choice]]] = {"bid": bids_of, "raid": raids, "play": plays, "guess": guesses_of}
    return found[ask.what](terms, seen) if ask and ask.what in found else []


def bids_of(terms: Deal, seen: Sight) -> list[Choice]:
    most = seen.public.money[seen.seat]
    amount = Number("amount", "how much?", 0, most)
    return [Choice(f"bid 0 to {most}", Bid(0), form={"do": "bid", "amount": {"$": "amount"}}, parts=(amount,))]


def raids(terms: Deal, seen: Sight) -> list[Choice]:
    cards, others = seen.hand("hand"), [seat for seat in range(terms.seats) if seat != seen.seat]
    parts = (
        Pick("target", "whom?", tuple(Option(f"@{seat}", seat) for seat in others)),
        Pick("card", "which card do you give?", picks(cards)),
        Pick("voice", "how?", (Option("quietly"), Option("loudly", True))),
    )
    form = {"do": "raid", "target": {"$": "target"}, "card": {"$": "card"}, "loud": {"$": "voice"}}
    return [Choice("raid another player", Raid(others[0], cards[0]), form=form, parts=parts)]


def plays(terms: Deal, seen: Sight) -> list[Choice]:
    return [Choice(text(Play(card)), Play(card)) for card in dict.fromkeys(seen.hand("hand"))]


def picks(cards: Sequence[str]) -> tuple[Option, ...]:
    return tuple(Option(card, card) for card in dict.fromkeys(cards))


def guesses_of(terms: Deal, seen: Sight) -> list[Choice]:
    money = seen.public.money[seen.seat]
    most = {chip: min(20, money // price) for chip, price in prices(terms).items()}
    sides = [Option(chip, chip, (When("stake", chip),)) for chip in most]
    parts: tuple[Part, ...] = (
        Pick("odd", "is the prize odd or even?", (Option("even", False), Option("odd", True))),
        Amounts("stake", "how many chips?", most),
        Pick("side", "which kind is the side bet?", (*sides, Option("none", None, otherwise=True))),
        Ranking("want", "which trophies, best first?", TROPHIES, 0),
    )
    paid = Limit(tuple(Term("stake", chip, price) for chip, price in prices(terms).items()), 0, money, f"up to {money}")
    form = {"do": "guess", **{part.name: {"$": part.name} for part in parts}}
    motto = Free("motto", "what do you say?", "small letters and blanks, and no trophy (TA-12)", 20)
    spoken = Guess(motto="may it rain")
    return [
        Choice("guess", Guess(), form=form | {"motto": ""}, parts=parts, limits=(paid,)),
        Choice(
            "guess, with a motto",
            spoken,
            form=form | {"motto": {"$": "motto"}},
            parts=(*parts, motto),
            limits=(paid,),
            minor=True,
        ),
    ]


def text(move: Move) -> str:
    if isinstance(move, Bid):
        return f"bid {move.amount}"
    if isinstance(move, Raid):
        return f"raid {move.target + 1} {move.card}" + " loudly" * move.loud
    if isinstance(move, Play):
        return f"play {move.card}"
    said = ["guess odd" if move.odd else "guess even"]
    said += ["stake " + " ".join(f"{n} {chip}" for chip, n in sorted(move.stake.items()))] if move.stake else []
    said += [f"side {move.side}"] if move.side else []
    said += ["want " + " ".join(move.want)] if move.want else []
    said += [f"say {move.motto}"] if move.motto else []
    return ", ".join(said)


def parse(terms: Deal, seen: Sight, line: str) -> Move:
    try:
        return msgspec.convert(read(line), Move)  # type: ignore[no-any-return]
    except (ValueError, KeyError, msgspec.ValidationError):
        raise IllegalMove("TA-3", t("that means no move that is legal now")) from None


def read(line: str) -> dict[str, Any]:
    (verb, *words), *more = (clause.split() for clause in line.split(","))
    said = {key: rest for key, *rest in more}
    if verb == "guess" and len(said) == len(more) and said.keys() <= {"stake", "side", "want", "say"}:
        stake, (side,) = said.get("stake", []), said.get("side", [None])
        chips = dict(zip(stake[1::2], map(int, stake[::2]), strict=True))
        (odd,) = words
        return {
            "do": verb,
            "odd": {"odd": True, "even": False}[odd],
            "stake": chips if len(chips) * 2 == len(stake) else None,
            "side": side,
            "want": said.get("want", []),
            "motto": " ".join(said.get("say", [])),
        }
    if more or verb not in ("bid", "raid", "play"):
        raise ValueError(verb)
    if verb == "raid":
        target, card, *voice = words
        loud = {"loudly": True, "": False}[" ".join(voice)]
        return {"do": verb, "target": int(target) - 1, "card": card, "loud": loud}
    (value,) = words
    return {"do": verb, "amount": int(value)} if verb == "bid" else {"do": verb, "card": value}


def say(terms: Deal, said: Words) -> list[Choice]:
    most = Number("amount", "how much?", 0, terms.edition.money)
    found = [Choice("bid the same always", Words(0), form={"bid": {"$": "amount"}}, parts=(most,))]
    return found if said.bid is None else [*found, Choice("bid ask", Words())]


def parse_words(terms: Deal, said: Words, phrase: str) -> Words:
    match phrase.split():
        case ["bid", "ask"]:
            return Words()
        case ["bid", amount, "always"] if amount.isascii() and amount.isdigit() and len(amount) < 4:
            return Words(int(amount))
    raise IllegalMove("TA-13", t("say `bid 3 always`, or take it back with `bid ask`"))


def text_words(words: Words) -> list[str]:
    return [] if words.bid is None else [f"bid {words.bid} always"]


def advise(terms: Deal, seen: Sight, bot: str) -> Words | None:
    if seen.public is None or seen.public.money[seen.seat] or seen.public.standing[seen.seat].bid is not None:
        return None
    return Words(0)


# --- what is shown ---------------------------------------------------------------------------------------------------


def render(terms: Deal, seen: Sight, names: Sequence[str], paint: Paint, width: int) -> str:
    public = seen.public
    rows = [
        f"{fitted(name, 20)} money {public.money[s]:3}  points {public.points[s]:3}" for s, name in enumerate(names)
    ]
    rows = [paint(row, "bold") if seat == seen.seat else row for seat, row in enumerate(rows)]
    rows.insert(0, f"round {public.round}, lot {public.lot}, pile {public.pile}, prize {public.prize or 'hidden'}")
    return "\n".join((*rows, "your hand: " + " ".join(seen.hand("hand"))))


TOLD = {
    "lot": "the lot is worth {worth}",
    "wins": "@{seat} wins the lot for {bid}",
    "raids": "@{seat} raids @{target}",
    "shouts": "@{seat} raids @{target}, and everybody hears it",
    "best": "@{seat} played the highest card",
    "prize": "the prize is {card}",
    "says": "@{seat} says: {words}",
}


def tell(terms: Deal, told: Note) -> str:
    return TOLD[told.what].format(**told.values)


def any_move(terms: Deal, seen: Sight, below: Below) -> Move:
    found = [choice for choice in legal(terms, seen) if not choice.minor]
    choice = found[below(len(found))]
    return msgspec.convert(build(choice, sample(choice, below) or {}), Move)  # type: ignore[no-any-return]


GAME = Game(
    title="Toy Auction",
    rules="1",
    seats=(2, 16),
    options=Options,
    edition=Edition,
    public=Public,
    move=Move,
    hands=("hand",),
    standing=Standing(words=Words, legal=say, parse=parse_words, text=text_words, advise=advise),
    validate=validate,
    bags=bags,
    setup=setup,
    apply=apply,
    check=check,
    legal=legal,
    parse=parse,
    text=text,
    tell=tell,
    render=render,
    bots={"random": any_move, "sensible": any_move},
)
