"""Markdown -> blocks -> sections. Pure functions, usable without any other part of Crosshead."""

from crosshead.parse.blocks import parse_blocks
from crosshead.parse.frontmatter import MalformedFrontMatter, parse_front_matter
from crosshead.parse.headings import HeadingStack
from crosshead.parse.tree import build_tree

__all__ = ["HeadingStack", "MalformedFrontMatter", "build_tree", "parse_blocks", "parse_front_matter"]
