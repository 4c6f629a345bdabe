"""A file of questions -> questions with the lines that answer them.

One JSON object per line:

    {"id": "q1", "question": "How long is a key valid?", "kind": "lookup",
     "evidence": [{"file": "handbook.md", "start_line": 73, "end_line": 73},
                  {"file": "api-reference.md", "start_line": 17, "end_line": 18, "alternative": true}]}

`kind` is optional. An item with `alternative` may replace the one before it. Other keys are ignored.

Ratings are questions of the kind `rated`. Their lines are joined by id: `evidence` was rated good, any item of it
answers; what is in `rejected` was rated bad later. A question without evidence yet is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from crosshead.errors import CrossheadError

RATED: Final = "rated"
"""The kind of questions that come from ratings."""


class Evidence(NamedTuple):
    """Lines that answer a question, or a part of it."""

    file: str
    """The source of a document, as in the index."""
    start_line: int
    """1-based; the lines are those of the document as Markdown."""
    end_line: int
    """Inclusive."""

    @property
    def line_count(self) -> int:
        """The number of lines."""
        return self.end_line - self.start_line + 1


class Question(NamedTuple):
    """A question with its evidence."""

    id: str
    text: str
    required: tuple[tuple[Evidence, ...], ...]
    """All groups are needed; one alternative of each group is enough."""
    kind: str = ""

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """All items, alternatives included."""
        return tuple(item for alternatives in self.required for item in alternatives)


def load_questions(path: str | Path) -> list[Question]:
    """Return the questions of a file; an error names the line and what is wrong with it."""
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").split("\n")
    except OSError as error:
        raise CrossheadError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CrossheadError(f"{path}: not text in UTF-8: save it as UTF-8") from error
    questions: dict[str, Question] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            question = _read_question(line, questions)
        except _InvalidLine as wrong:
            raise CrossheadError(f"{path}:{number}: {wrong}") from wrong
        questions[question.id] = question
    if not questions:
        raise CrossheadError(f"{path}: the file has no questions: write one JSON object per line")
    answered = [each for each in questions.values() if each.required]
    if not answered:
        raise CrossheadError(f"{path}: no question has a hit that was rated good: crosshead rate N good")
    return answered


class _InvalidLine(Exception):
    """A fault in a line."""


def _read_question(line: str, earlier: Mapping[str, Question]) -> Question:
    data = _read_object(line)
    id, text = _text(data, "id"), _text(data, "question")
    kind = _text(data, "kind") if data.get("kind") is not None else ""
    known = earlier.get(id)
    if kind == RATED and (known is None or (known.kind, known.text) == (RATED, text)):
        return _join(known or Question(id, text, (), kind), data)
    if known:
        raise _InvalidLine(f"the id {id!r} is already used on an earlier line: give each question its own")
    items = data.get("evidence")
    if not isinstance(items, list) or not items:
        raise _InvalidLine('evidence must be a list of at least one {"file": ..., "start_line": ..., "end_line": ...}')
    return Question(id, text, _group(items), kind)


def _read_object(line: str) -> Mapping[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _InvalidLine(f"not valid JSON ({error}): write one object per line") from error
    if not isinstance(data, dict):
        raise _InvalidLine('not an object: write {"id": ..., "question": ..., "evidence": [...]}')
    return data


def _join(question: Question, data: Mapping[str, Any]) -> Question:
    """Return a rated question after one more rating."""
    good, bad = (data.get(name) or [] for name in ("evidence", "rejected"))
    if not isinstance(good, list) or not isinstance(bad, list) or not (good or bad):
        raise _InvalidLine("a rating must have evidence or rejected, as a list")
    rejected = {each for group in _group(bad) for each in group}
    rated = dict.fromkeys((*question.evidence, *(each for group in _group(good) for each in group)))
    kept = tuple(each for each in rated if each not in rejected)
    return question._replace(required=(kept,) if kept else ())


def _group(items: Iterable[Any]) -> tuple[tuple[Evidence, ...], ...]:
    """Group each alternative with the item that it may replace."""
    groups: list[list[Evidence]] = []
    for number, item in enumerate(items, 1):
        try:
            evidence, is_alternative = _read_evidence(item)
        except _InvalidLine as wrong:
            raise _InvalidLine(f"item {number} of the evidence: {wrong}") from wrong
        if is_alternative and groups:
            groups[-1].append(evidence)
        else:
            groups.append([evidence])
    return tuple(map(tuple, groups))


def _read_evidence(item: Any) -> tuple[Evidence, bool]:
    if not isinstance(item, dict):
        raise _InvalidLine('not an object: write {"file": ..., "start_line": ..., "end_line": ...}')
    evidence = Evidence(_text(item, "file"), _line(item, "start_line"), _line(item, "end_line"))
    if evidence.line_count < 1:
        raise _InvalidLine(f"end_line={evidence.end_line} is before start_line={evidence.start_line}: swap them")
    is_alternative = item.get("alternative", False)
    if not isinstance(is_alternative, bool):
        raise _InvalidLine(f"alternative={is_alternative!r} must be true or false")
    return evidence, is_alternative


def _text(data: Mapping[str, Any], name: str) -> str:
    value = data.get(name)
    if not isinstance(value, str) or not value.strip():
        raise _InvalidLine(f"{name} is missing" if value is None else f"{name} must be text that is not empty")
    return value


def _line(data: Mapping[str, Any], name: str) -> int:
    value = data.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise _InvalidLine(f"{name} is missing" if value is None else f"{name} must be a whole number of at least 1")
    return value
