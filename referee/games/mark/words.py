"""Moves and standing orders as people type them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

import msgspec

from referee.errors import IllegalMove
from referee.forms import Choice
from referee.game import ask_of
from referee.grammar import is_number, unread
from referee.language import Catalogue, Text, Wording, mark

from .actions import actions, after, check_action, purchases
from .lookups import held, is_double, lot_fields, piece_at, rolled_kinds
from .types import (
    FIELDS,
    KINDS,
    Action,
    Bid,
    Both,
    Buy,
    Deal,
    Field,
    Kind,
    Move,
    Name,
    Nothing,
    Offer,
    Position,
    Process,
    Roll,
    Sell,
    Shift,
    Sight,
    Take,
    Words,
)

t, w = Catalogue("referee.games.mark"), Wording("referee.games.mark")

NAMES = (
    mark("glass"), mark("plastic"), mark("paper"), mark("metal"), mark("composite"), mark("hammer"), mark("star"),
    mark("roll"), mark("buy"), mark("move"), mark("take"), mark("process"), mark("sell"), mark("pass"),
    mark("name"), mark("offer"), mark("bid"),
)  # fmt: skip
"""Words that sentences and refusals name, called as they are typed."""
KIND_WORDS: dict[str, Kind] = {kind: kind for kind in KINDS}
FIELD_WORDS: dict[str, Field] = {field: field for field in FIELDS}
VERBS = ("roll", "buy", "move", "take", "process", "sell", "pass", "name", "offer", "bid")
DECLINING = {"pass", "none", "no", "nothing", "0"}
MEANT = {
    ("act", "move"): "process",
    ("again", "move"): "process",
    ("name", "offer"): "name",
}
"""By what is asked: a verb that can only mean another one there."""
CHOSEN = {"act": "take", "again": "take", "turn": "buy"}
"""By what is asked: what `name` and `choose` mean with a field."""
PAID = {"take": "buy", "process": "move"}
PASSES: dict[str, Move] = {"offer": Offer(None), "bid": Bid(0, None)}
LONGEST, MOST_WORDS = 200, 20
ROWS = ("1", "2", "3", "4", "5")
CLAUSES = {"buy": "MK-12", "move": "MK-13", "name": "MK-8", "offer": "MK-14", "bid": "MK-10"}
"""Where a word is explained; MK-6 for all others."""


TEXTS: dict[type[Move], str] = {
    Roll: "roll",
    Nothing: "pass",
    Buy: "buy {0.kind} {0.field}",
    Take: "take {0.kind} {0.field}",
    Shift: "move {0.source} {0.target}",
    Process: "process {0.source} {0.target}",
    Sell: "sell {0.source}",
    Name: "name {0.kind}",
    Offer: "offer {0.field}",
    Bid: "bid {0.amount} {0.field}",
}


def text(move: Move) -> str:
    """The move in its short form."""
    match move:
        case Sell(source, int(row)):
            return f"sell {source} row {row + 1}"
        case Both(first, second):
            return f"{text(first)} then {text(second)}"
        case Offer(None):
            return "offer none"
        case Bid(amount, None):
            return f"bid {amount}"
    return TEXTS[type(move)].format(move)


# --- what people type ------------------------------------------------------------------------------------------------


def parse(terms: Deal, seen: Sight, text: str) -> Move:
    """Read a typed move; what is left out is filled in where only one move is possible."""
    ask = ask_of(seen.pending, seen.seat)
    asked = ask.what if ask else ""
    parts = [part.split() for part in text[: LONGEST + 1].casefold().split(",") if part.strip()]
    words = _without_pay(asked, [word for part in parts for word in part])
    if len(text) > LONGEST or len(words) > MOST_WORDS:
        raise IllegalMove("MK-6", t("the move is too long"))
    if not words:
        raise IllegalMove("MK-6", t("the move is empty"))
    if len(parts) > 1 and all(_declines(asked, part) for part in parts):
        words = parts[0]  # `no, nothing`
    elif len(parts) > 1 and asked in ("act", "again") and "then" not in words and _declines(asked, parts[-1]):
        # `take glass d1, that's all` leaves out the second action of a double, and elsewhere says nothing more.
        words = words[: -len(parts[-1])] + (["then", "pass"] if asked == "act" and is_double(seen.public.dice) else [])
    first, *second = _actions(words)
    move = _one(terms, seen.public, seen.seat, asked, first)
    if not second:
        return move
    if not isinstance(move, Take | Process | Sell):
        raise IllegalMove("MK-7", t("`then` stands between the two actions of a double"))
    then = _one(terms, _following(terms, seen, move), seen.seat, asked, second[0])
    if len(second) > 1 or not isinstance(then, Take | Process | Sell | Nothing):
        raise IllegalMove("MK-7", t("`then` stands before the second action of a double"))
    return Both(move, then)


def _actions(words: list[str]) -> list[list[str]]:
    """The words of each action. A `then` that begins none only joins: `take glass and put it on d1`; the next piece
    begins one without a verb: `take glass to d1 and glass to d2`."""
    parts: list[list[str]] = [[]]
    for at, word in enumerate(words):
        if word != "then":
            parts[-1].append(word)
            continue
        behind = [*takewhile(lambda one: one != "then", words[at + 1 :])]
        if {*behind} & {*VERBS, *DECLINING, *KINDS} or not behind:
            parts.append([])
        elif behind and _repeats(parts[-1], behind):
            parts.append([word for word in parts[-1] if word not in FIELD_WORDS])
    match parts:
        case [["take", source], [verb, *rest], *more] if source in FIELD_WORDS and verb in ("process", "move", "sell"):
            return [[verb, source, *rest], *more]  # `take d3 and process it to p2`
    return _two_pieces(words) or parts


def _repeats(first: list[str], fields: list[str]) -> bool:
    """Whether these are the fields of the same action once more: `take glass d1 and d2`, `process d1 p1 and d2 p2`."""
    number = len([word for word in first if word in FIELD_WORDS])
    return number == len(fields) > 0 and {*fields} <= FIELD_WORDS.keys() and bool({*VERBS, *KINDS} & {*first})


def _two_pieces(words: list[str]) -> list[list[str]]:
    """`take 2 glass d1 and d2` as both actions; nothing if that is not what is said."""
    match [word for word in words if word not in ("take", "then")]:
        case ["2", kind, field, other] if kind in KIND_WORDS and {field, other} <= FIELD_WORDS.keys():
            return [["take", kind, field], ["take", kind, other]]
    return []


def _declines(asked: str, words: list[str]) -> bool:
    """Whether these words alone refuse what is asked for."""
    return len(DECLINING & {*words}) == 1 and {*words} <= DECLINING | {"offer", "bid", asked}


def _one(terms: Deal, position: Position, seat: int, asked: str, words: list[str]) -> Move:
    """The move that is said; if the words leave something open, the only legal one that has them all."""
    verb = next((word for word in words if word in VERBS), "")
    verb = MEANT.get((asked, verb), verb)
    if verb == "name" and FIELD_WORDS.keys() & {*words}:
        verb = CHOSEN.get(asked, verb)
    elif verb == "offer" and asked == "bid" and any(map(is_number, words)):
        verb = "bid"
    words = [word if word not in VERBS or word == "pass" else verb for word in _without_prices(verb or asked, words)]
    if _declines(asked, words):
        if "nothing" in words and {"offer", "bid"} & {*words}:
            raise IllegalMove(CLAUSES[verb], t("that holds until you take it back"))
        if "0" not in words or "bid" in (verb, asked):
            return PASSES.get(verb, PASSES.get(asked, Nothing()))
    found = []
    if words != ["offer"] and (verb or asked in ("name", "offer", "bid") or len(words) > 1):
        said = Counter(words)
        found = [move for move in _legal(terms, position, seat, asked, words) if said <= _told(position, seat, move)]
    if len(found) == 1:
        return found[0]
    move = _exact(verb or _implied(asked, words), words)
    if move is not None and move not in found and not any(isinstance(one, Sell) for one in found):
        return move
    if found:
        raise IllegalMove(CLAUSES.get(verb, "MK-6"), t("that fits more than one move"))
    clause, known = CLAUSES.get(verb, "MK-6"), {*VERBS, *KIND_WORDS, *FIELD_WORDS, *DECLINING, "row"}
    strange = [one for one in words if not (one in known or one.isdigit())]
    why = None if strange else _lacking(position, seat, verb, words)
    raise unread(clause, "".join(strange[:1])) if why is None else IllegalMove(clause, why)


def _lacking(position: Position, seat: int, verb: str, words: list[str]) -> Text | None:
    """What is wrong with words that the game knows, where that is plain."""
    kinds, fields = ([word for word in words if word in names] for names in (KIND_WORDS, FIELD_WORDS))
    if verb == "sell" and "row" in words and not {*ROWS} & {*words}:
        return t("rows are numbered from 1 to {last}", last=len(ROWS))
    if verb in ("move", "process", "sell", "offer"):
        if not fields and not kinds:
            return t("{verb} needs a field such as d2 or p3", verb=t(verb))
        there = piece_at(position.players[seat], FIELD_WORDS[fields[0]]) if fields else None
        if kinds and there not in (None, kinds[0]):
            return t("{there} lies on {field}, not {kind}", there=t(str(there)), field=fields[0], kind=t(kinds[0]))
    return None


def _without_pay(asked: str, words: list[str]) -> list[str]:
    """`pay 6` is a bid where bids are asked for; elsewhere what is paid is known: `pay 5 for glass d1`. Who pays on
    their turn and takes a piece buys it."""
    if asked == "bid":
        return ["bid" if word == "pay" else word for word in words]
    if asked == "turn" and "pay" in words:
        words = [PAID.get(word, word) for word in words]
    rest = []
    for before, word in pairwise(("", *words)):
        if word != "pay" and not (before == "pay" and is_number(word)):
            rest.append(word)
    return rest[1:] if rest[:1] == ["then"] else rest


def _without_prices(verb: str, words: list[str]) -> list[str]:
    """`buy 1 glass for 5 Mark`: what it costs is known, and one is what is bought."""
    return [
        word
        for word, then in zip(words, (*words[1:], "")[: len(words)], strict=True)
        if word != "mark" and not (word == "1" and then in KIND_WORDS)
        if verb == "bid" or not (word.isdigit() and then == "mark")
    ]


def _legal(terms: Deal, position: Position, seat: int, asked: str, words: list[str]) -> Iterator[Move]:
    """What may be meant here; any bid of a number that is said."""
    me, lot = position.players[seat], position.lot
    match asked:
        case "turn":
            yield from (Roll(), *purchases(terms, position))
        case "act" | "again":
            yield from actions(position, rolled_kinds(position.dice))
        case "name":
            yield from map(Name, KINDS)
        case "offer" if lot is not None:
            yield from map(Offer, held(me, lot.kind))
        case "bid" if lot is not None:
            amounts = [int(word) for word in words if word.isascii() and word.isdigit() and len(word) < 10]
            yield from (Bid(amount, field) for amount in amounts for field in lot_fields(lot, me))


def _told(position: Position, seat: int, move: Move) -> Counter[str]:
    """The words for a move, including the kind of the piece that it is about."""
    said = text(move).split()
    fields = [word for word in said if word in FIELD_WORDS]
    kind = piece_at(position.players[seat], FIELD_WORDS[fields[0]]) if fields else None
    if isinstance(move, Bid) and position.lot is not None:
        kind = position.lot.kind
    return Counter([*said, *([kind] if kind else [])])


def _implied(asked: str, words: Sequence[str]) -> str:
    """The verb that is left out, where it follows from the question and the words: `d1 p2`, `glass d1`."""
    if asked in ("name", "offer", "bid"):
        return asked
    fetching, shifting = ("buy", "move") if asked == "turn" else ("take", "process")
    return fetching if KIND_WORDS.keys() & {*words} else shifting


def _exact(verb: str, words: Sequence[str]) -> Move | None:
    """The move that all of these words say, legal or not."""
    kinds = [KIND_WORDS[word] for word in words if word in KIND_WORDS]
    fields = [FIELD_WORDS[word] for word in words if word in FIELD_WORDS]
    match verb, kinds, fields, [word for word in words if word != verb and word not in (*kinds, *fields)]:
        case "roll", [], [], []:
            return Roll()
        case "buy" | "take", [kind], [field], []:
            return Buy(kind, field) if verb == "buy" else Take(kind, field)
        case "move" | "process", [], [source, target], []:
            return Shift(source, target) if verb == "move" else Process(source, target)
        case "sell", [], [source], []:
            return Sell(source)
        case "sell", [], [source], ["row", row] if row in ROWS:
            return Sell(source, int(row) - 1)
        case "name", [kind], [], []:
            return Name(kind)
        case "offer", [], [field], []:
            return Offer(field)
        case "bid", [], [field], [amount] if amount.isascii() and amount.isdigit() and int(amount[:11]) <= 10**9:
            return Bid(int(amount), field)
    return None


def _following(terms: Deal, seen: Sight, first: Action) -> Position:
    """The position in which the second action is read."""
    try:
        check_action(seen.public, first)
    except IllegalMove:
        return seen.public
    return after(terms, seen.public, first)


# --- standing orders -------------------------------------------------------------------------------------------------

PHRASES: dict[str, tuple[str, str, str]] = {
    mark("roll always"): ("roll", "always", mark("your dice fall without asking; you then neither buy nor move")),
    mark("roll ask"): ("roll", "ask", mark("you are asked again before you roll")),
    mark("bid nothing"): ("bid", "nothing", mark("you pass in all auctions without being asked")),
    mark("bid ask"): ("bid", "ask", mark("you are asked again for bids")),
    mark("offer nothing"): ("offer", "nothing", mark("you offer no piece of your own and are not asked")),
    mark("offer ask"): ("offer", "ask", mark("you are asked again whether you put up a piece")),
}
"""The standing orders (MK-20 to MK-22): the question, how it is answered, and what that means."""


def standing_legal(terms: Deal, words: Words) -> tuple[Choice, ...]:
    """What can be said or taken back: one line for each question that this game can ask."""
    options = terms.options
    asks = {"roll": options.buy or options.move, "bid": True, "offer": options.offer}
    return tuple(
        Choice(phrase, msgspec.structs.replace(words, **{question: answer}), w(note))
        for phrase, (question, answer, note) in PHRASES.items()
        if asks[question] and getattr(words, question) != answer
    )


def standing_parse(terms: Deal, words: Words, text: str) -> Words:
    """The words after one phrase, in any order: `always roll`."""
    said = {*text[:LONGEST].casefold().split()}
    for phrase, (question, answer, _) in PHRASES.items():
        if said == {*phrase.split()}:
            return msgspec.structs.replace(words, **{question: answer})
    raise IllegalMove("MK-20", t("these are not standing orders"))


def standing_text(words: Words) -> tuple[str, ...]:
    """The phrases that are in force."""
    return tuple(
        phrase for phrase, (question, answer, _) in PHRASES.items() if answer == getattr(words, question) != "ask"
    )
