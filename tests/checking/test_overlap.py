from __future__ import annotations

import pytest
from tests.checking.cutting import cut, faults, with_change

from crosshead.options import ChunkOptions

FILL = ("Many words fill this paragraph of text. " * 4).rstrip()
TEXT = f"# A\n\n{FILL}\n\nThe last words.\n\n## B\n\n{FILL}\n"
OPTIONS = ChunkOptions(overlap_tokens=20)


def overlap_faults(text: str, before: str, overlap: str, options: ChunkOptions = OPTIONS) -> list[str]:
    document, chunks = cut(text, before, options=options)
    return [each for each in faults(document, with_change(chunks, 1, overlap=overlap), options) if "overlap:" in each]


@pytest.mark.parametrize("overlap", ["", "The last words."])
def test_whole_blocks_of_the_previous_chunk_pass(overlap: str) -> None:
    assert overlap_faults(TEXT, "## B", overlap) == []


@pytest.mark.parametrize(
    ("text", "before", "overlap", "message"),
    [
        (TEXT, "## B", "Other words.", "that is not the end of the previous chunk"),
        (TEXT, "## B", "# A", "that is not the end of the previous chunk"),
        (TEXT, "## B", "last words.", "that begins inside a block"),
        (TEXT, "words.\n\n##", "last", "that begins inside a sentence"),
        (
            f"# A\n\n{FILL}\n\n```\nx = 1\n\ny = 2\n```\n\nSome. {FILL}\n",
            "Some",
            "y = 2\n```",
            "neither whole nor text",
        ),
        (TEXT, "## B", f"{FILL}\n\nThe last words.", "of 36 tokens, above 20"),
        (f"{FILL}\n\nEnd of it.\n\nShort.\n", "Short", "End of it.", "above 35 % of"),
    ],
)
def test_wrong_overlap_is_found(text: str, before: str, overlap: str, message: str) -> None:
    found = overlap_faults(text, before, overlap)
    assert len(found) == 1
    assert message in found[0]


@pytest.mark.parametrize("overlap", ["Many words fill this paragraph of text.", f"{FILL[:39]} {FILL[:39]}"])
def test_sentences_of_a_block_that_is_cut_pass(overlap: str) -> None:
    assert overlap_faults(f"# A\n\n{FILL} {FILL} End. {FILL} {FILL}", "End.", overlap) == []


def test_overlap_of_headings_only_is_found() -> None:
    text = f"# A\n\n{FILL}\n\n## B\n\nText: {FILL}\n"
    found = overlap_faults(text, "Text:", "## B")
    assert any("of headings only" in fault for fault in found)


def test_overlap_of_front_matter_is_found() -> None:
    options = ChunkOptions(overlap_tokens=20, front_matter="include")
    text = f"---\nkey: value\nnote: {FILL}\n---\n\n{FILL}\n"
    document, chunks = cut(text, "\n\nMany", options=options)
    chunks = with_change(chunks, 1, overlap=chunks[0].content)
    assert any("with front matter" in fault for fault in faults(document, chunks, options))


def test_first_chunk_has_no_overlap() -> None:
    document, chunks = cut(TEXT, "## B", options=OPTIONS)
    found = faults(document, with_change(chunks, 0, overlap="# A"), OPTIONS)
    assert any("is the first chunk, but has an overlap" in fault for fault in found)


WINDOWS = ChunkOptions(strategy="fixed", overlap_tokens=6)
LINE = "Some words of one line of text"


@pytest.mark.parametrize("overlap", ["", "text", "one line of text"])
def test_words_before_a_window_pass(overlap: str) -> None:
    assert overlap_faults(f"{LINE} and of another.", "and of", overlap, WINDOWS) == []


def test_text_without_spaces_may_be_cut_anywhere() -> None:
    assert overlap_faults("密钥每个月轮换一次，然后", "然后", "轮换一次，", WINDOWS) == []


def test_window_may_be_smaller_than_its_overlap() -> None:
    assert overlap_faults(f"{LINE} end", "end", "words of one line of text", WINDOWS) == []


@pytest.mark.parametrize(
    ("overlap", "message"),
    [
        ("of text", "that is not the end of the previous chunk"),
        ("and", "that is not the end of the previous chunk"),
        ("xt and", "that is not the end of the previous chunk"),
        (" text", "that begins with a blank character"),
        ("ne line of text", "that begins inside a word"),
        (LINE, "of 7 tokens, above 6"),
    ],
)
def test_wrong_overlap_of_a_window_is_found(overlap: str, message: str) -> None:
    text = f"{LINE} and of another." if overlap != "of text" else f"{LINE}s and of another."
    found = overlap_faults(text, "and of", overlap, WINDOWS)
    assert len(found) == 1
    assert message in found[0]


def test_first_window_has_no_overlap() -> None:
    document, chunks = cut(f"{LINE} and of another.", "and of", options=WINDOWS)
    found = faults(document, with_change(chunks, 0, overlap="Some"), WINDOWS)
    assert any("is the first chunk, but has an overlap" in fault for fault in found)
