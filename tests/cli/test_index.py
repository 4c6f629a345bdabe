"""crosshead index, search, show, status, remove and optimize."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from threading import Event

import pytest
from filelock import FileLock
from rich.console import Console
from typer.testing import Result

from crosshead import pipeline
from crosshead.cli.indexes.results import IndexOutput
from crosshead.cli.views.hits import highlighted, score_line
from crosshead.cli.views.indexing import shown_count, shown_progress
from crosshead.embedding.static import StaticEmbedder
from crosshead.index import Index, Progress
from crosshead.indexing import AddResult
from crosshead.options import ChunkOptions
from crosshead.store.lance.location.base import LOCK_FILE
from crosshead.store.lance.location.folder import Folder
from crosshead.types import Chunks, Document

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def _no_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSHEAD_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "keys.md").write_text(
        "---\nteam: infra\ndraft: true\n---\n# Keys\n\nAbout keys.\n\n## Rotation\n\nRotate keys every 90 days.\n"
    )
    (docs / "prices.csv").write_text("name,price\nApple,1\nPear,2\n")
    return docs


@pytest.fixture
def indexed(run: Run, folder: Path) -> Path:
    assert run("index", "docs").exit_code == 0
    return folder


def test_folder_is_indexed_and_said_in_one_line(run: Run, folder: Path) -> None:
    result = run("index", "docs")
    assert result.exit_code == 0
    assert result.stdout == "2 added; 2 texts embedded\n"
    assert result.stderr.startswith("warning: embedding with the static table")
    again = run("index", "docs")
    assert (again.stdout, again.stderr) == ("2 unchanged; 0 texts embedded\n", "")


def test_advice_about_the_model_comes_with_the_first_documents(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with Index(tmp_path / "made") as index:
        assert index.add(tmp_path / "empty").notes == ()
        assert "embedding with the static table" in index.add(folder).notes[0]
        (folder / "more.md").write_text("# More\n")
        assert index.add(folder).notes == ()


@pytest.mark.usefixtures("_in_process")
def test_chunk_that_breaks_a_guarantee_is_a_failure_of_its_document_alone(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A chunker with a fault: it loses the end of a text."""
    for name in ("a", "b"):
        (folder / f"{name}.md").write_text(f"# {name.upper()}\n\nText of {name}.\n")

    def tear(document: Document, options: ChunkOptions) -> Chunks:
        chunks = chunk_document(document, options)
        return Chunks([replace(each, content=each.content[:-1]) for each in chunks], options)

    chunk_document = pipeline.chunk_document
    with monkeypatch.context() as patch:
        patch.setattr(
            pipeline,
            "chunk_document",
            lambda document, options: (tear if document.source == "docs/a.md" else chunk_document)(document, options),
        )
        result = run("index", "docs", "--json")
    assert result.exit_code == 1
    data = json.loads(result.stdout)
    assert (data["added"], [*data["failed"]]) == (3, ["docs/a.md"])
    assert data["failed"]["docs/a.md"] == (
        "chunk 0 (lines 1-3) is not the text between its offsets 0 and 15 (rule slice): "
        "a fault of Crosshead; please report it"
    )
    assert "error: docs/a.md: chunk 0" in result.stderr
    assert json.loads(run("search", "text", "--json").stdout.splitlines()[0])["chunk"]["source"] == "docs/b.md"
    assert json.loads(run("index", "docs", "--json").stdout)["added"] == 1


def test_failures_come_at_the_end_with_their_reasons(run: Run, indexed: Path) -> None:
    (indexed / "bad.docx").write_bytes(b"PK\x03\x04")
    (indexed / "keys.md").unlink()
    result = run("index", "docs")
    assert result.exit_code == 1
    assert result.stdout == "1 unchanged, 1 removed, 1 failed; 0 texts embedded\n"
    assert result.stderr.startswith("error: docs/bad.docx: ")
    assert result.stderr.count("\n") == 1


def test_folder_that_has_become_empty_needs_yes(run: Run, indexed: Path) -> None:
    indexed.rename("elsewhere")
    indexed.mkdir()
    result = run("index", "docs")
    assert (result.exit_code, result.stdout) == (1, "2 gone but kept; 0 texts embedded\n")
    assert result.stderr == (
        "warning: docs: all 2 documents there are missing; none were removed: "
        "restore them, or remove them with --yes (allow_removal=True)\n"
    )
    assert json.loads(run("index", "docs", "--json").stdout)["kept"] == ["docs/keys.md", "docs/prices.csv"]
    result = run("index", "docs", "--yes")
    assert (result.exit_code, result.stdout) == (0, "2 removed; 0 texts embedded\n")


@pytest.mark.parametrize(("answer", "code", "left"), [("n", 1, 2), ("y", 0, 0)])
def test_removal_of_all_is_asked_for_on_a_terminal(
    start_on_terminal: Callable[..., tuple[int, str]], run: Run, indexed: Path, answer: str, code: int, left: int
) -> None:
    shutil.rmtree(indexed)
    exit_code, shown = start_on_terminal("index", "docs", answer=answer)
    assert "Remove 2 documents whose files are missing? [y/N]" in shown
    assert exit_code == code
    assert json.loads(run("status", "--json").stdout)["documents"] == left


@pytest.mark.parametrize(
    "command", [("index", "docs"), ("remove", "docs/keys.md"), ("embed", "--pending"), ("optimize",)]
)
def test_commands_that_write_wait_as_long_as_told(run: Run, indexed: Path, command: tuple[str, ...]) -> None:
    held, done = Event(), Event()

    def write() -> None:
        with FileLock(Path(".crosshead") / LOCK_FILE):
            held.set()
            done.wait(60)

    with ThreadPoolExecutor(2) as threads:  # to the file, a lock of this process is one of any other
        threads.submit(write)
        held.wait(60)
        locked = run(*command)
        waiting = threads.submit(run, *command, "--wait", 60)
        done.set()
        assert (locked.exit_code, "another process is writing" in locked.stderr) == (2, True)
        assert waiting.result().exit_code == 0


def test_index_prints_json(run: Run, folder: Path) -> None:
    data = json.loads(run("index", "docs", "--json").stdout)
    assert (data["added"], data["failed"], data["embedded"]) == (2, {}, 2)


def test_mistyped_path_leaves_no_index_behind(run: Run, tmp_path: Path) -> None:
    result = run("index", "nowhere")
    assert result.exit_code == 2
    assert result.stderr == "error: nowhere: no such file or folder\n"
    assert not (tmp_path / ".crosshead").exists()


def test_options_come_from_flags_environment_and_file(
    run: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "crosshead.toml").write_text("[chunk]\nmax_tokens = 300\n[extract]\nmain_content = 'off'\n")
    monkeypatch.setenv("CROSSHEAD_OVERLAP_TOKENS", "0")
    assert run("index", "docs", "--index", "made", "--embedder", "static", "--heading-depth", "3").exit_code == 0
    settings = json.loads(run("status", "--index", "made", "--json").stdout)["settings"]
    made = settings["chunk"]
    assert (made["max_tokens"], made["overlap_tokens"], made["heading_depth"]) == (300, 0, 3)
    assert settings["extract"]["main_content"] == "off"


def test_other_options_change_the_index(run: Run, indexed: Path) -> None:
    planned = run("index", "--max-tokens", 50, "--overlap-tokens", 0, "--dry-run")
    assert planned.stdout.startswith("would change max_tokens 400 -> 50, overlap_tokens 80 -> 0: ")
    assert "documents cut again, 0 texts to embed, about 1 second" in planned.stdout
    changed = run("index", "docs", "--max-tokens", 50, "--overlap-tokens", 0)
    assert changed.stdout.splitlines()[0].startswith("changed max_tokens 400 -> 50, ")
    assert changed.stdout.splitlines()[1] == "2 unchanged; 0 texts embedded"
    assert json.loads(run("status", "--json").stdout)["settings"]["chunk"]["max_tokens"] == 50


def test_a_run_without_flags_keeps_the_settings_of_the_index(run: Run, indexed: Path) -> None:
    run("index", "--max-tokens", 50)
    assert run("index", "docs").stdout == "2 unchanged; 0 texts embedded\n"
    assert json.loads(run("status", "--json").stdout)["settings"]["chunk"]["max_tokens"] == 50


def test_with_json_the_change_is_part_of_the_object(run: Run, indexed: Path) -> None:
    found = json.loads(run("index", "docs", "--max-tokens", 50, "--json").stdout)
    assert found["change"]["settings"]["max_tokens"] == [400, 50]
    assert found["unchanged"] == 2


def test_the_same_settings_change_nothing(run: Run, indexed: Path) -> None:
    assert run("index", "--max-tokens", 400).stdout == "nothing to change: the index has these settings\n"


def test_without_documents_and_settings_there_is_nothing_to_do(run: Run, indexed: Path) -> None:
    result = run("index")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: nothing to do: name documents to index, or a setting to change")


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        (["--embedder", "minilm"], "the model is not installed: crosshead model install minilm"),
        (["--embedder", "minilmm"], "unknown embedder 'minilmm': use one of auto, static, minilm"),
        (["--language", "klingon"], "unknown language"),
    ],
)
def test_a_setting_that_cannot_be_had_changes_nothing(run: Run, indexed: Path, flags: list[str], reason: str) -> None:
    result = run("index", *flags)
    assert (result.exit_code, result.stdout) == (2, "")
    assert reason in result.stderr
    assert result.stderr.count("\n") == 1
    assert run("index", "docs").stdout == "2 unchanged; 0 texts embedded\n"


def test_hits_have_rank_citation_path_and_snippet(run: Run, indexed: Path) -> None:
    lines = run("search", "rotate keys").stdout.splitlines()
    assert lines[0] == " 1  docs/keys.md:9-11"
    assert lines[1] == "    Keys > Rotation"
    assert lines[2] == "    Rotate keys every 90 days."


def test_scores_are_shown_on_request(run: Run, indexed: Path) -> None:
    assert "score 0." not in run("search", "rotate keys").stdout
    assert "score 0." in run("search", "rotate keys", "--scores").stdout


def test_found_words_are_highlighted(run: Run, indexed: Path) -> None:
    hit = Index(create=False).search("rotate keys")[0]
    text = highlighted(replace(hit, snippet="\x1b[31m\u202eRotate\nkeys [[now]]", highlights=((6, 12), (13, 17))))
    assert text.plain == "\ufffd[31mRotate\nkeys [[now]]"
    assert [text.plain[span.start : span.end] for span in text.spans] == ["Rotate", "keys"]


def test_score_line_tells_what_lifted_a_hit(run: Run, indexed: Path) -> None:
    hit = Index(create=False).search('"About keys"')[0]
    assert re.match(r"score 0\.\d+ · lexical 0\.\d+ #1 · dense 0\.\d+ #1 · names \+0\.\d+ · ", score_line(hit))
    alone = score_line(
        replace(hit, dense_score=None, dense_rank=None, entity_boost=0.0, rerank_score=0.5, is_weak=True)
    )
    assert re.search(r"#1 · dense - · rerank 0\.500 · weak · ", alone)


def test_what_scores_too_little_is_left_out(run: Run, indexed: Path) -> None:
    for more in ((), ("--passages",)):
        nothing = run("search", "stratospheric ballooning", "--min-score", "0.3", *more)
        assert nothing.exit_code == 1
        assert nothing.stdout == ""
        assert "nothing found" in nothing.stderr
        assert run("search", "rotate keys", "--min-score", "0.3", *more).stdout
    assert "min_score=2.0 must be a number from 0 to 1" in run("search", "keys", "--min-score", "2").stderr


def test_unknown_reranker_is_a_mistake(run: Run, indexed: Path) -> None:
    result = run("search", "rotate keys", "--rerank", "best")
    assert result.exit_code == 2
    assert result.stderr == "error: unknown reranker 'best': use maxsim, http:MODEL or sentence-transformers:MODEL\n"


def test_search_prints_json_lines(run: Run, indexed: Path) -> None:
    hits = [json.loads(line) for line in run("search", "rotate keys", "--json", "--expand").stdout.splitlines()]
    assert hits[0]["chunk"]["schema"] == "crosshead.chunk/1"
    assert hits[0]["chunk"]["source"] == "docs/keys.md"
    assert (hits[0]["section_path"], hits[0]["citation"]) == (["Keys", "Rotation"], "docs/keys.md:9-11")
    assert {"lexical_rank", "dense_rank", "final_score", "snippet", "parent", "siblings"} <= hits[0].keys()
    assert len(run("search", "keys", "--json", "-k", 1).stdout.splitlines()) == 1


def test_passages_are_whole_sections_under_their_citation(run: Run, indexed: Path) -> None:
    result = run("search", "Rotation", "--passages")
    assert result.stdout.startswith(
        "[1] docs/keys.md:9-11 (Keys > Rotation)\n\n## Rotation\n\nRotate keys every 90 days.\n"
    )
    passage = json.loads(run("search", "Rotation", "--passages", "--json").stdout.splitlines()[0])
    assert passage["heading_chain"] == "Keys > Rotation"


@pytest.mark.parametrize(
    ("flags", "found"),
    [
        (["--source", "*.csv"], "docs/prices.csv"),
        (["--format", "csv"], "docs/prices.csv"),
        (["--where", "team=infra"], "docs/keys.md"),
        (["--where", "draft=true", "--where", "team=infra"], "docs/keys.md"),
        (["--section", "rot*"], "docs/keys.md"),
        (["--where", "note=[odd"], ""),
        (["--per-document", "1", "--mode", "lexical"], "docs/keys.md"),
        (["--since", "2020-01-01", "--until", "2999-01-01", "--format", "markdown"], "docs/keys.md"),
    ],
)
def test_filters_limit_what_is_found(run: Run, indexed: Path, flags: list[str], found: str) -> None:
    hits = [json.loads(line) for line in run("search", "keys price", "--json", *flags).stdout.splitlines()]
    assert not hits or hits[0]["chunk"]["source"] == found
    if found and flags[0] != "--per-document":
        assert {hit["chunk"]["source"] for hit in hits} == {found}


def test_nothing_found_is_said_and_exits_with_1(run: Run, indexed: Path) -> None:
    result = run("search", "xylophone", "--mode", "lexical")
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", "note: nothing found\n")
    assert run("search", "xylophone", "--mode", "lexical", "--json").stdout == ""


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["search", "keys", "--index", "none"], "none: there is no index here"),
        (["search", " "], "the query is empty"),
        (["search", "keys", "--mode", "loud"], "mode='loud'"),
        (["search", "keys", "-k", "0"], "limit=0"),
        (["search", "keys", "--since", "soon"], "since='soon' is not a date"),
        (["search", "keys", "--where", "team"], "write KEY=VALUE"),
        (["search", "keys", "--passages", "--budget", "0"], "budget_tokens=0"),
        (["index", "docs", "--embedder", "nothing"], "unknown embedder 'nothing'"),
        (["index", "docs", "--embed-text", "all", "--index", "new"], "embed_text='all'"),
        (["index", "docs", "--language", "klingon", "--index", "new"], "unknown language 'klingon'"),
    ],
)
def test_mistakes_are_one_line(run: Run, indexed: Path, args: list[str], message: str) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_show_prints_chunks_sections_and_what_is_around(run: Run, indexed: Path) -> None:
    filler = "word " * 300
    (indexed / "long.md").write_text(f"# Long\n\n{filler}\n\n## One\n\n{filler}\n\n## Two\n\nTwo {filler}\n")
    run("index", "docs")
    hit = json.loads(run("search", "Two", "--section", "Two", "--json").stdout.splitlines()[0])
    chunk = hit["chunk"]
    assert run("show", chunk["id"]).stdout.startswith(f"{chunk['citation']} (Long > Two)\n\n## Two")
    assert "## Two" in run("show", chunk["section_id"]).stdout
    assert "## Two" in run("show", chunk["section_id"], "--parent").stdout  # the section around holds it
    assert run("show", chunk["section_id"], "--siblings").stdout == run("show", chunk["id"], "--siblings").stdout
    assert "# Long" in run("show", chunk["id"], "--parent").stdout
    assert "## One" in run("show", chunk["id"], "--siblings").stdout
    assert json.loads(run("show", chunk["id"], "--json").stdout)["id"] == chunk["id"]
    missing = run("show", "0000")
    assert (missing.exit_code, missing.stdout) == (1, "")
    assert "no chunk or section with id 0000" in missing.stderr
    assert "no parent or siblings of 0000" in run("show", "0000", "--parent").stderr


def test_expansion_shows_what_is_above_and_beside(run: Run, indexed: Path) -> None:
    filler = "word " * 300
    parts = "".join(f"## {title}\n\n{title} {filler}\n\n" for title in ("One", "Two", "Three"))
    (indexed / "long.md").write_text(f"# Long\n\nAbout all. {filler}\n\n{parts}")
    run("index", "docs")
    shown = run("search", "Two", "--section", "Two", "--expand", "-k", 1).stdout.splitlines()
    around = [[line.split()[0], shown[at + 1].strip()] for at, line in enumerate(shown) if "docs/long.md:" in line]
    assert around[1:] == [["above", "# Long"], ["before", "## One"], ["after", "## Three"]]
    assert all(len(line) <= 80 for line in shown if line.startswith("     "))
    hit = json.loads(run("search", "Two", "--section", "Two", "--expand", "--json", "-k", 1).stdout)
    assert hit["parent"]["content"].startswith("# Long")
    assert [each["content"][:6] for each in hit["siblings"]] == ["## One", "## Thr"]


@pytest.mark.parametrize("flags", [["--expand", "2"], ["--expand=2"], ["--expand"]])
def test_expansion_goes_up_as_many_levels_as_it_is_given(run: Run, indexed: Path, flags: list[str]) -> None:
    filler = "word " * 300
    parts = f"## Part\n\nPart {filler}\n\n### Detail\n\nGoldfinch {filler}\n"
    (indexed / "long.md").write_text(f"# Long\n\nAbout all. {filler}\n\n{parts}")
    run("index", "docs")
    hit = json.loads(run("search", *flags, "goldfinch", "--json", "-k", 1).stdout)
    assert hit["parent"]["content"].startswith("## Part")
    assert [each["content"][:6] for each in hit["ancestors"]] == (["# Long"] if "2" in flags[-1] else [])
    lines = run("search", *flags, "goldfinch", "-k", 1).stdout.splitlines()
    assert sum(line.split()[:1] == ["above"] for line in lines) == 1 + len(hit["ancestors"])


def test_expansion_adds_what_a_hit_links_to(run: Run, indexed: Path) -> None:
    (indexed / "birds.md").write_text(
        "# Birds\n\nThe goldfinch [nests](nests.md#cup) and [sings](gone.md) [here](#birds).\n"
    )
    (indexed / "nests.md").write_text("# Nests\n\nOf twigs.\n\n## Cup\n\nOf moss and hair.\n")
    run("index", "docs")
    asked = "search", "goldfinch", "--expand", "links"
    hit = json.loads(run(*asked, "-k", 1, "--json").stdout)
    assert [each["source"] for each in hit["linked"]] == ["docs/nests.md"]
    assert "linked  docs/nests.md:" in run(*asked, "-k", 1).stdout
    passages = [json.loads(line) for line in run(*asked, "--passages", "--json", "-k", 1).stdout.splitlines()]
    assert [each["source"] for each in passages] == ["docs/birds.md", "docs/nests.md"]
    wrong = run("search", "goldfinch", "--expand=twigs")
    assert (wrong.exit_code, wrong.stderr) == (2, "error: expand_context='twigs' is neither a number nor 'links'\n")


def test_passages_bring_what_is_above_within_their_budget(run: Run, indexed: Path) -> None:
    parts = f"## Part\n\nPart {'word ' * 300}\n\n### Detail\n\nGoldfinch {'word ' * 300}\n"
    (indexed / "long.md").write_text(f"# Long\n\nAbout all. {'word ' * 300}\n\n{parts}")
    run("index", "docs")

    def passages(*flags: object) -> list[str]:
        found = run("search", "goldfinch", "--passages", "--all", "--json", "-k", 1, *flags).stdout.splitlines()
        read = [json.loads(line) for line in found]
        assert sum(each["token_count"] for each in read) <= int(str(flags[1]))
        return [each["heading_chain"].split(" > ")[-1] for each in read]

    assert passages("--budget", 700) == ["Detail"]
    assert passages("--budget", 700, "--expand") == ["Detail", "Part"]
    assert passages("--budget", 700, "--expand", 2) == ["Detail", "Part"]  # no room for the beginning
    assert passages("--budget", 1_000, "--expand", 2) == ["Detail", "Part", "Long"]
    assert passages("--budget", 330, "--expand", 2) == ["Detail"]


def test_flags_without_an_effect_are_noted(run: Run, docs: Path) -> None:
    run("index", docs)
    assert "--budget has no effect without --passages" in run("search", "rotate keys", "--budget", 100).stderr


def test_status_remove_and_optimize(run: Run, indexed: Path) -> None:
    shown = run("status").stdout
    assert "documents       2\n" in shown
    assert "embedder        static\n" in shown
    assert re.search(r"^size            [\d.]+ MB: \w+ [\d.]+, ", shown, re.MULTILINE)
    assert run("remove", "docs/keys.md").stdout == "docs/keys.md: 1 removed\n"
    missing = run("remove", "docs/keys.md")
    assert (missing.exit_code, missing.stderr) == (1, "error: docs/keys.md: not in the index\n")
    assert run("optimize").stdout.startswith("optimized: ")
    assert json.loads(run("status", "--json").stdout)["documents"] == 1


def test_vectors_may_be_made_later(run: Run, folder: Path) -> None:
    result = run("index", "docs", "--no-embed")
    assert result.stdout == "2 added; 0 texts embedded, 2 wait for: crosshead embed --pending\n"
    assert run("search", "rotate keys").exit_code == 0
    assert "to be embedded  2\n" in run("status").stdout
    mistake = run("embed")
    assert (mistake.exit_code, mistake.stderr.count("\n")) == (2, 1)
    assert "crosshead embed --pending" in mistake.stderr
    assert run("embed", "--pending").stdout == "2 chunks embedded\n"
    assert run("embed", "--pending").stdout == "0 chunks embedded\n"


def test_ctrl_c_says_what_is_kept_and_the_same_command_goes_on(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(StaticEmbedder, "is_instant", False)
    with monkeypatch.context() as interrupted:
        interrupted.setattr(StaticEmbedder, "embed", interrupt)
        result = run("index", "docs")
    assert result.exit_code == 130
    assert result.stderr.endswith(
        "interrupted: 2 documents can be searched; 2 of 2 chunks have no vector yet; "
        "run the same command again to continue\n"
    )
    assert run("search", "rotate keys", "--mode", "lexical").exit_code == 0
    assert run("index", "docs").stdout == "2 unchanged; 2 texts embedded\n"


def interrupt(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_without_a_terminal_a_line_now_and_then_tells_the_progress(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("crosshead.cli.terminal.progress"), "SECONDS_BETWEEN_LINES", 0.0)
    assert "indexing: 2 of 2 texts embedded" in run("index", "docs").stderr


def test_index_is_copied(run: Run, indexed: Path) -> None:
    assert run("copy", ".crosshead", "far/copy").stdout == "2 documents copied\n"
    assert run("search", "rotate keys", "--index", "far/copy").stdout == run("search", "rotate keys").stdout
    again = run("copy", ".crosshead", "far/copy")
    assert (again.exit_code, again.stderr.count("\n")) == (2, 1)
    assert "there are documents already" in again.stderr
    assert "there is no index here" in run("copy", "none", "new").stderr


def test_progress_is_shown_while_it_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    from crosshead.cli.views import indexing

    console = Console(force_terminal=True, record=True, width=120)
    monkeypatch.setattr(indexing, "make_console", lambda **_: console)
    with shown_progress() as show:
        show(Progress(1, 2, 1234, 2468))
    assert "1 of 2 documents read, 1,234 texts embedded" in console.export_text()
    with shown_count("copying") as show_count:
        show_count(3, 7)
    assert "3 of 7" in console.export_text()


@pytest.mark.parametrize(
    ("arguments", "sources"),
    [
        (["template", "-kafka"], ["b.md"]),
        (["-draft", "template", "-k", "3"], ["a.md"]),
        (["-draft template", "-k3"], ["a.md"]),
        (['-"the kafka"', "template"], ["b.md"]),
        (["template", "--", "-draft"], ["a.md"]),
        (["template", "-n1", "--mode", "lexical", "-nothing"], ["b.md"]),
    ],
)
def test_a_query_may_begin_with_what_it_leaves_out(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], sources: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_text("# Linux\n\nInstall the kafka template.\n")
    (tmp_path / "b.md").write_text("# Windows\n\nInstall the template, a draft of a template.\n")
    assert run("index", ".", "--embedder", "static").exit_code == 0
    found = run("search", "--json", *arguments).stdout.splitlines()
    assert [json.loads(line)["chunk"]["source"] for line in found] == sources


def test_a_query_that_only_leaves_out_says_what_is_missing(run: Run, indexed: Path) -> None:
    result = run("search", "-draft")
    assert (result.exit_code, result.stderr) == (
        2,
        "error: the query only excludes words: say also what to look for\n",
    )


def test_a_warning_about_a_document_is_told_once(run: Run, tmp_path: Path) -> None:
    (tmp_path / "guide.md").write_bytes(b"# Guide\n\nCaf\xe9 cr\xe8me br\xfbl\xe9e, d\xe9j\xe0 vu.\n")
    told = [line for line in run("index", "guide.md").stderr.splitlines() if "UTF-8" in line]
    assert len(told) == 1
    assert told[0].startswith("warning: guide.md: ")


def test_hits_have_their_enriched_content_if_asked(run: Run, tmp_path: Path) -> None:
    (tmp_path / "keys.md").write_text("# Keys\n\n## Rotate\n\nRotate the keys every month.\n")
    assert run("index", "keys.md").exit_code == 0
    (hit,) = map(json.loads, run("search", "rotate keys", "--json", "--enriched", "-k", "1").stdout.splitlines())
    assert hit["enriched_content"].endswith("## Rotate\n\nRotate the keys every month.")
    assert hit["enriched_content"].startswith("Keys")
    (bare,) = map(json.loads, run("search", "rotate keys", "--json", "-k", "1").stdout.splitlines())
    assert "enriched_content" not in bare
    assert "--enriched" in run("search", "rotate keys", "--enriched").stderr


def test_an_unclosed_fence_is_said_once_also_where_pieces_are_cut(run: Run, tmp_path: Path) -> None:
    code = "".join(f"value_{number} = compute({number})\n" for number in range(150))
    (tmp_path / "docs").mkdir(exist_ok=True)
    (tmp_path / "docs/open.md").write_text(f"# Open\n\n```py\n{code}")
    (tmp_path / "docs/closed.md").write_text(f"# Closed\n\n```py\n{code}```\n")
    warned = run("index", str(tmp_path / "docs"), "--oversize", "split").stderr
    assert warned.count("is never closed") == 1
    assert "open.md: the fence that line 3 opens" in warned


def test_index_is_opened_and_folders_are_walked_once(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    walked: list[str] = []
    opened: list[str] = []
    walk, read_settings = os.walk, Folder.read_settings
    monkeypatch.setattr(os, "walk", lambda top, **options: walked.append(str(top)) or walk(top, **options))
    monkeypatch.setattr(Folder, "read_settings", lambda self: opened.append(self.name) or read_settings(self))
    for done in ("2 added", "2 unchanged"):
        walked.clear()
        opened.clear()
        assert run("index", "docs").stdout.startswith(done)
        assert [path for path in walked if path.endswith("docs")] == [str(folder)]
        # A new index is looked for before it is created.
        assert opened == [".crosshead"] * (2 if done == "2 added" else 1)


@pytest.mark.parametrize(
    ("paths", "message"),
    [
        (["nowhere"], "nowhere: no such file or folder"),
        (["empty"], "empty: no documents found that Crosshead can read"),
        (["docs", "nowhere"], "nowhere: no such file or folder"),
        (["docs", "--format", "nothing"], "no reader for the format 'nothing'"),
        (["docs", "--engine", "nothing"], "engine='nothing'"),
        (["ignored.md"], "ignored.md: excluded by an ignore file; to include it, add !ignored.md to .crossheadignore"),
    ],
)
def test_mistake_leaves_no_empty_index_behind(run: Run, folder: Path, paths: list[str], message: str) -> None:
    (folder.parent / "empty").mkdir()
    (folder.parent / "ignored.md").write_text("# Ignored\n")
    (folder.parent / ".crossheadignore").write_text("ignored.md\n")
    result = run("index", *paths)
    assert result.exit_code == 2
    assert message in result.stderr
    assert not Path(".crosshead").exists()


def test_while_another_process_writes_only_that_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    IndexOutput(as_json=False, verbose=False).show(AddResult(notes=("another process is writing",)), "12:00:00 ")
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "another process is writing" in printed.err
