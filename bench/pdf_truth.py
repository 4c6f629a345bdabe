"""Measure PDF extraction on documents of known truth.

usage: python bench/pdf_truth.py FOLDER [--seed N] [--only NAME] [--each] [--keep] [--markdown FOLDER] [--peer NAME]

Writes statements, reports, invoices, forms, letters, papers and manuals in several looks as PDFs into the folder,
printed by Chromium and exported by LibreOffice, with their truth as JSON beside them. Reads them again and prints a
Markdown table: how much of the truth was kept, by kind of document. What the columns count is told in
truth/scoring.py; `ms/page` is CPU time. With --keep, PDFs that are there already are not made again.
Ends with exit code 1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import pypdfium2

import crosshead
from truth.plan import plan
from truth.rendering import BROWSERS, OFFICES, find_program, render
from truth.scoring import FIGURES, Score, missed, score, total

Extract = Callable[[Path], str]


class Result(NamedTuple):
    name: str
    kind: str
    score: Score
    pages: int
    seconds: float


def make(folder: Path, seed: int, *, keep: bool) -> None:
    """Write the PDFs that can be made here."""
    programs = {"chromium": find_program(BROWSERS), "libreoffice": find_program(OFFICES)}
    for name, program in programs.items():
        if not program:
            print(f"not installed: {name}; its documents are left out", file=sys.stderr)
    planned = [each for each in plan(seed) if programs[each.look.renderer]]
    render([each for each in planned if not (keep and (folder / f"{each.name}.pdf").exists())], folder)


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
        yield Result(path.stem, truth["kind"], score(truth, text), pages, seconds)


def extractor(peer: str) -> Extract:
    """Return Crosshead, or the peer of this name."""
    if peer == "pymupdf4llm":
        from pymupdf4llm import to_markdown

        return lambda path: str(to_markdown(str(path), show_progress=False))
    return lambda path: crosshead.extract(path.read_bytes(), "pdf")


def print_table(groups: Mapping[str, list[Result]]) -> None:
    """One row for every group of documents."""
    print(f"| documents | n | pages | {' | '.join(FIGURES)} | ms/page |\n|---|{'---|' * (len(FIGURES) + 3)}")
    for name, results in groups.items():
        summed = total(result.score for result in results)
        pages = sum(result.pages for result in results)
        figures = [f"{summed[key].kept / summed[key].total:.1%}" if summed[key].total else "" for key in FIGURES]
        speed = 1000 * sum(result.seconds for result in results) / pages
        print(f"| {name} | {len(results)} | {pages} | {' | '.join(figures)} | {speed:.1f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", metavar="NAME", help="documents whose name begins so")
    parser.add_argument("--each", action="store_true", help="a row for every document")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--markdown", type=Path, metavar="FOLDER", help="write what was extracted there")
    parser.add_argument("--peer", choices=["pymupdf4llm"], default="")
    given = parser.parse_args()
    logging.disable(logging.WARNING)
    make(given.folder, given.seed, keep=given.keep)
    extract = extractor(given.peer)
    for path in list(given.folder.glob(f"{given.only}*.pdf"))[:1]:
        extract(path)  # what is loaded once is not counted
    results = list(measure(given.folder, extract, given.only, given.markdown))
    groups: defaultdict[str, list[Result]] = defaultdict(list)
    for result in results:
        groups[result.name if given.each else result.kind].append(result)
    print_table({**dict(sorted(groups.items())), "all": results})
    found = missed(result.score for result in results)
    print("\n" + "\n".join([f"missed goal: {each}" for each in found] or ["every goal is met"]))
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
