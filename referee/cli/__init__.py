"""The command line. What a command does not use is not loaded."""

import os
import sys
from io import TextIOWrapper

from referee import TYPE_CHECKING, __version__, leave_here

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

    from referee.errors import RefereeError
    from referee.language import Catalogue, Text, Wording

    t, w = Catalogue("referee.cli"), Wording("referee.cli")
else:

    def __getattr__(name):
        """The texts of the commands, `t` and `w`: a command line that only asks for the version needs none."""
        if name not in ("t", "w"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from referee.language import Catalogue, Wording

        globals().update(t=Catalogue(__name__), w=Wording(__name__))
        return globals()[name]


class _Lazy:
    """Finds our modules as a command sees them: each runs when it is first used, so nobody waits for what others
    need."""

    @staticmethod
    def find_spec(name: str, path: "Sequence[str] | None", target: "ModuleType | None" = None) -> "ModuleSpec | None":
        if not name.startswith("referee.") or name.startswith("referee.cli"):
            return None
        # Not above: what is not loaded yet comes here too.
        from importlib.machinery import PathFinder
        from importlib.util import LazyLoader

        found = PathFinder.find_spec(name, path, target)
        if found and found.loader:
            found.loader = LazyLoader(found.loader)
        return found


def import_lazily(name: str) -> "ModuleType":
    """A module; those that it imports do not run yet."""
    from importlib import import_module

    sys.meta_path.insert(0, _Lazy)
    try:
        return import_module(name)
    finally:
        sys.meta_path.remove(_Lazy)


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
    from referee.io.reasons import reason_text  # now: later the system may have nothing left to open it with
    from referee.language import speaking

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # what it has no letter for is spelled out, and ends no command
            stream.reconfigure(errors="backslashreplace")
    with speaking(first(sys.argv[1:])):
        try:
            words = sys.argv[1:]
            if "_REFEREE_COMPLETE" in os.environ:
                from referee.library.completion import typed_words

                words = typed_words()
            program = import_lazily("referee.cli.app").command(_command(words))
            status: object = program(prog_name="referee", standalone_mode=False)
            sys.stdout.flush()
        except Exception as error:
            status = _failed(error, reason_text)
    sys.exit(status if isinstance(status, int) else 0)


def _failed(error: Exception, reason: "Callable[[int | None], Text]") -> int:
    """The exit status of a command that failed, after its message."""
    from referee.cli import t
    from referee.cli.common import say
    from referee.errors import FileTrouble, RefereeError, Usage

    if isinstance(error, RefereeError):
        return _report(error)
    if isinstance(error, BrokenPipeError):
        return 0
    if isinstance(error, OSError):
        why = t("cannot continue: {errno}", errno=reason(error.errno))
        return _report(FileTrouble(why, t("free some space and run it again")))
    if type(error).__name__ == "NoArgsIsHelpError":
        say(error.format_message())  # type: ignore[attr-defined]
        return 2
    if hasattr(error, "format_message"):  # a usage error of the command line library
        from referee.library.complaints import complaint

        path = getattr(getattr(error, "ctx", None), "command_path", "referee")
        return _report(Usage(complaint(error), t("see `{path} --help`", path=path)))
    if os.environ.get("REFEREE_DEBUG"):
        raise error
    what = t("internal error: {name}", name=type(error).__name__)
    return _report(RefereeError(what, t("run it again with REFEREE_DEBUG=1 and report it")))


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
