"""A link -> the document and the section that it leads to, or what is missing.

1. the documents that have one of its names are candidates; one fits if its path is the link's, or the path that a site
   gives it
2. without one, a file of that path below the root is enough: pictures and programs are no documents
3. an anchor is looked for among the ids of the document, by the rules of the site that shows it

Not called broken, because the files do not tell: a path out of the root, a page of a site that the index holds nothing
of, an anchor in a document into which a site puts further text.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Final, NamedTuple, Protocol

from crosshead.linking.anchors import IGNORE_CASE, AnchorRules, ids_of
from crosshead.linking.names import (
    PAGES,
    LinkTarget,
    ending_of,
    label_name,
    leaves_root,
    may_be_label,
    names_of_link,
    page_name,
    page_paths,
    parse_target,
    paths_above,
    paths_of,
    title_name,
)
from crosshead.linking.sites import STATIC, SiteFiles
from crosshead.types import MAX_ANCHORS, DocumentLinks, LinkState, ResolvedLink, StoredAnchor, StoredLink

LIKE: Final = 0.75
"""Share of the characters of a label from which on it is like another."""
MOST_IDS: Final = 500
"""Documents whose ids are held in memory."""
WITH_ANCHORS: Final = ("markdown", "mdx", "rst", "asciidoc", "html", "notebook", "docx")
"""Formats whose anchors are known."""
SOURCES: Final = (".md", ".mdx", ".rst", ".txt", ".adoc", ".ipynb")
OWN_LABELS: Final = ("genindex", "modindex", "py-modindex", "search")
"""Labels and pages that Sphinx makes."""

_NO_ANCHOR = re.compile(r"top$|_top$|:~:|/|!|[\w-]+=|L\d+(?:C\d+)?(?:-L\d+(?:C\d+)?)?$", re.I).match
"""The top of a page, a text to look for, a route or a state of a program, a line of code."""


class Pages(Protocol):
    """Finds documents by the names that links call them."""

    def named(self, names: Iterable[str]) -> list[DocumentLinks]:
        """Return the documents that have one of some names."""

    def near(self, path: str) -> Sequence[str]:
        """Return sources of documents that a wrong path may mean."""


class _LinkEnd(NamedTuple):
    state: LinkState
    document: DocumentLinks | None = None
    path: str = ""


class Resolver:
    """Resolves the links of an index; `rules` are those of all anchors, if they are given."""

    def __init__(self, pages: Pages, files: SiteFiles, rules: AnchorRules | None = None) -> None:
        self.pages = pages
        self.files = files
        self.labels: Collection[str] = ()
        """All labels of the index, if they are known."""
        self._rules = rules
        self._ids: dict[str, Mapping[str, StoredAnchor]] = {}

    def resolve(self, link: StoredLink, document: DocumentLinks) -> ResolvedLink:
        """Return where a link of a document leads."""
        found = self._find(link, document)
        target = parse_target(link.target)
        if found.document is None or found.state == "section":
            return self._resolved(link, document, found)
        if not target.anchor or _NO_ANCHOR(target.anchor):
            return self._resolved(link, document, found)
        anchor = self.find_anchor(found.document, target.anchor, is_title=link.kind == "wiki")
        is_anywhere = found.document.format == "asciidoc" or self._rules_of(document) == "sphinx"
        if anchor is None and is_anywhere and not target.path:
            other = self._find_label(link._replace(target=target.anchor), document)
            if other.document:  # of a text that includes this one, or of any
                return self._resolved(link._replace(kind="label", target=target.anchor), document, other)
        if anchor is None:
            state: LinkState = "no_section" if self._is_known(found.document, target.anchor) else "unchecked"
            return self._resolved(link, document, found._replace(state=state), name=target.anchor)
        return self._resolved(link, document, found._replace(state="section"), anchor, target.anchor)

    # ------------------------------------------------------------------ the document

    def _find(self, link: StoredLink, document: DocumentLinks) -> _LinkEnd:
        if link.kind == "label":
            return self._find_label(link, document)
        target = parse_target(link.target)
        if not target.path:
            return _LinkEnd("document", document)
        if link.kind == "wiki":
            return self._find_wiki(link, document)
        return self._find_page(link, target, document)

    def _find_label(self, link: StoredLink, document: DocumentLinks) -> _LinkEnd:
        name = " ".join(link.target.split()).lower()
        found = self.pages.named([label_name(link.target)])
        if found:
            return _LinkEnd("section", found[0])
        site = self.files.site_of(document.source)
        if site.has_title_labels and (titled := self.pages.named([title_name(link.target)])):
            return _LinkEnd("section", titled[0])
        if name in OWN_LABELS or (site.has_other_labels and (":" in name or not self._is_like_label(name))):
            return _LinkEnd("unchecked")
        return _LinkEnd("no_document")

    def _is_like_label(self, name: str) -> bool:
        """Return whether the index has a label like a name; else it may be one of another project."""
        return bool(get_close_matches(name, self.labels, 1, LIKE))

    def _find_wiki(self, link: StoredLink, document: DocumentLinks) -> _LinkEnd:
        path = parse_target(link.target).path
        found = self.pages.named(names_of_link(link, document.source))
        if not found:
            exists = any(map(self.files.exists, (path, posixpath.join(posixpath.dirname(document.source), path))))
            return _LinkEnd("file" if exists else "no_document")
        folder = posixpath.dirname(document.source)
        named = [each for each in found if f"/{path.lower()}" in f"/{each.source.lower()}"] or found
        return _LinkEnd(
            "document", next((each for each in named if posixpath.dirname(each.source) == folder), named[0])
        )

    def _find_page(self, link: StoredLink, target: LinkTarget, document: DocumentLinks) -> _LinkEnd:
        found = self._find_path(link, target, document)
        site = self.files.site_of(document.source)
        if found.state != "no_document" or not may_be_label(link.target):
            return found
        is_elsewhere = link.kind == "page" and ":" in link.target and site.has_other_labels
        if is_elsewhere or posixpath.basename(target.path) in OWN_LABELS:
            return _LinkEnd("unchecked")
        if link.kind == "path" and site.rules == "sphinx":
            named = self._find_label(link, document)
            is_object = "." in link.target  # of a program, described by its docstring
            found = named if named.document else found._replace(state="unchecked") if is_object else found
        return found

    def _find_path(self, link: StoredLink, target: LinkTarget, document: DocumentLinks) -> _LinkEnd:
        paths = list(paths_of(link, document.source))
        if self._rules_of(document) == "docusaurus":
            paths += paths_above(link, document.source)
        inside = [path for path in paths if not leaves_root(path)]
        candidates = self.pages.named([page_name(path) for path in inside])
        for path in inside:
            name = page_name(path)
            fitting = [each for each in candidates if name in each.names and _fits(path, link.kind == "page", each)]
            if fitting:
                exact = next((each for each in fitting if each.source == path), None)
                return _LinkEnd("document", exact or min(fitting, key=lambda each: each.source))
        is_whole = target.path.startswith("/")
        files = [*inside, *(_in_static(target.path) if is_whole else ())]
        files += [f"{path.removesuffix(target.ending)}{each}" for path in inside for each in _sources_of(target.ending)]
        if path := next(filter(self.files.exists, files), ""):
            return _LinkEnd("file", path=path)
        first = inside[0] if inside else ""
        if not inside or (len(paths) > len(inside) and not is_whole and leaves_root(paths[0])):
            return _LinkEnd("outside", path=paths[0] if paths else "")
        if not self._can_check(target, document.source):
            return _LinkEnd("unchecked", path=first)
        folder = self.files.site_of(document.source).folder
        own = posixpath.normpath(posixpath.join(folder, target.path.lstrip("/"))) if is_whole else first
        return _LinkEnd("no_document", path=own)

    def _can_check(self, target: LinkTarget, source: str) -> bool:
        """Return whether the index would know a page; of a whole path, the folder must be there."""
        if not target.path.startswith("/"):
            return bool(target.ending) or self.files.root is not None
        folder = posixpath.dirname(target.path.rstrip("/"))  # other parts of a site may be elsewhere
        is_there = folder != "/" and any(map(self.files.exists, page_paths(folder, source)))
        return is_there or (bool(target.ending) and self.files.root is None)

    # ------------------------------------------------------------------ the anchor

    def find_anchor(self, document: DocumentLinks, name: str, *, is_title: bool = False) -> StoredAnchor | None:
        """Return the anchor of a document that a name means: an id, a label, or with `is_title` a title."""
        ids = self._ids_of(document)
        name = name.partition(":~:")[0].removeprefix("user-content-")
        if is_title:
            title = name.rpartition("#")[2].strip().casefold()
            return next((each for each in document.anchors if each.name.casefold() == title), ids.get(name))
        if self._rules_of(document) in IGNORE_CASE:
            return ids.get(name) or ids.get(name.lower())
        return ids.get(name)

    def _ids_of(self, document: DocumentLinks) -> Mapping[str, StoredAnchor]:
        known = self._ids.get(document.document_id)
        if known is None:
            if len(self._ids) >= MOST_IDS:
                self._ids.clear()
            known = ids_of(document.anchors, document.format, self._rules_of(document))
            self._ids[document.document_id] = known
        return known

    def _rules_of(self, document: DocumentLinks) -> AnchorRules:
        return self._rules or self.files.site_of(document.source).rules

    def _is_known(self, document: DocumentLinks, name: str) -> bool:
        """Return whether an anchor would be known if the document had it."""
        if document.format not in WITH_ANCHORS or len(document.anchors) >= MAX_ANCHORS or name.startswith("^"):
            return False
        return not document.is_open

    # ------------------------------------------------------------------ the result

    def _resolved(
        self,
        link: StoredLink,
        document: DocumentLinks,
        found: _LinkEnd,
        anchor: StoredAnchor | None = None,
        name: str = "",
    ) -> ResolvedLink:
        to = found.document
        if found.state == "section" and to and anchor is None:
            label = label_name(link.target)
            anchor = next(
                (each for each in to.anchors if each.kind == "label" and label_name(each.name) == label), None
            )
        return ResolvedLink(
            source=document.source,
            citation=link.citation,
            section_id=link.section_id,
            start=link.start,
            text=link.text,
            target=link.target,
            kind=link.kind,
            state=found.state,
            to_source=to.source if to else found.path,
            to_document_id=to.document_id if to else "",
            to_section_id=anchor.section_id if anchor else "",
            anchor=name,
            suggestion=self._suggestion(found, name),
        )

    def _suggestion(self, found: _LinkEnd, name: str) -> str:
        """Return the nearest name that exists, for a broken link."""
        if found.state == "no_section" and found.document:
            near = get_close_matches(name, [*self._ids_of(found.document)][:2_000], 1, 0.5)
            return f"#{near[0]}" if near else ""
        if found.state == "no_document" and found.path:
            near = get_close_matches(found.path, self.pages.near(found.path)[:1_000], 1, 0.5)
            return near[0] if near else ""
        return ""


def _fits(path: str, is_doc: bool, document: DocumentLinks) -> bool:
    """Return whether a document is what a path means: itself, or a page that a site makes of it."""
    ending = ending_of(path)
    return document.source == path or not ending or ending in PAGES or is_doc


def _sources_of(ending: str) -> Sequence[str]:
    """Return the endings of files that a site makes its pages of, which links name by another ending or by none."""
    return SOURCES if not ending or ending in PAGES else ()


def _in_static(path: str) -> list[str]:
    return [posixpath.join(folder, path.lstrip("/")) for folder in STATIC]
