"""Charts as python-pptx writes them, and as the XML of other programs has them."""

from __future__ import annotations

import io
from datetime import date
from typing import Any

import pytest
from lxml import etree
from pptx import Presentation
from pptx.chart.data import BubbleChartData, CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE as KIND
from pptx.util import Inches
from tests.formats.archives import change_zip, read_part
from tests.formats.sound import kinds, read_soundly

from crosshead.formats import extract
from crosshead.formats.office.openxml import graphics
from crosshead.formats.office.openxml.charts import C, read_chart, write_chart

CHART = "ppt/charts/chart1.xml"
BOX = (Inches(1), Inches(1), Inches(6), Inches(4))


def slide(data: Any, kind: Any = KIND.COLUMN_CLUSTERED, *, title: str = "") -> bytes:
    presentation = Presentation()
    made = presentation.slides.add_slide(presentation.slide_layouts[5])
    made.shapes.title.text = "Sales"
    chart = made.shapes.add_chart(kind, *BOX, data).chart
    if title:
        chart.has_title = True
        chart.chart_title.text_frame.text = title
        for axis, name in ((chart.category_axis, "Region"), (chart.value_axis, "Share of sales")):
            axis.has_title = True
            axis.axis_title.text_frame.text = name
    file = io.BytesIO()
    presentation.save(file)
    return file.getvalue()


def categories(*names: Any, number_format: str = "General", **series: tuple[Any, ...]) -> Any:
    data = CategoryChartData(number_format=number_format)
    data.categories = names
    for name, values in series.items():
        data.add_series(name, values)
    return data


def blocks(xml: str) -> list[str]:
    """Return the blocks of a chart that is given without its namespace."""
    root = etree.fromstring(f'<chartSpace xmlns="{C[1:-1]}">{xml}</chartSpace>')
    return list(write_chart(read_chart(root), level=3))


def points(tag: str, *values: str, format: str = "", cache: str = "numCache") -> str:
    found = "".join(f'<pt idx="{at}"><v>{value}</v></pt>' for at, value in enumerate(values) if value)
    pattern = f"<formatCode>{format}</formatCode>" if format else ""
    return f"<{tag}><x><{cache}>{pattern}<ptCount val='99'/>{found}</{cache}></x></{tag}>"


def plot(*series: str, kind: str = "barChart", more: str = "") -> str:
    return f"<{kind}>{''.join([f'<ser>{each}</ser>' for each in series])}{more}</{kind}>"


def test_chart_is_a_caption_and_a_table() -> None:
    data = categories("East|", "West", "Mid", Q1=(0.1, None, 0.3), Q2=(0.5, 0.6, 0.7), number_format="0.0%")
    document = read_soundly(slide(data, title="Sales by *region*"), "pptx")
    assert kinds(document) == ["heading", "paragraph", "table"]
    assert document.text == (
        "## Sales\n\nChart: Sales by \\*region\\* (Share of sales)\n\n"
        "| Region | Q1 | Q2 |\n| --- | --- | --- |\n"
        "| East\\| | 10.0% | 50.0% |\n| West |  | 60.0% |\n| Mid | 30.0% | 70.0% |\n"
    )


def test_dates_are_dates() -> None:
    text = extract(slide(categories(date(2024, 1, 31), date(2024, 2, 29), N=(1, 2.5)), KIND.LINE), "pptx")
    assert "| 2024-01-31 | 1 |\n| 2024-02-29 | 2.5 |" in text


def test_levels_of_categories_are_columns() -> None:
    data = CategoryChartData()
    for year in ("2023", "2024"):
        category = data.add_category(year)
        category.add_sub_category("H1")
        category.add_sub_category("H2")
    data.add_series("N", (1, 2, 3, 4))
    expected = (
        "|  |  | N |\n| --- | --- | --- |\n| 2023 | H1 | 1 |\n| 2023 | H2 | 2 |\n| 2024 | H1 | 3 |\n| 2024 | H2 | 4 |"
    )
    assert expected in extract(slide(data), "pptx")


def test_scattered_points_have_x_and_y() -> None:
    data = XyChartData()
    for name, found in (("A", ((1, 2), (1.5, 3))), ("B", ((7, 8),))):
        series = data.add_series(name)
        for point in found:
            series.add_data_point(*point)
    text = extract(slide(data, KIND.XY_SCATTER), "pptx")
    assert "| X | A |\n| --- | --- |\n| 1 | 2 |\n| 1.5 | 3 |\n\n| X | B |\n| --- | --- |\n| 7 | 8 |" in text


def test_bubbles_have_sizes() -> None:
    data = BubbleChartData()
    data.add_series("A").add_data_point(1, 2, 10)
    assert "| X | A | A (size) |\n| --- | --- | --- |\n| 1 | 2 | 10 |" in extract(slide(data, KIND.BUBBLE), "pptx")


def test_combined_charts_share_a_table() -> None:
    names = points("cat", "a", "b", cache="strCache")
    bars = plot(f"<tx><v>Sum</v></tx>{names}{points('val', '1', '2')}")
    line = plot(f"<tx><v>Rate</v></tx>{names}{points('val', '0.5', '', format='0%')}", kind="lineChart")
    assert blocks(bars + line) == ["Chart", "|  | Sum | Rate |\n| --- | --- | --- |\n| a | 1 | 50% |\n| b | 2 |  |"]


def test_formats_of_axes_are_used_where_the_points_have_none() -> None:
    series = points("cat", "45351", cache="numCache") + points("val", "0.25", format="General")
    axes = (
        '<dateAx><axId val="1"/><numFmt formatCode="mmm yy"/></dateAx>'
        '<valAx><axId val="2"/><numFmt formatCode="0%"/></valAx>'
    )
    ids = '<axId val="1"/><axId val="2"/>'
    assert blocks(plot(series, more=ids) + axes)[1].endswith("| 2024-02-29 | 25% |")


def test_titles_of_cells_and_series_without_names_or_categories() -> None:
    cell = "<f>S!$A$1</f><strCache><pt idx='0'><v>From a cell</v></pt></strCache>"
    title = f"<chart><title><tx><strRef>{cell}</strRef></tx></title></chart>"
    found = blocks(title + plot(points("val", "3", "", "5")))
    assert found == ["Chart: From a cell", "|  | Series 1 |\n| --- | --- |\n| 1 | 3 |\n| 3 | 5 |"]


def test_years_may_begin_in_1904() -> None:
    found = blocks('<date1904 val="1"/>' + plot(points("cat", "0", format="yyyy-mm-dd") + points("val", "1")))
    assert "| 1904-01-01 | 1 |" in found[1]


def test_chart_of_a_newer_kind() -> None:
    root = etree.fromstring(
        '<c:chartSpace xmlns:c="http://schemas.microsoft.com/office/drawing/2014/chartex"><c:chartData><c:data id="0">'
        '<c:strDim type="cat"><c:lvl><c:pt idx="0">Start</c:pt><c:pt idx="1">End</c:pt></c:lvl></c:strDim>'
        '<c:numDim type="val"><c:lvl formatCode="0.0"><c:pt idx="0">100</c:pt><c:pt idx="1">-20</c:pt></c:lvl>'
        "</c:numDim></c:data></c:chartData><c:chart><c:title><c:tx><c:txData><c:v>Bridge</c:v></c:txData></c:tx></c:title>"
        '<c:plotArea><c:plotAreaRegion><c:series layoutId="waterfall"><c:tx><c:txData><c:v>Cash</c:v></c:txData></c:tx>'
        '<c:dataId val="0"/></c:series></c:plotAreaRegion></c:plotArea></c:chart></c:chartSpace>'
    )
    found = list(write_chart(read_chart(root), level=3))
    assert found == ["Chart: Bridge", "|  | Cash |\n| --- | --- |\n| Start | 100.0 |\n| End | -20.0 |"]


@pytest.mark.parametrize(
    "chart", ["<a>", "<a/>", "", '<!DOCTYPE a [<!ENTITY b "x">]><a>&b;</a>', f'<chartSpace xmlns="{C[1:-1]}"/>', None]
)
def test_chart_that_cannot_be_read_is_reported(chart: str | None, caplog: pytest.LogCaptureFixture) -> None:
    data = change_zip(slide(categories("a", N=(1,))), {CHART: chart})
    assert extract(data, "pptx") == "## Sales\n"
    assert caplog.messages == ["1 chart without readable values is left out"]


def test_odd_points_do_no_harm() -> None:
    odd = '<pt idx="-1"><v>1</v></pt><pt idx="99999999999"><v>2</v></pt><pt><v>3</v></pt><pt idx="7"/>'
    assert blocks(plot(f"<val><numCache>{odd}</numCache></val>")) == ["Chart"]


def test_too_many_values_are_left_out(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(graphics, "MAX_VALUES", 2)
    assert "Chart" not in extract(slide(categories("a", "b", "c", N=(1, 2, 3))), "pptx")
    assert "1 chart" in caplog.text


def test_part_of_a_chart_that_refers_to_itself_is_no_loop() -> None:
    data = slide(categories("a", N=(1,)))
    relations = "ppt/charts/_rels/chart1.xml.rels"
    assert "Chart" in extract(
        change_zip(data, {relations: read_part(data, relations).replace("../embeddings", ".")}), "pptx"
    )


def test_more_series_than_any_program_draws(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(graphics, "MAX_SERIES", 1)
    assert "Chart" not in extract(slide(categories("a", N=(1,), M=(2,))), "pptx")
    assert "1 chart" in caplog.text
