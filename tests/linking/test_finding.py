"""Links of an index: out, in, broken, and documents that nothing links to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from crosshead.ids import document_id
from crosshead.index import Index
from crosshead.linking import SiteFiles, check_links, links_of
from crosshead.linking.anchors import AnchorRules
from crosshead.types import LinkReport, ResolvedLink


def write(root: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    with Index(tmp_path / "index", root=tmp_path, embedder="static") as made:
        yield made


def check(index: Index, root: Path, files: Mapping[str, str], rules: AnchorRules | None = None) -> LinkReport:
    write(root, files)
    index.add(root)
    return check_links(index._store, SiteFiles(root), rules)


def problems(report: LinkReport) -> list[tuple[str, str, str]]:
    return [(each.citation, each.target, each.state) for each in report.broken]


def states(index: Index, root: Path, source: str) -> dict[str, str]:
    found = links_of(index._store, SiteFiles(root), document_id(source))
    assert found is not None
    return {each.target: each.state for each in found.out}


def test_what_is_broken_and_where(index: Index, tmp_path: Path) -> None:
    report = check(
        index,
        tmp_path,
        {
            "a.md": "# A\n\n[ok](b.md#two) [ok](#a)\n\n[no](bb.md)\n[no](b.md#twos) [no](#none)\n",
            "b.md": "# B\n\n## Two\n\n[a][a]\n\n[a]: ./gone/a.md\n",
        },
    )
    assert problems(report) == [
        ("a.md:5", "bb.md", "no_document"),
        ("a.md:6", "b.md#twos", "no_section"),
        ("a.md:6", "#none", "no_section"),
        ("b.md:5", "./gone/a.md", "no_document"),
    ]
    assert [each.problem for each in report.broken[:2]] == ["bb.md does not exist", "b.md has no anchor #twos"]
    assert [each.suggestion for each in report.broken] == ["b.md", "#two", "", "a.md"]
    assert (report.documents, report.links, report.unchecked) == (2, 6, 0)


def test_documents_without_links_to_them(index: Index, tmp_path: Path) -> None:
    files = {"a.md": "# A\n\n[b](b.md)\n", "b.md": "# B\n\n[b](#b) [b](b.md)\n", "c.md": "# C\n"}
    assert check(index, tmp_path, files).orphans == ("a.md", "c.md")


def test_an_edit_changes_the_links(index: Index, tmp_path: Path) -> None:
    assert not check(index, tmp_path, {"a.md": "# A\n\n[b](b.md#b)\n", "b.md": "# B\n"}).broken
    assert problems(check(index, tmp_path, {"b.md": "# Other\n"})) == [("a.md:3", "b.md#b", "no_section")]
    (tmp_path / "b.md").unlink()
    assert problems(check(index, tmp_path, {})) == [("a.md:3", "b.md#b", "no_document")]


def test_links_out_of_a_section_and_into_it(index: Index, tmp_path: Path) -> None:
    check(
        index,
        tmp_path,
        {
            "a.md": "# A\n\n[whole](b.md)\n\n## Use\n\nSee [two](b.md#two).\n",
            "b.md": "# B\n\n[down](#two)\n\n## Two\n\n[up](a.md#use)\n",
        },
    )
    files, b = SiteFiles(tmp_path), document_id("b.md")

    def ends(found: tuple[ResolvedLink, ...]) -> list[tuple[str, str]]:
        return [(each.citation, each.text) for each in found]

    whole = links_of(index._store, files, b)
    assert whole is not None
    assert ends(whole.out) == [("b.md:3", "down"), ("b.md:7", "up")]
    assert ends(whole.into) == [("a.md:3", "whole"), ("a.md:7", "two")]
    two = index.links("b.md#two")
    assert two is not None
    assert (ends(two.out), ends(two.into)) == ([("b.md:7", "up")], [("a.md:7", "two"), ("b.md:3", "down")])


def test_files_that_are_no_documents(index: Index, tmp_path: Path) -> None:
    write(
        tmp_path,
        {"pic.png": "x", "NEWS.txt": "", "src/main.py": "pass", "static/logo.svg": "<svg/>", "folder/x.bin": ""},
    )
    links = [
        "pic.png",
        "src/main.py#L3",
        "NEWS",
        "NEWS.html",
        "/logo.svg",
        "folder",
        "folder/",
        "../up.md",
        "../../issues",
        "no.png",
    ]
    report = check(index, tmp_path, {"a.md": "# A\n\n" + "\n".join(f"[x]({each})" for each in links)})
    assert [each.target for each in report.broken] == ["no.png"]
    assert states(index, tmp_path, "a.md")["../up.md"] == "outside"
    assert states(index, tmp_path, "a.md")["pic.png"] == "file"


def test_pages_of_a_site_that_is_not_here(index: Index, tmp_path: Path) -> None:
    text = "# A\n\n[x](/pricing) [y](/blog/post) [z](/docs/none) [w](/docs/b)\n"
    assert problems(check(index, tmp_path, {"docs/a.md": text, "docs/b.md": "# B\n"})) == [
        ("docs/a.md:3", "/docs/none", "no_document")
    ]


def test_labels_of_sphinx(index: Index, tmp_path: Path) -> None:
    report = check(
        index,
        tmp_path,
        {
            "a.rst": "A\n=\n\nSee :ref:`two` and :ref:`none`,\n:doc:`d/b`, :doc:`/d/b`, :doc:`c`, :ref:`genindex`.\n",
            "d/b.rst": "B\n=\n\n.. _two:\n\nTwo\n---\n\n:doc:`/a`\n",
        },
    )
    assert problems(report) == [("a.rst:4", "none", "no_document"), ("a.rst:5", "c", "no_document")]
    assert report.broken[0].problem == "label none does not exist"


def test_labels_of_other_projects_cannot_be_checked(index: Index, tmp_path: Path) -> None:
    text = "A\n=\n\n.. _install-guide:\n\nB\n-\n\n:ref:`python:x` :ref:`coroutine` :ref:`install-guides`\n"
    files = {"conf.py": "project = 'x'\nintersphinx_mapping = {}\n", "a.rst": text}
    report = check(index, tmp_path, files)
    assert problems(report) == [("a.rst:9", "install-guides", "no_document")]
    assert report.unchecked == 2


def test_asciidoc(index: Index, tmp_path: Path) -> None:
    text = "= A\n\n[[one]]\n== First part\n\n<<one>> <<First part>> <<_first_part>> xref:b.adoc#two[b] <<none>>\n"
    report = check(index, tmp_path, {"a.adoc": text, "b.adoc": "= B\n\n[#two]\n== Two\n\nxref:c.adoc[c]\n"})
    assert problems(report) == [("a.adoc:6", "#none", "no_section"), ("b.adoc:6", "c.adoc", "no_document")]


def test_html(index: Index, tmp_path: Path) -> None:
    page = (
        "<h1>A</h1><p>Much text for a page, <a href='b.html#x'>x</a> <a href='b.html#y'>y</a> <a href=c.html>c</a></p>"
    )
    report = check(index, tmp_path, {"a.html": page, "b.html": "<h1>B</h1><div id=x><p>Some text here.</p></div>"})
    assert [each.target for each in report.broken] == ["b.html#y", "c.html"]


def test_wiki_links_count_if_some_lead_anywhere(index: Index, tmp_path: Path) -> None:
    files = {"a.md": "# A\n\n[[none]]\n", "my page.md": "# My\n\n## Two\n"}
    assert not check(index, tmp_path, files).broken
    report = check(index, tmp_path, {"b.md": "# B\n\n[[My-Page#two]] [[my page#no]]\n"})
    assert [each.target for each in report.broken] == ["none", "my page#no"]


def test_the_rules_of_the_site_are_detected_or_given(index: Index, tmp_path: Path) -> None:
    files = {"docs/a.md": "# A\n\n[x](#b-c)\n\n## B & C\n", "README.md": "# R\n\n[x](#b--c)\n\n## B & C\n"}
    assert problems(check(index, tmp_path, files)) == [("docs/a.md:3", "#b-c", "no_section")]
    assert problems(check(index, tmp_path, {"mkdocs.yml": "site_name: x\n"})) == []
    assert problems(check(index, tmp_path, {}, "gitlab")) == [("README.md:3", "#b--c", "no_section")]


def test_cycles_and_a_link_to_itself(index: Index, tmp_path: Path) -> None:
    files = {"a.md": "# A\n\n[a](a.md) [b](b.md)\n", "b.md": "# B\n\n[a](a.md)\n"}
    assert check(index, tmp_path, files).links == 3


def test_text_from_elsewhere_may_have_the_anchor(index: Index, tmp_path: Path) -> None:
    report = check(index, tmp_path, {"a.md": "# A\n\n::: package.module\n\n[x](#package.module.name)\n"})
    assert (report.broken, report.unchecked) == ((), 1)


def test_a_heading_with_a_placeholder_may_have_any_id(index: Index, tmp_path: Path) -> None:
    files = {
        "a.md": "# Install {{ product }}\n\n[up](#install-ours) [down](b.md#gone)\n",
        "b.md": "# B\n\n{{ product }}\n",
    }
    assert problems(check(index, tmp_path, files)) == [("a.md:3", "b.md#gone", "no_section")]


def test_docusaurus_looks_for_a_file_in_the_folders_above_and_reads_its_code_blocks(
    index: Index, tmp_path: Path
) -> None:
    files = {
        "blog.mdx": '# Blog\n\n[in](#node) [out](#gone)\n\n```mdx-code-block\n<details id="node">\n```\n\ntext\n',
        "api/plugins/a.mdx": "# A\n\n[blog](blog.mdx) [no](./blog.mdx)\n",
    }
    broken = [("api/plugins/a.mdx:3", "./blog.mdx", "no_document"), ("blog.mdx:3", "#gone", "no_section")]
    assert problems(check(index, tmp_path, files, "docusaurus")) == broken
    assert ("api/plugins/a.mdx:3", "blog.mdx", "no_document") in problems(check(index, tmp_path, files, "github"))
    around = links_of(index._store, SiteFiles(tmp_path), document_id("blog.mdx"), rules="docusaurus")
    assert around is not None
    assert [each.source for each in around.into] == ["api/plugins/a.mdx"]


def test_a_part_of_pages_may_name_their_anchors(index: Index, tmp_path: Path) -> None:
    files = {"_part.mdx": "[up](#of-the-page)\n", "_index.md": "[up](#gone)\n"}
    assert problems(check(index, tmp_path, files)) == [("_index.md:1", "#gone", "no_section")]


def test_examples_of_such_text_do_not_count(index: Index, tmp_path: Path) -> None:
    text = "# A\n\n```\n::: package.module\n```\n\nWrite `{% include x %}`.\n\n"
    text += "- a\n\n  ```\n  {% for x %}\n  ```\n\n[x](#none)\n"
    assert len(check(index, tmp_path, {"a.md": text}).broken) == 1


def test_a_site_may_show_its_documents_below_a_path(index: Index, tmp_path: Path) -> None:
    files = {
        "docs/site/start.md": "# Start\n\n[a](/docs/guide/a.md) [b](/docs/guide/b.md) [c](/docs/other/c.md)\n",
        "docs/site/guide/a.md": "# A\n",
    }
    assert problems(check(index, tmp_path, files)) == [("docs/site/start.md:3", "/docs/guide/b.md", "no_document")]
    assert states(index, tmp_path, "docs/site/start.md") == {
        "/docs/guide/a.md": "document",
        "/docs/guide/b.md": "no_document",
        "/docs/other/c.md": "unchecked",
    }
