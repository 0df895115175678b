"""The command line. Each command imports what it needs, when it runs."""

import os
import sys
from io import TextIOWrapper

from referee import leave_here
from referee.language import Catalogue, Wording, retold, speaking

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
    from referee.cli.common import stop_writing
    from referee.errors import RefereeError
    from referee.io.reasons import told  # now: later the system may have nothing left to open it with

    try:
        from referee.cli.app import command

        status: object = command(_command(sys.argv[1:]))(prog_name="referee", standalone_mode=False)
        sys.stdout.flush()
    except RefereeError as error:
        status = _report(error.exit, error.code, error.message, error.next)
    except BrokenPipeError:
        status = 0
        stop_writing()
    except OSError as error:
        status = _report(
            8, "file", t("cannot go on: {errno}", errno=told(error.errno)), t("free some space, run again")
        )
        stop_writing()
    except Exception as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            from referee.cli.common import say

            status = 2
            say(error.format_message())  # type: ignore[attr-defined]
        elif hasattr(error, "format_message"):  # a usage error of the command line library
            path = getattr(getattr(error, "ctx", None), "command_path", "referee")
            status = _report(2, "usage", error.format_message(), t("see `{path} --help`", path=path))
        elif os.environ.get("REFEREE_DEBUG"):
            raise
        else:
            name = type(error).__name__
            status = _report(
                1, "internal", t("internal error: {name}", name=name), t("run again with REFEREE_DEBUG=1 and report it")
            )
    return status


def _command(words: list[str]) -> str:
    """The command that is wanted; any one, where the version is; empty if the library must find that out."""
    first = 2 if words[:1] == ["--language"] else int("".join(words[:1]).startswith("--language="))
    wanted = "".join(words[first : first + 1])
    return "games" if wanted == "--version" else wanted


def _report(status: int, code: str, message: str, next: str) -> int:
    """One message with a next step; for programs also as JSON."""
    if "--json" in sys.argv[1:]:
        import msgspec

        from referee.cli.common import spelled

        told = msgspec.json.encode({"code": code, "message": message, "next": next}).decode()
        sys.stdout.write(spelled(told) + "\n")
    from referee.cli.common import say

    say(f"referee: {retold(message)}")
    if next:
        say(w("Next: {next}", next=retold(next)))
    return status
