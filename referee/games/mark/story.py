"""What happened, as sentences."""

from referee.game import Note

from .types import Deal

SENTENCES = {
    "begins": "everybody has {money} Mark, the bank {pieces} pieces of each kind",
    "stores": "@{seat} pays {price} for storage",
    "rolls": "@{seat} rolls {first} and {second}",
    "stuck": "@{seat} can do nothing with it",
    "stuck again": "@{seat} can do nothing more with it",
    "rests": "@{seat} does nothing",
    "buys": "@{seat} buys {kind} for {price}",
    "moves": "@{seat} moves {kind} from {source} to {target} for {price}",
    "takes": "@{seat} takes {kind}",
    "processes": "@{seat} processes {kind} from {source} to {target}",
    "sells": "@{seat} sells {kind} for {price} in row {row}",
    "gives back": "@{seat} gives worthless {kind} back to the bank",
    "names": "@{seat} names {kind}",
    "offers": "@{seat} offers {kind} from {field}",
    "no offer": "nobody offers a piece",
    "no auction": "the bank has no {kind}, there is no auction",
    "bids": "bids for {kind}: {told}",
    "wins": "@{seat} wins {kind} for {price} from the bank",
    "wins from": "@{seat} wins {kind} for {price} from @{owner}",
    "unsold": "nobody bids, {kind} stays with the bank",
    "kept": "nobody bids, {kind} stays with @{owner}",
    "liquidated": "nobody bids, the bank takes {kind} from @{owner} for {price}",
    "full": "{rows} rows are full, the game is over",
    "idle": "nothing was sold in {rounds} rounds, the game is over",
}


def tell(terms: Deal, note: Note) -> str:
    """A line of the story as a sentence."""
    bids = note.values.get("bids", ())
    told = ", ".join(f"@{seat} {amount or 'passes'}" for seat, amount in bids)
    return SENTENCES[note.what].format(**note.values, told=told)
