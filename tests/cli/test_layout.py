"""Texts that fit, numbers that do not lie."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from crosshead.cli.views.inspect.sizes import bar
from crosshead.cli.views.layout import count, fit_left, fit_path, fit_right, number, percent


@pytest.mark.parametrize(
    ("titles", "width", "expected"),
    [
        (["A", "B", "C"], 9, "A > B > C"),
        (["Alpha", "Beta", "Gamma"], 17, "… > Beta > Gamma"),
        (["Alpha", "Beta", "Gamma"], 12, "… > Gamma"),
        (["Alpha", "Beta", "Gamma"], 8, "… > Gam…"),
        (["Alphabet"], 5, "Alph…"),
        (["漢字漢字", "漢字"], 9, "… > 漢字"),
    ],
)
def test_path_is_shortened_from_the_left(titles: list[str], width: int, expected: str) -> None:
    fitted = fit_path(titles, width).plain
    assert fitted == expected
    assert cell_len(fitted) <= width


def test_file_keeps_its_name() -> None:
    assert fit_left("a/very/long/path/to/file.md", 12) == "…/to/file.md"
    assert fit_left("file.md", 12) == "file.md"


def test_text_keeps_its_beginning() -> None:
    assert fit_right("Hello there", 8) == "Hello t…"
    assert cell_len(fit_right("漢字漢字漢字", 8)) <= 8


@pytest.mark.parametrize(
    ("share", "expected"), [(1.0, "100%"), (0.99999, "99.99%"), (0.5, "50%"), (0.0, "0%"), (0.57, "57%")]
)
def test_percent_never_rounds_up(share: float, expected: str) -> None:
    assert percent(share) == expected


def test_numbers() -> None:
    assert number(1234567) == "1,234,567"
    assert number(310.5) == "310.5"
    assert count(1, "chunk") == "1 chunk"
    assert count(1200, "chunk") == "1,200 chunks"


@pytest.mark.parametrize(("share", "expected"), [(0, ""), (0.0001, "▏"), (0.5, "█████"), (0.55, "█████▌")])
def test_bar_shows_something_for_something(share: float, expected: str) -> None:
    assert bar(share, 10) == expected
