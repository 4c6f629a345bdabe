"""DOC and PPT (before 2007) -> Markdown: LibreOffice, if installed, converts them to current formats."""

from __future__ import annotations

from typing import Final

from crosshead.errors import CorruptFile, EncryptedFile, UnsupportedFormat
from crosshead.formats.base import Extracted
from crosshead.formats.office import libreoffice
from crosshead.formats.registry import get_format
from crosshead.formats.shared.containers.compound import MARK, CompoundFile
from crosshead.options import ExtractOptions

_ENCRYPTED_WORD: Final = 0x0100


def read_doc(data: bytes, options: ExtractOptions) -> Extracted:
    """Read a Word document from before 2007; what only has its suffix is mostly plain text."""
    if not data.startswith(MARK):
        return get_format("text").load_reader()(data, options)
    file = CompoundFile(data)
    stream = file.entries().get("WordDocument")
    if stream is not None and int.from_bytes(file.read(stream)[10:12], "little") & _ENCRYPTED_WORD:
        raise EncryptedFile("the Word file is encrypted: save it without a password")
    return get_format("docx").load_reader()(_convert(data, "doc", "docx"), options)


def read_ppt(data: bytes, options: ExtractOptions) -> Extracted:
    """Read a PowerPoint presentation from before 2007."""
    if not data.startswith(MARK):
        raise CorruptFile("not a PowerPoint file, or damaged: save or download it again")
    if "EncryptedSummary" in CompoundFile(data).entries():
        raise EncryptedFile("the PowerPoint file is encrypted: save it without a password")
    return get_format("pptx").load_reader()(_convert(data, "ppt", "pptx"), options)


def _convert(data: bytes, old: str, new: str) -> bytes:
    """Return the bytes of the same document in another format."""
    if not libreoffice.is_installed():
        raise UnsupportedFormat(
            f"an old Office file ({old.upper()}), which needs LibreOffice: install it, so that soffice is on "
            f"the PATH, or save the file as {new.upper()}"
        )
    return libreoffice.convert(data, old, new)
