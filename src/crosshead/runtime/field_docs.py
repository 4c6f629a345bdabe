"""The docstrings of fields, read from the source: Python drops them, and help texts and schemas need them."""

from __future__ import annotations

import ast
import inspect
import sys
from functools import cache
from itertools import pairwise


def field_docs(kind: type) -> dict[str, str]:
    """Return the docstrings of the fields of a class and its bases, by name, each on one line."""
    docs: dict[str, str] = {}
    for each in reversed(kind.__mro__[:-1]):
        docs |= _docs_in(each.__module__).get(each.__name__, {})
    return docs


@cache
def _docs_in(module: str) -> dict[str, dict[str, str]]:
    """Return the docstrings of the fields of all classes of a module, which is parsed once."""
    try:
        source = inspect.getsource(sys.modules[module])
    except (OSError, TypeError):  # installed without sources, or built in
        return {}
    classes = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ClassDef))
    return {each.name: _docs_of(each) for each in classes}


def _docs_of(definition: ast.ClassDef) -> dict[str, str]:
    return {
        field.target.id: " ".join(doc.value.value.split())
        for field, doc in pairwise(definition.body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(doc, ast.Expr)
        and isinstance(doc.value, ast.Constant)
        and isinstance(doc.value.value, str)
    }
