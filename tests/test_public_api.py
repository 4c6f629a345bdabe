from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import metadata
from importlib.resources import files
from pathlib import Path

import pytest

import crosshead
from crosshead import errors
from crosshead.cli.commands.maintain.doctor import EXTRAS


def test_public_names_are_pinned() -> None:
    assert crosshead.__all__ == [
        "AddResult",
        "Answer",
        "Block",
        "Chunk",
        "ChunkOptions",
        "Chunks",
        "CitedSource",
        "CrossheadError",
        "Document",
        "ExtractOptions",
        "Extracted",
        "Format",
        "HeadingStack",
        "Hit",
        "Index",
        "Passage",
        "Passages",
        "Prompt",
        "Proof",
        "Report",
        "SearchOptions",
        "SearchRequest",
        "Section",
        "Violation",
        "check",
        "chunk",
        "estimate_tokens",
        "extract",
        "parse_blocks",
        "read",
        "register_format",
    ]
    assert all(hasattr(crosshead, name) for name in crosshead.__all__)


def test_star_import_brings_the_public_names_and_no_others() -> None:
    names: dict[str, object] = {}
    exec("from crosshead import *", names)
    assert sorted(names.keys() - {"__builtins__"}) == sorted(crosshead.__all__)


def test_import_is_light() -> None:
    """What only some calls need is imported when they need it."""
    heavy = ["rich", "typer", "click", "yaml", "splintr", "tiktoken", "markdown_it", "numpy"]
    heavy += [
        "lxml",
        "selectolax",
        "pypdfium2",
        "zipfile",
        "email",
        "lance",
        "pyarrow",
        "pathspec",
    ]
    program = f"import sys, crosshead; print(*[name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.split() == []


def test_command_line_starts_without_what_single_commands_need() -> None:
    heavy = ["rich", "yaml", "splintr", "numpy", "lance", "pyarrow", "crosshead.language.words", "crosshead.index"]
    program = f"import sys, crosshead.cli; print(*[name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize(
    ("mode", "model"), [("lexical", []), ("hybrid", ["crosshead.embedding.static"])], ids=["lexical", "hybrid"]
)
def test_search_loads_only_what_it_uses(tmp_path: Path, mode: str, model: list[str]) -> None:
    (tmp_path / "keys.md").write_text("# Keys\n\nRotate the keys every day.\n")
    with crosshead.Index(tmp_path / "index", embedder="static") as index:
        index.add(tmp_path / "keys.md")
    heavy = ["crosshead.embedding.static", "onnxruntime", "splintr", "crosshead.language.detection"]
    heavy += [f"crosshead.{room}" for room in ("answering", "chunking", "checking", "formats", "markdown", "pipeline")]
    program = (
        "import sys, crosshead\n"
        "index = crosshead.Index(sys.argv[1], create=False)\n"
        f"(hit,) = index.search('rotate keys', mode={mode!r})\n"
        f"print(hit.citation, *[name for name in {heavy} if name in sys.modules])"
    )
    command = [sys.executable, "-c", program, tmp_path / "index"]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout.split() == ["keys.md:1-3", *model]


def test_utilities_are_usable_alone() -> None:
    program = (
        "import sys; from crosshead import parse_blocks, HeadingStack, estimate_tokens\n"
        "stack = HeadingStack()\n"
        "[stack.push(block.level, block.title) for block in parse_blocks('# A\\n\\n## B')]\n"
        "print(stack.breadcrumb, estimate_tokens('word'), 'splintr' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout == "A > B 1 False\n"


def test_error_tree_is_drawn_as_it_is() -> None:
    """The module opens with all errors; what a subclass is indented below is its parent."""
    drawn: list[tuple[int, type[Exception]]] = []
    for line in (errors.__doc__ or "").split("\n"):
        name = line.split()[0] if line.startswith("    ") else ""
        if name:
            depth = len(line) - len(line.lstrip())
            error = getattr(errors, name)
            parent = next((each for indent, each in reversed(drawn) if indent < depth), Exception)
            assert error.__bases__[0] is parent
            drawn.append((depth, error))
    defined = {each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, Exception)}
    assert {error for _, error in drawn} == defined


def test_missing_extra_names_what_to_install() -> None:
    error = errors.MissingExtra("index", "Searching")
    assert (str(error), error.extra) == ("Searching needs an optional package: pip install 'crosshead[index]'", "index")


def test_missing_extra_is_one_that_there_is() -> None:
    sources = Path(crosshead.__file__).parent.rglob("*.py")
    named = {name for path in sources for name in re.findall(r'MissingExtra\("([^"]+)"', path.read_text("utf-8"))}
    named |= EXTRAS.keys()
    assert {"index", "postgres", "server", "xls"} <= named
    assert named <= set(metadata("crosshead").get_all("Provides-Extra") or ())


def test_package_is_typed() -> None:
    assert (files(crosshead) / "py.typed").is_file()


def test_dir_shows_what_there_is() -> None:
    assert {*crosshead.__all__, "__version__"} <= set(dir(crosshead))
    assert re.fullmatch(r"\d+\.\d+\.\d+.*", crosshead.__version__)
