"""Documents of another format that Word reads in place (`w:altChunk`): HTML, RTF, DOCX, text, web archives."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from crosshead.errors import ExtractError
from crosshead.formats.office.openxml.opc import OpcPackage
from crosshead.formats.registry import choose_format, get_format
from crosshead.formats.shared.omissions import DOCUMENTS
from crosshead.options import ExtractOptions

MAX_CHUNKS: Final = 1_000
_READ: Final = frozenset(("html", "rtf", "docx", "text", "email", "markdown", "rst"))
_WEB_ARCHIVE: Final = (".mht", ".mhtml")
_NOTE: Final = re.compile(r"^\[\^([^\]\s]+)\]:", re.M)


class ChunkReader:
    """Reads documents embedded in a document (`altChunk`), but not those embedded in them."""

    def __init__(self, package: OpcPackage, options: ExtractOptions, *, is_inner: bool) -> None:
        self._package = package
        self._options = replace(options, main_content="off")
        self._is_inner = is_inner
        self._count = 0

    def read(self, part: str, id: str) -> str:
        """Return the Markdown of an embedded document; an empty string if it is unreadable."""
        found = self._package.relationships(part).get(id)
        name = found.part if found is not None else None
        self._count += 1
        if not name or name not in self._package.archive or self._is_inner or self._count > MAX_CHUNKS:
            self._package.left_out.add(DOCUMENTS)
            return ""
        try:
            return _own_notes(self._convert(name, self._package.archive.read(name)).strip("\n"), self._count)
        except ExtractError as error:
            self._package.left_out.warn(f"{name} is left out: {error}")
            return ""

    def _convert(self, name: str, data: bytes) -> str:
        format = "email" if name.lower().endswith(_WEB_ARCHIVE) else choose_format(name, data).format
        if format not in _READ:
            raise ExtractError(f"embedded documents of format {format} are not read")
        if format == "docx":
            from crosshead.formats.office.docx import read_docx

            inner = read_docx(data, self._options, is_inner=True)
        else:
            inner = get_format(format).load_reader()(data, self._options)
        self._package.left_out.warn(*inner.warnings)
        return inner.text


def _own_notes(text: str, number: int) -> str:
    """Give footnotes labels that the document around them does not have."""
    for label in set(_NOTE.findall(text)):
        text = text.replace(f"[^{label}]", f"[^{label}-{number}]")
    return text
