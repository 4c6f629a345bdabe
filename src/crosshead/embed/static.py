"""The embedder `static`: the mean of one fixed vector per token. Instant and offline, but blind to word order.

The vectors and the tokenizer are files of the package wordllama, which are read directly: the package itself need not
be imported, and looks for its tokenizer on the network.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from crosshead.embed.texts import clean_text
from crosshead.embed.vectors import normalize
from crosshead.errors import EmbedError, MissingExtra

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from crosshead.model import Vectors

PACKAGE: Final = "wordllama"
TABLE: Final = Path("weights", "l2_supercat_256.safetensors")
TOKENIZER: Final = Path("tokenizers", "l2_supercat_tokenizer_config.json")
DIMENSION: Final = 256

TEXTS_AT_ONCE: Final = 256
ROWS_AT_ONCE: Final = 8192
"""Tokens whose vectors are in memory at the same time: 8 MB."""


class StaticEmbedder:
    """Adds up the vectors of tokens."""

    name = "static"
    dimension = DIMENSION
    is_instant = True

    def __init__(self, folder: Path | None = None) -> None:
        found = folder or find_package()
        if found is None or not find_spec("tokenizers") or not find_spec("numpy"):
            raise MissingExtra("index", "The embedder static")
        self._folder = found

    @cached_property
    def revision(self) -> str:
        """The table may change with a release of its package."""
        from hashlib import sha256

        return f"wordllama-256-{sha256(self._read(TABLE)).hexdigest()[:16]}"

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
        """Return the vector of a question; the few rows it needs are widened by themselves."""
        return self._embed_some([text], self._table)

    def _embed_some(self, texts: Sequence[str], table: NDArray[Any]) -> Vectors:
        import numpy as np

        encoded = self._tokenizer.encode_batch_fast(list(map(clean_text, texts)), add_special_tokens=False)
        sums = np.zeros((len(texts), table.shape[1]), np.float32)
        for row, ids in enumerate(each.ids for each in encoded):
            for start in range(0, len(ids), ROWS_AT_ONCE):
                # The sum has the direction of the mean, and only the direction is kept.
                sums[row] += table[ids[start : start + ROWS_AT_ONCE]].sum(axis=0, dtype=np.float32)
        return normalize(sums)

    @cached_property
    def _table(self) -> NDArray[np.float16]:
        """The table as it lies in the file, of which a question reads a few pages."""
        import numpy as np

        path = self._folder / TABLE
        header_bytes = int.from_bytes(self._read(TABLE, 8), "little")
        try:
            return np.memmap(path, np.float16, "r", offset=8 + header_bytes).reshape(-1, DIMENSION)
        except (OSError, ValueError, OverflowError) as error:
            raise _broken(path) from error

    @cached_property
    def _wide_table(self) -> NDArray[np.float32]:
        """The same in the precision that is added up; quicker where many rows are needed."""
        import numpy as np

        return np.array(self._table, np.float32)

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        try:
            tokenizer = Tokenizer.from_buffer(self._read(TOKENIZER))
        except Exception as error:  # the package raises nothing more specific
            raise _broken(self._folder / TOKENIZER) from error
        tokenizer.no_truncation()
        tokenizer.no_padding()
        tokenizer.encode_special_tokens = True  # "<s>" in a document is text
        return tokenizer

    def _read(self, name: Path, size: int = -1) -> bytes:
        try:
            with (self._folder / name).open("rb") as file:
                return file.read(size)
        except OSError as error:
            raise _broken(self._folder / name) from error


def find_package() -> Path | None:
    """Return the folder of the package that has the table, without importing it."""
    spec = find_spec(PACKAGE)
    return Path(next(iter(spec.submodule_search_locations))) if spec and spec.submodule_search_locations else None


def _broken(path: Path) -> EmbedError:
    return EmbedError(f"{path}: not the table of vectors; install it again: pip install --force-reinstall {PACKAGE}")
