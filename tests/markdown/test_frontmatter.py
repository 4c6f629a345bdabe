from __future__ import annotations

import json

import pytest

from crosshead import chunk, parse_blocks
from crosshead.markdown import MalformedFrontMatter, parse_front_matter
from crosshead.markdown.frontmatter import MAX_LENGTH

TEXT = "---\ntitle: A guide\n---\n\n# Heading\n\ntext\n"


@pytest.mark.parametrize(
    ("source", "values"),
    [
        ("---\ntitle: A guide\ntags: [a, 'b']\n---", {"title": "A guide", "tags": ["a", "b"]}),
        ("---\na: {b: {c: 1.5}}\n---", {"a": {"b": {"c": 1.5}}}),
        ("---\ntext: >\n  one\n  two\nnull: ~\non: true\n---", {"text": "one two\n", "None": None, "True": True}),
        ("---\nday: 2024-02-01\nat: 2024-02-01T10:00:00\n---", {"day": "2024-02-01", "at": "2024-02-01T10:00:00"}),
        ("---\n1: one\ndata: !!binary aGk=\nset: !!set {x}\n---", {"1": "one", "data": "hi", "set": ["x"]}),
        ("---\na: .nan\nb: [-.inf, 1.5]\n---", {"a": "nan", "b": ["-inf", 1.5]}),
        ("---\na: {1: one, b: two, b: three}\nc: !!str 5\n---", {"a": {"1": "one", "b": "three"}, "c": "5"}),
        ("---\na: {<<: {b: c}, d: e}\nf: [[], {}, ~, 7]\n---", {"a": {"b": "c", "d": "e"}, "f": [[], {}, None, 7]}),
        ("---\n# only a comment\n---", {}),
        ("---\n---", {}),
        ("---   \na: b\n---  ", {"a": "b"}),
        ("---\na: b\n...", {"a": "b"}),
        ('+++\ntitle = "A guide"\n[table]\nx = [1, 2]\n+++', {"title": "A guide", "table": {"x": [1, 2]}}),
        ("+++\nday = 2024-02-01\nat = 10:30:00\n+++", {"day": "2024-02-01", "at": "10:30:00"}),
        ("+++\n+++", {}),
    ],
)
def test_values_are_plain_json(source: str, values: dict[str, object]) -> None:
    assert [block.kind for block in parse_blocks(source)] == ["front_matter"]
    assert parse_front_matter(source) == values
    assert json.loads(json.dumps(values)) == values


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("---\na: [b\n---", "flow sequence"),
        ("---\n- a\n- b\n---", "not a map"),
        ("---\na: b: c\n---", "mapping values"),
        ("---\na: &x [1]\nb: *x\n---", "aliases are not supported"),
        ("---\na: !!python/object:os.system x\n---", "could not determine a constructor"),
        ("---\na: " + "[" * 5000 + "]" * 5000 + "\n---", "."),
        ("---\na: b\n---\nc: d\n---", "expected a single document"),
        ("---\na: \x00\n---", "."),
        ("---\nday: 2024-99-99\n---", "month must be in 1..12"),
        ("---\na: !!map [b]\n---", "expected a mapping node"),
        ("---\na: !!seq {b: c}\n---", "expected a sequence node"),
        ("---\na: {? [b] : c}\n---", "while constructing a mapping"),
        ("---\na: !!int [b]\n---", "expected a scalar node"),
        ("+++\na = \n+++", "Invalid value"),
        ("+++\na: b\n+++", "Expected '='"),
        (f"---\na: {'b' * MAX_LENGTH}\n---", f"longer than {MAX_LENGTH}"),
    ],
)
def test_malformed_source_is_one_error_of_one_line(source: str, message: str) -> None:
    with pytest.raises(MalformedFrontMatter, match=message) as caught:
        parse_front_matter(source)
    assert str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("---\nSome text\n---\n", ["rule", "heading"]),
        ("---\n\n# Heading\n---\n", ["front_matter"]),  # a comment in YAML
        ("---\nSee http: something\n---", ["rule", "heading"]),
        ("---\na: b\n", ["rule", "paragraph"]),
        ("---\n", ["rule"]),
        ("---", ["rule"]),
        ("+++\ntext\n+++\n", ["paragraph"]),
        ("+++\na = 1\n---\n", ["heading"]),
        ("--- \na: b\n--- \ntext", ["front_matter", "paragraph"]),
        ("----\na: b\n----\n", ["rule", "heading"]),
        ("---\na: b\n--- c\n----\n---\n", ["front_matter"]),
    ],
)
def test_front_matter_or_thematic_break(text: str, kinds: list[str]) -> None:
    assert [block.kind for block in parse_blocks(text)] == kinds


def test_mode_metadata_moves_the_values_into_the_chunks() -> None:
    [only] = chunk(TEXT)
    assert (only.content, only.metadata) == ("# Heading\n\ntext", {"front_matter": {"title": "A guide"}})


def test_mode_include_keeps_the_source_as_text() -> None:
    chunks = chunk(TEXT, front_matter="include")
    assert chunks[0].content.startswith("---\ntitle: A guide\n---")
    assert all(each.metadata == {} for each in chunks)


def test_mode_strip_drops_it() -> None:
    [only] = chunk(TEXT, front_matter="strip")
    assert (only.content, only.metadata) == ("# Heading\n\ntext", {})
