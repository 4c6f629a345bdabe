from __future__ import annotations

import pypdfium2
from tests.extract.readers.pdf.building import Draw, Sheet, build

from crosshead.extract.readers.pdf.rules import MAX_RULES, RuleReader
from crosshead.extract.readers.pdf.shapes import Rule


def rules(draw: Draw) -> list[Rule]:
    document = pypdfium2.PdfDocument(build(draw))
    try:
        return RuleReader().read(document[0])[0]
    finally:
        document.close()


def test_lines_and_edges_of_boxes_are_rules() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.canvas.line(100, 500, 300, 500)
        sheet.canvas.line(100, 500, 100, 400)
        sheet.canvas.rect(50, 100, 80, 40)

    found = rules(draw)
    assert [each.y0 == each.y1 for each in found] == [True, False, True, True, False, False]


def test_dots_and_curves_are_no_rules() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.canvas.line(100, 500, 103, 500)
        sheet.canvas.line(100, 500, 100, 497)
        sheet.canvas.circle(200, 300, 50)
        sheet.canvas.rect(50, 100, 5, 40)

    assert rules(draw) == []


def test_drawing_has_no_rules() -> None:
    def draw(sheet: Sheet) -> None:
        for number in range(MAX_RULES + 5):
            sheet.canvas.line(100, number / 4, 300, number / 4)

    assert rules(draw) == []
