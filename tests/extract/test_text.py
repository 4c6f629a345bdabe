"""Bytes of every encoding become the same text."""

from __future__ import annotations

import codecs

import pytest

from crosshead.errors import CorruptFile
from crosshead.extract.text import decode, normalize

TEXT = "# Ключи\n\nКлюч меняют каждые девяносто дней, а старый удаляют через сутки. " * 4


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        codecs.BOM_UTF8 + TEXT.encode(),
        TEXT.encode("utf-16"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
        TEXT.encode("utf-32"),
        TEXT.encode("cp1251"),
    ],
    ids=["utf-8", "utf-8 with mark", "utf-16", "utf-16 big endian", "utf-32", "cp1251"],
)
def test_encodings(data: bytes) -> None:
    assert decode(data) == TEXT


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark(encoding: str) -> None:
    assert decode("# Keys\n\nRotate them.\n".encode(encoding)) == "# Keys\n\nRotate them.\n"


def test_zero_bytes_in_utf8_are_text() -> None:
    assert decode(b"a\0b") == "a\0b"


def test_half_a_character_of_utf16_is_an_error() -> None:
    with pytest.raises(CorruptFile, match="save the file as UTF-8"):
        decode(codecs.BOM_UTF16_LE + b"a\0b")


def test_newlines_and_mark_are_normalized() -> None:
    assert normalize("\ufeffa\r\nb\rc\nd") == "a\nb\nc\nd"
