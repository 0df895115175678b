"""Files that somebody changed, or that a host signed wrongly, each with the code of PROTOCOL.md that names it."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from referee import games
from referee.crypto.codec import decode, encode, read
from referee.crypto.envelope import sign
from referee.engine import records as r
from referee.engine.rounds import Closed
from referee.engine.table import Table
from tests.support.match import Sitting, change_entry, cheating, lied

Json = Any
File = tuple[str, str, bytes]
"""What was done, the code, the file."""


def spelled(value: Json) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def changed(data: bytes, change: Callable[[Json], Any]) -> bytes:
    """A file in which somebody without any key changed something."""
    value = json.loads(data)
    change(value)
    return spelled(value)


def flipped(text: str) -> str:
    return ("1" if text[0] == "0" else "0") + text[1:]


def flip(value: Json, *path: Any) -> None:
    for step in path[:-1]:
        value = value[step]
    value[path[-1]] = flipped(value[path[-1]])


# --- changed by anybody ----------------------------------------------------------------------------------------------


def altered_views(view: bytes, at: int) -> Iterator[File]:
    """A view of somebody who was told something in round 1, with more than `at` rounds."""
    yield "cut off", "malformed", view[:-20]
    yield "with blanks", "malformed", view.replace(b'":', b'": ', 1)
    yield "with another member", "malformed", changed(view, lambda v: v.update(more=1))
    yield "with a member twice", "malformed", view[:-1] + b',"seat":0}'
    yield "with a number that is none", "malformed", changed(view, lambda v: v.update(seat=0.5))
    yield "of another kind", "wrong-kind", changed(view, lambda v: v.update(format="pbem-referee/1/views"))
    yield "genesis signed by nobody", "bad-signature", changed(view, lambda v: flip(v, "genesis", "sig"))
    yield (
        "another player's name", "bad-signature",
        changed(view, lambda v: v["genesis"]["body"]["joins"][1]["body"].update(name="Berta")),
    )  # fmt: skip
    yield "entry signed by nobody", "bad-signature", changed(view, lambda v: flip(v, "entries", at, "sig"))
    yield "entry changed", "bad-signature", changed(view, lambda v: flip(v, "entries", at, "body", "link"))
    yield "entry left out", "altered-chain", changed(view, lambda v: v["entries"].pop(at))
    yield "entries swapped", "altered-chain", changed(view, lambda v: v["entries"].insert(at, v["entries"].pop(at - 1)))
    yield "entry twice", "altered-chain", changed(view, lambda v: v["entries"].insert(at, v["entries"][at]))
    yield "what was told left out", "missing-private", changed(view, lambda v: v.pop("privates"))
    yield (
        "what was told changed",
        "bad-signature",
        changed(view, lambda v: v["privates"][0]["body"]["openings"][0].update(face="other")),
    )
    yield "told twice", "mixed-view", changed(view, lambda v: v["privates"].append(v["privates"][0]))
    yield "for another seat", "mixed-view", changed(view, lambda v: v.update(seat=1))
    yield "for a seat that does not exist", "mixed-view", changed(view, lambda v: v.update(seat=9))
    yield "another position", "mixed-view", changed(view, lambda v: v["public"].update(turn=99))
    yield "no position", "mixed-view", changed(view, lambda v: v.pop("public"))


def without_end(file: Json) -> None:
    file["entries"].pop()
    file["sealed"] = [one for one in file["sealed"] if one["round"] <= len(file["entries"])]


def resalted(file: Json) -> None:
    flip(next(iter(file["sealed"][0]["fields"].values())), "salt")


def altered_transcripts(data: bytes) -> Iterator[File]:
    """A transcript of a game with sealed answers."""
    yield "another secret", "bad-secret", changed(data, lambda v: flip(v, "secret"))
    yield "a secret of common chance", "bad-secret", changed(data, lambda v: v.update(chance="0" * 64))
    yield "without its end", "not-over", changed(data, without_end)
    yield "a sealed answer left out", "bad-sealed", changed(data, lambda v: v["sealed"].pop())
    yield "no sealed answers", "bad-sealed", changed(data, lambda v: v.pop("sealed"))
    yield "a sealed answer twice", "bad-sealed", changed(data, lambda v: v["sealed"].append(v["sealed"][0]))
    yield (
        "a sealed answer of nobody",
        "bad-sealed",
        changed(data, lambda v: v["sealed"].append({**v["sealed"][0], "round": 1})),
    )
    yield "another salt", "bad-sealed", changed(data, resalted)
    yield "entry signed by nobody", "bad-signature", changed(data, lambda v: flip(v, "entries", 3, "sig"))
    yield "cut off", "malformed", data[:-1]


# --- signed by the host ----------------------------------------------------------------------------------------------


def entries_with(sitting: Sitting, kind: type) -> Iterator[tuple[int, int, Any]]:
    """Round, place and operation."""
    for number, envelope in enumerate(sitting.match.entries, 1):
        entry = msgspec.json.decode(envelope.body, type=r.Entry)
        yield from ((number, at, op) for at, op in enumerate(entry.ops) if isinstance(op, kind))


def with_op(sitting: Sitting, number: int, at: int, op: Any, seat: int = 0) -> bytes:
    entry = msgspec.json.decode(sitting.match.entries[number - 1].body, type=r.Entry)
    ops = (*entry.ops[:at], op, *entry.ops[at + 1 :])
    return change_entry(sitting.host, sitting.view(seat), number, ops=ops)


def replace(value: Any, /, **changes: Any) -> Any:
    return msgspec.structs.replace(value, **changes)


def false_draws(bags: Sitting, dice: Sitting) -> Iterator[File]:
    """Draws of another outcome: `bags` is a game with tokens, `dice` one with dice and sealed answers."""
    number, at, die = next(entries_with(dice, r.Die))
    other = (die.values[0] % die.sides + 1, *die.values[1:])
    yield "another die", "bad-die", with_op(dice, number, at, replace(die, values=other))
    number, at, deal = next(entries_with(bags, r.Deal))
    yield "other tokens dealt", "bad-pick", with_op(bags, number, at, replace(deal, slots=deal.slots[::-1]))
    number, at, take = next(entries_with(bags, r.Take))
    yield "other tokens taken", "bad-pick", with_op(bags, number, at, replace(take, tokens=take.tokens[::-1]))
    token = take.tokens[0]
    face = next(one for one in ("red", "blue") if one != token.face)
    lies = (replace(token, face=face), *take.tokens[1:])
    yield "a token of another face", "bad-opening", with_op(bags, number, at, replace(take, tokens=lies))
    lies = (replace(token, salt=flipped(token.salt)), *take.tokens[1:])
    yield "a token with another salt", "bad-opening", with_op(bags, number, at, replace(take, tokens=lies))
    number, at, shown = next(entries_with(dice, r.Unseal))
    name, secret = next(iter(shown.fields.items()))
    lie = {**shown.fields, name: replace(secret, value=msgspec.Raw(b"77"))}
    yield "another sealed value", "bad-shown", with_op(dice, number, at, replace(shown, fields=lie))
    lie = {**shown.fields, name: replace(secret, salt=flipped(secret.salt))}
    yield "a sealed value with another salt", "bad-shown", with_op(dice, number, at, replace(shown, fields=lie))


def short_pile() -> Sitting:
    """A game of few cards: its pile has run out, and is drawn from what was put under it."""
    edition = read(games.edition_bytes("schwarzmarkt"), games.load("schwarzmarkt").edition, "edition")
    return Sitting("schwarzmarkt", 3, "top", edition=replace(edition, offers=edition.offers[:6])).until(40)


def not_on_top(pile: Sitting) -> Iterator[File]:
    """Tokens that come without a draw: the next of the tail, and no other."""
    rounds = pile.opened(0).chain.rounds
    for number, at, deal in entries_with(pile, r.Deal):
        bag = rounds[number - 2].checkpoint.state.book.bags.get(deal.bag) if number > 1 else None
        if bag is not None and not bag.slots and len(bag.tail) > 1 and deal.slots == bag.tail[:1]:
            lower = replace(deal, slots=bag.tail[-1:])
            yield "a token dealt that does not lie on top", "bad-pick", with_op(pile, number, at, lower)
            return


def held_back() -> Iterator[File]:
    """Of a game at whose end somebody had tokens left."""
    for seed in range(40):
        over = Sitting("schwarzer-freitag", 4, f"held back {seed}").to_end()
        for number, at, out in entries_with(over, r.LayOutAll):
            if out.tokens and not out.face:
                less = replace(out, tokens=out.tokens[1:])
                yield "a token held back", "withheld", with_op(over, number, at, less)
                return


def resealed(cards: Sitting) -> Iterator[File]:
    number, at, shuffle = next(one for one in entries_with(cards, r.Shuffle) if len(one[2].leaves) > 1)
    fewer = replace(shuffle, leaves=shuffle.leaves[1:])
    yield "fewer tokens resealed", "bad-shuffle", with_op(cards, number, at, fewer)


def false_entries(sitting: Sitting, at: int) -> Iterator[File]:
    """Entries that the host signed with something else in them; `at` is a round with an answer."""
    view, host = sitting.view(0), sitting.host
    entry = msgspec.json.decode(sitting.match.entries[at - 1].body, type=r.Entry)
    answer = entry.answers[0]

    def made(**changes: Any) -> bytes:
        return change_entry(host, view, at, **changes)

    def answered(**changes: Any) -> bytes:
        return made(answers=(replace(answer, **changes), *entry.answers[1:]))

    def written(change: Callable[[Json], Any]) -> bytes:
        """Not even in the form of an entry."""
        file, body = json.loads(view), json.loads(bytes(sitting.match.entries[at - 1].body))
        change(body)
        file["entries"][at - 1] = json.loads(encode(sign(host, "entry", msgspec.Raw(spelled(body)))))
        file["entries"] = file["entries"][:at]
        return spelled(file)

    yield "another link of the host", "bad-host-link", made(link=flipped(entry.link))
    yield "after another entry", "broken-chain", written(lambda body: flip(body, "prev"))
    yield "of another round", "altered-chain", made(round=at + 1)
    yield "of another game", "altered-chain", made(game=flipped(entry.game))
    yield "an answer changed", "bad-move", answered(answer=msgspec.Raw(b"{}"))
    yield "an answer signed by nobody", "bad-move", answered(sig=flipped(answer.sig))
    yield "an answer with another link", "bad-move", answered(link=flipped(answer.link))
    yield "an answer of another seat", "bad-move", answered(seat=(answer.seat + 1) % 3)
    yield "an answer left out", "bad-round", made(answers=entry.answers[1:])
    yield "somebody late who was not asked", "bad-round", made(timeouts=((answer.seat + 1) % 3,))
    yield "no deadline where there is one", "bad-due", made(due="")
    yield "another state", "rule-broken", made(state=flipped(entry.state))
    yield "a member that no entry has", "bad-entry", written(lambda body: body.update(more=1))
    yield "a round that is not a number", "bad-entry", written(lambda body: body.update(answers=7))


def false_privates(sitting: Sitting) -> Iterator[File]:
    """What the host tells a seat, re-signed."""
    view = sitting.view(0)
    told = decode(bytes(decode(view, r.View, "view").privates[0].body), r.Private, "private")
    first, *rest = told.openings

    def made(**changes: Any) -> bytes:
        file = decode(view, r.View, "view")
        again = sign(sitting.host, "private", replace(told, **changes))
        return encode(replace(file, privates=(again, *file.privates[1:])))

    yield "told of another entry", "false-private", made(entry=flipped(told.entry))
    yield "one token not told", "missing-opening", made(openings=tuple(rest))
    face = next(one for one in ("red", "blue") if one != first.face)
    yield "a false face told", "bad-opening", made(openings=(replace(first, face=face), *rest))
    yield "told another seat", "mixed-view", made(seat=1)
    yield "told of a later round", "mixed-view", made(round=299)


def against_the_rules(sitting: Sitting) -> bytes:
    """A view of a game in which the host then makes silver in a way that no rule allows: everything but the rules
    holds."""

    def richer(table: Table, closed: Closed) -> Closed:
        public = closed.checkpoint.public
        return lied(table, closed, replace(public, silver=public.silver + 1))

    with cheating(lie=richer):
        sitting.step()
    return sitting.view(0)


def all_files() -> Iterator[tuple[str, str, str, bytes]]:
    """Kind, what was done, the code, the file."""
    bags = Sitting("schwarzer-freitag", 3, "tampered").until(8)
    dice = Sitting("mark", 3, "tampered").to_end()
    cards = Sitting("schwarzmarkt", 3, "tampered").until(12)
    views = (
        *altered_views(bags.view(0), 4), *false_draws(bags, dice), *held_back(), *resealed(cards),
        *not_on_top(short_pile()), *false_entries(bags, 3),
        *false_privates(bags),
    )  # fmt: skip
    yield from (("view", *one) for one in views)
    yield from (("transcript", *one) for one in altered_transcripts(dice.transcript()))
