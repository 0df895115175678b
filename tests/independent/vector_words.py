"""Vectors of standing orders: in every kind of round, taken back, and all that a host can do to them."""

import copy
from typing import Any

from referee.games.auction import Words

from tests.support.match import Sitting

from .vector_tools import Played, Vectors, drop, put, with_entry, with_move
from .wire import H, Json, canonical, identity

NOTHING: Json = {}
ROUNDS = (
    (1, "one seat says words with its ack"),
    (2, "a timeout closes the round: nothing is played, but what was said holds"),
    (3, "the late seat sends a bare link with words, and the round is played"),
    (4, "words with a decision of one seat alone"),
    (5, "words are taken back"),
)


def played() -> Played:
    """Three players who say something in each of the first five rounds; the rest as bots like."""
    game = Played(Sitting("auction", 3, "vectors words"))
    game.step(words={1: Words(4)})
    game.step(2, words={0: Words(1)})
    game.step(words={0: Words(2), 2: Words(3)}, bare=(2,))
    (raider,) = game.sitting.asked
    game.step(words={raider: Words(0)})
    game.step(words={1: Words()})
    return game.to_end()


def standing_orders(out: Vectors) -> None:
    game = played()
    out.base("view-words", 9, "a game with standing orders", game, game.view())
    for number, about in ROUNDS:
        view = game.view(number)
        assert any("standing" in answer for answer in view["entries"][-1]["body"]["answers"])
        out.good(f"view-words-{number:02}", 9, about, "view-words", view)
    _answers(out, game)
    _positions(out, game)


def _answers(out: Vectors, game: Played) -> None:
    """Words in answers that are not what was signed, or of the wrong form."""
    ack, late, play = game.view(1), game.view(2), game.view(5)

    def bad(name: str, codes: str, about: str, document: Json, **more: Json) -> None:
        out.bad(f"view-words-{name}", 9, codes, about, "view-words", document, **more)

    bad("struck", "bad-move", "words struck out of an ack", with_move(game, ack, 1, drop("standing"), sign=False))
    bad("added", "bad-move", "words nobody said", with_move(game, ack, 0, put("standing", {"bid": 1}), sign=False))
    bad("other", "bad-move", "other words than were said", with_move(game, late, 0, put("standing", {}), sign=False))
    leaves = {"resign": True, "standing": {"bid": 1}}
    bad(
        "resign",
        "bad-round",
        "words with a resignation",
        with_move(game, play, 0, lambda a: (a.pop("answer"), a.update(leaves))),
    )
    for name, words in (
        ("unknown", {"raid": 1}),
        ("type", {"bid": "much"}),
        ("bounds", {"bid": 1001}),
        ("default", {"bid": None}),
        ("list", []),
        ("null", None),
        ("number", 3),
    ):
        about = f"words that are none of this game: {canonical(words).decode()}"
        bad(f"bad-{name}", "rule-broken", about, with_move(game, play, 1, put("standing", words)))
    deep: Json = []
    for _ in range(64):
        deep = [deep]
    bad("deep", "bad-entry", "words that are nested too deep", with_move(game, play, 1, put("standing", deep)))
    bad(
        "signed-other",
        "rule-broken",
        "other words, signed by their player, but the position has the first",
        with_move(game, ack, 1, put("standing", {"bid": 5})),
    )
    bad(
        "signed-none",
        "rule-broken",
        "no words, signed by their player, but the position has some",
        with_move(game, ack, 1, drop("standing")),
        needs="rules",
    )


def _positions(out: Vectors, game: Played) -> None:
    """Positions that have other words than were said, with hashes that fit."""
    view, held = game.view(1), game.view(2)

    def bad(name: str, about: str, document: Json, **more: Json) -> None:
        out.bad(f"view-words-position-{name}", 9, "rule-broken", about, "view-words", document, **more)

    bad("lost", "the words of an ack are not in the position", with_position(game, view, put("standing", 1, NOTHING)))
    bad("kept", "the words before are kept", with_position(game, held, put("standing", 0, NOTHING)))
    bad("short", "words of two seats", with_position(game, view, lambda public: public["standing"].pop()))
    bad("gone", "no words at all", with_position(game, view, drop("standing")))
    bad(
        "invented",
        "words of a seat that said none",
        with_position(game, view, put("standing", 0, {"bid": 1})),
        needs="rules",
    )
    bad(
        "held-money",
        "a round with a timeout and words changes something else",
        with_position(game, held, put("money", 0, 11)),
        needs="rules",
    )
    again = _said_twice()
    bad_twice = with_position(again, again.view(), put("money", 0, 11))
    out.base("view-words-twice", 9, "words, and other words in a round with a timeout", again, again.view())
    about = "a round with a timeout and other words changes something else"
    out.bad("view-words-twice-money", 9, "rule-broken", about, "view-words-twice", bad_twice)


def _said_twice() -> Played:
    game = Played(Sitting("auction", 3, "vectors words"))
    return game.step(words={0: Words(4)}).step(words={1: Words(1)}).until("play").step(2, words={0: Words(5)})


def with_position(game: Played, view: Json, alter: Any) -> Json:
    """Another position after the newest entry, signed by the host."""
    view = copy.deepcopy(view)
    alter(view["public"])
    entry = view["entries"][-1]["body"]
    game_id = identity("genesis", view["genesis"]["body"])
    return with_entry(game, view, put("public", H("public", game_id, entry["round"], canonical(view["public"])).hex()))
