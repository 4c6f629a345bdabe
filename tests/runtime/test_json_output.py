"""JSON that is always valid, whatever stands in a document."""

from __future__ import annotations

from types import MappingProxyType

import pytest
from tests.support.strict_json import load

from crosshead.runtime.json_output import json_line


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"a": "Grüße 😀"}, {"a": "Grüße 😀"}),
        ({"a": "lone \ud800 surrogate"}, {"a": "lone \ud800 surrogate"}),
        ({"a": [float("nan"), {"b": float("-inf")}], "c": 1.5}, {"a": [None, {"b": None}], "c": 1.5}),
        ({"a": MappingProxyType({"b": float("nan")})}, {"a": {"b": None}}),
        ({"a": "two\nlines\u2028"}, {"a": "two\nlines\u2028"}),
    ],
)
def test_json_line_is_one_line_of_valid_json(value: object, expected: object) -> None:
    line = json_line(value)
    assert line.count(b"\n") == 1
    assert load(line) == expected


def test_json_line_keeps_characters_readable() -> None:
    assert "Grüße".encode() in json_line({"a": "Grüße"})


def test_what_has_no_form_in_json_is_refused() -> None:
    with pytest.raises(TypeError, match="object"):
        json_line({"a": object()})
