"""`python -m crosshead` is the command `crosshead`."""

from crosshead.cli import main

main()
