"""Which of several indexes could not be searched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from crosshead.cli.terminal.output import print_warning
from crosshead.types import MissingIndex

if TYPE_CHECKING:
    from crosshead.index import Index, JoinedIndex


def warn_of_missing(missing: Sequence[MissingIndex]) -> None:
    """Print a line about the indexes whose documents are not in the results."""
    if missing:
        reasons = "; ".join(f"{each.index}: {each.reason}" for each in missing)
        print_warning(f"not searched: {reasons}")


def warn_of_absent(index: Index | JoinedIndex) -> None:
    """Print the same about the indexes that are joined."""
    from crosshead.index import JoinedIndex

    if isinstance(index, JoinedIndex):
        warn_of_missing(index.missing())


def describe_missing(missing: Sequence[MissingIndex]) -> dict[str, Any]:
    """Return what JSON says about it."""
    return {"complete": not missing, "missing": [asdict(each) for each in missing]}
