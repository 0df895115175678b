"""What the commands share: where messages go, how keys are found, how options are spelled."""

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from referee.cli import complete, t, w
from referee.errors import BadSignature, FileTrouble, RefereeError, Usage
from referee.language import Run, Text, Told, run, with_files

if TYPE_CHECKING:
    from datetime import datetime

KeyOption = Annotated[
    str | None,
    typer.Option(
        "--key",
        metavar="FILE",
        help="Key file, player's file of the page, or an OpenSSH Ed25519 key. Default: your own key.",
        autocompletion=complete.files("key", "player"),
    ),
]
GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="Which game; see `referee games`.", autocompletion=complete.games)
]
YesOption = Annotated[bool, typer.Option("--yes", help="Agree without being asked.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Report as JSON on standard output.")]
DryOption = Annotated[bool, typer.Option("--dry-run", help="Check everything, write nothing.")]
OutOption = Annotated[
    str | None,
    typer.Option("--out", metavar="DIR", help="Folder for views and receipts. Default: beside the game file."),
]
AidOption = Annotated[
    bool, typer.Option("--aid", help="Also write what a player's page needs to answer (`referee page`).")
]
ArbiterOption = Annotated[
    str | None,
    typer.Option("--arbiter", metavar="KEY", help="Public key of an arbiter, whose rulings bind everybody who joins."),
]
RulingArgument = Annotated[
    str,
    typer.Argument(
        metavar="RULING",
        help="What the arbiter signed, or the saved mail that brought it.",
        autocompletion=complete.files("ruling", mail=True),
    ),
]
NowOption = Annotated[
    str | None,
    typer.Option(
        "--now", metavar="TIME", help="The time from which deadlines count: 2026-12-24T18:00Z. Default: the clock's."
    ),
]
ClockOption = Annotated[
    str | None,
    typer.Option("--now", metavar="TIME", help="What your clock says: 2026-12-24T18:00Z. Default: the clock's time."),
]
GameArgument = Annotated[
    str, typer.Argument(metavar="GAME.json", help="The host's game file.", autocompletion=complete.files("game"))
]
ViewArgument = Annotated[
    str,
    typer.Argument(
        metavar="VIEW",
        help="Your view, or the saved mail that brought it; - for standard input.",
        autocompletion=complete.files("view", mail=True),
    ),
]


SignedOption = Annotated[
    str | None,
    typer.Option(
        "-o",
        metavar="FILE",
        help="What is signed; - to print it. Default: a telling name. If a mail is answered, a reply is written beside "
        "it; a name that ends in .eml is the reply's.",
    ),
]


def say(text: object) -> None:
    """A message for people."""
    print(text, file=sys.stderr)  # noqa: T201


def sentence(error: Told) -> str:
    """What an error says, as a sentence for people."""
    told = str(error)
    return f"{told[:1].upper()}{told[1:]}."


def out(text: object) -> None:
    """Data. A reader that has seen enough ends the command, and that is no error."""
    try:
        print(text)  # noqa: T201
    except BrokenPipeError:
        stop_writing()
        raise typer.Exit(0) from None


def stop_writing() -> None:
    """Nobody reads standard output any more, or it is full: keep the interpreter from trying again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def default_key() -> str:
    from referee.io.tickets import home

    return os.path.join(home(), "key.json")


def load_key(path: str | None) -> Any:
    """The key at this path, or the default one; asks for a passphrase only on a terminal."""
    from referee.io import files, keyfile

    if path is None and not files.exists(default_key()):
        raise FileTrouble(
            t("you have no key yet"),
            t("make one with {run}, or name one with --key", run=run("key", "new")),
            code="no-key",
        )
    data = _key_data(path)
    return keyfile.load(data, passphrase() if keyfile.is_locked(data) else os.environ.get("REFEREE_PASSPHRASE", ""))


def _key_data(path: str | None) -> bytes:
    """A key file, be it one by itself or the one in a player's file."""
    from referee.io.keyfile import key_in

    return key_in(read_document(default_key() if path is None else path, "key", "player"))


def public_key(path: str | None = None) -> str:
    """The public half of a key, without its passphrase; empty where it cannot be told so."""
    from referee.crypto import codec
    from referee.io import keyfile

    try:
        data = _key_data(path)
        ssh = data.startswith(b"-----")
        return keyfile.load(data).public.hex() if ssh else codec.decode(data, keyfile.KeyFile, "key file").public
    except RefereeError:
        return ""


def public_key_of(text: str | None, wrong: Text) -> bytes:
    """A public key, as `key show` prints it; empty if none was given."""
    if text is None:
        return b""
    if len(text) != 64 or not set(text) <= set("0123456789abcdef"):
        raise Usage(
            wrong,
            t("give what {run} prints", run=run("key", "show")),
        )
    return bytes.fromhex(text)


def passphrase(*, confirm: bool = False) -> str:
    """From REFEREE_PASSPHRASE, or typed on a terminal that does not show it."""
    known = os.environ.get("REFEREE_PASSPHRASE")
    if known is not None:
        return known
    if not at_terminal():
        raise BadSignature(
            t("this key needs a passphrase"), t("set REFEREE_PASSPHRASE, or run on a terminal"), code="no-passphrase"
        )
    try:
        while True:
            typed = str(typer.prompt(w("Passphrase"), err=True, hide_input=True))
            if not confirm or typed == typer.prompt(w("Repeat for confirmation"), err=True, hide_input=True):
                return typed
            say(w("Error: The two entered values do not match."))
    except typer.Abort:
        raise _gone() from None


def _gone() -> typer.Exit:
    """Whoever goes away instead of answering has interrupted the command; all questions come before what it does."""
    say("")
    say(w("Nothing was changed."))
    return typer.Exit(130)


def at_terminal() -> bool:
    """Whether there is somebody to ask. A script is never asked, and goes on by its options alone."""
    return sys.stdin.isatty()


def confirm(question: str, *, default: bool = True) -> bool:
    """A question for yes or no, asked on the terminal; an empty line takes the default."""
    from referee.show.family import yes

    answers = w("Y/n") if default else w("y/N")
    while True:
        typed = ask_person(f"{question} [{answers}]").strip()
        answer = yes(typed) if typed else default
        if answer is not None:
            return answer
        say(w("Type yes or no."))


def go_on(question: str, otherwise: str, *, default: bool = True) -> None:
    """Ends the command, with these words, unless whoever sits at the terminal says yes. A script is not asked."""
    if at_terminal() and not confirm(question, default=default):
        say(otherwise)
        raise typer.Exit(130)


def ask_person(question: str) -> str:
    """A line typed on the terminal. The question goes where messages go, so that what is piped on stays clean."""
    sys.stderr.write(question + " ")
    sys.stderr.flush()
    try:
        line = sys.stdin.buffer.readline()
    except KeyboardInterrupt:
        line = b""
    if not line:
        raise _gone()
    return line.decode(sys.stdin.encoding or "utf-8", "replace").rstrip("\r\n")


def write_out(
    path: str, data: bytes, *, secret: bool = False, dry: bool = False, beside: Mapping[str, bytes] = {}
) -> None:
    """Write a result that may replace an older one, and what goes beside it; `-` is standard output."""
    from referee.io import files

    if dry:
        say(w("Everything is in order; nothing was written."))
    elif path == "-":
        sys.stdout.buffer.write(data + b"\n")
        sys.stdout.buffer.flush()
    else:
        files.write({path: data, **beside}, secret=[path, *beside] if secret else [])


def write_new(
    path: str, data: bytes, *, secret: bool = False, dry: bool = False, beside: Mapping[str, bytes] = {}
) -> None:
    """Write a result that must not replace anything, and what goes beside it; `-` is standard output."""
    from referee.io import files

    for name in (path, *beside):
        if name != "-" and files.exists(name):
            raise FileTrouble(
                t("{name} exists already", name=files.printable(name)), t("choose another name with -o"), code="exists"
            )
    write_out(path, data, secret=secret, dry=dry, beside=beside)


def read_document(path: str, *kinds: str) -> bytes:
    """A file of one of these kinds, or the one in a saved mail; any other is named for what it is."""
    return read_mailed(path, *kinds)[0]


def read_mailed(path: str, *kinds: str) -> tuple[bytes, Any]:
    """A file of one of these kinds, or the one in a saved mail, with that mail."""
    from referee.io.kinds import MAILED, read

    mails: list[Any] = []

    def unpack(raw: bytes) -> bytes:
        from referee.mail import saved

        mails.append(saved.only_mail(raw, path))
        return saved.only(mails[0], path, kinds)

    data = read(path, *kinds, unpack=unpack if set(kinds) <= set(MAILED) else None)
    return data, mails[0] if mails else None


def find_document(path: str) -> tuple[str, bytes]:
    """Any file, and its kind; of a mail, what it brings, if that is one thing."""
    from referee.io.kinds import find

    kind, data = find(path)
    if kind != "mail":
        return kind, data
    from referee.mail import saved

    found = saved.main_document(saved.only_mail(data, path), path)
    return (found.kind, found.data) if found else (kind, data)


def aid_maker(wanted: bool) -> Any:
    """What makes the aid of a seat, if aids are wanted."""
    if not wanted:
        return None
    from referee.page.aid import aid_for

    return aid_for


def stdin_once(paths: list[str]) -> None:
    """Standard input can be read once."""
    if paths.count("-") > 1:
        raise Usage(t("standard input is named twice"), t("give - once, and files for the rest"))


def refuse_same(output: str, source: str, key: str | None) -> None:
    """A result must not take the place of what it was made from, nor of the key."""
    used = (source, default_key() if key is None else key)
    if output != "-" and os.path.realpath(output) in map(os.path.realpath, used):
        raise Usage(t("the result would take the place of a file that is read here"), t("choose another name with -o"))


def sent(path: str, unnamed: str = "") -> str:
    """A result in a sentence about sending it."""
    from referee.io import files

    return unnamed or w("it") if path == "-" else files.printable(path)


def tell_dry() -> None:
    """That nothing was written, because nothing should be."""
    say(w("Everything is in order; nothing was written."))
    say(w("Next: run it again without --dry-run."))


def tell_files(files_of: Mapping[tuple[int, str], Sequence[str]]) -> None:
    """Which files go to whom, by seat and name: a line for each player who gets some. A receipt is the player's, and
    the proof of it."""
    from referee.io import files

    for (_, who), paths in sorted(files_of.items()):
        named = {path: files.printable(path) for path in paths}
        said = [
            w("receipt {file}", file=name) if path.endswith(".receipt.json") else name for path, name in named.items()
        ]
        say(w("  to {name}: {files}", name=who, files=", ".join(said)))


@contextlib.contextmanager
def hints(command: Run) -> Iterator[None]:
    """What an error says to do next can be copied as it stands: where it names this command, it gets its files."""
    try:
        yield
    except RefereeError as error:
        error.next = with_files(error.next, command)
        raise


def with_key(key: str | None) -> tuple[str, ...]:
    """The words of a command that name the key which was given, if one was."""
    return ("--key", key) if key is not None else ()


def clock(text: str | None) -> "datetime":
    """The time: the one that was given, or what the clock says."""
    from datetime import UTC, datetime

    from referee.io.times import read_time

    return datetime.now(UTC) if text is None else read_time(text)


def colour(stream: TextIO) -> bool:
    """Whether to colour what goes there."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def game_path(path: str) -> str:
    """The host's game file has a place of its own: it is locked and replaced there."""
    if path == "-":
        raise Usage(t("the game file has a place of its own: no pipe"), t("name the file"), code="no-pipe")
    return path
