"""What people type first works, or says what to type."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

import crosshead
from crosshead.errors import OptionsError
from crosshead.index import Index

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def _no_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSHEAD_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def folder(run: Run, tmp_path: Path) -> Path:
    """Two documents, indexed, and a folder between them and the index."""
    (tmp_path / "docs" / "deep").mkdir(parents=True)
    (tmp_path / "docs/keys.md").write_text("# Keys\n\nRotate the keys every ninety days.\n")
    (tmp_path / "docs/deep/sensors.md").write_text("# Sensors\n\nA template sensor has a state.\n")
    assert run("index", "docs").exit_code == 0
    return tmp_path / "docs"


def sources(result: Result) -> list[str]:
    return [json.loads(line)["chunk"]["source"] for line in result.stdout.splitlines()]


@pytest.mark.parametrize("command", ["search", "query", "find"])
def test_words_need_no_quotes(run: Run, folder: Path, command: str) -> None:
    result = run(command, "template", "sensor", "-n", 1, "--json")
    assert (
        sources(result) == sources(run("search", "template sensor", "--top-k", 1, "--json")) == ["docs/deep/sensors.md"]
    )


def test_other_names_of_commands(run: Run, folder: Path) -> None:
    assert run("add", "docs").stdout == "2 unchanged; 0 texts embedded\n"
    assert run("rm", "docs/keys.md").stdout == "docs/keys.md: 1 removed\n"
    assert run("ls").stdout == run("list").stdout
    assert run("help", "search").stdout == run("search", "--help").stdout
    assert run("help").stdout == run("--help").stdout
    assert run("help", "nonsense").exit_code == 2


@pytest.mark.parametrize("flag", ["-o", "--output"])
def test_output_to_a_file_is_explained(run: Run, folder: Path, flag: str) -> None:
    result = run("search", "keys", flag, "found.txt")
    assert result.exit_code == 2
    assert "the output goes to a file with: > FILE" in result.stderr


# ---------------------------------------------------------------------- the nearest index


@pytest.mark.parametrize("command", [("search", "keys"), ("status",), ("list",), ("optimize",), ("embed", "--pending")])
def test_index_of_a_folder_above_is_found(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.chdir(folder / "deep")
    assert run(*command).exit_code == 0
    assert run(*command, "--index", ".crosshead").exit_code == 2
    monkeypatch.setenv("CROSSHEAD_INDEX", "elsewhere")
    assert run(*command).exit_code == 2


def test_indexing_below_an_index_goes_into_it_and_says_so(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder / "deep")
    Path("new.md").write_text("# New\n")
    result = run("index", ".")
    assert result.stdout == "1 added, 1 unchanged; 1 text embedded\n"
    assert (
        f"note: using the index {folder.parent / '.crosshead'}; to create one here, pass --index .crosshead"
        in result.stderr
    )
    assert not Path(".crosshead").exists()


def test_indexing_what_lies_elsewhere_makes_an_index_here(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "a.md").write_text("# A\n")
    monkeypatch.chdir(folder / "deep")
    assert run("index", elsewhere).exit_code == 0
    assert Index(".crosshead", create=False).sources() == [str(elsewhere / "a.md")]


# ---------------------------------------------------------------------- indexing


def test_format_of_documents_can_be_named(run: Run, folder: Path) -> None:
    Path("notes.odd").write_text("# no heading here\n")
    assert run("index", "notes.odd").exit_code == 1
    assert run("index", "notes.odd", "--format", "txt").stdout == "1 added; 1 text embedded\n"
    assert run("index", "notes.odd", "--format", "text").stdout == "1 unchanged; 0 texts embedded\n"
    assert run("index", "notes.odd", "--format", "md").stdout.startswith("1 updated;")
    assert "known are" in run("index", "docs", "--format", "nonsense").stderr


def test_files_without_a_reader_are_counted_and_named_on_request(run: Run, folder: Path) -> None:
    (folder / "picture.png").write_bytes(b"\x89PNG")
    (folder / "deep" / "program.exe").write_bytes(b"MZ")
    (folder / ".hidden").write_text("")
    (folder / ".gitignore").write_text("*.exe\n")
    told = "note: skipped 1 image (--include image); list them with --verbose\n"
    assert run("index", "docs").stderr == told
    assert run("index", "docs", "--verbose").stderr.splitlines()[1] == "note: docs/picture.png: not included"
    assert json.loads(run("index", "docs", "--json").stdout)["skipped"] == ["docs/picture.png"]


def test_code_and_data_are_taken_from_folders_only_where_they_are_asked_for(run: Run, folder: Path) -> None:
    (folder / "app.py").write_text("def main():\n    return 1\n")
    (folder / "data.json").write_text('{"a": 1}')
    (folder / "package-lock.json").write_text('{"a": 1}')
    (folder / "app.min.js").write_text("f()")
    told = run("index", "docs").stderr
    assert told == "note: skipped 4 files of code and data (--include code, --include data); list them with --verbose\n"
    assert run("index", "docs", "--include", "code").stdout.startswith("1 added")
    assert run("index", "docs").stdout.startswith("3 unchanged"), "what was asked for once stays"
    assert run("index", "docs/data.json").stdout.startswith("1 added"), "a file that is named is read"
    (folder / "app.py").unlink()
    assert "1 removed" in run("index", "docs", "--include", "json").stdout
    assert "known are" in run("index", "docs", "--include", "nonsense").stderr


def test_empty_folder_is_the_same_mistake_to_every_command(run: Run, folder: Path) -> None:
    Path("empty").mkdir()
    results = [run("index", "empty"), run("index", "empty", "--index", "new"), run("chunk", "empty")]
    assert {(result.exit_code, result.stderr) for result in results} == {
        (2, "error: empty: no documents found that Crosshead can read\n")
    }
    assert not Path("new").exists()


@pytest.mark.parametrize("command", ["index", "chunk", "outline"])
def test_an_address_is_explained(run: Run, folder: Path, command: str) -> None:
    result = run(command, "https://example.org/guide.html")
    assert result.exit_code == 2
    assert "https://example.org/guide.html: an address, not a file: download it and name the file" in result.stderr


# ---------------------------------------------------------------------- searching


def test_budget_without_passages_is_told(run: Run, folder: Path) -> None:
    result = run("search", "keys", "--budget", 100, "--all")
    assert (result.exit_code, result.stderr) == (0, "note: --budget has no effect without --passages\n")
    assert not run("search", "keys", "--budget", 100, "--passages").stderr


def test_missing_model_says_that_words_can_be_searched(run: Run, folder: Path) -> None:
    settings = Path(".crosshead/settings.json")
    settings.write_text(settings.read_text().replace('"embedder": "static"', '"embedder": "minilm"'))
    result = run("search", "keys")
    assert result.exit_code == 2
    assert "crosshead model install minilm; words are found without it: --mode lexical" in result.stderr
    assert run("search", "keys", "--mode", "lexical").exit_code == 0


def test_list_tells_chunks_size_and_state(run: Run, folder: Path) -> None:
    (folder / "new.md").write_text("# New\n\nNot embedded yet.\n")
    run("index", "docs", "--no-embed")
    assert run("list").stdout.splitlines() == [
        " chunks   characters  state             source",
        "      1           42  embedded          docs/deep/sensors.md",
        "      1           43  embedded          docs/keys.md",
        "      1           25  1 to embed        docs/new.md",
    ]
    listed = [json.loads(line) for line in run("list", "--json").stdout.splitlines()]
    assert [each["source"] for each in listed] == ["docs/deep/sensors.md", "docs/keys.md", "docs/new.md"]
    assert [(each["format"], each["characters"], each["pending"]) for each in listed[1:]] == [
        ("markdown", 43, 0),
        ("markdown", 25, 1),
    ]


# ---------------------------------------------------------------------- Python


def test_name_of_a_file_in_place_of_a_text_is_told(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "crosshead"):
        crosshead.chunk("docs/none.md")
        assert not caplog.messages
        crosshead.chunk("docs/keys.md")
    assert "there is a file of that name: give Path('docs/keys.md') to cut it" in caplog.text


@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("query", lambda index: index.search(5)),
        ("limit", lambda index: index.search("keys", limit="5")),
        ("section_filter", lambda index: index.search("keys", section_filter=5)),
        ("source", lambda index: index.search("keys", source=["docs"])),
        ("metadata", lambda index: index.search("keys", metadata="team=infra")),
        ("since", lambda index: index.search("keys", since=2024)),
        ("budget_tokens", lambda index: index.passages("keys", budget_tokens="5")),
        ("path", lambda index: index.add(5)),
        ("jobs", lambda index: index.add("docs", jobs="2")),
        ("text", lambda index: index.add_text(b"bytes", source="x")),
        ("source", lambda index: index.add_text("text", source=Path("x"))),
        ("metadata", lambda index: index.add_text("text", source="x", metadata=[1])),
        ("source", lambda index: index.remove(5)),
        ("location", lambda _: Index(5)),
        ("root", lambda _: Index("new", root=5)),
        ("embedder", lambda _: Index("new", embedder=5)),
        ("language", lambda _: Index("new", language=5)),
        ("extract", lambda _: Index("new", extract={"comments": True})),
        ("wait_seconds", lambda _: Index("new", wait_seconds="5")),
        ("document", lambda _: crosshead.chunk(b"bytes")),
    ],
)
def test_wrong_type_names_the_argument(folder: Path, name: str, use: Callable[[Index], object]) -> None:
    with pytest.raises(OptionsError, match=rf"^{name}=.* must be "):
        use(Index())
    assert not Path("new").exists()
