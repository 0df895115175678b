"""Several files of one game side by side: do they tell the same story? A contradiction is a proof against the host."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from referee.crypto.codec import PROJECT, decode, encode
from referee.crypto.envelope import Envelope, ident, open_signed
from referee.engine.audit import Ledger, as_check, audit, follow
from referee.engine.player import open_view
from referee.engine.records import Answer, Entry, Move, Private, Receipt, Transcript
from referee.engine.replay import open_transcript, replay, verify
from referee.engine.table import Table
from referee.engine.view import private_part
from referee.errors import CheckFailed, Malformed


class _Kind(msgspec.Struct):
    """Just enough of a document to tell what it is."""

    format: str = ""
    type: str = ""


def kind_of(data: bytes) -> str:
    """`transcript`, `view`, `game`, `receipt`, `move`, `offer`...; empty if it is none of ours."""
    try:
        found = msgspec.json.decode(data, type=_Kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return ""
    name = found.format or found.type
    return name.removeprefix(PROJECT) if name.startswith(PROJECT) else ""


class Evidence:
    """All that was seen of one game: entries and private parts by round, receipts."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.entries: dict[int, dict[str, Entry]] = {}
        self.privates: dict[tuple[int, int], set[bytes]] = {}
        self.receipts: list[Receipt] = []

    def chain(self, entries: Sequence[msgspec.Raw]) -> None:
        """Note every entry of a chain, once it is known to be the host's."""
        follow(self.table, entries)
        for data in entries:
            envelope = decode(bytes(data), Envelope, "entry")
            entry = decode(bytes(envelope.body), Entry, "entry")
            self.entries.setdefault(entry.round, {})[ident("entry", bytes(envelope.body))] = entry

    def private(self, part: Private) -> None:
        self.privates.setdefault((part.round, part.seat), set()).add(encode(part))

    def contradictions(self) -> None:
        """Raise the first contradiction, by round."""
        for number in sorted(self.entries):
            if len(self.entries[number]) > 1:
                raise _proof("two-entries", number, "the host signed two different entries for one round")
        for number, seat in sorted(self.privates):
            if len(self.privates[number, seat]) > 1:
                raise _proof("two-privates", number, f"the host told seat {seat + 1} two different things")
        for receipt in sorted(self.receipts, key=lambda receipt: receipt.round):
            self._receipt(receipt)

    def _receipt(self, receipt: Receipt) -> None:
        for entry in self.entries.get(receipt.round, {}).values():
            if receipt.code != "taken":
                continue
            if receipt.seat in entry.timeouts:
                raise _proof(
                    "taken-and-timed-out",
                    receipt.round,
                    f"the host took seat {receipt.seat + 1}'s answer and then said it never came",
                )
            if receipt.move not in (self._move_id(entry, answer) for answer in entry.answers):
                raise _proof(
                    "taken-and-dropped",
                    receipt.round,
                    f"the host took an answer of seat {receipt.seat + 1} that the entry does not have",
                )

    def _move_id(self, entry: Entry, answer: Answer) -> str:
        move = Move(entry.game, entry.round, entry.prev, answer.seat, answer.link, answer.answer, answer.commit)
        return ident("move", encode(move))


def _proof(code: str, number: int, message: str) -> CheckFailed:
    return CheckFailed(code, f"round {number}: {message}", step=number)


def compare(files: Iterable[bytes]) -> None:
    """Raise the first contradiction among views, transcripts and receipts of any number of games."""
    games: dict[str, Evidence] = {}
    offers: dict[str, str] = {}
    loose: list[Envelope] = []
    transcripts = []
    for data in files:
        kind = kind_of(data)
        if kind == "view":
            opened = as_check(open_view, data)
            found = _evidence(games, offers, opened.table)
            found.chain(opened.view.entries)
            found.private(opened.private)
        elif kind == "transcript":
            transcript, table = as_check(open_transcript, data)
            transcripts.append((transcript, table))
            _evidence(games, offers, table).chain(transcript.entries)
        elif kind == "receipt":
            loose.append(decode(data, Envelope, "receipt"))
        else:
            raise Malformed("this file cannot be compared", "give transcripts, views or receipts", code="wrong-kind")
    for envelope in loose:
        receipt = decode(bytes(envelope.body), Receipt, "receipt")
        if receipt.game in games:
            owner = games[receipt.game]
            owner.receipts.append(open_signed(envelope, "receipt", owner.table.host, Receipt))
    for found in games.values():
        found.contradictions()
    for transcript, table in transcripts:
        _against_replay(games[table.id], transcript, table)


def _evidence(games: dict[str, Evidence], offers: dict[str, str], table: Table) -> Evidence:
    if offers.setdefault(table.offer_id, table.id) != table.id:
        raise CheckFailed("two-geneses", "the host started two games from one offer", step=0)
    return games.setdefault(table.id, Evidence(table))


def _against_replay(found: Evidence, transcript: Transcript, table: Table) -> None:
    """Every private part that is at hand is the one that the replay gives."""
    if not found.privates:
        return
    for _, state in replay(transcript, table, Ledger(table)):
        for (number, seat), parts in found.privates.items():
            if number == state.round and encode(private_part(table, state, seat)) not in parts:
                raise _proof("false-view", number, f"the host told seat {seat + 1} something false")


def check_file(data: bytes) -> Any:
    """The full check of one file: `Verified` for a transcript, `Report` for a view, the receipt for a receipt."""
    kind = kind_of(data)
    if kind == "transcript":
        return verify(data)
    if kind == "view":
        return audit(data)
    if kind == "receipt":
        return decode(bytes(decode(data, Envelope, "receipt").body), Receipt, "receipt")
    raise Malformed("this file cannot be verified", "give transcripts, views or receipts", code="wrong-kind")
