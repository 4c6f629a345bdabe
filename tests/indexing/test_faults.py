"""Whatever is raised at any step of one document is the failure of that document, at every door."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.support.faults import PATCH
from tests.support.stored_documents import WordEmbedder

import crosshead
from crosshead import pipeline
from crosshead.errors import EmbedError, OptionsError
from crosshead.formats import archives, known_formats
from crosshead.index import Index, Progress
from crosshead.indexing.embedding.pieces import PieceCutter
from crosshead.indexing.steps import prepare
from crosshead.store.lance import rows
from crosshead.types import Vectors

pytestmark = pytest.mark.usefixtures("_in_process")

BAD = "docs/bad.md"


class PanicException(BaseException):
    """As a library in Rust raises it."""


@pytest.fixture(params=[RecursionError, MemoryError, OptionsError, PanicException])
def error(request: pytest.FixtureRequest) -> BaseException:
    found: BaseException = request.param("odd")
    return found


@pytest.fixture
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "docs"
    folder.mkdir()
    for name in ("a", "bad", "c"):
        (folder / f"{name}.md").write_text(f"# Page {name}\n\nSome words of {name}.\n")
    return folder


class Embedder(WordEmbedder):
    """Fails for one text in a way of its own, at once or while documents are searched already."""

    def __init__(self, error: BaseException, *, instant: bool) -> None:
        self.error = error
        self.is_instant = instant

    def embed(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> list[Vectors]:
        if any("words of bad" in text for text in texts):
            raise self.error
        return super().embed(texts, on_progress=on_progress)


def raising(function: Callable[..., Any], error: BaseException) -> Callable[..., Any]:
    """Return a function that does the same, but for what is about the bad document."""

    def call(*args: Any, **kwargs: Any) -> Any:
        if "words of bad" in repr(args):
            raise error
        return function(*args, **kwargs)

    return call


STEPS = [
    (pipeline, "extract_document"),
    (pipeline, "parse_document"),
    (pipeline, "chunk_document"),
    (prepare, "check_stored"),
    (rows, "document_rows"),
]


@pytest.mark.parametrize(("module", "step"), STEPS, ids=[step for _, step in STEPS])
def test_step_that_fails_for_one_document_stops_no_other(
    docs: Path, monkeypatch: pytest.MonkeyPatch, module: Any, step: str, error: BaseException
) -> None:
    monkeypatch.setattr(module, step, raising(getattr(module, step), error))
    index = Index(embedder=WordEmbedder())
    result = index.add("docs")
    assert [*result.failed] == [BAD]
    assert (result.added, index.sources()) == (2, ["docs/a.md", "docs/c.md"])
    assert type(error).__name__ in result.failed[BAD] or isinstance(error, OptionsError)
    assert ("Traceback" in result.faults.get(BAD, "")) is not isinstance(error, OptionsError)
    monkeypatch.undo()
    monkeypatch.chdir(docs.parent)
    assert index.add("docs").added == 1


@pytest.mark.parametrize("instant", [True, False])
@pytest.mark.parametrize("step", ["pieces", "embed"])
def test_chunk_that_cannot_be_embedded_is_a_failure_of_its_document(
    docs: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException, instant: bool
) -> None:
    if step == "pieces":
        monkeypatch.setattr(PieceCutter, "pieces", raising(PieceCutter.pieces, error))
    index = Index(embedder=Embedder(error if step == "embed" else EmbedError("other"), instant=instant))
    result = index.add("docs")
    told = result.failed.get(BAD, "") + "".join(result.notes)
    assert "not embedded, found by its words only" in told
    if not isinstance(error, OptionsError):
        assert (result.added, [*result.failed], [*result.faults], result.by_words) == (2, [BAD], [BAD], (BAD,))
        assert type(error).__name__ in told
    assert (result.embedded, index.status().documents) == (2, 3)
    assert index.search("bad", mode="lexical")[0].chunk.source == BAD


@pytest.mark.parametrize("given", [[1.0], [float("nan")] * 64])
def test_vectors_that_cannot_be_stored_are_refused(docs: Path, given: list[float]) -> None:
    import numpy as np

    class Odd(WordEmbedder):
        def embed_query(self, text: str) -> Vectors:
            return np.array([given], np.float32) if "words of bad" in text else super().embed_query(text)

    result = Index(embedder=Odd()).add("docs")
    assert (result.added, result.embedded, result.pending) == (3, 2, 1)
    assert "the embedder gave no vectors of 64 numbers" in result.notes[0]


def test_embedder_that_fails_for_everything_is_one_typed_error(docs: Path) -> None:
    class Broken(WordEmbedder):
        def embed(self, texts: Sequence[str], **_: Any) -> list[Vectors]:
            raise RuntimeError("no device")

    index = Index(embedder=Broken())
    with pytest.raises(EmbedError, match=r"the embedder words does not work: .*RuntimeError: no device"):
        index.add("docs")
    assert index.status().pending == 3


def test_what_follows_the_progress_may_stop_the_run(docs: Path) -> None:
    def stop(progress: Progress) -> None:
        if progress.texts_embedded:
            raise RuntimeError("stop")

    index = Index(embedder=WordEmbedder())
    with pytest.raises(RuntimeError, match="stop"):
        index.add("docs", on_progress=stop)
    assert index.add("docs").failed == {}


def test_archive_that_cannot_be_listed_stops_no_other(
    docs: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    if not isinstance(error, Exception):
        pytest.skip("archives are read in Python")
    for name in ("good", "bad"):
        with zipfile.ZipFile(docs / f"{name}.zip", "w") as archive:
            archive.writestr("inner.md", "# Inner\n\ntext\n")
    real = archives.list_zip

    def fail(data: Path | bytes) -> Any:
        if "bad" in str(data):
            raise error
        return real(data)

    monkeypatch.setattr(archives, "list_zip", fail)
    result = Index(embedder=WordEmbedder()).add("docs")
    assert (result.added, [*result.failed]) == (4, ["docs/bad.zip"])
    assert bool(result.faults) is not isinstance(error, OptionsError)


@pytest.fixture
def own_format() -> Iterator[None]:
    def read(data: bytes, options: object) -> crosshead.Extracted:
        raise RecursionError("too deep")

    known = dict(known_formats.__globals__["_FORMATS"]), dict(known_formats.__globals__["_SUFFIXES"])
    crosshead.register_format(crosshead.Format("odd", read, (".odd",)))
    yield
    for name, before in zip(("_FORMATS", "_SUFFIXES"), known, strict=True):
        table = known_formats.__globals__[name]
        table.clear()
        table.update(before)


@pytest.mark.usefixtures("own_format")
def test_reader_of_the_user_that_fails_is_a_failure_of_its_document(docs: Path) -> None:
    (docs / "x.odd").write_text("text")
    result = Index(embedder=WordEmbedder()).add("docs")
    assert (result.added, [*result.failed]) == (3, ["docs/x.odd"])
    assert "RecursionError: too deep" in result.failed["docs/x.odd"]


def test_watching_goes_on_after_a_fault(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "chunk_document", raising(pipeline.chunk_document, RecursionError("deep")))
    results = Index(embedder=WordEmbedder()).watch("docs")
    first = next(results)
    assert (first.added, [*first.failed]) == (2, [BAD])
    (docs / "d.md").write_text("# Page d\n\nSome words of d.\n")
    assert next(each for each in results if each.added).added == 1


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["index", "docs", "--embedder", "static"], b"2 added, 1 failed"),
        (["chunk", "docs", "--json"], b"words of c"),
        (["check", "docs", "--json"], b"docs/c.md"),
    ],
    ids=["index", "chunk", "check"],
)
def test_fault_in_a_worker_process_stops_no_other(
    docs: Path, tmp_path: Path, command: list[str], told: bytes, jobs: str
) -> None:
    (tmp_path / "patch").mkdir()
    (tmp_path / "patch" / "sitecustomize.py").write_text(PATCH)
    path = os.pathsep.join([str(tmp_path / "patch"), *filter(None, [os.environ.get("PYTHONPATH")])])
    run = [sys.executable, "-c", "from crosshead.cli import main; main()", *command, "--jobs", jobs]
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(run, capture_output=True, timeout=120, check=False, env=environment)
    assert done.returncode == 1
    assert told in done.stdout
    assert b"bad.md: a fault of Crosshead, please report it: RecursionError: too deep" in done.stderr
    assert b"Traceback" not in done.stderr
    debugged = subprocess.run([*run, "--debug"], capture_output=True, timeout=120, check=False, env=environment)
    assert b"Traceback" in debugged.stderr
