"""HTML and OpenDocument -> PDF, by a browser and by LibreOffice."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from .html import page_of
from .model import truth_of
from .odf import document_of
from .plan import Planned

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu"]
OFFICES = ("soffice", "libreoffice")
_FURNITURE = "font-size:7.5pt;width:100%;padding:0 56pt;display:flex;justify-content:space-between"
_MARGINS = {"top": "0.86in", "bottom": "0.86in", "left": "0.83in", "right": "0.83in"}


def find_program(names: Iterable[str]) -> str | None:
    """Return the first of these programs that is installed."""
    return next((found for name in names if (found := shutil.which(name))), None)


def render(planned: Iterable[Planned], folder: Path) -> None:
    """Write every document as PDF, and its truth beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    documents = list(planned)
    for each in documents:
        truth = json.dumps(truth_of(each.document), ensure_ascii=False, indent=1)
        (folder / f"{each.name}.json").write_text(truth, encoding="utf-8")
    _print(browser := [each for each in documents if each.look.renderer == "chromium"], folder)
    _export([each for each in documents if each not in browser], folder)


def _print(documents: list[Planned], folder: Path) -> None:
    if not documents:
        return
    from playwright.sync_api import sync_playwright

    program = find_program(BROWSERS)
    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=program, args=FLAGS) as browser:
        page = browser.new_page()
        for name, document, look in documents:
            page.set_content(page_of(document, look))
            page.pdf(
                path=folder / f"{name}.pdf",
                format="Letter",
                margin=_MARGINS,
                display_header_footer=bool(document.head or document.foot),
                header_template=f'<div style="{_FURNITURE}"><span>{escape(document.head)}</span></div>',
                footer_template=f'<div style="{_FURNITURE}"><span>{escape(document.foot)}</span>'
                '<span class="pageNumber"></span></div>',
                outline=look.outline,
                tagged=look.tagged or look.outline,
            )


def _export(documents: list[Planned], folder: Path) -> None:
    program = find_program(OFFICES)
    for outline in (False, True):
        chosen = [each for each in documents if each.look.outline == outline]
        if not chosen or not program:
            continue
        with TemporaryDirectory() as sources:
            paths = [Path(sources, f"{name}.fodt") for name, _, _ in chosen]
            for path, (_, document, look) in zip(paths, chosen, strict=True):
                path.write_text(document_of(document, look), encoding="utf-8")
            settings = {"ExportBookmarks": outline, "UseTaggedPDF": False}
            options = json.dumps({key: {"type": "boolean", "value": value} for key, value in settings.items()})
            subprocess.run(
                [
                    program, f"-env:UserInstallation=file://{sources}/profile", "--headless",
                    "--convert-to", f"pdf:writer_pdf_Export:{options}", "--outdir", str(folder), *map(str, paths),
                ],
                check=True,
                capture_output=True,
                timeout=300,
            )  # fmt: skip
