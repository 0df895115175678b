"""Moves as people type them (`parse`, `text`), and the list of what is legal (`legal`)."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from referee.errors import IllegalMove
from referee.forms import Choice
from referee.game import ask_of

from .tables import (
    ONE,
    at_most,
    card_for,
    colours_in,
    count,
    held,
    price,
    room,
    sale_left,
    shares_of,
    silver_price,
    stage,
    strip_full,
    sub,
    total,
    unit_limit,
    worth,
)
from .types import COLOURS, Buy, Cases, Colour, Deal, Extra, Move, Pass, Place, Sell, Sight, Silver, Turn

Part = tuple[str, list[str]]
"""A keyword and the words behind it."""

ACTIONS = ("buy", "sell", "silver", "pass")
CHOSEN = ("mark", "drop")
KEYWORDS = {word: word for word in (*ACTIONS, *CHOSEN, "subsidy", "card", "hold", "end", "place")}
KEYWORDS["subsidies"] = "subsidy"
NAMES: dict[str, Colour] = {colour: colour for colour in COLOURS}
NAMES |= {"gelb": "yellow", "blau": "blue", "rot": "red", "grün": "green", "gruen": "green", "gru\u0308n": "green"}
TOKEN = re.compile(r"\d+|(?:[^\W\d_]|\u0308)+|\S")
LONGEST = 400
FORMS = (
    "write for example `buy red red, mark red`, `sell blue, drop blue, mark blue`, `silver 1, mark green` or `pass red`"
)


@lru_cache(maxsize=4096)
def text(move: Move) -> str:
    """The move in its short form."""
    if isinstance(move, Place):
        return f"place {move.mark}"
    parts = [*_extra_text(move.before), *_action_text(move), *_extra_text(move.after), *(["hold"] if move.hold else [])]
    return ", ".join(parts) or "end"


def _action_text(move: Turn) -> list[str]:
    match move.action:
        case None:
            return []
        case Pass(mark):
            return [f"pass {mark}" if mark else "pass"]
        case Silver(bars, mark):
            return [f"silver {bars}", *_named("mark", mark)]
        case Buy(shares, mark):
            return [f"buy {shares_text(shares)}", *_named("mark", mark)]
        case Sell(shares, drop, mark):
            return [f"sell {shares_text(shares)}", *_named("drop", drop), *_named("mark", mark)]


def _named(word: str, colour: Colour | None) -> list[str]:
    return [f"{word} {colour}"] if colour else []


def _extra_text(extra: Extra) -> list[str]:
    return [*([f"subsidy {extra.subsidies}"] if extra.subsidies else []), *_named("card", extra.card)]


def shares_text(shares: Cases) -> str:
    """`red blue`, or with numbers as soon as one is above 1: `2 red 1 blue`."""
    numbers = {colour: number for colour in COLOURS if (number := count(shares, colour))}
    plain = all(number == 1 for number in numbers.values())
    return " ".join(colour if plain else f"{number} {colour}" for colour, number in numbers.items())


def parse(terms: Deal, seen: Sight, text: str) -> Move:
    """Read a typed move; a `mark` or `drop` left out is filled in where only one colour is possible."""
    parts = _parts(text)
    if parts == [("end", [])]:
        return Turn()
    if len(parts) == 1 and parts[0][0] == "place":
        return Place(_one_colour(*parts[0]))
    hold = parts[-1] == ("hold", [])
    if hold:
        parts.pop()
    chosen = [(word, _one_colour(word, words)) for word, words in parts if word in CHOSEN]
    parts = [part for part in parts if part[0] not in CHOSEN]
    at = [index for index, (word, _) in enumerate(parts) if word in ACTIONS]
    if len(at) > 1:
        raise _unclear("a turn has one action only", "send one of buy, sell, silver and pass")
    if not at:
        if hold or chosen:
            raise _unclear("there is no action in the move")
        return Turn(before=_extra(parts))
    before, after = _extra(parts[: at[0]]), _extra(parts[at[0] + 1 :])
    return Turn(_action(seen, parts[at[0]], chosen, before.card), before, after, hold)


def _parts(text: str) -> list[Part]:
    """The text cut at its keywords; commas only help the reader."""
    if len(text) > LONGEST:
        raise _unclear("the move is too long")
    parts: list[Part] = []
    for token in TOKEN.findall(text.casefold().replace(",", " ")):
        if token in KEYWORDS:
            parts.append((KEYWORDS[token], []))
        elif not parts or not (token in NAMES or (token.isascii() and token.isdigit())):
            raise _unclear(f"the move cannot be read at {_quoted(token)}")
        else:
            parts[-1][1].append(token)
    if not parts:
        raise _unclear("the move is empty")
    return parts


def _action(
    seen: Sight, part: Part, chosen: list[tuple[str, Colour]], card: Colour | None
) -> Buy | Sell | Silver | Pass:
    """The action, with what was chosen for it or what alone is possible."""
    word, words = part
    market = seen.public.market
    if card and count(market, card):
        market = sub(market, ONE[card])
    if word != "sell" and any(key == "drop" for key, _ in chosen):
        raise _unclear(f"drop does not belong to {word}", "leave drop out")
    if word in ("pass", "silver"):
        inline = [("mark", _one_colour(word, words))] if word == "pass" and words else []
        mark = _pick("mark", chosen + inline, colours_in(market))
        return Pass(mark) if word == "pass" else Silver(_number(word, words), mark)
    shares = _shares(word, words)
    if word == "buy":
        left = sub(market, at_most(shares, market))
        return Buy(shares, _pick("mark", chosen, markable(left, shares)))
    drop = _pick("drop", chosen, colours_in(shares)) or COLOURS[0]
    return Sell(shares, drop, _pick("mark", chosen, markable(seen.public.sale[seen.public.strip], shares)))


def markable(where: Cases, preferred: Cases) -> tuple[Colour, ...]:
    """The colours that may move to or from a strip (SF-17, SF-18): a preferred one if there is any."""
    return colours_in(at_most(where, preferred)) or colours_in(where)


def _pick(word: str, chosen: list[tuple[str, Colour]], options: tuple[Colour, ...]) -> Colour | None:
    """The colour given for `word`, else the only one possible, else None if none is."""
    given = [colour for key, colour in chosen if key == word]
    if len(given) > 1:
        raise _unclear(f"{word} is given twice", f"give {word} once")
    if given:
        return given[0]
    if len(options) > 1:
        raise _unclear(f"the move leaves {word} open", "add " + " or ".join(f"`{word} {colour}`" for colour in options))
    return options[0] if options else None


def _extra(parts: list[Part]) -> Extra:
    """Subsidies add up; the card can be used once."""
    cards = [_one_colour(word, words) for word, words in parts if word == "card"]
    subsidies = sum(_number(word, words) for word, words in parts if word == "subsidy")
    strange = [word for word, _ in parts if word not in ("card", "subsidy")]
    if strange:
        raise _unclear(f"{strange[0]} cannot stand there")
    if len(cards) > 1:
        raise _unclear("the PASS card is given twice", "give it before the action or after it")
    return Extra(subsidies, cards[0] if cards else None)


def _shares(action: str, words: list[str]) -> Cases:
    """`red red blue`, `2 red 1 blue`, or a mixture."""
    numbers = dict.fromkeys(COLOURS, 0)
    times = ""
    for word in words:
        if word in NAMES:
            numbers[NAMES[word]] += _number(action, [times]) if times else 1
            times = ""
        elif times:
            break
        else:
            times = word
    if times or not words or max(numbers.values()) > 999:
        raise _unclear(f"the shares to {action} cannot be read", f"write for example `{action} 2 red 1 blue`")
    return Cases(**numbers)


def _number(word: str, words: list[str]) -> int:
    if len(words) != 1 or not words[0].isdigit() or len(words[0]) > 3 or int(words[0]) < 1:
        raise _unclear(
            f"{word} needs one number from 1 to 999",
            f"write for example `{word} 2{' red' * (word in ('buy', 'sell'))}`",
        )
    return int(words[0])


def _one_colour(word: str, words: list[str]) -> Colour:
    if len(words) != 1 or words[0] not in NAMES:
        raise _unclear(f"{word} needs one colour", f"write for example `{word} red`")
    return NAMES[words[0]]


def _quoted(token: str) -> str:
    """What may be echoed of a stranger's text."""
    clean = "".join(letter for letter in token if letter.isascii() and letter.isalnum())[:20]
    return f"'{clean}'" if clean else "a sign that is no letter"


def _unclear(message: str, next: str = FORMS) -> IllegalMove:
    return IllegalMove("SF-16", message, next)


def purse(terms: Deal, seen: Sight, subsidies: int) -> tuple[int, bool]:
    """The money after taking so many subsidies first, and whether SF-29 then leaves every action open."""
    me = seen.public.players[seen.seat]
    money = me.money + subsidies * terms.edition.subsidy_pays
    if subsidies and 0 < me.debt <= money:
        return money - me.debt, True
    helpless = not held(me) and subsidies == room(terms, seen.public, seen.seat)
    return money, helpless or not seen.public.in_debt


def least_sale(terms: Deal, seen: Sight, subsidies: int = 0) -> int:
    """What a sale after so many subsidies must bring: a debtor's whole gap, if any sale can close it (SF-29)."""
    gap = seen.public.players[seen.seat].debt - purse(terms, seen, subsidies)[0]
    if not seen.public.in_debt or gap <= 0 or subsidies < room(terms, seen.public, seen.seat):
        return 0
    return gap if gap <= worth(terms, seen.public, best_sale(terms, seen)) else 0


def best_sale(terms: Deal, seen: Sight) -> Cases:
    """The most expensive shares that one sale can take."""
    shares, left = shares_of(seen), unit_limit(terms, seen.public, seen.seat, "sell")
    sold = dict.fromkeys(COLOURS, 0)
    for colour in sorted(COLOURS, key=lambda colour: -price(terms, seen.public, colour)):
        sold[colour] = min(left, count(shares, colour))
        left -= sold[colour]
    return Cases(**sold)


def legal(terms: Deal, seen: Sight) -> tuple[Choice, ...]:
    """What the seat may do: single moves where they are few, families with an example where they are many."""
    ask = ask_of(seen.pending, seen.seat)
    if ask is None:
        return ()
    if ask.what == "place":
        market = seen.public.market
        return tuple(
            _choice(Place(mark), _placing(terms, seen, "purchase", mark, market)) for mark in colours_in(market)
        )
    if ask.what == "finish":
        return (_choice(Turn(), "ends the turn"), *_extras(terms, seen))
    purses = [purse(terms, seen, subsidies) for subsidies in range(room(terms, seen.public, seen.seat) + 1)]
    return (
        *_sales(terms, seen),
        *_purchases(terms, seen, purses),
        *_bars(terms, seen, purses),
        *_passes(terms, seen, purses),
        *_extras(terms, seen),
    )


def _sales(terms: Deal, seen: Sight) -> Iterator[Choice]:
    public, shares = seen.public, shares_of(seen)
    if not total(shares):
        return
    limit, strip, best = unit_limit(terms, public, seen.seat, "sell"), public.sale[public.strip], best_sale(terms, seen)
    least, most = least_sale(terms, seen), worth(terms, public, best)
    ends = "price change" if total(strip) <= sale_left(terms) + 1 else ""
    single = total(best) == 1
    if not single:
        marks = markable(strip, best)
        move = Turn(Sell(best, colours_in(best)[0], marks[0] if marks else None))
        words = f"sell up to {limit} of: {_priced(terms, seen, shares)}; drop a sold colour; mark one on the sale strip"
        yield Choice(words, move, _notes(f"must bring {least} or more" if least else f"brings up to {most}", ends))
    for colour in colours_in(shares):
        number = min(limit, count(shares, colour))
        brings = number * price(terms, public, colour)
        for mark in (markable(strip, ONE[colour]) or (None,))[: None if single else 1]:
            if brings >= least:
                yield _choice(
                    Turn(Sell(_many(colour, number), colour, mark)),
                    _notes(f"brings {brings}", _plus(terms, seen, number, "SELL+1"), ends),
                )


def _purchases(terms: Deal, seen: Sight, purses: list[tuple[int, bool]]) -> Iterator[Choice]:
    public, market = seen.public, seen.public.market
    limit = unit_limit(terms, public, seen.seat, "buy")
    richest = max((money for money, free in purses if free), default=0)
    offers = {colour: cost for colour in colours_in(market) if (cost := price(terms, public, colour)) <= richest}
    if not offers:
        return
    single = min(limit, total(market)) == 1 or 2 * min(offers.values()) > richest
    lines = []
    for colour, cost in offers.items():
        number = min(limit, count(market, colour), richest // cost if cost else limit)
        before = _subsidised(purses, number * cost)
        left = sub(market, _many(colour, number))
        for mark in (markable(left, ONE[colour]) or (None,))[: None if single else 1]:
            emptied = f"{colour} rises" if not count(left, colour) else ""
            cards = _plus(terms, seen, number, "BUY+1")
            note = _notes(f"costs {number * cost}", cards, emptied, _placing(terms, seen, "purchase", mark, left))
            lines.append(_choice(Turn(Buy(_many(colour, number), mark), before), note))
    if not single:
        words = f"buy up to {limit} of: {_priced(terms, seen, market, richest)}; mark a bought colour"
        cheapest = min((line.move for line in lines), key=lambda move: move.before.subsidies)
        yield Choice(words, cheapest, f"you can spend up to {richest}, subsidies included")
    yield from lines


def _bars(terms: Deal, seen: Sight, purses: list[tuple[int, bool]]) -> Iterator[Choice]:
    cost = silver_price(terms, seen.public)
    richest = max((money for money, free in purses if free), default=0)
    most = min(unit_limit(terms, seen.public, seen.seat, "silver"), richest // cost)
    if not most:
        return
    marks: Sequence[Colour | None] = colours_in(seen.public.market) or (None,)
    before = _subsidised(purses, most * cost)
    costs = _notes(f"costs {most * cost}", _plus(terms, seen, most, "SILVER+1"))
    if most > 1:
        one = Turn(Silver(1, marks[0]), _subsidised(purses, cost))
        yield Choice(f"silver 1 to {most}; mark a colour of the market", one, f"{cost} each")
    for mark in marks:
        note = _notes(costs, _placing(terms, seen, "silver_strip", mark, seen.public.market))
        yield _choice(Turn(Silver(most, mark), before), note)


def _passes(terms: Deal, seen: Sight, purses: list[tuple[int, bool]]) -> Iterator[Choice]:
    if any(free for _, free in purses):
        before = _subsidised(purses, 0)
        first = f"the debt of {seen.public.players[seen.seat].debt} comes first" if before.subsidies else ""
        for mark in colours_in(seen.public.market) or (None,):
            note = _notes(first, _placing(terms, seen, "silver_strip", mark, seen.public.market))
            yield _choice(Turn(Pass(mark), before), note)


def _extras(terms: Deal, seen: Sight) -> Iterator[Choice]:
    """What may be sent alone, or with an action."""
    left = room(terms, seen.public, seen.seat)
    with_action = "" if seen.public.acted else "also before or after an action, or later with `hold`"
    if left > 0:
        words = "subsidy 1" if left == 1 else f"subsidy 1 to {left}"
        yield Choice(words, Turn(before=Extra(1)), _notes(f"{terms.edition.subsidy_pays} each", with_action))
    if card_for(seen.public.players[seen.seat], "pass"):
        for colour in colours_in(seen.public.market):
            sets_off = _placing(terms, seen, "silver_strip", colour, seen.public.market)
            note = sets_off if sets_off.endswith("price change") else _notes(with_action, sets_off)
            yield _choice(Turn(before=Extra(0, colour)), note)


def _placing(terms: Deal, seen: Sight, strip: str, colour: Colour | None, market: Cases) -> str:
    """What putting this case from `market` on a strip triggers."""
    if colour is None:
        return ""
    cases: Cases = getattr(seen.public, strip)
    name = "purchase strip" if strip == "purchase" else "silver strip"
    rises = (count(cases, colour) + 1 == terms.edition.three) + (count(market, colour) == 1)
    return _notes(
        f"{colour} rises" + " twice" * (rises - 1) if rises else "",
        f"fills the {name}: price change" if total(cases) + 1 >= strip_full(terms) else "",
    )


def _plus(terms: Deal, seen: Sight, units: int, card: str) -> str:
    return f"uses the card {card}" if units > stage(terms, seen.public).limit else ""


def _subsidised(purses: list[tuple[int, bool]], cost: int) -> Extra:
    """The fewest subsidies that make `cost` affordable; the caller knows that some do."""
    return Extra(next(number for number, (money, free) in enumerate(purses) if free and money >= cost))


def _priced(terms: Deal, seen: Sight, cases: Cases, richest: int = 10**12) -> str:
    """`red x2 (19 each), blue x1 (32 each)`: all that is not too expensive."""
    costs = {colour: price(terms, seen.public, colour) for colour in colours_in(cases)}
    return ", ".join(
        f"{colour} x{count(cases, colour)} ({cost} each)" for colour, cost in costs.items() if cost <= richest
    )


@lru_cache(maxsize=4096)
def _many(colour: Colour, number: int) -> Cases:
    return Cases(**{colour: number})


def _notes(*notes: str) -> str:
    return "; ".join(note for note in notes if note)


def _choice(move: Move, note: str) -> Choice:
    return Choice(text(move), move, note)
