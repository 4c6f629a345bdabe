"""Ray makes the same rows as this machine alone, and tells the same about them."""

from __future__ import annotations

import logging
import os
import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import lance
import pytest
import ray
from tests.support.ray_clusters import MARKS, SlowEmbedder, is_same, made_cluster, rows_of, write
from tests.support.stored_documents import WordEmbedder

from crosshead.errors import EmbedError, IngestError, OptionsError
from crosshead.index import Index, Progress
from crosshead.indexing.engines import ray as on_ray
from crosshead.indexing.steps import write as write_rows
from crosshead.indexing.steps.source_file import SourceFile
from crosshead.options import ExtractOptions
from crosshead.store.lance import indexes
from crosshead.types import Vectors

EXAMPLES = Path(__file__).parents[2] / "examples" / "docs"
PICTURE = b"\x89PNG\r\n\x1a\n"

pytestmark = MARKS


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """Two nodes of one core each, to which this process is connected."""
    with made_cluster(1) as made:
        made.add_node(num_cpus=1, node_ip_address="127.0.0.3")
        ray.init(made.address, log_to_driver=False, logging_level=logging.ERROR)
        yield


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(12):
        write(folder, number)
    return folder


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_ray, "MOST_FILES", 2)


class Refusing(WordEmbedder):
    """Cannot embed one word."""

    def embed(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> list[Vectors]:
        if any("unspeakable" in text for text in texts):
            raise EmbedError("too hard")
        return super().embed(texts, on_progress=on_progress)


# ------------------------------------------------------------------ the same as here


@pytest.mark.usefixtures("cluster", "small_batches")
def test_rows_and_results_are_those_of_the_local_engine(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "broken.docx").write_bytes(b"PK\x03\x04 no archive")
    (folder / "open.md").write_text("# Open\n\n```\nno end\n")
    local, far = (Index(tmp_path / name, root=EXAMPLES, embedder="static") for name in ("local", "far"))
    told: list[Progress] = []
    expected = local.add(EXAMPLES, folder)
    found = far.add(EXAMPLES, folder, engine="ray", on_progress=told.append)
    assert found.failed
    assert is_same(found, expected)
    assert rows_of(far) == rows_of(local)
    assert found.added == local.status().documents
    assert told[-1].documents_done == told[-1].documents_total == found.added + 1
    assert told[-1].texts_embedded == told[-1].texts_total == expected.embedded


@pytest.mark.usefixtures("cluster", "small_batches")
def test_what_changed_is_made_anew_and_known_vectors_are_used_again(docs: Path, tmp_path: Path) -> None:
    embedder = SlowEmbedder(tmp_path / "calls")
    local, far = Index(tmp_path / "local", embedder=WordEmbedder()), Index(tmp_path / "far", embedder=embedder)
    for index, engine in ((local, "local"), (far, "ray")):
        index.add(docs, engine=engine)  # type: ignore[arg-type]
    write(docs, 3, "\n## New\n\nsomething new\n")
    (docs / "05.md").rename(docs / "moved.md")
    (docs / "06.md").unlink()
    expected, found = local.add(docs), far.add(docs, engine="ray")
    assert is_same(found, expected)
    assert (found.added, found.updated, found.removed, found.embedded) == (1, 1, 2, 1)
    assert rows_of(far) == rows_of(local)
    before = len(embedder.calls())
    assert far.add(docs, engine="ray").unchanged == 11
    assert len(embedder.calls()) == before


@pytest.mark.usefixtures("cluster", "small_batches")
def test_metadata_that_a_function_gives_here_reaches_the_rows_made_there(docs: Path, tmp_path: Path) -> None:
    here = os.getpid()
    local, far = (Index(tmp_path / name, embedder=WordEmbedder()) for name in ("local", "far"))

    def describe(path: Path) -> dict[str, Any]:
        return {"name": path.name, "process": os.getpid(), "even": int(path.stem) % 2 == 0}

    expected, found = local.add(docs, metadata=describe), far.add(docs, metadata=describe, engine="ray")
    assert is_same(found, expected)
    assert rows_of(far) == rows_of(local)
    assert {each.metadata["process"] for each in far.documents()} == {here}
    assert far.add(docs, metadata={"even": False}, engine="ray").updated == 12
    assert {hit.metadata["even"] for hit in far.search("page", metadata={"even": False})} == {False}


@pytest.mark.usefixtures("cluster")
def test_without_vectors_chunks_wait(docs: Path, tmp_path: Path) -> None:
    index = Index(tmp_path / "index", embedder=WordEmbedder())
    result = index.add(docs, engine="ray", embed=False)
    assert result.pending == index.status().chunks == 12
    assert index.add(docs, engine="ray").embedded == 12


@pytest.mark.usefixtures("cluster")
def test_a_text_that_is_refused_is_noted_and_found_by_its_words(docs: Path, tmp_path: Path) -> None:
    write(docs, 3, "\n## Hard\n\nunspeakable\n")
    local, far = (Index(tmp_path / name, embedder=Refusing()) for name in ("local", "far"))
    expected, found = local.add(docs), far.add(docs, engine="ray")
    assert is_same(found, expected)
    assert any("too hard" in note for note in found.notes)
    assert rows_of(far) == rows_of(local)
    assert far.search("unspeakable", mode="lexical")


@pytest.mark.usefixtures("cluster")
def test_a_file_that_ends_its_worker_fails_alone(docs: Path, tmp_path: Path) -> None:
    (docs / "04b.png").write_bytes(PICTURE)
    extract = ExtractOptions(ocr="sh -c 'kill -9 $PPID'")
    index = Index(tmp_path / "index", embedder=WordEmbedder(), extract=extract)
    result = index.add(docs, engine="ray")
    assert result.added == 12
    assert "the system ended the process that read it" in result.failed["docs/04b.png"]


# ------------------------------------------------------------------ many vectors


@pytest.mark.usefixtures("cluster", "small_batches")
def test_very_many_vectors_are_indexed_on_the_cluster(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("MOST_NUMBERS", "VECTORS_FOR_A_CLUSTER"):
        monkeypatch.setattr(indexes, name, 300)
    monkeypatch.setattr(write_rows, "DOCUMENTS_AT_ONCE", 4)
    for number in range(12, 100):
        write(docs, number)
    local, far = (Index(tmp_path / name, embedder=WordEmbedder(), max_tokens=120) for name in ("local", "far"))
    local.add(docs)
    assert not far.add(docs, engine="ray").notes
    (index,) = [
        each for each in lance.dataset(f"{far.location}/rows.lance").describe_indices() if each.name == "vector_idx"
    ]
    assert len(index.segments) == 2
    assert rows_of(far) == rows_of(local)
    for query in ("part 2 of 3", "page 7"):
        found, expected = (
            [(hit.chunk.id, pytest.approx(hit.dense_score)) for hit in index.search(query, mode="dense")]
            for index in (far, local)
        )
        assert found == expected


@pytest.mark.usefixtures("cluster")
def test_a_table_that_nodes_cannot_reach_is_indexed_here(tmp_path: Path) -> None:
    index = Index(tmp_path / "index", embedder=WordEmbedder())
    engine = on_ray.RayEngine(index._index.recipe, index._store, None)
    assert not engine.index_vectors(str(tmp_path / "elsewhere.lance"), {"column": "vector", "index_type": "IVF_FLAT"})
    [note] = engine.notes
    assert "indexed on this machine" in note


# ------------------------------------------------------------------ mistakes


def test_what_only_this_process_knows_is_refused(docs: Path, tmp_path: Path) -> None:
    index = Index(tmp_path / "index", embedder=WordEmbedder(), extract=ExtractOptions(ocr=lambda _: ""))
    with pytest.raises(OptionsError, match="engine='local'"):
        index.add(docs, engine="ray")


@pytest.mark.parametrize("wrong", [{"engine": "spark"}, {"ray_address": "auto"}, {"engine": "ray", "ray_address": 3}])
def test_wrong_options_are_told(docs: Path, tmp_path: Path, wrong: dict[str, Any]) -> None:
    with pytest.raises(OptionsError):
        Index(tmp_path / "index", embedder=WordEmbedder()).add(docs, **wrong)


def test_nodes_with_another_version_or_model_are_told(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROSSHEAD_CACHE", str(tmp_path))
    index = Index(tmp_path / "index", embedder="static")
    file = SourceFile(str(docs / "01.md"), "01.md")
    job = on_ray.ActorJob(index._index.recipe, "static", False, index._store.encoder(), on_ray.hash_numbers(()))
    (made,) = on_ray._unpacked(on_ray.FileMaker(job).make_packed([file]))
    assert made.embedded == made.outcome.value.rows.chunk_count
    for other, told in (
        (job._replace(pipeline_version=0), "another version of Crosshead"),
        (job._replace(recipe=replace(job.recipe, embedder_revision="x")), "another version of the model static"),
        (job._replace(embedder="minilm"), "crosshead model install minilm"),
    ):
        error = pickle.loads(on_ray.FileMaker(other).make_packed([file]))
        assert isinstance(error, IngestError)
        assert told in str(error)
        assert str(error).startswith("node ")


# ------------------------------------------------------------------ batches


def test_files_are_gathered_by_size_and_number(docs: Path) -> None:
    files = [SourceFile(str(path), path.name) for path in sorted(docs.iterdir())]
    sizes = [os.stat(file.path).st_size for file in files]
    assert [*on_ray.gather(files, 10**9)] == [files]
    assert [*on_ray.gather(files, 1)] == [[file] for file in files]
    assert next(on_ray.gather(files, sizes[0] + sizes[1])) == files[:2]
    assert [file for batch in on_ray.gather(files, 3000) for file in batch] == files
    assert [*on_ray.gather([], 1)] == []
    assert [*on_ray.gather([SourceFile("gone", "gone")], 1)] == [[SourceFile("gone", "gone")]]
