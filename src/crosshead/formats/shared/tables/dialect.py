"""Detect the delimiter and quote of separated values, and whether the first row is a header.

Every delimiter is tried on the first lines. The best one gives rows of one width whose cells look whole: a number, a
date, a word, but no piece of something that another delimiter would have kept together.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import Final

from crosshead.formats.shared.tables.records import Dialect, RecordSplitter

DELIMITERS: Final = (",", "\t", ";", "|")
_SAMPLE_CHARACTERS: Final = 1 << 16
_SAMPLE_RECORDS: Final = 200

_DECLARED = re.compile(r'^"?sep=(.)"?[ \t]*\n', re.I)
_NUMBER = re.compile(r"[-+(]?[$€£¥]? ?\d[\d,.' \u00a0]*(?:[eE][-+]?\d{1,3})?[ \u00a0]?[%$€£¥)]?")
_DATE = re.compile(
    r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[ T]\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[-+]\d{2}:?\d{2})?)?"
)
_TIME = re.compile(r"\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?")
_BARE_DELIMITER = re.compile(r"[,;|\t](?! )")
_YEAR = re.compile(r"(?:19|20)\d{2}")


def find_dialect(text: str) -> tuple[Dialect, int]:
    """Return the dialect and the offset at which the table begins, after a line that declares the delimiter."""
    declared = _DECLARED.match(text)
    start = declared.end() if declared else 0
    sample = _sample(text, start)
    quote = _quote(sample)
    backslash = f"\\{quote}" in sample and quote * 2 not in sample.replace(f"\\{quote}", "")
    if declared:
        return Dialect(declared[1], quote, backslash), start
    found = [Dialect(delimiter, quote, backslash) for delimiter in DELIMITERS if delimiter in sample]
    return max(found, key=lambda each: _score(sample, each), default=Dialect(quote=quote, backslash=backslash)), start


def has_header(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row is a header: it is, unless it looks like the rows below."""
    first, below = rows[0], rows[1:]
    if not any(cell.strip() for cell in first):
        return False
    for column, cell in enumerate(map(str.strip, first)):
        values = [row[column].strip() for row in below if column < len(row)]
        if cell and len(cell) > 1 and values.count(cell) > 1:
            return False
        if is_value(cell) and not (_YEAR.fullmatch(cell) and not all(map(_YEAR.fullmatch, values or [""]))):
            return False
    return True


def is_value(cell: str) -> bool:
    """Return whether this is a number, a date or a time, which is not a column name."""
    return bool(_NUMBER.fullmatch(cell) or _DATE.fullmatch(cell) or _TIME.fullmatch(cell))


def _sample(text: str, start: int) -> str:
    """Drop the last line of a sample, which is incomplete."""
    if len(text) - start <= _SAMPLE_CHARACTERS:
        return text[start:]
    sample = text[start : start + _SAMPLE_CHARACTERS]
    return sample[: sample.rfind("\n") + 1] or sample


def _quote(sample: str) -> str:
    """Single quotes count only where cells begin and end with them, and no double quote does."""
    edge = re.compile(r"(?:^|[,;\t|])'[^'\n]{0,500}'(?=[,;\t|]|$)", re.M)
    return "'" if '"' not in sample and len(edge.findall(sample)) > 1 else '"'


def _score(sample: str, dialect: Dialect) -> float:
    splitter = RecordSplitter(sample, dialect)
    rows = [record.cells for record in islice(splitter.records(), _SAMPLE_RECORDS)]
    width, count = Counter(map(len, rows)).most_common(1)[0] if rows else (1, 0)
    if width == 1:
        return 0.0
    cells = [cell for row in rows for cell in row[:50]]
    whole = sum(map(_is_whole, cells)) / len(cells)
    faults = len(splitter.faults) / len(rows)
    return count / len(rows) * whole**2 * (1 - faults / 2) * (1 - 0.3 / width)


def _is_whole(cell: str) -> bool:
    """Ignore delimiters in text, which have a space after them, and those within numbers."""
    cell = cell.strip()
    return is_value(cell) or not _BARE_DELIMITER.search(cell)
