"""The formats: their names, how a file shows which one it is, and who reads it.

A file is what its first bytes say; where they do not say it, what its name says; a text file may turn out to be more
than that. A reader is imported when its format
is first read, so that nobody pays for formats that they do not use.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Collection
from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePath
from typing import Final, Literal, NamedTuple, TypeAlias, cast, get_args

from crosshead.errors import OptionsError, TooLarge, UnsupportedFormat
from crosshead.formats.base import Members, Reader
from crosshead.formats.detection import refuse_unreadable
from crosshead.formats.includes import ExpandedText, Nearby
from crosshead.options import ExtractOptions

Kind = Literal["document", "code", "data", "image", "archive"]
"""A folder is searched for documents; code and data in it are taken where the user asks for them, images where their
text is to be recognized. An archive is none itself, but it is searched as a folder is."""


@dataclass(frozen=True, slots=True)
class Format:
    """One format of documents."""

    name: str
    """Letters, digits and underscores, in lower case."""
    reader: Reader | str
    """A function, or "module:function" that is imported when it is needed."""
    suffixes: tuple[str, ...] = ()
    """Of file names, with the dot, in lower case."""
    aliases: tuple[str, ...] = ()
    """Other names that people use."""
    detect: Callable[[bytes], bool] | None = None
    """Do these bytes show the format without any doubt?"""
    max_bytes: int = 64 << 20
    """Larger files are refused unless the user says otherwise: reading takes several times as much memory."""
    kind: Kind = "document"
    members: Members | str = ""
    """The function that lists documents inside of a file of this format, given as a reader is."""
    is_sniffed: bool = False
    """The suffix says little: a file in a folder is taken only if `detect` sees the format in it."""
    recognize: Callable[[str], str] | str = ""
    """The function that says what shows that a text file of any name has this format, given as a reader is; it
    returns nothing if the text may be something else."""
    expand: Expand | str = ""
    """The function that puts the files that a text includes into it, given as a reader is."""

    def load_reader(self) -> Reader:
        """Return the function that reads this format."""
        return cast(Reader, _load(self.reader))

    def load_members(self) -> Members:
        """Return the function that lists what is inside of a file."""
        return cast(Members, _load(self.members))

    def load_expand(self) -> Expand | None:
        """Return the function that puts included files into a text, None where a format does not know includes."""
        return cast(Expand, _load(self.expand)) if self.expand else None

    def evidence(self, text: str) -> str:
        """Return what shows that a text has this format, nothing if nothing does."""
        return cast(Callable[[str], str], _load(self.recognize))(text) if self.recognize else ""


Expand: TypeAlias = Callable[[bytes, Nearby], ExpandedText]


class Choice(NamedTuple):
    """The format that a file is read as."""

    format: str
    reason: str
    """Why."""

    def __str__(self) -> str:
        return f"read as {self.format}: {self.reason}"


def _load(function: object) -> object:
    if not isinstance(function, str):
        return function
    module, _, name = function.partition(":")
    return getattr(import_module(module), name)


_SAMPLE_BYTES: Final = 400_000
"""Of a text file, to see what it is."""
_FORMATS: Final[dict[str, Format]] = {}
_SUFFIXES: Final[dict[str, str]] = {}
_ALIASES: Final[dict[str, str]] = {}


def register_format(format: Format) -> None:
    """Add a format, or replace the one of the same name. Of two that claim a suffix or an alias, the later one wins."""
    if not format.name.isidentifier() or format.name != format.name.lower():
        raise OptionsError(f"{format.name!r} is no name for a format: use lower case letters, digits and underscores")
    for suffix in format.suffixes:
        if not suffix.startswith(".") or suffix != suffix.lower() or not PurePath(f"x{suffix}").suffix == suffix:
            raise OptionsError(f"{suffix!r} is no suffix: use one dot and lower case letters, as in '.md'")
    _FORMATS.pop(format.name, None)
    _FORMATS[format.name] = format
    _SUFFIXES.update(dict.fromkeys(format.suffixes, format.name))
    _ALIASES.update(dict.fromkeys((format.name, *map(str.lower, format.aliases)), format.name))


def forget_formats() -> None:
    """Know no format."""
    for names in (_FORMATS, _SUFFIXES, _ALIASES):
        names.clear()


def get_format(name: str) -> Format:
    """Return a format by its name, an alias or a suffix, with or without its dot."""
    name = name.lower()
    known = _ALIASES.get(name) or _SUFFIXES.get(f".{name.removeprefix('.')}")
    if known is None:
        raise UnsupportedFormat(f"no reader for the format {name!r}; known are {', '.join(sorted(_FORMATS))}")
    return _FORMATS[known]


def known_formats() -> tuple[Format, ...]:
    """Return all formats in the order in which they were registered."""
    return tuple(_FORMATS.values())


def format_of(name: str) -> str:
    """Return the format of a file by its name."""
    suffix = _suffix_of(name)
    if suffix not in _SUFFIXES:
        raise UnsupportedFormat(
            f"no reader for {suffix or 'a file without suffix'}; known are {', '.join(_SUFFIXES)}; or name the format",
            source=name,
        )
    return _SUFFIXES[suffix]


def _suffix_of(name: str) -> str:
    """Return the suffix of a name; where one format is usually compressed, that before `.gz`."""
    stem, suffix = os.path.splitext(name)
    if suffix.lower() == ".gz" and ".gz" not in _SUFFIXES:
        inner = os.path.splitext(stem)[1].lower()
        return inner if inner in _SUFFIXES and _FORMATS[_SUFFIXES[inner]].is_sniffed else ".gz"
    return suffix.lower()


def are_included(formats: Collection[str]) -> frozenset[str]:
    """Return the formats that are taken from folders if these are asked for: by name, suffix or kind."""
    kinds = {"document", *formats}
    named = {get_format(name).name for name in formats if name not in get_args(Kind)}
    return frozenset(format.name for format in _FORMATS.values() if format.kind in kinds or format.name in named)


def check_size(size: int, format: Format, options: ExtractOptions) -> None:
    """Refuse a file that is too large for its format."""
    limit = options.max_file_size or format.max_bytes
    if size > limit:
        raise TooLarge(
            f"{size / 1e6:,.1f} MB are more than {limit / 1e6:,.1f} MB, the limit for {format.name} files: "
            "split the file, or raise max_file_size (--max-file-size)"
        )


def detect_format(data: bytes) -> str | None:
    """Return the format that the bytes show without any doubt; the latest registered is asked first."""
    for format in reversed(_FORMATS.values()):
        if format.detect and format.detect(data):
            return format.name
    return None


def choose_format(name: str, data: bytes) -> Choice:
    """Return the format of a file: what its bytes show, else what its name says, else what a text looks like."""
    found = detect_format(data)
    if found:
        return Choice(found, f"its content shows it{_said_by(name, found)}")
    refuse_unreadable(data)
    named = format_of(name)
    if named == "text":
        text = _sample(data)
        for format in reversed(_FORMATS.values()):
            if evidence := format.evidence(text):
                return Choice(format.name, f"{evidence} (name says text)")
    return Choice(named, "its name says so")


def _said_by(name: str, found: str) -> str:
    named = _SUFFIXES.get(_suffix_of(name), "")
    return f" (name says {named})" if named and named != found else ""


def _sample(data: bytes) -> str:
    """Return the first part of a text, to look at; signs of formats are ASCII in every encoding but the wide ones."""
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return data[:_SAMPLE_BYTES].decode("utf-16" if wide else "utf-8", "replace").replace("\r\n", "\n")
