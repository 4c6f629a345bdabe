"""The text of a document, as HTML that is read like every page.

One walk without recursion: an element writes its opening tag, and puts its closing tag, its children and what is to
follow on the stack. Frames inside a paragraph follow it; notes come at the end of their section.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

from lxml import etree

from crosshead.formats.office.opendocument.package import (
    CHART,
    DC,
    DRAW,
    OFFICE,
    PRESENTATION,
    SVG,
    TABLE,
    TEXT,
    XLINK,
    OdfPackage,
    whole_number,
)
from crosshead.formats.office.opendocument.styles import Styles
from crosshead.formats.shared.omissions import COMMENTS, OBJECTS, PICTURES, LeftOut
from crosshead.formats.shared.style_names import CODE, QUOTE

MAX_REPEATED: Final = 64
"""Maximum empty cells that one element may repeat."""
_MATH: Final = "{http://www.w3.org/1998/Math/MathML}math"
_LISTS: Final = (f"{TEXT}list", f"{TEXT}list-item", f"{TEXT}list-header")
_SHAPES: Final = tuple(
    f"{DRAW}{name}"
    for name in ("text-box", "custom-shape", "rect", "ellipse", "circle", "g", "line", "connector", "polygon", "path")
)
_NO_TEXT: Final = (
    *(f"{TEXT}{name}" for name in ("tracked-changes", "table-of-content", "alphabetical-index", "illustration-index")),
    *(f"{TEXT}{name}" for name in ("table-index", "object-index", "user-index", "note-citation")),
    *(f"{OFFICE}{name}" for name in ("forms", "event-listeners", "annotation-end", "scripts")),
    *(f"{SVG}title", f"{SVG}desc", f"{PRESENTATION}notes", f"{DC}creator", f"{DC}date"),
    f"{TABLE}covered-table-cell",
)  # fmt: skip

Step: TypeAlias = "str | etree._Element | Callable[[], None]"


class _Note(NamedTuple):
    number: int
    author: str
    body: etree._Element


class HtmlWriter:
    """Writes elements of a document as HTML."""

    def __init__(self, package: OdfPackage, *, comments: bool) -> None:
        self._package = package
        self._styles = Styles(package)
        self._comments = comments
        self.left_out = LeftOut()
        self._out: list[str] = []
        self._stack: list[Step] = []
        self._lists: list[str] = []
        """The styles of the open ones."""
        self._next_numbers: dict[str, int] = {}
        """After the last list of a style, for those that go on counting."""
        self._rows: list[int] = []
        """Rows that the open tables have so far; one that is only a frame counts as if it had begun before."""
        self._paragraphs: list[str] = []
        """The closing tags of the open ones."""
        self._boxes: list[etree._Element] = []
        self._notes: list[_Note] = []
        self._note_count = 0
        self._around_headings = _lists_around_headings(package.body)

    def write(self, elements: Iterable[etree._Element]) -> str:
        """Return the HTML of elements and all that they hold."""
        self._out = []
        self._stack = [*reversed(list(elements))]
        while True:
            while self._stack:
                self._take(self._stack.pop())
            if not self._notes:
                return "".join(self._out)
            self._place_notes()

    def _take(self, step: Step) -> None:
        if isinstance(step, str):
            self._out.append(step)
        elif isinstance(step, etree._Element):
            self._stack.append(escape(step.tail or "", quote=False))
            _ENTER.get(step.tag, HtmlWriter._enter)(self, step)
        else:
            step()

    def _enter(self, element: etree._Element, opening: str = "", *closing: Step) -> None:
        self._out.append(opening)
        self._stack += [*reversed(closing), *reversed(element)]
        self._out.append(escape(element.text or "", quote=False))

    def _skip(self, element: etree._Element) -> None:
        pass

    # ------------------------------------------------------------------ paragraphs

    def _enter_paragraph(self, element: etree._Element) -> None:
        style = element.get(f"{TEXT}style-name") or ""
        meaning = self._styles.meaning(style)
        marks = () if self._is_header_row() else self._styles.marks("paragraph", style)
        if meaning == CODE or "code" in marks:
            self._enter_block(element, "pre")
        elif meaning == QUOTE:
            self._enter_block(element, "blockquote", "p", *marks)
        elif meaning and not self._rows:
            self._enter_heading(element)
        else:
            self._enter_block(element, "p", *marks)

    def _enter_heading(self, element: etree._Element) -> None:
        named = self._styles.meaning(element.get(f"{TEXT}style-name") or "")
        level = whole_number(element.get(f"{TEXT}outline-level") or named)
        if self._rows:
            self._enter_block(element, "p")
        elif self._notes and not self._lists:
            self._stack.append(element)
            element.tail = None
            self._place_notes()
        else:
            self._enter_block(element, f"h{max(1, min(level, 6))}")

    def _enter_block(self, element: etree._Element, *names: str) -> None:
        opening = "".join([f"<{name}>" for name in names])
        self._paragraphs.append("".join([f"</{name}>" for name in reversed(names)]))
        self._enter(element, opening, self._close_paragraph)

    def _close_paragraph(self) -> None:
        self._out.append(self._paragraphs.pop())
        if not self._paragraphs:
            for box in reversed(self._boxes):
                self._stack += reversed(box)
            self._boxes.clear()

    def _enter_span(self, element: etree._Element) -> None:
        marks = self._styles.marks("text", element.get(f"{TEXT}style-name") or "")
        if self._is_header_row() or self._is_code():
            marks = ()
        opening, closing = [f"<{name}>" for name in marks], [f"</{name}>" for name in reversed(marks)]
        self._enter(element, "".join(opening), "".join(closing))

    def _enter_ruby(self, element: etree._Element) -> None:
        self._enter(element, "<ruby>", "</ruby>")

    def _enter_reading(self, element: etree._Element) -> None:
        self._enter(element, "<rt>", "</rt>")

    def _enter_link(self, element: etree._Element) -> None:
        target = element.get(f"{XLINK}href") or ""
        if target and not target.startswith("#"):
            self._enter(element, f'<a href="{escape(target)}">', "</a>")
        else:
            self._enter(element)

    def _write_spaces(self, element: etree._Element) -> None:
        count = min(whole_number(element.get(f"{TEXT}c")), 1000)
        self._out.append(" " * (count if self._is_code() else 1))

    def _write_tab(self, _element: etree._Element) -> None:
        self._out.append("\t")

    def _write_break(self, _element: etree._Element) -> None:
        self._out.append("\n" if self._is_code() else "<br>")

    def _is_code(self) -> bool:
        return bool(self._paragraphs) and self._paragraphs[-1] == "</pre>"

    # ------------------------------------------------------------------ notes

    def _enter_note(self, element: etree._Element) -> None:
        body = element.find(f"{TEXT}note-body")
        if body is not None:
            self._refer_to_note("", body)

    def _enter_annotation(self, element: etree._Element) -> None:
        if not self._comments:
            self.left_out.add(COMMENTS)
        else:
            self._refer_to_note(element.findtext(f"{DC}creator") or "", element)

    def _refer_to_note(self, author: str, body: etree._Element) -> None:
        self._note_count += 1
        number = self._note_count
        self._out.append(f'<sup><a href="#fn{number}">{number}</a></sup>')
        self._notes.append(_Note(number, author, body))

    def _place_notes(self) -> None:
        for note in reversed(self._notes):
            author = f"<p>{escape(note.author)}:</p>" if note.author else ""
            self._stack += ["</div>", *reversed(note.body), f'<div id="fn{note.number}">{author}']
        self._notes.clear()

    # ------------------------------------------------------------------ lists

    def _enter_list(self, element: etree._Element) -> None:
        if element in self._around_headings:
            self._enter(element)
            return
        outer = self._lists[-1] if self._lists else ""
        style = element.get(f"{TEXT}style-name") or outer
        self._lists.append(style)
        number = self._styles.first_number(style, len(self._lists))
        goes_on = element.get(f"{TEXT}continue-numbering") == "true" or element.get(f"{TEXT}continue-list")
        number = self._next_numbers.get(style, number) if goes_on and not outer else number
        if not outer:
            self._next_numbers[style] = number + len(element.findall(f"{TEXT}list-item"))
        opening = f'<ol start="{number}">' if number else "<ul>"
        self._enter(element, opening, "</ol>" if number else "</ul>", self._close_list)

    def _close_list(self) -> None:
        self._lists.pop()

    def _enter_item(self, element: etree._Element) -> None:
        if element in self._around_headings:
            self._enter(element)
            return
        start = whole_number(element.get(f"{TEXT}start-value"), otherwise=0)
        self._enter(element, f'<li value="{start}">' if start else "<li>", "</li>")

    # ------------------------------------------------------------------ tables

    def _enter_table(self, element: etree._Element) -> None:
        is_frame = len(list(islice(element.iter(f"{TABLE}table-cell"), 2))) == 1
        self._rows.append(1 if is_frame else 0)
        self._enter(element, "<table>", "</table>", self._close_table)

    def _close_table(self) -> None:
        self._rows.pop()

    def _enter_row(self, element: etree._Element) -> None:
        if self._rows:
            self._rows[-1] += 1
        self._enter(element, "<tr>", "</tr>")

    def _enter_cell(self, element: etree._Element) -> None:
        columns = whole_number(element.get(f"{TABLE}number-columns-spanned"))
        rows = whole_number(element.get(f"{TABLE}number-rows-spanned"))
        repeated = min(whole_number(element.get(f"{TABLE}number-columns-repeated")), MAX_REPEATED)
        name = "th" if self._is_header_row() else "td"
        spans = f' colspan="{columns}" rowspan="{rows}"' if (columns, rows) != (1, 1) else ""
        self._enter(element, f"<{name}{spans}>", f"</{name}>" + f"<{name}></{name}>" * (repeated - 1))

    def _is_header_row(self) -> bool:
        return bool(self._rows) and self._rows[-1] == 1

    # ------------------------------------------------------------------ frames

    def _enter_frame(self, element: etree._Element) -> None:
        kinds = {each.tag: each for each in element}
        if f"{DRAW}text-box" in kinds or f"{TABLE}table" in kinds:
            self._enter(element)
        elif f"{DRAW}object" in kinds:
            self._enter_object(kinds[f"{DRAW}object"])
        elif f"{DRAW}image" in kinds:
            texts = [element.findtext(f"{SVG}{name}") or "" for name in ("desc", "title")]
            description = next(filter(None, texts), "")
            self.left_out.add(PICTURES, not description)
            self._out.append(escape(description, quote=False))

    def _enter_object(self, element: etree._Element) -> None:
        root = self._package.embedded(element)
        if root is not None and root.tag == _MATH:
            self._out.append(_mathml(root))
        elif root is not None and next(root.iter(f"{CHART}chart"), None) is not None:
            self._enter_shape(_chart(root))
        else:
            self.left_out.add(OBJECTS)

    def _enter_shape(self, element: etree._Element) -> None:
        if self._paragraphs:
            self._boxes.append(element)
        else:
            self._enter(element)


def _lists_around_headings(body: etree._Element) -> set[etree._Element]:
    """Unwrap lists that only number a heading."""
    found: set[etree._Element] = set()
    for heading in body.iter(f"{TEXT}h"):
        for above in heading.iterancestors(*_LISTS):
            if above in found:
                break
            found.add(above)
    return found


def _chart(root: etree._Element) -> etree._Element:
    """Return the title of a chart and the table of its values."""
    found = etree.Element("chart")
    for title in islice(root.iter(f"{CHART}title"), 1):
        found.extend(title)
    found.extend(list(islice(root.iter(f"{TABLE}table"), 1)))
    return found


def _mathml(root: etree._Element) -> str:
    for each in list(root.iter()):
        each.tag = each.tag.rpartition("}")[2]
        each.attrib.clear()
    for note in list(root.iter("annotation")):
        note.getparent().remove(note)
    etree.cleanup_namespaces(root)
    return str(etree.tostring(root, encoding="unicode", with_tail=False))


_ENTER: Final[dict[str, Callable[[HtmlWriter, etree._Element], None]]] = {
    **dict.fromkeys(_NO_TEXT, HtmlWriter._skip),
    **dict.fromkeys(_SHAPES, HtmlWriter._enter_shape),
    f"{TEXT}p": HtmlWriter._enter_paragraph,
    f"{TEXT}h": HtmlWriter._enter_heading,
    f"{TEXT}span": HtmlWriter._enter_span,
    f"{TEXT}ruby": HtmlWriter._enter_ruby,
    f"{TEXT}ruby-text": HtmlWriter._enter_reading,
    f"{TEXT}a": HtmlWriter._enter_link,
    f"{TEXT}s": HtmlWriter._write_spaces,
    f"{TEXT}tab": HtmlWriter._write_tab,
    f"{TEXT}line-break": HtmlWriter._write_break,
    f"{TEXT}note": HtmlWriter._enter_note,
    f"{OFFICE}annotation": HtmlWriter._enter_annotation,
    f"{TEXT}list": HtmlWriter._enter_list,
    f"{TEXT}list-item": HtmlWriter._enter_item,
    f"{TABLE}table": HtmlWriter._enter_table,
    f"{TABLE}table-row": HtmlWriter._enter_row,
    f"{TABLE}table-cell": HtmlWriter._enter_cell,
    f"{DRAW}frame": HtmlWriter._enter_frame,
}
