"""An answer with its certificate, and the proof of it.

    Answer          text, its sentences, and the spans of documents that they cite
    Proof           what a check of an answer found: a verdict per sentence, the state of each cited span

In JSON, an answer of another program may leave out what it does not know: a citation needs a number and either `source`
or `citation`, and the rest is optional.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, get_args

from crosshead.errors import OptionsError

ANSWER_SCHEMA: Final = "crosshead.answer/1"
PROOF_SCHEMA: Final = "crosshead.proof/1"

Verdict = Literal["proved", "not found", "no citation", "no claim"]
"""`no claim`: a heading, or words that only connect, as in "The steps are:"."""
SpanState = Literal["unchanged", "document changed", "moved", "changed", "not found", "not checked"]
"""State of a cited span.

`unchanged`: the document has the same hash. `document changed`: it has not, but the span is as it was, at its place.
`moved`: as it was, at another place. `changed`: the document does not have this text any more. `not found`: there is no
such document, or no such place in it. `not checked`: found by its citation; nothing says what the text was.
"""
DoubtKind = Literal["number", "date", "quote", "identifier", "name", "words", "citation"]


@dataclass(frozen=True, slots=True)
class CitedSpan:
    """A part of a document that an answer cites by a number."""

    n: int
    source: str
    """The source of the document."""
    document_hash: str = ""
    """SHA-256 of the document's text as Markdown; empty if unknown, like the next three."""
    start: int | None = None
    """Offset of the span in the document's text."""
    end: int | None = None
    span_hash: str = ""
    """SHA-256 of the text of the span."""
    citation: str = ""
    """Where a person finds the span: `guide.md:8-16`."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, heading, list item or table row of an answer."""

    text: str
    """An exact slice of the answer, with its `[n]`."""
    citations: tuple[int, ...] = ()
    """Numbers that it cites, in order."""
    start: int | None = None
    """Offset in the text of the answer; None in an answer of a program that does not say."""
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """What an answer took."""

    prompt_tokens: int = 0
    """As the model's server counts them, like the next; 0 if it does not say."""
    answer_tokens: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a question, with a certificate of the spans that it cites."""

    question: str
    text: str
    """Markdown, with `[n]` after what a source says."""
    sentences: tuple[Sentence, ...]
    citations: tuple[CitedSpan, ...]
    complete: bool = True
    """False if the model stopped in the middle."""
    model: str = ""
    note: str = ""
    """Why there is no answer, or why it is not complete."""
    usage: Usage = Usage()

    def to_json(self) -> dict[str, Any]:
        """Return the answer as JSON with its schema."""
        return {"schema": ANSWER_SCHEMA, **asdict(self)}

    @classmethod
    def from_json(cls, value: object) -> Answer:
        """Return an answer from JSON, also one that another program wrote; `sentences` may be missing.

        Raises `OptionsError`, which names the field that is wrong.
        """
        given = _Fields(value)
        schema = given.text("schema")
        if schema and schema != ANSWER_SCHEMA:
            raise OptionsError(f'schema must be "{ANSWER_SCHEMA}", not "{schema}"')
        sentences = tuple(map(_sentence, given.objects("sentences")))
        text = given.text("text") or "\n".join(each.text for each in sentences)
        if not text.strip():
            raise OptionsError("the answer has no text")
        spans = tuple(map(_cited_span, given.objects("citations")))
        complete = given.value("complete", bool, True)
        return cls(given.text("question"), text, sentences, spans, complete, given.text("model"))


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that a sentence says and its cited spans do not."""

    kind: DoubtKind
    text: str
    start: int
    """Offset in the text of the answer."""
    end: int
    reason: str
    """What is wrong, for people: `not in guide.md:8-16`."""


@dataclass(frozen=True, slots=True)
class SentenceProof:
    """The verdict on one sentence."""

    text: str
    citations: tuple[int, ...]
    start: int
    end: int
    verdict: Verdict
    doubts: tuple[Doubt, ...] = ()
    """Why it is not proved."""
    checked: int = 0
    """Numbers, dates, quotations, identifiers and names that were compared."""


@dataclass(frozen=True, slots=True)
class SpanProof:
    """What became of one cited span."""

    n: int
    source: str
    citation: str
    state: SpanState
    start: int | None = None
    """Where the document has the span; None if it does not."""
    end: int | None = None
    note: str = ""
    """For people: what could not be checked, or where the text is."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What a check of an answer found."""

    question: str
    sentences: tuple[SentenceProof, ...]
    citations: tuple[SpanProof, ...]

    @property
    def ok(self) -> bool:
        """True if every sentence that claims something is proved, and no cited span has changed or is missing."""
        return self.count("not found", "no citation") == 0 and all(
            each.state not in ("changed", "not found") for each in self.citations
        )

    def count(self, *verdicts: Verdict) -> int:
        """Return how many sentences have one of these verdicts."""
        return sum(each.verdict in verdicts for each in self.sentences)

    def to_json(self) -> dict[str, Any]:
        """Return the proof as JSON with its schema."""
        counts = {verdict: self.count(verdict) for verdict in get_args(Verdict)}
        return {"schema": PROOF_SCHEMA, "ok": self.ok, "counts": counts, **asdict(self)}


class _Fields:
    """The fields of a JSON object, checked as they are read."""

    def __init__(self, value: object, name: str = "") -> None:
        if not isinstance(value, dict):
            raise OptionsError(f"{name or 'the answer'} must be a JSON object")
        self._fields = value
        self.name = name

    def value(self, name: str, kind: type, default: Any) -> Any:
        found = self._fields.get(name)
        if found is None:
            return default
        if not isinstance(found, kind) or (kind is int and not _is_offset(found)):
            raise OptionsError(f"{self._path(name)} must be {_KINDS[kind]}")
        return found

    def text(self, name: str) -> str:
        return str(self.value(name, str, ""))

    def number(self, name: str) -> int:
        found: int | None = self.value(name, int, None)
        if found is None:
            raise OptionsError(f"{self._path(name)} is missing")
        return found

    def span(self) -> tuple[int | None, int | None]:
        start, end = self.value("start", int, None), self.value("end", int, None)
        if (start is None) != (end is None) or (start or 0) > (end or 0):
            raise OptionsError(f"{self.name} needs start and end, in this order, or neither")
        return start, end

    def numbers(self, name: str) -> tuple[int, ...]:
        found = self.value(name, list, [])
        if not all(type(each) is int for each in found):
            raise OptionsError(f"{self._path(name)} must be a list of whole numbers")
        return tuple(found)

    def objects(self, name: str) -> list[_Fields]:
        return [_Fields(each, f"{name}[{at}]") for at, each in enumerate(self.value(name, list, []))]

    def _path(self, name: str) -> str:
        return f"{self.name}.{name}" if self.name else name


def _is_offset(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


_KINDS: Final = {str: "text", int: "a whole number of 0 or more", bool: "true or false", list: "a list"}


def _sentence(given: _Fields) -> Sentence:
    return Sentence(given.text("text"), given.numbers("citations"), *given.span())


def _cited_span(given: _Fields) -> CitedSpan:
    start, end = given.span()
    source, citation = given.text("source"), given.text("citation")
    if not source and not citation:
        raise OptionsError(f"{given.name} needs source or citation")
    hashes = {name: given.text(name) for name in ("document_hash", "span_hash")}
    return CitedSpan(given.number("n"), source, start=start, end=end, citation=citation, **hashes)
