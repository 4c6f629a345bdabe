"""The whole way: files into an index, questions to it, whole sections out."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime
from pathlib import Path
from typing import get_args

import pytest
from tests.support.stored_documents import WordEmbedder

import crosshead
from crosshead.embedding.static import StaticEmbedder
from crosshead.errors import (
    CorruptIndex,
    EmbedError,
    IndexNotFound,
    IngestError,
    Locked,
    MigrationRequired,
    OptionsError,
    OptionsMismatch,
    StoreError,
    UnsupportedFormat,
)
from crosshead.index import Index, Progress
from crosshead.indexing.embedding import pending
from crosshead.indexing.embedding.pending import EmbedResult
from crosshead.indexing.files.missing import LARGE_INDEX
from crosshead.indexing.steps import write
from crosshead.options import ExtractOptions, SearchMode
from crosshead.types import Chunk, Vectors

RULES = """\
# CLAUDE.md

Notes for whoever works here.

## Commands

Run the tests before every commit.

```sh
make test
```

## Critical Rules

Never push to the main branch.

- Secrets stay out of the repository.
- Every change has a test.

## Layout

Sources lie in `src`.
"""


def filler(topic: str, words: int = 300) -> str:
    return " ".join(f"{topic} {number}" for number in range(words // 2))


class CountingEmbedder(StaticEmbedder):
    """Remembers what it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> list[Vectors]:
        self.texts += texts
        return super().embed(texts, on_progress=on_progress)


@pytest.fixture
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "CLAUDE.md").write_text(RULES)
    (folder / "keys.md").write_text(
        "---\nteam: infra\ndate: 2024-05-01\n---\n# Keys\n\nAbout keys.\n\n## Rotation\n\nRotate keys every 90 days.\n"
    )
    (folder / "prices.csv").write_text("name,price\nApple,1\nPear,2\n")
    monkeypatch.chdir(tmp_path)
    return folder


@pytest.fixture
def index(docs: Path) -> Index:
    made = Index(embedder="static")
    made.add("docs")
    return made


# ---------------------------------------------------------------------- stories


def found_by(index: Index, query: str, mode: SearchMode = "hybrid") -> list[tuple[Chunk, float]]:
    """Return chunks with their scores, whose last digits depend on the order in which numbers are added up."""
    return [(hit.chunk, round(hit.final_score, 5)) for hit in index.search(query, mode=mode)]


def test_search_for_a_heading_returns_the_whole_section_with_its_path(docs: Path) -> None:
    (docs / "CLAUDE.md").write_text(RULES.replace("Sources lie", f"{filler('layout')}\n\nSources lie"))
    index = Index(embedder="static", strategy="section", max_tokens=100)
    index.add(docs / "CLAUDE.md")
    best = index.search("Critical Rules")[0].chunk
    assert "## Critical Rules\n\nNever push" in best.content
    assert "Every change has a test." in best.content
    assert "Critical Rules" in best.section_path + best.inner_headings


@pytest.mark.parametrize("max_tokens", [30, 60, 100, 400])
def test_passage_for_a_heading_is_the_whole_section_with_its_path(docs: Path, max_tokens: int) -> None:
    index = Index(embedder="static", max_tokens=max_tokens)
    index.add(docs / "CLAUDE.md")
    passage = index.passages("Critical Rules", 300)[0]
    assert passage.heading_chain == ("CLAUDE.md", "Critical Rules")
    assert passage.content.startswith("## Critical Rules\n\nNever push to the main branch.")
    assert passage.content.endswith("Every change has a test.")
    assert passage.citation == "docs/CLAUDE.md:13-18"


def test_hit_on_code_expands_to_the_documentation_around_it(docs: Path) -> None:
    (docs / "deploy.md").write_text(
        f"# Deploy\n\nHow a release reaches the servers. {filler('release', 140)}\n\n"
        f"## By hand\n\n{filler('hand', 140)}\n\n"
        f"```sh\nrsync --archive build/ server:/srv/app\n```\n\n## By robot\n\n{filler('robot', 160)}\n"
    )
    index = Index(embedder="static")
    index.add("docs")
    hit = index.search("rsync --archive", expand_context=True)[0]
    assert "rsync --archive" in hit.chunk.content
    assert hit.parent is not None
    assert "How a release reaches the servers." in hit.parent.content
    assert [sibling.section_path[-1] for sibling in hit.siblings] == ["By robot"]


LANGUAGES = {
    "ru.md": "# Руководство\n\n## Ключи\n\nКлючи шифрования меняются каждые девяносто дней.\n\n"
    "## Отчёты\n\nЕжемесячный отчёт отправляется руководителю.\n",
    "ja.md": "# 手引き\n\n## 鍵の管理\n\n暗号鍵は九十日ごとに交換します。\n\n"
    "## 報告\n\n月次報告書は上司に提出します。\n",
    "en.md": "# Guide\n\n## Keys\n\nEncryption keys change every ninety days.\n",
}


@pytest.mark.parametrize(
    ("question", "source", "section", "highlighted"),
    [
        ("как часто менять ключ шифрования", "ru.md", "Ключи", ["Ключи", "шифрования"]),
        ("кому отправлять ЕЖЕМЕСЯЧНЫЕ ОТЧЕТЫ", "ru.md", "Отчёты", ["Ежемесячный", "отчёт"]),
        ("暗号鍵の交換はいつですか", "ja.md", "鍵の管理", ["暗号鍵"]),
        ("報告書を提出する", "ja.md", "報告", ["報告書"]),
        ("how often does an encryption key change", "en.md", "Keys", ["Encryption", "keys", "change"]),
    ],
)
def test_words_are_found_in_the_language_of_the_document(
    tmp_path: Path, question: str, source: str, section: str, highlighted: list[str]
) -> None:
    index = Index(tmp_path / "index", embedder="static", max_tokens=24, min_tokens=0, target_tokens=8)
    for name, text in LANGUAGES.items():
        index.add_text(text, source=name)
    best = index.search(question, mode="lexical")[0]
    assert (best.chunk.source, best.chunk.section_path[-1]) == (source, section)
    words = [best.snippet[start:end] for start, end in best.highlights]
    assert words[: len(highlighted)] == highlighted


# ---------------------------------------------------------------------- adding


def test_folder_is_indexed_with_relative_sources(docs: Path) -> None:
    with Index(embedder="static") as index:
        result = index.add("docs")
        assert (result.added, result.updated, result.unchanged, result.removed, result.failed) == (3, 0, 0, 0, {})
        assert index.sources() == ["docs/CLAUDE.md", "docs/keys.md", "docs/prices.csv"]


def test_adding_again_does_nothing(docs: Path) -> None:
    embedder = CountingEmbedder()
    index = Index(embedder=embedder)
    index.add("docs")
    before = len(embedder.texts)
    assert before
    result = index.add("docs")
    assert (result.added, result.updated, result.unchanged, result.embedded) == (0, 0, 3, 0)
    assert len(embedder.texts) == before


def test_editing_one_section_embeds_only_its_chunks(docs: Path) -> None:
    sections = [f"## Part {number}\n\n{filler(f'topic{number}')}\n\n" for number in range(6)]
    (docs / "long.md").write_text("# Long\n\n" + "".join(sections))
    embedder = CountingEmbedder()
    index = Index(embedder=embedder)
    index.add("docs")
    embedder.texts.clear()
    sections[3] = sections[3].replace("topic3 7", "another word")
    (docs / "long.md").write_text("# Long\n\n" + "".join(sections))
    result = index.add("docs")
    assert (result.updated, result.unchanged) == (1, 3)
    assert 0 < result.embedded <= len(embedder.texts)
    assert all(text.startswith("Long > Part 3\n") for text in embedder.texts)


def test_same_text_in_two_documents_is_embedded_once(docs: Path) -> None:
    embedder = CountingEmbedder()
    index = Index(embedder=embedder)
    for name in ("a.md", "b.md"):
        (docs / name).write_text("# Same\n\nSame text.\n")
    index.add(docs / "a.md", docs / "b.md")
    assert len(embedder.texts) == 1
    assert {hit.chunk.source for hit in index.search("Same text")} == {"docs/a.md", "docs/b.md"}


def test_removed_file_is_pruned_and_kept_without_prune(index: Index, docs: Path) -> None:
    (docs / "keys.md").unlink()
    assert index.add("docs", prune=False).removed == 0
    assert index.search("Rotate keys")[0].chunk.source == "docs/keys.md"
    assert index.add("docs").removed == 1
    assert "docs/keys.md" not in index.sources()
    assert all(hit.chunk.source != "docs/keys.md" for hit in index.search("Rotate keys"))


def test_only_what_lay_below_the_given_folder_is_pruned(index: Index, docs: Path) -> None:
    (docs / "sub").mkdir()
    (docs / "sub" / "a.md").write_text("# A\n\nText.\n")
    index.add("docs/sub")
    (docs / "sub" / "a.md").unlink()
    (docs / "keys.md").unlink()
    assert index.add("docs/sub", allow_removal=True).removed == 1
    assert "docs/keys.md" in index.sources()


def test_folder_that_has_become_empty_keeps_its_documents_until_that_is_allowed(index: Index, docs: Path) -> None:
    known = index.sources()
    docs.rename("elsewhere")
    for _ in ("there is no such folder", "the folder is empty"):
        result = index.add("docs")
        assert (result.removed, sorted(result.kept), index.sources()) == (0, known, known)
        assert "docs: all 3 documents there are missing" in result.notes[-1]
        docs.mkdir(exist_ok=True)
    assert index.add("docs", allow_removal=True).removed == 3
    assert index.sources() == []


def test_rest_of_a_run_goes_on_where_documents_are_kept(index: Index, docs: Path) -> None:
    (docs / "sub").mkdir()
    (docs / "sub" / "a.md").write_text("# A\n\nText.\n")
    index.add("docs/sub")
    (docs / "sub" / "a.md").unlink()
    (docs / "keys.md").unlink()
    (docs / "new.md").write_text("# New\n\nText of its own.\n")
    result = index.add("docs", "docs/sub")
    assert (result.added, result.removed, result.kept) == (1, 1, ("docs/sub/a.md",))


def test_more_than_half_of_a_larger_index_is_kept_until_that_is_allowed(index: Index, docs: Path) -> None:
    for number in range(LARGE_INDEX - 3):
        (docs / f"{number}.md").write_text(f"# Page {number}\n\nText.\n")
    index.add("docs")
    for number in range(LARGE_INDEX // 2):
        (docs / f"{number}.md").unlink()
    half = index.add("docs")
    assert (half.removed, half.kept) == (LARGE_INDEX // 2, ())
    for number in range(LARGE_INDEX // 2 + 1):
        (docs / f"{number}.md").write_text(f"# Page {number}\n\nText.\n")
    index.add("docs")
    for number in range(LARGE_INDEX // 2 + 1):
        (docs / f"{number}.md").unlink()
    more = index.add("docs")
    assert (more.removed, len(more.kept)) == (0, LARGE_INDEX // 2 + 1)
    assert "11 of 20 documents are missing" in more.notes[-1]


def test_folder_that_got_another_name_is_not_lost(index: Index, docs: Path) -> None:
    docs.rename("manual")
    result = index.add(".")
    assert (result.added, result.removed, result.kept) == (3, 3, ())


def test_moved_index_asks_for_its_root_before_every_document_is_there_twice(
    index: Index, docs: Path, tmp_path: Path
) -> None:
    """If the index is moved alone, or used from another folder, the user has to name the root."""
    known = index.sources()
    (tmp_path / "away").mkdir()
    Path(index.location).rename(tmp_path / "away" / "index")
    moved = Index("away/index")
    with pytest.raises(OptionsMismatch, match=f"pass --root {tmp_path} "):
        moved.add("docs")
    assert moved.sources() == known
    with pytest.raises(OptionsMismatch, match="made with root="):
        Index("away/index", root="docs")
    with Index("away/index", root=tmp_path) as taken:
        assert taken.add("docs").unchanged == 3
    assert Index("away/index").root == tmp_path
    assert Index("away/index").add("docs").unchanged == 3


def test_documents_known_by_their_whole_paths_are_not_added_by_shorter_ones(docs: Path, tmp_path: Path) -> None:
    outside = Index("away/index", embedder="static")
    outside.add("docs")
    Path("away/index").rename(tmp_path / "index")
    with pytest.raises(OptionsMismatch, match="their sources are whole paths"):
        Index("index").add("docs")
    assert Index("index", root="away").add("docs").unchanged == 3


def test_other_files_with_a_known_name_are_added_where_the_known_ones_are(index: Index, docs: Path) -> None:
    (docs / "docs").mkdir()
    (docs / "docs" / "keys.md").write_text("# Others\n")
    assert index.add("docs/docs").added == 1


def test_root_that_an_index_has_by_itself_may_be_named(index: Index, tmp_path: Path) -> None:
    assert Index(index.location, root=tmp_path).add("docs").unchanged == 3


def test_file_that_is_gone_may_be_named(index: Index, docs: Path) -> None:
    (docs / "keys.md").unlink()
    assert index.add("docs/keys.md").removed == 1


def test_ignored_file_is_removed_from_the_index(index: Index, docs: Path) -> None:
    (docs / ".gitignore").write_text("keys.md\n")
    assert index.add("docs").removed == 1


def test_failing_file_is_reported_and_its_rows_stay(index: Index, docs: Path) -> None:
    (docs / "keys.md").write_bytes(bytes(range(256)) * 9)
    (docs / "broken.docx").write_bytes(b"PK\x03\x04 no archive")
    result = index.add("docs")
    assert set(result.failed) == {"docs/keys.md", "docs/broken.docx"}
    assert not any(reason.startswith("docs/") for reason in result.failed.values())
    assert result.unchanged == 2
    assert index.search("Rotate keys")[0].chunk.source == "docs/keys.md"


def test_file_that_cannot_be_opened_fails_and_is_not_pruned(index: Index, docs: Path) -> None:
    (docs / "keys.md").unlink()
    (docs / "keys.md").symlink_to(docs / "nowhere.md")
    result = index.add("docs")
    assert result.removed == 0
    assert result.failed == {"docs/keys.md": "No such file or directory"}


def test_missing_path_is_an_error(index: Index) -> None:
    with pytest.raises(IngestError, match="nowhere: no such file or folder"):
        index.add("nowhere")


def test_many_files_in_processes_give_what_one_process_gives(docs: Path) -> None:
    for number in range(40):
        (docs / f"{number:02}.md").write_text(f"# Page {number}\n\n{filler(f'page{number}', 60)}\n")
    (docs / "odd.md").write_text("---\ntitle: [x\n---\n\nText.\n")
    seen: list[Progress] = []
    alone, together = Index("one", embedder="static"), Index("two", embedder="static")
    first = alone.add("docs", jobs=1)
    second = together.add("docs", jobs=2, on_progress=seen.append)
    assert first == second
    assert "malformed front matter" in first.notes[0]
    assert (seen[-1].documents_done, seen[-1].documents_total, seen[-1].texts_embedded) == (44, 44, second.embedded)
    assert found_by(alone, "page7 3") == found_by(together, "page7 3") != []


def test_format_of_the_user_is_indexed_here(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from crosshead.formats import registry as formats

    for name in ("_FORMATS", "_SUFFIXES", "_ALIASES"):
        monkeypatch.setattr(formats, name, dict(getattr(formats, name)))
    read = lambda data, _: crosshead.Extracted(text=f"# Shout\n\n{data.decode().upper()}\n")  # noqa: E731
    crosshead.register_format(crosshead.Format("shout", read, (".shout",)))
    (docs / "a.shout").write_text("hello harbor")
    index = Index(embedder="static")
    index.add("docs", jobs=2)
    assert index.search("harbor", format="shout")[0].chunk.content == "# Shout\n\nHELLO HARBOR"


def test_text_is_indexed_replaced_and_never_pruned(index: Index) -> None:
    assert index.add_text("# Harbor\n\nShips.\n", source="wiki/Harbor", metadata={"team": "sea"}).added == 1
    assert index.add_text("# Harbor\n\nShips.\n", source="wiki/Harbor", metadata={"team": "sea"}).unchanged == 1
    assert index.add(".").removed == 0
    assert index.search("ships", metadata={"team": "sea"})[0].chunk.source == "wiki/Harbor"
    assert index.add_text("# Harbor\n\nBoats.\n", source="wiki/Harbor").updated == 1
    assert index.search("boats", mode="lexical")[0].chunk.source == "wiki/Harbor"
    with pytest.raises(OptionsError, match="source of a text is empty"):
        index.add_text("x", source=" ")


def test_remove_takes_a_source_a_path_or_a_folder(index: Index, docs: Path) -> None:
    assert index.remove("docs/keys.md") == 1
    assert index.remove("docs/keys.md") == 0
    assert index.remove(docs / "CLAUDE.md") == 1
    assert index.remove("docs/") == 1
    assert index.sources() == []


def test_remove_names_what_it_removes(index: Index, tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "far/away.md").write_text("# Away\n")
    with Index(tmp_path / "index", root=tmp_path / "empty", embedder="static") as other:
        other.add(tmp_path / "far")
        for nothing in ("", " "):
            with pytest.raises(OptionsError, match="no document is named"):
                other.remove(nothing)
        other.add_text("# Near\n", source="near.md")
        assert other.remove(".") == 1  # the working folder, which is not the root
        assert other.sources() == ["near.md"]
    assert index.remove(".") == 3


def test_an_index_is_made_in_a_folder_of_its_own(docs: Path) -> None:
    with pytest.raises(OptionsError, match="no index is named"):
        Index("", embedder="static")
    with pytest.raises(StoreError, match="among other files"):
        Index(docs, embedder="static")
    assert not (docs / "settings.json").exists()


def test_format_of_a_filter_is_one_that_is_known(index: Index) -> None:
    assert index.search("keys", format="MD") == index.search("keys", format="markdown")
    with pytest.raises(UnsupportedFormat, match="known are"):
        index.search("keys", format="pdff")


def test_a_query_is_text_and_a_day_may_be_a_date(index: Index) -> None:
    with pytest.raises(OptionsError, match="query=None must be a string"):
        index.search(None)  # type: ignore[arg-type]
    assert index.search("keys", since=datetime(2000, 1, 1, 12, 30)) == index.search("keys", since="2000-01-01")
    assert index.search("keys", since=date(2000, 1, 1)) == index.search("keys", since="2000-01-01")


def test_empty_document_is_a_document(index: Index, docs: Path) -> None:
    (docs / "empty.md").write_text("")
    assert index.add("docs").added == 1
    assert index.add("docs").unchanged == 4


def test_a_file_that_is_too_large_is_refused_and_the_limit_may_change_later(docs: Path) -> None:
    (docs / "large.md").write_text("# Large\n\n" + "text " * 2_000)
    made = Index(embedder="static", extract=ExtractOptions(main_content="off"))
    assert made.add("docs").added == 4
    small = Index(extract=ExtractOptions(max_file_size="5KB"))
    (docs / "large.md").write_text("# Large\n\n" + "more " * 2_000)
    result = small.add("docs")
    assert (result.unchanged, [*result.failed]) == (3, ["docs/large.md"])
    assert "--max-file-size" in result.failed["docs/large.md"]
    assert "max_file_size" not in small.status().settings["extract"]
    assert Index().add("docs").updated == 1


# ---------------------------------------------------------------------- vectors later


def test_without_embedding_texts_wait_and_are_found_by_their_words(docs: Path) -> None:
    embedder = CountingEmbedder()
    index = Index(embedder=embedder)
    result = index.add("docs", embed=False)
    assert (result.added, result.embedded, embedder.texts) == (3, 0, [])
    assert result.pending == index.status().pending == 3
    assert index.search("Rotate keys")[0].chunk.source == "docs/keys.md"
    assert index.search("Rotate keys", mode="dense") == []
    assert index.add("docs", embed=False).pending == 3
    seen: list[tuple[int, int]] = []
    assert index.embed_pending(on_progress=lambda *counts: seen.append(counts)) == EmbedResult(3)
    assert seen[-1] == (3, 3)
    assert len(embedder.texts) == 3
    assert index.embed_pending() == EmbedResult()
    assert index.status().pending == 0


def test_jobs_hold_for_an_embedder_that_uses_several_cores(docs: Path) -> None:
    class Parallel(CountingEmbedder):
        jobs: int | None = None

    embedder = Parallel()
    index = Index(embedder=embedder)
    index.add("docs", jobs=3)
    assert embedder.jobs == 3
    index.embed_pending(jobs=2)
    assert embedder.jobs == 2
    index.embed_pending()
    assert embedder.jobs is None


class SlowEmbedder(CountingEmbedder):
    """As any model but the static table."""

    is_instant = False


def test_texts_are_found_by_their_words_before_they_are_embedded(docs: Path) -> None:
    found: list[list[str]] = []

    class Looking(SlowEmbedder):
        def embed(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> list[Vectors]:
            found.append(found_by(Index(create=False), "keys", "lexical"))
            return super().embed(texts, on_progress=on_progress)

    index = Index(embedder=Looking())
    seen: list[Progress] = []
    assert index.add("docs", on_progress=seen.append).embedded == 3
    assert found == [found_by(index, "keys", "lexical")] != [[]]
    assert Progress(3, 3, 0, 3) in seen
    assert seen[-1] == Progress(3, 3, 3, 3)


def test_the_next_run_embeds_what_an_interrupted_one_left(docs: Path) -> None:
    class Interrupted(SlowEmbedder):
        def embed(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> list[Vectors]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Index(embedder=Interrupted()).add("docs")
    index = Index(embedder=SlowEmbedder())
    assert (index.status().documents, index.status().pending) == (3, 3)
    again = index.add("docs")
    assert (again.unchanged, again.embedded, again.pending) == (3, 3, 0)
    assert found_by(index, "keys", "dense") != []


def test_vectors_made_later_are_those_made_at_once(docs: Path) -> None:
    now, later = Index("now", embedder="static"), Index("later", embedder="static")
    now.add("docs")
    later.add("docs", embed=False)
    later.embed_pending()
    assert found_by(now, "keys", "dense") == found_by(later, "keys", "dense") != []


def test_known_vectors_are_used_even_without_embedding(docs: Path, index: Index) -> None:
    (docs / "copy.md").write_text((docs / "keys.md").read_text())
    assert index.add("docs", embed=False).pending == 0


def test_interrupted_embedding_goes_on_the_next_time(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pending, "CHUNKS_AT_ONCE", 2)
    embedder = CountingEmbedder()
    index = Index(embedder=embedder)
    for number in range(7):
        (docs / f"{number}.md").write_text(f"# Page {number}\n\nText.\n")
    index.add("docs", embed=False)

    def interrupt(done: int, _: int) -> None:
        if done > 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index.embed_pending(on_progress=interrupt)
    assert index.status().pending == 6
    assert index.embed_pending() == EmbedResult(6)
    assert len(set(embedder.texts)) == 10


class PickyEmbedder(CountingEmbedder):
    """Cannot embed texts with a certain word, as a server may refuse them."""

    word = "Rotate"

    def embed(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> list[Vectors]:
        if any(self.word in text for text in texts):
            raise EmbedError(f"refused: {self.word}")
        return super().embed(texts, on_progress=on_progress)


def test_a_text_that_cannot_be_embedded_does_not_keep_the_others_back(docs: Path) -> None:
    for number in range(7):
        (docs / f"{number}.md").write_text(f"# Page {number}\n\nText.\n")
    index = Index(embedder=PickyEmbedder())
    index.add("docs", embed=False)
    result = index.embed_pending()
    assert (result.embedded, [*result.failed.values()]) == (9, ["refused: Rotate"])
    (failed,) = result.failed
    found = index.chunk(failed)
    assert found
    assert found.source == "docs/keys.md"
    assert index.status().pending == 1
    assert index.search("rotate keys")[0].chunk.id == failed
    assert index.embed_pending() == EmbedResult(0, result.failed)


def test_a_refused_text_is_indexed_by_its_words(docs: Path) -> None:
    index = Index(embedder=PickyEmbedder())
    result = index.add("docs")
    assert (result.added, result.embedded, result.pending) == (3, 2, 1)
    assert result.notes == ("docs/keys.md:5-11: not embedded, found by its words only: refused: Rotate",)
    assert index.search("rotate keys")[0].chunk.source == "docs/keys.md"
    text = index.add_text("# More\n\nRotate more.", source="more")
    assert text.notes == ("more:1-3: not embedded, found by its words only: refused: Rotate",)


def test_an_embedder_that_fails_for_all_texts_ends_the_run(docs: Path) -> None:
    embedder = PickyEmbedder()
    embedder.word = ""
    index = Index(embedder=embedder)
    index.add("docs", embed=False)
    with pytest.raises(EmbedError):
        index.embed_pending()
    assert index.status().pending == 3


# ---------------------------------------------------------------------- copies


def test_copy_holds_the_same_and_goes_on_from_there(docs: Path, index: Index, tmp_path: Path) -> None:
    (docs / "late.md").write_text("# Late\n\nNot embedded yet.\n")
    index.add("docs", embed=False)
    index.optimize()  # words are counted anew, as they are for the copy
    seen: list[tuple[int, int]] = []
    assert index.copy_to(tmp_path / "far/copy", on_progress=lambda *counts: seen.append(counts)) == 4
    assert seen == [(4, 4)]
    copy = Index(tmp_path / "far/copy", create=False)
    assert copy.root == index.root
    assert copy.status().pending == index.status().pending == 1
    for mode in get_args(SearchMode):
        assert found_by(index, "rotate keys", mode) == found_by(copy, "rotate keys", mode) != []
    assert copy.add("docs").unchanged == 4


def test_an_interrupted_copy_says_so_and_goes_on(
    docs: Path, index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("crosshead.store.copy.DOCUMENTS_AT_ONCE", 1)

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index.copy_to(tmp_path / "copy", on_progress=interrupt)
    copy = Index(tmp_path / "copy", create=False)
    assert "until then documents are missing" in caplog.text
    assert copy.status().unfinished_copy_of == copy.unfinished_copy_of == str(tmp_path / ".crosshead")
    assert [each.message for each in copy.doctor() if each.is_fault] == [
        f"the copy of {tmp_path / '.crosshead'} is unfinished: documents are missing"
    ]
    for change in (lambda: copy.add("docs"), lambda: copy.remove("docs"), lambda: copy.copy_to(tmp_path / "third")):
        with pytest.raises(StoreError, match="is unfinished: run crosshead copy"):
            change()
    other = Index("other", embedder="static")
    with pytest.raises(StoreError, match="an unfinished copy of"):
        other.copy_to(tmp_path / "copy")

    (docs / "keys.md").unlink()
    (docs / "new.md").write_text("# New\n\nWritten after the copy was interrupted.\n")
    index.add("docs")
    assert index.copy_to(tmp_path / "copy") == len(index.sources())
    whole = Index(tmp_path / "copy", create=False)
    assert whole.sources() == index.sources()
    assert not whole.unfinished_copy_of
    assert not whole.doctor()


def test_vectors_made_since_a_copy_was_interrupted_are_copied(docs: Path, index: Index, tmp_path: Path) -> None:
    (docs / "late.md").write_text("# Late\n\nNot embedded yet.\n")
    index.add("docs", embed=False)

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index.copy_to(tmp_path / "copy", on_progress=interrupt)
    index.embed_pending()
    index.copy_to(tmp_path / "copy")
    assert Index(tmp_path / "copy", create=False).status().pending == 0


def test_copy_into_an_index_with_documents_is_refused(docs: Path, index: Index) -> None:
    other = Index("other", embedder="static")
    other.add(docs / "keys.md")
    for taken in ("other", index.location):
        with pytest.raises(StoreError, match="there are documents already"):
            index.copy_to(taken)
    assert other.sources() == ["docs/keys.md"]
    Index("options", embedder="static", max_tokens=77)
    with pytest.raises(OptionsMismatch, match="options: made with "):
        index.copy_to("options")
    with pytest.raises(OptionsError, match="an index is a folder or a URL that starts with postgresql://"):
        index.copy_to("mysql://host/name")


# ---------------------------------------------------------------------- searching


def test_filters_limit_what_is_found(index: Index) -> None:
    def sources(**limits: object) -> set[str]:
        return {hit.chunk.source for hit in index.search("keys rules price", **limits)}  # type: ignore[arg-type]

    assert sources() == {"docs/CLAUDE.md", "docs/keys.md", "docs/prices.csv"}
    assert sources(source="docs/*.csv") == sources(format="csv") == {"docs/prices.csv"}
    assert sources(section_filter="rot*") == sources(metadata={"team": "infra"}) == {"docs/keys.md"}
    assert sources(until="2024-05-01") == {"docs/keys.md"}
    assert sources(since="2024-05-02") == {"docs/CLAUDE.md", "docs/prices.csv"}


@pytest.mark.parametrize("text", ["' OR 1=1 --", "x' OR 'a'='a", "*' OR kind = 'chunk", '"; DROP TABLE rows; --'])
def test_nothing_can_be_injected_through_filters(index: Index, text: str) -> None:
    before = index.status().chunks
    assert index.search("keys", source=text) == []
    assert index.search("keys", section_filter=text) == []
    with pytest.raises(UnsupportedFormat):
        index.search("keys", format=text)
    assert index.search("keys", metadata={text: text}) == []
    assert index.search("keys", metadata={"team": text}) == []
    for bound in ("since", "until"):
        with pytest.raises(OptionsError, match=bound):
            index.search("keys", **{bound: text})  # type: ignore[arg-type]
    assert index.chunk(text) is None
    assert index.section(text) is None
    assert index.remove(f"{text}.md") == 0
    assert index.status().chunks == before


@pytest.mark.parametrize(
    "query", ["'", '"', "keys' OR 1=1", "\x00\x01", "(", "AND OR NOT", "*", "ключи 鍵", "x" * 100_000]
)
def test_odd_queries_are_answered(index: Index, query: str) -> None:
    assert isinstance(index.search(query), list)


def test_mistakes_in_a_search_are_told(index: Index) -> None:
    with pytest.raises(OptionsError, match="query is empty"):
        index.search("  ")
    for name in ("limits", "limt", "k", "top_k", "n"):
        for search in (index.search, index.passages):
            with pytest.raises(OptionsError, match=f"unknown option '{name}': did you mean limit"):
                search("keys", **{name: 3})  # type: ignore[arg-type]
    with pytest.raises(OptionsError, match="did you mean section_filter, source, format, metadata, since or until"):
        index.search("keys", filter={"team": "infra"})  # type: ignore[call-arg]
    with pytest.raises(OptionsError, match="did you mean budget_tokens"):
        index.passages("keys", budget=100)  # type: ignore[call-arg]
    with pytest.raises(OptionsError, match="mode='loud'"):
        index.search("keys", mode="loud")  # type: ignore[arg-type]
    with pytest.raises(OptionsError, match="limit="):
        index.search("keys", limit="many")  # type: ignore[arg-type]
    with pytest.raises(OptionsError, match="budget_tokens=0"):
        index.passages("keys", 0)


def test_limit_and_share_of_a_document_hold(index: Index, docs: Path) -> None:
    (docs / "long.md").write_text("".join(f"# Keys {number}\n\n{filler('keys')}\n\n" for number in range(8)))
    index.add("docs")
    assert len(index.search("keys", limit=3)) == 3
    shared = index.search("keys", limit=10, per_document=2)
    assert sum(hit.chunk.source == "docs/long.md" for hit in shared) == 2


def test_static_table_counts_little_unless_told(index: Index) -> None:
    hit, *_ = index.search("rotate some keys")
    assert hit.lexical_score is not None
    assert hit.dense_score is not None
    assert hit.final_score == pytest.approx((hit.lexical_score + 0.4 * hit.dense_score) / 1.4)
    more, *_ = index.search("rotate some keys", dense_weight=1.0)
    assert more.final_score == pytest.approx((hit.lexical_score + hit.dense_score) / 2)


def test_cosines_of_other_models_are_compared_with_each_other(docs: Path) -> None:
    with Index("other", embedder=WordEmbedder()) as other:
        other.add("docs")
        hits = other.search("rotate some keys", limit=50, mode="dense")
        assert hits[-1].dense_score == 0.0
        assert not any(hit.is_weak for hit in hits)
        plain = other.search("rotate some keys", limit=50, mode="dense", relative_cosines=False)
        assert [hit.chunk.id for hit in plain] == [hit.chunk.id for hit in hits]
        assert plain[-1].dense_score != 0.0


def test_empty_index_answers_with_nothing(tmp_path: Path) -> None:
    index = Index(tmp_path / "empty", embedder="static")
    assert index.search("keys") == []
    assert index.passages("keys") == []
    assert index.status().documents == 0


# ---------------------------------------------------------------------- citing

EXAMPLES = Path(__file__).parent.parent / "examples" / "docs"


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Index:
    made = Index(tmp_path_factory.mktemp("examples") / "index", root=EXAMPLES, embedder="static", max_tokens=120)
    made.add(EXAMPLES, jobs=1)
    return made


@pytest.mark.parametrize(
    ("source", "form"),
    [
        ("handbook.md", r"handbook\.md:\d+(-\d+)?"),
        ("getting-started.mdx", r"getting-started\.mdx:\d+(-\d+)?"),
        ("prices.csv", r"prices\.csv:\d+(-\d+)?"),
        ("incident-report.pdf", r"incident-report\.pdf p\. \d+(-\d+)?( \(.+\))?"),
        ("agreement.docx", r"agreement\.docx( \(.+\))?"),
        ("status.html", r"status\.html( \(.+\))?"),
    ],
)
def test_hits_passages_and_sections_are_cited_alike(examples: Index, source: str, form: str) -> None:
    hits = examples.search("keys incident price agreement status", source=source, mode="dense")
    passages = examples.passages("keys incident price agreement status", source=source, mode="dense")
    sections = [examples.section(hit.chunk.section_id) for hit in hits if hit.chunk.section_level]
    cited = [each.citation for each in (*(hit.chunk for hit in hits), *passages, *filter(None, sections))]
    assert cited
    for citation in cited:
        assert re.fullmatch(form, citation)


def test_section_that_is_one_chunk_has_the_citation_of_the_chunk(examples: Index) -> None:
    formats = set()
    for hit in examples.search("incident keys price", limit=100, mode="dense"):
        section = examples.section(hit.chunk.section_id)
        assert section is not None
        if hit.chunk.section_level and section.content == hit.chunk.content:
            assert section.citation == hit.chunk.citation
            formats.add(hit.chunk.format)
    assert formats >= {"markdown", "pdf", "docx"}


# ---------------------------------------------------------------------- looking up


def test_parent_siblings_and_section_of_a_chunk(docs: Path) -> None:
    parts = "".join(f"## Part {number}\n\n{filler(f'part{number}')}\n\n" for number in range(4))
    (docs / "long.md").write_text(f"# Long\n\n{filler('opening')}\n\n{parts}")
    index = Index(embedder="static", max_tokens=700)
    index.add("docs/long.md")
    chunk = index.search("part1 5", section_filter="Part 1")[0].chunk
    parent = index.parent(chunk.id)
    assert parent is not None
    assert parent.section_path == ("Long",)
    assert index.parent(parent.id) is None
    assert [each.section_path[-1] for each in index.siblings(chunk.id)] == ["Part 0", "Part 2", "Part 3"]
    section = index.section(chunk.section_id)
    assert section is not None
    assert section.content.startswith("## Part 1\n\npart1 0")
    assert chunk.id in section.chunk_ids
    assert section.heading_chain == ("Long", "Part 1")
    assert section.citation == f"docs/long.md:{section.start_line}-{section.end_line}"
    whole = index.section(section.parent_section_id or "")
    assert whole is not None
    assert whole.content.count("## Part") == 4


def test_section_inside_a_chunk_of_joined_sections_is_found(index: Index) -> None:
    chunk = index.search("Critical Rules")[0].chunk
    assert chunk.inner_headings
    document = crosshead.read("docs/CLAUDE.md")
    rules = document.root.children[0].children[1]
    section = index.section(rules.id)
    assert section is not None
    assert section.content.startswith("## Critical Rules")
    assert section.chunk_ids == (chunk.id,)


def test_what_is_not_there_is_none(index: Index) -> None:
    assert index.chunk("0") is None
    assert index.parent("0") is None
    assert index.siblings("0") == []
    assert index.section("0") is None


def test_status_tells_counts_and_settings(index: Index) -> None:
    status = index.status()
    assert (status.documents, status.pending, status.embedder) == (3, 0, "static")
    assert status.chunks >= 3
    assert status.size_bytes > 0
    assert status.settings["chunk"]["max_tokens"] == 400
    index.optimize()
    assert index.status().documents == 3


# ---------------------------------------------------------------------- opening


def test_settings_are_kept_and_others_are_refused(docs: Path) -> None:
    Index("kept", embedder="static", max_tokens=200, language="russian", root=docs).close()
    again = Index("kept")
    assert again.status().settings["chunk"]["max_tokens"] == 200
    assert again.root == docs
    Index("kept", max_tokens=200, embedder="static", language="russian", root="docs")
    for other in (
        {"max_tokens": 300},
        {"strategy": "fixed"},
        {"language": "english"},
        {"embed_text": "content"},
        {"root": "."},
        {"embedder": "ollama:model"},
        {"extract": crosshead.ExtractOptions(main_content="off")},
    ):
        with pytest.raises(OptionsMismatch, match=f"made with {next(iter(other))}="):
            Index("kept", **other)  # type: ignore[arg-type]


def test_unknown_options_are_told_before_anything_is_made(tmp_path: Path) -> None:
    with pytest.raises(OptionsError, match="did you mean max_tokens"):
        Index(tmp_path / "new", max_token=3)
    with pytest.raises(OptionsError, match="embed_text"):
        Index(tmp_path / "new", embedder="static", embed_text="x")  # type: ignore[arg-type]
    with pytest.raises(OptionsError, match="unknown language"):
        Index(tmp_path / "new", embedder="static", language="klingon")
    assert not (tmp_path / "new").exists()


def test_index_that_must_exist_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(IndexNotFound, match="crosshead index PATH"):
        Index(tmp_path / "none", create=False)
    assert not (tmp_path / "none").exists()


def test_another_version_of_the_model_is_refused(index: Index) -> None:
    embedder = CountingEmbedder()
    embedder.__dict__["revision"] = "another"
    opened = Index(embedder=embedder)
    with pytest.raises(OptionsMismatch, match="another version of the model static"):
        opened.search("keys")
    assert opened.search("keys", mode="lexical")


def test_damaged_and_newer_indexes_are_clear_errors(index: Index) -> None:
    settings = Path(index.location, "settings.json")
    good = settings.read_text()
    settings.write_text(good.replace('"schema_version": 1', '"schema_version": 99'))
    with pytest.raises(MigrationRequired, match="newer version"):
        Index()
    settings.write_text("{")
    with pytest.raises(CorruptIndex):
        Index()
    settings.write_text(good.replace('"breadcrumb+content"', "7"))
    with pytest.raises(CorruptIndex):
        Index()
    settings.write_text(good.replace('"embedder":', '"model":'))
    with pytest.raises(CorruptIndex):
        Index()
    settings.write_text(good)
    for file in Path(index.location, "rows.lance").rglob("*.manifest"):
        file.write_bytes(b"nothing")
    with pytest.raises(StoreError):
        Index()


@pytest.mark.parametrize("same", [True, False])
def test_threads_that_write_wait_for_each_other(index: Index, same: bool) -> None:
    """Through one object, or through one each."""

    def write(number: int) -> int:
        writer = index if same else Index(index.location)
        return writer.add_text(f"# Text {number}\n\nFrom a thread.", source=f"text{number}").added

    with ThreadPoolExecutor(8) as threads:
        assert [*threads.map(write, range(8))] == [1] * 8
    assert {f"text{number}" for number in range(8)} < {*index.sources()}


def test_writer_waits_for_another_process_as_long_as_told(index: Index) -> None:
    program = (
        "import time, crosshead\n"
        "with crosshead.Index() as index, index._store.lock():\n"
        "    print('held', flush=True); time.sleep(2)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(Locked, match="--wait SECONDS"):
            Index(wait_seconds=0.1).add("docs")
        assert Index(wait_seconds=60).add("docs").unchanged == 3


def test_second_writer_is_locked_out_and_readers_work(index: Index) -> None:
    program = (
        "import sys, crosshead\n"
        "with crosshead.Index() as index:\n"
        "    with index._store.lock():\n"
        "        print('held', flush=True); sys.stdin.read()\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(Locked, match="another process is writing"):
            index.add("docs")
        assert index.search("keys")
        assert Index().search("keys")
        assert other.stdin is not None
        other.stdin.close()
    assert index.add("docs").unchanged == 3


def test_interrupted_run_leaves_whole_documents_and_is_finished_later(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write, "DOCUMENTS_AT_ONCE", 32)
    for number in range(70):
        (docs / f"{number:02}.md").write_text(f"# Page {number}\n\n{filler(f'page{number}', 40)}\n")
    index = Index(embedder="static")

    def interrupt(progress: Progress) -> None:
        if progress.documents_done == 60:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index.add("docs", on_progress=interrupt, jobs=1)
    again = Index()
    there = len(again.sources())
    assert 0 < there < 73
    result = again.add("docs")
    assert (result.added, result.unchanged) == (73 - there, there)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_folder_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir(mode=0o500)
    with pytest.raises(StoreError):
        Index(tmp_path / "locked" / "index", embedder="static")


def test_format_that_was_named_is_kept(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("# of things\nkeys\n")
    with Index(tmp_path / "index", root=tmp_path, embedder="static") as index:
        index.add(tmp_path / "notes.txt", format="markdown")
        assert index.search("keys")[0].chunk.format == "markdown"
        assert index.add(tmp_path).unchanged == 1
        (tmp_path / "notes.txt").write_text("# of things\nkeys and doors\n")
        assert index.add(tmp_path).updated == 1
        assert index.search("keys")[0].chunk.format == "markdown"
        index.add(tmp_path / "notes.txt", format="text")
        assert index.search("keys")[0].chunk.format == "text"
