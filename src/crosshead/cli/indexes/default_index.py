"""The default index: `.crosshead` here or in the nearest parent folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import typer

from crosshead.cli.process.interrupts import ended_at_once
from crosshead.cli.program.loading import TAKE_SEVERAL
from crosshead.cli.terminal.output import print_note
from crosshead.errors import OptionsError
from crosshead.options import DEFAULT_LOCATION
from crosshead.store import POSTGRES, find_kind, find_parts, holds_index, is_pattern


def nearest_index() -> str:
    """Return the nearest `.crosshead`, that of the working folder if none exists."""
    here = Path.cwd()
    if holds_index(here / DEFAULT_LOCATION):
        return DEFAULT_LOCATION
    found = next((each / DEFAULT_LOCATION for each in here.parents if holds_index(each / DEFAULT_LOCATION)), None)
    return str(found or DEFAULT_LOCATION)


def index_to_read(context: typer.Context, parameter: typer.CallbackParam, value: str) -> str:
    """Return the index that is named, or else the nearest one; it must be one whole."""
    location = whole_or_parts_to_read(context, parameter, value)
    if parts := find_parts(location):
        raise OptionsError(
            f"{location}: this command takes one index: name a part of it, as in --index {parts.locations[0]}"
        )
    return location


def whole_or_parts_to_read(context: typer.Context, parameter: typer.CallbackParam, value: str) -> str:
    """Return the index that is named, or else the nearest one; it may have parts."""
    source = context.get_parameter_source(parameter.name or "")
    location = nearest_index() if source is not None and source.name == "DEFAULT" else value
    if is_pattern(location) and not find_parts(location):
        raise OptionsError(f"{location}: this command takes one index; {TAKE_SEVERAL}")
    if not context.resilient_parsing:  # as for completion, which does not read the index
        import_arrow(location)
    return location


def index_to_write(paths: Sequence[str]) -> str:
    """Return the nearest index; one in a parent folder only if that folder holds all paths, with a note."""
    found = nearest_index()
    home = Path(found).absolute().parent.resolve()
    if found == DEFAULT_LOCATION or not all(Path(os.path.realpath(path)).is_relative_to(home) for path in paths):
        return DEFAULT_LOCATION
    print_note(f"using the index {found}; to create one here, pass --index {DEFAULT_LOCATION}")
    return found


class _PandasHidden:
    def find_spec(self, name: str, *_: object) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(name)


def import_arrow(location: str) -> None:
    """Import PyArrow for an index that needs it, without pandas, which takes longer to import than a search takes.

    PyArrow imports pandas again if it has to.
    """
    if find_kind(location) == POSTGRES or "pandas" in sys.modules:
        return
    hidden: Any = _PandasHidden()
    sys.meta_path.insert(0, hidden)
    try:
        with ended_at_once(), suppress(ImportError):  # reported when the index is opened
            import pyarrow.dataset  # noqa: F401
    finally:
        sys.meta_path.remove(hidden)
