"""Mutated documents of every format: each is read, cut and checked, or refused with an error that says why.

usage: python -m tests.long.fuzz [--seconds N] [--seed N] [--formats NAME,...] [--keep FOLDER] [FILE ...]
       python -m tests.long.fuzz --grid [--share X] [--bytes N,...] [--seed N] [--formats NAME,...]
       python -m tests.long.fuzz --memory [--formats NAME,...]

Takes the sample documents and those that the tests make, at least one of every format (or the files that are named),
changes bytes, cuts pieces out, doubles them, and joins pieces of two documents; of formats that are ZIP archives also
inside of their parts. The tests do the same with few documents (tests/formats/test_mutated.py).

Prints how many documents of each format were read and refused, and what went wrong; `--keep` writes the bytes that did
it into a folder. Ends with exit code 1 if anything went wrong. The same seed gives the same documents.

`--grid` reads hostile texts instead (hostile_texts.py) and measures how the time grows with their size (grid.py); all
of the 240,000 patterns take days, so that a share of them is drawn by the seed. `--memory` reads files that are small
on the disk but large inside, and measures the memory that this takes (memory.py).
"""

from __future__ import annotations

import argparse
import io
import logging
import random
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import crosshead
from crosshead.errors import CrossheadError
from crosshead.formats import get_format

ROOT = Path(__file__).parents[2]
SAMPLES = (ROOT / "examples" / "docs", ROOT / "tests" / "fixtures" / "formats")
MARKUP = [
    *b"<table> <td> <!-- --> </ <u< ``` # &#0; <![CDATA[ {{ []( $$ <div %%EOF obj \x00 \xff\xfe \xed\xa0\x80".split(),
    *(b"---\n", b"| a |\n|---|", b"\r", b"\\", b'="'),
]
"""Pieces that mean something to one reader or another."""
MAX_PART_BYTES = 200_000
SLOW_SECONDS = 20.0


class Sample(NamedTuple):
    """A document to be changed."""

    name: str
    format: str
    data: bytes


class Fault(NamedTuple):
    """What went wrong with which bytes."""

    format: str
    reason: str
    data: bytes


def load(paths: Iterable[Path]) -> list[Sample]:
    """Read the documents whose format is known."""
    samples = []
    for path in paths:
        data = path.read_bytes()
        document = crosshead.read(path)
        samples.append(Sample(path.name, document.format, data))
    return samples


def make_samples() -> list[Sample]:
    """Return the documents that the tests make."""
    from tests.formats.samples import SAMPLES as MADE

    return [Sample(f"made.{format}", format, data) for format, data in MADE.items()]


def all_samples() -> list[Sample]:
    """Return documents of every format."""
    return load(sorted(path for each in SAMPLES for path in each.rglob("*") if path.is_file())) + make_samples()


def mutate_sample(sample: Sample, others: Sequence[bytes], rng: random.Random) -> bytes:
    """Change a document; an archive mostly inside of one of its parts."""
    is_archive = sample.data.startswith(b"PK\x03\x04") and rng.random() < 0.9
    return mutate_archive(sample.data, rng) if is_archive else mutate(sample.data, others, rng)


def mutate(data: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    """Change a text or a file in one to six places."""
    for _ in range(rng.randint(1, 6)):
        data = rng.choice(CHANGES)(data, others, rng)
    return data


def mutate_archive(data: bytes, rng: random.Random) -> bytes:
    """Change one part of an archive."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {info.filename: archive.read(info) for info in archive.infolist()}
    name = rng.choice([name for name, part in parts.items() if len(part) <= MAX_PART_BYTES])
    parts[name] = mutate(parts[name], [*parts.values()], rng)
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for each, part in parts.items():
            archive.writestr(each, part)
    return written.getvalue()


def _span(data: bytes, rng: random.Random) -> tuple[int, int]:
    start = rng.randrange(len(data) + 1)
    return start, min(len(data), start + int(rng.expovariate(1 / 40)))


def _replace_byte(data: bytes, _others: Sequence[bytes], rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]


def _remove(data: bytes, _others: Sequence[bytes], rng: random.Random) -> bytes:
    start, end = _span(data, rng)
    return data[:start] + data[end:]


def _double(data: bytes, _others: Sequence[bytes], rng: random.Random) -> bytes:
    start, end = _span(data, rng)
    return data[:end] + data[start:end] * rng.choice((1, 1, 1, 50)) + data[end:]


def _insert_markup(data: bytes, _others: Sequence[bytes], rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice(MARKUP) * rng.choice((1, 1, 1, 30)) + data[at:]


def _splice(data: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    other = rng.choice(others)
    (start, _), (first, last) = _span(data, rng), _span(other, rng)
    return data[:start] + other[first:last] + data[start:]


def _truncate(data: bytes, _others: Sequence[bytes], rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


CHANGES: list[Callable[[bytes, Sequence[bytes], random.Random], bytes]] = [
    _replace_byte, _remove, _double, _insert_markup, _insert_markup, _splice, _truncate,
]  # fmt: skip


def try_document(data: bytes, format: str) -> tuple[str, str]:
    """Return `read`, `refused` or `fault`, and what is wrong."""
    started = time.process_time()
    try:
        _read_members(data, format)
        document = crosshead.read(data, format)
        report = crosshead.check(document, crosshead.chunk(document))
    except CrossheadError as error:
        return "refused", str(error)
    except Exception as error:
        return "fault", f"{type(error).__name__}: {error}"
    if not report.ok:
        return "fault", f"broken guarantee: {report.violations[0].message}"
    seconds = time.process_time() - started
    return ("fault", f"{seconds:.0f} CPU seconds") if seconds > SLOW_SECONDS else ("read", "")


def _read_members(data: bytes, format: str) -> None:
    """Read what is inside of an archive or a message."""
    known = get_format(format)
    for member in known.load_members()(data) if known.members else ():
        with suppress(CrossheadError):
            member.read()


def fuzz(samples: Sequence[Sample], seconds: float, seed: int) -> tuple[Counter[tuple[str, str]], list[Fault]]:
    """Change documents in turn for some time; without a time limit each document is changed 20 times."""
    rng = random.Random(seed)
    others = [sample.data for sample in samples]
    counts: Counter[tuple[str, str]] = Counter()
    faults: dict[tuple[str, str], Fault] = {}
    until, rounds = time.monotonic() + seconds, 0
    while time.monotonic() < until if seconds else rounds < 20:
        rounds += 1
        for sample in samples:
            data = mutate_sample(sample, others, rng)
            outcome, reason = try_document(data, sample.format)
            counts[sample.format, outcome] += 1
            if outcome == "fault":
                faults.setdefault((sample.format, reason[:60]), Fault(sample.format, reason, data))
    return counts, list(faults.values())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="documents to change")
    parser.add_argument("--seconds", type=float, default=120, help="how long; 0 changes each 20 times (default: 120)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--formats", default="", metavar="NAME,...", help="only these")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where to write what went wrong")
    parser.add_argument("--grid", action="store_true", help="measure how the time of hostile texts grows")
    parser.add_argument("--share", type=float, default=0.002, help="of the patterns of the grid (default: 0.002)")
    parser.add_argument("--bytes", default="250000,500000,1000000", metavar="N,...", help="sizes of the grid's texts")
    parser.add_argument("--memory", action="store_true", help="measure the memory of files that are large inside")
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)  # notes about odd documents
    formats = arguments.formats.split(",") if arguments.formats else []
    if arguments.grid:
        from tests.long.grid import run_grid

        sizes = [int(size) for size in arguments.bytes.split(",")]
        return 1 if run_grid(formats, sizes, arguments.share, arguments.seed) else 0
    if arguments.memory:
        from tests.long.memory import run_memory

        return 1 if run_memory(formats) else 0
    samples = load(arguments.files) if arguments.files else all_samples()
    if formats:
        samples = [sample for sample in samples if sample.format in formats]
    counts, faults = fuzz(samples, arguments.seconds, arguments.seed)
    for format in sorted({format for format, _ in counts}):
        told = ", ".join(f"{counts[format, outcome]:,} {outcome}" for outcome in ("read", "refused", "fault"))
        print(f"{format:10} {told}")
    for number, fault in enumerate(faults):
        print(f"{fault.format}: {fault.reason[:200]}")
        if arguments.keep:
            arguments.keep.mkdir(parents=True, exist_ok=True)
            (arguments.keep / f"{number}.{fault.format}").write_bytes(fault.data)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
