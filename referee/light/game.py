"""A game of common chance in memory, without signatures: the same rounds, questions and draws as the signed game."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from referee.crypto.codec import decoder, encode
from referee.crypto.links import LENGTH
from referee.engine import records as r
from referee.engine.answers import decode_open, split
from referee.engine.rounds import Play, asked
from referee.game import AnySeen, AnyTerms, Game, Note, Seat, Seen
from referee.light.draws import Answered, LightDraws


class Answer(NamedTuple):
    """What a seat answers: a move, or none where it confirms; standing orders from now on, if it gives any; or that it
    leaves the game."""

    move: Any = None
    standing: Any = None
    resign: bool = False


class LightGame:
    """A running game. `log` is the story of the round that was closed last."""

    def __init__(self, game: Game, terms: AnyTerms, chance: bytes) -> None:
        self.game, self.terms = game, terms
        self.draws = LightDraws(chance, game.bags(terms), game.hands, terms.seats)
        self.state = r.State(0, "", r.BookRecord(), missed=(0,) * terms.seats)
        self.public: Any = None
        self.log: tuple[Note, ...] = ()
        self._held: dict[Seat, Answered] = {}

    def seen(self, seat: Seat) -> AnySeen:
        """What a seat may know."""
        return Seen(seat, self.public, self.state.pending, self.draws.known(self.game.hands, seat), self.state.result)

    def close(self, answers: Mapping[Seat, Answer | None]) -> None:
        """Close the open round: every seat that is asked has answered, or missed its deadline (None)."""
        state, number = self.state, self.state.round + 1
        late = {seat for seat, answer in answers.items() if answer is None}
        given = {seat: answer for seat, answer in sorted(answers.items()) if answer is not None}
        asks = asked(state)
        for seat, answer in given.items():
            if answer.move is not None:
                self._held[seat] = answered(self.game, answer.move, asks[seat].sealed)
        after = replace(
            state,
            round=number,
            missed=tuple(0 if seat in given else n + (seat in late) for seat, n in enumerate(state.missed)),
            left=state.left + tuple((seat, number) for seat, answer in given.items() if answer.resign),
            held=tuple(r.Held(seat, number) for seat in sorted(self._held)),
            holding=bool(late),
        )
        play = Play(self.game, self.terms, self._with_standing_orders(given), after)
        if after.left and len(after.left) >= self.terms.seats - 1:
            play.end_left()
        elif not late:
            self.draws.begin(play.actor(), self._held)
            play.run(self.draws, {seat: one.open for seat, one in self._held.items()})
            self._held = {}
        end = play.end or ("void" if number == LENGTH else "")
        held = () if end or not late else after.held
        self.public, self.log = play.public, tuple(play.log)
        self.state = replace(
            after, pending=play.pending, result=play.result, held=held, holding=after.holding and not end, end=end
        )

    def _with_standing_orders(self, given: Mapping[Seat, Answer]) -> Any:
        """The position with the standing orders of these answers; before the first position, only those, by seat."""
        rule = self.game.standing
        if rule is None:
            return self.public
        new = {seat: answer.standing for seat, answer in given.items() if answer.standing is not None}
        if self.public is None:
            nothing = rule.words()
            return tuple(new.get(seat, nothing) for seat in range(self.terms.seats))
        if not new:
            return self.public
        return replace(self.public, standing=tuple(new.get(seat, old) for seat, old in enumerate(self.public.standing)))


def answered(game: Game, move: Any, sealed: Sequence[str]) -> Answered:
    """A move, and the part of it that everybody sees, both as documents would have them."""
    whole, shown = _spelled(game.move, encode(move), tuple(sealed))
    return Answered(whole, decode_open(game, shown, tuple(sealed)) if sealed else whole, tuple(sealed))


@lru_cache(maxsize=1024)
def _spelled(form: type[msgspec.Struct], move: bytes, sealed: tuple[str, ...]) -> tuple[Any, bytes]:
    whole = decoder(form).decode(move)
    return whole, split(whole, sealed)[0]
