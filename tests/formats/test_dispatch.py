"""Formats and their names. `extract` is the one entry point from bytes to Markdown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.formats.samples import NOT_READ_ALONE, SAMPLES, TOLD_BY_NAME
from tests.formats.sound import read_soundly

from crosshead import extract
from crosshead.citation import cites
from crosshead.errors import CorruptFile, ExtractError, TooLarge, UnsupportedFormat
from crosshead.formats import Format, detect_format, format_of
from crosshead.formats.built_in import BUILT_IN
from crosshead.options import ExtractOptions
from crosshead.pipeline import chunk, read


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


@pytest.mark.parametrize("format", [format for format in BUILT_IN if format.max_lines], ids=lambda format: format.name)
@pytest.mark.parametrize("newline", [b"\n", b"\r", b"\r\n"])
def test_more_lines_than_the_limit_are_refused(format: Format, newline: bytes) -> None:
    assert format.max_lines
    with pytest.raises(TooLarge, match=rf"more than {format.max_lines:,} lines, the limit for {format.name} files"):
        extract(b"x" + newline * (format.max_lines + 1), format.name)


TEXTS = {
    "markdown": b"# Keys\n",
    "mdx": b"# Keys\n",
    "html": b"<h1>Keys</h1>",
    "csv": b"Key,Price\nbrass,12.50\n",
    "subtitles": b"1\n00:00:01,000 --> 00:00:02,000\nBrass keys.\n",
    "asciidoc": b"= Keys\n\nBrass keys.\n",
    "latex": b"\\section{Keys}\nBrass keys.\n",
    **{format.name: b"keys: 1\n" for format in BUILT_IN if format.kind in ("code", "data")},
}
CITATIONS = {
    "file": r"doc:\d+(-\d+)?",
    "marks": r"doc:\d+(-\d+)?",
    "times": r"doc \d\d:\d\d:\d\d.*",
    "slides": r"doc slide \d+",
    "cells": r"doc \S+![A-Z]+\d+:[A-Z]+\d+",
}


@pytest.mark.parametrize(
    "format",
    [format for format in BUILT_IN if format.name in SAMPLES.keys() - NOT_READ_ALONE or format.name in TEXTS],
    ids=lambda format: format.name,
)
def test_citations_are_those_that_the_format_declares(format: Format) -> None:
    document = read(SAMPLES.get(format.name) or TEXTS[format.name], format.name, source="doc")
    assert bool(document.lines) is (cites(format.name) in ("marks", "times", "cells"))
    first, *_ = chunk(document)
    assert re.fullmatch(CITATIONS.get(cites(format.name) or "", r"doc( p\. \d+)?( \(.*\))?"), first.citation)


@pytest.mark.parametrize("format", [format for format in SAMPLES if format not in NOT_READ_ALONE])
def test_document_shows_its_format_and_is_read_soundly(format: str) -> None:
    assert detect_format(SAMPLES[format]) == (None if format in TOLD_BY_NAME else format)
    assert read_soundly(SAMPLES[format], format).text.strip()


def test_limit_may_be_lower_or_higher_and_counts_for_bytes_too() -> None:
    with pytest.raises(TooLarge, match=r"0\.0 MB is more than 0\.0 MB"):
        extract(b"# Title\n" * 2, "markdown", max_file_size=15)
    assert extract(b"# Title\n" * 2, "markdown", max_file_size="16B").count("Title") == 2
    large = b"text\n" * (16 << 20 >> 2)
    with pytest.raises(TooLarge, match="lines of text"):  # past the limit of bytes, which was raised
        extract(large, "text", ExtractOptions(max_file_size="1GB"))  # type: ignore[arg-type]
