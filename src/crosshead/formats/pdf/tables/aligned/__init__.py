"""Tables without borders."""

from __future__ import annotations

from crosshead.formats.pdf.tables.aligned.finding import find_aligned

__all__ = ["find_aligned"]
