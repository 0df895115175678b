"""Small lookups on the types: pieces, cards, and what a throw can be used for."""

from collections.abc import Iterable

from .graph import Board, Leg
from .types import LEVELS, RESERVE, Deal, Enter, Field, Go, Piece, Player, Public, Sight, Way

SIX = 6
"""What brings a piece into play."""
SETTLED = 4
"""From so many pieces home on, the others take the shortest way (LO-19)."""


def chance_cards(t: Deal) -> tuple[str, ...]:
    """The whole pile of chance cards (LO-6)."""
    return tuple(card.id for card in t.edition.chance for _ in range(card.count))


def success_cards(t: Deal) -> tuple[str, ...]:
    """The whole pile of success cards (LO-6)."""
    return tuple(card.id for card in t.edition.success for _ in range(card.count))


def pieces_each(t: Deal) -> int:
    """How many pieces each player has (LO-2)."""
    return t.edition.pieces if t.seats <= 4 else t.edition.pieces_many


def is_settled(public: Public) -> bool:
    """Are so many pieces home that the others must take the shortest way (LO-19)?"""
    return public.home >= SETTLED


def field_of(board: Board, piece: Piece) -> Field | None:
    """The field on which a piece stands; None in the reserve and out of the game."""
    return board.fields.get(piece.at)


def in_play(board: Board, piece: Piece) -> bool:
    """Is this piece on a field that is no goal?"""
    field = field_of(board, piece)
    return field is not None and field.kind != "goal"


def is_active(board: Board, player: Player) -> bool:
    """Has this player a piece that can still get home (LO-20)?"""
    return any(piece.at == RESERVE or in_play(board, piece) for piece in player.pieces)


def everybody_home(board: Board, public: Public) -> bool:
    """Is every piece still in the game in a goal (LO-20)?"""
    return not any(is_active(board, player) for player in public.players)


def on_field(public: Public, at: str) -> tuple[tuple[int, int], ...]:
    """Seat and number of all pieces on a field."""
    return tuple(
        (seat, number)
        for seat, player in enumerate(public.players)
        for number, piece in enumerate(player.pieces)
        if piece.at == at
    )


def colours_on(public: Public, at: str, but: int) -> tuple[int, ...]:
    """The other seats with a piece on a field, lowest first."""
    return tuple(sorted({seat for seat, _ in on_field(public, at)} - {but}))


def opponents_on(board: Board, public: Public, at: str) -> tuple[int, ...]:
    """Whom the player whose turn it is can contest with on a field: nobody but on a "?" (LO-15)."""
    return colours_on(public, at, public.turn) if board.fields[at].kind in ("start", "question") else ()


def swap_targets(board: Board, public: Public, seat: int) -> tuple[tuple[int, int], ...]:
    """The opposing pieces on small fields that are no chip fields: seat and number (LO-6)."""
    return tuple(
        (other, number)
        for other, player in enumerate(public.players)
        for number, piece in enumerate(player.pieces)
        if other != seat and piece.at in board.fields and board.fields[piece.at].kind in ("small", "star")
    )


def interveners(public: Public) -> tuple[int, ...]:
    """Who is asked whether to intervene: the others who have cards and no standing refusal (LO-16)."""
    return tuple(
        seat
        for seat, player in enumerate(public.players)
        if seat != public.turn and player.hand and not player.standing
    )


def swept(public: Public) -> tuple[str, ...]:
    """The levels whose pieces leave the game now that one more piece is home (LO-18)."""
    return LEVELS[: public.home] if public.home < len(LEVELS) else ()


def legs_of(board: Board, public: Public, piece: Piece) -> dict[Way | None, Leg]:
    """How a piece can use the throw; empty if it cannot."""
    if not in_play(board, piece):
        return {}
    return board.first_legs(piece.at, piece.heading, public.throw, is_settled(public))


def mover(public: Public) -> Leg:
    """The piece that is being moved: where it stands, its heading or how it came there, and the steps left."""
    assert public.task is not None
    piece = public.players[public.turn].pieces[public.task.piece]
    return Leg(piece.at, piece.heading, public.task.steps)


def uses(board: Board, public: Public, seat: int) -> tuple[Go | Enter, ...]:
    """Everything for which the throw can be used (LO-8): pieces in the order of the fields, each way, then entering.

    Of several pieces on one field with the same heading only the first is listed.
    """
    pieces = public.players[seat].pieces
    movable = [number for number, piece in enumerate(pieces) if in_play(board, piece)]
    found: list[Go | Enter] = []
    told: set[Piece] = set()
    for number in sorted(movable, key=lambda n: board.order[pieces[n].at]):
        if pieces[number] not in told:
            told.add(pieces[number])
            ways = legs_of(board, public, pieces[number])
            found += [Go(number, way if len(ways) > 1 else None) for way in ways]
    if public.throw == SIX and any(piece.at == RESERVE for piece in pieces):
        found.append(Enter())
    return tuple(found)


def own_chip(seen: Sight) -> int | None:
    """The chip that this player was dealt (LO-22), in hand, face down below a goal, or turned up."""
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
