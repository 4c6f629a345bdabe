"""AsciiDoc -> Markdown, line by line, so that a citation names the lines of the file.

1. `blocks`: lines become headings, paragraphs, delimited blocks; `lists` and `tables` write what their names say.
2. `inline`: the markup inside of a line, with the attributes that the document has set so far.

Nothing outside of the file is read: an `include` stays as it stands, and a warning says so. Of conditions
(`ifdef`), all branches are kept.
"""

from __future__ import annotations

import logging
from typing import Final

from crosshead.extract.base import Extracted
from crosshead.extract.readers.asciidoc.blocks import Parser
from crosshead.extract.shared.lined import write_blocks
from crosshead.extract.shared.text import decode, normalize, without_controls
from crosshead.options import ExtractOptions

logger = logging.getLogger("crosshead")

MAX_LINES: Final = 200_000
"""About what five seconds are enough for, whatever is in them."""


def read_asciidoc(data: bytes, _options: ExtractOptions) -> Extracted:
    """Read AsciiDoc."""
    text = without_controls(normalize(decode(data)), MAX_LINES)
    lines = [line.expandtabs(8).rstrip() for line in text.split("\n")]
    parser = Parser(lines)
    found = write_blocks(parser.blocks(0, len(lines)))
    for fault in parser.faults():
        logger.warning("%s", fault)
    return found
