"""Rows of documents <-> batches of Arrow, column by column.

1. a `RowEncoder` encodes all rows of a document, in the process that read it
2. the process that commits joins the batches of many documents, and adds the vectors that were found or made since: a
   chunk keeps its first vector in its own row, and has a `window` row for each further one
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from crosshead.errors import CrossheadError, Unstorable
from crosshead.store.lance import rows
from crosshead.types import DocumentRows, EmbeddingResult, EncodedRows, StoredChunk, Vectors

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

Embedded: TypeAlias = "StoredChunk | EmbeddingResult"

_WINDOW_COLUMNS: Final = ("document_id", "section_id", "source", "format", "date", "titles", "tags", "text_hash")


@dataclass(frozen=True)
class RowEncoder:
    """Encodes the rows of documents as a batch of Arrow, in any process."""

    columns: pa.Schema
    language: str
    """Of documents that have none."""
    location: str

    def __call__(self, document: DocumentRows) -> EncodedRows:
        """Return the rows of a document, with their vectors."""
        try:
            plain = rows.document_rows(document, document.document.language or self.language)
            table = rows.table_of([*plain], self.columns)
            table = with_vectors(table, {each.chunk.id: each for each in document.chunks if each.chunk.indexable})
            (batch,) = table.combine_chunks().to_batches()
        except CrossheadError:
            raise
        except ValueError as error:
            first_line = str(error).partition("\n")[0]
            raise Unstorable(f"{self.location}: the index could not be read or written: {first_line}") from error
        return document.encoded_as(batch.serialize().to_pybytes())


def to_table(documents: Sequence[EncodedRows], columns: pa.Schema) -> pa.Table:
    """Return the rows of some documents."""
    import pyarrow as pa

    table = pa.Table.from_batches([pa.ipc.read_record_batch(each.rows, columns) for each in documents], columns)
    return with_vectors(table, {key: found for each in documents for key, found in each.vectors.items()})


def with_vectors(table: pa.Table, found: Mapping[str, Embedded]) -> pa.Table:
    """Return rows with the vectors of chunks, given by their keys, and then rows for their further vectors."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    of_chunks = {key: each.vectors for key, each in found.items() if each.vectors is not None}
    if not of_chunks:
        return table
    at = pc.index_in(pa.array(of_chunks, pa.string()), table["key"].combine_chunks()).to_numpy()
    counts = np.array([*map(len, of_chunks.values())])
    firsts = np.cumsum(counts) - counts
    vectors = _vector_column(np.concatenate([*of_chunks.values()]), table.schema)
    table = _put(table, "vector", vectors.take(pa.array(firsts)), at)
    if "tokens" in table.column_names:
        of_pieces = [[*found[key].token_vectors] or None for key in of_chunks]
        tokens = pa.array(of_pieces, table.schema.field("tokens").type)
        table = _put(table, "tokens", tokens, at)
    numbers = np.arange(len(vectors)) - np.repeat(firsts, counts)
    further = numbers > 0
    windows = _windows(table.take(np.repeat(at, counts)[further]), numbers[further], vectors.filter(further))
    return pa.concat_tables([table, windows])


def _put(table: pa.Table, name: str, values: pa.Array, at: NDArray[np.int64]) -> pa.Table:
    """Return a table with other values in some rows of a column."""
    import numpy as np
    import pyarrow as pa

    order = np.arange(len(table))
    order[at] = len(table) + np.arange(len(at))
    number = table.schema.get_field_index(name)
    merged = pa.concat_arrays([table.column(number).combine_chunks(), values]).take(order)
    return table.set_column(number, table.schema.field(number), merged)


def _vector_column(vectors: Vectors, columns: pa.Schema) -> pa.Array:
    import pyarrow as pa

    column = columns.field("vector").type
    return pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()).cast(column.value_type), type=column)


def _windows(chunks: pa.Table, numbers: NDArray[np.int64], vectors: pa.Array) -> pa.Table:
    """Return the rows of further vectors, with the columns that filters need, from the rows of their chunks."""
    import pyarrow as pa
    import pyarrow.compute as pc

    columns = {name: chunks[name] for name in _WINDOW_COLUMNS} | {
        "key": pc.binary_join_element_wise(chunks["key"], pa.array(numbers).cast(pa.string()), rows.WINDOW_MARK),
        "kind": pa.repeat(rows.WINDOW, len(chunks)),
        "seq": pa.array(numbers, pa.int32()),
        "vector": vectors,
    }
    return pa.table(
        [columns.get(each.name, pa.nulls(len(chunks), each.type)) for each in chunks.schema], schema=chunks.schema
    )
