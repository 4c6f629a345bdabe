"""Where options come from: flags > CROSSHEAD_* environment > crosshead.toml > defaults.

Each table of the file is named after the step that uses its options: `[files]`, `[extract]`, `[chunk]`. Indexing itself
reads `[[metadata]]`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar, get_args, get_type_hints

from crosshead.errors import OptionsError
from crosshead.options import (
    OCR_MODES,
    ChunkOptions,
    ExtractOptions,
    check_names,
    check_types,
    chunk_options,
    extract_options,
)
from crosshead.runtime.settings_file import METADATA, nearest_settings, read_settings


@dataclass(frozen=True)
class FileOptions:
    """Which files in folders are read besides documents."""

    include: Sequence[str] = ()
    """`code`, `data`, `image`, or formats by name."""
    hidden: bool = False

    def __post_init__(self) -> None:
        check_types(bool, hidden=self.hidden)
        if isinstance(self.include, str):
            raise OptionsError(f"include={self.include!r} must be a list of names")


TABLES: Final = {FileOptions: "files", ExtractOptions: "extract", ChunkOptions: "chunk"}
PREFIX: Final = "CROSSHEAD_"

_BOOLEANS: Final = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,18}")

Options = TypeVar("Options", ChunkOptions, ExtractOptions, FileOptions)
Flag = str | bool | Sequence[str] | None


class Setting(NamedTuple):
    """A value, and the file or variable that sets it; flags have no origin, because the user sees them."""

    value: Any
    origin: str = ""


class SettingsFile:
    """The nearest crosshead.toml, in the working folder or above it; it is read when it is first needed."""

    def settings(self, table: str) -> dict[str, Setting]:
        """Return the settings in a table, empty without a file."""
        settings = self._tables.get(table, {})
        if not isinstance(settings, dict):
            raise OptionsError(f"{self._path}: {table} must be a table: [{table}]")
        if settings.get("ocr", OCR_MODES[0]) not in OCR_MODES:
            raise OptionsError(
                f"{self._path}: ocr must be {' or '.join(OCR_MODES)} here, because a file must not run a program: "
                f"give a command with --ocr or {environment_name('ocr')}"
            )
        return {name: Setting(value, str(self._path)) for name, value in settings.items()}

    @cached_property
    def _path(self) -> Path | None:
        return nearest_settings(Path.cwd())

    @cached_property
    def _tables(self) -> Mapping[str, Any]:
        if self._path is None:
            return {}
        tables = read_settings(self._path)
        for name in tables:
            if name not in (*TABLES.values(), METADATA):
                known = ", ".join([*(f"[{table}]" for table in TABLES.values()), f"[[{METADATA}]]"])
                raise OptionsError(f"{self._path}: unknown key {name!r}: options belong in the tables {known}")
        return tables


def find_settings(kind: type[Options], flags: Mapping[str, Flag], file: SettingsFile) -> dict[str, Setting]:
    """Return those options that are set; flags that are None or empty are not."""
    types = get_type_hints(kind)
    return {
        **file.settings(TABLES[kind]),
        **_environment_settings(os.environ, types),
        **{name: Setting(_read_value(flag, types[name])) for name, flag in flags.items() if flag not in (None, [], ())},
    }


def make_options(kind: type[Options], settings: Mapping[str, Setting]) -> Options:
    """Return the options; an error names the file or variable that sets the wrong one."""
    try:
        options: Options = _MAKERS[kind](**{name: setting.value for name, setting in settings.items()})
    except OptionsError as error:
        raise OptionsError(f"{error}{_origins(str(error), settings)}") from error
    return options


def load_options(kind: type[Options], flags: Mapping[str, Flag], file: SettingsFile | None = None) -> Options:
    """Return the options that flags, environment and file set, with defaults for the rest."""
    return make_options(kind, find_settings(kind, flags, file or SettingsFile()))


def _file_options(**values: Any) -> FileOptions:
    check_names(values, [*get_type_hints(FileOptions)])
    return FileOptions(**values)


_MAKERS: Final[Mapping[type, Callable[..., Any]]] = {
    FileOptions: _file_options,
    ExtractOptions: extract_options,
    ChunkOptions: chunk_options,
}


def environment_name(option: str) -> str:
    """Return the environment variable that sets an option."""
    return f"{PREFIX}{option.upper()}"


def _environment_settings(environment: Mapping[str, str], types: Mapping[str, Any]) -> dict[str, Setting]:
    """Return the options that variables set; an empty variable sets nothing."""
    names = {name: environment_name(name) for name in types}
    return {
        name: Setting(_read_value(environment[variable], types[name]), variable)
        for name, variable in names.items()
        if environment.get(variable)
    }


def _read_value(value: Flag, type: Any) -> Any:
    """Return the value of a flag; one that does not fit the type stays a string, which the options then refuse."""
    if getattr(type, "__origin__", None) is Mapping:
        return _read_pairs(value.split(",") if isinstance(value, str) else value)
    if not isinstance(value, str):
        return value
    if getattr(type, "__origin__", None) is Sequence:
        return [name.strip() for name in value.split(",")]
    if bool in (type, *get_args(type)):
        return _BOOLEANS.get(value.lower(), value)
    return int(value) if type is int and _INTEGER.fullmatch(value) else value


def _read_pairs(pairs: Any) -> dict[str, str]:
    """Read NAME=MEANING for each style; a name may contain an equals sign."""
    meanings = {}
    for pair in pairs:
        name, equals, meaning = pair.rpartition("=")
        if not equals or not name.strip():
            raise OptionsError(f"{pair!r} is not a style with its meaning: write NAME=MEANING, as in HeadA=1")
        meanings[name.strip()] = meaning.strip()
    return meanings


def _origins(message: str, settings: Mapping[str, Setting]) -> str:
    """Return where the options that a message names are set."""
    named = [
        f"{name} is set in {setting.origin}"
        for name, setting in settings.items()
        if setting.origin and re.search(rf"\b{re.escape(name)}\b", message)
    ]
    return f" ({'; '.join(named)})" if named else ""
