"""The command line. What a command does not use is not loaded."""

import os
import sys
from io import TextIOWrapper

from referee import TYPE_CHECKING, __version__, leave_here

if TYPE_CHECKING:
    from referee.errors import RefereeError
    from referee.language import Catalogue, Wording

    t, w = Catalogue("referee.cli"), Wording("referee.cli")
else:

    def __getattr__(name):
        """The texts of the commands, `t` and `w`: a command line that only asks for the version needs none."""
        if name not in ("t", "w"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from referee.language import Catalogue, Wording

        globals().update(t=Catalogue(__name__), w=Wording(__name__))
        return globals()[name]


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
    if _command(sys.argv[1:]) == sys.argv[-1] == "--version":
        try:
            print(f"referee {__version__}", flush=True)  # noqa: T201
            sys.exit(0)
        except OSError:
            pass  # the usual way says what is wrong
    from referee.io.language import first
    from referee.language import speaking

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # what it has no letter for is spelled out, and ends no command
            stream.reconfigure(errors="backslashreplace")
    with speaking(first(sys.argv[1:])):
        status = _run()
    sys.exit(status if isinstance(status, int) else 0)


def _run() -> object:
    """The command's exit status, or something else if it succeeded."""
    from referee.cli import t
    from referee.cli.lazy import lazily
    from referee.errors import FileTrouble, RefereeError, Usage
    from referee.io.reasons import reason_text  # now: later the system may have nothing left to open it with

    with lazily():
        from referee.cli.common import say
    try:
        from referee.cli.app import command
        from referee.library.completion import typed_words

        wanted = _command(typed_words() if "_REFEREE_COMPLETE" in os.environ else sys.argv[1:])
        status: object = command(wanted)(prog_name="referee", standalone_mode=False)
        sys.stdout.flush()
    except RefereeError as error:
        status = _report(error)
    except BrokenPipeError:
        status = 0
    except OSError as error:
        why = t("cannot continue: {errno}", errno=reason_text(error.errno))
        status = _report(FileTrouble(why, t("free some space and run it again")))
    except Exception as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            status = 2
            say(error.format_message())  # type: ignore[attr-defined]
        elif hasattr(error, "format_message"):  # a usage error of the command line library
            from referee.library.complaints import complaint

            path = getattr(getattr(error, "ctx", None), "command_path", "referee")
            status = _report(Usage(complaint(error), t("see `{path} --help`", path=path)))
        elif os.environ.get("REFEREE_DEBUG"):
            raise
        else:
            what = t("internal error: {name}", name=type(error).__name__)
            status = _report(RefereeError(what, t("run it again with REFEREE_DEBUG=1 and report it")))
    return status


def _command(words: list[str]) -> str:
    """The name of the command, or `--version`; empty if the library must find out."""
    first = 2 if words[:1] == ["--language"] else int("".join(words[:1]).startswith("--language="))
    return "".join(words[first : first + 1])


def _report(error: "RefereeError") -> int:
    """One message with a next step; for programs also as JSON."""
    from referee.cli import w
    from referee.cli.common import say

    if "--json" in sys.argv[1:]:
        from contextlib import suppress

        from referee.library.reports import encoded, error_data

        with suppress(OSError):  # where standard output takes nothing, people are still told, with the same status
            sys.stdout.write(encoded(error_data(error)) + "\n")
    say(f"referee: {error.message}")
    if next := str(error.next):
        say(w("Next: {next}", next=next))
    return error.exit
