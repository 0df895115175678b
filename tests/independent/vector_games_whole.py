"""Vectors of real games of all four kinds with faults before the first round and after the last, and of rounds by
themselves. Which codes are right follows from what was done and from PROTOCOL.md, section 8."""

import copy

import msgspec

from referee.engine import host as hosting
from referee.engine.answers import seen
from referee.engine.dealer import Dealer
from tests.support.match import cheating

from . import wire
from .vector_games import Documents, abandoned, public, swapping
from .vector_games_faults import NOBODY, OPERATIONS, bad, ruled, then
from .vector_tools import (
    Alter,
    Played,
    altered_round,
    drop,
    flipped,
    one_round,
    put,
    signed,
    with_genesis,
    with_offer,
    with_op,
)
from .wire import Json, identity

GOODS = ("potatoes", "coffee", "flour", "butter", "sugar")


def wholes(kit: Documents) -> None:
    geneses(kit)
    transcripts(kit)
    rounds(kit)


def geneses(kit: Documents) -> None:
    game = copy.copy(kit.real.game)
    game.players = kit.real.keys[0]
    view = public(game.view(0))
    terms, sealed = view["genesis"]["body"]["offer"]["body"], view["genesis"]["body"]["leaves"]
    bad(kit, "start", "", "before the first round", view)
    ruled(kit, "options", "bad-edition", "options that are not spelt out", with_offer(game, view, options={}))
    more = with_offer(game, view, edition=terms["edition"] | {"zeal": 1})
    ruled(kit, "edition", "bad-edition", "an edition with a field that this game does not have", more)
    hands = with_genesis(game, view, put("hands", ["zeal"]))
    bad(kit, "hands", "bad-bags", "other hands than this game has", hands, 9)
    if sealed:
        less = with_genesis(game, view, put("leaves", min(sealed), sealed[min(sealed)][:-1]))
        bad(kit, "bag", "bad-bags", f"a token less in `{min(sealed)}`", less, 9)


def transcripts(kit: Documents) -> None:
    real, game, whole, early = kit.real, kit.real.game, kit.whole, kit.early

    def false(name: str, codes: str, about: str, document: Json, **more: Json) -> None:
        kit.add("transcript", name, 8, codes, about, document, **more)

    false("secret", "bad-secret", "another M", early | {"secret": flipped(early["secret"])})
    false("cut", "not-over", "the game goes on", {name: part for name, part in early.items() if name != "abandoned"})
    body = early["abandoned"]["body"]
    other = early | {"abandoned": signed(game.host, "abandonment", body | {"round": body["round"] - 1})}
    false("abandoned-other", "bad-abandonment", "given up in another round", other)
    dealt = abandoned(real, "dealt")
    name, alter = next((op, alter) for op, _, _, _, alter in OPERATIONS if op in _names(dealt["entries"][0]))
    codes = "bad-die" if name == "die" else "bad-pick"
    false(name, codes, "a false draw, and nobody said so", with_op(game, dealt, name, alter))
    if parts := whole.get("sealed", []):
        document = whole | {"sealed": parts[1:]}
        if not document["sealed"]:  # an empty list is not canonical
            del document["sealed"]
        false("sealed-gone", "bad-sealed", "a sealed part is missing", document)
    if whole["genesis"]["body"]["leaves"]:
        false("bag", "bad-bag", "other leaves in a bag than M gives", _false_bag(game, early))
    if real.kind == "schwarzmarkt":
        about = "a player gives away what it does not have, and the host takes it"
        false("illegal", "illegal-move", about, _given_unheld(), needs="rules", without=["bad-ops"])


def _names(entry: Json) -> set[str]:
    return {op["op"] for op in entry["body"].get("ops", [])}


def _false_bag(game: Played, early: Json) -> Json:
    """Two leaves changed their places before the game began; it was given up at once."""
    document = {name: part for name, part in early.items() if name != "sealed"} | {"entries": []}
    name = min(early["genesis"]["body"]["leaves"])
    first, second, *others = early["genesis"]["body"]["leaves"][name]
    document = with_genesis(game, document, put("leaves", name, [second, first, *others]))
    place = identity("genesis", document["genesis"]["body"]).hex()
    word = {"game": place, "round": 0, "entry": place}
    return document | {"abandoned": signed(game.host, "abandonment", word)}


def _given_unheld() -> Json:
    """A swap of goods that are not in the hand; the host gives others."""

    class Blind(Dealer):
        def _given(self, seat: int, field: str, bag: str, count: int) -> tuple[str, ...]:
            return tuple(self.book.content(bag)[:count])

    table = swapping()
    (seat,) = table.asked
    held = {table.match.faces[slot] for slot in table.state.book.bags[f"goods/{seat}"].slots}
    unheld = next(good for good in GOODS if good not in held)
    known = seen(table.table.game, table.state, table.match.checkpoint.public, seat, table.match.faces)
    swap = table.table.game.bots["random"](table.table.terms, known, lambda n: 0)
    file = table.forced(seat, msgspec.structs.replace(swap, give=(unheld,)))
    honest = hosting.judge
    hosting.judge = lambda *_: None
    try:
        with cheating(Blind):
            assert table.give(file).code == "taken"
    finally:
        hosting.judge = honest
    return wire.parse(hosting.reveal(table.match, abandon=True))


# --- rounds by themselves --------------------------------------------------------------------------------------------


def rounds(kit: Documents) -> None:
    real = kit.real
    number, seat = real.at("protest")
    game, _ = then(real, "protest")

    def false(name: str, codes: str, about: str, document: Json, alter: Alter, **more: Json) -> None:
        kit.add("round", name, 8, codes, about, altered_round(game, document, alter), **more)

    document = one_round(real.game, seat, number)
    false("link", "bad-host-link", "another link of the host", document, put("link", NOBODY))
    false("due", "bad-due", "no deadline", document, drop("due"))
    number, seat = real.at("end")
    ending = one_round(real.game, seat, number)
    result = ending["entry"]["body"]["result"]
    turned = result["ranks"][1:] + result["ranks"][:1]
    assert turned != result["ranks"]
    false("ranks", "rule-broken", "other ranks than the scores give", ending, put("result", "ranks", turned))
    best = [[number + 1000 for number in one] for one in result["scores"]]
    about = "all scores are higher, and the ranks as before"
    false("scores", "rule-broken", about, ending, put("result", "scores", best), needs="rules")
    false("left", "rule-broken", "as if all but one had resigned", ending, put("end", "left"))
