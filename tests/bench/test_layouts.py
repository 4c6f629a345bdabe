"""The held-out part shares no document with the part to tune on."""

from __future__ import annotations

from typing import get_args

from bench.extraction.truth.layouts import HELD_OUT, LAYOUTS, printed
from bench.extraction.truth.look import Renderer
from bench.extraction.truth.model import truth_of
from bench.extraction.truth.plan import plan


def test_a_third_of_layouts_and_renderers_is_held_out() -> None:
    assert len(HELD_OUT) >= len(get_args(Renderer)) / 3
    assert sum(layout.is_held_out for layout in LAYOUTS) >= 0.3 * len(LAYOUTS)


def test_the_parts_are_apart() -> None:
    tune, held_out = ({(layout.name, renderer) for layout, renderer in printed(part)} for part in ("tune", "held-out"))
    assert not tune & held_out
    assert not {name for name, _ in tune} & {layout.name for layout in LAYOUTS if layout.is_held_out}
    assert not {renderer for _, renderer in tune} & set(HELD_OUT)


def test_the_same_seed_writes_the_same_documents() -> None:
    first, second = ([truth_of(each.document) for each in plan(3, "held-out")] for _ in range(2))
    assert first == second
    assert len({each.name for each in plan(3, "held-out")}) == len(first)


def test_amounts_of_a_document_are_told_apart() -> None:
    for each in plan(1):
        truth = truth_of(each.document)
        amounts = [
            cell
            for table in truth["tables"]
            for row in table["rows"]
            for cell in row["cells"]
            if len(cell) > 4 and cell[-1] not in "%" and not cell[0].isalpha() and cell[0] != "•"
        ]
        assert len(amounts) == len(set(amounts)), each.name
