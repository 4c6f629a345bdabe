"""The source itself is well formed: warnings of malformed front matter and unclosed fences."""

from __future__ import annotations

from collections.abc import Iterator

from crosshead.checking.source import CheckedSource
from crosshead.types import Violation


def find_malformed_front_matter(source: CheckedSource) -> Iterator[Violation]:
    """Warn of front matter that had to be kept as text."""
    if source.front_matter_error:
        block = source.blocks[0]
        message = f"front matter is kept as text: {source.front_matter_error}"
        yield Violation("front_matter", None, block.start_line, block.end_line, message, "warning")


def find_unclosed_fences(source: CheckedSource) -> Iterator[Violation]:
    """Warn of a fence that runs to the end of the document."""
    for block in source.blocks[-1:]:  # nothing can follow it
        if not block.closed:
            message = f"the fence that line {block.start_line} opens is never closed"
            yield Violation("unclosed_fence", None, block.start_line, block.end_line, message, "warning")
