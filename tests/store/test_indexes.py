"""Indexing vectors, and being killed meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from crosshead.runtime.scratch import scratch_folder

DIVIDE = """
import sys

import lance
import numpy as np
import pyarrow as pa

from crosshead.store.lance.indexes import _index_vectors

numbers = np.random.default_rng(0).random((70_000, 128), np.float32)
vectors = pa.FixedSizeListArray.from_arrays(pa.array(numbers.ravel()), 128)
_index_vectors(lance.write_dataset(pa.table({"vector": vectors}), sys.argv[1]), None)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Lance asks for another folder there")
def test_what_lance_left_when_it_was_killed_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", None)  # so that it is looked for again
    with subprocess.Popen([sys.executable, "-c", DIVIDE, str(tmp_path / "rows.lance")], env=os.environ) as process:
        while process.poll() is None and not [*temporary.glob("*/.tmp*")]:
            time.sleep(0.001)
        process.kill()
    (left,) = temporary.iterdir()
    assert left.name.startswith(f"crosshead-{process.pid}-")
    assert [*left.glob(".tmp*")]
    with scratch_folder():
        pass
    assert [*temporary.iterdir()] == []
