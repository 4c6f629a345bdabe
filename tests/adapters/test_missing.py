"""A framework that is not installed is named with the command that installs it, and only when it is used."""

from __future__ import annotations

import subprocess
import sys

import pytest

FRAMEWORKS = {"langchain": "langchain_core", "llamaindex": "llama_index", "haystack": "haystack"}
CALLED = {"langchain": "LangChain", "llamaindex": "LlamaIndex", "haystack": "Haystack"}


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False).stderr


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_a_missing_framework_is_told(name: str) -> None:
    told = run(f"import sys; sys.modules[{FRAMEWORKS[name]!r}] = None; import crosshead.adapters.{name}")
    needs = f"The adapter for {CALLED[name]} needs an optional package: pip install 'crosshead[{name}]'"
    assert f"MissingExtra: {needs}" in told


def test_no_framework_is_imported_unless_used() -> None:
    names = set(FRAMEWORKS.values())
    assert run(f"import sys, crosshead, crosshead.adapters; assert not {names!r} & set(sys.modules)") == ""
