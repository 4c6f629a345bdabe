"""An index in parts holds what one index would, each document in the part that its source names."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import lance
import pytest
from tests.support.ray_clusters import rows_of, settle, write
from tests.support.stored_documents import WordEmbedder

from crosshead import Index
from crosshead.errors import CorruptIndex, IndexNotFound, IngestError, OptionsError, OptionsMismatch
from crosshead.index import Progress
from crosshead.indexing import AddRequest, AddResult, IndexSettings, add_to_parts, open_parts
from crosshead.indexing.parts import run as run_parts
from crosshead.indexing.steps import run as run_steps
from crosshead.store import Parts, find_parts, make_parts

COUNT = 5
DOCUMENTS = 12


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(DOCUMENTS):
        write(folder, number)
    return folder


@pytest.fixture
def parts(tmp_path: Path) -> Parts:
    return make_parts(tmp_path / "index", COUNT)


def add(parts: Parts, *paths: Path, embedder: Any = None, **request: Any) -> AddResult:
    settings = IndexSettings(embedder=embedder or WordEmbedder(), chunking={})
    wanted = AddRequest(paths=paths, **request)
    index, sources = open_parts(parts, settings, wanted)
    with closing(index):
        return add_to_parts(index, wanted, sources=sources)


def each_part(parts: Parts) -> list[Index]:
    return [Index(location, embedder=WordEmbedder(), create=False) for location in parts.locations]


def sources_of(parts: Parts) -> list[list[str]]:
    return [index.sources() for index in each_part(parts)]


def versions(parts: Parts) -> list[int]:
    return [lance.dataset(f"{location}/rows.lance").version for location in parts.locations]


def test_parts_together_hold_the_rows_of_one_index(tmp_path: Path, docs: Path, parts: Parts) -> None:
    result = add(parts, docs)
    with Index(tmp_path / "whole", embedder=WordEmbedder()) as whole:
        assert whole.add(docs).summary == result.summary
        rows = [row for index in each_part(parts) for row in rows_of(index)]
        assert sorted(rows, key=lambda row: str(row["key"])) == rows_of(whole)
    found = sources_of(parts)
    assert sum(map(len, found)) == DOCUMENTS
    assert sum(map(bool, found)) > 1
    for number, sources in enumerate(found):
        assert {parts.number_of(source) for source in sources} <= {number}
    assert {str(index.root) for index in each_part(parts)} == {str(tmp_path)}


def test_a_document_stays_in_its_part(parts: Parts) -> None:
    assert [parts.number_of(name) for name in ("docs/a.md", "docs/b.md", "docs/ü.md", "/x/y.md")] == [3, 0, 4, 2]


def test_a_changed_file_finds_its_part_and_the_others_stay_as_they_are(docs: Path, parts: Parts) -> None:
    add(parts, docs)
    before = versions(parts)
    assert add(parts, docs).summary == f"{DOCUMENTS} unchanged; 0 texts embedded"
    assert versions(parts) == before
    write(docs, 3, "Now with more.\n")
    assert add(parts, docs).updated == 1
    changed = [number for number, (old, new) in enumerate(zip(before, versions(parts), strict=True)) if old != new]
    assert changed == [parts.number_of("docs/03.md")]


def test_an_unchanged_folder_is_not_read(docs: Path, parts: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    add(parts, docs)
    settle(parts)
    read: list[str] = []
    original = run_steps.read_file

    def note(recipe: Any, file: Any) -> Any:
        read.append(file.source)
        return original(recipe, file)

    monkeypatch.setattr(run_steps, "read_file", note)
    assert add(parts, docs).unchanged == DOCUMENTS
    assert read == []
    assert add(parts, docs, verify=True).unchanged == DOCUMENTS
    assert len(read) == DOCUMENTS


def test_documents_of_missing_files_leave_their_parts(docs: Path, parts: Parts) -> None:
    add(parts, docs)
    alone = next(sources for sources in sources_of(parts) if sources)
    for source in alone:
        (docs / Path(source).name).unlink()
    assert add(parts, docs, prune=False).removed == 0
    assert add(parts, docs).removed == len(alone)
    assert alone not in sources_of(parts)
    assert sum(map(len, sources_of(parts))) == DOCUMENTS - len(alone)


def test_documents_that_are_all_missing_are_kept_until_the_user_allows_it(docs: Path, parts: Parts) -> None:
    add(parts, docs)
    for path in docs.iterdir():
        path.unlink()
    (docs / "new.md").write_text("# New\n\nOnly this is here.\n")
    result = add(parts, docs)
    assert (result.added, result.removed, len(result.kept)) == (1, 0, DOCUMENTS)
    assert sum("none were removed" in note for note in result.notes) == 1
    assert add(parts, docs, allow_removal=True).removed == DOCUMENTS


def test_renamed_files_may_change_their_part(docs: Path, parts: Parts) -> None:
    add(parts, docs)
    renamed = docs.rename(docs.with_name("pages"))
    docs.mkdir()
    result = add(parts, docs, renamed)
    assert (result.added, result.removed, result.kept) == (DOCUMENTS, DOCUMENTS, ())
    assert sorted(source for each in sources_of(parts) for source in each)[0] == "pages/00.md"


def test_an_interrupted_run_is_continued(docs: Path, parts: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    original, calls = run_parts.add_files, 0

    def fail(*args: Any, **options: Any) -> AddResult:
        nonlocal calls
        calls += 1
        if calls > 2:
            raise KeyboardInterrupt
        return original(*args, **options)

    with monkeypatch.context() as patched:
        patched.setattr(run_parts, "add_files", fail)
        with pytest.raises(KeyboardInterrupt):
            add(parts, docs)
    done = sum(map(len, sources_of(parts)))
    assert done < DOCUMENTS
    result = add(parts, docs)
    assert (result.added, result.unchanged) == (DOCUMENTS - done, done)


def test_a_file_that_cannot_be_read_is_reported_once(docs: Path, parts: Parts) -> None:
    (docs / "broken.docx").write_bytes(b"PK\x03\x04 no archive")
    (docs / "picture.xyz").write_bytes(b"?")
    result = add(parts, docs)
    assert [*result.failed] == ["docs/broken.docx"]
    assert result.skipped == ("docs/picture.xyz",)
    assert result.added == DOCUMENTS


def test_nothing_to_index_makes_no_parts_with_documents(tmp_path: Path, parts: Parts) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(IngestError, match="no documents"):
        add(parts, tmp_path / "empty")


def test_the_number_of_parts_is_kept(tmp_path: Path, parts: Parts) -> None:
    assert find_parts(tmp_path / "index") == make_parts(tmp_path / "index", COUNT) == parts
    with pytest.raises(OptionsError, match=f"this index has {COUNT} parts: leave out --parts, or make another index"):
        make_parts(tmp_path / "index", COUNT + 1)
    with pytest.raises(IndexNotFound, match=f"this index has {COUNT} parts: join them"):
        Index(tmp_path / "index")
    Index(tmp_path / "whole", embedder=WordEmbedder()).close()
    assert find_parts(tmp_path / "whole") is None
    with pytest.raises(OptionsError, match="this index is one whole"):
        make_parts(tmp_path / "whole", 2)


@pytest.mark.parametrize("count", [0, -1, True, 2.0, 10_001])
def test_a_number_of_parts_is_whole_and_not_too_large(tmp_path: Path, count: Any) -> None:
    with pytest.raises(OptionsError, match=r"parts=.* must be a whole number from 1 to 10000"):
        make_parts(tmp_path / "index", count)
    assert not (tmp_path / "index").exists()


def test_a_database_has_no_parts() -> None:
    assert find_parts("postgresql://localhost/docs") is None
    with pytest.raises(OptionsError, match="parts are for folders and s3"):
        make_parts("postgresql://localhost/docs", 2)


@pytest.mark.parametrize("data", [b"", b"[]", b'{"parts": 3}', b'{"schema": "crosshead.parts/1", "parts": "3"}'])
def test_damaged_parts_are_an_error_of_one_line(tmp_path: Path, parts: Parts, data: bytes) -> None:
    (tmp_path / "index" / "parts.json").write_bytes(data)
    with pytest.raises(CorruptIndex, match=r"parts\.json is damaged"):
        find_parts(tmp_path / "index")


def test_parts_on_object_storage(bucket: str, docs: Path) -> None:
    parts = make_parts(f"{bucket}/docs/", 2)
    assert find_parts(f"{bucket}/docs") == parts
    assert parts.locations == [f"{bucket}/docs/part-000", f"{bucket}/docs/part-001"]
    assert add(parts, docs).added == DOCUMENTS
    assert sum(map(len, sources_of(parts))) == DOCUMENTS
    write(docs, 3, "Now with more.\n")
    assert add(parts, docs).updated == 1
    with pytest.raises(OptionsError, match="this index has 2 parts"):
        make_parts(f"{bucket}/docs", 3)
    with pytest.raises(IndexNotFound, match="this index has 2 parts: join them"):
        Index(f"{bucket}/docs", create=False)
    Index(f"{bucket}/whole", embedder=WordEmbedder()).close()
    with pytest.raises(OptionsError, match="this index is one whole"):
        make_parts(f"{bucket}/whole", 2)


def test_an_index_in_parts_is_searched_as_one(tmp_path: Path, docs: Path, parts: Parts) -> None:
    add(parts, docs)
    with Index(tmp_path / "whole", embedder=WordEmbedder()) as whole, Index.join(parts.location) as joined:
        whole.add(docs)
        assert joined.locations == parts.locations
        for query in ("part 2 of 3", "page 7", "word"):
            hits = [(hit.citation, round(hit.score, 6)) for hit in joined.search(query, mode="lexical")]
            assert hits == [(hit.citation, round(hit.score, 6)) for hit in whole.search(query, mode="lexical")]
            assert hits


def test_hits_of_an_index_in_parts_name_no_part(tmp_path: Path, docs: Path, parts: Parts) -> None:
    add(parts, docs)
    with Index(tmp_path / "other", embedder=WordEmbedder()) as other:
        other.add_text("# Salt\n\nZinc and salt.", source="salt.md")
    with Index.join(parts.location) as one:
        found = one.search("page 7 word", mode="lexical")
        assert {hit.index for hit in found} == {""}
        assert {one.index_of(hit.chunk.document_id) for hit in found} <= {*parts.locations}
    with Index.join([parts.location, tmp_path / "other"]) as both:
        found = both.search("word zinc", mode="lexical")
        assert {hit.index for hit in found} == {parts.location, str(tmp_path / "other")}
        assert both.roots_by_shown_index[parts.location] == tmp_path


def test_python_adds_to_parts_and_keeps_their_settings(tmp_path: Path, docs: Path) -> None:
    location = tmp_path / "index"
    with pytest.raises(OptionsError, match="say how many a new one gets"):
        Index.add_to_parts(location, docs)
    told: list[Progress] = []
    options = {"max_tokens": 100}
    result = Index.add_to_parts(location, docs, parts=2, embedder="static", chunking=options, on_progress=told.append)
    assert result.added == DOCUMENTS
    assert told[-1].documents_done == told[-1].documents_total == DOCUMENTS
    assert Index.add_to_parts(location, docs).unchanged == DOCUMENTS
    with pytest.raises(OptionsMismatch, match="max_tokens"):
        Index.add_to_parts(location, docs, chunking={"max_tokens": 200})
    for part in ("part-000", "part-001"):
        with Index(location / part, create=False) as index:
            assert index.status().settings["chunk"]["max_tokens"] == 100
