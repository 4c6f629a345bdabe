"""Edit distances agree with plain definitions."""

from __future__ import annotations

from functools import cache

import pytest
from bench.extraction.truth.edits import Node, align, common, difference, indel_similarity, tree_distance
from hypothesis import given
from hypothesis import strategies as st

TEXTS = st.text("abc", max_size=12)


def plain_distance(one: str, other: str, swap: int) -> int:
    """The recursion that defines an edit distance; a swap costs this much."""

    @cache
    def distance(i: int, j: int) -> int:
        if not i or not j:
            return i + j
        same = distance(i - 1, j - 1) + (0 if one[i - 1] == other[j - 1] else swap)
        return min(same, distance(i - 1, j) + 1, distance(i, j - 1) + 1)

    return distance(len(one), len(other))


@given(TEXTS, TEXTS)
def test_levenshtein_is_the_plain_one(one: str, other: str) -> None:
    longest = max(len(one), len(other), 1)
    assert difference(one, other) == pytest.approx(plain_distance(one, other, 1) / longest)


@given(TEXTS, TEXTS)
def test_common_subsequence_and_indel_distance_agree(one: str, other: str) -> None:
    assert len(one) + len(other) - 2 * common(one, other) == plain_distance(one, other, 2)


def test_equal_and_empty_texts_are_alike() -> None:
    assert indel_similarity("", "") == indel_similarity("word", "word") == 1.0
    assert indel_similarity("ab", "cd") == 0.0


def test_alignment_drops_and_swaps() -> None:
    def cost(one: str, other: str) -> float:
        return align(one, other, lambda _: 1.0, lambda a, b: float(a != b))

    assert [cost("abc", "abc"), cost("abc", "ac"), cost("abc", "axc"), cost("", "ab")] == [0, 1, 1, 2]


def tree(text: str) -> Node:
    """Read a(b,c(d)) as a tree."""
    root = Node(text="root")
    stack = [root]
    for sign in text:
        if sign == "(":
            stack.append(stack[-1].children[-1])
        elif sign == ")":
            stack.pop()
        elif sign != ",":
            stack[-1].children.append(Node(text=sign))
    return root


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [
        ("a(b,c)", "a(b,c)", 0),
        ("a(b,c)", "a(b)", 1),
        ("a(b,c)", "a(b,x)", 1),
        ("a(b(c))", "a(b,c)", 2),  # c is deleted and added elsewhere
        ("f(d(a,c(b)),e)", "f(c(d(a,b)),e)", 2),  # the example of Zhang and Shasha
        ("a(b)", "", 2),
    ],
)
def test_trees(one: str, other: str, distance: float) -> None:
    assert tree_distance(tree(one), tree(other), lambda a, b: float(a.text != b.text)) == distance
    assert tree_distance(tree(other), tree(one), lambda a, b: float(a.text != b.text)) == distance
