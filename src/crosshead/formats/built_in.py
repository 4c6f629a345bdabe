"""The formats that are known without the user's doing, and their readers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from crosshead.formats import detection
from crosshead.formats.registry import Format, Kind

PACKED_BYTES: Final = 256 << 20
"""Most of a large file of these formats are pictures, which are not read."""

Suffixes = Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]
"""Suffixes and aliases of formats that are read as lines of text."""
CODE: Final[Suffixes] = {
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
DATA: Final[Suffixes] = {
    "json": ((".json", ".jsonl", ".ndjson", ".json5"), ()),
    "yaml": ((".yaml", ".yml"), ()),
    "toml": ((".toml",), ()),
    "xml": ((".xml",), ()),
    "log": ((".log",), ()),
}


def _reader(name: str) -> str:
    return f"crosshead.formats.{name}"


def _read_as_lines(formats: Suffixes, kind: Kind, max_bytes: int) -> list[Format]:
    return [
        Format(name, _reader(f"source:read_{name}"), suffixes, aliases, max_bytes=max_bytes, kind=kind)
        for name, (suffixes, aliases) in formats.items()
    ]


BUILT_IN: Final = (
    Format(
        "markdown",
        _reader("markdown:read_markdown"),
        (".md", ".markdown", ".mdown", ".mkd"),
        ("md",),
        recognize=_reader("plain.markdown:recognize_markdown"),
    ),
    Format("mdx", _reader("markdown:read_markdown"), (".mdx",)),
    Format("html", _reader("html:read_html"), (".html", ".htm", ".xhtml"), ("xhtml",), detection.is_html),
    Format(
        "docx",
        _reader("docx:read_docx"),
        (".docx", ".docm", ".dotx"),
        ("word",),
        detection.is_docx,
        PACKED_BYTES,
    ),
    Format("pdf", _reader("pdf.recognition:read_pdf"), (".pdf",), (), detection.is_pdf, PACKED_BYTES),
    Format("csv", _reader("csv:read_csv"), (".csv",), max_bytes=32 << 20),
    Format("tsv", _reader("csv:read_tsv"), (".tsv", ".tab"), max_bytes=32 << 20),
    Format("text", _reader("plain:read_plain"), (".txt", ".text"), ("txt", "plain"), max_bytes=16 << 20),
    Format(
        "rst",
        _reader("rst:read_rst"),
        (".rst", ".rest"),
        ("restructuredtext", "rest"),
        max_bytes=4 << 20,
        recognize=_reader("rst.recognition:recognize_rst"),
    ),
    Format("notebook", _reader("notebook:read_notebook"), (".ipynb",), ("ipynb", "jupyter"), detection.is_notebook),
    Format(
        "pptx",
        _reader("pptx:read_pptx"),
        (".pptx", ".pptm", ".ppsx"),
        ("powerpoint",),
        detection.is_pptx,
        PACKED_BYTES,
    ),
    Format("xlsx", _reader("xlsx:read_xlsx"), (".xlsx", ".xlsm"), ("excel",), detection.is_xlsx, PACKED_BYTES),
    Format("epub", _reader("epub:read_epub"), (".epub",), (), detection.is_epub, PACKED_BYTES),
    Format("odt", _reader("opendocument.odt:read_odt"), (".odt", ".ott", ".fodt"), (), detection.is_odt, PACKED_BYTES),
    Format("ods", _reader("opendocument.ods:read_ods"), (".ods", ".ots", ".fods"), (), detection.is_ods, PACKED_BYTES),
    Format("odp", _reader("opendocument.odp:read_odp"), (".odp", ".otp", ".fodp"), (), detection.is_odp, PACKED_BYTES),
    Format("rtf", _reader("rtf:read_rtf"), (".rtf",), (), detection.is_rtf),
    Format("doc", _reader("office.converted:read_doc"), (".doc", ".dot"), (), detection.is_doc),
    Format("ppt", _reader("office.converted:read_ppt"), (".ppt", ".pps"), (), detection.is_ppt, PACKED_BYTES),
    Format("xls", _reader("xls:read_xls"), (".xls", ".xlt"), (), detection.is_xls, max_bytes=32 << 20),
    Format(
        "email",
        _reader("mail.eml:read_email"),
        (".eml",),
        ("eml",),
        detection.is_email,
        members=_reader("mail.attachments:list_of_email"),
    ),
    Format(
        "msg",
        _reader("mail.msg:read_msg"),
        (".msg",),
        ("outlook",),
        detection.is_msg,
        PACKED_BYTES,
        members=_reader("mail.attachments:list_of_msg"),
    ),
    Format(
        "image",
        _reader("images:read_image"),
        (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".webp", ".gif"),
        (),
        detection.is_image,
        kind="image",
    ),
    Format(
        "zip",
        _reader("archives:read_zip"),
        (".zip",),
        max_bytes=4 << 30,
        kind="archive",
        members=_reader("archives:list_zip"),
    ),
    Format(
        "subtitles",
        _reader("subtitles:read_subtitles"),
        (".vtt", ".srt"),
        ("vtt", "srt", "webvtt", "subrip"),
        detection.is_webvtt,
        16 << 20,
    ),
    Format(
        "asciidoc",
        _reader("asciidoc:read_asciidoc"),
        (".adoc", ".asciidoc", ".asc"),
        ("adoc",),
        max_bytes=2 << 20,
        recognize=_reader("asciidoc.recognition:recognize_asciidoc"),
        expand=_reader("asciidoc.includes:expand"),
    ),
    Format(
        "man",
        _reader("man:read_man"),
        (*(f".{section}" for section in range(1, 10)), ".1p", ".3p", ".3pm", ".3perl", ".3tcl", ".man", ".mdoc"),
        ("mdoc", "roff", "troff"),
        detection.is_man,
        8 << 20,
        is_sniffed=True,
    ),
    Format("org", _reader("org:read_org"), (".org",), ("orgmode",), max_bytes=4 << 20),
    Format("latex", _reader("latex:read_latex"), (".tex", ".latex", ".ltx"), ("tex",), max_bytes=2 << 20),
    *_read_as_lines(CODE, "code", 4 << 20),
    *_read_as_lines(DATA, "data", 16 << 20),
)
