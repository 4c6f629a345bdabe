"""Formulas that are in the markup: MathML, and TeX in it, in MathJax scripts and in the spans of Sphinx and pandoc."""

from __future__ import annotations

import re

from crosshead.formats.markup.html.elements.mathml import mathml_tex
from crosshead.formats.markup.html.page.state import HtmlPage
from crosshead.formats.markup.html.tokens import attribute, classes, find_end, replace_entities
from crosshead.formats.shared import gfm

_ANNOTATION = "application/x-tex"
_DELIMITERS = (("\\(", "\\)"), ("\\[", "\\]"), ("$$", "$$"), ("$", "$"))
_DISPLAY_STYLE = re.compile(r"\{\\displaystyle\s*(.*)\}\Z", re.S)
_MATH_CLASS = re.compile(r"math(?:-inline|-display)?")
_FORMULA_IMAGE = re.compile(r"math|tex|latex|mwe-math-fallback-image.*")
_RENDERED = re.compile(r"MathJax(?:_\w+)?")
MAX_FORMULA_TAGS = 500


def write_math(page: HtmlPage, tag: str, at: int) -> int:
    """Write MathML as its TeX annotation, else converted; as text if it is too large."""
    end = find_end(page.tokens.tags, at)
    tex = _annotated_tex(page, at, end) or _plain_tex(attribute(tag, "alttext")) or mathml_tex(page.tokens, at, end)
    is_display = attribute(tag, "display") == "block" or _is_katex_display(page, at)
    if tex:
        write_formula(page, tex, is_display=is_display)
    else:
        page.line.append(" ".join("".join(page.tokens.texts[at:end]).split()))
    return end


def write_tex(page: HtmlPage, tag: str, at: int) -> int:
    """Write the TeX of a script for MathJax."""
    write_formula(page, replace_entities(page.tokens.raws[at]), is_display="mode=display" in attribute(tag, "type"))
    return at + 1


def write_marked_formula(page: HtmlPage, tag: str, at: int) -> int | None:
    """Write a `span` or `div` marked as a formula, if it holds only TeX between delimiters."""
    tags, raws = page.tokens.tags, page.tokens.raws
    names = classes(tag)
    if any(map(_RENDERED.fullmatch, names)):
        return find_end(tags, at)  # its source follows in a script
    if not any(map(_MATH_CLASS.fullmatch, names)):
        return None
    end = find_end(tags, at, limit=MAX_FORMULA_TAGS)
    if end < 0 or any(inner.startswith(("math", "img", "tex", "svg")) for inner in tags[at + 1 : end]):
        return None
    text = replace_entities("".join(raws[at:end])).strip()
    bare = _plain_tex(text)
    if bare == text:
        return None
    is_display = tag.startswith("div") or any("display" in name for name in names) or text.startswith(("\\[", "$$"))
    write_formula(page, bare, is_display=is_display)
    return end


def write_formula(page: HtmlPage, tex: str, *, is_display: bool) -> None:
    """Write an inline or a display formula."""
    tex = tex.strip()
    if not tex:
        return
    if is_display and not page.heading and not page.tables:
        page.flush()
        page.sheet.write(gfm.math_block(tex), flat=gfm.math(tex))
    else:
        page.line.append(gfm.math(tex))


def image_formula(tag: str, alt: str) -> str:
    """Return the formula of an image that is marked as one."""
    return gfm.math(_plain_tex(alt)) if any(map(_FORMULA_IMAGE.fullmatch, classes(tag))) else ""


def _annotated_tex(page: HtmlPage, at: int, end: int) -> str:
    tags, raws = page.tokens.tags, page.tokens.raws
    for index in range(at, end):
        if tags[index].startswith("annotation ") and attribute(tags[index], "encoding") == _ANNOTATION:
            return _plain_tex(replace_entities(raws[index]))
    return ""


def _is_katex_display(page: HtmlPage, at: int) -> bool:
    return any("katex-display" in classes(tag) for tag in page.tokens.tags[max(0, at - 3) : at])


def _plain_tex(text: str) -> str:
    """Return TeX without its delimiters."""
    text = text.strip()
    for start, end in _DELIMITERS:
        if text.startswith(start) and text.endswith(end) and len(text) >= len(start) + len(end):
            return text[len(start) : len(text) - len(end)].strip()
    found = _DISPLAY_STYLE.match(text)
    return found[1].strip() if found else text
