from __future__ import annotations

import struct

import pytest
from tests.formats.compound_files import make_compound
from tests.formats.office.docx.docx_files import archive

from crosshead.errors import CorruptFile, EncryptedFile, TooLarge, UnsupportedFormat
from crosshead.formats.shared.containers import archive as archive_module
from crosshead.formats.shared.containers.archive import MAX_DEPTH, Archive, parse_xml

COMPOUND_FILE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def test_parts_are_read_by_name() -> None:
    opened = Archive(archive({"a/b.xml": "<x/>", "c.bin": b"\0"}), what="DOCX")
    assert opened.names == ("a/b.xml", "c.bin")
    assert opened.read("c.bin") == b"\0"
    assert opened.xml("a/b.xml").tag == "x"  # type: ignore[union-attr]


@pytest.mark.parametrize("name", ["A/B.xml", "/a/b.xml", "a\\b.xml"])
def test_case_and_slashes_of_a_name_do_not_matter(name: str) -> None:
    opened = Archive(archive({"a/b.xml": "<x/>"}), what="DOCX")
    assert name in opened
    assert opened.read(name) == b"<x/>"


def test_missing_part() -> None:
    opened = Archive(archive({"a": ""}), what="EPUB")
    assert opened.xml("b") is None
    with pytest.raises(CorruptFile, match="EPUB file has no part b"):
        opened.read("b")


@pytest.mark.parametrize(
    "data", [b"", b"PK", b"PK\x03\x04" + bytes(100), b"<html>", archive({"a": "x" * 99})[:60]], ids=repr
)
def test_what_is_no_zip_is_an_error(data: bytes) -> None:
    with pytest.raises(CorruptFile, match="not DOCX, or incomplete"):
        Archive(data, what="DOCX")


def test_every_truncation_is_an_error_or_complete() -> None:
    whole = archive({"a.xml": "<a>" + "text " * 50 + "</a>"})
    for length in range(len(whole)):
        with pytest.raises(CorruptFile):
            Archive(whole[:length], what="DOCX").xml("a.xml")


def test_damaged_part_is_an_error() -> None:
    data = bytearray(archive({"a.xml": "<a>" + "text " * 50 + "</a>"}))
    data[40] ^= 0xFF
    with pytest.raises(CorruptFile, match=r"damaged in a\.xml"):
        Archive(bytes(data), what="DOCX").xml("a.xml")


def test_encrypted_office_file() -> None:
    data = make_compound({"EncryptedPackage": b"x"})
    with pytest.raises(EncryptedFile, match="without a password"):
        Archive(data, what="DOCX")


def test_old_office_file() -> None:
    with pytest.raises(UnsupportedFormat, match="save it as DOCX"):
        Archive(COMPOUND_FILE + bytes(600), what="DOCX")


def test_encrypted_part() -> None:
    data = bytearray(archive({"a.xml": "<a/>"}))
    directory = data.index(b"PK\x01\x02")
    data[directory + 8 : directory + 10] = struct.pack("<H", 1)
    with pytest.raises(EncryptedFile):
        Archive(bytes(data), what="DOCX").read("a.xml")


def test_unpacked_bytes_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_module, "MAX_UNPACKED_BYTES", 1000)
    opened = Archive(archive({"a": "x" * 600, "b": "x" * 600}), what="DOCX")
    opened.read("a")
    with pytest.raises(TooLarge, match="unpacks to more than"):
        opened.read("b")


def test_declared_size_of_a_bomb_is_enough_to_refuse_it() -> None:
    data = bytearray(archive({"a": b"x"}))
    directory = data.index(b"PK\x01\x02")
    data[directory + 24 : directory + 28] = struct.pack("<I", 1 << 30)
    with pytest.raises(TooLarge):
        Archive(bytes(data), what="DOCX").read("a")


def test_tags_are_limited() -> None:
    opened = Archive(archive({"a": "<a>" + "<b/>" * 99 + "</a>"}), what="DOCX", max_tags=100)
    with pytest.raises(TooLarge, match="more than 100 tags"):
        opened.xml("a")


@pytest.mark.parametrize(
    "prolog",
    [
        '<!DOCTYPE a [<!ENTITY x "y">]>',
        '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]>',
        '<!DOCTYPE a SYSTEM "a>b" [<!ENTITY % x "y">]>',
        '<!--><x [--><!DOCTYPE a [<!ATTLIST a b CDATA "c">]>',
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_declarations_are_refused(prolog: str, encoding: str) -> None:
    data = f'<?xml version="1.0" encoding="{encoding}"?>{prolog}<a>&x;</a>'.encode(encoding)
    with pytest.raises(CorruptFile, match="entities"):
        parse_xml(data, what="part")


def test_plain_doctype_is_harmless() -> None:
    data = b'<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://127.0.0.1:1/x.dtd"><ncx>text</ncx>'
    assert parse_xml(data, what="part").text == "text"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "iso-8859-1"])
def test_encodings(encoding: str) -> None:
    declared = encoding.removesuffix("-sig")
    data = f"<?xml version='1.0' encoding='{declared}'?><a>é</a>".encode(encoding)
    assert parse_xml(data, what="part").text == "é"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"<?xml version='1.0' encoding='utf-7'?><a/>", "encoding utf-7"),
        (b"\xff\xfe\x00", "not valid utf-16"),
        (b"<a>\xff</a>", "not valid XML"),
        (b"<a><b></a>", "not valid XML"),
        (b"", "not valid XML"),
        (b"<a>" * 3000, "not valid XML"),
    ],
)
def test_faults_are_one_line(data: bytes, message: str) -> None:
    with pytest.raises(CorruptFile, match=message) as caught:
        parse_xml(data, what="part")
    assert "\n" not in str(caught.value)


def test_strict_names_become_the_usual_ones() -> None:
    data = b'<w:p xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main">http://purl.oclc.org/ooxml/x/</w:p>'
    root = parse_xml(data, what="part")
    assert root.tag == "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}p"
    assert root.text == "http://purl.oclc.org/ooxml/x/"


def test_deep_documents_are_read_like_others() -> None:
    depth = 5000
    data = '<x:a xmlns:x="u">' + '<x:b x:k="1" k="2">t<c/>u' * depth + "</x:b>v" * depth + "</x:a>"
    root = parse_xml(data.encode(), what="part")
    first = root[0]
    assert (first.tag, first.attrib, first.text, first[0].tag, first[0].tail) == (
        "{u}b", {"{u}k": "1", "k": "2"}, "t", "c", "u",
    )  # fmt: skip
    assert sum(1 for _ in root.iter("{u}b")) == depth
    assert first.tail == "v"


def test_depth_is_limited() -> None:
    with pytest.raises(TooLarge, match="nested more than"):
        parse_xml(b"<a>" * (MAX_DEPTH + 1) + b"</a>" * (MAX_DEPTH + 1), what="part")


def test_zip_of_unknown_compression_is_an_error() -> None:
    data = bytearray(archive({"a.xml": "<a/>"}))
    for mark, offset in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        at = data.index(mark) + offset
        data[at : at + 2] = struct.pack("<H", 77)
    with pytest.raises(CorruptFile, match="damaged"):
        Archive(bytes(data), what="DOCX").xml("a.xml")
