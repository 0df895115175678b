"""A whole game over files, played by bots: every document that people would send, and every check they would make."""

import hashlib
import os
from collections.abc import Callable, Iterable
from itertools import count

import msgspec

from referee import games
from referee.bots import t, w
from referee.bots.playing import bot_signs
from referee.crypto import keys
from referee.crypto.codec import decode, encode, read
from referee.crypto.envelope import Envelope, ident, sign
from referee.engine import lobby, table
from referee.engine.host import Match, new_match, reveal
from referee.engine.player import Opened, open_view
from referee.engine.records import Move, MoveFile
from referee.engine.rounds import asked
from referee.errors import FileTrouble
from referee.evidence.replay import open_transcript
from referee.game import Game, Terms
from referee.io import desk, files, guard, keyfile
from referee.io.gamefile import dump_match
from referee.language import run as command
from referee.show.findings import verified
from referee.show.text import scored

NAMES = (
    "Anna", "Bert", "Carla", "Dirk", "Elsa", "Franz", "Greta", "Hugo",
    "Ida", "Jan", "Karin", "Ludwig", "Marta", "Nils", "Olga", "Peter",
)  # fmt: skip
AUDIT_EVERY = 50


class Demo(msgspec.Struct, frozen=True):
    """What the demo did, and its results."""

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

    def lines(self, game_id: str) -> list[str]:
        """The same for people; `game_id` is the game that was played."""
        rows = sorted(zip(self.ranks, self.players, self.scores, strict=True))
        result = (
            w("{title}, {players} players, game {game}",
              title=self.title, players=len(self.players), game=self.game[:8]),
            w("  {moves} moves applied, one forged move refused ({forged})", moves=self.moves, forged=self.forged),
            w("  {audits} audits of players' views during the game and at the end: all passed", audits=self.audits),
            w("  {draws} draws audited, {openings} openings and {signatures} signatures verified",
              draws=self.draws, openings=self.openings, signatures=self.signatures),
        )  # fmt: skip
        return [*result, *(f"  {rank}. {name} ({scored(game_id, score)})" for rank, name, score in rows)]


class _People:
    """The people at the demo's table, with their folders."""

    def __init__(self, folder: str, names: tuple[str, ...], entropy: Callable[[str], bytes]) -> None:
        self.names, self.entropy = names, entropy
        self.host = keys.Key(entropy("host"), "Host")
        self.players = [keys.Key(entropy(name), name) for name in names]
        self.homes = [os.path.join(folder, name.lower()) for name in names]
        self.office = os.path.join(folder, "host")
        self.outbox = os.path.join(self.office, "outbox")
        self.game = os.path.join(self.office, "game.json")
        self.views = [""] * len(names)
        """The path of each player's newest view."""
        self.kept = [True] * len(names)
        self.seen: list[Opened | None] = [None] * len(names)
        self.moves = self.audits = 0
        self.forged = ""
        for path in (self.office, self.outbox, *self.homes):
            files.make_folder(path)
        for home, key in zip((self.office, *self.homes), (self.host, *self.players), strict=True):
            path = os.path.join(home, "key.json")
            files.write({path: keyfile.dump(key)}, secret=[path])

    def sit_down(self, game_id: str, game: Game, terms: Terms[object, object]) -> Match:
        """Make offer, joins and genesis, and a view for each player."""
        offer = lobby.make_offer(self.host, game_id, game, terms, self.entropy("offer"))
        joins = tuple(lobby.make_join(k, offer, k.name, self.entropy("join " + k.name)) for k in self.players)
        offer_id = ident("offer", bytes(offer.body))
        files.write({os.path.join(self.office, files.offer_name(offer_id, game_id)): encode(offer)})
        for home, key, join in zip(self.homes, self.players, joins, strict=True):
            files.write({os.path.join(home, files.join_name(offer_id, key.name, key.public.hex())): encode(join)})
        match = new_match(self.host, lobby.make_genesis(self.host, offer, joins))
        with guard.guarding(match, self.game, source="start", where=self.office) as guarded:
            wanted = {**guarded(), self.game: dump_match(match), **desk.view_files(match, self.outbox)}
            files.write(wanted, secret=[*wanted])
        self.send(match)
        return match

    def send(self, match: Match, receipts: Iterable[str] = (), to: int = 0) -> None:
        """Deliver the outbox to the players. A view that asked for nothing is replaced by the next one."""
        for receipt in receipts:
            os.replace(receipt, os.path.join(self.homes[to], os.path.basename(receipt)))
        wanted = asked(match.state)
        for seat, home in enumerate(self.homes):
            new, old = desk.view_path(match, seat, self.outbox), self.views[seat]
            here = os.path.join(home, os.path.basename(new))
            os.replace(new, here)
            if old not in ("", here) and not self.kept[seat]:
                os.unlink(old)
            self.views[seat], self.kept[seat] = here, seat in wanted

    def look(self, seat: int) -> Opened:
        """Open a seat's newest view; what was verified before is not verified again."""
        self.seen[seat] = opened = open_view(files.read(self.views[seat], files.LARGE, "view"), since=self.seen[seat])
        return opened

    def play(self, match: Match) -> Match:
        """One round: each player who is asked opens the view and answers, and the host applies the answer."""
        number, last = match.state.round + 1, len(self.names) - 1
        for seat in asked(match.state):
            opened = self.look(seat)
            bot = "random" if seat == last > 0 else "sensible"
            move = bot_signs(opened.place, self.players[seat], bot, self.entropy("chance"))
            if number == 4 and not self.forged:
                self.forged = _try_forgery(self, move, seat)
            path = os.path.join(self.homes[seat], files.file_name(opened.table.id, number, seat, self.names, "move"))
            files.write({path: move}, secret=[path])
            done = desk.apply_moves(self.game, [move], self.host, self.outbox, home=self.office)
            if done.judged[0].error is not None:
                raise done.judged[0].error
            match = done.match
            self.send(match, desk.receipt_file(match, done.judged[0], self.outbox), seat)
            self.moves += 1
        return match

    def audit(self) -> None:
        """Each player replays the whole game from their own view."""
        for view in self.views:
            open_view(files.read(view, files.LARGE, "view"))
            self.audits += 1


def run(game_id: str, seats: int, folder: str, seed: str | None, say: Callable[[str], None]) -> Demo:
    """Run the demo in a new folder."""
    game = games.load(game_id)
    edition = read(games.edition_bytes(game_id), game.edition, "edition")
    terms = table.make_terms(game, seats, game.options(), edition)
    if os.path.lexists(folder):
        why = t("{folder} already exists", folder=files.printable(folder))
        other = next(name for number in count(2) if not os.path.lexists(name := f"{folder.rstrip('/')}-{number}"))
        advice = t("delete it if it is from an earlier demo, or run {run}", run=command("demo", game_id, "-o", other))
        raise FileTrouble(why, advice, code="exists")

    def entropy(label: str) -> bytes:
        return os.urandom(32) if seed is None else hashlib.sha256(f"{label}\0{seed}".encode()).digest()

    people = _People(folder, NAMES[:seats], entropy)
    match = people.sit_down(game_id, game, terms)
    names, where = ", ".join(people.names), files.printable(folder)
    say(w("{title}: players are {names}; all files go to {folder}", title=game.title, names=names, folder=where))
    while not match.state.end:
        match = people.play(match)
        if match.state.round % AUDIT_EVERY == 0 or match.state.end:
            people.audit()
        if match.state.round % 50 == 0:
            say(w("  round {number}", number=match.state.round))
    transcript = os.path.join(folder, "transcript.json")
    files.write({transcript: reveal(match)})
    found = verified(open_transcript(files.read(transcript, files.LARGE, "transcript")))
    return Demo(
        game=match.table.id,
        title=game.title,
        players=people.names,
        moves=people.moves,
        audits=people.audits,
        draws=found.draws,
        openings=found.openings,
        signatures=found.signatures,
        forged=people.forged,
        ranks=found.ranks,
        scores=found.scores,
        transcript=transcript,
        example_view=people.views[0],
    )


def _try_forgery(people: _People, move: bytes, seat: int) -> str:
    """Another player signs this seat's move; the referee must refuse it and not change the game file."""
    file = decode(move, MoveFile, "move")
    forger = people.players[(seat + 1) % len(people.players)]
    envelope: Envelope = sign(forger, "move", decode(bytes(file.body), Move, "move"))
    before = files.read(people.game, files.LARGE, "game file")
    fake = encode(MoveFile(envelope.body, envelope.sig, envelope.type, file.sealed))
    verdict = desk.apply_moves(people.game, [fake], people.host, people.outbox, home=people.office).judged[0]
    if verdict.error is None or files.read(people.game, files.LARGE, "game file") != before:
        raise AssertionError("a forged move was accepted")
    return verdict.code
