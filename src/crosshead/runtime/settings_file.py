"""crosshead.toml: options of the command line, and metadata of the documents around it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from crosshead.errors import OptionsError

FILE_NAME: Final = "crosshead.toml"
METADATA: Final = "metadata"
"""The tables of metadata."""


def nearest_settings(folder: Path) -> Path | None:
    """Return the crosshead.toml in a folder, or in the nearest one above it."""
    paths = (each / FILE_NAME for each in (folder, *folder.parents))
    return next((path for path in paths if path.is_file()), None)


def read_settings(path: Path) -> Mapping[str, Any]:
    """Return the tables of a crosshead.toml, which is parsed again only if it has changed."""
    try:
        return parsed_settings(path, path.stat().st_mtime_ns)
    except OSError as error:
        raise OptionsError(f"{path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise OptionsError(f"{path}: not valid TOML: {error}") from error


@lru_cache
def parsed_settings(path: Path, mtime_ns: int) -> Mapping[str, Any]:
    """Return the tables of a file as it was at a time."""
    return tomllib.loads(path.read_text(encoding="utf-8"))
