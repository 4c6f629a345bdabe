"""Links and anchors of a Markdown text."""

import pytest

from crosshead.markdown import find_links, parse_blocks
from crosshead.types import MAX_LINKS


def links(text: str, *, mdx: bool = False) -> list[tuple[str, str, str]]:
    found = find_links(text, parse_blocks(text, mdx=mdx)).links
    return [(each.text, each.target, each.kind) for each in found]


def anchors(text: str) -> list[tuple[str, str]]:
    found = find_links(text, parse_blocks(text)).anchors
    return [(each.name, each.kind) for each in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See [x](../a.md#b 'title').", [("x", "../a.md#b", "path")]),
        ("[a b](<my file.md>)", [("a b", "my file.md", "path")]),
        ("[a](b\\_c.md?x=1&amp;y)", [("a", "b_c.md?x=1&y", "path")]),
        ("[y][ref] [ref] [ref][]\n\n[ref]: t.md 'T'", [(each, "t.md", "path") for each in ("y", "ref", "ref")]),
        ("[y][ref]\n\n[ref]: <t u.md>", [("y", "t u.md", "path")]),
        ("[![picture](p.png)](page.md)", [("picture", "page.md", "path")]),
        ("![picture](p.png)", []),
        ("[outer [inner](a.md)](b.md)", [("inner", "a.md", "path")]),
        ("`[no](a.md)` and ``[no](`a.md)``", []),
        ("\\[no](a.md) [no]\\(a.md)", []),
        ("```\n[no](a.md)\n```\n\n    [no](b.md)\n", []),
        ("- [in](l.md)\n  ```\n  [no](c.md)\n  ```\n  [and](m.md)", [("in", "l.md", "path"), ("and", "m.md", "path")]),
        ("> [q](q.md)", [("q", "q.md", "path")]),
        ("| a |\n|---|\n| [c](c.md) |", [("c", "c.md", "path")]),
        ("# A [b](c.md)\n", [("b", "c.md", "path")]),
        ("<!-- [no](a.md) --> [y](y.md)", [("y", "y.md", "path")]),
        ('<a class="x" href="z.html#k">zed</a>', [("zed", "z.html#k", "path")]),
        ("<guide.md> <b.html#c>", [("guide.md", "guide.md", "path"), ("b.html#c", "b.html#c", "path")]),
        ("[[Page]] [[Page#Sec|text]]", [("Page", "Page", "wiki"), ("text", "Page#Sec", "wiki")]),
        ("[[1]](#note) [[toc]] [[_TOC_]]", [("[1]", "#note", "path")]),
        ("{ref}`shown <label>` {doc}`/a/b`", [("shown", "label", "label"), ("/a/b", "/a/b", "page")]),
        ("[a](https://x.org/a.md) [b](//x.org) <mailto:a@b.c> [c](mailto:a@b.c) [d](javascript:x) [e](data:,x)", []),
        ("[a]({{ url }}) [b]({% link a.md %}) [c](${x}) [d](<%= y %>) [e](x{0}.md)", []),
        ("[a](%20b%C3%A4.md) [b](ä.md)", [("a", "%20b%C3%A4.md", "path"), ("b", "ä.md", "path")]),
        ("[f](ROOT:p.adoc#x) [g](project:p.md)", [("f", "ROOT:p.adoc#x", "path"), ("g", "project:p.md", "path")]),
    ],
)  # fmt: skip
def test_links(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert links(text) == expected


def test_components_of_mdx() -> None:
    text = '<Link to="/docs/a">A</Link>\n\n<Card href={"/b"} title="x" />\n\n<Card href={url} />\n\n'
    text += "Text <Link to='c.md'>c</Link>\n"
    assert links(text, mdx=True) == [("A", "/docs/a", "path"), ("", "/b", "path"), ("c", "c.md", "path")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# A *b*\n\nC\n--\n", [("A b", "heading"), ("C", "heading")]),
        ("## A {#my-id}\n", [("my-id", "id")]),
        ("## A {: #my-id .x }\n", [("my-id", "id")]),
        ("## A \\{#my-id}\n", [("my-id", "id")]),
        ('<a name="old"></a> <span id=s1>x</span>', [("old", "id"), ("s1", "id")]),
        ("(label)=\n# A\n", [("label", "label"), ("A", "heading")]),
        ("[](){ #named }\n", [("named", "id")]),
        ("`{#no}` `<a id='no'>`\n\n```\n# no {#no}\n```\n", []),
    ],
)
def test_anchors(text: str, expected: list[tuple[str, str]]) -> None:
    assert [each for each in anchors(text) if each[1] != "heading" or each in expected] == expected


def test_positions_are_those_of_the_text() -> None:
    text = "---\ntitle: x\n---\n\n# A\n\n- b\n- see\n  [c](d.md)\n"
    found = find_links(text, parse_blocks(text))
    assert [text[each.start :].startswith("[c]") for each in found.links] == [True]
    assert [text[each.start :].startswith("# A") for each in found.anchors] == [True]


def test_more_links_than_are_kept_are_counted() -> None:
    text = "[a](b.md)\n" * (MAX_LINKS + 7)
    found = find_links(text, parse_blocks(text))
    assert (len(found.links), found.omitted) == (MAX_LINKS, 7)
