"""Shared by embedders behind a server: requests of limited size, windows for long texts, and checked responses.

Only the server knows how much text its model takes: if it refuses a request as too long, the request is cut in two,
first between texts, then within a text.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from crosshead.embedding.text.texts import batch_in_order, clean_text, halve_text
from crosshead.embedding.vectors import check_vectors
from crosshead.errors import EmbedError, MissingExtra
from crosshead.runtime.servers.http import Endpoint, ServerResponse, post_json

if TYPE_CHECKING:
    from crosshead.types import Vectors

MAX_TEXTS: Final = 32
"""Texts per request: some servers refuse more."""
MAX_CHARACTERS: Final = 100_000
SHORTEST: Final = 64
"""Characters; a model that refuses this as too long is useless for documents."""

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
    """Path of the route that embeds texts."""

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
        """The length of a vector; embeds a word to find out if nothing was embedded yet."""
        return self._dimension if self._dimension is not None else int(self.embed_query("dimension").shape[1])

    def embed(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> list[Vectors]:
        """Return the vectors of each text, several if the server refuses the text as too long."""
        import numpy as np

        cleaned = list(map(clean_text, texts))
        found: list[list[Vectors]] = [[] for _ in texts]
        batches = batch_in_order(cleaned, MAX_TEXTS, MAX_CHARACTERS)
        pending = deque([(position, cleaned[position]) for position in batch] for batch in batches)
        while pending:
            pieces = pending.popleft()
            rows = self._ask([text for _, text in pieces])
            if rows is None:
                pending.extendleft(reversed(self._cut(pieces)))
                continue
            for row, (position, _) in enumerate(pieces):
                found[position].append(rows[row : row + 1])
            if on_progress:
                on_progress(pending[0][0][0] if pending else len(texts))
        return [np.concatenate(rows) for rows in found]

    def embed_query(self, text: str) -> Vectors:
        """Return the vector of a query, truncated if it is too long for the model."""
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
            raise EmbedError(f"{self.name} refuses a text of {len(text)} characters as too long: choose another model")
        return [[(position, half)] for half in halve_text(text)]

    def _ask(self, texts: list[str]) -> Vectors | None:
        """Return one vector per text, or None if the request was too long."""
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
        """Return the body of a request for these texts."""

    @abstractmethod
    def read_rows(self, answer: Any) -> Any:
        """Return the vectors of a response in the order of the texts; any error means that there are none."""

    def explain(self, answer: ServerResponse) -> str:
        """Return an error message for a response without vectors."""
        return f"{self.name}: {self.server.url} answered with status {answer.status} ({answer.message})"


def _is_too_long(answer: ServerResponse) -> bool:
    return answer.status in _TOO_LONG_STATUS and _TOO_LONG.search(answer.message) is not None
