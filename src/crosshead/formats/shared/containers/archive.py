"""Zip archives of XML parts, which DOCX, PPTX, XLSX and EPUB files are.

Nothing is trusted: the unpacked bytes, the tags and the depth of an archive have limits, entities are refused, and
nothing outside the archive is ever read.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from typing import Final
from xml.parsers import expat

from lxml import etree

from crosshead.errors import CorruptFile, EncryptedFile, ExtractError, TooLarge, UnsupportedFormat
from crosshead.formats.shared.containers import compound

MAX_UNPACKED_BYTES: Final = 256 << 20
MAX_TAGS: Final = 10_000_000
MAX_DEPTH: Final = 20_000

_ENCRYPTED_ENTRY = 0x1
_ZIP_FAULTS = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, NotImplementedError)

_STRICT_NAMESPACE = re.compile(rb"""(?<=["'])http://purl\.oclc\.org/ooxml/([A-Za-z]{1,40})/""")
_DECLARED_ENCODING = re.compile(rb"""^<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([A-Za-z0-9._:-]{1,40})["']""")
_DECLARATION = re.compile(rb"<!(?:ENTITY|ATTLIST)\b")
"""Declarations that can make a small document large; external DTDs are never loaded."""
_UTF8_NAMES = frozenset({"utf-8", "utf8", "us-ascii", "ascii"})
_OTHER_ENCODINGS = frozenset({"utf-16", "utf-16le", "utf-16be", "iso-8859-1", "latin1", "windows-1252", "cp1252"})


class Archive:
    """An open archive. `what` names the format in messages: "DOCX"."""

    def __init__(self, data: bytes, *, what: str, max_tags: int = MAX_TAGS) -> None:
        self._what = what
        self._max_tags = max_tags
        self._bytes_left = MAX_UNPACKED_BYTES
        self._tags_left = max_tags
        if data.startswith(compound.MARK):
            raise _compound_file_error(data, what)
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
            self._entries = {entry.filename: entry for entry in self._zip.infolist()}
        except _ZIP_FAULTS as error:
            raise CorruptFile(f"not {what}, or incomplete: save or download the file again") from error
        self._folded = {_fold(name): name for name in self._entries}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all parts, in the order of the archive."""
        return tuple(self._entries)

    def __contains__(self, name: str) -> bool:
        return name in self._entries or _fold(name) in self._folded

    def read(self, name: str) -> bytes:
        """Return the bytes of a part. Names that differ only in case or slashes are the same."""
        found = name if name in self._entries else self._folded.get(_fold(name))
        if found is None:
            raise CorruptFile(f"the {self._what} file has no part {name}: save it again with the program that made it")
        entry = self._entries[found]
        if entry.flag_bits & _ENCRYPTED_ENTRY:
            raise EncryptedFile(f"the {self._what} file is encrypted: save it without a password")
        self._bytes_left -= entry.file_size
        if self._bytes_left < 0:
            raise TooLarge(f"the {self._what} file unpacks to more than {MAX_UNPACKED_BYTES >> 20} MiB: split it")
        try:
            return self._zip.read(entry)
        except (*_ZIP_FAULTS, RuntimeError) as error:
            raise CorruptFile(f"the {self._what} file is damaged in {name}: save or download it again") from error

    def xml(self, name: str) -> etree._Element | None:
        """Return the root of a part, or None if there is no such part."""
        if name not in self:
            return None
        data = self.read(name)
        self._tags_left -= data.count(b"<")
        if self._tags_left < 0:
            raise TooLarge(f"the {self._what} file has more than {self._max_tags:,} tags: split it")
        return parse_xml(data, what=f"{self._what} part {name}")


def parse_xml(data: bytes, *, what: str) -> etree._Element:
    """Return the root of an XML document."""
    data = clean_xml(data, what=what)
    try:
        return etree.fromstring(data, _parser())
    except etree.XMLSyntaxError as error:
        if "depth" not in str(error):
            raise CorruptFile(f"the {what} is not valid XML: {_first_line(error)}") from error
    return _parse_deep_xml(data, what)


def clean_xml(data: bytes, *, what: str) -> bytes:
    """Return an XML document that is safe to parse, in UTF-8. Names of strict Open XML become those of transitional."""
    data = _as_utf8(data, what)
    if _DECLARATION.search(data):
        raise CorruptFile(f"the {what} declares entities, which are refused: save it again without a DTD")
    if b"purl.oclc.org/ooxml" in data:
        data = _STRICT_NAMESPACE.sub(rb"http://schemas.openxmlformats.org/\1/2006/", data)
    return data


def _parser() -> etree.XMLParser:
    # `encoding` keeps the declared one from bringing in bytes that were not looked at.
    return etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=True,
        remove_comments=True,
        remove_pis=True,
    )


def _parse_deep_xml(data: bytes, what: str) -> etree._Element:
    """Build the tree of a document that is deeper than libxml2 parses, which it holds without a fault."""
    root: list[etree._Element] = []
    path: list[etree._Element] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(path) >= MAX_DEPTH:
            raise TooLarge(f"the {what} is nested more than {MAX_DEPTH:,} deep: save it again with less nesting")
        names = {_clark(name): value for name, value in attributes.items()}
        element = etree.SubElement(path[-1], _clark(tag), names) if path else etree.Element(_clark(tag), names)
        if not path:
            root.append(element)
        path.append(element)

    def text(value: str) -> None:
        if len(path[-1]):
            path[-1][-1].tail = (path[-1][-1].tail or "") + value
        else:
            path[-1].text = (path[-1].text or "") + value

    parser = expat.ParserCreate(encoding="utf-8", namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: path.pop()
    parser.CharacterDataHandler = text
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, ValueError) as error:
        raise CorruptFile(f"the {what} is not valid XML: {_first_line(error)}") from error
    return root[0]


def _clark(name: str) -> str:
    namespace, _, local = name.rpartition(" ")
    return f"{{{namespace}}}{local}" if namespace else local


def _as_utf8(data: bytes, what: str) -> bytes:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        encoding = "utf-16"
    elif data[:4] in (b"<\0?\0", b"\0<\0?"):
        encoding = "utf-16-le" if data[0] else "utf-16-be"
    else:
        data = data.removeprefix(b"\xef\xbb\xbf")
        declared = _DECLARED_ENCODING.match(data)
        encoding = declared[1].decode().lower() if declared else "utf-8"
        if encoding in _UTF8_NAMES:
            return data
    if encoding not in _OTHER_ENCODINGS | {"utf-16-le", "utf-16-be"}:
        raise CorruptFile(f"unknown encoding {encoding} in the {what}: save it again as UTF-8")
    try:
        return data.decode(encoding).encode()
    except UnicodeError as error:
        raise CorruptFile(f"the {what} is not valid {encoding}: save it again as UTF-8") from error


def _compound_file_error(data: bytes, what: str) -> ExtractError:
    """Office keeps encrypted documents, and all those from before 2007, in compound files."""
    if "EncryptedPackage" in compound.stream_names(data):
        return EncryptedFile(f"the {what} file is encrypted: save it without a password")
    return UnsupportedFormat(f"an Office file from before 2007, not {what}: open it and save it as {what}")


def _fold(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").lower()


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
