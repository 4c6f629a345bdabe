from __future__ import annotations

from dataclasses import replace

from tests.support.stored_documents import make_hit, make_rows

from crosshead.search.passages.focus import focus
from crosshead.types import Hit, StoredSection

RULES = "# Project\n\nWelcome.\n\n## Critical rules\n\nNever force.\n\n### Exceptions\n\nNone.\n\n## Layout\n\nFlat.\n"


def found(*path: str) -> tuple[Hit, dict[str, StoredSection]]:
    """A hit for the only chunk that names a section inside of it as the one that answers."""
    rows = make_rows(RULES)
    (stored,) = rows.chunks
    section = next((each for each in rows.sections if each.path == path), None)
    known = {"section_id": section.id, "start": section.start, "end": section.end} if section else {"section_id": ""}
    hit = replace(make_hit(stored.chunk), section_path=path, **known)
    return hit, {section.id: section for section in rows.sections}


def test_hit_is_narrowed_to_the_section_whose_title_is_the_question() -> None:
    hit, sections = found("Project", "Critical rules")
    (narrowed,) = focus([hit], sections, lambda title: 1.0)
    assert narrowed.chunk.content == "## Critical rules\n\nNever force.\n\n### Exceptions\n\nNone."
    assert narrowed.chunk.section_path == ("Project", "Critical rules")
    assert (narrowed.chunk.start_line, narrowed.chunk.end_line) == (5, 11)
    assert RULES[narrowed.chunk.start : narrowed.chunk.end] == narrowed.chunk.content


def test_other_questions_change_nothing() -> None:
    hit, sections = found("Project", "Critical rules")
    assert focus([hit], sections, lambda title: 0.5) == [hit]


def test_the_section_of_the_chunk_itself_is_all_of_it() -> None:
    hit, sections = found("Project")
    assert focus([hit], sections, lambda title: 1.0) == [hit]


def test_a_section_that_is_gone_narrows_nothing() -> None:
    hit, sections = found("Project", "Another")
    assert focus([hit], sections, lambda title: 1.0) == [hit]
