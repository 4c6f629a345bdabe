"""Layouts of reports. A third of them, and a third of the renderers, is held out: look at those at the end only."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from .look import A4, TALL, Look, Renderer
from .reports import (
    Report,
    draw_beside,
    draw_beside_titled,
    draw_quarters,
    draw_segments,
    draw_statement,
    draw_text_cells,
    draw_wrapped,
)

Part = Literal["tune", "held-out"]
HELD_OUT: tuple[Renderer, ...] = ("typst", "groff", "fpdf2")
TUNE: tuple[Renderer, ...] = tuple(each for each in get_args(Renderer) if each not in HELD_OUT)


class Layout(NamedTuple):
    name: str
    report: Report
    look: Look
    is_held_out: bool = False


LAYOUTS = (
    Layout("shaded-column", Report(draw_statement(percents=True)), Look("sans", 9, fill="column")),
    Layout(
        "shaded-column-signs",
        Report(draw_statement(years=3), "items"),
        Look("serif", 9, "double", signs_apart=True, fill="column", page_number="above rule"),
    ),
    Layout("zebra", Report(draw_statement(years=3)), Look("sans", 9, "none", "colored", fill="zebra", page=A4)),
    Layout("zebra-signs", Report(draw_quarters, "items"), Look("serif", 8.5, "none", signs_apart=True, fill="zebra")),
    Layout(
        "borderless", Report(draw_statement(years=3), "notes"), Look("serif", 10, "none", page_number="foot center")
    ),
    Layout(
        "small-labels",
        Report(draw_statement(years=3, percents=True)),
        Look("sans", 7.8, "rules", "regular", label_size=0.77, page_number="head right"),
    ),
    Layout(
        "lines-in-labels",
        Report(draw_segments, "decimal"),
        Look("sans", 8.5, "rules", "colored", label_size=0.85, fill="column", page=A4),
    ),
    Layout(
        "spanned-labels",
        Report(draw_statement(years=3, spanned="Years Ended December 31,"), "items", has_contents=True),
        Look("serif", 10, "double", "centered", signs_apart=True),
    ),
    Layout("two-levels", Report(draw_quarters, "decimal"), Look("sans", 8, "rules", label_size=0.8, page=TALL)),
    Layout(
        "labels-apart",
        Report(draw_statement(years=3)),
        Look("sans", 9, "rules", "regular", labels_apart=True, fill="zebra"),
    ),
    Layout(
        "titled",
        Report(draw_statement(titled=True, notes=True), "notes"),
        Look("serif", 9.5, "rules", "centered", page_number="above rule"),
    ),
    Layout("column-rules", Report(draw_statement(years=2, percents=True), "decimal"), Look("sans", 8.5, "columns")),
    Layout("grid-text", Report(draw_text_cells, "decimal", has_contents=True), Look("sans", 9, "full", "colored")),
    Layout(
        "typewriter",
        Report(draw_statement(years=2), "items"),
        Look("serif", 8.5, "thick", "weight only", is_typewriter=True, page_number="foot center"),
    ),
    Layout("leaders", Report(draw_statement(years=3), "items"), Look("serif", 9, "none", leaders=True)),
    Layout(
        "over-pages",
        Report(draw_statement(years=3, groups=4, repeat=4), sections=2),
        Look("sans", 8.5, "rules", fill="zebra", page_number="above rule"),
    ),
    Layout(
        "german",
        Report(draw_statement(notes=True, dollar=False), "decimal", language="de", has_contents=True),
        Look("sans", 8.5, "rules", "colored", fill="column", label_size=0.85, page=A4),
    ),
    Layout(
        "two-columns",
        Report(draw_statement(dollar=False), in_columns=True),
        Look("serif", 9, "rules", page_number="foot center"),
    ),
    Layout(
        "shaded-notes",
        Report(draw_statement(notes=True), "notes"),
        Look("sans", 7.8, "rules", "regular", fill="column", label_size=0.77, page=A4, page_number="head right"),
    ),
    Layout("wrapped-labels", Report(draw_wrapped, "decimal"), Look("serif", 9, "rules", fill="zebra")),
    Layout("wrapped-borderless", Report(draw_wrapped), Look("sans", 8, "none", "colored", label_size=0.85, page=TALL)),
    Layout("beside", Report(draw_beside), Look("serif", 7.5, "none", page=A4)),
    Layout("beside-titled", Report(draw_beside_titled, "decimal"), Look("sans", 7, "double", page=A4)),
    Layout("turned", Report(draw_text_cells), Look("sans", 9, "full", sheet="turned", page=(792, 612))),
    Layout("turned-columns", Report(draw_statement(), "notes"), Look("serif", 9, "columns", sheet="turned")),
    Layout("in-form", Report(draw_text_cells, "decimal"), Look("serif", 9, "full", sheet="form")),
    Layout("tight", Report(draw_statement(years=4, dollar=False)), Look("sans", 8, "rules", is_tight=True)),
    Layout("thin-spaces", Report(draw_statement(years=3), language="si"), Look("sans", 9, "rules", page=A4)),
    Layout(
        "over-columns",
        Report(draw_statement(dollar=False, groups=4, repeat=2), in_columns=True, table_in_columns=True),
        Look("serif", 8, "rules", page_number="foot center"),
    ),
    Layout("side-rules", Report(draw_statement(percents=True), "notes"), Look("serif", 9, "sides"), is_held_out=True),
    Layout(
        "side-by-side",
        Report(draw_beside),
        Look("sans", 6.5, "rules", "colored", label_size=0.85, page=A4),
        is_held_out=True,
    ),
    Layout(
        "dark-labels",
        Report(draw_quarters, "decimal", has_contents=True),
        Look("sans", 8.5, "none", "colored", fill="head"),
        is_held_out=True,
    ),
    Layout(
        "french",
        Report(draw_statement(years=3, notes=True), "decimal", language="fr"),
        Look("serif", 9, "double", "small-caps", page=A4, page_number="above rule"),
        is_held_out=True,
    ),
    Layout(
        "spanish",
        Report(draw_statement(years=2, percents=True, titled=True), "notes", language="es"),
        Look("sans", 8.5, "columns", "regular", fill="zebra", label_size=0.8, page=A4),
        is_held_out=True,
    ),
    Layout(
        "footnote-marks",
        Report(draw_statement(marks=True, years=3), "items"),
        Look("serif", 9.5, "rules", fill="column"),
        is_held_out=True,
    ),
    Layout(
        "drop-caps",
        Report(draw_segments, has_drop_caps=True, in_columns=True),
        Look("serif", 9, "thick", "regular", label_size=0.8),
        is_held_out=True,
    ),
    Layout(
        "leaders-typewriter",
        Report(draw_statement(years=2, titled=True), "items", has_contents=True),
        Look("serif", 8, "thick", leaders=True, is_typewriter=True, page_number="head right"),
        is_held_out=True,
    ),
    Layout(
        "labels-apart-signs",
        Report(draw_statement(years=3, spanned="(Millions)", groups=4, repeat=2), sections=2),
        Look("sans", 7.8, "none", labels_apart=True, label_size=0.77, signs_apart=True, fill="column"),
        is_held_out=True,
    ),
    Layout("beside-zebra", Report(draw_beside_titled), Look("serif", 7, "none", fill="zebra"), is_held_out=True),
    Layout("turned-rules", Report(draw_segments), Look("serif", 9, "rules", sheet="turned"), is_held_out=True),
    Layout(
        "form-columns", Report(draw_statement(), "notes"), Look("sans", 9, "columns", sheet="form"), is_held_out=True
    ),
    Layout("tight-borderless", Report(draw_quarters), Look("serif", 9, "none", is_tight=True), is_held_out=True),
    Layout(
        "swiss", Report(draw_statement(years=3, notes=True), language="ch"), Look("sans", 9, "none"), is_held_out=True
    ),
    Layout(
        "over-columns-full",
        Report(draw_statement(dollar=False, groups=4, repeat=2), in_columns=True, table_in_columns=True),
        Look("sans", 8, "full", "colored", repeats_labels=False, page=A4),
        is_held_out=True,
    ),
)


def can_print(layout: Layout, renderer: Renderer) -> bool:
    """Can the program print it?

    groff fills nothing, puts nothing side by side, and its columns are too wide for signs. Only some break tables
    between columns, and only browsers know how wide amounts are.
    """
    report, look = layout.report, layout.look
    if look.is_tight:
        return renderer in ("chromium", "weasyprint")
    if report.table_in_columns:
        return renderer in ("chromium", "weasyprint", "libreoffice")
    is_beside = report.draw in (draw_beside, draw_beside_titled)
    return renderer != "groff" or (look.fill == "none" and not look.signs_apart and not is_beside)


def printed(part: Part) -> list[tuple[Layout, Renderer]]:
    """Return which layouts are printed by which renderers in this part."""
    every = [(layout, renderer) for layout in LAYOUTS for renderer in (*TUNE, *HELD_OUT) if can_print(layout, renderer)]
    tune = [each for each in every if not each[0].is_held_out and each[1] in TUNE]
    return tune if part == "tune" else [each for each in every if each not in tune]
