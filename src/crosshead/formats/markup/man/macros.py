"""The macros of `man`: sections, paragraphs, items, fonts, links."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from crosshead.formats.markup.man.escapes import FontRun, plain

if TYPE_CHECKING:
    from crosshead.formats.markup.man.page import ManPage

Macro = Callable[["ManPage", list[str], int], None]


def _title(page: ManPage, given: list[str], number: int) -> None:
    name, section = [*given, "", ""][:2]
    page.title = f"{_text(page, name)}({_text(page, section)})" if section else _text(page, name)
    if page.title:
        page.writer.heading(1, page.title, number)


def _heading(level: int, page: ManPage, given: list[str], number: int) -> None:
    page.fonts.now = page.fonts.before = ""
    page.tag = ""
    page.writer.heading(level, _text(page, " ".join(given)), number)


def _paragraph(page: ManPage, _given: list[str], _number: int) -> None:
    page.fonts.now = ""
    page.tag = ""
    if page.writer.code is not None:
        page.writer.text([], _number)
        return
    page.writer.end_list()


def _tagged(tag: str, page: ManPage, _given: list[str], _number: int) -> None:
    page.fonts.now = ""
    page.writer.end_paragraph()
    page.tag = tag


def _indented(page: ManPage, given: list[str], number: int) -> None:
    """A paragraph with a tag; without one it continues the item above."""
    page.fonts.now = ""
    page.writer.end_paragraph()
    if given and given[0].strip():
        page.writer.begin_item(page.fonts.runs(given[0]), number)


def _enter(page: ManPage, _given: list[str], _number: int) -> None:
    page.writer.enter()


def _leave(page: ManPage, _given: list[str], _number: int) -> None:
    page.writer.leave()


def _code(page: ManPage, _given: list[str], _number: int) -> None:
    page.writer.begin_code()


def _end_code(page: ManPage, _given: list[str], _number: int) -> None:
    page.writer.end_code()


def _break(page: ManPage, _given: list[str], _number: int) -> None:
    page.writer.line_break()


def _space(page: ManPage, _given: list[str], number: int) -> None:
    if page.writer.code is not None:
        page.writer.text([], number)
    else:
        page.writer.end_paragraph()


def _font(font: str, page: ManPage, given: list[str], number: int) -> None:
    """Text in one font, or the next line."""
    if not given:
        page.tag = page.tag or font
        return
    before = page.fonts.now
    page.fonts.now = font
    runs = page.fonts.runs(" ".join(given))
    page.fonts.now = before
    page.put(runs, number, joins=given[-1].endswith("\\c"))


def _alternate(first: str, second: str, page: ManPage, given: list[str], number: int) -> None:
    """Arguments in two fonts by turns, without spaces."""
    runs: list[FontRun] = []
    before = page.fonts.now
    for at, text in enumerate(given):
        page.fonts.now = first if at % 2 == 0 else second
        runs += page.fonts.runs(text)
    page.fonts.now = before
    page.put(runs, number, joins=bool(given) and given[-1].endswith("\\c"))


def _set_font(page: ManPage, given: list[str], _number: int) -> None:
    page.fonts.set({"B": "B", "I": "I", "2": "I", "3": "B"}.get(given[0], "") if given else "P")


def _address(page: ManPage, given: list[str], number: int) -> None:
    """A link: its address is text, as terminals show it."""
    if given:
        page.put(page.fonts.runs(f"⟨{given[0]}⟩"), number)


def _option(page: ManPage, given: list[str], number: int) -> None:
    page.put([FontRun("[", ""), *[FontRun(f"{' ' if at else ''}{_text(page, text)}", "I" if at else "B") for at, text in
                              enumerate(given)], FontRun("]", "")], number)  # fmt: skip


def _synopsis(page: ManPage, given: list[str], number: int) -> None:
    page.writer.end_paragraph()
    page.put([FontRun(_text(page, " ".join(given)), "B")], number)


def _text(page: ManPage, text: str) -> str:
    return plain(page.fonts.runs(text))


MACROS: Final[dict[str, Macro]] = {
    "TH": _title,
    "SH": partial(_heading, 2),
    "SS": partial(_heading, 3),
    **dict.fromkeys(("P", "PP", "LP", "HP"), _paragraph),
    "TP": partial(_tagged, "TP"),
    "TQ": partial(_tagged, "TQ"),
    "IP": _indented,
    "RS": _enter,
    "RE": _leave,
    **dict.fromkeys(("nf", "EX", "Vb", "DS"), _code),
    **dict.fromkeys(("fi", "EE", "Ve", "DE"), _end_code),
    **dict.fromkeys(("br", "in", "ti"), _break),
    **dict.fromkeys(("sp", "Sp", "YS"), _space),
    "B": partial(_font, "B"),
    "I": partial(_font, "I"),
    "R": partial(_font, ""),
    "SM": partial(_font, ""),
    "SB": partial(_font, "B"),
    "BR": partial(_alternate, "B", ""),
    "RB": partial(_alternate, "", "B"),
    "IR": partial(_alternate, "I", ""),
    "RI": partial(_alternate, "", "I"),
    "BI": partial(_alternate, "B", "I"),
    "IB": partial(_alternate, "I", "B"),
    "MR": lambda page, given, number: _alternate("B", "", page, [*given[:1], f"({''.join(given[1:2])})",
                                                                 *given[2:]], number),
    "ft": _set_font,
    **dict.fromkeys(("UR", "MT", "URL", "MTO"), _address),
    "OP": _option,
    "SY": _synopsis,
}  # fmt: skip
"""All others are left out."""
