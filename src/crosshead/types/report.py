"""The report of `check`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken guarantee (error), or something a user should know (warning)."""

    rule: str
    chunk_id: str | None
    start_line: int
    end_line: int
    message: str
    severity: Severity = "error"


@dataclass(frozen=True, slots=True)
class Figures:
    """Statistics of the chunks of a document."""

    chunks: int
    tokens: int
    tokens_min: int
    tokens_median: float
    tokens_max: int
    fill: float
    """Mean size as a share of `target_tokens`."""
    tiny: int
    """Chunks below `min_tokens`."""
    cuts_inside_sections: int
    """Cuts between two blocks of one section, or inside a block."""
    oversize: Mapping[str, int]
    """Chunks above `max_tokens` by reason."""


@dataclass(frozen=True, slots=True)
class Report:
    """The report of `check` on the chunks of one document."""

    source: str
    coverage: float
    """Share of the non-blank characters that are in exactly one chunk."""
    line_recall: float
    """Share of the lines of at least 20 characters that appear whole in a chunk."""
    figures: Figures
    violations: tuple[Violation, ...]

    @property
    def ok(self) -> bool:
        """True if no guarantee is broken; warnings do not count."""
        return all(each.severity != "error" for each in self.violations)

    def to_json(self) -> dict[str, Any]:
        """Return the report as a dictionary."""
        named = asdict(self)
        return {"source": named.pop("source"), "ok": self.ok, **named}
