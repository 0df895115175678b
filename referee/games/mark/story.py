"""What happened, as sentences."""

from typing import get_args

from referee.game import Note
from referee.language import Catalogue, Wording, mark

from .types import Deal, Face

t, w = Catalogue("referee.games.mark"), Wording("referee.games.mark")

SENTENCES = {
    "begins": mark("each player has {money} Mark, the bank {pieces} pieces of each kind"),
    "starts": mark("@{seat} starts"),
    "stores": mark("@{seat} pays {price} for storage"),
    "rolls": mark("@{seat} rolls {first} and {second}"),
    "stuck": mark("@{seat} cannot use the dice"),
    "stuck again": mark("@{seat} cannot use the dice again"),
    "rests": mark("@{seat} does nothing"),
    "buys": mark("@{seat} buys {kind} for {price}"),
    "moves": mark("@{seat} moves {kind} from {source} to {target} for {price}"),
    "takes": mark("@{seat} takes {kind}"),
    "processes": mark("@{seat} processes {kind} from {source} to {target}"),
    "sells": mark("@{seat} sells {kind} for {price} in row {row}"),
    "gives back": mark("@{seat} gives worthless {kind} back to the bank"),
    "names": mark("@{seat} names {kind}"),
    "offers": mark("@{seat} offers {kind} from {field}"),
    "no offer": mark("nobody offers a piece"),
    "no auction": mark("the bank has no {kind}, so there is no auction"),
    "bids": mark("bids for {kind}: {told}"),
    "wins": mark("@{seat} wins {kind} for {price} from the bank"),
    "wins from": mark("@{seat} wins {kind} for {price} from @{owner}"),
    "unsold": mark("nobody bids, {kind} stays with the bank"),
    "kept": mark("nobody bids, {kind} stays with @{owner}"),
    "liquidated": mark("nobody bids, the bank takes {kind} from @{owner} for {price}"),
    "full": mark("{rows} rows are full, the game is over"),
    "idle": mark("nothing was sold in {rounds} rounds, the game is over"),
}


FACES = get_args(Face)


def tell(terms: Deal, note: Note) -> str:
    """A line of the story as a sentence."""
    bids = note.values.get("bids", ())
    text = ", ".join(f"@{seat} {amount}" if amount else w("@{seat} passes", seat=seat) for seat, amount in bids)
    values = {name: w(value) if value in FACES else value for name, value in note.values.items()}
    return w(SENTENCES[note.what], told=text, **values)
