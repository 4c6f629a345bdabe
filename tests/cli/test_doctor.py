"""crosshead doctor."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.metadata import metadata
from pathlib import Path

import pytest
from typer.testing import Result

from crosshead.embedding.static import StaticEmbedder

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def _indexed(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSHEAD_CACHE", str(tmp_path / "cache"))
    Path("docs").mkdir()
    for number in range(20):
        Path(f"docs/{number}.md").write_text(f"# Page {number}\n\nWords of page {number}.\n")
    assert run("index", "docs").exit_code == 0


def test_sound_index(run: Run) -> None:
    result = run("doctor", ".crosshead")
    assert (result.exit_code, result.stdout, result.stderr) == (0, ".crosshead: sound\n", "")
    assert json.loads(run("doctor", ".crosshead", "--json").stdout) == {
        "index": ".crosshead", "ok": True, "findings": [],
    }  # fmt: skip


def test_damage_is_told_with_what_to_do(run: Run) -> None:
    path = max(Path(".crosshead/rows.lance/data").iterdir())
    path.write_bytes(path.read_bytes()[:-9])
    for _ in range(2):  # looking does not change what is found
        result = run("doctor", ".crosshead")
        assert result.exit_code == 1
        assert result.stdout.endswith("faults\n")
        assert f"{path.name}: damaged since it was written: restore it from a copy, or remove" in result.stderr


def test_settings_that_cannot_be_read_are_a_fault(run: Run) -> None:
    Path(".crosshead/settings.json").write_text("{}")
    result = run("doctor", ".crosshead", "--json")
    assert result.exit_code == 1
    assert "damaged" in json.loads(result.stdout)["findings"][0]["message"]


def test_what_waits_is_noted_and_no_fault(run: Run) -> None:
    Path("docs/late.md").write_text("# Late\n\nText.\n")
    run("index", "docs", "--no-embed")
    result = run("doctor", ".crosshead")
    assert result.exit_code == 0
    assert "note: 1 of 21 chunks have no vector yet, and are found by their words: crosshead embed" in result.stderr


def test_vectors_of_another_model_are_found(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np

    other = np.eye(1, StaticEmbedder.dimension, dtype=np.float32)
    monkeypatch.setattr(StaticEmbedder, "embed", lambda self, texts, **_: [other for _ in texts])
    result = run("doctor", ".crosshead")
    assert result.exit_code == 1
    assert "16 of 16 vectors differ from those that the model static makes now" in result.stderr


def test_no_index_is_a_mistake(run: Run) -> None:
    assert run("doctor", "elsewhere").exit_code == 2


def test_without_an_index_the_environment_is_told(run: Run) -> None:
    result = run("doctor")
    assert result.exit_code == 0
    assert "an index in a folder: installed\n" in result.stdout
    assert json.loads(run("doctor", "--json").stdout)["extras"]["index"] is True


def test_every_extra_for_users_is_told(run: Run) -> None:
    joins_others = {"formats", "rst"}  # `rst` is empty: reStructuredText needs no package any more
    extras = set(metadata("crosshead").get_all("Provides-Extra") or ()) - {"dev", "docs", "test"} - joins_others
    assert set(json.loads(run("doctor", "--json").stdout)["extras"]) == extras
