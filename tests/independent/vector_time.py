"""Vectors of time: banks that pay for answers that come late, and extensions, which a host promises and must keep."""

import copy

from referee.engine import host
from tests.support.match import Sitting, cheating

from .vector_tools import Played, Vectors, changed, drop, flipped, put, signed, with_entry, with_offer
from .wire import Json, identity

LAST = "9999-12-31T23:59Z"


def answered_late(game: Played, seat: int, minutes: int) -> Played:
    """One round in which the answer of a seat is this late."""
    sitting = game.sitting
    number = sitting.round
    sitting.others(seat)
    sitting.wait(sitting.table.offer.deadline + minutes)
    judged = sitting.give(sitting.signed(seat))
    assert (judged.error, sitting.round) == (None, number + 1)
    game._note()
    return game


def banks(out: Vectors) -> None:
    """Answers have an hour, ten minutes of grace, and half an hour in the bank of each seat."""
    game = answered_late(Played(Sitting("auction", 3, "vectors bank", deadline=60, grace=10, bank=30)).step(), 1, 10)
    first, spent, late = game.view(1), game.view(2), game.until("bid").step(0, 1).view()
    assert spent["entries"][-1]["body"]["used"] == [[1, 10]]
    assert (game.moments[2]["state"]["bank"], game.moments[-1]["state"]["bank"]) == ([30, 20, 30], [0, 0, 30])
    out.base("view-bank", 6, "an answer came ten minutes too late, and the bank of its seat pays", game, spent)
    out.base("view-bank-late", 6, "two seats with different banks are timed out as early as it can be", game, late)
    due = spent["entries"][-1]["body"]["due"], late["entries"][-1]["body"]["due"]
    assert due == ("2027-01-01T02:10Z", "2027-01-01T03:50Z"), "an hour, the larger bank, ten minutes, an hour"

    def using(view: Json, *used: list[int]) -> Json:
        return with_entry(game, view, put("used", [*used]))

    def bad(name: str, codes: str, about: str, document: Json, base: str = "view-bank") -> None:
        out.bad(f"view-bank-{name}", 6, codes, about, base, document)

    out.good("view-bank-all", 6, "all that a bank has is used up", "view-bank", using(spent, [1, 30]))
    out.good("view-bank-none", 6, "nothing is used of a bank", "view-bank", with_entry(game, spent, drop("used")))
    both = using(spent, [0, 1], [2, 30])
    out.good("view-bank-two", 6, "two seats use their banks", "view-bank", both)
    bad("more", "bad-due", "a minute more than a bank has", using(spent, [1, 31]))
    bad("zero", "bad-due", "0 minutes are used", using(spent, [1, 0]))
    bad("order", "bad-due", "seats are not in order", using(spent, [1, 1], [0, 1]))
    bad("twice", "bad-due", "one seat twice", using(spent, [1, 1], [1, 1]))
    bad("stranger", "bad-due", "a seat that there is not", using(spent, [9, 1]))
    bad("silent", "bad-due", "a seat that was timed out", using(late, [1, 1]), "view-bank-late")
    bad("first", "bad-due", "in the first round nothing was due", using(first, [1, 1]))
    bad("year", "bad-entry", "more minutes than a year has", using(spent, [1, 525_601]))
    bad("negative", "bad-entry", "fewer minutes than none", using(spent, [1, -1]))
    triple = with_entry(game, spent, put("used", [[1, 1, 1]]), mend=False)
    bad("triple", "bad-entry", "three numbers", triple)
    bad("empty", "bad-entry", "an empty list, spelt out", using(spent))
    early = with_entry(game, late, put("due", "2027-01-01T03:49Z"))
    bad("early", "bad-due", "a minute too early for the larger bank", early, "view-bank-late")
    left = with_entry(game, late, put("state", spent["entries"][-1]["body"]["state"]), mend=False)
    bad("state", "rule-broken", "another state than the one after this round", left, "view-bank-late")
    start = game.view(0)
    bad("alone", "bad-due", "a bank without a deadline", _without(game, start, "deadline", "grace"))
    bad("year-and-more", "malformed", "a bank of more than 365 days", with_offer(game, start, bank=525_601))
    bad("spelt", "malformed", "a bank of 0, spelt out", with_offer(game, start, bank=0))
    other = Played(Sitting("auction", 3, "vectors due", deadline=60, grace=10)).step().step()
    nobody = with_entry(other, other.view(), put("used", [[1, 1]]))
    out.bad("view-bank-unknown", 6, "bad-due", "a bank is used where the offer has none", "view-due", nobody)


def _without(game: Played, view: Json, *names: str) -> Json:
    """The same offer without these fields."""
    view = copy.deepcopy(view)
    terms = view["genesis"]["body"]["offer"]["body"]
    for name in names:
        del terms[name]
    return with_offer(game, view)


def last_year(out: Vectors) -> None:
    """The calendar ends: whoever states the last of all times can time nobody out after it."""
    sitting = Sitting("auction", 3, "vectors last", deadline=60)
    sitting.match.due = LAST
    game = Played(sitting).step()
    out.base("view-due-last", 6, "the last of all times", game, game.view())
    with cheating():
        sitting.others(2)
        sitting.match.due = LAST
        _time_out(game, 2)
    about = "a timeout after the last of all times: no `due` is late enough"
    out.bad("view-due-never", 6, "bad-due", about, "view-due-last", game.view())


def _time_out(game: Played, seat: int) -> None:
    assert host.time_out(game.sitting.match, seat)
    game._note()


# --- extensions ------------------------------------------------------------------------------------------------------


def extension(game: Played, until: str, round_: int = 2, seat: int = 2, seed: bytes = b"") -> Json:
    body = {"game": identity("genesis", game.view(0)["genesis"]["body"]).hex(), "round": round_, "seat": seat}
    return signed(seed or game.host, "extension", body | {"until": until})


KEPT, BROKEN = "2027-01-01T01:00Z", "2027-01-01T01:01Z"
"""The third seat is timed out with a `due` of ten past two: an hour and ten minutes after the first of these."""


def extended(out: Vectors) -> None:
    """Several files."""
    game, late = out.bases["view-due"]
    assert late["entries"][1]["body"]["due"] == "2027-01-01T02:10Z"

    def several(name: str, codes: str, about: str, *given: Json) -> None:
        files = [("", one) for one in given]
        out.several(f"several-extension-{name}", codes, about, ("view-due", late), *files)

    broken = extension(game, BROKEN)
    several("kept", "", "a timeout exactly when the time that was given is over", extension(game, KEPT))
    several("broken", "extended-and-timed-out", "a minute too early", broken)
    several("latest", "extended-and-timed-out", "of two extensions one is kept", extension(game, KEPT), broken)
    several("never", "extended-and-timed-out", "time was given forever", extension(game, LAST))
    several("answered", "", "an extension for a seat that answered", extension(game, LAST, seat=1))
    several("round", "", "an extension for another round", extension(game, LAST, round_=1))
    several("open", "", "an extension for a round that is not closed", extension(game, LAST, round_=3))
    several("player", "", "an extension that a player signed", extension(game, LAST, seed=game.players[2]))
    several("forged", "", "an extension that nobody signed", changed(broken, "sig", flipped(broken["sig"])))
    several("february", "", "an extension until a day that does not exist", extension(game, "2030-02-30T00:00Z"))
    odd = signed(game.host, "extension", broken["body"] | {"zeal": 1})
    several("odd", "", "an extension that cannot be read", odd)
    other = Played(Sitting("auction", 3, "vectors due again", deadline=60, grace=10)).step()
    several("game", "", "an extension of another game", extension(other, LAST))
