"""What happened, in sentences."""

from collections import Counter
from collections.abc import Sequence

from referee.game import Note

from .types import Deal


def tell(terms: Deal, note: Note) -> str:
    """One line of the story; `@2` stands for the name of seat 2."""
    if note.what in _PLAIN:
        return _PLAIN[note.what]
    v = note.values
    match note.what:
        case "prices":
            moves = ", ".join(f"{colour} {before} -> {after}" for colour, before, after in v["moves"])
            return moves + _WHY[v["why"]].format(terms.edition.three)
        case "price change":
            return f"price change: drawn {_counted(v['drawn'])}"
        case "set-up":
            return f"every player draws {v['hand']} cases unseen; drawn into the market: {_counted(v['drawn'])}"
        case "silver":
            return f"silver {v['before']} -> {v['after']}"
        case "stage":
            return f"stage {v['number']}"
        case "next strip":
            return f"sale strip {v['number']} is next"
        case "refill":
            return f"sale strip 2 is refilled with {_listed(v['cases'])}"
        case what:
            return f"@{v['seat']} {_deed(what, note)}"


_PLAIN = {
    "all passed": "all have passed",
    "end": "the silver price has reached the end of its track: the game is over",
}
_WHY = {
    "sold": "",
    "drawn": "",
    "last": ": the last one has left the market",
    "three": ": {} on the strip",
    "missing": ": none in the market",
}
CARDS = {"pass": "PASS", "sell": "SELL+1", "silver": "SILVER+1", "buy": "BUY+1"}


def _deed(what: str, note: Note) -> str:
    """What a player did."""
    v = note.values
    match what:
        case "places":
            return f"places {v['mark']} on the purchase strip"
        case "marks":
            return f"marks {v['mark']}"
        case "passes":
            return f"passes{_marks(note)}"
        case "buys" | "sells":
            return f"{what} {_listed(v['shares'])} for {v['amount']}{_marks(note)}"
        case "bars":
            return f"buys {v['bars']} silver for {v['amount']}{_marks(note)}"
        case "card":
            return f"plays the card {CARDS[v['use']]}"
        case "card kept":
            return f"keeps the card PASS: no {v['colour']} is left in the market"
        case "subsidies":
            return f"takes {v['number']} {'subsidy' if v['number'] == 1 else 'subsidies'} for {v['amount']}"
        case "debt paid":
            return f"pays the debt of {v['amount']}"
        case "interest paid":
            return f"pays {v['amount']} interest"
        case "interest owed":
            return f"owes {v['amount']} interest"
        case "cash up":
            sold, gold = _listed(v["shares"]), v["gold"]
            return f"sells {sold}, takes subsidies: {v['subsidies']}, buys silver: {v['bars']}, has gold: {gold}"
    raise KeyError(what)


def _marks(note: Note) -> str:
    return f", marks {note.values['mark']}" if note.values["mark"] else ""


def _listed(cases: Sequence[str]) -> str:
    return ", ".join(cases) or "nothing"


def _counted(cases: Sequence[str]) -> str:
    return ", ".join(f"{number} {colour}" for colour, number in Counter(cases).items()) or "nothing"
