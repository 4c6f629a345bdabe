"""Results of indexing."""

from __future__ import annotations

from itertools import islice
from typing import Final

from pydantic import Field

from crosshead.index import AddResult
from crosshead.mcp.budget import Budget, ToolAnswer

MOST_FAILURES: Final = 20
"""Failures that are listed; often all have the same reason."""


class FailedDocument(ToolAnswer):
    """A document that could not be indexed."""

    source: str
    reason: str

    def text(self) -> str:
        """Return a line."""
        return f"- {self.source}: {self.reason}"


class Indexed(ToolAnswer):
    """The result of indexing."""

    summary: str
    added: int
    updated: int
    unchanged: int
    removed: int
    failed: int
    pending: int
    """Chunks that are found by words only, because they have no vector yet."""
    failures: list[FailedDocument] = Field(default_factory=list)
    """The first documents that could not be indexed, with their reasons."""
    notes: list[str] = Field(default_factory=list)
    """Notes and warnings, as far as they fit."""

    def text(self) -> str:
        """Return the summary, then failures and notes."""
        more = self.failed - len(self.failures)
        rest = [f"- and {more:,} more failed"] if more else []
        return "\n".join([self.summary, *(each.text() for each in self.failures), *rest, *self.notes])


class Note(ToolAnswer):
    """A note or warning."""

    note: str

    def text(self) -> str:
        """Return the line."""
        return self.note


def indexed_answer(result: AddResult, budget: Budget) -> Indexed:
    """Return the result of indexing as an answer."""
    first = islice(result.failed.items(), MOST_FAILURES)
    failures = (FailedDocument(source=source, reason=reason) for source, reason in first)
    notes = (Note(note=note) for note in result.notes)
    return Indexed(
        summary=result.summary,
        added=result.added,
        updated=result.updated,
        unchanged=result.unchanged,
        removed=result.removed,
        failed=len(result.failed),
        pending=result.pending,
        failures=[each for each in failures if budget.take(each)],
        notes=[each.note for each in notes if budget.take(each)],
    )
