from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crosshead.errors import OptionsError
from crosshead.language.frequent import CODES, UNDETERMINED, language_code
from crosshead.language.words import LONGEST_WORD, fold, stemmer, word_pattern, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \t\n.,;!?-_/\\", []),
        ("Rotate the keys", ["rotat", "the", "key"]),
        ("it's", ["it", "s"]),
        ("end. Begin", ["end", "begin"]),
        ("max_tokens", ["max_tokens", "max", "token"]),
        ("maxTokens", ["maxtoken", "max", "token"]),
        ("--max-tokens", ["max-tokens", "max", "token"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("HTTP", ["http"]),
        ("__init__", ["init"]),
        ("os.path.join", ["os.path.join", "os", "path", "join"]),
        ("src/app.py:12", ["src/app.py:12", "src", "app", "py", "12"]),
        ("C:\\temp", ["c:\\temp", "c", "temp"]),
        ("sha256", ["sha256", "sha", "256"]),
        ("3.11", ["3.11", "3", "11"]),
        ("2026", ["2026"]),
        ("well-known", ["well-known", "well", "known"]),
        ("me@example.org", ["me@example.org", "me", "exampl", "org"]),
        ("café Café CAFÉ", ["cafe", "cafe", "cafe"]),
        ("søkné Straße", ["søkne", "strass"]),
        ("İstanbul", ["istanbul"]),
        ("Ключи обновляются", ["ключ", "обновля"]),
        ("ещё Её", [*words("еще"), *words("ее")]),
        ("鍵", ["鍵"]),
        ("回転", ["回転", "回", "転"]),
        ("鍵を回す", ["鍵を", "を回", "回す", "鍵", "回"]),
        ("カタカナ", ["カタ", "タカ", "カナ"]),
        ("한국어", ["한국", "국어"]),
        ("人々", ["人々", "人", "々"]),
        ("abc日本def", ["abc", "日本", "日", "本", "def"]),
        ("Ωμέγα", ["ωμέγα"]),
        ("हिन्दी", ["हिन्दी"]),
        ("ＷＩＤＥ ｶﾅ", ["wide", "カナ"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize("text", ["résumé naïve", "Ελλάδα", "й ё", "ガギグ", "한국", "Đặng Nguyễn"])
def test_composed_and_decomposed_text_is_the_same(text: str) -> None:
    assert words(unicodedata.normalize("NFD", text)) == words(unicodedata.normalize("NFC", text))


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("The max_tokens option", "max_tokens"),
        ("The max_tokens option", "tokens"),
        ("class ChunkOptions:", "chunkoptions"),
        ("class ChunkOptions:", "chunk"),
        ("see docs/guide.md", "guide.md"),
        ("rotating keys", "rotate key"),
        ("Ключи обновляются", "обновление ключей"),
        ("鍵を毎日回転させる", "毎日"),
        ("鍵を毎日回転させる", "鍵の回転"),
        ("鍵を毎日回転させる", "鍵"),
        ("Größe", "große"),
    ],
)
def test_a_query_shares_words_with_the_text(text: str, query: str) -> None:
    assert set(words(query)) & set(words(text))


def test_a_word_is_not_found_inside_another() -> None:
    assert not set(words("api")) & set(words("the capital of therapists"))


def test_long_data_is_compared_by_its_beginning() -> None:
    blob = "ab" * 5_000
    assert words(blob) == [blob[:LONGEST_WORD]]
    assert all(len(word) <= LONGEST_WORD for word in words("/".join(["x" * 100] * 50)))


class TestLanguage:
    def test_simple_leaves_words_as_they_are(self) -> None:
        assert words("Rotating Keys Ключи", "simple") == ["rotating", "keys", "ключи"]

    @pytest.mark.parametrize("name", ["simple", "thai", "english", "porter", "khmer"])
    def test_text_without_spaces_is_paired_whatever_language_a_user_names(self, name: str) -> None:
        assert {*words("พัฒนา", language_code(name))} < {*words("ผู้พัฒนาส่วนขยาย", language_code(name))}
        assert {*words("ឯកសារ", language_code(name))} < {*words("ជាឯកសារមេតា", language_code(name))}

    def test_simple_makes_no_stems(self) -> None:
        assert words("Rotating Keys", language_code("simple")) == ["rotating", "keys"]

    @pytest.mark.parametrize("name", ["thai", "chinese", "german", "simple", "auto"])
    def test_languages_without_stems_may_be_named(self, name: str) -> None:
        assert stemmer(name)("日本") == "日本"

    def test_vowel_marks_of_the_quran_do_not_matter(self) -> None:
        assert words("مَا فِي ٱلۡقُبُورِ", "ar") == words("ما في القبور", "ar")

    def test_a_language_stems_its_words(self) -> None:
        assert words("Häuser", "german") == words("Haus", "german")

    def test_an_unknown_language_is_an_error_that_names_the_known_ones(self) -> None:
        with pytest.raises(OptionsError, match=r"auto, simple, .*german"):
            words("x", "klingon")

    def test_auto_goes_by_the_script(self) -> None:
        stem = stemmer("auto")
        assert [stem("running"), stem("ключами"), stem("日本")] == ["run", "ключ", "日本"]


@given(st.text())
def test_any_text_has_words_without_spaces(text: str) -> None:
    found = words(text)
    assert found == words(text)
    assert all(word and not any(char.isspace() for char in word) for word in found)


@given(st.text(st.characters(categories=("L", "N", "M", "P", "Zs", "Cs"))))
def test_no_letter_or_digit_is_left_out(text: str) -> None:
    found = "".join(match[0] for match in word_pattern(text).finditer(text))
    letters = [char for char in text if char.isalnum()]
    assert [char for char in found if char.isalnum()] == letters


@given(st.text(st.characters(max_codepoint=127)))
def test_words_in_ascii_are_those_that_the_pattern_for_all_texts_finds(text: str) -> None:
    assert word_pattern(text).findall(text) == word_pattern("é").findall(text)


@given(st.text(st.sampled_from("aZ9_.-/:日カé\u0301"), max_size=60))
def test_words_of_two_texts_are_those_of_both_with_a_space_between(text: str) -> None:
    assert words(f"{text} {text}") == words(text) * 2


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("language", "text", "query"),
    [
        ("es", "Configuraciones de la red", "configurar redes"),
        ("es", "Configuración", "configuracion"),
        ("de", "Die Häuser", "Haus"),
        ("fr", "Les paramètres installés", "parametre installer"),
        ("pl", "ustawienia sieci", "ustawień"),
        ("el", "ΕΓΚΑΤΑΣΤΑΣΗ", "εγκατάσταση"),
        ("el", "εγκαταστάσεις", "εγκατασταση"),
        ("tr", "IŞIK", "ışık"),
        ("tr", "ISI", "ısı"),
        ("he", "שָׁלוֹם", "שלום"),
        ("ar", "مُسْتَخْدِم", "المستخدمين"),
        ("hr", "mreže", "mreža"),
        ("sr", "Мреже", "мрежа"),
        ("uk", "ключами", "ключ"),
        ("th", "ตั้งค่าเครือข่าย", "เครือข่าย"),
        ("km", "ការកំណត់បណ្ដាញ", "បណ្ដាញ"),
        ("lo", "ການຕັ້ງຄ່າເຄືອຂ່າຍ", "ເຄືອຂ່າຍ"),
        ("my", "ကွန်ရက်ဆက်တင်များ", "ဆက်တင်"),
        ("ru", "Параметр tokens", "token"),
        ("ja", "トークンtokens", "token"),
    ],
)
def test_a_query_shares_all_words_with_a_text_in_its_language(language: str, text: str, query: str) -> None:
    assert set(words(query, language)) <= set(words(text, language))


@pytest.mark.parametrize("language", [*CODES.values(), UNDETERMINED])
@pytest.mark.parametrize("name", ["max_tokens", "maxTokens", "--max-tokens", "src/app.py:12", "os.path.join"])
def test_identifiers_are_found_exactly_and_by_their_parts_in_every_language(language: str, name: str) -> None:
    held = set(words(f"x {name} y", language))
    assert set(words(name, language)) <= held
    assert set(words(name, "auto")) - {"maxtoken"} <= held
    assert words(name.lower(), language)[0] in held


@given(st.sampled_from([*CODES.values(), UNDETERMINED]), st.text(max_size=60))
def test_every_word_of_a_text_is_found_by_itself(language: str, text: str) -> None:
    held = set(words(text, language))
    text = unicodedata.normalize("NFKC", text)
    for word in word_pattern(text).findall(text):
        assert set(words(word, language)) <= held


@pytest.mark.parametrize("text", ["ตั้งค่า ใช้docker", "Ωμέγα", "שָׁלוֹם", "ışık"])
def test_texts_of_earlier_indexes_are_read_as_they_were(text: str) -> None:
    """Words of these were stored like this."""
    expected = {"ตั้งค่า ใช้docker": ["ตั้งค่า", "ใช้docker"], "Ωμέγα": ["ωμέγα"], "שָׁלוֹם": ["שָׁלוֹם"], "ışık": ["ısık"]}
    assert words(text, "auto") == [unicodedata.normalize("NFC", each) for each in expected[text]]
