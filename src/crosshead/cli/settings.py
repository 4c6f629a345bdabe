"""Where the options of chunking come from: flags > CROSSHEAD_* environment > crosshead.toml > defaults."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, Final, NamedTuple

from crosshead.errors import OptionsError
from crosshead.options import ChunkOptions, chunk_options

FILE_NAME: Final = "crosshead.toml"
TABLE: Final = "chunk"
PREFIX: Final = "CROSSHEAD_"

_WORDS: Final = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,18}")


class Setting(NamedTuple):
    """A value and where it was set; nowhere in particular for a flag."""

    value: Any
    origin: str = ""


def load_chunk_options(flags: Mapping[str, str | bool | None]) -> ChunkOptions:
    """Make options from flags, of which those that were not given are None, and what stands behind them."""
    settings = {
        **_file_settings(Path.cwd()),
        **_environment_settings(os.environ),
        **{name: Setting(_read_value(value)) for name, value in flags.items() if value is not None},
    }
    try:
        return chunk_options(**{name: setting.value for name, setting in settings.items()})
    except OptionsError as error:
        raise OptionsError(f"{error}{_origins(str(error), settings)}") from error


def environment_name(option: str) -> str:
    """Return the environment variable that sets an option."""
    return f"{PREFIX}{option.upper()}"


def _environment_settings(environment: Mapping[str, str]) -> dict[str, Setting]:
    """An empty variable is one that is not set."""
    names = {field.name: environment_name(field.name) for field in fields(ChunkOptions)}
    return {
        name: Setting(_read_value(environment[variable]), variable)
        for name, variable in names.items()
        if environment.get(variable)
    }


def _read_value(value: str | bool) -> str | int | bool:
    """What is no number where one is needed stays a string, and `ChunkOptions` says what is wrong with it."""
    if isinstance(value, bool):
        return value
    if value.lower() in _WORDS:
        return _WORDS[value.lower()]
    return int(value) if _INTEGER.fullmatch(value) else value


def _file_settings(folder: Path) -> dict[str, Setting]:
    for each in (folder, *folder.parents):
        path = each / FILE_NAME
        if path.is_file():
            return {name: Setting(value, str(path)) for name, value in _read_file(path).items()}
    return {}


def _read_file(path: Path) -> dict[str, Any]:
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise OptionsError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise OptionsError(f"{path}: not valid TOML: {error}") from error
    for name in tables:
        if name != TABLE:
            raise OptionsError(f"{path}: unknown key {name!r}: options stand in the table [{TABLE}]")
    chosen = tables.get(TABLE, {})
    if not isinstance(chosen, dict):
        raise OptionsError(f"{path}: {TABLE} must be a table: [{TABLE}]")
    return chosen


def _origins(message: str, settings: Mapping[str, Setting]) -> str:
    """Say where the options that a message names were set, unless it was a flag, which the user has in view."""
    named = [
        f"{name} is set in {setting.origin}"
        for name, setting in settings.items()
        if setting.origin and re.search(rf"\b{re.escape(name)}\b", message)
    ]
    return f" ({'; '.join(named)})" if named else ""
