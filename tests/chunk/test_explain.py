"""Notes say why a chunk is as it is."""

from __future__ import annotations

import crosshead

TEXT = "# A\n\nIntro.\n\n## B\n\n" + "A sentence of some length here. " * 40 + "\n\n```\n" + "line\n" * 200 + "```"


def test_notes_only_when_asked() -> None:
    assert not any(chunk.notes for chunk in crosshead.chunk(TEXT))
    assert all(chunk.notes for chunk in crosshead.chunk(TEXT, explain=True))


def test_notes_name_prices_and_reasons() -> None:
    notes = [note for chunk in crosshead.chunk(TEXT, max_tokens=100, explain=True) for note in chunk.notes]
    assert "begins where no heading is shared: there must be a cut" in notes
    assert any(note.startswith("begins between two sentences: +") for note in notes)
    assert any(note.endswith("are above the maximum: code is not cut") for note in notes)
