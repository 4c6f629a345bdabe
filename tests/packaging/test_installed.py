"""What is installed does its part, brings nothing that it does not need, and names the extra that more would need."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from tests.formats.office.xls_files import XLS
from tests.packaging.conftest import PROJECT, ROOT, Environment, succeed

DOCS = ROOT / "examples/docs"
DOCUMENTS = sorted(path.relative_to(DOCS) for path in DOCS.rglob("*") if path.is_file())
EXTRAS = PROJECT["optional-dependencies"]

READ_CHUNK_CHECK = """
import sys
from pathlib import Path
import crosshead

at_once = {name.partition(".")[0] for name in sys.modules}
for path in map(Path, sys.argv[1:]):
    document = crosshead.read(path)
    chunks = crosshead.chunk(document, max_tokens=200)
    report = crosshead.check(document, chunks)
    print(path.name, len(chunks) > 0, report.ok, report.coverage)
print(*sorted(at_once - sys.stdlib_module_names - {"crosshead", "__main__"}))
"""

INDEX_AND_SEARCH = """
import sys
def refuse(event, args):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
        raise RuntimeError(f"asks the network: {event} {args}")
sys.addaudithook(refuse)

import crosshead
with crosshead.Index("by-program", root=sys.argv[1], embedder="static") as index:
    print(index.add(sys.argv[1]).added)
    print(index.search("how do I rotate keys")[0].citation)
    print(index.passages("how do I rotate keys", budget_tokens=500)[0].citation)
"""


def names(requirements: Iterable[str]) -> set[str]:
    return {canonicalize_name(Requirement(each).name) for each in requirements}


def named_by_other_extras(extra: str) -> set[str]:
    """The packages that neither the package itself nor this extra names, but another one for users."""
    others = [name for name in EXTRAS if name not in {extra, "dev", "docs", "test"}]
    named = {name for other in others for name in names(EXTRAS[other])}
    return named - names(PROJECT["dependencies"]) - names(EXTRAS.get(extra, [])) - {"crosshead"}


def constrained() -> dict[str, str]:
    pairs = (line.split("==") for line in (ROOT / "constraints.txt").read_text("utf-8").split())
    return {canonicalize_name(name): version for name, version in pairs}


@pytest.mark.parametrize("extra", ["", "index"])
def test_only_what_is_asked_for_is_installed(extra: str, request: pytest.FixtureRequest) -> None:
    environment: Environment = request.getfixturevalue(extra or "base")
    versions = environment.versions()
    assert names(PROJECT["dependencies"]) | names(EXTRAS.get(extra, [])) <= versions.keys()
    assert named_by_other_extras(extra) & versions.keys() == set()
    assert versions.pop("crosshead")
    assert versions.items() <= constrained().items()


def test_base_extracts_chunks_and_checks_on_the_command_line(base: Environment, tmp_path: Path) -> None:
    extracted = base.crosshead("extract", DOCS, "--output", tmp_path / "markdown")
    assert extracted.returncode == 0, extracted.stderr
    assert len([path for path in (tmp_path / "markdown").rglob("*.md") if path.read_text("utf-8")]) == len(DOCUMENTS)
    chunked = base.crosshead("chunk", DOCS, "--max-tokens", 200, "--json")
    sources = {json.loads(line)["source"] for line in chunked.stdout.splitlines()}
    assert sources == {(DOCS / path).as_posix() for path in DOCUMENTS}
    checked = base.crosshead("check", DOCS, "--json")
    assert checked.returncode == 0, checked.stderr


def test_base_reads_cuts_and_checks_in_python(base: Environment) -> None:
    *reported, imported = base.python(READ_CHUNK_CHECK, *(DOCS / path for path in DOCUMENTS)).split("\n")[:-1]
    assert reported == [f"{path.name} True True 1.0" for path in DOCUMENTS]
    assert imported == ""


@pytest.mark.parametrize(
    ("extra", "args"),
    [
        ("index", ["index", DOCS]),
        ("index", ["eval", ROOT / "examples/questions.jsonl", "--docs", DOCS]),
        ("postgres", ["search", "keys", "--index", "postgresql://127.0.0.1/none"]),
        ("server", ["serve"]),
        ("mcp", ["mcp"]),
        ("xls", ["extract", "sheet.xls"]),
    ],
)
def test_command_that_lacks_an_extra_says_what_to_run(base: Environment, extra: str, args: list[object]) -> None:
    (base.home / "sheet.xls").write_bytes(XLS)
    ended = base.crosshead(*args)
    assert ended.returncode == 2
    assert re.fullmatch(rf"error: .*needs an optional package: pip install 'crosshead\[{extra}\]'\n", ended.stderr)


@pytest.mark.parametrize(
    ("extra", "args"),
    [
        ("ray", ["index", DOCS, "--index", "on-a-cluster", "--engine", "ray"]),
        ("s3", ["search", "keys", "--index", "s3://bucket/docs"]),
    ],
)
def test_command_that_lacks_more_than_an_index_says_what_to_run(
    index: Environment, extra: str, args: list[object]
) -> None:
    ended = index.crosshead(*args)
    assert ended.returncode == 2
    assert re.fullmatch(rf"error: .*needs an optional package: pip install 'crosshead\[{extra}\]'\n", ended.stderr)
    assert not (index.home / "on-a-cluster").exists()


@pytest.mark.parametrize("framework", ["langchain", "llamaindex", "haystack"])
def test_adapter_that_lacks_its_framework_says_what_to_run(base: Environment, framework: str) -> None:
    program = f"""
try:
    import crosshead.adapters.{framework}
except Exception as error:
    print(type(error).__name__, error)
"""
    told = base.python(program)
    assert told.startswith("MissingExtra")
    assert told.endswith(f"needs an optional package: pip install 'crosshead[{framework}]'\n")


@pytest.mark.parametrize("name", ["base", "index"])
def test_doctor_tells_what_is_there(name: str, request: pytest.FixtureRequest) -> None:
    environment: Environment = request.getfixturevalue(name)
    extras = json.loads(environment.crosshead("doctor", "--json").stdout)["extras"]
    assert (extras["index"], extras["server"], extras["langchain"]) == (name == "index", False, False)
    lines = environment.crosshead("doctor").stdout.splitlines()
    told = {extra for extra in extras for line in lines if line.endswith(f": pip install 'crosshead[{extra}]'")}
    assert told == {extra for extra, is_there in extras.items() if not is_there}


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash")
@pytest.mark.parametrize(
    ("typed", "completed"),
    [(["sea"], ["search"]), (["db", "up"], ["upgrade"]), (["check", "--samp"], ["--sample"])],
)
def test_shell_completes_commands_and_options(base: Environment, typed: list[str], completed: list[str]) -> None:
    """The script that `--install-completion` installs, called as bash does when somebody presses the tab key."""
    program = f"""
        eval "$(_CROSSHEAD_COMPLETE=source_bash crosshead)"
        COMP_WORDS=(crosshead {" ".join(typed)}) COMP_CWORD={len(typed)}
        _crosshead_completion crosshead
        echo "${{COMPREPLY[@]}}"
    """
    path = os.pathsep.join([str(base.programs), os.environ["PATH"]])
    assert succeed(["bash", "-c", program], env={"PATH": path}).split() == completed


def test_index_alone_indexes_and_searches_on_the_command_line(index: Environment) -> None:
    indexed = index.crosshead("index", DOCS, "--index", "by-command", "--root", DOCS)
    assert indexed.returncode == 0, indexed.stderr
    found = index.crosshead("search", "how do I rotate keys", "--index", "by-command", "--json")
    assert "handbook.md" in found.stdout


def test_index_alone_indexes_and_searches_in_python_without_a_network(index: Environment) -> None:
    added, hit, passage = index.python(INDEX_AND_SEARCH, DOCS).split("\n")[:-1]
    assert int(added) == len(DOCUMENTS)
    assert "handbook.md" in hit
    assert "handbook.md" in passage
