"""One round in, one entry out. Pure: the host plays with it, and everybody who verifies runs exactly the same."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from referee.crypto import slots
from referee.crypto.codec import H, derive, encode
from referee.crypto.envelope import ident
from referee.crypto.links import LENGTH
from referee.engine.dealer import Dealer, NeedsSeed
from referee.engine.records import Answer, Bag, Entry, Held, Secret, State, asked, content
from referee.engine.table import Table
from referee.errors import Malformed
from referee.game import Position, Step, seen

OUT_AFTER = 2
"""So many timeouts running put a seat out: it is no longer asked."""


def first_state(table: Table, secret: bytes) -> State[Any]:
    """The state before round 1: bags sealed, nothing dealt, everybody asked for the ack."""
    bags: dict[str, Bag] = {}
    faces: dict[str, str] = {}
    for bag, tokens in table.game.bags(table.terms).items():
        order = slots.arrange(secret, table.hash, bag, 0, tokens)
        names = tuple(slots.slot_id(bag, 0, i) for i in range(len(order)))
        bags[bag] = Bag(0, names)
        faces.update(zip(names, order, strict=True))
    every = range(table.seats)
    return State(
        round=0,
        entry=table.id,
        acc=H("acc0", bytes.fromhex(table.id)).hex(),
        bags=bags,
        faces=faces,
        openings=tuple(() for _ in every),
        missed=tuple(0 for _ in every),
        links=tuple((0, join.tip) for join in table.joins),
        witness=tuple(every),
    )


def out_seats(missed: Sequence[int]) -> tuple[int, ...]:
    return tuple(seat for seat, count in enumerate(missed) if count >= OUT_AFTER)


def who_is_asked(state: State[Any]) -> dict[int, Any]:
    """Seat -> decision, for everybody the open round waits for."""
    return asked(state, out_seats(state.missed))


def accumulate(game: str, number: int, before: str, link: str, links: Mapping[int, str], seats: int) -> bytes:
    """acc[n]: all links so far, shaken together."""
    parts = (bytes.fromhex(links.get(seat, "")) for seat in range(seats))
    return H("acc", bytes.fromhex(game), number, bytes.fromhex(before), bytes.fromhex(link), *parts)


def seed_of(game: str, number: int, acc: bytes) -> bytes:
    return H("seed", bytes.fromhex(game), number, acc)


def decode_move(table: Table, fields: bytes, secret: Secret | None) -> Any:
    """The move from its open and its sealed fields."""
    try:
        merged = msgspec.json.decode(fields)
        if secret is not None:
            merged |= msgspec.json.decode(bytes(secret.fields))
        return msgspec.convert(merged, table.game.move)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, TypeError):
        raise Malformed("the move is not one of this game", "see `referee moves` for the form of a move") from None


def split_move(move: Any, sealed: Sequence[str]) -> tuple[bytes, bytes]:
    """Canonical open and sealed fields of a move."""
    fields: dict[str, Any] = msgspec.to_builtins(move)
    hidden = {name: fields.pop(name) for name in sealed if name in fields}
    return encode(fields), encode(hidden)


class _Play:
    """The part of a round that runs the rules: answers, then fallbacks of seats that are out, as far as it can."""

    def __init__(self, table: Table, state: State[Any], dealer: Dealer, out: tuple[int, ...]) -> None:
        self.table, self.dealer, self.out = table, dealer, out
        self.position: Position[Any, Any, Any] | None = state.position
        self.log: list[str] = []
        self.held: tuple[Held, ...] = ()

    def _took(self, step: Step) -> None:
        self.position = step.position
        self.log.extend(step.log)

    def deal(self) -> None:
        self._took(self.table.game.setup(self.table.terms, self.dealer))

    def answer(self, held: tuple[Held, ...], *, drawing: bool) -> None:
        """Play these answers; without a seed, hold what would need one."""
        before = None if drawing else self.dealer.snapshot()
        try:
            self._apply(held)
        except NeedsSeed:
            assert before is not None
            self.dealer, self.held = before, held

    def _apply(self, held: tuple[Held, ...]) -> None:
        table, position = self.table, self.position
        assert position is not None
        moves = {}
        self.dealer.sealed = {}
        for one in sorted(held, key=lambda held: held.seat):
            if fields := content(one.fields):
                moves[one.seat] = decode_move(table, fields, one.secret)
                if one.secret is not None:
                    self.dealer.sealed[one.seat] = (one.round, one.secret)
            else:
                moves[one.seat] = table.game.fallback(table.terms, seen(position, one.seat))
        self._took(table.game.apply(table.terms, position, moves, self.dealer))

    def go_on(self, number: int, *, drawing: bool) -> None:
        """While only seats that are out would be asked, their fallbacks are played here and now."""
        if len(self.out) == self.table.seats:
            return
        while not self.held and self.position and self.position.pending:
            if any(ask.seat not in self.out for ask in self.position.pending):
                return
            self.answer(tuple(Held(ask.seat, number) for ask in self.position.pending), drawing=drawing)


def close_round(
    table: Table,
    secret: bytes,
    state: State[Any],
    answers: Sequence[Answer],
    secrets: Mapping[int, Secret],
    timeouts: Sequence[int],
    link: str,
) -> tuple[Entry, State[Any]]:
    """Close the open round with these answers (already judged) and timeouts; `link` is the host's r[n]."""
    number = state.round + 1
    links = {answer.seat: answer.link for answer in answers}
    acc = accumulate(table.id, number, state.acc, link, links, table.seats)
    missed = tuple(0 if seat in links else count + (seat in timeouts) for seat, count in enumerate(state.missed))
    out = out_seats(missed)
    drawing = not timeouts
    seed = seed_of(table.id, number, acc) if drawing else None
    play = _Play(table, state, Dealer(secret, table.hash, state.bags, state.faces, table.seats, seed), out)
    if number == 1:
        play.deal()
    else:
        held = state.held if state.witness else _gather(state, number, answers, secrets)
        if not drawing and (state.witness or any(ask.sealed for ask in state.ask)):
            # Sealed answers are held in any case: whether they lead to a draw would tell what they are.
            play.held = held
        else:
            play.answer(held, drawing=drawing)
    play.go_on(number, drawing=drawing)
    dealer, position = play.dealer, play.position
    assert position is not None

    silent = tuple(sorted({*state.silent, *timeouts})) if play.held else ()
    witness = tuple(s for s in range(table.seats) if s not in silent and s not in out) if play.held else ()
    entry = Entry(
        game=table.id,
        round=number,
        prev=state.entry,
        answers=tuple(answers),
        link=link,
        public=table.public_hash(number, encode(position.public)),
        full=full_hash(table, secret, number, position),
        timeouts=tuple(timeouts),
        ops=tuple(dealer.ops),
        log=tuple(play.log),
        ask=position.pending,
        out=out,
        witness=witness,
        result=position.result,
    )
    end = _end(entry, stuck=bool(play.held) and not witness)
    entry = msgspec.structs.replace(entry, end=end)
    return entry, State(
        round=number,
        entry=ident("entry", encode(entry)),
        acc=acc.hex(),
        position=position,
        bags=dealer.bags,
        faces=dealer.faces,
        openings=tuple(old + tuple(new) for old, new in zip(state.openings, dealer.openings, strict=True)),
        missed=missed,
        links=tuple((number, links[s]) if s in links else old for s, old in enumerate(state.links)),
        ask=entry.ask,
        witness=witness,
        silent=silent,
        held=play.held,
        end=end,
    )


def _gather(
    state: State[Any], number: int, answers: Sequence[Answer], secrets: Mapping[int, Secret]
) -> tuple[Held, ...]:
    """What a round leads to: the answers that came, and the fallback of every other seat that had to decide."""
    given = {a.seat: Held(a.seat, number, a.answer, secrets.get(a.seat)) for a in answers}
    return tuple(given.get(ask.seat, Held(ask.seat, number)) for ask in state.ask)


def _end(entry: Entry, *, stuck: bool) -> str:
    if entry.result is not None:
        return "result"
    if stuck or not asked(entry, entry.out):
        return "rests"
    return "void" if entry.round == LENGTH else ""


def full_hash(table: Table, secret: bytes, number: int, position: Position[Any, Any, Any]) -> str:
    """Salted commitment to the whole position."""
    salt = derive(secret, "full", bytes.fromhex(table.id), number)
    return H("full", bytes.fromhex(table.id), number, salt, encode(position)).hex()
