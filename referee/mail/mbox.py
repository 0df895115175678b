"""The mails in an mbox file, one after the other, however large the file is."""

import re
from collections.abc import Callable, Iterator
from typing import BinaryIO

from referee.io import files
from referee.language import Text
from referee.mail import t
from referee.mail.message import MESSAGE_MOST

LINE_MOST = 65_536
_PARTS = re.compile(rb"From \S+ .*\d\d:\d\d")
"""`From anna@example.org Sun Jan  3 10:00:00 2027`; a sentence may begin with the same word."""


def mails(file: BinaryIO, path: str, note: Callable[[Text], None]) -> Iterator[bytes]:
    """The mails of an mbox file, without the lines `From ` that part them. `>From ` is left so: whether it was a line
    that the player wrote or one that was quoted cannot be told, and quoted is the safe reading."""
    parts: list[bytes] = []
    size, blank, begins = 0, True, True
    while line := file.readline(LINE_MOST):
        if begins and blank and _PARTS.match(line):
            if parts and size <= MESSAGE_MOST:
                yield b"".join(parts)
            parts, size = [], 0
            blank, begins = False, line.endswith(b"\n")
            continue
        size += len(line)
        if size <= MESSAGE_MOST:
            parts.append(line)
        elif parts:
            note(t("a mail in {path} is left alone: too large", path=files.printable(path)))
            parts = []
        blank, begins = begins and line in (b"\n", b"\r\n"), line.endswith(b"\n")
    if parts:
        yield b"".join(parts)
