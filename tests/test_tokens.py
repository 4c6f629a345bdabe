from __future__ import annotations

from math import ceil
from pathlib import Path
from time import process_time

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from crosshead import estimate_tokens
from crosshead.errors import OptionsError
from crosshead.options import Tokenizer
from crosshead.tokens import get_counter, has_fence_line, leaves_fence_open, may_be_code

ROOT = Path(__file__).parent.parent
EXACT: list[Tokenizer] = ["cl100k_base", "o200k_base"]
TEXTS = {
    "empty": "",
    "prose": "The quick brown fox doesn't jump; it's 12345.678 lazy... isn't IT?\n\n  New paragraph.",
    "readme": (ROOT / "README.md").read_text("utf-8"),
    "code": (ROOT / "src/crosshead/types/__init__.py").read_text("utf-8"),
    "indented": "def f(x):\n\tif x:\n\t\treturn {'a': [1, 2, 3]}\n        # done   \n\n\n\nf( 1 )",
    "russian": "Каждый раздел содержит несколько предложений. Ключ меняется раз в год!",
    "chinese": "本页说明如何轮换密钥。首先，打开设置页面，然后单击“轮换”。",
    "emoji": "🔑 👩‍👩‍👧‍👦 🇩🇪 👍🏽 ☃️ text",
    "combining marks": "e\u0301 n\u0303 Z\u0351\u036b\u0343 ไทย हिन्दी العَرَبِيَّة",
    "windows": "one\r\n\r\ntwo\r\n\tthree\r\n",
    "white space": " \n \t\n\u00a0\u2003x\u3000\u2028y\x0c\x0b\x85",
    "special tokens": "<|endoftext|> <|im_start|>user<|im_end|> <|fim_prefix|> <|",
    "null": "a\x00b\x00",
    "long word": "a" * 5000 + "/" * 50 + "=" * 300,
    "paths": "\n/usr/local/bin\n//comment\n/*x*/ https://example.org/a?b=c#d",
}


def tiktoken_count(name: str, text: str) -> int:
    return len(tiktoken.get_encoding(name).encode_ordinary(text))


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_exact_count_is_that_of_tiktoken(name: Tokenizer, text: str) -> None:
    assert get_counter(name)(text) == tiktoken_count(name, text)


@pytest.mark.parametrize("name", EXACT)
@given(text=st.text() | st.text("aZ1 \n\t\r'.,/<|>ключ密🔑\u0301", max_size=80))
def test_exact_count_of_any_text_is_that_of_tiktoken(name: Tokenizer, text: str) -> None:
    assert get_counter(name)(text) == tiktoken_count(name, text)


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("text", ["\ud800", "a\udfffb", "ключ \ud83d 🔑", "<|endoftext|>\udc00"])
def test_lone_surrogates_count_as_replacement_characters(name: Tokenizer, text: str) -> None:
    replaced = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert get_counter(name)(text) == tiktoken_count(name, replaced) == tiktoken_count(name, text)


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("text", [*TEXTS.values(), "ключ \ud83d"], ids=[*TEXTS, "surrogate"])
def test_slices_count_as_the_counter_does(name: Tokenizer, text: str) -> None:
    counts, pieces = get_counter(name).slices(text), text.splitlines(keepends=True)
    assert counts.many(pieces) == [counts.prose(piece) for piece in pieces]
    assert counts.many(pieces) == [get_counter(name)(piece) for piece in pieces]


@pytest.mark.parametrize(
    "name", ["cl100k_base", "o200k_base", "estimate", "estimate:prose", "estimate:code", "characters"]
)
def test_counter_knows_its_name(name: Tokenizer) -> None:
    assert get_counter(name).name == name


@pytest.mark.parametrize("name", ["gpt2", "estimate:x", "", "characters:x"])
def test_unknown_tokenizer_is_an_error(name: str) -> None:
    with pytest.raises(OptionsError, match="unknown tokenizer"):
        get_counter(name)  # type: ignore[arg-type]


def test_characters_are_counted_as_they_are() -> None:
    assert get_counter("characters")("ключ 🔑\r\n") == 8
    assert get_counter("characters").slices("").many(["ключ", ""]) == [4, 0]


@pytest.mark.parametrize(("bias", "prose", "code"), [("balanced", 4, 2.75), ("prose", 4.4, 3.0), ("code", 3.6, 2.4)])
def test_estimate_divides_by_kind_and_bias(bias: str, prose: float, code: float) -> None:
    text = "x" * 440
    fence = "```py\n" + "x" * 100 + "\n```"
    assert estimate_tokens(text, bias) == ceil(440 / prose)
    assert estimate_tokens(fence, bias) == ceil(len(fence) / code)
    assert estimate_tokens(f"{text}\n{fence}", bias) == ceil(441 / prose + len(fence) / code)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("~~~\nx\n~~~\ntext", "~~~\nx\n~~~"),
        ("````\n```\nx\n````\ntext", "````\n```\nx\n````"),
        ("```\nnever closed\n\ntext", "```\nnever closed\n\ntext"),
        ("- ```sh\n  x\n  ```\ntext", "- ```sh\n  x\n  ```"),
        ("> ```\n> x\n> ```\ntext", "> ```\n> x\n> ```"),
        ("import a from 'b'\n\ntext", "import a from 'b'"),
        ("export const a = 1\ntext", "export const a = 1"),
        ("<Note kind='x'>\n\ntext\n\n</Note>", "<Note kind='x'></Note>"),
        ("<Tabs\n  items={a}\n  kind='x'\n/>\ntext", "<Tabs\n  items={a}\n  kind='x'\n/>"),
        ("<Tabs\n  kind='x'>\n\ntext\n\n</Tabs>", "<Tabs\n  kind='x'></Tabs>"),
        ("<Tabs\n  on={() => go()}\n>\ntext", "<Tabs\n  on={() => go()}"),
        ("<Plot\n  points={[\n    1,\n    - 2,\n  ]}\n/>\ntext", "<Plot\n  points={[\n    1,\n    - 2,\n  ]}\n/>"),
        ("<Tabs\n\tkind='x'\n/>\ntext", "<Tabs\n\tkind='x'\n/>"),
        ("<Tabs\nnever closed\n\ntext >", "<Tabs"),
        ("<Tabs\n    \n    text />", "<Tabs"),
        ("<Tabs\n# Heading\n/>", "<Tabs"),
        ("<Tabs\n- item\n/>", "<Tabs"),
        ("<Tabs> text\nmore text />", "<Tabs> text"),
        ("    <Tabs\nmore text />", "    <Tabs"),
        ("import {\n  a,\n  b,\n} from 'c'\ntext", "import {\n  a,\n  b,\n} from 'c'"),
        ("import A, { b } from 'c'\ntext", "import A, { b } from 'c'"),
        ("import 'a.css'\ntext", "import 'a.css'"),
        ("export {\n  a,\n}\ntext", "export {\n  a,\n}"),
        ("export default Page\ntext", "export default Page"),
        ("import {\n# Heading\n} from 'c'", ""),
        ("import {\n  a,\n\n  b } from 'c'", ""),
        ("import the table first, then the keys from the file", ""),
        ("import duties are paid by the buyer", ""),
        ("export goods, export them again", ""),
        ("``` a`b\ntext", ""),
        ("important text, <b>text</b>", ""),
    ],
)
def test_estimate_counts_fences_imports_and_components_as_code(text: str, code: str) -> None:
    assert estimate_tokens(text) == ceil((len(text) - len(code)) / 4 + len(code) / 2.75)


def test_estimate_of_many_open_tags_costs_linear_time() -> None:
    lines = "<Tabs\n  a\n" * 100_000
    started = process_time()
    assert estimate_tokens(lines) == ceil(len("\n  a\n") * 100_000 / 4 + len("<Tabs") * 100_000 / 2.75)
    assert process_time() - started < 5


@pytest.mark.parametrize(
    ("text", "is_open"),
    [
        ("text", False),
        ("```\nx", True),
        ("```\nx\n```", False),
        ("```\n~~~", True),
        ("- ~~~", True),
        ("a ``` b", False),
    ],
)
def test_open_fence_makes_code_of_what_follows(text: str, is_open: bool) -> None:
    assert leaves_fence_open(text) is is_open
    follow = "x" * 1000
    assert (estimate_tokens(f"{text}\n{follow}") > estimate_tokens(text) + 300) is is_open


PROSE_LINES = ["text", "x `` y", "more text", ""]
CODE_LINES = ["```", "~~~ py", "- ```", "import a", "<Note>", "``` a`b"]


@given(st.lists(st.sampled_from(PROSE_LINES)))
def test_text_that_cannot_be_code_is_estimated_as_prose(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert not may_be_code(text)
    assert estimate_tokens(text) == ceil(len(text) / 4)


@given(st.lists(st.sampled_from([*PROSE_LINES, *CODE_LINES])))
def test_text_with_a_fence_may_be_code(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert may_be_code(text) or not has_fence_line(text)


@pytest.mark.parametrize(("name", "code"), [("estimate", 2.75), ("estimate:prose", 3.0), ("estimate:code", 2.4)])
def test_estimate_of_a_piece_of_code(name: Tokenizer, code: float) -> None:
    assert get_counter(name).slices("").code("x" * 100) == ceil(100 / code)
    assert get_counter(name)("```\n" + "x" * 100) == ceil(104 / code)


def test_estimate_of_nothing_is_zero_and_of_anything_is_not() -> None:
    assert (estimate_tokens(""), estimate_tokens("x")) == (0, 1)


def test_unknown_bias_is_an_error() -> None:
    with pytest.raises(OptionsError, match="use balanced, prose, code"):
        estimate_tokens("text", "fiction")


@pytest.mark.parametrize("name", ["estimate", "estimate:prose", "estimate:code"])
@given(parts=st.lists(st.text(max_size=20), max_size=5))
def test_estimates_of_pieces_are_an_upper_bound(name: Tokenizer, parts: list[str]) -> None:
    counts = get_counter(name).slices("".join(parts))
    assert sum(counts.many(parts)) >= counts.prose("".join(parts))
