"""Markdown and MDX are what the other formats become: they are only decoded."""

from __future__ import annotations

from crosshead.formats.base import Extracted
from crosshead.formats.shared.decoding.text import decode
from crosshead.options import ExtractOptions


def read_markdown(data: bytes, _options: ExtractOptions) -> Extracted:
    """Read Markdown or MDX."""
    warnings: list[str] = []
    return Extracted(decode(data, warnings), warnings=tuple(warnings))
