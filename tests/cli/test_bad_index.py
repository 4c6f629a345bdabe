"""Damaged indexes, indexes of others and odd questions: one line that says what to do, and nothing is changed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Run = Callable[..., Result]

INDEX = Path(".crosshead")
COMMANDS = [
    ["search", "rotate keys"],
    ["search", "rotate keys", "--passages"],
    ["index", "docs"],
    ["remove", "docs/keys.md"],
    ["copy", ".crosshead", "elsewhere"],
]


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def overwrite(data: bytes) -> bytes:
    return random.Random(1).randbytes(len(data))


def overwrite_the_middle(data: bytes) -> bytes:
    """Leave the ends, by which a file is known."""
    third = len(data) // 3
    return data[:third] + random.Random(1).randbytes(third) + data[2 * third :]


@pytest.fixture
def indexed(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSHEAD_CACHE", str(tmp_path / "cache"))
    Path("docs").mkdir()
    Path("docs/keys.md").write_text("# Keys\n\n## Rotation\n\nRotate keys every 90 days.\n")
    Path("docs/prices.csv").write_text("name,price\nApple,1\nPear,2\n")
    assert run("index", "docs").exit_code == 0


def files_of_index() -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in INDEX.rglob("*") if path.is_file() and path.name != "write.lock"}


def check_refused(run: Run, command: list[str], hint: str) -> None:
    before = files_of_index()
    result = run(*command)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: .crosshead: ")
    assert hint in result.stderr
    assert result.stderr.count("\n") == 1
    assert files_of_index() == before


@pytest.mark.usefixtures("indexed")
class TestDamage:
    @pytest.mark.parametrize("damage", [None, lambda _: b"", cut, overwrite], ids=["gone", "empty", "cut", "garbage"])
    @pytest.mark.parametrize("files", ["rows.lance/_versions/*", "rows.lance/data/*", "settings.json"])
    def test_damaged_files(self, run: Run, files: str, damage: Callable[[bytes], bytes] | None) -> None:
        for path in INDEX.glob(files):
            if damage:
                path.write_bytes(damage(path.read_bytes()))
            else:
                path.unlink()
        hint = "remove this folder and index again"
        if damage is None and files == "settings.json":
            hint = "there is no index here; make one with: crosshead index PATH"
        for command in COMMANDS:
            if command[0] != "index" or "no index" not in hint:
                check_refused(run, command, hint)
        assert not Path("elsewhere").exists()

    def test_damage_inside_of_a_file(self, run: Run) -> None:
        for path in INDEX.glob("rows.lance/data/*"):
            path.write_bytes(overwrite_the_middle(path.read_bytes()))
        result = run("search", "rotate keys")
        assert result.exit_code in (0, 1, 2)
        assert result.stderr.count("\n") <= 1

    def test_settings_that_are_gone_are_made_anew(self, run: Run) -> None:
        (INDEX / "settings.json").unlink()
        assert run("index", "docs").stdout.startswith("2 added")
        assert run("search", "rotate keys").exit_code == 0


@pytest.mark.usefixtures("indexed")
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
class TestIndexOfOthers:
    def change(self, **settings: object) -> None:
        path = INDEX / "settings.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), **settings}))

    def test_newer_version(self, run: Run, command: list[str]) -> None:
        self.change(schema_version=99)
        check_refused(run, command, "written by a newer version of Crosshead; update it: pip install -U crosshead")

    def test_another_version_of_the_model(self, run: Run, command: list[str]) -> None:
        self.change(embedder_revision="another")
        if command[0] not in ("search", "index"):
            assert run(*command).exit_code == 0
            return
        check_refused(run, command, "made with another version of the model static: install that version, or make")


@pytest.mark.usefixtures("indexed")
def test_an_embedder_that_does_not_answer_changes_nothing(run: Run) -> None:
    result = run("index", "docs", "--embedder", "ollama:model")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: no server at http://127.0.0.1:11434")
    assert run("status", "--json").stdout.count('"embedder": "static"')


@pytest.mark.usefixtures("indexed")
class TestQueries:
    @pytest.mark.parametrize("query", ["", "  ", "\n\t"])
    def test_an_empty_one_is_a_mistake(self, run: Run, query: str) -> None:
        result = run("search", query)
        assert (result.exit_code, result.stderr) == (2, "error: the query is empty: say what to look for\n")

    @pytest.mark.parametrize("query", ["rotate keys " * 8_500, "x" * 100_000, "鍵" * 100_000], ids=["words", "x", "ja"])
    def test_a_very_long_one_is_answered(self, run: Run, query: str) -> None:
        assert run("search", query).exit_code in (0, 1)
        if query.startswith("rotate"):
            assert "docs/keys.md" in run("search", query).stdout

    @pytest.mark.parametrize("query", ["\0\x01\x02", "\x1b[2Jrotate", "rotate\0keys", "\ud800", "\u202e", "\x7f\x9b"])
    @pytest.mark.parametrize("mode", ["hybrid", "lexical", "dense"])
    def test_control_characters_do_no_harm(self, run: Run, query: str, mode: str) -> None:
        before = files_of_index()
        result = run("search", query, "--mode", mode)
        assert result.exit_code in (0, 1)
        assert not set(result.output) & set("\0\x01\x02\x1b\x7f\x9b\u202e")
        assert files_of_index() == before
