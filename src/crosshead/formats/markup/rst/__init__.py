"""reStructuredText -> Markdown, with a map to the lines of the file.

1. `references`: one pass collects what may be defined after it is used: targets, footnotes, substitutions.
2. `blocks`: lines become headings, paragraphs, quotes, code; `lists`, `tables` and `directives` write what they are
   named after.
3. `inline`: the markup inside a text.

No other file is read, and no text is lost because of an unknown directive or role.
`recognition` recognizes reStructuredText by its content.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crosshead.errors import ExtractError
from crosshead.formats.base import Extracted
from crosshead.formats.markup.rst.blocks import RstParser
from crosshead.formats.markup.rst.lines import Lines
from crosshead.formats.shared.decoding.text import decode, without_controls
from crosshead.formats.shared.source_lines import place_links, write_blocks
from crosshead.options import ExtractOptions
from crosshead.types import Anchor

_NAMED: Final = 3
"""Problems listed one by one."""


def read_rst(data: bytes, _options: ExtractOptions) -> Extracted:
    """Read reStructuredText."""
    warnings: list[str] = []
    text = without_controls(decode(data, warnings))
    if not text.strip():
        return Extracted("")
    parser = RstParser(Lines([line.expandtabs(8).rstrip() for line in text.replace("\f", "").split("\n")], 1))
    found = write_blocks(parser.document())
    if not found.text.strip():
        raise ExtractError("no text found: the file may hold only comments, targets or includes")
    anchors = [Anchor(at + 1, name, "label") for at, name in parser.references.anchors]
    found = place_links(found, parser.inline.links, [*anchors, *parser.inline.anchors])
    return found._replace(warnings=(*warnings, *_warnings(parser.faults)))


def _warnings(faults: list[tuple[int, str]]) -> Iterator[str]:
    yield from (f"line {line}: {message}" for line, message in faults[:_NAMED])
    if len(faults) > _NAMED:
        yield f"{len(faults) - _NAMED} more problems"
