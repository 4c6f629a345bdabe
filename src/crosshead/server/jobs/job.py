"""A background job and its progress."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import Any, Literal

JobKind = Literal["index", "remove"]
JobState = Literal["waiting", "running", "done", "failed"]


def now() -> str:
    """Return the current time in the format of jobs; exact enough to keep their order."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


@dataclass(slots=True)
class Job:
    """A background job: documents to index, or one to remove."""

    kind: JobKind
    target: str
    """The path to index, or the source to remove."""
    metadata: Mapping[str, Any] | None = None
    """Metadata that the documents get; null if they keep what they have."""
    id: str = field(default_factory=lambda: uuid.uuid4().hex)
    is_upload: bool = False
    """True if the document came with the request."""
    state: JobState = "waiting"
    created: str = field(default_factory=now)
    started: str | None = None
    finished: str | None = None
    documents_done: int = 0
    documents_total: int = 0
    texts_embedded: int = 0
    texts_total: int = 0
    result: Mapping[str, Any] | None = None
    """How many documents were added, updated, unchanged and removed, and why others failed; set once it is done."""
    error: Mapping[str, Any] | None = None
    """Problem details, if it failed."""

    def to_json(self) -> dict[str, Any]:
        """Return the job as JSON."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Job:
        """Return the job that `to_json` wrote; an interrupted one waits again."""
        job = cls(**data)
        if job.finished is None:
            job.state, job.started = "waiting", None
        return job
