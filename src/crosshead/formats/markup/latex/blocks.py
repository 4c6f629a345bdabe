"""Commands of LaTeX that make blocks -> blocks of Markdown, in one walk from the first to the last."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from crosshead.formats.markup.latex.inline import LatexInline
from crosshead.formats.markup.latex.names import (
    ALIGNED,
    ARGUMENTS,
    FORMULAS,
    LISTS,
    NAMED,
    PICTURES,
    QUOTES,
    SECTIONS,
    TABLES,
)
from crosshead.formats.markup.latex.source import VERBATIM, LatexSource
from crosshead.formats.markup.latex.tables import write_table
from crosshead.formats.shared import gfm
from crosshead.formats.shared.source_lines import Block, block_of, indent_block, join_blocks, without_blank_ends

MAX_DEPTH: Final = 20
"""Maximum nesting of environments; deeper ones are only their content."""
_TOKEN = re.compile(
    r"\\begin\s*\{(?P<begin>[A-Za-z]{1,40}\*?)\}|\\end\s*\{(?P<end>[A-Za-z]{1,40}\*?)\}"
    rf"|\\(?P<section>{'|'.join(SECTIONS)}|frametitle|caption)\*?(?![A-Za-z])\s*+(?:\[[^\[\]]{{0,300}}\]\s*+)?+(?=\{{)"
    r"|\\(?P<item>item|bibitem)(?![A-Za-z])[ \t]*"
    r"|\\(?P<input>input|include|subfile|subfileinclude|import|bibliography|lstinputlisting)(?![A-Za-z])"
    r"\s*+(?:\[[^\[\]]{0,200}\]\s*+)?+\{[^{}]{0,300}\}"
    r"|(?P<display>\$\$|\\\[)|(?P<blank>\n[ \t]*\n\s*)|\\\\"
    r"|\\(?P<macro>(?:re)?newcommand|providecommand|def)(?![A-Za-z])"
)
_OPTION = re.compile(r"[ \t]*\[((?:[^\[\]]|\[[^\[\]]{0,100}\]){0,400})\]")
_SIGNATURE = re.compile(r"\*?\s*(?:\\[A-Za-z@]+\s*|\[[^\[\]]{0,200}\]\s*|#\d)*")
_OPTIONS = re.compile(r"\s*(?:\[[^\[\]]{0,200}\]\s*)*(?=\{)")
_LANGUAGE = re.compile(r"language\s*=\s*\{?([A-Za-z+#]{1,20})")


@dataclass(slots=True)
class _Environment:
    """An environment that is open."""

    name: str
    line: int
    blocks: list[Block] = field(default_factory=list)
    """Those of the open item, in a list."""
    items: list[tuple[str, Block]] = field(default_factory=list)
    marker: str = ""
    lead: str = ""
    """The term that begins the open item of a description."""


class Walker:
    """Writes the blocks of one document."""

    def __init__(self, source: LatexSource) -> None:
        self.source = source
        self.text = source.clean
        self.inline = LatexInline(source.macros)
        self.frames = [_Environment("", 1)]
        self.ignored = 0
        """Open environments beyond the maximum nesting."""
        self.inputs: list[str] = []
        self.pictures = 0
        self._ends: dict[str, tuple[int, int]] = {}
        """By what closes something: between which places the same end was found, so that nothing is searched twice."""
        top = next(
            (name for name in SECTIONS[:3] if f"\\{name}{{" in self.text or f"\\{name}*{{" in self.text), "section"
        )
        self.top = SECTIONS.index(top)

    def blocks(self) -> list[Block]:
        """Walk over the document."""
        at = start = self.source.start
        while (found := _TOKEN.search(self.text, at)) and found.start() < self.source.end:
            if found[0] == "\\\\":
                at = found.end()
                continue
            self.paragraph(start, found.start())
            at = start = self.token(found)
        self.paragraph(start, self.source.end)
        while len(self.frames) > 1:
            self.close()
        return self.frames[0].blocks

    def faults(self) -> Iterator[str]:
        """Yield warnings about what was left out."""
        if self.inputs:
            named = ", ".join(self.inputs[:3])
            more = f" and {len(self.inputs) - 3} more" if self.inputs[3:] else ""
            yield f"included files are not read: {named}{more}"
        if self.pictures:
            yield f"pictures drawn by commands are left out: {self.pictures}"

    def add(self, *blocks: Block) -> None:
        frame = self.frames[-1]
        if frame.lead:
            frame.blocks.append([(frame.lead, frame.line)])
            frame.lead = ""
        frame.blocks += filter(None, blocks)

    def paragraph(self, start: int, end: int) -> None:
        text = self.text[start:end]
        bare = text.strip()
        if not bare:
            return
        start += text.index(bare)
        written = gfm.escape_start(self.inline.write(bare, self.source.text[start : start + len(bare)]))
        lines = [
            (line.strip(), number) for line, number in block_of(written, self.source.line(start)) if line.strip(" \\")
        ]
        if lines:
            lines[-1] = lines[-1][0].removesuffix("\\"), lines[-1][1]
            lead, self.frames[-1].lead = self.frames[-1].lead, ""
            lines[0] = f"{lead} {lines[0][0]}".strip(), lines[0][1]
        last = self.source.line(start + len(bare) - 1)
        self.add(lines, *([(note, last)] for note in self.inline.take_notes()))

    def token(self, found: re.Match[str]) -> int:
        """Handle a token and return the offset after it."""
        if found["begin"]:
            return self.begin(found["begin"], found.end())
        if found["end"]:
            return self.end(found["end"], found)
        if found["section"]:
            return self.heading(found["section"], found.end())
        if found["item"]:
            return self.item(found)
        if found["display"]:
            return self.display(found)
        if found["input"]:
            self.inputs.append(found[0])
            self.add([(gfm.code_span(" ".join(found[0].split())), self.source.line(found.start()))])
        elif found["macro"]:
            return self.definition(found.end())
        return found.end()

    def definition(self, at: int) -> int:
        """Return the end of a definition: its name, options and parameters, and up to two groups."""
        signature = _SIGNATURE.match(self.text, at)
        at = signature.end() if signature else at
        name = self.source.group(at)
        if not name:
            return at
        options = _OPTIONS.match(self.text, name[1])
        at = options.end() if options else name[1]
        body = self.source.group(at)
        return body[1] if body else at

    def heading(self, name: str, at: int) -> int:
        title, after = self.source.group(at) or ("", at)
        if name == "caption":
            self.paragraph(at + 1, max(at + 1, after - 1))
            return after
        line = self.source.line(at)
        text = " ".join(self.inline.write(title).split())
        notes = [[(note, line)] for note in self.inline.take_notes()]
        if len(self.frames) > 1 and name != "frametitle":
            self.add([(gfm.mark(text, "**"), line)], *notes)
        elif text:
            level = 3 if name == "frametitle" else SECTIONS.index(name) - self.top + 1
            self.add([(gfm.heading(level, text), line)], *notes)
        return after

    def find_end(self, closing: str, at: int) -> int:
        """Return where something is closed; the end of the text if it is not."""
        start, end = self._ends.get(closing, (0, -1))
        if not start <= at <= end:
            end = self.text.find(closing, at)
            end = end if end >= 0 else len(self.text)
            self._ends[closing] = at, end
        return end

    def display(self, found: re.Match[str]) -> int:
        closing = "$$" if found[0] == "$$" else "\\]"
        end = self.find_end(closing, found.end())
        if end == len(self.text) or end - found.end() > 100_000:
            return found.end()
        self.formula(found.start(), found.end(), end)
        return end + 2

    def formula(self, start: int, first: int, end: int) -> None:
        tex = self.source.text[first:end]
        if tex.strip():
            first += len(tex) - len(tex.lstrip())
            inner = [(line.rstrip(), number) for line, number in block_of(tex.strip(), self.source.line(first))]
            inner = [(line, number) for line, number in inner if line]
            self.add([("$$", self.source.line(start)), *inner, ("$$", inner[-1][1])])

    def begin(self, name: str, at: int) -> int:
        bare = name.rstrip("*")
        if name in VERBATIM:
            return self.verbatim(name, at)
        if bare in FORMULAS or bare in ALIGNED or name in TABLES or bare in PICTURES:
            return self.whole(name, at)
        if len(self.frames) >= MAX_DEPTH:
            self.ignored += 1
            return at
        option = _OPTION.match(self.text, at)
        line = self.source.line(at)
        self.frames.append(_Environment(bare, line))
        at = option.end() if option else at
        for _ in range(ARGUMENTS.get(bare, 0) + (bare == "thebibliography")):
            group = self.source.group(at)
            at = group[1] if group else at
        if bare == "frame" and (group := self.source.group(at)):
            self.frames.pop()
            self.add([(gfm.heading(3, self.inline.write(group[0])), line)])
            self.frames.append(_Environment(bare, line))
            return group[1]
        if bare in NAMED:
            title = f" ({self.inline.write(option[1])})" if option else ""
            self.add([(f"**{bare.capitalize()}{title}**", line)])
        return at

    def verbatim(self, name: str, at: int) -> int:
        closing = f"\\end{{{name}}}"
        end = self.find_end(closing, at)
        if name == "comment":
            return min(end + len(closing), len(self.text))
        text = self.source.text[at:end]
        first, newline, code = text.partition("\n")
        language = _LANGUAGE.search(first)
        minted = re.match(r"(?:\[[^\[\]]*\])?\{([\w+#-]{1,20})\}", first) if name == "minted" else None
        lang = (minted or language or ("", ""))[1].lower()
        lines = block_of(code if newline else first, self.source.line(at) + bool(newline))
        if lines := without_blank_ends(lines):
            fence = gfm.fence("\n".join(line for line, _ in lines), lang).split("\n")
            self.add([(fence[0], lines[0][1]), *lines, (fence[-1], lines[-1][1])])
        return min(end + len(closing), len(self.text))

    def whole(self, name: str, at: int) -> int:
        """Write an environment that is read in one piece: a formula, a table, a picture."""
        closing = f"\\end{{{name}}}"
        end = self.find_end(closing, at)
        if end == len(self.text):
            return at
        bare = name.rstrip("*")
        if bare in PICTURES:
            self.pictures += 1
        elif name in TABLES:
            rows = at
            for _ in range(TABLES[name]):
                option = _OPTION.match(self.text, rows)
                rows = option.end() if option else rows
                group = self.source.group(rows)
                rows = group[1] if group else rows
            self.add(write_table(self.text[rows:end], self.source.line(rows), self.inline))
        else:
            opening = at - len(name) - len("\\begin{}")
            is_aligned = bare in ALIGNED
            self.formula(opening, opening if is_aligned else at, end + len(closing) if is_aligned else end)
        return end + len(closing)

    def end(self, name: str, found: re.Match[str]) -> int:
        bare = name.rstrip("*")
        if self.ignored:
            self.ignored -= 1
        elif any(frame.name == bare for frame in self.frames[1:]):
            while self.close() != bare:
                pass
        return found.end()

    def close(self) -> str:
        """End the innermost environment, and return its name."""
        self.end_item()
        frame = self.frames.pop()
        if frame.name in LISTS:
            self.add(
                [line for first, item in frame.items for line in indent_block(item, " " * len(first), first=first)]
            )
        elif frame.name in QUOTES:
            quoted = join_blocks(frame.blocks)
            self.add([(f"> {text}" if text else ">", line) for text, line in quoted])
            return frame.name
        self.add(*(frame.blocks if frame.name not in LISTS else ()))
        return frame.name

    def end_item(self) -> None:
        frame = self.frames[-1]
        self.add()
        if frame.name in LISTS and frame.blocks:
            block = join_blocks(frame.blocks)
            frame.items.append((frame.marker or "- ", block))
            frame.blocks = []

    def item(self, found: re.Match[str]) -> int:
        frame, at = self.frames[-1], found.end()
        if frame.name not in LISTS:
            return at
        self.end_item()
        bullet = LISTS[frame.name]
        frame.marker = f"{len(frame.items) + 1}. " if bullet == "1." else "- "
        option = _OPTION.match(self.text, at)
        if option:
            at = option.end()
            frame.lead = gfm.mark(" ".join(self.inline.write(option[1]).split()), "**")
        if found["item"] == "bibitem" and (group := self.source.group(at)):
            at = group[1]
            frame.lead = gfm.escape(f"[{group[0]}]")
        frame.line = self.source.line(found.start())
        return at
