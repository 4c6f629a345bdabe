from __future__ import annotations

import json

import pytest

from crosshead.embedding.static import StaticEmbedder
from crosshead.embedding.text.readable_share import LONGER_TOKENS, Reader
from crosshead.embedding.text.tokenizer import WordPieceTokenizer


@pytest.fixture(scope="module")
def static() -> StaticEmbedder:
    return StaticEmbedder()


@pytest.mark.parametrize(
    "text",
    [
        "How do I rotate the keys?",
        "Wie ändere ich die Schriftgröße?",
        "¿Cómo cambio el tamaño de la letra?",
        "Comment changer la taille des caractères ?",
        "Jak zmienić rozmiar czcionki?",
        "Как изменить размер шрифта?",
        "12 × 7 → 84 ✓ ½ 🙂",
        "",
        "x² – y = α",
    ],
)
def test_what_the_table_has_words_for_is_read(static: StaticEmbedder, text: str) -> None:
    assert static.read_share(text) > 0.9


@pytest.mark.parametrize(
    "text",
    [
        "如何更改字体大小？",
        "フォントサイズを変更するにはどうすればよいですか",
        "글꼴 크기를 어떻게 변경합니까?",
        "كيف أغير حجم الخط؟",
        "איך משנים את גודל הגופן?",
        "फ़ॉन्ट का आकार कैसे बदलें?",
        "จะเปลี่ยนขนาดตัวอักษรได้อย่างไร",
        "Πώς αλλάζω το μέγεθος της γραμματοσειράς;",
    ],
)
def test_what_it_knows_the_letters_of_at_best_is_not_read(static: StaticEmbedder, text: str) -> None:
    assert static.read_share(text) < 0.2


def test_a_mixed_text_is_read_in_part(static: StaticEmbedder) -> None:
    assert 0.2 < static.read_share("PostgreSQL で VACUUM を実行する方法を教えてください") < 0.6


def reader(*tokens: str) -> Reader:
    vocabulary = {token: number for number, token in enumerate(("[UNK]", *tokens))}
    return Reader(WordPieceTokenizer(json.dumps({"model": {"vocab": vocabulary, "unk_token": "[UNK]"}}).encode()))


def test_letters_count_where_longer_tokens_hold_them() -> None:
    words = [f"ж{each}" for each in "абвгд"][:LONGER_TOKENS]
    spelled = "жэж"
    assert reader("ж", "##ж", "##э", *words).read_share(spelled) == pytest.approx(2 / 3)
    assert reader("ж", "##ж", "##э", *words[1:]).read_share(spelled) == 0


def test_unknown_words_are_not_read() -> None:
    assert reader("word").read_share("wörd nö") == 0.5


def test_signs_and_words_of_one_letter_tell_nothing() -> None:
    assert reader("word").read_share("wörd é = → 😀 ½") == 1


@pytest.mark.parametrize(
    "text",
    [
        "How do I change the size of the letters in a document?",
        "where does `undici` keep max_header_size, and what about --http-parser or node:http2?",
        "kubectl",
        "Kubernetes Terraform PostgreSQL",
        "rotate the keys of the vault every ninety days",
        "如何更改字体大小？",
        "",
    ],
)
def test_words_of_english_and_what_tells_nothing_are_known_as_words(static: StaticEmbedder, text: str) -> None:
    assert static.word_share(text) > 0.65


@pytest.mark.parametrize(
    "text",
    [
        "¿Cómo puedo cambiar el tamaño de las letras del documento desplegado?",
        "Jak zmienić rozmiar czcionki zaznaczonego tekstu?",
        "Как изменить размер шрифта выделенного текста?",
        "como altero o tamanho das letras selecionadas no documento",
    ],
)
def test_words_of_other_languages_are_known_by_their_parts(static: StaticEmbedder, text: str) -> None:
    assert static.word_share(text) <= 0.5


@pytest.mark.parametrize("text", ["zeppelin upholstery", "stratospheric ballooning for beginners"])
def test_a_few_rare_words_are_still_english(static: StaticEmbedder, text: str) -> None:
    assert static.word_share(text) > 0.5


def test_short_words_names_and_identifiers_do_not_tell_the_language() -> None:
    known = reader("word", "long", "##er").word_share
    assert known("word word") == 1
    assert known("longer") < 1
    assert known("lon Longer LONGER long_er longer2 `longer` /longer") == 1
    assert known("(longer), «longer»!") == pytest.approx(4 / 6)
