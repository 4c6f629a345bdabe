"""Ratings of hits and answers -> questions with evidence.

Each rating adds one line to the file of questions of an index. All ratings of one question have the same id, and
`load_questions` joins them: each hit that was rated good answers it, until it is rated bad.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Final

from crosshead.errors import CrossheadError, OptionsError
from crosshead.evaluation.questions import RATED, Evidence

ID_LENGTH: Final = 12


def rate(path: Path, question: str, rated: Sequence[Evidence], *, good: bool) -> None:
    """Add the rating of a hit, or of all lines that an answer cites, to a file of questions."""
    question = " ".join(question.split())
    if not question or not rated:
        raise OptionsError("a rating needs a question, and lines that answer it or do not")
    items = [{**each._asdict(), "alternative": True} for each in rated]
    line = {
        "id": f"{RATED}-{sha256(question.encode('utf-8', 'replace')).hexdigest()[:ID_LENGTH]}",
        "question": question,
        "kind": RATED,
        "evidence" if good else "rejected": items,
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    try:
        _append(path, json.dumps(line, ensure_ascii=False))
    except OSError as error:
        raise CrossheadError(f"the rating cannot be kept: {error.strerror or error}", str(path)) from error


def _append(path: Path, line: str) -> None:
    """Append a line in one write, so that ratings at the same time do not mix; complete an unfinished line first."""
    with path.open("ab+") as file:
        if file.tell():
            file.seek(-1, os.SEEK_END)
            line = line if file.read(1) == b"\n" else f"\n{line}"
        file.write(f"{line}\n".encode("utf-8", "replace"))
        file.flush()
        with suppress(OSError):  # not every file system can
            os.fsync(file.fileno())
