"""Source code and data: sections of definitions and keys, and citations that are lines of the file, exactly."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.formats.sound import headings, kinds, read_soundly

import crosshead
from crosshead import Chunk
from crosshead.errors import CorruptFile

PYTHON = '''"""A module."""

import os


# a note on it
@decorated
class Thing:
    """It."""

    size = 1

    def method(self):
        text = """
def no_definition():
"""
        def inner():
            pass
        return text

    other = 2


async def run():
    return 1


if __name__ == "__main__":
    run()
'''

EXAMPLES = {
    "javascript": ("import a from 'a';\n\n/** Doc. */\nexport class A {\n  get() {\n    if (x) {\n    }\n  }\n}\n\n"
                   "const f = async (x) => {\n};\n\napp.use = function use() {\n};\n",
                   ["class A", "get()", "f()", "app.use()"]),
    "typescript": ("export interface P {\n  a: string;\n}\n\nexport default function g<T>(a: T): void {\n}\n",
                   ["interface P", "function g"]),
    "java": ("package a;\n\npublic final class A<T> {\n    @Override\n    public List<T> get(int a) throws E {\n"
             "        return x(1);\n    }\n    abstract void none();\n}\n",
             ["class A", "get()", "abstract void none();"]),
    "c": ("#include <a.h>\n\nstruct point {\n  int x;\n};\n\nint declared(int a);\n\n/* Adds. */\nstatic int\n"
          "add(int a,\n    int b)\n{\n  return a;\nout:\n  return b;\n}\n",
          ["struct point", "int declared(int a);", "add()"]),
    "cpp": ("namespace n {\n\nclass A : public B {\n public:\n  int f() const { return 1; }\n};\n\n"
            "int A::g(int a) {\n  return a;\n}\n\n}\n", ["namespace n", "class A", "f()", "A::g()"]),
    "csharp": ("namespace N\n{\n    public class A\n    {\n        public async Task<int> Run(int a)\n        {\n"
               "            return 1;\n        }\n    }\n}\n", ["namespace N", "class A", "Run()"]),
    "go": ("package a\n\n// S is.\ntype S struct {\n\tx int\n}\n\nfunc (s *S) Get(a int) error {\n\treturn nil\n}\n",
           ["type S", "func S.Get"]),
    "rust": ("use a;\n\n/// Doc.\npub struct S {\n    x: i32,\n}\n\nimpl<T> Tr for S {\n"
             "    pub fn get(&self) -> i32 {\n        1\n    }\n}\n", ["struct S", "impl<T> Tr for S", "fn get"]),
    "ruby": ("require 'a'\n\nmodule M\n  class A < B\n    def get?(a)\n      if a\n      end\n    end\n  end\nend\n",
             ["module M", "class A", "def get?"]),
    "php": ("<?php\n\nfinal class A extends B\n{\n    public function get(int $a): int\n    {\n"
            "        return 1;\n    }\n}\n", ["class A", "function get"]),
    "shell": ("#!/bin/sh\nset -e\n\n# Says.\nsay() {\n  echo \"}\n\"\n}\n\nfunction go {\n  say\n}\ngo\n",
              ["say()", "function go", "go"]),
    "sql": ("SET x = 1;\n\n-- People.\nCREATE TABLE IF NOT EXISTS people (\n  id int\n);\n\n"
            "create or replace view v as\nselect 1;\n", ["table people", "view v"]),
    "toml": ("name = 1\n\n[tool.a]\nx = [\n[1],\n]\n\n[[b]]\ny = 2\n", ["tool.a", "b"]),
}  # fmt: skip


def titles(text: str, format: str) -> list[str]:
    return [title for _, title in headings(read_soundly(text, format))]


def code_lines(content: str) -> list[str]:
    """The lines inside the fences of a chunk that are not blank."""
    found, closing = [], ""
    for line in content.split("\n"):
        if closing:
            closing = "" if line == closing else closing
            found += [line] if closing and line.strip() else []
        elif fence := re.match("`{3,}", line):
            closing = fence[0]
    return found


def assert_exact(chunk: Chunk, source: str) -> None:
    first, _, last = chunk.citation.rpartition(":")[2].partition("-")
    lines = source.split("\n")[int(first) - 1 : int(last or first)]
    assert code_lines(chunk.content) == [line for line in lines if line.strip()]


def test_python() -> None:
    document = read_soundly(PYTHON, "python")
    assert headings(document) == [
        (2, "class Thing"),
        (3, "def method"),
        (3, "other = 2"),
        (2, "def run"),
        (2, 'if __name__ == "__main__":'),
    ]
    assert "# a note on it\n@decorated\nclass Thing:" in document.text
    assert document.title == "file"


@pytest.mark.parametrize("format", EXAMPLES)
def test_definitions_become_sections(format: str) -> None:
    text, expected = EXAMPLES[format]
    assert titles(text, format) == expected


@pytest.mark.parametrize("format", ["python", *EXAMPLES])
def test_citations_are_exact(format: str) -> None:
    text = PYTHON if format == "python" else EXAMPLES[format][0]
    document = read_soundly(text, format, source="a.x")
    for options in ({}, {"max_tokens": 40, "min_tokens": 0, "overlap_tokens": 0}):
        for chunk in crosshead.chunk(document, **options):
            assert_exact(chunk, text)


def test_citations_in_real_code_are_exact_and_no_chunk_is_too_large() -> None:
    for module in (inspect, json, re):
        text = Path(str(module.__file__)).read_text()
        chunks = crosshead.chunk(read_soundly(text, "python", source="m.py"))
        assert len(chunks) > 2
        assert not any(chunk.oversize_reason for chunk in chunks)
        for chunk in chunks:
            assert_exact(chunk, text)


@given(
    st.text(alphabet="ab{}()\n \t\"'`#/*:;=", max_size=400),
    st.sampled_from(["python", "javascript", "c", "ruby", "yaml"]),
)
def test_any_text_keeps_its_lines(text: str, format: str) -> None:
    if not text.strip():
        return
    document = read_soundly(text, format)
    assert code_lines(document.text) == [line for line in text.split("\n") if line.strip()]


def test_long_function_and_long_line_are_cut_where_it_is_cheap() -> None:
    block = "    for a in b:\n        call(a, b, c)\n        other(a)\n\n"
    document = read_soundly(f"def f():\n{block * 60}", "python")
    fences = [block for block in document.blocks if block.kind == "code"]
    assert len(fences) > 2
    assert all(document.text[each.start : each.end].split("\n")[1].startswith("    for") for each in fences[1:])
    line = read_soundly(json.dumps(list(range(5_000))), "json", source="a.json")
    chunks = crosshead.chunk(line)
    assert len(chunks) > 20
    assert {chunk.citation for chunk in chunks} == {"a.json:1"}
    assert "".join(code_lines(line.text)) == json.dumps(list(range(5_000)))


def test_keys_of_json() -> None:
    data = {
        "name": "x",
        "scripts": {"a": 1, "b": 2},
        "license": "MIT",
        "files": ["a", "b"],
        "z": 1,
        "y": 2,
        "x": 3,
        "w": 4,
    }
    assert titles(json.dumps(data, indent=2), "json") == ["scripts", "license", "files", "z, y, x, …"]
    assert titles(json.dumps({"a": 1, "b": 2}, indent=2), "json") == []
    assert titles(json.dumps([{"a": 1, "b": [1, 2]}] * 30, indent=2), "json") == [], "records need no headings"
    large = {"outer": {f"key{at}": {"text": "words " * 30, "more": 1} for at in range(5)}, "after": {"a": 1, "b": 2}}
    assert titles(json.dumps(large, indent=2), "json") == ["outer", *(f"key{at}" for at in range(5)), "after"]


def test_keys_of_yaml_and_xml() -> None:
    yaml = "# first\nversion: 3\nservices:\n  web:\n    image: a\n  # not here\nnetworks:\n  - a\ntext: |\n  key: no\n"
    assert titles(yaml, "yaml") == ["services", "networks", "text"]
    xml = "<?xml version='1.0'?>\n<project>\n  <a/>\n  <deps id=\"1\">\n    <dep/>\n    <dep/>\n  </deps>\n</project>\n"
    assert titles(xml, "xml") == ["project"]
    assert kinds(read_soundly("line one\nline two\n", "log")) == ["code"]


@pytest.mark.parametrize("format", ["json", "yaml", "xml", "python", "javascript", "toml"])
@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"a":' * 50_000, "<a>" * 50_000, "  " * 20_000 + "x", "/*" * 50_000, '"' * 50_001]
)
def test_deep_nesting_is_only_text(format: str, text: str) -> None:
    assert read_soundly(text, format).text


def test_binary_is_refused() -> None:
    with pytest.raises(CorruptFile, match="control characters"):
        read_soundly(bytes(range(32)) * 50, "python")
