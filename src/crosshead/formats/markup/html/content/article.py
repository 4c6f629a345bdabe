"""The article of a page, without what is around it: comments, related articles, ways to share and to subscribe.

1. Find the elements of the page, and how much text, links and prose each holds (`sizes`).
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
from itertools import accumulate, pairwise
from typing import Final

from crosshead.formats.markup.html.content.main_content import is_article_body, names_of
from crosshead.formats.markup.html.content.sizes import Element, Sums, leave_out, read_elements, sum_up
from crosshead.formats.markup.html.tokens import Tokens, attribute

MIN_PROSE: Final = 500
"""Bytes that an article has at least."""
MIN_REST: Final = 150
MIN_REST_SHARE: Final = 0.2
"""Of a page's prose that must be left, in bytes and as a share, for a name to be believed."""
MIN_SHARE: Final = 0.8
"""Of all prose that an element must hold to be the article."""
MIN_BODY_SHARE: Final = 0.5
"""The same for an element that is marked as the article."""
MIN_CLEAN_SHARE: Final = 0.7
"""Minimum prose next to an element for that text to belong to the article, as a lead does."""
MIN_PEER: Final = 100
"""Minimum prose in two elements of the same kind for both to be content, as posts of a thread."""
MIN_LINK_SHARE: Final = 0.35
"""Links in the text of an element from which on it is not part of an article."""
MAX_PLACES: Final = 8
MIN_TEXT_BETWEEN: Final = 400
"""Bytes of prose between places where something is left out, if there are many."""
MAX_LEVELS: Final = 3
"""Elements of the same name inside one another that are looked at."""
MAX_GAP: Final = 20
"""Tags between a heading and what was left out below it."""
_AROUND: Final = frozenset(("nav", "footer", "aside"))
"""Not part of an article, but left to `boilerplate`."""
_ENTERED: Final = frozenset((
    "body", "div", "section", "article", "main", "table", "tbody", "tr", "td", "ul", "li", "form", "center",
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
"""Words in names of elements around the content with additions."""
_HEADINGS: Final = frozenset(f"h{level}" for level in range(1, 7))
_LOWER_ENDS: Final = frozenset(f"/h{level}" for level in range(2, 7))


def cut_to_article(tokens: Tokens, notes: Iterable[str]) -> Tokens:
    """Return the tags and texts of the article, and all footnotes, which have these ids."""
    top = read_elements(tokens.tags)
    sums = sum_up(tokens)
    may_go = partial(_holds_no_note, _count_notes(tokens.tags, frozenset(notes)))
    aside = _find_aside(top, sums.prose, may_go)
    rest = Sums(*(leave_out(each, aside) for each in sums))
    titles = [0, *accumulate(tag[:2] == "h1" and tag[2:3] in ("", " ") for tag in tokens.tags)]
    root = _descend(top, rest, titles)
    if root.sum_of(rest.prose) < MIN_PROSE:
        return _cut(tokens, top, aside)
    known = {element.start for element in aside}

    def goes(element: Element) -> bool:
        return element.start in known or (_is_made_of_links(element, rest) and may_go(element))

    gone = _outermost(root.children, goes)
    is_listing = not _is_article(root) and _is_listing(gone, root, rest.prose)
    return tokens if is_listing else _cut(tokens, root, gone, _find_lead(tokens.tags, top, root, rest))


def _is_listing(gone: list[Element], root: Element, prose: list[int]) -> bool:
    """Return whether links and short texts alternate, so that the links are titles of listed items."""
    places = {prose[element.start] for element in gone}
    return len(places) > MAX_PLACES and root.sum_of(prose) < MIN_TEXT_BETWEEN * len(places)


def _is_made_of_links(element: Element, sums: Sums) -> bool:
    is_linked = element.sum_of(sums.links) > MIN_LINK_SHARE * element.sum_of(sums.text)
    return is_linked and element.name in _MADE_OF_LINKS and 2 * element.sum_of(sums.prose) < sums.prose[-1]


def _outermost(elements: list[Element], goes: Callable[[Element], bool]) -> list[Element]:
    """Return the elements for which `goes` is true, in the order of the page, and none that is inside another."""
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
    least = max(MIN_REST, min(MIN_PROSE * 2, MIN_REST_SHARE * prose[-1]))
    left = prose[-1]
    found: list[Element] = []
    groups = [_believable(elements, prose, left - least) for elements in named.values()]
    for group in sorted(groups, key=partial(_sum, prose)):
        if left - _sum(prose, group) >= least:
            left -= _sum(prose, group)
            found += group
    return _outer(sorted(found, key=lambda element: element.start))


def _believable(elements: list[Element], prose: list[int], most: float) -> list[Element]:
    """Return the outermost of elements that share a name, or those inside them, that hold little enough prose.

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
    """Return those of elements, in the order of the page, that are not inside another."""
    found: list[Element] = []
    for element in elements:
        if not found or element.start > found[-1].end:
            found.append(element)
    return found


def _sum(prose: list[int], elements: list[Element]) -> int:
    return sum(element.sum_of(prose) for element in elements)


def _word_of(element: Element) -> str:
    """Return the word in the names of an element that marks it as something other than the article."""
    if element.name in _AROUND:
        return element.name
    names = names_of(element.tag)
    found = _NAME.search(names)
    return found[1][:4].lower() if found and not _AROUND_NAMED.search(names) else ""


def _count_notes(tags: list[str], notes: frozenset[str]) -> list[int]:
    if not notes:
        return []
    return [0, *accumulate(" id=" in tag and attribute(tag, "id") in notes for tag in tags)]


def _holds_no_note(counts: list[int], element: Element) -> bool:
    return not counts or not element.sum_of(counts)


def _descend(top: Element, sums: Sums, titles: list[int]) -> Element:
    """Return the innermost element marked as the text of an article that holds half of the prose; on pages
    without one, the innermost that holds nearly all prose, and has nothing but boilerplate beside it."""
    path = [top]
    while child := _enter(path[-1], sums.prose, titles):
        path.append(child)
    marked = [element for element in path if _is_article(element)]
    if marked:
        return next((element for element in reversed(marked) if is_article_body(element.tag)), marked[0])
    least = MIN_SHARE * sums.prose[-1]
    for element, child in pairwise(path):
        if child.sum_of(sums.prose) < least or _is_main(element) or _has_lead(element, child, sums, titles):
            return element
    return path[-1]


def _enter(element: Element, prose: list[int], titles: list[int]) -> Element | None:
    """Return the element inside another that holds most prose, if the article may be in it alone."""
    child = max(element.children, key=lambda each: each.sum_of(prose), default=None)
    if child is None or child.name not in _ENTERED or child.sum_of(prose) < max(1, MIN_BODY_SHARE * prose[-1]):
        return None
    if _word_of(child) and not child.sum_of(titles):
        return None
    kind = _kind(child)
    peers = (each for each in element.children if each is not child and each.sum_of(prose) >= MIN_PEER)
    return None if any(_kind(each) == kind for each in peers) else child


def _has_lead(element: Element, child: Element, sums: Sums, titles: list[int]) -> bool:
    """Return whether prose comes before the child without a title that would begin a lead."""
    prose, text = (each[child.start] - each[element.start] for each in (sums.prose, sums.text))
    return not titles[child.start] and 0 < MIN_CLEAN_SHARE * text <= prose


def _kind(element: Element) -> tuple[str, str]:
    return element.name, attribute(element.tag, "class")


def _is_main(element: Element) -> bool:
    return element.name == "main" or attribute(element.tag, "role") == "main"


def _is_article(element: Element) -> bool:
    return element.name == "article" or is_article_body(element.tag)


def _find_lead(tags: list[str], top: Element, root: Element, sums: Sums) -> list[Element]:
    """Return elements of prose between the title and the article."""
    title = _find_title(tags, root)
    if not title:
        return []

    def is_lead(element: Element) -> bool:
        is_between = title[1] <= element.start and element.end < root.start
        return is_between and 0 < MIN_CLEAN_SHARE * element.sum_of(sums.text) <= element.sum_of(sums.prose)

    return _outermost(top.children, is_lead)


def _cut(tokens: Tokens, root: Element, gone: list[Element], lead: Iterable[Element] = ()) -> Tokens:
    """Return the tokens of an element without some of those in it, below the title of the page and a lead."""
    kept = Tokens([], [], [], tokens.preformatted)
    title = _find_title(tokens.tags, root)
    if title:
        _append(kept, tokens, *title)
    for element in lead:
        _append(kept, tokens, element.start, element.end + 1)
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
    """Return whether a heading, or nothing, follows."""
    following: Iterator[int] = iter(range(seam, min(len(kept.tags), seam + MAX_GAP)))
    for at in following:
        if kept.tags[at][:2] in _HEADINGS:
            return True
        if kept.texts[at].strip():
            return False
    return seam + MAX_GAP >= len(kept.tags)
