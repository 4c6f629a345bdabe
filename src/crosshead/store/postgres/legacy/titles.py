"""A heading row of the older layout -> its title.

Programs wrote such a row in three ways: the bare title, the line of Markdown, or the whole section. Each of them built
breadcrumbs from titles in one form, but which form a database has is not known.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from crosshead.markdown import plain_text

SEPARATOR = " > "

_ATX = re.compile(r" {0,3}#{1,6}(?:[ \t]+(?P<title>.*?))??(?:[ \t]+#+)?[ \t]*")
_IS_MARKDOWN = re.compile(r" {0,3}#{1,6}[ \t]").match


class HeadingRowTitle(NamedTuple):
    """The title of a heading row in each form that a breadcrumb may contain."""

    written: str
    bare: str
    """Without the heading marks."""
    plain: str
    """Without inline markup too: what a reader sees."""


def read_title(content: str) -> HeadingRowTitle:
    """Return the title of a heading row.

    >>> read_title("## Use `pip` ##").plain
    'Use pip'
    """
    written = content.lstrip("\r\n").partition("\n")[0]
    marks = _ATX.fullmatch(written.rstrip("\r"))
    bare = (marks["title"] or "") if marks else written.strip()
    return HeadingRowTitle(written, bare, " ".join(plain_text(bare).split()))


def breadcrumbs(titles: Sequence[HeadingRowTitle]) -> list[str]:
    """Return the possible breadcrumbs below these headings; a lone line of Markdown is a heading instead."""
    forms = dict.fromkeys(SEPARATOR.join(form) for form in zip(*titles, strict=True))
    return [line for line in forms if line and not (len(titles) == 1 and _IS_MARKDOWN(line))]
