"""The signed documents in a saved mail, and the mail that answers it with one.

A player can give such a file wherever a document is expected. Only the documents count: whatever else the mail says is
shown to people, but never trusted.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from typing import BinaryIO

import msgspec

from referee.errors import Malformed
from referee.evidence.identify import is_mail, kind_of
from referee.io.files import either, printable
from referee.io.kinds import MAILED, NAMES
from referee.language import Text, Value
from referee.mail import combined, t, w
from referee.mail.block import write_block
from referee.mail.compose import REFERENCES_MOST, is_id
from referee.mail.headers import OURS, Headers
from referee.mail.message import MESSAGE_MOST, Letter, mails_in_box, read_message
from referee.mail.passes import INVITATION, found_in
from referee.mail.settings import ADDRESS

MADE_WITH = "pbem-referee/program"
"""The last line of a reply, by which an office knows what its player uses; that of a page is in `sending.mjs`."""
_ANSWERED = re.compile(r"(?:re|aw|antw|betreft)\s?: ", re.IGNORECASE)


class Document(msgspec.Struct, frozen=True):
    """A signed document in a mail. Its signature has not been verified yet."""

    kind: str
    name: str
    data: bytes
    block: str = ""
    """The kind that a block in the text names, which has no file name."""

    @property
    def called(self) -> Value:
        """Its name, or a description in its place; empty if there is none."""
        return t("a block in the text, {kind}", kind=either((self.block,))) if self.block else printable(self.name)


# --- reading ---------------------------------------------------------------------------------------------------------


def mails_in(file: BinaryIO, path: str, note: Callable[[Text], None]) -> Iterator[bytes]:
    """The mails in a file: a mailbox can contain many, any other file is one mail."""
    box = file.read(5) == b"From "
    file.seek(0)
    if box:
        yield from mails_in_box(file, path, note)
    else:
        yield file.read(MESSAGE_MOST + 1)


def read_mail(raw: bytes) -> Letter:
    """Parse a single mail, whatever it contains."""
    return read_message(raw.lstrip(b"\xef\xbb\xbf \t\r\n"))


def documents(mail: Letter) -> tuple[Document, ...]:
    """The documents in a mail, each once."""
    found = [Document(kind_of(one.data), one.name, one.data) for one in mail.attachments]
    blocks = [(block.kind, block.data.strip()) for block in mail.blocks if block.data]
    found += [Document(kind_of(data), "", data, kind) for kind, data in blocks]
    first = {one.data: one for one in reversed(found)}
    return tuple(one for one in reversed(first.values()) if one.kind in MAILED)


def only_mail(raw: bytes, path: str) -> Letter:
    """The one mail in a file."""
    # A line of a text can look like the beginning of another mail, but it has no headers.
    box = mails_in_box(BytesIO(raw), path, lambda note: None) if raw.startswith(b"From ") else ()
    if (count := sum(map(is_mail, box))) > 1:
        raise Malformed(
            t("{path} is a mailbox with {count} mails", path=_without_name(path), count=count),
            t("save the one you mean as a separate file; `referee inbox DIR` shows which ones are waiting for you"),
            code="many-mails",
        )
    return read_mail(raw)


def only(mail: Letter, path: str, wanted: tuple[str, ...]) -> bytes:
    """The one document of these kinds in a mail; an error if there are several or none."""
    every = documents(mail)
    found = [one for one in every if one.kind in wanted]
    if len(found) == 1:
        return found[0].data
    if found:
        listed = tuple(one.called or NAMES[one.kind][0] for one in found[:5])
        raise Malformed(
            t(
                "{path} is a mail with {found} of them: {listed}",
                path=_without_name(path),
                found=len(found),
                listed=listed,
            ),
            t("save the one you mean as a separate file, and give that"),
            code="many-documents",
        )
    raise _without(mail, every, path, either(wanted))


def _without(mail: Letter, found: Sequence[Document], path: str, what: Value) -> Malformed:
    """An error that says what a mail contains instead, or why nothing in it could be read."""
    message = t("{path} is a mail without any {what}", path=_without_name(path), what=what)
    damaged = [
        t("the {kind} block in it cannot be read: {why}", kind=either((block.kind,)), why=block.why)
        for block in mail.blocks
        if block.why
    ]
    instead = combined((*damaged, *mail.troubles)[:2])
    if found:
        instead = t("it contains {kinds}", kinds=tuple(dict.fromkeys(NAMES[one.kind][0] for one in found)))
    if instead:
        message = t(
            "{path} is a mail without any {what}; {instead}", path=_without_name(path), what=what, instead=instead
        )
    advice = t("give the mail that contains the {what}, saved with its attachments", what=what)
    return Malformed(message, advice, code="no-document")


def _without_name(path: str) -> Value:
    return t("this") if path == "-" else printable(path)


def main_document(mail: Letter, path: str) -> Document | None:
    """What a mail is about: the view or offer in it, or its only document; None if there is no such document."""
    found = documents(mail)
    if not found and mail.headers.auto != OURS:
        raise _without(mail, found, path, t("document of this program"))
    about = [one for one in found if one.kind in ("view", "offer")] or found
    return about[0] if len(about) == 1 else None


def lines(mail: Letter) -> list[str]:
    """Describe a mail that is not about a single document."""
    headers = mail.headers
    sender, subject = headers.sender or w.sense("sender", "nobody"), headers.subject or w("no subject")
    heading = w("a mail that says it is from {sender}: {subject}", sender=sender, subject=subject)
    unnamed = w("without a name")
    listed = [f"  {NAMES[one.kind][0]}: {one.called or unnamed}" for one in documents(mail)]
    nothing = w("it contains no signed document: read it in your mail program")
    return [printable(line) for line in (heading, *(listed or [f"  {nothing}"]))]


# --- answering -------------------------------------------------------------------------------------------------------


def return_address(headers: Headers) -> str:
    """Where an answer goes, if the mail names an address that every server accepts."""
    found = (one for one in (headers.reply_to, headers.sender) if ADDRESS.fullmatch(one))
    return next(found, "")


def invitation_pass(letter: Letter, offer_id: str) -> str:
    """The pass in an invitation to this offer; empty if there is none, or several."""
    found = [one for one in found_in(letter) if (one.table, one.round) == (offer_id[:8], INVITATION)]
    return str(found[0]) if len(found) == 1 else ""


def reply(headers: Headers, document: Document, words: str) -> bytes:
    """A reply to a mail with a document, attached and as a block, ready to be opened and sent. `words` tell people what
    it is. The same document gives the same bytes; the mail program fills in the sender."""
    from email.message import EmailMessage
    from email.policy import SMTP

    answer = EmailMessage(SMTP.clone(max_line_length=200))  # with less, long ids are wrapped before their first word
    answer["Subject"] = headers.subject if _ANSWERED.match(headers.subject) else f"Re: {headers.subject}"
    answer["X-Unsent"] = "1"  # makes Outlook open it as a draft
    answer["MIME-Version"] = "1.0"
    # Below the signature marker, so that it is not read as an order.
    answer.set_content(f"{write_block(document.kind, document.data)}\n-- \n{words}\n{MADE_WITH}\n")
    answer.add_attachment(document.data + b"\n", maintype="application", subtype="json", filename=document.name)
    answer.set_boundary(f"=_{hashlib.sha256(document.data).hexdigest()[:32]}")
    return _thread(headers).encode() + answer.as_bytes()


def _thread(headers: Headers) -> str:
    """The headers for recipient and thread. By hand: the library encodes long ids."""
    to = return_address(headers)
    rows = [f"To: {to}"] if to else []
    if is_id(headers.message_id):
        before = [one for one in headers.references if is_id(one) and one != headers.message_id]
        rows.append(f"In-Reply-To: {headers.message_id}")
        rows.append("References: " + "\r\n ".join((*before[-REFERENCES_MOST:], headers.message_id)))
    return "".join(f"{row}\r\n" for row in rows)
