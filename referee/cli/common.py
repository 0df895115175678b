"""What the commands share: how options are written, where messages go, how questions are asked."""

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from referee.cli import t, w
from referee.crypto import keys
from referee.engine import player
from referee.errors import BadSignature, FileTrouble, RefereeError, Usage
from referee.io import desk, files, keyfile, kinds, times
from referee.language import Run, listed, run, with_files
from referee.library import completion, documents, looking, reports
from referee.page import aid
from referee.show import family

# --- options that several commands have -------------------------------------------------------------------------------


def option(
    name: str, metavar: str, help: str, offered: completion.Offered | None = None, default: object = None, **more: Any
) -> Any:
    """An option with a value; `offered` finds what a shell offers for it. With `default=...` it must be given, or, in
    an alias, has the default that each command gives it."""
    return typer.Option(default, name, metavar=metavar or None, help=help, autocompletion=offered, **more)


def flag(name: str, help: str, default: object = False) -> Any:
    """An option without a value."""
    return typer.Option(default, name, help=help)


def argument(metavar: str, help: str, offered: completion.Offered | None = None, default: object = ...) -> Any:
    """A value without a name."""
    return typer.Argument(default, metavar=metavar, help=help, autocompletion=offered)


def language_option(help: str) -> Any:
    """One of our languages."""
    return option("--language", "en|de|nl", help, completion.languages)


KeyOption = Annotated[
    str | None,
    option("--key", "FILE", "Key file, player's file of the page, or an OpenSSH Ed25519 key. Default: your own key.",
           completion.files("key", "player"), ...),
]  # fmt: skip
GameName = Annotated[str, argument("GAME", "Which game; see `referee games`.", completion.games)]
YesOption = Annotated[bool, flag("--yes", "Agree without being asked.", ...)]
JsonOption = Annotated[bool, flag("--json", "Report as JSON on standard output.", ...)]
DryOption = Annotated[bool, flag("--dry-run", "Check everything, write nothing.", ...)]
OutOption = Annotated[
    str | None, option("--out", "DIR", "Folder for views and receipts. Default: beside the game file.", default=...)
]
AidOption = Annotated[bool, flag("--aid", "Also write what a player's page needs to answer (`referee page`).", ...)]
RulingOption = Annotated[
    str | None,
    option("--ruling", "FILE", "Apply this ruling of the arbiter: a file, or the saved mail that brought it.",
           completion.files("ruling", mail=True), ...),
]  # fmt: skip
NowOption = Annotated[
    str | None,
    option("--now", "TIME", "The time from which deadlines count: 2026-12-24T18:00Z. Default: the clock's.",
           default=...),
]  # fmt: skip
ClockOption = Annotated[
    str | None,
    option("--now", "TIME", "What your clock says: 2026-12-24T18:00Z. Default: the clock's time.", default=...),
]
GameArgument = Annotated[str, argument("GAME.json", "The host's game file.", completion.files("game"))]
GameFileOption = Annotated[str, option("-o", "FILE", "The game file. It is for you alone.", default=...)]
FoundView = Annotated[
    str | None,
    argument("[VIEW]", "Your view, or the saved mail that brought it; - for standard input. Default: the newest one in "
             "this folder that waits for you.", completion.files("view", mail=True)),
]  # fmt: skip
ViewArgument = Annotated[
    str,
    argument("VIEW", "Your view, or the saved mail that brought it; - for standard input.",
             completion.files("view", mail=True)),
]  # fmt: skip
SignedOption = Annotated[
    str | None,
    option("-o", "FILE", "The signed file; - prints it. Default: a descriptive name. If you answer a mail, a reply "
           "is written beside it; a name that ends in .eml is the reply's.", default=...),
]  # fmt: skip
SeatsOption = Annotated[int, option("--seats", "", "Number of players.", default=...)]
ChoiceOption = Annotated[list[str] | None, option("--option", "K=V", "An option of the game.", completion.options, ...)]
EditionOption = Annotated[
    str | None, option("--edition", "FILE", "Your own edition data.", completion.files("edition"), ...)
]
NameOption = Annotated[str | None, option("--name", "", "Your name as the others will see it.", default=...)]
UntilOption = Annotated[str | None, option("--until", "TIME", "The new deadline: 2026-12-24T18:00Z.", default=...)]
ByOption = Annotated[
    str | None, option("--by", "SPAN", "How much later than the current deadline: 90m, 12h or 3d.", default=...)
]
JobsOption = Annotated[int, option("--jobs", "", "Processes to use.", default=..., min=1)]


# --- options together -------------------------------------------------------------------------------------------------

Options = Mapping[str, object]
"""Options as they are typed -> what was given; nothing, an empty list and False are not."""


def chosen(options: Options) -> str:
    """The one of these options that was given, if any; they exclude each other."""
    given = [name for name, value in options.items() if value not in (None, False, [])]
    if len(given) > 1:
        raise Usage(t("{options} exclude each other", options=listed(given)), t("give one of them"))
    return "".join(given)


def refuse_without(options: Options, other: str, there: object) -> None:
    """Refuse options that have no effect without another one, instead of ignoring them silently."""
    for name, value in options.items():
        if value not in (None, False, []) and not there:
            why = t("{option} has no effect without {other}", option=name, other=other)
            raise Usage(why, t("add {other}, or leave {option} out", option=name, other=other))


# --- messages and questions -------------------------------------------------------------------------------------------


def say(text: object) -> None:
    """A message for people."""
    print(text, file=sys.stderr)  # noqa: T201


def out(text: object) -> None:
    """Data. If its reader stops reading, the command ends without an error."""
    try:
        print(text)  # noqa: T201
    except BrokenPipeError:
        raise typer.Exit(0) from None


def print_and_note(lines: Iterable[object], notes: Iterable[object]) -> None:
    """Lines of data, and notes about them."""
    for line in lines:
        out(line)
    for line in notes:
        say(line)


def report(value: object) -> None:
    """A report for programs: JSON, in English whatever the reader's language."""
    out(reports.encoded(value))


def load_key(path: str | None) -> "keys.Key":
    """The key at this path, or the default one; asks for a passphrase only on a terminal."""
    wanted = documents.default_key() if path is None else path
    if path is None and not os.path.lexists(wanted):
        advice = t("make one with {run}, or name one with --key", run=run("key", "new"))
        raise FileTrouble(t("you have no key yet"), advice, code="no-key")
    data = keyfile.key_in(kinds.read(wanted, "key", "player"))
    return keyfile.load(data, passphrase() if keyfile.is_locked(data) else os.environ.get("REFEREE_PASSPHRASE", ""))


def passphrase(*, confirm: bool = False) -> str:
    """From REFEREE_PASSPHRASE, or typed on a terminal that does not show it."""
    known = os.environ.get("REFEREE_PASSPHRASE")
    if known is not None:
        return known
    if not is_interactive():
        raise BadSignature(
            t("this key needs a passphrase"), t("set REFEREE_PASSPHRASE, or run it in a terminal"), code="no-passphrase"
        )
    while True:
        typed = ask_hidden(w("Passphrase"))
        if not confirm or typed == ask_hidden(w("Repeat for confirmation")):
            return typed
        say(w("Error: The two entered values do not match."))


def ask_hidden(question: str, **more: Any) -> str:
    """A line typed on a terminal that does not show it."""
    try:
        return str(typer.prompt(question, err=True, hide_input=True, **more))
    except typer.Abort:
        raise _interrupted() from None


def _interrupted() -> typer.Exit:
    """Closing the input instead of answering interrupts the command; it asks all questions before it does anything, or
    says how far it came."""
    say("")
    say(_so_far[-1] if _so_far else w("Nothing was changed."))
    return typer.Exit(130)


_so_far: list[str] = []


@contextlib.contextmanager
def so_far(words: str) -> Iterator[None]:
    """What is true, during these questions, for whoever goes away instead of answering."""
    _so_far.append(words)
    try:
        yield
    finally:
        _so_far.pop()


def is_interactive() -> bool:
    """Whether there is somebody to ask. A script is never asked, and goes on by its options alone."""
    return sys.stdin.isatty()


def confirm(question: str, *, default: bool = True) -> bool:
    """A yes/no question, asked on the terminal; an empty line takes the default."""
    answers = w("Y/n") if default else w("y/N")
    while True:
        typed = ask_line(f"{question} [{answers}]").strip()
        answer = family.yes(typed) if typed else default
        if answer is not None:
            return answer
        say(w("Type yes or no."))


def confirm_or_exit(question: str, otherwise: str, *, default: bool = True) -> None:
    """End the command with these words unless the person at the terminal says yes. A script is not asked."""
    if is_interactive() and not confirm(question, default=default):
        say(otherwise)
        raise typer.Exit(130)


def confirm_abandon() -> None:
    """Ask the person at the terminal: nothing brings an abandoned game back."""
    say(w("This publishes all secrets of the game and ends it for good; it cannot be undone."))
    confirm_or_exit(w("Abandon the game, without a result?"), w("Nothing was changed."), default=False)


def ask_line(question: str) -> str:
    """A line typed on the terminal. The question goes where messages go, so that what is piped on stays clean."""
    sys.stderr.write(question + " ")
    sys.stderr.flush()
    try:
        line = sys.stdin.buffer.readline()
    except KeyboardInterrupt:
        line = b""
    if not line:
        raise _interrupted()
    return line.decode(sys.stdin.encoding or "utf-8", "replace").rstrip("\r\n")


def conclude(advice: str, status: int) -> None:
    """Say what comes next; end the command with this exit status."""
    say(advice)
    if status:
        raise typer.Exit(status)


# --- files ------------------------------------------------------------------------------------------------------------


def write_out(
    path: str,
    data: bytes,
    *,
    new: bool = False,
    secret: bool = False,
    dry: bool = False,
    beside: Mapping[str, bytes] = {},
    key: Mapping[str, bytes] = {},
) -> None:
    """Write a result, and what goes beside it; `-` is standard output. A `new` one must not replace anything. `key`: a
    new key, without which the rest is useless."""
    if new:
        documents.refuse_existing(path, *beside, *key)
    folders = [os.path.dirname(one) for one in key]
    if dry:
        say(w("Everything is in order; nothing was written."))
    elif path == "-":
        files.write(key, secret=[*key], make=folders)
        sys.stdout.buffer.write(data + b"\n")
        sys.stdout.buffer.flush()
    else:
        files.write({**key, path: data, **beside}, secret=[*key, *([path, *beside] if secret else [])], make=folders)


def refuse_same(output: str, source: str, key: str | None) -> None:
    """A result must not overwrite what it was made from, nor the key."""
    documents.refuse_same(output, source, documents.default_key() if key is None else key)


def refuse_stdin_twice(paths: list[str]) -> None:
    """Standard input can be read once."""
    if paths.count("-") > 1:
        raise Usage(t("standard input is named twice"), t("give - once, and files for the rest"))


def aid_maker(wanted: bool) -> "desk.Aid | None":
    """What makes the aid of a seat, for pages, if it is wanted."""
    return aid.aid_for if wanted else None


def game_path(path: str) -> str:
    """The host's game file has a place of its own: it is locked and replaced there."""
    if path == "-":
        raise Usage(t("the game file cannot be a pipe"), t("name the file"), code="no-pipe")
    return path


# --- what comes next --------------------------------------------------------------------------------------------------


def sent(path: str, unnamed: str = "") -> str:
    """A result in a sentence about sending it."""
    return unnamed or w("it") if path == "-" else files.printable(path)


def report_dry_run() -> None:
    """Say that nothing was written, because of --dry-run."""
    say(w("Everything is in order; nothing was written."))
    next_step("", dry=True)


def next_step(step: str, dry: bool = False) -> None:
    """What to do next; after a dry run: to run it without."""
    say(w("Next: run it again without --dry-run.") if dry else step)


@contextlib.contextmanager
def hints(command: Run) -> Iterator[None]:
    """What an error says to do next can be copied as it stands: where it names this command, it gets its files."""
    try:
        yield
    except RefereeError as error:
        error.next = with_files(error.next, command)
        raise


def clock(text: str | None) -> datetime:
    """The time: the one that was given, or what the clock says."""
    return datetime.now(UTC) if text is None else times.read_time(text)


def warn_ahead(opened: "player.Opened", now: str | None) -> "times.Ahead | None":
    """Say so if somebody was timed out whose time is still to come by the reader's clock; what was found, as data."""
    found = times.ahead(opened.chain, clock(now))
    if found:
        say(looking.ahead_in_words(found))
    return found
