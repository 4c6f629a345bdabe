"""No reader raises anything but our own errors, whatever was done to a file.

`tests/long/fuzz.py` does the same for as long as you like, also with files of your own.
"""

from __future__ import annotations

import random
import shutil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.long.fuzz import all_samples, mutate_sample, try_document

from crosshead.formats import known_formats

SAMPLES = {sample.format: sample for sample in all_samples()}
OTHERS = [sample.data for sample in SAMPLES.values()]
CONVERTED = ("doc", "ppt")


def test_there_is_a_document_of_every_format() -> None:
    assert SAMPLES.keys() == {format.name for format in known_formats()}


@pytest.mark.parametrize("format", sorted(SAMPLES))
def test_mutated_document_is_read_and_cut_or_refused(format: str) -> None:
    if format in CONVERTED and shutil.which("soffice"):
        pytest.skip("LibreOffice reads it, and takes seconds")

    @settings(max_examples=12, deadline=None)
    @given(st.randoms(use_true_random=False))
    def is_sound(rng: random.Random) -> None:
        outcome, reason = try_document(mutate_sample(SAMPLES[format], OTHERS, rng), format)
        assert outcome in ("read", "refused"), reason

    is_sound()
