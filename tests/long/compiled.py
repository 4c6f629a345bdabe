"""Are the results of a compiled wheel those of the pure sources?

usage: python -m tests.long.compiled WHEEL [--every N] [--size BYTES] [--show N] [FOLDER ...]

Reads, parses, chunks and checks every document below the folders (default: the corpus, held-out MDX included) and some
hostile texts of `tests/long/hostile_texts.py`, with every set of OPTIONS: once with the sources of this checkout, once
with the package in the wheel (`make wheel-compiled`), in two processes. Compares the blocks, sections and other fields
of documents, the JSON of all chunks with their ids, reports, and errors. Exit code 1 if anything differs.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from hashlib import sha256
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from bench.lib import corpus
from hatch_build import COMPILED
from tests.long.hostile_texts import patterns

import crosshead
from crosshead import Document

ROOT = Path(__file__).parents[2]
OPTIONS: dict[str, dict[str, Any]] = {
    "default": {},
    "small": {"max_tokens": 40, "tokenizer": "o200k_base", "oversize": "split"},
    "overlap": {"max_tokens": 128, "overlap_tokens": 30, "oversize": "split", "explain": True},
    "estimate": {"max_tokens": 256, "tokenizer": "estimate", "min_tokens": 0},
    "depth": {"max_tokens": 300, "front_matter": "include", "heading_depth": 2},
    "fixed": {"max_tokens": 200, "strategy": "fixed"},
    "characters": {"max_tokens": 1500, "tokenizer": "characters", "overlap_tokens": 0},
}
"""By the name under which differences are shown."""

HOSTILE_EVERY = 11
"""A prime number, so that no shape of text is left out."""


class Result(NamedTuple):
    """What one text gave: a hash for each part, and how many chunks there were."""

    name: str
    hashes: dict[str, str]
    chunks: int


def evaluate(name: str, data: bytes, format: str) -> Result:
    """Do with a text what the package can do with it; an error is a result as well."""
    chunks = 0

    def chunk_and_check(document: Document, options: dict[str, Any]) -> list[object]:
        nonlocal chunks
        made = crosshead.chunk(document, **options)
        chunks += len(made)
        return [[each.to_json() for each in made], repr(crosshead.check(document, made))]

    hashes = {"blocks": _hash(lambda: crosshead.parse_blocks(data.decode(errors="replace"), mdx=format == "mdx"))}
    try:
        document = crosshead.read(data, format, source="a")
    except Exception as error:
        return Result(name, hashes | {"document": f"{type(error).__name__}: {error}"}, 0)
    hashes["document"] = _hash(lambda: [document, document.root])
    hashes |= {key: _hash(lambda given=given: chunk_and_check(document, given)) for key, given in OPTIONS.items()}
    return Result(name, hashes, chunks)


def _hash(make: Callable[[], object]) -> str:
    try:
        made = json.dumps(make(), default=repr, sort_keys=True)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return sha256(made.encode()).hexdigest()


def texts(arguments: argparse.Namespace) -> Iterator[tuple[str, bytes, str]]:
    """Yield name, bytes and format of what is compared."""
    folders = arguments.folders or [*corpus.corpus_folders(), *corpus.mdx_folders(held_out=True)]
    for path in corpus.documents(folders)[:: arguments.every]:
        yield corpus.short_name(path), path.read_bytes(), "mdx" if path.suffix.lower() == ".mdx" else "markdown"
    hostile = [each for format in ("markdown", "mdx") for each in patterns(format)]
    for each in hostile[:: HOSTILE_EVERY * arguments.every]:
        yield f"{each.format} {each.name}", each.make(arguments.size), each.format


def work(arguments: argparse.Namespace) -> None:
    """Print which modules are compiled, then the result of each text."""
    logging.disable(logging.WARNING)  # notes about odd documents
    print(json.dumps(compiled_modules()))
    for name, data, format in texts(arguments):
        print(json.dumps(evaluate(name, data, format)), flush=True)


def compiled_modules() -> list[str]:
    """Return those of the modules that this process imports as extension modules."""
    names = [f"crosshead.{room}.{name}" for room, modules in COMPILED.items() for name in modules]
    origins = {name: spec.origin or "" for name in names if (spec := find_spec(name))}
    return [name for name, origin in origins.items() if not origin.endswith(".py")]


def compare(wheel: Path, show: int) -> int:
    """Run both packages side by side, print what differs, and return how many texts do."""
    with ExitStack() as stack:
        unpacked = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="crosshead-")))
        zipfile.ZipFile(wheel).extractall(unpacked)
        pure, compiled = (stack.enter_context(_start(path)) for path in (ROOT / "src", unpacked))
        assert pure.stdout
        assert compiled.stdout
        modules = [len(json.loads(each.stdout.readline())) for each in (pure, compiled)]
        if modules != [0, sum(map(len, COMPILED.values()))]:
            raise SystemExit(f"{modules[0]} modules of the sources are compiled, {modules[1]} of the wheel")
        pairs = [
            (Result(*json.loads(first)), Result(*json.loads(second)))
            for first, second in zip(pure.stdout, compiled.stdout, strict=True)
        ]
        if pure.wait() or compiled.wait():
            raise SystemExit("a process failed")
    return _report(pairs, show)


def _start(package: Path) -> subprocess.Popen[str]:
    """Start this program with the package in a folder."""
    environment = {**os.environ, "PYTHONPATH": str(package)}
    command = [sys.executable, "-m", "tests.long.compiled", *sys.argv[1:], "--work"]
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)


def _report(pairs: list[tuple[Result, Result]], show: int) -> int:
    different = [(pure, compiled) for pure, compiled in pairs if pure != compiled]
    parts = Counter(chain.from_iterable(_parts(*pair) for pair in different))
    errors = sum(": " in value for pure, _ in pairs for value in pure.hashes.values())
    print(
        f"{len(pairs):,} texts, {len(OPTIONS)} sets of options, {sum(pure.chunks for pure, _ in pairs):,} chunks, "
        f"{errors:,} errors: {len(different):,} texts differ"
    )
    for part, count in parts.most_common():
        print(f"  {part}: {count:,}")
    for pure, compiled in different[:show]:
        print(f"{pure.name} | {compiled.name}: {', '.join(_parts(pure, compiled))}")
    return len(different)


def _parts(pure: Result, compiled: Result) -> list[str]:
    return [part for part in pure.hashes | compiled.hashes if pure.hashes.get(part) != compiled.hashes.get(part)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=Path, metavar="WHEEL")
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take only every Nth text")
    parser.add_argument("--size", type=int, default=2000, metavar="BYTES", help="of a hostile text (default: 2000)")
    parser.add_argument("--show", type=int, default=5, metavar="N", help="texts that differ (default: 5)")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.work:
        work(arguments)
        return 0
    return 1 if compare(arguments.wheel, arguments.show) else 0


if __name__ == "__main__":
    sys.exit(main())
