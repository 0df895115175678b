"""Vectors of how games end: players who resigned are ranked last, those who are out by timeouts are named."""

from collections.abc import Callable

from tests.support.match import Sitting

from .vector_tools import Played, Vectors, put, ranked, with_entry
from .wire import Json


def ends(out: Vectors) -> None:
    _apart(out)
    _together(out)
    _late(out)


def _leave(game: Played, *seats: int) -> Played:
    """These seats resign in one round, the first in which all of them are asked."""
    while not set(seats) <= set(game.sitting.asked):
        game.step()
    return game.step(leave=seats)


def _result(view: Json) -> Json:
    return view["entries"][-1]["body"]["result"]


def _first(make: Callable[[int], Played], holds: Callable[[Json], bool]) -> Played:
    """The first of these games, each from a different seed, whose result shows what the vector needs."""
    return next(game for game in map(make, range(200)) if holds(_result(game.view())))


def _apart(out: Vectors) -> None:
    """Two of four leave, one after the other; the first of them would have won."""

    def made(seed: int) -> Played:
        game = Played(Sitting("auction", 4, f"vectors ranks {seed}")).until(8)
        return _leave(_leave(game, 2), 1).to_end()

    game = _first(made, lambda result: ranked(result["scores"])["ranks"][2] == 1)
    view, result = game.view(), _result(game.view())
    by_scores = ranked(result["scores"])
    assert (result["ranks"][2], result["ranks"][1]) == (4, 3)
    out.base("view-ranks", 6, "two seats resigned, one after the other: they are last, the leader too", game, view)

    def bad(name: str, codes: str, about: str, *path: Json) -> None:
        out.bad(f"view-ranks-{name}", 6, codes, about, "view-ranks", with_entry(game, view, put("result", *path)))

    bad("by-scores", "rule-broken", "ranks by the scores alone", by_scores)
    friend = [1 if seat == 2 else rank + 1 for seat, rank in enumerate(result["ranks"])]
    bad("friend", "rule-broken", "who resigned first is ranked first", "ranks", friend)
    swapped = [{3: 4, 4: 3}.get(rank, rank) for rank in result["ranks"]]
    bad("earlier", "rule-broken", "who resigned earlier is ranked better", "ranks", swapped)
    equal = [min(rank, 3) for rank in result["ranks"]]
    bad("equal", "rule-broken", "who resigned in different rounds shares a rank", "ranks", equal)
    bad("out", "rule-broken", "who resigned is named as out", "out", [1, 2])


def _together(out: Vectors) -> None:
    """Two of four leave in one round: their scores decide between them."""

    def made(seed: int) -> Played:
        return _leave(Played(Sitting("auction", 4, f"vectors together {seed}")).until(8), 0, 3).to_end()

    game = _first(made, lambda result: result["scores"][0] > max(result["scores"][2:]))
    view, result = game.view(), _result(game.view())
    assert (result["ranks"][0], result["ranks"][3]) == (3, 4)
    out.base("view-ranks-together", 6, "two seats resigned in one round: last, by their scores", game, view)
    turned = [{3: 4, 4: 3}.get(rank, rank) for rank in result["ranks"]]
    document = with_entry(game, view, put("result", "ranks", turned))
    out.bad("view-ranks-turned", 6, "rule-broken", "the other one of them is better", "view-ranks-together", document)


def _late(out: Vectors) -> None:
    """A seat misses two deadlines running, and keeps the place that its scores give."""

    def made(seed: int) -> Played:
        return Played(Sitting("auction", 3, f"vectors out {seed}")).until(10).step(1).step(1).to_end()

    game = _first(made, lambda result: result["ranks"] in ([2, 1, 3], [3, 1, 2]))
    view, result = game.view(), _result(game.view())
    assert result == ranked(result["scores"]) | {"out": [1]}
    out.base("view-out", 6, "a seat is out by timeouts: it keeps its place and is named", game, view)

    def bad(name: str, codes: str, about: str, value: Json) -> None:
        out.bad(f"view-out-{name}", 6, codes, about, "view-out", with_entry(game, view, put("result", value)))

    bad("silent", "rule-broken", "it is not named", ranked(result["scores"]))
    bad("other", "rule-broken", "another seat is named", result | {"out": [0]})
    bad("more", "rule-broken", "a seat that is not out is named too", result | {"out": [0, 1]})
    bad("twice", "rule-broken", "it is named twice", result | {"out": [1, 1]})
    bad("seat-16", "bad-entry", "a seat that no table has", result | {"out": [16]})
    last = [3 if seat == 1 else rank - 1 for seat, rank in enumerate(result["ranks"])]
    bad("last", "rule-broken", "it is ranked last", result | {"ranks": last})
    played = Played(Sitting("auction", 2, "vectors none out")).to_end()
    out.base("view-none-out", 6, "a finished game in which nobody is out", played, played.view())
    spelt = with_entry(played, played.view(), put("result", "out", []))
    out.bad("view-out-default", 2, "bad-entry", "`out` spelt out as empty", "view-none-out", spelt)


def public_views(out: Vectors, game: Played) -> None:
    """Views without a seat, of a game with hidden hands."""

    def public(view: Json) -> Json:
        return {name: value for name, value in view.items() if name not in ("seat", "privates")}

    view, own = public(game.view()), game.view()
    assert own["privates"]
    out.base("view-public", 4, "a public view: no seat, no private parts", game, view)
    out.good("view-public-start", 4, "a public view before the first entry", "view-public", public(game.view(0)))
    out.good("view-public-dealt", 4, "a public view after the deal", "view-public", public(game.view(1)))

    def bad(name: str, codes: str, about: str, document: Json) -> None:
        out.bad(f"view-public-{name}", 8, codes, about, "view-public", document)

    bad("private", "mixed-view", "private parts without a seat", view | {"privates": own["privates"]})
    bad("null", "malformed", "a seat that is null", view | {"seat": None})
    bad("position", "mixed-view", "the position of another round", view | {"public": game.view(1)["public"]})
    bad("seat", "missing-private missing-opening", "a public view made out to a seat", view | {"seat": 0})
    bad("state", "rule-broken", "another state", with_entry(game, view, put("state", "ab" * 32), mend=False))
    link = put("answers", 0, "link", "ab" * 32)
    bad("move", "bad-move", "an answer that its player did not sign", with_entry(game, view, link))
