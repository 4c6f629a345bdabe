"""A block that is too large -> pieces that fit, cut at the least harmful places.

list -> items -> nested items, blocks and lines (`blocks`) -> sentences -> words -> characters (`text`)
code, table, formula: whole; with `oversize="split"`, lines or rows, with a prefix and suffix that make valid Markdown
(`atoms`, and `blocks` for tables in HTML)
"""

from __future__ import annotations

from crosshead.chunking.splitting.atoms import ATOM_REASONS
from crosshead.chunking.splitting.blocks import BlockSplitter
from crosshead.chunking.splitting.part import BlockPart

__all__ = ["ATOM_REASONS", "BlockPart", "BlockSplitter"]
