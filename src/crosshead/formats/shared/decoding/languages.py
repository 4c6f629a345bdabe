"""Frequent letters and words of languages, which show whether bytes were decoded correctly."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final

from crosshead.language.frequent import FUNCTION_WORDS, LETTERS

RAREST: Final = 0.3
"""Weight of the rarest letter of an alphabet; the most frequent has 1."""
CAPITAL: Final = 0.8
"""Weight of a capital relative to its small letter: wrong decoding produces many capitals."""
FREQUENT_SIGN: Final = 1.6
"""Of a language with thousands of signs; a text consists of them by more than a third."""
COMMON_SIGN: Final = 0.8
"""Of the first level of the national standard: all that most people read and write."""
RARE_SIGN: Final = 0.2
STRANGE: Final = -0.3


class LanguageProfile:
    """The letters beyond ASCII, or signs, with the most frequent first, and frequent words without such letters."""

    def __init__(
        self, letters: str = "", *, signs: str = "", words: str = "", standard: str = "", first_level: range = range(0)
    ) -> None:
        self.words = frozenset(words.split())
        self._letters = letters
        self._signs = signs
        self._standard = standard
        self._first_level = first_level
        """First bytes of the common signs in the encoding of the standard."""

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """The weight of each character."""
        small = {each: 1 - (1 - RAREST) * rank / len(self._letters) for rank, each in enumerate(self._letters)}
        capitals = {letter.upper(): CAPITAL * weight for letter, weight in small.items()}
        if "ı" in small:  # without a dot: there is a capital with one
            capitals["İ"] = CAPITAL * small["ı"]
        return capitals | small | dict.fromkeys(self._signs, FREQUENT_SIGN)

    def weigh_sign(self, sign: str) -> float:
        """Return the weight of a sign that is not one of the frequent ones."""
        if not self._standard:
            return STRANGE
        return COMMON_SIGN if sign.encode(self._standard, "replace")[0] in self._first_level else RARE_SIGN


def _language(*names: str) -> LanguageProfile:
    """Return the profile of a language, or of several with the same encodings."""
    letters = dict.fromkeys("".join(LETTERS[name] for name in names))
    words = (word for name in names for word in FUNCTION_WORDS.get(name, "").split() if word.isascii())
    return LanguageProfile("".join(letters), words=" ".join(words))


GERMAN: Final = _language("german")
ENGLISH: Final = LanguageProfile("é£°½±µ²ï³è¼ñçöüà¾×", words=FUNCTION_WORDS["english"])
"""Hardly any of its texts has a letter beyond ASCII, but many have a sign or a foreign name."""
WESTERN: Final = (
    ENGLISH,
    GERMAN,
    *map(_language, ("french", "spanish", "portuguese", "italian", "swedish")),
    _language("norwegian", "danish"),
    *map(_language, ("finnish", "dutch", "icelandic")),
)
CENTRAL: Final = (
    _language("polish"),
    _language("czech", "slovak"),
    *map(_language, ("hungarian", "romanian")),
    _language("croatian", "slovenian"),
    GERMAN,
)
TURKISH: Final = _language("turkish")
BALTIC: Final = (*map(_language, ("lithuanian", "latvian", "estonian")),)
CYRILLIC: Final = (
    _language("russian"),
    _language("ukrainian", "belarusian"),
    _language("serbian", "macedonian"),
)
GREEK: Final = LanguageProfile("αοιετσνηυρπκμλςωγίάόδέήθχβύφώξζψϊϋΐΰ")
HEBREW: Final = LanguageProfile("יוהלאתרבשמנכםדקעחפטגזסצןךףץ")
ARABIC: Final = LanguageProfile("اليمنترةوبسدعفحقهكجأشطىصزخغذإضثءظئآؤپچژگکی،؟")
THAI: Final = LanguageProfile("านรก่อเงมี้ลวัยดทตส็ิะปบืคหแุจพำชขใไู์โผถซธภณศษฟญฉๆฐฏฮฬฒฎฑฤฝฆฌ")
JAPANESE: Final = LanguageProfile(
    signs="のにはをたがでてとしれさいるあっりすなもこうらまかきくそよえけおせつみめわちやどろじばげずほむごふべ"
    "ンスルトリアイーラドクシフレロジタテプコマッカムサバビメパオキグナチュデエニミウズャハ日一本人年大出中会国事者上行",
    standard="euc_jp",
    first_level=range(0xB0, 0xD0),
)
CHINESE: Final = (
    LanguageProfile(
        signs="的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家"
        "种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日者意无力与长把机第公此已"
        "工使情明性知全三又关点正业外将两高间由问很最重并物手应文件每请新名加",
        standard="gb2312",
        first_level=range(0xB0, 0xD8),
    ),
    LanguageProfile(
        signs="的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家"
        "種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心本前開但因只從想實日者意無力與長把機第公此已"
        "工使情明性知全三又關點正業外將兩高間由問很最重並物手應文件每請新名加",
        standard="big5",
        first_level=range(0xA4, 0xC7),
    ),
)
KOREAN: Final = LanguageProfile(
    signs="이다는의에을가고하지를로은사리도어한기시자나그대아인정수게서과일해들라있보부전만장여주스상제동구소조으니적내안오"
    "선신성우원연경년모유계문화국공회학생",
    standard="euc_kr",
    first_level=range(0xB0, 0xC9),
)
EVERY_LANGUAGE: Final = (
    *WESTERN, *CENTRAL, TURKISH, *BALTIC, *CYRILLIC, GREEK, HEBREW, ARABIC, THAI, JAPANESE, *CHINESE, KOREAN
)  # fmt: skip
