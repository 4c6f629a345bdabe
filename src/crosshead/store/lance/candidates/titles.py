"""Complete section titles from the beginning of a word.

1. the table holds titles and breadcrumbs in lower case, for filters; those with such a word are candidates
2. a title that begins with the word comes before one with the word inside; shorter ones come first
3. a chunk below each title has its original spelling
"""

from __future__ import annotations

import re
from typing import Final

from crosshead.ids import encodable
from crosshead.store.headings import SEPARATOR, headings_of
from crosshead.store.lance import rows
from crosshead.store.lance.candidates.filters import quote
from crosshead.store.lance.table_version import TableVersion

BREADCRUMB: Final = " > "


def find_titles(version: TableVersion, beginning: str, limit: int) -> list[str]:
    """Return up to `limit` titles with a word that starts with `beginning`."""
    import pyarrow.compute as pc

    beginning, values = encodable(beginning).casefold(), version.values("titles")
    is_found = pc.match_substring_regex(values, rf"(?:^|[^\pL\pN]){re.escape(beginning)}")
    is_title = pc.invert(pc.match_substring(values, BREADCRUMB))
    found: list[str] = values.filter(pc.and_(is_found, is_title)).to_pylist()
    found.sort(key=lambda title: (not title.startswith(beginning), len(title), title))
    return [_as_written(version, title) for title in found[:limit]]


def _as_written(version: TableVersion, title: str) -> str:
    condition = f"array_has(titles, {quote(title)}) AND kind = {quote(rows.CHUNK)}"
    found = version.scan(columns=["record", "content"], filter=condition, limit=1).to_pylist()
    written = (each for row in found for each in headings_of(rows.to_chunk(row)))
    return next((each for each in written if each.replace(SEPARATOR, " ").casefold() == title), title)
