"""Wrong calls of the library: one line that names the argument, never an empty answer or an error of Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import crosshead
from crosshead import Index
from crosshead.errors import OptionsError, StoreError

Use = Callable[[Any], object]

WRONG: dict[str, Use] = {
    "query=None must be a string": lambda index: index.search(None),
    "the query is empty: say what to look for": lambda index: index.passages(" "),
    "unknown option 'top_k': did you mean limit?": lambda index: index.search("x", top_k=3),
    "unknown option 'budget': did you mean budget_tokens?": lambda index: index.passages("x", budget=3),
    "unknown option 'frmat': did you mean format?": lambda index: index.why_nothing("x", frmat="pdf"),
    "chunk_id=5 must be a string": lambda index: index.chunk(5),
    "chunk_id=None must be a string": lambda index: index.parent(None),
    "chunk_id=7 must be a string": lambda index: index.siblings(7),
    "section_id=5 must be a string": lambda index: index.section(5),
    "document_id=5 must be a string": lambda index: index.document(5),
    "document_id=None must be a string": lambda index: index.original(None),
    "limit='x' must be a whole number": lambda index: index.ids("a", limit="x"),
    "limit=None must be a whole number": lambda index: index.titles("a", limit=None),
    "hidden='no' must be True or False": lambda index: index.add("docs", hidden="no"),
    "path_or_data=5 must be a string or a path or bytes": lambda _: crosshead.read(5),  # type: ignore[arg-type]
    "data='text' must be bytes": lambda _: crosshead.extract("text", "html"),  # type: ignore[arg-type]
    "text=5 must be a string": lambda _: crosshead.estimate_tokens(5),  # type: ignore[arg-type]
}


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text("# Keys\n\nRotate keys.\n")
    with Index(tmp_path / "index", root=tmp_path, embedder="static") as index:
        index.add(tmp_path / "docs")
        yield index


@pytest.mark.parametrize("reason", WRONG)
def test_wrong_calls_name_the_argument(index: Index, reason: str) -> None:
    with pytest.raises(OptionsError) as raised:
        WRONG[reason](index)
    assert str(raised.value) == reason


def test_one_source_or_id_need_not_be_in_a_list(index: Index) -> None:
    (document,) = index.documents("docs/a.md")
    assert index.sources() == [document.source]
    index.remove_documents(index.search("keys")[0].chunk.document_id)
    assert index.sources() == []


CLOSED: list[Use] = [
    lambda index: index.search("keys"),
    lambda index: index.passages("keys"),
    lambda index: index.section("x"),
    lambda index: index.status(),
    lambda index: index.sources(),
    lambda index: [*index.documents()],
    lambda index: index.add("docs"),
    lambda index: index.remove("docs/a.md"),
    lambda index: index.change(max_tokens=200),
]


@pytest.mark.parametrize("kind", ["folder", "database"])
def test_index_that_is_closed_says_so(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    location = tmp_path / "index" if kind == "folder" else request.getfixturevalue("database")
    index = Index(location, root=tmp_path, embedder="static")
    index.close()
    index.close()
    for use in CLOSED:
        with pytest.raises(StoreError, match=r"this index is closed: open it again with crosshead.Index\(...\)"):
            use(index)
