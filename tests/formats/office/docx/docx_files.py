"""DOCX files for tests, written as raw XML: no library between a test and what Word would read.

docx(body)                 a file with this body and the parts of a usual document
p(text, style=...)         a paragraph; `run` and `pieces` for what is inside
table(rows)                a table of texts
convert(data)              its Markdown
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from crosshead.formats.office.docx import read_docx
from crosshead.options import ExtractOptions

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
NAMESPACES = (
    f'xmlns:w="{WORD}" xmlns:r="{RELATIONSHIPS}" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:schemas-microsoft-com:vml"'
)
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
CORE = "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties"


def style(id: str, name: str, inner: str = "", *, based_on: str = "", kind: str = "paragraph") -> str:
    """A style; `inner` holds its properties."""
    base = f'<w:basedOn w:val="{based_on}"/>' if based_on else ""
    return f'<w:style w:type="{kind}" w:styleId="{id}"><w:name w:val="{name}"/>{base}{inner}</w:style>'


def outline(level: int) -> str:
    """Properties with an outline level, which counts from 0."""
    return f'<w:pPr><w:outlineLvl w:val="{level}"/></w:pPr>'


STYLES = "".join(
    [
        *[style(f"Heading{level}", f"heading {level}") for level in range(1, 10)],
        style("Title", "Title"),
        style("Quote", "Quote"),
        style("SourceCode", "Source Code"),
        style("VerbatimChar", "Verbatim Char", kind="character"),
        style("Strong", "Strong", "<w:rPr><w:b/></w:rPr>", kind="character"),
    ]
)


def level(at: int, format: str, text: str = "", *, start: int = 1, more: str = "") -> str:
    """One level of a numbering definition."""
    return (
        f'<w:lvl w:ilvl="{at}"><w:start w:val="{start}"/><w:numFmt w:val="{format}"/>{more}'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
    )


def numbering(definitions: Mapping[int, str], lists: Mapping[int, tuple[int, str]]) -> str:
    """Levels by the id of their definition; lists with their definition and what they override."""
    abstract = [f'<w:abstractNum w:abstractNumId="{id}">{levels}</w:abstractNum>' for id, levels in definitions.items()]
    concrete = [
        f'<w:num w:numId="{id}"><w:abstractNumId w:val="{definition}"/>{more}</w:num>'
        for id, (definition, more) in lists.items()
    ]
    return "".join(abstract + concrete)


BULLETS = "".join(level(at, "bullet", "•") for at in range(9))
NUMBERS = "".join(level(at, "decimal", f"%{at + 1}.") for at in range(9))
NUMBERING = numbering({0: BULLETS, 1: NUMBERS}, {1: (0, ""), 2: (1, "")})
BULLET, NUMBER = 1, 2


def docx(
    body: str,
    *,
    styles: str = STYLES,
    numbering: str = NUMBERING,
    links: Mapping[str, str] | None = None,
    parts: Mapping[str, str] | None = None,
    title: str | None = None,
    prolog: str = "",
) -> bytes:
    """A DOCX file. `parts` are further ones, "footnotes" for example; `links` the targets by id."""
    files = {
        "_rels/.rels": _root_relationships(title is not None),
        "word/_rels/document.xml.rels": relationships(links or {}),
        "word/styles.xml": f"<w:styles {NAMESPACES}>{styles}</w:styles>",
        "word/numbering.xml": f"<w:numbering {NAMESPACES}>{numbering}</w:numbering>",
        "word/document.xml": f"{prolog}<w:document {NAMESPACES}><w:body>{body}</w:body></w:document>",
    }
    for name, content in (parts or {}).items():
        files[f"word/{name}.xml"] = f"<w:{name} {NAMESPACES}>{content}</w:{name}>"
    if title is not None:
        files["docProps/core.xml"] = (
            f'<c xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{escape(title)}</dc:title></c>'
        )
    return archive(files)


def archive(files: Mapping[str, str | bytes]) -> bytes:
    """A zip file of these parts."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, content in files.items():
            opened.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)  # without the time of the day
    return buffer.getvalue()


def parts_of(data: bytes) -> dict[str, bytes]:
    """The parts of a zip file, to be changed."""
    with zipfile.ZipFile(io.BytesIO(data)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def relationships(links: Mapping[str, str]) -> str:
    """Links of a part to other places, by id."""
    return f'<Relationships xmlns="{PACKAGE}">' + "".join(
        f'<Relationship Id="{id}" Type="{RELATIONSHIPS}/hyperlink" Target={quoteattr(target)} TargetMode="External"/>'
        for id, target in links.items()
    ) + "</Relationships>"  # fmt: skip


def _root_relationships(has_title: bool) -> str:
    core = f'<Relationship Id="r2" Type="{CORE}" Target="docProps/core.xml"/>' if has_title else ""
    return (
        f'<Relationships xmlns="{PACKAGE}"><Relationship Id="r1" Type="{RELATIONSHIPS}/officeDocument" '
        f'Target="word/document.xml"/>{core}</Relationships>'
    )


def run(text: str, properties: str = "") -> str:
    """A run of text."""
    given = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{given}<w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def p(text: str = "", *, style: str = "", properties: str = "", item: tuple[int, int] | None = None) -> str:
    """A paragraph of plain text; `item` is its list and level."""
    return pieces(run(text) if text else "", style=style, properties=properties, item=item)


def pieces(content: str, *, style: str = "", properties: str = "", item: tuple[int, int] | None = None) -> str:
    """A paragraph of runs and whatever else."""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    listed = f'<w:numPr><w:ilvl w:val="{item[1]}"/><w:numId w:val="{item[0]}"/></w:numPr>' if item else ""
    given = f"<w:pPr>{named}{listed}{properties}</w:pPr>" if named or listed or properties else ""
    return f"<w:p>{given}{content}</w:p>"


def cell(content: str, properties: str = "") -> str:
    """A cell of finished blocks."""
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{content}</w:tc>"


def row(*cells: str, properties: str = "") -> str:
    """A row of finished cells."""
    return f"<w:tr><w:trPr>{properties}</w:trPr>{''.join(cells)}</w:tr>"


def table(rows: Sequence[Sequence[str]]) -> str:
    """A table of texts."""
    return tbl(*[row(*[cell(p(text)) for text in texts]) for texts in rows])


def tbl(*rows: str) -> str:
    """A table of finished rows."""
    return f"<w:tbl><w:tblPr/>{''.join(rows)}</w:tbl>"


def warnings_of(data: bytes) -> tuple[str, ...]:
    """Return the warnings about a file."""
    return read_docx(data, ExtractOptions()).warnings


def convert(data: bytes, **options: Any) -> str:
    """Return the Markdown of a file."""
    return read_docx(data, ExtractOptions(**options)).text


def body(*blocks: str, **options: Any) -> str:
    """Return the Markdown of a document with these blocks."""
    return convert(docx("".join(blocks)), **options)
