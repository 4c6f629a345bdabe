"""The formats: their names, how a file shows which one it is, and who reads it.

A file is what its first bytes say; where they do not say it, what its name says. A reader is imported when its format
is first read, so that nobody pays for formats that they do not use.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePath
from typing import Final, cast

from crosshead.errors import OptionsError, UnsupportedFormat
from crosshead.extract.base import Reader


@dataclass(frozen=True, slots=True)
class Format:
    """One format of documents."""

    name: str
    reader: Reader | str
    """A function, or "module:function" that is imported when it is needed."""
    suffixes: tuple[str, ...] = ()
    """Of file names, with the dot, in lower case."""
    aliases: tuple[str, ...] = ()
    """Other names that people use."""
    detect: Callable[[bytes], bool] | None = None
    """Do these bytes show the format without any doubt?"""

    def load_reader(self) -> Reader:
        """Return the function that reads this format."""
        if not isinstance(self.reader, str):
            return self.reader
        module, _, function = self.reader.partition(":")
        return cast(Reader, getattr(import_module(module), function))


_FORMATS: Final[dict[str, Format]] = {}
_SUFFIXES: Final[dict[str, str]] = {}
_ALIASES: Final[dict[str, str]] = {}


def register_format(format: Format) -> None:
    """Add a format, or replace the one of the same name."""
    if not format.name.isidentifier():
        raise OptionsError(f"{format.name!r} is no name for a format: use letters, digits and underscores")
    _FORMATS[format.name] = format
    _SUFFIXES.update(dict.fromkeys(format.suffixes, format.name))
    _ALIASES.update(dict.fromkeys((format.name, *format.aliases), format.name))


def get_format(name: str) -> Format:
    """Return a format by its name or an alias."""
    known = _ALIASES.get(name.lower())
    if known is None:
        raise UnsupportedFormat(f"no reader for the format {name!r}; known are {', '.join(sorted(_FORMATS))}")
    return _FORMATS[known]


def format_of(name: str) -> str:
    """Return the format of a file by its name."""
    suffix = PurePath(name).suffix.lower()
    if suffix not in _SUFFIXES:
        raise UnsupportedFormat(
            f"{name}: no reader for {suffix or 'a file without suffix'}; known are {', '.join(_SUFFIXES)}"
        )
    return _SUFFIXES[suffix]


def detect_format(data: bytes) -> str | None:
    """Return the format that the bytes show without any doubt."""
    for format in _FORMATS.values():
        if format.detect and format.detect(data):
            return format.name
    return None
