"""The embedder `static`: the mean of one fixed vector per token. Instant and offline, but blind to word order.

The vectors and the vocabulary are files of the package wordllama (MIT), copied into Crosshead when it is built: neither
that package nor its dependencies have to be installed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from crosshead.embedding.text.readable_share import Reader
from crosshead.embedding.text.texts import clean_text
from crosshead.embedding.text.tokenizer import BytePairTokenizer
from crosshead.embedding.vectors import normalize
from crosshead.errors import EmbedError, MissingExtra

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from crosshead.types import Vectors

FOLDER: Final = Path(__file__).parent / "table"
TABLE: Final = "vectors.safetensors"
TOKENIZER: Final = "tokenizer.json"
DIMENSION: Final = 256

TEXTS_AT_ONCE: Final = 256
ROWS_AT_ONCE: Final = 8192
"""Tokens whose vectors are in memory at the same time: 8 MB."""


class StaticEmbedder:
    """Embeds a text as the mean of the vectors of its tokens."""

    name = "static"
    dimension = DIMENSION
    revision = "wordllama-256-64b47a2dc493cb8e"
    """Ends like the SHA-256 of the table, which is computed when Crosshead is built, not for every query."""
    is_instant = True

    def __init__(self, folder: Path = FOLDER) -> None:
        if not find_spec("numpy"):
            raise MissingExtra("index", "The embedder static")
        self._folder = folder

    def embed(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> list[Vectors]:
        """Return one vector per text, however long it is."""
        found: list[Vectors] = []
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            rows = self._embed_some(texts[start : start + TEXTS_AT_ONCE], self._wide_table)
            found.extend(rows[at : at + 1] for at in range(len(rows)))
            if on_progress:
                on_progress(len(found))
        return found

    def embed_query(self, text: str) -> Vectors:
        """Return the vector of a query; only the rows it needs are converted."""
        return self._embed_some([text], self._table)

    def read_share(self, text: str) -> float:
        """Return how much of a text the table has words for, 0 to 1."""
        return self._reader.read_share(text)

    def word_share(self, text: str) -> float:
        """Return how many of a text's words the model has learned as words, not only their parts, 0 to 1."""
        return self._reader.word_share(text)

    def _embed_some(self, texts: Sequence[str], table: NDArray[Any]) -> Vectors:
        import numpy as np

        sums = np.zeros((len(texts), table.shape[1]), np.float32)
        for row, text in enumerate(texts):
            ids = self._tokenizer.encode(clean_text(text))
            for start in range(0, len(ids), ROWS_AT_ONCE):
                # The sum has the direction of the mean; vectors are normalized.
                sums[row] += table[ids[start : start + ROWS_AT_ONCE]].sum(axis=0, dtype=np.float32)
        return normalize(sums)

    @cached_property
    def _table(self) -> NDArray[np.float16]:
        """The table, mapped from its file: a query reads only a few pages."""
        import numpy as np

        path = self._folder / TABLE
        header_bytes = int.from_bytes(self._read(TABLE, 8), "little")
        try:
            return np.memmap(path, np.float16, "r", offset=8 + header_bytes).reshape(-1, DIMENSION)
        except (OSError, ValueError, OverflowError) as error:
            raise _broken(path) from error

    @cached_property
    def _wide_table(self) -> NDArray[np.float32]:
        """The table converted to float32: faster for many texts."""
        import numpy as np

        return np.array(self._table, np.float32)

    @cached_property
    def _tokenizer(self) -> BytePairTokenizer:
        try:
            return BytePairTokenizer(self._read(TOKENIZER))
        except (ValueError, KeyError, TypeError) as error:
            raise _broken(self._folder / TOKENIZER) from error

    @cached_property
    def _reader(self) -> Reader:
        return Reader(self._tokenizer)

    def _read(self, name: str, size: int = -1) -> bytes:
        try:
            with (self._folder / name).open("rb") as file:
                return file.read(size)
        except OSError as error:
            raise _broken(self._folder / name) from error


def is_available() -> bool:
    """Is the table installed, with all that is needed to read it?"""
    return all((FOLDER / name).is_file() for name in (TABLE, TOKENIZER)) and find_spec("numpy") is not None


def _broken(path: Path) -> EmbedError:
    return EmbedError(f"{path}: not the table of vectors; install it again: pip install --force-reinstall crosshead")
