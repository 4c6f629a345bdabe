"""A small index over documents of several formats."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from crosshead.index import Index

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"  # tests talk to nobody
os.environ["LANGSMITH_TRACING"] = "false"

HANDBOOK = """---
team: infra
tags: [a, b]
since: 2026-01-31
---

# Handbook

What everybody needs.

## Keys

About keys. {filler}

### Rotation

Rotate keys every 90 days. {filler}

### Storage

Keys are kept in the vault. {filler}

## Backups

Backups are kept for a year. {filler}
"""
FILLER = "This is said at some length, so that the section stands by itself and is not joined with others. " * 12


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "handbook.md").write_text(HANDBOOK.format(filler=FILLER))
    (folder / "page.html").write_text("<h1>Prices</h1><p>Apples cost two crowns.</p>")
    return folder


@pytest.fixture
def index(docs: Path) -> Iterator[Index]:
    with Index(docs.parent / "index", root=docs, embedder="static") as made:
        made.add(docs)
        yield made
