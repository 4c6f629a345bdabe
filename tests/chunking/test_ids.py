"""Names of chunks and sections: the same in every run, stable under edits elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import crosshead
from crosshead import Chunks
from crosshead.pipeline import parse_document

FILL = "Some words that fill a small chunk, so that nothing else finds a place in it at all, ever."
SECTIONS = [f"# Section {number}\n\n{FILL}\n\n## Part\n\n{FILL}" for number in range(5)]
TEXT = "\n\n".join(SECTIONS)


def cut(text: str, source: str = "guide.md") -> Chunks:
    return crosshead.chunk(parse_document(text, source=source), max_tokens=40)


def test_id_is_sixteen_hex_characters() -> None:
    assert all(re.fullmatch(r"[0-9a-f]{16}", chunk.id) for chunk in cut(TEXT))


def test_content_hash_is_the_sha256_of_the_content() -> None:
    assert all(chunk.content_hash == sha256(chunk.content.encode()).hexdigest() for chunk in cut(TEXT))


def test_ids_differ_between_documents() -> None:
    here, there = cut(TEXT, "a.md"), cut(TEXT, "b.md")
    assert [chunk.content_hash for chunk in here] == [chunk.content_hash for chunk in there]
    assert {chunk.id for chunk in here}.isdisjoint(chunk.id for chunk in there)
    assert {chunk.document_id for chunk in here}.isdisjoint(chunk.document_id for chunk in there)


def test_equal_chunks_have_different_ids() -> None:
    """The same text at the same path, twice: they are numbered."""
    chunks = cut("# A\n\nsame\n\n# A\n\nsame\n\n# A\n\nsame\n")
    assert len({chunk.content_hash for chunk in chunks}) == 1
    assert len({chunk.id for chunk in chunks}) == 3
    assert len({chunk.section_id for chunk in chunks}) == 3


def test_edit_changes_only_the_ids_of_its_section() -> None:
    edited = TEXT.replace("# Section 2\n\nSome words", "# Section 2\n\nOther words")
    before, after = cut(TEXT), cut(edited)
    changed = [left.section_path for left, right in zip(before, after, strict=True) if left.id != right.id]
    assert changed == [("Section 2",)]


def test_ids_do_not_depend_on_the_position() -> None:
    """A new section in front moves every line, but no name."""
    before, after = cut(TEXT), cut(f"# New\n\n{FILL}\n\n{TEXT}")
    assert [chunk.id for chunk in after[1:]] == [chunk.id for chunk in before]
    assert [chunk.section_id for chunk in after[1:]] == [chunk.section_id for chunk in before]
    assert after[1].start_line > before[0].start_line


def test_ids_do_not_depend_on_options_that_move_no_cut() -> None:
    document = parse_document(TEXT)
    plain = crosshead.chunk(document, max_tokens=40, overlap_tokens=0)
    other = crosshead.chunk(document, max_tokens=40, overlap_tokens=10, explain=True, front_matter="include")
    assert [chunk.id for chunk in plain] == [chunk.id for chunk in other]


def test_section_id_is_that_of_the_tree() -> None:
    document = parse_document(TEXT)
    known = {document.root.id}
    pending = list(document.root.children)
    while pending:
        section = pending.pop()
        known.add(section.id)
        pending += section.children
    assert {chunk.section_id for chunk in crosshead.chunk(document, max_tokens=40)} <= known


def test_ids_are_the_same_in_every_process(tmp_path: Path) -> None:
    """Python hashes strings anew in every process; no order may depend on that."""
    path = tmp_path / "guide.md"
    path.write_text(TEXT, encoding="utf-8")
    program = (
        "import crosshead; from pathlib import Path\n"
        f"document = crosshead.read(Path({str(path)!r}), source='guide.md')\n"
        "print(*[chunk.id for chunk in crosshead.chunk(document, max_tokens=40)])"
    )
    paths = os.pathsep.join(filter(None, sys.path))
    for seed in ("0", "1"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": paths}
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        )
        assert done.stdout.split() == [chunk.id for chunk in cut(TEXT)]
