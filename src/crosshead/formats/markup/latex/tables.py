"""Tables of LaTeX -> tables of Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from crosshead.formats.markup.latex.inline import LatexInline
from crosshead.formats.shared import gfm
from crosshead.formats.shared.source_lines import Block

MAX_SPAN: Final = 200

_TOKEN = re.compile(
    r"(?P<row>\\\\(?:\*?\[[^\[\]\n]{0,40}\])?|\\tabularnewline\b)|\\.|(?P<brace>[{}])|(?P<cell>&)", re.S
)
_RULE = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot|endlastfoot|centering|arraybackslash)\b"
    r"|\\(?:cline|cmidrule|hhline|specialrule|rowcolor|cellcolor)(?:\([^()]{0,20}\))?(?:\[[^\[\]]{0,20}\])?(?:\{[^{}]{0,80}\})*"
)
_REPEATED_HEAD = re.compile(
    r"\\endfirsthead(?:(?!\\endhead).)*+(\\endhead)?+|\\endhead(?:(?!\\end(?:last)?foot).)*+(\\endfoot)?+", re.S
)
"""A head without an end matches too and is kept: searching an end for each would be quadratic."""
_SPAN = re.compile(
    r"\s*\\multicolumn\s*\{\s*(\d{1,3})\s*\}\s*\{[^{}]{0,100}(?:\{[^{}]{0,100}\}[^{}]{0,100})*\}\s*(?=\{)"
)


class _LatexRow(NamedTuple):
    cells: list[str]
    line: int


def write_table(text: str, line: int, inline: LatexInline) -> Block:
    """Write the inside a table that begins on a line; its first row is the header."""
    text = _REPEATED_HEAD.sub(lambda found: "\n" * found[0].count("\n") if any(found.groups()) else found[0], text)
    text = _RULE.sub(" ", text)
    rows = [row for row in _rows(text, line, inline) if any(row.cells)]
    if not rows:
        return []
    table = gfm.table([row.cells for row in rows]).split("\n")
    return list(zip(table, [rows[0].line, *(row.line for row in rows)], strict=True))


def _rows(text: str, line: int, inline: LatexInline) -> Iterator[_LatexRow]:
    cells: list[str] = []
    depth = start = 0
    first = 0
    for found in _TOKEN.finditer(text):
        if found["brace"]:
            depth += 1 if found[0] == "{" else -1
        elif depth <= 0 and (found["cell"] or found["row"]):
            cells += _cell(text[start : found.start()], inline)
            start = found.end()
            if found["row"]:
                yield _LatexRow(cells, _line_of(text, first, line))
                line, first, cells = line + text.count("\n", first, start), start, []
    cells += _cell(text[start:], inline)
    yield _LatexRow(cells, _line_of(text, first, line))


def _line_of(text: str, start: int, line: int) -> int:
    """Return the line of the first text in a row."""
    row = text[start : start + 2_000]
    return line + row.count("\n", 0, len(row) - len(row.lstrip()))


def _cell(text: str, inline: LatexInline) -> list[str]:
    """Return a cell; one that spans others fills the first place, the rest is empty."""
    span = _SPAN.match(text)
    written = gfm.cell(" ".join(inline.write(text[span.end() :] if span else text).split()))
    return [written, *[""] * (min(int(span[1]), MAX_SPAN) - 1 if span else 0)]
