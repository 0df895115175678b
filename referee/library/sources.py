"""What a function is given: bytes, which are only looked at, or a path, which is read through `referee.io.files`."""

import os
from collections.abc import Iterable

from referee.errors import Malformed, Usage
from referee.io import files, kinds
from referee.library import t

Source = bytes | str | os.PathLike[str]
"""The bytes of a document, or the path of its file."""


def load(source: Source, *wanted: str) -> bytes:
    """A document of one of these kinds, or any; a final newline, which editors and mailers add, is removed."""
    if isinstance(source, bytes):
        return _checked(source, wanted)
    path = path_of(source)
    return kinds.read(path, *wanted) if wanted else kinds.find(path)[1]


def several(sources: Source | Iterable[Source]) -> list[Source]:
    """Documents, of which there may be one."""
    if isinstance(sources, (bytes, str, os.PathLike)):
        return [sources]
    if not isinstance(sources, Iterable):
        raise Usage(t("this is neither bytes nor a path"), t("give the bytes of a document, or the path of its file"))
    return list(sources)


def path_of(source: Source) -> str:
    """The path of a file; `-` is a file of that name, not standard input."""
    if not isinstance(source, (str, os.PathLike)):
        raise Usage(t("this is neither bytes nor a path"), t("give the bytes of a document, or the path of its file"))
    path = os.fspath(source)
    return os.path.join(os.curdir, path) if path == "-" else path


def read_bytes(data: bytes, *wanted: str) -> bytes:
    """The same for bytes only: what must not be read beside the command line, which keeps a guard over its files."""
    if not isinstance(data, bytes):
        why = t("a host's game is given as bytes here")
        raise Usage(why, t("read the file yourself, and write what is returned; see the documentation of `apply`"))
    return _checked(data, wanted)


def _checked(data: bytes, wanted: tuple[str, ...]) -> bytes:
    most = files.LARGE if not wanted or any(kind in kinds.LARGE for kind in wanted) else files.SMALL
    if len(data) > most:
        raise Malformed(t("this is larger than any document of its kind"), t("give that document"), code="too-large")
    plain = data.rstrip(b"\r\n")
    if wanted:
        kinds.refuse_other(plain, "-", wanted)
    return plain
