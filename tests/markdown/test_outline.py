"""The heading tree of a document."""

from __future__ import annotations

from crosshead.markdown.document_outline import outline_document
from crosshead.pipeline import parse_document


def test_outline_has_lines_and_tokens_of_whole_sections() -> None:
    outline = outline_document(parse_document("# A\n\nText.\n\n## B\n\nMore.\n", source="a.md"))
    [top] = outline.root.children
    assert (top.title, top.start_line, top.end_line) == ("A", 1, 7)
    assert top.token_count > top.children[0].token_count > 0
    assert outline.to_json()["source"] == "a.md"
    assert outline.to_json()["title"] == "A"
