"""Whatever a command prints as a citation, `show` accepts, and shows the text that was cited."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.conftest import Run
from tests.e2e.cited import write_documents
from tests.formats.samples import NOT_READ_ALONE, SAMPLES

from crosshead import Index
from crosshead.types import Hit, Passage

REPOSITORY = Path(__file__).parents[2]
SUFFIXES = {"text": "txt", "email": "eml", "notebook": "ipynb", "man": "1"}
SAME_TITLES = """\
<title>Page</title><h1>Page</h1>
<h2>Notes</h2><p>The first walrus of the page swims in the sea.</p>
<h2>Notes</h2><p>The second walrus of the page sleeps on the ice.</p>
<h3>More</h3><p>It sleeps with a pelican.</p>
<h2>Notes</h2><h3>More</h3><p>The third walrus eats with a heron.</p>
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with documents of every format that is read without another program, and their index."""
    root = tmp_path_factory.mktemp("documents")
    for name in SAMPLES.keys() - {*NOT_READ_ALONE}:
        (root / f"my {name}.{SUFFIXES.get(name, name)}").write_bytes(SAMPLES[name])
    shutil.copytree(REPOSITORY / "tests/fixtures/formats", root / "fixtures")
    shutil.copytree(REPOSITORY / "examples/docs", root / "examples")
    write_documents(root / "made")
    (root / "same titles.html").write_text(SAME_TITLES)
    with Index(root / ".crosshead", embedder="static", max_tokens=200) as index:
        index.add(root, include=["code", "data"], jobs=1)
    return root


@pytest.fixture(scope="module")
def index(root: Path) -> Iterator[Index]:
    with Index(root / ".crosshead", create=False) as index:
        yield index


def queries(index: Index) -> Iterator[tuple[str, str]]:
    """Yield the source of each document with queries about its text and about its end."""
    for document in index.documents():
        whole = index.passage(document.source)
        assert whole, document.source
        words = re.findall(r"\w+", whole.content)
        for at in (len(words) // 3, max(0, len(words) - 4)):
            yield document.source, " ".join(words[at : at + 4])


def lines_of(text: str) -> set[str]:
    """Return the lines of a text without those that a passage may repeat: headings, and heads of tables."""
    rows = text.split("\n")
    heads = {at - 1 for at, row in enumerate(rows) if re.fullmatch(r"\|[\s:|-]+\|", row)}
    lines = (row.strip() for at, row in enumerate(rows) if at not in heads)
    return {line for line in lines if not re.fullmatch(r"(?:#+ .*|[\s|:-]*|[`~]{3}.*)", line)}


def holds(shown: str, cited: Hit | Passage) -> bool:
    """Does a text hold all that was cited, which may begin or end inside a line?"""
    return lines_of(cited.content) <= lines_of(shown) or all(line in shown for line in lines_of(cited.content))


def test_every_citation_of_every_format_leads_to_its_text(index: Index) -> None:
    checked = set()
    for source, query in queries(index):
        for found in (*index.search(query, source=source), *index.passages(query, source=source, budget_tokens=800)):
            shown = index.passage(found.citation)
            assert shown, found.citation
            if not found.citation.startswith(source):
                continue  # of a text from several files, the one with most lines is cited
            assert holds(shown.content, found), (found.citation, found.content, shown.content)
            if isinstance(found, Hit) and source.endswith((".md", ".txt", ".py", ".yaml")):
                assert shown.content == found.content
            checked.add(source)
    assert checked == {document.source for document in index.documents()}


def test_sections_with_the_same_path_have_citations_of_their_own(index: Index) -> None:
    for words, citation in (
        ("first walrus sea", "same titles.html (Page > Notes)"),
        ("second walrus ice", "same titles.html (Page > Notes #2)"),
        ("pelican sleeps", "same titles.html (Page > Notes > More)"),
        ("third heron", "same titles.html (Page > Notes > More #2)"),
    ):
        hit = index.search(words, limit=1)[0]
        assert hit.citation == citation
        shown = index.passage(citation)
        assert shown
        assert holds(shown.content, hit), (citation, shown.content)


def test_the_command_line_shows_what_it_cites(
    index: Index, root: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root / "made")
    for source in ("my pptx.pptx", "made/report.pdf", "my xlsx.xlsx", "fixtures/talk.srt", "same titles.html",
                   "examples/agreement.docx", "made/manual.adoc", "examples/prices.csv", "my epub.epub"):  # fmt: skip
        whole = index.passage(source)
        assert whole
        query = re.findall(r"[^\W\d_]{4,}", whole.content)[-3:]
        flags = ["--index", root / ".crosshead", "--source", source, "--all"]
        printed = run("search", *query, *flags).stdout.splitlines()
        citations = [line[4:] for line in printed if line[:3].strip().isdigit()]
        hits = [json.loads(line) for line in run("search", *query, *flags, "--json").stdout.splitlines()]
        for citation, hit in zip(citations, hits, strict=True):
            shown = run("show", citation, *flags[:2])
            assert shown.exit_code == 0, shown.output
            assert shown.stdout.startswith(citation)
            assert all(line in shown.stdout for line in lines_of(hit["content"])), citation
            assert run("show", hit["citation"], *flags[:2]).stdout == shown.stdout
