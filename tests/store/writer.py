"""Writes documents into an index until it is killed: python writer.py INDEX SEED."""

from __future__ import annotations

import random
import sys

from tests.support.stored_documents import make_rows

from crosshead.store.opening import open_store
from crosshead.types import DocumentRows


def make_version(number: int, version: int) -> DocumentRows:
    """A document all of whose chunks name its version."""
    parts = [f"## Part {part}\n\nversion {version} of part {part}\n" for part in range(2 + version % 4)]
    rows = make_rows("\n".join(["# Page", *parts]), f"{number}.md", max_tokens=16, min_tokens=0, target_tokens=4)
    return rows._replace(document=rows.document._replace(revision=str(version)))


def main(location: str, seed: str) -> None:
    store = open_store(location)
    version = int(seed) * 1_000
    rng = random.Random(version)
    with store.lock():
        print("ready", flush=True)
        while True:
            version += 1
            store.replace_documents([make_version(number, version) for number in rng.sample(range(6), 2)])
            if version % 5 == 0:
                store.delete_documents([make_version(rng.randrange(6), 0).document.id])


if __name__ == "__main__":
    main(*sys.argv[1:])
