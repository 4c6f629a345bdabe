"""ZIP archives: folders of documents. An archive is never unpacked to disk and is not a document itself."""

from __future__ import annotations

import io
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from crosshead.errors import CorruptFile, EncryptedFile, TooLarge, UnsupportedFormat
from crosshead.formats.base import Extracted, Member
from crosshead.options import ExtractOptions

MAX_MEMBERS: Final = 10_000
MAX_UNPACKED_BYTES: Final = 4 << 30
MAX_RATIO: Final = 100
"""Maximum ratio of unpacked to packed bytes; text hardly exceeds 20."""
_SMALL: Final = 64 << 20
"""Unpacked size that is safe at any ratio."""
_MAX_DIRECTORY: Final = 4 << 20
_END: Final = b"PK\x05\x06"
_LONGEST_END: Final = 65_557
_ENCRYPTED: Final = 0x1
_UTF8_NAME: Final = 0x800
_FAULTS: Final = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, ValueError, NotImplementedError, RuntimeError)


def read_zip(_data: bytes, _options: ExtractOptions) -> Extracted:
    """Refuse to read an archive as one document."""
    raise UnsupportedFormat("an archive of documents: index it, or name one of them, as in archive.zip/guide.md")


def list_zip(given: Path | bytes) -> Iterator[Member]:
    """Yield the files in an archive."""
    size = _check_directory(given)
    try:
        archive = zipfile.ZipFile(given if isinstance(given, Path) else io.BytesIO(given))
        entries = {_safe_name(entry): entry for entry in archive.infolist() if not entry.is_dir()}
    except _FAULTS as error:
        raise CorruptFile("not a ZIP archive, or incomplete: save or download it again") from error
    unpacked = sum(entry.file_size for entry in entries.values())
    if len(entries) > MAX_MEMBERS:
        raise TooLarge(f"the archive holds more than {MAX_MEMBERS:,} files: unpack it and index the folder")
    if unpacked > min(MAX_UNPACKED_BYTES, max(_SMALL, MAX_RATIO * size)):
        raise TooLarge(f"the archive unpacks to {unpacked / 1e6:,.0f} MB: unpack it and index the folder")
    for name, entry in entries.items():
        if name:
            yield Member(name, entry.file_size, partial(_read, archive, entry))


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    if entry.flag_bits & _ENCRYPTED:
        raise EncryptedFile("encrypted in its archive: pack it without a password")
    try:
        return archive.read(entry)
    except _FAULTS as error:
        raise CorruptFile("damaged in its archive: pack or download it again") from error


def _check_directory(given: Path | bytes) -> int:
    """Return the size of an archive; refuse one with too many names before opening it."""
    if isinstance(given, bytes):
        size, end = len(given), given[-_LONGEST_END:]
    else:
        with open(given, "rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _LONGEST_END))
            end = file.read()
    at = end.rfind(_END)
    if at >= 0 and int.from_bytes(end[at + 12 : at + 16], "little") > _MAX_DIRECTORY:
        raise TooLarge(f"the archive holds more than {MAX_MEMBERS:,} files: unpack it and index the folder")
    return size


def _safe_name(entry: zipfile.ZipInfo) -> str:
    """Return a name that cannot lead out of the archive."""
    name = entry.filename
    if not entry.flag_bits & _UTF8_NAME:
        name = _older_name(name)
    parts = name.replace("\\", "/").split("/")
    return "/".join([part for part in parts if part.strip(". ") and not (part.endswith(":") and len(part) == 2)])


def _older_name(name: str) -> str:
    """Decode a name that is UTF-8 without the flag, as many programs write it."""
    try:
        return name.encode("cp437").decode()
    except UnicodeError:
        return name
