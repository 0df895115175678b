"""Moves as people type them (`parse`, `text`), and what text cards do in a line."""

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from referee.errors import IllegalMove
from referee.game import Seat, ask_of
from referee.grammar import amounts_text, counted, is_number, number_in, seat_of, unread
from referee.language import Catalogue, Text, Wording, mark

from .lookups import (
    EVENTS,
    NONE,
    TASKS,
    after_play,
    at_end,
    count,
    faces_of,
    goods_in,
    held,
    most_steps,
    total,
    tradable,
)
from .scratch import SEALED
from .story import SINGULAR
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
    Quick,
    Raid,
    Sight,
    Spy,
    Swap,
    Trade,
)

t, w = Catalogue("referee.games.schwarzmarkt"), Wording("referee.games.schwarzmarkt")

NAMES: dict[str, Good] = {good: good for good in GOODS} | {word: good for good, word in SINGULAR.items()}
NOTHING = ("none", "nothing", "pass")
NO_GOODS = ([], *([word] for word in NOTHING))
VERBS = {
    "play": "play", "trade": "trade", "pass": "trade", "none": "trade", "nothing": "trade", "move": "trade",
    "sit": "trade", "spy": "spy", "quick": "quick", "swap": "swap", "razzia": "raid", "find": "find",
    "collect": "collect",
}  # fmt: skip
"""The word that a move begins with -> the decision that it answers."""
CARDS = {task: event for event, task in TASKS.items()}
"""What a text card asks for -> the card, which can be called by it: `play swap`."""
KEPT = ("none", "nothing", "pass", "move", "sit")
"""... which is also part of what is said."""
HYPHEN = re.compile(r"(?<=\w)[-\u2010-\u2015](?=\w)")
LONGEST = 400
CLAUSES = {
    "play": "SM-5", "trade": "SM-6", "spy": "SM-14", "quick": "SM-15", "swap": "SM-16", "raid": "SM-17",
    "find": "SM-18", "collect": "SM-20",
}  # fmt: skip
"""The clause that a decision rests on."""
WORDS = (
    mark("play"), mark("trade"), mark("spy"), mark("quick"), mark("swap"), mark("raid"), mark("find"), mark("collect"),
    mark("move"), mark("sit"), mark("sit out"), mark("ask"), mark("offer"), mark("none"),
)  # fmt: skip
"""What refusals name, called as it is typed."""


def effect(terms: Deal, event: Event, *, now: bool = False) -> str:
    """What a text card does, in one line; `now`: it is in force in this trade round."""
    e = terms.edition
    match event:
        case "waren-knapp" if now:
            return w("this trade round: at most one goods card per turn")
        case "waren-knapp":
            return w("next trade round: at most one goods card per turn")
        case "spionage":
            return w("show everybody {number} goods cards of another hand, picked at random", number=e.spy_cards)
        case "schnelles-geschaeft":
            return w("trade in any one goods card for {price}", price=e.quick_deal)
        case "zwangstausch":
            return w("give 1 to {number} goods cards, take as many back at random", number=e.swap_cards)
        case "razzia":
            return w("another player loses all cards of a good you name")
        case "neue-ware":
            return w("take the goods card you wish from the pile, for {price}", price=e.find_cost)
        case "limit" if now:
            return w("this trade round: ends at {price}", price=e.limit)
        case "limit":
            return w("next trade round: ends at {price}", price=e.limit)
        case "alte-rechnung":
            return w("take a goods card from another hand at random")
        case "verdorbene-ware" if now:
            return w("this trade round: the first goods card pays half")
        case "verdorbene-ware":
            return w("next trade round: the first goods card pays half")


def in_order(terms: Deal, cards: Collection[str]) -> list[str]:
    """Offers by number, then text cards as the edition lists them."""
    events = terms.edition.events
    return sorted(cards, key=lambda card: events.index(card) + 400 if card in EVENTS else int(card[6:]))


# --- a move as text


def text(move: Move) -> str:
    """The move in its short form."""
    match move:
        case Play(card, then):
            return f"play {card.replace('-', ' ')}" + (f", {text(then)}" if then else "")
        case Trade(goods, steps, sit_out):
            traded = amounts_text({good: count(goods, good) for good in goods_in(goods)}, SINGULAR) or "none"
            moved = f", move {steps}" if steps else ""
            return f"trade {traded}{moved}" + (f", sit out {sit_out}" if sit_out else "")
        case Spy(target):
            return f"spy @{target}"
        case Quick(good):
            return f"quick {good}"
        case Swap(target, _, give):
            return f"swap @{target} {' '.join(SINGULAR[good] for good in give)}"
        case Raid(target, good):
            return f"razzia @{target} {good}"
        case Find(ranking):
            return f"find {' '.join(ranking)}"
        case Collect(target):
            return f"collect @{target}"


# --- text as a move


def parse(terms: Deal, seen: Sight, text: str) -> Move:
    """Read a typed move; the word that it begins with can be left out where what is asked for tells it."""
    words, asked = _words(seen, text), _asked(seen)
    if asked == "play" and words[:2] == ["trade", "offer"]:  # `offer 12 and trade butter`
        words = [*words[1:3], "trade", *words[3:]]
    named_card = _card_length(words)
    if asked == "play" and named_card:
        return _play(terms, seen, words)
    if named_card and TASKS.get(EVENTS.get(_card(terms, words), "limit")) == asked:
        return _answer(terms, seen, asked, words[named_card:])
    what = VERBS.get(words[0])
    if words[0] == "trade" and asked in ("quick", "swap"):
        what = asked  # what else there is to trade
    if what is None:
        if not _can_begin(asked, words[0]):
            raise unread(CLAUSES[asked], words[0])
        return _answer(terms, seen, asked, words)
    # `trade sit out 2` lacks its goods, or a word for none.
    return _answer(terms, seen, what, words if words[0] in KEPT or words[1:2] == ["sit"] else words[1:])


def _can_begin(asked: str, word: str) -> bool:
    """Whether an answer without its first word can begin like this."""
    goods, player = word in NAMES or is_number(word), word.startswith("@")
    every = goods or word in ("all", "both")
    begins = {"trade": every, "quick": goods, "find": goods, "play": is_number(word), "raid": every or player}
    return begins.get(asked, goods or player)


def _answer(terms: Deal, seen: Sight, what: str, words: list[str]) -> Move:
    """The answer to one question, without the word that it begins with; player and goods in any order."""
    who = [word for word in words if word.startswith("@")]
    goods = [word for word in words if word not in (*who, what)]
    match what:
        case "play":
            return _play(terms, seen, words)
        case "trade":
            return _trade(terms, seen, words)
        case "spy" | "collect":
            return (Spy if what == "spy" else Collect)(_target(terms, what, [word for word in words if word != "1"]))
        case "quick":
            return Quick(_good("quick", [word for word in words if word != "quick"]))
        case "raid":
            return Raid(_target(terms, "raid", who), _good("raid", [word for word in goods if word != "all"]))
        case "swap":
            goods = [word for word in goods if word != "trade"]  # `swap with @2, I give butter`
            target, give = _target(terms, "swap", who), faces_of(_goods("swap", goods))
            return Swap(target, len(give), give)
        case _:
            return Find(_ranking(words))


def _words(seen: Sight, text: str) -> list[str]:
    """The words of a move; commas only help the reader, and so do hyphens between words."""
    if len(text) > LONGEST:
        raise _unclear(_asked(seen), t("the move is too long"))
    words = re.findall(r"@\d+|\d+|[^\W\d_]+|[^\s,:]", HYPHEN.sub(" ", text.casefold()))
    if not words:
        raise _unclear(_asked(seen), t("the move is empty"))
    words = [word for word, behind in pairwise((*words, "")) if word != "from" or behind[:1] != "@"]
    found: list[str] = []
    for word, behind in pairwise((*words, "")):
        # `move the marker one step` and `move 2 steps` say twice what is done.
        if word != "move" or "move" not in (found[-1:] if is_number(behind) else found[-2:]):
            found.append(word)
    return found


def _asked(seen: Sight) -> str:
    ask = ask_of(seen.pending, seen.seat)
    return ask.what if ask and ask.what in CLAUSES else "play"


def _card_length(words: Sequence[str]) -> int:
    """How many words at the beginning name a card: `offer 12`, or a text card, of which the first word is enough."""
    if words[:1] == ["offer"]:
        return 2 if len(words) > 1 and is_number(words[1]) else 0
    return max(_alike(event, words) for event in EVENTS.values())


def _alike(event: Event, words: Sequence[str]) -> int:
    name = [*event.split("-"), *(["entdeckt"] if event == "neue-ware" else [])]
    return next((at for at, word in enumerate(name) if [word] != list(words[at : at + 1])), len(name))


def _play(terms: Deal, seen: Sight, words: list[str]) -> Play:
    """A card, and what is decided together with it."""
    if words and is_number(words[0]):
        words = ["offer", *words]
    length = _card_length(words)
    task = VERBS.get(words[0], "") if words and not length else ""
    if task in CARDS:  # `play swap`, `play spy @2`
        name = CARDS[task].split("-")
        words, length = [*name, *(words if len(words) > 1 else ())], len(name)
    if not length:
        if not words or words[0] == "offer":
            raise _unclear("play", t("an offer is named by its number") if words else t("play needs a card"))
        raise unread("SM-5", words[0])
    card, rest = _card(terms, words[:length]), words[length:]
    if not rest:
        return Play(card)
    what = "trade" if card not in EVENTS else TASKS.get(EVENTS[card], "")
    said = what if rest[0] == "trade" and what == "quick" else VERBS.get(rest[0])
    if said == what and rest[0] not in KEPT and rest[1:2] != ["sit"]:
        rest = rest[1:]
    sent = None if not what or what in SEALED else _answer(terms, after_play(terms, seen, card), what, rest)
    if not isinstance(sent, FollowUp):
        raise IllegalMove("SM-25", t("nothing is decided together with that card"))
    return Play(card, sent)


def _card(terms: Deal, words: list[str]) -> str:
    if words[0] == "offer":
        number = int(words[1])
        if not 1 <= number <= len(terms.edition.offers):
            raise _unclear("play", t("there is no offer {number}", number=number))
        return f"offer-{number}"
    return max(EVENTS.values(), key=lambda event: _alike(event, words))


def _trade(terms: Deal, seen: Sight, words: list[str]) -> Trade:
    """Goods, or none and a number of steps, which may be left out where only one is possible; then `sit out`."""
    parts = _sections(words)
    goods = parts[""]
    steps = _number("trade", parts["move"], "move") if "move" in parts else 0
    sit_out = _number("trade", parts["sit"], "sit out") if "sit" in parts else 0
    if goods and not (len(goods) == 1 and goods[0] in NOTHING):
        if steps:
            raise IllegalMove("SM-7", t("after a trade the marker moves by itself"))
        every = ["all", "2"] if goods == ["both"] else goods
        return Trade(_all(seen, every[1:]) if every[0] == "all" else _goods("trade", goods), 0, sit_out)
    if not goods and not steps and not sit_out:
        raise _unclear("trade", t("trade needs goods"))
    if not steps and _asked(seen) == "trade" and not at_end(terms, seen.public):
        most = most_steps(terms, seen.public)
        if most > 1 and not sit_out:
            raise IllegalMove("SM-7", t("who trades nothing must say how far the marker moves"))
        steps = min(sit_out or 1, most)
    return Trade(Amounts(), steps, sit_out)


def _all(seen: Sight, only: list[str]) -> Amounts:
    """All goods in hand that are still wanted, or all of some kinds; `all 3` if there are just as many."""
    able = tradable(seen.public, held(seen))
    if len(only) == 1 and number_in(only) == total(able):
        return able
    kinds = goods_in(_goods("trade", only)) if only else GOODS
    able = Amounts(**{good: count(able, good) for good in kinds})
    if able == NONE:
        raise _unclear("trade", t("you hold nothing that is wanted"))
    return able


def _sections(words: Sequence[str]) -> dict[str, list[str]]:
    """What stands before the first key word (under ""), and behind each of them."""
    found: dict[str, list[str]] = {"": []}
    here = found[""]
    for word in words:
        if word == "move" and found.get("sit") in ([], ["out"]) and ("move" in found or found[""][:1] not in NO_GOODS):
            continue  # `trade butter, sit out, move 1 each time`: how far then
        if word in ("move", "sit", "ask"):
            if word in found:
                raise _unclear("trade", t("{word} is said twice", word=t(word)))
            here = found[word] = []
        elif word in NOTHING and not found[""] and here is found.get("move") and here:
            found[""] = [word]  # `one step, no goods`
            here[:] = here[:-1] if here[-1] == "trade" else here
        else:
            here.append(word)
    if "sit" in found:
        found["sit"] = [word for word in found["sit"] if word != "out"] or found.get("move", []) or ["1"]
    if found.get("ask", ["again"]) not in (["again"], ["me", "again"]):
        raise unread("SM-6", "ask")
    return found


def _goods(what: str, words: list[str]) -> Amounts:
    """`butter butter sugar`, `2 butter 1 sugar`, or a mixture."""
    numbers = counted(words, NAMES)
    if not numbers:
        raise _unclear(what, t("the goods to {what} cannot be read", what=t(what)))
    return Amounts(**numbers)


def _good(what: str, words: list[str]) -> Good:
    words = words[1:] if words[:1] == ["1"] and what == "quick" else words
    if len(words) != 1 or words[0] not in NAMES:
        raise _unclear(what, t("one good is needed: {goods}", goods=tuple(map(t, GOODS))))
    return NAMES[words[0]]


def _target(terms: Deal, what: str, words: list[str]) -> Seat:
    strange = [word for word in words if not word.startswith("@")]
    if strange:
        raise unread(CLAUSES[what], strange[0])
    if len(words) != 1:
        raise _unclear(what, t("one player is needed"))
    seat = seat_of(words[0], terms.seats)
    if seat is None:
        players = tuple(f"@{seat}" for seat in range(terms.seats))
        raise _unclear(what, t("there is no such player; there are {players}", players=players))
    return seat


def _ranking(words: list[str]) -> tuple[Good, ...]:
    words = [word for word in words if not is_number(word)]  # `1. sugar 2. butter`
    ranking = tuple(NAMES[word] for word in words if word in NAMES)
    if len(ranking) != len(words) or len(ranking) != len(GOODS) or set(ranking) != set(GOODS):
        raise _unclear("find", t("find needs all five goods, each once, the most wanted first"))
    return ranking


def _number(what: str, words: list[str], word: str) -> int:
    number = number_in(words)
    if not number:
        raise _unclear(what, t("{word} needs one number from 1 to 999", word=t(word)))
    return number


def _unclear(what: str, message: Text) -> IllegalMove:
    return IllegalMove(CLAUSES[what], message)
