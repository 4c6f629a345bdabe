"""What the bytes of a file, or the names inside it, show about its format.

A signature is true only beyond doubt, because it overrules the name of the file.
"""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Callable
from functools import cached_property
from typing import Final

from crosshead.errors import EncryptedFile, UnsupportedFormat
from crosshead.formats.shared.containers import compound

_HEAD: Final = 4096
_PDF_HEAD: Final = 1024
OLD_XLS_MARKS: Final = (
    b"\x09\x00\x04\x00",
    b"\x09\x02\x06\x00",
    b"\x09\x04\x06\x00",
    b"\x09\x08\x08\x00",
    b"\x09\x08\x10\x00",
)
"""The first record of Excel 2, 3, 4, 5 and 8."""
_XLS_STREAMS: Final = ("Workbook", "Book", "WORKBOOK", "BOOK")
_PDF_END: Final = b"startxref"

_HTML_START = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s{0,200}(?:<\?xml[^>]{0,200}>\s{0,200})?(?>(?:<!--(?:-?>|.{0,2000}?-->)\s{0,200}){0,4})"
    rb"<(?:!doctype\s+html|html)[\s>]",
    re.I | re.S,
)
"""Comments are atomic: backtracking would take minutes on a page of `<!-->`."""
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
_WEBVTT = re.compile(rb"(?:\xef\xbb\xbf)?WEBVTT(?=\s)")
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")

_IMAGE_MARKS: Final = (b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*")
_ZIP_MARK: Final = b"PK\x03\x04"
_ZIP_END: Final = b"PK\x05\x06"
_MAX_ENTRIES: Final = 20_000
"""Documents have fewer, and listing more names would take long."""


class Content:
    """The bytes of a file, and what several signatures look at, each read at most once."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    @cached_property
    def zip_names(self) -> frozenset[str]:
        """The names in a ZIP archive in lower case; none if it is damaged, which its reader reports."""
        return _zip_names(self.data)

    @cached_property
    def stream_names(self) -> frozenset[str]:
        """The names in a compound file; none if it is damaged."""
        return compound.stream_names(self.data)

    @cached_property
    def mimetype(self) -> bytes:
        """The type that EPUB and OpenDocument store in the first entry of their archive, uncompressed."""
        data = self.data
        if not data.startswith(_ZIP_MARK) or data[30:38] != b"mimetype":
            return b""
        extra, size = int.from_bytes(data[28:30], "little"), int.from_bytes(data[18:22], "little")
        return data[38 + extra : 38 + extra + min(size, 200)].strip()

    @cached_property
    def opendocument(self) -> bytes:
        """The kind of an OpenDocument file, of its templates too: `text`, `spreadsheet` or `presentation`."""
        if self.mimetype.startswith(_OPENDOCUMENT):
            return self.mimetype.removeprefix(_OPENDOCUMENT).removesuffix(b"-template").removesuffix(b"-master")
        flat = _FLAT_DOCUMENT.match(self.data[: 4 * _HEAD])
        return flat[1] if flat else b""

    def is_package(self, folder: str) -> bool:
        """Return whether this is an Office package with a folder."""
        return "[content_types].xml" in self.zip_names and any(name.startswith(folder) for name in self.zip_names)


class FormatSignature:
    """A test of a file's content that can also be called with bytes, as `Format.detect` is."""

    def __init__(self, test: Callable[[Content], bool]) -> None:
        self.test = test
        self.__doc__ = test.__doc__

    def __call__(self, data: bytes) -> bool:
        return self.test(Content(data))


def shows(detect: Callable[[bytes], bool], content: Content) -> bool:
    """Return whether content passes a test, which may be a signature or a function of bytes."""
    return detect.test(content) if isinstance(detect, FormatSignature) else detect(content.data)


def begins_with(mark: bytes) -> FormatSignature:
    """Return the signature of files that begin with a mark."""
    return FormatSignature(lambda content: content.data.startswith(mark))


def has_stream(name: str) -> FormatSignature:
    """Return the signature of compound files with a stream or a storage of this name."""
    return FormatSignature(lambda content: name in content.stream_names)


@FormatSignature
def is_pdf(content: Content) -> bool:
    """PDF has its mark at or near the start; text may quote the mark within a line, so then the end decides."""
    head = content.data[:_PDF_HEAD]
    if head.startswith(b"%PDF-") or b"\n%PDF-" in head:
        return True
    return b"%PDF-" in head and _PDF_END in content.data[-_PDF_HEAD:]


@FormatSignature
def is_html(content: Content) -> bool:
    """A page begins with its document type or its root element; a fragment has no signature."""
    return _HTML_START.match(content.data[:_HEAD]) is not None


@FormatSignature
def is_docx(content: Content) -> bool:
    """A package with a folder of Word."""
    return content.is_package("word/")


@FormatSignature
def is_pptx(content: Content) -> bool:
    """A package with a folder of PowerPoint."""
    return content.is_package("ppt/")


@FormatSignature
def is_xlsx(content: Content) -> bool:
    """A package with a folder of Excel."""
    return content.is_package("xl/")


@FormatSignature
def is_epub(content: Content) -> bool:
    """The standard requires the type as first entry; books without it have at least the container."""
    return content.mimetype == b"application/epub+zip" or "meta-inf/container.xml" in content.zip_names


@FormatSignature
def is_odt(content: Content) -> bool:
    """A text document of OpenDocument."""
    return content.opendocument == b"text"


@FormatSignature
def is_ods(content: Content) -> bool:
    """A spreadsheet of OpenDocument."""
    return content.opendocument == b"spreadsheet"


@FormatSignature
def is_odp(content: Content) -> bool:
    """A presentation of OpenDocument."""
    return content.opendocument == b"presentation"


@FormatSignature
def is_xls(content: Content) -> bool:
    """A compound file with Excel's stream, whose name depends on the version, or that stream alone."""
    return content.data.startswith(OLD_XLS_MARKS) or not content.stream_names.isdisjoint(_XLS_STREAMS)


@FormatSignature
def is_image(content: Content) -> bool:
    """Images begin with the mark of their format."""
    data = content.data
    return data.startswith(_IMAGE_MARKS) or (data.startswith(b"RIFF") and data[8:12] == b"WEBP")


@FormatSignature
def is_notebook(content: Content) -> bool:
    """JSON with the keys that every notebook has."""
    data = content.data
    return data[:64].lstrip()[:1] == b"{" and b'"nbformat"' in data and (b'"cells"' in data or b'"worksheets"' in data)


@FormatSignature
def is_email(content: Content) -> bool:
    """Header lines with a sender, and one that only mail has.

    Texts such as AsciiDoc may have a mail-like header with a message id and a content type, but mail that has
    Content-Type has MIME-Version too.
    """
    head = _BLANK_LINE.split(content.data[: 4 * _HEAD], maxsplit=1)[0]
    if not _HEADER_LINE.match(head) or not _SENDER_LINE.search(head):
        return False
    return bool(_MAIL_LINE.search(head) or (_MESSAGE_ID.search(head) and not _CONTENT_TYPE.search(head)))


@FormatSignature
def is_webvtt(content: Content) -> bool:
    """WebVTT begins with its name; SubRip has no signature."""
    return _WEBVTT.match(content.data) is not None


@FormatSignature
def is_man(content: Content) -> bool:
    """A man page, possibly compressed, begins with a roff request, names itself and has sections."""
    head = _uncompressed(content.data)[: 16 * _HEAD].lstrip()
    return head[:1] in (b".", b"'") and _MAN_TITLE.search(head) is not None and _MAN_SECTION.search(head) is not None


def refuse_unreadable(content: Content) -> None:
    """Raise an error that says what to do about well-known formats without a reader."""
    if not content.data.startswith(compound.MARK):
        return
    if "EncryptedPackage" in content.stream_names:
        raise EncryptedFile("an encrypted Office file: save it without a password")
    raise UnsupportedFormat("unknown or damaged Microsoft Office file: save it again in a current format")


def _uncompressed(data: bytes) -> bytes:
    """Return the beginning of a file without gzip; nothing if it is damaged."""
    if not data.startswith(b"\x1f\x8b"):
        return data
    import zlib

    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(data[: 16 * _HEAD], 16 * _HEAD)
    except zlib.error:
        return b""


def _zip_names(data: bytes) -> frozenset[str]:
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
