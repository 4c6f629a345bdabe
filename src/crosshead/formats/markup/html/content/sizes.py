"""The elements of a page that may hold others, and how much of its text precedes each tag.

With sums, the letters in any element are a difference of two numbers, however deep it is nested.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import Final, NamedTuple

from crosshead.formats.markup.html.tokens import Tokens

MIN_RUN: Final = 60
"""Bytes of text between two tags, outside links, from which on it is prose; a Chinese sign has three of them, and
says about as much as three Latin letters."""
_CONTAINERS: Final = frozenset((
    "body", "div", "section", "article", "main", "aside", "header", "footer", "nav", "form", "table", "tbody", "tr",
    "td", "ul", "ol", "li", "dl", "p", "figure", "center",
))  # fmt: skip
_ENDS: Final = frozenset(f"/{name}" for name in _CONTAINERS)


class Element:
    """An element with those inside it, from its start tag to its end tag."""

    __slots__ = ("children", "end", "name", "start", "tag")

    def __init__(self, start: int, name: str, tag: str) -> None:
        self.start = start
        self.end = start
        self.name = name
        self.tag = tag
        self.children: list[Element] = []

    def sum_of(self, sums: list[int]) -> int:
        """Return the difference that the element makes."""
        return sums[self.end] - sums[self.start]


class Sums(NamedTuple):
    """Bytes of text before each tag: all, those in links, those of prose."""

    text: list[int]
    links: list[int]
    prose: list[int]


def read_elements(tags: list[str]) -> Element:
    """Return an element that holds all others."""
    top = Element(0, "", "")
    stack = [top]
    for at, tag in enumerate(tags):
        if tag[:1] == "/":
            if tag in _ENDS and len(stack) > 1:
                stack.pop().end = at
            continue
        name = tag.partition(" ")[0]
        if name in _CONTAINERS:
            element = Element(at, name, tag)
            stack[-1].children.append(element)
            stack.append(element)
    for element in stack:
        element.end = len(tags)
    return top


def sum_up(tokens: Tokens) -> Sums:
    """Return how much text precedes each tag, and after the last one."""
    lengths = list(_lengths(tokens))
    links = [length if is_link else 0 for length, is_link in zip(lengths, _link_flags(tokens.tags), strict=True)]
    prose = [length if length >= MIN_RUN and not link else 0 for length, link in zip(lengths, links, strict=True)]
    return Sums([0, *accumulate(lengths)], [0, *accumulate(links)], [0, *accumulate(prose)])


def leave_out(sums: list[int], elements: list[Element]) -> list[int]:
    """Return sums to which some elements, in the order of the page and none in another, add nothing."""
    kept: list[int] = []
    last = lost = 0
    for element in elements:
        kept += [each - lost for each in sums[last : element.start]]
        kept += [sums[element.start] - lost] * (element.end - element.start)
        lost += element.sum_of(sums)
        last = element.end
    return kept + [each - lost for each in sums[last:]]


def _lengths(tokens: Tokens) -> Iterator[int]:
    for tag, text in zip(tokens.tags, tokens.texts, strict=True):
        is_set_aside = tag[:3] == "pre" and text.isdigit()
        shown = tokens.preformatted[int(text)] if is_set_aside else text
        yield len(shown.strip().encode("utf-8", "replace"))


def _link_flags(tags: list[str]) -> Iterator[bool]:
    is_link = False
    for tag in tags:
        if tag[:2] == "a " or tag == "a":
            is_link = True
        elif tag == "/a":
            is_link = False
        yield is_link
