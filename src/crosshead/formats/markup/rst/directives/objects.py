"""Objects that directives describe: functions, classes, settings, options of a program, and those of any domain."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

OBJECTS: Final = frozenset(
    ["function", "class", "method", "attribute", "data", "exception", "classmethod", "staticmethod", "coroutine",
     "coroutinemethod", "awaitablefunction", "awaitablemethod", "abstractmethod", "decorator", "decoratormethod",
     "property", "describe", "object", "option", "cmdoption", "envvar", "confval", "setting", "directive", "type",
     "macro", "member", "enum", "struct", "enumerator", "union", "var", "variable", "cfunction", "cmember", "ctype",
     "cmacro", "cvar", "autofunction", "autoclass", "automodule", "automethod", "autoexception", "autodata",
     "autoattribute", "opcode", "pdbcommand", "django-admin", "django-admin-option", "templatetag", "templatefilter",
     "fieldlookup", "fieldtype", "command", "role", "domain", "signal", "event", "hook", "interface", "constant"]
)  # fmt: skip
PREFIXES: Final = {"class": "class ", "exception": "exception ", "classmethod": "classmethod ",
                   "staticmethod": "static ", "decorator": "@", "decoratormethod": "@", "coroutine": "coroutine ",
                   "django-admin": "django-admin "}  # fmt: skip
"""Text before the signature."""
SILENT_OPTIONS: Final = frozenset(
    ["module", "noindex", "no-index", "noindexentry", "no-index-entry", "nocontentsentry", "no-contents-entry",
     "no-typesetting", "canonical", "members", "undoc-members", "show-inheritance", "inherited-members",
     "member-order", "exclude-members", "private-members", "special-members", "platform", "name", "class"]
)  # fmt: skip
MAX_NAME: Final = 80
_MAX_NAMES: Final = 3

_CALL = re.compile(r"(?<![\w.:~$@\]>])([\w.:~$@\]>]*\w)\s*\(")
_CODE_LIKE = re.compile(r"(?=\S*[_.(:/]|--?\w|[A-Z0-9_]{3,}$)\S+(?:\(.*)?")
_NOT_NAMED_BY_CALL: Final = frozenset(["option", "cmdoption", "pdbcommand", "command", "describe", "django-admin"])


class RstObject(NamedTuple):
    """An object that a directive describes."""

    name: str
    """Of the first of them, or of several."""
    signatures: list[tuple[int, str]]
    """Each with its line below the first."""


def is_object(directive: str, argument: str) -> bool:
    """Return whether a directive describes an object; an unknown one does if its argument looks like code."""
    if not argument:
        return False
    return ":" in directive or directive in OBJECTS or _CODE_LIKE.fullmatch(argument) is not None


def describe(directive: str, argument: str) -> RstObject:
    """Return the names and signatures in an argument; a backslash continues a line."""
    kind = directive.rpartition(":")[2]
    parts: list[tuple[int, list[str]]] = []
    goes_on = False
    for at, line in enumerate(argument.split("\n")):
        text = line.strip()
        bare = text.removesuffix("\\").rstrip()
        if goes_on and parts:
            parts[-1][1].append(bare)
        elif text:
            parts.append((at, [PREFIXES.get(kind, "") + bare]))
        goes_on = text.endswith("\\")
    signatures = [(at, " ".join(lines).replace("\\", "")) for at, lines in parts]
    names = list(dict.fromkeys(_name(kind, text) for _, text in signatures))
    shown = ", ".join(names[:_MAX_NAMES]) + (", …" if len(names) > _MAX_NAMES else "")
    return RstObject(shown, signatures)


def _name(kind: str, signature: str) -> str:
    bare = signature.removeprefix(PREFIXES.get(kind, "") if kind != "decorator" else "").strip()
    found = None if kind in _NOT_NAMED_BY_CALL or bare.startswith("/") else _CALL.search(bare)
    if found:
        return f"{found[1].lstrip('~$')[-MAX_NAME:]}()"
    bare = re.split(r" [:=] |: ", bare)[0] if " " in bare else bare
    return bare if len(bare) <= MAX_NAME else f"{bare[: MAX_NAME - 1]}…"
