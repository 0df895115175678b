"""An audit: a player's view, checked against everything that the player has."""

from collections import Counter
from collections.abc import Sequence

import msgspec

from referee.engine.chain import Followed
from referee.engine.player import Opened
from referee.engine.records import MoveFile
from referee.errors import CheckFailed, RefereeError
from referee.evidence.compare import compare, refusals
from referee.evidence.files import Loose, read_file
from referee.evidence.identify import document_kind
from referee.evidence.rulings import Claimed, read_claim
from referee.io import tickets
from referee.io.files import printable
from referee.io.tickets import Ticket
from referee.language import Message, listed
from referee.library import t, w
from referee.library.documents import read_document
from referee.library.looking import open_view
from referee.show.findings import Report, claims_in_words, late_in_words, report
from referee.show.text import clean


class Audit(msgspec.Struct, frozen=True):
    """A view beside other files of its player."""

    opened: Opened
    ticket: Ticket | None
    age: str
    """Whether the view is `new`, the `same` as was seen before, or `old`."""
    claims: tuple[Claimed, ...]
    moves: tuple[MoveFile, ...]
    compared: Counter[str]
    """Kind -> the number of files of that kind."""
    ignored: tuple[Message, ...]
    errors: tuple[RefereeError, ...]
    """Offences that are proved against the host come first: a bad file beside them must not hide them."""

    def concluded(self) -> Report:
        """What was checked. The view then counts as seen."""
        if self.age == "new":
            tickets.remember(self.ticket, self.opened.view)
        return report(self.opened, [*self.moves, *(one.claim.move for one in self.claims)])


def audit(path: str, others: Sequence[str]) -> Audit:
    """Play a whole game again from a view, and compare it with these files."""
    opened, ticket = open_view(read_document(path, "view"))
    age = tickets.age(ticket, opened)
    files, claims = list[Opened | Followed | Loose](), dict[bytes, Claimed]()
    troubles, kinds = list[RefereeError](), Counter[str]()
    for other in others:
        try:
            data = read_document(other, "view", "transcript", "move", "receipt", "extension", "claim")
            kind = document_kind(data)
            if kind == "claim":
                claims[data] = read_claim(data)  # the same one twice is one claim
            else:
                files.append(read_file(data))
            kinds[kind] += 1
        except RefereeError as error:
            error.message = t("{path}: {message}", path=printable(other), message=error.message)
            troubles.append(error)
    own = [one for one in claims.values() if one.table.id == opened.table.id]
    found, ignored = compare([opened, *files])
    loose = [file for file in files if isinstance(file, Loose)]
    found += refusals(opened, loose, ticket.ephemerals if ticket else {})
    return Audit(
        opened=opened,
        ticket=ticket,
        age=age,
        claims=tuple(own),
        moves=tuple(file for file in files if isinstance(file, MoveFile)),
        compared=kinds,
        ignored=(*ignored, *[t("a claim about another game")] * (len(claims) - len(own))),
        errors=(*found, *sorted(troubles, key=lambda error: error.exit != CheckFailed.exit)),
    )


def _counted(kind: str, n: int) -> str:
    """A number of files of one kind."""
    return {
        "view": w.plural("{n} view", "{n} views", n),
        "transcript": w.plural("{n} transcript", "{n} transcripts", n),
        "move": w.plural("{n} move", "{n} moves", n),
        "receipt": w.plural("{n} receipt", "{n} receipts", n),
        "extension": w.plural("{n} extension", "{n} extensions", n),
        "claim": w.plural("{n} claim", "{n} claims", n),
    }[kind]


def audit_lines(done: Audit, report: Report) -> tuple[list[str], list[str]]:
    """What was checked, what it was compared with, and what is not provable yet; and what to do next."""
    place, tokens = (
        {"game": report.game[:8], "round": report.rounds},
        {"open": report.openings, "own": report.own_openings},
    )
    if report.name:
        head = w("{name}'s view of game {game}, round {round}: all checks passed", name=clean(report.name), **place)
        opened = w("  {open} open tokens and {own} of your own hidden tokens are the ones committed to", **tokens)
    else:
        head = w("the public view of game {game}, round {round}: all checks passed", **place)
        opened = w("  {open} open tokens are the ones committed to", **tokens)
    checked = w("  {signatures} signatures, {draws} draws by the seed; every round replayed by the rules",
                signatures=report.signatures, draws=report.draws)  # fmt: skip
    compared = [w("what you have seen of this game before")] if done.ticket else []
    compared += [_counted(kind, count) for kind, count in done.compared.items()]
    beside = [w("  compared with {what}: no contradiction", what=listed(compared))] if compared else []
    notes = (*report.banks, *report.declared, *late_in_words(report), *claims_in_words(len(done.claims)))
    unproved = [w("  not provable yet: {what}", what=note) for note in report.unproved]
    older = [w("  this is an older view than one you have seen before")] if done.age == "old" else []
    if done.ignored:
        advice = w("Next: give the skipped files together with a view of their own game.")
    elif report.end:
        advice = w("Next: ask for the transcript and run `referee verify` on it.")
    else:
        advice = w("Next: play on; the rest is proved when the host reveals the transcript.")
    return [head, checked, opened, *beside, *(f"  {note}" for note in notes), *unproved, *older], [advice]
