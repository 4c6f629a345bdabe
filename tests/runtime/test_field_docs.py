"""What fields say about themselves."""

from __future__ import annotations

from dataclasses import dataclass

from crosshead.runtime.field_docs import field_docs
from crosshead.types import Chunk


@dataclass
class Example:
    """A class."""

    first: int
    """What it is."""
    second: int
    third: int = 3
    """A default does not matter."""


def test_fields_with_a_string_below_them() -> None:
    assert field_docs(Example) == {"first": "What it is.", "third": "A default does not matter."}
    assert field_docs(Chunk)["part"].startswith("0, 1, 2")


def test_class_without_sources_says_nothing() -> None:
    assert field_docs(type("Made", (), {})) == {}
