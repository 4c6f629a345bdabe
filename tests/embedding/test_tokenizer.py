"""The package `tokenizers`, which the models were trained with, says what the tokens of a text are."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from unicodedata import ucd_3_2_0

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.strategies import documents, raw_documents
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

from crosshead.embedding.static import FOLDER, TOKENIZER
from crosshead.embedding.text.texts import clean_text
from crosshead.embedding.text.tokenizer import _PIECES, LONGEST_CACHED, BytePairTokenizer, WordPieceTokenizer

ROOT = Path(__file__).parents[2]
SPECIAL = ("<unk>", "<s>", "</s>", "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
WORDS = (
    "key",
    "Keys",
    "naïve",
    "ÅNGSTRÖM",
    "İstanbul",
    "鍵",
    "한국어",
    "e\u0301",
    "👩‍🚀",
    "▁",
    "##s",
    "a" * 101,
    "\x00",
    "\x85",
)
BLANKS = ("", " ", "  ", "\n", "\t", "\r\n", "\xa0", "\u2028", "\x1c", "\u200b", ",", "$", "…")
REGARDED_ANEW = {"\u166d", "\u1734", "\u1885", "\u1886"}
"""Unicode has changed its mind about what these are since the tables of `tokenizers` were made."""

texts = st.one_of(
    documents(),
    raw_documents(),
    st.text(max_size=80),
    st.lists(st.sampled_from((*WORDS, *BLANKS, *SPECIAL)), max_size=30).map("".join),
)


class Pair:
    """A tokenizer, and the one of `tokenizers` that reads the same file."""

    def __init__(self, kind: type[BytePairTokenizer | WordPieceTokenizer], data: bytes) -> None:
        self.own = kind(data)
        self.reference = Tokenizer.from_buffer(data)
        self.reference.encode_special_tokens = True

    def agree(self, text: str) -> bool:
        """Do both say the same of a text, as an embedder cleans it?"""
        clean = clean_text(text)
        return self.own.encode(clean) == self.reference.encode(clean, add_special_tokens=False).ids


def written_texts() -> list[str]:
    folders = (ROOT / "docs", ROOT / "examples", ROOT / "tests" / "fixtures" / "markdown")
    return [path.read_text("utf-8") for folder in folders for path in sorted(folder.rglob("*.md*"))]


def train_word_pieces() -> bytes:
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(vocab_size=4000, special_tokens=list(SPECIAL), show_progress=False)
    tokenizer.train_from_iterator(written_texts(), trainer)
    return tokenizer.to_str().encode()


@pytest.fixture(scope="module", params=["byte pairs", "word pieces"])
def pair(request: pytest.FixtureRequest) -> Pair:
    if request.param == "byte pairs":
        return Pair(BytePairTokenizer, (FOLDER / TOKENIZER).read_bytes())
    return Pair(WordPieceTokenizer, train_word_pieces())


def test_documents_have_the_tokens_of_the_reference(pair: Pair) -> None:
    written = written_texts()
    assert len(written) > 30
    assert [text for text in written if not pair.agree(text)] == []


@given(text=texts)
def test_any_text_has_the_tokens_of_the_reference(pair: Pair, text: str) -> None:
    assert pair.agree(text)


@given(words=st.lists(st.text("ab▁ é鍵<", min_size=1), min_size=1), times=st.integers(1, 200))
def test_long_words_have_the_tokens_of_the_reference(pair: Pair, words: list[str], times: int) -> None:
    assert pair.agree("".join(words) * times)
    assert pair.agree("".join(words)[0] * (LONGEST_CACHED + times))


def test_every_character_is_read_as_the_reference_reads_it(pair: Pair) -> None:
    """Of characters that are younger than its tables, Python knows more."""
    known = (chr(code) for code in range(sys.maxunicode + 1) if ucd_3_2_0.category(chr(code)) not in ("Cn", "Cs"))
    assert {each for each in known if not pair.agree(f"a{each}b {each}")} <= REGARDED_ANEW


def test_no_token_goes_on_where_a_text_is_cut() -> None:
    model = json.loads((FOLDER / TOKENIZER).read_bytes())["model"]
    joined = [pair.replace(" ", "") for pair in model["merges"]]
    assert set(joined) <= model["vocab"].keys()
    assert [token for token in joined if _PIECES.fullmatch(token) is None or len(_PIECES.findall(token)) > 1] == []


def test_names_of_special_tokens_are_text(pair: Pair) -> None:
    special = {pair.reference.token_to_id(name) for name in SPECIAL} - {None}
    assert not special & set(pair.own.encode("<s>old</s> [SEP]"))


@pytest.mark.parametrize(
    "data", [b"", b"\xff", b"[]", b"{}", b'{"model": 1}', b'{"model": {}}', b'{"model": {"vocab": 1}}']
)
@pytest.mark.parametrize("kind", [BytePairTokenizer, WordPieceTokenizer])
def test_file_of_something_else_is_refused(kind: type, data: bytes) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        kind(data)
