"""Parts on a cluster: each is brought up to date by a task, and a task that is lost is repeated."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import ray
from tests.support.ray_clusters import MARKS, SlowEmbedder, made_cluster, rows_of, settle, write
from tests.support.stored_documents import WordEmbedder

from crosshead import Index
from crosshead.errors import IngestError, OptionsError
from crosshead.indexing import AddRequest, AddResult, IndexSettings, add_to_parts, open_parts
from crosshead.indexing.parts import cluster as on_cluster
from crosshead.options import ExtractOptions
from crosshead.store import Parts, make_parts
from crosshead.types import Vectors

COUNT = 4
DOCUMENTS = 16

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
    for number in range(DOCUMENTS):
        write(folder, number)
    return folder


class Dying(SlowEmbedder):
    """Ends its process the first time that it sees a word."""

    def embed(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> list[Vectors]:
        found = super().embed(texts, on_progress=on_progress)
        mark = self.folder.with_name("died")
        if any("part 2 of 7" in text for text in texts) and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return found


def add(parts: Parts, *paths: Path, embedder: Any, **request: Any) -> AddResult:
    settings = IndexSettings(embedder=embedder, chunking={}, extract=request.pop("extract", None))
    wanted = AddRequest(paths=paths, engine="ray", **request)
    index, sources = open_parts(parts, settings, wanted)
    with closing(index):
        return add_to_parts(index, wanted, sources=sources)


def rows_of_parts(parts: Parts) -> list[dict[str, Any]]:
    rows = [row for location in parts.locations for row in rows_of(Index(location, embedder=WordEmbedder()))]
    return sorted(rows, key=lambda row: str(row["key"]))


@pytest.mark.usefixtures("cluster")
def test_rows_are_those_of_one_index_and_both_nodes_work(tmp_path: Path, docs: Path) -> None:
    parts, embedder = make_parts(tmp_path / "index", COUNT), SlowEmbedder(tmp_path / "calls", 0.3)
    result = add(parts, docs, embedder=embedder)
    with Index(tmp_path / "whole", embedder=WordEmbedder()) as whole:
        assert whole.add(docs).summary == result.summary
        assert rows_of_parts(parts) == rows_of(whole)
    assert len({node for _, node in embedder.calls()}) == 2
    assert os.getpid() not in {process for process, _ in embedder.calls()}


@pytest.mark.usefixtures("cluster")
def test_changes_are_found_and_removed_where_they_are(tmp_path: Path, docs: Path) -> None:
    parts = make_parts(tmp_path / "index", COUNT)
    add(parts, docs, embedder=WordEmbedder())
    write(docs, 3, "Now with more.\n")
    (docs / "05.md").unlink()
    result = add(parts, docs, embedder=WordEmbedder())
    assert (result.added, result.updated, result.unchanged, result.removed) == (0, 1, DOCUMENTS - 2, 1)


@pytest.mark.usefixtures("cluster")
def test_a_task_that_is_lost_is_repeated(tmp_path: Path, docs: Path) -> None:
    parts, embedder = make_parts(tmp_path / "index", COUNT), Dying(tmp_path / "calls")
    result = add(parts, docs, embedder=embedder)
    assert (tmp_path / "died").exists()
    assert result.added + result.unchanged == DOCUMENTS
    with Index(tmp_path / "whole", embedder=WordEmbedder()) as whole:
        whole.add(docs)
        assert rows_of_parts(parts) == rows_of(whole)


@pytest.mark.usefixtures("cluster")
def test_a_part_that_fails_is_named_and_the_others_are_up_to_date(
    tmp_path: Path, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_cluster, "LOST_LEASE_SECONDS", 1)
    parts = make_parts(tmp_path / "index", COUNT)
    add(parts, docs, embedder=WordEmbedder())
    for number in range(DOCUMENTS):
        write(docs, number, "Now with more.\n")
    locked = Index(parts.locations[1], embedder=WordEmbedder())
    with locked._index.lock(), pytest.raises(IngestError, match=r"1 of 4 parts are not up to date: .*part-001"):
        add(parts, docs, embedder=WordEmbedder())
    result = add(parts, docs, embedder=WordEmbedder())
    assert result.updated == len(locked.sources())
    assert result.updated + result.unchanged == DOCUMENTS


def test_nothing_to_do_starts_no_cluster(tmp_path: Path, docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = make_parts(tmp_path / "index", COUNT)
    Index.add_to_parts(parts.location, docs, embedder="static")
    settle(parts)
    monkeypatch.setattr(on_cluster, "RayCluster", None)
    assert Index.add_to_parts(parts.location, docs, engine="ray").unchanged == DOCUMENTS
    with pytest.raises(TypeError):
        Index.add_to_parts(parts.location, docs, engine="ray", verify=True)


def test_functions_of_this_process_are_refused(tmp_path: Path, docs: Path) -> None:
    parts = make_parts(tmp_path / "index", COUNT)
    with pytest.raises(OptionsError, match="Ray does not know formats and functions"):
        add(parts, docs, embedder=WordEmbedder(), extract=ExtractOptions(ocr=lambda picture: "text"))
