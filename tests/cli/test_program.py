"""Exit codes, one-line errors, pipes and signals."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
from typer.testing import Result

from crosshead import Chunks, Document, pipeline
from crosshead.options import ChunkOptions

pytestmark = pytest.mark.usefixtures("_in_process")

Run = Callable[..., Result]
Start = Callable[..., subprocess.CompletedProcess[bytes]]


def assert_one_line_error(result: Result, code: int, *parts: str) -> None:
    assert result.exit_code == code
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr
    for part in parts:
        assert part in result.stderr


@pytest.mark.parametrize(
    ("args", "part"),
    [
        (["nonsense"], "nonsense"),
        (["chunk"], "crosshead chunk --help"),
        (["chunk", "--max-token", "5", "guide.md"], "--max-tokens"),
        (["chunk", "--jobs", "0", "guide.md"], "--jobs"),
        (["chunk", "--jobs", "two", "guide.md"], "'--jobs': it must be a number"),
        (["bench"], "crosshead bench --help"),
        (["chunk", "missing.md"], "missing.md: no such file or folder"),
        (["parse", "missing.md"], "missing.md: no such file or folder"),
        (["outline", "empty"], "empty: no documents found"),
        (["parse", "empty"], "empty: is a folder"),
        (["chunk", "notes.xyz"], "notes.xyz: no reader for .xyz"),
        (["chunk", "binary.md"], "binary.md: not text in any known encoding"),
        (["parse", "binary.md"], "binary.md: not text in any known encoding"),
        (["extract", "binary.md"], "binary.md: not text in any known encoding"),
        (["bench", "chunk", "binary.md"], "binary.md: not text in any known encoding"),
        (["chunk", "guide.md", "--max-tokens", "0"], "max_tokens=0 must be a whole number"),
        (["chunk", "guide.md", "--max-tokens", "many"], "max_tokens='many' must be a whole number"),
        (["check", "guide.md", "--max-tokens", "100", "--min-tokens", "200"], "min_tokens=200 is above"),
        (["chunk", "guide.md", "--strategy", "best"], "strategy='best' is not one of auto, section, fixed"),
        (["chunk", "guide.md", "--tokenizer", "abacus"], "tokenizer='abacus' is not one of"),
    ],
)
def test_mistake_of_the_user_is_one_line_and_exit_2(
    run: Run, guide: str, tmp_path: Path, args: list[str], part: str
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.xyz").write_text("notes")
    (tmp_path / "binary.md").write_bytes(bytes(range(256)) * 9)
    assert_one_line_error(run(*args), 2, "error: ", part)


def test_fault_of_ours_in_a_document_is_one_line_and_exit_3(
    run: Run, guide: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "chunk", lambda *_: 1 / 0)
    result = run("chunk", guide)
    assert result.exit_code == 3
    assert result.stderr == (
        "error: guide.md: a fault of Crosshead, please report it: ZeroDivisionError: division by zero\n"
        "note: --debug shows where it failed\n"
    )


def test_fault_of_ours_elsewhere_is_one_line_and_exit_3(run: Run, guide: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("crosshead.cli.commands.inspect.extract"), "find_file", lambda *_: 1 / 0)
    assert_one_line_error(run("extract", guide), 3, "internal error: ZeroDivisionError", "--debug")


def test_one_document_does_not_stop_the_others(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cut = pipeline.chunk

    def fail_for_some(document: Document, options: ChunkOptions) -> Chunks:
        return cut(document, options) if "bad" not in document.source else 1 / 0  # type: ignore[return-value]

    (tmp_path / "docs").mkdir()
    for name in ("a.md", "bad.md", "c.md"):
        (tmp_path / "docs" / name).write_text(f"# {name}\n\nSome words.\n")
    monkeypatch.setattr(pipeline, "chunk", fail_for_some)
    for command in (["chunk", "docs"], ["index", "docs", "--embedder", "static"]):
        result = run(*command)
        assert result.exit_code == 1
        assert "bad.md: a fault of Crosshead, please report it: ZeroDivisionError" in result.stderr
    assert "2 added, 1 failed" in result.stdout
    assert run("search", "words").exit_code == 0


@pytest.mark.parametrize("args", [("--debug", "chunk"), ("chunk", "--debug")])
def test_debug_shows_the_traceback_wherever_it_stands(
    run: Run, guide: str, monkeypatch: pytest.MonkeyPatch, args: tuple[str, ...]
) -> None:
    monkeypatch.setattr(pipeline, "chunk", lambda *_: 1 / 0)
    result = run(*args, guide)
    assert result.exit_code == 3
    assert "Traceback" in result.stderr
    assert "ZeroDivisionError: division by zero" in result.stderr


def test_debug_shows_the_traceback_of_a_mistake(run: Run) -> None:
    result = run("chunk", "missing.md", "--debug")
    assert result.exit_code == 2
    assert "Traceback" in result.stderr


def test_debug_after_double_dash_is_a_path(run: Run) -> None:
    assert_one_line_error(run("chunk", "--", "--debug"), 2, "--debug: no such file or folder")


def test_interrupt_is_exit_130_without_a_word(run: Run, guide: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "chunk", interrupt)
    result = run("chunk", guide)
    assert result.exit_code == 130
    assert result.output == ""


def test_failure_of_the_system_is_a_mistake_of_the_user(run: Run, guide: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fill_disk(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pipeline, "chunk", fill_disk)
    assert_one_line_error(run("chunk", guide), 2, "error: guide.md: OSError: No space left on device")


def test_no_command_prints_help(run: Run) -> None:
    result = run()
    assert result.exit_code == 2
    assert "Usage: crosshead" in result.stdout


def test_version(run: Run) -> None:
    result = run("--version")
    assert result.exit_code == 0
    assert result.stdout.startswith("crosshead")
    assert result.stdout.count("\n") == 1


@pytest.mark.parametrize("jobs", [1, 2])
def test_closed_pipe_ends_quietly(command: list[str], docs: str, jobs: int) -> None:
    process = subprocess.Popen(
        [*command, "chunk", docs, "--json", "--jobs", str(jobs)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline().startswith(b"{")
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(timeout=30) == 141


def test_closed_pipe_of_a_table_ends_quietly(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "large.md").write_text("".join(f"# Heading {number}\n\n" for number in range(2000)))
    process = subprocess.Popen([*command, "parse", "large.md"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(timeout=30) == 141


def test_exit_codes_of_the_process(start: Start, guide: str) -> None:
    assert start("check", guide).returncode == 0
    missing = start("check", "missing.md")
    assert missing.returncode == 2
    assert missing.stderr == b"error: missing.md: no such file or folder\n"


def test_no_traceback_and_exit_1_when_a_process_of_the_pool_fails(command: list[str], docs: str) -> None:
    broken = "from crosshead import cli, pipeline; pipeline.chunk = lambda *_: 1 / 0; cli.main()"
    done = subprocess.run(
        [*command[:2], broken, "chunk", docs, "--jobs", "2"], capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert done.stdout == b""
    *failures, note = done.stderr.splitlines()
    assert all(b"a fault of Crosshead, please report it: ZeroDivisionError" in each for each in failures)
    assert note == b"note: --debug shows where it failed"


def test_interrupt_while_a_command_is_imported_shows_no_traceback(command: list[str]) -> None:
    program = "import os, signal, sys\nsignal.signal(2, signal.default_int_handler)\n"  # a background job ignores it
    program += "from crosshead.cli import main\nclass Interrupt:\n"
    program += "    def find_spec(self, name, *_):\n"
    program += "        if name == 'crosshead.cli.program.application': os.kill(os.getpid(), 2)\n"
    program += "sys.meta_path.insert(0, Interrupt())\nmain()"
    done = subprocess.run([*command[:2], program, "--version"], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_interrupt_while_an_index_is_created_leaves_none(command: list[str], guide: str, tmp_path: Path) -> None:
    program = "from crosshead.store.lance.location.folder import Folder\nfrom crosshead.cli import main\n"
    program += "def interrupt(*_): raise KeyboardInterrupt\nFolder.make_table = interrupt\nmain()"
    done = subprocess.run([*command[:2], program, "index", guide], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (130, b"")
    assert not (tmp_path / ".crosshead").exists()


def test_module_runs_as_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "crosshead", "-V"], capture_output=True, timeout=60, check=True)
    assert done.stdout.startswith(b"crosshead ")


def test_git_ignores_an_index(run: Run, guide: str, tmp_path: Path) -> None:
    run("index", guide, "--embedder", "static")
    assert (tmp_path / ".crosshead/.gitignore").read_text() == "*\n"


def test_folder_with_only_a_lock_is_no_index(
    run: Run, guide: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("index", guide, "--embedder", "static")
    (tmp_path / "inner" / ".crosshead").mkdir(parents=True)
    (tmp_path / "inner" / ".crosshead" / "write.lock").touch()
    monkeypatch.chdir(tmp_path / "inner")
    assert "guide.md" in run("search", "install").stdout
    assert_one_line_error(run("status", "--index", ".crosshead"), 2, ".crosshead")


@pytest.mark.parametrize("name", ["broken.pdf", "program.bin"])
def test_folder_without_readable_documents_leaves_no_index(run: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / name).write_bytes(b"%PDF-1.4 nothing")
    result = run("index", "docs", "--embedder", "static")
    assert result.exit_code in (1, 2)
    assert "docs" in result.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["docs"]
    (tmp_path / "docs/readable.md").write_text("# Words\n")
    assert run("index", "docs", "--embedder", "static").stdout.startswith("1 added")
    (tmp_path / "docs/readable.md").unlink()
    run("index", "docs", "--yes")
    assert (tmp_path / ".crosshead/settings.json").exists()
    assert run("search", "words").stderr == "note: the index has no documents; add some: crosshead index PATH\n"
