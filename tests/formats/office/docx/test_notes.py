from __future__ import annotations

import pytest
from markdown_it import MarkdownIt
from tests.formats.office.docx.docx_files import (
    NAMESPACES,
    archive,
    convert,
    docx,
    p,
    parts_of,
    pieces,
    relationships,
    run,
)

from crosshead.pipeline import parse_document


def reference(kind: str, id: int | str) -> str:
    return f'<w:r><w:{kind}Reference w:id="{id}"/></w:r>'


def note(kind: str, id: int, *blocks: str, author: str = "") -> str:
    attribute = f' w:author="{author}"' if author else ""
    return f'<w:{kind} w:id="{id}"{attribute}>{"".join(blocks)}</w:{kind}>'


FOOTNOTES = {
    "footnotes": note("footnote", -1, p("separator"))
    + note("footnote", 2, p("First."), p("More."))
    + note("footnote", 3, p("Second.")),
    "endnotes": note("endnote", 2, pieces(f"<w:r><w:endnoteRef/></w:r>{run(' An end.')}")),
    "comments": note("comment", 7, p("Is it?"), author="Ann *Lee*"),
}  # fmt: skip


def test_notes_are_defined_at_the_end_of_their_section() -> None:
    content = (
        p("One", style="Heading1")
        + pieces(run("a") + reference("footnote", 2) + run(" b") + reference("endnote", 2))
        + p("Two", style="Heading1")
        + pieces(run("c") + reference("footnote", 3) + reference("footnote", 2))
    )
    text = convert(docx(content, parts=FOOTNOTES))
    assert text == (
        "# One\n\na[^1] b[^2]\n\n[^1]: – First.\n\n    More.\n\n[^2]: An end.\n\n"
        "# Two\n\nc[^3][^1]\n\n[^3]: – Second.\n"
    )  # fmt: skip
    kinds = [block.kind for block in parse_document(text).blocks]
    assert kinds == ["heading", "paragraph", "footnote", "footnote", "heading", "paragraph", "footnote"]


def test_notes_that_are_not_there() -> None:
    content = pieces(
        run("a") + reference("footnote", 9) + "<w:r><w:footnoteReference/></w:r>" + reference("endnote", 1)
    )
    assert convert(docx(content, parts=FOOTNOTES)) == "a\n"
    assert convert(docx(content)) == "a\n"


def test_comments_on_request() -> None:
    data = docx(pieces(run("a") + reference("comment", 7)), parts=FOOTNOTES)
    assert convert(data) == "a\n"
    assert convert(data, comments=True) == "a[^1]\n\n[^1]: Ann \\*Lee\\*: Is it?\n"


def test_empty_notes_have_no_definition() -> None:
    assert (
        convert(docx(pieces(run("a") + reference("footnote", 1)), parts={"footnotes": note("footnote", 1, p())}))
        == "a[^1]\n"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ibid.", "– Ibid."),
        ("https://example.org/a", "– https://example.org/a"),
        ("Id. (p. 5)", "– Id. (p. 5)"),
        ('Lee "Keys"', '– Lee "Keys"'),
        ("Lee, Keys", "Lee, Keys"),
        ("Id. (p. 5).", "Id. (p. 5)."),
    ],
)
def test_notes_are_not_taken_for_targets_of_links(text: str, expected: str) -> None:
    parts = {"footnotes": note("footnote", 1, p(text), p("More."))}
    markdown = convert(docx(pieces(run("a") + reference("footnote", 1)), parts=parts))
    assert markdown == f"a[^1]\n\n[^1]: {expected}\n\n    More.\n"
    html = MarkdownIt("commonmark").render(markdown)
    assert expected.replace('"', "&quot;") in html


def test_links_of_notes_are_those_of_their_part() -> None:
    linked = pieces(f'<w:hyperlink r:id="r1">{run("x")}</w:hyperlink>{reference("footnote", 1)}')
    files = parts_of(docx(pieces(run("a") + reference("footnote", 1)), links={"r1": "wrong"}))
    files["word/footnotes.xml"] = f"<w:footnotes {NAMESPACES}>{note('footnote', 1, linked)}</w:footnotes>".encode()
    files["word/_rels/footnotes.xml.rels"] = relationships({"r1": "right"}).encode()
    assert convert(archive(files)) == "a[^1]\n\n[^1]: – [x](right)\n"
