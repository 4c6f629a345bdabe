"""A cited span and its document -> what became of it, and its text.

1. the document has the hash of the certificate: the span is where it was
2. else the text at its place has the hash of the span
3. else a text of this length and hash is elsewhere in the document
4. without hashes: the text at its offsets, or where its citation leads to
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import islice
from typing import Final

from crosshead.ids import content_hash
from crosshead.proof.evidence import CitedText
from crosshead.types import CitedSpan, SpanProof, SpanState, StoredDocument

MOST_HASHED: Final = 20_000_000
"""Characters to hash in search of a text that has moved."""

Locate = Callable[[str], tuple[StoredDocument, tuple[int, int]] | None]
"""A citation -> the document and the offsets that it leads to, if there are any."""
FoundSpan = tuple[SpanProof, CitedText | None]


def find_span(span: CitedSpan, documents: Mapping[str, StoredDocument], locate: Locate) -> FoundSpan:
    """Return what became of a cited span, and its text if it is there; `documents` are by source."""
    document = documents.get(span.source)
    if span.start is None or span.end is None:
        return _by_citation(span, locate)
    if document is None:
        return _lost(span, "not found", f"{span.source or span.citation} is not in the index")
    start, end = span.start, span.end
    text = document.text[start:end]
    is_same_document = bool(span.document_hash) and span.document_hash == document.content_hash
    if span.span_hash:
        if len(text) == end - start and content_hash(text) == span.span_hash:
            return _found(span, document, start, "unchanged" if is_same_document else "document changed")
        if is_same_document:
            return _lost(span, "changed", "the hash of the span is not that of the text at its offsets")
        moved = _moved(document.text, end - start, span.span_hash)
        if moved is None:
            return _lost(span, "changed", f"{span.source} has changed, and does not have this text any more")
        return _found(span, document, moved, "moved")
    if end > len(document.text):
        return _lost(span, "not found", f"{span.source} is shorter than that")
    if is_same_document:
        return _found(span, document, start, "unchanged")
    if span.document_hash:
        return _lost(span, "changed", f"{span.source} has changed; without a hash, its text cannot be found again")
    return _found(span, document, start, "not checked", "without a hash, nothing says what the text was")


def _by_citation(span: CitedSpan, locate: Locate) -> FoundSpan:
    """Find a span without offsets where its citation leads to, or else take the whole document."""
    wanted = span.citation or span.source
    found = locate(wanted) or (locate(f"{span.source}{wanted}") if span.source and wanted != span.source else None)
    if found is None:
        return _lost(span, "not found", f"{wanted} is not in the index")
    document, (start, end) = found
    span = replace(span, source=document.source, citation=wanted, start=start, end=end)
    if span.span_hash and content_hash(document.text[start:end]) != span.span_hash:
        return _lost(span, "changed", f"the text at {wanted} is another one")
    if span.document_hash and span.document_hash != document.content_hash and not span.span_hash:
        return _lost(span, "changed", f"{document.source} has changed; without a hash, its text cannot be found again")
    if span.span_hash or span.document_hash:
        same = span.document_hash in ("", document.content_hash)
        return _found(span, document, start, "unchanged" if same else "document changed")
    return _found(span, document, start, "not checked", "without a hash, nothing says what the text was")


def _found(span: CitedSpan, document: StoredDocument, start: int, state: SpanState, note: str = "") -> FoundSpan:
    end = start + (span.end or 0) - (span.start or 0)
    if state == "moved":
        line = document.text.count("\n", 0, start) + 1
        note = f"the text is unchanged, and begins in line {line} of the document as Markdown"
    proof = SpanProof(span.n, document.source, span.citation, state, start, end, note)
    return proof, CitedText(document, start, end, span.citation or document.source)


def _lost(span: CitedSpan, state: SpanState, note: str) -> FoundSpan:
    return SpanProof(span.n, span.source, span.citation, state, note=note), None


def _moved(text: str, length: int, wanted: str) -> int | None:
    """Return where a text has a part of a length with a hash: whole lines, or else what begins with a line."""
    starts = [0, *(found.end() for found in re.finditer("\n", text))]
    starts = [start for start in starts if start + length <= len(text)]
    whole = [start for start in starts if text[start + length : start + length + 1] in ("", "\n")]
    tried = islice(dict.fromkeys((*whole, *starts)), MOST_HASHED // max(1, length))
    return next((start for start in tried if content_hash(text[start : start + length]) == wanted), None)
