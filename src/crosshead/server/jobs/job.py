"""What is done in the background, and how far it has come."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import Any, Literal

JobKind = Literal["index", "remove"]
JobState = Literal["waiting", "running", "done", "failed"]


def now() -> str:
    """Return the time as jobs record it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass(slots=True)
class Job:
    """Something that is done in the background."""

    kind: JobKind
    target: str
    """The path, or the source, that it is about."""
    id: str = field(default_factory=lambda: uuid.uuid4().hex)
    is_upload: bool = False
    """Whether the document came with the request."""
    state: JobState = "waiting"
    created: str = field(default_factory=now)
    started: str | None = None
    finished: str | None = None
    documents_done: int = 0
    documents_total: int = 0
    texts_embedded: int = 0
    texts_total: int = 0
    result: Mapping[str, Any] | None = None
    """How many documents were added, updated, unchanged and removed, and why others failed, once it is done."""
    error: Mapping[str, Any] | None = None
    """Problem details, if it failed."""

    def to_json(self) -> dict[str, Any]:
        """Return the job by names."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Job:
        """Read what `to_json` returned; one that was interrupted waits again."""
        job = cls(**data)
        if job.finished is None:
            job.state, job.started = "waiting", None
        return job
