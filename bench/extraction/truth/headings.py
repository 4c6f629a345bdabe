"""Headings: found, at their level, and as a tree with the text below them.

level       headings at the right level, a constant shift of the document allowed; a title is right at the top
headings    headings at any level
false       headings that are none; the second number counts the headings found
f1          F1 of headings with their level: right ones over those found and those wanted
mhs         similarity of the trees of headings, with the text below each heading as a leaf: 1 minus their edit
            distance over the size of the larger tree; unlike texts cost Levenshtein's distance, of characters in
            headings and of words in text; averaged over documents
mhs shape   the same without texts

Lines that are headings to one reader and none to another (titles of tables, "Table of Contents") do not count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from . import markdown as found
from .edits import Node, difference, tree_distance
from .share import Score, Share, f1

Outline = Sequence[tuple[int, str]]
"""Headings with their levels and, at level 0, the text between them."""


def score_headings(truth: Mapping[str, Any], text: str) -> Score:
    """Compare the headings of the Markdown with the true ones, one by one and as trees."""
    return {**count_headings(truth, text), **score_outline(truth, text)}


def count_headings(truth: Mapping[str, Any], text: str) -> Score:
    """Compare the headings one by one."""
    optional = _optional(truth)
    got = [each for each in found.headings(text) if tuple(found.words(each.text)) not in optional]
    wanted = truth["headings"]
    pairs = _pair(wanted, got)
    right = _right(pairs, got)
    return {
        "level": Share(right, len(wanted)),
        "headings": Share(len(pairs), len(wanted)),
        "false": Share(len(got) - len(pairs), len(got)),
        "f1": f1(right, len(wanted), len(got)),
    }


def score_outline(truth: Mapping[str, Any], text: str) -> Score:
    """Compare the trees of headings and text."""
    one, other = tree_of(truth["outline"]), tree_of(found.outline(text, _optional(truth)))
    size = max(_size(one), _size(other))
    return {
        "mhs": Share(1 - tree_distance(one, other, _text_distance) / size, 1),
        "mhs shape": Share(1 - tree_distance(one, other, _kind_distance) / size, 1),
    }


def _optional(truth: Mapping[str, Any]) -> set[tuple[str, ...]]:
    return {tuple(found.words(line)) for line in truth.get("optional headings", ())}


def tree_of(outline: Outline) -> Node:
    """Return the headings nested by their levels, with the text below each as its first leaf."""
    root = Node(kind="document")
    open_nodes = [(0, root)]
    for level, text in outline:
        if not level:
            open_nodes[-1][1].children.append(Node(" ".join(found.words(text)), "text"))
            continue
        while open_nodes[-1][0] >= level:
            open_nodes.pop()
        node = Node(" ".join(found.words(text)), "heading")
        open_nodes[-1][1].children.append(node)
        open_nodes.append((level, node))
    return root


def _text_distance(one: Node, other: Node) -> float:
    if one.kind != other.kind:
        return 1.0
    if one.kind == "text":
        return difference(tuple(one.text.split()), tuple(other.text.split()))
    return difference(one.text, other.text)


def _kind_distance(one: Node, other: Node) -> float:
    return float(one.kind != other.kind)


def _size(node: Node) -> int:
    return 1 + sum(_size(child) for child in node.children)


def _right(pairs: Sequence[tuple[Mapping[str, Any], found.Heading]], got: Sequence[found.Heading]) -> int:
    shifts = Counter(heading.level - truth["level"] for truth, heading in pairs if not truth["is_title"])
    shift = shifts.most_common(1)[0][0] if shifts else 0
    top = min([heading.level for heading in got], default=1)
    return sum(
        heading.level == top if truth["is_title"] else heading.level == min(truth["level"] + shift, 6)
        for truth, heading in pairs
    )


def _pair(
    wanted: Sequence[Mapping[str, Any]], got: Sequence[found.Heading]
) -> list[tuple[Mapping[str, Any], found.Heading]]:
    """Pair headings by their words, in order and as many as possible; one that is out of order stays alone."""
    keys = [found.words(truth["text"]) for truth in wanted]
    others = [found.words(heading.text) for heading in got]
    counts = [[0] * (len(others) + 1) for _ in range(len(keys) + 1)]
    for i in reversed(range(len(keys))):
        for j in reversed(range(len(others))):
            counts[i][j] = counts[i + 1][j + 1] + 1 if keys[i] == others[j] else max(counts[i + 1][j], counts[i][j + 1])
    pairs: list[tuple[Mapping[str, Any], found.Heading]] = []
    i = j = 0
    while i < len(keys) and j < len(others):
        if keys[i] == others[j]:
            pairs.append((wanted[i], got[j]))
            i, j = i + 1, j + 1
        elif counts[i + 1][j] >= counts[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs
