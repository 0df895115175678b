"""Moves and standing orders as people type them."""

import re
from collections.abc import Sequence

import msgspec

from referee.errors import IllegalMove
from referee.forms import Choice
from referee.game import ask_of
from referee.grammar import clean, nearest
from referee.language import NOTHING, Catalogue, Text, Wording, mark, quoted

from .actions import after, check_action
from .lookups import (
    BOTH_AREAS,
    DELIVERY,
    PROCESSING,
    free_fields,
    free_rows,
    held,
    lot_fields,
    next_to,
    piece_at,
    row_of,
)
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
EVERY_KIND = t("glass, plastic, paper, metal, composite")
KIND_WORDS: dict[str, Kind] = {kind: kind for kind in KINDS} | {f"{kind}s": kind for kind in KINDS}
KIND_WORDS |= {"glas": "glass", "kunststoff": "plastic", "plastik": "plastic", "papier": "paper", "metall": "metal"}
KIND_WORDS |= {"verbund": "composite"}
FIELD_WORDS: dict[str, Field] = {field: field for field in FIELDS}
VERBS = {verb: verb for verb in ("roll", "buy", "move", "take", "process", "sell", "pass", "name", "offer", "bid")}
VERBS |= {"throw": "roll", "shift": "move", "fetch": "take"}
VERBS |= dict.fromkeys(("nothing", "none", "no", "skip", "decline"), "pass")
DOING = VERBS.keys() - {"nothing", "none", "no"}
MEANT = {("act", "move"): "process", ("again", "move"): "process", ("name", "offer"): "name"}
"""By what is asked: a verb that can only mean another one there."""
PRICE = re.compile(r"\b\d+ mark\b")
"""What a purchase costs is known."""
NONE = ("none", "no", "0")
"""What may follow `offer`, and `bid`, to decline this once."""
FILLERS = {"a", "an", "at", "bank", "dice", "field", "for", "from", "in", "into", "mark", "market", "on"}
FILLERS |= {"piece", "pieces", "the", "to"}
"""What people write and the game does not need."""
OF = re.compile(r"\b(\d+|pieces?) of (?=[a-z])")
"""English `a piece of glass`. Any other `of` may be Dutch, and means `or`."""
PASSES: dict[str, Move] = {"offer": Offer(None), "bid": Bid(0, None)}
LONGEST, MOST_WORDS = 200, 20
CLAUSES = {"buy": "MK-12", "move": "MK-13", "name": "MK-8", "offer": "MK-14", "bid": "MK-10"}
"""Where a word is explained; MK-6 for all others."""
ACTING = t("write for example `take glass d1`, `process d2 p3`, `sell p3`, `sell p3 row 2` or `pass`")
EXAMPLES = {
    "turn": t("write for example `roll`, `buy glass d2` or `move d3 p2`"),
    "act": t("{acting}; after a double also `take glass d1 then process d1 p1`", acting=ACTING),
    "again": ACTING,
    "name": t("write for example `name glass`"),
    "offer": t("write for example `offer d2` or `offer none`"),
    "bid": t("write for example `bid 7 d2` or `bid 0`"),
}
"""What to type, by what is asked."""


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
    """Read a typed move; a field or row left out is filled in where only one is possible."""
    ask = ask_of(seen.pending, seen.seat)
    asked = ask.what if ask else ""
    line = OF.sub(r"\1 ", text[: LONGEST + 1].casefold())
    line = line if "bid" in (asked, *line.split()) else PRICE.sub(" ", line)
    for sign in (",", ":", "->", "→", "and then"):
        line = line.replace(sign, " then " if sign == "and then" else " ")
    words = _joined(["then" if word == "and" else word for word in line.split() if word not in FILLERS])
    if len(text) > LONGEST or len(words) > MOST_WORDS or not words:
        fault = t("the move is too long") if words else t("the move is empty")
        raise IllegalMove("MK-6", fault, EXAMPLES.get(asked, ACTING))
    if "then" not in words:
        return _Phrase(terms, seen.public, seen.seat, asked, words).move()
    at = words.index("then")
    first = _Phrase(terms, seen.public, seen.seat, asked, words[:at]).move()
    if not isinstance(first, Take | Process | Sell):
        raise IllegalMove("MK-7", t("`then` stands between the two actions of a double"), EXAMPLES["act"])
    second = _Phrase(terms, _following(terms, seen, first), seen.seat, asked, words[at + 1 :]).move()
    if not isinstance(second, Take | Process | Sell | Nothing):
        raise IllegalMove("MK-7", t("`then` stands before the second action of a double"), EXAMPLES["act"])
    return Both(first, second)


def _joined(words: list[str]) -> list[str]:
    """The words of a move without a `then` that no second action follows: `take glass and put it on d1`."""
    behind = words[words.index("then") + 1 :] if "then" in words else []
    return [word for word in words if word != "then"] if behind and not VERBS.keys() & {*behind} else words


def _verb_first(words: Sequence[str]) -> list[str]:
    """`d1 p2 move` as `move d1 p2`."""
    verbs = [word for word in words if word in DOING]
    return sorted(words, key=lambda word: word not in verbs) if len(verbs) == 1 else list(words)


def _following(terms: Deal, seen: Sight, first: Action) -> Position:
    """The position in which the second action is read."""
    try:
        check_action(seen.public, first)
    except IllegalMove:
        return seen.public
    return after(terms, seen.public, first)


class _Phrase:
    """The words of one move, sorted by what they are, and what is needed to fill in what they leave open."""

    def __init__(self, terms: Deal, position: Position, seat: int, asked: str, words: Sequence[str]) -> None:
        self.terms, self.position, self.asked, self.verb = terms, position, asked, ""
        self.me = position.players[seat]
        self.kinds: list[Kind] = []
        self.fields: list[Field] = []
        self.numbers: list[int] = []
        self.row: int | None = None
        self.none = False
        words = _verb_first(words)
        if words and words[0] in VERBS:
            verb = VERBS[words.pop(0)]
            self.verb = MEANT.get((asked, verb), verb)
        else:
            self.verb = self.implied(words)
        if not self.verb:
            raise self.unread(words[0] if words else "", VERBS)
        while words:
            self.read(words.pop(0), words)

    def implied(self, words: Sequence[str]) -> str:
        """The verb that is left out, where what is asked and the words themselves tell it: `d1 p2`, `glass d1`."""
        known = [word for word in words if word in KIND_WORDS or word in FIELD_WORDS or word.isdigit()]
        if self.asked in ("name", "offer", "bid"):
            return self.asked if words[:1] == known[:1] != [] else ""
        fields = [word for word in words if word in FIELD_WORDS]
        if not fields or {*words} - {*known, "row"}:
            return ""
        if len(fields) > 1:
            return "move" if self.asked == "turn" else "process"
        if self.asked == "turn":
            return "buy" if len(known) == 2 else ""
        return "sell" if fields[0][0] in PROCESSING else "take"

    def read(self, word: str, rest: list[str]) -> None:
        """Put one word where it belongs."""
        if word in KIND_WORDS:
            self.kinds.append(KIND_WORDS[word])
        elif word in FIELD_WORDS:
            self.fields.append(FIELD_WORDS[word])
        elif word == "row" and self.verb == "sell" and self.row is None:
            self.row = self.number(rest.pop(0) if rest else "", len(self.position.market))
            if not self.row:
                raise self.unclear(t("rows count from 1"))
        elif self.verb == "pass" and word == self.asked:
            pass  # `no bid`
        elif self.verb in ("buy", "take") and word == "1" and not self.kinds:
            pass  # `buy 1 glass`
        elif self.verb in ("offer", "bid") and word in NONE and not self.none:
            self.none = True
        elif self.verb == "bid" and not self.numbers and not word.isalpha():
            self.numbers.append(self.number(word, 10**9))
        else:
            raise self.unread(word, (*KIND_WORDS, *FIELD_WORDS, *(("row",) if self.verb == "sell" else ())))

    def number(self, word: str, most: int) -> int:
        """A number from 0 to `most`."""
        if not (word.isascii() and word.isdigit()) or len(word) > len(str(most)) or int(word) > most:
            raise self.unclear(t("{verb} needs a number from 0 to {most}", verb=t(self.verb), most=most))
        return int(word)

    def unclear(self, message: Text, next: Text = NOTHING, *, word: str = "", guess: str = "") -> IllegalMove:
        clause, example = CLAUSES.get(self.verb, "MK-6"), EXAMPLES.get(self.asked, ACTING)
        return IllegalMove(clause, message, next or example, word=word, guess=guess)

    def unread(self, word: str, known: Sequence[str] | dict[str, str]) -> IllegalMove:
        """What cannot be read, with the nearest word that could."""
        if self.verb in ("bid", "offer") and word == "nothing":
            if self.verb == "bid":
                return self.unclear(t("`bid nothing` holds until you take it back"), t("write `bid 0` for this once"))
            return self.unclear(
                t("`offer nothing` holds until you take it back"), t("write `offer none` for this once")
            )
        near, shown = nearest(word, known), clean(word)
        if near and shown:
            guess = KIND_WORDS.get(near, near)
            told = t("{word}: did you mean {near}?", word=quoted(shown), near=t(guess))
            return self.unclear(told, word=shown, guess=guess)
        if shown:
            return self.unclear(t("the move cannot be read at {word}", word=quoted(shown)), word=shown)
        return self.unclear(t("the move cannot be read at a sign that is no letter"))

    # --- what each verb needs ----------------------------------------------------------------------------------------

    def move(self) -> Move:
        """The move that the words mean, if it uses every one of them."""
        move = self.meant()
        surplus = [*self.kinds, *self.fields, *map(str, self.numbers)]
        if surplus:
            raise self.unclear(t("the move cannot be read at {word}", word=quoted(surplus[0])), word=surplus[0])
        return move

    def meant(self) -> Move:
        match self.verb:
            case "roll":
                return Roll()
            case "pass":
                return PASSES.get(self.asked, Nothing())
            case "buy" | "take":
                fetching = Buy if self.verb == "buy" else Take
                return fetching(self.kind(), self.place(free_fields(self.me)))
            case "move" | "process":
                source, shifting = self.source(DELIVERY), Shift if self.verb == "move" else Process
                return shifting(source, self.place(next_to(self.me, source)))
            case "sell":
                source = self.source(PROCESSING)
                return Sell(source, self.sale_row(source))
            case "name":
                return Name(self.kind())
            case "offer":
                return Offer(None if self.none else self.source(BOTH_AREAS))
        return self.bid()

    def kind(self) -> Kind:
        if not self.kinds:
            raise self.unclear(t("{verb} needs a kind: {every_kind}", verb=t(self.verb), every_kind=EVERY_KIND))
        return self.kinds.pop(0)

    def place(self, options: Sequence[Field]) -> Field:
        """The field that is named or, if none is, the only one possible."""
        if self.fields:
            return self.fields.pop(0)
        if not options:
            raise self.unclear(t("{verb} needs a field such as d2 or p3", verb=t(self.verb)))
        if len(options) > 1:
            raise self.unclear(
                t("{verb} leaves the field open", verb=t(self.verb)), t("add one of {options}", options=tuple(options))
            )
        return options[0]

    def source(self, areas: str) -> Field:
        """The field from which a piece goes; its kind alone is enough where only one such piece is there."""
        kind = self.kinds.pop(0) if self.kinds else None
        if self.fields and (kind is None or self.fields[0][0] in areas):
            field = self.fields.pop(0)
            there = piece_at(self.me, field)
            if kind is not None and there is not None and there != kind and self.verb != "offer":
                raise self.unclear(t("{there} lies on {field}, not {kind}", there=t(there), field=field, kind=t(kind)))
            return field
        options = held(self.me, kind, areas) if kind else ()
        if len(options) == 1:
            return options[0]
        if not options:
            field = "p3" if areas == PROCESSING else "d2"
            raise self.unclear(t("{verb} needs a field such as {areas} with a piece", verb=t(self.verb), areas=field))
        raise self.unclear(
            t("{verb} leaves the piece open", verb=t(self.verb)), t("add one of {options}", options=tuple(options))
        )

    def sale_row(self, source: Field) -> int | None:
        if self.row is not None:
            return self.row - 1
        kind, rows = piece_at(self.me, source), free_rows(self.position)
        first = kind is not None and row_of(self.position, kind) is None
        return rows[0] if first and len(rows) == 1 else None

    def bid(self) -> Bid:
        lot = self.position.lot
        if lot is not None and lot.kind in self.kinds:
            self.kinds.remove(lot.kind)
        if self.none:
            return Bid(0, self.fields.pop(0) if self.fields else None)
        if not self.numbers:
            raise self.unclear(t("bid needs a number from 0 to 1000000000"))
        amount = self.numbers.pop(0)
        return Bid(amount, self.place(lot_fields(lot, self.me) if lot else ()))


# --- standing orders -------------------------------------------------------------------------------------------------

PHRASES: dict[str, tuple[str, str, str]] = {
    mark("roll always"): ("roll", "always", mark("your dice fall without asking; you then neither buy nor move")),
    mark("roll ask"): ("roll", "ask", mark("you are asked again before you roll")),
    mark("bid nothing"): ("bid", "nothing", mark("you pass in all auctions without being asked")),
    mark("bid ask"): ("bid", "ask", mark("you are asked again for bids")),
    mark("offer nothing"): ("offer", "nothing", mark("you put up no own piece and are not asked")),
    mark("offer ask"): ("offer", "ask", mark("you are asked again whether you put up a piece")),
}
"""What can be said for good (MK-20 to MK-22): the question, how it is answered, and what that means."""
EVERY_PHRASE = t("write one of roll always, roll ask, bid nothing, bid ask, offer nothing, offer ask")
SAME = {"never": "nothing"}


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
    """The words after one phrase; `always roll` and `never bid` mean what they say."""
    typed = [word for word in text[:LONGEST].casefold().split() if word not in FILLERS]
    said = {SAME.get(word, word) for word in typed}
    for phrase, (question, answer, _) in PHRASES.items():
        if said == set(phrase.split()):
            return msgspec.structs.replace(words, **{question: answer})
    near = nearest(" ".join(typed), PHRASES)
    hint = t("did you mean `{near}`?", near=t(near)) if near else EVERY_PHRASE
    raise IllegalMove("MK-20", t("these are no standing orders"), hint)


def standing_text(words: Words) -> tuple[str, ...]:
    """The phrases that are in force."""
    return tuple(
        phrase for phrase, (question, answer, _) in PHRASES.items() if answer == getattr(words, question) != "ask"
    )
