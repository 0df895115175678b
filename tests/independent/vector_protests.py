"""Vectors of protests, and of games that their host abandons."""

from typing import Any

from tests.support.match import Sitting

from . import wire
from .vector_tools import Played, Vectors, put, signed, with_entry
from .wire import Json


def protests(out: Vectors) -> None:
    """The second of three seats is timed out in round 2, and protests in round 3."""
    game, view = _protesting("vectors protest")
    out.base("view-protest", 6, "a seat that was timed out protests in its next answer", game, view)

    def bad(name: str, codes: str, about: str, document: Json) -> None:
        out.bad(f"view-protest-{name}", 6, codes, about, "view-protest", document)

    unsigned = put("answers", 1, "protest", "22" * 32)
    bad("altered", "bad-move", "another id than was signed", with_entry(game, view, unsigned))
    bad("gone", "bad-move", "the protest is left out", with_entry(game, view, lambda e: e["answers"][1].pop("protest")))
    bad("empty", "bad-entry", "no protest, spelt out", with_entry(game, view, put("answers", 0, "protest", "")))
    bad("short", "bad-entry", "this is not an id", with_entry(game, view, put("answers", 1, "protest", "22")))
    bad("nothing", "bad-round", "a seat protests that was not timed out", _signed_in(game, view, 0))
    first = game.view(1)
    bad("ack", "bad-round", "a protest with the ack", _signed_in(game, first, 1))
    _, own = _protesting("vectors protest kept", kept=[1], wrong=True)
    out.bad("view-protest-kept", 6, "bad-round", "the host keeps the key of the seat that protests", "view-kept", own)


def _protesting(seed: str, *, wrong: bool = False, **how: Any) -> tuple[Played, Json]:
    """A game in which seat 2 protests in round 3; where it may not, its host takes that all the same."""
    game = Played(Sitting("auction", 3, seed, **how)).step()
    earlier = game.sitting.signed(1)
    game.step(1)
    name = wire.identity("move", wire.parse(earlier)["body"]).hex()
    if wrong:
        game.step(bare=(1,))
        return game, _signed_in(game, game.view(), 1, name)
    sitting = game.sitting
    for seat in sitting.asked:
        more = {"protest": name} if seat == 1 else {"standing": None}
        assert sitting.give(sitting.signed(seat, **more)).error is None
    game._note()
    return game, game.view()


def _signed_in(game: Played, view: Json, seat: int, name: str = "22" * 32) -> Json:
    """The newest entry, in which this seat protests; it signed that."""

    def change(entry: Json) -> None:
        answer = next(one for one in entry["answers"] if one["seat"] == seat)
        answer["protest"] = name
        move = {field: value for field, value in answer.items() if field != "sig"}
        move |= {"asked": entry["prev"], "game": entry["game"], "round": entry["round"]}
        answer["sig"] = signed(game.players[seat], "move", move)["sig"]

    return with_entry(game, view, change)


def abandonments(out: Vectors) -> None:
    game = Played(Sitting("auction", 2, "vectors", deadline=0)).until(3)
    whole = _abandoned(game)
    out.base("transcript-abandoned", 8, "a game that its host abandoned after three rounds", game, whole)
    nothing = Played(Sitting("auction", 2, "vectors", deadline=0))
    out.good("transcript-abandoned-first", 8, "... before the first round", "transcript-abandoned", _abandoned(nothing))
    word, place = whole["abandoned"], whole["abandoned"]["body"]

    def bad(name: str, codes: str, about: str, given: Json, document: Json = whole) -> None:
        out.bad(
            f"transcript-abandoned-{name}", 8, codes, about, "transcript-abandoned", document | {"abandoned": given}
        )

    def by(seed: bytes, **changes: Json) -> Json:
        return signed(seed, "abandonment", place | changes)

    bad("player", "bad-signature", "a player's word, not the host's", by(game.players[0]))
    bad("round", "bad-abandonment", "another round", by(game.host, round=2))
    bad("entry", "bad-abandonment", "another entry", by(game.host, entry=place["game"]))
    bad("game", "bad-abandonment", "another game", by(game.host, game="00" * 32))
    bad("unknown", "malformed", "an unknown field", by(game.host, zeal=1))
    bad("kind", "wrong-kind", "another kind", word | {"type": wire.PREFIX + "entry"})
    bad("null", "malformed", "no word, spelt out", None)
    ended = Played(Sitting("auction", 2, "vectors", deadline=0)).to_end()
    here = by(game.host, round=ended.sitting.round, entry=ended.sitting.match.checkpoint.head)
    bad("end", "bad-abandonment", "the game has ended", here, ended.transcript())
    cut = {name: value for name, value in whole.items() if name != "abandoned"}
    out.bad("transcript-abandoned-unsaid", 8, "not-over", "nobody abandoned it", "transcript-abandoned", cut)


def _abandoned(game: Played) -> Json:
    from referee.engine.host import reveal

    twin = game.sitting.fork()
    return wire.parse(reveal(twin.match, abandon=True))
