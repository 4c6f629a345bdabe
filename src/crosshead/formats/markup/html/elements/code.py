"""Code blocks, and the language that their markup names."""

from __future__ import annotations

import re
from functools import lru_cache

from crosshead.formats.markup.html.page.state import HtmlPage
from crosshead.formats.markup.html.tokens import VOID, attribute, classes, find_end, name_of, replace_entities

_PREFIXED = re.compile(
    r"(?:^|[\s;])(?:language|lang|highlight-source|highlight-text|highlight|brush|src)[-:] ?([A-Za-z][\w+#.-]*)"
)
_FOLLOWING = re.compile(r"(?:^|\s)(?:sourceCode|hljs|code(?=.* literal-block))\s+([a-z][a-z0-9+#]*)(?=\s|$)")
_NO_LANGUAGE = frozenset((
    "default", "none", "notranslate", "source", "text", "literal-block", "highlight", "hljs",
    "sourcecode", "nohighlight", "no-highlight", "plain", "numberlines", "linenos", "copyable",
    "prettyprint", "block",
))  # fmt: skip
_LINE_NUMBERS = re.compile(r"(?:^|\s)(?:linenos?|source-?line-?no|gutter|line-numbers?|linenodiv|ln)(?:\s|$)", re.I)
_NUMBERS = re.compile(r"[\d\s.:|]*")
_EXTRAS = ("button", "svg", "select")
_UNUSUAL_TAG = re.compile(r'</?(?:button|svg|select|br|div|p|li)\b|(?i:line|gutter|"ln| ln)')
"""Code without any of these has neither line numbers nor buttons, and no line of it is an element."""
_CODE_TAG = re.compile("<code [^>]*>")
_TAGS = re.compile("<[^>]*>")
_LINE_TAGS = r"(?:</?(?:div|p|li)(?: [^>]*)?>)+"
_LINE_ELEMENTS = re.compile(rf"\n{_LINE_TAGS}\n?|{_LINE_TAGS}\n?")


def write_code_block(page: HtmlPage, tag: str, at: int) -> int:
    """Write preformatted text as a fenced block."""
    page.end_heading()
    html = page.tokens.preformatted[int(page.tokens.raws[at])]
    code = _text_of(html)
    if code.strip():
        page.sheet.write_code(code, find_language(page.tokens.tags, at, html))
        page.text_length += len(code)
    return at + 1


def write_fragment(page: HtmlPage, at: int) -> int:
    """Write the code that Doxygen shows: a block for every line."""
    page.end_heading()
    tags, raws = page.tokens.tags, page.tokens.raws
    end = find_end(tags, at)
    pieces: list[str] = []
    index = at + 1
    while index < end:
        if is_line_numbers(tags, raws, index):
            index = find_end(tags, index)
        elif tags[index].startswith("div ") and pieces:
            pieces.append("\n")
        pieces.append(raws[index].strip("\n"))
        index += 1
    code = replace_entities("".join(pieces))
    if code.strip():
        page.sheet.write_code(code, "")
        page.text_length += len(code)
    return end


def is_fragment(page: HtmlPage, tag: str, at: int) -> bool:
    """Return whether this `div` is Doxygen's code."""
    if "fragment" not in classes(tag):
        return False
    first = page.tokens.tags[at + 1]
    return name_of(first) == "div" and "line" in classes(first)


def is_line_numbers(tags: list[str], raws: list[str], at: int) -> bool:
    """Return whether this element holds line numbers; numbered code may be named the same."""
    if not _LINE_NUMBERS.search(attribute(tags[at], "class")):
        return False
    return _NUMBERS.fullmatch(replace_entities("".join(raws[at : find_end(tags, at)]))) is not None


def find_language(tags: list[str], at: int, html: str) -> str:
    """Return the language that the element, the code in it, its parent or that one's parent names."""
    inner = _CODE_TAG.search(html, 0, 500)
    for tag in (tags[at], inner[0] if inner else "", *_ancestors(tags, at, 2)):
        language = _named_language(tag) if " " in tag else ""
        if language:
            return language
    return ""


@lru_cache(maxsize=256)
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


def _text_of(html: str) -> str:
    """Return the text of preformatted markup; what is not part of it (line numbers, buttons) is left out."""
    if "<" in html:
        pieces = html.replace(">", "<").split("<")
        if html.count("<") == html.count(">") and not _UNUSUAL_TAG.search(f"<{'<'.join(set(pieces[1::2]))}"):
            html = "".join(pieces[::2])
        else:
            html = _LINE_ELEMENTS.sub(_line_end, _without_extras(html).replace("<br>", "\n"))
            html = _TAGS.sub("", html)
    return replace_entities(html).replace("\r\n", "\n").replace("\r", "\n")


def _line_end(found: re.Match[str]) -> str:
    text = found[0]
    return "\n\n" if text[0] == text[-1] == "\n" else "\n"


def _without_extras(html: str) -> str:
    tokens = html.split("<")
    tags = [token.partition(">")[0] for token in tokens]
    raws = [token.partition(">")[2] for token in tokens]
    kept = [tokens[0]]
    at = 1
    while at < len(tokens):
        if name_of(tags[at]) in _EXTRAS or is_line_numbers(tags, raws, at):
            at = find_end(tags, at)
            kept.append(tokens[at].partition(">")[2])
        else:
            kept.append(f"<{tokens[at]}")
        at += 1
    return "".join(kept)
