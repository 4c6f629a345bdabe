"""Names of directives that are written alike, and the options that are shown."""

from __future__ import annotations

from typing import Final

CODE: Final = frozenset(
    ["code", "code-block", "sourcecode", "highlight-block", "literalinclude", "prompt", "ipython", "testcode",
     "testsetup", "testcleanup", "testoutput", "doctest", "productionlist", "graphviz", "digraph", "graph",
     "mermaid", "plantuml", "uml", "jupyter-execute", "command-output", "program-output", "console-output",
     "terminal", "parsed-literal", "console", "code-cell", "pyrun", "plot"]
)  # fmt: skip
NAMED_CODE: Final = {"graphviz": "dot", "digraph": "dot", "graph": "dot", "doctest": "pycon", "testcode": "python",
                     "mermaid": "mermaid", "plantuml": "plantuml", "console": "console"}  # fmt: skip
STEERING: Final = frozenset(
    ["contents", "sectnum", "section-numbering", "highlight", "currentmodule", "py:currentmodule", "module",
     "py:module", "index", "tabularcolumns", "default-domain", "sectionauthor", "codeauthor", "moduleauthor", "meta",
     "header", "footer", "raw", "include", "target-notes", "sidebar-links", "title", "cssclass", "rst-class",
     "role", "default-role", "program", "cpp:namespace", "cpp:namespace-push", "cpp:namespace-pop", "c:namespace",
     "c:namespace-push", "c:namespace-pop", "js:module", "restructuredtext-test-directive", "jinja:currentmodule"]
)  # fmt: skip
VERSIONS: Final = {
    "versionadded": "New in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
    "versionremoved": "Removed in version",
    "deprecated-removed": "Deprecated since version",
}
NAMES: Final = {name: name.capitalize() for name in
                ("attention", "caution", "danger", "error", "hint", "important", "note", "tip", "warning")}  # fmt: skip
TITLES: Final = {**NAMES, "seealso": "See also", "todo": "To do"}
QUOTES: Final = frozenset(["epigraph", "highlights", "pull-quote"])
SHOWN_OPTIONS: Final = ("caption", "title", "header", "subtitle")
