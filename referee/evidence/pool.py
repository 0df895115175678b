"""Any mix of files, sorted into games: every signed part once, whatever file it came in. Unsigned or forged parts are
reported for their file and hide nothing else."""

from typing import Any

import msgspec

from referee.crypto.codec import T, decode
from referee.crypto.envelope import Envelope, body_of, check, ident
from referee.engine import records as r
from referee.engine.chain import read_part, signed_table
from referee.engine.player import read_view
from referee.engine.promises import Extension, read_extension
from referee.engine.table import Table, check_join, check_signed_offer
from referee.errors import Altered, BadSignature, CheckFailed, Malformed, RefereeError
from referee.evidence import proofs as p
from referee.evidence.court import judge_proof, read_proof, verdict
from referee.evidence.identify import document_kind
from referee.evidence.replay import read_transcript
from referee.evidence.rulings import Claimed, read_claim
from referee.language import t

DISPUTED = ("view", "transcript", "move", "receipt", "extension", "offer", "join", "proof", "claim")
"""Kinds of files that a dispute can be about."""
_LOOSE: dict[str, type[r.Move | r.Receipt | Extension]] = {"move": r.Move, "receipt": r.Receipt, "extension": Extension}
"""Those whose game shows when all tables are known."""


class PoolFinding(msgspec.Struct, frozen=True):
    """What some files show, and the proof of it if there is one."""

    verdict: p.Verdict
    files: tuple[str, ...] = ()
    proof: p.AnyProof | None = None


class SourceFile(msgspec.Struct, frozen=True):
    """A view or a transcript as it came: what no signature covers is checked after its chain was followed."""

    file: str
    head: str
    rounds: int
    seat: int = -1
    """Whose view it is; for a public view the first number that is not a seat."""
    public: str = ""
    """Hash of the position in it."""
    privates: frozenset[int] = frozenset()


class Case:
    """All that is known of one game."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.files: list[str] = []
        self.told: list[SourceFile] = []
        self.entries: dict[int, dict[str, tuple[r.Entry, Envelope]]] = {}
        """Round -> id -> entry."""
        self.privates: dict[int, dict[str, tuple[r.Private, Envelope]]] = {}
        """Round -> id -> private part."""
        self.receipts: dict[str, tuple[r.Receipt, Envelope]] = {}
        self.extensions: dict[str, tuple[Extension, Envelope]] = {}
        self.moves: dict[str, dict[str, tuple[r.Move, Envelope]]] = {}
        """Id -> signature -> move: who must have signed it is known only when it is used."""
        self.sealed: dict[tuple[int, int], r.Secrets] = {}
        """Sealed fields that somebody has kept."""
        self.ephemerals: dict[tuple[int, int], str] = {}
        """The keys with which they were encrypted."""
        self.transcripts: list[tuple[str, r.Transcript]] = []
        self.claims: dict[str, Claimed] = {}
        self.shown: list[PoolFinding] = []

    def add_move(self, move: r.Move, envelope: Envelope) -> None:
        """Add a move."""
        self.moves.setdefault(ident("move", bytes(envelope.body)), {})[envelope.sig] = move, envelope


class Pool:
    """Files of any number of games."""

    def __init__(self) -> None:
        self.cases: dict[str, Case] = {}
        self.offers: dict[str, tuple[str, str]] = {}
        """Offers by themselves: id -> file, game."""
        self.shown: list[PoolFinding] = []
        """Findings about files of no known game."""
        self._loose: list[tuple[str, str, Envelope]] = []
        self._checked: dict[tuple[str, str, str], Any] = {}
        """Game, id and signature -> the part, or None where it is not the host's."""

    def add(self, name: str, data: bytes) -> None:
        """Take a file in."""
        try:
            kind = document_kind(data)
            if kind not in DISPUTED:
                advice = t("give views, transcripts, moves, receipts, extensions, offers, joins, claims or proofs")
                raise Malformed(t("this file cannot be compared"), advice, code="wrong-kind")
            if kind in _LOOSE:
                # Their games are found when all tables are known.
                self._loose.append((name, kind, _without_unsigned(data)))
            else:
                getattr(self, f"_{kind}")(name, data)
        except RefereeError as error:
            self._tell(error, name)

    def _tell(self, error: RefereeError, name: str, case: Case | None = None) -> None:
        where = case.shown if case else self.shown
        found = verdict(error, case.table if case else None)
        where.append(PoolFinding(found, (name,)))

    def _case(self, name: str, genesis: Envelope) -> Case:
        """The case of the game that this genesis starts."""
        case = self.cases.get(ident("genesis", body_of(genesis, "genesis")))
        if case is None or genesis.sig != case.table.envelope.sig:
            table = signed_table(_detached(genesis))
            case = self.cases.setdefault(table.id, Case(table))
        case.files.append(name)
        return case

    # Files ----------------------------------------------------------------------------------------------------------

    def _view(self, name: str, data: bytes) -> None:
        view = read_view(data)
        case = self._case(name, view.genesis)
        ids = self._entries(name, case, view.entries)
        parts = [found for one in view.privates if (found := self._private(name, case, one)) is not None]
        seats = range(case.table.seats)
        if view.seat not in (None, *seats) or any(part.seat != view.seat for part in parts):
            self._tell(Altered("mixed-view", t("a private part of this view belongs to another seat")), name, case)
        rounds = frozenset(part.round for part in parts)
        head = ids[-1] if ids else case.table.id
        public = r.content(view.public)
        position = case.table.public_hash(len(view.entries), public) if public else ""
        case.told.append(
            SourceFile(name, head, len(view.entries), len(seats) if view.seat is None else view.seat, position, rounds)
        )

    def _transcript(self, name: str, data: bytes) -> None:
        transcript = read_transcript(data)
        case = self._case(name, transcript.genesis)
        ids = self._entries(name, case, transcript.entries)
        case.told.append(SourceFile(name, ids[-1] if ids else case.table.id, len(ids)))
        case.transcripts.append((name, transcript))

    def _proof(self, name: str, data: bytes) -> None:
        proof = read_proof(data)
        found = PoolFinding(judge_proof(proof), (name,), proof)
        if found.verdict.game:
            self._case(name, proof.genesis).shown.append(found)
        else:
            self.shown.append(found)

    def _offer(self, name: str, data: bytes) -> None:
        envelope = decode(data, Envelope, "offer")
        offer = decode(body_of(envelope, "offer"), r.Offer, "offer")
        check_signed_offer(offer, envelope)
        self.offers[ident("offer", bytes(envelope.body))] = name, offer.game

    def _join(self, name: str, data: bytes) -> None:
        envelope = decode(data, Envelope, "join")
        join = check_join(decode(body_of(envelope, "join"), r.Join, "join").offer, envelope)
        self._loose.append((name, join.offer, envelope))

    def _claim(self, name: str, data: bytes) -> None:
        """What a player says, and the move that it is about, which may be what a protest names."""
        found = read_claim(data)
        case = self._case(name, found.claim.genesis)
        case.claims[ident("claim", bytes(decode(data, Envelope, "claim").body))] = found
        case.add_move(found.move, found.claim.move)

    # Their parts ----------------------------------------------------------------------------------------------------

    def _entries(self, name: str, case: Case, envelopes: tuple[Envelope, ...]) -> list[str]:
        """The ids of those that are the host's, in the order in which the file has them."""
        ids: list[str] = []
        astray = 0
        for number, envelope in enumerate(envelopes, 1):
            entry, known = self._signed(name, case, envelope, "entry", r.Entry, number)
            if entry is None:
                continue
            astray = astray or number * ((entry.game, entry.round) != (case.table.id, number))
            if entry.game == case.table.id and entry.round:
                found = case.entries.setdefault(entry.round, {})
                if known not in found:
                    found[known] = entry, _detached(envelope)
                ids.append(known)
        if astray:
            self._tell(
                Altered("altered-chain", t("an entry is missing, or belongs to another game"), astray), name, case
            )
        return ids

    def _private(self, name: str, case: Case, envelope: Envelope) -> r.Private | None:
        part, known = self._signed(name, case, envelope, "private", r.Private, 0)
        if part is None:
            return None
        if part.game != case.table.id or part.seat >= case.table.seats:
            self._tell(
                Altered("mixed-view", t("a private part of this view belongs elsewhere"), part.round), name, case
            )
            return None
        found = case.privates.setdefault(part.round, {})
        if known not in found:
            found[known] = part, _detached(envelope)
        return part

    def _signed(
        self, name: str, case: Case, envelope: Envelope, kind: str, form: type[T], step: int
    ) -> tuple[T | None, str]:
        """A part that the host signed, and its id; the same bytes are checked once."""
        try:
            known = ident(kind, body_of(envelope, kind))
            place = case.table.id, known, envelope.sig
            if place not in self._checked:
                self._checked[place] = None
                self._checked[place] = read_part(envelope, kind, case.table, form, step)[0]
            return self._checked[place], known
        except CheckFailed:
            # Signed by the host and unreadable: these bytes alone prove it.
            parts = (envelope,) if kind == "private" else ()
            some = next((one for found in case.entries.values() for _, one in found.values()), envelope)
            proof = p.BadRound(p.PROOF_FILE, case.table.envelope, entry=some if parts else envelope, privates=parts)
            case.shown.append(PoolFinding(judge_proof(proof), (name,), proof))
        except RefereeError as error:
            self._tell(error, name, case)
        return None, ""

    # Moves, receipts and joins beside what was found -----------------------------------------------------------------

    def sort(self) -> None:
        """Moves, receipts and joins find their games."""
        offers = {case.table.offer_id: case for case in self.cases.values()}
        for name, kind, envelope in self._loose:
            try:
                if kind in _LOOSE:
                    self._part(name, kind, envelope)
                elif kind in offers:
                    offers[kind].files.append(name)
            except RefereeError as error:
                self._tell(error, name)
        self._loose = []
        for offer, (name, _) in self.offers.items():
            if offer in offers:
                offers[offer].files.append(name)

    def _part(self, name: str, kind: str, envelope: Envelope) -> None:
        """A move, a receipt or an extension, whose game is known now."""
        body = body_of(envelope, kind)
        part: r.Move | r.Receipt | Extension = decode(body, _LOOSE[kind], kind)
        case, place = self._of(part.game, kind), ident(kind, body)
        try:
            if isinstance(part, Extension):
                read_extension(case.table.host, envelope)
                if part.seat < case.table.seats:
                    case.extensions.setdefault(place, (part, envelope))
            elif isinstance(part, r.Receipt):
                check(case.table.host, envelope.sig, kind, body)
                case.receipts.setdefault(place, (part, envelope))
            else:
                if part.seat >= case.table.seats:
                    raise BadSignature(t("there is no such seat in this game"))
                if not case.table.offer.takeovers:  # otherwise the holder of the seat is known only later
                    check(case.table.keys[part.seat], envelope.sig, kind, body)
                case.add_move(part, envelope)
            case.files.append(name)
        except BadSignature as error:
            self._tell(Altered(error.code, error.message, 0 if kind == "extension" else part.round), name, case)

    def _of(self, game: str, kind: str) -> Case:
        if game not in self.cases:
            advice = t("needed: a view or a transcript of game {game}", game=game[:8])
            why = t("undecided: there are no other files here of the game that this {kind} belongs to", kind=t(kind))
            raise Malformed(why, advice, code="undecided")
        return self.cases[game]


def _detached(envelope: Envelope) -> Envelope:
    """A copy that does not keep the whole file in memory."""
    return Envelope(envelope.body.copy(), envelope.sig, envelope.type)


def _without_unsigned(data: bytes) -> Envelope:
    """A move or receipt without its unsigned parts."""
    file = decode(data, r.MoveFile, "move")
    return Envelope(file.body, file.sig, file.type)
