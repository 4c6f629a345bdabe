from __future__ import annotations

import pypdfium2
import pytest
from tests.formats.pdf.building import Draw, Sheet, build, text_of

from crosshead.formats.pdf.page.rules import MAX_RULES, RuleReader
from crosshead.formats.pdf.page.shapes import Rule


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


def test_edges_of_shading_are_no_lines() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.canvas.rect(50, 300, 80, 40, stroke=0, fill=1)
        sheet.canvas.rect(50, 100, 80, 40, stroke=1, fill=1)

    assert [each.is_shade for each in rules(draw)] == [False] * 4 + [True] * 4


def test_long_thick_line_is_one_rule_and_a_bar_is_none() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.canvas.rect(50, 300, 400, 4, stroke=0, fill=1)
        sheet.canvas.rect(50, 100, 40, 4, stroke=0, fill=1)

    assert rules(draw) == [Rule(50, 302, 450, 302)]


def test_many_shades_leave_the_lines_of_a_page() -> None:
    def draw(sheet: Sheet) -> None:
        for number in range(MAX_RULES // 4 + 1):
            sheet.canvas.rect(50, number, 80, 10, stroke=0, fill=1)
        sheet.canvas.line(100, 500, 300, 500)

    assert [(each.y0, each.is_shade) for each in rules(draw)] == [(500, False)]


def test_lines_of_one_path_are_rules() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.canvas.translate(10, 20)
        sheet.canvas.grid([100, 200, 300], [400, 420, 440])

    found = rules(draw)
    assert sorted((round(each.x0), round(each.y0)) for each in found if each.y0 == each.y1) == [
        (110, 420),
        (110, 440),
        (110, 460),
    ]
    assert sorted(round(each.x0) for each in found if each.x0 == each.x1) == [110, 210, 310]


def test_boxes_of_one_path_are_rules_and_a_curve_of_a_chart_is_none() -> None:
    def draw(sheet: Sheet) -> None:
        path = sheet.canvas.beginPath()
        path.rect(100, 100, 200, 1)
        path.rect(100, 140, 200, 1)
        sheet.canvas.drawPath(path, stroke=0, fill=1)
        path = sheet.canvas.beginPath()
        path.moveTo(100, 400)
        for number in range(10):
            path.lineTo(130 + 30 * number, 420 + 30 * (number % 2))
        sheet.canvas.drawPath(path)

    assert [(round(each.y0), each.is_shade) for each in rules(draw)] == [(100, False), (140, False)]


def test_drawing_has_no_rules() -> None:
    def draw(sheet: Sheet) -> None:
        for number in range(MAX_RULES + 5):
            sheet.canvas.line(100, number / 4, 300, number / 4)

    assert rules(draw) == []


def test_rules_in_forms_are_read_where_they_are_shown() -> None:
    def draw(sheet: Sheet) -> None:
        canvas = sheet.canvas
        canvas.beginForm("inner")
        canvas.line(0, 0, 100, 0)
        canvas.endForm()
        canvas.beginForm("outer")
        canvas.translate(10, 20)
        canvas.doForm("inner")
        canvas.grid([0, 50, 100], [0, 50, 100])
        canvas.endForm()
        canvas.translate(300, 400)
        canvas.rotate(90)
        canvas.scale(2, 2)
        canvas.doForm("outer")

    line, *grid = rules(draw)
    assert line[:4] == pytest.approx((260, 420, 260, 620), abs=3)
    across, down = ([each for each in grid if (each.y0 == each.y1) is is_across] for is_across in (True, False))
    assert sorted(each.y0 for each in across) == pytest.approx([420, 520, 620])
    assert sorted(each.x0 for each in down) == pytest.approx([60, 160, 260])


@pytest.mark.parametrize("angle", [90, 180, 270])
def test_rules_are_turned_as_the_text_is(angle: int) -> None:
    def draw(sheet: Sheet) -> None:
        sheet.canvas.translate(300, 400)
        sheet.canvas.rotate(angle)
        sheet.y = 0
        sheet.canvas.setPageRotation(angle)
        sheet.left = 0
        sheet.grid([["Key", "Door"], ["brass plate, polished", "front"], ["and oiled", ""]], [0, 100, 200])

    text = text_of(draw)
    assert "| Key | Door |" in text
    assert "| and oiled |" in text
