"""Numbers that documents write as words."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

_SMALL: Final = (
    "zero null zéro cero ноль",
    "one once first single ein eine einen einem einer eins erste ersten einmal un une premier uno una primer primera"
    " один одна одно первый 一",
    "two twice second both zwei zweite zweiten beide zweimal deux deuxième dos segundo два две двух второй 二 両",
    "three third drei dritte dritten dreimal trois troisième tres tercer tercero три трех трёх третий 三",
    "four fourth vier vierte vierten quatre quatrième cuatro cuarto четыре четырех четвертый 四",
    "five fifth fünf fünfte cinq cinquième cinco quinto пять пяти пятый 五",
    "six sixth sechs sechste sixième seis sexto шесть шести 六",
    "seven seventh sieben siebte sept septième siete séptimo семь семи 七",
    "eight eighth acht achte huit huitième ocho octavo восемь восьми 八",
    "nine ninth neun neunte neuf neuvième nueve noveno девять девяти 九",
    "ten tenth zehn zehnte dix dixième diez décimo десять десяти 十",
    "eleven elf onze once одиннадцать",
    "twelve dozen zwölf douze doce двенадцать",
)
_LARGE: Final = {
    15: "fifteen", 20: "twenty zwanzig vingt veinte двадцать", 30: "thirty dreißig trente treinta тридцать",
    40: "forty vierzig", 50: "fifty fünfzig", 60: "sixty sechzig", 90: "ninety neunzig",
    100: "hundred hundert cent cien сто",
    1000: "thousand tausend mille mil тысяча", 10**6: "million",
}  # fmt: skip
NUMBER_WORDS: Final = {
    word: Decimal(value) for value, forms in (*enumerate(_SMALL), *_LARGE.items()) for word in forms.split()
}
