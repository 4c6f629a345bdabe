"""The links between the documents of an index."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from crosshead import linking
from crosshead.errors import OptionsError
from crosshead.ids import document_id
from crosshead.index.reading import IndexReader, ReadableIndex
from crosshead.options import check_types
from crosshead.types import LinkReport, LinksAround

if TYPE_CHECKING:
    from crosshead.linking import AnchorRules, SiteFiles

FILES_TRIED: Final = 50
"""Documents of which one must be below the root, before other files are looked for there."""


class LinkLookup:
    """The part of `Index` that follows links."""

    _current: IndexReader

    def links(self, address: str, *, anchors: AnchorRules | None = None) -> LinksAround | None:
        """Return the links out of a document or section and into it, or None if the index has no such place.

        `address`: a source, `SOURCE#anchor`, or the id of a section.
        `anchors`: the rules by which headings get their ids; by default those of the site whose settings are near the
        root, else those of GitHub.
        """
        check_types(str, address=address)
        _check_rules(anchors)

        def read(index: ReadableIndex) -> LinksAround | None:
            section = next(iter(index.store.sections([address])), None)
            source, _, anchor = address.partition("#")
            found = section.document_id if section else document_id(source)
            documents = index.store.document_links([found])
            files = self._files([each.source for each in documents])
            if not section and anchor:
                section = linking.find_section(index.store, files, found, anchor, anchors)
                if section is None:
                    return None
            return linking.links_of(index.store, files, found, section=section, rules=anchors)

        return self._current.read(read)

    def check_links(self, *, anchors: AnchorRules | None = None) -> LinkReport:
        """Follow all links, and return those that are broken, and the documents that nothing links to.

        `anchors` is as in `links`. No address on the web is fetched.
        """
        _check_rules(anchors)

        def read(index: ReadableIndex) -> LinkReport:
            sources = sorted(index.store.document_revisions())
            return linking.check_links(index.store, self._files(sources), anchors)

        return self._current.read(read)

    def _files(self, sources: Iterable[str]) -> SiteFiles:
        """Return the files below the root, if the documents are there."""
        root: Path | None = getattr(self, "root", None)  # several joined indexes have none
        files = linking.SiteFiles(root)
        return files if any(map(files.exists, islice(sources, FILES_TRIED))) else linking.SiteFiles(None)


def _check_rules(anchors: str | None) -> None:
    if anchors is not None and anchors not in linking.ANCHOR_RULES:
        raise OptionsError(f"anchors={anchors!r} is not one of {', '.join(linking.ANCHOR_RULES)}")
