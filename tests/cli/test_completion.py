"""What a shell offers after a tab, asked as the scripts of the shells ask."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Run = Callable[..., Result]
Offered = Callable[[str], list[str]]

IN_BASH = """\
eval "$($PROGRAM_SOURCE)"
read -ra COMP_WORDS <<< "$1"
[[ "$1" == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))
_crosshead_completion "$PROGRAM"
printf "%s\\n" "${COMPREPLY[@]}"
"""


@pytest.fixture
def program(command: list[str], tmp_path: Path) -> Path:
    path = tmp_path / "bin" / "crosshead"
    path.parent.mkdir()
    path.write_text(f"#!/bin/sh\nexec {command[0]} -c '{command[2]}' \"$@\"\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def indexed(run: Run, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "keys.md").write_text("# Keys\n\n## Rotate all keys\n\nEvery year.\n")
    (tmp_path / "docs" / "my notes.html").write_text("<h1>Notes</h1><p>Words.</p>")
    assert run("index", "docs", "--embedder", "static").exit_code == 0


@pytest.fixture
def in_bash(program: Path, tmp_path: Path) -> Offered:
    """What the function for Bash offers for a line that ends at the cursor."""
    if not shutil.which("bash"):
        pytest.skip("needs bash")

    def offered(line: str) -> list[str]:
        environment = {
            **os.environ,
            "PROGRAM": str(program),
            "PROGRAM_SOURCE": f"env _CROSSHEAD_COMPLETE=source_bash {program}",
        }
        done = subprocess.run(
            ["bash", "--norc", "-c", IN_BASH, "bash", line],
            capture_output=True,
            text=True,
            env=environment,
            check=False,
        )
        assert done.stderr == ""
        return done.stdout.split("\n")[:-1]

    return offered


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("crosshead search --mode ", ["hybrid", "dense", "lexical"]),
        ("crosshead find --mode=l", ["lexical"]),
        ("crosshead search --format ", ["html", "markdown"]),
        ("crosshead index --format htm", ["html"]),
        ("crosshead search --source ", ["docs/keys.md", r"docs/my\ notes.html"]),
        ("crosshead remove docs/k", ["docs/keys.md"]),
        ("crosshead show docs/k", ["docs/keys.md"]),
        ("crosshead search --section Ro", [r"Rotate\ all\ keys"]),
        ("crosshead search --index ", [".crosshead"]),
        ("crosshead search --index docs/ --source ", [""]),
        ("crosshead index --embedder min", ["minilm", "minilm:fp32"]),
        ("crosshead chunk --strategy ", ["auto", "section", "fixed"]),
        ("crosshead chunk --front-matter s", ["strip"]),
        ("crosshead model ins", ["install"]),
        ("crosshead model install ", ["minilm", "multilingual"]),
        ("crosshead help stat", ["status"]),
        ("crosshead search --qu", ["--quiet"]),
        ("crosshead chunk docs/", [""]),  # the shell completes files
    ],
)
@pytest.mark.usefixtures("indexed")
def test_bash_is_offered_values(in_bash: Offered, line: str, values: list[str]) -> None:
    assert in_bash(line) == values


@pytest.mark.usefixtures("indexed")
def test_indexes_are_found_where_they_are_typed(in_bash: Offered, run: Run, tmp_path: Path) -> None:
    run("copy", ".crosshead", "copies/one")
    (tmp_path / "copies/half").mkdir()
    (tmp_path / "copies/half/write.lock").touch()
    assert in_bash("crosshead search --index copies/") == ["copies/one"]
    assert in_bash("crosshead doctor copies/o") == ["copies/one"]


def test_without_an_index_nothing_is_offered_or_printed(in_bash: Offered, tmp_path: Path) -> None:
    assert in_bash("crosshead search --source ") == [""]
    assert in_bash("crosshead search --section a") == [""]
    (tmp_path / ".crosshead").mkdir()
    (tmp_path / ".crosshead/settings.json").write_text("{")
    assert in_bash("crosshead search --section a") == [""]


@pytest.mark.usefixtures("indexed")
def test_other_shells_get_values_as_they_are(program: Path) -> None:
    line = "crosshead search --section Ro"
    given = {**os.environ, "_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    for shell, shown in (("zsh", """_arguments '*: :(("Rotate all keys"))'\n"""), ("fish", "Rotate all keys\n")):
        environment = {**given, "_CROSSHEAD_COMPLETE": f"complete_{shell}"}
        assert subprocess.run([program], env=environment, capture_output=True, text=True, check=True).stdout == shown


@pytest.mark.parametrize("line", ["crosshead search --source d", "crosshead search --mode ", "crosshead index --emb"])
@pytest.mark.usefixtures("indexed")
def test_values_need_no_heavy_package(command: list[str], line: str) -> None:
    watched = f"import atexit, sys\natexit.register(lambda: print(*sys.modules, file=sys.stderr))\n{command[2]}"
    words = {"COMP_WORDS": line, "COMP_CWORD": str(line.count(" ")), "_CROSSHEAD_COMPLETE": "complete_bash"}
    done = subprocess.run(
        [*command[:2], watched], env={**os.environ, **words}, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip()
    assert not {"numpy", "pyarrow", "lance", "onnxruntime", "pydantic", "lxml"}.intersection(done.stderr.split())
