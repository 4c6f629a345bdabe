"""Code blocks, and the language that their markup names."""

from __future__ import annotations

import re

from crosshead.extract.html.blocks import code_block
from crosshead.extract.html.page import Page
from crosshead.extract.html.tokens import VOID, attribute, find_end, name_of, replace_entities

_PREFIXED = re.compile(
    r"(?:^|[\s;])(?:language|lang|highlight-source|highlight-text|highlight|brush|src)[-:] ?([A-Za-z][\w+#.-]*)"
)
_FOLLOWING = re.compile(r"(?:^|\s)(?:sourceCode|hljs|code(?=.* literal-block))\s+([a-z][a-z0-9+#]*)(?=\s|$)")
_NO_LANGUAGE = frozenset(
    "default none notranslate source text literal-block highlight hljs sourcecode nohighlight no-highlight plain "
    "numberlines linenos copyable prettyprint block".split()
)
_LINE_NUMBERS = re.compile(r'class="(?:[^"]* )?(?:linenos?|lineno|gutter|line-numbers?|linenodiv|ln)(?: [^"]*)?"')
_SKIPPED = ("button", "svg", "select", "script")


def write_code_block(page: Page, tag: str, at: int) -> int:
    """Write preformatted text as a fenced block."""
    page.end_heading()
    tags = page.tokens.tags
    end = find_end(tags, at)
    code = _text_of(page, at, end)
    if code.strip():
        block, flat = code_block(code, find_language(tags, at, end))
        page.sheet.write(block, flat=flat)
        page.text_length += len(code)
    return end


def is_line_numbers(tag: str) -> bool:
    """Does this element hold the numbers of lines of code?"""
    return "class=" in tag and _LINE_NUMBERS.search(tag) is not None


def find_language(tags: list[str], at: int, end: int) -> str:
    """Return the language that the element, the code in it, its parent or that one's parent names."""
    inner = next((tag for tag in tags[at + 1 : min(end, at + 4)] if tag.startswith("code ")), "")
    for tag in (tags[at], inner, *_ancestors(tags, at, 2)):
        language = _named_language(tag)
        if language:
            return language
    return ""


def _named_language(tag: str) -> str:
    for name in ("data-lang", "data-language"):
        language = attribute(tag, name).strip()
        if language:
            return _clean(language)
    classes = attribute(tag, "class")
    for pattern in (_PREFIXED, _FOLLOWING):
        for found in pattern.findall(classes):
            language = _clean(found)
            if language:
                return language
    return ""


def _clean(language: str) -> str:
    language = language.strip(".;").split()[0] if language.strip(".; ") else ""
    return "" if language.lower() in _NO_LANGUAGE or "`" in language else language


def _ancestors(tags: list[str], at: int, count: int) -> list[str]:
    """Return the tags of the nearest elements around the one at `at`."""
    found: list[str] = []
    closed = 0
    for index in range(at - 1, max(-1, at - 60), -1):
        tag = tags[index]
        if tag[:1] == "/":
            closed += 1
        elif name_of(tag) not in VOID:
            if closed:
                closed -= 1
            else:
                found.append(tag)
                if len(found) == count:
                    break
    return found


def _text_of(page: Page, at: int, end: int) -> str:
    """Return the text of preformatted markup; what is not part of it (line numbers, buttons) is left out."""
    tags, raws = page.tokens.tags, page.tokens.raws
    pieces = [raws[at]]
    index = at + 1
    while index < end:
        tag = tags[index]
        if tag == "br":
            pieces.append("\n")
        elif " " in tag and (tag.startswith(_SKIPPED) or is_line_numbers(tag)):
            index = find_end(tags, index)
        elif tag[:3] in ("div", "p", "li") or tag[:4] == "/div" or tag in ("/p", "/li"):
            if pieces[-1] and not "".join(pieces[-2:]).endswith("\n"):
                pieces.append("\n")
        pieces.append(raws[index])
        index += 1
    return replace_entities("".join(pieces)).replace("\r\n", "\n").replace("\r", "\n")
