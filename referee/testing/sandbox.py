"""A game in memory, without signatures and files. Every step is dealt once and read back by every seat."""

import hashlib
from collections.abc import Mapping
from copy import copy
from typing import Any

import msgspec

from referee.crypto import slots
from referee.engine import records as r
from referee.engine.answers import decode_open, split
from referee.engine.book import Book, first_book, known
from referee.engine.dealer import Dealer
from referee.engine.draws import Calls, Source, commitments
from referee.engine.reader import Owner, Reader
from referee.game import LINK, Ask, Game, Note, Result, Seen, Step, Terms

GAME_ID = "00" * 32


class Sandbox:
    """A running game: `public`, `pending`, `result`, and what each seat sees of it."""

    def __init__(
        self,
        game: Game,
        terms: Terms[object, object],
        seed: str = "",
        *,
        read: bool = True,
        words: Mapping[int, object] | None = None,
    ) -> None:
        """`words` are the standing orders that seats give with their ack; with `read` each seat reads steps back."""
        self.game, self.terms, self.seats = game, terms, terms.seats
        self.secret = hashlib.sha256(f"secret {seed}".encode()).digest()
        self.seating = hashlib.sha256(f"seating {seed}".encode()).digest()
        bags = game.bags(terms)
        self.faces, leaves = slots.seal_all(self.secret, self.seating, bags)
        self.book = first_book(leaves, bags, game.hands)
        self.owners = [Owner(seat, {}) for seat in range(self.seats)] if read else []
        self.number = 1
        self.log: list[Note] = []
        self.ops: tuple[r.Op, ...] = ()
        self.public: Any = None
        self.pending: tuple[Ask, ...] = ()
        self.result: Result | None = None
        self._say(words or {})
        self._play({}, {})

    def fork(self) -> "Sandbox":
        """A copy that can be continued in another way; nobody reads it back."""
        twin = copy(self)
        twin.owners, twin.log = [], list(self.log)
        return twin

    def seen(self, seat: int) -> Seen[Any]:
        """What a seat may know now."""
        tokens = known(self.book, self.game.hands, seat, self.faces)
        return Seen(seat, self.public, self.pending, tokens, self.result)

    def answer(
        self, moves: Mapping[int, object], *, words: Mapping[int, object] | None = None, check: bool = True
    ) -> tuple[Note, ...]:
        """Play one round: a move for each seat asked, None for a missed deadline or a confirmation; `words` are the
        standing orders that come with the answers. Returns the log of the round."""
        self.number += 1
        held, secrets = {}, {}
        for ask in self.pending:
            move = moves.get(ask.seat)
            if move is None:
                continue
            assert ask.what != LINK, "a confirmation has no move"
            if check:
                self.game.check(self.terms, self.seen(ask.seat), move)
            fields, hidden = split(move, ask.sealed)
            salted = {name: r.Secret(self._salt(name), msgspec.Raw(value)) for name, value in hidden.items()}
            secrets[self.number, ask.seat] = salted
            commit = commitments(GAME_ID, self.number, ask.seat, salted)
            held[ask.seat] = r.Held(ask.seat, self.number, msgspec.Raw(fields), commit)
        self._say(words or {})
        return self._play(held, secrets)

    def _say(self, words: Mapping[int, object]) -> None:
        """Pass standing orders to the rules: in the position, or before there is one to `setup`."""
        self.words: tuple[object, ...] = ()
        if self.game.standing is None:
            assert not words, "this game has no standing orders"
            return
        if self.public is None:
            self.words = tuple(words.get(seat, self.game.standing.words()) for seat in range(self.seats))
        elif words:
            orders = tuple(words.get(seat, old) for seat, old in enumerate(self.public.standing))
            self.public = msgspec.structs.replace(self.public, standing=orders)

    def _salt(self, name: str) -> str:
        return hashlib.sha256(f"{name} {self.number}".encode()).hexdigest()

    def _play(self, held: Mapping[int, r.Held], secrets: Mapping[tuple[int, int], r.Secrets]) -> tuple[Note, ...]:
        seed = hashlib.sha256(self.seating + self.number.to_bytes(4, "big")).digest()
        book = Book(self.book, self.game.hands, self.seats)
        source = Source(self.game, GAME_ID, self.seating, book, seed, held)
        dealer = Dealer(source, self.secret, self.faces, secrets)
        step = self._run(held, dealer)
        record = book.record()
        for owner in self.owners:
            owner.openings = list(dealer.openings.get(owner.seat, ()))
            owner.sealed = {number: fields for (number, seat), fields in secrets.items() if seat == owner.seat}
            mirror = Book(self.book, self.game.hands, self.seats)
            reader = Reader(source._replace(book=mirror), tuple(dealer.ops), owner)
            again = self._run(held, reader)
            assert not owner.openings, "a seat was told tokens that it did not get"
            assert again == step, "the rules gave another step when it was read back"
            assert mirror.record() == record, "the book is another one when it is read back"
        self.book, self.faces, self.ops = record, dealer.faces, tuple(dealer.ops)
        self.public, self.pending, self.result = step.public, step.pending, step.result
        self.log += step.log
        return step.log

    def _run(self, held: Mapping[int, r.Held], draws: Calls) -> Step:
        if self.number == 1:
            step = self.game.start(self.terms, draws, self.words)
        else:
            moves: dict[int, object] = {ask.seat: None for ask in self.pending}
            for ask in self.pending:
                if ask.seat in held:
                    moves[ask.seat] = decode_open(self.game, r.content(held[ask.seat].answer), ask.sealed)
            step = self.game.apply(self.terms, self.public, self.pending, moves, draws)
        draws.finish()
        return step
