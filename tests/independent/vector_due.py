"""Vectors of deadlines that an offer promises, and of keys that the host keeps."""

from tests.support.match import Sitting

from .vector_tools import Played, Vectors, drop, put, with_entry, with_join, with_offer
from .wire import Json


def due(out: Vectors) -> None:
    """Answers have an hour, and ten minutes of grace; the third seat misses the first deadline after the acks."""
    game = Played(Sitting("auction", 3, "vectors due", deadline=60, grace=10)).step().step(2)
    first, late = game.view(1), game.view(2)
    assert (first["entries"][0]["body"]["due"], late["entries"][1]["body"]["timeouts"]) == ("2027-01-01T01:00Z", [2])
    out.base("view-due", 4, "a missed deadline; the next one is the earliest that may be stated", game, late)
    assert late["entries"][1]["body"]["due"] == "2027-01-01T02:10Z"

    def bad(name: str, codes: str, about: str, document: Json) -> None:
        out.bad(f"view-due-{name}", 4, codes, about, "view-due", document)

    def stating(view: Json, time: str) -> Json:
        return with_entry(game, view, put("due", time))

    out.good("view-due-later", 4, "a later deadline", "view-due", stating(late, "2027-03-01T00:00Z"))
    out.good(
        "view-due-any", 4, "any deadline where nobody is timed out", "view-due", stating(first, "0001-01-01T00:00Z")
    )
    bad("early", "bad-due", "a minute too early for who is timed out", stating(late, "2027-01-01T02:09Z"))
    bad("none", "bad-due", "no deadline", with_entry(game, first, drop("due")))
    for name, time in (
        ("february", "2027-02-29T00:00Z"),
        ("month", "2027-13-01T00:00Z"),
        ("year", "0000-01-01T00:00Z"),
    ):
        bad(name, "bad-due", f"a day that does not exist: {time}", stating(first, time))
    bad("hour", "bad-entry", "an hour that does not exist", stating(first, "2027-01-01T24:00Z"))
    ended = Played(Sitting("auction", 2, "vectors due", deadline=60)).to_end()
    out.base("view-due-end", 4, "a finished game with deadlines: its last entry has none", ended, ended.view())
    last = with_entry(ended, ended.view(), put("due", "2027-01-01T01:00Z"))
    out.bad("view-due-over", 4, "bad-due", "a deadline after the end", "view-due-end", last)


def due_of_none(out: Vectors, game: Played) -> None:
    """The same in a game without deadlines."""
    start, dealt = game.view(0), game.view(1)
    time = with_entry(game, dealt, put("due", "2027-01-01T01:00Z"))
    out.bad("view-due-unknown", 4, "bad-due", "a deadline where the offer has none", "view-dealt", time)
    late = with_entry(game, game.view(2), lambda e: (e["answers"].pop(), e.update(timeouts=[1])))
    out.bad("view-due-timeout", 6, "bad-round", "a timeout where the offer has no deadline", "view-end", late)
    for name, codes, about, changes in (
        ("grace", "bad-due", "grace without a deadline", {"grace": 5}),
        ("year-and-more", "malformed", "a deadline of more than 365 days", {"deadline": 525_601}),
        ("zero", "malformed", "a deadline of 0, spelt out", {"deadline": 0}),
    ):
        out.bad(f"view-due-{name}", 4, codes, about, "view-start", with_offer(game, start, **changes))
    stage = with_offer(game, start, stage="5" * 64)
    out.good("view-stage", 4, "the offer names the stage of a tournament", "view-start", stage)
    for name, about, text in (("none", "no stage, spelt out", ""), ("other", "a stage that is not an id", "1")):
        out.bad(f"view-stage-{name}", 4, "malformed", about, "view-start", with_offer(game, start, stage=text))
    out.bad(
        "view-kept-false",
        4,
        "malformed",
        "`kept` spelt out as false",
        "view-start",
        with_join(game, start, 0, kept=False),
    )


def kept(out: Vectors) -> None:
    game = Played(Sitting("auction", 3, "vectors kept", kept=[1], deadline=0)).step().step()
    out.base("view-kept", 4, "the host keeps the key of the second seat", game, game.view())
    game = Played(Sitting("auction", 3, "vectors arbiter", arbiter=bytes.fromhex("5" * 64), deadline=0)).step()
    out.base("view-arbiter", 4, "the offer names an arbiter", game, game.view())
