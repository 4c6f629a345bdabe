"""Documents -> PDF, by every program that can print them."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
from collections.abc import Callable, Iterable, Sequence
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from . import fpdf, platypus, roff, tex, typeset
from .html import page_of
from .look import Look
from .model import Document, truth_of
from .odf import document_of
from .plan import Planned
from .sheets import finish

Print = Callable[[Sequence[Planned], Path], None]

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu"]
OFFICES = ("soffice", "libreoffice")
_FURNITURE = "font-size:7.5pt;width:100%;margin:0 56pt;display:flex;justify-content:space-between;"
_RULE = "border-bottom:.7pt solid #000;"
_MARGINS = {"top": "0.86in", "bottom": "0.86in", "left": "0.83in", "right": "0.83in"}


def find_program(names: Iterable[str]) -> str | None:
    """Return the first of these programs that is installed."""
    return next((found for name in names if (found := shutil.which(name))), None)


def has_module(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def render(planned: Iterable[Planned], folder: Path) -> list[str]:
    """Write every document as PDF, and its truth beside it; return the renderers that are not installed."""
    folder.mkdir(parents=True, exist_ok=True)
    documents = list(planned)
    missing: list[str] = []
    for name in dict.fromkeys(each.look.renderer for each in documents):
        chosen = [each for each in documents if each.look.renderer == name]
        is_installed, print_all = PRINTERS[name]
        if not is_installed():
            missing.append(name)
            continue
        print_all(chosen, folder)
        for each in chosen:
            finish(folder / f"{each.name}.pdf", each.look.sheet)
            truth = {**truth_of(each.document), "layout": each.layout, "renderer": name}
            text = json.dumps(truth, ensure_ascii=False, indent=1)
            (folder / f"{each.name}.json").write_text(text, encoding="utf-8")
    return missing


def _print(documents: Sequence[Planned], folder: Path) -> None:
    from playwright.sync_api import sync_playwright

    program = find_program(BROWSERS)
    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=program, args=FLAGS) as browser:
        page = browser.new_page()
        for each in documents:
            look = each.look
            page.set_content(page_of(each.document, look))
            page.pdf(
                path=folder / f"{each.name}.pdf",
                width=f"{look.page[0] / 72}in",
                height=f"{look.page[1] / 72}in",
                margin=_MARGINS,
                display_header_footer=bool(each.document.head or each.document.foot),
                header_template=_furniture(each.document, look, is_head=True),
                footer_template=_furniture(each.document, look, is_head=False),
                outline=look.outline,
                tagged=look.tagged or look.outline,
            )


def _furniture(document: Document, look: Look, *, is_head: bool) -> str:
    text = f"<span>{escape(document.head if is_head else document.foot)}</span>"
    number = '<span class="pageNumber"></span>'
    if is_head:
        return f'<div style="{_FURNITURE}">{text}{number if look.page_number == "head right" else ""}</div>'
    if look.page_number == "foot center":
        return f'<div style="{_FURNITURE}justify-content:center">{number}</div>'
    rule = _RULE if look.page_number == "above rule" else ""
    return f'<div style="{_FURNITURE}{rule}">{text}{"" if look.page_number == "head right" else number}</div>'


def _weave(documents: Sequence[Planned], folder: Path) -> None:
    from weasyprint import HTML

    for each in documents:
        html = page_of(each.document, each.look, _margin_boxes(each.document, each.look))
        HTML(string=html).write_pdf(folder / f"{each.name}.pdf")


def _margin_boxes(document: Document, look: Look) -> str:
    width, height = look.page
    number = {"head right": "top-right", "foot center": "bottom-center"}.get(look.page_number, "bottom-right")
    rule = _RULE if look.page_number == "above rule" else ""
    foot = f'@bottom-left {{content:"{document.foot}";{rule}}}' if look.page_number != "foot center" else ""
    return (
        # WeasyPrint cannot float a first letter in columns.
        ".drop::first-letter {float:none} "
        f"@page {{size:{width}pt {height}pt; margin:62pt 60pt; font-size:7.5pt; font-family:'{look.family}';"
        f'@top-left {{content:"{document.head}"}} {foot} @{number} {{content:counter(page);{rule}}}}}'
    )


def _export(documents: Sequence[Planned], folder: Path) -> None:
    program = find_program(OFFICES)
    for outline in (False, True):
        chosen = [each for each in documents if each.look.outline == outline]
        if not chosen or not program:
            continue
        with TemporaryDirectory() as sources:
            paths = [Path(sources, f"{each.name}.fodt") for each in chosen]
            for path, each in zip(paths, chosen, strict=True):
                path.write_text(document_of(each.document, each.look), encoding="utf-8")
            settings = {"ExportBookmarks": outline, "UseTaggedPDF": False}
            options = json.dumps({key: {"type": "boolean", "value": value} for key, value in settings.items()})
            subprocess.run(
                [
                    program, f"-env:UserInstallation=file://{sources}/profile", "--headless",
                    "--convert-to", f"pdf:writer_pdf_Export:{options}", "--outdir", str(folder), *map(str, paths),
                ],
                check=True,
                capture_output=True,
                timeout=600,
            )  # fmt: skip


PRINTERS: dict[str, tuple[Callable[[], bool], Print]] = {
    "chromium": (lambda: bool(find_program(BROWSERS)), _print),
    "libreoffice": (lambda: bool(find_program(OFFICES)), _export),
    "weasyprint": (lambda: has_module("weasyprint"), _weave),
    "reportlab": (lambda: has_module("reportlab"), platypus.print_all),
    "tex": (lambda: bool(find_program(["pdflatex"])), tex.print_all),
    "typst": (lambda: has_module("typst"), typeset.print_all),
    "groff": (lambda: bool(find_program(["groff"])), roff.print_all),
    "fpdf2": (lambda: has_module("fpdf"), fpdf.print_all),
}
"""Is it installed, and what prints documents with it."""
