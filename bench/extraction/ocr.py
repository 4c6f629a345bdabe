"""Measure text recognition: real text is printed, turned into pictures, spoiled, and read again.

usage: python -m bench.extraction.ocr [--unseen] [--languages] [--pages N]

The text is the documentation of installed packages, set by reportlab in several fonts and layouts. Crosshead with the
extra `ocr` reads every picture, and so does tesseract if it is installed. Printed are: word accuracy (1 minus the edit
distance of words, divided by the number of true words), rows of tables whose cells all come back in one row, headings,
CPU seconds a page, and how many of the pages with a word accuracy below 0.95 the warning about low confidence names.
--unseen takes the fonts, layouts and degradations that were kept away from tuning. --languages prints sentences with
accents instead, and which letters the model confuses.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import resource
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import distributions
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pypdfium2
from PIL import Image, ImageEnhance, ImageFilter
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph, Spacer, Table

import crosshead
from crosshead.formats.scans.reporting import LOW_CONFIDENCE

FONTS = Path("/usr/share/fonts/truetype")
SEEN = ("liberation/LiberationSerif", "liberation/LiberationSans", "dejavu/DejaVuSans")
UNSEEN = ("dejavu/DejaVuSerif", "liberation/LiberationSansNarrow")
MISREAD = 0.95
"""A page whose word accuracy is lower should be named in a warning."""
MARKUP = re.compile(r"https?:|[`*_\[\]<>|#\\^~={}]|::")
CELLS = re.compile(r"(?<!\\)\|")

SENTENCES = {
    "German": "Größere Straßen überqueren die Füße nicht ohne Mühe; schöne Äpfel kosten drei Euro.",
    "French": "Où êtes-vous allés l'été dernier? Un garçon a reçu ça là-bas, à Noël, avec sa sœur.",
    "Spanish": "El niño pequeño comió piña mañana; ¿qué pasó después? ¡Más rápido, señor Núñez!",
    "Portuguese": "A atenção dos irmãos não é só à lição: três avós também põem pão na mesa.",
    "Swedish": "Åsa köper två påsar kött på en ö långt härifrån.",
    "Polish": "Zażółć gęślą jaźń, a później źródło światła świeci w łódce.",
    "Czech": "Příliš žluťoučký kůň úpěl ďábelské ódy nad řekou.",
    "Hungarian": "Az őrült író fűtött szobában ült, és több hűtőt kért.",
    "Turkish": "Şu çılgın ağaç, güneşli İstanbul'da ıslak kaldı.",
    "Romanian": "Țăranii știu că în pădure cântă păsări și vântul bate.",
    "Greek": "Ο γρήγορος αναγνώστης βρίσκει κάθε σελίδα του βιβλίου.",
    "Russian": "Быстрый читатель находит каждую страницу этой книги.",
}


class Printed(NamedTuple):
    """A page as it was printed."""

    pdf: bytes
    words: list[str]
    rows: list[list[str]]
    headings: list[str]


class Score(NamedTuple):
    accuracy: float
    rows: int
    headings: int
    seconds: float
    confidence: float = 0.0


def paragraphs() -> Iterator[str]:
    """Yield prose from the descriptions of installed packages, the same in every run of one environment."""
    for package in sorted(distributions(), key=lambda each: each.name.lower()):
        for block in (package.metadata.get_payload() or "").split("\n\n"):
            text = " ".join(block.split())
            is_prose = len(text) > 200 and text[:1].isupper() and text.isascii() and not MARKUP.search(text)
            if is_prose and sum(letter.isalpha() or letter == " " for letter in text) > 0.9 * len(text):
                yield text


def set_font(name: str) -> tuple[str, str]:
    """Load a font; return its names, plain and bold."""
    file = FONTS / name
    plain = file.with_name(file.name + ("-Regular.ttf" if "liberation" in name else ".ttf"))
    for title, path in ((file.name, plain), (f"{file.name}-Bold", file.with_name(f"{file.name}-Bold.ttf"))):
        pdfmetrics.registerFont(TTFont(title, str(path)))
    return file.name, f"{file.name}-Bold"


def print_page(layout: str, font: str, size: float, texts: Iterator[str], seed: int) -> Printed:
    """Print a page in one of the layouts."""
    plain, bold = set_font(font)
    body = ParagraphStyle("body", fontName=plain, fontSize=size, leading=1.25 * size, spaceAfter=size)
    head = ParagraphStyle("head", fontName=bold, fontSize=1.5 * size, leading=2 * size, spaceAfter=0.5 * size)
    parts: list[Any] = []
    words: list[str] = []
    headings: list[str] = []
    rows: list[list[str]] = []
    for number in range(1, 3):
        text = " ".join(next(texts).split()[:90])
        heading = f"{number}. {' '.join(text.split()[:4]).strip('.,;:')}"
        parts += [Paragraph(heading, head), Paragraph(text.replace("&", "&amp;"), body)]
        words += [*heading.split(), *text.split()]
        headings.append(heading)
    if layout.endswith("table"):
        rows = make_rows(seed)
        parts += [Spacer(1, size), set_table(rows, layout, plain, bold, size)]
        words += [word for row in rows for cell in row for word in cell.split()]
    return Printed(build(parts, columns=2 if layout == "columns" else 1), words, rows, headings)


def make_rows(seed: int) -> list[list[str]]:
    """Make a table of figures, with single digits and with cells of several words."""
    random = np.random.default_rng(seed)
    labels = ("Revenue", "Cost of sales", "Gross profit", "Research and development", "Tax", "Employees", "Net income")
    years = [str(2024 - seed % 7 - index) for index in range(3)]
    top = float(10 ** random.integers(1, 5))
    figures = [
        [f"{value:,.1f}" if value >= 10 else f"{int(value)}" for value in random.random(3) * top] for _ in labels
    ]
    return [["Item", *years], *[[label, *each] for label, each in zip(labels, figures, strict=True)]]


def set_table(rows: Sequence[Sequence[str]], layout: str, plain: str, bold: str, size: float) -> Table:
    style: list[Any] = [("FONT", (0, 0), (-1, -1), plain, size), ("ALIGN", (1, 0), (-1, -1), "RIGHT")]
    if layout == "ruled table":
        style.append(("GRID", (0, 0), (-1, -1), 0.5, colors.black))
    elif layout == "shaded table":
        style += [("BACKGROUND", (0, row), (-1, row), colors.lightgrey) for row in range(1, len(rows), 2)]
    style += [("FONT", (0, 0), (-1, 0), bold, size), ("LINEBELOW", (0, 0), (-1, 0), 0.7, colors.black)]
    return Table([list(row) for row in rows], colWidths=[180, 80, 80, 80], style=style)


def build(parts: list[Any], columns: int) -> bytes:
    file = io.BytesIO()
    document = BaseDocTemplate(file, pagesize=A4)
    width = (document.width - 20 * (columns - 1)) / columns
    height = document.height * (0.45 if columns > 1 else 1)
    frames = [
        Frame(
            document.leftMargin + index * (width + 20), document.bottomMargin + document.height - height, width, height
        )
        for index in range(columns)
    ]
    document.addPageTemplates([PageTemplate("page", frames)])
    document.build(parts)
    return file.getvalue()


def draw(pdf: bytes, dpi: int) -> Image.Image:
    document = pypdfium2.PdfDocument(pdf)
    assert len(document) == 1, "the text does not fit on one page"
    picture: Image.Image = document[0].render(scale=dpi / 72, grayscale=True).to_pil()
    document.close()
    return picture


def spoil_by_jpeg(picture: Image.Image) -> Image.Image:
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=40)
    return Image.open(file)


def spoil_by_noise(picture: Image.Image) -> Image.Image:
    pixels = np.asarray(picture, np.float32)
    noise = np.random.default_rng(7).normal(0, 30, pixels.shape)
    return Image.fromarray(np.clip(pixels + noise, 0, 255).astype(np.uint8))


def skew(degrees: float) -> Callable[[Image.Image], Image.Image]:
    return lambda picture: picture.rotate(degrees, Image.Resampling.BICUBIC, fillcolor=255)


def blur(radius: float) -> Callable[[Image.Image], Image.Image]:
    return lambda picture: picture.filter(ImageFilter.GaussianBlur(radius))


def fade(picture: Image.Image) -> Image.Image:
    return ImageEnhance.Brightness(ImageEnhance.Contrast(picture).enhance(0.3)).enhance(0.9)


def copy_badly(picture: Image.Image) -> Image.Image:
    return spoil_by_jpeg(blur(1.0)(skew(-1.3)(picture)))


Condition = tuple[str, int, Callable[[Image.Image], Image.Image]]
CONDITIONS: tuple[Condition, ...] = (
    ("clean, 150 dpi", 150, lambda picture: picture),
    ("clean, 200 dpi", 200, lambda picture: picture),
    ("clean, 300 dpi", 300, lambda picture: picture),
    ("blur, 200 dpi", 200, blur(1.5)),
    ("strong blur, 200 dpi", 200, blur(2.0)),
    ("skew 1 degree, 200 dpi", 200, skew(1.0)),
    ("JPEG 40, 150 dpi", 150, spoil_by_jpeg),
    ("low contrast, 200 dpi", 200, fade),
)
UNSEEN_CONDITIONS: tuple[Condition, ...] = (
    ("clean, 200 dpi", 200, lambda picture: picture),
    ("skew 2 degrees, 200 dpi", 200, skew(-2.0)),
    ("noise, 200 dpi", 200, spoil_by_noise),
    ("skew, blur and JPEG 40, 200 dpi", 200, copy_badly),
)


def plain_words(text: str) -> list[str]:
    """Return the words of Markdown without its signs."""
    text = re.sub(r"^\|[ :|-]+\|$|^#+ |^ {0,3}(?:[-*]|>) ", "", text, flags=re.M)
    text = re.sub(r"\\([^\w\s])", r"\1", text.replace("|", " ").replace("**", ""))
    return text.translate(str.maketrans("‘’“”", "''\"\"")).split()


def accuracy(true: Sequence[str], read: Sequence[str]) -> float:
    """Return 1 minus the edit distance, divided by the number of true words."""
    before = list(range(len(read) + 1))
    for number, word in enumerate(true, 1):
        row = [number]
        for index, other in enumerate(read, 1):
            row.append(min(row[-1] + 1, before[index] + 1, before[index - 1] + (word != other)))
        before = row
    return max(0.0, 1 - before[-1] / len(true))


def score_crosshead(page: Printed, picture: bytes) -> Score:
    start = time.process_time()
    document = crosshead.read(picture, source="page.png")
    seconds = time.process_time() - start
    lines = document.text.split("\n")
    cells = [[cell.strip() for cell in CELLS.split(line)[1:-1]] for line in lines if line.startswith("|")]
    headings = {" ".join(plain_words(line)) for line in lines if line.startswith("#")}
    kept = sum(row in cells for row in page.rows)
    return Score(
        accuracy(page.words, plain_words(document.text)),
        kept,
        sum(each in headings for each in page.headings),
        seconds,
        document.recognized[0][1],
    )


def score_tesseract(page: Printed, picture: bytes, dpi: int) -> Score:
    start = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = run_tesseract(picture, dpi)
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    lines = [line.split() for line in text.split("\n")]
    kept = sum([word for cell in row for word in cell.split()] in lines for row in page.rows)
    seconds = end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime
    return Score(accuracy(page.words, plain_words(text)), kept, 0, seconds)


def run_tesseract(picture: bytes, dpi: int) -> str:
    command = ["tesseract", "-", "-", "--dpi", str(dpi)]
    one_thread = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    return subprocess.run(command, input=picture, capture_output=True, check=True, env=one_thread).stdout.decode()


def to_png(picture: Image.Image) -> bytes:
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


def measure(*, unseen: bool, pages: int) -> None:
    fonts, conditions = (UNSEEN, UNSEEN_CONDITIONS) if unseen else (SEEN, CONDITIONS)
    layouts = ("shaded table", "columns") if unseen else ("ruled table", "columns", "open table")
    texts = paragraphs()
    crosshead.read(to_png(draw(print_page("prose", fonts[0], 10, texts, 0).pdf, 100)), source="first.png")
    has_peer = bool(shutil.which("tesseract"))
    print("| condition | words | accuracy | tesseract | rows of tables | tesseract, in a line | headings | confidence "
          "| CPU s a page | tesseract |\n" + "|---" * 10 + "|")  # fmt: skip
    total: list[tuple[bool, Printed, Score, Score]] = []
    for kind, (name, dpi, spoil) in enumerate(conditions):
        found: list[tuple[bool, Printed, Score, Score]] = []
        for number in range(pages):
            turn = kind + number
            layout, font, size = (
                layouts[turn % len(layouts)],
                fonts[(turn + turn // 3) % len(fonts)],
                (9, 10, 11)[number % 3],
            )
            page = print_page(layout, font, size, texts, 31 * kind + number)
            picture = to_png(spoil(draw(page.pdf, dpi)))
            own = score_crosshead(page, picture)
            peer = score_tesseract(page, picture, dpi) if has_peer else Score(0, 0, 0, 0)
            found.append((name.startswith("clean"), page, own, peer))
        print(line(name, found), flush=True)
        total += found
    print(line("all clean", [each for each in total if each[0]]))
    print(line("all degraded", [each for each in total if not each[0]]), end="\n\n")
    for threshold in (0.9, LOW_CONFIDENCE):
        print(warn_line([own for _, _, own, _ in total], threshold))


def warn_line(scores: Sequence[Score], threshold: float) -> str:
    """Say how well a confidence below the threshold tells pages that are misread."""
    bad = [score for score in scores if score.accuracy < MISREAD]
    named = [score for score in scores if score.confidence < threshold]
    right = sum(score.accuracy < MISREAD for score in named)
    return (
        f"confidence below {threshold}: {len(named)} of {len(scores)} pages, {right} of them among the {len(bad)} "
        f"with a word accuracy below {MISREAD}"
    )


def line(name: str, found: Sequence[tuple[bool, Printed, Score, Score]]) -> str:
    words = sum(len(page.words) for _, page, _, _ in found)
    rows = sum(len(page.rows) for _, page, _, _ in found)
    headings = sum(len(page.headings) for _, page, _, _ in found)

    def mean(index: int) -> float:
        return sum(each[index].accuracy * len(each[1].words) for each in found) / words  # type: ignore[attr-defined]

    own, peer = [each[2] for each in found], [each[3] for each in found]
    return (
        f"| {name} | {words} | {mean(2):.3f} | {mean(3):.3f} | {sum(s.rows for s in own)} of {rows} "
        f"| {sum(s.rows for s in peer)} | {sum(s.headings for s in own)} of {headings} "
        f"| {sum(s.confidence for s in own) / len(own):.3f} "
        f"| {sum(s.seconds for s in own) / len(own):.1f} | {sum(s.seconds for s in peer) / len(peer):.1f} |"
    )


def measure_languages() -> None:
    plain, _ = set_font("dejavu/DejaVuSans")
    style = ParagraphStyle("body", fontName=plain, fontSize=11, leading=15)
    print("| language | word accuracy | as read |\n|---|---|---|")
    for language, sentence in SENTENCES.items():
        picture = to_png(draw(build([Paragraph(sentence, style)] * 2, columns=1), 200))
        text = " ".join(plain_words(crosshead.read(picture, source="page.png").text))
        print(
            f"| {language} | {accuracy([*sentence.split()] * 2, text.split()):.2f} | {text[: len(sentence)]} |",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--unseen", action="store_true")
    parser.add_argument("--languages", action="store_true")
    parser.add_argument("--pages", type=int, default=3, help="pages for every condition")
    options = parser.parse_args()
    if options.languages:
        measure_languages()
    else:
        measure(unseen=options.unseen, pages=options.pages)


if __name__ == "__main__":
    main()
