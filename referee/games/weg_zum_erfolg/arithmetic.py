"""Cards and the four operations (LO-16): reading an expression, and finding one that makes a target."""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from .types import illegal

LONGEST = 200
DEEPEST = 20
EXACT = 5
"""With this many cards in all, or fewer, `hopeless` tries every expression."""
FEW = 3
"""All values of this many cards are worked out at once."""
EFFORT = 10_000
"""How many values of a few cards `solve` looks at before it gives up: a few tenths of a second, whatever the cards."""

TOKEN = re.compile(r"\s*(?:([0-9]{1,2})(?![0-9])|(.))", re.DOTALL)
SIGNS = dict.fromkeys("xX×·⋅∙•", "*") | dict.fromkeys(":÷∕⁄", "/") | dict.fromkeys("−–—‐", "-") | {"[": "(", "]": ")"}
"""Other signs that are accepted, as keyboards and telephones type them."""
CALLED = {
    "times": "*", "multiplied by": "*", "mal": "*", "keer": "*", "maal": "*",
    "divided by": "/", "over": "/", "geteilt durch": "/", "durch": "/", "gedeeld door": "/",
    "plus": "+", "minus": "-", "min": "-",
}  # fmt: skip
"""What signs are called in English, German and Dutch."""
NAME = re.compile(rf"(?<![^\W\d_])(?:{'|'.join(CALLED)})(?![^\W\d_])", re.IGNORECASE | re.ASCII)
RESULT = re.compile(r"\s*(-?)\s*([0-9]{1,12})(?:\.([0-9]{1,12})|/([0-9]{1,12}))?")
"""What follows `=`: `18`, `-2`, `2.5` or `5/2`."""


class Worth(NamedTuple):
    """What an expression comes to, and the cards it uses, ascending."""

    value: Fraction
    cards: tuple[int, ...]


@lru_cache(maxsize=256)
def evaluate(text: str) -> Worth:
    """Read an expression over whole numbers with + - * / and brackets; raises `IllegalMove` if it is not one.

    It may be a chain with intermediate results, as people work it out: `9x2=18-10=8`. These are not cards, and must be
    right.
    """
    if len(text) > LONGEST:
        raise illegal("LO-16", "expression-too-long", longest=LONGEST)
    before, *others = (part.strip() for part in text.split("="))
    value, cards = _Reader(before, _plain(before)).all()
    for part in others:
        stated, typed, rest = _stated(part, value)
        if stated != value:
            raise illegal("LO-16", "other-result", expression=before, value=str(value), target=typed)
        value, more = _Reader(part, rest, value).all()
        cards, before = cards + more, part
    return Worth(value, tuple(sorted(cards)))


def with_signs(text: str) -> str:
    """An expression with signs in place of their names: `9 * 2` for `9 times 2`."""
    return NAME.sub(lambda found: CALLED[found[0].lower()], text)


def _plain(text: str) -> str:
    return "".join(SIGNS.get(sign, sign) for sign in with_signs(text))


def _stated(part: str, before: Fraction) -> tuple[Fraction, str, str]:
    """The result with which a part of a chain begins, as it was typed, and the rest. After a whole one, `/` divides."""
    plain = _plain(part)
    found = RESULT.match(plain)
    if found is None:
        raise illegal("LO-16", "misplaced", sign="=", expression=f"= {part}")
    minus, whole, decimals, bottom = found.groups()
    stated, end = Fraction(whole), found.end(2)
    if decimals:
        stated, end = Fraction(f"{whole}.{decimals}"), found.end()
    elif bottom and before.denominator > 1 and int(bottom):
        stated, end = Fraction(int(whole), int(bottom)), found.end()
    return -stated if minus else stated, plain[:end].strip(), plain[end:]


class _Reader:
    """Reads from left to right; `number` or `sign` is what comes next; at the end, both are empty. `begun` comes before
    the text, and is not a card."""

    def __init__(self, typed: str, text: str, begun: Fraction | None = None) -> None:
        self.typed, self.begun = typed, begun
        self.tokens = TOKEN.finditer(text.strip())
        self.cards: tuple[int, ...] = ()
        self.number = self.sign = ""
        self.advance()

    def all(self) -> tuple[Fraction, tuple[int, ...]]:
        value = self.sum(0)
        if self.sign or self.number:
            raise illegal("LO-16", "misplaced", sign=self.sign or self.number, expression=self.typed)
        return value, self.cards

    def advance(self) -> str:
        """Step over the next sign, and return it."""
        stepped = self.sign
        match = next(self.tokens, None)
        self.number, self.sign = match.groups("") if match else ("", "")
        return stepped

    def sum(self, depth: int) -> Fraction:
        value = self.product(depth)
        while self.sign in ("+", "-"):
            value = value + self.product(depth) if self.advance() == "+" else value - self.product(depth)
        return value

    def product(self, depth: int) -> Fraction:
        value = self.factor(depth)
        while self.sign in ("*", "/"):
            divide = self.advance() == "/"
            factor = self.factor(depth)
            if divide and not factor:
                raise illegal("LO-16", "divided-by-zero", expression=self.typed)
            value = value / factor if divide else value * factor
        return value

    def factor(self, depth: int) -> Fraction:
        if self.begun is not None:
            value, self.begun = self.begun, None
            return value
        if self.number:
            card = int(self.number)
            self.cards += (card,)
            self.advance()
            return Fraction(card)
        if self.sign != "(" or depth == DEEPEST:
            raise illegal("LO-16", "card-missing", expression=self.typed)
        self.advance()
        value = self.sum(depth + 1)
        if self.sign != ")":
            raise illegal("LO-16", "bracket-missing", expression=self.typed)
        self.advance()
        return value


# --- finding expressions ----------------------------------------------------------------------------------------------


class _Term(NamedTuple):
    """An expression as text, and how tightly it binds: 1 a sum, 2 a product, 3 a card."""

    text: str
    binds: int


Cards = tuple[int, ...]
BINDS = {"+": 1, "-": 1, "*": 2, "/": 2}
TURNED = {"+": "-", "-": "+", "*": "/", "/": "*"}


def _join(a: _Term, sign: str, b: _Term) -> _Term:
    """Both sides joined; instead of 10 - (3 - 2) it is 10 - 3 + 2."""
    binds = BINDS[sign]
    first, second = (term.text if term.binds >= binds else f"({term.text})" for term in (a, b))
    if sign in "-/" and b.binds == binds:
        second = _turned(second, "+-" if sign == "-" else "*/")
    return _Term(f"{first} {sign} {second}", binds)


def _turned(text: str, signs: str) -> str:
    """The text with these signs turned round, except in brackets."""
    depth, out = 0, []
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        out.append(TURNED[sign] if sign in signs and not depth else sign)
    return "".join(out)


def _some(cards: Cards, number: int) -> Iterator[Cards]:
    """Every choice of this many of the sorted cards, equal choices only once; each is sorted."""
    if not number:
        yield ()
    for at in range(len(cards) - number + 1 if number else 0):
        if not at or cards[at - 1] != cards[at]:
            for others in _some(cards[at + 1 :], number - 1):
                yield cards[at], *others


def _splits(cards: Cards, most: int) -> Iterator[tuple[Cards, Cards]]:
    """Every way to split the cards in two, with at most this many in the first part; both parts are sorted."""
    for size in range(1, min(most, len(cards) - 1) + 1):
        for part in _some(cards, size):
            others = list(cards)
            for card in part:
                others.remove(card)
            yield part, tuple(others)


@lru_cache(maxsize=1024)
def _values(cards: Cards) -> dict[Fraction, _Term]:
    """Every value from 0 up that a few sorted cards can make, all of them used; with the shortest expression for it.

    Nothing is lost without negative numbers: whatever makes -n can be turned round to make n.
    """
    if len(cards) == 1:
        return {Fraction(cards[0]): _Term(str(cards[0]), 3)}
    found: dict[Fraction, _Term] = {}
    for first, second in _splits(cards, len(cards) - 1):
        for a, left in _values(first).items():
            for b, right in _values(second).items():
                made = [(a + b, "+"), (a * b, "*")]
                made += [(a - b, "-")] if a >= b else []
                made += [(a / b, "/")] if b else []
                for value, sign in made:
                    term = _join(left, sign, right)
                    if value not in found or len(term.text) < len(found[value].text):
                        found[value] = term
    return found


def _needed(a: Fraction, target: Fraction) -> Iterator[tuple[str, bool, Fraction]]:
    """What must be joined with `a` to make the target: sign, whether `a` comes first, value."""
    yield ("+", True, target - a) if target >= a else ("-", True, a - target)
    yield "-", False, target + a
    if a:
        yield "*", True, target / a
        yield "/", False, target * a
        if target:
            yield "/", True, a / target


class _Search:
    """A search with limited effort: `reach` finds nothing more once the effort is spent."""

    def __init__(self, effort: int) -> None:
        self.left = effort
        self.known: dict[tuple[Cards, Fraction], _Term | None] = {}
        self.parts: dict[Cards, dict[Fraction, _Term]] = {}

    def part(self, cards: Cards) -> dict[Fraction, _Term]:
        """What a few cards can make; the effort is the same whether it is remembered from another search or not."""
        if cards not in self.parts:
            self.parts[cards] = _values(cards)
            self.left -= len(self.parts[cards])
        return self.parts[cards]

    def reach(self, cards: Cards, target: Fraction) -> _Term | None:
        """An expression that uses all these sorted cards and makes the target."""
        if len(cards) <= FEW:
            return self.part(cards).get(target)
        key = cards, target
        if key not in self.known:
            self.known[key] = self._find(cards, target)
        return self.known[key]

    def _find(self, cards: Cards, target: Fraction) -> _Term | None:
        for part, others in _splits(cards, min(FEW, len(cards) // 2)):
            for a, term in self.part(part).items():
                self.left -= 1
                if self.left <= 0:
                    return None
                if not a and not target:
                    return _join(term, "*", _Term(" + ".join(map(str, others)), 1))
                for sign, first, value in _needed(a, target):
                    other = self.reach(others, value)
                    if other is not None:
                        return _join(term, sign, other) if first else _join(other, sign, term)
        return None


def solve(own: Sequence[int], table: Sequence[int], target: int, limit: int = 1, effort: int = EFFORT) -> list[str]:
    """Expressions of all cards on the table and some of one's own that make the target, those with the fewest first.

    At most `limit`, one for each choice of one's own cards. With limited effort, some may not be found.
    """
    search, found, held = _Search(effort), list[str](), tuple(sorted(own))
    for number in range(1, len(held) + 1):
        for chosen in _some(held, number):
            term = search.reach(tuple(sorted((*chosen, *table))), Fraction(target))
            if term is not None:
                found.append(term.text)
            if len(found) >= limit or search.left <= 0:
                return found
    return found


def fewest(own: Sequence[int], target: int, most: int) -> Cards | None:
    """The fewest of one's own cards, sorted, that make the target: at most two, the lowest first, or None."""
    if most >= 1 and target in own:
        return (target,)
    pairs = combinations(own, 2) if most >= 2 else ()
    return next(((a, b) for a, b in pairs if target in (a + b, b - a, a * b) or b == a * target), None)


def hopeless(own: Sequence[int], table: Sequence[int], target: int) -> bool:
    """Is it certain that these cards cannot make the target? That can be known only when few cards are left."""
    return len(own) + len(table) <= EXACT and not solve(own, table, target)
