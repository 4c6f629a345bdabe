"""What an older program wrote is searched, shown and cited like what is indexed today."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.store.legacy import EMBEDDING, Row, write_legacy
from tests.support.stored_documents import DIMENSION, WordEmbedder
from typer.testing import CliRunner, Result

from crosshead.cli import app
from crosshead.errors import IndexNotFound, ModelNotChosen, OptionsMismatch
from crosshead.index import EmbedResult, Index
from crosshead.store.postgres.legacy import migrate

WIDTH = 768
"""Of the vectors of the older layout."""

ROWS = [
    Row(1, None, 1, "H1", "Guide", EMBEDDING, 1, 1, "vec"),
    Row(2, 1, 1, "H1-chunk", "Guide\nWelcome to the guide.", EMBEDDING, 3, 3, "vec"),
    Row(3, 1, 1, "H2", "Install", None, 5, 5, "no_vec"),
    Row(4, 3, 1, "H2-chunk", "Guide > Install\nInstall it\nwith pip.", EMBEDDING, 7, 8, "vec"),
    Row(5, 3, 1, "H2-chunk", "Written elsewhere.\nLeft alone.", None, 10, 11, "to_vec"),
    Row(6, 1, 1, "H2", "Use", None, 13, 13, "no_vec"),
    Row(7, 6, 1, "H2-chunk", "Guide > Use\nRotate the keys every day.", EMBEDDING, None, None, "vec"),
    Row(8, 6, 1, "H2-chunk", "", None, None, None, "to_vec"),
    Row(9, None, 2, "H1-chunk", "Ключи обновляются.", None, 1, 1, "vec_err"),
    Row(11, None, 2, "H1", None, None, None, None, None),
    Row(12, 11, 2, "H1-chunk", "Below a heading without text.", None, None, None, "to_vec"),
    Row(10, None, None, "H1-chunk", "of no work\nkeys", None, None, None, "to_vec"),
]


class WideEmbedder(WordEmbedder):
    """As wide as the column already is."""

    dimension = WIDTH


@pytest.fixture
def migrated(database: str) -> str:
    write_legacy(database, ROWS)
    migrate.upgrade(database)
    return database


@pytest.fixture(params=[WordEmbedder, WideEmbedder])
def index(migrated: str, request: pytest.FixtureRequest) -> Any:
    with Index(migrated, embedder=request.param(), create=False) as opened:
        opened.embed_pending()
        yield opened


def width_of_vectors(url: str) -> int:
    query = "SELECT atttypmod FROM pg_attribute WHERE attrelid = 'chunks'::regclass AND attname = 'embedding'"
    with psycopg.connect(url) as connection:
        (width,) = connection.execute(query).fetchone() or (0,)
    return int(width)


class TestChoosingTheModel:
    def test_nothing_works_before_and_the_error_says_what_to_do(self, migrated: str) -> None:
        with pytest.raises(ModelNotChosen, match="crosshead embed --pending --embedder NAME --index URL"):
            Index(migrated, create=False)

    def test_it_is_no_index_for_who_knows_no_better(self, migrated: str) -> None:
        with pytest.raises(IndexNotFound):
            Index(migrated, create=False)

    def test_an_empty_database_is_not_chosen_for(self, database: str) -> None:
        migrate.upgrade(database)
        with pytest.raises(IndexNotFound, match="there is no index here") as caught:
            Index(database, embedder=WordEmbedder(), create=False)
        assert not isinstance(caught.value, ModelNotChosen)

    @pytest.mark.parametrize(("embedder", "width"), [(WordEmbedder(), DIMENSION), (WideEmbedder(), WIDTH)])
    def test_the_column_is_changed_only_if_the_model_needs_it(
        self, migrated: str, embedder: WordEmbedder, width: int
    ) -> None:
        assert width_of_vectors(migrated) == WIDTH
        Index(migrated, embedder=embedder, create=False).close()
        assert width_of_vectors(migrated) == width

    def test_vectors_of_an_unknown_model_are_no_hindrance(self, database: str) -> None:
        odd = (None, "vec_err", "no_vec", "to_vec")
        rows = [
            Row(at, None, 1, "H1-chunk", f"text {at}", EMBEDDING, at, at, status) for at, status in enumerate(odd, 1)
        ]
        write_legacy(database, rows)
        migrate.upgrade(database)
        with Index(database, embedder=WordEmbedder(), create=False) as index:
            assert index.embed_pending() == EmbedResult(1)
            assert [hit.chunk.content for hit in index.search("text", mode="dense")] == ["text 4"]

    def test_it_is_chosen_once(self, migrated: str) -> None:
        Index(migrated, embedder="static", create=False).close()
        with pytest.raises(OptionsMismatch, match="made with embedder='static'"):
            Index(migrated, embedder="ollama:other", create=False)
        with Index(migrated, create=False) as opened:
            assert opened.status().embedder == "static"

    def test_indexing_chooses_as_well(self, migrated: str) -> None:
        with Index(migrated, embedder=WordEmbedder()) as opened:
            assert opened.status().documents == 2


class TestMigratedRows:
    def test_what_waited_is_embedded(self, index: Index) -> None:
        assert index.status().pending == 0
        assert index.embed_pending() == EmbedResult()

    def test_plain_call_of_old(self, index: Index) -> None:
        hits = index.search("rotate the keys", 10)
        assert hits[0].chunk.content == "Rotate the keys every day."

    @pytest.mark.parametrize("mode", ["hybrid", "lexical", "dense"])
    def test_found_with_path_lines_and_citation(self, index: Index, mode: Any) -> None:
        hit = index.search("install it with pip", 10, mode)[0]
        assert hit.chunk.content == "Install it\nwith pip."
        assert hit.chunk.section_path == ("Guide", "Install")
        assert hit.chunk.breadcrumb == "Guide > Install"
        assert (hit.chunk.source_start_line, hit.chunk.source_end_line) == (7, 8)
        assert hit.chunk.citation == "Guide:7-8"

    def test_rows_that_were_left_alone_or_had_no_vector(self, index: Index) -> None:
        assert index.search("written elsewhere", 10)[0].chunk.content == "Written elsewhere.\nLeft alone."
        assert index.search("ключи", 10, "lexical")[0].chunk.source == "Другая книга"

    def test_nothing_is_found_that_says_nothing(self, index: Index) -> None:
        found = [hit.chunk.content for hit in index.search("keys guide use", 50)]
        assert "" not in found
        assert "of no work\nkeys" not in found

    @pytest.mark.parametrize(
        ("filters", "count"),
        [
            ({"section_filter": "Guide > Use*"}, 1),
            ({"source": "Guide"}, 4),
            ({"format": "markdown", "per_document": 1}, 2),
            ({"metadata": {"team": "docs"}}, 0),
            ({"since": "2026-01-01"}, 0),
            ({"expand_context": True}, 6),
        ],
    )
    def test_newer_filters_do_not_break_on_older_rows(self, index: Index, filters: Any, count: int) -> None:
        assert len(index.search("guide install keys ключи elsewhere", 20, **filters)) == count

    def test_passages_give_the_section(self, index: Index) -> None:
        passage = index.passages("rotate the keys", limit=1)[0]
        assert passage.heading_chain == ("Guide", "Use")
        assert passage.content.startswith("## Use\n\nRotate the keys every day.")
        assert passage.source == "Guide"

    def test_heading_without_text_and_lines(self, index: Index, tmp_path: Path) -> None:
        hit = index.search("heading without text", 1)[0]
        assert hit.chunk.section_path == ()
        section = index.section(hit.chunk.section_id)
        assert section is not None
        assert section.content.endswith("Below a heading without text.")
        assert index.passages("heading without text", limit=1)[0].to_json()["heading_chain"] is None
        assert index.copy_to(tmp_path / "copy") == 2
        with Index(tmp_path / "copy", embedder=index.embedder, create=False) as copy:
            status = copy.status()
            assert (status.sections, status.chunks, status.pending) == (6, 7, 1)  # one had failed before
            assert copy.search("install it with pip", mode="dense")[0].chunk.content == "Install it\nwith pip."

    def test_looked_up_by_id(self, index: Index) -> None:
        chunk = index.search("install it with pip", 1)[0].chunk
        assert index.chunk(chunk.id) == chunk
        parent = index.parent(chunk.id)
        assert parent is not None
        assert parent.content == "Welcome to the guide."
        assert [each.content for each in index.siblings(chunk.id)] == ["Written elsewhere.\nLeft alone."]
        (beside,) = index.siblings(chunk.section_id)
        assert beside.content == "Rotate the keys every day."
        section = index.section(chunk.section_id)
        assert section is not None
        assert section.content.startswith("## Install\n\nInstall it\nwith pip.")

    def test_files_are_indexed_beside_them(self, index: Index, tmp_path: Path) -> None:
        file = tmp_path / "new.md"
        file.write_text("# New\n\nRotate the keys every week.\n", encoding="utf-8")
        assert index.add(file).added == 1
        found = {hit.chunk.content for hit in index.search("rotate keys", 2)}
        assert found == {"Rotate the keys every day.", "# New\n\nRotate the keys every week."}
        assert len(index.sources()) == 3
        assert index.remove(file) == 1
        assert index.remove("Guide") == 1
        assert index.sources() == ["Другая книга"]

    def test_a_migrated_work_is_replaced_by_its_source(self, index: Index, migrated: str) -> None:
        with psycopg.connect(migrated) as connection:  # text below text, and below a row of another work
            connection.execute("UPDATE chunks SET parent_id = 4 WHERE id IN (5, 9)")
        assert index.add_text("# Guide\n\nAnew.", source="Guide").updated == 1
        assert index.search("install pip", 10, "lexical") == []


Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CROSSHEAD_EMBEDDER", raising=False)

    def call(*args: str) -> Result:
        return CliRunner().invoke(app, args, prog_name="crosshead")

    return call


class TestCommands:
    @pytest.mark.parametrize("args", [["search", "keys"], ["status"], ["embed", "--pending"], ["show", "0" * 16]])
    def test_before_a_model_is_chosen(self, run: Run, migrated: str, args: list[str]) -> None:
        result = run(*args, "--index", migrated)
        assert result.exit_code == 2
        assert "choose one with: crosshead embed --pending --embedder NAME" in result.stderr

    @pytest.mark.parametrize("name", ["static", "auto"])
    def test_choose_embed_and_search(self, run: Run, migrated: str, name: str) -> None:
        result = run("embed", "--pending", "--embedder", name, "--index", migrated)
        assert (result.exit_code, result.stdout) == (0, "5 chunks embedded\n")
        found = run("search", "rotate the keys", "--index", migrated)
        assert found.exit_code == 0
        assert "Rotate the keys every day." in found.stdout
        assert run("status", "--index", migrated).exit_code == 0
        assert run("embed", "--pending", "--index", migrated).stdout == "0 chunks embedded\n"
