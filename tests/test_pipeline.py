"""Reading files and bytes, titles, front matter, and what a string stands for."""

from __future__ import annotations

from pathlib import Path

import pytest

import crosshead
from crosshead.errors import CorruptFile, ExtractError, OptionsError, UnsupportedFormat
from crosshead.pipeline import parse_document


def test_read_takes_a_path_or_bytes(tmp_path: Path) -> None:
    path = tmp_path / "guide.md"
    path.write_bytes(b"\xef\xbb\xbf# Guide\r\n\r\nText.\r\n")
    document = crosshead.read(path)
    assert document.text == "# Guide\n\nText.\n"
    assert document.source == path.as_posix()
    assert crosshead.read(b"# Guide", format="md").format == "markdown"


def test_string_is_text_and_path_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("# From a file", encoding="utf-8")
    assert crosshead.chunk(str(path))[0].content == str(path)
    assert crosshead.chunk(path)[0].content == "# From a file"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: From front matter\n---\n# Heading", "From front matter"),
        ("intro\n\n## Two\n\n# One", "One"),
        ("text only", "guide.md"),
    ],
)
def test_title_comes_from_front_matter_then_heading_then_name(text: str, title: str) -> None:
    assert parse_document(text, source="docs/guide.md").title == title


def test_malformed_front_matter_is_kept_as_text_and_reported(caplog: pytest.LogCaptureFixture) -> None:
    document = parse_document("---\nkey: [unclosed\n---\n\n# Title\n\nText.")
    chunks = crosshead.chunk(document)
    report = crosshead.check(document, chunks)
    assert "key: [unclosed" in chunks[0].content
    assert len(caplog.records) == 1
    assert report.ok
    assert [each.rule for each in report.violations] == ["front_matter"]


@pytest.mark.parametrize("mode", ["metadata", "include", "strip"])
def test_front_matter_modes(mode: str) -> None:
    document = parse_document("---\nteam: infra\n---\n\n# Title\n\nText.")
    chunks = crosshead.chunk(document, front_matter=mode)
    assert any("team: infra" in chunk.content for chunk in chunks) == (mode == "include")
    assert (chunks[0].metadata.get("front_matter") == {"team": "infra"}) == (mode == "metadata")
    assert crosshead.check(document, chunks).ok


def test_users_metadata_reaches_every_chunk() -> None:
    document = crosshead.read(b"# A\n\ntext\n\n# B\n\ntext", format="markdown", metadata={"category": "guide"})
    assert [chunk.metadata for chunk in crosshead.chunk(document)] == [{"category": "guide"}] * 2


def test_mdx_follows_the_suffix_unless_it_is_given(tmp_path: Path) -> None:
    path = tmp_path / "page.mdx"
    path.write_text("import A from 'a'\n\n<A>\n", encoding="utf-8")
    document = crosshead.read(path)
    assert [block.kind for block in document.blocks] == ["import", "component"]
    assert crosshead.chunk(document, mdx=False)[0].content_type == "prose"
    assert crosshead.check(document, crosshead.chunk(document, mdx=False)).ok


@pytest.mark.parametrize(
    ("name", "data", "error", "message"),
    [
        ("missing.md", None, ExtractError, "No such file"),
        ("picture.png", b"x", UnsupportedFormat, "no reader for .png; known are .md"),
        ("noise.md", bytes(range(128, 256)) * 40 + b"\x81\x8d\x00", CorruptFile, "save the file as UTF-8"),
    ],
)
def test_files_that_cannot_be_read(
    tmp_path: Path, name: str, data: bytes | None, error: type[Exception], message: str
) -> None:
    path = tmp_path / name
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(error) as caught:
        crosshead.read(path)
    assert message in str(caught.value)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_bytes_need_a_format() -> None:
    with pytest.raises(OptionsError, match="need a format"):
        crosshead.read(b"text")


def test_check_needs_the_options_of_the_chunks() -> None:
    chunks = crosshead.chunk("# A\n\ntext")
    with pytest.raises(OptionsError, match="options="):
        crosshead.check("# A\n\ntext", list(chunks))
    assert crosshead.check("# A\n\ntext", list(chunks), chunks.options).ok
