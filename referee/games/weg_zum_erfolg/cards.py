"""Where a piece ends: chance cards, goals and chips (LO-6, LO-12, LO-17, LO-18, LO-21 to LO-23)."""

from msgspec.structs import replace

from referee.game import note

from .graph import Board
from .lookups import everybody_home, mover, swap_targets, swept
from .scratch import Scratch, Stage
from .types import OUT, RESERVE, Chance, Chip, Lose, Place, Player, Public, SwapChip, Target, illegal


def land(s: Scratch) -> Stage:
    """LO-12, LO-17: a star field draws a chance card, a goal a success card."""
    match s.board.fields[s.piece.at].kind:
        case "star":
            return chance(s)
        case "goal":
            return arrive(s)
        case _:
            return "next"


# --- chance cards -----------------------------------------------------------------------------------------------------


def chance(s: Scratch) -> Stage:
    """LO-6: obey at once; no card leads to another."""
    drawn = s.draw_card("chance")
    card = next(card for card in s.terms.edition.chance if card.id == drawn)
    s.say("chance", card=drawn)
    match card.effect:
        case "again":
            return "throw"
        case "miss":
            s.set_player(s.turn, misses=s.me.misses + 1)
        case "reserve":
            s.move(s.turn, s.doing.piece, RESERVE)
        case "swap":
            return swap(s)
        case "lose":
            return lose_one(s)
        case "forward" | "back" | "decision":
            move_by_card(s, card)
        case "nothing":
            pass
    return "next"


def move_by_card(s: Scratch, card: Chance) -> None:
    """LO-6: the piece stops on a decision field, beats as usual, and draws no further card."""
    if card.effect == "back":
        leg = s.board.back(s.piece.at, s.side, card.steps)
    else:
        steps = card.steps if card.effect == "forward" else len(s.board.fields)
        leg = s.board.run(s.piece.at, s.piece.heading, steps)
    s.say("goes", at=leg.at)
    s.move_and_beat(leg.at, leg.rest)


def swap(s: Scratch) -> Stage:
    """LO-6: compulsory if there is an opposing piece to swap with."""
    found = swap_targets(s.board, s, s.turn)
    if len(found) > 1:
        s.ask("target")
        return None
    if found:
        return swap_with(s, Target(*found[0]))
    s.say("finds nobody")
    return "next"


def swap_with(s: Scratch, move: Target) -> Stage:
    """LO-6: places and headings are exchanged."""
    mine, theirs = s.piece, s.players[move.seat].pieces[move.piece]
    s.move(s.turn, s.doing.piece, theirs.at, theirs.heading)
    s.move(move.seat, move.piece, mine.at, mine.heading)
    s.say("swaps", other=move.seat, mine=mine.at, theirs=theirs.at)
    return "next"


def lose_one(s: Scratch) -> Stage:
    """LO-6: a card of one's own choice, if there is one."""
    if len(set(s.me.hand)) > 1:
        s.ask("lose")
        return None
    if s.me.hand:
        return lose(s, Lose(s.me.hand[0]))
    s.say("loses nothing")
    return "next"


def lose(s: Scratch, move: Lose) -> Stage:
    """The card leaves the game."""
    s.play_cards(s.turn, [move.card])
    s.say("loses", card=move.card)
    return "next"


# --- goals and chips --------------------------------------------------------------------------------------------------


def arrive(s: Scratch) -> Stage:
    """LO-17: a success card; a piece that stays scores, and low pieces leave the game (LO-18)."""
    drawn = s.draw_card("success")
    card = next(card for card in s.terms.edition.success if card.id == drawn)
    s.say("success", card=drawn)
    if card.again:
        s.move(s.turn, s.doing.piece, RESERVE)
        return "next"
    goal = s.board.goal_of[s.piece.at]
    value = turn_up(s, goal)
    s.home += 1
    s.set_player(s.turn, points=s.me.points + value)
    s.say("home", at=s.piece.at, points=value)
    sweep(s)
    if s.terms.options.hinterlistig and not everybody_home(s.board, s):
        s.ask("swap chip")
        return None
    return "next"


def turn_up(s: Scratch, goal: int) -> int:
    """The value of a chip, which everybody knows from now on (LO-22, LO-23)."""
    chip = s.chips[goal]
    assert chip is not None
    if chip.value is not None:
        return chip.value
    (face,) = s.draws.lay_out_all(f"goal/{chip.slot}")
    s.chips[goal] = replace(chip, value=int(face))
    return int(face)


def sweep(s: Scratch) -> None:
    """LO-18: all pieces on the lowest levels leave the game."""
    levels = swept(s.home)
    if not levels:
        return
    for seat, player in enumerate(s.players):
        for number, piece in enumerate(player.pieces):
            waits = piece.at == RESERVE and s.terms.options.reserve_leaves
            if waits or (piece.at in s.board.in_play and s.board.fields[piece.at].level in levels):
                s.move(seat, number, OUT)
                s.log.append(note("out", seat=seat, at=piece.at))


def swap_chip(s: Scratch, move: SwapChip) -> Stage:
    """LO-21: the chip just scored changes places with another; a face-down one stays face down."""
    if move.goal is not None:
        mine = s.board.goal_of[s.piece.at]
        s.chips[mine], s.chips[move.goal] = s.chips[move.goal], s.chips[mine]
        s.say("swaps chips", one=s.piece.at, other=s.board.goals[move.goal])
    return "next"


def place(s: Scratch, move: Place) -> Stage:
    """LO-22: chips are laid face down in turn; after the last player, the rest are laid at random."""
    s.draws.deal(f"chip/{s.turn}", 1, f"goal/{move.goal}")
    s.chips[move.goal] = Chip(None, move.goal, s.turn)
    s.say("lays", at=s.board.goals[move.goal])
    s.turn = (s.turn + 1) % s.terms.seats
    if s.turn != s.start:
        s.ask("place")
        return None
    lay_rest(s)
    return "turn"


def lay_rest(s: Scratch) -> None:
    """LO-22, LO-23: the remaining chips are laid at random, face down."""
    for goal, chip in enumerate(s.chips):
        if chip is None:
            s.draws.deal("chips", 1, f"goal/{goal}")
            s.chips[goal] = Chip(None, goal, None)


# --- what may be answered ---------------------------------------------------------------------------------------------


def check_target(board: Board, public: Public, seat: int, move: Target) -> None:
    """LO-6: an opposing piece on a small field that is not a chip field."""
    if (move.seat, move.piece) not in swap_targets(board, public, seat):
        raise illegal("LO-6", "no-swap")


def check_loss(player: Player, move: Lose) -> None:
    """LO-6: a card of one's own."""
    if move.card not in player.hand:
        raise illegal("LO-6", "no-card-to-lose", card=move.card)


def check_place(public: Public, move: Place) -> None:
    """LO-22: a free chip field."""
    if move.goal >= len(public.chips) or public.chips[move.goal] is not None:
        raise illegal("LO-22", "chip-field-taken")


def check_swap_chip(board: Board, public: Public, move: SwapChip) -> None:
    """LO-21: a chip other than the one just scored."""
    mine = board.goal_of[mover(public).at]
    if move.goal is not None and (move.goal >= len(public.chips) or move.goal == mine):
        raise illegal("LO-21", "same-chip")
