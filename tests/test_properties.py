"""What must hold for every document: properties, tested on documents that Hypothesis makes up.

`tests/support/strategies.py` makes the documents: every construct of Markdown and MDX, nested, repeated, broken off,
and lines without any plan. `crosshead.check` judges most results, because it derives each guarantee from the source
again.

Two profiles, chosen by an environment variable:

    pytest tests/test_properties.py                                  "ci": 2,200 examples, the same ones in every run
    HYPOTHESIS_PROFILE=thorough pytest tests/test_properties.py      50,000 examples, different ones in every run

A failing example is shrunk and printed with its document and options. `ci` is derandomized, so a failure repeats by
itself. `thorough` remembers its failures in `.hypothesis/` and tries them first in the next run; `--hypothesis-seed=N`
repeats a whole run.
"""

from __future__ import annotations

import json
import os
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import dropwhile, pairwise
from pathlib import Path
from typing import Any

import pytest
import tiktoken
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support import strategies

import crosshead
from crosshead import Block, Chunk, Chunks, Document, Report, Section
from crosshead.pipeline import parse_document
from crosshead.tokens import get_counter

THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"
THOROUGH_FACTOR = 23
"""How many times the examples of `ci` make 50,000."""


def examples(count: int) -> settings:
    """Settings for a property with that many examples in `ci`."""
    return settings(
        max_examples=count * THOROUGH_FACTOR if THOROUGH else count,
        derandomize=not THOROUGH,
        deadline=None,
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


any_documents = st.one_of(
    strategies.documents().map(lambda text: (text, "markdown")),
    strategies.mdx_documents().map(lambda text: (text, "mdx")),
    strategies.raw_documents().map(lambda text: (text, "markdown")),
)


outlines = strategies.outlines().map(lambda text: (text, "markdown"))


def cut(document: tuple[str, str], options: dict[str, Any]) -> tuple[Document, Chunks]:
    text, format = document
    parsed = parse_document(text, format=format)
    return parsed, crosshead.chunk(parsed, **options)


def errors(report: Report, *, without: tuple[str, ...] = ()) -> list[str]:
    return [
        f"{each.rule}: {each.message}"
        for each in report.violations
        if each.severity == "error" and each.rule not in without
    ]


# ---------------------------------------------------------------------- the guarantees


@given(strategies.documents(), strategies.any_options())
@examples(500)
def test_guarantees_hold_for_markdown(text: str, options: dict[str, Any]) -> None:
    assert errors(crosshead.check(*cut((text, "markdown"), options))) == []


@given(strategies.mdx_documents(), strategies.any_options())
@examples(300)
def test_guarantees_hold_for_mdx(text: str, options: dict[str, Any]) -> None:
    assert errors(crosshead.check(*cut((text, "mdx"), options))) == []


@given(strategies.raw_documents(), strategies.any_options())
@examples(500)
def test_guarantees_hold_for_lines_without_a_plan(text: str, options: dict[str, Any]) -> None:
    assert errors(crosshead.check(*cut((text, "markdown"), options))) == []


@given(any_documents, strategies.any_options(st.integers(5, 15), tokenizer="cl100k_base"))
@examples(100)
def test_guarantees_hold_at_tiny_budgets(document: tuple[str, str], options: dict[str, Any]) -> None:
    """But for the look of a piece: there is no room for what makes it valid Markdown."""
    assert errors(crosshead.check(*cut(document, options)), without=("atoms",)) == []


@given(any_documents, strategies.any_options(st.integers(1, 4)))
@examples(100)
def test_nothing_is_lost_even_if_a_character_is_larger_than_the_budget(
    document: tuple[str, str], options: dict[str, Any]
) -> None:
    report = crosshead.check(*cut(document, options))
    assert errors(report, without=("atoms", "budget", "dangling_heading")) == []
    assert report.coverage == 1.0


# ---------------------------------------------------------------------- counts


@cache
def encoding(name: str) -> tiktoken.Encoding:
    return tiktoken.get_encoding(name)


@pytest.mark.parametrize("tokenizer", strategies.EXACT_TOKENIZERS)
@given(document=any_documents, data=st.data())
@examples(100)
def test_token_counts_equal_tiktoken(tokenizer: str, document: tuple[str, str], data: st.DataObject) -> None:
    options = data.draw(strategies.any_options(tokenizer=tokenizer))
    _, chunks = cut(document, options)
    plain = [_without_surrogates(chunk.content) for chunk in chunks]
    assert [chunk.token_count for chunk in chunks] == [len(encoding(tokenizer).encode_ordinary(text)) for text in plain]


def _without_surrogates(text: str) -> str:
    """Half of a surrogate pair is no character; it counts as the replacement character."""
    return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)


# ---------------------------------------------------------------------- the same input, the same chunks


@given(any_documents, strategies.any_options())
@examples(100)
def test_same_input_gives_same_chunks(document: tuple[str, str], options: dict[str, Any]) -> None:
    _, first = cut(document, options)
    _, second = cut(document, options)
    assert first == second
    assert first.options == second.options


@given(strategies.documents(), strategies.any_options())
@examples(100)
def test_text_and_document_give_same_chunks(text: str, options: dict[str, Any]) -> None:
    assert crosshead.chunk(text, **options) == crosshead.chunk(parse_document(text), **options)


@given(text=strategies.documents(), options=strategies.any_options())
@examples(50)
def test_newlines_of_other_systems_give_same_chunks(text: str, options: dict[str, Any]) -> None:
    expected = crosshead.chunk(text, **options)
    assert crosshead.chunk(text.replace("\n", "\r\n"), **options) == expected
    assert crosshead.chunk(text.replace("\n", "\r"), **options) == expected


@given(any_documents, strategies.any_options())
@examples(100)
def test_views_move_no_cut(document: tuple[str, str], options: dict[str, Any]) -> None:
    """Rendering, overlap and explanations are made of finished chunks."""
    parsed, chunks = cut(document, {**options, "overlap_tokens": 0, "explain": False})
    for chunk in chunks:
        for headings in (True, False):
            for overlap in (True, False):
                for breadcrumb in (True, False):
                    view = chunk.render(headings=headings, overlap=overlap, breadcrumb=breadcrumb)
                    assert chunk.prefix + chunk.content + chunk.suffix in view
    _, explained = cut(document, {**options, "overlap_tokens": options["max_tokens"] - 1, "explain": True})
    assert [(chunk.id, chunk.start, chunk.end) for chunk in chunks] == [
        (chunk.id, chunk.start, chunk.end) for chunk in explained
    ]
    assert crosshead.chunk(parsed, chunks.options) == chunks


@given(any_documents, strategies.any_options(explain=True))
@examples(100)
def test_chunks_survive_json(document: tuple[str, str], options: dict[str, Any]) -> None:
    for chunk in cut(document, options)[1]:
        data = chunk.to_json()
        again = json.loads(json.dumps(data))
        assert again == json.loads(json.dumps(again))
        assert again["content"] == chunk.content
        assert tuple(again["section_path"]) == chunk.section_path


# ---------------------------------------------------------------------- sections


@given(any_documents | outlines, strategies.any_options(strategy="auto"))
@examples(200)
def test_chunk_holds_own_text_of_its_section_and_whole_subsections(
    document: tuple[str, str], options: dict[str, Any]
) -> None:
    parsed, chunks = cut(document, options)
    for chunk, inner in _inner_sections(parsed, chunks):
        assert _holds(parsed, chunk.start, chunk.end, inner), f"{inner.title!r} is torn"


def test_some_chunks_hold_subsections() -> None:
    parsed = crosshead.read(b"# Guide\n\n## One\n\nShort.\n\n## Two\n\nShort.\n", "markdown")
    inner = _inner_sections(parsed, crosshead.chunk(parsed, max_tokens=100))
    assert [section.title for _, section in inner] == ["One", "Two"]


def _inner_sections(document: Document, chunks: Chunks) -> Iterator[tuple[Chunk, Section]]:
    """Yield chunks with the subsections of their section that they hold text of."""
    sections = {section.id: section for section in _all_sections(document.root)}
    for chunk in chunks:
        for inner in _all_sections(sections[chunk.section_id]):
            if inner.id != chunk.section_id and _holds_text_of(document, chunk, inner):
                yield chunk, inner


@given(any_documents | outlines, strategies.any_options(strategy="auto", tokenizer="cl100k_base", oversize="keep"))
@examples(200)
def test_chunk_below_the_minimum_fits_no_neighbor_of_its_section(
    document: tuple[str, str], options: dict[str, Any]
) -> None:
    parsed, chunks = cut(document, options)
    for text in _texts_of_small_neighbors(parsed, chunks):
        assert get_counter("cl100k_base")(text) > options["max_tokens"]


def test_some_chunks_stay_below_the_minimum_for_lack_of_room() -> None:
    parsed = crosshead.read(f"# Guide\n\n{'word ' * 90}\n\n## Note\n\nShort.\n".encode(), "markdown")
    [text] = _texts_of_small_neighbors(parsed, crosshead.chunk(parsed, max_tokens=95, min_tokens=20))
    assert get_counter("cl100k_base")(text) > 95


def _texts_of_small_neighbors(document: Document, chunks: Chunks) -> Iterator[str]:
    """Yield the texts of two neighbors that would join if there was room."""
    for first, second in pairwise(chunks):
        is_small = min(first.token_count, second.token_count) < chunks.options.min_tokens
        if is_small and _may_join(document, first, second):
            yield document.text[first.start : second.end]


@given(outlines, strategies.any_options(strategy="auto", tokenizer="cl100k_base", heading_depth=6))
@examples(200)
def test_sections_join_only_where_one_is_below_the_minimum(document: tuple[str, str], options: dict[str, Any]) -> None:
    parsed, chunks = cut(document, options)
    for chunk, inside in _joined_sections(parsed, chunks):
        texts = [parsed.text[chunk.start : inside[0].start], *(parsed.text[each.start : each.end] for each in inside)]
        sizes = [get_counter("cl100k_base")(text.strip()) for text in texts if not _only_headings(text)]
        assert len(sizes) == 1 or min(sizes) < chunks.options.min_tokens


def test_some_chunks_join_sections() -> None:
    large = "word " * 90
    text = f"# Guide\n\n## One\n\nShort.\n\n## Two\n\nShort.\n\n## Large\n\n{large}\n"
    parsed = crosshead.read(text.encode(), "markdown")
    [(_, inside)] = _joined_sections(parsed, crosshead.chunk(parsed, max_tokens=100, min_tokens=20))
    assert [section.title for section in inside] == ["One", "Two"]


def _joined_sections(document: Document, chunks: Chunks) -> Iterator[tuple[Chunk, list[Section]]]:
    """Yield chunks that hold several sections, but not all of the section around them."""
    sections = {section.id: section for section in _all_sections(document.root)}
    for chunk in chunks:
        children = sections[chunk.section_id].children
        inside = [each for each in children if _holds(document, chunk.start, chunk.end, each)]
        if inside and not chunk.is_complete_section:
            yield chunk, inside


def _all_sections(section: Section) -> Iterator[Section]:
    yield section
    for child in section.children:
        yield from _all_sections(child)


def _holds(document: Document, start: int, end: int, section: Section) -> bool:
    """Is nothing of a section before or behind these offsets?"""
    outside = (
        document.text[section.start : max(section.start, start)],
        document.text[min(end, section.end) : section.end],
    )
    return not any(text.strip() for text in outside)


def _holds_text_of(document: Document, chunk: Chunk, section: Section) -> bool:
    """Does a chunk hold anything of a section but headings that it begins with?"""
    blocks = [each for each in document.blocks if each.start < chunk.end and each.end > chunk.start]
    text = list(dropwhile(lambda block: block.kind == "heading" or not _text_of(document, block), blocks))
    return any(section.start <= each.start < section.end and _text_of(document, each) for each in text)


def _text_of(document: Document, block: Block) -> str:
    return document.text[block.start : block.end].strip()


def _may_join(document: Document, first: Chunk, second: Chunk) -> bool:
    """Would two chunks together still be own text and whole subsections, under a heading that they share?"""
    if first.section_id != second.section_id and first.section_path != second.section_path[: len(first.section_path)]:
        return False
    around = next(each for each in _all_sections(document.root) if each.id == first.section_id)
    inner = [each for each in _all_sections(around) if each.id != around.id]
    touched = [each for each in inner if each.start < second.end and each.end > first.start]
    begins_outside = around.level == 0 or not all(around.start <= each.start < around.end for each in (first, second))
    bare = _only_headings(first.content)
    return not begins_outside and not bare and all(_holds(document, first.start, second.end, each) for each in touched)


def _only_headings(text: str) -> bool:
    return all(block.kind == "heading" for block in crosshead.parse_blocks(text))


# ---------------------------------------------------------------------- edits


@given(
    st.lists(strategies.section_texts(), min_size=2, max_size=4),
    st.data(),
    strategies.any_options(strategy="auto", tokenizer="cl100k_base"),
)
@examples(150)
def test_edit_of_a_section_leaves_other_sections_alone(
    sections: list[str], data: st.DataObject, options: dict[str, Any]
) -> None:
    """Top-level sections share no heading, so none of them can feel the edit of another one."""
    edited = data.draw(st.integers(0, len(sections) - 1))
    before = _put_together(sections)
    after = _put_together([*sections[:edited], f"{sections[edited]}\n\nOne more sentence.", *sections[edited + 1 :]])
    names_before, names_after = _ids_by_section(before, options), _ids_by_section(after, options)
    title = f"Section {edited}"
    assert names_before.pop(title) != names_after.pop(title)
    assert names_before == names_after


@given(st.lists(strategies.section_texts(), min_size=1, max_size=3), strategies.any_options(tokenizer="cl100k_base"))
@examples(100)
def test_chunk_whose_text_and_path_stay_keeps_its_id(sections: list[str], options: dict[str, Any]) -> None:
    """Wherever cuts move, an id follows from document, path, content and the number of equal chunks before it."""
    before = crosshead.chunk(_put_together(sections), **options)
    after = crosshead.chunk(_put_together([*sections, "One more section."]), **options)
    names = _names(before)
    for key, name in _names(after).items():
        assert names.get(key, name) == name


def _put_together(sections: list[str]) -> str:
    """Each section ends with text: a heading without any would be glued to the next section."""
    return "\n\n".join(f"# Section {number}\n\n{text}\n\nThe end." for number, text in enumerate(sections))


def _ids_by_section(text: str, options: dict[str, Any]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for chunk in crosshead.chunk(text, **options):
        found.setdefault(chunk.section_path[0], []).append(chunk.id)
    return found


def _names(chunks: Chunks) -> dict[tuple[tuple[str, ...], str, int], str]:
    seen: Counter[tuple[tuple[str, ...], str]] = Counter()
    names = {}
    for chunk in chunks:
        key = (chunk.section_path, chunk.content)
        names[(*key, seen[key])] = chunk.id
        seen[key] += 1
    return names


# ---------------------------------------------------------------------- parts


@given(any_documents, strategies.any_options(strategy="auto"))
@examples(100)
def test_section_that_fits_is_never_cut(document: tuple[str, str], options: dict[str, Any]) -> None:
    parsed, chunks = cut(document, options)
    starts = [chunk.start for chunk in chunks]
    fitting = [
        section
        for section in _all_sections(parsed.root)
        if section is not parsed.root
        and not (chunks.options.min_tokens == 0 and section.children)  # then every section is a chunk by itself
        and _largest_count(_with_headings_above(parsed, section), options["tokenizer"]) <= options["max_tokens"]
    ]
    for section in fitting:
        # Headings at its end go with the heading below them.
        end = _chain_start(parsed, section.end) if section.end <= parsed.blocks[-1].start else section.end
        inside = [start for start in starts if parsed.text[section.start : start].strip() and start < end]
        assert inside == [], f"the section {section.title!r} is cut"


def _with_headings_above(document: Document, section: Section) -> str:
    return document.text[_chain_start(document, section.start) : section.end]


def _chain_start(document: Document, start: int) -> int:
    """Headings directly above a heading go with it, wherever they belong."""
    at = bisect_left([block.start for block in document.blocks], start)
    while at and document.blocks[at - 1].kind == "heading":
        at -= 1
    return document.blocks[at].start


def _largest_count(text: str, tokenizer: str) -> int:
    """Estimates are lower for prose than for code; packing cannot know which a part of the text will count as."""
    return len(text) if tokenizer.startswith("estimate") else get_counter(tokenizer)(text)


def test_read_file_gives_same_chunks_as_its_text(tmp_path: Path) -> None:
    text = "# Guide\n\n## Rules\n\nBe kind.\n"
    path = tmp_path / "guide.md"
    path.write_text(text, encoding="utf-8")
    from_file, from_text = crosshead.chunk(path), crosshead.chunk(text)
    assert [chunk.content for chunk in from_file] == [chunk.content for chunk in from_text]
