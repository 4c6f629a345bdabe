"""Sections of other documents that are near a text."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Final, Literal

from crosshead.types.chunk import Chunk

RelatedBy = Literal["vectors", "words"]
OF_RELATED: Final = ("section_id", "source", "title", "section_path", "citation")
"""Properties of a related section that are also in its JSON."""


@dataclass(frozen=True, slots=True)
class RelatedSection:
    """A section of another document that is near a text, by the chunk of it that is nearest."""

    chunk: Chunk
    score: float
    """Cosine of the vectors; by words, the share of the highest score that the words of the text could reach."""
    compared: RelatedBy
    """`words` if the text, or this section, has no vectors yet."""
    shared: float
    """Share of the runs of three words in the shorter one of the two texts that the other one has too."""
    is_copy: bool
    """True if they share most of their text."""

    @property
    def section_id(self) -> str:
        """The section that the chunk begins in."""
        return self.chunk.section_id

    @property
    def source(self) -> str:
        """The source of its document."""
        return self.chunk.source

    @property
    def title(self) -> str:
        """The title of its document."""
        return self.chunk.document_title

    @property
    def section_path(self) -> tuple[str, ...]:
        """Titles from the outermost heading to the section."""
        return self.chunk.section_path

    @property
    def citation(self) -> str:
        """Where to find the chunk: lines, pages, or at least the section."""
        return self.chunk.citation

    def to_json(self) -> dict[str, Any]:
        """Return the section as JSON, its chunk in its own schema."""
        own = {each.name: getattr(self, each.name) for each in fields(self)}
        return {**own, **{name: getattr(self, name) for name in OF_RELATED}, "chunk": self.chunk.to_json()}
