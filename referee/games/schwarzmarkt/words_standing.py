"""Standing orders as people type them: `from 10, move 1`, and `always ask` to take that back (SM-27)."""

import re

from referee.errors import IllegalMove
from referee.forms import Choice, Option, Pick
from referee.language import Catalogue, Wording

from .lookups import longest_step
from .types import Deal, Words

t, w = Catalogue("referee.games.schwarzmarkt"), Wording("referee.games.schwarzmarkt")

ALWAYS = "always ask"
FROM = re.compile(r"(?:ask )?(?:me )?from (\d{1,3})(?: move (\d{1,3}))?", re.ASCII)


def text(words: Words) -> tuple[str, ...]:
    """The phrase in force, if there is one."""
    return (f"from {words.asked_from}, move {max(words.steps, 1)}",) if words.asked_from else ()


def parse(terms: Deal, words: Words, phrase: str) -> Words:
    """The words after a typed phrase; a price that the track lacks means the next higher one."""
    plain = " ".join(phrase[:100].casefold().replace(",", " ").split())
    if plain in (ALWAYS, "always ask me"):
        return Words()
    found = FROM.fullmatch(plain)
    if not found:
        raise IllegalMove("SM-27", t("these standing orders cannot be read"))
    price, steps = int(found[1]), int(found[2] or 1)
    prices = [value for value in terms.edition.track if value >= max(price, 2)]
    if not prices:
        raise IllegalMove(
            "SM-27",
            t("no price is {price} or more", price=price),
            t("name one up to {track}", track=terms.edition.track[-1]),
        )
    if not 1 <= steps <= longest_step(terms):
        raise IllegalMove(
            "SM-27", t("no field lets the marker move so far"), t("move 1 to {terms}", terms=longest_step(terms))
        )
    return Words(prices[0], steps)


def legal(terms: Deal, words: Words) -> tuple[Choice, ...]:
    """The price from which a player wants to be asked, by how far the marker moves below it; or always to be asked."""
    prices = terms.edition.track[1:]
    steps = range(2, longest_step(terms) + 1)
    example = Words(prices[len(prices) // 3])
    family = Choice(
        w("from a price on: do not ask me in trade rounds while it is lower"),
        example,
        w("the marker then moves without you"),
        form={"asked_from": {"$": "price"}, "steps": {"$": "steps"}},
        parts=(
            Pick("price", w("from which price?"), tuple(Option(f"from {price}", price) for price in prices)),
            # One field is what the words say if they say nothing.
            Pick(
                "steps",
                w("how far does the marker move below it?"),
                (Option("move 1"), *(Option(f"move {step}", step) for step in steps)),
            ),
        ),
    )
    if not words.asked_from:
        return (family,)
    return (Choice(ALWAYS, Words(), w("takes back what you said")), family)
