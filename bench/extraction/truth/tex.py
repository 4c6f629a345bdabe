"""Documents -> PDF by LaTeX."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from .cells import Cell, Drawn, Row, draw
from .look import DARK, SHADE, Look
from .model import Beside, Block, Boxes, Break, Code, Columns, Contents, Document, Heading, Items, Paragraph, Table

if TYPE_CHECKING:
    from .plan import Planned

_ESCAPES = str.maketrans({
    **{sign: f"\\{sign}" for sign in "$%&#_{}"},
    "•": r"\textbullet{}", "—": "---", "–": "--", "’": "'", "\u202f": "~", "\u00a0": "~", "\u2009": r"\,",
    "€": r"\texteuro{}",
})  # fmt: skip


def print_all(documents: Sequence[Planned], folder: Path) -> None:
    for each in documents:
        with TemporaryDirectory() as scratch:
            source = Path(scratch, f"{each.name}.tex")
            source.write_text(source_of(each.document, each.look), encoding="utf-8")
            command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", source.name]
            for _ in range(2):  # longtable finds its widths in the second run
                done = subprocess.run(command, check=False, cwd=scratch, capture_output=True, text=True, timeout=120)
                if done.returncode:
                    raise RuntimeError(f"{each.name}: {done.stdout[-800:]}")
            (folder / f"{each.name}.pdf").write_bytes(source.with_suffix(".pdf").read_bytes())


def source_of(document: Document, look: Look) -> str:
    """Return the whole source."""
    body = "\n\n".join([_block(block, look, look.width) for block in [*document.cover, *document.blocks]])
    return rf"""\documentclass{{article}}
\usepackage[T1]{{fontenc}}\usepackage[utf8]{{inputenc}}\usepackage{{lmodern,textcomp}}
\usepackage[paperwidth={look.page[0]}bp,paperheight={look.page[1]}bp,hmargin=60bp,vmargin=62bp]{{geometry}}
\usepackage[table]{{xcolor}}\usepackage{{array,longtable,multicol,fancyhdr}}
\definecolor{{shade}}{{HTML}}{{{SHADE[1:].upper()}}}\definecolor{{dark}}{{HTML}}{{{DARK[1:].upper()}}}
\definecolor{{heading}}{{HTML}}{{{"1A4D8F" if look.headings == "colored" else "000000"}}}
\setlength{{\parindent}}{{0pt}}\setlength{{\parskip}}{{6pt}}\setlength{{\LTpre}}{{4pt}}\setlength{{\LTpost}}{{8pt}}
\renewcommand{{\arraystretch}}{{1.1}}
{_furniture(document, look)}
\begin{{document}}\pagestyle{{fancy}}{_family(look)}{_size(look, 1)}
{body}
\end{{document}}
"""


def _family(look: Look) -> str:
    return r"\sffamily" if look.font == "sans" else ""


def _size(look: Look, size: float) -> str:
    points = look.size * size
    return rf"\fontsize{{{points:.2f}}}{{{1.25 * points:.2f}}}\selectfont "


def _furniture(document: Document, look: Look) -> str:
    number = {"head right": r"\rhead", "foot center": r"\cfoot"}.get(look.page_number, r"\rfoot")
    foot = rf"\lfoot{{\small {_escape(document.foot)}}}" if look.page_number in ("above rule", "foot right") else ""
    # LaTeX draws the rule of the foot above its text; the one here is below it.
    below = r"\\[-6pt]\rule{\textwidth}{.5pt}" if look.page_number == "above rule" else ""
    if below:
        foot = rf"\fancyfoot[C]{{\small {_escape(document.foot)} \hfill \thepage{below}}}"
    number = "" if below else rf"{number}{{\small \thepage}}"
    rules = r"\renewcommand{\headrulewidth}{0pt}"
    return rf"\fancyhf{{}}{rules}\lhead{{\small {_escape(document.head)}}}{foot}{number}"


def _escape(text: str) -> str:
    return text.translate(_ESCAPES)


def _block(block: Block, look: Look, width: float) -> str:
    match block:
        case Heading():
            return _heading(block, look)
        case Paragraph():
            lead = rf"\textbf{{{_escape(block.lead)}}} " if block.lead else ""
            size = _size(look, 0.85) if block.is_small else ""
            return rf"{{{size}{lead}{_escape(block.text)}\par}}"
        case Items():
            name = "enumerate" if block.is_ordered else "itemize"
            items = "\n".join([rf"\item {_escape(text)}" for text in block.texts])
            return rf"\begin{{{name}}}{items}\end{{{name}}}"
        case Code():
            return "\\begin{verbatim}\n" + "\n".join(block.lines) + "\n\\end{verbatim}"
        case Columns():
            inner = "\n\n".join([_block(each, look, width / 2 - 9) for each in block.blocks])
            return rf"\begin{{multicols}}{{2}}{inner}\end{{multicols}}"
        case Break():
            return r"\clearpage " + (
                rf"\begin{{center}}\textbf{{{_escape(block.head)}}}\end{{center}}" * bool(block.head)
            )
        case Table():
            return _titles(block) + _table(block, look, width, "longtable")
        case Beside():
            half = width * 0.47
            halves = [
                rf"\begin{{minipage}}[t]{{{half}pt}}{_titles(each)}{_table(each, look, half, 'tabular')}"
                r"\end{minipage}"
                for each in (block.left, block.right)
            ]
            return rf"\noindent {halves[0]}\hfill {halves[1]}\par"
        case Contents():
            return _contents(block)
        case Boxes():
            raise NotImplementedError("forms are printed by other renderers")


def _heading(heading: Heading, look: Look) -> str:
    weight = r"\bfseries" if look.bold else r"\scshape" if look.headings == "small-caps" else ""
    align = r"\centering" if look.headings == "centered" else r"\raggedright"
    size = _size(look, look.sizes[heading.level - 1])
    return (
        rf"\vspace{{10pt}}{{{align}{size}{weight}\color{{heading}}{_escape(heading.text)}\par}}\nobreak\vspace{{2pt}}"
    )


def _contents(contents: Contents) -> str:
    lines = [rf"\begin{{center}}\textbf{{{_escape(contents.title)}}}\end{{center}}"]
    for entry, place in zip(contents.entries, contents.places, strict=True):
        lines.append(rf"\hspace*{{{12 * (entry.level - 2)}pt}}{_escape(entry.text)} \dotfill\ {place}\par")
    return "\n".join(lines)


def _titles(table: Table) -> str:
    lines = r"\\".join([_escape(line) for line in table.title])
    return rf"\begin{{center}}\bfseries {lines}\end{{center}}\nopagebreak " if lines else ""


def _table(table: Table, look: Look, width: float, environment: str) -> str:
    drawn = draw(table, look)
    if look.labels_apart:
        parts = [
            Drawn([row for row in drawn.rows if row.is_head is is_head], drawn.shares) for is_head in (True, False)
        ]
        return "\n\n".join([_drawn(part, look, width, environment) for part in parts])
    return _drawn(drawn, look, width, environment)


def _drawn(drawn: Drawn, look: Look, width: float, environment: str) -> str:
    gap = 1.0 if look.signs_apart else 4.0
    rules = look.borders in ("full", "columns")
    columns = "".join(
        [_column(share * width - 2 * gap, number, drawn, rules) for number, share in enumerate(drawn.shares)]
    )
    edge = "|" if rules or look.borders == "sides" else ""
    closed = edge if not columns.startswith("|") else ""
    lines = [_row(row, number, drawn, look) for number, row in enumerate(drawn.rows)]
    if look.repeats_labels and drawn.heads and environment == "longtable":
        lines.insert(drawn.heads, r"\endhead")
    top = {"full": r"\hline", "columns": r"\hline", "thick": _thick(drawn)}.get(look.borders, "")
    bottom = {"full": "", "columns": r"\hline", "thick": r"\noalign{\hrule height 2pt}"}.get(look.borders, "")
    mono = r"\ttfamily" if look.is_typewriter else ""
    body = "\n".join(lines)
    return (
        rf"{{{mono}\setlength{{\tabcolsep}}{{{gap}bp}}\begin{{{environment}}}{{{closed}{columns}{edge}}}{top}"
        f"\n{body}\n{bottom}"
        rf"\end{{{environment}}}}}"
    )


def _thick(drawn: Drawn) -> str:
    return r"\noalign{\hrule height 2pt}" if drawn.heads else ""


def _column(points: float, number: int, drawn: Drawn, rules: bool) -> str:
    rule = "|" if rules and number in drawn.starts else ""
    is_text = any(cell.column == number and cell.kind in ("text", "end") for row in drawn.rows for cell in row.cells)
    align = r"\raggedright" if is_text or not number else r"\raggedleft"
    return rf"{rule}>{{{align}\arraybackslash}}p{{{points:.1f}bp}}"


def _row(row: Row, number: int, drawn: Drawn, look: Look) -> str:
    cells = [_cell(cell, row, look) for cell in row.cells]
    color = r"\rowcolor{shade}" if look.fill == "zebra" and (number - drawn.heads) % 2 == 1 else ""
    color = r"\rowcolor{dark}" if look.fill == "head" and row.is_head else color
    last = len(drawn.shares)
    above = rf"\cline{{2-{last}}}" if row.is_total and look.borders in ("rules", "double") else ""
    below = r"\hline" if look.borders == "full" else ""
    if row.is_total and look.borders == "double":
        below = rf"\cline{{2-{last}}}\noalign{{\vskip 1.5pt}}\cline{{2-{last}}}"
    if number == drawn.heads - 1:
        below = {"rules": rf"\cline{{2-{last}}}", "double": rf"\cline{{2-{last}}}", "columns": r"\hline",
                 "thick": r"\noalign{\hrule height 2pt}"}.get(look.borders, below)  # fmt: skip
    return rf"{above}{color}{' & '.join(cells)} \tabularnewline{below}"


def _cell(cell: Cell, row: Row, look: Look) -> str:
    text = _escape(cell.text).replace("\n", r"\newline ")
    if cell.mark:
        text += rf"\textsuperscript{{{_escape(cell.mark)}}}"
    if text and (row.is_head or row.is_total):
        text = rf"\textbf{{{text}}}" if r"\newline" not in text else rf"\bfseries {text}"
    if row.is_head:
        text = _size(look, look.label_size) + (r"\color{white}" if look.fill == "head" else "") + text
    if cell.indent:
        text = rf"\hspace*{{9bp}}{text}"
    if cell.is_current and look.fill == "column":
        text = rf"\cellcolor{{shade}}{text}"
    if cell.span == 1:
        return text
    if cell.kind == "span":
        return rf"\multicolumn{{{cell.span}}}{{c}}{{{text}}}"
    return rf"\multicolumn{{{cell.span}}}{{r}}{{{text}}}"
