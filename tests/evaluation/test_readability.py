"""Is a chunk readable on its own? Every rule with chunks that are and chunks that are not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.checking.cutting import NO_OVERLAP, cut

import crosshead
from crosshead.evaluation.readability import Fault, judge_chunks
from crosshead.options import ChunkOptions
from crosshead.pipeline import parse_document

LIST = "- first\n- second\n- third\n"
TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n"
CODE = "```sh\nrun it\n```\n"


def faults(text: str, *before: str) -> list[tuple[Fault, ...]]:
    """Cut a text and return the faults of every chunk; each knows its heading, as chunks of ours do."""
    document, chunks = cut(text, *before)
    chunks = [replace(chunk, heading_prefix="".join(f"# {title}" for title in chunk.section_path)) for chunk in chunks]
    return [judgment.faults for judgment in judge_chunks(document, chunks, NO_OVERLAP)]


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("One sentence ends. Another one begins.", "Another"),
        ("Is it so? Yes.", "Yes"),
        ("He said “no.” Then he went.", "Then"),
        ("It is **done.** Next one.", "Next"),
        ("As told.[^1] Next one.\n\n[^1]: Note.", "Next"),
        ("Ein Satz endet hier. Übrigens beginnt ein anderer.", "Übrigens"),
        ("Предложение кончается. Начинается другое.", "Начинается"),
        ("这是第一句。这是第二句。", "这是第二"),
        ("最初の文です。「次の文です。」", "「次"),
        ("पहला वाक्य। दूसरा वाक्य।", "दूसरा"),
        ("A line of a poem\nAnother line of it", "Another"),
        ("First paragraph\n\nSecond paragraph", "Second"),
        (LIST, "- second"),
        ("- an item that\n  goes on\n  - nested\n", "  - nested"),
        ("1. first\n2. second\n", "2."),
        (f"Text.\n\n{TABLE}| 3 | 4 |\n", "| 3"),
        ("Text.\n\n```py\na = 1\nb = 2\n```\n", "b ="),
        ("- item\n\n  ```py\n  a = 1\n  b = 2\n  ```\n", "  b ="),
        (f"{CODE}\n`name` is a command.", "`name`"),
        (f"{CODE}\niOS is a system.", "iOS"),
        (f"{CODE}\n*output.tf:*\n\n{CODE}", "*output"),
        ("Text without an end\n\n## heading\n\nmore", "## heading"),
    ],
)
def test_cut_between_sentences_lines_and_items_is_none_inside_a_sentence(text: str, before: str) -> None:
    assert faults(text, before) == [(), ()]


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("One sentence that goes on and ends.", "goes"),
        ("One sentence that,\nwith a comma, goes on.", "with"),
        ("A list, e.g. one of words, is short.", "one of"),
        ("Es gibt z.B. diese Liste.", "diese"),
        ("Это, т.е. всё, что есть.", "всё"),
        ("Ein Satz mit einem Wort, das folgt.", "das"),
        ("Предложение не кончается здесь.", "здесь"),
        ("这是第一句，还没有结束。", "还没"),
        ("- an item that\n  goes on\n", "  goes"),
        ("> A quote that\n> goes on.\n", "> goes"),
        (f"If we run\n\n{CODE}\nthen all is done.", "then all"),
        ("The sum\n\n$$\nx\n$$\n\nwhere x is a number.", "where"),
        ("A sentence over two\n\npages of a book.", "pages"),
        ("Text.\n\n```py\nvalue = 1 + 2\n```\n", "+ 2"),
        (f"Text.\n\n{TABLE}", "| 2 |"),
    ],
)
def test_cut_inside_a_sentence_is_a_fault_of_both_chunks(text: str, before: str) -> None:
    assert faults(text, before) == [("ends_inside_sentence",), ("begins_inside_sentence",)]


@pytest.mark.parametrize("prefix", ["## B", "# A", "# A\n\n## B"])
def test_heading_above_the_first_words_is_in_sight(prefix: str) -> None:
    document, chunks = cut("# A\n\n## B\n\nText.\n\nMore.\n", "More")
    shown = [replace(chunks[1], heading_prefix=prefix)]
    assert judge_chunks(document, shown, NO_OVERLAP)[0].faults == ()


@pytest.mark.parametrize("text", ["# A\n\nText.\n\nMore.\n", "# A\n\nText.\n\nMore.\n\n# B\n\nOther text.\n"])
def test_no_heading_above_the_first_words_is_in_sight(text: str) -> None:
    """A heading further down does not say where the chunk comes from."""
    document, chunks = cut(text, "More")
    assert [each.faults for each in judge_chunks(document, chunks, NO_OVERLAP)] == [(), ("no_heading",)]


def test_text_above_all_headings_needs_none() -> None:
    assert faults("Text.\n\nMore.\n\n# A\n\nText.\n", "More", "# A") == [(), (), ()]


@pytest.mark.parametrize(
    ("text", "before"),
    [
        (f"Do it in this order:\n\n{LIST}", "- first"),
        (f"**Steps:**\n\n{LIST}", "- first"),
        (f"Voici les étapes :\n\n{LIST}", "- first"),
        ("步骤如下：\n\n- 一\n- 二\n", "- 一"),
        ("- Run this:\n\n  ```sh\n  run it\n  ```\n", "  ```sh"),
        (f"Run the following command.\n\n{CODE}", "```sh"),
        (f"The table below tells more.\n\n{TABLE}", "| a"),
        (f"Die folgende Tabelle sagt mehr.\n\n{TABLE}", "| a"),
        (f"Ответ приведён ниже.\n\n{TABLE}", "| a"),
        (f"结果如下。\n\n{TABLE}", "| a"),
        ("# A\n\nThere are two ways:\n\n## One\n\nText.\n", "## One"),
        (f"Text.\n\n<details>\n\n{CODE}\n</details>\n", "```sh"),
    ],
)
def test_what_the_last_words_announce_is_not_there(text: str, before: str) -> None:
    assert faults(text, before)[0] == ("refers_to_absent",)


@pytest.mark.parametrize(
    ("text", "before"),
    [
        (f"Do it:\n\n{LIST}\nMore text.", "More"),
        (f"Run the following command.\n\n{CODE}\nMore text.", "More"),
        (f"The following day nothing happened. Then it did.\n\n{CODE}", "```sh"),
        ("The following day nothing happened.\n\nMore text.", "More"),
        ("# A\n\nOnly a label:\n\n# B\n\nText.\n", "# B"),
        ("Text.\n\nA label at the end:\n", "A label"),
        (f":::note\n\nText.\n\n:::\n\n{CODE}", "```sh"),
        ("```py\ndef f():\n    pass\n```\n\nMore text.", "More"),
        ("Text.\n\n<img src='a'>\n\nMore text.", "More"),
        ("Text.\n\n<details>\n\nHidden.\n\n</details>\n\nMore text.", "More"),
    ],
)
def test_nothing_is_announced_that_is_not_there(text: str, before: str) -> None:
    assert [each for of_chunk in faults(text, before) for each in of_chunk] == []


@pytest.mark.parametrize(
    "sentence",
    [
        "The table above says more.",
        "See the preceding table.",
        "Mehr sagt die obige Tabelle.",
        "Подробнее говорит таблица выше.",
        "更多内容见上面的表。",
    ],
)
def test_what_is_meant_above_must_be_there_if_it_is_near(sentence: str) -> None:
    assert faults(f"{TABLE}\nText.\n\n{sentence}", sentence) == [(), ("refers_to_absent",)]
    assert faults(f"Text.\n\n{TABLE}\n{sentence}", TABLE) == [(), ()]
    assert faults(f"![A table](table.png)\n\nText.\n\n{sentence}", sentence) == [(), ("refers_to_absent",)]
    assert faults(f"Words with `code`.\n\nText.\n\n{sentence}", sentence) == [(), ()]


def test_what_is_meant_above_may_stand_in_the_text() -> None:
    for before in ("Run `make test`.", "![A command](command.png)"):
        assert faults(f"{CODE}\nText.\n\n{before} The command above is slow.", before) == [(), ()]
    after = "The command above is slower than `make test`."
    assert faults(f"{CODE}\nText.\n\n{after}", after) == [(), ("refers_to_absent",)]


def test_code_that_speaks_of_tables_refers_to_nothing() -> None:
    assert faults(f"{TABLE}\nText.\n\n```\n# see the table above\n```\n", "Text") == [(), ()]


def test_pieces_of_a_cut_table_show_their_header() -> None:
    rows = "".join(f"| row {number} | {'word ' * 9}|\n" for number in range(40))
    document = parse_document(f"# A\n\nText.\n\n| name | words |\n|---|---|\n{rows}")
    chunks = crosshead.chunk(document, max_tokens=100, oversize="split")
    assert len(chunks) > 4
    assert {each.faults for each in judge_chunks(document, chunks, chunks.options)} == {()}


def test_windows_are_hardly_ever_readable() -> None:
    text = "# Guide\n\n" + "A sentence of a few words, and of a few more words. " * 200
    document = parse_document(text)
    chunks = crosshead.chunk(document, strategy="fixed", max_tokens=101)
    judged = judge_chunks(document, chunks, chunks.options)
    assert sum(not each.faults for each in judged) < len(chunks) / 2


def test_chunks_are_judged_one_by_one() -> None:
    document, chunks = cut("One sentence that goes on. Another one.", "goes", "Another")
    assert [each.faults for each in judge_chunks(document, chunks[2:], ChunkOptions())] == [()]
