from __future__ import annotations

import numpy as np
import pytest

from crosshead.embedding.vectors import check_vectors
from crosshead.errors import EmbedError


def test_vectors_have_length_one_and_float32() -> None:
    rows = check_vectors([[3, 4], [1e30, 0]], count=2, dimension=None, origin="x")
    assert rows.dtype == np.float32
    assert rows.tolist() == [[pytest.approx(0.6), pytest.approx(0.8)], [1, 0]]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[1, 2]], "1 vectors for 2 texts"),
        ([[1, 2], [1]], "different lengths"),
        ([[1, 2], ["a", 2]], "without numbers"),
        ([[1, 2], [None, 2]], "no direction"),
        ([[1, 2], {}], "different lengths"),
        ([1, 2], "for 2 texts"),
        ([[], []], "for 2 texts"),
        (7, "0 vectors"),
        ([[1, 2, 3], [1, 2, 3]], "3 numbers per vector instead of 2"),
        ([[1, 2], [0, 0]], "no direction"),
        ([[1, 2], [float("nan"), 0]], "no direction"),
        ([[1, 2], [1e300, 0]], "no direction"),
    ],
)
@pytest.mark.filterwarnings("ignore:overflow")
def test_answers_that_are_no_vectors_are_refused(rows: object, message: str) -> None:
    with pytest.raises(EmbedError, match=message):
        check_vectors(rows, count=2, dimension=2, origin="model")
