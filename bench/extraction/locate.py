"""Measure how exactly a text is found on the pages of its PDF.

usage: python -m bench.extraction.locate [--spans N] [--seed N] [--keep FOLDER] [--worst N]

Chromium prints made-up documents in seven languages, with one and two columns, in which every word is a link.
So the PDF says where each word is drawn, on every page and in every column; nothing else of it is used as truth. The
texts are sentences, headings, items, rows of tables and whole paragraphs; in the small languages many sentences, and in
the tables many numbers, occur more than once.

F1 compares areas: the rectangles that `Index.locate` returns with those of the words, joined along each line.
`ms/page` is CPU time, with opening the file. Ends with exit code 1 if F1 is below .97 or a page takes 100 ms.
"""

from __future__ import annotations

import argparse
import ctypes
import re
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw as raw
from bench.extraction.truth.rendering import BROWSERS, FLAGS, find_program
from bench.extraction.truth.tongues import TONGUES, TongueWriter

from crosshead.formats import locate_on_pages
from crosshead.ids import document_id
from crosshead.pipeline import read
from crosshead.types import Document, StoredDocument

WORDS = {
    "ru": "насос клапан договор склад отчёт расход прибыль аренда датчик проверка весной снижает требует каждый новый",
    "he": "משאבה שסתום חוזה מחסן דוח הוצאה רווח שכירות חיישן בדיקה באביב מפחית דורש כל חדש",
    "ja": "装置 弁 契約 倉庫 報告 費用 利益 賃貸 検査 春 減少 要求 新しい 管理 温度 確認",
}
SCALE = 4
"""Pages are larger than paper, because the positions of links are whole pixels."""
STYLE = """
@page {{size:{width}px {height}px; margin:{margin}px}}
body {{font:{size}px/1.35 'DejaVu Sans','Liberation Sans',sans-serif}}
main {{columns:{columns}; column-gap:{margin}px; column-fill:auto}}
a {{color:inherit;text-decoration:none}} td,th {{padding:{pad}px;border:{line}px solid #444;text-align:left}}
h1 {{font-size:{h1}px}} h2 {{font-size:{h2}px}} table {{border-collapse:collapse;width:100%}}
"""
GOAL_F1, GOAL_MS = 0.97, 100.0


class Rectangle(NamedTuple):
    page: int
    left: float
    top: float
    right: float
    bottom: float

    @property
    def area(self) -> float:
        return max(0.0, self.right - self.left) * max(0.0, self.bottom - self.top)

    def common(self, other: Rectangle) -> float:
        """Return the area that two rectangles share."""
        if self.page != other.page:
            return 0.0
        corners = max(self.left, other.left), max(self.top, other.top)
        return Rectangle(0, *corners, min(self.right, other.right), min(self.bottom, other.bottom)).area

    def around(self, other: Rectangle) -> Rectangle:
        return Rectangle(
            self.page,
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )


class Printed(NamedTuple):
    """A text that was printed."""

    number: int
    kind: str
    words: tuple[str, ...]


class Sheet:
    """Writes one document as HTML, every word as a link."""

    def __init__(self, name: str, language: str, random: Random) -> None:
        self.name = name
        self.language = language
        self.texts: list[Printed] = []
        self._random = random
        self._writer = TongueWriter(name, language) if language in TONGUES else None

    def html(self, columns: int) -> str:
        """Return the whole document."""
        sizes = {"width": 595, "height": 842, "margin": 50, "size": 10, "pad": 2, "line": 0.5, "h1": 20, "h2": 14}
        style = STYLE.format(
            columns=columns if columns > 1 else "auto", **{name: size * SCALE for name, size in sizes.items()}
        )
        body = "".join([self._words("heading", self._phrase(), "h1"), *(self._section() for _ in range(9))])
        direction = "rtl" if self.language == "he" else "ltr"
        head = f"<html lang={self.language} dir={direction}><meta charset=utf-8><style>{style}</style>"
        return f"{head}<main>{body}</main></html>"

    def _section(self) -> str:
        paragraphs = [self._paragraph() for _ in range(self._random.randint(1, 3))]
        items = "".join([self._words("item", self._sentence(), "li") for _ in range(3)])
        parts = [*paragraphs, f"<ul>{items}</ul>", self._table()]
        self._random.shuffle(parts)
        return self._words("heading", self._phrase(), "h2") + "".join(parts)

    def _paragraph(self) -> str:
        count = self._random.randint(3, 7)
        if self._random.random() < 0.3:
            return self._words("paragraph", " ".join([self._sentence() for _ in range(count)]), "p")
        return f"<p>{' '.join([self._words('sentence', self._sentence()) for _ in range(count)])}</p>"

    def _table(self) -> str:
        rows = [self._row("th", [self._phrase() for _ in range(4)])]
        for _ in range(self._random.randint(4, 9)):
            numbers = [self._random.choice((str(self._random.randint(0, 30)), "1,250.00", "17 %")) for _ in range(3)]
            rows.append(self._row("td", [self._phrase(), *numbers]))
        return f"<table>{''.join(rows)}</table>"

    def _row(self, tag: str, cells: Sequence[str]) -> str:
        words = [word for cell in cells for word in self._split(cell)]
        text = Printed(len(self.texts), "row", tuple(words))
        self.texts.append(text)
        linked = iter(self._linked(text))
        parts = ["".join([next(linked) + self._space for _ in self._split(cell)]) for cell in cells]
        return f"<tr>{''.join([f'<{tag}>{part}</{tag}>' for part in parts])}</tr>"

    def _words(self, kind: str, content: str, tag: str = "") -> str:
        text = Printed(len(self.texts), kind, tuple(self._split(content)))
        self.texts.append(text)
        linked = self._space.join(self._linked(text))
        return f"<{tag}>{linked}</{tag}>" if tag else linked

    @property
    def _space(self) -> str:
        return "" if self.language == "ja" else " "

    def _split(self, text: str) -> list[str]:
        return [*text.replace(" ", "")] if self.language == "ja" else text.split()

    def _linked(self, text: Printed) -> list[str]:
        return [
            f'<a href="http://truth.example/{text.number}/{at}">{escape(word)}</a>'
            for at, word in enumerate(text.words)
        ]

    def _sentence(self) -> str:
        if self._writer:
            return self._writer.sentence()
        return f"{' '.join(self._random.choices(WORDS[self.language].split(), k=self._random.randint(5, 14)))}."

    def _phrase(self) -> str:
        if self._writer:
            return self._writer.phrase()
        return " ".join(self._random.sample(WORDS[self.language].split(), 2))


def print_all(folder: Path, seed: int) -> Iterator[tuple[Path, Sheet]]:
    """Print the documents, and yield their files."""
    from playwright.sync_api import sync_playwright

    program = find_program(BROWSERS)
    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=program, args=FLAGS) as browser:
        page = browser.new_page()
        for language in [*TONGUES, *WORDS]:
            for columns in (1, 2):
                name = f"{language}-{columns}"
                sheet = Sheet(name, language, Random(f"{seed} {name}"))
                page.set_content(sheet.html(columns))
                path = folder / f"{name}.pdf"
                page.pdf(path=path, prefer_css_page_size=True)
                yield path, sheet


def true_lines(path: Path, texts: Sequence[Printed]) -> dict[int, list[Rectangle]]:
    """Return the rectangles of each text: those of its words, joined along lines."""
    found: dict[int, dict[int, Rectangle]] = defaultdict(dict)
    with pypdfium2.PdfDocument(path) as document:
        for number, page in enumerate(document, 1):
            height = page.get_height()
            for address, box in _links(document, page):
                text, word = map(int, address.rsplit("/", 2)[1:])
                found[text][word] = Rectangle(number, box.left, height - box.top, box.right, height - box.bottom)
    return {
        text.number: _joined([found[text.number][at] for at in range(len(text.words))])
        for text in texts
        if len(found[text.number]) == len(text.words)  # Chromium leaves out some links
    }


def _links(document: Any, page: Any) -> Iterator[tuple[str, Any]]:
    position, link = ctypes.c_int(0), raw.FPDF_LINK()
    while raw.FPDFLink_Enumerate(page, ctypes.byref(position), ctypes.byref(link)):
        action = raw.FPDFLink_GetAction(link)
        buffer = ctypes.create_string_buffer(raw.FPDFAction_GetURIPath(document, action, None, 0))
        raw.FPDFAction_GetURIPath(document, action, buffer, len(buffer))
        box = raw.FS_RECTF()
        raw.FPDFLink_GetAnnotRect(link, ctypes.byref(box))
        if box.top < box.bottom:
            box.top, box.bottom = box.bottom, box.top
        yield buffer.value.decode(), box


def _joined(words: Sequence[Rectangle]) -> list[Rectangle]:
    lines: list[Rectangle] = []
    for word in words:
        height = word.bottom - word.top
        last = lines[-1] if lines else None
        is_same = last and last.page == word.page and abs(last.top - word.top) < 0.5 * height
        gap = max(last.left, word.left) - min(last.right, word.right) if last else 0.0
        if last and is_same and gap < 0.9 * height:
            lines[-1] = last.around(word)
        else:
            lines.append(word)
    return lines


def offsets(document: Document, texts: Sequence[Printed]) -> dict[int, tuple[int, int]]:
    """Return where texts are in the Markdown; those that occur again are found by the text before them."""
    found: dict[int, tuple[int, int]] = {}
    for before, text in pairwise([Printed(-1, "", ()), *texts]):
        for words in ((), before.words):
            pattern = rf"(?<!\w){_pattern(words)}{_BETWEEN}({_pattern(text.words)})(?!\w)"
            matches = [match.span(1) for match in re.finditer(pattern, document.text)]
            if len(matches) == 1:
                found[text.number] = matches[0]
                break
    return found


_BETWEEN = r"(?:\\|[\s|`*#-])*"


def _pattern(words: Sequence[str]) -> str:
    return _BETWEEN.join([re.escape(each) for each in "".join(words)])


def f1(found: Sequence[Rectangle], truth: Sequence[Rectangle]) -> float:
    """Return the F1 of areas; rectangles of one list hardly overlap."""
    common = sum(one.common(other) for one in found for other in truth)
    areas = sum(each.area for each in found) + sum(each.area for each in truth)
    return 2 * common / areas if areas else 0.0


def is_broken(lines: Sequence[Rectangle]) -> bool:
    """Return whether a text goes on in another column, or on another page."""
    return len({line.page for line in lines}) > 1 or any(line.top < lines[0].top - 20 for line in lines)


class Score(NamedTuple):
    name: str
    kind: str
    f1: float
    share: float
    pages: int
    seconds: float
    text: str


def measure(path: Path, sheet: Sheet, spans: int) -> Iterator[Score]:
    """Locate some texts of a document."""
    data, truth = path.read_bytes(), true_lines(path, sheet.texts)
    document = read(path)
    known = offsets(document, sheet.texts)
    print(f"{path.name}: {len(known)} of {len(sheet.texts)} texts are in the Markdown as printed", file=sys.stderr)
    stored = StoredDocument(
        document_id(path.name), path.name, "pdf", "", document.text, "", "", "", {}, pages=document.pages
    )
    texts = [text for text in sheet.texts if text.number in known and text.number in truth]
    Random(path.name).shuffle(texts)
    texts.sort(key=lambda text: not is_broken(truth[text.number]))  # there are few of those
    for text in texts[:spans]:
        started = time.process_time()
        location = locate_on_pages(data, stored, *known[text.number])
        seconds = time.process_time() - started
        boxes = [
            Rectangle(page.page, box.left, box.top, box.left + box.width, box.top + box.height)
            for page in location.pages
            for box in page.boxes
        ]
        lines = truth[text.number]
        kind = "over a break" if is_broken(lines) else text.kind
        pages = max(1, len(location.pages))
        score = f1(boxes, lines)
        yield Score(path.stem, kind, score, location.share, pages, seconds, " ".join(text.words))


def main() -> int:
    """Print, measure and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spans", type=int, default=30, help="texts for each document")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder for the PDFs")
    parser.add_argument("--worst", type=int, default=0, help="how many of the worst texts to list")
    args = parser.parse_args()
    with TemporaryDirectory() as temporary:
        folder = args.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        scores = [
            score for path, sheet in [*print_all(folder, args.seed)] for score in measure(path, sheet, args.spans)
        ]
    report(scores, args.worst)
    f1_all = mean([each.f1 for each in scores])
    milliseconds = 1000 * sum(each.seconds for each in scores) / sum(each.pages for each in scores)
    return int(f1_all < GOAL_F1 or milliseconds >= GOAL_MS)


def report(scores: Sequence[Score], worst: int) -> None:
    """Print a Markdown table."""
    print("| texts | number | F1 of areas | F1 above .9 | found | ms/page |\n|---|---|---|---|---|---|")
    groups = {kind: [each for each in scores if each.kind == kind] for kind in sorted({each.kind for each in scores})}
    for kind, some in {**groups, "all": scores}.items():
        good = mean([each.f1 > 0.9 for each in some])
        share = mean([each.share for each in some])
        milliseconds = 1000 * sum(each.seconds for each in some) / sum(each.pages for each in some)
        figure = mean([each.f1 for each in some])
        print(f"| {kind} | {len(some)} | {figure:.3f} | {good:.1%} | {share:.1%} | {milliseconds:.0f} |")
    for each in sorted(scores, key=lambda each: each.f1)[:worst]:
        print(f"{each.f1:.2f} {each.share:.2f} {each.name} {each.kind}: {each.text[:110]}")


if __name__ == "__main__":
    sys.exit(main())
