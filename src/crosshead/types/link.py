"""Links between documents: as they are written, as a store keeps them, and where they lead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple

from crosshead.ids import content_hash

LinkKind = Literal["path", "wiki", "label", "page"]
"""How a target is written: as a path with an anchor, as the name of a page (`[[Page]]`), as a label that any document
may define (`:ref:`), or as the path of a page without its ending (`:doc:`)."""
AnchorKind = Literal["heading", "id", "label"]
"""The title of a heading, from which sites make an id; an id as it is; a label, which other documents name alone."""
LinkState = Literal["section", "document", "file", "outside", "unchecked", "no_document", "no_section"]
"""Where a link leads: to a section, a document, or a file that is not a document; out of the root; nowhere that can be
checked; or it is broken, because there is no such file, or no such anchor in it."""
BROKEN: Final = ("no_document", "no_section")

MAX_LINKS: Final = 10_000
"""Links of one document that an index keeps; it counts the others."""
MAX_ANCHORS: Final = 20_000
"""Anchors of one document that an index keeps."""


class Link(NamedTuple):
    """A link as a document has it."""

    start: int
    """Offset in the text."""
    text: str
    target: str
    kind: LinkKind = "path"


class Anchor(NamedTuple):
    """A place in a document that links can name."""

    start: int
    """Offset in the text."""
    name: str
    kind: AnchorKind


class StoredLink(NamedTuple):
    """A link in a store."""

    start: int
    """Offset in the text."""
    line: int
    """In the text of the document, from 1."""
    section_id: str
    text: str
    target: str
    """As written."""
    kind: LinkKind
    citation: str
    """Where a person finds it: `guide.md:8`."""


class StoredAnchor(NamedTuple):
    """An anchor in a store."""

    start: int
    section_id: str
    name: str
    kind: AnchorKind


class DocumentLinks(NamedTuple):
    """The links and anchors of a document."""

    document_id: str
    source: str
    format: str
    names: tuple[str, ...]
    """What links call the document."""
    links: tuple[StoredLink, ...]
    anchors: tuple[StoredAnchor, ...]
    omitted: int = 0
    """Links beyond `MAX_LINKS`."""
    is_open: bool = False
    """Is text put into it when its site is built, which may have further anchors?"""
    keys: tuple[str, ...] = ()
    """What a store finds it by: `has_key` of its names, `link_key` of those that its links may mean."""

    def to_record(self) -> dict[str, Any]:
        """Return what a store keeps besides the keys and the document's id, source and format."""
        record = self._asdict()
        return {name: record[name] for name in ("names", "links", "anchors", "omitted", "is_open")}

    @classmethod
    def from_record(
        cls, document_id: str, source: str, format: str, keys: Sequence[str], record: Mapping[str, Any]
    ) -> DocumentLinks:
        """Read what `to_record` returned, from JSON."""
        return cls(
            document_id,
            source,
            format,
            names=tuple(record["names"]),
            links=tuple([StoredLink(*each) for each in record["links"]]),
            anchors=tuple([StoredAnchor(*each) for each in record["anchors"]]),
            omitted=record["omitted"],
            is_open=record["is_open"],
            keys=tuple(keys),
        )


@lru_cache(maxsize=4096)
def link_key(name: str) -> str:
    """Return the key of the documents with a link to a name."""
    return content_hash(f"to:{name}")[:16]


@lru_cache(maxsize=4096)
def has_key(name: str) -> str:
    """Return the key of the documents that have a name."""
    return content_hash(f"has:{name}")[:16]


@dataclass(frozen=True, slots=True)
class ResolvedLink:
    """A link, and where it leads."""

    source: str
    """Of the document that it is in."""
    citation: str
    """Where it is, as a person can open it: `guide.md:8`."""
    section_id: str
    """The section that it is in."""
    start: int
    """Its offset in the text of the document."""
    text: str
    target: str
    """As written."""
    kind: LinkKind
    state: LinkState
    to_source: str = ""
    """The document that it leads to, or the path that it names; empty if nothing is known."""
    to_document_id: str = ""
    to_section_id: str = ""
    anchor: str = ""
    suggestion: str = ""
    """For a broken link: the nearest document or anchor that exists."""

    @property
    def is_broken(self) -> bool:
        """Is there no such document or anchor?"""
        return self.state in BROKEN

    @property
    def problem(self) -> str:
        """What is missing, in words; empty for a link that is not broken."""
        if self.state == "no_section":
            return f"{self.to_source} has no anchor #{self.anchor}"
        if self.state == "no_document":
            what = {"label": "label ", "wiki": "page "}.get(self.kind, "")
            return f"{what}{self.to_source or self.target} does not exist"
        return ""

    def to_json(self) -> dict[str, Any]:
        """Return the link as JSON."""
        return {**asdict(self), "problem": self.problem}


@dataclass(frozen=True)
class LinksAround:
    """The links out of a document or section, and those that lead into it."""

    source: str
    section_id: str
    """Empty for a whole document."""
    out: tuple[ResolvedLink, ...]
    into: tuple[ResolvedLink, ...]
    omitted: int = 0
    """Links of the document that the index does not keep, because there are too many."""
    more_into: bool = False
    """Do further documents link here?"""

    def __iter__(self) -> Iterator[ResolvedLink]:
        yield from self.out
        yield from self.into

    def to_json(self) -> dict[str, Any]:
        """Return the links as JSON."""
        return {
            "source": self.source,
            "section_id": self.section_id,
            "out": [each.to_json() for each in self.out],
            "into": [each.to_json() for each in self.into],
            "omitted": self.omitted,
            "more_into": self.more_into,
        }


@dataclass(frozen=True)
class LinkReport:
    """What a check of all links found."""

    documents: int
    links: int
    broken: tuple[ResolvedLink, ...]
    orphans: tuple[str, ...]
    """Sources of documents that no other document links to."""
    unchecked: int
    """Links that lead to what cannot be known here."""
    omitted: Mapping[str, int]
    """Links that the index does not keep, because their document has too many, by source."""
    without_links: tuple[str, ...] = ()
    """Documents that were indexed before Crosshead kept links."""

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON."""
        return {
            "documents": self.documents,
            "links": self.links,
            "broken": [each.to_json() for each in self.broken],
            "orphans": list(self.orphans),
            "unchecked": self.unchecked,
            "omitted": dict(self.omitted),
            "without_links": list(self.without_links),
        }
