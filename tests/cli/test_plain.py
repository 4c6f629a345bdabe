"""Lines that are always valid, whatever stands in a document."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from typer.testing import Result

from crosshead.cli.plain import json_line, one_line

Run = Callable[..., Result]


def load(line: bytes) -> Any:
    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(line.decode(), parse_constant=refuse)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"a": "Grüße 😀"}, {"a": "Grüße 😀"}),
        ({"a": "lone \ud800 surrogate"}, {"a": "lone \ud800 surrogate"}),
        ({"a": [float("nan"), {"b": float("-inf")}], "c": 1.5}, {"a": [None, {"b": None}], "c": 1.5}),
        ({"a": MappingProxyType({"b": float("nan")})}, {"a": {"b": None}}),
        ({"a": "two\nlines\u2028"}, {"a": "two\nlines\u2028"}),
    ],
)
def test_json_line_is_one_line_of_valid_json(value: object, expected: object) -> None:
    line = json_line(value)
    assert line.count(b"\n") == 1
    assert load(line) == expected


def test_json_line_keeps_characters_readable() -> None:
    assert "Grüße".encode() in json_line({"a": "Grüße"})


def test_what_has_no_form_in_json_is_refused() -> None:
    with pytest.raises(TypeError, match="object"):
        json_line({"a": object()})


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
    assert load(chunk)["metadata"] == {"front_matter": {"score": None, "day": "2024-01-01"}}


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
