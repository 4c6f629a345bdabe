"""How many requests does an index on object storage take?

usage: python -m bench.storage.object_storage [FOLDER]

The server is that of the tests, on this machine. FOLDER holds the documents, by default examples/docs; it is copied.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tests.support import s3_server as storage

from crosshead.index import Index

ROOT = Path(__file__).parents[2]

KINDS = ("GET", "HEAD", "LIST", "PUT", "DELETE")
EXAMPLES = ROOT / "examples" / "docs"
LIST_PARTS = 2
"""A request that names a bucket and no object lists it."""


def kind(request: str) -> str:
    method, _, path = request.partition(" ")
    if len(path.strip("/").split("/")) >= LIST_PARTS:
        return method
    return {"GET": "LIST", "POST": "DELETE"}.get(method, method)


def main(folder: Path = EXAMPLES) -> None:
    with storage.running() as server, tempfile.TemporaryDirectory() as scratch:
        os.environ.update(server.environment)
        url = f"s3://{server.make_bucket()}/docs"
        docs = Path(shutil.copytree(folder, Path(scratch) / "docs"))
        changed = min(docs.rglob("*.md"))
        server.take_requests()

        def tell(what: str, work: Callable[[], object]) -> object:
            done = work()
            counts = Counter(map(kind, server.take_requests()))
            print(f"| {what} | {' | '.join(str(counts[each]) for each in KINDS)} | {sum(counts.values())} |")
            return done

        def search(text: str) -> Callable[[], object]:
            return lambda: reader.search(text)

        print(f"| work | {' | '.join(KINDS)} | all |")
        print("|---|" + "---|" * (len(KINDS) + 1))
        with Index(url, root=scratch, embedder="static") as index:
            tell("make an empty index", lambda: None)
            tell(f"index {sum(each.is_file() for each in docs.rglob('*'))} new files", lambda: index.add(docs))
            tell("again, nothing changed", lambda: index.add(docs))
            changed.write_text(f"{changed.read_text()}\nOne more line.\n")
            tell("again, one changed", lambda: index.add(docs))
            tell("optimize", index.optimize)
        reader = Index(url, create=False)
        tell("open it to search", lambda: None)
        tell("the first search", search("how do I rotate keys"))
        tell("another one", search("where are backups kept"))
        tell("the same once more", search("where are backups kept"))
        tell("passages", lambda: reader.passages("where are backups kept"))
        reader.close()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
