"""What the first bytes of a file, or the names inside an archive, say about its format.

A function is true only where there is no doubt, so that its answer may overrule the name of the file.
"""

from __future__ import annotations

import io
import re
import struct
from typing import Final

from crosshead.errors import EncryptedFile, ExtractError, UnsupportedFormat
from crosshead.formats.shared import compound

_HEAD: Final = 4096
_PDF_HEAD: Final = 1024
OLD_XLS_MARKS: Final = (
    b"\x09\x00\x04\x00",
    b"\x09\x02\x06\x00",
    b"\x09\x04\x06\x00",
    b"\x09\x08\x08\x00",
    b"\x09\x08\x10\x00",
)
"""The first record of versions 2, 3, 4, 5 and 8."""
_PDF_END: Final = b"startxref"
"""Readers of PDF accept a few bytes before the mark."""

_HTML_START = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s{0,200}(?:<\?xml[^>]{0,200}>\s{0,200})?(?>(?:<!--(?:-?>|.{0,2000}?-->)\s{0,200}){0,4})"
    rb"<(?:!doctype\s+html|html)[\s>]",
    re.I | re.S,
)
"""Comments are atomic: to try others of their ends would take minutes for a page of `<!-->`."""
_HEADER_LINE = re.compile(rb"\A(?:From |[A-Za-z][A-Za-z0-9-]{0,60}:[ \t])")
_SENDER_LINE = re.compile(rb"^From:[ \t]", re.I | re.M)
_MAIL_LINE = re.compile(rb"^(?:MIME-Version|Received|Return-Path):[ \t]?\S", re.I | re.M)
_MESSAGE_ID = re.compile(rb"^Message-ID:[ \t]?\S", re.I | re.M)
_CONTENT_TYPE = re.compile(rb"^Content-Type:", re.I | re.M)
_OPENDOCUMENT: Final = b"application/vnd.oasis.opendocument."
_FLAT_DOCUMENT = re.compile(
    rb"\A[\xef\xbb\xbf\s]{0,200}<[^>]{0,200}>\s{0,200}<office:document\b[^>]{0,8000}?\bmimetype=[\"']"
    + re.escape(_OPENDOCUMENT)
    + rb"(\w{1,20})"
)
_MAN_TITLE = re.compile(rb"^\.[ \t]*(?:TH|Dd|Dt)[ \t]+\S", re.M)
_MAN_SECTION = re.compile(rb"^\.[ \t]*S[Hh](?:[ \t]|$)", re.M)
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")

_IMAGE_MARKS: Final = (b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*")
_ZIP_MARK: Final = b"PK\x03\x04"
_ZIP_END: Final = b"PK\x05\x06"
_MAX_ENTRIES: Final = 20_000
"""An archive with more is no document that people write; looking at all its names would take long."""


def is_pdf(data: bytes) -> bool:
    """PDF has its mark at or near the start; in the middle of a line, text may quote it, and only the end tells."""
    if data.startswith(b"%PDF-") or b"\n%PDF-" in data[:_PDF_HEAD]:
        return True
    return b"%PDF-" in data[:_PDF_HEAD] and _PDF_END in data[-_PDF_HEAD:]


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


def is_odt(data: bytes) -> bool:
    """A text document, or a template of one."""
    return _opendocument(data) == b"text"


def is_ods(data: bytes) -> bool:
    """A spreadsheet, or a template of one."""
    return _opendocument(data) == b"spreadsheet"


def is_odp(data: bytes) -> bool:
    """A presentation, or a template of one."""
    return _opendocument(data) == b"presentation"


def is_rtf(data: bytes) -> bool:
    """RTF has its mark at the start."""
    return data.startswith(b"{\\rtf")


def is_doc(data: bytes) -> bool:
    """A compound file with the stream of Word."""
    return "WordDocument" in compound.stream_names(data)


def is_xls(data: bytes) -> bool:
    """A compound file with a stream of Excel, which older versions called otherwise, or the bare stream of one."""
    return data.startswith(OLD_XLS_MARKS) or not compound.stream_names(data).isdisjoint(
        ("Workbook", "Book", "WORKBOOK", "BOOK")
    )


def is_ppt(data: bytes) -> bool:
    """A compound file with the stream of PowerPoint."""
    return "PowerPoint Document" in compound.stream_names(data)


def is_image(data: bytes) -> bool:
    """A picture has its mark at the start."""
    return data.startswith(_IMAGE_MARKS) or (data.startswith(b"RIFF") and data[8:12] == b"WEBP")


def is_msg(data: bytes) -> bool:
    """A compound file with the properties of a message."""
    return "__properties_version1.0" in compound.stream_names(data)


def is_notebook(data: bytes) -> bool:
    """JSON with the keys that every notebook has."""
    return data[:64].lstrip()[:1] == b"{" and b'"nbformat"' in data and (b'"cells"' in data or b'"worksheets"' in data)


def is_email(data: bytes) -> bool:
    """A block of header lines with a sender and what only mail has.

    Some texts have a header as mail does, with the id of the message that they were and the type that they have now;
    mail has MIME-Version wherever it has Content-Type.
    """
    head = _BLANK_LINE.split(data[: 4 * _HEAD], maxsplit=1)[0]
    if not _HEADER_LINE.match(head) or not _SENDER_LINE.search(head):
        return False
    return bool(_MAIL_LINE.search(head) or (_MESSAGE_ID.search(head) and not _CONTENT_TYPE.search(head)))


def is_webvtt(data: bytes) -> bool:
    """WebVTT says so at its start; SubRip shows itself by its name only."""
    return re.match(rb"(?:\xef\xbb\xbf)?WEBVTT(?=\s)", data) is not None


def is_man(data: bytes) -> bool:
    """A man page begins with a request of roff, names itself and has sections; it may be compressed."""
    if data.startswith(b"\x1f\x8b"):
        import zlib

        try:
            data = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(data[: 16 * _HEAD], 16 * _HEAD)
        except zlib.error:
            return False
    head = data[: 16 * _HEAD].lstrip()
    return head[:1] in (b".", b"'") and _MAN_TITLE.search(head) is not None and _MAN_SECTION.search(head) is not None


def refuse_unreadable(data: bytes) -> None:
    """Raise an error that says what to do about well-known formats that have no reader."""
    error = _unreadable(data)
    if error:
        raise error


def _unreadable(data: bytes) -> ExtractError | None:
    if data.startswith(compound.MARK):
        if "EncryptedPackage" in compound.stream_names(data):
            return EncryptedFile("an encrypted Office file: save it without a password")
        return UnsupportedFormat("a file of a program of Microsoft that is not known here, or damaged: save it anew")
    return None


def _is_package(data: bytes, folder: str) -> bool:
    names = _zip_names(data)
    return "[content_types].xml" in names and any(name.startswith(folder) for name in names)


def _opendocument(data: bytes) -> bytes:
    """Return what kind of OpenDocument file it is."""
    if data.startswith(_ZIP_MARK):
        kind = _mimetype(data).removeprefix(_OPENDOCUMENT)
        return kind.removesuffix(b"-template").removesuffix(b"-master")
    found = _FLAT_DOCUMENT.match(data[: 4 * _HEAD])
    return found[1] if found else b""


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
