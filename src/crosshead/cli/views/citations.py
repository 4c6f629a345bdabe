"""Citations as a terminal shows them."""

from __future__ import annotations

from crosshead.cli.citations.addresses import FileOfSource
from crosshead.cli.citations.hyperlinks import link
from crosshead.cli.terminal.output import one_line
from crosshead.types import Chunk, Hit, Passage, SpanProof


class CitationLines:
    """Prints citations with paths from the working folder, linked to their files if the terminal has links."""

    def __init__(self, files: FileOfSource, *, has_links: bool) -> None:
        self._files = files
        self._has_links = has_links

    def of(self, found: Hit | Chunk | Passage | SpanProof) -> str:
        """Return the citation on one line, safe to print."""
        shown = one_line(self._files.cite(found.source, found.citation))
        path = self._files.path(found.source) if self._has_links else None
        return link(shown, path) if path else shown
