from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from crosshead import HeadingStack, Section, parse_blocks
from crosshead.markdown import build_tree

TEXT = "intro\n\n# A\n\none\n\n### A1\n\n## A2\n\ntwo\n\n# B\n\n# A\n\nthree\n"


def tree(text: str, document_id: str = "d") -> Section:
    return build_tree(document_id, parse_blocks(text))


def walk(section: Section) -> Iterator[Section]:
    yield section
    for child in section.children:
        yield from walk(child)


def outline(text: str) -> list[tuple[tuple[str, ...], int]]:
    return [(section.path, section.level) for section in walk(tree(text))]


def test_section_path() -> None:
    assert outline(TEXT) == [
        ((), 0),
        (("A",), 1),
        (("A", "A1"), 3),
        (("A", "A2"), 2),
        (("B",), 1),
        (("A",), 1),
    ]


def test_section_path_accuracy() -> None:
    """Every heading has the path that a stack of headings gives."""
    for text in (TEXT, "## b\n\n# a\n\n### c\n\n## d\n", "###### f\n# a\n"):
        stack, paths = HeadingStack(), [()]
        for block in parse_blocks(text):
            if block.kind == "heading":
                stack.push(block.level, block.title)
                paths.append(stack.path)
        assert [path for path, _ in outline(text)] == paths


def test_preamble() -> None:
    root = tree(TEXT)
    assert [TEXT[block.start : block.end] for block in root.blocks] == ["intro"]
    assert (root.title, root.level, root.parent_id) == ("", 0, None)
    assert tree("# A").blocks == ()


def test_text_without_headings_is_all_the_root() -> None:
    root = tree("one\n\ntwo\n")
    assert (len(root.blocks), root.children) == (2, ())


def test_empty_section() -> None:
    a, b, _ = tree(TEXT).children
    assert [block.kind for block in b.blocks] == ["heading"]
    assert [block.kind for block in a.children[0].blocks] == ["heading"]
    assert (b.start, b.end) == (TEXT.index("# B"), TEXT.index("# B") + 3)


def test_six_levels_and_skips() -> None:
    assert outline("".join(f"{'#' * level} {level}\n" for level in range(1, 7)))[-1] == (tuple("123456"), 6)
    assert outline("# 1\n#### 4\n## 2\n###### 6\n### 3\n") == [
        ((), 0),
        (("1",), 1),
        (("1", "4"), 4),
        (("1", "2"), 2),
        (("1", "2", "6"), 6),
        (("1", "2", "3"), 3),
    ]


def test_document_may_begin_deep_and_rise() -> None:
    assert outline("#### 4\n## 2\n# 1\n") == [((), 0), (("4",), 4), (("2",), 2), (("1",), 1)]


def test_root_covers_the_document() -> None:
    root = tree(TEXT)
    assert (root.start, root.end, root.start_line, root.end_line) == (0, len(TEXT) - 1, 1, 17)
    assert (tree("").start, tree("").end, tree("").start_line, tree("").end_line) == (0, 0, 1, 1)


def test_section_reaches_from_its_heading_to_the_end_of_its_subsections() -> None:
    a = tree(TEXT).children[0]
    assert TEXT[a.start : a.end] == "# A\n\none\n\n### A1\n\n## A2\n\ntwo"
    assert (a.start_line, a.end_line) == (3, 11)
    assert [TEXT[block.start : block.end] for block in a.blocks] == ["# A", "one"]


def test_ids_are_stable_and_name_the_place() -> None:
    before = {section.path: section.id for section in walk(tree("# A\n\n## B\n\none\n"))}
    after = {section.path: section.id for section in walk(tree("new\n\n# A\n\nchanged\n\n## B\n\n## C\n"))}
    assert {path: after[path] for path in before} == before
    assert tree("# A", "another document").children[0].id != before[("A",)]


def test_duplicate_headings_get_different_ids() -> None:
    sections = list(walk(tree("# A\n## B\n## B\n# A\n## B\n## B\n")))
    assert len({section.id for section in sections}) == len(sections)


def test_title_with_a_separator_is_one_level() -> None:
    assert outline("# A > B\n## C")[-1] == (("A > B", "C"), 2)


lines = st.sampled_from(["text", "# A", "# B", "## A", "### A", "#### A > B", "###### A", "A\n=", "A\n-", "```", "- a"])


@given(st.lists(lines, max_size=15).map("\n\n".join))
def test_tree_holds_every_block_once_and_in_order(text: str) -> None:
    blocks = parse_blocks(text)
    root = build_tree("d", blocks)
    sections = list(walk(root))
    assert [block for section in sections for block in section.blocks] == blocks
    assert len({section.id for section in sections}) == len(sections)
    for section in sections:
        for child in section.children:
            assert (child.parent_id, child.path[:-1]) == (section.id, section.path)
            assert section.level < child.level == child.blocks[0].level
            assert section.start <= child.start < child.end <= section.end
            assert section.start_line <= child.start_line <= child.end_line <= section.end_line
