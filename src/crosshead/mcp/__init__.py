"""Tools for AI assistants over MCP: index a project, and answer from it.

projects   the folders that may be named, each with its index
budget     how many tokens an answer may take
answers    hits, sections, outlines and results of indexing, as text and as structured content
tools      the tools, with the descriptions that an assistant reads
run        the tools over standard input and output, or over HTTP
"""

from typing import Final

DEFAULT_PORT: Final = 8378
DEFAULT_BUDGET: Final = 8000
"""Tokens of an answer."""
