from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.stored_documents import make_hit

import crosshead
from crosshead.search.query.stopwords import content_words
from crosshead.search.query.words import QueryWords
from crosshead.search.snippets import LONGEST, Snippet, can_answer, make_snippets
from crosshead.search.snippets.choose import MOST_LINES
from crosshead.search.snippets.lines import read_lines
from crosshead.search.snippets.words import SnippetWords
from crosshead.types import Hit

CHUNK = crosshead.chunk("Text.")[0]


def hit_of(content: str, **fields: Any) -> Hit:
    return make_hit(replace(CHUNK, content=content, start=0, end=len(content), **fields))


def snippet(content: str, query: str, **fields: Any) -> Snippet:
    return make_snippets([hit_of(content, **fields)], [reading(query)])[0]


def reading(query: str) -> QueryWords:
    return QueryWords("und", tuple(content_words(query, "und")))


def marked(found: Snippet) -> str:
    """Return the text with its highlights between angle quotes."""
    text = found.text
    for start, end in reversed(found.highlights):
        text = f"{text[:start]}‹{text[start:end]}›{text[end:]}"
    return text


@pytest.mark.parametrize(
    ("content", "query", "expected"),
    [
        ("", "x", ""),
        ("\n\n", "x", ""),
        ("Nothing of it.", "rotate", "Nothing of it."),
        ("Rotating a key.", "rotate keys", "‹Rotating› a ‹key›."),
        ("Set max_tokens=5 now", "max_tokens", "Set ‹max_tokens›=5 now"),
        ("Set max_tokens now", "tokens", "Set ‹max_tokens› now"),
        ("See https://example.com/keys/rotate.html", "rotate", "See https://example.com/keys/‹rotate.html›"),
        ("A keyboard has a key.", "key", "A keyboard has a ‹key›."),
        ("Ключи обновляются ежедневно.", "обновляется ключа", "‹Ключи› ‹обновляются› ежедневно."),
        ("鍵を毎日回転させる。", "毎日", "鍵を‹毎日›回転させる。"),
        ("鍵を毎日回転させる。", "鍵", "‹鍵›を毎日回転させる。"),
        ("移動し、動きます。", "動", "移動し、‹動›きます。"),
        ("表格和表", "表", "‹表›格和‹表›"),
        ("The colleague's code", "What's the code", "The colleague's ‹code›"),
        ("鍵を毎日回転させる。", "毎日回転", "鍵を‹毎日回転›させる。"),
        ("สำหรับกระบวน", "สำหรับ", "‹สำหรับ›กระบวน"),
        ("การอ้างอิงของ", "อ้ งอิง", "การ‹อ้างอิง›ของ"),
        ("ﾃﾞｰﾀ 件の表", "件", "ﾃﾞｰﾀ ‹件›の表"),
        ("re\u0301sume\u0301 here", "resume", "‹re\u0301sume\u0301› here"),
    ],
)
def test_words_of_the_query_are_highlighted(content: str, query: str, expected: str) -> None:
    assert marked(snippet(content, query)) == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("## Keys\n\nThe key.", "The key."),
        ("Keys\n----\n\nThe key.", "The key."),
        ("## Keys {#keys}\n\nThe key.\n\n### Storage\n\nIn a vault.", "The key.\nIn a vault."),
        ("A [key](https://example.com/a_(b)), a [key][ref] and [[wiki]].", "A key, a key and [[wiki]]."),
        ("![A key](key.png) The *key* is **`k_1`** and __not__ ~~old~~.", "The key is k_1 and not old."),
        (
            "A snake_case_key, 2 * 3, `**kwargs` and \\*args\\*.",
            "A snake_case_key, 2 * 3, **kwargs and *args*.",
        ),
        ("The key[^1] &amp; <b>lock</b> <https://example.com>.", "The key & lock https://example.com."),
        ("> [!NOTE]\n> The key.", "The key."),
        (":::tip Good to know\n\nThe key.\n\n:::", "The key."),
        ("- [x] The key.\n- 3 locks\n\n1. Turn it", "The key.\n3 locks\n1. Turn it"),
        ("<!-- the key -->\n\nThe lock.", "The lock."),
        ("The key.\n\n[key]: https://example.com/key\n", "The key."),
        ("The key opens\nthe lock.", "The key opens the lock."),
        ("The key.\n\n12\n\n***\n\nThe end.", "The key.\nThe end."),
    ],
)
def test_a_snippet_is_plain_text_below_its_heading(content: str, expected: str) -> None:
    assert snippet(content, "key", section_path=("Keys",)).text == expected


def test_imports_and_tags_of_mdx_are_not_shown() -> None:
    content = "import Key from './key';\n\n<Card\n  title=\"key\"\n>\n\nThe key.\n\n</Card>\n"
    assert snippet(content, "key", format="mdx").text == "The key."


def test_tags_between_code_are_not_shown() -> None:
    fenced = '````mdx-code-block\n<TabItem value="key">\n\n```sh\nrun --key\n```\n\n</TabItem>\n````\n\nThe key.\n'
    assert snippet(fenced, "key", format="mdx").text == "run --key\nThe key."
    indented = '=== "Tab"\n\n    <div class="key">\n\n    run --key\n'
    assert snippet(indented, "key").text == "    run --key"


def test_headings_are_shown_only_if_there_is_nothing_else() -> None:
    content = "## Rotate keys\n\n### Before\n\nStop the server.\n\nAfter\n-----\n\nStart it.\n"
    assert snippet(content, "rotate keys before after").text == "Stop the server.\nStart it."
    assert snippet("## Rotate keys\n\n### Before\n", "keys").text == "Rotate keys\nBefore"


def test_all_of_a_list_that_a_colon_introduces_is_shown() -> None:
    filler = "The server has another sentence about its values, of which there are many. " * 9
    items = "".join(f"- `{name}`: a mode\n" for name in ("off", "low", "high"))
    found = snippet(f"{filler}\n\nThe values of check mode are:\n\n{items}\n{filler}", "values of check").text
    assert found.endswith("The values of check mode are:\noff: a mode\nlow: a mode\nhigh: a mode")


def test_an_identifier_counts_once_and_the_words_of_the_heading_less() -> None:
    other = "This is some other sentence, which says nothing about it at all and is not short either. " * 3
    content = f"Call crypt_key_file now.\n\n{other}\n\nIts passphrase has an owner.\n\n{other}"
    weighed = [
        len(each) for each in SnippetWords([reading("crypt_key_file")]).find(["crypt_key_file", "file of a key"])
    ]
    assert weighed == [1, 2]
    assert "passphrase" in snippet(content, "passphrase owner crypt_key_file", section_path=("crypt_key_file",)).text


def test_identifier_of_two_words_stands_for_the_same_in_every_process() -> None:
    pairs = [("send", "file"), ("read", "byte"), ("push", "node"), ("wait", "lock"), ("drop", "view"), ("link", "host")]
    found = SnippetWords([reading(" ".join(word for pair in pairs for word in pair))]).find(
        ["_".join(pair) for pair in pairs]
    )
    assert found == [frozenset({min(pair)}) for pair in pairs]


@pytest.mark.parametrize(
    "sentence",
    [
        "See e.g. The Book.",
        "It is in Fig. 3 or Nr. 5 there.",
        "Dr. Smith wrote it.",
        "Das gilt z. B. Montags.",
        "1. Turn the key.",
    ],
)
def test_an_abbreviation_ends_no_sentence(sentence: str) -> None:
    assert next(line.text for line in read_lines(f"{sentence} And more.", "", (), mdx=False)) == sentence


def test_an_exclamation_mark_inside_a_sentence_does_not_end_it() -> None:
    filler = "Something else is said here, with some other words, and it goes on for a while longer. " * 5
    text = snippet(f"{filler}We could use the `vec!` macro for it. {filler}", "macro").text
    assert "We could use the vec! macro for it." in text


def test_directives_that_include_a_file_are_not_shown() -> None:
    content = "```rust\n{{#include a/key.rs}}\nrotate(key)\n```\n\n{{#include key.md}}"
    assert snippet(content, "key").text == "rotate(key)"


def test_the_sentences_that_answer_are_shown_not_the_first_ones() -> None:
    filler = "Nobody reads this long beginning of the chapter about the office and its many rooms. " * 4
    content = f"{filler}\n\n{filler}Employees get 20 vacation days a year. They expire in March. {filler}"
    assert "Employees get 20 vacation days a year." in snippet(content, "how many vacation days do employees get").text


def test_sentences_apart_have_a_gap_between_them() -> None:
    filler = "A sentence about something else entirely, and of a good length, stands between the two of them. " * 4
    text = snippet(f"The alpha comes first. {filler}The omega comes last.", "alpha omega").text
    assert text.startswith("The alpha comes first. ")
    assert " … " in text
    assert text.endswith("The omega comes last.")


def test_words_that_are_rare_among_the_hits_count_most() -> None:
    common = hit_of("The server has a key.\n\nThe server has a name.\n")
    filler = "The server has much to say, at length, about all the things that it serves to everybody. " * 6
    best = hit_of(f"{filler}\n\nThe server reads the passphrase from a file.")
    query = reading("server passphrase")
    assert "passphrase" in make_snippets([common, best], [query])[1].text


def test_what_follows_a_colon_is_shown() -> None:
    filler = "Something else is said here, with some other words, and it goes on for a while longer. " * 5
    text = snippet(f"To rotate the key, run:\n\n```sh\nvault rotate\n```\n\n{filler}", "rotate key").text
    assert text.startswith("To rotate the key, run:\nvault rotate")


def test_a_table_shows_its_head_and_the_rows_that_answer() -> None:
    rows = "\n".join(f"| plan {number} | {number} seats of the very same kind as always |" for number in range(40))
    text = snippet(f"| Plan | **Seats** |\n|---|---|\n{rows}\n| Enterprise | [unlimited](x) |", "enterprise").text
    assert text.split("\n")[0] == "Plan | Seats"
    assert "Enterprise | unlimited" in text.split("\n")


def test_a_part_of_a_table_shows_the_head_that_it_needs() -> None:
    text = snippet("| b | 2 euros |", "euros", prefix="| Name | Price |\n|---|---|\n").text
    assert text == "Name | Price\nb | 2 euros"


def test_code_keeps_its_lines_and_marks() -> None:
    content = "```python\ndef rotate(*keys):\n    # **never** twice\n    return [keys](0)\n```"
    assert snippet(content, "rotate keys").text == content.removeprefix("```python\n").removesuffix("\n```")


def test_a_part_of_a_code_block_is_code() -> None:
    assert snippet("    rotate(*keys) * 2\n```", "keys", prefix="```python\n").text == "    rotate(*keys) * 2"


@pytest.mark.parametrize("space", [" ", ""])
def test_a_long_line_is_cut_around_the_words(space: str) -> None:
    filler = (f"文字{space}" if not space else f"filler{space}") * 500
    found = snippet(f"{filler} needle in it {filler}", "needle").text
    assert "needle" in found
    assert found.startswith("…")
    assert found.endswith("…")
    assert len(found) <= LONGEST + 2


def test_without_the_words_the_beginning_is_shown() -> None:
    found = snippet("word " * 500, "other").text
    assert found.startswith("word")
    assert found.endswith("…")


MARKDOWN = st.text(st.sampled_from("ab 日カé.\n#|-*`_[]()<>:"), max_size=400)


@given(MARKDOWN, st.text(st.sampled_from("ab 日カé_"), max_size=20))
def test_a_snippet_has_its_size_and_highlights_in_order(content: str, query: str) -> None:
    text, highlights, _ = snippet(content, query)
    assert len(text) <= LONGEST + 100 + 4 * MOST_LINES
    ends = [-1, *(offset for pair in highlights for offset in pair), len(text) + 1]
    assert ends == sorted(ends)
    assert all(text[start:end].strip() for start, end in highlights)


@given(st.text(), st.text())
def test_any_text_has_a_snippet(content: str, query: str) -> None:
    snippet(content, query)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[keys]: https://example.com/keys\n[`keys[, more]`]: #keys 'Keys'\n",
        "<Tabs>\n<TabItem value='npm' label='npm'>\n\n</TabItem>\n</Tabs>",
        '<!-- Old headings -->\n\n<a id="the-match-operator"></a>',
        "<div align='center'>\n  <br/>\n</div>",
        "import Tabs from '@theme/Tabs';\nimport '../style.css'",
        "---\n\n***",
        "12",
        "- 3 -",
        "Page 3 of 12\n\n4 / 12",
        "[![build](https://example.com/b.svg)](https://example.com)",
    ],
)
@pytest.mark.parametrize("mdx", [True, False])
def test_what_only_lays_out_or_links_cannot_answer(content: str, mdx: bool) -> None:
    assert not can_answer(content, mdx=mdx)


@pytest.mark.parametrize(
    "content",
    [
        "## References\n\n[keys]: https://example.com/keys",
        "Exports end with an index.",
        "```js\nimport Tabs from '@theme/Tabs';\n```",
        "```python\nimport os\nimport sys\n```",
        "| 3 |\n|---|\n| 4 |",
        "2 ** 3",
        "12 %",
        "![The flow of data between services](flow.png)",
        '<img src="flow.png" alt="The flow of data" />',
        "<Options\n  of={[{ name: 'depth', description: 'How deep to look.' }]}\n/>",
        "<details><summary>More</summary></details>",
    ],
)
def test_what_says_something_can_answer(content: str) -> None:
    assert can_answer(content, mdx=True)


def test_a_title_alone_does_not_answer_if_it_is_known() -> None:
    assert can_answer("# Keys\n\n<Tabs>", mdx=True)
    assert not can_answer("# Keys\n\n<Tabs>", titles=["Keys"], mdx=True)


def test_exports_are_left_out_of_mdx_only() -> None:
    assert not can_answer("export const size = 3", mdx=True)
    assert can_answer("export const size = 3", mdx=False)
    assert can_answer("import `Tabs` from the theme.", mdx=False)


def test_attributes_of_a_component_answer_with_its_other_rows() -> None:
    content = "<Options\n  of={[\n    { name: 'depth',\n      description: 'How far to look.' },\n  ]}\n/>"
    assert snippet(content, "look", format="mdx").text.split("\n")[-2:] == [
        "{ name: 'depth',",
        "description: 'How far to look.' },",
    ]


def test_an_image_alone_answers_with_its_description() -> None:
    assert snippet("![The flow of data](flow.png)", "flow").text == "The flow of data"


def test_a_snippet_tells_which_words_of_the_query_the_whole_section_holds() -> None:
    content = (
        "# Keys\n\nRotate the old ones.\n\n" + "Other text without any of them.\n\n" * 40 + "A certificate stays.\n"
    )
    found = snippet(content, "rotate certificate passport")
    assert found.held == frozenset(content_words("rotate certificate", "en"))
