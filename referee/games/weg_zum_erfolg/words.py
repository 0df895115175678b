"""Moves as people type them: `parse` and `text`."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar
from unicodedata import normalize

from msgspec.structs import replace

from referee.errors import IllegalMove
from referee.game import Seat, ask_of

from .arithmetic import LONGEST as LONGEST_EXPRESSION
from .arithmetic import SIGNS
from .graph import Board, pick
from .tables import is_settled, legs_of, mover
from .types import (
    Ahead,
    Deal,
    Enter,
    Go,
    Heading,
    Intervene,
    Lose,
    Move,
    Opponent,
    Place,
    Sight,
    Solve,
    SwapChip,
    Target,
    Try,
    Turn,
    Way,
)

LETTERS = "abcdefgh"
"""The players by seat, as the picture names their pieces: small, because fields have capitals."""
WAYS: dict[str, Way] = {"up": "up", "left": "left", "right": "right"}
WAYS |= {"rauf": "up", "hoch": "up", "links": "left", "rechts": "right"}
TOKEN = re.compile(r"@\d+|\d+|[^\W\d_]+|\S")
STANDING = {
    "decline always": True,
    "always decline": True,
    "ask me": False,
    "ask me again": False,
}
STRANGE = re.compile(rf"[^0-9+*/() {re.escape(''.join(SIGNS))}-]")
"""What no expression can have."""
LONGEST = 400
NO_WAY = "a way is missing: up, left or right"
FORMS = {
    "piece": ("LO-8", "write for example `piece 2`, `piece 2 up`, `piece 2, success: up, failure: left` or `enter`"),
    "way": ("LO-11", "write `way up`, `way left` or `way right`"),
    "opponent": ("LO-15", "write for example `against @1`"),
    "try": ("LO-22", "write `try`, `leave it` or for example `try, success: up`"),
    "intervene": ("LO-16", "write for example `intervene 9`, `decline` or `decline always`"),
    "solve": ("LO-16", "write for example `solve 9*2-10`, `solve 9*2-10, up` or `give up`"),
    "target": ("LO-6", "write for example `swap @1 piece 2`"),
    "lose": ("LO-6", "write for example `lose 7`"),
    "place": ("LO-22", "write for example `place 4`; goals count from 1 on the left"),
    "swap chip": ("LO-21", "write for example `chip 8` or `keep chip`; goals count from 1 on the left"),
}
"""By decision: the clause it rests on, and how its answer is typed."""


# --- text ------------------------------------------------------------------------------------------------------------


def text(move: Move) -> str:
    """The move in its short form."""
    if move.standing is None:
        return _text(move)
    if move == Intervene(standing=True):
        return "decline always"
    return f"{_text(move)}, {'decline always' if move.standing else 'ask me again'}"


def _text(move: Move) -> str:
    match move:
        case Go():
            return _with_ways(_said(f"piece {move.piece + 1}" + (f" {move.way}" if move.way else ""), move), move)
        case Enter():
            return _said("enter", move)
        case Turn():
            return f"way {move.way}"
        case Opponent():
            return _with_ways(f"against @{move.seat}", move)
        case Try():
            return _with_ways(_attempt(move.attempt), move)
        case Intervene():
            return "decline" if move.card is None else f"intervene {move.card}"
        case Solve():
            return _with_ways("give up" if move.expression is None else f"solve {move.expression}", move)
        case Target():
            return f"swap @{move.seat} piece {move.piece + 1}"
        case Lose():
            return f"lose {move.card}"
        case Place():
            return f"place {move.goal + 1}"
        case SwapChip():
            return "keep chip" if move.goal is None else f"chip {move.goal + 1}"


def _said(words: str, move: Go | Enter) -> str:
    words += f", against @{move.opponent}" if move.opponent is not None else ""
    return words + (f", {_attempt(move.attempt)}" if move.attempt is not None else "")


def _attempt(attempt: bool) -> str:
    return "try" if attempt else "leave it"


def _with_ways(words: str, move: Ahead) -> str:
    """What is named in advance stands behind commas."""
    words += f", success: {move.success}" if move.success else ""
    return words + (f", failure: {move.failure}" if move.failure else "")


# --- parse -----------------------------------------------------------------------------------------------------------


def parse(terms: Deal, seen: Sight, text: str) -> Move:
    """Read a typed move. Any move may end with `decline always` or `ask me again`."""
    if len(text) > LONGEST:
        raise _unclear(asked(seen), "the move is too long")
    parts = [" ".join(part.split()) for part in normalize("NFC", text).casefold().split(",")]
    parts = [part for part in parts if part]
    if not parts:
        raise _unclear(asked(seen), "the move is empty")
    standing = STANDING.get(parts[-1])
    if standing is None:
        return _parse(terms, seen, ", ".join(parts))
    if len(parts) == 1:
        if not standing:
            raise _unclear(asked(seen), "`ask me again` goes with an answer: write it behind a comma")
        return Intervene(standing=True)
    return replace(_parse(terms, seen, ", ".join(parts[:-1])), standing=standing)


def _parse(terms: Deal, seen: Sight, text: str) -> Move:
    if asked(seen) == "solve" and text[0] in "0123456789([":
        text = f"solve {text}"
    if text.startswith("solve"):
        expression, _, rest = text.removeprefix("solve").partition(",")
        return _with_named(terms, seen, Solve(_expression(expression)), "success", _words(rest))
    first, *words = _words(text) or [""]
    match first, words:
        case "piece", _:
            return _go(terms, seen, words)
        case "enter", _:
            return Enter(**_what_is_said(terms, _named("piece", words, ("against", "attempt"))))
        case "way", [way]:
            return Turn(_way("way", way, _leaving(seen)))
        case word, [] if word in WAYS or word == "along":
            return Turn(_way("way", word, _leaving(seen)))
        case "against", _:
            return _with_named(terms, seen, Opponent(_seat(terms, "opponent", words[:1])), "", words[1:])
        case "try", _:
            return _with_named(terms, seen, Try(True), "", words)
        case "leave", _:
            return _with_named(terms, seen, Try(False), "failure", words)
        case "intervene", _:
            return Intervene(card=_number("intervene", words, "intervene needs the value of one card"))
        case "decline", []:
            return Intervene()
        case "give", ["up", *more]:
            return _with_named(terms, seen, Solve(), "failure", more)
        case "swap", _:
            return _target(terms, words)
        case "lose", _:
            return Lose(card=_number("lose", words, "lose needs the value of one card"))
        case "place", _:
            return Place(goal=_number("place", words, "place needs the number of a goal") - 1)
        case ("chip", _) | ("keep", _):
            if first == "keep" and words in ([], ["chip"]):
                return SwapChip()
            return SwapChip(goal=_number("swap chip", words, "chip needs the number of a goal") - 1)
        case _:
            raise _unclear(asked(seen), f"the move cannot be read at {_quoted(first)}")


def _words(text: str) -> list[str]:
    return [word for word in TOKEN.findall(text) if word not in (",", ":", "it")]


def _expression(text: str) -> str:
    """The expression as it was typed: `check` reads it."""
    expression = text.strip()
    if not expression:
        raise _unclear("solve", "solve needs an expression")
    if len(expression) > LONGEST_EXPRESSION:
        raise _unclear("solve", "the expression is too long")
    if strange := STRANGE.search(expression):
        raise _unclear("solve", f"the expression cannot be read at sign {strange.start() + 1}, {_quoted(strange[0])}")
    return expression


def _go(terms: Deal, seen: Sight, words: list[str]) -> Go:
    """`2`, `2 up`, `2 success up failure left`; the piece may carry its player's letter, as in the picture."""
    if words and words[0] == LETTERS[seen.seat]:
        words = words[1:]
    piece = _number("piece", words[:1], "piece needs the number of a piece") - 1
    named = _named("piece", words[1:], ("way", "success", "failure", "against", "attempt"))
    board, public = Board(terms.edition), seen.public
    pieces = public.players[seen.seat].pieces
    way, leg = None, None
    if piece < len(pieces):
        way = _way("piece", named["way"], pieces[piece].heading) if "way" in named else None
        leg = pick(legs_of(board, public, pieces[piece]), way)
    good, bad = board.directions(*leg[:2], is_settled(public)) if leg and leg.left else ("up", "up")
    return Go(
        piece=piece,
        way=way,
        success=_way("piece", named["success"], good) if "success" in named else None,
        failure=_way("piece", named["failure"], bad) if "failure" in named else None,
        **_what_is_said(terms, named),
    )


def _what_is_said(terms: Deal, named: Mapping[str, str]) -> dict[str, Any]:
    """The opponent and the attempt, if they are named in advance."""
    return {
        "opponent": _seat(terms, "opponent", [named["against"]]) if "against" in named else None,
        "attempt": named["attempt"] == "try" if "attempt" in named else None,
    }


M = TypeVar("M", Opponent, Try, Solve)


def _with_named(terms: Deal, seen: Sight, move: M, alone: str, words: list[str]) -> M:
    """Ways behind an answer on a decision field; one `alone` is for that case."""
    what = {Opponent: "opponent", Try: "try", Solve: "solve"}[type(move)]
    named = _named(what, words, ("success", "failure", *(["way"] if alone else [])))
    if "way" in named and named.setdefault(alone, named["way"]) != named["way"]:
        raise _unclear(what, "two ways are named for one case")
    good, bad = _directions(terms, seen)
    success = _way(what, named["success"], good) if "success" in named else None
    return replace(move, success=success, failure=_way(what, named["failure"], bad) if "failure" in named else None)


def _named(what: str, words: list[str], known: Sequence[str]) -> dict[str, str]:
    """What stands behind the answer itself: `success up`, `failure left`, `against @1`, `try`, `leave`, or a way."""
    found: dict[str, str] = {}
    rest = iter(words)
    for word in rest:
        key, value = word, word
        if word in ("success", "failure", "way", "against"):
            value = next(rest, "")
            if not value or value in ("success", "failure", "way", "against"):
                raise _unclear(what, "a player is missing" if word == "against" else NO_WAY)
        else:
            key = "attempt" if word in ("try", "leave") else "way"
        if key in found or key not in known:
            raise _unclear(what, f"the move cannot be read at {_quoted(word)}")
        found[key] = value
    return found


def _leaving(seen: Sight) -> Heading:
    """The direction that was found."""
    task = seen.public.task
    return task.leaving if task is not None and task.leaving is not None else "up"


def _directions(terms: Deal, seen: Sight) -> tuple[Heading, Heading]:
    """Where success and failure lead the piece that is being moved, if it stands before a decision."""
    board, public = Board(terms.edition), seen.public
    if public.task is None or not board.is_decision((here := mover(public)).at):
        return "up", "up"
    return board.directions(here.at, here.heading, is_settled(public))


def _way(what: str, word: str, heading: Heading) -> Way:
    """`along` means on in the heading."""
    if word == "along" and heading in ("left", "right"):
        return WAYS[heading]
    if word not in WAYS:
        raise _unclear(what, f"there is no way {_quoted(word)}; say up, left or right")
    return WAYS[word]


def _seat(terms: Deal, what: str, words: list[str]) -> Seat:
    """`@2`; names of players have become that before."""
    if len(words) != 1:
        raise _unclear(what, "one player is needed")
    number = words[0].removeprefix("@")
    if not words[0].startswith("@") or not _is_number(number):
        raise _unclear(what, f"there is no player {_quoted(words[0])}")
    if int(number) >= terms.seats:
        raise _unclear(what, f"there is no such player; seats are @0 to @{terms.seats - 1}")
    return int(number)


def _target(terms: Deal, words: list[str]) -> Target:
    """`@3 piece 1`, `@3 1` or `d 1`."""
    words = [word for word in words if word != "piece"]
    if words and len(words[0]) == 1 and words[0] in LETTERS:
        words = [f"@{LETTERS.index(words[0])}", *words[1:]]
    seat = _seat(terms, "target", words[:1])
    return Target(seat=seat, piece=_number("target", words[1:], "swap needs a player and the number of a piece") - 1)


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= 3


def _number(what: str, words: list[str], message: str) -> int:
    if len(words) != 1 or not _is_number(words[0]) or int(words[0]) < 1:
        raise _unclear(what, message)
    return int(words[0])


def asked(seen: Sight) -> str:
    """The question that this seat has to answer."""
    ask = ask_of(seen.pending, seen.seat)
    return ask.what if ask else "piece"


def _quoted(word: str) -> str:
    """What may be echoed of a stranger's text."""
    clean = "".join(letter for letter in word if letter.isascii() and letter.isalnum())[:20]
    return f"'{clean}'" if clean else "a sign that is no letter"


def _unclear(what: str, message: str) -> IllegalMove:
    return IllegalMove(FORMS[what][0], message, FORMS[what][1])
