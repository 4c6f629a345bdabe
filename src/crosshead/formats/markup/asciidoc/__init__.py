"""AsciiDoc -> Markdown, line by line, so that a citation names the lines of the file.

1. `blocks`: lines become headings, paragraphs, delimited blocks; `lists` and `tables` write what their names say.
2. `inline`: the markup inside a line, with the attributes that the document has set so far.

Before that, `includes` puts included files into the text if they may be read; any other `include` stays, with a
warning. `conditions` decides `ifdef` where the document sets the attribute.
"""

from __future__ import annotations

from crosshead.formats.base import Extracted
from crosshead.formats.includes import trace
from crosshead.formats.markup.asciidoc.blocks import AsciidocParser
from crosshead.formats.markup.asciidoc.conditions import resolve
from crosshead.formats.shared.decoding.text import decode, without_controls
from crosshead.formats.shared.source_lines import place_links, write_blocks
from crosshead.options import ExtractOptions


def read_asciidoc(data: bytes, _options: ExtractOptions) -> Extracted:
    """Read AsciiDoc."""
    warnings: list[str] = []
    text = without_controls(decode(data, warnings))
    lines, origins = resolve([line.expandtabs(8).rstrip() for line in text.split("\n")])
    parser = AsciidocParser(lines)
    written = write_blocks(parser.blocks(0, len(lines)))
    found = trace(place_links(written, (), parser.inline.anchors), origins)
    return found._replace(warnings=(*warnings, *parser.faults()))
