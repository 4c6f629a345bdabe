"""A citation can be read back, whatever the file is called, and leads to the lines that it was made of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.formats.office.xlsx_files import book, labeled_sheet

import crosshead
from crosshead.citation import Citation, area_of, cited_lines, parse_citation
from crosshead.types import Document

NAMES = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=20),
    st.lists(
        st.sampled_from(
            [
                "guide", ".md", ":", "8", "-", "16", " ", "p. 3", " slide 2", "00:01:02", "(", ")", "#", "[1]",
                " (A > B)", "отчёт", "報告", "'", "!", "A1", "Revenue!A1:B2", "docs/", "C:", "\\", "?", "%20",
            ]
        ),
        min_size=1, max_size=6,
    ).map("".join),
)  # fmt: skip
COLUMNS = st.sampled_from(["A", "B", "D", "Z", "AA", "XFD"])


@st.composite
def citations(draw: st.DrawFn) -> Citation:
    source = draw(NAMES)
    unit = draw(st.sampled_from(["lines", "pages", "slides", "times", "cells", "section", "document"]))
    if unit == "section":
        return Citation(source, section=draw(NAMES))
    if unit == "document":
        return Citation(source)
    first = draw(st.integers(0 if unit == "times" else 1, 9_000))
    last = draw(st.integers(first, 10_000))
    if unit == "cells":
        left, right = sorted(draw(st.tuples(COLUMNS, COLUMNS)), key=lambda name: (len(name), name))
        return Citation(source, "cells", first, last, area_of(draw(NAMES), left, right))
    return Citation(source, unit, first, last)  # type: ignore[arg-type]


@given(citations())
def test_reading_a_citation_gives_what_was_written(citation: Citation) -> None:
    readings = list(parse_citation(str(citation)))
    assert [each for each in readings if each.source == citation.source][:1] == [citation]


@pytest.mark.parametrize(
    ("text", "citation"),
    [
        ("docs/guide.md:8-16", Citation("docs/guide.md", "lines", 8, 16)),
        ("docs/guide.md:8", Citation("docs/guide.md", "lines", 8, 8)),
        ("C:\\notes\\a b.md:8", Citation("C:\\notes\\a b.md", "lines", 8, 8)),
        ("report (final).pdf p. 39-40", Citation("report (final).pdf", "pages", 39, 40)),
        ("deck.pptx slide 3", Citation("deck.pptx", "slides", 3, 3)),
        ("talk.srt 00:12:30", Citation("talk.srt", "times", 750, 750)),
        ("talk.vtt 00:12:30-01:00:00", Citation("talk.vtt", "times", 750, 3600)),
        ("f.xlsx Revenue!A2:D9", Citation("f.xlsx", "cells", 2, 9, "Revenue!A:D")),
        ("f.xlsx 'Q1 ''26'!B7", Citation("f.xlsx", "cells", 7, 7, "'Q1 ''26'!B:B")),
        ("spec.docx (Scope > Limits (2))", Citation("spec.docx", section="Scope > Limits (2)")),
        ("report.pdf p. 3 (Results > Costs)", Citation("report.pdf", "pages", 3, 3)),
        ("guide.md:8-16 (Guide)", Citation("guide.md", "lines", 8, 16)),
        ("guide.md:16-8", Citation("guide.md", "lines", 16, 16)),
    ],
)
def test_the_source_that_exists_decides(text: str, citation: Citation) -> None:
    assert next(each for each in parse_citation(text) if each.source == citation.source) == citation


def lines_of(document: Document, cited: str) -> tuple[int, int] | None:
    citation = next(each for each in parse_citation(cited) if each.source == document.source)
    last_line = document.text.rstrip("\n").count("\n") + 1
    return cited_lines(citation, document.format, lines=document.lines, pages=document.pages, last_line=last_line)


@pytest.mark.parametrize("width", [0, 60], ids=["tables", "records"])
def test_the_citation_of_each_chunk_leads_to_its_lines(width: int) -> None:
    def fill(workbook: object) -> None:
        labeled_sheet(workbook, "Data", [(2, 1, 60, 4)], width)
        labeled_sheet(workbook, "Both", [(0, 0, 4, 2), (0, 4, 9, 2)])

    rows = "".join(f'{number},"two\nlines"\n' for number in range(300))
    cues = "".join(f"{at}\n00:{at:02}:00,0 --> 00:{at:02}:09,0\nCue {at} says this.\n\n" for at in range(50))
    for data, format in (
        (book(fill), "xlsx"),
        (f"id,text\n{rows}".encode(), "csv"),
        (cues.encode(), "srt"),
        (b"# A\n\none\n\n## B\n\ntwo\n", "markdown"),
        (b"A\n=\n\none\n\nB\n-\n\ntwo\n", "rst"),
    ):
        document = crosshead.read(data, format, source=f"file.{format}")
        chunks = crosshead.chunk(document, max_tokens=120, min_tokens=1, overlap_tokens=0)
        assert chunks
        for chunk in chunks:
            found = lines_of(document, chunk.citation)
            assert found, chunk.citation
            wanted = [line for line in chunk.content.split("\n") if line.strip() and not line.startswith("#")]
            text = document.text.split("\n")[found[0] - 1 : found[1]]
            assert set(wanted) <= set(text), (chunk.citation, found, chunk.start_line, chunk.end_line)


@pytest.mark.parametrize(
    ("cited", "lines"),
    [
        ("a.pdf p. 1", (1, 4)),
        ("a.pdf p. 2-3", (5, 9)),
        ("a.pdf slide 3", (8, 9)),
        ("a.pdf p. 4", None),
        ("a.pdf:2-3", (2, 3)),
        ("a.pdf:9-99", (9, 9)),
        ("a.pdf:10", None),
        ("a.pdf", (1, 9)),
    ],
)
def test_pages_and_lines_of_a_text(cited: str, lines: tuple[int, int] | None) -> None:
    citation = next(each for each in parse_citation(cited) if each.source == "a.pdf")
    assert cited_lines(citation, "pdf", lines=(), pages=((1, 1), (5, 2), (8, 3)), last_line=9) == lines
