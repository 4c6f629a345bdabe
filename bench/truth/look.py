"""How a document is set: fonts, borders, what its headings look like."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Borders = Literal["full", "rules", "none"]
HeadingLook = Literal["bold", "regular", "colored", "small-caps", "centered", "weight only", "space only"]
SIZES: dict[str, tuple[float, ...]] = {
    "bold": (1.8, 1.5, 1.3, 1.15, 1.0),
    "regular": (2.0, 1.6, 1.35, 1.2, 1.1),
    "colored": (1.7, 1.4, 1.2, 1.1, 1.0),
    "small-caps": (1.9, 1.6, 1.4, 1.2, 1.15),
    "centered": (1.6, 1.4, 1.2, 1.1, 1.0),
    "weight only": (1.0, 1.0, 1.0, 1.0, 1.0),
    "space only": (1.0, 1.0, 1.0, 1.0, 1.0),
}
"""The sizes of the levels, in sizes of the text."""


@dataclass(frozen=True)
class Look:
    font: Literal["serif", "sans"] = "serif"
    size: float = 10.0
    borders: Borders = "rules"
    headings: HeadingLook = "bold"
    signs_apart: bool = False
    """`$`, `)` and `%` stand in cells of their own, as filings do it."""
    repeats_labels: bool = True
    """A table that goes on over pages shows its labels on each."""
    outline: bool = False
    tagged: bool = False
    renderer: Literal["chromium", "libreoffice"] = "chromium"
    sizes: tuple[float, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sizes", SIZES[self.headings])

    @property
    def family(self) -> str:
        return "Liberation Serif" if self.font == "serif" else "Liberation Sans"

    @property
    def bold(self) -> bool:
        return self.headings in ("bold", "colored", "centered", "weight only")
