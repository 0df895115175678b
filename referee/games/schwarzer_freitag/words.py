"""Moves as people type them: `parse` and its inverse `text`."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import takewhile

from referee.errors import IllegalMove
from referee.grammar import NUMBERS as MORE_THAN_ONE
from referee.grammar import amounts_text, clean, counted, nearest, number_in, words_in
from referee.language import Text, either, mark, quoted

from .lookups import ONE, at_most, colours_in, count, sub
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
KEYWORDS = {word: word for word in (*ACTIONS, *EXTRAS, *CHOSEN, "hold", "end", "place")}
KEYWORDS |= {"subsidies": "subsidy", "cards": "card"}
COUNTED = {"subsidy", "subsidies", "silver"}
"""Before these a number may stand: `2 subsidies`."""
LAST = {"buy", "sell", "pass", "mark", "drop", "card", "place", "take"}
"""What can end a clause whose words stand before it: `2 red buy`, as Germans say it."""
MARKING = ("take", "strip")
"""`take red from the strip` and `red on the strip` say what is marked; `take 2 subsidies` says nothing more."""
FILLERS = {"a", "an", "and", "bar", "bars", "case", "cases", "for", "from", "on", "play", "share"}
FILLERS |= {"price", "shares", "the", "then", "turn", "use", "with", "x"}
NUMBERS = {"one": "1"} | MORE_THAN_ONE
OF = re.compile(rf"\b((?:\d|{'|'.join(NUMBERS)})(?: bars?| cases?| shares?)?|price) of (?=[a-z])")
"""English `2 of red`. Any other `of` may be Dutch, and means `or`."""
NAMES: dict[str, Colour] = {form: colour for colour in COLOURS for form in (colour, colour[0], f"{colour}s")}
NAMES |= {"gelb": "yellow", "blau": "blue", "rot": "red", "grün": "green", "gruen": "green", "gru\u0308n": "green"}
WORDS = [*KEYWORDS.values(), *COLOURS]
TOKEN = re.compile(r"\d+|(?:[^\W\d_]|\u0308)+|\S")
LONGEST = 400
FORMS = t(
    "write for example `buy red red, mark red`, `sell blue, drop blue, mark blue`, `silver 1, mark green` or `pass red`"
)


@lru_cache(maxsize=4096)
def text(move: Move) -> str:
    """The move in its short form."""
    match move:
        case Place(mark):
            return f"place {mark}"
        case More(extras):
            return ", ".join(map(extra_text, extras)) or "end"
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
    parts = _parts(text)
    if parts == [("end", [])]:
        return More()
    if len(parts) == 1 and parts[0][0] == "place":
        return Place(_one_colour(*parts[0]))
    hold = parts[-1] == ("hold", [])
    if hold:
        parts.pop()
    if any(word in ACTIONS for word, _ in parts):  # what is placed then is its mark
        parts = [("mark" if word == "place" else word, words) for word, words in parts]
    chosen = [(word, _one_colour(word, words)) for word, words in parts if word in CHOSEN]
    parts = [part for part in parts if part[0] not in CHOSEN]
    at = [index for index, (word, _) in enumerate(parts) if word in ACTIONS]
    if len(at) > 1:
        raise _unclear(t("a turn has one action only"), t("send one of buy, sell, silver and pass"))
    if not at:
        if hold or chosen:
            raise _unclear(t("there is no action in the move"))
        return More(_extras(parts))
    before, after = _extras(parts[: at[0]]), _extras(parts[at[0] + 1 :])
    return _action(seen, parts[at[0]], chosen, before, after, hold)


def _parts(text: str) -> list[Part]:
    """The text cut at its keywords; a comma ends what belongs together."""
    if len(text) > LONGEST:
        raise _unclear(t("the move is too long"))
    parts: list[Part] = []
    for clause in re.split("[,.!]", OF.sub(r"\1 ", text.casefold()).replace(":", " ")):
        opened = len(parts)
        for token in _ordered(_known(clause)):
            word = KEYWORDS.get(token)
            bare = len(parts) > opened and not parts[-1][1]
            if word and bare and (parts[-1][0], word) in (("buy", "silver"), ("pass", "card")):
                parts[-1] = (word, [])  # `buy 2 silver`, `pass card red`
            elif word:
                parts.append((word, []))
            elif not parts:
                raise _unclear(t("the move cannot begin with {token}", token=quoted(token[:20])), word=token[:20])
            else:
                parts[-1][1].append(token)
    if not parts:
        raise _unclear(t("the move is empty"))
    return parts


def _known(clause: str) -> list[str]:
    """The words that mean something, if the others only help the reader."""
    tokens = words_in(clause, FILLERS, NUMBERS, TOKEN)
    for token in tokens:
        if not (token in KEYWORDS or token in NAMES or token in MARKING or (token.isascii() and token.isdigit())):
            raise _unknown(token)
    return tokens


def _ordered(tokens: list[str]) -> Iterator[str]:
    """Every keyword before the words that belong to it."""
    if "strip" in tokens and not any(token in KEYWORDS or token == "take" for token in tokens):
        tokens = ["mark", *tokens]
    tokens = [token for token in tokens if token != "strip"]
    if tokens and tokens[-1] in LAST and not (tokens[0] in KEYWORDS or tokens[0] == "take"):
        tokens = _verb_first(tokens)
    for at, token in enumerate(tokens):
        behind = tokens[at + 1 : at + 2]
        if token in COUNTED and at and tokens[at - 1].isdigit() and not (behind and behind[0].isdigit()):
            tokens[at - 1], tokens[at] = token, tokens[at - 1]
    for at, token in enumerate(tokens):
        if token != "take":
            yield token
        elif any(word in NAMES for word in takewhile(lambda word: word not in KEYWORDS, tokens[at + 1 :])):
            yield "mark"


def _verb_first(tokens: list[str]) -> list[str]:
    """`2 red buy red mark` as `buy 2 red mark red`; what is bought in `2 silver buy` is said already."""
    found: list[str] = []
    words: list[str] = []
    for token in tokens:
        if token == "buy" and not words and "silver" in found:
            continue
        if token in KEYWORDS or token == "take":
            found, words = [*found, token, *words], []
        else:
            words.append(token)
    return found


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
        raise _unclear(t("drop does not belong to {word}", word=CALLED[word]), t("leave drop out"))
    if word in ("pass", "silver"):
        inline = [("mark", _one_colour(word, words))] if word == "pass" and words else []
        mark = _pick("mark", chosen + inline, colours_in(market))
        if word == "pass":
            return Pass(mark, before=before, after=after, hold=hold)
        return Silver(_number(word, words), mark, before=before, after=after, hold=hold)
    shares = _shares(word, words)
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
        raise _unclear(t("{word} is given twice", word=CALLED[word]), t("give {word} once", word=CALLED[word]))
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
        raise _unclear(t("the PASS card is given twice"), t("give it before the action or after it"))
    if len(extras) > 2:
        raise _unclear(
            t("subsidies stand before and after the PASS card"), t("send some of them alone, with `hold` or before")
        )
    return tuple(extras)


def _shares(action: str, words: list[str]) -> Cases:
    """`red red blue`, `2 red 1 blue`, or a mixture."""
    unread = _unclear(
        t("the shares to {action} cannot be read", action=CALLED[action]),
        t("write for example `{action} 2 red 1 blue`", action=CALLED[action]),
    )
    numbers = counted(words, NAMES, lambda times: _number(action, [times]), lambda _: unread)
    if not numbers or max(numbers.values()) > 999:
        raise unread
    return Cases(**numbers)


def _number(word: str, words: list[str]) -> int:
    number = number_in(words)
    if not number:
        examples = {"subsidy": t("2 subsidies"), "silver": t("silver 2")}
        raise _unclear(
            t("{word} needs one number from 1 to 999", word=CALLED[word]),
            t("write for example `{example}`", example=examples.get(word, t("{word} 2 red", word=CALLED[word]))),
        )
    return number


def _one_colour(word: str, words: list[str]) -> Colour:
    words = words[1:] if words[:1] == ["1"] else words
    if len(words) != 1 or words[0] not in NAMES:
        raise _unclear(
            t("{word} needs one colour", word=CALLED[word]), t("write for example `{word} red`", word=CALLED[word])
        )
    return NAMES[words[0]]


def _unknown(token: str) -> IllegalMove:
    """What may be echoed of a stranger's text, and the nearest word."""
    word = clean(token)
    if not word:
        return _unclear(t("the move cannot be read at a sign that is no letter"))
    near = nearest(word, WORDS)
    if not near:
        return _unclear(t("the move cannot be read at {word}", word=quoted(word)), word=word)
    told = t("the move cannot be read at {word}, did you mean {near}?", word=quoted(word), near=CALLED[near])
    return _unclear(told, word=word, guess=near)


def _unclear(message: Text, next: Text = FORMS, *, word: str = "", guess: str = "") -> IllegalMove:
    return IllegalMove("SF-16", message, next, word=word, guess=guess)
