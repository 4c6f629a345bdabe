"""The examples run as they stand, each in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("name", ["langchain_retriever", "llamaindex_retriever", "haystack_pipeline"])
def test_an_example_finds_what_it_asks_for(name: str) -> None:
    ended = subprocess.run([sys.executable, EXAMPLES / f"{name}.py"], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    counted, *found = ended.stdout.splitlines()
    assert int(counted.split()[0]) > 20
    assert len(found) == 3
    assert any("otat" in line for line in found)
