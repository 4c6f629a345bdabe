"""Who asks for the title of a section gets that section first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import crosshead
from crosshead.types import Section

ROOT = Path(__file__).parents[2]
LEAST = 0.95
NO_DOCUMENTS = {".css", ".png", ".py", ".svg"}


def sections_with_text(section: Section) -> Iterator[Section]:
    if section.level and len(section.blocks) > 1:
        yield section
    for child in section.children:
        yield from sections_with_text(child)


@pytest.mark.parametrize("folder", ["docs", "examples/docs"])
def test_title_finds_its_section_first(tmp_path: Path, folder: str) -> None:
    files = [path for path in (ROOT / folder).rglob("*") if path.is_file() and path.suffix not in NO_DOCUMENTS]
    titles = [section.title for file in files for section in sections_with_text(crosshead.read(file).root)]
    assert len(titles) > 80
    with crosshead.Index(tmp_path / "index", root=ROOT / folder, embedder="static") as index:
        index.add(ROOT / folder, jobs=1)
        for mode in ("hybrid", "lexical"):
            first = [index.search(title, limit=1, mode=mode)[0].section_path[-1:] for title in titles]
            found = [path == (title,) for path, title in zip(first, titles, strict=True)]
            assert sum(found) / len(found) >= LEAST, mode
