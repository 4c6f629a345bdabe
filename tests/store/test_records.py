from __future__ import annotations

import json
from dataclasses import fields, replace

import pytest
from tests.support.stored_documents import make_rows

from crosshead.store.records import from_record, to_record
from crosshead.types import Chunk


@pytest.fixture
def chunk() -> Chunk:
    return make_rows("# Guide\n\ntext\n\n## Keys\n\nmore\n").chunks[0].chunk


def test_a_chunk_is_read_as_it_was_written(chunk: Chunk) -> None:
    assert from_record(to_record(chunk), chunk.content) == chunk
    assert from_record(json.loads(to_record(chunk)), chunk.content) == chunk


def test_every_field_is_kept(chunk: Chunk) -> None:
    """Also those that are empty as a rule."""
    unusual = {each.name: _other(getattr(chunk, each.name)) for each in fields(Chunk) if each.name != "content"}
    changed = replace(chunk, **unusual)
    assert all(getattr(changed, name) != getattr(chunk, name) for name in unusual)
    assert from_record(to_record(changed), chunk.content) == changed


def test_what_is_as_usual_is_left_out(chunk: Chunk) -> None:
    assert not {"content", "notes", "page_start", "indexable"} & json.loads(to_record(chunk)).keys()


def test_a_record_of_all_fields_is_read_as_well(chunk: Chunk) -> None:
    """As versions wrote it that left nothing out."""
    whole = chunk.to_json()
    assert from_record(json.dumps({**whole, "of_a_later_version": 1}), whole["content"]) == chunk


def _other(value: object) -> object:
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case tuple():
            return (*value, "other")
        case dict():
            return {**value, "other": [1]}
    return f"{value or ''}other"
