"""`python -m referee` is the command line too."""

from referee.cli import main

main()
