from __future__ import annotations

import pytest

from crosshead import HeadingStack


def stack_of(*headings: tuple[int, str]) -> HeadingStack:
    stack = HeadingStack()
    for level, title in headings:
        stack.push(level, title)
    return stack


def test_empty_stack_is_the_root() -> None:
    stack = HeadingStack()
    assert (stack.path, stack.level, stack.section_title, stack.breadcrumb, len(stack)) == ((), 0, None, None, 0)


@pytest.mark.parametrize(
    ("headings", "path"),
    [
        ([(1, "A"), (2, "B")], ("A", "B")),
        ([(1, "A"), (2, "B"), (2, "C")], ("A", "C")),
        ([(1, "A"), (2, "B"), (3, "C"), (2, "D")], ("A", "D")),
        ([(3, "A"), (2, "B"), (4, "C")], ("B", "C")),
        ([(level, str(level)) for level in range(1, 7)], ("1", "2", "3", "4", "5", "6")),
        ([(6, "A"), (6, "B")], ("B",)),
    ],
)
def test_heading_closes_those_of_its_own_and_deeper_levels(headings: list[tuple[int, str]], path: tuple[str]) -> None:
    stack = stack_of(*headings)
    assert (stack.path, stack.level, len(stack)) == (path, headings[-1][0], len(path))


def test_h1_resets() -> None:
    assert stack_of((1, "A"), (2, "B"), (3, "C"), (1, "D")).path == ("D",)


def test_level_skip() -> None:
    assert stack_of((1, "A"), (3, "B")).path == ("A", "B")
    assert stack_of((1, "A"), (3, "B"), (2, "C")).path == ("A", "C")


def test_breadcrumb() -> None:
    assert stack_of((1, "A"), (2, "B > C")).breadcrumb == "A > B > C"


def test_section_title() -> None:
    assert stack_of((1, "A"), (4, "B")).section_title == "B"


def test_snapshot_is_isolated() -> None:
    stack = stack_of((1, "A"))
    snapshot = stack.path
    stack.push(2, "B")
    assert (snapshot, stack.path) == (("A",), ("A", "B"))
