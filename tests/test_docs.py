"""What README and docs say is what the program does. After a change: python -m tests.docs"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.docs.blocks import PART, REPOSITORY, differences, is_known, is_shown, pages, read_blocks, with_outputs
from tests.docs.reference import commands, option_names, public, public_functions, public_values, with_parts

import crosshead
from crosshead import errors

REWRITE = "rewrite the pages: python -m tests.docs"


def page(name: str) -> str:
    return (REPOSITORY / "docs" / name).read_text("utf-8")


def missing(names: Iterable[str], text: str) -> list[str]:
    """Return the names that a page does not have in code or in a small heading."""
    code = " ".join(re.findall(r"```.*?```|`[^`\n]+`|^### [^\n]*$", text, re.S | re.M))
    return [name for name in names if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", code)]


# ------------------------------------------------------------------ blocks


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.name)
def test_blocks_run_and_print_what_is_shown(path: Path) -> None:
    assert not [*differences(path.read_text("utf-8"))], REWRITE


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.name)
def test_generated_parts_are_up_to_date(path: Path) -> None:
    text = path.read_text("utf-8")
    assert text == with_parts(text), REWRITE


def test_every_block_runs_or_says_why_not() -> None:
    """A fence that the reader of blocks does not see would never run."""
    for path in pages():
        text = PART.sub("", path.read_text("utf-8"))
        fences = re.findall(r"^ *```(?:console|python)\b.*$", text, re.M)
        assert len(fences) == len(read_blocks(text)), path.name


# ------------------------------------------------------------------ the source is documented


def test_commands_and_their_flags_are_documented() -> None:
    text = page("cli.md")
    named = [(name, command) for name, command in commands() if not hasattr(command, "commands")]
    assert [name for name, _ in named if f"\n## {name}\n" not in text] == []
    flags = {flag for _, command in named for param in command.params for flag in (*param.opts, *param.secondary_opts)}
    assert missing((flag for flag in flags if flag.startswith("--")), text) == []


def test_options_are_documented() -> None:
    assert "max_tokens" in option_names()
    assert missing(option_names(), page("options.md")) == []


def test_public_names_are_documented() -> None:
    assert missing(crosshead.__all__, page("python.md")) == []


def test_methods_of_an_index_are_documented() -> None:
    text = page("python.md").replace("`Index.", "`index.")  # those that need no open index
    assert missing((f"index.{name}" for name in public(crosshead.Index)), text) == []


@pytest.mark.parametrize("name", public_values())
def test_fields_and_methods_of_values_are_documented(name: str) -> None:
    section = page("python.md").partition(f"\n### {name}\n")[2].partition("\n##")[0]
    if "[Options](options.md" in section:
        section = page("options.md") + section
    assert missing(public(getattr(crosshead, name)), section) == []


def test_arguments_of_functions_are_documented() -> None:
    text = page("python.md")
    assert [name for name in public_functions() if f"`crosshead.{name}(" not in text] == []


def test_errors_are_documented() -> None:
    names = [name for name, each in vars(errors).items() if isinstance(each, type) and issubclass(each, Exception)]
    assert missing(names, page("python.md")) == []


def test_routes_are_documented(tmp_path: Path) -> None:
    from crosshead.server.app import create_app

    with crosshead.Index(tmp_path / "index", embedder="static") as index:
        routes = [*create_app(index).openapi()["paths"]]
    assert "/v1/search" in routes
    text = re.sub(r"\{\w+\}", "{}", page("server.md"))
    assert [route for route in routes if f"{re.sub(r'{[a-z_]+}', '{}', route)}`" not in text] == []


def test_tools_are_documented(tmp_path: Path) -> None:
    from crosshead.mcp.projects import Projects
    from crosshead.mcp.server import create_server

    server = create_server(Projects(tmp_path), budget_tokens=8000)
    with ThreadPoolExecutor() as pool:  # this thread may have the event loop of a browser
        tools = pool.submit(asyncio.run, server.list_tools()).result()
    arguments = {name for tool in tools for name in tool.input_schema["properties"]}
    assert missing({tool.name for tool in tools} | arguments, page("mcp.md")) == []


def test_revisions_of_the_database_are_documented() -> None:
    from crosshead.store.postgres.database.revisions import REVISIONS

    assert [each for each in REVISIONS if not re.search(rf"^\| {each} \|", page("migrating.md"), re.M)] == []


GLOSSARY = {
    "document block section chunk hit passage": crosshead.__all__,
    "unchanged skipped failed removed pending": public(crosshead.AddResult),
    "source citation snippet": public(crosshead.Hit),
    "overlap": public(crosshead.Chunk),
    "candidates": option_names(),
}
"""Words of the glossary that are also names, and where."""


@pytest.mark.parametrize("words", GLOSSARY)
def test_words_of_the_glossary_are_names(words: str) -> None:
    names = {name.lower() for name in GLOSSARY[words]}
    listed = set(re.findall(r"^\| ([a-z ,]+) \| [A-Z].*\. \|$", page("glossary.md"), re.M))
    assert set(words.split()) <= names & listed


# ------------------------------------------------------------------ the tests can fail


def test_names_are_looked_for_in_code_only() -> None:
    text = "The limit is `limit=5`, the mode fast, `source_file` no `source-x`."
    assert missing(["limit", "mode", "source"], text) == ["mode", "source"]


def test_another_output_is_noticed_and_rewritten() -> None:
    text = "```console\n$ crosshead --version\ncrosshead 0\n$ crosshead nonsense\n```\n\n```python\nprint(1 + 1)\n```\n"
    assert len([*differences(text)]) == 3
    version = f"crosshead {crosshead.__version__}"
    new = with_outputs(text, [[version, "error: no"], ["2"]])
    assert new == (
        f"```console\n$ crosshead --version\n{version}\n$ crosshead nonsense\nerror: no\n```\n\n"
        "```python\nprint(1 + 1)\n```\n\n```text\n2\n```\n"
    )
    again = with_outputs(new, [[version, "error: no"], ["3"]])
    assert again == new.replace("\n2\n", "\n3\n")


def test_a_failing_command_without_output_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="no-such-folder"):
        [*differences("```console\ncrosshead check no-such-folder\n```\n")]


def test_a_block_that_is_not_run_says_why() -> None:
    (block,) = read_blocks("<!-- not run: needs a server -->\n```console\n$ curl x\n```\n")
    assert block.reason == "needs a server"


@pytest.mark.parametrize(
    ("output", "shown", "same"),
    [
        ("a\nb", "a\nb", True),
        ("a\nb", "a", False),
        ("took 3 s", "took ... s", True),
        ("took 3 s", "took ... ms", False),
        ("a\nb\nc", "a\n...", True),
        ("b\nc", "a\n...", False),
    ],
)
def test_dots_stand_for_what_differs(output: str, shown: str, same: bool) -> None:
    assert is_shown(output, shown) is same


def test_what_is_not_run_is_looked_up() -> None:
    assert is_known("pip install 'crosshead[index,server]'")
    assert not is_known("pip install 'crosshead[nonsense]'")
    assert is_known("make bench")
    assert not is_known("make nonsense")
    assert not is_known("python bench/nonsense.py")
