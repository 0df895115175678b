"""The command line. Each command imports what it needs, when it runs."""

import sys


def main() -> None:
    """Run a command; every expected error ends in its documented exit status, with one message and a next step."""
    from referee.errors import RefereeError

    try:
        from referee.cli.app import app

        app(prog_name="referee")
    except RefereeError as error:
        _report(error.code, error.message, error.next)
        sys.exit(error.exit)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except Exception as error:
        import os

        if os.environ.get("REFEREE_DEBUG"):
            raise
        _report("internal", f"internal error: {type(error).__name__}", "run again with REFEREE_DEBUG=1 and report it")
        sys.exit(1)


def _report(code: str, message: str, next: str) -> None:
    if "--json" in sys.argv[1:]:
        import msgspec

        sys.stdout.write(msgspec.json.encode({"code": code, "message": message, "next": next}).decode() + "\n")
    from referee.cli.common import say

    say(f"referee: {message}")
    if next:
        say(f"Next: {next}")
