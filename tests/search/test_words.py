from __future__ import annotations

import pytest

from crosshead.language.frequent import UNDETERMINED
from crosshead.search.query.stopwords import content_words
from crosshead.search.query.words import languages_of, read_in


@pytest.mark.parametrize(
    ("language", "query", "expected"),
    [
        ("en", "how do I rotate the keys", ["rotat", "key"]),
        ("es", "¿Cómo puedo renovar las claves?", ["renov", "clav"]),
        ("de", "Wie werden die Schlüssel erneuert?", ["schlussel", "erneuert"]),
        ("en", "why does it die", ["die"]),
        ("ru", "как обновить ключи", ["обнов", "ключ"]),
        ("zh", "如何配置数据", ["配置", "置数", "数据", "配", "置", "数", "据"]),
        ("ja", "どのように設定できますか", ["設定", "設", "定"]),
        ("es", "¿qué es?", ["que", "es"]),
        (UNDETERMINED, "how to rotate", ["rotat"]),
    ],
)
def test_function_words_of_the_language_are_left_out(language: str, query: str, expected: list[str]) -> None:
    assert content_words(query, language) == expected


def test_what_languages_read_alike_is_read_once() -> None:
    assert [each.language for each in read_in(["backup"], ["en", "es", "de"])] == ["en"]


def test_a_query_without_function_words_is_read_in_all_languages() -> None:
    readings = {each.language: each.wanted for each in read_in(["configuraciones activas"], ["en", "es"])}
    assert readings == {"en": ("configuracion", "activa"), "es": ("configur", "activ")}


def test_function_words_choose_the_languages() -> None:
    languages = ["en", "es", "de", "ru"]
    assert [each.language for each in read_in(["cómo se configuran las redes"], languages)] == ["es"]
    assert [each.language for each in read_in(["how are the networks configured"], languages)] == ["en"]


def test_one_function_word_decides_nothing() -> None:
    assert {each.language for each in read_in(["die settings"], ["en", "de"])} == {"en", "de"}


def test_languages_are_in_the_order_of_their_documents() -> None:
    assert languages_of({"es": 2, "en": 5, "": 3}, "auto") == ["en", "auto", "es"]
    assert languages_of({}, "auto") == [UNDETERMINED]
