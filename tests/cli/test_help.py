"""Help texts in terminals of any width, and the flags of all commands."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from tests.docs.reference import commands
from typer.testing import Result

pytestmark = pytest.mark.usefixtures("_in_process")

Run = Callable[..., Result]

EVERY = [name.removeprefix("crosshead").split() for name, _ in commands()]


def lines(result: Result) -> list[str]:
    assert result.exit_code == 0
    return result.stdout.partition("Examples:")[0].splitlines()


@pytest.mark.parametrize("width", [60, 120])
@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_help_fits_the_terminal_and_names_no_types(run: Run, words: list[str], width: int) -> None:
    for flag in ("--help", "--help-all"):
        text = lines(run(*words, flag, env={"COLUMNS": str(width)}))
        assert max(map(len, text)) <= width
        assert not re.search(r"<\w|list\[|Optional|None\b", "\n".join(text))


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_short_help_says_how_to_see_all_options(run: Run, words: list[str]) -> None:
    short, whole = lines(run(*words, "--help")), lines(run(*words, "--help-all"))
    options = [line for line in whole if re.match(r"  -", line)]
    assert len([line for line in short if re.match(r"  -", line)]) < len(options)
    assert f"All {len(options)} options: {' '.join(['crosshead', *words, '--help-all'])}" in short


def test_index_has_a_short_help(run: Run) -> None:
    text = run("index", "-h", env={"COLUMNS": "80"}).stdout
    assert text.count("\n") < 60
    assert "--watch" in text
    assert "--overlap-tokens" not in text
    assert "--overlap-tokens" in run("index", "--help-all").stdout


def test_names_of_commands_are_grouped_and_search_is_first(run: Run) -> None:
    text = run("--help").stdout
    panels = re.findall(r"^(\w+):$", text, re.M)
    assert panels == ["Search", "Index", "Inspect", "Serve", "Maintain", "Options", "Examples"]
    assert text.index("  search ") < text.index("  show ") < text.index("  index ")


def test_texts_hang_beside_or_below_names(run: Run) -> None:
    beside = run("search", "--help", env={"COLUMNS": "80"}).stdout
    assert re.search(r"^  --section GLOB {2,}Only sections.*\n {10,}\S", beside, re.M)
    below = run("search", "--help", env={"COLUMNS": "60"}).stdout
    assert re.search(r"^  --section GLOB\n      Only sections.*\n      \S", below, re.M)


@pytest.mark.parametrize("command", [command for _, command in commands()], ids=[name for name, _ in commands()])
def test_every_value_has_a_name(command: Any) -> None:
    for each in command.params:
        assert each.metavar or each.is_flag, each.name


@pytest.mark.parametrize(
    "place", [("--quiet", "index", "docs"), ("index", "docs", "--quiet"), ("index", "-vq", "docs")]
)
def test_quiet_prints_only_errors(run: Run, docs: str, place: tuple[str, ...]) -> None:
    assert run("index", docs, "--embedder", "static").output
    quiet = run(*place)
    assert (quiet.exit_code, quiet.output) == (0, "")
    assert "40 unchanged" in run("index", docs).stdout


def test_quiet_prints_results_and_no_notes(run: Run, docs: str) -> None:
    run("index", docs, "--embedder", "static")
    loud, quiet = run("search", "page", "--budget", "9"), run("search", "page", "--budget", "9", "-q")
    assert loud.stderr == "note: --budget has no effect without --passages\n"
    assert (quiet.stderr, quiet.stdout) == ("", loud.stdout)
    assert run("search", "page", "--format", "pdf", "-q").exit_code == 1
    assert "no such file" in run("chunk", "missing.md", "--quiet").stderr


def test_short_version(run: Run) -> None:
    assert run("-V").stdout == run("--version").stdout


def test_ask_is_no_command(run: Run) -> None:
    assert run("ask", "anything").exit_code == 2
