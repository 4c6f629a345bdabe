"""Compound files: storages, streams, and what is wrong with damaged ones."""

from __future__ import annotations

import struct
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.formats.compound_files import make_compound

from crosshead.errors import CorruptFile
from crosshead.formats.shared.containers.compound import CompoundFile, stream_names

LARGE = bytes(range(256)) * 40
FILE = make_compound({"small": b"few bytes", "large": LARGE, "folder": {"inner": b"x" * 5000, "none": b""}})


def test_streams_are_read_by_name() -> None:
    file = CompoundFile(FILE)
    entries = file.entries()
    assert list(entries) == ["small", "large", "folder"]
    assert [file.is_stream(number) for number in entries.values()] == [True, True, False]
    assert file.read(entries["small"]) == b"few bytes"
    assert file.read(entries["large"]) == LARGE
    inner = file.entries(entries["folder"])
    assert {name: len(file.read(number)) for name, number in inner.items()} == {"inner": 5000, "none": 0}


def test_names_of_what_is_no_compound_file_or_a_damaged_one() -> None:
    assert stream_names(FILE) == {"small", "large", "folder"}
    assert stream_names(b"PK\x03\x04") == frozenset()
    assert stream_names(FILE[:100]) == frozenset()
    assert stream_names(FILE[:8] + bytes(600)) == frozenset()


def test_stream_that_is_cut_off_is_an_error() -> None:
    file = CompoundFile(make_compound({"large": LARGE}))
    file._data = file._data[:4096]
    with pytest.raises(CorruptFile, match="damaged"):
        file.read(file.entries()["large"])


def test_chain_that_never_ends_is_an_error() -> None:
    data = bytearray(make_compound({"large": LARGE}))
    [table] = struct.unpack_from("<I", data, 76)
    struct.pack_into("<I", data, 512 * (table + 1), 0)  # the first sector follows itself
    file = CompoundFile(bytes(data))
    with pytest.raises(CorruptFile, match="damaged"):
        file.read(file.entries()["large"])


def test_entries_that_lead_in_a_circle_are_visited_once() -> None:
    data = bytearray(FILE)
    at = data.index("folder".encode("utf-16-le"))
    struct.pack_into("<III", data, at + 68, 1, 2, 3)
    file = CompoundFile(bytes(data))
    assert set(file.entries()) == {"small", "large", "folder"}
    assert "folder" in file.entries(3)


@given(st.data())
def test_damage_is_a_typed_error(data: st.DataObject) -> None:
    changed = bytearray(FILE)
    for at in data.draw(st.lists(st.integers(8, len(FILE) - 1), max_size=8)):
        changed[at] = data.draw(st.integers(0, 255))
    with suppress(CorruptFile):
        file = CompoundFile(bytes(changed[: data.draw(st.integers(0, len(FILE)))]))
        for number in file.entries().values():
            file.read(number)
