"""What the commands share: where messages go, how keys are found, how options are spelled."""

import os
import sys
from typing import Annotated, Any, TextIO

import typer

from referee.errors import BadSignature, FileTrouble, Usage

KeyOption = Annotated[
    str | None,
    typer.Option("--key", metavar="FILE", help="Key file, or an OpenSSH Ed25519 key. Default: your own key."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Report as JSON on standard output.")]
DryOption = Annotated[bool, typer.Option("--dry-run", help="Check everything, write nothing.")]
OutOption = Annotated[
    str | None,
    typer.Option("--out", metavar="DIR", help="Folder for views and receipts. Default: beside the game file."),
]
DueOption = Annotated[
    str | None,
    typer.Option(
        "--due", metavar="TIME", help="Deadline for the next answers, signed into the entry: 2026-12-24T18:00Z."
    ),
]
GameArgument = Annotated[str, typer.Argument(metavar="GAME.json", help="The host's game file.")]
ViewArgument = Annotated[str, typer.Argument(metavar="VIEW.json", help="Your view; - for standard input.")]


def say(text: str) -> None:
    """A message for people."""
    print(text, file=sys.stderr)  # noqa: T201


def out(text: str) -> None:
    """Data. A reader that has seen enough ends the command, and that is no error."""
    try:
        print(text)  # noqa: T201
    except BrokenPipeError:
        stop_writing()
        raise typer.Exit(0) from None


def stop_writing() -> None:
    """Nobody reads standard output any more, or it is full: keep the interpreter from trying again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def report(value: Any) -> None:
    """A report for programs."""
    import msgspec

    out(spelled(msgspec.json.encode(value, order="sorted").decode()))


def spelled(json: str) -> str:
    """JSON in which nothing can play tricks on a terminal; it means the same."""
    from json import dumps

    return "".join(c if c.isprintable() else dumps(c)[1:-1] for c in json)


def default_key() -> str:
    from referee.io.tickets import home

    return os.path.join(home(), "key.json")


def load_key(path: str | None) -> Any:
    """The key at this path, or the default one; asks for a passphrase only on a terminal."""
    from referee.crypto import keys
    from referee.io import files

    if path is None and not files.exists(default_key()):
        raise FileTrouble(
            "you have no key yet", "make one with `referee key new`, or name one with --key", code="no-key"
        )
    data = files.read(default_key() if path is None else path, files.SMALL, "key file")
    return keys.load(data, passphrase() if keys.is_locked(data) else os.environ.get("REFEREE_PASSPHRASE", ""))


def passphrase(*, confirm: bool = False) -> str:
    """From REFEREE_PASSPHRASE, or typed on a terminal."""
    known = os.environ.get("REFEREE_PASSPHRASE")
    if known is not None:
        return known
    if not sys.stdin.isatty():
        raise BadSignature(
            "this key needs a passphrase", "set REFEREE_PASSPHRASE, or run on a terminal", code="no-passphrase"
        )
    return ask_person("Passphrase", hide_input=True, confirmation_prompt=confirm)


def ask_person(question: str, **how: Any) -> str:
    """Ask on the terminal; whoever goes away instead has interrupted the command."""
    try:
        return str(typer.prompt(question, err=True, **how))
    except typer.Abort:
        say("")
        raise typer.Exit(130) from None


def write_out(path: str, data: bytes, *, dry: bool = False) -> None:
    """Write a result that may replace an older one; `-` is standard output."""
    from referee.io import files

    if dry:
        say("Everything is in order; nothing was written.")
    elif path == "-":
        sys.stdout.buffer.write(data + b"\n")
        sys.stdout.buffer.flush()
    else:
        files.write({path: data})


def write_new(path: str, data: bytes, what: str, *, secret: bool = False, dry: bool = False) -> None:
    """Write a result that must not replace anything; `-` is standard output."""
    from referee.io import files

    if path != "-" and files.exists(path):
        raise FileTrouble(
            f"{files.printable(path)} exists already", f"choose another name for the {what}", code="exists"
        )
    if path == "-" or dry:
        write_out(path, data, dry=dry)
    else:
        files.write({path: data}, secret=[path] if secret else [])


def read_document(path: str, what: str, *, large: bool = False) -> bytes:
    """A file from others; a final newline, as editors and mailers add it, is no part of it."""
    from referee.io import files

    return files.read(path, files.LARGE if large else files.SMALL, what).rstrip(b"\r\n")


def stdin_once(paths: list[str]) -> None:
    """Standard input can be read once."""
    if paths.count("-") > 1:
        raise Usage("standard input is named twice", "give - once, and files for the rest")


def refuse_same(output: str, source: str, key: str | None) -> None:
    """A result must not take the place of what it was made from, nor of the key."""
    used = (source, default_key() if key is None else key)
    if output != "-" and os.path.realpath(output) in map(os.path.realpath, used):
        raise Usage("the result would take the place of a file that is read here", "choose another name with -o")


def sent(path: str) -> str:
    """A result in a sentence about sending it."""
    from referee.io import files

    return "it" if path == "-" else files.printable(path)


def deadline(text: str | None) -> str:
    """A deadline as an entry states it."""
    import datetime
    import re

    if text is None:
        return ""
    try:
        if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}Z", text):
            raise ValueError
        datetime.datetime.fromisoformat(text)
    except ValueError:
        raise Usage("this is no deadline", "write it in UTC, for example --due 2026-12-24T18:00Z") from None
    return text


def pairs(texts: list[str]) -> dict[str, str]:
    """`K=V` texts as a dict."""
    split = [text.partition("=") for text in texts]
    if any(not sign for _, sign, _ in split):
        raise Usage("an option is written NAME=VALUE", "for example --option special_cards=false")
    if len({name for name, _, _ in split}) != len(split):
        raise Usage("an option is given twice", "give each option once")
    return {name: value for name, _, value in split}


def colour(stream: TextIO) -> bool:
    """Whether to colour what goes there."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def game_path(path: str) -> str:
    """The host's game file has a place of its own: it is locked and replaced there."""
    if path == "-":
        raise Usage("the game file has a place of its own: no pipe", "name the file", code="no-pipe")
    return path
