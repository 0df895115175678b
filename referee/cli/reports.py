"""Reports for programs: JSON, and English whatever the reader speaks."""

from referee.cli.common import out


def report(value: object) -> None:
    """Print a report."""
    from referee.library.reports import encoded

    out(encoded(value))
