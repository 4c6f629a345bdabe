"""The article of a page, without what is around it: comments, related articles, ways to share and to subscribe.

1. Find the elements of the page, and how much text, links and prose each holds (elements.py).
2. Set aside those that are not the article by their names.
3. From the top down, go into the element that holds nearly all of the remaining prose.
4. Of that one, leave out what was set aside, what is made of links, and headings of which nothing is left.

The rules know classes, ids and tags, but no words of any language. Names are not believed where they would leave hardly
any prose: the content of a page may be a thread. All is a few passes over the tags, however deep they are nested.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import accumulate
from typing import Final

from crosshead.extract.readers.html.elements import Element, Sums, leave_out, read_elements, sum_up
from crosshead.extract.readers.html.tokens import Tokens, attribute

MIN_PROSE: Final = 500
"""Bytes that an article has at least."""
MIN_REST: Final = 150
MIN_REST_SHARE: Final = 0.2
"""Of a page's prose that must be left, in bytes and as a share, for a name to be believed."""
MIN_SHARE: Final = 0.8
"""Of all prose that an element must hold to be the article."""
MIN_CLEAN_SHARE: Final = 0.7
"""Prose in the text beside an element from which on that text belongs to the article, as the lead of it does."""
MIN_PEER: Final = 100
"""Bytes of prose in an element beside another of the same kind from which on both are content, as posts of a thread."""
MIN_LINK_SHARE: Final = 0.35
"""Links in the text of an element from which on it is not part of an article."""
MAX_PLACES: Final = 8
MIN_TEXT_BETWEEN: Final = 400
"""Bytes of prose between places where something is left out, if there are many."""
MAX_LEVELS: Final = 3
"""Elements of the same name inside one another that are looked at."""
MAX_NAMES: Final = 500
"""Letters of classes and ids that are looked at."""
MAX_GAP: Final = 20
"""Tags between a heading and what was left out below it."""
_AROUND: Final = frozenset(("nav", "footer", "aside"))
"""They are no article, but boilerplate.py decides about them."""
_ENTERED: Final = frozenset((
    "body", "div", "section", "article", "main", "table", "tbody", "tr", "td", "form", "center",
))  # fmt: skip
_MADE_OF_LINKS: Final = frozenset((
    "div", "section", "ul", "ol", "table", "dl", "tr", "td", "form", "center", "header",
))  # fmt: skip
_NAME: Final = re.compile(
    r"(?:^|[\s_-]|(?<=[a-z])(?=[A-Z]))((?i:"
    r"comment(?:s|list|ary)?|respond|reply|replies|disqus\w*|livefyre"
    r"|related\w*|recommend\w*|similar|outbrain|taboola|trending|popular|mostread"
    r"|shar(?:e|es|ed|ing|edaddy|ebar|ethis|ebuttons?|elinks?|etools?)|socials?|socialmedia|addthis\w*|addtoany\w*"
    r"|newsletter\w*|subscri(?:be|ption)\w*|sign-?up|opt-?in"
    r"|promo\w*|sponsor\w*|adverts?|advertis\w*|ads?|banners?"
    r"|tags|taglist|tagcloud|postmetadata|(?:post|entry|article)-?meta"
    r"|author-?(?:bio|info|box)|about-?author"
    r"|breadcrumbs?|pagination|pager|prevnext|nav\w*|menu\w*|sidebar\w*|footer|copyright"
    r"|cookie\w*|consent|gdpr|popup|modal|overlay|login"
    r"))(?:$|[\s_-]|(?<=[a-z])(?=[A-Z]))"
)
_AROUND_NAMED: Final = re.compile(r"(?:^|[\s_-])(?:for|has|with|without|no)[-_]", re.I)
"""In names of elements that have something beside their content."""
_HEADINGS: Final = frozenset(f"h{level}" for level in range(1, 7))
_LOWER_ENDS: Final = frozenset(f"/h{level}" for level in range(2, 7))


def cut_to_article(tokens: Tokens, notes: Iterable[str]) -> Tokens:
    """Return the tags and texts of the article, and all footnotes, which have these ids."""
    top = read_elements(tokens.tags)
    sums = sum_up(tokens)
    may_go = partial(_holds_no_note, _count_notes(tokens.tags, frozenset(notes)))
    aside = _find_aside(top, sums.prose, may_go)
    rest = Sums(*(leave_out(each, aside) for each in sums))
    root = _descend(top, rest)
    if root.sum_of(rest.prose) < MIN_PROSE:
        return _cut(tokens, top, aside)
    known = {element.start for element in aside}

    def goes(element: Element) -> bool:
        return element.start in known or (_is_made_of_links(element, rest) and may_go(element))

    gone = _outermost(root.children, goes)
    return tokens if _is_listing(gone, root, rest.prose) else _cut(tokens, root, gone)


def _is_listing(gone: list[Element], root: Element, prose: list[int]) -> bool:
    """Do links and short texts alternate? Then the links are the titles of what the page lists."""
    places = {prose[element.start] for element in gone}
    return len(places) > MAX_PLACES and root.sum_of(prose) < MIN_TEXT_BETWEEN * len(places)


def _is_made_of_links(element: Element, sums: Sums) -> bool:
    is_linked = element.sum_of(sums.links) > MIN_LINK_SHARE * element.sum_of(sums.text)
    return is_linked and element.name in _MADE_OF_LINKS and 2 * element.sum_of(sums.prose) < sums.prose[-1]


def _outermost(elements: list[Element], goes: Callable[[Element], bool]) -> list[Element]:
    """Return the elements for which `goes` is true, in the order of the page, and none that is inside of another."""
    found = []
    stack = elements[::-1]
    while stack:
        element = stack.pop()
        if goes(element):
            found.append(element)
        else:
            stack += reversed(element.children)
    return found


def _find_aside(top: Element, prose: list[int], may_go: Callable[[Element], bool]) -> list[Element]:
    """Return elements that are not the article by their names; the names that take least away are believed first."""
    named: dict[str, list[Element]] = {}
    stack = [top]
    while stack:
        element = stack.pop()
        word = _word_of(element)
        if word and may_go(element):
            named.setdefault(word, []).append(element)
        stack += reversed(element.children)
    least = max(MIN_REST, MIN_REST_SHARE * prose[-1])
    left = prose[-1]
    found: list[Element] = []
    groups = [_believable(elements, prose, left - least) for elements in named.values()]
    for group in sorted(groups, key=partial(_sum, prose)):
        if left - _sum(prose, group) >= least:
            left -= _sum(prose, group)
            found += group
    return _outer(sorted(found, key=lambda element: element.start))


def _believable(elements: list[Element], prose: list[int], most: float) -> list[Element]:
    """Return the outermost of elements that share a name, or those inside of them, that hold little enough prose.

    A name may be that of the whole page (`comments-open`); but where it is on all posts of a thread, they are content.
    """
    for _ in range(MAX_LEVELS):
        outer = _outer(elements)
        if _sum(prose, outer) <= most:
            return outer
        starts = {element.start for element in outer}
        elements = [element for element in elements if element.start not in starts]
    return []


def _outer(elements: list[Element]) -> list[Element]:
    """Return those of elements, in the order of the page, that are not inside of another."""
    found: list[Element] = []
    for element in elements:
        if not found or element.start > found[-1].end:
            found.append(element)
    return found


def _sum(prose: list[int], elements: list[Element]) -> int:
    return sum(element.sum_of(prose) for element in elements)


def _word_of(element: Element) -> str:
    """Return the beginning of the word in the names of an element that says what it is instead of the article."""
    tag = element.tag
    if element.name in _AROUND:
        return element.name
    if " class=" not in tag and " id=" not in tag:
        return ""
    names = f"{attribute(tag, 'class')[:MAX_NAMES]} {attribute(tag, 'id')[:MAX_NAMES]}"
    found = _NAME.search(names)
    return found[1][:4].lower() if found and not _AROUND_NAMED.search(names) else ""


def _count_notes(tags: list[str], notes: frozenset[str]) -> list[int]:
    if not notes:
        return []
    return [0, *accumulate(" id=" in tag and attribute(tag, "id") in notes for tag in tags)]


def _holds_no_note(counts: list[int], element: Element) -> bool:
    return not counts or not element.sum_of(counts)


def _descend(element: Element, sums: Sums) -> Element:
    """Return the innermost element that holds nearly all prose, and has nothing but boilerplate beside it."""
    prose = sums.prose
    least = max(1, MIN_SHARE * prose[-1])
    while element.children and element.name != "article" and not _is_article_body(element):
        child = max(element.children, key=lambda each: each.sum_of(prose))
        if (
            child.name not in _ENTERED
            or _word_of(child)
            or child.sum_of(prose) < least
            or _belong_together(element, child, sums)
        ):
            break
        element = child
    return element


def _belong_together(element: Element, child: Element, sums: Sums) -> bool:
    """Does what is beside the child belong to it?"""
    prose, text = sums.prose, sums.text
    if _is_main(element) and child.name != "article" and not _is_article_body(child):
        return True
    beside = element.sum_of(prose) - child.sum_of(prose)
    if beside and beside >= MIN_CLEAN_SHARE * (element.sum_of(text) - child.sum_of(text)):
        return True
    kind = _kind(child)
    return any(
        each is not child and each.sum_of(prose) >= MIN_PEER and _kind(each) == kind for each in element.children
    )


def _kind(element: Element) -> tuple[str, str]:
    return element.name, attribute(element.tag, "class")


def _is_main(element: Element) -> bool:
    return element.name == "main" or attribute(element.tag, "role") == "main"


def _is_article_body(element: Element) -> bool:
    return attribute(element.tag, "itemprop") == "articleBody"


def _cut(tokens: Tokens, root: Element, gone: list[Element]) -> Tokens:
    """Return the tokens of an element without some of those in it, below the title of the page."""
    kept = Tokens([], [], [], tokens.preformatted)
    title = _find_title(tokens.tags, root)
    if title:
        _append(kept, tokens, *title)
    seams = []
    start = root.start
    for element in gone:
        if element.name not in _AROUND:
            _append(kept, tokens, start, element.start)
            seams.append(len(kept.tags))
            _append(kept, tokens, element.end, element.end + 1)
            kept.tags[-1:] = ["/div"]  # it ends nothing, but the text that follows the element stays apart
            start = element.end + 1
    _append(kept, tokens, start, root.end + 1)
    _remove_empty_headings(kept, [*seams, len(kept.tags)])
    return kept


def _append(kept: Tokens, tokens: Tokens, start: int, end: int) -> None:
    kept.tags.extend(tokens.tags[start:end])
    kept.texts.extend(tokens.texts[start:end])
    kept.raws.extend(tokens.raws[start:end])


def _find_title(tags: list[str], root: Element) -> tuple[int, int] | None:
    """Return where the last first-level heading before an element is, unless the element has one."""
    places = [at for at, tag in enumerate(tags[: root.end]) if tag[:2] == "h1" and tag[2:3] in ("", " ")]
    if not places or places[-1] >= root.start:
        return None
    return places[-1], tags.index("/h1", places[-1]) + 1


def _remove_empty_headings(kept: Tokens, seams: list[int]) -> None:
    """Remove headings that end right before a cut, or the end, if no text follows them up to the next heading."""
    ends = {end for seam in seams if (end := _heading_before(kept, seam)) is not None}
    for end in sorted(ends, reverse=True):
        start = end
        while start and kept.tags[start][:2] != kept.tags[end][1:]:
            start -= 1
        for tokens in kept[:3]:
            del tokens[start : end + 1]


def _heading_before(kept: Tokens, seam: int) -> int | None:
    """Return the end tag of a heading of which nothing is left."""
    for end in range(seam - 1, max(-1, seam - MAX_GAP), -1):
        if kept.texts[end].strip():
            return None
        if kept.tags[end] in _LOWER_ENDS:
            return end if _has_no_text(kept, seam) else None
    return None


def _has_no_text(kept: Tokens, seam: int) -> bool:
    """Does a heading, or nothing, follow?"""
    following: Iterator[int] = iter(range(seam, min(len(kept.tags), seam + MAX_GAP)))
    for at in following:
        if kept.tags[at][:2] in _HEADINGS:
            return True
        if kept.texts[at].strip():
            return False
    return seam + MAX_GAP >= len(kept.tags)
