"""The table at one version, and what was learned about it.

Reading single rows is what costs most in a search: every row is unpacked with its neighbors. So a search works with
row ids, which mean the same as long as the version does; keys are read once for all rows, and texts only for the hits.
The next version takes over the keys of those fragments that both have: the rows of a fragment never change, but for
some that are deleted, and nobody finds these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from crosshead.store.bm25 import SATURATION, rarity
from crosshead.store.lance.filters import distinct, quote
from crosshead.store.lance.indexes import TERM_COLUMNS
from crosshead.store.lance.rows import DOCUMENT
from crosshead.store.tags import tagged_language

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

MOST_PLACES: Final = 100_000
MOST_WORDS: Final = 50_000
MOST_COUNTED: Final = 50
"""Chunks that hold a word; of a more frequent one, which weighs little, its best score tells the weight."""
BEST_SHARE: Final = 0.94
"""What a frequent word gets, where it counts most, of what it could get."""


FragmentKeys: TypeAlias = "dict[int, tuple[NDArray[np.uint64], pa.Array]]"
"""Row ids and keys by the ids of fragments, which are the upper half of their row ids."""


class View:
    """One version of the table."""

    def __init__(self, table: Any, before: View | None = None) -> None:
        self.table = table
        self._fragments: FragmentKeys = before._fragments if before else {}
        self._places: dict[str, int] = {}
        self._values: dict[str, pa.Array] = {}
        self._rarities: dict[str, float] = {}

    def scan(self, **query: Any) -> pa.Table:
        """Return what a query of Lance finds."""
        return self.table.scanner(**query).to_table()

    def keys_at(self, places: Sequence[int]) -> list[str]:
        """Return the keys of rows; `read` will find the rows by them without a search."""
        import numpy as np

        row_ids, keys = self._keys
        found: list[str] = keys.take(np.searchsorted(row_ids, np.array(places, np.uint64))).to_pylist()
        if len(self._places) > MOST_PLACES:
            self._places.clear()
        self._places.update(zip(found, places, strict=True))
        return found

    def read_known(self, keys: Sequence[str], columns: Sequence[str]) -> list[Mapping[str, Any]]:
        """Return those rows that `keys_at` has seen."""
        places = [self._places[key] for key in keys if key in self._places]
        # The public way, a condition on `_rowid`, takes twice as long.
        return list(self.table._take_rows(places, list(columns)).to_pylist()) if places else []

    def rarity(self, word: str) -> float:
        """Return what a word weighs. The index of words keeps its counts to itself, but finds some rows quickly."""
        if word not in self._rarities:
            from lance.query import MatchQuery

            if len(self._rarities) > MOST_WORDS:
                self._rarities.clear()
            query = MatchQuery(word, TERM_COLUMNS[0])
            scores = self.scan(columns=["_score"], full_text_query=query, limit=MOST_COUNTED).column("_score")
            frequent = len(scores) == MOST_COUNTED
            self._rarities[word] = (
                scores[0].as_py() / ((SATURATION + 1) * BEST_SHARE) if frequent else rarity(len(scores), self._texts)
            )
        return self._rarities[word]

    @cached_property
    def _texts(self) -> int:
        """The chunks that words are looked for in."""
        return int(self.table.count_rows(f"{TERM_COLUMNS[0]} IS NOT NULL"))

    @cached_property
    def languages(self) -> Counter[str]:
        """How many documents are in each language."""
        found = self.scan(columns=["tags"], filter=f"kind = {quote(DOCUMENT)}").column("tags")
        return Counter(map(tagged_language, found.to_pylist()))

    def values(self, column: str) -> pa.Array:
        """Return the distinct values of a column in order."""
        if column not in self._values:
            self._values[column] = distinct(self.scan(columns=[column]).column(column))
        return self._values[column]

    @cached_property
    def _keys(self) -> tuple[NDArray[np.uint64], pa.Array]:
        """The ids of all rows in order, and their keys."""
        import numpy as np
        import pyarrow as pa

        there = {fragment.fragment_id: fragment for fragment in self.table.get_fragments()}
        known = {id: keys for id, keys in self._fragments.items() if id in there}
        known |= {id: self._read_keys(fragment) for id, fragment in there.items() if id not in known}
        self._fragments = known
        ordered = [known[id] for id in sorted(known)]
        keys = pa.concat_arrays([keys for _, keys in ordered]) if ordered else pa.array([], pa.string())
        return np.concatenate([np.empty(0, np.uint64), *(row_ids for row_ids, _ in ordered)]), keys

    def _read_keys(self, fragment: Any) -> tuple[NDArray[np.uint64], pa.Array]:
        rows = self.scan(columns=["key"], with_row_id=True, fragments=[fragment], scan_in_order=True)
        return rows.column("_rowid").to_numpy(), rows.column("key").combine_chunks()
