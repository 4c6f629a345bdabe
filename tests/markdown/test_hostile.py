"""Hostile texts are parsed in linear time, and to blocks that tile like any others."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tests.markdown import hostile
from tests.markdown.places import assert_places

from crosshead import parse_blocks

WAIT_SECONDS = 600
"""Only where CPU time cannot be limited, see hostile.py."""


@pytest.mark.parametrize("group", hostile.TEXTS)
def test_hostile_texts_do_not_take_forever(group: str) -> None:
    command = [sys.executable, hostile.__file__, group]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=WAIT_SECONDS)
    assert (done.stdout.split("\n")[-2], done.stderr) == ("done", "")


SMALL = [(group, name) for group, texts in hostile.TEXTS.items() for name in texts]


@pytest.mark.parametrize(("group", "name"), SMALL)
def test_blocks_of_hostile_texts_tile(group: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hostile, "SIZE", 2000)
    text = hostile.TEXTS[group][name]()[:20_000]
    for mdx in (False, True):
        assert_places(text, parse_blocks(text, mdx))
