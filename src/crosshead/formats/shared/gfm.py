"""The one writer of Markdown syntax: every reader makes its Markdown with these functions.

Text that looks like Markdown stays text: `escape` guards what is special inside a line, `escape_start` what is special
at its beginning; for plain text, `guard_start` keeps only its blocks what they are. A cell of a table is a single line,
in which `<br>` breaks the line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence

BOUNDARY = "\0"
"""Texts joined with this can be escaped together, as if each were next to arbitrary text."""

_ALWAYS_SPECIAL = "\\`*[]"
"""Begins with the backslash, so that added ones are not doubled."""
_SOMETIMES_SPECIAL = {  # entities come before underscores, which may be in them
    "&": re.compile(r"&(?=#?\w{1,31};)"),
    "<": re.compile(r"<(?=[A-Za-z/!?\0]|\Z)"),
    "_": re.compile(r"_(?:(?<![^\W_]_)|(?![^\W_]))"),
    "~": re.compile(r"~(?:(?=~)|(?<=~~))"),
}
_SPECIAL_START = re.compile(
    r"^([ \t]*)(?:(\d{1,9})(?=[.)](?:\s|$))"
    r"|(?=#{1,6}(?:\s|$)|[-+](?:\s|$)|>|=+[ \t]*$|\+{3}[ \t]*$|\$\$|[-:|][-:| \t]+$))",
    re.M,
)
_BLOCK_START = re.compile(
    r"(?:\d{1,9}(?=[.)](?:\s|$))|\[?(?:\\.|[^\[\]\\])*+\](?=:)"
    r"|(?=#{1,6}(?:\s|$)|[-+*](?:\s|$)|>|=+[ \t]*$|\+{3}[ \t]*$|\$\$|[-:|][-:| \t]+$|`{3}|~{3}|<[A-Za-z/!?]"
    r"|(?:\*[ \t]*){3,}+$|(?:_[ \t]*){3,}+$|\\(?:\[|begin\{)))"
).match
"""Ends where a backslash keeps a line from opening a block; a label of a link may have begun on the line above."""
_MATH_START = re.compile(r"^([ \t]*)\\(?=\[)", re.M)
_BACKTICKS = re.compile("`+")
_TARGET_SPECIAL = re.compile(r"[\s()<>\\`\x00-\x1f]")
_PLAIN_TARGET = re.compile(r"[\w/.:#?=%+,@~!*-]*\Z", re.A)
_TARGET_ENTITY = re.compile(r"&(?=#?\w{1,31};)")
_FENCE_OR_HEADING = re.compile(r"(`{3,}|~{3,})|#{1,6} ")
_LIKE_LINK_DEFINITION = re.compile(r"""\S+(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*(?:\n|$)""")
_NEWLINES = re.compile(r"(?<![ \t])[ \t]*\n[ \t]*")


def escape(text: str) -> str:
    r"""Escape what would become markup inside a line.

    >>> print(escape("2*3 <b> snake_case _x_"))
    2\*3 \<b> snake_case \_x\_
    """
    for character in _ALWAYS_SPECIAL:
        if character in text:
            text = text.replace(character, f"\\{character}")
    for character, pattern in _SOMETIMES_SPECIAL.items():
        if character in text:
            text = pattern.sub(rf"\\{character}", text)
    return text


def escape_start(text: str) -> str:
    r"""Escape what would become a heading, list, quote, rule or table at the beginning of a line.

    >>> print(escape_start("1. first"))
    1\. first
    """
    if text[:1].isalpha() and "\n" not in text:
        return text
    if "\\[" in text:  # would open a formula; what closes a bracket is escaped too, so the bracket may stay bare
        text = _MATH_START.sub(r"\1", text)
    return _SPECIAL_START.sub(r"\1\2\\", text)


def guard_start(text: str) -> str:
    r"""Escape what would open another block at the beginning of a line; the rest stays searchable as it is.

    >>> print(guard_start("# of __init__(*args)"))
    \# of __init__(*args)
    """
    if text[:1].isalpha() and "]:" not in text:
        return text
    found = _BLOCK_START(text)
    return f"{found[0]}\\{text[found.end() :]}" if found else text


def front_matter(values: Mapping[str, object]) -> str:
    """Return front matter. Values are JSON, which is YAML without special quoting rules."""
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in values.items() if value]
    return "\n".join(["---", *lines, "---"]) if lines else ""


def heading(level: int, text: str) -> str:
    """Return a heading on one line, of level 1 to 6."""
    text = _NEWLINES.sub(" ", text).strip()
    closing = "\\" if text.endswith("#") else ""
    if closing:
        bare = text.rstrip("#")
        text = f"{bare}{closing}{text[len(bare) :]}"
    return f"{'#' * max(1, min(level, 6))} {text}"


def code_span(text: str) -> str:
    """Return inline code with the text unchanged."""
    if "\n" in text:
        text = text.replace("\n", " ")
    if "`" not in text and text[:1] != " ":
        return f"`{text}`"
    mark = "`"
    runs = {len(run) for run in _BACKTICKS.findall(text)}
    while len(mark) in runs:
        mark += "`"
    pad = " " if text[:1] == "`" or text[-1:] == "`" or (text[:1] == text[-1:] == " " and text.strip()) else ""
    return f"{mark}{pad}{text}{pad}{mark}"


def fence(code: str, lang: str = "") -> str:
    """Return a fenced code block; newlines around the text are dropped."""
    code = code.strip("\n")
    longest = max(map(len, _BACKTICKS.findall(code))) if "`" in code else 0
    mark = "`" * max(3, longest + 1)
    return f"{mark}{lang}\n{code}\n{mark}"


def math(tex: str) -> str:
    """Return an inline formula."""
    return f"${' '.join(tex.split())}$"


def math_block(tex: str) -> str:
    """Return a display formula, without blank lines, which would end it."""
    lines = [line.rstrip() for line in tex.split("\n") if line.strip()]
    return "\n".join(["$$", *lines, "$$"])


def rule() -> str:
    """Return a thematic break, which cannot be read as the underline of a heading."""
    return "***"


def mark(text: str, sign: str) -> str:
    """Return text in emphasis marks, with surrounding spaces outside them; blank text is unchanged."""
    bare = text.strip()
    if not bare:
        return text
    start = text.index(bare)
    return f"{text[:start]}{sign}{bare}{sign}{text[start + len(bare) :]}"


def link(text: str, target: str) -> str:
    """Return a link; `text` is Markdown."""
    return f"[{text}]({target if _PLAIN_TARGET.match(target) else _target(target)})"


def image(alt: str, target: str) -> str:
    """Return an image; its alternative text is plain."""
    return f"![{escape(_NEWLINES.sub(' ', alt))}]({_target(target)})"


def item(marker: str, text: str) -> str:
    """Return a list item with its content indented under the marker."""
    return indent(text, " " * (len(marker) + 1), first=f"{marker} ")


def quote(text: str) -> str:
    """Return a block quote."""
    return "\n".join([f"> {line}" if line else ">" for line in text.split("\n")])


def footnote(label: str, text: str) -> str:
    """Return the definition of a footnote that `[^label]` refers to."""
    return indent(text, "    ", first=f"[^{label}]: ")


def guard_note(text: str) -> str:
    """Keep parsers without footnotes from reading a one-word footnote as a link definition."""
    return f"– {text}" if _LIKE_LINK_DEFINITION.match(text) else text


def footnote_reference(label: str) -> str:
    """Return a reference to a footnote."""
    return f"[^{label}]"


def cell(text: str) -> str:
    """Return the text of a table cell: one line, pipes escaped."""
    text = text.strip()
    if "\n" in text:
        text = _NEWLINES.sub("<br>", text)
    return text.replace("|", "\\|")


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return a table of finished cells with the first row as header; short rows are filled."""
    width = max(map(len, rows), default=0)
    if not width:
        return ""
    lines = [f"| {' | '.join([*row, *[''] * (width - len(row))])} |" for row in rows]
    lines.insert(1, f"|{' --- |' * width}")
    return "\n".join(lines)


def lower_headings(text: str, top: int) -> str:
    """Shift all headings of a finished document down so that none is above level `top`."""
    lines = text.split("\n")
    numbers = []
    closing = ""
    for number, line in enumerate(lines):
        if closing:
            closing = "" if line.startswith(closing) and not line.strip(closing[0]) else closing
        elif found := _FENCE_OR_HEADING.match(line):
            closing = found[1] or ""
            numbers += [] if closing else [number]
    by = top - min([lines[number].index(" ") for number in numbers], default=top)
    for number in numbers if by > 0 else ():
        mark, _, title = lines[number].partition(" ")
        lines[number] = f"{'#' * min(len(mark) + by, 6)} {title}"
    return "\n".join(lines)


def join_blocks(blocks: Iterable[str]) -> str:
    """Return a document of finished blocks."""
    text = "\n\n".join([block for block in blocks if block])
    return f"{text}\n" if text else ""


def indent(text: str, margin: str, *, first: str) -> str:
    """Prefix the first line with `first` and other non-blank lines with `margin`."""
    lines = text.split("\n")
    return "\n".join([f"{first}{lines[0]}".rstrip(), *[f"{margin}{line}" if line else "" for line in lines[1:]]])


def _target(target: str) -> str:
    target = _TARGET_SPECIAL.sub(_percent_encode, target.strip())
    return _TARGET_ENTITY.sub("&amp;", target) if "&" in target else target


def _percent_encode(found: re.Match[str]) -> str:
    return "".join([f"%{byte:02X}" for byte in found[0].encode()])
