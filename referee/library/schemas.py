"""JSON Schemas, generated from the types: they cannot drift from what the program accepts."""

import os

import msgspec

from referee import games
from referee.bots.wire import LINES
from referee.crypto.envelope import Envelope
from referee.engine import promises, records
from referee.evidence import proofs, rulings
from referee.forms import Moves
from referee.io import files, gamefile
from referee.io.keyfile import KeyFile, PlayerFile
from referee.io.tickets import Ticket
from referee.page.aid import Aid
from referee.tournament.documents import FORMS
from referee.tournament.proofs import GameProof
from referee.tournament.records import GameRecord
from referee.tournament.summary import Results

_BODIES: dict[str, object] = {
    "offer": records.Offer,
    "join": records.Join,
    "genesis": records.Genesis,
    "move": records.Move,
    "entry": records.Entry,
    "private": records.Private,
    "receipt": records.Receipt,
    "abandonment": records.Abandonment,
    "extension": promises.Extension,
    "word": records.Word,
    "succession": records.Succession,
    "return": records.Return,
    "ruling": rulings.Ruling,
    "claim": rulings.Claim,
    "head": gamefile.Head,
    "state": records.State,
}
_FILES: dict[str, object] = {
    "envelope": Envelope,
    "key-file": KeyFile,
    "player-file": PlayerFile,
    "move-file": records.MoveFile,
    "view-file": records.View,
    "game-file": gamefile.GameFile,
    "transcript-file": records.Transcript,
    "ticket-file": Ticket,
    "proof-file": proofs.AnyProof,
    "moves": Moves,
    "aid-file": Aid,
}


def all_schemas() -> dict[str, bytes]:
    """File name -> schema, for every document and for the moves, positions and editions of every game."""
    kinds = {f"{name}.body": kind for name, kind in _BODIES.items()} | _FILES
    kinds |= {f"bot.{name}": kind for name, kind in LINES.items()}
    kinds |= {f"tournament.{name}.body": kind for name, kind in FORMS.items()}
    kinds |= {"tournament.game": GameRecord, "tournament.proof": GameProof, "tournament.results": Results}
    for game_id in games.game_ids():
        game = games.load(game_id)
        parts = {"move": game.move, "public": game.public, "edition": game.edition, "options": game.options}
        if game.standing is not None:
            parts["standing"] = game.standing.words
        kinds |= {f"{game_id}.{name}": kind for name, kind in parts.items()}
    return {f"{name}.schema.json": _pretty(name, kind) for name, kind in kinds.items()}


def write_schemas(folder: str) -> int:
    """Write all of them into a folder; returns how many there are."""
    made = all_schemas()
    files.make_folder(folder)
    files.write({os.path.join(folder, name): data for name, data in made.items()})
    return len(made)


def _pretty(name: str, kind: object) -> bytes:
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": name, **msgspec.json.schema(kind)}
    text = msgspec.json.format(msgspec.json.encode(schema, order="sorted"), indent=2) + b"\n"
    # Python anchors a whole string with \\A and \\Z; JSON Schema speaks ECMAScript, where ^ and $ do.
    return text.replace(rb'"\\A', b'"^').replace(rb'\\Z"', b'$"')
