"""What docutils does not know of reStructuredText: the directives and roles of Sphinx and others.

Code stays code with its language, signatures become terms, what only steers a builder is dropped, and everything else
is read as if its content stood there by itself. The registries of docutils, which others in the process may use, are
left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from copy import copy
from html import escape
from typing import Any, Final

from docutils import nodes
from docutils.parsers import rst
from docutils.parsers.rst import directives, roles, states
from docutils.transforms import Transform

CODE: Final = frozenset(
    ["code", "code-block", "sourcecode", "highlight-block", "literalinclude", "prompt", "ipython", "testcode",
     "testsetup", "testcleanup", "testoutput", "doctest", "productionlist", "graphviz", "digraph", "graph",
     "mermaid", "plantuml", "uml", "jupyter-execute", "command-output", "program-output", "console-output",
     "terminal"]
)  # fmt: skip
NAMED_CODE: Final = {"graphviz": "dot", "digraph": "dot", "graph": "dot", "doctest": "pycon", "testcode": "python"}
STEERING: Final = frozenset(
    ["contents", "sectnum", "section-numbering", "highlight", "currentmodule", "py:currentmodule", "module",
     "index", "tabularcolumns", "default-domain", "sectionauthor", "codeauthor", "moduleauthor", "meta",
     "header", "footer", "raw", "include", "target-notes", "sidebar-links", "title", "cssclass", "rst-class"]
)  # fmt: skip
OBJECTS: Final = frozenset(
    ["function", "class", "method", "attribute", "data", "exception", "classmethod", "staticmethod",
     "decorator", "property", "describe", "object", "option", "cmdoption", "program", "envvar", "confval",
     "setting", "directive", "type", "macro", "member", "enum", "struct", "autofunction", "autoclass",
     "automodule", "automethod", "autoexception", "autodata", "autoattribute"]
)  # fmt: skip
VERSIONS: Final = {
    "versionadded": "New in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
    "versionremoved": "Removed in version",
}
TITLES: Final = {"seealso": "See also", "todo": "To do"}
TEXT_ROLES: Final = frozenset(
    ["ref", "doc", "term", "abbr", "numref", "any", "dfn", "guilabel", "menuselection", "download", "eq",
     "index", "sup", "sub"]
)  # fmt: skip

_EXPLICIT_TITLE = re.compile(r"(.+?)\s*(?<!\x00)<([^<>]*)>", re.S)
_LANGUAGE = re.compile(r"[\w+#.-]{1,40}")


class _AnyOption(dict[str, Callable[[str], Any]]):
    """Options that are not known are read and ignored."""

    def __bool__(self) -> bool:
        return True

    def __missing__(self, name: str) -> Callable[[str], Any]:
        return _unchanged


def _unchanged(value: str | None) -> str:
    return value or ""


class _Kept(rst.Directive):
    """A directive that docutils does not know, or knows too strictly."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = _AnyOption()

    def run(self) -> list[nodes.Node]:
        name = self.name.lower()
        argument = self.arguments[0] if self.arguments else ""
        if name in CODE:
            return self.code(NAMED_CODE.get(name, argument), argument)
        if name == "toctree":
            return self.entries()
        if name in VERSIONS:
            version, _, text = argument.partition("\n" if "\n" in argument else " ")
            return [*self.title("", f"{VERSIONS[name]} {version}: {text}".rstrip(": ")), *self.nested()]
        if ":" in name or name in OBJECTS:
            return self.definition(argument)
        return [*self.title(TITLES.get(name, ""), argument), *self.nested()]

    def code(self, language: str, argument: str) -> list[nodes.Node]:
        """Where there is no code, as in a reference to a file, the reference is all there is to say."""
        text = "\n".join(self.content)
        found: list[nodes.Node] = []
        if caption := self.options.get("caption"):
            found.append(nodes.paragraph("", caption))
        if not text:
            return [*found, nodes.paragraph("", "", nodes.literal("", argument))] if argument else found
        is_name = _LANGUAGE.fullmatch(language) and language not in ("none", "text")
        found.append(nodes.literal_block(text, text, classes=["code", language] if is_name else []))
        return found

    def entries(self) -> list[nodes.Node]:
        items = nodes.bullet_list()
        for line in filter(None, map(str.strip, self.content)):
            titled = _EXPLICIT_TITLE.fullmatch(line)
            title, target = (titled[1], titled[2]) if titled else (line, line)
            link = nodes.reference("", title, refuri=target)
            items += nodes.list_item("", nodes.paragraph("", "", link))
        caption = [nodes.paragraph("", self.options["caption"])] if self.options.get("caption") else []
        return [*caption, items] if len(items) else list(caption)

    def definition(self, argument: str) -> list[nodes.Node]:
        """Every line of the argument is a signature."""
        signatures = [line.strip() for line in argument.split("\n") if line.strip()]
        terms = [nodes.paragraph("", "", nodes.strong("", "", nodes.literal("", each))) for each in signatures]
        return [*terms, *self.nested()]

    def title(self, title: str, argument: str) -> list[nodes.Node]:
        found: list[nodes.Node] = [nodes.paragraph("", "", nodes.strong("", title))] if title else []
        if argument:
            children, messages = self.state.inline_text(argument, self.lineno)
            found += [nodes.paragraph(argument, "", *children), *messages]
        return found

    def nested(self) -> list[nodes.Node]:
        holder = nodes.Element()
        self.state.nested_parse(self.content, self.content_offset, holder, match_titles=False)
        return list(holder.children)


class _Dropped(_Kept):
    """A directive that steers a builder, or asks for something outside of the text."""

    def run(self) -> list[nodes.Node]:
        if self.name.lower() in ("include", "raw"):
            self.state.reporter.warning(f"{self.name} {' '.join(self.arguments)} is left out", line=self.lineno)
        return []


def _tolerant(known: type[rst.Directive]) -> type[rst.Directive]:
    """A directive of docutils that does not mind options of Sphinx."""
    return type(known.__name__, (known,), {"option_spec": _AnyOption(known.option_spec or {})})


class _Tolerant:
    """Mixed into every state of the parser."""

    nested_sm_cache: Final[list[Any]] = []
    """Parsers that docutils keeps for the next use, which must not meet others."""

    def __init__(self, state_machine: Any, debug: bool = False) -> None:
        super().__init__(state_machine, debug)  # type: ignore[call-arg]
        self.nested_sm_kwargs = {"state_classes": STATES, "initial_state": "Body"}

    def directive(self, match: re.Match[str], **presets: Any) -> tuple[list[nodes.Node], bool]:
        state: Any = self
        name = match.group(1)
        lower = name.lower()
        if lower in STEERING:
            return state.run_directive(_Dropped, match, name, presets)  # type: ignore[no-any-return]
        known = None
        if lower not in CODE:
            known, _ = directives.directive(lower, state.memo.language, state.document)
        kind = _tolerant(known) if isinstance(known, type) else known or _Kept
        return state.run_directive(kind, match, name, presets)  # type: ignore[no-any-return]


def _explicit_markup() -> Any:
    """What docutils tries where a line begins with two dots: it keeps the functions themselves, not their names."""
    explicit = copy(states.Body.explicit)
    explicit.constructs = [
        (_Tolerant.directive if each is states.Body.directive else each, pattern)
        for each, pattern in explicit.constructs
    ]
    return explicit


STATES: Final[Sequence[Any]] = tuple(
    type(each.__name__, (_Tolerant, each), {"explicit": _explicit_markup()}) for each in states.state_classes
)


def _make_inliner() -> Any:
    """A reader of inline markup. It is no class of its own, because docutils looks up its patterns in that class."""
    inliner: Any = states.Inliner()
    interpret = inliner.interpreted

    def interpreted(rawsource: str, text: str, role: str, lineno: int) -> Any:
        known, _ = roles.role(role, inliner.language, lineno, inliner.reporter)
        return interpret(rawsource, text, role, lineno) if known else ([_unknown_role(rawsource, text, role)], [])

    inliner.interpreted = interpreted
    return inliner


def _unknown_role(source: str, text: str, role: str) -> nodes.Node:
    """Roles of Sphinx are text or code; the targets that they name are known to its builder only."""
    titled = _EXPLICIT_TITLE.fullmatch(text)
    shown = nodes.unescape(titled[1] if titled else text)
    if role.lower().rpartition(":")[2] in TEXT_ROLES:
        return nodes.inline(source, shown)
    if shown.startswith("~"):
        shown = shown[1:].rpartition(".")[2]
    return nodes.literal(source, shown.removeprefix("!"))


class _Prepare(Transform):
    """Gives the writer of HTML what the reader of HTML understands."""

    default_priority = 855

    def apply(self, **_: Any) -> None:
        for literal in self.document.findall(nodes.literal):
            literal["classes"].append("code")
        for formula in list(self.document.findall(nodes.math_block)):
            page = f'<div class="math">\\[{escape(formula.astext())}\\]</div>'
            formula.replace_self(nodes.raw("", page, format="html"))
        self._keep_text()

    def _keep_text(self) -> None:
        """What docutils could not read stands in its messages, which are left out later."""
        for message in list(self.document.findall(nodes.system_message)):
            blocks = [child for child in message.children if isinstance(child, nodes.literal_block)]
            if blocks and message.parent is not None:
                message.replace_self(blocks)


class Parser(rst.Parser):
    """Reads reStructuredText; `faults` are the lines and messages of what is wrong with it."""

    def __init__(self) -> None:
        super().__init__(inliner=_make_inliner())
        self.state_classes = STATES
        self.faults: list[tuple[int, str]] = []

    def get_transforms(self) -> list[type[Transform]]:
        return [*super().get_transforms(), _Prepare]

    def parse(self, inputstring: str, document: nodes.document) -> None:
        document.reporter.attach_observer(self._collect)
        super().parse(inputstring, document)

    def _collect(self, message: nodes.system_message) -> None:
        if message["level"] >= 2:
            self.faults.append((message.get("line", 0), message.children[0].astext() if message.children else ""))
