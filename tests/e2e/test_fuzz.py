"""Changed documents of every format are read soundly, or refused with a reason."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.effort import tries

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("seed", range(1, 1 + tries(1, 2)))
def test_nothing_goes_wrong_with_changed_documents(seed: int) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.long.fuzz", "--seconds", "0", "--seed", str(seed)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 fault" in done.stdout
