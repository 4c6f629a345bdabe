"""Lists of plain text."""

from __future__ import annotations

from tests.formats.sound import kinds, read_soundly

from crosshead.formats.text.plain import write_plain


def test_lists_are_nested_by_their_indentation() -> None:
    text = "Shopping:\n  * fruit\n     * apples\n       and pears\n     • plums\n  * bread\n\n  1) first\n  2) second\n"
    assert write_plain(text) == (
        "Shopping:\n* fruit\n  * apples\n    and pears\n  - plums\n* bread\n\n1) first\n2) second\n"
    )


def test_paragraph_of_an_item_stays_in_it() -> None:
    document = read_soundly("- one\n\n  more of one\n\n- two\n\nafter\n", "text")
    assert kinds(document) == ["list", "paragraph"]
    assert len(document.blocks[0].items) == 2


def test_dash_inside_of_a_paragraph_is_no_list() -> None:
    assert kinds(read_soundly("This is one thing\n- or so they say -\nand not another.\n", "text")) == ["paragraph"]


def test_deep_indentation_is_no_deep_list() -> None:
    document = read_soundly("".join(f"{' ' * number}- x\n" for number in range(200)), "text")
    assert document.text.count("- x\n") == 200
