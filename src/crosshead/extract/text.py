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
_DETECTION_SAMPLE = 100_000
_STATEFUL = ("iso2022_jp", "iso2022_kr", "hz")
"""Encodings whose bytes are all valid UTF-8."""
MAX_WRONG_SHARE = 0.2
"""Of the characters that are not ASCII: above it, a declared encoding is not the real one."""


def decode(data: bytes, *, declared: str = "") -> str:
    """Return the text of a file; `declared` is the encoding that the document itself names, which may be wrong."""
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _decode_as(data, encoding)
    if utf16 := _utf16_without_mark(data):
        return _decode_as(data, utf16)
    if declared in _STATEFUL:
        return _decode_declared(data, declared)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        place = error.start
    if declared:
        return _decode_declared(data, declared)
    encoding = _detect(data, place)
    logger.warning("not valid UTF-8 (byte %d): read as %s", place, encoding)
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


def _decode_declared(data: bytes, declared: str) -> str:
    """A few wrong bytes do not make a declaration wrong; many do."""
    text = data.decode(declared, "replace")
    wrong = text.count("\ufffd")
    if not wrong:
        return text
    if wrong > max(1, MAX_WRONG_SHARE * sum(1 for character in text if character > "\x7f")):
        encoding = _detect(data, 0)
        logger.warning("not valid %s as declared: read as %s", declared, encoding)
        return _decode_as(data, encoding)
    logger.warning("%d bytes are not valid %s", wrong, declared)
    return text


def _detect(data: bytes, place: int) -> str:
    """Guess an encoding from the bytes around the first that is not UTF-8."""
    from charset_normalizer import from_bytes

    start = max(0, place - _DETECTION_SAMPLE // 2)
    matches = from_bytes(data[start : start + _DETECTION_SAMPLE])
    best = matches.best()
    if best is None:
        raise CorruptFile("not text in any known encoding: save the file as UTF-8")
    # By their bytes, Western texts are as likely to be Central European; by what people have, they are not.
    is_western = any(each.encoding == "cp1252" and each.chaos <= best.chaos for each in matches)
    return "cp1252" if is_western else best.encoding
