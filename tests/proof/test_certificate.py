"""Answers with a certificate, from an index."""

from __future__ import annotations

from pathlib import Path

import crosshead
from crosshead.ids import content_hash

GUIDE = "# Keys\n\nKeys are valid for 90 days.\n\nTwo keys at a time are accepted.\n"


def test_a_certificate_says_exactly_what_is_cited(tmp_path: Path) -> None:
    with crosshead.Index(tmp_path / "index") as index:
        index.add_text(GUIDE, source="guide.md")
        prompt = index.passages("how long are keys valid").prompt()
        answer = index.certify("For 90 days [1]. Or not [7].", prompt.passages, question="How long?", model="scripted")
        document = index.document(prompt.passages[0].document_id)
    assert document is not None
    (span,) = answer.citations
    assert (span.source, span.citation) == ("guide.md", prompt.passages[0].citation)
    assert document.text[span.start : span.end] in (prompt.passages[0].content, GUIDE.strip())
    assert span.span_hash == content_hash(document.text[span.start : span.end])
    assert span.document_hash == content_hash(document.text)
    assert [each.citations for each in answer.sentences] == [(1,), (7,)]
