"""The links and anchors of a Markdown text.

1. the definitions of all reference links are collected from their blocks
2. blocks that hold inline text are scanned mark by mark, without the code in them: a code span, a tag, a bracket
3. a tag may be a link or have an id; a closing bracket ends an inline or reference link, a wiki link or only text

A block without any mark that a link or an id needs is skipped. Pictures are no links, but may be the text of one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import unescape
from typing import Final, NamedTuple

from crosshead.markdown.definitions import definition_targets, normalize_label
from crosshead.markdown.inline import CODE_SPAN, LINK_LABEL, LINK_TARGET, TAG, plain_text, raw_markup_end
from crosshead.types import MAX_ANCHORS, MAX_LINKS, Anchor, Block, Link, LinkKind

MAX_TEXT: Final = 200
"""Characters that are kept of the text of a link."""
MAX_TARGET: Final = 2_000
MAX_NAME: Final = 500
MAX_OPEN: Final = 100
"""Brackets that may be open at once; more are text."""
MAX_SPAN: Final = 5_000
"""Characters of a target with its title, of a tag or of a code span; longer ones are text."""

_WITHOUT_LINKS: Final = frozenset(("code", "math", "front_matter", "rule", "import", "definition"))
_RENDERED: Final = frozenset((
    "mdx-code-block", "{note}", "{tip}", "{warning}", "{important}", "{admonition}", "{dropdown}", "{seealso}",
    "{hint}", "{attention}", "{caution}",
))  # fmt: skip
"""Code that Docusaurus or MyST reads as a part of the page."""
_NAMED = re.compile(r"^[ \t]*:?(?:name|label):[ \t]+(\S+)[ \t]*$", re.M)
"""The label that an option of a directive of MyST gives it."""
_NEEDED = re.compile(
    r"\]\((?!<?(?:https?:|mailto:|//))|\]\[|\[\[|\{[^{}\n]{0,80}#|\}`"
    r"|<(?:[A-Za-z][^<>]{0,300}?[\s\"'](?:href|to|id|name)\s*=|[^\s<>:\"'=]{1,500}\.[a-z])"
).search
"""Every alternative begins with a sign, so that text without these signs is skipped at once; likewise below."""
_MARK = re.compile(
    r"\\.|(?P<ticks>`+)|(?P<tag><)|(?P<wiki>\[\[(?=[^\[\]\n]+\]\](?!\()))|(?P<opens>\[)|(?P<closes>\])"
    r"|\{:?[^{}\n]{0,80}?#(?P<id>[^\s{}]+)[^{}\n]{0,80}\}",
    re.S,
)
_LABEL = re.compile(r"^\(([^()\n]+)\)=[ \t]*$", re.M)
_WIKI = re.compile(r"([^|\n]{1,500}?)(?:\\?\|([^\n]{0,500}))?\]\]").match
_ROLE = re.compile(r"\{(?:\w+:)?(ref|doc|numref)\}$").search
_TITLED = re.compile(r"(.*?)\s*<([^<>]+)>\s*$", re.S).match
_FILE = re.compile(r"<([^\s<>:\"'=]{1,500}\.(?:mdx?|rst|adoc|html?|ipynb|txt)(?:#[^\s<>]*)?)>", re.I).match
_TAG_NAME = re.compile(r"<([A-Za-z][\w.-]*)").match
_ATTRIBUTE = re.compile(
    r"""\s(href|to|id|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|\{\s*(?:"([^"]*)"|'([^']*)'|`([^`$]*)`)\s*\}|([^\s"'=<>`{}]+))"""
).finditer
_DESTINATION = re.compile(r"\(\s*(?:<((?:\\.|[^<>\\])*)>|(\S*?))(?:\s.*)?\)$", re.S).match
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_HEADING_ID = re.compile(r"\{(?:/\*\s*)?:?[^{}\n]{0,80}?#([^\s{}*]+)[^{}\n]{0,80}\}\s*#*\s*$", re.M).search
_NOT_PAGES: Final = frozenset(("link", "base", "use", "image"))
_ADDRESS = re.compile(
    r"(?!(?:project|path):|[\w@.~:-]{1,200}:[^:]{0,500}\.(?:adoc|asciidoc)(?:#|$))[A-Za-z][A-Za-z0-9+.-]+:|//"
).match
"""An address outside the documents. Antora writes `module:page.adoc`, and MyST `project:page.md`."""
_PLACEHOLDER = re.compile(r"[{}*]|<%|%=|%\(|\$\(").search
_ROLES: Final[dict[str, LinkKind]] = {"ref": "label", "numref": "label", "doc": "page"}


class FoundLinks(NamedTuple):
    """The links and anchors of a text, in order."""

    links: Sequence[Link]
    """At most `MAX_LINKS`; without addresses outside the documents, placeholders of templates and patterns."""
    anchors: Sequence[Anchor]
    """At most `MAX_ANCHORS`."""
    omitted: int
    """How many links more there are."""


def find_links(text: str, blocks: Sequence[Block]) -> FoundLinks:
    """Return the links and anchors of a text, given its blocks."""
    targets = _definitions(text, blocks)
    found = _LinkList()
    for block in blocks:
        if block.kind == "heading":
            for anchor in _heading_anchors(text, block):
                found.add_anchor(anchor)
        if block.lang[:1] == "{":
            for named in _NAMED.finditer(text, block.start, block.end):
                found.add_anchor(Anchor(named.start(), named[1][:MAX_NAME], "label"))
        if block.kind in _WITHOUT_LINKS and block.lang not in _RENDERED:
            continue
        for start, end in _inside_fence(text, block) if block.lang in _RENDERED else _without_atoms(block):
            part = text[start:end]
            if ")=" in part:
                for label in _LABEL.finditer(part):
                    found.add_anchor(Anchor(start + label.start(), label[1][:MAX_NAME], "label"))
            if _NEEDED(part) or (targets and "]" in part):
                _LinkScanner(part, start, targets, found).scan()
    return FoundLinks(found.links, found.anchors, found.omitted)


def _definitions(text: str, blocks: Sequence[Block]) -> dict[str, str]:
    """Return the targets of reference links by their labels; the first definition of a label counts."""
    found: dict[str, str] = {}
    for block in blocks:
        if block.kind == "definition":
            for label, target in definition_targets(text[block.start : block.end]):
                found.setdefault(label, target)
    return {label: _unescaped(target) for label, target in found.items() if not _ADDRESS(target)}


def _heading_anchors(text: str, block: Block) -> Iterator[Anchor]:
    """Yield the id that a heading has in its text, or else its title."""
    source = text[block.start : block.end]
    if "{" in source and (found := _HEADING_ID(source)):
        yield Anchor(block.start, found[1][:MAX_NAME], "id")
    elif block.title:
        yield Anchor(block.start, block.title[:MAX_NAME], "heading")


def _without_atoms(block: Block) -> Iterator[tuple[int, int]]:
    """Yield the spans of a block between the code, tables and formulas in it; tables hold links."""
    at = block.start
    for atom in block.atoms:
        if atom.kind != "table":
            yield at, atom.start
            at = atom.end
    yield at, block.end


def _inside_fence(text: str, block: Block) -> Iterator[tuple[int, int]]:
    start = text.find("\n", block.start, block.end) + 1
    yield start or block.end, max(start, text.rfind("\n", block.start, block.end))


class _LinkList:
    """What was found so far, within the limits."""

    def __init__(self) -> None:
        self.links: list[Link] = []
        self.anchors: list[Anchor] = []
        self.omitted = 0

    def add_link(self, link: Link) -> None:
        if len(self.links) < MAX_LINKS:
            self.links.append(link)
        else:
            self.omitted += 1

    def add_anchor(self, anchor: Anchor) -> None:
        is_known = self.anchors and self.anchors[-1][1:] == anchor[1:] and anchor.kind == "id"  # that of a heading
        if len(self.anchors) < MAX_ANCHORS and not is_known:
            self.anchors.append(anchor)


class _LinkScanner:
    """Reads one part of a text."""

    def __init__(self, text: str, offset: int, targets: dict[str, str], found: _LinkList) -> None:
        self.text = text
        self.offset = offset
        self.targets = targets
        self.found = found
        self.brackets: list[tuple[int, int]] = []
        """Offset of an opening bracket, and of the text after it; -1 for a picture."""

    def scan(self) -> None:
        at, search = 0, _MARK.search
        while mark := search(self.text, at):
            at = self.step(mark) or mark.end()

    def step(self, mark: re.Match[str]) -> int:
        """Read what a mark begins or ends, and return the offset after it; 0 for the mark alone."""
        kind = mark.lastgroup
        if kind == "closes":
            return self.close(mark.start()) if self.brackets else 0
        if kind == "opens":
            if len(self.brackets) < MAX_OPEN:
                is_picture = self.text[mark.start() - 1 : mark.start()] == "!"
                self.brackets.append((mark.start(), -1 if is_picture else mark.end()))
        elif kind == "ticks":
            return self.code(mark.start())
        elif kind == "tag":
            return self.tag(mark.start())
        elif kind == "wiki":
            return self.wiki(mark)
        elif kind == "id":
            self.anchor(mark.start(), _unescaped(mark["id"]))
        return 0

    def close(self, at: int) -> int:
        """End what a bracket opened: a link, a picture or text."""
        start, inner = self.brackets.pop()
        after = self.text[at + 1 : at + 2]
        if after == "(" and (found := LINK_TARGET(self.text, at + 1, at + MAX_SPAN)):
            destination = _DESTINATION(found[0])
            target = _unescaped((destination[1] or destination[2] or "") if destination else "")
            return self.end(start, inner, at, target, found.end())
        label = LINK_LABEL(self.text, at + 1) if after == "[" else None
        name = label[1] if label and label[1].strip() else self.text[max(inner, start + 1) : at]
        found_target = self.targets.get(normalize_label(name)) if self.targets and len(name) < MAX_NAME else None
        if found_target is None:
            return 0
        return self.end(start, inner, at, found_target, label.end() if label else at + 1)

    def end(self, start: int, inner: int, at: int, target: str, end: int) -> int:
        if inner >= 0:
            self.link(start, plain_text(self.text[inner : min(at, inner + MAX_TEXT)]), target)
            self.brackets.clear()  # links do not nest
        return end

    def code(self, at: int) -> int:
        """Skip a code span; with the name of a role before it, it refers to a label or a page."""
        span = CODE_SPAN(self.text, at, at + MAX_SPAN)
        if span is None or not span[2]:
            return span.end() if span else 0
        if self.text[at - 1 : at] == "}" and (role := _ROLE(self.text, max(0, at - 20), at)):
            titled = _TITLED(span[2])
            text, target = (titled[1], titled[2]) if titled else (span[2], span[2])
            self.link(role.start(), text, target, _ROLES[role[1]])
        return span.end()

    def tag(self, at: int) -> int:
        if found := _FILE(self.text, at):
            self.link(at, found[1], found[1])
            return found.end()
        if self.text.startswith("<!--", at) or self.text.startswith("<?", at):
            end = raw_markup_end(self.text[at : at + MAX_SPAN], 0)
            return at + end if end else 0
        tag = TAG(self.text, at, at + MAX_SPAN)
        name = _TAG_NAME(self.text, at)
        if not tag or not name:
            return 0
        for each in _ATTRIBUTE(tag[0]):
            self.attribute(at, name[1], each[1], unescape(next(filter(None, each.groups()[1:]), "")), tag.end())
        return tag.end()

    def attribute(self, at: int, tag: str, name: str, value: str, end: int) -> None:
        if name == "id" or (name == "name" and tag in ("a", "A")):
            self.anchor(at, value)
        elif (name == "href" and tag.lower() not in _NOT_PAGES) or (name == "to" and (tag[0].isupper() or "-" in tag)):
            text, closed, _ = self.text[end : end + MAX_TEXT].partition("<")
            self.link(at, text if closed else "", value)

    def wiki(self, mark: re.Match[str]) -> int:
        found = _WIKI(self.text, mark.end())
        if not found or found[1].lstrip("_").lower() in ("toc", "toc_") or "](" in found[0]:
            return 0
        self.link(mark.start(), found[2] or found[1], found[1].strip(), "wiki")
        return found.end()

    def link(self, at: int, text: str, target: str, kind: LinkKind = "path") -> None:
        target = target.strip()
        if target and len(target) <= MAX_TARGET and not _ADDRESS(target) and not _PLACEHOLDER(target):
            self.found.add_link(Link(self.offset + at, " ".join(text[:MAX_TEXT].split()), target, kind))

    def anchor(self, at: int, name: str) -> None:
        if name and len(name) <= MAX_NAME:
            self.found.add_anchor(Anchor(self.offset + at, name, "id"))


def _unescaped(target: str) -> str:
    target = _ESCAPE.sub(r"\1", target) if "\\" in target else target
    return unescape(target) if "&" in target else target
