"""What a document says, for a person who has only its file."""

from collections.abc import Callable, Mapping
from functools import partial

from referee.crypto.codec import decode
from referee.evidence.identify import edition_of
from referee.io import tickets
from referee.io.keyfile import KeyFile
from referee.library import w
from referee.show import documents


def _key(data: bytes) -> list[str]:
    if data.startswith(b"-----BEGIN"):
        return [w("an OpenSSH private key: keep it secret")]
    file = decode(data, KeyFile, "key file")
    return documents.key_lines(file.name, file.public, locked=file.box is not None)


def _mail(data: bytes) -> list[str]:
    from referee.mail import saved

    return saved.lines(saved.read_mail(data))


_LINES: Mapping[str, Callable[[bytes], list[str]]] = {
    "offer": documents.offer_lines,
    "join": documents.join_lines,
    "succession": documents.succession_lines,
    "transcript": documents.transcript_lines,
    "proof": documents.proof_lines,
    "ruling": documents.ruling_lines,
    "claim": documents.claim_lines,
    "move": partial(documents.move_lines, known=tickets.table_of, own=tickets.remembered_fields),
    "receipt": partial(documents.receipt_lines, known=tickets.table_of),
    "extension": partial(documents.extension_lines, known=tickets.table_of),
    "word": partial(documents.word_lines, known=tickets.table_of),
    "return": partial(documents.return_lines, known=tickets.table_of),
    "key": _key,
    "ssh": _key,
    "mail": _mail,
    "edition": lambda data: [w("an edition of {game}", game=edition_of(data))],
}


def described(kind: str, data: bytes) -> list[str]:
    """What a document says; nothing for a file that is not one of ours."""
    return _LINES[kind](data) if kind in _LINES else []
