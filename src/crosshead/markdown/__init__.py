"""Markdown -> blocks -> sections. Pure functions, usable without any other part of Crosshead.

blocks             lines -> blocks with exact positions, by the rules in `syntax`; `containers` are lists and quotes
frontmatter        the metadata at the start
inline             the plain text of a heading
links              the links and anchors of a text
tree               blocks -> the tree of sections
document_outline   a document -> its headings with lines and tokens
"""

from crosshead.markdown.blocks import read_blocks
from crosshead.markdown.document_outline import DocumentOutline, Node, outline_document
from crosshead.markdown.frontmatter import MalformedFrontMatter, parse_front_matter
from crosshead.markdown.headings import HeadingStack
from crosshead.markdown.inline import plain_text
from crosshead.markdown.links import find_links
from crosshead.markdown.mdx import Tag, find_tags
from crosshead.markdown.syntax import find_ink, split_lines, strip_indent
from crosshead.markdown.tables import HTML_TABLE
from crosshead.markdown.tree import Outline, build_tree, outline, section_ordinals
from crosshead.types import Block

__all__ = [
    "HTML_TABLE",
    "DocumentOutline",
    "HeadingStack",
    "MalformedFrontMatter",
    "Node",
    "Outline",
    "Tag",
    "build_tree",
    "find_ink",
    "find_links",
    "find_tags",
    "outline",
    "outline_document",
    "parse_blocks",
    "parse_front_matter",
    "plain_text",
    "section_ordinals",
    "split_lines",
    "strip_indent",
]


def parse_blocks(
    text: str, mdx: bool = False
) -> list[Block]:  # here, where `help` shows it also if `blocks` is compiled
    """Return the blocks of a Markdown text (of an MDX text with `mdx`), in order."""
    return read_blocks(text, mdx)
