"""Formats and their names. `extract` is the one entry point from bytes to Markdown."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.formats.samples import NOT_READ_ALONE, SAMPLES, TOLD_BY_NAME
from tests.formats.sound import read_soundly

from crosshead import extract
from crosshead.errors import CorruptFile, ExtractError, TooLarge, UnsupportedFormat
from crosshead.formats import Format, detect_format, format_of
from crosshead.formats.built_in import BUILT_IN
from crosshead.options import ExtractOptions
from crosshead.pipeline import read


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


@pytest.mark.parametrize(
    "format", ["docx", "pptx", "xlsx", "epub", "pdf", "notebook", "email", "odt", "ods", "odp", "rtf", "ppt", "msg"]
)
@pytest.mark.parametrize("data", [b"", b" \r\n"])
def test_empty_file_says_so(format: str, data: bytes) -> None:
    with pytest.raises(CorruptFile, match="the file is empty"):
        extract(data, format)


@pytest.mark.parametrize("format", BUILT_IN, ids=lambda format: format.name)
def test_every_format_has_a_limit_that_the_refusal_names(format: Format, tmp_path: Path) -> None:
    path = tmp_path / f"large{format.suffixes[0]}"
    with path.open("wb") as file:
        file.truncate(format.max_bytes + 1)  # takes no room, and is never read
    with pytest.raises(TooLarge, match=rf"large.* the limit for {format.name} files: .*--max-file-size"):
        read(path)


@pytest.mark.parametrize("format", [format for format in SAMPLES if format not in NOT_READ_ALONE])
def test_document_shows_its_format_and_is_read_soundly(format: str) -> None:
    assert detect_format(SAMPLES[format]) == (None if format in TOLD_BY_NAME else format)
    assert read_soundly(SAMPLES[format], format).text.strip()


def test_limit_may_be_lower_or_higher_and_counts_for_bytes_too() -> None:
    with pytest.raises(TooLarge, match=r"0\.0 MB are more than 0\.0 MB"):
        extract(b"# Title\n" * 2, "markdown", max_file_size=15)
    assert extract(b"# Title\n" * 2, "markdown", max_file_size="16B").count("Title") == 2
    large = b"text\n" * (16 << 20 >> 2)
    with pytest.raises(TooLarge, match="lines of text"):  # past the limit of bytes, which was raised
        extract(large, "text", ExtractOptions(max_file_size="1GB"))  # type: ignore[arg-type]
