"""Measure PDF extraction on documents of known truth.

usage: python -m bench.extraction.pdf_truth FOLDER [--part tune|held-out] [--again] [--seed N] [--only NAME] [--by WHAT]
                                 [--figures NAME ...] [--markdown FOLDER] [--peers]

Scores every PDF of the folder that has its truth as JSON beside it, and prints a Markdown table: how much of the truth
was kept, by layout. What the figures count is described in truth/scoring.py; `ms/page` is CPU time.

Documents are printed into the folder first if it is empty (or with --again): statements, reports, invoices, forms,
letters, papers and manuals in many layouts, by every renderer that is installed (truth/rendering.py). A third of
layouts and renderers is held out: `--part held-out` prints those, to be looked at when tuning is over.

Ends with exit code 1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pypdfium2
from bench.extraction.truth.plan import plan
from bench.extraction.truth.rendering import has_module, render
from bench.extraction.truth.scoring import FIGURES, missed, score
from bench.extraction.truth.share import Score, total

import crosshead

Extract = Callable[[Path], str]
MAIN = (
    "rows", "labels", "below", "alone", "wordless", "one piece", "teds", "teds shape", "true", "neighbors",
    "mhs", "mhs shape", "f1", "furniture", "nid", "numbers", "order",
)  # fmt: skip


class Result(NamedTuple):
    name: str
    layout: str
    renderer: str
    kind: str
    score: Score
    pages: int
    seconds: float


def measure(folder: Path, extract: Extract, only: str, markdown: Path | None) -> Iterable[Result]:
    """Extract every PDF of the folder and compare it with its truth."""
    for path in sorted(folder.glob(f"{only}*.pdf")):
        truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        with pypdfium2.PdfDocument(path) as document:
            pages = len(document)
        started = time.process_time()
        text = extract(path)
        seconds = time.process_time() - started
        if markdown:
            markdown.mkdir(parents=True, exist_ok=True)
            (markdown / f"{path.stem}.md").write_text(text, encoding="utf-8")
        names = (truth["layout"], truth["renderer"], truth["kind"])
        yield Result(path.stem, *names, score(truth, text), pages, seconds)


def extractors(*, peers: bool) -> dict[str, Extract]:
    """Return Crosshead and, if they are wanted, the peers that are installed."""
    found: dict[str, Extract] = {"crosshead": lambda path: crosshead.extract(path.read_bytes(), "pdf")}
    if peers and has_module("pymupdf4llm"):
        from pymupdf4llm import to_markdown

        found["pymupdf4llm"] = lambda path: str(to_markdown(str(path), show_progress=False))
    if peers and has_module("markitdown"):
        from markitdown import MarkItDown

        converter = MarkItDown()
        found["markitdown"] = lambda path: converter.convert(str(path)).text_content
    return found


def print_table(groups: Mapping[str, Sequence[Result]], figures: Sequence[str]) -> None:
    """One row for every group of documents."""
    print(f"| documents | n | pages | {' | '.join(figures)} | ms/page |\n|---|{'---|' * (len(figures) + 3)}")
    for name, results in groups.items():
        summed = total(result.score for result in results)
        pages = sum(result.pages for result in results)
        shares = [f"{100 * summed[key].value:.1f}" if summed[key].total else "" for key in figures]
        speed = 1000 * sum(result.seconds for result in results) / pages
        print(f"| {name} | {len(results)} | {pages} | {' | '.join(shares)} | {speed:.1f} |")


def grouped(results: Sequence[Result], by: str) -> dict[str, Sequence[Result]]:
    groups: defaultdict[str, list[Result]] = defaultdict(list)
    for result in results:
        groups[getattr(result, by)].append(result)
    return {**dict(sorted(groups.items())), "all": results}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--part", choices=["tune", "held-out"], default="tune", help="what is printed")
    parser.add_argument("--again", action="store_true", help="print the documents again")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", metavar="NAME", help="documents whose name begins so")
    parser.add_argument("--by", choices=["layout", "renderer", "kind", "name"], default="layout", help="rows")
    parser.add_argument("--figures", nargs="+", choices=[*FIGURES, "all"], default=MAIN, metavar="NAME", help="columns")
    parser.add_argument("--markdown", type=Path, metavar="FOLDER", help="write what was extracted there")
    parser.add_argument("--peers", action="store_true", help="a table for each other converter that is installed")
    given = parser.parse_args()
    logging.disable(logging.WARNING)
    if given.again or not any(given.folder.glob("*.pdf")):
        for name in render(plan(given.seed, given.part), given.folder):
            print(f"not installed: {name}; its documents are left out", file=sys.stderr)
    figures = FIGURES if "all" in given.figures else given.figures
    ours: list[Result] = []
    for name, extract in extractors(peers=given.peers).items():
        for path in list(given.folder.glob(f"{given.only}*.pdf"))[:1]:
            extract(path)  # what is loaded once is not counted
        markdown = given.markdown / name if given.markdown and given.peers else given.markdown
        results = list(measure(given.folder, extract, given.only, markdown))
        ours = ours or results
        print(f"\n{name}\n" if given.peers else "")
        print_table(grouped(results, given.by), figures)
    found = missed(result.score for result in ours)
    print("\n" + "\n".join([f"missed goal: {each}" for each in found] or ["every goal is met"]))
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
