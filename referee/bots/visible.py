"""What a bot may see: the system, the program that runs it, and its own files; nothing else on this machine."""

import glob
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from referee.bots import t
from referee.errors import Usage
from referee.io import files as io_files
from referee.language import quoted

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")
"""Programs and libraries that every user of this machine can read."""
ETC = ("alternatives", "crypto-policies", "java", "java-*", "jvm*", "ld.so.cache", "ld.so.conf", "ld.so.conf.d",
       "localtime", "ssl/certs", "ssl/openssl.cnf")  # fmt: skip
"""What programs need from /etc to start."""
_PARTS = ("bin", "lib", "lib64", "libexec", "conf", "jre", "release", "pyvenv.cfg")
"""The parts of an interpreter's own folder that it needs: never the whole folder, which may be a home directory."""
_PLAIN = ("/usr/local/bin", "/usr/bin", "/bin")


class Program(NamedTuple):
    """A command that can be started in any folder, and what it must see for that."""

    words: tuple[str, ...]
    shown: tuple[str, ...] = ()
    """Files and folders, visible under their own paths."""
    path: tuple[str, ...] = _PLAIN
    """Where it finds programs."""
    confined: bool = True


def command(
    words: Sequence[str], files: Sequence[str], hidden: Sequence[str] = (), *, confined: bool = True
) -> Program:
    """A command with its files; `hidden` are folders that no bot may see. Arguments that are existing paths are made
    absolute."""
    found = shutil.which(words[0]) if words else None
    if found is None:
        why = t("cannot run this command: {named}", named=quoted(words[0][:80]) if words else t("nothing"))
        raise Usage(why, t("give a program and its arguments after --"), code="no-bot")
    whole = [real_tool(os.path.abspath(found))]
    whole += [os.path.abspath(word) if os.path.exists(word) else word for word in words[1:]]
    return program_of(whole, [os.path.abspath(file) for file in files], hidden, confined=confined)


def program_of(words: Sequence[str], files: Sequence[str], hidden: Sequence[str], *, confined: bool = True) -> Program:
    """The same for absolute paths."""
    tools = [tool for tool in (words[0], *_interpreter(words[0])) if is_tool(tool)]
    shown = [*(part for tool in tools for part in toolchain(tool)), *files]
    if confined:
        refuse_exposed(shown, hidden)
    places = [os.path.dirname(tool) for tool in tools if not _in_system(tool)]
    return Program(tuple(words), tuple(dict.fromkeys(shown)), tuple(dict.fromkeys((*places, *_PLAIN))), confined)


def named_files(words: Sequence[str]) -> list[str]:
    """The arguments of a command that are files or folders, and the program itself unless it is a tool."""
    own = [word for word in words[1:] if os.path.exists(word) and not _in_system(os.path.abspath(word))]
    found = shutil.which(words[0]) if words else None
    return own if found is None or is_tool(os.path.abspath(found)) else [found, *own]


# --- programs that run bots ------------------------------------------------------------------------------------------


def is_tool(path: str) -> bool:
    """Whether a program belongs to the system, is this interpreter, or is on PATH: then it is not part of a bot."""
    return _in_system(path) or path == _ours() or os.path.dirname(path) in os.environ.get("PATH", "").split(os.pathsep)


def real_tool(path: str) -> str:
    """The program itself, if a version manager put a script of that name in front of it."""
    folder, name = os.path.split(path)
    if os.path.basename(folder) != "shims":
        return path
    if name in ("python", "python3", f"python3.{sys.version_info.minor}"):
        return _ours()
    why = t("{path} is a wrapper script that looks up the program", path=io_files.printable(path))
    raise Usage(why, t("give the path of {name} itself, or put its folder first on PATH", name=name), code="no-bot")


def _ours() -> str:
    return os.path.abspath(sys.executable)


def toolchain(path: str) -> Iterator[str]:
    """The parts that a program needs of its own folder, and of every folder that symbolic links lead to."""
    for one in _links(path):
        if _in_system(one) or one.startswith("/etc/"):  # visible to every bot anyway
            continue
        folder, prefix = os.path.dirname(one), os.path.dirname(os.path.dirname(one))
        if os.path.basename(folder) != "bin" or _within(os.path.expanduser("~"), prefix):
            yield one
        else:
            yield from (part for name in _PARTS if os.path.exists(part := os.path.join(prefix, name)))


def _links(path: str) -> Iterator[str]:
    """A path, the links it goes through, and its target."""
    for _ in range(40):
        yield path
        if not os.path.islink(path):
            break
        path = os.path.normpath(os.path.join(os.path.dirname(path), os.readlink(path)))
    yield os.path.realpath(path)


def _interpreter(path: str) -> list[str]:
    """The interpreter of a script, if its first line names one that is a tool."""
    try:
        with open(path, "rb") as file:
            line = file.read(256).split(b"\n")[0]
    except OSError:
        return []
    words = os.fsdecode(line[2:]).split() if line.startswith(b"#!") else []
    if len(words) > 1 and os.path.basename(words[0]) == "env":
        words = [shutil.which(words[-1]) or "", *words]
    return [real_tool(words[0])] if words and os.path.isabs(words[0]) and is_tool(words[0]) else []


# --- what must stay hidden -------------------------------------------------------------------------------------------


def refuse_exposed(shown: Sequence[str], hidden: Sequence[str]) -> None:
    """Refuse to show a folder that contains something no bot may see, or anything next to keys."""
    keys = io_files.home()
    for path in shown:
        for secret in (*hidden, keys, os.path.expanduser("~")):
            if _within(secret, path):
                _refuse(path, secret)
        if _within(path, keys):
            _refuse(path, keys)
    for folder in (*SYSTEM, *etc()):
        for secret in (*hidden, keys):
            if _within(secret, folder):
                _refuse(folder, secret)


def _refuse(path: str, folder: str) -> None:
    seen, secret = io_files.printable(path), io_files.printable(folder)
    why = t("a bot that can see {path} could see {folder}, which no bot may see", path=seen, folder=secret)
    raise Usage(why, t("put the bot's files into a separate folder"), code="exposed")


def _within(path: str, folder: str) -> bool:
    one, two = os.path.realpath(path), os.path.realpath(folder)
    return one == two or one.startswith(two.rstrip("/") + "/")


def _in_system(path: str) -> bool:
    return any(path.startswith(f"{folder}/") for folder in SYSTEM)


def etc() -> list[str]:
    """Those paths of /etc that exist here."""
    return sorted(path for name in ETC for path in glob.glob(f"/etc/{name}"))
