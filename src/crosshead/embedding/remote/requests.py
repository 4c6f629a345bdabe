"""What embedders behind a server share: requests of bearable size, windows for long texts, and checked answers.

A server knows best how much text its model takes, so it is asked: a request that it finds too long is cut in two, first
between texts, then within the text.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from crosshead.embedding.remote.http import Endpoint, ServerResponse, post_json
from crosshead.embedding.texts import batch_in_order, clean_text, halve_text
from crosshead.embedding.vectors import check_vectors
from crosshead.errors import EmbedError, MissingExtra

if TYPE_CHECKING:
    from crosshead.types import Vectors

MAX_TEXTS: Final = 32
"""Texts in a request: some servers refuse more."""
MAX_CHARACTERS: Final = 100_000
SHORTEST: Final = 64
"""Characters; a model that finds this too long is no model for documents."""

Piece = tuple[int, str]
"""A text, or a window of it, with the position of the text."""

_TOO_LONG: Final = re.compile(
    r"too (?:long|large|many)|context (?:length|size|window)|maximum (?:context|allowed|input|sequence)|exceed"
    r"|(?:less|fewer|more) than [0-9]+ tokens|batch size",
    re.I,
)
_TOO_LONG_STATUS: Final = frozenset((400, 413, 422, 500))


class RemoteEmbedder(ABC):
    """Sends texts to a server; a subclass knows its protocol."""

    path: str
    """Where the server takes texts."""

    def __init__(self, kind: str, model: str, server: Endpoint) -> None:
        from importlib.util import find_spec

        self.name = f"{kind}:{model}"
        self.revision = self.name
        self.model = model
        self.server = server
        self._dimension: int | None = None
        if not find_spec("numpy"):
            raise MissingExtra("index", f"The embedder {self.name}")

    @property
    def dimension(self) -> int:
        """Numbers in a vector; the server is asked for one if it was never asked."""
        return self._dimension if self._dimension is not None else int(self.embed_query("dimension").shape[1])

    def embed(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> list[Vectors]:
        """Return the vectors of every text, several for a text that the server finds too long."""
        import numpy as np

        cleaned = list(map(clean_text, texts))
        found: list[list[Vectors]] = [[] for _ in texts]
        batches = batch_in_order(cleaned, MAX_TEXTS, MAX_CHARACTERS)
        waiting = deque([(position, cleaned[position]) for position in batch] for batch in batches)
        while waiting:
            pieces = waiting.popleft()
            rows = self._ask([text for _, text in pieces])
            if rows is None:
                waiting.extendleft(reversed(self._cut(pieces)))
                continue
            for row, (position, _) in enumerate(pieces):
                found[position].append(rows[row : row + 1])
            if on_progress:
                on_progress(waiting[0][0][0] if waiting else len(texts))
        return [np.concatenate(rows) for rows in found]

    def embed_query(self, text: str) -> Vectors:
        """Return the vector of a question; what does not fit the model is left out."""
        text = clean_text(text)
        while (rows := self._ask([text])) is None:
            ((_, text),), _ = self._cut([(0, text)])
        return rows

    def _cut(self, pieces: list[Piece]) -> list[list[Piece]]:
        middle = len(pieces) // 2
        if middle:
            return [pieces[:middle], pieces[middle:]]
        position, text = pieces[0]
        if len(text) < SHORTEST:
            raise EmbedError(f"{self.name} finds a text of {len(text)} characters too long: choose another model")
        return [[(position, half)] for half in halve_text(text)]

    def _ask(self, texts: list[str]) -> Vectors | None:
        """Return a vector per text, or None if this was too much for one request."""
        answer = post_json(self.server, self.path, self.make_body(texts), is_final=_is_too_long)
        if answer.status != 200:
            if _is_too_long(answer):
                return None
            raise EmbedError(self.explain(answer))
        try:
            rows = self.read_rows(json.loads(answer.text))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise EmbedError(
                f"{self.name}: {self.server.url} did not answer with vectors; {self.server.hint}"
            ) from error
        checked = check_vectors(rows, count=len(texts), dimension=self._dimension, origin=self.name)
        self._dimension = checked.shape[1]
        return checked

    @abstractmethod
    def make_body(self, texts: list[str]) -> dict[str, Any]:
        """Return the request for these texts."""

    @abstractmethod
    def read_rows(self, answer: Any) -> Any:
        """Return the vectors of an answer in the order of the texts; it fails as it may if they are not there."""

    def explain(self, answer: ServerResponse) -> str:
        """Say what to do about an answer without vectors."""
        return f"{self.name}: {self.server.url} answered with status {answer.status} ({answer.message})"


def _is_too_long(answer: ServerResponse) -> bool:
    return answer.status in _TOO_LONG_STATUS and _TOO_LONG.search(answer.message) is not None
