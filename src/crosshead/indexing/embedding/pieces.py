"""Chunks -> the texts that are embedded.

A query is mostly answered by a few lines, which count for little in the vector of a long text. So a long chunk is cut
into pieces with a vector each.
"""

from __future__ import annotations

from crosshead.ids import content_hash
from crosshead.indexing.recipe import Recipe
from crosshead.options import ChunkOptions
from crosshead.types import Chunk, Piece


class PieceCutter:
    """Cuts the chunks of one index into pieces."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self._options = ChunkOptions(
            max_tokens=recipe.piece_tokens or 1, overlap_tokens=0, front_matter="include", oversize="split"
        )

    def pieces(self, chunk: Chunk) -> list[Piece]:
        """Return the parts of a chunk that have a vector each; rows of a large table repeat its head."""
        limit = self._recipe.piece_tokens
        is_small = self._recipe.chunk.tokenizer == self._options.tokenizer and chunk.token_count <= limit
        whole = [Piece(0, len(chunk.content))]
        if is_small or not limit:
            return whole
        from crosshead.pipeline import chunk_text  # most searches cut nothing

        parts = chunk_text(chunk.content, self._options)
        return [Piece(part.start, part.end, part.prefix, part.suffix) for part in parts] or whole

    def texts_to_embed(self, chunk: Chunk) -> list[str]:
        """Return the text of every piece, below the breadcrumb of the chunk."""
        breadcrumb = self._breadcrumb(chunk)
        return [
            f"{breadcrumb}{piece.prefix}{chunk.content[piece.start : piece.end]}{piece.suffix}"
            for piece in self.pieces(chunk)
        ]

    def text_hash(self, chunk: Chunk) -> str:
        """Return the hash by which the vectors of a chunk are found again."""
        return content_hash(self._breadcrumb(chunk) + chunk.content)

    def _breadcrumb(self, chunk: Chunk) -> str:
        return "" if self._recipe.embed_text == "content" else f"{' > '.join(chunk.full_path)}\n"
