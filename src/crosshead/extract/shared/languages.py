"""What is frequent in a language, so that a right reading of its bytes can be told from a wrong one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final

RAREST: Final = 0.3
"""What the rarest letter of an alphabet is worth; the most frequent is worth 1."""
CAPITAL: Final = 0.8
"""What a capital is worth of its small letter: a reading that mixes up letters makes many capitals."""
FREQUENT_SIGN: Final = 1.6
"""Of a language with thousands of signs; a text consists of them by more than a third."""
RARE_SIGN: Final = 0.3
STRANGE: Final = -0.3


class Language:
    """The letters beyond ASCII, or signs, with the most frequent first, and frequent words without such letters."""

    def __init__(self, letters: str = "", *, signs: str = "", words: str = "") -> None:
        self.words = frozenset(words.split())
        self.other_sign = RARE_SIGN if signs else STRANGE
        self._letters = letters
        self._signs = signs

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """What a character is worth."""
        small = {each: 1 - (1 - RAREST) * rank / len(self._letters) for rank, each in enumerate(self._letters)}
        capitals = {letter.upper(): CAPITAL * weight for letter, weight in small.items()}
        return capitals | small | dict.fromkeys(self._signs, FREQUENT_SIGN)


GERMAN: Final = Language("üäößéàèë", words="und der die das den ist nicht mit ein eine zu von sie es im auf")
WESTERN: Final = (
    GERMAN,
    Language("éèàêçôûùîïâœëæüÿ", words="de la le les et des un une du que dans est pour qui en sur ne pas"),
    Language("óíáéñúü¿¡ºª", words="de la el que en los se del las un por con no una su para es al"),
    Language("ãçéáíõóâêúàôü", words="de que do da em um para com uma os no se na por mais as dos"),
    Language("èàéùòìîóú", words="di il la che per un in una del si con non le da sono dei al come"),
    Language("äåöéü", words="och att det som en av den med inte har till om ett men var de"),
    Language("øåæéöä", words="og det er en til den i at de ikke som av med har et der var"),
    Language("äöå", words="ja on ei se ovat oli tai kun mutta joka ole niin kuin"),
    Language("ëéïöèüá", words="de het een van en is dat op te zijn met voor niet aan er om"),
    Language("íáðéþóöæúý", words="og sem er um til en hann var með fyrir ekki eru hefur"),
)
CENTRAL: Final = (
    Language("łąęóśżćńź", words="i w na do z nie jest to o jak po za od dla lub przez oraz co"),
    Language("íáěéčřžýšůúňťďóľäôĺŕ", words="a na se v je to do si pro za po jako ale jsou by tak od"),
    Language("éáöóőíüúű", words="a az hogy nem is egy van meg de ha csak mint volt el ki vagy"),
    Language("ăîâșțşţ", words="de la cu pe nu un din care mai sau este o se ca pentru al"),
    Language("čšžćđ", words="i je u se na da za su od kao ne s bi to in ki pa po"),
    GERMAN,
)
TURKISH: Final = Language("ışüğçöiâîû", words="ve bir bu da de ile olan daha en her ne ama gibi")
BALTIC: Final = (
    Language("ėšųžįčąūę", words="ir kad su yra tai buvo kaip bet ar o po per nuo jo tik"),
    Language("āīēšņļūžķčģ", words="un ir ka ar no par uz bet to kas vai pie tas ja"),
    Language("äõüöšž", words="ja on ei et ka ning see oli kui mis ta aga"),
)
CYRILLIC: Final = (
    Language("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё«»"),
    Language("оаинвіетрсклудмпязьгчбхйцжїюєфшщґў«»"),
    Language("аоиенртсвкупљјмлдзгбњчшцћжђхџфѓќѕ"),
)
GREEK: Final = Language("αοιετσνηυρπκμλςωγίάόδέήθχβύφώξζψϊϋΐΰ")
HEBREW: Final = Language("יוהלאתרבשמנכםדקעחפטגזסצןךףץ")
ARABIC: Final = Language("اليمنترةوبسدعفحقهكجأشطىصزخغذإضثءظئآؤپچژگکی،؟")
THAI: Final = Language("านรก่อเงมี้ลวัยดทตส็ิะปบืคหแุจพำชขใไู์โผถซธภณศษฟญฉๆฐฏฮฬฒฎฑฤฝฆฌ")
JAPANESE: Final = Language(
    signs="のにはをたがでてとしれさいるあっりすなもこうらまかきくそよえけおせつみめわちやどろじばげずほむごふべ"
    "ンスルトリアイーラドクシフレロジタテプコマッカムサバビメパオキグナチュデエニミウズャハ日一本人年大出中会国事者上行"
)
CHINESE: Final = (
    Language(
        signs="的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家"
        "种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日者意无力与长把机第公此已"
        "工使情明性知全三又关点正业外将两高间由问很最重并物手应文件每请新名加"
    ),
    Language(
        signs="的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家"
        "種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心本前開但因只從想實日者意無力與長把機第公此已"
        "工使情明性知全三又關點正業外將兩高間由問很最重並物手應文件每請新名加"
    ),
)
KOREAN: Final = Language(
    signs="이다는의에을가고하지를로은사리도어한기시자나그대아인정수게서과일해들라있보부전만장여주스상제동구소조으니적내안오"
    "선신성우원연경년모유계문화국공회학생"
)
EVERY_LANGUAGE: Final = (
    *WESTERN, *CENTRAL, TURKISH, *BALTIC, *CYRILLIC, GREEK, HEBREW, ARABIC, THAI, JAPANESE, *CHINESE, KOREAN
)  # fmt: skip
