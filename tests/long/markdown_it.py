"""Compare Crosshead's blocks with markdown-it-py over many documents.

usage: python -m tests.long.markdown_it [--show N] [--only LABEL] [--no-spec] [FOLDER ...]

Reads every document below the folders (default: the corpus; .mdx is read as plain Markdown) and the examples of the
CommonMark specification, prints how many differ and in what, and shows N samples (with --only of one class).
Exit code 1 if anything differs. What is compared: tests/support/markdown_oracle.py.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from bench.lib import corpus
from tests.support.markdown_oracle import Comparison, Difference, compare

SPEC = corpus.CORPUS / "markdown-it-py" / "tests" / "test_cmark_spec" / "spec.md"
"""CommonMark 0.31.2, which the archive of markdown-it-py carries."""
EXAMPLE = re.compile(r"^`{32} example[^\n]*\n(.*?)^\.\n.*?^`{32}$", re.DOTALL | re.MULTILINE)
CONTEXT_LINES = 6


class Source(NamedTuple):
    name: str
    text: str


def spec_examples() -> Iterator[Source]:
    """The inputs of the specification's examples; none if the corpus is not there."""
    text = SPEC.read_text("utf-8") if SPEC.is_file() else ""
    for number, match in enumerate(EXAMPLE.finditer(text), 1):
        yield Source(f"spec#{number}", match[1].replace("→", "\t"))


def files(folders: Iterable[Path]) -> Iterator[Source]:
    for path in corpus.documents(folders):
        yield Source(corpus.short_name(path), corpus.read_text(path))


def compare_all(title: str, sources: list[Source], *, show: int, only: str | None) -> int:
    """Print the result for one set of documents; the number of documents that differ."""
    labels: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    differing = shown = 0
    with ProcessPoolExecutor() as pool:
        results = pool.map(_compare, sources, chunksize=16)
        for source, result in zip(sources, results, strict=True):
            counts += result.counts
            labels.update(each.label for each in result.differences)
            differing += bool(result.differences)
            samples = [each for each in result.differences if only is None or only == each.label]
            if samples and shown < show:
                shown += 1
                _print_sample(source, samples[0], len(result.differences))
    kinds = ", ".join(f"{kind} {number:,}" for kind, number in counts.most_common())
    print(f"{title}: {len(sources):,} documents, {differing:,} differ, {sum(labels.values()):,} differences")
    print(f"  ours: {kinds}")
    for label, number in labels.most_common():
        print(f"  {number:6,}  {label}")
    return differing


def _compare(source: Source) -> Comparison:
    try:
        return compare(source.text)
    except Exception as error:  # a crash on one document must not end the run
        return Comparison([Difference(0, f"{type(error).__name__}", f"{error}")], Counter())


def _print_sample(source: Source, difference: Difference, total: int) -> None:
    print(f"{source.name}: {difference}" + (f" (and {total - 1} more)" if total > 1 else ""))
    lines = source.text.split("\n")
    first = max(difference.line - 2, 0)
    for number, line in enumerate(lines[first : first + CONTEXT_LINES], first + 1):
        print(f"  {number:5} {line[:110]!r}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--show", type=int, default=5, metavar="N", help="samples to show (default: 5)")
    parser.add_argument("--only", metavar="LABEL", help="show only samples of this class of difference")
    parser.add_argument("--no-spec", action="store_true", help="leave out the examples of the specification")
    arguments = parser.parse_args()

    chosen = {"show": arguments.show, "only": arguments.only}
    differing = 0 if arguments.no_spec else compare_all("CommonMark examples", list(spec_examples()), **chosen)
    sources = list(files(arguments.folders or corpus.corpus_folders()))
    differing += compare_all("documents", sources, **chosen)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
