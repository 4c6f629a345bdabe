"""Hostile texts are read in linear time, or refused."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tests.support import hostile_texts


@pytest.mark.skipif(sys.platform == "win32", reason="CPU time cannot be limited")
@pytest.mark.parametrize("name", hostile_texts.TEXTS)
def test_large_hostile_text_does_not_take_forever(name: str) -> None:
    done = subprocess.run([sys.executable, hostile_texts.__file__, name], check=False, capture_output=True, text=True)
    assert done.stdout in ("read\n", "refused\n"), done.stderr[-500:]
