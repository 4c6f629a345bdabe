"""Tables count by their shape and their cells."""

from __future__ import annotations

import pytest
from bench.extraction.truth.markdown import tables
from bench.extraction.truth.model import Document, Label, Table, TableRow, truth_of
from bench.extraction.truth.share import Score
from bench.extraction.truth.table_trees import relations, score_trees, similarity

TABLE = Table(
    [[Label("Year", 2)], [Label("2024"), Label("2023")]],
    [TableRow("Cash", ["12", "34"]), TableRow("Debt", ["56", "78"])],
    "in EUR",
)
TRUTH = truth_of(Document("report", [TABLE]))["tables"]
JOINED = """
| in EUR | Year 2024 | Year 2023 |
|---|---|---|
| Cash | 12 | 34 |
| Debt | 56 | 78 |
"""
EXACT = [[("", 1), ("Year", 2)], [("a", 1), ("b", 1), ("c", 1)]]


def scored(markdown: str) -> Score:
    return score_trees(TRUTH, tables(markdown))


def test_labels_of_several_rows_may_be_joined() -> None:
    assert {name: share.value for name, share in scored(JOINED).items()} == dict.fromkeys(
        ("teds", "teds shape", "true", "neighbors"), 1.0
    )


def test_similarity_counts_nodes() -> None:
    assert similarity(EXACT, EXACT) == 1
    assert similarity(EXACT, EXACT[1:]) == pytest.approx(1 - 3 / 8)  # a row and its two cells of 8 nodes
    assert similarity(EXACT, [EXACT[0], [("a", 1), ("b", 1)]]) == pytest.approx(1 - 1 / 8)
    assert similarity(EXACT, [[("", 1), ("Year", 1)], EXACT[1]]) == pytest.approx(1 - 1 / 8)  # another span


def test_texts_count_by_their_letters_and_not_for_the_shape() -> None:
    other = [EXACT[0], [("a", 1), ("b", 1), ("cdef", 1)]]
    assert similarity(EXACT, other) == pytest.approx(1 - 0.75 / 8)
    assert similarity(EXACT, other, texts=False) == 1


def test_a_table_in_pieces_is_one_true_table_and_one_false() -> None:
    pieces = JOINED.replace("| Debt", "\n| a | b | c |\n|---|---|---|\n| Debt")
    assert scored(pieces)["true"] == (1, 2)
    assert scored(pieces)["teds"].value == pytest.approx(1 - 4 / 13)


def test_no_table_is_no_similarity() -> None:
    assert [scored("Cash 12 34")[name] for name in ("teds", "true")] == [(0, 1), (0, 0)]


def test_neighbors_skip_blank_cells() -> None:
    grid = [[("head", 2)], [("a", 1), ("", 1)], [("", 1), ("b", 1)], [("c", 1), ("d", 1)]]
    assert sorted(relations(grid)) == [
        ("a", "c", "below"), ("b", "d", "below"), ("c", "d", "right"), ("head", "a", "below"), ("head", "b", "below"),
    ]  # fmt: skip
