from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.scheduling import SHARING, Scheduling

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("path", SHARING)
def test_tests_that_share_something_stay_together(path: str) -> None:
    scheduling = object.__new__(Scheduling)
    assert (ROOT / path).exists()
    assert scheduling._split_scope(f"{path}::test_a") == scheduling._split_scope(f"{path}::test_b")
    assert scheduling._split_scope("tests/test_ids.py::test_a") != scheduling._split_scope("tests/test_ids.py::test_b")
