"""Lines that are always valid, whatever stands in a document."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.strict_json import load
from typer.testing import Result

from crosshead.cli.terminal.output import one_line

Run = Callable[..., Result]


def test_one_line_disarms_what_a_terminal_would_obey() -> None:
    assert one_line("a\x1b[31mb\tc\nd\u202ee\ud800") == "a\ufffd[31mb c de\ufffd"


def test_document_cannot_steer_the_terminal(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# T \x1b[31m [bold]x[/bold] :smile:\n\nText \x07 here.\n\n## \u202eB\n\nMore.\n")
    for command in ("parse", "outline", "chunk", "check"):
        result = run(command, "a.md")
        assert result.exit_code == 0
        assert not {"\x1b", "\x07", "\u202e"} & set(result.stdout)
        if command != "check":
            assert "[bold]x[/bold] :smile:" in result.stdout


def test_front_matter_that_json_cannot_say(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\nscore: .nan\nday: 2024-01-01\n---\n# T\n\nText.\n")
    result = run("chunk", "a.md", "--json")
    [chunk] = result.stdout_bytes.splitlines()
    assert load(chunk)["metadata"] == {"front_matter": {"score": "nan", "day": "2024-01-01"}}


def test_file_name_that_is_not_utf8(run: Run, tmp_path: Path) -> None:
    try:
        (tmp_path / "caf\udce9.md").write_text("# T\n\nText.\n")
    except (OSError, UnicodeEncodeError):
        pytest.skip("this file system takes no such name")
    assert load(run("chunk", ".", "--json").stdout_bytes)["source"] == "caf\udce9.md"
    for command in ("chunk", "check", "outline"):
        result = run(command, ".")
        assert result.exit_code == 0
        assert "caf\ufffd.md" in result.stdout
