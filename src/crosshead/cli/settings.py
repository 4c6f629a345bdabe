"""Where options come from: flags > CROSSHEAD_* environment > crosshead.toml > defaults.

A table of the file is named after the step that takes the options: `[extract]`, `[chunk]`.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar, get_args, get_type_hints

from crosshead.errors import OptionsError
from crosshead.options import OCR_MODES, ChunkOptions, ExtractOptions, chunk_options, extract_options

FILE_NAME: Final = "crosshead.toml"
TABLES: Final = {ExtractOptions: "extract", ChunkOptions: "chunk"}
PREFIX: Final = "CROSSHEAD_"

_WORDS: Final = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,18}")

Options = TypeVar("Options", ChunkOptions, ExtractOptions)
Flag = str | bool | Sequence[str] | None


class Setting(NamedTuple):
    """A value and where it was set; nowhere in particular for a flag."""

    value: Any
    origin: str = ""


def load_chunk_options(flags: Mapping[str, Flag]) -> ChunkOptions:
    """Make options from flags, of which those that were not given are None, and what stands behind them."""
    return _load(ChunkOptions, chunk_options, flags)


def load_extract_options(flags: Mapping[str, Flag]) -> ExtractOptions:
    """Make options from flags, of which those that were not given are None or empty, and what stands behind them."""
    return _load(ExtractOptions, extract_options, flags)


def given_chunk_options(flags: Mapping[str, Flag]) -> dict[str, Any]:
    """Return only those options that are set somewhere, once they are known to be possible together."""
    load_chunk_options(flags)
    return {name: setting.value for name, setting in _settings(ChunkOptions, flags).items()}


def given_extract_options(flags: Mapping[str, Flag]) -> ExtractOptions | None:
    """Return the options if any of them is set somewhere."""
    options = load_extract_options(flags)
    return options if _settings(ExtractOptions, flags) else None


def environment_name(option: str) -> str:
    """Return the environment variable that sets an option."""
    return f"{PREFIX}{option.upper()}"


def _load(kind: type[Options], make: Callable[..., Options], flags: Mapping[str, Flag]) -> Options:
    settings = _settings(kind, flags)
    try:
        return make(**{name: setting.value for name, setting in settings.items()})
    except OptionsError as error:
        raise OptionsError(f"{error}{_origins(str(error), settings)}") from error


def _settings(kind: type[Options], flags: Mapping[str, Flag]) -> dict[str, Setting]:
    types = get_type_hints(kind)
    return {
        **_file_settings(Path.cwd(), TABLES[kind]),
        **_environment_settings(os.environ, types),
        **{name: Setting(_read_value(flag, types[name])) for name, flag in flags.items() if flag not in (None, [], ())},
    }


def _environment_settings(environment: Mapping[str, str], types: Mapping[str, Any]) -> dict[str, Setting]:
    """An empty variable is one that is not set."""
    names = {name: environment_name(name) for name in types}
    return {
        name: Setting(_read_value(environment[variable], types[name]), variable)
        for name, variable in names.items()
        if environment.get(variable)
    }


def _read_value(value: Flag, type: Any) -> Any:
    """What is no number where one is needed stays a string, and the options say what is wrong with it."""
    if getattr(type, "__origin__", None) is Mapping:
        return _read_pairs(value.split(",") if isinstance(value, str) else value)
    if not isinstance(value, str):
        return value
    if bool in (type, *get_args(type)):
        return _WORDS.get(value.lower(), value)
    return int(value) if type is int and _INTEGER.fullmatch(value) else value


def _read_pairs(pairs: Any) -> dict[str, str]:
    """`HeadA=1` gives a style its meaning; a name may hold an equals sign, a meaning does not."""
    found = {}
    for pair in pairs:
        name, equals, meaning = pair.rpartition("=")
        if not equals or not name.strip():
            raise OptionsError(f"{pair!r} gives no style a meaning: write NAME=MEANING, as in HeadA=1")
        found[name.strip()] = meaning.strip()
    return found


def _file_settings(folder: Path, table: str) -> dict[str, Setting]:
    for each in (folder, *folder.parents):
        path = each / FILE_NAME
        if path.is_file():
            found = _read_file(path, table)
            if found.get("ocr", OCR_MODES[0]) not in OCR_MODES:
                raise OptionsError(
                    f"{path}: ocr may be {' or '.join(OCR_MODES)} here; a command runs a program, which no file may "
                    f"ask for: give --ocr, or {environment_name('ocr')}"
                )
            return {name: Setting(value, str(path)) for name, value in found.items()}
    return {}


def _read_file(path: Path, table: str) -> dict[str, Any]:
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise OptionsError(f"{path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise OptionsError(f"{path}: not valid TOML: {error}") from error
    for name in tables:
        if name not in TABLES.values():
            known = " and ".join(f"[{each}]" for each in TABLES.values())
            raise OptionsError(f"{path}: unknown key {name!r}: options stand in the tables {known}")
    chosen = tables.get(table, {})
    if not isinstance(chosen, dict):
        raise OptionsError(f"{path}: {table} must be a table: [{table}]")
    return chosen


def _origins(message: str, settings: Mapping[str, Setting]) -> str:
    """Say where the options that a message names were set, unless it was a flag, which the user has in view."""
    named = [
        f"{name} is set in {setting.origin}"
        for name, setting in settings.items()
        if setting.origin and re.search(rf"\b{re.escape(name)}\b", message)
    ]
    return f" ({'; '.join(named)})" if named else ""
