"""A whole game over files, played by bots: every document that people would mail, and every check they would make."""

import hashlib
import os
from collections.abc import Callable

import msgspec

from referee import games
from referee.bots.seats import bot_answer
from referee.crypto import keys
from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope, seal
from referee.engine import lobby, table
from referee.engine.audit import audit
from referee.engine.records import Move, MoveFile
from referee.engine.replay import reveal, verify
from referee.engine.rounds import who_is_asked
from referee.engine.turn import dump_match, new_match
from referee.errors import FileTrouble
from referee.io import desk, files

NAMES = ("Anna", "Bert", "Carla", "Dirk", "Elsa", "Franz", "Greta", "Hugo")
AUDIT_EVERY = 25


class Demo(msgspec.Struct, frozen=True):
    """What the demo did and found."""

    game: str
    title: str
    players: tuple[str, ...]
    moves: int
    audits: int
    draws: int
    openings: int
    signatures: int
    forged: str
    ranks: tuple[int, ...]
    scores: tuple[tuple[int, ...], ...]
    transcript: str
    example_view: str

    def lines(self) -> list[str]:
        rows = sorted(zip(self.ranks, self.players, self.scores, strict=True))
        return [
            f"{self.title}, {len(self.players)} players, game {self.game[:8]}",
            f"  {self.moves} moves applied, one forged move refused ({self.forged})",
            f"  {self.audits} audits of players' views in mid-game and at the end: all passed",
            f"  {self.draws} draws audited, {self.openings} openings and {self.signatures} signatures verified",
            *(f"  {rank}. {name} ({', '.join(map(str, score))})" for rank, name, score in rows),
        ]


def run(game_id: str, seats: int, folder: str, seed: str | None, say: Callable[[str], None]) -> Demo:
    """Play the demo in a new folder."""
    game = games.load(game_id)
    edition = table.read_edition(game, games.edition_bytes(game_id))
    terms = table.make_terms(game, seats, game.options(), edition)
    if files.exists(folder):
        raise FileTrouble(f"{files.show(folder)} exists already", "choose a new folder with -o", code="exists")

    def entropy(label: str) -> bytes:
        return os.urandom(32) if seed is None else hashlib.sha256(f"{label}\0{seed}".encode()).digest()

    names = NAMES[:seats]
    host = keys.Key(entropy("host"), "Host")
    players = [keys.Key(entropy(name), name) for name in names]
    homes = [os.path.join(folder, name.lower()) for name in names]
    office = os.path.join(folder, "host")
    outbox = os.path.join(office, "outbox")
    for path in (office, outbox, *homes):
        files.make_folder(path)
    for home, key in zip((office, *homes), (host, *players), strict=True):
        path = os.path.join(home, "key.json")
        files.write({path: keys.dump(key)}, secret=[path])

    offer = lobby.make_offer(host, game_id, game, terms, entropy("offer"))
    joins = tuple(lobby.make_join(key, offer, key.name, entropy("join " + key.name)) for key in players)
    files.write({os.path.join(office, "offer.json"): encode(offer)})
    files.write({os.path.join(home, "join.json"): encode(join) for home, join in zip(homes, joins, strict=True)})
    match = new_match(host, lobby.make_genesis(host, offer, joins))
    path = os.path.join(office, "game.json")
    files.write({path: dump_match(match)}, secret=[path])
    files.write(desk.view_files(match, outbox))
    say(f"{game.title}: {', '.join(names)} sit down; all files go to {files.show(folder)}")

    moves = audits = 0
    forged = ""
    while not match.state.end:
        number = match.state.round + 1
        views = [os.path.join(outbox, files.slug(seat, names) + ".view.json") for seat in range(seats)]
        for seat in who_is_asked(match.state):
            view = files.read(views[seat], files.LARGE, "view")
            move = bot_answer(view, players[seat], "random" if seat == seats - 1 > 0 else "sensible", entropy("chance"))
            if number == 4 and not forged:
                forged = _try_forgery(path, move, players, seat, host, outbox)
            base = os.path.join(homes[seat], f"round-{number:04}")
            files.write({f"{base}.view.json": view, f"{base}.move.json": move})
            done = desk.apply_moves(path, [move], host, outbox)
            if done.judged[0].error is not None:
                raise done.judged[0].error
            match = done.match
            moves += 1
        if number % AUDIT_EVERY == 0 or match.state.end:
            for seat in range(seats):
                audit(files.read(views[seat], files.LARGE, "view"))
                audits += 1
        if number % 50 == 0:
            say(f"  round {number}")

    transcript = os.path.join(folder, "transcript.json")
    files.write({transcript: reveal(match)})
    for home, last in zip(homes, views, strict=True):
        files.write({os.path.join(home, "final.view.json"): files.read(last, files.LARGE, "view")})
    found = verify(files.read(transcript, files.LARGE, "transcript"))
    return Demo(
        game=match.table.id,
        title=game.title,
        players=names,
        moves=moves,
        audits=audits,
        draws=found.draws,
        openings=found.openings,
        signatures=found.signatures,
        forged=forged,
        ranks=found.ranks,
        scores=found.scores,
        transcript=files.show(transcript),
        example_view=files.show(os.path.join(homes[0], "final.view.json")),
    )


def _try_forgery(path: str, move: bytes, players: list[keys.Key], seat: int, host: keys.Key, outbox: str) -> str:
    """Another player signs this seat's move; the referee must refuse it and leave the game file alone."""
    file = decode(move, MoveFile, "move")
    forger = players[(seat + 1) % len(players)]
    envelope: Envelope = seal(forger, "move", decode(bytes(file.body), Move, "move"))
    before = files.read(path, files.LARGE, "game file")
    fake = encode(MoveFile(envelope.body, envelope.sig, envelope.type, file.secret))
    verdict = desk.apply_moves(path, [fake], host, outbox).judged[0]
    if verdict.error is None or files.read(path, files.LARGE, "game file") != before:
        raise AssertionError("a forged move was accepted")
    return verdict.code
