"""A file becomes the rows of its document."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crosshead.errors import CorruptIndex, ExtractError, OptionsError, OptionsMismatch
from crosshead.ids import content_hash
from crosshead.indexing.embedding.pieces import PieceCutter
from crosshead.indexing.recipe import Recipe, check_same
from crosshead.indexing.steps.prepare import prepare_file, prepare_text, text_revision
from crosshead.indexing.steps.source_file import SourceFile
from crosshead.options import ChunkOptions, ExtractOptions
from crosshead.pipeline import read
from crosshead.types import DocumentRows

RECIPE = Recipe(ChunkOptions(), ExtractOptions(), "breadcrumb+content", 128, "auto", "model-1")
GUIDE = "# Guide\n\nWords.\n\n## Install\n\nRun it.\n\n### On Linux\n\nText.\n\n## Use\n\nMore.\n"


def file_with(tmp_path: Path, text: str, name: str = "guide.md") -> SourceFile:
    (tmp_path / name).write_text(text)
    return SourceFile(str(tmp_path / name), f"docs/{name}")


def prepared(recipe: Recipe, file: SourceFile) -> DocumentRows:
    return prepare_file(recipe, file)[0].rows


def test_sections_are_in_the_order_of_the_text_and_know_their_parents(tmp_path: Path) -> None:
    rows = prepared(RECIPE, file_with(tmp_path, GUIDE))
    assert [section.title for section in rows.sections[1:]] == ["Guide", "Install", "On Linux", "Use"]
    by_id = {section.id: section for section in rows.sections}
    for section in rows.sections[1:]:
        assert by_id[section.parent_id or ""].path == section.path[:-1]
        assert section.document_id == rows.document.id
    assert {each.chunk.section_id for each in rows.chunks} <= by_id.keys()


@pytest.mark.parametrize("name", ["incident-report.pdf", "prices.csv", "handbook.md"])
def test_pages_and_lines_of_the_document_are_stored(name: str) -> None:
    path = Path(__file__).parents[2] / "examples" / "docs" / name
    document, stored = read(path), prepared(RECIPE, SourceFile(str(path), name)).document
    assert (stored.pages, stored.lines) == (document.pages, document.lines)
    assert bool(stored.pages) == (name == "incident-report.pdf")
    assert bool(stored.lines) == (name == "prices.csv")


def test_document_has_source_title_and_text(tmp_path: Path) -> None:
    document = prepared(RECIPE, file_with(tmp_path, GUIDE)).document
    assert (document.source, document.title, document.text) == ("docs/guide.md", "Guide", GUIDE)


@pytest.mark.parametrize(
    ("front_matter", "date"),
    [
        ("date: 2024-03-01", "2024-03-01"),
        ("date: 2024-03-01T10:00:00Z", "2024-03-01"),
        ("content_date: '2023-12-31'", "2023-12-31"),
        ("date: soon", "2020-01-02"),
        ("date: 2024-99-99", "2020-01-02"),
        ("title: x", "2020-01-02"),
    ],
)
def test_date_is_that_of_the_front_matter_else_of_the_file(tmp_path: Path, front_matter: str, date: str) -> None:
    file = file_with(tmp_path, f"---\n{front_matter}\n---\n\nText.\n")
    os.utime(file.path, (1_577_923_200, 1_577_923_200))
    assert prepared(RECIPE, file).document.date == date


def test_front_matter_is_metadata_unless_it_is_stripped(tmp_path: Path) -> None:
    file = file_with(tmp_path, "---\nteam: infra\n---\n\nText.\n")
    assert prepared(RECIPE, file).document.metadata == {"team": "infra"}
    stripped = replace(RECIPE, chunk=ChunkOptions(front_matter="strip"))
    assert prepared(stripped, file).document.metadata == {}


def test_embedded_text_has_the_path_unless_only_the_content_is_asked_for(tmp_path: Path) -> None:
    file = file_with(tmp_path, "---\ntitle: Handbook\n---\n\n## Keys\n\nRotate them.\n")
    stored = prepared(RECIPE, file).chunks[0]
    assert stored.text_hash == content_hash(f"Handbook > Keys\n{stored.chunk.content}")
    bare = prepared(replace(RECIPE, embed_text="content"), file).chunks[0]
    assert bare.text_hash == content_hash(bare.chunk.content)


def test_syntax_that_is_asked_for_holds_for_sections_too(tmp_path: Path) -> None:
    file = file_with(tmp_path, "import a from 'b'\n\n# Title\n")
    rows = prepared(replace(RECIPE, chunk=ChunkOptions(mdx=True)), file)
    assert rows.document.format == "mdx"


def test_missing_file_is_an_error_with_its_source(tmp_path: Path) -> None:
    with pytest.raises(ExtractError, match=r"^docs/gone\.md: No such file"):
        prepared(RECIPE, SourceFile(str(tmp_path / "gone.md"), "docs/gone.md"))


def test_format_is_chosen_by_content_then_by_name(tmp_path: Path) -> None:
    assert prepared(RECIPE, file_with(tmp_path, "a,b\n1,2\n", "prices.csv")).document.format == "csv"
    page = "<!DOCTYPE html><html><body><h1>Page</h1><p>Text.</p></body></html>"
    assert prepared(RECIPE, file_with(tmp_path, page, "page.txt")).document.format == "html"


def test_text_has_its_own_metadata_and_no_date() -> None:
    rows, _ = prepare_text(RECIPE, "# Keys\n\nRotate.\n", "wiki/Keys", "markdown", {"team": "infra"})
    assert rows.document.metadata == {"team": "infra"}
    assert rows.document.date == ""
    assert rows.document.revision == text_revision(RECIPE, "# Keys\n\nRotate.\n", "markdown", {"team": "infra"})


@pytest.mark.parametrize(
    "other",
    [
        replace(RECIPE, chunk=ChunkOptions(max_tokens=99)),
        replace(RECIPE, extract=ExtractOptions(main_content="off")),
        replace(RECIPE, embed_text="content"),
        replace(RECIPE, language="russian"),
        replace(RECIPE, embedder_revision="model-2"),
    ],
)
def test_revision_changes_with_everything_that_decides_what_becomes_of_a_file(other: Recipe) -> None:
    assert other.revision_of("hash") != RECIPE.revision_of("hash")


@given(st.text(max_size=50), st.text(max_size=50))
def test_revisions_are_equal_if_and_only_if_hashes_are(one: str, other: str) -> None:
    assert (RECIPE.revision_of(one) == RECIPE.revision_of(other)) == (one == other)


def test_recipe_survives_the_settings() -> None:
    recipe = replace(RECIPE, extract=ExtractOptions(style_map={"HeadA": "1"}))
    assert Recipe.from_settings(recipe.to_settings(), "index") == recipe


def test_damaged_settings_are_a_clear_error() -> None:
    for damage in ({"chunk": {"max_tokens": -1}}, {"chunk": 7}, {"embed_text": "nothing"}):
        with pytest.raises(CorruptIndex, match="index: its settings are damaged"):
            Recipe.from_settings({**RECIPE.to_settings(), **damage}, "index")


def test_unknown_embed_text_is_an_error() -> None:
    with pytest.raises(OptionsError, match="embed_text"):
        replace(RECIPE, embed_text="all")  # type: ignore[arg-type]


def test_other_options_than_those_of_the_index_are_refused() -> None:
    check_same({"max_tokens": 400}, {"max_tokens": 400}, "here")
    with pytest.raises(OptionsMismatch, match="here: made with max_tokens=400, not 300: leave max_tokens out"):
        check_same({"max_tokens": 400}, {"max_tokens": 300}, "here")


def test_time_that_no_calendar_has_is_no_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = file_with(tmp_path, GUIDE)
    times = type("Times", (), {"st_mtime": 1e30})
    monkeypatch.setattr(os, "stat", lambda _: times)
    assert prepared(RECIPE, file).document.date == ""


class TestPieces:
    TEXT = "# Guide\n\n## Install\n\n" + "\n\n".join(
        f"Step {number} is about pumps and valves." for number in range(40)
    )

    def test_long_chunk_is_embedded_in_pieces_below_its_path(self, tmp_path: Path) -> None:
        recipe = replace(RECIPE, piece_tokens=64)
        for stored in prepared(recipe, file_with(tmp_path, self.TEXT)).chunks:
            heading, *_ = texts = PieceCutter(recipe).texts_to_embed(stored.chunk)
            assert len(texts) > 1
            assert all(text.startswith("Guide > Install\n") for text in texts)
            assert heading.startswith(
                "Guide > Install\n# Guide" if stored.chunk.index == 0 else "Guide > Install\nStep"
            )
            pieces = [text.removeprefix("Guide > Install\n") for text in texts]
            assert "".join("".join(pieces).split()) == "".join(stored.chunk.content.split())

    def test_rows_of_a_large_table_are_embedded_below_its_head(self, tmp_path: Path) -> None:
        rows = "".join(f"| key{number} | what the key of number {number} is for |\n" for number in range(30))
        recipe = replace(RECIPE, piece_tokens=64)
        [stored] = prepared(recipe, file_with(tmp_path, f"# Keys\n\n| key | meaning |\n|---|---|\n{rows}")).chunks
        first, *others = PieceCutter(recipe).texts_to_embed(stored.chunk)
        assert first.startswith("Keys\n# Keys\n\n| key | meaning |")
        assert others
        assert all(text.startswith("Keys\n| key | meaning |\n|---|---|\n| key") for text in others)

    def test_short_chunk_is_embedded_whole(self, tmp_path: Path) -> None:
        [stored] = prepared(RECIPE, file_with(tmp_path, GUIDE)).chunks
        assert PieceCutter(RECIPE).texts_to_embed(stored.chunk) == [f"Guide\n{stored.chunk.content}"]

    def test_without_pieces_every_chunk_is_embedded_whole(self, tmp_path: Path) -> None:
        recipe = replace(RECIPE, piece_tokens=0)
        for stored in prepared(recipe, file_with(tmp_path, self.TEXT)).chunks:
            assert PieceCutter(recipe).texts_to_embed(stored.chunk) == [f"Guide > Install\n{stored.chunk.content}"]

    def test_pieces_are_counted_in_tokens_however_chunks_are(self, tmp_path: Path) -> None:
        recipe = replace(RECIPE, chunk=ChunkOptions(max_tokens=2000, tokenizer="characters"))
        for stored in prepared(recipe, file_with(tmp_path, self.TEXT)).chunks:
            assert len(PieceCutter(recipe).texts_to_embed(stored.chunk)) < 6

    @pytest.mark.parametrize("size", [-1, 1.5, "many"])
    def test_impossible_sizes_are_refused(self, size: object) -> None:
        with pytest.raises(OptionsError, match="piece_tokens"):
            replace(RECIPE, piece_tokens=size)  # type: ignore[arg-type]

    def test_an_index_of_before_has_whole_chunks(self) -> None:
        settings = {name: value for name, value in RECIPE.to_settings().items() if name != "piece_tokens"}
        assert Recipe.from_settings(settings, "here").piece_tokens == 0


def test_pieces_of_a_chunk_are_never_taken_for_file_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = "3. **" + "在使用框架的时候，请求体和路径参数会被自动识别，" * 8 + "** 参见 v1.0"
    (tmp_path / "guide.md").write_text(line, "utf-8")
    recipe = replace(RECIPE, piece_tokens=16)
    (stored,) = prepared(recipe, SourceFile(str(tmp_path / "guide.md"), "guide.md")).chunks
    monkeypatch.setattr(os.path, "isfile", lambda _: pytest.fail("a text was looked up as a file"))
    assert "".join(PieceCutter(recipe).texts_to_embed(stored.chunk)).count("识别") == 8
