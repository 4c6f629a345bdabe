"""Files of OpenDocument: an archive of parts, or one XML document with all of them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Final

from lxml import etree

from crosshead.errors import CorruptFile, EncryptedFile, TooLarge, UnsupportedFormat
from crosshead.formats.shared.containers.archive import Archive, parse_xml

_NAMESPACE: Final = "urn:oasis:names:tc:opendocument:xmlns:"
OFFICE: Final = f"{{{_NAMESPACE}office:1.0}}"
TEXT: Final = f"{{{_NAMESPACE}text:1.0}}"
TABLE: Final = f"{{{_NAMESPACE}table:1.0}}"
DRAW: Final = f"{{{_NAMESPACE}drawing:1.0}}"
STYLE: Final = f"{{{_NAMESPACE}style:1.0}}"
FO: Final = f"{{{_NAMESPACE}xsl-fo-compatible:1.0}}"
SVG: Final = f"{{{_NAMESPACE}svg-compatible:1.0}}"
CHART: Final = f"{{{_NAMESPACE}chart:1.0}}"
PRESENTATION: Final = f"{{{_NAMESPACE}presentation:1.0}}"
XLINK: Final = "{http://www.w3.org/1999/xlink}"
DC: Final = "{http://purl.org/dc/elements/1.1/}"
_ENCRYPTION: Final = f"{{{_NAMESPACE}manifest:1.0}}encryption-data"

MAX_TAGS: Final = 1_000_000
"""About what five seconds are enough for, and a thousand pages."""
_MANIFEST: Final = "META-INF/manifest.xml"
_CONTENT: Final = "content.xml"


class OdfPackage:
    """An open file. `what` names the format in messages, `kind` is the element of its body."""

    def __init__(self, data: bytes, *, what: str, kind: str) -> None:
        is_flat = data[:200].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
        self._archive = None if is_flat else Archive(data, what=what, max_tags=MAX_TAGS)
        self._refuse_encrypted(what)
        content = _flat(data, what) if self._archive is None else self._archive.xml(_CONTENT)
        if content is None:
            raise CorruptFile(f"the {what} file has no content: save it again with the program that made it")
        self.content: etree._Element = content
        body = content.find(f"{OFFICE}body/{OFFICE}{kind}")
        if body is None:
            raise UnsupportedFormat(f"not {what}: is it a text document, a presentation or a spreadsheet?")
        self.body: etree._Element = body

    def styles(self) -> Iterator[etree._Element]:
        """Yield the elements that hold styles, those of the content last."""
        parts = [self.part("styles.xml"), self.content]
        for part in parts:
            if part is not None:
                yield from part.iterchildren(f"{OFFICE}styles", f"{OFFICE}automatic-styles")

    def title(self) -> str:
        """Return the title in the document's properties."""
        meta = self.content if self._archive is None else self.part("meta.xml")
        found = meta.findtext(f".//{DC}title") if meta is not None else None
        return " ".join((found or "").split())

    def part(self, name: str) -> etree._Element | None:
        """Return the root of a part, or None if it is missing."""
        return self._archive.xml(name) if self._archive is not None else None

    def embedded(self, frame: etree._Element) -> etree._Element | None:
        """Return the root of a document that is embedded in a frame, such as a chart or a formula."""
        if len(frame):
            return frame[0]
        target = posixpath.normpath(frame.get(f"{XLINK}href") or "")
        return self.part(posixpath.join(target, _CONTENT)) if not target.startswith("..") else None

    def _refuse_encrypted(self, what: str) -> None:
        manifest = self.part(_MANIFEST)
        if manifest is not None and next(manifest.iter(_ENCRYPTION), None) is not None:
            raise EncryptedFile(f"the {what} file is encrypted: save it without a password")


def _flat(data: bytes, what: str) -> etree._Element:
    if data.count(b"<") > MAX_TAGS:
        raise TooLarge(f"the {what} file has more than {MAX_TAGS:,} tags: split it")
    return parse_xml(data, what=f"{what} file")


def whole_number(text: str | None, *, otherwise: int = 1) -> int:
    """Return a number that an attribute holds."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else otherwise
