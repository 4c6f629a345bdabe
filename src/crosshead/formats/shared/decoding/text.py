"""Bytes -> text: by byte order mark, else as UTF-8 (with a few invalid bytes), else in the most plausible encoding.

Nothing is dropped silently.
"""

from __future__ import annotations

import codecs
import re

from crosshead.errors import CorruptFile, TooLarge
from crosshead.formats.shared.decoding.encodings import guess_encoding, guess_wide, is_valid

_BYTE_ORDER_MARKS = (  # UTF-32 first: its mark begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_STATEFUL = ("iso2022_jp", "iso2022_kr", "hz")
"""Encodings whose bytes are all valid UTF-8."""
_ESCAPES = (("iso2022_jp_ext", re.compile(rb"\x1b\$[@B]|\x1b\([IJ]")), ("iso2022_kr", re.compile(rb"\A\x1b\$\)C")))
"""Escape sequences that identify them."""
VALID_PER_WRONG = 3
"""Valid non-ASCII characters that text must have for each invalid one to count as UTF-8."""
MAX_LINES = 400_000
_CONTROL = re.compile(r"[\0-\x08\x0b\x0e-\x1f\x7f]")
MAX_WRONG_SHARE = 0.2
"""Of the non-ASCII characters: above it, the declared encoding is wrong."""


def decode(data: bytes, warnings: list[str], *, declared: str = "") -> str:
    """Return the text of a file, every newline a `\\n`, and add warnings about guessed encodings and replaced bytes.

    `declared` is the encoding that the document itself names, which may be wrong.
    """
    return normalize(_decode(data, warnings, declared))


def _decode(data: bytes, warnings: list[str], declared: str) -> str:
    if data.startswith(codecs.BOM_UTF8):
        return _decode_utf8(data.removeprefix(codecs.BOM_UTF8), warnings)
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _decode_as(data, encoding)
    if certain := _without_mark(data):
        return _decode_as(data, certain)
    if declared in _STATEFUL:
        return _decode_declared(data, declared, warnings)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        place = error.start
    if _is_mostly_utf8(data):
        return _replace_wrong(data, "utf-8", warnings)
    if declared:
        return _decode_declared(data, declared, warnings)
    encoding = _detect(data)
    warnings.append(f"not valid UTF-8 (byte {place}): read as {encoding}")
    return _replace_wrong(data, encoding, warnings)


def normalize(text: str) -> str:
    """Return the text without a byte order mark, every newline a `\\n`."""
    text = text.removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def without_controls(text: str, max_lines: int | None = None) -> str:
    """Return text with control characters replaced; raise an error if there are too many of them, or too many lines."""
    max_lines = max_lines or MAX_LINES
    if text.count("\n") > max_lines:
        raise TooLarge(f"more than {max_lines:,} lines of text: split the file")
    odd = len(_CONTROL.findall(text))
    if odd * 20 > len(text):
        raise CorruptFile("not text (many control characters): name its format, or save it as text")
    return _CONTROL.sub("\ufffd", text) if odd else text


def _without_mark(data: bytes) -> str | None:
    """Return an encoding whose bytes may be valid UTF-8 by chance."""
    for encoding, escape in _ESCAPES:
        if escape.search(data) and is_valid(data, encoding):
            return encoding
    return guess_wide(data)


def _is_mostly_utf8(data: bytes) -> bool:
    """Return whether most non-ASCII bytes are valid UTF-8, which hardly happens by chance."""
    text = data.decode(errors="replace")
    wrong = _count_wrong(data, text)
    valid = len(text) - len(text.encode("ascii", "ignore")) - wrong
    return valid >= VALID_PER_WRONG * wrong


def _count_wrong(data: bytes, text: str) -> int:
    return text.count("\ufffd") - data.count("\ufffd".encode())


def _decode_utf8(data: bytes, warnings: list[str]) -> str:
    return _replace_wrong(data, "utf-8", warnings) if _is_mostly_utf8(data) else _decode_as(data, "utf-8")


def _replace_wrong(data: bytes, encoding: str, warnings: list[str]) -> str:
    """Replace the bytes that are not valid, and warn of the first one."""
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = normalize(data[: error.start].decode(encoding, "replace")).count("\n") + 1
    text = data.decode(encoding, "replace")
    warnings.append(f"line {line}: not valid {encoding}; replaced by U+FFFD, {_count_wrong(data, text)} in total")
    return text


def _decode_as(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise CorruptFile(f"not valid {encoding} at byte {error.start}: save the file as UTF-8") from error


def _decode_declared(data: bytes, declared: str, warnings: list[str]) -> str:
    """Decode as declared, unless too many bytes are invalid."""
    text = data.decode(declared, "replace")
    if text.count("\ufffd") > max(1, MAX_WRONG_SHARE * sum(1 for character in text if character > "\x7f")):
        encoding = _detect(data)
        warnings.append(f"not valid {declared} as declared: read as {encoding}")
        return _replace_wrong(data, encoding, warnings)
    return _replace_wrong(data, declared, warnings)


def _detect(data: bytes) -> str:
    encoding = guess_encoding(data)
    if encoding is None:
        raise CorruptFile("not text in any known encoding: save the file as UTF-8")
    return encoding
