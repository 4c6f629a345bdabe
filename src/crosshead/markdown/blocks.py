"""Markdown and MDX -> blocks with exact positions, in one pass over the lines.

The first character of a line says which rule may apply (`_RULES`); a rule is one small method that appends a block
and returns the next line to read, or 0 if it does not apply. Everything else is a paragraph, whose scan also finds
setext headings, tables and link definitions. Lines outside all blocks are blank. Parsing never fails. At the end,
`join_tables` makes one block of each HTML table.
"""

from __future__ import annotations

from collections.abc import Callable

from crosshead.markdown.containers import Atom, ContainerReader
from crosshead.markdown.definitions import read_definitions
from crosshead.markdown.frontmatter import front_matter_end
from crosshead.markdown.html import HeadingReader, HtmlHeading
from crosshead.markdown.inline import plain_text
from crosshead.markdown.mdx import MdxReader
from crosshead.markdown.syntax import (
    ATX_HEADING,
    BULLET,
    FENCE,
    FOOTNOTE,
    HTML_OPEN,
    HTML_SINGLE_TAG,
    MATH_OPEN,
    MAX_UNCLOSED,
    ORDERED,
    PLAIN_LINE_BREAKERS,
    RULE,
    SETEXT_UNDERLINE,
    SIMPLE_ITEM,
    fence_language,
    html_end,
    html_ends_at_once,
    interrupts,
    is_blank,
    is_table_start,
    last_filled,
    math_closes,
    split_lines,
    strip_indent,
)
from crosshead.markdown.tables import join_tables
from crosshead.types import Block, BlockKind


def read_blocks(text: str, mdx: bool) -> list[Block]:
    """Return the blocks of a text, with each HTML table as one."""
    scanner = _BlockScanner(text, mdx=mdx)
    blocks = scanner.run()
    join_tables(text, scanner.lines, scanner.offsets, blocks, mdx=mdx)
    return blocks


def scan_blocks(text: str, mdx: bool = False) -> list[Block]:
    """Return the blocks of CommonMark, in which an HTML table may be several."""
    return _BlockScanner(text, mdx=mdx).run()


class _BlockScanner:
    def __init__(self, text: str, *, mdx: bool) -> None:
        self.lines, self.offsets = split_lines(text)
        if text.startswith("\ufeff"):
            self.lines[0] = self.lines[0][1:]
            self.offsets[0] = 1
        self.blocks: list[Block] = []
        self.labels: set[str] = set()
        self.linked_headings: list[tuple[int, str]] = []
        """Headings with brackets, which may be links: that depends on definitions further down."""
        self.unclosed: dict[str, int] = {}
        """Lines before this one close no formula; searching them again for each formula would be quadratic."""
        self.headings = HeadingReader(self.lines, mdx=mdx)
        self.mdx = MdxReader(self.lines, self.headings) if mdx else None
        self.breakers = PLAIN_LINE_BREAKERS | {"{"} if mdx else PLAIN_LINE_BREAKERS

    def run(self) -> list[Block]:
        lines, rules, count = self.lines, _MDX_RULES if self.mdx else _RULES, len(self.lines)
        at = front_matter_end(lines)
        if at:
            self.add("front_matter", 0, at)
        while at < count:
            line = lines[at]
            if not line:
                at += 1
                continue
            if line[0] in " \t":
                indent, rest = strip_indent(line)
                if not rest or not rest.strip(" \t"):
                    at += 1
                    continue
                if indent >= 4:
                    if not self.mdx:
                        at = self.indented_code(at)
                        continue
                    rest = rest.lstrip(" \t")
                line = rest
            rule = rules.get(line[0])
            at = (rule(self, at, line) if rule else 0) or self.paragraph(at, line[0])
        for index, source in self.linked_headings:
            self.blocks[index] = self.blocks[index]._replace(title=plain_text(source, self.labels))
        return self.blocks

    def add(
        self, kind: BlockKind, first: int, end: int, level: int = 0, lang: str = "", title: str = "",
        closed: bool = True,
    ) -> int:  # fmt: skip
        """Append a block made of the lines `first` to `end`, and return `end`."""
        offsets = self.offsets
        last = end - 1
        self.blocks.append(
            Block(kind, offsets[first], offsets[last] + len(self.lines[last]), first + 1, end, level, lang, title, (),
                  (), closed)
        )  # fmt: skip
        return end

    def add_heading(self, first: int, end: int, level: int, source: str) -> int:
        self.headings.leave_tables()
        if "[" in source:
            self.linked_headings.append((len(self.blocks), source))
            return self.add("heading", first, end, level)
        return self.add("heading", first, end, level, "", plain_text(source))

    # ------------------------------------------------------------------ leaves

    def atx_heading(self, at: int, line: str) -> int:
        marks = ATX_HEADING(line)
        if not marks:
            return 0
        source = line[marks.end() :].strip(" \t")
        if source.endswith("#"):
            without = source.rstrip("#")
            if not without or without[-1] in " \t":
                source = without.rstrip(" \t")
        return self.add_heading(at, at + 1, marks.end(), source)

    def fenced_code(self, at: int, line: str) -> int:
        opening = FENCE(line)
        if not opening:
            return 0
        fence = opening[0]
        lines, mdx = self.lines, self.mdx
        for end in range(at + 1, len(lines)):
            candidate = lines[end]
            if fence in candidate:
                indent, rest = strip_indent(candidate)
                rest = rest.strip(" \t")
                if (indent < 4 or mdx) and not rest.strip(fence[0]):
                    return self.add("code", at, end + 1, 0, fence_language(line, fence))
        end = last_filled(lines, at, len(lines))
        self.add("code", at, end, 0, fence_language(line, fence), closed=False)
        return len(lines)

    def indented_code(self, at: int) -> int:
        lines, count = self.lines, len(self.lines)
        end = following = at + 1
        while following < count:
            line = lines[following]
            if not is_blank(line):
                if line[:4] != "    " and strip_indent(line)[0] < 4:
                    break
                end = following + 1
            following += 1
        self.add("code", at, end)
        return following

    def html_block(self, at: int, line: str) -> int:
        tag = HTML_OPEN(line)
        if not tag and not HTML_SINGLE_TAG(line):
            return 0
        lines, count, end = self.lines, len(self.lines), at + 1
        ends = html_end(tag)
        if ends is None or tag is None:
            while end < count and not is_blank(lines[end]):
                end += 1
            return self.html_with_headings(at, end)
        if not html_ends_at_once(tag, line):
            while end < count and not ends(lines[end]):
                end += 1
            end = last_filled(lines, at, min(end + 1, count))
        return self.add("html", at, end)

    def html_with_headings(self, at: int, end: int) -> int:
        for heading in self.headings.in_block(at, end):
            if heading.first > at:
                self.add("html", at, heading.first)
            at = self.add_html_heading(heading)
        return self.add("html", at, end) if at < end else end

    def add_html_heading(self, heading: HtmlHeading) -> int:
        return self.add("heading", heading.first, heading.end, heading.level, "", heading.title)

    def rule_or_list(self, at: int, line: str) -> int:
        if line[0] != "+" and RULE(line):
            return self.add("rule", at, at + 1)
        return self.list(at, line)

    def math(self, at: int, line: str) -> int:
        end = self.math_end(at, line)
        return self.add("math", at, end) if end else 0

    def math_end(self, at: int, line: str) -> int:
        """Return the line after a formula, or 0: an unclosed one is text."""
        opening = MATH_OPEN(line)
        if not opening:
            return 0
        mark = opening[0]
        dollars = mark == "$$"
        if math_closes(opening, line):
            return at + 1
        if (dollars and "$$" in line[2:]) or at < self.unclosed.get(mark, 0) or len(self.unclosed) > MAX_UNCLOSED:
            return 0
        end, count = at + 1, len(self.lines)
        while end < count:
            following = self.lines[end]
            if math_closes(opening, following, first=False):
                return end + 1
            if "$$" in following if dollars else is_blank(following):
                break
            end += 1
        self.unclosed[mark] = end
        return 0

    # ------------------------------------------------------------------ containers

    def list(self, at: int, line: str) -> int:
        return self.simple_list(at) or (self.container("list", at) if BULLET(line) or ORDERED(line) else 0)

    def simple_list(self, at: int) -> int:
        """Fast path for a list of one-line items; 0 if it might be anything else."""
        lines, count = self.lines, len(self.lines)
        item = SIMPLE_ITEM(lines[at])
        if not item:
            return 0
        marker = item[item.lastindex or 1]
        end = at + 1
        while end < count and (item := SIMPLE_ITEM(lines[end])) and item[item.lastindex or 1] == marker:
            end += 1
        if end < count and lines[end]:
            return 0
        following = end + 1
        while following < count and not lines[following]:
            following += 1
        if following < count and lines[following][0] in _MAY_CONTINUE_LIST:
            return 0
        offsets, last = self.offsets, end - 1
        items = tuple([(line, line) for line in range(at + 1, end + 1)])
        self.blocks.append(Block("list", offsets[at], offsets[last] + len(lines[last]), at + 1, end, 0, "", "", items))
        return end

    def quote(self, at: int, _line: str) -> int:
        return self.container("quote", at)

    def footnote(self, at: int, line: str) -> int:
        label = FOOTNOTE(line)
        if not label:
            return 0
        return self.container("footnote", at, label_end=len(self.lines[at]) - len(line) + label.end())

    def container(self, kind: BlockKind, at: int, label_end: int = 0) -> int:
        reader = ContainerReader(self.lines, at, self.mdx)
        if label_end:
            reader.read_footnote(label_end)
        else:
            reader.read()
        last = reader.last
        self.blocks.append(
            Block(
                kind, self.offsets[at], self.offsets[last] + len(self.lines[last]), at + 1, last + 1,
                items=reader.item_ranges() if kind == "list" else (),
                atoms=tuple(map(self.atom, reader.atoms)),
            )
        )  # fmt: skip
        return reader.next

    def atom(self, atom: Atom) -> Block:
        last = atom.end - 1
        end = self.offsets[last] + len(self.lines[last])
        return Block(atom.kind, self.offsets[atom.first], end, atom.first + 1, atom.end, lang=atom.lang)

    # ------------------------------------------------------------------ paragraphs and similar blocks

    def paragraph(self, at: int, first: str) -> int:
        """Read a paragraph, or a setext heading, table or definitions."""
        lines, breakers, count = self.lines, self.breakers, len(self.lines)
        end, level, table = at + 1, 0, False
        while end < count:
            line = lines[end]
            if not line:
                break
            if line[0] in breakers:
                indent, rest = strip_indent(line)
                if not rest or not rest.strip(" \t"):
                    break
                if indent < 4 or self.mdx:
                    mark = rest[0]
                    if mark in "=-" and SETEXT_UNDERLINE(rest):
                        level = 1 if mark == "=" else 2
                        break
                    if mark in "|:-" and self.is_header(end - 1) and is_table_start(lines[end - 1], rest):
                        table = True
                        break
                    if mark in breakers and self.interrupts(end, rest, paragraph=True):
                        break
            end += 1
        text_end = end - 1 if table else end
        if first == "[" and text_end > at:
            at += self.definitions(at, text_end)
            if at == text_end and not table:
                return end  # an underline here is ordinary text
        if table:
            if text_end > at:
                self.add("paragraph", at, text_end)
            return self.table(text_end)
        if level:
            return self.add_heading(at, end + 1, level, "\n".join(line.lstrip() for line in lines[at:end]).rstrip())
        return self.add("paragraph", at, end)

    def is_header(self, at: int) -> bool:
        """Return whether this line may be a table header: not if it is indented like code, which MDX lacks."""
        return self.mdx is not None or strip_indent(self.lines[at])[0] < 4

    def interrupts(self, at: int, line: str, *, paragraph: bool) -> bool:
        """Return whether this line ends a paragraph or a table before it."""
        if line[0] == "$":
            return self.math_end(at, line) > 0
        if self.mdx and line[0] in "<{":
            return self.mdx.component_end(at) > 0
        return interrupts(line, paragraph=paragraph, mdx=self.mdx is not None)

    def definitions(self, at: int, end: int) -> int:
        """Add the link definitions at the start of a paragraph, and return how many lines they take."""
        count, labels = read_definitions("\n".join(self.lines[at:end]))
        if count:
            self.labels.update(labels)
            self.add("definition", at, at + count)
        return count

    def table(self, at: int) -> int:
        lines, breakers, end = self.lines, self.breakers, at + 2
        while end < len(lines) and not is_blank(lines[end]):
            if lines[end][0] in breakers:
                indent, rest = strip_indent(lines[end])
                is_code = indent >= 4 and not self.mdx
                if is_code or (rest[0] in breakers and self.interrupts(end, rest, paragraph=False)):
                    break
            end += 1
        return self.add("table", at, end)

    # ------------------------------------------------------------------ MDX

    def component(self, at: int, _line: str) -> int:
        assert self.mdx is not None
        heading = self.headings.at(at)
        if heading:
            return self.add_html_heading(heading)
        end = self.mdx.component_end(at)
        if not end:
            return 0
        self.headings.skip(at, end)
        return self.add("component", at, end)

    def expression(self, at: int, _line: str) -> int:
        assert self.mdx is not None
        end = self.mdx.expression_end(at)
        return self.add("expression", at, end) if end else 0

    def esm(self, at: int, _line: str) -> int:
        assert self.mdx is not None
        end = self.mdx.esm_end(at)
        return self.add("import", at, end) if end else 0


_MAY_CONTINUE_LIST = frozenset(" \t*+-0123456789")
_Rule = Callable[[_BlockScanner, int, str], int]

_RULES: dict[str, _Rule] = {
    "#": _BlockScanner.atx_heading,
    "<": _BlockScanner.html_block,
    ">": _BlockScanner.quote,
    "[": _BlockScanner.footnote,
    **dict.fromkeys("`~", _BlockScanner.fenced_code),
    **dict.fromkeys("*-_+", _BlockScanner.rule_or_list),
    **dict.fromkeys("0123456789", _BlockScanner.list),
    **dict.fromkeys("$\\", _BlockScanner.math),
}
_MDX_RULES: dict[str, _Rule] = {
    **_RULES,
    "<": _BlockScanner.component,
    "{": _BlockScanner.expression,
    **dict.fromkeys("ie", _BlockScanner.esm),
}
