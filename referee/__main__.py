"""`python -m referee` is the command line too."""

from referee import leave_here

leave_here()

from referee.cli import run  # noqa: E402

run()
