"""Rows of documents <-> batches of Arrow, column by column.

1. a `RowEncoder` makes one table of many documents; on a cluster, the process that read a document encodes its rows
2. the process that commits joins what it receives, and adds the vectors that were found or made since: a chunk keeps
   its first vector in its own row, and has a `window` row for each further one
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
    """Makes rows of documents, in any process."""

    columns: pa.Schema
    language: str
    """Of documents that have none."""
    location: str

    def __call__(self, document: DocumentRows) -> EncodedRows:
        """Return the rows of a document, with their vectors, as a batch of Arrow."""
        (batch,) = self.table([document]).combine_chunks().to_batches()
        return document.encoded_as(batch.serialize().to_pybytes())

    def table(self, documents: Sequence[DocumentRows]) -> pa.Table:
        """Return the rows of documents, with their vectors."""
        try:
            plain = [row for each in documents for row in self._rows(each)]
            chunks = (chunk for each in documents for chunk in each.chunks)
            found = {each.chunk.id: each for each in chunks if each.chunk.indexable}
            return with_vectors(rows.table_of(plain, self.columns), found)
        except CrossheadError:
            raise
        except ValueError as error:
            first_line = str(error).partition("\n")[0]
            raise Unstorable(f"{self.location}: the index could not be read or written: {first_line}") from error

    def _rows(self, document: DocumentRows) -> Iterator[rows.Row]:
        return rows.document_rows(document, document.document.language or self.language)


def to_table(documents: Sequence[DocumentRows | EncodedRows], encoder: RowEncoder) -> pa.Table:
    """Return the rows of some documents."""
    import pyarrow as pa

    plain = [each for each in documents if isinstance(each, DocumentRows)]
    encoded = [each for each in documents if isinstance(each, EncodedRows)]
    batches = [pa.ipc.read_record_batch(each.rows, encoder.columns) for each in encoded]
    found = {key: vectors for each in encoded for key, vectors in each.vectors.items()}
    received = with_vectors(pa.Table.from_batches(batches, encoder.columns), found)
    return pa.concat_tables([received, encoder.table(plain)]) if plain else received


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
