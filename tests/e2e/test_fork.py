"""An index that was used before a fork works in the children and in the parent, as servers do it that fork workers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import multiprocessing, os, sys, warnings
from crosshead import Index

warnings.simplefilter("ignore")  # Lance warns of every fork
index = Index(sys.argv[1], embedder="static", root=".")
index.add_text("# Keys\\n\\nRotate the keys.", source="keys")
assert index.search("rotate keys")

def work(number):
    assert index.search("rotate keys")[0].chunk.source == "keys"
    index._wait_seconds = 60
    index.add_text(f"# Child {number}\\n\\nWritten by child{number}.", source=f"child{number}")
    assert index.search(f"child{number}", mode="lexical")[0].chunk.source == f"child{number}"

context = multiprocessing.get_context("fork")
children = [context.Process(target=work, args=[number]) for number in range(3)]
for child in children:
    child.start()
for child in children:
    child.join(60)
assert [child.exitcode for child in children] == [0, 0, 0], [child.exitcode for child in children]
assert index.sources() == ["child0", "child1", "child2", "keys"]
index.add_text("# Last\\n\\nBy the parent.", source="last")
assert index.search("parent", mode="lexical")
index.close()
print("fine")
"""


@pytest.fixture(params=["folder", "database"])
def location(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "index") if request.param == "folder" else str(request.getfixturevalue("database"))


def test_children_and_parent_read_and_write(location: str, tmp_path: Path) -> None:
    environment = {**os.environ, "CROSSHEAD_CACHE": str(tmp_path / "cache")}
    command = [sys.executable, "-c", PROGRAM, location]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=180, check=False, env=environment, cwd=tmp_path
    )
    assert (done.returncode, done.stdout) == (0, "fine\n"), done.stderr
