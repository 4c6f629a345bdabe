from __future__ import annotations

from tests.support.stored_documents import make_rows

from crosshead.search.passages.passage import enclosing, heading_chain, make_passage

GUIDE = "# Guide\n\nWelcome.\n\n## Install\n\nUse pip.\n\n### Linux\n\nUse zypper.\n\n## Keys\n\nRotate them.\n"

ROWS = make_rows(GUIDE)
SECTIONS = {section.id: section for section in ROWS.sections}
BY_TITLE = {section.title: section for section in ROWS.sections}


def count(text: str) -> int:
    return len(text.split())


def test_the_chain_follows_the_parents() -> None:
    assert heading_chain(BY_TITLE["Linux"].id, SECTIONS) == ("Guide", "Install", "Linux")
    assert [section.title for section in enclosing(BY_TITLE["Linux"].id, SECTIONS)] == ["Linux", "Install", "Guide"]


def test_neither_the_root_nor_an_unknown_section_has_a_chain() -> None:
    assert heading_chain(ROWS.sections[0].id, SECTIONS) == ()
    assert heading_chain("none", SECTIONS) == ()


def test_a_section_is_quoted_with_its_place() -> None:
    section = BY_TITLE["Linux"]
    end = GUIDE.index("zypper.") + len("zypper.")
    passage = make_passage(ROWS.document, SECTIONS, section.id, section.start, end, chunk_ids=["1", "2"], count=count)
    assert passage.content == "### Linux\n\nUse zypper."
    assert passage.parent_section_id == BY_TITLE["Install"].id
    assert (passage.start_line, passage.end_line, passage.citation) == (9, 11, "guide.md:9-11")
    assert (passage.chunk_ids, passage.token_count, passage.score) == (("1", "2"), 4, 0.0)


def test_text_without_its_heading_gets_it_in_front() -> None:
    section, start = BY_TITLE["Keys"], GUIDE.index("Rotate")
    passage = make_passage(
        ROWS.document, SECTIONS, section.id, start, start + 12, chunk_ids=[], count=count, prefix="> ", suffix=" <"
    )
    assert passage.content == "## Keys\n\n> Rotate them. <"
    assert passage.citation == "guide.md:15"
