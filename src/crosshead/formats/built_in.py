"""The formats that Crosshead reads: one declaration each, from which detection, limits and errors follow.

To add one, write its reader and declare it here; what its citations name is in `citation.spans`, because a search cites
documents without this room. Of two formats that could claim the same bytes, the later one is asked first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from crosshead.formats import detection
from crosshead.formats.registry import Extra, Format

MIB: Final = 1 << 20
OFFICE_BYTES: Final = 256 * MIB
"""A large file of these formats is mostly pictures, which are not read."""
MARKUP_LINES: Final = 200_000
"""Reading more takes longer than five seconds, whatever the lines hold."""
TABLE_LINES: Final = 400_000
_MAN_SECTIONS: Final = tuple(f".{section}" for section in range(1, 10))

_DOCUMENTS: Final = (
    Format(
        name="markdown",
        reader="crosshead.formats.markup.markdown:read_markdown",
        suffixes=(".md", ".markdown", ".mdown", ".mkd"),
        aliases=("md",),
        recognize="crosshead.formats.text.plain.markdown:recognize_markdown",
    ),
    Format(
        name="mdx",
        reader="crosshead.formats.markup.markdown:read_markdown",
        suffixes=(".mdx",),
    ),
    Format(
        name="html",
        reader="crosshead.formats.markup.html:read_html",
        suffixes=(".html", ".htm", ".xhtml"),
        aliases=("xhtml",),
        detect=detection.is_html,
    ),
    Format(
        name="docx",
        reader="crosshead.formats.office.docx:read_docx",
        suffixes=(".docx", ".docm", ".dotx"),
        aliases=("word",),
        detect=detection.is_docx,
        max_bytes=OFFICE_BYTES,
    ),
    Format(
        name="pdf",
        reader="crosshead.formats.pdf.recognition:read_pdf",
        suffixes=(".pdf",),
        detect=detection.is_pdf,
        max_bytes=OFFICE_BYTES,
    ),
    Format(
        name="csv",
        reader="crosshead.formats.text.csv:read_csv",
        suffixes=(".csv",),
        max_bytes=32 * MIB,
        max_lines=TABLE_LINES,
    ),
    Format(
        name="tsv",
        reader="crosshead.formats.text.csv:read_tsv",
        suffixes=(".tsv", ".tab"),
        max_bytes=32 * MIB,
        max_lines=TABLE_LINES,
    ),
    Format(
        name="text",
        reader="crosshead.formats.text.plain:read_plain",
        suffixes=(".txt", ".text"),
        aliases=("txt", "plain"),
        max_bytes=16 * MIB,
    ),
    Format(
        name="rst",
        reader="crosshead.formats.markup.rst:read_rst",
        suffixes=(".rst", ".rest"),
        aliases=("restructuredtext", "rest"),
        max_bytes=4 * MIB,
        max_lines=MARKUP_LINES,
        recognize="crosshead.formats.markup.rst.recognition:recognize_rst",
    ),
    Format(
        name="notebook",
        reader="crosshead.formats.markup.notebook:read_notebook",
        suffixes=(".ipynb",),
        aliases=("ipynb", "jupyter"),
        detect=detection.is_notebook,
    ),
    Format(
        name="pptx",
        reader="crosshead.formats.office.pptx:read_pptx",
        suffixes=(".pptx", ".pptm", ".ppsx"),
        aliases=("powerpoint",),
        detect=detection.is_pptx,
        max_bytes=OFFICE_BYTES,
    ),
    Format(
        name="xlsx",
        reader="crosshead.formats.office.xlsx:read_xlsx",
        suffixes=(".xlsx", ".xlsm"),
        aliases=("excel",),
        detect=detection.is_xlsx,
        max_bytes=OFFICE_BYTES,
    ),
    Format(
        name="epub",
        reader="crosshead.formats.markup.epub:read_epub",
        suffixes=(".epub",),
        detect=detection.is_epub,
        max_bytes=OFFICE_BYTES,
    ),
    Format(
        name="odt",
        reader="crosshead.formats.office.opendocument.odt:read_odt",
        suffixes=(".odt", ".ott", ".fodt"),
        detect=detection.is_odt,
        max_bytes=OFFICE_BYTES,
    ),
    Format(
        name="ods",
        reader="crosshead.formats.office.opendocument.ods:read_ods",
        suffixes=(".ods", ".ots", ".fods"),
        detect=detection.is_ods,
        max_bytes=OFFICE_BYTES,
    ),
    Format(
        name="odp",
        reader="crosshead.formats.office.opendocument.odp:read_odp",
        suffixes=(".odp", ".otp", ".fodp"),
        detect=detection.is_odp,
        max_bytes=OFFICE_BYTES,
    ),
    Format(
        name="rtf",
        reader="crosshead.formats.office.rtf:read_rtf",
        suffixes=(".rtf",),
        detect=detection.begins_with(b"{\\rtf"),
    ),
    Format(
        name="doc",
        reader="crosshead.formats.office.converted:read_doc",
        suffixes=(".doc", ".dot"),
        detect=detection.has_stream("WordDocument"),
    ),
    Format(
        name="ppt",
        reader="crosshead.formats.office.converted:read_ppt",
        suffixes=(".ppt", ".pps"),
        detect=detection.has_stream("PowerPoint Document"),
        max_bytes=OFFICE_BYTES,
    ),
    Format(
        name="xls",
        reader="crosshead.formats.office.xls:read_xls",
        suffixes=(".xls", ".xlt"),
        detect=detection.is_xls,
        max_bytes=32 * MIB,
        extra=Extra("xls", module="xlrd", purpose="old Excel files (.xls)"),
    ),
    Format(
        name="email",
        reader="crosshead.formats.mail.eml:read_email",
        suffixes=(".eml",),
        aliases=("eml",),
        detect=detection.is_email,
        members="crosshead.formats.mail.attachments:list_of_email",
    ),
    Format(
        name="msg",
        reader="crosshead.formats.mail.msg:read_msg",
        suffixes=(".msg",),
        aliases=("outlook",),
        detect=detection.has_stream("__properties_version1.0"),
        max_bytes=OFFICE_BYTES,
        members="crosshead.formats.mail.attachments:list_of_msg",
    ),
    Format(
        name="image",
        reader="crosshead.formats.scans.images:read_image",
        suffixes=(".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".webp", ".gif"),
        detect=detection.is_image,
        kind="image",
        extra=Extra("ocr", module="rapidocr", purpose="text of scanned pages and images"),
    ),
    Format(
        name="zip",
        reader="crosshead.formats.archives:read_zip",
        suffixes=(".zip",),
        max_bytes=4096 * MIB,
        kind="archive",
        members="crosshead.formats.archives:list_zip",
    ),
    Format(
        name="subtitles",
        reader="crosshead.formats.text.subtitles:read_subtitles",
        suffixes=(".vtt", ".srt"),
        aliases=("vtt", "srt", "webvtt", "subrip"),
        detect=detection.is_webvtt,
        max_bytes=16 * MIB,
    ),
    Format(
        name="asciidoc",
        reader="crosshead.formats.markup.asciidoc:read_asciidoc",
        suffixes=(".adoc", ".asciidoc", ".asc"),
        aliases=("adoc",),
        max_bytes=2 * MIB,
        max_lines=MARKUP_LINES,
        recognize="crosshead.formats.markup.asciidoc.recognition:recognize_asciidoc",
        expand="crosshead.formats.markup.asciidoc.includes:expand",
    ),
    Format(
        name="man",
        reader="crosshead.formats.markup.man:read_man",
        suffixes=(*_MAN_SECTIONS, ".1p", ".3p", ".3pm", ".3perl", ".3tcl", ".man", ".mdoc"),
        aliases=("mdoc", "roff", "troff"),
        detect=detection.is_man,
        max_bytes=8 * MIB,
        is_sniffed=True,
    ),
    Format(
        name="org",
        reader="crosshead.formats.markup.org:read_org",
        suffixes=(".org",),
        aliases=("orgmode",),
        max_bytes=4 * MIB,
        max_lines=MARKUP_LINES,
    ),
    Format(
        name="latex",
        reader="crosshead.formats.markup.latex:read_latex",
        suffixes=(".tex", ".latex", ".ltx"),
        aliases=("tex",),
        max_bytes=2 * MIB,
    ),
)

_CODE: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "python": ((".py", ".pyi", ".pyw"), ("py",)),
    "javascript": ((".js", ".jsx", ".mjs", ".cjs"), ("js",)),
    "typescript": ((".ts", ".tsx", ".mts", ".cts"), ("ts",)),
    "java": ((".java",), ()),
    "c": ((".c", ".h"), ()),
    "cpp": ((".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx"), ("c++",)),
    "csharp": ((".cs",), ("c#",)),
    "go": ((".go",), ("golang",)),
    "rust": ((".rs",), ()),
    "ruby": ((".rb",), ()),
    "php": ((".php",), ()),
    "shell": ((".sh", ".bash", ".zsh"), ("bash",)),
    "sql": ((".sql",), ()),
}
"""Suffixes and aliases of each language."""

_DATA: Final[Mapping[str, tuple[str, ...]]] = {
    "json": (".json", ".jsonl", ".ndjson", ".json5"),
    "yaml": (".yaml", ".yml"),
    "xml": (".xml",),
    "log": (".log",),
}

BUILT_IN: Final = (
    *_DOCUMENTS,
    *(
        Format(
            name=language,
            reader=f"crosshead.formats.text.source:read_source:{language}",
            suffixes=suffixes,
            aliases=aliases,
            kind="code",
            max_bytes=4 * MIB,
            max_lines=MARKUP_LINES,
        )
        for language, (suffixes, aliases) in _CODE.items()
    ),
    *(
        Format(
            name=name,
            reader=f"crosshead.formats.text.source:read_source:{name}",
            suffixes=suffixes,
            kind="data",
            max_bytes=16 * MIB,
        )
        for name, suffixes in _DATA.items()
    ),
    Format(
        name="toml",
        reader="crosshead.formats.text.source:read_source:toml",
        suffixes=(".toml",),
        kind="data",
        max_bytes=16 * MIB,
        max_lines=MARKUP_LINES,
    ),
)
