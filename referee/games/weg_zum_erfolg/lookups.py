"""Small lookups on the types: pieces, cards, and what a throw can be used for."""

from collections.abc import Iterable, Sequence

from .graph import Board, Leg, Legs, ways
from .types import LEVELS, RESERVE, Deal, Enter, Go, Piece, Player, Position, Sight, Wait, Words

SIX = 6
"""What brings a piece into play."""
SETTLED = 4
"""Once this many pieces are home, the others take the shortest way (LO-19)."""


def chance_cards(t: Deal) -> tuple[str, ...]:
    """The whole pile of chance cards (LO-6)."""
    return tuple(card.id for card in t.edition.chance for _ in range(card.count))


def success_cards(t: Deal) -> tuple[str, ...]:
    """The whole pile of success cards (LO-6)."""
    return tuple(card.id for card in t.edition.success for _ in range(card.count))


def pieces_each(t: Deal) -> int:
    """How many pieces each player has (LO-2)."""
    return t.edition.pieces if t.seats <= 4 else t.edition.pieces_many


def is_settled(public: Position) -> bool:
    """Are so many pieces home that the others must take the shortest way (LO-19)?"""
    return public.home >= SETTLED


def is_active(board: Board, player: Player) -> bool:
    """Does this player have a piece that can still get home (LO-20)?"""
    return not board.active.isdisjoint([piece.at for piece in player.pieces])


def everybody_home(board: Board, public: Position) -> bool:
    """Is every piece still in the game in a goal (LO-20)?"""
    return not any(is_active(board, player) for player in public.players)


def on_field(public: Position, at: str) -> tuple[tuple[int, int], ...]:
    """Seat and number of all pieces on a field."""
    found: list[tuple[int, int]] = []
    for seat, player in enumerate(public.players):
        for number, piece in enumerate(player.pieces):
            if piece.at == at:
                found.append((seat, number))
    return tuple(found)


def opponents_on(board: Board, public: Position, at: str) -> tuple[int, ...]:
    """Whom the player whose turn it is can contest with on a field, lowest seat first; only on a "?" (LO-15)."""
    if board.fields[at].kind == "head":
        return ()
    return tuple(sorted({seat for seat, _ in on_field(public, at)} - {public.turn}))


def swap_targets(board: Board, public: Position, seat: int) -> tuple[tuple[int, int], ...]:
    """The opposing pieces on small fields that are not chip fields: seat and number (LO-6)."""
    return tuple(
        (other, number)
        for other, player in enumerate(public.players)
        for number, piece in enumerate(player.pieces)
        if other != seat and piece.at in board.single and board.fields[piece.at].kind != "chip"
    )


def declines(words: Words, level: str, mover: int, cards: int) -> bool:
    """Do standing orders say that no card is played here (LO-25)?"""
    if not words.decline or not (words.colours or words.players or words.cards is not None):
        return words.decline
    on = not words.colours or level in words.colours
    against = not words.players or mover in words.players
    return not (on and against and (words.cards is None or cards <= words.cards))


def interveners(board: Board, public: Position) -> tuple[int, ...]:
    """Who is asked whether to intervene: the others who have cards and do not decline by standing orders (LO-16)."""
    seat = public.turn
    level, cards = board.fields[mover(public).at].level, len(public.players[seat].hand)
    return tuple(
        other
        for other, player in enumerate(public.players)
        if other != seat and player.hand and not declines(public.standing[other], level, seat, cards)
    )


def swept(home: int) -> tuple[str, ...]:
    """The levels whose pieces leave the game now that this many are home (LO-18)."""
    return LEVELS[:home] if home < len(LEVELS) else ()


def legs_of(board: Board, public: Position, piece: Piece) -> Legs:
    """How a piece can use the throw; empty if it cannot."""
    if piece.at not in board.in_play:
        return {}
    return board.first_legs(piece.at, piece.heading, public.throw, is_settled(public))


def mover(public: Position) -> Leg:
    """The piece that is being moved: where it is, its heading or how it arrived, and the steps left."""
    task = public.task
    assert task is not None
    piece = public.players[public.turn].pieces[task.piece]
    return Leg(piece.at, piece.heading, task.steps)


def uses(terms: Deal, public: Position, seat: int) -> tuple[Go | Enter | Wait, ...]:
    """Everything for which the throw can be used (LO-7, LO-8): a 6 to bring in a piece, if there is one in the reserve;
    otherwise pieces in the order of the fields, each way. If a 6 may do either, entering comes last.

    Of several pieces on one field with the same heading, only the first is listed.
    """
    board, pieces = terms.edition.board, public.players[seat].pieces
    enters = public.throw == SIX and any(piece.at == RESERVE for piece in pieces)
    if not enters:
        return _moves(board, public, pieces)
    if not terms.options.may_enter:
        return (Enter(),)
    moves = _moves(board, public, pieces)
    return (*moves, Enter()) if moves else (Enter(), Wait())


def _moves(board: Board, public: Position, pieces: Sequence[Piece]) -> tuple[Go, ...]:
    playing = [number for number, piece in enumerate(pieces) if piece.at in board.in_play]
    if len(playing) > 1:
        playing = [number for number in playing if pieces.index(pieces[number]) == number]
        playing.sort(key=lambda number: board.order[pieces[number].at])
    found: list[Go] = []
    for number in playing:
        legs = legs_of(board, public, pieces[number])
        if len(legs) == 1:
            found.append(Go(number))
        elif legs:
            found += [Go(number, way) for way in ways(legs)]
    return tuple(found)


def own_chip(seen: Sight) -> int | None:
    """The chip that this player was dealt (LO-22): in hand, face down below a goal, or turned up."""
    laid = next((chip for chip in seen.public.chips if chip is not None and chip.by == seen.seat), None)
    if laid is not None and laid.value is not None:
        return laid.value
    known = seen.tokens.get(f"goal/{laid.slot}", ()) if laid is not None else seen.hand("chip")
    return int(known[0]) if known else None


def without(hand: Iterable[int], cards: Iterable[int]) -> tuple[int, ...]:
    """A hand after these cards were played from it."""
    left = list(hand)
    for card in cards:
        left.remove(card)
    return tuple(left)
