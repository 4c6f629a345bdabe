"""The language of most documents, estimated from a sample.

A few small files are read, spread evenly over the first ones that were found. That is quick, and enough to tell a
folder of Japanese documents from one in English.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from crosshead import pipeline
from crosshead.errors import CrossheadError
from crosshead.indexing.files.walk import files_to_index
from crosshead.language.detection import detect_language
from crosshead.language.frequent import UNDETERMINED
from crosshead.options import ExtractOptions
from crosshead.runtime.workers import Limits, in_order

ENGLISH: Final = "en"
FILES_SEEN: Final = 2_000
FILES_READ: Final = 12
LARGEST: Final = 200_000
"""Bytes; a larger file takes too long to read."""
QUICK: Final = Limits(10.0, ExtractOptions().max_memory)


def main_language(paths: Iterable[str | Path]) -> str:
    """Return the language (ISO 639) of most documents at paths: English unless most are not, "" if it is unknown."""
    files = [file for path in paths for file in islice(_files(os.path.abspath(path)), FILES_SEEN)]
    step = max(len(files) // FILES_READ, 1)
    sample = files[::step][:FILES_READ]
    languages = in_order(pipeline.sendable(_language), sample, give_up=_undetermined, limits_of=lambda _: QUICK)
    found = Counter(language for language in languages if language != UNDETERMINED)
    english = found.pop(ENGLISH, 0)
    if not found or english * 2 >= english + found.total():
        return ENGLISH if english else ""
    return max(found, key=lambda language: found[language])


def _undetermined(_file: str, _error: Exception) -> str:
    return UNDETERMINED


def _files(path: str) -> Iterator[str]:
    if os.path.isdir(path):
        yield from (file.whole_path for file in files_to_index(path) if file.is_wanted and not file.problem)
    elif os.path.isfile(path):
        yield path


def _language(file: str) -> str:
    """Return the language of a file, `und` if it cannot be read; indexing it reports why."""
    try:
        if os.path.getsize(file) > LARGEST:
            return UNDETERMINED
        return detect_language(pipeline.read_document(file).text)
    except (CrossheadError, OSError):
        return UNDETERMINED
