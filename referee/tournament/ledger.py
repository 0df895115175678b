"""The ledger: every document of a tournament in order, one per line, append-only. Reading it verifies all of it."""

import re
from collections.abc import Iterable, Sequence

from referee.crypto.codec import PROJECT, H, decode, encode
from referee.crypto.envelope import Envelope, body_of, check, ident
from referee.crypto.keys import Key, refuse_weak
from referee.errors import Altered, BadSignature, Malformed, RefereeError, Usage
from referee.evidence.rulings import Ruled, binding_ruling
from referee.language import Text
from referee.tournament import documents as d
from referee.tournament import t
from referee.tournament.derivation import seed_of


class Part:
    """A stage of the tournament, as far as it has got."""

    def __init__(self, stage: d.Stage, name: str) -> None:
        self.stage, self.id = stage, name
        self.entrants: dict[str, d.Entrant] = {}
        """Id -> entrant, in the order of the ledger."""
        self.closing: d.Closing | None = None
        self.disclosed: dict[str, d.Disclosure] = {}
        """Id of a disclosure -> what it opens."""
        self.start: d.Start | None = None
        self.packs: list[d.Pack] = []
        self.pack_ids: list[str] = []
        self.withdrawals: list[d.Withdrawal] = []
        self.ending: d.Ending | None = None
        self.ids: dict[str, str] = {"stage": name}
        """Kind of an organiser's document -> its id, in order."""

    @property
    def players(self) -> tuple[tuple[str, d.Entrant], ...]:
        """Those who play: entrants that opened their nonces, in the order of the closing, each with its id."""
        opened = {one.entrant for one in self.disclosed.values()}
        order = self.closing.entrants if self.closing else ()
        return tuple((name, self.entrants[name]) for name in order if name in opened)

    def seed(self, secret: bytes) -> bytes:
        """The seed of the stage, from which everything else follows."""
        nonces = {one.entrant: one.nonce for one in self.disclosed.values()}
        return seed_of(secret, self.ids["start"], [nonces[name] for name, _ in self.players])

    def struck(self) -> dict[int, int]:
        """Player -> the number of the first game that it does not play."""
        since = {one.name: one.since for one in reversed(self.withdrawals)}
        return {at: since[one.name] for at, (_, one) in enumerate(self.players) if one.name in since}


class Ledger:
    """All stages of a tournament; the last one may still be open."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.rulings: dict[int, Ruled] = {}
        """Number of a game -> the arbiter's last ruling on it."""
        self.changes: list[tuple[str, d.Withdrawal | d.Amendment]] = []
        """What changed standings, each with the last id of a commitment line before it."""
        self._envelopes: list[Envelope] = []
        self._taken: set[str] = set()
        """Ids of all rulings."""

    @property
    def last(self) -> Part:
        return self.parts[-1]

    @property
    def played(self) -> int:
        """A number above those of all games that a pack or an ending binds."""
        numbers = [part.ending.numbers for part in self.parts if part.ending]
        return max([0, *numbers, *(pack.first + pack.count for part in self.parts for pack in part.packs[-1:])])

    @property
    def packs(self) -> list[d.Pack]:
        """The packs of all stages, in order: the place of one is the name of its file."""
        return [pack for part in self.parts for pack in part.packs]

    @property
    def names(self) -> list[str]:
        """All players of all stages, in order of first appearance. Results refer to entrants by this order."""
        return list(dict.fromkeys(one.name for part in self.parts for _, one in part.players))

    def bots(self) -> dict[str, d.Entrant]:
        return {one.name: one for part in self.parts for one in part.entrants.values()}

    def withdrawn(self) -> set[str]:
        return {one.name for part in self.parts for one in part.withdrawals}

    def ids(self) -> list[str]:
        """Ids of the organiser's documents, in order: whoever keeps them can detect any later change."""
        return [name for part in self.parts for kind, name in part.ids.items() if kind in ("stage", "start", "ending")]

    def ended(self) -> "Ledger":
        """The same as it was before a stage that is not over."""
        if self.last.ending is not None:
            return self
        found = Ledger()
        for envelope in self._envelopes:
            if envelope.type == f"{PROJECT}stage" and len(found.parts) == len(self.parts) - 1:
                break
            found.add(envelope)
        return found

    def add(self, envelope: Envelope) -> None:
        """Verify and add the next document, or raise for the first thing that is wrong with it."""
        kind = envelope.type.removeprefix(PROJECT)
        if kind not in d.FORMS or (kind != "stage" and not self.parts):
            raise Malformed(
                t("this is not a tournament document, or it is out of place"), t("use the ledger as it was sent")
            )
        body = body_of(envelope, kind)
        value = decode(body, d.FORMS[kind], kind)
        key = value.key if isinstance(value, d.Stage | d.Entrant) else self._signer(value)
        refuse_weak(bytes.fromhex(key))
        check(bytes.fromhex(key), envelope.sig, kind, body)
        name = ident(kind, body)
        if isinstance(value, d.Stage):
            self._stage(value, name)
        elif isinstance(value, d.Amendment):
            self._amend(value)
        else:
            self._step(self.last, value, name)
        self._envelopes.append(envelope)
        if isinstance(value, d.Withdrawal | d.Amendment):
            self.changes.append((self.ids()[-1], value))
        if isinstance(value, d.Closing | d.Start | d.Pack | d.Ending):
            self.last.ids[kind] = name

    def _amend(self, value: d.Amendment) -> None:
        """Add a ruling. Whether it is about the game with that number, only the games show."""
        _need(value.start == self.last.ids.get("start"), t("an amendment is for another stage"))
        found, name = binding_ruling(encode(value.ruling)), ident("ruling", bytes(value.ruling.body))
        _need(name not in self._taken, t("a ruling is recorded twice"))
        self._taken.add(name)
        self.rulings[value.number] = found

    def taken(self, ruling: Envelope) -> bool:
        """Whether this ruling is in the ledger."""
        return ident("ruling", bytes(ruling.body)) in self._taken

    def _signer(self, value: d.Document) -> str:
        if isinstance(value, d.Disclosure):
            _need(value.entrant in self.last.entrants, t("a disclosure names no entrant of this stage"))
            return self.last.entrants[value.entrant].key
        return self.last.stage.key

    def _stage(self, stage: d.Stage, name: str) -> None:
        if self.parts:
            ending = self.last.ids.get("ending", "")
            _need(stage.prev == ending != "", t("a stage does not follow the ending of the previous one"))
            _need(stage.key == self.last.stage.key, t("a stage has another organiser"))
        else:
            _need(not stage.prev, t("the first stage follows another one"))
        names = [one.name for one in stage.games]
        _need(len(set(names)) == len(names), t("two games of a stage have the same name"))
        if stage.arbiter:
            refuse_weak(bytes.fromhex(stage.arbiter))
        self.parts.append(Part(stage, name))

    def _step(self, part: Part, value: d.Document, name: str) -> None:
        """Add a document to its stage."""
        closing, start = part.ids.get("closing"), part.ids.get("start")
        if isinstance(value, d.Entrant):
            _need(not closing and value.stage == part.id, t("an entrant is for another stage, or too late"))
            taken = {word for one in part.entrants.values() for word in (one.name.lower(), one.key)}
            free = value.name.lower() not in taken and value.key not in taken
            _need(free, t("two entrants have the same name, or the same key"))
            several = t("{name} has several words, but is not a program", name=value.name)
            _need(value.bot.program or len(value.bot.run) == 1, several)
            _need(value.name not in self.withdrawn(), t("{name} was withdrawn", name=value.name))
            before = self.bots().get(value.name, value)
            _need(before.bot == value.bot, t("{name} is not the same bot as before under that name", name=value.name))
            part.entrants[name] = value
        elif isinstance(value, d.Closing):
            _need(not closing and value.stage == part.id, t("entries are closed twice"))
            _need(sorted(value.entrants) == sorted(part.entrants), t("the closing does not list the entrants"))
            part.closing = value
        elif isinstance(value, d.Disclosure):
            _need(not start and value.closing == closing, t("a disclosure does not follow the closing"))
            same = part.entrants[value.entrant].nonce == H("tournament-nonce", bytes.fromhex(value.nonce)).hex()
            _need(same, t("a disclosed nonce does not match the entrant's commitment"))
            _need(all(one.entrant != value.entrant for one in part.disclosed.values()), t("a nonce is disclosed twice"))
            part.disclosed[name] = value
        elif isinstance(value, d.Start):
            _need(not start and value.closing == closing, t("the start follows another closing"))
            _need(sorted(value.disclosures) == sorted(part.disclosed), t("the start does not list the disclosures"))
            part.start = value
        elif isinstance(value, d.Pack):
            self._pack(part, value, name)
        elif isinstance(value, d.Withdrawal):
            playing = value.name in self.names and value.name not in self.withdrawn()
            _need(playing, t("a withdrawal names a bot that does not play"))
            _need(value.start == start, t("a withdrawal is for another stage"))
            last = max((one.since for one in part.withdrawals), default=0)
            _need(value.since >= max(last, self.played), t("a withdrawal would affect games that were already played"))
            part.withdrawals.append(value)
        elif isinstance(value, d.Ending):
            self._end(part, value)

    def _pack(self, part: Part, pack: d.Pack, name: str) -> None:
        _need(pack.start == part.ids.get("start") and not part.ending, t("a pack is for another stage"))
        _need(pack.prev == part.ids.get("pack", ""), t("a pack does not follow the one before"))
        _need(pack.first >= self.played, t("the games of a pack are not those that follow"))
        part.packs.append(pack)
        part.pack_ids.append(name)

    def _end(self, part: Part, value: d.Ending) -> None:
        _need(value.start == part.ids.get("start"), t("the ending is for another stage"))
        _need(part.ending is None, t("a stage ends twice"))
        bound = H("tournament-secret", bytes.fromhex(value.secret)).hex()
        _need(bound == part.stage.secret, t("the secret is not the one that the organiser committed to"))
        last, games = part.ids.get("pack", ""), sum(pack.count for pack in part.packs)
        fits = (value.pack, value.games) == (last, games) and value.numbers >= self.played
        _need(fits, t("the ending does not name the last pack"))
        part.ending = value


def _need(holds: bool, otherwise: Text) -> None:
    if not holds:
        raise Malformed(otherwise, t("use the ledger and the documents as they were sent, unchanged"))


def read_ledger(lines: Iterable[bytes]) -> Ledger:
    """A whole ledger, verified; raises `Altered` naming the first bad line."""
    ledger = Ledger()
    for number, line in enumerate(lines, 1):
        try:
            ledger.add(decode(line, Envelope, "document"))
        except RefereeError as error:
            why = t("line {number} of the ledger: {message}", number=number, message=error.message)
            raise Altered("bad-ledger", why) from None
    if not ledger.parts:
        raise Altered("bad-ledger", t("the ledger is empty"))
    return ledger


def line_of(envelope: Envelope) -> bytes:
    return encode(envelope) + b"\n"


def organisers_secret(part: Part, key: Key) -> bytes:
    """The secret of a stage, which follows from the organiser's key."""
    secret = d.secret_of(key, bytes.fromhex(part.stage.nonce))
    if H("tournament-secret", secret).hex() != part.stage.secret:
        why = t("this is not the organiser's key")
        raise BadSignature(why, t("give the key that opened the tournament"), code="other-key")
    return secret


LINE = "referee-tournament/1"


def commitment(ledger: Ledger) -> str:
    """The line that entrants should keep."""
    return " ".join((LINE, *ledger.ids()))


def promised(line: str) -> Sequence[str]:
    """The ids in a commitment line."""
    head, *ids = line.split() or [""]
    if head != LINE or not ids or not all(re.fullmatch("[0-9a-f]{64}", one) for one in ids):
        why = t("this is not the commitment line of a tournament")
        raise Usage(why, t("give the whole line that you kept; it begins with {line}", line=LINE), code="bad-line")
    return ids
