"""A saved mail as the signed documents in it, and the mail that answers it with one.

A player's tool takes such a file wherever it takes a document. Only documents come out of it: what the mail says beside
them is shown to people, and believed by nobody.
"""

import hashlib
import re
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import BinaryIO

import msgspec

from referee.errors import Malformed
from referee.evidence.identify import is_mail, kind_of
from referee.io.files import printable
from referee.io.kinds import MAILED, NAMES, either
from referee.language import Text, Told, Value
from referee.mail import in_one, mbox, t, w
from referee.mail.block import write_block
from referee.mail.headers import OURS, Envelope
from referee.mail.message import MESSAGE_MOST, Letter, read_message
from referee.mail.passes import INVITATION, found_in
from referee.mail.settings import ADDRESS

REFERENCES_MOST = 20
_ID = re.compile(r"<[!-;=?-~]{1,250}>")
_ANSWERED = re.compile(r"(?:re|aw|antw|betreft)\s?: ", re.IGNORECASE)


class Document(msgspec.Struct, frozen=True):
    """A signed document that came by mail. Its signature was not looked at yet."""

    kind: str
    name: str
    data: bytes
    block: str = ""
    """What it calls itself as a block in the text, which has no name."""

    @property
    def called(self) -> Value:
        """Its name, or what stands for one; empty if there is none."""
        return t("a block in the text, {kind}", kind=either((self.block,))) if self.block else printable(self.name)


class Mail(msgspec.Struct, frozen=True):
    """A mail, read, and the documents in it, each once."""

    letter: Letter
    documents: tuple[Document, ...]


# --- reading ---------------------------------------------------------------------------------------------------------


def mails_in(file: BinaryIO, path: str, note: Callable[[Text], None]) -> Iterator[bytes]:
    """The mails in a file: a mailbox can have many, any other file is one."""
    box = file.read(5) == b"From "
    file.seek(0)
    if box:
        yield from mbox.mails(file, path, note)
    else:
        yield file.read(MESSAGE_MOST + 1)


def read_mail(raw: bytes) -> Mail:
    """A single mail, whatever it is."""
    letter = read_message(raw.lstrip(b"\xef\xbb\xbf \t\r\n"))
    found = [Document(kind_of(one.data), one.name, one.data) for one in letter.attachments]
    blocks = [(block.kind, block.data.strip()) for block in letter.blocks if block.data]
    found += [Document(kind_of(data), "", data, kind) for kind, data in blocks]
    first = {one.data: one for one in reversed(found)}
    return Mail(letter, tuple(one for one in reversed(first.values()) if one.kind in MAILED))


def only_mail(raw: bytes, path: str) -> Mail:
    """The one mail in a file."""
    # A line of a text can look as if another mail began: that has no headers.
    box = mbox.mails(BytesIO(raw), path, lambda note: None) if raw.startswith(b"From ") else ()
    if (count := sum(map(is_mail, box))) > 1:
        raise Malformed(
            t("{path} is a mailbox with {count} mails", path=_named(path), count=count),
            t("save the one that you mean as a file of its own; `referee inbox DIR` shows which ones wait for you"),
            code="many-mails",
        )
    return read_mail(raw)


def only(mail: Mail, path: str, wanted: tuple[str, ...]) -> bytes:
    """The one document of these kinds in a mail; several or none are told in words."""
    found = [one for one in mail.documents if one.kind in wanted]
    if len(found) == 1:
        return found[0].data
    if found:
        listed = tuple(one.called or NAMES[one.kind][0] for one in found[:5])
        raise Malformed(
            t("{path} is a mail with {found} of them: {listed}", path=_named(path), found=len(found), listed=listed),
            t("save the one that you mean as a file of its own, and give that"),
            code="many-documents",
        )
    raise _without(mail, path, either(wanted))


def _without(mail: Mail, path: str, what: Value) -> Malformed:
    message = t("{path} is a mail without any {what}", path=_named(path), what=what)
    if instead := _instead(mail):
        message = t("{path} is a mail without any {what}; {instead}", path=_named(path), what=what, instead=instead)
    advice = t("give the mail that brought the {what}, saved whole with its attachments", what=what)
    return Malformed(message, advice, code="no-document")


def _instead(mail: Mail) -> Told:
    """What a mail has that is not wanted, or why nothing of it could be read."""
    if mail.documents:
        return t("it has {kinds}", kinds=tuple(dict.fromkeys(NAMES[one.kind][0] for one in mail.documents)))
    damaged = [
        t("the {kind} block in it cannot be read: {why}", kind=either((block.kind,)), why=block.why)
        for block in mail.letter.blocks
        if block.why
    ]
    return in_one((*damaged, *mail.letter.troubles)[:2])


def _named(path: str) -> Value:
    return t("this") if path == "-" else printable(path)


def main_document(mail: Mail, path: str) -> Document | None:
    """What a mail is about: the view or the offer in it, or its only document. A mail that is none of ours has none."""
    if not mail.documents and mail.letter.envelope.auto != OURS:
        raise _without(mail, path, t("document of this program"))
    about = [one for one in mail.documents if one.kind in ("view", "offer")] or mail.documents
    return about[0] if len(about) == 1 else None


def lines(mail: Mail) -> list[str]:
    """A mail that is not about one thing, in words."""
    envelope = mail.letter.envelope
    sender, subject = envelope.sender or w.sense("sender", "nobody"), envelope.subject or w("no subject")
    said = w("a mail that says it is from {sender}: {subject}", sender=sender, subject=subject)
    unnamed = w("without a name")
    listed = [f"  {NAMES[one.kind][0]}: {one.called or unnamed}" for one in mail.documents]
    nothing = w("it brings no signed document: read it as a mail")
    return [printable(line) for line in (said, *(listed or [f"  {nothing}"]))]


# --- answering -------------------------------------------------------------------------------------------------------


def return_address(envelope: Envelope) -> str:
    """Whom an answer goes to, as far as the mail names an address that every server takes."""
    found = (one for one in (envelope.reply_to, envelope.sender) if ADDRESS.fullmatch(one))
    return next(found, "")


def invitation_pass(letter: Letter, offer_id: str) -> str:
    """The pass that an invitation to this offer brought; empty if it has none, or several."""
    found = [one for one in found_in(letter) if (one.table, one.round) == (offer_id[:8], INVITATION)]
    return str(found[0]) if len(found) == 1 else ""


def reply(envelope: Envelope, document: Document, words: str) -> bytes:
    """A mail that answers another one and brings a document, attached and as a block; ready to be opened and sent.
    `words` say for people what it is. The same document gives the same bytes; the mail program says who sends it."""
    from email.message import EmailMessage
    from email.policy import SMTP

    answer = EmailMessage(SMTP.clone(max_line_length=200))  # shorter ones are broken before their first word
    answer["Subject"] = envelope.subject if _ANSWERED.match(envelope.subject) else f"Re: {envelope.subject}"
    answer["X-Unsent"] = "1"  # Outlook then opens it to be sent
    answer["MIME-Version"] = "1.0"
    # Below the mark of a signature: nobody takes it for an order.
    answer.set_content(f"{write_block(document.kind, document.data)}\n-- \n{words}\n")
    answer.add_attachment(document.data + b"\n", maintype="application", subtype="json", filename=document.name)
    answer.set_boundary(f"=_{hashlib.sha256(document.data).hexdigest()[:32]}")
    return _thread(envelope).encode() + answer.as_bytes()


def _thread(envelope: Envelope) -> str:
    """The headers by which a mail finds its way and its place. By hand: the library spells long ids as other words."""
    to = return_address(envelope)
    rows = [f"To: {to}"] if to else []
    if _ID.fullmatch(envelope.message_id):
        before = [one for one in envelope.references if _ID.fullmatch(one) and one != envelope.message_id]
        rows.append(f"In-Reply-To: {envelope.message_id}")
        rows.append("References: " + "\r\n ".join((*before[-REFERENCES_MOST:], envelope.message_id)))
    return "".join(f"{row}\r\n" for row in rows)
