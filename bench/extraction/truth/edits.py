"""Edit distances: of sequences, of rows of cells, of trees.

Python's integers are the bit vectors, so that nothing has to be installed: Hyyrö's algorithms for the longest common
subsequence and for Levenshtein's distance, and Zhang and Shasha's for ordered trees.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeVar

T = TypeVar("T")


def common(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """Return the length of the longest common subsequence."""
    every = (1 << len(one)) - 1
    rest = every
    masks = _masks(one)
    for item in other:
        hit = rest & masks.get(item, 0)
        rest = (rest + hit | rest - hit) & every
    return len(one) - rest.bit_count()


def indel_similarity(one: Sequence[Hashable], other: Sequence[Hashable]) -> float:
    """Return 1 minus the share of items that are inserted or deleted on the way from one to the other."""
    size = len(one) + len(other)
    return 2 * common(one, other) / size if size else 1.0


@lru_cache(maxsize=200_000)
def difference(one: tuple[str, ...] | str, other: tuple[str, ...] | str) -> float:
    """Return Levenshtein's distance as a share of the longer sequence."""
    if one == other:
        return 0.0
    return _levenshtein(one, other) / max(len(one), len(other))


def _levenshtein(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    if not one or not other:
        return max(len(one), len(other))
    every, last = (1 << len(one)) - 1, 1 << len(one) - 1
    up, down, distance = every, 0, len(one)
    masks = _masks(one)
    for item in other:
        hit = masks.get(item, 0)
        diagonal = ((hit & up) + up ^ up) | hit | down
        rises = down | ~(diagonal | up) & every
        falls = up & diagonal
        distance += bool(rises & last) - bool(falls & last)
        rises, falls = (rises << 1 | 1) & every, falls << 1 & every
        up, down = falls | ~(diagonal | rises) & every, rises & diagonal
    return distance


def _masks(items: Sequence[Hashable]) -> dict[Hashable, int]:
    masks: dict[Hashable, int] = {}
    for place, item in enumerate(items):
        masks[item] = masks.get(item, 0) | 1 << place
    return masks


def align(one: Sequence[T], other: Sequence[T], drop: Callable[[T], float], swap: Callable[[T, T], float]) -> float:
    """Return the lowest cost of turning one sequence into the other by dropping, adding and swapping items."""
    costs = [0.0]
    for item in other:
        costs.append(costs[-1] + drop(item))
    for mine in one:
        before, costs = costs, [costs[0] + drop(mine)]
        for place, yours in enumerate(other):
            costs.append(
                min(before[place] + swap(mine, yours), before[place + 1] + drop(mine), costs[-1] + drop(yours))
            )
    return costs[-1]


@dataclass
class Node:
    """A node of an ordered tree."""

    text: str = ""
    kind: str = ""
    children: list[Node] = field(default_factory=list)


def tree_distance(one: Node, other: Node, swap: Callable[[Node, Node], float]) -> float:
    """Return the lowest cost of turning one tree into the other; adding or deleting a node costs 1."""
    (nodes, lefts, roots), (others, other_lefts, other_roots) = _ordered(one), _ordered(other)
    trees: list[list[float]] = [[0.0] * len(others) for _ in nodes]
    for i in roots:
        for j in other_roots:
            _fill(trees, i, j, lefts, other_lefts, [[swap(a, b) for b in others[other_lefts[j] : j + 1]]
                                                    for a in nodes[lefts[i] : i + 1]])  # fmt: skip
    return trees[-1][-1]


def _fill(
    trees: list[list[float]], i: int, j: int, lefts: list[int], other_lefts: list[int], swaps: list[list[float]]
) -> None:
    """Fill in the distances of the subtrees below i and j that share their leftmost leaf."""
    top, side = lefts[i], other_lefts[j]
    forest = [[float(x + y) if not x or not y else 0.0 for y in range(j - side + 2)] for x in range(i - top + 2)]
    for x in range(1, i - top + 2):
        for y in range(1, j - side + 2):
            a, b = top + x - 1, side + y - 1
            cheapest = min(forest[x - 1][y], forest[x][y - 1]) + 1
            if lefts[a] == top and other_lefts[b] == side:
                forest[x][y] = min(cheapest, forest[x - 1][y - 1] + swaps[x - 1][y - 1])
                trees[a][b] = forest[x][y]
            else:
                forest[x][y] = min(cheapest, forest[lefts[a] - top][other_lefts[b] - side] + trees[a][b])


def _ordered(root: Node) -> tuple[list[Node], list[int], list[int]]:
    """Return the nodes from the leaves up, the leftmost leaf of each, and the roots whose distances are wanted."""
    nodes: list[Node] = []
    lefts: list[int] = []

    def visit(node: Node) -> int:
        first = -1
        for child in node.children:
            left = visit(child)
            first = left if first < 0 else first
        nodes.append(node)
        lefts.append(first if first >= 0 else len(nodes) - 1)
        return lefts[-1]

    visit(root)
    return nodes, lefts, sorted({left: place for place, left in enumerate(lefts)}.values())
