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
        """Return the citation on one line, safe to print; of several indexes, after the location of the index."""
        index = found.index if isinstance(found, Hit | Passage) else ""
        files = self._files.of_index(index)
        shown = one_line(files.cite(found.source, found.citation))
        path = files.path(found.source) if self._has_links else None
        linked = link(shown, path) if path else shown
        return f"{one_line(index)}: {linked}" if index else linked
