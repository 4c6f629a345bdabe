"""An index that was used before a fork, as servers do it that fork workers, works in the children, or says why not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import multiprocessing, os, sys, warnings
from crosshead import Index
from crosshead.errors import StoreError

warnings.simplefilter("ignore")  # Lance warns of every fork
index = Index(sys.argv[1], embedder="static", root=".")
index.add_text("# Keys\\n\\nRotate the keys.", source="keys")
assert index.search("rotate keys")

def work(number):
    try:
        assert index.search("rotate keys")[0].chunk.source == "keys"
        index.add_text(f"# Child {number}\\n\\nWritten by child{number}.", source=f"child{number}")
        assert index.search(f"child{number}", mode="lexical")[0].chunk.source == f"child{number}"
    except StoreError as error:
        os.write(1, f"{error}\\n".encode())  # in one piece, beside the other children
        try:
            Index(sys.argv[1])
        except StoreError:
            sys.exit(7)

context = multiprocessing.get_context("fork")
children = [context.Process(target=work, args=[number]) for number in range(3)]
for child in children:
    child.start()
for child in children:
    child.join(60)
index.add_text("# Last\\n\\nBy the parent.", source="last")
assert index.search("parent", mode="lexical")
print([child.exitcode for child in children], index.sources())
index.close()
"""


def run(location: str, folder: Path) -> str:
    environment = {**os.environ, "CROSSHEAD_CACHE": str(folder / "cache")}
    command = [sys.executable, "-c", PROGRAM, location]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=180, check=False, env=environment, cwd=folder
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_in_a_database_children_and_parent_read_and_write(database: str, tmp_path: Path) -> None:
    assert run(database, tmp_path) == "[0, 0, 0] ['child0', 'child1', 'child2', 'keys', 'last']\n"


@pytest.mark.parametrize("kind", ["folder", "bucket"])
def test_at_a_lance_table_children_are_told_what_to_do_and_the_parent_goes_on(
    tmp_path: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    location = str(tmp_path / "index") if kind == "folder" else f"{request.getfixturevalue('bucket')}/index"
    *told, last = run(location, tmp_path).splitlines()
    assert len(told) == 3
    assert all("open indexes only after the fork" in line for line in told), told
    assert last == "[7, 7, 7] ['keys', 'last']"
