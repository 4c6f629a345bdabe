"""Plain text -> Markdown with the same lines, so that a citation names the lines of the file.

0. `markdown`: a text that is Markdown already is taken as it is.
1. `blocks`: the lines are put together to blocks, between blank lines.
2. `numbered`, `lists`, `writing`: a block is a heading if it is underlined, or numbered within a sequence of such
   headings; a rule, a list, prose, or preformatted text: code, a drawing, columns.
3. `writing`: every line is written in its place: prose as it is, unless its beginning would open another block;
   preformatted text indented as code, the underline of a heading as a blank line.
"""

from __future__ import annotations

from crosshead.formats.base import Extracted
from crosshead.formats.shared.decoding.text import decode, normalize, without_controls
from crosshead.formats.text.plain.blocks import find_blocks
from crosshead.formats.text.plain.markdown import is_markdown
from crosshead.formats.text.plain.writing import PlainWriter
from crosshead.options import ExtractOptions


def read_plain(data: bytes, _options: ExtractOptions) -> Extracted:
    """Read plain text."""
    warnings: list[str] = []
    text = without_controls(decode(data, warnings))
    return Extracted(text if is_markdown(text.split("\n")) else write_plain(text), warnings=tuple(warnings))


def write_plain(text: str) -> str:
    """Return plain text as Markdown with the same number of lines."""
    lines = _clean(text).split("\n")
    writer = PlainWriter(list(find_blocks(lines)))
    found = [""] * len(lines)
    for block in writer.blocks:
        found[block.first : block.first + len(block.lines)] = writer.write(block)
    return "\n".join(found)


def _clean(text: str) -> str:
    """Tabs become spaces; form feeds end pages of paper, which Markdown has not."""
    text = without_controls(normalize(text))
    return "\n".join([line.expandtabs(4).rstrip() for line in text.replace("\f", "").split("\n")])
