from __future__ import annotations

import codecs
import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from crosshead.errors import CorruptFile
from crosshead.formats.shared.decoding.text import decode, normalize

TEXT = "# Guide\n\nSome text, ключ, 鍵 and 🔑.\n"
RUSSIAN = "# Критерии\n\nКаждый раздел содержит несколько предложений, и они все на русском языке.\n" * 3
FRENCH = "# Résumé\n\nL'été dernier, à Genève, nous avons mangé des crêpes très sucrées. Où est le café ?\n" * 3
SPANISH = "El niño comió piñas en España, ¿verdad? La mañana fue mágica y el señor también lo creyó así.\n" * 3
POLISH = "Zażółć gęślą jaźń. Wszystkie rozdziały są napisane po polsku, żeby było łatwiej.\n" * 3
JAPANESE = "日本語のテキストです。これは鍵を交換する方法の説明です。\n" * 3


@given(st.text())
def test_utf8_is_read_as_it_is(text: str) -> None:
    assume("\0" not in text and not text.startswith("\ufeff"))
    assert decode(text.encode(), []) == normalize(text)


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
@pytest.mark.parametrize("text", [TEXT, RUSSIAN, "", "x"])
def test_byte_order_mark_names_the_encoding(mark: bytes, encoding: str, text: str) -> None:
    assert decode(mark + text.encode(encoding), []) == text


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark(encoding: str) -> None:
    assert decode("# Title\n\nSome text.\n".encode(encoding), []) == "# Title\n\nSome text.\n"
    assert decode(("Plain text. " * 1000 + "ключ 🔑").encode(encoding), []).endswith("ключ 🔑")


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (FRENCH, "latin-1"),
        (FRENCH, "cp1252"),
        (SPANISH, "cp1252"),
        (POLISH, "cp1250"),
        (RUSSIAN, "cp1251"),
        (JAPANESE, "shift_jis"),
    ],
)
def test_older_encodings_are_detected_and_reported(text: str, encoding: str) -> None:
    warnings: list[str] = []
    assert decode(text.encode(encoding), warnings) == text
    [warning] = warnings
    assert warning.startswith("not valid UTF-8 (byte ")


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
@pytest.mark.parametrize("wrong", [b"\xff", b"\xe9", b"\xd0", b"\xe2\x80"])
def test_utf8_with_a_wrong_byte_is_utf8_and_the_warning_names_the_line(mark: bytes, wrong: bytes) -> None:
    warnings: list[str] = []
    before, after = f"{TEXT}{RUSSIAN}\r\n{FRENCH}", f" and then\n{JAPANESE}"
    data = mark + before.encode() + wrong + after.encode()
    assert decode(data, warnings) == normalize(f"{before}\ufffd{after}")
    line = before.count("\n") + 1
    assert warnings == [f"line {line}: not valid utf-8; replaced by U+FFFD, 1 in total"]


def test_wrong_byte_of_an_older_encoding_is_replaced_too() -> None:
    warnings: list[str] = []
    assert decode(FRENCH.encode("cp1252") + b"\x81", warnings) == f"{FRENCH}\ufffd"
    assert warnings[1] == "line 10: not valid cp1252; replaced by U+FFFD, 1 in total"


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + random.Random(1).randbytes(3000),
        random.Random(2).randbytes(5000),
        codecs.BOM_UTF16_LE + b"odd",
        codecs.BOM_UTF16_LE + b"\x00\xd8a\x00",
        codecs.BOM_UTF32_LE + b"\xff\xff\xff\xff",
        codecs.BOM_UTF8 + b"\xff",
    ],
    ids=["png", "random", "half a character", "half a pair", "no character", "bad UTF-8"],
)
def test_binary_data_is_an_error_of_one_line(data: bytes) -> None:
    with pytest.raises(CorruptFile, match="save the file as UTF-8") as caught:
        decode(data, [])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("data", [b"a\0b", b"\0", b"\0\0\0\0", b"some text with one \0 in it", b"a\0\0\0b"])
def test_null_bytes_are_kept(data: bytes) -> None:
    assert decode(data, []) == data.decode()


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("a\r\nb\rc\nd", "a\nb\nc\nd"),
        ("\r\r\n\n\r", "\n\n\n\n"),
        ("\ufeff# a", "# a"),
        ("\ufeff\ufeffa", "\ufeffa"),
        ("a\ufeff", "a\ufeff"),
        ("a\u2028b\x0cc\x85d", "a\u2028b\x0cc\x85d"),
    ],
)
def test_normal_text_has_no_mark_and_one_kind_of_newline(text: str, normal: str) -> None:
    assert normalize(text) == normal


@given(st.text("ab\r\n\ufeff"))
def test_normal_text_has_no_carriage_return_and_the_same_lines(text: str) -> None:
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert normalize(text).split("\n") == lines
