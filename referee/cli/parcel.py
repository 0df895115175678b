"""How a signed answer travels: a file to send, or also a reply to the mail that asked for it."""

import os
from typing import Any, NamedTuple

from referee.cli import t, w
from referee.cli.common import say, sent
from referee.errors import Usage


class Parcel(NamedTuple):
    """Where a signed document goes, and the reply that brings it to the host if a mail is answered; else empty."""

    path: str
    reply: str = ""
    mail: Any = None

    def files(self, kind: str, data: bytes, words: str) -> dict[str, bytes]:
        """The reply, as a file to write."""
        from referee.mail import saved

        if not self.reply:
            return {}
        document = saved.Document(kind, os.path.basename(self.path), data)
        return {self.reply: saved.reply(self.mail.headers, document, words)}

    def joining(self, offer_id: str, data: bytes) -> dict[str, bytes]:
        """The reply to an invitation, which keeps its pass: by that the host knows who answers."""
        from referee.mail import saved

        found = saved.invitation_pass(self.mail, offer_id) if self.reply else ""
        if self.reply and not found:
            say(w("This mail has no pass of an invitation: the host may not know who answers."))
        words = w("I take part: my signed answer to the invitation.")
        return self.files("join", data, f"{words}\n{found}".strip())

    def next(self) -> str:
        """What to do with what was written."""
        if not self.reply:
            return w("Next: send {file} to the host.", file=sent(self.path))
        from referee.io.files import printable
        from referee.mail.saved import return_address

        reply, to = printable(self.reply), return_address(self.mail.headers)
        if not to:
            return w("Next: open {file} in your mail program and send it to the host: the mail names no address "
                     "to answer to.", file=reply)  # fmt: skip
        return w("Next: open {file} in your mail program and send it to {address}.", file=reply, address=to)


def parcel_for(mail: Any, output: str | None, name: str) -> Parcel:
    """Where an answer goes: `-o` names the document or the reply, by how it ends; the other one goes beside it."""
    as_mail = output is not None and output.lower().endswith(".eml")
    if as_mail and mail is None:
        raise Usage(
            t("this did not come as a mail: there is none to reply to"), t("give the saved mail, or another -o")
        )
    if mail is None or output == "-":
        return Parcel(output or name)
    path = os.path.join(os.path.dirname(output), name) if as_mail and output else output or name
    stem = path.removesuffix(".json").removesuffix(".move").removesuffix(".join")
    return Parcel(path, output if as_mail and output else f"{stem}.reply.eml", mail)
