"""Writing and merging the files of the table, so that they hold no space for vectors that are not there.

If one row of a file has a vector, every row of it takes the space of one. So documents and sections, which have none,
are in other files than chunks, unless they are few:

1. new rows are written to two files
2. before files are merged, documents and sections that are in one file with chunks move to a file of their own
3. a file is merged with files of its kind
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from crosshead.store.lance.candidates.filters import one_of
from crosshead.store.lance.rows import DOCUMENT, EMBEDDED, SECTION

if TYPE_CHECKING:
    import pyarrow as pa

ROWS_PER_FILE: Final = 65_536
"""A file of this size is not merged again; otherwise every upkeep would rewrite all rows."""
FILE_BYTES: Final = 16_384
"""What a further file costs; less is not worth saving."""
_TEXTS: Final = (DOCUMENT, SECTION)
_FRAGMENT_BITS: Final = 32
"""The id of a fragment, which is one file here, is the upper half of its row ids."""


def append(table: Any, new: pa.Table) -> None:
    """Commit new rows, to two files if that saves space."""
    import pyarrow as pa
    import pyarrow.compute as pc

    is_text = pc.is_in(new.column("kind"), pa.array(_TEXTS))
    texts, chunks = new.filter(is_text), new.filter(pc.invert(is_text))
    has_vectors = chunks.column("vector").null_count < len(chunks)
    if has_vectors and _are_worth_a_file(table, len(texts)):
        larger, smaller = sorted((texts, chunks), key=len, reverse=True)
        table.insert(pa.concat_tables([larger, smaller]), max_rows_per_file=len(larger))
    else:
        table.insert(new)


def separate(table: Any) -> None:
    """Move documents and sections out of the files of chunks, if that saves space."""
    texts, sizes = _count_texts(table), {each.fragment_id: each.count_rows() for each in table.get_fragments()}
    mixed = [number for number, count in texts.items() if count < sizes[number]]
    if mixed and _are_worth_a_file(table, sum(texts[each] for each in mixed)) and _has_vectors(table):
        starts = (each << _FRAGMENT_BITS for each in mixed)
        inside = (f"_rowid BETWEEN {start} AND {start + (1 << _FRAGMENT_BITS) - 1}" for start in starts)
        table.update({"kind": "kind"}, where=f"{one_of('kind', _TEXTS)} AND ({' OR '.join(inside)})")


def compact(table: Any) -> None:
    """Merge small files, and leave out deleted rows."""
    from lance.optimize import Compaction

    separate(table)
    texts = _count_texts(table)
    only_texts = {each.fragment_id for each in table.get_fragments() if texts[each.fragment_id] == each.count_rows()}
    plan = Compaction.plan(table, {"target_rows_per_fragment": ROWS_PER_FILE})
    tasks = [part for task in plan.tasks for part in _by_kind(task, only_texts)]
    if tasks:
        Compaction.commit(table, [task.execute(table) for task in tasks])
        table.checkout_latest()


def _by_kind(task: Any, only_texts: set[int]) -> Iterator[Any]:
    """Yield what is worth doing of a task for the files of texts, and for those of chunks."""
    described = json.loads(task.json())
    fragments = described["task"]["fragments"]
    for has_only_texts in (True, False):
        chosen = [each for each in fragments if (each["id"] in only_texts) == has_only_texts]
        if len(chosen) > 1 or any(each.get("deletion_file") for each in chosen):
            described["task"]["fragments"] = chosen
            yield type(task).from_json(json.dumps(described))


def _count_texts(table: Any) -> Counter[int]:
    """Return the number of documents and sections by fragment."""
    found = table.scanner(columns=[], with_row_id=True, filter=one_of("kind", _TEXTS)).to_table()
    return Counter((found.column("_rowid").to_numpy() >> _FRAGMENT_BITS).tolist())


def _are_worth_a_file(table: Any, count: int) -> bool:
    vector = table.schema.field("vector").type
    saved: int = count * vector.list_size * vector.value_type.bit_width // 8
    return saved > FILE_BYTES


def _has_vectors(table: Any) -> bool:
    return bool(table.scanner(columns=["key"], filter=EMBEDDED, limit=1).to_table().num_rows)
