"""Files, folders and standard input."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from crosshead.cli.inputs import ReadSettings, find_inputs
from crosshead.errors import CrossheadError

Run = Callable[..., Result]


def write(path: Path, text: str = "# Title\n\nText.\n") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def sources(*paths: str) -> list[str]:
    return [each.source for each in find_inputs(paths)]


def test_folder_is_walked_in_order_for_known_suffixes(tmp_path: Path) -> None:
    for name in ("b.md", "a.mdx", "z/c.markdown", "z/UPPER.MD", "z/image.png", "noise.xyz", "t.txt"):
        write(tmp_path / "docs" / name)
    assert sources("docs") == ["docs/a.mdx", "docs/b.md", "docs/t.txt", "docs/z/UPPER.MD", "docs/z/c.markdown"]


def test_hidden_and_installed_files_are_skipped(tmp_path: Path) -> None:
    for name in ("a.md", ".hidden.md", ".git/b.md", ".venv/c.md", "node_modules/d.md", "x/node_modules/e.md"):
        write(tmp_path / "docs" / name)
    assert sources("docs") == ["docs/a.md"]


def test_hidden_files_are_read_when_asked_for(tmp_path: Path) -> None:
    for name in ("a.md", ".hidden.md", ".notes/b.md", ".git/c.md", "node_modules/d.md", ".crosshead/e.md"):
        write(tmp_path / name)
    found = find_inputs(["."], ReadSettings(hidden=True))
    assert sorted(each.source for each in found) == [".hidden.md", ".notes/b.md", "a.md"]


def test_hidden_file_is_read_when_named(tmp_path: Path) -> None:
    write(tmp_path / ".hidden.md")
    assert sources(".hidden.md") == [".hidden.md"]


def test_order_is_that_of_the_arguments_and_each_file_comes_once(tmp_path: Path) -> None:
    for name in ("docs/a.md", "docs/b.md", "c.md"):
        write(tmp_path / name)
    assert sources("c.md", "docs/b.md", "docs", "./c.md") == ["c.md", "docs/b.md", "docs/a.md"]


@pytest.mark.parametrize("path", ["missing", "empty"])
def test_path_without_documents_is_an_error(tmp_path: Path, path: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(CrossheadError, match=path):
        find_inputs([path])


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes with names")
def test_pipe_in_a_folder_is_not_waited_for(tmp_path: Path) -> None:
    write(tmp_path / "docs" / "a.md")
    os.mkfifo(tmp_path / "docs" / "pipe.md")
    assert sources("docs") == ["docs/a.md"]


def test_folder_that_cannot_be_listed_is_reported(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "docs" / "a.md")
    (tmp_path / "docs" / "locked").mkdir()
    scandir = os.scandir

    def refuse(path: str) -> object:
        if str(path).endswith("locked"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    result = run("chunk", "docs", "--json")
    assert result.exit_code == 1
    assert len(result.stdout.splitlines()) == 1
    assert result.stderr == f"error: {os.path.join('docs', 'locked')}: Permission denied\n"


@pytest.mark.parametrize("command", ["chunk", "outline", "parse", "extract", "index"])
def test_unclosed_fence_is_said_once(command: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\n```\nx = 1\n")
    result = run(command, "a.md")
    assert result.exit_code == 0
    assert result.stderr.count("warning: a.md: the fence that line 3 opens is never closed") == 1
    checked = run("check", "a.md")
    assert (checked.stderr, checked.stdout.count("never closed")) == ("", 1)


@pytest.mark.parametrize("args", [["chunk", "--json"], ["check"], ["outline"], ["parse"], ["extract"]])
def test_standard_input_is_markdown(run: Run, args: list[str]) -> None:
    result = run(*args, "-", input="# Überschrift\n\nText.\n".encode())
    assert result.exit_code == 0
    assert "Überschrift" in result.stdout or "<stdin>" in result.stdout


def test_standard_input_has_a_source(run: Run) -> None:
    [chunk] = map(json.loads, run("chunk", "-", "--json", input=b"# A\n\nText.\n").stdout.splitlines())
    assert chunk["source"] == "<stdin>"
    assert chunk["citation"] == "<stdin>:1-3"


def test_unreadable_file_among_others_is_reported_at_the_end(run: Run, tmp_path: Path) -> None:
    for name in ("a.md", "c.md"):
        write(tmp_path / "docs" / name)
    (tmp_path / "docs" / "b.md").write_bytes(bytes(range(256)) * 9)
    (tmp_path / "docs" / "d.md").symlink_to("gone.md")
    for command in ("chunk", "check", "outline"):
        result = run(command, "docs", "--json")
        assert result.exit_code == 1
        assert [json.loads(line)["source"] for line in result.stdout.splitlines()] == ["docs/a.md", "docs/c.md"]
        first, second = result.stderr.splitlines()
        assert first.startswith("error: docs/b.md: not text")
        assert second.startswith("error: docs/d.md: No such file")


def test_unreadable_only_file_is_the_users_mistake(run: Run, tmp_path: Path) -> None:
    (tmp_path / "gone.md").symlink_to("nowhere.md")
    for command in ("chunk", "check", "outline"):
        result = run(command, "gone.md")
        assert result.exit_code == 2
        assert result.stdout == ""


def test_check_never_passes_what_it_could_not_read(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "docs" / "a.md")
    (tmp_path / "docs" / "b.md").write_bytes(bytes(range(256)) * 9)
    result = run("check", "docs")
    assert result.exit_code == 1
    assert "failed: 1 document could not be read" in result.stdout


def test_guessed_encoding_is_a_warning_with_the_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "old.md").write_bytes("# Grüße\n\nSchöne Grüße aus München an alle Leute dort.\n".encode("latin-1"))
    result = run("extract", "old.md")
    assert result.exit_code == 0
    assert "Schöne Grüße" in result.stdout
    assert result.stderr.startswith("warning: old.md: not valid UTF-8")


def test_malformed_front_matter_is_said_once(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\ntitle: [x\n---\n\n# A\n\nText.\n")
    chunked = run("chunk", "a.md", "--mdx")
    assert chunked.stderr.count("malformed front matter") == 1
    checked = run("check", "a.md")
    assert checked.stderr == ""
    assert checked.stdout.count("front_matter") == 1


@pytest.mark.parametrize("args", [["chunk", "--json"], ["check"], ["outline"], ["parse"], ["extract"]])
def test_every_command_takes_every_format(run: Run, tmp_path: Path, args: list[str]) -> None:
    (tmp_path / "prices.csv").write_text("name,price\nApple,1\n")
    (tmp_path / "notes.txt").write_text("Title\n=====\n\nText.\n")
    for path in ("prices.csv", "notes.txt"):
        assert run(*args, path).exit_code == 0


def test_format_may_be_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "data.dat").write_text("a;b\n1;2\n")
    assert run("extract", "data.dat").exit_code == 2
    assert run("extract", "data.dat", "--format", "csv").stdout.startswith("| a | b |")
    assert run("extract", "-", "--format", "csv", input=b"a;b\n1;2\n").stdout.startswith("| a | b |")


def test_content_of_standard_input_decides(run: Run) -> None:
    mail = b"Received: x\nFrom: Ann\nSubject: Plans\nMessage-ID: <1>\n\nText.\n"
    assert run("extract", "-", input=mail).stdout.startswith("# Plans\n")


def test_chunks_of_a_table_cite_the_lines_of_the_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "prices.csv").write_text("name,price\n" + "".join(f"Apple {row},{row}\n" for row in range(200)))
    chunks = [json.loads(line) for line in run("chunk", "prices.csv", "--json").stdout.splitlines()]
    assert chunks[0]["citation"].startswith("prices.csv:1-")
    assert chunks[-1]["citation"].endswith("-201")


def test_mdx_is_only_for_markdown(run: Run, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("import a from 'b'\n")
    assert "paragraph" in run("parse", "notes.txt", "--mdx", "--json").stdout
    assert run("chunk", "notes.txt", "--mdx").exit_code == 0
