"""Documents of many small sections, and a reader that opens what a citation names.

Every section has words of its own, so that a query can mean it; a chunk holds several of them.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.formats.pdf.building import Sheet, build

TOPICS = ("Anchor", "Bridge", "Candle", "Dagger", "Engine", "Feather", "Garden", "Hammer", "Island", "Jacket")
PARTS = ("Setup", "Use", "Repair")
METADATA = {"team": "infra", "draft": True, "level": 3}
QUERIES = (
    *(f"{topic} {name}" for topic, name in zip(TOPICS, PARTS * 3, strict=False)),
    *(f"how does the {topic.lower()} behave in winter" for topic in TOPICS[::2]),
    *(f"{name.lower()}{topic.lower()}" for topic in TOPICS[3:5] for name in PARTS),
    "Hammer", "the first step", "Feather 3", "table of prices", "More", "-engine winter", '"in winter"',
)  # fmt: skip
_WORD = re.compile(r"[^\W_]+")
_LINES = re.compile(r"(?P<file>.+):(?P<first>\d+)(?:-(?P<last>\d+))?")
_PAGES = re.compile(r"(?P<file>.+?) p\. (?P<first>\d+)(?:-(?P<last>\d+))?(?: \((?P<path>.+)\))?")
_SECTION = re.compile(r"(?P<file>\S+?)(?: \((?P<path>.+)\))?")


class Quote(NamedTuple):
    """What a door says about a text: where it is, and what it is."""

    citation: str
    content: str
    section_id: str
    path: tuple[str, ...]
    source: str = ""
    start_line: int = 0
    end_line: int = 0
    pages: tuple[int, int] | None = None


class Cited(NamedTuple):
    """A citation, taken apart."""

    file: str
    lines: tuple[int, int] | None = None
    pages: tuple[int, int] | None = None
    path: str | None = None


def read_citation(citation: str) -> Cited:
    """Take a citation apart."""
    for pattern in (_LINES, _PAGES, _SECTION):
        if match := pattern.fullmatch(citation):
            named = match.groupdict()
            span = (int(named["first"]), int(named.get("last") or named["first"])) if "first" in named else None
            lines, pages = (span, None) if pattern is _LINES else (None, span)
            return Cited(named["file"], lines, pages, named.get("path"))
    raise AssertionError(f"{citation!r} is no citation")


def sentence(topic: str, part: str) -> str:
    """Return what a section says, with a word that no other section has."""
    return f"The {topic.lower()} needs care in winter: {part.lower()}{topic.lower()} is the first step."


def page_words(pages: tuple[int, int]) -> set[str]:
    """Return the words that were drawn on pages of the report, one topic on each."""
    topics = TOPICS[pages[0] - 1 : pages[1]]
    return words(" ".join(text for topic in topics for text in (*_page(topic), *(part(topic, each) for each in PARTS))))


def check_quote(root: Path, quote: Quote, *, is_passage: bool = False) -> None:
    """Open what a citation names: it must be the text, no more and no less."""
    cited = read_citation(quote.citation)
    assert cited.file == quote.source or cited.file.startswith("parts/")
    if cited.pages:
        assert cited.pages == quote.pages
        assert words(quote.content) <= page_words(cited.pages)
        assert words(quote.path[-1]) <= words(quote.content)
    elif cited.lines:
        first, last = cited.lines
        text = "\n".join((root / cited.file).read_text().split("\n")[first - 1 : last])
        _check_lines(cited, text, quote, is_passage=is_passage)
    if cited.path is not None:
        assert cited.path == " > ".join(quote.path)


def _check_lines(cited: Cited, text: str, quote: Quote, *, is_passage: bool) -> None:
    suffix = Path(cited.file).suffix
    if suffix == ".md":
        assert cited.lines == (quote.start_line, quote.end_line)
        if is_passage and quote.content != text:  # with its heading, or the head of its table, in front
            text = quote.content[: len(quote.content) - len(text)] + text
            heading = f"{'#' * len(quote.path)} {quote.path[-1]}\n\n"
            assert text.startswith((heading, "|"))
        assert quote.content == text
    elif suffix == ".csv":
        cells = {cell for row in csv.reader(text.split("\n")) for cell in row}
        rows = [line for line in quote.content.split("\n") if not re.fullmatch(r"[|\s:-]*|#.*", line)]
        shown = {cell.strip() for line in rows for cell in line.strip("| ").split("|")}
        assert cells <= shown
        assert shown <= cells | {"name", "price", "note"}
    else:
        of_file = words("\n".join(line for line in text.split("\n") if not line.startswith("include::")))
        if "about this manual" in quote.content.casefold() and "more of it" in quote.content.casefold():
            assert of_file <= words(quote.content)  # of several files, the one with most lines is cited
        else:
            assert of_file == words(quote.content)


def words(text: str) -> set[str]:
    """Return the words of a text without marks of any format."""
    return set(map(str.casefold, _WORD.findall(text)))


# ---------------------------------------------------------------------- documents


def write_documents(root: Path) -> None:
    """Write documents of many formats below a folder."""
    (root / "parts").mkdir(parents=True)
    front = "".join(f"{name}: {str(value).lower()}\n" for name, value in METADATA.items())
    for number in range(3):
        topics = TOPICS[number * 3 :]
        (root / f"guide{number}.md").write_text(f"---\n{front}---\n\n{_markdown(f'Guide {number}', topics)}")
    (root / "plain.md").write_text("\n".join(_sections(TOPICS[4:], "##")) + "\n")
    (root / "page.html").write_text(f"<title>Page</title><h1>Page</h1>{''.join(_html(TOPICS))}")
    (root / "fruits.csv").write_text(_csv())
    (root / "manual.adoc").write_text(
        f"= Manual\n\nAbout this manual.\n\n{_asciidoc(TOPICS[:3])}\n"
        "include::parts/more.adoc[leveloffset=+1]\n\n== End\n\nThat was all.\n"
    )
    (root / "parts/more.adoc").write_text(f"= More\n\nMore of it.\n\n{_asciidoc(TOPICS[3:6])}")
    (root / "report.pdf").write_bytes(build(*_pages(TOPICS), title="Report"))


def _markdown(title: str, topics: Sequence[str]) -> str:
    table = "## Table of prices\n\n| name | price |\n|---|---|\n" + "".join(f"| {each} | 3 |\n" for each in topics)
    code = "## Listing\n\n```sh\nrun --winter\n\n# no heading\n```\n"
    return "\n".join([f"# {title}\n\nSome words about it.\n", *_sections(topics, "##"), table, code])


def _sections(topics: Sequence[str], marks: str) -> Iterator[str]:
    for topic in topics:
        yield f"{marks} {topic}\n\nAll about the {topic.lower()}.\n"
        for part in PARTS:
            yield f"{marks}# {part}\n\n{sentence(topic, part)}\n"


def _html(topics: Sequence[str]) -> Iterator[str]:
    for topic in topics:
        yield f"<h2>{topic}</h2><p>All about the {topic.lower()}.</p>"
        yield from (f"<h3>{part}</h3><p>{sentence(topic, part)}</p>" for part in PARTS)


def _asciidoc(topics: Sequence[str]) -> str:
    return "\n".join(
        f"== {topic}\n\nAll about the {topic.lower()}.\n\n"
        + "\n".join(f"=== {part}\n\n{sentence(topic, part)}\n" for part in PARTS)
        for topic in topics
    )


def _csv() -> str:
    rows = [f"{topic} {number},{number},the {topic.lower()} in winter" for topic in TOPICS for number in range(12)]
    return "\n".join(["name,price,note", *rows]) + "\n"


def _pages(topics: Sequence[str]) -> Iterator[Any]:
    for topic in topics:

        def draw(sheet: Sheet, topic: str = topic) -> None:
            title, opening, *sentences = _page(topic)
            sheet.heading(title, 20)
            sheet.paragraph(opening)
            for name, text in zip(PARTS, sentences, strict=True):
                sheet.heading(part(topic, name), 14)
                sheet.paragraph(text)

        yield draw


def _page(topic: str) -> list[str]:
    return [topic, f"All about the {topic.lower()}.", *(sentence(topic, each) for each in PARTS)]


def part(topic: str, name: str) -> str:
    """Return the heading of a part in the report; the same one on every page would be taken for its furniture."""
    return f"{name} of the {topic}"


def metadata_of(source: str) -> Mapping[str, Any]:
    """Return the metadata that a document was given."""
    return METADATA if source.startswith("guide") else {}
