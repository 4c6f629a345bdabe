"""The rules of the tree that import-linter cannot say."""

import ast
from collections import Counter
from pathlib import Path

import crosshead

SOURCE = Path(crosshead.__file__).parent
TESTS = Path(__file__).parent
ROOMS = {
    "formats",
    "markdown",
    "chunking",
    "checking",
    "embedding",
    "store",
    "search",
    "indexing",
    "evaluation",
    "proof",
    "linking",
}
DEEPER = {("cli", "store.postgres")}
"""Who may import more of a room than its `__init__` shows: `crosshead db` migrates the tables of PostgreSQL."""
ADAPTER_NAMES = {"CrossheadRetriever", "CrossheadSplitter"}
"""Every framework has one of its own, under the name that its users expect."""


def test_class_names_are_unique() -> None:
    names = Counter(
        node.name
        for path in SOURCE.rglob("*.py")
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef)
    )
    assert {name for name, count in names.items() if count > 1} == ADAPTER_NAMES


def test_rooms_are_entered_by_their_doors() -> None:
    deep = {
        (path.relative_to(SOURCE).as_posix(), node.module)
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and _is_deep(path.relative_to(SOURCE).parts[0], node.module or "")
    }
    assert deep == set()


def test_shared_tools_know_no_format() -> None:
    shared = [SOURCE / "formats" / "base.py", *(SOURCE / "formats" / "shared").rglob("*.py")]
    imported = {
        node.module
        for path in shared
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("crosshead.formats")
    }
    assert {module for module in imported if module.split(".")[2:3] not in (["base"], ["shared"])} == set()


def test_no_module_imports_a_test_module() -> None:
    imported = {
        (path.relative_to(TESTS).as_posix(), name)
        for path in TESTS.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        for name in _imported_names(node)
        if any(part.startswith("test_") for part in name.split("."))
    }
    assert imported == set()


def _imported_names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.ImportFrom):
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else []


def _is_deep(importer: str, module: str) -> bool:
    package, _, inside = module.partition(".")
    room, _, rest = inside.partition(".")
    is_allowed = any(importer == door and inside.startswith(part) for door, part in DEEPER)
    return package == "crosshead" and room in ROOMS and bool(rest) and importer != room and not is_allowed
