"""Formats: what content shows, what names say, and how to add one."""

from __future__ import annotations

import io
import json
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from tests.formats.archives import make_zip
from tests.formats.compound_files import make_compound

import crosshead
from crosshead import Extracted, ExtractOptions, Format, register_format
from crosshead.citation import CitedLines, spans
from crosshead.errors import EncryptedFile, ExtractError, MissingExtra, OptionsError, TooLarge, UnsupportedFormat
from crosshead.formats import BUILT_IN, detect_format
from crosshead.formats import registry as formats
from crosshead.formats.registry import Extra, choose_format, get_format
from crosshead.formats.shared.containers import compound

TYPES = {"[Content_Types].xml": "<Types/>"}
NOTEBOOK = json.dumps({"cells": [], "metadata": {}, "nbformat": 4}).encode()
OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(99)
MAIL = b"Received: by x\r\nFrom: Ann <a@b.c>\r\nSubject: Plans\r\nMessage-ID: <1@b.c>\r\n\r\nText.\r\n"


@pytest.mark.parametrize(
    ("data", "format"),
    [
        (b"%PDF-1.7\n", "pdf"),
        (b"\n\n%PDF-1.4\n", "pdf"),
        (b"<!DOCTYPE html>\n<p>x", "html"),
        (b"\xef\xbb\xbf <HTML lang='en'>", "html"),
        (b"<?xml version='1.0'?>\n<!-- x --><!doctype HTML public 'x'><html>", "html"),
        (b"<!--><!---> <!-- -- --><!doctype html>", "html"),
        (make_zip({**TYPES, "word/document.xml": "x"}), "docx"),
        (make_zip({**TYPES, "ppt/presentation.xml": "x"}), "pptx"),
        (make_zip({**TYPES, "xl/workbook.xml": "x"}), "xlsx"),
        (make_zip({**TYPES, "XL\\workbook.xml": "x"}), "xlsx"),
        (make_zip({"mimetype": "application/epub+zip"}), "epub"),
        (make_zip({"META-INF/container.xml": "x"}), "epub"),
        (make_zip({"mimetype": "application/vnd.oasis.opendocument.text"}), "odt"),
        (make_zip({"mimetype": "application/vnd.oasis.opendocument.text-template"}), "odt"),
        (make_zip({"mimetype": "application/vnd.oasis.opendocument.spreadsheet"}), "ods"),
        (make_zip({"mimetype": "application/vnd.oasis.opendocument.presentation"}), "odp"),
        (make_zip({"mimetype": "application/vnd.oasis.opendocument.graphics"}), None),
        (b'<?xml version="1.0"?>\n<office:document office:mimetype="application/vnd.oasis.opendocument.text">', "odt"),
        (b"{\\rtf1 x}", "rtf"),
        (make_compound({"WordDocument": b"x"}), "doc"),
        (make_compound({"Workbook": b"x"}), "xls"),
        (make_compound({"Book": b"x"}), "xls"),
        (make_compound({"PowerPoint Document": b"x"}), "ppt"),
        (make_compound({"__properties_version1.0": b"x", "inner": {"WordDocument": b"x"}}), "msg"),
        (NOTEBOOK, "notebook"),
        (MAIL, "email"),
        (b"", None),
        (b"# Title", None),
        (b"a,b\n1,2\n", None),
        (b"<p>Some <b>text</b></p>", None),
        (b"<Component/>\n\n# Title", None),
        (b'{"cells": 1}', None),
        (b"From: Ann\n\nText.", None),
        (b"Note: this is text\nFrom: here\n", None),
        (b"From: Ann <a@b.c>\nSubject: Plans\nMessage-ID: <1@b.c>\n\nText.", "email"),
        (b"From: Ann <a@b.c>\nMessage-ID: <1@b.c>\nContent-type: text/asciidoc\n\nText.", None),
        (b"From: Ann <a@b.c>\nMIME-Version: 1.0\nContent-Type: text/plain\n\nText.", "email"),
        (b"PK\x03\x04 broken", None),
        (make_zip({"a.txt": "x"}), None),
        (make_zip({"word/document.xml": "x"}), None),
    ],
)
def test_content_shows_the_format(data: bytes, format: str | None) -> None:
    assert detect_format(data) == format


def test_archive_of_very_many_names_is_not_searched() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for number in range(20_001):
            archive.writestr(zipfile.ZipInfo(f"word/{number}"), b"")
        archive.writestr("[Content_Types].xml", b"")
    assert detect_format(file.getvalue()) is None


@pytest.mark.parametrize(
    ("name", "data", "format"),
    [
        ("a.md", b"text", "markdown"),
        ("a.txt", b"text", "text"),
        ("a.csv", b"text", "csv"),
        ("A.TSV", b"text", "tsv"),
        ("a.txt", b"%PDF-1.7", "pdf"),
        ("a.docx", b"<!doctype html><p>", "html"),
        ("report", b"%PDF-1.7", "pdf"),
        ("a.unknown", NOTEBOOK, "notebook"),
        ("a.htm", b"<p>fragment", "html"),
        ("a.docx", b"broken", "docx"),
    ],
)
def test_content_decides_before_the_name(name: str, data: bytes, format: str) -> None:
    assert choose_format(name, data).format == format


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        (OLD_OFFICE, UnsupportedFormat, "unknown or damaged Microsoft Office file"),
        (make_compound({"VisioDocument": b"x"}), UnsupportedFormat, "unknown or damaged Microsoft Office file"),
        (make_compound({"EncryptedPackage": b"x", "EncryptionInfo": b"x"}), EncryptedFile, "without a password"),
        (b"\x89PNG\r\n", UnsupportedFormat, "an image"),
    ],
)  # fmt: skip
def test_known_formats_without_a_reader_say_what_to_do(
    tmp_path: Path, data: bytes, error: type[ExtractError], message: str
) -> None:
    for name in ("a.doc", "a.txt", "a"):
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(error, match=message) as caught:
            crosshead.read(path, options=ExtractOptions(ocr="never"))
        assert str(caught.value).startswith(f"{path}: ")


def test_bytes_may_show_their_format() -> None:
    assert crosshead.read(MAIL).format == "email"


@pytest.fixture
def _registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Formats that a test adds are gone after it."""
    for name in ("_FORMATS", "_SUFFIXES", "_ALIASES"):
        monkeypatch.setattr(formats, name, dict(getattr(formats, name)))
    monkeypatch.setattr(spans, "_CITED_LINES", dict(spans._CITED_LINES))


def read_shout(data: bytes, _options: ExtractOptions) -> Extracted:
    return Extracted(f"# {data.decode()[6:]}\n", title="x")


@pytest.mark.usefixtures("_registry")
def test_own_format(tmp_path: Path) -> None:
    register_format(Format("shout", read_shout, (".shout",), ("Loud",), lambda data: data.startswith(b"SHOUT ")))
    (tmp_path / "a.shout").write_bytes(b"silent")
    (tmp_path / "a.md").write_bytes(b"SHOUT hello")
    assert crosshead.read(tmp_path / "a.shout").format == "shout"
    assert crosshead.read(tmp_path / "a.md").text == "# hello\n"
    assert crosshead.extract(b"SHOUT hello", "loud") == "# hello\n"


@pytest.mark.usefixtures("_registry")
@pytest.mark.parametrize(
    ("lines", "cited"), [("file", "a.shout:1"), ("times", "a.shout 00:00:07"), (None, "a.shout (hello)")]
)
def test_own_format_says_what_a_citation_names(tmp_path: Path, lines: CitedLines | None, cited: str) -> None:
    def read_timed(data: bytes, options: ExtractOptions) -> Extracted:
        return read_shout(data, options)._replace(lines=((1, 7),) if lines == "times" else ())

    register_format(Format("shout", read_timed, (".shout",), lines=lines))
    (tmp_path / "a.shout").write_bytes(b"SHOUT hello")
    (chunk,) = crosshead.chunk(crosshead.read(tmp_path / "a.shout", source="a.shout"))
    assert chunk.citation == cited


def test_citations_are_declared_for_known_formats() -> None:
    assert set(spans._CITED_LINES) < {format.name for format in BUILT_IN}


@pytest.mark.usefixtures("_registry")
def test_own_format_has_limits_and_an_extra() -> None:
    def read_played(_data: bytes, _options: ExtractOptions) -> Extracted:
        import no_such_player  # type: ignore[import-not-found]

        raise AssertionError(no_such_player)

    extra = Extra("player", module="no_such_player", purpose="recordings")
    register_format(Format("played", read_played, (".played",), max_lines=2, extra=extra))
    with pytest.raises(MissingExtra, match=r"Reading played files .*'crosshead\[player\]'"):
        crosshead.extract(b"a\nb\n", "played")
    with pytest.raises(TooLarge, match="more than 2 lines, the limit for played files"):
        crosshead.extract(b"a\nb\nc\n", "played")


@pytest.mark.parametrize(
    ("data", "opened"),
    [
        (make_zip({**TYPES, "a.txt": "x"}), (zipfile, "ZipFile")),
        (make_compound({"VisioDocument": b"x"}), (compound, "CompoundFile")),
    ],
)
def test_detection_opens_a_file_once(data: bytes, opened: tuple[object, str], monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    original = getattr(*opened)
    monkeypatch.setattr(*opened, lambda *args: calls.append(args) or original(*args))
    with suppress(UnsupportedFormat):
        choose_format("a.md", data)
    assert len(calls) == 1


@pytest.mark.usefixtures("_registry")
def test_own_reader_of_a_known_format() -> None:
    register_format(Format("text", read_shout, (".txt",)))
    assert crosshead.extract(b"123456words", "text") == "# words\n"
    assert get_format("txt").reader is read_shout


@pytest.mark.parametrize(
    ("format", "message"),
    [
        (Format("a b", read_shout), "not a format name"),
        (Format("Shout", read_shout), "not a format name"),
        (Format("", read_shout), "not a format name"),
        (Format("x", read_shout, ("md",)), "not a suffix"),
        (Format("x", read_shout, (".MD",)), "not a suffix"),
        (Format("x", read_shout, (".tar.gz",)), "not a suffix"),
    ],
)
def test_bad_names_are_errors(format: Format, message: str) -> None:
    with pytest.raises(OptionsError, match=message):
        register_format(format)


def test_every_format_has_a_suffix_and_a_reader_by_name() -> None:
    for format in BUILT_IN:
        assert format.suffixes
        assert isinstance(format.reader, str)
        assert get_format(format.name) is format


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("htm", "html"),
        (".HTM", "html"),
        ("XHTML", "html"),
        ("md", "markdown"),
        ("mkd", "markdown"),
        ("txt", "text"),
        ("tab", "tsv"),
        ("docm", "docx"),
        ("ipynb", "notebook"),
        ("eml", "email"),
    ],
)
def test_format_is_known_by_alias_and_suffix(name: str, format: str) -> None:
    assert get_format(name).name == format


@pytest.mark.usefixtures("_registry")
def test_alias_goes_before_the_suffix_of_another_format() -> None:
    register_format(Format("shout", read_shout, (".loud",)))
    register_format(Format("cry", read_shout, (".cry",), ("loud",)))
    assert get_format("loud").name == "cry"


@pytest.mark.parametrize("name", ["", ".", "xyz", "..md", "m.d"])
def test_unknown_name_is_an_error_that_lists_the_known_ones(name: str) -> None:
    with pytest.raises(UnsupportedFormat, match=r"known are asciidoc, .*csv, .*docx, .*html, .*markdown, mdx, "):
        get_format(name)


def test_options_by_name() -> None:
    assert crosshead.extract(b"x", "md", main_content="off") == "x"
    with pytest.raises(OptionsError, match="did you mean main_content"):
        crosshead.extract(b"x", "md", main_contents="off")
    with pytest.raises(OptionsError, match="not both"):
        crosshead.extract(b"x", "md", ExtractOptions(), comments=True)
