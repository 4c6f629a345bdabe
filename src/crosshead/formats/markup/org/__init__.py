"""Org mode -> Markdown, with a map to the lines of the file.

1. `blocks`: lines become headings, lists, tables, blocks (`#+begin_src`), paragraphs; drawers, comments are left out.
2. `inline`: the markup inside a line.

Keywords above the text (`#+title`, `#+author`, `#+date`) are front matter. The word of a task (TODO, DONE) stays in its
heading, its tags follow it. Nothing is run, and no other file is read.
"""

from __future__ import annotations

from crosshead.formats.base import Extracted
from crosshead.formats.markup.org.blocks import OrgParser
from crosshead.formats.shared import gfm
from crosshead.formats.shared.decoding.text import decode, without_controls
from crosshead.formats.shared.source_lines import block_of, write_blocks
from crosshead.options import ExtractOptions


def read_org(data: bytes, _options: ExtractOptions) -> Extracted:
    """Read Org mode."""
    warnings: list[str] = []
    text = without_controls(decode(data, warnings))
    parser = OrgParser([line.expandtabs(8).rstrip() for line in text.split("\n")])
    blocks = list(parser.blocks(0, len(parser.lines)))
    keywords = {name: " ".join(values) for name, values in parser.keywords.items()}
    if front_matter := gfm.front_matter(keywords):
        blocks.insert(0, [(line, 1) for line, _ in block_of(front_matter, 1)])
    if parser.includes:
        warnings.append(f"includes are not followed: line {parser.includes[0]}")
    return write_blocks(blocks)._replace(warnings=tuple(warnings))
