"""Amounts, dates and telephone numbers stay as they are printed."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from tests.formats.pdf.building import BOLD, PROSE, Draw, Sheet, build, lines_of, text_of
from tests.formats.pdf.digits import changed

AMOUNTS = (
    "1,234",
    "(425)",
    "$ 98.5",
    "(1.5)%",
    "12 %",
    "$(7,001)",
    "-3",
    "—",
    "2019",
    "0.00",
    "€12.40",
    "+4.2%",
    "(9)",
)
OPENINGS = (
    "(425) Higher operating expenses, mostly for people.",
    "(415) 555-0199 is the number to call.",
    "425. Higher operating expenses.",
    "2019. A year in which nothing happened.",
    "31.12.2019 is the day of the balance.",
    "+1 415 555 0199 is answered by day.",
    "-12.5% was lost.",
    "3) Only one of them.",
    "007. A number with zeros.",
)


@pytest.mark.parametrize("opening", OPENINGS)
def test_number_that_opens_a_line_is_kept(opening: str) -> None:
    def draw(sheet: Sheet) -> None:
        sheet.paragraph()
        sheet.line(opening)
        sheet.y -= 12
        sheet.paragraph()

    assert opening in text_of(draw).replace("\\", "")
    assert not [line for line in text_of(draw).split("\n") if line.startswith(("-", "425.", "3)"))] or opening[0] == "-"


def test_numbers_in_parentheses_that_count_up_open_items_and_stay() -> None:
    def draw(sheet: Sheet) -> None:
        for number in (1, 2, 3):
            sheet.item(f"({number})", f"step {number}")

    assert text_of(draw) == "- (1) step 1\n- (2) step 2\n- (3) step 3\n"


def test_numbers_that_do_not_count_up_open_no_items() -> None:
    def draw(sheet: Sheet) -> None:
        for number in (425, 17, 16):
            sheet.line(f"{number}. Some reason for it.")
            sheet.y -= 14

    assert "\n17\\. Some reason" in text_of(draw)


def statement(seed: int) -> Draw:
    """Return a page with amounts in columns."""
    chance = random.Random(seed)
    rows = [
        (f"Row {chance.choice(('of costs', 'A', 'net', 'in total'))}", [chance.choice(AMOUNTS) for _ in range(3)])
        for _ in range(chance.randrange(4, 20))
    ]
    left, step = chance.choice((200, 260)), chance.choice((60, 80))

    def draw(sheet: Sheet) -> None:
        sheet.paragraph("As of December 31, 2019 and 2020 there were 1,200 people, 12 % of them in 3 towns.")
        sheet.row(["", "2019", "2020", "Change"], [72, left, left + step, left + 2 * step], BOLD)
        for label, amounts in rows:
            sheet.y -= 14
            sheet.canvas.setFont("Helvetica", 10)
            sheet.canvas.drawString(72, sheet.y, label)
            for column, amount in enumerate(amounts, 1):
                sheet.canvas.drawRightString(left + column * step, sheet.y, amount)

    return draw


def letter(seed: int) -> Draw:
    """Return a page of prose whose lines begin with anything."""
    chance = random.Random(seed)
    lines = [f"{chance.choice((*AMOUNTS, *OPENINGS))} and {PROSE[chance.randrange(60) :][:50]}" for _ in range(25)]
    return lines_of(lines)


def boxes(seed: int) -> Draw:
    """Return a page with a bordered table."""
    chance = random.Random(seed)
    rows = [[f"Item {number}", *[chance.choice(AMOUNTS) for _ in range(3)]] for number in range(6)]
    return lambda sheet: sheet.grid([["Item", "2018", "2019", "2020"], *rows], [72, 172, 252, 332, 412])


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("make", [statement, letter, boxes])
def test_every_number_of_the_text_layer_is_in_the_markdown(make: Callable[[int], Draw], seed: int) -> None:
    assert not changed(build(make(seed)))


@pytest.mark.parametrize("seed", range(4))
def test_numbers_are_kept_beside_furniture(seed: int) -> None:
    def page(number: int, make: Callable[[int], Draw]) -> Draw:
        def draw(sheet: Sheet) -> None:
            sheet.canvas.drawString(72, 800, "Annual report 2020")
            sheet.canvas.drawString(300, 30, str(number))
            make(seed + number)(sheet)

        return draw

    makers = [statement, letter, boxes, statement, letter, statement]
    assert not changed(build(*[page(number, make) for number, make in enumerate(makers, 40)]))
