"""The known formats: their names, how to detect them, and how to read them.

The bytes of a file decide its format; where they do not, its name does; a text file may turn out to be markup. A reader
is imported when it is first used, so that unused formats cost nothing.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import PurePath
from typing import Final, Literal, NamedTuple, TypeAlias, cast, get_args

from crosshead.citation import CitedLines, declare_lines
from crosshead.errors import OptionsError, TooLarge, UnsupportedFormat
from crosshead.formats.base import Members, Reader
from crosshead.formats.detection import Content, refuse_unreadable, shows
from crosshead.formats.includes import ExpandedText, Nearby
from crosshead.options import ExtractOptions

Kind = Literal["document", "code", "data", "image", "archive"]
"""A folder is searched for documents. Code and data in it are taken if the user includes them, images if their text can
be recognized. An archive is not a document but is searched like a folder."""


class Extra(NamedTuple):
    """An optional part of the installation, as in `pip install 'crosshead[xls]'`."""

    name: str
    module: str
    """A module that it installs."""
    purpose: str
    """What it is for, as `crosshead doctor` lists it."""


@dataclass(frozen=True, slots=True)
class Format:
    """One format of documents, given by keyword after the reader.

    A function may also be given by name, as "module:function" or "module:function:argument", which is imported when it
    is first needed. The argument is passed first.
    """

    name: str
    """Lower case letters, digits and underscores."""
    reader: Reader | str
    """The function that turns bytes into Markdown."""
    suffixes: tuple[str, ...] = ()
    """Of file names, with the dot, in lower case."""
    aliases: tuple[str, ...] = ()
    """Other names that people use."""
    detect: Callable[[bytes], bool] | None = None
    """Returns whether bytes are of this format beyond doubt."""
    max_bytes: int = 64 << 20
    """Larger files are refused, because reading takes several times as much memory. `max_file_size` overrides it."""
    kind: Kind = "document"
    members: Members | str = ""
    """The function that lists documents inside a file."""
    is_sniffed: bool = False
    """Whether the suffix alone is not enough: a file in a folder is taken only if `detect` confirms the format."""
    recognize: Callable[[str], str] | str = ""
    """The function that returns what shows that a text file is of this format; an empty string if nothing does."""
    expand: Expand | str = ""
    """The function that replaces the includes of a text by the files that they name."""
    max_lines: int | None = field(default=None, kw_only=True)
    """Files with more lines are refused."""
    lines: CitedLines | None = field(default=None, kw_only=True)
    """What a citation names: the lines of the text, which are those of the "file"; the lines that the "marks" in
    `Extracted.lines` give; "times" or "cells", if these are seconds or rows of a sheet; or "slides", if the pages are
    those. None keeps what is known of the name, else pages, or the section alone."""
    extra: Extra | None = field(default=None, kw_only=True)
    """What to install to read it."""

    def load_reader(self) -> Reader:
        """Return the function that reads this format."""
        return cast(Reader, _load(self.reader))

    def load_members(self) -> Members:
        """Return the function that lists documents inside a file."""
        return cast(Members, _load(self.members))

    def load_expand(self) -> Expand | None:
        """Return the function that replaces includes; None if the format has none."""
        return cast(Expand, _load(self.expand)) if self.expand else None

    def evidence(self, text: str) -> str:
        """Return what shows that a text is of this format; an empty string if nothing does."""
        return cast(Callable[[str], str], _load(self.recognize))(text) if self.recognize else ""


Expand: TypeAlias = Callable[[bytes, Nearby], ExpandedText]


class Choice(NamedTuple):
    """The format that a file is read as, and why."""

    format: str
    reason: str

    def __str__(self) -> str:
        return f"read as {self.format}: {self.reason}"


def _load(function: object) -> object:
    if not isinstance(function, str):
        return function
    module, name, *arguments = function.split(":")
    loaded = getattr(import_module(module), name)
    return partial(loaded, *arguments) if arguments else loaded


_SAMPLE_BYTES: Final = 400_000
"""Of a text file, to recognize its format."""
_FORMATS: Final[dict[str, Format]] = {}
_SUFFIXES: Final[dict[str, str]] = {}
_ALIASES: Final[dict[str, str]] = {}


def register_format(format: Format) -> None:
    """Add a format, or replace the one of the same name. If two claim a suffix or an alias, the later one gets it."""
    if not format.name.isidentifier() or format.name != format.name.lower():
        raise OptionsError(f"{format.name!r} is not a format name: use lower case letters, digits and underscores")
    for suffix in format.suffixes:
        if not suffix.startswith(".") or suffix != suffix.lower() or not PurePath(f"x{suffix}").suffix == suffix:
            raise OptionsError(f"{suffix!r} is not a suffix: use one dot and lower case letters, as in '.md'")
    _FORMATS.pop(format.name, None)
    _FORMATS[format.name] = format
    _SUFFIXES.update(dict.fromkeys(format.suffixes, format.name))
    _ALIASES.update(dict.fromkeys((format.name, *map(str.lower, format.aliases)), format.name))
    if format.lines:
        declare_lines(format.name, format.lines)


def forget_formats() -> None:
    """Remove all formats."""
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
    """Return the suffix of a name; of a compressed man page, the one before `.gz`."""
    stem, suffix = os.path.splitext(name)
    if suffix.lower() == ".gz" and ".gz" not in _SUFFIXES:
        inner = os.path.splitext(stem)[1].lower()
        return inner if inner in _SUFFIXES and _FORMATS[_SUFFIXES[inner]].is_sniffed else ".gz"
    return suffix.lower()


def are_included(formats: Collection[str]) -> frozenset[str]:
    """Return the names of the formats to take from folders, given names, suffixes or kinds to include."""
    kinds = {"document", *formats}
    named = {get_format(name).name for name in formats if name not in get_args(Kind)}
    return frozenset(format.name for format in _FORMATS.values() if format.kind in kinds or format.name in named)


def check_size(size: int, format: Format, options: ExtractOptions) -> None:
    """Refuse a file that is too large for its format."""
    limit = options.max_file_size or format.max_bytes
    if size > limit:
        raise TooLarge(
            f"{size / 1e6:,.1f} MB is more than {limit / 1e6:,.1f} MB, the limit for {format.name} files: "
            "split the file, or raise max_file_size (--max-file-size)"
        )


def check_lines(data: bytes, format: Format) -> None:
    """Refuse a text with too many lines for its format."""
    if format.max_lines and (data.count(b"\n") or data.count(b"\r")) > format.max_lines:
        raise TooLarge(f"more than {format.max_lines:,} lines, the limit for {format.name} files: split the file")


def detect_format(data: bytes) -> str | None:
    """Return the format that bytes have beyond doubt; None if they could have several."""
    return _detect(Content(data))


def choose_format(name: str, data: bytes) -> Choice:
    """Return the format of a file: by its bytes, else by its name, else by what a text looks like."""
    content = Content(data)
    detected = _detect(content)
    if detected:
        return Choice(detected, f"its content shows it{_other_name(name, detected)}")
    refuse_unreadable(content)
    named = format_of(name)
    if named == "text":
        text = _sample(data)
        for format in reversed(_FORMATS.values()):
            if evidence := format.evidence(text):
                return Choice(format.name, f"{evidence} (name says text)")
    return Choice(named, "its name says so")


def _detect(content: Content) -> str | None:
    for format in reversed(_FORMATS.values()):
        if format.detect and shows(format.detect, content):
            return format.name
    return None


def _other_name(name: str, detected: str) -> str:
    named = _SUFFIXES.get(_suffix_of(name), "")
    return f" (name says {named})" if named and named != detected else ""


def _sample(data: bytes) -> str:
    """Return the first part of a text; marks of formats are ASCII in every encoding but UTF-16."""
    is_wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return data[:_SAMPLE_BYTES].decode("utf-16" if is_wide else "utf-8", "replace").replace("\r\n", "\n")
