from __future__ import annotations

import json
import pickle
from dataclasses import FrozenInstanceError, fields, replace
from hashlib import sha256
from typing import Any

import pytest

from crosshead import Block, Chunk, ChunkOptions, Extracted, Report, Violation, chunk
from crosshead.errors import OptionsError
from crosshead.pipeline import parse_document
from crosshead.types import CHUNK_SCHEMA, Figures, OpenChunk


def make_chunk(**changes: Any) -> Chunk:
    """A chunk of the lines 12 to 40 of a guide."""
    values: dict[str, Any] = {
        "id": "c", "document_id": "d", "source": "guide.md", "section_id": "s", "index": 0, "content": "text",
        "token_count": 1, "content_hash": "h", "content_type": "prose", "section_path": ("A", "B"), "section_level": 2,
        "inner_headings": (), "start": 0, "end": 4, "start_line": 12, "end_line": 40, "page_start": None,
        "page_end": None, "block_start": 0, "block_end": 0, "part": 0, "parts": 1, "section_token_count": 1,
        "is_complete_section": True, "parent_chunk_id": None, "prev_id": None, "next_id": None,
        "sibling_chunk_ids": (), "overlap": "", "prefix": "", "suffix": "", "oversize_reason": None, "indexable": True,
        "heading_prefix": "## B", "document_title": "Guide", "format": "markdown", "metadata": {},
    }  # fmt: skip
    return Chunk(**{**values, **changes})


def test_block_fields() -> None:
    assert Block._fields == (
        "kind", "start", "end", "start_line", "end_line", "level", "lang", "title", "items", "atoms", "closed",
    )  # fmt: skip
    assert Block("paragraph", 0, 1, 1, 1)[5:] == (0, "", "", (), (), True)


def test_chunk_fields() -> None:
    """Names that other programs rely on."""
    names = {field.name for field in fields(Chunk)}
    assert names >= {
        "id", "document_id", "source", "section_id", "index", "content", "token_count", "content_hash", "content_type",
        "section_path", "section_level", "inner_headings", "start", "end", "start_line", "end_line", "page_start",
        "page_end", "block_start", "block_end", "part", "parts", "section_token_count", "is_complete_section",
        "parent_chunk_id", "prev_id", "next_id", "sibling_chunk_ids", "overlap", "prefix", "suffix", "oversize_reason",
        "indexable", "metadata", "notes",
    }  # fmt: skip


def test_values_never_change() -> None:
    with pytest.raises(FrozenInstanceError):
        make_chunk().content = "other"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        Block("rule", 0, 3, 1, 1).end = 5  # type: ignore[misc]


def test_an_open_chunk_becomes_one_like_any_other() -> None:
    made, opened = make_chunk(), OpenChunk()
    for field in fields(Chunk):
        setattr(opened, field.name, getattr(made, field.name))
    frozen = opened.freeze()
    assert type(frozen) is Chunk
    assert frozen == made
    with pytest.raises(FrozenInstanceError):
        frozen.content = "other"  # type: ignore[misc]


def test_the_chunker_sets_every_field() -> None:
    for each in chunk("# A\n\ntext\n\n# B\n\ntext"):
        assert replace(each) == each
        assert pickle.loads(pickle.dumps(each)) == each


def test_content_hash() -> None:
    for each in chunk("# A\n\ntext\n\n# B\n\ntext"):
        assert each.content_hash == sha256(each.content.encode()).hexdigest()


@pytest.mark.parametrize(
    ("text", "content_type"),
    [
        ("text", "prose"),
        ("> quote", "prose"),
        ("# Title\n\ntext", "prose"),
        ("```\ncode\n```", "code"),
        ("# Title\n\n```\ncode\n```", "code"),
        ("a | b\n--|--\n1 | 2", "table"),
        ("- item\n- item", "list"),
        ("text\n\n```\ncode\n```", "mixed"),
    ],
)
def test_content_type(text: str, content_type: str) -> None:
    [only] = chunk(text)
    assert only.content_type == content_type


def test_breadcrumb() -> None:
    assert make_chunk(section_path=("Intro", "Problem Statement")).breadcrumb == "Intro > Problem Statement"
    assert make_chunk(section_path=()).breadcrumb is None


def test_full_path() -> None:
    assert make_chunk().full_path == ("Guide", "A", "B")
    assert make_chunk(document_title="A").full_path == ("A", "B")
    assert make_chunk(section_path=()).full_path == ("Guide",)


@pytest.mark.parametrize(
    ("changes", "citation"),
    [
        ({}, "guide.md:12-40"),
        ({"end_line": 12}, "guide.md:12"),
        ({"format": "mdx", "source": "a/b.mdx"}, "a/b.mdx:12-40"),
        ({"format": "pdf", "page_start": 12, "page_end": 13}, "guide.md p. 12-13"),
        ({"format": "pdf", "page_start": 12, "page_end": 12}, "guide.md p. 12"),
        ({"format": "pdf", "page_start": 12, "section_path": ()}, "guide.md p. 12"),
        ({"format": "docx"}, "guide.md (A > B)"),
        ({"format": "docx", "section_path": ()}, "guide.md"),
        ({"format": "csv", "source_start_line": 7, "source_end_line": 9}, "guide.md:7-9"),
        ({"format": "csv", "source_start_line": 7}, "guide.md:7"),
    ],
)
def test_citation_names_what_the_reader_can_open(changes: dict[str, Any], citation: str) -> None:
    assert make_chunk(**changes).citation == citation


@pytest.mark.parametrize(
    ("changes", "view", "text"),
    [
        ({}, {}, "## B\n\ntext"),
        ({}, {"headings": False}, "text"),
        ({"content": "## B\n\ntext"}, {}, "## B\n\ntext"),
        ({"heading_prefix": ""}, {}, "text"),
        ({"heading_prefix": ""}, {"breadcrumb": True}, "A > B\ntext"),
        ({"section_path": (), "heading_prefix": ""}, {"breadcrumb": True}, "text"),
        ({"overlap": "before"}, {}, "## B\n\ntext"),
        ({"overlap": "before"}, {"overlap": True, "headings": False}, "before\n\ntext"),
        ({}, {"overlap": True, "headings": False}, "text"),
        ({"prefix": "```py\n", "suffix": "\n```"}, {"headings": False}, "```py\ntext\n```"),
        ({"overlap": "before", "prefix": "| a |\n"}, {"breadcrumb": True, "overlap": True},
         "A > B\n## B\n\nbefore\n\n| a |\ntext"),
    ],
)  # fmt: skip
def test_render_joins_what_is_asked_for(changes: dict[str, Any], view: dict[str, bool], text: str) -> None:
    assert make_chunk(**changes).render(**view) == text


def test_json_is_one_object_of_the_schema() -> None:
    data = json.loads(json.dumps(make_chunk(metadata={"team": "infra"}).to_json()))
    assert (data["schema"], CHUNK_SCHEMA) == ("crosshead.chunk/1", "crosshead.chunk/1")
    assert (data["breadcrumb"], data["citation"], data["section_path"]) == ("A > B", "guide.md:12-40", ["A", "B"])
    assert set(data) == {field.name for field in fields(Chunk)} | {"schema", "breadcrumb", "citation"}


def test_chunks_are_a_list_that_knows_its_options() -> None:
    chunks = chunk("text", max_tokens=50)
    assert isinstance(chunks, list)
    assert chunks.options == ChunkOptions(max_tokens=50)


def test_report_is_ok_unless_there_is_an_error() -> None:
    figures = Figures(0, 0, 0, 0.0, 0, 0.0, 0, 0, {})
    warning = Violation("fence", None, 1, 2, "not closed", "warning")
    error = Violation("slices", "c", 1, 2, "lost text")
    assert Report("a.md", 1.0, 1.0, figures, (warning,)).ok
    assert not Report("a.md", 1.0, 1.0, figures, (warning, error)).ok


@pytest.mark.parametrize(
    ("line", "source"), [(1, 1), (2, 1), (3, 2), (4, 3), (5, 6), (6, 7), (7, 10), (8, 10), (9, 11), (20, 22)]
)
def test_source_line_follows_the_marks(line: int, source: int) -> None:
    document = parse_document(Extracted("x", lines=((1, 1), (2, 1), (3, 2), (5, 6), (7, 10), (9, 11))))
    assert document.source_line(line) == source


def test_source_line_is_the_line_itself_without_marks() -> None:
    assert parse_document("x").source_line(7) == 7


OLDEST = json.loads(
    '{"schema": "crosshead.chunk/1", "id": "ec3c268247674c60", "document_id": "c5b2f42ebde89be3", "source'
    '": "<text>", "section_id": "ea988353d82bb540", "index": 0, "content": "# Keys\\n\\nRotate them.", "tok'
    'en_count": 6, "content_hash": "d3f13b34acb876b8b8ed4691118948cafc8758d01ab4fd9ca2a9976e73d31f94", "c'
    'ontent_type": "prose", "section_path": ["Keys"], "section_level": 1, "inner_headings": ["Keys"], "st'
    'art": 0, "end": 20, "start_line": 1, "end_line": 3, "page_start": null, "page_end": null, "block_sta'
    'rt": 0, "block_end": 1, "part": 0, "parts": 1, "section_token_count": 6, "is_complete_section": true'
    ', "parent_chunk_id": null, "prev_id": null, "next_id": null, "sibling_chunk_ids": [], "overlap": "",'
    ' "prefix": "", "suffix": "", "oversize_reason": null, "indexable": true, "heading_prefix": "# Keys",'
    ' "document_title": "Keys", "format": "markdown", "metadata": {}, "notes": [], "breadcrumb": "Keys", '
    '"citation": "<text>:1-3"}'
)
"""What the first version that wrote this schema printed for `# Keys`."""


def test_chunk_of_an_older_version_is_read() -> None:
    read = Chunk.from_json(OLDEST)
    assert (read.content, read.section_path, read.citation) == ("# Keys\n\nRotate them.", ("Keys",), "<text>:1-3")
    assert json.loads(json.dumps(read.to_json())).items() >= OLDEST.items()


def test_chunk_without_fields_that_came_later_is_read() -> None:
    few = {"schema": "crosshead.chunk/0", "id": "c", "content": "Rotate them.", "section_path": ["Keys"], "old": 1}
    read = Chunk.from_json(few)
    assert (read.id, read.content, read.breadcrumb) == ("c", "Rotate them.", "Keys")
    assert (read.parts, read.indexable, read.page_start, read.metadata) == (1, True, None, {})
    assert read.content_hash == sha256(b"Rotate them.").hexdigest()
    assert Chunk.from_json(read.to_json()) == read


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"schema": "crosshead.chunk/2"}, "a newer Crosshead wrote this chunk .crosshead.chunk/2.: upgrade"),
        ({"schema": "crosshead.answer/1"}, "is not a schema of chunks"),
        ({"schema": 7}, "is not a schema of chunks"),
        ({"content": None}, "it has no 'content'"),
    ],
)
def test_what_is_no_chunk_of_this_version_says_so(changes: dict[str, Any], message: str) -> None:
    data = {name: value for name, value in {**make_chunk().to_json(), **changes}.items() if name != "content" or value}
    with pytest.raises(OptionsError, match=message):
        Chunk.from_json(data)
