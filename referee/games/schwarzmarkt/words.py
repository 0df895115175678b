"""Moves as people type them (`parse`, `text`), and the list of what is legal (`legal`)."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from math import prod
from unicodedata import normalize

from msgspec.structs import astuple

from referee.errors import IllegalMove
from referee.forms import Choice
from referee.game import Seat, ask_of

from .tables import (
    EVENTS,
    all_cards,
    amounts_of,
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
    most_steps,
    most_traded,
    pays,
    targets,
    total,
    tradable,
    wants,
    within,
)
from .types import GOODS, Amounts, Collect, Deal, Event, Find, Good, Move, Play, Quick, Raid, Sight, Spy, Swap, Trade

NAMES: dict[str, Good] = {good: good for good in GOODS}
NAMES |= {"kartoffeln": "potatoes", "kaffee": "coffee", "mehl": "flour", "zucker": "sugar"}
NAMES |= {"potato": "potatoes", "kartoffel": "potatoes"}
NOTHING = ("none", "nothing")
TOKEN = re.compile(r"@\d+|\d+|[^\W\d_]+|\S")
HYPHEN = re.compile(r"(?<=\w)[-\u2010-\u2015](?=\w)")
LONGEST = 400
LISTED = 64
"""So many trades are listed one by one; more than that only in editions with larger offers than ours."""
FEW_SWAPS = 12
FORMS = {
    "play": ("SM-5", "write for example `play offer 12`, `play razzia` or `play waren knapp`"),
    "trade": ("SM-6", "write for example `trade butter`, `trade 2 butter 1 sugar` or `trade none, move 1`"),
    "spy": ("SM-14", "write for example `spy @1`"),
    "quick": ("SM-15", "write for example `quick sugar`"),
    "swap": ("SM-16", "write for example `swap @1 butter sugar`"),
    "raid": ("SM-17", "write for example `razzia @2 sugar`"),
    "find": ("SM-18", "write for example `find sugar butter coffee flour potatoes`"),
    "collect": ("SM-20", "write for example `collect @1`"),
}
"""By decision: the clause it rests on, and how its answer is typed."""
EFFECTS: dict[Event, str] = {
    "waren-knapp": "next trade round: at most one goods card per turn",
    "spionage": "show everybody {e.spy_cards} goods cards of another hand, picked at random",
    "schnelles-geschaeft": "trade in any one goods card for {e.quick_deal}",
    "zwangstausch": "give 1 to {e.swap_cards} goods cards, take as many back at random",
    "razzia": "another player loses all cards of a good you name",
    "neue-ware": "take the goods card you wish from the pile, for {e.find_cost}",
    "limit": "next trade round: ends at {e.limit}",
    "alte-rechnung": "take a goods card from another hand at random",
    "verdorbene-ware": "next trade round: the first goods card pays half",
}


@lru_cache(maxsize=4096)
def text(move: Move) -> str:
    """The move in its short form."""
    match move:
        case Play(card):
            return f"play {card.replace('-', ' ')}"
        case Trade(goods, steps):
            return f"trade {goods_text(goods) or 'none'}" + (f", move {steps}" if steps else "")
        case Spy(target):
            return f"spy @{target}"
        case Quick(good):
            return f"quick {good}"
        case Swap(target, _, give):
            return f"swap @{target} {' '.join(give)}"
        case Raid(target, good):
            return f"razzia @{target} {good}"
        case Find(ranking):
            return f"find {' '.join(ranking)}"
        case Collect(target):
            return f"collect @{target}"


def goods_text(goods: Amounts) -> str:
    """`butter sugar`, or with numbers as soon as one is above 1: `2 butter 1 sugar`."""
    numbers = {good: number for good in GOODS if (number := count(goods, good))}
    plain = all(number == 1 for number in numbers.values())
    return " ".join(good if plain else f"{number} {good}" for good, number in numbers.items())


def parse(terms: Deal, seen: Sight, text: str) -> Move:
    """Read a typed move."""
    first, *words = _words(seen, text)
    match first:
        case "play":
            return Play(_card(terms, words))
        case "trade":
            return _trade(terms, seen, words)
        case "move":
            return _trade(terms, seen, [first, *words])
        case "spy":
            return Spy(_target(terms, "spy", words))
        case "collect":
            return Collect(_target(terms, "collect", words))
        case "quick":
            return Quick(_good("quick", words))
        case "razzia" | "raid":
            who, what = _split(words)
            return Raid(_target(terms, "raid", who), _good("raid", what))
        case "swap":
            who, what = _split(words)
            target, give = _target(terms, "swap", who), faces_of(_goods("swap", what))
            return Swap(target, len(give), give)
        case "find":
            return Find(_ranking(words))
        case _:
            raise _unclear(_asked(seen), f"the move cannot be read at {_quoted(first)}")


def _words(seen: Sight, text: str) -> list[str]:
    """The words of a move; commas only help the reader, and so do hyphens between words."""
    if len(text) > LONGEST:
        raise _unclear(_asked(seen), "the move is too long")
    letters = normalize("NFC", text).casefold().replace("ä", "ae").replace(",", " ")
    words = TOKEN.findall(HYPHEN.sub(" ", letters))
    if not words:
        raise _unclear(_asked(seen), "the move is empty")
    return words


def _asked(seen: Sight) -> str:
    ask = ask_of(seen.pending, seen.seat)
    return ask.what if ask and ask.what in FORMS else "play"


def _card(terms: Deal, words: list[str]) -> str:
    """`offer 12`, `12`, or the name of a text card, of which the first word is enough."""
    number = words[1:] if words[:1] == ["offer"] else words
    if len(number) == 1 and _is_number(number[0]):
        if not 1 <= int(number[0]) <= len(terms.edition.offers):
            raise _unclear("play", f"there is no offer {int(number[0])}", "see `referee moves` for the cards you hold")
        return f"offer-{int(number[0])}"
    name = "-".join(words).removesuffix("-entdeckt")
    found = [event for event in EVENTS if event == name or event.split("-")[0] == name]
    if not found:
        raise _unclear("play", f"there is no card {_quoted(''.join(words))}" if words else "play needs a card")
    return found[0]


def _trade(terms: Deal, seen: Sight, words: list[str]) -> Trade:
    """Goods, or none and a number of steps, which may be left out where only one is possible."""
    at = words.index("move") if "move" in words else len(words)
    what, moved = words[:at], words[at + 1 :]
    steps = _number("trade", moved, "move") if at < len(words) else 0
    if what and not (len(what) == 1 and what[0] in NOTHING):
        if steps:
            raise _unclear("trade", "after a trade the marker moves by itself", "leave `move` out", clause="SM-7")
        return Trade(_goods("trade", what))
    if not what and not steps:
        raise _unclear("trade", "trade needs goods")
    if not steps and _asked(seen) == "trade" and not at_end(terms, seen.public):
        most = most_steps(terms, seen.public)
        if most > 1:
            hint = f"add `move 1` to `move {most}`"
            raise _unclear("trade", "who trades nothing must say how far the marker moves", hint, clause="SM-7")
        steps = most
    return Trade(Amounts(), steps)


def _split(words: list[str]) -> tuple[list[str], list[str]]:
    """The player and the goods, whichever comes first."""
    goods = [word for word in words if word in NAMES or _is_number(word)]
    return [word for word in words if word not in goods], goods


def _goods(what: str, words: list[str]) -> Amounts:
    """`butter butter sugar`, `2 butter 1 sugar`, or a mixture."""
    numbers = dict.fromkeys(GOODS, 0)
    times = ""
    for word in words:
        if word in NAMES:
            numbers[NAMES[word]] += _number(what, [times], what) if times else 1
            times = ""
        elif times or not _is_number(word):
            raise _unclear(what, f"the goods to {what} cannot be read at {_quoted(word)}")
        else:
            times = word
    if times or not words or sum(numbers.values()) > 999:
        raise _unclear(what, f"the goods to {what} cannot be read")
    return Amounts(**numbers)


def _good(what: str, words: list[str]) -> Good:
    if len(words) != 1 or words[0] not in NAMES:
        raise _unclear(what, f"one good is needed: {', '.join(GOODS)}")
    return NAMES[words[0]]


def _target(terms: Deal, what: str, words: list[str]) -> Seat:
    strange = [word for word in words if not word.startswith("@")]
    if strange:
        known = "the move cannot be read at" if len(strange) < len(words) else "there is no player"
        raise _unclear(what, f"{known} {_quoted(strange[0])}")
    if len(words) != 1:
        raise _unclear(what, "one player is needed")
    seat = words[0][1:]
    if not _is_number(seat) or int(seat) >= terms.seats:
        raise _unclear(what, f"there is no such player; seats are @0 to @{terms.seats - 1}")
    return int(seat)


def _ranking(words: list[str]) -> tuple[Good, ...]:
    ranking = tuple(NAMES[word] for word in words if word in NAMES)
    if len(ranking) != len(words) or len(ranking) != len(GOODS) or set(ranking) != set(GOODS):
        raise _unclear("find", "find needs all five goods, each once, the most wanted first")
    return ranking


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= 3


def _number(what: str, words: list[str], word: str) -> int:
    if len(words) != 1 or not _is_number(words[0]) or int(words[0]) < 1:
        raise _unclear(what, f"{word} needs one number from 1 to 999")
    return int(words[0])


def _quoted(word: str) -> str:
    """What may be echoed of a stranger's text."""
    clean = "".join(letter for letter in word if letter.isascii() and letter.isalnum())[:20]
    return f"'{clean}'" if clean else "a sign that is no letter"


def _unclear(what: str, message: str, next: str = "", *, clause: str = "") -> IllegalMove:
    return IllegalMove(clause or FORMS[what][0], message, next or FORMS[what][1])


def effect(terms: Deal, event: Event) -> str:
    """What a text card does, in one line."""
    return EFFECTS[event].format(e=terms.edition)


def in_order(terms: Deal, cards: Sequence[str]) -> list[str]:
    """Offers by number, then text cards as the edition lists them."""
    return [card for card in all_cards(terms) if card in cards]


def legal(terms: Deal, seen: Sight) -> tuple[Choice, ...]:
    """What the seat may do: single moves where they are few, families with an example where they are many."""
    ask = ask_of(seen.pending, seen.seat)
    return tuple(LISTS[ask.what](terms, seen)) if ask and ask.what in LISTS else ()


def _plays(terms: Deal, seen: Sight) -> Iterator[Choice]:
    for card in in_order(terms, seen.hand("cards")):
        event = EVENTS.get(card)
        if event is None:
            wanted = wants(terms, card)
            fitting = described(at_most(wanted, held(seen))) or "none of it"
            note = f"wants {described(wanted)}; you hold {fitting}"
        elif can_carry_out(terms, seen.public, seen.seat, event):
            note = effect(terms, event)
        else:
            note = "has no effect now"
        yield _choice(Play(card), note)


def trades(seen: Sight) -> tuple[Amounts, int]:
    """The most of each good that can be traded now, and in how many ways something can."""
    most = tradable(seen.public, held(seen))
    if most_traded(seen.public) <= 1:
        return most, len(goods_in(most))
    return most, prod(number + 1 for number in astuple(most)) - 1


def nth_trade(seen: Sight, most: Amounts, at: int) -> Amounts:
    """The trades in order: 0 is the first."""
    if most_traded(seen.public) <= 1:
        return Amounts(**{goods_in(most)[at]: 1})
    at, numbers = at + 1, []
    for number in astuple(most):
        at, some = divmod(at, number + 1)
        numbers.append(some)
    return Amounts(*numbers)


def _trades(terms: Deal, seen: Sight) -> Iterator[Choice]:
    most, ways = trades(seen)
    if ways > LISTED:
        words = f"trade any of: {described(most)}"
        yield Choice(words, Trade(nth_trade(seen, most, 0)), f"{pays(terms, seen.public, 1)} for the first")
    elif ways:
        for goods in sorted((nth_trade(seen, most, at) for at in range(ways)), key=total, reverse=True):
            yield _choice(Trade(goods), _trade_note(terms, seen, goods))
    if at_end(terms, seen.public):
        yield _choice(Trade(Amounts()), "ends the round")
    for steps in range(1, most_steps(terms, seen.public) + 1):
        to = seen.public.marker + steps
        last = ", the last turn of the round" if to == end_field(terms, seen.public) else ""
        yield _choice(Trade(Amounts(), steps), f"to {terms.edition.track[to]}{last}")


def _trade_note(terms: Deal, seen: Sight, goods: Amounts) -> str:
    number = total(goods)
    note = f"pays {pays(terms, seen.public, number)}"
    if number == total(held(seen)):
        ends = "half" if seen.public.half == 1 else "game"
        return f"{note}; your last goods: ends the {ends}"
    return f"{note}; completes the offer" if number == total(seen.public.wanted) else note


def _aimed(kind: type[Spy] | type[Collect], seen: Sight) -> Iterator[Choice]:
    return (_choice(kind(target), _hand(seen, target)) for target in targets(seen.public, seen.seat))


def _hand(seen: Sight, target: Seat) -> str:
    return f"holds {seen.public.players[target].goods}"


def _quicks(terms: Deal, seen: Sight) -> Iterator[Choice]:
    for good in goods_in(held(seen)):
        yield _choice(Quick(good), f"you hold {count(held(seen), good)}; pays {terms.edition.quick_deal}")


def _raids(terms: Deal, seen: Sight) -> Iterator[Choice]:
    for target in clockwise(seen.public, seen.seat):
        for good in GOODS:
            yield _choice(Raid(target, good), _hand(seen, target))


def _finds(terms: Deal, seen: Sight) -> Iterator[Choice]:
    note = f"the first that the pile has is yours, for {terms.edition.find_cost}; for example `{text(Find(GOODS))}`"
    yield Choice("find and all five goods, the most wanted first", Find(GOODS), note)


def swaps(terms: Deal, seen: Sight) -> list[Swap]:
    """Every target, number and choice of cards (SM-16)."""
    hand, most = held(seen), terms.edition.swap_cards
    return [
        Swap(target, size, give)
        for target in targets(seen.public, seen.seat)
        for size in range(1, min(most, seen.public.players[target].goods) + 1)
        for give in gifts(hand, size)
    ]


@lru_cache(maxsize=256)
def gifts(hand: Amounts, size: int) -> tuple[tuple[Good, ...], ...]:
    """All ways to choose so many cards out of a hand, each in the order of GOODS."""
    return tuple(give for give in combinations_with_replacement(GOODS, size) if within(amounts_of(give), hand))


def _swaps(terms: Deal, seen: Sight) -> Iterator[Choice]:
    moves = swaps(terms, seen)
    if len(moves) <= FEW_SWAPS:
        yield from (_choice(move, _hand(seen, move.target)) for move in moves)
        return
    players = ", ".join(f"@{target}" for target in targets(seen.public, seen.seat))
    words = f"swap with one of {players}; give 1 to {max(move.number for move in moves)} of: {described(held(seen))}"
    yield Choice(words, moves[0], f"you get as many back at random; for example `{text(moves[0])}`")


def _choice(move: Move, note: str) -> Choice:
    return Choice(text(move), move, note)


LISTS: dict[str, Callable[[Deal, Sight], Iterator[Choice]]] = {
    "play": _plays,
    "trade": _trades,
    "spy": lambda terms, seen: _aimed(Spy, seen),
    "quick": _quicks,
    "swap": _swaps,
    "raid": _raids,
    "find": _finds,
    "collect": lambda terms, seen: _aimed(Collect, seen),
}
