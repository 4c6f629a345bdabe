"""Bytes -> text: byte order marks first, then UTF-8, then detection. Nothing is dropped silently."""

from __future__ import annotations

import codecs
import logging

from crosshead.errors import CorruptFile

logger = logging.getLogger("crosshead")

_BYTE_ORDER_MARKS = (  # UTF-32 first: its mark begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 4096


def decode(data: bytes) -> str:
    """Return the text of a file whose encoding is not known."""
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _decode_as(data, encoding)
    if utf16 := _utf16_without_mark(data):
        return _decode_as(data, utf16)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        encoding = _detect(data)
        logger.warning("not valid UTF-8 (byte %d): read as %s", error.start, encoding)
        return _decode_as(data, encoding)


def normalize(text: str) -> str:
    """Return the text without a byte order mark, every newline a `\\n`."""
    text = text.removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _utf16_without_mark(data: bytes) -> str | None:
    """Text in UTF-16 that is mostly Latin has a zero in every other byte."""
    sample = data[:_SAMPLE]
    if len(sample) < 4 or b"\0" not in sample:
        return None
    for encoding, zeros, others in (("utf-16-le", sample[1::2], sample[::2]), ("utf-16-be", sample[::2], sample[1::2])):
        if zeros.count(0) > 0.7 * len(zeros) and others.count(0) < 0.1 * len(others):
            return encoding
    return None


def _decode_as(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise CorruptFile(f"not valid {encoding} at byte {error.start}: save the file as UTF-8") from error


def _detect(data: bytes) -> str:
    from charset_normalizer import from_bytes

    matches = from_bytes(data)
    best = matches.best()
    if best is None:
        raise CorruptFile("not text in any known encoding: save the file as UTF-8")
    # By their bytes, Western texts are as likely to be Central European; by what people have, they are not.
    is_western = any(each.encoding == "cp1252" and each.chaos <= best.chaos for each in matches)
    return "cp1252" if is_western else best.encoding
