"""The article of a page, without what surrounds it: comments, related articles, ways to share and to subscribe.

1. Find the elements of the page, and in which of them text and links are (`_elements`).
2. Set aside those that say by their names that they are not the article.
3. From the top down, go into the element that holds nearly all prose of the one around it.
4. Of that, leave out what was set aside, and trailing blocks of links.

Prose is text in runs of some length that is not in links. All of it is one pass over the tags and sums over their texts.
A page on which little prose is left keeps everything: names may lie, and the content of a page may be a thread or a list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate
from typing import Final, NamedTuple

from crosshead.extract.readers.html.tokens import Tokens, attribute

MIN_RUN: Final = 25
"""Letters of text between two tags from which on it is prose."""
MIN_PROSE: Final = 400
"""Letters that an article has at least."""
MIN_KEPT_SHARE: Final = 0.2
"""Of a page's prose that its article holds at least."""
MIN_SHARE: Final = 0.88
"""Of the prose of an element that one inside of it must hold to stand for it."""
MIN_PEER: Final = 100
"""Letters of prose in an element beside another of its kind, from which on both are content."""
_CONTAINERS: Final = frozenset((
    "body", "div", "section", "article", "main", "aside", "header", "footer", "nav", "form", "table", "tbody", "tr",
    "td", "ul", "ol", "dl", "p", "figure", "center",
))  # fmt: skip
_ENDS: Final = {f"/{name}" for name in _CONTAINERS}
_ENTERED: Final = frozenset(("div", "section", "article", "main", "table", "tbody", "tr", "td", "form", "center", "body"))
MIN_LINK_SHARE: Final = 0.5
_LINKED: Final = frozenset(("div", "section", "ul", "ol", "table", "dl", "tr", "td", "form", "center", "header"))
_OUTSIDE: Final = frozenset(("nav", "footer", "aside"))
_NAME: Final = re.compile(
    r"(?:^|[\s_-]|(?<=[a-z])(?=[A-Z]))(?i:"
    r"comment(?:s|list|ary)?|respond|reply|replies|disqus\w*|livefyre"
    r"|related\w*|recommend\w*|similar|outbrain|taboola|trending|popular|mostread"
    r"|shar(?:e|es|ing|edaddy)\w*|socials?|socialmedia|addthis\w*|addtoany\w*|jp-relatedposts"
    r"|newsletter\w*|subscri(?:be|ption)\w*|sign-?up|opt-?in"
    r"|promo\w*|sponsor\w*|adverts?|advertis\w*|ads?|banners?"
    r"|tags|taglist|tagcloud|postmetadata|(?:post|entry|article)-?meta"
    r"|author-?(?:bio|info|box)|about-?author"
    r"|breadcrumbs?|pagination|pager|prevnext|nav\w*|menu\w*|sidebar\w*|widgets?|footer|copyright"
    r"|cookie\w*|consent|gdpr|popup|modal|overlay|login"
    r")(?:$|[\s_-]|(?<=[a-z])(?=[A-Z]))"
)
_WITHOUT: Final = re.compile(r"(?:^|[\s_-])(?:for|has|with|without|no)[-_]", re.I)


class _Element:
    """An element that may hold others."""

    __slots__ = ("children", "end", "name", "start", "tag")

    def __init__(self, start: int, name: str, tag: str) -> None:
        self.start = start
        self.end = start
        self.name = name
        self.tag = tag
        self.children: list[_Element] = []


class _Sums(NamedTuple):
    """How many letters precede each tag: all of them, those in links, and those of prose."""

    text: list[int]
    links: list[int]
    prose: list[int]


def cut_to_article(tokens: Tokens) -> Tokens:
    """Return the tags and texts of the article; all of them where none is found."""
    top = _read_elements(tokens.tags)
    sums = _sum_up(tokens)
    total = sums.prose[-1]
    if total < MIN_PROSE:
        return tokens
    outside = _find_outside(top, sums.prose)
    rest = _without(sums.prose, outside)
    root = _descend(top, rest)
    if rest[root.end] - rest[root.start] < max(MIN_PROSE, MIN_KEPT_SHARE * total):
        return tokens
    outside = sorted([*outside, *_find_links(root, sums, outside)], key=lambda element: element.start)
    return _cut(tokens, root, outside, sums)


def _read_elements(tags: list[str]) -> _Element:
    top = _Element(0, "body", "")
    top.end = len(tags)
    stack = [top]
    for at, tag in enumerate(tags):
        if tag[:1] == "/":
            if tag in _ENDS and len(stack) > 1:
                stack.pop().end = at
        else:
            name = tag.partition(" ")[0]
            if name in _CONTAINERS:
                element = _Element(at, name, tag)
                stack[-1].children.append(element)
                stack.append(element)
    for element in stack:
        element.end = len(tags)
    return top


def _sum_up(tokens: Tokens) -> _Sums:
    tags, raws, preformatted = tokens.tags, tokens.raws, tokens.preformatted
    lengths = list(map(len, map(str.strip, tokens.texts)))
    links = [0] * len(tags)
    is_link = False
    for at, tag in enumerate(tags):
        if tag[:2] == "a " or tag == "a":
            is_link = True
        elif tag == "/a":
            is_link = False
        elif tag[:3] == "pre" and raws[at].isdigit():
            lengths[at] = len(preformatted[int(raws[at])])
        if is_link:
            links[at] = lengths[at]
    prose = [length if length >= MIN_RUN and not link else 0 for length, link in zip(lengths, links, strict=True)]
    return _Sums([0, *accumulate(lengths)], [0, *accumulate(links)], [0, *accumulate(prose)])


def _find_outside(top: _Element, prose: list[int]) -> list[_Element]:
    """Return the outermost elements that are not the article by their names, unless hardly any prose is elsewhere."""
    total = rest = prose[-1]
    found = []
    stack = [top]
    while stack:
        element = stack.pop()
        inside = prose[element.end] - prose[element.start]
        if _is_outside(element) and rest - inside >= max(MIN_PROSE, MIN_KEPT_SHARE * total):
            rest -= inside
            found.append(element)
        else:
            stack += element.children
    return sorted(found, key=lambda element: element.start)


def _is_outside(element: _Element) -> bool:
    if element.name in _OUTSIDE:
        return True
    tag = element.tag
    if " class=" not in tag and " id=" not in tag:
        return False
    names = f"{attribute(tag, 'class')} {attribute(tag, 'id')}"
    return _NAME.search(names) is not None and not _WITHOUT.search(names)


def _find_links(root: _Element, sums: _Sums, outside: list[_Element]) -> Iterator[_Element]:
    """Yield the outermost elements that are made of links."""
    known = {element.start for element in outside}
    stack = list(root.children)
    while stack:
        element = stack.pop()
        if element.start in known:
            continue
        text = sums.text[element.end] - sums.text[element.start]
        links = sums.links[element.end] - sums.links[element.start]
        if element.name in _LINKED and links > MIN_LINK_SHARE * text:
            yield element
        else:
            stack += element.children


def _without(sums: list[int], outside: list[_Element]) -> list[int]:
    """Return the sums without the letters of some elements."""
    kept = []
    last = lost = 0
    for element in outside:
        kept += [each - lost for each in sums[last : element.start]]
        kept += [sums[element.start] - lost] * (element.end - element.start)
        lost += sums[element.end] - sums[element.start]
        last = element.end
    return kept + [each - lost for each in sums[last:]]


def _descend(element: _Element, prose: list[int]) -> _Element:
    """Return the innermost element that holds nearly all prose."""
    while element.children and element.name != "article" and not _is_body(element):
        sizes = [prose[each.end] - prose[each.start] for each in element.children]
        most = max(sizes)
        child = element.children[sizes.index(most)]
        if child.name not in _ENTERED or most < MIN_SHARE * (prose[element.end] - prose[element.start]):
            break
        if _is_main(element) and not (child.name == "article" or _is_body(child)):
            break
        if any(
            size >= MIN_PEER and each is not child and _kind(each) == _kind(child)
            for each, size in zip(element.children, sizes, strict=True)
        ):
            break
        element = child
    return element


def _kind(element: _Element) -> tuple[str, str]:
    return element.name, attribute(element.tag, "class")


def _is_main(element: _Element) -> bool:
    return element.name == "main" or 'role="main"' in element.tag


def _is_body(element: _Element) -> bool:
    return 'itemprop="articleBody"' in element.tag


def _cut(tokens: Tokens, root: _Element, outside: list[_Element], sums: _Sums) -> Tokens:
    """Return the tokens of an element, without some that are inside of it, below the title of the page."""
    tags, texts, raws = [], [], []
    for start, end in _kept_ranges(tokens.tags, root, outside):
        tags += tokens.tags[start:end]
        texts += tokens.texts[start:end]
        raws += tokens.raws[start:end]
        tags.append("/div")
        texts.append(tokens.texts[end] if end < len(tokens.texts) else "")
        raws.append("")
    return Tokens(tags, texts, raws, tokens.preformatted)


def _kept_ranges(tags: list[str], root: _Element, outside: list[_Element]) -> Iterator[tuple[int, int]]:
    title = _find_title(tags, root)
    if title:
        yield title
    at = root.start
    for element in outside:
        if root.start < element.start and element.end <= root.end:
            yield at, element.start
            at = element.end + 1
    yield at, root.end + 1


def _find_title(tags: list[str], root: _Element) -> tuple[int, int] | None:
    """Return where the last first-level heading before the article is, unless it has one itself."""
    places = [at for at, tag in enumerate(tags[: root.end]) if tag[:2] == "h1" and tag[2:3] in ("", " ")]
    if not places or places[-1] >= root.start:
        return None
    return places[-1], tags.index("/h1", places[-1]) + 1
