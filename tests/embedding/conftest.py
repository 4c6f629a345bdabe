"""An empty cache, no settings from outside, and a tiny model of the same kind as MiniLM."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.embedding.tiny import TinyModel, make_tiny_model


@pytest.fixture(autouse=True)
def _no_outside_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OLLAMA_HOST", "OPENAI_API_KEY", "OPENAI_BASE_URL", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CROSSHEAD_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="session")
def tiny() -> TinyModel:
    """A model that is quick to install and to run."""
    return make_tiny_model()
