"""Vectors of common chance: what a view can tell of such a game, and what only the transcript can."""

from tests.support.match import Sitting

from .vector_tools import Played, Vectors, changed, flipped, put, with_entry, with_op
from .wire import Json


def common_chance(out: Vectors, other: Played) -> None:
    game = Played(Sitting("auction", 2, "vectors common", common="deal", deadline=0)).to_end()
    dealt, whole = game.view(1), game.transcript()
    out.base("view-common", 7, "a game of common chance, dealt", game, dealt)
    out.base("transcript-common", 7, "the whole game of common chance", game, whole)
    again = Played(Sitting("auction", 2, "vectors common again", common="deal", deadline=0)).step()
    out.base("view-common-again", 7, "the same deal at another table: the same picks and dice", again, again.view())
    assert [_without_leaves(op) for op in again.view()["entries"][0]["body"]["ops"]] == [
        _without_leaves(op) for op in dealt["entries"][0]["body"]["ops"]
    ]

    def bad(name: str, codes: str, about: str, base: str, document: Json, **more: Json) -> None:
        out.bad(f"{base}-{name}", 7, codes, about, base, document, **more)

    die = next(op for op in dealt["entries"][0]["body"]["ops"] if op["op"] == "die")
    value = die["values"][0]
    elsewhere = 1 + value % die["sides"]
    bad("die-0", "bad-die", "a die shows 0", "view-common", with_op(game, dealt, "die", put("values", 0, 0)))
    bad("die-7", "bad-die", "a die shows one more than it has sides", "view-common",
        with_op(game, dealt, "die", put("values", 0, die["sides"] + 1)))  # fmt: skip
    bad("pick", "bad-pick", "a slot is dealt that is not there", "view-common",
        with_op(game, dealt, "deal", put("slots", 0, "pile.0.99")))  # fmt: skip
    bad("twice", "bad-pick", "a slot is dealt twice", "view-common",
        with_op(game, dealt, "deal", lambda op: op["slots"].append(op["slots"][0])))  # fmt: skip
    first = whole | {"entries": whole["entries"][:1]}
    taken = {slot for op in dealt["entries"][0]["body"]["ops"] for slot in op.get("slots", [])}
    other_slot = next(f"pile.0.{i}" for i in range(9) if f"pile.0.{i}" not in taken)
    bad("die", "bad-ops rule-broken", "another die than the secret gives", "transcript-common",
        with_op(game, first, "die", put("values", 0, elsewhere)))  # fmt: skip
    bad("pick", "bad-ops bad-bag", "another slot than the secret picks", "transcript-common",
        with_op(game, first, "deal", put("slots", 0, other_slot)))  # fmt: skip
    bad("secret", "bad-secret", "another common chance", "transcript-common",
        whole | {"chance": flipped(whole["chance"])})  # fmt: skip
    bad("none", "bad-secret", "no common chance", "transcript-common",
        {name: part for name, part in whole.items() if name != "chance"})  # fmt: skip
    bad("state", "rule-broken", "other counts in the state", "transcript-common",
        with_entry(game, first, put("state", "00" * 32), mend=False))  # fmt: skip
    out.bad("transcript-chance", 7, "bad-secret", "common chance where the offer has none", "transcript-end",
            other.transcript() | {"chance": "00" * 32})  # fmt: skip


def _without_leaves(op: Json) -> Json:
    return changed(op, "leaves", None) if "leaves" in op else op
