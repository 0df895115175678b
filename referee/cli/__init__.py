"""The command line. Each command imports what it needs, when it runs."""

import os
import sys
from io import TextIOWrapper
from typing import TYPE_CHECKING

from referee import leave_here
from referee.language import Catalogue, Wording, speaking

if TYPE_CHECKING:
    from referee.errors import RefereeError

t, w = Catalogue("referee.cli"), Wording("referee.cli")


def run() -> None:
    """The `referee` program: one command a process, so next to nothing is collected, and nothing torn down."""
    import gc

    leave_here()
    gc.set_threshold(200_000)
    status = 1
    try:
        main()
    except SystemExit as done:
        status = done.code if isinstance(done.code, int) else 0
    finally:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(status)


def main() -> None:
    """Run a command; every expected error ends in its documented exit status, with one message and a next step."""
    from referee.io.language import first

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # what it has no letter for is spelled out, and ends no command
            stream.reconfigure(errors="backslashreplace")
    with speaking(first(sys.argv[1:])):
        status = _run()
    sys.exit(status if isinstance(status, int) else 0)


def _run() -> object:
    """The command's exit status, or something else if it went well."""
    from referee.cli.common import say, stop_writing
    from referee.errors import FileTrouble, RefereeError, Usage
    from referee.io.reasons import told  # now: later the system may have nothing left to open it with

    try:
        from referee.cli.app import command

        status: object = command(_command(sys.argv[1:]))(prog_name="referee", standalone_mode=False)
        sys.stdout.flush()
    except RefereeError as error:
        status = _report(error)
    except BrokenPipeError:
        status = 0
        stop_writing()
    except OSError as error:
        why = t("cannot go on: {errno}", errno=told(error.errno))
        status = _report(FileTrouble(why, t("free some space, run again")))
        stop_writing()
    except Exception as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            status = 2
            say(error.format_message())  # type: ignore[attr-defined]
        elif hasattr(error, "format_message"):  # a usage error of the command line library
            from referee.cli.library import complaint

            path = getattr(getattr(error, "ctx", None), "command_path", "referee")
            status = _report(Usage(complaint(error), t("see `{path} --help`", path=path)))
        elif os.environ.get("REFEREE_DEBUG"):
            raise
        else:
            what = t("internal error: {name}", name=type(error).__name__)
            status = _report(RefereeError(what, t("run again with REFEREE_DEBUG=1 and report it")))
    return status


def _command(words: list[str]) -> str:
    """The command that is wanted; any one, where the version is; empty if the library must find that out."""
    first = 2 if words[:1] == ["--language"] else int("".join(words[:1]).startswith("--language="))
    wanted = "".join(words[first : first + 1])
    return "games" if wanted == "--version" else wanted


def _report(error: "RefereeError") -> int:
    """One message with a next step; for programs also as JSON."""
    from referee.cli.common import say
    from referee.cli.reports import encoded

    if "--json" in sys.argv[1:]:
        sys.stdout.write(encoded(_data(error)) + "\n")
    say(f"referee: {error.message}")
    if next := str(error.next):
        say(w("Next: {next}", next=next))
    return error.exit


def _data(error: "RefereeError") -> dict[str, object]:
    """An error for programs: its code and words, and the values in them; of an illegal move also the clause of the
    rules, and the word for the reason where the rules have one."""
    from referee.errors import IllegalMove
    from referee.language import Named, Reason

    data: dict[str, object] = {"code": error.code, "message": error.message, "next": error.next}
    told = error.message
    if isinstance(error, IllegalMove):
        told, data["clause"] = error.why, error.clause
    while isinstance(told, Named):
        told = told.text
    if isinstance(told, Reason):
        data["reason"] = told.reason
    return data | {"values": dict(told.values)}
