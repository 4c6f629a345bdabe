"""The examples for other vector stores, on the stores themselves: store, find and change a document."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
STORES = ["chroma", "qdrant", "pgvector"]


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Any, Any]]:
    """An example, and an empty store that it works on."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    example = import_module(f"{request.param}_store")
    if request.param == "chroma":
        yield example, example.open_collection(example.chromadb.PersistentClient(str(tmp_path / "chroma")))
    elif request.param == "qdrant":
        client = example.QdrantClient(path=str(tmp_path / "qdrant"))
        example.make_collection(client)
        yield example, client
        client.close()
    else:
        with example.connect(request.getfixturevalue("database")) as connection:
            yield example, connection


def test_document_is_stored_found_and_kept_up_to_date(store: tuple[Any, Any], tmp_path: Path) -> None:
    example, opened = store
    path, other = tmp_path / "handbook.md", tmp_path / "other.md"
    text = (EXAMPLES / "docs/handbook.md").read_text("utf-8")
    path.write_text(text, "utf-8")
    other.write_text("# Other\n\nAnother document.\n", "utf-8")
    added = int(example.sync(opened, path).split()[0])
    assert added > 10
    assert example.sync(opened, other) == "1 new, 0 deleted"
    assert example.sync(opened, path) == "0 new, 0 deleted"
    best = [section for _, section, _ in example.search(opened, "how do I rotate keys")]
    assert "Larkmq on-call handbook > Key rotation" in best
    before = {content: citation for citation, _, content in example.search(opened, "keys", limit=100)}
    assert len(before) == added + 1

    head, _, rest = text.partition("\n## ")
    path.write_text(f"{head}\nA line more.\n\n## {rest}".replace("valid for 90 days", "valid for 60 days"), "utf-8")
    assert example.sync(opened, path) == "2 new, 2 deleted"
    after = example.search(opened, "keys", limit=100)
    assert len(after) == len(before)
    assert len([content for _, _, content in after if content not in before]) == 2
    assert any("valid for 60 days" in content for _, _, content in after)
    assert len([content for citation, _, content in after if before.get(content) == citation]) == 1
    for citation, _, content in after:
        source, first, last = located(citation)
        assert content.splitlines() == Path(source).read_text("utf-8").splitlines()[first - 1 : last]


def located(citation: str) -> tuple[str, int, int]:
    """Return source, first and last line of a citation."""
    source, _, span = citation.rpartition(":")
    first, _, last = span.partition("-")
    return source, int(first), int(last)


@pytest.mark.parametrize("name", STORES)
def test_an_example_finds_what_it_asks_for(name: str, request: pytest.FixtureRequest) -> None:
    arguments = [request.getfixturevalue("database")] if name == "pgvector" else []
    command = [sys.executable, f"{name}_store.py", *arguments]
    ended = subprocess.run(command, cwd=EXAMPLES, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    counted, *found = ended.stdout.splitlines()
    assert int(counted.split()[0]) > 20
    assert len(found) == 3
    assert any("Key rotation" in each for each in found)
