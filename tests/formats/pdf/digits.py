"""Every number of a PDF's text layer must be in its Markdown, with its sign, parentheses, currency and percent sign.

Run it over folders of PDFs: `python -m tests.formats.pdf.digits DIR...` prints what changed in each file.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

import pypdfium2

from crosshead.errors import CrossheadError
from crosshead.formats.pdf.layout.furniture import remove_furniture
from crosshead.formats.pdf.page.outline import shows_title, titles_by_page
from crosshead.formats.pdf.reading import read_document, read_pdf
from crosshead.options import ExtractOptions

_NUMBER = re.compile(r"[(+−–-]*[$€£¥]?[(−–-]*\d+(?:[.,:/]\d+)*%?\)?")
_SPACES = re.compile(r"(?<=[($€£¥])[ \t]+(?=[($€£¥\d−-])|(?<=\d)[ \t]+(?=[%)])")
_BROKEN = re.compile(r"[\ufffe\u00ad\x02-]\r?\n(?=\d)")
_ESCAPE = re.compile(r"\\(?=[!-/:-@\[-`{-~])")


def numbers(text: str) -> Counter[str]:
    """Return the numbers of a text as they are written, spaces aside."""
    text = _SPACES.sub("", _ESCAPE.sub("", _BROKEN.sub("-", text)).replace("^", "").replace("`", ""))
    # A hyphen between words or numbers is no sign, and a list may open with one.
    return Counter(re.sub(r"^(?:–|-)(?=\d)", "", each) for each in _NUMBER.findall(text))


def changed(data: bytes) -> Counter[str]:
    """Return the numbers of a PDF's text layer that its Markdown does not have, furniture aside."""
    given = numbers(_text_layer(data)) - numbers(_left_out(data))
    return given - numbers(read_pdf(data, ExtractOptions()).text)


def _text_layer(data: bytes) -> str:
    document = pypdfium2.PdfDocument(data)
    try:
        return "\n".join([page.get_textpage().get_text_range() for page in document])
    finally:
        document.close()


def _left_out(data: bytes) -> str:
    """Return the furniture, and the titles that the outline says in other words."""
    pages, entries, *_ = read_document(data)
    titles = titles_by_page(entries)
    near = [titles.get(index, set()) | titles.get(index - 1, set()) for index in range(len(pages))]
    kept = {id(each) for page in remove_furniture(pages, titles, []) for each in page.segments}
    return "\n".join(
        each.text
        for page, own in zip(pages, near, strict=True)
        for each in page.segments
        if id(each) not in kept or shows_title(each.text, own)
    )


def main() -> int:
    """Check the files of folders."""
    bad = 0
    for path in sorted(file for name in sys.argv[1:] for file in Path(name).rglob("*.pdf")):
        try:
            lost = changed(path.read_bytes())
        except (CrossheadError, pypdfium2.PdfiumError) as error:
            print(f"{path}: {error}")
            continue
        bad += bool(lost)
        if lost:
            print(f"{path}: {lost.total()} changed: {dict(lost.most_common(8))}")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
