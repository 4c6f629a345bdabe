"""The ids that a site gives the headings of a document, by the rules of the program that shows it.

Rules belong to Markdown; reStructuredText and AsciiDoc have their own, wherever they are shown.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal, get_args

from crosshead.types import StoredAnchor

AnchorRules = Literal["github", "gitlab", "docusaurus", "mkdocs", "sphinx", "mdbook"]
ANCHOR_RULES: Final[tuple[AnchorRules, ...]] = get_args(AnchorRules)
IGNORE_CASE: Final = ("github", "gitlab")
"""Rules of sites on which an anchor is found in either case."""

_NOT_IN_SLUG = re.compile(r"[^\w\- ]")
_NOT_IN_ASCII_SLUG = re.compile(r"[^\w\s-]", re.A)
_ATTRIBUTES = re.compile(r"\s*\{:[^{}]*\}$")
"""Of a heading; Kramdown and Python-Markdown do not show them."""
_SEPARATORS = re.compile(r"[-\s]+")
_NOT_IN_ID = re.compile(r"[^a-z0-9]+")
_NOT_IN_RST = re.compile(r"^[-0-9]+|-+$")


def ids_of(anchors: Sequence[StoredAnchor], format: str, rules: AnchorRules) -> dict[str, StoredAnchor]:
    """Return the anchors of a document by all ids that a link may name."""
    found: dict[str, StoredAnchor] = {}
    for anchor in anchors:
        if anchor.kind != "heading":
            found.setdefault(anchor.name, anchor)
            if anchor.kind == "label":
                found.setdefault(_docutils(anchor.name), anchor)
    for slug, repeat in _slugs(format, rules):
        counts: dict[str, int] = {}
        for anchor in anchors:
            if anchor.kind == "heading":
                title = _ATTRIBUTES.sub("", anchor.name)
                found.setdefault(_unique(slug(title), counts, repeat), anchor)
    if format == "asciidoc":
        for anchor in anchors:
            found.setdefault(anchor.name, anchor)  # a title may be named as it is
    if rules in IGNORE_CASE:
        for id, anchor in [*found.items()]:
            found.setdefault(id.lower(), anchor)
    return found


def _slugs(format: str, rules: AnchorRules) -> Iterator[tuple[Callable[[str], str], str]]:
    """Yield the ways to make an id of a title, each with what joins the number of a repeated one to it."""
    if format == "rst":
        yield _docutils, "-"
        yield _github, "-"
        return
    if format == "asciidoc":
        yield _asciidoc, "_"
        yield _github, "-"
        return
    if format == "docx":
        yield _github, "-"
        return
    if format == "html":
        return
    if format == "notebook":
        yield lambda title: title.replace(" ", "-"), "-"
    if rules == "mkdocs":
        yield _mkdocs, "_"
        yield _mkdocs_unicode, "_"
    elif rules == "gitlab":
        yield _gitlab, "-"
    elif rules == "mdbook":
        yield _mdbook, "-"
    else:
        yield _github, "-"
    if rules == "sphinx":
        yield _docutils, "-"


def _unique(slug: str, counts: dict[str, int], joint: str) -> str:
    """Return an id that no heading above has: the first `intro`, then `intro-1`."""
    id = slug
    while id in counts:
        counts[slug] += 1
        id = f"{slug}{joint}{counts[slug]}"
    counts[id] = 0
    return id


def _github(title: str) -> str:
    return _NOT_IN_SLUG.sub("", title.lower()).replace(" ", "-")


def _gitlab(title: str) -> str:
    return re.sub(r"-{2,}", "-", _github(title))


def _mdbook(title: str) -> str:
    return "".join("-" if each.isspace() else each for each in title.lower() if each.isalnum() or each in "_- \t")


def _mkdocs(title: str) -> str:
    text = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return _SEPARATORS.sub("-", _NOT_IN_ASCII_SLUG.sub("", text).strip().lower())


def _mkdocs_unicode(title: str) -> str:
    return _SEPARATORS.sub("-", re.sub(r"[^\w\s-]", "", unicodedata.normalize("NFC", title)).strip().lower())


def _docutils(title: str) -> str:
    text = unicodedata.normalize("NFKD", title.lower()).encode("ascii", "ignore").decode()
    return _NOT_IN_RST.sub("", _NOT_IN_ID.sub("-", text))


def _asciidoc(title: str) -> str:
    bare = re.sub(r"<[^>]*>|&(?:[a-z]+|#\d+);", "", title.lower())
    bare = re.sub(r"[^\w .-]", "", bare)
    return "_" + re.sub(r"[ .-]+|_{2,}", "_", bare).strip("_")
