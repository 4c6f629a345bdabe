"""The text of an answer and the passages it was made from -> an answer with its certificate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crosshead.ids import content_hash
from crosshead.proof.sentences import split_sentences
from crosshead.types import Answer, CitedSpan, Document, Passage, StoredDocument


def certify(
    text: str,
    passages: Sequence[Passage],
    documents: Mapping[str, Document | StoredDocument],
    *,
    question: str = "",
    model: str = "",
    complete: bool = True,
) -> Answer:
    """Return an answer whose citations are exact: document hash, offsets, and hash of each cited span.

    `passages` are numbered from 1, as in the prompt; `documents` has their documents by id. A number without a
    passage gets no span, and its sentences are not proved.
    """
    sentences = split_sentences(text)
    numbers = sorted({n for each in sentences for n in each.citations if 1 <= n <= len(passages)})
    spans = tuple(_span(n, passages[n - 1], documents.get(passages[n - 1].document_id)) for n in numbers)
    return Answer(question, text, sentences, spans, complete, model)


def _span(n: int, passage: Passage, document: Document | StoredDocument | None) -> CitedSpan:
    """Return the lines of a document that a passage quotes; without the document, only its citation."""
    if document is None:
        return CitedSpan(n, passage.source, citation=passage.citation)
    lines = document.text.split("\n")
    before, inside = lines[: passage.start_line - 1], lines[passage.start_line - 1 : passage.end_line]
    start = sum(map(len, before)) + len(before)
    span = "\n".join(inside)
    return CitedSpan(
        n,
        passage.source,
        document_hash=document.content_hash,
        start=start,
        end=start + len(span),
        span_hash=content_hash(span),
        citation=passage.citation,
    )
