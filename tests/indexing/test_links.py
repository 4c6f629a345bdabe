"""The links and anchors of documents of every format, with the section and the citation of each."""

from __future__ import annotations

from pathlib import Path

import pytest

from crosshead import pipeline
from crosshead.index import Index
from crosshead.indexing.steps.links import links_in
from crosshead.indexing.steps.prepare import sections_of
from crosshead.types import MAX_LINKS, DocumentLinks


def read(text: str, format: str, source: str) -> tuple[DocumentLinks, dict[str, str]]:
    """Return the links of a text, and the titles of its sections by their ids."""
    document = pipeline.read(text.encode(), format, source=source)
    sections = tuple(sections_of(document.root, document.id))
    return links_in(document, sections), {each.id: each.title for each in sections}


RST = """\
.. _top:

Title
=====

See :ref:`install` and :ref:`the
setup <setup-label>`. ``:ref:`no```

.. class:: session

   Words about it.

   See :doc:`/guide/x`.

.. toctree::

   guide
   api/*

.. _second:

Second
------

An _`inline target`, `text <other.html#foo>`_.

.. code-block:: rst
   :name: listing

   .. _not shown:

   :ref:`not`
"""


def test_restructuredtext() -> None:
    found, titles = read(RST, "rst", "d/a.rst")
    assert [(each.citation, titles[each.section_id], each.kind, each.target) for each in found.links] == [
        ("d/a.rst:6", "Title", "label", "install"),
        ("d/a.rst:6", "Title", "label", "setup-label"),
        ("d/a.rst:13", "session", "page", "/guide/x"),
        ("d/a.rst:17", "session", "path", "guide"),
        ("d/a.rst:25", "Second", "path", "other.html#foo"),
    ]
    labels = {each.name: titles[each.section_id] for each in found.anchors if each.kind == "label"}
    assert labels["top"] == "Title"
    assert labels["second"] == labels["inline target"] == labels["listing"] == "Second"


def test_asciidoc() -> None:
    text = "= A\n\n[[one]]\n== One\n\n<<two>> link:b.html[b] [[in]]x\n\n----\n<<no>> [[no]]\n----\n\n[#two]\n== Two\n"
    found, titles = read(text, "asciidoc", "a.adoc")
    assert [(each.citation, each.target) for each in found.links] == [("a.adoc:6", "#two"), ("a.adoc:6", "b.html")]
    assert {each.name: titles[each.section_id] for each in found.anchors if each.kind == "label"} == {
        "one": "One",
        "in": "One",
        "two": "Two",
    }


def test_html() -> None:
    text = (
        "<h1>A</h1><p>Some words, <a href='b.html#x'>b</a>.</p><section id=two><h2>Two</h2><p id=p>Text</p></section>"
    )
    found, titles = read(text, "html", "a.html")
    assert [(each.citation, each.target) for each in found.links] == [("a.html (A)", "b.html#x")]
    assert {each.name: titles[each.section_id] for each in found.anchors if each.kind == "id"} == {
        "two": "Two",
        "p": "Two",
    }


def test_an_anchor_above_a_heading_belongs_to_it() -> None:
    found, titles = read('# A\n\nText\n\n<a name="b"></a>\n\n## B\n\nx <i id="c">y</i>\n\n## C\n', "markdown", "a.md")
    assert {each.name: titles[each.section_id] for each in found.anchors if each.kind == "id"} == {"b": "B", "c": "B"}


@pytest.mark.parametrize("count", [MAX_LINKS, MAX_LINKS + 1, 1_000_000])
def test_a_text_of_links_is_bounded(count: int) -> None:
    found, _ = read("# A\n\n" + "[x](b.md) " * count, "markdown", "a.md")
    assert (len(found.links), found.omitted) == (MAX_LINKS, count - MAX_LINKS)


def test_new_settings_keep_the_links(tmp_path: Path) -> None:
    (tmp_path / "a.rst").write_text(RST)
    (tmp_path / "b.rst").write_text("B\n=\n\n.. _install:\n\nC\n-\n\nText.\n")
    with Index(tmp_path / "index", root=tmp_path, embedder="static") as index:
        index.add(tmp_path)
        before = index.links("b.rst")
        assert before is not None
        assert [each.citation for each in before.into] == ["a.rst:6"]
        index.change(max_tokens=100)
        assert index.links("b.rst") == before
        index.copy_to(tmp_path / "copy")
    with Index(tmp_path / "copy", create=False) as copied:
        assert copied.links("b.rst") == before
