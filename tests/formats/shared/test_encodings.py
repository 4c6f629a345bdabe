"""Texts in their languages and in the encodings that people have written them in, from one sentence to a page."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from tests.formats.shared.languages import TEXTS

from crosshead.formats.shared.decoding.text import decode

WESTERN = "cp1252 latin_1 iso8859_15 mac_roman cp850"
ENCODINGS = {
    "german": f"{WESTERN} cp437",
    "french": WESTERN,
    "spanish": f"{WESTERN} cp437",
    "portuguese": WESTERN,
    "italian": WESTERN,
    "swedish": WESTERN,
    "polish": "cp1250 iso8859_2 cp852 mac_latin2",
    "czech": "cp1250 iso8859_2 cp852 mac_latin2",
    "hungarian": "cp1250 iso8859_2 cp852",
    "turkish": "cp1254 iso8859_9 cp857",
    "lithuanian": "cp1257 iso8859_13 cp775",
    "russian": "cp1251 koi8_r iso8859_5 cp866 mac_cyrillic",
    "ukrainian": "cp1251 koi8_u",
    "greek": "cp1253 iso8859_7 cp737",
    "hebrew": "cp1255 iso8859_8 cp862",
    "arabic": "cp1256 iso8859_6",
    "thai": "cp874",
    "japanese": "shift_jis euc_jp iso2022_jp",
    "simplified chinese": "gb2312 gb18030",
    "traditional chinese": "big5",
    "korean": "euc_kr",
}
WIDE = ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
TYPED = str.maketrans({"„": '"', "“": '"', "”": '"', "«": '"', "»": '"', "’": "'", "–": "-", "€": "Euro"})
"""What people write where an encoding lacks a sign."""


def lengths(language: str) -> Iterator[str]:
    for text in TEXTS[language]:
        for sentences in (text[1:2], text[:2], text, text * 4):
            yield "\n\n".join(sentences) + "\n"


def fitting(text: str, encoding: str) -> str:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(TYPED)
    return text


@pytest.mark.parametrize(
    ("language", "encoding"), [(language, each) for language, those in ENCODINGS.items() for each in those.split()]
)
def test_text_in_an_older_encoding_is_read_as_it_was_written(language: str, encoding: str) -> None:
    for text in lengths(language):
        written = fitting(text, encoding)
        assert decode(written.encode(encoding), []) == written


@pytest.mark.parametrize("language", ENCODINGS)
@pytest.mark.parametrize("encoding", WIDE)
def test_unicode_without_a_mark_is_read_as_it_was_written(language: str, encoding: str) -> None:
    for text in lengths(language):
        assert decode(text.encode(encoding), []) == text


@pytest.mark.parametrize("encoding", ["cp1252", "cp1251", "shift_jis", "koi8_r"])
def test_the_part_that_tells_may_be_far_inside_a_long_line(encoding: str) -> None:
    language = {"cp1252": "french", "shift_jis": "japanese"}.get(encoding, "russian")
    text = "plain words " * 20_000 + fitting(" ".join(TEXTS[language][0]), encoding)
    assert decode(text.encode(encoding), []) == text


@pytest.mark.parametrize("language", ["french", "russian", "japanese"])
def test_few_wrong_bytes_do_not_hide_that_a_text_is_utf8(language: str) -> None:
    chance = random.Random(7)
    for text in lengths(language):
        data = text.encode()
        at = chance.choice([place for place in range(len(data)) if data[place] < 0x80])
        read = decode(data[:at] + b"\xff" + data[at:], [])
        assert read.replace("\ufffd", "") == text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("11.1.8. SMTP 認証", "shift_jis"),
        ("東京都千代田区霞が関一丁目 鈴木 佐藤 高橋 田中 渡辺 伊藤 山本 中村", "shift_jis"),
        ("15.1.2. 修改源码", "gb2312"),
        ("版权 © 2003, 2004 Raphaël", "gb18030"),
        ("範例 11.12. Enabling SASL in /etc/postfix/main.cf", "big5"),
        ("12. IN KEINEM FALL, AUßER WENN DURCH GELTENDES RECHT", "cp1252"),
        ("İPUCU Debian, İngilizce dışındaki diller", "cp1254"),
    ],
)
def test_a_few_words_without_the_usual_letters_are_read(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding), []) == text


@pytest.mark.parametrize("sign", ["5 µm", "1½ cups", "£5", "±3", "m²", "10 °C", "“so”", "café", "naïve", "© 2020"])
def test_a_sign_in_an_english_text_does_not_make_it_another_language(sign: str) -> None:
    text = f"The committee decided to move the meeting, and all of the members are invited to it. It was {sign} then.\n"
    assert decode(text.encode("cp1252"), []) == text
