"""Tables of man pages (`tbl`) -> tables of Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from crosshead.formats.markup.man.escapes import Fonts, markdown
from crosshead.formats.shared import gfm
from crosshead.formats.shared.source_lines import Block

MAX_COLUMNS: Final = 100
_TAB = re.compile(r"tab\s*\((.)\)")


def write_table(lines: Sequence[str], first: int, fonts: Fonts) -> Block:
    """Write the lines between `.TS` and `.TE`; `first` is the line of the first of them."""
    separator, at = "\t", 0
    if lines and lines[0].rstrip().endswith(";"):
        found = _TAB.search(lines[0])
        separator, at = (found[1] if found else "\t"), 1
    start = at
    while at < len(lines) and not lines[at].rstrip().endswith("."):
        at += 1
    formats = lines[start : at + 1]
    rows, has_rule = _rows(lines, at + 1, separator)
    if not rows:
        return []
    width = min(max(len(cells) for cells, _ in rows), MAX_COLUMNS)
    written = [
        ([gfm.cell(markdown(fonts.runs(cell)).strip()) for cell in cells[:width]], first + number)
        for cells, number in rows
    ]
    has_header = has_rule or (bool(formats) and bool(re.search(r"[bB]", formats[0])) and len(formats) > 1)
    if not has_header:
        written.insert(0, ([""] * width, written[0][1]))
    table = gfm.table([cells for cells, _ in written]).split("\n")
    numbers = [number for _, number in written]
    return list(zip(table, [numbers[0], *numbers], strict=True))


def _rows(lines: Sequence[str], at: int, separator: str) -> tuple[list[tuple[list[str], int]], bool]:
    """Return the cells of each row with its line; a cell may be a text of several lines between `T{` and `T}`."""
    rows: list[tuple[list[str], int]] = []
    has_rule = False
    while at < len(lines):
        line, number = lines[at], at
        at += 1
        if line.strip() in ("_", "=") or not line.strip():
            has_rule = has_rule or (len(rows) == 1 and bool(line.strip()))
            continue
        if line.startswith((".", "'")) and not line.startswith("..."):
            if line.startswith(".T&"):
                while at < len(lines) and not lines[at - 1].rstrip().endswith("."):
                    at += 1
            continue
        cells = line.split(separator)
        while cells[-1].rstrip().endswith("T{") and at < len(lines):
            texts = []
            while at < len(lines) and not lines[at].startswith("T}"):
                texts.append(re.sub(r"^\.[A-Z]{1,2} ", "", lines[at]) if lines[at][:1] == "." else lines[at])
                at += 1
            rest = lines[at][2:].lstrip(separator) if at < len(lines) else ""
            has_more = at < len(lines) and lines[at][2:].startswith(separator)
            at += 1
            cells[-1] = " ".join(texts)
            if not has_more:
                break
            cells += rest.split(separator)
        if not all(cell.strip() in ("", "_", "=", "\\_", "\\^") for cell in cells):
            rows.append(([cell.strip() if cell.strip() not in ("_", "=", "\\^") else "" for cell in cells], number))
    return rows, has_rule
