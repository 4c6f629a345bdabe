"""ODT -> Markdown: the document becomes HTML (markup.py), and that is read as every page is."""

from __future__ import annotations

from crosshead.errors import ExtractError
from crosshead.extract.base import Extracted
from crosshead.extract.readers.html.generated import read_generated
from crosshead.extract.readers.opendocument.markup import HtmlWriter
from crosshead.extract.readers.opendocument.package import Package
from crosshead.options import ExtractOptions


def read_odt(data: bytes, options: ExtractOptions) -> Extracted:
    """Read a text document."""
    package = Package(data, what="OpenDocument text", kind="text")
    writer = HtmlWriter(package, comments=options.comments)
    text = read_generated(writer.write(package.body), options)
    writer.left_out.report()
    if not text:
        raise ExtractError("the document has no text: it may be empty, or hold only pictures")
    return Extracted(text, title=package.title())
