"""Tables with borders."""

from __future__ import annotations

from crosshead.formats.pdf.tables.grids.finding import find_grids

__all__ = ["find_grids"]
