"""Reading files, texts and bytes into documents, and from there to chunks and reports."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from crosshead import Document, Extracted, check, chunk, read
from crosshead.errors import CorruptFile, ExtractError, OptionsError, UnsupportedFormat
from crosshead.options import ChunkOptions
from crosshead.pipeline import chunk_text, parse_document

TEXT = "---\ntitle: A guide\nteam: infra\n---\n\n# Heading\n\nSome text.\n"


@pytest.fixture
def guide(tmp_path: Path) -> Path:
    path = tmp_path / "guide.md"
    path.write_text(TEXT, "utf-8")
    return path


def test_read_a_file(guide: Path) -> None:
    document = read(guide)
    assert (document.source, document.format, document.title) == (guide.as_posix(), "markdown", "A guide")
    assert (document.text, document.front_matter) == (TEXT, {"title": "A guide", "team": "infra"})
    assert [block.kind for block in document.blocks] == ["front_matter", "heading", "paragraph"]
    assert [section.title for section in document.root.children] == ["Heading"]
    assert read(str(guide)) == document


def test_read_bytes_with_a_format() -> None:
    document = read(b"\xef\xbb\xbf# Title\r\n\r\ntext\r", "md", source="wiki/Keys", metadata={"team": "infra"})
    assert (document.text, document.source, document.format) == ("# Title\n\ntext\n", "wiki/Keys", "markdown")
    assert document.metadata == {"team": "infra"}
    assert read(b"", "markdown").source == "<text>"


def test_bytes_without_a_format_are_an_error() -> None:
    with pytest.raises(OptionsError, match="format='markdown'"):
        read(b"text")


def test_missing_file_is_one_line_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(ExtractError) as caught:
        read(tmp_path / "none.md")
    assert str(caught.value) == f"{tmp_path / 'none.md'}: No such file or directory"


def test_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "folder.md").mkdir()
    with pytest.raises(ExtractError, match=r"folder\.md: "):
        read(tmp_path / "folder.md")


@pytest.mark.parametrize(("name", "what"), [("a.xyz", r"no reader for \.xyz"), ("LICENSE", "a file without suffix")])
def test_unsupported_suffix_says_what_is_known(
    name: str, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text("Some text.")
    with pytest.raises(UnsupportedFormat, match=rf"{name}: .*{what}.*; known are \.md, ") as caught:
        read(name)
    assert "\n" not in str(caught.value)


def test_unknown_format_says_what_is_known() -> None:
    with pytest.raises(UnsupportedFormat, match=r"'xyz'; known are .*markdown, mdx"):
        read(b"", "xyz")


def test_format_may_be_given_for_any_suffix(tmp_path: Path) -> None:
    path = tmp_path / "NOTES"
    path.write_text("import a from 'b'", "utf-8")
    assert read(path, "mdx").blocks[0].kind == "import"


def test_corrupt_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"\xff\xfea")
    with pytest.raises(CorruptFile, match=r"a\.md: not valid utf-16"):
        read(path)


@pytest.mark.parametrize(
    ("text", "source", "title"),
    [
        ("---\ntitle: ' From front matter '\n---\n# Heading", "a/b.md", "From front matter"),
        ("---\ntitle: 2024\n---\n# Heading", "a/b.md", "2024"),
        ("---\ntitle:\n---\n# Heading", "a/b.md", "Heading"),
        ("---\ntitle: ''\n---\n# Heading", "a/b.md", "Heading"),
        ("## Second\n\n# The *only* one", "a/b.md", "The only one"),
        ("# Billing\n\n# Security", "a/b.md", "b.md"),
        ("#\n\n# Named", "a/b.md", "Named"),
        ("#\n\n## Second", "a/b.md", "b.md"),
        ("text", "a/b.md", "b.md"),
        ("", "a/b.md", "b.md"),
    ],
)
def test_title(text: str, source: str, title: str) -> None:
    assert parse_document(text, source=source).title == title


def test_title_of_the_format_names_several_chapters(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text("<!doctype html><title>Manual</title><h1>Billing</h1><p>one</p><h1>Security</h1><p>two</p>")
    document = read(page)
    assert (document.title, document.has_own_title) == ("Manual", True)
    assert [each.full_path for each in chunk(document)] == [("Manual", "Billing"), ("Manual", "Security")]


def test_only_chapter_names_a_document_before_its_format_does() -> None:
    assert parse_document(Extracted("# Guide\n\ntext", title="Guide | Docs")).title == "Guide"


def test_file_name_is_no_title_of_its_own() -> None:
    assert not parse_document("## A\n\n## B", source="a.md").has_own_title


def test_string_is_text_and_path_is_a_file(guide: Path) -> None:
    assert chunk(str(guide))[0].content == str(guide)
    assert chunk(guide)[0].content == "# Heading\n\nSome text."
    assert check(guide, chunk(guide)).ok


def test_chunker_by_kind(tmp_path: Path) -> None:
    text = "import a from 'b'\n\ntext"
    for name, kind in (("a.md", "paragraph"), ("a.markdown", "paragraph"), ("a.mdx", "import"), ("a.MDX", "import")):
        (tmp_path / name).write_text(text, "utf-8")
        assert read(tmp_path / name).blocks[0].kind == kind


@pytest.mark.parametrize(("format", "mdx", "kept_whole"), [
    ("markdown", "auto", False), ("mdx", "auto", True), ("markdown", True, True), ("mdx", False, False),
])  # fmt: skip
def test_mdx_is_read_by_suffix_or_by_request(format: str, mdx: bool, kept_whole: bool) -> None:
    component = "<Card\n" + "  title='one two three four'\n\n" * 30 + "/>"
    chunks = chunk(parse_document(component, format=format), max_tokens=50, mdx=mdx)
    assert (len(chunks) == 1) is kept_whole


def test_same_text_and_options_give_the_same_chunks() -> None:
    text = TEXT + "\n\n".join(f"## Part {number}\n\n{'Some words. ' * number}" for number in range(40))
    first, second = (chunk(parse_document(text, source="a.md"), max_tokens=100) for _ in range(2))
    assert len(first) > 1
    assert json.dumps([each.to_json() for each in first]) == json.dumps([each.to_json() for each in second])


def test_metadata_reaches_the_chunks() -> None:
    [only] = chunk(parse_document(TEXT, metadata={"category": "guide"}))
    assert only.metadata == {"category": "guide", "front_matter": {"title": "A guide", "team": "infra"}}


@pytest.mark.parametrize("text", ["", " \n\t\n", "\ufeff", "---\na: b\n---\n"])
def test_nothing_to_read_gives_no_chunks(text: str) -> None:
    chunks = chunk(text)
    assert (chunks, check(text, chunks).ok) == ([], True)


def test_malformed_front_matter_is_kept_as_text_and_reported_once(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "crosshead"):
        document = read(b"---\ntitle: [a\n---\n\ntext\n", "md", source="a.md")
    assert [block.kind for block in document.blocks] == ["paragraph", "paragraph"]
    assert (document.front_matter, document.title) == ({}, "a.md")
    [record] = caplog.records
    assert record.getMessage().startswith("a.md: malformed front matter is kept as text: ")
    assert "\n" not in record.getMessage()
    assert "".join(each.content for each in chunk(document)).startswith("---\ntitle: [a\n---")


def test_unclosed_fence_is_a_warning_wherever_a_document_is_read(
    caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    text, warning = "# A\n\n```py\nx = 1\n", "the fence that line 3 opens is never closed: the rest is read as code"
    (tmp_path / "a.md").write_text(text)
    with caplog.at_level(logging.WARNING, "crosshead"):
        document = read(tmp_path / "a.md", source="a.md")
        assert document.warnings == (warning,)
        assert [record.getMessage() for record in caplog.records] == [f"a.md: {warning}"]
        chunk(document)
        chunk(text)
    assert [record.getMessage() for record in caplog.records] == [f"a.md: {warning}", f"<text>: {warning}"]
    assert read(b"# A\n\n```\nx = 1\n```\n", "md").warnings == ()
    assert "malformed front matter" in read(b"---\na: [b\n---\n\ntext\n", "md").warnings[0]


def test_good_documents_log_nothing(caplog: pytest.LogCaptureFixture, guide: Path) -> None:
    read(guide)
    assert caplog.records == []


def test_check_needs_to_know_the_options() -> None:
    chunks = chunk("text")
    assert check("text", list(chunks), chunks.options).ok
    with pytest.raises(OptionsError, match="options="):
        check("text", list(chunks))


def test_document_is_a_value() -> None:
    assert parse_document("text") == parse_document("text")
    assert parse_document("text").content_hash != parse_document("text ").content_hash
    assert parse_document("text").id == parse_document("other").id != parse_document("text", source="b").id
    assert isinstance(parse_document(""), Document)


@pytest.mark.parametrize(
    "text", ["日本語の長い文。" * 12 + "v1.0", "a.b/" * 60 + "c.md", "null\0byte.md", "\ud800.md"], ids=ascii
)
def test_text_that_cannot_be_a_file_name_is_text(text: str) -> None:
    (cut,) = chunk(text)
    assert cut.content
    assert check(text, chunk(text)).ok


def test_text_that_names_a_file_is_cut_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "guide.md").write_text(TEXT, "utf-8")
    monkeypatch.chdir(tmp_path)
    assert chunk("guide.md")[0].content == "guide.md"
    assert "give Path('guide.md')" in caplog.text
    caplog.clear()
    assert chunk_text("guide.md", ChunkOptions())[0].content == "guide.md"
    assert not caplog.text
