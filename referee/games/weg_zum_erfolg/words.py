"""Moves as people type them: `parse` and `text`."""

import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

from msgspec.structs import replace

from referee.errors import IllegalMove
from referee.game import Seat, ask_of
from referee.grammar import number_in, seat_of, unread
from referee.language import Text, mark

from .arithmetic import LONGEST as LONGEST_EXPRESSION
from .arithmetic import SIGNS, with_signs
from .graph import Leg, pick, ways
from .lookups import is_settled, legs_of, mover
from .moving import opponents_for, ways_after
from .story import t
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
    Wait,
    Way,
)

NAMES = (
    mark("up"), mark("left"), mark("right"), mark("down"), mark("enter"), mark("against"), mark("leave"),
    mark("decline"), mark("give up"), mark("swap"), mark("keep"), mark("play"), mark("success"), mark("failure"),
    mark("along"), mark("yellow"), mark("orange"), mark("green"), mark("red"), mark("blue"), mark("piece"), mark("way"),
    mark("try"), mark("wait"), mark("intervene"), mark("solve"), mark("lose"), mark("place"),
)  # fmt: skip
"""Words that sentences and refusals name, called as they are typed."""
LETTERS = "abcdefgh"
"""The players by seat, as the picture names their pieces: small, because fields have capitals."""
WAYS: dict[str, Way] = {"up": "up", "left": "left", "right": "right"}
CASES = ("success", "failure", "way", "against")
STRANGE = re.compile(rf"[^0-9+*/()=. {re.escape(''.join(SIGNS))}-]")
"""What no expression can have."""
BESIDE = re.compile(r"(?:[0-9]\s+|\)\s*)([0-9]+)|[0-9)]\s*(\()")
"""Numbers or brackets without a sign between them: German `mal` may mean nothing, but not in `9 mal 2`."""
LONGEST = 400
SAME = {"move": "piece", "pass": "decline"}
USED = tuple("0123456789(")
"""What begins a card or an expression that is played: `use 9`, `play 9*2-10`."""
ALONE = {
    "piece": "piece", "intervene": "intervene", "solve": "solve", "target": "swap", "lose": "lose", "place": "place",
    "swap chip": "chip", "opponent": "against",
}  # fmt: skip
"""What a number, a player or a bracket means that begins an answer: the piece, the card, the goal that is asked for."""
NO = {"intervene": "decline", "solve": "give up", "swap chip": "keep", "try": "leave"}
"""What `no` and `none` mean."""
REFUSING = {"no", "none", "play", "try", "swap", "intervene"}
"""What `no` and `none` may stand beside: `play no card`."""
CLAUSES = {
    "piece": "LO-8", "way": "LO-11", "opponent": "LO-15", "try": "LO-22", "intervene": "LO-16", "solve": "LO-16",
    "target": "LO-6", "lose": "LO-6", "place": "LO-22", "swap chip": "LO-21",
}  # fmt: skip
"""The clause that a decision rests on."""


# --- text ------------------------------------------------------------------------------------------------------------


def text(move: Move) -> str:
    """The move in its short form."""
    match move:
        case Go():
            return _with_ways(_said(f"piece {move.piece + 1}" + (f" {move.way}" if move.way else ""), move), move)
        case Enter():
            return _said("enter", move)
        case Wait():
            return "wait"
        case Turn():
            return f"way {move.way}"
        case Opponent():
            return _with_ways(f"against @{move.seat}", move)
        case Try():
            return _with_ways(_attempt(move.attempt), move)
        case Intervene():
            return "decline" if move.card is None else f"intervene {move.card}"
        case Solve():
            words = "give up" if move.expression is None else f"solve {move.expression}"
            return words + (f", {move.way}" if move.way else "")
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
    """Read a typed move."""
    what = asked(seen)
    line = _begun(what, " ".join(text[: LONGEST + 1].casefold().split()).strip(" ,.!"))
    if not line or len(text) > LONGEST:
        raise unclear(what, t("the move is too long") if line else t("the move is empty"))
    first = re.split(r"[\W\d_]", line, maxsplit=1)[0]
    rest = line.removeprefix(first)
    if first in ("play", "move") and what in ("intervene", "solve", "lose") and rest.lstrip()[:1] in USED:
        first = what
    first = SAME.get(first, first)
    if first == "solve":
        expression, _, more = rest.partition(",")
        return _solved(terms, seen, Solve(_expression(expression)), words_in(more))
    return _read(terms, seen, first, words_in(rest), line)


def words_in(text: str) -> list[str]:
    """The words that mean something."""
    return [word for word in re.findall(r"@\d+|\d+|[^\W\d_]+|\S", text) if word not in (",", ":", "it")]


def _begun(what: str, line: str) -> str:
    """The line that answers this question, with the word that it begins with."""
    words = words_in(line)
    if what in NO and _refuses(what, words):
        return NO[what]
    if what == "try" and words in (["yes"], ["ja"]):
        return "try"
    parts = [words_in(part) for part in line.split(",")]
    if what in NO and len(parts) > 1 and all(_refuses(what, part) for part in parts):
        return NO[what]
    if words[:1] == ["none"] and what in NO and words[1:2] == NO[what].split()[:1]:
        return line.removeprefix("none").lstrip(" ,")
    if what == "piece" and words[1:2] == ["piece"] and words[0] in WAYS:
        return " ".join((*words[1:], words[0]))  # `right with piece 2`
    if what == "way" and ("move" in words or "way" in words[1:]):
        return " ".join(word for word in words if word not in ("move", "way"))  # `take the right way`
    if words[:2] in (["move", "piece"], ["play", "piece"]):
        line = line.removeprefix(words[0]).lstrip(" ,")
    return f"{ALONE[what]} {line}" if line and line[0] in "0123456789([@" and what in ALONE else line


def _refuses(what: str, words: list[str]) -> bool:
    """Whether these words alone mean no: `pass`, `leave it`, `play no card`."""
    if words in (["pass"], NO[what].split()) or (words == ["leave"] and what != "solve"):
        return True
    return sum(word in ("no", "none") for word in words) == 1 and {*words} <= REFUSING


def _read(terms: Deal, seen: Sight, first: str, words: list[str], line: str) -> Move:
    match first, words:
        case "piece", [_, who] if asked(seen) == "target" and who[0] == "@":
            return _target(terms, words)
        case "piece", _:
            return _go(terms, seen, words[1:] if words[:1] == ["piece"] else words)
        case "enter", _:
            words = words[1:] if words[:1] == ["piece"] else words
            named = _named("piece", words, ("against", "attempt"))
            return _with_said(terms, seen, Enter(), Leg(terms.edition.board.start, "up", 1), named)
        case "wait", []:
            return Wait()
        case "way", [way]:
            return Turn(_way("way", way, _leaving(seen)))
        case word, [] if word in WAYS or word == "along":
            return Turn(_way("way", word, _leaving(seen)))
        case "against", _:
            return _ahead(terms, seen, Opponent(_seat(terms, "opponent", words[:1])), "", words[1:])
        case "try", _:
            return _ahead(terms, seen, Try(True), "", words)
        case "leave", _:
            return _ahead(terms, seen, Try(False), "failure", words)
        case "intervene", [*before, "against", who] if seat_of(who, terms.seats) == seen.public.turn:
            return Intervene(card=_number("intervene", before, t("intervene needs the value of one card")))
        case "intervene", _:
            words = [word for word in words if word not in ("intervene", "enter", "play", "move")]
            return Intervene(card=_number("intervene", words, t("intervene needs the value of one card")))
        case "decline", []:
            return Intervene()
        case "give", ["up", *more]:
            return _solved(terms, seen, Solve(), more)
        case "swap" | "chip", _ if asked(seen) == "swap chip":
            return _chip([word for word in words if word not in ("swap", "chip")])
        case "swap", _:
            return _target(terms, words)
        case "lose", _:
            return Lose(card=_number("lose", words, t("lose needs the value of one card")))
        case "place", _:
            return Place(goal=_number("place", words, t("place needs the number of a goal")) - 1)
        case "keep", [] | ["chip"]:
            return SwapChip()
        case "chip", _:
            return _chip(words)
        case letter, [_, *_] if len(letter) == 1 and letter in LETTERS:
            own = letter == LETTERS[seen.seat]
            return _go(terms, seen, [letter, *words]) if own else _target(terms, words_in(line))
    raise unread(CLAUSES[asked(seen)], line.split()[0])


def _expression(text: str) -> str:
    """The expression as it was typed, with signs for their names: `check` reads it."""
    expression = with_signs(text.lstrip(" :")).strip()
    if not expression:
        raise unclear("solve", t("solve needs an expression"))
    if len(expression) > LONGEST_EXPRESSION:
        raise unclear("solve", t("the expression is too long"))
    if strange := STRANGE.search(expression):
        raise unread("LO-16", strange[0])
    if beside := BESIDE.search(expression):
        raise unread("LO-16", beside[1] or beside[2])
    return expression


def _go(terms: Deal, seen: Sight, words: list[str]) -> Go:
    """`2`, `2 up`, `2 success up failure left`; the piece may carry its player's letter, as in the picture."""
    if words and words[0] == LETTERS[seen.seat]:
        words = words[1:]
    number = _number("piece", words[:1], t("piece needs the number of a piece")) - 1
    named = _named("piece", words[1:], ("way", "success", "failure", "against", "attempt"))
    board, public = terms.edition.board, seen.public
    pieces = public.players[seen.seat].pieces
    if number < len(pieces) and pieces[number].at in board.in_play:
        number = pieces.index(pieces[number])  # of pieces that stand alike the first moves
    legs = legs_of(board, public, pieces[number]) if number < len(pieces) else {}
    heading = pieces[number].heading if number < len(pieces) else "up"
    way = _way("piece", named["way"], heading) if "way" in named else None
    way = None if way in legs and not ways(legs) else way
    leg = pick(legs, way) or Leg(board.start, "up", 0)
    return _with_said(terms, seen, _with_cases(terms, seen, Go(number, way), leg, named), leg, named)


S = TypeVar("S", Go, Enter)


def _with_said(terms: Deal, seen: Sight, move: S, leg: Leg, named: Mapping[str, str]) -> S:
    """The opponent and the attempt, if they are named in advance; the only opponent need not be."""
    opponent = _seat(terms, "opponent", [named["against"]]) if "against" in named else None
    board, public = terms.edition.board, seen.public
    there = any(piece.at == leg.at for piece in public.players[opponent].pieces) if opponent is not None else False
    alone = there and leg.left and not opponents_for(board, public, leg)
    attempt = named["attempt"] == "try" if "attempt" in named else None
    return replace(move, opponent=None if alone else opponent, attempt=attempt)


A = TypeVar("A", Go, Opponent, Try)


def _ahead(terms: Deal, seen: Sight, move: A, alone: str, words: list[str]) -> A:
    """Ways behind an answer on a decision field; one `alone` is for that case."""
    what = {Opponent: "opponent", Try: "try"}[type(move)]
    named = _named(what, words, ("success", "failure", *(["way"] if alone else [])))
    if "way" in named and named.setdefault(alone, named["way"]) != named["way"]:
        raise unclear(what, t("two ways are named for one case"))
    return _with_cases(terms, seen, move, _here(terms, seen), named)


def _with_cases(terms: Deal, seen: Sight, move: A, leg: Leg, named: Mapping[str, str]) -> A:
    """The ways for success and failure; one that is the only one need not be named."""
    board, public = terms.edition.board, seen.public
    settled = is_settled(public)
    heads, legs = board.directions(*leg[:2], settled), board.cases(*leg[:3], settled) if leg.left else ({}, {})
    found: dict[str, Way | None] = {}
    for case, heading, after, choice in zip(
        ("success", "failure"), heads, legs, ways_after(board, public, leg), strict=True
    ):
        if case in named:
            way = _way(asked(seen), named[case], heading)
            found[case] = None if way in after and not choice else way
    return replace(move, **found)


def _solved(terms: Deal, seen: Sight, move: Solve, words: list[str]) -> Solve:
    """The way behind an expression is for success, the one behind giving up for failure."""
    case = "failure" if move.expression is None else "success"
    named = _named("solve", words, ("way", case))
    if not named:
        return move
    if len(named) > 1:
        raise unclear("solve", t("two ways are named for one case"))
    ahead = _with_cases(terms, seen, Try(True), _here(terms, seen), {case: next(iter(named.values()))})
    return replace(move, way=ahead.success or ahead.failure)


def _named(what: str, words: list[str], known: Sequence[str]) -> dict[str, str]:
    """What stands behind the answer itself: `success up`, `failure left`, `against @1`, `try`, `leave`, or a way."""
    found: dict[str, str] = {}
    words = [word for word in words if word != "move"]
    pairs = list(zip(words[::2], words[1::2], strict=False))
    if len(words) == 2 * len(pairs) and all(way in WAYS and case in ("success", "failure") for way, case in pairs):
        words = [word for way, case in pairs for word in (case, way)]  # `up if it succeeds`
    rest = iter(words)
    for word in rest:
        key, value = word, word
        if word in CASES:
            value = next(rest, "")
            if not value or value in CASES:
                if word == "against":
                    raise unclear(what, t("a player is missing"))
                raise unclear(what, t("a way is missing: up, left or right"))
        else:
            key = "attempt" if word in ("try", "leave") else "way"
        if key in found or key not in known or (key == "way" and value not in WAYS and value != "along"):
            raise unread(CLAUSES[what], value)
        found[key] = value
    return found


def _leaving(seen: Sight) -> Heading:
    """The direction that was found."""
    task = seen.public.task
    return task.leaving if task is not None and task.leaving is not None else "up"


def _here(terms: Deal, seen: Sight) -> Leg:
    """The piece that is being moved, if it stands before a decision."""
    board, public = terms.edition.board, seen.public
    if public.task is None or not board.is_decision((here := mover(public)).at):
        return Leg(board.start, "up", 0)
    return here


def _way(what: str, word: str, heading: Heading) -> Way:
    """`along` means on in the heading."""
    if word == "along" and heading in ("left", "right"):
        return WAYS[heading]
    if word not in WAYS:
        raise unread(CLAUSES[what], word)
    return WAYS[word]


def _seat(terms: Deal, what: str, words: list[str]) -> Seat:
    """`@2`; names of players have become that before."""
    if len(words) != 1:
        raise unclear(what, t("one player is needed"))
    if seat_of(words[0], 1000) is None:
        raise unread(CLAUSES[what], words[0])
    seat = seat_of(words[0], terms.seats)
    if seat is None:
        players = tuple(f"@{seat}" for seat in range(terms.seats))
        raise unclear(what, t("there is no such player; there are {players}", players=players))
    return seat


def _target(terms: Deal, words: list[str]) -> Target:
    """`@3 piece 1`, `piece 1 @3`, `@3 1` or `d 1`."""
    words = sorted((word for word in words if word != "piece"), key=lambda word: not word.startswith("@"))
    if words and len(words[0]) == 1 and words[0] in LETTERS:
        words = [f"@{LETTERS.index(words[0])}", *words[1:]]
    seat = _seat(terms, "target", words[:1])
    return Target(seat=seat, piece=_number("target", words[1:], t("swap needs a player and the number of a piece")) - 1)


def _chip(words: list[str]) -> SwapChip:
    return SwapChip(goal=_number("swap chip", words, t("chip needs the number of a goal")) - 1)


def _number(what: str, words: list[str], message: Text) -> int:
    number = number_in(words)
    if not number:
        raise unclear(what, message)
    return number


def asked(seen: Sight) -> str:
    """The question that this seat has to answer."""
    ask = ask_of(seen.pending, seen.seat)
    return ask.what if ask and ask.what in CLAUSES else "piece"


def unclear(what: str, message: Text) -> IllegalMove:
    """What is typed means nothing."""
    return IllegalMove(CLAUSES[what], message)
