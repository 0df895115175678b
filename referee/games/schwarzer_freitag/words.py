"""Moves as people type them: `parse` and its inverse `text`."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import takewhile

from referee.errors import IllegalMove
from referee.grammar import amounts_text, counted, number_in, unread
from referee.language import MOVES, Text, either, mark

from .lookups import ONE, at_most, colours_in, count, shares_of, sub
from .story import CALLED, t
from .types import (
    COLOURS,
    Action,
    Buy,
    Cases,
    Colour,
    Deal,
    Extra,
    Extras,
    More,
    Move,
    Pass,
    Place,
    Sell,
    Sight,
    Silver,
)

Part = tuple[str, list[str]]
"""A keyword and the words behind it."""

ACTIONS = ("buy", "sell", "silver", "pass")
EXTRAS = ("subsidy", "card")
CHOSEN = ("mark", "drop")
ADDED = {"mark": mark("`mark {colour}`"), "drop": mark("`drop {colour}`")}
"""How each of them is typed."""
KEYWORDS = {word: word for word in (*ACTIONS, *EXTRAS, *CHOSEN, "hold", "end", "place", "take")}
KEYWORDS |= {"subsidies": "subsidy", "cards": "card"}
INSTEAD = {("buy", "silver"), ("buy", "subsidy"), ("pass", "card")}
"""Of two words that stand together, those of which the second says it all: `buy 2 silver`, `pass card red`."""
COUNTED = {"subsidy", "subsidies", "silver"}
"""Before these a number may stand: `2 subsidies`."""
SINGLE = {"subsidy", "silver"}
"""Without a number these are one, as a share is."""
NAMES: dict[str, Colour] = {form: colour for colour in COLOURS for form in (colour, colour[0])}
LONGEST = 400


@lru_cache(maxsize=4096)
def text(move: Move) -> str:
    """The move in its short form."""
    match move:
        case Place(mark):
            return f"place {mark}"
        case More(extras, hold):
            return ", ".join([*map(extra_text, extras), *(["hold"] if hold else [])]) or "end"
        case Pass(mark):
            parts = [f"pass {mark}" if mark else "pass"]
        case Silver(bars, mark):
            parts = [f"silver {bars}", *_named("mark", mark)]
        case Buy(shares, mark):
            parts = [f"buy {shares_text(shares)}", *_named("mark", mark)]
        case Sell(shares, drop, mark):
            parts = [f"sell {shares_text(shares)}", f"drop {drop}", *_named("mark", mark)]
    parts = [*map(extra_text, move.before), *parts, *map(extra_text, move.after)]
    return ", ".join([*parts, "hold"] if move.hold else parts)


def _named(word: str, colour: Colour | None) -> list[str]:
    return [f"{word} {colour}"] if colour else []


def extra_text(extra: Extra) -> str:
    """`1 subsidy`, `2 subsidies`, `card red`."""
    if isinstance(extra, int):
        return f"{extra} {'subsidy' if extra == 1 else 'subsidies'}"
    return f"card {extra}"


def shares_text(shares: Cases) -> str:
    """`red blue`, `2 red 1 blue`."""
    return amounts_text({colour: number for colour in COLOURS if (number := count(shares, colour))})


def parse(terms: Deal, seen: Sight, text: str) -> Move:
    """Read a typed move; a `mark` or `drop` left out is filled in where only one colour is possible."""
    parts, ask = _parts(text), seen.ask
    finishing = ask is not None and ask.what == "finish"
    if parts == [("end", [])] or (finishing and parts == [("pass", [])]):
        return More()
    if len(parts) == 1 and parts[0][0] == "place":
        return Place(_one_colour(*parts[0]))
    hold = parts[-1] == ("hold", [])
    while parts and parts[-1] == ("hold", []):  # `I'm not finished, so keep my turn open`
        parts.pop()
    if any(word in ACTIONS for word, _ in parts):  # what is placed then is its mark
        parts = [("mark" if word == "place" else word, words) for word, words in parts]
    named = [(word, words) for word, words in parts if word in CHOSEN]
    for chooser in CHOSEN:
        if sum(word == chooser for word, _ in named) == 1:
            named = [part for part in named if part != (chooser, [])]  # `mark it` leaves the colour open
    chosen = [(word, _one_colour(word, words)) for word, words in named]
    parts = [part for part in parts if part[0] not in CHOSEN]
    at = [index for index, (word, _) in enumerate(parts) if word in ACTIONS]
    if len(at) > 1:
        raise _unclear(t("a turn has one action only"))
    if not at:
        if chosen or (hold and not parts):
            raise _unclear(t("there is no action in the move"))
        # Before the action the turn stays open without that word, too.
        return More(_extras(parts), hold and finishing)
    before, after = _extras(parts[: at[0]]), _extras(parts[at[0] + 1 :])
    return _action(seen, parts[at[0]], chosen, before, after, hold)


def _parts(text: str) -> list[Part]:
    """The text cut at its keywords; a comma ends what belongs together."""
    if len(text) > LONGEST:
        raise _unclear(t("the move is too long"))
    parts: list[Part] = []
    for clause in text.casefold().split(","):
        opened, continues = len(parts), False
        for token in _ordered(re.findall(r"\d+|[^\W\d_]+|\S", clause)):
            word = KEYWORDS.get(token)
            last = parts[-1] if len(parts) > opened else ("", [])
            if word and continues:
                raise unread("SF-16", token)  # `sell red, blue drop`: words that belong to nothing
            if word and not last[1] and (last[0], word) in INSTEAD:
                parts[-1] = (word, [])
            elif word == "buy" and last[0] == "silver":
                pass  # `2 silver buy`
            elif word in ("pass", "end") and parts == [(word, [])]:
                continue  # `no trade, pass red`
            elif word:
                parts.append((word, []))
            elif not parts or not (token in (*NAMES, "all") or (token.isascii() and token.isdigit())):
                raise unread("SF-16", token)
            else:
                continues = continues or len(parts) == opened
                parts[-1][1].append(token)
    if not parts:
        raise _unclear(t("the move is empty"))
    return parts


def _ordered(tokens: list[str]) -> Iterator[str]:
    """Every keyword before its number; `red on the strip` and `take red` say what is marked, `take 2 subsidies` says
    nothing more."""
    if "strip" in tokens and not any(token in KEYWORDS for token in tokens):
        tokens = ["mark", *tokens]
    silver = tokens.index("silver") if "silver" in tokens else -1
    tokens = [one for at, one in enumerate(tokens) if one != "strip" and (one != "silver" or at == silver)]
    for at, token in enumerate(tokens):
        behind = tokens[at + 1 : at + 2]
        if token in COUNTED and at and tokens[at - 1].isdigit() and not (behind and behind[0].isdigit()):
            tokens[at - 1], tokens[at] = token, tokens[at - 1]
    for at, token in enumerate(tokens):
        if token != "take":
            yield token
            if token in SINGLE and not any(one.isdigit() for one in tokens[at + 1 : at + 2]):
                yield "1"
        elif any(word in NAMES for word in takewhile(lambda word: word not in KEYWORDS, tokens[at + 1 :])):
            yield "mark"


def _action(
    seen: Sight, part: Part, chosen: list[tuple[str, Colour]], before: Extras, after: Extras, hold: bool
) -> Action:
    """The action, with what was chosen for it or what alone is possible."""
    word, words = part
    market = seen.public.market
    for card in before:
        if not isinstance(card, int) and count(market, card):
            market = sub(market, ONE[card])
    if word != "sell" and any(key == "drop" for key, _ in chosen):
        raise _unclear(t("drop does not belong to {word}", word=CALLED[word]))
    if word in ("pass", "silver"):
        colours = words if word == "pass" else words[1:]  # `silver 1, red`
        inline = [("mark", _one_colour(word, colours))] if colours else []
        mark = _pick("mark", chosen + inline, colours_in(market))
        if word == "pass":
            return Pass(mark, before=before, after=after, hold=hold)
        return Silver(_number(word, words[:1]), mark, before=before, after=after, hold=hold)
    shares = _all(seen, words[1:]) if word == "sell" and words[:1] == ["all"] else _shares(word, words)
    if word == "buy":
        left = sub(market, at_most(shares, market))
        return Buy(shares, _pick("mark", chosen, markable(left, shares)), before=before, after=after, hold=hold)
    drop = _pick("drop", chosen, colours_in(shares)) or COLOURS[0]
    mark = _pick("mark", chosen, markable(seen.public.sale[seen.public.strip], shares))
    return Sell(shares, drop, mark, before=before, after=after, hold=hold)


def markable(where: Cases, preferred: Cases) -> tuple[Colour, ...]:
    """The colours that may move to or from a strip (SF-17, SF-18): a preferred one if there is any."""
    return colours_in(at_most(where, preferred)) or colours_in(where)


def _pick(word: str, chosen: list[tuple[str, Colour]], options: tuple[Colour, ...]) -> Colour | None:
    """The colour given for `word`, else the only one possible, else None if none is."""
    given = [colour for key, colour in chosen if key == word]
    if len(given) > 1:
        raise _unclear(t("{word} is given twice", word=CALLED[word]))
    if given:
        return given[0]
    if len(options) > 1:
        added = (t(ADDED[word], colour=CALLED[colour]) for colour in options)
        raise _unclear(t("the move leaves {word} open", word=CALLED[word]), t("add {added}", added=either(added)))
    return options[0] if options else None


def _extras(parts: list[Part]) -> Extras:
    """Extras in their order; subsidies side by side add up."""
    extras: list[Extra] = []
    for word, words in parts:
        if word not in EXTRAS:
            raise _unclear(t("{word} cannot stand there", word=CALLED[word]))
        extra = _one_colour(word, words) if word == "card" else _number(word, words)
        last = extras[-1] if extras else ""
        if isinstance(extra, int) and isinstance(last, int):
            extras[-1] = last + extra
        else:
            extras.append(extra)
    if sum(isinstance(extra, str) for extra in extras) > 1:
        raise _unclear(t("the PASS card is given twice"))
    if len(extras) > 2:
        raise _unclear(t("subsidies stand before and after the PASS card"))
    return tuple(extras)


def _all(seen: Sight, words: list[str]) -> Cases:
    """`all red`, `all red blue`: what this seat holds of these colours."""
    named, held = {NAMES.get(word) for word in words} - {None}, shares_of(seen)
    found = Cases(**{colour: count(held, colour) for colour in COLOURS if colour in named})
    if len(named) < len(words) or not colours_in(found):
        raise _unclear(t("the shares to {action} cannot be read", action=CALLED["sell"]))
    return found


def _shares(action: str, words: list[str]) -> Cases:
    """`red red blue`, `2 red 1 blue`, or a mixture."""
    numbers = counted(words, NAMES)
    if not numbers:
        raise _unclear(t("the shares to {action} cannot be read", action=CALLED[action]))
    return Cases(**numbers)


def _number(word: str, words: list[str]) -> int:
    number = number_in(words)
    if not number:
        raise _unclear(t("{word} needs one number from 1 to 999", word=CALLED[word]))
    return number


def _one_colour(word: str, words: list[str]) -> Colour:
    words = words[1:] if words[:1] == ["1"] else words
    if len(words) != 1 or words[0] not in NAMES:
        raise _unclear(t("{word} needs one colour", word=CALLED[word]))
    return NAMES[words[0]]


def _unclear(message: Text, next: Text = MOVES) -> IllegalMove:
    return IllegalMove("SF-16", message, next)
