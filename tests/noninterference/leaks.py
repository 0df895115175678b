"""Leaks to be planted: small variations of the engine or of a game, each telling a player what it must not know."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from referee import games
from referee.crypto import slots
from referee.crypto.codec import encode
from referee.engine import dealer, rounds, turn, view
from referee.engine.records import Token
from referee.errors import IllegalMove, WrongTurn
from referee.game import Ask, Choice, Game, Position, Step, ask_of, seen

Leak = Callable[[ExitStack], None]
LEAKS: dict[str, tuple[str, Leak]] = {}
"""Name -> the game it is planted in, and what plants it."""


def plant(game_id: str) -> Callable[[Leak], Leak]:
    def keep(leak: Leak) -> Leak:
        LEAKS[leak.__name__] = game_id, leak
        return leak

    return keep


@contextmanager
def planted(name: str) -> Iterator[None]:
    with ExitStack() as stack:
        LEAKS[name][1](stack)
        yield


def change_game(stack: ExitStack, **changes: Callable[[Any], Any]) -> None:
    """Every game is loaded with these functions wrapped."""
    real = games.load

    def load(game_id: str) -> Game:
        game = real(game_id)
        return replace(game, **{name: wrap(getattr(game, name)) for name, wrap in changes.items()})

    stack.enter_context(patch.object(games, "load", load))


def change_steps(stack: ExitStack, change: Callable[[Step, Any], Step]) -> None:
    """What `apply` returns is changed; the change may use the draws too."""

    def wrap(real: Callable[..., Step]) -> Callable[..., Step]:
        return lambda terms, position, answers, draws: change(real(terms, position, answers, draws), draws)

    change_game(stack, apply=wrap)


def peeking(stack: ExitStack, module: Any) -> list[Position[Any, Any, Any]]:
    """Lets a function that is given a `Seen` look at the whole position: the last element."""
    last: list[Position[Any, Any, Any]] = []

    def look(position: Position[Any, Any, Any], seat: int) -> Any:
        last.append(position)
        return seen(position, seat)

    stack.enter_context(patch.object(module, "seen", look))
    return last


def beside(position: Position[Any, Any, Any], seat: int) -> str:
    """What the next player holds."""
    return encode(position.own[(seat + 1) % len(position.own)]).decode()


def anybody(position: Position[Any, Any, Any]) -> int:
    """A number that depends on everybody's own part."""
    return sum(encode(position.own))


# --- planted in a game -----------------------------------------------------------------------------------------------


@plant("schwarzer-freitag")
def legal_moves_peek(stack: ExitStack) -> None:
    last = peeking(stack, view)

    def wrap(real: Any) -> Any:
        return lambda terms, view: (*real(terms, view), Choice("end", None, beside(last[-1], view.seat)))

    change_game(stack, legal=wrap)


@plant("schwarzer-freitag")
def fewer_legal_moves(stack: ExitStack) -> None:
    """The moves listed are right, but one is left out if another player holds the wrong thing."""
    last = peeking(stack, view)

    def wrap(real: Any) -> Any:
        return lambda terms, view: tuple(real(terms, view))[anybody(last[-1]) % 2 :]

    change_game(stack, legal=wrap)


@plant("schwarzer-freitag")
def error_names_a_hand(stack: ExitStack) -> None:
    last = peeking(stack, turn)

    def wrap(real: Any) -> Any:
        def check(terms: Any, view: Any, move: Any) -> None:
            try:
                real(terms, view, move)
            except IllegalMove as error:
                raise IllegalMove(error.clause, f"{beside(last[-1], view.seat)} is held") from None

        return check

    change_game(stack, check=wrap)


@plant("schwarzer-freitag")
def error_of_another_kind(stack: ExitStack) -> None:
    """Same words, another exit status."""
    last = peeking(stack, turn)

    def wrap(real: Any) -> Any:
        def check(terms: Any, view: Any, move: Any) -> None:
            try:
                real(terms, view, move)
            except IllegalMove as error:
                if anybody(last[-1]) % 2:
                    raise WrongTurn(error.message, error.next, code=error.code) from None
                raise

        return check

    change_game(stack, check=wrap)


@plant("schwarzer-freitag")
def question_tells(stack: ExitStack) -> None:
    """A blank more or less behind the question."""

    def trimmed(asks: Sequence[Ask]) -> tuple[Ask, ...]:
        return tuple(replace(ask, what=ask.what.strip()) for ask in asks)

    def wrap_apply(real: Any) -> Any:
        def apply(terms: Any, position: Any, answers: Any, draws: Any) -> Step:
            step = real(terms, replace(position, pending=trimmed(position.pending)), answers, draws)
            blanks = " " * (anybody(step.position) % 2)
            asks = tuple(replace(ask, what=ask.what + blanks) for ask in step.position.pending)
            return replace(step, position=replace(step.position, pending=asks))

        return apply

    def wrap_seen(real: Any) -> Any:
        return lambda terms, view, *more: real(terms, replace(view, pending=trimmed(view.pending)), *more)

    change_game(stack, apply=wrap_apply, check=wrap_seen, legal=wrap_seen, fallback=wrap_seen, draw=wrap_seen)


@plant("schwarzer-freitag")
def log_tells_a_colour(stack: ExitStack) -> None:
    def change(step: Step, draws: Any) -> Step:
        return replace(step, log=(*step.log, f"@0 still holds {beside(step.position, -1)}"))

    change_steps(stack, change)


@plant("schwarzer-freitag")
def log_tells_the_bag(stack: ExitStack) -> None:
    """Nobody's hand is named; but what is in the bag tells what all others hold together."""

    def change(step: Step, draws: Any) -> Step:
        return replace(step, log=(*step.log, f"in the bag: {draws.contents('bag').count('red')} red"))

    change_steps(stack, change)


@plant("schwarzer-freitag")
def draws_depend_on_a_hand(stack: ExitStack) -> None:
    def wrap(real: Any) -> Any:
        def apply(terms: Any, position: Any, answers: Any, draws: Any) -> Step:
            if "red" in beside(position, -1):
                draws.die(6, "tie")
            return real(terms, position, answers, draws)

        return apply

    change_game(stack, apply=wrap)


@plant("schwarzer-freitag")
def range_of_a_draw_depends_on_a_hand(stack: ExitStack) -> None:
    def wrap(real: Any) -> Any:
        def apply(terms: Any, position: Any, answers: Any, draws: Any) -> Step:
            draws.die(6 + anybody(position) % 3, "tie")
            return real(terms, position, answers, draws)

        return apply

    change_game(stack, apply=wrap)


@plant("schwarzer-freitag")
def public_wealth(stack: ExitStack) -> None:
    """A public number is computed from what players hold."""

    def change(step: Step, draws: Any) -> Step:
        held = sum(own.shares.red * (1 + seat) for seat, own in enumerate(step.position.own))
        public = replace(step.position.public, price_changes=held)
        return replace(step, position=replace(step.position, public=public))

    change_steps(stack, change)


@plant("auction")
def sealed_card_in_the_log(stack: ExitStack) -> None:
    def wrap(real: Any) -> Any:
        def apply(terms: Any, position: Any, answers: Any, draws: Any) -> Step:
            step = real(terms, position, answers, draws)
            given = [move.card for seat, move in answers.items() if ask_of(position.pending, seat).what == "raid"]
            return replace(step, log=(*step.log, *given))

        return apply

    change_game(stack, apply=wrap)


# --- planted in the engine -------------------------------------------------------------------------------------------


@plant("schwarzer-freitag")
def hand_order(stack: ExitStack) -> None:
    """Tokens drawn face down are noted in the order of their faces."""
    real = dealer.Dealer.take

    def take(me: Any, bag: str, count: int, to: int = -1, into: str = "") -> tuple[str, ...]:
        faces = real(me, bag, count, to, into)
        if to >= 0 and into:
            op = me.ops[-1]
            me.ops[-1] = replace(op, tokens=tuple(sorted(op.tokens, key=lambda token: me.faces[token.slot])))
        return faces

    stack.enter_context(patch.object(dealer.Dealer, "take", take))


@plant("schwarzer-freitag")
def openings_of_another(stack: ExitStack) -> None:
    real = view.private_part

    def private_part(table: Any, state: Any, seat: int) -> Any:
        return replace(real(table, state, seat), openings=tuple(t for tokens in state.openings for t in tokens))

    stack.enter_context(patch.object(view, "private_part", private_part))


@plant("schwarzer-freitag")
def hidden_take_shows_the_face(stack: ExitStack) -> None:
    real = dealer.Dealer.take

    def take(me: Any, bag: str, count: int, to: int = -1, into: str = "") -> tuple[str, ...]:
        faces = real(me, bag, count, to, into)
        op = me.ops[-1]
        tokens = tuple(Token(token.slot, face, token.salt) for token, face in zip(op.tokens, faces, strict=True))
        me.ops[-1] = replace(op, tokens=tokens)
        return faces

    stack.enter_context(patch.object(dealer.Dealer, "take", take))


@plant("schwarzer-freitag")
def first_slot_is_opened(stack: ExitStack) -> None:
    """Of equal faces the first in the hand is opened: then all slots before it are known to be something else."""

    def open_first(me: Any, bag: str, faces: Sequence[str]) -> None:
        left, tokens = list(me.bags[bag].slots), []
        for face in faces:
            slot = next(slot for slot in left if me.faces[slot] == face)
            left.remove(slot)
            tokens.append(me._opened(slot))
        me.bags[bag] = replace(me.bags[bag], slots=tuple(left))
        me.ops.append(dealer.Open(bag, tuple(tokens)))
        me._forget([token.slot for token in tokens])

    stack.enter_context(patch.object(dealer.Dealer, "open", open_first))


@plant("schwarzer-freitag")
def full_hash_without_salt(stack: ExitStack) -> None:
    """Five cases have 126 possible hands: whoever can hash them all reads the hand."""

    def full_hash(table: Any, secret: bytes, number: int, position: Any) -> str:
        return rounds.H("full", bytes.fromhex(table.id), number, bytes(32), encode(position)).hex()

    stack.enter_context(patch.object(rounds, "full_hash", full_hash))


@plant("auction")
def leaves_without_salt(stack: ExitStack) -> None:
    def leaves(secret: bytes, table: bytes, bag: str, generation: int, order: Sequence[str]) -> list[bytes]:
        return [slots.leaf(table, bag, generation, i, bytes(32), face) for i, face in enumerate(order)]

    stack.enter_context(patch.object(slots, "leaves", leaves))


@plant("auction")
def commitment_without_salt(stack: ExitStack) -> None:
    def commitment(game: str, number: int, seat: int, secret: Any) -> str:
        return turn.H("sealed", bytes.fromhex(game), number, seat, b"", bytes(secret.fields)).hex()

    stack.enter_context(patch.object(turn, "commitment", commitment))


@plant("auction")
def blind_token_in_the_log(stack: ExitStack) -> None:
    """The prize that nobody may see shows in a public list of containers."""

    def change(step: Step, draws: Any) -> Step:
        return replace(step, log=(*step.log, f"prize: {len(set(draws.contents('prize')) & {'01', '02', '03', '04'})}"))

    change_steps(stack, change)


@plant("auction")
def size_tells(stack: ExitStack) -> None:
    """The text is the same, but a view is longer by as many blanks as somebody's hand says."""
    real = view.make_view

    def make_view(match: Any, seat: int) -> bytes:
        position = match.state.position
        return real(match, seat) + b"\n" * (int(position.own[seat - 1].hand[0]) if position else 0)

    stack.enter_context(patch("tests.noninterference.worlds.make_view", make_view))
