"""The index that is meant where none is named: that of the current folder, or the nearest above it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import typer

from crosshead.cli.output import print_error

DEFAULT_INDEX: Final = ".crosshead"


def nearest_index() -> str:
    """Return where it is; the current folder if there is none."""
    here = Path.cwd()
    found = next((each / DEFAULT_INDEX for each in here.parents if (each / DEFAULT_INDEX).is_dir()), None)
    return DEFAULT_INDEX if found is None or (here / DEFAULT_INDEX).is_dir() else str(found)


def index_to_read(context: typer.Context, parameter: typer.CallbackParam, value: str) -> str:
    """Take the nearest index, unless one is named."""
    source = context.get_parameter_source(parameter.name or "")
    return nearest_index() if source is not None and source.name == "DEFAULT" else value


def index_to_write(paths: Sequence[str]) -> str:
    """Take an index above the current folder only for what lies below its own folder, and say so."""
    found = nearest_index()
    home = Path(found).absolute().parent.resolve()
    if found == DEFAULT_INDEX or not all(Path(os.path.realpath(path)).is_relative_to(home) for path in paths):
        return DEFAULT_INDEX
    print_error(f"into the index {found}; --index {DEFAULT_INDEX} makes one here", label="note")
    return found
