from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.stored_documents import make_hit, make_rows, rows_of

from crosshead import Extracted
from crosshead.pipeline import parse_document, read
from crosshead.search.passages.consolidate import Pieces, consolidate
from crosshead.types import DocumentRows, Hit, Passage, Piece

GUIDE = """\
# Guide

Welcome.

## Install

Install the package with pip.

### Linux

Use the zypper command there.

### Windows

Use the installer program there.

## Rotate keys

Rotate the keys every day.
"""
PLENTY = 10_000


def count(text: str) -> int:
    return len(text.split())


def small(text: str = GUIDE, source: str = "guide.md", **given: object) -> DocumentRows:
    """A document of which every section is a chunk."""
    return make_rows(text, source, max_tokens=16, min_tokens=0, target_tokens=4, **given)  # type: ignore[arg-type]


def hit(rows: DocumentRows, text: str, score: float = 1.0) -> Hit:
    chunk = next(stored.chunk for stored in rows.chunks if text in stored.chunk.content)
    return make_hit(chunk, score)


def join(
    documents: list[DocumentRows], hits: list[Hit], budget: int = PLENTY, pieces: Pieces | None = None
) -> list[Passage]:
    return consolidate(
        hits,
        {rows.document.id: rows.document for rows in documents},
        {section.id: section for rows in documents for section in rows.sections},
        budget,
        count,
        pieces,
    )


class TestJoining:
    TEXT = "# Guide\n\n" + "\n\n".join(f"Paragraph {number} has some words of its own." for number in range(12)) + "\n"

    def test_neighbors_in_a_section_become_one_passage(self) -> None:
        rows = small(self.TEXT)
        (passage,) = join([rows], [hit(rows, "Paragraph 5"), hit(rows, "Paragraph 4", 2.0)])
        assert passage.content == (
            "# Guide\n\nParagraph 4 has some words of its own.\n\nParagraph 5 has some words of its own."
        )
        assert passage.chunk_ids == (hit(rows, "Paragraph 4").chunk.id, hit(rows, "Paragraph 5").chunk.id)
        assert passage.score == 2.0
        assert passage.citation == "guide.md:11-13"

    def test_hits_with_text_between_them_stay_apart(self) -> None:
        rows = small(self.TEXT)
        passages = join([rows], [hit(rows, "Paragraph 2"), hit(rows, "Paragraph 4", 2.0)])
        assert [passage.citation for passage in passages] == ["guide.md:11", "guide.md:7"]

    def test_a_chunk_found_twice_is_quoted_once(self) -> None:
        rows = small(self.TEXT)
        (passage,) = join([rows], [hit(rows, "Paragraph 4"), hit(rows, "Paragraph 4", 3.0)])
        assert passage.content.count("Paragraph 4") == 1
        assert passage.score == 3.0

    def test_documents_never_mix(self) -> None:
        first, second = small(self.TEXT, "a.md"), small(self.TEXT, "b.md")
        passages = join([first, second], [hit(first, "Paragraph 4"), hit(second, "Paragraph 5")])
        assert [passage.source for passage in sorted(passages, key=lambda each: each.source)] == ["a.md", "b.md"]
        assert all(len(passage.chunk_ids) == 1 for passage in passages)

    def test_equal_scores_are_in_a_fixed_order(self) -> None:
        rows = small(self.TEXT)
        hits = [hit(rows, f"Paragraph {number}") for number in (8, 2, 5)]
        assert join([rows], hits) == join([rows], hits[::-1])


class TestSections:
    def test_a_section_takes_the_place_of_its_parts(self) -> None:
        rows = small()
        (passage,) = join([rows], [hit(rows, each) for each in ("zypper", "installer", "Install the package")])
        assert passage.content.startswith("## Install\n\nInstall the package")
        assert passage.content.endswith("program there.")
        assert passage.heading_chain == ("Guide", "Install")
        assert passage.citation == "guide.md:5-15"
        assert len(passage.chunk_ids) == 3

    def test_parts_that_are_not_all_there_stay_apart(self) -> None:
        rows = small()
        passages = join([rows], [hit(rows, "zypper"), hit(rows, "installer", 2.0)])
        assert [passage.heading_chain[-1] for passage in passages] == ["Windows", "Linux"]

    def test_a_part_of_little_worth_does_not_join_a_better_one(self) -> None:
        rows = small()
        scores = {"zypper": 0.9, "installer": 0.5, "Install the package": 0.8}
        passages = join([rows], [hit(rows, text, score) for text, score in scores.items()])
        assert [passage.heading_chain[-1] for passage in passages] == ["Linux", "Install", "Windows"]

    def test_several_levels_up(self) -> None:
        rows = small()
        hits = [hit(rows, each) for each in ("zypper", "installer", "Rotate the", "Welcome", "Install the package")]
        (passage,) = join([rows], hits)
        assert passage.content == GUIDE.rstrip()
        assert passage.heading_chain == ("Guide",)
        assert passage.citation == "guide.md:1-19"

    def test_a_small_part_does_not_bring_the_section(self) -> None:
        rows = small()
        (passage,) = join([rows], [hit(rows, "Install the package")])
        assert passage.content == "## Install\n\nInstall the package with pip."

    def test_what_was_added_does_not_count_as_hit(self) -> None:
        filler = "Nothing was found here, though it is quite long. " * 4
        rows = small(
            f"# Top\n\n## A\n\n### B\n\nhit one two three four\n\n### C\n\nnot hit here at all\n\n## D\n\n{filler}\n"
        )
        passages = join([rows], [hit(rows, "hit one")])
        assert "Nothing was found" not in "".join(passage.content for passage in passages)

    def test_a_section_that_is_too_large_stays_in_parts(self) -> None:
        rows = small()
        passages = join([rows], [hit(rows, "zypper"), hit(rows, "installer", 2.0)], budget=20)
        assert [passage.heading_chain[-1] for passage in passages] == ["Windows", "Linux"]

    def test_a_section_that_ends_with_blanks(self) -> None:
        rows = small("# Top\n\ntext of the top  \n\n## Sub\n\nmore text of it  \n\t\n")
        (passage,) = join([rows], [hit(rows, "text of the top"), hit(rows, "more text")])
        assert passage.content == "# Top\n\ntext of the top  \n\n## Sub\n\nmore text of it"

    def test_a_chunk_across_a_border_keeps_its_text_from_appearing_twice(self) -> None:
        rows = make_rows("# T\n\n## A\n\nfirst words of it\n\nlast words of it\n\n## B\n\nother words\n")
        (stored,) = rows.chunks
        text, sections = rows.document.text, {section.title: section for section in rows.sections}
        cut = text.index("last")

        def piece(start: int, end: int, name: str, section: str) -> Hit:
            chunk = replace(
                stored.chunk, id=name, content=text[start:end], start=start, end=end, section_id=sections[section].id
            )
            return make_hit(chunk)

        hits = [piece(text.index("## A"), cut - 2, "1", "A"), piece(cut, len(text) - 1, "2", "T")]
        together = "\n".join(passage.content for passage in join([rows], hits))
        assert together.count("last words") == 1
        assert together.count("first words") == 1

    def test_a_document_without_headings_has_no_chain(self) -> None:
        rows = small("Just text.\n", "note.md")
        (passage,) = join([rows], [hit(rows, "Just")])
        assert passage.heading_chain == ()
        assert passage.content == "Just text."
        assert passage.parent_section_id is None


class TestContent:
    def test_a_heading_stands_in_front_only_where_it_is_missing(self) -> None:
        rows = small(TestJoining.TEXT)
        first, later = (join([rows], [hit(rows, f"Paragraph {number}")])[0] for number in (0, 6))
        assert first.content.count("# Guide") == later.content.count("# Guide") == 1

    def test_a_piece_of_code_stays_code(self) -> None:
        code = "\n".join(f"print({number})" for number in range(40))
        rows = make_rows(f"# Code\n\n```python\n{code}\n```\n", max_tokens=60, oversize="split")
        (passage,) = join([rows], [hit(rows, "print(20)")], budget=100)
        assert passage.content.startswith("# Code\n\n```python\n")
        assert passage.content.rstrip().endswith("```")

    def test_a_document_that_changed_since_the_search_is_left_out(self) -> None:
        old, new = small(), small(f"New first line.\n\n{GUIDE}")
        assert join([new], [hit(old, "zypper")]) == []

    def test_a_document_that_is_gone_is_left_out(self) -> None:
        assert join([], [hit(small(), "zypper")]) == []

    def test_nothing_comes_of_nothing(self) -> None:
        assert join([], []) == []


class TestBudget:
    def test_the_best_passages_fill_the_budget(self) -> None:
        rows = small(TestJoining.TEXT)
        hits = [hit(rows, f"Paragraph {number}", score) for number, score in ((2, 1.0), (5, 3.0), (8, 2.0))]
        passages = join([rows], hits, budget=22)
        assert [passage.score for passage in passages] == [3.0, 2.0]
        assert sum(passage.token_count for passage in passages) <= 22

    def test_a_smaller_passage_may_use_what_is_left(self) -> None:
        rows = small()
        passages = join([rows], [hit(rows, "zypper", 3.0), hit(rows, "Welcome", 1.0)], budget=12)
        assert [passage.heading_chain[-1] for passage in passages] == ["Linux", "Guide"]

    def test_of_what_does_not_fit_together_the_best_is_taken(self) -> None:
        rows = small(TestJoining.TEXT)
        hits = [hit(rows, f"Paragraph {number}", float(number)) for number in range(3, 9)]
        (passage,) = join([rows], hits, budget=23)
        assert passage.score == 8.0
        assert passage.chunk_ids == (hit(rows, "Paragraph 7").chunk.id, hit(rows, "Paragraph 8").chunk.id)

    def test_of_the_best_hit_the_blocks_that_fit_are_taken(self) -> None:
        text = "# Keys\n\nOne two.\n\n## Steps\n\n```\nthree four\n```\n\nFive six.\n"
        rows, other = make_rows(text, "keys.md"), small()
        hits = [hit(rows, "One two", 2.0), hit(other, "zypper", 1.0)]
        (passage,) = join([rows, other], hits, budget=11)
        assert passage.content == "# Keys\n\nOne two.\n\n## Steps\n\n```\nthree four\n```"
        assert passage.citation == "keys.md:1-9"
        assert [each.content for each in join([rows], hits[:1], budget=6)] == ["# Keys\n\nOne two."]
        assert join([rows], hits[:1], budget=2) == []

    def test_no_budget_no_passage(self) -> None:
        rows = small()
        assert join([rows], [hit(rows, "zypper")], budget=0) == []


class TestPieces:
    LONG = "# Long\n\nAlpha one two three four five.\n\n## Sub\n\nBeta one two three four five.\n\nGamma two three.\n"

    def rows(self) -> tuple[DocumentRows, DocumentRows, Pieces]:
        long = make_rows(self.LONG, "long.md")
        (stored,) = long.chunks
        places = [(0, self.LONG.index("## Sub") - 2), (self.LONG.index("## Sub"), self.LONG.index("Gamma") - 2)]
        places.append((self.LONG.index("Gamma"), len(self.LONG) - 1))
        return (
            small(),
            long,
            {
                stored.chunk.id: [
                    Piece(*place, score=score) for place, score in zip(places, (0.3, 0.4, 0.5), strict=True)
                ]
            },
        )

    def test_what_is_left_of_the_budget_is_filled_with_the_best_pieces(self) -> None:
        other, long, pieces = self.rows()
        hits = [hit(other, "zypper", 0.9), hit(long, "Alpha", 0.5)]
        best, piece = join([other, long], hits, budget=15, pieces=pieces)
        assert best.heading_chain[-1] == "Linux"
        assert piece.content == "## Sub\n\nGamma two three."
        assert piece.heading_chain == ("Long", "Sub")
        assert (piece.score, piece.citation) == (0.5, "long.md:9")

    def test_a_piece_that_opens_with_headings_belongs_to_the_last_of_them(self) -> None:
        text = "# Long\n\n## Sub\n\nBeta one two three.\n\n## Other\n\nGamma two three four five six seven.\n"
        other, long = small(), make_rows(text, "long.md")
        (stored,) = long.chunks
        second = text.index("## Other")
        pieces = {stored.chunk.id: [Piece(0, second - 2, score=0.5), Piece(second, len(text) - 1, score=0.4)]}
        hits = [hit(other, "zypper", 0.9), hit(long, "Beta", 0.5)]
        _, piece = join([other, long], hits, budget=20, pieces=pieces)
        assert piece.content == "# Long\n\n## Sub\n\nBeta one two three."
        assert piece.heading_chain == ("Long", "Sub")

    def test_pieces_side_by_side_are_joined(self) -> None:
        other, long, pieces = self.rows()
        hits = [hit(other, "zypper", 0.9), hit(long, "Alpha", 0.5)]
        _, piece = join([other, long], hits, budget=23, pieces=pieces)
        assert piece.content == "## Sub\n\nBeta one two three four five.\n\nGamma two three."

    def test_rows_of_a_table_come_with_its_head(self) -> None:
        head, rows = "| a | b |\n|---|---|\n", [f"| row{number} | two three four |\n" for number in range(9)]
        other, table = small(), make_rows(f"# Table\n\n{head}{''.join(rows)}", "table.md")
        (stored,) = table.chunks
        at = table.document.text.index("| row5")
        pieces = {
            stored.chunk.id: [
                Piece(0, at - 1, score=0.1),
                Piece(at, at + len(rows[5]) - 1, prefix=head, score=0.5),
                Piece(at + len(rows[5]), len(table.document.text) - 1, prefix=head, score=0.2),
            ]
        }
        _, piece = join([other, table], [hit(other, "zypper", 0.9), hit(table, "row5", 0.5)], 33, pieces)
        assert piece.content == f"# Table\n\n{head}{rows[5]}".rstrip()

    def test_the_best_hit_is_whole(self) -> None:
        other, long, pieces = self.rows()
        best, *_ = join([other, long], [hit(other, "zypper", 0.4), hit(long, "Alpha", 0.5)], budget=30, pieces=pieces)
        assert best.content == self.LONG.rstrip()


def test_near_copies_are_quoted_once() -> None:
    text = "# Keys\n\nRotate the keys of every queue each ninety days.\n\nThen tell the team about it in writing.\n"
    rows, copy = make_rows(text, "a.md"), make_rows(text.replace("# Keys", "# All keys"), "b.md")
    changed = make_rows(text.replace("ninety", "thirty").replace("writing", "person"), "c.md")
    hits = [hit(each, "Rotate", score) for each, score in ((rows, 0.9), (copy, 0.8), (changed, 0.7))]
    assert [passage.source for passage in join([rows, copy, changed], hits)] == ["a.md", "c.md"]


def test_other_parts_of_a_cut_section_come_before_strangers() -> None:
    rows, other = small(TestJoining.TEXT), small(source="other.md")
    assert all(stored.chunk.parts > 1 for stored in rows.chunks)
    near = [hit(rows, "Paragraph 2", 0.9), hit(other, "zypper", 0.85), hit(rows, "Paragraph 9", 0.82)]
    assert [passage.score for passage in join([rows, other], near, budget=25)] == [0.9, 0.82]
    far = [*near[:2], hit(rows, "Paragraph 9", 0.5)]
    assert [passage.score for passage in join([rows, other], far, budget=25)] == [0.9, 0.85]


class TestCitation:
    def test_pages_for_what_has_pages(self) -> None:
        document = parse_document(Extracted(GUIDE, pages=((1, 1), (9, 2), (13, 3))), source="guide.pdf", format="pdf")
        rows = rows_of(document, max_tokens=16, min_tokens=0, target_tokens=4)
        (passage,) = join([rows], [hit(rows, each) for each in ("zypper", "installer", "Install the package")])
        assert passage.citation == "guide.pdf p. 1-3"
        (passage,) = join([rows], [hit(rows, "zypper")])
        assert passage.citation == hit(rows, "zypper").chunk.citation == "guide.pdf p. 2"

    def test_the_section_for_what_has_no_lines(self) -> None:
        rows = small(source="guide.docx", format="docx")
        (passage,) = join([rows], [hit(rows, "zypper")])
        assert passage.citation == hit(rows, "zypper").chunk.citation == "guide.docx (Guide > Install > Linux)"

    def test_lines_of_the_file_for_a_table(self) -> None:
        data = "name,note\n" + "".join(f'key{number},"some note\nin two lines"\n' for number in range(30))
        rows = rows_of(read(data.encode(), "csv", source="keys.csv"), max_tokens=60)
        for stored in rows.chunks[1:]:
            (passage,) = join([rows], [make_hit(stored.chunk)], budget=200)
            assert passage.citation == stored.chunk.citation

    @pytest.mark.parametrize("format", ["markdown", "text", "mdx", "html", "docx"])
    def test_a_passage_of_one_chunk_is_cited_as_the_chunk(self, format: str) -> None:
        rows = small(source="a", format=format)
        for stored in rows.chunks:
            found = hit(rows, stored.chunk.content)
            filler = [passage for passage in join([rows], [found]) if passage.content == stored.chunk.content]
            assert all(passage.citation == stored.chunk.citation for passage in filler)


@settings(max_examples=100)
@given(st.data())
def test_passages_keep_the_budget_and_say_nothing_twice(data: st.DataObject) -> None:
    levels = data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=12))
    text = "\n\n".join(
        f"{'#' * level} H{at}\n\nunique{at}x words\n\nsecond{at}x words" for at, level in enumerate(levels)
    )
    rows = small(text)
    chosen = data.draw(st.lists(st.sampled_from(rows.chunks), max_size=12))
    hits = [make_hit(each.chunk, score) for score, each in enumerate(chosen, 1)]
    budget = data.draw(st.integers(0, 120))
    passages = join([rows], hits, budget)
    assert sum(passage.token_count for passage in passages) <= budget
    together = "\n".join(passage.content for passage in passages)
    for at in range(len(levels)):
        assert together.count(f"unique{at}x") <= 1
        assert together.count(f"second{at}x") <= 1
    for passage in passages:
        lines = text.split("\n")[passage.start_line - 1 : passage.end_line]
        assert passage.content.endswith("\n".join(lines).strip())
    if budget == 120:
        assert {each.chunk.id for each in chosen} <= {name for passage in passages for name in passage.chunk_ids}
