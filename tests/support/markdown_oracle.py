"""What markdown-it-py makes of a document, and where Crosshead's blocks differ from it.

    differences(text)      sentences, one per difference; empty when both parsers agree
    compare(text)          the same as values, with counts of what cannot be compared
    oracle_blocks(text)    the blocks of markdown-it-py as facts
    our_blocks(text)       the blocks of Crosshead as facts

Compared: kind, line range, heading level and plain title, language of code, first line of each list item, and the
code blocks and tables inside lists, quotes and footnotes. Link definitions are compared line by line.

markdown-it-py knows no display math and takes any closed `---` block at the top for front matter. Where Crosshead
sees math, the oracle reads an HTML comment of the same lines instead; where Crosshead leaves front matter as text, the
oracle does too. A heading that is written as HTML must lie in a block of HTML, which is cut there for the comparison.
Tables written as HTML are compared block by block, before they are joined. All four are counted, so that nothing
hides there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.footnote.index import footnote_def
from mdit_py_plugins.front_matter import front_matter_plugin

import crosshead
from crosshead import Block
from crosshead.markdown.blocks import scan_blocks
from crosshead.markdown.tables import HTML_TABLE

KINDS = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "fence": "code",
    "code_block": "code",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "table_open": "table",
    "blockquote_open": "quote",
    "html_block": "html",
    "hr": "rule",
    "front_matter": "front_matter",
    "footnote_reference_open": "footnote",
    "definition": "definition",
}
ATOMS = ("code", "table")
BLANK = " \t"
BLANK_INSIDE = " \t>"
"""What a line may hold and still be blank; inside a quote it also has the quote's mark."""
CONTAINERS = ("list", "quote", "footnote")

MATH_OPEN = re.compile(r"\$\$|\\\[|\\begin\{")
MATH_CLOSE = re.compile(r"\$\$|\\\]|\\end\{")
HEADING_ID = re.compile(r"\s*\{(?:#[^{}]*|/\*\s*#[^{}]*\*/)\}\s*$")
NEWLINE = re.compile(r"\r\n?")


class Fact(NamedTuple):
    """A block in the form that both parsers are brought to; lines are 1-based and inclusive."""

    start_line: int
    end_line: int
    kind: str
    level: int = 0
    title: str = ""
    lang: str = ""
    items: tuple[int, ...] = ()
    """First line of each item."""
    atoms: tuple[tuple[str, int, int], ...] = ()
    """Kind, first and last line of each code block and table inside."""

    def __str__(self) -> str:
        extra = [f"{name}={value!r}" for name, value in zip(self._fields[3:], self[3:], strict=True) if value]
        return " ".join([self.kind, f"{self.start_line}-{self.end_line}", *extra])


class Difference(NamedTuple):
    line: int
    label: str
    """Class of the difference: two kinds, or the field in which two facts of one kind differ."""
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


class Comparison(NamedTuple):
    differences: list[Difference]
    counts: Counter[str]
    """Blocks by kind, and what was set apart: `math`, `math inside`, `html heading`, `html table`, `front matter as
    text`."""


def differences(text: str) -> list[str]:
    """Every difference between the two parsers as one sentence."""
    return [str(each) for each in compare(text).differences]


def compare(text: str) -> Comparison:
    """Compare the blocks of a Markdown text."""
    text = normalize(text)
    blocks = scan_blocks(text)
    counts = Counter[str](block.kind for block in blocks)
    counts["html table"] = sum(
        (block.kind, block.lang) == ("table", HTML_TABLE) for block in crosshead.parse_blocks(text)
    )
    counts["math inside"] = sum(atom.kind == "math" for block in blocks for atom in block.atoms)
    headings = [block for block in blocks if _is_html_heading(text, block)]
    counts["html heading"] = len(headings)

    found = [*_misplaced(text, blocks), *_bad_math(text, blocks)]
    source = _without_math(text, blocks)
    expected = oracle_blocks(source)
    if expected[:1] and expected[0].kind == "front_matter" and not (blocks and blocks[0].kind == "front_matter"):
        counts["front matter as text"] += 1
        expected = oracle_blocks(source, front_matter=False)
    read_as_html = {block.start_line for block in headings}
    ours = [_as_oracle_reads(fact, read_as_html) for fact in _our_facts(text, blocks)]
    found += _facts_that_differ([part for fact in expected for part in _cut_html(fact, headings)], ours)
    return Comparison(sorted(found), counts)


def normalize(text: str) -> str:
    """The text as a document holds it: no byte order mark, every newline a line feed."""
    return NEWLINE.sub("\n", text.removeprefix("\ufeff"))


def our_blocks(text: str) -> list[Fact]:
    """The blocks of Crosshead; one fact per line of link definitions."""
    text = normalize(text)
    return _our_facts(text, scan_blocks(text))


def oracle_blocks(text: str, *, front_matter: bool = True) -> list[Fact]:
    """The top-level blocks of markdown-it-py; one fact per line of link definitions."""
    parser = _WITH_FRONT_MATTER if front_matter else _WITHOUT_FRONT_MATTER
    env: dict[str, Any] = {}
    text = normalize(text)
    tokens = parser.parse(text, env)
    lines = text.split("\n")
    facts: list[Fact] = []
    for index, token in enumerate(tokens):
        if token.level == 0 and token.type in KINDS:
            inside = list(takewhile(lambda each: each.level > 0, tokens[index + 1 :])) if token.nesting == 1 else []
            facts += _per_line(_oracle_fact(parser, env, lines, token, inside), lines)
    return facts


# ---- markdown-it-py


def _footnote_with_map(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """The plugin's rule, which does not say on which lines a footnote stands."""
    first = len(state.tokens)
    if not footnote_def(state, start_line, end_line, silent):
        return False
    if not silent:
        state.tokens[first].map = [start_line, state.line]
    return True


def _parser(*, front_matter: bool) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"inline_definitions": True}).enable("table").disable("inline")
    parser.use(footnote_plugin, inline=False, move_to_end=False, always_match_refs=True)
    parser.block.ruler.at("footnote_def", _footnote_with_map, {"alt": ["paragraph", "reference"]})
    return parser.use(front_matter_plugin) if front_matter else parser


_WITH_FRONT_MATTER = _parser(front_matter=True)
_WITHOUT_FRONT_MATTER = _parser(front_matter=False)


def _oracle_fact(
    parser: MarkdownIt, env: dict[str, Any], lines: Sequence[str], token: Token, inside: Sequence[Token]
) -> Fact:
    kind = KINDS[token.type]
    first, last = _range(token, lines)
    if kind == "heading":
        children: list[Token] = []
        parser.inline.parse(inside[0].content, parser, env, children)
        return Fact(first, last, kind, level=int(token.tag[1]), title=_title(children))
    if kind == "code":
        return Fact(first, last, kind, lang=(token.info.split() or [""])[0])
    if kind in CONTAINERS:
        items = [_range(each, lines)[0] for each in inside if each.type == "list_item_open" and each.level == 1]
        atoms = [
            (KINDS[each.type], *_range(each, lines, BLANK_INSIDE)) for each in inside if KINDS.get(each.type) in ATOMS
        ]
        return Fact(first, last, kind, items=tuple(items) if kind == "list" else (), atoms=tuple(atoms))
    return Fact(first, last, kind)


def _range(token: Token, lines: Sequence[str], blank: str = BLANK) -> tuple[int, int]:
    assert token.map is not None
    return token.map[0] + 1, _last_text_line(lines, token.map[0] + 1, token.map[1], blank)


def _title(tokens: Sequence[Token]) -> str:
    """A heading's plain text: no images (badges), unless there is nothing else, and no trailing `{#id}`."""
    for images in (False, True):
        title = " ".join(HEADING_ID.sub("", _plain(tokens, images=images)).split())
        if title:
            return title
    return ""


def _plain(tokens: Sequence[Token], *, images: bool) -> str:
    parts = []
    for token in tokens:
        if token.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif token.type == "image":
            parts.append(_plain(token.children or [], images=True) if images else "")
        elif token.type == "footnote_ref":
            parts.append(f"[^{token.meta['label']}]")
        elif token.type != "html_inline":
            parts.append(token.content)
    return "".join(parts)


# ---- Crosshead


def _our_facts(text: str, blocks: Sequence[Block]) -> list[Fact]:
    lines = text.split("\n")
    return [fact for block in blocks for fact in _per_line(_our_fact(block, lines), lines)]


def _our_fact(block: Block, lines: Sequence[str]) -> Fact:
    atoms = [
        (atom.kind, atom.start_line, _last_text_line(lines, atom.start_line, atom.end_line, BLANK_INSIDE))
        for atom in block.atoms
        if atom.kind in ATOMS
    ]
    return Fact(
        block.start_line,
        _last_text_line(lines, block.start_line, block.end_line),
        block.kind,
        level=block.level,
        title=" ".join(block.title.split()),
        lang=block.lang,
        items=tuple(first for first, _ in block.items),
        atoms=tuple(atoms),
    )


def _as_oracle_reads(fact: Fact, html_headings: Container[int]) -> Fact:
    is_html = fact.kind == "math" or fact.start_line in html_headings
    return Fact(fact.start_line, fact.end_line, "html") if is_html else fact


def _is_html_heading(text: str, block: Block) -> bool:
    return block.kind == "heading" and text[block.start : block.end].lstrip(BLANK).startswith(("<h", "<H"))


def _cut_html(fact: Fact, headings: Sequence[Block]) -> Iterator[Fact]:
    """A block of HTML of the oracle, cut at the headings that Crosshead sees in it."""
    first = fact.start_line
    for heading in headings if fact.kind == "html" else ():
        if first <= heading.start_line and heading.end_line <= fact.end_line:
            if first < heading.start_line:
                yield Fact(first, heading.start_line - 1, "html")
            yield Fact(heading.start_line, heading.end_line, "html")
            first = heading.end_line + 1
    if first == fact.start_line:
        yield fact
    elif first <= fact.end_line:
        yield Fact(first, fact.end_line, "html")


def _without_math(text: str, blocks: Sequence[Block]) -> str:
    """The text with every formula turned into an HTML comment of the same lines."""
    formulas = [each for block in blocks for each in (block, *block.atoms) if each.kind == "math"]
    if not formulas:
        return text
    lines = text.split("\n")
    for formula in formulas:
        for number in range(formula.start_line, formula.end_line + 1):
            opens, closes = number == formula.start_line, number == formula.end_line
            comment = ("<!--" if opens else "") + "x" + ("-->" if closes else "")
            if opens or closes or lines[number - 1].strip(BLANK):
                lines[number - 1] = _margin(lines[number - 1], opens) + comment
    return "\n".join(lines)


def _margin(line: str, opens: bool) -> str:
    """What stands in front of a formula's line: indentation, quote marks, a list marker."""
    found = MATH_OPEN.search(line) if opens else None
    return line[: found.start()] if found else line[: len(line) - len(line.lstrip(" \t>"))]


# ---- comparing


def _per_line(fact: Fact, lines: Sequence[str]) -> Iterator[Fact]:
    """Definitions line by line, because how many share a block is a matter of taste."""
    if fact.kind != "definition":
        yield fact
        return
    for number in range(fact.start_line, fact.end_line + 1):
        if lines[number - 1].strip(BLANK):
            yield Fact(number, number, "definition")


def _last_text_line(lines: Sequence[str], first: int, last: int, blank: str = BLANK) -> int:
    last = min(last, len(lines))
    while last > first and not lines[last - 1].strip(blank):
        last -= 1
    return last


def _facts_that_differ(expected: Sequence[Fact], ours: Sequence[Fact]) -> Iterator[Difference]:
    if expected == ours:
        return
    missing, extra = _by_line(set(expected) - set(ours)), _by_line(set(ours) - set(expected))
    for line in sorted({*missing, *extra}):
        theirs, mine = missing.get(line), extra.get(line)
        yield Difference(line, _label(theirs, mine), f"markdown-it {theirs or '-'} | crosshead {mine or '-'}")
    if not missing and not extra:
        yield Difference(1, "order", "the same blocks in another order or number")


def _by_line(facts: set[Fact]) -> dict[int, Fact]:
    return {fact.start_line: fact for fact in sorted(facts, reverse=True)}


def _label(theirs: Fact | None, mine: Fact | None) -> str:
    if theirs and mine and theirs.kind == mine.kind:
        return f"{theirs.kind} " + "+".join(
            name for name, a, b in zip(Fact._fields, theirs, mine, strict=True) if a != b
        )
    return f"{theirs.kind if theirs else '-'} as {mine.kind if mine else '-'}"


def _misplaced(text: str, blocks: Sequence[Block]) -> Iterator[Difference]:
    """Blocks must follow each other, cover every line that is not blank, and agree with their offsets."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    covered = 0
    for block in blocks:
        lost = [number for number in range(covered + 1, block.start_line) if lines[number - 1].strip(BLANK)]
        if block.start_line <= covered or block.end_line < block.start_line or block.end_line > len(lines):
            yield Difference(block.start_line, "tiling", f"{block.kind} overlaps its neighbor or is empty")
            continue
        if lost:
            yield Difference(lost[0], "tiling", f"lines before {block.kind} {block.start_line} are in no block")
        if (block.start, block.end) != (starts[block.start_line - 1], starts[block.end_line] - 1):
            yield Difference(block.start_line, "offsets", f"offsets of {block.kind} do not match its lines")
        covered = block.end_line
    if any(line.strip(BLANK) for line in lines[covered:]):
        yield Difference(covered + 1, "tiling", "the last lines are in no block")


def _bad_math(text: str, blocks: Sequence[Block]) -> Iterator[Difference]:
    lines = text.split("\n")
    for formula in (each for block in blocks for each in (block, *block.atoms) if each.kind == "math"):
        opens = MATH_OPEN.search(lines[formula.start_line - 1])
        closes = MATH_CLOSE.search(lines[formula.end_line - 1])
        if not opens or (formula.closed and not closes):
            yield Difference(formula.start_line, "math", "a formula without its signs")
