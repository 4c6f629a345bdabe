"""The names that revisions take in a database, which must be free before an upgrade begins."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import NamedTuple


class Additions(NamedTuple):
    """What a revision adds under names of its choice; the database finds free ones for the rest."""

    revision: str
    tables: Sequence[str] = ()
    relations: Sequence[str] = ()
    """Indexes and sequences."""
    columns: Mapping[str, Sequence[str]] = {}
    """By table."""
    taken_over: Sequence[str] = ()
    """Of these columns, those that an older program may have made; its own are used, or replaced."""
    constraints: Sequence[str] = ()
    """Of the table `chunks`."""


def read_additions() -> list[Additions]:
    """Return what all revisions above the older layout add, from the lowest to the newest."""
    from crosshead.store.postgres.migrations import versions

    modules = [import_module(f"{versions.__name__}.{each.name}") for each in pkgutil.iter_modules(versions.__path__)]
    return sorted(module.ADDS for module in modules if module.down_revision)
