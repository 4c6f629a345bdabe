from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crosshead import Index
from crosshead.errors import OptionsError
from crosshead.search.query.conditions import read_query

PAGES = {
    "linux.md": "# Linux\n\nInstall the **sensor** template with apt.\n",
    "windows.md": "# Windows\n\nInstall the sensor\ntemplate with an installer. It's a draft.\n",
    "cpp.md": "# C++\n\nInstall the compiler for C++ before anything else.\n",
    "mac.md": "# Draft\n\nInstall the template of the sensor, or read it as you like to be.\n",
    "鍵.md": "# 鍵\n\n鍵を毎日回転させる必要があります。\n",
}


@pytest.fixture(params=["folder", "database"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Index]:
    """The same documents in each store."""
    location = tmp_path / "index" if request.param == "folder" else request.getfixturevalue("database")
    with Index(location, root=tmp_path, embedder="static") as index:
        for source, text in PAGES.items():
            index.add_text(text, source=source)
        yield index


DEMANDS = {
    "install -draft": {"linux.md", "cpp.md", "鍵.md"},
    "install -drafts": {"linux.md", "cpp.md", "鍵.md"},
    'install -"sensor template"': {"cpp.md", "mac.md", "鍵.md"},
    "install -C++ -draft": {"linux.md", "鍵.md"},
    '"sensor template"': {"linux.md", "windows.md"},
    "install “Sensor  Template”": {"linux.md", "windows.md"},
    'install "C++"': {"cpp.md"},
    "install apt OR compilers": {"linux.md", "cpp.md"},
    'install apt OR "to be"': {"linux.md", "mac.md"},
    "template apt OR compiler -linux": {"cpp.md"},
    '"to be"': {"mac.md"},
    'install "It’s a"': {"windows.md"},
    '"毎日回転"': {"鍵.md"},
    'install "template sensor"': set(),
    'install "ensor template"': set(),
}
"""The documents that queries allow."""


def test_what_a_query_demands_holds_for_every_hit(index: Index) -> None:
    for query, allowed in DEMANDS.items():
        assert {hit.chunk.source for hit in index.search(query, mode="dense")} == allowed, query
        assert {hit.chunk.source for hit in index.search(query)} == allowed, query
        assert {hit.chunk.source for hit in index.search(query, mode="lexical")} <= allowed, query
        assert {passage.source for passage in index.passages(query, all=True)} == allowed, query


def test_what_is_demanded_is_found_among_thousands(tmp_path: Path) -> None:
    with Index(tmp_path / "index", root=tmp_path, embedder="static") as index:
        pages = "".join(
            f"# Page {at}\n\nThe valve number {at} opens slowly. The valve is red.\n\n" for at in range(1_500)
        )
        index.add_text(pages + "# Last\n\nAmong much else that nobody asks for, a valve slowly opens.\n", source="a.md")
        (hit,) = index.search('valve number opens slowly red "slowly opens"', mode="lexical")
        assert hit.section_path == ("Last",)


@pytest.mark.parametrize("query", ["-draft", '-"sensor template"', "-draft -template"])
def test_only_leaving_out_is_no_question(index: Index, query: str) -> None:
    with pytest.raises(OptionsError, match="say also what to look for"):
        index.search(query)


@pytest.mark.parametrize(
    "query",
    [
        "how do I rotate\nkeys?",
        "tar -x file",
        "what is tar -x?",
        "temperatures of -5 degrees",
        "a - b",
        "--max-tokens or -k",
        'the literal br"..." of Rust',
        'an "unclosed quotation',
        'nothing "" inside',
        "this or that",
        "OR",
        "what is OR",
        "`code` «citation»",
    ],
)
def test_everything_else_is_the_question_as_it_stands(query: str) -> None:
    read = read_query(query, ["auto"])
    assert read.text == query
    assert not read.conditions


@pytest.mark.parametrize(
    ("query", "text", "required", "excluded"),
    [
        ("keys -old -draft rotate", "keys rotate", 0, 2),
        ("linux OR windows, install", "linux windows, install", 1, 0),
        ("a OR b OR c d", "a b c d", 1, 0),
        ('"a b" OR c "d"', '"a b" c "d"', 2, 0),
        ("OR linux OR windows", "OR linux windows", 1, 0),
    ],
)
def test_the_question_is_what_remains(query: str, text: str, required: int, excluded: int) -> None:
    read = read_query(query, ["auto"])
    assert (read.text, len(read.conditions.required), len(read.conditions.excluded)) == (text, required, excluded)


@given(st.text(alphabet='ab -"“”OR\n(.+', max_size=40))
def test_any_query_can_be_read(query: str) -> None:
    read = read_query(query, ["simple"])
    assert set(read.text.split()) <= set(query.split())
