"""Formats and their names. `extract` is the one entry point from bytes to Markdown."""

from __future__ import annotations

import pytest

from crosshead import extract
from crosshead.errors import CorruptFile, ExtractError, UnsupportedFormat
from crosshead.extract import format_of


@pytest.mark.parametrize("format", ["markdown", "mdx", "md", "Markdown", "MDX"])
def test_markdown_is_its_own_extract(format: str) -> None:
    assert extract(b"\xef\xbb\xbf# Title\r\n\r\n<Note/>\r", format) == "# Title\n\n<Note/>\n"


@pytest.mark.parametrize("format", ["", "xyz", ".xyz", "text/markdown"])
def test_unknown_format_is_an_error_that_lists_the_known(format: str) -> None:
    with pytest.raises(UnsupportedFormat, match=r"known are .*markdown") as caught:
        extract(b"", format)
    assert isinstance(caught.value, ExtractError)


@pytest.mark.parametrize(
    ("suffix", "format"), [(".md", "markdown"), (".markdown", "markdown"), (".mkd", "markdown"), (".mdx", "mdx")]
)
def test_suffix_names_the_format(suffix: str, format: str) -> None:
    assert format_of(f"docs/guide.v2{suffix}") == format
    assert format_of(f"GUIDE{suffix.upper()}") == format


@pytest.mark.parametrize("name", ["guide", "guide.xyz", ".md", "guide.md.bak", "md"])
def test_name_without_a_known_suffix_is_an_error(name: str) -> None:
    with pytest.raises(UnsupportedFormat, match="no reader for"):
        format_of(name)


@pytest.mark.parametrize("format", ["docx", "pptx", "xlsx", "epub", "pdf", "notebook", "email"])
@pytest.mark.parametrize("data", [b"", b" \r\n"])
def test_empty_file_says_so(format: str, data: bytes) -> None:
    with pytest.raises(CorruptFile, match="the file is empty"):
        extract(data, format)
