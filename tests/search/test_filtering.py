from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from crosshead import Index

DOCUMENTS = {
    "docs/distribute/sign.md": "---\ntitle: Signing\nteam: infra\ntags: [mac, win]\ndate: 2024-05-01\n---\n"
    "Intro.\n\n## Keys\n\nRotate the signing keys.\n",
    "docs/guide.md": "---\nteam: web\nyear: 2026\ndate: 2026-02-01\n---\n# Guide\n\n## Keys\n\nUse keys for the web.\n",
    "docs/distribute.txt": "Keys are distributed.\n",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    root = tmp_path_factory.mktemp("filtering")
    for name, text in DOCUMENTS.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    with Index(root / ".crosshead", embedder="static") as index:
        index.add(root)
        yield index


def sources(index: Index, **filters: Any) -> set[str]:
    return {Path(hit.source).name for hit in index.search("keys", **filters)}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("distribute", {"sign.md", "distribute.txt"}),
        ("DISTRIBUTE/", {"sign.md"}),
        ("./docs/distribute/", {"sign.md"}),
        ("docs\\distribute\\", {"sign.md"}),
        ("docs/*.md", {"sign.md", "guide.md"}),
        ("docs/distribute.txt", {"distribute.txt"}),
        ("ign", {"sign.md"}),
    ],
)
def test_a_source_is_a_document_a_glob_or_a_part_of_a_path(index: Index, source: str, expected: set[str]) -> None:
    assert sources(index, source=source) == expected


@pytest.mark.parametrize("section", ["Signing > Keys", "signing", "Signing › Keys"])
def test_the_breadcrumb_of_a_hit_is_a_section_filter(index: Index, section: str) -> None:
    assert sources(index, section_filter=section) == {"sign.md"}
    shown = " > ".join(index.search("keys", section_filter=section)[0].full_path)
    assert sources(index, section_filter=shown) == {"sign.md"}


@pytest.mark.parametrize(
    ("filters", "message"),
    [
        ({"metadata": {"team": "x"}}, "no document has team=x; known team: infra, web"),
        (
            {"metadata": {"tags": {"all": ["mac", "linux"]}}},
            "no document has tags=mac and tags=linux; known tags: mac, win",
        ),
        ({"metadata": {"year": {">": 2026}}}, "no document has year>2026; known year: 2026"),
        ({"metadata": {"taem": "x"}}, "no document has the key 'taem'; known keys: team, tags, date, title, year"),
        ({"source": "guides"}, "no document has 'guides' in its source; known sources: docs/guide.md, docs/distribute"),
        ({"source": "*.pdf"}, "no document has a source like *.pdf; known sources: "),
        ({"format": "pdf"}, "no document has the format pdf; known formats: markdown, text"),
        ({"since": "2999-01-01"}, "no document is dated 2999-01-01 or later; dates go from 2024-05-01 to "),
        ({"section_filter": "Kesy"}, "no document has a section 'Kesy'; known titles: Keys"),
        ({"metadata": {"team": "web"}, "source": "sign"}, "no document meets all filters: has team=web; has 'sign' in"),
    ],
)
def test_a_filter_that_no_document_meets_is_explained(index: Index, filters: dict[str, Any], message: str) -> None:
    assert index.search("keys", **filters) == []
    assert index.why_nothing("anything", **filters, limit=3, mode="lexical").startswith(message)


@pytest.mark.parametrize("filters", [{}, {"metadata": {"team": "web"}}, {"source": "sign"}, {"metadata": {}}])
def test_a_filter_that_a_document_meets_needs_no_explanation(index: Index, filters: dict[str, Any]) -> None:
    assert index.why_nothing("cost", all=True, **filters) == ""


def test_an_empty_index_is_the_reason(tmp_path: Path) -> None:
    with Index(tmp_path / "index", embedder="static") as index:
        assert index.why_nothing("anything", source="x") == "the index holds no documents"
