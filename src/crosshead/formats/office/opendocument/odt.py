"""ODT -> Markdown: the document becomes HTML (markup.py), and that is read as every page is."""

from __future__ import annotations

from crosshead.errors import ExtractError
from crosshead.formats.base import Extracted
from crosshead.formats.markup.html.generated import read_generated
from crosshead.formats.office.opendocument.markup import HtmlWriter
from crosshead.formats.office.opendocument.package import OdfPackage
from crosshead.options import ExtractOptions


def read_odt(data: bytes, options: ExtractOptions) -> Extracted:
    """Read a text document."""
    package = OdfPackage(data, what="OpenDocument text", kind="text")
    writer = HtmlWriter(package, comments=options.comments)
    text = read_generated(writer.write(package.body), options)
    if not text:
        raise ExtractError("no text found in this document: it may be empty, or hold only pictures")
    return Extracted(text, title=package.title(), warnings=writer.left_out.warnings())
