"""reStructuredText -> Markdown: docutils makes HTML of it, and that is read as every page is.

Nothing outside of the text is read, and nothing of it is lost because only Sphinx knows a directive or a role
(`markup.py` keeps them as text or code).
"""

from __future__ import annotations

import logging
import re
from typing import Final

from crosshead.errors import CorruptFile, ExtractError, MissingExtra, TooLarge
from crosshead.extract.base import Extracted
from crosshead.extract.formats import get_format
from crosshead.extract.shared.text import decode, normalize
from crosshead.options import ExtractOptions

logger = logging.getLogger("crosshead")

MAX_BYTES: Final = 400_000
MAX_LINES: Final = 10_000
MAX_MARKS: Final = 30_000_000
"""Docutils looks through the rest of a paragraph at every mark in it: marks times characters, of all paragraphs."""
_NAMED: Final = 3
"""Faults that are named one by one."""

_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_MARK = re.compile(r"[*`|]|_(?!\w)|\[")
_TAG = re.compile(r"<[^>]{0,10000}>")
_NAME_OF_NOTE = re.compile(r'<p class="admonition-title">(.{1,500}?)</p>')

_SETTINGS: Final = {
    "_disable_config": True,
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "embed_stylesheet": False,
    "stylesheet_path": "",
    "xml_declaration": False,
    "doctitle_xform": False,
    "docinfo_xform": False,
    "sectsubtitle_xform": False,
    "initial_header_level": 1,
    "syntax_highlight": "none",
    "math_output": "MathJax none",
    "line_length_limit": MAX_BYTES,
    "report_level": 5,
    "halt_level": 5,
    "warning_stream": False,
    "smart_quotes": False,
    "section_self_link": False,
    "toc_backlinks": False,
    "footnote_backlinks": False,
}


def read_rst(data: bytes, options: ExtractOptions) -> Extracted:
    """Read reStructuredText."""
    if len(data) > MAX_BYTES:
        raise TooLarge(f"more than {MAX_BYTES:,} bytes of reStructuredText: split the file")
    text = normalize(decode(data))
    if text.count("\n") > MAX_LINES:
        raise TooLarge(f"more than {MAX_LINES:,} lines of reStructuredText: split the file")
    if sum(len(block) * len(_MARK.findall(block)) for block in _BLANK_LINE.split(text)) > MAX_MARKS:
        raise TooLarge("paragraphs or tables of reStructuredText with too many marks: split them with blank lines")
    if not text.strip():
        return Extracted("")
    page = _publish(text)
    if not _TAG.sub("", page).strip() and "<img" not in page:
        raise ExtractError("the reStructuredText has no text: it may hold only comments, targets or includes")
    whole = ExtractOptions(main_content="off", base_url=options.base_url)
    return get_format("html").load_reader()(page.encode("utf-8", "replace"), whole)


def _publish(text: str) -> str:
    try:
        from docutils.core import publish_parts

        from crosshead.extract.readers.rst.markup import Parser
    except ImportError as error:
        raise MissingExtra("rst", "reStructuredText") from error
    parser = Parser()
    try:
        parts = publish_parts(text, parser=parser, writer="html5", settings_overrides=_SETTINGS)
    except RecursionError as error:
        raise TooLarge("the reStructuredText is nested too deeply: make it flatter") from error
    except Exception as error:  # docutils has no common error for what it cannot read
        raise CorruptFile(f"docutils cannot read it ({type(error).__name__}): check it with rst2html") from error
    _warn(parser.faults)
    body = _NAME_OF_NOTE.sub(r"<p><strong>\1</strong></p>", parts["body"])
    return f"<!doctype html><html><body>{body}</body></html>"


def _warn(faults: list[tuple[int, str]]) -> None:
    for line, message in faults[:_NAMED]:
        logger.warning("line %d: %s", line, message.partition("\n")[0])
    if len(faults) > _NAMED:
        logger.warning("%d more faults of reStructuredText", len(faults) - _NAMED)
