"""The files that a command is given: documents, saved mails that bring one, keys; and where a signed answer goes."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from referee.crypto.codec import decode
from referee.crypto.keys import Key
from referee.errors import FileTrouble, RefereeError, Usage
from referee.io import files, keyfile, kinds
from referee.io.keyfile import key_in
from referee.language import Text, run
from referee.library import t, w

if TYPE_CHECKING:
    from referee.mail.message import Letter

KEYS_MOST = 200
OwnKeys = dict[str, str | None]
"""Public half -> the file of one of your keys, if a command must name it."""


def read_document(path: str, *wanted: str) -> bytes:
    """A file of one of these kinds, or the one in a saved mail; for any other the error says what it is."""
    return read_mailed(path, *wanted)[0]


def read_mailed(path: str, *wanted: str) -> "tuple[bytes, Letter | None]":
    """A file of one of these kinds, or the one in a saved mail, with that mail."""
    mails: list[Letter] = []

    def unpack(raw: bytes) -> bytes:
        from referee.mail import saved

        mails.append(saved.only_mail(raw, path))
        return saved.only(mails[0], path, wanted)

    data = kinds.read(path, *wanted, unpack=unpack if set(wanted) <= set(kinds.MAILED) else None)
    return data, mails[0] if mails else None


def find_document(path: str) -> tuple[str, bytes]:
    """Any file, and its kind; of a mail, what it brings, if that is one thing."""
    kind, data = kinds.find(path)
    if kind != "mail":
        return kind, data
    from referee.mail import saved

    found = saved.main_document(saved.only_mail(data, path), path)
    return (found.kind, found.data) if found else (kind, data)


def refuse_existing(*paths: str) -> None:
    """A new file must not overwrite anything."""
    for path in paths:
        if path != "-" and os.path.lexists(path):
            why = t("{path} already exists", path=files.printable(path))
            raise FileTrouble(why, t("choose another name with -o"), code="exists")


def write_new(written: Mapping[str, bytes], key: Mapping[str, bytes] = {}) -> None:
    """Write files that are new, and before them a key, without which they are useless."""
    refuse_existing(*written, *key)
    files.write({**key, **written}, secret=[*key], make=[os.path.dirname(path) for path in key])


def refuse_same(output: str, *used: str) -> None:
    """A result must not overwrite what it was made from, nor the key."""
    if output != "-" and os.path.realpath(output) in map(os.path.realpath, used):
        raise Usage(t("the result would overwrite a file that is read here"), t("choose another name with -o"))


class Parcel(NamedTuple):
    """Where a signed document goes, and the reply that brings it to the host if a mail is answered; else empty."""

    path: str
    reply: str = ""
    mail: "Letter | None" = None

    def replies(self, kind: str, data: bytes, words: str) -> dict[str, bytes]:
        """The reply with a document, as a file to write; nothing if no mail is answered."""
        if self.mail is None:
            return {}
        from referee.mail import saved

        document = saved.Document(kind, os.path.basename(self.path), data)
        return {self.reply: saved.reply(self.mail.headers, document, words)}

    def pass_for(self, offer_id: str) -> str:
        """The pass of the invitation that is answered, by which the host knows who answers; empty if there is none."""
        if self.mail is None:
            return ""
        from referee.mail.saved import invitation_pass

        return invitation_pass(self.mail, offer_id)

    @property
    def next(self) -> str:
        """What to do with what was signed."""
        if self.mail is None:
            return w("Next: send {file} to the host.", file=w("it") if self.path == "-" else files.printable(self.path))
        from referee.mail.saved import return_address

        reply, to = files.printable(self.reply), return_address(self.mail.headers)
        if not to:
            return w("Next: open {file} in your mail program and send it to the host: the mail names no address "
                     "to answer to.", file=reply)  # fmt: skip
        return w("Next: open {file} in your mail program and send it to {address}.", file=reply, address=to)


def parcel_for(mail: "Letter | None", output: str | None, name: str) -> Parcel:
    """Where an answer goes: `-o` names the document or the reply, by how it ends, or the folder for both."""
    if output is not None and os.path.isdir(output):
        output = os.path.join(output, name)
    as_mail = output is not None and output.lower().endswith(".eml")
    if as_mail and mail is None:
        raise Usage(
            t("this did not arrive by mail, so there is nothing to reply to"), t("give the saved mail, or another -o")
        )
    if mail is None or output == "-":
        return Parcel(output or name)
    path = os.path.join(os.path.dirname(output), name) if as_mail and output else output or name
    stem = path.removesuffix(".json").removesuffix(".move").removesuffix(".join")
    return Parcel(path, output if as_mail and output else f"{stem}.reply.eml", mail)


# --- keys -------------------------------------------------------------------------------------------------------------


def default_key() -> str:
    """The default path of your own key."""
    return os.path.join(files.home(), "key.json")


def with_key(key: str | None) -> tuple[str, ...]:
    """The words of a command that name the key, if one was given."""
    return () if key is None else ("--key", key)


def public_half(path: str | None = None) -> str:
    """The public half of a key, without its passphrase; empty if it cannot be read that way."""
    try:
        data = key_in(kinds.read(default_key() if path is None else path, "key", "player"))
        ssh = data.startswith(b"-----")
        return keyfile.load(data).public.hex() if ssh else decode(data, keyfile.KeyFile, "key file").public
    except RefereeError:
        return ""


def own_keys(path: str | None) -> OwnKeys:
    """All keys in the folder of your key, and the one that was named."""
    folder = files.home()
    names = sorted(os.listdir(folder))[:KEYS_MOST] if os.path.isdir(folder) else []
    beside = [one for one in (os.path.join(folder, name) for name in names) if os.path.isfile(one)]
    keys: OwnKeys = {public_half(one): one for one in beside}
    keys[public_half()] = None
    if path is not None:
        keys[public_half(path)] = path
    keys.pop("", None)
    return keys


def read_public(text: str | None, wrong: Text) -> bytes:
    """A public key, as `referee key` prints it; empty if none was given."""
    if text is None:
        return b""
    if len(text) != 64 or not set(text) <= set("0123456789abcdef"):
        raise Usage(wrong, t("give what {run} prints", run=run("key")))
    return bytes.fromhex(text)


def player_name(key: Key, given: str | None) -> str:
    """The name under which somebody plays: the one that was given, or the key's."""
    wanted = key.name if given is None else given
    if not wanted:
        raise Usage(t("your key has no name"), t("say who you are with --name"), code="no-name")
    return wanted
