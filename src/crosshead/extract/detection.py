"""What the first bytes of a file, or the names inside an archive, say about its format.

A function is true only where there is no doubt, so that its answer may overrule the name of the file.
"""

from __future__ import annotations

import io
import re
import struct
from typing import Final

from crosshead.errors import EncryptedFile, ExtractError, UnsupportedFormat

_HEAD: Final = 4096
_PDF_HEAD: Final = 1024
"""Readers of PDF accept a few bytes before the mark."""

_HTML_START = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s{0,200}(?:<\?xml[^>]{0,200}>\s{0,200})?(?:<!--.{0,2000}?-->\s{0,200}){0,4}"
    rb"<(?:!doctype\s+html|html)[\s>]",
    re.I | re.S,
)
_HEADER_LINE = re.compile(rb"\A(?:From |[A-Za-z][A-Za-z0-9-]{0,60}:[ \t])")
_SENDER_LINE = re.compile(rb"^From:[ \t]", re.I | re.M)
_MAIL_LINE = re.compile(rb"^(?:Message-ID|MIME-Version|Received|Return-Path):[ \t]?\S", re.I | re.M)
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")

_ZIP_MARK: Final = b"PK\x03\x04"
_COMPOUND_FILE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_STREAM: Final = "EncryptedPackage".encode("utf-16-le")
_ZIP_END: Final = b"PK\x05\x06"
_MAX_ENTRIES: Final = 20_000
"""An archive with more is no document that people write; looking at all its names would take long."""


def is_pdf(data: bytes) -> bool:
    """PDF has its mark at or near the start."""
    return data.startswith(b"%PDF-") or b"\n%PDF-" in data[:_PDF_HEAD]


def is_html(data: bytes) -> bool:
    """A page begins with its document type or its root element; a fragment of HTML does not show itself."""
    return _HTML_START.match(data[:_HEAD]) is not None


def is_docx(data: bytes) -> bool:
    """A package with a folder of Word."""
    return _is_package(data, "word/")


def is_pptx(data: bytes) -> bool:
    """A package with a folder of PowerPoint."""
    return _is_package(data, "ppt/")


def is_xlsx(data: bytes) -> bool:
    """A package with a folder of Excel."""
    return _is_package(data, "xl/")


def is_epub(data: bytes) -> bool:
    """The standard wants the type as the first entry; files without it have at least the container."""
    return data.startswith(_ZIP_MARK) and (_mimetype(data) == b"application/epub+zip" or _has_container(data))


def is_notebook(data: bytes) -> bool:
    """JSON with the keys that every notebook has."""
    return data[:64].lstrip()[:1] == b"{" and b'"nbformat"' in data and (b'"cells"' in data or b'"worksheets"' in data)


def is_email(data: bytes) -> bool:
    """A block of header lines with a sender and what only mail has."""
    head = _BLANK_LINE.split(data[: 4 * _HEAD], maxsplit=1)[0]
    return bool(_HEADER_LINE.match(head) and _SENDER_LINE.search(head) and _MAIL_LINE.search(head))


def is_webvtt(data: bytes) -> bool:
    """WebVTT says so at its start; SubRip shows itself by its name only."""
    return re.match(rb"(?:\xef\xbb\xbf)?WEBVTT(?=\s)", data) is not None


def refuse_unreadable(data: bytes) -> None:
    """Raise an error that says what to do about well-known formats that have no reader."""
    error = _unreadable(data)
    if error:
        raise error


def _unreadable(data: bytes) -> ExtractError | None:
    if data.startswith(_COMPOUND_FILE):
        if _ENCRYPTED_STREAM in data:
            return EncryptedFile("an encrypted Office file: save it without a password")
        return UnsupportedFormat("an Office file of before 2007: open it and save it as DOCX, PPTX or XLSX")
    if data.startswith(b"{\\rtf"):
        return UnsupportedFormat("an RTF file: open it and save it as DOCX")
    if data.startswith(_ZIP_MARK) and b"opendocument" in _mimetype(data):
        return UnsupportedFormat("an OpenDocument file: open it and save it as DOCX, PPTX or XLSX")
    if data.startswith((b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*")):
        return UnsupportedFormat("an image: only its text could be searched, so run text recognition on it first")
    return None


def _is_package(data: bytes, folder: str) -> bool:
    names = _zip_names(data)
    return "[content_types].xml" in names and any(name.startswith(folder) for name in names)


def _has_container(data: bytes) -> bool:
    return "meta-inf/container.xml" in _zip_names(data)


def _mimetype(data: bytes) -> bytes:
    """Return the content of a first, uncompressed entry of that name."""
    if data[30:38] != b"mimetype":
        return b""
    extra, size = int.from_bytes(data[28:30], "little"), int.from_bytes(data[18:22], "little")
    return data[38 + extra : 38 + extra + min(size, 200)].strip()


def _zip_names(data: bytes) -> frozenset[str]:
    """Return the names in an archive in lower case; none if it is broken, which its reader says better."""
    if not data.startswith(_ZIP_MARK):
        return frozenset()
    end = data.rfind(_ZIP_END)
    if end < 0 or int.from_bytes(data[end + 10 : end + 12], "little") > _MAX_ENTRIES:
        return frozenset()
    import zipfile

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return frozenset(name.replace("\\", "/").lower() for name in archive.namelist())
    except (zipfile.BadZipFile, struct.error, OSError, ValueError, NotImplementedError):
        return frozenset()
