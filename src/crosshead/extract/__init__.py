"""Bytes of any known format -> Markdown."""

from __future__ import annotations

from pathlib import PurePath
from typing import Final

from crosshead.errors import UnsupportedFormat
from crosshead.extract.text import decode, normalize

__all__ = ["SUFFIXES", "extract", "format_of", "normalize"]

SUFFIXES: Final = {".md": "markdown", ".markdown": "markdown", ".mdown": "markdown", ".mkd": "markdown", ".mdx": "mdx"}
"""File name suffixes and the formats that they stand for."""
_ALIASES: Final = {"md": "markdown"}


def extract(data: bytes, format: str) -> str:
    """Turn the bytes of a document into Markdown."""
    known_format(format)
    return normalize(decode(data))


def format_of(name: str) -> str:
    """Return the format of a file by its name."""
    suffix = PurePath(name).suffix.lower()
    if suffix not in SUFFIXES:
        raise UnsupportedFormat(
            f"{name}: no reader for {suffix or 'a file without suffix'}; known are {_known_suffixes()}"
        )
    return SUFFIXES[suffix]


def known_format(format: str) -> str:
    """Return the one name of a format that may be given by an alias."""
    name = _ALIASES.get(format.lower(), format.lower())
    if name not in SUFFIXES.values():
        raise UnsupportedFormat(
            f"no reader for the format {format!r}; known are {', '.join(sorted(set(SUFFIXES.values())))}"
        )
    return name


def _known_suffixes() -> str:
    return ", ".join(SUFFIXES)
