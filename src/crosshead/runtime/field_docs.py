"""The docstrings of fields, read from the source: Python drops them, and help texts and schemas need them."""

from __future__ import annotations

import ast
import inspect
from functools import cache
from itertools import pairwise
from textwrap import dedent


def field_docs(kind: type) -> dict[str, str]:
    """Return the docstrings of the fields of a class and its bases, by name, each on one line."""
    docs: dict[str, str] = {}
    for each in reversed(kind.__mro__[:-1]):
        docs |= _own_docs(each)
    return docs


@cache
def _own_docs(kind: type) -> dict[str, str]:
    try:
        [definition] = ast.parse(dedent(inspect.getsource(kind))).body
    except (OSError, TypeError):  # installed without sources, or built in
        return {}
    assert isinstance(definition, ast.ClassDef)
    return {
        field.target.id: " ".join(doc.value.value.split())
        for field, doc in pairwise(definition.body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(doc, ast.Expr)
        and isinstance(doc.value, ast.Constant)
        and isinstance(doc.value.value, str)
    }
