"""LaTeX -> Markdown, with a map to the lines of the file.

1. `source`: comments and verbatim text are blanked out, so that braces and commands can be found; lines stay in place.
2. `blocks`: one walk over commands that make blocks: sections, environments, items, blank lines.
3. `inline`, `letters`, `tables`: the content of blocks; formulas stay as they are.

Nothing is run: `\\newcommand` without conditions is understood, other commands give way to their arguments. Included
files are not read: their names stay in the text, with a warning.

pylatexenc is not used: parsing alone takes it three to eight times as long as all of the above, and it recurses: a few
thousand open braces end in a RecursionError.
"""

from __future__ import annotations

from crosshead.formats.base import Extracted
from crosshead.formats.markup.latex.blocks import Walker
from crosshead.formats.markup.latex.source import LatexSource
from crosshead.formats.shared.decoding.text import decode, without_controls
from crosshead.formats.shared.source_lines import write_blocks
from crosshead.options import ExtractOptions


def read_latex(data: bytes, _options: ExtractOptions) -> Extracted:
    """Read LaTeX."""
    warnings: list[str] = []
    source = LatexSource(without_controls(decode(data, warnings)))
    walker = Walker(source)
    found = write_blocks(walker.blocks(), walker.inline.plain(source.title))
    return found._replace(warnings=(*warnings, *walker.faults()))
