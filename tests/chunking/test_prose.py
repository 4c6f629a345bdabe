"""Where prose is cut: between lines that do not flow, between sentences, never inside a tag."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import crosshead
from crosshead.chunking.splitting.prose import kept_spans, line_runs, sentence_runs
from crosshead.pipeline import parse_document
from crosshead.tokens import get_counter

FILL = "some plain words of prose"


def sentences(text: str) -> list[str]:
    return [text[first:stop].strip() for first, stop in sentence_runs(text, 0, len(text), [])]


def contents(text: str, format: str = "markdown", **options: Any) -> list[str]:
    document = parse_document(text, format=format)
    chunks = crosshead.chunk(document, **options)
    report = crosshead.check(document, chunks)
    assert [each.message for each in report.violations if each.severity == "error"] == []
    return [chunk.content for chunk in chunks]


# ---------------------------------------------------------------------- sentences


@pytest.mark.parametrize(
    "short",
    [
        "i.e. the", "e.g. The", "U.S. Army", "z. B. das", "z.B. Das", "т. е. Это", "т.е. это", "Dr. Smith",
        "Fig. 3", "figs. 3", "No. 5", "Nr. 7", "рис. 4", "J. R. Smith", "А. С. Пушкин", "vs. Them", "(see Dr. Who)",
        "et al. Found", "*Prof.* Smith", "am 3. Mai", "1. First", "vgl. Seite", "pp. 3", "Abs. 2",
        "etc. and", "и др. на",
    ],
)  # fmt: skip
def test_abbreviation_ends_no_sentence(short: str) -> None:
    assert sentences(f"One {short} two. Three.") == [f"One {short} two.", "Three."]


@pytest.mark.parametrize(
    "text",
    ["It is so. Then", "He said no. Then", "A fig. A date", "In 2020. Then", "Really? Yes", "Wait... Then",
     "It fits! And", 'He said "so." Then', "(It is.) Then", "`x`. Then", "first: second", "all lower. case here"],
)  # fmt: skip
def test_sentence_ends(text: str) -> None:
    assert len(sentences(text)) == 2


# ---------------------------------------------------------------------- lines


LOG = "\n".join(
    f"2024-05-{day:02} 12:00:01 INFO  request {day} done. It took {day * 7} ms{' and was retried' * (day % 3)}"
    for day in range(1, 29)
)
VERSE = "\n".join(
    ["The keys are turned, the doors are shut,", "A lantern. Then another one", "Goes dark", "Below."] * 9
)
LOWER_VERSE = "\n".join(["so much depends", "upon. a red wheel", "barrow glazed with rain", "water"] * 9)
BROKEN = "\n".join([f"the line number {number} of it. and more of it  " for number in range(30)])


@pytest.mark.parametrize("text", [LOG, VERSE, LOWER_VERSE, BROKEN], ids=["log", "verse", "lower verse", "hard breaks"])
def test_lines_that_do_not_flow_are_not_cut_inside(text: str) -> None:
    lines = [line.strip() for line in text.split("\n")]
    chunks = contents(text, max_tokens=60)
    assert len(chunks) > 2
    assert [line.strip() for chunk in chunks for line in chunk.split("\n")] == lines


def test_line_above_the_budget_is_cut_inside() -> None:
    chunks = contents(f"{LOG}\n2024-06-01 {FILL * 30}", max_tokens=40)
    assert chunks[0].endswith("retried")
    assert max(map(get_counter("cl100k_base"), chunks)) <= 40


WRAPPED = """\
Documents are cut into chunks at the places where it hurts least. A paragraph that is
wrapped by an editor has lines that say nothing about its meaning, so that a cut has to
follow the sentences. Capital letters at the start of a line are rare there, and every
line but the last one is nearly as long as the others are. A link that is very long, as
in [this](https://example.org/a/very/long/link/that/no/editor/could/ever/wrap/into/two/lines/of/text/at/all/really) one
does not change that, nor does a line that begins with a name. So the rule looks at all
lines and asks what most of them do."""


def test_lines_of_wrapped_prose_flow() -> None:
    assert line_runs(WRAPPED, 0, len(WRAPPED), []) == []
    shouting = WRAPPED.upper()
    assert line_runs(shouting, 0, len(shouting), []) == []
    assert all(chunk[-1] in ".,:" for chunk in contents(WRAPPED, max_tokens=70))


def test_two_lines_say_nothing() -> None:
    assert line_runs("Short\nA much longer line than the other", 0, 39, []) == []


# ---------------------------------------------------------------------- tags


def kept(text: str, longest: int = 1000) -> list[str]:
    spans = kept_spans(text, 0, len(text), lambda first, stop: stop - first <= longest)
    return [text[first:stop] for first, stop in spans]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a < b. c > d", []),
        ("a <b c", []),
        ("a <b> c", ["<b>"]),
        ("<A>b <C/> d</A> e <F/>", ["<A>b <C/> d</A>", "<F/>"]),
        ("<A>b</A><A>c</A>", ["<A>b</A>", "<A>c</A>"]),
        ("<A><A>b</A></A>", ["<A><A>b</A></A>"]),
        ("<b>c<br>d</b> e", ["<b>c<br>d</b>"]),
        ("</A> b", ["</A>"]),
        ("<>a b</> c", ["<>a b</>"]),
        (
            '<A b="c > d" e={{f: ">"}} g={() => { h > 1 }}>i</A>',
            ['<A b="c > d" e={{f: ">"}} g={() => { h > 1 }}>i</A>'],
        ),
        ("<A\n  b\n>\nc</A>", ["<A\n  b\n>\nc</A>"]),
        ("see <https://example.org/a. b> there", ["<https://example.org/a. b>"]),
    ],
)
def test_elements_and_tags_are_kept(text: str, expected: list[str]) -> None:
    assert kept(text) == expected


def test_of_a_large_element_its_tags_are_kept() -> None:
    assert kept("<A b='c'>d <E>f</E> g</A>", 12) == ["<A b='c'>", "<E>f</E>", "</A>"]
    assert kept("<A b='c'>d <E>f</E> g</A>", 5) == ["<E>", "</E>", "</A>"]


TAGS = (
    '<Tooltip tip="a. b; c">',
    "<Note title='x y'>", "<A b={(c) => { return c > 1. }}>", '<B\n  c="d. e"\n  f={{ g: 1 }}>',
    '<Icon name="a b. c" />', "<Link\n  to={`/a b`}\n/>", "<b>", "</Tooltip>", "</b>",
)  # fmt: skip
WORDS = ("word", "a", "It ends. Then", "one, two", "`code`", "(so)", "x;", "Ende!", "слово", "密钥。轮换")
GLUES = (" ", " ", " ", "\n", "")
CONTAINERS = (("", ""), ("# Heading\n\n", ""), ("- ", "  "), ("[^1]: ", "    "))
parts = st.lists(st.tuples(st.sampled_from((*WORDS, *TAGS)), st.sampled_from(GLUES)), min_size=10, max_size=60)


@given(parts, st.sampled_from(CONTAINERS), st.integers(30, 80), st.sampled_from(["keep", "split"]))
@settings(deadline=None, max_examples=300, phases=[Phase.explicit, Phase.reuse, Phase.generate])
def test_no_tag_that_fits_is_cut(
    parts: list[tuple[str, str]], container: tuple[str, str], max_tokens: int, oversize: str
) -> None:
    first, rest = container
    text, places = f"{first}Begin ", []
    for part, glue in parts:
        start = len(text)
        text += part.replace("\n", f"\n{rest}")
        places += [(start, len(text))] if part in TAGS else []
        text += glue.replace("\n", f"\n{rest}")
    document = parse_document(text, format="mdx")
    chunks = crosshead.chunk(document, max_tokens=max_tokens, oversize=oversize)
    assert crosshead.check(document, chunks).ok
    edges = {edge for chunk in chunks for edge in (chunk.start, chunk.end)}
    assert [text[start:end] for start, end in places if any(start < edge < end for edge in edges)] == []


def test_element_is_kept_if_it_fits() -> None:
    element = '<Tooltip tip="a. b">x. y. It is so. And more</Tooltip>'
    for chunk in contents(f"{FILL} {element}. " * 20, "mdx", max_tokens=50):
        assert chunk.count("<Tooltip") == chunk.count("</Tooltip>")


def test_tag_above_the_budget_is_cut() -> None:
    chunks = contents(f'{FILL} <A b="{FILL * 30}">c</A> {FILL}', "mdx", max_tokens=40)
    assert len(chunks) > 3


def test_component_is_split_between_its_tags() -> None:
    tag = '<Card\n  title="some title"\n  body="some body"\n/>\n'
    document = parse_document(tag * 12, format="mdx")
    chunks = crosshead.chunk(document, max_tokens=60, oversize="split")
    assert len(chunks) > 2
    assert all(chunk.content.startswith("<Card") and chunk.content.endswith("/>") for chunk in chunks)


def test_word_of_many_tags_is_cut_as_rarely_as_possible() -> None:
    chunks = contents("<b>x</b>" * 100, max_tokens=60)
    assert 5 < len(chunks) < 15
    assert all(chunk.startswith("<b>") and chunk.endswith("</b>") for chunk in chunks)
