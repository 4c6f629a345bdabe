"""Which words of documents does Crosshead lose, against another reader of the same format?

    python -m bench.extraction.lost_words FOLDER...

Every HTML, DOCX, EML and PDF file below the folders is read twice: by Crosshead, with all of a page kept
(`main_content="off"`), and by a plain reader of every visible text: html5lib for HTML, every text node for DOCX, the
standard library for mail, the text layer of pdfium for PDF. A word that the other reader has more often is lost. Files
that lose words are listed, the worst first, each with some of the words. Words in which only punctuation differs are
the same, and signs of Chinese, Japanese and Korean are words of one sign each.
"""

from __future__ import annotations

import argparse
import email
import email.policy
import io
import logging
import re
import sys
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from multiprocessing import Pool
from pathlib import Path
from typing import Any, Final, NamedTuple

from crosshead import ExtractOptions, extract
from crosshead.errors import CrossheadError
from crosshead.formats.registry import choose_format

WORD: Final = re.compile(r"[\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff]|[^\W_]+?(?=[\u2e80-\u9fff\uac00-\ud7ff]|[\W_]|\Z)")
LINK_TARGET: Final = re.compile(r"\]\([^()]*(?:\([^()]*\)[^()]*)*\)")
INVISIBLE: Final = frozenset((
    "head", "script", "style", "template", "noscript", "svg", "math", "select", "datalist", "button", "iframe",
    "object", "embed", "applet", "textarea", "canvas", "audio", "video", "noframes", "frameset", "title",
))  # fmt: skip
INLINE: Final = frozenset((
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd",
    "label", "mark", "nobr", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "var",
    "wbr",
))  # fmt: skip
SEAM: Final = "\0"
"""Where markup begins or ends inside of a line: other readers differ on whether a word ends there."""
HIDES: Final = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.I)
OFFICE_TEXT: Final = re.compile(r"\{[^}]*(?:wordprocessingml|/math|drawingml)[^}]*\}t\Z")
FORMATS: Final = {".html": "html", ".htm": "html", ".xhtml": "html", ".docx": "docx", ".eml": "email", ".pdf": "pdf"}


class Result(NamedTuple):
    """One document."""

    path: str
    words: int = 0
    lost: Mapping[str, int] = {}
    error: str = ""

    @property
    def share(self) -> float:
        """Of the words that were lost."""
        return sum(self.lost.values()) / max(1, self.words)


def main() -> None:
    """Compare, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--show", type=int, default=20, help="how many documents to list")
    parser.add_argument("--least", type=float, default=0.01, help="share of the words from which a document is listed")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    paths = [path for folder in given.folders for path in files(folder)]
    with Pool(given.processes) as pool:
        results = list(pool.imap_unordered(compare, map(str, paths), chunksize=4))
    report(results, show=given.show, least=given.least)


def files(folder: Path) -> Iterator[Path]:
    """Yield the documents below a folder."""
    every = sorted(folder.rglob("*")) if folder.is_dir() else [folder]
    return (path for path in every if path.suffix.lower() in FORMATS and path.is_file())


def compare(path: str) -> Result:
    """Read a document twice."""
    logging.disable()
    sys.setrecursionlimit(20_000)
    data = Path(path).read_bytes()
    try:
        format = choose_format(path, data).format
        if format not in READERS:
            return Result(path)
        ours = extract(data, format, ExtractOptions(main_content="off"))
    except CrossheadError as error:
        return Result(path, error=str(error))
    try:
        theirs = READERS[format](data)
    except Exception as error:  # another reader's fault is not what is measured
        return Result(path, error=f"the other reader fails: {type(error).__name__}")
    found = count(LINK_TARGET.sub("]", ours))
    words = count(theirs.replace(SEAM, ""))
    return Result(path, words.total(), (words - found) & (count(theirs.replace(SEAM, " ")) - found))


def count(text: str) -> Counter[str]:
    """Return the words of a text."""
    return Counter(WORD.findall(unicodedata.normalize("NFKC", text.replace("\xad", "").replace("\\", "")).casefold()))


def html_text(data: bytes) -> str:
    """Return the visible text of a page."""
    import html5lib

    from crosshead.formats.markup.html.charset import decode_html

    tree = html5lib.parse(decode_html(data, []), treebuilder="etree", namespaceHTMLElements=False)
    return "".join(_visible(tree))


def _visible(element: Any) -> Iterator[str]:
    """Yield the texts of an element and of what follows it."""
    name = element.tag if isinstance(element.tag, str) else ""
    name = name.rpartition("}")[2]
    if name and name not in INVISIBLE and not _is_hidden(element, name):
        space = SEAM if name in INLINE else " "
        yield space
        yield element.text or ""
        if name == "img":
            yield f" {element.get('alt', '')} "
        for child in element:
            yield from _visible(child)
        yield space
    yield element.tail or ""


def _is_hidden(element: Any, name: str) -> bool:
    if name in ("html", "body", "main"):
        return False
    return "hidden" in element.attrib or HIDES.search(element.get("style", "")) is not None


def docx_text(data: bytes) -> str:
    """Return every text of the main part and its notes, once."""
    from lxml import etree

    found = []
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            if re.fullmatch(r"word/(?:document\d*|footnotes|endnotes)\.xml", name):
                found.extend(_office_texts(etree.fromstring(archive.read(name))))
    return "".join(found)


def _office_texts(root: Any) -> Iterator[str]:
    for element in root.iter():
        name = str(element.tag).rpartition("}")[2]
        if OFFICE_TEXT.match(str(element.tag)) and name == "t":
            if not any(
                str(above.tag).endswith(("}Fallback", "}del", "}moveFrom")) for above in element.iterancestors()
            ):
                yield element.text or ""
        elif name in ("p", "tab", "br", "cr"):
            yield " "


def email_text(data: bytes) -> str:
    """Return what a message says about itself, and its bodies: the plain ones, or else the pages."""
    message = email.message_from_bytes(data, policy=email.policy.default)
    shown = [str(message.get(name, "")) for name in ("subject", "from", "to", "cc")]
    body = message.get_body(("plain", "html"))  # type: ignore[attr-defined]
    if body is not None:
        content = body.get_content()
        shown.append(html_text(content.encode()) if body.get_content_type() == "text/html" else content)
    return "\n".join(shown)


def pdf_text(data: bytes) -> str:
    """Return the text layer; words that are broken at a line's end are joined."""
    import pypdfium2

    document = pypdfium2.PdfDocument(data)
    text = "\n".join(page.get_textpage().get_text_range() for page in document)
    return re.sub(r"(?:\ufffe|\x02|-)\r?\n", "", text)


READERS: Final[Mapping[str, Callable[[bytes], str]]] = {
    "html": html_text,
    "docx": docx_text,
    "email": email_text,
    "pdf": pdf_text,
}


def report(results: Iterable[Result], *, show: int, least: float) -> None:
    """Print how many documents lose words, and the worst of them."""
    every = list(results)
    read = [each for each in every if not each.error]
    failed = [each for each in every if each.error]
    losing = sorted((each for each in read if each.share >= least), key=lambda each: -each.share)
    words, lost = sum(each.words for each in read), sum(sum(each.lost.values()) for each in read)
    print(f"{len(every):,} documents, {len(failed):,} not compared; {lost:,} of {words:,} words lost")
    for share in (0.001, 0.01, 0.05, 0.2, 0.5):
        print(f"  documents that lose more than {share:.1%} of their words: {sum(e.share > share for e in read):,}")
    for each in losing[:show]:
        most = " ".join(f"{word}*{times}" if times > 1 else word for word, times in [*each.lost.items()][:20])
        print(f"\n{each.share:.1%} of {each.words:,}: {each.path}\n    {most}")
    for each in failed[:show]:
        print(f"\nnot compared: {each.path}\n    {each.error}")


if __name__ == "__main__":
    main()
