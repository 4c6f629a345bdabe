"""Are related sections related, and which of them are marked as copies?

usage: python -m bench.retrieval.related [FOLDER ...] [--embedder NAME] [--chunks N]

Indexes the documents of each folder, by default some of .cache/corpus, and asks for the ten nearest sections of other
documents for up to N of its chunks. Prints a Markdown table:

    links      chunks that link to another document, and how many of these documents are among those of the ten
    shared     how many of the nearest sections share what part of their runs of words with the chunk
    copies     how many copies are marked in which 5 % of the words are others
"""

from __future__ import annotations

import argparse
import logging
import posixpath
import random
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.lib.corpus import CORPUS

from crosshead import Index
from crosshead.search.related import COPY_SHARE, shared_runs
from crosshead.types import Chunk

logging.disable(logging.WARNING)  # notes about odd documents

CHOSEN_ON = ("npm", "fastapi", "ai", "typescript-eslint__eslint-plugin")
UNSEEN = ("next", "lion__ui", "mui__material", "pandera")
LINK = re.compile(r"\]\(([^)\s#:]+)(?:#[^)\s]*)?\)")
EDITED_SHARE = 0.05
LEAST_WORDS = 10
"""A copy of fewer words has none that are others."""


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    arguments.add_argument("folders", nargs="*", type=Path)
    arguments.add_argument("--embedder", default="static")
    arguments.add_argument("--chunks", type=int, default=400)
    given = arguments.parse_args()
    shares = "below 50 %", "50 to 80 %", "80 to 90 %", "more"
    print(f"| documents | chunks | links | documents found | {' | '.join(shares)} | copies |")
    print("|---|---|---|---|---|---|---|---|---|")
    for folder in given.folders or [CORPUS / name for name in CHOSEN_ON + UNSEEN]:
        with tempfile.TemporaryDirectory() as place, Index(place, root=folder, embedder=given.embedder) as index:
            index.add(folder)
            print(f"| {folder.name} | {measure(index, given.chunks)} |", flush=True)


def measure(index: Index, most: int) -> str:
    """Return the cells of a row."""
    chosen = random.Random(0)
    chunks = [*_chunks(index)]
    sources = {each.source for each in chunks}
    sample = chosen.sample(chunks, min(most, len(chunks)))
    linking = found = 0.0
    shared: Counter[str] = Counter()
    for chunk in sample:
        related = index.related(chunk) or []
        shared.update(_band(each.shared) for each in related)
        if linked := {*_linked(chunk, sources)}:
            linking += 1
            found += len(linked & {each.source for each in related}) / len(linked)
    words = [word for chunk in chunks for word in chunk.content.split()]
    long = [chunk.content for chunk in sample if len(chunk.content.split()) >= LEAST_WORDS]
    copies = [shared_runs(text, _edited(text, words, chosen)) >= COPY_SHARE for text in long]
    total = shared.total() or 1
    bands = " | ".join(f"{shared[each] / total:.1%}" for each in ("low", "middle", "high", "copy"))
    links = f"{linking:.0f} | {found / linking:.0%}" if linking else "0 | -"
    return f"{len(sample):,} | {links} | {bands} | {sum(copies) / (len(copies) or 1):.0%}"


def _chunks(index: Index) -> Iterator[Chunk]:
    for source in index.sources():
        whole = index.passage(source)
        found = (index.chunk(each) for each in (whole.chunk_ids if whole else ()))
        yield from (chunk for chunk in found if chunk and chunk.indexable)


def _band(shared: float) -> str:
    return "low" if shared < 0.5 else "middle" if shared < COPY_SHARE else "high" if shared < 0.9 else "copy"


def _linked(chunk: Chunk, sources: set[str]) -> Iterator[str]:
    """Yield the other documents that a chunk links to."""
    for target in LINK.findall(chunk.content):
        path = posixpath.normpath(posixpath.join(posixpath.dirname(chunk.source), target))
        spellings = (path, f"{path}.md", f"{path}.mdx", f"{path}/index.md", f"{path}/index.mdx")
        yield from [each for each in spellings if each in sources and each != chunk.source][:1]


def _edited(text: str, words: Sequence[str], chosen: random.Random) -> str:
    """Return a text in which some words are others."""
    edited = text.split()
    for at in chosen.sample(range(len(edited)), max(1, round(EDITED_SHARE * len(edited)))):
        edited[at] = chosen.choice(words)
    return " ".join(edited)


if __name__ == "__main__":
    main()
