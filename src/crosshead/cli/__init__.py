"""The terminal: one file per command, Typer for the flags, Rich for the views.

arguments -> flags, with defaults from settings -> commands/ -> views/ or JSON -> an exit code (`process/`)
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from crosshead.cli.process.garbage import collect_rarely
from crosshead.cli.process.interrupts import INTERRUPTED, ended_at_once
from crosshead.runtime.lazy import lazy_names

if TYPE_CHECKING:
    from crosshead.cli.program.application import app

__all__ = ["app", "main"]

__getattr__, __dir__ = lazy_names(__name__, {"program.application": "app"})


def main() -> None:
    """Run the command line."""
    collect_rarely()
    with ended_at_once():
        from crosshead.cli.program.application import app
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
