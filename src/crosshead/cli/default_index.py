"""The default index: `.crosshead` here or in the nearest parent folder."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import typer

from crosshead.cli.output import print_error

DEFAULT_INDEX: Final = ".crosshead"


def nearest_index() -> str:
    """Return the nearest `.crosshead`, that of the working folder if none exists."""
    here = Path.cwd()
    found = next((each / DEFAULT_INDEX for each in here.parents if (each / DEFAULT_INDEX).is_dir()), None)
    return DEFAULT_INDEX if found is None or (here / DEFAULT_INDEX).is_dir() else str(found)


def index_to_read(context: typer.Context, parameter: typer.CallbackParam, value: str) -> str:
    """Return the index that is named, or else the nearest one."""
    source = context.get_parameter_source(parameter.name or "")
    return nearest_index() if source is not None and source.name == "DEFAULT" else value


def index_to_write(paths: Sequence[str]) -> str:
    """Return the nearest index; one in a parent folder only if that folder holds all paths, with a note."""
    found = nearest_index()
    home = Path(found).absolute().parent.resolve()
    if found == DEFAULT_INDEX or not all(Path(os.path.realpath(path)).is_relative_to(home) for path in paths):
        return DEFAULT_INDEX
    print_error(f"using the index {found}; to create one here, pass --index {DEFAULT_INDEX}", label="note")
    return found
