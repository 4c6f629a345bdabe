"""A document -> its links and anchors as a store keeps them.

1. links and anchors of the Markdown, and those that only the reader of its format knows, in the order of the text
2. each gets the section that it is in; an anchor directly above a heading belongs to the section below it
3. the names of the document and of all that its links may mean become its keys
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from crosshead.citation import cite_lines, cites
from crosshead.linking import names_of_document, names_of_link
from crosshead.markdown import find_links
from crosshead.types import (
    MAX_ANCHORS,
    MAX_LINKS,
    Anchor,
    Document,
    DocumentLinks,
    Link,
    StoredAnchor,
    StoredLink,
    StoredSection,
    has_key,
    link_key,
)

MOST_KEYS: Final = 5_000
"""Keys of one document; links beyond them are not found from their other end."""
ABOVE_HEADING: Final = 500
"""Characters of the labels and tags directly above a heading."""

_OPENINGS: Final = {
    ":::": r"^::: (?:\w+(?:\.\w+)+|[\w-]+\n[ \t]+:\w)",
    "--8<--": "--8<--",
    "{%": r"\{%-?\s*(?:include|import|for|macro)|^#{1,6}[ \t].*\{%",
    "{!": r"\{!",
    "@include": r"<!--\s*@include",
    "{{": r"\{\{\s*#?include|^#{1,6}[ \t].*\{\{",
    **dict.fromkeys((".mdx'", '.mdx"', ".md'", '.md"'), r"^import .{1,200}\.mdx?['\"]"),
    "include::": "include::",
}
"""What puts text from elsewhere into a document: a sign of it, which is looked for first, and its pattern."""
_DIRECTIVES: Final = ("{include}", "{auto", "{eval-rst}", "{click", "{program-output")
"""Of MyST, likewise."""
_CODE_SPAN = re.compile(r"`[^`\n]*`")
_NO_TEXT = re.compile(r"<[^>]*>|^\([^()\n]*\)=|^\{#[^{}\n]*\}|\[\]\(\)\{[^{}\n]*\}", re.M)


def links_in(document: Document, sections: Sequence[StoredSection]) -> DocumentLinks:
    """Return the links and anchors of a document."""
    found = find_links(document.text, document.blocks)
    read = [each for each in found.links if document.format != "rst" or not _is_reference(each.target)]
    links = _in_order(read, document.links)[:MAX_LINKS]
    anchors = _in_order(found.anchors, document.anchors)[:MAX_ANCHORS]
    starts = [section.start for section in sections]

    def section_at(start: int) -> StoredSection:
        return sections[max(0, bisect_right(starts, start) - 1)]

    labels = [anchor.name for anchor in anchors if anchor.kind == "label"]
    names = names_of_document(
        document.source,
        document.front_matter,
        labels,
        document.title if document.has_own_title else "",
        [anchor.name for anchor in anchors if anchor.kind == "heading" and document.format == "rst"],
    )
    leads_to = [name for link in links for name in names_of_link(link, document.source)]
    keys = [*map(has_key, names), *map(link_key, dict.fromkeys(leads_to))]
    return DocumentLinks(
        document.id,
        document.source,
        document.format,
        names,
        tuple(_stored_links(document, links, section_at)),
        tuple(_stored_anchors(document.text, anchors, sections, starts)),
        omitted=found.omitted + len(read) + len(document.links) - len(links),
        is_open=_is_partial(document.source) or _is_open(document),
        keys=tuple(dict.fromkeys(keys))[:MOST_KEYS],
    )


def _in_order(found: Sequence[Link] | Sequence[Anchor], read: Sequence[Link] | Sequence[Anchor]) -> list:  # type: ignore[type-arg]
    return sorted([*found, *read]) if read else list(found)


def _stored_links(
    document: Document, links: Iterable[Link], section_at: Callable[[int], StoredSection]
) -> Iterable[StoredLink]:
    has_plain_lines = cites(document.format) == "file" and not document.lines
    line, at = 1, 0
    for link in links:
        line, at = line + document.text.count("\n", at, link.start), link.start
        section = section_at(link.start)
        citation = (
            f"{document.source}:{line}"
            if has_plain_lines
            else cite_lines(
                document.source,
                document.format,
                section.path,
                (line, line),
                lines=document.lines,
                pages=document.pages,
                section_id=section.id,
            )
        )
        yield StoredLink(link.start, line, section.id, link.text, link.target, link.kind, citation)


def _stored_anchors(
    text: str, anchors: Iterable[Anchor], sections: Sequence[StoredSection], starts: Sequence[int]
) -> Iterable[StoredAnchor]:
    for anchor in anchors:
        at = bisect_right(starts, anchor.start) - 1
        if anchor.kind != "heading" and at + 1 < len(sections):
            between = text[anchor.start : sections[at + 1].start]
            if len(between) < ABOVE_HEADING and not _NO_TEXT.sub("", between).strip():
                at += 1
        yield StoredAnchor(anchor.start, sections[max(0, at)].id, anchor.name, anchor.kind)


def _is_reference(target: str) -> bool:
    """Return whether a target of reStructuredText is the name of another one, not a path."""
    return " " in target or "%20" in target or target.endswith("_")


def _is_partial(source: str) -> bool:
    """Return whether the name of a file says that pages include it: its links may name their anchors."""
    name = posixpath.basename(source)
    return name.startswith("_") and not name.startswith("_index.")


def _is_open(document: Document) -> bool:
    """Return whether text from elsewhere is put into a document when its site is built; examples of that are code."""
    if not any(sign in document.text for sign in _OPENINGS):
        return any(block.lang.startswith(_DIRECTIVES) for block in document.blocks)
    text = _CODE_SPAN.sub("", "\n".join(_prose(document)))
    return any(sign in text and re.search(pattern, text, re.M) for sign, pattern in _OPENINGS.items()) or any(
        block.lang.startswith(_DIRECTIVES) for block in document.blocks
    )


def _prose(document: Document) -> Iterator[str]:
    """Yield the text between the code."""
    for block in document.blocks:
        at = block.end if block.kind == "code" else block.start
        for atom in block.atoms:
            if atom.kind == "code":
                yield document.text[at : atom.start]
                at = atom.end
        yield document.text[at : block.end]
