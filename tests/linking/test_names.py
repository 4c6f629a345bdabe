"""The names by which a link and the document that it leads to find each other."""

import pytest

from crosshead.linking import names_of_document, names_of_link
from crosshead.linking.names import parse_target
from crosshead.types import Link, LinkKind


def leads_to(target: str, source: str, to: str, kind: LinkKind = "path", **front_matter: object) -> bool:
    """Return whether a link and a document have a name in common."""
    link = Link(0, "", target, kind)
    return not {*names_of_link(link, source)}.isdisjoint(names_of_document(to, front_matter, ()))


@pytest.mark.parametrize(
    ("target", "source", "to"),
    [
        ("b.md", "a.md", "b.md"),
        ("./b.md#x", "d/a.md", "d/b.md"),
        ("../b.md?plain=1", "d/a.md", "b.md"),
        ("b", "d/a.md", "d/b.md"),
        ("b/", "d/a.md", "d/b/index.md"),
        ("b", "d/a.md", "d/b/README.md"),
        (".", "d/a.md", "d/index.md"),
        ("b.html", "d/a.rst", "d/b.rst"),
        ("../b/", "d/a.md", "d/b.md"),
        ("/b", "x/y/a.md", "x/b.md"),
        ("/b", "x/y/a.md", "b.md"),
        ("/x/b.md", "x/y/a.md", "x/b.md"),
        ("my%20b%C3%A4.md", "a.md", "my bä.md"),
        ("a\u0308.md", "a.md", "\u00e4.md"),
        ("@site/docs/b.md", "docs/a.md", "docs/b.md"),
        ("project:b.md", "d/a.md", "d/b.md"),
        ("intro", "01-start/02-a.md", "01-start/01-intro.md"),
        ("other.adoc", "modules/ROOT/pages/d/a.adoc", "modules/ROOT/pages/other.adoc"),
        ("net:b.adoc", "modules/ROOT/pages/a.adoc", "modules/net/pages/b.adoc"),
    ],
)
def test_paths(target: str, source: str, to: str) -> None:
    assert leads_to(target, source, to)


@pytest.mark.parametrize(
    ("target", "source", "to"),
    [("b.html", "d/a.md", "b.md"), ("../../b.md", "d/a.md", "b.md"), ("#x", "a.md", "a.md"), ("B.md", "a.md", "b.md")],
)
def test_other_paths(target: str, source: str, to: str) -> None:
    assert not leads_to(target, source, to)


def test_front_matter_names_a_page() -> None:
    assert leads_to("./start", "docs/a.md", "docs/b.md", slug="start")
    assert leads_to("/docs/start", "docs/x/a.md", "docs/b.md", slug="/start")
    assert leads_to("start", "docs/a.md", "docs/b.md", id="start")
    assert leads_to("Other Name", "a.md", "b.md", "wiki", aliases=["other name"])


def test_wiki_links_ignore_folders_case_and_signs() -> None:
    assert leads_to("Release Notes#x", "a.md", "d/release-notes.md", "wiki")
    assert leads_to("Guide", "a.md", "guide/index.md", "wiki")
    assert not leads_to("Notes", "a.md", "d/release-notes.md", "wiki")


def test_pages_of_sphinx_have_no_ending() -> None:
    assert leads_to("/guide/b", "docs/guide/a.rst", "docs/guide/b.rst", "page")
    assert leads_to("../b", "docs/guide/a.rst", "docs/b.rst", "page")


def test_labels() -> None:
    names = names_of_link(Link(0, "", "Install  Guide", "label"), "a.rst")
    assert names == ("label:install guide", "title:install guide")
    assert "label:install guide" in names_of_document("b.rst", {}, ["install guide"])


@pytest.mark.parametrize(
    ("target", "path", "anchor"),
    [
        ("a.md#b", "a.md", "b"),
        ("#b%20c", "", "b c"),
        ("a\\b.md", "a/b.md", ""),
        ("?x=1#y", "", "y"),
        ("a%2", "a%2", ""),
        ("%ff.md", "\ufffd.md", ""),
    ],
)
def test_targets_are_taken_apart(target: str, path: str, anchor: str) -> None:
    assert parse_target(target) == (path, anchor)
